"""Logs of evaluation harnesses for language models, with their names for examples and scores.

A log says more than a table: which model was run, on which examples, and whether the run was
completed.
"""

import contextlib
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from errlab._core import checks
from errlab.cli.table import Row, Table, leaves, of_rows

_USUAL = ("exact_match", "acc", "acc_norm", "pass@1", "f1")  # used if the log doesn't name a metric
# metrics that aren't means over examples
_OF_ALL = re.compile("perplexity|bits_per_byte|bleu|chrf|ter|brier")
_GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}  # correct, incorrect, partial, no answer


def of_document(document: Row, source: str) -> Table | None:
    """Open a log that is one object, or say which file to use instead."""
    match document:
        case {"samples": [*_]} | {"eval": _, "status": _}:
            return inspect(document, document.get("samples") or [], source)
        case {"results": _, "configs": _, "versions": _}:
            raise ValueError(
                f"{source} has the means of lm-evaluation-harness and no examples; take the "
                "samples_*.jsonl beside it, which lm_eval writes with --log_samples"
            )
        case {"resolved_ids": [*_]}:
            return swebench(document, source)
        case {"results": {"version": _, "results": [*rows]}} if rows:
            return promptfoo(rows, source)
        case (
            {"testCases": [*rows]}
            | {"test_cases": [*rows]}
            | {"testRunData": {"testCases": [*rows]}}
        ) if rows and isinstance(rows[0], dict):
            return deepeval(rows, source)
        case {"task_name": _, "scores": _, "mteb_version": _}:
            raise ValueError(
                f"{source} has the means of MTEB and no examples; its scores_per_experiment are "
                "those of repeated draws of training sets, not of examples"
            )
        case {"eval": {**tasks}} if tasks and all(
            isinstance(v, (list, dict)) for v in tasks.values()
        ):
            return evalplus(tasks, source)
    return None


def of_array(rows: list[Row], source: str) -> Table | None:
    """Open a log that is an array of objects, or return None if it isn't one."""
    match rows[0]:
        case {"instance_id": _, "stats": [{"name": {"name": _}}, *_]}:
            return helm(rows, source)
        case {"preference": _, "generator_1": _, "generator_2": _}:
            return alpaca_eval(rows, source)
    return None


def of_lines(rows: dict[int, Row], source: str) -> Table | None:
    """Open a log with an object on each line, or return None if it isn't one."""
    match next(iter(rows.values())):
        case {"doc_id": _, "filtered_resps": _}:
            return lm_eval(rows, source)
        case {"spec": {"completion_fns": models}}:
            return openai_evals(rows, models, source)
        case {"testIdx": _, "promptIdx": _, "success": _}:
            return promptfoo(list(rows.values()), source)
    return None


def _within(value: object, *path: str) -> Any:
    """Return the value at a path inside of nested objects, or None."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def inspect(header: Row, samples: Sequence[object], source: str) -> Table:
    """Open the samples of Inspect, sorted by epoch and id, with a column for each scorer."""
    if not samples:
        raise ValueError(f"{source} has no samples; was the run logged without them?")
    scored = [_sample(sample, source, number) for number, sample in enumerate(samples, 1)]
    names = dict.fromkeys(name for *_, scores in scored for name in scores)
    if not names:
        raise ValueError(
            f"{source}: no sample has a score; score it, as in: inspect score {source}"
        )
    # a scorer may have the name of a field of samples
    key, epoch, question, target = (
        f"sample.{name}" if name in names else name for name in ("id", "epoch", "input", "target")
    )
    rows = []
    for sample, (case, repeat, scores) in zip(samples, scored, strict=True):
        about = {question: _text(sample, "input"), target: _text(sample, "target")}
        # metadata that the task's author attached to the sample, such as its document
        metadata = {"metadata": _within(sample, "metadata") or {}}
        # skip fields whose name exists already
        with contextlib.suppress(ValueError, AttributeError):
            about |= {n: v for n, v in leaves(metadata, source).items() if n not in scores}
        rows.append({key: case, epoch: repeat, **scores, **about})
    # sort numeric ids as numbers, because archives are in order of completion
    rows.sort(key=lambda row: (row[epoch], row[key].zfill(20)))
    repeated = any(row[epoch] > 1 for row in rows)
    # the samples that each epoch should have
    ids = _within(header, "eval", "dataset", "sample_ids") or []
    epochs = _within(header, "eval", "config", "epochs") or 1
    planned = [(str(name), str(repeat + 1)) for repeat in range(epochs) for name in ids]
    # reasons why the run may be incomplete
    status = str(header.get("status") or "success")
    stopped = {"success": "", "started": "the run was killed, or is under way"}.get(
        status, f"the run broke off (status: {status})"
    )
    if header.get("invalidated"):
        stopped = "some of its samples were declared invalid"
    return replace(
        of_rows(dict(enumerate(rows, 1)), source, "sample"),
        harness="scorer of Inspect",
        scores=list(names),
        keys=(key, epoch),
        # epochs are repeated answers to one sample, so they form a group
        group=key if repeated else None,
        system=_within(header, "eval", "model") or "",
        task=str(_within(header, "eval", "task") or ""),
        reported=_of_inspect(header),
        stopped=stopped,
        planned=planned,
    )


def _of_inspect(header: Row) -> dict[str, tuple[float, float | None]]:
    """Return the mean and standard error of each scorer that Inspect reports."""
    reported: dict[str, tuple[float, float | None]] = {}
    for score in _within(header, "results", "scores") or []:
        metrics = _within(score, "metrics")
        values = [_within(metrics, name, "value") for name in ("accuracy", "mean")]
        value = next((v for v in values if isinstance(v, (int, float))), None)
        error = _within(metrics, "stderr", "value")
        if value is not None and isinstance(error, (int, float)):
            reported[str(score.get("name"))] = (float(value), float(error))
    return reported


def _text(sample: object, name: str) -> str | None:
    """Return the text of a sample's input or target, also from messages and lists."""
    value = _within(sample, name)
    parts = value if isinstance(value, list) else [value]
    # leave out message identifiers, which differ between runs
    texts = [part.get("content", part) if isinstance(part, dict) else part for part in parts]
    return " ".join(map(str, texts)) if value is not None else None


def _sample(sample: object, source: str, number: int) -> tuple[str, int, Row]:
    """Return the id, epoch and scores of a sample; failed samples have no scores."""
    place = f"{source}, sample {number}"
    if not isinstance(sample, dict):
        raise ValueError(f"{place}: an object is needed, got {checks.show(sample)}")
    epoch = sample.get("epoch", 1)
    if type(epoch) is not int:
        raise ValueError(f"{place}: epoch must be a whole number, got {checks.show(epoch)}")
    scores = sample.get("scores") or {}
    if not isinstance(scores, dict):
        raise ValueError(f"{place}: there are no scores, got {checks.show(scores)}")
    values = {}
    for name, score in scores.items():
        values[name] = score.get("value") if isinstance(score, dict) else score
    grades = leaves(values, place)
    for name, value in grades.items():
        grades[name] = _GRADES.get(str(value), value)
    return str(sample.get("id", number)), epoch, grades


def lm_eval(rows: dict[int, Row], source: str) -> Table:
    """Open samples of lm-evaluation-harness, each of which lists its metrics."""
    first = next(iter(rows.values()))
    metrics = first.get("metrics")
    if not isinstance(metrics, list) or not metrics:
        metrics = [name for name in _USUAL if name in first]
    # results_DATE.json is in the folder of samples_TASK_DATE.jsonl, unless somebody has moved it
    path = Path(source)
    task, _, date = path.name.partition(".jsonl")[0].rpartition("_")
    results = None
    with contextlib.suppress(OSError, ValueError, RecursionError):
        results = json.loads(path.with_name(f"results_{date}.json").read_bytes())
    name = task.removeprefix("samples_")
    size = _within(results, "n-samples", task.removeprefix("samples_"), "effective")
    cases = len({str(row.get("doc_id")) for row in rows.values()})
    stopped = ""
    if isinstance(size, int) and cases < size:
        stopped = f"the file holds {cases} of the {size} examples of the run"
    pairs = [str(name) for name in metrics if _pairs(rows, str(name))]
    metrics = [str(name) for name in metrics if str(name) not in pairs]
    # scores of single examples come before those computed from all examples at once
    metrics.sort(key=lambda name: bool(_OF_ALL.search(name)))
    filters = {str(row.get("filter", "none")) for row in rows.values()}
    return replace(
        of_rows(rows, source),
        harness="metric of lm-evaluation-harness",
        scores=metrics,
        pairs=pairs,
        task=name if isinstance(size, int) else "",
        reported={
            metric: _reported(_within(results, "results", name), metric, filters)
            for metric in metrics
        },
        groups_reported=[
            f"The harness itself has {group} {value:.4g}, standard error {error:.3g}."
            for group, numbers in (_within(results, "groups") or {}).items()
            for value, error in [_reported(numbers, metrics[0], filters)]
            if error is not None
        ]
        if metrics
        else [],
        keys=("doc_id",),
        system=_within(results, "model_name") or "",
        stopped=stopped,
    )


def _pairs(rows: dict[int, Row], metric: str) -> bool:
    """Split pairs of true and predicted labels into two columns; return whether there are any.

    The harness logs such pairs for metrics that aren't means over examples, such as mcc and f1.
    """
    if not re.search("mcc|f1|kappa", metric):
        # the pair is a log-likelihood and a number of words, or a text and its reference
        return False
    for row in rows.values():
        pair = row.get(metric)
        if not isinstance(pair, list) or len(pair) != 2:
            return False
        if any(isinstance(value, (list, dict)) for value in pair):
            return False
    for row in rows.values():
        row[f"{metric}.true"], row[f"{metric}.pred"] = row.pop(metric)
    return True


def _reported(numbers: object, metric: str, filters: set[str]) -> tuple[float, float | None]:
    """Return the mean and standard error that the harness reports, if it does."""
    for name in sorted(filters):
        value = _within(numbers, f"{metric},{name}")
        error = _within(numbers, f"{metric}_stderr,{name}")
        if isinstance(value, (int, float)) and isinstance(error, (int, float)):
            return float(value), float(error)
    return 0.0, None


def evalplus(tasks: dict[Any, Any], source: str) -> Table | None:
    """Open results of EvalPlus: whether each sample passes the base and the added tests."""
    rows = []
    for task, samples in tasks.items():
        if isinstance(samples, dict):  # before 2024: a list of samples for each kind of test
            kinds = [samples.get("base") or [], samples.get("plus") or samples.get("base") or []]
            states = [(base[0], plus[0]) for base, plus in zip(*kinds, strict=False)]
        else:
            try:
                states = [
                    (s["base_status"], s.get("plus_status") or s["base_status"]) for s in samples
                ]
            except (KeyError, TypeError):
                return None
        for number, (base, plus) in enumerate(states):
            passed = base == "pass"
            rows.append(
                {
                    "task_id": task,
                    "sample": number,
                    "plus": passed and plus == "pass",
                    "base": passed,
                }
            )
    repeated = any(row["sample"] for row in rows)
    return replace(
        of_rows(dict(enumerate(rows, 1)), source, "sample"),
        harness="results of EvalPlus, plus means base and added tests pass",
        scores=["plus", "base"],
        keys=("task_id", "sample"),
        group="task_id" if repeated else None,
    )


def promptfoo(results: list[Any], source: str) -> Table:
    """Open results of promptfoo: one row for each test, prompt and provider."""
    rows = [
        {
            "test": row.get("testIdx", number),
            "provider": str(_within(row, "provider", "id") or row.get("provider") or ""),
            "prompt": str(row.get("promptIdx", 0)),
            "success": row.get("success"),
            "score": row.get("score"),
            **leaves({"vars": row.get("vars") or {}}, source),
        }
        for number, row in enumerate(results)
        if isinstance(row, dict)
    ]
    systems = {(row["provider"], row["prompt"]) for row in rows}
    if len(systems) > 1:
        name = "provider" if len({provider for provider, _ in systems}) > 1 else "prompt"
        remedy = f"keep one, as in --where {name}={rows[0][name]}"
    else:
        remedy = ""
    return replace(
        of_rows(dict(enumerate(rows, 1)), source, "result"),
        harness="results of promptfoo",
        scores=["success", "score"],
        keys=("test",),
        system=rows[0]["provider"] if len(systems) == 1 else "",
        repeated=remedy,
    )


def deepeval(cases: list[Any], source: str) -> Table:
    """Open a test run of DeepEval: whether each example passed, and its score on each metric."""
    rows = []
    for number, case in enumerate(cases, 1):
        metrics = case.get("metricsData") or case.get("metrics_data") or []
        scores = {str(_within(m, "name")): _within(m, "score") for m in metrics}
        name = str(case.get("name", number))
        # the names are only positions, such as test_case_0, so identify examples by their questions
        question = case.get("input")
        target = case.get("expectedOutput") or case.get("expected_output")
        about = {"name": name, "input": question, "expected_output": target}
        rows.append({**about, "success": case.get("success"), **scores})
    names = dict.fromkeys(name for row in rows for name in row if name not in about)
    return replace(
        of_rows(dict(enumerate(rows, 1)), source, "test example"),
        harness="test run of DeepEval",
        scores=list(names),
        keys=("name",),
    )


def helm(instances: list[Row], source: str) -> Table:
    """Open the per-instance statistics of HELM: the mean of each statistic."""
    rows = []
    for row in instances:
        stats = row["stats"] if isinstance(row.get("stats"), list) else []
        scores = {str(_within(s, "name", "name")): _within(s, "mean") for s in stats}
        perturbation = _within(row, "perturbation", "name") or "none"
        trial = row.get("train_trial_index", 0)
        rows.append(
            {"instance_id": row["instance_id"], "trial": trial, "perturbation": perturbation}
            | scores
        )
    about = ("instance_id", "trial", "perturbation")
    names = list(dict.fromkeys(name for row in rows for name in row if name not in about))
    usual = [name for name in (*_USUAL, "quasi_exact_match") if name in names]
    repeated = len({row["instance_id"] for row in rows}) < len(rows)
    # a perturbed question is another setting, not a repeat
    perturbations = {row["perturbation"] for row in rows}
    first = "none" if "none" in perturbations else min(perturbations)
    return replace(
        of_rows(dict(enumerate(rows, 1)), source, "instance"),
        harness="statistics of HELM",
        scores=[*usual, *(name for name in names if name not in usual)],
        keys=about,
        group="instance_id" if repeated else None,
        repeated=f"keep one, as in --where perturbation={first}" if len(perturbations) > 1 else "",
    )


def alpaca_eval(annotations: list[Row], source: str) -> Table:
    """Open the annotations of AlpacaEval: the preference for the second output over the first."""
    rows = []
    for row in annotations:
        preference = row.get("preference")
        win = None
        if isinstance(preference, (int, float)) and preference >= 1:
            win = preference - 1  # 1 means that the first is preferred, 2 the second, 1.5 a tie
        rows.append({"instruction": row.get("instruction"), "win": win})
    names = [str(annotations[0].get(f"generator_{side}")) for side in (2, 1)]
    return replace(
        of_rows(dict(enumerate(rows, 1)), source, "annotation"),
        harness=f"win rate against {names[1]}, a tie is half, in AlpacaEval",
        scores=["win"],
        keys=("instruction",),
        system=names[0],
    )


def swebench(report: Row, source: str) -> Table:
    """Open a SWE-bench report: whether each example is resolved."""
    if not isinstance(report.get("submitted_ids"), list):
        raise ValueError(
            f"{source} has no submitted_ids, so that unresolved examples are not known"
        )
    # remove duplicates, and keep the order
    submitted, resolved, absent = (
        dict.fromkeys(map(str, report.get(f"{kind}_ids") or ()))
        for kind in ("submitted", "resolved", "incomplete")
    )
    cases = [case for case in submitted | resolved if case not in absent]
    rows = [{"instance_id": case, "resolved": case in resolved} for case in cases]
    planned = [(case,) for case in (*cases, *absent)]
    empty = len(set(map(str, report.get("empty_patch_ids") or ())) & set(cases))
    patches = f", {empty} with an empty patch count as unresolved" if empty else ""
    return replace(
        of_rows(dict(enumerate(rows, 1)), source, "example"),
        harness=f"report of SWE-bench{patches}",
        scores=["resolved"],
        keys=("instance_id",),
        # the file name is MODEL.RUN.json
        system=Path(source).name.partition(".json")[0].rpartition(".")[0].replace("__", "/"),
        stopped=f"{len(absent)} of the {len(planned)} examples have no prediction"
        if absent
        else "",
        planned=planned,
    )


def openai_evals(rows: dict[int, Row], models: object, source: str) -> Table:
    """Open the events of OpenAI evals that say whether an answer is right."""
    matches = {number: row for number, row in rows.items() if row.get("type") == "match"}
    if not matches:
        kinds = dict.fromkeys(str(row["type"]) for row in rows.values() if "type" in row)
        listed = ", ".join(kinds) or "none at all"
        raise ValueError(f"{source} has no event of the type match, but {listed}")
    whole = any("final_report" in row for row in rows.values())
    return replace(
        of_rows(matches, source),
        harness="events of OpenAI evals",
        scores=["data.correct"],
        keys=("sample_id",),
        system=models[0] if isinstance(models, list) and models else "",
        stopped="" if whole else "the run broke off (there is no final_report)",
    )
