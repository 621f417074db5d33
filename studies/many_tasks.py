"""How often the intervals for a folder of tasks contain the true means, and their widths.

A board has `tasks` tasks with `low` to `high` examples each. Their true error rates are drawn anew
for each board from a beta distribution: "rare" with mean 1/31, "middling" around 1/2, "mixed" with
most rates near 0 or near 1. Then `errlab report FOLDER` is what `errlab.statements.tasks` prints:

    macro    the mean over tasks, as printed
    mover    the same by `metrics.error_at_shares(..., method="mover")`
    pooled   the mean over examples, as printed
    normal   the mean over tasks plus or minus 1.96 standard errors, as harnesses print it

The mean width is printed beside each coverage.

    python -m studies.many_tasks --workers 1
"""

from __future__ import annotations

from typing import Any

import numpy as np

from errlab import checks, metrics
from errlab.statements.scale import RATES
from errlab.statements.tasks import TaskCases
from errlab.statements.tasks import tasks as results_of_tasks
from studies import _run

SEED = 2057
NUMBERS = (3, 10, 57)
SIZES = ((8, 30), (100, 400))  # those of MMLU's subjects are 100 to 1,534
KINDS = {"rare": (1, 30), "middling": (5, 5), "mixed": (0.5, 0.5)}


def task(rng: np.random.Generator, tasks: int, low: int, high: int, kind: str) -> dict[str, float]:
    """Return, for one board, which intervals contain the true mean, and their widths."""
    sizes = rng.integers(low, high, tasks, endpoint=True)
    true = rng.beta(*KINDS[kind], tasks)
    results = {
        str(i): TaskCases((rng.random(n) < p).astype(float), None)
        for i, (n, p) in enumerate(zip(sizes, true, strict=True))
    }
    shown = results_of_tasks({"model": results}, RATES, delta=0.05)
    macro, pooled = (shown.row("model", name) for name in ("macro mean", "pooled mean"))
    losses = np.concatenate([cases.losses for cases in results.values()])
    names = np.repeat(list(results), sizes)
    shares = dict.fromkeys(results, 1 / tasks)
    mover = metrics.error_at_shares(losses, names, shares, method="mover")
    variances = [cases.losses.var(ddof=1) / len(cases.losses) for cases in results.values()]
    half = 1.96 * np.sqrt(sum(variances)) / tasks
    intervals = {
        "macro": (macro.low, macro.high, true.mean()),
        "mover": (mover.low, mover.high, true.mean()),
        "normal": (macro.estimate - half, macro.estimate + half, true.mean()),
        "pooled": (pooled.low, pooled.high, sizes @ true / sizes.sum()),
    }
    row: dict[str, float] = {}
    for name, (below, above, truth) in intervals.items():
        row[name] = float(below <= truth <= above)
        row[f"{name} width"] = float(above - below)
    return row


def study(*, repeats: int = 1000, small: bool = False, **options: Any) -> dict[str, Any]:
    """Run the study; `small` is a quick run with 3 tasks.

    Parameters
    ----------
    repeats : int
        Boards for each setting.
    small : bool
        Whether to take boards of 3 tasks only.
    **options
        ``workers``, ``folder``, ``seconds`` and ``progress`` of `studies._run.run`.

    Returns
    -------
    dict
        The summary, as stored.
    """
    settings = [
        {"tasks": number, "low": low, "high": high, "kind": kind}
        for number in (NUMBERS[:1] if small else NUMBERS)
        for low, high in SIZES
        for kind in KINDS
    ]
    return _run.run(
        "many_tasks_quick" if small else "many_tasks",
        task,
        settings,
        repeats=checks.one_count(repeats, "repeats"),
        seed=SEED,
        summarize=_run.to_four_digits,
        **options,
    )


def show(summary: dict[str, Any]) -> None:
    """Print coverage and width of each interval, a line for each setting."""
    print("tasks examples   true rates  boards  covered (width)")
    for entry in summary["settings"]:
        if entry["repeats"]:
            s, table = entry["setting"], entry["summary"]
            names = [key for key in table if not key.endswith(("_se", "width"))]
            cells = "  ".join(f"{k} {table[k]:.3f} ({table[k + ' width']:.3f})" for k in names)
            size = f"{s['low']} to {s['high']}"
            print(f"{s['tasks']:5} {size:10} {s['kind']:10} {entry['repeats']:6}  {cells}")


if __name__ == "__main__":
    _run.command("many_tasks")
