"""The numerical recipes that several methods share."""

import mpmath as mp
import numpy as np
import pytest

from errlab._numerics import least_squares, roots


@pytest.mark.parametrize("delta", [1e-300, 1e-17, 1e-7, 0.025, 0.3, 0.5, 0.7])
def test_normal_quantile_to_the_last_digits(delta):
    with mp.workdps(340):
        exact = mp.sqrt(2) * mp.erfinv(1 - 2 * mp.mpf(delta))
    assert roots.normal_quantile(delta) == pytest.approx(float(exact), rel=4e-16, abs=1e-16)
    assert roots.normal_quantile(np.array([delta]))[0] == roots.normal_quantile(delta)


def test_ratio_without_an_error():
    top, bottom = np.array([0.0, 0.0, 2.0, -2.0]), np.array([0.0, 3.0, 0.0, 0.0])
    np.testing.assert_array_equal(roots.ratio(top, bottom), [0, 0, np.inf, -np.inf])


def test_bisect_goes_either_way():
    ends = roots.bisect(
        lambda x: np.abs(x) <= [1.5, 0.25], np.array([0.0, 0.0]), np.array([2.0, -2.0])
    )
    np.testing.assert_allclose(ends, [1.5, -0.25], rtol=1e-15)


def test_first_whole_is_a_linear_search():
    goals = np.arange(1, 41)
    result = roots.first_whole(lambda n: n >= goals, np.zeros(40, int), np.full(40, 40))
    np.testing.assert_array_equal(result, goals)


def test_first_size_tries_ints_and_few_of_them():
    tried = []

    def enough(n):
        tried.append(n)
        return n >= 13

    assert roots.first_size(enough, 1, 10**6) == 13
    assert all(type(n) is int for n in tried)
    assert len(tried) == len(set(tried)) < 10
    # 16 is the largest size, and must be tried
    assert roots.first_size(lambda n: n >= 12, 1, 16) == 12


def test_first_whole_does_not_try_below_its_low_end():
    # true below the low end, too: the value of a finished element must not change
    result = roots.first_whole(lambda n: n != 3, np.array([3, 3]), np.array([4, 5]))
    np.testing.assert_array_equal(result, [4, 4])


@pytest.mark.parametrize(("score", "label"), [(0.4, 0), (0.9, 0), (1.1, 1), (-1.1, 0)])
def test_a_score_within_rounding_is_a_tie_and_takes_the_first_class(monkeypatch, score, label):
    """In units of the tolerance: two classes have one score, whose sign decides."""
    beta = np.array([[[score * least_squares.TIE]]])
    monkeypatch.setattr(least_squares, "coefficients", lambda *_: beta)
    rows, codes = np.array([[1.0], [1.0]]), np.array([0, 1])
    result = least_squares.classify(rows, codes, np.ones((1, 2)), np.zeros(1))
    assert result.tolist() == [[label, label]]


def test_a_beta_quantile_far_out_and_its_complement_add_up_to_1():
    quantile = roots.beta_quantile(*np.array([[5.0], [7.0], [1e-120]]))
    with mp.workdps(50):
        tail = mp.betainc(5, 7, 0, mp.mpf(float(quantile.value[0])), regularized=True)
    assert float(mp.log(tail)) == pytest.approx(float(mp.log(mp.mpf("1e-120"))), rel=1e-12)
    assert quantile.complement == pytest.approx(1 - quantile.value, rel=1e-12)
