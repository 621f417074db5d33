"""Detecting biased metrics, such as calibration errors and maxima over thresholds.

Such a metric is a sum of absolute values, or the largest of many values. So it is at most the mean
of its values on two halves of the examples, however these are halved: on fewer examples, more of
its value is due to chance. A single sample may not show this, so the metric is also tested on
simulated labels with a known distribution.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import numpy as np

from errlab._core.checks import Labels

_DRAWS = 30  # simulated data sets that are split into halves
_ONE_WAY = 0.9  # fraction of the splits that must differ in the same direction
# largest bias of a half in standard errors: in both simulations, and in one alone
_BOTH, _ALONE = 0.2, 0.6
_SEED = 20270


def refuse_optimism(
    label: str, function: Callable[[Labels, Labels], float], truth: Labels, score: Labels
) -> None:
    """Refuse a metric that is systematically larger or smaller on half of the examples than on all.

    Two distributions are tried: labels that are independent of the scores, and labels whose
    probability is the score (or else the given labels). The first reveals maxima over thresholds,
    and the second calibration errors.
    """
    rng = np.random.default_rng(_SEED)
    classes = np.unique(truth)
    # scores with more than two values, so they may be probabilities but aren't labels
    graded = score.ndim == 1 and score.dtype.kind == "f" and len(np.unique(score)) > 2
    are_probabilities = graded and len(classes) == 2 and score.min() >= 0 and score.max() <= 1

    def drawn() -> Labels:
        return classes[(rng.random(len(score)) < score) * 1] if are_probabilities else truth

    shifts = []
    for labels in (partial(rng.permutation, truth), drawn):
        values = []
        for _ in range(_DRAWS):
            sample = labels()
            # each half has every second example of each class, in random order
            order = np.lexsort((rng.random(len(sample)), sample))[: len(score) // 2 * 2]
            parts = (order[::2], order[1::2], order)
            with suppress(ValueError):  # a half may lack a class
                values.append([function(sample[part], score[part]) for part in parts])
        shifts.append(_bias(values))
    less, more = sorted(shifts)
    if less > _BOTH or more > _ALONE:
        raise ValueError(
            f"metric {label} must be unbiased, but on half of the examples, with simulated "
            f"labels, it is {more:.2g} standard errors off, so a bootstrap interval would miss the "
            "true value; calibration errors and maxima over thresholds are biased, too"
        )


def _bias(values: list[list[float]]) -> float:
    """Return the bias of halves in standard errors; 0 if their signs vary or it is unknown.

    The arguments are the values on both halves and on the whole, for each data set.
    """
    if len(values) < _DRAWS / 2:
        return 0.0
    first, second, whole = np.array(values, dtype=float).T
    off = (first + second) / 2 - whole
    # the difference of two independent halves has twice the standard error of the whole
    error = np.sqrt(((first - second) ** 2).mean()) / 2
    room = 1e-12 * np.abs(whole).max()
    one_way = max((off >= -room).mean(), (off <= room).mean())
    if error <= room or one_way < _ONE_WAY:
        return 0.0
    return float(abs(off.mean()) / error)
