"""Upper bounds for the true error from a test set.

`BOUNDS` holds them all by short name, in the order of the survey's Table 1, then what we add.
`upper`, `lower` and `interval` evaluate any of them: ``upper("CP", errors=7, n=200)``. Each is a
function, too: ``wilson(7 / 200, 200)``. `__all__` names those that one is likely to want.
`confidence_sequence` holds however often you look.
"""

from errlab.bounds.agresti_coull import agresti_coull as agresti_coull
from errlab.bounds.bentkus import bentkus as bentkus
from errlab.bounds.bernstein import bernstein as bernstein
from errlab.bounds.betting import betting
from errlab.bounds.blaker import blaker
from errlab.bounds.bound import BOUNDS, interval, lower, upper
from errlab.bounds.chebyshev import chebyshev as chebyshev
from errlab.bounds.chernoff import chernoff as chernoff
from errlab.bounds.clopper_pearson import clopper_pearson
from errlab.bounds.guide import applicable, rank, tightest
from errlab.bounds.guttman import guttman as guttman
from errlab.bounds.hoeffding import hoeffding as hoeffding
from errlab.bounds.jeffreys import jeffreys
from errlab.bounds.maurer_pontil import maurer_pontil
from errlab.bounds.normal import normal
from errlab.bounds.sequence import confidence_sequence
from errlab.bounds.tight_hoeffding import tight_hoeffding
from errlab.bounds.wilson import wilson

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
