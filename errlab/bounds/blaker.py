"""Blaker's interval: Clopper and Pearson's proof, and less length."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import special

from errlab._numerics.beta import beta_quantile
from errlab._numerics.roots import bisect, first_whole
from errlab.bounds.bound import FloatArray, Measured, Share, bound

_OUTWARD = 1e-14
Tails = Callable[[FloatArray, FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


@bound(
    key="BLA",
    name="Blaker",
    place=19,
    look=19,
    equations="Blaker 2000",
    loss="binary",
    rigorous=True,
    two_sided=True,
    falls=False,
)
def blaker(sample: Measured, delta: FloatArray) -> Share:
    r"""Blaker's bound: the upper end of the two-sided interval, which is proven and short.

    For :math:`x` errors and an error rate :math:`L` above theirs let :math:`a = P(B \le x)` with
    :math:`B \sim \mathrm{Bin}(n, L)`. The largest :math:`L` with

    .. math:: a + P(B \ge x^*) > \delta, \quad x^* = \min \{j : P(B \ge j) \le a\}.

    To the tail seen is added as much of the other one as is no larger. Clopper and Pearson give
    :math:`\delta / 2` to each tail, whatever fits into the other, so that their interval holds this
    one. One inequality gives both ends: as a one-sided bound Clopper-Pearson is lower.
    Between whole counts the bound is interpolated.

    Where tails are equal, at :math:`b_j` with :math:`P(B \ge j) = P(B \le x)`, the sum falls from
    :math:`2 a` as :math:`x^*` passes from j to j + 1. In between it is one minus the probability of
    a run of counts, which rises and then falls with L. So behind the last :math:`b_j` where the sum
    exceeds :math:`\delta` it crosses that level once.

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
    low = _end(below, sample.n, delta)
    if not part.any():
        return low
    high = _end(np.minimum(below + 1, sample.n), sample.n, delta)
    value = (1 - part) * low.value + part * high.value
    return Share(value, (1 - part) * low.rest + part * high.rest)


def _end(errors: FloatArray, n: FloatArray, delta: FloatArray) -> Share:
    """Upper end for whole counts."""
    errors, n, delta = np.broadcast_arrays(errors, n, delta)
    some = errors < n
    x = np.where(some, errors, 0.0)
    # no L beyond Clopper and Pearson's end: there both tails have delta / 2 or less
    last = beta_quantile(n - x, x + 1, delta / 2).mirrored
    # the smaller of the end and its rest is sought, so that both have their digits
    small = last.value <= 0.5
    value, rest = np.empty(x.shape), np.empty(x.shape)
    value[small] = _search(x[small], n[small], delta[small], last.value[small], _of_value)
    rest[small] = 1 - value[small]
    rest[~small] = _search(x[~small], n[~small], delta[~small], last.rest[~small], _of_rest)
    value[~small] = 1 - rest[~small]
    # The upper end of one count is the lower end of another. Rounded outward they leave no gap.
    return Share(value * (1 + _OUTWARD), rest * (1 - _OUTWARD)).or_one(some)


def _of_value(j: FloatArray, n: FloatArray, t: FloatArray) -> tuple[FloatArray, FloatArray]:
    """P(B < j) and P(B >= j) at the error rate t, for j from 1 to n."""
    return special.betaincc(j, n - j + 1, t), special.betainc(j, n - j + 1, t)


def _of_rest(j: FloatArray, n: FloatArray, t: FloatArray) -> tuple[FloatArray, FloatArray]:
    """P(B < j) and P(B >= j) at the error rate 1 - t."""
    return special.betainc(n - j + 1, j, t), special.betaincc(n - j + 1, j, t)


def _search(
    x: FloatArray, n: FloatArray, delta: FloatArray, last: FloatArray, tails: Tails
) -> FloatArray:
    """Where the sum crosses delta, in the variable of `tails`, between no error and `last`."""

    def ours(t: FloatArray) -> FloatArray:
        return tails(x + 1, n, t)[0]

    def other(j: FloatArray, t: FloatArray) -> FloatArray:
        return np.where(j <= n, tails(np.minimum(j, n), n, t)[1], 0.0)

    beyond = first_whole(lambda j: other(j, last) <= delta / 2, x, n + 1.0)
    none = np.full_like(x, tails is _of_rest)  # no error: 0, and a rest of 1
    border = bisect(lambda t: other(beyond - 1, t) <= ours(t), none, last)
    return bisect(lambda t: ours(t) + other(beyond, t) > delta, border, last)
