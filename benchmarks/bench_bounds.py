"""Bounds and coverage against the same answers by other means; prints medians and ratios.

Run it as ``python benchmarks/bench_bounds.py``.
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import time

import mpmath as mp
import numpy as np
from scipy.optimize import brentq, elementwise
from scipy.stats import binom
from statsmodels.stats.proportion import proportion_confint

from errlab import bounds, coverage

PAIRS = 100_000
METHODS = {"NOR": "normal", "WIL": "wilson", "CP": "beta"}


def timed(function, repeats):
    """Median seconds of one processor, and the answer."""
    answer = function()
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        function()
        seconds.append(time.process_time() - start)
    return float(np.median(seconds)), answer


def report(what, ours, peer, peer_name, wanted):
    ratio = peer / ours
    verdict = "met" if ratio >= wanted else "NOT MET"
    print(
        f"{what}: {ours * 1e3:.3g} ms, {peer_name}: {peer * 1e3:.4g} ms, "
        f"ratio {ratio:.3g} (wanted {wanted:g}: {verdict})"
    )


def pairs():
    rng = np.random.default_rng(0)
    n = rng.integers(10, 1000, PAIRS)
    return rng.integers(1, n) / n, n


def divergence_minus(q, mean, t):
    return mean * np.log(mean / q) + (1 - mean) * np.log((1 - mean) / (1 - q)) - t


def tight_hoeffding():
    mean, n = pairs()
    t = np.log(20) / n
    top = np.nextafter(1.0, 0.0)

    def loop():
        return np.array(
            [
                brentq(divergence_minus, m, top, args=(m, s), xtol=1e-14, rtol=1e-14)
                for m, s in zip(mean.tolist(), t.tolist(), strict=True)
            ]
        )

    def vectorised():
        tolerances = {"xatol": 1e-14, "xrtol": 1e-14}
        found = elementwise.find_root(
            divergence_minus, (mean, np.full(PAIRS, top)), args=(mean, t), tolerances=tolerances
        )
        return found.x

    ours, answer = timed(lambda: bounds.tight_hoeffding(mean, n), 9)
    for peer, name, wanted, repeats in (
        (loop, "brentq in a loop", 50, 1),
        (vectorised, "elementwise.find_root", 5, 3),
    ):
        seconds, expected = timed(peer, repeats)
        np.testing.assert_allclose(answer, expected, rtol=1e-8)
        report("T_HOE on 1e5 pairs", ours, seconds, name, wanted)


def clopper_pearson():
    mean, n = pairs()
    errors = np.rint(mean * n).astype(int)
    calls = {
        "CP, upper bound, on 1e5 pairs": (
            lambda: bounds.upper("CP", errors=errors, n=n, delta=0.025),
            lambda: proportion_confint(errors, n, 0.05, "beta")[1],  # it always computes both ends
        ),
        "CP, both ends, on 1e5 pairs": (
            lambda: bounds.interval("CP", errors=errors, n=n),
            lambda: proportion_confint(errors, n, 0.05, "beta"),
        ),
    }
    for what, (ours, peer) in calls.items():
        seconds = []
        for _ in range(9):  # by turns, so that both meet the same machine
            (mine, answer) = timed(ours, 1)
            (theirs, expected) = timed(peer, 1)
            np.testing.assert_allclose(answer, expected, atol=1e-10)
            seconds.append((mine, theirs))
        mine, theirs = np.median(seconds, axis=0)
        report(what, mine, theirs, "statsmodels", 2)


def relative_error(found, a, b, delta):
    """How far `found` is from the quantile `delta` of Beta(a, b), by a Newton step at 40 digits."""
    x = mp.mpf(float(found))
    a = mp.mpf(int(a))
    b = mp.mpf(int(b))
    density = mp.exp(a * mp.log(x) + b * mp.log1p(-x)) / mp.beta(a, b)
    term = total = 1 / a
    j = 0
    while term > total * mp.mpf(10) ** -40:
        term *= (a + b + j) * x / (a + 1 + j)
        total += term
        j += 1
    return float(abs((total - delta / density) * (1 - x)))


def digits():
    """Errors of both ends against 40 digits: errlab beside statsmodels."""
    rng = np.random.default_rng(2)
    mean, n = pairs()
    some = rng.integers(0, PAIRS, 40)
    usual = np.rint(mean * n).astype(int)[some], n[some]
    small = np.array([1, 1, 2, 5, 20]), np.array([10**7, 10**5, 10**7, 10**7, 10**7])
    with mp.workdps(40):
        for what, (errors, n), delta in (
            ("40 of the 1e5 pairs, delta 0.05", usual, 0.05),
            ("1 to 20 errors in 1e5 and 1e7 cases, delta 1e-6", small, 1e-6),
        ):
            ends = {
                "errlab": bounds.interval("CP", errors=errors, n=n, delta=delta),
                "statsmodels": proportion_confint(errors, n, delta, "beta"),
            }
            half = mp.mpf(delta) / 2
            for name, (low, high) in ends.items():
                worst = max(
                    max(
                        relative_error(low[i], k, m - k + 1, half),
                        relative_error(high[i], k + 1, m - k, 1 - half),
                    )
                    for i, (k, m) in enumerate(zip(errors, n, strict=True))
                )
                verdict = "" if name != "errlab" else " (met)" if worst < 1e-13 else " (NOT MET)"
                print(f"CP, both ends, {what}: {name} is off by at most {worst:.1e}{verdict}")


def stakes(losses, delta):
    """Stakes before truncation, for either side of the hedged capital at delta / 2."""
    n = len(losses)
    cases = np.arange(2, n + 2)
    mean = (0.5 + np.cumsum(losses)) / cases
    var = (0.25 + np.cumsum((losses - mean) ** 2)) / cases
    return np.sqrt(2 * np.log(2 / delta) / (n * np.r_[0.25, var[:-1]]))


def hedged_capital(losses, m, delta, stake=None):
    """The largest hedged capital against one candidate, as a function of the data."""
    stake = stakes(losses, delta) if stake is None else stake
    up = np.cumprod(1 + np.minimum(stake, 0.75 / m) * (losses - m))
    down = np.cumprod(1 - np.minimum(stake, 0.75 / (1 - m)) * (losses - m))
    return max(up.max(), down.max()) / 2


def grid_search(losses, delta, **stake):
    grid = np.linspace(0, 1, 1001)[1:-1]
    kept = [m for m in grid if hedged_capital(losses, m, delta, **stake) < 1 / delta]
    return kept[0], kept[-1]


def betting():
    losses = np.random.default_rng(1).beta(1, 4, 200)
    peers = {
        "1/1000 grid, capital of data and candidate": (lambda: grid_search(losses, 0.05), 100),
        "1/1000 grid, stakes computed once": (
            lambda: grid_search(losses, 0.05, stake=stakes(losses, 0.05)),
            1,
        ),
    }
    for name, (peer, wanted) in peers.items():
        theirs, expected = timed(peer, 5)
        ours, answer = timed(lambda: bounds.interval("BET", losses=losses, order="given"), 201)
        np.testing.assert_allclose(answer, expected, atol=1e-3)
        report("betting interval, n = 200", ours, theirs, name, wanted)


def coverage_by_loop(errors, sizes):
    curves = []
    for method in METHODS.values():
        for n in sizes:
            count = np.arange(n + 1)
            high = [proportion_confint(k, n, alpha=0.1, method=method)[1] for k in count]
            holds = np.clip(high, 0, 1) >= errors[:, np.newaxis]
            rows = zip(errors, holds, strict=True)
            curves.append([binom.pmf(count[row], n, error).sum() for error, row in rows])
    return np.array(curves)


def curves():
    errors = np.linspace(0, 0.5, 1001)
    sizes = (10, 200)
    ours, answer = timed(
        lambda: np.array([coverage.exact(key, errors, n) for key in METHODS for n in sizes]), 21
    )
    peer, expected = timed(lambda: coverage_by_loop(errors, sizes), 3)
    np.testing.assert_allclose(answer, expected, atol=1e-9)
    report("coverage curves of Figures 5 and 6", ours, peer, "loop over statsmodels", 10)


def main():
    tight_hoeffding()
    clopper_pearson()
    digits()
    betting()
    curves()


if __name__ == "__main__":
    main()
