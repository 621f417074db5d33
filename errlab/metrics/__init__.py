"""Further metrics: confusion matrix, ROC, precision-recall, F, false discovery rate.

`rate_interval`, `area_interval` and `f1_interval` give intervals for them, and `errlab.metric` for
any other. `korn_graubard` and `grouped_t` are for examples in groups.
"""

from typing import TYPE_CHECKING

from errlab._core.public import moved
from errlab.metrics._area_interval import area_interval
from errlab.metrics._confusion import RATES, Confusion, confusion, confusion_at
from errlab.metrics._delong import area, delong
from errlab.metrics._equal_error_rate import equal_error_rate
from errlab.metrics._f1 import f1, f1_interval, f_score
from errlab.metrics._fdr import fdr, fdr_threshold
from errlab.metrics._groups import (
    design_effect,
    group_means,
    grouped_betting,
    grouped_t,
    korn_graubard,
)
from errlab.metrics._rates import precision_at, rate_interval, rate_intervals
from errlab.metrics._roc import roc
from errlab.metrics._shares import error_at_shares, prediction_powered, weighted_error

__all__ = [
    "RATES",
    "Confusion",
    "area",
    "area_interval",
    "confusion",
    "confusion_at",
    "delong",
    "design_effect",
    "equal_error_rate",
    "error_at_shares",
    "f1",
    "f1_interval",
    "f_score",
    "fdr",
    "fdr_threshold",
    "group_means",
    "grouped_betting",
    "grouped_t",
    "korn_graubard",
    "precision_at",
    "prediction_powered",
    "rate_interval",
    "rate_intervals",
    "roc",
    "weighted_error",
]

if not TYPE_CHECKING:  # hidden from type checkers, so that they report unknown names
    __getattr__ = moved(
        __name__,
        confusion_matrix="sklearn.metrics.confusion_matrix",
        false_discoveries="errlab.metrics.fdr",
        per_class="errlab.per_class",
    )


def __dir__() -> list[str]:
    return __all__
