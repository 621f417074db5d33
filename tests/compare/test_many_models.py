"""Many classifiers in one call: against statsmodels, the pair of the report, and laws."""

import itertools
import json

import numpy as np
import pytest
from marks import nightly
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from words import whole

import errlab
from errlab import metrics
from errlab._core import tables
from errlab._numerics.groups import caution
from errlab.compare._groups import grouped_betting, grouped_difference
from errlab.statements import mean_claims


def drawn(seed, n=300, rates=(0.05, 0.08, 0.1, 0.15, 0.3)):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    hard = rng.random(n)  # examples are hard for all models, so errors are correlated
    wrong = {f"m{i}": (hard + rng.random(n)) / 2 < r**0.5 / 1.4 for i, r in enumerate(rates)}
    return y, {name: np.where(w, 1 - y, y) for name, w in wrong.items()}


@pytest.mark.slow
@pytest.mark.parametrize("adjust", ["holm", "bonferroni"])
def test_pvalues_are_those_of_statsmodels(adjust):
    y, predictions = drawn(1)
    result = errlab.models(y, predictions, adjust=adjust)
    raw = []
    for pair in result.pairs:
        a, b = predictions[pair.a] != y, predictions[pair.b] != y
        table = [[(a & b).sum(), (a & ~b).sum()], [(~a & b).sum(), (~a & ~b).sum()]]
        assert (pair.n01, pair.n10) == (table[0][1], table[1][0])
        assert pair.difference == pytest.approx(a.mean() - b.mean())
        raw.append(mcnemar(table, exact=True).pvalue)
    np.testing.assert_allclose([p.pvalue for p in result.pairs], raw, rtol=1e-10)
    adjusted = multipletests(raw, method=adjust)[1]
    np.testing.assert_allclose([p.adjusted for p in result.pairs], adjusted, rtol=1e-10)


def test_two_are_the_pair_of_the_report():
    y, predictions = drawn(2, rates=(0.1, 0.2))
    result = errlab.models(y, predictions)
    (pair,) = result.pairs
    report = errlab.report(y, predictions[pair.a], predictions[pair.b])
    assert (pair.low, pair.high) == pytest.approx((report.low, report.high), rel=1e-12)
    assert pair.adjusted == pair.pvalue == pytest.approx(report.pvalue)
    assert result.models[0][1:6] == (
        report.a.errors, report.a.n, report.a.rate, report.a.low, report.a.high,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("adjust", ["holm", "bonferroni"])
def test_the_interval_excludes_0_where_bonferroni_rejects_and_nowhere_else(adjust):
    by_steps = 0
    for seed in range(60):
        y, predictions = drawn(seed, n=120)
        for delta in (0.01, 0.05, 0.3):
            result = errlab.models(y, predictions, adjust=adjust, delta=delta)
            for pair in result.pairs:
                excluded = pair.low > 0 or pair.high < 0
                assert (pair.pvalue <= result.pair_delta) == excluded
                assert not excluded or pair.adjusted <= delta
                assert pair.low <= pair.difference <= pair.high
                by_steps += pair.adjusted <= delta and not excluded
    assert (by_steps > 0) == (adjust == "holm")  # only Holm's steps can show that


def test_a_difference_that_only_holms_steps_show_says_so():
    for seed in range(200):
        result = errlab.models(*drawn(seed, n=120))
        for pair in result.pairs:
            if pair.adjusted <= 0.05 < pair.pvalue * len(result.pairs):
                assert pair.low <= 0 <= pair.high
                (row,) = [
                    x for x in result.sentences() if x.startswith(f"{pair.a} minus {pair.b}:")
                ]
                assert "shown by Holm's steps, not by this interval" in row
                assert "shown by Holm's steps" in result.to_markdown("pairs")
                return
    pytest.fail("no such pair")


@pytest.mark.parametrize("models", [3, 5, 10, 20])
def test_two_equals_among_unequal_models_are_covered_as_printed(models):
    """Exact sums: whatever other pairs show, the interval of two equal models keeps its level."""
    n, pairs = 50, models * (models - 1) // 2
    only_a, only_b = (np.ravel(x) for x in np.indices((n + 1, n + 1)))
    inside = only_a + only_b <= n
    only_a, only_b = only_a[inside], only_b[inside]
    counts = list(zip(only_a.tolist(), only_b.tolist(), strict=True))
    claims = mean_claims.count_differences(counts, n, 0.05 / pairs)
    covered = np.array([claim.low <= 0 <= claim.high for claim in claims])
    for disagree in (0.02, 0.1, 0.4, 1.0):
        chance = stats.binom.pmf(only_a + only_b, n, disagree)
        chance *= stats.binom.pmf(only_a, only_a + only_b, 0.5)
        assert chance[covered].sum() >= 1 - 0.05 / pairs - 1e-12


def three_apart_and_two_equals(rng, kind, n=200):
    """Draw five models: three far apart, and two of equal error rate or mean."""
    if kind == "labels":
        rates = np.array([[0.1], [0.1], [0.4], [0.65], [0.95]])
        return (rng.random((5, n)) < rates).astype(int)
    apart = np.clip(np.array([[0.1], [0.45], [0.95]]) + rng.normal(0, 0.02, (3, n)), 0, 1)
    return np.vstack([0.6 * rng.integers(0, 2, (2, n)), apart])


@pytest.mark.parametrize(
    ("kind", "runs"),
    [
        ("labels", 40),
        ("graded", 30),
        pytest.param("labels", 1000, marks=pytest.mark.nightly),
        pytest.param("graded", 1000, marks=pytest.mark.nightly),
    ],
)
def test_all_intervals_hold_at_once_where_holm_tests_the_last_pair_at_delta(kind, runs):
    rng = np.random.default_rng(52)
    truth = [0.1, 0.1, 0.4, 0.65, 0.95] if kind == "labels" else [0.3, 0.3, 0.1, 0.45, 0.95]
    missed = missed_equals = 0
    for _ in range(runs):
        rows = three_apart_and_two_equals(rng, kind)
        if kind == "labels":
            zeros = np.zeros(rows.shape[1], dtype=int)
            result = errlab.models(zeros, {str(j): row for j, row in enumerate(rows)})
        else:
            result = errlab.models(scores={str(j): row for j, row in enumerate(rows)}, range=(0, 1))
        gaps = [truth[int(pair.a)] - truth[int(pair.b)] for pair in result.pairs]
        # clipping the scores moves a mean near 0 or 1 by less than this
        inside = [
            p.low - 1e-3 <= g <= p.high + 1e-3 for p, g in zip(result.pairs, gaps, strict=True)
        ]
        missed += not all(inside)
        missed_equals += not all(h for h, g in zip(inside, gaps, strict=True) if g == 0)
    # at most 5% and 0.5%; four standard errors for the simulated ones
    assert missed <= 0.05 * runs + 4 * np.sqrt(0.05 * 0.95 * runs)
    assert missed_equals <= 0.005 * runs + 4 * np.sqrt(0.005 * runs)


def test_ranks_are_what_the_verdicts_leave():
    result = errlab.models(*drawn(4))
    beats = {(p.a, p.b) if p.difference < 0 else (p.b, p.a) for p in result.different}
    names = [m.name for m in result.models]
    for model in result.models:
        above = [x for x in names if (x, model.name) in beats]
        below = [x for x in names if (model.name, x) in beats]
        assert (model.first, model.last) == (1 + len(above), len(names) - len(below))


def test_ranks_follow_through_a_baseline():
    """A model that beats the baseline also beats those that the baseline beats."""
    y = np.zeros(1000, dtype=int)
    wrong = {"best": 50, "middle": 150, "worst": 300}
    predictions = {name: (np.arange(1000) < k).astype(int) for name, k in wrong.items()}
    result = errlab.models(y, predictions, baseline="middle")
    assert [(m.name, m.first, m.last) for m in result.models] == [
        ("best", 1, 1), ("middle", 2, 2), ("worst", 3, 3),
    ]  # fmt: skip
    assert result.together == ()
    assert [p.b for p in result.pairs] == ["middle", "middle"]


@pytest.mark.slow
def test_those_not_told_apart_are_the_largest_sets_of_open_pairs():
    for seed in range(20):
        result = errlab.models(*drawn(seed, rates=(0.05, 0.06, 0.08, 0.1, 0.12, 0.2)))
        text = {frozenset((p.a, p.b)) for p in result.different}
        names = [m.name for m in result.models]
        free = {
            group
            for size in range(2, 7)
            for group in itertools.combinations(names, size)
            if not any(frozenset(pair) in text for pair in itertools.combinations(group, 2))
        }
        largest = {g for g in free if not any(set(g) < set(h) for h in free)}
        assert set(result.together) == largest


def test_equal_perfect_and_hopeless_models_are_right():
    y = [0, 1] * 25
    flipped = [1, 0] * 25
    result = errlab.models(y, {"a": y, "b": y, "none right": flipped})
    assert result.together == (("a", "b"),)
    assert [m.errors for m in result.models] == [0, 0, 50]
    assert result.pairs[0].pvalue == 1.0
    assert result.models[0].low == 0.0
    assert result.models[2].high == 1.0
    assert result.pairs[1].high < 0


def test_one_class_and_scores_of_0_and_1_are_taken():
    """A harness writes solved or not, as predictions of which all should be 1."""
    result = errlab.models([1] * 40, {"a": [1] * 30 + [0] * 10, "b": [1] * 35 + [0] * 5})
    assert [m.errors for m in result.models] == [5, 10]


def test_a_frame_of_predictions_is_taken_and_its_index_checked():
    pd = pytest.importorskip("pandas")
    y, predictions = drawn(5)
    frame = pd.DataFrame(predictions)
    assert errlab.models(y, frame) == errlab.models(y, predictions)
    truth = pd.Series(y)
    assert errlab.models(truth, frame) == errlab.models(y, predictions)


def test_tables_hold_what_was_found():
    pytest.importorskip("pandas")
    result = errlab.models(*drawn(6))
    frame = result.to_frame()
    assert list(frame.columns) == list(result.models[0]._fields)
    assert frame["estimate"].tolist() == [m.estimate for m in result.models]
    assert result.to_frame("pairs")["adjusted"].tolist() == [p.adjusted for p in result.pairs]
    for text in (result.to_markdown(), result.to_latex()):
        assert all(m.name in text and f"{m.errors} of {m.n}" in text for m in result.models)
    for text in (result.to_markdown("pairs"), result.to_latex("pairs")):
        assert text.count(" minus ") == len(result.pairs)
    numbers = json.loads(result.to_json())
    assert numbers["models"][0]["errors"] == result.models[0].errors


def test_names_are_spelt_out_for_latex_markdown_and_html():
    y = [0, 1] * 20
    result = errlab.models(y, {"a_b & 5%|<i>": y, "b": [1, 0] * 20})
    assert r"a\_b \& 5\%|\textless{}i\textgreater{}" in result.to_latex()
    assert r"a\_b & 5%\|\<i\>" in result.to_markdown()
    assert "<i>" not in result._repr_html_()
    assert tables.latex_text("~^\\{}") == (
        r"\textasciitilde{}\textasciicircum{}\textbackslash{}\{\}"
    )


def test_the_picture_shows_every_rate_and_interval():
    pytest.importorskip("matplotlib")
    result = errlab.models(*drawn(7))
    ax = result.plot()
    assert [t.get_text() for t in ax.get_yticklabels()] == [m.name for m in result.models]
    rates = ax.lines[0].get_xdata()
    np.testing.assert_array_equal(rates, [m.estimate for m in result.models])
    segments = ax.collections[0].get_segments()  # type: ignore[attr-defined]
    assert [s[:, 0].tolist() for s in segments] == [[m.low, m.high] for m in result.models]
    assert len(ax.lines) == 1 + len(result.together)


@pytest.mark.slow
def test_fifty_models_are_quick_and_readable():
    y, predictions = drawn(8, n=500, rates=np.linspace(0.1, 0.3, 30))
    result = errlab.models(y, predictions)
    assert len(result.pairs) == 435
    assert "435 differences are in .pairs" in whole(result)


def test_with_groups_two_are_the_bets_or_by_request_the_cluster_robust_t():
    # each group contains three copies of one example, so the t may not assume independence
    y, predictions = drawn(9, rates=(0.1, 0.2))
    y, predictions = y.repeat(3)[:300], {k: p.repeat(3)[:300] for k, p in predictions.items()}
    groups = np.arange(300) // 6
    for method, test_of, rate_of, guarantee in (
        ("proven", grouped_betting, metrics.grouped_betting, "finite sample"),
        ("t", grouped_difference, metrics.korn_graubard, "asymptotic"),
    ):
        result = errlab.models(y, predictions, groups=groups, method=method)
        (pair,) = result.pairs
        losses = [(predictions[name] != y).astype(float) for name in (pair.a, pair.b)]
        test = test_of(*losses, groups=groups)
        assert (pair.low, pair.high) == pytest.approx(tuple(test.interval))
        assert pair.pvalue == pytest.approx(test.pvalue)
        assert (result.groups, result.guarantee) == (50, guarantee)
        rate = rate_of(losses[0], groups=groups)
        assert (result.models[0].low, result.models[0].high) == pytest.approx((rate.low, rate.high))
        assert "300 examples in 50 groups" in whole(result)
    assert "no group of that population has more than 6 examples" in whole(
        errlab.models(y, predictions, groups=groups)
    )


def test_groups_of_one_case_are_cases_and_equal_models_keep_an_interval():
    y, predictions = drawn(3)
    single, cases = (
        errlab.models(y, predictions, groups=np.arange(300)),
        errlab.models(y, predictions),
    )
    assert (single.pairs, single.models) == (cases.pairs, cases.models)
    assert single.max_group_size == 1
    twins = {"a": predictions["m1"], "b": predictions["m1"]}
    result = errlab.models(y, twins, groups=np.arange(300) // 3)
    assert result.pairs[0].low < 0 < result.pairs[0].high


@pytest.mark.parametrize("half", [2, 5])
def test_two_groups_with_one_difference_show_none(half):
    """The report was "-50.0 points, -50.0 to -50.0, adjusted p < 0.0001"."""
    a = ([1] * half + [0] * half) * 2
    groups = [0] * 2 * half + [1] * 2 * half
    for method in ("proven", "t"):
        two = {"A": a, "B": [0] * 4 * half}
        result = errlab.models([0] * 4 * half, two, groups=groups, method=method)
        (pair,) = result.pairs
        assert pair.pvalue > 0.1
        assert result.different == ()
        assert -1 <= pair.low < pair.difference < 0 < pair.high <= 1
        report = errlab.report([0] * 4 * half, *two.values(), groups=groups, method=method)
        assert (-report.high, -report.low) == (pair.low, pair.high)
    assert caution(2)[0] in result.sentences()
    assert "hold together with 95% (asymptotic" in whole(result)


def test_groups_count_where_all_but_one_hold_one_case():
    y, predictions = drawn(9, n=60, rates=(0.1, 0.4))
    groups = np.append(0, np.arange(59))
    result = errlab.models(y, predictions, groups=groups)
    assert (result.groups, result.guarantee) == (59, "finite sample")
    assert result.effective_groups == pytest.approx(3600 / 62)
    assert result.largest_group == pytest.approx(2 / 60)


def test_equal_models_in_groups_are_told_by_the_groups_not_by_the_cases():
    twins = {"a": [0, 1] * 30, "b": [0, 1] * 30}
    by_t = {"groups": np.arange(60) // 20, "method": "t"}
    (pair,) = errlab.models([0, 1] * 30, twins, **by_t).pairs
    assert (pair.low, pair.high) == pytest.approx((0.025 ** (1 / 3) - 1, 1 - 0.025 ** (1 / 3)))


def graded(seed=0, n=200):
    rng = np.random.default_rng(seed)
    good = rng.random(n)
    return {f"m{i}": 1 + np.round(4 * rng.beta(1 + good + 0.3 * i, 2), 1) for i in range(4)}


BINARY = {f"m{i}": (c > 2.2 + 0.1 * i).astype(int) for i, c in enumerate(graded().values())}


def test_scores_of_0_and_1_have_the_engine_of_labels_and_its_own_words():
    result = errlab.models(scores=BINARY)
    labels = errlab.models(np.ones(200, int), BINARY)
    for score, label in zip(result.models, labels.models, strict=True):
        assert score.estimate == pytest.approx(1 - label.estimate, abs=1e-15)
        assert (score.low, score.high) == pytest.approx((1 - label.high, 1 - label.low), abs=1e-12)
        assert (score.name, score.first, score.last) == (label.name, label.first, label.last)
    for ours, theirs in zip(result.pairs, labels.pairs, strict=True):
        assert (ours.n01, ours.n10, ours.adjusted) == (theirs.n01, theirs.n10, theirs.adjusted)
        assert (ours.difference, ours.low, ours.high) == pytest.approx(
            (-theirs.difference, -theirs.high, -theirs.low)
        )
    for text in (repr(result), result.to_markdown(), str(result.to_frame())):
        assert "error" not in text
    assert result.to_dict()["models"][0]["errors"] is None
    assert "classifier" not in repr(result)
    assert "success rate" in result.to_latex()


@pytest.mark.parametrize("method", ["proven", "t"])
@pytest.mark.parametrize("groups", [None, np.arange(200) // 5])
def test_two_models_of_graded_scores_are_the_report(method, groups):
    scores = dict(list(graded().items())[:2])
    options = {"range": (1, 5), "method": method, "groups": groups}
    result = errlab.models(scores=scores, **options)
    (pair,) = result.pairs
    same = errlab.report(scores=scores[pair.a], scores_b=scores[pair.b], **options)
    assert (pair.low, pair.high) == pytest.approx((same.low, same.high), rel=1e-12)
    assert (pair.difference, pair.pvalue) == pytest.approx((same.difference, same.pvalue))
    best = result.models[0]
    assert (best.estimate, best.low, best.high) == (same.a.estimate, same.a.low, same.a.high)
    assert result.guarantee == same.guarantee


@pytest.mark.slow
def test_t_of_many_pairs_is_that_of_scipy_and_statsmodels():
    scores = graded()
    result = errlab.models(scores=scores, range=(1, 5), method="t")
    raw = [stats.ttest_rel(scores[p.a], scores[p.b]) for p in result.pairs]
    np.testing.assert_allclose([p.pvalue for p in result.pairs], [t.pvalue for t in raw], rtol=1e-9)
    adjusted = multipletests([t.pvalue for t in raw], method="holm")[1]
    np.testing.assert_allclose([p.adjusted for p in result.pairs], adjusted, rtol=1e-9)
    ends = [t.confidence_interval(1 - result.pair_delta) for t in raw]
    ends = [(low, high) for low, high in ends if low * high < 0 or max(low, -high) > 0.01]
    text = [(p.low, p.high) for p in result.pairs]
    assert all(any(np.allclose(e, s, rtol=1e-9) for s in text) for e in ends)
    # every asymptotic guarantee is followed by its measured coverage
    assert "simulated" in result.sentences()[-1]


@pytest.mark.slow
@pytest.mark.parametrize("runs", nightly([60, 300], 300))
def test_bets_on_equal_models_show_a_difference_no_more_often_than_promised(runs):
    """Of the comparisons of equal models at most 5% plus three standard deviations may err."""
    rng = np.random.default_rng(5)
    boards = (rng.beta(2, 1, (3, 60)) for _ in range(runs))
    wrong = sum(
        bool(errlab.models(scores=dict(zip("abc", board, strict=True)), range=(0, 1)).different)
        for board in boards
    )
    assert wrong <= 0.05 * runs + 3 * (runs * 0.05 * 0.95) ** 0.5


def long_of(scores, order=None):
    """Return a long table of scores, with a repository for each ten examples."""
    rows = [(m, f"q{i}", float(x), i // 10) for m, c in scores.items() for i, x in enumerate(c)]
    rows = rows if order is None else [rows[i] for i in order]
    return dict(
        zip(("model", "item", "score", "repo"), map(list, zip(*rows, strict=True)), strict=True)
    )


COLUMNS = {"model": "model", "case": "item", "score": "score"}


@pytest.mark.parametrize("frame", ["dict", "pandas", "polars", "pyarrow"])
def test_a_long_table_is_the_wide_one(frame):
    make = {"dict": dict, "pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}[frame]
    if frame != "dict":
        make = getattr(pytest.importorskip(frame), make)
    scores = graded()
    long = make(long_of(scores, np.random.default_rng(0).permutation(800)))
    wide = {name: list(column) for name, column in scores.items()}
    for group, groups in ((None, None), ("repo", np.arange(200) // 10)):
        result = errlab.models(long, **COLUMNS, group=group, range=(1, 5), method="t")
        same = errlab.models(scores=make(wide), groups=groups, range=(1, 5), method="t")
        np.testing.assert_allclose(
            [pair[4:] for pair in result.pairs], [pair[4:] for pair in same.pairs], rtol=1e-9
        )  # the same examples in another order
        assert result.together == same.together


def test_numbers_may_name_models_and_cases():
    table = {"model": [7, 7, 9, 9], "case": [1, 2, 2, 1], "score": [1, 0, 1, 1]}
    result = errlab.models(table, model="model", case="case", score="score")
    assert [(m.name, m.estimate) for m in result.models] == [("9", 1.0), ("7", 0.5)]


def test_graded_scores_have_a_picture_and_tables():
    pytest.importorskip("matplotlib")
    result = errlab.models(scores=graded(), range=(1, 5))
    assert result.plot().get_xlabel() == "mean score"
    assert list(result.to_frame().columns) == [
        "name", "n", "estimate", "low", "high", "first", "last",
    ]  # fmt: skip
    assert result.to_dict()["models"][0]["estimate"] == result.models[0].estimate
    assert "points" not in result.to_markdown("pairs")


def test_bonferroni_multiplies_by_the_number_of_pairs():
    y, predictions = drawn(1)
    result = errlab.models(y, predictions, adjust="bonferroni")
    raw = np.array([pair.pvalue for pair in result.pairs])
    assert (raw * len(raw) < 1).any()
    expected = np.minimum(raw * len(raw), 1)
    np.testing.assert_allclose([pair.adjusted for pair in result.pairs], expected)


def test_many_pairs_that_disagree_once_or_never_are_counts_and_no_labels():
    """Twenty pairs with counts of 0 and 1 look like two columns of labels."""
    y = np.zeros(40, dtype=int)
    one_error = {f"m{j}": (np.arange(40) == j).astype(int) for j in range(8)}
    result = errlab.models(y, one_error)
    assert len(result.pairs) == 28
    assert {pair.pvalue for pair in result.pairs} == {1.0}


def test_who_is_level_with_the_best_is_named_with_it():
    y = np.array([0, 1] * 20)
    text = str(errlab.models(y, {"a": y, "b": y, "c": 1 - y}))
    assert "the best is a: 0 errors in 40, 0% (level with b), rank 1 to 2." in text
    assert "level with" not in str(errlab.models(y, {"a": y, "c": 1 - y}))
