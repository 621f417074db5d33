"""Calls, and the type that an editor shows for the result: numbers in, a number out.

`make style` checks them in the checkout; `test_types` nightly, of a package that is installed.
"""

from typing import assert_type

import numpy as np
import numpy.typing as npt

import errlab
from errlab import bootstrap, bounds, compare, coverage, crossval, generalization, holdout, metrics
from errlab.compare._result import ComparisonResult
from errlab.results import Interval, PairReport, Report
from errlab.statements.watch import Watch

Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class Model:
    def fit(self, X: object, y: object) -> object: ...
    def predict(self, X: object) -> object: ...


def calls(y: list[int]) -> None:
    """Only mypy reads this; nothing runs it."""
    assert_type(errlab.report(y, y), Report)
    assert_type(errlab.report(y, y, y, margin=0.1), PairReport)
    assert_type(errlab.report(scores=[1, 0]), Report)
    assert_type(errlab.report(scores=y, scores_b=y, names=("old", "new")), PairReport)
    assert_type(errlab.metric(y, y, metric="accuracy").low, float)
    assert_type(errlab.plan(error=0.1, half_width=0.02).n, int)
    assert_type(errlab.watch(), Watch)
    assert_type(errlab.models(y, {"a": y, "b": y}).models[0].estimate, float)
    assert_type(crossval.estimate(Model(), [[0.0], [1.0]], y).low, float)
    assert_type(crossval.one_standard_error([0.1], [0.1], [1]), int)


def calls_of_bounds(rates: Array) -> None:
    for bound in (
        bounds.normal, bounds.wilson, bounds.clopper_pearson, bounds.maurer_pontil,
        bounds.tight_hoeffding, bounds.jeffreys, bounds.blaker,
    ):  # fmt: skip
        assert_type(bound(0.1, 50), float)
        assert_type(bound(0.1, [50, 60]), Array)
    assert_type(bounds.clopper_pearson(np.float64(0.1), np.int64(50)), float)
    assert_type(bounds.upper("CP", 0.1, 50), float)
    assert_type(bounds.upper("CP", errors=7, n=200), float)
    assert_type(bounds.upper("CP", errors=[7, 8], n=200), Array)
    assert_type(bounds.upper("BET", losses=[0.0, 0.5]), float)
    assert_type(bounds.lower("CP", 0.1, 50), float)
    assert_type(bounds.lower("CP", errors=[7, 8], n=200), Array)
    assert_type(bounds.interval("CP", errors=7, n=200), Interval[float])
    assert_type(bounds.interval("CP", rates, 200), Interval[Array])
    assert_type(bounds.betting(rates), float | Array)


def calls_of_other_methods(rates: Array) -> None:
    assert_type(metrics.equal_error_rate([0, 1], [0, 1]), float)
    assert_type(metrics.rate_interval(metrics.Confusion(1, 2, 3, 4), "TPR").low, float)
    assert_type(metrics.area([0, 1], rates), float | Array)
    assert_type(metrics.delong([0, 1], rates).covariance, float | Array)
    assert_type(metrics.precision_at(rates, 0.05, 0.01), float | Array)
    assert_type(holdout.gap_bound(200), float | Array)
    assert_type(holdout.sample_size(0.05), int | Integers)
    assert_type(holdout.sample_size_for("CP", target=0.1, mean=0.05), int)
    assert_type(holdout.failure_probability(100, 0.1), float | Array)
    assert_type(holdout.gap_coverage(0.1, 100, 0.05), float | Array)
    assert_type(holdout.ladder_bound(100, 10, step=0.1), float | Array)
    assert_type(coverage.expected_width("CP", rates, 50), float | Array)
    assert_type(coverage.exact("CP", rates, 50), float | Array)
    assert_type(bootstrap.combine632(0.1, 0.2), float | Array)
    assert_type(compare.mcnemar_size(5), float | Array)
    assert_type(compare.mcnemar_power(200, rates, 0.05), float | Array)
    assert_type(compare.mcnemar(7, 15), ComparisonResult[float])
    assert_type(compare.mcnemar([7, 8], 15).statistic, Array)
    assert_type(compare.two_proportions(7, 100, 9, 100).statistic, float)
    assert_type(compare.two_proportions([7], 100, 9, 100).statistic, Array)
    assert_type(compare.paired_t([0.0, 1.0], [0.0, 0.0]).statistic, float | Array)
    assert_type(generalization.fpe(1.5, 20, 3), float | Array)
    assert_type(generalization.log_fpe(1.5, 20, 3), float | Array)
    assert_type(generalization.location([0.1, 0.2]).median, float | Array)
    assert_type(generalization.dispersion([0.1, 0.2]).mad, float | Array)
