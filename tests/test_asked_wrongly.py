"""Calls as people type them who come from scikit-learn: each is answered with what is meant."""

import numpy as np
import pytest

import errlab
from errlab import bootstrap, compare, crossval

RNG = np.random.default_rng(3)
Y = RNG.integers(0, 2, 60)
P = np.where(RNG.random(60) < 0.2, 1 - Y, Y)
Q = np.where(RNG.random(60) < 0.3, 1 - Y, Y)
X = RNG.normal(size=(60, 3))
PROBA = np.column_stack([1 - RNG.random(60), RNG.random(60)])


class Model:
    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


MEANT = [
    (lambda: errlab.report(Y, P[:, None]), "got shape (60, 1); give one column"),
    (lambda: errlab.report(Y, PROBA), "of probabilities give .argmax(axis=1) or the column of"),
    (lambda: errlab.report(np.eye(3)[Y], P), "of several labels a case .ravel(), with the cases"),
    (lambda: errlab.metric(Y, P, metric="f1", average="macro"), "takes metric= in place of aver"),  # type: ignore[call-arg]
    (lambda: errlab.metric(Y, P, scoring="f1"), "metric() takes metric= in place of scoring="),  # type: ignore[call-arg]
    (lambda: errlab.metric(Y, P, metric="mcc", n_bootstraps=9), "resamples= in place of n_boots"),  # type: ignore[call-arg]
    (lambda: errlab.metric(Y, P), "'metric'; call it as metric(y_true, score_a, metric=...)"),  # type: ignore[call-arg]
    (lambda: errlab.metric("f1", Y, P), "call it as metric(y_true, score_a, metric=...)"),  # type: ignore[call-arg]
    (lambda: errlab.metric(Y, P, Q, "f1"), "call it as metric(y_true, score_a, metric=...)"),
    (lambda: errlab.metric(Y, P, metric="roc_auc"), "as of predict_proba(X)[:, 1], or take metric"),
    (lambda: errlab.report(Y, P, sample_weight=X), "take errlab.metrics.weighted_error"),
    (lambda: crossval.estimate(X, Y, Model()), "the data come after it, as in (model, X, y)"),
    (lambda: crossval.estimate(Model(), X), "call it as estimate(estimator, X, y)"),  # type: ignore[call-arg]
    (lambda: crossval.estimate(Model, X, Y), "must be an object, as Model() is, got the class"),
    (lambda: errlab.models(Y, [P, Q]), "name them, as in {'a': ..., 'b': ...}"),
    (lambda: errlab.models(Y, P, Q), "too many positional arguments; call it as models(y_true,"),
    (lambda: compare.mcnemar([[9, 3], [5, 9]]), "only_a_wrong=table[1][0]"),
    (lambda: compare.mcnemar(Y, P), "columns of labels; take report(y_true, pred_a, pred_b), or"),
    (lambda: compare.mcnemar(Y == 1, P == 1), "got columns of labels; take report(y_true, pred_a,"),
    (lambda: errlab.plan(0.1), "call it as plan(error=..., half_width=..., max_error=...)"),
    (lambda: errlab.compare_models, "did you mean errlab.models?"),
    (lambda: errlab.mcnemar, "did you mean errlab.compare.mcnemar?"),
    (lambda: bootstrap.percentile_interval(Y, P), "call it as percentile_interval(losses)"),
    (lambda: bootstrap.bca_interval(Y, np.mean), "call it as bca_interval(losses)"),
    *(
        (call, "at most 0.5, the probability that a claim may fail, got 0.95; did you mean 0.05?")
        for call in (
            lambda: errlab.report(Y, P, delta=0.95),
            lambda: errlab.metric(Y, P, metric="f1", delta=0.95),
            lambda: errlab.plan(error=0.1, half_width=0.02, delta=0.95),
            lambda: errlab.watch(delta=0.95),
            lambda: errlab.models(Y, {"a": P, "b": Q}, delta=0.95),
            lambda: crossval.estimate(Model(), X, Y, delta=0.95),
        )
    ),
]


@pytest.mark.parametrize(("call", "words"), MEANT)
def test_what_is_meant_is_named(call, words):
    with pytest.raises((TypeError, ValueError, AttributeError)) as caught:
        call()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_only_looks_wrong_is_taken():
    """Few counts of 0 and 1; graded scores of two values; half of all claims may fail."""
    assert compare.mcnemar([1, 0, 1], [0, 1, 1]).pvalue.shape == (3,)
    assert compare.mcnemar([2, 0, 1, 0, 1], [0, 1, 1, 1, 0]).pvalue.shape == (5,)
    found = errlab.metric(Y, np.where(P == 1, 0.7, 0.2), metric="roc_auc")
    assert found.estimate == pytest.approx(errlab.metrics.area(Y, P), abs=1e-12)
    assert errlab.report(Y, P, delta=0.5).n == 60
