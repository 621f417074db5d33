"""Student's t on paired differences: one test set, the folds of a cross-validation, resampling."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from errlab import _checks
from errlab._checks import FloatArray
from errlab._interval import Interval
from errlab.compare._comparison import ComparisonResult, comparison

_FLAT = 1e-12  # differences that agree this closely, relative to the largest, are equal


@comparison(
    key="paired_t",
    name="Paired t on one test set",
    takes="paired losses",
    paired=True,
    equations="Larsen & Hansen, t-test of the hold-out section",
)
def paired_t(losses_a: ArrayLike, losses_b: ArrayLike, *, delta: float = 0.05) -> ComparisonResult:
    r"""Student's t on the paired losses of one test set.

    .. math:: t = \bar d \sqrt{n} / s, \quad d_i = \ell_i^A - \ell_i^B

    with n - 1 degrees of freedom. It serves any loss, squared errors too. Larsen and Hansen's
    one-sided rule is half of this p-value, on the side of the estimate.

    Parameters
    ----------
    losses_a, losses_b : array_like, shape (..., n)
        Losses of A and of B on the same n cases, n at least 2; leading axes hold several tests.
    delta : float
        Level of the test and of the interval.

    Returns
    -------
    ComparisonResult
        Where all differences are equal the interval has width 0, and p is 1 for a difference of
        0 and 0 otherwise.

    Raises
    ------
    ValueError
        If the shapes differ or there are fewer than 2 cases.
    TypeError
        If a loss is not a number.

    References
    ----------
    Larsen and Hansen, "Empirical generalization error estimation".

    Examples
    --------
    >>> result = paired_t([0.9, 0.4, 0.6, 0.8], [0.5, 0.3, 0.4, 0.7])
    >>> round(result.estimate, 4), round(result.pvalue, 4)
    (0.2, 0.0663)
    """
    a, b = _checks.numbers(losses_a, "losses_a"), _checks.numbers(losses_b, "losses_b")
    if a.shape != b.shape:
        raise ValueError(f"losses_a and losses_b must have one shape, got {a.shape} and {b.shape}")
    differences = _folds(a - b, "losses_a and losses_b")
    return _student("paired_t", differences, 1 / differences.shape[-1], delta)


@comparison(
    key="kfold_paired_t",
    name="Paired t on the folds of a cross-validation",
    takes="fold differences",
    paired=True,
    equations="Lecture notes, Algorithm 1.1",
)
def kfold_paired_t(differences: ArrayLike, *, delta: float = 0.05) -> ComparisonResult:
    r"""The lecture's Algorithm 1.1: Student's t on the K differences of a cross-validation.

    .. math:: \bar\delta \pm t_{K-1} \sqrt{\frac{1}{K(K-1)} \sum_i (\delta_i - \bar\delta)^2}

    K differences have K - 1 degrees of freedom; the table of the notes takes K. The test treats
    the folds as independent, which they are not: they share training cases.

    Parameters
    ----------
    differences : array_like, shape (..., K)
        Error of A minus error of B on each fold, K at least 2; leading axes hold several tests.
    delta : float
        Level of the test and of the interval.

    Returns
    -------
    ComparisonResult
        Where all differences are equal the interval has width 0, and p is 1 for a difference of
        0 and 0 otherwise.

    Raises
    ------
    ValueError
        If there are fewer than 2 differences.
    TypeError
        If a difference is not a number.

    References
    ----------
    Lecture notes, Algorithm 1.1; Dietterich, Neural Computation 10 (1998), 1895-1923.

    Examples
    --------
    >>> result = kfold_paired_t([0.02, 0.05, 0.01, 0.04, 0.03])
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (4.2426, 0.0132)
    """
    array = _folds(differences, "differences")
    return _student("kfold_paired_t", array, 1 / array.shape[-1], delta)


@comparison(
    key="corrected_resampled_t",
    name="Corrected resampled t",
    takes="fold differences",
    paired=True,
    equations="Nadeau & Bengio 2003",
)
def corrected_resampled_t(
    differences: ArrayLike, *, n_train: int, n_test: int, delta: float = 0.05
) -> ComparisonResult:
    r"""Nadeau and Bengio's t: the variance of resampled differences, corrected for shared data.

    .. math:: t = \bar d \Big/ \sqrt{\Big(\frac1J + \frac{n_{test}}{n_{train}}\Big) s^2}

    with J - 1 degrees of freedom. It supposes that two differences correlate as
    :math:`n_{test} / (n_{train} + n_{test})`, a rule of thumb.

    Parameters
    ----------
    differences : array_like, shape (..., J)
        Error of A minus error of B on each of J splits, J at least 2; leading axes hold several
        tests. Folds of a cross-validation are such splits too.
    n_train, n_test : int
        Sizes of the training and the test part of each split.
    delta : float
        Level of the test and of the interval.

    Returns
    -------
    ComparisonResult
        Where all differences are equal the interval has width 0, and p is 1 for a difference of
        0 and 0 otherwise.

    Raises
    ------
    ValueError
        If there are fewer than 2 differences or a size is below 1.
    TypeError
        If an argument is not a number.

    References
    ----------
    Nadeau and Bengio, Machine Learning 52 (2003), 239-281.

    Examples
    --------
    >>> result = corrected_resampled_t([0.02, 0.05, 0.01, 0.04, 0.03], n_train=90, n_test=10)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (3.4017, 0.0272)
    """
    array = _folds(differences, "differences")
    extra = _checks.one_count(n_test, "n_test") / _checks.one_count(n_train, "n_train")
    return _student("corrected_resampled_t", array, 1 / array.shape[-1] + extra, delta)


def _folds(value: ArrayLike, name: str) -> FloatArray:
    array = _checks.numbers(value, name)
    if array.ndim == 0 or array.shape[-1] < 2:
        raise ValueError(f"{name} must hold at least 2 differences, got shape {array.shape}")
    return array


def moments(differences: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation (n - 1) along the last axis; exactly 0 for equal differences.

    Error rates such as 0.3 - 0.2 and 0.2 - 0.1 are equal but for rounding, and must not make a
    huge t of their rounding errors.
    """
    size = np.abs(differences).max(axis=-1)
    scale = np.where(size > 0, size, 1.0)[..., None]
    unit = differences / scale  # no overflow in the squares
    flat = np.ptp(unit, axis=-1) <= _FLAT
    sd = np.where(flat, 0.0, unit.std(axis=-1, ddof=1))
    return unit.mean(axis=-1) * scale[..., 0], sd * scale[..., 0]


def ratio(estimate: FloatArray, error: FloatArray) -> FloatArray:
    """Estimate over standard error; without variance 0 for no difference, infinite otherwise."""
    with np.errstate(divide="ignore"):
        return np.where(estimate == 0, 0.0, estimate / np.where(estimate == 0, 1.0, error))


def student_interval(estimate: FloatArray, error: FloatArray, df: float, delta: float) -> Interval:
    """Estimate plus and minus the t quantile times the standard error."""
    half = -special.stdtrit(df, delta / 2) * error
    return Interval(_checks.plain(estimate - half), _checks.plain(estimate + half))


def _student(
    key: str, differences: FloatArray, variance_factor: float, delta: float
) -> ComparisonResult:
    level = _checks.one_delta(delta)
    estimate, sd = moments(differences)
    error, df = sd * np.sqrt(variance_factor), differences.shape[-1] - 1
    statistic = ratio(estimate, error)
    return ComparisonResult(
        key,
        _checks.plain(statistic),
        _checks.plain(2 * special.stdtr(df, -np.abs(statistic))),
        _checks.plain(estimate),
        level,
        limits=partial(student_interval, estimate, error, df, level),
    )
