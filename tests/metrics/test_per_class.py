"""The table per class: against the functions of one class, scikit-learn and statsmodels."""

import numpy as np
import pytest
from sklearn.metrics import precision_recall_fscore_support
from statsmodels.stats.proportion import proportion_confint

import errlab
from errlab import metrics

RNG = np.random.default_rng(0)
TRUE = RNG.choice(["cat", "dog", "hen"], 200, p=[0.6, 0.3, 0.1])
PRED = np.where(RNG.random(200) < 0.2, RNG.choice(["cat", "dog", "hen", "owl"], 200), TRUE)
RESULT = errlab.per_class(TRUE, PRED)


def test_each_row_is_what_the_functions_of_one_class_say():
    for row in errlab.per_class(TRUE, PRED, delta=0.1).classes:
        table = metrics.confusion(TRUE, PRED, positive=row.label)
        ends = metrics.f1_interval(table.tp, table.fp, table.fn, delta=0.1)
        assert (row.f1, row.f1_low, row.f1_high) == pytest.approx((table.f1, *ends))
        precision = metrics.rate_interval(table, "PPV", delta=0.1)
        assert (row.hits, row.called, row.precision) == precision[1:4]
        if row.support:
            recall = metrics.rate_interval(table, "TPR", delta=0.1)
            assert (row.hits, row.support, row.recall) == recall[1:4]
            ends = proportion_confint(row.hits, row.support, alpha=0.1, method="beta")
            assert (row.recall_low, row.recall_high) == pytest.approx(ends, rel=1e-9)


def test_the_rates_and_their_means_are_those_of_sklearn():
    rates = precision_recall_fscore_support(TRUE, PRED, zero_division=np.nan)[:3]
    for name, column in zip(("precision", "recall", "f1"), rates, strict=True):
        values = np.array([getattr(row, name) for row in RESULT.classes], dtype=float)
        np.testing.assert_allclose(values, column, rtol=1e-12)
        assert getattr(RESULT.macro, name) == pytest.approx(np.nanmean(column))
    with pytest.warns(UserWarning, match=r"'owl' \(8 of "):
        balanced = errlab.metric(TRUE, PRED, metric="balanced_accuracy")
    assert RESULT.macro[3:6] == pytest.approx((balanced.estimate, balanced.low, balanced.high))
