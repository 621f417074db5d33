"""Which cases are positive: the one reading of binary labels that all metrics share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab import _checks
from errlab._checks import FloatArray

BoolArray = NDArray[np.bool_]


def positives(positive: Any, **labels: ArrayLike) -> tuple[BoolArray, ...]:
    """Tell for each named vector of labels which cases are positive.

    Without `positive` the labels must be 0/1, -1/+1 or booleans, and 1 is positive. With it, the
    other labels are the negatives, whatever they are: one class against the rest.
    """
    arrays = {name: _checks.labels(value, name) for name, value in labels.items()}
    _checks.same_length(**arrays)
    seen = {value for array in arrays.values() for value in array.tolist()}
    if positive is None:
        if not (seen <= {0, 1} or seen <= {-1, 1}):
            raise ValueError(
                "positive must name the positive label where the labels are not 0/1 or -1/+1, "
                f"got labels {', '.join(repr(v) for v in list(seen)[:5])}"
            )
        positive = 1
    elif positive not in seen:
        raise ValueError(f"positive must be one of the labels, got {positive!r}")
    return tuple(
        np.array([value == positive for value in array.tolist()], dtype=bool)
        for array in arrays.values()
    )


def scored(
    y_true: ArrayLike, scores: ArrayLike, positive: Any, *, least: int = 1
) -> tuple[BoolArray, FloatArray]:
    """Check labels and scores, with at least `least` cases of each class.

    `scores` has shape (n,), or (k, n) for k classifiers.
    """
    (truth,) = positives(positive, y_true=y_true)
    values = _checks.numbers(scores, "scores")
    if values.ndim not in (1, 2) or values.shape[-1] != len(truth):
        raise ValueError(
            f"scores must have {len(truth)} cases along the last axis, as y_true has, "
            f"got shape {values.shape}"
        )
    for name, count in (("positive", truth.sum()), ("negative", (~truth).sum())):
        if count < least:
            raise ValueError(f"y_true must hold at least {least} {name} case(s), got {count}")
    return truth, values
