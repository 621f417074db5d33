// What the tests of tests/site read from a page: browser.py runs one of these in it.
window.probes = {
  // ------------------------------------------------------------------------------ labs

  /** The numbers that a lab shows, by name; null where there is none. */
  outputs(root) {
    const number = ({ dataset }) => (dataset.value === undefined ? null : Number(dataset.value));
    const all = [...root.querySelectorAll("[data-out]")];
    return Object.fromEntries(all.map((e) => [e.dataset.out, number(e)]));
  },

  /** Type these values, and return what the lab shows after each.
   *  An event in a field makes the lab read all fields of its section, so each is tested in turn. */
  typed(root, asked) {
    const field = (name) => name && root.querySelector(`input[type="text"][name="${name}"]`);
    const texts = (css) => [...root.querySelectorAll(css)].map((e) => e.textContent);
    const ended = [...root.querySelectorAll("[data-out]")];
    return asked.map((values, turn) => {
      const names = Object.keys(values).filter(field);
      for (const plan of [null, root.querySelector(".lab-plan")]) {
        const some = names.filter((name) => field(name).closest(".lab-plan") === plan);
        for (const name of some) field(name).value = values[name];
        const event = new Event("input", { bubbles: true });
        field(some[turn % some.length])?.dispatchEvent(event);
      }
      return {
        out: probes.outputs(root),
        ends: ended
          .filter((e) => e.dataset.low !== undefined)
          .map((e) => [e.dataset.out, Number(e.dataset.low), Number(e.dataset.high)]),
        rows: [...root.querySelectorAll("tbody tr[data-key]")].map((row) => [
          row.dataset.key,
          Number(row.querySelector("[data-value]").dataset.value),
        ]),
        sentence: texts(".lab-sentence")[0],
        conditions: texts(".lab-conditions li"),
      };
    });
  },

  /** Set a field that may be folded. */
  set(field, text) {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  },

  /** [method, ends of each] of every method. */
  methods(asked) {
    const { ends, KEYS } = errlabModules["numerics.js"];
    const one = (key) => (a) => ends(key, a.errors, a.cases, (100 - a.confidence) / 100);
    return KEYS.map((key) => [key, asked.map(one(key))]);
  },

  /** What a lab computes from its values, by its modules. */
  computed([name, asked]) {
    const module = errlabModules[`${name}.js`];
    const ways = {
      misses(values) {
        const { counts, intervals, missRate } = module;
        const p = values.error / 100;
        const found = counts(values, values.drawn).map(intervals(values));
        return [missRate(values), found.filter(([low, high]) => p < low || p > high).length];
      },
      bag: (values) => [module.percentileInterval(values), module.sampleCounts(values)],
      groups(values) {
        const wrong = module.losses(values, 0.15);
        const found = module.intervals(wrong);
        return [found.rows, found.patients, found.effective, wrong.map((row) => row.map(Number))];
      },
      winner(values) {
        const draw = module.drawer(values);
        return [module.risks(values), Array.from({ length: values.sets }, draw)];
      },
      climb(values) {
        const own = { ...values, submitted: values.submitted.split(",") };
        const { released, leaders } = module.boardOf(own);
        const bits = (text) => [...text].map(Number);
        return [
          bits(module.labels(own)),
          released,
          leaders,
          bits(module.vote(own.submitted, released)),
        ];
      },
    };
    return asked.map(ways[name]);
  },

  /** The interval of groups with these losses. */
  grouped: (wrong) => errlabModules["groups.js"].intervals(wrong).patients,

  /** [back, counts]: the detector that is found from the counts of a detector. */
  detectors(asked) {
    const { cut, scores } = errlabModules["confusion.js"];
    const half = 500_000;
    return asked.map(([threshold, apart]) => {
      const counts = cut({ threshold, apart }, { tp: half, fn: half, fp: half, tn: half });
      const back = scores(counts);
      return [back.threshold, back.apart, counts.fp, counts.tp];
    });
  },

  /** Numbers in words. */
  written([numbers, signed, levels]) {
    const { general, points, sure, chance } = errlabModules["words.js"];
    const ways = ["near", "up", "down"];
    return [
      numbers.map((v) => [1, 2, 3, 9].map((digits) => general(v, digits))),
      signed.map((v) => ways.map((way) => points(v / 100, 1, way))),
      levels.map(sure),
      levels.map((delta, i) => chance(numbers[i], delta)),
    ];
  },

  /** Unfold all that is folded. */
  unfold() {
    for (const e of document.querySelectorAll("details")) e.open = true;
  },

  /** The letters of labs that are less than 11 pixels high. */
  small: () =>
    [...document.querySelectorAll(".errlab-lab svg text")]
      .map((e) => [e.textContent, e.getBoundingClientRect().height])
      .filter(([, height]) => height && height < 11),

  /** Number what the keyboard should reach, and return how many stops there are. */
  stops(root) {
    const css = "input, button:not(:disabled), select, textarea, summary, [tabindex='0']";
    const all = [...root.querySelectorAll(css)].filter(
      (e) => e.checkVisibility() && e.tabIndex >= 0 && (e.type !== "radio" || e.checked),
    );
    all.forEach((e, i) => {
      e.dataset.stop = i;
    });
    return all.length;
  },

  /** Which stop has the focus, and whether it shows that. */
  focused() {
    const e = document.activeElement;
    return [e.dataset.stop, getComputedStyle(e).outlineStyle !== "none", e.outerHTML.slice(0, 80)];
  },

  /** Put the focus before all stops. */
  top() {
    const title = document.querySelector("h1");
    title.tabIndex = -1;
    title.focus();
  },
};
