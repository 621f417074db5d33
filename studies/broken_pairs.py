"""Test a guess about Tables 2 to 5 of Laber and Murphy (2008): examples resampled, labels not.

In the paper K, M, L and BS1 fail on easy data sets, where they have no reason to. This study asks
whether one mistake would give those numbers: the bootstrap draws the examples with replacement but
leaves the labels where they were. Each example is then trained with another one's label, and the
classifiers only guess on the examples left out.

Both bootstraps see the same training sets and the same draws, so only the pairing differs:

    right    fit (X[drawn], y[drawn])
    broken   fit (X[drawn], y)

The .632 estimate is .368 times the training error (of the classifier itself, fitted to right pairs)
plus .632 times the draws' classifiers' error on examples left out, with right labels. K is computed
around it by Wald's and by Wilson's formula, M and L with n examples, and all three again with n*,
about .632 n (``K*``, ``M*``, ``L*``; for M the text takes n - n*). Each draw also has an estimate
of its own: its training error on its own sample, with the pairs as fitted, and its error on the
examples left out. BS1 takes quantiles of these estimates, and BS2 reflects them. Y is computed
around its own error of half splits, and around both .632 estimates. Widths are taken before an
interval is clipped to [0, 1].

The data sets are those of `small_samples`, whose stored results have the diameters of CUD, clipped
and not. Their training sets differ from those here. The paper doesn't say how it makes two classes
of Abalone, so one more row, ``abalone_sex``, takes male and female.

    python -m studies.broken_pairs --repeats 1000 --workers 1
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from errlab import bounds, checks, training_set
from errlab._numerics import least_squares
from errlab.bootstrap import combine632
from studies import _run, small_samples

SEED = 632
LEVEL = 0.95
KINDS = ("right", "broken")
SIZES = small_samples.SIZES


def coefficients(Z: Any, y: Any) -> Any:
    """Return the shortest least-squares coefficients: (B, n, p) and (B, n) to (B, p, 1)."""
    return np.linalg.pinv(Z) @ y[..., None]


def classes(Z: Any, beta: Any) -> Any:
    """Return labels in {-1, +1}, shape (B, n), for coefficients (B, p, 1); sign(0) = -1."""
    scores = Z @ beta
    return 2 * least_squares.class_of(scores, least_squares.score_size(Z, beta)) - 1


def draws(Z: Any, y: Any, drawn: Any, kind: str) -> tuple[Any, Any]:
    """Return losses of each draw's classifier on all examples, and its error on its own sample.

    `drawn` holds the indices of each draw's examples, shape (B, n), in the order of drawing.
    """
    sample = y[drawn] if kind == "right" else np.broadcast_to(y, drawn.shape)
    beta = coefficients(Z[drawn], sample)
    return classes(Z, beta) != y, (classes(Z[drawn], beta) != sample).mean(axis=1)


def estimates(training: float, wrong: Any, draw_training: Any, drawn: Any) -> tuple[float, Any]:
    """Return the .632 estimate of the training set, and that of each draw."""
    out = (drawn[:, :, None] != np.arange(drawn.shape[1])).all(axis=1)  # (B, n): True if left out
    missed = wrong & out
    times = out.sum(axis=0)
    some = times > 0
    left_out = float((missed.sum(axis=0)[some] / times[some]).mean())
    draw_left_out = missed.sum(axis=1) / np.maximum(out.sum(axis=1), 1)
    return float(combine632(training, left_out)), combine632(draw_training, draw_left_out)


def half_split_error(Z: Any, y: Any, splits: int, rng: np.random.Generator) -> float:
    """Return the mean error on random halves of the classifier that is fitted to the other half."""
    n = len(y)
    order = rng.permuted(np.tile(np.arange(n), (splits, 1)), axis=1)
    train = order[:, : n // 2]
    test = order[:, n // 2 :]
    beta = coefficients(Z[train], y[train])
    return float(np.mean(classes(Z[test], beta) != y[test]))


def normal(centre: float, error: float, size: float) -> tuple[float, float]:
    """Wald's interval around `centre`, with the variance of `error`."""
    half = -special.ndtri((1 - LEVEL) / 2) * np.sqrt(error * (1 - error) / size)
    return centre - half, centre + half


def bayes(estimate: float, size: float) -> tuple[float, float]:
    """Return equal tails of the posterior under a uniform prior."""
    a = 1 + size * estimate
    b = 1 + size * (1 - estimate)
    tail = (1 - LEVEL) / 2
    return special.betaincinv(a, b, tail), special.betainccinv(a, b, tail)


def around(estimate: float, n: int) -> dict[str, tuple[float, float]]:
    """Return K, M and L around an estimate, with n examples and (starred) the effective size."""
    # expected number of different examples in a sample
    different = round(n * (1 - (1 - 1 / n) ** n))
    intervals = {"K Wilson": bounds.interval("WIL", estimate, n, delta=1 - LEVEL)}
    for mark, size in (("", n), ("*", different)):
        intervals[f"K{mark}"] = normal(estimate, estimate, size)
        intervals[f"M{mark}"] = bayes(estimate, size)
        intervals[f"L{mark}"] = bounds.interval("CP", estimate, size, delta=1 - LEVEL)
    return intervals


def task(rng: np.random.Generator, data: str, n: int, resamples: int) -> dict[str, float]:
    """Return the centre, coverage and width of each interval with each bootstrap, for one set."""
    X, y, X_test, y_test = small_samples.draw(rng, data, n)
    model = training_set.LeastSquares(small_samples.BASES.get(data)).fit(X, y)
    truth = float(np.mean(model.predict(X_test) != y_test))
    training = float(np.mean(model.predict(X) != y))
    Z = model.design(X)
    drawn = rng.integers(n, size=(resamples, n))
    halves = half_split_error(Z, y, resamples, rng)
    result = {"training": training, "truth": truth, "halves": halves}

    def note(name: str, ends: tuple[float, float]) -> None:
        result[name] = float(ends[0] <= truth <= ends[1])
        result[f"{name} width"] = float(ends[1] - ends[0])

    note("Y", normal(halves, halves, n - n // 2))
    for kind in KINDS:
        estimate, draw_estimates = estimates(training, *draws(Z, y, drawn, kind), drawn)
        low, high = np.quantile(draw_estimates, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
        result[f"centre {kind}"] = estimate
        note(f"BS1 {kind}", (low, high))
        note(f"BS2 {kind}", (2 * estimate - high, 2 * estimate - low))
        note(f"Y {kind}", normal(estimate, halves, n - n // 2))
        for name, ends in around(estimate, n).items():
            note(f"{name} {kind}", ends)
    return result


def summarize(results: list[_run.Result]) -> dict[str, float]:
    """Return the mean of each number, and the standard deviation of the three estimates."""
    table = {key: float(np.mean([r[key] for r in results])) for key in results[0]}
    for key in ("truth", "halves", "centre right", "centre broken"):
        table[f"{key} sd"] = float(np.std([r[key] for r in results]))
    return {key: float(f"{value:.4g}") for key, value in table.items()}


def study(*, repeats: int = 1000, small: bool = False, **options: Any) -> dict[str, Any]:
    """Run the study; `small` is a quick run on the simulated sets at n = 30.

    Parameters
    ----------
    repeats : int
        Training sets for each data set and size.
    small : bool
        Whether to take the simulated sets, n = 30 and few resamples only.
    **options
        ``workers``, ``folder``, ``seconds`` and ``progress`` of `studies._run.run`.

    Returns
    -------
    dict
        The summary, as stored.
    """
    if small:
        names = list(small_samples.SIMULATED)
        sizes = SIZES[:1]
        resamples = 20
    else:
        names = small_samples.available()
        sizes = SIZES
        resamples = 200
        names += ["abalone_sex"] if "abalone" in names else []
    settings = [{"data": name, "n": n, "resamples": resamples} for n in sizes for name in names]
    return _run.run(
        "broken_pairs_quick" if small else "broken_pairs",
        task,
        settings,
        repeats=checks.one_count(repeats, "repeats"),
        seed=SEED,
        summarize=summarize,
        **options,
    )


def show(summary: dict[str, Any]) -> None:
    """Print the coverage of each method with right and with broken pairs, a line for each row."""
    keys = ("K", "M", "L", "BS1", "BS2")
    print("data            n  runs  error " + "".join(f"{key:>13}" for key in keys))
    for entry in summary["settings"]:
        if entry["repeats"]:
            setting = entry["setting"]
            table = entry["summary"]
            cells = "".join(
                f"   {table[f'{k} right']:.3f} {table[f'{k} broken']:.3f}" for k in keys
            )
            head = f"{setting['data']:14}{setting['n']:3}{entry['repeats']:6}"
            print(f"{head}  {table['truth']:.3f} {cells}")


if __name__ == "__main__":
    _run.command("broken_pairs")
