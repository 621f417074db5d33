"""Plots of the bounds: against the size of the test set, against its error, side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from scipy import stats

from errlab._core import checks
from errlab._style import curve, new_axes, styled
from errlab.book.plots._shared import HATCHED, PLAIN, bound_look, say_beside
from errlab.book.tables import outward
from errlab.bounds import BOUNDS, interval, upper

MEAN_LABEL = "error rate on the test set"
LOSS_LABEL = "mean loss on the test set"
UPPER_LABEL = "upper bound for the true error"


def _legend(ax: Axes, keys: Sequence[str], last: str) -> None:
    """Put the legend inside; with many curves short names, in a strip above them."""
    if len(keys) <= 4:
        ax.legend()
        return
    # four names a row, that of the test error among them
    rows = -(-(len(keys) + 1) // 4)
    ticks = ax.get_yticks()
    high = ax.get_ylim()[1]
    ax.set_ylim(0, (1 + 0.1 * rows) * high)
    ax.set_yticks(ticks[(ticks >= 0) & (ticks <= high)])
    ax.legend(ax.lines, [*keys, last], loc="upper center", ncols=4, columnspacing=1.2)


@styled
def plot_upper_against_n(
    keys: Sequence[str], *, mean: float, delta: float = 0.05, ax: Axes | None = None
) -> Axes:
    """Draw upper bounds against the size of the test set, at one error rate.

    Parameters
    ----------
    keys : sequence of str
        The bounds.
    mean : float
        Error rate on the test set, in [0, 1].
    delta : float
        Probability that the bound may fail, in (0, 1).

    Raises
    ------
    ValueError, TypeError
        If a key is unknown or an argument is out of range.

    References
    ----------
    Anguita et al., survey, Figures 1, 2, 9, 10, 17 and 18.

    Examples
    --------
    >>> ax = plot_upper_against_n(["NOR", "CP"], mean=0.25)
    >>> [line.get_label() for line in ax.lines]
    ['Normal approximation (NOR)', 'Clopper-Pearson (CP)', 'test error, 25%']
    """
    # the sizes of the survey
    sizes = np.arange(10, 201)
    ax = new_axes(ax)
    for key in keys:
        values = upper(key, mean, sizes, delta=delta)
        curve(ax, sizes, values, label=f"{BOUNDS[key].name} ({key})", look=bound_look(key))
    ax.axhline(mean, color="0.5", lw=1, label=f"test error, {mean:.0%}")
    ax.set(xlabel="test examples n", ylabel=UPPER_LABEL, ylim=(0, None))
    _legend(ax, keys, f"mean {mean:.0%}")
    # a bound may be 0, too, and a line on the axis is not seen
    if mean == 0:
        ax.set_ylim(-0.04 * ax.get_ylim()[1], None)
    return ax


@styled
def plot_upper_against_mean(
    keys: Sequence[str], *, n: int, delta: float = 0.05, ax: Axes | None = None
) -> Axes:
    """Draw upper bounds against the error rate on the test set, at one size.

    Parameters
    ----------
    keys : sequence of str
        The bounds.
    n : int
        Size of the test set, at least 1.
    delta : float
        Probability that the bound may fail, in (0, 1).

    Raises
    ------
    ValueError, TypeError
        If a key is unknown or an argument is out of range.

    References
    ----------
    Anguita et al., survey, Figures 3, 4, 11, 12, 19 and 20.

    Examples
    --------
    >>> ax = plot_upper_against_mean(["WIL"], n=10)
    >>> ax.get_title()
    'n = 10'
    """
    size = checks.one_count(n)
    # as in the survey: above one half nobody would want the classifier
    means = np.linspace(0, 0.5, 101)
    ax = new_axes(ax)
    for key in keys:
        values = upper(key, means, size, delta=delta)
        curve(ax, means, values, label=f"{BOUNDS[key].name} ({key})", look=bound_look(key))
    ax.plot(means, means, color="0.5", lw=1, label="the test error itself")
    # one bound for counts makes the axis an error rate
    counts = any(BOUNDS[key].loss == "binary" for key in keys)
    ax.set(xlabel=MEAN_LABEL if counts else LOSS_LABEL, ylabel=UPPER_LABEL)
    ax.set(ylim=(0, None), title=f"n = {size}")
    _legend(ax, keys, "mean")
    return ax


@styled
def plot_intervals(errors: int, n: int, *, delta: float = 0.05, ax: Axes | None = None) -> Axes:
    """Draw the two-sided interval of each bound under another, for one test result.

    Parameters
    ----------
    errors, n : int
        Errors made and examples tested; ``errors <= n``.
    delta : float
        Probability that the interval may miss the true error, in (0, 1).

    Raises
    ------
    ValueError, TypeError
        If there are more errors than examples, or an argument is out of range.

    Examples
    --------
    >>> ax = plot_intervals(7, 200)
    >>> ax.get_title()
    '7 errors in 200 test examples'
    """
    made, size = checks.one_result(errors, n)
    ax = new_axes(ax)
    names = [k for k, b in BOUNDS.items() if b.loss == "binary" and b.needs != "losses"]
    right = 0.0
    for row, key in enumerate(names):
        low, high = interval(key, made / size, size, delta=delta)
        right = max(right, high)
        signs = bound_look(key) | {"linestyle": "-"}
        ax.plot([low, high], [row, row], label=BOUNDS[key].name, lw=2.5, **signs)
        say_beside(ax, outward(low, high), (high, row))
    ax.axvline(made / size, color="0.5", lw=1, label=MEAN_LABEL)
    ax.set_yticks(range(len(names)), [BOUNDS[key].name for key in names])
    ax.set_ylim(len(names) - 0.4, -0.6)
    end = next(end for end in (0.1, 0.25, 0.5, 1.0) if right <= end)
    # room for the numbers
    ax.set_xlim(0, 1.5 * end)
    ax.set_xticks(np.linspace(0, end, 6))
    plural = "" if made == 1 else "s"
    ax.set(xlabel="true error", title=f"{made} error{plural} in {size} test examples")
    ax.grid(False, axis="y")
    return ax


@styled
def plot_tail(errors: int, n: int, error: float, *, ax: Axes | None = None) -> Axes:
    r"""Draw how likely each number of errors is at one true error, and shade the tail.

    The shaded bars are the counts of at most `errors`. The Clopper-Pearson bound is the true
    error at which they sum to delta.

    Parameters
    ----------
    errors, n : int
        Errors made and examples tested; ``errors <= n``.
    error : float
        A true error to try, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If there are more errors than examples or an argument is out of range.

    References
    ----------
    Anguita et al., survey, Eqs. 23 to 25.

    Examples
    --------
    >>> plot_tail(7, 200, 0.06).get_title()
    'true error 6.0%: at most 7 errors\nwith probability 8.3%'
    """
    made, size = checks.one_result(errors, n)
    rate = float(checks.mean(error, "error"))
    ax = new_axes(ax)
    # four standard deviations, and the observed count in any case
    spread = 4 * np.sqrt(size * rate * (1 - rate)) + 1
    counts = np.arange(0, min(size, int(max(size * rate + spread, made + 3))) + 1)
    chance = stats.binom.pmf(counts, size, rate)
    tail = counts <= made
    few = f"at most {made} error{'' if made == 1 else 's'}"
    ax.bar(counts[tail], chance[tail], label=few, **HATCHED)
    ax.bar(counts[~tail], chance[~tail], label="more", **PLAIN)
    probability = stats.binom.cdf(made, size, rate)
    ax.set(
        xlabel=f"errors in {size} test examples",
        ylabel="probability",
        title=f"true error {rate:.1%}: {few}\nwith probability {probability:.1%}",
    )
    ax.legend()
    return ax
