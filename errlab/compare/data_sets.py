"""Many data sets: several classifiers on each of them, by ranks, by signs, or by a posterior.

A row is a data set, and what stands in it is one number for each classifier. The differences within
a data set say nothing of how different they would be on another one: only their ranks or signs are
used, and the data sets are the sample.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike
from scipy import special

from errlab._core import checks
from errlab._core import rounding as words
from errlab._core.checks import FloatArray, IntArray, Seed
from errlab._core.interval import Guarantee
from errlab._core.public import public
from errlab._core.statement import Result
from errlab._numerics.roots import without_noise
from errlab.compare._result import ComparisonResult, Names, Posterior
from errlab.compare.mcnemar_tables import holm, pairs_of

_EXACT = 50  # differences up to which the null distribution is summed
_BATCH = 2_000_000  # numbers held at once
_MEDIAN = "median of error of {} minus error of {}"
_CELLS = 2.5e8  # additions for an exact test, in a fraction of a second


@dataclass(frozen=True, repr=False, eq=False)
class DataSets(Result):
    """Several classifiers on many data sets. It prints as text.

    Attributes
    ----------
    names : tuple of str
        The classifiers, as they were given.
    ranks : ndarray, shape (k,)
        Their average ranks; 1 is the lowest error.
    statistic, pvalue : float
        Friedman's chi-squared with its correction for ties, and the p-value that decides.
    pairs : tuple of tuple
        ``(i, j)``, the pairs that were compared, by number.
    differences : ndarray
        Average rank of i minus that of j.
    adjusted : ndarray
        Adjusted p-values of the pairs, asymptotic.
    critical_difference : float or None
        For Nemenyi: ranks that differ by at least this differ at level `delta`.
    method : str
        How the pairs were compared.
    n : int
        Data sets.
    delta : float
        Level.
    guarantee : str
        What is proven of the level of `pvalue`: "exact" or "asymptotic".
    """

    names: tuple[str, ...]
    ranks: FloatArray
    statistic: float
    pvalue: float
    pairs: tuple[tuple[int, int], ...]
    differences: FloatArray
    adjusted: FloatArray
    critical_difference: float | None
    method: str
    n: int
    delta: float
    guarantee: Guarantee

    def __repr__(self) -> str:
        """Return what is shown as sentences."""
        together = self.pvalue <= self.delta
        verdict = "differ" if together else "are not shown, all together, to differ"
        ranks = ", ".join(map("{} {:.2f}".format, self.names, self.ranks))
        shown = []
        for pair, p in zip(self.pairs, self.adjusted, strict=True):
            # the lower rank is the better one
            first, last = sorted(pair, key=lambda i: self.ranks[i])
            if p <= self.delta:
                shown.append(f"{self.names[first]} before {self.names[last]}")
        disagree = ""
        if shown and not together:
            disagree = (
                " The tests of all together and of pairs disagree; which of them decides is to be "
                "chosen before the results are seen."
            )
        return (
            f"The classifiers {verdict} at level {self.delta:g} over {self.n} data sets "
            f"(Friedman, {self.guarantee}, {words.chance(self.pvalue, self.delta)}).\n"
            f"Average ranks: {ranks}.\n"
            f"Shown of the pairs ({self.method}, asymptotic): {', '.join(shown) or 'none'}."
            f"{disagree}"
        )


@public
def friedman(
    errors: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    method: str = "nemenyi",
    baseline: str | None = None,
    delta: float = 0.05,
) -> DataSets:
    r"""Friedman's test of k classifiers on N data sets, with its pairs.

    With :math:`R_j` the average rank of classifier j,

    .. math:: \chi^2_F = \frac{12 N}{k(k+1)} \Big(\sum_j R_j^2 - \frac{k(k+1)^2}{4}\Big)

    divided by its correction for ties. Where all classifiers are equal, each order of a
    row's ranks is as likely as any other. The p-value that decides is exact where all sums of
    ranks can be worked out from that, ties included: for up to 314 data sets with 3 classifiers,
    35 with 4, 8 with 5 and 3 with 6 (fewer where ranks tie). Beyond, it is that of the chi-squared
    distribution, which errs on the side of caution there. (Iman and Davenport's F does not: for few
    data sets it exceeds its level.)

    Two classifiers differ by Nemenyi's test where
    their ranks do by :math:`q \sqrt{k(k+1)/(6N)}`, with q the quantile of the studentized range
    over :math:`\sqrt 2`; or by Holm's adjustment of the normal p-values of
    :math:`z = (R_i - R_j) / \sqrt{k(k+1)/(6N)}`.

    Parameters
    ----------
    errors : array_like, shape (N, k)
        The error, or loss, of each of k >= 3 classifiers on each of N >= 2 data sets.
    names : sequence of str, optional
        What to call the classifiers; their numbers by default.
    method : {"nemenyi", "holm"}
        How pairs are compared.
    baseline : str, optional
        For "holm": the name of the one that all others are compared with.
    delta : float
        Level of the test, and of all pairs together, in (0, 1).

    Returns
    -------
    DataSets

    Raises
    ------
    ValueError
        If there are fewer than 3 classifiers or 2 data sets, all of them tie everywhere, names are
        not one for each, or a baseline is given to Nemenyi's test.
    TypeError
        If an error is not a number.

    References
    ----------
    Demšar, Journal of Machine Learning Research 7 (2006), 1-30; Friedman, JASA 32 (1937); Iman and
    Davenport, Communications in Statistics 9 (1980); Nemenyi (1963).

    Examples
    --------
    >>> found = friedman([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.1, 0.3, 0.2], [0.0, 0.1, 0.2]])
    >>> found.ranks, round(found.statistic, 4)
    (array([1.  , 2.25, 2.75]), 6.5)
    """
    table = checks.within(errors, "errors", -checks.LARGE, checks.LARGE, ndim=2)
    level = checks.one_delta(delta)
    way = checks.choice(method, "method", ("nemenyi", "holm"))
    n, k = table.shape
    if k < 3 or n < 2:
        raise ValueError(
            f"errors must have at least 2 rows and 3 columns, got shape {table.shape}; for two "
            "classifiers take wilcoxon"
        )
    called = list(map(str, range(k))) if names is None else list(checks.names_of(names, k))
    # the smallest number of a row is its scale: one classifier far off must not make others tie
    sizes = np.abs(table)
    scale = sizes.min(axis=1, keepdims=True, where=sizes > 0, initial=checks.LARGE)
    # data sets x classifiers
    each = scipy.stats.rankdata(without_noise(table, scale), axis=1)
    ranks = each.mean(axis=0)
    spread = float(((each - (k + 1) / 2) ** 2).sum()) / (n * (k - 1))  # k(k+1)/12 without ties
    if spread == 0:
        raise ValueError("errors must differ in some row, but all classifiers tie in each")
    statistic = float(n * ((ranks - (k + 1) / 2) ** 2).sum() / spread)
    pvalue = _exact_friedman(each)
    guarantee: Guarantee = "exact"
    if pvalue is None:
        pvalue, guarantee = float(special.chdtrc(k - 1, statistic)), "asymptotic"
    if baseline is not None and way == "nemenyi":
        raise ValueError('baseline is for method "holm": Nemenyi compares all pairs')
    pairs = pairs_of(called, baseline)
    gaps = np.subtract(*ranks[np.array(pairs)].T)
    z = np.abs(gaps) / np.sqrt(k * (k + 1) / (6 * n))
    critical = None
    if way == "nemenyi":
        adjusted = scipy.stats.studentized_range.sf(z * np.sqrt(2), k, np.inf)
        critical = nemenyi_difference(n, k, level)
    else:
        adjusted = holm(2 * special.ndtr(-z))
    return DataSets(
        tuple(called), ranks, statistic, pvalue, tuple(pairs), gaps, np.clip(adjusted, 0.0, 1.0),
        critical, way.capitalize(), n, level, guarantee,
    )  # fmt: skip


def rank_sums(ranks: IntArray) -> FloatArray | None:
    """Return the probability of each k - 1 sums of ranks, the first columns', from 0 on.

    The order of each row of `ranks`, shape (N, k), whole numbers from 0 on, is as likely as any
    other. None where the table would take too long.
    """
    k = ranks.shape[1]
    tallest = np.append(0, ranks.max(axis=1).cumsum())
    # additions: for each row all k! orders shift the whole table of k - 1 sums
    if k > 7 or float(((tallest[:-1] + 1.0) ** (k - 1)).sum()) * math.factorial(k) > _CELLS:
        return None
    # the last sum is known from the others, as each row of ranks has one total
    mass = np.ones((1,) * (k - 1))
    for row, size in zip(ranks.tolist(), tallest[1:].tolist(), strict=True):
        before, mass = mass, np.zeros((size + 1,) * (k - 1))
        # with ties some of the orders are the same, and count once each
        orders = sorted(set(itertools.permutations(row)))
        for order in orders:
            # this order adds its ranks to the sums: the table moves by them along each axis
            place = tuple(slice(step, step + len(before)) for step in order[:-1])
            mass[place] += before / len(orders)
    return mass


def _exact_friedman(ranks: FloatArray) -> float | None:
    """Chance of sums of ranks as far apart as these where all orders are as likely."""
    # whole numbers from 0 on: midranks are halves, and a common factor makes the table smaller
    whole = np.rint(2 * (ranks - ranks.min(axis=1, keepdims=True))).astype(np.int64)
    whole //= np.gcd.reduce(whole, axis=None)  # ranks have halves only where there are ties
    mass = rank_sums(whole)
    if mass is None:
        return None
    sums = np.indices(mass.shape)
    # all sums have the same mean, so their squares tell how far apart they are
    squares = (sums**2).sum(axis=0) + (whole.sum() - sums.sum(axis=0)) ** 2
    return float(min(mass[squares >= (whole.sum(axis=0) ** 2).sum()].sum(), 1.0))


def nemenyi_difference(n: int, k: int, delta: float) -> float:
    """Return the difference of two average ranks from which on Nemenyi's test shows it."""
    q = float(scipy.stats.studentized_range.isf(delta, k, np.inf))
    return q / math.sqrt(2) * math.sqrt(k * (k + 1) / (6 * n))


@public
def wilcoxon(
    differences: ArrayLike, *, delta: float = 0.05, names: Names = ("A", "B")
) -> ComparisonResult[float]:
    r"""Wilcoxon's signed-rank test of two classifiers on many data sets.

    .. math:: T = \min(R^+, R^-), \qquad R^{\pm} = \sum_{\pm d_i > 0} \operatorname{rank} |d_i|

    Differences of 0 are ranked, and their ranks divided between both sides (of an odd number of
    zeros one is left out), as Demšar has it. With up to 50 differences the p-value is exact, ties
    included: all signs of the differences other than 0 are summed over. With more it is normal.
    What differs by less than a ten-billionth of the largest difference ties, so that rounding
    errors decide nothing: 0.13 - 0.12 and 0.12 - 0.11 are as large.

    Parameters
    ----------
    differences : array_like, shape (N,)
        Error of A minus error of B on each of N >= 2 data sets.
    delta : float
        Level of the test, in (0, 1).
    names : tuple of str
        What to call A and B.

    Returns
    -------
    ComparisonResult
        `estimate` and `interval` are None: the test is about ranks.

    Raises
    ------
    ValueError
        If there are fewer than 2 differences, or all are 0.
    TypeError
        If a difference is not a number.

    References
    ----------
    Wilcoxon, Biometrics Bulletin 1 (1945); Demšar, Journal of Machine Learning Research 7 (2006),
    Section 3.1.3.

    Examples
    --------
    >>> result = wilcoxon([0.02, 0.03, -0.01, 0.05, 0.04])
    >>> result.statistic, result.pvalue
    (1.0, 0.125)
    """
    given = checks.within(differences, "differences", -checks.LARGE, checks.LARGE, ndim=1)
    level = checks.one_delta(delta)
    called = checks.two_names(names)
    d = without_noise(given, np.abs(given).max())
    if len(d) < 2 or not d.any():
        raise ValueError(
            f"differences must be at least 2, not all of them 0, got {checks.show(given.tolist())}"
        )
    zeros = np.flatnonzero(d == 0)
    # of an odd number of zeros one goes, so that both sides share the ranks of the others alike
    d = np.delete(d, zeros[: len(zeros) % 2])
    ranks = scipy.stats.rankdata(np.abs(d))
    signed = ranks[d != 0]
    above = float(ranks[d > 0].sum())
    inner = min(above, float(signed.sum()) - above)
    exact = len(d) <= _EXACT
    name = f"Wilcoxon's signed ranks, {'exact' if exact else 'normal'}"
    statistic = inner + float(ranks[d == 0].sum() / 2)
    pvalue = _all_signs(signed, inner) if exact else _normal_tail(signed, inner)
    guarantee: Guarantee = "exact" if exact else "asymptotic"
    quantity = _MEDIAN.format(*called)
    return ComparisonResult(
        "wilcoxon", name, statistic, pvalue, None, level, guarantee, None, called, quantity
    )


def _all_signs(ranks: FloatArray, smaller: float) -> float:
    """Twice the chance of a sum at most the smaller one, all signs alike; midranks are halves."""
    # midranks are halves, so that twice the sums are whole
    double = np.rint(2 * ranks).astype(np.int64)
    mass = np.zeros(int(double.sum()) + 1)
    mass[0] = 1.0
    # each rank goes to the positive side or not, with probability 1/2: a convolution in place
    for rank in double:
        mass[rank:] = (mass[rank:] + mass[: len(mass) - rank]) / 2
        mass[:rank] /= 2
    return float(min(2 * mass[: round(2 * smaller) + 1].sum(), 1.0))


def _normal_tail(ranks: FloatArray, smaller: float) -> float:
    # mean and variance of a sum of independent ranks, each taken or not
    z = (smaller - ranks.sum() / 2) / np.sqrt((ranks**2).sum() / 4)
    return float(min(2 * special.ndtr(z), 1.0))


@public
def bayesian_signed_rank(
    differences: ArrayLike,
    *,
    rope: float = 0.01,
    prior: float = 0.5,
    draws: int = 50_000,
    delta: float = 0.05,
    names: Names = ("A", "B"),
    rng: Seed = 0,
) -> ComparisonResult[float]:
    r"""Bayesian signed-rank test: how probable each answer is over many data sets.

    The distribution of differences has a Dirichlet process prior of strength `prior` at 0. With
    weights :math:`w \sim \mathrm{Dir}(s, 1, \ldots, 1)` of :math:`d_0 = 0` and the differences,

    .. math:: \theta_B = \sum_{ij} w_i w_j \, \mathbf 1\{d_i + d_j > 2r\}

    and alike :math:`\theta_A` below -2r, and the rest within the region of practical equivalence.
    The answer's probability is that its :math:`\theta` is the largest.

    Parameters
    ----------
    differences : array_like, shape (N,)
        Error of A minus error of B on each of N data sets.
    rope : float
        Differences up to this count as none, at least 0; rounding errors decide nothing: 0.13 and
        0.12 differ by 0.01.
    prior : float
        Strength s of the prior, in (0, 1].
    draws : int
        Draws from the posterior; its probabilities have an error of at most 1/(2 sqrt(draws)).
    delta : float
        Kept for the result; the posterior needs no level.
    names : tuple of str
        What to call A and B.
    rng : seed, Generator or None
        Draws from the posterior; the same in each call by default.

    Returns
    -------
    ComparisonResult
        With its ``.posterior``; `pvalue` is None.

    Raises
    ------
    ValueError, TypeError
        If a number leaves its range.

    References
    ----------
    Benavoli, Mangili, Corani, Zaffalon and Ruggeri, ICML 2014, 1026-1034; Benavoli, Corani, Demšar
    and Zaffalon, Journal of Machine Learning Research 18 (2017), Section 4.

    Examples
    --------
    >>> result = bayesian_signed_rank([0.05, 0.03, 0.04, -0.005, 0.06, 0.02], rng=0)
    >>> result.posterior.b_better > 0.9
    True
    """
    d = checks.within(differences, "differences", -checks.LARGE, checks.LARGE, ndim=1)
    r = float(checks.within(rope, "rope", 0, checks.LARGE, ndim=0))
    strength = float(checks.within(prior, "prior", 0, 1, open_low=True, ndim=0))
    count = checks.one_count(draws, "draws")
    level = checks.one_delta(delta)
    called = checks.two_names(names)
    generator = checks.generator(rng)
    # in whole units, so that sums and comparisons are exact
    units = without_noise(np.concatenate([[r, 0.0], d]), max(r, np.abs(d).max()))
    limit = 2 * units[0]
    z = units[1:]
    # all pairs i, j: Walsh averages, and twice the rope
    sums = z[:, None] + z
    b_better = (sums > limit).astype(float)
    a_better = (sums < -limit).astype(float)
    shape = np.append(max(strength, 1e-6), np.ones(len(d)))
    wins = np.zeros(3)
    size = max(1, _BATCH // len(z))
    for start in range(0, count, size):
        w = generator.dirichlet(shape, size=min(size, count - start))
        of_a = ((w @ a_better) * w).sum(axis=1)
        of_b = ((w @ b_better) * w).sum(axis=1)
        # draws x answers; the three shares of a draw sum to 1
        theta = np.column_stack([of_a, 1 - of_a - of_b, of_b])
        most = theta >= theta.max(axis=1, keepdims=True) - 1e-12
        wins += (most / most.sum(axis=1, keepdims=True)).sum(axis=0)  # equal ones share
    median = float(np.median(d))
    key, name = "bayesian_signed_rank", "Bayesian signed rank"
    quantity = _MEDIAN.format(*called)
    posterior = Posterior(*(wins / wins.sum()).tolist())
    return ComparisonResult(
        key, name, median, None, median, level, "none proven", None, called, quantity, posterior
    )
