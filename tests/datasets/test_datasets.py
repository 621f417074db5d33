"""Simulated sets have the properties that give them their names."""

import dataclasses
import itertools
import re

import numpy as np
import pytest
from scipy import integrate, stats
from tables import toml

from errlab import datasets
from errlab.datasets import _boards as boards
from errlab.datasets import _simulated as simulated
from errlab.datasets import load_board

LOW, HIGH = simulated._BAND
# how the best rule classifies an example, and P(y = 1) by the definitions
SIMULATED = {
    "donut": (lambda X: (X**2).sum(1) > 0.5, 0.5),
    "outlier": (lambda X: (X[:, 0] < -10) | (X[:, 0] > 0), 0.55),
    "chi2_small": (lambda X: (X[:, 0] > LOW) & (X[:, 0] < HIGH), 0.5),
    "three_points": (lambda X: X[:, 0] > -0.5, 0.46 * 0.1 + 0.54 * 0.9),
    "gaussian_mixture": (lambda X: X[:, 0] > 0, 0.5),
}


def fitted(name, n=400_000, rng=1):
    """Return coefficients, training error and Bayes error; a huge sample gives the limit f*."""
    X, y, bayes_error = getattr(datasets, name)(n, rng=rng)
    # the transformations that the small-sample study uses
    Z = np.column_stack([np.ones(n), X**2 if name == "donut" else X])
    beta = np.linalg.lstsq(Z, y, rcond=None)[0]
    return beta, np.mean(np.where(Z @ beta > 0, 1, -1) != y), bayes_error


@pytest.mark.parametrize("name", SIMULATED)
def test_a_seed_gives_signs_at_their_rate_and_the_bayes_rule_reaches_its_error(name):
    draw, (rule, share) = getattr(datasets, name), SIMULATED[name]
    first, second = draw(50, rng=3), draw(50, rng=3)
    assert (first.X == second.X).all()
    assert (first.y == second.y).all()
    assert not (first.X == draw(50, rng=4).X).all()
    X, y, bayes_error = draw(200_000, rng=2)
    assert (X.ndim, len(X), set(y)) == (2, 200_000, {-1.0, 1.0})
    assert np.mean(y == 1) == pytest.approx(share, abs=4 * 0.5 / np.sqrt(200_000))
    error = np.mean(rule(X) != (y > 0))
    assert error == pytest.approx(bayes_error, abs=4 * 0.5 / np.sqrt(200_000))


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


def test_chi2_small_limit_is_zero_and_far_from_bayes():
    beta, error, bayes_error = fitted("chi2_small")
    assert np.abs(beta).max() < 0.01  # standard error about .0016
    assert error > 0.45
    assert bayes_error == 0.05
    # the band holds half of probability and mean: by quadrature, independently of the solver
    for k in (0, 1):
        moment = integrate.quad(lambda x, k=k: x**k * stats.chi2.pdf(x, 1), LOW, HIGH)[0]
        assert moment == pytest.approx(0.5, abs=1e-9)


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
    rng = np.random.default_rng(5)
    three, donut = (
        np.array([fitted(name, 50, rng)[1] for _ in range(1500)])
        for name in ("three_points", "donut")
    )
    assert stats.kurtosis(three) < -1  # two humps; a uniform distribution has -1.2
    assert min(np.mean(three < 0.18), np.mean(three > 0.3)) > 0.3  # few errors between the humps
    assert abs(stats.kurtosis(donut)) < 0.5


def test_bayes_error_of_the_mixture_is_the_integral_of_the_smaller_density():
    for separation in (0.0, 1.0, 3.0, 40.0):

        def smaller(x, half=separation / 2):
            return stats.norm.pdf([x - half, x + half]).min() / 2

        expected = integrate.quad(smaller, -40, 40, points=[0], limit=500)[0]
        data = datasets.gaussian_mixture(5, separation=separation, rng=0)
        assert data.bayes_error == pytest.approx(expected, abs=1e-7)


@pytest.mark.slow
def test_ar1_regression_has_its_covariances():
    X, y, w, H, noise = datasets.ar1_regression(3, p=4, sets=200_000, rng=0)
    assert X.shape == (200_000, 3, 4)
    for k, m in itertools.product(range(3), repeat=2):  # E z(k) z(m)' = a^|k - m| H
        moment = np.einsum("si,sj->ij", X[:, k], X[:, m]) / len(X)
        assert moment == pytest.approx(0.6518 ** abs(k - m) * H, abs=0.015)
    assert (y - X @ w).var() == pytest.approx(noise, rel=0.01)
    assert noise == 32.45
    assert np.diag(H) == pytest.approx(1)


# --- Public boards: their contents give the published accuracies, and can't be changed.


PUBLISHED = toml("boards.toml")


def accuracies(board, *names):
    """Return the accuracies of each model on these sets, in per cent."""
    means = 100 * (1 - np.array([board.losses[name].mean(axis=1) for name in names]))
    return dict(zip(board.models, means.T, strict=True))


def test_cifar10_is_what_the_paper_says():
    board = load_board("cifar10")
    accuracy = accuracies(board, "test", "new_v4")
    assert set(PUBLISHED["cifar10"]) == set(accuracy)
    for model, published in PUBLISHED["cifar10"].items():
        assert accuracy[model] == pytest.approx(published, abs=0.0501), model
    for model, (without, *points) in PUBLISHED["cutout"].items():
        gains = accuracy[model] - accuracy[without]
        for gain, text in zip(gains, points, strict=True):
            digits = len(text.partition(".")[2])
            assert gain == pytest.approx(float(text), abs=0.1**digits), model


def test_imagenet_is_what_the_weights_and_the_paper_say():
    board = load_board("imagenet")
    accuracy = accuracies(board, "validation", "matched")
    for model, published in PUBLISHED["torchvision"].items():
        # one image is 0.002; alexnet has two more errors than torchvision says
        assert accuracy[model][0] == pytest.approx(published, abs=0.0041), model
    for model, published in PUBLISHED["matched"].items():
        assert accuracy[model] == pytest.approx(published, abs=0.0501), model
    for name, published in PUBLISHED["changes"].items():
        change = np.diff([*accuracies(board, "validation", name).values()]).mean()
        assert change == pytest.approx(published, abs=0.1), name


def test_scores_of_livecodebench_are_those_of_its_files():
    board = load_board("livecodebench")
    for name, sums in PUBLISHED["livecodebench"].items():
        scores = {model: 100 * (1 - board.table(name)[model]).sum() for model in sums}
        assert scores == pytest.approx(sums, abs=1e-6), name


@pytest.mark.parametrize("name", ["cifar10", "imagenet", "livecodebench"])
def test_a_board_is_whole_and_stays_as_it_is(name):
    board = load_board(name)
    assert len(board.models) == len(set(board.models))
    for name_of_set, losses in board.losses.items():
        assert len(losses) == len(board.models)
        assert [np.nanmin(losses), np.nanmax(losses)] == [0, 1]
        ran = ~np.isnan(losses).all(axis=1)
        assert not np.isnan(losses[ran]).any(), "run on all items, or on none"
        assert list(board.table(name_of_set)) == np.array(board.models)[ran].tolist()
        for part in (board.groups, board.classes, board.published):
            assert len(part.get(name_of_set, losses[0])) == losses.shape[1]
        with pytest.raises(ValueError, match="read-only"):
            losses[0, 0] = 1
    assert tuple(board.losses) == board.sets
    with pytest.raises(dataclasses.FrozenInstanceError):
        board.name = "other"
    with pytest.raises(TypeError):
        board.losses["own"] = losses
    assert board.licence in repr(board)


def test_what_is_not_there_is_said(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match=re.escape(f"must hold imagenet.npz, but {tmp_path}")):
        load_board("imagenet", folder=tmp_path)
    monkeypatch.setattr(boards, "_BOOK", tmp_path)  # as if the package were installed
    with pytest.raises(FileNotFoundError, match="from book/data/boards of the book's"):
        load_board("imagenet")
