"""Rows that are not examples: repeats of an example, several settings in one table, summaries.

Only what the table itself shows is acted on: a column that names cases repeats, and another one
says why.
"""

import re
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence

from errlab.cli import pairing
from errlab.cli.table import Table

# Column names that identify an example, the most reliable first.
_ROWS = ("rowindex", "row_index", "row", "row_id", "row_ids", "rowid")
_CASES = (
    "id", "instance_id", "doc_id", "sample_id", "case_id", "question_id", "prompt_id", "task_id",
    "problem_id", "example_id", "item_id", "image_id", "query_id", "qid", "uid", "question",
    "query", "item", "case", "example", "problem", "sample", "image", "index", "idx",
)  # fmt: skip
_POSITIONS = ("index", "idx")  # may start at 0 in each fold or batch
# Column names that number repeats of an example.
_REPEAT = re.compile(
    "(random_?)?(seed|state)|epochs?|rep|repeat|repetition|repl|replicate|replication|resample|"
    "trial|attempt|run|rerun|round|iter|iteration|bootstrap|boot|completion|generation|"
    "(sample|completion|generation)_?(idx|index|num|number)|id2"
)
_FOLD = re.compile("(cv_?)?folds?|split|batch")
# Column names for a part of a benchmark.
_PART = re.compile(
    "tasks?|part|subtask|subject|subset|dataset|benchmark|category|domain|lang|language|config|topic|"
    "level|exam|suite|section|split"
)
_SUMMARY = re.compile(
    "all|amean|average|avg|mean|overall|total|sum|summary|aggregate|median|std|accuracy|"
    "(macro|micro|weighted|samples)[ _-]?(avg|average|mean)"
)
_CLASS_REPORT = {"precision", "recall", "f1-score", "support"}
_FEW = 3  # largest number of rows that may be summaries


def _plain(name: str) -> str:
    """Return a name in lower case, with _ between words, for comparison."""
    return re.sub(r"[\s.\-]+", "_", name.strip().lower()).strip("_")


def _refers(pattern: re.Pattern[str], name: str) -> bool:
    plain = _plain(name)
    return bool(pattern.fullmatch(plain) or pattern.fullmatch(plain.removesuffix("_id")))


# Columns of tables whose rows aren't examples: what the rows are, and what to use instead.
_FOLDS = (
    "scores of folds go to "
    "errlab.crossval.corrected_resampled_t_interval(folds, n_train=..., n_test=...)"
)
_PREDICTIONS = "take the predictions for each case"
_SUMMARIES: tuple[tuple[set[str], str, str], ...] = (
    ({"mean_test_score", "params"}, "settings of a search (cv_results_)", _FOLDS),
    ({"model", "score_val", "fit_time"}, "models of a leaderboard", _PREDICTIONS),
    ({"model", "score_val", "score_test"}, "models of a leaderboard", _PREDICTIONS),
    ({".metric", ".estimator"}, "metrics (collect_metrics)", "take collect_predictions()"),
    ({"learner_id", "resampling_id", "iteration"}, "folds of a benchmark (mlr3)", _FOLDS),
    ({"resample", "kappa"}, "folds (caret)", _FOLDS),
    ({"resample", "rmse"}, "folds (caret)", _FOLDS),
)


def refuse_summaries(table: Table) -> None:
    """Refuse tables whose rows are folds, settings, models or epochs instead of examples."""
    names = {name.lower() for name in table.names}
    for columns, rows, remedy in _SUMMARIES:
        if columns <= names:
            raise ValueError(f"{table.source}: its rows are {rows}, not cases; {remedy}")
    if {"name", "state"} <= names and any("/" in name for name in names):
        raise ValueError(f"{table.source}: its rows are runs (W&B), not cases; {_PREDICTIONS}")
    if "epoch" in names and any("loss" in name for name in names) and not names & set(_CASES):
        raise ValueError(
            f"{table.source}: its rows are epochs of a training, not cases; {_PREDICTIONS}"
        )


def refuse_rates(table: Table) -> None:
    """Refuse scikit-learn's classification_report, which has rates of classes, not examples."""
    # in a table, or in an object with an object for each class
    ends = {name.rpartition(".")[2] for name in table.names}
    if ends >= _CLASS_REPORT:
        raise ValueError(
            f"{table.source} is a classification_report: rates of classes and their averages, not "
            "cases; take the predictions, as in errlab.per_class(y_true, y_pred), or the table of "
            "counts, as in errlab.metric(table=confusion_matrix(y_true, y_pred), metric='f1_macro')"
        )


def settle(options: Namespace, table: Table) -> None:
    """Leave out summaries, and treat repeats of an example as a group, or refuse them."""
    if table.harness or not table.cases:
        return
    _leave_out_summaries(table)
    if table.group or options.model or (options.id and len(options.files) == 1):
        return
    reading = _Rows(table)
    unique = any(reading.distinct(name) == len(table.cases) for name in reading.candidates)
    for name in reading.candidates:
        if reading.repeats(name) and _settle_column(options, table, reading, name, unique):
            return


class _Rows:
    """The columns of a table that no option names, read on first use."""

    def __init__(self, table: Table) -> None:
        self.table = table
        plain = {_plain(name): name for name in reversed(table.names)}
        answers = {*table.values, table.truth}
        self.names = [
            name for name in table.names if name not in answers and table.names.count(name) == 1
        ]
        wanted = [*_ROWS, *_CASES]
        self.candidates = [plain[name] for name in wanted if plain.get(name) in self.names]
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
    max_count = max(counts.values())
    # one value with several questions or labels is only a position within a part
    texts = [name for name in others if pairing.kind_of(name) in ("question", "target")]
    if table.truth in table.cases[0][1]:
        texts.append(table.truth)
    if any(rows.distinct(case, name) > len(counts) for name in texts):
        return False
    # in tidymodels .config is a setting of the learner, not a part of a benchmark
    parts = [name for name in others if _refers(_PART, name) and name != ".config"]
    # whether texts or labels vary at all; above they were constant for each value of the column
    same = any(rows.distinct(name) > 1 for name in texts)
    if not same and any(rows.key(case, name) for name in parts):
        return False
    position = _plain(case) in _POSITIONS
    # a position may start again in each fold, unless texts or labels rule that out
    folds = same or not position
    repeats = [n for n in others if _refers(_REPEAT, n) or (folds and _refers(_FOLD, n))]
    if case != "id" and "id" in others and not rows.key("id"):
        repeats.append("id")  # the name of a resample in tidymodels
    repeats = [name for name in repeats if rows.distinct(name) > 1]
    discrete = [n for n in others if n not in repeats and 1 < rows.distinct(n) <= max_count]
    discrete = [n for n in discrete if not _refers(_FOLD, n)]
    explained = bool(repeats) and rows.key(case, *repeats)
    if not explained:
        # several settings: one more column with few values distinguishes the rows of an example
        settings = [n for n in discrete if rows.key(case, *repeats, n) and n not in parts]
        if settings and not (unique or position):
            _refuse_settings(table, rows, case, settings[0], max_count)
        # uneven repeats of few values are no clear identifier
        even = len(set(counts.values())) == 1 and len(counts) > max_count
        likely = bool(repeats) or even or 2 * len(counts) >= size
        if unique or position or not likely:
            return False
    table.group = case
    table.roles.setdefault(case, "--group")
    if len(options.files) > 1:
        table.keys = (case, *repeats) if explained else table.keys
    why = f" ({', '.join(repeats)})" if explained else ""
    table.remarks.append(
        f"{size} {table.unit}s hold {len(counts)} of {case}, up to {max_count} each{why}: "
        f"each {case} is a group."
    )
    return True


def _refuse_settings(table: Table, rows: _Rows, case: str, setting: str, max_count: int) -> None:
    """Refuse a table with one row for each of several settings."""
    values = list(dict.fromkeys(rows.column(setting)))
    raise ValueError(
        f"{table.source}: each {case} comes up to {max_count} times, once for each of "
        f"{len(values)} values of {setting}; keep one, as in --where {setting}={values[0]}, or, if "
        f"they are repeats of one system, say --group {case}"
    )


def _leave_out_summaries(table: Table) -> None:
    """Leave out rows that summarise the others: all, mean, macro avg."""
    if not table.scored:
        return
    plain = {_plain(name): name for name in reversed(table.names)}
    named = [
        *table.keys,
        *(plain[name] for name in (*_ROWS, *_CASES, "name", "class") if name in plain),
    ]
    for name in dict.fromkeys([*named, table.names[0]]):
        if name in table.values or name not in table.names:
            continue
        if name not in table.cases[0][1]:
            table.add_columns([name])
        texts = [str(text).strip().casefold() for text in table.column(name)]
        summaries = [row for row, text in enumerate(texts) if _SUMMARY.fullmatch(text)]
        words = [table.column(name)[row] for row in summaries]
        # a class or query may have such a name; summaries are the last rows
        at_end = summaries == list(range(len(texts) - len(summaries), len(texts)))
        are_few = 0 < len(summaries) <= _FEW < len(texts)
        if are_few and len(set(words)) == len(words) and at_end:
            listed = ", ".join(words)
            table.cases = [c for row, c in enumerate(table.cases) if row not in set(summaries)]
            table.remarks.append(
                f"Left out: {listed} (in {name}), which sums up the other {table.unit}s."
            )
            return


def refuse_other_cases(table: Table, case: str, names: Sequence[str]) -> None:
    """Refuse a long table in which the same example has different questions for two systems."""
    for name in names:
        if pairing.kind_of(name) not in ("question", "target", "task"):
            continue
        texts: dict[str, str] = {}
        for number, (_, row) in enumerate(table.cases):
            value = pairing.plainly(row[name])
            if texts.setdefault(str(row[case]), value) != value:
                raise ValueError(
                    f"{table.at(number)}: {case} {row[case]} has another {name} than before, so "
                    f"that systems would be compared on other cases; name cases by another --case"
                )
