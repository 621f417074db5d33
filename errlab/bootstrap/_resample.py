"""Bootstrap means in batches: the one place that draws with replacement."""

from __future__ import annotations

import numpy as np

from errlab._core.checks import FloatArray, IntArray

_CELLS = 2_000_000  # numbers held at once


def means(losses: FloatArray, resamples: int, rng: np.random.Generator) -> FloatArray:
    """Mean of each of `resamples` bootstrap samples of the losses."""
    n = len(losses)
    batch = max(1, _CELLS // n)
    parts = [
        losses[rng.integers(n, size=(min(batch, resamples - start), n))].mean(axis=1)
        for start in range(0, resamples, batch)
    ]
    return np.concatenate(parts)


def counts(n: int, resamples: int, rng: np.random.Generator) -> IntArray:
    """How often each of n cases is drawn in each bootstrap sample, shape (resamples, n)."""
    # Case i of sample r gets the number r n + i: one count for all samples.
    drawn = rng.integers(n, size=(resamples, n)) + n * np.arange(resamples)[:, None]
    return np.bincount(drawn.ravel(), minlength=resamples * n).reshape(resamples, n)
