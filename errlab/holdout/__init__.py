"""The holdout method: what a test set guarantees, and what reusing it costs.

`guarantees` sizes a test set, `selection` tells what choosing on it does, `shift` where its
interval is confidently wrong, `leaderboard`, `climbing` and `competition` what happens when many
look at it, and `rates` puts intervals around what `errlab.metrics` computes.
"""

from errlab.holdout.climbing import Climb, Reuse, climb, climb_gap, reuse_holdout
from errlab.holdout.competition import (
    PublicPrivate,
    noisy_labels,
    noisy_risk,
    public_private,
)
from errlab.holdout.guarantees import (
    Moments,
    failure_probability,
    gap_bound,
    gap_coverage,
    risk_moments,
    sample_size,
)
from errlab.holdout.leaderboard import (
    Answers,
    Board,
    ladder,
    latest_score,
    thresholdout,
)
from errlab.holdout.mixing import Mixture, mix
from errlab.holdout.required import sample_size_for
from errlab.holdout.selection import (
    Selection,
    Split,
    selection_bias,
    simulated_selection_bias,
    three_way_split,
)
from errlab.holdout.shift import count_copies, effective_size, interval_coverage

__all__ = [
    "Answers",
    "Board",
    "Climb",
    "Mixture",
    "Moments",
    "PublicPrivate",
    "Reuse",
    "Selection",
    "Split",
    "climb",
    "climb_gap",
    "count_copies",
    "effective_size",
    "failure_probability",
    "gap_bound",
    "gap_coverage",
    "interval_coverage",
    "ladder",
    "latest_score",
    "mix",
    "noisy_labels",
    "noisy_risk",
    "public_private",
    "reuse_holdout",
    "risk_moments",
    "sample_size",
    "sample_size_for",
    "selection_bias",
    "simulated_selection_bias",
    "three_way_split",
    "thresholdout",
]
