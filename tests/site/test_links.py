"""Every link of the built site leads somewhere: no dead page, no dead anchor."""

import os
import warnings
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

SITE = Path(os.environ.get("ERRLAB_SITE") or Path(__file__).parents[2] / "_build" / "html")

if not (SITE / "index.html").exists():
    warnings.simplefilter("default")
    pytest.skip("LINK CHECK SKIPPED: build the site first (make book)", allow_module_level=True)


class Page(HTMLParser):
    """The links, the anchors, the headings and the images of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors, self.loads = [], set(), []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        self.anchors |= {known[name] for name in ("id", "name") if known.get(name)}
        if tag == "a" and known.get("href"):
            self.links.append(known["href"])
        loads = {"script": "src", "img": "src", "iframe": "src", "link": "href"}.get(tag)
        if loads and known.get(loads) and known.get("rel") not in ("canonical", "next", "prev"):
            self.loads.append(known[loads])


@pytest.fixture(scope="module")
def pages():
    others = {"_static", "lite"}  # not our pages
    return {p: Page(p) for p in SITE.rglob("*.html") if not others & {*p.relative_to(SITE).parts}}


def inside(link):
    return not urlsplit(link).scheme and not link.startswith("//")


def test_no_internal_link_or_anchor_is_dead(pages):
    dead, checked = [], 0
    for path, page in pages.items():
        for link in filter(inside, page.links):
            parts = urlsplit(link)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            checked += 1
            known = pages.get(target)
            if known is None and not target.exists():
                dead.append(f"{path.relative_to(SITE)}: {link}")
            elif parts.fragment and known and unquote(parts.fragment) not in known.anchors:
                dead.append(f"{path.relative_to(SITE)}: {link} (anchor)")
    assert checked > 100
    assert dead == []


def test_nothing_is_loaded_from_another_host(pages):
    foreign = {load for page in pages.values() for load in page.loads if not inside(load)}
    assert {load for load in foreign if not load.startswith("data:")} == set()


def test_external_links_are_listed(pages, capsys):
    external = sorted({link for p in pages.values() for link in p.links if not inside(link)})
    hosts = {}
    for link in external:
        hosts[urlsplit(link).netloc] = hosts.get(urlsplit(link).netloc, 0) + 1
    with capsys.disabled():
        listed = ", ".join(f"{host} {count}" for host, count in sorted(hosts.items()))
        print(f"\nexternal links, not followed: {listed}")
    assert all(link.startswith(("https://", "mailto:", "http://www.w3.org")) for link in external)
