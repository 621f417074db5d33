"""The built book in a real browser: explorers, keyboard, accessibility, weight, speed.

Needs the built site (``make book``) and a Chromium; without one of them it is skipped, loudly.
"""

import functools
import gzip
import http.server
import os
import threading
import warnings
from pathlib import Path

import pytest
from headless import AS_AT_FIRST, CHROMIUM, SETTLED, violations
from phone import CUT, SMALLEST, TEXTS, WIDTH

SITE = Path(os.environ.get("ERRLAB_SITE") or Path(__file__).parents[2] / "_build" / "html")
CHAPTERS = sorted(p.relative_to(SITE).as_posix() for p in SITE.glob("notebooks/*.html"))
PAGES = sorted(
    p.relative_to(SITE).as_posix()
    for p in SITE.rglob("*.html")
    if p.name not in ("index.html", "genindex.html", "search.html")
    and not {"_static", "lite"} & {*p.relative_to(SITE).parts}
)
LIMIT_KB = 400
WINDOW = {"width": 1280, "height": 900}
STUCK_MS = 1000  # a step is printed, not timed by the test: the machine may be busy

pytestmark = pytest.mark.site
if CHROMIUM is None or not CHAPTERS:
    missing = "a Chromium" if CHROMIUM is None else "the built site (make book)"
    warnings.simplefilter("default")
    pytest.skip(f"SITE TESTS SKIPPED: {missing} was not found", allow_module_level=True)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def base():
    handler = functools.partial(Quiet, directory=str(SITE))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


# What all pages share comes from the cache, as for a reader who goes on to the next one.
READY = """window.readyAt = 0; (function look() {
  if (document.querySelector('.errlab-explorer[data-state=ready]')) {
    requestAnimationFrame(() => { window.readyAt = performance.now(); });
  } else if (document.readyState !== 'complete' || document.querySelector('.errlab-explorer')) {
    requestAnimationFrame(look);
  }
})();"""


@pytest.fixture(scope="module")
def room(browser):
    """Open the tab that all pages are visited in: another context costs more than a page."""
    context = browser.new_context()
    tab = context.new_page()
    tab.add_init_script(READY)
    yield tab
    context.close()


class Visit:
    """One visit of a page: what it asked for and what went wrong."""

    def __init__(self, tab, base, page):
        self.tab, self.base, self.page, self.requests, self.errors = tab, base, page, [], []
        self.listeners = {
            "request": lambda request: self.requests.append(request.url),
            "response": lambda r: self.errors.append(r.url) if r.status >= 400 else None,
            "pageerror": lambda error: self.errors.append(str(error)),
            "console": lambda m: self.errors.append(m.text) if m.type == "error" else None,
        }
        for event, listener in self.listeners.items():
            tab.on(event, listener)
        tab.set_viewport_size(WINDOW)
        tab.emulate_media(**AS_AT_FIRST)
        tab.goto(base + page)
        wait_for_explorers(tab)
        change_scheme(tab, "light")

    def check(self):
        """Nothing has left the machine or gone to the console, so far."""
        here = (self.base, "data:", "blob:")
        assert [url for url in self.requests if not url.startswith(here)] == [], "another host"
        assert self.errors == []

    def leave(self):
        """Leave nothing behind for the next visit."""
        self.tab.evaluate("localStorage.clear()")
        self.tab.mouse.move(0, 0)
        for event, listener in self.listeners.items():
            self.tab.remove_listener(event, listener)


def wait_for_explorers(tab):
    tab.evaluate("document.fonts.ready")
    tab.wait_for_function(
        "[...document.querySelectorAll('.errlab-explorer')].every(e => e.dataset.state === 'ready')"
    )


@pytest.fixture
def visit(tabs):
    """Open a page by its address; afterwards nothing may have left it or gone to the console."""

    def visit(address, **options):
        tab = tabs.open(address, 1280, **options)
        wait_for_explorers(tab)
        return tab

    yield visit
    requests, errors = tabs.leave()
    here = ("http://127.0.0.1:", "file:", "data:", "blob:")
    assert [url for url in requests if not url.startswith(here)] == [], "another host"
    assert errors == []


@pytest.fixture(scope="module")
def visited(request, room, base):
    """Visit a page once for all the tests of it."""
    made = Visit(room, base, request.param)
    yield made
    made.leave()


AS_VISITED = """() => {
  document.documentElement.style.fontSize = '';
  document.body.style.opacity = 0;
  return document.documentElement.dataset.theme;
}"""


@pytest.fixture
def tab(visited):
    """The tab of the page, as wide and as bright as at first; a test may leave it otherwise.

    The page lives as ever but is not painted, for nobody looks: most of what a key costs is the
    picture of the page after it.
    """
    tab = visited.tab
    if tab.viewport_size != WINDOW:
        tab.set_viewport_size(WINDOW)
    if tab.evaluate(AS_VISITED) != "light":
        change_scheme(tab, "light")
    yield tab
    visited.check()


@pytest.fixture
def painted(tab):
    """The tab with all its colours."""
    tab.evaluate("document.body.style.opacity = ''")
    return tab


def pages(names):
    """Run a test on each of these pages."""
    return pytest.mark.parametrize("visited", names, indirect=True)


def change_scheme(tab, scheme):
    tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # no half-way colours
    # a page outside the theme, 404.html, follows the scheme by itself
    tab.wait_for_function(f"(document.documentElement.dataset.theme ?? '{scheme}') === '{scheme}'")


def explorers(tab):
    return tab.locator(".errlab-explorer")


def picture(explorer):
    return explorer.locator(".errlab-picture").inner_html()


# Axe looks at all of a page wide and light, and narrow and dark; in the other two views at the
# contrast of what is around the article, which is not the same wide and narrow.
AROUND = {"context": {"exclude": ["article"]}, "runOnly": ["color-contrast"]}
VIEWS = [(1280, "light", {}), (1280, "dark", AROUND), (390, "dark", {}), (390, "light", AROUND)]


@pages(PAGES)
def test_axe_finds_no_violation(painted):
    tab, found = painted, []
    for width, scheme, options in VIEWS:
        change_scheme(tab, scheme)
        if tab.viewport_size["width"] != width:
            tab.set_viewport_size({"width": width, "height": 900})
            tab.wait_for_function(SETTLED)
        found += [f"{width} {scheme}: {what}" for what in violations(tab, **options)]
    assert found == []


FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pages(PAGES)
def test_nothing_is_cut_on_a_phone_or_with_large_letters(tab):
    tab.set_viewport_size({"width": WIDTH, "height": 844})
    tab.wait_for_function(SETTLED)
    tab.evaluate(FRAME)  # what measures its width has seen it
    assert tab.evaluate("document.documentElement.scrollWidth") <= WIDTH
    assert tab.evaluate(CUT) == []
    texts = tab.evaluate(TEXTS)
    assert [(text, size) for text, size, _ in texts if size < SMALLEST] == []
    assert [(text, over) for text, _, over in texts if over > 1] == []
    tab.set_viewport_size({"width": 320, "height": 700})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320
    tab.set_viewport_size(WINDOW)
    tab.evaluate("document.documentElement.style.fontSize = '200%'")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 1280


FOCUS = """control => {
  window.picture = control.closest('.errlab-explorer').querySelector('.errlab-picture');
  window.before = picture.innerHTML;
  (control.querySelector('input:checked') ?? control).focus();
}"""
MOVED = "picture.innerHTML !== before"
SAID = """() => [...document.querySelectorAll('.errlab-explorer')].every(e =>
  e.querySelector('[aria-live]').textContent.trim() ===
  e.querySelector('.errlab-picture').getAttribute('aria-label').trim())"""


@pages(CHAPTERS)
def test_every_control_moves_its_figure_by_keyboard(tab):
    assert explorers(tab).count() > 0
    controls = ".errlab-explorer :is(input[type=range], fieldset)"
    for control in tab.query_selector_all(controls):
        control.evaluate(FOCUS)
        tab.keyboard.press("ArrowRight")
        if not tab.evaluate(MOVED):  # it stood at its end
            tab.keyboard.press("ArrowLeft")
            assert tab.evaluate(MOVED), control.get_attribute("id")
    tab.wait_for_function(SAID, polling=50)


@pages(CHAPTERS)
def test_the_mouse_moves_the_slider_and_the_figure(tab):
    explorer = explorers(tab).filter(has=tab.locator("input[type=range]")).first
    slider = explorer.locator("input[type=range]").first
    slider.focus()
    tab.keyboard.press("Home")
    before, box = picture(explorer), slider.bounding_box()
    slider.click(position={"x": box["width"] - 3, "y": box["height"] / 2})
    assert slider.input_value() == slider.get_attribute("max")
    assert picture(explorer) != before
    output = explorer.locator("output").first.inner_text()
    assert slider.get_attribute("aria-valuetext") == output


@pytest.mark.parametrize("page", CHAPTERS)
def test_explorers_work_from_a_file_without_a_server(page, visit):
    tab = visit((SITE / page).as_uri())
    explorer = explorers(tab).first
    before = picture(explorer)
    explorer.locator("input").first.focus()
    tab.keyboard.press("ArrowRight")
    if picture(explorer) == before:  # it stood at its end
        tab.keyboard.press("ArrowLeft")
    assert picture(explorer) != before


@pytest.fixture(scope="module")
def bare(browser):
    """Open a tab without scripts."""
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("page", CHAPTERS)
def test_first_frame_stands_without_javascript(page, bare, base):
    bare.goto(base + page)
    first = bare.locator(".errlab-explorer .errlab-picture svg").first
    assert first.bounding_box()["height"] > 100


ANSWERS = """fieldset => {
  window.answers = [];
  const said = fieldset.querySelector('[aria-live]');
  fieldset.addEventListener('keyup', () => answers.push(said.innerText));
  fieldset.querySelector('input').focus();
  return fieldset.querySelectorAll('input').length;
}"""


@pages(CHAPTERS)
def test_a_quiz_answers_by_keyboard(tab):
    for question in tab.query_selector_all(".errlab-quiz fieldset"):
        choices = question.evaluate(ANSWERS)
        for key in ["Space", "Enter"] + ["ArrowDown", "Enter"] * (choices - 1):
            tab.keyboard.press(key)
        noted = tab.evaluate("answers")
        said = noted[1::2]
        assert noted[::2] == ["", *said[:-1]], "moving answers nothing"
        right = [text for text in said if "Right." in text]
        wrong = [text for text in said if "Not quite." in text]
        assert len(right) == 1
        assert len(wrong) == choices - 1
        assert all(len(text) > 20 for text in said), "every answer says why"


CONTRAST = """() => {
  const parse = c => (c.match(/[\\d.]+/g) || [0, 0, 0]).map(Number);
  const light = c => { const [r, g, b] = parse(c).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = e => { for (; e; e = e.parentElement) {
    const c = getComputedStyle(e).backgroundColor, p = parse(c);
    if (p.length < 4 || p[3] > 0) return c; } return 'rgb(255,255,255)'; };
  let worst = 99;
  for (const t of document.querySelectorAll('.errlab-picture svg text')) {
    const a = light(getComputedStyle(t).fill), b = light(ground(t));
    worst = Math.min(worst, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
  }
  return worst;
}"""


@pages(CHAPTERS)
def test_the_words_in_figures_are_legible(tab):
    assert tab.evaluate(CONTRAST) >= 4.5
    change_scheme(tab, "dark")
    assert tab.evaluate(CONTRAST) >= 4.5


def test_dark_mode_is_dark(visit, base):
    tab = visit(base + CHAPTERS[0], color_scheme="dark")
    ground = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(int(v) for v in ground.removeprefix("rgb(").rstrip(")").split(",")[:3]) < 60


@pages(CHAPTERS)
def test_page_weight(tab, visited, base, capsys):
    tab.wait_for_load_state("networkidle")
    files = {url.removeprefix(base).split("?")[0].split("#")[0] for url in visited.requests}
    weight = sum(
        len(gzip.compress((SITE / name).read_bytes(), 9)) for name in files if "://" not in name
    )
    with capsys.disabled():
        print(f"\n{visited.page}: {weight / 1000:.0f} KB with gzip, {len(files)} files")
    assert weight <= LIMIT_KB * 1000


# Each step is timed, with its style and layout; and it shows the same as unpacking the frame anew:
# what is on the page, and what ought to be there.
STEPS = """async () => {
  const times = [], wrong = [];
  for (const root of document.querySelectorAll('.errlab-explorer')) {
    const packed = root.querySelector("script[type='application/gzip']").textContent;
    const bytes = Uint8Array.from(atob(packed), c => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const frames = JSON.parse(await new Response(stream).text());
    for (const slider of root.querySelectorAll('input[type=range]')) {
      for (let i = 0; i <= Number(slider.max); i++) {
        const start = performance.now();
        slider.value = i;
        slider.dispatchEvent(new Event('input', {bubbles: true}));
        slider.getBoundingClientRect();
        times.push(performance.now() - start);
        const box = document.createElement('div');
        box.innerHTML = frames.svg[root.dataset.frame];
        const drawn = root.querySelector('.errlab-picture').firstElementChild;
        if (!drawn.isEqualNode(box.firstElementChild)) wrong.push(slider.id + ' at ' + i);
      }
    }
  }
  return [times.sort((a, b) => a - b), wrong];
}"""


@pages(CHAPTERS)
def test_the_first_figure_and_each_step_come_at_once_and_whole(tab, visited, capsys):
    tab.wait_for_function("window.readyAt > 0")
    ready = tab.evaluate("window.readyAt")
    times, wrong = tab.evaluate(STEPS)
    assert wrong == []
    middle, late = times[len(times) // 2], times[int(len(times) * 0.95)]
    with capsys.disabled():
        print(
            f"\n{visited.page}: first figure interactive after {ready:.0f} ms; "
            f"a step takes {middle:.1f} ms, {late:.1f} ms at the 95th percentile"
        )
    assert middle <= STUCK_MS


STOPS = """() => {
  window.reached = [];
  const stops = [...document.querySelectorAll(
    'article input[type=range], article summary, .errlab-quiz fieldset, fieldset.errlab-control, '
    + '.errlab-check button, .errlab-guess fieldset')];
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
  .filter(e => !e.parentElement.open).map(e => e.textContent)"""
# After Enter, the next one has the focus.
FOLDED = """() => {
  const folded = [...document.querySelectorAll('article summary')];
  let at = 0;
  const next = () => folded[++at]?.focus();
  folded.forEach(e => e.addEventListener('keyup', next));
  folded[0]?.focus();
  return folded.length;
}"""


@pages(CHAPTERS)
def test_the_keyboard_opens_what_is_folded_and_reaches_every_control(tab):
    for _ in range(tab.evaluate(FOLDED)):
        tab.keyboard.press("Enter")
    assert tab.evaluate(CLOSED) == []
    stops = tab.evaluate(STOPS)
    for _ in range(60):
        for _ in range(20):
            tab.keyboard.press("Tab")
        if tab.evaluate("reached.length") == stops:
            break
    assert tab.evaluate("reached") == [str(i) for i in range(stops)], "in the order of the page"
