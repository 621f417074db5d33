"""Print the built book as one PDF by headless Chromium: ``python tools/pdf.py``."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import yaml
from playwright.sync_api import sync_playwright
from pypdf import PdfReader, PdfWriter

import chromium

ROOT = Path(__file__).resolve().parent.parent
HTML = Path(os.environ.get("ERRLAB_SITE") or ROOT / "_build" / "html")
TARGET = ROOT / "_build" / "book.pdf"
SCALE, MARGIN = 0.85, 15  # of the print, and in mm
WIDTH = int((210 - 2 * MARGIN) / SCALE * 96 / 25.4)  # of the text on an A4 page, in CSS pixels
HEIGHT = int((297 - 2 * MARGIN) / SCALE * 96 / 25.4)
CUT = """([width, height]) => [...document.querySelectorAll('article :is(svg, table, pre, math)')]
  .map(e => [e, e.getBoundingClientRect()])
  .filter(([e, box]) => box.right > width + 1 || (e.tagName === 'svg' && box.height > height))
  .map(([e, box]) => `${e.tagName} ${Math.round(box.right)} x ${Math.round(box.height)}: `
    + e.textContent.trim().slice(0, 40))"""


def order() -> list[str]:
    """Return the built pages in the order of the table of contents that they were built with."""
    places = (HTML.parent / "stage" / "_toc.yml", ROOT / "_toc.yml")
    toc = yaml.safe_load(next(filter(Path.exists, places)).read_text("utf-8"))
    files = [toc["root"]]
    for part in toc["parts"]:
        for chapter in part["chapters"]:
            files.append(chapter["file"])
            files += [section["file"] for section in chapter.get("sections", [])]
    return [name for name in files if (HTML / f"{name}.html").exists()]


def main() -> int:
    """Print every page, join them with bookmarks, and say how many pages there are."""
    if not HTML.exists():
        raise SystemExit("build the book first: make book")
    found = chromium.find()
    if found is None:
        raise SystemExit("make pdf needs a Chromium; README says how to get one")
    writer, cut = PdfWriter(), []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(chromium.FLAGS))
        tab = browser.new_page(color_scheme="light", viewport={"width": WIDTH, "height": HEIGHT})
        tab.emulate_media(media="print")
        for name in order():
            tab.goto((HTML / f"{name}.html").as_uri())
            tab.evaluate("document.fonts.ready")
            cut += [f"{name}: {what}" for what in tab.evaluate(CUT, [WIDTH, HEIGHT])]
            edges = dict.fromkeys(("top", "bottom", "left", "right"), f"{MARGIN}mm")
            pdf = tab.pdf(format="A4", print_background=True, scale=SCALE, margin=edges)
            start = len(writer.pages)
            for page in PdfReader(io.BytesIO(pdf)).pages:
                writer.add_page(page)
            title = tab.locator("h1").first.inner_text().strip(" #\n")
            writer.add_outline_item(title=title, page_number=start)
        browser.close()
    writer.compress_identical_objects()
    writer.write(TARGET)
    print(f"{len(writer.pages)} pages: {TARGET}", *cut, sep="\n  cut off: ")
    return bool(cut)


if __name__ == "__main__":
    sys.exit(main())
