"""Labs in Python: their traits, their widgets, their records, and their lines of errlab."""

import shlex
import sys
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest
import traitlets
from tables import toml

import errlab
from errlab.__main__ import main
from errlab_book import labs
from errlab_book.figures import record

STATES = toml("labs.toml")


@pytest.fixture(params=labs.LABS)
def lab(request):
    return labs.LABS[request.param](**STATES[request.param]["values"])


@pytest.mark.slow
def test_the_record_of_a_lab_holds_what_it_says_and_its_still_picture(lab, monkeypatch):
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


def test_without_anywidget_it_says_what_to_install(lab, monkeypatch):
    monkeypatch.setenv("ERRLAB_OUTPUT", "live")
    monkeypatch.setitem(sys.modules, "anywidget", None)
    text = lab._repr_mimebundle_()["text/plain"]
    assert text.startswith(repr(lab))
    assert "pip install anywidget" in text


def test_the_widget_follows_the_lab_and_the_lab_the_widget(lab):
    view = lab.widget()
    assert lab.widget() is view, "one model, however often it is shown"
    first = next((n for n, v in lab.values().items() if isinstance(v, int)), "confidence")
    value = getattr(lab, first)
    setattr(lab, first, value + 1)
    assert getattr(view, first) == value + 1
    setattr(view, first, value)
    assert getattr(lab, first) == value


def test_the_line_of_a_lab_gives_its_numbers(lab, tmp_path, monkeypatch, capsys):
    paths = STATES[lab.name]["shows"]
    if lab.name == "predictions":
        monkeypatch.chdir(tmp_path)
        Path("FILE.csv").write_text(lab.text)
        assert main(shlex.split(lab.code().removeprefix("python -m errlab "))) in (0, None)
        printed = " ".join(capsys.readouterr().out.split())
        assert [s for s in lab.sentences()[:2] if s not in printed] == []
        return
    result = eval(lab.code(), {"errlab": errlab, "labs": labs, "np": np})
    if lab.name == "confusion":
        ends = [f"{row.high:.4f}" for row in result]
        assert [s.split(" to ")[1][:-1] for s in lab.sentences()] == ends
        return
    for path in paths:
        name = path.rpartition(".")[2]
        shows, gives = attrgetter(path)(lab), getattr(result, name, result)
        if name == "models":
            shows, gives = ([model.estimate for model in one] for one in (shows, gives))
        np.testing.assert_allclose(gives, shows, rtol=1e-12, err_msg=path)


def test_two_values_of_one_message_are_judged_together():
    lab = labs.Claim(errors=7, cases=200)
    lab.widget().set_state({"errors": 300, "cases": 1000})
    assert (lab.errors, lab.cases) == (300, 1000)


def test_what_the_lab_refuses_stays_neither_in_it_nor_in_the_widget():
    """Values that it refuses from the start are in `tests/data/refusals.txt`."""
    lab = labs.Claim(errors=7, cases=200)
    before = lab.values()
    with pytest.raises(ValueError, match="errors must be at most cases = 200"):
        lab.widget().set_state({"errors": 201})
    assert lab.widget().errors == 7
    for name, value in {"errors": -1, "cases": 10**7 + 1, "confidence": 30, "expected": 5}.items():
        with pytest.raises(traitlets.TraitError, match=rf"must .*got {value}"):
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
