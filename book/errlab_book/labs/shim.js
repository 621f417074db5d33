// A lab on a page without a kernel: a small model in place of anywidget's, the numbers in the
// address of the page, so that a result can be sent to somebody, and in the browser, for the next
// lab.

import { withLine } from "./python.js";

/** The model of a lab: `state` holds its traits; `saved` is called when they have changed. */
function makeModel(state, saved) {
  const heard = new Map();
  const listeners = (event) => heard.get(event) ?? heard.set(event, new Set()).get(event);
  return {
    get: (name) => state[name],
    set(name, value) {
      if (Object.is(state[name], value)) return;
      state[name] = value;
      // a listener may bring or end others
      for (const listener of Array.from(listeners(`change:${name}`))) listener();
    },
    on: (event, listener) => listeners(event).add(listener),
    off: (event, listener) => listeners(event).delete(listener),
    save_changes: saved,
  };
}

const WRITTEN_MS = 300;

/** Whether the lab takes a value: what Python's trait of that name would take. */
function fits(value, { options, low, high, whole }) {
  if (options) return options.includes(value);
  return value >= low && value <= high && (!whole || Number.isInteger(value));
}

// What a reader types in one lab is offered in the next one that asks for the same.
const MINE = "errlab-numbers";
const WORDS = {
  errors: "errors",
  cases: "examples",
  both: "wrong by both",
  only_a: "by A only",
  only_b: "by B only",
  neither: "by neither",
};

/** The numbers that the reader typed into a lab, by name. */
export function kept() {
  try {
    // it may hold anything: null, a list, words in place of numbers
    const found = Object(JSON.parse(localStorage.getItem(MINE) || "{}"));
    return Object.fromEntries(
      Object.keys(WORDS)
        .filter((name) => Object.hasOwn(found, name) && Number.isFinite(found[name]))
        .map((name) => [name, found[name]]),
    );
  } catch {
    // storage is turned off, or holds what is no JSON
    return {};
  }
}

function keep(state, names) {
  const numbers = Object.fromEntries(names.map((name) => [name, state[name]]));
  try {
    localStorage.setItem(MINE, JSON.stringify({ ...kept(), ...numbers }));
  } catch {
    /* private window, or storage turned off */
  }
}

/** Offer what was typed in another lab, with a button to take it and one to erase it. */
function offer(host, model, names, limits) {
  const mine = kept();
  const found = Object.keys(WORDS)
    .filter((name) => name in mine && names.includes(name))
    .map((name) => [name, mine[name]]);
  if (!found.length || found.every(([name, value]) => value === model.get(name))) return;
  if (!found.every(([name, value]) => fits(value, limits[name])) || mine.errors > mine.cases)
    return;
  const line = document.createElement("p");
  line.className = "lab-mine lab-buttons";
  const told = found.map(([name, value]) => `${value} ${WORDS[name]}`).join(", ");
  line.append(`Your numbers from another lab: ${told}. `);
  function add(text, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", () => {
      act();
      line.remove();
      host.querySelector("input")?.focus();
    });
    line.append(button, " ");
  }
  add("Use them", () => {
    for (const [name, value] of found) model.set(name, value);
    model.save_changes();
  });
  add("Erase them", () => {
    try {
      localStorage.removeItem(MINE);
    } catch {
      /* storage turned off */
    }
    document.dispatchEvent(new Event("errlab-erased"));
  });
  // erased here, in another lab of the page, or on the page of contents
  document.addEventListener("errlab-erased", () => line.remove());
  host.querySelector(".lab-line").before(line);
}

/** Bring the lab in `host` to life. Of the labs on a page the first that can owns the address. */
export function start(host) {
  const { module, state, address, limits } = JSON.parse(
    host.querySelector(".lab-settings").textContent,
  );
  const owner = Object.keys(address).length > 0 && !document.querySelector("[data-lab-address]");
  let timer = 0;

  function write(saved) {
    // beside it stand the explorers of the page
    const hash = location.hash.slice(1);
    const all = new URLSearchParams(hash.includes("=") ? hash : "");
    for (const [short, name] of Object.entries(address)) all.set(short, saved[name]);
    try {
      history.replaceState(history.state, "", `#${all}`);
    } catch {
      // a browser counts such changes and may refuse one; the numbers stay in the fields
    }
  }
  const numbers = Object.values(address).filter((name) => name in WORDS);
  const model = makeModel(state, () => {
    if (host.dataset.touched !== undefined && numbers.length) keep(state, numbers);
    if (!owner) return;
    clearTimeout(timer);
    timer = setTimeout(write, WRITTEN_MS, { ...state }); // a step of the story may change it
  });
  function read() {
    const given = new URLSearchParams(location.hash.slice(1));
    let found = false;
    for (const [short, name] of Object.entries(address)) {
      const text = given.get(short) ?? given.get(name);
      const value = typeof state[name] === "number" ? Number(text || NaN) : text;
      if (!fits(value, limits[name])) continue;
      model.set(name, value);
      found = true;
    }
    return found;
  }
  if (owner) {
    host.dataset.labAddress = "";
    if (read()) addEventListener("load", () => host.scrollIntoView({ block: "start" }));
    addEventListener("hashchange", read);
  }
  host.errlabModel = model; // for a script of the page
  withLine(window.errlabModules[module].render)({ model, el: host });
  if (numbers.length) offer(host, model, numbers, limits);
  host.dataset.ready = "";
}
