"""Blaker's interval: as rigorous as Clopper and Pearson's, and never wider."""

import numpy as np
from scipy import special

from errlab._numerics.roots import beta_quantile, binomial_cdf, bisect, first_whole
from errlab.bounds._bound import FloatArray, Measured, Probability, bound

_OUTWARD = 1e-14


@bound(
    key="BLA",
    name="Blaker",
    place=19,
    equations="Blaker 2000",
    loss="binary",
    rigorous=True,
    two_sided=True,
)
def blaker(sample: Measured, delta: FloatArray) -> Probability:
    r"""Blaker's bound: the upper end of the two-sided interval, which is proven and narrow.

    For :math:`x` errors and an error rate :math:`L > x / n` let :math:`a = P(B \le x)` with
    :math:`B \sim \mathrm{Bin}(n, L)`. The bound is the largest :math:`L` with

    .. math:: a + P(B \ge x^*) > \delta, \quad x^* = \min \{j : P(B \ge j) \le a\}.

    The second term is the largest part of the other tail that is at most :math:`a`. Clopper and
    Pearson give :math:`\delta / 2` to each tail, even if the other tail needs less, so their
    interval contains this one. One inequality gives both ends, so as a one-sided bound
    Clopper-Pearson is lower. Between whole counts the bound is interpolated.

    At the points :math:`b_j` where both tails are equal, :math:`P(B \ge j) = P(B \le x)`,
    :math:`x^*` changes from j to j + 1 and the sum drops from :math:`2 a`. Between these points it
    is one minus the probability of a range of counts, which rises and then falls with L. So beyond
    the last :math:`b_j` at which the sum exceeds :math:`\delta`, it crosses that level once.

    References
    ----------
    Blaker, Canadian Journal of Statistics 28 (2000), 783-798; Klaschka, COMPSTAT (2010), on the
    gaps that a search in steps overlooks.

    Examples
    --------
    >>> round(blaker(7 / 200, 200), 4)
    0.0705
    """
    below = np.floor(sample.errors)
    part = sample.errors - below
    first = _upper_end(below, sample.n, delta)
    second = _upper_end(np.minimum(below + 1, sample.n), sample.n, delta)
    return Probability(*((1 - part) * np.array(first) + part * np.array(second)))


def _upper_end(errors: FloatArray, n: FloatArray, delta: FloatArray) -> Probability:
    """Return the upper end for whole counts."""
    some = errors < n
    x = np.where(some, errors, 0.0)
    # start at Clopper and Pearson's end, where both tails are at most delta / 2
    outer = beta_quantile(n - x, x + 1, delta / 2).mirrored
    last = special.logit(outer.value)
    last = np.where(outer.value < 0.5, last, -special.logit(outer.complement))

    def lower_tail(logit: FloatArray) -> FloatArray:
        return binomial_cdf(x, n, _rate_of_logit(logit))

    def upper_tail(j: FloatArray, logit: FloatArray) -> FloatArray:
        return binomial_cdf(n - j, n, _rate_of_logit(logit).mirrored)

    beyond = first_whole(lambda j: upper_tail(j, last) <= delta / 2, x, n + 1.0)
    none = np.full_like(last, -700.0)
    border = bisect(lambda t: upper_tail(beyond - 1, t) <= lower_tail(t), none, last)
    end = _rate_of_logit(
        bisect(lambda t: lower_tail(t) + upper_tail(beyond, t) > delta, border, last)
    )
    # One count's upper end is another's lower end, so round outward to leave no gap between them.
    return Probability(end.value * (1 + _OUTWARD), end.complement * (1 - _OUTWARD)).or_one(some)


def _rate_of_logit(logit: FloatArray) -> Probability:
    """Return the error rate with this logit; the logit keeps the digits at both ends of [0, 1]."""
    return Probability(special.expit(logit), special.expit(-logit))
