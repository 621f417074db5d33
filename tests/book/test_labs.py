"""Labs in Python: their traits, their widgets and their records."""

import re
import sys

import pytest
import traitlets
from marks import nightly

import errlab
from errlab_book import labs
from errlab_book.figures import record

NAMES = list(labs.LABS)


@pytest.mark.slow
@pytest.mark.parametrize("name", nightly(NAMES, "ranks"))
def test_the_record_of_a_lab_holds_what_it_says_and_its_still_picture(name, monkeypatch):
    lab = labs.LABS[name]()
    output = {}
    for mode in ("record", "book", "live"):
        monkeypatch.setenv("ERRLAB_OUTPUT", mode)
        # otherwise the widget's state, including the whole module, would be stored in the notebook
        assert lab._view is None
        bundle = lab._repr_mimebundle_()
        output[mode] = bundle[0] if isinstance(bundle, tuple) else bundle
    assert list(output["record"]) == ["text/plain"]
    assert list(output["book"]) == ["text/plain", "text/html"]
    assert "application/vnd.jupyter.widget-view+json" in output["live"]
    text = output["record"]["text/plain"]
    assert text == output["book"]["text/plain"] == f"{lab!r}\n{record(lab.plot())}"
    assert output["live"]["text/plain"] == repr(lab)


@pytest.mark.parametrize("name", NAMES)
def test_without_anywidget_it_says_what_to_install(name, monkeypatch):
    monkeypatch.setenv("ERRLAB_OUTPUT", "live")
    monkeypatch.setitem(sys.modules, "anywidget", None)
    lab = labs.LABS[name]()
    data = lab._repr_mimebundle_()
    assert data["text/plain"].startswith(repr(lab))
    assert "pip install anywidget" in data["text/plain"]


@pytest.mark.parametrize("name", NAMES)
def test_the_widget_follows_the_lab_and_the_lab_the_widget(name):
    lab = labs.LABS[name]()
    view = lab.widget()
    assert lab.widget() is view, "one model, however often it is shown"
    first = next((n for n, v in lab.values().items() if isinstance(v, int)), "confidence")
    value = getattr(lab, first)
    setattr(lab, first, value + 1)
    assert getattr(view, first) == value + 1
    setattr(view, first, value)
    assert getattr(lab, first) == value


def test_two_values_of_one_message_are_judged_together():
    lab = labs.Claim(errors=7, cases=200)
    lab.widget().set_state({"errors": 300, "cases": 1000})
    assert (lab.errors, lab.cases) == (300, 1000)


def test_what_the_lab_refuses_does_not_stay_in_the_widget():
    lab = labs.Claim(errors=7, cases=200)
    with pytest.raises(ValueError, match="errors must be at most cases = 200"):
        lab.widget().set_state({"errors": 201})
    assert lab.errors == lab.widget().errors == 7


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"errors": 201}, "errors must be at most cases = 200, got 201"),
        ({"errors": -1}, "errors must be at least 0, got -1"),
        ({"cases": 0}, "cases must be at least 1, got 0"),
        ({"cases": 10**7 + 1}, "cases must lie in"),
        ({"errors": 1.5}, "errors must be a whole number, got 1.5"),
        ({"errors": "seven"}, "errors must hold real numbers, got 'seven'"),
        ({"confidence": 30}, "confidence must lie in"),
        ({"confidence": float("nan")}, "confidence must be finite"),
        ({"expected": 5.0}, "target must be at least 0.01 above expected = 5, got 5"),
    ],
)
def test_a_wrong_value_is_refused_and_the_old_one_stays(values, message):
    lab = labs.Claim()
    before = lab.values()
    with pytest.raises(ValueError, match=re.escape(message)):
        labs.Claim(**values)
    for name, value in values.items():
        with pytest.raises(traitlets.TraitError, match=re.escape(message)):
            setattr(lab, name, value)
    assert lab.values() == before


def test_the_claim_is_that_of_the_report():
    lab = labs.Claim(errors=7, cases=200, confidence=90)
    text = errlab.report([0] * 200, [1] * 7 + [0] * 193, delta=0.1)
    assert lab.report == text
    assert lab.sentences()[:-1] == text.sentences()


def test_the_board_of_the_climb_shows_the_lowest_error():
    lab = labs.Climb(cases=5, submitted="00000,11111,10101", seed=2)
    lowest = 100 * min(lab.released)
    assert f"the best shown is {lowest:.1f}%" in lab.sentences()[0]
    assert min(lab.released) < max(lab.released)
