"""Claims of Hardt's chapter on the holdout method, number by number."""

import numpy as np
import pytest
from errata_page import errata

from errlab import holdout
from errlab_book import leaderboards

pytestmark = pytest.mark.slow

# ---------------------------------------------------------------- guarantees


def test_ten_thousand_cases_for_one_percent_is_a_rule_of_two_standard_errors():
    assert round(1 / 0.01**2) == 10_000
    assert holdout.gap_coverage(0.5, 10_000, 0.01) == pytest.approx(0.9556, abs=5e-5)
    # Hoeffding's inequality needs 18,445 examples for this, and otherwise lets 27% fail
    assert holdout.failure_probability(10_000, 0.01) == pytest.approx(0.27, abs=0.005)
    assert holdout.sample_size(0.01) == 18_445
    # "at least" is false if the risk is small: 400 examples are enough
    assert holdout.gap_coverage(0.01, 400, 0.01) == pytest.approx(0.979, abs=5e-4)
    half, rare = holdout.gap_coverage(0.5, 10_000, 0.01), holdout.gap_coverage(0.01, 400, 0.01)
    errata("Sample size", 10_000, 1, half, 0.5, 0.01, 400, rare)


def test_every_delta_above_zero_is_too_many():
    errata("Proposition", 2.5)
    assert np.log(2 / 2.5) < 0  # the root is imaginary for delta above 2


# ---------------------------------------------------------------- ranking and reuse


def test_random_labels_lower_all_accuracies_and_keep_the_order():
    risks = np.array([0.05, 0.1, 0.2, 0.4])
    noisy = leaderboards.noisy_risk(risks, 0.3, classes=2)
    assert (noisy > risks).all()
    assert (np.diff(noisy) > 0).all()
    # but for a model worse than guessing the accuracy rises, although the text says that all fall
    worse = leaderboards.noisy_risk(0.9, 0.3)
    assert worse < 0.9
    errata("Label noise", 0.9, worse, 0.3)


# ---------------------------------------------------------------- a real leaderboard
