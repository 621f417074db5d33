"""Confidence sets for the error of a classifier, from its training set alone.

`INTERVALS` lists the methods by their short names, and ``INTERVALS["CUD"].function`` is called as
``function(estimator, X, y, *, delta=0.05, resamples=500, rng=0)``.
"""

# ruff: noqa: F403

from errlab.training_set._method import INTERVALS
from errlab.training_set.baselines import *
from errlab.training_set.cud import cud_bound, cud_cells, cud_supremum
from errlab.training_set.least_squares import LeastSquares

__all__ = ["INTERVALS", "LeastSquares", "cud_bound", "cud_cells", "cud_supremum"]
