"""Confidence sets for the error of a classifier, from its training set alone.

One file holds one method, and `INTERVALS` lists them. Each is called as
``method(estimator, X, y, *, delta=0.05, resamples=500, rng=None)``.
"""

from errlab._interval import Interval
from errlab.intervals._method import INTERVALS, Method
from errlab.intervals.cud import Cells, CUDResult, cud_bound, cud_cells, cud_supremum
from errlab.intervals.kohavi import kohavi
from errlab.intervals.langford import langford
from errlab.intervals.least_squares import LeastSquares
from errlab.intervals.martin import martin
from errlab.intervals.quantile_bootstrap import quantile_bootstrap
from errlab.intervals.reflected_bootstrap import reflected_bootstrap
from errlab.intervals.yang import yang

__all__ = [
    "INTERVALS",
    "CUDResult",
    "Cells",
    "Interval",
    "LeastSquares",
    "Method",
    "cud_bound",
    "cud_cells",
    "cud_supremum",
    "kohavi",
    "langford",
    "martin",
    "quantile_bootstrap",
    "reflected_bootstrap",
    "yang",
]
