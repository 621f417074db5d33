"""What a bound says on every possible test set of 0/1 losses."""

from __future__ import annotations

from itertools import product
from typing import Literal, NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike
from scipy import special

from errlab._core.checks import FloatArray, IntArray
from errlab.bounds import BOUNDS
from errlab.bounds._ask import ask
from errlab.bounds._bound import Question

Side = Literal["upper", "lower", "two-sided"]
SIDES = ("upper", "lower", "two-sided")
_NOISE = 1e-13  # a fall of a bound in the count that is only rounding
_SEQUENCES = 14  # 2 ** 14 sequences of losses are still quick to go through


class Ends(NamedTuple):
    """The ends that a bound gives for each outcome, and how outcomes and counts go together."""

    low: FloatArray
    high: FloatArray
    errors: IntArray
    per_count: FloatArray  # the share of this outcome among those with the same count
    mean: FloatArray


def outcomes(key: str, n: int, delta: float, side: Side) -> Ends:
    """Evaluate bound `key` on every possible outcome of `n` losses in {0, 1}."""
    if BOUNDS[key].needs == "losses":
        if n > _SEQUENCES:
            raise ValueError(
                f"n must be at most {_SEQUENCES} where the order of the losses matters ({key}), "
                f"got {n}; use simulate"
            )
        sequences = np.array(list(product((0.0, 1.0), repeat=n)))
        count = sequences.sum(axis=1).astype(np.int64)
        # every order is among them, and those with the same count are equally likely
        low, high = two_ends(ask(key, losses=sequences, delta=delta, order="given"), side)
        return Ends(low, high, count, 1.0 / np.bincount(count)[count], count / n)
    count = np.arange(n + 1)
    low, high = two_ends(ask(key, errors=count, n=n, delta=delta), side)
    return Ends(low, high, count, np.ones(n + 1), count / n)


def two_ends(asked: Question, side: Side) -> tuple[FloatArray, FloatArray]:
    """Evaluate a bound on one side, with the trivial 0 or 1 on the other, or on both.

    An interval that is empty, with its low end above the high one, covers nothing.
    """
    if side == "two-sided":
        return asked.half.lower(), asked.half.upper()
    end = asked.upper() if side == "upper" else asked.lower()
    return (np.zeros_like(end), end) if side == "upper" else (end, np.ones_like(end))


def is_one_range(ends: Ends) -> bool:
    """Whether the counts that cover any error are one range: both ends grow with the count."""
    return len(ends.errors) == int(ends.errors[-1]) + 1 and bool(
        (np.diff(ends.low) >= -_NOISE).all() and (np.diff(ends.high) >= -_NOISE).all()
    )


def at_least(k: ArrayLike, n: int, error: FloatArray) -> FloatArray:
    """P(Bin(n, error) >= k) for whole k between 0 and n + 1."""
    # The binomial tail is an incomplete beta function, exact for every error.
    k = np.asarray(k, dtype=float)
    tail = special.betainc(np.clip(k, 1, n), np.clip(n - k + 1, 1, n), error)
    return np.where(k <= 0, 1.0, np.where(k > n, 0.0, tail))


def between(first: IntArray, last: IntArray, n: int, error: FloatArray) -> FloatArray:
    """P(first <= Bin(n, error) <= last), 0 where the range is empty."""
    return np.maximum(at_least(first, n, error) - at_least(last + 1, n, error), 0.0)


def covered(ends: Ends, error: FloatArray, n: int) -> FloatArray:
    """Probability that the true error lies between the ends, for every error."""
    if is_one_range(ends):
        first = np.searchsorted(np.maximum.accumulate(ends.high), error, side="left")
        last = np.searchsorted(np.maximum.accumulate(ends.low), error, side="right") - 1
        return between(first, last, n, error)
    holds = (ends.low <= error[:, np.newaxis]) & (error[:, np.newaxis] <= ends.high)
    return np.asarray((holds * probabilities(ends, error, n)).sum(axis=1))


def probabilities(ends: Ends, error: FloatArray, n: int) -> FloatArray:
    """Probability of every outcome (columns) under every error (rows)."""
    # Errors x outcomes.
    law = scipy.stats.binom.pmf(np.arange(n + 1), n, error[:, np.newaxis])
    return np.asarray(law[:, ends.errors] * ends.per_count)


def width(low: FloatArray, high: FloatArray, mean: FloatArray, side: Side) -> FloatArray:
    """Width of each outcome: to the mean loss on one side, from end to end on two, or 0."""
    if side == "two-sided":
        return np.maximum(high - low, 0.0)
    return high - mean if side == "upper" else mean - low
