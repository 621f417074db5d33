"""The same book by plain Sphinx, without Jupyter Book, for when Jupyter Book 1 ends.

``sphinx-build -c book/_plain . _build/sphinx``. It reads ``_config.yml``, the only truth about the
book, and says in Sphinx's words what Jupyter Book makes of it.
"""

import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
book = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
further = book["sphinx"]
sys.path[:0] = [str(ROOT / folder) for folder in set(further["local_extensions"].values())]


def absolute(path: str) -> str:
    """Return a path relative to this folder, as Sphinx needs it."""
    return str(ROOT / path)


author, copyright = book["author"], book["copyright"]
extensions = [
    "myst_nb",
    "sphinx_copybutton",
    "sphinx_external_toc",
    "sphinx_book_theme",
    "sphinxcontrib.bibtex",
    *further["extra_extensions"],
    *further["local_extensions"],
]
external_toc_path = absolute("_toc.yml")
external_toc_exclude_missing = book["only_build_toc_files"]
exclude_patterns = [*book["exclude_patterns"], "_build", "**.ipynb_checkpoints"]
myst_enable_extensions = book["parse"]["myst_enable_extensions"]
myst_url_schemes = ["mailto", "http", "https"]
nb_execution_mode = book["execute"]["execute_notebooks"]
nb_execution_timeout = book["execute"]["timeout"]
bibtex_bibfiles = [absolute(path) for path in book["bibtex_bibfiles"]]

# Sphinx 9 has a new autodoc, which errlab_site's hooks don't support yet.
autodoc_use_legacy_class_based = True

html_theme = "sphinx_book_theme"
html_title = book["title"]
html_favicon = absolute(book["html"]["favicon"])
html_baseurl = book["html"].get("baseurl", "")
html_sourcelink_suffix = ""
html_theme_options = {
    "search_bar_text": "Search this book...",
    "home_page_in_toc": book["html"]["home_page_in_navbar"],
    "extra_footer": book["html"]["extra_footer"],
    "path_to_docs": "",
    "repository_url": book["repository"]["url"],
    "repository_branch": book["repository"]["branch"],
    "launch_buttons": book["launch_buttons"],
}

# Sphinx's options in _config.yml; paths there are relative to the root.
globals().update(further["config"])
html_static_path = [absolute(path) for path in further["config"]["html_static_path"]]
templates_path = [absolute(path) for path in further["config"]["templates_path"]]
html_search_scorer = absolute(further["config"]["html_search_scorer"])
