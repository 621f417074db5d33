"""The distribution of the generalization error, after Larsen and Hansen."""

from errlab.generalization._distribution import (
    dispersion,
    leave_out_errors_linear,
    leave_out_splits,
    location,
    probability_greater,
)
from errlab.generalization._fpe import fpe, log_fpe
from errlab.generalization._nested_models import holdout_t_test, leave_out_t_test

__all__ = [
    "dispersion",
    "fpe",
    "holdout_t_test",
    "leave_out_errors_linear",
    "leave_out_splits",
    "leave_out_t_test",
    "location",
    "log_fpe",
    "probability_greater",
]


def __dir__() -> list[str]:
    return __all__
