"""The numerical recipes that several methods share; known values are in data/values.txt."""

import mpmath as mp
import numpy as np
import pytest

from errlab._numerics import least_squares, roots


@pytest.mark.slow
def test_quantiles_to_the_last_digits():
    for delta in (1e-300, 1e-17, 1e-7, 0.025, 0.3, 0.5, 0.7):
        with mp.workdps(340):
            exact = mp.sqrt(2) * mp.erfinv(1 - 2 * mp.mpf(delta))
        assert roots.normal_quantile(delta) == pytest.approx(float(exact), rel=4e-16, abs=1e-16)
        assert roots.normal_quantile(np.array([delta]))[0] == roots.normal_quantile(delta)
    quantile = roots.beta_quantile(*np.array([[5.0], [7.0], [1e-120]]))
    with mp.workdps(50):
        tail = mp.betainc(5, 7, 0, mp.mpf(float(quantile.value[0])), regularized=True)
    assert float(mp.log(tail)) == pytest.approx(float(mp.log(mp.mpf("1e-120"))), rel=1e-12)
    assert quantile.complement == pytest.approx(1 - quantile.value, rel=1e-12)


def test_first_size_tries_ints_and_few_of_them():
    tried = []

    def enough(n):
        tried.append(n)
        return n >= 13

    assert roots.first_size(enough, 1, 10**6) == 13
    assert all(type(n) is int for n in tried)
    assert len(tried) == len(set(tried)) < 10


def test_a_score_within_rounding_is_a_tie_and_takes_the_first_class(monkeypatch):
    """In units of the tolerance: two classes have one score, whose sign decides."""
    rows, codes = np.array([[1.0], [1.0]]), np.array([0, 1])
    for score, label in ((0.4, 0), (0.9, 0), (1.1, 1), (-1.1, 0)):
        beta = np.array([[[score * least_squares.TIE]]])
        monkeypatch.setattr(least_squares, "coefficients", lambda *_, beta=beta: beta)
        result = least_squares.classify(rows, codes, np.ones((1, 2)), np.zeros(1))
        assert result.tolist() == [[label, label]]
