"""Leaderboards: what they show after each submission, and two that withstand climbing.

A board is a function from the losses of all submissions, shape (k, n), to a `Board`: `latest_score`
shows every score, `ladder` only those that really improve. `thresholdout` guards any statistic,
not only the best score.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab import _checks
from errlab._checks import FloatArray, IntArray

__all__ = [
    "Answers",
    "Board",
    "ladder",
    "latest_score",
    "thresholdout",
]


class Board(NamedTuple):
    """The score released after each submission, and which submission leads then."""

    released: FloatArray
    leader: IntArray


class Answers(NamedTuple):
    """The answers of Thresholdout, up to the one that spent the budget.

    `from_holdout` tells which answers used the holdout set, `budget` how many such answers are
    left; queries after the budget is spent get no answer.
    """

    values: FloatArray
    from_holdout: NDArray[np.bool_]
    budget: int


def latest_score(losses: ArrayLike) -> Board:
    """Plain leaderboard: release every submission's mean loss; the smallest so far leads.

    Parameters
    ----------
    losses : array_like, shape (k, n)
        Losses in [0, 1] of each submission on each test case, in the order of submission.

    Returns
    -------
    Board
        ``(released, leader)``, each of shape (k,).

    Raises
    ------
    ValueError, TypeError
        If `losses` is not a matrix of losses.

    Examples
    --------
    >>> latest_score([[1, 0, 1], [0, 0, 1], [1, 1, 1]]).leader
    array([0, 1, 1])
    """
    scores = _checks.losses(losses, ndim=2).mean(axis=1)
    better = np.append(True, scores[1:] < np.minimum.accumulate(scores)[:-1])
    return Board(scores, np.maximum.accumulate(np.where(better, np.arange(len(scores)), 0)))


def ladder(losses: ArrayLike, *, step: float | None = None) -> Board:
    r"""Ladder of Blum and Hardt: release a score only where it improves by more than luck.

    A submission takes the lead where :math:`R_S(f_t) < R_{t-1} - \eta`; then :math:`R_t` is its
    mean loss, rounded to a multiple of :math:`\eta`. Otherwise the board shows :math:`R_{t-1}`
    again. Without `step`, the parameter-free Ladder takes :math:`\eta = s/\sqrt n` afresh each
    time, with s the standard deviation of the differences to the leader's losses, and rounds to
    a multiple of 1/n.

    Parameters
    ----------
    losses : array_like, shape (k, n)
        Losses in [0, 1] of each submission on each test case, in the order of submission.
    step : float, optional
        The step :math:`\eta`, in (0, 1); None for the parameter-free Ladder.

    Returns
    -------
    Board
        ``(released, leader)``, each of shape (k,).

    Raises
    ------
    ValueError, TypeError
        If `losses` is not a matrix of losses or `step` leaves (0, 1).

    References
    ----------
    Blum and Hardt, The Ladder: a reliable leaderboard for machine learning competitions, ICML
    2015. The standard deviation has 1/(n-1), as in the authors' own program.

    Examples
    --------
    >>> ladder([[1, 1, 1, 1, 0], [1, 1, 1, 0, 0], [0, 0, 0, 0, 1]], step=0.4).released
    array([0.8, 0.8, 0. ])
    """
    array = _checks.losses(losses, ndim=2)
    n = array.shape[1]
    if step is None and n < 2:
        raise ValueError(f"losses must have at least 2 cases without a step, got {n}")
    eta = None if step is None else _checks.one_delta(step, "step")
    scores = array.mean(axis=1)
    grid = 1 / n if eta is None else eta
    released, leader = np.empty(len(scores)), np.empty(len(scores), dtype=np.int64)
    best, first = np.inf, 0
    for t, score in enumerate(scores):
        margin = eta
        if margin is None:  # the test is needed only for a score that would lead
            climbs = score < best
            margin = (array[t] - array[first]).std(ddof=1) / np.sqrt(n) if climbs else 0.0
        if score < best - margin:
            best, first = np.rint(score / grid) * grid, t
        released[t], leader[t] = best, first
    return Board(released, leader)


def thresholdout(
    train: ArrayLike,
    holdout: ArrayLike,
    *,
    threshold: float = 0.04,
    noise: float = 0.01,
    budget: int | None = None,
    rng: np.random.Generator | int | None = None,
) -> Answers:
    r"""Thresholdout of Dwork et al.: answer from the training set as long as it is right.

    For each query, the training value is the answer unless it differs from the holdout value by
    more than :math:`\hat T + \mathrm{Lap}(4\sigma)`. Then the answer is the holdout value plus
    :math:`\mathrm{Lap}(\sigma)`, the budget falls by one, and :math:`\hat T = T +
    \mathrm{Lap}(2\sigma)` is drawn anew.

    Parameters
    ----------
    train, holdout : array_like, shape (q,)
        The value of each query, such as an accuracy, on the training and on the holdout set.
    threshold : float
        The threshold T, at least 0.
    noise : float
        The noise rate :math:`\sigma`, at least 0.
    budget : int, optional
        How many answers may use the holdout set, at least 1; without it, all.
    rng : Generator, int or None
        Random generator or seed.

    Returns
    -------
    Answers
        ``(values, from_holdout, budget)``. The arrays end with the answer that spends the
        budget; `budget` is what is left, and the number of queries left where none was given.

    Raises
    ------
    ValueError, TypeError
        If the lengths differ or an argument leaves its range.

    References
    ----------
    Dwork, Feldman, Hardt, Pitassi, Reingold and Roth, Generalization in adaptive data analysis
    and holdout reuse, NIPS 2015.

    Examples
    --------
    >>> thresholdout([0.9, 0.8], [0.6, 0.79], noise=0.0).values
    array([0.6, 0.8])
    """
    first = _checks.numbers(train, "train", ndim=1)
    second = _checks.numbers(holdout, "holdout", ndim=1)
    q = _checks.same_length(train=first, holdout=second)
    base = float(_checks.within(threshold, "threshold", 0, ndim=0))
    sigma = float(_checks.within(noise, "noise", 0, ndim=0))
    left = q if budget is None else _checks.one_count(budget, "budget")
    generator = _checks.generator(rng)
    cut = base + generator.laplace(0, 2 * sigma)
    eta, xi, gamma = generator.laplace(0, np.outer([4 * sigma, sigma, 2 * sigma], np.ones(q)))
    values, used = first.copy(), np.zeros(q, dtype=bool)
    for i in range(q):
        if left == 0:
            return Answers(values[:i], used[:i], 0)
        if abs(second[i] - first[i]) > cut + eta[i]:
            values[i], used[i] = second[i] + xi[i], True
            cut, left = base + gamma[i], left - 1
    return Answers(values, used, left)
