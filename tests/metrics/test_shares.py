"""The error in another population: against formulas, exact coverage over all tables, simulation."""

import numpy as np
import pytest
from marks import nightly
from matplotlib.patches import Rectangle
from scipy import stats

from errlab import bounds, metrics
from errlab_book import studies
from errlab_book.plots.elsewhere import plot_class_shares, plot_machine_labels


def ends(result):
    return result.low, result.high


def test_the_exact_interval_covers_by_enumeration():
    """All pairs of error counts of two strata: at least 95 %, as proven."""
    sizes, shares = (20, 35), {0: 0.8, 1: 0.2}
    counts = [np.arange(n + 1) for n in sizes]
    x, y = (
        np.array(bounds.interval("CP", errors=k, n=n, delta=0.025))
        for k, n in zip(counts, sizes, strict=True)
    )
    low, high = 0.8 * x[:, :, None] + 0.2 * y[:, None]
    for rates in ((0.02, 0.3), (0.5, 0.5), (0.001, 0.1), (0.9, 0.05)):
        truth = np.dot([0.8, 0.2], rates)
        a, b = map(stats.binom.pmf, counts, sizes, rates)
        assert a @ ((low <= truth) & (truth <= high)) @ b >= 0.95, rates
    result = metrics.error_at_shares(
        np.repeat([1, 0, 1, 0], [3, 17, 4, 31]), np.repeat([0, 1], sizes), shares
    )
    assert ends(result) == pytest.approx((low[3, 4], high[3, 4]))


def test_korn_and_graubards_size_is_kishs_or_that_of_the_spread():
    """Errors where the weight is 4 (heavy) or 1: the ratio's variance exceeds Kish's, or not."""
    w, row = np.repeat([4.0, 1.0], 20), np.arange(40)
    for heavy, losses in ((True, row < 5), (False, row >= 35)):
        result = metrics.weighted_error(losses, w)
        p = losses @ w / 100
        kish = 100**2 / (w @ w)
        spread = p * (1 - p) / ((w**2) @ (losses - p) ** 2 / 100**2)
        assert (spread < kish) == heavy
        assert result.effective_size == pytest.approx(min(kish, spread))
        n = min(kish, spread)
        low = stats.beta.ppf(0.025, n * p, n - n * p + 1)
        high = stats.beta.ppf(0.975, n * p + 1, n - n * p)
        assert ends(result) == pytest.approx((low, high))


@pytest.mark.slow
def test_weighted_errors_cover():
    """Log-normal weights; the linear interval covers 78, 75 and 92% (10,000 runs)."""
    for error, n in ((0.05, 100), (0.1, 30), (0.3, 100)):
        rng, covered = np.random.default_rng(0), 0
        for _ in range(300):
            result = metrics.weighted_error(rng.random(n) < error, np.exp(rng.normal(size=n)))
            covered += result.low <= error <= result.high
        assert covered >= 0.95 * 300, (error, n)


def machine(rng, n, error, wrong):
    """True losses and judgements of n examples, and judgements of 1,000 others."""
    truth = (rng.random(n + 1000) < error).astype(float)
    judged = np.where(rng.random(n + 1000) < wrong, 1 - truth, truth)
    return truth[:n], judged[:n], judged[n:]


def test_lambda_has_the_smallest_variance_with_two_cases_more():
    """A loss judged as 0, and a 0 judged as a loss; the interval scales with the losses' unit."""
    n = 300
    true, f, more = machine(np.random.default_rng(0), n, 0.3, 0.2)
    wide, wider = np.append(true, [1, 0]), np.append(f, [0, 1])

    def width(share):
        spread = share**2 * more.var(ddof=1) / 1000 + (wide - share * wider).var(ddof=1) / (n + 2)
        return 2 * stats.t.isf(0.025, n - 1) * np.sqrt(spread)

    narrowest = min(map(width, np.linspace(0, 1, 101)))
    for size in (1, 50):
        low, high = ends(metrics.prediction_powered(size * true, size * f, size * more))
        assert (high - low) / size == pytest.approx(narrowest, rel=5e-3)


@pytest.mark.slow
@pytest.mark.parametrize("runs", [40, pytest.param(200, marks=pytest.mark.nightly)])
def test_prediction_powered_intervals_cover(runs):
    """The published intervals cover 80, 86, 91 and 82% (4,000 runs)."""
    for n, *rates in ((20, 0.1, 0.02), (50, 0.1, 0.02), (50, 0.2, 0.1), (100, 0.02, 0.02)):
        rng, covered = np.random.default_rng(0), {"tuned": 0, "betting": 0}
        for _ in range(runs):
            sample = machine(rng, n, *rates)
            for method in covered:
                result = metrics.prediction_powered(*sample, method=method)
                covered[method] += result.low <= rates[0] <= result.high
                assert result.low <= result.estimate <= result.high
        assert covered["tuned"] > 0.93 * runs, (n, *rates)
        assert covered["betting"] > 0.95 * runs, (n, *rates)


def test_the_picture_of_class_shares_is_error_at_shares():
    losses, classes = [1, 0, 0, 1, 0, 0], ["ill"] * 3 + ["well"] * 3
    line = plot_class_shares(losses, classes, "ill", most=0.4).lines[0]
    share = float(np.asarray(line.get_xdata())[-1])
    expected = metrics.error_at_shares(losses, classes, {"ill": share, "well": 1 - share}).estimate
    assert (share, np.asarray(line.get_ydata())[-1]) == pytest.approx((0.4, expected))
    for wrong in ({"stratum": "dead"}, {"strata": ["ill"] * 6}, {"strata": [1, 2, 3] * 2}):
        with pytest.raises(ValueError, match="strat"):
            plot_class_shares(**{"losses": losses, "strata": classes, "stratum": "ill"} | wrong)


def test_the_picture_of_machine_labels_is_the_study():
    study = studies.load("elsewhere")
    bars = plot_machine_labels(study, 400, 0.3).patches
    wanted = {"kind": "machine", "n": 400, "share": 0.3}
    (row,) = (e["summary"] for e in study["settings"] if e["setting"] == wanted)
    widths = sorted(100 * row[key] for key in row if key.endswith(" width"))
    assert [bar.get_width() for bar in bars if isinstance(bar, Rectangle)] == widths
    with pytest.raises(ValueError, match=r"kind and n and share must be of the study, got .'mach"):
        plot_machine_labels(study, 7, 0.3)


BOARDS = [(3, (8, 30)), (10, (8, 30)), (10, (100, 400)), (57, (8, 30)), (57, (100, 400))]


@pytest.mark.slow
@pytest.mark.parametrize(("tasks", "sizes"), nightly(BOARDS, *BOARDS[3:]))
def test_the_mean_over_tasks_contains_the_true_mean(tasks, sizes):
    """300 boards with rates near 0; for 1,000 boards of 18 settings see `studies.many_tasks`."""
    rng = np.random.default_rng(tasks * sizes[0])
    covered = 0
    for _ in range(300):
        counts, rates = rng.integers(*sizes, tasks), rng.beta(1, 30, tasks)
        losses = rng.random(counts.sum()) < np.repeat(rates, counts)
        names = np.repeat(np.arange(tasks), counts)
        shares = dict.fromkeys(range(tasks), 1 / tasks)
        interval = metrics.error_at_shares(losses.astype(float), names, shares)
        covered += interval.low <= rates.mean() <= interval.high
    assert covered >= stats.binom.ppf(0.001, 300, 0.95)
