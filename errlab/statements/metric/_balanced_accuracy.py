"""The mean recall of the classes: square-and-add over the classes, which share no case.

Of one model it adds up the exact intervals of the classes (Newcombe 1998; Zou and Donner 2008), of
two those of Fay and Lumbard for the cases of each class.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import optimize

from errlab._core.checks import IntArray
from errlab._core.interval import Interval
from errlab._core.statement import Method
from errlab._numerics.groups import codes
from errlab.compare.fay_lumbard import melded
from errlab.metrics.confusion import BoolArray
from errlab.metrics.per_class import RAREST, SQUARE_AND_ADD
from errlab.metrics.rates import mean_rate
from errlab.statements.metric._claim import RARER, Columns, MetricClaim
from errlab.statements.metric._rates import hits_of

PAIRED = Method(
    "square-and-add of the exact paired intervals of the classes",
    key="square-and-add of the exact paired intervals of the classes",
)
_SMALLEST = 1e-12  # the smallest p-value that is looked for


def balanced_accuracy(columns: Columns, delta: float) -> MetricClaim:
    """Return the claim about the mean recall of one model, or about the difference of two."""
    _, first = hits_of("ACC", columns, columns.score_a, "score_a")
    code = codes(columns.y_true, "y_true")
    sizes = np.bincount(code)
    hits = np.bincount(code, first).astype(int)
    if columns.score_b is None:
        value, ends = mean_rate(np.transpose([hits, sizes]), delta)
        return _claim((value,), ends, SQUARE_AND_ADD, sizes)
    _, second = hits_of("ACC", columns, columns.score_b, "score_b")
    values = [float((np.bincount(code, right) / sizes).mean()) for right in (first, second)]
    at = _interval_at(first, second, code, sizes)
    claim = _claim(tuple(values), at(delta), PAIRED, sizes)
    return claim._replace(pvalue=_pvalue(at))


def _claim(values: tuple[float, ...], ends: Interval, method: str, sizes: IntArray) -> MetricClaim:
    """Return the claim; its coverage depends on the smallest class."""
    two = len(sizes) == 2
    return MetricClaim(
        values=values,
        ends=ends,
        method=method,
        among=int(sizes.min() if two else sizes.sum()),
        size=float(sizes.min()),
        unit=RARER if two else RAREST,
        rarer=two,
    )


def _interval_at(
    first: BoolArray, second: BoolArray, code: IntArray, sizes: IntArray
) -> Callable[[float], Interval]:
    """Return the interval of the difference as a function of delta."""
    # cases of each class that A alone got right, and that B alone did
    only_a, only_b = (np.bincount(code, x) for x in (first & ~second, second & ~first))
    gaps = (only_a - only_b) / sizes
    value = float(gaps.mean())
    counts = np.array([only_a, only_b, sizes], dtype=float)

    def at(delta: float) -> Interval:
        # the squares of how far the differences are from the ends of their intervals
        ends = melded(*counts, delta=delta)
        down, up = (np.sqrt(((end - gaps) ** 2).sum()) / len(gaps) for end in ends)
        return Interval(max(value - float(down), -1.0), min(value + float(up), 1.0))

    return at


def _pvalue(at: Callable[[float], Interval]) -> float:
    """Invert the interval: the level at which the end nearer to 0 is 0."""
    centre = at(1 - _SMALLEST)
    if centre.low <= 0 <= centre.high:
        return 1.0
    side = int(centre.high < 0)
    if at(_SMALLEST)[side] * (1 - 2 * side) >= 0:
        return _SMALLEST
    return float(optimize.brentq(lambda level: at(level)[side], _SMALLEST, 1 - _SMALLEST))
