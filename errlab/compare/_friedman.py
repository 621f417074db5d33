"""Friedman's test of several classifiers on many data sets, with pairwise comparisons.

Each row is a data set, with one number for each classifier. The differences on one data set say
nothing about their size on another, so only their ranks are used, and the data sets are the sample.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from scipy import special

from errlab._core import checks
from errlab._core.checks import FloatOrArray, IntArray
from errlab._numerics.roots import without_noise
from errlab.compare._holm import holm, pairs_of
from errlab.compare._nemenyi import nemenyi_difference, nemenyi_pvalues
from errlab.compare._registry import ArrayLike, ComparisonResult, FloatArray, Guarantee, comparison

# the exact test is used up to this many additions, which take a fraction of a second
_CELLS = 2.5e8


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class DataSets(ComparisonResult[FloatOrArray]):
    """Several classifiers on many data sets, printed as two lines.

    `statistic` is Friedman's chi-squared, corrected for ties, `pvalue` is that of the overall test,
    and `guarantee` says what is proven about its level: "exact" or "asymptotic".

    Attributes
    ----------
    names : tuple of str
        The classifiers, in the order given.
    ranks : ndarray, shape (k,)
        Their average ranks; 1 is the lowest error.
    pairs : tuple of tuple
        The pairs ``(i, j)`` that were compared, as numbers of classifiers.
    differences : ndarray
        Average rank of i minus that of j.
    adjusted : ndarray
        Adjusted p-values of the pairs, asymptotic.
    critical_difference : float or None
        For Nemenyi: ranks that differ by at least this are significantly different at level
        `delta`.
    n : int
        Number of data sets.
    """

    ranks: FloatArray
    pairs: tuple[tuple[int, int], ...]
    differences: FloatArray
    adjusted: FloatArray
    critical_difference: float | None
    n: int

    def warnings(self) -> list[str]:
        """Return a caution if the overall test and the tests of pairs disagree."""
        if self.pvalue <= self.delta or (self.adjusted > self.delta).all():
            return []
        return [
            "The tests of all together and of pairs disagree; which of them decides is to be "
            "chosen before the results are seen."
        ]

    def sentences(self) -> list[str]:
        """Return the mean ranks, the overall verdict, and the differences that are shown."""
        ranks = ", ".join(map("{} {:.2f}".format, self.names, self.ranks))
        ordered = []
        for pair in np.array(self.pairs)[self.adjusted <= self.delta].tolist():
            # a lower rank is better
            better, worse = sorted(pair, key=lambda i: self.ranks[i])
            ordered.append(f"{self.names[better]} before {self.names[worse]}")
        verdict = "differ" if self.pvalue <= self.delta else "are not shown to differ"
        verdict = f"The classifiers {verdict} at level {self.delta:g}"
        pairs = f"of the pairs {', '.join(ordered) or 'none is shown'}"
        return [
            *self.warnings(),
            f"Average ranks over {self.n} data sets, 1 for the lowest error: {ranks}.",
            f"{verdict}; {pairs} ({self._source()}, of the pairs: asymptotic).",
        ]


@comparison(
    name="Friedman",
    place=23,
    takes="errors over data sets",
    sample="many data sets",
    equations="Friedman 1937; Demšar 2006; Nemenyi 1963; Holm 1979",
    guarantee={"nemenyi": "asymptotic", "holm": "asymptotic"},
)
def friedman(
    errors: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    method: str = "nemenyi",
    baseline: str | None = None,
    delta: float = 0.05,
) -> DataSets:
    r"""Friedman's test of k classifiers on N data sets, with pairwise comparisons.

    With :math:`R_j` the average rank of classifier j,

    .. math:: \chi^2_F = \frac{12 N}{k(k+1)} \Big(\sum_j R_j^2 - \frac{k(k+1)^2}{4}\Big)

    divided by a correction for ties. If all classifiers are equal, all orders of a row's ranks are
    equally likely. The p-value is exact, also with ties, if all sums of ranks can be enumerated
    from that: for up to 314 data sets with 3 classifiers, 35 with 4, 8 with 5 and 3 with 6 (fewer
    if ranks tie). For more data sets it is that of the chi-squared distribution, which is
    conservative there. (Iman and Davenport's F is not: for few data sets it exceeds its level.)

    By Nemenyi's test, two classifiers differ if their average ranks differ by at least :math:`q
    \sqrt{k(k+1)/(6N)}`, with q the quantile of the studentized range divided by :math:`\sqrt 2`.
    The alternative is Holm's adjustment of the normal p-values of :math:`z = (R_i - R_j) /
    \sqrt{k(k+1)/(6N)}`.

    Parameters
    ----------
    errors : array_like, shape (N, k)
        The error, or loss, of each of k >= 3 classifiers on each of N >= 2 data sets.
    names : sequence of str, optional
        Names of the classifiers; by default their numbers.
    method : {"nemenyi", "holm"}
        How pairs are compared.
    baseline : str, optional
        For "holm": the name of the classifier with which all others are compared.
    delta : float
        Level of the test, and of all pairs together, in (0, 1).

    Returns
    -------
    DataSets
        `estimate` and `interval` are None, because there is no single difference.

    Raises
    ------
    ValueError
        If there are fewer than 3 classifiers or 2 data sets, all classifiers tie on every data set,
        the number of names is wrong, or a baseline is given for Nemenyi's test.
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
    n, k = table.shape
    if k < 3 or n < 2:
        raise ValueError(
            f"errors must have at least 2 rows and 3 columns, got shape {table.shape}; for two "
            "classifiers take wilcoxon"
        )
    if names is None:
        names = [str(column) for column in range(k)]
    names = checks.names_of(names, k)
    if baseline is not None and method == "nemenyi":
        raise ValueError('baseline is for method "holm": Nemenyi compares all pairs')
    # scale by the smallest value of the row, so that one outlier can't make others tie
    sizes = np.abs(table)
    scale = sizes.min(axis=1, keepdims=True, where=sizes > 0, initial=checks.LARGE)
    # data sets x classifiers
    ranks = scipy.stats.rankdata(without_noise(table, scale), axis=1)
    if np.ptp(ranks) == 0:
        raise ValueError("errors must differ in some row, but all classifiers tie in each")
    means = ranks.mean(axis=0)
    statistic, pvalue = scipy.stats.friedmanchisquare(*ranks.T)
    guarantee: Guarantee = "asymptotic"
    exact = _exact_pvalue(ranks)
    if exact is not None:
        pvalue, guarantee = exact, "exact"
    pairs = pairs_of(names, baseline)
    differences = np.subtract(*means[np.array(pairs)].T)
    z = np.abs(differences) / np.sqrt(k * (k + 1) / (6 * n))
    critical_difference = None
    if method == "nemenyi":
        adjusted = nemenyi_pvalues(z, k)
        critical_difference = nemenyi_difference(n, k, delta=delta)
    else:
        adjusted = holm(2 * special.ndtr(-z))
    return DataSets(
        statistic,
        pvalue,
        None,
        quantity="average ranks of errors",
        guarantee=guarantee,
        names=names,
        ranks=means,
        pairs=tuple(pairs),
        differences=differences,
        adjusted=adjusted,
        critical_difference=critical_difference,
        n=n,
    )


def rank_sums(ranks: IntArray) -> FloatArray | None:
    """Return the joint distribution of the first k - 1 sums of ranks.

    All orders of each row of `ranks`, shape (N, k) and whole numbers from 0 on, are equally likely.
    Return None if the table would take too long.
    """
    k = ranks.shape[1]
    tallest = np.append(0, ranks.max(axis=1).cumsum())
    # additions: for each row, the table of the other k - 1 sums is shifted in each of k! orders
    if k > 7 or float(((tallest[:-1] + 1.0) ** (k - 1)).sum()) * math.factorial(k) > _CELLS:
        return None
    # each row's ranks have a fixed total, so the last sum follows from the others
    mass = np.ones((1,) * (k - 1))
    for row, size in zip(ranks.tolist(), tallest[1:].tolist(), strict=True):
        before, mass = mass, np.zeros((size + 1,) * (k - 1))
        # ranks with ties have fewer different orders
        orders = sorted(set(itertools.permutations(row)))
        for order in orders:
            # this order adds its ranks to the sums, so it shifts the table along each axis
            place = tuple(slice(step, step + len(before)) for step in order[:-1])
            mass[place] += before / len(orders)
    return mass


def _exact_pvalue(ranks: FloatArray) -> float | None:
    """Return the probability of rank sums at least this far apart under the null hypothesis."""
    # midranks are halves, so double them; the smallest rank is subtracted to keep the table small
    whole = np.rint(2 * (ranks - ranks.min(axis=1, keepdims=True))).astype(np.int64)
    # without ties the ranks are whole, and dividing undoes the doubling
    whole //= np.gcd.reduce(whole, axis=None)
    mass = rank_sums(whole)
    if mass is None:
        return None
    sums = np.indices(mass.shape)
    # all sums have the same mean, so the sum of their squares measures how much they differ
    squares = (sums**2).sum(axis=0) + (whole.sum() - sums.sum(axis=0)) ** 2
    return float(min(mass[squares >= (whole.sum(axis=0) ** 2).sum()].sum(), 1.0))
