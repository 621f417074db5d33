"""One Chromium for the tests of the site, fresh environments, and the built packages."""

import os
import sysconfig
import venv
from pathlib import Path

import budget
import pytest
from browser import CHROMIUM, FLAGS, ROOT, SITE, page
from packages import build as build
from packages import built as built
from packages import sdists as sdists
from packages import sources as sources

# Milliseconds that a busy machine may take: for an element, and for what a page says
PAGE_MS, SAID_MS = 120_000, 60_000
READY = """[...document.querySelectorAll('.errlab-explorer')]
  .every(e => e.dataset.state === 'ready')"""


@pytest.fixture(scope="session")
def chromium():
    from playwright.sync_api import expect, sync_playwright

    if CHROMIUM is None:
        pytest.skip("needs Chromium")
    expect.set_options(timeout=SAID_MS)
    playwright = sync_playwright().start()
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield browser
    # the time of a process is known once it has ended
    with budget.COSTS.shared("Chromium"):
        browser.close()
        playwright.stop()


def new_context(chromium, **options):
    context = chromium.new_context(**options)
    context.set_default_timeout(PAGE_MS)
    return context


@pytest.fixture(scope="session")
def jupyter(tmp_path_factory):
    """A folder, and the address of the JupyterLab that serves it."""
    from lab_server import serve

    folder = tmp_path_factory.mktemp("jupyter")
    with serve(folder) as address:
        yield folder, address


@pytest.fixture(scope="session")
def site():
    return budget.built(SITE / "index.html", "the site").parent


@pytest.fixture(scope="session")
def decks():
    return budget.built(ROOT / "_build" / "slides" / "week1.slides.html", "the decks").parent


@pytest.fixture
def browser(chromium):
    """A context for each test, so that no test sees what another has stored."""
    context = new_context(chromium)
    yield context
    context.close()


@pytest.fixture
def visit(chromium, browser, tmp_path):
    """Open a file of the site, or a page made of fragments; fail on any error or remote request.

    Options of Playwright (no scripts, permissions) get their own context.
    """
    contexts, requests, errors = [], [], []

    def visit(*output, width=1280, anchor="", reduced_motion="no-preference", **options):
        if options:
            contexts.append(new_context(chromium, **options))
        tab = (contexts[-1] if options else browser).new_page()
        tab.set_viewport_size({"width": width, "height": 900})
        tab.emulate_media(reduced_motion=reduced_motion)
        tab.on("request", lambda request: requests.append(request.url))
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
        if output and isinstance(output[0], Path):
            tab.goto(output[0].as_uri() + anchor)
            if options.get("java_script_enabled", True):
                tab.wait_for_function(READY)
        else:
            file = tmp_path / "01_answers.html"
            html = [part if isinstance(part, str) else part.html() for part in output]
            file.write_text(page(*html), encoding="utf-8")
            tab.goto(file.as_uri() + anchor)
        return tab

    yield visit
    for context in contexts:
        context.close()
    local = ("file:", "data:", "blob:")
    assert [url for url in requests if not url.startswith(local)] == [], "another host"
    assert errors == []


@pytest.fixture(scope="session")
def environment(tmp_path_factory):
    """Make a fresh environment and return its Python; packages in `lends` come from this one."""

    def make(lends):
        if os.name == "nt":
            pytest.skip("lends by symbolic links")
        folder = tmp_path_factory.mktemp("fresh") / "env"
        venv.create(folder)
        (site,) = folder.glob("lib/python*/site-packages")
        for part in Path(sysconfig.get_path("purelib")).iterdir():
            if lends(part.name):
                (site / part.name).symlink_to(part, target_is_directory=part.is_dir())
        return folder / "bin" / "python"

    return make
