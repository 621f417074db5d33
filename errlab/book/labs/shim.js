// A lab on a page without a kernel: a small model in place of anywidget's, and the numbers in the
// address of the page, so that a result can be sent to somebody.

/** The model of a lab: `state` holds its traits; `saved` is called when they have changed. */
function makeModel(state, saved) {
  const heard = new Map();
  const listeners = (event) => heard.get(event) ?? heard.set(event, new Set()).get(event);
  return {
    get: (name) => state[name],
    set(name, value) {
      if (Object.is(state[name], value)) return;
      state[name] = value;
      for (const listener of [...listeners(`change:${name}`)]) listener();
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

/** Bring the lab in `host` to life. Of the labs on a page the first that can owns the address. */
export function start(host) {
  const { module, state, address, limits } = JSON.parse(host.querySelector(".lab-settings").textContent);
  const owner = Object.keys(address).length > 0 && !document.querySelector("[data-lab-address]");
  let timer = 0;

  function write() {
    const pairs = Object.entries(address).map(([short, name]) => [short, state[name]]);
    try {
      history.replaceState(history.state, "", `#${new URLSearchParams(pairs)}`);
    } catch { // a browser counts such changes and may refuse one; the numbers stay in the fields
    }
  }
  const model = makeModel(state, () => {
    if (!owner) return;
    clearTimeout(timer);
    timer = setTimeout(write, WRITTEN_MS);
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
  window.errlabModules[module].render({ model, el: host });
  host.dataset.ready = "";
}
