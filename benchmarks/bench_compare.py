"""Comparisons beside statsmodels and mlxtend, in one run: McNemar on 100,000 tables, Cochran's Q.

Run: ``python benchmarks/bench_compare.py``. A peer that is not installed is skipped.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from statsmodels.stats import contingency_tables as peer

from errlab import compare

TABLES = 100_000


def seconds(call: Callable[[], Any], rounds: int) -> tuple[float, Any]:
    """Median time of a call, and what it returned."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - start)
    return float(np.median(times)), result


def line(name: str, mine: float, other: float, gap: float) -> None:
    print(
        f"{name:44} errlab {mine * 1e3:9.2f} ms   peer {other * 1e3:9.1f} ms   "
        f"{other / mine:7.1f} x   largest difference {gap:.1e}"
    )


def tables() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.integers(0, 120, TABLES), rng.integers(0, 120, TABLES)


def mcnemar(method: str, **options: bool) -> float:
    """All tables at once against a loop over statsmodels; corrected ties are left out there."""
    n01, n10 = tables()
    n10 = n10 + (n01 == n10)  # statsmodels 0.15 gives p < 1 to a corrected tie
    pairs = list(zip(n01.tolist(), n10.tolist(), strict=True))

    def loop() -> Any:
        return np.array([peer.mcnemar([[0, a], [b, 0]], **options).pvalue for a, b in pairs])

    mine, result = seconds(lambda: compare.mcnemar(n01, n10, method=method), 7)
    with_interval, _ = seconds(lambda: compare.mcnemar(n01, n10, method=method).interval, 3)
    other, expected = seconds(loop, 3)
    gap = np.abs(result.pvalue - expected).max()
    assert gap < 1e-12, gap
    line(f"{TABLES} tables, McNemar {method}", mine, other, gap)
    line("  and their intervals", with_interval, other, gap)
    return other / mine


def one_table() -> None:
    def thousand(call: Callable[[], Any]) -> Any:
        for _ in range(1000):
            result = call()
        return result

    mine, result = seconds(lambda: thousand(lambda: compare.mcnemar(31, 52)), 5)
    other, expected = seconds(
        lambda: thousand(lambda: peer.mcnemar([[0, 31], [52, 0]], exact=True)), 5
    )
    line("1000 calls for one table, exact", mine, other, abs(result.pvalue - expected.pvalue))


def cochran() -> None:
    losses = np.random.default_rng(1).integers(0, 2, (20_000, 8))
    mine, result = seconds(lambda: compare.cochran_q(losses), 7)
    other, expected = seconds(lambda: peer.cochrans_q(losses), 7)
    assert abs(result.pvalue - expected.pvalue) < 1e-12
    line("Cochran's Q, 20000 x 8", mine, other, abs(result.pvalue - expected.pvalue))


def five_by_two() -> None:
    """The whole 5x2 cv F test with its ten trainings of each learner, beside mlxtend's."""
    try:
        from mlxtend.evaluate import combined_ftest_5x2cv
    except ImportError:
        print("mlxtend is not installed: 5x2 cv F skipped")
        return
    from sklearn.datasets import load_breast_cancer
    from sklearn.neighbors import NearestCentroid
    from sklearn.tree import DecisionTreeClassifier

    X, y = load_breast_cancer(return_X_y=True)
    a = NearestCentroid()
    b = DecisionTreeClassifier(max_depth=1, random_state=0)
    mine, _ = seconds(lambda: compare.five_by_two(a, b, X, y, rng=0), 5)
    other, _ = seconds(lambda: combined_ftest_5x2cv(a, b, X, y, random_seed=0), 5)
    line("5x2 cv F with training (splits differ)", mine, other, 0.0)


def main() -> None:
    ratio = mcnemar("exact", exact=True)
    assert ratio >= 50, f"exact is only {ratio:.0f} times as fast"
    mcnemar("chi2", exact=False, correction=False)
    mcnemar("chi2-corrected", exact=False, correction=True)
    one_table()
    cochran()
    five_by_two()


if __name__ == "__main__":
    main()
