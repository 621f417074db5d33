"""The role of each column of a file, and which examples count, according to the options."""

import re
from argparse import Namespace
from collections.abc import Sequence

from errlab.cli import files, pairing, repeats, summaries
from errlab.cli.table import Table

IDS = ("id", "instance_id", "doc_id", "sample_id", "case_id", "question_id", "prompt_id", "task_id")
# Column names, with or without _id, of independent groups.
GROUPS = re.compile(
    "author|batch|center|clinic|cluster|conversation|customer|device|document|family|group|"
    "hospital|household|participant|patient|person|prompt|repo|repository|scanner|scene|session|"
    "site|source|speaker|subject|template|user|video"
)
TRUTH = "y_true"  # default name of the column of true labels
_PREDICTIONS = (("y_pred",), ("pred_a", "pred_b"), ("y_pred_a", "y_pred_b"), ("predicted",))
# Column names of true and predicted labels in other programs.
_PAIRS = [
    (truth, prediction)
    for truth, predictions in (
        ("target", "prediction predicted pred"),
        ("gold", "answer prediction predicted pred"),
        ("gold_label", "predicted_label pred_label prediction"),
        ("label", "prediction predicted pred predicted_label pred_label"),
        ("labels", "predictions preds"),
        ("true", "pred predicted prediction"),
        ("true_label", "predicted_label pred_label prediction"),
        ("truth", "prediction pred estimate response guess .pred_class"),
        ("obs", "pred"),
        ("actual", "prediction pred"),
        ("reference", "prediction"),
        ("ground_truth", "prediction predicted pred"),
        ("expected", "actual predicted prediction"),
        ("y", "y_hat yhat y_pred pred"),
        ("y_test", "y_pred y_hat"),
        ("class", "predicted_class prediction .pred_class"),
        ("response", "predict"),  # H2O
        ("wahrheit", "vorhersage"),
        ("réel", "prédit"),
        ("vérité", "prédiction"),
    )
    for prediction in predictions.split()
]
# Words in the names of columns of scores.
_SCORE = {
    "acc", "accuracy", "correct", "correctness", "outcome", "pass", "passed", "reward", "score",
    "scores", "success", "win",
}  # fmt: skip
# Words in the names of columns of losses, and words that reverse their meaning.
_LOSS = re.compile(
    "loss(es)?|err(or)?s?|wrong|incorrect|mistakes?|misclassified|[wcp]er|r?mse|mae|mape|brier|nll|"
    "deviance|cross_?entropy|perplexity|ppl|toxic(ity)?|hallucinat(ed|ions?)|fail(ed|ures?)|regret|"
    "penalty|eer"
)
_TURNED = {"neg", "negative", "no", "not", "non", "without", "minus"}
# predictions of tidymodels and SPSS, where the column of true labels may have any name
_WITHOUT_TRUTH = (".pred_class", "PGR_1")
_RESAMPLE = re.compile(r"((fold|rep(eat)?|resample|seed|boot(strap)?|epoch)[ _.-]?\d+[ _.-]?)+")
_NUMBER = re.compile(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?")
# columns that name the system in a table with one row for each system and example; eval_id is a run
# in Inspect's samples_df
_LONG = ("model", "system", "classifier", "eval_id")


def read(options: Namespace, path: str) -> Table:
    """Read the columns of a file that the options name."""
    return read_table(options, files.opened(path))


def read_table(options: Namespace, table: Table) -> Table:
    """Read the columns of an open table that the options name."""
    path = table.source
    summaries.refuse_rates(table)
    # a row with a true label is an example, not a summary
    if true_labels(table.names) not in table.names and not usual_pairs(table.names):
        summaries.refuse_tables(table)
    _usual_pair(options, table)
    settle(options, table)
    table.add_planned()
    if options.where:
        _select(options.where, table)
    if table.scores and "filter" in table.names:
        filters = list(dict.fromkeys(map(str, table.column("filter"))))
        if len(filters) > 1:
            raise ValueError(
                f"{path} has the answers of {len(filters)} filters ({', '.join(filters)}); keep "
                f"one, as in --where filter={filters[0]}"
            )
    if table.repeated and not options.where and not options.model:
        raise ValueError(f"{path} has several answers to each example: {table.repeated}")
    repeats.settle(options, table)
    table.check(complete(options, table))
    return table


def usual_pairs(names: Sequence[str]) -> list[list[str]]:
    """Return the pairs of columns with usual names for true and predicted labels."""
    pairs: list[list[str]] = []
    for pair in _PAIRS:
        columns = _in_any_case(names, *pair)
        if columns and columns not in pairs:
            pairs.append(columns)
    for prediction in _WITHOUT_TRUTH if not pairs else ():
        no_label = re.compile(r"\.\w+|id2?|splits|(PRE|PGR|RES|ZRE)_\d")
        if prediction in names:
            pairs = [[name, prediction] for name in names if not no_label.fullmatch(name)]
    spelt = {name.lower(): name for name in names}
    return pairs or [
        [truth, spelt[prediction]]
        for truth in names
        for prediction in _predictions_of(truth.lower())
        if prediction in spelt
    ]


def _predictions_of(truth: str) -> set[str]:
    """Return the names that KNIME, RapidMiner, SAS and others give to a column's prediction."""
    names = {f"{word}{gap}({truth})" for word in ("prediction", "predicted") for gap in ("", " ")}
    names |= {f"{truth}_{word}" for word in ("pred", "predicted", "prediction")}
    names |= {f"{word}_{truth}" for word in ("pred", "predicted", "prediction")}
    return names | ({f"i_{truth.removeprefix('f_')}"} if truth.startswith("f_") else set())


def _usual_pair(options: Namespace, table: Table) -> None:
    """Use the only pair of columns with usual names for labels and predictions, if any."""
    if options.pred or options.true != TRUTH:
        return
    asked = [*(options.score or []), options.metric, *table.pairs[: not table.scores]]
    metric = next((name for name in asked if name in table.pairs), "")
    if metric and len(options.score or []) < 2:  # the log holds pairs of labels for this metric
        options.true, options.pred, options.score = f"{metric}.true", [f"{metric}.pred"], None
        options.metric = options.metric or metric
        return
    if options.score or table.scores:
        return
    if true_labels(table.names) in table.names:
        return
    pairs = usual_pairs(table.names)
    if len(pairs) == 1:
        options.true, options.pred = pairs[0][0], pairs[0][1:]


def _select(where: Sequence[tuple[str, str]], table: Table) -> None:
    """Keep the examples that match `--where`, comparing values as strings."""
    cases = table.cases
    for name, text in where:
        # JSON's true is Python's True
        spellings = {text, text.capitalize()} if text in ("true", "false") else {text}
        cases = [case for case in cases if str(case[1][name]) in spellings]
    if not cases:
        conditions = " and ".join(map("=".join, where))
        raise ValueError(f"{table.source} has no example with {conditions}")
    table.cases = cases


def complete(options: Namespace, table: Table) -> str:
    """Handle missing values and aborted runs as --missing says.

    Returns what may be done about an example without a value, where it is not said.
    """
    values = table.values
    answered = [case for case in table.cases if all(case[1][name] is not None for name in values)]
    stopped = table.stopped
    if len(answered) == len(table.cases) and not stopped:
        return ""
    kind = "score" if table.scored else "prediction"
    state = f"{len(answered)} of {len(table.cases)} {table.unit}s have a {kind}"
    if stopped:
        state = f"{stopped}; {state}"
    worst = (options.range or (0, 1))[options.lower_is_better]
    if options.missing is None:
        remedy = "--missing drop leaves the others out"
        if table.scored:
            remedy += f", --missing wrong counts them as {worst:g}"
        if stopped:
            raise ValueError(
                f"{table.source}: {state}, and samples that finish first are rarely like the "
                "others; "
                f"{remedy}"
            )
        return f"; {state}; {remedy}"
    if options.missing == "drop":
        if not answered:
            raise ValueError(f"{table.source}: no example has a {kind}")
        table.cases = answered
        table.note = f"{state}; the others are left out."
        return ""
    if not table.scored:
        raise ValueError("--missing wrong is for scores; for labels take --missing drop")
    if stopped and not table.planned:
        raise ValueError(f"{table.source}: {state}, and which others were to be run is not known")
    for _, row in table.cases:
        row.update({name: worst for name in values if row[name] is None})
    table.note = f"{state}; the others count as {worst:g}."
    return ""


def settle(options: Namespace, table: Table) -> None:
    """Assign a role to each column and read those that are needed; refuse missing ones."""
    names = table.names
    several = len(options.files) > 1
    true = true_labels(names, options.true)
    # a harness's log holds scores, unless predictions are requested
    table.scored = bool(options.score or (table.scores and not options.pred))
    # columns that may hold the predictions of a system
    apart = {true, options.id, options.group, options.model, *IDS, *dict(options.where)}
    free = [name for name in names if name not in apart]
    table.values = _prediction_columns(options, table, free, true)
    # one of several files may hold the true labels for all
    elsewhere = several and true not in names and set(table.values) <= set(names)
    if not (table.scored or elsewhere):
        table.truth = true
    if options.id:
        table.keys = (options.id,)
        table.planned = ()  # the log identifies its examples by other columns
    elif several and not table.keys:
        table.keys = tuple(name for name in names if name in IDS)[:1]
    table.group = options.group or table.group
    option = "--score" if table.scored else "--pred"
    for columns, role in (
        ([table.truth], "--true"),
        (table.values, option),
        (table.keys, "--id"),
        ([table.group], "--group"),
        ([options.model], "--model"),
        ([options.task], "--task"),
        (dict(options.where), "--where"),
    ):
        table.roles |= dict.fromkeys(filter(None, columns), role)
    fault = _column_problem(options, table, free, option)
    if fault:
        raise ValueError(fault)
    if table.scored and not options.lower_is_better:
        _refuse_losses(table)
    # further columns that help to detect a mistake
    others = [name for name in names if groups_by_name(name) or name == "filter"]
    if several:  # these may prove that the examples are the same
        others += [name for name in names if names.count(name) == 1]
    elif options.model:
        others += pairing.witnesses(names)
    table.read([*table.roles, *others, *of_systems(table)])


def _prediction_columns(
    options: Namespace, table: Table, free: Sequence[str], true: str
) -> Sequence[str]:
    """Return the columns with the systems' predictions: the named ones, or by usual names."""
    named: Sequence[str] | None = options.pred
    if table.scored:
        named = options.score or table.scores[:1]
    if named:
        return named
    if options.command != "report" and len(options.files) == 1 and free:
        free = [n for n in free if summaries.plain(n) not in (*summaries.ROWS, *summaries.CASES)]
        usual = [name for name in free if name.startswith(("pred", "y_pred"))]
        if len(free) > 1 and all(map(_RESAMPLE.fullmatch, map(str.lower, free))):
            raise ValueError(
                f"{table.source}: by their names, {free[0]} to {free[-1]} are repeats of one "
                "system: put them into one column, with a row for each example and repeat, or name "
                f"systems by {'--score' if table.scored else '--pred'}"
            )
        return usual if len(usual) > 1 else free
    return predictions(table.names, true)


def of_systems(table: Table) -> list[str]:
    """Return the columns that name systems, which only a long table has."""
    return [name for name in table.names if name.lower() in _LONG]


def _score_column(options: Namespace, free: Sequence[str]) -> str:
    """Return the named or the only column of scores or predictions, for an error's advice."""
    named = options.score or options.pred
    candidates = named or free
    return str(candidates[0]) if named or len(free) == 1 else "COLUMN"


def _long_table_remedy(options: Namespace, table: Table, free: Sequence[str]) -> str:
    """Return the call for a long table of systems, if this looks like one."""
    systems = of_systems(table)
    if not systems or len(options.files) != 1 or options.command == "report":
        return ""
    score = _score_column(options, free)
    call = f"compare --model {systems[0]} --case {options.id or 'COLUMN'} --score {score}"
    return f"; a long table of systems takes {call}"


def _need_columns(options: Namespace, table: Table, free: Sequence[str], remedy: str) -> None:
    """Refuse a table without a header, or without a column that a role needs."""
    named = options.score or options.pred
    score = _score_column(options, free)
    if not named:
        score = _likely_score(free) or score
    hints = {"--true": remedy or f"; for scores, or 0 and 1, say --score {score}"}
    if not named:
        hints["--pred"] = f"; name predictions, as in --pred {score}"
    absent = [name for name in table.roles if name not in table.names]
    if absent and len(table.names) > 1 and all(map(_NUMBER.fullmatch, table.names)):
        raise ValueError(
            f"{table.source} has no header, as its first line is {','.join(table.names)[:60]}: "
            "write one above it, such as y_true,y_pred"
        )
    for name, role in table.roles.items():
        table.need(name, role, hints.get(role, ""))


def _column_problem(options: Namespace, table: Table, free: Sequence[str], option: str) -> str:
    """Return the reason why these columns can't be used, if any; refuse missing columns."""
    values = table.values
    files = len(options.files)
    systems = max(files, len(values))
    remedy = _long_table_remedy(options, table, free)
    _need_columns(options, table, free, remedy)
    if table.truth in values:
        return f"--pred must name a column of predictions, got {table.truth}"
    if len(set(values)) < len(values):
        return f"columns must differ, got {values[0]} twice"
    if files > 1 and len(values) > 1:
        return f"{option} must name one column where there are several files, got {len(values)}"
    if options.margin is not None and (systems != 2 or options.model):
        return f"--margin is for two systems, got {systems}; for two columns give {option} twice"
    if options.model:
        if systems > 1 or not table.scored or not options.id:
            return (
                "--model is for one long table, with one --score, and its examples named by --case"
            )
        return ""
    if systems > 2 and options.command != "compare":
        limit = f"errlab {options.command} can be of one or two systems"
        return f"{limit}, got {systems}; for more take compare"
    if systems == 1 and options.command != "report":
        remedy = remedy or f"; name two columns or more by {option}, or give a file for each"
        lack = f"{options.command} needs two systems, but {table.source} has one, {values[0]}"
        return lack + remedy
    if systems < 3 and options.baseline is not None:
        return f"--baseline is for three systems or more, got {systems}"
    if not table.scored and (options.range or options.lower_is_better):
        return "--range and --lower-is-better are for scores: name them by --score"
    if files > 1 and not table.keys:
        lack = (
            f"{table.source} must say what each example is called: files are aligned by identifiers"
        )
        return f"{lack}, never by the order of rows; name the column with --id"
    return ""


def _refuse_losses(table: Table) -> None:
    """Refuse scores from a column whose name says that it holds losses."""
    if "lm-evaluation-harness" in table.harness:
        return  # its perplexity is a log-likelihood, so higher is better
    for name in table.values:
        words = set(re.split(r"[\s./_~-]+", re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()))
        if any(map(_LOSS.fullmatch, words)) and not words & _TURNED:
            raise ValueError(
                f"{table.source}: by its name, {name} is low for good examples: say "
                "--lower-is-better, or else rename the column"
            )


def _likely_score(names: Sequence[str]) -> str:
    """Return the only column whose name looks like scores, or nothing."""
    likely = [name for name in names if _SCORE & set(re.split(r"[./_ ]+", name.lower()))]
    return likely[0] if len(likely) == 1 else ""


def groups_by_name(name: str) -> bool:
    """Whether a column's name looks like groups, and isn't a usual identifier of examples."""
    return bool(GROUPS.fullmatch(name.lower().removesuffix("_id"))) and name not in IDS


def true_labels(names: Sequence[str], wanted: str = TRUTH) -> str:
    """Return the column of true labels: the named one, or a usual name in any case."""
    if wanted != TRUTH:
        return wanted
    return (_in_any_case(names, TRUTH) or _in_any_case(names, "actual") or [TRUTH])[0]


def _in_any_case(names: Sequence[str], *usual: str) -> list[str]:
    """Return the columns with these names, or the only ones that differ in capitals alone."""
    columns = []
    for name in usual:
        alike = [other for other in names if other.lower() == name]
        if name in alike:
            alike = [name]
        if len(alike) != 1:
            return []
        columns += alike
    return columns


def predictions(names: Sequence[str], truth: str = TRUTH) -> list[str]:
    """Return the columns of predictions if the user hasn't named them."""
    for usual in _PREDICTIONS:
        columns = _in_any_case(names, *usual)
        if columns:
            return columns
    others = [name for name in names if name not in (truth, *IDS)]
    if len(others) == 2 and truth in names:
        return others
    return ["y_pred"]
