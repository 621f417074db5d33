"""The Chromium of the browser tests, where there is one."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import chromium

CHROMIUM, FLAGS = chromium.find(), chromium.FLAGS

AS_AT_FIRST = {"media": "null", "color_scheme": "light", "reduced_motion": "no-preference"}


class Tabs:
    """Tabs on pages, and what went wrong in them.

    To open a context takes far longer than to open a page. So all tests of a process share one
    tab; who asks for a second one, or for a browser that is another from the start (no scripts,
    permissions), gets that.
    """

    def __init__(self, browser):
        self.browser = browser
        self.requests, self.errors, self.own = [], [], []
        self.home = self._new()
        self.used = False

    def _new(self, **options):
        tab = self.browser.new_context(**options).new_page()
        tab.on("request", lambda request: self.requests.append(request.url))
        tab.on("pageerror", lambda error: self.errors.append(str(error)))
        tab.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        return tab

    def open(self, address, width, reduced_motion="no-preference", **options):
        """Open a page that is as wide, in a tab of which nothing else is known."""
        size = {"width": width, "height": 900}
        if self.used or options:
            tab = self._new(viewport=size, reduced_motion=reduced_motion, **options)
            self.own.append(tab.context)
        else:
            tab, self.used = self.home, True
            tab.set_viewport_size(size)
            tab.emulate_media(**{**AS_AT_FIRST, "reduced_motion": reduced_motion})
        tab.goto(address)
        return tab

    def leave(self):
        """Forget what a test has left behind; return what it asked for, and what went wrong."""
        for context in self.own:
            context.close()
        if self.used:
            self.home.evaluate("try { localStorage.clear() } catch {}")
            self.home.mouse.move(0, 0)
            self.home.goto("about:blank")
        requests = [url for url in self.requests if url != "about:blank"]
        errors, self.used = self.errors, False
        self.requests, self.errors, self.own = [], [], []
        return requests, errors
