"""The built book in a real browser, opened from files: explorers, keyboard, appearance, size."""

import contextlib
import functools
import gzip
import importlib
import inspect
import json
import re
import shutil
import string
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import pytest
import yaml
from browser import CHAPTERS, ROOT, SITE, VIEWS, reload, set_view, violations
from docutils import nodes
from playwright.sync_api import TimeoutError

import errlab_site

FRONT = "book/intro.html"
PAGES = sorted(
    p.relative_to(SITE).as_posix()
    for p in SITE.rglob("*.html")
    if p.name not in ("index.html", "genindex.html", "search.html", "404.html")
    and not {"_static", "lite"} & {*p.relative_to(SITE).parts}
    and (p.parent.name != "notebooks" or p.relative_to(SITE).as_posix() in CHAPTERS)
) or ["none is built"]
# up to 31 kB of these are the numbers behind the explorers' frames, for tables and CSV
LIMIT_KB = 420
SMALLEST = 11  # pixels, of the words in figures

pytestmark = pytest.mark.site
chapters = pytest.mark.parametrize("page", CHAPTERS)

# ------------------------------------------------------------------------------------- how it looks


# The theme makes scrolling boxes focusable, a moment after the width has changed.
SETTLED = """() => [...document.querySelectorAll(
    'pre, .nboutput > .output_area, .cell_output > .output, .pst-scrollable-table-container')]
  .every(e => e.tabIndex === (
    e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight ? 0 : -1))"""


@pytest.mark.parametrize(
    ("page", "views"),
    [
        (FRONT, VIEWS),
        *((page, [VIEWS[i % 2]]) for i, page in enumerate(CHAPTERS)),
        *(pytest.param(page, VIEWS, marks=pytest.mark.nightly) for page in PAGES),
    ],
)
def test_axe_finds_no_violation(page, views, visit, site):
    tab, found = visit(site / page), []
    for width, scheme in views:
        set_view(tab, width, scheme)
        tab.evaluate("document.fonts.ready")
        with contextlib.suppress(TimeoutError):  # folded elements aren't affected by the theme
            tab.wait_for_function(SETTLED, timeout=3000)
        found += [f"{width} {scheme}: {what}" for what in violations(tab)]
    assert found == []


# Wide content must fit, or scroll in a box that fits and has a visible bar. A box that hides what
# is too wide cuts it off.
CUT = """() => {
  const width = document.documentElement.clientWidth, found = [];
  const seen = e => e.getClientRects().length && e.checkVisibility({visibilityProperty: true});
  const name = e => `${e.localName}: ${e.textContent.trim().replace(/\\s+/g, ' ').slice(0, 60)}`;
  for (const e of document.querySelectorAll('article :is(table, math, pre, .errlab-picture svg)')) {
    if (!seen(e)) continue;
    const at = e.getBoundingClientRect();
    const inner = e.localName == 'pre' ? e.scrollWidth : 0;
    let left = at.left, right = Math.max(at.right, at.left + inner);
    for (let box = e; box.localName != 'article'; box = box.parentElement) {
      const overflow = getComputedStyle(box).overflowX, edge = box.getBoundingClientRect();
      const drawn = box.localName == 'svg' || box.namespaceURI.includes('MathML');
      if (overflow == 'visible' || drawn) continue;
      const wide = box.scrollWidth > box.clientWidth + 1;
      if (['auto', 'scroll'].includes(overflow)) {
        const bar = parseFloat(getComputedStyle(box, '::-webkit-scrollbar').height);
        if (wide && !(bar >= 5)) found.push('no bar to see: ' + name(e));
        if (wide) [left, right] = [edge.left, edge.right];
      } else if (right > edge.right + 1 || left < edge.left - 1) {
        found.push('hidden by its box: ' + name(e));
        [left, right] = [edge.left, edge.right];
      }
    }
    if (left < -1 || right > width + 1) found.push('out of the page: ' + name(e));
  }
  return found;
}"""
# Each text of a figure, its size in pixels, and how far it extends beyond page or picture.
TEXTS = """() => [...document.querySelectorAll('article svg text')]
  .filter(t => t.getClientRects().length && t.textContent.trim())
  .map(t => {
    const m = t.getScreenCTM(), at = t.getBoundingClientRect();
    const svg = t.ownerSVGElement;
    const frame = svg.getBoundingClientRect();
    const open = getComputedStyle(svg).overflow == 'visible';  // what leaves it is seen
    const [left, right] = open ? [0, innerWidth] : [frame.left, frame.right];
    return [t.textContent, parseFloat(getComputedStyle(t).fontSize) * Math.hypot(m.b, m.d),
            Math.max(left - at.left, at.right - right,
                     frame.top - at.top, at.bottom - frame.bottom)];
  })"""
FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
OVERHANG = "document.documentElement.scrollWidth - innerWidth"


@pytest.mark.parametrize("page", [FRONT, *CHAPTERS])
def test_nothing_is_cut_on_a_phone_or_with_large_letters(page, visit, site):
    tab = visit(site / page, width=390)
    tab.evaluate(FRAME)  # wait until elements that measure their width have done so
    assert tab.evaluate(OVERHANG) <= 0
    assert tab.evaluate(CUT) == []
    texts = tab.evaluate(TEXTS)
    assert [(text, size) for text, size, _ in texts if size < SMALLEST] == []
    assert [(text, over) for text, _, over in texts if over > 1] == []
    tab.set_viewport_size({"width": 320, "height": 700})
    assert tab.evaluate(OVERHANG) <= 0
    tab.set_viewport_size({"width": 1280, "height": 900})
    tab.evaluate("document.documentElement.style.fontSize = '200%'")
    assert tab.evaluate(OVERHANG) <= 0


@pytest.mark.parametrize(
    ("box", "said"),
    [("visible", "out of the page"), ("hidden", "hidden by its box"), ("auto", "no bar to see")],
)
def test_a_table_that_is_cut_is_noticed(box, said, visit):
    table = "<table style='width: 600px'><tr><td>x</td></tr></table>"
    tab = visit(f"<article><div style='overflow-x: {box}'>{table}</div></article>", width=390)
    assert [words.partition(": ")[0] for words in tab.evaluate(CUT)] == [said]


# Axe ignores pictures, so measure their lowest contrast and the brightness of the page here.
CONTRAST = """() => {
  const parse = c => (c.match(/[\\d.]+/g) || [0, 0, 0]).map(Number);
  const light = c => { const [r, g, b] = parse(c).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = e => { for (; e; e = e.parentElement) {
    const c = getComputedStyle(e).backgroundColor, p = parse(c);
    if (p.length < 4 || p[3] > 0) return c; } return 'rgb(255,255,255)'; };
  const worst = [...document.querySelectorAll('.errlab-picture svg text')].map(t => {
    const a = light(getComputedStyle(t).fill), b = light(ground(t));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); });
  return [Math.min(...worst), light(ground(document.body))];
}"""


@chapters
def test_words_in_figures_are_legible_and_dark_is_dark(page, visit, site):
    tab = visit(site / page)
    for scheme in ("light", "dark"):
        set_view(tab, 1280, scheme)
        contrast, brightness = tab.evaluate(CONTRAST)
        assert contrast >= 4.5
        assert (brightness < 0.05) == (scheme == "dark")


@pytest.mark.parametrize("page", [FRONT, *CHAPTERS])
def test_page_weight(page, visit, site, browser):
    asked = []
    browser.on("request", lambda request: asked.append(unquote(urlsplit(request.url).path)))
    visit(site / page).wait_for_load_state("networkidle")
    files = {path for path in asked if path.startswith(str(site))}
    assert len(files) > 1
    weight = sum(len(gzip.compress(Path(path).read_bytes(), 9)) for path in files)
    assert weight <= LIMIT_KB * 1000


# ------------------------------------------------------------------------------------- explorers

FOCUS = """control => {
  window.picture = control.closest('.errlab-explorer').querySelector('.errlab-picture');
  window.before = picture.innerHTML;
  (control.querySelector('input:checked') ?? control).focus();
}"""
MOVED = "picture.innerHTML !== before"
SAID = """() => [...document.querySelectorAll('.errlab-explorer')].every(e =>
  e.querySelector('[aria-live]').textContent.trim() ===
  e.querySelector('.errlab-picture').getAttribute('aria-label').trim())"""


def moves(tab, control):
    """Whether a step of a control changes its figure; the control is reset."""
    control.evaluate(FOCUS)
    there, back = "ArrowRight", "ArrowLeft"
    tab.keyboard.press(there)
    if not tab.evaluate(MOVED):  # the slider was at its end
        there, back = back, there
        tab.keyboard.press(there)
    found = tab.evaluate(MOVED)
    tab.keyboard.press(back)
    return found


@chapters
def test_every_control_moves_its_figure_by_keyboard_and_is_heard(page, visit, site):
    tab = visit(site / page)
    for button in tab.get_by_role("button", name="Show anyway").all():
        button.press("Enter")  # the explorer may be folded, because it gives the answer away
    controls = tab.query_selector_all(".errlab-controls :is(input[type=range], fieldset)")
    idle = [control for control in controls if not moves(tab, control)]
    if idle:  # if no approximation is used, allowing one makes no difference
        controls[0].evaluate(FOCUS)
        tab.keyboard.press("ArrowRight")
    assert [c.get_attribute("id") for c in idle if not moves(tab, c)] == []
    tab.wait_for_function(SAID)


# Each step of each slider must show what unpacking the frame again gives.
STEPS = """async () => {
  const wrong = [];
  for (const root of document.querySelectorAll('.errlab-explorer')) {
    const packed = root.querySelector("script[type='application/gzip']").textContent;
    const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const frames = JSON.parse(await new Response(stream).text());
    for (const slider of root.querySelectorAll('.errlab-controls input[type=range]')) {
      for (let i = 0; i <= Number(slider.max); i++) {
        slider.value = i;
        slider.dispatchEvent(new Event('input', {bubbles: true}));
        const box = document.createElement('div');
        box.innerHTML = frames.svg[root.dataset.frame];
        const drawn = root.querySelector('.errlab-picture').firstElementChild;
        if (!drawn.isEqualNode(box.firstElementChild)) wrong.push(slider.id + ' at ' + i);
      }
    }
  }
  return wrong;
}"""


@chapters
def test_each_step_shows_its_frame_whole(page, visit, site):
    assert visit(site / page).evaluate(STEPS) == []


# ------------------------------------------------------------------------------------- keyboard

ANSWERS = """fieldset => {
  window.answers = [];
  const said = fieldset.querySelector('[aria-live]');
  fieldset.addEventListener('keyup', () => answers.push(said.innerText));
  fieldset.querySelector('input').focus();
  return fieldset.querySelectorAll('input').length;
}"""


@chapters
def test_a_quiz_answers_by_keyboard(page, visit, site):
    tab = visit(site / page)
    for question in tab.query_selector_all(".errlab-quiz fieldset"):
        choices = question.evaluate(ANSWERS)
        for key in ["Space", "Enter"] + ["ArrowDown", "Enter"] * (choices - 1):
            tab.keyboard.press(key)
        noted = tab.evaluate("answers")
        said = noted[1::2]
        assert noted[::2] == ["", *said[:-1]], "moving answers nothing"
        assert sum("Right." in text for text in said) == 1
        assert sum("Not quite." in text for text in said) == choices - 1
        assert all(len(text) > 20 for text in said), "every answer says why"


STOPS = """() => {
  window.reached = [];
  const stops = [...document.querySelectorAll(
    'article input[type=range], article summary, .errlab-quiz fieldset, fieldset.errlab-control, '
    + '.errlab-check button, .errlab-guess fieldset')].filter(e => e.checkVisibility());
  stops.forEach((e, i) => { e.dataset.stop = i; });
  document.addEventListener('focusin', e => {
    const stop = e.target.closest('[data-stop]');
    if (stop && !reached.includes(stop.dataset.stop)) reached.push(stop.dataset.stop);
  });
  const title = document.querySelector('article h1');
  title.tabIndex = -1;
  title.focus();
  return stops.length;
}"""
CLOSED = """[...document.querySelectorAll('article summary')]
  .filter(e => e.checkVisibility() && !e.parentElement.open).map(e => e.textContent)"""


@chapters
def test_the_keyboard_opens_what_is_folded_and_reaches_every_control(page, visit, site):
    tab = visit(site / page)
    for summary in tab.query_selector_all("article summary"):
        if summary.is_visible():  # the page's switch shows the code
            summary.focus()
            tab.keyboard.press("Enter")
    assert tab.evaluate(CLOSED) == []
    stops = tab.evaluate(STOPS)
    tab.add_style_tag(
        content="body { opacity: 0 }"
    )  # most of the time after a key is spent on painting
    for _ in range(60):
        for _ in range(20):
            tab.keyboard.press("Tab")
        if tab.evaluate("reached.length") == stops:
            break
    assert tab.evaluate("reached") == [str(i) for i in range(stops)], "in the order of the page"


# ------------------------------------------------------------------------------------- the page


def hidden_code(tab):
    return tab.locator(".tag_hide-input .cell_input").evaluate_all(
        "all => all.filter(e => !e.checkVisibility()).length"
    )


@chapters
def test_one_switch_shows_all_code_and_is_remembered(page, visit, site):
    tab = visit(site / page)
    cells = tab.locator(".tag_hide-input .cell_input").count()
    switch = tab.get_by_role("button", name="Code", exact=True)
    assert cells > 0
    assert hidden_code(tab) == cells
    assert tab.locator("summary:has-text('Show code cell source')").first.is_hidden()
    switch.click()
    assert hidden_code(tab) == 0
    reload(tab)
    assert switch.get_attribute("aria-pressed") == "true"
    assert hidden_code(tab) == 0
    switch.click()
    assert hidden_code(tab) == cells


def test_a_word_of_the_glossary_opens_where_it_stands(visit, site):
    tab = visit(site / "notebooks/03_binary_bounds.html")
    link = tab.locator('a[href*="glossary.html#term-true-error"]').first
    link.focus()
    tab.keyboard.press("Enter")
    box = tab.get_by_role("dialog", name="true error")
    box.wait_for()
    assert "population" in box.inner_text()
    assert tab.url.endswith("03_binary_bounds.html")
    tab.keyboard.press("Escape")
    assert box.count() == 0
    assert tab.evaluate("document.activeElement.hash") == "#term-true-error"


def questions():
    """Yield what readers search for, and where it must lead: see tests/data/questions.txt."""
    place = ""
    for line in (ROOT / "tests/data/questions.txt").read_text("utf-8").splitlines()[1:]:
        if line.startswith(" "):
            yield line.strip(), place
        elif line:
            place = line


@pytest.mark.parametrize(("words", "place"), [*questions()])
def test_a_question_as_it_is_posted_leads_to_its_answer(words, place, browser, site):
    page, _, section = place.partition("#")
    if not (site / f"{page}.html").exists():
        pytest.skip("a fork has taken it out")
    found, _, part = first_hit(words, browser, site).partition("#")
    assert f"/{page}.html" in found
    assert part == section or not section


def first_hit(words, browser, site):
    """Return where the first hit of a search leads."""
    # a page opened as a file can't fetch the summaries of the search, and says so
    tab = browser.new_page()
    tab.goto((site / "search.html").as_uri() + f"?q={quote(words)}")
    tab.locator("#search-results li a").first.wait_for()
    tab.wait_for_function(
        "!document.querySelector('#search-results h2').textContent.includes('Searching')"
    )
    hits = tab.locator("#search-results li a").evaluate_all("all => all.map(a => a.href)")
    tab.close()
    return hits[0]


@functools.cache
def sections(notebook):
    """Return the anchors of a notebook's sections."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return [nodes.make_id(title) for title in re.findall("^##+ (.+)$", text, re.MULTILINE)]


def test_what_readers_search_for_leads_to_pages_of_the_book():
    told = errlab_site.searched(ROOT)
    toc = (ROOT / "_toc.yml").read_text("utf-8")
    for place, phrases in told.items():
        page, _, section = place.partition("#")
        assert f"file: {page}\n" in toc
        assert not section or section in sections(ROOT / f"{page}.ipynb"), place
        assert all(isinstance(phrase, str) and phrase.strip() for phrase in phrases), place
    for chapter in errlab_site.chapters(ROOT):
        assert told[f"notebooks/{chapter.name}"]


def test_an_old_address_leads_on_with_its_section(visit, tmp_path):
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["sphinx"]["config"]
    template = string.Template((ROOT / config["redirect_html_template_file"]).read_text("utf-8"))
    old = tmp_path / "notebooks" / "old.html"
    old.parent.mkdir()
    old.with_name("new.html").write_text("<p>Here", "utf-8")
    shutil.copytree(ROOT / "book" / "_static", tmp_path / "_static")
    old.write_text(template.substitute(to_uri="new.html#first"), "utf-8")
    for anchor, there in (("", "new.html#first"), ("#second", "new.html#second")):
        tab = visit(old, anchor=anchor)
        tab.wait_for_url(f"**/{there}")
    tab = visit(old, java_script_enabled=False)
    tab.wait_for_url("**/new.html#first")
    # as in a browser that doesn't redirect
    stays = old.read_text("utf-8").replace("refresh", "nothing")
    old.write_text(stays, "utf-8")
    tab = visit(old, java_script_enabled=False)
    assert tab.title() == "This chapter has moved"
    assert tab.locator("html").get_attribute("lang") == "en"
    tab.get_by_role("link").click()
    tab.wait_for_url("**/new.html#first")


def test_next_leads_from_the_front_to_the_first_chapter(site):
    first = f"notebooks/{errlab_site.chapters(ROOT)[0].name}.html"
    for page in (FRONT, "book/contents.html"):
        text = (site / page).read_text("utf-8")
        assert re.search(rf'class="right-next"\s+href="\.\./{first}"', text), page
    back = (site / first).read_text("utf-8")
    assert re.search(r'class="left-prev"\s+href="\.\./book/contents\.html"', back)


# ------------------------------------------------------------------------------------- labs


@pytest.mark.parametrize("page", [FRONT, *CHAPTERS])
def test_labs_are_alive_and_stand_by_themselves(page, visit, site):
    """`test_record_on_page` checks which are where; `test_story` does for the front page."""
    text = (site / page).read_text(encoding="utf-8")
    if "data-lab=" not in text:
        return
    tab = visit(site / page)
    assert tab.locator("[data-lab]:not([data-ready])").count() == 0
    assert tab.locator("[data-lab-address]").count() <= 1
    ids = tab.evaluate("[...document.querySelectorAll('[data-lab] [id]')].map(e => e.id)")
    assert len(ids) == len(set(ids)) > 0
    modules = re.findall(r'<script data-errlab-module="([\w.]+)"', text)
    assert len(modules) == len(set(modules)), "each module stands once"
    assert text.count("<style data-errlab-labs") == 1


def test_lists_of_the_api_give_first_sentences_whole(site):
    text = (site / "book/api/index.html").read_text("utf-8")
    cells = re.findall(r"<tr[^>]*>\s*<td>.*?</td>\s*<td>(.*?)</td>", text, re.DOTALL)
    told = [re.sub("<[^>]*>", "", cell).strip() for cell in cells]
    assert len(told) > 15
    assert [words for words in told if not words.endswith((".", ".)"))] == []
    assert [words for words in told if words.count("(") != words.count(")")] == []


def test_a_card_has_the_address_of_its_page_or_none(site):
    address = r'property="og:url" content="(?!https?://)'
    assert [page for page in PAGES if re.search(address, (site / page).read_text("utf-8"))] == []


# how far elements moved after they were painted; the window is 900 pixels high
SHIFT = """new Promise(done => {
  let sum = 0;
  const add = list => list.getEntries().forEach(e => { if (!e.hadRecentInput) sum += e.value; });
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => done(sum), 1500);
})"""


@pytest.mark.parametrize("width", [1280, 768, 390])
@pytest.mark.parametrize("page", [FRONT, "book/tools.html"])
def test_a_page_stands_still(page, width, visit, site):
    assert visit(site / page, width=width).evaluate(SHIFT) < 0.05


@pytest.mark.parametrize("name", ["bounds", "compare", "metrics"])
def test_a_page_of_the_api_begins_with_functions_and_links_names(name, site):
    module = importlib.import_module(f"errlab.{name}")
    functions = [key for key in module.__all__ if inspect.isfunction(getattr(module, key))]
    text = (site / f"book/api/errlab.{name}.html").read_text("utf-8")
    shown = re.findall(rf'<dt class="sig[^"]*" id="errlab\.{name}\.([\w.]+)"', text)
    assert shown[: len(functions)] == functions
    assert f'href="#errlab.{name}.' in text
