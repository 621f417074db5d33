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

# Most of axe's time goes to the contrast of words that look the same. What it says depends on
# their style, on that of all that they are in, and on what is painted behind each of their lines.
# Where all this is the same as where it found enough contrast, or a picture behind the words so
# that it could not tell, it would find no violation again. Whatever else it says is asked for anew.
LOOKS = """() => {
  const check = axe._audit.checks['color-contrast'], plain = check.evaluate;
  const PROPERTIES = ['color', 'background-color', 'background-image', 'opacity', 'mix-blend-mode',
    'filter', 'text-shadow', 'font-size', 'font-weight', '-webkit-text-stroke-color',
    '-webkit-text-stroke-width', '-webkit-text-fill-color', 'display', 'visibility', 'overflow',
    'clip-path', 'mask-image', 'position', 'z-index', 'transform'];
  const PICTURES = ['img', 'canvas', 'object', 'iframe', 'video', 'svg'];
  const UNTOLD = ['imgNode', 'bgImage', 'bgGradient'];
  let numbers, styles, chains, known;
  const number = words => {
    if (!numbers.has(words)) numbers.set(words, numbers.size);
    return numbers.get(words);
  };
  const style = e => {
    if (!styles.has(e)) {
      const computed = getComputedStyle(e);
      const words = PROPERTIES.map(name => computed.getPropertyValue(name));
      if (e.ownerSVGElement) words.pop();  // where a word stands in a figure
      const paints = words[1] !== 'rgba(0, 0, 0, 0)' || words[2] !== 'none';
      styles.set(e, {number: number([e.localName, ...words].join('|')),
        seen: paints || PICTURES.includes(e.localName)});
    }
    return styles.get(e);
  };
  const chain = e => {
    if (!e) return '';
    if (!chains.has(e)) chains.set(e, number(`${style(e).number} in ${chain(e.parentElement)}`));
    return chains.get(e);
  };
  const run = axe.run;
  axe.run = (...asked) => {
    [numbers, styles, chains, known] = [new Map(), new Map(), new Map(), new Map()];
    window.axeLooks = {asked: 0, evaluated: 0};
    return run.apply(axe, asked);
  };
  check.evaluate = function (node, ...rest) {
    window.axeLooks.asked++;
    const behind = axe.commons.dom.getTextElementStack(node);
    const whole = behind.length && behind.every(stack => stack.includes(document.body));
    const painted = behind.map(stack => stack.filter(e => style(e).seen).map(chain));
    const look = [chain(node), ...painted].join(' / ');
    if (whole && known.has(look)) return known.get(look);
    window.axeLooks.evaluated++;
    let told;
    const that = Object.assign(Object.create(this), {data: d => { told = d; this.data(d); }});
    const result = plain.call(that, node, ...rest);
    if (whole && (result === true || UNTOLD.includes(told?.messageKey))) known.set(look, result);
    return result;
  };
}"""
AXE = {"preload": False, "resultTypes": ["violations"]}  # preload would fetch our style again


def violations(tab, context=None, looks=LOOKS, **options):
    """Return what axe finds on a page, or in a part of it, in words."""
    if not tab.evaluate("window.axeLooks !== undefined"):
        tab.evaluate(f"{AXE_SCRIPT}; window.axeLooks = null")
        if looks:
            tab.evaluate(looks)
    found = tab.evaluate(
        "([context, options]) => axe.run(context ?? document, options)", [context, AXE | options]
    )
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
