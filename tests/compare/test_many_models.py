"""Many classifiers in one call: against statsmodels, and laws; known values are in values.txt."""

import itertools

import numpy as np
import pytest
from marks import nightly
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

import errlab
from errlab.statements import mean_claims

pytestmark = pytest.mark.slow


def drawn(seed, n=300, rates=(0.05, 0.08, 0.1, 0.15, 0.3)):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    hard = rng.random(n)  # examples are hard for all models, so errors are correlated
    wrong = {f"m{i}": (hard + rng.random(n)) / 2 < r**0.5 / 1.4 for i, r in enumerate(rates)}
    return y, {name: np.where(w, 1 - y, y) for name, w in wrong.items()}


def graded(seed=0, n=200):
    rng = np.random.default_rng(seed)
    good = rng.random(n)
    return {f"m{i}": 1 + np.round(4 * rng.beta(1 + good + 0.3 * i, 2), 1) for i in range(4)}


def ends(result):
    return result.low, result.high


# --- p-values and intervals


def test_pvalues_are_those_of_statsmodels_and_scipy():
    y, predictions = drawn(1)
    marks = graded()
    for adjust in ("holm", "bonferroni"):
        result = errlab.models(y, predictions, adjust=adjust)
        raw = []
        for pair in result.pairs:
            a, b = predictions[pair.a] != y, predictions[pair.b] != y
            table = [[(a & b).sum(), (a & ~b).sum()], [(~a & b).sum(), (~a & ~b).sum()]]
            assert (pair.n01, pair.n10) == (table[0][1], table[1][0])
            assert pair.difference == pytest.approx(a.mean() - b.mean())
            raw.append(mcnemar(table, exact=True).pvalue)
        by_t = errlab.models(scores=marks, range=(1, 5), method="t", adjust=adjust)
        tests = [stats.ttest_rel(marks[p.a], marks[p.b]) for p in by_t.pairs]
        for models, pvalues in ((result, raw), (by_t, [t.pvalue for t in tests])):
            adjusted = multipletests(pvalues, method=adjust)[1]
            np.testing.assert_allclose([p.pvalue for p in models.pairs], pvalues, rtol=1e-9)
            np.testing.assert_allclose([p.adjusted for p in models.pairs], adjusted, rtol=1e-9)
    expected = np.array([t.confidence_interval(1 - by_t.pair_delta) for t in tests])
    np.testing.assert_allclose([ends(p) for p in by_t.pairs], expected, rtol=1e-9)
    # every asymptotic guarantee is followed by its measured coverage
    assert "simulated" in by_t.sentences()[-1]


@pytest.mark.parametrize("adjust", ["holm", "bonferroni"])
@pytest.mark.parametrize("seeds", nightly([20, 60], 60))
def test_the_interval_excludes_0_where_bonferroni_rejects_and_nowhere_else(adjust, seeds):
    by_steps = 0
    for seed, delta in itertools.product(range(seeds), (0.01, 0.05, 0.3)):
        result = errlab.models(*drawn(seed, n=120), adjust=adjust, delta=delta)
        for pair in result.pairs:
            excluded = pair.low > 0 or pair.high < 0
            assert (pair.pvalue <= result.pair_delta) == excluded
            assert not excluded or pair.adjusted <= delta
            assert pair.low <= pair.difference <= pair.high
            steps = pair.adjusted <= delta and not excluded
            by_steps += steps
            if len(result.pairs) == 10:
                name = f"{pair.a} minus {pair.b}:"
                (row,) = [text for text in result.sentences() if text.startswith(name)]
                assert ("shown by Holm's steps, not by this interval" in row) == steps
                assert "shown by Holm's steps" in result.to_markdown("pairs") or not steps
    assert (by_steps > 0) == (adjust == "holm")  # only Holm's steps can show that


@pytest.mark.parametrize("models", [3, 5, 10, 20])
def test_two_equals_among_unequal_models_are_covered_as_printed(models):
    """Exact sums: whatever other pairs show, the interval of two equal models keeps its level."""
    n, pairs = 50, models * (models - 1) // 2
    only_a, only_b = np.transpose([(a, b) for a in range(n + 1) for b in range(n + 1 - a)])
    counts = list(zip(only_a.tolist(), only_b.tolist(), strict=True))
    claims = mean_claims.count_differences(counts, n, 0.05 / pairs)
    covered = np.array([claim.low <= 0 <= claim.high for claim in claims])
    for disagree in (0.02, 0.1, 0.4, 1.0):
        chance = stats.binom.pmf(only_a + only_b, n, disagree)
        chance *= stats.binom.pmf(only_a, only_a + only_b, 0.5)
        assert chance[covered].sum() >= 1 - 0.05 / pairs - 1e-12


CASES = [("labels", 40), ("graded", 20), ("labels", 1000), ("graded", 1000)]


@pytest.mark.parametrize(("kind", "runs"), nightly(CASES, *CASES[2:]))
def test_all_intervals_hold_at_once_where_holm_tests_the_last_pair_at_delta(kind, runs):
    """Five models: three far apart, and two of equal error rate or mean."""
    rng, n = np.random.default_rng(52), 200
    truth = np.array(
        [0.1, 0.1, 0.4, 0.65, 0.95] if kind == "labels" else [0.3, 0.3, 0.1, 0.45, 0.95]
    )
    missed = np.zeros(2)
    for _ in range(runs):
        if kind == "labels":
            rows = (rng.random((5, n)) < truth[:, None]).astype(int)
            result = errlab.models(np.zeros(n, int), {str(j): row for j, row in enumerate(rows)})
        else:
            apart = np.clip(truth[2:, None] + rng.normal(0, 0.02, (3, n)), 0, 1)
            rows = np.vstack([0.6 * rng.integers(0, 2, (2, n)), apart])
            result = errlab.models(scores={str(j): row for j, row in enumerate(rows)}, range=(0, 1))
        gaps = [truth[int(pair.a)] - truth[int(pair.b)] for pair in result.pairs]
        # clipping the scores moves a mean near 0 or 1 by less than this
        outside = [
            g < p.low - 1e-3 or g > p.high + 1e-3 for p, g in zip(result.pairs, gaps, strict=True)
        ]
        missed += any(outside), outside[gaps.index(0)]
    # at most 5%, and 0.5% for the equals; four standard errors for the simulated ones
    level = np.array([0.05, 0.005])
    assert (missed <= level * runs + 4 * np.sqrt(level * runs)).all(), missed


@pytest.mark.parametrize("runs", nightly([40, 300], 300))
def test_bets_on_equal_models_show_a_difference_no_more_often_than_promised(runs):
    """Of the comparisons of equal models at most 5% plus three standard deviations may err."""
    rng = np.random.default_rng(5)
    boards = (dict(zip("abc", rng.beta(2, 1, (3, 60)), strict=True)) for _ in range(runs))
    wrong = sum(bool(errlab.models(scores=board, range=(0, 1)).different) for board in boards)
    assert wrong <= 0.05 * runs + 3 * (runs * 0.05 * 0.95) ** 0.5


# --- ranks, and those not told apart


def test_ranks_and_those_not_told_apart_are_what_the_verdicts_leave():
    for seed in range(20):
        result = errlab.models(*drawn(seed, rates=(0.05, 0.06, 0.08, 0.1, 0.12, 0.2)))
        beats = {(p.a, p.b) if p.difference < 0 else (p.b, p.a) for p in result.different}
        names = [m.name for m in result.models]
        for model in result.models:
            above = [x for x in names if (x, model.name) in beats]
            below = [x for x in names if (model.name, x) in beats]
            assert (model.first, model.last) == (1 + len(above), len(names) - len(below))
        groups = itertools.chain.from_iterable(
            itertools.combinations(names, size) for size in range(2, 7)
        )
        free = {group for group in groups if not beats & {*itertools.permutations(group, 2)}}
        assert {*result.together} == {g for g in free if not any({*g} < {*h} for h in free)}


@pytest.mark.parametrize("frame", ["dict", "pandas", "polars", "pyarrow"])
def test_a_long_table_is_the_wide_one(frame):
    make = {"dict": dict, "pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}[frame]
    if frame != "dict":
        make = getattr(pytest.importorskip(frame), make)
    scores = graded()
    wide = {name: list(column) for name, column in scores.items()}
    rows = [(m, f"q{i}", x, i // 10) for m, column in wide.items() for i, x in enumerate(column)]
    order = np.random.default_rng(0).permutation(800)
    columns = map(list, zip(*(rows[i] for i in order), strict=True))
    long = make(dict(zip(("model", "item", "score", "repo"), columns, strict=True)))
    for group, groups in ((None, None), ("repo", np.arange(200) // 10)):
        result = errlab.models(
            long, model="model", case="item", score="score", group=group, range=(1, 5), method="t"
        )
        same = errlab.models(scores=make(wide), groups=groups, range=(1, 5), method="t")
        np.testing.assert_allclose(
            [pair[4:] for pair in result.pairs], [pair[4:] for pair in same.pairs], rtol=1e-9
        )  # the same examples in another order
        assert result.together == same.together
