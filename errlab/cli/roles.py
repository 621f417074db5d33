"""What the columns of a file are for, and which cases count: settled once, from the options."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace

from errlab.cli import files
from errlab.cli.table import Table

IDS = ("id", "instance_id", "doc_id", "sample_id", "case_id", "question_id", "prompt_id", "task_id")
# What columns are called, with or without _id, that say which cases belong together.
GROUPS = frozenset(
    {
        "author", "batch", "center", "clinic", "cluster", "conversation", "customer", "device",
        "document", "family", "group", "hospital", "household", "participant", "patient", "person",
        "prompt", "repo", "repository", "scanner", "scene", "session", "site", "source", "speaker",
        "subject", "template", "user", "video",
    }
)  # fmt: skip
TRUTH = "y_true"  # what the true labels are called, unless the user says otherwise
_PREDICTIONS = (("y_pred",), ("pred_a", "pred_b"), ("y_pred_a", "y_pred_b"), ("predicted",))
_LONG = ("model", "system", "classifier")  # columns of a table with one row a system and case


def read(options: Namespace, path: str) -> Table:
    """Read what the options name of a file."""
    table = settled(options, files.opened(path))
    if table.log.planned:
        table = table.with_planned()
    if table.where:
        table = table.selected()
    if table.log.scores and "filter" in table.names:
        filters = list(dict.fromkeys(str(row["filter"]) for _, row in table.cases))
        if len(filters) > 1:
            number = f"the answers of {len(filters)} filters ({', '.join(filters)})"
            raise ValueError(f"{path} has {number}; keep one, as in --where filter={filters[0]}")
    return complete(options, table).checked()


def complete(options: Namespace, table: Table) -> Table:
    """Deal with cases that have no value, and with a run that broke off, as --missing says."""
    absent = table.unanswered()
    stopped = table.log.stopped
    if not any(absent) and not stopped:
        return table
    scored = table.scored
    kind = "score" if scored else "prediction"
    state = f"{absent.count(False)} of {len(absent)} {table.unit}s have a {kind}"
    if stopped:
        state = f"{stopped}; {state}"
    worst = (options.range or (0, 1))[options.lower_is_better]
    if options.missing is None:
        remedy = "--missing drop leaves the others out"
        if scored:
            remedy += f", --missing wrong counts them as {worst:g}"
        if stopped:
            doubt = "those that end first are seldom like the rest"
            raise ValueError(f"{table.source}: {state}, and {doubt}; {remedy}")
        number = absent.index(True)
        _, row = table.cases[number]
        lacking = next(name for name in table.values if row[name] is None)
        raise ValueError(f"{table.at(number)}: {lacking} has no value; {state}; {remedy}")
    if options.missing == "drop":
        cases = [case for case, gone in zip(table.cases, absent, strict=True) if not gone]
        if not cases:
            raise ValueError(f"{table.source}: no case has a {kind}")
        return replace(table, cases=cases, note=f"{state}; the others are left out.")
    if not scored:
        raise ValueError("--missing wrong is for scores; for labels take --missing drop")
    if stopped and not table.log.planned:
        raise ValueError(f"{table.source}: {state}, and which others were to be run is not known")
    counted = []
    for line, row in table.cases:
        failed = {name: worst for name in table.values if row[name] is None}
        counted.append((line, row | failed))
    return replace(table, cases=counted, note=f"{state}; the others count as {worst:g}.")


def settled(options: Namespace, table: Table) -> Table:
    """Return a table with the roles of its columns, and those read; or say which it has not."""
    names = table.names
    options = Namespace(**{**vars(options), "true": true_labels(names, options.true)})
    several = len(options.files) > 1
    # a log of a harness holds scores, unless predictions are asked for
    scored = bool(options.score or (table.log.scores and not options.pred))
    where = []
    for text in options.where or ():
        name, mark, value = text.partition("=")
        if not mark:
            raise ValueError(f"--where must be COLUMN=VALUE, got {name}")
        where.append((name, value))
    # columns that may hold what a system answered
    apart = {options.true, options.id, options.group, options.model, *IDS, *dict(where)}
    free = [name for name in names if name not in apart]
    values = _values(options, table, free, scored)
    truth = options.true
    # one of several files may hold the truth for all
    if scored or (several and truth not in names and set(values) <= set(names)):
        truth = None
    keys = table.log.keys
    if options.id:
        keys = (options.id,)
        # the log does not name the cases so
        table = replace(table, log=replace(table.log, planned=()))
    elif several and not keys:
        keys = tuple(name for name in names if name in IDS)[:1]
    group = options.group or table.log.group
    table = replace(
        table,
        values=values,
        scored=scored,
        truth=truth,
        keys=keys,
        group=group,
        model=options.model,
        where=where,
    )
    _require_columns(options, table, free)
    fault = _fault(options, table)
    if fault:
        raise ValueError(fault)
    # columns that no claim is about, and that may show that it would be wrong
    others = [name for name in names if groups_by_name(name)]
    if options.command == "report":
        others += of_systems(table)
    if table.log.scores and "filter" in names:
        others.append("filter")
    return table.read([*table.wanted, *others])


def _values(options: Namespace, table: Table, free: Sequence[str], scored: bool) -> Sequence[str]:
    """Return the columns of what the systems answered: as named, or as they are usually called."""
    named: list[str] | None = options.score if scored else options.pred
    if named:
        return named
    if scored:
        return table.log.scores[:1]
    if options.command != "report" and len(options.files) == 1:
        usual = [name for name in free if name.startswith(("pred", "y_pred"))]
        if len(usual) > 1:
            return usual
        if free:
            return free
    return predictions(table.names, options.true)


def _require_columns(options: Namespace, table: Table, free: Sequence[str]) -> None:
    """Refuse a file that lacks a column, with what may help."""
    option = "--score" if table.scored else "--pred"
    named = options.score or options.pred
    example = free[0] if len(free) == 1 else "COLUMN"
    hint = f"for scores, or 0 and 1, say --score {named[0] if named else example}"
    needed = [(table.truth, "--true", f"; {_as_long(options, table, example) or hint}")]
    hint = "" if named else f"; name predictions, as in {option} {example}"
    needed += [(name, option, hint) for name in table.values]
    needed += [(name, "--id", "") for name in table.keys]
    needed += [(table.group, "--group", ""), (table.model, "--model", "")]
    needed += [(name, "--where", "") for name, _ in table.where]
    for column, wanted_by, hint in needed:
        if column is not None and column not in table.names:
            table.need(column, wanted_by, hint)


def of_systems(table: Table) -> list[str]:
    """Return the columns that name systems, if any: the table is a long one then."""
    return [name for name in table.names if name.lower() in _LONG]


def _as_long(options: Namespace, table: Table, score: str) -> str:
    """Say which call compares the systems of a long table, if this is one."""
    systems = of_systems(table)
    if options.command == "report" or len(options.files) > 1 or not systems:
        return ""
    call = f"compare --model {systems[0]} --case {options.id or 'COLUMN'} --score {score}"
    return f"a long table of systems takes {call}"


def _fault(options: Namespace, table: Table) -> str:
    """Say which columns cannot be meant, or are too few or too many for the command."""
    values = table.values
    files = len(options.files)
    systems = max(files, len(values))
    option = "--score" if table.scored else "--pred"
    if options.true in values and not table.scored:
        return f"--pred must name a column of predictions, got {options.true}"
    if len(set(values)) < len(values):
        return f"columns must differ, got {values[0]} twice"
    if files > 1 and len(values) > 1:
        return f"{option} must name one column where there are several files, got {len(values)}"
    if table.model is not None:
        if systems > 1 or not table.scored or not options.id:
            return "--model is for one long table, with one --score, and its cases named by --case"
        if options.margin is not None:
            return "--margin is for two systems, each in a column or a file of its own"
        return ""
    if systems > 2 and options.command != "compare":
        limit = f"errlab {options.command} can be of one or two systems"
        return f"{limit}, got {systems}; for more take compare"
    if systems == 1 and options.command != "report":
        remedy = _as_long(options, table, values[0])
        remedy = remedy or f"name two columns or more by {option}, or give a file for each"
        lack = f"{options.command} needs two systems, but {table.source} has one, {values[0]}"
        return f"{lack}; {remedy}"
    if systems != 2 and options.margin is not None:
        return f"--margin is for two systems, got {systems}; for two columns give {option} twice"
    if systems < 3 and options.baseline is not None:
        return f"--baseline is for three systems or more, got {systems}"
    if not table.scored and (options.range or options.lower_is_better):
        return "--range and --lower-is-better are for scores: name them by --score"
    if files > 1 and not table.keys:
        lack = f"{table.source} must say what each case is called: files are aligned by identifiers"
        return f"{lack}, never by the order of rows; name the column with --id"
    return ""


def groups_by_name(name: str) -> bool:
    """Whether a column is called as groups are; what usually names the cases does not count."""
    return name.lower().removesuffix("_id") in GROUPS and name not in IDS


def true_labels(names: Sequence[str], wanted: str = TRUTH) -> str:
    """Find the column of true labels: the one that is named, or what is usual in any case."""
    if wanted != TRUTH:
        return wanted
    return _in_any_case(names, TRUTH) or _in_any_case(names, "actual") or TRUTH


def _in_any_case(names: Sequence[str], wanted: str) -> str | None:
    """Return the column of this name, or the only one that differs from it in capitals alone."""
    if wanted in names:
        return wanted
    alike = [name for name in names if name.lower() == wanted]
    return alike[0] if len(alike) == 1 else None


def predictions(names: Sequence[str], truth: str = TRUTH) -> list[str]:
    """Find the columns of predictions where the user has not named them."""
    for usual in _PREDICTIONS:
        found = [_in_any_case(names, name) for name in usual]
        if None not in found:
            return [name for name in found if name is not None]
    others = [name for name in names if name not in (truth, *IDS)]
    if len(others) == 2 and truth in names:
        return others
    return ["y_pred"]
