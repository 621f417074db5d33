"""Write the book's address, one line of ``_config.yml``, into the files that aren't built.

``python tools/address.py`` sets or removes it in the first lines of the notebooks, in CITATION.cff,
README.md and pyproject.toml; ``--check`` lists the files that would change. Pages get it when the
book is built (``book/_ext/errlab_address.py``).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat
import yaml

from errlab_book.handout import WAY_TO_THE_SITE

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "book" / "_ext"))
from errlab_address import HOSTED, binder, site_of  # noqa: E402

README = re.compile(r"(?<=<!-- address -->\n).*?(?=<!-- end of address -->)", re.DOTALL)
CITATION = re.compile(r"^(?:repository-code|url): .*\n", re.MULTILINE)
PROJECT = re.compile(r"\n\[project\.urls\]\n(?:\w+ = .*\n)+")


def addresses(root: Path) -> tuple[str, str, str]:
    """Return the repository, the branch and the site of ``_config.yml``, or empty strings."""
    config = yaml.safe_load((root / "_config.yml").read_text("utf-8"))
    repository = config["repository"]["url"].rstrip("/").removesuffix(".git")
    site = config["html"].get("baseurl") or site_of(repository)
    return repository, config["repository"]["branch"], site.rstrip("/") + "/" if site else ""


def readme(text: str, repository: str, branch: str, site: str) -> str:
    """Return README with badges for the repository, Binder and the site that are set."""
    host = repository.split("/")[2] if repository else ""
    badges = []
    if site:
        badges.append(f"[![the book](https://img.shields.io/badge/book-read-blue)]({site})")
    if host == "github.com":
        runs = f"{repository}/actions/workflows/book.yml"
        badges.append(f"[![tests]({runs}/badge.svg?branch={branch})]({runs})")
        there = binder(repository, branch, "notebooks")
        badges.append(f"[![Binder](https://mybinder.org/badge_logo.svg)]({there})")
    return README.sub("".join(f"{badge}\n" for badge in badges), text)


def citation(text: str, repository: str, branch: str, site: str) -> str:
    """Return CITATION.cff with the repository and the site."""
    lines = f'repository-code: "{repository}"\n' if repository else ""
    lines += f'url: "{site}"\n' if site else ""
    return CITATION.sub("", text).replace("license:", f"{lines}license:", 1)


def project(text: str, repository: str, branch: str, site: str) -> str:
    """Return pyproject.toml with the links that a package index shows."""
    lines = f'Documentation = "{site}"\n' if site else ""
    lines += f'Repository = "{repository}"\n' if repository else ""
    if repository and repository.split("/")[2] in HOSTED:
        lines += f'Issues = "{repository}/issues"\n'
    table = f"\n[project.urls]\n{lines}" if lines else ""
    text = PROJECT.sub("", text)
    return text.replace("\n[tool.setuptools.dynamic]", f"{table}\n[tool.setuptools.dynamic]", 1)


def notebook(text: str, page: str, repository: str, branch: str, site: str) -> str:
    """Return a notebook whose first cell links, below the title, to its page and to Binder."""
    ways = [f"[Read this page on the site]({site}{page}.html)"] if site else []
    if site and (there := binder(repository, branch, f"{page}.ipynb")):
        ways.append(f"[run it in Binder]({there})")
    opened = nbformat.reads(text, as_version=4)
    first = opened.cells[0]
    before = first.source
    title, _, rest = WAY_TO_THE_SITE.sub("", first.source).partition("\n\n")
    first.source = "\n\n".join(part for part in (title, " or ".join(ways), rest) if part)
    return text if first.source == before else nbformat.writes(opened) + "\n"


def files(root: Path = ROOT) -> Iterator[tuple[Path, str, str]]:
    """Yield each file that contains the address: its path, its text, and its new text."""
    address = addresses(root)
    for name, write in (
        ("README.md", readme),
        ("CITATION.cff", citation),
        ("pyproject.toml", project),
    ):
        text = (root / name).read_text("utf-8")
        yield root / name, text, write(text, *address)
    for page in re.findall(r"(?:file|root): (\S+)", (root / "_toc.yml").read_text("utf-8")):
        path = root / f"{page}.ipynb"
        if path.exists():
            text = path.read_text("utf-8")
            yield path, text, notebook(text, page, *address)


def told(changed: int, repository: str, branch: str, site: str) -> str:
    """Return the message about the addresses and the number of files that changed.

    Examples
    --------
    >>> print(told(1, "https://example.org/ida/errors", "main", ""))
    repository: https://example.org/ida/errors
    site: none. Where your host publishes it is not known: set `html: baseurl` in _config.yml
    files changed: 1
    """
    none = "none"
    if repository:
        none += ". Where your host publishes it is not known: set `html: baseurl` in _config.yml"
    lines = (f"repository: {repository or 'none'}", f"site: {site or none}")
    return "\n".join((*lines, f"files changed: {changed}"))


def main(arguments: Sequence[str]) -> int:
    """Write the address into all files, or with ``--check`` list those that would change."""
    changed = [(path, new) for path, old, new in files() if new != old]
    for path, new in changed:
        if "--check" in arguments:
            print(f"{path.relative_to(ROOT)} has not the address of _config.yml: tools/address.py")
        else:
            path.write_text(new, "utf-8")
    if "--check" not in arguments:
        print(told(len(changed), *addresses(ROOT)))
    return int(bool(changed) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
