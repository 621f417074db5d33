"""The command line on logs that their real writers wrote, as data/logs/README.md says."""

import importlib.util
import json
import shutil
import zipfile
from pathlib import Path

import pytest

import errlab
from errlab.__main__ import main
from errlab.cli import files

LOGS = Path(__file__).with_name("data") / "logs"
INSPECT = LOGS / "inspect"
SMALL = [1, 0, 0, 1, 1, 1, 1, 1]  # what the model of this name solves, of 1 + 3 to 8 + 3
LARGE = [1, 0, 1, 1, 1, 1, 1, 1]


def said(capsys, *arguments, code=0):
    assert main([str(a) for a in arguments]) == code
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out.rstrip("\n")


def complaint(capsys, *arguments):
    assert main([str(a) for a in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err


def head(score, harness, model, others=""):
    more = f"; --score takes another: {others}" if others else ""
    return f"The score is {score} ({harness}; model {model}{more}).\n"


@pytest.mark.parametrize("name", ["small", "frames"])
def test_a_log_of_inspect_is_unpacked_and_read(capsys, name):
    expected = head("match", "scorer of Inspect", "mockllm/small")
    found = said(capsys, "report", INSPECT / f"{name}.eval")
    assert found == expected + repr(errlab.report(scores=SMALL))


def test_every_member_of_an_archive_is_what_its_checksum_says():
    """Several frames, and one; zipfile checks no method that it does not know."""
    members = 0
    for path in INSPECT.glob("*.eval"):
        with path.open("rb") as stream, zipfile.ZipFile(stream) as archive:
            for name in archive.namelist():
                assert files._member(archive, name) is not None
                members += 1
    assert members > 90


def test_a_damaged_member_is_refused(capsys, tmp_path):
    content = bytearray((INSPECT / "small.eval").read_bytes())
    with zipfile.ZipFile(INSPECT / "small.eval") as archive:
        place = archive.getinfo("summaries.json").header_offset
    content[place + 200] ^= 255
    path = tmp_path / "a.eval"
    path.write_bytes(content)
    assert "cannot be read as a log of Inspect" in complaint(capsys, "report", path)


def test_without_zstandard_a_line_names_both_remedies(capsys, monkeypatch):
    find = importlib.util.find_spec
    absent = lambda name: None if name == "zstandard" else find(name)  # noqa: E731
    monkeypatch.setattr(importlib.util, "find_spec", absent)
    monkeypatch.setattr("sys.version_info", (3, 13))
    found = complaint(capsys, "report", INSPECT / "small.eval")
    assert "pip install 'errlab[inspect]'; or convert it: inspect log convert --to json" in found
    said(capsys, "report", INSPECT / "text.json")


def test_the_same_log_as_json(capsys):
    expected = head("match", "scorer of Inspect", "mockllm/small")
    found = said(capsys, "report", INSPECT / "text.json")
    assert found == expected + repr(errlab.report(scores=[1, 0, 1]))


def test_epochs_are_groups_of_their_sample(capsys):
    expected = errlab.report(scores=SMALL[:5] * 3, groups=list(range(5)) * 3)
    found = said(capsys, "report", INSPECT / "epochs.eval")
    assert found.partition("\n")[2] == repr(expected)
    first = said(capsys, "report", INSPECT / "epochs.eval", "--where", "epoch=1", "--json")
    assert json.loads(first)["n"] == 5


def test_two_logs_are_called_by_their_models(capsys):
    small, large = INSPECT / "small.eval", INSPECT / "large.eval"
    names = ("mockllm/small", "mockllm/large")
    expected = errlab.report(scores=SMALL, scores_b=LARGE, names=names)
    found = said(capsys, "compare", small, large)
    assert found == "The score is match (scorer of Inspect).\n" + repr(expected)
    expected = errlab.report(scores=SMALL, scores_b=LARGE, names=("old", "new"))
    found = said(capsys, "compare", f"old={small}", f"new={large}")
    assert found.partition("\n")[2] == repr(expected)
    # one model twice: the files are two
    found = said(capsys, "compare", small, INSPECT / "frames.eval")
    assert "frames" in found
    assert "mockllm" not in found


SCORERS = {
    "grade": [0, 0.5, 0, 1] * 2,  # C, I, P, N: 1, 0, 0.5, 0
    "judge.style": [0.5, 1, 0, 0.5, 1, 0, 0.5, 1],
    "judge.facts": [1, 0] * 4,
    "id": SMALL,
    "epoch": [1, 0.5, 0.5, 1, 1, 1, 1, 1],
}


@pytest.mark.parametrize("name", SCORERS)
def test_each_scorer_is_a_column_even_one_that_is_called_id(capsys, name):
    """`id` took the place of the identifiers, and `epoch` that of the epochs."""
    path = INSPECT / "scorers.eval"
    expected = errlab.report(scores=SCORERS[name])
    assert said(capsys, "report", path, "--score", name) == repr(expected)
    if name == "grade":
        others = "id, epoch, judge.style, judge.facts"
        first = head(name, "scorer of Inspect", "mockllm/small", others)
        assert said(capsys, "report", path) == first + repr(expected)


BROKEN = {
    "cancelled": "the run broke off (status: cancelled)",
    "error": "the run broke off (status: error)",
    "killed": "the run was killed, or is under way",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_run_that_broke_off_is_refused_unless_it_is_asked_for(capsys, name):
    """It was "8 successes in 12 test cases" of 40, without a word."""
    path = INSPECT / f"{name}.eval"
    found = complaint(capsys, "report", path)
    assert f"{name}.eval: {BROKEN[name]}; 5 of 8 samples have a score, and those that end" in found
    assert "--missing drop leaves the others out, --missing wrong counts them as 0" in found
    for policy, scores, words in (
        ("drop", SMALL[:5], "the others are left out."),
        ("wrong", [*SMALL[:5], 0, 0, 0], "the others count as 0."),
    ):
        first, second, rest = said(capsys, "report", path, "--missing", policy).split("\n", 2)
        assert first.startswith(BROKEN[name][0].upper() + BROKEN[name][1:])
        assert first.endswith(words)
        assert second.startswith("The score is match")
        assert rest == repr(errlab.report(scores=scores))
    claim = json.loads(said(capsys, "report", path, "--missing", "drop", "--json"))["claim"]
    assert BROKEN[name][5:] in claim
    # a gate is held up by it as well, and says of which file it speaks
    assert f"{name}.eval: the run" in complaint(capsys, "gate", INSPECT / "small.eval", path)
    assert "lacks 3 of the 8 cases" in complaint(
        capsys, "gate", INSPECT / "small.eval", path, "--missing", "drop"
    )


def test_a_sample_that_failed_counts_as_is_asked(capsys):
    path = INSPECT / "failed.eval"
    found = complaint(capsys, "report", path)
    assert "failed.eval, sample 4: match has no value; 7 of 8 samples have a score; --mis" in found
    for policy, scores in (("drop", SMALL[:3] + SMALL[4:]), ("wrong", [1, 0, 0, 0, 1, 1, 1, 1])):
        first, _, rest = said(capsys, "report", path, "--missing", policy).split("\n", 2)
        assert first.startswith("7 of 8 samples have a score; the others")
        assert rest == repr(errlab.report(scores=scores))
    found = said(capsys, "report", path, "--missing", "wrong", "--where", "id=4", "--json")
    assert json.loads(found)["errors"] == 1


def test_a_log_without_samples_is_refused(capsys):
    found = complaint(capsys, "report", INSPECT / "unlogged.eval")
    assert "unlogged.eval has no samples; was the run logged without them?" in found


def harness(model, task):
    return next((LOGS / "lm_eval" / f"toy__{model}").glob(f"samples_{task}_*.jsonl"))


def test_samples_of_lm_eval_and_the_model_from_beside_them(capsys, tmp_path):
    small, large = harness("small", "choice"), harness("large", "choice")
    found = said(capsys, "report", small)
    first = head("acc", "metric of lm-evaluation-harness", "toy/small", "acc_norm")
    assert found == first + repr(errlab.report(scores=SMALL))
    found = said(capsys, "compare", small, large).partition("\n")[2]
    names = ("toy/small", "toy/large")
    assert found == repr(errlab.report(scores=SMALL, scores_b=LARGE, names=names))
    # without the results no model is known, and the file has its name
    alone = shutil.copy(large, tmp_path)
    assert "; model" not in said(capsys, "report", alone).partition("\n")[0]


@pytest.mark.parametrize("keep", ["first", "last"])
def test_of_two_filters_one_is_asked_for(capsys, keep):
    path = harness("large", "sums")
    assert "2 filters (first, last); keep one, as in --where filter=first" in complaint(
        capsys, "report", path
    )
    found = said(capsys, "report", path, "--where", f"filter={keep}", "--json")
    results = json.loads(next(path.parent.glob("results_*.json")).read_text("utf-8"))
    rate = results["results"]["sums"][f"exact_match,{keep}"]  # as the harness has it
    numbers = json.loads(found)
    assert 1 - numbers["errors"] / numbers["n"] == rate


def test_a_file_of_samples_that_was_cut_is_refused(capsys, tmp_path):
    path = Path(shutil.copytree(harness("small", "choice").parent, tmp_path / "a"))
    path = next(path.glob("samples_choice_*"))
    path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[:6]), "utf-8")
    found = complaint(capsys, "report", path)
    assert "the file holds 6 of the 8 cases of the run" in found
    assert "which others were to be run is not known" in complaint(
        capsys, "report", path, "--missing", "wrong"
    )
    assert "The file holds 6 of the 8" in said(capsys, "report", path, "--missing", "drop")


def test_results_of_lm_eval_hold_no_cases(capsys):
    path = next(harness("small", "sums").parent.glob("results_*.json"))
    found = complaint(capsys, "report", path)
    assert "has the means of lm-evaluation-harness and no cases; take the samples_*.jsonl" in found


def test_the_report_of_a_run_of_swe_bench(capsys):
    path = LOGS / "swebench" / "toy__small.first.json"
    empty = "report of SWE-bench, 1 with an empty patch count as unresolved"
    first = head("resolved", empty, "toy/small")
    expected = errlab.report(scores=[1] * 5 + [0] * 5)  # an empty patch and an error are wrong
    assert said(capsys, "report", path) == first + repr(expected)
    broken = LOGS / "swebench" / "broken" / "toy__small.first.json"
    assert "2 of the 10 cases have no prediction" in complaint(capsys, "report", broken)
    found = said(capsys, "report", broken, "--missing", "wrong").split("\n", 2)[2]
    assert found == repr(expected)


def test_the_events_of_openai_evals(capsys, tmp_path):
    path = LOGS / "openai_evals" / "small.jsonl"
    first = head("data.correct", "events of OpenAI evals", "toy/small")
    events = list(map(json.loads, path.read_text("utf-8").splitlines()))
    scores = [event["data"]["correct"] for event in events[2:]]
    assert said(capsys, "report", path) == first + repr(errlab.report(scores=scores))
    assert sum(scores) == sum(SMALL)
    other = tmp_path / "a.jsonl"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    other.write_text(lines[0] + "".join(lines[2:7]), "utf-8")
    assert "the run broke off (there is no final_report)" in complaint(capsys, "report", other)
    other.write_text("".join(lines[:2]), "utf-8")
    assert "has no event of the type match" in complaint(capsys, "report", other)
