"""Thresholdout, which protects a holdout set against overfitting by repeated questions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab._core import checks, rounding
from errlab._core.checks import FloatArray, Seed
from errlab._core.public import public
from errlab._core.spoken import Spoken


class _Answers(NamedTuple):
    values: FloatArray
    from_holdout: NDArray[np.bool_]
    budget: int


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
    r"""Thresholdout of Dwork et al.: answer from the training set unless the holdout set disagrees.

    For each query, the training value is the answer unless it differs from the holdout value by
    more than :math:`\hat T + \mathrm{Lap}(4\sigma)`. Then the answer is the holdout value plus
    :math:`\mathrm{Lap}(\sigma)`, the budget falls by one, and :math:`\hat T = T +
    \mathrm{Lap}(2\sigma)` is drawn again.

    Parameters
    ----------
    train, holdout : array_like, shape (q,)
        The value of each query, such as an accuracy, on the training and on the holdout set.
    threshold : float
        The threshold T, at least 0.
    noise : float
        The noise rate :math:`\sigma`, at least 0.
    budget : int, optional
        Number of answers that may use the holdout set, at least 1; by default all.
    rng : seed, Generator or None
        Draws the noise; the same in each call by default. Use None if analysts could know the seed.

    Returns
    -------
    Answers
        ``(values, from_holdout, budget)``. The arrays end with the answer that uses up the budget;
        `budget` is the remaining budget, or the number of queries left if there was none.

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
    eta, xi, gamma = generator.laplace(0, sigma, (3, q)) * [[4], [1], [2]]
    gaps = np.abs(second - first)
    used = np.zeros(q, dtype=bool)
    i = 0
    while i < q and left:
        # only an answer from the holdout set uses budget and draws a new threshold
        if gaps[i] > cut + eta[i]:
            used[i] = True
            cut = base + gamma[i]
            left -= 1
        i += 1
    return Answers(np.where(used, second + xi, first)[:i], used[:i], left)


class Answers(_Answers, Spoken):
    """The answers of Thresholdout, until the budget is spent.

    `from_holdout` says which answers used the holdout set, and `budget` how many such answers are
    left; once the budget is used up, queries get no answer.
    """

    def claim(self) -> str:
        """Return the result in a sentence."""
        looked = int(self.from_holdout.sum())
        return (
            f"{rounding.count(len(self.values), 'answer')}, {looked} of them from the holdout set; "
            f"{self.budget} more such are left."
        )
