// A table of predictions, pasted or dropped: what you can claim. It is read on the page and stays
// there: nothing is sent, and the address holds none of it.

import { claim, claimPicture, claimSentences, failure } from "./claim.js";
import { pairConditions, pairPicture, pairSentences, pairTest } from "./pair.js";
import { Fault, decode, read } from "./table.js";
import { chance, count, digits, escape, fill, percent, points } from "./words.js";
import { announce, bind, copies, field, frame, grouped, out, picture, unique } from "./kit.js";

const RULES = { confidence: { label: "the confidence", low: 50, high: 99.9999 } };
const LONG = 100_000; // letters from which on a table is shown in part, and not typed in
const SHOWN = 200; // its lines that are shown

/** The report on a table that was read: numbers, sentences and conditions. */
export function reported(words, table, confidence) {
  const {
    names: [, ...names],
    cases,
    wrong: [neither, first, second, both],
  } = table;
  const values = { both, only_a: first, only_b: second, neither, confidence };
  const errors = both + first;
  const one = claim("CP", { errors, cases, confidence });
  const beside = table.constant
    ? [
        fill(words.baseline, {
          common: table.constant.common,
          rate: percent(table.constant.rate, "near", digits(one.low, one.high)),
        }),
      ]
    : [];
  if (names.length === 1) {
    const said = claimSentences(words.claim.report, { errors, cases, confidence });
    return {
      errors,
      cases,
      ...one,
      sentences: [...said, ...beside],
      conditions: words.claim.conditions,
    };
  }
  const found = pairTest(values);
  return {
    errors,
    cases,
    found,
    names,
    sentences: pairSentences(words.pair.report, values, found, names, beside),
    conditions: pairConditions(words.pair.conditions, failure(confidence)),
  };
}

/** The numbers of a report, by the names of the outputs that show them. */
function numbers({ errors, cases, upper, low, high, found }) {
  if (!found) {
    const places = digits(low, high);
    return {
      errors: [errors, count(errors, "error")],
      cases: [cases, count(cases, "example")],
      upper: [upper, percent(upper, "up", places)],
      low: [low, percent(low, "down", places)],
      high: [high, percent(high, "up", places)],
    };
  }
  const places = digits(found.low, found.high);
  return {
    pvalue: [found.pvalue, chance(found.pvalue, found.delta)],
    difference: [found.difference, points(found.difference, places)],
    least: [found.low, points(found.low, places, "down")],
    most: [found.high, points(found.high, places, "up")],
  };
}

/** What was read, so that the reader sees whether it is what was meant. */
function described({ names: [truth, ...others], cases, classes }) {
  const some = classes.slice(0, 6).join(", ") + (classes.length > 6 ? ", …" : "");
  return (
    `${grouped(cases)} example${cases === 1 ? "" : "s"}; ` +
    `${truth} holds ${count(classes.length, "label")} ` +
    `(${some}); predictions in ${others.join(" and ")}.`
  );
}

export function render({ model, el }) {
  const id = unique("predictions");
  const words = model.get("words");
  frame(el, id);
  el.innerHTML = `
    <p class="lab-title" id="${id}-title">What can you claim from these predictions?</p>
    <div class="lab-table">
      <label for="${id}-text">Paste your table here, as a spreadsheet copies it, or drop a file: one
        line for each example. The first line names the columns: y_true, and y_pred or two columns
        of predictions.</label>
      <textarea id="${id}-text" name="text" rows="7" wrap="off" spellcheck="false"
        autocomplete="off" aria-describedby="${id}-wrong ${id}-read"></textarea>
      <p class="lab-under" id="${id}-read"></p>
      <div class="lab-buttons">
        <label>A file: <input type="file" accept=".csv,.tsv,.txt,text/csv,text/plain"></label>
        <button type="button" data-do="empty">Empty</button>
        <button type="button" data-do="example">The example</button></div>
      <p class="lab-under">Nothing leaves this page.</p></div>
    <p class="lab-line">${field(id, "confidence", "% confidence")}</p>
    <p class="lab-wrong" id="${id}-wrong"></p>
    <div class="lab-result">
      <p class="lab-answer"></p>
      <p class="lab-grouped"></p>
      <p class="lab-under lab-single"><span data-out="errors"></span> in
        <span data-out="cases"></span>; at most <span data-out="upper"></span>, two-sided
        <span data-out="low"></span> to <span data-out="high"></span>.</p>
      <p class="lab-under lab-double"><span data-out="pvalue"></span>; difference
        <span data-out="difference"></span> points, interval <span data-out="least"></span> to
        <span data-out="most"></span>.</p>
      <div class="lab-figure"><svg role="img"></svg></div>
      <div class="lab-print"><p class="lab-sentence"></p>
        <button type="button" class="lab-copy">Copy</button></div>
      <details><summary>This holds if …</summary><ul class="lab-conditions"></ul></details>
    </div>
    <p class="lab-said" aria-live="polite"></p>`;
  const area = el.querySelector("textarea");
  const sentence = el.querySelector(".lab-sentence");
  const single = el.querySelector(".lab-single");
  const double = el.querySelector(".lab-double");
  const example = model.get("text");
  let source = example; // what was pasted, typed or dropped last
  let table = null; // what it says
  let problem = ""; // or what is wrong with it
  let made = null; // the report

  const figure = picture(el.querySelector("svg"), (width) =>
    made.found
      ? pairPicture(width, made.found, sentence.textContent, made.names)
      : claimPicture(width, made, made.errors / made.cases, sentence.textContent),
  );

  function judge(reading) {
    try {
      table = read(reading(), words.groups);
      problem = "";
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      table = null;
      problem = fill(words.faults[fault.key], fault.gaps);
    }
    if (problem) area.setAttribute("aria-invalid", "true");
    else area.removeAttribute("aria-invalid");
    el.querySelector(`#${id}-read`).textContent = table ? described(table) : "";
  }
  function display() {
    // a long table is shown in part
    const long = source.length > LONG;
    area.readOnly = long;
    area.value = long ? `${source.split(/\r\n|\r|\n/, SHOWN).join("\n")}\n…` : source;
  }
  function take(reading) {
    judge(() => {
      source = reading();
      return source;
    });
    fields.changed();
  }
  function typed(event) {
    if (event.target === area) take(() => area.value);
  }
  function given() {
    // by Python
    if (model.get("text") === source) return;
    source = model.get("text");
    display();
    judge(() => source);
    fields.refresh();
  }
  function paint({ confidence }) {
    model.set("text", source);
    model.save_changes();
    made = reported(words, table, confidence);
    const two = Boolean(made.found);
    single.hidden = two;
    double.hidden = !two;
    for (const output of el.querySelectorAll("[data-out]")) delete output.dataset.value;
    for (const [name, [value, text]] of Object.entries(numbers(made))) {
      out(el, name, value, text);
    }
    const [first, second] = made.sentences;
    const answer = el.querySelector(".lab-answer");
    answer.textContent = second;
    answer.classList.toggle("lab-open", two && made.found.pvalue > made.found.delta);
    sentence.textContent = made.sentences.join(" ");
    const { group, cases } = table;
    const warning = group ? fill(words.grouped, { ...group, cases }) : "";
    el.querySelector(".lab-grouped").textContent = warning;
    el.querySelector(".lab-conditions").innerHTML = made.conditions
      .map((text) => `<li>${escape(text)}</li>`)
      .join("");
    figure.paint();
    announce(el, `${described(table)} ${warning} ${first} ${second}`);
  }
  async function open(file) {
    if (!file) return;
    const bytes = new Uint8Array(await file.arrayBuffer());
    take(() => decode(bytes));
    display();
    const name = `${file.name}: ${problem || described(table)}`;
    el.querySelector(`#${id}-read`).textContent = problem ? "" : name;
  }
  function press(event) {
    const what = event.target.dataset?.do;
    if (!what) return;
    take(() => (what === "example" ? example : ""));
    display();
    area.focus();
  }
  function picked(event) {
    if (event.target.type !== "file") return;
    open(event.target.files[0]);
    event.target.value = ""; // so that the same file can be opened again
  }
  function over(event) {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    el.classList.toggle("lab-over", event.type === "dragover");
  }
  function drop(event) {
    over(event);
    el.classList.remove("lab-over");
    open(event.dataTransfer.files[0]);
  }
  const handlers = {
    input: typed,
    click: press,
    change: picked,
    dragover: over,
    dragleave: over,
    drop,
  };
  for (const [event, handler] of Object.entries(handlers)) el.addEventListener(event, handler);
  copies(el.querySelector(".lab-copy"), sentence, () => sentence.textContent);
  display();
  judge(() => source);
  model.on("change:text", given);
  const fields = bind({ el, model, rules: RULES, check: () => problem, paint });
  return () => {
    for (const [event, handler] of Object.entries(handlers)) el.removeEventListener(event, handler);
    model.off("change:text", given);
    fields.stop();
    figure.stop();
  };
}
export default { render };
