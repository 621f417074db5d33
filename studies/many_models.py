"""How often all simultaneous statements about many classifiers are true.

Examples differ in difficulty; a classifier's probability of being wrong on an example grows with
that difficulty and with its own error rate. `kind` sets the rates: "equal" for all, "spread" from
0.08 to 0.20 in equal steps, or "two equals" at 0.12 among others that are far from them and from
each other, so that Holm tests the last pair at the full level. For each test set we ask whether

    naive      all pairs' intervals at 95 % each contain the true difference
    together   all pairs' intervals of `errlab.models` do
    one pair   that of the first two models does (the two equals, if there are two)
    verdicts   no false difference is shown, and none in the wrong direction
    ranks      every true rank lies in its interval (equal rates have a range of ranks)
    naive verdicts   the verdicts of unadjusted tests are all right

    python -m studies.many_models --repeats 1000 --workers 1
"""

from __future__ import annotations

from typing import Any

import numpy as np

import errlab
from errlab import checks
from errlab.compare._fay_lumbard import melded
from studies import _run

SEED = 1979
CASES = (200, 1000)
MODELS = (3, 6, 10)


def rates(kind: str, k: int) -> Any:
    """Return the error rate of each classifier on examples of average difficulty."""
    if kind == "two equals":
        return np.append([0.12, 0.12], np.linspace(0.3, 0.9, k - 2))
    return np.full(k, 0.12) if kind == "equal" else np.linspace(0.08, 0.20, k)


def task(rng: np.random.Generator, kind: str, k: int, n: int) -> dict[str, float]:
    """Return which statements are true on one test set."""
    rate = rates(kind, k)[:, None]
    # three levels of difficulty with mean 1
    hardness, shares = np.array([0.25, 1.0, 2.5]), np.array([0.4, 0.4, 0.2])
    truth = np.minimum(rate * hardness, 1) @ shares
    hard = rng.choice(hardness, n, p=shares)
    wrong = rng.random((k, n)) < np.minimum(rate * hard, 1)
    y = np.zeros(n, dtype=int)
    predictions = {str(j): wrong[j].astype(int) for j in range(k)}
    comparison = errlab.models(y, predictions)
    gap = np.array([truth[int(p.a)] - truth[int(p.b)] for p in comparison.pairs])
    n01 = np.array([float(p.n01) for p in comparison.pairs])
    n10 = np.array([float(p.n10) for p in comparison.pairs])
    plain = melded(n01, n10, np.full(len(gap), float(n)), delta=0.05)

    def right(pvalue: Any, difference: Any) -> float:
        significant = pvalue <= 0.05
        return float((~significant | (np.sign(difference) == np.sign(gap))).all())

    raw = np.array([p.pvalue for p in comparison.pairs])
    adjusted = np.array([p.adjusted for p in comparison.pairs])
    difference = np.array([p.difference for p in comparison.pairs])
    lowest = {str(j): 1 + int((truth < truth[j] - 1e-12).sum()) for j in range(k)}
    highest = {str(j): k - int((truth > truth[j] + 1e-12).sum()) for j in range(k)}
    return {
        "naive": float(((plain.low <= gap) & (gap <= plain.high)).all()),
        "together": float(
            all(p.low <= g <= p.high for p, g in zip(comparison.pairs, gap, strict=True))
        ),
        "one pair": float(
            all(
                p.low <= g <= p.high
                for p, g in zip(comparison.pairs, gap, strict=True)
                if {p.a, p.b} == {"0", "1"}
            )
        ),
        "verdicts": right(adjusted, difference),
        "naive verdicts": right(raw, difference),
        "ranks": float(
            all(m.first <= highest[m.name] and lowest[m.name] <= m.last for m in comparison.models)
        ),
    }


def study(*, repeats: int = 1000, small: bool = False, **options: Any) -> dict[str, Any]:
    """Run the study; `small` is a quick run with three classifiers.

    Parameters
    ----------
    repeats : int
        Test sets for each setting.
    small : bool
        Whether to take three classifiers on 200 examples only.
    **options
        ``workers``, ``folder``, ``seconds`` and ``progress`` of `studies._run.run`.

    Returns
    -------
    dict
        The summary, as stored.
    """
    settings = [
        {"kind": kind, "k": k, "n": n}
        for kind in ("equal", "spread", "two equals")
        for k in (MODELS[:1] if small else MODELS)
        for n in (CASES[:1] if small else CASES)
    ]
    return _run.run(
        "many_models_quick" if small else "many_models",
        task,
        settings,
        repeats=checks.one_count(repeats, "repeats"),
        seed=SEED,
        summarize=_run.to_four_digits,
        **options,
    )


def show(summary: dict[str, Any]) -> None:
    """Print how often each statement is true, a line for each setting."""
    keys = ("naive", "together", "one pair", "naive verdicts", "verdicts", "ranks")
    print("kind        models  examples  runs" + "".join(f"{key:>16}" for key in keys))
    for entry in summary["settings"]:
        if entry["repeats"]:
            s = entry["setting"]
            table = entry["summary"]
            cells = "".join(f"{table[key]:16.3f}" for key in keys)
            print(f"{s['kind']:10}  {s['k']:6}  {s['n']:5}  {entry['repeats']:4}{cells}")


if __name__ == "__main__":
    _run.command("many_models")
