"""How often intervals for another population contain its error: class shares, machine labels.

"shares": half of the test set is ill, and the error rates are 0.3 (ill) and 0.03 (well); the claim
is about a population in which a fraction `share` is ill.

    naive    Clopper-Pearson on all examples, for the population's error
    exact    `metrics.error_at_shares`, summed Clopper-Pearson ends
    mover    the same with method "mover"

"machine": n true losses with mean 0.2, and 2,000 by a machine that flips a fraction `share`.

    naive    Clopper-Pearson on all of the machine's losses
    classical  Clopper-Pearson on the true losses alone
    tuned, plain, proven   `metrics.prediction_powered`, its three methods

The mean width is printed beside each coverage.

    python -m studies.elsewhere --repeats 1000 --workers 1
"""

from __future__ import annotations

from typing import Any

import numpy as np

from errlab import bounds, checks, metrics
from studies import _run

SEED = 2023
ILL = 0.3
WELL = 0.03
MEAN = 0.2
MORE = 2000


def task(rng: np.random.Generator, kind: str, n: int, share: float) -> dict[str, float]:
    """Return, for one sample, which intervals contain the true error, and their widths."""
    truth, intervals = (_shares if kind == "shares" else _machine)(rng, n, share)
    result: dict[str, float] = {}
    for name, (low, high) in intervals.items():
        result[name] = float(low <= truth <= high)
        result[f"{name} width"] = float(min(high, 1) - max(low, 0))
    return result


def _shares(rng: np.random.Generator, n: int, share: float) -> tuple[float, dict[str, Any]]:
    strata = np.arange(n) % 2
    losses = (rng.random(n) < np.where(strata == 1, ILL, WELL)).astype(float)
    class_shares = {0: 1 - share, 1: share}
    exact = metrics.error_at_shares(losses, strata, class_shares)
    mover = metrics.error_at_shares(losses, strata, class_shares, method="mover")
    return share * ILL + (1 - share) * WELL, {
        "naive": bounds.interval("CP", errors=int(losses.sum()), n=n),
        "exact": (exact.low, exact.high),
        "mover": (mover.low, mover.high),
    }


def _machine(rng: np.random.Generator, n: int, share: float) -> tuple[float, dict[str, Any]]:
    losses = (rng.random(n + MORE) < MEAN).astype(float)
    judged = np.where(rng.random(n + MORE) < share, 1 - losses, losses)
    intervals = {
        "naive": bounds.interval("CP", errors=int(judged.sum()), n=n + MORE),
        "classical": bounds.interval("CP", errors=int(losses[:n].sum()), n=n),
    }
    for name, method in (("tuned", "tuned"), ("plain", "plain"), ("proven", "betting")):
        part = metrics.prediction_powered(losses[:n], judged[:n], judged[n:], method=method)
        intervals[name] = (part.low, part.high)
    return MEAN, intervals


def study(*, repeats: int = 1000, small: bool = False, **options: Any) -> dict[str, Any]:
    """Run the study; `small` is a quick run with 100 examples.

    Parameters
    ----------
    repeats : int
        Samples for each setting.
    small : bool
        Whether to take 100 examples only.
    **options
        ``workers``, ``folder``, ``seconds`` and ``progress`` of `studies._run.run`.

    Returns
    -------
    dict
        The summary, as stored.
    """
    sizes = (100,) if small else (100, 400)
    settings = [
        {"kind": kind, "n": n, "share": share}
        for kind, shares in (("shares", (0.01, 0.1, 0.5)), ("machine", (0.02, 0.1, 0.3)))
        for n in sizes
        for share in shares
    ]
    return _run.run(
        "elsewhere_quick" if small else "elsewhere",
        task,
        settings,
        repeats=checks.one_count(repeats, "repeats"),
        seed=SEED,
        summarize=_run.to_four_digits,
        **options,
    )


def show(summary: dict[str, Any]) -> None:
    """Print coverage and width of each interval, a line for each setting."""
    for entry in summary["settings"]:
        if entry["repeats"]:
            s = entry["setting"]
            table = entry["summary"]
            names = [key for key in table if not key.endswith(("_se", "width"))]
            cells = "  ".join(f"{k} {table[k]:.3f} ({table[k + ' width']:.3f})" for k in names)
            print(f"{s['kind']:7} {s['n']:4} {s['share']:5}  {entry['repeats']}  {cells}")


if __name__ == "__main__":
    _run.command("elsewhere")
