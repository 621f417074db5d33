"""Thresholdout, which guards any question put to a holdout set, and what reuse does without it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab._core import checks
from errlab._core.checks import FloatArray, IntArray, Seed
from errlab._core.public import public


class Answers(NamedTuple):
    """The answers of Thresholdout, up to the one that spent the budget.

    `from_holdout` tells which answers used the holdout set, `budget` how many such answers are
    left; queries after the budget is spent get no answer.
    """

    values: FloatArray
    from_holdout: NDArray[np.bool_]
    budget: int


class Reuse(NamedTuple):
    """Accuracy of the classifiers of `reuse_holdout`, one for each number of variables kept."""

    kept: IntArray
    train: FloatArray
    holdout: FloatArray
    reported: FloatArray
    fresh: FloatArray


@public
def thresholdout(
    train: ArrayLike,
    holdout: ArrayLike,
    *,
    threshold: float = 0.04,
    noise: float = 0.01,
    budget: int | None = None,
    rng: Seed = 0,
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
    rng : seed, Generator or None
        Draws the noise; the same in each call by default. None before analysts who could know it.

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
    first = checks.numbers(train, "train", ndim=1)
    second = checks.numbers(holdout, "holdout", ndim=1)
    q = checks.same_length(train=first, holdout=second)
    base = float(checks.within(threshold, "threshold", 0, ndim=0))
    sigma = float(checks.within(noise, "noise", 0, ndim=0))
    left = q if budget is None else checks.one_count(budget, "budget")
    generator = checks.generator(rng)
    cut = base + generator.laplace(0, 2 * sigma)
    eta, xi, gamma = generator.laplace(0, np.outer([4 * sigma, sigma, 2 * sigma], np.ones(q)))
    values = first.copy()
    used = np.zeros(q, dtype=bool)
    for i in range(q):
        if left == 0:
            return Answers(values[:i], used[:i], 0)
        # Only an answer that the training set gets wrong costs budget, and draws a new cut.
        if abs(second[i] - first[i]) > cut + eta[i]:
            values[i] = second[i] + xi[i]
            used[i] = True
            cut = base + gamma[i]
            left = left - 1
    return Answers(values, used, left)


@public
def reuse_holdout(
    n: int,
    variables: int,
    kept: ArrayLike,
    *,
    threshold: float | None = None,
    noise: float = 0.01,
    rng: Seed = 0,
) -> Reuse:
    r"""Select variables on training and holdout set where there is nothing to find.

    Labels are coins, variables independent standard normals. The analyst keeps the variables
    whose correlation with the label has the same sign on both sets and exceeds
    :math:`1/\sqrt n` on both, takes the strongest k on the training set, and classifies by the
    sign of their signed sum. Accuracy on fresh data is 1/2.

    The product of label and variable is standard normal, its mean over the cases is the
    correlation, and what each case is above the mean does not depend on it. So the correlations
    are drawn first, and cases for the kept variables only.

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
    rng : seed, Generator or None
        Random generator or seed; the same in each call by default.

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
    (array([0.65]), array([0.51]))
    """
    size = checks.one_count(n, "n", 2)
    d = checks.one_count(variables, "variables")
    numbers = checks.count(kept, "kept", ndim=1)
    generator = checks.generator(rng)
    train, holdout = generator.standard_normal((2, d)) / np.sqrt(size)
    checks.within(noise, "noise", 0, ndim=0)

    def told(train: FloatArray, holdout: FloatArray) -> FloatArray:
        if threshold is None:
            return holdout
        answers = thresholdout(train, holdout, threshold=threshold, noise=noise, rng=generator)
        return answers.values

    seen = told(train, holdout)
    least = np.minimum(np.abs(train), np.abs(seen))
    strong = np.flatnonzero((train * seen > 0) & (least >= size**-0.5))
    best = strong[np.argsort(-np.abs(train[strong]))][: numbers.max()]
    y = generator.choice([-1.0, 1.0], (3, size))  # training, holdout, fresh
    # y times x of the kept variables, data sets x cases x variables, given their means on the
    # first two sets, which were drawn above: the other variables are never drawn.
    yx = generator.standard_normal((3, size, len(best)))
    yx[:2] += np.stack([train, holdout])[:, None, best] - yx[:2].mean(axis=1, keepdims=True)
    accuracy = np.empty((3, len(numbers)))
    for i, k in enumerate(numbers):
        score = y * (yx[:, :, :k] @ np.sign(train[best[:k]]))
        accuracy[:, i] = ((score > 0) == (y > 0)).mean(axis=1)
    known, reused, fresh = accuracy
    return Reuse(numbers, known, reused, told(known, reused), fresh)
