// What can you claim after k errors in n examples?

import { ends, sampleSize } from "./numerics.js";
import { count, digits, escape, fill, percent, sure } from "./words.js";
import {
  announce,
  axis,
  bind,
  copies,
  dataMark,
  field,
  frame,
  grouped,
  out,
  picture,
  scale,
  unique,
} from "./kit.js";

const MOST = 10_000_000;
const RULES = {
  errors: {
    label: "the number of errors",
    whole: true,
    low: 0,
    high: ({ cases }) => (cases >= 1 && cases <= MOST ? cases : MOST),
  },
  cases: { label: "the number of test examples", whole: true, low: 1, high: MOST },
  confidence: { label: "the confidence", low: 50, high: 99.9999 },
};
const PLAN_RULES = {
  expected: { label: "the error that you expect", low: 0, high: 99 },
  target: { label: "the claim", low: 0.01, high: 100 },
};

/** The probability that a claim may fail, from the confidence in percent. */
export function failure(confidence) {
  return (100 - confidence) / 100;
}

/** The one-sided bound and the two-sided interval of one method. */
export function claim(key, { errors, cases, confidence }) {
  const delta = failure(confidence);
  const [low, high] = ends(key, errors, cases, delta / 2);
  return { upper: ends(key, errors, cases, delta)[1], low, high };
}

/** The sentences of `errlab.report`, filled with these numbers. */
export function claimSentences(templates, values) {
  const { upper, low, high } = claim("CP", values);
  const places = digits(low, high);
  const gaps = {
    errors: count(values.errors, "error"),
    cases: count(values.cases, "test example"),
    rate: percent(values.errors / values.cases, "near", places),
    sure: sure(failure(values.confidence)),
    upper: percent(upper, "up", places),
    low: percent(low, "down", places),
    high: percent(high, "up", places),
  };
  return templates.map((template) => fill(template, gaps));
}

/** The picture of a claim: its bound and its interval over one axis. */
export function claimPicture(width, { upper, low, high }, seen, words) {
  // from 0 on, or, where that is far away, around the interval
  const near = Math.max(0, low - 2 * (high - low));
  const far = near > 0 ? Math.max(high, upper) + (high - low) / 2 : 1.12 * Math.max(high, upper);
  const top = Math.min(1, Math.max(far, 1e-9));
  const at = scale(near, top, 8, width - 24);
  const dot = at(seen);
  const places = digits(low, high);
  return {
    height: 126,
    label: `Test error ${percent(seen, "near", places)}. ${words}`,
    body:
      `<text x="8" y="14">one-sided: at most ${percent(upper, "up", places)}</text>` +
      `<path class="lab-band" d="M${at(near)} 21H${at(upper)}V37H${at(near)}z"/>` +
      `<path class="lab-stop" d="M${at(upper)} 18V40"/>` +
      `<text x="8" y="60">two-sided: ${percent(low, "down", places)} to ` +
      `${percent(high, "up", places)}, dot: the test error</text>` +
      `<path class="lab-bar" d="M${at(low)} 75H${at(high)}"/>` +
      `<path class="lab-cap" d="M${at(low)} 68v14M${at(high)} 68v14"/>` +
      `<circle class="lab-dot" cx="${dot}" cy="75" r="5"/>` +
      dataMark(dot, 75, "test error", percent(seen, "near", places)) +
      dataMark(at(upper), 29, "one-sided, at most", percent(upper, "up", places)) +
      dataMark(at(low), 75, "two-sided, from", percent(low, "down", places)) +
      dataMark(at(high), 75, "two-sided, to", percent(high, "up", places)) +
      axis(at, 98, near, top, Math.max(3, Math.round(width / 110))),
  };
}

function row(method, values, top) {
  const { upper, low, high } = claim(method.key, values);
  const places = digits(low, high);
  const at = scale(0, top, 1, 99);
  const bar =
    `<svg viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">` +
    `<path class="lab-bar" d="M${at(low)} 7H${at(Math.max(high, low + top / 100))}"/>` +
    `<path class="lab-seen" d="M${at(values.errors / values.cases)} 0V14"/></svg>`;
  return (
    `<tr data-key="${method.key}"${method.key === "CP" ? ' class="lab-own"' : ""}>` +
    `<th scope="row">${escape(method.name)}</th>` +
    `<td>${method.rigorous ? "yes" : "no"}</td>` +
    `<td data-value="${upper}">${percent(upper, "up", places)}</td>` +
    `<td data-low="${low}" data-high="${high}">${percent(low, "down", places)} to ` +
    `${percent(high, "up", places)}</td>` +
    `<td class="lab-spark">${bar}</td></tr>`
  );
}

export function render({ model, el }) {
  const id = unique("claim");
  const words = model.get("words");
  frame(el, id);
  el.innerHTML = `
    <p class="lab-title" id="${id}-title">What can you claim?</p>
    <section class="lab-ask">
      <p class="lab-line">${field(id, "errors", "errors in")}
        ${field(id, "cases", "test examples,", 6)}
        <span class="lab-nowrap">with ${field(id, "confidence", "% confidence", 4)}</span></p>
      <p class="lab-wrong" id="${id}-wrong"></p>
      <div class="lab-result">
        <p class="lab-head"><span>The true error is at most</span>
          <span class="lab-big" data-out="upper"></span></p>
        <p class="lab-under">The two-sided interval is <span data-out="low"></span> to
          <span data-out="high"></span>.</p>
        <div class="lab-figure"><svg role="img"></svg></div>
        <div class="lab-print"><p class="lab-sentence"></p>
          <button type="button" class="lab-copy">Copy</button></div>
        <details><summary>This holds if …</summary>
          <ul>${words.conditions.map((text) => `<li>${escape(text)}</li>`).join("")}</ul></details>
        <details class="lab-others"><summary>Other bounds for the same counts</summary>
          <div class="lab-scroll" tabindex="0" role="group" aria-label="Table of bounds"><table>
            <thead><tr><th scope="col">Method</th><th scope="col">Proven</th>
              <th scope="col">At most</th><th scope="col">Two-sided</th>
              <td class="lab-spark"></td></tr></thead>
            <tbody></tbody></table></div></details>
      </div>
      <p class="lab-said" aria-live="polite"></p>
    </section>
    <details class="lab-plan"><summary>How many examples do I need?</summary>
      <section class="lab-ask">
        <p class="lab-line">I expect ${field(`${id}-plan`, "expected", "% errors")}
          <span class="lab-nowrap">and want to print “at most
          ${field(`${id}-plan`, "target", "%”.")}</span></p>
        <p class="lab-wrong" id="${id}-plan-wrong"></p>
        <p class="lab-result lab-head"><span>That takes</span>
          <span class="lab-big" data-out="needed"></span> <span class="lab-level"></span></p>
        <p class="lab-said" aria-live="polite"></p>
      </section>
    </details>`;
  const ask = el.querySelector(".lab-ask");
  const plan = el.querySelector(".lab-plan .lab-ask");
  const sentence = el.querySelector(".lab-sentence");
  let values = null;

  const figure = picture(el.querySelector(".lab-figure svg"), (width) =>
    claimPicture(width, claim("CP", values), values.errors / values.cases, sentence.textContent),
  );

  function paint(now) {
    values = now;
    const { upper, low, high } = claim("CP", values);
    const places = digits(low, high);
    out(el, "upper", upper, percent(upper, "up", places));
    out(el, "low", low, percent(low, "down", places));
    out(el, "high", high, percent(high, "up", places));
    sentence.textContent = claimSentences(words.report, values).join(" ");
    const top = Math.min(
      1,
      1.05 * Math.max(...words.methods.map(({ key }) => claim(key, values).high)),
    );
    el.querySelector("tbody").innerHTML = words.methods.map((m) => row(m, values, top)).join("");
    figure.paint();
    announce(ask, sentence.textContent);
  }
  function paintPlan({ expected, target }) {
    const confidence = model.get("confidence");
    const needed = sampleSize(target / 100, expected / 100, failure(confidence));
    const many = `${grouped(needed)} test example${needed === 1 ? "" : "s"}`;
    const level = `at ${sure(failure(confidence))} confidence, Clopper-Pearson.`;
    out(plan, "needed", needed, many);
    plan.querySelector(".lab-level").textContent = level;
    announce(plan, `That takes ${many}, ${level}`);
  }
  function apart({ expected, target }) {
    return target - expected >= 0.01 ? "" : "the claim must lie above the error that you expect";
  }
  copies(el.querySelector(".lab-copy"), sentence, () => sentence.textContent);
  const asked = bind({ el: ask, model, rules: RULES, paint });
  const planned = bind({ el: plan, model, rules: PLAN_RULES, check: apart, paint: paintPlan });
  model.on("change:confidence", planned.refresh);
  return () => {
    model.off("change:confidence", planned.refresh);
    asked.stop();
    planned.stop();
    figure.stop();
  };
}
export default { render };
