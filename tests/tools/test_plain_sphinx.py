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
       "html_logo", "pygments_style", "exclude_patterns"}  # fmt: skip


def absolute(value):
    return [absolute(path) for path in value] if isinstance(value, list) else str(ROOT / value)


def test_it_sets_what_jupyter_book_sets():
    config = pytest.importorskip("jupyter_book.config")
    options = {"cli_config": {"latex_individualpages": False}, "use_external_toc": True}
    theirs, _ = config.get_final_config(user_yaml=ROOT / "_config.yml", sourcedir=ROOT, **options)
    ours = runpy.run_path(str(ROOT / "book" / "_plain" / "conf.py"))
    extensions, ours_too = (set(settings.pop("extensions")) for settings in (theirs, ours))
    assert extensions - UNUSED <= ours_too <= extensions
    theme, ours_too = (settings.pop("html_theme_options") for settings in (theirs, ours))
    for name, value in ours_too.items():
        wanted = theme[name]
        if name == "launch_buttons":
            wanted = {key: wanted[key] for key in value}
        assert value == wanted, name
    for name in theirs.keys() - OWN:
        value = absolute(theirs[name]) if name in PATHS else theirs[name]
        if name in ours:
            assert ours[name] == value, name
        else:  # Sphinx's default is the same
            assert value in ("", [], False, "show", "sphinx", "pdflatex", None), name
