"""Upper bounds for the true error from a test set.

`BOUNDS` holds them all by short name, in the order of the survey's Table 1, then what we add.
`upper`, `lower` and `interval` evaluate any of them, and each is a function of its own:
``clopper_pearson(7 / 200, 200)``. `confidence_sequence` holds however often you look.
"""

from errlab._interval import Interval
from errlab.bounds._ask import interval, lower, upper
from errlab.bounds._bound import BOUNDS, Bound
from errlab.bounds._guide import Ranked, applicable, rank, tightest
from errlab.bounds.bentkus import bentkus
from errlab.bounds.betting import betting
from errlab.bounds.binary import agresti_coull, clopper_pearson, jeffreys, normal, wilson
from errlab.bounds.bounded import (
    bernstein,
    chebyshev,
    chernoff,
    guttman,
    hoeffding,
    maurer_pontil,
    tight_hoeffding,
)
from errlab.bounds.sequence import confidence_sequence

__all__ = [
    "BOUNDS",
    "Bound",
    "Interval",
    "Ranked",
    "agresti_coull",
    "applicable",
    "bentkus",
    "bernstein",
    "betting",
    "chebyshev",
    "chernoff",
    "clopper_pearson",
    "confidence_sequence",
    "guttman",
    "hoeffding",
    "interval",
    "jeffreys",
    "lower",
    "maurer_pontil",
    "normal",
    "rank",
    "tight_hoeffding",
    "tightest",
    "upper",
    "wilson",
]
