// A CSV of predictions, read as `python -m errlab report` reads it: errlab/cli says what is a
// table, and tests compare the two. What is not clear is refused, with the line where it stands.

const LONGEST_FIELD = 131072; // letters, as in Python's csv module
const LONGEST_NUMBER = 30; // digits; longer ones are names
const MOST = 20_000_000; // letters of a table
const MAGIC = [
  "1f8b",
  "425a68",
  "fd377a585a",
  "28b52ffd",
  "504b0304",
  "50415231",
  "fffe",
  "feff",
  "0000feff",
];
// columns that say what an example is called, and how programs write a value that is missing
const IDS = /^(id|(instance|doc|sample|case|question|prompt|task)_id)$/;
const MISSING = /^(nan|na|n\/a|<na>|null|none)$/i;
const TRUTH = /^(true|false)$/i;
const SPACE = "[\\s\\x1c-\\x1f\\x85]";
const TRIM = new RegExp(`^(?:(?!\\ufeff)${SPACE})+|(?:(?!\\ufeff)${SPACE})+$`, "g");

/** What is wrong with a table: the key of a sentence, and what fills its gaps. */
export class Fault extends Error {
  constructor(key, gaps = {}) {
    super(key);
    this.key = key;
    this.gaps = gaps;
  }
}

const trim = (text) => text.replace(TRIM, "");

/** The text of a file, or what is wrong with it. */
export function decode(bytes) {
  const start = [...bytes.subarray(0, 8)].map((b) => b.toString(16).padStart(2, "0")).join("");
  if (MAGIC.some((magic) => start.startsWith(magic))) throw new Fault("magic");
  const reader = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    return reader.decode(bytes);
  } catch {
    let line = 1;
    for (let from = 0, to = 0; to <= bytes.length; to++) {
      if (to < bytes.length && bytes[to] !== 10) continue;
      try {
        reader.decode(bytes.subarray(from, to));
      } catch {
        break;
      }
      from = to + 1;
      line += 1;
    }
    throw new Fault("bytes", { line });
  }
}

/** What separates the columns, and whether the first line only says so, as in sep=; */
function markOf(text) {
  const [first] = text.replace(/^[ \t\n\r\f\v]+/, "").split(/[\r\n]/, 1);
  const told = /^"?sep=(.)"?$/iu.exec(trim(first));
  if (told) return [told[1], true];
  const pieces = (mark) => first.replace(/"[^"]*"/g, "").split(mark).length;
  return [
    [",", "\t", ";"].reduce((best, mark) => (pieces(mark) > pieces(best) ? mark : best)),
    false,
  ];
}

/** Every row that is not blank, with the number of its last line. */
function* rows(text, mark) {
  let line = 0; // the one that is read
  let before = 0; // the last one of the row before
  let row = [];
  let field = "";
  let state = "start"; // of a field; or "plain", "quoted", "quote" (one inside a quoted field)
  const add = (letter) => {
    field += letter;
    if (field.length > LONGEST_FIELD && [...field].length > LONGEST_FIELD) {
      throw new Fault("field", { line: before + 1, most: LONGEST_FIELD });
    }
  };
  const save = () => {
    row.push(field);
    field = "";
    state = "start";
  };
  for (const [whole] of text.matchAll(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g)) {
    line += 1;
    const easy = state === "start" && !whole.includes('"') && whole.length <= LONGEST_FIELD;
    if (easy) {
      row = whole.replace(/[\r\n]+$/, "").split(mark);
      if (row.length > 1 || trim(row[0])) yield [line, row];
      before = line;
      row = [];
      continue;
    }
    for (const letter of whole) {
      const ends = letter === "\n" || letter === "\r";
      if (state === "quoted") {
        if (letter === '"') state = "quote";
        else add(letter);
      } else if (state === "quote") {
        if (letter === '"') {
          add(letter);
          state = "quoted";
        } else if (letter === mark) save();
        else if (ends) break;
        else throw new Fault("quotes", { line: before + 1 });
      } else if (letter === mark) save();
      else if (ends) break;
      else if (state === "start" && letter === '"') state = "quoted";
      else if (state === "plain" || letter !== " ") {
        state = "plain";
        add(letter);
      }
    }
    if (state === "quoted") continue;
    save();
    before = line;
    if (row.length > 1 || trim(row[0])) yield [line, row];
    row = [];
  }
  if (state === "quoted") throw new Fault("open", { line: before + 1 });
}

/** Rows without those of empty cells at the end, which a spreadsheet copies along. */
function* withoutEnd(found) {
  let empty = [];
  for (const [line, row] of found) {
    if (row.every((cell) => !trim(cell))) {
      empty.push([line, row]);
      continue;
    }
    yield* empty;
    empty = [];
    yield [line, row];
  }
}

/** A text that is not too long, and is one. */
function plainText(text) {
  if (text.length > MOST) throw new Fault("long", { most: MOST.toLocaleString("en-US") });
  const plain = text.replace(/^\ufeff/, "");
  const nul = plain.indexOf("\0");
  if (nul >= 0) throw new Fault("nul", { line: plain.slice(0, nul).split(/\r\n|\r|\n/).length });
  return plain;
}

/** The rows of any table, each with its line; the first is the header. */
export function rowsOf(text) {
  const plain = plainText(text);
  const [mark, told] = markOf(plain);
  return [...withoutEnd(rows(plain, mark))]
    .slice(told ? 1 : 0)
    .map(([line, row]) => [line, row.map(trim)]);
}

/** The column of this name, or the only one that differs from it in capitals alone. */
function inAnyCase(header, wanted) {
  if (header.includes(wanted)) return wanted;
  const found = header.filter((name) => name.toLowerCase() === wanted);
  return found.length === 1 ? found[0] : undefined;
}

/** The columns of true labels and of predictions, by the names that the command looks for. */
function namesOf(header) {
  const truth = inAnyCase(header, "y_true") ?? inAnyCase(header, "actual") ?? "y_true";
  for (const usual of [["y_pred"], ["pred_a", "pred_b"], ["y_pred_a", "y_pred_b"], ["predicted"]]) {
    const names = usual.map((name) => inAnyCase(header, name));
    if (!names.includes(undefined)) return [truth, ...names];
  }
  const others = header.filter((name) => name !== truth && !IDS.test(name));
  return [truth, ...(others.length === 2 && header.includes(truth) ? others : ["y_pred"])];
}

function placesOf(names, header, line) {
  const [truth] = names;
  for (const name of names) {
    const times = header.filter((other) => other === name).length;
    if (times > 1) throw new Fault("twice", { line, times, name });
    if (times === 1) continue;
    const found = header.join(", ");
    const separator = header.length === 1 && found.includes("|");
    const others = header.filter((other) => other !== truth && !IDS.test(other));
    if (name === "y_pred" && header.includes(truth) && others.length > 2) {
      throw new Fault("several", { number: others.length, found: others.join(", ") });
    }
    throw new Fault(separator ? "commas" : "column", { line, name, found });
  }
  return names.map((name) => header.indexOf(name));
}

const fields = (number) => `${number} field${number === 1 ? "" : "s"}`;

/** The names, the numbers of the labels of each example, their lines, and the labels as texts. */
function columnsOf(text, groups) {
  const plain = plainText(text);
  const [mark, told] = markOf(plain);
  const all = withoutEnd(rows(plain, mark));
  if (told) all.next();
  const first = all.next();
  if (first.done) throw new Fault("empty");
  const header = first.value[1].map(trim);
  const names = namesOf(header);
  const places = placesOf(names, header, first.value[0]);
  const width = header.length;
  const belongs = header.findIndex(
    (name) =>
      groups.includes(name.toLowerCase().replace(/_id$/, "")) &&
      !IDS.test(name) &&
      !names.includes(name),
  );
  const together = new Set();
  const number = new Map();
  const columns = names.map(() => []);
  const lines = [];
  let missing = null;
  for (const [line, row] of all) {
    const gaps = { line, width, fields: fields(row.length) };
    if (row.length > width) throw new Fault("many", gaps);
    places.forEach((place, i) => {
      const value = trim(row[place] ?? "");
      if (!value) missing ??= { line, name: header[place] };
      if (!number.has(value)) number.set(value, number.size);
      columns[i].push(number.get(value));
    });
    if (row.length < width) throw new Fault("few", gaps);
    if (belongs >= 0) together.add(trim(row[belongs]));
    lines.push(line);
  }
  if (!lines.length) throw new Fault("header");
  const texts = [...number.keys()];
  const broken = texts.find((label) => /[\r\n]/.test(label));
  if (broken !== undefined) throw new Fault("break", { label: shown(broken) });
  if (missing) throw new Fault("value", missing);
  const group =
    together.size && together.size < lines.length
      ? { name: header[belongs], groups: together.size }
      : null;
  return { names, columns, lines, texts, group };
}

/** Digits of any script as 0 to 9: those of a script follow one another, from its zero on. */
function latin(text) {
  return text.replace(/\p{Nd}/gu, (digit) => {
    let zero = digit.codePointAt(0);
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String((digit.codePointAt(0) - zero) % 10);
  });
}

/** A number, exactly: {key, whole (a BigInt, or null for a fraction), float}; null for a word. */
function numberOf(text) {
  const plain = latin(text.replaceAll("_", ""));
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(plain);
  if (!parts || !(parts[2] || parts[3]) || [...text].length >= LONGEST_NUMBER) return null;
  const [, sign, before, after = "", power = "0"] = parts;
  const digits = `${before}${after}`.replace(/^0+(?=\d)/, "");
  const exponent = Number(power) - after.length;
  if (Math.abs(exponent + digits.length - 1) >= LONGEST_NUMBER) return null;
  if (/^0+$/.test(digits)) return { key: "0", whole: 0n, float: 0 };
  const short = digits.replace(/0+$/, "");
  const zeros = exponent + digits.length - short.length;
  const minus = sign === "-" ? "-" : "";
  return {
    key: `${minus}${short}e${zeros}`,
    whole: zeros >= 0 ? BigInt(`${minus}${short}${"0".repeat(zeros)}`) : null,
    float: Number(`${minus}${short}e${zeros}`),
  };
}

/** How Python writes a floating-point number. */
function floatWords(value) {
  const [mantissa, exponent] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power < -4 || power >= 16) {
    return `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  const plain = value.toFixed(Math.max(0, mantissa.replace(/^-?\d\.?/, "").length - power));
  return plain.includes(".") ? plain : `${plain}.0`;
}

const hex = (letter, width) => letter.codePointAt(0).toString(16).padStart(width, "0");

/** A letter, spelt out where it cannot be printed. */
function visible(letter) {
  const known = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[letter];
  if (known) return known;
  if (letter === " " || !/[\p{C}\p{Z}]/u.test(letter)) return letter;
  const place = letter.codePointAt(0);
  return place < 256
    ? `\\x${hex(letter, 2)}`
    : place < 65536
      ? `\\u${hex(letter, 4)}`
      : `\\U${hex(letter, 8)}`;
}

/** How Python writes a text: in quotes, and spelt out what cannot be printed. */
function shown(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = [...text].map((letter) =>
    letter === quote || letter === "\\" ? `\\${letter}` : visible(letter),
  );
  return `${quote}${body.join("")}${quote}`;
}

/** Whether numbers stay whole ("whole"), become floats ("float"), or are left alone ("own"). */
function typeOf(numbers) {
  const whole = numbers.filter((n) => n.whole !== null).map((n) => n.whole);
  if (whole.length < numbers.length) {
    return whole.some((n) => BigInt(Number(n)) !== n) ? "own" : "float"; // a float would change it
  }
  return whole.some((n) => n < -(2n ** 63n) || n >= 2n ** 63n) ? "own" : "whole";
}

const PLAIN = /^-?(0|[1-9][0-9]*)(\.[0-9]*)?$/;

/** Refuse one value in two spellings, and nan among numbers; say which labels are equal. */
function judged({ names, columns, lines, texts }) {
  const numbers = texts.map(numberOf);
  const gone = texts.filter((text) => MISSING.test(text));
  const words = numbers.filter((n) => n === null).length;
  if (gone.length && words === gone.length && words < texts.length) {
    throw new Fault("nan", { label: gone[0] });
  }
  const same = texts.map((text, i) =>
    numbers[i]
      ? `number ${numbers[i].key}`
      : `word ${TRUTH.test(text) ? text.toLowerCase() : text}`,
  );
  const oneWay = (column) => {
    const used = [...new Set(column)];
    return new Set(used.map((i) => same[i])).size === used.length;
  };
  const [truth, ...others] = columns;
  if (!(texts.every((text) => PLAIN.test(text)) && columns.every(oneWay))) {
    others.forEach((column, which) => {
      const i = column.findIndex((c, row) => c !== truth[row] && same[c] === same[truth[row]]);
      if (i < 0) return;
      const [t, p] = [texts[truth[i]], texts[column[i]]];
      throw new Fault("writings", { line: lines[i], name: names[which + 1], true: t, pred: p });
    });
  }
  if (words) return { same: texts, numbers: null };
  // a fraction may be so near to another number that a float cannot tell them apart
  const floats = numbers.map((n) =>
    String(n.whole ?? (Number.isInteger(n.float) ? BigInt(n.float) : n.float)),
  );
  const fits = new Set(floats).size === new Set(same).size;
  return fits ? { same: floats, numbers } : { same: texts, numbers: null };
}

/** Refuse scores, and columns that have no label in common. */
function compared(name, truth, pred, { same, numbers }, texts) {
  const some = (labels) =>
    [...labels]
      .slice(0, 3)
      .map((i) => texts[i])
      .join(", ");
  const classes = new Set([...truth].map((i) => same[i]));
  const guesses = [...new Set([...pred].map((i) => same[i]))];
  if (numbers) {
    const all = typeOf(numbers);
    const type = (labels) => (all === "own" ? typeOf([...labels].map((i) => numbers[i])) : all);
    if (type(pred) === "float" && type(truth) !== "own") {
      const whole = [...truth].every((i) => numbers[i].whole !== null);
      const unseen = guesses.filter((label) => !classes.has(label));
      const few = 2 * unseen.length <= guesses.length;
      const wrong = [...pred].find((i) =>
        whole ? numbers[i].whole === null : !few && !classes.has(same[i]),
      );
      if (wrong !== undefined) {
        const fault = whole && classes.size <= 2 ? "scores" : "measured";
        throw new Fault(fault, { name, true: some(truth), pred: texts[wrong] });
      }
    }
  }
  const codes =
    numbers &&
    [
      ["0", "1"],
      ["-1", "1"],
    ].some((pair) => [...classes, ...guesses].every((label) => pair.includes(label)));
  if (!codes && !guesses.some((label) => classes.has(label))) {
    throw new Fault("strange", { name, true: some(truth), pred: some(pred) });
  }
}

/** The most frequent true label as Python writes it, and how often it is wrong; or nothing. */
function constant(column, { same, numbers }, texts) {
  const times = new Map(); // by the label, in the order in which they come
  const sample = new Map();
  for (const i of column) {
    times.set(same[i], (times.get(same[i]) ?? 0) + 1);
    if (!sample.has(same[i])) sample.set(same[i], i);
  }
  if (times.size < 2) return null;
  let common = null;
  for (const [label, number] of times)
    if (common === null || number > times.get(common)) common = label;
  const i = sample.get(common);
  const rate = 1 - times.get(common) / column.length;
  if (!numbers) return { common: shown(texts[i]), rate };
  const all = typeOf(numbers);
  const type = all === "own" ? typeOf([...new Set(column)].map((j) => numbers[j])) : all;
  const { whole, float } = numbers[i];
  return { common: type !== "float" && whole !== null ? String(whole) : floatWords(float), rate };
}

/** What a table says: who is wrong on how many examples, and the answer that is most often right.
 *  `wrong` counts the examples by who is wrong: [neither, first, second, both]. */
export function read(text, groups = []) {
  const table = columnsOf(text, groups);
  const { names, columns, texts } = table;
  const labels = judged(table);
  const used = columns.map((column) => new Set(column));
  names.slice(1).forEach((name, i) => compared(name, used[0], used[i + 1], labels, texts));
  const { same } = labels;
  const wrong = [0, 0, 0, 0];
  const [truth, first, second = truth] = columns;
  truth.forEach((label, i) => {
    wrong[(same[first[i]] !== same[label]) + 2 * (same[second[i]] !== same[label])] += 1;
  });
  const classes = [...new Map([...used[0]].map((i) => [same[i], texts[i]])).values()];
  const shownNames = names.map((name) => [...name].map(visible).join(""));
  const { group } = table;
  return {
    names: shownNames,
    cases: truth.length,
    wrong,
    classes,
    group,
    constant: constant(truth, labels, texts),
  };
}
