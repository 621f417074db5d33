"""Plots of the bounds: against the size of the test set, against its error, side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import scipy
from matplotlib.axes import Axes

from errlab import checks
from errlab.bounds import BOUNDS, interval, upper
from errlab.style import Look, curve, new_axes, styled
from errlab_book.plots._shared import bound_look
from errlab_book.plots.paper import ACCENT, BODY, INK, headline, paper, write
from errlab_book.tables import outward

# an upper bound as a reader writes it: a function of errors, n and delta
Bound = Callable[[int, int, float], float]
MEAN_LABEL = "error rate on the test set"


def binomial_probability(errors: int, n: int, p: float) -> float:
    """Return the probability of this number of errors among n examples at an error rate of p."""
    return float(scipy.stats.binom.pmf(errors, n, p))


LOSS_LABEL = "mean loss on the test set"
UPPER_LABEL = "upper bound for the true error"


def _legend(ax: Axes, keys: Sequence[str], last: str) -> None:
    """Put the legend inside; with many curves use short names in a strip below the axes."""
    if len(keys) <= 4:
        ax.legend()
        return
    names = [*keys, last]
    ax.figure.legend(ax.lines, names, loc="outside lower center", ncols=4, columnspacing=1.2)


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
    # a bound may be 0, and a line on the axis is hard to see
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
    >>> ax.get_title(loc="left")
    'n = 10'
    """
    size = checks.one_count(n)
    # as in the survey, because nobody uses a classifier that is wrong more than half of the time
    means = np.linspace(0, 0.5, 101)
    ax = new_axes(ax)
    for key in keys:
        values = upper(key, means, size, delta=delta)
        curve(ax, means, values, label=f"{BOUNDS[key].name} ({key})", look=bound_look(key))
    ax.plot(means, means, color="0.5", lw=1, label="the test error itself")
    # if any of the bounds is for counts, the axis is an error rate
    counts = any(BOUNDS[key].loss == "binary" for key in keys)
    ax.set(xlabel=MEAN_LABEL if counts else LOSS_LABEL, ylabel=UPPER_LABEL)
    ax.set(ylim=(0, None), title=f"n = {size}")
    _legend(ax, keys, "mean")
    return ax


@styled
def plot_intervals(
    errors: int,
    n: int,
    *,
    delta: float = 0.05,
    by: Mapping[str, Bound] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the two-sided interval of each bound, and the part that the normal approximation omits.

    Parameters
    ----------
    errors, n : int
        Errors made and examples tested; ``errors <= n``.
    delta : float
        Probability that the interval may miss the true error, in (0, 1).
    by : dict, optional
        Upper bounds by key, ``bound(errors, n, delta)``, that replace those of errlab.

    Raises
    ------
    ValueError, TypeError
        If there are more errors than examples, or an argument is out of range.

    Examples
    --------
    >>> ax = plot_intervals(1, 20)
    >>> " ".join(ax.get_title(loc="left").split())
    'The normal approximation stops 10 points too early'
    """
    made, size = checks.one_result(errors, n)
    rate = made / size
    ax = ax or paper(350, 300)
    # if there are few errors, between the smallest and the largest upper end; the same in each
    # frame
    keys = ("NOR", "JEF", "WIL", "BLA", "CP", "AC")
    ends: dict[str, tuple[float, float]] = {}
    for key in keys:
        formula = by.get(key) if by else None
        low, high = interval(key, rate, size, delta=delta)
        ends[key] = two_ends(formula, made, size, delta) if formula else (low, high)
    right = max(high for _, high in ends.values())
    digits = ".0%" if right > 0.1 else ".1%"
    for row, key in enumerate(keys):
        low, high = ends[key]
        main = key in ("CP", "NOR")
        look: Look = {"alpha": 0.8 if main else BODY, "label": BOUNDS[key].name}
        ax.hlines(row, low, high, color=INK, lw=8, **look)
        ax.plot(
            rate, row, "|", color="#ffffff", ms=8, mew=2, label="seen"
        )  # a notch at the observed rate
        style: Look = {"weight": "bold" if main else "normal"}
        end = outward(high, spec=digits)  # rounded as for claims
        if key == "NOR":
            _left_out(ax, row, ends["NOR"], ends["CP"])
            words = f"{BOUNDS[key].name}, up to {end}"
        else:
            write(ax, end, (high, row), **style)
            words = BOUNDS[key].name + (", proven" if BOUNDS[key].rigorous else "")
        write(ax, words, (0, row), (0, 15), **style)
    ax.set(xlim=(0, 1.1 * right), ylim=(len(keys) - 0.5, -0.9), yticks=[], xlabel="true error")
    ax.xaxis.set_major_formatter("{x:.0%}" if right > 0.03 else "{x:.1%}")
    ax.locator_params(axis="x", nbins=6)
    plural = "" if made == 1 else "s"
    headline(
        ax,
        _missing(ends["NOR"], ends["CP"]),
        f"{100 * (1 - delta):g}% intervals after {made} error{plural} in {size} examples (notch)",
    )
    return ax


def two_ends(bound: Bound, errors: int, n: int, delta: float) -> tuple[float, float]:
    """Return an interval made of two upper bounds, one for the errors and one for the successes."""
    # each side has half of the risk; a formula may leave [0, 1], or its end may equal the observed
    # rate
    low = 1 - min(bound(n - errors, n, delta / 2), 1.0)
    return low, min(bound(errors, n, delta / 2), 1.0)


def _left_out(ax: Axes, row: int, short: tuple[float, float], full: tuple[float, float]) -> None:
    """Mark the larger part of one interval that isn't in the other."""
    low, high = short[0] - full[0], full[1] - short[1]
    if max(low, high) < 0.005:  # the title would round this to 0 points
        return
    start, end = (short[1], full[1]) if high >= low else (short[0], full[0])
    ax.plot([start, end], [row, row], ":|", color=ACCENT, lw=3, ms=12, mew=2, label="left out")
    ax.plot(start, row, "s", color=ACCENT, ms=8, clip_on=False)


def _missing(short: tuple[float, float], full: tuple[float, float]) -> str:
    """Say which part of a proven interval the normal approximation omits."""
    low, high = short[0] - full[0], full[1] - short[1]
    name = "The normal approximation"
    if short[0] == short[1]:
        return f"{name} leaves no room for any other error"
    points = round(100 * max(low, high))
    if points < 1:
        return f"{name} ends within a point of Clopper-Pearson's"
    phrase = "stops {} too early" if high >= low else "starts {} too high"
    return f"{name} {phrase.format(f'{points} point' + 's' * (points > 1))}"


@styled
def plot_tail(
    errors: int,
    n: int,
    error: float,
    *,
    upto: int | None = None,
    finding: str = "",
    note: str = "",
    chance: Callable[[int, int, float], float] = binomial_probability,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw the probability of each number of errors at one true error, and hatch the tail.

    The hatched bars are the counts of at most `errors`. The Clopper-Pearson bound is the true
    error at which they sum to delta.

    Parameters
    ----------
    errors, n : int
        Errors made and examples tested; ``errors <= n``.
    error : float
        A true error to try, in [0, 1].
    upto : int, optional
        Where the axis ends, so that several true errors can be compared.
    finding : str
        The title, where it should not be how often so few errors come.
    note : str
        What is said after the probability of the hatched bars.
    chance : callable
        ``chance(k, n, error)``, the probability of k errors.

    Raises
    ------
    ValueError, TypeError
        If there are more errors than examples or an argument is out of range.

    References
    ----------
    Anguita et al., survey, Eqs. 23 to 25.

    Examples
    --------
    >>> " ".join(plot_tail(7, 200, 0.06).get_title(loc="left").split())
    'At a true error of 6%, 7 errors or fewer come 8.3% of the time'
    """
    made, size = checks.one_result(errors, n)
    rate = float(checks.mean(error, "error"))
    # four standard deviations around the mean, and the observed count
    spread = 4 * np.sqrt(size * rate * (1 - rate)) + 1
    last = min(size, upto or int(max(size * rate + spread, made + 3)))
    counts = np.arange(last + 1)
    likely = np.array([chance(k, size, rate) for k in counts.tolist()])
    tail = counts <= made
    ax = ax or paper(350, 250)
    event = f"{made} errors or fewer" if made else "no error"
    hatched: Look = {"color": ACCENT, "hatch": "///", "edgecolor": "#ffffff", "label": event}
    ax.bar(counts[tail], likely[tail], 0.86, lw=0, **hatched)
    ax.bar(counts[~tail], likely[~tail], 0.86, color=INK, alpha=BODY, lw=0, label="more")
    top = likely.max() / 0.78
    ax.set(xlim=(-0.7, last + 0.7), ylim=(0, top), yticks=[])
    ax.set_xlabel(f"errors in {size} test examples")
    # a bracket over the bars that are summed, at the same height for every true error
    ax.plot([-0.43, made + 0.43], [0.86 * top] * 2, color=ACCENT, lw=3, solid_capstyle="butt")
    probability = likely[tail].sum()
    percentage = f"{probability:.1%}" if probability >= 0.0005 else "below 0.1%"
    words = f"{event.replace(' errors', '')}: {percentage}{note}"
    write(ax, words, (-0.43, 0.86 * top), (0, 11), weight="bold")
    often = f"{percentage} of the time" if probability >= 0.0005 else "hardly ever"
    comes = f"{event} come{'' if made else 's'} {often}"
    finding = finding or f"At a true error of {100 * rate:g}%, {comes}"
    headline(ax, finding, "Probability of each count")
    return ax
