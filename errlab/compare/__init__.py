"""Comparing two or more classifiers: tests, intervals and power.

A difference is always the error of A minus the error of B, so a positive one means that B is
better. `COMPARISONS` contains every test by its short name. Each is also a function here; `__all__`
lists the most useful ones.
"""

from typing import TYPE_CHECKING

from errlab._core.public import moved
from errlab.compare._bayesian_correlated_t import bayesian_correlated_t
from errlab.compare._bayesian_signed_rank import bayesian_signed_rank
from errlab.compare._cochran import cochran_q
from errlab.compare._five_by_two_cv import five_by_two_cv_f
from errlab.compare._five_by_two_cv import five_by_two_cv_t as five_by_two_cv_t
from errlab.compare._friedman import friedman
from errlab.compare._groups import grouped_betting, grouped_mcnemar
from errlab.compare._groups import grouped_difference as grouped_difference
from errlab.compare._holm import holm
from errlab.compare._mcnemar import mcnemar
from errlab.compare._nadeau_bengio import corrected_resampled_t, resampled
from errlab.compare._nemenyi import nemenyi_difference
from errlab.compare._paired_difference import paired_difference
from errlab.compare._paired_t import kfold_paired_t, paired_t
from errlab.compare._paired_table import mcnemar_table
from errlab.compare._power import (
    mcnemar_power,
    mcnemar_size,
    power,
    sample_size,
    two_proportions_power,
)
from errlab.compare._registry import COMPARISONS
from errlab.compare._suissa_shuster import suissa_shuster as suissa_shuster
from errlab.compare._two_proportions import two_proportions
from errlab.compare._wilcoxon import wilcoxon

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
    "nemenyi_difference",
    "paired_difference",
    "paired_t",
    "power",
    "resampled",
    "sample_size",
    "two_proportions",
    "two_proportions_power",
    "wilcoxon",
]

if not TYPE_CHECKING:  # hidden from type checkers, so that they report unknown names
    __getattr__ = moved(__name__, models="errlab.models")


def __dir__() -> list[str]:
    return __all__
