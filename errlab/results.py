"""The classes that errlab returns, and the table of measured coverages.

The classes are to be named in annotations and to `isinstance`; results come from the functions that
their docstrings name. `BOUNDS` and its like are each a `Registry`. `measured` gives the rows that
``studies/guarantees.py`` wrote, `evidence` looks a method up in them: sizes up to `NEAR` times as
large or small tell of a size.

>>> from errlab import report, results
>>> isinstance(report(errors=7, n=200), results.Report)
True
"""

from errlab._core.evidence import NEAR, Evidence, evidence, measured
from errlab._core.interval import Interval
from errlab._core.registry import Registry
from errlab._core.statement import Statement
from errlab.compare._friedman import DataSets
from errlab.compare._result import Posterior
from errlab.datasets._simulated import Simulated
from errlab.holdout._ladder import Board
from errlab.metrics._groups import GroupedMean
from errlab.statements.many_models import Models, RatedPair
from errlab.statements.plan import Plan
from errlab.statements.report import PairReport, Report

__all__ = [
    "NEAR",
    "Board",
    "DataSets",
    "Evidence",
    "GroupedMean",
    "Interval",
    "Models",
    "PairReport",
    "Plan",
    "Posterior",
    "RatedPair",
    "Registry",
    "Report",
    "Simulated",
    "Statement",
    "evidence",
    "measured",
]


def __dir__() -> list[str]:
    return __all__
