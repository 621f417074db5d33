"""Evidence that two files hold the same examples: columns that describe the examples in both.

An identifier is often only a position, so the third questions of two tasks have the same number.
Hashes, inputs, targets and tasks distinguish them.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

from errlab._core import checks
from errlab.cli.table import Table

_HASH = re.compile("hash|sha1|sha256|md5|checksum|digest|fingerprint")
# a hash of one of these is the same for all systems; that of an answer, a model or a run isn't
_HASHED = re.compile(
    "case|content|data|doc|document|example|input|instance|item|problem|prompt|query|question|"
    "record|reference|sample|target|task|text"
)
_QUESTIONS = {
    "doc", "document", "hypothesis", "image", "input", "inputs", "instruction", "passage",
    "premise", "problem", "problem_statement", "query", "question", "question_text", "sentence",
    "file", "filename", "file_name", "image_path", "image_file", "img", "sentence1", "text",
    "title", "url", "user_input", "utterance", "vars",
}  # fmt: skip
_TARGETS = {
    "answer_key", "choices", "correct_answer", "expectations", "expected", "expected_answer",
    "expected_output", "gold", "gold_answer", "gold_label", "ground_truth", "ideal", "options",
    "reference", "reference_outputs", "references", "target", "targets", "true_label", "truth",
    "y_true",
}  # fmt: skip
_TASKS = {"benchmark", "dataset", "dataset_name", "subject", "subset", "subtask", "task"}
_TASKS |= {"task_name", "split", "dataset_config", "lang", "language"}
_FEW = 10  # this many equal numbers may agree by chance
_PROMPTS = {"prompt", "full_prompt", "messages_in"}


def kind_of(name: str) -> str:
    """Return what a column describes: the question, target, task or prompt, or nothing."""
    plain = re.sub(r"[\s-]+", "_", name.strip().lower())
    if _HASH.search(plain):
        of = [word for word in re.split(r"[_.\d]+", _HASH.sub("", plain)) if word]
        if not all(map(_HASHED.fullmatch, of)):
            return ""
        if "prompt" in of:
            return "prompt"
        return "target" if {"target", "reference"} & set(of) else "question"
    first = plain.partition(".")[0]
    for kind, names in (
        ("question", _QUESTIONS),
        ("target", _TARGETS),
        ("task", _TASKS),
        ("prompt", _PROMPTS),
    ):
        if plain in names or first in names:
            return kind
    return ""


def witnesses(names: Sequence[str]) -> list[str]:
    """Return the columns that describe the examples themselves."""
    return [name for name in names if kind_of(name) and list(names).count(name) == 1]


def check(tables: Sequence[Table]) -> bool:
    """Refuse files with different examples under the same identifiers; both are in the same order.

    Return whether anything proves that the examples are the same. Prompts may differ if the
    questions are the same, because the comparison may be about two prompts.
    """
    first, *others = tables
    answers = {name for table in tables for name in table.values}
    # a list and not a generator, so that every table is checked
    proven = [_proves_same_examples(first, table, answers) for table in others]
    return all(proven)


def _proves_same_examples(first: Table, other: Table, answers: set[str]) -> bool:
    """Whether the columns in both files prove that their examples are the same."""
    # the true labels are compared later, as labels
    keys = {*first.keys, *answers, first.truth, other.truth}
    if first.scored:
        keys.add("text")  # a text beside scores may be a system's answer, not a question
    shared = [name for name in first.names if name in other.names and name not in keys]
    proven: set[str] = set()
    for wanted in ("question", "target", "task", "prompt"):
        # the same task may have two names, and the comparison may be about two prompts
        if wanted in ("task", "prompt") and "question" in proven:
            break
        for name in shared:
            if kind_of(name) == wanted and _agree(name, first, other):
                proven.add(wanted)
    if "question" not in proven and first.task and other.task and first.task != other.task:
        raise ValueError(
            f"{first.source} is of the task {first.task} and {other.source} of {other.task}, and "
            "no question shows that their examples are the same; compare runs of one task"
        )
    if any(kind_of(key) == "question" for key in first.keys):
        return True  # paired by question, so identifiers that differ don't matter
    for name in shared:
        if not kind_of(name):
            _refuse_order(name, first, other)
    return bool(proven) or bool(first.truth and other.truth)


def _agree(name: str, first: Table, other: Table) -> bool:
    """Whether a column agrees in both files and varies; raise an error if it differs."""
    one, two = ([plainly(value) for value in table.column(name)] for table in (first, other))
    # a value that is missing in one file is not a contradiction
    differ = [row for row, (x, y) in enumerate(zip(one, two, strict=True)) if x and y and x != y]
    if not differ:
        return len(set(one) & set(two) - {""}) > 1 or (len(one) == 1 and bool(one[0]))
    row = differ[0]
    remedy = f"compare runs on the same examples, or leave {name} out of one file if they are"
    if sorted(one) == sorted(two) and len(set(one)) == len(one):
        remedy = f"they are numbered differently: take --id {name}"
    case = ", ".join(map(" ".join, zip(first.keys, first.identified()[row], strict=True)))
    texts = ""
    if not _HASH.search(name.lower()):
        pair = [checks.show(str(table.column(name)[row])[:40]) for table in (first, other)]
        texts = f" ({' and '.join(pair)})"
    raise ValueError(
        f"{first.source} and {other.source} have different examples under the same "
        f"{first.keys[0]}: "
        f"{name} differs in {len(differ)} of {len(one)}, as in {case}{texts}; {remedy}"
    )


def _refuse_order(name: str, first: Table, other: Table) -> None:
    """Refuse a column with the same texts in both files, but assigned to different examples."""
    if not (name in first.cases[0][1] and name in other.cases[0][1]):
        return
    one, two = ([plainly(value) for value in table.column(name)] for table in (first, other))
    if one == two or sorted(one) != sorted(two):
        return
    distinct = len(set(one))
    texts = distinct == len(one) > 1 and not any(map(_is_number, one))
    # many equal numbers are no coincidence, unless they are ranks, such as consecutive whole
    # numbers
    numbers = [float(text) for text in one if _is_number(text)]
    many = 2 * distinct > len(one) > _FEW and not all(n.is_integer() for n in numbers)
    if texts or many:
        remedy = f"take --id {name}" if distinct == len(one) else "name the examples by --id"
        raise ValueError(
            f"{first.source} and {other.source} number their examples differently: {name} has "
            f"the same values in both, but of other examples by {first.keys[0]}; {remedy}"
        )


def plainly(value: Any) -> str:
    """Return a value as text that ignores differences in form, such as 1 and 1.0, or two blanks."""
    if value is None:
        return ""
    text = json.dumps(value, sort_keys=True, default=str) if isinstance(value, list) else str(value)
    text = " ".join(text.split()).casefold()
    return repr(float(text)) if _is_number(text) and len(text) < 16 else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
