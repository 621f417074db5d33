"""Two lines are printed, everything else is in the details; no caution is hidden."""

import json

import numpy as np
import pytest

import errlab

RNG = np.random.default_rng(3)
SIZES = [5, 9, 30, 12, 7, 40, 11, 25, 6, 18, 22, 15]
GROUPS = np.repeat(np.arange(12), SIZES)
N = len(GROUPS)
A, B = ((RNG.random(N) < RNG.beta(3, k, 12)[GROUPS]).astype(int) for k in (6, 9))
MARKS, OTHERS = RNG.integers(1, 6, (2, N))
GRADED = {"scores": MARKS, "range": (1, 5)}
ZERO = np.zeros(N, int)
PLAIN = [
    errlab.report(errors=7, n=200),
    errlab.report(ZERO, A),
    errlab.report(ZERO, A, B),
    errlab.report(ZERO, A, B, margin=0.02),
    errlab.report(**GRADED),
    errlab.report(**GRADED, method="t"),
    errlab.report(**GRADED, scores_b=OTHERS),
    errlab.report(**GRADED, scores_b=OTHERS, method="t"),
]
GROUPED = [
    errlab.report(*what, **more, groups=GROUPS, method=method)
    for method in ("proven", "t")
    for what, more in (((ZERO, A), {}), ((ZERO, A, B), {}), ((), GRADED))
]
APART = errlab.report([0] * 340, [1] * 300 + [0] * 40, groups=[0] * 300 + [*range(1, 41)])
ROC = [errlab.metric(A, MARKS, metric="roc_auc"), errlab.metric(A, MARKS, OTHERS, metric="roc_auc")]


def test_the_first_sentence_of_the_readme():
    report = errlab.report(errors=7, n=200)
    assert str(report) == (
        "7 errors in 200 test examples: an error rate of 3.5%, two-sided 95% interval 1.4% to "
        "7.1%.\n"
        "With 95% confidence the true error is at most 6.5% "
        "(exact one-sided Clopper-Pearson bound)."
    )
    assert report == errlab.report([0] * 200, [1] * 7 + [0] * 193)
    assert errlab.report(errors=0, n=10, delta=0.01).delta == 0.01
    assert "at most" in str(errlab.report(errors=np.int64(3), n=np.int64(10)))


@pytest.mark.parametrize("result", [*PLAIN, *GROUPED, APART, *ROC])
def test_two_lines_and_all_the_rest_in_the_details(result):
    printed = str(result)
    assert len(printed.splitlines()) == 2
    for warning in result.warnings():
        assert printed.startswith(warning) or f" {warning} " in printed
    text = f"{printed}\n{result.details}"
    for part in (*result.sentences(), *result.conditions()):
        assert part in text.replace("\n  - ", "\n- ") or part in " ".join(text.split())
    message = json.loads(result.to_json())
    assert message["claim"] == " ".join(printed.split("\n"))
    assert message["warnings"] == result.warnings()
    assert message["conditions"] == result.conditions()
    assert message["evidence"]["method"]
    page = result._repr_html_()
    assert page.index("<strong>") < page.index("<details>") < page.index("This holds if")


def test_few_words_are_printed():
    for results, highest in ((PLAIN, 45), ([*GROUPED, APART], 60), (ROC, 60)):
        for result in results:
            assert len(str(result).split()) <= highest, result


def test_a_coverage_below_the_claim_stands_first():
    weak = [r for r in (*PLAIN, *GROUPED, *ROC) if r.evidence.weakness]
    assert weak
    for result in weak:
        assert str(result).startswith(result.evidence.weakness)
    strong = [r for r in (*GROUPED, *ROC) if r.evidence.coverage and not r.evidence.weakness]
    assert strong
    for result in strong:
        assert f"at least {result.evidence.percent}" in str(result)
    # a weak bound comes first even beside a strong test
    pair = errlab.report(**GRADED, scores_b=OTHERS, method="t")
    assert pair.warnings()[:1] == ([pair.evidence.weakness or pair.a.evidence.weakness])


def test_where_groups_are_equal_one_mean_is_told():
    equal = errlab.report(ZERO[:100], A[:100], groups=np.arange(100) // 10)
    assert "counts alike" not in f"{equal}{equal.details}"
    unequal = errlab.report(ZERO, A, groups=GROUPS)
    assert "counts alike" not in str(unequal)
    assert "counts alike" in unequal.details
    assert "counts alike" in str(APART)  # with unequal groups the two means differ
