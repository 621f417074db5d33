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
    const data = root.querySelector("pre");
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
      data.textContent = frames.record[index];
      root.dataset.frame = index;
      if (quiet) {
        return;
      }
      clearTimeout(timer);
      timer = setTimeout(function () {
        said.textContent = frames.alt[index];
      }, 400);
    }
    // Where its controls stand outlives a reload of the page, in this tab.
    const key = "errlab-" + root.id;
    function move(places) {
      controls.forEach(function (control, i) {
        if (control.tagName === "FIELDSET") {
          control.querySelectorAll("input")[places[i]].checked = true;
        } else {
          control.value = places[i];
        }
      });
    }
    const first = controls.map(function (control) {
      return Number(control.dataset.start);
    });
    const reset = document.createElement("button");
    reset.type = "button";
    reset.className = "errlab-reset";
    reset.textContent = "Reset";
    root.querySelector(".errlab-controls").append(reset);
    function keep() {
      const places = controls.map(position);
      reset.hidden = String(places) === String(first);
      try {
        sessionStorage.setItem(key, JSON.stringify(places));
      } catch {
        // storage is turned off: nothing outlives a reload
      }
    }
    function restore() {
      try {
        const places = JSON.parse(sessionStorage.getItem(key));
        const fits = controls.every(function (control, i) {
          return JSON.parse(control.dataset.values)[places[i]] !== undefined;
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
    restore();
    keep();
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
})();
