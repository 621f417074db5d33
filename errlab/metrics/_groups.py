"""The mean loss of examples in groups, with intervals that allow for the groups.

Several examples of one patient, or several answers to one prompt, are similar, and an interval that
treats them as independent is too narrow. The units of sampling are the groups.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import ROUND_CEILING

import numpy as np
from numpy.typing import ArrayLike

from errlab import bounds
from errlab._core import checks, rounding
from errlab._core.conditions import CASES, GROUPS_DRAWN, LARGEST_GROUP
from errlab._core.exports import Result
from errlab._core.interval import Guarantee, Interval
from errlab._core.public import public
from errlab._numerics.groups import Groups, Spread, grouped, t_quantile
from errlab._numerics.roots import NONE, beta_quantile
from errlab.bounds._group_betting import group_interval

_LEAST = 1e-9  # effective sizes are at least this, to avoid dividing by 0


@dataclass(frozen=True, repr=False)
class GroupedMean(Result):
    """A mean loss over examples in groups, and its interval.

    Attributes
    ----------
    estimate : float
        Mean loss over all examples.
    low, high : float
        Two-sided interval for the true mean.
    upper : float
        One-sided upper bound for the true mean.
    standard_error : float
        Cluster-robust standard error of `estimate`.
    n, groups : int
        Numbers of examples and groups.
    design_effect : float or None
        Ratio of the variance to that of as many independent examples; None if all losses are equal,
        so that it can't be estimated.
    effective_size : float
        Number of independent examples with the same precision.
    effective_groups : float
        Number of groups of the same size with the same precision (Kish).
    df : float
        Degrees of freedom: Satterthwaite's for `grouped_t`, the effective number of groups minus
        one for `korn_graubard`; for `grouped_betting`, which needs none, those of the standard
        error.
    delta : float
        Probability that a claim may fail.
    guarantee : str
        What is proven about the coverage: "finite sample" for `grouped_betting`, and if groups of
        the same size each count as one example; otherwise "asymptotic", for many groups only.
    """

    estimate: float
    low: float
    high: float
    upper: float
    standard_error: float
    n: int
    groups: int
    design_effect: float | None
    effective_size: float
    effective_groups: float
    df: float
    delta: float
    guarantee: Guarantee

    def conditions(self) -> list[str]:
        """Return the conditions under which the claim holds; for bets also the largest group."""
        bets = [LARGEST_GROUP] if self.guarantee == "finite sample" else []
        return [GROUPS_DRAWN, *bets, CASES[1]]

    def __repr__(self) -> str:
        """Return the mean with its interval, and its upper bound with the guarantee."""
        sure = rounding.format_confidence(self.delta)
        size = ""
        if self.design_effect is not None:
            size = f"; they tell as much as {self.effective_size:.3g} independent examples"
        return (
            f"A mean of {self.estimate:.3g} over {self.n} examples in {self.groups} groups, {sure} "
            f"interval {rounding.format_interval(self.low, self.high)}.\nWith {sure} confidence it "
            f"is at most {rounding.significant(self.upper, 3, ROUND_CEILING)} "
            f"({self.guarantee}{size})."
        )


def design_effect_of(spread: Spread) -> float | None:
    """Return the ratio of the variance to that of independent examples; None without any spread."""
    return float((spread.error / spread.independent) ** 2) if spread.independent > 0 else None


@public
def group_means(losses: ArrayLike, *, groups: ArrayLike) -> checks.FloatArray:
    r"""Return the mean loss of each group.

    If groups have equal weights, they are the examples, and these means are their losses. So any
    bound for losses in [0, 1] is valid for them, such as ``bounds.interval("BET", losses=...)``,
    for every number of groups. It is about the mean over groups, which equals the mean over
    examples if all groups have the same size, or if sizes and losses are independent.

    Parameters
    ----------
    losses : array_like, shape (n,)
        The loss of each example; any finite numbers.
    groups : array_like, shape (n,)
        The group of each example; at least 2 of them.

    Returns
    -------
    ndarray, shape (G,)
        The means, with groups in sorted order.

    Raises
    ------
    ValueError, TypeError
        If a loss is not a finite number, the lengths differ, or there is one group only.

    Examples
    --------
    >>> group_means([0, 1, 1, 1], groups=["ann", "ann", "bob", "bob"])
    array([0.5, 1. ])
    """
    values = checks.numbers(losses, "losses", ndim=1)
    units = grouped(groups, len(values))
    return units.sums(values) / units.sizes


@public
def design_effect(losses: ArrayLike, *, groups: ArrayLike) -> float:
    r"""Return the ratio of the variance of the mean to that of as many independent examples.

    .. math:: \mathrm{deff} = \frac{\sum_g \frac{e_g^2}{1 - n_g / n} / n^2}
              {\sum_i (\ell_i - \hat L)^2 / (n(n-1))}, \quad
              e_g = \sum_{i \in g} (\ell_i - \hat L)

    For G groups of m examples whose losses correlate by :math:`\rho` it estimates :math:`1 +
    (m-1)\rho`: 1 for independent examples, m for copies. So n examples are as precise as n / deff
    independent ones.

    Parameters
    ----------
    losses : array_like, shape (n,)
        The loss of each example; any finite numbers, not all equal.
    groups : array_like, shape (n,)
        The group of each example; at least 2 of them.

    Returns
    -------
    float
        The design effect, at least 0.

    Raises
    ------
    ValueError, TypeError
        If all losses are equal, a loss is not a finite number, the lengths differ, or there is
        one group only.

    References
    ----------
    Kish, Survey Sampling (1965); Miller, "Adding error bars to evals" (2024), for the variance in
    the evaluation of language models.

    Examples
    --------
    >>> round(design_effect([0, 0, 0, 1, 1, 1, 0, 0, 0], groups=[1, 1, 1, 2, 2, 2, 3, 3, 3]), 4)
    4.0
    """
    values = checks.within(losses, "losses", -checks.LARGE, checks.LARGE, ndim=1)
    effect = design_effect_of(grouped(groups, len(values)).spread(values))
    if effect is None:
        raise ValueError(f"losses must not all be equal, got {values[0]:g} only: no group differs")
    return effect


@public
def grouped_betting(
    losses: ArrayLike,
    *,
    groups: ArrayLike,
    delta: float = 0.05,
    max_group_size: int | None = None,
) -> GroupedMean:
    r"""Betting interval for a mean loss over groups, proven for every number of groups.

    To test a candidate rate r, a gambler stakes the same fraction of the capital on each group and
    bets that its errors :math:`e_g` are fewer than r times its examples :math:`s_g`. With at most M
    examples in a group,

    .. math:: K(r) = \frac1J \sum_j \prod_g \left( 1 + f_j(r)\, \frac{r s_g - e_g}{M (1 - r)}
              \right), \quad f_j(r) = \min\left( 1, c_j \sqrt{\frac{1 - r}{r}} \right),

    with several stakes :math:`c_j` between :math:`\sqrt{2 \log(1/\delta) / G}` and 1. At the true
    mean over examples, E[e] / E[s], each factor has mean 1, so K reaches :math:`1/\delta` with
    probability at most :math:`\delta` (Markov). The bound is the largest r with :math:`K(r) <
    1/\delta`; the lower end comes from the same bets on one minus each loss.

    Names of groups and the order of rows don't matter, and one more error never lowers the bound.
    Without errors in G groups of the same size it is :math:`1 - \delta^{1/G}`. For groups of one
    example it is the exact interval of Clopper and Pearson.

    Parameters
    ----------
    losses : array_like, shape (n,)
        The loss of each example, in [0, 1].
    groups : array_like, shape (n,)
        The group of each example; at least 2 of them.
    delta : float
        Probability that the interval may fail, in (0, 1).
    max_group_size : int, optional
        The largest possible size of a group in the population; by default that of the largest group
        here. The claim is valid only if no group of the population is larger, so give the size if
        larger groups, which may be harder, can occur.

    Returns
    -------
    GroupedMean

    Raises
    ------
    ValueError, TypeError
        If a loss isn't a number in [0, 1], the lengths differ, there is one group only, `delta`
        leaves (0, 1), or a group is larger than `max_group_size`.

    References
    ----------
    Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86 (2024), 1-27, for bets
    on a bounded mean; the ratio of errors to examples, and the stakes, are ours.

    Examples
    --------
    >>> ten_patients = [number // 30 for number in range(300)]
    >>> found = grouped_betting([0] * 300, groups=ten_patients)
    >>> round(found.upper, 4), round(1 - 0.05 ** (1 / 10), 4)
    (0.2589, 0.2589)
    >>> round(grouped_betting([1] + [0] * 299, groups=ten_patients).upper, 4)
    0.2614
    """
    level = checks.one_delta(delta)
    values = checks.losses(losses)
    units = grouped(groups, len(values), max_group_size=max_group_size)
    rate = bool(np.isin(values, (0, 1)).all())
    t_interval = mean_of(values, units, level, bounded=True)
    if rate and units.max_size == 1:
        upper = bounds.upper("CP", losses=values, delta=level)
        ends = bounds.interval("CP", losses=values, delta=level)
    else:
        upper, ends = group_interval(
            units.sums(values), units.sizes, units.max_size, level, rate=rate
        )
    return replace(t_interval, low=ends.low, high=ends.high, upper=upper, guarantee="finite sample")


@public
def grouped_t(losses: ArrayLike, *, groups: ArrayLike, delta: float = 0.05) -> GroupedMean:
    r"""Cluster-robust t interval for a mean loss, corrected for few and unequal groups.

    .. math:: \hat L \pm t_\nu \sqrt{\sum_g \frac{e_g^2}{1 - n_g / n}} \Big/ n, \quad
              e_g = \sum_{i \in g} (\ell_i - \hat L)

    with the standard error CR2 and Satterthwaite's degrees of freedom :math:`\nu`: G - 1 for G
    groups of the same size, fewer if some groups contain most of the examples. For groups of the
    same size it is Student's t interval of the group means; for groups of one example, that of the
    losses. It is for any loss. With few groups, or few groups with errors, it is still too narrow.

    Parameters
    ----------
    losses : array_like, shape (n,)
        The loss of each example; any finite numbers.
    groups : array_like, shape (n,)
        The group of each example; at least 2 of them.
    delta : float
        Probability that the interval may fail, in (0, 1).

    Returns
    -------
    GroupedMean

    Raises
    ------
    ValueError, TypeError
        If a loss is not a finite number, the lengths differ, there is one group only, `delta`
        leaves (0, 1), or all groups have the same mean, so that their spread can't be estimated.

    References
    ----------
    Bell and McCaffrey, Survey Methodology 28 (2002), 169-181; Liang and Zeger, Biometrika 73
    (1986), 13-22.

    Examples
    --------
    >>> found = grouped_t([0, 0, 1, 1, 0, 1, 0, 0], groups=[1, 1, 2, 2, 3, 3, 4, 4])
    >>> round(found.estimate, 4), round(found.low, 4), round(found.high, 4)
    (0.375, -0.3867, 1.1367)
    >>> found = grouped_t([0, 0, 1, 0, 0, 0, 1, 1], groups=[1, 1, 1, 1, 1, 2, 3, 3])
    >>> round(found.effective_groups, 2), round(found.df, 2)
    (2.13, 1.47)
    """
    values = checks.within(losses, "losses", -checks.LARGE, checks.LARGE, ndim=1)
    result = mean_of(values, groups, checks.one_delta(delta), bounded=False)
    rule = "have other means in some groups (errlab.report says what is proven where not)"
    checks.require(result.standard_error > 0, "losses", rule, result.estimate)
    return result


def mean_of(
    values: checks.FloatArray, groups: ArrayLike | Groups, delta: float, *, bounded: bool
) -> GroupedMean:
    """Return the cluster-robust t interval of values, clipped to [0, 1] if they are `bounded`.

    If all groups have the same mean, the interval is that of `Groups.ends` for such groups.
    """
    low, high = (0.0, 1.0) if bounded else (-np.inf, np.inf)
    units = grouped(groups, len(values))
    spread = units.spread(values)
    effect = design_effect_of(spread)
    if bounded:
        spread = spread.at_least_independent()
    ends = units.ends(spread, delta / 2, low, high)
    upper = units.ends(spread, delta, low, high).high
    size = units.number if effect is None else len(values) / max(1.0, effect)
    return GroupedMean(
        float(spread.mean), float(ends.low), float(ends.high), float(upper), float(spread.error),
        len(values), units.number, effect, float(size), units.effective,
        units.df, delta, "finite sample" if spread.error == 0 and units.one_size else "asymptotic",
    )  # fmt: skip


@public
def korn_graubard(
    losses: ArrayLike, *, groups: ArrayLike | Groups, delta: float = 0.05
) -> GroupedMean:
    r"""Clopper-Pearson's interval for an error rate, with the effective number of examples.

    .. math:: n^* = \frac{n}{\max(1, \mathrm{deff})}
              \left( \frac{t_{n-1}}{t_\nu} \right)^2, \quad
              k^* = n^* \hat L, \quad \nu = \frac{1}{\sum_g (n_g / n)^2} - 1,

    with the design effect of `grouped_t`, quantiles of Student's t at half of `delta`, and one
    degree of freedom less than the effective number of groups: for groups of the same size the G -
    1 of Korn and Graubard. The ends are quantiles of beta distributions, :math:`\mathrm{Beta}(k^*,
    n^* - k^* + 1)` and :math:`\mathrm{Beta}(k^* + 1, n^* - k^*)`. For groups of one example it is
    Clopper-Pearson's interval, for which the effective size is n/(n-1) times that of R's survey
    package.

    If all examples are right, or all wrong, the design effect can't be estimated. Then :math:`n^* =
    G`, the worst case, in which the examples of each group are copies. That end is proven for any
    number of groups of the same size, because a group has no mistake with probability at most
    :math:`1 - L`. For unequal groups it is proven only for the mean over groups, because the large
    groups, which contain most of the examples, may be few and wrong. A single error shows hardly
    more, so the upper end is at least the fraction of examples in groups that may exist but are
    missing in the sample, and are completely wrong. If these are a fraction :math:`s = 1 -
    \delta^{1/G}` of the groups, of the largest size M, and the mean size is :math:`\bar m`, it is
    :math:`s M / (s M + (1 - s) \bar m)`, which is s for groups of the same size. The lower end is
    at most the corresponding value for errors only. With few groups that have an error the interval
    is still too narrow; `grouped_betting` is not.

    Parameters
    ----------
    losses : array_like, shape (n,)
        The loss of each example, 0 or 1.
    groups : array_like, shape (n,)
        The group of each example; at least 2 of them.
    delta : float
        Probability that the interval may fail, in (0, 1).

    Returns
    -------
    GroupedMean

    Raises
    ------
    ValueError, TypeError
        If a loss is not 0 or 1, the lengths differ, there is one group only, or `delta` leaves
        (0, 1).

    References
    ----------
    Korn and Graubard, Survey Methodology 24 (1998), 193-201; Kish, Survey Sampling (1965), for the
    effective groups; the cap of the effective size at n is that of the National Center for Health
    Statistics, Vital and Health Statistics 2:175 (2017).

    Examples
    --------
    >>> found = korn_graubard([0, 0, 1, 1, 0, 1, 0, 0], groups=[1, 1, 2, 2, 3, 3, 4, 4])
    >>> round(found.effective_size, 4), round(found.low, 4), round(found.high, 4)
    (2.5812, 0.0085, 0.9419)
    """
    level = checks.one_delta(delta)
    values = checks.losses(losses)
    graded = values[(values > 0) & (values < 1)]
    if graded.size:
        raise ValueError(
            f"losses must be 0 or 1, got {graded[0]:.4g}; for graded losses take grouped_t"
        )
    units = grouped(groups, len(values))
    t_interval = mean_of(values, units, level, bounded=True)
    # at least a tiny number, because the effective number of groups may be close to 1
    df = max(t_interval.effective_groups - 1, _LEAST)
    size = t_interval.effective_size
    # without a design effect there is nothing to correct for
    if t_interval.design_effect is not None:
        shrunk = (t_quantile(t_interval.n - 1, level / 2) / t_quantile(df, level / 2)) ** 2
        size = max(size * shrunk, _LEAST)
    low, high = effective_ends(size, t_interval.estimate, level / 2)
    upper = effective_ends(size, t_interval.estimate, level).high
    ends = replace(t_interval, low=low, high=high, upper=upper, effective_size=size, df=df)
    return with_unmet(ends, units)


def with_unmet(interval: GroupedMean, units: Groups) -> GroupedMean:
    """Widen the interval to at least the one for no error (or only errors) in this many groups.

    A sample of G groups can't exclude that a fraction of the other groups is completely wrong.
    Those may have the largest size, and then contain a larger fraction of the examples.
    """
    unmet = 1 - np.array([interval.delta, interval.delta / 2]) ** (1 / units.number)
    of_cases = unmet * units.max_size / (unmet * units.max_size + (1 - unmet) * units.sizes.mean())
    wrong, wrong_half = of_cases.tolist()
    return replace(
        interval,
        upper=max(interval.upper, wrong),
        low=min(interval.low, 1 - wrong_half),
        high=max(interval.high, wrong_half),
    )


def effective_ends(size: float, mean: float, tail: float) -> Interval:
    """Return Clopper-Pearson's interval for a number of examples that may be fractional."""
    # upper ends of the rates of errors and of hits; the complement of the second is the lower end
    means = np.array([mean, 1 - mean])
    a, b = size * means + 1, np.maximum(size * (1 - means), NONE)
    # 1 - tail would lose the digits of a small tail
    high, complement = beta_quantile(b, a, tail).complement.tolist()
    return Interval(1 - complement, high)
