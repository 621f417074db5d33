"""Comparing two classifiers on examples in groups; the groups are the independent units."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy import special

from errlab._core import checks
from errlab._numerics.groups import Groups, Spread, grouped
from errlab._numerics.roots import ratio
from errlab.bounds._group_betting import group_difference, group_pvalue
from errlab.compare._paired_t import same_cases
from errlab.compare._registry import (
    A_AND_B,
    ArrayLike,
    ComparisonResult,
    FloatArray,
    Interval,
    Names,
    comparison,
)

_EXAMPLE = {"groups": (0, 0, 1, 1, 1, 2, 2, 3)}


@comparison(
    name="Bets on examples in groups",
    place=19,
    takes="grouped losses",
    equations="Waudby-Smith & Ramdas 2024, on a ratio",
    guarantee="finite sample",
    extra=_EXAMPLE,
)
def grouped_betting(
    losses_a: ArrayLike,
    losses_b: ArrayLike,
    *,
    groups: ArrayLike,
    max_group_size: int | None = None,
    delta: float = 0.05,
    names: Names = A_AND_B,
) -> ComparisonResult:
    r"""Betting on the paired losses of examples in groups: proven for every number of groups.

    Let :math:`d_g` be the sum of the differences in group g and :math:`s_g` its number of examples,
    at most M. The bets are those of `metrics.grouped_betting` on the losses :math:`(s_g + d_g) /
    2`, whose rate is one half if neither is better:

    .. math:: K(r) = \frac1J \sum_j \prod_g \left( 1 + f_j(r)\,
              \frac{(2r - 1) s_g - d_g}{2 M (1 - r)} \right).

    Parameters
    ----------
    losses_a, losses_b : array_like, shape (..., n)
        Losses of A and of B on the same n examples, in [0, 1]; leading axes are several tests.
    groups : array_like, shape (n,)
        The group of each example; at least 2 of them.
    max_group_size : int, optional
        The largest possible size of a group in the population; by default that of the largest group
        here.

    Returns
    -------
    ComparisonResult
        `statistic` is the logarithm of the larger capital, of the bets for A and of those for B,
        against no difference. `pvalue` is 2 divided by that capital.

    Raises
    ------
    ValueError
        If a loss leaves [0, 1], the shapes differ, there is one group only, or a group is larger
        than `max_group_size`.
    TypeError
        If a loss is not a number.

    References
    ----------
    Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86 (2024), 1-27.

    Examples
    --------
    >>> twelve_patients = [number // 5 for number in range(60)]
    >>> result = grouped_betting([1] * 60, [0] * 60, groups=twelve_patients)
    >>> round(result.pvalue, 6), round(4 / (2**12 + 1.784126**12), 6)  # two stakes
    (0.000779, 0.000779)
    >>> round(result.interval.low, 4)
    0.4707
    """
    difference = same_cases(losses_a, losses_b, 0, 1)
    units = grouped(groups, difference.shape[-1], max_group_size=max_group_size)

    def bet(sums: FloatArray) -> list[float]:
        ends, log_capital = group_difference(sums, units.sizes, units.max_size, delta)
        return [*ends, log_capital]

    outcomes = np.apply_along_axis(bet, -1, units.sums(difference))
    low, high, capital = np.moveaxis(outcomes, -1, 0)
    pvalue = np.vectorize(group_pvalue, otypes=[float])(capital)
    mean = difference.mean(axis=-1)
    return ComparisonResult(capital, pvalue, mean, partial(_betting_limits, low, high))


def _betting_limits(low: FloatArray, high: FloatArray, *, delta: float) -> Interval[FloatArray]:
    """Return the interval of the bets, which were chosen for this `delta`."""
    return Interval(low, high)


@comparison(
    name="Cluster-robust t on examples in groups",
    place=20,
    takes="grouped losses",
    equations="Liang & Zeger 1986; Bell & McCaffrey 2002",
    guarantee="asymptotic",
    extra=_EXAMPLE,
)
def grouped_difference(
    losses_a: ArrayLike,
    losses_b: ArrayLike,
    *,
    groups: ArrayLike,
    delta: float = 0.05,
    names: Names = A_AND_B,
) -> ComparisonResult:
    r"""Cluster-robust t on the paired losses of examples in groups.

    .. math:: t = \bar d \Big/ \sqrt{\sum_g \frac{e_g^2}{1 - n_g / n} \Big/ n^2}, \quad
              e_g = \sum_{i \in g} (d_i - \bar d), \quad d_i = \ell_i^A - \ell_i^B

    with Satterthwaite's degrees of freedom: G - 1 for G groups of the same size, fewer if some
    groups contain most of the examples. For groups of one example it is the paired t.

    Parameters
    ----------
    losses_a, losses_b : array_like, shape (..., n)
        Losses of A and of B on the same n examples; leading axes are several tests.
    groups : array_like, shape (n,)
        The group of each example; at least 2 of them.

    Returns
    -------
    ComparisonResult
        If all groups have the same mean difference, their spread can't be estimated. Then each
        group counts as one example if all losses are 0 or 1; for other losses p is 1 and the
        interval is infinite.

    Raises
    ------
    ValueError
        If the shapes differ or there is one group only.
    TypeError
        If a loss is not a number.

    References
    ----------
    Bell and McCaffrey, Survey Methodology 28 (2002), 169-181; Liang and Zeger, Biometrika 73
    (1986), 13-22.

    Examples
    --------
    >>> a, b = [1, 1, 0, 1, 0, 1, 0, 1], [0, 1, 0, 0, 0, 0, 0, 1]
    >>> result = grouped_difference(a, b, groups=[1, 1, 2, 2, 3, 3, 4, 4])
    >>> round(result.estimate, 4), round(result.pvalue, 4)
    (0.375, 0.0577)
    """
    difference = same_cases(losses_a, losses_b, -checks.LARGE, checks.LARGE)
    units = grouped(groups, difference.shape[-1])
    # differences of 0/1 losses lie in [-1, 1], which matters if all groups have the same mean
    binary = np.isin(losses_a, (0, 1)).all() and np.isin(losses_b, (0, 1)).all()
    largest = 1.0 if binary else np.inf
    spread = units.spread(difference)
    t = ratio(spread.mean, spread.error)
    pvalue = units.pvalue(spread, largest)
    return ComparisonResult(t, pvalue, spread.mean, partial(_mean_limits, units, spread, largest))


def _mean_limits(
    units: Groups, spread: Spread, largest: float, *, delta: float
) -> Interval[FloatArray]:
    """Return the interval for a mean of values in [-largest, largest]."""
    return units.ends(spread, delta / 2, -largest, largest)


@comparison(
    name="McNemar on examples in groups",
    place=21,
    takes="grouped losses",
    equations="Durkalski et al. 2003; Obuchowski 1998, as Yang et al. 2010 write it",
    guarantee={"durkalski": "asymptotic", "obuchowski": "asymptotic"},
    extra=_EXAMPLE,
)
def grouped_mcnemar(
    losses_a: ArrayLike,
    losses_b: ArrayLike,
    *,
    groups: ArrayLike,
    method: str = "durkalski",
    delta: float = 0.05,
    names: Names = A_AND_B,
) -> ComparisonResult:
    r"""McNemar's test for examples in groups, which weighs the signs of whole groups.

    Let :math:`b_g` and :math:`c_g` be the numbers of examples in group g that only A, or only B,
    gets wrong, :math:`n_g` the size of the group, and G the number of groups. Then

    .. math:: T = \frac{\left( \sum_g (b_g - c_g) / n_g \right)^2}
              {\sum_g \left( (b_g - c_g) / n_g \right)^2} \quad (\mathrm{Durkalski}), \qquad
              T = \frac{G - 1}{G} \frac{\left( \sum_g (b_g - c_g) \right)^2}
              {\sum_g (b_g - c_g)^2} \quad (\mathrm{Obuchowski})

    is chi-squared with one degree of freedom if neither is better. For groups of one example the
    first is McNemar's chi-squared, :math:`(b - c)^2 / (b + c)`.

    The interval contains every difference d that the same test doesn't reject, with :math:`b_g -
    c_g - n_g d` in place of :math:`b_g - c_g`; its ends are the roots of a quadratic. Losses other
    than 0 and 1 are accepted, too.

    Parameters
    ----------
    losses_a, losses_b : array_like, shape (..., n)
        Losses of A and of B on the same n examples, in [0, 1]; leading axes are several tests.
    groups : array_like, shape (n,)
        The group of each example; at least 2 of them.
    method : {"durkalski", "obuchowski"}
        "durkalski" gives groups equal weights, "obuchowski" examples.

    Returns
    -------
    ComparisonResult
        `estimate` is the mean over groups, or over examples. If all groups have the same mean
        difference, p and the interval are those of `grouped_difference`. Very few groups can't show
        anything: with up to 3, Durkalski's test never rejects at a level of 0.05 or below, and the
        interval is -1 to 1.

    Raises
    ------
    ValueError
        If a loss leaves [0, 1], the shapes differ, or there is one group only.
    TypeError
        If a loss is not a number.

    References
    ----------
    Durkalski, Palesch, Lipsitz and Rust, Statistics in Medicine 22 (2003), 2417-2428; Obuchowski,
    Statistics in Medicine 17 (1998), 1495-1507; Yang, Sun and Hardin, Statistics in Medicine 29
    (2010), 1639-1651.

    Examples
    --------
    >>> a, b = [1, 1, 0, 1, 0, 1, 0, 1], [0, 1, 0, 0, 0, 0, 0, 1]
    >>> result = grouped_mcnemar(a, b, groups=[1, 1, 2, 2, 3, 3, 4, 4])
    >>> result.statistic, round(result.pvalue, 4)  # (3/2)^2 / (3/4)
    (3.0, 0.0833)
    """
    difference = same_cases(losses_a, losses_b, 0, 1)
    units = grouped(groups, difference.shape[-1])
    # tests x groups: b_g - c_g
    sums, sizes, factor = units.sums(difference), units.sizes, (units.number - 1) / units.number
    # give groups equal weights: replace each sum by its mean, and each size by 1
    if method == "durkalski":
        sums, sizes, factor = sums / sizes, np.ones_like(sizes), 1.0
    total = sums.sum(axis=-1)
    statistic = ratio(factor * total**2, (sums**2).sum(axis=-1))
    spread = units.spread(difference)
    # without spread between groups the quadratic has only one root
    pvalue = special.chdtrc(1, statistic)
    pvalue = np.where(spread.error == 0, units.pvalue(spread, 1.0), pvalue)
    limits = partial(_sign_limits, units, spread, sums, sizes, factor)
    return ComparisonResult(statistic, pvalue, total / sizes.sum(), limits)


def _sign_limits(
    units: Groups,
    spread: Spread,
    sums: FloatArray,
    sizes: FloatArray,
    factor: float,
    *,
    delta: float,
) -> Interval[FloatArray]:
    """Return all d with factor (S - N d)^2 <= c sum (S_g - n_g d)^2, around S / N."""
    # as a quadratic in x, a x^2 - 2 b x + d <= 0, an interval if a > 0
    c = special.chdtri(1, delta)
    total = sums.sum(axis=-1)
    n = sizes.sum()
    a = factor * n**2 - c * (sizes**2).sum()
    b = factor * total * n - c * (sums * sizes).sum(axis=-1)
    d = factor * total**2 - c * (sums**2).sum(axis=-1)
    root = np.sqrt(np.maximum(b**2 - a * d, 0.0))
    # if a = 0 there is no second root, and only the sign of the first is used
    low = ratio(b - root, a)
    high = ratio(b + root, a)
    if a <= 0:
        # too few groups to reject large d: only those between the roots around 0 are rejected, if 0
        # is
        side = np.where(d > 0, np.sign(total), 0.0)
        low = np.where(side > 0, np.maximum(low, 0), -1.0)
        high = np.where(side < 0, np.minimum(high, 0), 1.0)
    # equal groups give a double root and so no width; use the ends for equal groups instead
    alike = units.ends(spread, delta / 2, -1.0, 1.0)
    ends = np.clip([low, high], -1.0, 1.0)
    return Interval(*np.where(spread.error == 0, alike, ends))
