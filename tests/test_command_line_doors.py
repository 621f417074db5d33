"""A run as a folder, files of other programs, and gates of one system."""

import json
from importlib.util import find_spec
from math import comb
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

import errlab
from errlab.__main__ import main

LOGS = Path(__file__).with_name("data") / "logs"
RIGHT = [1, 1, 1, 0] * 5  # 15 of 20


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command in a folder of its own, and return its exit code and what it prints."""
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


# --- a run -----------------------------------------------------------------------------------


def test_a_folder_of_lm_eval_gives_each_task_and_both_means(run):
    folder = LOGS / "lm_eval" / "toy__small"
    found = told(run, "report", folder, "--where", "filter=first", "--json")
    harness = json.loads(next(folder.glob("results_*.json")).read_text("utf-8"))["results"]
    rows = {row["task"]: row for row in found["rows"]}
    assert rows["choice"]["estimate"] == harness["choice"]["acc,none"]
    assert rows["sums"]["estimate"] == harness["sums"]["exact_match,first"]
    both = (rows["choice"]["estimate"] + rows["sums"]["estimate"]) / 2
    assert rows["macro mean"]["estimate"] == pytest.approx(both)
    assert any("choice 0.75, standard error 0.164" in line for line in found["beside"])


def test_models_stand_beside_each_other(run):
    code, text = run("report", LOGS / "lm_eval", "--where", "filter=first")
    assert code == 0
    assert "toy/large 68.8% (41.3% to 89.0%), toy/small 56.2% (29.8% to 80.3%)" in text
    assert len(text.split()) <= 80


def test_fifty_seven_tasks_are_as_sharp_as_a_normal_interval(run):
    """13,987 questions: plus or minus .009 by hand, and .11 by a union bound."""
    rng = np.random.default_rng(57)
    sizes = rng.multinomial(13987 - 57 * 100, np.full(57, 1 / 57)) + 100
    parts = [
        pd.DataFrame({"subject": f"s{k}", "question_id": range(n), "correct": rng.random(n) < 0.34})
        for k, n in enumerate(sizes)
    ]
    table = pd.concat(parts)
    table.to_csv("mmlu.csv", index=False)
    found = told(run, "report", "mmlu.csv", "--score", "correct", "--task", "subject", "--json")
    rows = {row["task"]: row for row in found["rows"]}
    rates = table.groupby("subject")["correct"].mean()
    variance = (rates * (1 - rates) / table.groupby("subject").size()).sum() / 57**2
    macro = rows["macro mean"]
    assert macro["estimate"] == pytest.approx(rates.mean())
    assert (macro["high"] - macro["low"]) / 2 == pytest.approx(1.96 * variance**0.5, rel=0.08)
    exact = errlab.bounds.interval("CP", errors=int(table["correct"].sum()), n=len(table))
    assert (rows["pooled mean"]["low"], rows["pooled mean"]["high"]) == pytest.approx(exact)
    shares = dict.fromkeys(rates.index, 1 / 57)
    losses = table["correct"].to_numpy(float)
    same = errlab.metrics.error_at_shares(losses, table["subject"].to_numpy(), shares)
    assert (same.low, same.high) == pytest.approx((macro["low"], macro["high"]))


@pytest.mark.parametrize("tasks", [3, 10, 57])
@pytest.mark.parametrize(("least", "most"), [(8, 30), (100, 400)])
def test_the_mean_over_tasks_is_covered(tasks, least, most):
    """300 boards by day with rates near 0; 1,000 boards of 54 settings all covered 95%."""
    rng = np.random.default_rng(tasks * least)
    covered = 0
    for _ in range(300):
        sizes = rng.integers(least, most, tasks)
        rates = rng.beta(1, 30, tasks)
        losses = np.concatenate([rng.random(n) < p for n, p in zip(sizes, rates, strict=True)])
        names = np.repeat(np.arange(tasks), sizes)
        shares = dict.fromkeys(range(tasks), 1 / tasks)
        found = errlab.metrics.error_at_shares(losses.astype(float), names, shares)
        covered += found.low <= rates.mean() <= found.high
    assert covered >= binom.ppf(0.001, 300, 0.95)


def test_pass_at_k_is_the_mean_over_cases_of_its_unbiased_estimate(run):
    rng = np.random.default_rng(1)
    right = rng.random((12, 5)) < 0.4
    rows = [
        {"task_id": case, "sample": k, "passed": bool(right[case, k])}
        for case in range(12)
        for k in range(5)
    ]
    pd.DataFrame(rows).to_csv("samples.csv", index=False)
    command = ("report", "samples.csv", "--score", "passed", "--group", "task_id", "--json")
    found = told(run, *command, "--pass-at", 2)
    wrong = 5 - right.sum(axis=1)
    by_hand = np.mean([1 - comb(int(w), 2) / comb(5, 2) for w in wrong])
    assert (found["estimate"], found["n"]) == (pytest.approx(by_hand), 12)
    assert run(*command, "--pass-at", 6)[0] == 2


def test_two_runs_of_one_task_are_refused(run):
    samples = next((LOGS / "lm_eval" / "toy__small").glob("samples_choice_*")).read_text("utf-8")
    for name in ("one", "two"):
        Path(name).mkdir()
        Path(name, "samples_a.jsonl").write_text(samples, "utf-8")
    assert "the task samples_a comes twice" in run("report", "one", "two")[1]
    Path("empty").mkdir()
    assert "holds no logs and no tables" in run("report", "empty")[1]


# --- truth and predictions apart -------------------------------------------------------------

SOLUTION = pd.DataFrame(
    {"id": range(20), "target": [0, 1] * 10, "Usage": ["Public", "Private"] * 10}
)
SUBMISSION = pd.DataFrame({"id": range(20), "target": [0, 1, 1, 1] * 5}).iloc[::-1]


@pytest.mark.parametrize("order", [1, -1])
def test_a_solution_and_a_submission_are_joined(run, order):
    SOLUTION.to_csv("solution.csv", index=False)
    SUBMISSION.to_csv("submission.csv", index=False)
    files = ["solution.csv", "submission.csv"][::order]
    assert told(run, "report", *files, "--json")["errors"] == 5
    found = told(run, "report", *files, "--where", "Usage=Public", "--json")
    assert (found["errors"], found["n"]) == (5, 10)
    kappa = told(run, "report", *files, "--metric", "kappa", "--json")
    assert kappa["estimate"] == pytest.approx(0.5)


def test_what_a_submission_lacks_is_named(run):
    SOLUTION.to_csv("solution.csv", index=False)
    SUBMISSION[:-3].to_csv("submission.csv", index=False)
    assert "lacks 3 of the 20 cases" in run("report", "solution.csv", "submission.csv")[1]
    SUBMISSION.assign(id=SUBMISSION["id"] + 1).to_csv("submission.csv", index=False)
    assert (
        "has 1 cases that solution.csv lacks" in run("report", "solution.csv", "submission.csv")[1]
    )


# --- files of other programs -----------------------------------------------------------------

FRAME = pd.DataFrame({"y_true": [0, 1] * 10, "y_pred": [0, 1, 1, 1] * 5})


@pytest.mark.parametrize("name", ["a.dta", "a.feather", "a.npy", "a.npz"])
def test_tables_of_other_programs_are_read(run, name):
    if name == "a.npy":
        np.save(name, FRAME.to_numpy())
    elif name == "a.npz":
        np.savez(name, **{column: FRAME[column].to_numpy() for column in FRAME})
    else:
        getattr(FRAME, {"dta": "to_stata", "feather": "to_feather"}[name[2:]])(name)
    assert told(run, "report", name, "--json")["errors"] == 5


def workbook(package):
    """Skip honestly where the library that reads a file is not installed."""
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
    import pyreadstat

    words = {0: "well", 1: "ill"}
    pyreadstat.write_sav(FRAME, "a.sav", variable_value_labels={"y_true": words, "y_pred": words})
    assert told(run, "report", "a.sav", "--json")["errors"] == 5
    found = told(run, "report", "a.sav", "--metric", "recall", "--positive", "ill", "--json")
    assert found["estimate"] == 1.0  # all ten that are ill are called so
    pyreadstat.write_sav(FRAME.replace(words), "b.sav")
    assert told(run, "report", "b.sav", "--json")["errors"] == 5


@pytest.mark.parametrize("name", ["a.xlsx", "a.sav", "a.rds", "a.pkl", "a.mat"])
def test_what_cannot_be_read_is_one_sentence_with_a_remedy(run, name):
    Path(name).write_bytes(b"PK\x03\x04 no table")
    code, text = run("report", name)
    assert code == 2
    assert "save it as CSV" in text
    assert text.count("\n") == 1


WORDS = {
    "pass": "fail", "Passed": "FAILED", "yes": "no", "WAHR": "FALSCH", "vrai": "faux",
    "correct": "incorrect", "resolved": "error",
}  # fmt: skip


@pytest.mark.parametrize("word", WORDS)
def test_words_for_right_and_wrong(run, word):
    column = [word if right else WORDS[word] for right in RIGHT]
    pd.DataFrame({"n": range(20), "outcome": column}).to_csv("a.csv", index=False)
    assert told(run, "report", "a.csv", "--score", "outcome", "--json")["errors"] == 5
    rows = [{"name": f"t{k}", "outcome": text} for k, text in enumerate(column)]
    Path("a.json").write_text(json.dumps({"created": 1, "tests": rows}), "utf-8")
    assert told(run, "report", "a.json", "--score", "outcome", "--json")["errors"] == 5


def test_percentages_are_shares_and_other_words_are_named(run):
    pd.DataFrame({"acc": [f"{70 + k}%" for k in range(20)]}).to_csv("a.csv", index=False)
    found = told(run, "report", "a.csv", "--score", "acc", "--json")
    assert found["estimate"] == pytest.approx(0.795)
    pd.DataFrame({"ok": ["pass", "fail", "flaky"]}).to_csv("a.csv", index=False)
    assert (
        "fail is read, but flaky is not: write 1 or 0" in run("report", "a.csv", "--score", "ok")[1]
    )


@pytest.mark.parametrize(
    "names",
    [("target", "prediction"), ("gold", "answer"), ("obs", "pred"), ("Label", "Predicted"),
     ("truth", ".pred_class"), ("y", "y_hat")],
)  # fmt: skip
def test_usual_names_of_truth_and_prediction(run, names):
    FRAME.set_axis(names, axis=1).assign(note="x").to_csv("a.csv", index=False)
    assert told(run, "report", "a.csv", "--json")["errors"] == 5


def test_evalplus_counts_a_sample_that_passes_all_tests(run):
    states = [("pass", "pass"), ("pass", "fail"), ("fail", "pass")] * 4
    tasks = {
        f"HumanEval/{k}": [{"task_id": k, "base_status": base, "plus_status": plus}]
        for k, (base, plus) in enumerate(states)
    }
    Path("a.json").write_text(json.dumps({"date": "x", "hash": "y", "eval": tasks}), "utf-8")
    assert told(run, "report", "a.json", "--json")["errors"] == 8
    assert told(run, "report", "a.json", "--score", "base", "--json")["errors"] == 4


def test_alpaca_eval_is_a_win_rate(run):
    rows = [
        {"instruction": f"q{k}", "generator_1": "gpt4", "generator_2": "mine",
         "preference": preference}
        for k, preference in enumerate([1.0, 2.0, 1.5, 2.0])
    ]  # fmt: skip
    Path("annotations.json").write_text(json.dumps(rows), "utf-8")
    code, text = run("report", "annotations.json")
    assert code == 0
    assert text.startswith("The score is win (win rate against gpt4, a tie is half")
    assert "a mean of 0.6" in text


def test_pairs_of_labels_in_a_log_are_truth_and_prediction(run):
    truth, said = [0, 1] * 20, [0, 1, 1, 1] * 10
    lines = [
        {"doc_id": k, "filtered_resps": ["x"], "filter": "none", "metrics": ["mcc"], "mcc": [t, p]}
        for k, (t, p) in enumerate(zip(truth, said, strict=True))
    ]
    Path("samples_cola.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    found = told(run, "report", "samples_cola.jsonl", "--json")
    expected = errlab.metric(truth, said, metric="mcc")
    assert (found["estimate"], found["low"]) == (expected.estimate, expected.low)


# --- a gate of one system, and its plan ------------------------------------------------------


def test_a_gate_of_one_system_says_what_turns_it_green(run):
    FRAME.to_csv("a.csv", index=False)
    bound = errlab.bounds.upper("CP", errors=5, n=20)
    for limit, code, words in (
        (0.5, 0, "Green (exit 0): the true error is shown to be at most 50.0%."),
        (bound, 0, "Green (exit 0)"),
        (0.3, 3, "Green takes about"),
        (0.2, 3, "Only a better system, or --max-error 0.456 set beforehand, is green."),
        (0.05, 1, "Red (exit 1): the true error is shown to be above 5.0%."),
    ):
        found, text = run("gate", "a.csv", "--max-error", limit)
        assert (found, len(text.splitlines())) == (code, 2)
        assert words in text
        assert len(text.split()) <= 80
    assert run("gate", "a.csv", "--max-error", 0.456)[0] == 0
    pd.DataFrame({"ok": RIGHT}).to_csv("b.csv", index=False)
    assert run("gate", "b.csv", "--score", "ok", "--min-score", 0.5)[0] == 0
    assert run("gate", "b.csv", "--score", "ok", "--min-score", 0.7)[0] == 3
    assert run("gate", "a.csv", "b.csv", "--max-error", 0.5)[0] == 2


def test_a_plan_for_a_target_has_its_power_and_one_case_fewer_has_not():
    found = errlab.plan(error=0.03, max_error=0.05)

    def power(n):
        # the largest number of errors whose exact bound is at most the target
        allowed = max(k for k in range(n) if errlab.bounds.upper("CP", errors=k, n=n) <= 0.05)
        return binom.cdf(allowed, n, 0.03)

    assert power(found.n) >= 0.8 > power(found.n - 1)
    with pytest.raises(ValueError, match="max_error must be above the error that you expect"):
        errlab.plan(error=0.05, max_error=0.03)


# --- tables and logs as other programs write them, made anew from one list of answers ---------

TRUE = [0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1] * 3
CALLED = [0, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1] * 3  # wrong on 2 of 12
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
    found = told(run, "report", "a.csv", "--json")
    assert (found["errors"], found["n"]) == (6, 36)
    assert found["warnings"] == []


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
    found = told(run, "report", "a.json", "--json")
    assert (found["estimate"], found["n"]) == (pytest.approx(30 / 36), 36)
    assert f"The score is {score} (" in found["claim"]


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
        assert (code, "not cases; " in text) == (2, True)


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
