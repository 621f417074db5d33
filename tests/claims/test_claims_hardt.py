"""What Hardt's chapter on the holdout method states, number by number."""

import numpy as np
import pytest
from scipy import stats

from errlab import bounds, holdout, losses

pytestmark = pytest.mark.slow

# ---------------------------------------------------------------- testing on the training set


def test_nearest_neighbour_and_lookup_table_have_no_training_error():
    rng = np.random.default_rng(0)
    x, y = rng.random((200, 2)), rng.choice([-1, 1], 200)  # nothing to learn: risk 1/2
    distance = ((x[:, None] - x) ** 2).sum(axis=-1)
    assert losses.empirical_error(losses.hard_loss(y, y[distance.argmin(axis=1)] * 1.0)) == 0
    fresh, truth = rng.random((4000, 2)), rng.choice([-1, 1], 4000)
    nearest = ((fresh[:, None] - x) ** 2).sum(axis=-1).argmin(axis=1)
    error = losses.empirical_error(losses.hard_loss(truth, y[nearest] * 1.0))
    assert error == pytest.approx(0.5, abs=0.03)


# ---------------------------------------------------------------- guarantees


@pytest.mark.parametrize("n", [1, 10, 1000])
def test_variance_is_at_most_a_quarter_and_a_fair_coin_attains_it(n):
    coin = holdout.risk_moments([0, 1], [0.5, 0.5], n)
    assert coin.variance == coin.worst == 1 / (4 * n)
    grid = np.linspace(0, 1, 11)  # any law on [0, 1]
    for seed in range(20):
        weights = np.random.default_rng(seed).dirichlet(np.full(11, 0.3))
        assert holdout.risk_moments(grid, weights, n).variance <= 1 / (4 * n)


@pytest.mark.parametrize("n", [10, 100, 10_000])
def test_one_point_three_six_over_root_n(n):
    assert round(holdout.gap_bound(n) * np.sqrt(n), 2) == 1.36
    assert holdout.gap_bound(n) * np.sqrt(n) == pytest.approx(1.3581, abs=5e-5)


def test_ten_thousand_cases_for_one_percent_is_a_rule_of_two_standard_errors():
    assert round(1 / 0.01**2) == 10_000
    assert holdout.gap_coverage(0.5, 10_000, 0.01) == pytest.approx(0.9556, abs=5e-5)
    # Hoeffding does not go so far: it lets 27% fail, and needs 18,445 cases
    assert holdout.failure_probability(10_000, 0.01) == pytest.approx(0.27, abs=0.005)
    assert holdout.sample_size(0.01) == 18_445
    # and "at least" is false for a small risk: 400 cases do
    assert holdout.gap_coverage(0.01, 400, 0.01) == pytest.approx(0.979, abs=5e-4)


@pytest.mark.parametrize("risk", np.linspace(0.01, 0.5, 8))
@pytest.mark.parametrize("n", [100, 400, 2500])
def test_one_over_root_n_is_reasonably_sure(risk, n):
    assert holdout.gap_coverage(risk, n, 1 / np.sqrt(n)) > 0.95


@pytest.mark.parametrize("delta", [0.01, 0.05, 0.3])
def test_the_proof_chooses_the_right_threshold(delta):
    n = 321
    a = np.sqrt(np.log(2 / delta) * n / 2)
    assert 2 * np.exp(-2 * a**2 / n) == pytest.approx(delta)
    assert holdout.gap_bound(n, delta=delta) == pytest.approx(a / n)


def test_every_delta_above_zero_is_too_many():
    assert np.log(2 / 2.5) < 0  # the root is imaginary for delta above 2
    with pytest.raises(ValueError, match=r"delta must lie in \(0, 1\)"):
        holdout.gap_bound(100, delta=2.5)


@pytest.mark.parametrize("k", [1, 10, 1000])
def test_union_bound_over_k_models(k):
    expected = np.sqrt(np.log(2 * k / 0.05) / (2 * 500))
    assert holdout.gap_bound(500, models=k) == pytest.approx(expected)
    # it holds: k independent models that guess, the largest gap exactly
    reach = np.floor(500 * (0.5 + expected)) - 250
    inside = stats.binom.cdf(250 + reach, 500, 0.5) - stats.binom.cdf(249 - reach, 500, 0.5)
    assert inside**k >= 0.95


def test_exponentially_many_models_before_it_is_trivial():
    n = np.array([100, 10_000, 1_000_000])
    many = np.floor(2.0 ** np.sqrt(n).clip(max=52)).astype(np.int64)  # 2^o(n)
    gaps = holdout.gap_bound(n, models=many)
    assert (np.diff(gaps) < 0).all()
    assert gaps[-1] < 0.005


# ---------------------------------------------------------------- intervals


def test_one_point_nine_six_standard_deviations():
    assert round(-stats.norm.ppf(0.025), 2) == 1.96
    p, n = 0.23, 400
    low, high = bounds.interval("NOR", p, n)
    half = 1.96 * np.sqrt(p * (1 - p) / n)
    assert (low, high) == pytest.approx((p - half, p + half), abs=1e-5)


def worst_wald_coverage(least, sizes):
    """Smallest coverage over n p >= least, n (1 - p) >= least: next to an end of an interval."""
    worst = []
    for n in sizes:
        k = np.arange(n + 1)
        low, high = (end[:, None] for end in bounds.interval("NOR", k / n, n))
        p = np.unique(np.append([low, high], [0.5, least / n]))
        p = p[(p >= least / n) & (p <= 0.5)]
        mass = stats.binom.pmf(k[:, None], n, p)
        for inside in ((low < p) & (p <= high), (low <= p) & (p < high)):
            worst.append(((mass * inside).sum(axis=0).min(), n))
    return min(worst)


@pytest.mark.parametrize(
    ("least", "sizes", "n", "coverage"),
    [  # the worst n of a scan from 2 * least to 700, 200 and 120; all n near it here
        (50, (*range(100, 130), 200, 400, 700), 108, 0.9334),
        (10, (*range(20, 60), 100, 200), 25, 0.8955),
        (5, (*range(10, 40), 60, 120), 12, 0.8538),
    ],
)
def test_what_the_rule_of_fifty_buys(least, sizes, n, coverage):
    worst, where = worst_wald_coverage(least, sizes)
    assert where == n
    assert worst == pytest.approx(coverage, abs=5e-5)


def test_five_of_a_hundred_intervals_miss_on_average():
    missing = 100 * (1 - holdout.interval_coverage("NOR", 0.25, 1000, error=0.25))
    assert missing == pytest.approx(5, abs=0.5)
    assert stats.binom.pmf(5, 100, 0.05) == pytest.approx(0.18, abs=0.005)  # seldom exactly five


@pytest.mark.parametrize(
    ("key", "width"),
    [("NOR", 0.1176), ("WIL", 0.1191), ("JEF", 0.1175), ("AC", 0.1226), ("CP", 0.1272)],
)
def test_the_five_intervals_at_n_100_and_p_09_agree_in_width(key, width):
    low, high = bounds.interval(key, 0.9, 100)
    assert high - low == pytest.approx(width, abs=5e-5)
    assert high - low == pytest.approx(2 * 1.96 * 0.03, rel=0.09)  # 0.03 decides it


def test_but_their_ends_do_not_agree():
    assert bounds.interval("NOR", 0.9, 100) == pytest.approx((0.841, 0.959), abs=5e-4)
    assert bounds.interval("CP", 0.9, 100) == pytest.approx((0.824, 0.951), abs=5e-4)


@pytest.mark.parametrize("key", ["NOR", "WIL", "CP", "AC", "JEF"])
def test_copying_each_case_ten_times_narrows_the_interval(key):
    once, tenfold = (bounds.interval(key, 0.2, n) for n in (500, 5000))
    ratio = (once.high - once.low) / (tenfold.high - tenfold.low)
    assert ratio == pytest.approx(np.sqrt(10), rel=0.02)
    assert holdout.effective_size([10] * 500) == 500
    assert holdout.interval_coverage(key, 0.2, 500, error=0.2, copies=10) < 0.5


def percentile_bootstrap_ends(n):
    """The limit of many repetitions: quantiles of Bin(n, k/n) / n."""
    share = np.arange(n + 1) / n
    return stats.binom.ppf(0.025, n, share) / n, stats.binom.ppf(0.975, n, share) / n


def test_percentile_bootstrap_of_the_01_loss():
    low, high = percentile_bootstrap_ends(100)
    assert (low[0], high[0]) == (0, 0)  # no error, no doubt
    inside = (low <= 0.02) & (high >= 0.02)
    assert stats.binom.pmf(np.arange(101), 100, 0.02) @ inside == pytest.approx(0.866, abs=1e-3)


# ---------------------------------------------------------------- ranking and reuse


def test_random_labels_lower_all_accuracies_and_keep_the_order():
    risks = np.array([0.05, 0.1, 0.2, 0.4])
    noisy = holdout.noisy_risk(risks, 0.3, classes=2)
    assert (noisy > risks).all()
    assert (np.diff(noisy) > 0).all()
    # ... but a model worse than guessing gains, against "all of them lower" in accuracy
    assert holdout.noisy_risk(0.9, 0.3) < 0.9


def test_models_that_guess_are_selected_for_their_gap():
    best = holdout.selection_bias([0.5] * 1000, 1000)
    assert best.risk == pytest.approx(0.5)
    assert best.optimism == pytest.approx(0.051, abs=5e-4)
    assert best.optimism < holdout.gap_bound(1000, models=1000)


# ---------------------------------------------------------------- a real leaderboard


@pytest.fixture(scope="module")
def digits():
    """Classes of first and second choice of a small tree on the digits, and the truth."""
    from sklearn.datasets import load_digits
    from sklearn.tree import DecisionTreeClassifier

    x, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    x, y = x[order], y[order]
    rng, predicted = np.random.default_rng(1), []
    for seed in range(300):
        columns = rng.choice(64, 20, replace=False)
        tree = DecisionTreeClassifier(max_depth=8, random_state=seed)
        tree.fit(x[:600, columns], y[:600])
        predicted.append(tree.predict(x[600:][:, columns]))
    return np.array(predicted), y[600:]


def test_the_winner_of_three_hundred_models_is_optimistic_and_the_ladder_does_not_help(digits):
    predicted, y = digits
    wrong = (predicted != y).astype(float)
    plain, held = (
        holdout.public_private(wrong, board=board, public_size=0.25, repeats=100, rng=2)
        for board in (holdout.latest_score, holdout.ladder)
    )
    # the models are fixed beforehand: that is selection, not adaptive reuse
    assert plain.optimism > 0.03
    assert held.optimism == pytest.approx(plain.optimism, abs=0.01)
    assert held.private.mean() > plain.private.mean() - 0.005  # nor does it choose better


def test_climbing_the_digits_board_gains_nothing_real_and_the_ladder_stops_it(digits):
    predicted, y = digits
    plain, held = (
        holdout.mix(y, *predicted[:2], [800], board=board, public_size=0.25, repeats=5, rng=3)
        for board in (holdout.latest_score, holdout.ladder)
    )
    single = (predicted[:2] != y).mean()
    assert plain.private[0] - plain.public[0] > 0.05
    assert plain.private[0] == pytest.approx(single, abs=0.03)
    assert abs(held.private[0] - held.public[0]) < 0.03
