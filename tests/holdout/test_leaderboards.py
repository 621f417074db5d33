"""Leaderboards: the Ladder, Thresholdout, attacks on them, and competitions."""

from fractions import Fraction
from functools import partial
from itertools import product
from math import floor

import numpy as np
import pytest
from marks import nightly
from scipy import stats

from errlab import holdout
from errlab_book import leaderboards


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
