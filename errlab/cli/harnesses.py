"""Logs of the harnesses of language models: what each calls a case, a score and a model.

A log says more than a table does: which model it is of, which cases were to be run, and whether
the run came to its end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from errlab._core import checks
from errlab.cli.table import Log, Name, Row, Table, leaves, of_rows

_LARGEST = 10**8  # bytes of a file beside another that is looked into
_USUAL = ("exact_match", "acc", "acc_norm", "pass@1", "f1")  # of logs that name no metrics
_GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}  # correct, incorrect, partial, no answer
_DATE = re.compile(r"samples_(.+)_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d+)")


def of_document(document: Row, source: str) -> Table | None:
    """Open a log that is one object, or say which file to take in its place."""
    if isinstance(document.get("samples"), list):
        return inspect(document, document["samples"], source)
    if "eval" in document and "status" in document:
        return inspect(document, [], source)
    if {"results", "configs", "versions"} <= document.keys():
        raise ValueError(
            f"{source} has the means of lm-evaluation-harness and no cases; take the "
            "samples_*.jsonl beside it, which lm_eval writes with --log_samples"
        )
    if isinstance(document.get("resolved_ids"), list):
        return swebench(document, source)
    return None


def of_lines(rows: dict[int, Row], source: str) -> Table | None:
    """Open a log that has an object in each line, if it is one."""
    first = next(iter(rows.values()))
    if {"doc_id", "filtered_resps"} <= first.keys():
        return lm_eval(rows, source)
    if "completion_fns" in (first.get("spec") or ()):
        return openai_evals(rows, source)
    return None


def inspect(header: Row, samples: Sequence[object], source: str) -> Table:
    """Open the samples of Inspect, sorted by epoch and id: a column for each scorer."""
    if not samples:
        raise ValueError(f"{source} has no samples; was the run logged without them?")
    scored = []
    for number, sample in enumerate(samples, 1):
        scored.append(_sample(sample, f"{source}, sample {number}", number))
    names = tuple(dict.fromkeys(name for _, _, scores in scored for name in scores))
    if not names:
        message = f"{source}: no sample has a score; score it, as in: inspect score {source}"
        raise ValueError(message)
    # a scorer may be called as a field of a sample is
    key, epoch = (f"sample.{name}" if name in names else name for name in ("id", "epoch"))
    # in the order of ids as numbers, where they are some: an archive is in that of completion
    scored.sort(key=lambda sample: (sample[1], sample[0].zfill(20)))
    rows = {}
    for number, (case, repeat, scores) in enumerate(scored, 1):
        rows[number] = {key: case, epoch: repeat, **scores}
    run = _object(header.get("eval"))
    log = Log(
        harness="scorer of Inspect",
        scores=names,
        keys=(key, epoch),
        # several epochs are several answers to one sample: it is the group
        group=key if scored[0][1] < scored[-1][1] else None,
        model=str(run.get("model") or ""),
        stopped=_stopped(header),
        planned=_planned(run),
    )
    return of_rows(rows, source, "sample", log)


def _stopped(header: Row) -> str:
    """Say why the run of a log of Inspect may not be whole."""
    status = header.get("status") or "success"
    if header.get("invalidated"):
        return "some of its samples were declared invalid"
    if status == "started":
        return "the run was killed, or is under way"
    if status == "success":
        return ""
    return f"the run broke off (status: {status})"


def _sample(sample: object, place: str, number: int) -> tuple[str, int, Row]:
    """Return the id, the epoch and the scores of a sample; one that failed has no scores."""
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
        if isinstance(value, str):
            grades[name] = _GRADES.get(value, value)
    return str(sample.get("id", number)), epoch, grades


def _planned(run: Row) -> list[Name]:
    """Return the samples that were to be run, in each epoch."""
    names = _object(run.get("dataset")).get("sample_ids")
    epochs = _object(run.get("config")).get("epochs") or 1
    if not isinstance(names, list) or type(epochs) is not int:
        return []
    return [(str(name), str(epoch)) for epoch in range(1, epochs + 1) for name in names]


def _object(value: object) -> Row:
    return value if isinstance(value, dict) else {}


def lm_eval(rows: dict[int, Row], source: str) -> Table:
    """Open samples of lm-evaluation-harness: each says which metrics it was given."""
    first = next(iter(rows.values()))
    metrics = first.get("metrics")
    if not isinstance(metrics, list) or not metrics:
        metrics = [name for name in _USUAL if name in first]
    task, results = _beside(source)
    size = _object(_object(results.get("n-samples")).get(task)).get("effective")
    cases = len({row["doc_id"] for row in rows.values() if isinstance(row.get("doc_id"), int)})
    stopped = ""
    if isinstance(size, int) and cases < size:
        stopped = f"the file holds {cases} of the {size} cases of the run"
    log = Log(
        harness="metric of lm-evaluation-harness",
        scores=tuple(map(str, metrics)),
        keys=("doc_id",),
        model=str(results.get("model_name") or ""),
        stopped=stopped,
    )
    return of_rows(rows, source, log=log)


def _beside(source: str) -> tuple[str, Row]:
    """Return the task of a file of samples, and the results that stand beside it, if they do."""
    path = Path(source)
    name = _DATE.fullmatch(path.name.partition(".jsonl")[0])
    if name is None:
        return "", {}
    results = path.with_name(f"results_{name.group(2)}.json")
    try:
        if results.stat().st_size > _LARGEST:
            return "", {}
        return name.group(1), _object(json.loads(results.read_bytes()))
    except (OSError, ValueError, RecursionError):
        return "", {}


def swebench(report: Row, source: str) -> Table:
    """Open the report of a run of SWE-bench: a case is resolved, or it is not."""
    if not isinstance(report.get("submitted_ids"), list):
        raise ValueError(f"{source} has no submitted_ids, so that unresolved cases are not known")
    resolved = _names(report, "resolved_ids")
    absent = _names(report, "incomplete_ids")
    cases = _names(report, "submitted_ids") | resolved
    for case in absent:
        cases.pop(case, None)
    rows = {}
    for number, case in enumerate(cases, 1):
        rows[number] = {"instance_id": case, "resolved": case in resolved}
    planned = [(case,) for case in (*cases, *absent)]
    log = Log(
        harness="report of SWE-bench",
        scores=("resolved",),
        keys=("instance_id",),
        # its name is MODEL.RUN.json
        model=Path(source).name.partition(".json")[0].rpartition(".")[0].replace("__", "/"),
        stopped=f"{len(absent)} of the {len(planned)} cases have no prediction" if absent else "",
        planned=planned,
    )
    return of_rows(rows, source, "case", log)


def _names(report: Row, key: str) -> dict[str, None]:
    """Return the cases that a report lists, in order and each once."""
    listed = report.get(key)
    return dict.fromkeys(map(str, listed)) if isinstance(listed, list) else {}


def openai_evals(rows: dict[int, Row], source: str) -> Table:
    """Open the events of OpenAI evals: those that say whether an answer matches."""
    matches = {number: row for number, row in rows.items() if row.get("type") == "match"}
    if not matches:
        kinds = dict.fromkeys(str(row["type"]) for row in rows.values() if "type" in row)
        listed = ", ".join(kinds) or "none at all"
        raise ValueError(f"{source} has no event of the type match, but {listed}")
    stopped = ""
    if not any("final_report" in row for row in rows.values()):
        stopped = "the run broke off (there is no final_report)"
    models = _object(next(iter(rows.values()))["spec"]).get("completion_fns")
    log = Log(
        harness="events of OpenAI evals",
        scores=("data.correct",),
        keys=("sample_id",),
        model=str(models[0]) if isinstance(models, list) and models else "",
        stopped=stopped,
    )
    return of_rows(matches, source, log=log)
