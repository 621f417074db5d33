"""What the lecture notes and Larsen & Hansen say about comparing learners, checked."""

import numpy as np
import pytest
from scipy import stats

from errlab import compare
from errlab.compare import mcnemar

# Lecture notes, table of zeta(x, K) at 90%, 95%, 98%, 99%; None stands for infinity
PRINTED = {
    2: (2.92, 4.30, 6.96, 9.92),
    5: (2.02, 2.57, 3.36, 4.03),
    10: (1.81, 2.23, 2.76, 3.17),
    30: (1.70, 2.04, 2.46, 2.75),
    None: (1.64, 1.96, 2.33, 2.58),
}
LEVELS = (0.10, 0.05, 0.02, 0.01)


@pytest.mark.parametrize("k", PRINTED)
def test_the_printed_table_is_student_with_k_degrees_of_freedom(k):
    exact = (
        stats.norm.isf(np.divide(LEVELS, 2)) if k is None else stats.t.isf(np.divide(LEVELS, 2), k)
    )
    # two entries are cut, not rounded: 2.015 and 2.326 are printed with two digits
    assert np.abs(np.array(PRINTED[k]) - exact).max() < 0.0055


@pytest.mark.slow
def test_seventeen_against_twenty_percent():
    # "is 0.17 better than 0.20?": from 1286 cases each on; if these are the true rates, that many
    # see it every other time only
    assert compare.two_proportions_power(0.17, 1286, 0.20, 1286) == pytest.approx(0.5, abs=0.01)
    n = compare.sample_size(lambda n: compare.two_proportions_power(0.17, n, 0.20, n))
    assert n == pytest.approx(2629, abs=5)  # statsmodels 0.15, normal formula: 2628.6


def test_z_is_the_uncorrected_one():
    # n01 = 1, n10 = 6, by hand: z = 5 / sqrt 7, corrected 4 / sqrt 7, 16 / 128, 9 / 128
    result = mcnemar(1, 6, method="z")
    assert result.statistic == pytest.approx(5 / np.sqrt(7))
    expected = {"z": 0.059, "chi2": 0.059, "chi2-corrected": 0.131, "exact": 0.125, "mid-p": 0.070}
    for method, p in expected.items():
        assert mcnemar(1, 6, method=method).pvalue == pytest.approx(p, abs=5e-4)
    sizes = compare.mcnemar_size(np.arange(5, 200), method="z")
    assert sizes.max() > 0.07  # "rejected with more than 95%" does not hold
