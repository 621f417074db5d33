// Which ranks of a leaderboard are real? Boards item by item, drawn from, and held beside new sets.

import { compared, errorsOf, opened, pairOf, ranksOf, sampled } from "./board.js";
import { ends } from "./numerics.js";
import { difference, pairPicture } from "./pair.js";
import { Fault, rowsOf } from "./table.js";
import { chance, digits, escape, percent, points } from "./words.js";
import {
  announce,
  bind,
  copies,
  dataMark,
  frame,
  grouped,
  out,
  picture,
  scale,
  ticks,
  unique,
} from "./kit.js";

const OWN = "own";
const DELTA = 0.05;
const LEAST = 5; // items, or groups, that are drawn
const TESTS = {
  mcnemar: "exact McNemar test, Holm",
  bets: "bets on the groups, Holm; proven",
  robust: "cluster-robust t, Holm; for many groups",
  t: "Student's t, Holm; for many items",
};

/** What the items of a set are called; each problem may be one. */
const nounOf = (board, set) => (set.groups || !board.group ? board.item : board.group);

const plural = (number, noun) => `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;

// -------------------------------------------------------------------------- a board of one's own

const FAULTS = {
  long: "the table is too long",
  nul: "line {line} holds a character that is not text",
  open: "a quote is opened in line {line} and not closed",
  quotes: "the quotes of line {line} do not fit",
  field: "a field of line {line} is too long",
  column: "there is no column {name}; the header must name model, item and score",
  score: "line {line}: the score must be a number from 0 to 1, 1 is right; got {value}",
  few: "there must be at least 2 models and {least} items",
  lacks: "{model} has no score for item {item}",
  twice: "line {line}: {model} has a second score for item {item}",
  belongs: "item {item} has two groups",
};

/** A pasted board: model, item, score, and perhaps group; the same as errlab.models takes. */
export function ownSet(text) {
  const [[, header] = [0, []], ...rows] = rowsOf(text);
  const place = Object.fromEntries(
    ["model", "item", "score", "group"].map((name) => [name, header.indexOf(name)]),
  );
  for (const name of ["model", "item", "score"])
    if (place[name] < 0) throw new Fault("column", { name });
  const items = new Map();
  const scores = new Map();
  const belongs = [];
  for (const [line, row] of rows) {
    const [model, item, value, group] = ["model", "item", "score", "group"].map(
      (name) => row[place[name]],
    );
    const score = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value ?? "") ? Number(value) : NaN;
    if (!(score >= 0 && score <= 1)) throw new Fault("score", { line, value: value ?? "nothing" });
    if (!items.has(item)) items.set(item, items.size);
    if (!scores.has(model)) scores.set(model, new Map());
    if (scores.get(model).has(item)) throw new Fault("twice", { line, model, item });
    scores.get(model).set(item, 1 - score);
    const at = items.get(item);
    if (place.group >= 0 && belongs[at] !== undefined && belongs[at] !== group)
      throw new Fault("belongs", { item });
    belongs[at] = group;
  }
  if (scores.size < 2 || items.size < LEAST) throw new Fault("few", { least: LEAST });
  const models = [...scores.keys()];
  const losses = models.map((model) =>
    Float64Array.from(items.keys(), (item) => {
      if (!scores.get(model).has(item)) throw new Fault("lacks", { model, item });
      return scores.get(model).get(item);
    }),
  );
  const set = { models, n: items.size, losses };
  if (place.group >= 0) {
    const number = new Map();
    set.groups = belongs.map((group) => {
      if (!number.has(group)) number.set(group, number.size);
      return number.get(group);
    });
  }
  if (losses.some((row) => row.some((loss) => loss !== 0 && loss !== 1))) return set;
  set.bits = losses.map((row) => {
    const bits = new Uint32Array(Math.ceil(set.n / 32));
    row.forEach((loss, i) => {
      if (loss) bits[i >> 5] |= 1 << (i & 31);
    });
    return bits;
  });
  delete set.losses;
  return set;
}

// ----------------------------------------------------------------------------------- what is shown

/** What the lab shows of `state`: the sample and its comparison, and what stands beside it. */
export function shown(board, state) {
  const keys = Object.keys(board.sets);
  const key = keys.includes(state.test_set) ? state.test_set : keys[0];
  const other =
    keys.includes(state.beside) && state.beside !== key ? board.sets[state.beside] : null;
  const set = board.sets[key];
  const models = set.models.filter((name) => !other || other.models.includes(name));
  const units = set.groups ? Math.max(...set.groups) + 1 : set.n;
  const sample = sampled(set, models, Math.min(state.items, units), state.seed);
  const found = compared(sample, { method: state.method, units: state.units, delta: DELTA });
  const view = { key, set, models, units, sample, found, beside: null };
  if (!other) return view;
  const rates = errorsOf(sampled(other, models, Infinity, 0)).map((total) => total / other.n);
  const errors = new Map(models.map((name, i) => [name, rates[i]]));
  const places = ranksOf(rates);
  const place = new Map(models.map((name, i) => [name, places[i]]));
  const kept = found.rows.filter(
    (row) => row.first <= place.get(row.name) && place.get(row.name) <= row.last,
  );
  const ratios = found.rows
    .filter((row) => row.errors > 0)
    .map((row) => errors.get(row.name) / row.estimate);
  const counted = found.rate && found.test === "mcnemar";
  const outside = counted
    ? found.rows.filter((row) => {
        const [low, high] = ends("CP", row.errors, found.n, DELTA / 2);
        return errors.get(row.name) < low || errors.get(row.name) > high;
      }).length
    : null;
  return {
    ...view,
    beside: {
      key: state.beside,
      label: other.label,
      place,
      errors,
      kept: kept.length,
      ratios,
      outside,
    },
  };
}

/** The sentences of `Ranks.sentences`. */
export function sentences(board, view) {
  const { found, sample, set, beside } = view;
  const [best] = found.rows;
  const rate = board.solved
    ? `solves ${percent(1 - best.estimate)}`
    : `gets ${percent(best.estimate)} wrong`;
  const many =
    plural(found.n, nounOf(board, set)) +
    (set.groups ? ` of ${plural(sample.units, board.group)}` : "");
  const last = best.last > 1 ? ` may have any rank from 1 to ${best.last}` : " is first";
  const said = [
    `On ${many} ${found.different} of ${found.pairs.length} pairs of models are shown to differ.`,
    `${best.name} ${rate}, and${last}.`,
  ];
  if (!beside) return said;
  const [least, most] = [Math.min(...beside.ratios), Math.max(...beside.ratios)];
  const grown =
    `Beside: ${beside.kept} of ${found.rows.length} ranks lie in their intervals; errors are ` +
    `${least.toFixed(2)} to ${most.toFixed(2)} times as large`;
  const far =
    beside.outside === null ? "." : `, and ${beside.outside} lie outside their own 95% intervals.`;
  return [...said, grown + far];
}

/** A name in at most so many letters, cut where `tail` letters are left. */
function shortened(name, most, tail) {
  if (name.length <= most) return name;
  return `${name.slice(0, most - 1 - tail)}…${tail ? name.slice(-tail) : ""}`;
}

/** Each name in at most so many letters, and no two alike where that can be had. */
export function distinct(names, most) {
  const middle = Math.floor((most - 1) / 2);
  const tails = Array.from({ length: most - 1 }, (_, i) => i);
  tails.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  const cut = new Map(names.map((name) => [name, shortened(name, most, middle)]));
  for (const name of names) {
    const alike = names.filter((other) => cut.get(other) === cut.get(name));
    if (alike.length < 2) continue;
    const taken = new Set(names.filter((n) => !alike.includes(n)).map((n) => cut.get(n)));
    for (const tail of tails) {
      const tried = alike.map((other) => shortened(other, most, tail));
      if (new Set(tried).size < alike.length || tried.some((text) => taken.has(text))) continue;
      alike.forEach((other, i) => cut.set(other, tried[i]));
      break;
    }
  }
  return cut;
}

function ranksPicture(width, board, view, picked, words) {
  const { rows } = view.found;
  const k = rows.length;
  const { beside } = view;
  const narrow = width < 480;
  const step = k > 40 ? 15 : k > 20 ? 16 : 18;
  const letters = Math.min(Math.max(...rows.map((row) => row.name.length)), narrow ? 15 : 26);
  const left = (narrow ? 6.9 : 7.1) * letters + 8;
  const names = distinct(
    rows.map((row) => row.name),
    letters,
  );
  const right = beside ? (narrow ? 84 : 112) : 48;
  const at = scale(0.5, k + 0.5, left + 4, width - right);
  const wide = (at(2) - at(1)) * 0.42;
  const top = 22;
  const ground = top + k * step + 2;
  const told = (estimate) => percent(board.solved ? 1 - estimate : estimate);
  const marks = [
    1,
    ...ticks(1, k, Math.max(3, Math.round((width - left - right) / 60))).filter(
      (t) => t > 1 && Number.isInteger(t),
    ),
  ];
  const grid = marks
    .map(
      (t) =>
        `<path class="lab-grid" d="M${at(t)} ${top - 4}V${ground}"/>` +
        `<text x="${at(t)}" y="${ground + 16}" text-anchor="middle">${t}</text>`,
    )
    .join("");
  const body = rows
    .map((row, i) => {
      const y = top + (i + 0.5) * step;
      const mark = { [picked[0]]: " lab-first", [picked[1]]: " lab-second" }[row.name] ?? "";
      const place = beside?.place.get(row.name);
      const inside = place === undefined || (row.first <= place && place <= row.last);
      const edge = place < row.first ? row.first : row.last;
      const new_ =
        place === undefined
          ? ""
          : inside
            ? `<path class="lab-new" d="M${at(place)} ${y - 5}l5 5l-5 5l-5 -5z"/>`
            : `<path class="lab-gone" d="M${at(edge)} ${y}H${at(place)}"/>` +
              `<path class="lab-rare" d="M${at(place) - 5} ${y - 5}h10v10h-10z"/>`;
      const now = told(row.estimate);
      const rate = beside
        ? `${narrow ? now.slice(0, -1) : now} → ${told(beside.errors.get(row.name))}`
        : now;
      return (
        `<g data-model="${escape(row.name)}" class="lab-row${mark}">` +
        `<rect class="lab-hit-box" x="0" y="${y - step / 2}" width="${width}" height="${step}"/>` +
        `<text x="${left - 4}" y="${y + 4}" text-anchor="end">` +
        `${escape(names.get(row.name))}</text>` +
        `<path class="lab-rank" d="M${(at(row.first) - wide).toFixed(1)} ${y}` +
        `H${(at(row.last) + wide).toFixed(1)}"/>` +
        `<circle class="lab-dot" cx="${at(i + 1)}" cy="${y}" r="4"/>${new_}` +
        dataMark(at(i + 1), y, row.name, `${now}, ranks ${row.first} to ${row.last}`) +
        `<text x="${width}" y="${y + 4}" text-anchor="end">${rate}</text></g>`
      );
    })
    .join("");
  const of_rates = board.solved ? "solved" : "error";
  return {
    height: ground + 24,
    label: `The ranks that are left to each model. ${words}`,
    body:
      `<text x="${left - 4}" y="12" text-anchor="end">model</text>` +
      `<text x="${at(0.5)}" y="12">` +
      `${narrow ? "ranks" : "rank, and the ranks that are left"}</text>` +
      `<text x="${width}" y="12" text-anchor="end">` +
      `${beside ? `${of_rates}, beside` : of_rates}</text>` +
      `${grid}${body}`,
  };
}

/** What is said of the two that were picked. */
export function pairWords(board, view, pair, [A, B]) {
  const { found } = view;
  const count = found.pairs.length;
  const shownToDiffer = pair.adjusted <= DELTA && pair.difference !== 0;
  const better = pair.difference < 0 ? A : B;
  const answer = shownToDiffer
    ? `${better} is better than ${better === A ? B : A}.`
    : "No difference shown.";
  const places = digits(pair.low, pair.high);
  // Holm's steps may show what an interval at the level of a single pair does not
  const bySteps = shownToDiffer && pair.low <= 0 && pair.high >= 0;
  const apart =
    pair.n01 === undefined
      ? []
      : [
          `${A} alone is wrong on ${plural(pair.n01, board.item)}, ` +
            `${B} alone on ${grouped(pair.n10)}.`,
        ];
  return [
    answer,
    [
      ...apart,
      `By itself ${chance(pair.pvalue, DELTA)}; ` +
        `as one of ${plural(count, "pair")} ${chance(pair.adjusted, DELTA)} (Holm).`,
      `Error of ${A} minus error of ${B}: ${points(pair.difference, places)} points, ` +
        `${points(pair.low, places, "down")} ` +
        `to ${points(pair.high, places, "up")}; ` +
        `such intervals of all pairs hold together with 95% confidence.`,
      ...(bySteps ? ["The difference is shown by Holm's steps, not by this interval."] : []),
    ].join(" "),
  ];
}

const SIZES = [5, 7, 10, 15, 20, 30, 50, 70];

/** The numbers of units on the slider; the last is all of them. */
export function sizes(units) {
  const found = [];
  for (let power = 1; power <= units; power *= 10) {
    for (const size of SIZES)
      if (size * power < units && size * power >= LEAST) found.push(size * power);
  }
  return [...new Set(found), units].sort((a, b) => a - b);
}

const option = (value, label, chosen) =>
  `<option value="${escape(value)}"${value === chosen ? " selected" : ""}>` +
  `${escape(label)}</option>`;

export function render({ model, el }) {
  const id = unique("ranks");
  const words = model.get("words");
  const boards = {}; // opened
  let board = null;
  let view = null;
  const loading = new Set();
  let missing = "";
  frame(el, id);
  el.classList.add("lab-wide");
  el.innerHTML = `
    <p class="lab-title" id="${id}-title">Which ranks are real?</p>
    <div class="lab-picks">
      <label>Board <select name="board">${Object.entries(words.labels)
        .map(([key, label]) => option(key, label))
        .join("")}</select></label>
      <label>Test set <select name="test_set"></select></label>
      <label>Beside it <select name="beside"></select></label></div>
    <div class="lab-own" hidden>
      <label for="${id}-text">One line for each model and item: model, item, score from 0 to 1
        (1 is right) and, if items come in groups, group. Nothing leaves this page.</label>
      <textarea id="${id}-text" name="text" rows="6" wrap="off" spellcheck="false"
        autocomplete="off" aria-describedby="${id}-wrong"></textarea></div>
    <p class="lab-wrong" id="${id}-wrong"></p>
    <div class="lab-result">
      <div class="lab-size"><label><span id="${id}-size">Drawn: <output></output></span>
        <input type="range" name="size" min="0" step="1" autocomplete="off"
          aria-labelledby="${id}-size"></label>
        <button type="button" data-do="draw">Draw others</button></div>
      <label class="lab-how" hidden>Compared by <select name="how">
        ${option("groups proven", "bets on whole groups, proven")}
        ${option("groups t", "t test that knows the groups")}
        ${option("items t", "t test that takes each item by itself")}</select></label>
      <p class="lab-answer"><span data-out="different"></span> of <span data-out="pairs"></span>
        pairs are shown to differ</p>
      <p class="lab-answer lab-kept" hidden></p>
      <div class="lab-figure lab-board"><svg role="img"></svg></div>
      <p class="lab-key lab-small"></p>
      <p class="lab-under"></p>
      <div class="lab-picks"><label>Compare <select name="first"></select></label>
        <label>with <select name="second"></select></label></div>
      <p class="lab-answer lab-verdict"></p>
      <div class="lab-figure lab-two"><svg role="img"></svg></div>
      <div class="lab-print"><p class="lab-sentence"></p>
        <button type="button" class="lab-copy">Copy</button></div>
      <p class="lab-unseen"><span data-out="pvalue"></span> <span data-out="adjusted"></span>
        <span data-out="low"></span> <span data-out="high"></span></p>
      <details><summary>All models as a table</summary>
        <div class="lab-scroll" tabindex="0" role="group" aria-label="Table of models">
          <table><thead></thead><tbody></tbody></table></div></details>
      <p class="lab-small lab-source"></p>
    </div>
    <p class="lab-said" aria-live="polite"></p>`;
  const part = (name) => el.querySelector(`[name="${name}"]`);
  const [boardPick, setPick, besidePick, how, slider, firstPick, secondPick, area] = [
    "board",
    "test_set",
    "beside",
    "how",
    "size",
    "first",
    "second",
    "text",
  ].map(part);
  const under = el.querySelector(".lab-under");
  const verdict = el.querySelector(".lab-verdict");
  const sentence = el.querySelector(".lab-sentence");
  const source = el.querySelector(".lab-source");
  let picked = ["", ""];
  let pair = null;

  const main = picture(el.querySelector(".lab-board svg"), (width) =>
    ranksPicture(width, board, view, picked, under.textContent),
  );
  const two = picture(el.querySelector(".lab-two svg"), (width) => {
    const cut = distinct(picked, width < 420 ? 10 : 18);
    const names = picked.map((name) => cut.get(name));
    if (pair.n01 !== undefined) return pairPicture(width, pair, sentence.textContent, names);
    const body = difference(width, pair, names.map(escape));
    return {
      height: 118,
      label: `The interval of the difference against 0. ${sentence.textContent}`,
      body,
    };
  });

  function bring(key) {
    // a board that another file holds; several may be under way
    if (loading.has(key)) return;
    loading.add(key);
    const script = document.createElement("script");
    script.src = `${document.documentElement.dataset.content_root ?? "./"}${words.elsewhere[key]}`;
    script.onload = () => {
      words.boards[key] = window.errlabBoards[key];
      asked.refresh();
    };
    script.onerror = () => {
      script.remove();
      loading.delete(key);
      missing = key;
      asked.refresh();
    };
    document.head.append(script);
  }
  function ready() {
    // what is wrong with what was asked; the board, where nothing is
    const key = model.get("board");
    if (key === OWN) {
      try {
        const set = ownSet(model.get("text") || words.example);
        board = {
          label: "own",
          item: "item",
          group: set.groups ? "group" : "",
          solved: true,
          sets: { own: { ...set, label: "your items" } },
        };
        return "";
      } catch (fault) {
        if (!(fault instanceof Fault)) throw fault;
        return FAULTS[fault.key].replace(/\{(\w+)\}/g, (gap, name) => fault.gaps[name]);
      }
    }
    if (!words.boards[key]) {
      if (missing === key) {
        missing = "";
        return "this board lies in a file beside the page, which is not there; take another one";
      }
      bring(key);
      return "the board is being loaded";
    }
    if (!boards[key]) {
      const raw = words.boards[key];
      const sets = Object.entries(raw.sets).map(([name, set]) => [
        name,
        { ...opened(set), label: set.label },
      ]);
      boards[key] = { ...raw, sets: Object.fromEntries(sets) };
    }
    board = boards[key];
    return "";
  }
  function check() {
    const wrong = ready();
    boardPick.value = model.get("board");
    el.querySelector(".lab-own").hidden = model.get("board") !== OWN;
    const text = model.get("text") || words.example;
    if (document.activeElement !== area && area.value !== text) area.value = text;
    return wrong;
  }
  function choices() {
    const { key, set, models, units } = view;
    const others = Object.keys(board.sets).filter((name) => name !== key);
    setPick.innerHTML = Object.entries(board.sets)
      .map(([name, { label }]) => option(name, label, key))
      .join("");
    besidePick.innerHTML =
      option("none", "nothing", "none") +
      others.map((name) => option(name, board.sets[name].label, view.beside?.key)).join("");
    for (const select of [setPick, besidePick])
      select.closest("label").hidden = others.length === 0;
    const steps = sizes(units);
    const noun = set.groups ? board.group : nounOf(board, set);
    slider.max = steps.length - 1;
    slider.value = steps.findLastIndex((size) => size <= model.get("items"));
    const drawnNow = Math.min(model.get("items"), units);
    const told = `${grouped(drawnNow)} of ${plural(units, noun)}`;
    slider.closest("label").querySelector("output").textContent = told;
    slider.setAttribute("aria-valuetext", told);
    el.querySelector('[data-do="draw"]').disabled = drawnNow >= units;
    el.querySelector(".lab-how").hidden = !set.groups;
    how.value = model.get("units") === "items" ? "items t" : `groups ${model.get("method")}`;
    const names = view.found.rows.map((row) => row.name);
    const first = models.includes(model.get("first")) ? model.get("first") : names[0];
    const second =
      models.includes(model.get("second")) && model.get("second") !== first
        ? model.get("second")
        : names.find((name) => name !== first);
    picked = [first, second];
    firstPick.innerHTML = names
      .filter((name) => name !== second)
      .map((name) => option(name, name, first))
      .join("");
    secondPick.innerHTML = names
      .filter((name) => name !== first)
      .map((name) => option(name, name, second))
      .join("");
  }
  function table() {
    const { found, beside } = view;
    const rate = board.solved ? "solved" : "error";
    el.querySelector("thead").innerHTML =
      `<tr><th scope="col">model</th><th scope="col">${rate}</th><th scope="col">ranks left</th>` +
      `${beside ? `<th scope="col">beside: ${rate}</th><th scope="col">rank</th>` : ""}</tr>`;
    const told = (estimate) => percent(board.solved ? 1 - estimate : estimate);
    el.querySelector("tbody").innerHTML = found.rows
      .map(
        (row) =>
          `<tr data-first="${row.first}" data-last="${row.last}" data-estimate="${row.estimate}">` +
          `<th scope="row">${escape(row.name)}</th>` +
          `<td>${told(row.estimate)}</td>` +
          `<td>${row.first === row.last ? row.first : `${row.first} to ${row.last}`}</td>` +
          (beside
            ? `<td>${told(beside.errors.get(row.name))}</td>` +
              `<td>${beside.place.get(row.name)}</td>`
            : "") +
          "</tr>",
      )
      .join("");
  }
  function paint() {
    const state = Object.fromEntries(
      ["test_set", "beside", "items", "seed", "units", "method"].map((name) => [
        name,
        model.get(name),
      ]),
    );
    view = shown(board, state);
    choices();
    const { found, beside } = view;
    const said = sentences(board, view);
    out(el, "different", found.different, grouped(found.different));
    out(el, "pairs", found.pairs.length, grouped(found.pairs.length));
    under.textContent = said.slice(1).join(" ");
    const kept = el.querySelector(".lab-kept");
    kept.hidden = !beside;
    if (beside)
      kept.textContent = `${beside.kept} of ${found.rows.length} new ranks lie on their bars`;
    el.querySelector(".lab-key").textContent =
      `Dot: the rank on this draw. ` +
      `Bar: the ranks that are left (${TESTS[found.test]}; all together 95%).` +
      `${beside ? " Diamond: the rank beside; a square is outside." : ""}`;
    pair = { ...pairOf(found, view.models, ...picked), n: found.n };
    const [answer, text] = pairWords(board, view, pair, picked);
    verdict.textContent = answer;
    verdict.classList.toggle("lab-open", pair.adjusted > DELTA);
    sentence.textContent = text;
    for (const name of ["pvalue", "adjusted", "low", "high"]) out(el, name, pair[name], "");
    table();
    source.textContent = board.source ? `Data: ${board.source}; ${board.licence}.` : "";
    main.paint();
    two.paint();
    announce(el, said.join(" "));
  }
  function set(values) {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  }
  let waiting = 0;
  const acts = {
    board: () => set({ board: boardPick.value, items: 50_000, first: "", second: "" }),
    test_set: () => set({ test_set: setPick.value, beside: "none", items: 50_000 }),
    beside: () => set({ beside: besidePick.value }),
    how: () => set({ units: how.value.split(" ")[0], method: how.value.split(" ")[1] }),
    first: () => set({ first: firstPick.value, second: picked[1] }),
    second: () => set({ first: picked[0], second: secondPick.value }),
  };
  function change(event) {
    acts[event.target.name]?.();
  }
  function input(event) {
    if (event.target === area) set({ text: area.value });
    if (event.target !== slider) return;
    cancelAnimationFrame(waiting); // of many moves in one frame the last is drawn
    waiting = requestAnimationFrame(() => {
      const steps = sizes(view.units);
      const at = Number(slider.value);
      set({ items: at === steps.length - 1 ? Math.max(50_000, view.units) : steps[at] });
    });
  }
  function press(event) {
    if (event.target.dataset?.do === "draw") set({ seed: model.get("seed") + 1 });
    const name = event.target.closest?.("[data-model]")?.dataset.model;
    if (name && name !== picked[0]) set({ first: picked[0], second: name });
  }
  copies(
    el.querySelector(".lab-copy"),
    sentence,
    () => `${verdict.textContent} ${sentence.textContent}`,
  );
  el.addEventListener("change", change);
  el.addEventListener("input", input);
  el.addEventListener("click", press);
  const also = [
    "board",
    "test_set",
    "beside",
    "items",
    "seed",
    "units",
    "method",
    "first",
    "second",
    "text",
  ];
  const asked = bind({ el, model, rules: {}, check, paint, also });
  return () => {
    el.removeEventListener("change", change);
    el.removeEventListener("input", input);
    el.removeEventListener("click", press);
    cancelAnimationFrame(waiting);
    asked.stop();
    main.stop();
    two.stop();
  };
}
export default { render };
