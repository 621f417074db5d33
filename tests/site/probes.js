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
        out: window.probes.outputs(root),
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
    const { ends, KEYS } = window.errlabModules["numerics.js"];
    const one = (key) => (a) => ends(key, a.errors, a.cases, (100 - a.confidence) / 100);
    return KEYS.map((key) => [key, asked.map(one(key))]);
  },

  /** What a lab computes from its values, by its modules; as text, which arrives sooner. */
  computed([name, asked]) {
    const module = window.errlabModules[`${name}.js`];
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
    return JSON.stringify(asked.map(ways[name]));
  },

  /** The interval of groups with these losses. */
  grouped: (wrong) => window.errlabModules["groups.js"].intervals(wrong).patients,

  /** [back, counts]: the detector that is found from the counts of a detector. */
  detectors(asked) {
    const { cut, scores } = window.errlabModules["confusion.js"];
    const half = 500_000;
    return asked.map(([threshold, apart]) => {
      const counts = cut({ threshold, apart }, { tp: half, fn: half, fp: half, tn: half });
      const back = scores(counts);
      return [back.threshold, back.apart, counts.fp, counts.tp];
    });
  },

  /** Numbers in words. */
  written([numbers, signed, levels]) {
    const { general, points, sure, chance } = window.errlabModules["words.js"];
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

  // ------------------------------------------------------------------------------ pages

  /** The theme makes scrolling boxes focusable, a moment after the width has changed. */
  settled: () =>
    [
      ...document.querySelectorAll(
        "pre, .nboutput > .output_area, .cell_output > .output, .pst-scrollable-table-container",
      ),
    ].every(
      (e) =>
        e.tabIndex === (e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight ? 0 : -1),
    ),

  /** Wide content must fit, or scroll in a box that fits and has a visible bar. A box that hides
   *  what is too wide cuts it off. */
  cut: () => {
    const width = document.documentElement.clientWidth,
      found = [];
    const seen = (e) =>
      e.getClientRects().length && e.checkVisibility({ visibilityProperty: true });
    const name = (e) => `${e.localName}: ${e.textContent.trim().replace(/\s+/g, " ").slice(0, 60)}`;
    for (const e of document.querySelectorAll(
      "article :is(table, math, pre, .errlab-picture svg)",
    )) {
      if (!seen(e)) continue;
      const at = e.getBoundingClientRect();
      const inner = e.localName === "pre" ? e.scrollWidth : 0;
      let left = at.left,
        right = Math.max(at.right, at.left + inner);
      for (let box = e; box.localName !== "article"; box = box.parentElement) {
        const overflow = getComputedStyle(box).overflowX,
          edge = box.getBoundingClientRect();
        const drawn = box.localName === "svg" || box.namespaceURI.includes("MathML");
        if (overflow === "visible" || drawn) continue;
        const wide = box.scrollWidth > box.clientWidth + 1;
        if (["auto", "scroll"].includes(overflow)) {
          const bar = parseFloat(getComputedStyle(box, "::-webkit-scrollbar").height);
          if (wide && !(bar >= 5)) found.push("no bar to see: " + name(e));
          if (wide) [left, right] = [edge.left, edge.right];
        } else if (right > edge.right + 1 || left < edge.left - 1) {
          found.push("hidden by its box: " + name(e));
          [left, right] = [edge.left, edge.right];
        }
      }
      if (left < -1 || right > width + 1) found.push("out of the page: " + name(e));
    }
    return found;
  },

  /** Each text of a figure, its size in pixels, and how far it extends beyond page or picture. */
  texts: () =>
    [...document.querySelectorAll("article svg text")]
      .filter((t) => t.getClientRects().length && t.textContent.trim())
      .map((t) => {
        const m = t.getScreenCTM(),
          at = t.getBoundingClientRect();
        const svg = t.ownerSVGElement;
        const frame = svg.getBoundingClientRect();
        const open = getComputedStyle(svg).overflow === "visible"; // what leaves it is seen
        const [left, right] = open ? [0, innerWidth] : [frame.left, frame.right];
        return [
          t.textContent,
          parseFloat(getComputedStyle(t).fontSize) * Math.hypot(m.b, m.d),
          Math.max(left - at.left, at.right - right, frame.top - at.top, at.bottom - frame.bottom),
        ];
      }),

  /** Wait until elements that measure their width have done so. */
  drawn: () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),

  /** How much wider than the window the page is. */
  overhang: () => document.documentElement.scrollWidth - innerWidth,

  /** Axe ignores pictures: their lowest contrast, and the brightness of the page. */
  contrast: () => {
    const parse = (c) => (c.match(/[\d.]+/g) || [0, 0, 0]).map(Number);
    const light = (c) => {
      const [r, g, b] = parse(c)
        .map((v) => v / 255)
        .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (e) => {
      for (; e; e = e.parentElement) {
        const c = getComputedStyle(e).backgroundColor,
          p = parse(c);
        if (p.length < 4 || p[3] > 0) return c;
      }
      return "rgb(255,255,255)";
    };
    const worst = [...document.querySelectorAll(".errlab-picture svg text")].map((t) => {
      const a = light(getComputedStyle(t).fill),
        b = light(ground(t));
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    });
    return [Math.min(...worst), light(ground(document.body))];
  },

  /** Focus a control, and remember its explorer's picture. */
  focus: (control) => {
    window.picture = control.closest(".errlab-explorer").querySelector(".errlab-picture");
    window.before = window.picture.innerHTML;
    (control.querySelector("input:checked") ?? control).focus();
  },

  /** Whether the picture has changed since. */
  moved: () => window.picture.innerHTML !== window.before,

  /** Whether every explorer says what its picture shows. */
  aloud: () =>
    [...document.querySelectorAll(".errlab-explorer")].every(
      (e) =>
        e.querySelector("[aria-live]").textContent.trim() ===
        e.querySelector(".errlab-picture").getAttribute("aria-label").trim(),
    ),

  /** The steps of sliders that do not show what unpacking their frame again gives. */
  steps: async () => {
    const wrong = [];
    for (const root of document.querySelectorAll(".errlab-explorer")) {
      const packed = root.querySelector("script[type='application/gzip']").textContent;
      const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      const frames = JSON.parse(await new Response(stream).text());
      for (const slider of root.querySelectorAll(".errlab-controls input[type=range]")) {
        for (let i = 0; i <= Number(slider.max); i++) {
          slider.value = i;
          slider.dispatchEvent(new Event("input", { bubbles: true }));
          const box = document.createElement("div");
          box.innerHTML = frames.svg[root.dataset.frame];
          const drawn = root.querySelector(".errlab-picture").firstElementChild;
          if (!drawn.isEqualNode(box.firstElementChild)) wrong.push(slider.id + " at " + i);
        }
      }
    }
    return wrong;
  },

  /** Listen to what a question answers, and return the number of its choices. */
  answers: (fieldset) => {
    window.answers = [];
    const said = fieldset.querySelector("[aria-live]");
    fieldset.addEventListener("keyup", () => window.answers.push(said.innerText));
    fieldset.querySelector("input").focus();
    return fieldset.querySelectorAll("input").length;
  },

  /** Number the controls of a page, and note which of them the keyboard reaches. */
  reached: () => {
    window.reached = [];
    const stops = [
      ...document.querySelectorAll(
        "article input[type=range], article summary, .errlab-quiz fieldset, fieldset.errlab-control, " +
          ".errlab-check button, .errlab-guess fieldset",
      ),
    ].filter((e) => e.checkVisibility());
    stops.forEach((e, i) => {
      e.dataset.stop = i;
    });
    document.addEventListener("focusin", (e) => {
      const stop = e.target.closest("[data-stop]");
      if (stop && !window.reached.includes(stop.dataset.stop))
        window.reached.push(stop.dataset.stop);
    });
    const title = document.querySelector("article h1");
    title.tabIndex = -1;
    title.focus();
    return stops.length;
  },

  /** What is still folded. */
  closed: () =>
    [...document.querySelectorAll("article summary")]
      .filter((e) => e.checkVisibility() && !e.parentElement.open)
      .map((e) => e.textContent),

  /** How far elements moved after they were painted; the window is 900 pixels high. */
  shift: () =>
    new Promise((done) => {
      let sum = 0;
      const add = (list) =>
        list.getEntries().forEach((e) => {
          if (!e.hadRecentInput) sum += e.value;
        });
      new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => done(sum), 1500);
    }),

  /** How many cells of code are hidden, and how many there are. */
  code: () => {
    const cells = [...document.querySelectorAll(".tag_hide-input .cell_input")];
    return [cells.filter((e) => !e.checkVisibility()).length, cells.length];
  },

  /** Of each cell with guesses: its words, the number of blocks that are folded after it, the number
   *  that it announces, and whether a question follows. */
  folded: () =>
    [...document.querySelectorAll("div.cell:has(form.errlab-guess)")].map((cell) => {
      const guesses = [...cell.querySelectorAll("form.errlab-guess")];
      let n = 0,
        next = cell.nextElementSibling;
      for (; next?.classList.contains("errlab-folded"); next = next.nextElementSibling) n++;
      const asks = !n && !!next?.querySelector("form");
      return [
        guesses[0].textContent.slice(0, 60),
        n,
        Math.max(...guesses.map((g) => g.dataset.folds)),
        asks,
      ];
    }),

  /** Type each answer and press the button; return the texts of the live region. */
  answer: (tries) =>
    tries.map(([id, values]) => {
      const form = document.getElementById(id);
      if (form.querySelector("[type=radio]")) {
        const found = [...form.querySelectorAll("[type=radio]")].find((e) => e.value === values[0]);
        found.checked = true;
      } else
        form.querySelectorAll("[type=text]").forEach((e, i) => {
          e.value = values[i];
        });
      const box = form.querySelector("[aria-live]");
      box.textContent = "";
      form.querySelector("button").click();
      return box.textContent;
    }),

  /** Scroll until the words of a step of the story are in the middle of the window. */
  read: (step) => {
    const at = step.querySelector("p").getBoundingClientRect();
    scrollTo({ top: scrollY + at.top + 10 - innerHeight * 0.45, behavior: "instant" });
  },

  /** Whether a step of the story has set its lab. */
  state: (step) => {
    const lab = step.closest(".errlab-scene").querySelector("[data-lab]");
    const wanted = Object.entries(JSON.parse(step.dataset.state));
    return (
      step.classList.contains("errlab-now") &&
      wanted.every(([name, value]) => lab.errlabModel.get(name) === value)
    );
  },

  /** How much of the picture is in sight, how high the lab is, and the smallest letters. */
  sight: (step) => {
    const lab = step.closest(".errlab-scene").querySelector("[data-lab]");
    const figure = [...lab.querySelectorAll(".lab-figure")].find((f) => f.checkVisibility());
    const bars = [...document.querySelectorAll(".bd-header, .bd-header-article")]
      .filter((e) => ["sticky", "fixed"].includes(getComputedStyle(e).position))
      .map((e) => e.getBoundingClientRect().bottom)
      .filter((b) => b < innerHeight / 2);
    const box = figure.getBoundingClientRect();
    const seen = Math.min(box.bottom, innerHeight) - Math.max(box.top, 0, ...bars);
    const letters = [...figure.querySelectorAll("text")].map(
      (e) => e.getBoundingClientRect().height,
    );
    const room = lab.getBoundingClientRect().height / innerHeight;
    return [seen / box.height, room, Math.min(...letters)];
  },

  /** Scroll until a step is in the middle of the window. */
  centre: (step) => {
    const at = step.getBoundingClientRect();
    scrollTo({ top: scrollY + (at.top + at.bottom - innerHeight) / 2, behavior: "instant" });
  },

  /** Whether the search has ended. */
  searched: () => !document.querySelector("#search-results h2").textContent.includes("Searching"),

  /** Each slide: what is cut or too small, whether it asks or shows, its formulas and notes.
   *  Lines of pictures may extend beyond the frame, which clips them. */
  look: () =>
    window.Reveal.getSlides().map((slide, number) => {
      window.Reveal.slide(number);
      const seen = [...slide.querySelectorAll("*")].filter(
        (e) =>
          e.getClientRects().length &&
          !e.closest("aside, .errlab-said") &&
          !e.matches("svg :not(text)"),
      );
      const text = seen.filter((e) =>
        [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()),
      );
      const scale = ({ a, b }) => Math.hypot(a, b); // of a picture, whose words may be turned
      const size = (e) =>
        parseFloat(getComputedStyle(e).fontSize) *
        (e.getScreenCTM ? scale(e.getScreenCTM() ?? { a: 1, b: 0 }) : (e.currentCSSZoom ?? 1));
      const cut = seen.filter((e) => {
        const box = e.getBoundingClientRect();
        return box.left < 0 || box.top < 0 || box.right > 1280 || box.bottom > 720;
      });
      return {
        cut: cut.map((e) => e.outerHTML.slice(0, 80)),
        small: text
          .filter((e) => size(e) < 20)
          .map((e) => `${size(e).toFixed(1)}: ${e.textContent}`),
        reason: text.some((e) => e.closest("svg") || /[?\d]/.test(e.textContent)),
        formulas: slide.querySelectorAll("math").length,
        notes: slide.querySelector("aside.notes")?.textContent ?? "",
        title: slide.querySelector("h1, h2")?.textContent ?? "",
      };
    }),

  /** The marks of a figure: [x, y, words]. */
  marks: (host) => {
    const { marks } = window.errlabMarks.marksOf(host);
    return marks.map(({ at, text }) => [...at, text]);
  },

  /** Where its marks are in the window. */
  onScreen: (host) => {
    const { svg, marks } = window.errlabMarks.marksOf(host);
    return marks.map((mark) => window.errlabMarks.onScreen(svg, mark));
  },

  /** Where Matplotlib has drawn markers. */
  uses: (host) =>
    Array.from(host.querySelectorAll("use"), (use) => [
      Number(use.getAttribute("x")),
      Number(use.getAttribute("y")),
    ]),

  /** The paths of its bars. */
  bars: (host) =>
    Array.from(host.querySelectorAll("path"), (path) => path.getAttribute("d")).filter((d) =>
      /^M [^z]*z\s*$/.test(d),
    ),

  /** What the lab of ranks shows of a board in these states, as text. */
  boards: (asked) => {
    const board = window.errlabModules["board.js"],
      lab = window.errlabModules["ranks.js"];
    const words = document.querySelector(".errlab-lab").errlabModel.get("words");
    const raw = (window.errlabBoards ?? {})[asked.board] ?? words.boards[asked.board];
    const sets = Object.entries(raw?.sets ?? {}).map(([name, set]) => [
      name,
      { ...board.opened(set), label: set.label },
    ]);
    const opened =
      asked.board === "own"
        ? {
            item: "item",
            group: asked.text.includes("group") ? "group" : "",
            solved: true,
            sets: { own: lab.ownSet(asked.text) },
          }
        : { ...raw, sets: Object.fromEntries(sets) };
    const shown = asked.states.map((state) => {
      const view = lab.shown(opened, state);
      const names = view.models;
      const picked = view.found.pairs
        .filter((_, i) => i % asked.every === 0)
        .map((p) => {
          const { low, high } = board.pairOf(view.found, names, names[p.a], names[p.b]);
          return [names[p.a], names[p.b], p.difference, low, high];
        });
      return {
        rows: view.found.rows.map((r) => [r.name, r.estimate, r.first, r.last]),
        pairs: view.found.pairs.map((p) => [
          names[p.a],
          names[p.b],
          p.difference,
          p.pvalue,
          p.adjusted,
        ]),
        picked,
        said: lab.sentences(opened, view),
      };
    });
    return JSON.stringify(shown);
  },

  /** Let no script of this name ever arrive. */
  unanswered: (name) => {
    const append = document.head.append.bind(document.head);
    document.head.append = (node) => {
      if (!node.src.includes(name)) append(node);
    };
  },

  /** What the lab of predictions says about tables, each with a confidence. */
  reported: (asked) => {
    const { read } = window.errlabModules["table.js"],
      { reported } = window.errlabModules["predictions.js"];
    const words = document.querySelector("[data-lab=predictions]").errlabModel.get("words");
    return asked.map(([text, confidence]) => {
      try {
        const { errors, cases, upper, low, high, found, sentences, conditions } = reported(
          words,
          read(text),
          confidence,
        );
        const numbers = found
          ? [found.pvalue, found.difference, found.low, found.high]
          : [errors, cases, upper, low, high];
        return { numbers, sentences, conditions };
      } catch (fault) {
        if (!fault.key) throw fault;
        return { fault: fault.key, gaps: fault.gaps };
      }
    });
  },

  /** The state of guesses and style of a notebook once all cells have run. */
  notebook: () => {
    const all = (selector) => [...document.querySelectorAll(`.jp-Notebook ${selector}`)];
    const shown = (element) => element.getClientRects().length > 0;
    const borders = all("fieldset").map((f) => getComputedStyle(f).borderTopWidth);
    return {
      guesses: all("form.errlab-guess").length,
      offered: all("form.errlab-guess [data-show]").filter(shown).length,
      folded: all(".errlab-folded").length,
      open: all(".errlab-folded").filter(shown).length,
      bare: borders.filter((width) => width !== "0px").length,
    };
  },

  /** Whether the guesses of a notebook have come, and whether something is unfolded since. */
  ran: () => window.probes.notebook().guesses && window.probes.notebook().folded,
  unfolded: (folded) => window.probes.notebook().folded < folded,

  /** Whether the kernel of the notebook is idle. */
  idle: () =>
    window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === "idle",

  /** Select a cell of the notebook and run it; do a command; edit a cell. */
  async run(number) {
    window.jupyterapp.shell.currentWidget.content.activeCellIndex = number;
    await window.jupyterapp.commands.execute("notebook:run-cell");
  },
  /** Some commands end with the last cell; a kernel that loses a request would never end them. */
  command: (name) =>
    Promise.race([
      window.jupyterapp.commands.execute(name),
      new Promise((_, fail) => setTimeout(fail, 600_000, new Error(`${name} did not end`))),
    ]),
  edit([number, text]) {
    const { model } = window.jupyterapp.shell.currentWidget.content;
    model.cells.get(number).sharedModel.setSource(text);
  },
};
