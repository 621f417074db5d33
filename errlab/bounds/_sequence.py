"""A confidence sequence: an interval after each example, all valid at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab._core import checks
from errlab._core.checks import FloatArray, IntArray
from errlab._core.conditions import CASES, ORDER
from errlab._core.interval import Interval, claim
from errlab._core.public import public
from errlab._numerics.roots import first_whole

_TRUNCATION = 0.75  # largest fraction of its capital that a bet may lose on one loss
_CANDIDATES = 257  # number of candidate means that are tested at a time
_FINEST = 1e-12  # smallest distance between candidates
_ROWS = 128  # examples at a time, few enough for their arrays to stay in the processor's cache
_FIXED = 0.9 * 1.5 ** -np.arange(24.0)  # fractions of the capital staked on every loss
# the logarithms of the initial capitals, which sum to one half
_FIXED_CAPITAL = np.log(np.sqrt(_FIXED) / np.sqrt(_FIXED).sum() / 2)


@public
def confidence_sequence(losses: ArrayLike, *, delta: float = 0.05) -> Interval[FloatArray]:
    r"""Betting confidence sequence: look after each example, and stop when you like.

    The probability that *any* of the intervals misses the true error is at most `delta`. To test a
    candidate error m, one gambler bets that the next loss is above m, and another that it is below.
    Each divides the money between two purses. The stakes of the first purse adapt to the losses so
    far; the second has fractions :math:`w_j` with constant stakes:

    .. math:: K_t^+(m) = \frac12 \prod_{i \le t} \left(1 + \lambda_i (\ell_i - m)\right)
              + \frac12 \sum_j w_j \prod_{i \le t} \left(1 - \theta_j + \theta_j \ell_i / m\right),
              \quad \lambda_i = \min\left(\sqrt{\frac{2 \log(2/\delta)}
              {\hat\sigma^2_{i-1}\, i \log(1 + i)}}, \frac{c}{m}\right)

    with c = 3/4, and :math:`\hat\sigma^2_{i-1}` from the losses before i, as in `betting`; but the
    stakes don't depend on the number of examples still to come. :math:`\theta_j = 0.9 \cdot
    1.5^{-j}` for j = 0 .. 23, and :math:`w_j` is proportional to :math:`\sqrt{\theta_j}`.
    :math:`K_t^-(m)` is the same for :math:`1 - \ell_i` and :math:`1 - m`. For losses of 0 and 1 the
    second purse bets on true errors of :math:`m + \theta_j (1 - m)`, so it is a mixture of
    likelihood ratios; it is the better purse unless the losses vary little. Having both costs
    little: the better purse must grow twice as far as it would alone.

    At the true error each purse is a nonnegative martingale, because each factor has mean 1 given
    the earlier losses. So their sum is a martingale that starts at 1, and by Ville's inequality
    each gambler ever reaches :math:`2/\delta` with probability at most :math:`\delta/2`. An m at
    which one of them does so is rejected from then on.

    :math:`K_t^+` falls in m: the first product does, as shown in `betting`, and so does each factor
    of the second. :math:`K_t^-` rises. So the m that are not rejected form an interval. It is found
    on a grid of 257 candidates, rounded outward; the grid is refined whenever the number of
    examples has doubled, or only two neighbours are left. The second purse is for losses of 0, 1/2
    and 1, the values of errors and of paired differences, whose counts determine its capital. The
    first other loss is rounded down for the second purse, whose money then moves to the first.

    Parameters
    ----------
    losses : array_like, shape (n,)
        Losses in [0, 1], in the order in which the examples came.
    delta : float
        Probability that any interval may fail, in (0, 1).

    Returns
    -------
    Interval
        ``(low, high)``, each of shape (n,): the interval after each example. Once no error is
        compatible with the losses, low is above high.

    Raises
    ------
    ValueError, TypeError
        If `losses` is empty or leaves [0, 1], or `delta` leaves (0, 1).

    References
    ----------
    Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86 (2024), 1-27: the hedged
    capital process of Theorem 3, each side at half of delta, with predictable plug-in stakes; for
    the second purse, Robbins, Annals of Mathematical Statistics 41 (1970), 1397-1409: a mixture of
    likelihood ratios.

    Examples
    --------
    >>> low, high = confidence_sequence([0, 1, 0, 0] * 250)
    >>> round(float(low[-1]), 3), round(float(high[-1]), 3)
    (0.202, 0.301)
    """
    values = checks.losses(losses)
    level = checks.one_delta(delta)
    ends = Sequence(level).extend(values)
    quantity = "the mean loss at every look at once"
    return claim(ends, quantity, "betting", "finite sample", level, (*CASES, ORDER))


class Sequence:
    """The state of a confidence sequence; `extend` adds examples as they come.

    Attributes
    ----------
    n : int
        Examples so far.
    low, high : float
        The current interval; if no mean is compatible with the losses, low is 1 and high is 0.
    """

    def __init__(self, delta: float) -> None:
        self.n = 0
        self.low = 0.0
        self.high = 1.0
        self._target = float(np.log(2 / delta))
        # Start with an imagined loss of 1/2 and variance 1/4, so that no stake is infinite.
        self._sum = 0.5
        self._squares = 0.25
        # losses and stakes of each call, shape (2, examples)
        self._seen: list[FloatArray] = []
        self._close_in()

    def extend(self, losses: FloatArray) -> Interval[FloatArray]:
        """Add losses one after the other; return the interval after each."""
        ends = []
        while losses.size:
            # the next power of 2, at which the candidates are refined
            doubled = 1 << self.n.bit_length()
            part, losses = np.split(losses, [min(_ROWS, doubled - self.n)])
            if self.low > self.high:  # every candidate is rejected, and stays rejected
                ends.append(np.repeat([[self.low], [self.high]], len(part), axis=1))
                self.n += len(part)
                continue
            self._seen.append(np.stack([part, self._next_stakes(part)]))
            ends.append(self._closer(self._play(*self._seen[-1])))
            self.low, self.high = ends[-1][:, -1].tolist()
            self.n += len(part)
            if self.n == doubled and self.low < self.high:
                self._close_in()
        return Interval(*np.concatenate(ends, axis=1))

    def _next_stakes(self, losses: FloatArray) -> FloatArray:
        """Return the stakes for these losses; each depends only on earlier ones."""
        cases = self.n + 1 + np.arange(len(losses))
        sums = np.append(self._sum, losses).cumsum()
        away = (losses - sums[1:] / (cases + 1)) ** 2
        squares = np.append(self._squares, away).cumsum()
        self._sum = sums[-1]
        self._squares = squares[-1]
        # The variance before example i is squares / i, and the stake needs i times the variance.
        return np.sqrt(2 * self._target / (squares[:-1] * np.log1p(cases)))

    def _play(self, losses: FloatArray, stakes: FloatArray) -> FloatArray:
        """Bet on both sides; return the interval after each loss, 2 x examples."""
        above, below = self._sides
        over, under = above.play(losses, stakes), below.play(1 - losses, stakes)
        ends = np.stack([above.end(over), 1 - below.end(under)])
        # Each end is a rejected candidate, or 0 or 1. The interval is empty if the rejected
        # candidates from below and above meet, or if one side rejects all.
        none = (over + under > _CANDIDATES) | (np.maximum(over, under) == _CANDIDATES)
        return np.where(none, [[1.0], [0.0]], ends)

    def _closer(self, ends: FloatArray) -> FloatArray:
        """Refine the grid while only two candidates are left: all means between may be rejected."""
        while True:
            width = ends[1] - ends[0]
            thin = (width > 0) & (width < 1.5 * self._step)
            if not thin.any() or self._step < _FINEST:
                return ends
            at = int(thin.argmax())
            self.low, self.high = ends[:, at].tolist()
            ends[:, at:] = self._close_in()[:, at:]

    def _close_in(self) -> FloatArray:
        """Replace the candidates by finer ones between the ends, and repeat all bets on these.

        Return the interval after each of the losses that were added last.
        """
        # Rejected means stay rejected: the new candidates divide the interval that is left.
        above = _Side(self.low, self.high, self._target)
        self._sides = above, _Side(1 - self.high, 1 - self.low, self._target)
        self._step = (self.high - self.low) / (_CANDIDATES - 1)
        ends = np.empty((2, 0))
        for part in self._seen:
            ends = self._play(*part)
        return ends


class _Side:
    """Bets that the mean is above each candidate; a large capital rejects the candidate."""

    def __init__(self, low: float, high: float, target: float) -> None:
        self.candidates = np.linspace(low, high, _CANDIDATES)
        self.target = target
        # how many candidates are rejected; they come first, because the capital falls with m
        self.out = 0
        self.capital = np.full(_CANDIDATES, np.log(0.5))  # log capital of the adaptive bets
        # Replace the candidate 0 by a tiny number to avoid dividing by 0; its capital is lower, so
        # the end stays valid.
        above_zero = np.maximum(self.candidates, 1e-300)
        self.limit = _TRUNCATION / above_zero
        # Growth of the log capital of the fixed bets for a loss of 0, 1/2 or 1: 3 x stakes x
        # candidates.
        odds = np.array([0.0, 0.5, 1.0])[:, None, None] / above_zero
        self.growth = np.log1p(_FIXED[:, None] * (odds - 1))
        self.counts = np.zeros(3)
        self.one_purse = False

    def play(self, losses: FloatArray, stakes: FloatArray) -> IntArray:
        """Return the number of rejected candidates after each loss."""
        graded = np.flatnonzero(np.isin(losses, (0, 0.5, 1), invert=True))
        if self.one_purse or not graded.size:
            return self._play(losses, stakes)
        cut = graded[0] + 1
        out = self._play(losses[:cut], stakes[:cut])
        self.capital = np.logaddexp(self.capital, self._second(self.counts, slice(None)))
        self.one_purse = True
        return np.append(out, self._play(losses[cut:], stakes[cut:]))

    def end(self, out: IntArray) -> FloatArray:
        """Return the largest rejected candidate; if none is rejected, the first one."""
        return np.asarray(self.candidates[np.maximum(out - 1, 0)])

    def _play(self, losses: FloatArray, stakes: FloatArray) -> IntArray:
        """Bet on losses of 0, 1/2 and 1, or on any losses if only the adaptive bets are left."""
        if not losses.size:
            return np.empty(0, dtype=np.int64)
        # Losses x candidates: the growth of the log capital of the adaptive bets.
        stake = np.minimum(stakes[:, None], self.limit)
        gains = np.log1p(stake * (losses[:, None] - self.candidates))
        gains[0] += self.capital
        first = gains.cumsum(axis=0)
        self.capital = first[-1]
        counts = self.counts + (np.floor(2 * losses)[:, None] == np.arange(3)).cumsum(axis=0)
        self.counts = counts[-1]

        rows = np.arange(len(losses))

        def stays(at: IntArray) -> NDArray[np.bool_]:
            """Whether each row's candidate is kept, given the capital of both kinds of bets."""
            has = first[rows, at]
            if not self.one_purse:
                has = np.logaddexp(has, self._second(counts, at))
            return has < self.target

        # The first candidate that isn't rejected; those before it stay rejected.
        out = first_whole(stays, np.full_like(rows, self.out - 1), np.full_like(rows, _CANDIDATES))
        out = np.maximum.accumulate(out)
        self.out = int(out[-1])
        return out

    def _second(self, counts: FloatArray, at: IntArray | slice) -> FloatArray:
        """Return the log capital of the fixed bets after counts of losses, (3,) or rows x 3."""
        shares = np.einsum("...v,vj...->j...", counts, self.growth[:, :, at])
        return np.asarray(np.logaddexp.reduce(_FIXED_CAPITAL[:, None] + shares))
