"""Many data sets: against scipy, exact posteriors, and laws; Demšar's numbers are in values.txt."""

import itertools

import numpy as np
import pytest
import scipy
from marks import nightly
from tables import DATA

from errlab import compare
from errlab_book.plots.data_sets import iman_davenport, plot_average_ranks, rank_alarms

LOSS = 1 - np.loadtxt(DATA / "demsar.txt")


def test_friedman_is_exact_over_all_orders_of_the_rows():
    """At each attainable level it rejects exactly that often, ties or not."""
    tied = [(0, 1, 1), (0, 1, 2), (5, 5, 9), (2, 2, 2)]
    for rows in ([(0, 1, 2)] * 3, [(0, 1, 2, 3)] * 2, tied):
        orders = [set(itertools.permutations(row)) for row in rows[1:]]
        tables = itertools.product(rows[:1], *orders)
        p = np.array([compare.friedman(table, method="holm").pvalue for table in tables])
        for level in np.unique(p.round(12)):
            assert (p <= level + 1e-9).mean() == pytest.approx(level), rows


@pytest.mark.slow
def test_where_all_together_and_a_pair_disagree_it_says_so():
    rng = np.random.default_rng(1)
    cases = set()
    for _ in range(60):
        table = rng.random((9, 5)) + 0.15 * np.arange(5)
        result = compare.friedman(table, method="holm", baseline="0")
        together = result.pvalue <= result.delta
        pair = bool((result.adjusted <= result.delta).any())
        assert ("are not shown to differ" in repr(result)) == (not together)
        assert ("disagree" in repr(result)) == (pair and not together)
        assert len(result.warnings()) == (pair and not together)
        cases.add((together, pair))
        # Nemenyi's verdict is that of its critical difference
        result = compare.friedman(table)
        far = np.abs(result.differences) >= result.critical_difference
        assert ((result.adjusted <= 0.05) == far).all()
    assert {(False, True), (False, False), (True, True)} <= cases


def test_wilcoxon_is_scipys_where_nothing_ties_and_else_sums_over_all_signs():
    rng = np.random.default_rng(1)
    for n, method in ((2, "exact"), (5, "exact"), (12, "exact"), (30, "exact"), (80, "asymptotic")):
        d = rng.normal(0.2, 1, n)
        expected = scipy.stats.wilcoxon(d, method=method)
        result = compare.wilcoxon(d)
        assert (result.statistic, result.pvalue) == pytest.approx(tuple(expected)), n
        assert result.guarantee == method
    d = np.array([1, 1, 2, -2, 3, 3, -1, 4.0])
    ranks = scipy.stats.rankdata(np.abs(d))
    sums = np.array(list(itertools.product([0, 1], repeat=8))) @ ranks
    smaller = min(ranks[d > 0].sum(), ranks[d < 0].sum())
    assert compare.wilcoxon(d).pvalue == pytest.approx(min(2 * (sums <= smaller).mean(), 1))


@pytest.mark.slow
@pytest.mark.parametrize(("k", "n"), nightly([(3, 3), (4, 2)], (4, 2)))
def test_false_alarms_are_counted_over_all_orders(k, n):
    """Every table of ranks is equally likely, so the test is run on each of them."""
    tables = itertools.product(itertools.permutations(range(k)), repeat=n)
    results = [compare.friedman(table) for table in tables]
    statistics = [f.statistic for f in results]
    pvalues = {
        "Friedman, chi-squared": scipy.stats.chi2.sf(statistics, k - 1),
        "Iman and Davenport's F": np.array([iman_davenport(s, n, k)[1] for s in statistics]),
        "Nemenyi, some pair": np.array([f.adjusted.min() for f in results]),
    }
    expected = {name: (values <= 0.05).mean() for name, values in pvalues.items()}
    assert rank_alarms(k, n) == pytest.approx(expected)


def test_lines_of_ranks_meet_where_nemenyi_shows_nothing():
    result = compare.friedman(LOSS)
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
