"""Print the built book as one PDF by headless Chromium: ``python tools/pdf.py [--api]``.

A title page and the contents come first; every page has its number; links between the pages of the
book, and inside one, lead to the place in the PDF. A link to what is not in it leads to the site,
where its address is set, and is plain text otherwise. The API is left out, unless asked for.
"""

from __future__ import annotations

import html
import html.parser
import io
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urljoin, urlsplit

import yaml
from playwright.sync_api import Page, sync_playwright
from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.annotations import Link
from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject, TextStringObject

import chromium
import publish

ROOT = Path(__file__).resolve().parent.parent
HTML = Path(os.environ.get("ERRLAB_SITE") or ROOT / "_build" / "html")
TARGET = Path(os.environ.get("ERRLAB_PDF") or ROOT / "_build" / "book.pdf")
SCALE = 0.85  # of the print
MARGIN = 15  # mm
WIDTH = int((210 - 2 * MARGIN) / SCALE * 96 / 25.4)  # of the text on an A4 page, in CSS pixels
HEIGHT = int((297 - 2 * MARGIN) / SCALE * 96 / 25.4)
CUT = """([width, height]) => [...document.querySelectorAll('article :is(svg, table, pre, math)')]
  .map(e => [e, e.getBoundingClientRect()])
  .filter(([e, box]) => box.right > width + 1 || (e.tagName === 'svg' && box.height > height))
  .map(([e, box]) => `${e.tagName} ${Math.round(box.right)} x ${Math.round(box.height)}: `
    + e.textContent.trim().slice(0, 40))"""
# Chromium writes a destination for each place that a link of its page names, shown or not.
NAME = """names => {
  const box = document.createElement('div');
  box.style.display = 'none';
  for (const name of names) {
    const link = document.createElement('a');
    link.href = '#' + name;
    box.append(link);
  }
  document.body.append(box);
}"""
FRONT = """<!doctype html><html lang="en"><head><meta charset="utf-8"><style>
body {{ font: 12pt/1.5 "DejaVu Sans", sans-serif; margin: 0; }}
.title {{ height: 230mm; break-after: page; padding-top: 60mm; box-sizing: border-box; }}
h1 {{ font-size: 30pt; }} a {{ color: inherit; text-decoration: none; display: flex; }}
h2 {{ font-size: 11pt; margin: 14pt 0 4pt; }} li {{ margin: 2pt 0; }}
ol {{ list-style: none; margin: 0; padding: 0; }}
i {{ flex: 1; border-bottom: 1px dotted #999; margin: 0 4pt 4pt; }}
</style></head><body><div class="title"><h1>{title}</h1><p>{author}</p><p>{words}</p>
<p>{version}</p></div><div class="contents"><h1>Contents</h1>{contents}</div></body></html>"""
FOREIGN = re.compile(r"notebooks/[a-z]{2}/")
NUMBERS = """<!doctype html><meta charset="utf-8"><style>@page {{ size: A4; margin: 0 }}
body {{ margin: 0; font: 9pt "DejaVu Sans", sans-serif; color: #444 }}
div {{ height: 297mm; position: relative; break-after: page; overflow: hidden }}
span {{ position: absolute; bottom: 7mm; width: 100%; text-align: center }}</style>{pages}"""


@dataclass
class Part:
    """A page of the site: its name, its title, and its print."""

    name: str
    title: str
    pdf: bytes
    caption: str = ""


def order(api: bool = False) -> list[tuple[str, str]]:
    """Return the built pages, each with the part it is in, in the order of the contents.

    A chapter in another language stays on the site.
    """
    places = (HTML.parent / "stage" / "_toc.yml", ROOT / "_toc.yml")
    toc = yaml.safe_load(next(filter(Path.exists, places)).read_text("utf-8"))
    files = [(toc["root"], "")]
    for part in toc["parts"]:
        for chapter in part["chapters"]:
            sections = [section["file"] for section in chapter.get("sections", [])]
            files += [(name, part["caption"]) for name in (chapter["file"], *sections)]
    kept = [
        file
        for file in files
        if (api or not file[0].startswith("book/api/")) and not FOREIGN.match(file[0])
    ]
    return [(name, caption) for name, caption in kept if (HTML / f"{name}.html").exists()]


def place(url: str) -> tuple[str, str] | None:
    """Return the page of the book that an address leads to, and the place on it; None elsewhere."""
    parts = urlsplit(url)
    path = Path(unquote(parts.path))
    if parts.scheme != "file" or not path.is_relative_to(HTML) or path.suffix != ".html":
        return None
    return path.relative_to(HTML).with_suffix("").as_posix(), unquote(parts.fragment)


def links(path: Path) -> list[str]:
    """Return the addresses that a page links to."""
    found = []

    class Reader(html.parser.HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag == "a":
                found.extend(value for name, value in attrs if name == "href" and value)

    Reader().feed(path.read_text("utf-8"))
    return [urljoin(path.as_uri(), address) for address in found]


def printed(tab: Page) -> bytes:
    """Return what the tab shows as a PDF."""
    edges = dict.fromkeys(("top", "bottom", "left", "right"), f"{MARGIN}mm")
    return tab.pdf(format="A4", print_background=True, scale=SCALE, margin=edges)


def parts(tab: Page, files: list[tuple[str, str]]) -> tuple[list[Part], list[str]]:
    """Print each page of the site; return the prints, and what does not fit on the paper."""
    wanted: dict[str, set[str]] = {name: set() for name, _ in files}
    for name, _ in files:
        for found in filter(None, map(place, links(HTML / f"{name}.html"))):
            if found[0] in wanted and found[1]:
                wanted[found[0]].add(found[1])
    made = []
    cut = []
    for name, caption in files:
        tab.goto((HTML / f"{name}.html").as_uri())
        tab.evaluate("document.fonts.ready")
        cut += [f"{name}: {what}" for what in tab.evaluate(CUT, [WIDTH, HEIGHT])]
        tab.evaluate(NAME, sorted(wanted[name]))
        title = tab.locator("h1").first.inner_text().strip(" #\n")
        made.append(Part(name, title, printed(tab), caption))
    return made, cut


def front(tab: Page, made: list[Part], starts: dict[str, int]) -> bytes:
    """Print the title page and the contents."""
    known = publish.settings()
    cited = publish.citation()
    lines = []
    caption = ""
    for part in made:
        if part.caption != caption:
            caption = part.caption
            lines.append(f"</ol><h2>{html.escape(caption)}</h2><ol>")
        address = (HTML / f"{part.name}.html").as_uri()
        number = starts[part.name] + 1
        title = html.escape(part.title)
        lines.append(f'<li><a href="{address}">{title}<i></i>{number}</a></li>')
    words = (known.get("course") or {}).get("description") or ""
    page = FRONT.format(
        title=html.escape(known["title"]),
        author=html.escape(known["author"]),
        words=html.escape(words),
        version=f"Version {html.escape(cited['version'])}, {html.escape(cited['date'])}",
        contents=f"<ol>{''.join(lines)}</ol>",
    )
    # a page of its own would be no file, and its links would be dropped
    target = HTML / "pdf-front.html"
    target.write_text(page, "utf-8")
    try:
        tab.goto(target.as_uri())
        return printed(tab)
    finally:
        target.unlink()


def numbers(tab: Page, count: int) -> PdfReader:
    """Print pages that are empty but for their numbers."""
    tab.set_content(
        NUMBERS.format(pages="".join(f"<div><span>{i + 1}</span></div>" for i in range(count)))
    )
    return PdfReader(io.BytesIO(tab.pdf(prefer_css_page_size=True)))


def where(annotation: DictionaryObject) -> tuple[str, Any]:
    """Return what a link of Chromium leads to: ("uri", address), ("name", name) or ("", None)."""
    action = annotation.get("/A", {})
    if "/URI" in action:
        return "uri", str(action["/URI"])
    goal = annotation.get("/Dest", action.get("/D"))
    return ("name", str(goal).removeprefix("/")) if goal is not None else ("", None)


def join(prints: list[Part], site: str) -> PdfWriter:
    """Join the prints into one document whose links lead to pages of it."""
    writer = PdfWriter()
    starts: dict[str, int] = {}
    spots: dict[tuple[str, str], tuple[int, float]] = {}
    links: list[tuple[int, PageObject, str]] = []
    for part in prints:
        reader = PdfReader(io.BytesIO(part.pdf))
        starts[part.name] = len(writer.pages)
        for name, goal in reader.named_destinations.items():
            number = reader.get_destination_page_number(goal)
            top = float(goal.top) if goal.top is not None else 842.0
            if number is not None:
                spots[part.name, name.removeprefix("/")] = (starts[part.name] + number, top)
        for page in reader.pages:
            added = writer.add_page(page)
            links.append((len(writer.pages) - 1, added, part.name))
    for number, page, name in links:
        old = [entry.get_object() for entry in page.get("/Annots", [])]
        page[NameObject("/Annots")] = ArrayObject()
        for annotation in old:
            if annotation.get("/Subtype") != "/Link":
                continue
            kind, goal = where(annotation)
            found = (
                (name, unquote(goal)) if kind == "name" else place(goal) if kind == "uri" else None
            )
            target = spots.get(found) if found else None
            if target is None and found and found[0] in starts:
                target = (starts[found[0]], 842.0)
            rectangle = [float(x) for x in annotation["/Rect"]]
            if target is not None:
                aim(writer, number, rectangle, *target)
            elif found and site:
                address = f"{site}{found[0]}.html" + (f"#{found[1]}" if found[1] else "")
                writer.add_annotation(number, Link(rect=tuple(rectangle), url=address))
            elif kind == "uri" and urlsplit(goal).scheme in ("http", "https", "mailto"):
                writer.add_annotation(number, Link(rect=tuple(rectangle), url=goal))
    for part in prints:
        writer.add_outline_item(title=part.title, page_number=starts[part.name])
    return writer


def aim(writer: PdfWriter, number: int, box: list[float], page: int, top: float) -> None:
    """Add a link that leads to a height on a page."""
    goal = ArrayObject(
        [
            writer.pages[page].indirect_reference,
            NameObject("/XYZ"),
            FloatObject(0),
            FloatObject(top),
            FloatObject(0),
        ]
    )
    link = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Annot"),
            NameObject("/Subtype"): NameObject("/Link"),
            NameObject("/Rect"): ArrayObject(FloatObject(x) for x in box),
            NameObject("/Border"): ArrayObject(FloatObject(0) for _ in range(3)),
            NameObject("/Dest"): goal,
        }
    )
    known = cast(ArrayObject, writer.pages[number]["/Annots"])
    known.append(writer._add_object(link))


def book(tab: Page, api: bool) -> tuple[PdfWriter, list[str]]:
    """Print the whole book; return it, and what does not fit on the paper."""
    made, cut = parts(tab, order(api))
    sizes = {part.name: len(PdfReader(io.BytesIO(part.pdf)).pages) for part in made}
    starts: dict[str, int] = {}
    first = 0
    pages = 0
    for _ in range(3):  # the contents must know how long they are themselves
        at = first
        for name, size in sizes.items():
            starts[name] = at
            at += size
        opening = front(tab, made, starts)
        pages = len(PdfReader(io.BytesIO(opening)).pages)
        if pages == first:
            break
        first = pages
    known = publish.settings()
    cited = publish.citation()
    writer = join([Part("", known["title"], opening), *made], publish.addresses(known)["site"])
    for page, number in zip(
        writer.pages[1:], numbers(tab, len(writer.pages)).pages[1:], strict=True
    ):
        page.merge_page(number)
    writer.add_metadata(
        {
            "/Title": known["title"],
            "/Author": known["author"],
            "/Subject": (known.get("course") or {}).get("description") or "",
            "/Keywords": ", ".join(cited["keywords"]),
        }
    )
    language = known["sphinx"]["config"].get("language", "en")
    writer.root_object[NameObject("/Lang")] = TextStringObject(language)
    return writer, cut


def main(arguments: list[str]) -> int:
    """Print the book and say how many pages there are."""
    if not HTML.exists():
        raise SystemExit("build the book first: make book")
    found = chromium.find()
    if found is None:
        raise SystemExit("make pdf needs a Chromium; README says how to get one")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(chromium.FLAGS))
        tab = browser.new_page(color_scheme="light", viewport={"width": WIDTH, "height": HEIGHT})
        tab.emulate_media(media="print")
        writer, cut = book(tab, "--api" in arguments)
        browser.close()
    writer.compress_identical_objects()
    writer.write(TARGET)
    print(f"{len(writer.pages)} pages: {TARGET}", *cut, sep="\n  cut off: ")
    return bool(cut)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
