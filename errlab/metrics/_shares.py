"""The error in another population: other class fractions, weights, or help from machine labels.

Intervals from three kinds of samples that differ from the population of the claim: strata that were
sampled separately, weighted examples, and few examples with a true loss beside many with a
machine's judgement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks, rounding
from errlab._core.conditions import CASES
from errlab._core.evidence import Evidence, Method, evidence, method_key
from errlab._core.interval import Guarantee
from errlab._core.public import public
from errlab._core.statement import Statement
from errlab._numerics.groups import t_quantile
from errlab.bounds import interval
from errlab.metrics._groups import effective_ends
from errlab.metrics._rates import STRATIFIED, square_and_add, stratified

OF_WILSON = Method("square-and-add of Wilson intervals", key="square-and-add of Wilson intervals")
LINEAR = Method("linearised t", key="linearised t")
# Populations in which few examples have most of the weight, by their names in the table.
_FEW_HEAVY = (
    "a few examples weigh fifty times as much as others, and are wrong more often",
    "a few examples hold most of the weight, and are wrong more often",
)
_FEW_WRONG = 5.0  # if the effective number of errors is smaller, errors are rare
# if n is at least this many times the effective size, few examples have most of the weight
_UNEQUAL = 5.0
KORN = Method("Korn-Graubard", key="Korn-Graubard")


@dataclass(frozen=True, repr=False)
class PopulationMean(Statement):
    """A mean loss in another population than the sample's, with its interval.

    It prints as one sentence.

    Attributes
    ----------
    estimate : float
        The estimate.
    low, high : float
        Interval for the true mean.
    method : str
        The method of the interval.
    n : int
        Number of examples with a true loss.
    effective_size : float
        Number of examples from the population itself that would have the same variance; 0 if the
        variance can't be estimated.
    delta : float
        Probability that the interval may fail.
    guarantee : str
        What is proven about its coverage.
    """

    estimate: float
    low: float
    high: float
    method: str
    n: int
    effective_size: float
    delta: float
    guarantee: Guarantee

    @cached_property
    def evidence(self) -> Evidence:
        """The proof or measured coverage of such intervals; weighted ones by effective examples."""
        size, unit = float(self.n), "examples"
        statistics, signs = {}, {}
        if method_key(self.method) in (KORN.key, LINEAR.key):
            size, unit = self.effective_size, "effective examples"
            unequal = self.n / max(size, 1e-9)
            statistics = {"examples over effective examples": unequal}
            signs = dict.fromkeys(_FEW_HEAVY, unequal >= _UNEQUAL)
            signs["one example in a hundred is wrong"] = self.estimate * size < _FEW_WRONG
        return evidence(
            self.guarantee,
            self.method,
            size,
            unit,
            delta=self.delta,
            seen=statistics,
            signs=signs,
            n=self.n,
        )

    def warnings(self) -> list[str]:
        """Return a caution if the data resemble those for which such intervals are too short."""
        return list(filter(None, [self.evidence.weakness]))

    def conditions(self) -> list[str]:
        """Return the conditions under which the claim holds."""
        conditions = [
            "the examples are independent draws, within each stratum where there are such",
            CASES[1],
            "shares or weights are those of the population that the claim is about, and were not "
            "estimated from these examples",
            "within a stratum, or for a weight, the population has the errors that the examples "
            "were drawn from: what is rare among the examples and heavy there was met often enough",
        ]
        if "betting" in method_key(self.method):
            conditions.append("the largest weight or loss that was given can't be exceeded")
        return conditions

    def sentences(self) -> list[str]:
        """Return the value with its interval, the method with its guarantee, and the evidence."""
        proven = self.evidence
        return [
            *self.warnings(),
            f"{self.estimate:.3g}, {rounding.format_confidence(self.delta)} interval "
            f"{rounding.format_interval(self.low, self.high)}, from {self.n} examples that tell as "
            f"much as {self.effective_size:.0f} from the population itself.",
            f"Method: {self.method} ({proven.brief}).",
            *proven.beyond(proven.brief),
            *proven.elsewhere,
        ]


@public
def error_at_shares(
    losses: ArrayLike,
    strata: ArrayLike,
    shares: Mapping[Any, float],
    *,
    method: str = "auto",
    delta: float = 0.05,
) -> PopulationMean:
    r"""Error rate at given class fractions, from a test set with other fractions.

    A test set in which half of the examples are ill says little about a population with one in a
    hundred. But if the error rate of each class, or of another stratum, is the same in both, the
    error is

    .. math:: L = \sum_c w_c L_c

    with the population's fractions :math:`w_c`.

    Parameters
    ----------
    losses : array_like, shape (n,)
        The loss of each example, in [0, 1]; 0 or 1 for ``method="mover"``.
    strata : array_like, shape (n,)
        The class, or other stratum, of each example.
    shares : mapping of label to float
        The fraction of each stratum in the population that the claim is about; their sum is 1. A
        stratum of the sample that is not named has fraction 0.
    method : {"auto", "exact", "strata", "mover"}
        "auto": "exact" for graded losses and for up to two strata, otherwise "strata". "strata": at
        each end the wider of two asymptotic intervals, square-and-add of the strata's
        Clopper-Pearson intervals, and Clopper-Pearson's interval for the number of examples that
        has the same variance. In 18 settings with 3, 10 or 57 strata it covered 95.4 to 99.5% of
        1,000 simulated boards each, whereas "mover" covers as little as 87%; with many strata it is
        hardly wider. "exact": the weighted sum of the ends of the strata's Clopper-Pearson
        intervals (betting intervals for graded losses), each at level delta divided by their
        number. All of them contain the true value with probability 1 - delta, and so does the sum:
        proven for every sample. "mover": square-and-add of the strata's Wilson intervals at level
        delta (Newcombe 1998; Zou and Donner 2008), narrower and asymptotic. If one stratum has
        nearly all of the weight, its coverage is that of Wilson's interval (exactly 91.1% for
        fractions 0.99 and 0.01 of two strata of 50 examples with error rates of 1% and 10%).
    delta : float
        Probability that the interval may fail, in (0, 1).

    Returns
    -------
    PopulationMean

    Raises
    ------
    ValueError
        If the fractions don't sum to 1, one is negative, a stratum with a positive fraction has no
        example, a loss leaves [0, 1], or the lengths differ.
    TypeError
        If `shares` isn't a mapping.

    References
    ----------
    Clopper and Pearson (1934); Newcombe, Statistics in Medicine 17 (1998), 873-890; Zou and Donner,
    Statistics in Medicine 27 (2008), 1693-1702.

    Examples
    --------
    >>> losses = [1] * 10 + [0] * 90 + [1] * 3 + [0] * 97
    >>> classes = ["ill"] * 100 + ["well"] * 100
    >>> found = error_at_shares(losses, classes, {"ill": 0.01, "well": 0.99})
    >>> round(found.estimate, 4), round(found.low, 4), round(found.high, 4)
    (0.0307, 0.0052, 0.0951)
    >>> found.guarantee
    'finite sample'
    """
    values = checks.losses(losses)
    labels = checks.labels(strata, "strata")
    n = checks.same_length(losses=values, strata=labels)
    level = checks.one_delta(delta)
    checks.choice(method, "method", ("auto", "exact", "strata", "mover"))
    if not isinstance(shares, Mapping):
        raise TypeError(f"shares must be a mapping of labels to shares, got {checks.show(shares)}")
    named = {name: checks.one_mean(value, f"shares[{name!r}]") for name, value in shares.items()}
    total = sum(named.values())
    checks.require(abs(total - 1) <= 1e-9, "shares", "sum to 1", total)
    weights = {name: share for name, share in named.items() if share > 0}
    cases = []
    for name in weights:
        inside = values[[label == name for label in labels.tolist()]]
        rule = f"hold examples of {checks.show(name)}, which has a share"
        checks.require(inside.size, "strata", rule, 0)
        cases.append(inside)
    # one entry for each stratum with a positive fraction
    w = np.array(list(weights.values()))
    means, sizes = np.array([(inside.mean(), len(inside)) for inside in cases]).T
    value = w @ means
    variance = w**2 @ (means * (1 - means) / sizes)
    size = value * (1 - value) / variance if variance > 0 else 0.0
    graded = values[~np.isin(values, (0, 1))]
    binary = not graded.size
    if method == "auto":
        method = "strata" if binary and len(cases) > 2 else "exact"
    if method == "strata":
        if not binary:
            raise ValueError(
                f'losses must be 0 or 1 for "strata", got {graded[0]:.4g}; take "exact"'
            )
        ends = stratified(w, np.rint(means * sizes), sizes, level)
        return _clipped_mean(value, ends, STRATIFIED, n, size, level, "asymptotic")
    if method == "mover":
        if not binary:
            raise ValueError(
                f'losses must be 0 or 1 for "mover", got {graded[0]:.4g}; take "exact"'
            )
        ends = square_and_add(w, means, interval("WIL", means, sizes, delta=level))
        return _clipped_mean(value, ends, OF_WILSON, n, size, level, "asymptotic")
    # by a union bound all strata's intervals are valid at once, and so is that of the sum
    key, name = ("CP", "Clopper-Pearson") if binary else ("BET", "betting")
    intervals = [interval(key, losses=inside, delta=level / len(cases)) for inside in cases]
    how = f"{name} intervals of the strata"
    return _clipped_mean(value, w @ np.array(intervals), how, n, size, level, "finite sample")


@public
def weighted_error(
    losses: ArrayLike,
    weights: ArrayLike,
    *,
    method: str = "korn_graubard",
    largest: float | None = None,
    delta: float = 0.05,
) -> PopulationMean:
    r"""Mean loss of weighted examples, each of which stands for more or fewer than one.

    An example that was drawn with probability :math:`q_i` instead of :math:`p_i` has the weight
    :math:`w_i = p_i / q_i`.

    Parameters
    ----------
    losses : array_like, shape (n,)
        The loss of each example, in [0, 1]; any finite number for ``method="linear"``.
    weights : array_like, shape (n,)
        The weight of each example, at least 0, not all 0.
    method : {"korn_graubard", "linear", "betting"}
        "korn_graubard": Clopper-Pearson's interval for the effective number of examples; only
        ratios of weights matter; asymptotic. It covered 94 to 99% when "linear" covered 67 to 95%
        (20 to 1,000 examples, log-normal weights with sigma 0.5 to 1.5, independent of the losses).
        It covers far less if a few examples in a hundred have fifty times the weight and are wrong
        more often; the printed result depends on the effective number. That number is the smaller
        of Kish's, :math:`(\sum w_i)^2 / \sum w_i^2`, and of :math:`s^2` divided by the variance of
        "linear", which allows for losses that depend on the weights. Here :math:`s^2 = \sum w_i
        (\ell_i - \hat L)^2 / \sum w_i`; graded losses are worth :math:`\hat L (1 - \hat L) / s^2`
        times as many examples. "linear": :math:`\hat L = \sum w_i \ell_i / \sum w_i` with Student's
        interval from :math:`\sum w_i^2 (\ell_i - \hat L)^2 / (\sum w_i)^2`; asymptotic. "betting":
        the mean of :math:`w_i \ell_i`, a loss in [0, largest], by the betting bound: proven for
        every sample, if the weights are the true ratios of probabilities, whose mean is 1.
    largest : float, optional
        For "betting": the largest possible weight, which may be larger than all weights here.
    delta : float
        Probability that the interval may fail, in (0, 1).

    Returns
    -------
    PopulationMean
        Its effective size is Kish's, or for "korn_graubard" the smaller one described above.

    Raises
    ------
    ValueError
        If the lengths differ, a weight is negative, fewer than two examples have a weight, all
        losses with a weight are equal (for "linear": its interval would have width 0), or `largest`
        is missing or too small.
    TypeError
        If an argument isn't a number.

    References
    ----------
    Hájek, comment in Foundations of Statistical Inference (1971); Kish, Survey Sampling (1965);
    Korn and Graubard, Survey Methodology 24 (1998), 193-201;
    Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86 (2024).

    Examples
    --------
    >>> losses, weights = [1, 0, 0, 1, 0, 0] * 20, [0.5, 1.5, 1, 0.5, 1.5, 1] * 20
    >>> found = weighted_error(losses, weights)
    >>> round(found.estimate, 4), round(found.low, 4), round(found.high, 4)
    (0.1667, 0.1004, 0.253)
    >>> weighted_error(losses, weights, method="betting", largest=2).guarantee
    'finite sample'
    """
    level = checks.one_delta(delta)
    checks.choice(method, "method", ("korn_graubard", "linear", "betting"))
    limit = checks.LARGE
    values = checks.within(losses, "losses", -limit, limit, ndim=1)
    w = checks.within(weights, "weights", 0, limit, ndim=1)
    n = checks.same_length(losses=values, weights=w)
    many = int(np.count_nonzero(w))
    checks.require(many >= 2, "weights", "be above 0 for at least 2 examples", many)
    # only ratios of weights matter, and the squares of these can't overflow
    unit = w / w.max()
    total = unit.sum()
    size = total**2 / (unit @ unit)
    if (largest is None) == (method == "betting"):
        raise ValueError('largest must be given for method "betting", and for no other')
    if largest is not None:
        top = float(checks.within(largest, "largest", 0, limit, open_low=True, ndim=0))
        checks.require(top >= w.max(), "largest", f"be at least every weight, {w.max():g}", top)
        # w l / largest is a loss in [0, 1] with the mean L / largest
        ends = top * np.array(interval("BET", losses=w * values / top, delta=level))
        how = "betting on weighted losses"
        return _clipped_mean((w * values).mean(), ends, how, n, size, level, "finite sample")
    bounded = values.min() >= 0 and values.max() <= 1
    value = unit @ values / total
    squares = unit**2 @ (values - value) ** 2
    if method == "linear":
        used = values[unit > 0]
        rule = "differ for method='linear' (take 'korn_graubard' where they do not)"
        checks.require(np.ptp(used) > 0, "losses", rule, used[0])
        half = t_quantile(many - 1, level / 2) * np.sqrt(squares * many / (many - 1)) / total
        ends = value + half * np.array([-1, 1])
        return _clipped_mean(value, ends, LINEAR, n, size, level, "asymptotic", bounded=bounded)
    if not bounded:
        outside = values[(values < 0) | (values > 1)][0]
        rule = f'losses must lie in [0, 1] for "korn_graubard", got {outside:.4g}'
        raise ValueError(f'{rule}; take method="linear"')
    # s^2: the variance of one example of the population
    variance = unit @ (values - value) ** 2 / total
    trials = size
    if variance > 1e-12:  # equal losses don't show their spread
        size = min(size, variance * total**2 / squares)
        trials = size * value * (1 - value) / variance
    effective = effective_ends(trials, value, level / 2)
    return _clipped_mean(value, effective, KORN, n, size, level, "asymptotic")


def _clipped_mean(
    estimate: float,
    ends: ArrayLike,
    method: str,
    n: int,
    size: float,
    delta: float,
    guarantee: Guarantee,
    *,
    bounded: bool = True,
) -> PopulationMean:
    """Return the estimate in its interval, both clipped to [0, 1] if the losses are."""
    numbers = np.append(ends, estimate)
    low, high, value = (np.clip(numbers, 0, 1) if bounded else numbers).tolist()
    first, last = min(low, value), max(high, value)
    return PopulationMean(value, first, last, method, n, float(size), delta, guarantee)


@public
def prediction_powered(
    losses: ArrayLike,
    judged: ArrayLike,
    judged_more: ArrayLike,
    *,
    method: str = "tuned",
    delta: float = 0.05,
) -> PopulationMean:
    r"""Prediction-powered inference: a mean loss from few true losses and many machine judgments.

    A machine's judgement is cheap, but biased. On the n examples with both, its bias is estimated,
    and then subtracted from its mean on the N others:

    .. math:: \hat L = \lambda \, \bar f_N + \frac1n \sum_{i \le n} (\ell_i - \lambda f_i), \qquad
              \widehat{\mathrm{var}} = \frac{\lambda^2 s^2_{f,N}}{N}
              + \frac{s^2_{\ell - \lambda f}}{n}

    For the difference of two systems, use the differences of their losses, both true and judged.

    A machine that is rarely wrong may show no bias on few examples, and an interval from their
    spread is then too narrow. So :math:`\lambda`, the variance and the middle of the interval are
    computed with two additional examples on which the machine is as wrong as possible, once in each
    direction, as Bonett and Price do for paired proportions: a loss of m judged 0, and a loss of 0
    judged m, with m the largest absolute value in the data. The estimate doesn't use them.

    Parameters
    ----------
    losses : array_like, shape (n,)
        True losses, or differences of losses; any finite numbers, at least 2.
    judged : array_like, shape (n,)
        The machine's judgements of the same examples.
    judged_more : array_like, shape (N,)
        Its judgements of other examples from the same population, at least 2.
    method : {"tuned", "plain", "betting"}
        "tuned": the :math:`\lambda` with the smallest estimated variance, clipped to [0, 1], so
        that a useless machine does little harm (PPI++). "plain": :math:`\lambda = 1`. Both have
        Student's interval, which is asymptotic. "tuned" covered 94.5 to 100% (20 to 400 true
        losses, errors of 1 to 90%, a machine wrong on 0.5 to 30%), but 9 to 95% without the two
        additional examples. "betting": :math:`\lambda = 1`, with betting bounds for both means,
        each at half of delta: proven for every sample, for losses and judgements in [0, 1].
    delta : float
        Probability that the interval may fail, in (0, 1).

    Returns
    -------
    PopulationMean
        Its effective size is the number of true losses that would alone be as precise.

    Raises
    ------
    ValueError
        If `losses` and `judged` differ in length, there are fewer than 2 examples, a number is not
        finite or, for "betting", leaves [0, 1], or the variance can't be estimated.
    TypeError
        If a loss is not a number.

    References
    ----------
    Angelopoulos, Bates, Fannjiang, Jordan and Zrnic, Science 382 (2023), 669-674; Angelopoulos,
    Duchi and Zrnic, "PPI++" (2023), Example 6.1, for lambda; Bonett and Price, Journal of
    Educational and Behavioral Statistics 37 (2012), 479-488.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth = (rng.random(2100) < 0.2).astype(float)
    >>> machine = np.where(rng.random(2100) < 0.1, 1 - truth, truth)
    >>> found = prediction_powered(truth[:100], machine[:100], machine[100:])
    >>> found.n, bool(found.effective_size > 130)
    (100, True)
    """
    level = checks.one_delta(delta)
    checks.choice(method, "method", ("tuned", "plain", "betting"))
    low, high = (0.0, 1.0) if method == "betting" else (-checks.LARGE, checks.LARGE)
    columns = {"losses": losses, "judged": judged, "judged_more": judged_more}
    true, machine, more = (
        checks.within(value, name, low, high, ndim=1) for name, value in columns.items()
    )
    n = checks.same_length(losses=true, judged=machine)
    fewest = min(n, len(more))
    checks.require(fewest >= 2, "losses and judged_more", "hold at least 2 examples", fewest)
    every = np.concatenate([true, machine, more])
    top = np.abs(every).max()
    # add two examples with the largest possible disagreement, one in each direction
    all_true, all_machine = np.append(true, [top, 0.0]), np.append(machine, [0.0, top])
    share = 1.0
    if method == "tuned":
        spread = np.var(np.concatenate([all_machine, more]), ddof=1)
        together = np.cov(all_true, all_machine)[0, 1]
        # the lambda with the smallest variance: PPI++, Example 6.1
        share = 0.0
        if spread > 0:
            best = together / ((1 + len(all_true) / len(more)) * spread)
            share = np.clip(best, 0, 1)
    value = share * more.mean() + (true - share * machine).mean()
    bounded = every.min() >= 0 and every.max() <= 1
    # the machine's bias, estimated from the true losses
    bias = all_true - share * all_machine
    variance = share**2 * more.var(ddof=1) / len(more) + bias.var(ddof=1) / len(bias)
    size = n / len(bias) * all_true.var(ddof=1) / variance if variance > 0 else 0.0
    if method == "betting":
        # intervals for the machine's mean and its bias in [-1, 1], each at half of delta
        part = interval("BET", losses=more, delta=level / 2)
        off = interval("BET", losses=(1 + true - machine) / 2, delta=level / 2)
        ends = np.array(part) + 2 * np.array(off) - 1
        return _clipped_mean(value, ends, "betting on both means", n, size, level, "finite sample")
    rule = "not all be 0, where no variance can be seen: take method='betting'"
    checks.require(variance > 0, "losses and judgements", rule, 0)
    middle = share * more.mean() + bias.mean()
    half = t_quantile(n - 1, level / 2) * np.sqrt(variance)
    how = Method(f"prediction-powered, lambda {share:.3g}", key="prediction-powered")
    ends = middle + half * np.array([-1, 1])
    return _clipped_mean(value, ends, how, n, size, level, "asymptotic", bounded=bounded)
