"""Cross-validation: losses, closed forms, selection, a bound and intervals.

`cross_val_losses` takes an estimator; the closed forms, the bound and the intervals are pure
functions of arrays.
"""

from errlab.crossval.bound import kfold_bound
from errlab.crossval.closed_form import cv_residuals_linear, loo_losses_linear
from errlab.crossval.front import estimate
from errlab.crossval.intervals import clt_interval, corrected_resampled_t_interval, fold_t_interval
from errlab.crossval.losses import CVLosses, cross_val_losses
from errlab.crossval.one_standard_error import one_standard_error
from errlab.crossval.selection import nested

__all__ = [
    "CVLosses",
    "clt_interval",
    "corrected_resampled_t_interval",
    "cross_val_losses",
    "cv_residuals_linear",
    "estimate",
    "fold_t_interval",
    "kfold_bound",
    "loo_losses_linear",
    "nested",
    "one_standard_error",
]
