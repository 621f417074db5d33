"""The PDF: every link leads to its place, and a title page, contents, numbers and metadata."""

import io
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from pypdf import PdfReader

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from headless import CHROMIUM  # noqa: E402

import pdf  # noqa: E402
import publish  # noqa: E402

BOOK = ROOT / "_build" / "book.pdf"
pytestmark = [pytest.mark.site, pytest.mark.slow]

PAGE = '<!doctype html><html lang="en"><body><article><h1>{}</h1>{}</article></body></html>'
LOW = '<div style="height: 1500px"></div><h2 id="down">Far down</h2>'
ONE = """<p><a href="two.html">to two</a> <a href="two.html#down">to a place in two</a>
<a href="#low">to a place here</a> <a href="https://example.org/x">elsewhere</a>
<a href="api/index.html">to the API</a> <a href="data.csv">a download</a></p>
<div style="height: 1500px"></div><p id="low">Low here</p>"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    html = tmp_path / "html"
    (html / "book" / "api").mkdir(parents=True)
    (html / "book" / "one.html").write_text(PAGE.format("First page", ONE))
    (html / "book" / "two.html").write_text(PAGE.format("Second page", LOW))
    (html / "notebooks" / "de").mkdir(parents=True)
    (html / "notebooks" / "de" / "two_de.html").write_text(PAGE.format("Zweite Seite", ""))
    (html / "book" / "api" / "index.html").write_text(PAGE.format("API", ""))
    (tmp_path / "stage").mkdir()
    (tmp_path / "stage" / "_toc.yml").write_text(
        "root: book/one\nparts:\n- caption: A part\n  chapters:\n  - file: book/two\n"
        "    sections:\n    - file: notebooks/de/two_de\n"
        "  - file: book/api/index\n"
    )
    monkeypatch.setattr(pdf, "HTML", html)
    return html


@pytest.fixture
def tab(browser):
    page = browser.new_page(viewport={"width": pdf.WIDTH, "height": pdf.HEIGHT})
    page.emulate_media(media="print")
    yield page
    page.close()


def made(tab, *, api=False):
    writer, cut = pdf.book(tab, api)
    assert cut == []
    stream = io.BytesIO()
    writer.write(stream)
    return PdfReader(stream)


def followed(reader):
    """Return where each link leads: (page of the link, page, height) or (page, address)."""
    found = []
    for number, page in enumerate(reader.pages):
        for entry in page.get("/Annots", []):
            link = entry.get_object()
            assert link["/Subtype"] == "/Link"
            if "/Dest" in link:
                goal = link["/Dest"]
                target = reader.get_page_number(goal[0].get_object())
                assert target is not None
                found.append((number, target, float(goal[3])))
            else:
                found.append((number, str(link["/A"]["/URI"])))
    return found


@pytest.mark.skipif(CHROMIUM is None, reason="needs a Chromium")
def test_links_lead_to_their_places(tab, site):
    reader = made(tab)
    texts = [page.extract_text() for page in reader.pages]
    (one,) = (i for i, text in enumerate(texts) if text.startswith("First page"))
    (two,) = (i for i, text in enumerate(texts) if text.startswith("Second page"))
    links = followed(reader)
    assert [link[1] for link in links if link[0] == 1] == [one, two], "the contents"
    inside = [link for link in links if link[0] == one]
    assert ("https://example.org/x") in [link[1] for link in inside]
    whole, part, here = (link for link in inside if len(link) == 3)
    assert whole[1:] == (two, 842)
    assert "Far down" in texts[part[1]]
    assert part[2] < 842
    assert "Low here" in texts[here[1]]
    assert len(inside) == 4, "the API and the download are no part of it"
    assert not list(site.glob("pdf*"))


@pytest.mark.skipif(CHROMIUM is None, reason="needs a Chromium")
def test_what_is_not_in_it_is_on_the_site(tab, site, monkeypatch):
    known = publish.settings()
    known["html"]["baseurl"] = "https://ada.example/book"
    monkeypatch.setattr(publish, "settings", lambda: known)
    links = followed(made(tab))
    assert "https://ada.example/book/book/api/index.html" in [link[1] for link in links]
    assert "API" in "".join(page.extract_text() for page in made(tab, api=True).pages)


@pytest.mark.skipif(CHROMIUM is None, reason="needs a Chromium")
def test_it_has_a_title_page_contents_numbers_and_metadata(tab, site):
    reader = made(tab)
    known = publish.settings()
    assert reader.metadata.title == known["title"]
    assert reader.metadata.author == known["author"]
    assert reader.metadata.subject
    assert reader.trailer["/Root"]["/Lang"] == "en"
    texts = [page.extract_text() for page in reader.pages]
    assert known["title"] in texts[0]
    assert texts[1].startswith("Contents")
    for number, text in enumerate(texts[1:], 2):
        assert text.rstrip().endswith(str(number))
    for line in texts[1].splitlines():
        if line.startswith(("First", "Second")):
            title, number = line.rsplit(" ", 1)
            assert texts[int(number) - 1].startswith(title.strip())
    assert [entry.title for entry in reader.outline] == [
        known["title"],
        "First page",
        "Second page",
    ]


@pytest.mark.skipif(not BOOK.exists(), reason="needs the PDF (make pdf)")
def test_every_link_of_the_book_leads_somewhere():
    reader = PdfReader(BOOK)
    links = followed(reader)
    addresses = [link[1] for link in links if len(link) == 2]
    assert {urlsplit(address).scheme for address in addresses} <= {"http", "https", "mailto"}
    texts = [" ".join(page.extract_text().split()) for page in reader.pages]
    contents = [link for link in links if len(link) == 3 and link[0] < 4 and link[2] >= 842]
    assert len(contents) > 20
    for entry in reader.outline[1:]:
        number = reader.get_destination_page_number(entry)
        assert any(link[1] == number for link in contents), entry.title
        assert texts[number].startswith(entry.title.split()[0])
    assert len(links) > 200
    raw = BOOK.read_bytes()
    assert b"file://" not in raw
    assert str(ROOT).encode() not in raw
