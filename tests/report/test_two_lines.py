"""Two lines are printed, everything else is in the details; no caution is hidden."""

import json

import numpy as np
import pytest
from examples import APART, GRADED, GROUPED, GROUPS, OTHERS, PLAIN, ROC, ZERO, A
from words import whole

import errlab
from errlab_book.figures import record


def test_two_lines_of_few_words_and_all_the_rest_in_the_details():
    for results, words in ((PLAIN, 45), ([*GROUPED, APART], 60), (ROC, 60)):
        for result in results:
            printed = str(result)
            assert len(printed.splitlines()) == 2
            assert len(printed.split()) <= words, result
            for warning in result.warnings():
                assert printed.startswith(warning) or f" {warning} " in printed
            text = " ".join(whole(result).split())
            for part in (*result.sentences(), *result.conditions()):
                assert " ".join(part.split()) in text
            message = json.loads(result.to_json())
            assert message["claim"] == " ".join(printed.split("\n"))
            assert message["warnings"] == result.warnings()
            assert message["conditions"] == result.conditions()
            assert message["evidence"]["method"]
            page = result._repr_html_()
            assert page.index("<strong>") < page.index("<details>") < page.index("This holds if")


@pytest.mark.slow
def test_every_report_says_its_guarantee_and_has_a_picture_of_its_interval():
    for result in (*PLAIN[:8], *GROUPED[:4]):  # the others are the same with another method
        assert result.guarantee in ("exact", "finite sample", "asymptotic", "none proven")
        assert result.guarantee in " ".join(result.sentences())
        assert json.loads(result.to_json())["guarantee"] == result.guarantee
        ax = result.plot()
        low, high = ax.get_xlim()
        assert low <= result.low < result.high <= high
        assert record(ax)


def test_a_coverage_below_the_claim_stands_first():
    results = [*PLAIN, *GROUPED, *ROC]
    weak = [r for r in results if r.evidence.weakness]
    strong = [r for r in results[len(PLAIN) :] if r.evidence.coverage and not r.evidence.weakness]
    assert weak
    assert strong
    for result in weak:
        assert str(result).startswith(result.evidence.weakness)
    for result in strong:
        assert f"at least {result.evidence.percent}" in str(result)
    # a weak bound comes first even beside a strong test
    pair = errlab.report(**GRADED, scores_b=OTHERS, method="t")
    assert pair.warnings()[:1] == ([pair.evidence.weakness or pair.a.evidence.weakness])


def test_where_groups_are_equal_one_mean_is_told():
    equal = errlab.report(ZERO[:100], A[:100], groups=np.arange(100) // 10)
    assert "counts alike" not in whole(equal)
    unequal = errlab.report(ZERO, A, groups=GROUPS)
    assert "counts alike" not in str(unequal)
    assert "counts alike" in unequal.details
    assert "counts alike" in str(APART)  # with unequal groups the two means differ
