"""The command line beyond commands.txt: streams, missing packages, laws."""

import errno
import importlib.util
import io
import json
import os
import re
import shlex
import subprocess
import sys
import zipfile
from math import comb

import numpy as np
import pandas as pd
import pytest
from test_commands import LOGS, N, write

import errlab
from errlab.__main__ import main
from errlab.cli import files
from errlab.cli import text as texts

GOOD = b"y_true,y_pred\n1,1\n0,1\n"
INSPECT = LOGS / "inspect"
BOTH = ("gate", "both.csv", "--score", "old", "--score", "new")


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def call(capsys):
    """Run a command; return its exit code and what it prints."""

    def call(*arguments):
        code = main([str(argument) for argument in arguments])
        return code, "".join(capsys.readouterr())

    return call


@pytest.fixture
def refusal(call):
    """Return the one line that a refused command prints."""

    def refusal(*arguments):
        code, text = call(*arguments)
        assert (code, text.count("\n")) == (2, 1)
        return text

    return refusal


# --- missing packages, and files that are too large


@pytest.mark.parametrize(
    ("package", "version", "path", "words"),
    [
        ("pyarrow", sys.version_info, "a.parquet", "needs pyarrow: pip install pyarrow"),
        ("zstandard", (3, 13), INSPECT / "small.eval",
         "pip install 'errlab[inspect]'; or convert it: inspect log convert --to json"),
    ],
)  # fmt: skip
def test_a_package_that_is_missing_is_named(refusal, monkeypatch, package, version, path, words):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda n: None if n == package else find(n))
    monkeypatch.setattr("sys.version_info", version)
    write("a.parquet", "PAR1")
    assert words in refusal("report", path)


def test_an_archive_above_the_limit_is_refused(refusal, monkeypatch):
    monkeypatch.setattr(files, "_LARGEST", 0.1)  # MB
    write("a.eval", [" " * 200_000])
    assert "summaries.json has 0 MB, above the limit of 0.1" in refusal("report", "a.eval")


def test_every_member_of_an_archive_is_what_its_checksum_says(refusal):
    """Several frames, and one; zipfile doesn't check the data of a method that it doesn't know."""
    members = 0
    for path in INSPECT.glob("*.eval"):
        with path.open("rb") as stream, zipfile.ZipFile(stream) as archive:
            for name in archive.namelist():
                assert files._member(archive, name) is not None
                members += 1
    assert members > 90
    content = bytearray((INSPECT / "small.eval").read_bytes())
    with zipfile.ZipFile(INSPECT / "small.eval") as archive:
        place = archive.getinfo("summaries.json").header_offset
    content[place + 200] ^= 255
    write("a.eval", bytes(content))
    assert "cannot be read as a log of Inspect" in refusal("report", "a.eval")


def test_an_endless_line_is_refused_before_the_memory_is_full(call, refusal, monkeypatch):
    monkeypatch.setattr(texts, "_LONGEST", 1999)
    write("a.csv", GOOD.decode() + "1," + "1" * 5000)
    assert "line 4: more than 1,999 letters; break the line" in refusal("report", "a.csv")
    write("a.json", '[{"y_true": 1, "y_pred": 1}' + " " * 1500 + "]")
    assert json.loads(call("report", "a.json", "--json")[1])["errors"] == 0
    write("b.json", "[" + " " * 5000 + "]")
    assert "line 1: more than 1,999 letters" in refusal("report", "b.json")
    endless = io.BufferedReader(io.BytesIO(b"1" * 2**22))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(endless))
    assert "standard input, line 1: more than 1,999 letters" in refusal("report", "-")


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="/dev/zero is missing")
def test_a_device_that_never_ends_is_refused(refusal, monkeypatch):
    monkeypatch.setattr(texts, "_LONGEST", 2**20)
    assert "/dev/zero, line 1: a NUL character" in refusal("report", "/dev/zero")


def test_a_fault_of_the_disk_names_the_file(refusal, monkeypatch):
    """An error during reading or writing comes from the system without the file's name."""
    write("one.csv", GOOD)

    def fail(*_, **__):
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("matplotlib.pyplot.savefig", fail)
        assert "error: a.svg: Input/output error" in refusal("report", "one.csv", "--plot", "a.svg")
    monkeypatch.setattr(files, "parse", fail)
    assert "error: one.csv: Input/output error" in refusal("report", "one.csv")


# --- pictures and streams


def test_a_picture_is_saved(call, tmp_path):
    write("a.csv", "y_true,a,b\n1,1,0\n0,0,0\n")
    for name in ("picture.svg", "picture.png"):
        assert call("report", "a.csv", "--plot", name)[0] == 0
        assert (tmp_path / name).stat().st_size > 1000
    with pytest.raises(SystemExit):  # a plan can't be plotted
        main(["plan", "--error", "0.1", "--half-width", "0.05", "--plot", "x.svg"])


def test_an_interrupt_is_quiet(call, monkeypatch):
    class Interrupted(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, _):
            raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(Interrupted())))
    assert call("report", "-") == (130, "")


def shell(command, **options):
    """Run a line of shell in the folder of the test."""
    return subprocess.run(
        ["bash", "-c", command.replace("errlab", f"{shlex.quote(sys.executable)} -m errlab")],
        capture_output=True, text=True, **options,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full is missing")
def test_streams_that_are_full_closed_or_left_are_told():
    write("a.csv", GOOD)
    for command, words in (
        ("errlab report a.csv > /dev/full", "standard output: No space left on device"),
        ("errlab report - <&-", "standard input is closed"),
        ("errlab report a.csv >&-", "standard output is closed"),
    ):
        done = shell(command)
        assert (done.returncode, done.stderr) == (2, f"errlab: error: {words}\n")
    write("b.csv", "y_true,modèle,b\n1,1,0\n0,0,0\n")
    assert "mod\\xe8le" in shell("PYTHONIOENCODING=ascii errlab report b.csv").stdout
    done = shell("cat a.csv | errlab report - | head -1")
    assert done.stdout == repr(errlab.report([1, 0], [1, 1])).splitlines()[0] + "\n"
    assert done.stderr == ""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_opened_once_and_read_once():
    write("long.csv", b"y_true,y_pred\n" + b"1,1\n0,1\n" * 50_000)  # more than a pipe holds
    write("other.tsv", b"y_true\ty_pred\n1\t1\n0\t1\n")
    done = shell(
        "mkfifo pipe; cat long.csv > pipe & errlab report pipe; errlab report <(cat other.tsv); "
        "(head -1 long.csv; sed 1d long.csv) | errlab report -",
        timeout=600,  # the program waits for two seconds
    )
    assert done.stderr == ""
    firsts = [line for line in done.stdout.splitlines() if "an error rate of" in line]
    assert [line.split(" error")[0] for line in firsts] == ["50000", "1", "50000"]


# --- gates


@pytest.mark.parametrize(("lost", "code"), [(8, 3), (60, 1)])
@pytest.mark.parametrize("margin", [(), ("--margin", 0.01)])
def test_where_more_cases_do_not_help_the_gate_names_the_margin_that_would(
    call, lost, code, margin
):
    old = [1] * 200 + [0] * 100
    write("both.csv", {"old": old, "new": [1] * (200 - lost) + [0] * 97 + [1] * 3 + [0] * lost})
    red, text = call(*BOTH, *margin)
    needed = re.search(r"Only a better system, or a --margin of (\S+) set beforehand", text)
    assert red == code
    assert call(*BOTH, "--margin", needed[1])[0] == 0
    assert call(*BOTH, "--margin", 0.9 * float(needed[1]))[0] == code


def grouped_pair(rng, groups, size=5):
    """Two equally good systems that mostly fail on the same groups."""
    hard = np.repeat(rng.random(groups), size)
    columns = {"repo": np.repeat(np.arange(groups), size)}
    for name in ("old", "new"):
        alone = rng.random(groups * size)
        columns[name] = (np.where(rng.random(len(alone)) < 0.6, hard, alone) > 0.2).astype(int)
    return columns


@pytest.mark.slow
def test_so_many_groups_do_turn_the_gate_green(call):
    """With the number of groups that it names, four gates in five pass; with a third, few."""
    rng = np.random.default_rng(5)
    command = (*BOTH, "--margin", 0.1, "--group", "repo")
    write("both.csv", grouped_pair(rng, 30))
    number = int(re.search(r"Green takes about (\d+) groups", call(*command)[1])[1])
    green = {number: 0, number // 3: 0}
    for groups in green:
        for _ in range(20):
            write("both.csv", grouped_pair(rng, groups))
            green[groups] += call(*command)[0] == 0
    assert green[number] >= 15
    assert green[number // 3] <= 5


def test_the_log_of_a_gate_has_at_most_80_words(call):
    """With the warning about a column that looks like groups; for means of uneven groups."""
    old = np.ones(N, dtype=int)
    old[:30] = 0
    for groups in (np.arange(N) // 4, np.floor(np.sqrt(np.arange(N)))):
        for lost in (0, 20, 150):
            new = np.ones(N, dtype=int)
            new[5 : 25 + lost] = 0
            write("both.csv", {"old": old, "new": new, "repo_id": groups})
            for options in ((), ("--group", "repo_id"), ("--margin", 0.05)):
                code, text = call(*BOTH, *options)
                assert len(text.split()) <= 80
                assert text.startswith(f"{'Red' if code else 'Green'} (exit {code}): ")


# --- a run of many tasks


def test_fifty_seven_tasks_are_as_sharp_as_a_normal_interval(call):
    """13,987 questions: plus or minus .009 by hand, and .11 by a union bound."""
    rng = np.random.default_rng(57)
    sizes = rng.multinomial(13987 - 57 * 100, np.full(57, 1 / 57)) + 100
    subject = np.repeat([f"s{k}" for k in range(57)], sizes)
    table = pd.DataFrame({"subject": subject, "correct": rng.random(sizes.sum()) < 0.34})
    write("mmlu.csv", table.assign(question_id=table.groupby("subject").cumcount()))
    command = ("report", "mmlu.csv", "--score", "correct", "--task", "subject", "--json")
    rows = {row["task"]: row for row in json.loads(call(*command)[1])["rows"]}
    rates = table.groupby("subject")["correct"].mean()
    variance = (rates * (1 - rates) / table.groupby("subject").size()).sum() / 57**2
    macro, pooled = rows["macro mean"], rows["pooled mean"]
    assert macro["estimate"] == pytest.approx(rates.mean())
    assert (macro["high"] - macro["low"]) / 2 == pytest.approx(1.96 * variance**0.5, rel=0.08)
    exact = errlab.bounds.interval("CP", errors=int(table["correct"].sum()), n=len(table))
    assert (pooled["low"], pooled["high"]) == pytest.approx(exact)
    losses, shares = table["correct"].to_numpy(float), dict.fromkeys(rates.index, 1 / 57)
    same = errlab.metrics.error_at_shares(losses, subject, shares)
    assert (same.low, same.high) == pytest.approx((macro["low"], macro["high"]))


def test_pass_at_k_is_the_mean_over_cases_of_its_unbiased_estimate(call, refusal):
    right = np.random.default_rng(1).random((12, 5)) < 0.4
    write("samples.csv", {"task_id": np.repeat(np.arange(12), 5), "passed": right.ravel()})
    command = ("report", "samples.csv", "--score", "passed", "--group", "task_id", "--json")
    numbers = json.loads(call(*command, "--pass-at", 2)[1])
    by_hand = np.mean([1 - comb(int(wrong), 2) / comb(5, 2) for wrong in 5 - right.sum(axis=1)])
    assert (numbers["estimate"], numbers["n"]) == (pytest.approx(by_hand), 12)
    assert "6" in refusal(*command, "--pass-at", 6)
