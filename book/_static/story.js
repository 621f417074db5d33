// The story on the front page: a scene's lab takes the state of the step that is read, until the
// reader takes over. Without this script, and with reduced motion, the page is the same in order.
(() => {
  "use strict";

  let sent = location.hash.includes("="); // somebody's numbers, in the address of the page
  addEventListener("hashchange", () => {
    sent = location.hash.includes("=");
  });

  /** Whether a lab is the reader's, who has touched it or was sent numbers for it. */
  const taken = (lab) =>
    lab.dataset.touched !== undefined || (sent && lab.dataset.labAddress !== undefined);

  const PLAY_MS = 700; // between two test sets; all of them take less than five seconds

  function stage(scene) {
    const lab = scene.querySelector("[data-lab]");
    const steps = [...scene.querySelectorAll(".errlab-step")];
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let playing = 0;
    function show(step) {
      clearInterval(playing);
      for (const other of steps) other.classList.toggle("errlab-now", other === step);
      const state = JSON.parse(step.dataset.state);
      const { sets } = state;
      const moves = step.dataset.play !== undefined && !calm && !taken(lab);
      if (moves) state.sets = 1;
      for (const [name, value] of Object.entries(state)) lab.errlabModel.set(name, value);
      if (!moves) return;
      // one test set after the other, unless the reader takes the lab
      playing = setInterval(() => {
        const next = lab.errlabModel.get("sets") + 1;
        if (next > sets || taken(lab)) clearInterval(playing);
        else lab.errlabModel.set("sets", next);
      }, PLAY_MS);
    }
    /** Where there is no room for the whole lab, it is a picture until the reader wants more. */
    function fold() {
      const open = document.createElement("button");
      const close = document.createElement("button");
      for (const button of [open, close]) {
        button.type = "button";
        button.className = "errlab-try";
      }
      open.textContent = "Try it";
      open.setAttribute("aria-expanded", "false");
      close.textContent = "Back to the story";
      const turn = (opened) => {
        lab.classList.toggle("errlab-opened", opened);
        open.setAttribute("aria-expanded", String(opened));
        (opened ? lab : (scene.querySelector(".errlab-now") ?? steps.at(-1))).scrollIntoView({
          block: opened ? "start" : "center",
        });
        (opened ? lab.querySelector("input, select, button") : open).focus({ preventScroll: true });
      };
      open.addEventListener("click", () => turn(!lab.classList.contains("errlab-opened")));
      close.addEventListener("click", () => turn(false));
      steps.at(-1).after(open);
      lab.append(close);
    }
    for (const step of steps) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Show this";
      const words = step.querySelector("p");
      words.id = `errlab-step-${document.querySelectorAll(".errlab-step > button").length + 1}`;
      button.setAttribute("aria-describedby", words.id);
      button.addEventListener("click", () => show(step));
      step.append(button);
    }
    fold();
    lab.parentElement.classList.add("errlab-staged");
    if (calm) return;
    lab.parentElement.classList.add("errlab-told");
    const read = new IntersectionObserver(
      (seen) => {
        const now = seen.find((entry) => entry.isIntersecting);
        if (now && !taken(lab)) show(now.target);
      },
      { rootMargin: "-45% 0px -45%" },
    ); // a band across the middle: one step at a time
    for (const step of steps) read.observe(step);
  }

  /** The numbers to print: those sent, those typed now or in an earlier visit, or the lab's own. */
  function numbers(lab, start) {
    const [errors, cases, confidence] = ["errors", "cases", "confidence"].map(lab.errlabModel.get);
    const kept = window.errlabModules["shim.js"].kept();
    const typed = kept.cases >= 1 && kept.errors >= 0 && kept.errors <= kept.cases;
    if (typed && (!sent || lab.dataset.touched !== undefined)) return { ...kept, confidence };
    return taken(lab) ? { errors, cases, confidence } : start;
  }

  function paragraph(box) {
    const lab = document.querySelector('[data-lab="claim"]');
    const [often, honest] = box.querySelectorAll("blockquote");
    const { claimSentences } = window.errlabModules["claim.js"];
    const { fill, percent } = window.errlabModules["words.js"];
    const first = lab.closest(".errlab-scene").querySelector(".errlab-step");
    const start = JSON.parse(first.dataset.state);
    function write() {
      const mine = numbers(lab, start);
      const accuracy = percent(1 - mine.errors / mine.cases);
      often.textContent = fill(often.dataset.words, { accuracy });
      honest.textContent = claimSentences(lab.errlabModel.get("words").report, mine).join(" ");
    }
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    honest.after(button);
    window.errlabModules["kit.js"].copies(button, honest, () => honest.textContent);
    for (const name of ["errors", "cases", "confidence"]) {
      lab.errlabModel.on(`change:${name}`, () => queueMicrotask(write));
    }
    addEventListener("pageshow", write);
    write();
  }

  addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll(".errlab-scene").forEach(stage);
    document.querySelectorAll(".errlab-printed").forEach(paragraph);
  });
})();
