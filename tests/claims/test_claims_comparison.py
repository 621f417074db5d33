"""Claims of the lecture notes and of Larsen & Hansen about comparing learners."""

import numpy as np
import pytest
from errata_page import errata
from scipy import stats

from errlab import compare
from errlab.compare import kfold_paired_t, mcnemar, two_proportions

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
    # two entries are truncated, not rounded: 2.015 and 2.326 are printed with two digits
    assert np.abs(np.array(PRINTED[k]) - exact).max() < 0.0055


@pytest.mark.slow
def test_seventeen_against_twenty_percent():
    # "is 0.17 better than 0.20?": by the normal interval, yes from 1286 examples each
    def excludes(n):
        variance = 0.17 * 0.83 / n + 0.20 * 0.80 / n
        return stats.norm.isf(0.025) * np.sqrt(variance) < 0.03

    assert excludes(1286)
    assert not excludes(1285)
    assert two_proportions(204, 1200, 240, 1200, method="normal").pvalue > 0.05
    assert two_proportions(221, 1300, 260, 1300, method="normal").pvalue < 0.05
    # but if these are the true rates, a difference is shown by only half of all tests of that size
    assert compare.two_proportions_power(0.17, 1286, 0.20, 1286) == pytest.approx(0.5, abs=0.01)
    n = compare.sample_size(lambda n: compare.two_proportions_power(0.17, n, 0.20, n))
    assert n == pytest.approx(2629, abs=5)  # statsmodels 0.15, normal formula: 2628.6


def test_the_same_test_set_gives_tighter_intervals_where_errors_go_together():
    together = [[10, 5], [10, 75]]  # phi = 0.5
    apart = [[0, 15], [20, 65]]  # the two are never wrong together
    unpaired = two_proportions(15, 100, 20, 100, method="normal").interval

    def width(interval):
        return interval.high - interval.low

    assert width(compare.paired_difference(together).interval) < 0.8 * width(unpaired)
    assert width(compare.paired_difference(apart).interval) > width(unpaired)


def test_z_is_the_uncorrected_one():
    # n01 = 1, n10 = 6, by hand: z = 5 / sqrt 7, corrected 4 / sqrt 7, 16 / 128, 9 / 128
    result = mcnemar(1, 6, method="z")
    assert result.statistic == pytest.approx(5 / np.sqrt(7))
    expected = {"z": 0.059, "chi2": 0.059, "chi2-corrected": 0.131, "exact": 0.125, "mid-p": 0.070}
    for method, p in expected.items():
        assert mcnemar(1, 6, method=method).pvalue == pytest.approx(p, abs=5e-4)
    sizes = compare.mcnemar_size(np.arange(5, 200), method="z")
    assert sizes.max() > 0.07  # "rejected with more than 95%" is false
    one, exact = (mcnemar(1, 6, method=method).pvalue for method in ("z", "exact"))
    errata("McNemar", 1, 6, one, exact, 5, 199, sizes.max())


def test_thirty_cases_a_fold_are_no_sharp_border():
    # each of two fixed classifiers is wrong alone on 10%: the interval covers with 5 examples a
    # fold
    rng = np.random.default_rng(3)
    rejected = {}
    for size in (5, 30):
        cells = rng.multinomial(size, [0.1, 0.1, 0.8], size=(20_000, 10))
        result = kfold_paired_t((cells[..., 0] - cells[..., 1]) / size)
        rejected[size] = (result.pvalue <= 0.05).mean()
        assert rejected[size] == pytest.approx(0.05, abs=0.012)
    errata("Folds of thirty", 5, 100 * rejected[5], 30, 100 * rejected[30])
