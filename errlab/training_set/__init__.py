"""Confidence sets for the error of a classifier, from its training set alone.

One file holds one method, or a family of them, and names it in its own ``__all__``. `INTERVALS`
lists them. Each is called as
``method(estimator, X, y, *, delta=0.05, resamples=500, rng=None)``.
"""

# ruff: noqa: F403

from errlab._core.interval import Interval
from errlab.training_set import kohavi as _kohavi
from errlab.training_set import langford as _langford
from errlab.training_set import martin as _martin
from errlab.training_set import quantile_bootstrap as _quantile_bootstrap
from errlab.training_set import reflected_bootstrap as _reflected_bootstrap
from errlab.training_set import yang as _yang
from errlab.training_set._method import INTERVALS, Method
from errlab.training_set.cud import Cells, CUDResult, cud_bound, cud_cells, cud_supremum
from errlab.training_set.kohavi import *
from errlab.training_set.langford import *
from errlab.training_set.least_squares import LeastSquares
from errlab.training_set.martin import *
from errlab.training_set.quantile_bootstrap import *
from errlab.training_set.reflected_bootstrap import *
from errlab.training_set.yang import *

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
