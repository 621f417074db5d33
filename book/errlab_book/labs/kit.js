// What the labs share: fields that the reader types in, outputs, a live region, pictures.

import { escape } from "./words.js";

let made = 0;

/** A prefix for the identifiers of one lab on the page. */
export function unique(name) {
  made += 1;
  return `errlab-${name}-${made}`;
}

/** Make an element the root of a lab, whose title has the identifier `${id}-title`. */
export function frame(el, id) {
  el.classList.add("errlab-lab");
  el.setAttribute("role", "group");
  el.setAttribute("aria-labelledby", `${id}-title`);
  // Else `d d` on a button would delete the cell in JupyterLab, which asks what has the focus.
  el.addEventListener("focusin", (event) => {
    event.target.dataset.lmSuppressShortcuts = "true";
  });
}

const THOUSANDS = /^[+-]?\d{1,3}([.,]\d{3})+$/;
// What people write after a count, without the spaces: "299 test examples".
const COUNTED =
  /(\d)(?:test|red)?(?:answer|ball|case|error|example|image|item|mistake|model|patient|scan)s?$/i;

/** What the reader typed as a number; NaN where it is none.
 *  "10 000", "10,000", "10.000", "1e4" and "10000 examples" are the same whole number; "5%" is none;
 *  "0,5", "0.5", "0.5 %" and "0.5 per cent" are the same. */
export function parse(text, whole) {
  let plain = text.trim().replace(/[\s_'\u2009\u202f]/g, "");
  if (whole) plain = plain.replace(COUNTED, "$1");
  if (!whole) plain = plain.replace(/(?:%|percent)$/i, "").replace(",", ".");
  else if (THOUSANDS.test(plain)) plain = plain.replace(/[.,]/g, "");
  else plain = plain.replace(/,(?=\d{3}(\D|$))/g, "");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}

/** A count with its thousands apart. */
export function grouped(number) {
  return number.toLocaleString("en-US", { maximumFractionDigits: 10 });
}

/** A label with a field in it, both in one line of text. */
export function field(id, name, words, size = 4) {
  return (
    `<label class="lab-field"><input id="${id}-${name}" name="${name}" type="text" size="${size}"` +
    ` inputmode="decimal" autocomplete="off" spellcheck="false" aria-describedby="${id}-wrong">` +
    ` ${words}</label>`
  );
}

/** What is wrong with a number: "" or a rule for a sentence with "must be". */
function fault(value, rule, values, text = "") {
  const high = typeof rule.high === "function" ? rule.high(values) : rule.high;
  const kind = rule.whole ? "a whole number" : "a number";
  const fits = Number.isFinite(value) && (!rule.whole || Number.isInteger(value));
  if (fits && value >= rule.low && value <= high) return "";
  const wanted = `${kind} from ${grouped(rule.low)} to ${grouped(high)}`;
  return rule.whole && text.includes("%") ? `${wanted}, not a percentage` : wanted;
}

/** What a number below one may mean in a field that asks for percent, which says no unit itself. */
function meant(value, rule, text) {
  const fraction = !rule.whole && value > 0 && value < 1 && /\d\s*$/.test(text);
  return fraction ? Number((100 * value).toPrecision(12)) : value;
}

/** Tie the fields in `el` to the traits of `model` of the same names.
 *
 *  `rules` holds, for each field, {label, whole, low, high}; `high` may be a function of the other
 *  values. `check` may say in words what is wrong with the values together. `paint` is called with
 *  the values whenever they change and are right, and when a trait listed in `also` changes. Wrong
 *  ones never reach the model: the lab says what is wrong and hides its results. */
export function bind({ el, model, rules, check, paint, also = [] }) {
  const names = Object.keys(rules);
  const inputs = Object.fromEntries(
    names.map((name) => [name, el.querySelector(`input[name="${name}"]`)]),
  );
  const wrong = el.querySelector(".lab-wrong");
  for (const name of names) {
    // beside some fields stands a mere %, which says nothing aloud
    const words = inputs[name].closest("label").textContent;
    if (!/\p{L}/u.test(words)) inputs[name].setAttribute("aria-label", `${rules[name].label}, %`);
  }

  const asked = document.createElement("p");
  asked.className = "lab-meant lab-buttons";
  wrong.after(asked);

  function typed() {
    return Object.fromEntries(
      names.map((name) => [name, parse(inputs[name].value, rules[name].whole)]),
    );
  }
  let offered = [];
  /** Ask back where 0.03 was typed: it is read as 0.03%, and 3% may have been meant. */
  function ask(values) {
    const other = Object.fromEntries(
      names.map((name) => [name, meant(values[name], rules[name], inputs[name].value)]),
    );
    const fits = names.every((name) => !fault(other[name], rules[name], other)) && !check?.(other);
    const touched = el.closest(".errlab-lab").dataset.touched !== undefined;
    offered = names.filter((name) => touched && fits && other[name] !== values[name]);
    const list = (all) => offered.map((name) => `${all[name]}%`).join(" and ");
    const words = offered.length ? `Read as ${list(values)}. Did you mean ${list(other)}? ` : "";
    if (words === (asked.firstChild?.textContent ?? "")) return; // else its button loses the focus
    asked.replaceChildren();
    if (!words) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `Use ${list(other)}`;
    asked.append(words, button);
  }
  function take() {
    const first = inputs[offered[0]];
    for (const name of offered)
      inputs[name].value = meant(typed()[name], rules[name], inputs[name].value);
    changed();
    first.focus();
  }
  function judge(values) {
    ask(values);
    const faults = [];
    for (const name of names) {
      const text = fault(values[name], rules[name], values, inputs[name].value);
      if (text) faults.push(`${rules[name].label} must be ${text}`);
      if (text) inputs[name].setAttribute("aria-invalid", "true");
      else inputs[name].removeAttribute("aria-invalid");
    }
    const together = faults.length === 0 && check ? check(values) : "";
    if (together) faults.push(together);
    wrong.textContent = faults.length ? `Not yet: ${faults.join("; ")}.` : "";
    el.classList.toggle("lab-bad", faults.length > 0);
    if (faults.length) announce(el, wrong.textContent);
    return faults.length === 0;
  }
  function changed() {
    const values = typed();
    if (!judge(values)) {
      for (const output of el.querySelectorAll("[data-out]")) delete output.dataset.value;
      return;
    }
    for (const name of names) model.set(name, values[name]);
    model.save_changes();
    paint(values);
  }
  function received() {
    // Python, or the address of the page, gave other numbers
    const now = typed();
    for (const name of names) {
      if (now[name] !== model.get(name)) inputs[name].value = model.get(name);
    }
    const values = typed();
    if (judge(values)) paint(values);
  }
  function stepped(event) {
    // the arrow keys count up and down
    const name = event.target.name;
    const sign = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!sign || !(name in rules) || event.altKey || event.ctrlKey || event.metaKey) return;
    const value = parse(event.target.value, rules[name].whole);
    const next = Number((value + sign * (event.shiftKey ? 10 : 1)).toPrecision(12));
    if (fault(next, rules[name], typed())) return;
    event.preventDefault();
    event.target.value = next;
    changed();
  }
  function input(event) {
    if (event.target.name in rules) changed();
  }
  let waiting = false;
  function soon() {
    // several traits change at once: one picture
    if (waiting) return;
    waiting = true;
    queueMicrotask(() => {
      waiting = false;
      received();
    });
  }
  function touch() {
    el.closest(".errlab-lab").dataset.touched = "";
  }
  const touches = ["input", "change", "click", "keydown", "pointerdown"];
  for (const event of touches) el.addEventListener(event, touch, { capture: true, once: true });
  asked.addEventListener("click", (event) => {
    event.stopPropagation(); // the buttons of a lab do other things
    if (event.target.matches("button")) take();
  });
  el.addEventListener("input", input);
  el.addEventListener("keydown", stepped);
  const events = [...names, ...also].map((name) => `change:${name}`);
  for (const event of events) model.on(event, soon);
  received();
  return {
    changed,
    refresh: received,
    stop() {
      el.removeEventListener("input", input);
      el.removeEventListener("keydown", stepped);
      for (const event of events) model.off(event, soon);
    },
  };
}

/** Show a number: its words for the reader, itself for whoever checks. */
export function out(el, name, value, words) {
  const output = el.querySelector(`[data-out="${name}"]`);
  if (output.textContent !== words) output.textContent = words;
  output.dataset.value = value;
}

const SAID_MS = 600;
const timers = new WeakMap();

/** Say something to a screen reader, once the reader has stopped typing; nothing before. */
export function announce(el, text) {
  if (el.closest(".errlab-lab").dataset.touched === undefined) return;
  clearTimeout(timers.get(el));
  const said = el.querySelector(".lab-said");
  timers.set(
    el,
    setTimeout(() => {
      const offer = el.querySelector(".lab-meant")?.firstChild?.textContent ?? "";
      if (said.textContent !== offer + text) said.textContent = offer + text;
    }, SAID_MS),
  );
}

/** Let a button copy what `text()` returns; where the browser refuses, select `from` instead. */
export function copies(button, from, text) {
  const plain = button.textContent;
  let timer = 0;
  async function copy() {
    let done = "Copied";
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      // not a secure context, or refused: select it, and copy the old way
      const range = document.createRange();
      range.selectNodeContents(from);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      if (!document.execCommand("copy")) done = "Selected: press Ctrl+C";
    }
    button.textContent = done;
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = plain;
    }, 2000);
  }
  button.addEventListener("click", copy);
}

/** Draw a picture in the width that it has, again whenever that changes, so that its letters keep
 *  their size on a phone. `draw(width)` returns {height, body, label}. */
export function picture(svg, draw) {
  let width = 0;
  function paint() {
    if (!width) return;
    const { height, body, label } = draw(width);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.style.aspectRatio = `${width} / ${height}`;
    svg.setAttribute("aria-label", label);
    svg.innerHTML = body;
    window.errlabMarks?.refresh(svg.closest(".errlab-lab"));
  }
  const watch = new ResizeObserver(() => {
    const now = Math.round(svg.parentElement.clientWidth);
    if (now && now !== width) {
      width = now;
      paint();
    }
  });
  watch.observe(svg.parentElement);
  width = Math.round(svg.parentElement.clientWidth);
  return { paint, stop: () => watch.disconnect() };
}

/** A place in a picture that has a value: the pointer and the arrow keys tell it, see marks.js. */
export function dataMark(x, y, series, text) {
  return `<g data-at="${x} ${y}" data-series="${escape(series)}" data-text="${escape(text)}"/>`;
}

/** A function from [low, high] to the pixels [from, to]. */
export function scale(low, high, from, to) {
  return (value) => Number((from + ((value - low) / (high - low)) * (to - from)).toFixed(1));
}

/** Round values in [low, high], about `wanted` of them. */
export function ticks(low, high, wanted) {
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high * (1 + 1e-12) + 1e-300; i++) {
    found.push(Number((i * step).toPrecision(12)));
  }
  return found;
}

/** A share as the label of a tick: 0.025 is "2.5%". */
export function tickPercent(value) {
  return `${Number((100 * value).toPrecision(6))}%`;
}

/** A horizontal axis of shares with its ticks at `y`; `at` is the scale. */
export function axis(at, y, low, high, wanted, words = tickPercent) {
  const marks = ticks(low, high, wanted).map(
    (tick) =>
      `<path class="lab-axis" d="M${at(tick)} ${y}v5"/>` +
      `<text x="${at(tick)}" y="${y + 19}" text-anchor="middle">${words(tick)}</text>`,
  );
  return `<path class="lab-axis" d="M${at(low)} ${y}H${at(high)}"/>${marks.join("")}`;
}
