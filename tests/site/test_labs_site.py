"""Labs in the built book, opened from files: the names that other checks use, and each once.

Needs the built site (``make book``) and a Chromium; without one of them it is skipped, loudly.
How the pages of the site look, weigh and read is tested with all the others in `test_site`.
"""

import gzip
import os
import re
import warnings
from pathlib import Path

import pytest
from labs_browser import CHROMIUM, OUTPUTS, ROOT, TYPE

from errlab import bounds, compare, metrics

SITE = Path(os.environ.get("ERRLAB_SITE") or ROOT / "_build" / "html")
PLACES = {
    "book/intro.html": ["claim"],
    "notebooks/02_holdout.html": ["misses", "winner"],
    "notebooks/03_binary_bounds.html": ["claim"],
    "notebooks/04_coverage.html": ["misses"],
    "notebooks/08_bootstrap.html": ["bag"],
    "notebooks/11_comparing_two.html": ["pair"],
    "notebooks/12_leaderboards.html": ["climb"],
    "notebooks/13_confusion_roc.html": ["confusion"],
    "notebooks/14_report.html": ["claim", "pair", "predictions"],
}
# Whose labs are asked something below.
ASKED = ("intro", "11_comparing_two", "13_confusion_roc", "14_report")
BUILT = [page for page in PLACES if (SITE / page).exists()]
LIMIT_KB = 400

pytestmark = pytest.mark.site
if CHROMIUM is None or not BUILT:
    missing = "a Chromium" if CHROMIUM is None else "the built site (make book)"
    warnings.simplefilter("default")
    pytest.skip(f"LAB TESTS SKIPPED: {missing} was not found", allow_module_level=True)


@pytest.fixture
def visit(tabs):
    """Open a page of the book as a file; afterwards nothing may have gone wrong or elsewhere.

    Its labs are where they belong, and alive.
    """

    def visit(page, anchor=""):
        tab = tabs.open((SITE / page).as_uri() + anchor, 1280)
        there = tab.evaluate("[...document.querySelectorAll('[data-lab]')].map(e => e.dataset.lab)")
        assert there == PLACES[page]
        assert tab.locator("[data-lab]:not([data-ready])").count() == 0
        assert tab.locator("[data-lab-address]").count() <= 1
        ids = tab.evaluate("[...document.querySelectorAll('[data-lab] [id]')].map(e => e.id)")
        assert len(ids) == len(set(ids))
        return tab

    yield visit
    requests, errors = tabs.leave()
    assert [u for u in requests if not u.startswith(("file:", "data:", "blob:"))] == []
    assert errors == []


@pytest.mark.parametrize("page", [page for page in BUILT if Path(page).stem not in ASKED])
def test_the_labs_are_where_they_belong_and_alive(page, visit):
    """What `visit` demands of every page."""
    visit(page)


@pytest.mark.parametrize("page", BUILT)
def test_a_page_holds_each_module_once(page):
    text = (SITE / page).read_text(encoding="utf-8")
    modules = re.findall(r'<script data-errlab-module="([\w.]+)"', text)
    assert sorted(modules) == sorted(set(modules))
    assert text.count("<style data-errlab-labs") == 1


def test_the_front_page_is_light():
    files = [SITE / "book" / "intro.html", *(SITE / "_static").glob("*.css")]
    weight = sum(len(gzip.compress(path.read_bytes(), 9)) for path in files)
    assert weight <= LIMIT_KB * 1000


@pytest.mark.skipif("notebooks/11_comparing_two.html" not in BUILT, reason="a partial build")
def test_the_pair_in_chapter_11(visit):
    tab = visit("notebooks/11_comparing_two.html", "#both=8&only_a=12&only_b=3&neither=177")
    want = compare.paired_difference([[8, 12], [3, 177]], method="exact")
    got = tab.locator('[data-lab="pair"]').evaluate(OUTPUTS)
    ends = {"pvalue": want.pvalue, "low": want.interval.low, "high": want.interval.high}
    assert {name: got[name] for name in ends} == pytest.approx(ends, rel=1e-9)


@pytest.mark.skipif("notebooks/13_confusion_roc.html" not in BUILT, reason="a partial build")
def test_the_rates_in_chapter_13(visit):
    tab = visit("notebooks/13_confusion_roc.html", "#tp=45&fp=15&fn=5&tn=935")
    table = metrics.Confusion(tp=45, fp=15, fn=5, tn=935)
    got = tab.locator('[data-lab="confusion"]').evaluate(OUTPUTS)
    assert set(metrics.RATES) <= set(got)
    want = {row.key: row.value for row in table.rates()}
    assert {key: got[key] for key in want} == pytest.approx(want, rel=1e-9)


@pytest.mark.skipif("notebooks/14_report.html" not in BUILT, reason="a partial build")
def test_the_predictions_in_chapter_14(visit):
    tab = visit("notebooks/14_report.html")
    box = tab.locator('[data-lab="predictions"]')
    box.locator("textarea").fill("y_true,y_pred\n" + "a,a\n" * 98 + "a,b\n" * 2)
    want = {"errors": 2, "cases": 100, "upper": bounds.upper("CP", 2 / 100, 100)}
    want |= dict(zip(("low", "high"), bounds.interval("CP", 2 / 100, 100), strict=True))
    got = box.evaluate(OUTPUTS)
    assert {name: got[name] for name in want} == pytest.approx(want, rel=1e-9)


@pytest.mark.skipif("book/intro.html" not in BUILT, reason="a partial build")
def test_the_claim_on_the_front_page(visit):
    tab = visit("book/intro.html", "#n=400&k=3")
    box = tab.locator('[data-lab="claim"]')
    for cases, errors, confidence in ((400, 3, 95), (1000, 12, 99)):
        if cases != 400:
            values = {"cases": str(cases), "errors": str(errors), "confidence": str(confidence)}
            box.evaluate(TYPE, values)
        delta = (100 - confidence) / 100
        low, high = bounds.interval("CP", errors / cases, cases, delta=delta)
        want = {"upper": bounds.upper("CP", errors / cases, cases, delta=delta)}
        want |= {"low": low, "high": high}
        got = box.evaluate(OUTPUTS)
        assert {name: got[name] for name in want} == pytest.approx(want, rel=1e-9)
