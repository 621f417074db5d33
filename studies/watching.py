"""Looking after every example: how often any interval misses, and when a difference is found.

The study draws one classifier with a true error, or two that are wrong independently of each other.
After each of 2,000 examples it computes

    sequence   the betting confidence sequence of `errlab.watch`
    fixed      the interval for a fixed number of examples: Clopper-Pearson for one; for two the
               Clopper-Pearson interval behind McNemar's exact test, and whether it excludes 0

"missed" counts the runs in which any of the intervals misses the truth; if the two classifiers are
equal, the runs in which a difference is found. If they differ, "cases" is the mean number of
examples until the sequence finds the difference, or 2,000 if it never does.

    python -m studies.watching --repeats 400 --workers 1
"""

from __future__ import annotations

from typing import Any

import numpy as np

from errlab import bounds, checks, compare
from studies import _run

SEED = 2024
CASES = 2000
ONE = (0.02, 0.1, 0.3)
TWO = ((0.1, 0.1), (0.2, 0.1), (0.2, 0.15), (0.3, 0.3))


def task(rng: np.random.Generator, a: float, b: float) -> dict[str, float]:
    """Run 2,000 examples; b is negative if there is one classifier."""
    losses = (rng.random(CASES) < a).astype(float)
    if b < 0:
        low, high = bounds.confidence_sequence(losses)
        fixed = bounds.interval("CP", errors=losses.cumsum(), n=np.arange(1, CASES + 1))
        return {
            "sequence": float(((low > a) | (high < a)).any()),
            "fixed": float(((fixed.low > a) | (fixed.high < a)).any()),
            "width": float(high[-1] - low[-1]),
            "fixed width": float(fixed.high[-1] - fixed.low[-1]),
            "cases": float(CASES),
        }
    other = (rng.random(CASES) < b).astype(float)
    low, high = (2 * end - 1 for end in bounds.confidence_sequence((1 + losses - other) / 2))
    n01 = (losses > other).cumsum()
    n10 = (losses < other).cumsum()
    significant = compare.mcnemar(n01, n10).pvalue <= 0.05
    excludes_zero = (low > 0) | (high < 0)
    return {
        "sequence": float(((low > a - b) | (high < a - b)).any()),
        "fixed": float(significant.any() if a == b else False),
        "width": float(high[-1] - low[-1]),
        "fixed width": 0.0,
        "cases": float(excludes_zero.argmax() + 1 if excludes_zero.any() else CASES),
    }


def study(*, repeats: int = 400, small: bool = False, **options: Any) -> dict[str, Any]:
    """Run the study; `small` is a quick run of two settings.

    Parameters
    ----------
    repeats : int
        Runs for each setting.
    small : bool
        Whether to take one setting of each kind only.
    **options
        ``workers``, ``folder``, ``seconds`` and ``progress`` of `studies._run.run`.

    Returns
    -------
    dict
        The summary, as stored.
    """
    pairs = [(error, -1.0) for error in ONE] + list(TWO)
    settings = [{"a": a, "b": b} for a, b in (pairs[1:5:2] if small else pairs)]
    return _run.run(
        "watching_quick" if small else "watching",
        task,
        settings,
        repeats=checks.one_count(repeats, "repeats"),
        seed=SEED,
        summarize=_run.to_four_digits,
        **options,
    )


def show(summary: dict[str, Any]) -> None:
    """Print how often any interval misses, a line for each setting."""
    print("    a     b   runs  sequence (se)     fixed (se)    width  examples")
    for entry in summary["settings"]:
        if entry["repeats"]:
            s = entry["setting"]
            t = entry["summary"]
            both = "".join(f"   {t[k]:.3f} ({t[f'{k}_se']:.3f})" for k in ("sequence", "fixed"))
            line = f"{s['a']:5.2f} {s['b']:5.2f}  {entry['repeats']:5}{both}"
            print(f"{line}   {t['width']:.3f}  {t['cases']:.0f}")


if __name__ == "__main__":
    _run.command("watching")
