"""Confusion matrix and rates, ROC and its area, F scores, false discovery rate."""

from itertools import combinations, product

import numpy as np
import pytest
from areas import written_out
from marks import nightly
from matplotlib.patches import Rectangle
from scipy import stats
from sklearn import metrics as peer
from sklearn.metrics import precision_recall_fscore_support
from statsmodels.stats.proportion import proportion_confint

import errlab
from errlab import bounds, metrics
from errlab.metrics import RATES, Confusion
from errlab.metrics._area_interval import score_interval
from errlab_book import studies
from errlab_book.plots.elsewhere import plot_class_shares, plot_machine_labels


def sample(seed, n=60, levels=None):
    """Draw labels and scores; `levels` rounds the scores, so that there are ties."""
    rng = np.random.default_rng(seed)
    y = np.append([0, 0, 1, 1], rng.integers(0, 2, n - 4))
    scores = rng.normal(size=n) + y
    return y, np.round(scores, 0) if levels else scores


# ---------------------------------------------------------------- confusion matrix


def test_rates_that_belong_together_sum_to_one():
    pairs = (("TPR", "FNR"), ("FPR", "TNR"), ("PPV", "FDP"), ("FOR", "NPV"), ("ERR", "ACC"))
    for counts in list(product(range(3), repeat=4))[1:]:
        rates = {rate.key: rate.value for rate in Confusion(*counts).rates()}
        assert set(rates) <= set(RATES)
        for pair in pairs:
            parts = [rates[key] for key in pair if key in rates]
            assert sum(parts) == pytest.approx(1 if parts else 0), (counts, pair)
            assert len(parts) in (0, 2), (counts, pair)


@pytest.mark.slow
def test_confusion_agrees_with_scikit_learn():
    for labels, positive in (((0, 1), 1), ((-1, 1), None), ((False, True), None), ("no", "o")):
        for seed in range(4):
            true, pred = np.array([*labels])[np.random.default_rng(seed).integers(0, 2, (2, 40))]
            table = metrics.confusion(true, pred, positive=positive)
            (tn, fp), (fn, tp) = peer.confusion_matrix(true, pred)
            assert table == Confusion(tp, fp, fn, tn)
            assert table.f1 == pytest.approx(peer.f1_score(true, pred, pos_label=labels[1]))
            f2 = metrics.f_score(true, pred, beta=2, positive=positive)
            assert f2 == pytest.approx(peer.fbeta_score(true, pred, beta=2, pos_label=labels[1]))
            tpr, fpr, share, precision = (
                table.rate(name).value for name in ("TPR", "FPR", "prevalence", "precision")
            )
            assert metrics.precision_at(tpr, fpr, share) == pytest.approx(precision)


# ---------------------------------------------------------------- curves and area


@pytest.mark.slow
def test_curves_and_areas():
    for seed, levels in product(range(5), (None, True)):
        y, scores = sample(seed, 41, levels)
        fpr, tpr, thresholds = metrics.roc(y, scores)
        assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == (0, 0, 1, 1)
        assert thresholds[1:].tolist() == sorted(set(scores), reverse=True)
        for f, t, cut in zip(fpr[1:], tpr[1:], thresholds[1:], strict=True):
            table = metrics.confusion(y, (scores >= cut).astype(int))
            assert (table.rate("FPR").value, table.rate("TPR").value) == pytest.approx((f, t))
        (area,), variance = written_out(y, scores)
        assert metrics.delong(y, scores) == pytest.approx((area, variance[0, 0]), abs=1e-14)
        assert metrics.area(y, scores) == pytest.approx(peer.roc_auc_score(y, scores))
        assert metrics.area(y, -scores) == pytest.approx(1 - area)
        assert np.trapezoid(tpr, fpr) == pytest.approx(area)
        for transform in (np.exp, lambda s: 3 * s - 7, np.arctan):
            assert metrics.delong(y, transform(scores)) == pytest.approx((area, variance[0, 0]))
        # the equal error rate lies on the curve and on the diagonal
        rate = metrics.equal_error_rate(fpr, tpr)
        position = fpr + np.arange(len(fpr)) * 1e-12  # np.interp needs increasing positions
        low, high = np.interp([rate - 1e-9, rate + 1e-9], position, tpr)
        assert low - 1e-6 <= 1 - rate <= high + 1e-6


def test_rows_of_scores_have_an_area_each_and_a_covariance():
    y, first = sample(3)
    rows = np.array([first, -np.round(first), first + np.random.default_rng(4).normal(size=60)])
    areas, covariance = written_out(y, *rows)
    result = metrics.delong(y, rows)
    assert result.area == pytest.approx(areas)
    assert result.covariance == pytest.approx(covariance)
    assert metrics.area(y, rows) == pytest.approx(areas)


# ---------------------------------------------------------------- false discovery rate


@pytest.mark.slow
def test_fdr_threshold_against_every_subset_and_with_ties_against_every_threshold():
    for seed, alpha in product(range(8), (0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.99)):
        rng = np.random.default_rng(seed)
        p = rng.beta(1, 0.4, 9)
        number = max(
            k for k in range(10) if any(sum(c) <= alpha * k for c in combinations(1 - p, k))
        )
        result = metrics.fdr_threshold(p, alpha)
        assert result.number == number == (p > result.threshold).sum()
        assert result.rate <= alpha
        p = rng.choice([0, 0.2, 0.5, 0.9, 0.95, 1], 12)
        every = [metrics.fdr(p, cut) for cut in np.append(p, -1.0)]
        number = max(row.number for row in every if row.rate <= alpha + 1e-12)
        assert metrics.fdr_threshold(p, alpha).number == number


# ---------------------------------------------------------------- the score interval of an area


def quartic_ends(area, m, n, z):
    """Newcombe (2006), method 5: the roots of its equation on both sides of the area."""
    theta = np.polynomial.Polynomial([0, 1])
    left, right = 2 - theta, 1 + theta
    shape = left * right + ((m + n) / 2 - 1) * ((1 - theta) * right + theta * left)
    roots = (
        m * n * (area - theta) ** 2 * left * right - z**2 * theta * (1 - theta) * shape
    ).roots()
    real = roots[np.abs(roots.imag) < 1e-7].real
    low, high = real[real < area - 1e-9], real[(real > area + 1e-9) & (real <= 1)]
    return low.max(), high.min() if len(high) else 1.0


def variance_of(area, m, n, examples):
    """Newcombe's variance of an area, as of so many examples."""
    shape = (1 - area) / (2 - area) + area / (1 + area)
    return area * (1 - area) * (1 + (examples / 2 - 1) * shape) / (m * n)


def test_score_interval_is_newcombes_where_the_variance_is_his():
    for m, n, area in ((51, 58, 0.893), (5, 45, 0.95), (40, 9960, 0.6)):
        of = variance_of(area, m, n, m + n), None, 1.96
        interval = score_interval(np.arange(m + n) < m, area, *of)
        assert tuple(interval) == pytest.approx(quartic_ends(area, m, n, 1.96), abs=1e-9)
        mirrored = score_interval(np.arange(m + n) < n, 1 - area, *of)
        assert tuple(mirrored) == pytest.approx((1 - interval.high, 1 - interval.low), abs=1e-9)


def test_perfect_score_has_an_interval_of_newcombe():
    low, high = metrics.area_interval([0] * 10 + [1] * 30, range(40))
    expected = quartic_ends(1.0, 30, 10, stats.norm.isf(0.025))
    assert (low, high) == pytest.approx(expected, abs=1e-9)
    # a group of four copies of an example is worth as much as the example itself
    copies = np.repeat(np.arange(40), 4)
    again = metrics.area_interval(np.repeat([0, 1], [40, 120]), copies, groups=copies)
    assert tuple(again) == pytest.approx((low, high), abs=1e-12)


def test_score_interval_scales_the_variance_to_that_of_the_data():
    """The score test of each end by hand: r = 20 examples, against the 100 of the model."""
    area, m, n = 0.9, 20, 180
    for ratio, scale in ((3.0, 3.0), (0.3, (100 + 20 * 0.3) / 120)):
        variance = ratio * variance_of(area, m, n, 200)
        for end in score_interval(np.arange(m + n) < m, area, variance, None, 1.96):
            expected = 1.96**2 * scale * variance_of(end, m, n, 200)
            assert (area - end) ** 2 == pytest.approx(expected, rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("runs", [100, pytest.param(400, marks=pytest.mark.nightly)])
def test_score_interval_covers_where_delongs_does_not(runs):
    y = np.repeat([0, 1], [90, 10])
    for apart, spread in ((2.2, 1), (3.0, 1), (2.2 * 5**0.5 / 2**0.5, 2)):
        rng = np.random.default_rng(12)
        truth, covered = stats.norm.cdf(apart / np.hypot(1, spread)), np.zeros(2)
        for _ in range(runs):
            scores = np.where(y == 1, apart + spread * rng.normal(size=100), rng.normal(size=100))
            low, high = metrics.area_interval(y, scores)
            area, variance = metrics.delong(y, scores)
            delong = abs(truth - area) <= stats.norm.isf(0.025) * np.sqrt(variance)
            covered += delong, low <= truth <= high
        assert covered[0] < 0.86 * runs  # it covered .80 in 2,000 runs
        assert covered[1] > 0.925 * runs


@pytest.mark.slow
def test_an_area_with_some_positives_ranked_last_is_covered_by_the_metric_alone():
    """Exact sums: k of m positives are below all negatives, the others are above them.

    The area is then 1 - k/m, and k is binomial.
    """
    m, negatives = 20, 180
    y = np.repeat([1, 0], [m, negatives])
    shares = np.linspace(0.005, 0.3, 60)[:, None]
    chance = stats.binom.pmf(np.arange(m + 1), m, shares)
    for door, options, lowest in (
        (metrics.area_interval, {}, 0.656),  # the lowest that the docstring states
        (errlab.metric, {"metric": "roc_auc"}, 0.905),
    ):
        ends = []
        for k in range(m + 1):
            scores = np.repeat([-1.0, 1.0, 0.0], [k, m - k, negatives]) + 1e-6 * np.arange(len(y))
            result = door(y, scores, **options)
            ends.append((result.low, result.high))
        low, high = np.transpose(ends)
        covered = (chance * ((low <= 1 - shares) & (1 - shares <= high))).sum(axis=1)
        assert covered.min() == pytest.approx(lowest, abs=0.002)


# --- The error in another population: against formulas, exact coverage over all tables, simulation.


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


# --- The table per class: against the functions of one class, scikit-learn and statsmodels.


RNG = np.random.default_rng(0)
TRUE = RNG.choice(["cat", "dog", "hen"], 200, p=[0.6, 0.3, 0.1])
PRED = np.where(RNG.random(200) < 0.2, RNG.choice(["cat", "dog", "hen", "owl"], 200), TRUE)
RESULT = errlab.per_class(TRUE, PRED)


def test_each_row_is_what_the_functions_of_one_class_say():
    for row in errlab.per_class(TRUE, PRED, delta=0.1).classes:
        table = metrics.confusion(TRUE, PRED, positive=row.label)
        ends = metrics.f1_interval(table.tp, table.fp, table.fn, delta=0.1)
        assert (row.f1, row.f1_low, row.f1_high) == pytest.approx((table.f1, *ends))
        precision = metrics.rate_interval(table, "PPV", delta=0.1)
        assert (row.hits, row.called, row.precision) == precision[1:4]
        if row.support:
            recall = metrics.rate_interval(table, "TPR", delta=0.1)
            assert (row.hits, row.support, row.recall) == recall[1:4]
            ends = proportion_confint(row.hits, row.support, alpha=0.1, method="beta")
            assert (row.recall_low, row.recall_high) == pytest.approx(ends, rel=1e-9)


def test_the_rates_and_their_means_are_those_of_sklearn():
    rates = precision_recall_fscore_support(TRUE, PRED, zero_division=np.nan)[:3]
    for name, column in zip(("precision", "recall", "f1"), rates, strict=True):
        values = np.array([getattr(row, name) for row in RESULT.classes], dtype=float)
        np.testing.assert_allclose(values, column, rtol=1e-12)
        assert getattr(RESULT.macro, name) == pytest.approx(np.nanmean(column))
    with pytest.warns(UserWarning, match=r"'owl' \(8 of "):
        balanced = errlab.metric(TRUE, PRED, metric="balanced_accuracy")
    assert RESULT.macro[3:6] == pytest.approx((balanced.estimate, balanced.low, balanced.high))
