"""The book's address: one line sets it everywhere, and without it no link is broken."""

import json
import re
import shutil
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import nbformat
import pytest
import yaml

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import address  # noqa: E402
from errlab_address import site_of  # noqa: E402

REPOSITORY, SITE = "https://example.org/ida/errors", "https://example.org/errors/"


@pytest.mark.parametrize(
    ("repository", "site"),
    [
        ("https://github.com/NAME/REPOSITORY", "https://name.github.io/REPOSITORY/"),
        ("https://github.com/NAME/NAME.github.io", "https://name.github.io/"),
        ("https://gitlab.com/NAME/REPOSITORY", "https://name.gitlab.io/REPOSITORY/"),
        (REPOSITORY, ""),
        ("", ""),
    ],
)
def test_site_of_knows_where_a_host_publishes(repository, site):
    assert site_of(repository) == site


def test_what_nothing_builds_holds_the_address_of_the_configuration():
    assert [str(path) for path, old, new in address.files() if old != new] == []


@pytest.fixture
def fork(tmp_path):
    """A copy of the files with the address, and a function that sets it there."""
    for name in ("README.md", "CITATION.cff", "pyproject.toml", "_config.yml", "_toc.yml"):
        shutil.copy(ROOT / name, tmp_path)
    for path, _, _ in address.files():
        if path.suffix == ".ipynb":
            target = tmp_path / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)

    def live_at(repository, site=""):
        config = tmp_path / "_config.yml"
        text = re.sub(r'(?<=\n  url: )"[^"]*"', f'"{repository}"', config.read_text("utf-8"))
        text = re.sub(r"\n  (?:# )?baseurl: \S+", f'\n  baseurl: "{site}"', text)
        config.write_text(text, "utf-8")
        for path, _, new in address.files(tmp_path):
            path.write_text(new, "utf-8")

    return tmp_path, live_at


@pytest.mark.parametrize(
    ("repository", "site"), [(REPOSITORY, SITE), ("https://github.com/NAME/REPOSITORY", "")]
)
def test_one_line_sets_the_address_everywhere_and_takes_it_out_again(fork, repository, site):
    folder, live_at = fork
    live_at("")
    before = {path: path.read_bytes() for path, _, _ in address.files(folder)}
    live_at(repository, site)
    site = site or site_of(repository)
    citation = yaml.safe_load((folder / "CITATION.cff").read_text("utf-8"))
    assert (citation["repository-code"], citation["url"]) == (repository, site)
    assert f"]({site})" in (folder / "README.md").read_text("utf-8")
    assert f'Repository = "{repository}"' in (folder / "pyproject.toml").read_text("utf-8")
    notebooks = [path for path in before if path.suffix == ".ipynb"]
    assert len(notebooks) > 30
    for path in notebooks:
        opened = nbformat.read(path, as_version=4)
        page = path.relative_to(folder).with_suffix(".html").as_posix()
        assert (
            opened.cells[0]
            .source.splitlines()[2]
            .startswith(f"[Read this page on the site]({site}{page})")
        )
        assert len(opened.cells) == len(json.loads(before[path])["cells"])
    assert [path for path, old, new in address.files(folder) if old != new] == []
    live_at("")
    assert {path: path.read_bytes() for path in before} == before


def test_students_get_no_way_to_the_solutions(fork, tmp_path):
    from errlab_book import handout

    folder, live_at = fork
    live_at(REPOSITORY, SITE)
    chapter = folder / "notebooks" / "12_watching.ipynb"
    for student in (False, True):
        handout.write(chapter, tmp_path / "given.ipynb", student=student)
        assert ("example.org" in (tmp_path / "given.ipynb").read_text("utf-8")) is not student


CONF = """
extensions = ["myst_nb", "sphinx_external_toc", "sphinx_book_theme", "sphinxext.opengraph",
              "errlab_address"]
external_toc_path = "_toc.yml"
html_theme = "sphinx_book_theme"
html_title = "How well?"
html_favicon = "favicon.svg"
html_baseurl = "{site}"
ogp_social_cards = {{"enable": False}}
nb_execution_mode = "off"
html_theme_options = {{"repository_url": "{repository}", "repository_branch": "main",
    "path_to_docs": "",
    "launch_buttons": {{"binderhub_url": "https://mybinder.org", "thebe": False}}}}
errlab_edition = "{edition}"


def setup(app):
    app.add_config_value("errlab_edition", "reader", "env")
"""


def build(folder, repository, site, edition="reader"):
    """Build a book of two pages; return its folder."""
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    (folder / "pages").mkdir(parents=True)
    shutil.copy(ROOT / "book" / "_static" / "favicon.svg", folder)
    (folder / "_toc.yml").write_text(
        "format: jb-book\nroot: pages/front\nchapters:\n  - file: pages/one\n  - file: pages/two\n"
    )
    (folder / "pages" / "front.md").write_text("# Front\n\nHow well will it do?\n")
    # an empty cell of a table is a paragraph without children
    (folder / "pages" / "two.md").write_text("# Two\n\n| a | b |\n| - | - |\n| | |\n\n[]()\n")
    first = nbformat.v4.new_markdown_cell(
        f"# One\n\n[Read this page on the site]({site}pages/one.html) or elsewhere\n\nAnd then."
    )
    nbformat.write(nbformat.v4.new_notebook(cells=[first]), folder / "pages" / "one.ipynb")
    conf = CONF.format(repository=repository, site=site, edition=edition)
    (folder / "conf.py").write_text(conf)
    with patch_docutils(folder), docutils_namespace():
        app = Sphinx(folder, folder, folder / "out", folder / ".trees", "html", status=None)
        app.build()
    return folder / "out"


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_book_with_an_address_has_buttons_cards_a_sitemap_and_a_page_for_what_is_lost(tmp_path):
    out = build(tmp_path / "book", REPOSITORY, SITE)
    page = (out / "pages" / "one.html").read_text("utf-8")
    assert f'"{REPOSITORY}"' in page
    assert "https://mybinder.org/v2/git/https%3A//example.org/ida/errors/main" in page
    assert f'<link rel="canonical" href="{SITE}pages/one.html"' in page
    assert f'content="{SITE}_static/story.png"' in page
    assert "Read this page on the site" not in page
    assert "And then." in page
    root = (out / "index.html").read_text("utf-8")
    for wanted in ("og:title", "og:image", "url=pages/front.html", 'rel="icon"', "canonical"):
        assert wanted in root
    lost = (out / "404.html").read_text("utf-8")
    links = re.findall(r'href="([^"]*)"', lost)
    assert links
    assert all(link.startswith(SITE) for link in links), "it is shown at any address"
    places = [e.text for e in ET.parse(out / "sitemap.xml").iter() if e.tag.endswith("loc")]
    assert places == [f"{SITE}pages/front.html", f"{SITE}pages/one.html", f"{SITE}pages/two.html"]
    for place in places:
        assert (out / place.removeprefix(SITE)).exists()


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_book_without_an_address_has_nothing_that_leads_there(tmp_path):
    out = build(tmp_path / "book", "", "")
    for page in out.rglob("*.html"):
        text = page.read_text("utf-8")
        for word in ("mybinder", "canonical", "og:image", "source-repository-button"):
            assert word not in text, page
    assert not (out / "404.html").exists()
    assert not (out / "sitemap.xml").exists()
    root = (out / "index.html").read_text("utf-8")
    assert 'rel="icon"' in root
    assert "url=pages/front.html" in root


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_the_students_edition_lives_in_its_folder_and_leads_to_no_solution(tmp_path):
    out = build(tmp_path / "book", REPOSITORY, SITE, edition="student")
    page = (out / "pages" / "one.html").read_text("utf-8")
    assert f'href="{SITE}student/pages/one.html"' in page
    assert REPOSITORY not in page
