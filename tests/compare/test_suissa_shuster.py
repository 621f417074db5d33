"""The unconditional McNemar test and its limits: published values, exact levels and coverage."""

import numpy as np
import pytest
from marks import nightly
from scipy import stats

from errlab.compare import mcnemar, paired_difference
from errlab.compare._suissa_shuster import suissa_shuster

pytestmark = pytest.mark.slow


def shares(number):
    """Return probabilities from 0 to 1, denser at both ends."""
    return np.sin(np.linspace(0, np.pi / 2, number)) ** 2


def tables(n, delta=0.05):
    """Return x and y of every table of n examples, and the result."""
    x, y = np.nonzero(np.add.outer(np.arange(n + 1), np.arange(n + 1)) <= n)
    return x, y, mcnemar(x, y, n=n, method="unconditional", delta=delta)


def probability(x, y, n, p, q):
    """Return the multinomial probability of a table."""
    law = stats.binom.pmf(y, n, q)
    return law * stats.binom.pmf(x, n - y, min(p / max(1 - q, 1e-300), 1.0))


def brute_pvalue(x, y, n, shares):
    """Sum over all tables that are as extreme, in integers; return the largest over some shares."""
    a, b = np.nonzero(np.add.outer(np.arange(n + 1), np.arange(n + 1)) <= n)
    extreme = ((a - b) ** 2 * (x + y) >= (x - y) ** 2 * (a + b)) & (a + b > 0)
    a, b = a[extreme], b[extreme]
    return max(probability(a, b, n, t / 2, t / 2).sum() for t in shares)


# Fagerland, Lydersen and Laake's R package contingencytables (their tests on the table of Cavo et
# al. 2012) prints 0.034053 for the largest probability within Clopper and Pearson's interval for
# the share of discordant examples at level 0.0001, plus that 0.0001 (Berger and Boos 1994).
def test_the_probability_is_that_of_another_program():
    low, high = stats.beta.ppf([5e-5, 1 - 5e-5], [22, 23], [140, 139])
    inside = np.linspace(low, high, 200)
    assert brute_pvalue(6, 16, 161, inside) + 1e-4 == pytest.approx(0.034053, abs=5e-7)
    whole = brute_pvalue(6, 16, 161, shares(151))
    result = suissa_shuster([[59, 6], [16, 80]])
    assert result.statistic == pytest.approx(-2.132, abs=5e-4)  # the same source
    assert whole <= result.pvalue == pytest.approx(whole, rel=3e-3)


def test_the_pvalue_is_the_largest_of_a_fine_grid():
    for x, y, n in ((7, 1, 21), (3, 0, 5), (9, 2, 40), (1, 0, 1), (12, 5, 17)):
        result = mcnemar(x, y, n=n, method="unconditional").pvalue
        fine = brute_pvalue(x, y, n, shares(1001))
        assert fine - 1e-12 <= result <= fine * (1 + 4e-4), (x, y, n)


# Power by exact sums, to three digits: Suissa and Shuster's test, and the conditional one. p and q
# are the probabilities that A alone, or B alone, is wrong.
POWERS = [(50, 0.16, 0.04, 0.471, 0.363), (100, 0.10, 0.03, 0.474, 0.398),
          (200, 0.06, 0.02, 0.519, 0.435), (300, 0.05, 0.02, 0.497, 0.425)]  # fmt: skip


@pytest.mark.parametrize(("n", "p", "q", "local", "conditional"), nightly(POWERS, *POWERS[1:]))
def test_power(n, p, q, local, conditional):
    x, y = np.nonzero(np.add.outer(np.arange(n + 1), np.arange(n + 1)) <= n)
    law = probability(x, y, n, p, q)
    some = law > 1e-9
    x, y, law = x[some], y[some], law[some]
    assert law @ (mcnemar(x, y).pvalue <= 0.05) == pytest.approx(conditional, abs=6e-4)
    result = mcnemar(x, y, n=n, method="unconditional").pvalue
    assert law @ (result <= 0.05) == pytest.approx(local, abs=6e-4)


@pytest.mark.parametrize("n", nightly([1, 2, 5, 7, 10, 20, 30, 40, 60], 40, 60))
def test_level_is_kept_names_swap_and_one_more_discordant_case_speaks_for_its_side(n):
    x, y, result = tables(n)
    p = np.ones((n + 1, n + 1))  # [x, y]; 1 if a table is impossible
    p[x, y] = result.pvalue
    np.testing.assert_array_equal(p, p.T)
    for x, y in np.argwhere(p < 1):
        if x > y and x + y < n:
            assert p[x + 1, y] <= p[x, y] * (1 + 1e-8)
        if x > y > 0:
            assert p[x, y - 1] <= p[x, y] * (1 + 1e-8)
    counts = np.arange(n + 1)
    # for each number m of discordant examples, the fraction of tables that is rejected
    law = stats.binom.pmf(counts, n, shares(301)[:, None])
    for level in [*np.unique(p)[::7], 0.001, 0.01, 0.05, 0.1]:
        tail = [
            stats.binom.pmf(counts[: m + 1], m, 0.5) @ (p[counts[: m + 1], counts[m::-1]] <= level)
            for m in counts
        ]
        assert (law @ np.array(tail)).max() <= level + 1e-12


@pytest.mark.parametrize("n", nightly([1, 2, 3, 6, 12, 30], 12, 30))
def test_interval_covers_and_agrees_with_the_test_on_every_table(n):
    for delta in (0.05, 0.3):
        x, y, result = tables(n, delta)
        low, high = result.interval
        np.testing.assert_array_equal((low > 0) | (high < 0), result.pvalue <= delta)
        assert ((low <= (x - y) / n) & ((x - y) / n <= high)).all()
        missed = 0.0
        # just beyond an end is where coverage is lowest
        beyond = np.unique(low)[:: max(1, n // 6)] - 1e-9
        for d in np.clip(np.append(np.linspace(-1, 1, 41), beyond), -1, 1):
            for base in (1 - abs(d)) / 2 * shares(301)[::15]:
                law = probability(x, y, n, base + max(d, 0), base + max(-d, 0))
                assert law @ ((low > d) | (d > high)) <= delta + 1e-9
                missed = max(missed, law @ (low > d))
        assert missed <= delta / 2 + 1e-9
        assert missed > 0.9 * delta / 2 or n < 6, "and is no wider than it has to be"


LIMITS = [(2, 1, 5), (0, 0, 4), (1, 4, 6), (6, 0, 6),
          (3, 1, 12), (0, 0, 9), (2, 9, 15), (12, 0, 12)]  # fmt: skip


@pytest.mark.parametrize(("x", "y", "n"), nightly(LIMITS, *LIMITS[4:]))
def test_limits_are_buehlers(x, y, n):
    """Below a limit, tables with as large a limit have probability at most delta / 2."""
    a, b, result = tables(n)
    low = result.interval.low
    other = low[(a == x) & (b == y)].item()
    included = low >= other - 1e-6
    for d in (other - 1e-3, other + 0.01):
        if d >= -1:
            highest = max(
                probability(a, b, n, u + max(d, 0), u + max(-d, 0)) @ included
                for u in (1 - abs(d)) / 2 * shares(200)
            )
            assert highest <= 0.025 if d < other else highest > 0.97 * 0.025


COUNTS = [(8, 2, 50), (9, 2, 100), (25, 2, 200), (20, 10, 200), (60, 40, 500)]


@pytest.mark.parametrize(("x", "y", "n"), nightly(COUNTS, *COUNTS[2:]))
def test_proven_and_shorter_than_the_interval_that_is_only_computed(x, y, n):
    """Fay and Lumbard's interval, whose coverage is a conjecture."""
    table = [[0, x], [y, n - x - y]]
    low, high = suissa_shuster(table).interval
    first, last = paired_difference(table, method="exact").interval
    assert 0.9 < (high - low) / (last - first) < 1
