"""The holdout method: guarantees, selection, reuse, leaderboards, intervals for rates."""

from functools import partial
from itertools import product

import numpy as np
import pytest
from scipy import stats

from errlab import bounds, holdout, metrics
from errlab.metrics import Confusion

# ---------------------------------------------------------------- guarantees

EPSILONS, DELTAS, MODELS = (0.001, 0.01, 0.05, 0.2, 0.9), (1e-9, 0.05, 0.5, 0.99), (1, 7, 10**6)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("models", MODELS)
def test_sample_size_is_the_smallest_that_suffices(epsilon, delta, models):
    n = holdout.sample_size(epsilon, delta=delta, models=models)
    assert holdout.gap_bound(n, delta=delta, models=models) <= epsilon
    if n > 1:
        assert holdout.gap_bound(n - 1, delta=delta, models=models) > epsilon


def test_sample_size_survives_a_whole_number_of_cases():
    sizes = np.arange(2, 20_000, 7)
    epsilon = holdout.gap_bound(sizes)
    assert (holdout.sample_size(epsilon[epsilon < 1]) == sizes[epsilon < 1]).all()


def test_guarantees_broadcast_and_keep_scalars():
    grid = holdout.gap_bound([[10], [1000]], delta=[0.01, 0.1], models=3)
    loop = [[holdout.gap_bound(n, delta=d, models=3) for d in (0.01, 0.1)] for n in (10, 1000)]
    assert grid == pytest.approx(np.array(loop), abs=0)
    assert isinstance(holdout.gap_bound(10), float)
    assert isinstance(holdout.sample_size(0.1), int)


@pytest.mark.parametrize("n", [50, 400])
@pytest.mark.parametrize("models", [1, 20])
def test_failure_probability_undoes_the_gap_bound(n, models):
    gap = holdout.gap_bound(n, delta=0.03, models=models)
    assert holdout.failure_probability(n, gap, models=models) == pytest.approx(0.03)


@pytest.mark.parametrize("n", [1, 7, 100, 1000])
@pytest.mark.parametrize("epsilon", [0.0, 0.05, 0.1, 0.3, 1.0])
def test_gap_coverage_by_enumeration_and_never_below_hoeffding(n, epsilon):
    k = np.arange(n + 1)
    for risk in (0.0, 0.1, 0.37, 0.5, 1.0):
        near = np.abs(k / n - risk) <= epsilon + 1e-12
        exact = stats.binom.pmf(k, n, risk)[near].sum()
        covered = holdout.gap_coverage(risk, n, epsilon)
        assert covered == pytest.approx(exact, abs=1e-12)
        assert covered >= 1 - holdout.failure_probability(n, epsilon) - 1e-12


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [1, 2, 3])
def test_risk_moments_by_enumeration_of_all_samples(seed, n):
    rng = np.random.default_rng(seed)
    losses, weights = rng.random(4), rng.dirichlet(np.ones(4))
    samples = list(product(range(4), repeat=n))
    chance = np.array([weights[list(s)].prod() for s in samples])
    means = np.array([losses[list(s)].mean() for s in samples])
    mean, variance, worst = holdout.risk_moments(losses, weights, n)
    assert mean == pytest.approx(chance @ means)
    assert variance == pytest.approx(chance @ (means - mean) ** 2)
    assert variance <= mean * (1 - mean) / n + 1e-15
    assert worst == 1 / (4 * n)
    assert variance <= worst


# ---------------------------------------------------------------- selection


@pytest.mark.parametrize(
    ("risks", "n"),
    [([0.3], 4), ([0.2, 0.5], 3), ([0.1, 0.1, 0.6], 4), ([0, 0.5, 1], 3), ([0.4] * 4, 2)],
)
def test_selection_bias_by_enumeration_of_all_outcomes(risks, n):
    validation = risk = 0.0
    for made in product(range(n + 1), repeat=len(risks)):
        chance = stats.binom.pmf(made, n, risks).prod()
        winners = [r for r, k in zip(risks, made, strict=True) if k == min(made)]
        validation += chance * min(made) / n
        risk += chance * np.mean(winners)
    best = holdout.selection_bias(risks, n)
    assert best.validation == pytest.approx(validation, abs=1e-14)
    assert best.risk == pytest.approx(risk, abs=1e-14)
    assert best.optimism == pytest.approx(risk - validation, abs=1e-14)
    assert best.regret == pytest.approx(risk - min(risks), abs=1e-14)
    assert best.standard_error == 0


@pytest.mark.parametrize("n", [20, 100, 1000])
def test_one_model_has_no_optimism_and_more_models_have_more(n):
    found = [holdout.selection_bias([0.4] * k, n).optimism for k in (1, 2, 5, 20, 100, 1000)]
    assert found[0] == pytest.approx(0, abs=1e-13)
    assert (np.diff(found) > 0).all()
    # E max of k subgaussian gaps, the source of the sqrt(log k): sqrt(log(k) / (2n))
    assert (np.array(found) <= np.sqrt(np.log([1, 2, 5, 20, 100, 1000]) / (2 * n)) + 1e-12).all()


def test_simulated_selection_agrees_with_the_exact_value():
    risks = np.linspace(0.2, 0.4, 15)
    exact = holdout.selection_bias(risks, 80)
    drawn = holdout.simulated_selection_bias(risks, 80, repetitions=2000, rng=1)
    assert abs(drawn.optimism - exact.optimism) < 4 * drawn.standard_error
    assert drawn.risk == pytest.approx(exact.risk, abs=0.005)


def test_models_that_err_alike_flatter_less():
    flattery = [
        holdout.simulated_selection_bias(
            [0.3] * 30, 100, correlation=rho, repetitions=300, rng=2
        ).optimism
        for rho in (0.0, 0.5, 0.9)
    ]
    assert flattery[0] > flattery[1] + 0.01 > flattery[2] + 0.02
    same = holdout.simulated_selection_bias(
        [0.3] * 30, 100, correlation=1.0, repetitions=400, rng=3
    )
    assert abs(same.optimism) < 4 * same.standard_error  # thirty times the same model


def test_a_third_set_detects_the_optimism():
    rng, n, k = np.random.default_rng(4), 100, 50
    errors = rng.binomial(n, 0.5, (2, 4000, k)) / n  # validation and test, models that guess
    winner = errors[0].argmin(axis=1)
    chosen, fresh = (part[np.arange(4000), winner].mean() for part in errors)
    assert chosen == pytest.approx(holdout.selection_bias([0.5] * k, n).validation, abs=0.002)
    assert fresh == pytest.approx(0.5, abs=0.003)


@pytest.mark.parametrize("n", [3, 10, 101])
def test_three_way_split_parts_the_cases(n):
    split = holdout.three_way_split(n, validation=0.25, test=0.15, rng=0)
    assert sorted(np.concatenate(split)) == list(range(n))
    assert min(map(len, split)) >= 1
    again = holdout.three_way_split(n, validation=0.25, test=0.15, rng=0)
    assert all((a == b).all() for a, b in zip(split, again, strict=True))


# ---------------------------------------------------------------- duplicates and shifts


@pytest.mark.parametrize("copies", [[1, 1, 1], [10] * 7, [1, 2, 3, 4], [50, 1]])
def test_effective_size_gives_the_variance_of_the_mean(copies):
    # independent 0/1 losses of risk 0.3, enumerated, each standing there c_j times
    total, mean_square = sum(copies), 0.0
    mean = 0.3
    if len(copies) > 4:
        variance = 0.21 * sum(c**2 for c in copies) / total**2
    else:
        for outcome in product((0, 1), repeat=len(copies)):
            chance = 0.3 ** sum(outcome) * 0.7 ** (len(copies) - sum(outcome))
            mean_square += chance * (np.dot(outcome, copies) / total - mean) ** 2
        variance = mean_square
    assert 0.21 / holdout.effective_size(copies) == pytest.approx(variance)


def test_copies_are_counted_by_rows():
    cases = np.array([[5.0, 1], [0, 1], [5, 1], [5, 2], [5, 1]])
    assert holdout.count_copies(cases).tolist() == [3, 1, 1]
    tenfold = holdout.count_copies(np.tile(cases[1:4], (10, 1)))
    assert holdout.effective_size(tenfold) == 3


@pytest.mark.parametrize("key", ["NOR", "WIL", "CP"])
@pytest.mark.parametrize("n", [20, 100])
def test_copying_the_test_set_breaks_the_interval(key, n):
    honest = holdout.interval_coverage(key, 0.2, n, target=0.2)
    copied = holdout.interval_coverage(key, 0.2, n, target=0.2, copies=10)
    assert honest > 0.9
    assert copied < 0.6  # 1.96 / sqrt(10) standard errors: about .46


@pytest.mark.parametrize("key", ["CP", "WIL"])
def test_on_a_shifted_population_more_data_make_it_worse(key):
    found = [holdout.interval_coverage(key, 0.1, n, target=0.13) for n in (50, 500, 5000)]
    assert found[0] > 0.85 > found[1] > found[2]
    assert found[2] < 1e-5


def test_interval_coverage_keeps_the_promise_of_a_rigorous_interval():
    for p in np.linspace(0, 1, 41):
        assert holdout.interval_coverage("CP", p, 30, target=p) >= 0.95


# ---------------------------------------------------------------- leaderboards


def written_out_ladder(losses, step):
    """Blum and Hardt's loop, word for word."""
    best, leader, shown = np.inf, None, []
    for row in losses:
        n = len(row)
        if step is None:
            reference = np.zeros(n) if leader is None else leader
            margin = np.std(row - reference, ddof=1) / np.sqrt(n)
            grid = 1 / n
        else:
            margin = grid = step
        if row.mean() < best - margin:
            best, leader = round(row.mean() / grid) * grid, row
        shown.append(best)
    return shown


def submissions(seed, k=60, n=80):
    rng = np.random.default_rng(seed)
    return (rng.random((k, n)) < np.linspace(0.6, 0.3, k)[:, None]).astype(float)


@pytest.mark.parametrize("step", [None, 0.01, 0.05, 0.2])
@pytest.mark.parametrize("n", [4, 80])
@pytest.mark.parametrize("seed", range(6))
def test_ladder_is_the_published_loop(seed, n, step):
    losses = submissions(seed, n=n)
    board = holdout.ladder(losses, step=step)
    assert board.released == pytest.approx(np.array(written_out_ladder(losses, step)))
    assert (np.diff(board.released) <= 1e-12).all()
    changed = np.append(True, np.diff(board.released) < 0)
    assert (board.leader[changed] == np.flatnonzero(changed)).all()


@pytest.mark.parametrize("step", [0.02, 0.1])
def test_ladder_shows_no_improvement_below_its_step(step):
    board = holdout.ladder(submissions(9, 200), step=step)
    drops = -np.diff(board.released)
    assert (drops[drops > 0] > step / 2 - 1e-12).all()  # the step, less the rounding
    assert len(np.unique(board.released)) <= 1 / step + 1


def test_plain_board_leads_with_the_first_of_the_best():
    board = holdout.latest_score([[1, 1], [0, 1], [1, 0], [0, 0], [1, 1]])
    assert board.leader.tolist() == [0, 1, 1, 3, 3]
    assert board.released.tolist() == [1, 0.5, 0.5, 0, 1]


@pytest.mark.parametrize("k", [1, 2, 3, 10])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_climb_gap_by_enumeration(n, k):
    signs = np.array(list(product((-1, 1), repeat=n)))
    q = 0.5 + np.abs(signs.sum(axis=1)).mean() / (2 * n)
    votes = np.arange(k + 1)
    right = stats.binom.pmf(votes, k, q) @ ((votes > k / 2) + 0.5 * (votes == k / 2))
    assert holdout.climb_gap(n, k) == pytest.approx(right - 0.5, abs=1e-13)


@pytest.mark.parametrize("n", [100, 501])
def test_climbing_gains_what_the_exact_formula_says(n):
    steps = [1, 2, 9, 40, 150]
    attack = holdout.climb(n, steps, repetitions=150, rng=5)
    exact = holdout.climb_gap(n, steps)
    assert (np.abs(attack.gap - exact) < 4 * attack.standard_error).all()
    assert attack.shown == pytest.approx(attack.gap)  # the plain board shows it as it is


def test_the_gap_grows_as_the_root_of_submissions_over_cases():
    n, k = 20_000, np.array([200, 800, 3200])
    gap = holdout.climb_gap(n, k)
    slope = np.diff(np.log(gap)) / np.diff(np.log(k / n))
    assert slope == pytest.approx(0.5, abs=0.02)
    assert gap == pytest.approx(np.sqrt(k / n) / np.pi, rel=0.06)
    assert gap == pytest.approx(stats.norm.cdf(np.sqrt(2 * k / (np.pi * n))) - 0.5, rel=0.004)


@pytest.mark.parametrize("step", [None, 0.02])
def test_the_ladder_holds_where_the_plain_board_is_climbed(step):
    n, steps = 2000, [100, 1000]
    plain = holdout.climb(n, steps, repetitions=5, rng=6)
    held = holdout.climb(n, steps, board=partial(holdout.ladder, step=step), repetitions=5, rng=6)
    assert plain.shown[-1] > 0.19
    assert held.shown[-1] < 0.04
    assert np.abs(held.gap).max() < 0.03


def test_thresholdout_holds_where_plain_climbing_works():
    n = 2000
    rng = np.random.default_rng(7)

    def guarded(losses):  # random guesses err on half the training cases too
        train = rng.binomial(n, 0.5, len(losses)) / n
        answers = holdout.thresholdout(train, losses.mean(axis=1), threshold=0.1, rng=rng).values
        return holdout.Board(answers, np.zeros(len(answers), dtype=int))

    held = holdout.climb(n, [1000], board=guarded, repetitions=4, rng=8)
    assert abs(held.gap[0]) < 0.03
    assert holdout.climb(n, [1000], repetitions=4, rng=8).gap[0] > 0.19


def test_thresholdout_holds_where_plain_reuse_fails():
    plain, held = (
        [holdout.reuse_holdout(2000, 500, [150], threshold=t, noise=0.005, rng=s) for s in range(8)]
        for t in (None, 0.08)
    )
    assert np.mean([run.reported - run.fresh for run in plain]) > 0.05
    assert abs(np.mean([run.reported - run.fresh for run in held])) < 0.03
    for run in plain + held:
        assert abs(run.fresh[0] - 0.5) < 0.05  # nothing to learn: 4.5 standard errors


def test_thresholdout_without_noise_is_its_threshold():
    train, test = np.array([0.9, 0.8, 0.7, 0.6]), np.array([0.5, 0.79, 0.6, 0.2])
    answers = holdout.thresholdout(train, test, threshold=0.15, noise=0.0)
    assert answers.values.tolist() == [0.5, 0.8, 0.7, 0.2]
    assert answers.from_holdout.tolist() == [True, False, False, True]
    assert answers.budget == 2
    spent = holdout.thresholdout(train, test, threshold=0.05, noise=0.0, budget=2)
    assert spent.values.tolist() == [0.5, 0.8, 0.6]
    assert spent.budget == 0


def test_thresholdout_adds_the_noise_it_names():
    q, sigma = 20_000, 0.01
    answers = holdout.thresholdout(
        np.ones(q), np.zeros(q), threshold=0.2, noise=sigma, budget=q, rng=9
    )
    assert answers.from_holdout.all()
    assert np.abs(answers.values).mean() == pytest.approx(sigma, rel=0.03)  # of Lap(sigma)
    # At a difference of T, a threshold T + g is passed with p(g) = P(Lap(4 sigma) < -g), and
    # stays until it is passed: the share of holdout answers is 1 / E[1/p(g)] = 1 / (4 log 2)
    q = 200_000
    level = holdout.thresholdout(np.full(q, 0.2), np.zeros(q), threshold=0.2, noise=sigma, rng=9)
    assert level.from_holdout.mean() == pytest.approx(1 / (4 * np.log(2)), abs=0.01)


def test_public_winner_among_guessers_is_as_optimistic_as_the_exact_formula_says():
    guesses = np.random.default_rng(10).integers(0, 2, (200, 600))
    run = holdout.public_private(guesses, public=0.25, repetitions=200, rng=11)
    expected = holdout.selection_bias([0.5] * 200, 150).optimism
    assert run.optimism == pytest.approx(expected, abs=0.012)
    assert run.private.mean() == pytest.approx(0.5, abs=0.02)


def test_public_private_follows_the_board():
    losses = submissions(12, 30, 90)
    run = holdout.public_private(losses, board=holdout.ladder, public=0.5, repetitions=3, rng=13)
    order = np.random.default_rng(13).permutation(90)
    board = holdout.ladder(losses[:, order[:45]])
    assert run.winner[0] == board.leader[-1]
    assert run.public[0] == board.released[-1]
    assert run.private[0] == losses[board.leader[-1], order[45:]].mean()
    assert run.optimism == pytest.approx((run.private - run.public).mean())


@pytest.mark.parametrize("classes", [2, 3, 10])
def test_label_noise_leaves_the_ranking_in_place(classes):
    risks = np.linspace(0, 1, 11)
    noisy = holdout.noisy_risk(risks, 0.4, classes=classes)
    assert (np.diff(noisy) > 0).all()
    assert np.diff(noisy) == pytest.approx(0.6 * np.diff(risks))
    assert holdout.noisy_risk(risks, 1.0, classes=classes) == pytest.approx((classes - 1) / classes)


@pytest.mark.parametrize("classes", [2, 4])
def test_noisy_labels_have_the_noisy_risk(classes):
    rng = np.random.default_rng(14)
    y = rng.integers(0, classes, 100_000)
    wrong = rng.random(len(y)) < 0.1
    predicted = np.where(wrong, (y + 1) % classes, y)
    noisy = holdout.noisy_labels(y, 0.3, rng=rng)
    expected = holdout.noisy_risk(0.1, 0.3, classes=classes)
    assert (noisy != predicted).mean() == pytest.approx(expected, abs=0.006)


@pytest.mark.parametrize(
    "call",
    [
        lambda rng: holdout.climb(50, [5, 20], rng=rng),
        lambda rng: holdout.reuse_holdout(50, 30, [5], threshold=0.1, rng=rng),
        lambda rng: holdout.simulated_selection_bias([0.3] * 4, 20, repetitions=5, rng=rng),
        lambda rng: holdout.thresholdout([0.5] * 9, [0.4] * 9, rng=rng),
        lambda rng: holdout.noisy_labels(np.arange(30) % 3, 0.5, rng=rng),
        lambda rng: metrics.bootstrap_area([0, 1] * 9, np.arange(18), repetitions=30, rng=rng),
        lambda rng: metrics.bootstrap_f1([0, 1] * 9, [0, 1, 1] * 6, repetitions=30, rng=rng),
        lambda rng: holdout.public_private(submissions(0), repetitions=4, rng=rng),
    ],
)
def test_a_seed_gives_the_same_answer_again(call):
    first, second, other = (np.hstack([np.ravel(v) for v in call(seed)]) for seed in (3, 3, 4))
    assert (first == second).all()
    assert len(first) != len(other) or (first != other).any()


# ---------------------------------------------------------------- intervals for the metrics


@pytest.mark.parametrize("key", [k for k, b in bounds.BOUNDS.items() if b.needs != "losses"])
def test_every_bound_serves_every_rate(key):
    table = Confusion(tp=30, fp=10, fn=20, tn=40)
    rows = metrics.rate_intervals(table, key=key, delta=0.1)
    assert [row.key for row in rows] == list(metrics.RATES)
    for row in rows:
        low, high = bounds.interval(key, row.hits / row.among, row.among, delta=0.1)
        assert (row.low, row.high) == (low, high)
        assert row.low <= row.value <= row.high


def test_area_interval_of_a_published_example():
    # Stata Base Reference Manual, [R] roctab, Hanley and McNeil's ratings: 0.83295 to 0.95339
    ratings = np.repeat([1, 2, 3, 4, 5] * 2, (33, 6, 6, 11, 2, 3, 2, 2, 11, 33))
    low, high = metrics.area_interval(np.repeat([0, 1], [58, 51]), ratings)
    assert (round(low, 5), round(high, 5)) == (0.83295, 0.95339)


@pytest.mark.parametrize("scale", ["identity", "logit"])
def test_area_interval_covers_about_what_it_claims(scale):
    rng, y = np.random.default_rng(15), np.repeat([0, 1], 40)
    truth = stats.norm.cdf(1 / np.sqrt(2))
    hits = 0
    for _ in range(1000):
        low, high = metrics.area_interval(y, rng.normal(size=80) + y, scale=scale)
        hits += low <= truth <= high
    assert 0.92 < hits / 1000 < 0.98


@pytest.mark.parametrize("seed", range(3))
def test_bootstrap_area_agrees_with_drawing_cases(seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], [30, 20])
    scores = np.round(rng.normal(size=50) + y, 1)
    areas = []
    for _ in range(1500):
        again = np.concatenate([rng.integers(0, 30, 30), rng.integers(30, 50, 20)])
        areas.append(metrics.area(y, scores[again]))
    found = metrics.bootstrap_area(y, scores, repetitions=1500, rng=seed)
    assert found == pytest.approx(np.quantile(areas, [0.025, 0.975]), abs=0.02)
    delong = metrics.area_interval(y, scores)
    assert found == pytest.approx(delong, abs=0.06)


def test_bootstrap_area_counts_a_tie_as_half():
    assert metrics.bootstrap_area([0, 1, 1], [3, 3, 3], repetitions=50, rng=0) == (0.5, 0.5)


def test_bootstrap_f1_agrees_with_drawing_cases():
    rng = np.random.default_rng(16)
    true = rng.integers(0, 3, 120)
    pred = np.where(rng.random(120) < 0.3, rng.integers(0, 3, 120), true)
    again = rng.integers(0, 120, (1500, 120))
    each = [metrics.f_score(true[i], pred[i], positive=2) for i in again]
    macro = [metrics.macro_f1(true[i], pred[i]) for i in again]
    found = metrics.bootstrap_f1(true, pred, positive=2, repetitions=3000, rng=1)
    assert found == pytest.approx(np.quantile(each, [0.025, 0.975]), abs=0.015)
    found = metrics.bootstrap_macro_f1(true, pred, repetitions=3000, rng=1)
    assert found == pytest.approx(np.quantile(macro, [0.025, 0.975]), abs=0.015)


# ---------------------------------------------------------------- bad input

LOSSES = [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: holdout.gap_bound(0), ValueError, "n must be at least 1, got 0"),
        (lambda: holdout.gap_bound(10, models=0), ValueError, "models must be at least 1"),
        (lambda: holdout.gap_bound(10, delta=1), ValueError, r"delta must lie in \(0, 1\)"),
        (lambda: holdout.gap_bound([1, 2], delta=[0.1] * 3), ValueError, "broadcast"),
        (lambda: holdout.sample_size(0), ValueError, r"epsilon must lie in \(0, 1\), got 0"),
        (lambda: holdout.sample_size(1e-9), ValueError, "epsilon must not need more"),
        (lambda: holdout.sample_size("a"), TypeError, "epsilon must hold real numbers"),
        (lambda: holdout.failure_probability(10, -1), ValueError, "epsilon must lie in"),
        (lambda: holdout.gap_coverage(1.1, 10, 0.1), ValueError, "risk must lie in"),
        (lambda: holdout.risk_moments([0, 1], [0.5, 0.6], 3), ValueError, "sum to 1"),
        (lambda: holdout.selection_bias([], 10), ValueError, "risks must not be empty"),
        (lambda: holdout.selection_bias([0.5], 10.5), ValueError, "n must be a whole number"),
        (
            lambda: holdout.simulated_selection_bias([0.5], 9, correlation=-0.1),
            ValueError,
            "correlation must lie in",
        ),
        (
            lambda: holdout.simulated_selection_bias([0.5], 9, repetitions=1),
            ValueError,
            "repetitions must be at least 2",
        ),
        (lambda: holdout.three_way_split(2), ValueError, "n must be at least 3"),
        (lambda: holdout.three_way_split(9, validation=0.6, test=0.5), ValueError, "must leave"),
        (lambda: holdout.effective_size([0, 1]), ValueError, "copies must be at least 1"),
        (lambda: holdout.count_copies([1.0, 2.0]), ValueError, "cases must have 2 dimension"),
        (
            lambda: holdout.interval_coverage("XX", 0.1, 9, target=0.1),
            ValueError,
            "unknown bound 'XX'",
        ),
        (
            lambda: holdout.interval_coverage("CP", 0.1, 9, target=2),
            ValueError,
            "target must lie in",
        ),
        (lambda: holdout.ladder([[0.5, 2]]), ValueError, "losses must lie in"),
        (lambda: holdout.ladder(LOSSES, step=0), ValueError, "step must lie in"),
        (lambda: holdout.ladder([[1], [0]]), ValueError, "at least 2 cases"),
        (lambda: holdout.latest_score([0, 1]), ValueError, "losses must have 2 dimension"),
        (lambda: holdout.thresholdout([0.5], [0.5, 1]), ValueError, "same length"),
        (lambda: holdout.thresholdout([0.5], [0.5], noise=-1), ValueError, "noise must be at"),
        (lambda: holdout.thresholdout([0.5], [0.5], budget=0), ValueError, "budget must be at"),
        (lambda: holdout.thresholdout([0.5], [0.5], rng="x"), TypeError, "rng must be a seed"),
        (lambda: holdout.public_private(LOSSES, public=0.1), ValueError, "public must leave"),
        (lambda: holdout.climb(10, [5, 5]), ValueError, "submissions must rise"),
        (lambda: holdout.climb(1, [5]), ValueError, "n must be at least 2"),
        (lambda: holdout.climb_gap(10, 0), ValueError, "submissions must be at least 1"),
        (lambda: holdout.reuse_holdout(10, 5, [0]), ValueError, "kept must be at least 1"),
        (lambda: holdout.reuse_holdout(10, 5, [1], threshold=-1), ValueError, "threshold must be"),
        (lambda: holdout.noisy_risk(0.5, 2), ValueError, "noise must lie in"),
        (lambda: holdout.noisy_risk(0.5, 0.1, classes=1), ValueError, "classes must be at least"),
        (lambda: holdout.noisy_labels([0, 1], [0.1, 0.2]), ValueError, "noise must be a single"),
        (lambda: metrics.rate_interval([1, 2], "TPR"), TypeError, "table must be a Confusion"),
        (lambda: metrics.rate_interval(Confusion(0, 0, 1, 1), "PPV"), ValueError, "PPV needs"),
        (
            lambda: metrics.area_interval([0, 0, 1, 1], [1, 2, 3, 4], scale="logit"),
            ValueError,
            "needs an area inside",
        ),
        (
            lambda: metrics.area_interval([0, 0, 1, 1], [1, 2, 3, 4], scale="log"),
            ValueError,
            "scale must be one of",
        ),
        (lambda: metrics.bootstrap_f1([0, 0], [0, 0]), ValueError, "f1 needs"),
        (
            lambda: metrics.bootstrap_area([0, 1], [1, 2], repetitions=0),
            ValueError,
            "repetitions must be at least 1",
        ),
    ],
)
def test_bad_input_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
