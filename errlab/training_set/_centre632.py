"""The .632 estimate of a training set, and of each of its bootstrap samples.

The methods that Laber and Murphy compare with CUD start from one such estimate, or from many.
"""

import numpy as np

from errlab._core import checks
from errlab._core.checks import FloatArray, IntArray
from errlab.bootstrap import combine632
from errlab.bootstrap._resample import tally
from errlab.training_set._method import Task


def centre632(task: Task) -> float:
    """Return Efron's .632 estimate from ``task.resamples`` bootstrap samples."""
    return float(_estimates(task, np.arange(len(task.y))[None], task.resamples)[0])


def double632(task: Task, inner: int) -> FloatArray:
    """Return the .632 estimate of each of ``task.resamples`` bootstrap samples.

    Each sample is treated as a data set of n examples, including copies, with `inner` bootstrap
    samples of its own, as if `centre632` were called for it.
    """
    inner = checks.one_count(inner, "inner_resamples")
    n = len(task.y)
    return _estimates(task, task.rng.integers(n, size=(task.resamples, n)), inner)


def _estimates(task: Task, cases: IntArray, inner: int) -> FloatArray:
    """Return the .632 estimates of samples; `cases` are the original examples of their copies.

    All are in memory at once, because these methods are for small samples.
    """
    samples, n = cases.shape
    # drawn from the positions in each sample
    copies = task.rng.integers(n, size=(samples, inner, n))
    # Outer samples x inner samples x copies: the original example of each copy.
    behind = np.take_along_axis(cases[:, None, :], copies, axis=2)
    wrong = task.wrong(tally(behind).reshape(-1, n)).reshape(behind.shape)
    wrong = np.take_along_axis(wrong, cases[:, None, :], axis=2)
    # Average the leave-one-out losses over copies; ignore copies that no inner sample leaves out.
    out = tally(copies) == 0
    times = out.sum(axis=1)
    losses = (wrong & out).sum(axis=1) / np.maximum(times, 1)
    error1 = losses.sum(axis=1) / np.maximum((times > 0).sum(axis=1), 1)
    error = np.take_along_axis(task.wrong(tally(cases)), cases, axis=1).mean(axis=1)
    return np.asarray(combine632(error, error1))


def effective(size: int | None, n: int) -> int:
    """Check an effective sample size, which is n by default."""
    if size is None:
        return n
    return checks.one_count(size, "effective_size")
