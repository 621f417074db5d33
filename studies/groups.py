"""How often intervals contain the true error on grouped examples, and tests keep their level.

Each group's error rate is drawn from a beta distribution with mean `error`; its examples are wrong
independently at that rate (beta-binomial). Two examples of a group have correlation 1 / (a + b +
1), which is set to give the required design effect. Groups have size 10 ("ten"), or a size from 1
to 20 drawn independently of the rate ("mixed"). Two more settings have very unequal sizes, and
three errors instead of 10%: 500 tasks of 12 repositories ("repositories"; sizes like those of
SWE-bench Verified), and 30 groups of 2 with one of 100 ("one large"). The setting "few bad" is hard
for any estimate of how much groups differ: in 3% of its groups of ten every example is wrong, in
the others 1%.

    naive    Clopper-Pearson, treating all examples as independent
    korn     Korn and Graubard, with one degree of freedom less than the effective groups
    robust   cluster-robust t, CR2 with Satterthwaite's degrees of freedom
    proven   bets on the groups

and the one-sided bounds of the middle two ("korn bound", "robust bound").

The study also tests two equally good classifiers on the same examples; each has its own error rates
in the groups, from the same distribution. It counts how often a difference is found: by McNemar's
exact test on single examples, by the cluster-robust t, by Durkalski's test, and by bets on groups.

    python -m studies.groups --repeats 1200 --workers 1
"""

from __future__ import annotations

from typing import Any

import numpy as np

from errlab import bounds, checks, compare, metrics
from errlab.compare._groups import grouped_betting, grouped_difference
from studies import _run

SEED = 1997
ERROR = 0.1
NUMBERS = (20, 60, 200)
EFFECTS = (1, 2, 4, 8)
# E[size^2] / E[size] for sizes 1 to 20, which takes the place of m in 1 + (m - 1) rho
MEAN_SQUARE = 41 / 3
UNEQUAL = {
    "repositories": np.array([231, 75, 44, 34, 32, 22, 22, 19, 10, 8, 2, 1]),
    "one large": np.array([100] + 30 * [2]),
}
LARGE_EFFECTS = (1, 8, 32)
ERRORS = (0.05, 0.1, 0.3)
BAD, GOOD = 0.03, 0.01  # fraction of groups that are wrong throughout, and error rate of the others


def sizes_of(rng: np.random.Generator, groups: int, kind: str) -> Any:
    """Return the sizes of the groups."""
    if kind in UNEQUAL:
        return UNEQUAL[kind]
    return rng.integers(1, 21, groups) if kind == "mixed" else np.full(groups, 10)


def rates(
    rng: np.random.Generator, groups: int, kind: str, effect: float, error: float = ERROR
) -> Any:
    """Return an error rate for each group that gives the required design effect."""
    if kind == "few bad":
        return np.where(rng.random(groups) < BAD, 1.0, GOOD)
    m = 10 if kind == "ten" else MEAN_SQUARE
    if kind in UNEQUAL:
        m = (UNEQUAL[kind] ** 2).sum() / UNEQUAL[kind].sum()
    rho = (effect - 1) / (m - 1)
    if rho == 0:
        return np.full(groups, error)
    total = 1 / rho - 1
    return rng.beta(error * total, (1 - error) * total, groups)


def task(
    rng: np.random.Generator, groups: int, kind: str, effect: float, error: float = ERROR
) -> dict[str, float]:
    """Return, for one test set, which intervals cover, their widths, and which tests reject."""
    sizes = sizes_of(rng, groups, kind)
    names = np.repeat(np.arange(groups), sizes)
    n = len(names)
    wrong = (rng.random(n) < rates(rng, groups, kind, effect, error)[names]).astype(float)
    korn = metrics.korn_graubard(wrong, groups=names)
    # if all groups agree, there is no t interval
    robust_low, robust_high, robust_upper = 0.0, 1.0, 1.0
    if np.ptp(metrics.group_means(wrong, groups=names)) > 0:
        robust = metrics.grouped_t(wrong, groups=names)
        robust_low, robust_high, robust_upper = robust.low, robust.high, robust.upper
    bets = metrics.grouped_betting(wrong, groups=names)
    intervals = {
        "naive": bounds.interval("CP", errors=int(wrong.sum()), n=n),
        "korn": (korn.low, korn.high),
        "robust": (robust_low, robust_high),
        "proven": (bets.low, bets.high),
    }
    result: dict[str, float] = {}
    for name, (low, high) in intervals.items():
        result[name] = float(low <= error <= high)
        result[f"{name} width"] = float(min(high, 1) - max(low, 0))
    result["korn bound"] = float(korn.upper >= error)
    result["robust bound"] = float(robust_upper >= error)
    result["proven bound"] = float(bets.upper >= error)
    model_rates = [rates(rng, groups, kind, effect, error) for _ in range(2)]
    a, b = ((rng.random(n) < rate[names]).astype(float) for rate in model_rates)
    n01 = int((a > b).sum())
    n10 = int((a < b).sum())
    result["mcnemar"] = float(compare.mcnemar(n01, n10).pvalue <= 0.05)
    result["t test"] = float(grouped_difference(a, b, groups=names).pvalue <= 0.05)
    result["durkalski"] = float(compare.grouped_mcnemar(a, b, groups=names).pvalue <= 0.05)
    result["bets"] = float(grouped_betting(a, b, groups=names).pvalue <= 0.05)
    return result


def study(*, repeats: int = 1200, small: bool = False, **options: Any) -> dict[str, Any]:
    """Run the study; `small` is a quick run of a few settings.

    Parameters
    ----------
    repeats : int
        Test sets for each setting.
    small : bool
        Whether to take 20 groups, and the smallest design effect of the unequal ones, only.
    **options
        ``workers``, ``folder``, ``seconds`` and ``progress`` of `studies._run.run`.

    Returns
    -------
    dict
        The summary, as stored.
    """
    settings: list[dict[str, float | str]] = [
        {"groups": groups, "kind": kind, "effect": effect}
        for groups in (NUMBERS[:1] if small else NUMBERS)
        for kind in ("ten", "mixed")
        for effect in EFFECTS
    ]
    settings += [
        {"groups": len(sizes), "kind": kind, "effect": effect, "error": error}
        for kind, sizes in UNEQUAL.items()
        for effect in (LARGE_EFFECTS[:1] if small else LARGE_EFFECTS)
        for error in (ERRORS[:1] if small else ERRORS)
    ]
    error = BAD + (1 - BAD) * GOOD
    few_bad = [
        {"groups": groups, "kind": "few bad", "effect": 0, "error": error} for groups in NUMBERS
    ]
    settings += [] if small else few_bad
    return _run.run(
        "groups_quick" if small else "groups",
        task,
        settings,
        repeats=checks.one_count(repeats, "repeats"),
        seed=SEED,
        summarize=_run.to_four_digits,
        **options,
    )


def show(summary: dict[str, Any]) -> None:
    """Print the coverage of each interval and the level of each test, a line for each setting."""
    keys = ("naive", "korn", "korn bound", "robust", "robust bound", "proven", "proven bound")
    keys += ("mcnemar", "t test", "durkalski", "bets")
    print("groups  sizes         error  effect  runs" + "".join(f"{key:>13}" for key in keys))
    for entry in summary["settings"]:
        if entry["repeats"]:
            s = entry["setting"]
            table = entry["summary"]
            cells = "".join(f"{table[key]:13.3f}" for key in keys)
            head = f"{s['groups']:6}  {s['kind']:12}  {s.get('error', ERROR):5}  {s['effect']:6}"
            print(f"{head}  {entry['repeats']:4}{cells}")


if __name__ == "__main__":
    _run.command("groups")
