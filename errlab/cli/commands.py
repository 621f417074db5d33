"""What the commands of the command line compute: from files to a result, and the result as text."""

from __future__ import annotations

import html
import json
import warnings
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, cast

import numpy as np

from errlab._core import checks, extras
from errlab._core import tables as _tables
from errlab._core.checks import Labels
from errlab.cli import columns as _columns
from errlab.cli import files as _files
from errlab.cli import table as _table
from errlab.cli.table import Column, Table
from errlab.compare.many_models import Models, models
from errlab.statements import plan as _plan
from errlab.statements.report import report
from errlab.statements.report._reports import PairReport, Report

Claim = Report | PairReport | Models
Lines = Sequence[str]
Named = tuple[str, Column]
_LONG = ("model", "system", "classifier")  # columns of a table with one row a system and case
_EXIT = {"better": 0, "not worse": 0, "worse": 1, "cannot tell": 3}  # of a gate
_POWER = 0.8
_WRITTEN: dict[str, Callable[[str], str]]
_WRITTEN = {"md": _tables.markdown_text, "latex": _tables.latex_text, "html": html.escape}


def run(options: Namespace) -> tuple[str, int]:
    """Run a command: return what is printed, and the exit code."""
    form = "json" if options.json else options.format
    if options.command == "plan":
        return text_of(plan(options), form), 0
    result, before = claim(options)
    code, after = gate(cast(PairReport, result)) if options.command == "gate" else (0, [])
    if options.plot is not None:
        draw(result, options.plot)
    return text_of(result, form, before, after), code


def plan(options: Namespace) -> _plan.Plan:
    """Say how many test cases are needed."""
    asked = ("error", "half_width", "difference", "disagree", "margin", "power", "design_effect")
    return _plan.plan(**{name: getattr(options, name) for name in asked}, delta=level(options))


def level(options: Namespace) -> float:
    """Return the probability of failure that --delta or --confidence ask for."""
    if options.confidence is None:
        return checks.one_level(options.delta, "--delta")
    # as decimals, so that 0.95 leaves 0.05 and no digit is lost
    rest = 1 - Decimal(str(checks.one_delta(options.confidence, "--confidence")))
    return checks.one_delta(float(rest), "1 - confidence")


def read(options: Namespace, path: str) -> Table:
    """Read what the options name of a file, of one filter."""
    asked = [text.partition("=") for text in options.where or ()]
    for name, mark, _ in asked:
        if not mark:
            raise ValueError(f"--where must be COLUMN=VALUE, got {name}")
    with _files.opened(path) as table:
        table = table_of_roles(options, table, [name for name, _, _ in asked])
    table = table.with_planned()
    table = table.where(asked) if asked else table
    filters = [*dict.fromkeys(table.columns.get("filter", ()))] if table.scores else []
    if len(filters) > 1:
        found = f"the answers of {len(filters)} filters ({', '.join(map(str, filters))})"
        raise ValueError(f"{path} has {found}; keep one, as in --where filter={filters[0]}")
    return whole(options, table).checked()


def whole(options: Namespace, table: Table) -> Table:
    """Deal with cases that have no value, and with a run that broke off, as --missing says."""
    mask = table.unscored()
    if not (mask.any() or table.stopped):
        return table
    one = "score" if table.scored else "prediction"
    state = f"{mask.size - mask.sum()} of {mask.size} {table.unit}s have a {one}"
    if table.stopped:
        state = f"{table.stopped}; {state}, and those that end first are seldom like the rest"
    worst = (options.range or (0, 1))[options.lower_is_better]
    if options.missing is None:
        rows = np.flatnonzero(mask)[:1]
        missing = [n for row in rows for n in table.values if table.columns[n][row] is None]
        where = f"{table.source}: {state}"
        if missing and not table.stopped:
            where = f"{table.at(rows[0])}: {missing[0]} has no value; {state}"
        ways = "--missing drop leaves the others out"
        if table.scored:
            ways += f", --missing wrong counts them as {worst:g}"
        raise ValueError(f"{where}; {ways}")
    if options.missing == "drop":
        if mask.all():
            raise ValueError(f"{table.source}: no case has a {one}")
        return replace(table.take(~mask), told=f"{state}; the others are left out.")
    if not table.scored:
        raise ValueError("--missing wrong is for scores; for labels take --missing drop")
    if table.stopped and not table.planned:
        raise ValueError(f"{table.source}: {state}, and which others were to be run is not known")
    columns = dict(table.columns)
    for name in table.values:
        columns[name] = np.array([worst if v is None else v for v in columns[name]], dtype=object)
    return replace(table, columns=columns, told=f"{state}; the others count as {worst:g}.")


def table_of_roles(options: Namespace, table: Table, kept: Sequence[str]) -> Table:
    """Say what the columns of a file are for, and read those; or say which of them it has not."""
    several = len(options.files) > 1
    # a log of a harness holds scores, unless predictions are asked for
    scored = bool(options.score or (table.scores and not options.pred))
    option = "--score" if scored else "--pred"
    named = options.score if scored else options.pred
    names = list(table.names)
    apart = {options.true, options.id, options.group, options.model, *_table.IDS, *kept}
    # columns that may hold what a system said
    free = [name for name in names if name not in apart]
    values = named or list(table.scores[:1])
    if not values and options.command != "report" and not several:
        called = [name for name in free if name.startswith(("pred", "y_pred"))]
        values = called if len(called) > 1 else free
    values = values or _table.predictions(names, options.true)
    # one of several files may hold the truth for all
    elsewhere = several and options.true not in names and set(values) <= set(names)
    truth = None if scored or elsewhere else options.true
    keys = [options.id] if options.id else list(table.keys)
    if several and not keys:
        keys = [name for name in names if name in _table.IDS][:1]
    table = replace(table, values=tuple(values), scored=scored, truth=truth)
    table = replace(table, keys=tuple(keys), group=options.group or table.group)
    # what is asked for, by which option, and what may help where it is not there
    example = free[0] if len(free) == 1 else "COLUMN"
    hint = _as_long(options, table, example)
    hint = hint or f"for scores, or 0 and 1, say --score {named[0] if named else example}"
    asked = [("--true", truth, f"; {hint}")]
    hint = "" if named else f"; name predictions, as in {option} {example}"
    asked += [(option, value, hint) for value in values]
    asked += [("--id", key, "") for key in keys]
    asked += [("--group", table.group, ""), ("--model", options.model, "")]
    asked += [("--where", name, "") for name in kept]
    columns = [table.need(name, where, hint) for where, name, hint in asked if name is not None]
    # what `claim` looks at, and no claim is about
    others = _of_systems(table) if options.command == "report" else []
    others += [name for name in names if _table.groups_by_name(name)]
    others += ["filter"] if table.scores and "filter" in names else []
    fault = _fault(options, table)
    if fault:
        raise ValueError(fault)
    planned = () if options.id else table.planned
    table = replace(table, planned=planned, optional=frozenset(others) - set(columns))
    return table.read([*columns, *others])


def _of_systems(table: Table) -> list[str]:
    """Return the columns that name systems, if any: the table is a long one then."""
    return [name for name in table.names if name.lower() in _LONG]


def _as_long(options: Namespace, table: Table, score: str) -> str:
    """Say which call compares the systems of a long table, if this is one."""
    if options.command == "report" or len(options.files) > 1 or not _of_systems(table):
        return ""
    column, case = _of_systems(table)[0], options.id or "COLUMN"
    return f"a long table of systems takes compare --model {column} --case {case} --score {score}"


def _fault(options: Namespace, table: Table) -> str:
    """Say which columns cannot be meant, or are too few or too many for the command."""
    command, files = options.command, len(options.files)
    values, scored = table.values, table.scored
    number = len(values) if files == 1 else files
    option = "--score" if scored else "--pred"
    if options.true in values and not scored:
        return f"--pred must name a column of predictions, got {options.true}"
    if len(set(values)) < len(values):
        return f"columns must differ, got {values[0]} twice"
    if files > 1 and len(values) > 1:
        return f"{option} must name one column where there are several files, got {len(values)}"
    if options.model is not None:
        if not (number == 1 and scored and options.id):
            return "--model is for one long table, with one --score, and its cases named by --case"
        said = "--margin is for two systems, each in a column or a file of its own"
        return "" if options.margin is None else said
    if number > 2 and command != "compare":
        return f"errlab {command} can be of one or two systems, got {number}; for more take compare"
    if number == 1 and command != "report":
        said = f"{command} needs two systems, but {table.source} has one, {values[0]}"
        way = f"name two columns or more by {option}, or give a file for each"
        return f"{said}; {_as_long(options, table, values[0]) or way}"
    if number != 2 and options.margin is not None:
        return f"--margin is for two systems, got {number}; for two columns give {option} twice"
    if number < 3 and options.baseline is not None:
        return f"--baseline is for three systems or more, got {number}"
    if not scored and (options.range or options.lower_is_better):
        return "--range and --lower-is-better are for scores: name them by --score"
    if files > 1 and not table.keys:
        said = f"{table.source} must say what each case is called: files are aligned by identifiers"
        return f"{said}, never by the order of rows; name the column with --id"
    return ""


def claim(options: Namespace) -> tuple[Claim, list[str]]:
    """Report or compare what the files hold; also say which scores of a log were taken."""
    names, paths = zip(*map(_files.named, options.files), strict=True)
    if names[0] and len(names) == 1:
        said = f"{options.files[0]}: there is no such file, and NAME=FILE is for one of several"
        raise ValueError(said)
    _files.each_once(paths)
    tables = [read(options, path) for path in paths]
    before = _of_log(options, tables)
    # never by the order of rows
    if len(tables) > 1:
        tables = _table.align(tables)
    first = tables[0]
    # in a log each case counts once, unless its answers are said to be a group
    if first.keys and not (options.id or options.group):
        first.by_case()
    # a system is a column of a file
    picks = [(table, name) for table in tables for name in table.values]
    called = _called(tables, names)
    doubtful = [(n, first.columns[n]) for n in (first.group, options.model) if n is not None]
    given: dict[str, Any] = {"delta": level(options)}
    if first.group is not None:
        given["groups"] = _columns.labels(first, doubtful[:1])[0]
    elif options.id and len(tables) == 1 and options.model is None:
        cases, different = len(first.lines), len(set(first.columns[options.id]))
        said = f"{first.source}: {cases} cases have {different} different {options.id}; if it "
        if different < cases:
            said += f"names what they belong to, say --group {options.id}"
            warnings.warn(said, stacklevel=2)
    if options.command == "report":
        _refuse_pool(options, first)
    _say_groups(options, first)
    truth = None
    if first.scored:
        _say_missing(first, doubtful)
        columns = [_columns.numbers(table, name) for table, name in picks]
        given["higher_is_better"] = not options.lower_is_better
        if options.range is not None:
            given["range"] = tuple(options.range)
    else:
        truth, *columns = _labels(options, tables, doubtful)
    if options.model is not None:
        # a long table; its groups are a column like the others
        long = {"score": columns[0], "model": first.columns[options.model].astype(str)}
        long["case"] = first.columns[first.keys[0]].astype(str)
        if "groups" in given:
            long["group"] = given.pop("groups")
        given |= {role: role for role in long}
        return models(long, baseline=options.baseline, **given), before
    if len(picks) > 2:
        what = "scores" if first.scored else "predictions"
        given[what] = dict(zip(called, columns, strict=True))
        return models(truth, baseline=options.baseline, **given), before
    if len(picks) == 2:
        given |= {"names": called, "margin": options.margin}
    names = ("scores", "scores_b") if first.scored else ("y_pred", "pred_b")
    given |= dict(zip(names, columns, strict=False))
    return report(truth, **given), before


def _labels(options: Namespace, tables: Sequence[Table], doubtful: list[Named]) -> list[Labels]:
    """Read the true labels, which may stand in one file for all, and the predicted ones."""
    first = tables[0]
    truths = [(options.true, t.columns[t.truth]) for t in tables if t.truth is not None]
    guesses = [(name, table.columns[name]) for table in tables for name in table.values]
    if not truths:
        first.need(options.true, "--true")
    _say_missing(first, [*truths[:1], *guesses, *doubtful])
    columns = _columns.labels(first, [truths[0], *guesses, *truths[1:]])
    for other in columns[1 + len(guesses) :]:
        for row in np.flatnonzero(other != columns[0])[:1]:
            said = f"{options.true} must be the same in all files, but for the case of "
            raise ValueError(f"{said}{first.at(row)} it is not")
    return columns[: 1 + len(guesses)]


def _of_log(options: Namespace, tables: Sequence[Table]) -> list[str]:
    """Say which cases of a log do not count, and which score was taken; all have the same one."""
    if len({table.scored for table in tables}) > 1:
        raise ValueError("files must all hold scores or all labels: name the --score of each")
    first = tables[0]
    told = [f"{table.source}: {table.told}" for table in tables if table.told]
    if len(tables) == 1 and told:
        told = [first.told[0].upper() + first.told[1:]]
    before = list(map(checks.visible, told))
    if options.score or not first.scored:
        return before
    taken = {table.values[0]: table.source for table in tables}
    if len(taken) > 1:
        found = ", ".join(f"{source} has {name}" for name, source in taken.items())
        raise ValueError(f"files must have one score, but {found}; name it by --score")
    others = ", ".join(first.scores[1:])
    more = f"; model {first.model}" if first.model and len(tables) == 1 else ""
    more += f"; --score takes another: {others}" if others else ""
    said = f"The score is {first.values[0]} ({first.harness}{more})."
    return [*before, checks.visible(said)]


def _say_missing(table: Table, columns: Sequence[Named]) -> None:
    """Warn of labels, or groups, that may stand for a missing value."""
    found = {
        value: name
        for name, column in columns
        for value in dict.fromkeys(column)
        if isinstance(value, str) and value.lower() in checks.MISSING_WORDS
    }
    if found:
        said = ", ".join(f"{value} (in {name})" for value, name in found.items())
        said += "; leave such cases out if their value is missing"
        warnings.warn(f"{table.source}: taken for a value like others: {said}", stacklevel=2)


def _refuse_pool(options: Namespace, table: Table) -> None:
    """Refuse one report of several systems, each with the same cases."""
    for name in _of_systems(table):
        systems = list(dict.fromkeys(map(str, table.columns[name])))
        if len(systems) > 1 and options.group != name:
            raise ValueError(
                f"{table.source}: a report is of one system, but {name} has {len(systems)}; for "
                f"one say --where {name}={systems[0]}, for all errlab compare --model {name}; if "
                "it names no systems, rename the column"
            )


def _say_groups(options: Namespace, table: Table) -> None:
    """Warn of a column whose name and values look like groups that no option names."""
    if table.group is not None:
        return
    asked = {options.id, options.model, options.true, *table.keys, *table.values}
    key = table.keys[0] if options.model is not None else None
    for name in (n for n in table.columns if _table.groups_by_name(n) and n not in asked):
        column = table.columns[name]
        groups = len(set(column))
        if 1 < groups < len(column if key is None else set(table.columns[key])):
            said = f"{table.source}: the column {name} looks like groups ({groups} of them); if "
            warnings.warn(f"{said}cases of one are alike, say --group {name}", stacklevel=2)


def _called(tables: Sequence[Table], names: Sequence[str]) -> tuple[str, ...]:
    """Name the systems after their columns, as asked, by their models, or by their files."""
    if len(tables) == 1:
        return tables[0].values
    sources = [table.source for table in tables]
    models = [table.model for table in tables]
    for others in (models, [Path(source).stem for source in sources], sources):
        called = tuple(name or other for name, other in zip(names, others, strict=True))
        if all(called) and len(set(called)) == len(called):
            break
    return called


def gate(result: PairReport) -> tuple[int, list[str]]:
    """Return the exit code, and about how many cases like these would tell if these do not.

    A difference that is proven may be within the margin.
    """
    code = 0 if result.within_margin else _EXIT[result.verdict]
    discordant = (result.n01 or 0) + (result.n10 or 0)
    # what is to be told: the margin, or a difference as large as the one that was seen
    distance = result.margin or abs(result.difference)
    if code < 3 or not discordant or not distance:
        return code, []
    try:  # the exact number takes `errlab plan` seconds
        guess = _plan._guess(distance, discordant / result.n, _POWER, result.delta)
        size = f"About {float(f'{guess:.2g}'):.0f}"
    except ValueError:
        size = "More than two million"
    truth = "tell, if the two are equally good," if result.margin else "show such a difference"
    return code, [f"{size} cases like these would {truth} with {_POWER:.0%} power."]


def text_of(result: Claim | _plan.Plan, form: str, before: Lines = (), after: Lines = ()) -> str:
    """Write a result, and what stands before and after, as text, JSON, Markdown, LaTeX or HTML."""
    if form == "text":
        return "\n".join([*before, repr(result), *after])
    if form == "json":
        found = json.loads(result.to_json())
        found["claim"] = " ".join([*before, found["claim"], *after])
        return json.dumps(found, indent=2)
    written = _WRITTEN[form]
    if isinstance(result, _plan.Plan):  # it is one sentence
        return written(repr(result))
    if form == "html":
        around = [[f"<p>{written(line)}</p>" for line in lines] for lines in (before, after)]
        return "\n".join([*around[0], str(result._repr_html_()), *around[1]])
    first, *rest = map(written, result.sentences())
    held = list(map(written, result.conditions()))
    if form == "md":
        first = f"**{first}**"
        table, items = result.to_markdown, "\n" + "\n".join(f"- {c}" for c in held)
    else:
        table = result.to_latex
        items = "\n".join([r"\begin{itemize}", *(rf"\item {c}" for c in held), r"\end{itemize}"])
    body = [table(), table("pairs"), rest[-1]] if result._tables else [" ".join(rest)]
    lines = [*map(written, before), first, *body, f"This holds if\n{items}", *map(written, after)]
    return "\n\n".join(lines)


def draw(result: Claim, path: str) -> None:
    """Save the picture of a result."""
    if Path(path).is_dir():  # which . is, and the empty path
        raise ValueError(f"--plot must name a file, such as picture.svg, got {path or 'none'}")
    pyplot = extras.load("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    result.plot()
    try:
        pyplot.savefig(path, bbox_inches="tight")
    except ValueError as error:
        raise ValueError(f"--plot {path}: {str(error).splitlines()[0]}") from None
    except OSError as error:  # a full disk does not say which file it has no room for
        raise OSError(error.errno, error.strerror or str(error), path) from None
