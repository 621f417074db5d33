"""The classes that errlab returns, and the table of measured coverages.

Use the classes in annotations and with `isinstance`; results are made by the functions that their
docstrings name. `BOUNDS` and the other collections are each a `Registry`. `measured` returns the
rows that ``studies/guarantees.py`` wrote, in which `evidence` looks up a method; sizes within a
factor of `NEAR` count as similar.

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
