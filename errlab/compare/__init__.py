"""Is A better than B: tests, intervals and power for two classifiers, and for several.

A difference is always the error of A minus the error of B, so that a positive one speaks for B.
`COMPARISONS` holds every test by its short name. Each is a function here, too; `__all__` names
those that one is likely to want.
"""

# ruff: noqa: F403, F405

from errlab.compare.bayesian_correlated_t import *
from errlab.compare.bayesian_signed_rank import *
from errlab.compare.cochran import *
from errlab.compare.five_by_two_cv import *
from errlab.compare.friedman import *
from errlab.compare.groups import *
from errlab.compare.holm import *
from errlab.compare.many_models import models
from errlab.compare.mcnemar import *
from errlab.compare.nadeau_bengio import *
from errlab.compare.paired_difference import *
from errlab.compare.paired_t import *
from errlab.compare.paired_table import *
from errlab.compare.power import mcnemar_power, mcnemar_size, sample_size, two_proportions_power
from errlab.compare.registry import COMPARISONS
from errlab.compare.suissa_shuster import *
from errlab.compare.two_proportions import *
from errlab.compare.wilcoxon import *

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
    "two_proportions",
    "two_proportions_power",
    "wilcoxon",
]
