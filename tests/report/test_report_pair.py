"""The report of two classifiers: verdict, p-value and interval agree, in numbers and in print."""

import json
import math
import re

import numpy as np
import pytest
from words import whole

import errlab
from errlab_book.figures import record


def columns(n01, n10, n, both=0):
    """True labels and two columns of predictions with these counts; all of one class."""
    wrong_a = [1] * n01 + [0] * n10 + [1] * both
    wrong_b = [0] * n01 + [1] * n10 + [1] * both
    rest = [0] * (n - len(wrong_a))
    return [0] * n, wrong_a + rest, wrong_b + rest


def report(n01, n10, n, both=0, **options):
    return errlab.report(*columns(n01, n10, n, both), **options)


def printed(pair):
    """The two ends of the interval as they are printed, as text."""
    return re.search(r"interval (.*) to (\S+ ?0?)\.$", pair.sentences()[0]).groups()


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    # exact2x2::mcnemarExactDP of R, version 1.7.0
    [((5, 0, 20), "-1.2", "+49.2"), ((6, 0, 20), "+1.9", "+54.3"), ((7, 1, 100), "-0.5", "+13.2")],
)
def test_the_cases_of_the_review(counts, low, high):
    assert printed(report(*counts)) == (low, high)
    assert report(*counts).verdict == ("better" if low[0] == "+" else "cannot tell")


def test_a_level_that_is_the_p_value():
    pair = report(5, 0, 20, delta=0.0625)
    assert pair.verdict == "better"
    assert printed(pair)[0] == "above 0"
    assert printed(report(0, 5, 20, delta=0.0625))[1] == "below 0"
    assert report(5, 0, 20, delta=0.0624).verdict == "cannot tell"
    assert "p = 0.0625" in whole(report(5, 0, 20, delta=0.0624))  # 0.062 would be below the level


def test_a_pair_on_one_class_or_without_a_difference():
    pair = report(0, 0, 30)
    assert pair.verdict == "cannot tell"
    assert "does not show that either is better" in whole(pair)
    assert "0 percentage points" in pair.sentences()[0]
    assert pair.a.baseline is None


VERDICTS = [
    # n01, n10, n, margin, verdict, sentence about the second model
    (20, 2, 500, 0.01, "better", "new is better than old at level 0.05."),
    (12, 10, 1000, 0.01, "not worse", "not worse than old by more than the margin of 1 percentage"),
    (12, 10, 200, 0.01, "cannot tell", "cannot tell whether new is worse than old by more than"),
    (2, 20, 1000, 0.05, "worse", "new is worse than old at level 0.05, by no more than the margin"),
    (2, 20, 200, 0.05, "worse", "worse than old at level 0.05, by perhaps more than the margin"),
    (2, 80, 200, 0.01, "worse", "new is worse than old at level 0.05, by more than the margin of"),
]


@pytest.mark.parametrize(("n01", "n10", "n", "margin", "verdict", "words"), VERDICTS)
def test_non_inferiority(n01, n10, n, margin, verdict, words):
    pair = report(n01, n10, n, margin=margin, names=("old", "new"))
    assert pair.verdict == verdict
    assert words in pair.reading
    assert (pair.low >= -margin) == pair.within_margin
    assert pair.within_margin == (verdict in ("better", "not worse") or "no more than" in words)
    assert "the margin was chosen before the test" in whole(pair)
    message = json.loads(pair.to_json())
    assert (message["verdict"], message["margin"]) == (verdict, margin)
    # without a margin, the same test only says which one is better
    plain = report(n01, n10, n)
    assert (plain.low, plain.high, plain.pvalue) == (pair.low, pair.high, pair.pvalue)
    assert plain.verdict in (verdict, "cannot tell")
    text = record(pair.plot())
    assert "worse by the margin" in text


def test_the_margin_that_is_reached_is_kept():
    exactly = -report(12, 10, 1000).low
    assert report(12, 10, 1000, margin=exactly).verdict == "not worse"
    assert report(12, 10, 1000, margin=np.nextafter(exactly, 0)).verdict == "cannot tell"


@pytest.mark.parametrize(
    ("delta", "text"), [(0.05, "at least 85%"), (0.01, "at least 97%"), (1e-7, "99.99997%")]
)
def test_the_conditions_count_the_claims(delta, text):
    assert f"three claims, each by itself (together they hold with {text}" in whole(
        report(3, 4, 50, delta=delta)
    ).replace("at least 99.9", "99.9")
    assert "together" not in whole(report(3, 4, 50, delta=0.4))
    assert "two claims" in whole(errlab.report([0, 1], [0, 0]))


def test_what_is_proven_is_said():
    pair = report(3, 4, 50)
    assert (pair.guarantee, pair.interval_guarantee) == ("exact", "none proven")
    assert (pair.a.guarantee, errlab.report([0, 1], [0, 0]).guarantee) == ("exact", "exact")
    assert "its coverage is computed, not proven" in whole(pair)


def test_always_the_same_answer():
    # 3 positives in 1,003 examples, all of them missed
    y = ["negative"] * 1000 + ["positive"] * 3
    single = errlab.report(y, ["negative"] * 1003)
    assert single.common == "'negative'"
    assert single.baseline == pytest.approx(3 / 1003)
    assert "Always answering 'negative' would be wrong on 0.30% of these examples." in whole(single)
    pair = errlab.report(y, ["negative"] * 1003, y)
    assert sum("Always answering" in sentence for sentence in pair.sentences()) == 1
    assert "Always" not in whole(errlab.report([0] * 9, [0] * 9))
    assert "&lt;b&gt;" in errlab.report(["<b>", "a", "<b>"], ["a", "a", "a"])._repr_html_()


@pytest.mark.slow
def test_small_confidence_and_large_tests_get_their_digits():
    sure = whole(errlab.report([0] * 200, [0] * 193 + [1] * 7, delta=1e-7))
    assert "With 99.99999% confidence" in sure
    assert "100% confidence" not in sure
    smaller, many = (
        errlab.report([0] * n, [1] * (n // 25) + [0] * (n - n // 25)) for n in (50, 10**6)
    )
    assert "rate of 4.0%" in whole(smaller)
    assert "rate of 4.000%" in whole(many)
    assert "at most 4.033%" in whole(many)
    one = errlab.report([0], [1])
    assert whole(one).startswith("1 error in 1 test example: an error rate of 100%, two-sided")
    assert "1 error in 1 example (100%)" in whole(errlab.report([0], [1], [0]))
    assert "right on 1 example: only A is wrong on 1" in whole(errlab.report([0], [1], [0]))


@pytest.mark.slow
def test_the_picture_says_what_the_text_says():
    pair = report(12, 10, 25_000)
    observed = re.search(r": (\S+) percentage points", pair.sentences()[0]).group(1)
    assert f"on this test, {observed}" in record(pair.plot())
    single = errlab.report([0] * 10**6, [1] * 37_072 + [0] * (10**6 - 37_072))
    text = record(single.plot())
    assert "error rate on the test, 3.707%" in text
    assert f"at most {math.ceil(single.upper * 1e5) / 1e3}%" in text
