"""What Hardt's chapter on the holdout method states, number by number."""

import pytest

from errlab import holdout

pytestmark = pytest.mark.slow


def test_ten_thousand_cases_for_one_percent_is_a_rule_of_two_standard_errors():
    assert round(1 / 0.01**2) == 10_000
    assert holdout.gap_coverage(0.5, 10_000, 0.01) == pytest.approx(0.9556, abs=5e-5)
    # Hoeffding does not go so far: it lets 27% fail, and needs 18,445 cases
    assert holdout.failure_probability(10_000, 0.01) == pytest.approx(0.27, abs=0.005)
    assert holdout.sample_size(0.01) == 18_445
    # and "at least" is false for a small risk: 400 cases do
    assert holdout.gap_coverage(0.01, 400, 0.01) == pytest.approx(0.979, abs=5e-4)
