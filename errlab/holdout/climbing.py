"""Climbing a leaderboard without learning anything.

`climb` lets random submissions vote, `climb_by_flips` turns a few predictions and sees whether the
board moves, which works on the Ladder too, `mix` mixes two honest models until the board likes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy import special

from errlab._core import checks
from errlab._core.checks import FloatArray, FloatOrArray, IntArray
from errlab._core.public import public
from errlab.holdout.ladder import Board, RunningLadder, latest_score, public_cases

__all__ = ["Climb", "Mixture", "climb", "climb_by_flips", "climb_gap", "mix"]


class Climb(NamedTuple):
    """How far a climber gets who knows nothing, after each number of submissions.

    Attributes
    ----------
    submissions : ndarray of int, shape (c,)
        Numbers of submissions.
    gap : ndarray, shape (c,)
        1/2, the true error of any guess, minus the climber's error on the test set.
    shown : ndarray, shape (c,)
        1/2 minus the score that the board has released by then, that of the climber's final
        submission included.
    standard_error : ndarray, shape (c,)
        Of `gap`, over the repetitions; 0 for a single one.
    """

    submissions: IntArray
    gap: FloatArray
    shown: FloatArray
    standard_error: FloatArray


class Mixture(NamedTuple):
    """Error of the mixture that `mix` ends with, after each number of submissions.

    Attributes
    ----------
    submissions : ndarray of int, shape (c,)
        Numbers of submissions.
    public, private : ndarray, shape (c,)
        The final mixture's error on the public and on the private cases.
    shown : ndarray, shape (c,)
        The score that the board releases once the final mixture is submitted too.
    """

    submissions: IntArray
    public: FloatArray
    private: FloatArray
    shown: FloatArray


@public
def climb(
    n: int,
    submissions: ArrayLike,
    *,
    board: Callable[[FloatArray], Board] = latest_score,
    repeats: int = 1,
    rng: np.random.Generator | int | None = None,
) -> Climb:
    r"""Climb a leaderboard with random submissions and a majority vote.

    Each submission guesses every binary label by a coin. Where the board shows an error above
    1/2 the guesses are turned round. The majority of k such submissions is right on the test
    set more often than not, by about :math:`\sqrt{k/n}/\pi` (see `climb_gap`), and knows
    nothing.

    Parameters
    ----------
    n : int
        Number of test cases, at least 2.
    submissions : array_like of int, shape (c,)
        Numbers of submissions after which to look, rising, at least 1.
    board : callable
        The leaderboard: losses of shape (k, n) to a `Board`. What it has released so far may
        not depend on later submissions.
    repeats : int
        Number of attacks to average, at least 1.
    rng : Generator, int or None
        Random generator or seed.

    Returns
    -------
    Climb
        ``(submissions, gap, shown, standard_error)``.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range, or `submissions` does not rise.

    References
    ----------
    Blum and Hardt, The Ladder, ICML 2015, the boosting attack; here every submission is used.

    Examples
    --------
    >>> attack = climb(1000, [1, 100, 900], repeats=5, rng=0)
    >>> attack.gap.round(2)
    array([0.01, 0.09, 0.27])
    """
    size = checks.one_count(n, "n", 2)
    steps = _rising(submissions)
    count = checks.one_count(repeats, "repeats")
    generator = checks.generator(rng)
    checks.function(board, "board")
    return _averaged(steps, [_one_climb(size, steps, board, generator) for _ in range(count)])


def _one_climb(
    n: int, steps: IntArray, board: Callable[[FloatArray], Board], generator: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Return how far below 1/2 the vote's error is, and the one shown, at each of the steps."""
    # The true labels do not matter: a coin's loss is a coin, whatever the label.
    losses = generator.integers(0, 2, (steps[-1], n), dtype=np.int8)
    released = board(losses.astype(float)).released
    turned = losses ^ (released > 0.5).astype(np.int8)[:, None]
    wrong = np.cumsum(
        np.add.reduceat(turned, np.append(0, steps[:-1]), axis=0, dtype=np.int64), axis=0
    )
    majority = (1 + np.sign(2 * wrong - steps[:, None])) / 2  # a tie is half an error
    shown = [
        board(np.vstack([losses[:k], vote])).released[-1]
        for k, vote in zip(steps, majority, strict=True)
    ]
    return 0.5 - majority.mean(axis=1), 0.5 - np.array(shown)


@public
def climb_gap(n: ArrayLike, submissions: ArrayLike) -> FloatOrArray:
    r"""Exact expected gap of `climb` on a plain leaderboard.

    Turned round where needed, a submission is right on a given case with probability
    :math:`q = 1/2 + E|S_n|/(2n)`, :math:`S_n` the sum of n signs; the submissions are
    independent, so that the majority is right with a binomial probability. For many cases and
    submissions

    .. math:: \Phi\!\left(\sqrt{\frac{2k}{\pi n}}\right) - \frac12
              \approx \frac1\pi \sqrt{\frac kn}.

    Parameters
    ----------
    n : int or array_like
        Number of test cases, at least 1.
    submissions : int or array_like
        Number k of submissions, at least 1.

    Returns
    -------
    float or ndarray
        The expected gap between the true error, 1/2, and the test error.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range or the shapes do not broadcast.

    Examples
    --------
    >>> round(climb_gap(1000, 100), 4)
    0.0993
    >>> round(float(np.sqrt(100 / 1000) / np.pi), 4)
    0.1007
    """
    size, k = checks.same_shape(
        n=checks.count(n), submissions=checks.count(submissions, "submissions")
    )
    # E|S_n| = h C(n, h) / 2^(n-1) with h = ceil(n/2), in logarithms.
    half = (size + 1) // 2
    log_choose = special.gammaln(size + 1) - special.gammaln(half + 1)
    log_choose = log_choose - special.gammaln(size - half + 1)
    mean_sum = np.exp((1 - size) * np.log(2) + np.log(half) + log_choose)  # E|S_n|
    law = scipy.stats.binom(k, 0.5 + mean_sum / (2 * size))
    tie = np.where(k % 2 == 0, law.pmf(k // 2), 0.0)
    return checks.plain(law.sf(k // 2) + tie / 2 - 0.5)


@public
def climb_by_flips(
    n: int,
    submissions: ArrayLike,
    *,
    block: int = 2,
    step: float | None = None,
    noise: float = 0.0,
    repeats: int = 1,
    rng: np.random.Generator | int | None = None,
) -> Climb:
    r"""Climb the Ladder by turning a few predictions round and watching whether it moves.

    The first submission guesses every binary label by a coin. Each further one turns the best
    submission's predictions round on the next `block` cases, in a random order that is drawn anew
    once all cases have had their turn. Where the board releases a new score, the turn is kept;
    otherwise it is taken back. No other answer is used.

    The parameter-free Ladder takes two mended cases for an improvement, always, as
    :math:`(2 - 0)^2 > 2 + 0`. One pair in four is wrong on both cases, and each submission tries
    one pair: until all have had their turn, k submissions gain :math:`(k - 1)/(2n)` on average,
    as much as on a board that shows every score. A fixed step wants larger blocks.

    Parameters
    ----------
    n : int
        Number of test cases, at least 2.
    submissions : array_like of int, shape (c,)
        Numbers of submissions after which to look, rising, at least 1.
    block : int
        How many predictions a submission turns round, in 1..n.
    step, noise : float, optional
        Of the Ladder, see `errlab.holdout.ladder`.
    repeats : int
        Number of attacks to average, at least 1.
    rng : Generator, int or None
        Random generator or seed.

    Returns
    -------
    Climb
        ``(submissions, gap, shown, standard_error)``.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range, or `submissions` does not rise.

    Examples
    --------
    >>> climb_by_flips(300, [1, 75, 150, 300], repeats=30, rng=0).gap.round(2)
    array([0.01, 0.12, 0.25, 0.31])
    """
    size = checks.one_count(n, "n", 2)
    steps = _rising(submissions)
    each = checks.one_count(block, "block")
    if each > size:
        raise ValueError(f"block must be at most n = {size}, got {each}")
    count = checks.one_count(repeats, "repeats")
    generator = checks.generator(rng)
    attacks = []
    for _ in range(count):
        board = RunningLadder(step=step, noise=noise, rng=generator)
        attacks.append(_one_climb_by_flips(size, steps, each, board, generator))
    return _averaged(steps, attacks)


def _one_climb_by_flips(
    n: int, steps: IntArray, block: int, board: RunningLadder, generator: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Return how far below 1/2 the best's error is, and the one shown, at each of the steps."""
    best = generator.integers(0, 2, n).astype(float)  # losses of the best so far
    board.submit(best)
    turns = n // block
    error, shown = np.empty((2, steps[-1]))
    error[0], shown[0] = best.mean(), board.shown
    for t in range(1, steps[-1]):
        turn = (t - 1) % turns
        if turn == 0:  # each case has one turn until all have had theirs
            order = generator.permutation(n)[: turns * block].reshape(turns, block)
        tried = best.copy()
        tried[order[turn]] = 1 - tried[order[turn]]
        if board.submit(tried):
            best = tried
        error[t], shown[t] = best.mean(), board.shown
    return 0.5 - error[steps - 1], 0.5 - shown[steps - 1]


def _rising(submissions: ArrayLike) -> IntArray:
    steps = checks.count(submissions, "submissions", ndim=1)
    if (np.diff(steps) <= 0).any():
        raise ValueError(f"submissions must rise, got {steps.tolist()}")
    return steps


def _averaged(steps: IntArray, attacks: list[tuple[FloatArray, FloatArray]]) -> Climb:
    gap, shown = np.swapaxes(attacks, 0, 1)
    count = len(gap)
    error = gap.std(axis=0, ddof=1) / np.sqrt(count) if count > 1 else np.zeros(len(steps))
    return Climb(steps, gap.mean(axis=0), shown.mean(axis=0), error)


@public
def mix(
    y: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    submissions: ArrayLike,
    *,
    board: Callable[[FloatArray], Board] = latest_score,
    public_size: float = 0.3,
    repeats: int = 1,
    rng: np.random.Generator | int | None = None,
) -> Mixture:
    """Mix two models at random, case by case, and follow the mixtures that the board likes.

    Each submission takes every prediction from one of the two models, by a coin. A submission
    with a released score better than the median votes for its coins, a worse one against them;
    the final mixture takes on each case the model that the vote prefers. The models never see a
    label, so that nothing is learnt: the private error stays between theirs.

    Parameters
    ----------
    y : array_like, shape (n,)
        True labels of the test cases.
    first, second : array_like, shape (n,)
        Labels that the two models predict.
    submissions : array_like of int, shape (c,)
        Numbers of submissions after which to look, rising, at least 1.
    board : callable
        The public leaderboard: losses of shape (k, m) to a `Board`. What it has released so far
        may not depend on later submissions.
    public_size : float
        Share of the cases that the public leaderboard uses, in (0, 1).
    repeats : int
        Number of random splits and attacks to average, at least 1.
    rng : Generator, int or None
        Random generator or seed.

    Returns
    -------
    Mixture
        ``(submissions, public, private, shown)``.

    Raises
    ------
    ValueError, TypeError
        If the lengths or kinds of label differ, `submissions` does not rise, one part of the split
        would be empty, or another argument leaves its range.

    References
    ----------
    Blum and Hardt, The Ladder, ICML 2015: the boosting attack, here between two real models.

    Examples
    --------
    >>> labels = np.random.default_rng(0).integers(0, 2, (3, 1000))
    >>> climbed = mix(*labels, [800], rng=0)
    >>> climbed.public.round(2), climbed.private.round(2)
    (array([0.23]), array([0.51]))
    """
    truth, *choices = checks.same_labels(y=y, first=first, second=second)
    n = len(truth)
    steps = _rising(submissions)
    size = public_cases(public_size, n)
    count = checks.one_count(repeats, "repeats")
    generator = checks.generator(rng)
    wrong = np.array([choice != truth for choice in choices])
    checks.function(board, "board")
    results = [_one_mixing(wrong, size, steps, board, generator) for _ in range(count)]
    return Mixture(steps, *np.mean(results, axis=0))


def _one_mixing(
    wrong: NDArray[np.bool_],
    size: int,
    steps: IntArray,
    board: Callable[[FloatArray], Board],
    generator: np.random.Generator,
) -> FloatArray:
    """Return the mixture's error on the first cases, on the others, and the one shown."""
    n = wrong.shape[1]
    order = generator.permutation(n)
    one, two = wrong[:, order]
    coins = generator.random((steps[-1], n)) < 0.5
    losses = np.where(coins, one, two)[:, :size].astype(float)
    released = board(losses).released
    results = np.empty((3, len(steps)))
    for i, k in enumerate(steps):
        # A submission better than the median votes for its coins, a worse one against them.
        taste = np.sign(np.median(released[:k]) - released[:k])
        final = np.where(taste @ (2.0 * coins[:k] - 1) >= 0, one, two).astype(float)
        shown = board(np.vstack([losses[:k], final[:size]])).released[-1]
        results[:, i] = final[:size].mean(), final[size:].mean(), shown
    return results
