"""A stored picture is next to its record, belongs to it, and is a small file."""

import base64
import io
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import pytest
from our_chapters import CHAPTERS, is_ours
from PIL import Image, ImageDraw

import notebooks
from errlab_book.figures import checksum
from errlab_book.figures._show import WIDTH, pixels, png

ROOT = Path(__file__).parents[1]
FOLDERS = ("notebooks", "book", "teaching/decks")
NOTEBOOKS = [p for folder in FOLDERS for p in (ROOT / folder).rglob("*.ipynb") if is_ours(p)]


def stored(path):
    """The outputs of a notebook that hold a picture, and its first output."""
    cells = nbformat.read(path, as_version=4).cells
    outputs = [output.get("data", {}) for cell in cells for output in cell.get("outputs", [])]
    return [data for data in outputs if "image/png" in data], outputs[:1]


def fault(picture, record):
    """Return why a picture doesn't belong to a record; empty if it does."""
    if picture.text.get("record") != checksum(record):
        return "it belongs to another record"
    if picture.text.get("pixels") != pixels(picture):
        return "it was painted over"
    if picture.width != WIDTH or picture.convert("L").getpixel((0, 0)) != 255:
        return "it is not as wide as the others, or not on white paper"
    return ""


@pytest.mark.slow
def test_a_picture_belongs_to_the_record_beside_it_and_is_small():
    """The first output of a chapter is a picture that raises its question; all are below 4 MB."""
    size = 0
    for path in NOTEBOOKS:
        pictures, first = stored(path)
        assert path not in CHAPTERS or first == pictures[:1], path.stem
        for data in pictures:
            size += len(data["image/png"])
            picture = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
            assert fault(picture, data["text/plain"]) == "", (path, data["text/plain"])
    assert size < 4e6


def test_another_picture_and_one_that_was_painted_over_are_found():
    figure, ax = plt.subplots()
    ax.plot([0, 1])
    picture = Image.open(io.BytesIO(png(figure, checksum("record"))))
    plt.close(figure)
    assert fault(picture, "record") == ""
    assert "another" in fault(picture, "another record")
    ImageDraw.Draw(picture).line((100, 100, 300, 100), fill=1)
    assert "painted" in fault(picture, "record")


def test_the_table_of_chapters_shows_each_with_its_first_picture():
    """After a change of a question, a title or a picture, `make notebooks` stores it again."""
    wanted = notebooks.overview()
    stale = [path.name for path, content in wanted.items() if path.read_bytes() != content]
    assert stale == []
    assert {*(ROOT / "notebooks" / "pictures").iterdir()} < {*wanted}
