// Numbers in words, as `errlab.report` prints them; the sentences themselves come from Python.

/** Round half to even, as Python does. */
function even(value) {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

const ROUND = { near: even, up: Math.ceil, down: Math.floor };

/** Decimals of a percentage that a test deserves: a tenth of its interval, at least one. */
export function decimals(low, high) {
  const width = 100 * (high - low);
  return width > 0 ? Math.max(1, Math.min(12, Math.ceil(1 - Math.log10(width)))) : 1;
}

/** A share as a percentage; the end of an interval is rounded outward ("up" or "down"). */
export function percent(value, way = "near", places = null) {
  if (value === 0 || value === 1) return `${100 * value}%`;
  const digits = places ?? (value >= 0.001 && value <= 0.999 ? 1 : 3);
  const scale = 10 ** digits;
  const steps = value * 100 * scale;
  let whole = even(steps);
  if (Math.abs(steps - whole) > 1e-10 * whole) whole = ROUND[way](steps); // less is rounding
  if (whole === 0 && digits < 12) return percent(value, way, digits + 1); // a number other than 0 is not printed as 0
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

/** The confidence that belongs to a failure probability: four digits of it, rounded up. */
export function sure(delta) {
  const [head, tail] = Number(delta.toPrecision(9)).toExponential(8).split("e");
  const exponent = Number(tail);
  const digits = Math.ceil(Number((1000 * head).toFixed(5)));
  const places = Math.max(0, 1 - exponent);
  return `${Number((100 - digits * 10 ** (exponent - 1)).toFixed(places))}%`;
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
