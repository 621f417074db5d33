// Numbers in words, as `errlab.report` prints them; the sentences themselves come from Python.

/** Round half to even, as Python does. */
function even(value) {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

const ROUND = { near: even, up: Math.ceil, down: Math.floor };

/** A share as a percentage; the end of an interval is rounded outward ("up" or "down"). */
export function percent(value, way = "near") {
  if (value === 0 || value === 1) return `${100 * value}%`;
  const digits = value >= 0.001 && value <= 0.999 ? 1 : 3;
  const scale = 10 ** digits;
  const steps = value * 100 * scale;
  let whole = even(steps);
  if (Math.abs(steps - whole) > 1e-10 * whole) whole = ROUND[way](steps); // less is rounding
  return `${(whole / scale).toFixed(digits)}%`;
}

/** A number with `digits` significant digits, as Python's "{:.3g}" writes it. */
export function general(value, digits) {
  if (value === 0) return "0";
  const exponent = Number(value.toExponential(digits - 1).split("e")[1]);
  if (exponent < -4 || exponent >= digits) {
    const [head, tail] = value.toExponential(digits - 1).split("e");
    const power = Math.abs(Number(tail)).toString().padStart(2, "0");
    return `${Number(head)}e${tail[0]}${power}`;
  }
  return Number(value.toPrecision(digits)).toString();
}

/** The confidence that belongs to a failure probability. */
export function sure(delta) {
  return `${general(100 * (1 - delta), 6)}%`;
}

/** A count with its noun. */
export function count(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** A sentence of Python's with its gaps filled: fill("{a} of {b}", { a: 1, b: 2 }). */
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (gap, name) => {
    if (!(name in values)) throw new Error(`no value for ${gap} in "${template}"`);
    return values[name];
  });
}

/** Text that may stand in HTML. */
export function escape(text) {
  const signs = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return String(text).replace(/[&<>"']/g, (sign) => signs[sign]);
}
