"""The examples in the documents, run as a reader would, with what they print."""

import contextlib
import doctest
import io
import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.dummy import DummyClassifier

import errlab
from errlab.__main__ import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
LOGS = ROOT / "tests" / "data" / "logs"


def blocks(text, language):
    """Return the code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_what_a_prompt_prints_is_what_stands_below_it():
    """A comment in README once named the wrong winner, so the code now prints it."""
    tried = 0
    for path in (*ROOT.glob("*.md"), *ROOT.glob("book/*.md")):
        text = re.sub("^```.*$", "", path.read_text("utf-8"), flags=re.MULTILINE)
        if "\n>>> " not in text:
            continue
        example = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
        result = doctest.DocTestRunner(verbose=False).run(example)
        assert result.failed == 0, path
        tried += result.attempted
    assert tried


def test_every_call_of_readme_runs_on_data_of_its_kind_and_prints_what_it_says():
    """Run with a reader's data: labels, two models of which B is better, scores, a leaderboard."""
    rng = np.random.default_rng(0)
    y, X = rng.integers(0, 2, 60), rng.normal(size=(60, 2))
    a, b, c = (np.where(rng.random(60) < p, 1 - y, y) for p in (0.5, 0.02, 0.3))
    board = pd.DataFrame({"knn": a == y, "tree": b == y}).rename_axis("item").reset_index()
    board = board.melt("item", var_name="model", value_name="score")
    names = {
        "y_true": y, "y_pred": a, "pred_a": a, "pred_b": b, "a": a, "b": b, "c": c,
        "p": rng.random(60), "resolved": a == y, "repo": np.arange(60) // 6, "table": board,
        "X": X, "y": y, "model": DummyClassifier(),
    }  # fmt: skip
    (code,) = blocks(README, "python")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    (output,) = re.findall("The first line prints\n\n```\n(.*?)```", README, re.DOTALL)
    assert printed.getvalue().startswith(output)
    # "is B really better than A?", with names as the call prints them
    assert "B is better than A" in printed.getvalue()


def test_what_the_first_command_of_readme_prints_is_what_is_quoted(capsys):
    command, quoted = re.search(r"\n(errlab report .*)\n```\n\n((?:> .*\n)+)", README).groups()
    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out == re.sub("^> ", "", quoted, flags=re.MULTILINE)


def test_the_commands_for_logs_run_on_logs_of_these_names(tmp_path, monkeypatch, capsys):
    """Files of real harnesses are given the names used on the page."""
    monkeypatch.chdir(tmp_path)
    for folder, model in (("old", "small"), ("new", "large")):
        (path,) = (LOGS / "lm_eval" / f"toy__{model}").glob("samples_sums_*")
        samples = path.read_text("utf-8").replace('"filter": "first"', '"filter": "strict-match"')
        for name in (folder, "logs"):
            Path(name).mkdir(exist_ok=True)
        Path(folder, "samples_gsm8k.jsonl").write_text(samples, "utf-8")
        shutil.copy(LOGS / "inspect" / f"{model}.eval", f"logs/{folder}.eval")
    shutil.copy("old/samples_gsm8k.jsonl", "samples_gsm8k.jsonl")
    shutil.copy("logs/old.eval", "logs/2026-01-01_arithmetic.eval")
    text = (ROOT / "book" / "beside.md").read_text("utf-8")
    commands = [line for block in blocks(text, "bash") for line in block.splitlines()]
    assert len(commands) > 4
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "errlab"
        assert main(arguments) in ((0, 1, 3) if arguments[0] == "gate" else (0,)), command
        assert "8" in capsys.readouterr().out  # the number of examples


def test_every_call_of_readme_is_a_public_name():
    """A page once called `errlab.statements.per_class`."""
    calls = set(re.findall(r"errlab((?:\.\w+)+)\(", README))
    assert calls
    for call in calls:
        result = errlab
        for name in call.strip(".").split("."):
            assert name in result.__all__, call
            result = getattr(result, name)
        assert callable(result)
