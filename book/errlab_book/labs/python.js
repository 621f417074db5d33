// The line of Python that gives a lab's numbers: what the reader has typed stands in it.

/** A value as Python writes it. */
function written(value) {
  return typeof value === "string" ? JSON.stringify(value) : String(Number(value.toPrecision(12)));
}

/** Write the line below a lab, and keep it up to date; what it returns ends that. */
export function line({ model, el }) {
  const template = model.get("words").python;
  const below = document.createElement("p");
  below.className = "lab-python";
  const code = document.createElement("code");
  below.append(template.startsWith("python ") ? "In a terminal: " : "In Python: ", code);
  el.append(below);
  // what the fields hold in percent, Python takes as shares
  const OF_CONFIDENCE = { delta: (c) => (100 - c) / 100, level: (c) => c / 100 };
  const names = [...new Set([...template.matchAll(/\{(\w+)\}/g)].map((found) => found[1]))];
  const traits = names.map((name) => (name in OF_CONFIDENCE ? "confidence" : name));
  function paint() {
    code.textContent = template.replace(/\{(\w+)\}/g, (_, name) => {
      const share = OF_CONFIDENCE[name];
      return written(share ? share(model.get("confidence")) : model.get(name));
    });
  }
  for (const name of traits) model.on(`change:${name}`, paint);
  paint();
  return () => {
    for (const name of traits) model.off(`change:${name}`, paint);
  };
}

/** Render a lab with its line below it. */
export function withLine(render) {
  return (lab) => {
    const ends = [render(lab), line(lab)];
    return () => ends.forEach((end) => end?.());
  };
}
