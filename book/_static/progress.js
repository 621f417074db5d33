// What was answered, beside each chapter in the sidebar and on the page of contents. It is kept in
// this browser only (localStorage, written by book/errlab_book/answers/answers.js); nothing is sent.
(() => {
  "use strict";
  const object = (value) => Object.prototype.toString.call(value) === "[object Object]";
  function read(key) {
    try {
      const found = JSON.parse(localStorage.getItem(key));
      return object(found) ? found : {};
    } catch {
      return {}; // storage is turned off, or holds what is no JSON
    }
  }
  // Another page of the same address may have stored anything under our name.
  function all() {
    const whole = (own) => object(own) && object(own.answers) && Number.isFinite(own.of);
    return Object.fromEntries(Object.entries(read("errlab")).filter(([, own]) => whole(own)));
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
    const counts = Object.values(read("errlab-numbers")).some(Number.isFinite);
    if (counts) {
      const item = document.createElement("li");
      item.textContent = "Counts that you typed into a lab, which the next lab offers you";
      list.append(item);
    }
    box.querySelector("button").hidden = names.length === 0 && !counts;
    box.hidden = names.length === 0 && !counts && !said.textContent;
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
    said.textContent = "Erased. Nothing of it is left.";
    document.dispatchEvent(new Event("errlab-erased"));
    show();
  });
  addEventListener("storage", show);
  addEventListener("pageshow", show);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", show);
  else show();
})();
