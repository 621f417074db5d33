"""Claims about a mean loss or a mean difference, for all reports and tables.

Losses lie in [0, 1]. Losses of 0 and 1 get Clopper and Pearson's interval, graded losses a betting
interval or Student's t. If examples come in groups, the groups are the independent units, with
betting intervals; the mean is that over examples.
"""

import math
from typing import NamedTuple

import numpy as np

from errlab import bounds
from errlab._core import checks, rounding
from errlab._core.checks import FloatArray, FloatOrArray
from errlab._core.conditions import ORDER as ORDER
from errlab._core.evidence import Method
from errlab._core.interval import Guarantee, Interval
from errlab._numerics.groups import Groups, grouped
from errlab.bounds._betting import log_capital
from errlab.bounds._bound import ask
from errlab.bounds._group_betting import (
    GroupBets,
    group_difference,
    group_interval,
    group_pvalue,
)
from errlab.compare import _fay_lumbard as fay_lumbard
from errlab.compare._mcnemar import mcnemar_exact
from errlab.compare._result import settle
from errlab.metrics._groups import korn_graubard, mean_of, with_unmet

# The methods for one mean.
BETTING = Method("betting bound, the examples read in a random order", key="betting bound")
BETTING_GROUPS = Method("bets on the groups", key="bets on the groups")
EXACT = Method("exact one-sided Clopper-Pearson bound", key="Clopper-Pearson")
T = Method("one-sided t bound", key="t bound")
KORN = Method("one-sided bound of Korn and Graubard", key="Korn and Graubard")
ALIKE = Method(
    "bound that takes each group for one example, as all groups have one mean", key="groups alike"
)
ROBUST = Method("one-sided cluster-robust t bound", key="cluster-robust t")
# The methods for a mean difference.
MCNEMAR = Method("exact McNemar test", key="exact McNemar test")
BETS = Method("betting on the differences, read in a random order", key="bets on differences")
BETS_GROUPS = Method("bets on the differences of the groups", key="bets on groups' differences")
MELDED = Method("interval of Fay and Lumbard", key="Fay and Lumbard")
T_TEST = Method("t test", key="t test")
ROBUST_TEST = Method("cluster-robust t test", key="cluster-robust t test")
ALL_ALIKE = Method("bound for differences that are all equal", key="differences alike")
AGREE = Method(
    "all groups have one mean difference, and each is taken for one example", key="groups agree"
)
BET_KEYS = {bet.key for bet in (BETTING, BETTING_GROUPS, BETS, BETS_GROUPS)}
# The method that compares pairs, and its guarantee, by engine and whether examples are grouped.
TESTS: dict[tuple[str, bool], tuple[str, Guarantee]] = {
    ("proven", False): (BETS, "finite sample"),
    ("proven", True): (BETS_GROUPS, "finite sample"),
    ("t", False): (T_TEST, "asymptotic"),
    ("t", True): (ROBUST_TEST, "asymptotic"),
}
# The conditions of the betting methods.
LARGEST = "no group of that population has more than {most} examples"
ONE_SIZE = "all groups of that population are of one size, as those of the test set are"
ONE_CASE = (
    "no group of that population has more than one example, as none has here; of {groups} groups "
    "so drawn up to {share} could have more without being met, at that confidence"
)


def largest_condition(most: int, met: float, groups: int, delta: float) -> str:
    """Return the condition on the size of groups, and the risk if the size wasn't given.

    `met` is the size of the largest group of the test set. If a fraction s of the population's
    groups were larger, none of G groups would be larger with probability (1 - s)^G.
    """
    condition = LARGEST.format(most=most)
    if met < most - 0.5:  # the user gave the largest size
        return condition
    share = rounding.percent(1 - delta ** (1 / groups), math.ceil)
    return (
        f"{condition}; that is the largest one here, and {groups} groups cannot exclude, at that "
        f"confidence, that up to {share} of the population's groups are larger"
    )


def one_case_condition(groups: int, delta: float) -> str:
    """Return the condition for treating groups of size one as independent examples."""
    share = rounding.percent(1 - delta ** (1 / groups), math.ceil)
    return ONE_CASE.format(groups=groups, share=share)


Units = Groups | None  # the groups, if there are any
# one seed, so that all bets read the losses in the same order
Draws = np.random.SeedSequence | None


class Claim(NamedTuple):
    """An estimate with its interval and guarantee.

    Attributes
    ----------
    estimate : float
        A mean loss, a mean difference, or the value of a metric.
    low, high : float
        Two-sided interval.
    method : str
        The method of the interval.
    guarantee, interval_guarantee : str
        What is proven about the level of the test, if there is one, and about the interval.
    upper : float
        One-sided upper bound for a mean loss; nan for other estimates.
    pvalue : float
        P-value of a difference, by the same test; nan for other estimates.
    """

    estimate: float
    low: float
    high: float
    method: str
    guarantee: Guarantee
    interval_guarantee: Guarantee
    upper: float = math.nan
    pvalue: float = math.nan


def _of_mean(
    mean: float,
    upper: FloatOrArray,
    ends: Interval[FloatOrArray],
    method: str,
    guarantee: Guarantee,
) -> Claim:
    """Return the claim about one mean."""
    low, high = map(float, ends)
    return Claim(float(mean), low, high, method, guarantee, guarantee, upper=float(upper))


def of_difference(
    gap: float,
    ends: Interval[FloatOrArray],
    pvalue: float,
    delta: float,
    method: str,
    guarantees: tuple[Guarantee, Guarantee],
) -> Claim:
    """Return the claim about a difference, which excludes 0 if and only if p is at most `delta`."""
    # test and interval are computed in two ways, so rounding could make them disagree
    low, high = map(float, settle(ends, pvalue, gap, delta))
    return Claim(float(gap), low, high, method, *guarantees, pvalue=float(pvalue))


def mean_claim(
    losses: FloatArray,
    delta: float,
    *,
    rate: bool,
    units: Units,
    seed: Draws,
    method: str = "proven",
) -> Claim:
    """Return the claim about the mean of losses; `rate` means that all of them are 0 or 1."""
    if units is None and rate:
        return count_claim(int(losses.sum()), len(losses), delta)
    average = float(losses.mean())
    if method == "proven" and units is None:
        ends = bounds.interval("BET", losses=losses, delta=delta, rng=seed)
        upper = bounds.upper("BET", losses=losses, delta=delta, rng=seed)
        return _of_mean(average, upper, ends, BETTING, "finite sample")
    if units is not None and method == "proven":
        upper, ends = group_interval(
            units.sums(losses), units.sizes, units.max_size, delta, rate=rate
        )
        return _of_mean(average, upper, ends, BETTING_GROUPS, "finite sample")
    if units is None:
        # Student's t is the cluster-robust t with groups of size one
        mean, words = mean_of(losses, np.arange(len(losses)), delta, bounded=True), T
    elif rate:
        mean, words = korn_graubard(losses, groups=units, delta=delta), KORN
    else:
        mean, words = with_unmet(mean_of(losses, units, delta, bounded=True), units), ROBUST
    if units is not None and mean.guarantee == "finite sample":
        words = ALIKE
    return _of_mean(average, mean.upper, Interval(mean.low, mean.high), words, mean.guarantee)


def count_claim(errors: int, n: int, delta: float) -> Claim:
    """Return the claim about an error rate from a count of errors in n independent examples."""
    # the interval is computed at delta / 2 on each side, the bound at delta
    count = ask("CP", errors=errors, n=n, delta=delta)
    return _of_mean(errors / n, count.upper(), count.interval(), EXACT, "exact")


def difference_claim(
    gain: FloatArray,
    delta: float,
    *,
    units: Units,
    seed: Draws,
    method: str = "proven",
) -> Claim:
    """Return the claim about the mean of differences in [-1, 1], one for each example."""
    words, guarantee = TESTS[method, units is not None]
    mean = float(gain.mean())
    ends: Interval[FloatArray] | Interval[float]
    if method == "proven" and units is None:
        ends, pvalue = _bet(gain, mean, delta, seed)
    elif units is not None and method == "proven":
        ends, capital = group_difference(units.sums(gain), units.sizes, units.max_size, delta)
        pvalue = group_pvalue(capital)
    else:
        alike = AGREE
        if units is None:
            units = grouped(np.arange(len(gain)), len(gain))
            alike = ALL_ALIKE
        spread = units.spread(gain).at_least_independent()
        # If all groups are equal, `ends` treats a group as one example. That is proven for the mean
        # over groups, which equals the mean over examples if all groups have one size.
        if spread.error == 0 and units.one_size:
            words, guarantee = alike, "finite sample"
        ends = units.ends(spread, delta / 2, -1.0, 1.0)
        pvalue = float(units.pvalue(spread, 1.0))
    return of_difference(mean, ends, pvalue, delta, words, (guarantee, guarantee))


def margin_pvalue(
    gain: FloatArray,
    margin: float,
    delta: float,
    *,
    units: Units,
    seed: Draws,
    method: str = "proven",
    rate: bool = False,
) -> float:
    """Return the p-value of the hypothesis that the mean difference is at most -margin, in (0, 1).

    It belongs to the interval of `difference_claim`, or to Fay and Lumbard's if `rate` says that
    labels of independent examples are compared. It is twice the one-sided p-value, so that it is at
    most `delta` exactly if the lower end is at least -margin.
    """
    if rate and units is None:
        x, y = (np.array([float(count)]) for count in ((gain > 0).sum(), (gain < 0).sum()))
        return float(fay_lumbard.margin_pvalue(x, y, np.array(float(len(gain))), margin)[0])
    # If B is worse by the margin, the loss (1 - gain) / 2 has at least the mean (1 + margin) / 2.
    # Stay below 1, where no bet is possible.
    worst = min((1 + margin) / 2, math.nextafter(1.0, 0.0))
    if method == "proven" and units is None:
        losses = (1 - np.clip(gain, -1, 1)) / 2
        order = checks.generator(seed).permutation(len(gain))
        capital = float(log_capital(losses[order], worst, delta=delta / 2).max())
        return min(1.0, 2 * math.exp(-capital))
    if units is not None and method == "proven":
        bets = GroupBets.of(
            (units.sizes - units.sums(gain)) / 2, units.sizes, units.max_size, delta / 2, rate=False
        )
        return group_pvalue(bets.log_capital(worst))
    if units is None:
        units = grouped(np.arange(len(gain)), len(gain))
    spread = units.spread(gain).at_least_independent()
    away = spread._replace(mean=np.maximum(spread.mean + margin, 0.0))
    if spread.error > 0:
        return float(units.pvalue(away, 1.0))
    # if all gains are equal: the level at which the interval's lower end is -margin
    alike = 2 * ((1 - margin) / (1 + float(spread.mean))) ** units.number
    return min(1.0, alike)


def count_differences(counts: list[tuple[int, int]], n: int, delta: float) -> list[Claim]:
    """Return the claims about pairs of classifiers, from the counts of discordant examples."""
    x, y = np.transpose(counts).astype(float)
    _, pvalues = mcnemar_exact(x, y)
    low, high = fay_lumbard.melded(x, y, np.array(float(n)), delta=delta)
    numbers = np.transpose([(x - y) / n, low, high, pvalues]).tolist()
    proven: tuple[Guarantee, Guarantee] = ("exact", "none proven")
    return [
        of_difference(gap, Interval(low, high), pvalue, delta, MCNEMAR, proven)
        for gap, low, high, pvalue in numbers
    ]


def _bet(
    gain: FloatArray, mean: float, delta: float, seed: Draws
) -> tuple[Interval[FloatArray], float]:
    """Bet on the differences, mapped to losses in [0, 1] that have mean 1/2 under equality.

    The capital of a gambler against 1/2 exceeds 2/p with probability at most p/2 (Ville), so 2
    divided by the largest capital is a p-value. It is at most `delta` if 0 is outside of the
    interval, which contains the means that the same bets don't reject.
    """
    # map [-1, 1] to [0, 1], so that a zero difference becomes one half
    gain = np.clip(gain, -1, 1)
    ends = bounds.interval("BET", losses=(1 + gain) / 2, delta=delta, rng=seed)
    # an end that is 0 except for rounding must be exactly 0
    differences = 2 * np.array(ends) - 1
    differences[np.abs(differences) < 1e-15] = 0.0
    # bet in the direction of the mean only, because the other bet would lose; read the losses in
    # the interval's order
    order = checks.generator(seed).permutation(len(gain))
    side = (1 - np.sign(mean) * gain[order]) / 2
    pvalue = min(1.0, 2 * math.exp(-log_capital(side, 0.5, delta=delta / 2).max()))
    return Interval(*differences), pvalue
