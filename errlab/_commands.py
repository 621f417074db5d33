"""What the commands of the command line compute: from files to a result, and the result as text."""

from __future__ import annotations

import argparse
import html
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errlab import _columns, _extras, _files, _tables
from errlab._files import Column, Table
from errlab._statement import Statement

if TYPE_CHECKING:
    from errlab._plan import Plan

    Result = Statement | Plan

FORMATS = ("text", "json", "md", "latex", "html")
Keywords = dict[str, Any]  # of a report


def level(options: argparse.Namespace) -> float:
    """Return the probability of failure that --delta or --confidence ask for."""
    if options.confidence is None:
        return float(options.delta)
    if not 0 < options.confidence < 1:
        raise ValueError(f"--confidence must lie in (0, 1), got {options.confidence:g}")
    return round(1 - float(options.confidence), 12)


def report(options: argparse.Namespace) -> Result:
    """Report one file: one classifier, or two in two columns."""
    plain = not (options.score or options.group or options.id or options.where)
    if plain and options.true == _files.TRUE and _is_plain_csv(options.file):
        return _labels_of_one_csv(options)
    table = _table(options.file, options)
    return _of_columns(options, [table], [_named(options, table)])


def compare(options: argparse.Namespace) -> Result:
    """Compare two files or more, or two columns or more of one file."""
    if len(options.files) == 1:
        table = _table(options.files[0], options)
        return _of_columns(options, [table], [_named(options, table)])
    tables = [_table(path, options) for path in options.files]
    return _of_columns(options, tables, [None] * len(tables))


def plan(options: argparse.Namespace) -> Result:
    """Say how many test cases are needed."""
    from errlab._plan import plan as sizes

    given = {
        name: getattr(options, name)
        for name in ("error", "half_width", "difference", "disagree", "margin")
        if getattr(options, name) is not None
    }
    return sizes(
        **given, power=options.power, design_effect=options.design_effect, delta=level(options)
    )


def verdict(result: Result) -> int:
    """Return the exit code of the gate: 0 for pass, 1 for worse, 3 for cannot tell."""
    if not hasattr(result, "verdict"):
        raise ValueError("gate takes two systems, the old one and the new one")
    return {"better": 0, "not worse": 0, "worse": 1, "cannot tell": 3}[result.verdict]


def _is_plain_csv(path: str) -> bool:
    """Whether a file is one that `_columns` reads: the quickest way, with the clearest errors."""
    if path == "-":
        return True
    if path.endswith((".parquet", ".eval", ".jsonl", ".ndjson", ".json", ".tsv", ".tab")):
        return False
    with open(path, "rb") as stream:
        first = stream.readline(100_000).lstrip()
    return not first.startswith((b"{", b"[")) and not (b"\t" in first and b"," not in first)


def _labels_of_one_csv(options: argparse.Namespace) -> Statement:
    """Report a CSV file of labels, the quickest way."""
    from errlab._report import report as claim

    names, columns = _columns.read(options.file, options.pred)
    if len(columns) == 2:
        if options.margin is not None:
            raise ValueError("--margin is for two classifiers: give --pred twice")
        return claim(*columns, delta=level(options))
    called = (visible(names[1]), visible(names[2]))
    return claim(*columns, delta=level(options), names=called, margin=options.margin)


def _table(path: str, options: argparse.Namespace) -> Table:
    """Read what the options name of a file, or all of it where they name little."""
    conditions = []
    for text in options.where or ():
        name, mark, value = text.partition("=")
        if not mark:
            raise ValueError(f"--where must be COLUMN=VALUE, got {text}")
        conditions.append((name, value))
    log = path.endswith((".json", ".jsonl", ".ndjson", ".eval"))
    named = [*(options.pred or ()), *(options.score or ()), options.id, options.group]
    named += [name for name, _ in conditions]
    wanted = [name for name in named if name]
    everything = log or not (options.score or options.pred)
    if not everything:
        wanted += [options.true, *_files.IDS]
    table = _files.read(path, None if everything else wanted)
    if conditions:
        table = _files.where(table, conditions)
    _files.one_filter(table)
    return table


def _named(options: argparse.Namespace, table: Table) -> list[str] | None:
    """Return the columns of predictions or scores of one file, where they are named."""
    if options.score or options.pred or table.score:
        return None
    others = [name for name in table.columns if name not in (options.true, *_files.IDS)]
    others = [name for name in others if name not in (options.id, options.group)]
    usual = [n for n in ("y_pred",) if n in others] or [
        n for n in ("pred_a", "pred_b") if n in others
    ]
    return usual or others


def _of_columns(
    options: argparse.Namespace, tables: Sequence[Table], defaults: Sequence[list[str] | None]
) -> Statement:
    """Put the columns of one file or several together, and report or compare them."""
    from errlab._report import report as claim

    scored = bool(options.score or (not options.pred and tables[0].score))
    named = options.score if scored else options.pred
    picks: list[tuple[int, Column]] = []
    for at, table in enumerate(tables):
        names = named or ([table.score] if table.score else defaults[at] or ["y_pred"])
        if len(tables) > 1 and len(names) > 1:
            raise ValueError(
                f"--{'score' if scored else 'pred'} must name one column where there are several "
                f"files, got {len(names)}"
            )
        if len(set(names)) < len(names):
            raise ValueError(f"columns must differ, got {names[0]} twice")
        option = "--score" if scored else "--pred"
        picks += [(at, table.column(str(name), option)) for name in names]
    tables, picks = _same_cases(options, tables, picks)
    groups = _groups(options, tables[0])
    common: Keywords = {"delta": level(options)}
    if groups is not None:
        common["groups"] = groups.numbered
    called = _called(options, tables, picks)
    of_two: Keywords = {"names": called, "margin": options.margin}
    if scored:
        if len(picks) > 2:
            raise ValueError(f"scores of at most two systems can be compared, got {len(picks)}")
        columns = [_files.numbers(tables[at], column) for at, column in picks]
        common |= _range(options)
        if len(columns) == 1:
            return claim(scores=columns[0], **common, **_ids(options, tables[0], groups))
        return claim(scores=columns[0], scores_b=columns[1], **of_two, **common)
    truth = tables[0].column(options.true, "--true")
    used = [tables[at] for at, _ in picks]
    for table in tables[1:]:
        if options.true in table.columns:  # it must be the same truth
            used.append(table)
            picks = [*picks, (-1, table.columns[options.true])]
    columns = _files.labels([tables[0], *used], [truth, *(column for _, column in picks)])
    others = [c for (at, _), c in zip(picks, columns[1:], strict=True) if at == -1]
    for other in others:
        if (other != columns[0]).any():
            row = int((other != columns[0]).argmax())
            raise ValueError(
                f"{options.true} must be the same in all files, but for the case of line "
                f"{tables[0].lines[row]} of {tables[0].source} it is not"
            )
    guesses = columns[1 : len(columns) - len(others)]
    if len(guesses) == 1:
        if options.margin is not None:
            raise ValueError("--margin is for two classifiers: give --pred twice")
        return claim(columns[0], guesses[0], **common, **_ids(options, tables[0], groups))
    if len(guesses) == 2:
        return claim(columns[0], guesses[0], guesses[1], **of_two, **common)
    from errlab.compare import models

    if options.margin is not None:
        raise ValueError(f"--margin is for two classifiers, got {len(guesses)}")
    baseline = getattr(options, "baseline", None)
    return models(columns[0], dict(zip(called, guesses, strict=True)), baseline=baseline, **common)


def _same_cases(
    options: argparse.Namespace, tables: Sequence[Table], picks: list[tuple[int, Column]]
) -> tuple[list[Table], list[tuple[int, Column]]]:
    """Bring several files to the order of the first, by the identifiers of their cases."""
    if len(tables) == 1:
        return list(tables), picks
    keys = []
    for table in tables:
        name = options.id or table.id or next((n for n in _files.IDS if n in table.columns), None)
        if name is None:
            raise ValueError(
                f"{table.source} must say what each case is called: files are aligned by "
                "identifiers, never by the order of rows; name the column with --id"
            )
        key = [table.column(name, "--id")]
        if table.group is not None:  # Inspect's epochs
            key.append(table.columns["epoch"])
        keys.append(key)
    rows = _files.align(tables, keys)
    ordered = []
    for table, order in zip(tables, rows, strict=True):
        columns = {name: column.take(order) for name, column in table.columns.items()}
        parts = (table.text, table.score, table.id, table.group)
        ordered.append(Table(table.source, columns, table.lines[order], *parts))
    return ordered, [(at, column.take(rows[at])) for at, column in picks]


def _groups(options: argparse.Namespace, table: Table) -> Column | None:
    """Return the column of groups: the one named, or the samples that Inspect has repeated."""
    name = options.group or table.group
    return None if name is None else table.column(name, "--group")


def _ids(options: argparse.Namespace, table: Table, groups: Column | None) -> Keywords:
    """Return the identifiers that were named, so that a report can warn where they repeat."""
    if options.id is None or groups is not None:
        return {}
    column = table.column(options.id, "--id")
    return {"ids": column.numbered}


def _range(options: argparse.Namespace) -> Keywords:
    """Return what a report is told of its scores."""
    found: Keywords = {"higher_is_better": not options.lower_is_better}
    if options.range is not None:
        found["range"] = tuple(options.range)
    return found


def _called(
    options: argparse.Namespace, tables: Sequence[Table], picks: Sequence[tuple[int, Column]]
) -> tuple[str, ...]:
    """Name the columns, or the files that they come from."""
    if len(tables) == 1:
        return tuple(visible(column.name) for _, column in picks)
    stems = [Path(table.source).stem for table in tables]
    if len(set(stems)) < len(stems):
        stems = [table.source for table in tables]
    return tuple(visible(stem) for stem in stems)


def text_of(result: Result, form: str) -> str:
    """Write a result as text, JSON, Markdown, LaTeX or HTML."""
    if form == "text":
        return repr(result)
    if form == "json":
        return str(result.to_json())
    if not isinstance(result, Statement):  # a plan is one sentence
        ways: dict[str, Callable[[str], str]] = {
            "md": _tables.markdown_text,
            "latex": _tables.latex_text,
            "html": html.escape,
        }
        return ways[form](repr(result))
    if form == "html":
        return str(result._repr_html_())
    sentences = result.sentences()
    conditions = result.conditions()
    if form == "md":
        body = [f"**{_tables.markdown_text(sentences[0])}**"]
        body += (
            [
                result.to_markdown(),
                result.to_markdown("pairs"),
                _tables.markdown_text(sentences[-1]),
            ]
            if hasattr(result, "to_markdown")
            else [" ".join(map(_tables.markdown_text, sentences[1:]))]
        )
        held = "\n".join(f"- {_tables.markdown_text(c)}" for c in conditions)
        return "\n\n".join([*body, "This holds if", held])
    body = [_tables.latex_text(sentences[0])]
    body += (
        [result.to_latex(), result.to_latex("pairs"), _tables.latex_text(sentences[-1])]
        if hasattr(result, "to_latex")
        else [_tables.latex_text(" ".join(sentences[1:]))]
    )
    items = "\n".join(rf"\item {_tables.latex_text(c)}" for c in conditions)
    held = "\\begin{itemize}\n" + items + "\n\\end{itemize}"
    return "\n\n".join([*body, f"This holds if\n{held}"])


def draw(result: Result, path: str) -> None:
    """Save the picture of a result."""
    if not hasattr(result, "plot"):
        raise ValueError("--plot needs a result that has a picture, and a plan has none")
    _extras.load("matplotlib").use("Agg")
    figure = result.plot().figure
    try:
        figure.savefig(path, bbox_inches="tight")
    except ValueError as error:
        raise ValueError(f"--plot {path}: {str(error).splitlines()[0]}") from None


def visible(text: str) -> str:
    """Spell out what a terminal would obey, such as the codes that change its colour."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
