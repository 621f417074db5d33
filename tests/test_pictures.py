"""A stored picture stands beside its record, belongs to it, and is small and light."""

import base64
import io
from pathlib import Path

import nbformat
from PIL import Image

from errlab.book.figures import checksum

ROOT = Path(__file__).parents[1]


def stored():
    for path in sorted([*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("book/**/*.ipynb")]):
        for cell in nbformat.read(path, as_version=4).cells:
            for output in cell.get("outputs", []):
                if "image/png" in output.get("data", {}):
                    yield path.stem, output.data


def test_a_picture_belongs_to_the_record_beside_it():
    for name, data in stored():
        picture = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
        assert picture.text["record"] == checksum(data["text/plain"]), (name, data["text/plain"])
        assert picture.width == 600
        assert picture.convert("L").getpixel((0, 0)) == 255  # white paper


def test_all_pictures_together_are_below_4_mb():
    assert sum(len(data["image/png"]) for _, data in stored()) < 4e6
