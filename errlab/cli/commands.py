"""The commands: from options and files to a result of errlab."""

import inspect
import os
import warnings
from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy import special

from errlab._core import checks
from errlab._core.checks import FloatArray, Labels
from errlab._core.public import delta_of
from errlab._core.rounding import count
from errlab._numerics.groups import codes
from errlab.cli import columns, output, pairing, repeats, run
from errlab.cli import limit as limits
from errlab.cli.gate import gate
from errlab.cli.roles import groups_by_name, of_systems, read, read_table
from errlab.cli.table import Table, align
from errlab.statements.many_models import models
from errlab.statements.plan import plan
from errlab.statements.report import PairReport, Report, report

# Options that need a file.
_OF_FILES = (
    "pred", "score", "range", "id", "group", "where", "missing", "margin", "lower_is_better",
)  # fmt: skip


def answer_of(options: Namespace) -> tuple[str, list[str], int]:
    """Run a command; return the text to print, warnings to the user, and the exit code."""
    # show warnings as messages to the user, without Python's file and line
    with warnings.catch_warnings(record=True, action="always") as caught:
        if options.confidence is not None:
            options.delta = delta_of(options.confidence, "--confidence")
        options.delta = checks.one_level(options.delta, "--delta")
        answer = _output(options)
    messages = [str(warning.message) for warning in caught]
    text = output.written(answer, options.format, options.full, messages)
    return text, messages, answer.gate.exit_code if answer.gate else 0


def _output(options: Namespace) -> output.Answer:
    """Compute the result of the command."""
    if options.command == "plan":
        names = inspect.signature(plan).parameters
        return output.Answer(plan(**{name: getattr(options, name) for name in names}))
    options.where = list(map(_parse_condition, options.where))
    options.files = run.expand(options.files)
    limit = _limit(options)
    joined = run.joined(options) if options.command == "report" else None
    if options.task or (options.command == "report" and len(options.files) > 1 and not joined):
        if options.task and len(options.files) > 1:
            raise ValueError("--task is for one table; with several files, each file is a task")
        board, notes, beside = run.board(options)
        return output.Answer(board, [checks.visible(note) for note in notes], None, beside)
    ask, notes, beside = question(options, joined)
    try:
        result = ask()
    except (TypeError, ValueError) as error:
        files = " or ".join(options.files)
        raise ValueError(f"{files}: {error}".removeprefix(": ")) from None
    if options.plot is not None:
        output.draw(result, options.plot)
    judged = None
    if limit and isinstance(result, Report):
        judged = limits.gate(result, limit)
    if isinstance(result, PairReport) and options.command == "gate":
        judged = gate(result, partial(ask, method="t"))
    return output.Answer(result, notes, judged, beside)


def _limit(options: Namespace) -> limits.Limit | None:
    """Return the limit for the error or score of one system, if one is given."""
    thresholds = [
        limits.Limit(value, name)
        for value, name in ((options.max_error, "--max-error"), (options.min_score, "--min-score"))
        if value is not None
    ]
    if options.command != "gate" or not thresholds:
        return None
    if len(thresholds) > 1 or options.margin is not None or len(options.files) != 1:
        raise ValueError(
            f"{thresholds[0].option} is for one system in one file, without --margin, got "
            f"{count(len(options.files), 'file')}"
        )
    options.command = "report"  # the other checks are those of a report on one system
    return thresholds[0]


def question(
    options: Namespace, joined: Table | None = None
) -> tuple[Callable[..., Any], list[str], list[str]]:
    """Return the call of errlab, and the lines to print before and after its result."""
    if options.command == "report":
        _refuse_counts(options)
    if options.n is not None:
        return partial(report, errors=options.errors, n=options.n, delta=options.delta), [], []
    if joined is not None:
        first = read_table(options, joined)
        tables, systems = [first], tuple(first.values)
    else:
        tables, systems = _read_all(options)
    notes = _notes(options, tables)
    beside = _harness_results(tables)
    first = tables[0]
    arguments: dict[str, Any] = {"delta": options.delta}
    groups = None
    if first.group:
        groups = _labels(first, [(first.group, first.column(first.group))])[0]
    else:
        _warn_of_groups(options, first)
    if options.command == "report":
        _refuse_pool(options, first)
    if first.scored:
        answers = [
            columns.numbers(table, name, options.range) for table in tables for name in table.values
        ]
        arguments |= {"higher_is_better": not options.lower_is_better, "range": options.range}
    else:
        arguments["y_true"], *answers = _truth_and_predictions(tables)
    if options.pass_at is not None:
        arguments |= {"range": (0, 1), "higher_is_better": True}
        answers = [_pass_at(options, first, scores, groups) for scores in answers]
        notes.append(f"pass@{options.pass_at} of {len(answers[0])} examples ({first.group}).")
        groups = None
    if options.model:
        long = _long_columns(options, first, answers[0], groups)
        arguments |= {"y_true": long, "baseline": options.baseline, **{name: name for name in long}}
        return partial(models, **arguments), notes, beside
    arguments["groups"] = groups
    if options.metric:
        return _metric(options, arguments, answers, systems), notes, beside
    if len(answers) > 2:
        kind = "scores" if first.scored else "predictions"
        arguments |= {"baseline": options.baseline, kind: dict(zip(systems, answers, strict=True))}
        return partial(models, **arguments), notes, beside
    names = ("scores", "scores_b") if first.scored else ("y_pred", "pred_b")
    arguments |= zip(names, answers, strict=False)
    if len(answers) == 2:
        arguments |= {"names": systems, "margin": options.margin}
    return partial(report, **arguments), notes, beside


def _harness_results(tables: Sequence[Table]) -> list[str]:
    """Return sentences with the estimates and standard errors that harnesses wrote themselves."""
    return [
        f"The harness of {table.source} itself has {table.values[0]} {value:.4g}, standard error "
        f"{error:.3g}."
        for table in tables
        for value, error in [table.reported.get(table.values[0], (0.0, None))]
        if error is not None
    ]


def _long_columns(
    options: Namespace, table: Table, scores: FloatArray, groups: Labels | None
) -> dict[str, Any]:
    """Return the columns of a long table, with a row for each system and example."""
    long: dict[str, Any] = {"score": scores}
    for role, name in (("model", options.model), ("case", options.id)):
        long[role] = list(map(str, table.column(name)))
    if groups is not None:
        long["group"] = groups
    return long


def _pass_at(
    options: Namespace, table: Table, scores: FloatArray, groups: Labels | None
) -> FloatArray:
    """Return the unbiased probability for each example that one of k samples is right."""
    k = options.pass_at
    if groups is None or not table.scored or not np.isin(scores, (0, 1)).all() or k < 1:
        raise ValueError(
            "--pass-at K needs scores of 0 and 1, several for each example, and --group with the "
            "column that names the example"
        )
    code = codes(groups)
    size, right = np.bincount(code), np.bincount(code, scores)
    if size.min() < k:
        raise ValueError(
            f"--pass-at {k} needs {k} samples of each example, but one example has {size.min()}"
        )
    # 1 - C(n - c, k) / C(n, k) if c of n are right (Chen et al. 2021)
    return np.asarray(1 - special.binom(size - right, k) / special.binom(size, k))


def _metric(
    options: Namespace, arguments: dict[str, Any], answers: list[Any], systems: Sequence[str]
) -> Callable[..., Any]:
    """Return the call of `metric` for one system or two."""
    if options.command == "gate":
        raise ValueError(
            f"gate judges errors and scores, not {options.metric}: take compare, and decide by the "
            "ends of its interval (low and high with --json)"
        )
    if "y_true" not in arguments or len(answers) > 2:
        raise ValueError(
            "--metric needs true labels (--true), and predictions or scores of one or two systems "
            "(--pred)"
        )
    from errlab.statements.metric import metric  # slow to import, and rarely needed

    keywords = {name: arguments[name] for name in ("y_true", "groups", "delta")}
    keywords |= zip(("score_a", "score_b"), answers, strict=False)
    if len(answers) == 2:
        keywords["names"] = systems
    return partial(metric, metric=options.metric, positive=options.positive, **keywords)


def _refuse_counts(options: Namespace) -> None:
    """Refuse a report without data or with two kinds, and options of files with counts."""
    counts = {"--errors": options.errors, "--n": options.n}
    options_used = [f"{name} {number}" for name, number in counts.items() if number is not None]
    if (min(len(options.files), 1), len(options_used)) not in ((1, 0), (0, 2)):
        got = ", ".join([count(len(options.files), "file"), *options_used])
        raise ValueError(f"report takes one FILE, or both --errors and --n, got {got}")
    for name in _OF_FILES:
        if options_used and getattr(options, name) not in (None, False, []):
            raise ValueError(f"--{name.replace('_', '-')} needs a FILE, got --errors and --n")


def _parse_condition(text: str) -> tuple[str, str]:
    """Split a condition on a column into name and value."""
    name, mark, value = text.partition("=")
    if not mark:
        raise ValueError(f"--where must be COLUMN=VALUE, got {text}")
    return name, value


def _read_all(options: Namespace) -> tuple[list[Table], tuple[str, ...]]:
    """Read the files in the order of the first one's examples, and name the systems."""
    names, paths = zip(*map(_parse_file_argument, options.files), strict=True)
    if names[0] and len(names) == 1:
        raise ValueError(
            f"{options.files[0]}: there is no such file; NAME=FILE needs several files"
        )
    for path in paths:
        if not path or "\0" in path:
            raise ValueError(f"FILE must name a file, or be - for standard input, got {path!r}")
    targets = list(map(os.path.realpath, paths))
    for number, path in enumerate(paths):
        if targets[number] in targets[:number]:
            raise ValueError(f"{path} is named twice; name each file once")
    tables = [read(options, path) for path in paths]
    first = tables[0]
    if len({table.scored for table in tables}) > 1:
        raise ValueError("files must all hold scores or all labels: name the --score of each")
    # each example counts once, unless repeated answers form a group
    if len(tables) > 1 or (first.keys and not (first.group or options.model)):
        align(tables)
    if len(tables) > 1 and not pairing.check(tables):
        first.remarks.append(
            f"Paired by {' and '.join(first.keys)} alone, which nothing else in the files confirms."
        )
    if options.model:
        repeats.refuse_other_cases(first, options.id, pairing.witnesses(first.names))
    if len(tables) == 1:
        return tables, tuple(first.values)
    # names of the systems: as given, by model, or by file
    sources = [table.source for table in tables]
    for others in ([t.system for t in tables], [Path(s).stem for s in sources], sources):
        systems = tuple(name or other for name, other in zip(names, others, strict=True))
        if all(systems) and len(set(systems)) == len(systems):
            break
    return tables, systems


def _notes(options: Namespace, tables: Sequence[Table]) -> list[str]:
    """Return which examples of a log were left out, and which score was read from all files."""
    first = tables[0]
    notes = [f"{table.source}: {table.note}" for table in tables if table.note]
    if notes and len(tables) == 1:
        notes = [first.note[0].upper() + first.note[1:]]
    if first.scored and not options.score:
        taken = {table.values[0]: table.source for table in tables}
        if len(taken) > 1:
            listed = ", ".join(f"{source} has {name}" for name, source in taken.items())
            raise ValueError(f"files must have one score, but {listed}; name it by --score")
        details = [first.harness]
        if first.system and len(tables) == 1:
            details.append(f"model {first.system}")
        if first.group and not options.group:
            details.append("the epochs of a sample are a group")
        others = [*first.scores[1:], *first.pairs]
        if others:
            details.append(f"--score takes another: {', '.join(others)}")
        notes.append(f"The score is {first.values[0]} ({'; '.join(details)}).")
    notes += dict.fromkeys(remark for table in tables for remark in table.remarks)
    return [checks.visible(note) for note in notes]


def _truth_and_predictions(tables: Sequence[Table]) -> list[Labels]:
    """Return the true labels, which may be in one file only, and the predicted ones."""
    first = tables[0]
    predictions = [(name, t.column(name)) for t in tables for name in t.values]
    truths = [(t.truth, t.column(t.truth)) for t in tables if t.truth]
    if not truths:
        first.need("y_true", "--true")
    arrays = _labels(first, [*truths, *predictions])
    for other in arrays[1 : len(truths)]:
        rows = (other != arrays[0]).nonzero()[0]
        if rows.size:
            raise ValueError(
                f"{truths[0][0]} must be the same in all files, but it differs for the example of "
                f"{first.at(rows[0])}"
            )
    return [arrays[0], *arrays[len(truths) :]]


def _refuse_pool(options: Namespace, table: Table) -> None:
    """Refuse one report on several systems, which were tested on the same examples."""
    for name in of_systems(table):
        systems = list(dict.fromkeys(map(str, table.column(name))))
        if len(systems) > 1 and options.group != name:
            raise ValueError(
                f"{table.source}: a report is about one system, but {name} has {len(systems)}; for "
                f"one say --where {name}={systems[0]}, for all errlab compare --model {name}; if "
                "it names no systems, rename the column"
            )


def _labels(table: Table, of: Sequence[columns.Column]) -> list[Labels]:
    """Return columns of labels or groups; warn about values that look like missing values."""
    places: dict[str, str] = {}
    for name, column in of:
        for value in set(column):
            if isinstance(value, str) and value.lower() in checks.MISSING_WORDS:
                places[value] = name
    if places:
        listed = ", ".join(f"{value} (in {name})" for value, name in places.items())
        warnings.warn(
            f"{table.source}: taken for a value like others: {listed}; leave such examples out if "
            "their value is missing",
            stacklevel=1,
        )
    return columns.labels(table, of)


def _warn_of_groups(options: Namespace, table: Table) -> None:
    """Warn about a column that looks like groups, if no option names it."""
    cases = len(table.cases)
    if options.model:
        cases = len(set(table.column(options.id)))
    for name in filter(groups_by_name, table.names):
        if name in table.roles:
            continue
        # JSON may hold a list, such as the turns of a conversation
        groups = len(set(map(str, table.column(name))))
        if 1 < groups < cases:
            hint = f"looks like {groups} groups; if so, say --group {name}"
            warnings.warn(f"{table.source}: {name} {hint}", stacklevel=1)


def _parse_file_argument(argument: str) -> tuple[str, str]:
    """Split NAME=FILE, unless there is a file with that name; a file alone has no name."""
    name, _, path = argument.partition("=")
    if not (name and path) or os.path.exists(argument):
        return "", argument
    return name, path
