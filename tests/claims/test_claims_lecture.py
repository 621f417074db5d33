"""What the lecture notes state on estimating the real risk, where its audit does not compute it."""

import numpy as np
import pytest
from scipy import stats

from errlab import holdout, metrics


def test_false_discoveries_as_defined():
    p = np.array([0.97, 0.9, 0.6, 0.6, 0.2])
    for threshold in (0.95, 0.6, 0.5, 0.1):
        found = metrics.false_discoveries(p, threshold)
        expected = sum((1 - x) * (x > threshold) for x in p)
        assert found.expected_false == pytest.approx(expected)
        assert found.rate == pytest.approx(expected / (p > threshold).sum())


def test_zeta_of_68_percent_is_not_quite_one():
    assert stats.norm.ppf(0.84) == pytest.approx(0.9945, abs=5e-5)


@pytest.mark.parametrize(("risk", "coverage"), [(0.02, 0.866), (0.05, 0.877)])
def test_beyond_the_hundred_is_not_enough(risk, coverage):
    assert holdout.interval_coverage("NOR", risk, 100, error=risk) == pytest.approx(
        coverage, abs=6e-4
    )


def test_theorem_6_5_1_is_about_the_number_of_hypotheses():
    # 2 dim(H) exp(-2 N eps^2), N = 200, eps = .1: .037 for one hypothesis, as Hoeffding has it
    assert holdout.failure_probability(200, 0.1) == pytest.approx(0.037, abs=5e-4)
    # a thousand that guess, each with a single parameter: the theorem is for their number
    assert holdout.failure_probability(200, 0.1, models=1000) == 1
    alone = 1 - holdout.gap_coverage(0.5, 200, 0.1)
    assert 0.037 < 1 - (1 - alone) ** 1000 < 1
