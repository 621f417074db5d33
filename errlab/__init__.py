"""Errlab: estimate how often a classifier will be wrong on new data, with proven bounds.

Six functions answer the usual questions:

- `report`: what a test shows about one classifier, or about two;
- `models`: many models on the same test set, with all pairs and ranks;
- `per_class`: recall, precision and F1 of each class;
- `metric`: any metric of one model or two, with an interval;
- `plan`: how many test examples are needed;
- `watch`: errors that arrive one by one, with an interval that is valid at every look.

Everything else is in modules:

- `compare`: tests, intervals and power for two classifiers or many;
- `crossval`: cross-validation; `crossval.estimate` gives an error with its interval;
- `metrics`: confusion matrices, rates, ROC, F1, groups, weights;
- `bounds`, `coverage`: every bound from a test set, and its coverage;
- `bootstrap`, `training_set`: resampling, and intervals from the training set alone;
- `holdout`, `generalization`: reused test sets, and the distribution of the error;
- `losses`, `datasets`: the loss of each example, and problems with known true errors;
- `results`, `checks`, `rounding`, `style`: classes of results, argument checks, formatted numbers
  and the look of plots, for your own code.

Each is imported on first use, so ``import errlab`` is quick and doesn't import matplotlib,
scikit-learn or ipywidgets.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # false at run time, as in typing, whose import is slow
__version__ = "0.2.0"

__all__ = [
    "__version__",
    "bootstrap",
    "bounds",
    "checks",
    "compare",
    "coverage",
    "crossval",
    "datasets",
    "generalization",
    "holdout",
    "losses",
    "metric",
    "metrics",
    "models",
    "per_class",
    "plan",
    "report",
    "results",
    "rounding",
    "style",
    "training_set",
    "watch",
]
# The public functions, each loaded on first use from the module of its name in errlab.statements.
_FUNCTIONS = {
    "metric": "metric",
    "models": "many_models",
    "per_class": "per_class",
    "plan": "plan",
    "report": "report",
    "watch": "watch",
}
_MODULES = [name for name in __all__[1:] if name not in _FUNCTIONS]

if TYPE_CHECKING:
    from typing import Any

    from errlab import (
        bootstrap,
        bounds,
        checks,
        compare,
        coverage,
        crossval,
        datasets,
        generalization,
        holdout,
        losses,
        metrics,
        results,
        rounding,
        style,
        training_set,
    )
    from errlab.statements.many_models import models
    from errlab.statements.metric import metric
    from errlab.statements.per_class import per_class
    from errlab.statements.plan import plan
    from errlab.statements.report import report
    from errlab.statements.watch import watch


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"errlab.{name}")
    if name in _FUNCTIONS:
        return getattr(importlib.import_module(f"errlab.statements.{_FUNCTIONS[name]}"), name)
    if name == "book":
        raise AttributeError("errlab.book is now the package errlab_book")
    for module in _MODULES if not name.startswith("_") else ():
        near = name.removeprefix(f"{module}_")
        if near in _FUNCTIONS:
            raise AttributeError(f"errlab has no {name}; did you mean errlab.{near}?")
        if near in importlib.import_module(f"errlab.{module}").__all__:
            raise AttributeError(f"errlab has no {name}; did you mean errlab.{module}.{near}?")
    raise AttributeError(f"module 'errlab' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
