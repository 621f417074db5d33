"""Every claim that says "exact", "finite sample" or "proven" carries its conditions, everywhere."""

import html
import json
import re
import warnings

import fuzz
import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from tables import sections
from test_cautions import watched

import errlab
from errlab import crossval, metrics
from errlab._core.evidence import method_key

(_, DATA), *SECTIONS = sections("conditions.txt")
NAMES = globals() | {
    "crossval": crossval, "metrics": metrics, "watched": watched,
    "DummyClassifier": DummyClassifier,
}  # fmt: skip
exec("\n".join(DATA), NAMES)
# statements that something is proven, but not that nothing is, or that a search is exact
CLAIM = re.compile(
    r"(?<!nothing )(?<!none )(?<!not )\bproven\b|(?<!for a )finite sample"
    r"|\(exact\b|[;:] exact\b|exact (?:one-sided|McNemar|paired|binomial)"
)
IN_ITSELF = re.compile(r"\(exact, (?:if|for) [^)]+\)")  # a sentence that contains its own condition


def shown(result):
    """Return every text in which a result is shown, by its name."""
    texts = {"text": str(result)}
    if hasattr(result, "_repr_html_"):
        texts["HTML"] = html.unescape(result._repr_html_())
    if hasattr(result, "to_json"):
        texts["JSON"] = result.to_json()
    elif hasattr(result, "to_dict"):
        texts["JSON"] = json.dumps(result.to_dict(), default=str)
    return texts


def lacking(result):
    """Return the conditions of a result that one of its longer texts doesn't contain."""
    texts = shown(result) | {"details": getattr(result, "details", "")}
    return [
        (place, condition)
        for place, text in texts.items()
        for condition in result.conditions()
        if place != "text" and condition not in text  # the text has only two lines
    ]


@pytest.mark.parametrize(("title", "lines"), SECTIONS)
def test_a_claim_has_its_conditions_in_text_html_and_json(title, lines):
    for call, words in zip(lines[::2], lines[1::2], strict=True):
        result = eval(call, NAMES)
        conditions = result.conditions()
        for word in words.strip().split("; "):
            assert any(word in condition for condition in conditions), (call, word)
        assert json.loads(result.to_json())["conditions"] == conditions
        assert lacking(result) == [], call
        assert len(str(result).splitlines()) <= 3
        assert len(str(result).split()) <= 80


@pytest.mark.slow
def test_every_public_function_that_claims_something_names_its_conditions():
    doors = set()
    for name, function in fuzz.functions().items():
        for variant, form in fuzz.forms(name, function):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result = function(**{key: value for key, (value, _) in form.items()})
            if any(CLAIM.search(IN_ITSELF.sub("", text)) for text in shown(result).values()):
                doors.add(name)
                assert result.conditions(), (name, variant)
                assert lacking(result) == [], (name, variant)
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


@pytest.mark.slow
@pytest.mark.parametrize("number", [10, pytest.param(1000, marks=pytest.mark.nightly)])
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
        one = errlab.report(y, a, groups=groups)
        alone = errlab.metric(y, a, metric="error", groups=groups)
        assert one.guarantee == alone.guarantee
        assert method_key(one.method) == method_key(alone.method)
