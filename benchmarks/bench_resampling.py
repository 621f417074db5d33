"""Resampling, side by side with scikit-learn, scipy and (where it is installed) mlxtend.

Run: ``python benchmarks/bench_resampling.py [PART ...]``, all parts by default; ``workers`` is the
one of two workers against one. Both sides run in one process with one thread, on the same data,
and their answers are compared first. For mlxtend 0.25 run it with a Python that has it as well.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import resource
import statistics
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import psutil
from scipy import stats
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

sys.path.insert(0, str(Path(__file__).parent.parent))
from errlab import bootstrap, crossval, metrics
from studies import larsen_hansen


def median_seconds(call, repeats, warmup=True):
    if warmup:
        call()
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def line(what, ours, theirs, target):
    verdict = "ok" if theirs / ours >= target else "BELOW"
    print(
        f"{what}: {1e3 * ours:.3f} ms against {1e3 * theirs:.1f} ms, "
        f"{theirs / ours:,.3g} times faster (at least {target:,}: {verdict})"
    )


def problem(n, p, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, np.where(X[:, 0] + rng.normal(size=n) > 0, 1, -1)


def leave_one_out():
    X, y = problem(500, 20)
    model = RidgeClassifier(alpha=1.0, fit_intercept=False)

    def theirs():
        return 1 - cross_val_score(model, X, y, cv=LeaveOneOut())

    def ours():
        return crossval.loo_losses_linear(X, y, ridge=1.0)

    assert np.array_equal(ours(), theirs())
    slow = median_seconds(theirs, 3, warmup=False)
    fast = median_seconds(ours, 201)
    line("leave-one-out, n = 500, p = 20, against cross_val_score(LeaveOneOut)", fast, slow, 1000)


def percentile():
    losses = (np.random.default_rng(1).random(10_000) < 0.13) * 1.0

    def theirs():
        drawn = stats.bootstrap((losses,), np.mean, method="percentile", rng=0, batch=500)
        return drawn.confidence_interval

    def ours():
        return bootstrap.percentile_interval(losses)

    # 9999 resamples leave an error of about 3 steps of 1/n in each end
    assert np.allclose(ours(), theirs(), atol=1e-3)
    slow = median_seconds(theirs, 3, warmup=False)
    fast = median_seconds(ours, 201)
    line(
        "percentile interval, 0/1 losses, n = 10,000, against scipy.stats.bootstrap",
        fast,
        slow,
        1000,
    )


def a_million(draws=20):
    """Graded losses and areas of a million cases; resampling is measured on a few draws."""
    rng = np.random.default_rng(4)
    losses = rng.beta(0.5, 3, 1_000_000)
    y = np.arange(1_000_000) % 2
    scores = y + rng.normal(size=len(y))
    order = np.argsort(scores)

    def resampled_means():
        return [losses[rng.integers(len(losses), size=len(losses))].mean() for _ in range(draws)]

    def resampled_areas():
        found = []
        positive = y[order] == 1
        for _ in range(draws):
            weights = np.empty(len(y))
            for group in (positive, ~positive):
                share = np.full(group.sum(), 1 / group.sum())
                weights[group] = rng.multinomial(group.sum(), share)
            below = np.cumsum(np.where(positive, 0, weights))
            found.append((weights * below)[positive].sum() / positive.sum() ** 2)
        return found

    for what, theirs, ours, resamples in (
        ("mean", resampled_means, lambda: bootstrap.percentile_interval(losses), 9999),
        ("area", resampled_areas, lambda: metrics.bootstrap_area(y, scores), 2000),
    ):
        low, high = ours()
        spread = np.std(theirs(), ddof=1)
        assert abs((high - low) / 3.92 / spread - 1) < 0.6  # 20 draws
        slow = median_seconds(theirs, 1, warmup=False) * resamples / draws
        line(
            f"bootstrap of the {what}, 1e6 cases, {resamples} draws",
            median_seconds(ours, 3),
            slow,
            50,
        )


def all_cpu():
    """CPU seconds of this process and its workers so far."""
    me = psutil.Process()
    times = [process.cpu_times() for process in (me, *me.children(recursive=True))]
    return sum(spent.user + spent.system for spent in times)


def workers():
    """The same answers from two workers; the pool is warm, as it is in a session.

    Wall times need two idle cores. CPU seconds do not: what two workers spend beyond one is what
    is lost to moving data about.
    """
    X, y = problem(200, 20)
    logistic = LogisticRegression()
    forest = RandomForestClassifier(10, random_state=0)
    nested = crossval.nested_cv_interval
    for what, call, model, options in (
        ("nested_cv_interval, 2,750 logistic regressions", nested, logistic, {}),
        ("nested_cv_interval, 550 forests", nested, forest, {"repeats": 10}),
        (".632+, 500 forests", bootstrap.loo_bootstrap, forest, {"resamples": 500}),
    ):

        def run(n_jobs, call=call, model=model, options=options):
            started = time.perf_counter()
            spent = all_cpu()
            found = call(model, X, y, rng=0, n_jobs=n_jobs, **options)
            return found, time.perf_counter() - started, all_cpu() - spent

        run(2)  # the workers start and import
        rounds = [(run(1), run(2)) for _ in range(3)]
        for one, two in rounds:
            assert getattr(one[0], "error", one[0]) == getattr(two[0], "error", two[0])
        slow, fast = (statistics.median(pair[i][1] for pair in rounds) for i in (0, 1))
        line(f"{what}, two workers against one", fast, slow, 1.8)
        alone, shared = (statistics.median(pair[i][2] for pair in rounds) for i in (0, 1))
        verdict = "ok" if shared / alone <= 1.1 else "ABOVE"
        print(f"  CPU {shared / alone:.2f} times that of one (at most 1.1: {verdict})")


def looped(model, X, y, resamples, seed):
    """.632 and .632+ by a loop of scikit-learn fits over the same draws."""
    n = len(y)
    rng = np.random.default_rng(seed)
    wrong = np.zeros(n)
    out = np.zeros(n)
    for rows in rng.integers(n, size=(resamples, n)):
        left = np.ones(n, dtype=bool)
        left[rows] = False
        fitted = clone(model).fit(X[rows], y[rows])
        wrong[left] += fitted.predict(X[left]) != y[left]
        out += left
    fitted = clone(model).fit(X, y).predict(X)
    err = np.mean(fitted != y)
    err1 = np.mean(wrong / out)
    gamma = bootstrap.no_information_rate(y, fitted)
    return bootstrap.combine632(err, err1), bootstrap.combine632(err, err1, no_information=gamma)


def point632():
    for n, p in ((100, 10), (500, 20)):
        X, y = problem(n, p)
        model = RidgeClassifier()

        def theirs(X=X, y=y, model=model):
            return looped(model, X, y, 200, 7)

        def ours(X=X, y=y, model=model):
            found = bootstrap.loo_bootstrap(model, X, y, resamples=200, rng=7)
            return found.point632, found.point632plus

        assert np.allclose(ours(), theirs(), atol=1e-12)
        slow = median_seconds(theirs, 3, warmup=False)
        fast = median_seconds(ours, 31)
        line(
            f".632 and .632+, 200 resamples, n = {n}, p = {p}, against a loop of fits",
            fast,
            slow,
            30,
        )


def full_study():
    started = time.perf_counter()
    larsen_hansen.table_one(np.random.default_rng(0), 30_000, 500, 500)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2  # KiB under Linux
    print(
        f"Larsen and Hansen in full (30,000 sets, 500 x 500 leave-out fits): {seconds:.1f} s, "
        f"peak of this process {peak:.2f} GiB (below 60 s and 2 GiB: "
        f"{'ok' if seconds < 60 and peak < 2 else 'BELOW'})"
    )


def describe(name, values):
    values = np.array(values)
    good = values[np.isfinite(values)]
    print(
        f"  {name}: mean {good.mean():.3f}, sd {good.std():.3f}, from {good.min():.3f} to "
        f"{good.max():.3f}, nan {np.isnan(values).sum()} of {len(values)}"
    )


def pure_noise(repeats=50, resamples=50):
    print(f".632+ on pure noise, truth .5, n = 40, {repeats} data sets:")
    try:
        from mlxtend.evaluate import bootstrap_point632_score
    except ImportError:
        bootstrap_point632_score = None
        print("  mlxtend is not installed here: its side is skipped")
    for model in (KNeighborsClassifier(1), LinearDiscriminantAnalysis()):
        rng = np.random.default_rng(3)
        ours = []
        theirs = []
        for seed in range(repeats):
            X = rng.normal(size=(40, 5))
            y = rng.permutation(np.arange(40) % 2)
            ours.append(bootstrap.point632plus(model, X, y, resamples=resamples, rng=seed))
            if bootstrap_point632_score is not None:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    scores = bootstrap_point632_score(
                        model, X, y, n_splits=resamples, method=".632+", random_seed=seed
                    )
                theirs.append(1 - np.mean(scores))
        describe(f"{type(model).__name__}, errlab", ours)
        if theirs:
            describe(f"{type(model).__name__}, mlxtend", theirs)


PARTS = (leave_one_out, percentile, a_million, workers, point632, full_study, pure_noise)


if __name__ == "__main__":
    for part in PARTS:
        if part.__name__ in sys.argv[1:] or not sys.argv[1:]:
            part()
