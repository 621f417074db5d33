"""Areas under ROC curves: the score interval of one, and of the difference of two."""

import math

import numpy as np
from scipy import special

from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._core.evidence import Method
from errlab._core.interval import Interval
from errlab._numerics.groups import Groups, t_quantile
from errlab._numerics.roots import normal_quantile
from errlab.metrics._area_interval import df_of_classes, of_classes, score_interval
from errlab.metrics._confusion import BoolArray
from errlab.metrics._delong import areas_with_covariance
from errlab.metrics._roc import scored
from errlab.statements.metric._claim import Columns, MetricClaim, asymptotic
from errlab.statements.per_class import RARER

_NEAR = 1e-6  # the search for a p-value goes up to the z of which this is the reciprocal


def areas(columns: Columns, delta: float) -> MetricClaim:
    """Return the score interval of one area, or that of a difference from those of both."""
    rows = {}
    for name, column in columns.scores.items():
        if checks.raw(column, name).ndim == 2:
            raise ValueError(
                f"{name} must have 1 dimension for roc_auc, got {checks.show(column)}; for two "
                "classes give the column of the positive one, for more take metric='roc_auc_ovr'"
            )
        rows[name] = checks.numbers(column, name, ndim=1)
    checks.graded(columns.y_true, rows["score_a"], "score_a")
    checks.same_length(**rows)
    truth, scores = scored(columns.y_true, np.array([*rows.values()]), columns.positive, least=2)
    units = columns.units
    both, covariance = areas_with_covariance(truth, scores, units)
    values, covariance = np.atleast_1d(both), np.atleast_2d(covariance)
    rarer = fewest = int(min(truth.sum(), (~truth).sum()))
    size, unit = float(rarer), RARER
    # the rarer class limits the degrees of freedom, because its variance is the least certain
    df = rarer - 1.0
    if units is not None:
        class_groups = of_classes(truth, units)
        fewest = min(classed.number for classed in class_groups)
        size, unit = (
            min(group.effective for group in class_groups),
            "effective groups of the rarer class",
        )
        df = df_of_classes(truth, units)
    method, pvalue = Method("score interval"), None
    if len(rows) == 2:
        method = Method("square-and-add of the score intervals")
        ends, pvalue = _difference_interval(truth, values, covariance, units, df, delta)
    else:
        # Newcombe's score interval, with its variance scaled to DeLong's
        normal = normal_quantile(delta / 2)
        z = normal if units is None else t_quantile(df, delta / 2)
        area, variance = float(values[0]), float(covariance[0, 0])
        low, high = score_interval(truth, area, variance, units, z, perfect=normal)
        # Positives that rank below all negatives may be missing from the sample by chance. If they
        # are a fraction 1 - (delta / 2)^(1/r), a sample of r has none with probability delta / 2.
        none = (delta / 2) ** (1 / fewest)
        ends = Interval(min(low, none), max(high, 1 - none))
    return MetricClaim(
        values=tuple(values.tolist()),
        claim=asymptotic(values.tolist(), ends, method, pvalue, delta),
        among=rarer,
        size=size,
        unit=unit,
        rarer=True,
    )


def _difference_interval(
    truth: BoolArray,
    areas: FloatArray,
    covariance: FloatArray,
    units: Groups | None,
    df: float,
    delta: float,
) -> tuple[Interval, float]:
    """Return interval and p-value, from the areas' score intervals (Zou and Donner 2008)."""
    from scipy.optimize import brentq  # slow to import, which would delay the command line

    total = float(covariance.trace())
    variance = total - 2 * float(covariance[0, 1])
    variances = covariance.diagonal().tolist()
    one, other = areas.tolist()
    # the variance of the difference can't be estimated
    if variance <= max(1e-14 * total, 0.0):
        why = "they rank all examples alike; take metric='brier', which a recalibration changes"
        if one != other:
            why = f"their areas, {one:.3g} and {other:.3g}, show no spread; take more examples"
        raise ValueError(
            "score_a and score_b must allow an estimate of the variance of their "
            f"difference, but {why}"
        )
    # areas on the same examples are correlated
    spread = math.sqrt(variances[0] * variances[1])
    correlation = float(covariance[0, 1]) / spread if spread > 0 else 0.0

    def at(z: float) -> Interval:
        p = score_interval(truth, one, variances[0], units, z)
        q = score_interval(truth, other, variances[1], units, z)
        # distances to the lower and upper end of the first area, and to the upper and lower end of
        # the second
        x = np.array([one - p.low, p.high - one])
        y = np.array([q.high - other, other - q.low])
        reach = np.sqrt(np.maximum(x**2 + y**2 - 2 * correlation * x * y, 0.0))
        return Interval(*np.clip(one - other + reach * [-1, 1], -1.0, 1.0).tolist())

    pvalue = 1.0
    # find the z = part / (1 - part) at which the interval's end nearer to 0 is 0
    if one != other:
        side = int(one < other)
        far = 1 - _NEAR
        if at(far / _NEAR)[side] * (1 - 2 * side) < 0:
            far = brentq(lambda part: at(part / (1 - part))[side], 0.0, far)
        pvalue = float(2 * special.stdtr(df, -far / (1 - far)))
    return at(t_quantile(df, delta / 2)), pvalue
