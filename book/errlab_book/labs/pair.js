// Two classifiers on the same examples: is one of them better?

import { binomialMass, ends } from "./numerics.js";
import { mcnemar, melded } from "./melded.js";
import { chance, count, digits, escape, fill, general, percent, points, sure } from "./words.js";
import {
  announce,
  bind,
  copies,
  dataMark,
  field,
  frame,
  out,
  picture,
  scale,
  ticks,
  unique,
} from "./kit.js";

const MOST = 1_000_000;
const NAMES = ["A", "B"];
const RULES = {
  both: { label: "the examples that both get wrong", whole: true, low: 0, high: MOST },
  only_a: { label: "the examples that only A gets wrong", whole: true, low: 0, high: MOST },
  only_b: { label: "the examples that only B gets wrong", whole: true, low: 0, high: MOST },
  neither: { label: "the examples that neither gets wrong", whole: true, low: 0, high: MOST },
  confidence: { label: "the confidence", low: 50, high: 99.9999 },
};

/** The exact McNemar test with its interval, as `errlab.report` gives them for two columns. */
export function pairTest({ both, only_a: n01, only_b: n10, neither, confidence }) {
  const n = both + n01 + n10 + neither;
  const delta = (100 - confidence) / 100;
  const [low, high] = melded(n01, n10, n, delta);
  return { n, delta, n01, n10, difference: (n01 - n10) / n, low, high, pvalue: mcnemar(n01, n10) };
}

/** The sentences of the report, filled with these counts: the difference, the answer, and the
 *  evidence. `beside` is what else is said of the examples. */
export function pairSentences(templates, values, found, [A, B] = NAMES, beside = []) {
  const { n, delta, n01, n10, difference, low, high, pvalue } = found;
  const sureness = sure(delta);
  const cases = count(n, "example");
  let verdict = "cannot tell";
  if (pvalue <= delta) verdict = n01 > n10 ? "better" : "worse";
  const answer = fill(templates.answers[verdict], { a: A, b: B, level: general(delta, 6) });
  const each = [
    [A, n01],
    [B, n10],
  ].map(([name, alone]) => {
    const errors = values.both + alone;
    const [least, most] = ends("CP", errors, n, delta / 2);
    const places = digits(least, most);
    return fill(templates.one, {
      name,
      errors: count(errors, "error"),
      cases,
      sure: sureness,
      rate: percent(errors / n, "near", places),
      upper: percent(ends("CP", errors, n, delta)[1], "up", places),
    });
  });
  const places = digits(low, high);
  return [
    fill(templates.difference, {
      a: A,
      b: B,
      cases,
      sure: sureness,
      difference: points(difference, places),
      low: points(low, places, "down"),
      high: points(high, places, "up"),
    }),
    fill(templates.answer, { answer, chance: chance(pvalue, delta) }),
    ...each,
    ...beside,
    fill(templates.disagree, { a: A, b: B, n01, n10, cases: count(n01 + n10, "example") }),
    templates.interval,
  ];
}

/** The conditions under which the claims hold. */
export function pairConditions({ fixed, claims, together, pair }, delta) {
  const also = 3 * delta < 1 ? fill(together, { sure: sure(3 * delta) }) : "";
  return [...fixed, fill(claims, { together: also }), pair];
}

/** The interval of a difference against 0. */
export function difference(width, found, [A, B]) {
  const reach = 1.12 * Math.max(Math.abs(found.low), Math.abs(found.high), 1e-9);
  const at = scale(-reach, reach, 12, width - 12);
  const places = digits(found.low, found.high);
  const marks = ticks(-reach, reach, Math.max(4, Math.round(width / 110))).map(
    (tick) =>
      `<path class="lab-axis" d="M${at(tick)} 74v5"/><text x="${at(tick)}" ` +
      `y="93" text-anchor="middle">` +
      `${tick > 0 ? "+" : ""}${Number((100 * tick).toPrecision(6))}</text>`,
  );
  return (
    `<text x="${at(0) - 12}" y="14" text-anchor="end">← ${A} is better</text>` +
    `<text x="${at(0) + 12}" y="14">${B} is better →</text>` +
    `<path class="lab-truth" d="M${at(0)} 2V74"/>` +
    `<path class="lab-bar" d="M${at(found.low)} 44H${at(found.high)}"/>` +
    `<path class="lab-cap" d="M${at(found.low)} 37v14M${at(found.high)} 37v14"/>` +
    `<circle class="lab-dot" cx="${at(found.difference)}" cy="44" r="5"/>` +
    dataMark(at(found.difference), 44, "difference", points(found.difference, places)) +
    dataMark(at(found.low), 44, "interval, from", points(found.low, places, "down")) +
    dataMark(at(found.high), 44, "interval, to", points(found.high, places, "up")) +
    `<path class="lab-axis" d="M12 74H${width - 12}"/>${marks.join("")}` +
    `<text x="${width - 12}" y="112" text-anchor="end">${width < 420 ? "" : "error of "}${A} ` +
    `minus ${width < 420 ? "" : "error of "}${B}, in points</text>`
  );
}

/** What coins would do in place of the examples on which the two disagree. */
function coins(width, top, { n01, n10 }, [A]) {
  const m = n01 + n10;
  const ground = top + 104;
  if (m === 0)
    return (
      `<text x="12" y="${top + 50}">` +
      `They never disagree, so that there is nothing to compare.</text>`
    );
  const spread = (4.4 * Math.sqrt(m)) / 2 + 1;
  const from = Math.max(0, Math.min(Math.floor(m / 2 - spread), n01 - 1, n10 - 1));
  const to = Math.min(m, Math.max(Math.ceil(m / 2 + spread), n01 + 1, n10 + 1));
  const at = scale(from - 0.5, to + 0.5, 12, width - 12);
  const tallest = binomialMass(Math.floor(m / 2), m, 0.5);
  const up = scale(0, tallest, ground, top + 26);
  const stride = Math.max(1, Math.ceil((to - from) / 150));
  const wide = at(from + stride) - at(from);
  const gap = wide > 5 ? 1.5 : 0;
  const far = Math.abs(n01 - n10);
  let usual = "";
  let rare = "";
  let values = "";
  for (let k = from; k <= to; k += stride) {
    const bar =
      `M${(at(k) - wide / 2 + gap / 2).toFixed(1)} ${ground}` +
      `V${up(binomialMass(k, m, 0.5))}h${(wide - gap).toFixed(1)}V${ground}z`;
    const share = percent(binomialMass(k, m, 0.5));
    values += dataMark(at(k), up(binomialMass(k, m, 0.5)), `${k} of ${m} heads`, share);
    if (Math.abs(2 * k - m) >= far) rare += bar;
    else usual += bar;
  }
  const said =
    width < 540
      ? `${count(m, "coin")}; in colour: as uneven or more`
      : `${count(m, "coin")} in place of the examples on which they disagree; ` +
        `in colour: as uneven or more`;
  return (
    `<text x="12" y="${top + 12}">${said}</text>` +
    `<path class="lab-coin" d="${usual}"/><path class="lab-rare" d="${rare}"/>${values}` +
    `<path class="lab-axis" d="M12 ${ground}H${width - 12}"/>` +
    `<path class="lab-needle" d="M${at(n01)} ${ground + 3}l-5 9h10z"/>` +
    `<text x="${at(n01)}" y="${ground + 26}" ` +
    `text-anchor="${at(n01) > width - 90 ? "end" : at(n01) < 90 ? "start" : "middle"}">` +
    `only ${A} wrong: ${n01}</text>`
  );
}

/** The picture of a comparison: the interval against 0, and coins in place of the examples. */
export function pairPicture(width, found, words, names = NAMES) {
  const most = width < 420 ? 11 : 18; // letters of a name
  const shown = names.map((name) =>
    escape(name.length > most ? `${name.slice(0, most - 1)}…` : name),
  );
  return {
    height: 262,
    label:
      `The interval of the difference against 0, and how often coins fall so far apart. ` +
      `${words}`,
    body: difference(width, found, shown) + coins(width, 128, found, shown),
  };
}

export function render({ model, el }) {
  const id = unique("pair");
  const words = model.get("words");
  const cell = (name) =>
    `<td>${field(id, name, `<span class="lab-unseen">${RULES[name].label}</span>`, 5)}</td>`;
  frame(el, id);
  el.innerHTML = `
    <p class="lab-title" id="${id}-title">Is one of the two better?</p>
    <div class="lab-columns"><table class="lab-matrix">
      <thead><tr><td></td><th scope="col">B wrong</th><th scope="col">B right</th></tr></thead>
      <tbody><tr><th scope="row">A wrong</th>${cell("both")}${cell("only_a")}</tr>
        <tr><th scope="row">A right</th>${cell("only_b")}${cell("neither")}</tr></tbody></table>
      <p class="lab-line">${field(id, "confidence", "% confidence")}</p></div>
    <p class="lab-wrong" id="${id}-wrong"></p>
    <div class="lab-result">
      <div class="lab-shared">
        <span id="${id}-shared">Same errors of each, wrong together on <output></output></span>
        <input type="range" autocomplete="off" aria-labelledby="${id}-shared"></div>
      <p class="lab-answer"></p>
      <p class="lab-under"><span data-out="pvalue"></span>; error of A minus error of B
        <span data-out="difference"></span> points, interval <span data-out="low"></span> to
        <span data-out="high"></span>.</p>
      <div class="lab-figure"><svg role="img"></svg></div>
      <div class="lab-print"><p class="lab-sentence"></p>
        <button type="button" class="lab-copy">Copy</button></div>
      <details><summary>This holds if …</summary><ul class="lab-conditions"></ul></details>
    </div>
    <p class="lab-said" aria-live="polite"></p>`;
  const sentence = el.querySelector(".lab-sentence");
  const shared = el.querySelector(".lab-shared input");
  let found = null;

  const figure = picture(el.querySelector("svg"), (width) =>
    pairPicture(width, found, sentence.textContent),
  );

  function paint(values) {
    found = pairTest(values);
    shared.min = Math.max(0, values.both - values.neither);
    shared.max = values.both + Math.min(values.only_a, values.only_b);
    shared.value = values.both;
    el.querySelector("output").textContent = values.both;
    const places = digits(found.low, found.high);
    const said = pairSentences(words.report, values, found);
    el.querySelector(".lab-answer").textContent = said[1];
    el.querySelector(".lab-answer").classList.toggle("lab-open", found.pvalue > found.delta);
    sentence.textContent = said.join(" ");
    out(el, "pvalue", found.pvalue, chance(found.pvalue, found.delta));
    out(el, "difference", found.difference, points(found.difference, places));
    out(el, "low", found.low, points(found.low, places, "down"));
    out(el, "high", found.high, points(found.high, places, "up"));
    el.querySelector(".lab-conditions").innerHTML = pairConditions(words.conditions, found.delta)
      .map((text) => `<li>${escape(text)}</li>`)
      .join("");
    figure.paint();
    announce(el, `${said[1]} ${said[0]}`);
  }
  function share() {
    // the errors of A and of B stay
    const more = Number(shared.value) - model.get("both");
    for (const [name, sign] of [
      ["both", 1],
      ["only_a", -1],
      ["only_b", -1],
      ["neither", 1],
    ]) {
      model.set(name, model.get(name) + sign * more);
    }
    model.save_changes();
  }
  const some = ({ both, only_a: x, only_b: y, neither }) =>
    both + x + y + neither > 0 ? "" : "there must be at least one example";
  copies(el.querySelector(".lab-copy"), sentence, () => sentence.textContent);
  const fields = bind({ el, model, rules: RULES, check: some, paint });
  shared.addEventListener("input", share);
  return () => {
    shared.removeEventListener("input", share);
    fields.stop();
    figure.stop();
  };
}
export default { render };
