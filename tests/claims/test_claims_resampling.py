"""Claims of the sources about resampling that need draws."""

import math

import numpy as np
import pytest
from errata_page import errata
from test_claims import STORED  # it finds the studies, too

from errlab import bootstrap, compare, crossval
from studies import larsen_hansen


def test_the_second_part_of_632_is_the_training_error():
    """One neighbour on noise, truth .5: by the notes' reading .386, by Efron's .316."""
    rng, inside, outside = np.random.default_rng(1), [], []
    for _ in range(60):
        X, y = rng.normal(size=(60, 3)), rng.integers(2, size=60)
        drawn = np.unique(rng.integers(60, size=60))
        near = drawn[((X[:, None] - X[drawn]) ** 2).sum(axis=2).argmin(axis=1)]
        wrong = y[near] != y
        inside.append(wrong.mean())  # a bootstrap model tested on all data is the notes' P2
        outside.append(np.delete(wrong, drawn).mean())
    assert np.mean(outside) == pytest.approx(0.5, abs=0.04)
    assert np.mean(inside) == pytest.approx(0.368 / 2, abs=0.02)
    notes = np.dot([0.636, 0.368], [0.5, 0.184])
    errata("Bootstrap, second part", 0.5, notes, bootstrap.combine632(0.0, 0.5))


def test_cross_validation_is_biased_for_the_full_training_set():
    """Least squares, n = 20, p = 10, Gaussian inputs: E G(m) = sigma^2 (1 + p/(m - p - 1))."""
    n, p = 20, 10
    ten, five, loo, full = (1 + p / (n - out - p - 1) for out in (2, 4, 1, 0))
    above = [100 * (error / full - 1) for error in (ten, five, loo)]
    errata("Cross-validation", n, p, above[0], 10, above[1], 5, above[2])
    rng = np.random.default_rng(2)
    draws = [(rng.normal(size=(n, p)), rng.normal(size=n)) for _ in range(300)]
    folds = np.arange(n)
    errors = [(crossval.cv_residuals_linear(X, y, folds) ** 2).mean() for X, y in draws]
    error = np.std(errors) / math.sqrt(len(errors))
    assert np.mean(errors) == pytest.approx(loo, abs=4 * error)
    assert np.mean(errors) > full


def fold_estimate(rng, k, learner, n=40, p=5):
    """Return the cross-validated error of least squares or of a majority vote on noise."""
    out = np.arange(n) % k == np.arange(k)[:, None]
    if learner == "vote":
        y = rng.integers(2, size=n)
        vote = 2 * (~out @ y) > (~out).sum(axis=1)
        return ((vote[:, None] != y) & out).sum() / n
    X, y = rng.normal(size=(n, p)), rng.normal(size=n)
    keep = (~out)[:, :, None]
    gram, right = (X * keep).mT @ X, (X * keep).mT @ y[:, None]
    residual = y - (X @ np.linalg.solve(gram, right))[:, :, 0]
    return (residual**2 * out).sum() / n


@pytest.mark.slow
def test_leave_one_out_is_not_always_the_more_variable():
    """For least squares it is less variable; for a majority vote it is more variable."""
    rng = np.random.default_rng(3)
    ratio = {}
    for learner in ("least squares", "vote"):
        spread = [np.std([fold_estimate(rng, k, learner) for _ in range(3000)]) for k in (40, 5)]
        ratio[learner] = spread[0] / spread[1]
    assert ratio["least squares"] < 1 < 1.2 < ratio["vote"]
    errata("Leave-one-out", ratio["vote"], 5, ratio["least squares"])


def test_thirty_cases_a_fold_are_no_sharp_border():
    """Each of two fixed classifiers is wrong alone on 10%: 5 examples a fold are enough."""
    rng = np.random.default_rng(3)
    rejected = []
    for size in (5, 30):
        cells = rng.multinomial(size, [0.1, 0.1, 0.8], size=(20_000, 10))
        result = compare.kfold_paired_t((cells[..., 0] - cells[..., 1]) / size)
        rejected.append(100 * (result.pvalue <= 0.05).mean())
    assert rejected == pytest.approx([5, 5], abs=1.2)
    errata("Folds of thirty", 5, rejected[0], 30, rejected[1])


@pytest.mark.parametrize(("variance", "median"), [(None, -12.4), (20.0, -13.8), (50.0, -11.3)])
def test_the_printed_variance_is_a_variance(monkeypatch, variance, median):
    if variance:
        monkeypatch.setattr(larsen_hansen, "VARIANCE", variance)
    table = larsen_hansen.table_one(np.random.default_rng(5), 6000, 20, 50)
    assert table["deviations_percent"]["FPE"][2] == pytest.approx(median, abs=0.5)
    if not variance:  # footnote 14 lacks a factor N
        assert table["misprinted_fpe_median"] == pytest.approx(-72.7, abs=0.3)
        full = STORED["table"]
        right = full["deviations_percent"]["FPE"][2]
        errata("Footnote 14", full["misprinted_fpe_median"], right)


@pytest.mark.slow
def test_ten_folds_gain_what_leave_one_out_loses_even_on_the_parity_of_labels():
    # Hardt says no better than a single fold in general; Blum, Kalai and Langford (1999) say better
    every = np.arange(2**20)  # the bits are 20 labels, in all assignments
    gains = {}
    for folds in (5, 10, 20):
        errors = []
        for fold in range(folds):
            part = sum(1 << i for i in range(fold, 20, folds))
            ones, others = np.bitwise_count(every & part), np.bitwise_count(every & ~part)
            errors.append(np.where(others % 2, 20 // folds - ones, ones))
        gains[folds] = (errors[0] * folds).var() / np.sum(errors, axis=0).var()
    assert gains == pytest.approx({5: 5, 10: 10, 20: 1})
    errata("k folds", 20, gains[10], 10, gains[5], 5, gains[20], 20)
