"""The lab for a table of predictions: page and errlab read, refuse and report the same."""

import re

import numpy as np
import pytest
from labs_in_browser import LEVEL, OUTPUTS, SAID_MS, lab, off
from playwright.sync_api import expect

from errlab import report
from errlab.__main__ import main
from errlab_book import labs
from errlab_book.labs.predictions import FAULTS, _columns_of

# if some labels are never true, errlab warns and the lab shows a message
pytestmark = [
    pytest.mark.site,
    pytest.mark.filterwarnings("ignore:.*labels that y_true never does:UserWarning"),
]


@pytest.fixture
def tab(visit):
    return visit(lab("predictions"), width=1000)


def root(tab):
    return tab.locator('[data-lab="predictions"]')


# What errlab says about a table, and what the page says.


def said(text, confidence=95.0):
    """Return errlab's report of a table, or its error message."""
    try:
        names, columns = _columns_of(text)
        called = {"names": tuple(names[1:])} if len(columns) == 3 else {}
        return report(*columns, delta=(100 - confidence) / 100, **called)
    except (TypeError, ValueError) as error:
        return str(error)


READ = """asked => {
  const { read } = errlabModules['table.js'], { reported } = errlabModules['predictions.js'];
  const words = JSON.parse(WORDS).state.words;
  return asked.map(([text, confidence]) => {
    try {
      const { errors, cases, upper, low, high, found, sentences, conditions } =
        reported(words, read(text), confidence);
      const numbers = found ? [found.pvalue, found.difference, found.low, found.high]
        : [errors, cases, upper, low, high];
      return { numbers, sentences, conditions };
    } catch (fault) {
      if (!fault.key) throw fault;
      return { fault: fault.key, gaps: fault.gaps };
    }
  });
}"""


def read(tab, asked):
    """Return what the page says about tables, each with a confidence."""
    settings = re.search(r'class="lab-settings">(.*?)</script>', lab("predictions").html(), re.S)
    code = READ.replace("WORDS", repr(settings[1]).replace("\\u003c", "<"))
    return tab.evaluate(code, [list(pair) for pair in asked])


def agree(text, got, want):
    """Compare what the page says about a table with what errlab says."""
    if isinstance(want, str):
        assert "fault" in got, (text, got, want)
        line = re.search(r"line (\d+)", want)
        assert got["fault"] in FAULTS
        FAULTS[got["fault"]].format(**got["gaps"])
        if line:
            assert got["gaps"].get("line") == int(line[1]), (text, got, want)
        return
    assert "fault" not in got, (text, got, want)
    if hasattr(want, "pvalue"):
        numbers = [want.pvalue, want.difference, want.low, want.high]
        conditions = want.conditions()
    else:
        numbers = [want.errors, want.n, want.upper, want.low, want.high]
        conditions = list(labs.Claim().words()["conditions"])
    assert off(got["numbers"], numbers).max() <= LEVEL, (text, got, want)
    assert got["sentences"] == want.sentences(), text
    assert got["conditions"] == conditions


KINDS = (
    ["0", "1"],
    ["cat", "dog", "fish"],
    ["-1", "1"],
    ["1.0", "0.0", "2.5"],
    ["it's", 'say "no"', "a, b", "naïve", "\\", "\U0001f600", "\u200b", "tab\tin"],
    ["1", "cat", "1.0"],
    ["12345678901234567890", "3", "1e400"],
    ["9007199254740993", "9007199254740992", "0.5"],
    ["1e20", "0.00001", "123456.75"],
    ["٣", "4", "7"],
    ["True", "true", "False"],
    ["1", "NA", "2", "null"],
)


def written(value, rng):
    """Write a field, in quotes if needed, and sometimes if not."""
    if rng.random() < 0.15 or re.search(r'[",;\t\r\n]|^ ', value):
        return '"' + value.replace('"', '""') + '"'
    return value


def tables(size, seed):
    """Random tables: one class, one example, all right, all wrong; with extra columns."""
    rng = np.random.default_rng(seed)
    for _ in range(size):
        labels = KINDS[rng.integers(len(KINDS))]
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


def test_a_thousand_tables_are_reported_as_errlab_reports_them(tab):
    asked = list(tables(1000, seed=0))
    for (text, level), got in zip(asked, read(tab, asked), strict=True):
        agree(text, got, said(text, level))


def test_two_thousand_broken_tables_are_refused_where_errlab_refuses_them(tab):
    asked = list(broken(2000, seed=5))
    answers = [said(text, level) for text, level in asked]
    refused = sum(isinstance(want, str) for want in answers)
    assert 500 < refused < 1900
    for (text, _), got, want in zip(asked, read(tab, asked), answers, strict=True):
        agree(text, got, want)


ROWS = "\ncat,cat\ndog,cat\ncat,cat"
# Variants that spreadsheets and other programs write; errlab must read each like the first.
SAME = [
    f"y_true,y_pred{ROWS}\n",
    f"y_true,y_pred{ROWS}\n,\n",  # with an empty last row
    f"y_true,y_pred{ROWS}\n , \n\n,\n",
    f"Y_True,Y_Pred{ROWS}\n",
    f"actual,predicted{ROWS}\n",
    f"Actual,Predicted{ROWS}\n,",
    f"y_true,Predicted{ROWS}\n",
    f"sep=;\ny_true;y_pred{ROWS}\n;\n".replace(",", ";"),
    f'"sep=,"\ny_true,y_pred{ROWS}\n',
]


def test_what_spreadsheets_write_is_read_alike(tab, tmp_path, capsys):
    whole = labs.Predictions(text=SAME[0]).report
    for text, got in zip(SAME, read(tab, [(text, 95.0) for text in SAME]), strict=True):
        assert labs.Predictions(text=text).report.sentences() == whole.sentences()
        agree(text, got, said(text))
        (tmp_path / "x.csv").write_text(text, encoding="utf-8")
        assert main(["report", str(tmp_path / "x.csv")]) == 0
        assert "1 error in 3" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["patient_id", "Patient_ID", "user_id", "family", "video"])
def test_groups_are_known_by_the_names_that_the_command_knows(name, tab):
    rows = "".join(f"{i // 4},0,0\n" for i in range(40))
    root(tab).locator("textarea").fill(f"{name},y_true,y_pred\n{rows}")
    expect(root(tab).locator(".lab-grouped")).to_contain_text(f"The column {name} repeats: 10")


BAD = [
    ("y_true,y_pred\n0,0\n,\n0,1\n", "value", "line 3: y_true has no value"),
    ("Actual,ACTUAL,y_pred\n0,0,1\n", "column", "no column y_true"),
    (",,\n,,\n", "empty", "the table is empty"),
    ("y_true,y_pred\n,\n,\n", "header", "no examples below the header"),
    ("", "empty", "the table is empty"),
    ("\n \n", "empty", "the table is empty"),
    ("y_true,y_pred\n", "header", "no examples below the header"),
    ("y_true,y_pred,y_pred\n0,0,1\n", "twice", "line 1: there are 2 columns y_pred; leave one"),
    ("y_true,a,a\n0,0,1\n", "twice", "line 1: there are 2 columns a"),
    ("label,guess\n0,0\n", "column", "no column y_true; the header has label, guess; rename"),
    ("y_true,a,b,c\n0,0,0,1\n", "several", "3 columns of predictions (a, b, c)"),
    ("y_true|y_pred\n0|0\n", "commas", "separate its columns by commas"),
    ("y_true,y_pred\n0,0\n0,0,9\n", "many", "line 3: 3 fields, but the header has 2"),
    ("y_true,y_pred,id\n0,0\n", "few", "line 2: 2 fields, but the header has 3"),
    ("y_true,y_pred\n0,\n", "value", "line 2: y_pred has no value"),
    ('y_true,y_pred\na,"b\nc,c\n', "open", "line 2: a quote is opened and not closed"),
    ('y_true,y_pred\na,"b"c\n', "quotes", "line 2: quotes that do not fit"),
    ('y_true,y_pred\na,a\na,"b\nc"\n', "break", "holds a line break; is a quote missing?"),
    ("y_true,y_pred\na,a\nb,\0\n", "nul", "line 3: a NUL character"),
    (f"y_true,y_pred\na,{'b' * 131_073}\n", "field", "line 2: a field of more than 131072"),
    (f'y_true,y_pred\na,"{"b" * 131_073}"\n', "field", "line 2: a field of more than 131072"),
    ("y_true,y_pred\n1,nan\n1,1\n", "nan", "labels are numbers, but one is nan"),
    ("y_true,y_pred\n7,7\n7,007\n", "writings", "line 3: y_true is 7 and y_pred is 007"),
    ("y_true,y_pred\n1,1\n0,0.3\n", "scores", "cut probabilities first"),
    ("y_true,y_pred\n1,1.2\n2,2.1\n3,3\n", "measured", "of measured numbers take"),
    ("y_true,y_pred\n1.5,1.2\n2.5,2.1\n3.5,3.5\n", "measured", "of measured numbers take"),
    ("y_true,y_pred\ncat,0\ndog,1\n", "strange", "y_true and y_pred share no label"),
]


def test_a_bad_table_is_named_with_its_line_and_a_remedy(tab):
    box = root(tab)
    area = box.locator("textarea")
    before = box.evaluate(OUTPUTS)
    asked = [(text, 95.0) for text, *_ in BAD]
    for (text, fault, words), got in zip(BAD, read(tab, asked), strict=True):
        assert got["fault"] == fault
        want = said(text)
        assert isinstance(want, str)
        agree(text, got, want)
        with pytest.raises(ValueError, match=re.escape(want)):
            labs.Predictions(text=text)
        if "\0" in text or len(text) > 1000:  # nobody would type this
            continue
        area.fill(text)
        expect(box.locator(".lab-wrong")).to_contain_text(words)
        assert area.get_attribute("aria-invalid") == "true"
        assert set(box.evaluate(OUTPUTS).values()) == {None}
    expect(box.locator(".lab-said")).to_contain_text(BAD[-1][2], timeout=SAID_MS)
    box.get_by_role("button", name="The example").click()
    assert area.get_attribute("aria-invalid") is None
    assert box.evaluate(OUTPUTS) == before


ONE = "y_true,y_pred\n" + "0,0\n" * 193 + "0,1\n" * 7


@pytest.mark.parametrize("mark", [",", "\t", ";"])  # in a file, or copied from a spreadsheet
def test_a_pasted_table_is_reported_in_words(mark, tab):
    box = root(tab)
    area = box.locator("textarea")
    area.focus()
    tab.keyboard.press("Control+A")
    tab.keyboard.insert_text(ONE.replace(",", mark))
    want = labs.Predictions(text=ONE).report
    assert box.locator(".lab-sentence").inner_text() == " ".join(want.sentences())
    expect(box.locator(".lab-said")).to_contain_text(want.sentences()[1], timeout=SAID_MS)
    outputs = box.evaluate(OUTPUTS)
    assert outputs["upper"] == pytest.approx(want.upper, rel=LEVEL)
    assert outputs["pvalue"] is None
    assert box.locator(".lab-double").is_hidden()
    box.locator('[name="confidence"]').fill("99")
    want = labs.Predictions(text=ONE, confidence=99).report
    assert box.locator(".lab-sentence").inner_text() == " ".join(want.sentences())
    assert "confidence=99" in tab.url or tab.wait_for_url("**#confidence=99") is None
    assert "0,0" not in tab.url


def test_a_column_that_looks_like_a_group_is_told(tab):
    rows = "".join(f"{i // 4},0,0\n" for i in range(40))
    root(tab).locator("textarea").fill(f"Patient,y_true,y_pred\n{rows}")
    told = root(tab).locator(".lab-grouped")
    expect(told).to_contain_text("The column Patient repeats: 10 in 40 rows")
    expect(told).to_contain_text("--group Patient")
    root(tab).locator("textarea").fill(ONE)
    expect(told).to_have_text("")


def test_the_table_goes_nowhere(tab):
    """Neither in the address nor in the browser's storage; `visit` checks that nothing is sent."""
    root(tab).locator("textarea").fill(ONE.replace("0,1", "secret,0"))
    expect(root(tab).locator(".lab-said")).to_contain_text("200 test examples", timeout=SAID_MS)
    kept = tab.evaluate("location.href + document.cookie + JSON.stringify({...localStorage})")
    assert "secret" not in kept


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PK\x03\x04rest", "not text in UTF-8; save the table as CSV"),
        (ONE.encode("utf-16"), "not text in UTF-8; save the table as CSV"),
        (b"y_true,y_pred\na,a\nb,\xe9t\xe9\n", "line 3: not in UTF-8"),
    ],
)
def test_a_file_that_is_no_text_is_refused(content, words, tab):
    root(tab).locator('[type="file"]').set_input_files(
        {"name": "x.csv", "mimeType": "text/csv", "buffer": content}
    )
    expect(root(tab).locator(".lab-wrong")).to_contain_text(words)


def test_a_long_table_is_read_whole_and_shown_in_part(tab):
    box = root(tab)
    content = "y_true,y_pred\n" + "0,0\n" * 99_990 + "0,1\n" * 10
    box.locator('[type="file"]').set_input_files(
        {"name": "long.csv", "mimeType": "text/csv", "buffer": content.encode()}
    )
    expect(box.locator(".lab-sentence")).to_contain_text("10 errors in 100000 test examples")
    area = box.locator("textarea")
    assert area.get_attribute("readonly") is not None
    assert len(area.input_value()) < 2000
    box.get_by_role("button", name="Empty").click()
    assert area.get_attribute("readonly") is None
    area.fill(ONE)
    expect(box.locator(".lab-sentence")).to_contain_text("7 errors in 200 test examples")


def test_python_reads_and_sets_the_table():
    made = labs.Predictions()
    assert made.report == said(made.text)
    made.text = ONE
    assert made.report == said(ONE)
    assert "200 examples, 1 label: y_true, y_pred" in repr(made)
    assert "0,0" not in repr(made)
    with pytest.raises(ValueError, match="line 2: y_pred has no value"):
        made.text = "y_true,y_pred\n1,\n"
    assert made.text == ONE
