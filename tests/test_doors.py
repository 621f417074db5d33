"""A public function returns what its parts return, for any level, row order and class names."""

from typing import Any

import numpy as np
import pytest
from words import whole

import errlab
from errlab import bounds, crossval, generalization, holdout, metrics
from errlab.__main__ import main

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
NAMED = [
    *((name, 3) for name in ("mcc", "cohen_kappa", "balanced_accuracy", "f1", "accuracy")),
    ("jaccard", 1),  # computed by scikit-learn, so it is slow
    pytest.param("jaccard", 3, marks=pytest.mark.nightly),
]


@pytest.mark.parametrize(("name", "number"), NAMED)
def test_the_names_of_the_classes_change_nothing(name, number):
    for models, options in FORMS[:number]:
        plain = errlab.metric(Y, *models, metric=name, resamples=100, **options)
        for call, positive in CALLED[:number]:
            y, *calls = (call(column) for column in (Y, *models))
            other = errlab.metric(
                y, *calls, metric=name, positive=positive, resamples=100, **options
            )
            assert (other.low, other.high) == ends(plain), (positive, len(models))


@pytest.mark.parametrize(
    ("name", "truth", "columns"),
    [
        *((name, VALUES, (NEAR, FAR)) for name in ("mse", "mae", "rmse", "r2")),
        *((name, Y, (SCORE, 1 - SCORE)) for name in ("log_loss", "average_precision", "roc_auc")),
        ("mcc", Y, (A, B)),
    ],
)
def test_the_order_of_the_rows_changes_nothing(name, truth, columns):
    for models in (columns[:1], columns):
        answers = set()
        for seed in range(6):
            order = np.random.default_rng(seed).permutation(N)
            result = errlab.metric(
                truth[order], *(c[order] for c in models), metric=name, resamples=100
            )
            answers.add(f"{result.low:.12g} {result.high:.12g} {whole(result)}")
        assert len(answers) == 1


@pytest.mark.parametrize("name", ["", "a\0b"])
def test_a_file_without_a_name_is_told(name, capsys):
    assert main(["report", name]) == 2
    assert f"FILE must name a file, or be - for standard input, got {name!r}" in (
        capsys.readouterr().err
    )


def test_models_that_are_not_told_apart_stand_in_the_order_of_the_names():
    """Class names that aren't in alphabetical order."""
    columns = {"z": Y, "m": np.where(np.arange(N) == 0, 1 - Y, Y), "a": 1 - Y, "k": 1 - Y}
    result = errlab.models(Y, columns)
    assert result.together == (("z", "m"), ("a", "k"))


# --- rules in messages: the values that a message allows pass, and the next one fails


class Nearest:
    """A quick classifier."""

    def fit(self, X, y):
        self.X, self.y = X, np.asarray(y)
        return self

    def predict(self, X):
        return self.y[((X[:, None] - self.X) ** 2).sum(axis=2).argmin(axis=1)]


X = np.column_stack([VALUES, NEAR])
RULES = [
    (
        "cv must be at most the number of examples, 12, got 13",
        lambda cv: crossval.cross_val_losses(Nearest(), X[:12], Y[:12], cv=cv), 12, 13,
    ),
    (
        "cv must be at most half the number of examples, 12, got 7",
        lambda cv: crossval.estimate(Nearest(), X[:12], Y[:12], cv=cv, target="model", repeats=1),
        6, 7,
    ),
    (
        "losses must have 2 examples or more without a step, got 1",
        lambda n: holdout.ladder(np.tile([[0.0], [1.0]], n)), 2, 1,
    ),
    (
        "full and reduced must differ by more than one amount, got 0.5",
        lambda last: generalization.holdout_t_test([1.0, 1.0, last], [1.5, 1.5, 1.5]), 1.2, 1.0,
    ),
    (
        "errors must be at most n = 5, got 6",
        lambda errors: errlab.report(errors=errors, n=5), 5, 6,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("message", "call", "allowed", "refused"), RULES)
def test_what_a_message_allows_passes_and_the_next_fails(message, call, allowed, refused):
    call(allowed)
    with pytest.raises(ValueError) as caught:
        call(refused)
    assert str(caught.value).startswith(message)


def test_a_test_rejects_from_its_pvalue_on():
    result = generalization.holdout_t_test([1.0, 2.0, 1.0, 3.0], [0.0, 2.0, 0.5, 1.0])
    assert result.rejects(result.pvalue * 1.001)
    assert not result.rejects(result.pvalue * 0.999)
