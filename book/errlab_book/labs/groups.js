// Scans of a few patients: a small square each, a row of them wrong at once where they are alike.

import { groupEnds } from "./bets.js";
import { ends, random } from "./numerics.js";
import { count, percent } from "./words.js";
import {
  announce,
  axis,
  bind,
  dataMark,
  field,
  frame,
  out,
  picture,
  scale,
  unique,
} from "./kit.js";

const DELTA = 0.05;
const RULES = {
  groups: { label: "the number of patients", whole: true, low: 10, high: 200 },
  size: { label: "the number of scans", whole: true, low: 1, high: 20 },
  alike: { label: "how much scans are alike", low: 0, high: 100 },
};

/** Which scans are wrong, patient by patient. With a certain chance a scan repeats its patient's
 *  lot, else it has its own. */
export function losses({ groups, size, alike, seed }, error) {
  const next = random(seed);
  const copied = Math.sqrt(alike / 100);
  return Array.from({ length: groups }, () => {
    const shared = next() < error;
    return Array.from({ length: size }, () => {
      const copies = next() < copied;
      const own = next() < error;
      return copies ? shared : own;
    });
  });
}

/** The intervals of scans and of patients (`errlab.metrics.grouped_betting`). */
export function intervals(wrong) {
  const [groups, size] = [wrong.length, wrong[0].length];
  const n = groups * size;
  const sums = wrong.map((scans) => scans.filter(Boolean).length);
  const k = sums.reduce((a, b) => a + b, 0);
  const mean = k / n;
  let effective = groups; // of all right or all wrong nobody can tell how alike they are
  if (k > 0 && k < n) {
    const between = sums.reduce((sum, s) => sum + (s - size * mean) ** 2, 0) / (1 - 1 / groups);
    const effect = between / n ** 2 / ((mean * (1 - mean)) / (n - 1));
    effective = n / Math.max(1, effect);
  }
  const scans = ends("CP", k, n, DELTA / 2);
  const sizes = wrong.map(() => size);
  // patients of one scan each are scans
  const patients = size === 1 ? scans : groupEnds(sums, sizes, size, DELTA, true);
  return { n, k, mean, effective, rows: scans, patients };
}

const told = ([low, high]) => `${percent(low, "down")} to ${percent(high, "up")}`;

function drawn(width, wrong, found, error) {
  const [groups, size] = [wrong.length, wrong[0].length];
  const tall = 10;
  const at = scale(0, groups, 0, width);
  const side = (width / groups) * 0.8;
  let right = "";
  let bad = "";
  wrong.forEach((scans, g) =>
    scans.forEach((is, i) => {
      const cell = `M${at(g)} ${20 + i * tall}h${side.toFixed(1)}v${tall - 2}h-${side.toFixed(1)}z`;
      if (is) bad += cell;
      else right += cell;
    }),
  );
  const columns = wrong
    .map((scans, g) => {
      const text = `${scans.filter(Boolean).length} of ${count(size, "scan")} wrong`;
      return dataMark(at(g + 0.4), 20 + (size * tall) / 2, `patient ${g + 1}`, text);
    })
    .join("");
  const top = 20 + size * tall + 14;
  const most = 1.1 * Math.max(error, found.rows[1], found.patients[1]);
  const x = scale(0, most, 8, width - 24);
  const bar = (how, [low, high], y) =>
    `<path class="lab-bar" d="M${x(low)} ${y}H${x(high)}"/>` +
    `<path class="lab-cap" d="M${x(low)} ${y - 6}v12M${x(high)} ${y - 6}v12"/>` +
    dataMark(x(low), y, how, `from ${percent(low, "down")}`) +
    dataMark(x(high), y, how, `to ${percent(high, "up")}`);
  // the line of the true error begins at the first bar and leaves out the words of the second
  const words = (how, ends, y) => `<text x="8" y="${y}">${how}: ${told(ends)}</text>`;
  return {
    height: top + 128,
    label:
      `A column for each of ${groups} patients, a square for each scan, the wrong ones in ` +
      `colour. Scan by scan ${told(found.rows)}, patient by patient ${told(found.patients)}.`,
    body:
      `<text x="0" y="12">a column for each patient; in colour: wrong</text>` +
      `<path class="lab-place" d="${right}"/><path class="lab-rare" d="${bad}"/>` +
      `<path class="lab-truth" d="M${x(error)} ${top + 19}V${top + 44}m0 19V${top + 88}"/>` +
      words("scan by scan", found.rows, top + 14) +
      words("patient by patient", found.patients, top + 58) +
      columns +
      dataMark(x(error), top + 82, "true error", percent(error)) +
      bar("scan by scan", found.rows, top + 26) +
      bar("patient by patient", found.patients, top + 70) +
      axis(x, top + 88, 0, most, Math.max(3, Math.round(width / 110))) +
      `<text x="8" y="${top + 123}">line: the true error</text>`,
  };
}

export function render({ model, el }) {
  const id = unique("groups");
  const { error } = model.get("words");
  frame(el, id);
  el.innerHTML = `
    <p class="lab-title" id="${id}-title">How many examples are these?</p>
    <p class="lab-line">${field(id, "groups", "patients,", 3)}
      <span class="lab-nowrap">${field(id, "size", "scans of each,", 3)}</span>
      <span class="lab-nowrap">${field(id, "alike", "% alike", 3)}</span></p>
    <p class="lab-wrong" id="${id}-wrong"></p>
    <div class="lab-buttons"><button type="button">New test set</button></div>
    <div class="lab-result">
      <p class="lab-head"><span class="lab-big" data-out="effective"></span>
        <span class="lab-count"></span></p>
      <div class="lab-figure"><svg role="img"></svg></div>
    </div>
    <p class="lab-said" aria-live="polite"></p>`;
  let wrong = null;
  let found = null;
  const figure = picture(el.querySelector("svg"), (width) => drawn(width, wrong, found, error));

  function paint(values) {
    wrong = losses({ ...values, seed: model.get("seed") }, error);
    found = intervals(wrong);
    const worth =
      `independent scans' worth, in ${count(found.n, "scan")} ` +
      `of ${count(wrong.length, "patient")}`;
    out(el, "effective", found.effective, found.effective.toFixed(0));
    el.querySelector(".lab-count").textContent = worth;
    figure.paint();
    announce(el, `${found.effective.toFixed(0)} ${worth}. ${told(found.patients)}.`);
  }
  function press(event) {
    if (!event.target.closest("button")) return;
    model.set("seed", model.get("seed") + 1);
    model.save_changes();
  }
  const rules = bind({ el, model, rules: RULES, paint, also: ["seed"] });
  el.addEventListener("click", press);
  return () => {
    el.removeEventListener("click", press);
    rules.stop();
    figure.stop();
  };
}
export default { render };
