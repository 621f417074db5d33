"""What `make lab` hands out: a folder of chapters in which each link leads somewhere."""

import re
from urllib.parse import urlsplit

import nbformat
from browser import ROOT

from errlab_book import handout


def test_no_link_of_a_copy_is_dead(tmp_path):
    handout.main([str(ROOT / "notebooks"), str(tmp_path)])
    copies = sorted(tmp_path.glob("*.ipynb"))
    links = [
        link
        for path in copies
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "markdown"
        for link in re.findall(r"\]\(([^)\s]+)\)", cell.source)
        if not urlsplit(link).scheme
    ]
    assert len(copies) >= 16
    assert len(links) > 50
    assert [link for link in links if not (tmp_path / (urlsplit(link).path or ".")).exists()] == []
