"""Student's t on paired differences: of one test set, of folds, of resampled splits, of 5x2 cv."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from errlab._core import checks, training
from errlab._core.checks import FloatArray, FloatOrArray, Seed
from errlab._core.interval import Interval
from errlab._core.public import public
from errlab._core.training import Cases, Estimator
from errlab._numerics.groups import t_quantile
from errlab._numerics.roots import ratio
from errlab.compare._result import A_AND_B, ComparisonResult, Finding, Names, Posterior, comparison

if TYPE_CHECKING:  # and on use: who compares predictions does not wait for the rest of crossval
    from errlab.crossval.losses import Loss

__all__ = [
    "bayesian_correlated_t",
    "corrected_resampled_t",
    "five_by_two_cv_f",
    "five_by_two_cv_t",
    "kfold_paired_t",
    "paired_t",
    "resampled",
]

_FLAT = 1e-12  # differences that agree this closely, relative to the largest, are equal


@comparison(
    key="paired_t",
    name="Paired t on one test set",
    place=11,
    takes="paired losses",
    equations="Larsen & Hansen, t-test of the hold-out section",
    guarantee="asymptotic",
)
def paired_t(
    losses_a: ArrayLike, losses_b: ArrayLike, *, delta: float = 0.05, names: Names = A_AND_B
) -> Finding:
    r"""Student's t on the paired losses of one test set.

    .. math:: t = \bar d \sqrt{n} / s, \quad d_i = \ell_i^A - \ell_i^B

    with n - 1 degrees of freedom. It serves any loss, squared errors too. Larsen and Hansen's
    one-sided rule is half of this p-value, on the side of the estimate.

    Parameters
    ----------
    losses_a, losses_b : array_like, shape (..., n)
        Losses of A and of B on the same n cases, n at least 2; leading axes hold several tests.

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
    differences = same_cases(losses_a, losses_b)
    return _student(differences, 1 / differences.shape[-1])


@comparison(
    key="kfold_paired_t",
    name="Paired t on the folds of a cross-validation",
    place=12,
    takes="fold differences",
    equations="Lecture notes, Algorithm 1.1",
    guarantee="none proven",
)
def kfold_paired_t(
    differences: ArrayLike, *, delta: float = 0.05, names: Names = A_AND_B
) -> Finding:
    r"""The lecture's Algorithm 1.1: Student's t on the K differences of a cross-validation.

    .. math:: \bar\delta \pm t_{K-1} \sqrt{\frac{1}{K(K-1)} \sum_i (\delta_i - \bar\delta)^2}

    K differences have K - 1 degrees of freedom; the table of the notes takes K. The test treats
    the folds as independent, which they are not: they share training cases.

    Parameters
    ----------
    differences : array_like, shape (..., K)
        Error of A minus error of B on each fold, K at least 2; leading axes hold several tests.

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
    array = folds(differences, "differences")
    return _student(array, 1 / array.shape[-1])


@comparison(
    key="corrected_resampled_t",
    name="Corrected resampled t",
    place=13,
    takes="fold differences",
    equations="Nadeau & Bengio 2003",
    guarantee="none proven",
    extra={"n_train": 90, "n_test": 10},
)
def corrected_resampled_t(
    differences: ArrayLike,
    *,
    n_train: int,
    n_test: int,
    delta: float = 0.05,
    names: Names = A_AND_B,
) -> Finding:
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
    array = folds(differences, "differences")
    extra = checks.one_count(n_test, "n_test") / checks.one_count(n_train, "n_train")
    return _student(array, 1 / array.shape[-1] + extra)


@public
def resampled(
    estimator_a: Estimator,
    estimator_b: Estimator,
    X: Cases,
    y: ArrayLike,
    *,
    repeats: int = 15,
    test_size: float = 0.1,
    loss: Loss | None = None,
    rng: Seed = 0,
    delta: float = 0.05,
    names: Names = A_AND_B,
) -> ComparisonResult[FloatOrArray]:
    """Compare two learners on random splits, by the corrected resampled t.

    Parameters
    ----------
    estimator_a, estimator_b : estimators
        Objects with ``fit(X, y)`` and ``predict(X)``; copies are trained.
    X : array_like, shape (n, p)
        Inputs.
    y : array_like, shape (n,)
        Targets.
    repeats : int
        Number of splits, at least 2.
    test_size : float
        Share of the cases held out in each, in (0, 1).
    loss : callable, optional
        ``loss(y_true, y_pred)``, one number for each case; the 0/1 loss by default. The means
        over each test part are compared.
    rng : seed, Generator or None
        Seed of the splits; the same in each call by default.
    delta : float
        Level of the test and of the interval.
    names : tuple of str
        What to call A and B in the reading.

    Returns
    -------
    ComparisonResult
        About the learners, trained on ``1 - test_size`` of the data.

    Raises
    ------
    ValueError, TypeError
        If X and y do not fit together, or an option leaves its range.

    References
    ----------
    Nadeau and Bengio, Machine Learning 52 (2003), 239-281.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.neighbors import NearestCentroid
    >>> X, y = load_iris(return_X_y=True)
    >>> resampled(DummyClassifier(), NearestCentroid(), X, y, rng=0).pvalue < 0.001
    True
    """
    from errlab.crossval.losses import fold_losses, random_splits

    rows, targets = training.data(X, y)
    n = len(targets)
    checks.require(n >= 2, "X", "hold at least 2 cases", n)
    count = checks.one_count(repeats, "repeats", 2)
    held = min(max(round(n * checks.one_delta(test_size, "test_size")), 1), n - 1)
    pairs = random_splits(n, count, held, checks.generator(rng))
    both = [training.estimator(estimator_a, "estimator_a")]
    both.append(training.estimator(estimator_b, "estimator_b"))
    means = [[fold_losses(one, rows, targets, pair, loss).mean() for one in both] for pair in pairs]
    differences = [of_a - of_b for of_a, of_b in means]
    train, test = pairs[0]
    return corrected_resampled_t(
        differences, n_train=len(train), n_test=len(test), delta=delta, names=names
    )


@comparison(
    key="bayesian_correlated_t",
    name="Bayesian correlated t",
    place=14,
    takes="fold differences",
    equations="Corani & Benavoli 2015",
    guarantee="none proven",
    extra={"n_train": 90, "n_test": 10},
)
def bayesian_correlated_t(
    differences: ArrayLike,
    *,
    n_train: int,
    n_test: int,
    rope: float = 0.01,
    delta: float = 0.05,
    names: Names = A_AND_B,
) -> Finding:
    r"""Posterior of the difference, and of its lying in a region of practical equivalence.

    Under the reference prior the difference has a Student posterior with J - 1 degrees of
    freedom, centre :math:`\bar d` and squared scale

    .. math:: \Big(\frac1J + \frac{\rho}{1-\rho}\Big) s^2, \quad
              \rho = \frac{n_{test}}{n_{train} + n_{test}},

    so that its interval is that of `corrected_resampled_t`.

    Parameters
    ----------
    differences : array_like, shape (..., J)
        Error of A minus error of B on each of J splits, J at least 2; leading axes hold several
        comparisons.
    n_train, n_test : int
        Sizes of the training and the test part of each split.
    rope : float
        Differences from -rope to rope count as equivalent in practice; at least 0, in the unit
        of the differences.

    Returns
    -------
    ComparisonResult
        `posterior` holds P(d < -rope), P(-rope <= d <= rope) and P(d > rope): A better,
        equivalent, B better. There is no p-value; the interval holds 1 - delta of the posterior.
        Where all differences are equal the posterior is all on their common value.

    Raises
    ------
    ValueError
        If there are fewer than 2 differences, a size is below 1 or `rope` is negative.
    TypeError
        If an argument is not a number.

    References
    ----------
    Corani and Benavoli, Machine Learning 100 (2015), 285-304.

    Examples
    --------
    >>> result = bayesian_correlated_t([0.02, 0.05, 0.01, 0.04, 0.03], n_train=90, n_test=10)
    >>> [round(p, 3) for p in result.posterior]
    [0.005, 0.038, 0.957]
    """
    array = folds(differences, "differences")
    edge = float(checks.within(rope, "rope", 0, ndim=0))
    # rho / (1 - rho) = n_test / n_train
    extra = checks.one_count(n_test, "n_test") / checks.one_count(n_train, "n_train")
    df = array.shape[-1] - 1
    centre, sd = moments(array)
    scale = sd * np.sqrt(1 / array.shape[-1] + extra)
    a_better = _mass(-edge - centre, scale, df)
    b_better = _mass(centre - edge, scale, df)
    # the middle as what is left: the two tails have all their digits
    posterior = Posterior(a_better, np.maximum(1 - a_better - b_better, 0), b_better)
    return _t(centre, scale, df)._replace(pvalue=None, posterior=posterior)


@comparison(
    key="five_by_two_cv_t",
    name="5x2 cv t",
    place=15,
    takes="5x2 differences",
    equations="Dietterich 1998",
    guarantee="none proven",
)
def five_by_two_cv_t(
    differences: ArrayLike, *, delta: float = 0.05, names: Names = A_AND_B
) -> Finding:
    r"""Dietterich's t on five repetitions of two-fold cross-validation.

    .. math:: t = p_1^{(1)} \Big/ \sqrt{\tfrac15 \sum_{i=1}^5 s_i^2}, \quad
              s_i^2 = (p_i^{(1)} - \bar p_i)^2 + (p_i^{(2)} - \bar p_i)^2

    with 5 degrees of freedom. Only the first of the ten differences is in the numerator, so
    another order of the repetitions gives another answer; `five_by_two_cv_f` has no such choice.

    Parameters
    ----------
    differences : array_like, shape (..., 5, 2)
        Error of A minus error of B: a row for each repetition, a column for each of its two
        folds. Leading axes hold several tests.

    Returns
    -------
    ComparisonResult
        `estimate` is the first difference, as in the statistic. Where the two folds agree in
        every repetition the interval has width 0, and p is 1 for an estimate of 0 and 0
        otherwise.

    Raises
    ------
    ValueError
        If the shape is another.
    TypeError
        If a difference is not a number.

    References
    ----------
    Dietterich, Neural Computation 10 (1998), 1895-1923.

    Examples
    --------
    >>> d = [[0.04, 0.02], [0.03, 0.05], [0.01, 0.03], [0.04, 0.01], [0.02, 0.02]]
    >>> round(five_by_two_cv_t(d).statistic, 4)
    2.7603
    """
    unit, scale, within = _halves(differences)
    # Dietterich: one difference over the pooled standard deviation of all five pairs
    return _t(unit[..., 0, 0] * scale, np.sqrt(within / 5) * scale, 5)


@comparison(
    key="five_by_two_cv_f",
    name="5x2 cv F",
    place=16,
    takes="5x2 differences",
    equations="Alpaydin 1999",
    guarantee="none proven",
)
def five_by_two_cv_f(
    differences: ArrayLike, *, delta: float = 0.05, names: Names = A_AND_B
) -> Finding:
    r"""Alpaydin's F on five repetitions of two-fold cross-validation.

    .. math:: f = \sum_{i,j} \big(p_i^{(j)}\big)^2 \Big/ \Big(2 \sum_i s_i^2\Big)

    with 10 and 5 degrees of freedom; all ten differences enter alike. The test asks whether all
    of them are 0 but for chance. It rejects also where they point both ways.

    Parameters
    ----------
    differences : array_like, shape (..., 5, 2)
        Error of A minus error of B: a row for each repetition, a column for each of its two
        folds. Leading axes hold several tests.

    Returns
    -------
    ComparisonResult
        `estimate` is the mean of the ten. `interval` holds the differences d for which the test
        of :math:`p_i^{(j)} - d` does not reject. Where it rejects all of them, there is none:
        the differences are not all zero, but no one difference fits them. Where the two folds
        agree in every repetition, p is 1 if all differences are 0 and 0 otherwise.

    Raises
    ------
    ValueError
        If the shape is another.
    TypeError
        If a difference is not a number.

    References
    ----------
    Alpaydin, Neural Computation 11 (1999), 1885-1892.

    Examples
    --------
    >>> d = [[0.04, 0.02], [0.03, 0.05], [0.01, 0.03], [0.04, 0.01], [0.02, 0.02]]
    >>> round(five_by_two_cv_f(d).statistic, 4), round(five_by_two_cv_f(d).pvalue, 4)
    (4.2381, 0.0623)
    >>> five_by_two_cv_f([[0.05, 0.05], [-0.03, -0.03], [0.04, 0.04], [-0.02, -0.02], [0.01, 0.02]])
    The differences are not all zero at level 0.05, but no one difference fits them: error of A
    minus error of B 0.011 on average, no interval (5x2 cv F, p < 0.0001;
    guarantee: none proven).
    """
    unit, scale, within = _halves(differences)
    f = ratio((unit**2).sum(axis=(-2, -1)), 2 * within)
    mean = unit.mean(axis=(-2, -1)) * scale
    # all ten squares above, five variances below
    pvalue = special.fdtrc(10, 5, f)
    return Finding(f, pvalue, mean, limits=_f_limits, data=(unit, scale, within))


def same_cases(
    losses_a: ArrayLike, losses_b: ArrayLike, low: float = -np.inf, high: float = np.inf
) -> FloatArray:
    """Check the losses of two on the same cases, and return the differences."""
    a = checks.within(losses_a, "losses_a", low, high)
    b = checks.within(losses_b, "losses_b", low, high)
    if a.shape != b.shape:
        raise ValueError(f"losses_a and losses_b must have one shape, got {a.shape} and {b.shape}")
    return folds(a - b, "losses_a and losses_b")


def folds(value: ArrayLike, name: str) -> FloatArray:
    """Check differences along the last axis, at least 2 of them."""
    array = checks.numbers(value, name)
    if array.ndim == 0 or array.shape[-1] < 2:
        raise ValueError(f"{name} must hold at least 2 differences, got shape {array.shape}")
    return array


def moments(differences: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation (n - 1) along the last axis; exactly 0 for equal differences.

    Error rates such as 0.3 - 0.2 and 0.2 - 0.1 are equal but for rounding, and must not make a
    huge t of their rounding errors.
    """
    # in the unit of the largest, so that no square overflows and none is too small for a float
    size = np.abs(differences).max(axis=-1)
    scale = np.where(size > 0, size, 1.0)[..., None]
    unit = differences / scale
    flat = np.ptp(unit, axis=-1) <= _FLAT
    sd = np.where(flat, 0.0, unit.std(axis=-1, ddof=1))
    return unit.mean(axis=-1) * scale[..., 0], sd * scale[..., 0]


def _student(differences: FloatArray, variance_factor: float) -> Finding:
    """Test whether the mean is 0, where its variance is that of one difference times a factor."""
    estimate, sd = moments(differences)
    # one degree of freedom goes to the mean, however much the folds overlap
    return _t(estimate, sd * np.sqrt(variance_factor), differences.shape[-1] - 1)


def _t(estimate: FloatArray, error: FloatArray, df: int) -> Finding:
    """Test whether an estimate with this standard error is one of 0, by Student's t."""
    t = ratio(estimate, error)
    pvalue = 2 * special.stdtr(df, -np.abs(t))
    return Finding(t, pvalue, estimate, limits=_limits, data=(estimate, error, df))


def _limits(
    estimate: FloatArray, error: FloatArray, df: int, *, delta: float
) -> Interval[FloatArray]:
    """Estimate plus and minus the t quantile times the standard error."""
    # differences that are all equal have no error, and an interval of width 0
    half = t_quantile(df, delta / 2) * error
    return Interval(estimate - half, estimate + half)


def _mass(distance: FloatArray, scale: FloatArray, df: int) -> FloatArray:
    """P(T * scale < distance); without variance, whether 0 < distance."""
    point = scale == 0
    t = distance / np.where(point, 1.0, scale)
    return np.where(point, (distance > 0).astype(float), special.stdtr(df, t))


def _halves(differences: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Check ten differences for each test.

    They come back in the unit of the largest of them, so that no square overflows; with that unit,
    and with the sum of the five variances s_i^2 in it.
    """
    array = checks.numbers(differences, "differences")
    if array.shape[-2:] != (5, 2):
        raise ValueError(f"differences must have shape (..., 5, 2), got {array.shape}")
    # tests x 5 repetitions x 2 folds
    size = np.abs(array).max(axis=(-2, -1))
    scale = np.where(size > 0, size, 1.0)
    unit = array / scale[..., None, None]
    return unit, scale, (moments(unit)[1] ** 2).sum(axis=-1)


def _f_limits(
    unit: FloatArray, scale: FloatArray, within: FloatArray, *, delta: float
) -> Interval[FloatArray]:
    """All d with sum (p - d)^2 <= F 2 sum s_i^2: a quadratic, as s_i does not change with d."""
    centre, sd = moments(unit.reshape((*scale.shape, 10)))
    # the upper quantile of F is one over the lower of its mirror; SciPy finds none below 1e-100
    f = np.nan_to_num(1 / special.fdtri(5, 10, delta), nan=1e300)
    # sum (p - d)^2 = 9 sd^2 + 10 (mean - d)^2
    left = 2 * f * within - 9 * sd**2
    half = np.where(left >= 0, np.sqrt(np.maximum(left, 0) / 10), np.nan)
    return Interval((centre - half) * scale, (centre + half) * scale)
