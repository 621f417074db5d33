"""The .632 estimate of a training set, and of each of its bootstrap samples.

The methods that Laber and Murphy set beside CUD start from one such estimate, or from many.
"""

from typing import Any

import numpy as np

from errlab._core import checks
from errlab._core.checks import FloatArray, IntArray
from errlab.bootstrap import combine632, loo_bootstrap, loo_bootstrap_linear
from errlab.training_set._method import Task


def centre632(task: Task) -> float:
    """Efron's .632 estimate from ``task.resamples`` bootstrap samples."""
    drawn: dict[str, Any] = {"resamples": task.resamples, "rng": task.rng}
    if task.design is not None:
        return loo_bootstrap_linear(task.design, task.y, **drawn).point632
    return loo_bootstrap(task.estimator, task.X, task.y, **drawn).point632


def double632(task: Task, inner: int) -> FloatArray:
    """Return the .632 estimate of each of ``task.resamples`` bootstrap samples.

    Each sample is taken as a data set of n cases, copies and all, with `inner` bootstrap
    samples of its own: what one gets by calling `centre632` on it. All are held in memory at once,
    which suits the small samples that these methods are for.
    """
    inner = checks.one_count(inner, "inner_resamples")
    n = len(task.y)
    cases = task.rng.integers(n, size=(task.resamples, n))  # the sample: case behind each copy
    copies = task.rng.integers(n, size=(task.resamples, inner, n))  # drawn from it
    # Outer samples x inner samples x copies: which case of the data each copy is.
    behind = np.take_along_axis(cases[:, None, :], copies, axis=2)
    wrong = task.wrong(_tally(behind).reshape(-1, n)).reshape(behind.shape)
    wrong = np.take_along_axis(wrong, cases[:, None, :], axis=2)
    # Leave-one-out over the copies. One that every inner sample holds does not count.
    out = _tally(copies) == 0
    times = out.sum(axis=1)
    losses = (wrong & out).sum(axis=1) / np.maximum(times, 1)
    error1 = losses.sum(axis=1) / np.maximum((times > 0).sum(axis=1), 1)
    error = np.take_along_axis(task.wrong(_tally(cases)), cases, axis=1).mean(axis=1)
    return np.asarray(combine632(error, error1))


def _tally(drawn: IntArray) -> IntArray:
    """Count how often each of n numbers stands on the last axis, of length n."""
    return np.apply_along_axis(np.bincount, -1, drawn, minlength=drawn.shape[-1])


def effective(size: int | None, n: int) -> int:
    """Check an effective sample size; n where it is not given."""
    if size is None:
        return n
    return checks.one_count(size, "effective_size")
