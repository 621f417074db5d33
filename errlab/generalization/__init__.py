"""The whole distribution of the generalization error, after Larsen and Hansen."""

from errlab._core.public import elsewhere
from errlab.generalization.distribution import dispersion, location, probability_greater
from errlab.generalization.distribution import log_transform as log_transform
from errlab.generalization.fpe import fpe, log_fpe
from errlab.generalization.leave_out import leave_out_errors_linear
from errlab.generalization.nested_models import holdout_t_test, leave_out_t_test
from errlab.generalization.optimal_split import optimal_fraction
from errlab.generalization.optimal_split import split_mse as split_mse

__all__ = [
    "dispersion",
    "fpe",
    "holdout_t_test",
    "leave_out_errors_linear",
    "leave_out_t_test",
    "location",
    "log_fpe",
    "optimal_fraction",
    "probability_greater",
]
elsewhere(
    __name__,
    empirical_distribution="scipy.stats.ecdf",
    leave_out_errors="leave_out_errors_linear, or crossval.cross_val_losses",
)
