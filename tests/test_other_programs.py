"""Workbooks and files of SPSS, which need a library each; other files are in data/commands.txt."""

import json

import pandas as pd
import pytest

from errlab.__main__ import main

FRAME = pd.DataFrame({"y_true": [0, 1] * 10, "y_pred": [0, 1, 1, 1] * 5})


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Report a file of its own folder, and return the JSON, or the error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = main(["report", *arguments, "--json"])
        captured = capsys.readouterr()
        assert code in (0, 2)
        return captured.err if code else json.loads(captured.out)

    return run


def test_workbooks_are_read_and_several_sheets_refused(run):
    pytest.importorskip("openpyxl", reason="needs openpyxl")
    FRAME.to_excel("a.xlsx", index=False)
    assert run("a.xlsx")["errors"] == 5
    for name, notes in (("b.xlsx", {}), ("c.xlsx", {"note": ["read me"]})):
        with pd.ExcelWriter(name) as book:
            pd.DataFrame(notes).to_excel(book, sheet_name="Notes", index=False)
            FRAME.to_excel(book, sheet_name="Test set", index=False)
    assert run("b.xlsx")["errors"] == 5
    assert "has 2 sheets (Notes, Test set)" in run("c.xlsx")
    FRAME.assign(y_pred=[None] + [1] * 19).to_excel("d.xlsx", index=False)
    assert "row 1: y_pred has no value; 19 of 20" in run("d.xlsx")


def test_files_of_spss_are_read_with_their_labels(run):
    pyreadstat = pytest.importorskip("pyreadstat", reason="needs pyreadstat")
    words = {0: "well", 1: "ill"}
    pyreadstat.write_sav(FRAME, "a.sav", variable_value_labels={"y_true": words, "y_pred": words})
    assert run("a.sav")["errors"] == 5
    recall = run("a.sav", "--metric", "recall", "--positive", "ill")
    assert recall["estimate"] == 1.0  # all ten ill patients are predicted ill
    pyreadstat.write_sav(FRAME.replace(words), "b.sav")
    assert run("b.sav")["errors"] == 5
