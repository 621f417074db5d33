"""Claims of the sources about resampling, each proved or refuted (see the book's errata)."""

import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from errlab import bootstrap, bounds, crossval, generalization

sys.path.insert(0, str(Path(__file__).parents[2]))  # studies are scripts, not installed
from studies import _run, larsen_hansen

STORED = json.loads((_run.RESULTS / "larsen_hansen.json").read_text(encoding="utf-8"))

# --- Survey, Appendix A, Eq. 51 --------------------------------------------------------------


def test_hoeffding_folds_are_averaged_before_the_cap():
    losses, fold = [1.0] * 4 + [0.0] * 4, [0] * 4 + [1] * 4
    free = 0.5 + math.sqrt(math.log(20) / 8)
    assert crossval.kfold_bound(losses, fold, "HOE") == min(1, free)
    capped = np.mean([bounds.upper("HOE", m, 4, delta=0.5) for m in (0, 1)])
    assert crossval.kfold_bound(losses, fold, "HOE", delta=0.5) > capped


# --- Lecture notes ---------------------------------------------------------------------------


@pytest.mark.parametrize(("left_out", "bias"), [(2, 0.150), (4, 0.421), (1, 0.066)])
def test_cross_validation_is_biased_for_the_full_training_set(left_out, bias):
    """Least squares, n = 20, p = 10, Gaussian inputs: E G(m) = sigma^2 (1 + p/(m - p - 1))."""
    n, p = 20, 10

    def expected(m):
        return 1 + p / (m - p - 1)

    assert expected(n - left_out) / expected(n) - 1 == pytest.approx(bias, abs=6e-4)
    rng = np.random.default_rng(2)
    errors = []
    for _ in range(300):
        X, y = rng.normal(size=(n, p)), rng.normal(size=n)
        errors.append((crossval.loo_residuals_linear(X, y) ** 2).mean())
    if left_out == 1:
        error = np.std(errors) / math.sqrt(len(errors))
        assert np.mean(errors) == pytest.approx(expected(n - 1), abs=4 * error)
        assert np.mean(errors) > expected(n)


def test_the_jackknife_aims_below_the_error_of_the_trained_rule():
    """Training error of least squares: E = (n - p)/n; jackknifed it is the noise variance, 1."""
    n, p = 20, 5
    found = bootstrap.jackknife((n - p) / n, [(n - 1 - p) / (n - 1)] * n)
    assert found.estimate == pytest.approx(1)
    assert found.estimate < 1 + p / n  # the error at the same inputs, with fresh noise


# --- Larsen and Hansen -----------------------------------------------------------------------


def test_the_printed_trimmed_average_is_an_integral_over_nine_tenths():
    """Errors near 100: the integral of G p(G) from fractile to fractile is 90, the average 100."""
    errors = stats.norm(100, 1)
    printed = errors.expect(lambda g: g, lb=errors.ppf(0.05), ub=errors.ppf(0.95))
    assert printed == pytest.approx(90)
    drawn = errors.rvs(4000, random_state=0)
    assert generalization.location(drawn).trimmed_mean == pytest.approx(printed / 0.9, abs=0.1)


def test_table_one_at_full_size():
    assert STORED["sizes"] == {"sets": 30000, "resampled": 500, "resamples": 500}
    rows = STORED["table"]["deviations_percent"]
    printed = [-62.0, -19.3, -12.3, -5.83, 19.7]
    assert rows["FPE"][1:4] == pytest.approx(printed[1:4], abs=0.4)
    assert rows["FPE"][0] == pytest.approx(printed[0], abs=6)  # one of 30,000
    for name in ("avr", "tavr", "med"):
        assert -4 < rows[name][2] < 1  # printed -7.0, -6.5, -6.5
        assert abs(rows[name][2]) < abs(rows["FPE"][2])
    for name in ("std", "mad", "iqr"):
        assert 40 < rows[name][2] < 68  # printed 53.8, 40.7, 40.3: "roughly 50 %"
    # the printed ends cannot be those of 500 replicates
    assert STORED["table"]["share_avr_below_printed_min"] > 0.02
    assert STORED["table"]["share_avr_above_printed_max"] > 0.1


def small_table(**changes):
    return larsen_hansen.table_one(np.random.default_rng(5), 6000, 20, 50, **changes)


@pytest.mark.parametrize(("variance", "median"), [(20.0, -13.8), (50.0, -11.3)])
def test_the_printed_variance_is_a_variance(monkeypatch, variance, median):
    monkeypatch.setattr(larsen_hansen, "VARIANCE", variance)
    assert small_table()["deviations_percent"]["FPE"][2] == pytest.approx(median, abs=0.5)


def test_the_covariance_of_the_inputs_does_not_matter_but_their_memory_does(monkeypatch):
    def errors(seed, ar):
        truth = larsen_hansen.system(np.random.default_rng(seed))
        X, y = larsen_hansen.data(np.random.default_rng(0), truth, 50, ar)
        return larsen_hansen.error(truth, larsen_hansen.fit(X, y)[0])

    np.testing.assert_allclose(errors(1, 0.6518), errors(2, 0.6518), rtol=1e-6)
    assert not np.allclose(errors(1, 0.6518), errors(1, 0.0), rtol=0.1)


def test_ten_folds_gain_what_leave_one_out_loses_even_on_the_parity_of_labels():
    # Hardt: in general no better than a single fold; Blum, Kalai and Langford (1999): better
    labels = np.random.default_rng(1).integers(0, 2, size=(20_000, 20))
    for folds, wanted in ((5, 5.0), (10, 10.0), (20, 1.0)):
        fold = np.arange(20) % folds
        answers = np.stack([labels[:, fold != f].sum(axis=1) % 2 for f in range(folds)], axis=1)
        missed = answers[:, fold] != labels
        gain = missed[:, fold == 0].mean(axis=1).var() / missed.mean(axis=1).var()
        assert gain == pytest.approx(wanted, rel=0.05)  # 20,000 data sets: 1% each
