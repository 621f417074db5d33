"""Claims of the sources about resampling, each proved or refuted (see the book's errata)."""

import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from errata_page import errata
from scipy import stats

from errlab import bootstrap, bounds, crossval, generalization
from errlab_book.optimal_split import optimal_fraction, split_mse

sys.path.insert(0, str(Path(__file__).parents[2]))  # studies are scripts, not an installed package
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


def test_the_weights_of_632():
    """The printed .636 and .368 sum to 1.004; .368 is the fraction that is *not* drawn."""
    assert sum([0.636, 0.368]) == pytest.approx(1.004)
    errata("Bootstrap, weights", sum([0.636, 0.368]))
    counts = np.random.default_rng(0).multinomial(50, np.full(50, 1 / 50), size=4000)
    assert (counts == 0).mean() == pytest.approx(math.exp(-1), abs=5e-3)


def test_the_second_part_of_632_is_the_training_error():
    """One neighbour on noise, truth .5: by the notes' reading .385, by Efron's .316."""
    rng, inside, outside = np.random.default_rng(1), [], []
    for _ in range(60):
        X, y = rng.normal(size=(60, 3)), rng.integers(2, size=60)
        drawn = np.unique(rng.integers(60, size=60))
        near = drawn[((X[:, None] - X[drawn]) ** 2).sum(axis=2).argmin(axis=1)]
        wrong = y[near] != y
        inside.append(wrong.mean())  # a bootstrap model tested on all data is the notes' P2
        outside.append(np.delete(wrong, drawn).mean())
    assert np.mean(outside) == pytest.approx(0.5, abs=0.04)
    assert np.mean(inside) == pytest.approx(0.368 / 2, abs=0.02)
    notes = np.dot([0.636, 0.368], [0.5, 0.184])
    assert notes == pytest.approx(0.386, abs=1e-3)
    efron = bootstrap.combine632(0.0, 0.5)
    assert efron == pytest.approx(0.316)
    errata("Bootstrap, second part", 0.5, notes, efron)


def test_k_folds_have_k_minus_1_degrees_of_freedom():
    K = np.array([2, 5, 10])
    printed, right = stats.t.ppf(0.975, K), stats.t.ppf(0.975, K - 1)
    covers = 2 * stats.t.cdf(printed, K - 1) - 1
    assert printed == pytest.approx([4.30, 2.57, 2.23], abs=0.006)
    assert right == pytest.approx([12.71, 2.78, 2.26], abs=0.006)
    assert covers == pytest.approx([0.855, 0.938, 0.947], abs=6e-4)
    errata(r"$\zeta(x, K)$", *np.stack([K, printed, right, covers], axis=1).ravel())
    for k, quantile in zip(K, right, strict=True):
        means = np.linspace(0.4, 0.6, k)
        low, high = crossval.fold_t_interval(means, np.arange(k))
        width = 2 * quantile * stats.sem(means)
        assert high - low == pytest.approx(min(1, width), rel=1e-9)


def test_cross_validation_is_biased_for_the_full_training_set():
    """Least squares, n = 20, p = 10, Gaussian inputs: E G(m) = sigma^2 (1 + p/(m - p - 1))."""
    n, p = 20, 10

    def expected(m):
        return 1 + p / (m - p - 1)

    ten, five, loo = (expected(n - left_out) / expected(n) - 1 for left_out in (2, 4, 1))
    assert (ten, five, loo) == pytest.approx((0.150, 0.421, 0.066), abs=6e-4)
    errata("Cross-validation", n, p, 100 * ten, 10, 100 * five, 5, 100 * loo)
    rng = np.random.default_rng(2)
    errors = []
    for _ in range(300):
        X, y = rng.normal(size=(n, p)), rng.normal(size=n)
        errors.append((crossval.cv_residuals_linear(X, y, np.arange(n)) ** 2).mean())
    error = np.std(errors) / math.sqrt(len(errors))
    assert np.mean(errors) == pytest.approx(expected(n - 1), abs=4 * error)
    assert np.mean(errors) > expected(n)


def fold_estimates_of_least_squares(rng, k, n=40, p=5):
    X, y = rng.normal(size=(n, p)), rng.normal(size=n)
    out = np.arange(n) % k == np.arange(k)[:, None]
    keep = (~out)[:, :, None]
    gram, right = (X * keep).mT @ X, (X * keep).mT @ y[:, None]
    residual = y - (X @ np.linalg.solve(gram, right))[:, :, 0]
    return (residual**2 * out).sum() / n


def fold_estimates_of_the_majority(rng, k, n=40):
    y = rng.integers(2, size=n)
    out = np.arange(n) % k == np.arange(k)[:, None]
    vote = 2 * (~out @ y) > (~out).sum(axis=1)
    return ((vote[:, None] != y) & out).sum() / n


@pytest.mark.slow
def test_leave_one_out_is_not_always_the_more_variable():
    """For least squares it is less variable; for a majority vote it is more variable."""
    rng = np.random.default_rng(3)
    linear = {
        k: np.std([fold_estimates_of_least_squares(rng, k) for _ in range(3000)]) for k in (40, 5)
    }
    vote = {
        k: np.std([fold_estimates_of_the_majority(rng, k) for _ in range(3000)]) for k in (40, 5)
    }
    assert linear[40] < linear[5]
    assert vote[40] > 1.2 * vote[5]
    errata("Leave-one-out", vote[40] / vote[5], 5, linear[40] / linear[5])


def test_the_jackknife_aims_below_the_error_of_the_trained_rule():
    """Training error of least squares: E = (n - p)/n; the jackknife gives the noise variance, 1."""
    n, p = 20, 5
    result = bootstrap.jackknife((n - p) / n, [(n - 1 - p) / (n - 1)] * n)
    assert result.estimate == pytest.approx(1)
    error = 1 + p / n  # new noise at the same inputs
    assert result.estimate < error
    errata("Leave-one-out, its name", p, n, result.estimate, error)


# --- Larsen and Hansen -----------------------------------------------------------------------


def test_the_printed_trimmed_average_is_an_integral_over_nine_tenths():
    """Errors near 100: the integral of G p(G) from quantile to quantile is 90, the average 100."""
    errors = stats.norm(100, 1)
    printed = errors.expect(lambda g: g, lb=errors.ppf(0.05), ub=errors.ppf(0.95))
    assert printed == pytest.approx(90)
    errata("Trimmed average", 100, printed)
    drawn = errors.rvs(4000, random_state=0)
    assert generalization.location(drawn).trimmed_mean == pytest.approx(printed / 0.9, abs=0.1)


def test_printed_beta_has_the_wrong_sign():
    p, kurtosis = 10, 3
    printed = 4 * p / (1 - kurtosis)  # times its variance
    assert printed < 0
    errata("Optimal split", p, printed, 4 * p / (kurtosis - 1))
    expected = 1 - math.sqrt(4 * p / (kurtosis - 1) / 2000)
    assert optimal_fraction(2000, p) == pytest.approx(expected, rel=1e-12)


def test_the_optimal_split_is_for_measuring_not_for_training():
    """At N = 2000 and p = 10 it trains on 200 examples: the excess error is 10 times as large."""
    train = round(2000 * (1 - optimal_fraction(2000, 10)))
    assert train == 200
    excess = (10 / (train - 11)) / (10 / (2000 - 11))
    assert excess > 10
    errata("Eq. 5", 2000, 10, train, excess)
    assert split_mse(2000, 10, 200) < split_mse(2000, 10, 1000)


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
    # 500 replicates can't give the printed ends
    assert STORED["table"]["share_avr_below_printed_min"] > 0.02
    assert STORED["table"]["share_avr_above_printed_max"] > 0.1
    ends = ("below_printed_min", "above_printed_max")
    errata("Table 1, extremes", *(100 * STORED["table"][f"share_avr_{end}"] for end in ends))


def small_table(**changes):
    return larsen_hansen.table_one(np.random.default_rng(5), 6000, 20, 50, **changes)


def test_footnote_14_lacks_a_factor_n():
    table = small_table()
    assert table["misprinted_fpe_median"] == pytest.approx(-72.7, abs=0.3)
    assert table["deviations_percent"]["FPE"][2] == pytest.approx(-12.4, abs=0.5)
    full = STORED["table"]
    errata("Footnote 14", full["misprinted_fpe_median"], full["deviations_percent"]["FPE"][2])


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


def test_the_differences_of_the_splits_are_far_from_independent():
    """J = 200 splits: the standard error that assumes independence is about 5 times too small."""
    ratio = [row["spread_of_difference"] / row["standard_error"] for row in STORED["two_models"]]
    assert 4 < np.median(ratio) < 6.5
    errata("Test over splits", 200, min(ratio), max(ratio), len(ratio), np.median(ratio))
    # so the test rejects a hypothesis that is true
    true = [row for row in STORED["two_models"] if row["true_difference"] > 0]
    assert true
    assert max(row["rejected"] for row in true) > 0.4
    assert all(row["rejected_corrected"] <= 0.05 for row in true)


@pytest.mark.slow
def test_ten_folds_gain_what_leave_one_out_loses_even_on_the_parity_of_labels():
    # Hardt says no better than a single fold in general; Blum, Kalai and Langford (1999) say better
    every = np.arange(2**20, dtype=">u4").view(np.uint8).reshape(-1, 4)
    labels = np.unpackbits(every, axis=1)[:, 12:]  # all 2^20 assignments of 20 labels
    gains = {}
    for folds in (5, 10, 20):
        fold = np.arange(20) % folds
        answers = np.stack([labels[:, fold != f].sum(axis=1) % 2 for f in range(folds)], axis=1)
        missed = answers[:, fold] != labels
        gains[folds] = missed[:, fold == 0].mean(axis=1).var() / missed.mean(axis=1).var()
    assert gains == pytest.approx({5: 5, 10: 10, 20: 1})
    errata("k folds", 20, gains[10], 10, gains[5], 5, gains[20], 20)
