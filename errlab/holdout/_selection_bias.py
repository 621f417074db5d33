"""Choosing the best of k models on a validation set, and the optimism of its error."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike

from errlab._core import checks, rounding
from errlab._core.checks import IntArray, Seed
from errlab._core.public import public
from errlab._core.spoken import Spoken


class _Selection(NamedTuple):
    validation: float
    risk: float
    optimism: float
    regret: float


class _Split(NamedTuple):
    train: IntArray
    validation: IntArray
    test: IntArray


@public
def selection_bias(error: ArrayLike, n: int) -> Selection:
    r"""Return the exact optimism of the best of k independent models on n validation examples.

    Model j makes :math:`K_j \sim \mathrm{Bin}(n, R_j)` errors, the models err independently, and
    the smallest :math:`K_j` wins, ties broken at random. Then

    .. math:: P(\min_j K_j \ge m) = \prod_j P(K_j \ge m)

    gives the expected validation error. With :math:`a_j = P(K_j = m)` and :math:`b_j = P(K_j > m)`,
    the winner's expected true error is

    .. math:: \sum_m \int_0^1 \sum_j R_j a_j \prod_{i \ne j} (b_i + a_i x) \, dx,

    because :math:`\int x^T dx = 1/(1+T)` is the probability of winning a tie with T others. The
    integrand is a polynomial in x, so Gauss-Legendre quadrature is exact.

    Parameters
    ----------
    error : array_like, shape (k,)
        True errors of the models, in [0, 1].
    n : int
        Number of validation examples, at least 1.

    Returns
    -------
    Selection
        ``(validation, risk, optimism, regret)``.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    Examples
    --------
    >>> best = selection_bias([0.5] * 100, 1000)
    >>> round(best.validation, 4), round(best.optimism, 4)
    (0.4604, 0.0396)
    """
    errors = checks.within(error, "error", 0, 1, ndim=1)
    size = checks.one_count(n)
    values, copies = np.unique(errors, return_counts=True)
    # numbers of errors x distinct true errors; equally good models share a column
    m = np.arange(size + 1)[:, None]
    at = scipy.stats.binom.pmf(m, size, values)
    above = scipy.stats.binom.sf(m, size, values)
    survival = (above**copies).prod(axis=1)  # P(min > m)
    validation = float(survival[:-1].sum() / size)
    likely = -np.diff(survival, prepend=1.0) > 1e-18  # P(min = m)
    at = at[likely]
    above = above[likely]

    @np.vectorize
    def winner(x: float) -> float:
        mixed = above + at * x  # positive, since x > 0 and P(min >= m) > 0 here
        product = (mixed**copies).prod(axis=1)
        return float(product @ (at / mixed) @ (copies * values))

    # Ties are broken by independent uniform marks x. The probability to win with m errors is then
    # an integral over x of a polynomial of degree k - 1, for which this many nodes are exact.
    risk = float(scipy.integrate.fixed_quad(winner, 0, 1, n=len(errors) // 2 + 1)[0])
    return Selection(validation, risk, risk - validation, max(risk - float(values[0]), 0.0))


@public
def three_way_split(
    n: int, *, validation_size: float = 0.2, test_size: float = 0.2, rng: Seed = 0
) -> Split:
    """Split n examples at random into a training, a validation and a test set.

    Parameters
    ----------
    n : int
        Number of examples, at least 3.
    validation_size, test_size : float
        Fractions of the examples for choosing and for the final test, in (0, 1), with a sum below
        1. Each part gets at least one example.
    rng : seed, Generator or None
        Draws the split; the same in each call by default.

    Returns
    -------
    Split
        ``(train, validation, test)``: three sorted arrays of positions, with each example in one of
        them.

    Raises
    ------
    ValueError, TypeError
        If a fraction leaves its range, or a part would be empty.

    Examples
    --------
    >>> [len(part) for part in three_way_split(100, rng=0)]
    [60, 20, 20]
    """
    size = checks.one_count(n, "n", 3)
    validation = checks.one_delta(validation_size, "validation_size")
    shares = (validation, checks.one_delta(test_size, "test_size"))
    sizes = [max(round(share * size), 1) for share in shares]
    fits = sum(shares) < 1 and sum(sizes) < size
    checks.require(fits, "validation_size and test_size", "leave examples for training", shares)
    order = checks.generator(rng).permutation(size)
    parts = np.split(order, [size - sum(sizes), size - sizes[1]])
    return Split(*(np.sort(part) for part in parts))


class Split(Spoken, _Split):
    """Positions of the training, validation and test examples."""

    def claim(self) -> str:
        """Return the result in a sentence."""
        sizes = (len(self.train), len(self.validation), len(self.test))
        return "{} examples to train, {} to choose, {} to test.".format(*sizes)

    __repr__ = claim  # arrays would fill the screen


class Selection(_Selection, Spoken):
    """Expected errors of the model with the smallest validation error.

    Attributes
    ----------
    validation : float
        Expected validation error of the winner.
    risk : float
        Expected true error of the winner.
    optimism : float
        ``risk - validation``: by how much the validation error is too low.
    regret : float
        ``risk`` minus the smallest true error among the models.
    """

    def claim(self) -> str:
        """Return the result in a sentence."""
        return (
            f"The winner shows {rounding.percent(self.validation)} and has a true error of "
            f"{rounding.percent(self.risk)}, {rounding.in_points(self.optimism)} more "
            "(exact, if the models err independently of each other)."
        )
