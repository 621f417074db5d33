"""Competitions: public and private leaderboard, and labels with noise."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, FloatOrArray, IntArray, Labels
from errlab._core.public import public
from errlab.holdout.ladder import Board, latest_score, public_cases

__all__ = ["PublicPrivate", "noisy_labels", "noisy_risk", "public_private"]


class PublicPrivate(NamedTuple):
    """The winner of the public leaderboard, once for each random split of the test cases.

    Attributes
    ----------
    winner : ndarray of int, shape (r,)
        Which submission leads at the end.
    public, private : ndarray, shape (r,)
        The winner's error as released, and on the private cases.
    place : ndarray of int, shape (r,)
        The winner's place on the private cases: 1 where no submission has a smaller error there.
    optimism : float
        Mean of ``private - public``.
    standard_error : float
        Of the optimism, over the splits; they share their cases, so that it measures the
        randomness of the splitting only.
    """

    winner: IntArray
    public: FloatArray
    private: FloatArray
    place: IntArray
    optimism: float
    standard_error: float


@public
def public_private(
    losses: ArrayLike,
    *,
    board: Callable[[FloatArray], Board] = latest_score,
    public_size: float = 0.3,
    repeats: int = 1,
    rng: np.random.Generator | int | None = None,
) -> PublicPrivate:
    """Run a competition: submissions climb the public part, the private part tells the truth.

    Parameters
    ----------
    losses : array_like, shape (k, n)
        Losses in [0, 1] of each submission on each test case, in the order of submission.
    board : callable
        The public leaderboard: losses of shape (k, m) to a `Board`.
    public_size : float
        Share of the cases that the public leaderboard uses, in (0, 1).
    repeats : int
        Number of random splits, at least 1.
    rng : Generator, int or None
        Random generator or seed.

    Returns
    -------
    PublicPrivate
        The winner of each split, its released and its private error, its place on the private
        cases, and the mean optimism.

    Raises
    ------
    ValueError, TypeError
        If `losses` is not a matrix of losses, or one part of the split would be empty.

    Examples
    --------
    >>> guesses = np.random.default_rng(0).integers(0, 2, (200, 500))  # all err half the time
    >>> round(public_private(guesses, repeats=20, rng=1).optimism, 3)
    0.118
    """
    array = checks.losses(losses, ndim=2)
    n = array.shape[1]
    size = public_cases(public_size, n)
    count = checks.one_count(repeats, "repeats")
    generator = checks.generator(rng)
    checks.function(board, "board")
    winner, place = np.empty((2, count), dtype=np.int64)
    shown, private = np.empty((2, count))
    for r in range(count):
        order = generator.permutation(n)
        result = board(array[:, order[:size]])
        winner[r] = result.leader[-1]
        shown[r] = result.released[winner[r]]
        hidden = array[:, order[size:]].mean(axis=1)
        private[r] = hidden[winner[r]]
        place[r] = 1 + np.count_nonzero(hidden < private[r])
    gap = private - shown
    error = float(gap.std(ddof=1) / np.sqrt(count)) if count > 1 else 0.0
    return PublicPrivate(winner, shown, private, place, float(gap.mean()), error)


@public
def noisy_risk(error: ArrayLike, label_noise: ArrayLike, *, classes: int = 2) -> FloatOrArray:
    r"""Error after a share of the test labels is replaced by random ones.

    .. math:: R' = (1 - \nu) R + \nu (C - 1)/C

    It rises with R, so that the ranking of models stays, in expectation; the gaps between them
    shrink by :math:`1 - \nu`.

    Parameters
    ----------
    error : float or array_like
        The true error with clean labels, in [0, 1].
    label_noise : float or array_like
        Share :math:`\nu` of the labels that are replaced, in [0, 1].
    classes : int
        Number C of equally likely random labels, at least 2.

    Returns
    -------
    float or ndarray
        The error with noisy labels.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    Examples
    --------
    >>> noisy_risk([0.1, 0.2], 0.5)
    array([0.3 , 0.35])
    """
    clean, share = checks.same_shape(
        error=checks.mean(error, "error"), label_noise=checks.mean(label_noise, "label_noise")
    )
    c = checks.one_count(classes, "classes", 2)
    return checks.plain((1 - share) * clean + share * (c - 1) / c)


@public
def noisy_labels(
    y: ArrayLike, label_noise: float, *, rng: np.random.Generator | int | None = None
) -> Labels:
    """Replace each label, with probability `label_noise`, by a random one of those that occur.

    Parameters
    ----------
    y : array_like, shape (n,)
        Labels of any type.
    label_noise : float
        Probability of a replacement, in [0, 1]; the random label may be the old one.
    rng : Generator, int or None
        Random generator or seed.

    Returns
    -------
    ndarray, shape (n,)
        The noisy labels.

    Raises
    ------
    ValueError, TypeError
        If a label is missing or `label_noise` leaves [0, 1].

    Examples
    --------
    >>> noisy_labels([0, 1, 0, 1], 0.0)
    array([0, 1, 0, 1])
    """
    labels = checks.labels(y)
    share = checks.one_mean(label_noise, "label_noise")
    generator = checks.generator(rng)
    random = generator.choice(np.unique(labels), len(labels))
    return np.where(generator.random(len(labels)) < share, random, labels)
