"""Plots of confidence sets from few examples: steps of the error, cells, intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import scipy
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from errlab import checks
from errlab.checks import FloatArray, Seed
from errlab.results import Interval
from errlab.style import (
    PALETTE,
    curve,
    look,
    new_axes,
    new_panels,
    styled,
)
from errlab.training_set import INTERVALS, LeastSquares, cud_bound
from errlab_book.cud_cells import cud_cells
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, SOFT, headline, paper, write


def interval_look(key: str) -> dict[str, Any]:
    """Return the look of a method of `INTERVALS`, the same in every figure."""
    return look(INTERVALS[key].place)


@styled
def plot_steps(X: ArrayLike, y: ArrayLike) -> list[Axes]:
    """Draw the training error and the squared loss of a line as its intercept moves.

    Parameters
    ----------
    X : array_like, shape (n, 1)
        One feature.
    y : array_like, shape (n,)
        Labels in {-1, +1}.

    Returns
    -------
    list of Axes
        The error, with its steps; the squared loss, without.

    Raises
    ------
    ValueError, TypeError
        If X and y do not fit, or X has more than one feature.

    Examples
    --------
    >>> above, below = plot_steps([[-1.0], [0.2], [0.4], [2.0]], [-1, 1, -1, 1])
    >>> above.get_title("left")
    'The error jumps, the squared loss glides'
    """
    cases = checks.matrix(X)
    labels = checks.signs(y)
    checks.same_length(X=cases, y=labels)
    checks.require(cases.shape[1] == 1, "X", "have one feature", cases.shape[1])
    model = LeastSquares().fit(cases, labels)
    intercept, slope = model.coef_
    # the intercepts at which the prediction for an example changes; the 0/1 loss jumps only there
    jumps = np.sort(-slope * cases[:, 0])
    span = np.ptp(jumps) * 0.1
    edges = np.concatenate([[jumps[0] - span], jumps, [jumps[-1] + span]])
    levels = np.mean(
        ((edges[:-1, None] + edges[1:, None]) / 2 + slope * cases[:, 0] > 0) != (labels > 0), axis=1
    )
    grid = np.linspace(edges[0], edges[-1], 81)
    loss = np.mean((grid[:, None] + slope * cases[:, 0] - labels) ** 2, axis=1)
    above, below = new_panels(2, figsize=(350 / 72, 350 / 72), sharex=True)
    above.stairs(100 * levels, edges, baseline=None, color=INK, lw=2)
    # the jump nearest to the fit, where the prediction for one patient changes
    k = int(np.abs(jumps - intercept).argmin())
    above.plot([jumps[k]] * 2, 100 * levels[k : k + 2], color=ACCENT, lw=4)
    # mark the upper end of the jump, and write the label to the right of the fit
    above.plot(jumps[k], 100 * levels[k : k + 2].max(), "s", color=ACCENT, ms=9, zorder=3)
    edge = max(jumps[k], intercept), 100 * levels[k : k + 2].max()
    write(above, "one patient\ntips over", edge, (8, 42), weight="bold")
    below.plot(grid, loss, color=INK, lw=2)
    for ax in (above, below):
        ax.axvline(intercept, color=INK, alpha=FAINT, lw=1)
    write(below, "the fit", (intercept, float(loss.max())), (5, -4), alpha=SOFT)
    write(below, "mean squared loss", (0, 1), (0, 10), of_axes=True, alpha=SOFT)
    above.set_ylim(0, None)
    above.yaxis.set_major_formatter("{x:g}%")
    below.set(xlabel="intercept of the line", ylim=(0, None))
    headline(above, "The error jumps, the squared loss glides", "Error on the same patients")
    return [above, below]


@styled
def plot_training_errors(
    sets: Mapping[str, Callable[..., Any]], *, n: int, repeats: int = 1000, rng: Seed = 0
) -> list[Axes]:
    """Draw the distribution of the training error over training sets, with the normal curve.

    Parameters
    ----------
    sets : mapping
        Words to functions such as `errlab.datasets.donut`, called with ``(n, rng=...)``.
    n, repeats : int
        Examples in each training set, and number of training sets.
    rng : seed, Generator or None
        Draws them; the same in each call by default.

    Returns
    -------
    list of Axes
        One panel for each set.

    Raises
    ------
    ValueError, TypeError
        If a number leaves its range.

    Examples
    --------
    >>> from errlab.datasets import three_points
    >>> axes = plot_training_errors({"3 points": three_points}, n=30, repeats=20, rng=0)
    >>> axes[0].get_ylabel()
    'fraction of sets'
    """
    size = checks.one_count(n)
    times = checks.one_count(repeats)
    rng = checks.generator(rng)
    panels = new_panels(len(sets), figsize=(4.8, 2.3 * len(sets)), sharex=True)
    for index, (ax, (name, draw)) in enumerate(zip(panels, sets.items(), strict=True)):
        errors: list[float] = []
        # a training set of one class has no line, so draw again
        while len(errors) < times:
            X, y, _ = draw(size, rng=rng)
            if len(np.unique(y)) == 2:
                errors.append(float(np.mean(LeastSquares().fit(X, y).predict(X) != y)))
        counts = np.bincount(np.rint(np.multiply(errors, size)).astype(int)) / times
        ax.bar(np.arange(len(counts)) / size, counts, 0.8 / size, color=PALETTE[index], label=name)
        grid = np.linspace(0, 0.6, 61)
        # times the step of the training error, which turns a density into a probability
        bell = scipy.stats.norm.pdf(grid, np.mean(errors), np.std(errors)) / size
        ax.plot(grid, bell, color="black", ls="--", lw=1.4, label="normal")
        kurtosis = scipy.stats.kurtosis(errors)
        ax.set(xlim=(0, 0.6), ylabel="fraction of sets")
        ax.set_title(f"{name}: excess kurtosis {kurtosis:.1f}", fontsize=12)
        # label the dashes once, because they are the same in all panels and only the first has room
        if index == 0:
            ax.legend(handles=ax.lines, loc="upper right")
    panels[-1].set_xlabel("training error")
    return panels


@styled
def plot_cells(
    Z: ArrayLike,
    y: ArrayLike,
    counts: ArrayLike,
    *,
    alpha: float,
    limits: tuple[tuple[float, float], tuple[float, float]],
    ax: Axes | None = None,
) -> Axes:
    """Draw the plane of two coefficients: cells, the neighbourhood, and the cell of the fit.

    Lines cut the plane into cells. The cells that the neighbourhood reaches are shaded, darker if
    the draw's error differs more from the sample's; the cell of the fit has the accent.

    Parameters
    ----------
    Z, y, counts : array_like
        Design of shape (n, 2), labels in {-1, +1}, counts of one draw.
    alpha : float
        Scale of the loss gap, above 0.
    limits : pair of pairs
        Ends of the two axes.

    Raises
    ------
    ValueError, TypeError
        If the arguments do not fit (see `errlab_book.cud_cells.cud_cells`).

    References
    ----------
    Laber and Murphy (2008), Sections 3 and 4.

    Examples
    --------
    >>> Z, view = [[1, -1], [1, 0], [1, 2]], ((-1, 1), (-1, 1))
    >>> ax = plot_cells(Z, [-1, 1, 1], [2, 1, 0], alpha=3, limits=view)
    >>> ax.get_title("left")
    '3 patients cut 6 cells: 4 in reach'
    """
    cells = cud_cells(Z, y, counts, alpha=alpha)
    reached = cells.gain > 0
    ax = ax or paper(350, 300)
    # cells are infinite cones, cut outside of the view
    far = 3 * float(np.abs(limits).max())
    rim = far * np.stack([np.cos(cells.angles), np.sin(cells.angles)], axis=-1)
    # a tiny number avoids dividing by 0 if the draw's error is the same in all cells
    shades = np.abs(cells.deviation) / max(np.abs(cells.deviation).max(), 1e-12)
    turn = np.arctan2(cells.fit[1], cells.fit[0])
    start_cell = int(((turn - cells.angles[:, 0]) % (2 * np.pi)).argmin())
    for k in np.flatnonzero(reached):
        middle = far * np.array([np.cos(cells.angles[k].mean()), np.sin(cells.angles[k].mean())])
        corners = np.array([[0, 0], rim[k, 0], middle, rim[k, 1]])
        shade = 0.04 + 0.36 * float(shades[k])
        ax.fill(*corners.T, color=INK, alpha=shade, lw=0)
        if k == start_cell:
            ax.fill(*corners.T, facecolor=ACCENT, hatch="///", edgecolor="#ffffff", lw=0)
    # one path that goes back and forth, which keeps the page small
    spokes = np.zeros((len(rim), 2, 2))
    spokes[:, 0] = rim[:, 0]
    ax.plot(*spokes.reshape(-1, 2).T, color=INK, alpha=FAINT, lw=0.7)
    ax.plot(*_ring(cells, 0.0).T, color=INK, lw=1.6)
    ax.plot(*cells.fit, "s", color=INK, ms=8, mec="#ffffff")
    ax.set(xlim=limits[0], ylim=limits[1], xlabel="intercept")
    headline(
        ax, f"{len(reached) // 2} patients cut {len(reached)} cells: {reached.sum()} in reach",
        "All lines: slope upwards, intercept across",
    )  # fmt: skip
    return ax


def _ring(cells: Any, level: float) -> FloatArray:
    """Return points at which g equals `level`: an ellipse around the draw's own fit."""
    step = cells.fit - cells.centre
    reach = step @ cells.loss @ step + (1 - level) / cells.alpha
    turn = np.linspace(0, 2 * np.pi, 73)
    circle = np.sqrt(reach) * np.stack([np.cos(turn), np.sin(turn)])
    ring = cells.centre + np.linalg.solve(np.linalg.cholesky(cells.loss).T, circle).T
    # Matplotlib closes a polygon with one more point, even if its ends differ only by rounding
    ring[-1] = ring[0]
    return np.asarray(ring)


@styled
def plot_sets(intervals: Mapping[str, Interval], truth: float, *, ax: Axes | None = None) -> Axes:
    """Draw the interval of each method for one training set, and the true error.

    Parameters
    ----------
    intervals : mapping
        Key of `INTERVALS` to its interval.
    truth : float
        The true error of the classifier, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If a key is unknown or the error is out of range.

    Examples
    --------
    >>> ax = plot_sets({"CUD": Interval(0.0, 0.4), "BS1": Interval(0.2, 0.3)}, 0.15)
    >>> ax.get_title("left")
    '1 of 2 intervals misses the true error'
    """
    error = float(checks.mean(truth, "truth"))
    ax = ax or paper(350, 65 + 36 * len(intervals))
    missed = 0
    for row, (key, ends) in enumerate(intervals.items()):
        low, high = (100 * end for end in ends)
        misses = not ends[0] <= error <= ends[1]
        missed += misses
        colour = {"color": ACCENT} if misses else {"color": INK, "alpha": BODY}
        ax.plot([low, high], [row, row], lw=7, solid_capstyle="butt", **colour)
        if misses:
            nearer = low if 100 * error < low else high
            ax.plot(nearer, row, "s", color=ACCENT, ms=9)
        name = INTERVALS[key].name + ": misses" * misses
        write(ax, name, (0, row), (0, 14), weight="bold" if misses else "normal")
    places = np.arange(len(intervals))
    ax.vlines(np.full(len(places), 100 * error), places - 0.2, places + 0.2, color=INK, lw=2)
    largest = 100 * max([error, *(high for _, high in intervals.values())])
    write(
        ax,
        f"true error {100 * error:.1f}%",
        (100 * error, len(intervals) - 0.6),
        (0, 0),
        ha="center",
    )
    ax.set(xlim=(0, min(100, 1.05 * largest)), ylim=(len(intervals) - 0.2, -0.8), yticks=[])
    ax.xaxis.set_major_formatter("{x:g}%")
    verb = "misses" if missed == 1 else "miss"
    finding = f"{missed} of {len(intervals)} intervals {verb} the true error"
    headline(ax, finding if missed else f"All {len(intervals)} intervals contain the true error")
    return ax


@styled
def plot_alpha(
    sets: Mapping[str, tuple[ArrayLike, ArrayLike]],
    multiples: Sequence[float],
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw half the width of the CUD interval against alpha, for several training sets.

    Parameters
    ----------
    sets : mapping
        Words to training sets (X, y).
    multiples : sequence of float
        Values of alpha / n, above 0.

    Raises
    ------
    ValueError, TypeError
        If a training set or a number is not right (see `errlab.training_set.cud_bound`).

    References
    ----------
    Laber and Murphy (2008), Section 6.

    Examples
    --------
    >>> from errlab.datasets import gaussian_mixture
    >>> ax = plot_alpha({"a": gaussian_mixture(10, p=1, rng=0)[:2]}, [0.1, 1])
    >>> ax.get_xscale()
    'log'
    """
    ax = new_axes(ax)
    for index, (name, (X, y)) in enumerate(sets.items()):
        n = len(np.asarray(y))
        halves = [
            # use the same draws for each alpha, so that only alpha changes the curve
            cud_bound(X, y, alpha=float(c) * n, resamples=200, rng=0).quantile
            for c in multiples
        ]
        curve(ax, np.asarray(multiples), np.asarray(halves), label=name, look=look(index))
    ax.axvline(1, color="0.5", lw=1, label="alpha = n")
    ax.set_xscale("log")
    ticks = [c for c in (0.01, 0.1, 1, 10, 100, 1000) if min(multiples) <= c <= max(multiples)]
    ax.set_xticks(ticks, [f"{c:g}" for c in ticks])
    ax.minorticks_off()
    ax.set(xlabel="alpha / n", ylabel="half width before clipping", ylim=(0, None))
    ax.legend(loc="lower left", fontsize=8.5)
    return ax
