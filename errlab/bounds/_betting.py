"""The bound of Waudby-Smith and Ramdas (2024): betting against the true error."""

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.public import public
from errlab._numerics.roots import bisect
from errlab.bounds._bound import FloatArray, Probability, bound

_TRUNCATION = 0.75  # Waudby-Smith and Ramdas advise 1/2 or 3/4


@bound(
    key="BET",
    name="Betting",
    place=13,
    look=11,
    equations="Waudby-Smith & Ramdas 2024",
    rigorous=True,
    needs="losses",
)
def betting(losses: Probability, delta: float) -> Probability:
    r"""Betting bound: the largest error against which no fair bet on the losses has won too much.

    To test a candidate error :math:`m`, a gambler starts with a capital of 1 and bets that the next
    loss is below :math:`m`,

    .. math:: K_t(m) = \prod_{i \le t} (1 - \lambda_i(m) (\ell_i - m)), \quad
              \lambda_i(m) = \min\left( \sqrt{\frac{2 \log(1/\delta)}{n \hat\sigma^2_{i-1}}},
              \frac{c}{1-m} \right), \quad c = \tfrac34,

    with a variance :math:`\hat\sigma^2_{i-1}` from the losses before :math:`i`. The bound is the
    largest :math:`m` with :math:`\max_{t \le n} K_t(m) < 1/\delta`. At the true error :math:`K_t`
    is a nonnegative martingale, so the bound is rigorous by Ville's inequality. `interval` uses the
    paper's two-sided hedged capital, with ``delta / 2`` on each side.

    No grid is needed. The stake times the distance is :math:`\min(a, b)` for :math:`m \ge \ell_i`
    and :math:`\max(a, b)` for :math:`m < \ell_i`, where :math:`a = \lambda (m - \ell_i)` and
    :math:`b = c (m - \ell_i) / (1 - m)` both increase in :math:`m`. So every factor, every
    :math:`K_t` and their maximum are continuous and never fall. The accepted :math:`m` are
    therefore an interval that starts at 0, whose end is found by bisection. The outer end of the
    last bracket is returned: unless it is 1, the capital reaches :math:`1/\delta` there, so the
    bound is valid. It exceeds the exact bound by at most 1e-18 and a rounding error.

    About one order in some hundreds is so lucky for the gambler that it rules out even the mean of
    the test set. Then the mean is returned, because a larger upper bound is still valid. Averaging
    the final capital over several orders would also be valid, by Markov's inequality, and never
    rules the mean out. But it gives up the maximum over t: for 60 to 1,000 examples with 0/1,
    uniform or beta losses such intervals are 9 to 18% wider.

    The order of the losses matters. It must not depend on their values, as it does in a file that
    is sorted by difficulty, so losses are read in a random order, drawn from `rng`, which is fixed
    by default. The bound is proven for independent draws from one population, for every `rng` and
    for ``order="given"``, because such draws stay independent in any order that is fixed
    beforehand. If the draws were sorted afterwards, it is proven for the random order. Trying
    several orders and keeping the best is cheating.

    References
    ----------
    Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86 (2024), 1-27.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.arange(200) % 28 == 13  # 7 errors, evenly spread
    >>> round(betting(losses, order="given"), 4)
    0.0836
    >>> round(betting(np.sort(losses)), 4)
    0.0611
    """
    # Compute a lower bound r for the mean gain, where gain = 1 - loss (test sets x examples).
    gain = losses.complement
    target = -np.log(delta)
    stake = _stakes(gain, target)
    none = np.zeros(gain.shape[:-1])
    complement = bisect(
        lambda r: _log_capital(gain, stake, r).max(axis=-1) >= target, none, none + 1
    )
    # bisect returns the middle of its last bracket; subtract half its width, so the bound stays
    # valid.
    return Probability.of(complement - 0.5**61).mirrored


@public
def log_capital(losses: ArrayLike, error: float, *, delta: float = 0.05) -> FloatArray:
    r"""Return :math:`\log K_t(m)` of `betting` after each loss, in the order given.

    Parameters
    ----------
    losses : array_like, shape (n,)
        Losses in [0, 1].
    error : float
        The candidate m, in [0, 1).
    delta : float
        Probability that the bound may fail, in (0, 1).

    Returns
    -------
    ndarray, shape (n,)
        The log capital; above :math:`\log 1/\delta` the candidate is rejected.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.arange(200) % 28 == 13
    >>> m = betting(losses, order="given")
    >>> round(float(log_capital(losses, m).max() / np.log(20)), 6)
    1.0
    """
    gain = 1 - checks.losses(losses)
    candidate = float(checks.within(error, "error", 0, 1, open_high=True, ndim=0))
    stakes = _stakes(gain, -np.log(checks.one_delta(delta)))
    return _log_capital(gain, stakes, np.array(1 - candidate))


def _stakes(gain: FloatArray, target: float) -> FloatArray:
    """Return the stakes before they are limited; they are larger if earlier losses vary less."""
    # Start with an imagined loss of 1/2 and variance 1/4, so that no stake is infinite.
    n = gain.shape[-1]
    cases = np.arange(2, n + 2)
    mean = (0.5 + gain.cumsum(axis=-1)) / cases
    var = (0.25 + ((gain - mean) ** 2).cumsum(axis=-1)) / cases
    # A stake may depend only on earlier losses; otherwise the capital is no martingale.
    var = np.roll(var, 1, axis=-1)
    var[..., 0] = 0.25
    return np.asarray(np.sqrt(2 * target / (n * var)))


def _log_capital(gain: FloatArray, stake: FloatArray, candidate: FloatArray) -> FloatArray:
    """Return the log capital after each loss, for one candidate r = 1 - m of each test set."""
    r = candidate[..., None]
    # The limit keeps every factor above 1 - c, so the capital stays positive.
    growth = np.log1p(np.minimum(stake, _TRUNCATION / r) * (gain - r))
    return growth.cumsum(axis=-1)
