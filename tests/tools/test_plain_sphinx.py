"""The settings for plain Sphinx equal those that Jupyter Book derives from ``_config.yml``."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Settings that only Jupyter Book has: its private ones, and some that no page of ours uses.
UNUSED = {"jupyter_book", "sphinx.ext.intersphinx", "sphinx_comments", "sphinx_multitoc_numbering",
          "sphinx_thebe", "sphinx_togglebutton"}  # fmt: skip
PATHS = ("bibtex_bibfiles", "external_toc_path", "html_favicon", "html_search_scorer",
         "html_static_path", "templates_path")  # fmt: skip
OWN = {"comments_config", "use_jupyterbook_latex", "use_multitoc_numbering", "latex_engine",
       "html_logo", "pygments_style"}  # fmt: skip


@pytest.fixture(scope="module")
def theirs():
    config = pytest.importorskip("jupyter_book.config")
    result, _ = config.get_final_config(
        user_yaml=ROOT / "_config.yml",
        sourcedir=ROOT,
        cli_config={"latex_individualpages": False},
        use_external_toc=True,
    )
    return result


@pytest.fixture(scope="module")
def ours():
    return runpy.run_path(str(ROOT / "book" / "_plain" / "conf.py"))


def test_it_brings_the_same_extensions(theirs, ours):
    missing = set(theirs["extensions"]) - set(ours["extensions"])
    assert missing <= UNUSED
    assert set(ours["extensions"]) <= set(theirs["extensions"])


def test_it_sets_what_jupyter_book_sets(theirs, ours):
    for name, value in theirs.items():
        if name in (*OWN, "extensions", "exclude_patterns", "html_theme_options"):
            continue
        if name not in ours:  # otherwise Sphinx's default is the same
            assert value in ("", [], False, "show", "sphinx", "pdflatex", None), name
        elif name in PATHS:
            listed = ours[name] if isinstance(ours[name], list) else [ours[name]]
            options = value if isinstance(value, list) else [value]
            assert [str(ROOT / path) for path in options] == listed, name
        else:
            assert ours[name] == value, name
    for name, value in ours["html_theme_options"].items():
        wanted = theirs["html_theme_options"][name]
        if name == "launch_buttons":
            wanted = {key: wanted[key] for key in value}
        assert value == wanted, name
