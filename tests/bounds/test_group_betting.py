"""Bets on a rate over grouped examples: formula, laws, and populations chosen to break it."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

import errlab
from errlab import metrics
from errlab._numerics.groups import grouped
from errlab.bounds._group_betting import GroupBets, group_difference, group_interval
from errlab.compare._groups import grouped_betting
from errlab.statements.mean_claims import margin_pvalue


def capital(errors, sizes, highest, rate, stakes):
    """Return the capital by its formula."""
    f = np.minimum(1, stakes * math.sqrt((1 - rate) / rate))
    factors = 1 + np.multiply.outer(f, rate * sizes - errors) / (highest * (1 - rate))
    return factors.prod(axis=1).mean()


def test_the_capital_by_its_formula_and_the_bound_where_it_is_one_over_delta():
    errors, sizes = np.array([0.0, 3, 1, 0, 2, 5]), np.array([4.0, 7, 1, 2, 9, 5])
    bets = GroupBets.of(errors, sizes, 12.0, 0.1, rate=True)
    assert bets.stakes[0] == pytest.approx(math.sqrt(2 * math.log(10) / 6))
    for rate in (0.05, 0.3, 0.6, 0.95):
        expected = capital(errors, sizes, 12, rate, bets.stakes)
        assert math.exp(bets.log_capital(rate)) == pytest.approx(expected, rel=1e-12)
    lower, upper = bets.interval()
    assert capital(errors, sizes, 12, upper, bets.stakes) == pytest.approx(10, rel=1e-9)
    assert capital(sizes - errors, sizes, 12, 1 - lower, bets.stakes) == pytest.approx(10, rel=1e-9)


@pytest.mark.slow
def test_exact_coverage_of_groups_with_two_kinds_of_content():
    """Sum over every multiset of three kinds of groups, without simulation.

    Sizes correlate with errors, one kind is wholly wrong, or groups are copies. For each the
    probability that an end is on the wrong side of E[e] / E[s] is at most delta, and half of it for
    the interval.
    """
    number, delta = 7, 0.2
    kinds_of = [  # sizes and errors
        ((1, 1, 6), (0, 1, 6)), ((6, 6, 6), (0, 6, 3)), ((1, 6, 3), (1, 0, 1)),
        ((6, 6, 1), (0, 1, 1)), ((4, 4, 4), (2, 1, 3)),
    ]  # fmt: skip
    shares = [(0.9, 0.08, 0.02), (0.5, 0.3, 0.2), (0.98, 0.01, 0.01), (0.1, 0.1, 0.8)]
    counts = [c for c in itertools.product(range(number + 1), repeat=3) if sum(c) == number]
    for kinds in kinds_of:
        sizes, errors = np.array(kinds, dtype=float)
        drawn = [(np.repeat(errors, times), np.repeat(sizes, times)) for times in counts]
        ends = [group_interval(*groups, 6.0, delta, rate=True) for groups in drawn]
        bound, low, high = np.transpose([(upper, *both) for upper, both in ends])
        for p in shares:
            truth = np.dot(p, errors) / np.dot(p, sizes)
            chance = stats.multinomial.pmf(counts, number, p)
            assert chance @ (bound < truth) <= delta, (kinds, p)
            assert chance @ (high < truth) <= delta / 2, (kinds, p)
            assert chance @ (low > truth) <= delta / 2, (kinds, p)


@pytest.mark.slow
def test_laws():
    """One more error, other names, other rows, copies of all, and a larger possible group."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        groups = np.sort(rng.integers(0, int(rng.integers(2, 12)), 40))
        losses = (rng.random(40) < rng.choice([0.02, 0.2, 0.6])).astype(float)
        low, high, upper = ends_of(losses, groups)
        assert low <= losses.mean() <= upper <= high
        # names of groups and order of rows change only the order of a sum
        rows = rng.permutation(40)
        renamed = ends_of(losses[rows], rng.permutation(200)[groups][rows])
        assert renamed == pytest.approx((low, high, upper), abs=1e-12)
        turned = ends_of(1 - losses, groups)
        assert (1 - turned[1], 1 - turned[0]) == pytest.approx((low, high), abs=1e-12)
        assert ends_of(losses, groups, max_group_size=80)[2] >= upper - 1e-12
        losses[rng.choice(np.flatnonzero(losses == 0))] = 1
        worse = ends_of(losses, groups)
        assert worse[0] >= low - 1e-12
        assert worse[2] >= upper - 1e-12


def ends_of(losses, groups, **options):
    """Return the interval and the bound of the losses."""
    result = metrics.grouped_betting(losses, groups=groups, **options)
    return result.low, result.high, result.upper


def test_one_case_changed_moves_a_pair_by_no_more_than_a_case_can():
    """Thirty groups with one error of B each had p = 0.11, and 9e-24 after one more error."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        number, size = int(rng.choice([8, 20, 30])), int(rng.choice([5, 20]))
        groups = np.arange(number * size) // size
        a = (rng.random(number * size) < 0.1).astype(float)
        b = np.where(np.arange(number * size) % size, 0.0, 1.0)  # one error in each group
        before = grouped_betting(a, b, groups=groups)
        b[1] = 1
        after = grouped_betting(a, b, groups=groups)
        # only the factor of one group changes, and the capital has many
        assert abs(math.log(after.pvalue / before.pvalue)) < 1.5
        assert abs(after.interval.high - before.interval.high) < 2.5 / number
        assert (before.pvalue <= 0.05) == (before.interval.low > 0 or before.interval.high < 0)


def test_the_p_value_is_two_over_the_capital_against_no_difference():
    gains = np.array([2.0, -1, 0, 3, 1])
    sizes = np.array([4.0, 4, 2, 5, 3])
    interval, log_capital = group_difference(gains, sizes, 5.0, 0.1)
    stakes = GroupBets.of(gains, sizes, 5.0, 0.05, rate=False).stakes
    for_b = capital((sizes + gains) / 2, sizes, 5, 0.5, stakes)
    for_a = capital((sizes - gains) / 2, sizes, 5, 0.5, stakes)
    assert math.exp(log_capital) == pytest.approx(max(for_a, for_b), rel=1e-12)
    assert interval.low < gains.sum() / sizes.sum() < interval.high


def test_the_p_value_at_a_margin_is_that_of_a_mean_difference_of_minus_it():
    """Against the formula of the capital and scipy's t test; p falls as the margin grows."""
    gains = np.random.default_rng(3).uniform(-0.6, 0.6, 40)
    units = grouped(np.arange(40) // 2, 40)
    options = {"units": units, "seed": 0}
    for margin in (0.1, 0.3):
        losses = (units.sizes - units.sums(gains)) / 2
        stakes = GroupBets.of(losses, units.sizes, 2.0, 0.025, rate=False).stakes
        against = capital(losses, units.sizes, 2, (1 + margin) / 2, stakes)
        assert margin_pvalue(gains, margin, 0.05, **options) == pytest.approx(2 / against)
        t_test = margin_pvalue(gains, margin, 0.05, units=None, seed=0, method="t")
        assert t_test == pytest.approx(stats.ttest_1samp(gains, -margin).pvalue)
    ordered = [margin_pvalue(gains, m, 0.05, units=None, seed=0) for m in (0.05, 0.2, 0.4, 0.9)]
    assert ordered == sorted(ordered, reverse=True)
    assert ordered[-1] < 0.01 < ordered[0]


@pytest.mark.slow
@pytest.mark.parametrize("runs", [15, pytest.param(300, marks=pytest.mark.nightly)])
def test_two_styles_of_failing_are_not_told_apart(runs):
    """A fails wholly on a tenth of the groups, B on a tenth of each group, so the rates are equal.

    In 45% of such tests, with 8 groups of 20, the cluster-robust t called one of them better.
    """
    rng = np.random.default_rng(12)
    false = 0
    for _, number in itertools.product(range(runs), (8, 20, 30)):
        groups = np.repeat(np.arange(number), 20)
        a = np.repeat(rng.random(number) < 0.1, 20).astype(int)
        b = (rng.random(20 * number) < 0.1).astype(int)
        report = errlab.report(0 * a, a, b, groups=groups)
        false += report.verdict in ("better", "worse")
    assert false <= 0.01 * 3 * runs  # no false rejection occurred, although the level allows 5%
