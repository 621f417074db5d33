"""The report, in text, HTML, JSON and picture, from arrays and from the command line."""

import io
import json

import numpy as np
import pytest
from scipy import stats
from words import whole

import errlab
from errlab.__main__ import main

TRUE = [0] * 200
PRED = [0] * 193 + [1] * 7


def test_seven_errors_in_200():
    report = errlab.report(TRUE, PRED)
    assert (report.errors, report.n, report.rate) == (7, 200, 0.035)
    assert report.upper == pytest.approx(stats.beta.ppf(0.95, 8, 193), abs=1e-12)
    assert report.low == pytest.approx(stats.beta.ppf(0.025, 7, 194), abs=1e-12)
    assert report.high == pytest.approx(stats.beta.ppf(0.975, 8, 193), abs=1e-12)


def test_an_end_that_is_a_round_number_is_printed_as_it_is():
    """One example: the bound is 1 - delta if it is right, the low end delta / 2 if it is wrong."""
    assert "at most 95.0%" in whole(errlab.report([0], [0]))
    assert "2.5% to 100%" in whole(errlab.report([0], [1]))


def test_scores_are_not_taken_for_labels_of_minus_one_and_one():
    with pytest.warns(UserWarning, match=r"2 \(1 of 3\)"):  # warn: 2 is another label, not a score
        assert errlab.report([1, 1, -1], [2, 1, -1]).errors == 1


def test_two_classifiers():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 300)
    a, b = np.where(rng.random(300) < 0.2, 1 - y, y), np.where(rng.random(300) < 0.08, 1 - y, y)
    report = errlab.report(y, a, b)
    wrong_a, wrong_b = a != y, b != y
    assert report.n01 == np.sum(wrong_a & ~wrong_b)
    assert report.n10 == np.sum(~wrong_a & wrong_b)
    p = stats.binomtest(report.n01, report.n01 + report.n10).pvalue
    assert report.pvalue == pytest.approx(p, rel=1e-10)
    assert report.difference == pytest.approx(wrong_a.mean() - wrong_b.mean())
    assert report.low <= report.difference <= report.high
    assert report.reading.startswith("B is better")
    assert errlab.report(y, b, a).reading.startswith("A is better")
    assert report.a == errlab.report(y, a)
    assert all(s in whole(report) for s in report.sentences())
    assert json.loads(report.to_json())["n01"] == report.n01


def test_text_as_standard_input(monkeypatch, capsys):
    monkeypatch.setattr(
        "sys.stdin", io.StringIO("y_true,y_pred\na,a\nb,a\n")
    )  # as in a notebook cell
    assert main(["report", "-"]) == 0
    assert "1 error in 2" in capsys.readouterr().out


def test_plus_and_minus_one_belong_together_even_where_each_column_holds_one_of_them():
    report = errlab.report([-1] * 5, [1] * 5)
    assert (report.errors, report.n) == (5, 5)
