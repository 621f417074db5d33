"""An explorer on a page stays where the reader left it; one button resets it."""

import pytest
from playwright.sync_api import expect

from errlab_book import explore

pytestmark = [pytest.mark.site, pytest.mark.slow]


def test_an_explorer_outlives_a_reload_and_resets(visit):
    explorer = explore(lambda n, k: n + k, n=[1, 2, 3, 4, 5], k=[10, 20], start={"n": 2, "k": 20})
    tab = visit(explorer)
    box = tab.locator(".errlab-explorer")
    reset = box.get_by_role("button", name="Reset")
    expect(box).to_have_attribute("data-frame", "3")
    expect(reset).to_be_hidden()
    box.locator(".errlab-control input[type=range]").fill("4")
    box.get_by_label("10", exact=True).check()
    expect(box).to_have_attribute("data-frame", "8")
    expect(reset).to_be_visible()
    tab.reload()
    expect(box).to_have_attribute("data-frame", "8")
    expect(box.locator("output")).to_have_text("5")
    reset.click()
    expect(box).to_have_attribute("data-frame", "3")
    expect(reset).to_be_hidden()
    expect(box.locator(".errlab-control input[type=range]")).to_be_focused()
