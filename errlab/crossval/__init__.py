"""Cross-validation: losses, closed forms, selection, a bound and intervals.

`cross_val_losses` takes an estimator; the closed forms, the bound and the intervals are pure
functions of arrays.
"""

from errlab.crossval._bound import kfold_bound
from errlab.crossval._closed_form import cv_residuals_linear, loo_losses_linear
from errlab.crossval._front import estimate
from errlab.crossval._intervals import clt_interval, corrected_resampled_t_interval, fold_t_interval
from errlab.crossval._losses import CVLosses, cross_val_losses
from errlab.crossval._one_standard_error import one_standard_error
from errlab.crossval._selection import nested

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


def __dir__() -> list[str]:
    return __all__
