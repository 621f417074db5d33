"""Whether a metric promises too much on every sample: calibration errors, maxima over thresholds.

Such a metric is a sum of absolute values, or the largest of many values, and so at most the mean of
what it gives on two halves of the cases, for every way to halve them. Half the cases have the more
luck to fit, all of them the less, and the population none. One sample may hide it: the metric is
therefore tried on labels whose law is known, not only on those at hand.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import numpy as np

from errlab._core.checks import Labels

_DRAWS = 30  # data sets of known law that are halved
_ONE_WAY = 0.9  # share of the halvings that must go the same way
_BOTH, _ALONE = 0.2, 0.6  # standard errors by which halves are off: for both laws, or for one
_SEED = 20270


def refuse_optimism(
    label: str, function: Callable[[Labels, Labels], float], truth: Labels, score: Labels
) -> None:
    """Refuse a metric that gives more, or less, on half the cases than on all, however they fall.

    Two laws are tried: labels that have nothing to do with the scores, and labels of which the
    score is the probability, or else those at hand. Of the first kind a maximum over thresholds
    makes most, of the second a calibration error.
    """
    rng = np.random.default_rng(_SEED)
    classes = np.unique(truth)
    # scores that can be probabilities, and are no labels
    graded = score.ndim == 1 and score.dtype.kind == "f" and len(np.unique(score)) > 2
    chances = graded and len(classes) == 2 and score.min() >= 0 and score.max() <= 1

    def drawn() -> Labels:
        return classes[(rng.random(len(score)) < score) * 1] if chances else truth

    shifts = []
    for labels in (partial(rng.permutation, truth), drawn):
        values = []
        for _ in range(_DRAWS):
            sample = labels()
            # each half has every second case of each class, in a random order
            order = np.lexsort((rng.random(len(sample)), sample))[: len(score) // 2 * 2]
            parts = (order[::2], order[1::2], order)
            with suppress(ValueError):  # a class is missing in one of them
                values.append([function(sample[part], score[part]) for part in parts])
        shifts.append(_shift(values))
    less, more = sorted(shifts)
    if less > _BOTH or more > _ALONE:
        raise ValueError(
            f"metric {label} must be centred on its value, but on labels of known law half of the "
            f"cases are {more:.2g} standard errors off: it is biased, as are calibration "
            "errors and maxima over thresholds, and a bootstrap interval would miss the truth"
        )


def _shift(values: list[list[float]]) -> float:
    """Return by how many standard errors halves are off the whole; 0 where not one way or unknown.

    The values are those of two halves and of the whole, for each data set.
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
