"""How often errlab's default intervals and verdicts are right on draws from three leaderboards.

In a public board (`errlab.datasets.load_board`) every failure is known, so we treat the board as
the population, whose rates are the true ones. Each test set is drawn from it with replacement:
single items, or whole problems if the board's items come in groups. Then a function of errlab is
called with its defaults, and we count how often

    interval, bound   `report` of one model contains the truth, of the first, middle and last model
    normal            the rate plus or minus 1.96 standard errors does (clustered for groups)
    difference        `report` of two contains the true difference: the first two; first and middle
    verdict           it calls neither better unless it is
    all differences   all intervals of `errlab.models` contain the true differences
    all verdicts      no false difference is shown, and none in the wrong direction
    all ranks         the true rank of every model lies in its interval

"told apart" is the fraction of pairs that `errlab.models` shows to differ, "width" that of the
interval. A refusal counts as a miss. One repetition draws four test sets for one or two models, but
only one for all models, which takes long. There it uses CIFAR-10's thirty networks, every third of
ImageNet's, every second language model that writes code, and every fifth that predicts what code
returns.

    python -m studies.boards --workers 1
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

import errlab
from errlab import checks, datasets
from studies import _run

SEED = 2031
DRAWN = (50, 200, 1000)
SETS = {  # board: of its models from best to worst, every how many-th is used
    ("cifar10", "test"): 1,
    ("imagenet", "validation"): 3,
    ("livecodebench", "generation"): 2,
    ("livecodebench", "execution"): 5,
}

Array = np.ndarray[Any, np.dtype[Any]]


class World(NamedTuple):
    """One set of a board: losses by rank and item, the items of each unit, and the true rates."""

    losses: Array  # models from the best to the worst x items
    units: list[Array]  # items of one unit are drawn together
    grouped: bool
    graded: bool

    @property
    def truth(self) -> Array:
        """Return the true loss of each model, over all items."""
        return np.asarray(self.losses.mean(axis=1))


@functools.cache
def world(board: str, test_set: str, every: int) -> World:
    """Return a set of a board with every n-th model, n = `every`."""
    loaded = datasets.load_board(board)
    losses = np.array([*loaded.table(test_set).values()])
    losses = losses[np.argsort(losses.mean(axis=1), kind="stable")][::every]
    names = loaded.groups.get(test_set, np.arange(losses.shape[1]))
    units = [np.flatnonzero(names == name) for name in np.unique(names)]
    return World(losses, units, test_set in loaded.groups, not np.isin(losses, (0, 1)).all())


def asked(drawn: Array, of: World, groups: Array | None) -> tuple[dict[str, Any], ...]:
    """Return the arguments of `report` for each drawn model."""
    if not of.graded:
        y, *wrong = np.vstack([np.zeros_like(drawn[0]), drawn]).astype(int)
        return tuple({"y_true": y, "y_pred": one} for one in wrong)
    options = {"range": (0, 1), "groups": groups}
    return tuple({"scores": 1 - row, **options} for row in drawn)


def task(
    rng: np.random.Generator, board: str, test_set: str, n: int, every: int, draws: int
) -> dict[str, float]:
    """Return the fraction of test sets of n items, or n problems, in which each statement is true.

    If `every` is 0, these are statements about one or two models, otherwise about every so-many-th
    model at once.
    """
    of = world(board, test_set, max(every, 1))
    claims_per_set = []
    for _ in range(draws):
        units = [of.units[j] for j in rng.integers(len(of.units), size=n)]
        names = np.repeat(np.arange(n), [len(unit) for unit in units])
        drawn = of.losses[:, np.concatenate(units)]
        claims_per_set.append((of_all if every else of_few)(drawn, of, names))
    return {key: float(np.mean([one[key] for one in claims_per_set])) for key in claims_per_set[0]}


def of_few(drawn: Array, of: World, names: Array) -> dict[str, float]:
    """Report on one model and on two, and return which statements are true."""
    arguments = asked(drawn, of, names if of.grouped else None)
    # labels give claims about errors, scores give claims about success
    truth = 1 - of.truth if of.graded else of.truth
    last = len(truth) - 1
    outcome: dict[str, float] = {}
    for place, j in {"first": 0, "middle": last // 2, "last": last}.items():
        off = abs(drawn[j].mean() - of.truth[j])
        outcome[f"{place} normal"] = off <= 1.96 * error(drawn[j], names)
        try:
            one: Any = errlab.report(**arguments[j])
        # if bets rule out every mean, errlab refuses, which counts as a miss
        except ValueError:
            outcome |= {f"{place} {claim}": False for claim in ("interval", "bound", "width")}
            continue
        ends = (one.bound, 1.0) if of.graded else (0.0, one.bound)
        outcome[f"{place} interval"] = one.low <= truth[j] <= one.high
        outcome[f"{place} bound"] = ends[0] <= truth[j] <= ends[1]
        outcome[f"{place} width"] = one.high - one.low
    for rival, j in {"second": 1, "middle": last // 2}.items():
        try:
            two = errlab.report(**arguments[0], **_second(arguments[j]))
        except ValueError:
            outcome |= {f"{rival} {claim}": False for claim in ("difference", "verdict")}
            continue
        gap = truth[0] - truth[j]
        outcome[f"{rival} difference"] = two.low <= gap <= two.high
        outcome[f"{rival} verdict"] = two.pvalue > 0.05 or np.sign(two.estimate) == np.sign(gap)
    return outcome


def _second(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `report` for the second model."""
    names = {"y_pred": "pred_b", "scores": "scores_b"}
    return {names[key]: value for key, value in arguments.items() if key in names}


def error(losses: Array, names: Array) -> float:
    """Return the standard error of a mean over whole groups, as most programs print it."""
    sums = np.bincount(names, losses - losses.mean())
    return float(np.sqrt((sums**2).sum()) / len(losses))


def of_all(drawn: Array, of: World, names: Array) -> dict[str, float]:
    """Compare all models, and return which of the simultaneous statements are true."""
    groups = names if of.grouped else None
    rows = {str(j): row for j, row in enumerate(drawn)}
    if of.graded:
        comparison = errlab.models(scores=rows, range=(0, 1), higher_is_better=False, groups=groups)
    else:
        wrong = {name: row.astype(int) for name, row in rows.items()}
        comparison = errlab.models(np.zeros(drawn.shape[1], dtype=int), wrong)
    truth = of.truth
    gap = np.array([truth[int(p.a)] - truth[int(p.b)] for p in comparison.pairs])
    low, high, difference, adjusted = np.array(
        [[p.low, p.high, p.difference, p.adjusted] for p in comparison.pairs]
    ).T
    right = (adjusted > 0.05) | (np.sign(difference) == np.sign(gap))
    best = {str(j): 1 + int((truth < risk - 1e-12).sum()) for j, risk in enumerate(truth)}
    worst = {str(j): len(truth) - int((truth > risk + 1e-12).sum()) for j, risk in enumerate(truth)}
    return {
        "all differences": bool(((low <= gap) & (gap <= high)).all()),
        "all verdicts": bool(right.all()),
        "all ranks": all(
            m.first <= worst[m.name] and best[m.name] <= m.last for m in comparison.models
        ),
        "told apart": float((adjusted <= 0.05).mean()),
    }


def study(*, repeats: int = 250, small: bool = False, **options: Any) -> dict[str, Any]:
    """Run the study; `small` is a quick run on 50 images with a third of the networks.

    Parameters
    ----------
    repeats : int
        Repetitions for each set of a board and each size.
    small : bool
        Whether to take 50 images of CIFAR-10 only.
    **options
        ``workers``, ``folder``, ``seconds`` and ``progress`` of `studies._run.run`.

    Returns
    -------
    dict
        The summary, as stored.
    """
    settings = [
        {"board": board, "test_set": test_set, "n": n, "every": every, "draws": draws}
        for (board, test_set), all_of in SETS.items()
        for n in DRAWN
        for every, draws in ((0, 4), (all_of, 1))
    ]
    if small:
        settings = [settings[0], {**settings[1], "every": 3}]
    return _run.run(
        "boards_quick" if small else "boards",
        task,
        settings,
        repeats=checks.one_count(repeats, "repeats"),
        seed=SEED,
        summarize=_run.to_four_digits,
        **options,
    )


def show(summary: dict[str, Any]) -> None:
    """Print how often each statement is true, a line for each setting."""
    one_or_two_claims = {
        "interval": ("first interval", "middle interval", "last interval"),
        "bound": ("first bound", "middle bound", "last bound"),
        "normal": ("first normal", "middle normal", "last normal"),
        "difference": ("second difference", "middle difference"),
        "verdict": ("second verdict", "middle verdict"),
    }
    every = {key: (key,) for key in ("all differences", "all verdicts", "all ranks", "told apart")}
    print("Of several models or pairs the lowest.")
    for entry in summary["settings"]:
        if entry["repeats"]:
            s, row = entry["setting"], entry["summary"]
            lowest = {
                k: min(row[name] for name in of)
                for k, of in (every if s["every"] else one_or_two_claims).items()
            }
            cells = "  ".join(f"{key} {value:.3f}" for key, value in lowest.items())
            sets = entry["repeats"] * s["draws"]
            print(f"{s['board']:14}{s['test_set']:12}{s['n']:5} {sets:5} sets  {cells}")


if __name__ == "__main__":
    _run.command("boards")
