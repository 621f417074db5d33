"""Loss functions (survey Eqs. 1-6 and 10) and the checks that everything passes through."""

import numpy as np
import pytest

from errlab import losses


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
