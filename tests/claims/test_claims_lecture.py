"""Claims of the lecture notes on estimating the real risk, number by number."""

import numpy as np
import pytest
from errata_page import errata
from scipy import stats

from errlab import holdout, metrics
from errlab.metrics import Confusion

# ---------------------------------------------------------------- confusion matrix


def test_first_binary_matrix_swaps_false_positives_and_false_negatives():
    # Definition 1.3: row = true class, column = predicted class. The unnumbered matrix prints
    # "false positives" in row +, column -, which is the place of a false negative.
    true, labels = [1, 1, 1, 0, 0], [1, 0, 0, 1, 0]
    counts = np.zeros((2, 2), dtype=int)
    np.add.at(counts, (true, labels), 1)
    table = metrics.confusion(true, labels)
    plus, minus = 1, 0
    assert counts[plus, minus] == table.fn == 2
    assert counts[minus, plus] == table.fp == 1
    errata("Binary matrix", table.fn, table.fp)
    assert counts[plus, plus] == table.tp
    # the notes print "true positives" in both cells of the diagonal
    assert counts[minus, minus] == table.tn


# ---------------------------------------------------------------- ROC and precision-recall


def test_thresholds_zero_and_one_end_the_curve_only_for_scores_between_them():
    y = np.array([0, 0, 1, 1])
    inside = np.array([0.1, 0.6, 0.4, 0.9])
    for threshold, labels in ((1, 0), (0, 4)):
        assert metrics.confusion_at(y, inside, threshold).called_positive == labels
    outside = 10 * (inside - 0.5)  # another scale with the same ranking
    labels = metrics.confusion_at(y, outside, 1).called_positive
    assert labels == 1
    errata("ROC curve", 1, labels, len(y))
    assert metrics.confusion_at(y, outside, 0).called_positive == 2
    for one, other in zip(metrics.roc(y, inside)[:2], metrics.roc(y, outside)[:2], strict=True):
        assert one == pytest.approx(other)


# ---------------------------------------------------------------- F scores


def test_f1_of_recalling_everything_is_two_hundredths_of_a_percent():
    # printed "0.2%": 2e-4 / (1 + 1e-4) is 0.02%
    everything = Confusion(tp=1, fp=9999, fn=0, tn=0)
    assert everything.rate("recall").value == 1
    assert everything.rate("precision").value == 1e-4
    assert everything.f1 == pytest.approx(2e-4 / (1 + 1e-4))
    assert f"{everything.f1:.2%}" == "0.02%"
    errata("F1", 100 * everything.f1)
    assert round((1e-4 + 1) / 2, 2) == 0.5  # the arithmetic mean, about 50%


# ---------------------------------------------------------------- false discovery rate


def test_false_discoveries_as_defined():
    p = np.array([0.97, 0.9, 0.6, 0.6, 0.2])
    for threshold in (0.95, 0.6, 0.5, 0.1):
        result = metrics.fdr(p, threshold)
        expected = sum((1 - x) * (x > threshold) for x in p)
        assert result.expected_false == pytest.approx(expected)
        assert result.rate == pytest.approx(expected / (p > threshold).sum())


def test_threshold_is_adapted_to_the_tolerance():
    p = np.random.default_rng(2).beta(0.3, 0.6, 1000)
    result = metrics.fdr_threshold(p, 0.05)
    assert result.rate <= 0.05
    one_more = np.sort(p)[::-1][: result.number + 1]
    assert (1 - one_more).mean() > 0.05
    assert result.threshold < 0.95  # below the threshold that requires 95% of each example


# ---------------------------------------------------------------- the interval of the risk


def test_zeta_of_68_percent_is_not_quite_one():
    assert stats.norm.ppf(0.84) == pytest.approx(0.9945, abs=5e-5)
    errata("Quantiles", stats.norm.ppf(0.84))


def test_beyond_the_hundred_is_not_enough():
    covers = [holdout.interval_coverage("NOR", p, 100, error=p) for p in (0.02, 0.05)]
    assert covers == pytest.approx([0.866, 0.877], abs=6e-4)
    errata("Interval", 100, covers[0], 2, covers[1], 5)


# ---------------------------------------------------------------- selection and learning theory


def test_theorem_6_5_1_is_about_the_number_of_hypotheses():
    # 2 dim(H) exp(-2 N eps^2), N = 200, eps = .1: .037 for one hypothesis, as in Hoeffding's bound
    one = holdout.failure_probability(200, 0.1)
    assert one == pytest.approx(0.037, abs=5e-4)
    errata("Theorem 6.5.1", 200, 0.1, one)
    # a thousand guessing hypotheses with one parameter each: the theorem needs their number
    assert holdout.failure_probability(200, 0.1, models=1000) == 1
    alone = 1 - holdout.gap_coverage(0.5, 200, 0.1)
    assert 0.037 < 1 - (1 - alone) ** 1000 < 1
