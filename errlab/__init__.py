"""Errlab: how well will this classifier do on data it has not seen.

Four functions answer the usual questions:

- `report`: what a test lets you claim about one classifier, or about two;
- `metric`: any metric of one or two, with an interval;
- `plan`: how many test cases are needed;
- `watch`: errors that come in one by one, with a claim at every look.

The rest is in modules:

- `compare`: tests, intervals and power for two classifiers; `compare.models` for many;
- `crossval`: cross-validation; `crossval.estimate` gives an error with its interval;
- `metrics`: confusion matrices, rates, ROC, F1, a table per class, groups, weights;
- `bounds`, `coverage`: every bound from a test set, and how often it holds;
- `bootstrap`, `training_set`: resampling, and intervals from the training set alone;
- `holdout`, `generalization`: test sets that are used again, and how the error is distributed;
- `losses`, `datasets`: losses of each case, and problems with a known truth.

Each is imported on first use, so that ``import errlab`` is quick and draws in neither matplotlib
nor scikit-learn nor ipywidgets.
"""

from __future__ import annotations

import importlib

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
    "losses",
    "metrics",
    "training_set",
)
# The functions at the door, each in the module of its name in errlab.statements.
_FUNCTIONS = ("metric", "plan", "report", "watch")
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
    from errlab import losses as losses
    from errlab import metrics as metrics
    from errlab import training_set as training_set
    from errlab.statements.metric import metric as metric
    from errlab.statements.plan import plan as plan
    from errlab.statements.report import report as report
    from errlab.statements.watch import watch as watch


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"errlab.{name}")
    if name in _FUNCTIONS:
        return getattr(importlib.import_module(f"errlab.statements.{name}"), name)
    for module in _MODULES if not name.startswith("_") else ():
        near = name.removeprefix(f"{module}_")
        if near in importlib.import_module(f"errlab.{module}").__all__:
            raise AttributeError(f"errlab has no {name}; did you mean errlab.{module}.{near}?")
    raise AttributeError(f"module 'errlab' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
