"""Pages of the built site as they are written: links, anchors, loaded files, lists of the API."""

import importlib
import inspect
from urllib.parse import unquote, urlsplit

import lxml.html
import pytest
from browser import ROOT

import errlab_site

pytestmark = pytest.mark.site
OTHERS = {"_static", "lite"}  # pages that aren't ours
LOADS = """//script/@src | //img/@src | //iframe/@src
  | //link[not(@rel = 'canonical' or @rel = 'next' or @rel = 'prev')]/@href"""


@pytest.fixture(scope="module")
def pages(site):
    paths = [p for p in site.rglob("*.html") if not OTHERS & {*p.relative_to(site).parts}]
    parser = lxml.html.HTMLParser(encoding="utf-8", huge_tree=True)
    return {path: lxml.html.parse(path, parser) for path in paths}


def inside(link):
    return not urlsplit(link).scheme and not link.startswith("//")


def test_no_internal_link_or_anchor_is_dead(pages, site):
    anchors = {path: {*page.xpath("//@id | //@name")} for path, page in pages.items()}
    dead, checked = [], 0
    for path, page in pages.items():
        for link in filter(inside, filter(None, page.xpath("//a/@href"))):
            parts = urlsplit(link)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            checked += 1
            if target not in pages and not target.exists():
                dead.append(f"{path.relative_to(site)}: {link}")
            elif parts.fragment and unquote(parts.fragment) not in anchors.get(target, parts):
                dead.append(f"{path.relative_to(site)}: {link} (anchor)")
    assert checked > 100
    assert dead == []


def test_nothing_is_loaded_from_another_host_and_links_to_others_are_safe(pages):
    loads = {load for page in pages.values() for load in page.xpath(LOADS) if not inside(load)}
    assert {load for load in loads if not load.startswith("data:")} == set()
    links = {link for page in pages.values() for link in page.xpath("//a/@href")}
    safe = ("https://", "mailto:", "http://www.w3.org")
    assert [link for link in links if not inside(link) and not link.startswith(safe)] == []
    # a card has the address of its page, or none
    cards = {
        c for page in pages.values() for c in page.xpath("//meta[@property='og:url']/@content")
    }
    assert [card for card in cards if not card.startswith(("https://", "http://"))] == []


def test_next_leads_from_the_front_to_the_first_chapter(pages, site):
    first = f"notebooks/{errlab_site.chapters(ROOT)[0].name}.html"
    for page in ("book/intro.html", "book/contents.html"):
        after = pages[site / page].xpath("//a[@class='right-next']/@href")
        assert after == [f"../{first}"], page
    before = pages[site / first].xpath("//a[@class='left-prev']/@href")
    assert before == ["../book/contents.html"]


def test_pages_of_the_api_begin_with_functions_and_link_names(pages, site):
    cells = pages[site / "book/api/index.html"].xpath("//tr/td[2]")
    sentences = [cell.text_content().strip() for cell in cells]
    assert len(sentences) > 15
    assert [words for words in sentences if not words.endswith((".", ".)"))] == []
    assert [words for words in sentences if words.count("(") != words.count(")")] == []
    for name in ("bounds", "compare", "metrics"):
        module = importlib.import_module(f"errlab.{name}")
        functions = [key for key in module.__all__ if inspect.isfunction(getattr(module, key))]
        page = pages[site / f"book/api/errlab.{name}.html"]
        listed = page.xpath(f"//dt[starts-with(@id, 'errlab.{name}.')]/@id")
        assert listed[: len(functions)] == [f"errlab.{name}.{key}" for key in functions]
        assert page.xpath(f"//a[starts-with(@href, '#errlab.{name}.')]")
