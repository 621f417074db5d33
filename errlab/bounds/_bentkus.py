"""Bentkus' bound (2004): among convex functions, the binomial distribution is the worst case."""

import numpy as np
from numpy.typing import NDArray

from errlab._numerics.roots import binomial_cdf, first_whole
from errlab.bounds._bound import FloatArray, Measured, Probability, bound
from errlab.bounds._tight_hoeffding import invert_divergence


@bound(key="BEN", name="Bentkus", place=12, look=10, equations="Bentkus 2004", rigorous=True)
def bentkus(sample: Measured, delta: FloatArray) -> Probability:
    r"""Bentkus bound: the binomial distribution is the worst case for every convex function.

    The largest :math:`L` with, for :math:`B \sim \mathrm{Bin}(n, L)` and
    :math:`x = n \hat L_n`,

    .. math:: \min_{h > x} \frac{E (h - B)_+}{h - x} \ge \delta.

    It is rigorous. Let :math:`S` be the sum of :math:`n` independent losses in [0, 1] with mean
    :math:`L`. Replacing each loss by a coin that shows 1 with the loss as its probability turns
    :math:`S` into :math:`B` without changing the mean, so :math:`E f(S) \le E f(B)` for convex
    :math:`f` (Jensen). With Markov's inequality for :math:`(h - S)_+` this gives :math:`P(S \le x)
    \le E (h - B)_+ / (h - x)` for every :math:`h > x`. It is never looser than the tight Hoeffding
    bound, because an exponential is a mixture of such hinges, and never looser than the form that
    is usually quoted, :math:`e \, P(B \le x) \ge \delta`. It uses only the mean, and equals
    Clopper-Pearson if all losses are 0.

    The minimum over :math:`h` is exact. Between two whole numbers the numerator is linear and the
    ratio monotone, so only whole :math:`h \le n` matter. Among these the ratio falls until
    :math:`E(B \mid B \le h)` first reaches :math:`x`: until :math:`n L \, P(B' < h) \ge x P(B \le
    h)`, with :math:`B' \sim \mathrm{Bin}(n-1, L)`. That mean never falls as :math:`h` grows, so
    bisection finds this :math:`h`.

    References
    ----------
    Bentkus, Annals of Probability 32 (2004), 1650-1673 (the survey's [31]).

    Examples
    --------
    >>> round(bentkus(7 / 200, 200), 4)
    0.0692
    """
    # The tight Hoeffding bound is never lower, so Newton's method descends from it.
    start = invert_divergence(sample, -np.log(delta) / sample.n)
    # h = n gives 1 - markov as an upper bound; the best h gives a lower one
    markov = delta * sample.right / sample.n
    above = Probability(np.minimum(start.value, 1 - markov), np.maximum(start.complement, markov))
    # If every loss is 1, no hinge lies beyond the sum, and the bound is 1.
    some = sample.right > 0
    return _newton_from_above(above, np.where(some, sample.errors, 0.0), sample.n, delta).or_one(
        some
    )


def _hinge(h: FloatArray, n: FloatArray, error: Probability) -> tuple[FloatArray, FloatArray]:
    """Return E (h - B)_+ for B ~ Bin(n, error), whole h of at least 1, and minus its derivative."""
    # E (h - B)_+ = h P(B < h) - E[B; B < h], and E[B; B < h] = n L P(B' < h - 1), B' ~ Bin(n - 1,
    # L).
    less = binomial_cdf(h - 2, n - 1, error)
    more = binomial_cdf(h - 1, n - 1, error)
    below = error.complement * more + error.value * less  # P(B <= h - 1)
    # Two formulas for one number: each is inaccurate near one end of [0, 1].
    from_errors = h * below - n * error.value * less
    from_successes = n * error.complement * more - (n - h) * below
    return np.where(error.value < 0.5, from_errors, from_successes), n * more


def _best_hinge(h: FloatArray, x: FloatArray, n: FloatArray, error: Probability) -> FloatArray:
    """Return the first whole number from `h` on at which the ratio of `bentkus` stops falling."""

    def stops(at: FloatArray) -> NDArray[np.bool_]:
        fewer = n * error.value * binomial_cdf(at - 1, n - 1, error)
        return x * binomial_cdf(at, n, error) <= fewer

    return first_whole(stops, h - 1, n)


def _newton_from_above(
    error: Probability, x: FloatArray, n: FloatArray, delta: FloatArray
) -> Probability:
    r"""Newton's method from above on the log of the ratio, which is concave and falls in `error`.

    :math:`E (h-B)_+ = n \int_L^1 P(\mathrm{Bin}(n-1, u) < h) du` is log-concave in :math:`L`, so
    the tangent at a point above the root meets the level above the root. So each step is a valid
    bound, with the best :math:`h` at that point. As :math:`L` falls, that :math:`h` can only grow,
    because :math:`E(h - B \mid B \le h)` grows.
    """
    h = np.floor(x) + 1
    for _ in range(100):
        h = _best_hinge(h, x, n, error)
        value, slope = _hinge(h, n, error)
        # Newton's step for log ratio - log delta, where the ratio is the hinge over h - x.
        step = value / slope * (np.log(delta) + np.log(h - x) - np.log(value))
        # Newton's steps go down from above, so a negative one is rounding. If the hinge underflows,
        # don't move: each point so far is a valid bound.
        step = np.where((value > 0) & (slope > 0), np.maximum(step, 0), 0.0)
        error = Probability(error.value - step, error.complement + step)
        # converged: the next step would be about the square of this one
        if (step <= 1e-10 * np.minimum(*error)).all():
            break
    return error
