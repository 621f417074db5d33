"""The whole distribution of the generalization error, after Larsen and Hansen."""

from errlab._core.public import elsewhere
from errlab.generalization.distribution import (
    dispersion,
    leave_out_errors_linear,
    location,
    probability_greater,
)
from errlab.generalization.fpe import fpe, log_fpe
from errlab.generalization.nested_models import holdout_t_test, leave_out_t_test

__all__ = [
    "dispersion",
    "fpe",
    "holdout_t_test",
    "leave_out_errors_linear",
    "leave_out_t_test",
    "location",
    "log_fpe",
    "probability_greater",
]
elsewhere(
    __name__,
    empirical_distribution="scipy.stats.ecdf",
    leave_out_errors="leave_out_errors_linear, or crossval.cross_val_losses",
    log_transform="numpy.log1p",
    optimal_fraction="errlab.book.optimal_split.optimal_fraction",
    split_mse="errlab.book.optimal_split.split_mse",
)
