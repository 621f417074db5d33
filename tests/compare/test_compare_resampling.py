"""Comparisons over folds and splits, and the functions that train models for them."""

import numpy as np
import pytest
from fuzz import Nearest
from scipy import integrate, stats
from sklearn.dummy import DummyClassifier

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
SPLIT = {"n_train": 90, "n_test": 10}


def test_t_and_f_by_scipy_and_by_their_formulas():
    a, b = np.random.default_rng(7).normal(size=(2, 40))
    other = stats.ttest_rel(a, b)
    result = paired_t(a, b, delta=0.1)
    assert result.interval == pytest.approx(other.confidence_interval(0.9))
    assert result.estimate == pytest.approx(a.mean() - b.mean())

    corrected = FOLDS.mean() / np.sqrt((1 / 10 + 10 / 90) * FOLDS.var(ddof=1))
    halves = np.random.default_rng(8).normal(0.02, 0.03, (5, 2))
    total = ((halves - halves.mean(axis=1, keepdims=True)) ** 2).sum()
    t = halves[0, 0] / np.sqrt(total / 5)
    f = (halves**2).sum() / (2 * total)
    for mine, statistic, pvalue in (
        (result, other.statistic, other.pvalue),
        (kfold_paired_t(a - b), other.statistic, other.pvalue),
        (corrected_resampled_t(FOLDS, **SPLIT), corrected, 2 * stats.t.sf(abs(corrected), 9)),
        (five_by_two_cv_t(halves), t, 2 * stats.t.sf(abs(t), 5)),
        (five_by_two_cv_f(halves), f, stats.f.sf(f, 10, 5)),
    ):
        assert (mine.statistic, mine.pvalue) == pytest.approx((statistic, pvalue)), mine.method


def test_the_interval_of_f_ends_where_the_test_turns_or_is_none():
    d = np.array([[0.04, 0.02], [0.03, 0.05], [0.01, 0.03], [0.04, 0.01], [0.02, 0.02]])
    spread = 2 * ((d - d.mean(axis=1, keepdims=True)) ** 2).sum()
    low, high = five_by_two_cv_f(d, delta=0.1).interval
    assert low < d.mean() < high
    turns = [((d - end) ** 2).sum() / spread for end in (low, high)]
    assert turns == pytest.approx([stats.f.isf(0.1, 10, 5)] * 2)

    # B lost two of five repetitions, but this once said "B is better ... 0.01 to 0.01"
    both_ways = [[0.05, 0.05], [-0.03, -0.031], [0.04, 0.04], [-0.02, -0.02], [0.01, 0.011]]
    result = five_by_two_cv_f(both_ways)
    assert result.interval is None
    assert result.reading.startswith("The differences are not all zero at level 0.05")
    assert "interval" not in repr(result)
    assert "better" not in repr(result)
    # the test rejects every difference, so there is no interval
    moved = np.subtract(both_ways, np.linspace(-0.1, 0.1, 201)[:, None, None])
    assert (five_by_two_cv_f([both_ways, *moved]).pvalue < 0.05).all()
    many = five_by_two_cv_f([both_ways, np.full((5, 2), 0.1), np.zeros((5, 2))])
    for ends in many.interval:
        np.testing.assert_array_equal(np.isnan(ends), [True, False, False])


def test_posterior_by_integration():
    result = bayesian_correlated_t(FOLDS, rope=0.015, **SPLIT)
    rho = 10 / 100
    scale = np.sqrt((1 / 10 + rho / (1 - rho)) * FOLDS.var(ddof=1))
    density = stats.t(9, FOLDS.mean(), scale).pdf
    inside = integrate.quad(density, -0.015, 0.015)[0]
    below = integrate.quad(density, -np.inf, -0.015)[0]
    assert result.posterior == pytest.approx((below, inside, 1 - below - inside), abs=1e-8)
    assert result.pvalue is None
    corrected = corrected_resampled_t(FOLDS, **SPLIT)
    assert result.interval == pytest.approx(corrected.interval)
    assert "probability" in result.reading
    none = bayesian_correlated_t(FOLDS, rope=0, **SPLIT).posterior
    assert none.equivalent == pytest.approx(0, abs=1e-15)
    assert min(none.a_better, none.b_better) == pytest.approx(corrected.pvalue / 2)
    many = bayesian_correlated_t(np.array([[0.1] * 4, [0.1, 0.2, 0.1, 0.0]]), **SPLIT)
    assert many.posterior.b_better.shape == (2,)
    assert "Of 2 comparisons" in many.reading
    for value in (0.0, 0.05, -0.3, 1e-9):
        result = bayesian_correlated_t([value] * 4, **SPLIT)
        assert (result.posterior, result.interval) == ((0.5, 0, 0.5), (-np.inf, np.inf))


FOLD_TESTS = {
    "kfold": kfold_paired_t,
    "corrected": lambda d, **o: corrected_resampled_t(d, **SPLIT, **o),
    "paired": lambda d, **o: paired_t(d, np.zeros_like(d), **o),
    "t": five_by_two_cv_t,
    "F": five_by_two_cv_f,
}


@pytest.mark.parametrize("name", FOLD_TESTS)
def test_no_spread_scale_and_many_fold_tests(name):
    test, shape = FOLD_TESTS[name], (5, 2) if name in "tF" else (7,)
    # constant differences, but for rounding: no small p, and no interval of one point
    equal = np.resize([0.3 - 0.2, 0.2 - 0.1, 0.9 - 0.8], shape)
    for flat in (equal, -equal, *(np.full(shape, value) for value in (0.0, 0.05, -0.3, 1e-9))):
        result = test(flat)
        assert (result.statistic, result.pvalue) == (0, 1)
        assert result.interval == (-np.inf, np.inf)
        assert "Neither" in result.reading
        assert repr(result).startswith("Caution: all differences are equal")
    rng = np.random.default_rng(0)
    d = rng.normal(0.5, 1, shape)
    for factor in (1e-200, 1e200, -3.0):
        one, other = test(d), test(factor * d)
        assert other.pvalue == pytest.approx(one.pvalue, rel=1e-10)
        scaled = sorted(end * factor for end in one.interval)
        assert list(other.interval) == pytest.approx(scaled, rel=1e-9)
    d = rng.normal(0.5, 1, (3, 4, *shape))
    many = test(d)
    for i in np.ndindex(3, 4):
        one = test(d[i])
        assert many.pvalue[i] == pytest.approx(one.pvalue, rel=1e-12)
        low = np.nan if one.interval is None else one.interval.low
        assert many.interval.low[i] == pytest.approx(low, rel=1e-9, nan_ok=True)
    assert isinstance(one.pvalue, float)
    assert "of 12 comparisons" in many.reading


def test_resampled():
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, 80)
    X = np.column_stack([rng.normal(size=80), rng.normal(size=80) + 3 * y])
    guess, signal = DummyClassifier(), Nearest()
    result = compare.resampled(guess, signal, X, y, rng=0, names=("guess", "signal"))
    assert result.estimate > 0  # A guesses
    assert result.reading.startswith("signal is better")
    assert result.pvalue < 0.05
    assert compare.resampled(guess, signal, X, y, rng=0).statistic == result.statistic
    swapped = compare.resampled(signal, guess, X, y, rng=0)
    assert swapped.estimate == pytest.approx(-result.estimate)
    assert compare.resampled(signal, signal, X, y, rng=0).pvalue == 1
