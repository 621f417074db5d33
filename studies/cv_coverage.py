"""How often each interval for the cross-validated error contains the true one.

In these problems the true errors are known in closed form: least-squares classifiers between two
normal classes (few features, many features, a rare class), and one nearest neighbour on pure noise,
where every model has an error of one half. There are ten folds. Each interval is compared with
three true errors: the average of the ten models, that of the model trained on all examples, and the
expected error of such a model::

    python -m studies.cv_coverage            # all cores; goes on where it was stopped
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import special

from errlab import bootstrap, bounds, crossval
from errlab._numerics import least_squares
from errlab.crossval._nested_intervals import nested_interval
from errlab.results import Interval
from studies._run import run

Array = np.ndarray[Any, np.dtype[Any]]

K = 10
DIVISIONS = 10
DELTA = 0.05
SEED = 2020
REPEATS = 4000
# features, half the distance between the class means, fraction of the second class
PROBLEMS = {
    "few features": (5, 1.2816, 0.5),
    "many features": (20, 0.8416, 0.5),
    "rare class": (5, 1.2816, 0.1),
    "noise, 1-NN": (5, 0.0, 0.5),
}
SIZES = (50, 100, 500)
TARGETS = ("folds", "refit", "expected")
METHODS = {
    "normal": "normal, all losses",
    "clt": "central limit theorem, within folds",
    "fold_t": "Student's t of the fold means",
    "wilson": "Wilson, as if independent",
    "cp": "Clopper-Pearson, as if independent",
    "percentile": "percentile bootstrap of the losses",
    "loo_cp": "Clopper-Pearson, leave-one-out",
    "corrected_t": "corrected resampled t, 10 times 10 folds",
    "nested": "nested cross-validation",
    "kfold_cp": "k-fold bound, Clopper-Pearson (upper)",
    "kfold_cp_split": "k-fold bound, Clopper-Pearson at delta/k (upper)",
    "kfold_hoe": "k-fold bound, Hoeffding (upper)",
}


def draw(rng: np.random.Generator, problem: str, n: int) -> tuple[Array, Array]:
    """Draw n examples with an intercept column, and labels in {-1, +1}, both of which occur."""
    p, shift, share = PROBLEMS[problem]
    y = np.ones(n)
    while abs(y.sum()) == n:
        y = np.where(rng.random(n) < share, 1.0, -1.0)
    X = rng.normal(size=(n, p))
    X[:, 0] += shift * y
    return np.column_stack([np.ones(n), X]), y


def true_errors(problem: str, beta: Array) -> Array:
    """Return the true errors of linear rules, intercept first, in closed form."""
    _, shift, share = PROBLEMS[problem]
    length = np.linalg.norm(beta[:, 1:], axis=1)
    flat = length < 1e-9  # the training set had one class
    scale = np.where(flat, 1, length)
    up = special.ndtr(-(beta[:, 0] + shift * beta[:, 1]) / scale)
    down = special.ndtr((beta[:, 0] - shift * beta[:, 1]) / scale)
    error = share * up + (1 - share) * down
    return np.asarray(np.where(flat, np.where(beta[:, 0] > 0, 1 - share, share), error))


def linear(problem: str, Z: Array, y: Array, divisions: Array) -> tuple[Array, Array, Array, float]:
    """Return losses and true errors for each division into folds, leave-one-out, and the model."""
    n = len(y)
    pairs = [(j, k) for j in range(K) for k in range(j, K)]
    out = np.array([[(fold == j) | (fold == k) for j, k in pairs] for fold in divisions])
    weights = np.vstack([np.ones(n), ~out.reshape(-1, n)])
    beta = least_squares.coefficients(Z, y[:, None], weights)[:, :, 0]
    wrong = ((beta[1:] @ Z.T > 0) != (y > 0)).reshape(len(divisions), len(pairs), n)
    errors = true_errors(problem, beta)
    which = np.zeros((K, K), dtype=int)
    for number, (j, k) in enumerate(pairs):
        which[j, k] = which[k, j] = number
    rows = np.arange(n)[:, None]
    tables = [w[which[fold], rows] for w, fold in zip(wrong, divisions, strict=True)]
    fold_errors = errors[1:].reshape(len(divisions), -1)[:, np.diagonal(which)].mean(axis=1)
    return np.array(tables) * 1.0, fold_errors, crossval.loo_losses_linear(Z, y), float(errors[0])


def neighbour(Z: Array, y: Array, divisions: Array) -> tuple[Array, Array, Array, float]:
    """Return the same for one nearest neighbour on noise, whose true error is one half."""
    squares = (Z**2).sum(axis=1)
    distance = squares[:, None] + squares - 2 * Z @ Z.T
    np.fill_diagonal(distance, np.inf)
    loo = (y[distance.argmin(axis=1)] != y) * 1.0
    rows = np.arange(len(y))
    tables = []
    for fold in divisions:
        members = [np.flatnonzero(fold == j) for j in range(K)]
        near = np.array([m[distance[:, m].argmin(axis=1)] for m in members]).T  # (n, K)
        gaps = distance[rows[:, None], near]
        gaps[rows, fold] = np.inf
        losses = []
        for k in range(K):
            best = np.where(np.arange(K) == k, np.inf, gaps).argmin(axis=1)
            losses.append(y[near[rows, best]] != y)
        tables.append(np.array(losses).T)
    return np.array(tables) * 1.0, np.full(len(divisions), 0.5), loo, 0.5


def task(rng: np.random.Generator, problem: str, n: int) -> dict[str, float]:
    """Return the ends of every interval, and the true errors, for one data set."""
    Z, y = draw(rng, problem, n)
    divisions = np.array([rng.permutation(np.arange(n) % K) for _ in range(DIVISIONS)])
    made = (
        neighbour(Z[:, 1:], y, divisions) if "1-NN" in problem else linear(problem, Z, y, divisions)
    )
    tables, fold_errors, loo, refit = made
    result = {"folds": float(fold_errors[0]), "refit": refit}
    for name, (low, high) in intervals(tables, divisions, loo).items():
        result |= {f"{name}_low": round(low, 6), f"{name}_high": round(high, 6)}
    return result


def intervals(tables: Array, divisions: Array, loo: Array) -> dict[str, Interval]:
    """Return every interval of METHODS; all but three use the first division only."""
    fold = divisions[0]
    n = len(loo)
    losses = np.take_along_axis(tables, divisions[:, :, None], axis=2)[:, :, 0]
    first = losses[0]
    size = -(-n // K)
    fold_means = [
        np.bincount(f, row) / np.bincount(f) for row, f in zip(losses, divisions, strict=True)
    ]
    upper = {
        "kfold_cp": crossval.kfold_bound(first, fold, "CP", delta=DELTA),
        "kfold_cp_split": crossval.kfold_bound(first, fold, "CP", delta=DELTA, split=True),
        "kfold_hoe": crossval.kfold_bound(first, fold, "HOE", delta=DELTA),
    }
    return {
        "normal": crossval.clt_interval(first, fold, delta=DELTA, variance="all"),
        "clt": crossval.clt_interval(first, fold, delta=DELTA),
        "fold_t": crossval.fold_t_interval(first, fold, delta=DELTA),
        "wilson": bounds.interval("WIL", losses=first, delta=DELTA),
        "cp": bounds.interval("CP", losses=first, delta=DELTA),
        "percentile": bootstrap.percentile_interval(first, delta=DELTA),
        "loo_cp": bounds.interval("CP", losses=loo, delta=DELTA),
        "corrected_t": crossval.corrected_resampled_t_interval(
            np.concatenate(fold_means), n_train=n - size, n_test=size, delta=DELTA
        ),
        "nested": nested_interval(tables, divisions, delta=DELTA),
        **{name: Interval(0.0, value) for name, value in upper.items()},
    }


def summarize(results: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return the coverage of the three true errors, with Monte Carlo error, and the mean width."""
    columns = {key: np.array([r[key] for r in results]) for key in results[0]}
    expected = columns["refit"].mean()
    table = {"folds": float(columns["folds"].mean()), "refit": float(expected)}
    table["refit_sd"] = float(columns["refit"].std())
    for name in METHODS:
        low = columns[f"{name}_low"]
        high = columns[f"{name}_high"]
        for target in TARGETS:
            truth = expected if target == "expected" else columns[target]
            # stored ends have 6 digits
            coverage = ((low <= truth + 1e-6) & (truth - 1e-6 <= high)).mean()
            table[f"{name}_{target}"] = float(coverage)
            table[f"{name}_{target}_se"] = float(np.sqrt(coverage * (1 - coverage) / len(results)))
        table[f"{name}_width"] = float((high - low).mean())
    return table


def main(repeats: int = REPEATS, **options: Any) -> dict[str, Any]:
    """Run all settings; the options are those of `studies._run.run`."""
    settings = [{"problem": problem, "n": n} for problem in PROBLEMS for n in SIZES]
    return run(
        "cv_coverage", task, settings, repeats=repeats, seed=SEED, summarize=summarize, **options
    )


if __name__ == "__main__":
    results = main(*(int(word) for word in sys.argv[1:2]), workers=int((sys.argv[2:3] or [-1])[0]))
    for row in results["settings"]:
        print(row["setting"], row["repeats"])
        for name in METHODS:
            cells = [f"{row['summary'][f'{name}_{target}']:.3f}" for target in TARGETS]
            print(f"  {name:15}", *cells, f"{row['summary'][f'{name}_width']:.3f}")
