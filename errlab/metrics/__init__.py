"""What else a test set tells: confusion matrix, ROC, precision-recall, F, false discovery rate.

`rate_interval`, `area_interval`, `f1_interval`, `bootstrap_f1` and `bootstrap_area` put intervals
around them. `korn_graubard` and `grouped_t` are for cases that come in groups.
"""

from errlab._core.public import elsewhere
from errlab.metrics.area_intervals import area_interval, bootstrap_area
from errlab.metrics.auc import area, delong
from errlab.metrics.confusion import RATES, Confusion, confusion, confusion_at, confusion_matrix
from errlab.metrics.curves import precision_at, roc
from errlab.metrics.equal_error_rate import equal_error_rate
from errlab.metrics.f1_intervals import bootstrap_f1, bootstrap_macro_f1, f1_interval
from errlab.metrics.fdr import false_discoveries, fdr_threshold
from errlab.metrics.fscores import class_f1 as class_f1
from errlab.metrics.fscores import f_score, macro_f1, micro_f1
from errlab.metrics.groups import design_effect, group_means, grouped_t, korn_graubard
from errlab.metrics.per_class import per_class
from errlab.metrics.rate_intervals import rate_interval, rate_intervals
from errlab.metrics.shares import error_at_shares, prediction_powered, weighted_error

__all__ = [
    "RATES",
    "Confusion",
    "area",
    "area_interval",
    "bootstrap_area",
    "bootstrap_f1",
    "bootstrap_macro_f1",
    "confusion",
    "confusion_at",
    "confusion_matrix",
    "delong",
    "design_effect",
    "equal_error_rate",
    "error_at_shares",
    "f1_interval",
    "f_score",
    "false_discoveries",
    "fdr_threshold",
    "group_means",
    "grouped_t",
    "korn_graubard",
    "macro_f1",
    "micro_f1",
    "per_class",
    "precision_at",
    "prediction_powered",
    "rate_interval",
    "rate_intervals",
    "roc",
    "weighted_error",
]
elsewhere(__name__, precision_recall="sklearn.metrics.precision_recall_curve")
