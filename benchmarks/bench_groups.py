"""Time groups and sequences against the direct ways and statsmodels, in one run.

Run it as ``python benchmarks/bench_groups.py``. Each line gives the median of several runs of
both sides and their ratio; the answers must agree first.
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
import statsmodels.api as sm
from bench_metrics import median_time

from errlab import bounds, coverage, metrics


def report(what, direct, fast, repeats=5):
    slow = median_time(direct, max(repeats // 2, 3))
    quick = median_time(fast, repeats)
    print(f"{what:<62} direct {slow * 1e3:9.2f} ms   errlab {quick * 1e3:8.2f} ms"
          f"   ratio {slow / quick:7.1f}")  # fmt: skip


def robust(values, groups):
    """Statsmodels: OLS on a constant, with clustered standard errors."""
    fit = sm.OLS(values, np.ones(len(values))).fit(
        cov_type="cluster", cov_kwds={"groups": groups}, use_t=True
    )
    return fit.params[0], fit.bse[0], *fit.conf_int(0.05)[0]


def bench_standard_error():
    for groups, size in ((50, 10), (2000, 5), (20_000, 5)):
        rng = np.random.default_rng(0)
        names = np.repeat(np.arange(groups), size)
        wrong = (rng.random(len(names)) < rng.beta(1, 9, groups)[names]).astype(float)
        found = metrics.grouped_t(wrong, groups=names)
        ours = found.mean, found.standard_error, found.low, found.high
        assert np.allclose(ours, robust(wrong, names), rtol=1e-9)
        report(
            f"Clustered t, {groups} groups of {size}, statsmodels",
            lambda w=wrong, g=names: robust(w, g),
            lambda w=wrong, g=names: metrics.grouped_t(w, groups=g),
        )


def direct_areas(y, s, groups):
    """Obuchowski's sums: each positive case counts the negatives below it, by a search."""
    x = s[y == 1]
    z = np.sort(s[y == 0])
    up = (np.searchsorted(z, x, "left") + np.searchsorted(z, x, "right")) / (2 * len(z))
    x_sorted = np.sort(x)
    z = s[y == 0]
    down = 1 - (np.searchsorted(x_sorted, z, "left") + np.searchsorted(x_sorted, z, "right")) / (
        2 * len(x)
    )
    area = up.mean()
    v = {}
    w = {}
    for g, value in zip(groups[y == 1].tolist(), (up - area).tolist(), strict=True):
        v[g] = v.get(g, 0.0) + value
    for g, value in zip(groups[y == 0].tolist(), (down - area).tolist(), strict=True):
        w[g] = w.get(g, 0.0) + value
    both = sum(v[g] * w[g] for g in v.keys() & w.keys())
    m = len(x)
    n = len(z)
    many = len(v.keys() | w.keys())
    var = len(v) / (len(v) - 1) * sum(t * t for t in v.values()) / m**2
    var += len(w) / (len(w) - 1) * sum(t * t for t in w.values()) / n**2
    return area, var + 2 * many / (many - 1) * both / (m * n)


def bench_areas():
    for n in (10_000, 100_000):
        rng = np.random.default_rng(1)
        groups = rng.integers(0, n // 5, n)
        y = rng.integers(0, 2, n)
        s = np.round(rng.normal(size=n) + y + rng.normal(size=n)[groups], 3)
        assert np.allclose(direct_areas(y, s, groups), metrics.delong(y, s, groups=groups))
        report(
            f"DeLong by groups, {n} cases, searches and dictionaries",
            lambda y=y, s=s, g=groups: direct_areas(y, s, g),
            lambda y=y, s=s, g=groups: metrics.delong(y, s, groups=g),
        )


def grid_sequence(losses, delta, candidates):
    """Capital of both gamblers at each of many candidates, for all cases at once."""
    t = np.arange(1, len(losses) + 1)
    mean = (0.5 + losses.cumsum()) / (t + 1)
    var = (0.25 + ((losses - mean) ** 2).cumsum()) / (t + 1)
    before = np.concatenate([[0.25], var[:-1]])
    stake = np.sqrt(2 * np.log(2 / delta) / (before * t * np.log1p(t)))
    low = np.zeros(len(losses))
    high = np.ones(len(losses))
    for m in candidates:
        for sign, limit in ((1, m), (-1, 1 - m)):
            bet = np.minimum(stake, 0.75 / limit if limit > 0 else np.inf)
            money = np.log1p(sign * bet * (losses - m)).cumsum()
            out = np.maximum.accumulate(money) >= np.log(2 / delta)
            if sign > 0:
                low = np.where(out, np.maximum(low, m), low)
            else:
                high = np.where(out, np.minimum(high, m), high)
    return low, high


def bench_sequence():
    for n, number in ((1000, 2001), (10_000, 4001)):
        losses = (np.random.default_rng(2).random(n) < 0.1).astype(float)
        candidates = np.linspace(0, 1, number)
        theirs = grid_sequence(losses, 0.05, candidates)
        ours = bounds.confidence_sequence(losses)
        for a, b in zip(theirs, ours, strict=True):
            assert np.abs(a - b)[n // 2 :].max() < 2.5 / number  # both are rounded outward
        report(
            f"Betting sequence, {n} cases, grid of {number}",
            lambda x=losses, c=candidates: grid_sequence(x, 0.05, c),
            lambda x=losses: bounds.confidence_sequence(x),
            repeats=3,
        )


def looped_peeking(error, n, delta):
    """One row of probabilities, and the interval of every number of errors at every look."""
    alive = np.array([1.0])
    lost = 0.0
    for t in range(1, n + 1):
        alive = np.append(alive * (1 - error), 0) + np.append(0, alive * error)
        low, high = bounds.interval("CP", errors=np.arange(t + 1), n=t, delta=delta)
        miss = (low > error) | (high < error)
        lost += alive[miss].sum()
        alive[miss] = 0
    return lost


def bench_peeking():
    n = 500
    assert np.isclose(looped_peeking(0.1, n, 0.05), coverage.peeking("CP", 0.1, n)[-1])
    report(
        f"What {n} looks cost, every interval computed",
        lambda: looped_peeking(0.1, n, 0.05),
        lambda: coverage.peeking("CP", 0.1, n),
        repeats=3,
    )


if __name__ == "__main__":
    bench_standard_error()
    bench_areas()
    bench_sequence()
    bench_peeking()
