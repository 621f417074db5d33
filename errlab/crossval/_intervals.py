"""Intervals for the cross-validated error.

Each is a pure function of losses. Losses lie in [0, 1], and so do the ends of the intervals.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._core.interval import Interval, claim
from errlab._core.public import public
from errlab._numerics.roots import normal_quantile
from errlab.crossval._losses import fold_codes, fold_means

# values that agree this closely, relative to the largest, are equal except for rounding
_FLAT = 1e-12

_AVERAGE = "the mean error of models trained so"


def around(centre: float, width: float, low: float = 0.0, high: float = 1.0) -> Interval:
    """Return the centre plus and minus a width, clipped to a range."""
    return Interval(float(max(low, centre - width)), float(min(high, centre + width)))


@public
def clt_interval(
    losses: ArrayLike, fold: ArrayLike, *, delta: float = 0.05, variance: str = "within"
) -> Interval:
    r"""Interval from the central limit theorem for cross-validation (Bayle et al. 2020).

    .. math:: \hat R \pm z_{1-\delta/2} \, \hat\sigma / \sqrt n

    with the variance of the losses within folds (the within-fold estimate) or of all losses
    (all-pairs). For a stable learner and large n it covers the average true error of the k models,
    each trained without its fold, but not the error of the model trained on all data, nor the
    expected error.

    Parameters
    ----------
    losses : array_like, shape (n,)
        Losses in [0, 1].
    fold : array_like, shape (n,)
        The fold of each loss.
    delta : float
        Probability of failure, in (0, 1).
    variance : {"within", "all"}
        "within": the mean of the n-1 variances of the folds, each of which needs at least 2
        examples. "all": the 1/n variance of all losses, which is also for leave-one-out.

    Returns
    -------
    Interval
        ``(low, high)`` in [0, 1]; 0 to 1 if the losses don't vary.

    Raises
    ------
    ValueError, TypeError
        If a loss leaves [0, 1], or a fold has a single example and so no variance within.

    References
    ----------
    Bayle, Bayle, Janson & Mackey (2020), "Cross-validation confidence intervals for test error".

    Examples
    --------
    >>> low, high = clt_interval([0, 1, 0, 0, 1, 0], [0, 0, 0, 1, 1, 1], delta=0.1)
    >>> round(low, 4), round(high, 4)
    (0.0, 0.721)
    """
    values = checks.losses(losses)
    codes = fold_codes(fold, losses=values)
    checks.choice(variance, "variance", ("within", "all"))
    spread: float = values.var()
    if variance == "within":
        sizes = np.bincount(codes)
        if sizes.min() < 2:
            raise ValueError('each fold must hold at least 2 examples for variance="within", got 1')
        # Subtract each fold's own mean, because differences between the models don't count.
        spread = np.mean([values[codes == j].var(ddof=1) for j in range(len(sizes))])
    z = normal_quantile(checks.one_delta(delta) / 2)
    half = z * np.sqrt(spread / len(values)) if spread > 0 else np.inf
    ends = around(float(values.mean()), float(half))
    return claim(ends, _AVERAGE, "central limit theorem", "asymptotic", delta)


@public
def fold_t_interval(losses: ArrayLike, fold: ArrayLike, *, delta: float = 0.05) -> Interval:
    r"""Return Student's interval from the k fold means, as if they were independent.

    .. math:: \bar L \pm t_{k-1, 1-\delta/2} \sqrt{\frac{1}{k(k-1)} \sum_j (L_j - \bar L)^2}

    The training sets overlap, so the fold means are not independent.

    Parameters
    ----------
    losses : array_like, shape (n,)
        Losses in [0, 1].
    fold : array_like, shape (n,)
        The fold of each loss.
    delta : float
        Probability of failure, in (0, 1).

    Returns
    -------
    Interval
        ``(low, high)`` in [0, 1]; 0 to 1 if all folds have the same mean.

    Raises
    ------
    ValueError, TypeError
        If a loss leaves [0, 1] or there is a single fold.

    Examples
    --------
    >>> low, high = fold_t_interval([0, 1, 0, 0], ["a", "a", "b", "b"], delta=0.5)
    >>> round(low, 4), round(high, 4)
    (0.0, 0.5)
    """
    values = checks.losses(losses)
    codes = fold_codes(fold, losses=values)
    means = fold_means(values, codes)
    error = float(means.std(ddof=1) / np.sqrt(len(means)))
    ends = student(means, error, checks.one_delta(delta))
    return claim(ends, _AVERAGE, "t over the folds", "none proven", delta)


@public
def corrected_standard_error(values: ArrayLike, *, n_train: int, n_test: int) -> float:
    r"""Return the standard error of a mean over random splits, after Nadeau and Bengio.

    .. math:: \sqrt{\left(\frac1J + \frac{n_{test}}{n_{train}}\right) S^2}

    with :math:`S^2` the J-1 variance. The second term is for the overlap of the training sets,
    which :math:`S^2/J` ignores.

    Parameters
    ----------
    values : array_like, shape (J,)
        Mean loss of each of J splits, or the difference of two mean losses; J is at least 2.
    n_train, n_test : int
        Number of examples that each split trains on and tests on.

    Returns
    -------
    float
        The standard error.

    Raises
    ------
    ValueError, TypeError
        If there is a single value, or a size is below 1.

    References
    ----------
    Nadeau & Bengio (2003), "Inference for the generalization error".

    Examples
    --------
    >>> round(corrected_standard_error([0.1, 0.2, 0.3], n_train=90, n_test=10), 6)
    0.066667
    """
    array = checks.within(values, "values", -checks.LARGE, checks.LARGE, ndim=1)
    checks.require(len(array) > 1, "values", "hold at least 2 numbers", len(array))
    ratio = checks.one_count(n_test, "n_test") / checks.one_count(n_train, "n_train")
    return float(np.sqrt((1 / len(array) + ratio) * array.var(ddof=1)))


@public
def corrected_resampled_t_interval(
    means: ArrayLike, *, n_train: int, n_test: int, delta: float = 0.05
) -> Interval:
    """Return Student's interval from repeated random splits, corrected for their overlap.

    The mean plus and minus ``t`` with J-1 degrees of freedom times `corrected_standard_error`.

    Parameters
    ----------
    means : array_like, shape (J,)
        Mean loss or score of each split, in [0, 1]; also of the folds of a repeated
        cross-validation.
    n_train, n_test : int
        Number of examples that each split trains on and tests on.
    delta : float
        Probability of failure, in (0, 1).

    Returns
    -------
    Interval
        ``(low, high)`` in [0, 1]; 0 to 1 if all means are equal.

    Raises
    ------
    ValueError, TypeError
        If there is a single value, or a number leaves its range.

    References
    ----------
    Nadeau & Bengio (2003), "Inference for the generalization error".

    Examples
    --------
    >>> low, high = corrected_resampled_t_interval([0.1, 0.2, 0.3], n_train=90, n_test=10)
    >>> round(low, 4), round(high, 4)
    (0.0, 0.4868)
    """
    array = checks.losses(means, "means")
    checks.require(len(array) > 1, "means", "hold at least 2 numbers", len(array))
    error = corrected_standard_error(array, n_train=n_train, n_test=n_test)
    ends = student(array, error, checks.one_delta(delta))
    # an accuracy in place of a loss has the mirrored interval
    quantity = "the mean loss or score of models trained so"
    return claim(ends, quantity, "corrected resampled t", "none proven", delta)


def student(
    values: FloatArray, error: float, delta: float, low: float = 0.0, high: float = 1.0
) -> Interval:
    """Return Student's interval with this standard error, clipped to a range."""
    # the quantile is infinite, with either sign, for a tiny delta
    t = abs(special.stdtrit(len(values) - 1, delta / 2))
    # equal values don't show their spread, so the interval is infinite rather than empty
    flat = np.ptp(values) <= _FLAT * np.abs(values).max()
    width = np.inf if flat else t * error
    return around(float(values.mean()), width, low, high)
