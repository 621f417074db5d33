"""A Chromium and the pages that tests open in it; plain Playwright, plain axe."""

import os
import shutil
from pathlib import Path

from our_chapters import CHAPTERS as OURS

ROOT = Path(__file__).parents[1]
SITE = ROOT / os.environ.get("ERRLAB_SITE", "_build/html")
# A page without a notebook redirects an old address, so it is left out.
CHAPTERS = sorted(
    page.relative_to(SITE).as_posix()
    for page in SITE.glob("notebooks/*.html")
    if page.stem in {path.stem for path in OURS}
)
CHAPTERS = CHAPTERS or ["none is built"]  # a test that cannot run is skipped, or fails, by name
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

VIEWS = [(1280, "light"), (390, "dark"), (1280, "dark"), (390, "light")]
# The colours of the book's theme, without the theme.
THEME = """
html { --pst-color-text-base: #222832; --pst-color-background: #fff; --pst-color-border: #d1d5da;
  --pst-color-text-muted: #48566b; --pst-color-surface: #f3f4f5; --pst-color-primary: #0a7d91; }
html[data-theme="dark"] { --pst-color-text-base: #ced6dd; --pst-color-background: #14181e;
  --pst-color-border: #48566b; --pst-color-text-muted: #9ca4af; --pst-color-surface: #222832;
  --pst-color-primary: #3fb1c5; }
body { color: var(--pst-color-text-base); background: var(--pst-color-background);
  font-family: sans-serif; max-width: 46rem; margin: 0 auto; padding: 1rem; }
"""


def page(*fragments):
    """Return a page with these parts of chapters on it, and nothing else."""
    sheets = (ROOT / "book" / "errlab_book" / "parts.css", ROOT / "book" / "_static" / "errlab.css")
    style = THEME + "".join(sheet.read_text(encoding="utf-8") for sheet in sheets)
    marks = (ROOT / "book" / "errlab_book" / "marks.js").read_text(encoding="utf-8")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>Parts</title>'
        f"<style>{style}</style><script>{marks}</script></head><body><main><h1>Parts</h1>{''.join(fragments)}</main>"
    )


def reload(tab):
    """Load a page again, with what it keeps in the browser.

    A page of a file that is loaded again at once may still find what was kept before the last
    change: 5 times in 100 on a busy machine. So the change is handed over here.
    """
    kept = tab.evaluate("JSON.stringify(localStorage)")
    tab.add_init_script(f"localStorage.clear(); Object.assign(localStorage, {kept});")
    tab.reload()


def set_view(tab, width, scheme):
    """Set the width and the colours of a page, of the book or of `page`."""
    tab.set_viewport_size({"width": width, "height": 900})
    tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # no half-way colours
    if not tab.evaluate("'mode' in document.documentElement.dataset"):  # not the book's theme
        tab.evaluate("scheme => { document.documentElement.dataset.theme = scheme; }", scheme)
    tab.wait_for_function(f"document.documentElement.dataset.theme === '{scheme}'")


def violations(tab, context=None):
    """Return what axe finds on a page, or in a part of it, in words."""
    from axe_playwright_python.sync_playwright import Axe

    options = {"resultTypes": ["violations"], "preload": False}  # styles of files cannot be fetched
    found = Axe().run(tab, context=context, options=options)
    return [
        f"{v['impact']}: {v['id']}: {node['target']} {node['failureSummary']}"
        for v in found.response["violations"]
        for node in v["nodes"]
    ]
