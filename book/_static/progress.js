// What was answered, beside each chapter in the sidebar and on the page of contents. It is kept in
// this // browser only (localStorage, written by errlab/book/answers/answers.js); nothing is sent.
(() => {
  "use strict";
  function all() {
    try {
      return JSON.parse(localStorage.getItem("errlab") || "{}");
    } catch {
      return {};
    }
  }
  const page = (link) =>
    link
      .getAttribute("href")
      .split("#")[0]
      .split("/")
      .pop()
      .replace(/\.html$/, "");
  const right = (own) => Object.values(own.answers).filter((a) => a === "right").length;

  function contents(kept) {
    for (const link of document.querySelectorAll("nav.bd-links a.reference")) {
      link.querySelector(".errlab-done")?.remove();
      const name =
        page(link) === "" || page(link) === "#"
          ? location.pathname
              .split("/")
              .pop()
              .replace(/\.html$/, "")
          : page(link);
      const own = kept[name];
      if (!own) continue;
      const mark = document.createElement("span");
      mark.className = "errlab-done";
      mark.textContent = ` ${right(own)}/${own.of}`;
      const words = document.createElement("span");
      words.className = "errlab-said";
      words.textContent = " done";
      mark.append(words);
      link.append(mark);
    }
  }
  function front(kept) {
    const box = document.getElementById("errlab-progress");
    if (!box) return;
    const names = Object.keys(kept)
      .filter((name) => Object.keys(kept[name].answers).length)
      .sort();
    const said = box.querySelector("[aria-live]"),
      list = box.querySelector("ul");
    list.replaceChildren(
      ...names.map((name) => {
        const own = kept[name],
          item = document.createElement("li");
        const link = document.querySelector(`nav.bd-links a[href*="${CSS.escape(name)}.html"]`);
        const title = link
          ? [...link.childNodes]
              .filter((n) => n.nodeType === 3)
              .map((n) => n.data)
              .join("")
              .trim()
          : name;
        const tried = Object.keys(own.answers).length - right(own);
        const words = `: ${right(own)} of ${own.of} done` + (tried ? `, ${tried} tried` : "");
        if (link) {
          const to = document.createElement("a");
          to.href = link.href;
          to.textContent = title;
          item.append(to, words);
        } else item.append(title + words);
        return item;
      }),
    );
    box.querySelector("button").hidden = names.length === 0;
    box.hidden = names.length === 0 && !said.textContent;
  }
  function show() {
    const kept = all();
    contents(kept);
    front(kept);
  }
  document.addEventListener("errlab-progress", show);
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("#errlab-progress button")) return;
    try {
      ["errlab", "errlab-numbers"].forEach((key) => localStorage.removeItem(key));
    } catch {
      return;
    }
    const said = document.querySelector("#errlab-progress [aria-live]");
    said.textContent = "Erased. Nothing is kept any more.";
    document.dispatchEvent(new Event("errlab-erased"));
    show();
  });
  addEventListener("storage", show);
  addEventListener("pageshow", show);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", show);
  else show();
})();
