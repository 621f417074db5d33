"""Which cases are positive: the one reading of binary labels that all metrics share."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab._core import checks
from errlab._core.checks import FloatArray

BoolArray = NDArray[np.bool_]


def positives(positive: object, **labels: ArrayLike) -> tuple[BoolArray, ...]:
    """Tell for each named vector of labels which cases are positive.

    Without `positive` the labels must be 0/1, -1/+1 or booleans, and 1 is positive. With it, the
    other labels are the negatives, whatever they are: one class against the rest.
    """
    arrays = checks.same_labels(**labels)
    seen = {value for array in arrays for value in array.tolist()}
    if positive is None:
        if not (seen <= {0, 1} or seen <= {-1, 1}):
            raise ValueError(
                "positive must name the positive label where the labels are not 0/1 or -1/+1, "
                f"got labels {checks.show(sorted(seen, key=str))}"
            )
        return tuple(np.asarray(array == 1, dtype=bool) for array in arrays)
    kind = checks.kind_of(next(iter(seen)))
    if checks.kind_of(positive) != kind:
        raise TypeError(
            f"positive must be one of the labels, which are such as "
            f"{checks.show(next(iter(seen)))}, got {checks.show(positive)}"
        )
    if positive not in seen:
        raise ValueError(f"positive must be one of the labels, got {checks.show(positive)}")
    return tuple(
        np.array([value == positive for value in array.tolist()], dtype=bool) for array in arrays
    )


def scored(
    y_true: ArrayLike, scores: ArrayLike, positive: object, *, least: int = 1
) -> tuple[BoolArray, FloatArray]:
    """Check labels and scores, with at least `least` cases of each class.

    `scores` has shape (n,), or (k, n) for k classifiers.
    """
    (truth,) = positives(positive, y_true=y_true)
    values = checks.numbers(scores, "scores")
    if values.ndim not in (1, 2) or values.shape[-1] != len(truth):
        raise ValueError(
            f"scores must have {len(truth)} cases along the last axis, as y_true has, "
            f"got shape {values.shape}"
        )
    for name, count in (("positive", truth.sum()), ("negative", (~truth).sum())):
        if count < least:
            raise ValueError(f"y_true must hold at least {least} {name} case(s), got {count}")
    return truth, values
