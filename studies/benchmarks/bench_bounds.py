"""Time bounds and coverage against other implementations of the same results."""

import numpy as np
from scipy.optimize import brentq, elementwise
from scipy.stats import binom
from statsmodels.stats.proportion import proportion_confint

from errlab import bounds, coverage, metrics
from studies.benchmarks.side_by_side import row

PAIRS = 100_000
METHODS = {"NOR": "normal", "WIL": "wilson", "CP": "beta"}
RNG = np.random.default_rng(0)
N = RNG.integers(10, 1000, PAIRS)
MEAN = RNG.integers(1, N) / N
ERRORS = np.rint(MEAN * N).astype(int)


def divergence_minus(q, mean, t):
    return mean * np.log(mean / q) + (1 - mean) * np.log((1 - mean) / (1 - q)) - t


def tight_hoeffding():
    t, top = np.log(20) / N, np.nextafter(1.0, 0.0)
    close = {"xtol": 1e-14, "rtol": 1e-14}

    def loop():
        pairs = zip(MEAN.tolist(), t.tolist(), strict=True)
        return [brentq(divergence_minus, m, top, args=(m, s), **close) for m, s in pairs]

    def vectorised():
        tops, tolerances = np.full(PAIRS, top), {"xatol": 1e-14, "xrtol": 1e-14}
        roots = elementwise.find_root(
            divergence_minus, (MEAN, tops), args=(MEAN, t), tolerances=tolerances
        )
        return roots.x

    what = "limits by Newton (T_HOE), 1e5 pairs"
    ours = lambda: bounds.tight_hoeffding(MEAN, N)  # noqa: E731
    row(what, ours, vectorised, "elementwise.find_root", 5, atol=1e-8)
    row(what, ours, loop, "brentq in a loop", 50, atol=1e-8, rounds=1)


def clopper_pearson():
    row(
        "both ends of Clopper-Pearson, 1e5 pairs",
        lambda: bounds.interval("CP", errors=ERRORS, n=N),
        lambda: proportion_confint(ERRORS, N, 0.05, "beta"),
        "statsmodels",
        0.8,
        atol=1e-10,
        rounds=9,
    )


def betting():
    losses = np.random.default_rng(1).beta(1, 4, 200)
    cases = np.arange(2, 202)
    mean = (0.5 + np.cumsum(losses)) / cases
    var = (0.25 + np.cumsum((losses - mean) ** 2)) / cases
    stake = np.sqrt(2 * np.log(40) / (200 * np.r_[0.25, var[:-1]]))

    def capital(m):
        up = np.cumprod(1 + np.minimum(stake, 0.75 / m) * (losses - m))
        down = np.cumprod(1 - np.minimum(stake, 0.75 / (1 - m)) * (losses - m))
        return max(up.max(), down.max()) / 2

    def grid():
        plausible_means = [m for m in np.linspace(0, 1, 1001)[1:-1] if capital(m) < 20]
        return plausible_means[0], plausible_means[-1]

    ours = lambda: bounds.interval("BET", losses=losses, order="given")  # noqa: E731
    row("betting interval, n = 200", ours, grid, "grid of 1/1000", 1, atol=1e-3, rounds=5)


def bets_on_groups():
    """The same stakes on every group, at each of a thousand candidate rates."""
    rng = np.random.default_rng(2)
    groups = np.arange(5000) // 5
    losses = (rng.random(5000) < rng.beta(1, 9, 1000)[groups]).astype(float)
    errors = np.bincount(groups, losses)
    stakes = np.sqrt(2 * np.log(40) / 1000) * np.array([1, np.sqrt(5)])

    def capital(errors, rate):
        stake = np.minimum(1, stakes * np.sqrt((1 - rate) / rate))[:, None]
        won = (5 * rate - errors) / (5 * (1 - rate))
        return np.logaddexp.reduce(
            np.log(np.maximum(1 + stake * won, 1e-300)).sum(axis=1)
        ) - np.log(2)

    def grid():
        rates = np.linspace(0, 1, 1001)[1:-1]
        low = [r for r in rates if capital(5 - errors, 1 - r) < np.log(40)]
        high = [r for r in rates if capital(errors, r) < np.log(40)]
        return low[0], high[-1]

    def ours():
        interval = metrics.grouped_betting(losses, groups=groups)
        return interval.low, interval.high

    what = "bets on 1,000 groups of five"
    row(what, ours, grid, "grid of 1/1000", 5, atol=2e-3, rounds=5)


def curves():
    errors, sizes = np.linspace(0, 0.5, 1001), (10, 200)

    def loop():
        coverages = []
        for method in METHODS.values():
            for n in sizes:
                count = np.arange(n + 1)
                high = [proportion_confint(k, n, alpha=0.1, method=method)[1] for k in count]
                holds = np.clip(high, 0, 1) >= errors[:, np.newaxis]
                pairs = zip(errors, holds, strict=True)
                coverages.append([binom.pmf(count[some], n, e).sum() for e, some in pairs])
        return np.array(coverages)

    def ours():
        return np.array([coverage.exact(key, errors, n) for key in METHODS for n in sizes])

    row("coverage curves, 1001 errors, 3 bounds, 2 n", ours, loop, "statsmodels", 10, atol=1e-9)


if __name__ == "__main__":
    tight_hoeffding()
    clopper_pearson()
    betting()
    bets_on_groups()
    curves()
