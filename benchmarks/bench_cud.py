"""The CUD suprema beside the paper's own branch and bound, and how their time grows.

Run it as ``python benchmarks/bench_cud.py``. ``--draws 500`` takes all draws for the literal
algorithm too (about a quarter of an hour), fewer are scaled to 500; ``--store`` writes the
growth of the time to ``errlab/book/studies/cud_time.json``.
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import json
import platform
import time
from pathlib import Path

import literal_cud
import numpy as np

from errlab import __version__
from errlab.intervals import cud_bound, cud_supremum

DRAWS = 500
RATIOS = [(30, 3, 0), (50, 3, 100), (30, 5, 20)]  # n, p, wanted ratio
GROWTH = [(n, p) for p in (2, 3, 4) for n in (20, 30, 50, 100, 200)]
GROWTH += [(n, p) for p in (5, 6, 8) for n in (20, 30, 50)]
STORE = Path(__file__).parent.parent / "errlab/book/studies/cud_time.json"


def problem(n, p, signal, seed=0):
    """Design matrix with ones, labels, draws; with signal one column decides, with noise."""
    rng = np.random.default_rng(seed)
    Z = np.column_stack([np.ones(n), rng.normal(size=(n, p - 1))])
    y = np.where(signal * Z[:, 1] + rng.normal(size=n) > 0, 1.0, -1.0)
    return Z, y, rng.multinomial(n, np.ones(n) / n, size=DRAWS)


def seconds(function, repeats=5):
    """Median CPU seconds, and the answer."""
    answer, spent = function(), []
    for _ in range(repeats):
        start = time.process_time()
        function()
        spent.append(time.process_time() - start)
    return float(np.median(spent)), answer


def ratios(draws):
    """Print our time, the literal algorithm's with two solvers, and the ratios."""
    for n, p, wanted in RATIOS:
        for signal, label in ((1.5, "signal"), (0.0, "none")):
            Z, y, counts = problem(n, p, signal)
            ours, found = seconds(lambda Z=Z, y=y, c=counts: cud_supremum(Z, y, c))
            for solver in ("general", "nnls"):
                start = time.process_time()
                literal, nodes = literal_cud.suprema(Z, y, counts[:draws], solver=solver)
                spent = (time.process_time() - start) * DRAWS / draws
                worst = np.abs(literal - found[:draws]).max()
                # SLSQP stops at a relative change of the loss of 1e-12
                assert worst <= (1e-9 if solver == "nnls" else 1e-6), worst
                verdict = ""
                if wanted and solver == "general":
                    met = "met" if spent / ours >= wanted else "NOT MET"
                    verdict = f" (wanted {wanted}: {met})"
                print(
                    f"n={n} p={p} {label:6} B={DRAWS}: ours {ours:.3f} s, literal with "
                    f"{solver} solver {spent:.1f} s, ratio {spent / ours:.0f}{verdict}; "
                    f"{nodes / draws:.0f} nodes a draw, answers differ by {worst:.1e}",
                    flush=True,
                )


def whole_bound():
    """Print the CPU time of `cud_bound` itself, which is to stay below half a second."""
    for signal, label in ((1.5, "signal"), (0.0, "none")):
        Z, y, _ = problem(50, 3, signal)
        spent, _ = seconds(lambda Z=Z, y=y: cud_bound(Z[:, 1:], y, resamples=DRAWS, rng=0))
        met = "met" if spent < 0.5 else "NOT MET"
        print(f"cud_bound n=50 p=3 {label:6} B={DRAWS}: {spent:.3f} s (wanted < 0.5: {met})")


def growth():
    """Print and return the time for sizes and ranks, three data sets each."""
    table = []
    for n, p in GROWTH:
        for signal, label in ((1.5, "signal"), (0.0, "none")):
            spent = []
            for seed in range(3):
                Z, y, counts = problem(n, p, signal, seed)
                start = time.process_time()
                cud_supremum(Z, y, counts)
                spent.append(time.process_time() - start)
            row = {"n": n, "p": p, "signal": signal > 0, "seconds": float(np.median(spent))}
            table.append(row)
            print(f"n={n} p={p} {label:6} B={DRAWS}: {row['seconds']:.4f} s", flush=True)
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=20, help="draws for the literal algorithm")
    parser.add_argument("--store", action="store_true")
    arguments = parser.parse_args()
    whole_bound()
    ratios(arguments.draws)
    table = growth()
    if arguments.store:
        head = {
            "benchmark": "bench_cud",
            "draws": DRAWS,
            "unit": "CPU seconds, median of three data sets",
            "machine": platform.machine(),
            "versions": {"numpy": np.__version__, "errlab": __version__},
        }
        rounded = [row | {"seconds": float(f"{row['seconds']:.3g}")} for row in table]
        STORE.write_text(json.dumps(head | {"times": rounded}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
