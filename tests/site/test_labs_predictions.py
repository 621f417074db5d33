"""The lab for a table of predictions: page and errlab read, refuse and report the same."""

import re

import numpy as np
import pytest
from browser import probe
from labs_in_browser import CASES, drawn, near
from marks import nightly

from errlab import report
from errlab.__main__ import main
from errlab_book import labs
from errlab_book.labs.predictions import FAULTS, _columns_of

# if some labels are never true, errlab warns and the lab shows a message
pytestmark = [
    pytest.mark.site,
    pytest.mark.filterwarnings("ignore:.*labels that y_true never does:UserWarning"),
]
ONE = "y_true,y_pred\n" + "0,0\n" * 193 + "0,1\n" * 7


@pytest.fixture
def tab(visit):
    return visit(drawn("predictions"), width=1000)


# What errlab says about a table, and what the page says.


def reported(text, confidence=95.0):
    """Return errlab's report of a table, or its error message."""
    try:
        names, columns = _columns_of(text)
        named = {"names": tuple(names[1:])} if len(columns) == 3 else {}
        return report(*columns, delta=(100 - confidence) / 100, **named)
    except (TypeError, ValueError) as error:
        return str(error)


def agree(text, got, errlab):
    """Compare what the page says about a table with what errlab says."""
    assert ("fault" in got) == isinstance(errlab, str), (text, got, errlab)
    if "fault" in got:
        FAULTS[got["fault"]].format(**got["gaps"])
        if line := re.search(r"line (\d+)", errlab):
            assert got["gaps"].get("line") == int(line[1]), (text, got, errlab)
        return
    if hasattr(errlab, "pvalue"):
        numbers = [errlab.pvalue, errlab.difference, errlab.low, errlab.high]
        conditions = errlab.conditions()
    else:
        numbers = [errlab.errors, errlab.n, errlab.upper, errlab.low, errlab.high]
        conditions = list(labs.Claim().words()["conditions"])
    assert got["numbers"] == near(numbers), (text, got, errlab)
    assert got["sentences"] == errlab.sentences(), text
    assert got["conditions"] == conditions


def written(value, rng):
    """Write a field, in quotes if needed, and sometimes if not."""
    if rng.random() < 0.15 or re.search(r'[",;\t\r\n]|^ ', value):
        return '"' + value.replace('"', '""') + '"'
    return value


def tables(size, seed):
    """Random tables: one class, one example, all right, all wrong; with extra columns."""
    rng = np.random.default_rng(seed)
    for _ in range(size):
        labels = CASES["labels"][rng.integers(len(CASES["labels"]))]
        labels = labels[: rng.integers(1, len(labels) + 1)]
        n = int(rng.choice([1, 2, 5, 30, rng.integers(1, 200)]))
        truth = [labels[i] for i in rng.integers(0, len(labels), n)]
        columns = [truth]
        for _ in range(rng.integers(1, 3)):
            right = rng.choice([0.0, 1.0, 0.9, 0.5])
            other = [labels[i] for i in rng.integers(0, len(labels), n)]
            columns.append(
                [t if rng.random() < right else o for t, o in zip(truth, other, strict=True)]
            )
        names = ["y_true", *(["y_pred"] if len(columns) == 2 else ["first", "the, 2nd"])]
        if len(columns) == 3 and rng.random() < 0.3:
            names, columns = [*names, "id"], [*columns, [str(i) for i in range(n)]]
            names[1:3] = [["pred_a", "pred_b"], ["first", "\u202e2nd"]][rng.integers(2)]
        order = rng.permutation(len(names))
        end = rng.choice(["\n", "\r\n", "\r"])
        mark = str(rng.choice([",", "\t", ";"])) if "the, 2nd" not in names else ","
        space = rng.choice(["", "", " "])
        rows = [names, *zip(*columns, strict=True)]
        text = end.join(
            f"{mark}{space}".join(written(str(row[i]), rng) for i in order) for row in rows
        )
        level = float(rng.choice([50, 90, 95, 99, 99.9999, round(rng.uniform(50, 99.99), 3)]))
        yield text + rng.choice(["", end, end + end]), level


def broken(size, seed):
    """Tables with a typing mistake; some of them are still valid."""
    rng = np.random.default_rng(seed)
    signs = [*"\",\n\r' \0;\ufeff10\x1f", ".0", "nan", "e5"]
    for text, level in tables(size, seed + 1):
        for _ in range(rng.integers(1, 4)):
            place = int(rng.integers(0, len(text) + 1))
            cut = int(rng.choice([0, 0, 1, 3]))
            typed = signs[rng.integers(len(signs))] * (rng.random() < 0.8)
            text = text[:place] + typed + text[place + cut :]
        yield text, level


@pytest.mark.parametrize("size", nightly([150, 1000], 1000))
def test_tables_are_reported_and_broken_ones_refused_as_errlab_does(size, tab):
    good, bad = list(tables(size, seed=0)), list(broken(2 * size, seed=5))
    good += [(text, 95.0) for text in CASES["borders"]]
    answers = [reported(text, level) for text, level in good + bad]
    refused = sum(isinstance(answer, str) for answer in answers[len(good) :])
    assert 0.25 < refused / len(bad) < 0.95
    pages = tab.evaluate(probe("reported"), [list(pair) for pair in good + bad])
    for (text, _), got, answer in zip(good + bad, pages, answers, strict=True):
        agree(text, got, answer)


def test_what_spreadsheets_write_is_read_alike(tab, tmp_path, capsys):
    texts = CASES["spreadsheets"]
    whole = labs.Predictions(text=texts[0]).report
    pages = tab.evaluate(probe("reported"), [[text, 95.0] for text in texts])
    for text, got in zip(texts, pages, strict=True):
        assert labs.Predictions(text=text).report.sentences() == whole.sentences()
        agree(text, got, reported(text))
        (tmp_path / "x.csv").write_text(text, encoding="utf-8")
        assert main(["report", str(tmp_path / "x.csv")]) == 0
        assert "1 error in 3" in capsys.readouterr().out


def test_a_bad_table_is_refused_alike_with_its_line(tab):
    """What readers see of it is in readers.txt."""
    field = "b" * 131_073
    # these nobody would type
    cases = [["y_true,y_pred\na,a\nb,\0\n", "nul", ""]]
    cases += [[f"y_true,y_pred\na,{text}\n", "field", ""] for text in (field, f'"{field}"')]
    cases += CASES["bad"]
    pages = tab.evaluate(probe("reported"), [[text, 95.0] for text, *_ in cases])
    for (text, fault, _), got in zip(cases, pages, strict=True):
        assert got["fault"] == fault
        message = reported(text)
        agree(text, got, message)
        with pytest.raises(ValueError, match=re.escape(message)):
            labs.Predictions(text=text)


def test_python_reads_and_sets_the_table():
    made = labs.Predictions()
    assert made.report == reported(made.text)
    made.text = ONE
    assert made.report == reported(ONE)
    assert "200 examples, 1 label: y_true, y_pred" in repr(made)
    assert "0,0" not in repr(made)
    with pytest.raises(ValueError, match="line 2: y_pred has no value"):
        made.text = "y_true,y_pred\n1,\n"
    assert made.text == ONE
