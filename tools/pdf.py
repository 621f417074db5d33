"""Print the built book as one PDF: ``python tools/pdf.py`` writes ``_build/book.pdf``.

Headless Chromium prints every page of ``_toc.yml`` except the API; the outline lists the titles.
Links within a page and to the web work, but links between pages don't.
"""

from __future__ import annotations

import io
import os
import shutil
from pathlib import Path

import yaml
from playwright.sync_api import sync_playwright
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, NameObject

ROOT = Path(__file__).resolve().parent.parent
HTML = Path(os.environ.get("ERRLAB_SITE") or ROOT / "_build" / "html")
TARGET = Path(os.environ.get("ERRLAB_PDF") or ROOT / "_build" / "book.pdf")
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome", "chrome")
NUMBER = '<div style="font-size: 8pt; margin: auto"><span class="{}"></span></div>'
PRINT = {
    "format": "A4",
    "scale": 0.85,
    "print_background": True,
    "margin": dict.fromkeys(("top", "bottom", "left", "right"), "15mm"),
    "display_header_footer": True,
    "header_template": NUMBER.format("title"),
    "footer_template": NUMBER.format("pageNumber"),
}


def pages() -> list[Path]:
    """Return the built pages in the order of the contents, without the API."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    listed = [toc["root"]]
    for part in toc["parts"]:
        for page in part["chapters"]:
            listed += [page["file"], *(section["file"] for section in page.get("sections", []))]
    return [HTML / f"{name}.html" for name in listed if not name.startswith("book/api/")]


def main() -> None:
    """Print the book, and report the number of pages."""
    browser = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise SystemExit("make -C teaching pdf needs a Chromium; README says how to get one")
    writer = PdfWriter()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        tab = chromium.new_page(color_scheme="light")
        for path in pages():
            tab.goto(path.as_uri())
            tab.evaluate("document.fonts.ready")
            title = tab.locator("h1").first.inner_text().strip(" #\n")
            printed = PdfReader(io.BytesIO(tab.pdf(**PRINT)))
            writer.append(printed, outline_item=title, import_outline=False)
        chromium.close()
    for page in writer.pages:
        links = [entry.get_object() for entry in page.get("/Annots", [])]
        portable_links = [
            a for a in links if not str(a.get("/A", {}).get("/URI", "")).startswith("file:")
        ]
        page[NameObject("/Annots")] = ArrayObject(portable_links)
    settings = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    writer.add_metadata({"/Title": settings["title"], "/Author": settings["author"]})
    writer.compress_identical_objects()
    writer.write(TARGET)
    print(f"{len(writer.pages)} pages: {TARGET}")


if __name__ == "__main__":
    main()
