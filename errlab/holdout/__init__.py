"""The guarantees of a test set, and the cost of reusing it.

`sample_size` gives the size of a test set, `selection_bias` the effect of choosing on it, and
`interval_coverage` the coverage on another population. `ladder` is a leaderboard that stays honest
when many submit to it, and `thresholdout` answers other repeated questions.
"""

from errlab.holdout._guarantees import (
    failure_probability,
    gap_bound,
    gap_coverage,
    risk_moments,
    sample_size,
    sample_size_for,
)
from errlab.holdout._ladder import RunningLadder, ladder, ladder_bound
from errlab.holdout._selection_bias import selection_bias, three_way_split
from errlab.holdout._shift import count_copies, effective_size, interval_coverage
from errlab.holdout._thresholdout import thresholdout

__all__ = [
    "RunningLadder",
    "count_copies",
    "effective_size",
    "failure_probability",
    "gap_bound",
    "gap_coverage",
    "interval_coverage",
    "ladder",
    "ladder_bound",
    "risk_moments",
    "sample_size",
    "sample_size_for",
    "selection_bias",
    "three_way_split",
    "thresholdout",
]


def __dir__() -> list[str]:
    return __all__
