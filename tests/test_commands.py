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
(_, SHARED), *SECTIONS = sections("commands.txt")

# --- what makes the files and values that the stored commands name


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


def broken(*_, **__):
    raise OSError(errno.EIO, "Input/output error")


def interrupted(*_):
    raise KeyboardInterrupt


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


@pytest.mark.parametrize("lines", [s[1] for s in SECTIONS], ids=[s[0] for s in SECTIONS])
def test_commands(lines, tmp_path, monkeypatch, capsys):
    loop = re.fullmatch(r"for (\w+) in (.+)", lines[0]) or ("", "", "once")
    faults = []
    for number, value in enumerate(loop[2].split()):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        filled_in = lines
        if loop[1]:
            filled_in = [line.replace(f"{{{loop[1]}}}", value) for line in lines[1:]]
        with monkeypatch.context() as patch:
            faults += perform(filled_in, capsys, patch)
    assert not faults, "\n".join(faults)


NAMES = globals() | {
    "errlab": errlab, "bz2": bz2, "gzip": gzip, "hashlib": hashlib, "io": io, "lzma": lzma,
    "classification_report": classification_report, "RepeatedKFold": RepeatedKFold,
}  # fmt: skip
exec("\n".join(SHARED), NAMES)
