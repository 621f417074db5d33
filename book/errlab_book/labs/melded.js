// Fay and Lumbard's interval for the difference of two error rates on the same examples, which goes
// with the exact McNemar test (errlab.compare.paired_difference, method="exact").

import { betaQuantile, betaTails, normalQuantile } from "./numerics.js";

const PANELS = 5;
const NO_MASS = 1e-20; // what the quadrature leaves out at each end
const EXACT = 50; // coins whose numbers of ways are whole numbers without rounding
const TINY = 2.2250738585072014e-308;

/** Nodes and weights of Gauss and Legendre on [0, 1]. */
function legendre(size) {
  const found = [];
  for (let i = 1; i <= size; i++) {
    let x = Math.cos((Math.PI * (i - 0.25)) / (size + 0.5));
    let slope = 0;
    for (let step = 0; step < 20; step++) {
      let before = 1;
      let now = x;
      for (let k = 2; k <= size; k++) {
        [before, now] = [now, ((2 * k - 1) * x * now - (k - 1) * before) / k];
      }
      slope = (size * (x * now - before)) / (x * x - 1);
      x -= now / slope;
    }
    found.push([(1 - x) / 2, 1 / ((1 - x * x) * slope * slope)]);
  }
  return found;
}

const RULE = legendre(20);
const GRID = Array.from({ length: PANELS }, (_, panel) =>
  RULE.map(([x, weight]) => [(panel + x) / PANELS, weight / PANELS]),
).flat();

/** A beta variable; with b = 0 it is always 1. */
class Beta {
  constructor(a, b) {
    this.a = a;
    this.b = b;
  }
  below(x) {
    return betaTails(this.a, this.b, x)[0];
  }
  above(x) {
    return betaTails(this.a, this.b, x)[1];
  }
  low(tail) {
    return betaQuantile(this.a, this.b, tail)[0];
  }
  high(tail) {
    return this.b > 0 ? betaQuantile(this.b, this.a, tail)[1] : 1;
  }
}

/** Mean of `inside(x)` under the density exp(log(x)) of the logarithm of x in [start, end]. */
function mean(start, end, logDensity, inside) {
  const first = Math.log(start);
  const span = Math.log(Math.max(end, start)) - first;
  const logs = GRID.map(([place]) => first + span * place);
  const densities = logs.map(logDensity);
  const most = Math.max(...densities);
  let sum = 0;
  let total = 0;
  logs.forEach((log, i) => {
    const weight = Math.exp(densities[i] - most) * GRID[i][1];
    total += weight;
    if (weight > 1e-25) sum += weight * inside(Math.exp(log));
  });
  return sum / total;
}

const logRest = (log) => Math.log(Math.max(-Math.expm1(log), 1e-300)); // log(1 - exp(log))

/** P(share (2 theta - 1) > s), or <= s where `above` is false, integrated over the share. */
function overShare(share, theta, above) {
  const first = share.low(NO_MASS);
  const last = share.high(NO_MASS);
  const logDensity = (log) => share.a * log + (share.b - 1) * logRest(log);
  return (s) => {
    const inside = (t) => {
      const half = Math.min(s / t, 1) / 2;
      return above
        ? betaTails(theta.b, theta.a, 0.5 - half, 0.5 + half)[0]
        : theta.below(0.5 + half);
    };
    const part = share.above(s) * mean(Math.max(first, s), last, logDensity, inside);
    return above ? part : part + share.below(s);
  };
}

/** The same, integrated over w = 2 theta - 1. */
function overTheta(share, theta, above) {
  const first = 2 * theta.low(NO_MASS) - 1;
  const last = 2 * theta.high(NO_MASS) - 1;
  const logDensity = (log) =>
    log + (theta.a - 1) * Math.log1p(Math.exp(log)) + (theta.b - 1) * logRest(log);
  return (s) => {
    const inside = (w) => {
      const edge = Math.min(s / w, 1);
      return above ? share.above(edge) : share.below(edge);
    };
    const middle = (1 + s) / 2;
    const part = theta.above(middle) * mean(Math.max(first, s), last, logDensity, inside);
    return above ? part : part + theta.below(middle);
  };
}

/** The place between low and high where a probability is `tail`: the false position of Illinois,
 *  on the normal scale, where the probability is nearly linear. */
function root(probability, low, high, tail) {
  const score = (p) => -normalQuantile(Math.min(Math.max(p, 1e-300), 1 - 1e-16));
  const goal = score(tail);
  const off = (s) => score(probability(s)) - goal;
  let atLow = off(low);
  let atHigh = off(high);
  let found = low;
  let before = 0;
  for (let i = 0; i < 50; i++) {
    const gap = atHigh - atLow;
    const weight = Math.min(Math.max(-atLow / (gap || 1), 0), 1);
    const last = found;
    found = low + weight * (high - low);
    if (Math.abs(found - last) <= 1e-11 * found) break;
    const value = off(found);
    const sign = Math.sign(value);
    const again = sign === before ? 0.5 : 1; // an end that stays twice counts half
    if (sign === Math.sign(atLow)) {
      low = found;
      atLow = value;
      atHigh *= again;
    } else {
      high = found;
      atHigh = value;
      atLow *= again;
    }
    before = sign;
  }
  return found;
}

/** s in [0, 1] with P(share (2 theta - 1) > s) = tail; where `above` is false, <= s. */
function solve(share, theta, tail, above) {
  const total = theta.a + theta.b;
  const tilt = Math.max((theta.a - theta.b) / total, 1e-9);
  const spreadTheta = (2 * Math.sqrt((theta.a * theta.b) / (total + 1))) / total / tilt;
  const spreadShare = Math.sqrt(share.b / (share.a * (share.a + share.b + 1)));
  const narrow = spreadTheta < spreadShare / 2 && theta.low(NO_MASS) > 0.55;
  const probability = (narrow ? overTheta : overShare)(share, theta, above);
  const lean = (q) => Math.max(2 * q - 1, 0);
  // P(both large) is at least the product of the two, P(one large) at most their sum
  const [low, high] = above
    ? [
        share.high(0.5) * lean(theta.high(2 * tail)),
        share.high(tail / 2) * lean(theta.high(tail / 2)),
      ]
    : [share.low(tail / 2) * lean(theta.low(tail / 2)), share.low(0.5) * lean(theta.low(2 * tail))];
  return root(probability, low, high, tail);
}

/** P(at most k of m coins show heads); without rounding for few coins, where it may be a level. */
function coins(k, m) {
  if (k >= m) return 1;
  if (m > EXACT) return betaTails(k + 1, m - k, 0.5)[1];
  let ways = 1;
  let sum = 1;
  for (let i = 1; i <= k; i++) {
    ways = (ways * (m - i + 1)) / i;
    sum += ways;
  }
  return sum / 2 ** m;
}

/** The upper end: where the melded one-sided p-value of "at least d" is `tail`. */
function upper(x, y, n, tail) {
  const m = x + y;
  const theta = new Beta(x + 1, y);
  const share = new Beta(m + 1, n - m);
  if (coins(x, m) <= tail) {
    // the test finds a difference, so the end is not 0 either
    return -Math.max(solve(new Beta(m, n - m + 1), new Beta(y, x + 1), tail, false), TINY);
  }
  if (share.b === 0) return 2 * theta.high(tail) - 1;
  return theta.b === 0 ? share.high(tail) : solve(share, theta, tail, true);
}

/** [low, high] for the error rate of A minus that of B; A alone is wrong on x examples, B on y. */
export function melded(x, y, n, delta) {
  return [-upper(y, x, n, delta / 2), upper(x, y, n, delta / 2)];
}

/** The two-sided p-value of the exact McNemar test. */
export function mcnemar(x, y) {
  return Math.min(1, 2 * coins(Math.min(x, y), x + y));
}
