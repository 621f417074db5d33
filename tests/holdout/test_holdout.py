"""The holdout method: guarantees, selection, duplicates and shifts, intervals for rates."""

import math
from fractions import Fraction
from functools import partial
from itertools import product
from math import floor

import numpy as np
import pytest
from marks import nightly
from scipy import stats

from errlab import bounds, holdout, metrics
from errlab_book import leaderboards

FROM_MEAN = [key for key, entry in bounds.BOUNDS.items() if entry.needs != "losses"]


def test_sample_size_is_the_smallest_that_suffices():
    epsilons, deltas, models = np.ix_(
        (0.001, 0.01, 0.05, 0.2, 0.9), (1e-9, 0.05, 0.5, 0.99), (1, 7, 10**6)
    )
    n = holdout.sample_size(epsilons, delta=deltas, models=models)
    assert (holdout.gap_bound(n, delta=deltas, models=models) <= epsilons).all()
    fewer = holdout.gap_bound(np.maximum(n - 1, 1), delta=deltas, models=models)
    assert ((fewer > epsilons) | (n == 1)).all()
    # it survives a whole number of cases
    sizes = np.arange(2, 20_000, 7)
    epsilon = holdout.gap_bound(sizes)
    assert (holdout.sample_size(epsilon[epsilon < 1]) == sizes[epsilon < 1]).all()
    for n, k in product((50, 400), (1, 20)):
        gap = holdout.gap_bound(n, delta=0.03, models=k)
        assert holdout.failure_probability(n, gap, models=k) == pytest.approx(0.03)


@pytest.mark.slow
def test_gap_coverage_by_enumeration_and_never_below_hoeffding():
    cases = product((1, 7, 100, 1000), (0.0, 0.05, 0.1, 0.3, 1.0), (0.0, 0.1, 0.37, 0.5, 1.0))
    for n, epsilon, risk in cases:
        k = np.arange(n + 1)
        exact = stats.binom.pmf(k, n, risk)[np.abs(k / n - risk) <= epsilon + 1e-12].sum()
        covered = holdout.gap_coverage(risk, n, epsilon)
        assert covered == pytest.approx(exact, abs=1e-12), (n, epsilon, risk)
        assert covered >= 1 - holdout.failure_probability(n, epsilon) - 1e-12
    # an end that is a whole number of errors belongs to the interval: in fractions, because in
    # floats 1000 * 0.07 is a little above 70
    for n, p, epsilon in product((10, 1000, 100_000), range(0, 101, 7), range(1, 30, 4)):
        first = math.ceil(Fraction(n * (p - epsilon), 100))
        last = math.floor(Fraction(n * (p + epsilon), 100))
        expected = stats.binom.cdf(last, n, p / 100) - stats.binom.cdf(first - 1, n, p / 100)
        result = holdout.gap_coverage(p / 100, n, epsilon / 100)
        assert result == pytest.approx(expected, rel=1e-9, abs=1e-300), (n, p, epsilon)


def test_risk_moments_by_enumeration_of_all_samples():
    for seed, n in product(range(5), (1, 2, 3)):
        rng = np.random.default_rng(seed)
        losses, weights = rng.random(4), rng.dirichlet(np.ones(4))
        samples = np.array(list(product(range(4), repeat=n)))
        chance, means = weights[samples].prod(axis=1), losses[samples].mean(axis=1)
        mean, variance, worst = holdout.risk_moments(losses, weights, n)
        assert mean == pytest.approx(chance @ means)
        assert variance == pytest.approx(chance @ (means - mean) ** 2)
        assert variance <= mean * (1 - mean) / n + 1e-15 <= worst + 1e-15
        assert worst == 1 / (4 * n)


@pytest.mark.parametrize("key", nightly(FROM_MEAN, "BEN", "BLA"))
@pytest.mark.parametrize("mean", [0.0, 0.03, 0.25, 0.9])
@pytest.mark.parametrize("delta", [1e-4, 0.05, 0.3])
def test_n_reaches_and_no_smaller_n_does(key, mean, delta):
    for epsilon in (0.3, 0.05):
        n = holdout.sample_size_for(key, epsilon=epsilon, mean=mean, delta=delta)
        level = mean + epsilon
        assert bounds.upper(key, mean, n, delta=delta) <= level
        fewer = np.arange(max(1, n - 3000), n)
        assert n == 1 or (bounds.upper(key, mean, fewer, delta=delta) > level).all()
        if level <= 1:
            assert holdout.sample_size_for(key, target=level, mean=mean, delta=delta) == n


@pytest.mark.parametrize("key", ["BEN", "BLA"])
def test_n_is_the_smallest_where_each_bound_is_searched_for(key):
    n = holdout.sample_size_for(key, epsilon=0.3, mean=0.25)
    assert bounds.upper(key, 0.25, n) <= 0.55
    assert (bounds.upper(key, 0.25, np.arange(1, n)) > 0.55).all()


def test_selection_bias_by_enumeration_of_all_outcomes():
    for risks, n in (
        ([0.3], 4),
        ([0.2, 0.5], 3),
        ([0.1, 0.1, 0.6], 4),
        ([0, 0.5, 1], 3),
        ([0.4] * 4, 2),
    ):
        made = np.array(list(product(range(n + 1), repeat=len(risks))))
        chance = stats.binom.pmf(made, n, risks).prod(axis=1)
        winners = made == made.min(axis=1, keepdims=True)
        validation = chance @ made.min(axis=1) / n
        risk = chance @ ((winners * risks).sum(axis=1) / winners.sum(axis=1))
        expected = (validation, risk, risk - validation, risk - min(risks))
        assert tuple(holdout.selection_bias(risks, n)) == pytest.approx(expected, abs=1e-14)


def test_effective_size_gives_the_variance_of_the_mean():
    for copies in ([1, 1, 1], [10] * 7, [1, 2, 3, 4], [50, 1]):
        # independent 0/1 losses with risk 0.3, enumerated; loss j is repeated c_j times
        outcomes = np.array(list(product((0, 1), repeat=len(copies))))
        chance = np.where(outcomes, 0.3, 0.7).prod(axis=1)
        variance = chance @ (outcomes @ copies / sum(copies) - 0.3) ** 2
        assert 0.21 / holdout.effective_size(copies) == pytest.approx(variance), copies


@pytest.mark.parametrize(("n", "copies"), [(8, 1), (8, 2), (15, 10)])
def test_copies_count_as_cases_in_the_interval_alone(n, copies):
    # Clopper-Pearson of k * copies errors in n * copies rows, with the probability of k in n
    k = np.arange(n)  # if all examples are errors, the upper end is 1
    ends = stats.beta.ppf(0.975, k * copies + 1, (n - k) * copies)
    for errors, end in zip(k, ends, strict=True):
        inside, outside = (
            holdout.interval_coverage("CP", 0.3, n, error=aim, copies=copies)
            for aim in (end - 1e-9, end + 1e-9)
        )
        assert inside - outside == pytest.approx(stats.binom.pmf(errors, n, 0.3), rel=1e-9)
    for p in np.linspace(0, 1, 41):
        assert holdout.interval_coverage("CP", p, 30, error=p) >= 0.95


def test_reuse_keeps_what_exceeds_one_over_the_root_of_n():
    # the rule of Dwork et al. 2015, applied to the same data: products of label and variable
    n, variables, numbers = 9, 400, [1, 7, 30]
    rng = np.random.default_rng(6)
    train, observed = rng.standard_normal((2, variables)) / 3
    smaller, cut = np.minimum(np.abs(train), np.abs(observed)), 1 / math.sqrt(n)
    between = (np.abs(observed) > 1 / math.sqrt(n + 1)) & (np.abs(observed) < cut)
    assert between.sum() > 3  # otherwise another threshold would choose the same
    order = np.argsort(-np.abs(train), kind="stable")
    rest = [j for j in order if train[j] * observed[j] > 0 and smaller[j] > cut]
    numbers.append(len(rest))
    rng.choice([-1.0, 1.0], (3, n))  # the products contain the labels, so these don't matter
    products = rng.standard_normal((3, n, len(rest)))
    for number, means in enumerate((train, observed)):
        products[number] += means[rest] - products[number].mean(axis=0)
        assert products[number].mean(axis=0) == pytest.approx(means[rest])
    result = leaderboards.reuse_holdout(n, variables, numbers, rng=6)
    for i, k in enumerate(numbers):
        right = (products[:, :, :k] @ np.sign(train[rest[:k]]) > 0).mean(axis=1)
        assert [result.train[i], result.holdout[i], result.fresh[i]] == pytest.approx(right)


@pytest.mark.slow
def test_every_bound_serves_every_rate():
    table = metrics.Confusion(tp=30, fp=10, fn=20, tn=40)
    for key in FROM_MEAN:
        rows = metrics.rate_intervals(table, key=key, delta=0.1)
        assert [row.key for row in rows] == list(metrics.RATES)
        for row in rows:
            expected = bounds.interval(key, row.hits / row.among, row.among, delta=0.1)
            assert (row.low, row.high) == tuple(expected), key
            assert row.low <= row.value <= row.high


@pytest.mark.slow
def test_f1_interval_covers_whatever_the_population_by_exact_enumeration():
    """Given the number of examples that aren't true negatives, TP is binomial; sum over both."""
    for tp, fp, fn in ((8, 1, 2), (40, 0, 3), (3, 9, 9)):
        low, high = metrics.f1_interval(tp, fp, fn)
        assert low < 2 * tp / (2 * tp + fp + fn) < high
        assert metrics.f1_interval(tp, fn, fp) == (low, high)
    for n, positive, tpr, fpr in (
        (40, 0.3, 0.9, 0.1),
        (60, 0.05, 0.95, 0.002),
        (25, 0.5, 0.5, 0.5),
    ):
        hit, missed, alarm = positive * tpr, positive * (1 - tpr), (1 - positive) * fpr
        some = hit + missed + alarm
        true = 2 * hit / (2 * hit + missed + alarm)
        # without examples there is no claim, so it can't be wrong
        covered = stats.binom.pmf(0, n, some)
        for m in range(1, n + 1):
            ends = [metrics.f1_interval(k, m - k, 0) for k in range(m + 1)]
            holds = [low <= true <= high for low, high in ends]
            chance = stats.binom.pmf(np.arange(m + 1), m, hit / some)
            covered += stats.binom.pmf(m, n, some) * chance[holds].sum()
        assert 0.95 <= covered <= 1


# --- Leaderboards: the Ladder, Thresholdout, attacks on them, and competitions.


def exact_ladder(losses, step):
    """Return the released scores by Blum and Hardt's loop, literally, in fractions.

    `losses` are Fractions, `step` one or None.
    """
    best = leader = None
    scores = []
    for row in losses:
        n, score = len(row), sum(row) / len(row)
        if best is None:
            better = True
        elif step is not None:
            better = score < best - step
        else:
            d = [a - b for a, b in zip(row, leader, strict=True)]
            variance = (sum(x * x for x in d) - sum(d) ** 2 / n) / (n - 1)
            better = score < best and (best - score) ** 2 > variance / n
        if better:
            grid = Fraction(1, n) if step is None else step
            best, leader = floor(score / grid + Fraction(1, 2)) * grid, row
        scores.append(best)
    return scores


def random_board(rng, levels=1):
    """Whole numbers in 0..levels; each row is close to an earlier one, so ties are frequent."""
    n, k = rng.integers(2, 40), rng.integers(2, 12)
    rows = [rng.integers(0, levels + 1, n)]
    for _ in range(k - 1):
        fresh = rng.integers(0, levels + 1, n)
        rows.append(np.where(rng.random(n) < rng.choice([0.05, 0.2, 0.7]), fresh, rows[-1]))
    return np.array(rows)


@pytest.mark.slow
@pytest.mark.parametrize("step", [None, "0.1", "0.05", "0.3", "1/3", "0.07"])
@pytest.mark.parametrize("boards", nightly([400, 800], 800))
def test_ladder_decides_ties_as_fractions_do(step, boards):
    rng = np.random.default_rng(0)
    exact = None if step is None else Fraction(step)
    for levels, number in ((1, boards), (10, boards // 4)):
        for _ in range(number):
            whole = random_board(rng, levels)
            rows = [[Fraction(int(v), levels) for v in row] for row in whole]
            expected = [float(score) for score in exact_ladder(rows, exact)]
            board = holdout.ladder(whole / levels, step=None if exact is None else float(exact))
            assert board.released == pytest.approx(expected, abs=1e-11)


def test_climb_gap_by_enumeration():
    for n, k in product((2, 3, 4), (1, 2, 3, 10)):
        signs = np.array(list(product((-1, 1), repeat=n)))
        q = 0.5 + np.abs(signs.sum(axis=1)).mean() / (2 * n)
        votes = np.arange(k + 1)
        right = stats.binom.pmf(votes, k, q) @ ((votes > k / 2) + 0.5 * (votes == k / 2))
        assert leaderboards.climb_gap(n, k) == pytest.approx(right - 0.5, abs=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("n", [100, 501])
def test_climbing_gains_what_the_exact_formula_says(n):
    steps = [1, 2, 9, 40, 150]
    attack = leaderboards.climb(n, steps, repeats=150, rng=5)
    exact = leaderboards.climb_gap(n, steps)
    assert (np.abs(attack.gap - exact) < 4 * attack.standard_error).all()
    # one submission has the gap |S| / (2n), whose mean square is 1 / (4n)
    spread = np.sqrt(1 / (4 * n) - exact[0] ** 2)
    assert attack.standard_error[0] == pytest.approx(spread / np.sqrt(150), rel=0.25)
    assert attack.shown == pytest.approx(attack.gap)  # the ordinary board shows the gap unchanged


def test_flips_of_two_are_the_loop_written_out():
    rng, n = np.random.default_rng(3), 20
    attack = leaderboards.climb_by_flips(n, [1, 5, 30], rng=3)
    best = rng.integers(0, 2, n)
    errors = []
    for t in range(30):
        if t % 10 == 1:
            pairs = rng.permutation(n).reshape(10, 2)
        if t > 0:
            pair = pairs[(t - 1) % 10]
            if best[pair].sum() == 2:  # both differ where the leader is wrong: 2^2 > 2
                best[pair] = 0
        errors.append(best.mean())
    assert 0.5 - attack.gap == pytest.approx([errors[0], errors[4], errors[29]])


@pytest.mark.slow
def test_flips_of_two_at_300_cases():
    """Five attacks, computed by another program."""
    attack = leaderboards.climb_by_flips(300, [75, 150, 300], repeats=100, rng=4)
    assert 0.5 - attack.gap == pytest.approx([0.383, 0.264, 0.189], abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("blocks", nightly([[100], [2, 1000, 5000]], [2, 1000, 5000]))
def test_the_theorem_holds_for_its_step_and_not_for_the_free_ladder(blocks):
    n = k = 10_000
    step = (np.log(k * n) / n) ** (1 / 3)
    bound = holdout.ladder_bound(n, k, step=step)
    free = leaderboards.climb_by_flips(n, [k], rng=7)
    assert free.shown[0] > bound + 0.1
    for block in blocks:
        flips = leaderboards.climb_by_flips(n, [100, k], block=block, step=step, rng=7)
        assert (np.abs(flips.shown) <= bound).all()
    vote = leaderboards.climb(1000, [1000], board=partial(holdout.ladder, step=step), rng=7)
    assert abs(vote.shown[0]) <= holdout.ladder_bound(1000, 1000, step=step)


@pytest.mark.slow
@pytest.mark.parametrize(("k", "step"), [(1, 0.5), (3, 0.5), (3, 0.25), (3, 0.1)])
def test_courses_of_a_ladder_are_as_few_as_the_bound_counts(k, step):
    # count the sequences of scores that the board can release, for any errors on ten examples
    courses = set()
    for scores in product(range(11), repeat=k):
        losses = np.arange(10) < np.array(scores)[:, None]
        courses.add(tuple(holdout.ladder(losses, step=step).released))
    nodes = {course[:i] for course in courses for i in range(k + 1)}
    assert len(nodes) <= (4 * k / step) ** (1 / step + 2)


@pytest.mark.slow
def test_noise_of_the_shaky_ladder():
    rows = np.arange(1000) < np.array([[500], [100]])
    runs = [holdout.ladder(rows, step=0.1, noise=0.01, rng=seed).released for seed in range(3000)]
    noise = np.abs(np.array(runs) - [0.5, 0.1]).mean(axis=0)
    assert noise == pytest.approx([0.01, 0.01], rel=0.06)  # Lap(0.01)
    # no true gain: the submission leads if Lap(4 s) + Lap(1 s) + Lap(2 s) exceeds the step
    again = [holdout.ladder(rows[[0, 0]], step=0.1, noise=0.02, rng=seed) for seed in range(4000)]
    rng = np.random.default_rng(8)
    luck = rng.laplace(0, 0.02 * np.array([4, 2, 1]), (400_000, 3)).sum(axis=1)
    share = np.mean([board.leader[1] == 1 for board in again])
    assert share == pytest.approx((luck > 0.1).mean(), abs=0.02)


def test_thresholdout_adds_the_noise_it_names():
    q, sigma = 20_000, 0.01
    options = {"threshold": 0.2, "noise": sigma, "rng": 9}
    answers = holdout.thresholdout(np.ones(q), np.zeros(q), budget=q, **options)
    assert answers.from_holdout.all()
    assert np.abs(answers.values).mean() == pytest.approx(sigma, rel=0.03)  # mean of Lap(sigma)
    # At a difference of T, a threshold T + g is passed with p(g) = P(Lap(4 sigma) < -g), and
    # stays until it is passed: the share of holdout answers is 1 / E[1/p(g)] = 1 / (4 log 2)
    q = 200_000
    level = holdout.thresholdout(np.full(q, 0.2), np.zeros(q), **options)
    assert level.from_holdout.mean() == pytest.approx(1 / (4 * np.log(2)), abs=0.01)


def test_public_private_follows_the_board():
    losses = (np.random.default_rng(12).random((30, 90)) < 0.4).astype(float)
    run = leaderboards.public_private(
        losses, board=holdout.ladder, public_size=0.5, repeats=3, rng=13
    )
    order = np.random.default_rng(13).permutation(90)
    board = holdout.ladder(losses[:, order[:45]])
    assert run.winner[0] == board.leader[-1]
    assert run.public[0] == board.released[-1]
    hidden = losses[:, order[45:]].mean(axis=1)
    assert run.private[0] == hidden[board.leader[-1]]
    assert run.place[0] == 1 + sum(error < run.private[0] for error in hidden)
    assert run.optimism == pytest.approx((run.private - run.public).mean())


@pytest.mark.parametrize("board", [leaderboards.latest_score, holdout.ladder])
def test_mix_of_two_honest_models_is_the_loop_written_out(board):
    labels, *guesses = np.random.default_rng(0).integers(0, 3, (3, 400))
    first, second = (np.where(np.arange(400) % 10 < 3, guess, labels) for guess in guesses)
    mix = partial(leaderboards.mix, board=board, public_size=0.25, rng=7)
    climbed = mix(labels, first, second, [20, 60])
    rng = np.random.default_rng(7)
    order = rng.permutation(400)
    y, first, second = labels[order], first[order], second[order]
    coins = rng.random((60, 400)) < 0.5
    losses = [np.where(c, first, second)[:100] != y[:100] for c in coins]
    released = board(np.array(losses, dtype=float)).released
    for i, k in enumerate((20, 60)):
        liked = np.sign(np.median(released[:k]) - released[:k])
        votes = (2 * coins[:k] - 1).T @ liked
        final = np.where(votes >= 0, first, second) != y
        assert climbed.public[i] == pytest.approx(final[:100].mean())
        assert climbed.private[i] == pytest.approx(final[100:].mean())
