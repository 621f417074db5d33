"""Laws for all registered intervals, and each compared with its formula written out."""

import inspect
import os
import subprocess
import sys

import numpy as np
import pytest
from marks import slow
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


def test_the_registry_holds_the_seven_methods_of_the_paper():
    assert set(KEYS) <= set(INTERVALS)


@pytest.mark.parametrize("key", INTERVALS)
class TestLaws:
    def test_ends_lie_in_order_in_the_unit_interval(self, key):
        for y in (DATA.y, np.random.default_rng(0).permutation(DATA.y)):
            low, high = call(key, y=y)
            assert 0 <= low <= high <= 1
            assert isinstance(low, float)

    def test_same_seed_same_interval(self, key):
        assert call(key, rng=3) == call(key, rng=np.random.default_rng(3))
        assert call(key, rng=3) != call(key, rng=5, resamples=59)

    def test_a_smaller_delta_gives_a_wider_interval(self, key):
        narrow, wide = call(key, delta=0.4), call(key, delta=0.01)
        assert wide.low <= narrow.low <= narrow.high <= wide.high
        assert wide != narrow

    def test_perfect_data_get_a_low_interval_and_noise_a_high_one(self, key):
        clear = datasets.gaussian_mixture(40, separation=12.0, rng=0)
        noise = datasets.gaussian_mixture(40, separation=0.0, rng=0)
        good, bad = call(key, clear.X, clear.y), call(key, noise.X, noise.y)
        assert good.low < 0.05
        assert good.high < bad.high
        assert 0.2 < (bad.low + bad.high) / 2 < 0.7

    def test_the_signature_is_shared(self, key):
        parameters = inspect.signature(INTERVALS[key].function).parameters
        assert list(parameters)[:6] == ["estimator", "X", "y", "delta", "resamples", "rng"]
        shared = [parameters[name] for name in ("delta", "resamples", "rng")]
        assert all(p.kind is inspect.Parameter.KEYWORD_ONLY for p in shared)
        assert [p.default for p in shared] == [0.05, 500, 0]

    @pytest.mark.parametrize(
        ("options", "error", "match"),
        [
            ({"y": DATA.y[:-1]}, ValueError, "X and y must have the same length"),
            ({"y": np.ones(30)}, ValueError, "y must hold at least two classes"),
            (
                {"model": LeastSquares},
                TypeError,
                "estimator must be an instance, such as LeastSquares",
            ),
            ({"nonsense": 1}, TypeError, "nonsense"),
        ],
    )
    def test_bad_input_raises(self, key, options, error, match):
        with pytest.raises(error, match=match):
            call(key, **options)


@pytest.mark.parametrize("key", slow(OTHERS, "BS1", "BS2"))
def test_any_classifier_and_any_labels_are_served(key):
    words = np.where(DATA.y > 0, "ill", "well")
    low, high = call(key, y=words, model=KNeighborsClassifier(3), resamples=15)
    assert 0 <= low < high <= 1
    assert call(key, y=words) == call(key)


def test_cud_needs_the_linear_classifier_and_signs():
    with pytest.raises(TypeError, match="must be a LeastSquares classifier"):
        call("CUD", model=KNeighborsClassifier())
    with pytest.raises(ValueError, match=r"y must hold labels in \{-1, \+1\}"):
        call("CUD", y=(DATA.y > 0).astype(float))


# --- formulas written out -------------------------------------------------------------------


def centre(rng=0, resamples=60):
    return centre632.centre632(task(rng=rng, resamples=resamples))


@pytest.mark.slow
def test_centre_is_the_632_estimate():
    Z = LeastSquares().design(DATA.X)
    expected = loo_bootstrap_linear(Z, DATA.y, resamples=60, rng=0).point632
    assert centre() == pytest.approx(expected, rel=1e-12)  # the sums are added in another order
    model = KNeighborsClassifier(3)
    result = centre632.centre632(task(model))
    expected = loo_bootstrap(model, DATA.X, DATA.y, resamples=60, rng=0).point632
    assert result == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("size", [None, 11, 19])
def test_k_is_the_normal_approximation(size):
    low, high = call("K", effective_size=size)
    p, n = centre(), size or 30
    half = stats.norm.ppf(0.975) * np.sqrt(p * (1 - p) / n)
    assert (low, high) == pytest.approx((max(0, p - half), p + half), rel=1e-12)


@pytest.mark.parametrize("size", [None, 11])
def test_l_inverts_binomial_tails(size):
    low, high = call("L", effective_size=size)
    n = size or 30
    k = n * centre()
    assert low == pytest.approx(stats.beta.ppf(0.025, k, n - k + 1), rel=1e-9)
    assert high == pytest.approx(stats.beta.ppf(0.975, k + 1, n - k), rel=1e-9)


@pytest.mark.parametrize("prior", [(1.0, 1.0), (0.5, 2.0)])
def test_m_has_equal_posterior_tails_and_counts_errors(prior):
    low, high = call("M", prior=prior, effective_size=25)
    a, b = prior[0] + 25 * centre(), prior[1] + 25 * (1 - centre())
    assert (low, high) == pytest.approx(stats.beta.ppf([0.025, 0.975], a, b), rel=1e-9)
    assert (low + high) / 2 < 0.5  # the classifier is good


@pytest.mark.slow
@pytest.mark.parametrize("n", [9, 14, 21])
def test_y_trains_on_the_smaller_half_and_tests_on_the_larger(n):
    X, y, model = DATA.X[:n], DATA.y[:n], KNeighborsClassifier(1)
    one = task(model, X=X, y=y)
    train = np.zeros((60, n), dtype=np.int64)
    train[:, : n // 2] = 1
    wrong = [
        (clone(model).fit(X[row == 1], y[row == 1]).predict(X[row == 0]) != y[row == 0]).mean()
        for row in one.rng.permuted(train, axis=1)
    ]
    error = np.mean(wrong)
    low, high = call("Y", X=X, y=y, model=model, delta=0.9)
    assert (low + high) / 2 == pytest.approx(error, rel=1e-9)
    half = stats.norm.ppf(0.55) * np.sqrt(error * (1 - error) / ((n + 1) // 2))
    assert (high - low) / 2 == pytest.approx(half, rel=1e-9)


def test_y_may_be_centred_at_the_632_estimate():
    low, high = call("Y", delta=0.5, centre=".632")
    one = task()
    splits = one.rng.permuted(np.tile(np.repeat([1, 0], 15), (60, 1)), axis=1)
    assert splits.sum() == 60 * 15
    assert (low + high) / 2 == pytest.approx(centre632.centre632(one), rel=1e-12)
    other = call("Y", delta=0.5)
    assert other.high - other.low == pytest.approx(high - low, rel=1e-12)  # the same splits
    assert other != (low, high)


def test_bs2_reflects_bs1():
    one, two = call("BS1", delta=0.3), call("BS2", delta=0.3)
    assert two.high - two.low == pytest.approx(one.high - one.low, rel=1e-12)
    after = task()
    centre632.double632(after, 20)  # BS2 draws the same samples first
    assert one.low + two.high == pytest.approx(2 * centre632.centre632(after), rel=1e-12)


def test_double_bootstrap_is_the_632_estimate_of_each_sample_as_a_data_set():
    """Against a plain loop that trains LeastSquares on the rows themselves."""
    X, y, n, outer, inner = DATA.X, DATA.y, 30, 3, 4
    result = centre632.double632(task(resamples=outer), inner)
    rng = np.random.default_rng(0)
    cases = rng.integers(n, size=(outer, n))
    copies = rng.integers(n, size=(outer, inner, n))
    for b in range(outer):
        X_b, y_b = X[cases[b]], y[cases[b]]
        training = np.mean(LeastSquares().fit(X_b, y_b).predict(X_b) != y_b)
        losses = [[] for _ in range(n)]
        for drawn in copies[b]:
            model = LeastSquares().fit(X_b[drawn], y_b[drawn])
            for i in set(range(n)) - set(drawn.tolist()):
                losses[i].append(float(model.predict(X_b[[i]])[0] != y_b[i]))
        error1 = np.mean([np.mean(row) for row in losses if row])
        assert result[b] == pytest.approx(0.368 * training + 0.632 * error1, rel=1e-12)


def test_batched_and_single_training_agree():
    class Plain:
        """The same classifier, trained one by one."""

        def fit(self, X, y):
            self.model = LeastSquares().fit(X, y)
            return self

        def predict(self, X):
            return self.model.predict(X)

    weights = np.random.default_rng(0).multinomial(30, np.ones(30) / 30, size=20)
    weights[0] = 0
    weights[0, :2] = 15  # rank deficient
    weights[1] = 30 * (np.arange(30) == 3)  # one class
    assert (task().wrong(weights) == task(Plain()).wrong(weights)).all()


# --- the classifier ---------------------------------------------------------------------------


def test_least_squares_is_least_squares():
    model = LeastSquares().fit(DATA.X, DATA.y)
    Z = np.column_stack([np.ones(30), DATA.X])
    beta = np.linalg.lstsq(Z, DATA.y, rcond=None)[0]
    assert model.coef_ == pytest.approx(beta)
    assert model.decision_function(DATA.X) == pytest.approx(Z @ beta)
    assert (model.predict(DATA.X) == np.where(Z @ beta > 0, 1, -1)).all()


def test_least_squares_works_within_scikit_learn():
    X, y, _ = datasets.donut(200, label_noise=0.0, rng=0)
    model = LeastSquares(np.square)
    assert clone(model).basis is np.square
    assert model.set_params(basis=None).get_params() == {"basis": None}
    assert get_tags(model).estimator_type == "classifier"
    rings = LeastSquares(lambda X: np.column_stack([np.ones(len(X)), X**2]))
    assert cross_val_score(rings, X, y, cv=5, scoring="accuracy").mean() > 0.9


# --- examples on the boundary --------------------------------------------------------------------


def exact_labels(X, y, weights):
    """Labels of -1, 0 and 4 in integer arithmetic, and whether a fit ties; two classes."""
    x = X[:, 0].astype(int)
    labels, ties = [], 0
    for m in weights:
        n, sx, sxx, sy, sxy = (int(m @ v) for v in (np.ones(30, int), x, x * x, y, x * y))
        determinant = n * sxx - sx * sx
        # at least two points; the scores below are multiplied by this number
        assert determinant > 0
        scores = (sxx * sy - sx * sxy) + (n * sxy - sx * sy) * x
        one_class = abs(sy) == n
        ties += not one_class and bool((scores == 0).any())
        labels.append(np.full(30, sy // n) if one_class else np.where(scores > 0, 1, -1))
    return np.array(labels), ties


@pytest.mark.slow
def test_a_case_on_the_boundary_gets_the_first_class():
    ties = 0
    for seed in range(60):
        X, y, weights = three_points(seed)
        expected, tied = exact_labels(X, y, weights)
        ties += tied
        for scale in (1.0, 3.7e-7, 1e9):
            model = LeastSquares()
            result = np.where(task(model, scale * X, y).wrong(weights), -y, y)
            assert (result == expected).all()
            assert (model.fit(scale * X, y).predict(scale * X) == expected[0]).all()
    assert ties > 20  # otherwise this would test nothing


def test_the_order_of_cases_and_columns_does_not_matter():
    rng = np.random.default_rng(5)
    for seed in range(60):
        X, y, weights = three_points(seed)
        wide = np.column_stack([X, rng.integers(-2, 3, (30, 2))])
        wrong = task(X=wide, y=y).wrong(weights)
        rows, columns = rng.permutation(30), rng.permutation(3)
        moved = task(X=wide[rows][:, columns], y=y[rows]).wrong(weights[:, rows])
        assert (moved == wrong[:, rows]).all()


def test_a_score_of_rounding_alone_is_zero():
    X, y = [[0.1], [0.1], [0.7], [0.7]], [1, -1, -1, 1]  # the labels at each point cancel out
    model = LeastSquares().fit(X, y)
    assert model.decision_function(X).tolist() == [0.0] * 4
    assert model.predict(X).tolist() == [-1] * 4
    clear = LeastSquares().fit([[0.0], [1.0]], [-1, 1])
    assert clear.predict([[0.5], [0.5 + 1e-8]]).tolist() == [-1, 1]  # even a small score has a sign


def test_the_training_error_of_cud_is_that_of_the_classifier():
    for seed in range(60):
        X, y, _ = three_points(seed)
        result = training_set.cud_bound(X, y, resamples=1, rng=0).training_error
        assert result == np.mean(LeastSquares().fit(X, y).predict(X) != y)


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
