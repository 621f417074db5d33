"""The command line beyond commands.txt: streams, missing packages, laws."""

import io
import os
import re
import shlex
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from test_commands import LOGS, write

import errlab
from errlab.__main__ import main
from errlab.cli import files

GOOD = b"y_true,y_pred\n1,1\n0,1\n"
INSPECT = LOGS / "inspect"
BOTH = ("gate", "both.csv", "--score", "old", "--score", "new")


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def call(capsys):
    """Run a command; return its exit code and what it prints, which of a refusal is one line."""

    def call(*arguments):
        code = main([str(argument) for argument in arguments])
        text = "".join(capsys.readouterr())
        assert code != 2 or text.count("\n") == 1
        return code, text

    return call


def test_every_member_of_an_archive_is_what_its_checksum_says(call):
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
    assert "cannot be read as a log of Inspect" in call("report", "a.eval")[1]


# --- streams


def shell(command, **options):
    """Run a line of shell in the folder of the test."""
    return subprocess.run(
        ["bash", "-c", command.replace("errlab", f"{shlex.quote(sys.executable)} -m errlab")],
        capture_output=True, text=True, **options,
    )  # fmt: skip


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full is missing")
def test_streams_of_this_process_that_are_full_closed_or_left_are_told(monkeypatch, capsys):
    write("a.csv", GOOD)
    reader, writer = os.pipe()
    os.close(reader)
    full, left = (os.fdopen(to, "w") for to in (os.open("/dev/full", os.O_WRONLY), writer))
    for stream, opened, words, code in (
        ("stdout", full, "standard output: No space left on device", 2),
        ("stdout", left, "", 0),
        ("stdout", None, "standard output is closed", 2),
        ("stdin", None, "standard input is closed", 2),
    ):
        with monkeypatch.context() as here:
            here.setattr(sys, stream, opened)
            assert main(["report", "-" if stream == "stdin" else "a.csv"]) == code
            if opened:
                opened.close()  # which writes nothing more
        assert capsys.readouterr().err == f"errlab: error: {words}\n" * bool(words)
    write("b.csv", "y_true,modèle,b\n1,1,0\n0,0,0\n")
    printed = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(printed, "ascii"))
    assert main(["report", "b.csv"]) == 0
    assert b"mod\\xe8le" in printed.getvalue()


@pytest.mark.nightly
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


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="/dev/zero is missing")
def test_a_device_that_never_ends_is_refused(call, monkeypatch):
    monkeypatch.setattr("errlab.cli.text._LONGEST", 2**20)
    assert "/dev/zero, line 1: a NUL character" in call("report", "/dev/zero")[1]


def test_a_plan_has_no_picture():
    with pytest.raises(SystemExit):
        main(["plan", "--error", "0.1", "--half-width", "0.05", "--plot", "x.svg"])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize("inside", [True, pytest.param(False, marks=pytest.mark.nightly)])
def test_a_pipe_is_opened_once_and_read_once(inside, call, monkeypatch):
    """In this process by day, and by three lines of shell."""
    write("long.csv", b"y_true,y_pred\n" + b"1,1\n0,1\n" * 20_000)  # more than a pipe holds
    write("other.tsv", b"y_true\ty_pred\n1\t1\n0\t1\n")
    os.mkfifo("pipe")
    parts = "(head -1 long.csv; sed 1d long.csv)"
    if inside:
        with subprocess.Popen("cat long.csv > pipe", shell=True):
            printed = call("report", "pipe")[1]
        with subprocess.Popen(["cat", "other.tsv"], stdout=subprocess.PIPE) as other:
            printed += call("report", f"/dev/fd/{other.stdout.fileno()}")[1]
        with subprocess.Popen(parts, shell=True, stdout=subprocess.PIPE, text=True) as long:
            monkeypatch.setattr(sys, "stdin", long.stdout)
            printed += call("report", "-")[1]
    else:
        done = shell(
            "cat long.csv > pipe & errlab report pipe; errlab report <(cat other.tsv); "
            f"{parts} | errlab report -",
            timeout=600,  # the program waits for two seconds
        )
        assert done.stderr == ""
        printed = done.stdout
    firsts = [line for line in printed.splitlines() if "an error rate of" in line]
    assert [line.split(" error")[0] for line in firsts] == ["20000", "1", "20000"]


# --- gates


def test_where_more_cases_do_not_help_the_gate_names_the_margin_that_would(call):
    old = [1] * 200 + [0] * 100
    for lost, code in ((8, 3), (60, 1)):
        new = [1] * (200 - lost) + [0] * 97 + [1] * 3 + [0] * lost
        write("both.csv", {"old": old, "new": new})
        for margin in ((), ("--margin", 0.01)):
            red, text = call(*BOTH, *margin)
            remedy = re.search(r"Only a better system, or a --margin of (\S+) set before", text)[1]
            codes = [call(*BOTH, "--margin", x * float(remedy))[0] for x in (1, 0.9)]
            assert [red, *codes] == [code, 0, code]


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
