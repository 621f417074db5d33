"""Rows that aren't examples: means of other rows, and tables of rates, folds or settings.

A table is changed only if it shows the reason itself.
"""

import re
from collections.abc import Sequence

import numpy as np

from errlab.cli.table import Table

# Column names that identify an example, the most reliable first.
ROWS = ("rowindex", "row_index", "row", "row_id", "row_ids", "rowid")
CASES = (
    "id", "instance_id", "doc_id", "sample_id", "case_id", "question_id", "prompt_id", "task_id",
    "problem_id", "example_id", "item_id", "image_id", "query_id", "qid", "uid", "question",
    "query", "item", "case", "example", "problem", "sample", "image", "index", "idx",
)  # fmt: skip
FOLD = re.compile("(cv_?)?folds?|split|batch")
_WORDS = "all|a?mean|average|avg|overall|total|sum|aggregate|median|std|summary"
_WORDS += "|mittel(wert)?|durchschnitt|gesamt|summe|moyenne|promedio|media"
_SUMMARY = re.compile(
    rf"({_WORDS}|accuracy)\.?|({_WORDS})[ _-]*(\(.*\)|scores?|topics|tasks|queries|subjects|rows)|"
    "(macro|micro|weighted|samples)[ _-]?(avg|average|mean)"
)
_FEW = 3  # largest number of rows that may be summaries
_CLASS_REPORT = {"precision", "recall", "f1-score", "support"}
_DESCRIBED = {"count", "mean", "std", "min", "max"}
_SIZES = ("n", "count", "support", "size", "n_samples", "num_samples", "n_examples", "total")
OF_FOLDS = (
    "scores of folds go to "
    "errlab.crossval.corrected_resampled_t_interval(folds, n_train=..., n_test=...)"
)
_PREDICTIONS = "take the predictions for each example"
# Columns of tables whose rows aren't examples: what the rows are, and what to use instead.
_TABLES: tuple[tuple[set[str], str, str], ...] = (
    ({"mean_test_score", "params"}, "settings of a search (cv_results_)", OF_FOLDS),
    ({"fit_time", "score_time"}, "folds (cross_validate)", OF_FOLDS),
    ({"model", "score_val", "fit_time"}, "models of a leaderboard", _PREDICTIONS),
    ({"model", "score_val", "score_test"}, "models of a leaderboard", _PREDICTIONS),
    ({".metric", ".estimator"}, "metrics (collect_metrics)", "take collect_predictions()"),
    ({"learner_id", "resampling_id", "iteration"}, "folds of a benchmark (mlr3)", OF_FOLDS),
    ({"resample", "kappa"}, "folds (caret)", OF_FOLDS),
    ({"resample", "rmse"}, "folds (caret)", OF_FOLDS),
)


def plain(name: str) -> str:
    """Return a name in lower case, with _ between words, for comparison."""
    return re.sub(r"[\s.\-]+", "_", name.strip().lower()).strip("_")


def refuse_tables(table: Table) -> None:
    """Refuse tables whose rows are folds, settings, models or epochs instead of examples."""
    names = {name.lower() for name in table.names}
    for columns, rows, remedy in _TABLES:
        if columns <= names:
            raise ValueError(f"{table.source}: its rows are {rows}, not examples; {remedy}")
    if "resample" in names and any("~" in name for name in names):
        raise ValueError(f"{table.source}: its rows are folds (caret), not examples; {OF_FOLDS}")
    if {"name", "state"} <= names and any("/" in name for name in names):
        raise ValueError(f"{table.source}: its rows are runs (W&B), not examples; {_PREDICTIONS}")
    if "epoch" in names and any("loss" in name for name in names) and not names & set(CASES):
        raise ValueError(
            f"{table.source}: its rows are epochs of a training, not examples; {_PREDICTIONS}"
        )


def refuse_rates(table: Table) -> None:
    """Refuse scikit-learn's classification_report, which has rates of classes, not examples."""
    # as columns of a table, or as an object that holds an object for each class
    _refuse_report(table, {name.rpartition(".")[2] for name in table.names})


def _refuse_report(table: Table, names: set[str]) -> None:
    if names >= _CLASS_REPORT:
        raise ValueError(
            f"{table.source} is a classification_report: rates of classes and their averages, not "
            "examples; take the predictions, as in errlab.per_class(y_true, y_pred), or the table "
            "of counts, as in errlab.metric(table=confusion_matrix(y_true, y_pred), "
            "metric='f1_macro')"
        )


def refuse_rows(table: Table, case: str | None) -> None:
    """Refuse scores whose rows are statistics, folds, or rates over several examples.

    `case` is the column that --case or --id names.
    """
    first = table.names[0]
    if first not in table.values:
        texts = {str(text).strip().lower() for text in _texts(table, first)}
        _refuse_report(table, texts)
        if texts >= _DESCRIBED:
            raise ValueError(
                f"{table.source}: its rows are statistics (describe), not examples; {_PREDICTIONS}"
            )
    if not verdicts(table):
        _refuse_folds(table, case)
    for name in table.names:
        if plain(name) in _SIZES and name not in table.values:
            _refuse_shares(table, name)


def verdicts(table: Table) -> bool:
    """Whether all scores are 0 or 1, or words."""
    columns = [_numbers(table, name) for name in table.values]
    return all((np.isin(column, (0, 1)) | np.isnan(column)).all() for column in columns)


def _refuse_folds(table: Table, case: str | None) -> None:
    """Refuse tables with one row for each fold, because folds share their training sets."""
    for name in table.names:
        if FOLD.fullmatch(plain(name)) or plain(name) == "resample":
            values = _texts(table, name)
            if len(values) > 1 and (len(set(values)) == len(values) or name == case):
                raise ValueError(f"{table.source}: its rows are folds, not examples; {OF_FOLDS}")


def _refuse_shares(table: Table, name: str) -> None:
    """Refuse rows that are rates, because each times the row's number of examples is whole."""
    sizes = _numbers(table, name)
    for column in (_numbers(table, score) for score in table.values):
        counts = column * sizes
        some = (column > 0) & (column < 1)
        whole = np.abs(counts - np.round(counts)) < 0.05
        if (sizes >= 2).all() and some.sum() > _FEW and whole.all() and sizes.max() < 1000:
            raise ValueError(
                f"{table.source}: its rows are rates, each of several examples ({name} says of how "
                "many), not examples; use a table with a row for each example, and name its "
                "column of parts by --task"
            )


def leave_out_columns(table: Table) -> None:
    """Leave out a column of scores that is the mean of the other systems' scores."""
    for name in table.values if len(table.values) > 2 else []:
        others = [_numbers(table, other) for other in table.values if other != name]
        distance = np.abs(_numbers(table, name) - np.mean(others, axis=0))
        if _SUMMARY.fullmatch(name.strip().casefold()) and (distance < 6e-3).all():
            table.values = [other for other in table.values if other != name]
            table.remarks.append(f"Left out: {name}, the mean of the other columns.")
            return


def leave_out_of_board(table: Table, model: str, case: str) -> None:
    """Leave out the row of each model that summarises its others, such as its mean."""
    systems = _texts(table, model)
    words, rows = _words_and_summaries(table, case)
    once = len(rows) == len({systems[row] for row in rows}) == len(set(systems))
    if once and len({words[row] for row in rows}) == 1 and len(set(words)) > _FEW:
        _drop(table, case, rows)


def leave_out(table: Table) -> None:
    """Leave out rows that summarise the others: all, mean, macro avg."""
    names = {plain(name): name for name in reversed(table.names)}
    named = [
        *table.keys,
        *(names[name] for name in (*ROWS, *CASES, "name", "class") if name in names),
    ]
    for name in dict.fromkeys([*named, table.names[0]]):
        if name in table.values or name not in table.names:
            continue
        words, rows = _words_and_summaries(table, name)
        rows = rows or _mean_row(table, words)
        # a class may be called "mean", but summaries are the first or the last rows
        size, count = len(words), len(rows)
        at_an_end = rows in (list(range(count)), list(range(size - count, size)))
        distinct = len({words[row] for row in rows}) == count
        if 0 < count <= _FEW < size and distinct and at_an_end:
            _drop(table, name, rows)
            return


def _words_and_summaries(table: Table, name: str) -> tuple[list[str], list[int]]:
    """Return a column in lower case, and the rows whose word there means a summary."""
    words = [str(text or "").strip().casefold() for text in _texts(table, name)]
    return words, [row for row, word in enumerate(words) if _SUMMARY.fullmatch(word)]


def _drop(table: Table, name: str, rows: Sequence[int]) -> None:
    """Remove summaries from a table, and add a remark that lists their names in a column."""
    texts = _texts(table, name)
    listed = ", ".join(dict.fromkeys(str(texts[row] or "a row without a name") for row in rows))
    table.cases = [case for row, case in enumerate(table.cases) if row not in set(rows)]
    table.remarks.append(f"Left out: {listed} (in {name}), which sums up the other {table.unit}s.")


def _mean_row(table: Table, words: Sequence[str]) -> list[int]:
    """Return the first or last row if its name and scores say that it is the mean of the others.

    The names of the other rows contain a digit, and its name doesn't.
    """
    size = len(words)
    if size < 2 * _FEW:
        return []
    columns = [_numbers(table, name) for name in table.values]
    for row in (size - 1, 0):
        others = [other for other in range(size) if other != row]
        numbered = [bool(re.search(r"\d", word)) for word in words]
        if numbered[row] or not all(numbered[other] for other in others):
            continue
        if all(abs(c[row] - c[others].mean()) < 6e-5 and len(set(c)) > 2 for c in columns):
            return [row]
    return []


def _texts(table: Table, name: str) -> list[object]:
    if name not in table.cases[0][1]:
        table.add_columns([name])
    return [row.get(name) for _, row in table.cases]


def _numbers(table: Table, name: str) -> np.ndarray:
    """Return a column as numbers, with NaN for other values."""
    values = []
    for text in _texts(table, name):
        try:
            values.append(float(str(text)))
        except ValueError:
            values.append(np.nan)
    return np.array(values)
