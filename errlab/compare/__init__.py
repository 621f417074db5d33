"""Is A better than B: tests, intervals and power for two classifiers, and for several.

A difference is always the error of A minus the error of B, so that a positive one speaks for B.
`COMPARISONS` holds every test by its short name. Each is a function here, too; `__all__` names
those that one is likely to want.
"""

# ruff: noqa: F403, F405

from errlab.compare._result import COMPARISONS
from errlab.compare.data_sets import bayesian_signed_rank, friedman, wilcoxon
from errlab.compare.groups import *
from errlab.compare.many_models import models
from errlab.compare.mcnemar_tables import *
from errlab.compare.paired_interval import *
from errlab.compare.power import mcnemar_power, mcnemar_size, sample_size, two_proportions_power
from errlab.compare.proportions import *
from errlab.compare.student import *
from errlab.compare.suissa_shuster import suissa_shuster

__all__ = [
    "COMPARISONS",
    "bayesian_correlated_t",
    "bayesian_signed_rank",
    "cochran_q",
    "corrected_resampled_t",
    "five_by_two_cv_f",
    "friedman",
    "grouped_betting",
    "grouped_mcnemar",
    "holm",
    "kfold_paired_t",
    "mcnemar",
    "mcnemar_power",
    "mcnemar_size",
    "mcnemar_table",
    "models",
    "paired_difference",
    "paired_t",
    "resampled",
    "sample_size",
    "suissa_shuster",
    "two_proportions",
    "two_proportions_power",
    "wilcoxon",
]
