"""The command line at its edges: files that are not what they seem, and readers that go away."""

import bz2
import gzip
import io
import json
import lzma
import os
import shlex
import subprocess
import sys

import pytest

import errlab
from errlab.__main__ import main
from errlab.cli import text as texts

GOOD = b"y_true,y_pred\n1,1\n0,1\n"


@pytest.fixture
def write(tmp_path):
    def write(content, name="predictions.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def errors(path, capsys, *options):
    assert main(["report", path, "--json", *options]) == 0
    return json.loads(capsys.readouterr().out)["errors"]


def complaint(path, capsys, *options):
    assert main(["report", path, *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.startswith("errlab: error: ")
    return captured.err


# Different labels must stay different: each of these once gave "0 errors".


@pytest.mark.parametrize(
    ("true", "pred"),
    [
        ("9007199254740992", "9007199254740993"),
        ("1234567890123456789", "1234567890123456788"),
        ("12345678901234567890", "12345678901234567891"),
        ("1e400", "1e500"),
        ("0.1", "0.1000000000000000055"),
    ],
)
def test_different_numbers_are_different_labels(write, capsys, true, pred):
    path = write(f"y_true,y_pred\n{true},{true}\n{pred},{true}\n")
    assert errors(path, capsys) == 1


@pytest.mark.parametrize(
    ("true", "pred"),
    [
        ("00123", "123"), ("1e10", "10000000000"), ("1_0", "10"), ("١٢", "12"), ("+1", "1"),
        ("True", "true"), ("FALSE", "False"),
    ],
)  # fmt: skip
def test_one_value_in_two_writings_is_refused(write, capsys, true, pred):
    path = write(f"y_true,y_pred\n{true},{true}\n{true},{pred}\n")
    said = complaint(path, capsys)
    assert f"line 3: y_true is {true} and y_pred is {pred}, one value in two writings" in said


def test_numbers_and_words_together(write, capsys):
    assert "line 2" in complaint(write("y_true,y_pred\n1.0,1\n0,0.0\ncat,cat\n"), capsys)
    assert errors(write("y_true,y_pred\n1,1\n0,1\ncat,cat\n"), capsys) == 1


def test_each_column_may_write_its_numbers_in_its_own_way(write, capsys):
    assert errors(write("y_true,y_pred\n1,1.0\n0,0.0\n1,0.0\n"), capsys) == 1
    assert errors(write("y_true,y_pred\n01,01\n1,1\n01,01\n"), capsys) == 0  # labels of their own
    # A column that writes 1 in two ways may mean two labels by it.
    assert "two writings" in complaint(write("y_true,y_pred\n1,1.0\n1,1\n0,0\n"), capsys)


def test_probabilities_are_refused_however_they_are_written(write, capsys):
    for text in ("0.3", "3e-05", ".3"):
        path = write(f"y_true,y_pred\n1,1\n0,{text}\n0,0\n")
        assert "y_pred must hold labels such as 1" in complaint(path, capsys)


@pytest.mark.parametrize("word", ["nan", "NA", "null", "None", "N/A", "<NA>"])
def test_a_missing_value_is_no_label_among_numbers_and_a_doubtful_one_among_words(
    write, capsys, word
):
    said = complaint(write(f"y_true,y_pred\n1,1.0\n0,{word}\n"), capsys)
    assert f"a label is {word} among numbers" in said
    path = write(f"y_true,y_pred\nyue,yue\n{word},{word}\n{word},yue\n")  # nan is Min Nan, too
    assert main(["report", path]) == 0
    found = capsys.readouterr()
    assert "1 error in 3" in found.out
    assert found.err.count("\n") == 1
    assert f"warning: {path}: taken for a value like others: {word} (in y_pred);" in found.err


# Values that other readers of CSV lose or shift silently.


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("y_true,y_pred,y_pred\n0,0,1\n", "has 2 columns y_pred"),
        ("y_true,y_true,y_pred\n0,0,1\n", "has 2 columns y_true"),
        ("y_true,y_pred\n0,0\n0,0,9\n", "line 3: 3 fields, but the header has 2"),
        ("y_true,y_pred,id\n0,0\n", "line 2: 2 fields, the header has 3"),
        ('y_true,y_pred\na,"b\nc,c\nd,d\nb,b', "line 2: unexpected end of data; close each"),
        ('y_true,y_pred\na,a\na,"b\nc"\n', "holds a line break; is a quote missing?"),
        ('y_true,y_pred\na,"b"c\n', "line 2: ',' expected after '\"'"),
        ("y_true|y_pred\n0|0\n", "separate its columns by commas"),
        (b"y_true,y_pred\na,a\nb,\xe9t\xe9\n", "line 3: not in UTF-8; convert it"),
        (b"y_true,y_pred\na,a\nb,\0\n", "line 3: a NUL character"),
        (GOOD.decode().encode("utf-16"), "line 1: a NUL character; it is UTF-16"),
        (GOOD.decode().encode("utf-32"), "line 1: a NUL character; it is UTF-16"),
        (b"\0\0\xfe\xff" + GOOD.decode().encode("utf-32-be"), "line 1: a NUL character"),
        (GOOD.decode().encode("utf-16-le"), "line 1: a NUL character; it is UTF-16"),
        (gzip.compress(GOOD, mtime=0)[:-9], "is damaged"),
        (bz2.compress(GOOD)[:-9], "is damaged"),
        (lzma.compress(GOOD)[:-9], "is damaged"),
        (b"\x28\xb5\x2f\xfdrest", "unpack it first, as in: zstd -dc FILE"),
        (b"PK\x03\x04rest", "is a ZIP or Excel file"),
        (b"PAR1rest", "cannot be read as Parquet"),
        (f"y_true,y_pred\na,{'b' * 200_000}\n", "line 2: field larger than field limit (131072)"),
        ("\n\n", "is empty"),
        ("y_true,y_pred\n\n\n", "no cases below its header"),
    ],
)
def test_a_bad_file_is_named_with_its_line_and_a_remedy(write, capsys, content, words):
    path = write(content)
    said = complaint(path, capsys)
    assert path in said
    assert words in said


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + GOOD,
        b"\n\r\n" + GOOD,
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.replace(b"\n", b"\r"),
        GOOD.replace(b"\n", b"\n\n") + b"   \n",
        GOOD.replace(b",", b" , "),
        GOOD.replace(b",", b"\t"),
        b"sep=;\r\n" + GOOD.replace(b",", b";"),
        b"sep=|\n" + GOOD.replace(b",", b"|"),
        GOOD.replace(b",", b";")
        .replace(b"pred\n", b'pred;"note, free, long"\n')
        .replace(b"1\n", b"1;x\n"),
        gzip.compress(GOOD, mtime=0),
        bz2.compress(GOOD),
        lzma.compress(GOOD),
        b'y_true,y_pred,why\n1,1,"a, b\n\nand c"\n0,1,"""no"""\n',
        GOOD[:-1],
    ],
)
def test_harmless_differences_are_taken(write, capsys, content):
    assert errors(write(content), capsys) == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--pred", "y_true"], "got y_true"),
        (["--pred", "a", "--pred", "a"], "got a twice"),
        (["--pred", "a", "--pred", "y_true"], "got y_true"),
        (["--pred", "a", "--pred", "b", "--pred", "c"], "one or two systems, got 3"),
        (["--range", "0", "5", "--pred", "a"], "are for scores: name them by --score"),
        (["--lower-is-better", "--pred", "a"], "are for scores: name them by --score"),
        ([], "it has y_true, a, b, c; name predictions, as in --pred COLUMN"),
    ],
)
def test_options_that_cannot_be_meant(write, capsys, options, words):
    assert words in complaint(write("y_true,a,b,c\n1,1,1,1\n0,0,0,0\n"), capsys, *options)


def test_codes_that_a_terminal_obeys_are_spelt_out(write, capsys):
    red = "\x1b[31mred\x1b[0m"
    path = write(f"y_true,{red},b\n1,1,0\n0,0,0\n")
    assert main(["report", path]) == 0
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "\\x1b[31mred" in said
    assert "\x1b" not in complaint(write(f"y_true,{red}\n1,1\n"), capsys)


def test_what_is_no_file_is_named(tmp_path, capsys):
    assert str(tmp_path) in complaint(str(tmp_path), capsys)


def test_a_column_of_cases_is_no_column_of_predictions(write, capsys):
    """Of three columns one was taken for a second classifier."""
    said = complaint(write("id,y_true,guess\n0,1,1\n1,0,1\n"), capsys)
    assert "has no column y_pred (see --pred); it has id, y_true, guess; name" in said


def test_an_endless_line_is_refused_before_the_memory_is_full(write, capsys, monkeypatch):
    monkeypatch.setattr(texts, "_LONGEST", 1999)
    path = write(GOOD.decode() + "1," + "1" * 5000)
    assert "line 4: more than 1,999 letters; break the line" in complaint(path, capsys)
    path = write('[{"y_true": 1, "y_pred": 1}' + " " * 1500 + "]")
    assert errors(path, capsys) == 0
    assert "line 1: more than 1,999 letters" in complaint(write("[" + " " * 5000 + "]"), capsys)
    endless = io.BufferedReader(io.BytesIO(b"1" * 2**22))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(endless))
    assert "standard input, line 1: more than 1,999 letters" in complaint("-", capsys)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="/dev/zero is missing")
def test_a_device_that_never_ends_is_refused(capsys, monkeypatch):
    monkeypatch.setattr(texts, "_LONGEST", 2**20)
    assert "/dev/zero, line 1: a NUL character" in complaint("/dev/zero", capsys)


# What happens around the command.


def quoted(path):
    """Quote a path for `shell`."""
    return shlex.quote(str(path)).replace("{", "{{").replace("}", "}}")


def shell(command, **options):
    """Run a line of shell; its paths are quoted, for a folder may have blanks in its name."""
    return subprocess.run(
        ["bash", "-c", command.format(python=shlex.quote(sys.executable))],
        capture_output=True, text=True, **options,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full is missing")
def test_a_full_disk_is_said(write):
    done = shell(f"{{python}} -m errlab report {quoted(write(GOOD))} > /dev/full")
    assert done.returncode == 2
    assert done.stderr == "errlab: error: standard output: No space left on device\n"


@pytest.mark.slow
def test_closed_streams_are_said(write):
    done = shell("{python} -m errlab report - <&-")
    assert (done.returncode, done.stderr) == (2, "errlab: error: standard input is closed\n")
    done = shell(f"{{python}} -m errlab report {quoted(write(GOOD))} >&-")
    assert (done.returncode, done.stderr) == (2, "errlab: error: standard output is closed\n")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_opened_once_and_read_once(write, tmp_path):
    long = b"y_true,y_pred\n" + b"1,1\n0,1\n" * 50_000  # more than a pipe holds
    path = quoted(write(long))
    other = quoted(write(b"y_true\ty_pred\n1\t1\n0\t1\n", "other.tsv"))
    pipe = quoted(tmp_path / "pipe")
    done = shell(
        f"mkfifo {pipe}; cat {path} > {pipe} & {{python}} -m errlab report {pipe}; "
        f"{{python}} -m errlab report <(cat {other}); (head -1 {path}; sed 1d {path}) | "
        "{python} -m errlab report -",
        timeout=600,  # it takes two seconds
    )
    assert done.stderr == ""
    firsts = [line for line in done.stdout.splitlines() if "an error rate of" in line]
    assert [line.split(" error")[0] for line in firsts] == ["50000", "1", "50000"]


def test_an_interrupt_is_quiet(monkeypatch, capsys):
    class Interrupted(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, _):
            raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(Interrupted())))
    assert main(["report", "-"]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
def test_letters_that_the_terminal_lacks_are_spelt_out(write):
    path = write("y_true,modèle,b\n1,1,0\n0,0,0\n")
    done = shell(f"PYTHONIOENCODING=ascii {{python}} -m errlab report {quoted(path)}")
    assert done.returncode == 0
    assert "mod\\xe8le" in done.stdout


def test_counts_need_no_file(capsys):
    assert main(["report", "--errors", "7", "--n", "200"]) == 0
    assert capsys.readouterr().out == f"{errlab.report([0] * 200, [1] * 7 + [0] * 193)}\n"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "one FILE, or both --errors and --n, got 0 files"),
        (["a.csv", "--errors", "7", "--n", "200"], "got 1 file, --errors 7, --n 200"),
        (["--errors", "7"], "got 0 files, --errors 7"),
        (["--errors", "7", "--n", "200", "--group", "patient"], "--group needs a FILE"),
        (["--errors", "7", "--n", "200", "--lower-is-better"], "--lower-is-better needs a FILE"),
        (["--errors", "201", "--n", "200"], "errors must be at most n = 200, got 201"),
    ],
)
def test_counts_that_cannot_be_meant(capsys, options, words):
    assert main(["report", *options]) == 2
    assert words in capsys.readouterr().err
