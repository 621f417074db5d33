"""ROC curves: their points, the area under them and its intervals, the equal error rate."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike
from scipy import special

from errlab._core import checks, extras
from errlab._core.checks import FloatArray, FloatOrArray, IntArray
from errlab._core.interval import Interval
from errlab._core.public import public
from errlab._numerics.groups import Groups, grouped, t_quantile
from errlab._numerics.roots import bisect, normal_quantile
from errlab.metrics.confusion import BoolArray, positives

_MODEL = 100  # cases of the rarer class that Newcombe's variance counts as


def scored(
    y_true: ArrayLike, scores: ArrayLike, positive: object, *, least: int = 1
) -> tuple[BoolArray, FloatArray]:
    """Check labels and scores, with at least `least` cases of each class.

    `scores` has shape (n,), or (k, n) for k classifiers.
    """
    (truth,) = positives(positive, y_true=y_true)
    values = checks.numbers(scores, "scores")
    fits = values.ndim in (1, 2) and values.shape[-1] == len(truth)
    rule = f"have {len(truth)} cases along the last axis, as y_true has"
    checks.require(fits, "scores", rule, values)
    for name, count in (("positive", truth.sum()), ("negative", (~truth).sum())):
        checks.require(count >= least, "y_true", f"hold at least {least} {name} case(s)", count)
    return truth, values


class Roc(NamedTuple):
    """A ROC curve from (0, 0) to (1, 1); a case is positive at a score of `thresholds` or more."""

    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray


@public
def roc(y_true: ArrayLike, scores: ArrayLike, *, positive: object = None) -> Roc:
    """Trace the true positive rate against the false positive rate, by scikit-learn.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True labels, of both classes.
    scores : array_like, shape (n,)
        Larger means more likely positive; any scale. The lecture's thresholds 0 and 1 for the
        two ends suppose scores in [0, 1]; here the ends are the largest score and infinity.
    positive : label, optional
        The positive label, as in `confusion`.

    Returns
    -------
    Roc
        ``(fpr, tpr, thresholds)``, one point for each distinct score and (0, 0) for the
        threshold infinity.

    Raises
    ------
    ValueError, TypeError
        If a class is missing, the lengths differ, or a score is not a finite number.

    Examples
    --------
    >>> curve = roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.tpr
    array([0. , 0.5, 0.5, 1. , 1. ])
    """
    metrics = extras.load("sklearn.metrics")
    truth, values = scored(y_true, checks.numbers(scores, "scores", ndim=1), positive)
    return Roc(*metrics.roc_curve(truth, values, drop_intermediate=False))


@public
def equal_error_rate(fpr: ArrayLike, tpr: ArrayLike) -> float:
    r"""Equal error rate: where :math:`FPR = FNR = 1 - TPR` on the curve.

    The point where the ROC curve, its points joined by straight lines, meets the line from the
    top left to the bottom right.

    Parameters
    ----------
    fpr, tpr : array_like, shape (m,)
        A ROC curve from (0, 0) to (1, 1), neither rate ever falling.

    Returns
    -------
    float
        The rate, in [0, 1]; 0 for a perfect ranking, 1/2 for chance.

    Raises
    ------
    ValueError, TypeError
        If the curve does not run from (0, 0) to (1, 1), or falls.

    Examples
    --------
    >>> equal_error_rate([0, 0.25, 1], [0, 0.75, 1])
    0.25
    """
    x, y = checks.mean(fpr, "fpr", ndim=1), checks.mean(tpr, "tpr", ndim=1)
    for name, rate in (("fpr", x), ("tpr", y)):
        rises = rate[0] == 0 and rate[-1] == 1 and (np.diff(rate) >= 0).all()
        checks.require(rises, name, "rise from 0 to 1 in one row", rate.tolist())
    checks.same_length(fpr=x, tpr=y)
    # FPR - FNR rises from -1 to 1 along the curve; the rate is where it is 0
    return float(np.interp(0.0, x + y - 1, x))


class Areas(NamedTuple):
    """Areas under ROC curves and their estimated covariance.

    Floats for one classifier; shapes (k,) and (k, k) for k classifiers on the same cases.
    """

    area: FloatOrArray
    covariance: FloatOrArray


@public
def area(y_true: ArrayLike, scores: ArrayLike, *, positive: object = None) -> FloatOrArray:
    r"""Area under the ROC curve: how often a positive case outscores a negative one.

    .. math:: \hat A = \frac{1}{mn} \sum_{i=1}^m \sum_{j=1}^n
              \left[ \mathbf 1\{x_i > y_j\} + \tfrac12 \mathbf 1\{x_i = y_j\} \right]

    Parameters
    ----------
    y_true : array_like, shape (N,)
        True labels, of both classes.
    scores : array_like, shape (N,) or (k, N)
        Larger means more likely positive; one row for each classifier.
    positive : label, optional
        The positive label, as in `confusion`.

    Returns
    -------
    float or ndarray, shape (k,)
        The area, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If a class is missing, the lengths differ, or a score is not a finite number.

    Examples
    --------
    >>> area([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    above, _ = placements(*scored(y_true, scores, positive))
    return checks.plain(above.mean(axis=-1))


@public
def delong(
    y_true: ArrayLike,
    scores: ArrayLike,
    *,
    positive: object = None,
    groups: ArrayLike | None = None,
) -> Areas:
    r"""Estimate areas under ROC curves with their covariance, without a model of the scores.

    With :math:`V_i` the share of negatives that positive case i outscores, and :math:`W_j` the
    share of positives that outscore negative case j,

    .. math:: \widehat{\mathrm{var}}(\hat A) = s_V^2 / m + s_W^2 / n

    with 1/(m-1) and 1/(n-1) variances. Both shares come from ranks, as Sun and Xu found.

    Where cases come in groups, such as the lesions of one patient, their deviations
    :math:`V_i - \hat A` and :math:`W_j - \hat A` are summed over each group first, to
    :math:`v_g` and :math:`w_g`, and with :math:`I_{10}` groups that have a positive case,
    :math:`I_{01}` that have a negative one, and :math:`I` in all (Obuchowski 1997),

    .. math:: \widehat{\mathrm{var}}(\hat A) = \frac{I_{10}}{I_{10}-1} \sum_g \frac{v_g^2}{m^2}
              + \frac{I_{01}}{I_{01}-1} \sum_g \frac{w_g^2}{n^2}
              + \frac{2 I}{I-1} \sum_g \frac{v_g w_g}{m n}

    For groups of one case that is DeLong's formula.

    Parameters
    ----------
    y_true : array_like, shape (N,)
        True labels, at least two cases of each class.
    scores : array_like, shape (N,) or (k, N)
        Larger means more likely positive; one row for each classifier.
    positive : label, optional
        The positive label, as in `confusion`.
    groups : array_like, shape (N,), optional
        The group of each case; at least 2 groups have a positive case, and 2 a negative one.

    Returns
    -------
    Areas
        ``(area, covariance)``: the area and its variance for one classifier; k areas and their
        (k, k) covariance matrix for k rows of scores.

    Raises
    ------
    ValueError, TypeError
        If a class has fewer than two cases, or two groups, the lengths differ, or a score is not
        finite.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988), 837-845; Sun and Xu, IEEE Signal
    Processing Letters 21 (2014), 1389-1393; Obuchowski, Biometrics 53 (1997), 567-578.

    Examples
    --------
    >>> delong([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    Areas(area=0.75, covariance=0.125)
    """
    truth, values = scored(y_true, scores, positive, least=2)
    units = None if groups is None else grouped(groups, len(truth))
    return areas_with_covariance(truth, values, units)


def areas_with_covariance(truth: BoolArray, scores: FloatArray, units: Groups | None) -> Areas:
    """Return what `delong` does, of arguments that are checked already."""
    held = _held(truth, units)
    for name, count in zip(("positive", "negative"), held, strict=True):
        checks.require(count >= 2, "groups", f"hold at least 2 with a {name} case", count)
    above, below = placements(truth, np.atleast_2d(scores))
    sums = []
    for own, placed in ((truth, above), (~truth, below)):
        # classifiers x cases: how far each placement is from the area; 0 for the other class
        away = np.zeros((len(placed), len(truth)))
        away[:, own] = (placed - placed.mean(axis=1, keepdims=True)) / placed.shape[1]
        sums.append(away if units is None else units.sums(away))
    # classifiers x groups; a group may hold positives, negatives or both
    v, w = sums
    first, second, both = (many / (many - 1) for many in (*held, v.shape[1]))
    cross = v @ w.T * both
    covariance = v @ v.T * first + w @ w.T * second + cross + cross.T
    # numbers for one classifier, k of them and k x k for k
    one = scores.shape[:-1]
    areas = above.mean(axis=1).reshape(one)
    return Areas(checks.plain(areas), checks.plain(covariance.reshape(one * 2)))


def _held(truth: BoolArray, units: Groups | None) -> IntArray:
    """Count the positive and the negative cases, or the groups that hold one."""
    cases = np.array([truth, ~truth], dtype=float)
    return np.asarray(np.count_nonzero(cases if units is None else units.sums(cases), axis=1))


def placements(truth: BoolArray, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
    """For each positive the share of negatives below it, for each negative of positives above it.

    Level ones count half. With scores of shape (k, n) each answer has k rows.
    """
    ranks = scipy.stats.rankdata(scores, axis=-1)
    shares = []
    for own in (truth, ~truth):
        # a rank among all, less that in its own class: cases of the other class that are below
        inside = scipy.stats.rankdata(scores[..., own], axis=-1)
        shares.append((ranks[..., own] - inside) / np.count_nonzero(~own))
    above, below = shares
    return above, 1 - below


@public
def area_interval(
    y_true: ArrayLike,
    scores: ArrayLike,
    *,
    delta: float = 0.05,
    scale: str = "score",
    positive: object = None,
    groups: ArrayLike | None = None,
) -> Interval:
    r"""Put an interval around the area under a ROC curve.

    The score interval holds the areas :math:`A` with

    .. math:: (\hat A - A)^2 \le z^2 \, c \, v(A), \quad
              v(A) = \frac{A (1 - A)}{mn} \left[ 1 + \left(\frac{m+n}{2} - 1\right)
              \left(\frac{1 - A}{2 - A} + \frac{A}{1 + A}\right) \right],

    where :math:`v` is the variance of Newcombe's method 5. It supposes that the two classes spread
    alike, and is corrected for how they do: with DeLong's variance :math:`\hat\sigma^2`, the ratio
    :math:`q = \hat\sigma^2 / v(\hat A)` and r cases of the rarer class

    .. math:: c = \max\left(q, \frac{100 + r q}{100 + r}\right).

    So few cases cannot make it shorter than Newcombe's by much, and for many it is that of the
    data. And no end lies further in than where the ranking is perfect, or perfectly wrong: a
    mistake more never raises what is claimed at least. For normal scores of equal spread (areas of
    .75 to .98, 50 to 10,000 cases, half or a tenth of them positive) 95% intervals covered 94 to
    99%, and 92% or more where one class spread twice as far or a fifth of the positives scored like
    negatives. The lowest that was found is about 75%: where a few positives rank below all
    negatives, and one test set in four holds none of them.
    Newcombe's own goes down to 84% where the spreads differ, whatever the number of cases. The
    other two are DeLong's: :math:`\hat A \pm z\, \hat\sigma` covers 59 to 95% for normal scores of
    equal spread and nearly always errs on the side of too large an area; the same on the scale of
    :math:`\log(A / (1 - A))` covers 86 to 98%.

    Where cases come in groups, z is the quantile of Student's t: where a class is spread over r
    groups of one size it gives r - 1 degrees of freedom, over unequal ones fewer, and the class
    with fewer decides.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True labels, at least two cases of each class.
    scores : array_like, shape (n,)
        Larger means more likely positive; any scale.
    delta : float
        Probability that the interval may fail, in (0, 1); approximate.
    scale : {"score", "logit", "identity"}
        The score interval, or where DeLong's normal approximation is made.
    positive : label, optional
        The positive label, as in `errlab.metrics.confusion`.
    groups : array_like, shape (n,), optional
        The group of each case, where cases come in groups, as in `errlab.metrics.delong`. What
        is counted is then groups that have a case of the class. A group may be a heap of copies:
        where the ranking is perfect it counts as one case.

    Returns
    -------
    Interval
        ``(low, high)``.

    Raises
    ------
    ValueError, TypeError
        If a class has fewer than two cases, or the area is 0 or 1 and the scale not "score".

    References
    ----------
    Newcombe, Statistics in Medicine 25 (2006), 559-573, method 5; DeLong, DeLong and
    Clarke-Pearson, Biometrics 44 (1988), 837-845; Qin and Hotilovac, Statistical Methods in
    Medical Research 17 (2008), 207-221; Obuchowski, Biometrics 53 (1997), 567-578, for groups.

    Examples
    --------
    >>> area_interval([0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.6, 0.5, 0.7, 0.9])
    Interval(low=0.3912, high=0.9888)
    >>> area_interval([0] * 10 + [1] * 10, range(20))  # an area of 1
    Interval(low=0.8002, high=1.0)
    """
    way = checks.choice(scale, "scale", ("score", "logit", "identity"))
    tail = checks.one_delta(delta) / 2
    truth, values = scored(y_true, checks.numbers(scores, "scores", ndim=1), positive, least=2)
    units = None if groups is None else grouped(groups, len(truth))
    area, variance = map(float, areas_with_covariance(truth, values, units))
    z = normal_quantile(tail) if units is None else t_quantile(df_of_classes(truth, units), tail)
    if way == "score":
        return score_interval(truth, area, variance, units, z, perfect=normal_quantile(tail))
    if area in (0, 1):
        raise ValueError(f"scale {way!r} needs an area inside (0, 1), got {area:g}; take 'score'")
    reach = z * np.sqrt(variance) * np.array([-1, 1])
    if way == "identity":
        return Interval(*np.clip(area + reach, 0, 1).tolist())
    # the delta method: d logit(A) / dA = 1 / (A (1 - A))
    ends = special.expit(special.logit(area) + reach / (area * (1 - area)))
    return Interval(*ends.tolist())


def of_classes(truth: BoolArray, units: Groups) -> list[Groups]:
    """Return the groups of the positive cases, and those of the negative ones."""
    code = np.empty(len(truth), dtype=np.int64)
    code[units.order] = np.repeat(np.arange(units.number), units.sizes.astype(np.int64))
    return [grouped(code[own], int(own.sum()), least=1) for own in (truth, ~truth)]


def df_of_classes(truth: BoolArray, units: Groups) -> float:
    """Degrees of freedom: of the class that is spread over fewer, or more unequal, groups."""
    return min(held.df if held.number > 1 else 0.0 for held in of_classes(truth, units))


def score_interval(
    truth: BoolArray,
    area: float,
    variance: float,
    units: Groups | None,
    z: float,
    *,
    perfect: float | None = None,
) -> Interval:
    """Areas whose score test is not rejected; the variance of the model is scaled to the data's.

    No end lies further in than that of a perfect ranking, or of a wholly wrong one. Their variance
    is not seen but supposed, and `perfect` is the quantile for it, by default `z`.
    """
    least = z if perfect is None else perfect
    cases = np.array([truth.sum(), (~truth).sum()])
    held = _held(truth, units)
    rarer = held.min()
    # without a variance each group may be a heap of copies, and counts once
    seen = cases if variance > 0 else held

    def model(a: FloatArray, m: FloatArray, n: FloatArray) -> FloatArray:
        """Newcombe's variance; the same for an area and for 1 minus it."""
        # Hanley and McNeil's two probabilities for exponential scores, symmetrised by Newcombe
        shape = (1 - a) / (2 - a) + a / (1 + a)
        return np.asarray(a * (1 - a) * (1 + ((m + n) / 2 - 1) * shape) / (m * n))

    expected = float(model(np.array(area), *seen.astype(float)))
    # how DeLong's variance compares with the model's; shrunk to 1 where the rarer class is small
    ratio = max(variance, 0.0) / expected if expected > 0 else 1.0
    scale = max(ratio, (_MODEL + rarer * ratio) / (_MODEL + rarer))
    # three lower ends at once: of A, of 1 - A, which is the rest of the upper one, and of 1
    top = np.array([area, 1 - area, 1.0])
    m, n = np.array([seen, seen, held], dtype=float).T
    own = z if variance > 0 else least
    reach = np.array([own * np.sqrt(scale), own * np.sqrt(scale), least])
    ends = bisect(lambda a: top - a > reach * np.sqrt(model(a, m, n)), top * 0, top)
    # a mistake more may show a variance, and so shorten the interval, but it never raises its end
    low, rest = np.minimum(ends[:2], ends[2]).tolist()
    return Interval(low, 1 - rest)
