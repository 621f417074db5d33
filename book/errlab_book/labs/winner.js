// Candidates on a validation set, which is drawn anew as often as the reader likes.

import { binomialTable, firstAtLeast, random } from "./numerics.js";
import { count, escape, percent } from "./words.js";
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

const MOST = 1000; // validation sets
const RULES = {
  models: { label: "the number of models", whole: true, low: 1, high: 100 },
  cases: { label: "the number of validation examples", whole: true, low: 10, high: 5000 },
};

/** The true error of each model. */
export function risks({ models, candidates }) {
  return Array.from({ length: models }, (_, i) =>
    candidates === "different" ? 0.2 + 0.2 * ((i + 0.5) / models) : 0.3,
  );
}

/** A function that draws the next validation set: the errors of each model on it. */
export function drawer(values) {
  const next = random(values.seed);
  const tables = new Map(); // a table for each true error
  const laws = risks(values).map((risk) => {
    if (!tables.has(risk)) tables.set(risk, binomialTable(values.cases, risk));
    return tables.get(risk);
  });
  return () => laws.map((law) => firstAtLeast(law, next()));
}

function drawn(width, values, truths, errors, best, last, average) {
  const left = 44;
  const height = 210;
  const spread = 4 * Math.sqrt(0.21 / values.cases);
  const [least, most] = values.candidates === "different" ? [0.2, 0.4] : [0.3, 0.3];
  const low = Math.max(0, Math.min(least - spread, ...errors.map((k) => k / values.cases)) - 0.01);
  const high = Math.min(1, Math.max(most + spread, ...errors.map((k) => k / values.cases)) + 0.01);
  const at = scale(low, high, height - 24, 34); // with room for a name below
  const step = (width - left) / errors.length;
  const x = (i) => Number((left + (i + 0.5) * step).toFixed(1));
  const r = Math.max(1.5, Math.min(5, step * 0.35));
  const half = Math.max(1, Math.min(12, step * 0.45));
  const labels = ticks(low, high, 5).map(
    (tick) =>
      `<path class="lab-grid" d="M${left} ${at(tick)}H${width}"/>` +
      `<text x="${left - 8}" y="${at(tick) + 4}" text-anchor="end">${tickPercent(tick)}</text>`,
  );
  const marks = truths.map(
    (risk, i) => `M${(x(i) - half).toFixed(1)} ${at(risk)}h${(2 * half).toFixed(1)}`,
  );
  const told = errors.map((k, i) => {
    const words = `validation ${percent(k / values.cases)}, true ${percent(truths[i])}`;
    return dataMark(x(i), at(k / values.cases), `model ${i + 1}`, words);
  });
  const dots = errors.map((k, i) =>
    i === best
      ? ""
      : `<circle class="lab-tried" cx="${x(i)}" cy="${at(k / values.cases)}" r="${r.toFixed(1)}"/>`,
  );
  const [wx, wy] = [x(best), at(errors[best] / values.cases)];
  // below its square nothing lies, since no other error is lower
  const side = wx > width - 30 ? "end" : wx < left + 30 ? "start" : "middle";
  const framed = last !== null && last !== best;
  let before = "";
  if (framed) {
    const [lx, ly] = [x(last), at(errors[last] / values.cases)];
    before = `<path class="lab-other" d="M${lx - 6} ${ly - 6}h12v12h-12z"/>`;
  }
  const keys = [
    count(errors.length, "model"),
    ...(framed ? ["frame: the last winner"] : []),
    ...(average === null ? [] : ["dashed: winners on average"]),
  ];
  const lines = width < 420 ? [keys.slice(0, 2).join("; "), ...keys.slice(2)] : [keys.join("; ")];
  return (
    labels.join("") +
    (average === null ? "" : `<path class="lab-promise" d="M${left} ${at(average)}H${width}"/>`) +
    `<path class="lab-truth" d="${marks.join("")}"/>${dots.join("")}${told.join("")}` +
    `<path class="lab-cross" d="M${wx} ${at(truths[best])}V${wy}"/>` +
    before +
    `<path class="lab-rare" d="M${wx - 6} ${wy - 6}h12v12h-12z"/>` +
    `<text x="${wx}" y="${wy + 19}" text-anchor="${side}" class="lab-halo">winner</text>` +
    `<text x="0" y="12">${
      width < 420
        ? "dots: validation errors; bars: the truth"
        : "each model: a dot for its validation error, a bar for its true error"
    }</text>` +
    lines.map((line, i) => `<text x="${left}" y="${height + 8 + 16 * i}">${line}</text>`).join("")
  );
}

export function render({ model, el }) {
  const id = unique("winner");
  const words = model.get("words");
  frame(el, id);
  el.innerHTML = `
    <p class="lab-title" id="${id}-title">The winner of a validation set</p>
    <p class="lab-line">${field(id, "models", "models,", 3)}
      <span class="lab-nowrap"><label class="lab-field"><select name="candidates">
        ${words.candidates.map((name) => `<option>${escape(name)}</option>`).join("")}
        </select></label>,</span>
      <span class="lab-nowrap">on ${field(id, "cases", "validation examples.", 4)}</span></p>
    <p class="lab-wrong" id="${id}-wrong"></p>
    <div class="lab-buttons">
      <button type="button" data-add="1">New validation set</button>
      <button type="button" data-add="100">100 new sets</button>
      <button type="button" data-add="0">Start again</button></div>
    <div class="lab-result">
      <p class="lab-state"></p>
      <div class="lab-figure"><svg role="img"></svg></div>
      <p class="lab-under">Over <span data-out="sets"></span>, winners show
        <span data-out="mean_shown"></span> on average, at a true error of
        <span data-out="mean_truth"></span>.</p>
      <p class="lab-unseen"><span data-out="shown"></span> <span data-out="truth"></span></p>
    </div>
    <p class="lab-said" aria-live="polite"></p>`;
  const select = el.querySelector("select");
  select.setAttribute("aria-label", "The candidates");
  let values = null;
  let truths = [];
  let draw = null; // the next validation set
  let number = 0; // of those that are drawn
  let errors = []; // of each model on the last one
  let best = 0;
  let last = null; // the winner of the set before
  let sums = [0, 0]; // what the winners show, and their true errors

  const figure = picture(el.querySelector("svg"), (width) => ({
    height: width < 420 ? 240 : 222,
    label:
      `Each model: its validation error and its true error; ` +
      `the winner and its gap are marked. ${told()}`,
    body: drawn(width, values, truths, errors, best, last, number > 1 ? sums[0] / number : null),
  }));
  function told() {
    const before =
      last === null || last === best
        ? ""
        : ` The last winner shows ${percent(errors[last] / values.cases)}.`;
    return (
      `The winner, model ${best + 1} of ${values.models}, ` +
      `shows ${percent(errors[best] / values.cases)}; ` +
      `its true error is ${percent(truths[best])}.${before}`
    );
  }
  function paint(typed) {
    const now = { ...typed };
    for (const name of ["candidates", "seed", "sets"]) now[name] = model.get(name);
    const grown =
      values !== null &&
      now.sets >= number &&
      ["models", "cases", "candidates", "seed"].every((name) => now[name] === values[name]);
    values = now;
    if (!grown) {
      truths = risks(values);
      draw = drawer(values);
      number = 0;
      last = null;
      sums = [0, 0];
    }
    for (; number < values.sets; number++) {
      errors = draw();
      last = number > 0 ? best : null;
      best = errors.indexOf(Math.min(...errors));
      sums = [sums[0] + errors[best] / values.cases, sums[1] + truths[best]];
    }
    if (select.value !== values.candidates) select.value = values.candidates;
    for (const button of el.querySelectorAll("[data-add]")) {
      button.disabled = button.dataset.add === "0" ? number === 1 : number >= MOST;
    }
    out(el, "sets", number, count(number, "validation set"));
    out(el, "mean_shown", sums[0] / number, percent(sums[0] / number));
    out(el, "mean_truth", sums[1] / number, percent(sums[1] / number));
    out(el, "shown", errors[best] / values.cases, "");
    out(el, "truth", truths[best], "");
    el.querySelector(".lab-state").textContent = told();
    figure.paint();
    announce(el, number > 1 ? `Validation set ${number}. ${told()}` : told());
  }
  function press(event) {
    const add = event.target.dataset?.add;
    if (add === undefined) return;
    model.set("sets", add === "0" ? 1 : Math.min(MOST, model.get("sets") + Number(add)));
    if (add === "0") model.set("seed", model.get("seed") + 1);
    model.save_changes();
  }
  function choose() {
    model.set("candidates", select.value);
    model.save_changes();
  }
  const rules = bind({ el, model, rules: RULES, paint, also: ["candidates", "seed", "sets"] });
  el.addEventListener("click", press);
  select.addEventListener("change", choose);
  return () => {
    el.removeEventListener("click", press);
    select.removeEventListener("change", choose);
    rules.stop();
    figure.stop();
  };
}
export default { render };
