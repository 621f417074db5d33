"""Files of results as people have them: CSV, TSV, JSON lines, Parquet, and the logs of harnesses.

A file becomes columns of texts or values. Two files are put together by the identifiers of their
cases, never by the order of their rows.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from errlab._core import checks, extras
from errlab._core.checks import FloatArray, IntArray, Labels
from errlab.cli import columns as _columns

IDS = ("id", "instance_id", "doc_id", "sample_id", "case_id", "question_id", "prompt_id", "task_id")
_USUAL = ("exact_match", "acc", "acc_norm", "pass@1", "f1")  # of logs that name no metrics
_INSPECT = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}  # correct, incorrect, partial, no answer
_WORDS = {"true": 1.0, "false": 0.0}
_LARGEST = 100  # MB that a sample may take when it is unpacked
_NAMED = 20  # columns that a message names
Row = dict[str, Any]  # an object of JSON, by the dotted names of its values


@dataclass(frozen=True)
class Layout:
    """What is known of a file before its cases are read.

    Attributes
    ----------
    source : str
        The file.
    names : sequence of str
        All its columns.
    scores, keys : tuple of str
        In the log of a harness: its columns of scores, and those that together name a case.
    group : str or None
        In such a log the column of samples that were answered several times.
    harness : str
        Who wrote it, and what it calls a score.
    unit : str
        What the cases are counted in.
    """

    source: str
    names: Sequence[str]
    scores: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    group: str | None = None
    harness: str = ""
    unit: str = "line"

    def need(self, name: str, option: str, hint: str = "") -> str:
        """Return the name of a column, or say which there are."""
        if name in self.names:
            return name
        more = len(self.names) - _NAMED
        found = ", ".join(self.names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
        if len(self.names) == 1 and "|" in found:
            hint = "; separate its columns by commas"
        raise ValueError(f"{self.source} has no column {name} (see {option}); it has {found}{hint}")

    def once(self, names: Iterable[str]) -> list[str]:
        """Return each of the names once, and check that the file has each once."""
        for name in names:
            times = list(self.names).count(name)
            if times > 1:
                raise ValueError(
                    f"{self.source} has {times} columns {name}; leave one, or rename the others"
                )
        return list(dict.fromkeys(names))


Choose = Callable[[Layout], Sequence[str]]  # the columns of a file that are read


@dataclass(frozen=True)
class Column:
    """A column: the number of each case's value, and the different values."""

    name: str
    codes: IntArray
    values: Sequence[object]

    @property
    def texts(self) -> list[str]:
        """The value of each case, as a text."""
        values = [str(value) for value in self.values]
        return [values[code] for code in self.codes]


@dataclass(frozen=True)
class Table:
    """The columns of one file that were asked for, and the line of each case."""

    layout: Layout
    columns: dict[str, Column]
    lines: IntArray

    def at(self, row: int) -> str:
        """Say where a case stands."""
        return f"{self.layout.source}, {self.layout.unit} {self.lines[row]}"

    def take(self, rows: NDArray[np.intp]) -> Table:
        """Return some of the cases, in that order."""
        columns = {n: replace(c, codes=c.codes[rows]) for n, c in self.columns.items()}
        return replace(self, columns=columns, lines=self.lines[rows])


def read(path: str, choose: Choose) -> Table:
    """Read columns of a file, which is opened once.

    Parameters
    ----------
    path : str
        The file; ``-`` is standard input.
    choose : callable
        Given the layout of the file it returns the names of the columns, or complains.

    Raises
    ------
    ValueError, OSError, ImportError
        In one line that names the file, and the remedy.
    """
    if path == "-":
        if sys.stdin is None or sys.stdin.closed:
            raise ValueError("standard input is closed")
        given = getattr(sys.stdin, "buffer", None) or io.BytesIO(sys.stdin.read().encode())
        return parse(given, "standard input", choose)
    with open(path, "rb") as stream:
        return parse(stream, path, choose)


def each_once(paths: Sequence[str]) -> None:
    """Refuse a file that is named twice, by whatever name, and names that no file can have."""
    found = set()
    for path in paths:
        if "\0" in path:
            raise ValueError(f"{path}: no file has a NUL character in its name")
        real = os.path.realpath(path)
        if real in found:
            raise ValueError(f"{path} is named twice; name each file once")
        found.add(real)


def parse(stream: IO[bytes], source: str, choose: Choose) -> Table:
    """Tell by its beginning, or by its name, what a file is, and read it."""
    if not stream.seekable():  # a pipe is read once, but ZIP and Parquet begin at their end
        stream = io.BytesIO(stream.read())
    here = stream.tell()
    start = stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    stream.seek(here)
    ending = Path(source).suffix.lower()
    # the beginning tells, else the ending of the name; the last entry takes anything
    found = next(way for begin, end, way in FORMATS if start.startswith(begin) or ending == end)
    if isinstance(found, str):
        raise ValueError(f"{source} {found}")
    return found(stream, source, choose)


def delimited(stream: IO[bytes], source: str, choose: Choose) -> Table:
    """Read columns separated by commas or, where the header has none, by tabs or semicolons."""
    here = stream.tell()
    header = (stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip().splitlines() or [b""])[0]
    stream.seek(here)
    mark = next((m for m in (b",", b"\t", b";") if m in header), b",")
    return separated(stream, source, choose, mark.decode())


def separated(stream: IO[bytes], source: str, choose: Choose, mark: str) -> Table:
    """Read columns with a mark between them."""
    text = io.TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline="")
    try:
        rows = _columns.rows_of(text, source, mark)
        header = [field.strip() for field in next(rows, (0, []))[1]]
        if not header:
            raise ValueError(f"{source} is empty")
        layout = Layout(source, header)
        names = layout.once(choose(layout))
        places = [header.index(name) for name in names]
        columns, lines = _columns.codes_of(rows, source, header, places)
    finally:
        text.detach()  # whoever opened the stream closes it
    found = zip(names, columns, strict=True)
    return Table(layout, {name: Column(name, *column) for name, column in found}, lines)


def _json(stream: IO[bytes], source: str, choose: Choose) -> Table:
    """Read JSON lines, samples of lm-evaluation-harness among them, or the log of Inspect."""
    text = io.TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape")
    lines = list(enumerate(_columns.clean(text, source), 1))
    text.detach()  # whoever opened the stream closes it
    first = next(i for i, (_, line) in enumerate(lines) if line.strip())
    try:
        json.loads(lines[first][1])
    except (ValueError, RecursionError):  # no line for each case, but one object over many lines
        lines = [(1, "".join(line for _, line in lines))]
    rows: list[Row] = []
    places: list[int] = []
    for number, line in lines:
        if not line.strip():
            continue
        try:
            found = json.loads(line.rstrip())
        except (ValueError, RecursionError) as error:
            deep = isinstance(error, RecursionError)
            why = getattr(error, "msg", "nested too deeply" if deep else "too many digits")
            at = number + getattr(error, "lineno", 1) - 1
            raise ValueError(f"{source}, line {at}: no JSON ({why})") from None
        if not isinstance(found, dict):
            raise ValueError(f"{source}, line {number}: one JSON object a line is needed")
        if isinstance(found.get("samples"), list) and len(lines) - first == 1:
            return _inspect(found["samples"], source, choose)
        rows.append(_leaves(found))
        places.append(number)
    layout = Layout(source, list(dict.fromkeys(name for row in rows for name in row)))
    if "doc_id" in rows[0] and "filtered_resps" in rows[0]:
        named = rows[0].get("metrics")
        scores = [str(name) for name in named] if isinstance(named, list) else []
        scores = scores or [name for name in _USUAL if name in layout.names]
        harness = "metric of lm-evaluation-harness"
        layout = replace(layout, scores=tuple(scores), keys=("doc_id",), harness=harness)
    return _of_rows(rows, places, layout, choose)


def _leaves(found: Row) -> Row:
    """Return the values of an object, those inside another by a dotted name."""
    row = {}
    parts = [("", found)]
    while parts:
        head, part = parts.pop()
        for name, value in part.items():
            if isinstance(value, dict):
                parts.append((f"{head}{name}.", value))
            else:
                row[f"{head}{name}"] = value
    return row


def _of_rows(rows: list[Row], places: list[int], layout: Layout, choose: Choose) -> Table:
    """Make columns of objects; 1, 1.0 and True stay what they are."""
    table = Table(layout, {}, np.array(places, dtype=np.int64))
    for name in layout.once(choose(layout)):
        number: dict[tuple[type, object], int] = {}
        codes = np.empty(len(rows), dtype=np.int64)
        for i, row in enumerate(rows):
            value = row.get(name)
            if value is None or isinstance(value, list):
                kind = "no value" if value is None else "a list, where one value is needed"
                raise ValueError(f"{table.at(i)}: {name} has {kind}")
            codes[i] = number.setdefault((type(value), value), len(number))
        table.columns[name] = Column(name, codes, [value for _, value in number])
    return table


def _inspect(samples: Iterable[object], source: str, choose: Choose) -> Table:
    """Read the samples of Inspect, sorted by epoch and id: a column for each scorer."""
    rows: list[Row] = []
    for number, sample in enumerate(samples, 1):
        place = f"{source}, sample {number}"
        if not isinstance(sample, dict):
            raise ValueError(f"{place}: an object is needed, got {checks.show(sample)}")
        epoch = sample.get("epoch", 1)
        scores = sample.get("scores")
        if type(epoch) is not int:
            raise ValueError(f"{place}: epoch must be a whole number, got {checks.show(epoch)}")
        if not (isinstance(scores, dict) and scores):
            raise ValueError(f"{place}: there are no scores, got {checks.show(scores)}")
        values = {n: s.get("value") if isinstance(s, dict) else s for n, s in scores.items()}
        row = {"id": str(sample.get("id", number)), "epoch": epoch}
        for name, value in _leaves(values).items():
            row[name] = _INSPECT.get(value, value) if isinstance(value, str) else value
        rows.append(row)
    if not rows:
        raise ValueError(f"{source} has no samples; was the run logged without them?")
    # in the order of ids as numbers, where they are some: an archive is in that of completion
    rows.sort(key=lambda row: (row["epoch"], row["id"].zfill(20)))
    names = list(dict.fromkeys(name for row in rows for name in row))
    # several epochs are several answers to one sample: it is the group
    group = "id" if rows[-1]["epoch"] > rows[0]["epoch"] else None
    layout = Layout(
        source, names, tuple(names[2:]), ("id", "epoch"), group, "scorer of Inspect", "sample"
    )
    return _of_rows(rows, list(range(1, len(rows) + 1)), layout, choose)


@contextlib.contextmanager
def _foreign(source: str, kind: str) -> Iterator[None]:
    """Say in one line whatever another library raises at a damaged file."""
    try:
        yield
    except Exception as error:
        raise ValueError(f"{source} cannot be read as {kind}: {str(error)[:100]}") from None


def _archive(stream: IO[bytes], source: str, choose: Choose) -> Table:
    """Read the archive of Inspect."""
    return _inspect(_members(stream, source), source, choose)


def _members(stream: IO[bytes], source: str) -> Iterator[object]:
    """Unpack the samples of an archive, one after the other."""
    with (
        _foreign(source, "a log of Inspect (if it is a ZIP or Excel file, save the table as CSV)"),
        zipfile.ZipFile(stream) as archive,
    ):
        names = [n for n in dict.fromkeys(archive.namelist()) if n.startswith("samples/")]
        if not names:
            raise ValueError("it has no samples; was the run logged without them?")
        for name in names:
            size = archive.getinfo(name).file_size  # no more than that is unpacked
            if size > _LARGEST * 10**6:
                raise ValueError(f"{name} has {size / 1e6:.0f} MB, above the limit of {_LARGEST}")
            yield json.loads(archive.read(name))


def _parquet(stream: IO[bytes], source: str, choose: Choose) -> Table:
    """Read columns of a Parquet file; it needs pyarrow."""
    library = extras.load("pyarrow.parquet")
    with _foreign(source, "Parquet"):
        file = library.ParquetFile(stream)
        schema = file.schema_arrow
    layout = Layout(source, list(schema.names), unit="row")
    names = layout.once(choose(layout))
    for name in names:
        kind = schema.field(name).type
        if kind.num_fields:
            raise ValueError(f"{source}: {name} holds {kind}, where single values are needed")
    with _foreign(source, "Parquet"):
        found = file.read(columns=names)
        coded = [found[name].combine_chunks().dictionary_encode() for name in names]
    columns = {}
    for name, column in zip(names, coded, strict=True):
        if column.null_count:
            raise ValueError(f"{source}: {name} has {column.null_count} empty values")
        codes = column.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        columns[name] = Column(name, codes, column.dictionary.to_pylist())
    return Table(layout, columns, np.arange(1, found.num_rows + 1))


Way = Callable[[IO[bytes], str, Choose], Table]
# How a file begins, what its name ends in, and what reads it, or what to do about it.
_PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")  # gzip, bzip2, xz, zstd
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")  # UTF-16 and UTF-32
FORMATS: tuple[tuple[bytes | tuple[bytes, ...], str | None, Way | str], ...] = (
    (b"PAR1", ".parquet", _parquet),
    (b"PK\x03\x04", ".eval", _archive),
    (_PACKED, None, "is compressed; unpack it first, as in: gzip -dc FILE | errlab report -"),
    (_WIDE, None, "is in UTF-16 or UTF-32; convert it, as in: iconv -f UTF-16 -t UTF-8 FILE"),
    ((b"{", b"["), None, _json),
    (b"", None, delimited),
)


def predictions(names: Sequence[str], truth: str = "y_true") -> list[str]:
    """Find the columns of predictions where the user has not named them."""
    for usual in (["y_pred"], ["pred_a", "pred_b"], ["y_pred_a", "y_pred_b"]):
        if set(usual) <= set(names):
            return usual
    others = [name for name in names if name not in (truth, *IDS)]
    return others if len(others) == 2 and truth in names else ["y_pred"]


def where(table: Table, conditions: Sequence[tuple[str, str]]) -> Table:
    """Keep the cases whose columns have these values, written as texts."""
    kept = np.ones(len(table.lines), dtype=bool)
    for name, text in conditions:
        column = table.columns[name]
        same = np.array([str(value) == text for value in column.values], dtype=bool)
        kept &= same[column.codes]
    if not kept.any():
        said = " and ".join(f"{name}={text}" for name, text in conditions)
        raise ValueError(f"{table.layout.source} has no case with {said}")
    return table.take(np.flatnonzero(kept))


def numbers(table: Table, name: str) -> FloatArray:
    """Read a column as numbers; true and false are 1 and 0."""
    column = table.columns[name]
    found = np.array([_number(value) for value in column.values])[column.codes]
    for row in np.flatnonzero(np.isnan(found))[:1]:
        value = checks.show(column.values[column.codes[row]])
        raise ValueError(f"{table.at(row)}: {name} must be a number, or true or false, got {value}")
    return np.asarray(found)


def _number(value: object) -> float:
    """Return a number, or NaN for what is none."""
    if isinstance(value, str) and value.lower() in _WORDS:
        return _WORDS[value.lower()]
    try:
        number = float(cast(str, value))  # or whatever it is
    except (TypeError, ValueError, OverflowError):
        return math.nan
    return number if math.isfinite(number) else math.nan


def labels(table: Table, columns: Sequence[Column]) -> list[Labels]:
    """Read columns of the cases of a table as labels; the truth is the first of them.

    Where all of them are texts, those are numbers if all of them are.
    """
    names = [column.name for column in columns]
    if all(isinstance(value, str) for column in columns for value in column.values):
        texts = [(column.codes, cast(Sequence[str], column.values)) for column in columns]
        return _columns.labels_of(texts, names, table.lines, table.layout.source)
    lists = [[column.values[code] for code in column.codes] for column in columns]
    try:
        found = [checks.labels(values, n) for values, n in zip(lists, names, strict=True)]
        for other, name in zip(found[1:], names[1:], strict=True):
            checks.one_kind(found[0], other, names[0], name)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{table.layout.source}: {error}") from None
    return found


def by_case(table: Table, keys: Sequence[str]) -> dict[tuple[str, ...], int]:
    """Return the row of each case by its identifiers, or refuse one that comes twice."""
    rows: dict[tuple[str, ...], int] = {}
    for row, case in enumerate(zip(*(table.columns[key].texts for key in keys), strict=True)):
        if case in rows:
            named = ", ".join(f"{k} {value}" for k, value in zip(keys, case, strict=True))
            raise ValueError(f"{table.at(row)}: {named} comes twice; each case counts once")
        rows[case] = row
    return rows


def align(tables: Sequence[Table], keys: Sequence[Sequence[str]]) -> list[Table]:
    """Bring files to the order of the first, and refuse a case that is not in all of them."""
    found = [by_case(table, key) for table, key in zip(tables, keys, strict=True)]
    sources = [table.layout.source for table in tables]
    for source, rows in zip(sources[1:], found[1:], strict=True):
        for one, other, has, lacks in (
            (found[0], rows, sources[0], source),
            (rows, found[0], source, sources[0]),
        ):
            missing = [case for case in one if case not in other]
            if missing:
                raise ValueError(
                    f"{lacks} lacks {len(missing)} of the {len(one)} cases of {has}, such as "
                    f"{', '.join(missing[0])}; both must hold the same cases"
                )
    # row numbers of each file, in the order of the first one's cases
    orders = [np.array([rows[case] for case in found[0]], dtype=np.intp) for rows in found]
    return [table.take(order) for table, order in zip(tables, orders, strict=True)]
