"""Laws of comparisons over folds, and one that trains models; values are in values.txt."""

import numpy as np
import pytest
from fuzz import Nearest
from sklearn.dummy import DummyClassifier

from errlab import compare

SPLIT = {"n_train": 90, "n_test": 10}


FOLD_TESTS = {
    "kfold": compare.kfold_paired_t,
    "corrected": lambda d, **o: compare.corrected_resampled_t(d, **SPLIT, **o),
    "paired": lambda d, **o: compare.paired_t(d, np.zeros_like(d), **o),
    "t": compare.five_by_two_cv_t,
    "F": compare.five_by_two_cv_f,
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
