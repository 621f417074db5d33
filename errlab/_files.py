"""Files of results as people have them: CSV, TSV, JSON lines, Parquet, and the logs of harnesses.

A file becomes columns of texts or values. Two files are put together by the identifiers of their
cases, never by the order of their rows.
"""

from __future__ import annotations

import io
import json
import math
import sys
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from errlab import _checks, _columns, _extras
from errlab._checks import FloatArray, IntArray, Labels

IDS = ("id", "instance_id", "doc_id", "sample_id", "case_id", "question_id", "prompt_id", "task_id")
TRUE = "y_true"
_INSPECT = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}  # correct, incorrect, partial, no answer
_WORDS = {"true": 1.0, "false": 0.0}
Json = dict[str, Any]  # one object, as it was read


@dataclass(frozen=True)
class Column:
    """A column: the number of each case's value, and the different values."""

    name: str
    codes: IntArray
    values: list[object]

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def numbered(self) -> IntArray:
        """The values by numbers, 0 for the one that comes first, whatever they are called."""
        _, first, code = np.unique(self.codes, return_index=True, return_inverse=True)
        return np.asarray(np.argsort(np.argsort(first))[code], dtype=np.int64)

    def take(self, rows: NDArray[np.intp]) -> Column:
        """Return some of the cases, in that order."""
        return Column(self.name, self.codes[rows], self.values)


@dataclass(frozen=True)
class Table:
    """The columns of one file.

    Attributes
    ----------
    source : str
        The file.
    columns : dict of str to Column
        The columns that were asked for, or all of a harness's log.
    lines : ndarray of int
        The line of each case.
    text : bool
        Whether the values are texts, as in CSV, so that 1 and 1.0 may be one label.
    score, id, group : str or None
        In the log of a harness, its columns of scores, of cases, of samples.
    """

    source: str
    columns: dict[str, Column]
    lines: IntArray
    text: bool
    score: str | None = None
    id: str | None = None
    group: str | None = None

    def column(self, name: str, option: str) -> Column:
        """Return a column, or say which there are."""
        if name not in self.columns:
            found = ", ".join(self.columns)
            raise ValueError(f"{self.source} has no column {name} (see {option}); it has {found}")
        return self.columns[name]


def read(path: str, wanted: Sequence[str] | None = None) -> Table:
    """Read the wanted columns of a file, or all of them.

    Parameters
    ----------
    path : str
        The file; ``-`` is standard input.
    wanted : sequence of str, optional
        Names of columns; those that the file has not are left out, for the caller to say.

    Raises
    ------
    ValueError, OSError, ImportError
        In one line that names the file, and the remedy.
    """
    if path == "-":
        if sys.stdin is None or sys.stdin.closed:
            raise ValueError("standard input is closed")
        given = getattr(sys.stdin, "buffer", None) or io.BytesIO(sys.stdin.read().encode())
        buffered = given if isinstance(given, io.BufferedReader) else io.BufferedReader(given)
        return _parse(buffered, "standard input", wanted)
    if path.endswith(".parquet"):
        return _parquet(path, wanted)
    if path.endswith(".eval"):
        return _archive(path)
    with open(path, "rb") as stream:
        return _parse(stream, path, wanted)


def _parse(stream: io.BufferedReader, source: str, wanted: Sequence[str] | None) -> Table:
    """Tell by its beginning what a file is, and read it."""
    start = stream.peek(4096)[:4096]
    for magic, remedy in _columns.NOT_TEXT:
        if start.startswith(magic):
            raise ValueError(f"{source} {remedy}")
    text = io.TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline="")
    try:
        if start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
            return _json(text, source, wanted)
        return _csv(text, source, wanted)
    finally:
        text.detach()  # whoever opened the stream closes it


def _csv(text: io.TextIOWrapper, source: str, wanted: Sequence[str] | None) -> Table:
    """Read columns separated by commas, or by tabs where the header has no comma."""
    before = 1  # the lines up to the header, and it
    first = text.readline()
    while first and not first.strip():
        before += 1
        first = text.readline()
    delimiter = "\t" if "\t" in first and "," not in first else ","
    header = [field.strip().strip('"') for field in first.split(delimiter)]
    if not first:
        raise ValueError(f"{source} is empty")
    if '"' in first:
        header = next(_columns.rows_of([first], source, delimiter))[1]
        header = [field.strip() for field in header]
    names = [name for name in header if wanted is None or name in wanted]
    for name in names:
        if header.count(name) > 1:
            raise ValueError(
                f"{source} has {header.count(name)} columns {name}; leave one, or rename the others"
            )
    if not names:
        other = [mark for mark in (";", "|") if mark in first] if len(header) == 1 else []
        hint = "; separate its columns by commas" if other else ""
        raise ValueError(
            f"{source} has no column {' or '.join(wanted or ())}; it has {', '.join(header)}{hint}"
        )
    rows = ((line + before, row) for line, row in _columns.rows_of(text, source, delimiter))
    places = [header.index(name) for name in names]
    codes, lines, texts = _columns.codes_of(rows, source, header, places)
    columns = {
        name: Column(name, np.frombuffer(code, dtype=np.int64), list(texts))
        for name, code in zip(names, codes, strict=True)
    }
    return Table(source, columns, np.frombuffer(lines, dtype=np.int64), True)


def _json(text: io.TextIOWrapper, source: str, wanted: Sequence[str] | None) -> Table:
    """Read JSON lines, or the log of Inspect."""
    rows: list[Json] = []
    lines: list[int] = []
    whole = ""
    for number, line in enumerate(text, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            if not rows:
                whole = line + text.read()
                break
            raise ValueError(f"{source}, line {number}: no JSON ({error.msg})") from None
        if not isinstance(row, dict):
            raise ValueError(f"{source}, line {number}: one JSON object a line is needed")
        rows.append(row)
        lines.append(number)
    if whole:
        rows = [_whole(whole, source)]
    if not rows:
        raise ValueError(f"{source} has no cases")
    if len(rows) == 1 and isinstance(rows[0].get("samples"), list):
        return _inspect(rows[0], source)
    table = _flat(rows, lines, source, wanted)
    if "doc_id" in rows[0] and "filtered_resps" in rows[0]:
        return _harness(rows[0], table)
    return table


def _whole(text: str, source: str) -> Json:
    """Read a file that is one JSON object."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"{source}, line {error.lineno}: no JSON ({error.msg}); one object a line is needed, "
            "or a log of Inspect"
        ) from None
    if not isinstance(found, dict):
        raise ValueError(f"{source} must hold one JSON object a line, or a log of Inspect")
    return found


def _flat(rows: list[Json], lines: list[int], source: str, wanted: Sequence[str] | None) -> Table:
    """Make columns of the plain values; those inside another object by a dotted name."""
    flat = [dict(_leaves(row)) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    kept = [name for name in names if wanted is None or name in wanted]
    columns = {}
    for name in kept if wanted is not None else names:
        gone = next((i for i, row in enumerate(flat) if row.get(name) is None), None)
        if gone is not None:
            if wanted is None or name not in wanted:
                continue
            raise ValueError(f"{source}, line {lines[gone]}: {name} has no value")
        columns[name] = _column(name, [row[name] for row in flat])
    if not columns:
        raise ValueError(
            f"{source} has no column {' or '.join(wanted or ())}; it has {', '.join(names)}"
        )
    return Table(source, columns, np.array(lines, dtype=np.int64), False)


def _leaves(row: Mapping[str, object], head: str = "") -> Iterator[tuple[str, object]]:
    """Return the plain values of an object, those inside another by a dotted name."""
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{head}{name}.")
        elif not isinstance(value, list):
            yield f"{head}{name}", value


def _column(name: str, values: Sequence[object]) -> Column:
    """Number the values; 1, 1.0 and True stay what they are."""
    number: dict[tuple[type, object], int] = {}
    codes = [number.setdefault((type(v), v), len(number)) for v in values]
    return Column(name, np.array(codes, dtype=np.int64), [value for _, value in number])


def _harness(first: Json, table: Table) -> Table:
    """Say which columns of the samples of lm-evaluation-harness are what."""
    named = [m for m in first.get("metrics") or () if m in table.columns]
    usual = [m for m in ("exact_match", "acc", "acc_norm", "pass@1", "f1") if m in table.columns]
    score = (named or usual or [None])[0]
    return Table(table.source, table.columns, table.lines, False, score, "doc_id")


def one_filter(table: Table) -> None:
    """Refuse samples of lm-evaluation-harness that hold each case once for every filter."""
    if table.id != "doc_id" or "filter" not in table.columns:
        return
    column = table.columns["filter"]
    found = [str(column.values[code]) for code in np.unique(column.codes)]
    if len(found) > 1:
        raise ValueError(
            f"{table.source} has the answers of {len(found)} filters ({', '.join(found)}); keep "
            f"one, as in --where filter={found[0]}"
        )


def _inspect(log: Json, source: str) -> Table:
    """Make columns of the samples in a log of Inspect: id, epoch, and a column for each scorer."""
    samples = log["samples"]
    if not samples:
        raise ValueError(f"{source} has no samples; was the run logged without them?")
    values: dict[str, list[object]] = {"id": [], "epoch": []}
    names = list(samples[0].get("scores") or {})
    if not names:
        raise ValueError(f"{source} has no scores in its samples")
    values |= {name: [] for name in names}
    for number, sample in enumerate(samples, 1):
        values["id"].append(str(sample.get("id", number)))
        values["epoch"].append(sample.get("epoch", 1))
        for name in names:
            score = (sample.get("scores") or {}).get(name)
            value = score.get("value") if isinstance(score, dict) else score
            if value is None or isinstance(value, (dict, list)):
                raise ValueError(f"{source}, sample {values['id'][-1]}: {name} has no single score")
            values[name].append(_INSPECT.get(value, value) if isinstance(value, str) else value)
    columns = {name: _column(name, column) for name, column in values.items()}
    lines = np.arange(1, len(samples) + 1)
    repeated = len(columns["epoch"].values) > 1
    return Table(source, columns, lines, False, names[0], "id", "id" if repeated else None)


def _archive(path: str) -> Table:
    """Read the archive of Inspect: one JSON file for each sample, in the order of its JSON log."""
    samples = []
    try:
        with zipfile.ZipFile(path) as archive:
            for name in dict.fromkeys(archive.namelist()):
                if name.startswith("samples/") and name.endswith(".json"):
                    sample = json.loads(archive.read(name))
                    samples.append({part: sample.get(part) for part in ("id", "epoch", "scores")})
    except (zipfile.BadZipFile, zlib.error, ValueError, RuntimeError, AttributeError) as error:
        raise ValueError(f"{path} cannot be read as a log of Inspect: {str(error)[:100]}") from None
    samples.sort(key=lambda sample: (sample["epoch"], str(sample["id"]).zfill(20)))
    return _inspect({"samples": samples}, path)


def _parquet(path: str, wanted: Sequence[str] | None) -> Table:
    """Read columns of a Parquet file; it needs pyarrow."""
    with open(path, "rb"):  # says what is wrong with the path
        pass
    library = _extras.load("pyarrow.parquet")
    try:
        file = library.ParquetFile(path)
    except Exception as error:
        raise ValueError(f"{path} cannot be read as Parquet: {str(error)[:100]}") from None
    header = list(file.schema_arrow.names)
    names = [name for name in header if wanted is None or name in wanted]
    if not names:
        raise ValueError(
            f"{path} has no column {' or '.join(wanted or ())}; it has {', '.join(header)}"
        )
    table = file.read(columns=names)
    columns = {}
    for name in names:
        if table[name].null_count:
            raise ValueError(f"{path}: {name} has {table[name].null_count} empty values")
        coded = table[name].combine_chunks().dictionary_encode()
        codes = coded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        columns[name] = Column(name, codes, coded.dictionary.to_pylist())
    return Table(path, columns, np.arange(1, table.num_rows + 1), False)


def where(table: Table, conditions: Sequence[tuple[str, str]]) -> Table:
    """Keep the cases whose columns have these values, written as texts."""
    kept = np.ones(len(table.lines), dtype=bool)
    for name, text in conditions:
        column = table.column(name, "--where")
        same = np.array([str(value) == text for value in column.values], dtype=bool)
        kept &= same[column.codes]
    if not kept.any():
        said = " and ".join(f"{name}={text}" for name, text in conditions)
        raise ValueError(f"{table.source} has no case with {said}")
    rows = np.flatnonzero(kept)
    columns = {name: column.take(rows) for name, column in table.columns.items()}
    parts = (table.text, table.score, table.id, table.group)
    return Table(table.source, columns, table.lines[rows], *parts)


def numbers(table: Table, column: Column) -> FloatArray:
    """Read a column as numbers; true and false are 1 and 0."""
    found = np.array([_number(value) for value in column.values])
    bad = np.flatnonzero(np.isnan(found[column.codes]))
    if bad.size:
        value = column.values[column.codes[bad[0]]]
        raise ValueError(
            f"{table.source}, line {table.lines[bad[0]]}: {column.name} must be a number, or true "
            f"or false, got {_checks.show(value)}"
        )
    return np.asarray(found[column.codes])


def _number(value: object) -> float:
    """Return a number, or NaN for what is none."""
    if isinstance(value, str) and value.lower() in _WORDS:
        return _WORDS[value.lower()]
    try:
        number = float(cast(str, value))  # or whatever it is
    except (TypeError, ValueError):
        return math.nan
    return number if math.isfinite(number) else math.nan


def labels(tables: Sequence[Table], columns: Sequence[Column]) -> list[Labels]:
    """Read columns of the same cases as labels; the truth is the first of them.

    From texts they are read as the columns of one CSV are: numbers where all of them are.
    """
    if not all(table.text for table in tables):
        lists = [[column.values[code] for code in column.codes] for column in columns]
        return [_checks.labels(values, c.name) for values, c in zip(lists, columns, strict=True)]
    number: dict[str, int] = {}
    coded = []
    for column in columns:
        joint = np.array([number.setdefault(str(v), len(number)) for v in column.values])
        coded.append(joint[column.codes])
    used = np.unique(np.concatenate(coded))
    texts = list(number)
    again = np.zeros(len(texts), dtype=np.int64)
    again[used] = np.arange(len(used))
    names = [column.name for column in columns]
    kept = [texts[i] for i in used]
    codes = [again[code] for code in coded]
    return _columns.labels_of(codes, kept, names, tables[0].lines, tables[0].source)


def align(tables: Sequence[Table], keys: Sequence[Sequence[Column]]) -> list[NDArray[np.intp]]:
    """Find the rows of each file, so that they are of the same cases in the order of the first.

    Raises
    ------
    ValueError
        If an identifier comes twice in a file, or is in one file only.
    """
    found: list[dict[tuple[str, ...], int]] = []
    for table, columns in zip(tables, keys, strict=True):
        names = [[str(v) for v in column.values] for column in columns]
        cases = zip(
            *([values[c] for c in col.codes] for values, col in zip(names, columns, strict=True)),
            strict=True,
        )
        rows: dict[tuple[str, ...], int] = {}
        for row, case in enumerate(cases):
            if case in rows:
                called = ", ".join(case)
                raise ValueError(
                    f"{table.source}, line {table.lines[row]}: {columns[0].name} {called} comes "
                    "twice; files are aligned by it"
                )
            rows[case] = row
        found.append(rows)
    first = found[0]
    for table, rows in zip(tables[1:], found[1:], strict=True):
        for one, other, has, lacks in (
            (first, rows, tables[0].source, table.source),
            (rows, first, table.source, tables[0].source),
        ):
            missing = [case for case in one if case not in other]
            if missing:
                raise ValueError(
                    f"{lacks} lacks {len(missing)} of the {len(one)} cases of {has}, such as "
                    f"{', '.join(missing[0])}; both must hold the same cases"
                )
    return [np.array([rows[case] for case in first], dtype=np.intp) for rows in found]
