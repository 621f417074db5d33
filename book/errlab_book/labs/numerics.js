// What the labs compute: tails of the normal and the beta distribution, and what stands on them.
// Python decides what a method is; `tests/labs` compares every function here with it.

const HALF_LOG_TWO_PI = 0.9189385332046727;

/** What is left of Stirling's: log a! = (a + 1/2) log a - a + HALF_LOG_TWO_PI + stirling(a). */
function stirling(a) {
  let sum = 0;
  while (a < 16) {
    sum += (a + 0.5) * Math.log1p(1 / a) - 1;
    a += 1;
  }
  const r = 1 / (a * a);
  return sum + (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r / 1188)))) / a;
}

/** (1 + u) log(1 + u) - u without cancellation; never negative. */
function deviance(u) {
  if (Math.abs(u) > 0.1) return (1 + u) * Math.log1p(u) - u;
  let sum = 0;
  for (let j = 20; j > 1; j--) sum = 1 / (j * (j - 1)) - u * sum;
  return u * u * sum;
}

/** x^a y^b / B(a, b) with y = 1 - x: the density of log(X / (1 - X)) for X ~ Beta(a, b).
 *  Loader (2000): no difference of large logarithms of gamma functions. */
function density(a, b, x, y) {
  const n = a + b;
  const far = n * (x * deviance(a / (n * x) - 1) + y * deviance(b / (n * y) - 1));
  const near = stirling(n) - stirling(a) - stirling(b) - HALF_LOG_TWO_PI;
  return Math.sqrt((a * b) / n) * Math.exp(near - far);
}

/** The continued fraction of P(Beta(a, b) <= x) / density (DiDonato and Morris 1992), by Lentz. */
function fraction(a, b, x, y) {
  const term = (m) => {
    const first = m === 0 ? 0 : (m * (b - m) * x) / (a + 2 * m - 1); // 0/0 at m = 0, a = 1
    return m + first + ((a + m) * (a * y - b * x + 1 + m * (2 - x))) / (a + 2 * m + 1);
  };
  let f = term(0);
  let c = f;
  let d = 0;
  for (let m = 1; m < 1e6; m++) {
    const w = x / (a + 2 * m - 1);
    const up = (a + m - 1) * (a + b + m - 1) * w * (m * (b - m)) * w;
    const down = term(m);
    d = 1 / (down + up * d);
    c = down + up / c;
    f *= c * d;
    if (!(Math.abs(c * d - 1) >= 1e-15)) break;
  }
  return 1 / f;
}

/** [P(X <= x), P(X > x)] for X ~ Beta(a, b), the smaller one to full relative accuracy. */
export function betaTails(a, b, x, y = 1 - x) {
  if (x <= 0) return [0, 1];
  if (y <= 0) return [1, 0];
  const p = density(a, b, x, y);
  if (p === 0) return x * (a + b) < a ? [0, 1] : [1, 0];
  if (x * (a + b + 2) > a + 1) {
    const above = p * fraction(b, a, y, x);
    return [1 - above, above];
  }
  const below = p * fraction(a, b, x, y);
  return [below, 1 - below];
}

/** [x, 1 - x] with P(Beta(a, b) <= x) = delta, for delta up to 1/2.
 *
 *  The log of the tail is concave in log(x / (1 - x)), so Newton's method converges from anywhere.
 */
export function betaQuantile(a, b, delta) {
  let t = Math.log(a / b) - normalQuantile(delta) * Math.sqrt(1 / a + 1 / b);
  for (let i = 0; i < 100; i++) {
    const x = 1 / (1 + Math.exp(-t));
    const y = 1 / (1 + Math.exp(t));
    const tail = betaTails(a, b, x, y)[0];
    if (tail === 0) {
      // too far out for a floating-point number: half the way back
      t = (t + Math.log(a / b)) / 2;
      continue;
    }
    const step = ((Math.log(tail) - Math.log(delta)) * tail) / density(a, b, x, y);
    t -= step;
    if (Math.abs(step) < 1e-10) break;
  }
  return [1 / (1 + Math.exp(-t)), 1 / (1 + Math.exp(t))];
}

/** P(Z > z) for a standard normal Z. */
export function normalTail(z) {
  if (z < 0) return 1 - normalTail(-z);
  const at = Math.exp((-z * z) / 2 - HALF_LOG_TWO_PI);
  if (z > 2.5) {
    let f = z; // Laplace's continued fraction
    for (let j = 150; j > 0; j--) f = z + j / f;
    return at / f;
  }
  let term = z;
  let sum = z;
  for (let j = 3; term > 1e-17 * sum; j += 2) {
    term *= (z * z) / j;
    sum += term;
  }
  return 0.5 - at * sum;
}

/** z with P(Z > z) = delta. */
export function normalQuantile(delta) {
  if (delta > 0.5) return -normalQuantile(1 - delta);
  let z = Math.sqrt(-2 * Math.log(2 * delta)); // above the root
  for (let i = 0; i < 50; i++) {
    const tail = normalTail(z);
    const at = Math.exp((-z * z) / 2 - HALF_LOG_TWO_PI);
    const step = ((Math.log(tail) - Math.log(delta)) * tail) / at;
    z += step;
    if (Math.abs(step) < 1e-10) break;
  }
  return z;
}

/** P(Bin(n, p) = k). */
export function binomialMass(k, n, p) {
  if (k < 0 || k > n) return 0;
  if (k === 0) return Math.exp(n * Math.log1p(-p));
  if (k === n) return Math.exp(n * Math.log(p));
  if (p === 0 || p === 1) return 0;
  return (density(k, n - k, p, 1 - p) * n) / (k * (n - k));
}

/** P(Bin(n, p) <= k), to full relative accuracy however small it is. */
export function binomialUpTo(k, n, p) {
  if (k < 0) return 0;
  return k >= n ? 1 : betaTails(k + 1, n - k, p)[1];
}

/** P(Bin(n, p) >= k), likewise. */
export function binomialFrom(k, n, p) {
  if (k <= 0) return 1;
  return k > n ? 0 : betaTails(k, n - k + 1, p)[0];
}

/** P(Bin(n, p) <= k) for k = 0..n, from the mode outwards by the ratio of neighbours. */
export function binomialTable(n, p) {
  const mass = new Float64Array(n + 1);
  const mode = Math.min(n, Math.floor((n + 1) * p));
  mass[mode] = 1;
  for (let k = mode; k < n; k++) mass[k + 1] = mass[k] * ((n - k) / (k + 1)) * (p / (1 - p));
  for (let k = mode; k > 0; k--) mass[k - 1] = mass[k] * (k / (n - k + 1)) * ((1 - p) / p);
  for (let k = 1; k <= n; k++) mass[k] += mass[k - 1];
  return mass.map((sum) => sum / mass[n]);
}

/** The first place in a rising table that is at least `level`. */
export function firstAtLeast(table, level) {
  let low = 0;
  let high = table.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (table[middle] >= level) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Numbers in [0, 1) that a seed fixes (mulberry32); `errlab_book.labs` draws the same. */
export function random(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** [d, 1 - m - d] with kl(m, m + d) = t, where r = 1 - m (`errlab.bounds.tight_hoeffding`). */
function kullback(m, r, t) {
  let x = (t - m * Math.log(m)) / r; // above the root; convex and increasing from here
  for (let i = 0; i < 100; i++) {
    const d = -r * Math.expm1(-x);
    const excess = r * x - m * Math.log1p(d / m) - t;
    if (!(excess > 1e-15 * r * x)) break; // less is rounding
    const step = (excess * (m + d)) / d;
    x -= step;
    if (step < 1e-9 * x) break;
  }
  return [-r * Math.expm1(-x), r * Math.exp(-x)];
}

// [lower, upper] for k errors in n examples, not yet cut at 0 and 1, each failing with probability
// delta; m = k / n and r = 1 - m.
const METHODS = {
  NOR(k, n, m, r, delta) {
    const half = normalQuantile(delta) * Math.sqrt((m * r) / n);
    return [m - half, m + half];
  },
  WIL(k, n, m, r, delta) {
    const a = normalQuantile(delta) ** 2 / n;
    const high = (m + a / 2 + Math.sqrt(a * (m * r + a / 4))) / (1 + a);
    const low = (m * m) / (1 + a) / high; // the product of the roots; 0/0 at k = 0, delta = 1/2
    return [k > 0 ? low : 0, k < n ? high : 1];
  },
  CP(k, n, m, r, delta) {
    return [
      k > 0 ? betaQuantile(k, n - k + 1, delta)[0] : 0,
      k < n ? betaQuantile(n - k, k + 1, delta)[1] : 1,
    ];
  },
  AC(k, n, m, r, delta) {
    const z = normalQuantile(delta);
    const size = n + z * z;
    const centre = (k + (z * z) / 2) / size;
    const rest = (n - k + (z * z) / 2) / size;
    const half = z * Math.sqrt((centre * rest) / size);
    return [centre - half, centre + half];
  },
  JEF(k, n, m, r, delta) {
    return [
      betaQuantile(k + 0.5, n - k + 0.5, delta)[0],
      betaQuantile(n - k + 0.5, k + 0.5, delta)[1],
    ];
  },
  T_HOE(k, n, m, r, delta) {
    const t = -Math.log(delta) / n;
    if (k === 0) return [0, -Math.expm1(-t)];
    if (k === n) return [Math.exp(-t), 1];
    return [kullback(r, m, t)[1], m + kullback(m, r, t)[0]];
  },
  HOE(k, n, m, r, delta) {
    const half = Math.sqrt(-Math.log(delta) / (2 * n));
    return [m - half, m + half];
  },
};
export const KEYS = Object.keys(METHODS);

/** [lower, upper] in [0, 1], each failing with probability `delta`, in (0, 1/2]. */
export function ends(key, k, n, delta) {
  const [low, high] = METHODS[key](k, n, k / n, (n - k) / n, delta);
  return [Math.max(low, 0), Math.min(high, 1)];
}

/** The smallest n whose Clopper-Pearson bound after `mean * n` errors is at most `target`. */
export function sampleSize(target, mean, delta) {
  const reached = (n) => {
    const k = n * mean;
    const near = Math.round(k);
    const whole = Math.abs(k - near) <= 1e-12 * Math.max(k, 1); // undo the rounding of mean = k/n
    return ends("CP", whole ? near : k, n, delta)[1] <= target;
  };
  for (let n = 1; n <= 64; n++) if (reached(n)) return n;
  let low = 64;
  let high = 128;
  while (!reached(high)) {
    if (high > 1e9) return Infinity;
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (reached(middle)) high = middle;
    else low = middle;
  }
  return high;
}
