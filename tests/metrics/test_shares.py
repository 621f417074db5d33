"""The error elsewhere: against direct formulas, exact coverage over all tables, and simulation."""

import numpy as np
import pytest
import scipy

from errlab import bounds, metrics
from errlab.book import studies
from errlab.book.plots.elsewhere import plot_class_shares, plot_machine_labels

RNG = np.random.default_rng(11)


def strata_of(errors, sizes):
    losses = np.concatenate([np.arange(n) < k for k, n in zip(errors, sizes, strict=True)])
    return losses.astype(float), np.repeat(np.arange(len(sizes)), sizes)


def test_one_stratum_is_clopper_pearson_or_wilson():
    losses, strata = strata_of([7], [50])
    for method, key in (("exact", "CP"), ("mover", "WIL")):
        found = metrics.error_at_shares(losses, strata, {0: 1.0}, method=method)
        expected = bounds.interval(key, errors=7, n=50)
        assert (found.low, found.high) == pytest.approx(tuple(expected))


def test_square_and_add_is_newcombes():
    """Newcombe 1998, method 10 with the sign of B turned: weights 1/2 and 1/2 of two rates."""
    losses, strata = strata_of([56, 48], [70, 80])
    found = metrics.error_at_shares(losses, strata, {0: 0.5, 1: 0.5}, method="mover")
    (l1, u1), (l2, u2) = (bounds.interval("WIL", errors=k, n=n) for k, n in ((56, 70), (48, 80)))
    down = np.hypot(0.8 - l1, 0.6 - l2) / 2
    up = np.hypot(u1 - 0.8, u2 - 0.6) / 2
    assert found.value == pytest.approx(0.7)
    assert (found.low, found.high) == pytest.approx((0.7 - down, 0.7 + up))


@pytest.mark.parametrize("rates", [(0.02, 0.3), (0.5, 0.5), (0.001, 0.1), (0.9, 0.05)])
def test_the_exact_interval_covers_by_enumeration(rates):
    """All pairs of error counts of two strata: at least 95 %, as proven."""
    sizes, shares = (20, 35), {0: 0.8, 1: 0.2}
    truth = 0.8 * rates[0] + 0.2 * rates[1]
    mass = [
        scipy.stats.binom.pmf(np.arange(n + 1), n, p) for n, p in zip(sizes, rates, strict=True)
    ]
    covered = 0.0
    ends = [
        [bounds.interval("CP", errors=k, n=n, delta=0.025) for k in range(n + 1)] for n in sizes
    ]
    for a in range(sizes[0] + 1):
        for b in range(sizes[1] + 1):
            low = 0.8 * ends[0][a].low + 0.2 * ends[1][b].low
            high = 0.8 * ends[0][a].high + 0.2 * ends[1][b].high
            covered += mass[0][a] * mass[1][b] * (low <= truth <= high)
    losses, strata = strata_of((3, 4), sizes)
    found = metrics.error_at_shares(losses, strata, shares)
    assert found.low == pytest.approx(0.8 * ends[0][3].low + 0.2 * ends[1][4].low)
    assert found.high == pytest.approx(0.8 * ends[0][3].high + 0.2 * ends[1][4].high)
    assert covered >= 0.95


def test_the_shares_of_the_sample_give_the_plain_rate():
    losses, strata = strata_of([3, 9], [40, 60])
    found = metrics.error_at_shares(losses, strata, {0: 0.4, 1: 0.6})
    assert found.value == pytest.approx(losses.mean())
    assert found.effective_size == pytest.approx(100, rel=0.02)
    rare = metrics.error_at_shares(losses, strata, {0: 0.01, 1: 0.99})
    assert rare.value == pytest.approx(0.01 * 3 / 40 + 0.99 * 9 / 60)


def test_graded_losses_take_the_betting_bound():
    rng = np.random.default_rng(0)
    losses = rng.random(60)
    strata = np.repeat([0, 1], 30)
    found = metrics.error_at_shares(losses, strata, {0: 0.5, 1: 0.5})
    assert found.method.startswith("betting")
    assert found.low < found.value < found.high
    with pytest.raises(ValueError, match="0 or 1 for"):
        metrics.error_at_shares(losses, strata, {0: 0.5, 1: 0.5}, method="mover")


def test_equal_weights_are_students_interval_of_the_mean():
    rng = np.random.default_rng(0)
    losses = rng.random(40)
    found = metrics.weighted_error(losses, np.full(40, 3.0))
    expected = scipy.stats.t.interval(0.95, 39, losses.mean(), losses.std(ddof=1) / np.sqrt(40))
    assert (found.low, found.high) == pytest.approx(expected)
    assert found.effective_size == pytest.approx(40)
    again = metrics.weighted_error(losses, np.full(40, 1e-200))
    assert (again.low, again.high) == pytest.approx(expected)


def test_the_linear_interval_is_the_design_based_one():
    """Lohr, Sampling (2010), Eq. 4.8 for a ratio, with all weights as sizes."""
    rng = np.random.default_rng(0)
    losses, w = rng.random(30), rng.integers(1, 5, 30).astype(float)
    found = metrics.weighted_error(losses, w)
    mean = (w * losses).sum() / w.sum()
    e = w * (losses - mean)
    error = np.sqrt((e**2).sum() / 29 / 30) / w.mean()
    t = scipy.stats.t.isf(0.025, 29)
    assert (found.value, found.low, found.high) == pytest.approx(
        (mean, mean - t * error, mean + t * error)
    )


def test_betting_on_weights_of_1_is_the_betting_bound():
    rng = np.random.default_rng(0)
    losses = rng.random(50)
    found = metrics.weighted_error(losses, np.ones(50), method="betting", largest=1)
    assert (found.low, found.high) == pytest.approx(tuple(bounds.interval("BET", losses=losses)))


def test_a_perfect_machine_counts_as_all_the_cases_and_a_useless_one_as_none():
    rng = np.random.default_rng(0)
    truth = (rng.random(20_000) < 0.3).astype(float)
    perfect = metrics.prediction_powered(truth[:200], truth[:200], truth[200:], method="plain")
    more = truth[200:]
    assert perfect.value == pytest.approx(more.mean())
    assert perfect.high - perfect.value == pytest.approx(
        scipy.stats.norm.isf(0.025) * more.std(ddof=1) / np.sqrt(len(more))
    )
    noise = (rng.random(20_000) < 0.5).astype(float)
    useless = metrics.prediction_powered(truth[:200], noise[:200], noise[200:])
    assert useless.effective_size == pytest.approx(200, rel=0.05)
    plain = metrics.prediction_powered(truth[:200], noise[:200], noise[200:], method="plain")
    assert plain.effective_size < 120


def test_lambda_has_the_smallest_variance():
    rng = np.random.default_rng(0)
    truth = (rng.random(3000) < 0.3).astype(float)
    machine = np.where(rng.random(3000) < 0.2, 1 - truth, truth)
    n, true, f, more = 300, truth[:300], machine[:300], machine[300:]
    found = metrics.prediction_powered(true, f, more)

    def width(share):
        spread = share**2 * more.var(ddof=1) / 2700 + (true - share * f).var(ddof=1) / n
        return 2 * scipy.stats.norm.isf(0.025) * np.sqrt(spread)

    assert found.high - found.low == pytest.approx(
        min(map(width, np.linspace(0, 1, 101))), rel=5e-3
    )


@pytest.mark.slow
def test_it_covers_where_the_machines_own_mean_does_not():
    """1,000 samples: a machine that calls a tenth wrong, of a rate of 0.2."""
    rng = np.random.default_rng(0)
    covered = {"tuned": 0, "betting": 0, "machine": 0}
    for _ in range(400):
        truth = (rng.random(1000) < 0.2).astype(float)
        machine = np.where(rng.random(1000) < 0.1, 1 - truth, truth)
        for method in ("tuned", "betting"):
            found = metrics.prediction_powered(
                truth[:100], machine[:100], machine[100:], method=method
            )  # fmt: skip
            covered[method] += found.low <= 0.2 <= found.high
        low, high = bounds.interval("CP", errors=int(machine.sum()), n=1000)
        covered["machine"] += low <= 0.2 <= high
    assert covered["tuned"] > 0.92 * 400
    assert covered["betting"] > 0.95 * 400
    assert covered["machine"] < 0.2 * 400


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: metrics.error_at_shares([0, 1], [0, 1], {0: 0.5}), ValueError, "sum to 1"),
        (lambda: metrics.error_at_shares([0, 1], [0, 1], {0: 2, 1: -1}), ValueError, "shares"),
        (lambda: metrics.error_at_shares([0, 1], [0, 0], {0: 0.5, 1: 0.5}), ValueError, "cases of"),
        (lambda: metrics.error_at_shares([0, 1], [0, 1], [0.5, 0.5]), TypeError, "a mapping"),
        (lambda: metrics.error_at_shares([0, 1], [0, 1], {}), ValueError, "at least one"),
        (lambda: metrics.error_at_shares([0, 1, 1], [0, 1], {0: 1}), ValueError, "same length"),
        (lambda: metrics.weighted_error([0, 1], [1, -1]), ValueError, "weights must be at least"),
        (lambda: metrics.weighted_error([0, 1], [0, 1]), ValueError, "at least 2 cases"),
        (lambda: metrics.weighted_error([1, 1], [2, 1]), ValueError, "must not all be equal"),
        (lambda: metrics.weighted_error([0, 1], [2, 1], method="betting"), ValueError, "largest"),
        (
            lambda: metrics.weighted_error([0, 1], [2, 1], method="betting", largest=1),
            ValueError,
            "at least every weight",
        ),
        (lambda: metrics.prediction_powered([0, 1], [0], [1, 0]), ValueError, "same length"),
        (lambda: metrics.prediction_powered([0], [0], [1, 0]), ValueError, "at least 2 cases"),
        (lambda: metrics.prediction_powered([0, 0], [0, 0], [1, 1]), ValueError, "no variance"),
        (
            lambda: metrics.prediction_powered([0, 2], [0, 1], [1, 0], method="betting"),
            ValueError,
            "losses must lie in",
        ),
    ],
)
def test_what_has_no_interval_is_refused_in_one_line(call, error, words):
    with pytest.raises(error, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_the_picture_of_class_shares_is_error_at_shares():
    losses, classes = [1, 0, 0, 1, 0, 0], ["ill"] * 3 + ["well"] * 3
    line = plot_class_shares(losses, classes, "ill", most=0.4).lines[0]
    share = float(np.asarray(line.get_xdata())[-1])
    expected = metrics.error_at_shares(losses, classes, {"ill": share, "well": 1 - share}).value
    assert (share, np.asarray(line.get_ydata())[-1]) == pytest.approx((0.4, expected))
    for wrong in ({"stratum": "dead"}, {"strata": ["ill"] * 6}, {"strata": [1, 2, 3] * 2}):
        given = {"losses": losses, "strata": classes, "stratum": "ill"} | wrong
        with pytest.raises(ValueError, match="strat"):
            plot_class_shares(**given)


def test_the_picture_of_machine_labels_is_the_study():
    study = studies.load("elsewhere")
    line = plot_machine_labels(study, 400, quantity="width").lines[1]
    rows = [e["summary"] for e in study["settings"] if e["setting"]["n"] == 400]
    expected = [row["classical width"] for row in rows if "classical width" in row]
    assert np.asarray(line.get_ydata()).tolist() == expected
    with pytest.raises(ValueError, match="kind and n must be of the study, got 'machine' and 7"):
        plot_machine_labels(study, 7)
    with pytest.raises(ValueError, match="quantity"):
        plot_machine_labels(study, 400, quantity="colour")
