"""The built book in a real browser, opened from files: explorers, keyboard, appearance, size."""

import functools
import gzip
import json
import re
import shutil
import string
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import pytest
import yaml
from browser import CHAPTERS, ROOT, SITE, VIEWS, probe, reload, set_view, violations
from docutils import nodes
from marks import nightly

import errlab_site

FRONT = "book/intro.html"
PAGES = sorted(
    p.relative_to(SITE).as_posix()
    for p in SITE.rglob("*.html")
    if p.name not in ("index.html", "genindex.html", "search.html", "404.html")
    and not {"_static", "lite"} & {*p.relative_to(SITE).parts}
    and (p.parent.name != "notebooks" or p.relative_to(SITE).as_posix() in CHAPTERS)
) or ["none is built"]
# by day one chapter of each kind: labs and a quiz, pictures to move, a table with code
SAMPLE = [CHAPTERS[i % len(CHAPTERS)] for i in (2, 9, 15)]
# up to 31 kB of these are the numbers behind the explorers' frames, for tables and CSV
LIMIT_KB = 420
SMALLEST = 11  # pixels, of the words in figures

pytestmark = pytest.mark.site
LATER = [page for page in CHAPTERS if page not in SAMPLE]
sampled = pytest.mark.parametrize("page", nightly(CHAPTERS, *LATER))

# ------------------------------------------------------------------------------------- how it looks


@pytest.mark.parametrize(
    ("page", "views"),
    [
        (FRONT, VIEWS[:2]),
        *((page, [VIEWS[i % 2]]) for i, page in enumerate(SAMPLE)),
        *(pytest.param(page, VIEWS, marks=pytest.mark.nightly) for page in PAGES),
    ],
)
def test_axe_finds_no_violation(page, views, visit, site):
    tab, faults = visit(site / page), []
    for width, scheme in views:
        set_view(tab, width, scheme)
        tab.evaluate("document.fonts.ready")
        tab.evaluate("dispatchEvent(new Event('resize'))")  # also if the width is the same
        tab.wait_for_function(probe("settled"))
        faults += [f"{width} {scheme}: {what}" for what in violations(tab)]
    assert faults == []


@pytest.mark.parametrize("page", [FRONT, *CHAPTERS])
def test_a_page_fits_is_legible_light_and_alive(page, visit, site, browser):
    requests = []
    browser.on("request", lambda request: requests.append(unquote(urlsplit(request.url).path)))
    tab = visit(site / page, width=390)
    tab.evaluate("document.fonts.ready")
    files = {path for path in requests if path.startswith(str(site))}
    assert len(files) > 1
    weight = sum(len(gzip.compress(Path(path).read_bytes(), 9)) for path in files)
    assert weight <= LIMIT_KB * 1000
    tab.evaluate(probe("drawn"))
    assert tab.evaluate(probe("overhang")) <= 0
    assert tab.evaluate(probe("cut")) == []
    texts = tab.evaluate(probe("texts"))
    assert [(text, size) for text, size, _ in texts if size < SMALLEST] == []
    assert [(text, over) for text, _, over in texts if over > 1] == []
    guesses = tab.evaluate(probe("folded"))
    assert bool(guesses) == (page in CHAPTERS)
    for words, folded, announced, asks in guesses:
        assert folded >= int(announced) or asks, words
    tab.set_viewport_size({"width": 320, "height": 700})
    assert tab.evaluate(probe("overhang")) <= 0
    for scheme in ("light", "dark"):
        set_view(tab, 1280, scheme)
        contrast, brightness = tab.evaluate(probe("contrast"))
        assert contrast >= 4.5
        assert (brightness < 0.05) == (scheme == "dark")
    tab.evaluate("document.documentElement.style.fontSize = '200%'")
    assert tab.evaluate(probe("overhang")) <= 0
    # the page's labs: test_record_on_page says which are where, test_story for the front page
    assert tab.locator("[data-lab]:not([data-ready])").count() == 0
    assert tab.locator("[data-lab-address]").count() <= 1
    ids = tab.evaluate("[...document.querySelectorAll('[data-lab] [id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    assert bool(ids) == bool(tab.locator("[data-lab]").count())
    text = (site / page).read_text(encoding="utf-8")
    modules = re.findall(r'<script data-errlab-module="([\w.]+)"', text)
    assert len(modules) == len(set(modules)), "each module stands once"
    assert text.count("<style data-errlab-labs") == bool(ids)


@pytest.mark.parametrize(
    ("box", "words"),
    [("visible", "out of the page"), ("hidden", "hidden by its box"), ("auto", "no bar to see")],
)
def test_a_table_that_is_cut_is_noticed(box, words, visit):
    table = "<table style='width: 600px'><tr><td>x</td></tr></table>"
    tab = visit(f"<article><div style='overflow-x: {box}'>{table}</div></article>", width=390)
    assert [cut.partition(": ")[0] for cut in tab.evaluate(probe("cut"))] == [words]


@pytest.mark.parametrize("width", [1280, 768, 390])
@pytest.mark.parametrize("page", [FRONT, "book/tools.html"])
def test_a_page_stands_still(page, width, visit, site):
    assert visit(site / page, width=width).evaluate(probe("shift")) < 0.05


# ------------------------------------------------------------------------------------- by keyboard


def moves(tab, control):
    """Whether a step of a control changes its figure; the control is reset."""
    control.evaluate(probe("focus"))
    there, back = "ArrowRight", "ArrowLeft"
    tab.keyboard.press(there)
    if not tab.evaluate(probe("moved")):  # the slider was at its end
        there, back = back, there
        tab.keyboard.press(there)
    moved = tab.evaluate(probe("moved"))
    tab.keyboard.press(back)
    return moved


@sampled
def test_by_keyboard_every_control_moves_its_figure_and_quizzes_answer(page, visit, site):
    tab = visit(site / page)
    for button in tab.get_by_role("button", name="Show anyway").all():
        button.press("Enter")  # the explorer may be folded, because it gives the answer away
    controls = tab.query_selector_all(".errlab-controls :is(input[type=range], fieldset)")
    idle = [control for control in controls if not moves(tab, control)]
    if idle:  # if no approximation is used, allowing one makes no difference
        controls[0].evaluate(probe("focus"))
        tab.keyboard.press("ArrowRight")
    assert [c.get_attribute("id") for c in idle if not moves(tab, c)] == []
    tab.wait_for_function(probe("aloud"))
    assert tab.evaluate(probe("steps")) == [], "each step shows its frame whole"

    for question in tab.query_selector_all(".errlab-quiz fieldset"):
        choices = question.evaluate(probe("answers"))
        for key in ["Space", "Enter"] + ["ArrowDown", "Enter"] * (choices - 1):
            tab.keyboard.press(key)
        noted = tab.evaluate("answers")
        answers = noted[1::2]
        assert noted[::2] == ["", *answers[:-1]], "moving answers nothing"
        assert sum("Right." in text for text in answers) == 1
        assert sum("Not quite." in text for text in answers) == choices - 1
        assert all(len(text) > 20 for text in answers), "every answer says why"


@sampled
def test_the_keyboard_opens_what_is_folded_and_reaches_every_control(page, visit, site):
    tab = visit(site / page)
    for summary in tab.query_selector_all("article summary"):
        if summary.is_visible():  # the page's switch shows the code
            summary.focus()
            tab.keyboard.press("Enter")
    assert tab.evaluate(probe("closed")) == []
    stops = tab.evaluate(probe("reached"))
    # most of the time after a key is spent on painting
    tab.add_style_tag(content="body { opacity: 0 }")
    for _ in range(60):
        for _ in range(20):
            tab.keyboard.press("Tab")
        if tab.evaluate("reached.length") == stops:
            break
    assert tab.evaluate("reached") == [str(i) for i in range(stops)], "in the order of the page"


# ------------------------------------------------------------------------------------- the page


@sampled
def test_one_switch_shows_all_code_and_is_remembered(page, visit, site):
    tab = visit(site / page)
    switch = tab.get_by_role("button", name="Code", exact=True)
    hidden, cells = tab.evaluate(probe("code"))
    assert hidden == cells > 0
    assert tab.locator("summary:has-text('Show code cell source')").first.is_hidden()
    switch.click()
    assert tab.evaluate(probe("code"))[0] == 0
    reload(tab)
    assert switch.get_attribute("aria-pressed") == "true"
    assert tab.evaluate(probe("code"))[0] == 0
    switch.click()
    assert tab.evaluate(probe("code"))[0] == cells


@pytest.mark.parametrize("step", nightly([9, 1], 1))
def test_questions_as_they_are_posted_lead_to_their_answers(step, browser, site):
    place, questions = "", []
    for line in (ROOT / "tests/data/questions.txt").read_text("utf-8").splitlines()[1:]:
        if not line.startswith(" "):
            place = line or place
        elif (site / f"{place.partition('#')[0]}.html").exists():  # a fork may have taken it out
            questions.append((line.strip(), place))
    # a page opened as a file can't fetch the summaries of the search, and says so
    tab = browser.new_page()
    for words, place in questions[::step]:
        tab.goto((site / "search.html").as_uri() + f"?q={quote(words)}")
        hit = tab.locator("#search-results li a").first
        hit.wait_for()
        tab.wait_for_function(probe("searched"))
        page, _, section = place.partition("#")
        first, _, part = hit.evaluate("link => link.href").partition("#")
        assert f"/{page}.html" in first, words
        assert part == section or not section, words


@functools.cache
def sections(notebook):
    """Return the anchors of a notebook's sections."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return [nodes.make_id(title) for title in re.findall("^##+ (.+)$", text, re.MULTILINE)]


def test_what_readers_search_for_leads_to_pages_of_the_book():
    phrases_of = errlab_site.searched(ROOT)
    toc = (ROOT / "_toc.yml").read_text("utf-8")
    for place, phrases in phrases_of.items():
        page, _, section = place.partition("#")
        assert f"file: {page}\n" in toc
        assert not section or section in sections(ROOT / f"{page}.ipynb"), place
        assert all(isinstance(phrase, str) and phrase.strip() for phrase in phrases), place
    for chapter in errlab_site.chapters(ROOT):
        assert phrases_of[f"notebooks/{chapter.name}"]


def test_an_old_address_leads_on_with_its_section(visit, tmp_path):
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["sphinx"]["config"]
    template = string.Template((ROOT / config["redirect_html_template_file"]).read_text("utf-8"))
    old = tmp_path / "notebooks" / "old.html"
    old.parent.mkdir()
    old.with_name("new.html").write_text("<p>Here", "utf-8")
    shutil.copytree(ROOT / "book" / "_static", tmp_path / "_static")
    old.write_text(template.substitute(to_uri="new.html#first"), "utf-8")
    for anchor, there in (("", "new.html#first"), ("#second", "new.html#second")):
        visit(old, anchor=anchor).wait_for_url(f"**/{there}")
    visit(old, java_script_enabled=False).wait_for_url("**/new.html#first")
    # as in a browser that doesn't redirect
    stays = old.read_text("utf-8").replace("refresh", "nothing")
    old.write_text(stays, "utf-8")
    tab = visit(old, java_script_enabled=False)
    assert tab.title() == "This chapter has moved"
    assert tab.locator("html").get_attribute("lang") == "en"
    tab.get_by_role("link").click()
    tab.wait_for_url("**/new.html#first")
