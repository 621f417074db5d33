// Bets on a rate over examples that come in groups (errlab.bounds.group_betting, GroupBets).

const APART = 2; // stakes are at most so many times the one before
const LEAST = 1e-300; // a capital that is as good as lost

const sum = (values) => values.reduce((total, value) => total + value, 0);

/** The stakes of a bound that fails with probability `tail`; `rate` says that losses are 0 or 1. */
export function stakesOf(number, most, tail, rate) {
  const unmet = tail ** (1 / number);
  const first = Math.sqrt(Math.max((-2 * Math.log(tail)) / number, (1 - unmet) / unmet));
  const reach = rate ? Math.min(1, first * Math.sqrt(most)) : Math.sqrt((2 - unmet) / unmet);
  const last = Math.max(first, reach);
  const steps = Math.ceil(Math.log(last / first) / Math.log(APART) - 1e-9);
  return Array.from({ length: steps + 1 }, (_, j) =>
    j === 0 ? first : first * (last / first) ** (j / steps),
  );
}

/** The log capital against a rate, of groups with these sums of losses and sizes. */
export function logCapital(sums, sizes, most, stakes, rate) {
  const won = sizes.map((size, g) => (rate * size - sums[g]) / (most * (1 - rate)));
  const logs = stakes.map((c) => {
    const stake = Math.min(1, c * Math.sqrt((1 - rate) / rate));
    let total = 0;
    for (const w of won) total += Math.log(Math.max(1 + stake * w, LEAST));
    return total;
  });
  const top = Math.max(...logs);
  return top + Math.log(sum(logs.map((log) => Math.exp(log - top)))) - Math.log(stakes.length);
}

/** The largest rate whose capital stays below 1 / tail. */
function upperRate(sums, sizes, most, stakes, tail) {
  const target = -Math.log(tail);
  let low = Math.max(sum(sums) / sum(sizes), 1e-15);
  let high = 1 - 1e-15;
  if (low >= high || logCapital(sums, sizes, most, stakes, high) < target) return 1;
  for (let i = 0; i < 60 && high - low > 1e-15; i += 1) {
    const middle = (low + high) / 2;
    if (logCapital(sums, sizes, most, stakes, middle) < target) low = middle;
    else high = middle;
  }
  return Math.min(1, high + 1e-14);
}

/** The same groups with one minus each loss. */
export const mirroredOf = (sums, sizes) => sizes.map((size, g) => size - sums[g]);

/** Both ends of the interval, each of which fails with probability delta / 2. */
export function groupEnds(sums, sizes, most, delta, rate) {
  const stakes = stakesOf(sizes.length, most, delta / 2, rate);
  return [
    1 - upperRate(mirroredOf(sums, sizes), sizes, most, stakes, delta / 2),
    upperRate(sums, sizes, most, stakes, delta / 2),
  ];
}
