"""Print one row of the table: errlab and another package, if their answers agree."""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import time
from collections.abc import Callable
from typing import Any

import numpy as np

ROW = "{:<46} {:<30} {:>10} {:>10} {:>8} {:>7}"


def spent(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU seconds of a call, and its answer."""
    start = time.process_time()
    answer = call()
    return time.process_time() - start, answer


def row(
    what: str,
    ours: Callable[[], Any],
    peer: Callable[[], Any],
    name: str,
    wanted: float,
    *,
    atol: float,
    rounds: int = 3,
    scale: float = 1.0,
) -> None:
    """Print the median milliseconds of both, and their ratio beside the goal.

    errlab's call is repeated until it has taken as long as one of the other's, at most 25 times a
    round; `scale` is the size of the whole task divided by the part that the other package gets.
    """
    answer = ours()
    slow, fast = [], []
    for _ in range(rounds):
        seconds, expected = spent(peer)
        np.testing.assert_allclose(answer, expected, rtol=0, atol=atol)
        slow.append(seconds * scale)
        left = seconds
        for _ in range(25):
            seconds, _ = spent(ours)
            fast.append(seconds)
            left -= seconds
            if left < 0:
                break
    theirs, mine = np.median(slow), np.median(fast)
    ratio = theirs / mine
    verdict = "" if ratio >= wanted else "  NOT MET"
    cells = (f"{mine * 1e3:.3g}", f"{theirs * 1e3:.4g}", f"{ratio:.3g}", f"{wanted:g}")
    print(ROW.format(what, name, *cells) + verdict, flush=True)


print(ROW.format("errlab", "peer", "ms", "peer's ms", "ratio", "wanted"))
