"""Bounds that the survey does not have: two for binary losses, two for losses in [0, 1]."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from errlab._checks import FloatArray
from errlab.bounds._bound import bound
from errlab.bounds.binary import beta_quantile, count_of_errors, normal_quantile
from errlab.bounds.bounded import tight_hoeffding
from errlab.losses import Sample


@bound(
    key="AC", name="Agresti-Coull", equations="Agresti-Coull 1998", loss="binary", rigorous=False
)
def agresti_coull(sample: Sample, delta: FloatArray) -> FloatArray:
    r"""Agresti-Coull bound: Wald after adding z^2/2 errors and z^2/2 successes.

    .. math:: L \le \tilde p + z_{1-\delta} \sqrt{\tilde p (1 - \tilde p) / \tilde n}, \quad
              \tilde n = n + z^2, \; \tilde p = (n \hat L_n + z^2/2) / \tilde n

    References
    ----------
    Agresti and Coull, The American Statistician 52 (1998), 119-126.

    Examples
    --------
    >>> round(agresti_coull(7 / 200, 200), 4)
    0.0642
    """
    z = normal_quantile(delta)
    total = sample.n + z**2
    centre = (sample.n * sample.mean + z**2 / 2) / total
    return np.asarray(centre + z * np.sqrt(centre * (1 - centre) / total))


@bound(key="JEF", name="Jeffreys", equations="Brown et al. 2001", loss="binary", rigorous=False)
def jeffreys(sample: Sample, delta: FloatArray) -> FloatArray:
    r"""Jeffreys bound: the posterior quantile under the Beta(1/2, 1/2) prior.

    The :math:`1-\delta` quantile of the beta distribution with parameters
    :math:`n \hat L_n + 1/2` and :math:`n - n \hat L_n + 1/2`, unmodified at the ends.

    References
    ----------
    Brown, Cai and DasGupta, Statistical Science 16 (2001), 101-133.

    Examples
    --------
    >>> round(jeffreys(7 / 200, 200), 4)
    0.0616
    """
    k = count_of_errors(sample)
    return beta_quantile(k + 0.5, sample.n - k + 0.5, delta)


@bound(key="BEN", name="Bentkus", equations="Bentkus 2004", loss="bounded", rigorous=True)
def bentkus(sample: Sample, delta: FloatArray) -> FloatArray:
    r"""Bentkus bound: the binomial law is the worst case for every convex function.

    The largest :math:`L` with, for :math:`B \sim \mathrm{Bin}(n, L)` and
    :math:`x = n \hat L_n`,

    .. math:: \min_{h > x} \frac{E (h - B)_+}{h - x} \ge \delta.

    It is rigorous. Let :math:`S` be the sum of :math:`n` independent losses in [0, 1] with mean
    :math:`L`. Tossing for each loss a coin that shows 1 with that loss as its probability
    turns :math:`S` into :math:`B` and keeps its mean, so that :math:`E f(S) \le E f(B)` for
    convex :math:`f` (Jensen). With Markov's inequality for :math:`(h - S)_+` this gives
    :math:`P(S \le x) \le E (h - B)_+ / (h - x)` for every :math:`h > x`.
    It is never looser than the tight Hoeffding bound, since an exponential is a mixture of
    such hinges, and never looser than :math:`e \, P(B \le x) \ge \delta`, the form
    that is usually quoted. It uses the mean only, and is Clopper-Pearson where no loss is above 0.

    The minimum over :math:`h` is exact. Between two whole numbers the numerator is linear,
    so that the ratio is monotone and only whole :math:`h \le n` count. There the ratio
    falls until :math:`(h - x) P(B \le h)` first reaches :math:`E (h - B)_+`, whose
    difference never falls: bisection finds the place.

    References
    ----------
    Bentkus, Annals of Probability 32 (2004), 1650-1673 (the survey's [31]).

    Examples
    --------
    >>> round(bentkus(7 / 200, 200), 4)
    0.0692
    """
    n, x = sample.n, count_of_errors(sample)
    upper = np.ones(x.shape)
    inside = x < n
    x, n, delta = x[inside], n[inside], delta[inside]
    if x.size:
        start = np.minimum(tight_hoeffding(x / n, n, delta=delta), 1 - 2**-53)  # see _descend
        upper[inside] = _descend(start, x, n, np.log(delta))
    return upper


def _cdf(k: FloatArray, n: FloatArray, error: FloatArray) -> FloatArray:
    """P(Bin(n, error) <= k) for whole k of at least -1."""
    inside = (k >= 0) & (k < n)
    tail = special.betaincc(np.where(inside, k + 1, 1.0), np.where(inside, n - k, 1.0), error)
    return np.where(inside, tail, np.where(k < 0, 0.0, 1.0))


def _hinge(h: FloatArray, n: FloatArray, error: FloatArray) -> FloatArray:
    """E (h - B)_+ for B ~ Bin(n, error) and whole h of at least 1."""
    return h * _cdf(h - 1, n, error) - n * error * _cdf(h - 2, n - 1, error)


def _best_hinge(h: FloatArray, x: FloatArray, n: FloatArray, error: FloatArray) -> FloatArray:
    """Return the first whole number from `h` on at which the ratio of `bentkus` stops falling."""

    def falls(at: FloatArray) -> NDArray[np.bool_]:
        return np.asarray(_hinge(at, n, error) > (at - x) * _cdf(at, n, error))

    low, high, stride = h, h, 1
    while (beyond := falls(high) & (high < n)).any():
        low = np.where(beyond, high + 1, low)
        high = np.where(beyond, np.minimum(high + stride, n), high)
        stride *= 2
    while (open_ := low < high).any():
        middle = np.floor((low + high) / 2)
        beyond = falls(middle) & open_
        low = np.where(beyond, middle + 1, low)
        high = np.where(beyond, high, np.minimum(middle, high))
    return high


def _descend(error: FloatArray, x: FloatArray, n: FloatArray, level: FloatArray) -> FloatArray:
    r"""Newton on the log of the ratio, from above: the log is concave and falls in `error`.

    :math:`E (h-B)_+ = n \int_L^1 P(\mathrm{Bin}(n-1, u) < h) du` is log-concave in :math:`L`, so
    the tangent at a point right of the root meets the level right of the root. Each step is
    therefore a valid bound, with the best :math:`h` of its moment. As :math:`L` falls that
    :math:`h` can only grow, since :math:`E(h - B \mid B \le h)` grows.
    """
    h = np.floor(x) + 1
    going = np.arange(error.size)
    for _ in range(100):
        here = error[going], x[going], n[going]
        h[going] = best = _best_hinge(h[going], here[1], here[2], here[0])
        value = _hinge(best, here[2], here[0])
        slope = here[2] * _cdf(best - 1, here[2] - 1, here[0])  # minus the derivative of value
        usable = (value > 0) & (slope > 0)  # not where they underflow: the start is valid too
        value, slope = np.where(usable, value, 1.0), np.where(usable, slope, np.inf)
        step = value / slope * (level[going] + np.log(best - here[1]) - np.log(value))
        error[going] -= np.maximum(step, 0)
        going = going[step > np.minimum(1e-13 * here[0], 1e-4 * (1 - here[0]))]
        if going.size == 0:
            break
    return error


_TRUNCATION = 0.75  # Waudby-Smith and Ramdas advise 1/2 or 3/4
_CLOSE = 1e-12  # length of the last bracket


@bound(
    key="BET",
    name="Betting",
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
