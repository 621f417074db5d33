"""One browser for all the tests of a process."""

import pytest
from headless import CHROMIUM, FLAGS, Tabs


@pytest.fixture(scope="session")
def browser():
    """Start the Chromium that the module of a test has found, once."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def tabs(browser):
    """Open the tab that the tests of single pages share."""
    shared = Tabs(browser)
    yield shared
    shared.home.context.close()
