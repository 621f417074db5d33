"""The CUD suprema beside the paper's own branch and bound, before and after, and how time grows.

Run it as ``python benchmarks/bench_cud.py``. ``--draws 500`` takes all draws for the literal
algorithm too (about a quarter of an hour), fewer are scaled to 500; ``--store`` writes the
growth of the time to ``errlab/book/studies/cud_time.json``; ``--only before growth`` runs some
parts.

"Before" is how ranks from 4 on were searched at first: the sweep over all flats while the lines
are few enough, else branch and bound, draw by draw.
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
from errlab.intervals.cud import _branch, _geometry, _sweep

DRAWS = 500
RATIOS = [(30, 3, 0), (50, 3, 100), (30, 5, 20)]  # n, p, wanted ratio
GROWTH = [(n, p) for p in (2, 3, 4) for n in (20, 30, 50, 100, 200)]
GROWTH += [(n, 5) for n in (20, 30, 50, 100)]
GROWTH += [(n, p) for p in (6, 8) for n in (20, 30, 50)]
AFTER = [(50, 5, 5), (50, 6, 5), (200, 4, 5)]  # n, p, wanted ratio to before
STORE = Path(__file__).parent.parent / "errlab/book/studies/cud_time.json"


def problem(n, p, signal, seed=0):
    """Design matrix with ones, labels, draws; with signal one column decides, with noise."""
    rng = np.random.default_rng(seed)
    Z = np.column_stack([np.ones(n), rng.normal(size=(n, p - 1))])
    y = np.where(signal * Z[:, 1] + rng.normal(size=n) > 0, 1.0, -1.0)
    return Z, y, rng.multinomial(n, np.ones(n) / n, size=DRAWS)


def seconds(function, repeats=5):
    """Median CPU seconds, and the answer."""
    answer = function()
    spent = []
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


def at_first(Z, y, counts):
    """Suprema as they were computed at first."""
    design = _geometry.reduce_design(Z, y)
    draws = _sweep.make_draws(design, y, counts.astype(float), 1.0)
    state = _sweep.sweep(design, draws)
    best = state.best if state.finished else _branch.branch(design, draws, state.best)[0]
    return best / len(y)


def before_and_after():
    """Print the time before and after in turn, three data sets each, and the median ratio."""
    for n, p, wanted in AFTER:
        for signal, label in ((1.5, "signal"), (0.0, "none")):
            times = []
            for seed in range(3):
                problem_ = problem(n, p, signal, seed)
                start = time.process_time()
                old = at_first(*problem_)
                middle = time.process_time()
                new = cud_supremum(*problem_)
                times.append((middle - start, time.process_time() - middle))
                assert np.abs(old - new).max() < 1e-9
            before, after = np.median(times, axis=0)
            ratio = np.median([old / new for old, new in times])
            verdict = f" (wanted {wanted}: {'met' if ratio >= wanted else 'NOT MET'})"
            print(
                f"n={n} p={p} {label:6} B={DRAWS}: before {before:.2f} s, after {after:.2f} s, "
                f"ratio {ratio:.1f}{verdict if not signal else ''}",
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
    parts = ["bound", "before", "literal", "growth"]
    parser.add_argument("--only", nargs="+", choices=parts, default=parts)
    arguments = parser.parse_args()
    if "bound" in arguments.only:
        whole_bound()
    if "before" in arguments.only:
        before_and_after()
    if "literal" in arguments.only:
        ratios(arguments.draws)
    table = growth() if "growth" in arguments.only else []
    if arguments.store and table:
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
