"""A public function returns what its parts return, for any level, row order and class names."""

import itertools
from typing import Any

import numpy as np
import pytest
from fuzz import Nearest
from words import whole

import errlab
from errlab import crossval, holdout

RNG = np.random.default_rng(49)
N = 80
Y = RNG.integers(0, 2, N)
A = np.where(RNG.random(N) < 0.2, 1 - Y, Y)
B = np.where(RNG.random(N) < 0.3, 1 - Y, Y)
SCORE = np.clip(0.5 + (Y - 0.5) / 2 + RNG.normal(size=N) / 5, 0.01, 0.99)
VALUES = RNG.normal(size=N)
NEAR, FAR = VALUES + RNG.normal(size=N) / 2, VALUES + RNG.normal(size=N)


def ends(result):
    return pytest.approx((result.low, result.high), rel=1e-12)


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
    orders = [np.random.default_rng(seed).permutation(N) for seed in range(3)]
    for name, number in itertools.product(names.split(), (2, 3)):
        results = [
            errlab.metric(*(c[order] for c in columns[:number]), metric=name, resamples=100)
            for order in orders
        ]
        assert len({f"{r.low:.12g} {r.high:.12g} {whole(r)}" for r in results}) == 1, name


def test_the_last_value_that_a_message_allows_passes():
    """data/refusals.txt has the next one."""
    X = np.column_stack([VALUES, NEAR])
    options = {"cv": 6, "target": "model", "repeats": 1}
    assert crossval.estimate(Nearest(), X[:12], Y[:12], **options).n == 12
    assert holdout.ladder([[0.0, 0.0], [1.0, 1.0]])
    assert errlab.report(errors=5, n=5).errors == 5
