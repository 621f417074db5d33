// The story on the front page: a scene's lab takes the state of the step that is read, until the
// reader takes over. Without this script, and with reduced motion, the page is the same in order.
(() => {
  "use strict";

  /** Whether the reader has typed into a lab, or has sent numbers to it in the address. */
  const taken = (lab) => lab.dataset.touched !== undefined
    || (lab.dataset.labAddress !== undefined && location.hash.includes("="));

  function stage(scene) {
    const lab = scene.querySelector("[data-lab]");
    const steps = [...scene.querySelectorAll(".errlab-step")];
    function show(step) {
      for (const other of steps) other.classList.toggle("errlab-now", other === step);
      const state = JSON.parse(step.dataset.state);
      for (const [name, value] of Object.entries(state)) lab.errlabModel.set(name, value);
    }
    for (const step of steps) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Show this";
      button.addEventListener("click", () => {
        show(step);
        if (lab.parentElement.clientWidth < 2 * step.clientWidth) lab.scrollIntoView(); // above it
      });
      step.append(button);
    }
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    lab.parentElement.classList.add("errlab-told");
    const read = new IntersectionObserver((seen) => {
      const now = seen.find((entry) => entry.isIntersecting);
      if (now && !taken(lab)) show(now.target);
    }, { rootMargin: "-40% 0px -50%" }); // a band across the middle: one step at a time
    for (const step of steps) read.observe(step);
  }

  /** The numbers to print: the reader's, typed here or in an earlier visit, else those of the lab. */
  function numbers(lab, start) {
    const [errors, cases, confidence] = ["errors", "cases", "confidence"].map(lab.errlabModel.get);
    if (taken(lab)) return { errors, cases, confidence };
    const kept = window.errlabModules["shim.js"].kept();
    const whole = Number.isInteger(kept.errors) && Number.isInteger(kept.cases);
    return whole && kept.errors >= 0 && kept.errors <= kept.cases && kept.cases >= 1
      ? { errors: kept.errors, cases: kept.cases, confidence: 95 } : start;
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
