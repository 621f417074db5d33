"""Notebooks are stored, listed in the table of chapters, and taken out again.

Storing stops if displaying a result fails, and names the cell and the error.
"""

import nbformat
import pytest
import yaml
from nbformat.v4 import new_code_cell as code
from nbformat.v4 import new_markdown_cell as text

import notebooks

BAD = """
class Bad:
    def _ipython_display_(self):
        raise ValueError("no picture")
Bad()
"""


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    """The path of a chapter in a folder with nothing of ours."""
    for name, folder in (("PICTURES", "notebooks/pictures"), ("RECORDS", "tests/records")):
        (tmp_path / folder).mkdir(parents=True)
        monkeypatch.setattr(notebooks, name, tmp_path / folder)
    monkeypatch.setattr(notebooks, "ROOT", tmp_path)
    (tmp_path / "notebooks" / "README.md").write_text("# Chapters\n", "utf-8")
    listed = [{"caption": "Own", "chapters": [{"file": "notebooks/17_own"}]}]
    (tmp_path / "_toc.yml").write_text(yaml.safe_dump({"parts": listed}), "utf-8")
    return tmp_path / "notebooks" / "17_own.ipynb"


def write(chapter, *cells):
    nbformat.write(nbformat.v4.new_notebook(cells=cells), chapter)


@pytest.mark.slow
def test_what_cannot_show_itself_stops_it_with_cell_and_error(chapter):
    write(chapter, text("text"), code(BAD))
    with pytest.raises(RuntimeError, match=r"17_own\.ipynb, cell 1: ValueError: no picture"):
        notebooks.run(chapter)


def test_the_table_takes_any_notebook(chapter):
    for cells, row in (
        ([text("# 17. Own\n\n**Who\nwins?**\n\nA.")], "[17. Own](17_own.ipynb)<br>Who wins?"),
        ([text("# Own\n\n**Needed:** part 1.")], "[Own](17_own.ipynb)"),
        ([code("import numpy"), text("Hello."), text("# Own")], "[Own](17_own.ipynb)"),
        ([text("# P(A | B)")], "[P(A &#124; B)](17_own.ipynb)"),
        ([code("1")], "[17_own](17_own.ipynb)"),
        ([], "[17_own](17_own.ipynb)"),
    ):
        write(chapter, *cells)
        table = notebooks.overview()[chapter.with_name("README.md")].decode()
        assert table.splitlines()[-1] == f"|  | {row} |"


def test_a_deleted_chapter_is_taken_out_of_the_table_with_its_files(chapter):
    readme, toc = chapter.with_name("README.md"), notebooks.ROOT / "_toc.yml"
    stored = toc.read_text("utf-8")
    picture = nbformat.v4.new_output("display_data", data={"image/png": "iVBORw0KGgo="})
    for outputs in ([picture], []):
        write(chapter, text("# Own"), code("1", outputs=outputs))
        toc.write_text(stored, "utf-8")
        for path, content in notebooks.overview().items():
            path.write_bytes(content)
        assert len([*notebooks.PICTURES.iterdir()]) == len(outputs)
        chapter.unlink()
        with pytest.raises(SystemExit, match=r"_toc\.yml lists it; delete its line there"):
            notebooks.main([str(chapter)])
        toc.write_text("parts: []\n", "utf-8")
        notebooks.main([str(chapter)])
        assert readme.read_text("utf-8") == "# Chapters\n"
        assert [*notebooks.PICTURES.iterdir()] == []
        with pytest.raises(SystemExit, match=r"17_own\.ipynb doesn't exist, .* check its name"):
            notebooks.main([str(chapter)])
