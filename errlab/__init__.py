"""Errlab: how well will this classifier do on data it has not seen.

The modules are imported on first use, so that ``import errlab`` is quick and draws in neither
matplotlib nor scikit-learn nor ipywidgets.
"""

from __future__ import annotations

import importlib
import warnings

TYPE_CHECKING = False  # as typing has it, which would take its time
__version__ = "0.1.0"

_MODULES = (
    "bounds",
    "compare",
    "bootstrap",
    "coverage",
    "crossval",
    "datasets",
    "generalization",
    "holdout",
    "intervals",
    "losses",
    "metrics",
)
_BOOK = ("exercises", "figures", "plots", "quiz", "tables", "widgets")  # moved to errlab.book
# The functions at the door, and where each lives.
_FUNCTIONS = {
    "metric": "_metric",
    "plan": "_plan",
    "report": "_report",
    "watch": "_report._watch",
}
__all__ = ["__version__", *_FUNCTIONS, *_MODULES]

if TYPE_CHECKING:
    from typing import Any

    from errlab import bootstrap as bootstrap
    from errlab import bounds as bounds
    from errlab import compare as compare
    from errlab import coverage as coverage
    from errlab import crossval as crossval
    from errlab import datasets as datasets
    from errlab import generalization as generalization
    from errlab import holdout as holdout
    from errlab import intervals as intervals
    from errlab import losses as losses
    from errlab import metrics as metrics
    from errlab._metric import metric as metric
    from errlab._plan import plan as plan
    from errlab._report import report as report
    from errlab._report._watch import watch as watch


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"errlab.{name}")
    if name in _BOOK:
        warnings.warn(
            f"errlab.{name} is errlab.book.{name} now; the old name goes with the next release",
            DeprecationWarning,
            stacklevel=2,
        )
        return importlib.import_module(f"errlab.book.{name}")
    if name in _FUNCTIONS:
        return getattr(importlib.import_module(f"errlab.{_FUNCTIONS[name]}"), name)
    raise AttributeError(f"module 'errlab' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
