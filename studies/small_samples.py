"""Tables 2 to 5 and Figure 1 of Laber and Murphy (2008): confidence sets from 30 or 50 examples.

For each data set and size we draw a training set, fit least squares, compute each interval of
`errlab.training_set`, and check whether it contains that classifier's true error.

The true error is that on a huge independent sample (simulated sets) or on all other examples (real
sets). The features of the real sets are the first three principal components of the standardised
columns, with an intercept; they are computed once from all examples without their labels, because
the method assumes a fixed basis. The paper doesn't say how many components it took.

Other readings of the text are computed too: ``*`` the effective sizes that the text gives where the
tables imply n, and ``Y .632``, Yang's interval around the .632 estimate, which the text gives to
all competitors. ``half`` is half the width of CUD before it is clipped to [0, 1].

    python -m studies.small_samples --repeats 1000 --workers 1
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from errlab import checks, datasets, training_set
from errlab.results import Interval, Simulated
from studies import _real_sets, _run

SIMULATED: dict[str, Callable[..., Simulated]] = {
    "donut": datasets.donut,
    "outlier": datasets.outlier,
    "three_points": datasets.three_points,
    "chi2_small": datasets.chi2_small,
}
SIZES = (30, 50)
COMPONENTS = 3
TEST_CASES = 200_000
SEED = 2008


def squares(X: Any) -> Any:
    """Return the basis of the donut: ones and the squared features."""
    return np.column_stack([np.ones(len(X)), np.square(X)])


BASES = {"donut": squares}


def sexes() -> tuple[Any, Any]:
    """Load Abalone with the other possible classes: +1 = male, -1 = female, by size and weight."""
    X, _ = _real_sets.load("abalone")
    adult = X[:, :2].any(axis=1)
    return X[adult, 2:], np.where(X[adult, 0] == 1, 1.0, -1.0)


@cache
def population(data: str) -> tuple[Any, Any]:
    """Return all examples of a real set, or the huge test sample of a simulated one."""
    if data in SIMULATED:
        X, y, _ = SIMULATED[data](TEST_CASES, rng=SEED)
        return X, y
    X, y = sexes() if data == "abalone_sex" else _real_sets.load(data)
    spread = X.std(axis=0)
    scaled = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    axes = np.linalg.svd(scaled, full_matrices=False)[2][:COMPONENTS]
    return scaled @ axes.T, y


def draw(rng: np.random.Generator, data: str, n: int) -> tuple[Any, Any, Any, Any]:
    """Return training examples and labels with both classes, test examples and labels."""
    X, y = population(data)
    rest: Any
    while True:
        if data in SIMULATED:
            train = SIMULATED[data](n, rng=rng)
            cases = train.X
            labels = train.y
            rest = slice(None)
        else:
            chosen = rng.choice(len(y), n, replace=False)
            rest = np.setdiff1d(np.arange(len(y)), chosen)
            cases = X[chosen]
            labels = y[chosen]
        if len(np.unique(labels)) == 2:
            return cases, labels, X[rest], y[rest]


def task(
    rng: np.random.Generator, data: str, n: int, resamples: int, inner: int
) -> dict[str, float]:
    """Return coverage and width of each interval, training and true error, for one training set."""
    X, y, X_test, y_test = draw(rng, data, n)
    model = training_set.LeastSquares(BASES.get(data)).fit(X, y)
    truth = float(np.mean(model.predict(X_test) != y_test))
    # expected number of different examples in a bootstrap sample
    different = n * (1 - (1 - 1 / n) ** n)
    left = round(n - different)
    result = {"training": float(np.mean(model.predict(X) != y)), "truth": truth}

    def note(name: str, interval: Interval) -> None:
        low, high = interval
        result[name] = float(low <= truth <= high)
        result[f"{name} width"] = float(high - low)

    for key, entry in training_set.INTERVALS.items():
        options: dict[str, Any] = {"resamples": resamples, "rng": rng}
        if key in ("BS1", "BS2"):
            options["inner_resamples"] = inner
        if key == "CUD":
            bound = training_set.cud_bound(X, y, basis=model.basis, resamples=resamples, rng=rng)
            note(key, bound.interval)
            result["CUD half"] = bound.quantile
        elif key == "Y":
            note("Y .632", entry.function(model, X, y, centre=".632", **options))
        else:
            note(key, entry.function(model, X, y, **options))
    for key, size in {"K": round(different), "M": left, "L": round(different)}.items():
        note(
            f"{key}*",
            training_set.INTERVALS[key].function(
                model, X, y, resamples=resamples, rng=rng, effective_size=size
            ),
        )
    note("Y", training_set.yang(model, X, y, resamples=resamples, rng=rng))
    return result


def summarize(results: list[_run.Result]) -> dict[str, float]:
    """Return means, standard errors, and the training error's excess kurtosis (Figure 1)."""
    table = _run.moments(results)
    errors = np.array([result["training"] for result in results])
    if np.ptp(errors) > 0:
        table["kurtosis"] = _kurtosis(errors)
        if len(errors) >= 40 and len(set(errors.tolist())) > 2:
            parts = [np.delete(errors, slice(i, None, 20)) for i in range(20)]  # jackknife
            left_out = np.array([_kurtosis(part) for part in parts])
            table["kurtosis_se"] = float(np.sqrt(19 * left_out.var()))
    return {key: float(f"{value:.5g}") for key, value in table.items()}


def _kurtosis(errors: Any) -> float:
    centred = errors - errors.mean()
    return float(np.mean(centred**4) / np.mean(centred**2) ** 2 - 3)


def available() -> list[str]:
    """Return the sets that can be loaded; the others are named on stderr."""
    names = []
    for name in datasets.UCI:
        try:
            population(name)
            names.append(name)
        except FileNotFoundError as error:
            print(f"left out: {error}", file=sys.stderr)
    return [*names, *SIMULATED]


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
    names, sizes = (list(SIMULATED), SIZES[:1]) if small else (available(), SIZES)
    effort = {"resamples": 40, "inner": 5} if small else {"resamples": 500, "inner": 20}
    settings = [{"data": name, "n": n, **effort} for n in sizes for name in names]
    name = "small_samples_quick" if small else "small_samples"
    return _run.run(
        name,
        task,
        settings,
        repeats=checks.one_count(repeats, "repeats"),
        seed=SEED,
        summarize=summarize,
        **options,
    )


def show(summary: dict[str, Any]) -> None:
    """Print coverage and mean width, one line for each data set and size."""
    keys = list(training_set.INTERVALS)
    print("data            n  runs  error " + "".join(f"{key:>13}" for key in keys))
    for entry in summary["settings"]:
        if not entry["repeats"]:
            continue
        setting = entry["setting"]
        table = entry["summary"]
        cells = "".join(f"   {table[key]:.3f} {table[f'{key} width']:.3f}" for key in keys)
        head = f"{setting['data']:14}{setting['n']:3}{entry['repeats']:6}"
        print(f"{head}  {table['truth']:.3f} {cells}")


if __name__ == "__main__":
    _run.command("small_samples")
