"""The .632 estimate of a training set, and of each of its bootstrap samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from errlab._core.checks import FloatArray, IntArray
from errlab.bootstrap import combine632, loo_bootstrap, loo_bootstrap_linear
from errlab.training_set._method import Task
from errlab.training_set.least_squares import LeastSquares

CELLS = 2_000_000  # numbers held at once


def centre632(task: Task) -> float:
    """Efron's .632 estimate from ``task.resamples`` bootstrap samples."""
    if not isinstance(task.estimator, LeastSquares):
        found = loo_bootstrap(
            task.estimator, task.X, task.y, resamples=task.resamples, rng=task.rng
        )
        return found.point632
    Z = task.estimator.design(task.matrix)
    return loo_bootstrap_linear(Z, task.y, resamples=task.resamples, rng=task.rng).point632


def double632(task: Task, inner: int) -> FloatArray:
    """Return the .632 estimate of each of ``task.resamples`` bootstrap samples.

    Each sample is taken as a data set of n cases, copies and all, with `inner` bootstrap
    samples of its own: what one gets by calling `centre632` on it.
    """
    n = len(task.y)
    rng = task.rng
    block = max(1, CELLS // (inner * n))
    parts = []
    for start in range(0, task.resamples, block):
        size = min(block, task.resamples - start)
        cases = rng.integers(n, size=(size, n))  # the sample: case behind each copy
        copies = rng.integers(n, size=(size, inner, n))  # drawn from it
        drawn = _tally(copies).reshape(size, inner, n)
        # Outer samples x inner samples x copies: which case of the data each copy is.
        behind = np.take_along_axis(cases[:, None, :], copies, axis=2)
        wrong = task.wrong(_tally(behind)).reshape(size, inner, n)
        error1 = _left_out(np.take_along_axis(wrong, cases[:, None, :], axis=2), drawn == 0)
        error = np.take_along_axis(task.wrong(_tally(cases)), cases, axis=1).mean(axis=1)
        parts.append(combine632(error, error1))
    return np.concatenate(parts)


def _tally(drawn: IntArray) -> IntArray:
    """Count each of n numbers along the last axis, the other axes in one."""
    n = drawn.shape[-1]
    rows = drawn.reshape(-1, n)
    # Row r counts from r n on: one bincount for all rows.
    shifted = rows + n * np.arange(len(rows))[:, None]
    return np.bincount(shifted.ravel(), minlength=rows.size).reshape(rows.shape)


def _left_out(wrong: NDArray[np.bool_], out: NDArray[np.bool_]) -> FloatArray:
    """Leave-one-out bootstrap error of each data set; arrays of shape (sets, samples, n).

    A case that every sample holds does not count; if there is no other the error is taken as 0.
    """
    times = out.sum(axis=1)
    losses = (wrong & out).sum(axis=1) / np.maximum(times, 1)
    return np.asarray(losses.sum(axis=1) / np.maximum((times > 0).sum(axis=1), 1))
