"""Logs of the harnesses of language models: what each calls a case, a score and a model.

A log says more than a table does: which model it is of, which cases were to be run, and whether
the run came to its end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from errlab._core import checks
from errlab.cli.rows import Row, leaves, of_rows
from errlab.cli.table import Case, Table

_LARGEST = 10**8  # bytes of a file beside another that is looked into
_USUAL = ("exact_match", "acc", "acc_norm", "pass@1", "f1")  # of logs that name no metrics
_GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}  # correct, incorrect, partial, no answer
_DATE = re.compile(r"samples_(.+)_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d+)")


def of_document(whole: Row, source: str) -> Table | None:
    """Open a log that is one object, or say which file to take in its place."""
    if "eval" in whole and "status" in whole and not whole.get("samples"):
        raise ValueError(f"{source} has no samples; was the run logged without them?")
    if isinstance(whole.get("samples"), list):
        return inspect(whole, whole["samples"], source)
    if {"results", "configs", "versions"} <= whole.keys():
        raise ValueError(
            f"{source} has the means of lm-evaluation-harness and no cases; take the "
            "samples_*.jsonl beside it, which lm_eval writes with --log_samples"
        )
    if isinstance(whole.get("resolved_ids"), list):
        return swebench(whole, source)
    return None


def of_lines(found: dict[int, Row], source: str) -> Table | None:
    """Open a log that has an object in each line, if it is one."""
    first = next(iter(found.values()))
    if {"doc_id", "filtered_resps"} <= first.keys():
        return lm_eval(found, source)
    if "completion_fns" in (first.get("spec") or ()):
        return openai_evals(found, source)
    return None


def inspect(head: Row, samples: Sequence[object], source: str) -> Table:
    """Open the samples of Inspect, sorted by epoch and id: a column for each scorer."""
    found = [_sample(sample, f"{source}, sample {n}", n) for n, sample in enumerate(samples, 1)]
    if not found:
        raise ValueError(f"{source} has no samples; was the run logged without them?")
    # a scorer may be called as a field of a sample is
    names = list(dict.fromkeys(name for _, _, scores in found for name in scores))
    if not names:
        raise ValueError(
            f"{source}: no sample has a score; score it, as in: inspect score {source}"
        )
    key = "sample.id" if "id" in names else "id"
    epoch = "sample.epoch" if "epoch" in names else "epoch"
    # in the order of ids as numbers, where they are some: an archive is in that of completion
    found.sort(key=lambda sample: (sample[1], sample[0].zfill(20)))
    rows = [{key: name, epoch: number} | scores for name, number, scores in found]
    # several epochs are several answers to one sample: it is the group
    group = key if found[-1][1] > found[0][1] else None
    table = of_rows(dict(enumerate(rows, 1)), source, "sample")
    table = replace(table, scores=tuple(names), harness="scorer of Inspect", keys=(key, epoch))
    run = _object(head.get("eval"))
    planned = _planned(run)
    model = str(run.get("model") or "")
    return replace(table, group=group, model=model, planned=planned, stopped=_stopped(head))


def _stopped(head: Row) -> str:
    """Say why the run of a log of Inspect may not be whole."""
    status = head.get("status") or "success"
    if head.get("invalidated"):
        return "some of its samples were declared invalid"
    if status == "started":
        return "the run was killed, or is under way"
    return "" if status == "success" else f"the run broke off (status: {status})"


def _sample(sample: object, place: str, number: int) -> tuple[str, int, Row]:
    """Return the id, the epoch and the scores of a sample; one that failed has no scores."""
    if not isinstance(sample, dict):
        raise ValueError(f"{place}: an object is needed, got {checks.show(sample)}")
    epoch = sample.get("epoch", 1)
    scores = sample.get("scores") or {}
    if type(epoch) is not int:
        raise ValueError(f"{place}: epoch must be a whole number, got {checks.show(epoch)}")
    if not isinstance(scores, dict):
        raise ValueError(f"{place}: there are no scores, got {checks.show(scores)}")
    values = {n: s.get("value") if isinstance(s, dict) else s for n, s in scores.items()}
    row = leaves(values, place)
    graded = {n: _GRADES.get(v, v) if isinstance(v, str) else v for n, v in row.items()}
    return str(sample.get("id", number)), epoch, graded


def _planned(run: Row) -> list[Case]:
    """Return the samples that were to be run, in each epoch."""
    names = _object(run.get("dataset")).get("sample_ids")
    epochs = _object(run.get("config")).get("epochs") or 1
    if not (isinstance(names, list) and type(epochs) is int):
        return []
    return [(str(name), str(epoch)) for epoch in range(1, epochs + 1) for name in names]


def _object(value: object) -> Row:
    return value if isinstance(value, dict) else {}


def lm_eval(found: dict[int, Row], source: str) -> Table:
    """Open samples of lm-evaluation-harness: each says which metrics it was given."""
    table = of_rows(found, source)
    named = next(iter(found.values())).get("metrics")
    scores = [str(name) for name in named] if isinstance(named, list) else []
    scores = scores or [name for name in _USUAL if name in table.names]
    task, results = _beside(source)
    size = _object(_object(results.get("n-samples")).get(task)).get("effective")
    there = len({row["doc_id"] for row in found.values() if isinstance(row.get("doc_id"), int)})
    stopped = ""
    if isinstance(size, int) and there < size:
        stopped = f"the file holds {there} of the {size} cases of the run"
    harness = "metric of lm-evaluation-harness"
    table = replace(table, scores=tuple(scores), keys=("doc_id",), harness=harness)
    return replace(table, model=str(results.get("model_name") or ""), stopped=stopped)


def _beside(source: str) -> tuple[str, Row]:
    """Return the task of a file of samples, and the results that stand beside it, if they do."""
    path = Path(source)
    named = _DATE.fullmatch(path.name.partition(".jsonl")[0])
    if named is None:
        return "", {}
    other = path.with_name(f"results_{named.group(2)}.json")
    try:
        if other.stat().st_size > _LARGEST:
            return "", {}
        return named.group(1), _object(json.loads(other.read_bytes()))
    except (OSError, ValueError, RecursionError):
        return "", {}


def swebench(report: Row, source: str) -> Table:
    """Open the report of a run of SWE-bench: a case is resolved, or it is not."""
    lists = {name: list(map(str, v)) for name, v in report.items() if isinstance(v, list)}
    if "submitted_ids" not in lists:
        raise ValueError(f"{source} has no submitted_ids, so that unresolved cases are not known")
    resolved = set(lists["resolved_ids"])
    absent = lists.get("incomplete_ids", [])
    names = [*lists["submitted_ids"], *lists["resolved_ids"]]
    there = [name for name in dict.fromkeys(names) if name not in set(absent)]
    rows = [{"instance_id": name, "resolved": name in resolved} for name in there]
    table = of_rows(dict(enumerate(rows, 1)), source, "case")
    table = replace(table, scores=("resolved",), harness="report of SWE-bench")
    stopped = ""
    if absent:
        stopped = f"{len(absent)} of the {len(there) + len(absent)} cases have no prediction"
    planned = [(name,) for name in (*there, *absent)]
    # its name is MODEL.RUN.json
    model = Path(source).name.partition(".json")[0].rpartition(".")[0].replace("__", "/")
    return replace(table, keys=("instance_id",), planned=planned, stopped=stopped, model=model)


def openai_evals(found: dict[int, Row], source: str) -> Table:
    """Open the events of OpenAI evals: those that say whether an answer matches."""
    spec = _object(next(iter(found.values()))["spec"])
    rows = {n: row for n, row in found.items() if row.get("type") == "match"}
    if not rows:
        kinds = dict.fromkeys(str(row["type"]) for row in found.values() if "type" in row)
        said = f"{source} has no event of the type match, but {', '.join(kinds) or 'none at all'}"
        raise ValueError(said)
    table = of_rows(rows, source)
    ended = any("final_report" in row for row in found.values())
    stopped = "" if ended else "the run broke off (there is no final_report)"
    table = replace(table, scores=("data.correct",), keys=("sample_id",), stopped=stopped)
    models = spec.get("completion_fns")
    model = str(models[0]) if isinstance(models, list) and models else ""
    return replace(table, harness="events of OpenAI evals", model=model)
