// What a mark of a figure stands for, by pointer and by keyboard, and the figure's data as a table
// with a file to save. A figure brings its numbers as CSV, its drawing says where its panels lie; a
// lab draws its marks with their words beside them.
(() => {
  "use strict";
  if (window.errlabMarks) return;
  const NEAR = 28; // pixels from the pointer to a mark
  const PICTURE = ".errlab-picture, .errlab-lab .lab-figure";
  const STYLE = `
    .errlab-tip, .errlab-ring { position: fixed; pointer-events: none; z-index: 2000; }
    .errlab-tip { max-width: min(22rem, 92vw); padding: 0.15rem 0.55rem; border-radius: 0.3rem;
      font-size: 0.85rem; font-variant-numeric: tabular-nums;
      color: var(--pst-color-text-base, var(--jp-ui-font-color1, #222832));
      background: var(--pst-color-background, var(--jp-layout-color0, #fff));
      border: 1px solid currentColor; }
    .errlab-ring { width: 14px; height: 14px; margin: -7px; border-radius: 50%;
      border: 2px solid var(--pst-color-primary, #0072b2); }
    .errlab-walk { display: block; width: 100%; max-width: 36rem; }
    .errlab-walk:not(:focus-visible) { position: absolute; width: 1px; height: 1px; margin: 0;
      opacity: 0; pointer-events: none; }
    .errlab-tabled > pre { display: none; }
    .errlab-numbers a { color: inherit; text-decoration: underline; }
    .errlab-numbers > div { max-height: 18rem; overflow: auto; margin-bottom: 0.4rem; }
    .errlab-numbers table { width: auto; margin: 0; font-size: 0.85rem;
      font-variant-numeric: tabular-nums; }
    .errlab-numbers :is(td, th) { padding: 0.1rem 0.9rem 0.1rem 0; text-align: left; }
    @media print { .errlab-tip, .errlab-ring, .errlab-walk { display: none; } }`;

  /** The rows of a CSV text, each a list of cells. */
  function rowsOf(text) {
    const cells = [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\n|$)/g)];
    const rows = [[]];
    for (const [, quoted, plain, end] of cells) {
      rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
      if (end === "\n") rows.push([]);
      else if (!end) break;
    }
    return rows;
  }

  // ---------------------------------------------------------------------- where a mark stands

  const transform = (axis) => (axis.scale === "log" ? Math.log10 : Number);
  /** The share of the way along an axis, and what its value is called. */
  function onAxis(axis, cell) {
    const value = axis.words && cell in axis.words ? axis.words[cell] : Number(cell);
    const shared = transform(axis);
    const share = (shared(value) - shared(axis.from)) / (shared(axis.to) - shared(axis.from));
    const percent = axis.percent && !(axis.words && cell in axis.words);
    const text = percent ? `${Number((100 * value).toPrecision(5))}%` : cell;
    return { share: cell === "" ? NaN : share, text: axis.name ? `${axis.name}: ${text}` : text };
  }
  const plain = (axis) => ["linear", "log"].includes(axis.scale);

  /** The marks of a figure: where each lies in its drawing, its series, and what is said of it. */
  function marksOfFigure(svg, text) {
    const panels = JSON.parse(svg.dataset.panels ?? "[]");
    const [head, ...rows] = rowsOf(text);
    const several = head[0] === "panel";
    const marks = [];
    for (const row of rows) {
      const number = several ? Number(row[0]) - 1 : 0;
      const panel = panels[number];
      const [series, ...cells] = several ? row.slice(1) : row;
      if (!panel || !plain(panel.x) || !plain(panel.y)) continue;
      const [x, y] = [onAxis(panel.x, cells[0]), onAxis(panel.y, cells[1])];
      if (![x, y].every(({ share }) => share >= -1e-6 && share <= 1 + 1e-6)) continue;
      const [left, right, bottom, top] = panel.box;
      const at = [left + x.share * (right - left), bottom + y.share * (top - bottom)];
      marks.push({ at, series: `${number} ${series}`, text: `${series}: ${x.text}, ${y.text}` });
    }
    return marks;
  }
  function markOfLab({ dataset: { at, series, text } }) {
    return { at: at.split(" ").map(Number), series, text: `${series}: ${text}` };
  }
  const known = new WeakMap();
  const dataOf = (host) =>
    (host.closest(".errlab-explorer, .errlab-kernel") ?? host.closest("figure"))?.querySelector(
      ".errlab-data pre",
    );
  /** The drawing of a figure or lab, and its marks. */
  function marksOf(host) {
    const svg = host.querySelector("svg");
    const own = svg?.querySelectorAll("[data-at]") ?? [];
    if (own.length) return { svg, marks: Array.from(own, markOfLab) };
    const text = dataOf(host)?.textContent ?? "";
    const key = `${svg.dataset.panels}${text}`;
    if (known.get(host)?.key !== key)
      known.set(host, { key, marks: text ? marksOfFigure(svg, text) : [] });
    return { svg, marks: known.get(host).marks };
  }
  /** Where a mark is in the window. */
  function onScreen(svg, mark) {
    const { x, y } = new DOMPoint(...mark.at).matrixTransform(svg.getScreenCTM());
    return [x, y];
  }

  // ---------------------------------------------------------------------- telling it

  let tip, ring;
  function hide() {
    tip?.remove();
    ring?.remove();
    tip = ring = undefined;
  }
  function part(name) {
    const element = document.createElement("div");
    element.className = name;
    element.ariaHidden = "true"; // the slider says the same aloud
    document.body.append(element);
    return element;
  }
  function tell(svg, mark) {
    tip ??= part("errlab-tip");
    ring ??= part("errlab-ring");
    const [x, y] = onScreen(svg, mark);
    if (tip.textContent !== mark.text) tip.textContent = mark.text;
    const [width, height] = [tip.offsetWidth, tip.offsetHeight];
    const left = Math.max(
      4,
      Math.min(x - width / 2, document.documentElement.clientWidth - width - 4),
    );
    tip.style.left = `${left}px`;
    tip.style.top = `${y - height - 12 < 0 ? y + 14 : y - height - 12}px`;
    ring.style.left = `${x}px`;
    ring.style.top = `${y}px`;
  }
  function point(event) {
    const host = event.target.closest?.(PICTURE);
    if (!host) {
      if (
        !event.target.closest?.(".errlab-walk") &&
        !document.activeElement.matches(".errlab-walk")
      )
        hide();
      return;
    }
    const { svg, marks } = marksOf(host);
    let [nearest, best] = [null, NEAR];
    for (const mark of marks) {
      const [x, y] = onScreen(svg, mark);
      const away = Math.hypot(x - event.clientX, y - event.clientY);
      if (away < best) [nearest, best] = [mark, away];
    }
    if (nearest) tell(svg, nearest);
    else hide();
  }

  // ---------------------------------------------------------------------- by keyboard

  /** Bring the slider of a picture up to date; `shown` also shows the mark at which it stands. */
  function walk(slider, shown) {
    const { svg, marks } = marksOf(slider.errlabHost);
    slider.max = Math.max(0, marks.length - 1);
    slider.hidden = marks.length === 0;
    const mark = marks[slider.value];
    if (!mark) return;
    slider.setAttribute("aria-valuetext", mark.text);
    if (shown) tell(svg, mark);
  }
  /** After a scroll, which a focus can cause: the value by keyboard moves along, by pointer goes. */
  function follow() {
    const slider = document.activeElement;
    if (tip && slider.matches(".errlab-walk")) walk(slider, true);
    else hide();
  }
  /** Up and Down go to the next series, Left and Right to the next mark. */
  function jump(event) {
    const slider = event.target;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === "Escape") hide();
    if (!step) return;
    event.preventDefault();
    const { marks } = marksOf(slider.errlabHost);
    const starts = marks.flatMap((m, i) => (m.series === marks[i - 1]?.series ? [] : [i]));
    const here = starts.findLastIndex((start) => start <= slider.value);
    slider.value = starts[Math.max(0, Math.min(starts.length - 1, here + step))];
    walk(slider, true);
  }
  function add(host) {
    host.dataset.marks = "";
    const slider = document.createElement("input");
    Object.assign(slider, { type: "range", className: "errlab-walk", min: 0, value: 0 });
    slider.errlabHost = host;
    slider.autocomplete = "off";
    slider.ariaLabel = "Values of this figure, one by one; up and down: the next series";
    slider.dataset.lmSuppressShortcuts = "true"; // else JupyterLab takes the keys
    slider.addEventListener("input", (event) => {
      event.stopPropagation(); // no control of an explorer or lab
      walk(slider, true);
    });
    slider.addEventListener("keydown", jump);
    slider.addEventListener("focus", () => walk(slider, slider.matches(":focus-visible")));
    slider.addEventListener("blur", hide);
    host.after(slider);
    walk(slider);
  }

  // ---------------------------------------------------------------------- the table

  function tabulate(box) {
    const text = box.querySelector("pre").textContent;
    box.querySelector(".errlab-numbers")?.remove();
    const made = document.createElement("div");
    made.className = "errlab-numbers";
    const scroll = document.createElement("div");
    Object.assign(scroll, { tabIndex: 0, role: "group", ariaLabel: "Data of this figure" });
    const table = document.createElement("table");
    table.className = "table";
    rowsOf(text).forEach((cells, i) => {
      const row = (i ? (table.tBodies[0] ?? table.createTBody()) : table.createTHead()).insertRow();
      for (const cell of cells) {
        const element = document.createElement(i ? "td" : "th");
        if (!i) element.scope = "col";
        element.textContent = cell;
        row.append(element);
      }
    });
    scroll.append(table);
    const link = document.createElement("a");
    link.textContent = "Save as CSV";
    link.download = "figure.csv";
    link.href = `data:text/csv;charset=utf-8,${encodeURIComponent(`${text}\n`)}`;
    made.append(scroll, link);
    box.append(made);
    box.classList.add("errlab-tabled"); // hides the text
  }
  const isOpen = (box) => box.tagName !== "DETAILS" || box.open;

  /** Prepare what has come to the page, or the figure whose numbers have changed. */
  function refresh(root = document) {
    for (const host of root.querySelectorAll(PICTURE)) {
      if (!("marks" in host.dataset)) add(host);
    }
    for (const slider of root.querySelectorAll(".errlab-walk")) walk(slider);
    for (const box of root.querySelectorAll(".errlab-data")) {
      if (isOpen(box) && box.querySelector("pre")) tabulate(box);
    }
  }
  window.errlabMarks = { refresh, marksOf, onScreen };

  document.addEventListener("pointermove", point);
  document.addEventListener("pointerdown", point);
  document.addEventListener("scroll", follow, { capture: true, passive: true });
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  document.addEventListener(
    "toggle",
    ({ target }) => target.matches?.(".errlab-data") && target.open && tabulate(target),
    true,
  );
  // outputs of a notebook come later; of what a page changes, only new pictures count
  const isNew = `:is(${PICTURE}):not([data-marks]), div.errlab-data:not(.errlab-tabled)`;
  let waiting = false;
  function look() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (document.querySelector(isNew)) refresh();
    });
  }
  function begin() {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    document.adoptedStyleSheets.push(sheet);
    refresh();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  }
  if (document.body) begin();
  else document.addEventListener("DOMContentLoaded", begin);
})();
