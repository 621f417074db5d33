"""Upper bounds for the true error from a test set.

`BOUNDS` holds them all by short name, in the order of the survey's Table 1, then what we add.
`upper`, `lower` and `interval` evaluate any of them: ``upper("CP", errors=7, n=200)``. Each is a
function, too: ``wilson(7 / 200, 200)``. `__all__` names those that one is likely to want.
`confidence_sequence` holds however often you look.
"""

# ruff: noqa: F403, F405

from errlab.bounds._ask import interval, lower, upper
from errlab.bounds._bound import BOUNDS
from errlab.bounds._guide import applicable, rank, tightest
from errlab.bounds.bentkus import bentkus as bentkus
from errlab.bounds.betting import betting
from errlab.bounds.binary import *
from errlab.bounds.blaker import blaker
from errlab.bounds.bounded import *
from errlab.bounds.guttman import guttman as guttman
from errlab.bounds.sequence import confidence_sequence

__all__ = [
    "BOUNDS",
    "applicable",
    "betting",
    "blaker",
    "clopper_pearson",
    "confidence_sequence",
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
