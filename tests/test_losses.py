"""Loss functions (survey Eqs. 1-6 and 10) and the checks that everything passes through."""

import numpy as np
import pytest

from errlab import losses
from errlab._core import checks


def test_sign_of_zero_is_minus_one():
    assert losses.from_scores([-1, -1, -1, 1], [-1e-300, 0.0, -0.0, 1e-300]).tolist() == [0] * 4


@pytest.mark.parametrize(
    ("true", "pred", "expected"),
    [
        ([0, 1, 1], [0, 0, 1], [0, 1, 0]),
        (["a", "b"], ["a", "a"], [0, 1]),
        ([1, 2, 3], [1, 3, 3], [0, 1, 0]),
        ([True, False], [True, True], [0, 1]),
        ([-1, 1, 1], [0, 1, 2], [1, 0, 1]),  # labels, and no scores, whatever they are
        ([1.0, 2.0], [1, 1], [0, 1]),
        ([0.5, 1.0], [0.5, 0.5], [0, 1]),
        ([2**53 + 1], [2.0**53], [1]),  # not rounded to each other
        ([2**63], [2**63 - 1], [1]),
        ([2**70, 1], [2**70 + 1, 1], [1, 0]),
        (["a", "a\0"], ["a", "a"], [0, 1]),
    ],
)
def test_hard_loss(true, pred, expected):
    assert losses.hard_loss(true, pred).tolist() == expected


@pytest.mark.parametrize(
    ("true", "pred", "error"),
    [
        ([0, 1], [0.3, 0.7], ValueError),  # a probability is no label
        ([-1, 1], [-0.5, 3.0], ValueError),  # nor is a score
        ([0, 1], [0, None], ValueError),
        ([0, "a"], [0, 1], TypeError),
        ([[0], [1]], [[0], [1]], ValueError),
        ([[0], [1, 2]], [0, 1], TypeError),
        ([0, {}], [0, 1], TypeError),
        ([b"a", b"b"], ["a", "b"], TypeError),
        ([0, 1], ["0", "1"], TypeError),
        ([0, 1], [0], ValueError),
        ([], [], ValueError),
        ([0, np.nan], [0, 1], ValueError),
        ([-1, 1], [np.inf, 0], ValueError),
    ],
)
def test_hard_loss_bad_input(true, pred, error):
    with pytest.raises(error, match="y_") as caught:
        losses.hard_loss(true, pred)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", [list, np.array, lambda v: np.array(v, dtype=object)])
@pytest.mark.parametrize(
    ("true", "scores", "expected"),
    [
        ([-1, 1], [0, 0], [0, 1]),  # Eq. 3: a score of 0 predicts -1
        ([-1, 1], [0.0, 0.0], [0, 1]),
        ([-1, 1, 1], [-0.5, 3.0, -1.0], [0, 0, 1]),
        ([1, 1], [2, 1], [0, 0]),
        ([-1.0, 1, 1, -1], [-0.3, 0.2, -3.0, 0.5], [0, 0, 1, 1]),
    ],
)
def test_the_sign_of_a_score_is_its_label(kind, true, scores, expected):
    assert losses.from_scores(kind(true), kind(scores)).tolist() == expected


@pytest.mark.parametrize(
    ("true", "scores"), [([0, 1], [0.1, 0.2]), ([-1, 1], [np.nan, 1]), ([-1, 1], [1.0])]
)
def test_scores_need_signs(true, scores):
    with pytest.raises(ValueError, match=r"y_true|scores"):
        losses.from_scores(true, scores)


def test_logistic_loss_is_the_probability_of_the_wrong_label():
    scores = np.array([-800.0, -2.0, 0.0, 2.0, 800.0])
    expected = [1, 1 / (1 + np.exp(-2)), 0.5, 1 / (1 + np.exp(2)), 0]  # Eq. 4 by hand
    assert losses.logistic_loss(np.ones(5), scores) == pytest.approx(expected)
    np.testing.assert_allclose(
        losses.logistic_loss(-np.ones(5), scores), 1 - losses.logistic_loss(np.ones(5), scores)
    )
    steep = losses.logistic_loss([1], [0.5], steepness=4)
    assert steep == pytest.approx([np.exp(-2) / (1 + np.exp(-2))])


def test_linear_soft_loss_is_clipped():
    expected = [1, 1, 0.75, 0.5, 0, 0]  # Eq. 5
    assert losses.linear_soft_loss(np.ones(6), [-3, -1, -0.5, 0, 1, 3]).tolist() == expected


@pytest.mark.parametrize("loss", [losses.logistic_loss, losses.linear_soft_loss])
def test_soft_losses_need_signs(loss):
    with pytest.raises(ValueError, match="labels in"):
        loss([0, 1], [0.1, 0.2])


def test_survey_eqs_11_and_12_hold_for_one_loss_not_for_the_mean():
    rate, n = 0.25, 10
    one = losses.risk([0, 1], [1 - rate, rate])
    assert one == rate
    from scipy.stats import binom

    k = np.arange(n + 1)
    second = float(np.sum((k / n) ** 2 * binom.pmf(k, n, rate)))
    assert second == pytest.approx(rate**2 + rate * (1 - rate) / n)  # .08125, not L = .25
    assert second == pytest.approx(0.08125)


@pytest.mark.parametrize("values", [[], [np.nan], [1.1], [-0.1], [[0, 1]]])
def test_losses_must_lie_in_the_unit_interval(values):
    with pytest.raises(ValueError, match="losses"):
        losses.empirical_error(values)


def test_risk_needs_a_distribution():
    with pytest.raises(ValueError, match="sum to 1"):
        losses.risk([0, 1], [0.5, 0.6])


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: checks.count(2.5), ValueError, "n must be a whole number, got 2.5"),
        (lambda: checks.count(0), ValueError, "n must be at least 1, got 0"),
        (lambda: checks.count("7"), TypeError, "n must hold real numbers, got '7'"),
        (lambda: checks.count(True), TypeError, "n must be a whole number, got True"),
        (lambda: checks.count(np.nan), ValueError, "n must be finite, got nan"),
        (lambda: checks.mean(1.2), ValueError, "mean must lie in \\[0, 1\\], got 1.2"),
        (lambda: checks.delta(1), ValueError, "delta must lie in \\(0, 1\\), got 1.0"),
        (lambda: checks.delta(None), TypeError, "delta must hold real numbers, got None"),
        (lambda: checks.numbers(1j, "x"), TypeError, "x must hold real numbers"),
        (lambda: checks.numbers([[1], [1, 2]], "x"), ValueError, "regular array"),
        (lambda: checks.one_delta([0.1]), ValueError, "single number"),
        (lambda: checks.generator("seed"), TypeError, "rng must be a seed"),
        (lambda: checks.generator(-1), ValueError, "at least 0"),
        (lambda: checks.choice("x", "method", ["a", "b"]), ValueError, "one of a, b, got 'x'"),
        (lambda: checks.choice(1, "method", ["a"]), TypeError, "one of a"),
        (
            lambda: checks.same_shape(mean=np.ones(2), n=np.ones(3)),
            ValueError,
            "mean \\(2,\\), n \\(3,\\)",
        ),
    ],
)
def test_messages_name_argument_rule_and_value(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_whole_floats_are_counts():
    assert checks.count(200.0) == 200
    assert checks.generator(3).integers(9) == np.random.default_rng(3).integers(9)
