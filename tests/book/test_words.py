"""Other languages: tables whose gaps agree, a complete chapter, pages that say what they are."""

import re
import sys
import tomllib
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import pytest

from errlab.book import answers, exercises, guess, quiz, tables, words
from errlab.book.figures import record, setup
from errlab.book.plots import bounds as plots

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "book" / "_ext")]
import course  # noqa: E402
import editions  # noqa: E402

import book  # noqa: E402
import errlab_site  # noqa: E402

GERMAN = ROOT / "notebooks" / "de" / "03_binary_bounds_de.ipynb"
ENGLISH = ROOT / "notebooks" / "03_binary_bounds.ipynb"
SAME = {"{} minus {}", "{} ({})"}  # which need no other words
KEYS = [key for key in exercises.EXERCISES if key.startswith("3.")]


def table(code):
    parts = tomllib.loads((ROOT / f"errlab/book/words/{code}.toml").read_text("utf-8"))
    return [pair for part in parts.values() for pair in part.items()]


@pytest.fixture(autouse=True)
def english():
    words.use("en")
    yield
    words.use("en")


@pytest.mark.parametrize("code", words.languages()[1:])
def test_the_gaps_of_a_table_agree(code):
    pairs = table(code)
    assert len({english for english, _ in pairs}) == len(pairs)
    for english, into in pairs:
        assert english.count("{}") == into.count("{}"), english
        assert (english == into) == (english in SAME), english


def test_a_sentence_with_gaps_is_filled_and_what_fills_it_is_translated():
    words.use("de")
    said = words.said("true error 6.0%: at most 7 errors\nwith probability 8.3%")
    assert said == "wahrer Fehler 6.0%: h\u00f6chstens 7 Fehler\nmit Wahrscheinlichkeit 8.3%"
    assert words.said("3 errors in 200 test cases") == "3 Fehler in 200 Testf\u00e4llen"
    assert words.said("nobody has translated this") == "nobody has translated this"
    assert words.said("Check", "en") == "Check"
    words.use("en")
    assert words.said("Check") == "Check"
    assert words.said("Check", "de") == "Pr\u00fcfen"


def test_the_language_is_that_of_the_course_unless_a_chapter_says_another(monkeypatch):
    monkeypatch.setenv("ERRLAB_LANGUAGE", "de")
    setup()
    assert words.language() == "de"
    setup("en")
    assert words.language() == "en"
    with pytest.raises(ValueError, match=r"language must be one of .*de.* got 'xx'"):
        setup("xx")


def machinery():
    """All that exercises, quiz and guesses of chapter 3 may say."""
    for key in KEYS:
        entry = exercises.EXERCISES[key]
        yield from (*entry.hints, *(text for _, text in entry.mistakes))
    yield from answers.WORDS.values()


def test_every_sentence_of_the_machinery_of_chapter_3_is_in_the_table():
    words.use("de")
    assert [text for text in machinery() if words.said(text) == text] == []


def shown():
    """What a page of the chapter is given by the machinery, in the language in use."""
    yield from (exercises.EXERCISES[key].html() for key in KEYS)
    yield from (repr(exercises.check(key, ...)) for key in KEYS)
    yield from (repr(exercises.check(key, "nonsense")) for key in KEYS)
    yield repr(exercises.check("3.1", 0.0))
    yield exercises.hint("3.2")
    yield quiz.load("03_binary_bounds_de").html()
    yield guess("?", answer="a", choices={"a": "b"}).html()
    yield guess("?", answer="3", value=3, within=1).html()
    yield tables.table([{"x": True, "y": "Wilson score"}])._repr_html_()
    for drawn in (
        plots.plot_tail(7, 200, 0.06),
        plots.plot_tail(1, 200, 0.06),
        plots.plot_intervals(7, 200),
        plots.plot_upper_against_n(["NOR", "WIL", "CP"], mean=0.25),
        plots.plot_upper_against_mean(["NOR", "WIL", "CP"], n=10),
        plots.plot_gap("NOR", "WIL", n=10),
    ):
        yield record(drawn)
    plt.close("all")


def bare(text):
    """What is read: no script, no code."""
    return re.sub(r"<(script|code)\b.*?</\1>", " ", text, flags=re.DOTALL)


# the short ones stand in attributes, too
PLAIN = [english for english, _ in table("de") if "{}" not in english and len(english) > 8]


@pytest.mark.slow
def test_no_english_sentence_of_the_table_is_left_in_german():
    pages = [bare(page) for page in shown()]
    found = [text for text in PLAIN if any(text in page for page in pages)]
    assert len(found) > 15, "the search finds them in English"
    words.use("de")
    pages = [bare(page) for page in shown()]
    assert [text for text in PLAIN if any(text in page for page in pages)] == []
    assert '"quiz_right": "Richtig."' in answers.script()
    assert '"quiz_right": "Right."' not in answers.script()


def cells(path, kind="code"):
    return [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == kind]


def fields(path):
    """Each computed number in what a chapter says, by its expression."""
    found = []
    for cell in cells(path):
        if re.search(r"^say\(", cell.source, re.MULTILINE):
            found.append(re.findall(r"(?<!\{)\{([^{}:]+)(?::[^{}]*)?\}(?!\})", cell.source))
    return found


def test_the_german_chapter_says_the_same_numbers_and_asks_the_same():
    assert [sorted(one) for one in fields(GERMAN)] == [sorted(one) for one in fields(ENGLISH)]

    def calls(path):
        source = "\n".join(
            c.source for c in cells(path) if "audit" not in c.metadata.get("tags", [])
        )
        return re.findall(r"^ *(plots\.\w+|exercises\.check\(\"[\d.]+\"|labs\.\w+)", source, re.M)

    assert calls(GERMAN) == calls(ENGLISH)
    german, english = (quiz.load(path.stem).questions for path in (GERMAN, ENGLISH))
    assert len(german) == len(english)
    for one, other in zip(german, english, strict=True):
        assert [c.right for c in one.choices] == [c.right for c in other.choices]


def test_the_stored_german_chapter_is_german():
    said = "".join(
        "".join(o.get("data", {}).get("text/plain", "")) for c in cells(GERMAN) for o in c.outputs
    )
    labels = re.findall(r'(?:line|bars|x|y|Panel \d+:) "([^"]*)"', said)
    assert len(labels) > 20
    known = {english for english, _ in table("de")} - SAME
    assert set(labels) & known == set()
    assert said.count("Aufgabe 3.") == 2 * len(KEYS)
    assert said.count(": richtig.") == len(KEYS)


def test_every_translation_in_the_course_file_is_there_and_linked():
    listed = book.translated(book.listed())
    assert set(listed) == set((ROOT / "notebooks").glob("[a-z][a-z]/*.ipynb"))
    for path, (chapter, code) in listed.items():
        assert path.exists()
        assert code in words.languages()
        assert f"({code}/{path.name})" in book.languages(chapter, listed)
        assert book.languages(path, listed) == f"*[In English](../{chapter.name})*"
        shown = editions.edit(nbformat.read(path, 4), path.stem, "reader", "*[In English](x)*")
        title, _, line, *_ = shown.cells[0].source.splitlines()
        assert title.startswith(f"# {course.number(chapter.stem)}. ")
        assert line == "*[In English](x)*"
        prompts = [
            c.metadata.mystnb.code_prompt_show for c in shown.cells if "mystnb" in c.metadata
        ]
        assert set(prompts) == {"L\u00f6sung", "Code zeigen"}
    assert book.languages(ROOT / "notebooks" / "01_test_error.ipynb", listed) == ""


def test_a_page_in_another_language_says_so_and_what_stands_around_it_too():
    page = '<html lang="en" data-x="1"><div id="a" class="bd-sidebar-primary x">Menu</div>'
    page += '<main lang="x">Text <a href="../lite/lab/index.html">L</a></main>'
    page += '<footer class="bd-footer">End</footer></html>'
    made = errlab_site.in_language(page, "de", "en")
    assert made.startswith('<html lang="de" data-x="1"><div lang="en" id="a"')
    assert '<footer lang="en" class="bd-footer">' in made
    assert "../../lite/lab" in made
    assert made.count("lang=") == 4
