"""Bootstrap of tables of counts."""

from __future__ import annotations

import numpy as np

from errlab._core import checks
from errlab._core.checks import FloatArray, IntArray
from errlab._core.interval import Interval


def percentiles(values: FloatArray, delta: float) -> Interval:
    """Percentile interval of the resampled values."""
    level = checks.one_delta(delta)
    return Interval(*np.quantile(values, [level / 2, 1 - level / 2]).tolist())


def resampled(counts: IntArray, resamples: int, rng: np.random.Generator | int | None) -> IntArray:
    """Bootstrap a table of counts: drawing cases again is drawing the table's cells again."""
    count = checks.one_count(resamples, "resamples")
    total = int(counts.sum())
    drawn = checks.generator(rng).multinomial(total, counts.ravel() / total, size=count)
    return drawn.reshape(count, *counts.shape)
