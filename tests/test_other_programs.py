"""Tables, workbooks and logs as other programs write them; expected counts come from the lists."""

import json
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pandas as pd
import pytest

from errlab.__main__ import main

FRAME = pd.DataFrame({"y_true": [0, 1] * 10, "y_pred": [0, 1, 1, 1] * 5})


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command in its own folder, and return its exit code and output."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return run


def told(run, *arguments):
    code, text = run(*arguments)
    assert code == 0, text
    return json.loads(text)


def workbook(package):
    """Skip the test if the library that reads a file isn't installed."""
    if find_spec(package) is None:
        pytest.skip(f"needs {package}")


def test_workbooks_are_read_and_several_sheets_refused(run):
    workbook("openpyxl")
    FRAME.to_excel("a.xlsx", index=False)
    assert told(run, "report", "a.xlsx", "--json")["errors"] == 5
    with pd.ExcelWriter("b.xlsx") as book:
        pd.DataFrame().to_excel(book, sheet_name="Notes", index=False)
        FRAME.to_excel(book, sheet_name="Test set", index=False)
    assert told(run, "report", "b.xlsx", "--json")["errors"] == 5
    with pd.ExcelWriter("c.xlsx") as book:
        pd.DataFrame({"note": ["read me"]}).to_excel(book, sheet_name="Notes", index=False)
        FRAME.to_excel(book, sheet_name="Test set", index=False)
    code, text = run("report", "c.xlsx")
    assert (code, "has 2 sheets (Notes, Test set)" in text) == (2, True)
    FRAME.astype(float).assign(y_pred=[float("nan")] + [1.0] * 19).to_excel("d.xlsx", index=False)
    assert "row 1: y_pred has no value; 19 of 20" in run("report", "d.xlsx")[1]


def test_files_of_spss_are_read_with_their_labels(run):
    workbook("pyreadstat")
    pyreadstat = import_module("pyreadstat")

    words = {0: "well", 1: "ill"}
    pyreadstat.write_sav(FRAME, "a.sav", variable_value_labels={"y_true": words, "y_pred": words})
    assert told(run, "report", "a.sav", "--json")["errors"] == 5
    result = told(run, "report", "a.sav", "--metric", "recall", "--positive", "ill", "--json")
    assert result["estimate"] == 1.0  # all ten ill patients are predicted ill
    pyreadstat.write_sav(FRAME.replace(words), "b.sav")
    assert told(run, "report", "b.sav", "--json")["errors"] == 5


# --- the same answers in the formats of other programs

TRUE = [0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1] * 3
CALLED = [0, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1] * 3  # wrong on 2 of each 12
WORD = {0: "no", 1: "yes"}
TRUE_WORDS, CALLED_WORDS = ([WORD[k] for k in column] for column in (TRUE, CALLED))
OK = [t == c for t, c in zip(TRUE, CALLED, strict=True)]
ROWS = range(len(TRUE))
TABLES = {
    "mlr3": {"row_ids": ROWS, "truth": TRUE_WORDS, "response": CALLED_WORDS},
    "KNIME": {"row ID": ROWS, "class": TRUE_WORDS, "Prediction (class)": CALLED_WORDS},
    "RapidMiner": {"label": TRUE_WORDS, "prediction(label)": CALLED_WORDS},
    "SAS": {"F_target": TRUE, "I_target": CALLED, "P_target1": [0.5] * len(TRUE)},
    "H2O": {"predict": CALLED, "p1": [0.5] * len(TRUE), "response": TRUE},
    "SPSS": {"outcome": TRUE, "PRE_1": [0.5] * len(TRUE), "PGR_1": CALLED},
    "tidymodels": {
        ".pred_yes": [0.5] * len(TRUE), "id": ["Fold1", "Fold2"] * (len(TRUE) // 2), ".row": ROWS,
        "churn": TRUE_WORDS, ".pred_class": CALLED_WORDS, ".config": ["pre0_mod0"] * len(TRUE),
    },
    "W&B": {"id": ROWS, "truth": TRUE, "guess": CALLED},
    "by hand": {"churn": TRUE_WORDS, "churn_pred": CALLED_WORDS},
    "in German": {"Fall": ROWS, "Wahrheit": TRUE_WORDS, "Vorhersage": CALLED_WORDS},
    "in French": {"réel": TRUE, "prédit": CALLED},
}  # fmt: skip


@pytest.mark.parametrize("program", TABLES)
def test_tables_of_predictions_are_read_without_an_option(run, program):
    pd.DataFrame(TABLES[program]).to_csv("a.csv", index=False)
    result = told(run, "report", "a.csv", "--json")
    assert (result["errors"], result["n"]) == (6, 36)
    assert result["warnings"] == []


def promptfoo(providers):
    results = [
        {"testIdx": k, "promptIdx": 0, "success": ok, "score": float(ok), "vars": {"q": f"q{k}"},
         "provider": {"id": provider}}
        for provider in providers
        for k, ok in enumerate(OK)
    ]  # fmt: skip
    return {"evalId": "e", "results": {"version": 3, "results": results}, "config": {}}


DEEPEVAL = {
    "testCases": [
        {"name": f"case_{k}", "input": "q", "success": ok, "metricsData": [
            {"name": "Faithfulness", "score": 0.9 if ok else 0.2}]}
        for k, ok in enumerate(OK)
    ],
    "metricsScores": [{"metric": "Faithfulness", "scores": [0.9, 0.2]}],
}  # fmt: skip
HELM = [
    {"instance_id": f"id{k}", "train_trial_index": 0, "stats": [
        {"name": {"name": "num_prompt_tokens", "split": "test"}, "mean": 31.0},
        {"name": {"name": "exact_match", "split": "test"}, "mean": float(ok)}]}
    for k, ok in enumerate(OK)
]  # fmt: skip


@pytest.mark.parametrize(
    ("log", "score"),
    [(promptfoo(["a"]), "success"), (DEEPEVAL, "success"), (HELM, "exact_match")],
    ids=["promptfoo", "DeepEval", "HELM"],
)
def test_logs_of_other_harnesses_are_read_without_an_option(run, log, score):
    Path("a.json").write_text(json.dumps(log), "utf-8")
    result = told(run, "report", "a.json", "--json")
    assert (result["estimate"], result["n"]) == (pytest.approx(30 / 36), 36)
    assert f"The score is {score} (" in result["claim"]


def test_two_providers_of_promptfoo_are_two_systems(run):
    Path("a.json").write_text(json.dumps(promptfoo(["a", "b"])), "utf-8")
    code, text = run("report", "a.json")
    assert (code, "--where provider=a" in text) == (2, True)
    assert told(run, "report", "a.json", "--where", "provider=b", "--json")["n"] == 36


SUMMARIES = {
    "cv_results_": {"params": ["{}"], "split0_test_score": [0.8], "mean_test_score": [0.8]},
    "leaderboard": {"model": ["a", "b"], "score_test": [0.8, 0.7], "score_val": [0.8, 0.7]},
    "collect_metrics": {".metric": ["accuracy"], ".estimator": ["binary"], "mean": [0.8]},
    "mlr3": {"learner_id": ["a"], "resampling_id": ["cv"], "iteration": [1], "classif.ce": [0.1]},
    "caret": {"Accuracy": [0.8, 0.9], "Kappa": [0.6, 0.7], "Resample": ["Fold1", "Fold2"]},
    "epochs": {"epoch": [1, 2], "train/loss": [0.4, 0.3], "accuracy": [0.7, 0.8]},
    "runs": {"Name": ["a", "b"], "State": ["finished"] * 2, "val/accuracy": [0.7, 0.8]},
}


@pytest.mark.parametrize("kind", SUMMARIES)
def test_rows_that_are_folds_models_or_epochs_are_no_cases(run, kind):
    pd.DataFrame(SUMMARIES[kind]).to_csv("a.csv", index=False)
    for name in SUMMARIES[kind]:
        code, text = run("report", "a.csv", "--score", name)
        assert (code, "not examples; " in text) == (2, True)


def test_cases_that_hold_the_columns_of_runs_or_settings_are_cases(run):
    for more in ({"name": "a", "state": "TX", "income/year": 1}, {"model": "m", "score_val": 1}):
        FRAME.assign(**more).to_csv("a.csv", index=False)
        assert told(run, "report", "a.csv", "--json")["errors"] == 5
    for columns in (
        ["0", "1"],
        ["2019", "2020"],
    ):  # columns with numbers as names, and names in the call
        FRAME.set_axis(columns, axis=1).to_csv("b.csv", index=False)
        named = ("--true", columns[0], "--pred", columns[1])
        assert told(run, "report", "b.csv", *named, "--json")["errors"] == 5
    FRAME.assign(predicted=FRAME.y_pred).drop(columns="y_pred").to_csv("c.csv")  # pandas's index
    assert told(run, "report", "c.csv", "--json")["errors"] == 5


def test_what_is_no_table_of_cases_says_what_to_do(run):
    for content, remedy in (
        ("<?xml version='1.0'?><testsuite/>", "is XML or HTML"),
        ("0,1\n1,1\n0,0\n", "has no header, as its first line is 0,1"),
        (",no,yes\nno,20,3\nyes,4,13\n", "errlab.per_class(table=...)"),
    ):
        Path("a.csv").write_text(content, "utf-8")
        code, text = run("report", "a.csv")
        assert (code, remedy in text) == (2, True)
    weka = "".join(f"{k},2:{t},2:{c},,0.9\n" for k, t, c in zip(ROWS, TRUE, CALLED, strict=True))
    Path("a.csv").write_text(
        f"=== Test data ===\n\ninst#,actual,predicted,error,p\n{weka}", "utf-8"
    )
    assert told(run, "report", "a.csv", "--json")["errors"] == 6


def test_the_refusal_names_the_only_column_that_is_called_a_score(run):
    pd.DataFrame({"input": list("abcd"), "scores.Factuality": [1, 0, 1, 1]}).to_csv("a.csv")
    assert "say --score scores.Factuality" in run("report", "a.csv")[1]


def test_settings_of_a_learner_in_one_table_of_tidymodels_are_refused(run):
    frame = pd.DataFrame(TABLES["tidymodels"])
    three = pd.concat([frame.assign(**{".config": f"mod{k}"}) for k in range(3)])
    three.to_csv("a.csv", index=False)
    code, text = run("report", "a.csv")
    assert (code, "--where .config=mod0" in text) == (2, True)
