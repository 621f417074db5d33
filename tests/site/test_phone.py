"""What tests/site/test_site.py asks of a page on a phone, tried where something is cut."""

import pytest
from headless import CHROMIUM
from phone import CUT, WIDTH


@pytest.mark.site
@pytest.mark.skipif(CHROMIUM is None, reason="needs a Chromium")
def test_something_was_measured(browser):
    """The measure sees a table that is hidden, and one that scrolls without a bar."""
    tab = browser.new_page(viewport={"width": WIDTH, "height": 844})  # phone may be open still
    table = "<table style='width: 600px'><tr><td>x</td></tr></table>"
    for box, said in (("hidden", "hidden by its box"), ("auto", "no bar to see")):
        tab.set_content(f"<article><div style='overflow-x: {box}'>{table}</div></article>")
        assert [word.partition(": ")[0] for word in tab.evaluate(CUT)] == [said]
    tab.set_content(f"<article>{table}</article>")
    assert [word.partition(": ")[0] for word in tab.evaluate(CUT)] == ["out of the page"]
    tab.close()
