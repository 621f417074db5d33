"""Notebooks are stored, listed in the table of chapters, and taken out again.

Storing stops if displaying a result fails, and names the cell and the error.
"""

import nbformat
import pytest
import yaml

import notebooks

BAD = """
class Bad:
    def _ipython_display_(self):
        raise ValueError("no picture")
Bad()
"""


@pytest.mark.slow
def test_what_cannot_show_itself_stops_it_with_cell_and_error(tmp_path):
    cells = [nbformat.v4.new_markdown_cell("text"), nbformat.v4.new_code_cell(BAD)]
    path = tmp_path / "bad.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    with pytest.raises(RuntimeError, match=r"bad\.ipynb, cell 1: ValueError: no picture"):
        notebooks.run(path)


@pytest.fixture
def fork(tmp_path, monkeypatch):
    """A folder with chapters of its own, and nothing of ours."""
    for folder in ("notebooks/pictures", "tests/records"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "notebooks" / "README.md").write_text("# Chapters\n", "utf-8")
    monkeypatch.setattr(notebooks, "ROOT", tmp_path)
    monkeypatch.setattr(notebooks, "RECORDS", tmp_path / "tests" / "records")
    monkeypatch.setattr(notebooks, "PICTURES", tmp_path / "notebooks" / "pictures")
    return tmp_path


def write(fork, *cells):
    """Write and list one chapter, 17_own; return its row of the table."""
    path = fork / "notebooks" / "17_own.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    listed = [{"caption": "Own", "chapters": [{"file": "notebooks/17_own"}]}]
    (fork / "_toc.yml").write_text(yaml.safe_dump({"parts": listed}), "utf-8")
    table = notebooks.overview()[fork / "notebooks" / "README.md"].decode()
    return table.splitlines()[-1]


text, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell


@pytest.mark.parametrize(
    ("cells", "row"),
    [
        ([text("# 17. Own\n\n**Who\nwins?**\n\nA.")], "[17. Own](17_own.ipynb)<br>Who wins?"),
        ([text("# Own\n\n**Needed:** part 1.")], "[Own](17_own.ipynb)"),
        ([code("import numpy"), text("Hello."), text("# Own")], "[Own](17_own.ipynb)"),
        ([text("# P(A | B)")], "[P(A &#124; B)](17_own.ipynb)"),
        ([code("1")], "[17_own](17_own.ipynb)"),
        ([], "[17_own](17_own.ipynb)"),
    ],
)
def test_the_table_takes_any_notebook(fork, cells, row):
    assert write(fork, *cells) == f"|  | {row} |"


@pytest.mark.parametrize("picture", [True, False])
def test_a_deleted_chapter_is_taken_out_of_the_table_with_its_files(fork, picture):
    picture_output = nbformat.v4.new_output("display_data", data={"image/png": "iVBORw0KGgo="})
    cell = code("1", outputs=[picture_output] * picture)
    write(fork, text("# Own"), cell)
    for path, content in notebooks.overview().items():
        path.write_bytes(content)
    chapter = fork / "notebooks" / "17_own.ipynb"
    chapter.unlink()
    with pytest.raises(SystemExit, match=r"_toc\.yml lists it; delete its line there"):
        notebooks.main([str(chapter)])
    (fork / "_toc.yml").write_text("parts: []\n", "utf-8")
    notebooks.main([str(chapter)])
    assert (fork / "notebooks" / "README.md").read_text("utf-8") == "# Chapters\n"
    assert [*(fork / "notebooks" / "pictures").iterdir()] == []
    with pytest.raises(SystemExit, match=r"17_own\.ipynb doesn't exist, .* check its name"):
        notebooks.main([str(chapter)])
