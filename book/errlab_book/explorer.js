(function () {
  "use strict";
  if (window.errlabExplorers) {
    window.errlabExplorers();
    return;
  }
  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text), function (c) {
      return c.charCodeAt(0);
    });
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  }
  const template = document.createElement("template");
  function parsed(text) {
    template.innerHTML = text;
    return template.content.firstElementChild;
  }
  // Make `old` equal to `fresh`, touching only what differs: most of a frame stays as it is.
  function match(old, fresh) {
    if (old.nodeName !== fresh.nodeName) {
      old.replaceWith(fresh);
      return;
    }
    if (old.nodeType === Node.TEXT_NODE) {
      if (old.data !== fresh.data) {
        old.data = fresh.data;
      }
      return;
    }
    for (const a of fresh.attributes) {
      if (old.getAttribute(a.name) !== a.value) {
        old.setAttributeNS(a.namespaceURI, a.name, a.value);
      }
    }
    for (const a of Array.from(old.attributes)) {
      if (!fresh.hasAttribute(a.name)) {
        old.removeAttribute(a.name);
      }
    }
    const had = Array.from(old.childNodes),
      next = Array.from(fresh.childNodes);
    next.forEach(function (child, i) {
      if (i < had.length) {
        match(had[i], child);
      } else {
        old.append(child);
      }
    });
    had.slice(next.length).forEach(function (child) {
      child.remove();
    });
  }
  function start(root) {
    root.dataset.state = "loading";
    const picture = root.querySelector(".errlab-picture");
    const said = root.querySelector("[aria-live]");
    const data = root.querySelector(".errlab-data pre");
    const controls = Array.from(root.querySelectorAll("[data-values]"));
    let frames = null,
      timer = 0;
    function position(control) {
      if (control.tagName === "FIELDSET") {
        return Array.from(control.querySelectorAll("input")).findIndex(function (i) {
          return i.checked;
        });
      }
      return Number(control.value);
    }
    function paint(quiet) {
      let index = 0;
      controls.forEach(function (control) {
        const values = JSON.parse(control.dataset.values),
          at = position(control);
        index = index * values.length + at;
        const output = root.querySelector("output[for='" + control.id + "']");
        if (output) {
          output.textContent = values[at];
          control.setAttribute("aria-valuetext", values[at]);
        }
      });
      if (!frames) {
        return;
      }
      match(picture.firstElementChild, parsed(frames.svg[index]));
      const box = picture.firstElementChild.viewBox.baseVal;
      picture.style.aspectRatio = box.width + " / " + box.height;
      picture.setAttribute("aria-label", frames.alt[index]);
      data.textContent = frames.table[index];
      root.dataset.frame = index;
      window.errlabMarks?.refresh(root);
      if (quiet) {
        return;
      }
      clearTimeout(timer);
      timer = setTimeout(function () {
        said.textContent = frames.alt[index];
      }, 400);
    }
    // Where its controls stand outlives a reload of the page, in this tab, and is in the address.
    const key = "errlab-" + root.id;
    const others = document.querySelectorAll(`[data-name="${CSS.escape(root.dataset.name)}"]`);
    const name = others.length === 1 ? root.dataset.name : root.id;
    const values = controls.map(function (control) {
      return JSON.parse(control.dataset.values);
    });
    function move(places) {
      controls.forEach(function (control, i) {
        if (control.tagName === "FIELDSET") {
          control.querySelectorAll("input")[places[i]].checked = true;
        } else {
          control.value = places[i];
        }
      });
    }
    // What the address holds beside this explorer: other explorers, and the numbers of a lab.
    function address() {
      const hash = location.hash.slice(1);
      return new URLSearchParams(hash.includes("=") ? hash : "");
    }
    function write(places, moved) {
      const told = address();
      if (moved) {
        told.set(name, places.map((place, i) => encodeURIComponent(values[i][place])).join("~"));
      } else if (told.has(name)) {
        told.delete(name);
      } else {
        return;
      }
      try {
        history.replaceState(history.state, "", "#" + told);
      } catch {
        // a browser counts such changes and may refuse one
      }
    }
    function addressed() {
      try {
        const words = (address().get(name) ?? "").split("~").map(decodeURIComponent);
        const places = values.map((all, i) => all.indexOf(words[i]));
        return places.includes(-1) ? null : places;
      } catch {
        return null; // it may hold anything
      }
    }
    const first = controls.map(function (control) {
      return Number(control.dataset.start);
    });
    const reset = document.createElement("button");
    reset.type = "button";
    reset.className = "errlab-reset";
    reset.textContent = "Reset";
    root.querySelector(".errlab-controls").append(reset);
    let writing = 0;
    function keep() {
      const places = controls.map(position);
      reset.hidden = String(places) === String(first);
      clearTimeout(writing);
      writing = setTimeout(function () {
        write(places, !reset.hidden);
      }, 300);
      try {
        sessionStorage.setItem(key, JSON.stringify(places));
      } catch {
        // storage is turned off: nothing outlives a reload
      }
    }
    function restore() {
      try {
        const places = addressed() ?? JSON.parse(sessionStorage.getItem(key));
        const fits = values.every(function (all, i) {
          return all[places[i]] !== undefined;
        });
        if (fits) {
          move(places);
        }
      } catch {
        // nothing was kept, or storage is turned off
      }
    }
    reset.addEventListener("click", function () {
      move(first);
      keep();
      paint(false);
      controls[0].querySelector("input:checked")?.focus();
      controls[0].focus();
    });
    root.addEventListener("input", function () {
      keep();
      paint(false);
    });
    window.addEventListener("hashchange", function () {
      if (addressed()) {
        restore();
        keep();
        paint(false);
      }
    });
    restore();
    keep();
    if (addressed() && performance.getEntriesByType("navigation")[0]?.type === "navigate") {
      window.addEventListener("load", function () {
        root.scrollIntoView({ block: "start" });
      });
    }
    unpack(root.querySelector("script[type='application/gzip']").textContent).then(function (got) {
      frames = got;
      root.dataset.state = "ready";
      paint(true);
    });
  }
  window.errlabExplorers = function () {
    document.querySelectorAll(".errlab-explorer:not([data-state])").forEach(start);
  };
  window.errlabExplorers(); // this script stands at the end of its explorer: no need to wait
  // a page has it once, after its first explorer
  document.addEventListener("DOMContentLoaded", window.errlabExplorers);
})();
