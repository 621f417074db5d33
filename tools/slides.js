// Lays topics out on slides of 1280 x 720, before reveal.js starts: what does not fit goes on to the
// next slide under the same heading; a table goes on with its head, a large figure gets smaller.
(() => {
  "use strict";
  const HEIGHT = 720, SMALLEST = 0.4;
  const stage = document.querySelector(".slides");
  const fits = slide => slide.scrollHeight <= HEIGHT + 1 && slide.scrollWidth <= 1281;

  function next(topic) {
    const slide = document.createElement("section");
    const heading = topic.querySelector("h1, h2");
    if (heading) slide.append(heading.cloneNode(true));
    return slide;
  }
  const fresh = (topic, after) => {
    const slide = next(topic);
    after.after(slide);
    return slide;
  };

  // The rows of a table that still fit stay; a table with the same head takes the others.
  function split(slide, block) {
    const table = block.querySelector("table"), body = table?.tBodies[0];
    if (!body || body.rows.length < 2) return null;
    const rest = block.cloneNode(true), other = rest.querySelector("table").tBodies[0];
    other.replaceChildren();
    while (!fits(slide) && body.rows.length > 1) other.prepend(body.rows[body.rows.length - 1]);
    if (!fits(slide)) { body.append(...other.rows); return null; }
    return rest;
  }

  // The paragraphs or items that still fit stay.
  function part(slide, block) {
    const list = block.querySelector(":scope > ul, :scope > ol");
    if (!list || list.children.length < 2 || list.matches(".poll")) return null;
    const rest = block.cloneNode(true), other = rest.querySelector("ul, ol");
    other.replaceChildren();
    while (!fits(slide) && list.children.length > 1) other.prepend(list.lastElementChild);
    if (!fits(slide)) { list.append(...other.children); return null; }
    if (list.tagName === "OL") other.start = list.start + list.children.length;
    return rest;
  }

  function shrink(slide, block) {
    const pictures = [...block.querySelectorAll(".errlab-picture")];
    const width = block.clientWidth; // a picture that is given less may change to its narrow layout
    for (let scale = 0.95; scale >= SMALLEST && !fits(slide) && pictures.length; scale -= 0.05) {
      for (const picture of pictures) {
        picture.style.width = `${width}px`;
        picture.style.zoom = scale;
      }
    }
    for (let scale = 1; !fits(slide) && scale >= SMALLEST; scale -= 0.04) block.style.zoom = scale;
  }

  document.documentElement.classList.add("laying");
  for (const topic of [...stage.children]) {
    let slide = next(topic);
    topic.before(slide);
    const queue = [...topic.querySelectorAll(":scope > .block")];
    const notes = topic.querySelector(":scope > .notes");
    const first = slide;
    while (queue.length) {
      const block = queue.shift();
      slide.append(block);
      if (fits(slide)) continue;
      const alone = slide.querySelectorAll(":scope > .block").length === 1;
      const rest = split(slide, block) ?? part(slide, block);
      if (rest) queue.unshift(rest);
      else if (alone) shrink(slide, block);
      else {
        block.remove();
        queue.unshift(block);
      }
      if (queue.length) slide = fresh(topic, slide);
    }
    if (notes) first.append(notes);
    topic.remove();
    if (first.querySelectorAll(".block").length === 0 && !first.querySelector("h1")) first.remove();
  }
  document.documentElement.classList.remove("laying");
  window.errlabSlides = stage.children.length;
  Reveal.initialize({
    width: 1280, height: 720, margin: 0, center: false, hash: true, slideNumber: "c/t",
    transition: "none", keyboardCondition: () => !document.activeElement?.matches("input, summary"),
    plugins: [RevealNotes],
  });
})();
