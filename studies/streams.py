"""Streams that are sorted, or whose error drifts: no interval that the bets have ruled out.

A confidence sequence is for draws from one population. On other streams all true errors may be
ruled out, and then no interval may be printed. The study watches sorted and drifting streams with
`errlab.watch`, fed in parts of random sizes, and counts

    empty      streams of which it says at last that no single true error fits them
    points     looks at which the interval is one point, or thinner than rounding
    ruled out  looks, the thinnest and another, at which no point of the interval is left by bets
               that are computed here from the formula, at which an interval comes back after there
               was none, or at which there is none although the mean was never ruled out
    winners    streams that name a better classifier while the mean lies outside of the interval

    python -m studies.streams
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

import errlab

SEED = 10_000
STREAMS = 10_000
POINTS = 33  # candidates in an interval whose middle is ruled out

Array = np.ndarray[Any, np.dtype[np.float64]]
Generator = np.random.Generator


def labels(rng: Generator, n: int) -> Array:
    """Draw errors of one true rate."""
    return (rng.random(n) < rng.uniform(0.01, 0.6)).astype(float)


def graded(rng: Generator, n: int) -> Array:
    """Draw losses of a beta distribution."""
    return rng.beta(*rng.uniform(0.2, 3, 2), n)


def blocks(rng: Generator, n: int) -> Array:
    """Draw errors that come in runs, right and wrong by turns."""
    lengths = rng.integers(1, max(n // 4, 2), n)
    return np.repeat(np.arange(n) % 2, lengths)[:n].astype(float)


def drifting(rng: Generator, n: int) -> Array:
    """Draw errors whose rate moves on a line from one value to another."""
    return (rng.random(n) < np.linspace(*rng.uniform(0, 1, 2), n)).astype(float)


def jumping(rng: Generator, n: int) -> Array:
    """Draw errors whose rate jumps once."""
    cut = int(rng.integers(1, n))
    return (rng.random(n) < np.repeat(rng.uniform(0, 1, 2), [cut, n - cut])).astype(float)


KINDS: dict[str, Callable[[Generator, int], Array]] = {
    "sorted errors": lambda rng, n: np.sort(labels(rng, n)),
    "sorted errors, wrong first": lambda rng, n: np.sort(labels(rng, n))[::-1],
    "sorted losses": lambda rng, n: np.sort(graded(rng, n)),
    "sorted losses, large first": lambda rng, n: np.sort(graded(rng, n))[::-1],
    "blocks": blocks,
    "drift": drifting,
    "a jump": jumping,
    "losses that drift": lambda rng, n: np.clip(graded(rng, n) + np.linspace(0, 0.5, n), 0, 1),
}


def rich(losses: Array, candidate: float, delta: float) -> bool:
    """Whether the bets against one true mean have ever reached 2 / delta: straight from the text.

    A loss that is none of 0, 1/2 and 1 ends the second purse, whose money joins the first.
    """
    n = len(losses)
    cases = np.arange(1, n + 1)
    means = (0.5 + losses.cumsum()) / (cases + 1)
    squares = 0.25 + np.append(0, (losses - means) ** 2).cumsum()[:-1]
    stakes = np.sqrt(2 * np.log(2 / delta) / (squares * np.log1p(cases)))
    shares = 0.9 * 1.5 ** -np.arange(24.0)
    weights = np.sqrt(shares) / np.sqrt(shares).sum()
    for values, m in ((losses, candidate), (1 - losses, 1 - candidate)):
        m = max(m, 1e-300)
        first = np.log1p(np.minimum(stakes, 0.75 / m) * (values - m)).cumsum()
        other = ~np.isin(values, (0, 0.5, 1))
        cut = int(other.argmax()) + 1 if other.any() else n
        paid = np.floor(2 * values) / 2
        growth = np.log1p(shares[:, None] * (paid[:cut] / m - 1)).cumsum(axis=1)
        second = special.logsumexp(np.log(weights)[:, None] + growth, axis=0)
        capital = np.logaddexp(first[:cut], second) - np.log(2)
        if cut < n:  # now the first purse has all the money
            capital = np.append(capital, capital[-1] + first[cut:] - first[cut - 1])
        if capital.max() >= np.log(2 / delta):
            return True
    return False


def watched(rng: Generator, kind: str, paired: bool) -> Counter[str]:
    """Watch one stream, and count what must not happen."""
    n = int(np.exp(rng.uniform(np.log(20), np.log(500))))
    columns = [KINDS[kind](rng, n)]
    if paired:
        columns.append(KINDS[kind](rng, n)[:: rng.choice([-1, 1])])
    test = errlab.watch()
    cuts = np.unique(rng.integers(1, n, 3)) if n > 3 else []
    for parts in zip(*(np.split(column, cuts) for column in columns), strict=True):
        test.update(*parts)
    low, high = test.path
    none = low > high
    losses = (1 + columns[0] - columns[1]) / 2 if paired else columns[0]
    unit = (low + 1) / 2, (high + 1) / 2
    low, high = unit if paired else (low, high)
    found: Counter[str] = Counter(streams=1, empty=bool(none[-1]))
    found["points"] = int((~none & (high - low < 1e-9)).sum())
    # candidates that were ruled out stay so
    found["ruled out"] = int((np.diff(none.astype(int)) < 0).sum())
    thinnest = int(np.where(none, 2, high - low).argmin())
    for look in (thinnest, int(rng.choice(np.flatnonzero(~none)))):
        points = ((low[look] + high[look]) / 2, *np.linspace(low[look], high[look], POINTS))
        found["ruled out"] += all(rich(losses[: look + 1], m, test.delta) for m in points)
    words = str(test)
    found["winners"] = bool(test.drift and "is better than" in words)
    if none[-1]:
        found["points"] += "with 95% confidence" in words or test.to_dict()["low"] is not None
        found["ruled out"] += not rich(losses, float(losses.mean()), test.delta)
    return found


def study(streams: int = STREAMS, seed: int = SEED) -> dict[str, Counter[str]]:
    """Watch so many streams, of each kind as many, every third with two classifiers.

    Parameters
    ----------
    streams : int
        How many.
    seed : int
        Seed of all of them.

    Returns
    -------
    dict
        The counts of each kind.
    """
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    for number in range(streams):
        counts[[*KINDS][number % len(KINDS)]].update(stream(seed, number))
    return counts


def stream(seed: int, number: int) -> Counter[str]:
    """Watch the stream of this number, and count what must not happen."""
    kind = [*KINDS][number % len(KINDS)]
    rng = np.random.default_rng([seed, number])
    return watched(rng, kind, paired=number // len(KINDS) % 3 == 2)


def show(counts: dict[str, Counter[str]]) -> None:
    """Print a line for each kind, and one for all."""
    columns = ("streams", "empty", "points", "ruled out", "winners")
    print(*(f"{name:>9}" for name in columns))
    for kind, found in [*counts.items(), ("all", sum(counts.values(), Counter()))]:
        print(*(f"{found[name]:9,}" for name in columns), f" {kind}")


if __name__ == "__main__":
    started = time.process_time()
    show(study())
    print(f"{time.process_time() - started:.0f} CPU seconds")
