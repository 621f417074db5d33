"""Laws for all registered intervals, and each compared with its formula written out."""

import inspect
import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import get_tags
from ties import fingerprint, three_points

from errlab import datasets, training_set
from errlab.bootstrap import loo_bootstrap, loo_bootstrap_linear
from errlab.training_set import INTERVALS, LeastSquares
from errlab.training_set import _centre632 as centre632
from errlab.training_set._method import Task

KEYS = ["BS1", "BS2", "CUD", "K", "L", "M", "Y"]
OTHERS = [key for key in KEYS if key != "CUD"]
DATA = datasets.gaussian_mixture(30, rng=4)


def call(key, X=DATA.X, y=DATA.y, model=None, **options):
    options = {"resamples": 60, "rng": 0} | options
    return INTERVALS[key].function(model or LeastSquares(), X, y, **options)


def task(model=None, X=DATA.X, y=DATA.y, resamples=60, rng=0):
    return Task(model or LeastSquares(), X, y, 0.05, resamples, np.random.default_rng(rng))


@pytest.mark.slow
@pytest.mark.parametrize("key", INTERVALS)
def test_laws(key):
    parameters = inspect.signature(INTERVALS[key].function).parameters
    assert list(parameters)[:6] == ["estimator", "X", "y", "delta", "resamples", "rng"]
    shared = [parameters[name] for name in ("delta", "resamples", "rng")]
    assert all(p.kind is inspect.Parameter.KEYWORD_ONLY for p in shared)
    assert [p.default for p in shared] == [0.05, 500, 0]
    for y in (DATA.y, np.random.default_rng(0).permutation(DATA.y)):
        low, high = call(key, y=y)
        assert 0 <= low <= high <= 1
        assert isinstance(low, float)
    # the same seed gives the same interval
    assert call(key, rng=3) == call(key, rng=np.random.default_rng(3))
    assert call(key, rng=3) != call(key, rng=5, resamples=59)
    narrow, wide = call(key, delta=0.4), call(key, delta=0.01)
    assert wide.low <= narrow.low <= narrow.high <= wide.high
    assert wide != narrow
    good, bad = (
        call(key, *datasets.gaussian_mixture(40, separation=separation, rng=0)[:2])
        for separation in (12.0, 0.0)
    )
    assert good.low < 0.05
    assert good.high < bad.high
    assert 0.2 < (bad.low + bad.high) / 2 < 0.7


@pytest.mark.slow
@pytest.mark.parametrize("key", OTHERS)
def test_any_classifier_and_any_labels_are_served(key):
    words = np.where(DATA.y > 0, "ill", "well")
    low, high = call(key, y=words, model=KNeighborsClassifier(3), resamples=10)
    assert 0 <= low < high <= 1
    assert call(key, y=words) == call(key)


# --- formulas written out -------------------------------------------------------------------


def centre(rng=0, resamples=60):
    return centre632.centre632(task(rng=rng, resamples=resamples))


@pytest.mark.slow
def test_centre_is_the_632_estimate():
    expected = loo_bootstrap_linear(LeastSquares().design(DATA.X), DATA.y, resamples=60, rng=0)
    assert centre() == pytest.approx(expected.point632, rel=1e-12)  # added in another order
    model = KNeighborsClassifier(3)
    expected = loo_bootstrap(model, DATA.X, DATA.y, resamples=60, rng=0)
    assert centre632.centre632(task(model)) == pytest.approx(expected.point632, rel=1e-12)


@pytest.mark.slow
def test_y_trains_on_the_smaller_half_and_tests_on_the_larger():
    model = KNeighborsClassifier(1)
    for n in (9, 14):
        X, y = DATA.X[:n], DATA.y[:n]
        inside = np.tile(np.arange(n) < n // 2, (60, 1))
        wrong = []
        for row in np.random.default_rng(0).permuted(inside, axis=1):
            fitted = clone(model).fit(X[row], y[row])
            wrong.append((fitted.predict(X[~row]) != y[~row]).mean())
        error = np.mean(wrong)
        half = stats.norm.ppf(0.55) * np.sqrt(error * (1 - error) / ((n + 1) // 2))
        ends = call("Y", X=X, y=y, model=model, delta=0.9)
        assert ends == pytest.approx((error - half, error + half), rel=1e-9)


def test_double_bootstrap_is_the_632_estimate_of_each_sample_as_a_data_set():
    """Against a plain loop that trains LeastSquares on the rows themselves."""
    n, outer, inner, model = 30, 3, 4, LeastSquares()
    result = centre632.double632(task(resamples=outer), inner)
    rng = np.random.default_rng(0)
    cases, copies = rng.integers(n, size=(outer, n)), rng.integers(n, size=(outer, inner, n))
    for b in range(outer):
        X, y = DATA.X[cases[b]], DATA.y[cases[b]]
        training = np.mean(model.fit(X, y).predict(X) != y)
        losses = np.full((inner, n), np.nan)
        for row, drawn in zip(losses, copies[b], strict=True):
            left = np.setdiff1d(np.arange(n), drawn)
            row[left] = model.fit(X[drawn], y[drawn]).predict(X[left]) != y[left]
        out = ~np.isnan(losses).all(axis=0)
        error = np.nanmean(losses[:, out], axis=0).mean()
        assert result[b] == pytest.approx(0.368 * training + 0.632 * error, rel=1e-12)


class Plain(KNeighborsClassifier):
    """The linear classifier as one that errlab doesn't recognise, trained one by one."""

    def fit(self, X, y):
        self.model = LeastSquares().fit(X, y)
        return self

    def predict(self, X):
        return self.model.predict(X)


def test_batched_and_single_training_agree():
    weights = np.random.default_rng(0).multinomial(30, np.ones(30) / 30, size=20)
    weights[0] = np.repeat([15, 0], [2, 28])  # rank deficient
    weights[1] = 30 * (np.arange(30) == 3)  # one class
    assert (task().wrong(weights) == task(Plain()).wrong(weights)).all()


# --- the classifier ---------------------------------------------------------------------------


def test_least_squares_works_within_scikit_learn():
    X, y, _ = datasets.donut(200, label_noise=0.0, rng=0)
    model = LeastSquares(np.square)
    assert clone(model).basis is np.square
    assert model.set_params(basis=None).get_params() == {"basis": None}
    assert get_tags(model).estimator_type == "classifier"
    rings = LeastSquares(lambda X: np.column_stack([np.ones(len(X)), X**2]))
    assert cross_val_score(rings, X, y, cv=5, scoring="accuracy").mean() > 0.9


# --- examples on the boundary --------------------------------------------------------------------


@pytest.mark.slow
def test_a_case_on_the_boundary_gets_the_first_class():
    ties, rng = 0, np.random.default_rng(5)
    for seed in range(60):
        X, y, weights = three_points(seed)
        # the scores of -1, 0 and 4 in integer arithmetic, times a positive number
        x = X[:, 0].astype(int)
        terms = np.transpose([x**0, x, x * x, y, x * y])
        n, sx, sxx, sy, sxy = (weights @ terms).T[:, :, None]
        assert (n * sxx > sx * sx).all()  # at least two points
        scores = (sxx * sy - sx * sxy) + (n * sxy - sx * sy) * x
        one_class = abs(sy) == n
        ties += ((scores == 0) & ~one_class).any(axis=1).sum()
        expected = np.where(one_class, sy // n, np.where(scores > 0, 1, -1))
        for scale in (1.0, 3.7e-7, 1e9):
            assert (np.where(task(X=scale * X, y=y).wrong(weights), -y, y) == expected).all()
            model = LeastSquares().fit(scale * X, y)
            assert (model.predict(scale * X) == expected[0]).all()
        result = training_set.cud_bound(X, y, resamples=1, rng=0)
        assert result.training_error == np.mean(expected[0] != y)
        # the order of cases and columns does not matter
        wide = np.column_stack([X, rng.integers(-2, 3, (30, 2))])
        rows, columns = rng.permutation(30), rng.permutation(3)
        moved = task(X=wide[rows][:, columns], y=y[rows]).wrong(weights[:, rows])
        assert (moved == task(X=wide, y=y).wrong(weights)[:, rows]).all()
    assert ties > 20  # otherwise this would test nothing


@pytest.mark.slow
def test_the_kernels_of_the_processor_do_not_matter():
    """OpenBLAS chooses kernels by the processor; those of a very old one can be requested."""
    local = os.path.dirname(os.path.dirname(__file__))  # so that other processes can import it
    path = os.pathsep.join([local, os.path.dirname(local), os.environ.get("PYTHONPATH", "")])
    other = subprocess.run(
        [sys.executable, "-c", "import ties; print(ties.fingerprint())"],
        env={**os.environ, "OPENBLAS_CORETYPE": "Prescott", "PYTHONPATH": path},
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    assert other.stdout.strip() == fingerprint()
