"""The PDF of the book, if ``make -C teaching pdf`` has made it."""

from pathlib import Path

import pytest
from pypdf import PdfReader

import student

BOOK = Path(__file__).parents[2] / "_build" / "book.pdf"


@pytest.mark.site
@pytest.mark.skipif(not BOOK.exists(), reason="needs the PDF")
def test_the_pdf_holds_the_chapters_and_no_path_of_this_machine():
    book = PdfReader(BOOK)
    pages = book.pages
    assert book.metadata.title == "How well will it do?"
    assert book.metadata.author
    text = " ".join(page.extract_text() for page in pages)
    names = [path.stem for path in student.listed()]
    assert len(pages) > 3 * len(names)
    assert all(name.split("_")[-1] in text.lower() for name in names)
    links = [link.get_object() for page in pages for link in page.get("/Annots", [])]
    assert len(links) > 200
    assert b"file://" not in BOOK.read_bytes()
