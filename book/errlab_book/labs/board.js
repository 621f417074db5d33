// A leaderboard, item by item: which of its ranks are shown (errlab.models).

import { groupEnds, logCapital, mirroredOf, stakesOf } from "./bets.js";
import { betaQuantile, betaTails, random } from "./numerics.js";
import { mcnemar, melded } from "./melded.js";

const TINY = 2.2250738585072014e-308; // an end that is off 0 by the least
const FLAT = 1e-12; // deviations of this size are rounding errors

const sum = (values) => values.reduce((total, value) => total + value, 0);

/** A set as the page holds it: losses of 0 and 1 as bits of words, others as numbers.
 *
 *  `codes` holds item after item, in base64: bits of the models, or for graded losses one byte for
 *  each model, the place of the loss among `levels`. */
export function opened({ models, n, codes, levels, groups }) {
  const bytes = Uint8Array.from(atob(codes), (letter) => letter.charCodeAt(0));
  const number = models.length;
  if (levels) {
    const losses = models.map((_, i) =>
      Float64Array.from({ length: n }, (_, item) => levels[bytes[item * number + i]]),
    );
    return { models, n, losses, groups };
  }
  const wide = Math.ceil(number / 8);
  const bits = models.map(() => new Uint32Array(Math.ceil(n / 32)));
  for (let item = 0; item < n; item++) {
    for (let i = 0; i < number; i++) {
      if (bytes[item * wide + (i >> 3)] & (128 >> (i & 7))) bits[i][item >> 5] |= 1 << (item & 31);
    }
  }
  return { models, n, bits, groups };
}

const orders = new Map();

/** The first `size` of `number` units in a random order, sorted: more units keep those before. */
export function drawn(number, size, seed) {
  if (size >= number) return Array.from({ length: number }, (_, i) => i);
  const key = `${number} ${seed}`;
  if (!orders.has(key)) {
    orders.clear();
    const level = Float64Array.from({ length: number }, random(seed));
    orders.set(
      key,
      Array.from(level, (_, i) => i).sort((a, b) => level[a] - level[b] || a - b),
    );
  }
  return orders
    .get(key)
    .slice(0, size)
    .sort((a, b) => a - b);
}

/** Some models and some items of a set; of a set in groups whole groups are drawn. */
export function sampled(set, models, size, seed) {
  const rows = models.map((name) => set.models.indexOf(name));
  const { groups } = set;
  const units = drawn(groups ? Math.max(...groups) + 1 : set.n, size, seed);
  const taken = groups ? new Set(units) : null;
  const items = groups
    ? groups.map((g, i) => (taken.has(g) ? i : -1)).filter((i) => i >= 0)
    : units;
  const found = { models, n: items.length, units: units.length };
  if (groups) found.groups = items.map((i) => groups[i]);
  if (set.losses)
    return { ...found, losses: rows.map((r) => Float64Array.from(items, (i) => set.losses[r][i])) };
  if (groups)
    return {
      ...found,
      losses: rows.map((r) =>
        Float64Array.from(items, (i) => (set.bits[r][i >> 5] >>> (i & 31)) & 1),
      ),
      rate: true,
    };
  const mask = new Uint32Array(Math.ceil(set.n / 32));
  for (const i of items) mask[i >> 5] |= 1 << (i & 31);
  return {
    ...found,
    bits: rows.map((r) => set.bits[r].map((word, w) => word & mask[w])),
    rate: true,
  };
}

function ones(word) {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

function both(a, b) {
  let total = 0;
  for (let w = 0; w < a.length; w++) total += ones(a[w] & b[w]);
  return total;
}

/** An interval that leaves 0 out if, and only if, p is at most the level (errlab's `settle`). */
function settled([low, high], pvalue, centre, delta) {
  if (pvalue > delta) return [Math.min(low, 0), Math.max(high, 0)];
  if (centre === 0) return [NaN, NaN];
  return centre > 0 ? [Math.max(low, TINY), high] : [low, Math.min(high, -TINY)];
}

// ------------------------------------------------------------------ examples in groups, graded losses

/** The examples of each group, each of one size where there are no groups. */
function unitsOf({ n, groups }, units) {
  if (!groups || units === "items")
    return { place: null, sizes: new Float64Array(n).fill(1), number: n, most: 1 };
  const number = new Map();
  const place = groups.map((g) => {
    if (!number.has(g)) number.set(g, number.size);
    return number.get(g);
  });
  const sizes = new Float64Array(number.size);
  for (const g of place) sizes[g] += 1;
  return { place, sizes, number: number.size, most: Math.max(...sizes) };
}

function sumsOf(values, { place, number }) {
  if (!place) return values;
  const sums = new Float64Array(number);
  values.forEach((value, i) => {
    sums[place[i]] += value;
  });
  return sums;
}

/** Bets on the mean difference of examples in groups: [p, a function that gives the interval]. */
function groupBets(gains, units, level) {
  const { sizes, number, most } = units;
  const raw = sumsOf(gains, units);
  const sums = sizes.map((size, g) => (size + raw[g]) / 2); // no difference is a rate of one half
  const stakes = stakesOf(number, most, level / 2, false);
  const sides = [sums, mirroredOf(sums, sizes)];
  const against = Math.max(...sides.map((s) => logCapital(s, sizes, most, stakes, 0.5)));
  return [
    Math.min(1, 2 * Math.exp(-against)),
    () => groupEnds(sums, sizes, most, level, false).map((end) => 2 * end - 1),
  ];
}

/** The cluster-robust t of a mean difference; of examples without groups Student's. */
function robustT(gains, units, level) {
  const n = gains.length;
  const { sizes, number } = units;
  const mean = sum(gains) / n;
  const flat = FLAT * Math.max(...gains.map(Math.abs));
  const away = gains.map((gain) => (Math.abs(gain - mean) <= flat ? 0 : gain - mean));
  const totals = sumsOf(away, units).map((total, g) =>
    Math.abs(total) <= flat * sizes[g] ? 0 : total,
  );
  const shares = sizes.map((size) => size / n);
  const spread = Math.sqrt(sum(totals.map((total, g) => total ** 2 / (1 - shares[g])))) / n;
  const error = Math.max(spread, Math.sqrt(sum(away.map((a) => a * a)) / (n * Math.max(n - 1, 1))));
  if (error === 0) {
    // nothing is seen of how much groups differ: each counts as one example
    const shrunk = (level / 2) ** (1 / number);
    return [
      Math.min(1, 2 * (1 + Math.abs(mean)) ** -number),
      () => [-1 + (mean + 1) * shrunk, 1 - (1 - mean) * shrunk],
    ];
  }
  const a = shares.map((w) => w ** 2 / (1 - w));
  const df = 1 / (sum(shares.map((w) => w * w)) + sum(a) ** 2 - sum(a.map((x) => x * x)));
  const t2 = (mean / error) ** 2;
  const pvalue = betaTails(df / 2, 0.5, df / (df + t2), t2 / (df + t2))[0];
  return [
    mean === 0 ? 1 : pvalue,
    () => {
      const [x, rest] = betaQuantile(df / 2, 0.5, level);
      const half = Math.sqrt((df * rest) / x) * error;
      return [Math.max(mean - half, -1), Math.min(mean + half, 1)];
    },
  ];
}

// ------------------------------------------------------------------------------------ all models

/** Holm's adjusted p-values. */
function holm(pvalues) {
  const order = pvalues.map((_, i) => i).sort((i, j) => pvalues[i] - pvalues[j]);
  const found = [];
  let largest = 0;
  order.forEach((i, j) => {
    largest = Math.max(largest, (pvalues.length - j) * pvalues[i]);
    found[i] = Math.min(1, largest);
  });
  return found;
}

/** The errors of each model of a sample, or the sum of its losses. */
export function errorsOf({ models, bits, losses }) {
  return models.map((_, i) => (bits ? both(bits[i], bits[i]) : sum(losses[i])));
}

/** What a sample shows of its models: errors, p-values of all pairs, and the ranks that are left.
 *
 *  `method` is "proven" or "t", `units` "groups" or "items". Losses of 0 and 1 that come in no
 *  groups have the exact McNemar test; examples in groups are bet upon; graded losses without groups
 *  have t. */
export function compared(sample, { method = "proven", units = "groups", delta = 0.05 } = {}) {
  const { models, n } = sample;
  const counted = sample.bits !== undefined;
  const errors = errorsOf(sample);
  const order = models.map((_, i) => i).sort((i, j) => errors[i] - errors[j] || i - j);
  const kind = unitsOf(sample, units);
  // rates without groups, though written as numbers
  const exact = sample.rate && (counted || kind.most === 1);
  const bets = !exact && method === "proven" && kind.most > 1;
  const pairs = [];
  const number = (models.length * (models.length - 1)) / 2;
  const level = delta / number; // of each pair, so that all intervals hold at once
  order.forEach((i, place) => {
    for (const j of order.slice(place + 1)) {
      if (exact) {
        const shared = counted
          ? both(sample.bits[i], sample.bits[j])
          : sum(sample.losses[i].map((loss, item) => loss * sample.losses[j][item]));
        const [x, y] = [errors[i] - shared, errors[j] - shared];
        pairs.push({
          a: i,
          b: j,
          n01: x,
          n10: y,
          difference: (x - y) / n,
          pvalue: mcnemar(x, y),
          interval: () => settled(melded(x, y, n, level), mcnemar(x, y), x - y, level),
        });
        continue;
      }
      const gains = sample.losses[i].map((loss, item) => loss - sample.losses[j][item]);
      const [pvalue, ends] = (bets ? groupBets : robustT)(gains, kind, level);
      const difference = sum(gains) / n;
      pairs.push({
        a: i,
        b: j,
        difference,
        pvalue,
        // at its own level: Holm's steps may show a difference that this interval does not
        interval: () => settled(ends(), pvalue, difference, level),
      });
    }
  });
  const adjusted = holm(pairs.map((pair) => pair.pvalue));
  // beats[i][j]: i is shown to be better
  const beats = models.map(() => new Uint8Array(models.length));
  pairs.forEach((pair, p) => {
    pair.adjusted = adjusted[p];
    if (pair.adjusted > delta || pair.difference === 0) return;
    if (pair.difference < 0) beats[pair.a][pair.b] = 1;
    else beats[pair.b][pair.a] = 1;
  });
  // whoever beats i also beats those that i beats (Warshall)
  for (let i = 0; i < beats.length; i++) {
    for (const row of beats)
      if (row[i])
        beats[i].forEach((won, j) => {
          if (won) row[j] = 1;
        });
  }
  const rows = order.map((i) => ({
    name: models[i],
    errors: errors[i],
    estimate: errors[i] / n,
    first: 1 + sum(beats.map((row) => row[i])),
    last: models.length - sum(beats[i]),
  }));
  const different = pairs.filter((pair) => pair.adjusted <= delta).length;
  const test = exact ? "mcnemar" : bets ? "bets" : kind.most > 1 ? "robust" : "t";
  return {
    n,
    units: sample.units,
    rows,
    pairs,
    different,
    test,
    rate: Boolean(sample.rate),
    delta,
  };
}

/** The pair of two models, A first, whichever is better; its differences are those of losses. */
export function pairOf(found, models, a, b) {
  const [i, j] = [models.indexOf(a), models.indexOf(b)];
  const pair = found.pairs.find((p) => (p.a === i && p.b === j) || (p.a === j && p.b === i));
  const [low, high] = pair.interval();
  if (pair.a === i) return { ...pair, low, high };
  const { n01, n10, difference } = pair;
  return {
    ...pair,
    a: i,
    b: j,
    n01: n10,
    n10: n01,
    difference: 0 - difference,
    low: 0 - high,
    high: 0 - low,
  };
}

/** The rank of each rate; equal ones have the better rank. */
export function ranksOf(rates) {
  return rates.map((rate) => 1 + rates.filter((other) => other < rate - 1e-12).length);
}
