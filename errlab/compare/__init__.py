"""Is A better than B: tests, intervals and power for two classifiers, and for several.

A difference is always the error of A minus the error of B, so that a positive one speaks for B.
`COMPARISONS` holds every test by its short name. The modules of the tests say in their own
``__all__`` what they add here.
"""

# ruff: noqa: F403

from errlab.compare import (
    bayesian,
    data_sets,
    five_by_two_cv,
    groups,
    many_models,
    mcnemar_tables,
    nadeau_bengio,
    paired_interval,
    proportions,
    several,
    student,
)
from errlab.compare._comparison import COMPARISONS, Comparison
from errlab.compare._result import ComparisonResult, Posterior
from errlab.compare.bayesian import *
from errlab.compare.data import five_by_two, holdout, kfold, resampled
from errlab.compare.data_sets import *
from errlab.compare.five_by_two_cv import *
from errlab.compare.groups import *
from errlab.compare.many_models import *
from errlab.compare.mcnemar_tables import *
from errlab.compare.nadeau_bengio import *
from errlab.compare.paired_interval import *
from errlab.compare.power import (
    margin_power,
    mcnemar_power,
    mcnemar_size,
    sample_size,
    two_proportions_power,
)
from errlab.compare.power_t import five_by_two_power, paired_t_power
from errlab.compare.proportions import *
from errlab.compare.several import *
from errlab.compare.student import *

__all__ = [
    "COMPARISONS",
    "Comparison",
    "ComparisonResult",
    "Posterior",
    "five_by_two",
    "five_by_two_power",
    "holdout",
    "kfold",
    "margin_power",
    "mcnemar_power",
    "mcnemar_size",
    "paired_t_power",
    "resampled",
    "sample_size",
    "two_proportions_power",
]
__all__ += bayesian.__all__
__all__ += data_sets.__all__
__all__ += five_by_two_cv.__all__
__all__ += groups.__all__
__all__ += many_models.__all__
__all__ += mcnemar_tables.__all__
__all__ += nadeau_bengio.__all__
__all__ += paired_interval.__all__
__all__ += proportions.__all__
__all__ += several.__all__
__all__ += student.__all__
