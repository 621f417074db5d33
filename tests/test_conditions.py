"""Every claim that says "exact", "finite sample" or "proven" carries its conditions, everywhere."""

import html
import json

import conditions
import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

import errlab
from errlab import crossval, metrics
from errlab._core.evidence import PROVEN, method_key

RNG = np.random.default_rng(52)
Y = RNG.integers(0, 2, 60)
A, B = (np.where(RNG.random(60) < rate, 1 - Y, Y) for rate in (0.2, 0.3))
MARKS, OTHERS = RNG.random((2, 60))
GROUPS = np.repeat(np.arange(12), 5)
UNEQUAL = np.repeat(np.arange(6), [20, 15, 10, 8, 5, 2])
EACH = np.arange(60)


def watched(*columns):
    """Return a watched test."""
    test = errlab.watch()
    test.update(*columns)
    return test


# Claims, with a word of each condition that must be stated.
CLAIMS = {
    "report": (lambda: errlab.report(Y, A), ["independent", "train"]),
    "report, two": (lambda: errlab.report(Y, A, B, margin=0.3), ["independent", "margin"]),
    "report, scores": (lambda: errlab.report(scores=MARKS, range=(0, 1)), ["order"]),
    "report, groups": (
        lambda: errlab.report(Y, A, groups=GROUPS),
        ["more than 5 examples", "larger"],
    ),
    "report, unequal": (lambda: errlab.report(Y, A, groups=UNEQUAL), ["more than 20 examples"]),
    "report, t, no error": (
        lambda: errlab.report(Y, Y, groups=GROUPS, method="t"),
        ["of one size"],
    ),
    "report, groups of one": (lambda: errlab.report(Y, A, groups=EACH), ["more than one example"]),
    "models": (lambda: errlab.models(Y, {"a": A, "b": B}), ["independent", "list"]),
    "models, groups": (
        lambda: errlab.models(Y, {"a": A, "b": B}, groups=GROUPS),
        ["more than 5 examples", "larger"],
    ),
    "models, groups of one": (
        lambda: errlab.models(Y, {"a": A, "b": B}, groups=EACH),
        ["more than one example"],
    ),
    "models, scores": (
        lambda: errlab.models(scores={"a": MARKS, "b": OTHERS}, range=(0, 1)),
        ["order"],
    ),
    "metric, rate": (lambda: errlab.metric(Y, A, metric="recall"), ["independent"]),
    "metric, Brier": (lambda: errlab.metric(Y, MARKS, metric="brier"), ["order", "range"]),
    "metric, mae": (
        lambda: errlab.metric(MARKS, OTHERS, metric="mae", range=(0, 1), groups=GROUPS),
        ["more than 5 examples", "range"],
    ),
    "metric, groups of one": (
        lambda: errlab.metric(Y, A, metric="error", groups=EACH),
        ["more than one example"],
    ),
    "watch": (lambda: watched(Y == A), ["one population", "order", "train"]),
    "watch, two": (lambda: watched(Y == A, Y == B), ["order"]),
    "crossval.estimate": (
        lambda: crossval.estimate(DummyClassifier(), MARKS[:, None], Y, cv=5),
        ["independent", "inside", "training sets"],
    ),
    "error_at_shares": (
        lambda: metrics.error_at_shares((Y != A) * 1.0, Y, {0: 0.4, 1: 0.6}),
        ["stratum", "estimated"],
    ),
    "weighted_error": (
        lambda: metrics.weighted_error((Y != A) * 1.0, 1 + MARKS),
        ["weights", "independent"],
    ),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_has_its_conditions_in_text_html_and_json(name):
    make, needed = CLAIMS[name]
    result = make()
    conditions = result.conditions()
    assert conditions
    for word in needed:
        assert any(word in condition for condition in conditions), (word, conditions)
    for condition in conditions:
        assert condition in result.details
        assert condition in json.loads(result.to_json())["conditions"]
        assert condition.split("'")[0] in result._repr_html_()
    lines = str(result).splitlines()
    assert len(lines) <= 3
    assert len(str(result).split()) <= 80


def test_every_public_function_that_claims_something_names_its_conditions():
    doors = set()
    for claim in conditions.claims():
        assert claim.conditions, claim.call
        doors.add(claim.call.split()[0])
        for place, text in claim.texts.items():
            if place != "text":  # the text has only two lines; conditions are in the details
                for condition in claim.conditions:
                    as_shown = html.unescape(text) if place == "HTML" else text
                    assert condition in as_shown, (claim.call, place, condition)
    # these once had no conditions, but must state as many as a report
    assert {"bounds.interval", "compare.mcnemar", "metrics.grouped_betting", "plan"} <= doors


def table(rng):
    """Draw a table of labels for two models, with or without groups."""
    n = int(rng.integers(8, 80))
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    columns = [np.where(rng.random(n) < rng.uniform(0, 0.5), 1 - y, y) for _ in range(2)]
    groups = None
    if rng.random() < 0.5:
        groups = rng.integers(0, max(n // 4, 2), n)
        groups[:2] = 0, 1
    return y, columns, groups


@pytest.mark.parametrize("number", [25, pytest.param(1000, marks=pytest.mark.nightly)])
def test_one_question_has_one_label_at_every_door(number):
    rng = np.random.default_rng(9)
    for _ in range(number):
        y, (a, b), groups = table(rng)
        pair = errlab.report(y, a, b, groups=groups)
        many = errlab.models(y, {"A": a, "B": b}, groups=groups)
        measured = errlab.metric(y, a, b, metric="error", groups=groups)
        for other in (many, measured):
            assert method_key(other.method) == method_key(pair.method)
            assert other.guarantee == pair.guarantee
            assert other.interval_guarantee == pair.interval_guarantee
        assert measured.pvalue == pytest.approx(pair.pvalue, rel=1e-9)
        assert sorted(map(abs, (measured.low, measured.high))) == pytest.approx(
            sorted(map(abs, (pair.low, pair.high))), abs=1e-9
        )
        one, alone = errlab.report(y, a, groups=groups), errlab.metric(
            y, a, metric="error", groups=groups
        )  # fmt: skip
        assert one.guarantee == alone.guarantee
        assert method_key(one.method) == method_key(alone.method)


def test_not_worse_carries_the_interval_that_it_rests_on():
    zeros = np.zeros(300, dtype=int)
    a, b = (np.arange(300) < 12) * 1, (np.arange(300) >= 286) * 1
    report = errlab.report(zeros, a, b, margin=0.06)
    assert report.verdict == "not worse"
    assert report.guarantee == report.interval_guarantee == "none proven"
    assert "interval of Fay and Lumbard" in str(report)
    assert "at the margin" in str(report)
    assert "McNemar" not in str(report)
    assert report.margin_pvalue < 0.05 < report.pvalue
    assert report.to_dict()["margin_pvalue"] == report.margin_pvalue
    # the level at which the interval ends at the margin
    at = errlab.report(zeros, a, b, margin=0.06, delta=report.margin_pvalue)
    assert at.low == pytest.approx(-0.06, abs=1e-9)


def test_groups_of_several_sizes_without_an_error_are_not_proven_by_t():
    groups = np.repeat([0, 1, 2, 3], [17, 6, 1, 1])
    report = errlab.report([0] * 25, [0] * 25, groups=groups, method="t")
    assert report.guarantee == "asymptotic"
    # 30% of the groups wrong, of the largest size: 3 * 17 / (5 + 5 * 17) of the examples
    assert report.bound > 51 / 90
    assert metrics.korn_graubard([0.0] * 25, groups=groups).guarantee not in PROVEN
    even = errlab.report([0] * 24, [0] * 24, groups=np.repeat([0, 1, 2, 3], 6), method="t")
    assert even.guarantee == "finite sample"
