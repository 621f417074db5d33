// Numbers in words, as `errlab.report` prints them; the sentences themselves come from Python.

/** A whole number divided by a power of ten, rounded "near" (halves to even), "up" or "down". */
function divided(number, power, way) {
  if (power <= 0) return number * 10n ** BigInt(-power);
  const unit = 10n ** BigInt(power);
  let floor = number / unit;
  if (floor * unit > number) floor -= 1n;
  const rest = number - floor * unit;
  if (rest === 0n || way === "down") return floor;
  if (way === "up") return floor + 1n;
  if (2n * rest === unit) return floor % 2n === 0n ? floor : floor + 1n;
  return 2n * rest > unit ? floor + 1n : floor;
}

const EXACT = 60; // decimals after which no number that people meet has another one

/** A number as [mantissa, exponent] of `digits` decimal digits: mantissa times 10 ** exponent.
 *  Halves go to the even digit, as in Python; `toPrecision` would take the larger one. */
function decimal(value, digits) {
  const [head, power] = value.toExponential(EXACT).split("e");
  let mantissa = divided(BigInt(head.replace(".", "")), EXACT + 1 - digits, "near");
  let exponent = Number(power) - digits + 1;
  if (mantissa === 10n ** BigInt(digits) || mantissa === -(10n ** BigInt(digits))) {
    mantissa /= 10n;
    exponent += 1;
  }
  return [mantissa, exponent];
}

/** A whole number with a decimal point before its last `places` digits. */
function pointed(number, places) {
  const sign = number < 0n ? "-" : "";
  const text = (number < 0n ? -number : number).toString().padStart(places + 1, "0");
  return places ? `${sign}${text.slice(0, -places)}.${text.slice(-places)}` : `${sign}${text}`;
}

/** Decimals of a percentage that a test deserves: a tenth of its interval, at least one. */
export function digits(low, high) {
  const width = 100 * (high - low);
  return width > 0 ? Math.max(1, Math.min(12, Math.ceil(1 - Math.log10(width)))) : 1;
}

/** Round half to even, as Python does. */
function even(value) {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

const ROUND = { near: even, up: Math.ceil, down: Math.floor };

/** A share as a percentage; the end of an interval is rounded outward ("up" or "down"). */
export function percent(value, way = "near", places = value >= 0.001 && value <= 0.999 ? 1 : 3) {
  if (value === 0 || value === 1) return `${100 * value}%`;
  const scale = 10 ** places;
  const steps = value * 100 * scale;
  let whole = even(steps);
  if (Math.abs(steps - whole) > 1e-10 * whole) whole = ROUND[way](steps); // less is rounding
  if (whole === 0 && places < 9) return percent(value, way, places + 1); // not printed as 0
  // the zeros would claim digits
  if (whole === 0 || (whole === 100 * scale && places > 1)) return `${Math.floor(whole / scale)}%`;
  return `${(whole / scale).toFixed(places)}%`;
}

/** A difference in percentage points with its sign; more places where it would be 0. */
export function points(value, places, way = "near") {
  if (value === 0) return "0";
  const [mantissa, exponent] = decimal(100 * value, 12);
  for (let shown = places; shown <= 13; shown++) {
    const rounded = divided(mantissa, -exponent - shown, way);
    if (rounded !== 0n) return `${rounded > 0n ? "+" : ""}${pointed(rounded, shown)}`;
  }
  return value > 0 ? "above 0" : "below 0";
}

/** A number with `digits` significant digits, as Python's "{:.3g}" writes it. */
export function general(value, digits) {
  if (value === 0) return "0";
  const [mantissa, last] = decimal(value, digits);
  const exponent = last + digits - 1;
  if (exponent >= -4 && exponent < digits) return Number(`${mantissa}e${last}`).toString();
  const sign = exponent < 0 ? "-" : "+";
  const power = Math.abs(exponent).toString().padStart(2, "0");
  return `${Number(`${mantissa}e${1 - digits}`)}e${sign}${power}`;
}

/** The confidence that belongs to a failure probability; never more of it than there is. */
export function sure(delta) {
  const [nine, power] = decimal(delta, 9);
  const four = divided(nine, 5, "up"); // times 10 ** (power + 5)
  const places = Math.max(0, -(power + 5) - 2);
  const fails = four * 10n ** BigInt(Math.max(0, power + 5 + 2));
  const text = pointed(100n * 10n ** BigInt(places) - fails, places);
  return `${text.includes(".") ? text.replace(/\.?0+$/, "") : text}%`;
}

/** A p-value with as many digits as its comparison with `delta` needs. */
export function chance(pvalue, delta) {
  const least = Math.min(1e-4, delta / 10);
  if (pvalue < least) return `p < ${least === 1e-4 ? "0.0001" : general(least, 1)}`;
  let text = "";
  for (let shown = 2; shown < 18; shown++) {
    text = general(pvalue, shown);
    if (Number(text) <= delta === pvalue <= delta) break;
  }
  return `p = ${text}`;
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
