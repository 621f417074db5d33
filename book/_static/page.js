// What a reader may ask of any page: its code, and what a word of the glossary means.
(() => {
  "use strict";
  const root = document.documentElement,
    FOLDED = ".tag_hide-input > details.hide";
  function kept() {
    try {
      return localStorage.getItem("errlab-code") === "shown";
    } catch {
      return false;
    }
  }
  root.dataset.code = kept() ? "shown" : "hidden"; // before the page is painted

  function show(shown) {
    root.dataset.code = shown ? "shown" : "hidden";
    for (const code of document.querySelectorAll(FOLDED)) code.open = shown;
  }
  function addSwitch() {
    const bar = document.querySelector(".article-header-buttons");
    if (!bar || !document.querySelector(`${FOLDED}, .errlab-source`)) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn btn-sm errlab-switch";
    button.textContent = "Code";
    button.title = "Show or hide all code of the book";
    button.setAttribute("aria-pressed", String(kept()));
    button.addEventListener("click", () => {
      const shown = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(shown));
      try {
        localStorage.setItem("errlab-code", shown ? "shown" : "");
      } catch {
        /* not kept */
      }
      show(shown);
    });
    bar.prepend(button);
    show(kept());
  }

  // A word of the glossary opens where it stands. Its text is in terms.js, which the build writes.
  const here = document.currentScript.src;
  let terms;
  function loaded() {
    terms ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL("terms.js", here).href;
      script.onload = () => resolve(window.errlabTerms);
      script.onerror = reject;
      document.head.append(script);
    });
    return terms;
  }
  async function explain(link) {
    const told = (await loaded())[link.hash.slice(1)];
    if (!told) throw new Error("not in the glossary");
    const box = document.createElement("div");
    box.popover = "auto";
    box.className = "errlab-term";
    box.tabIndex = -1;
    box.setAttribute("role", "dialog");
    box.setAttribute("aria-label", link.textContent);
    box.innerHTML = told;
    const more = document.createElement("a");
    more.href = link.href;
    more.textContent = "In the glossary";
    box.append(more);
    link.after(box);
    box.addEventListener("toggle", (event) => {
      if (event.newState === "closed") box.remove();
    });
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      box.hidePopover();
      link.focus();
    });
    box.showPopover();
    const at = link.getBoundingClientRect(),
      below = at.bottom + box.offsetHeight + 8 < innerHeight;
    box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - box.offsetWidth - 8))}px`;
    box.style.top = `${below ? at.bottom + 4 : Math.max(8, at.top - box.offsetHeight - 4)}px`;
    box.focus({ preventScroll: true });
  }
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[href*="glossary.html#term-"]');
    const plain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!link || !plain || link.closest(".errlab-term") || !("popover" in link)) return;
    event.preventDefault();
    explain(link).catch(() => {
      location.href = link.href;
    });
  });
  document.addEventListener("DOMContentLoaded", addSwitch);
})();
