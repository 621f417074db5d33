// Draw from your own sample, ball by ball: what the bootstrap can and cannot see.

import { binomialMass, binomialTable, ends, firstAtLeast, random } from "./numerics.js";
import { count, percent } from "./words.js";
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

const MOST = 1000; // samples
const ENOUGH = 100; // samples from which on the picture shows where endless ones would lead
const DELTA = 0.05;
const RULES = {
  cases: { label: "the number of balls", whole: true, low: 2, high: 200 },
  errors: {
    label: "the number of red balls",
    whole: true,
    low: 0,
    high: ({ cases }) => (cases >= 2 && cases <= 200 ? cases : 200),
  },
};

/** The balls drawn, each a place in the bag; those in the first `errors` places are red. */
export function draws({ seed, cases, balls }) {
  const next = random(seed);
  return Array.from({ length: balls }, () => Math.floor(next() * cases));
}

/** The red balls in each complete sample. */
export function sampleCounts(values) {
  const found = [];
  draws(values).forEach((place, i) => {
    if (i % values.cases === 0) found.push(0);
    if (place < values.errors) found[found.length - 1] += 1;
  });
  return found.slice(0, Math.floor(values.balls / values.cases));
}

/** The ends of the percentile interval of endlessly many samples. */
export function percentileInterval({ cases, errors }) {
  const table = binomialTable(cases, errors / cases);
  return [DELTA / 2, 1 - DELTA / 2].map((level) => firstAtLeast(table, level) / cases);
}

function ball(x, y, r, red, extra = "") {
  const cross = red
    ? `<path class="lab-ball-mark" d="M${x - r / 2} ${y - r / 2}l${r} ${r}m0 ${-r}l${-r} ${r}"/>`
    : "";
  return (
    `<g class="lab-ball${red ? " lab-red" : ""}${extra}">` +
    `<circle cx="${x}" cy="${y}" r="${r}"/>${cross}</g>`
  );
}

/** Balls in rows: `kinds` are "red", "plain" or "" for an empty place. */
function balls(kinds, left, top, width, size, ringed) {
  const row = Math.floor(width / size);
  return kinds
    .map((kind, i) => {
      const x = left + size * ((i % row) + 0.5);
      const y = top + size * (Math.floor(i / row) + 0.5);
      const r = size * 0.38;
      if (!kind)
        return `<circle class="lab-place" cx="${x}" cy="${y}" r="${(r * 0.5).toFixed(1)}"/>`;
      return ball(x, y, r, kind === "red", i === ringed ? " lab-drawn" : "");
    })
    .join("");
}

/** Where each ball of the bag lies on the picture: shuffled, so that the bag looks mixed. */
function mixed(cases) {
  const next = random(cases);
  const place = Array.from({ length: cases }, (_, i) => i);
  for (let i = cases - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [place[i], place[j]] = [place[j], place[i]];
  }
  return place;
}

function histogram(width, top, height, values, found) {
  const { cases, errors } = values;
  const left = 8;
  const [low, high] = percentileInterval(values);
  const [cpLow, cpHigh] = ends("CP", errors, cases, DELTA / 2);
  const reach = Math.min(1, Math.max(1.1 * cpHigh, high + 3 / cases, 6 / cases));
  const at = scale(0, reach, left + 12, width - 12);
  const last = Math.min(cases, Math.floor(reach * cases));
  const heights = Array(cases + 1).fill(0);
  for (const k of found) heights[k] += 1;
  const law = Array.from({ length: last + 1 }, (_, k) => binomialMass(k, cases, errors / cases));
  const tallest = Math.max(...law) * 1.25;
  const share = (k) => (found.length ? heights[k] / found.length : 0);
  const most = Math.max(tallest, ...heights.map((_, k) => share(k)));
  const up = scale(0, most, top + height, top);
  const bar = Math.max(1.5, Math.min(26, (at(1 / cases) - at(0)) * 0.75));
  const ground = top + height;
  const bars = heights
    .slice(0, last + 1)
    .map((number, k) =>
      number
        ? `<path class="lab-fill" d="M${(at(k / cases) - bar / 2).toFixed(1)} ` +
          `${ground}V${up(share(k))}h${bar}V${ground}z"/>` +
          dataMark(at(k / cases), up(share(k)), `${k} of ${cases} red`, `${number} samples`)
        : "",
    );
  const dots =
    found.length >= ENOUGH
      ? law
          .map((p, k) => `<circle class="lab-law" cx="${at(k / cases)}" cy="${up(p)}" r="3"/>`)
          .join("")
      : "";
  const wide = width >= 480;
  const bracket = (a, b, y, kind, words) =>
    `<path class="${kind}" d="M${at(a)} ${y - 4}v8m0 -4H${Math.max(at(b), at(a) + 2)}m0 -4v8"/>` +
    dataMark(at(a), y, words, `from ${percent(a, "down")}`) +
    dataMark(at(b), y, words, `to ${percent(b, "up")}`) +
    (wide
      ? `<text x="${Math.min(at(b) + 8, width - 112)}" y="${y + 4}" ` +
        `class="lab-halo">${words}</text>`
      : `<text x="${left}" y="${y - 8}">${words}</text>`);
  const marks = ticks(0, reach, Math.max(3, Math.round(width / 110)))
    .map(
      (tick) =>
        `<path class="lab-axis" d="M${at(tick)} ${ground}v5"/>` +
        `<text x="${at(tick)}" y="${ground + 19}" text-anchor="middle">${tickPercent(tick)}</text>`,
    )
    .join("");
  return (
    `${bars.join("")}${dots}<path class="lab-axis" d="M${left} ${ground}H${width - 8}"/>${marks}` +
    (found.length < ENOUGH
      ? `<text x="${left}" y="${ground + 44}">error rate of each sample</text>`
      : bracket(low, high, ground + (wide ? 40 : 50), "lab-cap", "percentile") +
        `<text x="${width - 8}" y="${top + 4}" text-anchor="end">rings: endless samples</text>` +
        bracket(cpLow, cpHigh, ground + (wide ? 64 : 82), "lab-cap lab-other", "Clopper-Pearson"))
  );
}

export function render({ model, el }) {
  const id = unique("bag");
  frame(el, id);
  el.innerHTML = `
    <p class="lab-title" id="${id}-title">A bag of balls</p>
    <p class="lab-line">A test with ${field(id, "errors", "errors in", 3)}
      <span class="lab-nowrap">${field(id, "cases", "examples.", 4)}</span></p>
    <p class="lab-under">Each example is a ball, red for an error.</p>
    <p class="lab-wrong" id="${id}-wrong"></p>
    <div class="lab-buttons">
      <button type="button" data-do="ball">Draw a ball</button>
      <button type="button" data-do="sample">Fill the sample</button>
      <button type="button" data-do="many">100 samples</button>
      <button type="button" data-do="again">Start again</button></div>
    <div class="lab-result">
      <p class="lab-state"></p>
      <div class="lab-figure"><svg role="img"></svg></div>
      <details><summary>With endless samples</summary>
        <p>The 95% percentile interval is <strong><span data-out="low"></span> to
          <span data-out="high"></span></strong>; Clopper-Pearson's, which has a proof,
          <strong><span data-out="cp_low"></span> to <span data-out="cp_high"></span></strong>.
          <strong data-out="empty"></strong> of the samples hold no red ball.</p></details>
    </div>
    <p class="lab-said" aria-live="polite"></p>`;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let values = null;
  let shown = 0; // balls on the picture
  let drawn = []; // all balls, by place
  let request = 0;

  const figure = picture(el.querySelector("svg"), (width) => {
    const { cases, errors } = values;
    const place = mixed(cases);
    const kinds = Array(cases).fill("plain");
    for (const where of place.slice(0, errors)) kinds[where] = "red";
    const whole = Math.floor(shown / cases);
    const rest = shown % cases;
    const from = rest || shown === 0 ? whole * cases : (whole - 1) * cases;
    const now = drawn.slice(from, shown).map((p) => (p < errors ? "red" : "plain"));
    const half = (width - 24) / 2;
    const size = Math.max(7, Math.min(26, Math.floor(Math.sqrt((half * 110) / cases))));
    const rows = Math.ceil(cases / Math.floor(half / size));
    const tall = rows * size;
    const ringed = rest ? place[drawn[shown - 1]] : -1;
    const slots = [...now, ...Array(cases - now.length).fill("")];
    const found = sampleCounts({ ...values, balls: shown });
    const height = 120;
    return {
      height: tall + 30 + height + (width < 480 ? 106 : 90),
      label:
        `${told()} Below, the error rates of the samples so far, the percentile interval ` +
        `and Clopper-Pearson's.`,
      body:
        `<text x="0" y="12">the bag: ${cases} examples</text>` +
        `<text x="${half + 24}" y="12">the sample: ${cases} draws</text>` +
        balls(kinds, 0, 20, half, size, ringed) +
        balls(slots, half + 24, 20, half, size, rest ? rest - 1 : -1) +
        histogram(width, tall + 48, height - 14, values, found),
    };
  });

  function told() {
    const { cases, errors } = values;
    const whole = Math.floor(shown / cases);
    const rest = shown % cases;
    if (shown === 0) return errors === 0 ? "No ball in this bag is red." : "Nothing is drawn yet.";
    if (rest) {
      const red = drawn[shown - 1] < errors ? "red, an error" : "not red";
      return `Ball ${rest} of ${cases} is ${red}. It goes back into the bag.`;
    }
    const found = sampleCounts({ ...values, balls: shown });
    const empty = found.filter((k) => k === 0).length;
    const last =
      `Sample ${whole}: ${count(found.at(-1), "error")} in ${cases}, ` +
      `${percent(found.at(-1) / cases)}.`;
    return whole === 1 ? last : `${last} ${empty} of ${whole} samples hold no red ball.`;
  }
  function show() {
    el.querySelector(".lab-state").textContent = told();
    figure.paint();
  }
  function finish() {
    show();
    announce(el, told());
  }
  function grow() {
    // a sample in about half a second
    const left = values.balls - shown;
    const step = Math.max(1, Math.ceil(Math.max(values.cases, left) / 25));
    shown = Math.min(
      values.balls,
      shown + (left > values.cases ? Math.ceil(step / values.cases) * values.cases : step),
    );
    if (shown === values.balls) {
      finish();
      return;
    }
    show();
    request = requestAnimationFrame(grow);
  }
  function paint(typed) {
    const before = values;
    const other = before && (typed.cases !== before.cases || typed.errors !== before.errors);
    if (other && model.get("balls") > 0) {
      // another bag: the samples of the old one go
      model.set("balls", 0);
      model.save_changes();
    }
    values = { ...typed, seed: model.get("seed"), balls: model.get("balls") };
    cancelAnimationFrame(request);
    drawn = draws(values);
    if (!before || other || values.seed !== before.seed || values.balls < shown)
      shown = values.balls;
    const [low, high] = percentileInterval(values);
    const [cpLow, cpHigh] = ends("CP", values.errors, values.cases, DELTA / 2);
    const empty = binomialMass(0, values.cases, values.errors / values.cases);
    out(el, "low", low, percent(low, "down"));
    out(el, "high", high, percent(high, "up"));
    out(el, "cp_low", cpLow, percent(cpLow, "down"));
    out(el, "cp_high", cpHigh, percent(cpHigh, "up"));
    out(el, "empty", empty, percent(empty));
    const full = values.balls >= MOST * values.cases;
    for (const button of el.querySelectorAll("[data-do]")) {
      button.disabled = button.dataset.do === "again" ? values.balls === 0 : full;
    }
    if (still.matches || values.balls - shown <= 1 || !el.checkVisibility()) {
      shown = values.balls;
      finish();
    } else grow();
  }
  function press(event) {
    const what = event.target.dataset?.do;
    if (!what) return;
    const now = model.get("balls");
    const { cases } = values;
    const whole = Math.floor(now / cases);
    const next = {
      ball: now + 1,
      sample: (whole + 1) * cases,
      many: (whole + 100) * cases,
      again: 0,
    }[what];
    if (what === "again") model.set("seed", model.get("seed") + 1);
    model.set("balls", Math.min(next, MOST * cases));
    model.save_changes();
  }
  const rules = bind({ el, model, rules: RULES, paint, also: ["seed", "balls"] });
  el.addEventListener("click", press);
  return () => {
    el.removeEventListener("click", press);
    cancelAnimationFrame(request);
    rules.stop();
    figure.stop();
  };
}
export default { render };
