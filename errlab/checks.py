"""Argument checks for your own functions that extend errlab.

Each returns a clean array, or a single number, or raises an error that names the argument, the rule
and the value in one line: ``TypeError`` for a wrong type, ``ValueError`` for a wrong value. With
`public`, a function explains mistaken arguments and refuses pandas columns whose indices differ.

>>> from errlab import checks
>>> checks.count([200.0, 7], "n")
array([200,   7])
>>> checks.mean(1.2, "error")
Traceback (most recent call last):
ValueError: error must lie in [0, 1], got 1.2
"""

from errlab._core.checks import (
    FloatArray,
    FloatOrArray,
    IntArray,
    Seed,
    choice,
    count,
    function,
    generator,
    labels,
    losses,
    matrix,
    mean,
    numbers,
    one_count,
    one_delta,
    one_mean,
    one_result,
    plain,
    require,
    same_labels,
    same_length,
    same_shape,
    signs,
    within,
)
from errlab._core.public import public

__all__ = [
    "FloatArray",
    "FloatOrArray",
    "IntArray",
    "Seed",
    "choice",
    "count",
    "function",
    "generator",
    "labels",
    "losses",
    "matrix",
    "mean",
    "numbers",
    "one_count",
    "one_delta",
    "one_mean",
    "one_result",
    "plain",
    "public",
    "require",
    "same_labels",
    "same_length",
    "same_shape",
    "signs",
    "within",
]


def __dir__() -> list[str]:
    return __all__
