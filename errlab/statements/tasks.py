"""Several tasks of one run: each task, the mean over tasks, and the mean over examples.

A benchmark is fixed: its tasks are strata with their own examples, not a sample of tasks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from errlab._core import checks, rounding
from errlab._core.checks import FloatArray
from errlab._core.evidence import Method, evidence
from errlab._core.interval import Interval
from errlab._core.statement import Statement
from errlab._core.tables import Columns
from errlab._numerics.groups import Groups
from errlab.metrics._rates import STRATIFIED, square_and_add, stratified
from errlab.statements.mean_claims import Draws, count_claim, mean_claim
from errlab.statements.scale import Scale

SUMMED = Method("square-and-add of the tasks' intervals", key="tasks' intervals")
# coverage was not simulated for examples in groups
SUMMED_GROUPS = Method(SUMMED, key="tasks' intervals of groups")
_LISTED = 3  # models that a line names


class TaskCases(NamedTuple):
    """The examples of one task for one model: their losses in [0, 1], and their groups."""

    losses: FloatArray
    units: Groups | None


class TaskRow(NamedTuple):
    """One task of one model with its interval, or a mean over tasks or examples."""

    model: str
    task: str
    cases: int
    groups: int | None
    estimate: float
    low: float
    high: float
    method: str


@dataclass(frozen=True, repr=False)
class Tasks(Statement):
    """The results of several tasks for one model or more, printed as two lines.

    Attributes
    ----------
    rows : tuple of TaskRow
        Each task of each model, then its means over tasks ("macro mean") and over examples ("pooled
        mean").
    models : tuple of str
        The models.
    tasks : tuple of str
        The tasks.
    scale : Scale
        Range of the scores, and which end is good.
    delta : float
        Probability that an interval may fail; each interval is a separate claim.
    """

    rows: tuple[TaskRow, ...]
    models: tuple[str, ...]
    tasks: tuple[str, ...]
    scale: Scale
    delta: float

    def _rows(self) -> dict[str, tuple[TaskRow, ...]]:
        """Return the rows of tasks and means."""
        return {"rows": self.rows}

    def row(self, model: str, task: str) -> TaskRow:
        """Return the row of a task, or of "macro mean" or "pooled mean"."""
        return next(row for row in self.rows if (row.model, row.task) == (model, task))

    def _format_row(self, row: TaskRow) -> str:
        places = self.scale.places(row.high - row.low)
        value, low, high = (
            self.scale.show(number, places, direction)
            for number, direction in ((row.estimate, "near"), (row.low, "down"), (row.high, "up"))
        )
        return f"{value} ({low} to {high})"

    def sentences(self) -> list[str]:
        """Return the two lines, and a line for each task."""
        sure = rounding.format_confidence(self.delta)
        first = self.row(self.models[0], "pooled mean")
        macro = self.row(self.models[0], "macro mean")
        number = rounding.count(len(self.tasks), "task")
        cases = rounding.count(first.cases, "example")
        what = {"error": "error rate"}.get(self.scale.what, self.scale.what)
        lines = []
        for name in ("macro mean", "pooled mean"):
            values = [self._format_row(self.row(model, name)) for model in self.models]
            if len(self.models) > 1:
                values = [f"{m} {v}" for m, v in zip(self.models, values, strict=True)]
            listed = ", ".join(values[:_LISTED])
            if len(values) > _LISTED:
                listed += f", and {len(values) - _LISTED} more (see --full)"
            lines.append(listed)
        proven = evidence("asymptotic", macro.method, macro.cases, delta=self.delta)
        return [
            f"{number}, {cases}: the mean over tasks of the {what} is {lines[0]}, "
            f"{sure} interval ({macro.method}; {proven.short}).",
            f"Over examples it is {lines[1]} ({first.method}).",
            *(
                f"{row.model + ', ' if len(self.models) > 1 else ''}{row.task}: "
                f"{self._format_row(row)} in {rounding.count(row.cases, 'example')}"
                f"{f' of {row.groups} groups' if row.groups else ''} ({row.method})."
                for row in self.rows
                if row.task in self.tasks or len(self.models) > _LISTED
            ),
        ]

    def conditions(self) -> list[str]:
        """Return the conditions under which the intervals hold."""
        return [
            "the examples of each task are independent draws from what that task is about; of "
            "groups the groups are",
            "the tasks are all that the claim is about, not a sample of tasks",
            "each interval is one claim, by itself",
        ]

    def _cells(self, table: str) -> Columns:
        """Return the columns as formatted text."""
        rows = self.rows
        return {
            "model": [row.model for row in rows],
            "task": [row.task for row in rows],
            "cases": [row.cases for row in rows],
            f"{self.scale.what} ({rounding.format_confidence(self.delta)} interval)": list(
                map(self._format_row, rows)
            ),
        }


def tasks(results: Mapping[str, Mapping[str, TaskCases]], scale: Scale, delta: float) -> Tasks:
    """Return the results for each task, for their mean, and for the mean over all examples.

    The interval of the mean over tasks is that of `metrics.error_at_shares` with equal fractions.
    For graded scores, and for groups, the tasks' proven intervals are combined by square-and-add
    (Newcombe 1998; Zou and Donner 2008).

    Parameters
    ----------
    results : mapping of mapping
        Losses in [0, 1] by model and by task; all models have the same tasks.
    """
    seed = checks.one_seed(0)  # graded scores are read in one order, as in a report
    rows: list[TaskRow] = []
    for model, by_task in results.items():
        task_rows = [
            _row(model, name, cases, scale, delta, seed) for name, cases in by_task.items()
        ]
        sizes = np.array([row.cases for row in task_rows], dtype=float)
        values = np.array([row.estimate for row in task_rows])
        ends = np.array([(row.low, row.high) for row in task_rows]).T
        total, grouped = int(sizes.sum()), any(row.groups for row in task_rows)
        macro = _weighted_interval(np.full(len(task_rows), 1 / len(task_rows)), values, ends, scale)
        pooled = _weighted_interval(sizes / total, values, ends, scale)
        how: str = SUMMED_GROUPS if grouped else SUMMED
        over_tasks: str = how
        if scale.rate and not grouped:
            # a sum over tasks varies less than a binomial count with the same mean, so Clopper-
            # Pearson is valid
            errors = sum(int(cases.losses.sum()) for cases in by_task.values())
            claim = count_claim(errors, total, delta)
            pooled, how = scale.ends(claim.low, claim.high), "Clopper-Pearson"
            wrong = np.array([cases.losses.sum() for cases in by_task.values()])
            shares = np.full(len(task_rows), 1 / len(task_rows))
            macro = scale.ends(*stratified(shares, wrong, sizes, delta))
            over_tasks = STRATIFIED
        means = (values.mean(), sizes @ values / total)
        for name, value, (low, high), method in (
            ("macro mean", means[0], macro, over_tasks),
            ("pooled mean", means[1], pooled, how),
        ):
            task_rows.append(TaskRow(model, name, total, None, float(value), low, high, method))
        rows += task_rows
    names = tuple(next(iter(results.values())))
    return Tasks(tuple(rows), tuple(results), names, scale, delta)


def _row(
    model: str, task: str, cases: TaskCases, scale: Scale, delta: float, seed: Draws
) -> TaskRow:
    """Return the row of one task."""
    losses, units = cases
    claim = mean_claim(losses, delta, rate=scale.rate, units=units, seed=seed)
    low, high = scale.ends(claim.low, claim.high)
    method = claim.method.replace("exact one-sided Clopper-Pearson bound", "Clopper-Pearson")
    groups = None if units is None else units.number
    value = scale.score(float(losses.mean()))
    return TaskRow(model, task, len(losses), groups, value, low, high, method)


def _weighted_interval(
    weights: FloatArray, values: FloatArray, ends: FloatArray, scale: Scale
) -> Interval:
    """Combine the tasks' intervals by square-and-add, on the scale of losses from 0 to 1."""
    origin = scale.low
    low, high = (ends - origin) / scale.span
    inside = square_and_add(weights, (values - origin) / scale.span, (low, high))
    return Interval(*(origin + scale.span * end for end in inside))


def same_tasks(results: Mapping[str, Mapping[str, object]]) -> Sequence[str]:
    """Return the tasks of the models, which must be the same for all."""
    (first, names), *others = ((model, list(by_task)) for model, by_task in results.items())
    for model, by_task in others:
        lacking = set(names) ^ set(by_task)
        if lacking:
            raise ValueError(
                f"{first} and {model} must have the same tasks, but {min(lacking)} is of one alone"
            )
    return names
