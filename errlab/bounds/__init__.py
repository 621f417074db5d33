"""Upper bounds for the true error from a test set.

`BOUNDS` contains all of them by short name: first those of the survey's Table 1, then others.
`upper`, `lower` and `interval` evaluate any of them, as in ``upper("CP", errors=7, n=200)``. Each
is also a function, as in ``wilson(7 / 200, 200)``; `__all__` lists the most useful ones.
`confidence_sequence` is valid however often you look.
"""

from errlab.bounds._agresti_coull import agresti_coull as agresti_coull
from errlab.bounds._bentkus import bentkus as bentkus
from errlab.bounds._bernstein import bernstein as bernstein
from errlab.bounds._betting import betting, log_capital
from errlab.bounds._blaker import blaker
from errlab.bounds._bound import BOUNDS, interval, lower, upper
from errlab.bounds._chebyshev import chebyshev as chebyshev
from errlab.bounds._chernoff import chernoff as chernoff
from errlab.bounds._clopper_pearson import clopper_pearson
from errlab.bounds._guide import applicable, rank, tightest
from errlab.bounds._guttman import guttman as guttman
from errlab.bounds._hoeffding import hoeffding as hoeffding
from errlab.bounds._jeffreys import jeffreys
from errlab.bounds._maurer_pontil import maurer_pontil
from errlab.bounds._normal import normal
from errlab.bounds._sequence import confidence_sequence
from errlab.bounds._tight_hoeffding import tight_hoeffding
from errlab.bounds._wilson import wilson

__all__ = [
    "BOUNDS",
    "applicable",
    "betting",
    "blaker",
    "clopper_pearson",
    "confidence_sequence",
    "interval",
    "jeffreys",
    "log_capital",
    "lower",
    "maurer_pontil",
    "normal",
    "rank",
    "tight_hoeffding",
    "tightest",
    "upper",
    "wilson",
]


def __dir__() -> list[str]:
    return __all__
