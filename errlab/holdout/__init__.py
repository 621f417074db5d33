"""The holdout method: what a test set guarantees, and what reusing it costs.

`guarantees` sizes a test set, `selection_bias` tells what choosing on it does, `shift` where its
interval is confidently wrong. `ladder` is a leaderboard that many may look at, `thresholdout`
answers questions other than the best score.
"""

from errlab._core.public import elsewhere
from errlab.holdout.guarantees import (
    failure_probability,
    gap_bound,
    gap_coverage,
    risk_moments,
    sample_size,
    sample_size_for,
)
from errlab.holdout.ladder import ladder, ladder_bound
from errlab.holdout.selection_bias import selection_bias, three_way_split
from errlab.holdout.shift import count_copies, effective_size, interval_coverage
from errlab.holdout.thresholdout import reuse_holdout, thresholdout

__all__ = [
    "count_copies",
    "effective_size",
    "failure_probability",
    "gap_bound",
    "gap_coverage",
    "interval_coverage",
    "ladder",
    "ladder_bound",
    "reuse_holdout",
    "risk_moments",
    "sample_size",
    "sample_size_for",
    "selection_bias",
    "three_way_split",
    "thresholdout",
]
# The attacks on leaderboards are demonstrations, and stand in the book's storey.
_ATTACKS = ("Climb", "Mixture", "climb", "climb_by_flips", "climb_gap", "mix")
_COMPETITIONS = ("PublicPrivate", "latest_score", "noisy_risk", "public_private")
elsewhere(
    __name__,
    noisy_labels="errlab.book.leaderboards.noisy_risk, the error that it leads to",
    simulated_selection_bias="selection_bias, which is exact",
    **{name: f"errlab.book.leaderboards.{name}" for name in _ATTACKS + _COMPETITIONS},
)
