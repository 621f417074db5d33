"""The whole distribution of the generalization error, after Larsen and Hansen."""

from errlab.generalization.distribution import (
    Dispersion,
    Distribution,
    Location,
    dispersion,
    empirical_distribution,
    location,
    log_transform,
    probability_greater,
)
from errlab.generalization.fpe import fpe, log_fpe
from errlab.generalization.leave_out import (
    leave_out_errors,
    leave_out_errors_linear,
    leave_out_splits,
)
from errlab.generalization.nested_models import NestedTest, holdout_t_test, leave_out_t_test
from errlab.generalization.optimal_split import optimal_fraction, split_mse

__all__ = [
    "Dispersion",
    "Distribution",
    "Location",
    "NestedTest",
    "dispersion",
    "empirical_distribution",
    "fpe",
    "holdout_t_test",
    "leave_out_errors",
    "leave_out_errors_linear",
    "leave_out_splits",
    "leave_out_t_test",
    "location",
    "log_fpe",
    "log_transform",
    "optimal_fraction",
    "probability_greater",
    "split_mse",
]
