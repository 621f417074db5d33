"""What is cut on a phone, and how large the words in figures are there: asked of a page."""

WIDTH = 390
SMALLEST = 11  # pixels

# What is wide either fits, or scrolls in a box of its own that fits and has a bar that stays. A
# box that hides what is too wide for it cuts it.
CUT = """() => {
  const width = document.documentElement.clientWidth, found = [];
  const seen = e => e.getClientRects().length && e.checkVisibility({visibilityProperty: true});
  const name = e => `${e.localName}: ${e.textContent.trim().replace(/\\s+/g, ' ').slice(0, 60)}`;
  for (const e of document.querySelectorAll('article :is(table, math, pre, .errlab-picture svg)')) {
    if (!seen(e)) continue;
    const at = e.getBoundingClientRect();
    const inner = e.localName == 'pre' ? e.scrollWidth : 0;
    let left = at.left, right = Math.max(at.right, at.left + inner);
    for (let box = e; box.localName != 'article'; box = box.parentElement) {
      const overflow = getComputedStyle(box).overflowX, edge = box.getBoundingClientRect();
      const drawn = box.localName == 'svg' || box.namespaceURI.includes('MathML');
      if (overflow == 'visible' || drawn) continue;
      const wide = box.scrollWidth > box.clientWidth + 1;
      if (['auto', 'scroll'].includes(overflow)) {
        const bar = parseFloat(getComputedStyle(box, '::-webkit-scrollbar').height);
        if (wide && !(bar >= 5)) found.push('no bar to see: ' + name(e));
        if (wide) [left, right] = [edge.left, edge.right];
      } else if (right > edge.right + 1 || left < edge.left - 1) {
        found.push('hidden by its box: ' + name(e));
        [left, right] = [edge.left, edge.right];
      }
    }
    if (left < -1 || right > width + 1) found.push('out of the page: ' + name(e));
  }
  return found;
}"""
TEXTS = """() => [...document.querySelectorAll('article svg text')]
  .filter(t => t.getClientRects().length && t.textContent.trim())
  .map(t => {
    const m = t.getScreenCTM(), at = t.getBoundingClientRect();
    const svg = t.ownerSVGElement;
    const frame = svg.getBoundingClientRect();
    const open = getComputedStyle(svg).overflow == 'visible';  // what leaves it is seen
    const [left, right] = open ? [0, innerWidth] : [frame.left, frame.right];
    return [t.textContent, parseFloat(getComputedStyle(t).fontSize) * Math.hypot(m.b, m.d),
            Math.max(left - at.left, at.right - right,
                     frame.top - at.top, at.bottom - frame.bottom)];
  })"""
