"""The bound of Waudby-Smith and Ramdas (2024): betting against the true error."""

from __future__ import annotations

import numpy as np

from errlab._checks import FloatArray
from errlab.bounds._bound import bound

_TRUNCATION = 0.75  # Waudby-Smith and Ramdas advise 1/2 or 3/4
_CLOSE = 1e-12  # length of the last bracket


@bound(
    key="BET",
    name="Betting",
    place=13,
    look=11,
    equations="Waudby-Smith & Ramdas 2024",
    loss="bounded",
    rigorous=True,
    needs="losses",
)
def betting(losses: FloatArray, delta: float) -> FloatArray:
    r"""Betting bound: no gambler grows rich against the true error.

    For a candidate error :math:`m` a gambler starts with 1 and stakes on the next loss being
    below :math:`m`,

    .. math:: K_t(m) = \prod_{i \le t} (1 - \lambda_i(m) (\ell_i - m)), \quad
              \lambda_i(m) = \min\left( \sqrt{\frac{2 \log(1/\delta)}{n \hat\sigma^2_{i-1}}},
              \frac{c}{1-m} \right), \quad c = \tfrac34,

    with a variance :math:`\hat\sigma^2_{i-1}` from the losses before :math:`i`. The bound is the
    largest :math:`m` with :math:`\max_{t \le n} K_t(m) < 1/\delta`. At the true error
    :math:`K_t` is a nonnegative martingale, so it is rigorous by Ville's inequality. `interval`
    gives the two-sided hedged capital of the paper: each side at ``delta / 2``.

    No grid is needed. The stake times the distance is :math:`\min(a, b)` for
    :math:`m \ge \ell_i` and :math:`\max(a, b)` for :math:`m < \ell_i`, where
    :math:`a = \lambda (m - \ell_i)` and :math:`b = c (m - \ell_i) / (1 - m)` both increase in
    :math:`m`. So every factor, every :math:`K_t` and their maximum are non-decreasing and
    continuous, the accepted :math:`m` are one interval from 0, and a bracket closes in on its
    end. The upper end of the last bracket is returned: where it is below 1 the capital has
    reached :math:`1/\delta` there, and it is at most 1e-12 above the exact bound.

    The order of the losses matters. It must not depend on their values: leave the test set as
    it was drawn.

    References
    ----------
    Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86 (2024), 1-27.

    Examples
    --------
    >>> import numpy as np
    >>> losses = np.arange(200) % 28 == 13  # 7 errors, evenly spread
    >>> round(betting(losses), 4)
    0.0836
    """
    n = losses.shape[-1]
    seen = losses.reshape(-1, n)
    target = -np.log(delta)
    cases = np.arange(2, n + 2)
    mean = (0.5 + seen.cumsum(axis=1)) / cases
    var = (0.25 + ((seen - mean) ** 2).cumsum(axis=1)) / cases
    before = np.concatenate([np.full((len(seen), 1), 0.25), var[:, :-1]], axis=1)
    guess = mean[:, -1] + np.sqrt(2 * target * var[:, -1] / n)
    stake = np.sqrt(2 * target / (n * before))
    upper = _break_even(seen, stake, target, np.minimum(guess, (1 + mean[:, -1]) / 2))
    return upper.reshape(losses.shape[:-1])


def _break_even(
    seen: FloatArray, stake: FloatArray, target: float, guess: FloatArray
) -> FloatArray:
    """Find where the largest log capital of `betting` reaches `target`, from above, or 1.

    Newton inside a bracket; each step aims a little beyond the root, so that the bracket closes
    from both sides.
    """
    low, high, x = np.zeros(len(seen)), np.ones(len(seen)), guess
    rows = np.arange(len(seen))
    for _ in range(100):
        m = x[:, np.newaxis]
        rest = 1 - m
        limit = _TRUNCATION / rest
        free = stake <= limit
        factor = 1 + np.where(free, stake, limit) * (m - seen)
        log_capital = np.log(factor).cumsum(axis=1)
        best = log_capital.argmax(axis=1)
        excess = log_capital[rows, best] - target
        growth = np.where(free, stake, limit / rest * (1 - seen)) / factor
        slope = growth.cumsum(axis=1)[rows, best]
        reached = excess >= 0
        low, high = np.where(reached, low, x), np.where(reached, x, high)
        if (high - low <= _CLOSE).all():
            break
        x = x - excess / slope + np.where(reached, -_CLOSE / 3, _CLOSE / 3)
        x = np.where((x >= high) & (high == 1), 1 - _CLOSE / 2, x)  # often it is never reached
        x = np.where((x > low) & (x < high), x, (low + high) / 2)
    return high
