"""Time the fast ways of errlab.metrics and errlab.holdout against the direct ones.

Run it as ``python benchmarks/bench_metrics.py``. Each line gives the median of several runs of
both sides and their ratio; the answers must agree first.
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import statistics
import time

import numpy as np
import sklearn.metrics
from scipy import stats

import errlab
from errlab import holdout, metrics


def median_time(function, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def report(what, direct, fast, repeats=5):
    slow = median_time(direct, max(repeats // 2, 3))
    quick = median_time(fast, repeats)
    print(f"{what:<58} direct {slow * 1e3:9.2f} ms   errlab {quick * 1e3:8.2f} ms"
          f"   ratio {slow / quick:7.1f}")  # fmt: skip


def direct_delong(y, scores):
    """All m n comparisons, as an array."""
    x = scores[y == 1]
    z = scores[y == 0]
    kernel = (x[:, None] > z) + 0.5 * (x[:, None] == z)
    v = kernel.mean(axis=1)
    w = kernel.mean(axis=0)
    return kernel.mean(), v.var(ddof=1) / len(x) + w.var(ddof=1) / len(z)


def bench_delong():
    for n in (200, 2000, 10_000):
        rng = np.random.default_rng(0)
        y = np.repeat([0, 1], n // 2)
        scores = np.round(rng.normal(size=n) + y, 2)  # with ties
        assert np.allclose(direct_delong(y, scores), metrics.delong(y, scores), rtol=1e-10)
        report(
            f"DeLong, {n} cases, all comparisons",
            lambda y=y, s=scores: direct_delong(y, s),
            lambda y=y, s=scores: metrics.delong(y, s),
        )


def compared_delong(y, scores, block=250):
    """All m n comparisons of each classifier, some positive cases at a time."""
    above = []
    below = []
    for row in scores:
        x = row[y == 1]
        z = row[y == 0]
        v = np.empty(len(x))
        w = np.zeros(len(z))
        for start in range(0, len(x), block):
            part = x[start : start + block, None]
            kernel = (part > z).view(np.int8) + (part >= z).view(np.int8)  # 2, and 1 for a tie
            v[start : start + block] = kernel.mean(axis=1) / 2
            w += kernel.sum(axis=0) / 2
        above.append(v)
        below.append(1 - w / len(x))
    covariance = np.cov(above) / len(above[0]) + np.cov(below) / len(below[0])
    return np.mean(above, axis=1), covariance


def bench_all_comparisons():
    rng = np.random.default_rng(0)
    n = 100_000
    y = np.repeat([0, 1], n // 2)
    scores = np.round(rng.normal(size=(2, n)) + y, 3)
    for theirs, ours in zip(compared_delong(y, scores), metrics.delong(y, scores), strict=True):
        assert np.allclose(theirs, ours, rtol=1e-9)
    report(
        "DeLong of two, 1e5 cases, all comparisons in blocks",
        lambda: compared_delong(y, scores),
        lambda: metrics.delong(y, scores),
        repeats=3,
    )


def ranked_delong(y, scores):
    """Sun and Xu's midranks: three rankings for each classifier."""
    shares = []
    for row in scores:
        overall = stats.rankdata(row)
        own = [stats.rankdata(row[y == c]) for c in (1, 0)]
        m = len(own[0])
        n = len(own[1])
        shares.append([(overall[y == 1] - own[0]) / n, 1 - (overall[y == 0] - own[1]) / m])
    above, below = (np.stack(part) for part in zip(*shares, strict=True))
    return above.mean(axis=1), np.cov(above) / m + np.cov(below) / n


def bench_two_areas():
    rng = np.random.default_rng(0)
    n = 1_000_000
    y = np.repeat([0, 1], n // 2)
    scores = np.round(rng.normal(size=(2, n)) + y, 3)
    for theirs, ours in zip(ranked_delong(y, scores), metrics.delong(y, scores), strict=True):
        assert np.allclose(theirs, ours, rtol=1e-9)
    report(
        "DeLong of two classifiers, 1e6 cases, three rankings each",
        lambda: ranked_delong(y, scores),
        lambda: metrics.delong(y, scores),
    )


def looped_climb(losses):
    """One submission after the other, one case after the other."""
    k, n = losses.shape
    wrong = [0] * n
    for row in losses.tolist():
        turn = sum(row) > n / 2
        for i, loss in enumerate(row):
            wrong[i] += 1 - loss if turn else loss
    return 0.5 - sum(1.0 if 2 * w > k else 0.5 if 2 * w == k else 0.0 for w in wrong) / n


def bench_climb():
    for n, k in ((500, 100), (2000, 1000)):

        def loop(n=n, k=k):
            rng = np.random.default_rng(1)
            return looped_climb(rng.integers(0, 2, (k, n), dtype=np.int8))

        def fast(n=n, k=k):
            return holdout.climb(n, [k], rng=np.random.default_rng(1)).gap[0]

        assert abs(loop() - fast()) < 1e-12
        report(f"Climb, {k} submissions on {n} cases, loop", loop, fast)


def bench_bootstrap():
    rng = np.random.default_rng(2)
    n = 1000
    repetitions = 500
    y = np.repeat([0, 1], [600, 400])
    scores = rng.normal(size=n) + y

    def loop():
        again = np.random.default_rng(3)
        areas = []
        for _ in range(repetitions):
            cases = np.concatenate([again.integers(0, 600, 600), again.integers(600, n, 400)])
            areas.append(metrics.area(y, scores[cases]))
        return np.quantile(areas, [0.025, 0.975])

    def fast():
        return metrics.bootstrap_area(y, scores, resamples=repetitions, rng=4)

    assert np.allclose(loop(), fast(), atol=0.01)  # two sets of bootstrap samples
    report(f"Bootstrap of the area, {repetitions} samples of {n}, loop", loop, fast)


def bench_metric():
    """The same draws: a metric of scikit-learn called each time, and its form under weights."""
    rng, n = np.random.default_rng(6), 1000
    y = rng.integers(0, 2, n)
    said = np.where(rng.random(n) < 0.1, 1 - y, y)
    score = np.round(y + rng.normal(size=n), 2)
    for name, column in (("matthews_corrcoef", said), ("average_precision_score", score)):
        function = getattr(sklearn.metrics, name)

        def called(column=column, function=function):
            return errlab.metric(
                y, column, metric=lambda t, s: function(t, s), resamples=500, rng=0
            )

        def weighed(column=column, function=function):
            return errlab.metric(y, column, metric=function, resamples=500, rng=0)

        for end in ("low", "high"):
            assert np.isclose(getattr(called(), end), getattr(weighed(), end), rtol=1e-12)
        report(f"BCa of {name}, 500 samples of {n}", called, weighed)


def bench_selection():
    risks = np.linspace(0.2, 0.4, 100)

    def simulated():
        return holdout.simulated_selection_bias(risks, 500, repeats=300, rng=5)

    def exact():
        return holdout.selection_bias(risks, 500)

    drawn = simulated()
    assert abs(drawn.optimism - exact().optimism) < 5 * drawn.standard_error
    report("Selection bias, 100 models, 500 cases, 300 simulations", simulated, exact)


def main():
    bench_delong()
    bench_all_comparisons()
    bench_two_areas()
    bench_climb()
    bench_bootstrap()
    bench_metric()
    bench_selection()


if __name__ == "__main__":
    main()
