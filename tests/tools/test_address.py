"""The book's address: one line sets it everywhere, and without it no link is broken."""

import json
import re
import shutil
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import nbformat
import pytest
import yaml
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

import address
from errlab_book import handout

ROOT = Path(__file__).parents[2]
REPOSITORY, SITE = "https://example.org/ida/errors", "https://example.org/errors/"


def test_what_nothing_builds_holds_the_address_of_the_configuration():
    assert [str(path) for path, old, new in address.files() if old != new] == []


@pytest.mark.slow
def test_one_line_sets_the_address_everywhere_and_takes_it_out_again(tmp_path):
    for name in ("README.md", "CITATION.cff", "pyproject.toml", "_config.yml", "_toc.yml"):
        shutil.copy(ROOT / name, tmp_path)
    for path in [path for path, *_ in address.files() if path.suffix == ".ipynb"]:
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
        assert len(notebooks) > 30
        for path in notebooks:
            cells = nbformat.reads(texts[path], as_version=4).cells
            page = path.relative_to(tmp_path).with_suffix(".html").as_posix()
            line = cells[0].source.splitlines()[2]
            assert line.startswith(f"[Read this page on the site]({site}{page})")
            assert len(cells) == len(json.loads(before[path])["cells"])
        # students get no way to the solutions
        for student in (False, True):
            handout.write(tmp_path / "notebooks/12_watching.ipynb", tmp_path / "x", student=student)
            assert (site in (tmp_path / "x").read_text("utf-8")) is not student
    assert texts_at("", "") == before


def build(folder, repository, site, edition="reader"):
    """Build the small book at an address; return its pages by their paths."""
    shutil.copytree(ROOT / "tests" / "data" / "small_book", folder, dirs_exist_ok=True)
    shutil.copy(ROOT / "book" / "_static" / "favicon.svg", folder)
    conf = "def setup(app):\n    app.add_config_value('errlab_edition', 'reader', 'env')\n"
    (folder / "conf.py").write_text(conf)
    first = nbformat.v4.new_markdown_cell(
        f"# One\n\n[Read this page on the site]({site}pages/one.html) or elsewhere\n\nAnd then."
    )
    nbformat.write(nbformat.v4.new_notebook(cells=[first]), folder / "pages" / "one.ipynb")
    options = tomllib.loads((folder / "options.toml").read_text("utf-8"))
    options |= {"html_baseurl": site, "errlab_edition": edition}
    options["html_theme_options"]["repository_url"] = repository
    out = folder / "out"
    with patch_docutils(folder), docutils_namespace():
        Sphinx(folder, folder, out, folder / ".trees", "html", options, status=None).build()
    pages = [*out.rglob("*.html"), *out.glob("*.xml")]
    return {path.relative_to(out).as_posix(): path.read_text("utf-8") for path in pages}


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_book_with_an_address_has_buttons_cards_a_sitemap_and_a_page_for_what_is_lost(tmp_path):
    pages = build(tmp_path, REPOSITORY, SITE)
    page = pages["pages/one.html"]
    assert f'"{REPOSITORY}"' in page
    assert "https://mybinder.org/v2/git/https%3A//example.org/ida/errors/main" in page
    assert f'<link rel="canonical" href="{SITE}pages/one.html"' in page
    assert f'content="{SITE}_static/story.png"' in page
    assert "Read this page on the site" not in page
    assert "And then." in page
    for wanted in ("og:title", "og:image", "url=pages/front.html", 'rel="icon"', "canonical"):
        assert wanted in pages["index.html"]
    links = re.findall(r'href="([^"]*)"', pages["404.html"])
    assert links
    assert all(link.startswith(SITE) for link in links), "it is shown at any address"
    places = [e.text for e in ET.fromstring(pages["sitemap.xml"].encode()).iter() if not len(e)]
    assert places == [f"{SITE}pages/front.html", f"{SITE}pages/one.html", f"{SITE}pages/two.html"]
    assert {place.removeprefix(SITE) for place in places} < {*pages}


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_book_without_an_address_has_nothing_that_leads_there(tmp_path):
    pages = build(tmp_path, "", "")
    for name, text in pages.items():
        for word in ("mybinder", "canonical", "og:image", "og:url", "source-repository-button"):
            assert word not in text, name
    assert not {"404.html", "sitemap.xml"} & {*pages}
    assert 'rel="icon"' in pages["index.html"]
    assert "url=pages/front.html" in pages["index.html"]


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_the_students_edition_lives_in_its_folder_and_leads_to_no_solution(tmp_path):
    page = build(tmp_path, REPOSITORY, SITE, edition="student")["pages/one.html"]
    assert f'href="{SITE}student/pages/one.html"' in page
    assert REPOSITORY not in page
