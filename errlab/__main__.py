"""The command line: ``python -m errlab report FILE.csv``, for one classifier or two."""

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
        names, columns = _read(options.file, options.pred)
        pair = (names[1], names[-1])
        result = report(*columns, delta=options.delta, names=pair)
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
        "say what may be claimed about the true error. With two columns of predictions, such as "
        "pred_a and pred_b, also say whether one is better.",
        epilog="Exit code 0, or 2 where the file, a column or a value cannot be used.",
    )
    command.add_argument("file", metavar="FILE.csv", help="the file; - reads standard input")
    command.add_argument(
        "--delta",
        type=float,
        default=0.05,
        help="probability that a claim may fail, between 0 and 1 (default %(default)s)",
    )
    command.add_argument(
        "--pred",
        action="append",
        metavar="COLUMN",
        help="a column of predictions; give it twice to compare two (default: y_pred, or else "
        "pred_a and pred_b, or else the two columns beside y_true)",
    )
    command.add_argument("--json", action="store_true", help="print the numbers as JSON")
    return parser


def _line(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())


Column = list[str] | list[float]


def _read(path: str, wanted: list[str] | None) -> tuple[list[str], list[Column]]:
    if path == "-":
        return _columns(sys.stdin, "standard input", wanted)
    with open(path, newline="", encoding="utf-8-sig") as stream:
        return _columns(stream, path, wanted)


def _columns(
    stream: TextIO, source: str, wanted: list[str] | None
) -> tuple[list[str], list[Column]]:
    """Read y_true and the predictions; as numbers where every value is one."""
    rows = csv.DictReader(stream, skipinitialspace=True)
    header = [column.strip() for column in rows.fieldnames or []]
    if not header:
        raise ValueError(f"{source} is empty")
    rows.fieldnames = header
    names = ["y_true", *(wanted or _predictions(header))]
    if len(names) > 3:
        raise ValueError(f"--pred must name one or two columns, got {len(names) - 1}")
    for name in names:
        if name not in header:
            listed = ", ".join(header)
            raise ValueError(f"{source} has no column {name} (see --pred); it has {listed}")
    values: list[list[str]] = [[] for _ in names]
    for row in rows:
        for name, kept in zip(names, values, strict=True):
            value = (row[name] or "").strip()
            if not value:
                raise ValueError(f"{source}, line {rows.line_num}: {name} has no value")
            kept.append(value)
    if not values[0]:
        raise ValueError(f"{source} has no cases below its header")
    return names, _as_numbers(values)


def _predictions(header: list[str]) -> list[str]:
    """Find the columns of predictions where the user has not named them."""
    for names in (["y_pred"], ["pred_a", "pred_b"], ["y_pred_a", "y_pred_b"]):
        if all(name in header for name in names):
            return names
    others = [name for name in header if name != "y_true"]
    return others if len(others) == 2 and "y_true" in header else ["y_pred"]


def _as_numbers(values: list[list[str]]) -> list[Column]:
    try:
        return [[float(value) for value in column] for column in values]
    except ValueError:
        return list(values)


if __name__ == "__main__":
    sys.exit(main())
