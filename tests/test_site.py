"""The built book in a real browser: explorers, keyboard, accessibility, weight, speed.

Needs the built site (``make book``) and a Chromium; without one of them it is skipped, loudly.
"""

import functools
import gzip
import http.server
import os
import shutil
import threading
import warnings
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

SITE = Path(os.environ.get("ERRLAB_SITE") or Path(__file__).parent.parent / "_build" / "html")
CHROMIUM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
CHAPTERS = sorted(p.relative_to(SITE).as_posix() for p in SITE.glob("notebooks/*.html"))
PAGES = sorted(
    p.relative_to(SITE).as_posix()
    for p in SITE.rglob("*.html")
    if p.name not in ("index.html", "genindex.html", "search.html") and "_static" not in p.parts
)
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync",
    "--disable-component-update", "--no-first-run",
)  # fmt: skip
LIMIT_KB = 400
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


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def visit(browser, base):
    """Open a page; afterwards nothing may have left the machine or gone to the console."""
    contexts, requests, errors = [], [], []

    def visit(page, width=1280, scheme="light", **kwargs):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, **kwargs
        )
        contexts.append(context)
        tab = context.new_page()
        tab.on("request", lambda request: requests.append(request.url))
        tab.on("response", lambda r: errors.append(r.url) if r.status >= 400 else None)
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
        tab.goto(page if "://" in page else base + page)
        tab.evaluate("document.fonts.ready")
        tab.wait_for_function(
            "[...document.querySelectorAll('.errlab-explorer')]"
            ".every(e => e.dataset.state === 'ready')"
        )
        tab.requests = requests
        return tab

    yield visit
    for context in contexts:
        context.close()
    foreign = [url for url in requests if not url.startswith((base, "file:", "data:", "blob:"))]
    assert foreign == [], "a page asked another host"
    assert errors == []


def explorers(tab):
    return tab.locator(".errlab-explorer")


def picture(explorer):
    return explorer.locator(".errlab-picture").inner_html()


@pytest.mark.parametrize("page", CHAPTERS)
def test_every_control_moves_its_figure_by_keyboard(page, visit):
    tab = visit(page)
    assert explorers(tab).count() > 0
    for number in range(explorers(tab).count()):
        explorer = explorers(tab).nth(number)
        for control in explorer.locator("input[type=range], fieldset").all():
            before = picture(explorer)
            if control.evaluate("e => e.tagName") == "FIELDSET":
                control.locator("input:checked").focus()
            else:
                control.focus()
            tab.keyboard.press("ArrowRight")
            if picture(explorer) == before:  # it stood at its end
                tab.keyboard.press("ArrowLeft")
            assert picture(explorer) != before, control.get_attribute("id")
        name = explorer.locator(".errlab-picture").get_attribute("aria-label")
        expect(explorer.locator("[aria-live]")).to_have_text(name)


@pytest.mark.parametrize("page", CHAPTERS)
def test_the_mouse_moves_the_slider_and_the_figure(page, visit):
    tab = visit(page)
    explorer = explorers(tab).filter(has=tab.locator("input[type=range]")).first
    slider = explorer.locator("input[type=range]").first
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
    assert picture(explorer) != before


@pytest.mark.parametrize("page", CHAPTERS)
def test_first_frame_stands_without_javascript(page, browser, base):
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(base + page)
    first = tab.locator(".errlab-explorer .errlab-picture svg").first
    assert first.bounding_box()["height"] > 100
    context.close()


@pytest.mark.parametrize("page", CHAPTERS)
def test_a_quiz_answers_by_keyboard(page, visit):
    tab = visit(page)
    for question in tab.locator(".errlab-quiz fieldset").all():
        radios = question.locator("input")
        radios.first.focus()
        tab.keyboard.press("Space")
        said = [question.locator("[aria-live]").inner_text()]
        for _ in range(radios.count() - 1):
            tab.keyboard.press("ArrowDown")
            said.append(question.locator("[aria-live]").inner_text())
        right = [text for text in said if "Right." in text]
        wrong = [text for text in said if "Not quite." in text]
        assert len(right) == 1
        assert len(wrong) == radios.count() - 1
        assert all(len(text) > 20 for text in said), "every answer says why"


# Every page as a light desktop and a dark phone; the chapters in all four ways.
VIEWS = [(page, *view) for page in PAGES for view in ((1280, "light"), (390, "dark"))]
VIEWS += [(page, *view) for page in CHAPTERS for view in ((1280, "dark"), (390, "light"))]


@pytest.mark.parametrize(("page", "width", "scheme"), VIEWS)
def test_axe_finds_no_violation(page, width, scheme, visit):
    tab = visit(page, width, scheme)
    # preload would fetch our style sheets again, imports relative to the wrong folder
    results = Axe().run(tab, options={"preload": False}).response["violations"]
    found = [
        f"{v['impact']}: {v['id']}: {node['target']} {node['failureSummary'][:300]}"
        for v in results
        for node in v["nodes"]
    ]
    assert found == []


@pytest.mark.parametrize("page", PAGES)
def test_no_sideways_scrolling_on_a_phone(page, visit):
    tab = visit(page, 390)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    tab.set_viewport_size({"width": 320, "height": 700})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320


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


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", CHAPTERS)
def test_the_words_in_figures_are_legible(page, scheme, visit):
    assert visit(page, scheme=scheme).evaluate(CONTRAST) >= 4.5


def test_dark_mode_is_dark(visit):
    tab = visit(CHAPTERS[0], scheme="dark")
    ground = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(int(v) for v in ground.removeprefix("rgb(").rstrip(")").split(",")[:3]) < 60


@pytest.mark.parametrize("page", CHAPTERS)
def test_page_weight(page, visit, base, capsys):
    tab = visit(page)
    tab.wait_for_load_state("networkidle")
    files = {url.removeprefix(base).split("?")[0].split("#")[0] for url in tab.requests}
    weight = sum(
        len(gzip.compress((SITE / name).read_bytes(), 9)) for name in files if "://" not in name
    )
    with capsys.disabled():
        print(f"\n{page}: {weight / 1000:.0f} KB with gzip, {len(files)} files")
    assert weight <= LIMIT_KB * 1000


STEP = """async () => {
  const slider = document.querySelector('.errlab-explorer input[type=range]');
  const times = [], top = Number(slider.max);
  const frame = () => new Promise(done => requestAnimationFrame(done));
  for (let i = 0; i < 30; i++) {
    await frame();
    const start = performance.now();
    slider.value = i % (top + 1);
    slider.dispatchEvent(new Event('input', {bubbles: true}));
    slider.getBoundingClientRect();  // style and layout are part of a step
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b);
}"""


@pytest.mark.parametrize("page", CHAPTERS)
def test_one_step_is_painted_at_once(page, visit, capsys):
    tab = visit(page)  # the best of three: another process may have had the core
    times = min((tab.evaluate(STEP) for _ in range(2)), key=lambda t: t[int(len(t) * 0.95)])
    with capsys.disabled():
        print(
            f"\n{page}: a step takes {times[len(times) // 2]:.1f} ms, "
            f"{times[int(len(times) * 0.95)]:.1f} ms at the 95th percentile"
        )
    assert times[len(times) // 2] <= STUCK_MS
