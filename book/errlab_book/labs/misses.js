// Draw test sets: each interval holds the true error or misses it.

import {
  binomialFrom,
  binomialTable,
  binomialUpTo,
  ends,
  firstAtLeast,
  random,
} from "./numerics.js";
import { count, escape, general, percent } from "./words.js";
import {
  announce,
  bind,
  dataMark,
  field,
  frame,
  out,
  picture,
  scale,
  tickPercent,
  ticks,
  unique,
} from "./kit.js";

const MOST = 1000; // test sets
const RULES = {
  cases: { label: "the number of test examples", whole: true, low: 1, high: 10_000 },
  error: { label: "the true error", low: 0.1, high: 99.9 },
  confidence: { label: "the confidence", low: 50, high: 99.9999 },
};

/** Counts of errors of the first `size` test sets, by inversion of uniform numbers. */
export function counts({ seed, cases, error }, size) {
  const table = binomialTable(cases, error / 100);
  const next = random(seed);
  return Array.from({ length: size }, () => firstAtLeast(table, next()));
}

/** The interval after k errors, found once for each k. */
export function intervals({ method, cases, confidence }) {
  const known = new Map();
  return (k) => {
    if (!known.has(k)) known.set(k, ends(method, k, cases, (100 - confidence) / 200));
    return known.get(k);
  };
}

/** The first k from 0 to n + 1 for which `past` holds; it holds from there on. */
function first(n, past) {
  let low = 0;
  let high = n + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (past(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The exact share of misses in the long run. The ends of an interval never fall as k grows. */
export function missRate(values) {
  const { cases, error } = values;
  const p = error / 100;
  const interval = intervals(values);
  const reaches = first(cases, (k) => k > cases || interval(k)[1] >= p);
  const beyond = first(cases, (k) => k > cases || interval(k)[0] > p);
  return binomialUpTo(reaches - 1, cases, p) + binomialFrom(beyond, cases, p);
}

function bars(width, values, shown, drawn, range) {
  const left = 44;
  const height = 205;
  const places = width < 240 ? 50 : 100;
  const from = Math.max(0, drawn - places);
  const at = scale(range[0], range[1], height - 8, 30);
  const step = (width - left) / places;
  const truth = at(values.error / 100);
  let hits = "";
  let missed = "";
  let marks = "";
  let told = "";
  shown.slice(from, drawn).forEach(([low, high], i) => {
    const x = (left + (i + 0.5) * step).toFixed(1);
    const bottom = at(low);
    const bar = `M${x} ${bottom}V${Math.min(at(high), bottom - 3)}`; // [0, 0] must be seen
    const ends = `${percent(low, "down")} to ${percent(high, "up")}`;
    told += dataMark(x, at((low + high) / 2), `test set ${from + i + 1}`, ends);
    const miss = values.error / 100 < low ? 1 : values.error / 100 > high ? -1 : 0;
    if (!miss) hits += bar;
    else {
      missed += bar;
      marks += `M${(Number(x) - 3).toFixed(1)} ${truth - 3}l6 6m0 -6l-6 6`;
    }
  });
  const labels = ticks(range[0], range[1], 4).map(
    (tick) =>
      `<text x="${left - 8}" y="${at(tick) + 4}" text-anchor="end">${tickPercent(tick)}</text>` +
      `<path class="lab-grid" d="M${left} ${at(tick)}H${width}"/>`,
  );
  const thick = Math.max(1.5, Math.min(4, step * 0.55)).toFixed(1);
  return (
    `${labels.join("")}<path class="lab-truth" d="M${left} ${truth}H${width}"/>` +
    `<path class="lab-hit" stroke-width="${thick}" d="${hits}"/>` +
    `<path class="lab-miss" stroke-width="${thick}" d="${missed}"/>` +
    `<path class="lab-cross" d="${marks}"/>${told}` +
    `<text x="0" y="12">bars: intervals; line: ${width < 340 ? "truth" : "the true error"}; ` +
    `×: a miss</text>`
  );
}

/** The largest share of misses from the tenth test set on, with some room. */
function highest(misses) {
  const shares = misses.map((number, i) => (i < 10 ? 0 : number / i));
  return 1.1 * Math.max(...shares);
}

function running(width, misses, drawn, promised, top) {
  const left = 44;
  const at = scale(0, Math.max(100, drawn), left, width - 4);
  const high = Math.max(0.1, 2.2 * promised, top);
  const up = scale(0, high, 312, 234);
  let path = "";
  let told = "";
  const stride = Math.ceil(drawn / 200); // of many test sets, some
  let inside = false; // of a few test sets the share may lie above the picture
  for (let i = 1; i <= drawn; i++) {
    const share = misses[i] / i;
    if (share <= high && i % stride === 0)
      told += dataMark(at(i), up(share), `misses of ${count(i, "test set")}`, percent(share));
    if (share <= high) path += `${inside ? "L" : "M"}${at(i)} ${up(share)}`;
    inside = share <= high;
  }
  const last = Math.max(100, drawn);
  const now = drawn ? misses[drawn] / drawn : 0;
  const end = Math.max(at(drawn), left + 60);
  // above the curve, and not where the promise stands
  const above = now > promised ? up(now) - 7 : up(now) + 16;
  return (
    `<path class="lab-axis" d="M${left} 312H${width - 4}"/>` +
    ticks(0, high, 2)
      .map(
        (tick) =>
          `<text x="${left - 8}" y="${up(tick) + 4}" text-anchor="end">${tickPercent(tick)}</text>`,
      )
      .join("") +
    `<path class="lab-promise" d="M${left} ${up(promised)}H${width - 4}"/>` +
    `<path class="lab-line" d="${path}"/>${told}` +
    `<text x="${left + 4}" y="${Math.min(up(promised) + 15, 307)}" class="lab-halo">` +
    `promised</text>` +
    (drawn
      ? `<text x="${end}" y="${Math.max(226, Math.min(above, 308))}" text-anchor="end" ` +
        `class="lab-halo">${percent(now)}</text>`
      : "") +
    `<text x="${left}" y="330">share of misses so far</text>` +
    `<text x="${width - 4}" y="330" text-anchor="end">${last} test sets</text>`
  );
}

export function render({ model, el }) {
  const id = unique("misses");
  const { methods } = model.get("words");
  frame(el, id);
  el.innerHTML = `
    <p class="lab-title" id="${id}-title">How often does the interval miss?</p>
    <p class="lab-line">${field(id, "cases", "test examples,", 5)}
      <span class="lab-nowrap">a true error of ${field(id, "error", "%,", 4)}</span>
      <span class="lab-nowrap">${field(id, "confidence", "% confidence", 4)}</span></p>
    <p class="lab-line"><label class="lab-field">Method <select name="method">
      ${methods.map((m) => `<option value="${m.key}">${escape(m.name)}</option>`).join("")}
      </select></label></p>
    <p class="lab-wrong" id="${id}-wrong"></p>
    <div class="lab-buttons">
      <button type="button" data-add="1">Draw 1</button>
      <button type="button" data-add="100">Draw 100</button>
      <button type="button" data-add="0">Start again</button></div>
    <div class="lab-result">
      <p class="lab-head"><span class="lab-big lab-bad-news" data-out="misses"></span>
        <span class="lab-count"></span></p>
      <div class="lab-figure"><svg role="img"></svg></div>
      <details><summary>In the long run, exactly</summary>
        <p>With this method, size and true error <strong data-out="rate"></strong> of all intervals
          miss. Promised: at most <span class="lab-promised"></span>.</p></details>
    </div>
    <p class="lab-said" aria-live="polite"></p>`;
  const select = el.querySelector("select");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let values = null; // what the picture shows
  let drawn = 0; // test sets on it, of those that are asked for
  let shown = []; // their intervals
  let misses = [0]; // how many of the first i miss
  let range = [0, 1];
  let request = 0;

  const figure = picture(el.querySelector("svg"), (width) => {
    const promised = (100 - values.confidence) / 100;
    const sets = count(drawn, "test set");
    return {
      height: 336,
      label:
        `${sets}: the interval of each as a bar, the true error as a line, misses crossed. ` +
        `${told()}`,
      body:
        bars(width, values, shown, drawn, range) +
        running(width, misses, drawn, promised, highest(misses)),
    };
  });

  function told() {
    if (drawn === 0) return "No test set is drawn yet.";
    const verb = misses[drawn] === 1 ? "interval misses" : "intervals miss";
    return (
      `${count(drawn, "test set")}, ${misses[drawn]} ${verb} the true error: ` +
      `${percent(misses[drawn] / drawn)}. ` +
      `Promised: at most ${general(100 - values.confidence, 6)}%.`
    );
  }
  function show() {
    out(el, "misses", misses[drawn], String(misses[drawn]));
    const verb = misses[drawn] === 1 ? "misses" : "miss";
    el.querySelector(".lab-count").textContent = drawn
      ? `of ${count(drawn, "interval")} ${verb}: ${percent(misses[drawn] / drawn)}`
      : "of 0 intervals: draw a test set";
    figure.paint();
  }
  function finish() {
    show();
    announce(el, told());
  }
  function grow() {
    // a hundred in about half a second
    drawn = Math.min(values.drawn, drawn + 3);
    if (drawn === values.drawn) {
      finish();
      return;
    }
    show();
    request = requestAnimationFrame(grow);
  }
  function paint(typed) {
    const now = { ...typed };
    for (const name of ["method", "seed", "drawn"]) now[name] = model.get(name);
    const grown =
      values !== null &&
      Object.keys(now).every((name) =>
        name === "drawn" ? now.drawn >= values.drawn : now[name] === values[name],
      );
    values = now;
    cancelAnimationFrame(request);
    if (select.value !== values.method) select.value = values.method;
    for (const button of el.querySelectorAll("[data-add]")) {
      const add = Number(button.dataset.add);
      button.disabled = add ? values.drawn >= MOST : values.drawn === 0;
    }
    const interval = intervals(values);
    const p = values.error / 100;
    shown = counts(values, values.drawn).map(interval);
    misses = [0];
    for (const [low, high] of shown) misses.push(misses.at(-1) + (p < low || p > high ? 1 : 0));
    // the scale fits all but one test set in 2,000, so that it stays while they come in
    const table = binomialTable(values.cases, p);
    const [least, most] = [0.00025, 0.99975].map((level) => interval(firstAtLeast(table, level)));
    const margin = 0.06 * (most[1] - least[0]) + 1e-6;
    range = [
      Math.max(0, Math.min(least[0], p) - margin),
      Math.min(1, Math.max(most[1], p) + margin),
    ];
    const rate = missRate(values);
    out(el, "rate", rate, percent(rate));
    el.querySelector(".lab-promised").textContent = `${general(100 - values.confidence, 6)}%`;
    if (!grown) drawn = values.drawn;
    if (still.matches || values.drawn - drawn <= 1 || !el.checkVisibility()) {
      drawn = values.drawn;
      finish();
    } else grow();
  }
  function press(event) {
    const add = event.target.dataset?.add;
    if (add === undefined) return;
    const again = add === "0";
    model.set("drawn", again ? 0 : Math.min(MOST, model.get("drawn") + Number(add)));
    if (again) model.set("seed", model.get("seed") + 1);
    model.save_changes();
  }
  function choose() {
    model.set("method", select.value);
    model.save_changes();
  }
  const rules = bind({ el, model, rules: RULES, paint, also: ["method", "seed", "drawn"] });
  el.addEventListener("click", press);
  select.addEventListener("change", choose);
  return () => {
    el.removeEventListener("click", press);
    cancelAnimationFrame(request);
    rules.stop();
    figure.stop();
  };
}
export default { render };
