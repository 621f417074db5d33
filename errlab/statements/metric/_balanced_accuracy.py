"""The mean recall of the classes: square-and-add over the classes, which share no case.

Of one model it adds up the exact intervals of the classes (Newcombe 1998; Zou and Donner 2008), of
two those of Fay and Lumbard for the cases of each class.
"""

from collections.abc import Callable

import numpy as np
from scipy import optimize

from errlab._core.interval import Interval
from errlab._numerics.groups import codes
from errlab.compare.fay_lumbard import melded
from errlab.metrics.per_class import RARER, RAREST, SQUARE_AND_ADD
from errlab.metrics.rates import mean_rate
from errlab.statements.metric._claim import Columns, MetricClaim
from errlab.statements.metric._rates import hits_of

PAIRED = "square-and-add of the exact paired intervals of the classes"
_SMALLEST = 1e-12  # the smallest p-value that is looked for


def balanced_accuracy(columns: Columns, delta: float) -> MetricClaim:
    """Return the claim about the mean recall of one model, or about the difference of two."""
    right = [hits_of("ACC", columns, name)[1] for name in columns.scores]
    code = codes(columns.y_true, "y_true")
    sizes = np.bincount(code)
    hits = [np.bincount(code, hit).astype(int) for hit in right]
    pvalue, method = None, str(SQUARE_AND_ADD)
    values = [float((hit / sizes).mean()) for hit in hits]
    if len(hits) == 1:
        _, ends = mean_rate(np.transpose([hits[0], sizes]), delta)
    else:
        first, second = right
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

        ends, pvalue, method = at(delta), _pvalue(at), PAIRED
    # the coverage depends on the smallest class
    two = len(sizes) == 2
    return MetricClaim(
        values=tuple(values),
        ends=ends,
        method=method,
        among=int(sizes.min() if two else sizes.sum()),
        size=float(sizes.min()),
        unit=RARER if two else RAREST,
        rarer=two,
        pvalue=pvalue,
    )


def _pvalue(at: Callable[[float], Interval]) -> float:
    """Invert the interval: the level at which the end nearer to 0 is 0."""
    centre = at(1 - _SMALLEST)
    if centre.low <= 0 <= centre.high:
        return 1.0
    side = int(centre.high < 0)
    if at(_SMALLEST)[side] * (1 - 2 * side) >= 0:
        return _SMALLEST
    return float(optimize.brentq(lambda level: at(level)[side], _SMALLEST, 1 - _SMALLEST))
