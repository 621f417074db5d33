"""Climbing a leaderboard without learning anything, and reusing a holdout set without care."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats

from errlab import _checks
from errlab._checks import FloatArray, IntArray
from errlab.holdout.leaderboard import Board, latest_score, thresholdout

__all__ = ["Climb", "Reuse", "climb", "climb_gap", "reuse_holdout"]


class Climb(NamedTuple):
    """How far a majority of random submissions gets, after each number of submissions.

    Attributes
    ----------
    submissions : ndarray of int, shape (c,)
        Numbers of submissions.
    gap : ndarray, shape (c,)
        1/2, the true error of any random guess, minus the majority's error on the test set.
    shown : ndarray, shape (c,)
        1/2 minus the score that the board releases once the majority is submitted too.
    standard_error : ndarray, shape (c,)
        Of `gap`, over the repetitions; 0 for a single one.
    """

    submissions: IntArray
    gap: FloatArray
    shown: FloatArray
    standard_error: FloatArray


class Reuse(NamedTuple):
    """Accuracy of the classifiers of `reuse_holdout`, one for each number of variables kept."""

    kept: IntArray
    train: FloatArray
    holdout: FloatArray
    reported: FloatArray
    fresh: FloatArray


def climb(
    n: int,
    submissions: ArrayLike,
    *,
    board: Callable[[FloatArray], Board] = latest_score,
    repetitions: int = 1,
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
    repetitions : int
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
    >>> attack = climb(1000, [1, 100, 900], repetitions=5, rng=0)
    >>> attack.gap.round(2)
    array([0.01, 0.09, 0.27])
    """
    size = _checks.one_count(n, "n", 2)
    steps = _checks.count(submissions, "submissions", ndim=1)
    if (np.diff(steps) <= 0).any():
        raise ValueError(f"submissions must rise, got {steps.tolist()}")
    count = _checks.one_count(repetitions, "repetitions")
    generator = _checks.generator(rng)
    gap, shown = np.empty((count, len(steps))), np.empty((count, len(steps)))
    for r in range(count):
        gap[r], shown[r] = _one_climb(size, steps, board, generator)
    error = gap.std(axis=0, ddof=1) / np.sqrt(count) if count > 1 else np.zeros(len(steps))
    return Climb(steps, gap.mean(axis=0), shown.mean(axis=0), error)


def _one_climb(
    n: int, steps: IntArray, board: Callable[[FloatArray], Board], generator: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
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


def climb_gap(n: ArrayLike, submissions: ArrayLike) -> Any:
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
    size, k = _checks.same_shape(
        n=_checks.count(n), submissions=_checks.count(submissions, "submissions")
    )
    half = (size + 1) // 2
    log_choose = special.gammaln(size + 1) - special.gammaln(half + 1)
    log_choose = log_choose - special.gammaln(size - half + 1)
    mean_sum = np.exp((1 - size) * np.log(2) + np.log(half) + log_choose)  # E|S_n|
    law = stats.binom(k, 0.5 + mean_sum / (2 * size))
    tie = np.where(k % 2 == 0, law.pmf(k // 2), 0.0)
    return _checks.plain(law.sf(k // 2) + tie / 2 - 0.5)


def reuse_holdout(
    n: int,
    variables: int,
    kept: ArrayLike,
    *,
    threshold: float | None = None,
    noise: float = 0.01,
    rng: np.random.Generator | int | None = None,
) -> Reuse:
    r"""Select variables on training and holdout set where there is nothing to find.

    Labels are coins, variables independent standard normals. The analyst keeps the variables
    whose correlation with the label has the same sign on both sets and exceeds
    :math:`1/\sqrt n` on both, takes the strongest k on the training set, and classifies by the
    sign of their signed sum. Accuracy on fresh data is 1/2.

    Parameters
    ----------
    n : int
        Number of cases in each of the training, holdout and fresh sets, at least 2.
    variables : int
        Number of variables, at least 1.
    kept : array_like of int, shape (c,)
        Numbers k of variables to keep, at least 1.
    threshold : float, optional
        Ask the holdout set through `thresholdout` with this threshold; without it the analyst
        sees the holdout values themselves.
    noise : float
        Noise rate of `thresholdout`, at least 0.
    rng : Generator, int or None
        Random generator or seed.

    Returns
    -------
    Reuse
        ``(kept, train, holdout, reported, fresh)``: accuracies on each set for each k;
        `reported` is what the holdout set is said to show.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    References
    ----------
    Dwork et al., NIPS 2015, the experiment without signal.

    Examples
    --------
    >>> plain = reuse_holdout(1000, 1000, [100], rng=0)
    >>> plain.reported.round(2), plain.fresh.round(2)
    (array([0.63]), array([0.52]))
    """
    size, d = _checks.one_count(n, "n", 2), _checks.one_count(variables, "variables")
    numbers = _checks.count(kept, "kept", ndim=1)
    generator = _checks.generator(rng)
    y = generator.choice([-1.0, 1.0], (3, size))
    x = generator.standard_normal((3, size, d))  # training, holdout, fresh
    train, holdout, _ = np.einsum("si,sij->sj", y, x) / size
    seen = _ask(train, holdout, threshold, noise, generator)
    weak = (train * seen <= 0) | (np.minimum(np.abs(train), np.abs(seen)) < size**-0.5)
    strength = np.where(weak, -1.0, np.abs(train))
    order = np.argsort(-strength)[: np.count_nonzero(~weak)]
    accuracy = np.empty((3, len(numbers)))
    for i, k in enumerate(numbers):
        best = order[:k]
        score = x[:, :, best] @ np.sign(train[best])
        accuracy[:, i] = ((score > 0) == (y > 0)).mean(axis=1)
    reported = _ask(accuracy[0], accuracy[1], threshold, noise, generator)
    return Reuse(numbers, accuracy[0], accuracy[1], reported, accuracy[2])


def _ask(
    train: FloatArray,
    holdout: FloatArray,
    threshold: float | None,
    noise: float,
    generator: np.random.Generator,
) -> FloatArray:
    if threshold is None:
        return holdout
    return thresholdout(train, holdout, threshold=threshold, noise=noise, rng=generator).values
