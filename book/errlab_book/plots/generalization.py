"""Plots of the distribution of the generalization error, after Larsen and Hansen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from errlab import checks, generalization
from errlab.checks import FloatArray
from errlab.style import BLUE, GREEN, VERMILION, curve, look, new_axes, styled
from errlab_book.optimal_split import optimal_fraction, split_mse
from errlab_book.plots.paper import headline


def _shares(errors: FloatArray, grid: FloatArray) -> FloatArray:
    """Return the fraction of log(1 + error) up to each point of the grid, along the last axis."""
    ordered = np.sort(np.atleast_2d(np.log1p(errors)), axis=1)
    counts = [np.searchsorted(row, grid, "right") for row in ordered]
    return np.asarray(np.array(counts) / ordered.shape[1])


@styled
def plot_error_distribution(
    true: ArrayLike, estimated: ArrayLike, *, bound: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the true distribution of log(1 + G), and empirical ones from leave-out resampling.

    Parameters
    ----------
    true : array_like, shape (Q,)
        True generalization errors of Q training sets, at least 0.
    estimated : array_like, shape (J,) or (q, J)
        Leave-out errors of one training set, or of q of them: their median distribution and
        its quartiles are drawn.
    bound : float, optional
        Lower bound of the true error, marked by a vertical line.

    Raises
    ------
    ValueError, TypeError
        If an error is negative or not finite.

    References
    ----------
    Larsen & Hansen, Figure 1, left panel.

    Examples
    --------
    >>> ax = plot_error_distribution([30.0, 40.0, 90.0], [20.0, 50.0, 60.0], bound=30.0)
    >>> [line.get_label() for line in ax.lines]
    ['true', 'leave-out', 'lower bound']
    """
    truth = checks.within(true, "true", 0, ndim=1)
    errors = checks.within(estimated, "estimated", 0)
    grid = np.linspace(2, 7, 126)
    ax = new_axes(ax)
    curve(ax, grid, _shares(truth, grid)[0], label="true", look=look(0))
    shares = _shares(errors, grid)
    if len(shares) == 1:
        curve(ax, grid, shares[0], label="leave-out", look=look(1))
    else:
        # mean over the data sets for each point on the axis
        low, middle, high = np.quantile(shares, [0.25, 0.5, 0.75], axis=0)
        curve(ax, grid, middle, label="leave-out, median", look=look(1))
        dotted = look(1) | {"linestyle": ":", "marker": ""}
        curve(ax, grid, low, label="25% and 75%", look=dotted)
        curve(ax, grid, high, label="_75%", look=dotted)
    if bound is not None:
        at = np.log1p(checks.within(bound, "bound", 0, ndim=0))
        ax.axvline(float(at), color="0.5", lw=1, ls="--", label="lower bound")
    marks = [10, 20, 50, 100, 200, 500, 1000]
    # errors at these values of log(1 + G)
    ax.set_xticks(np.log1p(marks), [str(mark) for mark in marks])
    ax.set(xlabel="error G, on the scale of log(1 + G)", ylabel="fraction of errors below")
    ax.set(xlim=(2, 7), ylim=(0, 1.02))
    ax.legend(loc="lower right")
    return ax


@styled
def plot_error_density(
    errors: ArrayLike, *, bound: float | None = None, largest: float = 250.0, ax: Axes | None = None
) -> Axes:
    """Draw the density of the generalization error, its average, median and 95% quantile.

    Parameters
    ----------
    errors : array_like, shape (Q,)
        True generalization errors, at least 0.
    bound : float, optional
        Lower bound of the error, marked by a vertical line.
    largest : float
        Right end of the view.

    Raises
    ------
    ValueError, TypeError
        If an error is negative or not finite.

    References
    ----------
    Larsen & Hansen, Figure 1, right panel.

    Examples
    --------
    >>> ax = plot_error_density([40.0, 50.0, 90.0], bound=30.0)
    >>> ax.lines[0].get_label()
    'average 60.0'
    """
    sample = checks.within(errors, "errors", 0, ndim=1)
    edges = np.linspace(sample.min() if bound is None else bound, largest, 71)
    density = np.histogram(sample, edges)[0] / len(sample) / np.diff(edges)
    mean, _, median = map(float, generalization.location(sample))
    ax = new_axes(ax)
    ax.stairs(density, edges, fill=True, color=BLUE, alpha=0.35, label="density")
    rare = float(np.quantile(sample, 0.95))
    # the lines end below the legend
    low = {"ymax": 0.52}
    ax.axvline(mean, color=VERMILION, label=f"average {mean:.1f}", **low)
    ax.axvline(median, color="black", ls=":", label=f"median {median:.1f}", **low)
    ax.axvline(rare, color=GREEN, ls="-.", label=f"one in twenty above {rare:.1f}", **low)
    if bound is not None:
        ax.axvline(bound, color="0.5", lw=1.4, ls="--", label=f"lower bound {bound:g}", **low)
    ax.set(xlabel="generalization error G", xlim=(0, largest), yticks=[])
    ax.set_ylim(0, 1.95 * density.max())
    ax.legend(loc="upper right", borderaxespad=0)
    headline(ax, f"Half are below {median:.1f}, but the average is {mean:.1f}")
    return ax


@styled
def plot_deviations(
    ours: Mapping[str, Sequence[float]],
    printed: Mapping[str, Sequence[float]],
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the deviations of Table 1: ends thin, quartiles thick, medians marked; two in a row.

    Parameters
    ----------
    ours, printed : mapping
        Name of a measure to minimum, quartiles and maximum of its deviations, in per cent.

    Raises
    ------
    ValueError, TypeError
        If a row does not hold five finite numbers.

    References
    ----------
    Larsen & Hansen, Table 1.

    Examples
    --------
    >>> ax = plot_deviations({"FPE": [-60, -20, -12, -6, 20]}, {"FPE": [-62, -19, -12, -6, 20]})
    >>> [text.get_text() for text in ax.get_yticklabels()]
    ['FPE']
    """
    ax = new_axes(ax, figsize=(4.8, 1.2 + 0.42 * len(ours)))
    ax.axvline(0, color="0.5", lw=1, label="no deviation")
    for i, (who, table) in enumerate((("ours", ours), ("printed", printed))):
        colour, marker = look(i)["color"], look(i)["marker"]
        for row, name in enumerate(ours):
            values = checks.numbers(table[name], name, ndim=1)
            checks.require(len(values) == 5, name, "hold 5 numbers", len(values))
            # ours is above the middle of the row, the paper's below
            at = row + (0.18 if i else -0.18)
            tag = f"{who}, {name}"
            ax.plot(values[[0, 4]], [at] * 2, color=colour, lw=1, label=f"_range {tag}")
            ax.plot(values[[1, 3]], [at] * 2, color=colour, lw=4, label=f"_quartiles {tag}")
            ax.plot(values[2], at, color=colour, marker=marker, ms=7, mec="white", ls="",
                    label=f"_{tag}" if row else who)  # fmt: skip
    ax.set_yticks(range(len(ours)), list(ours))
    ax.set(ylim=(len(ours) - 0.4, -0.6), xlabel="deviation from the truth, %")
    ax.figure.legend(loc="outside lower center", ncols=3)
    return ax


@styled
def plot_split(
    N: int,
    p: int,
    *,
    kurtosis: float = 3,
    simulated: tuple[ArrayLike, ArrayLike] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the error of a holdout estimate against the fraction held out, and both optima.

    Parameters
    ----------
    N, p : int
        Number of examples, and of weights.
    kurtosis : float
        Kurtosis of the noise, above 1.
    simulated : pair of array_like, optional
        Numbers of training examples, and simulated mean squared errors.

    Raises
    ------
    ValueError, TypeError
        As `errlab_book.optimal_split.optimal_fraction`.

    References
    ----------
    Larsen & Hansen, Eqs. 5 and 6.

    Examples
    --------
    >>> plot_split(100, 5).get_title("left")
    'best share 0.69, by the formula 0.68'
    """
    best = optimal_fraction(N, p, kurtosis=kurtosis, method="exact")
    formula = optimal_fraction(N, p, kurtosis=kurtosis)
    train = np.unique(np.linspace(p + 4, N - 1, 120).astype(int))
    root = np.sqrt(split_mse(N, p, train, kurtosis=kurtosis))
    low = np.sqrt(split_mse(N, p, round((1 - best) * N), kurtosis=kurtosis))
    ax = new_axes(ax)
    curve(ax, 1 - train / N, root, label="exact", look=look(0))
    if simulated is not None:
        n_train, mse = (np.asarray(a, float) for a in simulated)
        ax.plot(
            1 - n_train / N, np.sqrt(mse), label="simulated", **look(2) | {"linestyle": ""}, ms=8
        )
    ax.plot(best, low, ls="", marker="*", ms=14, color=VERMILION, label="exact optimum")
    ax.axvline(formula, ymax=0.7, color="0.5", ls="--", lw=1, label="asymptotic optimum")
    ax.set(
        yscale="log", xlim=(0, 1), xlabel="share held out", ylabel="uncertainty / noise variance"
    )
    # ticks outside of the view would enlarge it
    view = ax.get_ylim()
    ticks = [0.05, 0.1, 0.2, 0.5, 1, 2, 5]
    ax.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.minorticks_off()
    ax.set_ylim(view)
    ax.set_title(f"best share {best:.2f}, by the formula {formula:.2f}")
    # beside the curve
    ax.legend(loc="upper left", bbox_to_anchor=(0.05, 1), fontsize=8.5)
    return ax


@styled
def plot_probabilities(true: ArrayLike, estimated: ArrayLike, *, ax: Axes | None = None) -> Axes:
    """Draw estimated against true probabilities that the reduced model is the worse one.

    Parameters
    ----------
    true, estimated : array_like, shape (m,)
        Probabilities, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If a probability leaves [0, 1] or the lengths differ.

    Examples
    --------
    >>> plot_probabilities([0.3, 0.9], [0.4, 0.7]).get_xlabel()
    'true probability'
    """
    x = checks.within(true, "true", 0, 1, ndim=1)
    y = checks.within(estimated, "estimated", 0, 1)
    checks.same_length(true=x, estimated=y)
    ends = np.array([0.0, 1.0])
    ax = new_axes(ax)
    ax.plot(ends, ends, color="0.5", lw=1, label="right")
    ax.plot(ends, 0.8 * ends, color="0.5", lw=1, ls="--", label="20% too low")
    ax.plot(x, y, label="systems", **look(0) | {"linestyle": ""})
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="true probability", ylabel="estimate, median")
    ax.legend(loc="upper left")
    return ax
