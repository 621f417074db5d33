"""The decorator of public functions, which explains mistaken arguments and misaligned columns."""

import functools
import inspect
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, ParamSpec, TypeVar

from errlab._core import checks

P = ParamSpec("P")
R = TypeVar("R")

# Names of arguments in other libraries, our names for them, and how to convert the value.
_SYNONYMS = (
    ("random_state seed random_seed", "rng", "a seed or a Generator"),
    ("alpha", "delta fdr steepness", "the probability of failure, as alpha"),
    ("significance significance_level", "delta", "the probability of failure"),
    ("n01", "only_a_wrong", "examples that A gets wrong and B right"),
    ("n10", "only_b_wrong", "examples that A gets right and B wrong"),
    ("confidence_level", "delta", "1 - confidence_level"),
    ("conf_level", "delta", "1 - conf_level"),
    ("level", "delta", "1 - level"),
    ("n_splits n_folds folds k", "cv", "the number of folds"),
    ("scoring", "loss metric", "a function of y_true and y_pred; a metric may be a name"),
    ("n_resamples n_bootstrap n_boot n_bootstraps", "resamples", "the number of resamples"),
    ("average", "metric", "its name says how, such as 'f1_macro'"),
    ("sample_weight", "", "take errlab.metrics.weighted_error"),
    ("pos_label", "positive", "the positive label"),
    ("y_score y_prob y_proba", "scores", "one score per example"),
    ("progress verbose", "", "a progress bar appears by itself in a terminal"),
    ("zero_division", "", "a rate that is not defined is an error here"),
)
OTHER_NAMES = {
    other: (names, meaning) for others, names, meaning in _SYNONYMS for other in others.split()
}


def public(function: Callable[P, R]) -> Callable[P, R]:
    """Make errors name this function's arguments, and refuse pandas columns with different indices.

    Columns that aren't paired may have any indices.
    """
    signature = inspect.signature(function)
    taken = signature.parameters

    @functools.wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        if "confidence" in kwargs and "confidence" not in taken and "delta" in taken:
            kwargs["delta"] = _of_confidence(kwargs)
        for name in kwargs:
            # Python's own error names the unknown argument, but doesn't suggest ours
            if name not in taken:
                raise TypeError(_no_such(function.__name__, name, list(taken)))
        try:
            arguments = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            # the error shows a call with the required arguments, or with the first ones
            parameters = list(taken.values())
            needed = [p for p in parameters if p.default is p.empty] or parameters[:3]
            if all(p.kind is p.KEYWORD_ONLY for p in needed):
                needed = [p for p in parameters[:2] if p not in needed] + needed
            example = [f"{p.name}=..." if p.kind is p.KEYWORD_ONLY else p.name for p in needed]
            call = f"call it as {function.__name__}({', '.join(example)})"
            by_name = [f"{p.name}=" for p in taken.values() if p.kind is p.KEYWORD_ONLY]
            extra = args[len(taken) - len(by_name) :]
            if extra and by_name:
                values = ", ".join(map(checks.show, extra))
                call += f"; {values} needs a name: {', '.join(by_name)}"
            raise TypeError(f"{function.__name__}(): {error}; {call}") from None
        if arguments.get("paired", True) is True:
            aligned(arguments)
        return function(*args, **kwargs)

    return checked


def moved(module: str, **places: str) -> Callable[[str], object]:
    """Return a module's ``__getattr__`` that says where names have moved to.

    >>> moved("errlab.compare", models="errlab.models")("models")
    Traceback (most recent call last):
    AttributeError: errlab.compare.models is now errlab.models
    """

    def missing(name: str) -> object:
        if name in places:
            raise AttributeError(f"{module}.{name} is now {places[name]}")
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return missing


def _of_confidence(kwargs: dict[str, Any]) -> float:
    """Accept `confidence`, as on the command line, and return delta."""
    confidence = kwargs.pop("confidence")
    if "delta" in kwargs:
        raise TypeError("give confidence or delta, not both: delta is 1 - confidence")
    return delta_of(confidence, "confidence")


def delta_of(confidence: Any, name: str) -> float:
    """Return 1 - confidence, computed in decimals, so that 0.95 gives exactly 0.05."""
    if isinstance(confidence, (int, float)) and 1 < confidence < 100:
        raise ValueError(
            f"{name} must lie in (0, 1), got {confidence:g}; did you mean {confidence / 100:g}?"
        )
    return float(1 - Decimal(str(checks.one_delta(confidence, name))))


def _no_such(function: str, wrong: str, taken: list[str]) -> str:
    """Return the error for an unknown argument, with the argument that was probably meant."""
    names, meaning = OTHER_NAMES.get(wrong, ("", ""))
    for name in names.split():
        if name in taken:
            return f"{function}() takes {name}= in place of {wrong}=: {meaning}"
    if meaning and not names:
        return f"{function}() has no argument {wrong}: {meaning}"
    return f"{function}() has no argument {wrong}; it takes {', '.join(taken)}"


def aligned(arguments: Mapping[str, Any]) -> None:
    """Refuse columns of equal length with different indices, whose rows may not belong together."""
    # lists and tuples also have an `index`, but no `iloc`
    columns = [(name, value.index) for name, value in arguments.items() if hasattr(value, "iloc")]
    for name, index in columns[1:]:
        first, other = columns[0]
        if len(index) == len(other) and not index.equals(other):
            raise ValueError(
                f"{first} and {name} must have the same index, but it differs; align them, as in "
                f"{name}.loc[{first}.index], or pass .to_numpy() where the order is right"
            )
