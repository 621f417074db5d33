"""Each lab prints a line of errlab that gives the same numbers; labs accept arrays and frames."""

import shlex

import numpy as np
import pandas as pd
import pytest

import errlab
from errlab.__main__ import main
from errlab_book import labs

STATES = {
    "bag": {"cases": 30, "errors": 4},
    "claim": {"errors": 3, "cases": 150, "confidence": 99.0},
    "climb": {"cases": 5, "submitted": "00000,11111,10101", "seed": 2, "board": "Ladder"},
    "confusion": {"tp": 8, "fp": 2, "fn": 4, "tn": 86, "confidence": 90.0},
    "groups": {"groups": 50, "size": 4, "alike": 60.0, "seed": 3},
    "misses": {"method": "WIL", "cases": 40, "error": 12.5, "confidence": 90.0},
    "pair": {"both": 4, "only_a": 12, "only_b": 3, "neither": 181, "confidence": 97.5},
    "ranks": {"board": "own", "items": 8, "units": "items", "text": "", "seed": 4},
    "winner": {"models": 20, "sets": 3, "candidates": "different"},
}
NUMBERS = {
    "bag": lambda lab: lab.percentile,
    "claim": lambda lab: [lab.report.upper, lab.report.low, lab.report.high],
    "climb": lambda lab: lab.released,
    "confusion": lambda lab: [float(s.split(" to ")[1][:-1]) for s in lab.sentences()],
    "groups": lambda lab: [lab.by_group.low, lab.by_group.high],
    "misses": lambda lab: lab.rate,
    "pair": lambda lab: [lab.report.pvalue, lab.report.low, lab.report.high],
    "ranks": lambda lab: [model.estimate for model in lab.found.models],
    "winner": lambda lab: lab.shown,
}
OF_THE_LINE = {
    "claim": lambda result: [result.upper, result.low, result.high],
    "confusion": lambda rows: [round(row.high, 4) for row in rows],
    "groups": lambda result: [result.low, result.high],
    "pair": lambda result: [result.pvalue, result.low, result.high],
    "ranks": lambda result: [model.estimate for model in result.models],
}


@pytest.mark.parametrize("name", STATES)
def test_the_line_of_a_lab_gives_its_numbers(name):
    lab = labs.LABS[name](**STATES[name])
    result = eval(lab.code(), {"errlab": errlab, "labs": labs, "np": np})
    numbers = OF_THE_LINE.get(name, lambda result: result)(result)
    np.testing.assert_allclose(numbers, NUMBERS[name](lab), rtol=1e-12)


def test_the_line_of_the_predictions_runs_in_a_terminal(tmp_path, monkeypatch, capsys):
    lab = labs.Predictions(confidence=99.0)
    (tmp_path / "FILE.csv").write_text(lab.text)
    monkeypatch.chdir(tmp_path)
    arguments = shlex.split(lab.code().removeprefix("python -m errlab "))
    assert main(arguments) in (0, None)
    printed = " ".join(capsys.readouterr().out.split())
    for sentence in lab.sentences()[:2]:
        assert sentence in printed


def test_each_lab_has_a_line():
    assert {*STATES, "predictions"} == set(labs.LABS)


TRUE = np.array([0, 1, 1, 0] * 20)
PRED = np.where(np.arange(80) < 3, 1 - TRUE, TRUE)


@pytest.mark.parametrize(
    "columns",
    [
        (TRUE, PRED),
        (TRUE.tolist(), PRED.tolist()),
        (TRUE.astype(float), PRED.astype(bool)),
        (pd.Series(TRUE), pd.Series(PRED, index=range(80, 160))),
        (pd.DataFrame({"y_true": TRUE, "y_pred": PRED}),),
        (pd.DataFrame({"y_pred": PRED, "y_true": TRUE}),),
        ({"y_true": TRUE, "y_pred": PRED},),
    ],
)
def test_predictions_take_arrays_and_frames(columns):
    report = labs.Predictions(*columns).report
    assert report.upper == errlab.report(TRUE, PRED).upper


def test_labels_may_hold_commas_and_quotes():
    true, pred = ["a,b", 'c"d'] * 10, ["a,b"] * 20
    assert labs.Predictions(true, pred).report.errors == 10


def test_a_board_takes_a_frame():
    lab = labs.Ranks()
    frame = pd.DataFrame({
        "model": np.repeat(["a", "b"], 40), "item": np.tile(np.arange(40), 2),
        "score": np.repeat([1, 1, 0, 1], 20),
    })  # fmt: skip
    lab = labs.Ranks(frame)
    assert [model.estimate for model in lab.found.models] == [0, 0.5]
