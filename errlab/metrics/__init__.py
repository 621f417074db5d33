"""What else a test set tells: confusion matrix, ROC, precision-recall, F, false discovery rate.

Intervals around these quantities are in `errlab.holdout`: `rate_interval`, `area_interval`,
`bootstrap_f1` and `bootstrap_area`.
"""

from errlab.metrics.auc import Areas, area, delong
from errlab.metrics.confusion import (
    RATES,
    Confusion,
    Matrix,
    Rate,
    RateDefinition,
    confusion,
    confusion_at,
    confusion_matrix,
)
from errlab.metrics.curves import (
    PrecisionRecall,
    Roc,
    equal_error_rate,
    precision_at,
    precision_recall,
    roc,
)
from errlab.metrics.fdr import Discoveries, false_discoveries, fdr_threshold
from errlab.metrics.fscores import class_f1, f_score, macro_f1, micro_f1

__all__ = [
    "RATES",
    "Areas",
    "Confusion",
    "Discoveries",
    "Matrix",
    "PrecisionRecall",
    "Rate",
    "RateDefinition",
    "Roc",
    "area",
    "class_f1",
    "confusion",
    "confusion_at",
    "confusion_matrix",
    "delong",
    "equal_error_rate",
    "f_score",
    "false_discoveries",
    "fdr_threshold",
    "macro_f1",
    "micro_f1",
    "precision_at",
    "precision_recall",
    "roc",
]
