"""The command line: ``python -m errlab report FILE.csv``."""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Sequence
from typing import TextIO

from errlab import __version__
from errlab._report import report


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0, or 2 for input that cannot be used."""
    options = _parser().parse_args(arguments)
    try:
        columns = _read(options.file)
        result = report(*columns, delta=options.delta)
    except (OSError, ValueError, TypeError) as error:
        print(f"errlab: error: {_line(error)}", file=sys.stderr)
        return 2
    print(result.to_json() if options.json else result)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="errlab",
        description="What may you claim about a classifier's error on data it has not seen?",
    )
    parser.add_argument("--version", action="version", version=f"errlab {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    command = commands.add_parser(
        "report",
        help="read a CSV of predictions and say what may be claimed",
        description="Read a CSV with the columns y_true and y_pred (any order, any labels) and "
        "say what may be claimed about the true error.",
        epilog="Exit code 0, or 2 where the file, a column or a value cannot be used.",
    )
    command.add_argument("file", metavar="FILE.csv", help="the file; - reads standard input")
    command.add_argument(
        "--delta",
        type=float,
        default=0.05,
        help="probability that a claim may fail, between 0 and 1 (default %(default)s)",
    )
    command.add_argument("--json", action="store_true", help="print the numbers as JSON")
    return parser


def _line(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())


def _read(path: str) -> list[list[str] | list[float]]:
    if path == "-":
        return _columns(sys.stdin, "standard input")
    with open(path, newline="", encoding="utf-8-sig") as stream:
        return _columns(stream, path)


def _columns(stream: TextIO, name: str) -> list[list[str] | list[float]]:
    """Read the columns y_true and y_pred; as numbers where every value is one."""
    rows = csv.DictReader(stream, skipinitialspace=True)
    header = [column.strip() for column in rows.fieldnames or []]
    if not header:
        raise ValueError(f"{name} is empty")
    rows.fieldnames = header
    wanted = ["y_true", "y_pred"]
    for column in wanted:
        if column not in header:
            raise ValueError(f"{name} has no column {column}; its columns are {', '.join(header)}")
    values: list[list[str]] = [[] for _ in wanted]
    for row in rows:
        for column, kept in zip(wanted, values, strict=True):
            value = (row[column] or "").strip()
            if not value:
                raise ValueError(f"{name}, line {rows.line_num}: {column} has no value")
            kept.append(value)
    if not values[0]:
        raise ValueError(f"{name} has no cases below its header")
    return _as_numbers(values)


def _as_numbers(values: list[list[str]]) -> list[list[str] | list[float]]:
    try:
        return [[float(value) for value in column] for column in values]
    except ValueError:
        return list(values)


if __name__ == "__main__":
    sys.exit(main())
