"""The command line on the files that people have, and the exit codes that machines read."""

import errno
import json
import re
import subprocess
import sys
import zipfile

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

import errlab
from errlab.__main__ import main
from errlab.cli import files as _files

RNG = np.random.default_rng(17)
N = 300
TRUE = RNG.integers(0, 2, N)
OLD = np.where(RNG.random(N) < 0.3, 1 - TRUE, TRUE)
NEW = np.where(RNG.random(N) < 0.1, 1 - TRUE, TRUE)
SOLVED = (OLD == TRUE).astype(int)
MARKS = RNG.integers(1, 6, N)


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a text, or columns, or samples of Inspect, as the ending of the name says."""
    monkeypatch.chdir(tmp_path)

    def write(name, content):
        ending = name.split(".")[-1].lower()
        rows = content if isinstance(content, list) else []
        if isinstance(content, dict):
            rows = [dict(zip(content, row, strict=True)) for row in zip(*content.values())]  # noqa: B905
        if ending == "parquet" and rows:
            parquet.write_table(pyarrow.table({n: list(c) for n, c in content.items()}), name)
        elif ending == "eval" and isinstance(content, list):
            with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as file:
                file.writestr("header.json", "{}")
                # in the order they ended in
                file.writestr("summaries.json", json.dumps(content[::-1]))
        else:
            mark = "\t" if ending == "tsv" else ","
            if ending == "json" and isinstance(content, list):
                content = json.dumps({"version": 2, "samples": content}, indent=2)
            elif ending == "jsonl" and rows:
                content = "\n".join(json.dumps(row) for row in rows)
            elif rows:
                body = [mark.join(map(str, row.values())) for row in rows]
                content = "\n".join([mark.join(content), *body]) + "\n"
            (tmp_path / name).write_text(content, encoding="utf-8")
        return name

    return write


def said(capsys, *arguments, code=0):
    assert main([str(a) for a in arguments]) == code
    return capsys.readouterr().out.rstrip("\n")


def complaint(capsys, *arguments):
    assert main([str(a) for a in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


CASES = [f"case-{i}" for i in range(N)]
KINDS = ("csv", "tsv", "jsonl", "parquet")


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_file_is_read_by_the_names_of_its_columns(write, capsys, kind):
    columns = {"truth": TRUE.tolist(), "said": OLD.tolist(), "solved": (SOLVED == 1).tolist()}
    path = write(f"a.{kind}", columns)
    labels = said(capsys, "report", path, "--true", "truth", "--pred", "said")
    assert labels == repr(errlab.report(TRUE, OLD))
    assert said(capsys, "report", path, "--score", "solved") == repr(errlab.report(scores=SOLVED))
    assert "has no column x" in complaint(capsys, "report", path, "--score", "x")


def test_without_pyarrow_a_parquet_file_is_refused_in_one_line(write, capsys, monkeypatch):
    import importlib.util

    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda n: None if n == "pyarrow" else find(n))
    path = write("a.parquet", "PAR1")
    assert "needs pyarrow: pip install pyarrow" in complaint(capsys, "report", path)


def test_graded_scores_and_groups_are_those_of_report(write, capsys):
    groups = np.arange(N) // 3
    path = write("a.csv", {"mark": MARKS, "patient": groups, "y_true": TRUE, "y_pred": OLD})
    found = said(capsys, "report", path, "--score", "mark", "--range", 1, 5)
    assert found == repr(errlab.report(scores=MARKS, range=(1, 5)))
    found = said(capsys, "report", path, "--score", "mark", "--range", 1, 5, "--lower-is-better")
    assert found == repr(errlab.report(scores=MARKS, range=(1, 5), higher_is_better=False))
    found = said(capsys, "report", path, "--group", "patient", "--confidence", 0.9)
    assert found == repr(errlab.report(TRUE, OLD, groups=groups, delta=0.1))


@pytest.mark.parametrize("kind", KINDS)
def test_two_files_are_aligned_by_id_and_not_by_row(write, capsys, kind):
    order = np.random.default_rng(0).permutation(N)
    columns = {"id": np.array(CASES), "y_true": TRUE, "y_pred": NEW}
    a = write(f"old.{kind}", {"id": CASES, "y_true": TRUE.tolist(), "y_pred": OLD.tolist()})
    b = write(f"new.{kind}", {name: c[order].tolist() for name, c in columns.items()})
    expected = errlab.report(TRUE, OLD, NEW, names=("old", "new"))
    assert said(capsys, "compare", a, b) == repr(expected)
    assert "(see --id)" in complaint(capsys, "compare", a, b, "--id", "nothing")


def test_many_files_and_many_columns_are_a_table_of_models(write, capsys):
    rng = np.random.default_rng(0)
    third = np.where(rng.random(N) < 0.2, 1 - TRUE, TRUE)
    preds = {"old": OLD, "new": NEW, "third": third}
    paths = [
        write(f"{name}.csv", {"id": CASES, "y_true": TRUE, "y_pred": p})
        for name, p in preds.items()
    ]
    expected = errlab.models(TRUE, preds)
    assert said(capsys, "compare", *paths) == repr(expected)
    one = write("all.csv", {"y_true": TRUE, **preds})
    assert said(capsys, "compare", one) == repr(expected)
    based = errlab.models(TRUE, preds, baseline="old")
    assert said(capsys, "compare", one, "--baseline", "old") == repr(based)
    assert expected.to_latex() in said(capsys, "compare", one, "--format", "latex")
    assert expected.to_markdown() in said(capsys, "compare", one, "--format", "md")


BOARD = {f"m{i}": (RNG.random(500) < 0.4 + 0.05 * i).astype(int) for i in range(8)}


@pytest.mark.parametrize("kind", KINDS)
def test_a_long_table_is_a_board_of_its_models(write, capsys, kind):
    """It was a report of one system of 4000 cases."""
    order = np.random.default_rng(0).permutation(500)
    long = [(name, f"q{j}", int(column[j])) for name, column in BOARD.items() for j in order]
    columns = dict(zip(("model", "item", "score"), map(list, zip(*long, strict=True)), strict=True))
    columns["repo"] = [int(item[1:]) % 40 for item in columns["item"]]
    path = write(f"long.{kind}", columns)
    command = ("compare", path, "--model", "model", "--case", "item", "--score", "score")
    expected = errlab.models(scores=BOARD)
    assert said(capsys, *command) == repr(expected)
    assert expected.to_markdown() in said(capsys, *command, "--format", "md")
    assert expected.to_latex() in said(capsys, *command, "--format", "latex")
    found = json.loads(said(capsys, *command, "--format", "json", "--baseline", "m0"))
    assert (found["baseline"], len(found["pairs"])) == ("m0", 7)
    grouped = errlab.models(scores=BOARD, groups=np.arange(500) % 40)
    assert said(capsys, *command, "--group", "repo") == repr(grouped)


def samples(score, filters=("none",), **changes):
    """As lm-evaluation-harness logs them with --log_samples; with changes, by the case."""
    found = []
    for name in filters:
        for i, value in enumerate(score):
            row = {
                "doc_id": i, "doc": {"question": "?"}, "resps": [["4"]], "filtered_resps": ["4"],
                "filter": name, "metrics": ["acc", "acc_norm"], "acc": float(value), "acc_norm": 0,
            }  # fmt: skip
            found.append(row | {name: change(i) for name, change in changes.items()})
    return "\n".join(map(json.dumps, found)) + "\n"


def test_samples_of_the_harness_are_read_as_they_are(write, capsys):
    path = write("samples_gsm8k.jsonl", samples(SOLVED))
    head = "The score is acc (metric of lm-evaluation-harness; --score takes another: acc_norm).\n"
    one = repr(errlab.report(scores=SOLVED))
    assert said(capsys, "report", path) == head + one
    assert said(capsys, "report", path, "--score", "acc") == one
    better = (NEW == TRUE).astype(int)
    other = write("samples_new.jsonl", samples(better))
    two = errlab.report(scores=SOLVED, scores_b=better, names=("samples_gsm8k", "samples_new"))
    alone = "Paired by doc_id alone, which nothing else in the files confirms.\n"
    assert said(capsys, "compare", path, other) == head + alone + repr(two)
    filters = write("two.jsonl", samples(SOLVED, ("strict-match", "flexible-extract")))
    assert "--where filter=strict-match" in complaint(capsys, "report", filters)
    assert said(capsys, "report", filters, "--where", "filter=strict-match") == head + one
    for form in ("json", "md", "latex", "html"):
        found = said(capsys, "report", path, "--format", form)
        assert "The score is acc" in found.split("errors in")[0]


def log(values, epochs=1):
    """The samples of Inspect."""
    return [
        {"id": i, "epoch": e, "input": "?", "scores": {"match": {"value": v, "answer": "4"}}}
        for e in range(1, epochs + 1)
        for i, v in enumerate(values, 1)
    ]


@pytest.mark.parametrize("kind", ["json", "eval", "EVAL"])
def test_logs_of_inspect_are_read_as_they_are(write, capsys, kind):
    head = "The score is match (scorer of Inspect).\n"
    letters = np.where(SOLVED == 1, "C", "I").tolist()
    path = write(f"2026-01-01_arithmetic.{kind}", log(letters))
    assert said(capsys, "report", path) == head + repr(errlab.report(scores=SOLVED))
    partial = write(f"p.{kind}", log(["C", "P", "I", "N"] * 10))
    found = said(capsys, "report", partial)
    assert found == head + repr(errlab.report(scores=[1, 0.5, 0, 0] * 10))
    again = write(f"e.{kind}", log(letters, epochs=3))
    expected = errlab.report(scores=np.tile(SOLVED, 3), groups=np.tile(np.arange(N), 3))
    epochs = head.replace(").", "; the epochs of a sample are a group).")
    assert said(capsys, "report", again) == epochs + repr(expected)
    new = write(f"new.{kind}", log((NEW == TRUE).tolist()))
    assert "new is better than 2026-01-01_arithmetic" in said(capsys, "gate", path, new)


TWO = '{"y_true": 1, "y_pred": 1}\n'
RIGHT = {"m": {"value": "C"}}
ACC = [1] * 30
ODD = [
    # The metric was taken that is never null, and each case that comes twice counted twice.
    ("a.jsonl", samples(ACC, acc=lambda i: None if i == 9 else 1), "line 10: acc has no value"),
    ("a.jsonl", samples(ACC, acc=lambda i: [1.0]), "line 1: acc has a list, where one value is"),
    ("a.jsonl", samples(ACC, metrics=lambda i: ["mcc"]), "has no column mcc (see --score); it has"),
    ("a.jsonl", samples(ACC, doc_id=lambda i: i % 29), "line 30: doc_id 0 comes twice; each case"),
    ("a.jsonl", TWO + '{"y_true": 1\n', "line 2: no JSON"),
    ("a.jsonl", TWO + "[1, 2]\n", "line 2: one JSON object a line"),
    ("a.jsonl", TWO + '{"y_true": 1}\n', "line 2: y_pred has no value"),
    ("a.jsonl", '{"y_true": [1], "y_pred": 1}\n', "line 1: y_true has a list"),
    ("a.jsonl", '{"y_true": "True", "y_pred": "true"}\n', "true, one value in two writings"),
    ("a.jsonl", '{"y_true": "1", "y_pred": "1.0"}\n' + TWO.replace("1", '"1"'), "two writings"),
    ("a.jsonl", TWO + "[" * 100_000, "line 2: no JSON (nested too deeply)"),
    ("a.json", '{"a":' * 100_000, "no JSON (nested too deeply)"),
    ("a.jsonl", TWO.replace("1", "1" * 5000), "no JSON (too many digits)"),
    ("a.jsonl", '{"y_true": "1", "y_pred": 1.0}', "must hold labels of one kind, got '1' and 1.0"),
    ("a.jsonl", TWO + '{"y_true": 1e999, "y_pred": 1}', "y_true must be finite, got inf"),
    ("a.json", "[1, 2]", "one JSON object a line"),
    ("a.json", '{"y_true": 1, "y_true": 0, "y_pred": 1}', "'y_true' comes twice in an object"),
    ("a.jsonl", '{"a": {"b": 1}, "a.b": 0}', "line 1: two values are called a.b; rename one"),
    ("a.json", '{"columns": ["y_true"], "data": [[1, 2]]}', "it has columns, data"),
    ("a.json", '{"resolved_ids": ["a"]}', "has no submitted_ids"),
    ("a.json", "{", "no JSON"),
    *(
        (name, found, words)
        for name in ("odd.json", "odd.eval")
        for found, words in (
            ([], "has no samples"),
            ([{"id": 1, "scores": [1]}], "sample 1: there are no scores, got [1]"),
            ([{"id": 1, "scores": "C"}], "sample 1: there are no scores, got 'C'"),
            ([{"id": 1}], "no sample has a score; score it, as in: inspect score odd."),
            ([1], "sample 1: an object is needed, got 1"),
            ([{"epoch": 1, "scores": RIGHT}, {"epoch": "2", "scores": RIGHT}], "number, got '2'"),
            ([{"epoch": None, "scores": RIGHT}], "epoch must be a whole number, got None"),
            ([{"id": 7, "scores": RIGHT}] * 2, "id 7, epoch 1 comes twice"),
            ([{"id": 1, "scores": RIGHT}, {"id": 2, "scores": {"m": {}}}], "2: m has no value"),
            ([{"scores": {"m": {"value": [1]}}}], "sample 1: m has a list, where one value is"),
        )
    ),
    ("a.eval", "no archive", "cannot be read as a log of Inspect"),
    ("a.eval", "PK\x03\x04", "cannot be read as a log of Inspect"),
    ("a.eval", [" " * 200_000], "summaries.json has 0 MB, above the limit of 0.1"),
    ("a.PARQUET", {"y_true": [[1], [2]], "y_pred": [1, 2]}, "row 1: y_true has a list"),
    ("a.PARQUET", {"y_true": [{"a": 1}] * 2, "y_pred": [1, 2]}, "row 1: y_true has a dict"),
    ("a.PARQUET", {"y_true": [1, None], "y_pred": [1, 2]}, "row 2: y_true has no value"),
]


@pytest.mark.parametrize(("name", "content", "words"), ODD)
def test_an_odd_file_is_one_line(write, capsys, monkeypatch, name, content, words):
    monkeypatch.setattr(_files, "_LARGEST", 0.1)  # MB
    found = complaint(capsys, "report", write(name, content))
    assert name in found
    assert words in found


def test_the_gate_speaks_by_its_exit_code(write, capsys):
    files = {"old": OLD, "new": NEW, "same": np.where(np.arange(N) % 100 == 0, 1 - OLD, OLD)}
    for name, pred in files.items():
        write(f"{name}.csv", {"id": CASES, "y_true": TRUE, "y_pred": pred})
    assert "is better than" in said(capsys, "gate", "old.csv", "new.csv", code=0)
    assert "is better than" in said(capsys, "gate", "new.csv", "old.csv", code=1)
    same = ("gate", "old.csv", "same.csv")
    said(capsys, *same, code=3)
    said(capsys, *same, "--margin", 0.05, code=0)
    said(capsys, *same, "--margin", 0.0001, code=3)


def test_a_proven_difference_within_the_margin_passes_the_gate(write, capsys):
    """As its help and the page of tasks say: 0 where it is not worse by more than the margin."""
    old = write("old.csv", {"id": CASES, "score": [1] * 200 + [0] * 100})
    bad = write("bad.csv", {"id": CASES, "score": [1] * 160 + [0] * 140})
    command = ("gate", old, bad, "--score", "score")
    found = said(capsys, *command, "--margin", 0.5, code=0)
    assert "bad is worse than old at level 0.05, by no more than the margin of 50" in found
    assert "perhaps more than the margin" in said(capsys, *command, "--margin", 0.14, code=1)
    said(capsys, *command, code=1)


def gated(capsys, *arguments, code):
    """The two lines of a gate, its exit code, and at most 80 words, those of warnings included."""
    assert main(["gate", *map(str, arguments)]) == code
    captured = capsys.readouterr()
    assert len(f"{captured.out} {captured.err}".split()) <= 80
    first, *_, value = captured.out.splitlines()
    assert first.startswith(f"{'Red' if code else 'Green'} (exit {code}): ")
    assert " minus that of " in value
    return first


def test_a_gate_that_cannot_tell_says_how_many_cases_would(write, capsys):
    """Connor's number, (1.96 sqrt(p) + 0.84 sqrt(p - d^2))^2 / d^2, where p = 10/300 differ."""
    old = write("old.csv", {"id": CASES, "score": [1] * 200 + [0] * 100})
    new = write("new.csv", {"id": CASES, "score": [1] * 196 + [0] * 98 + [1] * 6})
    for margin, about in (
        (["--margin", 0.01], "about 2,600 cases if both are equally good."),
        ([], "about 5,900 cases if the difference is as seen."),  # d = 2/300
    ):
        first = gated(capsys, old, new, "--score", "score", *margin, code=3)
        assert first.endswith(f"Green takes {about}")
    # the other way round it is worse by 2/300: of a margin of 1/100 a third is left
    first = gated(capsys, new, old, "--score", "score", "--margin", 0.01, code=3)
    assert "about 2,600 cases if both are equally good, about 24,000 if the difference" in first


@pytest.mark.parametrize(("lost", "code"), [(8, 3), (60, 1)])
@pytest.mark.parametrize("margin", [None, 0.01])
def test_where_more_cases_do_not_help_the_gate_names_the_margin_that_would(
    write, capsys, lost, code, margin
):
    old = write("old.csv", {"id": CASES, "score": [1] * 200 + [0] * 100})
    new = write(
        "new.csv", {"id": CASES, "score": [1] * (200 - lost) + [0] * 97 + [1] * 3 + [0] * lost}
    )
    command = (old, new, "--score", "score")
    first = gated(capsys, *command, *(["--margin", margin] if margin else []), code=code)
    needed = re.search(r"Only a better system, or a --margin of (\S+) set beforehand", first)
    gated(capsys, *command, "--margin", needed.group(1), code=0)
    gated(capsys, *command, "--margin", 0.9 * float(needed.group(1)), code=code)


def test_a_gate_of_one_case_names_no_margin(write, capsys):
    """The whole range is no margin that `--margin` takes."""
    path = write("both.csv", {"old": [0.5], "new": [0.2]})
    first = gated(capsys, path, "--score", "old", "--score", "new", code=3)
    assert first.endswith("would not even pass the largest margin; take more of them.")


def test_of_copies_the_gate_says_how_many_cases_keep_the_margin(write, capsys):
    """Where nobody ever differs, the gate itself shows the number: 72 do, 71 do not."""
    for n, code in ((8, 3), (71, 3), (72, 0)):
        columns = {"id": CASES[:n], "old": [1] * n, "new": [1] * n}
        path = write("both.csv", columns)
        both = (path, "--score", "old", "--score", "new", "--margin", 0.05)
        first = gated(capsys, *both, code=code)
        assert code == 0 or "Green takes about 72 cases if both are equally good." in first


def grouped_pair(rng, groups, size=5):
    """Two systems, equally good, that fail on the same groups more often than not."""
    hard = np.repeat(rng.random(groups), size)
    columns = {"repo": np.repeat(np.arange(groups), size)}
    for name in ("old", "new"):
        own = rng.random(groups * size)
        columns[name] = (np.where(rng.random(len(own)) < 0.6, hard, own) > 0.2).astype(int)
    return columns


@pytest.mark.slow
def test_so_many_groups_do_turn_the_gate_green(write, capsys):
    """Of as many groups as it names four gates in five are green, and few of a third of them."""
    rng = np.random.default_rng(5)
    command = ("both.csv", "--score", "old", "--score", "new", "--margin", 0.1, "--group", "repo")
    write("both.csv", grouped_pair(rng, 30))
    number = re.search(r"Green takes about (\d+) groups", gated(capsys, *command, code=3))
    green = {}
    for groups in (int(number.group(1)), int(number.group(1)) // 3):
        green[groups] = 0
        for _ in range(20):
            write("both.csv", grouped_pair(rng, groups))
            green[groups] += main(["gate", *map(str, command)]) == 0
    most, few = green.values()
    assert most >= 15
    assert few <= 5


@pytest.mark.parametrize("size", [4, "uneven"])
@pytest.mark.parametrize("options", [[], ["--group", "repo_id"]])
@pytest.mark.parametrize("lost", [0, 20, 150])
def test_the_log_of_a_gate_has_at_most_80_words(write, capsys, size, options, lost):
    """With the warning of a column that looks like groups, and with two means of uneven groups."""
    groups = np.floor(np.sqrt(np.arange(N))) if size == "uneven" else np.arange(N) // size
    old = np.ones(N, dtype=int)
    old[:30] = 0
    new = np.ones(N, dtype=int)
    new[5 : 25 + lost] = 0
    path = write("both.csv", {"old": old, "new": new, "repo_id": groups})
    command = (path, "--score", "old", "--score", "new", *options)
    for more in ([], ["--margin", 0.05]):
        code = main(["gate", *map(str, command), *map(str, more)])
        capsys.readouterr()
        gated(capsys, *command, *more, code=code)


def test_the_rest_is_printed_in_full_and_json_has_all_of_it(write, capsys):
    columns = {"id": CASES, "y_true": TRUE, "repo": np.arange(N) // 3}
    old, new = (write(f"{n}.csv", columns | {"y_pred": p}) for n, p in (("old", OLD), ("new", NEW)))
    expected = errlab.report(TRUE, OLD, NEW, names=("old", "new"))
    whole = f"{expected}\n{expected.details}"
    assert said(capsys, "compare", old, new) == str(expected)
    assert said(capsys, "compare", old, new, "--full") == whole
    value, answer = str(expected).splitlines()
    gate = [f"Green (exit 0): {answer}", value, *expected.details.splitlines()]
    assert said(capsys, "gate", old, new, "--full").splitlines() == gate
    found = json.loads(said(capsys, "gate", new, old, "--json", code=1))
    assert found["conditions"] == expected.conditions()
    assert found["warnings"] == ["new.csv: repo looks like 100 groups; if so, say --group repo"]
    assert found["gate"]["exit_code"] == 1
    assert found["gate"]["margin"] == expected.high
    assert found["notes"] == []
    assert found["a"]["n"] == N


TABLES = {
    "a": "id,y_true,y_pred\n1,1,1\n2,0,1\n",
    "b": "id,y_true,y_pred\n1,1,1\n2,0,1\n",
    "one": "id,y_true,y_pred\n1,1,1\n",
    "more": "id,y_true,y_pred\n1,1,1\n2,0,1\n3,0,1\n",
    "twice": "id,y_true,y_pred\n1,1,1\n1,0,1\n",
    "other": "id,y_true,y_pred\n1,1,1\n2,1,1\n",
    "nameless": "y_true,y_pred\n1,1\n0,1\n",
    "old": "id,score\n1,1\n2,0\n",
    "new": "id,score\n1,1\n2,0\n",
    "long": "model,item,score\n" + "".join(f"m{i % 3},{i},1\n" for i in range(9)),
    "twin": "model,item,score\na,1,1\na,1,0\nb,1,1\n",
    "wide": f"y_true,m0,m1,w,h\n0,0,1,x,{'1' * 5000}\n1,1,1,y,1\n",
}


@pytest.mark.parametrize(
    ("command", "words"),
    [
        # What is compared is two systems or more, each once.
        ("compare long --score score --id item", "has one, score; a long table of systems takes"),
        ("compare long --score score --where model=m1", "--case COLUMN --score score"),
        ("compare long --score score --model model", "its cases named by --case"),
        ("compare long", "takes compare --model model --case COLUMN --score COLUMN"),
        ("compare long --case item --model model", "--model model --case item --score score"),
        ("compare long a --score score --model model --case item", "is for one long table"),
        ("compare long --score score --model who --case item", "no column who (see --model)"),
        ("compare long --score score --model model --case item", "no score for model m0 and case"),
        ("compare long --score score --model model --case item --margin 0.1", "--margin is for"),
        ("compare twin --score score --model model --case item", "model a has 2 for case 1"),
        ("compare a", "compare needs two systems, but a.csv has one, y_pred; name two columns"),
        ("gate a b other", "errlab gate can be of one or two systems, got 3"),
        ("compare a b a", "a.csv is named twice"),
        ("compare a ./a", "./a.csv is named twice"),
        ("report wide --pred m0 --pred m1 --pred w", "report can be of one or two systems, got 3"),
        ("compare a b --baseline a", "--baseline is for three systems or more, got 2"),
        ("report wide --margin 0.1 --pred m0", "--margin is for two systems, got 1"),
        (
            "compare long old",
            "long.csv has no column y_true (see --true); it has model, item, score; for",
        ),
        ("compare a old", "has no column y_true (see --true); it has id, score; for scores"),
        (
            "compare acc norm",
            "files must have one score, but acc.jsonl has acc, norm.jsonl",
        ),
        ("compare acc a", "files must all hold scores or all labels"),
        # Files are aligned by their cases.
        ("compare a one", "one.csv lacks 1 of the 2 cases of a.csv, such as 2"),
        ("compare a more", "a.csv lacks 1 of the 3 cases of more.csv, such as 3"),
        ("compare a twice", "twice.csv, line 3: id 1 comes twice"),
        ("compare a other", "must be the same in all files, but for the case"),
        ("compare a nameless", "never by the order of rows; name the column with --id"),
        ("report nothing.eval", "No such file"),
        # What is named is there, and can be meant.
        ("report wide --pred m0 --confidence 95", "--confidence must lie in (0, 1), got 95"),
        ("report wide --pred m0 --group nothing", "has no column nothing (see --group)"),
        ("report wide --pred m0 --where b", "--where must be COLUMN=VALUE, got b.csv"),
        ("report wide --pred m0 --where m1=9", "has no case with m1=9"),
        ("report wide --score m0 --range 5 6", "scores must lie in"),
        ("report wide --score w", "line 2: w must be a number"),
    ],
)
def test_what_cannot_be_meant_is_said_in_one_line(write, capsys, command, words):
    for name, text in TABLES.items():
        write(f"{name}.csv", text)
    write("acc.jsonl", samples([1, 0]))
    write("norm.jsonl", samples([1, 0], metrics=lambda i: ["acc_norm"]))
    files = {name: f"{name}.csv" for name in [*TABLES, "./a"]}
    files |= {name: f"{name}.jsonl" for name in ("acc", "norm")}
    assert words in complaint(capsys, *(files.get(word, word) for word in command.split()))


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_report_of_several_models_is_refused_with_the_remedy(write, capsys, form):
    """Each case came once for each model; the warning did not reach who reads JSON."""
    path = write("long.csv", TABLES["long"])
    command = ("report", path, "--score", "score", "--format", form)
    found = complaint(capsys, *command)
    assert "of one system, but model has 3; for one say --where model=m0" in found
    assert "for all errlab compare --model model" in found
    assert main([*command, "--where", "model=m1"]) == 0
    assert capsys.readouterr().err == ""
    said(capsys, *command, "--group", "model")


def test_the_cases_are_chosen_before_anything_else_is_asked_of_them(write, capsys):
    """A line that is filtered out need not have a score, nor a group, nor be of one model."""
    rows = "type,id,score,model\nsampling,1,,a\nmatch,1,1,b\nsampling,1,,a\nmatch,2,0,b\n"
    path = write("events.csv", rows)
    found = json.loads(
        said(capsys, "report", path, "--score", "score", "--where", "type=match", "--json")
    )
    assert (found["n"], found["errors"]) == (2, 1)
    assert "line 2: score has no value; 2 of 4" in complaint(
        capsys, "report", path, "--score", "score"
    )
    lines = [{"data": {"correct": None}, "ok": False}, {"data": {"correct": True}, "ok": True}]
    path = write("events.jsonl", "\n".join(map(json.dumps, lines)))
    said(capsys, "report", path, "--score", "data.correct", "--where", "ok=true")


def test_cases_without_a_value_are_left_out_or_count_as_the_worst_on_request(write, capsys):
    path = write("a.csv", "y_true,y_pred,loss\n1,1,0\n1,,\n0,1,2\n")
    report = ("report", path)
    assert "line 3: y_pred has no value; 2 of 3 lines have a prediction" in complaint(
        capsys, *report
    )
    assert "--missing wrong is for scores" in complaint(capsys, *report, "--missing", "wrong")
    found = said(capsys, *report, "--missing", "drop")
    head = "2 of 3 lines have a prediction; the others are left out.\n"
    assert found == head + repr(errlab.report([1, 0], [1, 1]))
    losses = (*report, "--score", "loss", "--range", 0, 2, "--lower-is-better")
    assert "wrong counts them as 2" in complaint(capsys, *losses)
    found = said(capsys, *losses, "--missing", "wrong").partition("\n")[2]
    expected = errlab.report(scores=[0, 2, 2], range=(0, 2), higher_is_better=False)
    assert found == repr(expected)
    path = write("none.csv", "id,score\n1,\n")
    assert "no case has a score" in complaint(
        capsys, "report", path, "--score", "score", "--missing", "drop"
    )


def test_a_file_may_be_given_a_name(write, capsys):
    old = write("2026-11-23T09-56-24.csv", {"id": CASES, "y_true": TRUE, "y_pred": OLD})
    new = write("2026-11-24T09-56-24.csv", {"id": CASES, "y_true": TRUE, "y_pred": NEW})
    found = said(capsys, "compare", f"old={old}", f"new={new}")
    assert found == repr(errlab.report(TRUE, OLD, NEW, names=("old", "new")))
    assert "new is better than 2026-11-23T09-56-24" in said(capsys, "gate", old, f"new={new}")
    assert "is named twice" in complaint(capsys, "compare", f"a={old}", f"b={old}")
    assert "there is no such file, and NAME=FILE is for" in complaint(capsys, "report", f"a={old}")
    assert "nothing.csv: No such file" in complaint(capsys, "gate", "a=nothing.csv", new)
    named = write("a=b.csv", {"y_true": TRUE, "y_pred": OLD})  # a file that is called so
    assert said(capsys, "report", named) == repr(errlab.report(TRUE, OLD))


def test_decimal_commas_are_read_where_they_can_be_nothing_else(write, capsys):
    texts = [f"{value:.3f}".replace(".", ",") for value in SOLVED / 2]
    path = write("a.csv", "id;score\n" + "".join(f"{i};{t}\n" for i, t in enumerate(texts)))
    found = said(capsys, "report", path, "--score", "score")
    assert found == repr(errlab.report(scores=SOLVED / 2))
    command = ("report", "--score", "score", "--range", 0, 5000)
    for column, words in (
        ("1,234\n2,500", "got '1,234'; write decimal points"),  # the commas may separate thousands
        ("0,5\n1.5", "got '0,5'; write decimal points"),
        ("1,5\n1,2,3", "got '1,5'"),
    ):
        path = write("b.csv", f"score;x\n{column}\n".replace("\n", ";1\n").replace("x;1", "x"))
        assert words in complaint(capsys, *command, path)


@pytest.mark.parametrize("orient", ["records", "split", "table", "columns", "index"])
def test_what_pandas_writes_as_json_is_read(write, capsys, tmp_path, orient):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"y_true": TRUE, "y_pred": OLD})
    if orient == "index":  # an object for each case, by its name, as some boards have them
        frame.index = CASES
    for name, options in (("a.json", {}), ("b.json", {"indent": 1})):
        frame.to_json(tmp_path / name, orient=orient, **options)
        assert said(capsys, "report", name) == repr(errlab.report(TRUE, OLD))
    frame.to_json("c.json.gz", orient=orient)
    assert said(capsys, "report", "c.json.gz") == repr(errlab.report(TRUE, OLD))


def test_a_column_that_looks_like_groups_is_named(write, capsys):
    columns = {"y_true": TRUE, "y_pred": OLD, "patient_id": np.arange(N) // 3}
    path = write("a.csv", columns)
    assert main(["report", path, "--pred", "y_pred"]) == 0
    found = capsys.readouterr().err
    assert f"patient_id looks like {N // 3} groups; if so, say --group patient_id" in found
    for options, name in ((["--group", "patient_id"], "patient_id"), ([], "note")):
        path = write("b.csv", {name if n == "patient_id" else n: c for n, c in columns.items()})
        assert main(["report", path, "--pred", "y_pred", *options]) == 0
        assert capsys.readouterr().err == ""
    turns = [[{"role": "user", "content": str(i % 2)}] for i in range(9)]
    path = write("a.jsonl", {"score": [1] * 9, "prompt": turns})  # it was "unhashable type: 'list'"
    assert main(["report", path, "--score", "score"]) == 0
    assert "prompt looks like 2 groups" in capsys.readouterr().err
    write("c.csv", columns | {"patient_id": np.arange(N)})  # each case of a patient of its own
    assert main(["report", "c.csv", "--pred", "y_pred"]) == 0
    assert capsys.readouterr().err == ""


def test_a_case_that_is_named_counts_once_unless_it_is_a_group(write, capsys):
    path = write("a.csv", {"y_true": TRUE, "y_pred": OLD, "who": np.arange(N) // 3})
    found = complaint(capsys, "report", path, "--pred", "y_pred", "--id", "who")
    assert "line 3: who 0 comes twice; each case counts once, unless --group says" in found
    said(capsys, "report", path, "--pred", "y_pred", "--id", "who", "--group", "who")


def test_a_table_without_rows_is_refused(write, capsys):
    parquet.write_table(pyarrow.table({"y_true": [], "y_pred": []}), "a.parquet")
    assert "a.parquet has no cases" in complaint(capsys, "report", "a.parquet")


def test_plan_is_the_function(capsys):
    found = said(capsys, "plan", "--error", 0.258, "--half-width", 0.02)
    assert found == repr(errlab.plan(error=0.258, half_width=0.02))
    arguments = ["--difference", 0.05, "--disagree", 0.2, "--design-effect", 2, "--confidence", 0.9]
    numbers = json.loads(said(capsys, "plan", *arguments, "--format", "json"))
    expected = errlab.plan(difference=0.05, disagree=0.2, design_effect=2, delta=0.1)
    assert numbers["n"] == expected.n
    assert "needs error and half_width" in complaint(capsys, "plan", "--error", 0.1)
    with pytest.raises(SystemExit):  # a plan has no picture
        main(["plan", "--error", "0.1", "--half-width", "0.05", "--plot", "x.svg"])


@pytest.mark.parametrize("form", ["text", "json", "md", "latex", "html"])
def test_every_format_says_the_first_sentence(write, capsys, form):
    path = write("a.csv", {"y_true": TRUE, "y_pred": OLD})
    report = errlab.report(TRUE, OLD)
    short = said(capsys, "report", path, "--format", form)
    found = said(capsys, "report", path, "--format", form, "--full")
    first = report.sentences()[0]
    assert first.replace("%", "\\%" if form == "latex" else "%") in short
    assert report.conditions()[0] not in short or form in ("json", "html")
    assert first.replace("%", "\\%" if form == "latex" else "%") in found
    for condition in report.conditions():
        assert condition in found
    if form == "json":
        assert json.loads(found)["errors"] == report.errors


def test_a_picture_is_saved(write, capsys, tmp_path):
    pytest.importorskip("matplotlib")
    path = write("a.csv", {"y_true": TRUE, "a": OLD, "b": NEW})
    for name in ("picture.svg", "picture.png"):
        said(capsys, "report", path, "--plot", tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
    assert "--plot" in complaint(capsys, "report", path, "--plot", tmp_path / "picture.nothing")


def test_standard_input_and_a_reader_that_leaves(write):
    path = write("a.jsonl", {"solved": SOLVED.tolist()})
    command = f"cat {path} | {sys.executable} -m errlab report - --score solved | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == repr(errlab.report(scores=SOLVED)).splitlines()[0] + "\n"
    assert done.stderr == ""


def test_the_columns_pred_a_and_pred_b_are_two_systems(write, capsys):
    """The default of --pred; of 6 cases on which one alone is wrong, the sign test: 2 / 2^6."""
    y = [0, 1] * 10
    path = write("two.csv", {"y_true": y, "pred_a": [1 - y[0]] * 12 + y[12:], "pred_b": y})
    found = json.loads(said(capsys, "report", path, "--json"))
    assert (found["n01"], found["n10"], found["pvalue"]) == (6, 0, 2 / 2**6)
    assert "pred_b is better than pred_a" in found["claim"]


@pytest.mark.parametrize(
    ("confidence", "delta", "shown"),
    [("0.975", 0.025, "97.5%"), ("0.9975", 0.0025, "99.75%"), ("0.99999999999999", 1e-14, "")],
)
def test_a_confidence_keeps_all_of_its_digits(write, capsys, confidence, delta, shown):
    path = write("one.csv", {"y_true": [0, 1] * 9, "y_pred": [0, 1] * 9})
    found = json.loads(said(capsys, "report", path, "--json", "--confidence", confidence))
    assert found["delta"] == delta
    assert f"With {shown}" in found["claim"]


def test_a_group_of_scores_that_may_be_missing_is_told(write, capsys):
    groups = ["p1", "p2", "nan", "p3"] * 5
    path = write("scores.csv", {"score": [0, 1, 1, 0] * 5, "who": groups})
    assert main(["report", path, "--score", "score", "--group", "who"]) == 0
    assert "taken for a value like others: nan (in who)" in capsys.readouterr().err


def test_labels_that_never_meet_are_told(write, capsys):
    path = write("svm.csv", {"y_true": [-1, 1] * 9, "y_pred": [0, 1] * 9})
    assert "must code the two classes alike, got -1 and 1, and 0 and 1" in complaint(
        capsys, "report", path
    )
    path = write("words.csv", {"y_true": ["no", "yes"] * 9, "y_pred": ["No", "yes"] * 9})
    assert main(["report", path]) == 0
    assert "warning: y_pred holds labels that y_true never does: 'No' (9 of 18; y_true has" in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize("folder", [".", "", "..", "/"])
def test_a_picture_needs_a_file(write, capsys, folder):
    path = write("one.csv", {"y_true": [0, 1] * 9, "y_pred": [0, 1] * 9})
    assert "--plot must name a file" in complaint(capsys, "report", path, "--plot", folder)


def test_a_fault_of_the_disk_names_the_file(write, capsys, monkeypatch):
    """While it is read or written the error of the system has no name of a file."""
    path = write("one.csv", {"y_true": [0, 1] * 9, "y_pred": [0, 1] * 9})

    def fail(*_, **__):
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("matplotlib.pyplot.savefig", fail)
        told = complaint(capsys, "report", path, "--plot", "a.svg")
    assert "error: a.svg: Input/output error" in told
    monkeypatch.setattr(_files, "parse", fail)
    assert "error: one.csv: Input/output error" in complaint(capsys, "report", path)
