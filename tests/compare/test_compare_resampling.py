"""Comparisons over folds and splits, and the functions that train models for them."""

import numpy as np
import pytest
from scipy import integrate, stats

from errlab import compare
from errlab.compare import (
    bayesian_correlated_t,
    corrected_resampled_t,
    five_by_two_cv_f,
    kfold_paired_t,
    paired_t,
)
from errlab.compare._five_by_two_cv import five_by_two_cv_t

FOLDS = np.random.default_rng(5).normal(0.02, 0.03, 10)
HALVES = np.random.default_rng(8).normal(0.02, 0.03, (5, 2))
SPLIT = {"n_train": 90, "n_test": 10}


def test_paired_t_agrees_with_scipy():
    a, b = np.random.default_rng(7).normal(size=(2, 40))
    other = stats.ttest_rel(a, b)
    mine = paired_t(a, b, delta=0.1)
    assert (mine.statistic, mine.pvalue) == pytest.approx((other.statistic, other.pvalue))
    assert mine.interval == pytest.approx(other.confidence_interval(0.9))
    assert mine.estimate == pytest.approx(a.mean() - b.mean())
    folds = kfold_paired_t(a - b)
    assert (folds.statistic, folds.pvalue) == pytest.approx((other.statistic, other.pvalue))


def test_corrected_resampled_t_by_its_formula():
    mean, variance = FOLDS.mean(), FOLDS.var(ddof=1)
    t = mean / np.sqrt((1 / 10 + 10 / 90) * variance)
    mine = corrected_resampled_t(FOLDS, **SPLIT)
    assert mine.statistic == pytest.approx(t)
    assert mine.pvalue == pytest.approx(2 * stats.t.sf(abs(t), 9))


def test_five_by_two_by_their_formulas():
    total = ((HALVES - HALVES.mean(axis=1, keepdims=True)) ** 2).sum()
    t = HALVES[0, 0] / np.sqrt(total / 5)
    mine = five_by_two_cv_t(HALVES)
    assert mine.statistic == pytest.approx(t)
    assert mine.pvalue == pytest.approx(2 * stats.t.sf(abs(t), 5))
    f = (HALVES**2).sum() / (2 * total)
    mine = five_by_two_cv_f(HALVES)
    assert mine.statistic == pytest.approx(f)
    assert mine.pvalue == pytest.approx(stats.f.sf(f, 10, 5))


# B lost two of five repetitions, but an early version printed "B is better ... 0.01 to 0.01"
BOTH_WAYS = [[0.05, 0.05], [-0.03, -0.031], [0.04, 0.04], [-0.02, -0.02], [0.01, 0.011]]


def test_f_has_no_interval_where_every_difference_is_rejected():
    result = five_by_two_cv_f(BOTH_WAYS)
    assert result.pvalue < 0.05
    assert result.interval is None
    assert result.reading.startswith("The differences are not all zero at level 0.05")
    assert "interval" not in repr(result)
    assert "better" not in repr(result)
    # the test rejects every difference, so there is no interval
    for d in np.linspace(-0.1, 0.1, 201):
        assert five_by_two_cv_f(np.subtract(BOTH_WAYS, d)).pvalue < 0.05
    many = five_by_two_cv_f([BOTH_WAYS, np.full((5, 2), 0.1), np.zeros((5, 2))])
    np.testing.assert_array_equal(np.isnan(many.interval.low), [True, False, False])
    np.testing.assert_array_equal(np.isnan(many.interval.high), [True, False, False])


def test_posterior_by_integration():
    mine = bayesian_correlated_t(FOLDS, rope=0.015, **SPLIT)
    rho = 10 / 100
    scale = np.sqrt((1 / 10 + rho / (1 - rho)) * FOLDS.var(ddof=1))
    density = stats.t(9, FOLDS.mean(), scale).pdf
    inside = integrate.quad(density, -0.015, 0.015)[0]
    below = integrate.quad(density, -np.inf, -0.015)[0]
    assert mine.posterior == pytest.approx((below, inside, 1 - below - inside), abs=1e-8)
    assert mine.pvalue is None
    assert mine.interval == pytest.approx(corrected_resampled_t(FOLDS, **SPLIT).interval)
    assert "probability" in mine.reading
    none = bayesian_correlated_t(FOLDS, rope=0, **SPLIT).posterior
    assert none.equivalent == pytest.approx(0, abs=1e-15)
    p = corrected_resampled_t(FOLDS, **SPLIT).pvalue
    assert min(none.a_better, none.b_better) == pytest.approx(p / 2)


FOLD_TESTS = {
    "kfold": kfold_paired_t,
    "corrected": lambda d, **o: corrected_resampled_t(d, **SPLIT, **o),
    "paired": lambda d, **o: paired_t(d, np.zeros_like(d), **o),
    "t": lambda d, **o: five_by_two_cv_t(d, **o),
    "F": lambda d, **o: five_by_two_cv_f(d, **o),
}
SHAPES = {"t": (5, 2), "F": (5, 2)}


@pytest.mark.parametrize("name", FOLD_TESTS)
class TestEveryFoldTest:
    def draw(self, name, rng, *many):
        return rng.normal(0.5, 1, (*many, *SHAPES.get(name, (7,))))

    def test_equal_differences_but_for_rounding_show_nothing(self, name):
        equal = np.resize([0.3 - 0.2, 0.2 - 0.1, 0.9 - 0.8], SHAPES.get(name, (7,)))
        assert len(np.unique(equal)) > 1
        for constant in (equal, -equal, np.zeros_like(equal)):
            result = FOLD_TESTS[name](constant)
            assert (result.statistic, result.pvalue) == (0, 1)
            assert result.interval == (-np.inf, np.inf)
            assert "Neither" in result.reading

    @pytest.mark.parametrize("factor", [1e-200, 1e200, -3.0])
    def test_scale_does_not_matter(self, name, factor):
        d = self.draw(name, np.random.default_rng(0))
        one, other = FOLD_TESTS[name](d), FOLD_TESTS[name](factor * d)
        assert other.pvalue == pytest.approx(one.pvalue, rel=1e-10)
        scaled = sorted(end * factor for end in one.interval)
        assert list(other.interval) == pytest.approx(scaled, rel=1e-9)

    def test_many_equal_one_by_one(self, name):
        d = self.draw(name, np.random.default_rng(1), 3, 4)
        many = FOLD_TESTS[name](d)
        for i in np.ndindex(3, 4):
            one = FOLD_TESTS[name](d[i])
            assert many.pvalue[i] == pytest.approx(one.pvalue, rel=1e-12)
            low = np.nan if one.interval is None else one.interval.low
            assert many.interval.low[i] == pytest.approx(low, rel=1e-9, nan_ok=True)
        assert isinstance(one.pvalue, float)
        assert "of 12 comparisons" in many.reading


@pytest.mark.parametrize("value", [0.0, 0.05, -0.3, 1e-9])
def test_no_spread_is_no_knowledge(value):
    """Constant differences, folds or scores: no small p, and no interval of one point."""
    for name, test in FOLD_TESTS.items():
        flat = np.full(SHAPES.get(name, 10), value)
        result = test(flat)
        assert (result.statistic, result.pvalue) == (0, 1)
        assert result.interval == (-np.inf, np.inf)
        assert repr(result).startswith("Caution: all differences are equal")
        # the rounding error of 0.3 - 0.2 isn't variation either
        assert test(flat * (1 + 1e-15 * np.arange(flat.size).reshape(flat.shape))).pvalue == 1
    result = paired_t([value + 1] * 40, [1.0] * 40)
    assert (result.pvalue, *result.interval) == (1, -np.inf, np.inf)
    result = bayesian_correlated_t([value] * 4, **SPLIT)
    assert (result.posterior, result.interval) == ((0.5, 0, 0.5), (-np.inf, np.inf))


def test_many_posteriors_have_a_reading():
    many = bayesian_correlated_t(np.array([[0.1] * 4, [0.1, 0.2, 0.1, 0.0]]), **SPLIT)
    assert many.posterior.b_better.shape == (2,)
    assert "Of 2 comparisons" in many.reading


class Stump:
    """A classifier from no library: fit returns nothing, and it has no parameters."""

    def __init__(self, column):
        self.column = column

    def fit(self, X, y):
        self.edge = np.median(X[:, self.column])
        self.high = y[X[:, self.column] > self.edge].mean() > 0.5

    def predict(self, X):
        return ((X[:, self.column] > self.edge) == self.high).astype(int)


def problem(n=80):
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, n)
    return np.column_stack([rng.normal(size=n), rng.normal(size=n) + 3 * y]), y


def test_resampled():
    X, y = problem()
    call = compare.resampled
    result = call(Stump(0), Stump(1), X, y, rng=0, names=("noise", "signal"))
    assert result.estimate > 0  # A uses only noise
    assert result.reading.startswith("signal is better")
    assert result.pvalue < 0.05
    again = call(Stump(0), Stump(1), X, y, rng=0)
    assert again.statistic == result.statistic
    swapped = call(Stump(1), Stump(0), X, y, rng=0)
    assert swapped.estimate == pytest.approx(-result.estimate)
    same = call(Stump(1), Stump(1), X, y, rng=0)
    assert same.pvalue == 1


def test_the_ends_of_alpaydins_interval_are_where_his_test_turns():
    """F with 10 and 5 degrees of freedom, of the differences minus the interval's end."""
    d = np.array([[0.04, 0.02], [0.03, 0.05], [0.01, 0.03], [0.04, 0.01], [0.02, 0.02]])
    spread = 2 * ((d - d.mean(axis=1, keepdims=True)) ** 2).sum()
    critical = stats.f.isf(0.1, 10, 5)
    low, high = compare.five_by_two_cv_f(d, delta=0.1).interval
    assert low < d.mean() < high
    assert [((d - end) ** 2).sum() / spread for end in (low, high)] == pytest.approx([critical] * 2)
