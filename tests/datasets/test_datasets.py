"""Simulated sets have the properties that give them their names; loaders read files correctly."""

import itertools

import numpy as np
import pytest
from scipy import integrate, stats

from errlab import datasets
from errlab.datasets import _simulated as simulated

SIMULATED = {
    "donut": datasets.donut,
    "outlier": datasets.outlier,
    "chi2_small": datasets.chi2_small,
    "three_points": datasets.three_points,
    "gaussian_mixture": datasets.gaussian_mixture,
}
# the transformations that the small-sample study uses
DESIGN = {"donut": lambda X: np.column_stack([np.ones(len(X)), X**2])}


def design(name, X):
    return DESIGN.get(name, lambda X: np.column_stack([np.ones(len(X)), X]))(X)


def fitted(name, n=400_000, rng=1):
    """Return coefficients, training error and Bayes error; a huge sample gives the limit f*."""
    X, y, bayes_error = SIMULATED[name](n, rng=rng)
    Z = design(name, X)
    beta = np.linalg.lstsq(Z, y, rcond=None)[0]
    return beta, np.mean(np.where(Z @ beta > 0, 1, -1) != y), bayes_error


def training_errors(name, n, repeats=1500):
    rng = np.random.default_rng(5)
    return np.array([fitted(name, n, rng)[1] for _ in range(repeats)])


@pytest.mark.parametrize("name", SIMULATED)
def test_same_seed_same_data_and_labels_are_signs(name):
    first, second = SIMULATED[name](50, rng=3), SIMULATED[name](50, rng=3)
    assert (first.X == second.X).all()
    assert (first.y == second.y).all()
    assert first.X.ndim == 2
    assert len(first.X) == 50
    assert set(first.y) <= {-1.0, 1.0}
    assert not (first.X == SIMULATED[name](50, rng=4).X).all()


@pytest.mark.parametrize("name", SIMULATED)
def test_both_labels_come_up_at_the_rate_of_the_law(name):
    # P(y = 1) by the definitions
    share = {"outlier": 0.55, "three_points": 0.46 * 0.1 + 0.54 * 0.9}.get(name, 0.5)
    y = SIMULATED[name](100_000, rng=0).y
    assert np.mean(y == 1) == pytest.approx(share, abs=4 * 0.5 / np.sqrt(100_000))


# Laber and Murphy, Table 1, by our definitions


def test_donut_limit_is_close_to_bayes():
    beta, error, bayes_error = fitted("donut")
    assert error == pytest.approx(bayes_error, abs=0.003)
    # E[y r^2] / Var(r^2) with r^2 uniform on (0, 1): (1 - 2 * .2) * 1/4 * 12 = 1.8
    assert beta == pytest.approx([-0.9, 1.8, 1.8], abs=0.02)


def test_outlier_limit_is_far_from_bayes():
    _, error, bayes_error = fitted("outlier")
    assert bayes_error < 0.03
    assert error > 0.4
    first = datasets.outlier(100_000, rng=0).X[:, 0]
    distant = first[first < -10]
    assert (distant.mean(), distant.std()) == pytest.approx((-20, 0.5), abs=0.02)


def test_the_outlier_set_has_its_spreads():
    X, y, _ = datasets.outlier(100_000, rng=0)
    near = X[:, 0] > -10
    assert (X[near, 0] - y[near]).std() == pytest.approx(0.5, rel=0.02)
    assert X[:, 1].std() == pytest.approx(1, rel=0.02)


def test_chi2_small_limit_is_zero_and_far_from_bayes():
    beta, error, bayes_error = fitted("chi2_small")
    assert np.abs(beta).max() < 0.01  # standard error about .0016
    assert error > 0.45
    assert bayes_error == 0.05


def test_chi2_band_holds_half_of_probability_and_mean():
    low, high = simulated._BAND
    # by quadrature, independently of the solver
    moments = [
        integrate.quad(lambda x, k=k: x**k * stats.chi2.pdf(x, 1), low, high)[0] for k in (0, 1)
    ]
    assert moments == pytest.approx([0.5, 0.5], abs=1e-9)


def test_three_points_limit_is_far_from_bayes_and_close_to_the_middle_point():
    beta, error, bayes_error = fitted("three_points")
    # weighted least squares on the three points, exactly
    x, m = np.array([-1.0, 0.0, 4.0]), np.array([0.46, 0.34, 0.2])
    Z = np.column_stack([np.ones(3), x])
    exact = np.linalg.solve(Z.T @ (m[:, None] * Z), Z.T @ (m * 0.8 * np.array([-1, 1, 1])))
    assert beta == pytest.approx(exact, abs=0.01)
    assert -0.05 < exact[0] < 0
    assert error == pytest.approx(0.1 + 0.34 * 0.8, abs=0.005)
    assert bayes_error == 0.1


@pytest.mark.slow
def test_three_points_training_error_is_the_least_normal():
    errors = training_errors("three_points", 50)
    assert stats.kurtosis(errors) < -1  # two humps; a uniform distribution has -1.2
    low, high = np.mean(errors < 0.18), np.mean(errors > 0.3)
    assert min(low, high) > 0.3  # and few errors between the humps
    assert abs(stats.kurtosis(training_errors("donut", 50))) < 0.5


@pytest.mark.parametrize("name", SIMULATED)
def test_bayes_error_is_reached_by_the_bayes_rule(name):
    X, y, bayes_error = SIMULATED[name](200_000, rng=2)
    rule = {
        "donut": lambda X: (X**2).sum(1) - 0.5,
        "outlier": lambda X: np.where(X[:, 0] < -10, 1, X[:, 0]),
        "chi2_small": lambda X: np.where(
            (simulated._BAND[0] < X[:, 0]) & (X[:, 0] < simulated._BAND[1]), 1, -1
        ),
        "three_points": lambda X: X[:, 0] + 0.5,
        "gaussian_mixture": lambda X: X[:, 0],
    }[name]
    error = np.mean(np.where(rule(X) > 0, 1, -1) != y)
    assert error == pytest.approx(bayes_error, abs=4 * 0.5 / np.sqrt(200_000))


@pytest.mark.parametrize(("separation", "prior"), [(0.0, 0.3), (1.0, 0.2), (3.0, 0.5), (40.0, 0.9)])
def test_bayes_error_of_the_mixture_is_the_integral_of_the_smaller_density(separation, prior):
    def smaller(x):
        up, down = stats.norm.pdf(x - separation / 2), stats.norm.pdf(x + separation / 2)
        return min(prior * up, (1 - prior) * down)

    expected = integrate.quad(smaller, -40, 40, points=[0], limit=500)[0]
    result = datasets.gaussian_mixture(5, separation=separation, prior=prior, rng=0).bayes_error
    assert result == pytest.approx(expected, abs=1e-7)


def test_simulated_data_print_their_size():
    one, three = (datasets.ar1_regression(12, p=2, sets=sets) for sets in (None, 3))
    assert str(one).startswith("12 simulated examples of 2 variables, ")
    assert str(three).startswith("3 sets of 12 simulated examples of 2 variables, ")
    assert str(datasets.three_points(1)).startswith("1 simulated example of 1 variable, ")


@pytest.mark.slow
def test_ar1_regression_has_its_covariances():
    X, y, w, H, noise = datasets.ar1_regression(3, p=4, sets=200_000, rng=0)
    assert X.shape == (200_000, 3, 4)
    for k, m in itertools.product(range(3), repeat=2):  # E z(k) z(m)' = a^|k - m| H
        moment = np.einsum("si,sj->ij", X[:, k], X[:, m]) / len(X)
        assert moment == pytest.approx(0.6518 ** abs(k - m) * H, abs=0.015)
    residual = y - X @ w
    assert residual.var() == pytest.approx(noise, rel=0.01)
    assert noise == 32.45
    assert np.diag(H) == pytest.approx(1)
