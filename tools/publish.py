"""What a copy of the book says about itself: its addresses, its description, how to cite it.

All of it is set in `_config.yml` and `CITATION.cff`. An address that is not set is never guessed:
buttons, lines and tags that would need it are left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
EDITED = ("binderhub_url", "colab_url")  # buttons that lead into the repository
BLOCK = re.compile(r"% if (\w+)\n(.*?)% end\n", re.DOTALL)


def settings() -> dict[str, Any]:
    """Return what `_config.yml` sets."""
    return dict(yaml.safe_load((ROOT / "_config.yml").read_text("utf-8")))


def addresses(known: dict[str, Any], edition: str = "reader") -> dict[str, str]:
    """Return the addresses that are set, of one edition; an empty text for each that is not.

    Parameters
    ----------
    known : dict
        What `settings` returns.
    edition : str
        Students get nothing from the repository that holds the solutions.

    Returns
    -------
    dict
        ``repository``, ``branch``, ``site``, ``install``, which is what pip is given, and
        ``archive``, the file with all notebooks.
    """
    course = known.get("course") or {}
    place = known.get("repository") or {}
    repository = str(place.get("url") or "").rstrip("/")
    branch = str(place.get("branch") or "main")
    install = str(course.get("install") or "")
    if edition == "student":
        repository = str(course.get("student_repository") or "").rstrip("/")
    elif repository and not install:
        install = f"errlab[book] @ git+{repository}@{branch}"
    site = str((known.get("html") or {}).get("baseurl") or "").rstrip("/")
    return {
        "repository": repository,
        "branch": branch,
        "install": install,
        "site": f"{site}/" if site else "",
        "archive": "notebooks.zip" if edition == "student" else "",
    }


def conditional(text: str, values: dict[str, str]) -> str:
    """Keep the blocks between ``% if name`` and ``% end`` whose value is set; fill in ``{{name}}``.

    Examples
    --------
    >>> conditional("% if site\\nServed at {{site}}.\\n% end\\nEnd.", {"site": ""})
    'End.'
    """

    def block(match: re.Match[str]) -> str:
        name, inside = match.groups()
        return inside.replace(f"{{{{{name}}}}}", values[name]) if values[name] else ""

    return BLOCK.sub(block, text)


def config(edition: str) -> dict[str, Any]:
    """Return the settings of Jupyter Book for an edition, with nothing that is not set."""
    known = settings()
    course = known.pop("course", None) or {}
    found = addresses({**known, "course": course}, edition)
    known["execute"] = {"execute_notebooks": "off"}  # it has been done
    known["repository"] = {"url": found["repository"], "branch": found["branch"]}
    buttons = known.pop("launch_buttons", None) or {}
    html = known.setdefault("html", {})
    if not found["repository"]:
        known.pop("repository")
        buttons = {name: url for name, url in buttons.items() if name not in EDITED}
        for name in ("edit_page", "repository", "issues"):
            html[f"use_{name}_button"] = False
    if found["repository"]:
        known["launch_buttons"] = buttons
    html["baseurl"] = found["site"]
    cited = citation()
    about = {
        "description": " ".join(str(course.get("description") or "").split()),
        "citation": {**cited, "url": cited["url"] or found["site"]},
        # the theme makes no button at all without a repository
        "lite": "" if found["repository"] else str(buttons.get("jupyterlite_url") or ""),
    }
    known["sphinx"]["config"]["errlab_about"] = about
    return known


def citation() -> dict[str, Any]:
    """Return what `CITATION.cff` says: title, authors, version, year, and a DOI and URL if set."""
    known = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    people = [(a.get("given-names", ""), a.get("family-names", "")) for a in known["authors"]]
    bodies = [str(a.get("name") or "") for a in known["authors"]]
    both = list(zip(bodies, people, strict=True))
    return {
        "title": str(known["title"]),
        "authors": [body or f"{given} {family}".strip() for body, (given, family) in both],
        "bibtex": [f"{{{body}}}" if body else f"{last}, {first}" for body, (first, last) in both],
        "version": str(known["version"]),
        "date": str(known["date-released"]),
        "doi": str(known.get("doi") or ""),
        "url": str(known.get("url") or ""),
        "keywords": [str(word) for word in known.get("keywords", [])],
    }
