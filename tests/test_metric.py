"""Any metric with an interval: against scipy's bootstrap, direct formulas, and laws."""

import itertools
from functools import partial

import numpy as np
import pytest
import scipy
import sklearn.metrics
from areas import written_out
from marks import nightly

import errlab
from errlab import metrics
from errlab.statements.metric import _bootstrap
from errlab.statements.metric._asked import asked, value_of

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


@pytest.mark.slow
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
    assert (result.low, result.high) == pytest.approx(expected, abs=room)
    assert result.estimate == pytest.approx(data.mean())
    assert result.guarantee == "asymptotic"


@pytest.mark.slow
def test_whole_groups_are_drawn():
    """Copies of an example add nothing: the interval is that of the distinct examples."""
    four = np.repeat(np.arange(N), 4)
    once = errlab.metric(Y, A, metric=mean_gap, resamples=4000, rng=0)
    copies = errlab.metric(Y[four], A[four], metric=mean_gap, groups=four, resamples=4000, rng=1)
    naive = errlab.metric(Y[four], A[four], metric=mean_gap, resamples=4000, rng=1)
    assert copies.high - copies.low == pytest.approx(once.high - once.low, rel=0.08)
    assert naive.high - naive.low == pytest.approx((once.high - once.low) / 2, rel=0.08)


def demanding(wanted, y_true, score):
    """A metric that is defined only where some examples are drawn."""
    if not np.isin(wanted, score).all():
        raise ValueError("not these")
    return float(score[y_true == 1].mean())


def test_resamples_on_which_the_metric_is_undefined_are_drawn_anew():
    y = np.r_[1, 1, np.zeros(48, dtype=int)]
    # two positives: one resample in seven has none, so its metric is undefined
    result = errlab.metric(y, np.arange(50.0), metric=partial(demanding, []), rng=0)
    assert (result.estimate, result.among) == (0.5, 2)
    assert (result.low, result.high) == (0.0, 1.0)  # two examples exclude nothing
    # five examples are all in a resample with probability .1: 12% fail 20 times in a row
    with pytest.raises(ValueError, match=r"must be defined on resamples, but .* in 20 draws"):
        errlab.metric(Y, np.arange(N), metric=partial(demanding, range(5)), resamples=100, rng=0)


def calibration_error(y_true, chance):
    """The plug-in estimate with ten bins is above 0 even for perfect probabilities."""
    cell = np.minimum((chance * 10).astype(int), 9)
    return float(np.abs(np.bincount(cell, y_true - chance, 10)).sum() / len(chance))


def youden(y_true, score):
    """The largest of TPR - FPR over all thresholds."""
    fpr, tpr, _ = sklearn.metrics.roc_curve(y_true, score)
    return float((tpr - fpr).max())


def refused(words, y, score, function, rng):
    with pytest.raises(ValueError, match=words):
        errlab.metric(y, score, metric=function, resamples=100, rng=rng)


@pytest.mark.slow
def test_a_biased_metric_is_refused_for_what_it_is_not_for_its_sample():
    """A check of the sample alone let 69% of the maxima pass, and they covered .81."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 2, 120)
        refused("maxima over thresholds", y, y + rng.normal(size=120), youden, rng)
        off_scale = scipy.special.expit(1.6 * 1.5 * (rng.normal(size=120) + 1.5 * (y - 0.5)))
        refused("calibration", y, off_scale, calibration_error, rng)
    for n in (200, 1000):  # it was 0.0468 to 0.0793 although the truth is 0
        rng = np.random.default_rng(n)
        for _ in range(5):
            chance = rng.random(n)
            y = (rng.random(n) < chance).astype(int)
            refused(r"must be unbiased, .* standard errors off", y, chance, calibration_error, rng)


@pytest.mark.slow
def test_balanced_accuracy_covers_by_exact_enumeration():
    """Classes of 4 and 16 examples; the bootstrap of whole test sets covered .838."""
    sizes, recalls, covered = (4, 16), ((0.69, 0.84), (0.9, 0.95)), np.zeros(2)
    y = np.repeat([1, 0], sizes)
    for hits in np.ndindex(5, 17):
        predicted = np.r_[np.arange(4) < hits[0], np.arange(16) >= hits[1]].astype(int)
        result = errlab.metric(y, predicted, metric="balanced_accuracy")
        assert result.estimate == pytest.approx((hits[0] / 4 + hits[1] / 16) / 2)
        for number, recall in enumerate(recalls):
            if result.low <= np.mean(recall) <= result.high:
                covered[number] += np.prod(scipy.stats.binom.pmf(hits, sizes, recall))
    assert (covered > 0.95).all()
    assert (covered < 1).all()


def examples(name, rng, n):
    """Labels, and the predictions of two models, as a metric takes them."""
    y = np.append([0, 1, 0, 1], rng.integers(0, 2, n - 4))
    if name not in ("jaccard", "hamming_loss"):
        return y, [np.clip(0.3 + 0.4 * y + rng.normal(0, 0.2, n), 0.1, 0.9).round(1) for _ in "ab"]
    columns = [y, *(np.where(rng.random(n) < 0.25, 1 - y, y) for _ in "ab")]
    if name == "hamming_loss":  # words, and more classes
        columns = [np.array(list("abc"))[column * (1 + np.arange(n) % 2)] for column in columns]
    return columns[0], columns[1:]


def test_metrics_are_resampled_by_the_counts_of_their_cells():
    """Each resample gives the function's value; others are in test_metric_arrays.py."""
    rng = np.random.default_rng(8)
    for name, n in itertools.product(
        ("brier_score_loss", "log_loss", "mean_absolute_error", "mean_squared_error",
         "root_mean_squared_error", "jaccard", "hamming_loss"), (14, 90),
    ):  # fmt: skip
        y, columns = examples(name, rng, n)
        meant = asked(name)
        for column in columns:  # repeated examples take longer
            form = _bootstrap.form_of(meant, y, column)
            assert getattr(form, "func", None) is not _bootstrap.repeated, name
        cell = _bootstrap.count_cells(y, columns)
        # so many labels cost no more than few
        assert cell.max() < len(np.unique(columns[0])) ** 3
        value_at = _bootstrap.of_cells(meant, cell, y, columns, [])
        first = np.unique(cell, return_index=True)[1]
        for counts in rng.multinomial(n, np.bincount(cell) / n, size=5):
            rows = np.repeat(first, counts)
            one, other = (value_of(meant, y[rows], pred[rows]) for pred in columns)
            assert value_at(counts) == pytest.approx(one - other, abs=1e-12), name
