// The four counts of a detector: every rate with its interval, and the threshold behind them.

import { ends, normalQuantile, normalTail } from "./numerics.js";
import { count, escape, percent, sure } from "./words.js";
import { announce, bind, dataMark, field, frame, picture, scale, unique } from "./kit.js";

const MOST = 1_000_000;
const NAMES = {
  tp: "true positives",
  fn: "false negatives",
  fp: "false positives",
  tn: "true negatives",
};
const RULES = Object.fromEntries(
  Object.entries(NAMES).map(([name, words]) => [
    name,
    { label: `the ${words}`, whole: true, low: 0, high: MOST },
  ]),
);
RULES.confidence = { label: "the confidence", low: 50, high: 99.9999 };
const APART = [-1, 5]; // how far the positives lie above the negatives, in standard deviations
const THRESHOLD = [-3.5, 7];

const total = (cells, values) => cells.reduce((sum, cell) => sum + values[cell], 0);
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const clamp = (value, [low, high]) => Math.min(high, Math.max(low, value));

/** A rate {value, low, high, hits, among}, or null where no example is left to divide by. */
export function rate(definition, values) {
  const hits = total(definition.hits, values);
  const among = total(definition.among, values);
  if (among === 0) return null;
  const [low, high] = ends("CP", hits, among, (100 - values.confidence) / 200);
  return { value: hits / among, low, high, hits, among };
}

/** F1 and its interval: F1 = 2 J / (1 + J), J the share of true positives among all but the true
 *  negatives, which is a proportion. */
export function f1(values) {
  const among = values.tp + values.fp + values.fn;
  if (among === 0) return null;
  const [low, high] = ends("CP", values.tp, among, (100 - values.confidence) / 200);
  const turn = (j) => (2 * j) / (1 + j);
  return { value: (2 * values.tp) / (among + values.tp), low: turn(low), high: turn(high) };
}

/** {threshold, apart} of two normal scores that give such counts; half an example for none. */
export function scores({ tp, fp, fn, tn }) {
  const share = (hits, among) => (among ? clamp(hits, [0.5, among - 0.5]) / among : 0.5);
  const threshold = clamp(normalQuantile(share(fp, fp + tn)), THRESHOLD);
  return { threshold, apart: clamp(threshold - normalQuantile(share(tp, tp + fn)), APART) };
}

/** The counts of a threshold, with as many positives and negatives as before. */
export function cut({ threshold, apart }, { tp, fp, fn, tn }) {
  const found = Math.round((tp + fn) * normalTail(threshold - apart));
  const alarmed = Math.round((fp + tn) * normalTail(threshold));
  return { tp: found, fn: tp + fn - found, fp: alarmed, tn: fp + tn - alarmed };
}

function hill(at, up, centre, height, from, to) {
  const points = [];
  for (let i = 0; i <= 60; i++) {
    const x = from + ((to - from) * i) / 60;
    points.push(`${at(x)} ${up(height * Math.exp(-((x - centre) ** 2) / 2))}`);
  }
  return `M${at(from)} ${up(0)}L${points.join("L")}L${at(to)} ${up(0)}z`;
}

function drawn(width, place, values, id) {
  const { threshold, apart } = place;
  const wide = width >= 480;
  const right = wide ? width - 160 : width;
  const ground = 158;
  const low = -3.6;
  const high = Math.max(6, apart + 3.4);
  const at = scale(low, high, 4, right - 4);
  const up = scale(0, 1, ground, 40);
  const [positives, negatives] = [values.tp + values.fn, values.fp + values.tn];
  const most = Math.max(positives, negatives);
  const tall = (number) => Math.max(0.1, number / most);
  const fills = { fp: ` fill="url(#${id}-b)"`, fn: ` fill="url(#${id}-a)"`, tp: "", tn: "" };
  const part = (kind, number, from, to) => {
    const positive = kind === "tp" || kind === "fn";
    const shape = hill(at, up, positive ? apart : 0, tall(number), from, to);
    return (
      `<path class="lab-${kind}"${fills[kind]}` +
      `${positive ? ` data-drag="apart"` : ""} d="${shape}"/>`
    );
  };
  const cutAt = clamp(threshold, [low, high]);
  const hatch = (kind) =>
    `<pattern id="${id}-${kind}" width="6" height="6" patternUnits="userSpaceOnUse"` +
    ` patternTransform="rotate(45)"><path class="lab-hatch-${kind}" d="M0 3H6"/></pattern>`;
  const rocTop = wide ? 22 : 206;
  const side = 128;
  const rocLeft = wide ? width - side - 4 : 4;
  const rx = scale(0, 1, rocLeft, rocLeft + side);
  const ry = scale(0, 1, rocTop + side, rocTop);
  let curve = `M${rx(1)} ${ry(1)}`;
  let curveMarks = "";
  for (let t = -4; t <= 8.01; t += 0.2) {
    const [fpr, tpr] = [normalTail(t), normalTail(t - apart)];
    curve += `L${rx(fpr)} ${ry(tpr)}`;
    curveMarks += dataMark(rx(fpr), ry(tpr), "ROC", `${percent(fpr)} false, ${percent(tpr)} true`);
  }
  const rates = [normalTail(threshold), normalTail(threshold - apart)];
  return {
    height: wide ? 190 : 366,
    label:
      `Two hills of scores, ${negatives} negatives left and ${positives} positives right, ` +
      `${apart.toFixed(2)} standard deviations apart; ` +
      `what lies right of the threshold is called positive. ` +
      `Beside them the ROC curve with the point of this threshold: false positive rate ` +
      `${percent(rates[0])}, true positive rate ${percent(rates[1])}.`,
    body:
      `<text x="${clamp(at(cutAt) + 14, [0, right - 110])}" y="16">called positive →</text>` +
      (at(cutAt) > 150 ? `<text x="4" y="16">hatched: the errors</text>` : "") +
      `<defs>${hatch("a")}${hatch("b")}</defs>` +
      part("tn", negatives, low, cutAt) +
      part("tp", positives, cutAt, high) +
      part("fn", positives, low, cutAt) +
      part("fp", negatives, cutAt, high) +
      `<path class="lab-axis" d="M4 ${ground}H${right - 4}"/>` +
      `<text x="${clamp(at(0), [60, right - 60])}" y="${ground + 17}" text-anchor="middle">` +
      `${negatives} negatives</text>` +
      (at(apart) - at(0) > 130
        ? `<text x="${clamp(at(apart), [60, right - 60])}" y="${ground + 17}" ` +
          `text-anchor="middle">${positives} positives</text>`
        : `<text x="${right - 4}" y="${ground + 17}" text-anchor="end">` +
          `${positives} positives</text>`) +
      `<path class="lab-threshold" d="M${at(cutAt)} 24V${ground}"/>` +
      `<circle class="lab-handle" data-drag="threshold" cx="${at(cutAt)}" cy="24" r="9"/>` +
      `<text x="${rx(wide ? 1 : 0)}" y="${rocTop - 8}" ` +
      `text-anchor="${wide ? "end" : "start"}">` +
      `ROC: true positives ↑</text>` +
      `<path class="lab-axis" d="M${rx(0)} ${ry(1)}V${ry(0)}H${rx(1)}"/>` +
      `<path class="lab-grid" d="M${rx(0)} ${ry(0)}L${rx(1)} ${ry(1)}"/>` +
      `<path class="lab-line" d="${curve}L${rx(0)} ${ry(0)}"/>${curveMarks}` +
      `<circle class="lab-dot" cx="${rx(rates[0])}" cy="${ry(rates[1])}" r="5"/>` +
      `<text x="${rx(1)}" y="${ry(0) + 17}" text-anchor="end">false positives →</text>`,
  };
}

export function render({ model, el }) {
  const id = unique("confusion");
  const words = model.get("words");
  const cell = (name) =>
    `<td>${field(id, name, `<abbr title="${NAMES[name]}">${name.toUpperCase()}</abbr>`, 5)}</td>`;
  const slider = (name, label, [low, high]) => `<label class="lab-slide"><span>${label}</span>
    <input type="range" name="${name}" min="${low}" max="${high}" step="0.01"
      autocomplete="off"></label>`;
  const rows = [...words.rates, { key: "F1", names: [words.f1], meaning: words.f1Meaning }].map(
    (row) =>
      `<tr><th scope="row"><strong>${escape(capital(row.names[0]))}</strong>
      <span class="lab-key">${row.key === "F1" ? "" : escape(row.key)}</span>
      <span class="lab-small">${escape(row.meaning)}</span></th>
      <td><span data-out="${row.key}"></span></td><td class="lab-of"></td>
      <td class="lab-range"></td>
      <td class="lab-spark"></td></tr>`,
  );
  frame(el, id);
  el.innerHTML = `
    <p class="lab-title" id="${id}-title">Four counts, every rate</p>
    <div class="lab-columns"><table class="lab-matrix">
      <thead><tr><td></td><th scope="col">called +</th><th scope="col">called −</th></tr></thead>
      <tbody><tr><th scope="row">truly +</th>${cell("tp")}${cell("fn")}</tr>
        <tr><th scope="row">truly −</th>${cell("fp")}${cell("tn")}</tr></tbody></table>
      <p class="lab-line">${field(id, "confidence", "% confidence")}</p></div>
    <p class="lab-wrong" id="${id}-wrong"></p>
    <div class="lab-result">
      <div class="lab-figure lab-drag"><svg role="img"></svg></div>
      <div class="lab-sliders">${slider("threshold", "Threshold", THRESHOLD)}
        ${slider("apart", "Classes apart", APART)}</div>
      <div class="lab-scroll" tabindex="0" role="group" aria-label="Table of rates">
        <table class="lab-rates">
        <thead><tr><th scope="col">Rate</th><th scope="col">Value</th><th scope="col">Count</th>
          <th scope="col"><span class="lab-sure"></span> interval</th>
          <td class="lab-spark"></td></tr></thead>
        <tbody>${rows.join("")}</tbody></table></div>
    </div>
    <p class="lab-said" aria-live="polite"></p>`;
  const svg = el.querySelector(".lab-figure svg");
  const sliders = Object.fromEntries(
    ["threshold", "apart"].map((name) => [name, el.querySelector(`[name="${name}"]`)]),
  );
  let values = null;
  let place = { threshold: 1, apart: 2 };
  let moving = false; // the counts come from the threshold, not from the reader's fields

  const figure = picture(svg, (width) => drawn(width, place, values, id));

  function fillRow(key, found) {
    const output = el.querySelector(`[data-out="${key}"]`);
    const row = output.closest("tr");
    if (!found) {
      output.textContent = "–";
      for (const name of ["value", "low", "high"]) delete output.dataset[name];
      row.querySelector(".lab-of").textContent = "no example";
      row.querySelector(".lab-range").textContent = "";
      row.querySelector(".lab-spark").innerHTML = "";
      return;
    }
    const { value, low, high, hits, among } = found;
    output.textContent = percent(value);
    Object.assign(output.dataset, { value, low, high });
    row.querySelector(".lab-of").textContent = among === undefined ? "" : `${hits}/${among}`;
    row.querySelector(".lab-range").textContent =
      `${percent(low, "down")} to ${percent(high, "up")}`;
    row.querySelector(".lab-spark").innerHTML =
      `<svg viewBox="0 0 100 14" preserveAspectRatio="none"` +
      ` aria-hidden="true"><path class="lab-grid" d="M0 7H100"/>` +
      `<path class="lab-bar" d="M${100 * low} 7H${Math.max(100 * high, 100 * low + 1)}"/>` +
      `<path class="lab-seen" d="M${100 * value} 1V13"/></svg>`;
  }
  function paint(now) {
    values = now;
    if (!moving) place = scores(values);
    for (const [name, slide] of Object.entries(sliders)) {
      slide.value = place[name];
      slide.setAttribute("aria-valuetext", place[name].toFixed(2));
    }
    el.querySelector(".lab-sure").textContent = sure((100 - values.confidence) / 100);
    for (const definition of words.rates) fillRow(definition.key, rate(definition, values));
    fillRow("F1", f1(values));
    figure.paint();
    const positives = values.tp + values.fn;
    announce(
      el,
      `${values.tp} of ${count(positives, "positive")} found, ${values.fp} of ` +
        `${count(values.fp + values.tn, "negative")} alarmed, ` +
        `${count(values.fp + values.fn, "error")}.`,
    );
  }
  function move(name, value, range) {
    place = { ...place, [name]: clamp(value, range) };
    moving = true;
    for (const [cellName, number] of Object.entries(cut(place, values)))
      model.set(cellName, number);
    model.save_changes();
    fields.refresh();
    moving = false;
  }
  function slide(event) {
    if (event.target === sliders.threshold)
      move("threshold", Number(event.target.value), THRESHOLD);
    if (event.target === sliders.apart) move("apart", Number(event.target.value), APART);
  }
  function step(event) {
    // a press of an arrow moves the threshold until a count changes
    const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (event.target !== sliders.threshold || !way) return;
    event.preventDefault();
    const [low, high] = THRESHOLD;
    let threshold = place.threshold;
    let counts = values;
    do {
      threshold = clamp(threshold + way / 100, THRESHOLD);
      counts = cut({ ...place, threshold }, values);
    } while (
      counts.tp === values.tp &&
      counts.fp === values.fp &&
      threshold > low &&
      threshold < high
    );
    move("threshold", threshold, THRESHOLD);
  }
  let held = null; // what the pointer drags
  function grab(event) {
    const name = event.target.dataset?.drag;
    if (!name) return;
    const width = svg.getBoundingClientRect().width;
    const right = width >= 480 ? width - 160 : width;
    const span = Math.max(6, place.apart + 3.4) + 3.6;
    held = { name, from: event.clientX, start: place[name], perPixel: span / (right - 8) };
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  }
  function drag(event) {
    if (!held) return;
    const range = held.name === "apart" ? APART : THRESHOLD;
    move(held.name, held.start + (event.clientX - held.from) * held.perPixel, range);
  }
  function drop() {
    held = null;
  }
  const all = ({ tp, fp, fn, tn }) =>
    tp + fp + fn + tn > 0 ? "" : "there must be at least one example";
  const fields = bind({ el, model, rules: RULES, check: all, paint });
  el.addEventListener("input", slide);
  el.addEventListener("keydown", step);
  svg.addEventListener("pointerdown", grab);
  svg.addEventListener("pointermove", drag);
  svg.addEventListener("pointerup", drop);
  svg.addEventListener("pointercancel", drop);
  return () => {
    el.removeEventListener("input", slide);
    el.removeEventListener("keydown", step);
    fields.stop();
    figure.stop();
  };
}
export default { render };
