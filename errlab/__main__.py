"""The command line: ``python -m errlab report FILE.csv``, for one classifier or two.

Numpy and the rest are imported when there is something to compute: ``--help`` is quick.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence

from errlab import __version__

INTERRUPTED = 130  # as a shell reports Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0, or 2 for input that cannot be used."""
    try:
        options = _parser().parse_args(arguments)
        try:
            text = _report(options)
        except (OSError, ValueError, TypeError) as error:
            return _complain(_line(error))
        return _print(text)
    except KeyboardInterrupt:
        return INTERRUPTED


def _report(options: argparse.Namespace) -> str:
    from errlab._columns import read
    from errlab._report import report

    names, columns = read(options.file, options.pred)
    if len(columns) == 2:
        if options.margin is not None:
            raise ValueError("--margin is for two classifiers: give --pred twice")
        single = report(*columns, delta=options.delta)
        return single.to_json() if options.json else repr(single)
    called = (_visible(names[1]), _visible(names[2]))
    pair = report(*columns, delta=options.delta, names=called, margin=options.margin)
    return pair.to_json() if options.json else repr(pair)


def _print(text: str) -> int:
    """Print to standard output; who closes it early has read enough."""
    if sys.stdout is None:
        return _complain("standard output is closed")
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):  # letters that it lacks are spelt out
            sys.stdout.reconfigure(errors="backslashreplace")
        print(text, flush=True)
    except BrokenPipeError:
        _forget_output()
    except OSError as error:
        _forget_output()
        return _complain(f"standard output: {error.strerror}")
    return 0


def _forget_output() -> None:
    """Let nothing more be written, so that Python does not try again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(line: str) -> int:
    if sys.stderr is not None:
        print(f"errlab: error: {_visible(line)}", file=sys.stderr)
    return 2


def _visible(text: str) -> str:
    """Spell out what a terminal would obey, such as the codes that change its colour."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


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
    command.add_argument(
        "--margin",
        type=float,
        help="with two columns: by how much the second may be worse than the first, such as 0.01",
    )
    command.add_argument("--json", action="store_true", help="print the numbers as JSON")
    return parser


def _line(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split())


if __name__ == "__main__":
    sys.exit(main())
