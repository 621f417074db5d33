"""Upper bounds for the true error from a test set.

`BOUNDS` holds them all by short name, in the order of the survey's Table 1, then what we add.
`upper`, `lower` and `interval` evaluate any of them, and each is a function of its own:
``clopper_pearson(7 / 200, 200)``. `confidence_sequence` holds however often you look.
"""

# ruff: noqa: F403

from errlab._core.interval import Interval
from errlab.bounds import binary, bounded
from errlab.bounds._ask import interval, lower, upper
from errlab.bounds._bound import BOUNDS, Bound
from errlab.bounds._guide import Ranked, applicable, rank, tightest
from errlab.bounds.bentkus import bentkus
from errlab.bounds.betting import betting
from errlab.bounds.binary import *
from errlab.bounds.bounded import *
from errlab.bounds.guttman import guttman
from errlab.bounds.sequence import confidence_sequence

__all__ = [
    "BOUNDS",
    "Bound",
    "Interval",
    "Ranked",
    "applicable",
    "bentkus",
    "betting",
    "confidence_sequence",
    "guttman",
    "interval",
    "lower",
    "rank",
    "tightest",
    "upper",
]
__all__ += binary.__all__
__all__ += bounded.__all__
