"""Intervals for an area under the ROC curve."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.interval import Interval, claim
from errlab._core.public import public
from errlab._numerics.groups import Groups, grouped, t_quantile
from errlab._numerics.roots import bisect, normal_quantile
from errlab.metrics._confusion import BoolArray
from errlab.metrics._delong import areas_with_covariance, class_counts
from errlab.metrics._roc import scored

_MODEL = 100  # Newcombe's variance weighs as much as this many examples of the rarer class


@public
def area_interval(
    y_true: ArrayLike,
    scores: ArrayLike,
    *,
    delta: float = 0.05,
    positive: object = None,
    groups: ArrayLike | None = None,
) -> Interval:
    r"""Return an interval for the area under a ROC curve.

    The score interval contains the areas :math:`A` with

    .. math:: (\hat A - A)^2 \le z^2 \, c \, v(A), \quad
              v(A) = \frac{A (1 - A)}{mn} \left[ 1 + \left(\frac{m+n}{2} - 1\right)
              \left(\frac{1 - A}{2 - A} + \frac{A}{1 + A}\right) \right],

    where :math:`v` is the variance of Newcombe's method 5. It assumes that the scores of both
    classes have the same spread, so it is corrected by the data: with DeLong's variance
    :math:`\hat\sigma^2`, the ratio :math:`q = \hat\sigma^2 / v(\hat A)` and r examples of the rarer
    class

    .. math:: c = \max\left(q, \frac{100 + r q}{100 + r}\right).

    So with few examples it is at most a little narrower than Newcombe's, and with many it depends
    on the data alone. The lower end is at most that of a perfect ranking, and the upper end at
    least that of a perfectly wrong one, so one more mistake never raises the lower end. For normal
    scores of equal spread (areas of .75 to .98, 50 to 10,000 examples, half or a tenth of them
    positive) 95% intervals covered 94 to 99%. They covered at least 92% if one class had twice the
    spread, or if a fifth of the positives had scores like negatives. The interval fails if about
    one in m positives ranks below all negatives, for m positives in the test set: a third of such
    test sets have no such positive, and then the interval is above the true area. By exact sums for
    5 to 300 positives it contains the true area in 81 to 85% of test sets if half of the examples
    are positive, and in 64 to 69% if a tenth is. So `errlab.metric` uses Clopper-Pearson's lower
    end if the ranking is perfect, and contains the true area in at least 90% of test sets with 20
    positives among 200 examples. Newcombe's own interval covers as little as 84% if the spreads
    differ, whatever the number of examples. DeLong's interval, :math:`\hat A \pm z\, \hat\sigma`
    from `errlab.metrics.delong`, covers 59 to 95% for normal scores of equal spread, and when it
    misses it is nearly always too high; on the scale of :math:`\log(A / (1 - A))` it covers 86 to
    98%.

    With groups, z is a quantile of Student's t: a class in r groups of the same size gives r - 1
    degrees of freedom, a class in unequal groups fewer, and the smaller number is used.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True labels, at least two examples of each class.
    scores : array_like, shape (n,)
        Larger means more likely positive; any scale.
    delta : float
        Approximate probability that the interval may fail, in (0, 1).
    positive : label, optional
        The positive label, as in `errlab.metrics.confusion`.
    groups : array_like, shape (n,), optional
        The group of each example, as in `errlab.metrics.delong`. The counts are then numbers of
        groups with an example of the class. If the ranking is perfect, a group counts as one
        example, because its examples may be copies.

    Returns
    -------
    Interval
        ``(low, high)``.

    Raises
    ------
    ValueError, TypeError
        If a class has fewer than two examples, or is in fewer than two groups.

    References
    ----------
    Newcombe, Statistics in Medicine 25 (2006), 559-573, method 5; DeLong, DeLong and
    Clarke-Pearson, Biometrics 44 (1988), 837-845; Qin and Hotilovac, Statistical Methods in
    Medical Research 17 (2008), 207-221; Obuchowski, Biometrics 53 (1997), 567-578, for groups.

    Examples
    --------
    >>> area_interval([0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.6, 0.5, 0.7, 0.9])
    Interval(low=0.3911..., high=0.9888...)
    >>> area_interval([0] * 10 + [1] * 10, range(20))  # an area of 1
    Interval(low=0.8002..., high=1.0)
    """
    tail = checks.one_delta(delta) / 2
    truth, values = scored(y_true, checks.numbers(scores, "scores", ndim=1), positive, least=2)
    units = None if groups is None else grouped(groups, len(truth))
    area, variance = map(float, areas_with_covariance(truth, values, units))
    z = normal = normal_quantile(tail)
    if units is not None:
        z = t_quantile(df_of_classes(truth, units), tail)
    ends = score_interval(truth, area, variance, units, z, perfect=normal)
    return claim(ends, "the area under the ROC curve", "score interval", "asymptotic", delta)


def of_classes(truth: BoolArray, units: Groups) -> list[Groups]:
    """Return the groups of the positive examples, and those of the negative ones."""
    return [grouped(units.code[mask], int(mask.sum()), least=1) for mask in (truth, ~truth)]


def df_of_classes(truth: BoolArray, units: Groups) -> float:
    """Return the degrees of freedom: those of the class with fewer or more unequal groups."""
    return min(group.df for group in of_classes(truth, units))


def score_interval(
    truth: BoolArray,
    area: float,
    variance: float,
    units: Groups | None,
    z: float,
    *,
    perfect: float | None = None,
) -> Interval:
    """Return the areas that the score test accepts; its variance is scaled to DeLong's estimate.

    The ends are at least as far out as those of a perfect ranking, or of a perfectly wrong one.
    Their variance is assumed, not estimated, and `perfect` is its quantile, by default `z`.
    """
    z_perfect = perfect or z
    group_counts = class_counts(truth, units)
    rarer = group_counts.min()
    # without a variance, the examples of a group may be copies, so a group counts as one example
    class_sizes, z_score = group_counts, z_perfect
    if variance > 0:
        class_sizes, z_score = class_counts(truth, None), z

    def model(a: checks.FloatOrArray, counts: checks.IntArray) -> checks.FloatArray:
        """Return Newcombe's variance, which is the same for A and 1 - A."""
        m, n = counts
        # Hanley and McNeil's two probabilities for exponential scores, made symmetric by Newcombe
        shape = (1 - a) / (2 - a) + a / (1 + a)
        return np.asarray(a * (1 - a) * (1 + ((m + n) / 2 - 1) * shape) / (m * n))

    expected = model(area, class_sizes)
    # the ratio of DeLong's variance to the model's, shrunk towards 1 if the rarer class is small
    ratio = max(variance, 0.0) / expected if expected > 0 else 1.0
    scale = max(ratio, (_MODEL + rarer * ratio) / (_MODEL + rarer))
    # lower ends for the areas A, 1 - A and 1; that of 1 - A is the complement of A's upper end
    top = np.array([area, 1 - area, 1.0])
    counts = np.array([class_sizes, class_sizes, group_counts]).T
    reach = np.array([z_score * np.sqrt(scale)] * 2 + [z_perfect])
    ends = bisect(lambda a: top - a > reach * np.sqrt(model(a, counts)), top * 0, top)
    # one more error can reveal a variance and so shorten the interval; no end may exceed that of an
    # area of 1
    low, rest = np.minimum(ends[:2], ends[2]).tolist()
    return Interval(low, 1 - rest)
