"""Time resampling against scikit-learn and SciPy on the same data, if possible the same draws."""

from functools import partial
from importlib.util import find_spec

import numpy as np
import sklearn.metrics
from scipy import stats
from sklearn.base import clone
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import LeaveOneOut, cross_val_score

import errlab
from errlab import bootstrap, crossval
from errlab.bootstrap._point632 import no_information_rate
from studies.benchmarks.side_by_side import row


def problem(n, p):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, p))
    return X, np.where(X[:, 0] + rng.normal(size=n) > 0, 1, -1)


def leave_one_out():
    X, y = problem(500, 20)
    model = RidgeClassifier(alpha=1.0, fit_intercept=False)
    row(
        "leave-one-out, n = 500, p = 20",
        lambda: crossval.loo_losses_linear(X, y, ridge=1.0),
        lambda: 1 - cross_val_score(model, X, y, cv=LeaveOneOut()),
        "cross_val_score(LeaveOneOut)",
        1000,
        atol=0.5,
    )


def percentile():
    losses = (np.random.default_rng(1).random(10_000) < 0.13) * 1.0

    def peer():
        drawn = stats.bootstrap((losses,), np.mean, method="percentile", rng=0, batch=500)
        return drawn.confidence_interval

    ours = lambda: bootstrap.percentile_interval(losses)  # noqa: E731
    # 9999 resamples leave an error of about 3 steps of 1/n at each end
    row("percentile interval, n = 10,000", ours, peer, "scipy.stats.bootstrap", 1000, atol=1e-3)


def looped(X, y, resamples):
    """.632 and .632+ by a loop of scikit-learn fits over the same draws."""
    n, model = len(y), RidgeClassifier()
    rng = np.random.default_rng(7)
    wrong, out = np.zeros(n), np.zeros(n)
    for rows in rng.integers(n, size=(resamples, n)):
        left = np.ones(n, dtype=bool)
        left[rows] = False
        wrong[left] += clone(model).fit(X[rows], y[rows]).predict(X[left]) != y[left]
        out += left
    fitted = clone(model).fit(X, y).predict(X)
    err, err1 = np.mean(fitted != y), np.mean(wrong / out)
    gamma = no_information_rate(y, fitted)
    return bootstrap.combine632(err, err1), bootstrap.combine632(err, err1, no_information=gamma)


def point632(n, p):
    X, y = problem(n, p)

    def ours():
        estimates = bootstrap.loo_bootstrap(RidgeClassifier(), X, y, resamples=200, rng=7)
        return estimates.point632, estimates.point632plus

    what = f".632+, 200 resamples, n = {n}, p = {p}"
    row(what, ours, lambda: looped(X, y, 200), "loop of scikit-learn fits", 30, atol=1e-12)


def metric():
    """Metrics of all resamples at once, against scipy with a function of scikit-learn."""
    rng, n, k = np.random.default_rng(6), 1000, 5
    y = rng.integers(0, k, n)
    calls = np.where(rng.random(n) < 0.7, y, rng.integers(0, k, n))
    peer = sklearn.metrics
    score = y[:400] / k + rng.normal(size=400)
    one = (y[:400] == 0).astype(int)
    shares = np.exp(rng.normal(size=(400, k)) + 2 * np.eye(k)[y[:400]])
    shares /= shares.sum(axis=1, keepdims=True)
    areas = partial(peer.roc_auc_score, multi_class="ovr")
    for what, columns, function, name, wanted in (
        ("macro F1", (y, calls), partial(peer.f1_score, average="macro"), "f1_macro", 50),
        ("kappa", (y, calls), peer.cohen_kappa_score, "kappa", 50),
        ("average precision", (one, -score), peer.average_precision_score, "average_precision", 20),
        ("one-vs-rest areas", (y[:400], shares), areas, "roc_auc_ovr", 20),
    ):
        size = len(columns[0])

        def ours(columns=columns, name=name):
            interval = errlab.metric(*columns, metric=name, rng=0)
            return interval.low, interval.high

        def theirs(columns=columns, function=function):
            resampling = stats.bootstrap(
                (np.arange(len(columns[0])),),  # rows, as scores may be a table
                lambda rows: function(*(column[rows] for column in columns)),
                vectorized=False,
                n_resamples=200,
                method="percentile",
                rng=0,
            )
            return tuple(resampling.confidence_interval)

        label = f"BCa of {what}, 2,000 samples of {size}"
        # they differ by less than a fifth of the width, with a tenth of the draws
        row(label, ours, theirs, "scipy.stats.bootstrap", wanted, atol=0.03, rounds=1, scale=10)
        if name == "f1_macro" and find_spec("confidenceinterval"):
            package(label, ours, columns)


def package(label, ours, columns):
    """The same macro F1 by a package for intervals, where it is installed; of areas it has one."""
    from confidenceinterval import f1_score

    def theirs():
        options = {"n_resamples": 200, "random_state": 0}
        return f1_score(*columns, average="macro", method="bootstrap_bca", **options)[1]

    # its jackknife calls the metric once per example, whatever the number of resamples
    row(label, ours, theirs, "confidenceinterval", 50, atol=0.03, rounds=1)


if __name__ == "__main__":
    leave_one_out()
    percentile()
    point632(100, 10)
    point632(500, 20)
    metric()
