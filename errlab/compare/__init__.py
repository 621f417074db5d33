"""Is A better than B: tests, intervals and power for two classifiers, and for several.

A difference is always the error of A minus the error of B, so that a positive one speaks for B.
`COMPARISONS` holds every test by its short name.
"""

from errlab.compare._comparison import COMPARISONS, Comparison, ComparisonResult, Posterior
from errlab.compare.bayesian import bayesian_correlated_t
from errlab.compare.contingency import mcnemar, mcnemar_table
from errlab.compare.data import five_by_two, holdout, kfold, resampled
from errlab.compare.five_by_two import five_by_two_cv_f, five_by_two_cv_t
from errlab.compare.paired_interval import paired_difference
from errlab.compare.paired_t import corrected_resampled_t, kfold_paired_t, paired_t
from errlab.compare.power import (
    mcnemar_power,
    mcnemar_size,
    sample_size,
    two_proportions_power,
)
from errlab.compare.power_t import five_by_two_power, paired_t_power
from errlab.compare.proportions import two_proportions
from errlab.compare.several import cochran_q, holm

__all__ = [
    "COMPARISONS",
    "Comparison",
    "ComparisonResult",
    "Posterior",
    "bayesian_correlated_t",
    "cochran_q",
    "corrected_resampled_t",
    "five_by_two",
    "five_by_two_cv_f",
    "five_by_two_cv_t",
    "five_by_two_power",
    "holdout",
    "holm",
    "kfold",
    "kfold_paired_t",
    "mcnemar",
    "mcnemar_power",
    "mcnemar_size",
    "mcnemar_table",
    "paired_difference",
    "paired_t",
    "paired_t_power",
    "resampled",
    "sample_size",
    "two_proportions",
    "two_proportions_power",
]
