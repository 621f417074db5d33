"""Files of results as people have them: CSV, TSV, JSON lines, Parquet, and the logs of harnesses.

Each becomes columns of texts or values. Two files are put together by the identifiers of their
cases, never by the order of their rows.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from errlab._core import checks, extras

IDS = ("id", "instance_id", "doc_id", "sample_id", "case_id", "question_id", "prompt_id", "task_id")
_USUAL = ("exact_match", "acc", "acc_norm", "pass@1", "f1")  # of logs that name no metrics
_INSPECT = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}  # correct, incorrect, partial, no answer
_LARGEST = 100  # MB that a sample may take when it is unpacked
_NAMED = 20  # columns that a message names
_MARK = b"\xef\xbb\xbf"  # of UTF-8, before the first line
_UNDECODED = re.compile("[\udc80-\udcff]")  # bytes that are no UTF-8, as surrogateescape keeps them
Row = dict[str, Any]  # an object of JSON, by the dotted names of its values
Column = NDArray[np.object_]  # a text or a value for each case


@dataclass(frozen=True)
class Table:
    """One file: what its columns are called and are for, and those that were read.

    Attributes
    ----------
    source : str
        The file.
    names : sequence of str
        All its columns.
    fetch : callable
        Given names, returns the values of these columns, and the line of each case.
    scores : tuple of str
        In the log of a harness: its columns of scores.
    harness : str
        Who wrote it, and what it calls a score.
    unit : str
        What the cases are counted in.
    keys : tuple of str
        The columns that together name a case.
    group : str or None
        The column of what cases come in groups of.
    values, scored : tuple of str and bool
        The columns of what the systems said, and whether those are scores.
    truth : str or None
        The column of true labels.
    columns, lines : dict of ndarray, and ndarray of int
        The columns that were read, and the line of each case.
    """

    source: str
    names: Sequence[str]
    fetch: Callable[[Sequence[str]], tuple[dict[str, list[Any]], Sequence[int]]]
    scores: tuple[str, ...] = ()
    harness: str = ""
    unit: str = "line"
    keys: tuple[str, ...] = ()
    group: str | None = None
    values: tuple[str, ...] = ()
    scored: bool = False
    truth: str | None = None
    columns: dict[str, Column] = field(default_factory=dict)
    lines: Sequence[int] | NDArray[np.int64] = ()

    def need(self, name: str, option: str, hint: str = "") -> str:
        """Return the name of a column, or say which there are."""
        if name in self.names:
            return name
        more = len(self.names) - _NAMED
        found = ", ".join(self.names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
        if len(self.names) == 1 and "|" in found:
            hint = "; separate its columns by commas"
        raise ValueError(f"{self.source} has no column {name} (see {option}); it has {found}{hint}")

    def read(self, names: Iterable[str]) -> Table:
        """Return the table with the values of these columns; the file is read here, once."""
        wanted = list(dict.fromkeys(names))
        for name in wanted:
            times = list(self.names).count(name)
            if times > 1:
                raise ValueError(f"{self.source} has {times} columns {name}; rename all but one")
        found, lines = self.fetch(wanted)
        table = replace(self, lines=lines)
        # a text is one value; JSON and Parquet can hold none, or several
        for name, values in found.items():
            for row, value in enumerate(values):
                if value is None or isinstance(value, (list, dict)):
                    many = f"a {type(value).__name__}, where one value is needed"
                    kind = "no value" if value is None else many
                    raise ValueError(f"{table.at(row)}: {name} has {kind}")
        columns = {name: np.array(values, dtype=object) for name, values in found.items()}
        return replace(table, columns=columns)

    def at(self, row: int) -> str:
        """Say where a case stands."""
        return f"{self.source}, {self.unit} {self.lines[row]}"

    def take(self, rows: NDArray[Any]) -> Table:
        """Return some of the cases: those of these numbers, in that order, or those of a mask."""
        columns = {name: column[rows] for name, column in self.columns.items()}
        return replace(self, columns=columns, lines=np.asarray(self.lines)[rows])

    def where(self, asked: Sequence[tuple[str, str, str]]) -> Table:
        """Return the cases with these values, such as ``("filter", "=", "none")``, as texts."""
        kept = np.ones(len(self.lines), dtype=bool)
        for name, _, text in asked:
            kept &= [str(value) == text for value in self.columns[name]]
        if not kept.any():
            raise ValueError(f"{self.source} has no case with {' and '.join(map(''.join, asked))}")
        return self.take(kept)

    def by_case(self) -> dict[tuple[str, ...], int]:
        """Return the row of each case by its identifiers, or refuse one that comes twice."""
        rows: dict[tuple[str, ...], int] = {}
        parts = [map(str, self.columns[key]) for key in self.keys]
        for row, case in enumerate(zip(*parts, strict=True)):
            if case in rows:
                named = ", ".join(f"{k} {value}" for k, value in zip(self.keys, case, strict=True))
                raise ValueError(f"{self.at(row)}: {named} comes twice; each case counts once")
            rows[case] = row
        return rows


@contextlib.contextmanager
def opened(path: str) -> Iterator[Table]:
    """Open a file, or with ``-`` standard input, and tell what its columns are called.

    Raises
    ------
    ValueError, OSError, ImportError
        In one line that names the file, and the remedy.
    """
    if path != "-":
        with open(path, "rb") as stream:
            yield parse(stream, path)
    elif sys.stdin is None or sys.stdin.closed:
        raise ValueError("standard input is closed")
    else:
        # read whole, so that nothing closes the stream of whoever called
        given = getattr(sys.stdin, "buffer", None)
        held = given.read() if given else sys.stdin.read().encode()
        yield parse(io.BytesIO(held), "standard input")


def each_once(paths: Sequence[str]) -> None:
    """Refuse a file that is named twice, by whatever name, and names that no file can have."""
    for i, path in enumerate(paths):
        if "\0" in path:
            raise ValueError(f"{path}: no file has a NUL character in its name")
        if os.path.realpath(path) in map(os.path.realpath, paths[:i]):
            raise ValueError(f"{path} is named twice; name each file once")


def parse(stream: IO[bytes], source: str) -> Table:
    """Tell by its beginning, or by its name, what a file is, and open it."""
    if not stream.seekable():  # a pipe is read once, but ZIP and Parquet begin at their end
        stream = io.BytesIO(stream.read())
    start = stream.read(4096).removeprefix(_MARK).lstrip()
    stream.seek(0)
    ending = Path(source).suffix.lower()
    # the beginning tells, else the ending of the name; the last entry takes anything
    found = next(way for begin, end, way in FORMATS if start.startswith(begin) or ending == end)
    if isinstance(found, str):
        raise ValueError(f"{source} {found}")
    return found(stream, source)


def delimited(stream: IO[bytes], source: str) -> Table:
    """Open columns separated by commas or, where the header has none, by tabs or semicolons."""
    first = (stream.read(4096).removeprefix(_MARK).lstrip().splitlines() or [b""])[0]
    stream.seek(0)
    mark = next((m for m in ",\t;" if m.encode() in first), ",")
    rows = _rows_of(_lines(stream, source, newline=""), source, mark)
    header = [name.strip() for name in next(rows, (0, []))[1]]
    if not header:
        raise ValueError(f"{source} is empty")
    return Table(source, header, partial(_cells, rows, source, header))


def _rows_of(lines: Iterable[str], source: str, mark: str) -> Iterator[tuple[int, list[str]]]:
    """Give every row that is not blank, with the number of its last line."""
    rows = csv.reader(lines, skipinitialspace=True, strict=True, delimiter=mark)
    # a row of quoted texts takes several lines: one that does not end began after `before`
    before = 0
    try:
        for row in rows:
            before = rows.line_num
            if len(row) > 1 or any(cell.strip() for cell in row):
                yield before, row
    except csv.Error as error:
        said = f'{source}, line {before + 1}: {error}; close each " and double those inside'
        raise ValueError(said) from None


def _lines(stream: IO[bytes], source: str, newline: str | None = None) -> Iterator[str]:
    """Give the lines of a text, and close it; refuse what is no text."""
    with io.TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline=newline) as text:
        for number, line in enumerate(text, 1):
            said = ""
            if "\0" in line:
                said = "a NUL character; it is UTF-16 or no text at all: save it as CSV in UTF-8"
            elif not line.isascii() and _UNDECODED.search(line):
                said = "not in UTF-8; convert it, as in: iconv -f LATIN1 -t UTF-8 FILE"
            if said:
                raise ValueError(f"{source}, line {number}: {said}")
            yield line


def _cells(
    rows: Iterable[tuple[int, list[str]]], source: str, header: list[str], names: Sequence[str]
) -> tuple[dict[str, list[Any]], list[int]]:
    """Read the cells of some columns; equal texts are one object, so that a million rows fit."""
    columns: dict[str, list[Any]] = {name: [] for name in names}
    places = [(header.index(name), name, columns[name]) for name in names]
    lines = []
    width = len(header)
    for line, row in rows:
        if len(row) > width:
            said = f"{len(row)} fields, but the header has {width}; put fields that hold a comma"
            raise ValueError(f"{source}, line {line}: {said} in quotes")
        for place, name, column in places:
            value = row[place].strip() if place < len(row) else ""
            if not value:
                raise ValueError(f"{source}, line {line}: {name} has no value")
            column.append(sys.intern(value))
        if len(row) < width:
            raise ValueError(f"{source}, line {line}: {len(row)} fields, the header has {width}")
        lines.append(line)
    if not lines:
        raise ValueError(f"{source} has no cases below its header")
    # two quotes that are missing in different rows make one label of all between them
    for label in (text for column in columns.values() for text in dict.fromkeys(column)):
        if "\n" in label or "\r" in label:
            said = f"{source}: the label {label!r} holds a line break; is a quote missing?"
            raise ValueError(said)
    return columns, lines


def _json(stream: IO[bytes], source: str) -> Table:
    """Open JSON lines, samples of lm-evaluation-harness among them, or the log of Inspect."""
    whole = "".join(_lines(stream, source)).rstrip()
    lines = [(n, line) for n, line in enumerate(whole.split("\n"), 1) if line.strip()]
    try:
        json.loads(lines[0][1])
    except (ValueError, RecursionError):  # no line for each case, but one object over many lines
        lines = [(1, whole)]
    rows: dict[int, Row] = {}
    for number, line in lines:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            deep = isinstance(error, RecursionError)
            why = getattr(error, "msg", "nested too deeply" if deep else "too many digits")
            at = number + getattr(error, "lineno", 1) - 1
            raise ValueError(f"{source}, line {at}: no JSON ({why})") from None
        if not isinstance(found, dict):
            raise ValueError(f"{source}, line {number}: one JSON object a line is needed")
        if isinstance(found.get("samples"), list) and len(lines) == 1:
            return _inspect(found["samples"], source)
        rows[number] = _leaves(found)
    table = _of_rows(rows, source)
    # every sample of lm-evaluation-harness says which metrics it was given
    first = next(iter(rows.values()))
    if not {"doc_id", "filtered_resps"} <= first.keys():
        return table
    named = first.get("metrics")
    scores = [str(name) for name in named] if isinstance(named, list) else []
    scores = scores or [name for name in _USUAL if name in table.names]
    harness = "metric of lm-evaluation-harness"
    return replace(table, scores=tuple(scores), keys=("doc_id",), harness=harness)


def _leaves(found: Row) -> Row:
    """Return the values of an object, those inside another by a dotted name."""
    row = {}
    # no recursion: what json reads may be nested more deeply than Python calls
    parts = [("", found)]
    while parts:
        head, part = parts.pop()
        for name, value in part.items():
            if isinstance(value, dict):
                parts.append((f"{head}{name}.", value))
            else:
                row[f"{head}{name}"] = value
    return row


def _of_rows(rows: dict[int, Row], source: str) -> Table:
    """Make a table of objects by their lines; 1, 1.0 and True stay what they are."""

    def fetch(names: Sequence[str]) -> tuple[dict[str, list[Any]], list[int]]:
        return {name: [row.get(name) for row in rows.values()] for name in names}, list(rows)

    return Table(source, list(dict.fromkeys(name for row in rows.values() for name in row)), fetch)


def _inspect(samples: Iterable[object], source: str) -> Table:
    """Open the samples of Inspect, sorted by epoch and id: a column for each scorer."""
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
    # several epochs are several answers to one sample: it is the group
    group = "id" if rows[-1]["epoch"] > rows[0]["epoch"] else None
    table = replace(_of_rows(dict(enumerate(rows, 1)), source), keys=("id", "epoch"), group=group)
    scores = tuple(table.names[2:])
    return replace(table, scores=scores, harness="scorer of Inspect", unit="sample")


@contextlib.contextmanager
def _foreign(source: str, kind: str) -> Iterator[None]:
    """Say in one line whatever another library raises at a damaged file."""
    try:
        yield
    except Exception as error:
        raise ValueError(f"{source} cannot be read as {kind}: {str(error)[:100]}") from None


def _archive(stream: IO[bytes], source: str) -> Table:
    """Open the archive of Inspect."""
    return _inspect(_members(stream, source), source)


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


def _parquet(stream: IO[bytes], source: str) -> Table:
    """Open a Parquet file; it needs pyarrow."""
    library = extras.load("pyarrow.parquet")
    with _foreign(source, "Parquet"):
        file = library.ParquetFile(stream)

    def fetch(names: Sequence[str]) -> tuple[dict[str, list[Any]], Sequence[int]]:
        with _foreign(source, "Parquet"):
            found = file.read(columns=names)
            return {n: found[n].to_pylist() for n in names}, range(1, found.num_rows + 1)

    return Table(source, list(file.schema_arrow.names), fetch, unit="row")


# How a file begins, what its name ends in, and what opens it, or what to do about it.
_PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")  # gzip, bzip2, xz, zstd
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")  # UTF-16 and UTF-32
Way = Callable[[IO[bytes], str], Table]
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


def align(tables: Sequence[Table]) -> list[Table]:
    """Bring files to the order of the first, and refuse a case that is not in all of them."""
    found = [(table.source, table.by_case()) for table in tables]
    for other in found[1:]:
        for (has, cases), (lacks, rows) in ((found[0], other), (other, found[0])):
            missing = [case for case in cases if case not in rows]
            if missing:
                raise ValueError(
                    f"{lacks} lacks {len(missing)} of the {len(cases)} cases of {has}, such as "
                    f"{', '.join(missing[0])}; both must hold the same cases"
                )
    # row numbers of each file, in the order of the first one's cases
    orders = [np.array([rows[case] for case in found[0][1]], dtype=np.intp) for _, rows in found]
    return [table.take(order) for table, order in zip(tables, orders, strict=True)]
