"""Leaderboards: the Ladder, Thresholdout, those who climb them, and competitions."""

from fractions import Fraction
from functools import partial
from itertools import product
from math import floor

import numpy as np
import pytest
from scipy import stats

from errlab import holdout
from errlab.holdout.ladder import Board

# ---------------------------------------------------------------- leaderboards


def exact_ladder(losses, step):
    """Blum and Hardt's loop, word for word, in fractions; a list of released scores.

    `losses` are Fractions, `step` one or None.
    """
    best = leader = None
    shown = []
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
        shown.append(best)
    return shown


def random_board(rng, levels=1):
    """Whole numbers in 0..levels, each row near an earlier one, so that ties are frequent."""
    n, k = rng.integers(2, 40), rng.integers(2, 12)
    rows = [rng.integers(0, levels + 1, n)]
    for _ in range(k - 1):
        fresh = rng.integers(0, levels + 1, n)
        rows.append(np.where(rng.random(n) < rng.choice([0.05, 0.2, 0.7]), fresh, rows[-1]))
    return np.array(rows)


@pytest.mark.slow
@pytest.mark.parametrize("levels", [1, 10])
@pytest.mark.parametrize("step", [None, "0.1", "0.05", "0.3", "1/3", "0.07"])
def test_ladder_decides_ties_as_fractions_do(step, levels):
    rng = np.random.default_rng(0)
    exact = None if step is None else Fraction(step)
    for _ in range(800 if levels == 1 else 200):
        whole = random_board(rng, levels)
        rows = [[Fraction(int(v), levels) for v in row] for row in whole]
        expected = [float(score) for score in exact_ladder(rows, exact)]
        board = holdout.ladder(whole / levels, step=None if exact is None else float(exact))
        assert board.released == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("n", [2, 3, 10, 47, 100, 317])
def test_one_case_mended_and_none_broken_is_a_tie_but_two_are_an_improvement(n):
    for errors in range(1, n + 1):
        rows = np.arange(n) < np.array([[errors], [errors - 1], [max(errors - 2, 0)]])
        free = holdout.ladder(rows)
        assert free.released[1] == free.released[0]
        assert free.leader[2] == (2 if errors > 1 else 0)
        fixed = holdout.ladder(rows[:2], step=1 / n) if n > 2 else free
        assert fixed.released[1] == fixed.released[0] == pytest.approx(errors / n, abs=1e-11)


def test_a_step_of_a_tenth_is_not_exceeded_by_a_tenth():
    # 0.2 < 0.3 - 0.1 in floating point: 80 of 640 such ties used to be taken for improvements
    for n in range(10, 81, 10):
        for tenths in range(1, 10):
            errors = np.array([[tenths * n // 10], [(tenths - 1) * n // 10]])
            board = holdout.ladder(np.arange(n) < errors, step=0.1)
            assert board.released.tolist() == [tenths / 10] * 2


def submissions(seed, k=60, n=80):
    rng = np.random.default_rng(seed)
    return (rng.random((k, n)) < np.linspace(0.6, 0.3, k)[:, None]).astype(float)


@pytest.mark.parametrize("step", [None, 0.01, 0.05, 0.2])
@pytest.mark.parametrize("seed", range(6))
def test_the_released_score_falls_with_each_new_leader(seed, step):
    board = holdout.ladder(submissions(seed), step=step)
    assert (np.diff(board.released) <= 1e-12).all()
    changed = np.append(True, np.diff(board.released) < 0)
    assert (board.leader[changed] == np.flatnonzero(changed)).all()
    assert (np.diff(board.leader)[~changed[1:]] == 0).all()


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


@pytest.mark.slow
def test_the_standard_error_of_an_attack_falls_with_the_root_of_its_repeats():
    few, many = (holdout.climb(100, [40], repeats=r, rng=r).standard_error for r in (100, 1600))
    assert few / many == pytest.approx(4, rel=0.35)
    # and one attack differs from the next by about the standard deviation of a mean of 100 losses
    assert many * np.sqrt(1600) == pytest.approx(0.05, rel=0.35)


@pytest.mark.slow
@pytest.mark.parametrize("n", [100, 501])
def test_climbing_gains_what_the_exact_formula_says(n):
    steps = [1, 2, 9, 40, 150]
    attack = holdout.climb(n, steps, repeats=150, rng=5)
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


@pytest.mark.slow
@pytest.mark.parametrize("step", [None, 0.02])
def test_the_ladder_holds_against_the_vote_that_climbs_the_plain_board(step):
    n, steps = 2000, [100, 1000]
    plain = holdout.climb(n, steps, repeats=5, rng=6)
    held = holdout.climb(n, steps, board=partial(holdout.ladder, step=step), repeats=5, rng=6)
    assert plain.shown[-1] > 0.19
    assert held.shown[-1] < 0.04
    assert np.abs(held.gap).max() < 0.03


# ---------------------------------------------------------------- climbing the Ladder


@pytest.mark.slow
@pytest.mark.parametrize("n", [40, 300, 1001])
def test_flips_of_two_climb_the_free_ladder_by_half_a_case_each(n):
    steps = [1, 2, n // 8, n // 4, n // 2]
    attack = holdout.climb_by_flips(n, steps, repeats=200, rng=1)
    assert (np.abs(attack.gap - (np.array(steps) - 1) / (2 * n)) < 4 * attack.standard_error).all()
    assert attack.shown == pytest.approx(attack.gap)  # the board shows it as it is


@pytest.mark.slow
def test_each_round_of_flips_takes_the_square_of_the_error_away():
    n, error = 2000, 0.5
    ends = 1 + n // 2 * np.arange(1, 6)  # all pairs have had their turn
    attack = holdout.climb_by_flips(n, ends, repeats=20, rng=2)
    for gap in attack.gap:
        error -= error**2  # a pair is wrong on both with the square of the error
        assert 0.5 - gap == pytest.approx(error, abs=0.004)


def test_flips_of_two_are_the_loop_written_out():
    rng, n = np.random.default_rng(3), 20
    attack = holdout.climb_by_flips(n, [1, 5, 30], rng=3)
    best = rng.integers(0, 2, n)
    errors = []
    for t in range(30):
        if t % 10 == 1:
            pairs = rng.permutation(n).reshape(10, 2)
        if t > 0:
            pair = pairs[(t - 1) % 10]
            if best[pair].sum() == 2:  # both wrong: 2^2 > 2
                best[pair] = 0
        errors.append(best.mean())
    assert 0.5 - attack.gap == pytest.approx([errors[0], errors[4], errors[29]])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("submissions", "error"),
    [(75, 0.383), (150, 0.264), (300, 0.189)],  # five attacks by another program
)
def test_flips_of_two_at_300_cases(submissions, error):
    attack = holdout.climb_by_flips(300, [submissions], repeats=100, rng=4)
    assert 0.5 - attack.gap[0] == pytest.approx(error, abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("step", [0.01, 0.02, 0.05])
def test_a_fixed_step_is_climbed_by_larger_blocks_the_less_the_larger_it_is(step):
    gaps = {
        block: holdout.climb_by_flips(300, [300], block=block, step=step, repeats=30, rng=5)
        for block in (2, 16, 32, 64)
    }
    assert abs(gaps[2].gap[0]) < 0.02  # two cases never exceed a step of three
    best = max(attack.gap[0] for attack in gaps.values())
    assert best == pytest.approx({0.01: 0.16, 0.02: 0.12, 0.05: 0.06}[step], abs=0.02)


@pytest.mark.slow
def test_the_theorem_holds_for_its_step_and_not_for_the_free_ladder():
    n = k = 10_000
    step = (np.log(k * n) / n) ** (1 / 3)
    bound = holdout.ladder_bound(n, k, step=step)
    free = holdout.climb_by_flips(n, [k], rng=7)
    assert free.shown[0] > bound + 0.1
    for block in (2, 100, 1000, 5000):
        held = holdout.climb_by_flips(n, [100, k], block=block, step=step, rng=7)
        assert (np.abs(held.shown) <= bound).all()
    vote = holdout.climb(1000, [1000], board=partial(holdout.ladder, step=step), rng=7)
    assert abs(vote.shown[0]) <= holdout.ladder_bound(1000, 1000, step=step)


def test_the_bound_of_the_ladder_is_smallest_near_the_step_of_the_theorem():
    written_out = 0.1 + np.sqrt((12 * np.log(4 * 100 / 0.1) + np.log(2 / 0.01)) / 2000)
    assert holdout.ladder_bound(1000, 100, step=0.1, delta=0.01) == pytest.approx(written_out)
    n, k = 10**5, 10**4
    steps = np.geomspace(0.005, 0.5, 400)
    best = steps[holdout.ladder_bound(n, k, step=steps).argmin()]
    assert best / (np.log(k * n) / n) ** (1 / 3) == pytest.approx(0.5, rel=0.15)
    # n times larger by 8, up to the logarithm: half the bound, the rate n^(-1/3)
    least = [holdout.ladder_bound(m, k, step=steps).min() for m in (n, 8 * n)]
    assert least[0] / least[1] == pytest.approx(2, rel=0.05)


@pytest.mark.parametrize(("k", "step"), [(1, 0.5), (3, 0.5), (3, 0.25), (3, 0.1)])
def test_courses_of_a_ladder_are_as_few_as_the_bound_counts(k, step):
    # whatever the errors on ten cases, as the sequences of scores that the board can release
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
    first, last = np.transpose(runs)
    assert np.abs(first - 0.5).mean() == pytest.approx(0.01, rel=0.06)  # Lap(0.01)
    assert np.abs(last - 0.1).mean() == pytest.approx(0.01, rel=0.06)
    # no gain at all: led where Lap(4 s) + Lap(1 s) + Lap(2 s) exceed the step
    again = [holdout.ladder(rows[[0, 0]], step=0.1, noise=0.02, rng=seed) for seed in range(4000)]
    rng = np.random.default_rng(8)
    luck = rng.laplace(0, 0.02 * np.array([4, 2, 1]), (400_000, 3)).sum(axis=1)
    share = np.mean([board.leader[1] == 1 for board in again])
    assert share == pytest.approx((luck > 0.1).mean(), abs=0.02)


def written_out(n, d, kept, rng):
    """The analysis of Dwork et al. on all the numbers: accuracies on the three sets."""
    y = rng.choice([-1.0, 1.0], (3, n))
    x = rng.standard_normal((3, n, d))
    train, held, _ = ((y[s] @ x[s]) / n for s in range(3))
    able = [
        j
        for j in range(d)
        if train[j] * held[j] > 0 and min(abs(train[j]), abs(held[j])) >= 1 / np.sqrt(n)
    ]
    able.sort(key=lambda j: -abs(train[j]))
    best = able[:kept]
    return [((x[s][:, best] @ np.sign(train[best]) > 0) == (y[s] > 0)).mean() for s in range(3)]


@pytest.mark.slow
@pytest.mark.parametrize(("n", "d", "kept"), [(30, 20, 2), (4, 100, 9), (9, 3, 5)])
def test_reuse_has_the_law_of_the_analysis_written_out(n, d, kept):
    rng = np.random.default_rng(9)
    whole = np.array([written_out(n, d, kept, rng) for _ in range(4000)])
    runs = [holdout.reuse_holdout(n, d, [kept], rng=rng) for _ in range(4000)]
    found = np.array([[run.train[0], run.holdout[0], run.fresh[0]] for run in runs])
    error = np.sqrt((whole.var(axis=0) + found.var(axis=0)) / 4000)
    assert (np.abs(whole.mean(axis=0) - found.mean(axis=0)) < 3.5 * error).all()
    assert found.std(axis=0) == pytest.approx(whole.std(axis=0), rel=0.06)
    together = [np.corrcoef(a[:, 0], a[:, 1])[0, 1] for a in (whole, found)]
    assert together[0] == pytest.approx(together[1], abs=0.07)


# ---------------------------------------------------------------- Thresholdout


@pytest.mark.slow
def test_thresholdout_holds_where_plain_climbing_works():
    n = 2000
    rng = np.random.default_rng(7)

    def guarded(losses):  # random guesses err on half the training cases too
        train = rng.binomial(n, 0.5, len(losses)) / n
        answers = holdout.thresholdout(train, losses.mean(axis=1), threshold=0.1, rng=rng).values
        return Board(answers, np.zeros(len(answers), dtype=int))

    held = holdout.climb(n, [1000], board=guarded, repeats=4, rng=8)
    assert abs(held.gap[0]) < 0.03
    assert holdout.climb(n, [1000], repeats=4, rng=8).gap[0] > 0.19


@pytest.mark.slow
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


# ---------------------------------------------------------------- competitions


def test_public_winner_among_guessers_is_as_optimistic_as_the_exact_formula_says():
    guesses = np.random.default_rng(10).integers(0, 2, (200, 600))
    run = holdout.public_private(guesses, public_size=0.25, repeats=200, rng=11)
    expected = holdout.selection_bias([0.5] * 200, 150).optimism
    assert run.optimism == pytest.approx(expected, abs=0.012)
    assert run.private.mean() == pytest.approx(0.5, abs=0.02)


def test_public_private_follows_the_board():
    losses = submissions(12, 30, 90)
    run = holdout.public_private(losses, board=holdout.ladder, public_size=0.5, repeats=3, rng=13)
    order = np.random.default_rng(13).permutation(90)
    board = holdout.ladder(losses[:, order[:45]])
    assert run.winner[0] == board.leader[-1]
    assert run.public[0] == board.released[-1]
    hidden = losses[:, order[45:]].mean(axis=1)
    assert run.private[0] == hidden[board.leader[-1]]
    assert run.place[0] == 1 + sum(error < run.private[0] for error in hidden)
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


# ---------------------------------------------------------------- two honest models

Y, *GUESSES = np.random.default_rng(0).integers(0, 3, (3, 400))
FIRST, SECOND = (np.where(np.arange(400) % 10 < 3, guess, Y) for guess in GUESSES)


def test_two_equal_models_have_nothing_to_climb_with():
    climbed = holdout.mix(Y, FIRST, FIRST, [1, 50, 200], public_size=0.5, rng=1)
    assert np.ptp(climbed.public) == np.ptp(climbed.private) == 0
    both = (climbed.public + climbed.private) / 2
    assert both == pytest.approx((FIRST != Y).mean())


@pytest.mark.parametrize("board", [holdout.latest_score, holdout.ladder])
def test_mix_is_the_loop_written_out(board):
    rng = np.random.default_rng(7)
    climbed = holdout.mix(Y, FIRST, SECOND, [20, 60], board=board, public_size=0.25, rng=7)
    order = rng.permutation(400)
    y, first, second = Y[order], FIRST[order], SECOND[order]
    coins = rng.random((60, 400)) < 0.5
    losses = [np.where(c, first, second)[:100] != y[:100] for c in coins]
    released = board(np.array(losses, dtype=float)).released
    for i, k in enumerate((20, 60)):
        votes = np.zeros(400)
        for coin, score in zip(coins[:k], released[:k], strict=True):
            liked = np.sign(np.median(released[:k]) - score)
            votes += np.where(coin, liked, -liked)
        final = np.where(votes >= 0, first, second) != y
        assert climbed.public[i] == pytest.approx(final[:100].mean())
        assert climbed.private[i] == pytest.approx(final[100:].mean())


@pytest.mark.slow
def test_guessers_climb_as_the_exact_formula_says():
    # two models that always disagree on two classes: each mixture is a coin, as in `climb`
    y = np.random.default_rng(2).integers(0, 2, 2000)
    attack = holdout.mix(y, 0 * y, 0 * y + 1, [400], public_size=0.5, repeats=20, rng=3)
    assert 0.5 - attack.public[0] == pytest.approx(holdout.climb_gap(1000, 400), abs=0.01)
    assert attack.private[0] == pytest.approx(0.5, abs=0.01)


def test_the_ladder_stops_the_mixing():
    plain, held = (
        holdout.mix(Y, FIRST, SECOND, [400], board=board, public_size=0.5, repeats=10, rng=4)
        for board in (holdout.latest_score, holdout.ladder)
    )
    assert plain.private[0] - plain.public[0] > 0.06
    assert abs(held.private[0] - held.public[0]) < 0.03
    assert plain.private[0] == pytest.approx(held.private[0], abs=0.02)  # nothing real is gained


# ---------------------------------------------------------------- bad input

LOSSES = [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: holdout.public_private(LOSSES, public_size=0.1), ValueError, "public_size must"),
        (lambda: holdout.climb(10, [5, 5]), ValueError, "submissions must rise"),
        (lambda: holdout.ladder(LOSSES, noise=0.1), ValueError, "noise needs a step"),
        (lambda: holdout.climb_by_flips(10, [5, 5]), ValueError, "submissions must rise"),
        (lambda: holdout.climb_by_flips(10, [5], noise=0.1), ValueError, "noise needs a step"),
        (lambda: holdout.mix(Y, FIRST, SECOND, [5, 5]), ValueError, "submissions must rise"),
    ],
)
def test_bad_input_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_a_score_without_a_step_is_rounded_to_whole_cases_at_the_half():
    assert holdout.ladder([[1, 1, 1, 0.497]]).released.tolist() == [0.75]
    assert holdout.ladder([[1, 1, 1, 0.5]]).released.tolist() == [1.0]
