"""A confidence sequence: an interval after each case that holds for all of them at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from errlab import _checks
from errlab._checks import FloatArray
from errlab._interval import Interval
from errlab._public import public

__all__ = ["Sequence", "confidence_sequence"]

_TRUNCATION = 0.75  # the share of its capital that a gambler may lose at once
_CANDIDATES = 257  # true means that are tried at a time
_ROWS = 128  # cases at a time: what is worked on stays in the cache


@public
def confidence_sequence(losses: ArrayLike, *, delta: float = 0.05) -> Interval[FloatArray]:
    r"""Betting confidence sequence: look after each case, and stop when you like.

    The probability that *any* of the intervals misses the true error is at most `delta`. For a
    candidate error m two gamblers stake on the next loss, one on its being above m, one below:

    .. math:: K_t^\pm(m) = \prod_{i \le t} \left(1 \pm \lambda_i^\pm(m) (\ell_i - m)\right), \quad
              \lambda_i = \sqrt{\frac{2 \log(2/\delta)}
              {\hat\sigma^2_{i-1}\, i \log(1 + i)}}, \quad
              \lambda_i^+ = \min\left(\lambda_i, \frac{c}{m}\right), \;
              \lambda_i^- = \min\left(\lambda_i, \frac{c}{1-m}\right)

    with c = 3/4, and :math:`\hat\sigma^2_{i-1}` from the losses before i, as in `betting`; but the
    stakes do not know how many cases will come. At the true error both are nonnegative
    martingales that start at 1, so that by Ville's inequality either ever reaches
    :math:`2/\delta` with probability at most :math:`\delta/2`. An m that has made one of them so
    rich is out, then and from then on.

    Each :math:`K_t^\pm` is monotone in m, as is shown in `betting`, so that what is left is an
    interval. It is found on a grid of 257 candidates, rounded outward; the grid closes in on
    what is left whenever the number of cases has doubled.

    Parameters
    ----------
    losses : array_like, shape (n,)
        Losses in [0, 1], in the order in which the cases came.
    delta : float
        Probability that any interval may fail, in (0, 1).

    Returns
    -------
    Interval
        ``(low, high)``, each of shape (n,): the interval after each case. Where no error fits
        what was seen, low is above high from there on.

    Raises
    ------
    ValueError, TypeError
        If `losses` is empty or leaves [0, 1], or `delta` leaves (0, 1).

    References
    ----------
    Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86 (2024), 1-27: the hedged
    capital process of Theorem 3, each side at half of delta, with predictable plug-in stakes.

    Examples
    --------
    >>> low, high = confidence_sequence([0, 1, 0, 0] * 250)
    >>> round(float(low[-1]), 3), round(float(high[-1]), 3)
    (0.194, 0.317)
    """
    values = _checks.losses(losses)
    sequence = Sequence(_checks.one_delta(delta))
    return sequence.extend(values)


class Sequence:
    """The state of a confidence sequence, to which cases are added as they come.

    Attributes
    ----------
    n : int
        Cases so far.
    low, high : float
        The interval now; low is above high where no mean fits what was seen.
    """

    def __init__(self, delta: float) -> None:
        self.n = 0
        self.low = 0.0
        self.high = 1.0
        self._target = float(np.log(2 / delta))
        self._sum = 0.5
        self._squares = 0.25
        self._last = 0.25
        self._losses: list[FloatArray] = []
        self._stakes: list[FloatArray] = []
        self._sides = (_Side(0.0, 1.0, self._target), _Side(0.0, 1.0, self._target))

    def extend(self, losses: FloatArray) -> Interval[FloatArray]:
        """Add losses, one after the other; return the interval after each of them."""
        lows = []
        highs = []
        start = 0
        while start < len(losses):
            doubled = 1 << self.n.bit_length()  # the next power of 2
            part = losses[start : start + min(_ROWS, doubled - self.n)]
            stakes = self._next_stakes(part)
            self._losses.append(part)
            self._stakes.append(stakes)
            above, below = self._sides
            lows.append(above.play(part, stakes))
            highs.append(1 - below.play(1 - part, stakes))
            self.low = float(lows[-1][-1])
            self.high = float(highs[-1][-1])
            self.n += len(part)
            start += len(part)
            if self.n == doubled and self.low < self.high:
                self._close_in()
        return Interval(np.concatenate(lows), np.concatenate(highs))

    def _next_stakes(self, losses: FloatArray) -> FloatArray:
        """Stakes for these cases; each knows only those before it."""
        cases = self.n + 1 + np.arange(len(losses))
        sums = np.concatenate([[self._sum], losses]).cumsum()[1:]
        away = (losses - sums / (cases + 1)) ** 2
        squares = np.concatenate([[self._squares], away]).cumsum()[1:]
        var = squares / (cases + 1)
        before = np.concatenate([[self._last], var[:-1]])
        self._sum = float(sums[-1])
        self._squares = float(squares[-1])
        self._last = float(var[-1])
        return np.asarray(np.sqrt(2 * self._target / (before * cases * np.log1p(cases))))

    def _close_in(self) -> None:
        """Try finer candidates between the ends; all cases so far are played again."""
        losses = np.concatenate(self._losses)
        stakes = np.concatenate(self._stakes)
        self._losses = [losses]
        self._stakes = [stakes]
        above = _Side(self.low, self.high, self._target)
        below = _Side(1 - self.high, 1 - self.low, self._target)
        for start in range(0, len(losses), _ROWS):
            part = slice(start, start + _ROWS)
            above.play(losses[part], stakes[part])
            below.play(1 - losses[part], stakes[part])
        self._sides = above, below


class _Side:
    """The gambler who stakes on losses above each of some candidates: who is too rich is out."""

    def __init__(self, low: float, high: float, target: float) -> None:
        self.candidates = np.linspace(low, high, _CANDIDATES)
        self.capital = np.zeros(_CANDIDATES)  # its logarithm
        self.low = low
        self.target = target
        with np.errstate(divide="ignore", over="ignore"):
            self.limit = _TRUNCATION / self.candidates

    def play(self, losses: FloatArray, stakes: FloatArray) -> FloatArray:
        """Return, after each loss, the largest candidate that is out, or the end as it was."""
        stake = np.minimum(stakes[:, None], self.limit)
        growth = np.log1p(stake * (losses[:, None] - self.candidates))
        growth[0] += self.capital
        capital = growth.cumsum(axis=0)
        self.capital = capital[-1].copy()
        out = (capital >= self.target).sum(axis=1)  # they are the first ones, as it falls with m
        ends = np.where(out > 0, self.candidates[np.maximum(out, 1) - 1], self.low)
        found = np.maximum.accumulate(np.maximum(ends, self.low))
        self.low = float(found[-1])
        return np.asarray(found)
