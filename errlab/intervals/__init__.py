"""Confidence sets for the error of a classifier, from its training set alone.

One file holds one method, or a family of them, and names it in its own ``__all__``. `INTERVALS`
lists them. Each is called as
``method(estimator, X, y, *, delta=0.05, resamples=500, rng=None)``.
"""

# ruff: noqa: F403

from errlab._interval import Interval
from errlab.intervals import kohavi as _kohavi
from errlab.intervals import langford as _langford
from errlab.intervals import martin as _martin
from errlab.intervals import quantile_bootstrap as _quantile_bootstrap
from errlab.intervals import reflected_bootstrap as _reflected_bootstrap
from errlab.intervals import yang as _yang
from errlab.intervals._method import INTERVALS, Method
from errlab.intervals.cud import Cells, CUDResult, cud_bound, cud_cells, cud_supremum
from errlab.intervals.kohavi import *
from errlab.intervals.langford import *
from errlab.intervals.least_squares import LeastSquares
from errlab.intervals.martin import *
from errlab.intervals.quantile_bootstrap import *
from errlab.intervals.reflected_bootstrap import *
from errlab.intervals.yang import *

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
]
__all__ += _kohavi.__all__
__all__ += _langford.__all__
__all__ += _martin.__all__
__all__ += _quantile_bootstrap.__all__
__all__ += _reflected_bootstrap.__all__
__all__ += _yang.__all__
