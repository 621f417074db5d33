"""The exact coverage and width of bounds for 0/1 losses, after one look or many."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Literal, NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike

from errlab._core import checks, rounding
from errlab._core.checks import FloatArray, FloatOrArray, IntArray
from errlab._core.public import public
from errlab._core.spoken import Spoken
from errlab._numerics.roots import Probability, binomial_cdf, first_whole
from errlab.bounds._bound import BOUNDS, CheckedBound, ask

Side = Literal["upper", "lower", "two-sided"]
SIDES = ("upper", "lower", "two-sided")
_SAME = 1e-12  # coverages closer than this are equal except for rounding
_NOISE = 1e-13  # a bound may fall by this much from one count to the next because of rounding
_SEQUENCES = 14  # at most 2 ** 14 sequences of losses are enumerated


class Ends(NamedTuple):
    """The ends of a bound for each outcome, and the number of errors in each outcome."""

    low: FloatArray
    high: FloatArray
    errors: IntArray
    n: int

    def probabilities(self, error: FloatArray) -> FloatArray:
        """Return the probability of each outcome under each true error, errors x outcomes."""
        probability = scipy.stats.binom.pmf(np.arange(self.n + 1), self.n, error[:, None])
        # Outcomes with the same number of errors are equally likely.
        return np.asarray((probability / np.bincount(self.errors))[:, self.errors])

    @property
    def one_range(self) -> bool:
        """Whether the counts that cover an error are consecutive: both ends grow with the count."""
        grow = np.diff([self.low, self.high]) >= -_NOISE
        return len(self.errors) == self.n + 1 and bool(grow.all())

    def coverage_of(self, inside: FloatArray, error: FloatArray) -> FloatArray:
        """Return the probability, under `error`, of the consecutive counts that cover `inside`."""
        # searchsorted needs sorted ends, which rounding could disturb
        first = np.searchsorted(np.maximum.accumulate(self.high), inside, side="left")
        last = np.searchsorted(np.maximum.accumulate(self.low), inside, side="right") - 1
        rate = Probability.of(error)
        fewer = binomial_cdf(first - 1, self.n, rate)
        return np.maximum(binomial_cdf(last, self.n, rate) - fewer, 0.0)

    def covered(self, error: FloatArray) -> FloatArray:
        """Return the probability that the interval contains the true error, for each error."""
        if self.one_range:
            return self.coverage_of(error, error)
        holds = (self.low <= error[:, None]) & (error[:, None] <= self.high)
        return np.asarray((holds * self.probabilities(error)).sum(axis=1))


def outcomes(key: str, n: int, delta: float, side: Side) -> Ends:
    """Evaluate bound `key` on every possible outcome of `n` losses in {0, 1}."""
    errors = np.arange(n + 1)
    if BOUNDS[key].needs != "losses":
        return Ends(*two_ends(ask(key, errors=errors, n=n, delta=delta), side), errors, n)
    if n > _SEQUENCES:
        raise ValueError(
            f"n must be at most {_SEQUENCES} where the order of the losses matters ({key}), "
            f"got {n}; simulate losses for more"
        )
    # All sequences include all orders, so it doesn't matter in which order the bound reads the
    # losses.
    sequences = np.array(list(product((0, 1), repeat=n)))
    ends = two_ends(ask(key, losses=sequences, delta=delta), side)
    return Ends(*ends, sequences.sum(axis=1), n)


def two_ends(bound: CheckedBound, side: Side) -> tuple[FloatArray, FloatArray]:
    """Return both ends of a bound; a one-sided bound has the other end at 0 or 1."""
    checks.choice(side, "side", SIDES)
    low: FloatOrArray = 0.0
    high: FloatOrArray = 1.0
    if side == "two-sided":
        low, high = bound.interval()
    elif side == "upper":
        high = bound.upper()
    else:
        low = bound.lower()
    first, last = np.broadcast_arrays(low, high)
    return first, last


class _Worst(NamedTuple):
    coverage: float
    error: float


def _each_size(
    key: str,
    error: ArrayLike,
    n: ArrayLike,
    delta: float,
    side: Side,
    evaluate: Callable[[Ends, FloatArray], FloatArray],
) -> FloatOrArray:
    """Check the arguments, and evaluate all errors with the same `n` at once."""
    e, sizes = checks.same_shape(error=checks.mean(error, "error"), n=checks.count(n))
    level = checks.one_delta(delta)
    result = np.empty(e.shape)
    # One evaluation of the bound per size is enough for all errors.
    for size in np.unique(sizes).tolist():
        mask = sizes == size
        result[mask] = evaluate(outcomes(key, int(size), level, side), e[mask])
    return checks.plain(result)


@public
def exact(
    key: str,
    error: ArrayLike,
    n: ArrayLike,
    *,
    delta: float = 0.05,
    side: Side = "upper",
) -> FloatOrArray:
    r"""Return the exact probability that bound `key` is valid, for 0/1 losses (survey Eq. 8).

    .. math:: C(L, n) = \sum_{k : L \le U(k/n)} \binom nk L^k (1-L)^{n-k}

    If the bound grows with the count, as all of ours do, this is one binomial tail, starting at the
    smallest count whose bound is valid. That is checked, and otherwise the sum is computed. A bound
    that depends on the order of the losses is evaluated on all :math:`2^n` sequences.

    Parameters
    ----------
    key : str
        Short name of the bound, a key of `errlab.bounds.BOUNDS`.
    error : float or array_like
        True error, in [0, 1]. It broadcasts with `n`.
    n : int or array_like
        Number of test examples, at least 1; at most 14 for a bound that needs the losses.
    delta : float
        Probability that the bound may fail, in (0, 1).
    side : {"upper", "lower", "two-sided"}
        Which bound must be valid: the upper, the lower, or both ends of the interval.

    Returns
    -------
    float or ndarray
        The coverage, in [0, 1]; a float if every argument is a scalar.

    Raises
    ------
    ValueError, TypeError
        If the key or the side is unknown, or an argument is out of range.

    References
    ----------
    Anguita et al., survey, Eq. 8 and Figs. 5 to 8.

    Examples
    --------
    >>> round(exact("WIL", 0.25, 10), 4)
    0.9437
    >>> exact("CP", [0.1, 0.2, 0.3], 10).round(4)
    array([1.    , 1.    , 0.9718])
    """
    return _each_size(key, error, n, delta, side, Ends.covered)


@public
def expected_width(
    key: str,
    error: ArrayLike,
    n: ArrayLike,
    *,
    delta: float = 0.05,
    side: Side = "upper",
) -> FloatOrArray:
    r"""Return the exact mean width of bound `key`, for 0/1 losses.

    The width is :math:`U - \hat L_n` for the upper bound (the survey's unluckiness factor),
    :math:`\hat L_n` minus the bound for the lower bound, and high minus low for the interval.
    Parameters and errors are those of `exact`.

    Returns
    -------
    float or ndarray
        The mean width; a float if every argument is a scalar.

    Examples
    --------
    >>> round(expected_width("CP", 0.25, 200), 4)
    0.0553
    """

    def mean_width(ends: Ends, errors: FloatArray) -> FloatArray:
        # the width of a one-sided bound is measured from the mean loss
        mean = ends.errors / ends.n
        low = mean if side == "upper" else ends.low
        high = mean if side == "lower" else ends.high
        return ends.probabilities(errors) @ (high - low)

    return _each_size(key, error, n, delta, side, mean_width)


@public
def worst(
    key: str,
    n: int,
    *,
    delta: float = 0.05,
    side: Side = "upper",
    within: tuple[float, float] = (0.0, 1.0),
) -> Worst:
    """Return the lowest coverage over all true errors, exactly, for 0/1 losses.

    Between two neighbouring values of the bound, the counts that cover are a fixed range, whose
    probability first rises and then falls with the error. So the coverage is lowest next to one of
    these values, or at an end of `within`, and only the limits from both sides are needed. A limit
    may not be attained: a bound of 0 after no errors fails for every true error above 0.

    Parameters
    ----------
    key : str
        Short name of the bound, a key of `errlab.bounds.BOUNDS`.
    n : int
        Number of test examples, at least 1.
    delta : float
        Probability that the bound may fail, in (0, 1).
    side : {"upper", "lower", "two-sided"}
        Which bound must be valid.
    within : tuple of float
        The smallest and the largest true error to consider, in [0, 1].

    Returns
    -------
    Worst
        ``(coverage, error)``: the infimum, and the true error at which it is attained or
        approached; if there are several, as with Clopper-Pearson, the smallest.

    Raises
    ------
    ValueError, TypeError
        If the key or the side is unknown, an argument is out of range, or the bound depends on the
        order of the losses.

    Examples
    --------
    >>> coverage, error = worst("WIL", 10, within=(0, 0.5))
    >>> round(coverage, 4), round(error, 4)
    (0.9088, 0.2129)
    >>> round(worst("CP", 10).coverage, 4)
    0.95
    """
    size = checks.one_count(n)
    level = checks.one_delta(delta)
    limits = checks.mean(within, "within")
    sorted_pair = limits.shape == (2,) and limits[0] <= limits[1]
    checks.require(sorted_pair, "within", "hold two errors, the smaller one first", within)
    ends = outcomes(key, size, level, side)
    if not ends.one_range:
        raise ValueError(f"key must be a bound that never falls as errors are added, got {key}")
    # At these true errors a count starts or stops covering: the ends of all intervals.
    jumps = np.unique(np.clip(np.concatenate([limits, ends.low, ends.high]), *limits))
    # Between two jumps the same counts cover, so the coverage is lowest next to a jump or at one of
    # the two given limits.
    middle = (jumps[1:] + jumps[:-1]) / 2
    errors = np.concatenate([jumps[:-1], jumps[1:], limits])
    coverage = ends.coverage_of(np.concatenate([middle, middle, limits]), errors)
    lowest = coverage.min()
    # the rounding errors of the ends and sums grow with the number of counts
    equal = coverage <= lowest + max(_SAME, 4 * size * np.finfo(float).eps)
    return Worst(float(lowest), float(errors[equal].min()))


@public
def peeking(
    key: str,
    error: float,
    n: int,
    *,
    delta: float = 0.05,
    side: Side = "two-sided",
    start: int = 1,
    step: int = 1,
) -> FloatArray:
    r"""Return the exact probability that a bound has failed at some look so far.

    A bound for a fixed number of examples is computed after example `start`, and then after every
    `step` examples. Entry t - 1 is the probability that at least one of the looks at up to t
    examples misses the true error,

    .. math:: P\left(\exists\, s \le t : L \notin [\,l(k_s, s), u(k_s, s)]\right), \quad
              k_s = \sum_{i \le s} \ell_i

    The losses are independent and 0 or 1. The probability of each number of errors without a miss
    so far is carried from look to look, and at each look the counts that miss are removed.

    Parameters
    ----------
    key : str
        The bound: a key of `errlab.bounds.BOUNDS` that needs counts only.
    error : float
        True error, in [0, 1].
    n : int
        Number of examples at the end, at least 1.
    delta : float
        Probability that one look may fail, in (0, 1).
    side : {"upper", "lower", "two-sided"}
        Which bound is computed at each look.
    start, step : int
        Number of examples at the first look, and between looks.

    Returns
    -------
    ndarray, shape (n,)
        The probability of a miss so far, after each example.

    Raises
    ------
    ValueError, TypeError
        If the bound needs the losses themselves, or an argument leaves its range.

    References
    ----------
    Armitage, McPherson and Rowe, Journal of the Royal Statistical Society A 132 (1969), 235-244.

    Examples
    --------
    >>> missed = peeking("CP", 0.1, 500)
    >>> round(float(missed[-1]), 3)
    0.286
    >>> round(float(peeking("CP", 0.1, 500, start=500)[-1]), 3)
    0.037
    """
    counts = BOUNDS[key].needs != "losses"
    checks.require(counts, "key", "be of a bound that needs counts only", key)
    truth = checks.one_mean(error, "error")
    size = checks.one_count(n)
    level = checks.one_delta(delta)
    first = checks.one_count(start, "start")
    every = checks.one_count(step, "step")
    looks = np.arange(first, size + 1, every)

    def ends(errors: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return both ends after these numbers of errors at each look."""
        return two_ends(ask(key, errors=np.clip(errors, 0, looks), n=looks, delta=level), side)

    # Both ends grow with the count, so the counts that cover the true error are consecutive.
    before = np.full(len(looks), -1)
    smallest = first_whole(lambda k: ends(k)[1] >= truth, before, looks + 1)
    largest = first_whole(lambda k: ends(k)[0] > truth, before, looks + 1) - 1
    alive = np.array([1.0])  # probability of each number of errors without a failure so far
    low = 0  # number of errors to which alive[0] belongs
    new = np.diff(looks, prepend=0).tolist()  # examples since the last look
    increments = {
        cases: scipy.stats.binom.pmf(np.arange(cases + 1), cases, truth) for cases in set(new)
    }
    missed = np.zeros(size)
    for look, cases, first_held, last_held in zip(looks, new, smallest, largest, strict=True):
        # New examples are independent, so the distribution of the sum is a convolution.
        reached = np.convolve(alive, increments[cases])
        alive = reached[max(first_held - low, 0) : max(last_held - low + 1, 0)]
        missed[look - 1] = max(reached.sum() - alive.sum(), 0.0)
        low = max(low, int(first_held))
        if not len(alive):
            break
    return np.clip(np.cumsum(missed), 0.0, 1.0)


class Worst(_Worst, Spoken):
    """The lowest coverage, and a true error at which it occurs or which it approaches."""

    def claim(self) -> str:
        """Return the result in a sentence."""
        lowest = rounding.percent(self.coverage, math.floor)
        return f"The lowest coverage is {lowest}, at or next to a true error of {self.error:.4g}."
