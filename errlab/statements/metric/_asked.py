"""Finding a metric by its name, function or scorer."""

import difflib
import inspect
import tomllib
import warnings
from collections.abc import Callable
from importlib.resources import files
from typing import Any, NamedTuple, cast

import numpy as np

from errlab._core import checks, extras
from errlab._core.checks import FloatArray, Labels
from errlab.metrics import RATES
from errlab.statements.metric._claim import Columns

Function = Callable[..., object]  # takes arrays of labels or scores

AREA = "area under the ROC curve"
F1 = "F1"
BALANCED = "balanced_accuracy"
TOP_K = "top_k_accuracy_score"
# With one label per example these are the accuracy: each error is a false positive and a false
# negative.
_MICRO = {f"{name}_score_micro" for name in ("f1", "precision", "recall")}
_NAMES = tomllib.loads(files(__package__).joinpath("names.toml").read_text("utf-8"))


class Asked(NamedTuple):
    """A metric: its label, its key if it has a formula, and its function."""

    label: str
    key: str  # empty if no formula applies
    function: Function | None
    name: str = ""  # name of the function in sklearn.metrics, with its options
    source: Function | None = None  # function of sklearn.metrics, without sign and options
    k: int = 2  # for top-k accuracy


def asked(metric: str | Function) -> Asked:
    """Return the metric for a name, a function or a scorer."""
    if isinstance(metric, str):
        return _named(metric)
    if hasattr(metric, "_score_func"):
        return _scored(metric)
    if not callable(metric) or isinstance(metric, type):
        raise TypeError(f"metric must be a name or a function, got {checks.show(metric)}")
    name = getattr(metric, "__name__", "metric")
    label = name.replace("_", " ")
    if not str(getattr(metric, "__module__", "")).startswith("sklearn.metrics"):
        return Asked(label, "", metric)
    key = _NAMES.get(name, "")
    return Asked(AREA if key == AREA else label, key, metric, name, source=metric)


def _named(metric: str) -> Asked:
    """Return the metric with this name, or raise an error that lists similar names."""
    plain = metric.lower().replace("-", "_").replace(" ", "_")
    label = metric.replace("_", " ")
    wanted = _NAMES.get(plain, plain)
    if wanted in (AREA, F1):
        return Asked(wanted, wanted, None)
    if wanted in RATES:
        return Asked(label, RATES.find(wanted), None)
    library = extras.load("sklearn.metrics")
    # classes in sklearn.metrics, such as the displays, are no metrics
    for name in (wanted, f"{wanted}_score", f"{wanted}_loss"):
        if name in library.__all__ and not isinstance(getattr(library, name), type):
            return asked(getattr(library, name))._replace(label=label)
    scorers = library.get_scorer_names()
    if wanted in scorers:
        return _scored(library.get_scorer(wanted))._replace(label=label)
    rates = [name.replace(" ", "_") for rate in RATES.values() for name in rate.names]
    near = difflib.get_close_matches(plain, {*_NAMES, *rates, *scorers, *library.__all__})
    rule = "metric must be roc_auc, f1, a rate such as accuracy, or a function or scorer of "
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    raise ValueError(f"{rule}sklearn.metrics, got {checks.show(metric)}{hint}")


def _scored(scorer: Any) -> Asked:
    """Return the function that a scorer applies to predictions, with its sign and options.

    A scorer gets predictions from a model, which isn't available here. Only its private attributes
    say how it uses them; their names have been the same since scikit-learn 0.14.
    """
    # a loss has the sign -1, and f1_macro is f1_score with average="macro"
    function, sign, options = scorer._score_func, scorer._sign, scorer._kwargs
    usual = inspect.signature(function).parameters
    # average="binary" is f1_score's default
    options = {k: v for k, v in options.items() if k not in usual or v != usual[k].default}
    if sign > 0 and not options:
        return asked(function)
    named = [str(value) for value in options.values() if value is not None]
    name = "_".join([function.__name__, *named])
    label = ("minus " if sign < 0 else "") + name.replace("_", " ")
    accuracy = name in _MICRO and sign > 0
    top_k = function.__name__ == TOP_K and sign > 0 and options.keys() <= {"k"}
    return Asked(
        label,
        "ACC" if accuracy else TOP_K if top_k else "",
        lambda y, score, **weights: sign * function(y, score, **options, **weights),
        name,
        source=function,
        k=options.get("k", 2),
    )


def models_of(columns: Columns) -> list[Labels]:
    """Check the predictions of each model: labels, or numbers in one or more columns."""
    n = len(columns.y_true)
    models = []
    for name, score in columns.scores.items():
        table = checks.raw(score, name).ndim == 2
        model = checks.numbers(score, name, ndim=2) if table else checks.labels(score, name)
        checks.require(len(model) == n, name, f"have {n} examples, as y_true has", len(model))
        models.append(model)
    if len({model.shape for model in models}) > 1:
        shapes = " and ".join(str(model.shape) for model in models)
        raise ValueError(f"score_a and score_b must have one shape, got {shapes}")
    return models


def value_of(meant: Asked, truth: Labels, score: Labels, **weights: FloatArray) -> float:
    """Call a metric; return NaN if it warns that it is undefined."""
    if meant.name == "log_loss" and set(np.unique(truth).tolist()) <= {0, 1}:
        weights = {**weights, "labels": np.array([0, 1])}  # a test set may have one class only
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            warnings.simplefilter("error", RuntimeWarning)
            # the balanced accuracy is then the mean over the classes of y_true
            warnings.filterwarnings("ignore", message="y_pred contains classes not in y_true")
            value = cast(Function, meant.function)(truth, score, **weights)
    except (ValueError, TypeError, ZeroDivisionError, UserWarning, RuntimeWarning) as error:
        cause = " ".join(str(error).split())[:150]
        if "ill-defined" in cause:  # scikit-learn would return 0
            cause = "some class was never called, or has no example: errlab.per_class names it"
        raise ValueError(
            f"metric {meant.label} is not defined for these examples: {cause}"
        ) from None
    number = float(value) if isinstance(value, (int, float, np.number)) else np.nan
    checks.require(np.isfinite(number), f"metric {meant.label}", "return one finite number", value)
    return number
