"""Plots of comparisons: on counts, disagreements and power; on folds, a posterior and a study."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

import numpy as np
import scipy
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from errlab import checks, compare
from errlab.results import Interval, Posterior
from errlab.style import styled
from errlab_book.plots.paper import (
    ACCENT,
    BODY,
    FAINT,
    INK,
    SOFT,
    headline,
    name_line,
    paper,
    spread,
    write,
)  # fmt: skip

METHODS = ("exact", "mid-p", "z", "chi2-corrected")
RARE: dict[str, Any] = {"facecolor": ACCENT, "hatch": "////", "edgecolor": "#ffffff", "lw": 0.5}


@styled
def plot_discordant(
    n01: int, n10: int, *, pvalue: Callable[[int, int], float] | None = None, ax: Axes | None = None
) -> Axes:
    r"""Draw how two equal classifiers' discordant examples may split, and shade the rare ends.

    Each of the n01 + n10 examples is then like a fair coin. The shaded bars are the differences at
    least as far from 0 as the observed one: the exact p-value of McNemar's test.

    Parameters
    ----------
    n01, n10 : int
        Examples that A gets wrong and B right, and the other way round; not both 0.
    pvalue : callable, optional
        ``pvalue(n01, n10)`` for the title, such as a reader's own; by default McNemar's exact one.

    Raises
    ------
    ValueError, TypeError
        If a count is negative or not whole, or A and B never disagree.

    References
    ----------
    Lecture notes, "Comparison of two algorithms on the same test set".

    Examples
    --------
    >>> plot_discordant(9, 0).get_title("left")
    'Equal models differ by 9\nor more 0.4% of the time'
    """
    a = checks.one_count(n01, "n01", 0)
    b = checks.one_count(n10, "n10", 0)
    m = checks.one_count(a + b, "n01 + n10")
    # four standard deviations of the count, which is binomial with p = 1/2
    spread = int(2 * np.sqrt(m)) + 2
    low = max(0, min(m // 2 - spread, a, b))
    high = min(m, max(m // 2 + spread, a, b))
    counts = np.arange(low, high + 1)
    # one more example on one side changes the difference by two
    gap = 2 * counts - m
    chance = scipy.stats.binom.pmf(counts, m, 0.5)
    rare = np.abs(gap) >= abs(a - b)
    ax = ax or paper(350, 250)
    ax.bar(gap[~rare], chance[~rare], width=1.7, color=INK, alpha=BODY, lw=0)
    ax.bar(gap[rare], chance[rare], width=1.7, **RARE)
    top = 1.3 * chance.max()
    # from the top of the bar upwards, so that the line doesn't cross the bar
    ax.plot([a - b] * 2, [chance[counts == a][0], 0.95 * top], color=INK, lw=1.2)
    ends: dict[str, Any] = {"ha": "right", "shift": (-5, 0)} if a < b else {}
    write(ax, f"yours: {a} − {b}", (a - b, 0.93 * top), weight="bold", **ends)
    ax.set(xlabel="errors of A minus errors of B", yticks=[], ylim=(0, top))
    often = _per_cent(compare.mcnemar(a, b).pvalue if pvalue is None else pvalue(a, b))
    headline(
        ax, f"Equal models differ by {abs(a - b)} or more {often} of the time",
        f"How {m} disagreements fall by chance; hatched: {abs(a - b)} or more apart",
    )  # fmt: skip
    return ax


@styled
def plot_mcnemar_size(n: int, *, disagree: ArrayLike, ax: Axes | None = None) -> Axes:
    """Draw the type I error of McNemar's test, exact and z, against how often A and B disagree.

    It takes two of `METHODS`: mid-p lies between these, and chi2-corrected follows the exact test.

    Parameters
    ----------
    n : int
        Test examples.
    disagree : array_like
        Probabilities that exactly one of the two is wrong.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range.

    References
    ----------
    Fagerland, Lydersen and Laake, BMC Medical Research Methodology 13:91 (2013).

    Examples
    --------
    >>> ax = plot_mcnemar_size(50, disagree=[0.1, 0.2])
    >>> [line.get_label() for line in ax.lines]
    ['the level', 'exact', 'z', 'above it']
    """
    size = checks.one_count(n)
    rates = checks.mean(disagree, "disagree")
    ax = ax or paper(350, 280)
    ax.axhline(5, color=INK, lw=1, alpha=BODY, ls="--", label="the level")
    # without a true difference, the power is the type I error
    exact, z = (100 * _power(0.0, rates, method, size) for method in ("exact", "z"))
    ax.plot(100 * rates, exact, color=INK, lw=2, label="exact")
    ax.plot(100 * rates, z, color=ACCENT, lw=2, label="z")
    above = z > 5
    ax.plot(
        100 * rates[above],
        z[above],
        "s",
        color=ACCENT,
        ms=6,
        mew=0,
        label="above it",
        clip_on=False,
        # relative to the picture's width, because markers would overlap on the right side
        markevery=0.02,
    )
    # names at the ends of lines, moved apart; if lines meet, z is on top
    places = spread([exact[-1], z[-1]], 1.2)
    for name, values, place in zip(("exact", "z"), (exact, z), places, strict=True):
        upper_limit = np.ceil(10 * values.max()) / 10
        weight = "bold" if name == "z" else "normal"
        write(
            ax,
            f"{name}: up\nto {upper_limit:.1f}%",
            (100 * rates[-1], place),
            (9, 0),
            weight=weight,
        )
    write(ax, "5% allowed", (100 * rates[0], 5), (0, 8), alpha=SOFT)
    ticks = [1, 3, 10, 30, 100]
    ax.set(xscale="log", xlabel="examples on which A and B disagree", ylim=(0, None))
    ax.set_xticks(ticks, [f"{tick}%" for tick in ticks])
    ax.minorticks_off()
    ax.yaxis.set_major_formatter("{x:g}%")
    liberal = f"With {size} examples the z-test can exceed its 5%, but not the exact test"
    headline(
        ax, liberal if above.any() else f"With {size} examples both tests keep to their 5%",
        "How often equal classifiers are called different",
    )  # fmt: skip
    return ax


@styled
def plot_power(
    n: int,
    disagree: float,
    methods: Sequence[str],
    *,
    error: float,
    differences: ArrayLike,
    marked: float = 0.03,
    power: Callable[..., float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw how often each test finds a difference, against the true difference.

    At the left end, where the models are equal, this is the type I error.

    Parameters
    ----------
    n : int
        Test examples.
    disagree : float
        Probability that exactly one of A and B is wrong, in (0, 1].
    methods : sequence of str
        Methods of `errlab.compare.mcnemar`.
    error : float
        True error of B, for the curve of two test sets of n examples, one for each.
    differences : array_like
        True differences, at most `disagree`.
    marked : float
        The difference that the title tells of.
    power : callable, optional
        A reader's own ``power(n, only_a, only_b)`` on one test set, in place of errlab's.

    Raises
    ------
    ValueError, TypeError
        If a method is unknown or an argument is out of range.

    Examples
    --------
    >>> ax = plot_power(200, 0.1, ["mid-p"], error=0.15, differences=[0, 0.05])
    >>> [line.get_label() for line in ax.lines]
    ['mid-p', 'two test sets', 'marked']
    """
    size = checks.one_count(n)
    rate = float(checks.mean(disagree, "disagree"))
    gaps = checks.mean(differences)
    power_at_mark = float(checks.mean(marked, "marked"))

    def apart(difference: Any) -> Any:
        return compare.two_proportions_power(error + difference, size, error, size)

    def together(difference: Any, method: str) -> Any:
        if power is None:
            return _power(difference, rate, method, size)
        ends = (rate + np.ravel(difference)) / 2, (rate - np.ravel(difference)) / 2
        return np.array([power(size, a, b) for a, b in zip(*ends, strict=True)])

    ax = ax or paper(350, 280)
    lines = {method: 100 * together(gaps, method) for method in methods}
    lines["two test sets"] = 100 * np.array([apart(gap) for gap in gaps])
    drawn = [
        ax.plot(100 * gaps, values, label=name, color=INK, ls=dash, alpha=SOFT)[0]
        for (name, values), dash in zip(lines.items(), ("-", "--", "-.", ":"), strict=False)
    ]
    # a name needs about a fourteenth of the height
    places = _beside([values[-1] for values in lines.values()], 7.5)
    for line, place in zip(drawn, places, strict=True):
        name = str(line.get_label())
        # with a single method, the name says what differs: one test set or two
        alone = name != "two test sets" and len(methods) == 1
        write(ax, "one test set" if alone else name, (100 * gaps[-1], place))
    one, two = np.ravel(together(power_at_mark, methods[-1])).item(), float(apart(power_at_mark))
    ax.plot(
        [100 * power_at_mark] * 2, [100 * two, 100 * one], "s:", color=ACCENT, ms=8, label="marked"
    )
    if abs(one - two) > 0.05:  # if the squares touch, only the title has the numbers
        up = 6 if one > two else -6
        write(
            ax, f"{one:.0%}", (100 * power_at_mark, 100 * one), (-9, up), ha="right", weight="bold"
        )
        write(ax, f"{two:.0%}", (100 * power_at_mark, 100 * two), (9, -up), weight="bold")
    ax.set(xlabel="true difference, points", ylim=(-3, 104), yticks=[0, 25, 50, 75, 100])
    ax.set(xlim=(0, 100 * gaps[-1]))
    ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    ax.yaxis.set_major_formatter("{x:g}%")
    headline(
        ax,
        f"{100 * power_at_mark:g} points are found {one:.0%} of the time on one test "
        f"set, {two:.0%} on two",
        f"How often a true difference is found: {size:,} examples, disagreement on {rate:.0%}",
    )  # fmt: skip
    return ax


@styled
def plot_pair_sample_size(
    disagree: Sequence[float], differences: ArrayLike, *, ax: Axes | None = None
) -> Axes:
    """Draw how many test examples McNemar's test needs, against the true difference.

    Parameters
    ----------
    disagree : sequence of float
        Probabilities that exactly one of A and B is wrong: a curve for each.
    differences : array_like
        True differences, above 0. A curve leaves out those that are too large for it.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range.

    Examples
    --------
    >>> ax = plot_pair_sample_size([0.1], [0.05, 0.1])
    >>> ax.lines[0].get_ydata().tolist()
    [305, 66]
    """
    gaps = checks.within(differences, "differences", 0, 1, open_low=True)
    ax = ax or paper(350, 340)

    def needed(gap: float, rate: float) -> int:
        return compare.sample_size(partial(_power, gap, rate, "mid-p"))

    for rate in disagree:
        # two classifiers can't differ by more than they disagree
        possible = gaps[gaps <= rate]
        name = f"disagree on {rate:.0%}"
        dots: dict[str, Any] = {"marker": "o", "ms": 4, "color": INK, "alpha": BODY}
        line = ax.plot(100 * possible, [needed(gap, rate) for gap in possible], label=name, **dots)[
            0
        ]
        # to the left of the line's end, where no other line is
        name_line(ax, line, name, shift=(-7, -6), ha="right")
    ticks = [tick for tick in (1, 1.5, 2, 3, 5, 10, 20, 50) if min(gaps) <= tick / 100 <= max(gaps)]
    ax.set(xscale="log", yscale="log", xlabel="true difference, points")
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.set_ylim(0.6 * ax.get_ylim()[0])  # room for the last name
    # on the line in the middle, mark the finding: the smallest difference, and twice that
    middle, half = sorted(disagree)[len(disagree) // 2], min(gaps)
    edge = ax.get_xlim()
    rows, finding = [10, 30, 100, 300, 1000, 3000, 10_000], "Small differences need many examples"
    if 2 * half <= middle:
        large_gap, many = needed(2 * half, middle), needed(half, middle)
        for count, gap in ((large_gap, 200 * half), (many, 100 * half)):
            ax.plot([edge[0], gap], [count] * 2, ":", color=ACCENT, lw=1.4)
            ax.plot(gap, count, "s", color=ACCENT, ms=9)
            # remove ticks that would touch the number
            rows = [row for row in rows if not 0.62 < row / count < 1.6]
        rows += [large_gap, many]
        times = {4: "four", 5: "five"}.get(round(many / large_gap), f"{many / large_gap:.1f}")
        finding = f"Half the difference needs about {times} times the examples"
    ax.set_xlim(edge)
    low, high = ax.get_ylim()
    rows = sorted(row for row in rows if low <= row <= high)
    ax.set_yticks(rows, [f"{row:,}" for row in rows])
    ax.minorticks_off()
    headline(ax, finding, "Test examples that find a difference 80% of the time")
    return ax


@styled
def plot_posterior(
    differences: ArrayLike,
    *,
    n_train: int,
    n_test: int,
    rope: float = 0.01,
    posterior: tuple[float, float, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    r"""Draw the posterior of the Bayesian correlated t-test, with its three regions.

    Parameters
    ----------
    differences : array_like, shape (J,)
        Error of A minus error of B on each split; not all equal.
    n_train, n_test : int
        Sizes of the training and the test part of each split.
    rope : float
        Differences from -rope to rope count as equivalent in practice.
    posterior : tuple of float, optional
        Probabilities of A better, equivalent and B better, by a reader's own function.

    Raises
    ------
    ValueError, TypeError
        If the differences are all equal or an argument is out of range.

    References
    ----------
    Corani and Benavoli, Machine Learning 100 (2015), 285-304.

    Examples
    --------
    >>> ax = plot_posterior([0.02, 0.05, 0.01, 0.04, 0.03], n_train=90, n_test=10)
    >>> [text.get_text() for text in ax.texts][:3]
    ['A better\n0.5%', 'equivalent\n3.8%', 'B better\n96%']
    """
    array = checks.numbers(differences, "differences", ndim=1)
    result = compare.bayesian_correlated_t(array, n_train=n_train, n_test=n_test, rope=rope)
    low, high = cast(Interval, result.interval)
    checks.require(low < high, "differences", "not all be equal", array[0])
    df = len(array) - 1
    # half the width of the central interval gives the posterior's scale
    scale = (high - low) / 2 / scipy.stats.t.isf(result.delta / 2, df)
    # show most of the posterior, and the region that counts as equal
    edge = max(4.5 * scale + abs(result.estimate), 1.2 * rope)
    x = np.linspace(-edge, edge, 161)
    ax = ax or paper(350, 260)
    density = scipy.stats.t.pdf(x, df, result.estimate, scale)
    ax.plot(100 * x, density, color=INK, lw=1.5)
    a, same, b = posterior or cast(Posterior, result.posterior)
    plain: dict[str, Any] = {"color": INK, "alpha": FAINT, "lw": 0}
    regions = (
        ("A better", a, x <= -rope, 0.02, "left"),
        ("equivalent", same, np.abs(x) <= rope, 0, "center"),
        ("B better", b, x >= rope, 0.98, "right"),
    )
    largest = max(chance for _, chance, *_ in regions)
    for name, chance, where, at, side in regions:
        ax.fill_between(100 * x, 0, density, where=where, **(RARE if chance == largest else plain))
        weight = "bold" if chance == largest else "normal"
        beyond = ax.get_xaxis_transform() if side == "center" else ax.transAxes
        ax.text(
            at, 1, f"{name}\n{_per_cent(float(chance))}", transform=beyond, ha=side, va="top",
            weight=weight, color=INK,
        )  # fmt: skip
    for end in (-rope, rope):
        ax.plot([100 * end] * 2, [0, 1.05 * density.max()], color=INK, lw=1, ls=":")
    ax.set(xlabel="error of A minus error of B, points", ylim=(0, 1.35 * density.max()), yticks=[])
    likely = next(name for name, chance, *_ in regions if chance == largest)
    headline(
        ax, f"Most probable: {likely}, {largest:.0%}",
        f"Probability of each difference; up to ±{100 * rope:g} points count as equivalent",
    )  # fmt: skip
    return ax


@styled
def plot_rejections(
    rates: Mapping[str, Sequence[float]], labels: Sequence[str], *, ax: Axes | None = None
) -> Axes:
    """Draw each test as a line from its type I error (equal models) to its power.

    Parameters
    ----------
    rates : mapping of str to sequence of float
        For each test its fraction of rejections in each situation, the first of equals.
    labels : sequence of str
        What to call the situations.

    Raises
    ------
    ValueError, TypeError
        If a rate leaves [0, 1] or a test has another number of them than there are labels.

    Examples
    --------
    >>> ax = plot_rejections({"exact": [0.03, 0.4], "z": [0.06, 0.5]}, ["equal", "unequal"])
    >>> [text.get_text() for text in ax.texts][:2]
    ['40  exact', '50  z']
    """
    rows = [checks.within(values, name, 0, 1, ndim=1) for name, values in rates.items()]
    same = all(len(row) == len(labels) for row in rows)
    checks.require(same, "rates", f"hold {len(labels)} numbers for each test", rates)
    table = 100 * np.array(rows)  # tests x situations
    wild = list(rates)[int(table[:, 0].argmax())]
    ax = ax or paper(350, 340)
    gap = 6.2  # axis units for a line of text
    places = _beside(table[:, -1], gap)
    at = np.arange(len(labels))
    for name, values, place in zip(rates, table, places, strict=True):
        kind: dict[str, Any] = {"color": INK, "alpha": BODY, "lw": 1.4, "marker": "o", "ms": 4}
        if name == wild:
            kind = {"color": ACCENT, "lw": 2.6, "marker": "s", "ms": 8}
        ax.plot(at, values, clip_on=False, label=name, **kind)
        weight = "bold" if name == wild else "normal"
        write(ax, f"{values[-1]:.0f}  {name}", (at[-1], place), (9, 0), weight=weight)
    ax.axhline(5, color=INK, lw=1, alpha=FAINT, ls="--")
    false = table[:, 0].max()
    write(ax, f"{false:.0f}", (0, false), (0, 13), ha="center", weight="bold")
    ax.set(xlim=(0, at[-1]), ylim=(-4, 104), yticks=[])
    ax.set_xticks(at, labels)
    ax.spines["bottom"].set_visible(False)
    headline(
        ax, f"Among equals the {wild} finds a winner {false:.0f}% of the time",
        "How often each test finds a difference, in %; dashed: the 5% allowed",
    )  # fmt: skip
    return ax


def _power(difference: Any, disagree: Any, method: str, n: int) -> Any:
    # from the sum and the difference of the rates at which A alone and B alone are wrong
    alone_a = (disagree + difference) / 2
    alone_b = (disagree - difference) / 2
    return compare.mcnemar_power(n, alone_a, alone_b, method=method)


def _beside(values: ArrayLike, gap: float) -> Any:
    """Return positions of names beside the ends of lines: apart, from 0 to 100 per cent."""
    order = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    places = np.maximum(spread(values, gap), gap * order)
    return np.minimum(places, 100 - gap * (len(order) - 1 - order))


def _per_cent(p: float) -> str:
    """Format a probability in per cent, with a decimal only below 10%."""
    return f"{p:.1%}" if p < 0.1 else f"{p:.0%}"
