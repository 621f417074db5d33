"""The book's address: one line sets it everywhere, and without it no link is broken."""

import json
import re
import shutil
import tomllib
from pathlib import Path

import nbformat
import pytest
import yaml
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

import address
from errlab_book import handout

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "tests" / "data" / "small_book"
HANDED = "notebooks/12_watching.ipynb"
REPOSITORY, SITE = "https://example.org/ida/errors", "https://example.org/errors/"


def test_what_nothing_builds_holds_the_address_of_the_configuration():
    assert [str(path) for path, old, new in address.files() if old != new] == []


@pytest.mark.slow
@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.nightly)])
def test_one_line_sets_the_address_everywhere_and_takes_it_out_again(step, tmp_path):
    """By day with every sixth notebook, and one that students get."""
    for name in ("README.md", "CITATION.cff", "pyproject.toml", "_config.yml", "_toc.yml"):
        shutil.copy(ROOT / name, tmp_path)
    pages = re.findall(r"(?:file|root): (\S+)", (ROOT / "_toc.yml").read_text("utf-8"))
    paths = [path for page in pages if (path := ROOT / f"{page}.ipynb").exists()]
    assert len(paths) > 30
    for path in {*paths[::step], ROOT / HANDED}:
        target = tmp_path / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)

    def texts_at(repository, site):
        config = tmp_path / "_config.yml"
        text = re.sub(r'(?<=\n  url: )"[^"]*"', f'"{repository}"', config.read_text("utf-8"))
        text = re.sub(r"\n  (?:# )?baseurl: \S+", f'\n  baseurl: "{site}"', text)
        config.write_text(text, "utf-8")
        texts = {path: new for path, _, new in address.files(tmp_path)}
        for path, text in texts.items():
            path.write_text(text, "utf-8")
        assert [path for path, old, new in address.files(tmp_path) if old != new] == []
        return texts

    before = texts_at("", "")
    github = ("https://github.com/NAME/REPOSITORY", "", "https://name.github.io/REPOSITORY/")
    for repository, baseurl, site in ((REPOSITORY, SITE, SITE), github):
        texts = texts_at(repository, baseurl)
        citation = yaml.safe_load(texts[tmp_path / "CITATION.cff"])
        assert (citation["repository-code"], citation["url"]) == (repository, site)
        assert f"]({site})" in texts[tmp_path / "README.md"]
        assert f'Repository = "{repository}"' in texts[tmp_path / "pyproject.toml"]
        notebooks = [path for path in before if path.suffix == ".ipynb"]
        assert len(notebooks) >= len(paths) // step
        for path in notebooks:
            cells = nbformat.reads(texts[path], as_version=4).cells
            page = path.relative_to(tmp_path).with_suffix(".html").as_posix()
            line = cells[0].source.splitlines()[2]
            assert line.startswith(f"[Read this page on the site]({site}{page})")
            assert len(cells) == len(json.loads(before[path])["cells"])
        # students get no way to the solutions
        for student in (False, True):
            handout.write(tmp_path / HANDED, tmp_path / "x", student=student)
            assert (site in (tmp_path / "x").read_text("utf-8")) is not student
    assert texts_at("", "") == before


OPTIONS = tomllib.loads((BOOK / "options.toml").read_text("utf-8"))


def build(folder, site, repository, student):
    """Build the small book at an address; return its pages by their paths."""
    shutil.copytree(BOOK, folder, dirs_exist_ok=True)
    shutil.copy(ROOT / "book" / "_static" / "favicon.svg", folder)
    conf = "def setup(app):\n    app.add_config_value('errlab_edition', 'reader', 'env')\n"
    (folder / "conf.py").write_text(conf)
    first = nbformat.v4.new_markdown_cell(
        f"# One\n\n[Read this page on the site]({site}pages/one.html) or elsewhere\n\nAnd then."
    )
    nbformat.write(nbformat.v4.new_notebook(cells=[first]), folder / "pages" / "one.ipynb")
    options = {name: value for name, value in OPTIONS.items() if name != "edition"}
    options |= {"html_baseurl": site, "errlab_edition": "student" if student else "reader"}
    options["html_theme_options"] = options["html_theme_options"] | {"repository_url": repository}
    out = folder / "out"
    with patch_docutils(folder), docutils_namespace():
        Sphinx(folder, folder, out, folder / ".trees", "html", options, status=None).build()
    pages = [*out.rglob("*.html"), *out.glob("*.xml")]
    return {path.relative_to(out).as_posix(): path.read_text("utf-8") for path in pages}


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("edition", OPTIONS["edition"], ids=lambda edition: edition["name"])
def test_an_edition_holds_what_leads_somewhere_and_nothing_else(edition, tmp_path):
    site = edition["site"]
    pages = build(tmp_path, site, edition["repository"], "student" in edition)
    for name, texts in edition["holds"].items():
        assert [text for text in texts if text not in pages[name]] == [], name
    for text in edition["lacks"]:
        assert [name for name, page in pages.items() if text in page] == [], text
    assert not {*edition["without"]} & {*pages}
    if "404.html" in pages:
        links = re.findall(r'href="([^"]*)"', pages["404.html"])
        assert links
        assert all(link.startswith(site) for link in links), "it is shown at any address"
