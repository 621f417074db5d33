"""The command line: ``errlab report FILE``, ``compare``, ``plan`` and ``gate``.

Numpy and other packages are imported only when a command needs them, so ``--help`` is quick.
"""

import argparse
import io
import os
import sys
from collections.abc import Sequence

from errlab import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    The code is 0, or 2 if the input can't be used. ``gate`` also returns 1 for worse and 3 if the
    test can't decide.
    """
    try:
        options = _parser().parse_args(arguments)
        # numpy and scipy are imported only when a command needs them
        from errlab.cli import commands

        text, warnings, exit_code = commands.answer_of(options)
    except KeyboardInterrupt:
        return 130  # the exit code of shells after Ctrl-C
    except (OSError, ValueError, TypeError, ImportError) as error:
        message = str(error)
        if isinstance(error, OSError) and error.strerror:
            # the operating system's message doesn't name the file
            message = f"{error.filename or ' or '.join(options.files)}: {error.strerror}"
        return _complain(" ".join(message.split()))
    for warning in warnings:
        _complain(warning, "warning")
    return _print(text) or exit_code


def _print(text: str) -> int:
    """Print to standard output; stop quietly if the reader closes the pipe."""
    if sys.stdout is None:
        return _complain("standard output is closed")
    try:
        # characters that the terminal's encoding lacks are escaped
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        print(text, flush=True)
    except OSError as error:
        # redirect the output, because Python would flush the closed pipe at exit and fail
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            return _complain(f"standard output: {error.strerror}")
    return 0


def _complain(line: str, kind: str = "error") -> int:
    if sys.stderr is not None:
        from errlab._core.checks import visible

        print(f"errlab: {kind}: {visible(line)}", file=sys.stderr)
    return 2


_READS = (
    "Files are CSV, TSV, JSON (one example per line, an array, or as pandas writes it), Parquet "
    "(with pyarrow), samples_*.jsonl of lm-evaluation-harness, logs of Inspect (.eval or .json), "
    "reports of SWE-bench, or logs of OpenAI evals; also compressed by gzip, bzip2 or xz."
)


def _parser() -> argparse.ArgumentParser:
    """Return the parser of all commands, with their options."""
    parser = argparse.ArgumentParser(
        prog="errlab",
        description="What may you claim about a classifier's error on data it has not seen?",
    )
    parser.add_argument("--version", action="version", version=f"errlab {__version__}")
    # defaults of options that the other commands lack
    parser.set_defaults(model=None, baseline=None, errors=None, n=None, task=None, pass_at=None)
    parser.set_defaults(max_error=None, min_score=None, metric=None, positive=None)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    report = commands.add_parser(
        "report",
        help="read predictions or scores and report what they support",
        description="Read a file with the columns y_true and y_pred (any order, any labels), or "
        "with a column of scores, and report what they support. With two columns of predictions, "
        "such as pred_a and pred_b, also say whether one is better. Counts of independent examples "
        "need no file: --errors 7 --n 200.",
        epilog=f"{_READS} Exit code 0, or 2 if the file, a column or a value cannot be used.",
    )
    files = "a file, a folder, or several files with a task each; - reads standard input"
    report.add_argument("files", metavar="FILE", nargs="*", help=files)
    task = (
        "column with the task of each example; reports each task, and means over tasks and examples"
    )
    report.add_argument("--task", metavar="COLUMN", help=task)
    pass_at_help = "report pass@K: the probability that one of K samples of an example is right"
    report.add_argument("--pass-at", type=int, metavar="K", help=pass_at_help)
    report.add_argument(
        "--errors", metavar="COUNT", type=int, help="number of errors, in place of a file"
    )
    report.add_argument(
        "--n", metavar="COUNT", type=int, help="number of test examples, in place of a file"
    )
    compare = commands.add_parser(
        "compare",
        help="compare two or more systems, in one file or in several",
        description="Compare systems whose answers are in several files, in several columns of one "
        "file, or in a long table with a row for each system and example (--model, --id and "
        "--score). Files are aligned by the identifiers of their examples, never by the order of "
        "rows.",
        epilog=f"{_READS} Exit code 0, or 2 if a file, a column or a value cannot be used.",
    )
    compare.add_argument(
        "files", metavar="FILE", nargs="+", help="a file; NAME=FILE also names its system"
    )
    compare.add_argument(
        "--baseline", metavar="NAME", help="compare all other systems with this one"
    )
    model = "column with the name of the system, in a long table"
    compare.add_argument("--model", metavar="COLUMN", help=model)
    gate = commands.add_parser(
        "gate",
        help="exit with 1 if a new system is worse than an old one",
        description="Compare an old system with a new one, in two files or in two columns of one "
        "file. If the gate is red, the first line says why, and what would make it green: more "
        "examples (for a power of 80%) or a larger margin. With --max-error or --min-score, judge "
        "one system.",
        epilog=f"{_READS} Exit code 0 (green) if the new system is better, or not worse by more "
        "than the margin; 1 (red) if it is worse; 3 (red) if the test cannot tell, which happens "
        "without --margin if both are equally good; 2 if a file, a column or a value cannot be "
        "used.",
    )
    gate.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="the old system, then the new one; NAME=FILE also names a system",
    )
    max_error_help = "for one system: the largest true error rate that is acceptable, such as 0.05"
    gate.add_argument("--max-error", type=float, metavar="RATE", help=max_error_help)
    min_score_help = "for one system: the smallest true mean score that is acceptable, such as 0.8"
    gate.add_argument("--min-score", type=float, metavar="SCORE", help=min_score_help)
    plan = commands.add_parser(
        "plan",
        help="say how many test examples are needed",
        description="Give --error and --half-width, or --error and --max-error, or --difference "
        "and --disagree, or --margin and --disagree.",
        epilog="Exit code 0, or 2 if the options fit none of these plans.",
    )
    # each option is an argument of errlab.plan
    for name, default, text in (
        ("error", None, "the error rate that you expect"),
        ("half-width", None, "largest distance between --error and an end of the interval"),
        ("max-error", None, "the upper bound must not exceed this error rate"),
        ("difference", None, "the difference of two true error rates that the test must show"),
        ("disagree", None, "fraction of the examples on which exactly one of two systems is wrong"),
        ("margin", None, "by how much the error rate of the second system may be higher"),
        ("power", 0.8, "power of the test (default %(default)s)"),
        (
            "design-effect",
            1.0,
            "how many examples in groups are as precise as one independent example (default "
            "%(default)s)",
        ),
    ):
        plan.add_argument(f"--{name}", type=float, default=default, help=text)
    for command in (report, compare, gate):
        add = command.add_argument
        add(
            "--true",
            metavar="COLUMN",
            default="y_true",
            help="column with the true labels (default: y_true)",
        )
        preds = (
            "a column of predictions; give it once for each system (default: y_pred, or else "
            "pred_a and pred_b, or else the two columns beside the true labels)"
        )
        if command is not gate:
            of_labels = "any metric of errlab.metric, such as f1_macro, kappa or roc_auc"
            add("--metric", metavar="NAME", help=of_labels)
            add("--positive", metavar="LABEL", help="the positive label, for --metric")
        scores = "a column of scores in place of labels, in [0, 1] or in --range"
        add("--pred", action="append", metavar="COLUMN", help=preds)
        add("--score", action="append", metavar="COLUMN", help=scores)
        ends = "the smallest and the largest possible score, such as 1 5"
        add("--range", nargs=2, type=float, metavar=("LOW", "HIGH"), help=ends)
        add("--lower-is-better", action="store_true", help="low scores are good, as for losses")
        add("--id", "--case", metavar="COLUMN", help="column with the name of each example")
        add("--group", metavar="COLUMN", help="column with the group of each example")
        add(
            "--where",
            action="append",
            default=[],
            metavar="COLUMN=VALUE",
            help="use only examples with this value in the column",
        )
        missing = (
            "leave out examples without a value, because they failed or the run was stopped, or "
            "count them as the worst score (default: refuse such a file)"
        )
        add("--missing", choices=("drop", "wrong"), help=missing)
        margin = "by how much the second system may be worse than the first, such as 0.01"
        add("--margin", type=float, help=margin)
        add("--plot", metavar="FILE", help="save a picture, such as picture.svg")
    for command in (report, compare, gate, plan):
        add = command.add_argument
        delta = "probability that a claim may fail, between 0 and 1 (default %(default)s)"
        add("--delta", type=float, default=0.05, help=delta)
        add("--confidence", type=float, help="1 - delta, such as 0.95")
        forms = ("text", "json", "md", "latex", "html")
        add(
            "--format",
            choices=forms,
            default="text",
            help="format of the output (default %(default)s)",
        )
        same = "the same as --format json"
        add("--json", dest="format", action="store_const", const="json", help=same)
        full = (
            "also print the conditions under which a claim holds, and the evidence (JSON always "
            "has them)"
        )
        add("--full", action="store_true", help=full)
    return parser


if __name__ == "__main__":
    sys.exit(main())
