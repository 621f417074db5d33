"""What the lecture notes state on estimating the real risk, number by number."""

import numpy as np
import pytest
from scipy import stats

from errlab import bounds, holdout, metrics
from errlab.metrics import Confusion

# ---------------------------------------------------------------- confusion matrix


def test_first_binary_matrix_swaps_false_positives_and_false_negatives():
    # Definition 1.3: row = true class, column = called class. The unnumbered matrix prints
    # "false positives" in row +, column -; a true + called - is a false negative.
    counts = metrics.confusion_matrix([1, 1, 1, 0, 0], [1, 0, 0, 1, 0]).counts
    table = metrics.confusion([1, 1, 1, 0, 0], [1, 0, 0, 1, 0])
    plus, minus = 1, 0
    assert counts[plus, minus] == table.fn == 2
    assert counts[minus, plus] == table.fp == 1
    assert counts[plus, plus] == table.tp
    assert counts[minus, minus] == table.tn  # printed as "true positives" once more


def test_sum_off_the_diagonal_over_t_is_the_estimate_of_the_risk():
    table = Confusion(tp=5, fp=3, fn=2, tn=10)
    assert table.rate("ERR").value == 5 / 20


def test_table_5_2_margins():
    table = Confusion(tp=5, fp=3, fn=2, tn=10)
    assert (table.positives, table.negatives) == (5 + 2, 3 + 10)
    assert (table.called_positive, table.called_negative) == (5 + 3, 2 + 10)
    assert table.positives + table.negatives == table.n == 20


# ---------------------------------------------------------------- ROC and precision-recall


def test_thresholds_zero_and_one_end_the_curve_only_for_scores_between_them():
    y = np.array([0, 0, 1, 1])
    inside = np.array([0.1, 0.6, 0.4, 0.9])
    for threshold, called in ((1, 0), (0, 4)):
        assert metrics.confusion_at(y, inside, threshold).called_positive == called
    outside = 10 * (inside - 0.5)  # another scale, the same ranking
    assert metrics.confusion_at(y, outside, 1).called_positive == 1
    assert metrics.confusion_at(y, outside, 0).called_positive == 2
    for one, other in zip(metrics.roc(y, inside)[:2], metrics.roc(y, outside)[:2], strict=True):
        assert one == pytest.approx(other)


def test_chance_gives_the_diagonal_and_separation_the_corner():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 20_000)
    fpr, tpr, _ = metrics.roc(y, rng.random(20_000))
    assert np.abs(tpr - fpr).max() < 0.03
    fpr, tpr, _ = metrics.roc(y, y + rng.random(20_000))
    assert ((fpr == 0) & (tpr == 1)).any()
    assert metrics.equal_error_rate(fpr, tpr) == 0  # the smallest
    assert metrics.area(y, y + rng.random(20_000)) == 1  # the largest


def test_rare_events_press_the_roc_curve_to_the_left():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], [20_000, 20])
    scores = rng.normal(size=len(y)) + 3 * y
    table = metrics.confusion_at(y, scores, 2.5)
    assert table.rate("FPR").value < 0.01
    assert table.rate("precision").value < 0.2  # a small false positive rate says little


# ---------------------------------------------------------------- F scores


def test_f1_of_recalling_everything_is_two_hundredths_of_a_percent():
    # printed "0.2%": 2e-4 / (1 + 1e-4) is 0.02%
    everything = Confusion(tp=1, fp=9999, fn=0, tn=0)
    assert everything.rate("recall").value == 1
    assert everything.rate("precision").value == 1e-4
    assert everything.f1 == pytest.approx(2e-4 / (1 + 1e-4))
    assert f"{everything.f1:.2%}" == "0.02%"
    assert round((1e-4 + 1) / 2, 2) == 0.5  # the arithmetic mean, about 50%


@pytest.mark.parametrize("seed", range(5))
def test_the_three_forms_of_f1_agree(seed):
    y, called = np.random.default_rng(seed).integers(0, 2, (2, 40))
    precision, recall = (y * called).sum() / called.sum(), (y * called).sum() / y.sum()
    f1 = metrics.f_score(y, called)
    assert f1 == pytest.approx(2 / (1 / precision + 1 / recall))
    assert f1 == pytest.approx(2 * precision * recall / (recall + precision))
    assert f1 == pytest.approx(2 * (y * called).sum() / (y.sum() + called.sum()))


def test_macro_counts_classes_and_micro_counts_cases():
    true, called = ["big"] * 98 + ["small"] * 2, ["big"] * 100
    assert metrics.micro_f1(true, called) == pytest.approx(0.98)
    assert metrics.macro_f1(true, called) == pytest.approx((2 * 98 / 198 + 0) / 2)


# ---------------------------------------------------------------- false discovery rate


def test_false_discoveries_as_defined():
    p = np.array([0.97, 0.9, 0.6, 0.6, 0.2])
    for threshold in (0.95, 0.6, 0.5, 0.1):
        found = metrics.false_discoveries(p, threshold)
        expected = sum((1 - x) * (x > threshold) for x in p)
        assert found.expected_false == pytest.approx(expected)
        assert found.rate == pytest.approx(expected / (p > threshold).sum())


def test_threshold_is_adapted_to_the_tolerance():
    p = np.random.default_rng(2).beta(0.3, 0.6, 1000)
    found = metrics.fdr_threshold(p, 0.05)
    assert found.rate <= 0.05
    one_more = np.sort(p)[::-1][: found.number + 1]
    assert (1 - one_more).mean() > 0.05
    assert found.threshold < 0.95  # lower than asking each one for 95%


# ---------------------------------------------------------------- the interval of the risk


@pytest.mark.parametrize(
    ("confidence", "printed"),
    [(0.5, 0.67), (0.8, 1.28), (0.9, 1.64), (0.95, 1.96), (0.98, 2.33), (0.99, 2.58)],
)
def test_zeta(confidence, printed):
    assert stats.norm.ppf((1 + confidence) / 2) == pytest.approx(printed, abs=0.0051)


def test_zeta_of_68_percent_is_not_quite_one():
    assert stats.norm.ppf(0.84) == pytest.approx(0.9945, abs=5e-5)


def test_the_interval_is_the_normal_approximation():
    errors, t = 17, 130
    half = stats.norm.ppf(0.975) * np.sqrt(errors / t * (1 - errors / t) / t)
    assert bounds.interval("NOR", errors / t, t) == pytest.approx(
        (errors / t - half, errors / t + half)
    )


@pytest.mark.parametrize(("risk", "coverage"), [(0.02, 0.866), (0.05, 0.877)])
def test_beyond_the_hundred_is_not_enough(risk, coverage):
    assert holdout.interval_coverage("NOR", risk, 100, error=risk) == pytest.approx(
        coverage, abs=6e-4
    )


@pytest.mark.parametrize("t", [100, 400])
def test_width_depends_on_the_size_and_the_estimate_only(t):
    low, high = bounds.interval("NOR", 0.2, t)
    assert high - low == pytest.approx(2 * 1.96 * 0.4 / np.sqrt(t), rel=1e-4)


# ---------------------------------------------------------------- comparing two error rates


def test_17_against_20_percent_needs_1286_cases_each():
    def separated(t):
        spread = np.sqrt(0.17 * 0.83 / t + 0.2 * 0.8 / t)
        return stats.norm.ppf(0.975) * spread < 0.03

    assert separated(1286)
    assert not separated(1285)


@pytest.mark.parametrize(
    ("folds", "printed", "right", "coverage"),
    [(2, 4.30, 12.71, 0.855), (5, 2.57, 2.78, 0.938), (10, 2.23, 2.26, 0.947)],
)
def test_zeta_of_x_and_k_has_one_degree_of_freedom_too_many(folds, printed, right, coverage):
    assert stats.t.ppf(0.975, folds) == pytest.approx(printed, abs=0.005)
    assert stats.t.ppf(0.975, folds - 1) == pytest.approx(right, abs=0.005)
    real = 1 - 2 * stats.t.sf(stats.t.ppf(0.975, folds), folds - 1)
    assert real == pytest.approx(coverage, abs=6e-4)


# ---------------------------------------------------------------- selection and learning theory


def test_tuning_on_the_test_sample_is_dangerous():
    best = holdout.selection_bias([0.3] * 50, 100)
    assert best.optimism == pytest.approx(0.1, abs=0.01)  # 20% shown, 30% true


def test_theorem_6_5_1_is_about_the_number_of_hypotheses():
    # 2 dim(H) exp(-2 N eps^2), N = 200, eps = .1: .037 for one hypothesis, as Hoeffding has it
    assert holdout.failure_probability(200, 0.1) == pytest.approx(0.037, abs=5e-4)
    # a thousand that guess, each with a single parameter: the theorem is for their number
    assert holdout.failure_probability(200, 0.1, models=1000) == 1
    alone = 1 - holdout.gap_coverage(0.5, 200, 0.1)
    assert 0.037 < 1 - (1 - alone) ** 1000 < 1
