"""What the lecture notes and Larsen & Hansen say about comparing learners, checked."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from errlab import compare
from errlab.compare import kfold_paired_t, mcnemar, two_proportions

RESULTS = Path(__file__).parents[2] / "errlab/book/studies/comparison_tests.json"

# Lecture notes, table of zeta(x, K) at 90%, 95%, 98%, 99%; None stands for infinity
PRINTED = {
    2: (2.92, 4.30, 6.96, 9.92),
    5: (2.02, 2.57, 3.36, 4.03),
    10: (1.81, 2.23, 2.76, 3.17),
    30: (1.70, 2.04, 2.46, 2.75),
    None: (1.64, 1.96, 2.33, 2.58),
}
LEVELS = (0.10, 0.05, 0.02, 0.01)


def used_quantile(k, delta):
    """Quantile that kfold_paired_t takes: half its interval over the standard error."""
    differences = np.arange(k, dtype=float)
    low, high = kfold_paired_t(differences, delta=delta).interval
    return (high - low) / 2 / (differences.std(ddof=1) / np.sqrt(k))


@pytest.mark.parametrize("k", PRINTED)
def test_the_printed_table_is_student_with_k_degrees_of_freedom(k):
    exact = (
        stats.norm.isf(np.divide(LEVELS, 2)) if k is None else stats.t.isf(np.divide(LEVELS, 2), k)
    )
    # two entries are cut, not rounded: 2.015 and 2.326 are printed with two digits
    assert np.abs(np.array(PRINTED[k]) - exact).max() < 0.0055


@pytest.mark.parametrize("k", [k for k in PRINTED if k])
@pytest.mark.parametrize(("place", "delta"), list(enumerate(LEVELS)))
def test_k_folds_have_k_minus_one(k, place, delta):
    ours = used_quantile(k, delta)
    assert ours == pytest.approx(stats.t.isf(delta / 2, k - 1), rel=1e-9)
    assert ours > stats.t.isf(delta / 2, k) == pytest.approx(PRINTED[k][place], abs=0.0055)


@pytest.mark.parametrize(
    # ERRATA, lecture notes: what is printed, what is right, what the printed one covers
    ("k", "printed", "right", "covered"),
    [(2, 4.30, 12.71, 0.855), (5, 2.57, 2.78, 0.938), (10, 2.23, 2.26, 0.947)],
)
def test_real_coverage_of_the_printed_quantiles(k, printed, right, covered):
    assert used_quantile(k, 0.05) == pytest.approx(right, abs=0.005)
    assert 1 - 2 * stats.t.sf(stats.t.isf(0.025, k), k - 1) == pytest.approx(covered, abs=5e-4)
    d = np.random.default_rng(0).normal(size=(40_000, k))
    t = d.mean(axis=1) / (d.std(axis=1, ddof=1) / np.sqrt(k))
    assert (np.abs(t) <= printed).mean() == pytest.approx(covered, abs=0.006)


@pytest.mark.slow
def test_seventeen_against_twenty_percent():
    # "is 0.17 better than 0.20?": by the normal interval from 1286 cases each on
    def excludes(n):
        variance = 0.17 * 0.83 / n + 0.20 * 0.80 / n
        return stats.norm.isf(0.025) * np.sqrt(variance) < 0.03

    assert excludes(1286)
    assert not excludes(1285)
    assert two_proportions(204, 1200, 240, 1200, method="normal").pvalue > 0.05
    assert two_proportions(221, 1300, 260, 1300, method="normal").pvalue < 0.05
    # ... and if these are the true rates, that many cases see it every other time only
    assert compare.two_proportions_power(0.17, 1286, 0.20, 1286) == pytest.approx(0.5, abs=0.01)
    n = compare.sample_size(lambda n: compare.two_proportions_power(0.17, n, 0.20, n))
    assert n == pytest.approx(2629, abs=5)  # statsmodels 0.15, normal formula: 2628.6


def test_the_interval_of_two_test_sets_is_the_printed_formula():
    low, high = two_proportions(17, 100, 30, 150, method="normal").interval
    p, q = 17 / 100, 30 / 150
    half = stats.norm.isf(0.025) * np.sqrt(p * (1 - p) / 100 + q * (1 - q) / 150)
    assert (low, high) == pytest.approx((p - q - half, p - q + half))


def test_the_same_test_set_gives_tighter_intervals_where_errors_go_together():
    together = [[10, 5], [10, 75]]  # phi = 0.5
    apart = [[0, 15], [20, 65]]  # never wrong together
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
    assert sizes.max() > 0.07  # "rejected with more than 95%" does not hold


def larsen_hansen(rng, sets, splits, n=20, p=10, held=5):
    """Differences in test error of p - 1 and p inputs, least squares, leave-out resampling."""
    truth = rng.normal(size=p)
    x = rng.normal(size=(sets, n, p))
    y = x @ truth + rng.normal(size=(sets, n)) * np.sqrt(32.45)
    order = np.argsort(rng.random((sets, splits, n)), axis=-1)
    index = np.arange(sets)[:, None, None]
    train, test = order[..., held:], order[..., :held]

    def error(columns):
        a, b = x[index, train][..., :columns], y[index, train]
        gram = a.swapaxes(-1, -2) @ a
        weights = np.linalg.solve(gram, (a.swapaxes(-1, -2) @ b[..., None]))
        left = y[index, test] - (x[index, test][..., :columns] @ weights)[..., 0]
        return (left**2).mean(axis=-1)

    return np.log1p(error(p - 1)) - np.log1p(error(p))


@pytest.mark.slow
def test_the_differences_of_leave_out_resampling_are_not_independent():
    d = larsen_hansen(np.random.default_rng(1), sets=300, splits=200)
    claimed = d.std(axis=1, ddof=1) / np.sqrt(d.shape[1])
    real = d.mean(axis=1).std(ddof=1)
    assert real / np.median(claimed) > 3  # the standard error is understated several times
    naive = kfold_paired_t(d - d.mean())
    corrected = compare.corrected_resampled_t(d - d.mean(), n_train=15, n_test=5)
    assert (naive.pvalue <= 0.05).mean() > 0.4
    assert (corrected.pvalue <= 0.05).mean() < 0.1


def test_the_one_sided_rule_needs_the_lower_fractile():
    # reject "model 2 is worse" where dG / std(dG) < t_alpha: that is -2.13 at 4 df, not 2.13
    lower = stats.t.ppf(0.05, 4)
    assert lower == pytest.approx(-2.13, abs=0.005)
    d = np.random.default_rng(2).normal(size=(40_000, 5))
    result = kfold_paired_t(d)
    assert (result.statistic < lower).mean() == pytest.approx(0.05, abs=0.005)
    assert (result.statistic < -lower).mean() > 0.9
    one_sided = np.where(result.statistic < 0, result.pvalue / 2, 1 - result.pvalue / 2)
    np.testing.assert_array_equal(one_sided < 0.05, result.statistic < lower)


def test_thirty_cases_a_fold_are_no_sharp_border():
    # two fixed classifiers, alone wrong on 10% and 10%: the interval holds at 5 cases a fold too
    rng = np.random.default_rng(3)
    for size in (5, 30):
        cells = rng.multinomial(size, [0.1, 0.1, 0.8], size=(20_000, 10))
        result = kfold_paired_t((cells[..., 0] - cells[..., 1]) / size)
        assert (result.pvalue <= 0.05).mean() == pytest.approx(0.05, abs=0.012)


@pytest.fixture(scope="module")
def study():
    return json.loads(RESULTS.read_text(encoding="utf-8"))


def rates(study, gap, test):
    """Share of rejections, one for each problem and learner."""
    cells = [s for s in study["settings"] if s["setting"]["gap"] == gap]
    return np.array([s["summary"][test] for s in cells])


def test_the_study_is_whole_and_its_errors_are_small(study):
    assert study["study"] == "comparison_tests"
    assert {"numpy", "scipy", "sklearn", "errlab", "python"} <= set(study["versions"])
    assert len(study["settings"]) == 36
    for cell in study["settings"]:
        assert cell["repeats"] == 2000
        errors = [value for name, value in cell["summary"].items() if name.endswith("_se")]
        assert len(errors) == len(cell["summary"]) / 2
        assert max(errors) < 0.012
    # no test sees a mean difference where there is none: the two learners are exchangeable
    for cell in study["settings"]:
        if cell["setting"]["gap"] == 0:
            summary = cell["summary"]
            assert abs(summary["difference"]) < 4 * summary["difference_se"]


def test_study_resampled_t_must_not_be_used(study):
    # as Dietterich found: half of all comparisons of equals
    assert rates(study, 0.0, "resampled t").min() > 0.35


def test_study_ten_folds_see_too_much_and_more_with_the_printed_table(study):
    naive, printed = rates(study, 0.0, "10-fold t"), rates(study, 0.0, "10-fold t, K df")
    assert naive.max() > 0.15  # for the learner that changes most with its data
    assert naive.mean() > 0.07
    assert (printed >= naive).all()


def test_study_which_tests_keep_their_level(study):
    for test in ("McNemar exact", "5x2 cv F", "5x2 cv t", "corrected resampled t"):
        assert rates(study, 0.0, test).mean() < 0.05
    for test in ("McNemar exact", "two proportions, same cases", "10-fold t, corrected"):
        assert rates(study, 0.0, test).max() < 0.085
    # even a test that is exact for two fixed classifiers may exceed it for two learners: they
    # really differ once they are trained. The stump on digits is such a case.
    assert rates(study, 0.0, "McNemar z").max() > 0.06
    assert rates(study, 0.0, "5x2 cv F").max() > 0.08


def test_study_power(study):
    for gap in (0.5, 1.0):
        linear = np.arange(12) % 3 != 2  # without the stump, which hardly sees the gap
        power = {
            test: rates(study, gap, test)[linear]
            for test in ("McNemar exact", "McNemar mid-p", "5x2 cv F", "corrected resampled t")
        }
        assert (power["McNemar mid-p"] > power["McNemar exact"]).all()
        assert (power["5x2 cv F"] > power["McNemar mid-p"]).mean() > 0.8
        assert power["corrected resampled t"].mean() > power["5x2 cv F"].mean()
        unpaired = rates(study, gap, "two proportions, same cases")[linear]
        assert unpaired.mean() < rates(study, gap, "McNemar z")[linear].mean()
