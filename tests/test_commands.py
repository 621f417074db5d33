"""The command line, as data/commands.txt specifies it: files, commands, and what they print."""

import bz2
import errno
import functools
import gzip
import hashlib
import io
import json
import lzma
import re
import shlex
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import classification_report
from sklearn.model_selection import RepeatedKFold
from tables import DATA, sections

import errlab
from errlab.__main__ import main

LOGS = DATA / "logs"
SECTIONS = dict(sections("commands.txt"))

# --- the files and values that the stored commands name

RNG = np.random.default_rng(17)
N = 300
TRUE = RNG.integers(0, 2, N)
OLD, NEW, THIRD = (np.where(RNG.random(N) < p, 1 - TRUE, TRUE) for p in (0.3, 0.1, 0.2))
SOLVED = (OLD == TRUE).astype(int)
BOARD = {f"m{i}": (RNG.random(500) < 0.4 + 0.05 * i).astype(int) for i in range(8)}
LONG = pd.concat(
    pd.DataFrame({"model": name, "item": [f"q{j}" for j in range(500)], "score": column})
    for name, column in BOARD.items()
).assign(repo=np.tile(np.arange(500) % 40, 8))
QUESTIONS = [f"What is {i} + {3 * i}?" for i in range(40)]
BASE = pd.DataFrame({
    "id": range(40), "question": QUESTIONS, "target": [str(4 * i) for i in range(40)],
    "answer": "?", "correct": RNG.integers(0, 2, 40),
})  # fmt: skip
SECOND = BASE.assign(answer=BASE["target"][::-1].to_numpy(), correct=RNG.integers(0, 2, 40))
SHUFFLED = SECOND.sample(frac=1, random_state=1).assign(id=range(40))
EPOCHS = pd.concat(BASE[["id"]].assign(epoch=e, correct=RNG.integers(0, 2, 40)) for e in range(3))
CROSSED = pd.DataFrame({
    "filename": [f"{i}.png" for i in range(20)] * 3, "seed": np.repeat(range(3), 20),
    "y_true": [0, 1, 1, 0, 1] * 12, "y_pred": np.random.default_rng(3).integers(0, 2, 60),
})  # fmt: skip
FRAME = pd.DataFrame({"y_true": [0, 1] * 10, "y_pred": [0, 1, 1, 1] * 5})
# the tasks that each model solves
SMALL, LARGE = [1, 0, 0, 1, 1, 1, 1, 1], [1, 0, 1, 1, 1, 1, 1, 1]


class Text(str):
    """A text that is inserted as it is."""

    __repr__ = str.__str__


def samples(score, filters=("none",), **changes):
    """Samples as lm-evaluation-harness logs them with --log_samples, with the changes of a case."""
    rows = []
    for name in filters:
        for i, value in enumerate(score):
            row = {
                "doc_id": i, "doc": {"question": "?"}, "resps": [["4"]], "filtered_resps": ["4"],
                "filter": name, "metrics": ["acc", "acc_norm"], "acc": float(value), "acc_norm": 0,
            }  # fmt: skip
            rows.append(json.dumps(row | {name: change(i) for name, change in changes.items()}))
    return "\n".join(rows) + "\n"


def log(values, epochs=1):
    """The samples of Inspect."""
    return [
        {"id": i, "epoch": e, "input": "?", "scores": {"match": {"value": v, "answer": "4"}}}
        for e in range(1, epochs + 1)
        for i, v in enumerate(values, 1)
    ]


def harness(model):
    """The rates that lm-evaluation-harness itself computes."""
    (path,) = (LOGS / "lm_eval" / f"toy__{model}").glob("results_*.json")
    return json.loads(path.read_text("utf-8"))["results"]


def row(rows, task):
    return next(row["estimate"] for row in rows if row["task"] == task)


NAMES = {
    **globals(),
    "ROWS": np.arange(N), "ORDER": RNG.permutation(N), "BITS": RNG.integers(0, 2, 60),
    "CASES": np.array([f"case-{i}" for i in range(N)]), "HITS": RNG.random(30),
    "GOOD": b"y_true,y_pred\n1,1\n0,1\n",
}  # fmt: skip

# --- how the commands are run


def write(name, content):
    """Write a text, columns, or Inspect's samples, depending on the file's extension."""
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    ending = path.suffix[1:].lower()
    if isinstance(content, dict):
        content = pd.DataFrame(content)
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif isinstance(content, str):
        path.write_text(content, "utf-8", newline="")
    elif isinstance(content, list) and ending == "eval":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("header.json", "{}")
            # in the order in which samples end
            archive.writestr("summaries.json", json.dumps(content[::-1]))
    elif isinstance(content, list):
        path.write_text(json.dumps({"version": 2, "samples": content}, indent=2), "utf-8")
    else:
        {
            "csv": lambda: content.to_csv(path, index=False),
            "tsv": lambda: content.to_csv(path, index=False, sep="\t"),
            "jsonl": lambda: content.to_json(path, orient="records", lines=True),
            "parquet": lambda: content.to_parquet(path),
            "dta": lambda: content.to_stata(path),
            "feather": lambda: content.to_feather(path),
            "npy": lambda: np.save(path, content.to_numpy()),
            "npz": lambda: np.savez(path, **{name: content[name] for name in content}),
        }[ending]()


def filled(text):
    """Replace {expressions} in a text by their values."""
    return re.sub(r"\{(.+?)\}(?!\})", lambda hole: str(eval(hole[1], NAMES)), text)


def run(line, capsys):
    """Run a command; return all that it prints, its output if it succeeds, and its faults."""
    command, _, code = filled(line).partition("  # exits ")
    arguments = [a.replace("LOGS/", f"{LOGS}/") for a in shlex.split(command)[2:]]
    exits = main(arguments)
    out, err = capsys.readouterr()
    faults = [] if exits == int(code or 0) else [f"exits {exits}: {err}"]
    if exits == 2 and (out or err.count("\n") != 1 or not err.startswith("errlab: error: ")):
        faults.append(f"an error is one line, got {out + err!r}")
    if arguments[0] == "gate" and exits != 2 and not {"--json", "--full"} & {*arguments}:
        first = out.startswith(f"{'Red' if exits else 'Green'} (exit {exits}): ")
        last = "--m" in command or " minus that of " in out.splitlines()[-1]
        if not first or not last or len((out + err).split()) > 80:
            faults.append(f"a gate prints verdict and value in at most 80 words, got {out + err!r}")
    return out + err, out.rstrip("\n"), faults


def fault(check, printed, out):
    """Say how a command's output differs from one line of the table."""
    kind, _, rest = check.partition(" ")
    if kind == "=":
        expected = repr(eval(rest, NAMES))
        return out != expected and f"is not {expected!r}"
    if kind == "+":
        value = eval(rest, NAMES)
        return value not in out if isinstance(value, str) else not out.endswith(repr(value))
    if kind == ":":
        return not eval(rest, {**NAMES, **json.loads(out)})
    if kind == "!":
        return filled(rest) in printed
    pattern = ".*".join(map(re.escape, re.split(r"\.{3}(?!\.)", filled(check))))
    return not re.search(pattern, printed, re.DOTALL)


def perform(lines, capsys, monkeypatch):
    """Return the faults of a section."""
    faults, printed, out = [], "", ""
    for line in lines:
        if made := re.match(r"(patch )?([^\s$#]\S*) = (.+)", line):
            change = monkeypatch.setattr if made[1] else write
            if not made[1] and "." not in made[2]:
                change = functools.partial(monkeypatch.setitem, NAMES)
            change(made[2], eval(made[3], NAMES))
        elif line.startswith("$ "):
            command = line
            printed, out, wrong = run(line, capsys)
            faults += [f"{command}\n    {text}" for text in wrong]
        elif not line.startswith("    "):
            raise ValueError(f"commands.txt: {line}")
        elif wrong := fault(line.strip(), printed, out):
            faults.append(f"{command}\n{line}\n    {wrong}\n{printed[:900]}")
    return faults


@pytest.mark.parametrize("title", SECTIONS)
def test_commands(title, tmp_path, monkeypatch, capsys):
    lines = SECTIONS[title]
    loop = re.fullmatch(r"for (\w+) in (.+)", lines[0]) or ("", "", "once")
    faults = []
    for number, value in enumerate(loop[2].split()):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        filled_in = [line.replace(f"{{{loop[1]}}}", value) for line in lines[bool(loop[1]) :]]
        with monkeypatch.context() as patch:
            faults += perform(filled_in, capsys, patch)
    assert not faults, "\n".join(faults)


def broken(*_, **__):
    raise OSError(errno.EIO, "Input/output error")


def interrupted(*_):
    raise KeyboardInterrupt


NAMES |= {
    "hashlib": hashlib, "RepeatedKFold": RepeatedKFold, "report": errlab.report(TRUE, OLD),
    "pair": errlab.report(TRUE, OLD, NEW, names=("old", "new")),
    "cola": errlab.metric([0, 1] * 20, [0, 1, 1, 1] * 10, metric="mcc"),
    "classification_report": classification_report, "bz2": bz2, "gzip": gzip, "io": io,
    "lzma": lzma, "broken": broken, "interrupted": interrupted,
}  # fmt: skip
