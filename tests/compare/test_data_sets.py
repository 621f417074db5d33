"""Many data sets: against Demšar's tables, scipy, exact posteriors, and laws."""

import itertools

import numpy as np
import pytest
import scipy

from errlab import compare
from errlab_book.plots.data_sets import iman_davenport, plot_average_ranks, rank_alarms

# Demšar 2006, Table 6: areas under the curve of four versions of C4.5 on 14 data sets.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.97501, 0.975],  # printed as 0.975 twice, but ranked 2 and 3 there
        [0.957, 0.978, 0.946, 0.970],
    ]
)
NAMES = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
LOSS = 1 - DEMSAR


def test_demsars_ranks_and_critical_difference():
    """Demšar, Section 3.2.4: ranks 3.143, 2.000, 2.893, 1.964; CD 1.25 (q 2.569) at 0.05."""
    result = compare.friedman(LOSS, names=NAMES)
    np.testing.assert_allclose(result.ranks, [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    assert result.critical_difference == pytest.approx(1.25, abs=5e-3)
    # there, chi-squared 9.28 and F 3.69 are not corrected for ties
    n, k = LOSS.shape
    plain = 12 * n / (k * (k + 1)) * (result.ranks @ result.ranks - k * (k + 1) ** 2 / 4)
    assert plain == pytest.approx(9.28, abs=5e-3)
    assert (n - 1) * plain / (n * (k - 1) - plain) == pytest.approx(3.69, abs=5e-3)
    assert result.statistic > plain
    assert iman_davenport(result.statistic, n, k)[1] < 0.05


def test_friedmans_statistic_and_its_p_value_where_it_is_asymptotic_are_scipys():
    many = np.tile(LOSS, (3, 1))  # too many rows for the exact test
    for table, guarantee in ((LOSS, "exact"), (many, "asymptotic")):
        expected = scipy.stats.friedmanchisquare(*table.T)
        result = compare.friedman(table)
        assert result.statistic == pytest.approx(expected.statistic)
        assert result.guarantee == guarantee
        assert f"guarantee: {guarantee}, of the pairs: asymptotic)" in repr(result)
        assert compare.COMPARISONS[result.method].name == "Friedman, nemenyi"
    assert result.pvalue == pytest.approx(expected.pvalue)


@pytest.mark.parametrize(
    "rows", [[(0, 1, 2)] * 3, [(0, 1, 2, 3)] * 2, [(0, 1, 1), (0, 1, 2), (5, 5, 9), (2, 2, 2)]]
)
def test_friedman_is_exact_over_all_orders_of_the_rows(rows):
    """At each attainable level it rejects exactly that often, ties or not."""
    tables = itertools.product(rows[:1], *[set(itertools.permutations(row)) for row in rows[1:]])
    p = np.array([compare.friedman(table, method="holm").pvalue for table in tables])
    for level in np.unique(p.round(12)):
        assert (p <= level + 1e-9).mean() == pytest.approx(level)


def test_iman_and_davenports_f_has_its_degrees_of_freedom():
    """N = 4, k = 3: F = 3 * 5.6 / (8 - 5.6) = 7 on 2 and 6 degrees, from R: pf(7, 2, 6)."""
    result = iman_davenport(5.6, 4, 3)
    assert (float(result[0]), float(result[1])) == pytest.approx((7, 0.0270), rel=1e-4)
    assert float(result[1]) == pytest.approx(scipy.stats.f.sf(7, 2, 6))


def test_where_all_together_and_a_pair_disagree_it_says_so():
    rng = np.random.default_rng(1)
    observed = set()
    for _ in range(60):
        table = rng.random((9, 5)) + 0.15 * np.arange(5)
        result = compare.friedman(table, method="holm", baseline="0")
        together = result.pvalue <= result.delta
        pair = bool((result.adjusted <= result.delta).any())
        assert ("are not shown to differ" in repr(result)) == (not together)
        assert ("disagree" in repr(result)) == (pair and not together)
        assert len(result.warnings()) == (pair and not together)
        observed.add((together, pair))
    assert {(False, True), (False, False), (True, True)} <= observed


def test_nemenyi_agrees_with_its_critical_difference():
    rng = np.random.default_rng(0)
    for _ in range(20):
        result = compare.friedman(rng.random((10, 5)) + 0.3 * np.arange(5))
        output = result.adjusted <= 0.05
        assert (output == (np.abs(result.differences) >= result.critical_difference)).all()


def test_holm_against_a_baseline_is_demsars_steps():
    """Demšar, Section 3.2.2: against C4.5, the last has z 2.416, p 0.016; others 2.342, 0.512."""
    result = compare.friedman(LOSS, names=NAMES, method="holm", baseline="C4.5")
    z = np.abs(result.differences) / np.sqrt(4 * 5 / (6 * 14))
    np.testing.assert_allclose(sorted(z), [0.512, 2.342, 2.416], atol=2e-3)
    raw = 2 * scipy.stats.norm.sf(z)
    np.testing.assert_allclose(result.adjusted, compare.holm(raw))
    assert [NAMES[j] for _, j in result.pairs] == ["C4.5"] * 3


def test_demsars_wilcoxon():
    """Demšar, Section 3.1.3: C4.5 and C4.5+m have R+ 93 and R- 12, so T = 12 of 14 data sets."""
    result = compare.wilcoxon(LOSS[:, 0] - LOSS[:, 1], names=("C4.5", "C4.5+m"))
    assert result.statistic == 12
    assert result.pvalue < 0.05  # Demšar's critical value is 21
    assert result.guarantee == "exact"


def test_wilcoxon_is_scipys_where_nothing_ties():
    rng = np.random.default_rng(1)
    for n in (2, 5, 12, 30):
        d = rng.normal(0.3, 1, n)
        expected = scipy.stats.wilcoxon(d, method="exact")
        result = compare.wilcoxon(d)
        assert (result.statistic, result.pvalue) == pytest.approx(tuple(expected))
    d = rng.normal(0.1, 1, 80)
    expected = scipy.stats.wilcoxon(d, method="asymptotic")
    assert compare.wilcoxon(d).pvalue == pytest.approx(expected.pvalue)
    assert compare.wilcoxon(d).guarantee == "asymptotic"


def test_wilcoxon_with_ties_sums_over_all_signs():
    d = np.array([1, 1, 2, -2, 3, 3, -1, 4.0])
    ranks = scipy.stats.rankdata(np.abs(d))
    signs = np.array(np.meshgrid(*[[0, 1]] * 8)).reshape(8, -1)
    sums = ranks @ signs
    observed = min(ranks[d > 0].sum(), ranks[d < 0].sum())
    assert compare.wilcoxon(d).pvalue == pytest.approx(min(2 * (sums <= observed).mean(), 1))


def test_published_errors_tie_where_their_decimals_do():
    """Four differences of 0.01, one of them negative: ranks 2.5, so T = 2.5 and p = 10/16."""
    result = compare.wilcoxon([0.13 - 0.12, 0.12 - 0.11, 0.3 - 0.29, -(0.05 - 0.04)])
    assert (result.statistic, result.pvalue) == (2.5, 0.625)
    # 5e-17 is a rounding error, not a difference
    zero = compare.wilcoxon([0.3 - (1 - 0.7), 0.1, 0.2, 0.2])
    assert (zero.statistic, zero.pvalue) == pytest.approx((0, 0.25))
    one = compare.friedman([[0.3, 1 - 0.7, 0.5], [1e12, 1, 2]])
    np.testing.assert_allclose(one.ranks, [2.25, 1.25, 2.5])


def test_neighbouring_percents_are_within_the_rope():
    for p in range(50):
        d = [(p + 1) / 100 - p / 100] * 8
        assert compare.bayesian_signed_rank(d, draws=10, rng=0).posterior.equivalent == 1
        assert compare.bayesian_signed_rank(d, rope=0.0099, rng=0).posterior.b_better > 0.9


def test_the_posterior_of_one_difference_is_known():
    """Weights Beta(1/2, 1): B wins unless w0^2 > 1/2, which has probability 1 - 2^(-1/4)."""
    result = compare.bayesian_signed_rank([1.0], rope=0, draws=200_000, rng=0)
    assert result.posterior.b_better == pytest.approx(2**-0.25, abs=0.004)
    assert result.posterior.equivalent == pytest.approx(1 - 2**-0.25, abs=0.004)
    assert result.posterior.a_better == 0
    assert result.pvalue is None


def test_one_that_always_wins_is_shown():
    results = compare.friedman(np.arange(3) + np.arange(10)[:, None] * 10.0, names=list("abc"))
    assert iman_davenport(results.statistic, 10, 3)[1] == 0.0
    assert results.pvalue == pytest.approx(6.0**-9)
    assert "a before c" in repr(results)


@pytest.mark.slow
@pytest.mark.parametrize(("k", "n"), [(3, 3), (4, 2)])
def test_false_alarms_are_counted_over_all_orders(k, n):
    """Every table of ranks is equally likely, so the test is run on each of them."""
    orders = list(itertools.permutations(range(k)))
    tables = list(itertools.product(orders, repeat=n))
    results = [compare.friedman(table) for table in tables]
    expected = {
        "Friedman, chi-squared": np.mean(
            [scipy.stats.chi2.sf(f.statistic, k - 1) <= 0.05 for f in results]
        ),
        "Iman and Davenport's F": np.mean(
            [iman_davenport(f.statistic, n, k)[1] <= 0.05 for f in results]
        ),
        "Nemenyi, some pair": np.mean([(f.adjusted <= 0.05).any() for f in results]),
    }
    assert rank_alarms(k, n) == pytest.approx(expected)


def test_lines_of_ranks_meet_where_nemenyi_shows_nothing():
    result = compare.friedman(LOSS, names=NAMES)
    lines = plot_average_ranks(result).collections[0].get_paths()
    ends = {tuple(np.round(line.vertices[:, 0], 3)) for line in lines}
    half = result.critical_difference / 2
    assert ends == {(round(r - half, 3), round(r + half, 3)) for r in result.ranks}


class Drawn(np.random.Generator):
    """Two posterior draws: in the first two classifiers are equal, in the second one is ahead."""

    def dirichlet(self, alpha, size=None):
        # weights w_0 of d_0 = 0 and w_1 of d_1 = 1: B wins with 1 - w_0^2, the ROPE with w_0^2
        return np.array([[np.sqrt(0.5), 1 - np.sqrt(0.5)], [0.1, 0.9]])


def test_level_answers_share_a_draw():
    generator = Drawn(np.random.PCG64(0))
    result = compare.bayesian_signed_rank([1.0], rope=0.4, draws=2, rng=generator)
    assert tuple(result.posterior) == pytest.approx((0, 1 / 4, 3 / 4))
