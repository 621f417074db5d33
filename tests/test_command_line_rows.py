"""Which rows are cases, and whether two files hold the same ones, by what the files show."""

import hashlib

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import classification_report
from sklearn.model_selection import RepeatedKFold

import errlab
from errlab.__main__ import main

N = 40
RNG = np.random.default_rng(5)
QUESTIONS = [f"What is {i} + {3 * i}?" for i in range(N)]
TARGETS = [str(4 * i) for i in range(N)]
SCORES = RNG.integers(0, 2, (2, N))
BASE = pd.DataFrame(
    {"id": range(N), "question": QUESTIONS, "target": TARGETS, "answer": "?", "correct": SCORES[0]}
)
NEW = BASE.assign(answer=TARGETS[::-1], correct=SCORES[1])
HASHES = [hashlib.sha256(text.encode()).hexdigest() for text in QUESTIONS]


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Write tables, run a command, and return its exit code and what it prints."""
    monkeypatch.chdir(tmp_path)

    def run(command, *tables, options=("--score", "correct")):
        names = [f"{chr(97 + number)}.csv" for number in range(len(tables))]
        for name, table in zip(names, tables, strict=True):
            table.to_csv(name, index=False)
        code = main([command, *names, *options])
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return run


SHUFFLED = NEW.sample(frac=1, random_state=1).assign(id=range(N))
OTHER_CASES = {
    "question": (BASE, NEW.assign(question=[f"Name river {i}" for i in range(N)])),
    "target": (BASE, NEW.assign(target=[str(5 * i) for i in range(N)])),
    "--id question": (BASE, SHUFFLED),
    "task": (
        BASE[["id", "correct"]].assign(task="sums"),
        NEW[["id", "correct"]].assign(task="words"),
    ),
    "--id sha256": (
        BASE[["id", "correct"]].assign(sha256=HASHES),
        NEW[["id", "correct"]].assign(sha256=HASHES[1:] + HASHES[:1]),
    ),
    "prompt": (
        BASE[["id", "correct"]].assign(prompt=QUESTIONS),
        NEW[["id", "correct"]].assign(prompt=QUESTIONS[::-1]),
    ),
    # no name tells what it is, but the same texts stand beside other identifiers
    "--id case_text": (
        BASE[["id", "correct"]].assign(case_text=QUESTIONS),
        NEW[["id", "correct"]].assign(case_text=QUESTIONS[::-1]),
    ),
}


@pytest.mark.parametrize("proof", OTHER_CASES)
@pytest.mark.parametrize("command", ["compare", "gate"])
def test_other_cases_under_the_same_identifiers_are_refused(run, command, proof):
    code, text = run(command, *OTHER_CASES[proof])
    assert code == 2
    assert proof in text


def test_a_renumbered_file_is_compared_by_what_the_message_names(run):
    code, text = run("compare", BASE, SHUFFLED, options=("--score", "correct", "--id", "question"))
    expected = errlab.report(scores=SCORES[0], scores_b=SCORES[1], names=("a", "b"))
    assert (code, text.strip()) == (0, str(expected))


SAME = {
    "answers alone": NEW,
    "another way to write": NEW.assign(
        question=[text.replace(" ", "  ") + "\n" for text in QUESTIONS],
        target=[float(text) for text in TARGETS],
    ),
    "other prompts of the same questions": NEW.assign(prompt=[f"Solve {q}" for q in QUESTIONS]),
}


@pytest.mark.parametrize("what", SAME)
def test_files_that_differ_in_answers_alone_are_compared(run, what):
    first = BASE.assign(prompt=[f"Q: {q} A:" for q in QUESTIONS])
    code, text = run("compare", first, SAME[what])
    assert code == 0
    assert "Paired by" not in text
    assert "in 40 cases" in text


def test_where_nothing_proves_it_a_line_says_what_the_pairing_rests_on(run):
    columns = ["id", "correct"]
    code, text = run("compare", BASE[columns], NEW[columns])
    assert code == 0
    assert text.startswith("Paired by id alone, which nothing else in the files confirms.\n")


def repeated(name, values):
    """Return a row for each case and value, with new scores for each."""
    parts = [
        BASE[["id"]].assign(**{name: value}, correct=RNG.integers(0, 2, N)) for value in values
    ]
    return pd.concat(parts)


def folds():
    """Predictions of a repeated cross-validation, as a loop over its splits collects them."""
    splits = RepeatedKFold(n_splits=5, n_repeats=3, random_state=0).split(range(N))
    truth = RNG.integers(0, 2, N)
    rows = [
        {"split": split, "index": case, "y_true": truth[case], "y_pred": RNG.integers(2)}
        for split, (_, test) in enumerate(splits)
        for case in test
    ]
    return pd.DataFrame(rows)


LABELS = ("--true", "y_true", "--pred", "y_pred")
CORRECT = ("--score", "correct")


@pytest.mark.parametrize(
    ("table", "case", "options"),
    [
        (repeated("epoch", range(3)), "id", CORRECT),
        (repeated("seed", [7, 8]).rename(columns={"id": "problem_id"}), "problem_id", CORRECT),
        (folds(), "index", LABELS),
        # a case that comes twice, without a word why
        (pd.concat([BASE[["id", "correct"]], BASE[["id", "correct"]][:3]]), "id", CORRECT),
    ],
)
def test_repeats_of_a_case_are_a_group(run, table, case, options):
    code, text = run("report", table, options=options)
    told, claim = text.split("\n", 1)
    assert code == 0
    assert told.endswith(f"each {case} is a group.")
    given = {"groups": table[case].to_numpy()}
    if options == LABELS:
        expected = errlab.report(table["y_true"].to_numpy(), table["y_pred"].to_numpy(), **given)
    else:
        expected = errlab.report(scores=table["correct"].to_numpy(), **given)
    assert claim.strip() == str(expected)


def test_two_files_with_repeats_are_aligned_by_case_and_repeat(run):
    first, second = (repeated("seed", range(3)) for _ in range(2))
    code, text = run("compare", first, second.sample(frac=1, random_state=0))
    expected = errlab.report(
        scores=first["correct"].to_numpy(), scores_b=second["correct"].to_numpy(),
        groups=first["id"].to_numpy(), names=("a", "b"),
    )  # fmt: skip
    assert code == 0
    assert text.strip().endswith(str(expected))


def test_several_settings_in_one_table_are_refused(run):
    code, text = run("report", repeated("temperature", [0.0, 0.5, 1.0]))
    assert code == 2
    assert "keep one, as in --where temperature=0.0, or" in text
    assert "say --group id" in text


def unlike(**columns):
    return pd.DataFrame(columns)


BITS = RNG.integers(0, 2, 60)


@pytest.mark.parametrize(
    ("table", "options"),
    [
        (unlike(y_true=BITS, y_pred=BITS[::-1], sex=["m", "f"] * 30, age=range(60)), LABELS),
        (unlike(id=range(60), fold=np.repeat(range(5), 12), y_true=BITS, y_pred=BITS), LABELS),
        (unlike(sample=range(60), seed=[1] * 60, correct=BITS), CORRECT),
        (unlike(task=np.repeat(list("abc"), 20), doc_id=[*range(20)] * 3, correct=BITS), CORRECT),
        (unlike(item=range(60), level=["easy", "hard"] * 30, correct=BITS), CORRECT),
        (unlike(name=["all", "some", "any"] * 20, correct=BITS), CORRECT),
        (unlike(index=[*range(30)] * 2, part=[0] * 30 + [1] * 30, correct=BITS), CORRECT),
    ],
)
def test_columns_that_merely_repeat_are_no_alarm(run, table, options):
    code, text = run("report", table, options=options)
    assert code == 0
    assert "group." not in text
    assert "in 60 test cases: " in text


@pytest.mark.parametrize("word", ["all", "Mean", "amean", "macro avg", "overall"])
def test_a_row_that_sums_up_the_others_is_named_and_left_out(run, word):
    scores = RNG.random(30)
    queries = [*map(str, range(301, 331)), word]
    table = pd.DataFrame({"query": queries, "map": [*scores, scores.mean()]})
    code, text = run("report", table, options=("--score", "map"))
    told, claim = text.split("\n", 1)
    assert code == 0
    assert told == f"Left out: {word} (in query), which sums up the other lines."
    assert claim.strip() == str(errlab.report(scores=scores))


def test_a_classification_report_holds_no_cases(run):
    rates = classification_report(BITS, BITS[::-1], output_dict=True)
    code, text = run("report", pd.DataFrame(rates).T.reset_index(), options=("--score", "recall"))
    assert code == 2
    assert "errlab.per_class(y_true, y_pred)" in text
