"""Time comparisons against statsmodels, and the CUD suprema against the published branch and bound.

``--store`` also writes the growth of `cud_supremum`'s time, which chapter 10 shows, to
``book/errlab_book/studies/cud_time.json``.
"""

import json
import platform
import sys
from pathlib import Path

import numpy as np
from statsmodels.stats import contingency_tables as peer

from errlab import __version__, compare
from errlab.training_set import cud_supremum
from studies.benchmarks import literal_cud
from studies.benchmarks.side_by_side import row, spent

TABLES, DRAWS = 100_000, 500
GROWTH = [(n, p) for p in (2, 3, 4) for n in (20, 30, 50, 100, 200)]
GROWTH += [(n, 5) for n in (20, 30, 50, 100)] + [(n, p) for p in (6, 8) for n in (20, 30, 50)]
STORE = Path(__file__).parents[2] / "book/errlab_book/studies/cud_time.json"


def mcnemar(method, wanted, **options):
    """All tables at once against a loop over statsmodels."""
    n01, n10 = np.random.default_rng(0).integers(0, 120, (2, TABLES))
    n10 = n10 + (n01 == n10)  # statsmodels 0.15 gives p < 1 for a tie with continuity correction
    pairs = list(zip(n01.tolist(), n10.tolist(), strict=True))
    row(
        f"McNemar {method}, 1e5 tables",
        lambda: compare.mcnemar(n01, n10, method=method).pvalue,
        lambda: [peer.mcnemar([[0, a], [b, 0]], **options).pvalue for a, b in pairs],
        "loop over statsmodels",
        wanted,
        atol=1e-12,
        rounds=1,
    )


def cochran():
    losses = (np.random.default_rng(2).random((100_000, 5)) < 0.2).astype(float)

    def ours():
        return compare.cochran_q(losses).pvalue

    row("Cochran's Q, 1e5 examples, 5 models", ours, lambda: peer.cochrans_q(losses).pvalue,
        "statsmodels", 1, atol=1e-9)  # fmt: skip


def problem(n, p, signal, seed=0):
    """Return a design matrix, labels and draws; with signal, one noisy column decides the label."""
    rng = np.random.default_rng(seed)
    Z = np.column_stack([np.ones(n), rng.normal(size=(n, p - 1))])
    y = np.where(signal * Z[:, 1] + rng.normal(size=n) > 0, 1.0, -1.0)
    return Z, y, rng.multinomial(n, np.ones(n) / n, size=DRAWS)


def cud(n, p, wanted, draws):
    """All 500 draws; the published algorithm only gets a few of them."""
    for signal in (1.5, 0.0):
        Z, y, counts = problem(n, p, signal)
        row(
            f"CUD, n = {n}, p = {p}, {'a signal' if signal else 'no signal'}",
            lambda Z=Z, y=y, c=counts: cud_supremum(Z, y, c)[:draws],
            lambda Z=Z, y=y, c=counts[:draws]: literal_cud.suprema(Z, y, c)[0],
            f"as printed, {draws} draws scaled",
            wanted,
            atol=1e-6,  # SLSQP stops at a relative change of the loss of 1e-12
            rounds=1,
            scale=DRAWS / draws,
        )


def growth():
    """Return the median time of three data sets for each size and rank."""
    for n, p in GROWTH:
        for signal in (1.5, 0.0):
            sets = [problem(n, p, signal, seed) for seed in range(3)]
            times = [spent(lambda one=one: cud_supremum(*one))[0] for one in sets]
            seconds = float(f"{np.median(times):.3g}")
            yield {"n": n, "p": p, "signal": signal > 0, "seconds": seconds}


if __name__ == "__main__":
    mcnemar("exact", 150, exact=True)
    mcnemar("chi2-corrected", 150, exact=False, correction=True)
    cochran()
    cud(50, 3, 100, 20)
    cud(30, 5, 20, 10)
    if "--store" in sys.argv[1:]:
        head = {
            "benchmark": "bench_compare",
            "draws": DRAWS,
            "unit": "CPU seconds, median of three data sets",
            "machine": platform.machine(),
            "versions": {"numpy": np.__version__, "errlab": __version__},
        }
        STORE.write_text(json.dumps(head | {"times": list(growth())}, indent=1) + "\n", "utf-8")
