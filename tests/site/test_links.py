"""Every link of the built site works: no missing page, no missing anchor."""

from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = pytest.mark.site


class Page(HTMLParser):
    """The links and anchors of a page, and the files that it loads."""

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
def pages(site):
    others = {"_static", "lite"}  # pages that aren't ours
    return {p: Page(p) for p in site.rglob("*.html") if not others & {*p.relative_to(site).parts}}


def inside(link):
    return not urlsplit(link).scheme and not link.startswith("//")


def test_no_internal_link_or_anchor_is_dead(pages, site):
    dead, checked = [], 0
    for path, page in pages.items():
        for link in filter(inside, page.links):
            parts = urlsplit(link)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            checked += 1
            known = pages.get(target)
            if known is None and not target.exists():
                dead.append(f"{path.relative_to(site)}: {link}")
            elif parts.fragment and known and unquote(parts.fragment) not in known.anchors:
                dead.append(f"{path.relative_to(site)}: {link} (anchor)")
    assert checked > 100
    assert dead == []


def test_nothing_is_loaded_from_another_host(pages):
    foreign = {load for page in pages.values() for load in page.loads if not inside(load)}
    assert {load for load in foreign if not load.startswith("data:")} == set()


def test_links_to_other_hosts_are_safe(pages):
    external = {link for page in pages.values() for link in page.links if not inside(link)}
    assert all(link.startswith(("https://", "mailto:", "http://www.w3.org")) for link in external)
