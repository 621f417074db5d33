"""Put released versions of the site beside the latest: ``python tools/versions.py FOLDER``.

The folder holds the sites of releases as ``v1.0.0.zip``. Each goes to its own folder of
``_build/html``, where every page says that it is old and leads to the latest; ``versions/`` lists
what is there: the latest, the students' edition, and each release.
"""

from __future__ import annotations

import html
import re
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
HTML = ROOT / "_build" / "html"
VERSION = re.compile(r"v\d+(\.\d+)*")
NOTE = (
    '<aside aria-label="Version" style="padding: .4rem 1rem; background: #fff3cd; color: #3d3000">'
    'This is version {version}. <a style="color: #00438a" href="{latest}">The latest is here.</a>'
    "</aside>"
)
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Versions of {title}</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<style>body {{ font: 1.1rem/1.5 sans-serif; max-width: 36rem; margin: 15vh auto; padding: 0 1rem }}
</style></head><body><main><h1>Versions of {title}</h1><ul>
{items}
</ul></main></body></html>
"""


def order(name: str) -> tuple[int, ...]:
    """Return the numbers of a version such as v1.10.0."""
    return tuple(int(part) for part in name.removeprefix("v").split("."))


def unpack(archive: Path, site: Path) -> str:
    """Unpack one released site into its folder, and say on each page that it is old.

    Raises
    ------
    ValueError
        If the archive is not named after a version, or a file in it would leave its folder.
    """
    version = archive.stem
    if not VERSION.fullmatch(version):
        raise ValueError(f"archive must be named like v1.0.0.zip, got {archive.name!r}")
    target = (site / version).resolve()
    with zipfile.ZipFile(archive) as files:
        outside = [n for n in files.namelist() if not (target / n).resolve().is_relative_to(target)]
        if outside:
            raise ValueError(f"{archive.name} must stay in its folder, got {outside[0]!r}")
        files.extractall(target)
    for page in target.rglob("*.html"):
        place = page.relative_to(target)
        same = place if (site / place).exists() else Path("index.html")
        up = "../" * len(place.parts)
        note = NOTE.format(version=version[1:], latest=f"{up}{same.as_posix()}")
        text = page.read_text("utf-8")
        if body := re.search(r"<body[^>]*>", text):
            page.write_text(text[: body.end()] + note + text[body.end() :], "utf-8")
    return version


def listing(site: Path, versions: Sequence[str], title: str) -> str:
    """Return the page that lists what is there."""
    known = [("../index.html", "The latest")]
    if (site / "student" / "index.html").exists():
        known.append(("../student/index.html", "The latest, for students: without solutions"))
    newest = sorted(versions, key=order, reverse=True)
    known += [(f"../{v}/index.html", f"Version {v[1:]}") for v in newest]
    items = "\n".join(f'<li><a href="{place}">{words}</a></li>' for place, words in known)
    return PAGE.format(title=html.escape(title), items=items)


def main(arguments: Sequence[str]) -> int:
    """Unpack all, write the list, say what is there."""
    if len(arguments) != 1:
        print(__doc__)
        return 2
    versions = [unpack(path, HTML) for path in sorted(Path(arguments[0]).glob("*.zip"))]
    title = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["title"]
    (HTML / "versions").mkdir(exist_ok=True)
    (HTML / "versions" / "index.html").write_text(listing(HTML, versions, title), "utf-8")
    print("latest", *versions)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
