// Climb a leaderboard without learning anything: guess, submit, look, turn round, vote.

import { random } from "./numerics.js";
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

const MOST = 300; // submissions
const RULES = { cases: { label: "the number of test examples", whole: true, low: 5, high: 100 } };

/** The hidden labels, coins that the seed tosses: "0110...". */
export function labels({ seed, cases }) {
  const next = random(seed);
  return Array.from({ length: cases }, () => (next() < 0.5 ? "0" : "1")).join("");
}

const wrong = (guess, truth) => [...guess].map((bit, i) => (bit === truth[i] ? 0 : 1));
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

/** What the board shows after each submission, and which one leads (`errlab.holdout`). */
export function boardOf({ board, cases, submitted, seed }) {
  const truth = labels({ seed, cases });
  const losses = submitted.map((guess) => wrong(guess, truth));
  const scores = losses.map((row) => sum(row) / cases);
  const released = [];
  const leaders = [];
  let leader = 0;
  losses.forEach((row, t) => {
    if (t > 0) {
      const mended = sum(row.map((loss, i) => (losses[leader][i] && !loss ? 1 : 0)));
      const broken = sum(row.map((loss, i) => (!losses[leader][i] && loss ? 1 : 0)));
      const gain = mended - broken;
      // the Ladder wants more than one standard error of the difference
      if (gain > 0 && (board === "plain board" || gain * gain > mended + broken)) leader = t;
    }
    leaders.push(leader);
    released.push(board === "plain board" ? scores[t] : scores[leader]);
  });
  return { released, leaders, scores };
}

/** The vote: each submission turned round where the board shows more than 1/2; a tie is a 0. */
export function vote(submitted, released) {
  const turned = submitted.map((guess, t) =>
    [...guess].map((bit) => Number(bit) ^ (released[t] > 0.5 ? 1 : 0)),
  );
  return turned[0]
    .map((_, i) => (2 * sum(turned.map((row) => row[i])) > turned.length ? "1" : "0"))
    .join("");
}

function drawn(width, state) {
  const { released, leaders, scores } = state.shown;
  const k = released.length;
  const left = 44;
  const ground = 158;
  const at = scale(0, Math.max(20, k + 1), left, width - 6);
  const top = Math.max(0.7, ...(k ? scores : [0]));
  const up = scale(0, top, ground, 26);
  const plain = state.board === "plain board";
  const best = leaders.map((leader) => scores[leader]);
  let line = "";
  best.forEach((score, t) => {
    line += `${t ? `H${at(t + 1)}V${up(score)}` : `M${at(1)} ${up(score)}`}`;
  });
  if (k) line += `H${at(k + 1)}`;
  const dots = scores.map((score, t) =>
    plain || leaders[t] === t
      ? `<circle class="${leaders[t] === t ? "lab-lead" : "lab-tried"}" cx="${at(t + 1)}" ` +
        `cy="${up(score)}" r="${leaders[t] === t ? 4 : 2.5}"/>` +
        dataMark(at(t + 1), up(score), `submission ${t + 1}`, percent(score))
      : "",
  );
  const grid = ticks(0, top, 3).map(
    (tick) =>
      `<text x="${left - 8}" y="${up(tick) + 4}" text-anchor="end">${tickPercent(tick)}</text>` +
      `<path class="lab-grid" d="M${left} ${up(tick)}H${width - 6}"/>`,
  );
  // a dot that is not kept is seen on the plain board only
  const key =
    plain && leaders.some((leader, t) => leader !== t)
      ? "large: your best so far; small: not kept"
      : "";
  return {
    height: 184,
    label: k
      ? `The errors that the board has shown after ${count(k, "submission")}; the best is ` +
        `${percent(best.at(-1))}. The true error is 50% throughout.`
      : "Nothing is submitted yet. The true error is 50%.",
    body:
      `${grid.join("")}<path class="lab-truth" d="M${left} ${up(0.5)}H${width - 6}"/>` +
      (key ? `<text x="${left}" y="12">${key}</text>` : "") +
      `<path class="lab-line" d="${line}"/>${dots.join("")}` +
      `<text x="${width - 6}" y="${up(0.5) - 6}" text-anchor="end" class="lab-halo">` +
      `true error</text>` +
      `<text x="${left}" y="${ground + 19}">submissions</text>` +
      `<text x="${width - 6}" y="${ground + 19}" text-anchor="end">${Math.max(20, k + 1)}</text>`,
  };
}

export function render({ model, el }) {
  const id = unique("climb");
  frame(el, id);
  const choice = (value, words) => `<label class="lab-choice"><input type="radio" name="${id}-board"
    value="${value}" autocomplete="off"> ${words}</label>`;
  el.innerHTML = `
    <p class="lab-title" id="${id}-title">Climb the board</p>
    <p class="lab-line">${field(id, "cases", "test examples with hidden labels", 3)}</p>
    <p class="lab-wrong" id="${id}-wrong"></p>
    <fieldset class="lab-choices"><legend>The board is</legend>
      ${choice("plain board", "plain: it shows every score")}
      ${choice("Ladder", "a Ladder: it shows clear improvements only")}</fieldset>
    <div class="lab-result">
      <p class="lab-under" id="${id}-guess">Your guess. Click a prediction to flip it; those
        that differ from your best are marked.</p>
      <div class="lab-cells" role="group" aria-labelledby="${id}-guess"></div>
      <div class="lab-buttons">
        <button type="button" data-do="submit">Submit</button>
        <button type="button" data-do="back">Back to the best</button>
        <button type="button" data-do="ten">10 random guesses</button>
        <button type="button" data-do="vote">Vote</button>
        <button type="button" data-do="again">Start again</button></div>
      <p class="lab-head" hidden><span>On the board</span>
        <span class="lab-big" data-out="best"></span>
        <span>in truth 50%</span></p>
      <p class="lab-state"></p>
      <div class="lab-figure"><svg role="img"></svg></div>
    </div>
    <p class="lab-said" aria-live="polite"></p>`;
  const cells = el.querySelector(".lab-cells");
  let state = null; // examples, board, seed, submitted, shown
  let guess = "";
  let sent = ""; // all submissions made here
  let coins = random(1);
  let started = ""; // the seed and size that the coins belong to

  const toss = () =>
    Array.from({ length: state.cases }, () => (coins() < 0.5 ? "0" : "1")).join("");
  const figure = picture(el.querySelector("svg"), (width) => drawn(width, state));
  const best = () => state.submitted[state.shown.leaders.at(-1)];

  function told() {
    const { released, leaders, scores } = state.shown;
    const k = released.length;
    if (k === 0)
      return "Your true error is 50%: nobody looks at an input here. What does the board say?";
    const moved = leaders[k - 1] === k - 1;
    const bestNow = percent(scores[leaders[k - 1]]);
    if (state.board === "Ladder") {
      return moved
        ? `Submission ${k}: the board moves to ${bestNow}.`
        : `Submission ${k}: the board does not move. It shows ${bestNow}.`;
    }
    return moved
      ? `Submission ${k}: ${percent(scores[k - 1])}, your best.`
      : `Submission ${k}: ${percent(scores[k - 1])}. Your best is ${bestNow}.`;
  }
  function fill() {
    while (cells.children.length > guess.length) cells.lastChild.remove();
    while (cells.children.length < guess.length) {
      const cell = document.createElement("button");
      cell.type = "button";
      cell.tabIndex = cells.children.length ? -1 : 0;
      cells.append(cell);
    }
    const lead = state.submitted.length ? best() : guess;
    [...cells.children].forEach((cell, i) => {
      const other = lead[i] !== guess[i];
      cell.textContent = guess[i];
      cell.dataset.place = i;
      cell.classList.toggle("lab-turned", other);
      cell.setAttribute("aria-label", `Answer ${i + 1}: ${guess[i]}${other ? ", flipped" : ""}`);
    });
  }
  function paint({ cases }) {
    state = { cases, board: model.get("board"), seed: model.get("seed") };
    const text = model.get("submitted");
    state.submitted = text ? text.split(",").filter((bits) => bits.length === cases) : [];
    state.shown = boardOf(state);
    const key = `${state.seed} ${cases}`;
    if (key !== started) {
      // another set of labels: another first guess
      started = key;
      coins = random((state.seed ^ 0x9e3779b9) >>> 0);
      guess = toss();
    }
    if (text !== sent && state.submitted.length) guess = state.submitted.at(-1);
    sent = text;
    for (const radio of el.querySelectorAll('input[type="radio"]'))
      radio.checked = radio.value === state.board;
    const none = state.submitted.length === 0;
    const full = state.submitted.length >= MOST;
    for (const button of el.querySelectorAll("[data-do]")) {
      const what = button.dataset.do;
      button.disabled =
        what === "submit" || what === "ten" ? full : what === "vote" ? none || full : none;
    }
    const last = state.shown.leaders.at(-1);
    if (!none) out(el, "best", state.shown.scores[last], percent(state.shown.scores[last]));
    el.querySelector(".lab-head").hidden = none;
    el.querySelector(".lab-state").textContent = told();
    fill();
    figure.paint();
    announce(el, told());
  }
  function submit(guesses) {
    sent = [...state.submitted, ...guesses].slice(0, MOST).join(",");
    model.set("submitted", sent);
    model.save_changes();
  }
  function anew() {
    model.set("seed", model.get("seed") + 1);
    model.set("submitted", "");
    model.save_changes();
  }
  function press(event) {
    const { do: what, place } = event.target.dataset ?? {};
    if (place !== undefined) {
      const bits = [...guess];
      bits[place] = bits[place] === "0" ? "1" : "0";
      guess = bits.join("");
      fill();
      return;
    }
    if (what === "submit") submit([guess]);
    if (what === "ten") submit(Array.from({ length: 10 }, toss));
    if (what === "again") anew();
    if (what === "back") {
      const already = guess === best();
      guess = best();
      fill();
      const words = already
        ? "These are the predictions of your best already. Flip one, then submit."
        : "Back at your best: what you flipped since is undone.";
      el.querySelector(".lab-state").textContent = words;
      announce(el, words);
    }
    if (what === "vote") {
      guess = vote(state.submitted, state.shown.released);
      submit([guess]);
    }
  }
  function walk(event) {
    // one stop for the keyboard; the arrow keys go from example to example
    const place = Number(event.target.dataset?.place ?? NaN);
    const step = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -10,
      ArrowDown: 10,
      Home: -place,
      End: guess.length - 1 - place,
    }[event.key];
    if (Number.isNaN(place) || step === undefined) return;
    const next = cells.children[place + step];
    if (!next) return;
    event.preventDefault();
    for (const cell of cells.children) cell.tabIndex = cell === next ? 0 : -1;
    next.focus();
  }
  function choose(event) {
    if (event.target.type !== "radio" || event.target.value === state.board) return;
    model.set("board", event.target.value);
    anew(); // who has seen the scores of these labels would climb any board
  }
  const rules = bind({ el, model, rules: RULES, paint, also: ["board", "seed", "submitted"] });
  el.addEventListener("click", press);
  el.addEventListener("keydown", walk);
  el.addEventListener("change", choose);
  return () => {
    el.removeEventListener("click", press);
    el.removeEventListener("keydown", walk);
    el.removeEventListener("change", choose);
    rules.stop();
    figure.stop();
  };
}
export default { render };
