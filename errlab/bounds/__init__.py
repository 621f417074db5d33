"""Upper bounds for the true error from a test set.

`BOUNDS` holds them all by short name. `upper`, `lower` and `interval` evaluate any of them, and
each is a function of its own: ``clopper_pearson(7 / 200, 200)``.
"""

from errlab.bounds._bound import BOUNDS, Bound, Interval, interval, lower, upper
from errlab.bounds.binary import agresti_coull, clopper_pearson, jeffreys, normal, wilson

__all__ = [
    "BOUNDS",
    "Bound",
    "Interval",
    "agresti_coull",
    "clopper_pearson",
    "interval",
    "jeffreys",
    "lower",
    "normal",
    "upper",
    "wilson",
]
