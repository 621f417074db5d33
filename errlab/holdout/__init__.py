"""The holdout method: what a test set guarantees, and what reusing it costs.

`guarantees` sizes a test set, `selection_bias` tells what choosing on it does, `shift` where its
interval is confidently wrong. `ladder`, `climbing` and `competition` are about what happens
when many look at it, `thresholdout` about questions other than the best score.
"""

from errlab._core.public import elsewhere
from errlab.holdout.climbing import climb, climb_by_flips, climb_gap
from errlab.holdout.climbing import mix as mix
from errlab.holdout.competition import noisy_labels as noisy_labels
from errlab.holdout.competition import noisy_risk as noisy_risk
from errlab.holdout.competition import public_private
from errlab.holdout.guarantees import (
    failure_probability,
    gap_bound,
    gap_coverage,
    risk_moments,
    sample_size,
    sample_size_for,
)
from errlab.holdout.ladder import ladder, ladder_bound
from errlab.holdout.ladder import latest_score as latest_score
from errlab.holdout.selection_bias import selection_bias, three_way_split
from errlab.holdout.selection_bias import simulated_selection_bias as simulated_selection_bias
from errlab.holdout.shift import count_copies, effective_size, interval_coverage
from errlab.holdout.thresholdout import reuse_holdout, thresholdout

__all__ = [
    "climb",
    "climb_by_flips",
    "climb_gap",
    "count_copies",
    "effective_size",
    "failure_probability",
    "gap_bound",
    "gap_coverage",
    "interval_coverage",
    "ladder",
    "ladder_bound",
    "public_private",
    "reuse_holdout",
    "risk_moments",
    "sample_size",
    "sample_size_for",
    "selection_bias",
    "three_way_split",
    "thresholdout",
]
elsewhere(__name__)
