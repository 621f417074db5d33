"""The Chromium of the browser tests, where there is one."""

import sys
from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import chromium

CHROMIUM, FLAGS = chromium.find(), chromium.FLAGS

AS_AT_FIRST = {"media": "null", "color_scheme": "light", "reduced_motion": "no-preference"}

# Whether the theme has looked for blocks that scroll since the width has changed: only then the
# keyboard reaches just these.
SETTLED = """() => [...document.querySelectorAll('pre, .nboutput > .output_area, '
    + '.cell_output > .output, .jp-RenderedHTMLCommon, .pst-scrollable-table-container')]
  .every(e => e.tabIndex === (
    e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight ? 0 : -1))"""

QUICK_AXE = Path(__file__).with_name("quick_axe.js").read_text(encoding="utf-8")
KNOWN_LOOKS: set[str] = set()  # of words, on any page of this process, that axe need not see again
AXE = {"preload": False, "resultTypes": ["violations"]}  # preload would fetch our style again


def violations(tab, context=None, quick=True, **options):
    """Return what axe finds on a page, or in a part of it, in words.

    All of axe is run only where the quick way to ask it finds anything.
    """
    if not tab.evaluate("window.axeSuspects !== undefined"):
        tab.evaluate(f"{AXE_SCRIPT};\n{QUICK_AXE}")
    asked = [context, AXE | options]
    if quick:
        told = tab.evaluate("asked => axeSuspects(...asked)", [*asked, sorted(KNOWN_LOOKS)])
        KNOWN_LOOKS.update(told["known"])
        if told["found"] == 0:
            return []
    found = tab.evaluate("([context, options]) => axe.run(context ?? document, options)", asked)
    return [
        f"{v['impact']}: {v['id']}: {node['target']} {node['failureSummary']}"
        for v in found["violations"]
        for node in v["nodes"]
    ]


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
