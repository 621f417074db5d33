"""Any metric with an interval: against scipy's bootstrap, direct formulas, the report, and laws."""

from functools import partial

import numpy as np
import pytest
import scipy
import sklearn.metrics
from areas import written_out
from marks import nightly

import errlab
from errlab import metrics
from errlab._core import workers
from errlab._numerics.groups import grouped
from errlab.statements.metric import _bootstrap
from errlab.statements.metric._asked import asked
from errlab.statements.metric._claim import Columns

RNG = np.random.default_rng(3)
N = 120
Y = RNG.integers(0, 2, N)
A = Y + RNG.normal(size=N)
B = Y + 1.5 * RNG.normal(size=N)
CALL_A = (A > 0.5).astype(int)
CALL_B = (B > 0.5).astype(int)


def mean_gap(y_true, score):
    return float(np.mean(np.asarray(score) - y_true))


def test_two_areas_are_square_and_add_of_their_score_intervals():
    """Zou and Donner (2008) with the correlation of DeLong, at the level of Student's t."""
    areas, c = written_out(Y, A, B)
    correlation = c[0, 1] / np.sqrt(c[0, 0] * c[1, 1])
    t = scipy.stats.t(min(Y.sum(), N - Y.sum()) - 1)

    def ends(delta):
        level = 2 * scipy.stats.norm.sf(t.isf(delta / 2))
        a, b = (metrics.area_interval(Y, score, delta=level) for score in (A, B))
        x, y = areas[0] - a.low, b.high - areas[1]
        u, v = a.high - areas[0], areas[1] - b.low
        low, high = (np.sqrt(p**2 + q**2 - 2 * correlation * p * q) for p, q in ((x, y), (u, v)))
        return areas[0] - areas[1] - low, areas[0] - areas[1] + high

    result = errlab.metric(Y, A, B, metric="roc_auc")
    assert result.estimate == pytest.approx(areas[0] - areas[1], rel=1e-12)
    assert (result.low, result.high) == pytest.approx(ends(0.05), rel=1e-8)
    assert ends(result.pvalue)[result.estimate < 0] == pytest.approx(0, abs=1e-8)
    swapped = errlab.metric(Y, B, A, metric="auc")
    assert (swapped.low, swapped.high) == pytest.approx((-result.high, -result.low))


@pytest.mark.parametrize("key", metrics.RATES)
def test_one_rate_is_exact(key):
    result = errlab.metric(Y, CALL_A, metric=key)
    row = metrics.rate_interval(metrics.confusion(Y, CALL_A), key)
    assert (result.estimate, result.low, result.high) == (row.value, row.low, row.high)
    assert (result.guarantee, result.among) == ("exact", row.among)
    assert f"{row.among} of {N} examples" in repr(result) or row.among == N


def test_two_error_rates_are_the_pair_of_the_report():
    result = errlab.metric(Y, CALL_A, CALL_B, metric="error")
    report = errlab.report(Y, CALL_A, CALL_B)
    assert result.estimate == pytest.approx(report.difference)
    assert (result.low, result.high) == pytest.approx((report.low, report.high))
    assert result.pvalue == report.pvalue
    right = errlab.metric(Y, CALL_A, CALL_B, metric="accuracy")
    assert (right.low, right.high) == pytest.approx((-result.high, -result.low))


@pytest.mark.parametrize("key", ["TPR", "FPR", "FNR", "TNR"])
def test_two_rates_of_one_class_are_the_pair_of_its_cases(key):
    of_class = (key in ("TPR", "FNR")) == Y
    result = errlab.metric(Y, CALL_A, CALL_B, metric=key)
    report = errlab.report(Y[of_class], CALL_A[of_class], CALL_B[of_class])
    assert result.pvalue == report.pvalue
    assert abs(result.estimate) == pytest.approx(abs(report.difference))
    assert result.guarantee == "exact"


def test_accuracy_takes_any_number_of_classes():
    y = ["a", "b", "c"] * 10
    result = errlab.metric(y, ["a", "b", "b"] * 10, metric="accuracy")
    assert result.estimate == pytest.approx(2 / 3)
    assert errlab.metric(y, ["a", "b", "b"] * 10, metric="recall", positive="c").estimate == 0


@pytest.mark.parametrize("two", [False, True])
@pytest.mark.parametrize("positives", nightly([60, 6], 60))
def test_the_bootstrap_is_scipys(two, positives):
    """The same method on other resamples: the ends differ by their Monte Carlo error."""
    y = (np.arange(N) < positives).astype(int)
    gap = np.exp(A)  # skewed, so that BCa moves the ends
    other = np.exp(B / 2)
    data = gap - other if two else gap
    # Hesterberg (2015): quantiles for the number of examples in the rarer class
    z = np.sqrt(positives / (positives - 1)) * scipy.stats.t.isf(0.025, positives - 1)
    expected = scipy.stats.bootstrap(
        (data,), np.mean, n_resamples=9999, method="percentile" if two else "BCa", rng=0,
        confidence_level=1 - 2 * scipy.stats.norm.sf(z),
    ).confidence_interval  # fmt: skip
    scores = (gap + y, other + y) if two else (gap + y,)
    result = errlab.metric(y, *scores, metric=mean_gap, resamples=9999, rng=1)
    # the ends from 9,999 resamples are accurate to 2% of the width; without Hesterberg's correction
    # they would be off by 15% with 6 positives
    room = (expected.high - expected.low) * 0.07
    assert result.low == pytest.approx(expected.low, abs=room)
    assert result.high == pytest.approx(expected.high, abs=room)
    assert result.estimate == pytest.approx(data.mean())
    assert result.guarantee == "asymptotic"


def test_no_pvalue_is_finer_than_the_bootstrap():
    y, a, b = np.random.default_rng(0).normal(size=(3, 400))
    result = errlab.metric(y, a, b - 5, metric=mean_gap, resamples=2000, rng=0)
    # no resample is near 0, so p is the smallest possible
    assert result.pvalue == pytest.approx(2 / 2000)
    assert "p = 0.001" in repr(result)


@pytest.mark.parametrize("seed", [28, 33, 34])
def test_ties_at_0_do_not_set_the_interval_against_the_pvalue(seed):
    """Some resamples give a difference of exactly 0, and the quantile falls among them."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 40)
    a = np.where(rng.random(40) < 0.2, 1 - y, y)
    b = np.where(rng.random(40) < 0.45, 1 - y, y)
    result = errlab.metric(y, a, b, metric=half_error, resamples=100, rng=seed)
    assert result.pvalue <= 0.05
    assert result.high < 0
    assert "to below 0." in repr(result)


def test_whole_groups_are_drawn():
    """Copies of an example add nothing: the interval is that of the distinct examples."""
    four = np.repeat(np.arange(N), 4)
    once = errlab.metric(Y, A, metric=mean_gap, resamples=4000, rng=0)
    copies = errlab.metric(Y[four], A[four], metric=mean_gap, groups=four, resamples=4000, rng=1)
    naive = errlab.metric(Y[four], A[four], metric=mean_gap, resamples=4000, rng=1)
    assert copies.high - copies.low == pytest.approx(once.high - once.low, rel=0.08)
    assert naive.high - naive.low == pytest.approx((once.high - once.low) / 2, rel=0.08)


def test_resamples_without_a_class_are_drawn_anew():
    """Two positives: one resample in seven has none, so its metric is undefined."""
    y = np.r_[1, 1, np.zeros(48, dtype=int)]

    def recall(y_true, score):
        if not y_true.any():
            raise ValueError("no positive example")
        return float(score[y_true == 1].mean())

    result = errlab.metric(y, np.arange(50.0), metric=recall, rng=0)
    assert (result.estimate, result.among) == (0.5, 2)
    assert (result.low, result.high) == (0.0, 1.0)  # two examples exclude nothing


def test_a_metric_that_most_resamples_lack_is_refused():
    """Five given examples are all in a resample with probability .1: 12% fail 20 times in a row."""

    def demanding(y_true, score):
        if not np.isin([0, 1, 2, 3, 4], score).all():
            raise ValueError("not these")
        return float(score.mean())

    with pytest.raises(ValueError, match=r"must be defined on resamples, but .* in 20 draws"):
        errlab.metric(Y, np.arange(N), metric=demanding, resamples=100, rng=0)


def calibration_error(y_true, chance):
    """The plug-in estimate with ten bins is above 0 even for perfect probabilities."""
    cell = np.minimum((chance * 10).astype(int), 9)
    return float(np.abs(np.bincount(cell, y_true - chance, 10)).sum() / len(chance))


@pytest.mark.parametrize("n", [200, 1000])
def test_a_biased_metric_is_refused(n):
    """It was 0.0468 to 0.0793 although the truth is 0; 0 of 60 intervals covered."""
    rng = np.random.default_rng(n)
    for _ in range(5):
        chance = rng.random(n)
        y = (rng.random(n) < chance).astype(int)
        with pytest.raises(ValueError, match=r"must be unbiased, .* standard errors off"):
            errlab.metric(y, chance, metric=calibration_error, resamples=200, rng=rng)


def test_names_that_people_type_and_scorers_mean_the_function():
    library = sklearn.metrics
    chance = scipy.special.expit(A)
    cases = {
        ("mcc", "MCC", "matthews_corrcoef"): (library.matthews_corrcoef, CALL_A),
        ("kappa",): (library.cohen_kappa_score, CALL_A),
        ("f1_macro", "macro_f1"): (lambda y, p: library.f1_score(y, p, average="macro"), CALL_A),
        ("pr_auc", "ap", "auprc"): (library.average_precision_score, A),
        ("auroc", "auc", "roc-auc"): (library.roc_auc_score, A),
        ("brier",): (library.brier_score_loss, chance),
        ("neg_brier_score",): (lambda y, p: -library.brier_score_loss(y, p), chance),
        ("neg_log_loss", library.get_scorer("neg_log_loss")): (
            lambda y, p: -library.log_loss(y, p), chance,
        ),
        ("mae",): (library.mean_absolute_error, A),
        ("rmse",): (library.root_mean_squared_error, A),
        (library.get_scorer("f1"), library.make_scorer(library.f1_score)): (
            library.f1_score, CALL_A,
        ),
        (library.make_scorer(library.fbeta_score, beta=2),): (
            lambda y, p: library.fbeta_score(y, p, beta=2), CALL_A,
        ),
    }  # fmt: skip
    for names, (function, score) in cases.items():
        for name in names:
            meant = asked(name)
            if not meant.key:
                assert meant.function(Y, score) == pytest.approx(function(Y, score)), name
            else:  # a formula applies
                assert errlab.metric(Y, score, metric=name).estimate == pytest.approx(
                    function(Y, score)
                )
    y = np.arange(90) % 3
    chances = np.random.default_rng(0).dirichlet(np.ones(3), 90)
    result = errlab.metric(y, chances, metric="top_k_accuracy", resamples=100, rng=0)
    assert result.low < result.estimate == library.top_k_accuracy_score(y, chances) < result.high


@pytest.mark.slow
@pytest.mark.parametrize("recall", [(0.69, 0.84), (0.9, 0.95)])
def test_balanced_accuracy_covers_by_exact_enumeration(recall):
    """Classes of 4 and 16 examples; the bootstrap of whole test sets covered .838."""
    sizes, truth, covered = (4, 16), np.mean(recall), 0.0
    y = np.repeat([1, 0], sizes)
    for hits in np.ndindex(5, 17):
        predicted = np.r_[np.arange(4) < hits[0], np.arange(16) >= hits[1]].astype(int)
        result = errlab.metric(y, predicted, metric="balanced_accuracy")
        assert result.estimate == pytest.approx((hits[0] / 4 + hits[1] / 16) / 2)
        if result.low <= truth <= result.high:
            covered += np.prod(scipy.stats.binom.pmf(hits, sizes, recall))
    assert 0.95 < covered < 1


def test_balanced_accuracy_takes_calls_of_a_class_that_has_no_case():
    """scikit-learn's function warns about them, but its value is right."""
    y, predicted = [1, 1, 2, 2] * 10, [1, 2, 2, 3] * 10
    # errlab warns about the predicted label 3, too
    with pytest.warns(UserWarning, match=r"3 \(10 of 40\)"):
        assert errlab.metric(y, predicted, metric="balanced_accuracy", rng=0).estimate == 0.5


def test_few_mistakes_are_too_few_for_a_bootstrap():
    y = np.zeros(100, dtype=int)
    pred = np.r_[1, np.zeros(99, dtype=int)]
    with pytest.raises(ValueError, match="too few errors for a bootstrap"):
        errlab.metric(y, pred, metric=lambda t, p: float(np.mean(t == p)), rng=0)
    assert errlab.metric(y, pred, metric="accuracy").low == pytest.approx(0.9455, abs=1e-4)


QUICK = (
    "brier_score_loss", "log_loss", "mean_absolute_error", "mean_squared_error",
    "root_mean_squared_error",
)  # fmt: skip
BY_COUNTS = (
    "jaccard", "f1_weighted", "precision_macro", "hamming_loss", "f1_macro", "cohen_kappa_score",
    "balanced_accuracy_score",
)  # fmt: skip


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("n", nightly([14, 60], 60))
def test_the_quick_form_says_what_the_function_says(name, n):
    """Also if some resamples of a few examples lack a class."""
    rng = np.random.default_rng(n)
    y = np.append([0, 1, 0, 1], rng.integers(0, 2, n - 4))
    columns = [np.clip(0.3 + 0.4 * y + rng.normal(0, 0.2, n), 0.1, 0.9).round(1) for _ in "ab"]
    meant = asked(name)
    function = meant.function
    assert is_quick(_bootstrap.form_of(meant, y, columns[0]))
    for models, groups in ((columns[:1], np.arange(n)), (columns, rng.integers(0, n // 2, n))):
        # call the bootstrap itself, because a formula replaces it for some of these metrics
        unnamed = meant._replace(name="", function=lambda t, s: function(t, s), source=None)
        quick, slow = (resampled(metric, y, models, groups) for metric in (meant, unnamed))
        assert quick == (slow if isinstance(slow, str) else pytest.approx(slow, abs=1e-12))


@pytest.mark.parametrize("name", BY_COUNTS)
@pytest.mark.parametrize("classes", [2, 3])
def test_metrics_of_labels_are_resampled_by_their_counts(name, classes):
    """Each resample gives the function's value on its examples."""
    rng = np.random.default_rng(8)
    y = rng.integers(0, classes, 90)
    columns = [np.where(rng.random(90) < 0.25, (y + 1) % classes, y) for _ in "ab"]
    meant = asked("jaccard_weighted" if (name, classes) == ("jaccard", 3) else name)
    assert all(is_quick(_bootstrap.form_of(meant, y, column)) for column in columns)
    cell = _bootstrap.count_cells(y, columns)
    value_at = _bootstrap.of_cells(meant, cell, y, columns, [])
    first = np.unique(cell, return_index=True)[1]
    for _ in range(5):
        counts = rng.multinomial(90, np.bincount(cell) / 90)
        rows = np.repeat(first, counts)
        one, other = (meant.function(y[rows], pred[rows]) for pred in columns)
        assert value_at(counts) == pytest.approx(one - other, abs=1e-12)


@pytest.mark.parametrize("n", nightly([10**5, 10**6], 10**6))
def test_many_labels_cost_no_more_than_a_thousand(n):
    rng = np.random.default_rng(9)
    y = rng.integers(0, 2, n)
    predicted = np.where(rng.random(n) < 0.1, 1 - y, y)
    result = errlab.metric(y, predicted, metric="mcc", rng=0)
    assert result.high - result.low == pytest.approx(
        2 * 1.96 * 0.6 / n**0.5, rel=0.1
    )  # 2 sqrt(pq / n)
    table = _bootstrap.count_cells(y, [predicted])
    assert table.max() == 3


@pytest.mark.parametrize("name", ["f1", "roc_auc", "accuracy", "balanced_accuracy"])
def test_a_scorer_is_the_metric_of_its_name(name):
    predicted = A if name == "roc_auc" else CALL_A
    by_name = errlab.metric(Y, predicted, metric=name)
    by_scorer = errlab.metric(Y, predicted, metric=sklearn.metrics.get_scorer(name))
    assert (by_scorer.low, by_scorer.high) == (by_name.low, by_name.high)
    assert by_scorer.guarantee == by_name.guarantee


def is_quick(form):
    """Whether the metric is computed from counts instead of repeated examples."""
    return getattr(form, "func", None) is not _bootstrap.repeated


def resampled(question, y, models, groups):
    """The numbers of the bootstrap, or the reason why there are none."""
    scores = dict(zip(("score_a", "score_b"), models, strict=False))
    loop = partial(workers.each, n_jobs=None, progress=None)
    columns = Columns(y, scores, None, grouped(groups, len(y)))
    try:
        result = _bootstrap.bootstrap(question, columns, 100, 0.05, np.random.default_rng(3), loop)
    except ValueError as error:
        return str(error)
    return result.values[0], result.claim.low, result.claim.high, np.nan_to_num(result.claim.pvalue)


@pytest.mark.parametrize("name", ["matthews_corrcoef", "cohen_kappa_score"])
def test_the_quick_form_takes_many_classes_and_words(name):
    rng = np.random.default_rng(5)
    y = rng.choice(["ant", "bee", "cow", "dog"], 300)
    predicted = np.where(rng.random(300) < 0.3, rng.choice(["ant", "bee", "cow", "dog"], 300), y)
    form = _bootstrap.form_of(asked(name), y, predicted)
    assert form(np.ones(300)) == pytest.approx(getattr(sklearn.metrics, name)(y, predicted))
    weights = rng.integers(0, 4, 300).astype(float)
    rows = np.repeat(np.arange(300), weights.astype(int))
    assert form(weights) == pytest.approx(getattr(sklearn.metrics, name)(y[rows], predicted[rows]))


def half_error(y_true, y_pred):
    """A metric of the user's."""
    return float((y_true != y_pred).mean() / 2)


def test_f1_rests_on_the_cases_that_are_positive_or_called_so():
    """True negatives are neither in its numerator nor in its denominator, 2 tp + fp + fn."""
    y_true = [1] * 30 + [0] * 30
    y_pred = [1] * 26 + [0] * 4 + [1] * 2 + [0] * 28
    result = errlab.metric(y_true, y_pred, metric="f1")
    assert result.estimate == pytest.approx(52 / 58)
    assert "on 32 of 60 examples" in repr(result)


def youden(y_true, score):
    """The largest of TPR - FPR over all thresholds."""
    fpr, tpr, _ = sklearn.metrics.roc_curve(y_true, score)
    return float((tpr - fpr).max())


@pytest.mark.parametrize("seed", range(4))
def test_a_metric_is_refused_for_what_it_is_not_for_its_sample(seed):
    """A check of the sample alone let 69% of these pass, and they covered .81."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 120)
    with pytest.raises(ValueError, match="maxima over thresholds"):
        errlab.metric(y, y + rng.normal(size=120), metric=youden, resamples=100, rng=rng)
    off_scale = scipy.special.expit(1.6 * 1.5 * (rng.normal(size=120) + 1.5 * (y - 0.5)))
    with pytest.raises(ValueError, match="calibration"):
        errlab.metric(y, off_scale, metric=calibration_error, resamples=100, rng=rng)


def test_functions_that_are_no_maxima_pass_and_say_that_nothing_was_measured():
    result = errlab.metric(Y, A, metric=mean_gap, resamples=100, rng=0)
    assert "was never tried" in repr(result)
    assert result.evidence.coverage is None
    for function in (sklearn.metrics.r2_score, lambda y, s: sklearn.metrics.f1_score(y, s > 0.5)):
        errlab.metric(Y, A, metric=function, resamples=100, rng=0)


def test_a_range_makes_mean_losses_bets_that_are_proven():
    """The same numbers as the report of the losses as scores."""
    off = np.abs(Y - A)
    result = errlab.metric(Y, A, metric="mae", range=(0, 8))
    report = errlab.report(scores=off, range=(0, 8), higher_is_better=False)
    assert (result.low, result.high) == pytest.approx((report.low, report.high), abs=1e-9)
    assert result.guarantee == "finite sample"
    assert result.largest == pytest.approx(off.max() / off.sum())
    root = errlab.metric(Y, A, metric="rmse", range=(0, 8))
    square = errlab.metric(Y, A, metric="mse", range=(0, 64))
    assert (root.low**2, root.high**2) == pytest.approx((square.low, square.high), abs=1e-9)
    minus = errlab.metric(Y, A, metric="neg_mean_absolute_error", range=(0, 8))
    assert (minus.low, minus.high) == pytest.approx((-result.high, -result.low), abs=1e-12)
    two = errlab.metric(Y, A, B, metric="mse", range=(0, 64))
    assert (two.pvalue <= 0.05) == (two.low > 0 or two.high < 0)


def test_two_balanced_accuracies_add_up_the_squares_of_exact_intervals():
    """Newcombe's sum, from `paired_difference` of the examples of each class."""
    result = errlab.metric(Y, CALL_A, CALL_B, metric="balanced_accuracy")
    gaps, arms = [], []
    for label in (0, 1):
        a, b = (Y[label == Y] != call[label == Y] for call in (CALL_A, CALL_B))
        table = [[(a & b).sum(), (b & ~a).sum()], [(a & ~b).sum(), (~a & ~b).sum()]]
        low, high = errlab.compare.paired_difference(table, method="exact").interval
        gap = (b.sum() - a.sum()) / len(a)
        gaps.append(gap)
        arms.append((gap - low, high - gap))
    value = np.mean(gaps)
    down, up = np.sqrt((np.array(arms) ** 2).sum(axis=0)) / 2
    assert result.estimate == pytest.approx(value)
    assert (result.low, result.high) == pytest.approx((value - down, value + up), abs=1e-9)
    # at level p one end is 0; p must be below one half, because a level is
    calls = (CALL_A, np.where(np.arange(len(Y)) % 5 == 0, 1 - CALL_A, CALL_A))
    worse = errlab.metric(Y, *calls, metric="balanced_accuracy")
    assert worse.pvalue < 0.5
    at_p = errlab.metric(Y, *calls, metric="balanced_accuracy", delta=worse.pvalue)
    assert min(abs(at_p.low), abs(at_p.high)) < 1e-9
