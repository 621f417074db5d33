"""The smallest test set for a bound: it reaches, and one case fewer does not."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from errlab import bounds
from errlab.bounds import BOUNDS
from errlab.holdout import sample_size_for

FROM_MEAN = [key for key, entry in BOUNDS.items() if entry.needs != "losses"]


@pytest.mark.parametrize("key", FROM_MEAN)
@pytest.mark.parametrize("mean", [0.0, 0.03, 0.25, 0.9])
@pytest.mark.parametrize("delta", [1e-4, 0.05, 0.3])
def test_n_reaches_and_no_smaller_n_does(key, mean, delta):
    for epsilon in (0.3, 0.05):
        n = sample_size_for(key, epsilon=epsilon, mean=mean, delta=delta)
        level = mean + epsilon
        assert bounds.upper(key, mean, n, delta=delta) <= level
        if n > 1:
            fewer = bounds.upper(key, mean, np.arange(max(1, n - 3000), n), delta=delta)
            assert (fewer > level).all()
        if level <= 1:
            assert sample_size_for(key, target=level, mean=mean, delta=delta) == n


def test_known_sizes():
    # Hoeffding: n = ceil(log(1/delta) / (2 epsilon^2)) = ceil(599.15)
    assert sample_size_for("HOE", epsilon=0.05, mean=0.1) == 600
    # the rule of three, exactly: (1 - 0.01)^n <= 0.05 first at n = 299
    assert sample_size_for("CP", target=0.01, mean=0) == 299
    assert sample_size_for("T_HOE", target=0.01, mean=0) == 299
    # Wald: z^2 p (1 - p) / epsilon^2 = 2.7055 * 0.25 / 0.0001 = 6763.9
    assert sample_size_for("NOR", epsilon=0.01, mean=0.5) == 6764
    large = sample_size_for("HOE", epsilon=1e-6, mean=0.1)
    assert large == pytest.approx(np.log(20) / 2 * 1e12, rel=1e-9)


def test_agrees_with_statsmodels_where_counts_are_whole():
    # statsmodels 0.15.0, proportion_confint(method="beta") at mean 1/2, even n
    n = sample_size_for("CP", target=0.6, mean=0.5)
    even = np.arange(2, n + 4, 2)
    high = proportion_confint(even // 2, even, alpha=0.1, method="beta")[1]
    assert even[high <= 0.6][0] == n + n % 2


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"mean": 0.1}, ValueError, "give either epsilon or target, got neither"),
        ({"mean": 0.1, "epsilon": 0.1, "target": 0.2}, ValueError, "got both"),
        ({"mean": 0.1, "epsilon": 0}, ValueError, "epsilon must be above 0, got 0.0"),
        ({"mean": 0.1, "target": 0.1}, ValueError, "target must be above mean = 0.1, got 0.1"),
        ({"mean": 1, "target": 0.9}, ValueError, "target must be above mean = 1, got 0.9"),
        ({"mean": 1.2, "epsilon": 0.1}, ValueError, r"mean must lie in \[0, 1\]"),
        ({"mean": [0.1], "epsilon": 0.1}, ValueError, "mean must be a single number"),
        ({"mean": "x", "epsilon": 0.1}, TypeError, "mean must hold real numbers"),
        ({"mean": 0.1, "epsilon": 0.1, "delta": 0}, ValueError, "delta must lie in"),
        ({"mean": 0.1, "epsilon": 1e-9}, ValueError, "does not reach 0.1 with"),
    ],
)
def test_bad_input(options, error, message):
    with pytest.raises(error, match=message):
        sample_size_for("HOE", **options)


def test_a_bound_that_needs_the_losses_is_refused():
    with pytest.raises(ValueError, match="bound 'BET' needs the losses"):
        sample_size_for("BET", epsilon=0.1, mean=0.1)
