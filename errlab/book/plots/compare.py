"""Plots of comparisons: on counts, disagreements and power; on folds, a posterior and a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike
from scipy import stats

from errlab import compare
from errlab._core import checks
from errlab._core.interval import Interval
from errlab._style import BLUE, OCHRE, VERMILION, curve, look, new_axes, styled
from errlab.book.plots._shared import HATCHED, PLAIN
from errlab.compare.result import Posterior

METHODS = ("exact", "mid-p", "z", "chi2-corrected")
LEVEL: dict[str, Any] = {"color": "0.5", "lw": 1, "label": "the level"}


@styled
def plot_discordant(n01: int, n10: int, *, ax: Axes | None = None) -> Axes:
    r"""Draw how the discordant examples of two equal classifiers fall, and shade the rare ends.

    Each of the n01 + n10 examples is a fair coin then. The shaded bars are the differences as far
    from 0 as the observed one, or farther: the exact p-value of McNemar's test.

    Parameters
    ----------
    n01, n10 : int
        Examples that A gets wrong and B right, and the other way round; not both 0.

    Raises
    ------
    ValueError, TypeError
        If a count is negative or not whole, or A and B never disagree.

    References
    ----------
    Lecture notes, "Comparison of two algorithms on the same test set".

    Examples
    --------
    >>> plot_discordant(9, 0).get_title()
    'A alone wrong on 9, B alone on 0:\np = 0.0039'
    """
    a = checks.one_count(n01, "n01", 0)
    b = checks.one_count(n10, "n10", 0)
    m = checks.one_count(a + b, "n01 + n10")
    # four standard deviations of the count, which is binomial with one half
    spread = int(2 * np.sqrt(m)) + 2
    low = max(0, min(m // 2 - spread, a, b))
    high = min(m, max(m // 2 + spread, a, b))
    counts = np.arange(low, high + 1)
    # from counts of one side to the difference of both: steps of two
    gap = 2 * counts - m
    chance = stats.binom.pmf(counts, m, 0.5)
    rare = np.abs(gap) >= abs(a - b)
    ax = new_axes(ax)
    if not rare.all():
        ax.bar(gap[~rare], chance[~rare], width=1.7, label="nearer to 0", **PLAIN)
    ax.bar(gap[rare], chance[rare], width=1.7, label=f"{abs(a - b)} or farther", **HATCHED)
    ax.axvline(a - b, color="black", lw=1.2, linestyle="--", label="observed")
    pvalue = compare.mcnemar(a, b).pvalue
    ax.set(
        xlabel="errors of A minus errors of B, if both are equal",
        ylabel="probability",
        title=f"A alone wrong on {a}, B alone on {b}:\np = {pvalue:.4f}",
    )
    ax.legend(loc="upper left")
    return ax


@styled
def plot_mcnemar_size(n: int, *, disagree: ArrayLike, ax: Axes | None = None) -> Axes:
    """Draw the exact type I error of McNemar's test against how often A and B disagree.

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
    ['exact', 'mid-p', 'z', 'chi2-corrected', 'the level']
    """
    size = checks.one_count(n)
    rates = checks.mean(disagree, "disagree")
    ax = new_axes(ax)
    for number, method in enumerate(METHODS):
        # the power where nothing is to be found is the type I error
        values = _power(0.0, rates, method, size)
        curve(ax, rates, values, label=method, look=look(number))
    ax.axhline(0.05, **LEVEL)
    ax.set(
        xscale="log",
        xlabel="probability that A and B disagree",
        ylabel="equal ones called different",
        title=f"{size} test examples",
        ylim=(0, None),
    )
    _plain(ax.xaxis)
    ax.legend(loc="upper left", ncols=2)
    return ax


@styled
def plot_power(
    n: int,
    disagree: float,
    methods: Sequence[str],
    *,
    error: float,
    differences: ArrayLike,
    ax: Axes | None = None,
) -> Axes:
    """Draw how often each test sees a difference, against the true difference.

    At the left end, where there is none, it is the type I error.

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

    Raises
    ------
    ValueError, TypeError
        If a method is unknown or an argument is out of range.

    Examples
    --------
    >>> ax = plot_power(200, 0.1, ["mid-p"], error=0.15, differences=[0, 0.05])
    >>> [line.get_label() for line in ax.lines]
    ['mid-p', 'two test sets', 'the level']
    """
    size = checks.one_count(n)
    rate = float(checks.mean(disagree, "disagree"))
    gaps = checks.mean(differences)
    ax = new_axes(ax)
    for number, method in enumerate(methods):
        values = _power(gaps, rate, method, size)
        curve(ax, gaps, values, label=method, look=look(number))
    apart = [compare.two_proportions_power(error + d, size, error, size) for d in gaps]
    curve(ax, gaps, apart, label="two test sets", look=look(len(methods)))
    ax.axhline(0.05, **LEVEL)
    ax.set(
        xlabel="true error of A minus true error of B",
        ylabel="difference found",
        title=f"{size} examples, disagreement on {rate:.0%}",
        ylim=(-0.02, 1.02),
    )
    ax.legend(loc="lower right")
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
    ax = new_axes(ax)
    gaps = checks.within(differences, "differences", 0, 1, open_low=True)
    for number, rate in enumerate(disagree):
        # two classifiers cannot differ by more than they disagree
        kept = gaps[gaps <= rate]
        needed = [compare.sample_size(partial(_power, d, rate, "mid-p")) for d in kept]
        curve(ax, kept, needed, label=f"disagreement on {rate:.0%}", look=look(number))
    ax.set(
        yscale="log",
        xlabel="true difference of the error rates",
        ylabel="test examples needed",
        title="power 80% at level 0.05",
    )
    _plain(ax.yaxis)
    ax.legend()
    return ax


@styled
def plot_posterior(
    differences: ArrayLike, *, n_train: int, n_test: int, rope: float = 0.01, ax: Axes | None = None
) -> Axes:
    """Draw the posterior of the Bayesian correlated t-test, with its three regions.

    Parameters
    ----------
    differences : array_like, shape (J,)
        Error of A minus error of B on each split; not all equal.
    n_train, n_test : int
        Sizes of the training and the test part of each split.
    rope : float
        Differences from -rope to rope count as equivalent in practice.

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
    >>> ax.get_legend_handles_labels()[1][-1]
    'B better: 0.957'
    """
    array = checks.numbers(differences, "differences", ndim=1)
    result = compare.bayesian_correlated_t(array, n_train=n_train, n_test=n_test, rope=rope)
    low, high = cast(Interval, result.interval)
    checks.require(low < high, "differences", "not all be equal", array[0])
    df = len(array) - 1
    # the interval is central, so its half width gives the scale of the posterior back
    scale = (high - low) / 2 / stats.t.isf(result.delta / 2, df)
    # the view holds the bulk of the posterior and the region that counts as equal
    edge = max(4.5 * scale + abs(result.estimate), 1.2 * rope)
    x = np.linspace(-edge, edge, 161)
    ax = new_axes(ax)
    density = stats.t.pdf(x, df, result.estimate, scale)
    ax.plot(x, density, color="black", lw=1.5)
    a, same, b = cast(Posterior, result.posterior)
    regions = (
        ("A better", a, x <= -rope, BLUE, "//"),
        ("equivalent", same, np.abs(x) <= rope, OCHRE, ""),
        ("B better", b, x >= rope, VERMILION, "\\\\"),
    )
    for name, chance, where, colour, hatch in regions:
        ax.fill_between(
            x, 0, density, where=where, facecolor=colour, alpha=0.7, hatch=hatch,
            edgecolor="white", label=f"{name}: {chance:.3f}",
        )  # fmt: skip
    for end in (-rope, rope):
        ax.axvline(end, color="black", lw=1, linestyle=":")
    ax.set(xlabel="error of A minus error of B", ylabel="posterior density", ylim=(0, None))
    ax.legend(loc="upper left")
    return ax


@styled
def plot_rejections(
    rates: Mapping[str, Sequence[float]], labels: Sequence[str], *, ax: Axes | None = None
) -> Axes:
    """Draw one row for each test: how often it found a difference, in several situations.

    Parameters
    ----------
    rates : mapping of str to sequence of float
        For each test its fraction of rejections in each situation.
    labels : sequence of str
        What to call the situations.

    Raises
    ------
    ValueError, TypeError
        If a rate leaves [0, 1] or a test has another number of them than there are labels.

    Examples
    --------
    >>> ax = plot_rejections({"exact": [0.03, 0.4], "z": [0.06, 0.5]}, ["equal", "unequal"])
    >>> [tick.get_text() for tick in ax.get_yticklabels()]
    ['exact', 'z']
    """
    rows = [checks.within(values, name, 0, 1, ndim=1) for name, values in rates.items()]
    same = all(len(row) == len(labels) for row in rows)
    checks.require(same, "rates", f"hold {len(labels)} numbers for each test", rates)
    table = np.array(rows)  # tests x situations
    ax = new_axes(ax, figsize=(4.8, 1.6 + 0.25 * len(rows)))
    for number, label in enumerate(labels):
        marks = {**look(number), "linestyle": "none", "markersize": 6}
        ax.plot(table[:, number], np.arange(len(rows)), label=label, **marks)
    ax.axvline(0.05, color="0.5", lw=1, label="the level")
    ax.set(xlabel="fraction that find a difference", ylim=(len(rows) - 0.4, -0.6))
    ax.set_yticks(range(len(rows)), list(rates), fontsize=9)
    ax.legend(  # above the rows, where it covers none
        loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=4, columnspacing=1,
        handlelength=1.5, fontsize=8.5,
    )  # fmt: skip
    return ax


def _power(difference: Any, disagree: Any, method: str, n: int) -> Any:
    # A alone and B alone are wrong so often: their sum and their difference are given
    alone_a = (disagree + difference) / 2
    alone_b = (disagree - difference) / 2
    return compare.mcnemar_power(n, alone_a, alone_b, method=method)


def _plain(axis: Any) -> None:
    """Name the decades of a logarithmic axis without powers of ten."""
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter("")
