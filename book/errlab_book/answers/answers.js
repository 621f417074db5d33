// Exercises, quizzes and guesses on the page: reads what is typed, checks it, remembers it.
// The same rules as in book/errlab_book/answers/__init__.py; tests compare the two.
(() => {
  "use strict";
  document.documentElement.classList.add("errlab-live");
  if (window.errlabAnswers) return;
  window.errlabAnswers = true;
  const WORDS = __WORDS__;
  const NUMBER = /^(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/;
  const THOUSANDS = /^\d{1,3}([.,]\d{3})+$/;
  const TOKEN =
    /\d{1,3}(?:[.,]\d{3})+(?![\d.,e])|(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?|sqrt|[-+*/^()]/g;

  // What people write around a number: "~0.03", "= 0.03", "about 3", "3 percent", "299 cases".
  const BEFORE =
    /^\s*(?:[a-z]\s*(?==))?(?:[~\u2248\u2243\u223c=]|(?:about|approximately|approx\.?|ca\.?)\s)+/i;
  const PERCENT = /\s*(?:per\s?cent|percent|pct\.?)\s*$/i;
  const THINGS =
    "answer|case|coin|email|error|example|group|image|item|label|mistake|model|observation|" +
    "patient|person|people|photo|picture|point|prompt|question|row|sample|scan|submission|task|" +
    "time|toss|try|tries";
  const COUNTED = new RegExp(`(\\d)\\s*(?:(?:test|new|more)\\s)?(?:${THINGS})(?:e?s)?\\s*$`, "i");
  const SIGNS = { "\u2212": "-", "\u00d7": "*", "\u00f7": "/" };

  function number(text, count) {
    if (THOUSANDS.test(text) && (count || !NUMBER.test(text)))
      return Number(text.replace(/[.,]/g, ""));
    return Number(text.replace(",", "."));
  }
  const finite = (value) => (Number.isFinite(value) ? value : NaN);
  // The value of sums, products, powers and brackets; NaN where the tokens are no formula.
  function formula(tokens, count) {
    let at = 0;
    const chain = (operators, part) => {
      let value = part();
      while (operators.includes(tokens[at] ?? " ")) {
        const operator = tokens[at++],
          other = part();
        const all = {
          "+": value + other,
          "-": value - other,
          "*": value * other,
          "/": value / other,
        };
        value = finite(all[operator]); // Python refuses to divide by 0
      }
      return value;
    };
    const sum = () => chain("+-", () => chain("*/", signed));
    function signed() {
      if (tokens[at] === "-") return (at++, -signed());
      if (tokens[at] === "+") return (at++, signed());
      const base = atom();
      if (tokens[at] !== "^") return base;
      at++;
      const power = signed();
      return Number.isNaN(base) ? NaN : finite(base ** power); // NaN ** 0 would be 1
    }
    function atom() {
      const token = tokens[at++] ?? "";
      if (token === "sqrt") return tokens[at] === "(" ? Math.sqrt(atom()) : NaN;
      if (token !== "(") return /\d/.test(token) ? finite(number(token, count)) : NaN;
      const value = sum();
      return tokens[at++] === ")" ? value : NaN;
    }
    const value = sum();
    return at === tokens.length ? value : NaN;
  }
  function read(text, count) {
    text = text
      .replace(BEFORE, "")
      .replace(/[ .]+$/, "")
      .replace(PERCENT, "%")
      .replace(COUNTED, "$1")
      .replace(/\s/g, "")
      .toLowerCase()
      .replace(/[\u2212\u00d7\u00f7]/g, (sign) => SIGNS[sign])
      .replaceAll("**", "^")
      .replace(/\u221a([\d.,]+)/g, "sqrt($1)")
      .replace(/(?:(?:np|math)\.)?sqrt|\u221a(?=\()/g, "sqrt");
    const percent = text.endsWith("%");
    if (percent) text = text.slice(0, -1);
    const tokens = text.match(TOKEN) ?? [];
    const value = tokens.join("") === text ? formula(tokens, count) : NaN;
    return Number.isFinite(value) ? { value: percent ? value / 100 : value, percent } : null;
  }
  function digest(text) {
    let h = 2166136261;
    for (const byte of new TextEncoder().encode(text)) h = Math.imul(h ^ byte, 16777619);
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    return ((h ^ (h >>> 16)) >>> 0).toString(16).padStart(8, "0");
  }

  // A text that the page keeps veiled until there is an answer.
  function unveil(text, key) {
    let stream = "";
    for (let i = 0; stream.length < text.length; i++) stream += digest(`${key} ${i}`);
    const data = Uint8Array.from(atob(text), (c, i) => c.charCodeAt(0) ^ stream.charCodeAt(i));
    return new TextDecoder().decode(data);
  }

  // What is wrong with one part of an answer; null where it is right.
  function fault(task, part, typed) {
    const salt = `${task.key} ${part.name} `;
    if (task.asks === "choice") {
      const mark = digest(salt + typed.toLowerCase());
      return part.right.includes(mark)
        ? null
        : (part.wrong.find((w) => w[0].includes(mark))?.[1] ?? "");
    }
    const got = read(typed, task.asks === "count");
    if (!got) return WORDS.unread;
    const x = got.value;
    const mark = (v) => digest(salt + Math.floor(v / task.step + 0.5));
    const right = (v) => part.right.includes(mark(v));
    if (got.percent && task.asks !== "share") return WORDS.no_share;
    if (right(x)) return null;
    if (task.asks === "share" && got.percent && right(x * 100)) return WORDS.doubled;
    const known = part.wrong.find((w) => w[0].includes(mark(x)));
    if (known) return known[1];
    if (task.asks === "share") {
      if (!got.percent && right(x / 100)) return WORDS.percent;
      if (right(1 - x)) return WORDS.complement;
    }
    if (task.asks === "count" && (right(x - 1) || right(x + 1))) return WORDS.off_by_one;
    if (right(-x)) return WORDS.sign;
    if ([-3, -1.5, 1.5, 3].some((i) => right(x + i * 4 * task.step))) return WORDS.near;
    return task.asks === "share" && Math.abs(x) > 1 ? WORDS.share : "";
  }

  function say(box, text, right) {
    box.className =
      "errlab-feedback" + (right === null ? "" : right ? " errlab-right" : " errlab-wrong");
    if (box.textContent !== text) box.textContent = text;
    else {
      // a live region is silent unless its words change
      box.textContent = "";
      setTimeout(() => {
        box.textContent = text;
      }, 30);
    }
  }
  const filled = (text, ...values) => text.replace(/\{\}/g, () => values.shift());
  const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);

  function check(form) {
    const task = JSON.parse(form.dataset.check);
    const box = form.querySelector("[aria-live]");
    let first = null;
    for (const part of task.parts) {
      const field =
        task.asks === "choice" ? form.querySelector("input:checked") : form.elements[part.name];
      if (!field || !field.value.trim()) {
        say(box, upper(WORDS.none), null);
        (field ?? form.querySelector("input")).focus();
        return;
      }
      const wrong = fault(task, part, field.value.trim());
      if (task.asks !== "choice") field.setAttribute("aria-invalid", String(wrong !== null));
      if (wrong !== null && !first)
        first = { field, text: wrong || WORDS.not_yet, name: part.label };
    }
    if (!first) say(box, "\u2713 " + upper(WORDS.right), true);
    else {
      const where = task.parts.length > 1 ? first.name + ": " : "";
      say(box, "\u2717 " + upper(where + first.text), false);
    }
    keep(task.key, !first, form);
  }

  const object = (value) => Object.prototype.toString.call(value) === "[object Object]";
  // What was answered, page by page. The store may hold anything; what is none of ours is left out.
  function stored() {
    let all = null;
    try {
      all = JSON.parse(localStorage.getItem("errlab"));
    } catch {
      /* storage turned off, or no JSON */
    }
    const pages = object(all) ? Object.entries(all) : [];
    return Object.fromEntries(pages.filter(([, own]) => object(own) && object(own.answers)));
  }
  // What was answered stays in this browser. A browser may forbid that: then nothing is kept.
  function keep(key, right, item) {
    item.dataset.done = right ? "right" : "tried";
    try {
      const all = stored();
      const own = (all[name()] ??= { answers: {} });
      own.of = document.querySelectorAll("[data-answer]").length;
      if (own.answers[key] !== "right") own.answers[key] = right ? "right" : "tried";
      localStorage.setItem("errlab", JSON.stringify(all));
      document.dispatchEvent(new Event("errlab-progress"));
    } catch {
      /* private window, or storage turned off */
    }
  }

  function quiz(form) {
    const box = form.querySelector("[aria-live]"),
      chosen = form.querySelector("input:checked");
    if (!chosen) return say(box, upper(WORDS.none), null);
    const key = `${form.dataset.answer} ${chosen.value}`,
      right = digest(key) === form.dataset.key;
    say(
      box,
      (right ? "\u2713 " + WORDS.quiz_right : "\u2717 " + WORDS.quiz_wrong) +
        " " +
        unveil(chosen.dataset.why, key),
      right,
    );
    keep(form.dataset.answer, right, form);
  }

  // The explanation of a guess, the paragraph after its cell or as many blocks as the guess says,
  // is folded until all guesses of the cell are made; on paper and without scripts it is open.
  const style = document.createElement("style");
  style.textContent = "@media screen { .errlab-folded { display: none !important; } }";
  document.head.append(style);

  const CELL = "div.cell, .jp-CodeCell";
  const ALL = 99; // as many blocks are all that follow, over headings as well
  // What is read after a cell, block by block, up to the next heading.
  function* blocksAfter(cell, all) {
    for (let block = cell.nextElementSibling; block; block = block.nextElementSibling) {
      // JupyterLab and Notebook: the paragraphs of a cell of text, and a cell of code as it is
      const text = block.matches(".jp-MarkdownCell") && block.querySelector(".jp-MarkdownOutput");
      for (const part of text ? text.children : [block]) {
        if (!all && part.matches("section, h1, h2, h3, h4, h5, h6")) return;
        yield part;
      }
    }
  }
  // A formula, or words in the middle of a sentence, belong to the block before them.
  function goesOn(block) {
    const first = block.firstChild;
    return (
      block.matches("div.math, .math") ||
      Boolean(block.querySelector(":scope > mjx-container[display='true']")) ||
      (block.matches("p") && first?.nodeType === Node.TEXT_NODE && /^\s*[a-z]/.test(first.data))
    );
  }
  function explanation(cell, guesses) {
    const blocks = Math.max(...guesses.map((g) => Number(g.dataset.folds)));
    const found = [];
    for (const block of blocksAfter(cell, blocks >= ALL)) {
      if (block.querySelector(blocks >= ALL ? "form.errlab-guess" : "form")) break; // what asks stands by itself
      if (found.length >= blocks && !goesOn(block)) break;
      found.push(block);
    }
    return found;
  }

  function fold() {
    const cells = new Map();
    for (const form of document.querySelectorAll("form.errlab-guess")) {
      const cell = form.closest(CELL);
      cells.set(cell, [...(cells.get(cell) ?? []), form]);
    }
    const folded = new Set();
    for (const [cell, guesses] of cells) {
      const made = guesses.every((g) => "open" in g.dataset);
      const blocks = cell ? explanation(cell, guesses) : [];
      for (const block of blocks) {
        if (!block.hasAttribute("tabindex")) block.setAttribute("tabindex", "-1");
        if (!made) folded.add(block);
      }
      // a notebook that keeps its outputs apart, such as Colab, leaves nothing to fold
      for (const form of guesses) {
        const show = form.querySelector("[data-show]");
        if (show) show.hidden = !blocks.length; // none yet, while the browser still reads the form
      }
    }
    // a cell that has run again may have other blocks after it
    for (const block of document.querySelectorAll(".errlab-folded"))
      if (!folded.has(block)) block.classList.remove("errlab-folded");
    for (const block of folded) block.classList.add("errlab-folded");
  }

  function guess(form) {
    const box = form.querySelector("[aria-live]"),
      { answer, right, step, told } = form.dataset;
    const field = form.querySelector("input[type=text]") ?? form.querySelector("input:checked");
    if (!field || !field.value.trim()) return say(box, upper(WORDS.none), null);
    let good = false,
      text = "";
    if (field.type === "text") {
      const got = read(field.value, false);
      if (!got) return say(box, upper(WORDS.unread), null);
      good = right.split(" ").includes(digest(`${answer} ${Math.floor(got.value / step + 0.5)}`));
      text = filled(WORDS.guessed_number, field.value.trim(), unveil(told, answer));
    } else {
      good = digest(`${answer} ${field.value}`) === right;
      text =
        (good ? WORDS.good_guess : filled(WORDS.guessed, field.value)) +
        " " +
        unveil(field.dataset.why, `${answer} ${field.value}`);
    }
    form.dataset.open = "";
    fold();
    // guessing wrong is free: a guess that was made is done
    say(box, (good ? "\u2713 " : "\u2717 ") + text, good);
    keep(form.dataset.answer, true, form);
  }

  const FORMS = { "errlab-check": check, "errlab-question": quiz, "errlab-guess": guess };
  document.addEventListener("submit", (event) => {
    const act = FORMS[event.target.classList?.[0]];
    if (!act) return;
    event.preventDefault();
    act(event.target);
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-show]")) return;
    event.target.closest("form").dataset.open = "";
    fold();
  });

  function restore() {
    const own = stored()[name()]?.answers ?? {};
    for (const item of document.querySelectorAll("[data-answer]")) {
      if (own[item.dataset.answer]) item.dataset.done = own[item.dataset.answer];
      else delete item.dataset.done;
      if (item.dataset.done && item.matches(".errlab-guess")) item.dataset.open = "";
    }
    fold();
  }
  // A notebook has no page of its own: all that are open in JupyterLab share one.
  const notebook = () => document.querySelector(".jp-Notebook") !== null;
  const name = () =>
    notebook()
      ? "jupyter"
      : location.pathname
          .split("/")
          .pop()
          .replace(/\.html$/, "");
  document.addEventListener("errlab-erased", restore);
  // With a kernel this script comes when the page has long been there, and cells come and go.
  if (document.readyState === "loading") {
    // what is folded is folded before it is painted, or the page would jump
    const parsing = new MutationObserver(restore);
    parsing.observe(document.documentElement, { childList: true, subtree: true });
    document.addEventListener("DOMContentLoaded", () => {
      parsing.disconnect();
      restore();
    });
  } else restore();
  if (notebook()) {
    let waiting = false;
    new MutationObserver(() => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        restore();
      });
    }).observe(document.body, { childList: true, subtree: true });
  }
})();
