"""Rows that are not examples: repeats of an example, several settings in one table, summaries.

A table is changed only if it shows the reason itself: a column that identifies examples has
repeats, and another column explains them.
"""

import re
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from errlab.cli import pairing, summaries
from errlab.cli.summaries import CASES, FOLD, ROWS, plain
from errlab.cli.table import Table

_POSITIONS = ("index", "idx")  # may start at 0 in each fold or batch
# Column names that number repeats of an example.
_REPEAT = re.compile(
    "(random_?)?(seed|state)|epochs?|rep|repeat|repetition|repl|replicate|replication|resample|"
    "trial|attempt|run|rerun|round|iter|iteration|bootstrap|boot|completion|generation|"
    "(sample|completion|generation)_?(idx|index|num|number)|id2"
)
# Column names for a part of a benchmark.
_PART = re.compile(
    "tasks?|part|subtask|subject|subset|dataset|benchmark|category|domain|lang|language|config|topic|"
    "level|exam|suite|section|split"
)
_LANGUAGE = re.compile("lang|language|locale")
_NUMBERED = re.compile("_(id|no|nr|num|number|idx|index)$")
# repeats of the whole run, not of single examples
_RUN = re.compile("(random_?)?(seed|state)|epochs?")
# a file called split or batch can be a part of one test set, so they are missing here
_FOLD_FILE = re.compile("(cv)?folds?|cv", re.IGNORECASE)
_LARGE = 10_000  # in a longer table, no row summarises the others
_FEWEST = 10  # smallest number of examples in a column without a usual name


def _refers(pattern: re.Pattern[str], name: str) -> bool:
    word = plain(name)
    return bool(pattern.fullmatch(word) or pattern.fullmatch(_NUMBERED.sub("", word)))


def settle(options: Namespace, table: Table) -> None:
    """Leave out summaries, and treat repeats of an example as a group, or refuse them."""
    if table.harness or not table.cases:
        return
    if table.scored and len(table.cases) <= _LARGE:
        summaries.refuse_rows(table, options.id)
        if options.model and options.id:
            summaries.leave_out_of_board(table, options.model, options.id)
        else:
            summaries.leave_out(table)
            summaries.leave_out_columns(table)
    if table.group or options.model or (options.id and len(options.files) == 1):
        return
    reading = _Rows(table)
    unique = any(reading.distinct(name) == len(table.cases) for name in reading.candidates)
    for name in reading.candidates:
        if reading.repeats(name) and _settle_column(options, table, reading, name, unique):
            return
    if not unique:
        _refuse_one_example(table, reading)
    _settle_crossed(options, table, reading, unique)


class _Rows:
    """The columns of a table that no option names, read on first use."""

    def __init__(self, table: Table) -> None:
        self.table = table
        called = {plain(name): name for name in reversed(table.names)}
        answers = {*table.values, table.truth}
        self.names = [
            name for name in table.names if name not in answers and table.names.count(name) == 1
        ]
        wanted = [*ROWS, *CASES]
        self.candidates = [called[name] for name in wanted if called.get(name) in self.names]
        self._columns: dict[str, list[str]] = {}

    def column(self, name: str) -> list[str]:
        """Return a column of the remaining examples, as strings."""
        if name not in self._columns:
            row = self.table.cases[0][1]
            if name not in row:
                self.table.add_columns(self.names if len(row) < len(self.names) else [name])
            self._columns[name] = list(map(str, self.table.column(name)))
        return self._columns[name]

    def distinct(self, *names: str) -> int:
        """Return the number of distinct rows in these columns."""
        return len(set(zip(*map(self.column, names), strict=True)))

    def repeats(self, name: str) -> bool:
        """Whether a column has several values, some of them more than once."""
        return 1 < self.distinct(name) < len(self.table.cases)

    def key(self, *names: str) -> bool:
        """Whether no two rows agree in all of these columns."""
        return self.distinct(*names) == len(self.table.cases)


def _settle_column(options: Namespace, table: Table, rows: _Rows, case: str, unique: bool) -> bool:
    """Use a column with repeats as identifier of the examples, unless other columns disagree."""
    others = [name for name in rows.names if name != case]
    size = len(table.cases)
    counts = Counter(rows.column(case))
    most = max(counts.values())
    _refuse_translations(options, table, rows, case)
    # one value with several questions or labels is only a position within a part
    texts = [name for name in others if pairing.kind_of(name) in ("question", "target")]
    if table.truth in table.cases[0][1]:
        texts.append(table.truth)
    if any(rows.distinct(case, name) > len(counts) for name in texts):
        return False
    # in tidymodels .config is a setting of the learner, not a part of a benchmark
    parts = [name for name in others if _refers(_PART, name) and name != ".config"]
    # do the texts or labels vary? Above, each value of the column had only one of them
    same = any(rows.distinct(name) > 1 for name in texts)
    if not same and any(rows.key(case, name) for name in parts):
        return False
    position = plain(case) in _POSITIONS
    # a position may start again in each fold, unless texts or labels rule that out
    folds = same or not position
    repeats = [n for n in others if _refers(_REPEAT, n) or (folds and _refers(FOLD, n))]
    if case != "id" and "id" in others and not rows.key("id"):
        repeats.append("id")  # the name of a resample in tidymodels
    repeats = [name for name in repeats if rows.distinct(name) > 1]
    few = [n for n in others if n not in repeats and 1 < rows.distinct(n) <= most]
    few = [n for n in few if not _refers(FOLD, n)]
    explained = bool(repeats) and rows.key(case, *repeats)
    if not explained:
        # several settings: one more column with few values distinguishes the rows of an example
        settings = [n for n in few if rows.key(case, *repeats, n) and n not in parts]
        if settings and not (unique or position):
            _refuse_settings(table, rows, case, settings[0], most)
        # if values repeat unequally often and are few, they are probably not identifiers
        even = len(set(counts.values())) == 1 and len(counts) > most
        likely = bool(repeats) or even or 2 * len(counts) >= size
        if unique or position or not likely:
            return False
    _group(options, table, rows, case, repeats if explained else [])
    return True


def _refuse_one_example(table: Table, rows: _Rows) -> None:
    """Refuse a table whose rows all repeat one example: same identifier, text and label."""
    size = len(table.cases)
    texts = [name for name in rows.names if pairing.kind_of(name) in ("question", "target")]
    truths = [name for name in [table.truth] if name in table.cases[0][1]]
    if size < 2 or any(rows.distinct(name) > 1 for name in texts + truths):
        return
    numbered = any(rows.key(name) for name in rows.names if _refers(_REPEAT, name))
    for case in rows.candidates:
        # one task_id in all rows can be the name of a benchmark
        named = plain(case) not in _POSITIONS and (numbered or not _refers(_PART, case))
        if named and rows.distinct(case) == 1:
            raise ValueError(
                f"{table.source}: all {size} {table.unit}s have {case} {rows.column(case)[0]}, and "
                "repeats of one example say nothing about others; take a table with at least two "
                "examples, or, if the rows are different examples, leave the column out"
            )


def _refuse_translations(options: Namespace, table: Table, rows: _Rows, case: str) -> None:
    """Refuse a table that has each example once in every language, with one label in all."""
    # a translated question has a text of its own
    unique = [n for n in rows.candidates if rows.key(n) and pairing.kind_of(n) != "question"]
    if unique or plain(case) in _POSITIONS or getattr(options, "task", None):
        return
    number, size = rows.distinct(case), len(table.cases)
    truths = [name for name in [table.truth] if name in table.cases[0][1]]
    if any(rows.distinct(case, name) > number for name in truths):
        return
    for name in rows.names:
        languages = rows.distinct(name) if _refers(_LANGUAGE, name) else 0
        if languages > 1 and languages * number == size and rows.key(case, name):
            _refuse_settings(table, rows, case, name, languages)


def _group(options: Namespace, table: Table, rows: _Rows, case: str, repeats: list[str]) -> None:
    """Treat the rows of each example as a group, and add a remark that says so."""
    counts = Counter(rows.column(case))
    table.group = case
    table.roles.setdefault(case, "--group")
    if len(options.files) > 1:
        table.keys = (case, *repeats) if repeats else table.keys
    why = f" ({', '.join(repeats)})" if repeats else ""
    table.remarks.append(
        f"{len(table.cases)} {table.unit}s hold {len(counts)} of {case}, up to "
        f"{max(counts.values())} each{why}: each {case} is a group."
    )


def _settle_crossed(options: Namespace, table: Table, rows: _Rows, unique: bool) -> None:
    """Find the column that identifies examples by its values, if none has a usual name.

    In such a column, every value occurs once with each seed, epoch or other repeat; or every text
    occurs equally often, always with the same true label.
    """
    size = len(table.cases)
    repeats = [n for n in rows.names if _refers(_REPEAT, n) and 1 < rows.distinct(n) < size]
    parts = [name for name in rows.names if _refers(_PART, name)]
    truths = [n for n in [table.truth] if n in table.cases[0][1]]
    truths += [n for n in rows.names if pairing.kind_of(n) == "target"]
    asked = [name for name in rows.names if pairing.kind_of(name) == "question"]
    for case in rows.names if repeats else asked:
        number = rows.distinct(case)
        if not _FEWEST <= number < size or case in repeats + parts + truths:
            continue
        if any(rows.distinct(case, name) > number for name in truths):
            continue
        crossed = bool(repeats) and rows.distinct(*repeats) * number == size
        if crossed and rows.key(case, *repeats):
            return _group(options, table, rows, case, repeats)
        values = Counter(rows.column(case)) if case in asked else Counter()
        if values and not any(map(_is_number, values)) and len(set(values.values())) == 1:
            return _group(options, table, rows, case, [])
    for name in repeats:
        if not unique and _refers(_RUN, name):
            _refuse_unnamed(table, rows, name)
    runs = [n for n in rows.names if size > 1 and _refers(_RUN, n) and rows.key(n)]
    wholes = [n for n in rows.names if size > 1 and _refers(_PART, n) and rows.key(n)]
    if runs + wholes and table.scored and not rows.candidates and not summaries.verdicts(table):
        what = "run" if runs else "part"
        table.remarks.append(
            f"Each {table.unit} is a {what} ({(runs + wholes)[0]}): this is about {what}s, not "
            "about examples."
        )


def _refuse_unnamed(table: Table, rows: _Rows, name: str) -> None:
    """Refuse runs with equal numbers of rows if no column says which rows are the same example."""
    counts = Counter(rows.column(name))
    if len(set(counts.values())) == 1 and min(counts.values()) > 1:
        value = next(iter(counts))
        raise ValueError(
            f"{table.source}: each of {len(counts)} values of {name} has {counts[value]} rows, and "
            "no column tells which are of one example: add one (--group), or keep one run, as in "
            f"--where {name}={value}; if their examples differ, say --group {name}"
        )


def refuse_files(tables: Sequence[Table], ids: Sequence[str]) -> str:
    """Refuse files named as tasks that hold the same examples, of several seeds or models.

    Return a remark if only the identifiers of the examples are the same in all files.
    """
    first = tables[0]
    shared = [name for name in first.names if all(name in table.names for table in tables)]
    described = pairing.witnesses(shared)
    for name in described:
        if pairing.kind_of(name) == "question":
            seen: dict[frozenset[str], Table] = {}
            for table in tables:
                values = _values(table, name)
                if len(values) > 1 and seen.setdefault(values, table) is not table:
                    _refuse_file(seen[values], table, f"they have each {name} in common")
    word = _common_word(tables)
    if _FOLD_FILE.fullmatch(word):
        raise ValueError(
            f"{first.source} and {tables[1].source} are folds, by their names, and not tasks: "
            f"their training sets overlap; {summaries.OF_FOLDS}"
        )
    numbered = bool(_REPEAT.fullmatch(word))
    case = next((name for name in ids if name in shared), "")
    equal = bool(case) and len({_values(table, case) for table in tables}) == 1
    if numbered and (equal or not case):
        _refuse_file(first, tables[1], "by their names they are repeats")
    if equal and not described:
        return f"Each file counts as a task of its own; {case} is the same in all of them."
    return ""


def _common_word(tables: Sequence[Table]) -> str:
    """Return the last word of the files' names, such as seed in run_seed1.csv, if all have it."""
    stems = [Path(table.source).name.partition(".")[0] for table in tables]
    starts = {re.sub(r"[\W_]*\d+$", "", stem) for stem in stems}
    return re.split(r"[\W_]", starts.pop())[-1] if len(starts) == 1 else ""


def _refuse_file(first: Table, other: Table, why: str) -> None:
    raise ValueError(
        f"{first.source} and {other.source} are not separate tasks: {why}; for models use errlab "
        "compare; put repeats into one table, and name the examples by --group"
    )


def _values(table: Table, name: str) -> frozenset[str]:
    """Return the distinct values of a column."""
    return frozenset(pairing.plainly(row[name]) for _, row in table.fetch([name]))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _refuse_settings(table: Table, rows: _Rows, case: str, setting: str, most: int) -> None:
    """Refuse a table with one row for each of several settings."""
    values = list(dict.fromkeys(rows.column(setting)))
    raise ValueError(
        f"{table.source}: each {case} occurs up to {most} times, once for each of {len(values)} "
        f"values of {setting}; keep one, as in --where {setting}={values[0]}, or, if they are "
        f"repeats of one system, say --group {case}"
    )


def refuse_other_cases(table: Table, case: str, names: Sequence[str]) -> None:
    """Refuse a long table in which the same example has different questions for two systems."""
    for name in names:
        if pairing.kind_of(name) not in ("question", "target", "task"):
            continue
        seen: dict[str, str] = {}
        for number, (_, row) in enumerate(table.cases):
            value = pairing.plainly(row[name])
            if seen.setdefault(str(row[case]), value) != value:
                raise ValueError(
                    f"{table.at(number)}: {case} {row[case]} has another {name} than before, so "
                    "that systems would be compared on different examples; identify the examples "
                    "by another --case"
                )
