"""The CUD bound: the suprema of all draws, their quantile, and the interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab._core import checks, rounding
from errlab._core.checks import FloatArray, Seed
from errlab._core.interval import Interval
from errlab._core.public import public
from errlab._core.spoken import Spoken
from errlab._numerics import least_squares
from errlab.bootstrap import _resample as resample
from errlab.training_set._cud._grow import suprema
from errlab.training_set._least_squares import Basis, LeastSquares
from errlab.training_set._method import Task, method


@dataclass(frozen=True, repr=False)
class CUDResult(Spoken):
    r"""The result of `cud_bound`.

    Attributes
    ----------
    interval : Interval
        Training error plus and minus `quantile`, clipped to [0, 1].
    training_error : float
        Error of the least-squares classifier on its own training set.
    quantile : float
        The :math:`1 - \delta` quantile of `suprema`: half of the width before clipping.
    suprema : ndarray, shape (resamples,)
        The supremum for each bootstrap draw; an upper bound for it if `exact` is False.
    exact : ndarray of bool, shape (resamples,)
        False if `max_nodes` stopped the search.
    """

    interval: Interval
    training_error: float
    quantile: float
    suprema: FloatArray
    exact: NDArray[np.bool_]

    def claim(self) -> str:
        """Return the result in a sentence."""
        cut = int((~self.exact).sum())
        search = f"{cut} searches were cut, which widens it" if cut else "all searches exact"
        low = rounding.percent(self.interval.low, math.floor)
        high = rounding.percent(self.interval.high, math.ceil)
        error = rounding.percent(self.training_error)
        return (
            f"CUD bound: training error {error}, {low} to {high} for "
            "the error of this classifier (nothing proven for a finite sample).\n"
            f"Half of its width is {self.quantile:.4g}, from {len(self.suprema)} bootstrap draws; "
            f"{search}."
        )

    __repr__ = claim  # arrays would fill the screen


@public
def cud_supremum(
    Z: ArrayLike, y: ArrayLike, counts: ArrayLike, *, alpha: float | None = None
) -> FloatArray:
    r"""Return the exact supremum of the constrained uniform deviation for each bootstrap draw.

    For counts m of one draw, with :math:`\hat\beta` the least-squares fit to all examples,

    .. math:: Q = \sup_\beta \Big| \frac1n \sum_i (m_i - 1) 1\{\operatorname{sign}(z_i^T\beta)
              \ne y_i\} \Big| \, g\big(\alpha (L_m(\hat\beta) - L_m(\beta))\big), \quad
              L_m(\beta) = \frac1n \sum_i m_i (y_i - z_i^T \beta)^2

    and :math:`g(x) = \min(1, 1 + x)`, by an exact search whose time may grow exponentially with the
    rank of Z. `cud_bound` can limit it.

    Parameters
    ----------
    Z : array_like, shape (n, p)
        Design matrix, of any rank. Rows may be repeated or parallel.
    y : array_like, shape (n,)
        Labels in {-1, +1}.
    counts : array_like, shape (B, n)
        How often each draw contains each example; each row sums to n.
    alpha : float, optional
        Scale of the loss gap, above 0; n by default.

    Returns
    -------
    ndarray, shape (B,)
        The suprema, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If the shapes do not fit, or an argument leaves its range.

    Notes
    -----
    The supremum is over all coefficients with no example on the boundary, and their
    limits. If some :math:`v` has :math:`z_i^T v > 0` for all i, as with an intercept, this is the
    supremum over all coefficients, because adding a small multiple of :math:`\pm v` gives the
    examples on the boundary either label. A zero row is always on the boundary and gets the label
    -1.

    Exact means accurate to about 1e-12, whatever the location and units of the features. Digits are
    lost if an example is more than 1e5 times farther out than the others, so that a draw without it
    has a condition number of 1e10 or more. Draws of deficient rank are accurate to about ``1e-11 *
    alpha``. If a draw holds so few examples that nearly repeated ones alone determine a direction,
    its supremum may be wrong: for ten examples, five coefficients and differences of 1e-5 of the
    features' spread or less, up to 11 of 20 suprema were off by up to 0.1.

    References
    ----------
    Laber and Murphy (2008), Sections 3 and 4. Their branch and bound takes the cells as closed
    half-spaces, which all hold :math:`\beta = 0`: too large where that is within reach.

    Examples
    --------
    >>> Z, y = [[1, -1], [1, 0], [1, 2]], [-1, 1, 1]
    >>> cud_supremum(Z, y, [[1, 1, 1], [2, 1, 0], [0, 0, 3]]).round(4)
    array([0.    , 0.1293, 0.3333])
    """
    design, labels, drawn = checked(Z, y, counts)
    # adding 0.0 turns -0.0 into 0.0
    return suprema(design, labels, drawn, scale(alpha, len(labels)))[1] + 0.0


def checked(
    Z: ArrayLike, y: ArrayLike, counts: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Check a design, labels and counts."""
    design = checks.matrix(Z, "Z")
    labels = checks.signs(y)
    n = checks.same_length(Z=design, y=labels)
    drawn = checks.count(counts, "counts", 0, ndim=2).astype(float)
    checks.require(drawn.shape[1] == n, "counts", f"have shape (B, {n})", drawn)
    sums = drawn.sum(axis=1)
    worst = int(sums[np.argmax(sums != n)])
    checks.require(worst == n, "counts", f"sum to n = {n} in each row", worst)
    return design, labels, drawn


def scale(alpha: float | None, n: int) -> float:
    """Check the scale of the loss gap, which is n by default."""
    return float(n if alpha is None else checks.within(alpha, "alpha", 1 / checks.LARGE, ndim=0))


@public
def cud_bound(
    X: ArrayLike,
    y: ArrayLike,
    *,
    basis: Basis | None = None,
    delta: float = 0.05,
    resamples: int = 500,
    alpha: float | None = None,
    max_nodes: int | None = None,
    rng: Seed = 0,
) -> CUDResult:
    r"""Return the CUD bound on the error of a least-squares classifier from its training set.

    The interval is the training error plus and minus the :math:`1-\delta` quantile of the suprema
    of bootstrap draws (see `cud_supremum`).

    Parameters
    ----------
    X : array_like, shape (n, q)
        Training examples.
    y : array_like, shape (n,)
        Labels in {-1, +1}.
    basis : callable, optional
        Maps X to the design matrix, row by row; a column of ones and the features by default.
    delta : float
        Probability that the interval may fail, in (0, 1).
    resamples : int
        Number of bootstrap draws.
    alpha : float, optional
        Scale of the loss gap, above 0; n by default. A larger one shrinks the neighbourhood.
    max_nodes : int, optional
        Limit of the search for one draw, from rank 4 on. If it stops a search, an upper bound takes
        the place of the supremum, which is marked in ``exact``: the interval is then too wide
        rather than too narrow.
    rng : seed, Generator or None
        Draws the counts; the same in each call by default.

    Returns
    -------
    CUDResult
        The interval, and the numbers from which it is computed.

    Raises
    ------
    ValueError, TypeError
        If X and y have different lengths, or an argument leaves its range.

    References
    ----------
    Laber and Murphy (2008), Proposition 1 and Section 3.1.

    Examples
    --------
    >>> from errlab.datasets import gaussian_mixture
    >>> X, y, _ = gaussian_mixture(30, rng=0)
    >>> result = cud_bound(X, y, rng=0)
    >>> bool(result.interval.low == 0 < result.training_error < result.interval.high < 0.6)
    True
    """
    Z = LeastSquares(basis).design(X)
    labels = checks.signs(y)
    n = checks.same_length(X=Z, y=labels)
    level = checks.one_delta(delta)
    size = checks.one_count(resamples, "resamples")
    limit = np.inf if max_nodes is None else checks.one_count(max_nodes, "max_nodes")
    counts = resample.counts(n, size, checks.generator(rng)).astype(float)
    low, high = suprema(Z, labels, counts, scale(alpha, n), limit)
    # an order statistic, so that the quantile is the supremum of one draw
    quantile = float(np.quantile(high, 1 - level, method="inverted_cdf"))
    # The classifier's own predictions, because its rule decides examples on the boundary.
    rows = least_squares.orthonormal(Z)
    scores = (labels @ rows)[:, None]
    fitted = least_squares.class_of(rows @ scores, least_squares.score_size(rows, scores))
    error = float(np.mean(fitted != (labels > 0)))
    ends = Interval(max(error - quantile, 0.0), min(error + quantile, 1.0))
    return CUDResult(ends, error, quantile, suprema=high, exact=high - low <= 1e-9)


@method(key="CUD", name="CUD bound", place=2)
def cud(task: Task, *, alpha: float | None = None, max_nodes: int | None = None) -> Interval:
    r"""CUD bound: the training error, plus the largest deviation near the fit (CUD).

    It bounds :math:`|\hat\xi_D(\hat f) - \xi(\hat f)|` by the supremum of the deviation over all
    classifiers with nearly the same loss. The supremum is smooth enough to be bootstrapped.

    Options
    -------
    alpha : float, optional
        Scale of the loss gap, above 0; n by default.
    max_nodes : int, optional
        Limit of the search for one draw, from rank 4 on (see `cud_bound`).

    References
    ----------
    Laber and Murphy (2008), Proposition 1.

    Examples
    --------
    >>> from errlab.datasets import gaussian_mixture
    >>> from errlab.training_set import LeastSquares
    >>> X, y, _ = gaussian_mixture(30, rng=0)
    >>> low, high = cud(LeastSquares(), X, y, rng=0)
    >>> bool(0 == low < high < 0.6)
    True
    """
    if task.design is None:
        raise TypeError(
            "estimator must be a LeastSquares classifier for this method, "
            f"got {checks.show(task.estimator)}"
        )
    return cud_bound(
        task.design,
        task.y,
        basis=np.asarray,
        delta=task.delta,
        resamples=task.resamples,
        alpha=alpha,
        max_nodes=max_nodes,
        rng=task.rng,
    ).interval
