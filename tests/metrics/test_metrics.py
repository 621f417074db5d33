"""Confusion matrix and rates, ROC and its area, F scores, false discovery rate."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from areas import written_out
from scipy import stats
from sklearn import metrics as peer

import errlab
from errlab import metrics
from errlab.metrics import RATES, Confusion
from errlab.metrics._area_interval import score_interval

# Hanley and McNeil, Radiology 143 (1982), Table I: CT images of 58 normal and 51 abnormal cases,
# rated 1 (definitely normal) to 5 (definitely abnormal)
NORMAL, ABNORMAL = (33, 6, 6, 11, 2), (3, 2, 2, 11, 33)
RATINGS = np.repeat([1, 2, 3, 4, 5] * 2, NORMAL + ABNORMAL)
DISEASE = np.repeat([0, 1], [58, 51])


def sample(seed, n=60, levels=None):
    rng = np.random.default_rng(seed)
    y = np.append([0, 0, 1, 1], rng.integers(0, 2, n - 4))
    scores = rng.normal(size=n) + y
    return y, np.round(scores, 0) if levels else scores


# ---------------------------------------------------------------- confusion matrix


TABLE = Confusion(tp=30, fp=10, fn=20, tn=40)


@pytest.mark.parametrize(
    ("names", "value"),
    [  # by hand from Tables 5.2 to 5.4: N+ = 50, N- = 50, called + = 40, called - = 60
        ("TPR, sensitivity, recall, hit rate", Fraction(30, 50)),
        ("FPR, false alarm rate, type I error", Fraction(10, 50)),
        ("FNR, miss rate, type II error", Fraction(20, 50)),
        ("TNR, specificity", Fraction(40, 50)),
        ("PPV, precision", Fraction(30, 40)),
        ("FDP", Fraction(10, 40)),
        ("FOR", Fraction(20, 60)),
        ("NPV", Fraction(40, 60)),
        ("ERR", Fraction(30, 100)),
        ("accuracy", Fraction(70, 100)),
        ("prevalence", Fraction(50, 100)),
    ],
)
def test_rates_of_the_lectures_tables(names, value):
    for name in names.split(", "):
        rate = TABLE.rate(name)
        assert Fraction(rate.hits, rate.among) == value
        assert rate.value == pytest.approx(float(value), abs=1e-15)


def test_rates_that_belong_together_sum_to_one():
    pairs = (("TPR", "FNR"), ("FPR", "TNR"), ("PPV", "FDP"), ("FOR", "NPV"), ("ERR", "ACC"))
    wrong = []
    for counts in list(product(range(3), repeat=4))[1:]:
        result = {rate.key: rate.value for rate in Confusion(*counts).rates()}
        for one, other in pairs:
            parts = [result[key] for key in (one, other) if key in result]
            if parts and (len(parts) < 2 or sum(parts) != pytest.approx(1)):
                wrong.append((counts, one, other))
        if not set(result) <= set(RATES):
            wrong.append((counts, *result))
    assert wrong == []


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("labels", [(0, 1), (-1, 1), (False, True), ("no", "yes")])
def test_confusion_agrees_with_scikit_learn(seed, labels):
    index = np.random.default_rng(seed).integers(0, 2, (2, 40))
    true, pred = np.array(labels)[index]
    positive = "yes" if labels[1] == "yes" else None
    table = metrics.confusion(true, pred, positive=positive)
    (tn, fp), (fn, tp) = peer.confusion_matrix(true, pred)
    assert table == Confusion(tp, fp, fn, tn)
    assert table.f1 == pytest.approx(peer.f1_score(true, pred, pos_label=labels[1]))
    assert metrics.f_score(true, pred, beta=2, positive=positive) == pytest.approx(
        peer.fbeta_score(true, pred, beta=2, pos_label=labels[1])
    )


def test_a_score_at_the_threshold_is_negative():
    assert metrics.confusion_at([0, 1, 1], [0.5, 0.5, 0.6], 0.5) == Confusion(1, 0, 1, 1)


# ---------------------------------------------------------------- curves and area


@pytest.mark.parametrize("levels", [None, True])
@pytest.mark.parametrize("seed", range(5))
def test_every_point_of_the_curves_is_a_confusion_matrix(seed, levels):
    y, scores = sample(seed, 25, levels)
    fpr, tpr, thresholds = metrics.roc(y, scores)
    assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == (0, 0, 1, 1)
    assert thresholds[1:].tolist() == sorted(set(scores), reverse=True)
    for f, t, cut in zip(fpr[1:], tpr[1:], thresholds[1:], strict=True):
        table = metrics.confusion(y, (scores >= cut).astype(int))
        assert (table.rate("FPR").value, table.rate("TPR").value) == pytest.approx((f, t))


@pytest.mark.parametrize("levels", [None, True])
@pytest.mark.parametrize("seed", range(10))
def test_delong_agrees_with_all_comparisons_written_out(seed, levels):
    y, scores = sample(seed, 60, levels)
    (area,), variance = written_out(y, scores)
    assert metrics.delong(y, scores) == pytest.approx((area, variance[0, 0]), abs=1e-14)
    assert metrics.area(y, scores) == pytest.approx(peer.roc_auc_score(y, scores))


def test_delong_on_a_published_example():
    # Stata Base Reference Manual, [R] roctab, on these ratings: area 0.8932, standard error
    # 0.0307 (DeLong), 95% interval 0.83295 to 0.95339; area .893 in Hanley and McNeil
    area, variance = metrics.delong(DISEASE, RATINGS)
    assert round(area, 4) == 0.8932
    assert round(variance**0.5, 4) == 0.0307


def test_delong_covariance_is_that_of_the_difference():
    y, first = sample(3)
    second = first + np.random.default_rng(4).normal(size=len(y))
    result = metrics.delong(y, np.vstack([first, second]))
    areas, covariance = written_out(y, first, second)
    assert result.area == pytest.approx(areas)
    assert result.covariance == pytest.approx(covariance)


@pytest.mark.parametrize("transform", [np.exp, lambda s: 3 * s - 7, np.arctan])
def test_area_depends_on_the_ranks_only(transform):
    y, scores = sample(6)
    assert metrics.delong(y, transform(scores)) == pytest.approx(metrics.delong(y, scores))
    assert metrics.area(y, -scores) == pytest.approx(1 - metrics.area(y, scores))


def test_area_is_the_trapezoids_under_the_curve():
    y, scores = sample(7, levels=True)
    fpr, tpr, _ = metrics.roc(y, scores)
    assert np.trapezoid(tpr, fpr) == pytest.approx(metrics.area(y, scores))


@pytest.mark.parametrize("seed", range(10))
def test_equal_error_rate_lies_on_the_curve_and_the_diagonal(seed):
    fpr, tpr, _ = metrics.roc(*sample(seed, 41, levels=seed % 2))
    rate = metrics.equal_error_rate(fpr, tpr)
    position = fpr + np.arange(len(fpr)) * 1e-12  # np.interp needs increasing positions
    low, high = np.interp([rate - 1e-9, rate + 1e-9], position, tpr)
    assert low - 1e-6 <= 1 - rate <= high + 1e-6


@pytest.mark.parametrize("seed", range(3))
def test_precision_at_the_prevalence_of_the_sample_is_its_precision(seed):
    y, labels = np.random.default_rng(seed).integers(0, 2, (2, 60))
    table = metrics.confusion(y, labels)
    tpr, fpr, share, precision = (
        table.rate(name).value for name in ("TPR", "FPR", "prevalence", "precision")
    )
    assert metrics.precision_at(tpr, fpr, share) == pytest.approx(precision)


# ---------------------------------------------------------------- false discovery rate


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1, 0.3, 0.7, 0.99])
@pytest.mark.parametrize("seed", range(8))
def test_fdr_threshold_against_every_subset(seed, alpha):
    p = np.random.default_rng(seed).beta(1, 0.4, 9)
    null = 1 - p
    largest = max(
        (k for k in range(1, 10) if any(np.mean(c) <= alpha for c in combinations(null, k))),
        default=0,
    )
    result = metrics.fdr_threshold(p, alpha)
    assert result.number == largest
    assert result.rate <= alpha
    assert (p > result.threshold).sum() == result.number


@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.25, 0.5])
@pytest.mark.parametrize("seed", range(8))
def test_fdr_threshold_with_ties_against_every_threshold(seed, alpha):
    p = np.random.default_rng(seed).choice([0, 0.2, 0.5, 0.9, 0.95, 1], 12)
    every = [metrics.fdr(p, cut) for cut in np.append(p, -1.0)]
    largest = max(row.number for row in every if row.rate <= alpha + 1e-12)
    assert metrics.fdr_threshold(p, alpha).number == largest


@pytest.mark.parametrize("seed", range(5))
def test_fdr_is_what_becomes_of_calibrated_beliefs(seed):
    rng = np.random.default_rng(seed)
    p = rng.beta(0.5, 0.5, 200_000)
    real = rng.random(len(p)) < p
    result = metrics.fdr_threshold(p, 0.05)
    assert (~real[p > result.threshold]).mean() == pytest.approx(0.05, abs=0.003)


@pytest.mark.parametrize(
    ("p", "alpha", "number", "threshold"),
    [
        ([0.9, 0.9], 0.1, 2, -np.inf),  # a mean of exactly alpha is allowed
        ([0.9, 0.8999], 0.1, 1, 0.8999),  # a mean slightly above it isn't
        ([0.9, 0.9 - 2e-9], 0.1, 1, 0.9 - 2e-9),  # however little
        ([0.5, 0.4], 0.1, 0, 0.5),  # nothing is predicted positive
        ([0.99, 0.9, 0.9], 0.05, 1, 0.9),  # examples with equal probabilities stay together
    ],
)
def test_fdr_threshold_at_the_edges(p, alpha, number, threshold):
    result = metrics.fdr_threshold(p, alpha)
    assert (result.number, result.threshold) == (number, threshold)
    assert result.rate <= alpha + 1e-12


# ---------------------------------------------------------------- bad input


# ---------------------------------------------------------------- the score interval of an area


def quartic_ends(area, m, n, z):
    """Newcombe (2006), method 5: the roots of its equation on both sides of the area."""
    theta = np.polynomial.Polynomial([0, 1])
    left, right = 2 - theta, 1 + theta
    shape = left * right + ((m + n) / 2 - 1) * ((1 - theta) * right + theta * left)
    roots = (
        m * n * (area - theta) ** 2 * left * right - z**2 * theta * (1 - theta) * shape
    ).roots()
    real = roots[np.abs(roots.imag) < 1e-7].real
    low, high = real[real < area - 1e-9], real[(real > area + 1e-9) & (real <= 1)]
    return low.max(), high.min() if len(high) else 1.0


@pytest.mark.parametrize(("m", "n", "area"), [(51, 58, 0.893), (5, 45, 0.95), (40, 9960, 0.6)])
def test_score_interval_is_newcombes_where_the_variance_is_his(m, n, area):
    star = (m + n) / 2 - 1
    shape = 1 + star * ((1 - area) / (2 - area) + area / (1 + area))
    variance = area * (1 - area) * shape / (m * n)
    interval = score_interval(np.arange(m + n) < m, area, variance, None, 1.96)
    assert tuple(interval) == pytest.approx(quartic_ends(area, m, n, 1.96), abs=1e-9)
    mirrored = score_interval(np.arange(m + n) < n, 1 - area, variance, None, 1.96)
    assert tuple(mirrored) == pytest.approx((1 - interval.high, 1 - interval.low), abs=1e-9)


def test_perfect_score_has_an_interval_of_newcombe():
    z = stats.norm.isf(0.025)
    low, high = metrics.area_interval([0] * 10 + [1] * 30, range(40))
    assert (low, high) == pytest.approx(quartic_ends(1.0, 30, 10, z), abs=1e-9)
    # a group of four copies of an example is worth as much as the example itself
    copies = np.repeat(np.arange(40), 4)
    again = metrics.area_interval(np.repeat([0, 1], [40, 120]), copies, groups=copies)
    assert tuple(again) == pytest.approx((low, high), abs=1e-12)


@pytest.mark.parametrize("ratio", [0.3, 3.0])
def test_score_interval_scales_the_variance_to_that_of_the_data(ratio):
    """The score test of each end by hand: r = 20 examples, against the 100 of the model."""
    area, m, n = 0.9, 20, 180

    def model(a):
        return a * (1 - a) * (1 + 99 * ((1 - a) / (2 - a) + a / (1 + a))) / (m * n)

    interval = score_interval(np.arange(m + n) < m, area, ratio * model(area), None, 1.96)
    scale = 3.0 if ratio > 1 else (100 + 20 * 0.3) / 120
    for end in interval:
        assert (area - end) ** 2 == pytest.approx(1.96**2 * scale * model(end), rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("apart", "spread"), [(2.2, 1), (3.0, 1), (2.2 * 5**0.5 / 2**0.5, 2)])
def test_score_interval_covers_where_delongs_does_not(apart, spread):
    rng = np.random.default_rng(12)
    y = np.repeat([0, 1], [90, 10])
    truth = stats.norm.cdf(apart / np.hypot(1, spread))
    delong = score = 0
    for _ in range(400):
        scores = np.where(y == 1, apart + spread * rng.normal(size=100), rng.normal(size=100))
        low, high = metrics.area_interval(y, scores)
        score += low <= truth <= high
        area, variance = metrics.delong(y, scores)
        delong += abs(truth - area) <= stats.norm.isf(0.025) * np.sqrt(variance)
    assert delong < 0.86 * 400  # it covered .80 in 2,000 runs
    assert score > 0.925 * 400


def test_rows_of_scores_have_an_area_each():
    """By all pairs of a positive and a negative example."""
    y, first = sample(0)
    rows = np.array([first, -np.round(first), np.round(first / 2)])
    pairs = [row[y == 1][:, None] - row[y == 0] for row in rows]
    expected = [np.mean((gap > 0) + (gap == 0) / 2) for gap in pairs]
    assert metrics.area(y, rows) == pytest.approx(expected)


def test_an_area_with_some_positives_ranked_last_is_covered_by_the_metric_alone():
    """Exact sums: k of m positives are below all negatives, the others are above them.

    The area is then 1 - k/m, and k is binomial.
    """
    m, negatives = 20, 180
    y = np.repeat([1, 0], [m, negatives])
    shares = np.linspace(0.005, 0.3, 60)[:, None]
    chance = stats.binom.pmf(np.arange(m + 1), m, shares)
    lowest = {}
    for name, door in {
        "area_interval": metrics.area_interval,
        "metric": lambda y, scores: errlab.metric(y, scores, metric="roc_auc"),
    }.items():
        ranked = [
            np.r_[np.full(k, -1.0), np.full(m - k, 1.0), np.zeros(negatives)] for k in range(m + 1)
        ]
        ends = [door(y, scores + 1e-6 * np.arange(len(y))) for scores in ranked]
        low, high = np.array([(end.low, end.high) for end in ends]).T
        lowest[name] = (chance * ((low <= 1 - shares) & (1 - shares <= high))).sum(axis=1).min()
    assert lowest["area_interval"] == pytest.approx(
        0.656, abs=0.002
    )  # the lowest that the docstring states
    assert lowest["metric"] == pytest.approx(0.905, abs=0.002)
