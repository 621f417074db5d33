"""The whole distribution of the generalization error, after Larsen and Hansen."""

from errlab._core.public import elsewhere
from errlab.generalization.distribution import (
    dispersion,
    location,
    log_transform,
    probability_greater,
)
from errlab.generalization.fpe import fpe, log_fpe
from errlab.generalization.leave_out import leave_out_errors_linear
from errlab.generalization.nested_models import holdout_t_test, leave_out_t_test
from errlab.generalization.optimal_split import optimal_fraction, split_mse

__all__ = [
    "dispersion",
    "fpe",
    "holdout_t_test",
    "leave_out_errors_linear",
    "leave_out_t_test",
    "location",
    "log_fpe",
    "log_transform",
    "optimal_fraction",
    "probability_greater",
    "split_mse",
]
elsewhere(__name__)
