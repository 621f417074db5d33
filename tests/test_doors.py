"""A public function returns what its parts return, for any level, row order and class names."""

import itertools
from typing import Any

import numpy as np
import pytest
from fuzz import Nearest
from words import whole

import errlab
from errlab import bounds, crossval, generalization, holdout, metrics

RNG = np.random.default_rng(49)
N = 80
Y = RNG.integers(0, 2, N)
A = np.where(RNG.random(N) < 0.2, 1 - Y, Y)
B = np.where(RNG.random(N) < 0.3, 1 - Y, Y)
SCORE = np.clip(0.5 + (Y - 0.5) / 2 + RNG.normal(size=N) / 5, 0.01, 0.99)
VALUES = RNG.normal(size=N)
NEAR, FAR = VALUES + RNG.normal(size=N) / 2, VALUES + RNG.normal(size=N)
LEVELS = (0.05, 0.2)


def ends(result):
    return pytest.approx((result.low, result.high), rel=1e-12)


@pytest.mark.parametrize("delta", LEVELS)
def test_a_metric_with_a_formula_is_that_formula(delta):
    table = metrics.confusion(Y, A)
    f1 = errlab.metric(Y, A, metric="f1", delta=delta)
    assert tuple(metrics.f1_interval(table.tp, table.fp, table.fn, delta=delta)) == ends(f1)
    for key in metrics.RATES:
        result = errlab.metric(Y, A, metric=key, delta=delta)
        row = metrics.rate_interval(table, key, delta=delta)
        assert (row.low, row.high) == ends(result), key
    area = errlab.metric(Y, SCORE, metric="roc_auc", delta=delta)
    part = metrics.area_interval(Y, SCORE, delta=delta)
    assert (part.low, part.high) == ends(area)
    errors, report = int((Y != A).sum()), errlab.report(Y, A, delta=delta)
    assert tuple(bounds.interval("CP", errors=errors, n=N, delta=delta)) == ends(report)
    pair = errlab.report(Y, A, B, delta=delta)
    error = errlab.metric(Y, A, B, metric="error", delta=delta)
    assert (pair.low, pair.high) == pytest.approx((error.low, error.high), rel=1e-9)


CALLED = [
    (lambda column: np.array(["neg", "pos"])[column], "pos"),
    (lambda column: column + 1, 2),
    (lambda column: column == 1, True),
]
FORMS: list[tuple[list[Any], dict[str, Any]]] = [
    ([A], {}),
    ([A, B], {}),
    ([A], {"groups": np.arange(N) // 4}),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "number"),
    [
        ("mcc cohen_kappa balanced_accuracy f1 accuracy", 3),
        ("jaccard", 1),  # computed by scikit-learn, so it is slow
        pytest.param("jaccard", 3, marks=pytest.mark.nightly),
    ],
)
def test_the_names_of_the_classes_change_nothing(names, number):
    for name, (models, options) in itertools.product(names.split(), FORMS[:number]):
        plain = errlab.metric(Y, *models, metric=name, resamples=100, **options)
        for call, positive in CALLED[:number]:
            columns = [call(column) for column in (Y, *models)]
            called = options | {"metric": name, "positive": positive}
            other = errlab.metric(*columns, resamples=100, **called)
            assert (other.low, other.high) == ends(plain), (name, positive, len(models))


ORDERED = {
    "mse mae rmse": (VALUES, NEAR, FAR),
    "r2": (VALUES, NEAR, FAR),
    "log_loss average_precision roc_auc": (Y, SCORE, 1 - SCORE),
    "mcc": (Y, A, B),
}


@pytest.mark.slow
@pytest.mark.parametrize(("names", "columns"), ORDERED.items())
def test_the_order_of_the_rows_changes_nothing(names, columns):
    orders = [np.random.default_rng(seed).permutation(N) for seed in range(4)]
    for name, number in itertools.product(names.split(), (2, 3)):
        results = [
            errlab.metric(*(c[order] for c in columns[:number]), metric=name, resamples=100)
            for order in orders
        ]
        assert len({f"{r.low:.12g} {r.high:.12g} {whole(r)}" for r in results}) == 1, name


def test_models_that_are_not_told_apart_stand_in_the_order_of_the_names():
    """Class names that aren't in alphabetical order."""
    columns = {"z": Y, "m": np.where(np.arange(N) == 0, 1 - Y, Y), "a": 1 - Y, "k": 1 - Y}
    result = errlab.models(Y, columns)
    assert result.together == (("z", "m"), ("a", "k"))


def test_the_last_value_that_a_message_allows_passes():
    """data/refusals.txt has the next one."""
    X = np.column_stack([VALUES, NEAR])
    options = {"cv": 6, "target": "model", "repeats": 1}
    assert crossval.estimate(Nearest(), X[:12], Y[:12], **options).n == 12
    assert holdout.ladder([[0.0, 0.0], [1.0, 1.0]])
    assert errlab.report(errors=5, n=5).errors == 5


def test_a_test_rejects_from_its_pvalue_on():
    result = generalization.holdout_t_test([1.0, 2.0, 1.0, 3.0], [0.0, 2.0, 0.5, 1.0])
    assert result.rejects(result.pvalue * 1.001)
    assert not result.rejects(result.pvalue * 0.999)
