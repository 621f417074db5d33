"""Open pages in Chromium for the tests, with plain Playwright and plain axe."""

import os
import shutil
from pathlib import Path

from our_chapters import CHAPTERS as OURS

ROOT = Path(__file__).parents[1]
SITE = ROOT / os.environ.get("ERRLAB_SITE", "_build/html")
# Pages without a notebook only redirect old addresses, so they aren't tested.
CHAPTERS = sorted(
    page.relative_to(SITE).as_posix()
    for page in SITE.glob("notebooks/*.html")
    if page.stem in {path.stem for path in OURS}
)
# a test whose program is missing is skipped, or fails, with the program's name
CHAPTERS = CHAPTERS or ["none is built"]
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
PROBES = (ROOT / "tests" / "site" / "probes.js").read_text(encoding="utf-8")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

VIEWS = [(1280, "light"), (390, "dark"), (1280, "dark"), (390, "light")]


def probe(name):
    """Return the JavaScript that evaluates to a function of probes.js."""
    return f"{PROBES}\nprobes.{name}"


def page(*fragments):
    """Return a page that contains only these parts of chapters."""
    sheets = ("tests/site/theme.css", "book/errlab_book/parts.css", "book/_static/errlab.css")
    style = "".join((ROOT / sheet).read_text(encoding="utf-8") for sheet in sheets)
    marks = (ROOT / "book" / "errlab_book" / "marks.js").read_text(encoding="utf-8")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>Parts</title>'
        f"<style>{style}</style><script>{marks}</script></head><body><main><h1>Parts</h1>{''.join(fragments)}</main>"
    )


def reload(tab):
    """Load a page again, with its local storage.

    A page from a file that is reloaded at once may still find the storage from before the last
    change: 5 times in 100 on a busy machine. So the last change is passed on here.
    """
    stored = tab.evaluate("JSON.stringify(localStorage)")
    tab.add_init_script(f"localStorage.clear(); Object.assign(localStorage, {stored});")
    tab.reload()


def set_view(tab, width, scheme):
    """Set the width and the colours of a page, of the book or of `page`."""
    tab.set_viewport_size({"width": width, "height": 900})
    # finish colour transitions at once
    tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    # use the colours of this page, not of the book's theme
    if not tab.evaluate("'mode' in document.documentElement.dataset"):
        tab.evaluate("scheme => { document.documentElement.dataset.theme = scheme; }", scheme)
    tab.wait_for_function(f"document.documentElement.dataset.theme === '{scheme}'")


def violations(tab, context=None):
    """Return a description of the problems that axe finds on a page or in a part of it."""
    from axe_playwright_python.sync_playwright import Axe

    # axe can't fetch style sheets from files
    options = {"resultTypes": ["violations"], "preload": False}
    result = Axe().run(tab, context=context, options=options)
    return [
        f"{v['impact']}: {v['id']}: {node['target']} {node['failureSummary']}"
        for v in result.response["violations"]
        for node in v["nodes"]
    ]
