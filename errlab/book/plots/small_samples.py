"""Plots of confidence sets from few cases: steps of the error, cells, intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike
from scipy import stats

from errlab._core import checks
from errlab._core.checks import FloatArray, Seed
from errlab._core.interval import Interval
from errlab._style import (
    BLUE,
    GREEN,
    PALETTE,
    PURPLE,
    VERMILION,
    curve,
    look,
    new_axes,
    new_panels,
    styled,
)
from errlab.training_set import INTERVALS, LeastSquares, cud_bound, cud_cells


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
    >>> above.get_ylabel()
    'training error'
    """
    cases = checks.matrix(X)
    labels = checks.signs(y)
    checks.same_length(X=cases, y=labels)
    checks.require(cases.shape[1] == 1, "X", "have one feature", cases.shape[1])
    model = LeastSquares().fit(cases, labels)
    intercept, slope = model.coef_
    # where the line changes its mind about a case: there, and only there, the 0/1 loss jumps
    jumps = np.sort(-slope * cases[:, 0])
    span = np.ptp(jumps) * 0.1
    edges = np.concatenate([[jumps[0] - span], jumps, [jumps[-1] + span]])
    levels = np.mean(
        ((edges[:-1, None] + edges[1:, None]) / 2 + slope * cases[:, 0] > 0) != (labels > 0), axis=1
    )
    grid = np.linspace(edges[0], edges[-1], 81)
    loss = np.mean((grid[:, None] + slope * cases[:, 0] - labels) ** 2, axis=1)
    above, below = new_panels(2, figsize=(4.8, 4.6), sharex=True)
    above.stairs(levels, edges, baseline=None, color=VERMILION, lw=1.8, label="0/1 loss")
    below.plot(grid, loss, color=BLUE, label="squared loss")
    for ax in (above, below):
        ax.axvline(intercept, color="black", lw=1, ls="--", label="least squares")
    above.set(ylabel="training error", ylim=(0, None))
    above.yaxis.set_major_formatter("{x:.0%}")
    below.set(ylabel="mean squared loss", xlabel="intercept of the line", ylim=(0, None))
    below.legend(loc="upper left", bbox_to_anchor=(0.49, 1))
    return [above, below]


@styled
def plot_training_errors(
    sets: Mapping[str, Callable[..., Any]], *, n: int, repeats: int = 1000, rng: Seed = 0
) -> list[Axes]:
    """Draw how the training error is distributed over training sets, with the normal curve.

    Parameters
    ----------
    sets : mapping
        Words to functions such as `errlab.datasets.donut`, called with ``(n, rng=...)``.
    n, repeats : int
        Cases in each training set, and number of training sets.
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
        # training sets of one class have no line, and are drawn again
        while len(errors) < times:
            X, y, _ = draw(size, rng=rng)
            if len(np.unique(y)) == 2:
                errors.append(float(np.mean(LeastSquares().fit(X, y).predict(X) != y)))
        counts = np.bincount(np.rint(np.multiply(errors, size)).astype(int)) / times
        ax.bar(np.arange(len(counts)) / size, counts, 0.8 / size, color=PALETTE[index], label=name)
        grid = np.linspace(0, 0.6, 61)
        # over a step of the training error, so that it stands beside probabilities
        bell = stats.norm.pdf(grid, np.mean(errors), np.std(errors)) / size
        ax.plot(grid, bell, color="black", ls="--", lw=1.4, label="normal")
        kurtosis = stats.kurtosis(errors)
        ax.set(xlim=(0, 0.6), ylabel="fraction of sets")
        ax.set_title(f"{name}: excess kurtosis {kurtosis:.1f}")
        ax.legend(loc="upper right")
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
    """Draw the plane of two coefficients: cells, neighbourhood, and where the supremum is.

    Lines cut the plane into cells. Those that the neighbourhood reaches are shaded, the stronger
    the more the draw's error differs from the sample's.

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
        If the arguments do not fit (see `errlab.training_set.cud_cells`).

    References
    ----------
    Laber and Murphy (2008), Sections 3 and 4.

    Examples
    --------
    >>> Z, view = [[1, -1], [1, 0], [1, 2]], ((-1, 1), (-1, 1))
    >>> ax = plot_cells(Z, [-1, 1, 1], [2, 1, 0], alpha=3, limits=view)
    >>> ax.get_title("left")
    '6 cells, 4 in reach: supremum 0.129'
    """
    cells = cud_cells(Z, y, counts, alpha=alpha)
    reached = cells.gain > 0
    rings = {level: _ring(cells, level) for level in (0.0, 1.0)}
    ax = new_axes(ax, figsize=(4.8, 4.8))
    # cells are cones without an end: cut beyond what the view shows
    far = 3 * float(np.abs(limits).max())
    rim = far * np.stack([np.cos(cells.angles), np.sin(cells.angles)], axis=-1)
    # the tiny number is for a draw that differs from the sample nowhere
    shades = np.abs(cells.deviation) / max(np.abs(cells.deviation).max(), 1e-12)
    for k in np.flatnonzero(reached):
        middle = far * np.array([np.cos(cells.angles[k].mean()), np.sin(cells.angles[k].mean())])
        corners = np.array([[0, 0], rim[k, 0], middle, rim[k, 1]])
        ax.fill(*corners.T, color=VERMILION, alpha=0.05 + 0.5 * float(shades[k]), lw=0)
    # out and back: one line for all, light on the page
    spokes = np.zeros((len(rim), 2, 2))
    spokes[:, 0] = rim[:, 0]
    ax.plot(*spokes.reshape(-1, 2).T, color="0.55", lw=0.6)
    ax.plot(*rings[0.0].T, color=BLUE, label="g = 0")
    if len(rings[1.0]):
        ax.plot(*rings[1.0].T, color=BLUE, ls="--", lw=1.3, label="g = 1")
    best = int(cells.value.argmax())
    for point, name, sign, colour in (
        (cells.fit, "fit to all examples", "o", GREEN),
        (cells.centre, "fit to the draw", "s", PURPLE),
        (cells.nearest[best], "supremum", "*", "0.2"),  # the ink of the page: it lies on any shade
    ):
        ax.plot(*point, sign, color=colour, label=name, ms=15 if sign == "*" else 7, mec="white")
    ax.set(
        xlim=limits[0], ylim=limits[1], xlabel="intercept", ylabel="slope",
        title=f"{len(reached)} cells, {reached.sum()} in reach: supremum {cells.value.max():.3f}",
    )  # fmt: skip
    ax.grid(False)
    ax.figure.legend(loc="outside lower center", ncols=3, fontsize=8.5, columnspacing=1)
    return ax


def _ring(cells: Any, level: float) -> FloatArray:
    """Points where g equals `level`: an ellipse around the draw's own fit."""
    step = cells.fit - cells.centre
    reach = step @ cells.loss @ step + (1 - level) / cells.alpha
    turn = np.linspace(0, 2 * np.pi, 73)
    circle = np.sqrt(reach) * np.stack([np.cos(turn), np.sin(turn)])
    ring = cells.centre + np.linalg.solve(np.linalg.cholesky(cells.loss).T, circle).T
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
    '1 of 2 intervals contain the true error'
    """
    error = float(checks.mean(truth, "truth"))
    ax = new_axes(ax)
    for row, (key, (low, high)) in enumerate(intervals.items()):
        style = interval_look(key) | {"linestyle": "-" if low <= error <= high else ":"}
        ax.plot([low, high], [row, row], lw=2.5, label=INTERVALS[key].name, clip_on=False, **style)
    ax.axvline(error, color="black", lw=1.4, label="true error")
    ax.xaxis.set_major_formatter("{x:.0%}")
    names = [f"{INTERVALS[key].name} ({key})" for key in intervals]
    ax.set_yticks(range(len(names)), names, fontsize=8.5)
    held = sum(low <= error <= high for low, high in intervals.values())
    ax.set(
        xlim=(0, 1), ylim=(len(names) - 0.4, -0.6), xlabel="error of the classifier",
        title=f"{held} of {len(names)} intervals contain the true error",
    )  # fmt: skip
    ax.grid(False, axis="y")
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
            # the same draws for each alpha, so that the curve shows alpha alone
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
