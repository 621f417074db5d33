"""Exercises in a real browser, on a page opened from a file: right, wrong, in percent, by keyboard.

Needs a Chromium; without one it is skipped, loudly. That the built chapters hold these fields is
tested where the book is built.
"""

import functools
import os
import re
import warnings

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from labs_browser import CHROMIUM, FLAGS, ROOT, THEME
from playwright.sync_api import sync_playwright

from errlab.book import answers, exercises

SITE = ROOT / "_build" / "html" if not (s := os.environ.get("ERRLAB_SITE")) else ROOT / s
KEYS = list(exercises.EXERCISES)
# Answers of all kinds; whatever Python says of each, the page must say.
TYPED = ["0", "1", "0,5", "7/200", "12%", "250 %", "-0.1", "2e-2", "1,000", "x", "1/0", "%"]

pytestmark = pytest.mark.site
if CHROMIUM is None:
    warnings.simplefilter("default")
    pytest.skip("TESTS OF ANSWERS SKIPPED: no Chromium was found", allow_module_level=True)


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


def page(*fragments):
    style = THEME + (ROOT / "book" / "_static" / "errlab.css").read_text(encoding="utf-8")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>Answers</title>'
        "<style>body { font-family: sans-serif; color: var(--pst-color-text-base); "
        f"background: var(--pst-color-background); }} {style}</style></head>"
        f"<body><main><h1>Answers</h1>{''.join(fragments)}</main></body></html>"
    )


@pytest.fixture
def visit(browser, tmp_path):
    """Open a page from a file; afterwards nothing may have gone wrong or elsewhere."""
    contexts, requests, errors = [], [], []

    def visit(*fragments, width=1000, **options):
        file = tmp_path / "01_answers.html"
        file.write_text(page(*fragments), encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        tab = context.new_page()
        tab.on("request", lambda request: requests.append(request.url))
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
        tab.goto(file.as_uri())
        return tab

    yield visit
    for context in contexts:
        context.close()
    assert [url for url in requests if not url.startswith("file:")] == []
    assert errors == []


def fields(keys=KEYS):
    return [exercises.EXERCISES[key].html() for key in keys]


# Type an answer into each part and press the button; what the live region says.
ANSWER = """([id, values]) => {
  const form = document.getElementById(id);
  if (form.querySelector('[type=radio]')) {
    const found = [...form.querySelectorAll('[type=radio]')].find(e => e.value === values[0]);
    found.checked = true;
  } else form.querySelectorAll('[type=text]').forEach((e, i) => { e.value = values[i]; });
  const box = form.querySelector('[aria-live]');
  box.textContent = '';
  form.querySelector('button').click();
  return box.textContent;
}"""


def said(tab, key, values):
    name = f"check-{key.replace('.', '-')}"
    return tab.evaluate(ANSWER, [name, [str(v) for v in values]])


@functools.cache
def right_of(key):
    entry = exercises.EXERCISES[key]
    return list(entry.answer()) if entry.parts else [entry.answer()]


def text_of(value):
    return value if isinstance(value, str) else repr(float(value))


def test_each_exercise_is_answered_rightly_wrongly_and_in_percent(visit):
    tab = visit(*fields())
    checked = 0
    for key in KEYS:
        entry, right = exercises.EXERCISES[key], right_of(key)
        assert said(tab, key, map(text_of, right)) == "\u2713 Right.", key
        checked += 1
        if entry.asks == "choice":
            for wrong in set(entry.choices) - {right[0]}:
                verdict = exercises.check(key, wrong).message
                got = said(tab, key, [wrong])
                assert got.startswith("\u2717 ")
                assert got[2:].lower() == verdict.removeprefix("not yet. ").lower()
            continue
        percent = [f"{100 * v!r}%" for v in map(float, right)]
        if entry.asks == "share":
            assert said(tab, key, percent) == "\u2713 Right.", key
            if all(0.02 < v < 0.98 for v in right):
                bare = said(tab, key, [p.removesuffix("%") for p in percent])
                assert "add the percent sign" in bare, key
        else:
            assert "not a percentage" in said(tab, key, percent), key
        off = [repr(v + 3 * entry.tolerance + 0.037) for v in map(float, right)]
        assert said(tab, key, off).startswith("\u2717 "), key
        for compute, text in entry.mistakes:
            values = np.broadcast_to(np.asarray(compute()), len(right))
            assert text.lower() in said(tab, key, map(text_of, values)).lower(), key
    assert checked >= 55


def test_the_page_says_what_python_says(visit):
    single = [k for k in KEYS if exercises.EXERCISES[k].asks != "choice"]
    tab = visit(*fields(single))
    rng = np.random.default_rng(3)
    for key in single:
        entry = exercises.EXERCISES[key]
        right = [float(v) for v in right_of(key)]
        near = [repr(v + entry.tolerance * s) for v in right[:1] for s in rng.uniform(-2, 2, 6)]
        for typed in [*TYPED, *near, repr(1 - right[0]), repr(right[0] + 1), repr(-right[0])]:
            values = [typed] * len(right)
            python = exercises.check(key, values if entry.parts else typed)
            got = said(tab, key, values)
            assert got.startswith("\u2713") is python.right, (key, typed)
            message = python.message.removeprefix("not yet. ")
            if message != entry.hints[0] and not message.endswith(entry.hints[0]):
                assert got[2:].lower() == message.lower(), (key, typed)


def test_numbers_and_digests_are_the_same_in_both_languages(visit):
    texts = ["errlab", "3.1 part0 118", "a", "\u03b4 \u2713", ""]
    source = answers.script().removeprefix("<script data-errlab-answers>")
    function = re.search(r"  function digest.*?\n  }", source, re.DOTALL).group()
    got = visit().evaluate(f"texts => {{ {function}; return texts.map(digest); }}", texts)
    assert got == [answers.digest(text) for text in texts]


def test_by_keyboard_and_aloud(visit):
    tab = visit(*fields(["3.1", "3.3"]))
    field = tab.get_by_label("Your answer to 3.1")
    field.focus()
    tab.keyboard.press("Enter")
    tab.wait_for_function("document.querySelector('#check-3-1 [aria-live]').textContent")
    assert tab.locator("#check-3-1 [aria-live]").inner_text() == "No answer yet."
    tab.keyboard.type("3.62 %")
    tab.keyboard.press("Enter")
    tab.wait_for_timeout(60)
    assert "two-sided" in tab.locator("#check-3-1 [aria-live]").inner_text()
    assert field.get_attribute("aria-invalid") == "true"
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.textContent") == "Check answer 3.1"
    for name in ("Hint", "Second hint"):
        tab.keyboard.press("Tab")
        assert tab.evaluate("document.activeElement.textContent") == name
        tab.keyboard.press("Enter")
    assert tab.locator("#check-3-1 details p").all_inner_texts() == list(
        exercises.EXERCISES["3.1"].hints
    )
    tab.keyboard.press("Tab")
    tab.keyboard.press("Space")
    tab.keyboard.press("ArrowDown")
    tab.wait_for_timeout(60)
    assert tab.locator("#check-3-3 [aria-live]").inner_text() == "", "moving answers nothing"


def test_without_scripts_there_are_hints_and_no_field(visit):
    tab = visit(*fields(["3.1"]), java_script_enabled=False)
    assert not tab.locator("input").is_visible()
    tab.locator("summary").first.click()
    assert tab.locator("#check-3-1 details p").first.is_visible()


def test_it_works_where_nothing_may_be_kept(visit):
    tab = visit(*fields(["3.1"]))
    tab.evaluate("Object.defineProperty(window, 'localStorage', {get() { throw new Error(); }})")
    assert said(tab, "3.1", ["2.95%"]) == "\u2713 Right."


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_and_width(visit, width, theme):
    tab = visit(*fields(["3.1", "3.3", "8.2", "12.4", "1.5"]), width=width)
    tab.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
    said(tab, "3.1", ["0.4"])
    said(tab, "8.2", ["2%", "9%"])
    for folded in tab.locator("summary").all():
        folded.click()
    found = Axe().run(tab, options={"resultTypes": ["violations"]}).response["violations"]
    assert [(v["id"], [n["target"] for n in v["nodes"]]) for v in found] == []
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


CHAPTERS = sorted(SITE.glob("notebooks/*.html"))


@pytest.mark.skipif(len(CHAPTERS) < 14, reason="needs the built site (make book)")
def test_the_built_chapters_hold_the_fields():
    text = "".join(path.read_text(encoding="utf-8") for path in CHAPTERS)
    there = set(re.findall(r'<form class="errlab-check"[^>]*data-answer="([\d.]+)"', text))
    assert there == set(KEYS)
    assert len(there) >= 55
