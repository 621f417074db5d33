// Whether axe would find anything on a page, asked in as few words as will do.
//
// Most of axe's time goes to the contrast of words that look the same, and to elements that no
// rule is about. `axeSuspects(context, options, known)` finds 0 where `axe.run` would find nothing;
// elsewhere another number, and then the whole page must be asked. It tells the looks that it has
// found to be readable, or beyond what axe can tell, which need not be asked for on any page.
(() => {
  // What an element does to the words in it, unless all is as in NOTHING, and how words look.
  const BOX = ['display', 'background-image', 'background-color', 'position', 'z-index', 'float',
    'opacity', 'mix-blend-mode', 'filter', 'transform', 'perspective', 'clip-path', 'mask-image',
    '-webkit-mask-box-image-source', 'isolation', 'will-change', 'contain'];
  const NOTHING = 'none|rgba(0, 0, 0, 0)|static|auto|none|1|normal|none|none|none|none|none|none|'
    + 'auto|auto|none';
  const LETTERS = ['color', 'font-size', 'font-weight', 'text-shadow', 'visibility',
    '-webkit-text-stroke-color', '-webkit-text-stroke-width', '-webkit-text-fill-color'];
  const PICTURES = new Set(['img', 'canvas', 'object', 'iframe', 'video', 'svg']);
  // These answers too follow from the look: axe cannot tell.
  const UNTOLD = ['imgNode', 'bgImage', 'bgGradient', 'elmPartiallyObscured'];
  // Fields have words without a text; these others are never asked for contrast.
  const FIELDS = `input:not([type=hidden], [type=range], [type=color], [type=checkbox],
    [type=radio], [type=image]), select, textarea`;

  // Elements without a meaning, where they have no attributes but these; what they may be in; and
  // what may name others or switch them off.
  const PHRASES = new Set(['span', 'em', 'strong', 'b', 'i', 'code', 'cite', 'kbd']);
  const HOLDERS = new Set([...PHRASES, 'pre', 'p', 'li', 'dt', 'dd', 'td', 'th', 'a', 'div',
    'label', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'caption', 'figcaption', 'legend', 'summary']);
  const SHAPES = new Set(['g', 'path', 'use', 'rect', 'circle', 'ellipse', 'line', 'polyline',
    'polygon', 'defs', 'clipPath', 'pattern', 'marker']);
  const OF_SHAPES = new Set(['class', 'style', 'fill', 'stroke', 'd', 'x', 'y', 'x1', 'x2', 'y1',
    'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'width', 'height', 'points', 'transform', 'clip-path',
    'patternUnits', 'xlink:href', 'id', 'stroke-width', 'stroke-dasharray', 'stroke-linecap',
    'stroke-linejoin', 'stroke-opacity', 'fill-opacity', 'opacity']);
  const REFERS = ['aria-activedescendant', 'aria-controls', 'aria-describedby', 'aria-details',
    'aria-errormessage', 'aria-flowto', 'aria-labelledby', 'aria-owns', 'for', 'headers'];
  const CONTROLS = 'input, select, textarea, button, [aria-labelledby]';
  const NOWHERE = {chain: '', counted: [], clippedBy: []};
  const ROW = 64;  // px

  const contrast = axe._audit.checks['color-contrast'];
  const rule = axe._audit.rules.find(({id}) => id === 'color-contrast');
  const links = axe._audit.checks['link-in-text-block'];
  const underlined = axe._audit.checks['link-in-text-block-style'];
  const plain = {evaluate: contrast.evaluate, matches: rule.matches, links: links.evaluate,
    walker: document.createTreeWalker,
    childNodes: Object.getOwnPropertyDescriptor(Node.prototype, 'childNodes')};
  const {hasUnicode, removeUnicode} = axe.commons.text;

  const isShape = e => e.ownerSVGElement && SHAPES.has(e.localName);
  const centre = r => ({x: r.left + r.width / 2, y: r.top + r.height / 2});
  const isIn = ({x, y}, r, more = 0) => x >= r.left - more && x <= r.right + more
    && y >= r.top - more && y <= r.bottom + more;

  function once(ask) {
    const told = new Map();
    return e => {
      if (!told.has(e)) told.set(e, ask(e));
      return told.get(e);
    };
  }

  // 64 bits of words (FNV-1a, from two starts): the same on all pages.
  function hash(words) {
    let [one, two] = [0x811c9dc5, 0x01234567];
    for (let i = 0; i < words.length; i++) {
      one = Math.imul(one ^ words.charCodeAt(i), 0x01000193);
      two = Math.imul(two ^ words.charCodeAt(i), 0x01000193);
      two ^= two >>> 15;
    }
    return `${(one >>> 0).toString(36)}.${(two >>> 0).toString(36)}`;
  }

  function withAncestors(elements) {
    const all = new Set();
    for (const e of elements) for (let a = e; a && !all.has(a); a = a.parentElement) all.add(a);
    return all;
  }

  // Things by the rows of the page that they are in, so that few are compared.
  function rows() {
    const held = new Map();
    const range = (top, bottom) => [Math.floor(top / ROW), Math.floor(bottom / ROW)];
    return {
      add(thing, top, bottom) {
        const [first, last] = range(top, bottom);
        for (let row = first; row <= last; row++) {
          if (held.has(row)) held.get(row).push(thing); else held.set(row, [thing]);
        }
      },
      some(top, bottom, test) {
        const [first, last] = range(top, bottom);
        for (let row = first; row <= last; row++) if (held.get(row)?.some(test)) return true;
        return false;
      },
    };
  }

  // What is asked more than once of an element, as it is now.
  function survey() {
    const box = once(e => e.getBoundingClientRect());
    const rects = once(e => [...e.getClientRects()]);
    const place = once(e => {
      const computed = getComputedStyle(e), told = BOX.map(name => computed.getPropertyValue(name));
      const above = e.parentElement ? place(e.parentElement) : NOWHERE;
      if (told[3] === 'static' && !above.lays) told[4] = 'auto';  // a z-index without effect
      if (e.ownerSVGElement) told[9] = 'none';  // where a word stands in a figure
      const overflow = computed.overflow, picture = PICTURES.has(e.localName);
      const scrolls = overflow !== 'visible' && (
        (e.scrollWidth > e.clientWidth && /auto|scroll/.test(computed.overflowX))
        || (e.scrollHeight > e.clientHeight && /auto|scroll/.test(computed.overflowY)));
      const clips = overflow === 'hidden';
      const words = told.join('|');
      const alters = picture || scrolls || words.slice(told[0].length + 1) !== NOTHING;
      const paints = picture || told[1] !== 'none' || told[2] !== 'rgba(0, 0, 0, 0)';
      const counts = paints || scrolls || clips || e === document.body;
      return {computed, scrolls, clips, paints, inline: told[0] === 'inline',
        lays: /flex|grid/.test(told[0]),
        look: `${picture ? e.localName : ''}|${scrolls}|${words}`,
        chain: alters ? number(`${words} ${picture} ${scrolls} ${above.chain}`) : above.chain,
        counted: counts ? [e, ...above.counted] : above.counted,
        clippedBy: clips ? [e, ...above.clippedBy] : above.clippedBy};
    });
    const number = once(hash);
    // Whether axe takes points, or lines, to be wholly on an element.
    const covers = (e, points) => points.every(({x, y}) => rects(e).some(r =>
      Math.floor(x) < Math.floor(r.left + r.width) && Math.floor(x) >= Math.floor(r.left)
      && Math.floor(y) < Math.floor(r.top + r.height) && Math.floor(y) >= Math.floor(r.top)));
    const extent = once(e => {
      const {top, left, right, bottom} = box(e), {computed} = place(e);
      if (!['scroll', 'auto'].includes(computed.overflow) && e !== document.documentElement) {
        return {top, left, right, bottom};
      }
      const padding = sides => sides.reduce((sum, side) => sum + parseInt(computed[side]), 0);
      return {top, left,
        right: left + e.scrollWidth + padding(['paddingLeft', 'paddingRight']),
        bottom: top + e.scrollHeight + padding(['paddingTop', 'paddingBottom'])};
    });
    const holds = (e, lines) => lines.every(r => r.top >= extent(e).top
      && r.bottom <= extent(e).bottom && r.left >= extent(e).left && r.right <= extent(e).right);
    return {box, place, number, covers, holds, shown: [], standing: rows()};
  }

  // The lines of an element's own words that axe looks behind.
  function lines(e, texts, {box, place}) {
    const clips = place(e).clippedBy, range = document.createRange();
    const seen = rects => rects.filter(r => r.width >= 1 && r.height >= 1).map(r =>
      clips.reduce((r, by) => r && axe.commons.math.getIntersectionRect(r, box(by)), r)
    ).filter(r => r);
    const found = texts.flatMap(text => {
      range.selectNodeContents(text);
      const rects = [...range.getClientRects()];
      return rects.every(r => isIn(centre(r), box(e))) ? seen(rects) : [];
    });
    return found.length ? found : seen([box(e)]);
  }

  // No letters, or none that axe can read: it finds nothing there.
  function unread(texts) {
    const words = texts.map(text => text.data).join(' ').trim();
    return !removeUnicode(words, {emoji: true, nonBmp: false, punctuations: true})
      || (hasUnicode(words, {nonBmp: true}) && !removeUnicode(words, {nonBmp: true}).trim());
  }

  // All words by what they look like. Where they stand on nothing but what they are in, and wholly,
  // this is how they are painted and how that is; all others stand for themselves.
  function looks(all, known, asked) {
    const {box, place, number, covers, holds, shown, standing} = known;
    const written = new Map(), groups = new Map();
    for (const e of all) {
      if (isShape(e) || !e.checkVisibility()) continue;  // a shape has no background
      const {width, height, top, bottom} = box(e);
      if (!width || !height) continue;
      shown.push(e);
      standing.add(e, top - 1, bottom + 1);
      const texts = [];
      for (let n = e.firstChild; n; n = n.nextSibling) {
        if (n.nodeType === Node.TEXT_NODE && n.data.trim()) texts.push(n);
      }
      const field = e.matches(FIELDS);
      if ((field || (texts.length && !unread(texts))) && asked(e)) written.set(e, {texts, field});
    }
    for (const [e, {texts, field}] of written) {
      const rects = lines(e, texts, known);
      if (!rects.length) continue;
      let points = rects.map(centre), alone = field || !covers(e, points), fits = '';
      const all = [...points], {counted, look, computed} = place(e);
      for (const a of counted) {
        const {paints, scrolls, clips, inline} = place(a);
        if (scrolls && a !== e) {  // axe looks behind the middle of what scrolls
          points = [{...centre(box(a)), of: a}];
          all.push(...points);
        }
        const root = a === document.documentElement;
        if ((paints || a === document.body) && !root) alone ||= !covers(a, points);
        if (clips) alone ||= !points.every(p => isIn(p, box(a)));
        if (paints && !inline) fits += holds(a, rects) ? 'y' : 'n';
      }
      alone ||= all.some(p => standing.some(p.y, p.y, q =>
        isIn(p, box(q), 1) && !q.contains(e) && !p.of?.contains(q) && place(q).paints));
      const letters = LETTERS.map(name => computed.getPropertyValue(name)).join('|');
      const key = alone ? e
        : number(`${letters} ${look} ${fits} in ${place(e.parentElement).chain}`);
      const word = {e, points: all};
      if (groups.has(key)) groups.get(key).push(word); else groups.set(key, [word]);
    }
    return groups;
  }

  // What is over or under the words that are asked for, and what that is in.
  function around(words, {box, shown}) {
    const points = rows(), found = words.map(({e}) => e);
    for (const {points: all} of words) for (const p of all) points.add(p, p.y, p.y);
    for (const e of shown) {
      const b = box(e);
      if (points.some(b.top - 1, b.bottom + 1, p => isIn(p, b, 1))) found.push(e);
    }
    return withAncestors(found);
  }

  // Phrases and shapes without a role, a name or a place of their own give way to their words.
  function bared(all, words) {
    const kept = withAncestors(words), children = new Map();
    const referred = new Set(REFERS.flatMap(name =>
      [...document.querySelectorAll(`[${name}]`)].flatMap(e => e.getAttribute(name).split(/\s+/))));
    const isDrawn = e => e.getAttributeNames().every(name => OF_SHAPES.has(name)
      && !(name === 'style' && e.getAttribute(name).includes('!important'))
      && !(name === 'id' && referred.has(e.id)));
    const isSaid = e => {
      if (e.getAttributeNames().some(name => name !== 'class')) return false;
      const {position, float, display, visibility} = getComputedStyle(e);
      return position === 'static' && float === 'none' && display !== 'none'
        && visibility === getComputedStyle(e.parentElement).visibility;
    };
    const bare = once(e => {
      const shape = isShape(e);
      if (kept.has(e) || !(shape || PHRASES.has(e.localName))) return false;
      for (let n = e.firstChild; n; n = n.nextSibling) {
        if (n.nodeType === Node.ELEMENT_NODE ? !bare(n) : shape && n.data.trim()) return false;
      }
      return shape ? isDrawn(e) : isSaid(e);
    });
    const texts = n => n.nodeType === Node.ELEMENT_NODE ? [...n.childNodes].flatMap(texts) : [n];
    for (const e of all) {
      if (!e.firstElementChild || words.has(e) || bare(e)) continue;
      if (!HOLDERS.has(e.localName) && !(e.ownerSVGElement || e.localName === 'svg')) continue;
      if ([...e.children].some(bare)) {
        children.set(e, [...e.childNodes].flatMap(n =>
          n.nodeType === Node.ELEMENT_NODE && bare(n) ? texts(n) : [n]));
      }
    }
    return children;
  }

  // Only the words, what they are in, and what may be switched off with them.
  function alone(words) {
    const kept = withAncestors([...words, ...document.querySelectorAll(CONTROLS)]);
    return new Map([...kept].map(e => [e, [...e.childNodes].filter(n =>
      n.nodeType !== Node.ELEMENT_NODE || kept.has(n))]));
  }

  // Run axe with the contrast of these words only; tell which of them answer for their look.
  async function run(context, options, words, all, known) {
    const asked = new Set(words.map(({e}) => e)), settled = new Set();
    const needed = around(words, known);
    const onlyContrast = options.runOnly?.join() === 'color-contrast';
    const children = onlyContrast ? alone(asked) : bared(all, asked);
    let unsure = 0;
    rule.matches = (e, ...rest) => asked.has(e) && plain.matches.call(rule, e, ...rest);
    contrast.evaluate = function (e, ...rest) {
      let told;
      const that = Object.assign(Object.create(this), {data: d => { told = d; this.data(d); }});
      const result = plain.evaluate.call(that, e, ...rest);
      const key = told?.messageKey;
      if (result === true ? key !== 'hidden' : UNTOLD.includes(key)) settled.add(e);
      window.axeCounts.evaluated++;
      return result;
    };
    links.evaluate = (...asked) => {  // what is told apart by more than its colour needs no other
      if (underlined.evaluate.call({data() {}, relatedNodes() {}}, ...asked) !== true) unsure++;
      return true;
    };
    document.createTreeWalker = (root, what) => plain.walker.call(document, root, what, e =>
      needed.has(e) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT);
    Object.defineProperty(Node.prototype, 'childNodes', {...plain.childNodes,
      get() { return children.get(this) ?? plain.childNodes.get.call(this); }});
    axe._audit.noHtml = true;
    try {
      const running = axe.run(context ?? document,
        {...options, reporter: 'no-passes', debug: true});
      Object.defineProperty(Node.prototype, 'childNodes', plain.childNodes);  // its tree is built
      const {violations} = await running;
      window.axeCounts.violations.push(...violations.map(({id}) => id));
      return {found: violations.length + unsure, settled};
    } finally {
      Object.defineProperty(Node.prototype, 'childNodes', plain.childNodes);
      [rule.matches, contrast.evaluate] = [plain.matches, plain.evaluate];
      links.evaluate = plain.links;
      delete document.createTreeWalker;
      axe._audit.noHtml = false;
    }
  }

  window.axeSuspects = async (context, options, known) => {
    const all = [document.body, ...document.body.querySelectorAll('*')];
    if (document.querySelector('iframe, frame, dialog[open]') || all.some(e => e.shadowRoot)) {
      return {found: NaN, known: []};  // axe goes other ways there
    }
    const inside = typeof context === 'string' ? context : 'body';
    const outside = ['[aria-hidden=true]', ...(context?.exclude ?? [])].join();
    const page = survey();
    const groups = looks(all, page, e => e.closest(inside) && !e.closest(outside));
    window.axeCounts = {words: [...groups.values()].flat().length, looks: groups.size,
      evaluated: 0, violations: []};
    for (const key of known) groups.delete(key);
    if (!groups.size && options.runOnly?.join() === 'color-contrast') return {found: 0, known: []};
    const firsts = [...groups.values()].map(([word]) => word);
    const {found, settled} = await run(context, options, firsts, all, page);
    const told = [...groups.keys()].filter(key => settled.has(groups.get(key)[0].e)
      && typeof key === 'string');
    const open = [...groups.values()].flatMap(([{e}, ...rest]) => settled.has(e) ? [] : rest);
    if (found || !open.length) return {found, known: told};
    const second = await run(
      context, {...options, runOnly: ['color-contrast']}, open, all, page);
    return {found: second.found, known: told};
  };
})()
