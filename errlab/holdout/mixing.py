"""Climbing a leaderboard with two honest models: mix them until the board likes the mixture."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab import _checks
from errlab._checks import FloatArray, IntArray
from errlab.holdout.leaderboard import Board, latest_score

__all__ = ["Mixture", "mix"]


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


def mix(
    y: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    submissions: ArrayLike,
    *,
    board: Callable[[FloatArray], Board] = latest_score,
    public: float = 0.3,
    repetitions: int = 1,
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
    public : float
        Share of the cases that the public leaderboard uses, in (0, 1).
    repetitions : int
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
    truth, *choices = (
        _checks.labels(value, name)
        for name, value in (("y", y), ("first", first), ("second", second))
    )
    n = _checks.same_length(y=truth, first=choices[0], second=choices[1])
    if len({array.dtype.kind in "biuf" for array in (truth, *choices)}) > 1:
        raise TypeError(f"y, first and second must hold labels of one kind, got {truth[0]!r}")
    steps = _checks.count(submissions, "submissions", ndim=1)
    if (np.diff(steps) <= 0).any():
        raise ValueError(f"submissions must rise, got {steps.tolist()}")
    size = round(_checks.one_delta(public, "public") * n)
    if not 0 < size < n:
        raise ValueError(f"public must leave cases on both sides, got {public} of {n} cases")
    count, generator = _checks.one_count(repetitions, "repetitions"), _checks.generator(rng)
    wrong = np.array([choice != truth for choice in choices])
    results = [_one_mixing(wrong, size, steps, board, generator) for _ in range(count)]
    return Mixture(steps, *np.mean(results, axis=0))


def _one_mixing(
    wrong: NDArray[np.bool_],
    size: int,
    steps: IntArray,
    board: Callable[[FloatArray], Board],
    generator: np.random.Generator,
) -> FloatArray:
    n = wrong.shape[1]
    order = generator.permutation(n)
    one, two = wrong[:, order]
    coins = generator.random((steps[-1], n)) < 0.5
    losses = np.where(coins, one, two)[:, :size].astype(float)
    released = board(losses).released
    results = np.empty((3, len(steps)))
    for i, k in enumerate(steps):
        taste = np.sign(np.median(released[:k]) - released[:k])
        final = np.where(taste @ (2.0 * coins[:k] - 1) >= 0, one, two).astype(float)
        shown = board(np.vstack([losses[:k], final[:size]])).released[-1]
        results[:, i] = final[:size].mean(), final[size:].mean(), shown
    return results
