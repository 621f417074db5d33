"""How often the intervals of `errlab.metric` hold, for a bootstrap and for a formula.

The scores of the positive cases are normal around 1.5, those of the others around 0, and a case is
called positive above 1. So the true values are integrals. Of each test set we ask of

    average precision   the BCa bootstrap
    matthews            the BCa bootstrap of Matthews' correlation of the calls
    area                the score interval

whether the interval holds the true value, how wide it is, and how often it is refused.

    python -m studies.metrics --repeats 300 --workers 1
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy
from scipy import special

import errlab
from errlab._core import checks
from studies import _run

SEED = 1997
APART, CUT = 1.5, 1.0
CASES = (50, 200, 1000)
POSITIVE = (0.1, 0.3)
RESAMPLES = 1000


def truth(share: float) -> dict[str, float]:
    """Return the true values where this share of the cases is positive."""
    hit, alarm = special.ndtr(APART - CUT), special.ndtr(-CUT)

    def precision(x: float) -> float:
        called = share * special.ndtr(APART - x) + (1 - share) * special.ndtr(-x)
        return float(share * special.ndtr(APART - x) / called)

    def weighed(x: float) -> float:
        return precision(x) * float(np.exp(-((x - APART) ** 2) / 2) / np.sqrt(2 * np.pi))

    called = share * hit + (1 - share) * alarm
    together = share * hit - share * called
    spread = np.sqrt(share * (1 - share) * called * (1 - called))
    return {
        "average precision": float(scipy.integrate.quad(weighed, -8, 10)[0]),
        "matthews": float(together / spread),
        "area": float(special.ndtr(APART / np.sqrt(2))),
    }


def task(rng: np.random.Generator, n: int, share: float) -> dict[str, float]:
    """One test set: which intervals hold."""
    y = (rng.random(n) < share).astype(int)
    score = rng.normal(size=n) + APART * y
    calls = (score > CUT).astype(int)
    ways = {
        "average precision": ("average_precision", score),
        "matthews": ("matthews_corrcoef", calls),
        "area": ("roc_auc", score),
    }
    result: dict[str, float] = {}
    for name, value in truth(share).items():
        metric, column = ways[name]
        try:
            found = errlab.metric(y, column, metric=metric, resamples=RESAMPLES, rng=rng)
        except ValueError:  # a class is missing, or nothing went wrong
            result |= {f"{name} refused": 1.0, f"{name} held": 0.0, f"{name} width": 0.0}
            continue
        held = float(found.low <= value <= found.high)
        width = found.high - found.low
        result |= {f"{name} refused": 0.0, f"{name} held": held, f"{name} width": width}
    return result


def of_those_given(results: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return coverage and width where an interval was given, and how often it was refused."""
    found: dict[str, float] = {}
    for name in truth(0.3):
        given = [r for r in results if not r[f"{name} refused"]]
        found[f"{name} refused"] = 1 - len(given) / len(results)
        if given:
            held = float(np.mean([r[f"{name} held"] for r in given]))
            found[name] = held
            found[f"{name}_se"] = float(np.sqrt(held * (1 - held) / len(given)))
            found[f"{name} width"] = float(np.mean([r[f"{name} width"] for r in given]))
    return {key: float(f"{value:.4g}") for key, value in found.items()}


def study(*, repeats: int = 300, small: bool = False, **options: Any) -> dict[str, Any]:
    """Run the study; `small` is a quick look at 200 cases.

    Parameters
    ----------
    repeats : int
        Test sets for each setting.
    small : bool
        Whether to take 200 cases, a third of them positive, only.
    **options
        ``workers``, ``folder``, ``seconds`` and ``progress`` of `studies._run.run`.

    Returns
    -------
    dict
        The summary, as stored.
    """
    settings = [
        {"n": n, "share": share}
        for n in (CASES[1:2] if small else CASES)
        for share in (POSITIVE[1:] if small else POSITIVE)
    ]
    return _run.run(
        "metrics_quick" if small else "metrics",
        task,
        settings,
        repeats=checks.one_count(repeats, "repeats"),
        seed=SEED,
        summarize=of_those_given,
        **options,
    )


def show(summary: dict[str, Any]) -> None:
    """Print coverage and refusals, a line for each setting."""
    print("    n  share  runs" + "".join(f"{name:>20}  refused" for name in truth(0.3)))
    for entry in summary["settings"]:
        if entry["repeats"]:
            s, table = entry["setting"], entry["summary"]
            cells = "".join(
                f"{table.get(name, np.nan):20.3f}  {table[f'{name} refused']:7.3f}"
                for name in truth(0.3)
            )
            print(f"{s['n']:5}  {s['share']:5}  {entry['repeats']:4}{cells}")


if __name__ == "__main__":
    _run.command("metrics")
