"""One browser for all the tests of a process."""

import pytest
from headless import CHROMIUM, FLAGS


@pytest.fixture(scope="session")
def browser():
    """Start the Chromium that the module of a test has found, once."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()
