"""Lay out staged pages as a site: Sphinx as Jupyter Book sets it up, on all cores where it can.

``jupyter-book build`` has no option for that. ``python tools/lay_out.py STAGE HTML``; a warning is
an error.
"""

from __future__ import annotations

import functools
import importlib
import os
import re
import sys
from pathlib import Path

sys.modules.setdefault("rfc3987_syntax", None)  # see notebooks.py

import pybtex.plugin
from jupyter_book.sphinx import build_sphinx

import kernels

DOCUMENTED = re.compile(r"^\.\. automodule:: ([\w.]+)$", re.MULTILINE)


def lay_out(staged: Path, html: Path) -> int:
    """Write the site, and return 0 if nothing was wrong.

    Parameters
    ----------
    staged, html : paths
        The folder with the pages, their contents and their settings, and where the site goes.
    """
    # pybtex looks through all that is installed for each part of each page's bibliography
    pybtex.plugin._load_entry_point = functools.cache(pybtex.plugin._load_entry_point)
    for page in sorted((staged / "book" / "api").glob("*.md")):
        for name in DOCUMENTED.findall(page.read_text("utf-8")):
            importlib.import_module(name)  # once, and not in each process that reads pages
    result = build_sphinx(
        staged,
        html,
        noconfig=True,
        path_config=staged / "_config.yml",
        confoverrides={
            "external_toc_path": (staged / "_toc.yml").as_posix(),
            "latex_individualpages": False,
        },
        warningiserror=True,
        keep_going=True,
        quiet=True,
        jobs=os.cpu_count() if kernels.FORKS else 1,
    )
    return 0 if result == 0 else 1  # an exception has been told


if __name__ == "__main__":
    sys.exit(lay_out(Path(sys.argv[1]), Path(sys.argv[2])))
