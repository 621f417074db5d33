"""Loss functions (survey Eqs. 1-6 and 10), and the checks of all arguments."""

import numpy as np
import pytest

from errlab import losses


def test_logistic_loss_is_the_probability_of_the_wrong_label():
    scores = np.array([-800.0, -2.0, 0.0, 2.0, 800.0])
    expected = [1, 1 / (1 + np.exp(-2)), 0.5, 1 / (1 + np.exp(2)), 0]  # Eq. 4 by hand
    assert losses.logistic_loss(np.ones(5), scores) == pytest.approx(expected)
    np.testing.assert_allclose(
        losses.logistic_loss(-np.ones(5), scores), 1 - losses.logistic_loss(np.ones(5), scores)
    )
    steep = losses.logistic_loss([1], [0.5], steepness=4)
    assert steep == pytest.approx([np.exp(-2) / (1 + np.exp(-2))])
