"""What the commands of the command line compute: from files to a result, and the result as text."""

from __future__ import annotations

import argparse
import html
import json
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from errlab._core import checks, extras
from errlab._core import tables as _tables
from errlab._core.checks import FloatArray
from errlab._core.statement import Statement
from errlab.cli import columns as _columns
from errlab.cli import files as _files
from errlab.cli.files import Column, Layout, Table

if TYPE_CHECKING:
    from errlab.statements.plan import Plan

    Result = Statement | Plan

_LONG = ("model", "system", "classifier")  # columns of a table with one row a system and case
_EXIT = {"better": 0, "not worse": 0, "worse": 1, "cannot tell": 3}  # of a gate
_POWER = 0.8


def run(options: argparse.Namespace) -> tuple[str, int]:
    """Run a command: return what is printed, and the exit code."""
    form = "json" if options.json else options.format
    if options.command == "plan":
        return text_of(plan(options), form), 0
    result, before = claim(options)
    code = verdict(result) if options.command == "gate" else 0
    after = would_tell(result) if code == 3 else []
    if options.plot is not None:
        draw(result, options.plot)
    return text_of(result, form, before, after), code


def verdict(result: Statement) -> int:
    """Return the exit code of a gate: a difference that is proven may be within the margin."""
    from errlab.statements.report._pair import PairReport

    if not isinstance(result, PairReport):
        raise ValueError("gate takes two systems, the old one and the new one")
    return 0 if result.within_margin else _EXIT[result.verdict]


def plan(options: argparse.Namespace) -> Plan:
    """Say how many test cases are needed."""
    from errlab.statements.plan import plan as sizes

    given = {
        name: getattr(options, name)
        for name in ("error", "half_width", "difference", "disagree", "margin")
        if getattr(options, name) is not None
    }
    return sizes(
        **given, power=options.power, design_effect=options.design_effect, delta=level(options)
    )


def level(options: argparse.Namespace) -> float:
    """Return the probability of failure that --delta or --confidence ask for."""
    if options.confidence is None:
        return float(options.delta)
    if not 0 < options.confidence < 1:
        raise ValueError(f"--confidence must lie in (0, 1), got {options.confidence:g}")
    return round(1 - float(options.confidence), 12)


class Roles(NamedTuple):
    """Which columns of a file are what: scores or predictions, the truth, who a case is."""

    values: list[str]
    scored: bool
    truth: str | None
    keys: list[str]
    group: str | None
    model: str | None  # of a long table
    columns: list[str]  # all that are read


def roles(options: argparse.Namespace, layout: Layout) -> Roles:
    """Say which columns of a file are what, or which of those that are needed it has not."""
    several = len(options.files) > 1
    # a log of a harness holds scores, unless predictions are asked for
    scored = bool(options.score or (layout.scores and not options.pred))
    option = "--score" if scored else "--pred"
    named = options.score if scored else options.pred
    names = list(layout.names)
    kept = [name for name, _ in conditions(options)]
    model = getattr(options, "model", None)
    apart = {options.true, options.id, options.group, model, *_files.IDS, *kept}
    # columns that may hold what a system said
    free = [name for name in names if name not in apart]
    values = named or list(layout.scores[:1])
    if not values and options.command != "report" and not several:
        called = [name for name in free if name.startswith(("pred", "y_pred"))]
        values = called if len(called) > 1 else free
    values = values or _files.predictions(names, options.true)
    # one of several files may hold the truth for all
    elsewhere = several and options.true not in names and set(values) <= set(names)
    truth = None if scored or elsewhere else options.true
    keys = [options.id] if options.id else list(layout.keys)
    if several and not keys:
        keys = [name for name in names if name in _files.IDS][:1]
    group = options.group or layout.group
    example = free[0] if len(free) == 1 else "COLUMN"
    hint = f"; for scores, or 0 and 1, say --score {named[0] if named else example}"
    asked = [("--true", truth, hint)]
    hint = "" if named else f"; name predictions, as in {option} {example}"
    asked += [(option, value, hint) for value in values]
    asked += [("--id", key, "") for key in keys]
    asked += [("--group", group, ""), ("--model", model, "")]
    asked += [("--where", name, "") for name in kept]
    columns = [layout.need(name, where, hint) for where, name, hint in asked if name is not None]
    if layout.scores and "filter" in names:
        columns.append("filter")
    _check_number(options, layout, values, scored)
    if several and not keys:
        raise ValueError(
            f"{layout.source} must say what each case is called: files are aligned by "
            "identifiers, never by the order of rows; name the column with --id"
        )
    return Roles(values, scored, truth, keys, group, model, columns)


def _check_number(
    options: argparse.Namespace, layout: Layout, values: Sequence[str], scored: bool
) -> None:
    """Refuse columns that cannot be meant, or are too few or too many for the command."""
    command, files = options.command, len(options.files)
    number = len(values) if files == 1 else files
    option = "--score" if scored else "--pred"
    said = ""
    if options.true in values and not scored:
        said = f"--pred must name a column of predictions, got {options.true}"
    elif len(set(values)) < len(values):
        said = f"columns must differ, got {values[0]} twice"
    elif files > 1 and len(values) > 1:
        said = f"{option} must name one column where there are several files, got {len(values)}"
    elif getattr(options, "model", None) is not None:
        if not (number == 1 and scored and options.id):
            said = "--model is for one long table, with one --score, and its cases named by --case"
        elif options.margin is not None:
            said = "--margin is for two systems, each in a column or a file of its own"
    elif number > 2 and command != "compare":
        said = f"errlab {command} can be of one or two systems, got {number}; for more take compare"
    elif number == 1 and command != "report":
        said = f"{command} needs two systems, but {layout.source} has one, {values[0]}; name two "
        said += f"columns or more by {option}, or give a file for each"
        for name in (name for name in layout.names if name.lower() in _LONG):
            said = f"{layout.source} is a long table, of which {command} would make one system; "
            said += f"take compare --model {name} --case COLUMN --score {values[0]}"
    elif number != 2 and options.margin is not None:
        said = f"--margin is for two systems, got {number}; for two columns give {option} twice"
    elif number < 3 and getattr(options, "baseline", None) is not None:
        said = f"--baseline is for three systems or more, got {number}"
    elif not scored and (options.range or options.lower_is_better):
        said = "--range and --lower-is-better are for scores: name them by --score"
    if said:
        raise ValueError(said)


def conditions(options: argparse.Namespace) -> list[tuple[str, str]]:
    """Return the columns that --where names, each with the value that it asks for."""
    found = []
    for text in options.where or ():
        name, mark, value = text.partition("=")
        if not mark:
            raise ValueError(f"--where must be COLUMN=VALUE, got {text}")
        found.append((name, value))
    return found


def _read(options: argparse.Namespace, path: str) -> tuple[Table, Roles]:
    """Read what the options name of a file, of one filter."""
    table = _files.read(path, lambda layout: roles(options, layout).columns)
    part = roles(options, table.layout)
    if options.where:
        table = _files.where(table, conditions(options))
    if "filter" in table.columns and table.layout.scores:
        column = table.columns["filter"]
        found = [str(column.values[code]) for code in np.unique(column.codes)]
        if len(found) > 1:
            raise ValueError(
                f"{path} has the answers of {len(found)} filters ({', '.join(found)}); keep "
                f"one, as in --where filter={found[0]}"
            )
    return table, part


def claim(options: argparse.Namespace) -> tuple[Statement, list[str]]:
    """Report or compare what the files hold; also say which scores of a log were taken."""
    from errlab.compare import models
    from errlab.statements.report import report

    _files.each_once(options.files)
    tables, parts = map(list, zip(*(_read(options, p) for p in options.files), strict=True))
    before = _of_log(options, tables, parts)
    # never by the order of rows
    if len(tables) > 1:
        tables = _files.align(tables, [part.keys for part in parts])
    first, part = tables[0], parts[0]
    if first.layout.keys and not (options.id or options.group):
        _files.by_case(first, part.keys)
    # a system is a column of a file
    picks = [(table, n) for table, one in zip(tables, parts, strict=True) for n in one.values]
    common: dict[str, Any] = {"delta": level(options)}
    if part.group is not None:
        common["groups"] = _files.labels(first, [first.columns[part.group]])[0]
    elif options.id and len(tables) == 1 and part.model is None:
        cases, different = len(first.lines), len(np.unique(first.columns[options.id].codes))
        if different < cases:
            warnings.warn(
                f"{first.layout.source}: {cases} cases have {different} different {options.id}; if "
                f"it names what they belong to, say --group {options.id}",
                stacklevel=2,
            )
    doubtful = [first.columns[name] for name in (part.group, part.model) if name is not None]
    called = _called(tables, picks)
    if len(picks) == 2:
        common |= {"names": called, "margin": options.margin}
    if part.scored:
        _say_missing(first, doubtful)
        columns = [_files.numbers(table, name) for table, name in picks]
        common["higher_is_better"] = not options.lower_is_better
        if options.range is not None:
            common["range"] = tuple(options.range)
        if part.model is not None:
            return _of_long(
                first, part, columns[0], common | {"baseline": options.baseline}
            ), before
        if len(columns) > 2:
            systems = dict(zip(called, columns, strict=True))
            return models(scores=systems, baseline=options.baseline, **common), before
        common |= dict(zip(("scores", "scores_b"), columns, strict=False))
        return report(**common), before
    # labels; the truth may stand in one file for all
    truths = [t.columns[o.truth] for t, o in zip(tables, parts, strict=True) if o.truth]
    if not truths:
        first.layout.need(options.true, "--true")
    guesses = [table.columns[name] for table, name in picks]
    _say_missing(first, [*truths[:1], *guesses, *doubtful])
    columns = _files.labels(first, [truths[0], *guesses, *truths[1:]])
    for other in columns[1 + len(guesses) :]:
        for row in np.flatnonzero(other != columns[0])[:1]:
            raise ValueError(
                f"{options.true} must be the same in all files, but for the case of "
                f"{first.at(row)} it is not"
            )
    labels = columns[: 1 + len(guesses)]
    if len(guesses) < 3:
        return report(*labels, **common), before
    systems = dict(zip(called, labels[1:], strict=True))
    return models(labels[0], systems, baseline=options.baseline, **common), before


def _of_long(table: Table, part: Roles, scores: FloatArray, common: dict[str, Any]) -> Statement:
    """Compare the models of a long table; its groups are a column like the others."""
    from errlab.compare import models

    columns: dict[str, Any] = {"score": scores}
    for role, name in (("model", part.model), ("case", part.keys[0])):
        columns[role] = table.columns[str(name)].texts
    if "groups" in common:
        columns["group"] = common.pop("groups")
    common |= {role: role for role in columns}
    return models(columns, **common)


def _of_log(
    options: argparse.Namespace, tables: Sequence[Table], parts: Sequence[Roles]
) -> list[str]:
    """Say which score was taken from the log of a harness; it must be the same in all."""
    if len({part.scored for part in parts}) > 1:
        raise ValueError("files must all hold scores or all labels: name the --score of each")
    layout = tables[0].layout
    if options.score or not parts[0].scored:
        return []
    taken = {part.values[0]: t.layout.source for t, part in zip(tables, parts, strict=True)}
    if len(taken) > 1:
        found = ", ".join(f"{source} has {name}" for name, source in taken.items())
        raise ValueError(f"files must have one score, but {found}; name it by --score")
    others = ", ".join(layout.scores[1:])
    more = f"; --score takes another: {others}" if others else ""
    return [checks.visible(f"The score is {parts[0].values[0]} ({layout.harness}{more}).")]


def _say_missing(table: Table, columns: Sequence[Column]) -> None:
    """Warn of labels, or groups, that may stand for a missing value."""
    found = {}
    for column in columns:
        for value in (column.values[code] for code in np.unique(column.codes)):
            if isinstance(value, str) and value.lower() in _columns.MISSING:
                found[value] = column.name
    if found:
        said = ", ".join(f"{value} (in {name})" for value, name in found.items())
        warnings.warn(
            f"{table.layout.source}: taken for a value like others: {said}; leave such cases "
            "out if their value is missing",
            stacklevel=2,
        )


def _called(tables: Sequence[Table], picks: Sequence[tuple[Table, str]]) -> tuple[str, ...]:
    """Name the columns, or the files that they come from."""
    names = [name for _, name in picks]
    if len(tables) > 1:
        sources = [table.layout.source for table in tables]
        stems = [Path(source).stem for source in sources]
        names = stems if len(set(stems)) == len(stems) else sources
    return tuple(names)


def would_tell(result: Statement) -> list[str]:
    """Say about how many cases like these would have told two classifiers apart."""
    from errlab.statements import plan as _plan
    from errlab.statements.report._pair import PairReport

    if not isinstance(result, PairReport):
        return []
    discordant = (result.n01 or 0) + (result.n10 or 0)
    if not discordant:
        return []
    # what is to be told: the margin, or a difference as large as the one that was seen
    distance = result.margin or abs(result.difference)
    disagree = discordant / result.a.n
    if not distance:
        return []
    try:  # the exact number takes `errlab plan` seconds
        size = f"About {float(f'{_plan._guess(distance, disagree, _POWER, result.delta):.2g}'):.0f}"
    except ValueError:
        size = "More than two million"
    truth = "tell, if the two are equally good," if result.margin else "show such a difference"
    return [f"{size} cases like these would {truth} with {_POWER:.0%} power."]


Lines = Sequence[str]
_WRITTEN: dict[str, Callable[[str], str]]
_WRITTEN = {"md": _tables.markdown_text, "latex": _tables.latex_text, "html": html.escape}


def text_of(result: Result, form: str, before: Lines = (), after: Lines = ()) -> str:
    """Write a result, and what stands before and after, as text, JSON, Markdown, LaTeX or HTML."""
    if form == "text":
        return "\n".join([*before, repr(result), *after])
    if form == "json":
        found = json.loads(result.to_json())
        found["claim"] = " ".join([*before, found["claim"], *after])
        return json.dumps(found, indent=2)
    written = _WRITTEN[form]
    if not isinstance(result, Statement):  # a plan is one sentence
        return written(repr(result))
    if form == "html":
        around = [[f"<p>{written(line)}</p>" for line in lines] for lines in (before, after)]
        return "\n".join([*around[0], str(result._repr_html_()), *around[1]])
    first, *rest = map(written, result.sentences())
    table = getattr(result, "to_markdown" if form == "md" else "to_latex")
    body = [f"**{first}**" if form == "md" else first]
    body += [" ".join(rest)] if not result._tables else [table(), table("pairs"), rest[-1]]
    held = list(map(written, result.conditions()))
    if form == "md":
        conditions = "\n\n".join(["This holds if", "\n".join(f"- {c}" for c in held)])
    else:
        items = "\n".join(rf"\item {c}" for c in held)
        conditions = f"This holds if\n\\begin{{itemize}}\n{items}\n\\end{{itemize}}"
    return "\n\n".join([*map(written, before), *body, conditions, *map(written, after)])


def draw(result: Statement, path: str) -> None:
    """Save the picture of a result."""
    if not hasattr(result, "plot"):
        raise ValueError("--plot needs a result that has a picture")
    extras.load("matplotlib").use("Agg")
    figure = result.plot().figure
    try:
        figure.savefig(path, bbox_inches="tight")
    except ValueError as error:
        raise ValueError(f"--plot {path}: {str(error).splitlines()[0]}") from None
