"""The Ladder, a leaderboard that releases only scores that clearly improve.

The Ladder limits overfitting but doesn't prevent it: see `errlab_book.leaderboards.climb_by_flips`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks, rounding
from errlab._core.checks import FloatArray, FloatOrArray, IntArray, Seed
from errlab._core.public import public
from errlab._core.spoken import Spoken

# Gains below this many examples are ties. It is more than the rounding error of a sum of a million
# losses, and less than any real gain in 0/1 losses: 10^-d if the step has d decimals; 1 / (3 sqrt
# n) without a step, where gain^2 and n10 + n01 are whole numbers.
_TIE = 1e-9


class _Board(NamedTuple):
    released: FloatArray
    leader: IntArray


class RunningLadder:
    """A Ladder for a running competition, to which losses are submitted one after the other.

    See `ladder` for the rule and the parameters. `shown` is the latest released score.

    Examples
    --------
    >>> board = RunningLadder(step=0.1)
    >>> board.submit([1, 0, 1, 0]), board.submit([1, 0, 0, 0]), board.submit([1, 0, 0, 0])
    (True, True, False)
    >>> float(board.shown)  # in whole steps
    0.3
    """

    shown = np.inf
    _cases = 0.0  # the released score, as a number of examples
    _leader: FloatArray | None = None  # the leader's losses
    _threshold = 0.0  # noise of the comparison, drawn at each release
    _step = 0.0  # the parameter-free Ladder has no step

    def __init__(self, step: float | None = None, noise: float = 0.0, rng: Seed = 0) -> None:
        self._noise = float(checks.within(noise, "noise", 0, ndim=0))
        checks.require(self._noise == 0 or step is not None, "noise", "be 0 without a step", noise)
        if step is not None:  # a smaller step would be below the tolerance for ties
            self._step = float(checks.within(step, "step", 1e-6, 1, open_high=True, ndim=0))
        self._generator = checks.generator(rng)

    def submit(self, losses: ArrayLike) -> bool:
        """Submit the losses on all test examples; return whether a new score was released."""
        return self.submit_checked(checks.losses(losses))

    def submit_checked(self, losses: FloatArray) -> bool:
        """Submit losses that are already checked."""
        n = len(losses)
        total = float(losses.sum())
        # Compare with the released score, in examples; the leader's exact score stays hidden.
        gain = self._cases - total
        if self._leader is not None:
            if self._step:
                needed = n * (self._step + self._laplace(4) - self._threshold)
            else:  # 0/1 losses: the gain exceeds its standard error if gain^2 > n01 + n10
                needed = np.sqrt(n * (losses - self._leader).var(ddof=1))
            if gain <= needed + _TIE:
                return False
        self._leader = losses
        if self._noise:
            self._cases = total + self._laplace(1) * n
            self._threshold = self._laplace(2)
        else:
            grid = self._step * n or 1.0
            self._cases = grid * np.floor(total / grid + 0.5 + _TIE)  # halves are rounded up
        self.shown = round(self._cases / n, 12)
        return True

    def _laplace(self, scale: int) -> float:
        return self._generator.laplace(0, scale * self._noise) if self._noise else 0.0


@public
def ladder(
    losses: ArrayLike, *, step: float | None = None, noise: float = 0.0, rng: Seed = 0
) -> Board:
    r"""Ladder of Blum and Hardt: release a score only if it improves by more than luck.

    A submission becomes the leader if :math:`R_S(f_t) < R_{t-1} - \eta`; then :math:`R_t` is its
    mean loss, rounded to a multiple of :math:`\eta`, with halves rounded up. Otherwise the board
    shows :math:`R_{t-1}` again. Without `step`, the parameter-free Ladder recomputes :math:`\eta =
    s/\sqrt n` each time, with s the standard deviation of the differences from the leader's losses,
    and rounds to a multiple of 1/n. For 0/1 losses this is a rule for two counts: the new
    submission leads if :math:`n_{10} > n_{01}` and :math:`(n_{10} - n_{01})^2 > n_{10} + n_{01}`,
    with :math:`n_{10}` the number of examples that only the leader gets wrong. A tie is not an
    improvement. Ties are decided exactly: 0.2 is not below 0.3 - 0.1.

    With `noise` :math:`\sigma` it is the shaky Ladder, whose comparison is :math:`R_S(f_t) +
    \mathrm{Lap}(4\sigma) < R_{t-1} - \eta + \mathrm{Lap}(2\sigma)`, the latter noise drawn again at
    each release. It releases :math:`R_S(f_t) + \mathrm{Lap}(\sigma)`.

    Parameters
    ----------
    losses : array_like, shape (k, n)
        Losses in [0, 1] of each submission on each test example, in the order of submission.
    step : float, optional
        The step :math:`\eta`, in [1e-6, 1); None for the parameter-free Ladder.
    noise : float
        The noise rate :math:`\sigma`, at least 0; above 0 only together with a step.
    rng : seed, Generator or None
        Draws the noise; the same in each call by default. Use None if analysts could know the seed.

    Returns
    -------
    Board
        ``(released, leader)``, each of shape (k,).

    Raises
    ------
    ValueError, TypeError
        If `losses` is not a matrix of losses or an argument leaves its range.

    References
    ----------
    Blum and Hardt, The Ladder: a reliable leaderboard for machine learning competitions, ICML
    2015. The standard deviation has 1/(n-1), as in the authors' own program.
    Hardt, Climbing a shaky ladder: better adaptive risk estimation, arXiv:1706.02733, 2017. Where
    the noise enters is our choice: as in `errlab.holdout.thresholdout`.

    Examples
    --------
    >>> ladder([[1, 1, 1, 1, 0], [1, 1, 1, 0, 0], [0, 0, 0, 0, 1]], step=0.2).released
    array([0.8, 0.8, 0.2])
    """
    array = checks.losses(losses, ndim=2)
    n = array.shape[1]
    checks.require(n > 1 or step is not None, "losses", "have 2 examples or more without a step", n)
    board = RunningLadder(step, noise, rng)
    released = np.empty(len(array))
    leader = np.zeros(len(array), dtype=np.int64)
    for t, row in enumerate(array):
        leader[t] = t if board.submit_checked(row) else leader[t - 1]
        released[t] = board.shown
    return Board(released, leader)


@public
def ladder_bound(
    n: ArrayLike, submissions: ArrayLike, *, step: ArrayLike, delta: ArrayLike = 0.05
) -> FloatOrArray:
    r"""Return how far the Ladder's score may be from the best true error, for any strategy.

    With probability at least :math:`1 - \delta` over the test set, after each of k submissions

    .. math:: \left|R_t - \min_{i \le t} R(f_i)\right| \le \eta + \sqrt{\frac{
              (1/\eta + 2) \ln(4k/\eta) + \ln(2/\delta)}{2n}}

    The square root is Hoeffding's inequality for all possible submissions, of which there are at
    most :math:`(4k/\eta)^{1/\eta + 2}`, because the board releases so little information. The bound
    is of the order of :math:`(\ln(kn)/n)^{1/3}`, and smallest for a step of about half that. It is
    valid only for a fixed step without noise, not for the parameter-free Ladder.

    Parameters
    ----------
    n : int or array_like
        Number of test examples, at least 1.
    submissions : int or array_like
        Number k of submissions, at least 1.
    step : float or array_like
        The step :math:`\eta` of the Ladder, in [1e-6, 1).
    delta : float or array_like
        Probability that the bound may fail, in (0, 1).

    Returns
    -------
    float or ndarray
        The bound, at most 1.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range or the shapes do not broadcast.

    References
    ----------
    Blum and Hardt, The Ladder, ICML 2015, Claim 3.2 and Theorem 3.1.

    Examples
    --------
    >>> round(ladder_bound(100_000, 1000, step=0.05), 3)
    0.086
    """
    size, k, eta, level = checks.same_shape(
        n=checks.count(n),
        submissions=checks.count(submissions, "submissions"),
        step=checks.within(step, "step", 1e-6, 1, open_high=True),
        delta=checks.delta(delta),
    )
    courses = (1 / eta + 2) * np.log(4 * k / eta)
    return checks.plain(np.minimum(eta + np.sqrt((courses + np.log(2 / level)) / (2 * size)), 1))


class Board(Spoken, _Board):
    """The score released after each submission, and the leading submission."""

    def claim(self) -> str:
        """Return the result in a sentence."""
        return (
            f"{rounding.count(len(self.released), 'submission')}: the score shown last is "
            f"{float(self.released[-1]):.4g}, and number {int(self.leader[-1]) + 1} leads."
        )

    __repr__ = claim  # arrays would fill the screen
