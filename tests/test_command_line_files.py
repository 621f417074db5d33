"""The command line on the files that people have, and the exit codes that machines read."""

import json
import subprocess
import sys
import zipfile

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

import errlab
from errlab import _files
from errlab.__main__ import main

RNG = np.random.default_rng(17)
N = 300
TRUE = RNG.integers(0, 2, N)
OLD = np.where(RNG.random(N) < 0.3, 1 - TRUE, TRUE)
NEW = np.where(RNG.random(N) < 0.1, 1 - TRUE, TRUE)
SOLVED = (OLD == TRUE).astype(int)
MARKS = RNG.integers(1, 6, N)


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return str(path)

    return write


def table(columns, mark=","):
    rows = zip(*columns.values(), strict=True)
    return "\n".join([mark.join(columns), *(mark.join(map(str, row)) for row in rows)]) + "\n"


def json_lines(columns):
    rows = zip(*columns.values(), strict=True)
    return "\n".join(json.dumps(dict(zip(columns, row, strict=True))) for row in rows) + "\n"


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
FILES = {
    "a.csv": table({"case": CASES, "truth": TRUE, "said": OLD, "solved": SOLVED}),
    "a.tsv": table({"case": CASES, "truth": TRUE, "said": OLD, "solved": SOLVED}, "\t"),
    "a.jsonl": json_lines(
        {"case": CASES, "truth": TRUE.tolist(), "said": OLD.tolist(), "solved": SOLVED.tolist()}
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_each_kind_of_file_is_read_by_the_names_of_its_columns(write, capsys, name):
    path = write(name, FILES[name])
    labels = said(capsys, "report", path, "--true", "truth", "--pred", "said")
    assert labels == repr(errlab.report(TRUE, OLD))
    scores = said(capsys, "report", path, "--score", "solved")
    assert scores == repr(errlab.report(scores=SOLVED))


def test_parquet_is_read_where_pyarrow_is_there(tmp_path, capsys):
    path = tmp_path / "a.parquet"
    columns = {"truth": TRUE, "said": OLD, "solved": SOLVED.astype(bool), "case": CASES}
    parquet.write_table(pyarrow.table(columns), path)
    found = said(capsys, "report", path, "--true", "truth", "--pred", "said")
    assert found == repr(errlab.report(TRUE, OLD))
    found = said(capsys, "report", path, "--score", "solved")
    assert found == repr(errlab.report(scores=SOLVED))
    assert "has no column x" in complaint(capsys, "report", path, "--score", "x")


def test_without_pyarrow_a_parquet_file_is_refused_in_one_line(write, capsys, monkeypatch):
    import importlib.util

    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda n: None if n == "pyarrow" else find(n))
    path = write("a.parquet", "PAR1")
    assert "needs pyarrow: pip install pyarrow" in complaint(capsys, "report", path)


def test_graded_scores_and_groups_are_those_of_report(write, capsys):
    groups = np.arange(N) // 3
    path = write("a.csv", table({"mark": MARKS, "patient": groups, "y_true": TRUE, "y_pred": OLD}))
    found = said(capsys, "report", path, "--score", "mark", "--range", 1, 5)
    assert found == repr(errlab.report(scores=MARKS, range=(1, 5)))
    found = said(capsys, "report", path, "--score", "mark", "--range", 1, 5, "--lower-is-better")
    assert found == repr(errlab.report(scores=MARKS, range=(1, 5), higher_is_better=False))
    found = said(capsys, "report", path, "--group", "patient", "--confidence", 0.9)
    assert found == repr(errlab.report(TRUE, OLD, groups=groups, delta=0.1))


def test_true_and_false_are_scores(write, capsys):
    path = write("a.csv", "resolved\n" + "True\n" * 30 + "False\n" * 10)
    found = json.loads(said(capsys, "report", path, "--score", "resolved", "--format", "json"))
    assert (found["mean"], found["n"]) == (0.75, 40)
    path = write("b.csv", "resolved\nTrue\nperhaps\n")
    assert "line 3: resolved must be a number" in complaint(
        capsys, "report", path, "--score", "resolved"
    )


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl"])
def test_two_files_are_aligned_by_id_and_not_by_row(write, capsys, suffix):
    rng = np.random.default_rng(0)

    def file(name, pred, order):
        columns = {"id": np.array(CASES), "y_true": TRUE, "y_pred": pred}
        ordered = {k: v[order].tolist() for k, v in columns.items()}
        kinds = {"csv": table, "tsv": lambda c: table(c, "\t"), "jsonl": json_lines}
        return write(f"{name}.{suffix}", kinds[suffix](ordered))

    a = file("old", OLD, np.arange(N))
    b = file("new", NEW, rng.permutation(N))
    expected = errlab.report(TRUE, OLD, NEW, names=("old", "new"))
    assert said(capsys, "compare", a, b) == repr(expected)
    assert "(see --id)" in complaint(capsys, "compare", a, b, "--id", "nothing")


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ("id,y_true,y_pred\na,0,0\n", "lacks 1 of the 2 cases of"),
        ("id,y_true,y_pred\na,0,0\nb,1,1\nc,1,1\n", "lacks 1 of the 3 cases of"),
        ("id,y_true,y_pred\na,0,0\na,1,1\n", "id a comes twice"),
        ("id,y_true,y_pred\na,0,0\nb,0,1\n", "must be the same in all files, but for the case"),
        ("y_true,y_pred\n0,0\n1,1\n", "never by the order of rows; name the column with --id"),
        ("id,y_true\na,0\nb,1\n", "has no column y_pred"),
    ],
)
def test_files_of_other_cases_are_refused(write, capsys, second, words):
    a = write("a.csv", "id,y_true,y_pred\na,0,0\nb,1,0\n")
    assert words in complaint(capsys, "compare", a, write("b.csv", second))


def test_many_files_and_many_columns_are_a_table_of_models(write, capsys):
    rng = np.random.default_rng(0)
    third = np.where(rng.random(N) < 0.2, 1 - TRUE, TRUE)
    preds = {"old": OLD, "new": NEW, "third": third}
    paths = [
        write(f"{name}.csv", table({"id": CASES, "y_true": TRUE, "y_pred": p}))
        for name, p in preds.items()
    ]
    expected = errlab.compare.models(TRUE, preds)
    assert said(capsys, "compare", *paths) == repr(expected)
    one = write("all.csv", table({"y_true": TRUE, **preds}))
    assert said(capsys, "compare", one) == repr(expected)
    based = errlab.compare.models(TRUE, preds, baseline="old")
    assert said(capsys, "compare", one, "--baseline", "old") == repr(based)
    assert expected.to_latex() in said(capsys, "compare", one, "--format", "latex")
    assert expected.to_markdown() in said(capsys, "compare", one, "--format", "md")


def samples(score, filters=("none",)):
    """As lm-evaluation-harness logs them with --log_samples."""
    rows = [
        {
            "doc_id": i, "doc": {"question": "?"}, "target": "4", "arguments": {"gen_args_0": {}},
            "resps": [["4"]], "filtered_resps": ["4"], "filter": name, "doc_hash": f"h{i}",
            "metrics": ["exact_match"], "exact_match": float(value),
        }
        for name in filters for i, value in enumerate(score)
    ]  # fmt: skip
    return "\n".join(map(json.dumps, rows)) + "\n"


def test_samples_of_the_harness_are_read_as_they_are(write, capsys):
    path = write("samples_gsm8k.jsonl", samples(SOLVED))
    head = "The score is exact_match (metric of lm-evaluation-harness).\n"
    assert said(capsys, "report", path) == head + repr(errlab.report(scores=SOLVED))
    assert said(capsys, "report", path, "--score", "exact_match") == repr(
        errlab.report(scores=SOLVED)
    )
    better = (NEW == TRUE).astype(int)
    other = write("samples_new.jsonl", samples(better))
    expected = errlab.report(
        scores=SOLVED, scores_b=better, names=("samples_gsm8k", "samples_new")
    )  # fmt: skip
    assert said(capsys, "compare", path, other) == head + repr(expected)
    two = write("two.jsonl", samples(SOLVED, ("strict-match", "flexible-extract")))
    assert "--where filter=strict-match" in complaint(capsys, "report", two)
    found = said(capsys, "report", two, "--where", "filter=strict-match")
    assert found == head + repr(errlab.report(scores=SOLVED))
    for form in ("json", "md", "latex", "html"):
        found = said(capsys, "report", path, "--format", form)
        assert "The score is exact" in found.split("errors in")[0]
        if form == "json":
            assert json.loads(found)["errors"] == (SOLVED == 0).sum()


def rows(**changes):
    """Samples of two metrics; a function changes what is in its column."""
    found = []
    for i in range(30):
        row = {"doc_id": i, "filtered_resps": ["x"], "metrics": ["acc", "acc_norm"]}
        row |= {"acc": 1.0, "acc_norm": 0.0}
        found.append(row | {name: change(i) for name, change in changes.items()})
    return "\n".join(map(json.dumps, found))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (rows(acc=lambda i: None if i == 9 else 1.0), "line 10: acc has no value"),
        (rows(acc=lambda i: [1.0]), "line 1: acc has a list, where one value is needed"),
        (rows(metrics=lambda i: ["mcc"]), "has no column mcc (see --score); it has doc_id"),
        (rows(doc_id=lambda i: i % 29), "line 30: doc_id 0 comes twice; each case counts once"),
    ],
)
def test_no_other_metric_is_taken_and_no_case_counted_twice(write, capsys, content, words):
    """All 30 were errors, of the metric that nobody had asked for."""
    assert words in complaint(capsys, "report", write("samples.jsonl", content))


def test_a_log_of_several_metrics_says_which_it_took_and_files_must_agree(write, capsys):
    one = write("one.jsonl", rows())
    head = said(capsys, "report", one).splitlines()[0]
    want = "The score is acc (metric of lm-evaluation-harness; --score takes another: acc_norm)."
    assert head == want
    other = write("other.jsonl", rows(metrics=lambda i: ["acc_norm"]))
    assert "files must have one score, but" in complaint(capsys, "compare", one, other)
    assert said(capsys, "compare", one, other, "--score", "acc").startswith("This test does not")
    labels = write("c.csv", "doc_id,y_true,y_pred\n1,1,1\n")
    assert "must all hold scores or all labels" in complaint(capsys, "compare", one, labels)


def log(values, epochs=1):
    """As Inspect writes it with --log-format json."""
    return json.dumps(
        {
            "version": 2, "status": "success", "eval": {"task": "arithmetic", "model": "m"},
            "samples": [
                {"id": i, "epoch": e, "input": "?", "target": "4",
                 "scores": {"match": {"value": v, "answer": "4"}}}
                for e in range(1, epochs + 1) for i, v in enumerate(values, 1)
            ],
        },
        indent=2,
    )  # fmt: skip


def test_logs_of_inspect_are_read_as_they_are(write, capsys):
    letters = np.where(SOLVED == 1, "C", "I").tolist()
    path = write("2026-01-01_arithmetic.json", log(letters))
    head = "The score is match (scorer of Inspect).\n"
    assert said(capsys, "report", path) == head + repr(errlab.report(scores=SOLVED))
    partial = write("p.json", log(["C", "P", "I", "N"] * 10))
    found = said(capsys, "report", partial)
    assert found == head + repr(errlab.report(scores=[1, 0.5, 0, 0] * 10))
    again = write("e.json", log(letters, epochs=3))
    scores = np.tile(SOLVED, 3)
    expected = errlab.report(scores=scores, groups=np.tile(np.arange(N), 3))
    assert said(capsys, "report", again) == head + repr(expected)
    assert "has no samples" in complaint(capsys, "report", write("n.json", '{"samples": []}'))


def archive(path, text):
    """The same log as the archive that Inspect writes, its samples in the order they ended in."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        samples = json.loads(text)["samples"]
        file.writestr("header.json", "{}")
        for sample in reversed(samples):
            name = f"samples/{sample['id']}_epoch_{sample['epoch']}.json"
            file.writestr(name, json.dumps(sample))
        file.writestr("summaries.json", "[]")
    return str(path)


def test_archives_of_inspect_say_what_the_json_says(write, tmp_path, capsys):
    texts = {
        "letters": log(np.where(SOLVED == 1, "C", "I").tolist()),
        "marks": log(["C", "P", "I", "N"] * 10, epochs=3),
    }
    for name, text in texts.items():
        path = archive(tmp_path / f"{name}.eval", text)
        assert said(capsys, "report", path) == said(capsys, "report", write(f"{name}.json", text))
    old, new = (
        archive(tmp_path / f"{name}.eval", log((pred == TRUE).astype(int).tolist()))
        for name, pred in (("old", OLD), ("new", NEW))
    )
    assert "new is better than old" in said(capsys, "gate", old, new)
    assert "has no samples" in complaint(
        capsys, "report", archive(tmp_path / "none.eval", '{"samples": []}')
    )
    for name, text in (("text", "no archive"), ("cut", "PK\x03\x04")):
        assert "cannot be read as a log of Inspect" in complaint(
            capsys, "report", write(f"{name}.eval", text)
        )
    assert "No such file" in complaint(capsys, "report", "nothing.eval")
    capitals = archive(tmp_path / "A.EVAL", texts["letters"])
    assert said(capsys, "report", capitals) == said(capsys, "report", tmp_path / "letters.eval")


RIGHT = {"value": "C"}


@pytest.mark.parametrize(
    ("samples", "words"),
    [
        ([{"id": 1, "scores": [1]}], "sample 1: there are no scores, got [1]"),
        ([{"id": 1, "scores": "C"}], "sample 1: there are no scores, got 'C'"),
        ([{"id": 1}], "sample 1: there are no scores, got None"),
        ([[1], 2], "sample 1: an object is needed, got [1]"),
        (
            [{"epoch": 1, "scores": {"m": RIGHT}}, {"epoch": "2", "scores": {"m": RIGHT}}],
            "sample 2: epoch must be a whole number, got '2'",
        ),
        ([{"epoch": None, "scores": {"m": RIGHT}}], "epoch must be a whole number, got None"),
        ([{"id": 7, "scores": {"m": RIGHT}}] * 2, "id 7, epoch 1 comes twice"),
        ([{"scores": {"m": RIGHT}}, {"scores": {"m": {}}}], "sample 2: m has no value"),
        ([{"scores": {"m": {"value": [1]}}}], "sample 1: m has a list, where one value is"),
    ],
)
def test_an_odd_log_of_inspect_is_one_line(write, tmp_path, capsys, samples, words):
    text = json.dumps({"samples": samples})
    assert words in complaint(capsys, "report", write("odd.json", text))
    with zipfile.ZipFile(tmp_path / "odd.eval", "w") as file:
        for number, sample in enumerate(samples):
            file.writestr(f"samples/{number}.json", json.dumps(sample))
    assert words in complaint(capsys, "report", tmp_path / "odd.eval")


def test_a_sample_that_is_far_too_large_is_not_unpacked(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(_files, "_LARGEST", 0.1)  # MB
    with zipfile.ZipFile(tmp_path / "bomb.eval", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("samples/1.json", " " * 1_000_000)
    said = complaint(capsys, "report", tmp_path / "bomb.eval")
    assert "samples/1.json has 1 MB, above the limit of 0.1" in said


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"y_true": [[1], [2]], "y_pred": [1, 2]}, "y_true holds list<"),
        ({"y_true": [{"a": 1}] * 2, "y_pred": [1, 2]}, "y_true holds struct<"),
        ({"y_true": [1, None], "y_pred": [1, 2]}, "y_true has 1 empty values"),
        ({"y_true": [1, 2], "y_pred": [1, 2], "y_pred ": [1, 2]}, "has 2 columns y_pred"),
    ],
)
def test_odd_columns_of_parquet_are_one_line(tmp_path, capsys, columns, words):
    names = [name.strip() for name in columns]
    arrays = [pyarrow.array(values) for values in columns.values()]
    parquet.write_table(pyarrow.Table.from_arrays(arrays, names=names), tmp_path / "odd.PARQUET")
    assert words in complaint(capsys, "report", tmp_path / "odd.PARQUET")


def test_the_gate_speaks_by_its_exit_code(write, capsys):
    files = {
        "old": OLD, "new": NEW, "same": np.where(np.arange(N) % 100 == 0, 1 - OLD, OLD),
    }  # fmt: skip
    paths = {
        name: write(f"{name}.csv", table({"id": CASES, "y_true": TRUE, "y_pred": p}))
        for name, p in files.items()
    }
    assert "is better than" in said(capsys, "gate", paths["old"], paths["new"], code=0)
    assert "is better than" in said(capsys, "gate", paths["new"], paths["old"], code=1)
    said(capsys, "gate", paths["old"], paths["same"], code=3)
    said(capsys, "gate", paths["old"], paths["same"], "--margin", 0.05, code=0)
    said(capsys, "gate", paths["old"], paths["same"], "--margin", 0.0001, code=3)
    assert "No such file" in complaint(capsys, "gate", paths["old"], "nothing.csv")


def test_a_proven_difference_within_the_margin_passes_the_gate(write, capsys):
    """As its help and the page of tasks say: 0 where it is not worse by more than the margin."""
    old = write("old.csv", table({"id": CASES, "score": [1] * 200 + [0] * 100}))
    bad = write("bad.csv", table({"id": CASES, "score": [1] * 160 + [0] * 140}))
    command = ("gate", old, bad, "--score", "score")
    found = said(capsys, *command, "--margin", 0.5, code=0)
    assert "bad is worse than old at level 0.05, by no more than the margin of 50" in found
    assert "perhaps more than the margin" in said(capsys, *command, "--margin", 0.14, code=1)
    said(capsys, *command, code=1)


def test_a_gate_that_cannot_tell_says_how_many_cases_would(write, capsys):
    old = write("old.csv", table({"id": CASES, "score": [1] * 200 + [0] * 100}))
    new = write("new.csv", table({"id": CASES, "score": [1] * 196 + [0] * 98 + [1] * 6}))
    command = ("gate", old, new, "--score", "score")
    # Connor's approximation, (1.96 sqrt(p) + 0.84 sqrt(p - d^2))^2 / d^2, with p = 10/300
    found = said(capsys, *command, "--margin", 0.01, code=3).splitlines()[-1]
    assert found == (
        "About 2600 cases like these would tell, if the two are equally good, with 80% power."
    )
    found = said(capsys, *command, code=3).splitlines()[-1]  # d = 2/300
    assert found == ("About 5900 cases like these would show such a difference with 80% power.")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("compare long.csv --score score --id item", "is a long table, of which compare would"),
        (
            "compare long.csv --score score --where model=m1",
            "give each model a column or",
        ),
        ("compare a.csv", "compare needs two systems, but a.csv has one, y_pred; name two columns"),
        ("gate a.csv", "gate needs two systems"),
        ("gate a.csv b.csv wide.csv", "errlab gate can be of one or two systems"),
        ("compare a.csv b.csv a.csv", "a.csv is named twice"),
        ("compare a.csv ./a.csv", "./a.csv is named twice"),
        (
            "compare wide.csv --score m0 --score m1 --score m2",
            "scores can be of one or two",
        ),
        (
            "report wide.csv --pred m0 --pred m1 --pred m2",
            "report can be of one or two",
        ),
        ("compare a.csv b.csv --baseline a", "--baseline is for three systems or more, got 2"),
        ("gate long.csv --score score --margin 0.1", "gate would make one system"),
        ("gate old.csv new.csv --margin 0.01", "; for scores, or 0 and 1, say --score score"),
        ("report wide.csv --margin 0.1 --pred m0", "--margin is for two systems, got 1"),
        ("compare old.csv new.csv --pred score", "old.csv has no column y_true (see --true)"),
    ],
)
def test_a_command_that_compares_nothing_or_not_what_was_meant_is_an_error(
    write, capsys, monkeypatch, tmp_path, command, words
):
    monkeypatch.chdir(tmp_path)
    write("long.csv", "model,item,score\n" + "".join(f"m{i % 3},{i},1\n" for i in range(9)))
    for name in "ab":
        write(f"{name}.csv", "id,y_true,y_pred\n1,1,1\n2,0,1\n")
    for name in ("old", "new"):
        write(f"{name}.csv", "id,score\n1,1\n2,0\n")
    write("wide.csv", "id,y_true,y_pred,m0,m1,m2\n1,1,1,1,1,1\n2,0,0,0,0,0\n")
    assert words in complaint(capsys, *command.split())


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
    path = write("a.csv", table({"y_true": TRUE, "y_pred": OLD}))
    report = errlab.report(TRUE, OLD)
    found = said(capsys, "report", path, "--format", form)
    first = report.sentences()[0]
    assert first.replace("%", "\\%" if form == "latex" else "%") in found
    for condition in report.conditions():
        assert form == "json" or condition in found
    if form == "json":
        assert json.loads(found)["errors"] == report.errors


def test_a_picture_is_saved(write, capsys, tmp_path):
    pytest.importorskip("matplotlib")
    path = write("a.csv", table({"y_true": TRUE, "a": OLD, "b": NEW}))
    for name in ("picture.svg", "picture.png"):
        said(capsys, "report", path, "--plot", tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
    assert "--plot" in complaint(capsys, "report", path, "--plot", tmp_path / "picture.nothing")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--score", "nothing"], "has no column nothing"),
        (["--pred", "a", "--true", "nothing"], "has no column nothing"),
        (["--pred", "a", "--confidence", "95"], "--confidence must lie in (0, 1), got 95"),
        (["--pred", "a", "--group", "nothing"], "has no column nothing (see --group)"),
        (["--pred", "a", "--where", "b"], "--where must be COLUMN=VALUE"),
        (["--pred", "a", "--where", "b=9"], "has no case with b=9"),
        (["--score", "a", "--range", "5", "6"], "scores must lie in"),
        (["--score", "w"], "line 2: w must be a number"),
        (["--score", "h"], "line 2: h must be a number"),
    ],
)
def test_what_cannot_be_meant_is_said_in_one_line(write, capsys, arguments, words):
    path = write("a.csv", f"y_true,a,b,w,h\n0,0,1,x,{'1' * 5000}\n1,1,1,y,1\n")
    assert words in complaint(capsys, "report", path, *arguments)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"y_true": 1, "y_pred": 1}\n{"y_true": 1\n', "line 2: no JSON"),
        ('{"y_true": 1, "y_pred": 1}\n[1, 2]\n', "line 2: one JSON object a line"),
        ('{"y_true": 1, "y_pred": 1}\n{"y_true": 1}\n', "line 2: y_pred has no value"),
        ('{"y_true": [1], "y_pred": 1}\n', "line 1: y_true has a list"),
        ('{"y_true": "True", "y_pred": "true"}\n', "is true, one value in two writings"),
        ('{"y_true": "1", "y_pred": "1.0"}\n{"y_true": "1", "y_pred": "1"}\n', "two writings"),
        ('{"y_true": 1, "y_pred": 1}\n' + "[" * 100_000, "line 2: no JSON (nested too deeply)"),
        ('{"a":' * 100_000, "nested too deeply"),
        (f'{{"y_true": {"1" * 5000}, "y_pred": 1}}\n', "no JSON (too many digits)"),
        ("[1, 2]", "one JSON object a line"),
        ("{", "no JSON"),
    ],
)
def test_bad_json_is_named_with_its_line(write, capsys, content, words):
    assert words in complaint(capsys, "report", write("a.jsonl", content))


def test_standard_input_and_a_reader_that_leaves(write):
    path = write("a.jsonl", FILES["a.jsonl"])
    command = f"cat {path} | {sys.executable} -m errlab report - --score solved | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == repr(errlab.report(scores=SOLVED)).splitlines()[0] + "\n"
    assert done.stderr == ""


@pytest.mark.slow
def test_a_million_rows_stay_within_500_mb(write):
    """Measured by the kernel: the largest resident size of the process.

    A process in between starts it: what is forked from the tests begins with their own size.
    """
    rng = np.random.default_rng(0)
    true = rng.integers(0, 10, 1_000_000)
    pred = np.where(rng.random(1_000_000) < 0.05, 0, true)
    path = write("large.csv", table({"y_true": true, "y_pred": pred}))
    code = (
        "import resource, subprocess, sys; "
        f"subprocess.run([sys.executable, '-m', 'errlab', 'report', {path!r}], check=True); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "1000000 test cases" in run.stdout
    assert int(run.stdout.splitlines()[-1]) < 500_000  # kilobytes
