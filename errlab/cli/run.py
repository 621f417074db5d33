"""Runs in a folder or in several files: tasks, models, or labels beside predictions."""

import copy
import os
import re
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from errlab._numerics.groups import grouped
from errlab.cli import columns, files, repeats, roles
from errlab.cli.table import Case, Table
from errlab.statements.scale import checked
from errlab.statements.tasks import TaskCases, Tasks, same_tasks, tasks

_LOGS = ("samples_*.jsonl", "samples_*.jsonl.gz", "*.eval")
_TABLES = ("*.csv", "*.tsv", "*.jsonl", "*.parquet", "*.json")
_DATE = re.compile(r"_\d{4}-\d\d-\d\dT[\d.:-]+$")


def expand(paths: Sequence[str]) -> list[str]:
    """Replace a folder by its files: its logs, or else its tables."""
    files = []
    for path in paths:
        name, folder = path.partition("=")[::2] if not os.path.exists(path) else ("", path)
        if not os.path.isdir(folder):
            files.append(path)
            continue
        for patterns in (_LOGS, _TABLES):
            inside = sorted({str(p) for pattern in patterns for p in Path(folder).rglob(pattern)})
            inside = [p for p in inside if not Path(p).name.startswith("results_")]
            if inside:
                break
        else:
            raise ValueError(f"{folder} holds no logs and no tables: {', '.join(_LOGS + _TABLES)}")
        files += [f"{name}={p}" if name else p for p in inside]
    return files


def joined(options: Namespace) -> Table | None:
    """Join a file of labels and one of predictions by identifier, if the two files are such.

    Neither file has both, as in a competition, which keeps its solution apart from submissions.
    """
    if len(options.files) != 2 or options.score or any("=" in path for path in options.files):
        return None
    tables = [files.opened(path) for path in options.files]
    if any(table.harness for table in tables):
        return None
    keys = [options.id] if options.id else [
        name for name in tables[0].names if name in tables[1].names and name.lower() in roles.IDS
    ]  # fmt: skip
    if not keys or any(_has_both(table, options) for table in tables):
        return None
    key = keys[0]
    truth, answers = sorted(tables, key=lambda table: -len(table.names))
    if options.pred and options.pred[0] in tables[0].names and len(tables[0].names) <= 2:
        truth, answers = tables[1], tables[0]
    shared = [name for name in truth.names if name in answers.names and name != key]
    free = [name for name in answers.names if name != key]
    true = options.true if options.true in truth.names else roles.true_labels(truth.names)
    if true not in truth.names:
        true = shared[0] if len(shared) == 1 else ""
    pred = (options.pred or free)[0] if len(options.pred or free) == 1 else true
    if not true or pred not in answers.names:
        raise ValueError(
            f"{truth.source} and {answers.source} have {key} in common: name the column of true "
            f"labels by --true ({', '.join(truth.names)}) and that of predictions by --pred "
            f"({', '.join(free)})"
        )
    return _join(options, truth, answers, key, true, pred)


def _has_both(table: Table, options: Namespace) -> bool:
    """Whether a file holds labels and predictions, so that it needs no other."""
    if options.pred:
        return options.true in table.names and set(options.pred) <= set(table.names)
    if roles.usual_pairs(table.names):
        return True
    true = roles.true_labels(table.names, options.true)
    return true in table.names and set(roles.predictions(table.names, true)) <= set(table.names)


def _join(
    options: Namespace, truth: Table, answers: Table, key: str, true: str, pred: str
) -> Table:
    """Add the predictions to the table of labels, which keeps all of its columns."""
    answers.keys = (key,)
    answers.read([key, pred])
    by_case = answers.by_case()
    name = pred if pred not in truth.names else f"prediction ({answers.source})"

    def fetch(names: Sequence[str]) -> list[Case]:
        cases = []
        for line, row in truth.fetch([*(n for n in names if n != name), key]):
            match = by_case.get((str(row[key]),))
            cases.append((line, row | {name: match[1][pred] if match else None}))
        return cases

    options.files = [f"{truth.source} with {answers.source}"]
    options.true, options.pred = true, [name]
    table = Table(truth.source, [*truth.names, name], fetch, delimited=truth.delimited)
    identifiers = {str(row[key]) for _, row in truth.fetch([key])}
    strange = [case for (case,) in by_case if case not in identifiers]
    if strange:
        raise ValueError(
            f"{answers.source} has {len(strange)} examples that {truth.source} lacks, such as "
            f"{key} {strange[0]}"
        )
    lacking = len(identifiers) - len(by_case)
    if lacking and not options.missing and not options.where:
        raise ValueError(
            f"{answers.source} lacks {lacking} of the {len(identifiers)} examples of "
            f"{truth.source}; --missing drop leaves them out"
        )
    table.keys = (key,)
    return table


def board(options: Namespace) -> tuple[Tasks, list[str], list[str]]:
    """Return the report of a run, its notes, and the results that its harness reports."""
    tables = [_read(options, path) for path in options.files]
    notes: list[str] = []
    beside: list[str] = []
    if options.task:
        (table,) = tables
        parts = _parts(table, options.task)
    else:
        parts = [(table.system, _task(table), table) for table in tables]
        if len({model for model, *_ in parts}) == 1 and len({task for _, task, _ in parts}) == 1:
            parts = [("", Path(table.source).stem, table) for *_, table in parts]
        if not any(table.harness or table.task or table.system for table in tables):
            notes += filter(None, [repeats.refuse_files(tables, roles.IDS)])
    scores = [
        columns.numbers(t, t.values[0], options.range) if t.scored else _right(t) for *_, t in parts
    ]
    _, scale = checked(np.concatenate(scores), "scores", options.range, not options.lower_is_better)
    results: dict[str, dict[str, TaskCases]] = {}
    for (model, task, table), values in zip(parts, scores, strict=True):
        by_task = results.setdefault(model, {})
        if task in by_task:
            raise ValueError(
                f"{table.source}: the task {task} comes twice for {model or 'one model'}; keep "
                "one run of each, or name models as in NAME=FILE"
            )
        groups = None
        if table.group:
            groups = grouped(list(map(str, table.column(table.group))), len(values))
            if groups.max_size == 1:
                groups = None
        by_task[task] = TaskCases(scale.losses(values), groups)
        notes += [f"{task}: {note}" for note in (table.note, *table.remarks) if note]
        if table.pairs and not table.scored:
            notes.append(f"{task}: its share of right labels, in place of {table.pairs[0]}.")
        for name, (value, error) in table.reported.items():
            if name in table.values and error is not None:
                beside.append(
                    f"The harness itself has {task} {value:.4g}, standard error {error:.3g}."
                )
        beside += [line for line in table.groups_reported if line not in beside]
    names = {name for *_, t in parts if t.scored for name in t.values}
    if len(names) > 1:
        notes.append(f"The tasks have scores of their own: {', '.join(sorted(names))}.")
    order = same_tasks(results)
    results = {model: {task: by_task[task] for task in order} for model, by_task in results.items()}
    return tasks(results, scale, options.delta), notes, beside


def _read(options: Namespace, path: str) -> Table:
    """Read one file of a run on its own."""
    name, _, rest = path.partition("=")
    named = bool(rest) and not os.path.exists(path)
    alone = copy.copy(options)
    alone.files = [rest if named else path]
    table = files.opened(alone.files[0])
    filtered = any(column == "filter" for column, _ in alone.where) and "filter" in table.names
    # if a task has only one filter, drop the filter, so that it isn't added to the task's name
    if filtered and len({str(row["filter"]) for _, row in table.fetch(["filter"])}) == 1:
        alone.where = [(column, value) for column, value in alone.where if column != "filter"]
    table = roles.read_table(alone, table)
    if named:
        table.system = name
    return table


def _task(table: Table) -> str:
    """Return the task of a log, or else the file's name."""
    stem = Path(table.source).name.partition(".jsonl")[0]
    if stem.startswith("samples_"):
        return _DATE.sub("", stem).removeprefix("samples_")
    return table.task or Path(table.source).stem


def _right(table: Table) -> np.ndarray:
    """Return 1 for each example that is predicted correctly."""
    name = table.values[0]
    pairs = [(table.truth or "", table.column(table.truth or "")), (name, table.column(name))]
    true, predicted = columns.labels(table, pairs)
    return np.asarray(true == predicted, dtype=float)


def _parts(table: Table, name: str) -> list[tuple[str, str, Table]]:
    """Split a table by the column that names the task of each example."""
    parts: dict[str, list[Case]] = {}
    for case in table.cases:
        parts.setdefault(str(case[1][name]), []).append(case)
    tables = []
    for task, cases in parts.items():
        part = copy.copy(table)
        part.cases, part.remarks, part.note = cases, [], ""
        tables.append((table.system, task, part))
    return tables
