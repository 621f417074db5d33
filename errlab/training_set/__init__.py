"""Confidence sets for the error of a classifier, computed from its training set alone.

`INTERVALS` lists the methods by their short names, and ``INTERVALS["CUD"].function`` is called as
``function(estimator, X, y, *, delta=0.05, resamples=500, rng=0)``.
"""

from errlab.training_set._cud import cud_bound, cud_supremum
from errlab.training_set._kohavi import kohavi as kohavi
from errlab.training_set._langford import langford as langford
from errlab.training_set._least_squares import LeastSquares
from errlab.training_set._martin import martin as martin
from errlab.training_set._method import INTERVALS
from errlab.training_set._quantile_bootstrap import quantile_bootstrap as quantile_bootstrap
from errlab.training_set._reflected_bootstrap import reflected_bootstrap as reflected_bootstrap
from errlab.training_set._yang import yang as yang

__all__ = ["INTERVALS", "LeastSquares", "cud_bound", "cud_supremum"]


def __dir__() -> list[str]:
    return __all__
