"""Compute Figure 1 and Table 1 of Larsen and Hansen at full size, and their two-model comparison.

Q = 30,000 training sets of N = 20 examples and p = 10 weights give the true distribution of the
generalization error; 500 of them are resampled 500 times each, leaving out a quarter. Inputs are
AR(1) in time. Everything is computed in batches of linear algebra::

    python -m studies.larsen_hansen

writes ``book/errlab_book/studies/larsen_hansen.json``.
"""

from __future__ import annotations

import json
import resource
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from errlab import generalization
from errlab._numerics import least_squares
from errlab.generalization._distribution import leave_out_splits
from errlab_book.optimal_split import split_mse
from studies._run import RESULTS, versions

N = 20
P = 10
AR = 0.6518
VARIANCE = 32.45
FRACTION = 0.25
SEED = 1997
LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)  # columns of Table 1
MEASURES = ("avr", "tavr", "med", "std", "mad", "iqr")

Array = np.ndarray[Any, np.dtype[Any]]


class System(NamedTuple):
    """The data generating system: covariance H of the inputs and the true weights."""

    H: Array
    weights: Array


def system(rng: np.random.Generator, p: int = P) -> System:
    """Draw a random positive definite H, and the weights."""
    root = rng.normal(size=(p, p))
    return System(root @ root.T / p, rng.normal(size=p))


def data(rng: np.random.Generator, truth: System, sets: int, ar: float = AR) -> tuple[Array, Array]:
    """Draw training sets: inputs (sets, N, p) with AR(1) columns of covariance H, and outputs."""
    p = len(truth.weights)
    shocks = rng.normal(size=(sets, N, p)) @ np.linalg.cholesky(truth.H).T
    X = np.empty_like(shocks)
    X[:, 0] = shocks[:, 0]
    for k in range(1, N):
        X[:, k] = ar * X[:, k - 1] + np.sqrt(1 - ar**2) * shocks[:, k]
    return X, X @ truth.weights + rng.normal(scale=np.sqrt(VARIANCE), size=(sets, N))


def fit(X: Array, y: Array) -> tuple[Array, Array]:
    """Return least-squares weights of each set, (sets, p), and training mean squared errors."""
    weights = np.linalg.solve(X.mT @ X, X.mT @ y[:, :, None])[:, :, 0]
    residual = y - (X @ weights[:, :, None])[:, :, 0]
    return weights, (residual**2).mean(axis=1)


def error(truth: System, weights: Array) -> Array:
    """Return the true generalization error; a smaller model has zeros for the missing weights."""
    full = np.zeros((len(weights), len(truth.weights)))
    full[:, : weights.shape[1]] = weights
    off = full - truth.weights
    return np.asarray(VARIANCE + ((off @ truth.H) * off).sum(axis=1))


def blocks(total: int, size: int = 2000) -> Iterator[int]:
    """Return the sizes of the blocks in which sets are drawn, so that memory stays small."""
    for start in range(0, total, size):
        yield min(size, total - start)


def leave_out(
    rng: np.random.Generator, X: Array, y: Array, resamples: int, sizes: tuple[int, ...] = (P,)
) -> Array:
    """Return leave-out errors, shape (models, sets, resamples); all models share the splits."""
    table = np.empty((len(sizes), len(X), resamples))
    for q, (inputs, outputs) in enumerate(zip(X, y, strict=True)):
        out = leave_out_splits(N, FRACTION, resamples, rng=rng)
        for m, p in enumerate(sizes):
            Z = inputs[:, :p]
            beta = least_squares.coefficients(Z, outputs[:, None], (~out) * 1.0)[:, :, 0]
            table[m, q] = (((outputs - beta @ Z.T) ** 2) * out).sum(axis=1) / out.sum(axis=1)
    return table


def measures(errors: Array) -> dict[str, Any]:
    """Return location and dispersion of log(1 + G) along the last axis."""
    transformed = np.log1p(errors)
    parts = (*generalization.location(transformed), *generalization.dispersion(transformed))
    return dict(zip(MEASURES, parts, strict=True))


def deviations(estimates: Array, truth: float) -> list[float]:
    """Return minimum, quartiles and maximum of the deviations from the truth, in per cent."""
    return [float(v) for v in np.quantile(100 * (estimates / truth - 1), LEVELS)]


def table_one(
    rng: np.random.Generator, sets: int, resampled: int, resamples: int
) -> dict[str, Any]:
    """Return Table 1 and the curves of Figure 1."""
    truth = system(rng)
    errors = []
    training = []
    samples = []
    for size in blocks(sets):
        X, y = data(rng, truth, size)
        weights, mse = fit(X, y)
        errors.append(error(truth, weights))
        training.append(mse)
        wanted = resampled - sum(len(a) for a, _ in samples)
        if wanted:
            samples.append((X[:wanted], y[:wanted]))
    G = np.concatenate(errors)
    S = np.concatenate(training)
    X, y = (np.concatenate(parts) for parts in zip(*samples, strict=True))
    estimated = leave_out(rng, X, y, resamples)[0]
    true = measures(G)
    estimates = measures(estimated)
    log_fpe = np.asarray(generalization.log_fpe(S, N, P))
    misprint = np.log1p(S / (N - P)) + S / (N - P) / (1 + S / (N - P)) * P / N
    rows = {"FPE": deviations(log_fpe, true["avr"])}
    rows |= {key: deviations(np.asarray(estimates[key]), true[key]) for key in MEASURES}
    return {
        "deviations_percent": rows,
        "levels": list(LEVELS),
        "misprinted_fpe_median": deviations(misprint, true["avr"])[2],
        "true": {key: float(value) for key, value in true.items()},
        "share_avr_below_printed_min": float(np.mean(estimates["avr"] / true["avr"] < 0.76)),
        "share_avr_above_printed_max": float(np.mean(estimates["avr"] / true["avr"] > 1.0672)),
        "figure": figure_one(G, estimated),
    }


def figure_one(G: Array, estimated: Array) -> dict[str, Any]:
    """Return distribution functions on a grid of log(1 + G), and the density of G."""
    grid = np.linspace(2.0, 7.0, 126)
    ordered = np.sort(np.log1p(estimated), axis=1)
    shares = np.array([np.searchsorted(row, grid, "right") for row in ordered]) / ordered.shape[1]
    true = np.searchsorted(np.sort(np.log1p(G)), grid, "right") / len(G)
    edges = np.linspace(VARIANCE, 250, 101)
    density = np.histogram(G, edges)[0] / len(G) / np.diff(edges)
    low, middle, high = np.quantile(shares, [0.25, 0.5, 0.75], axis=0)
    curves = {"true": true, "low": low, "median": middle, "high": high}
    return {
        "grid": [round(float(v), 4) for v in grid],
        **{name: [round(float(v), 6) for v in curve] for name, curve in curves.items()},
        "density_edges": [round(float(v), 4) for v in edges],
        "density": [round(float(v), 8) for v in density],
        "mean": float(G.mean()),
        "median_error": float(np.median(G)),
        "largest": float(G.max()),
        "lower_bound": VARIANCE,
    }


def two_models(
    rng: np.random.Generator, scales: tuple[float, ...], systems: int, sets: int, resamples: int
) -> list[dict[str, float]]:
    """Compare ten weights with nine. The paper doesn't define the system, which decides the answer.

    With weights of scale 1 the tenth isn't worth its cost at this noise; larger ones are.
    """
    rows = []
    for scale in np.repeat(scales, systems):
        H, weights = system(rng)
        truth = System(H, scale * weights)
        X, y = data(rng, truth, 2000)
        full, reduced = (error(truth, fit(X[:, :, :p], y)[0]) for p in (P, P - 1))
        one, two = leave_out(rng, X[:sets], y[:sets], resamples, (P, P - 1))
        plain = [generalization.leave_out_t_test(a, b) for a, b in zip(one, two, strict=True)]
        corrected = [
            generalization.leave_out_t_test(a, b, n_train=15, n_test=5)
            for a, b in zip(one, two, strict=True)
        ]
        chance = [generalization.probability_greater(b, a) for a, b in zip(one, two, strict=True)]
        rows.append(
            {
                "scale": float(scale),
                "true_difference": float((reduced - full).mean()),
                "true_probability": float((reduced > full).mean()),
                "median_probability": float(np.median(chance)),
                "rejected": float(np.mean([t.rejects() for t in plain])),
                "rejected_corrected": float(np.mean([t.rejects() for t in corrected])),
                "standard_error": float(np.median([t.standard_error for t in plain])),
                "spread_of_difference": float((two - one).mean(axis=1).std(ddof=1)),
            }
        )
    return rows


def optimal_split(rng: np.random.Generator, repeats: int) -> list[dict[str, float]]:
    """Return the mean squared error of the holdout estimate beside its formula, N = 100, p = 5."""
    n = 100
    p = 5
    rows = []
    for train in (10, 15, 20, 25, 30, 40, 60, 80):
        X = rng.normal(size=(repeats, n, p))
        noise = rng.normal(size=(repeats, n))
        weights = np.linalg.solve(
            X[:, :train].mT @ X[:, :train], X[:, :train].mT @ noise[:, :train, None]
        )[:, :, 0]
        residual = noise[:, train:] - (X[:, train:] @ weights[:, :, None])[:, :, 0]
        gap = (residual**2).mean(axis=1) - 1 - (weights**2).sum(axis=1)
        rows.append(
            {
                "n_train": train,
                "simulated": float((gap**2).mean()),
                "simulated_se": float((gap**2).std() / np.sqrt(repeats)),
                "formula": float(split_mse(n, p, train)),
            }
        )
    return rows


def main(sets: int = 30_000, resampled: int = 500, resamples: int = 500) -> dict[str, Any]:
    """Run everything and store it."""
    streams = [np.random.default_rng(s) for s in np.random.SeedSequence(SEED).spawn(3)]
    started = time.perf_counter()
    table = table_one(streams[0], sets, resampled, resamples)
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024  # KiB under Linux
    result = {
        "study": "larsen_hansen",
        "seed": SEED,
        "versions": versions(),
        "sizes": {"sets": sets, "resampled": resampled, "resamples": resamples},
        "seconds": round(seconds, 1),
        "peak_mebibytes": peak,
        "table": table,
        "two_models": two_models(streams[1], (1, 10, 30), 7, 100, 200),
        "optimal_split": optimal_split(streams[2], 20_000),
    }
    text = json.dumps(result, indent=1, allow_nan=False)
    (RESULTS / "larsen_hansen.json").write_text(text + "\n", encoding="utf-8")
    return result


if __name__ == "__main__":
    summary = main()
    for name, row in summary["table"]["deviations_percent"].items():
        print(f"{name:5}", *(f"{value:7.1f}" for value in row))
    print(f"{summary['seconds']} s, {summary['peak_mebibytes']} MiB at most")
