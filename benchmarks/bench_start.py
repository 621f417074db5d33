"""Time the start of errlab beside what it must load: Python, argparse, numpy, scipy.special.

Run it as ``python benchmarks/bench_start.py [rounds]``. Every program is started in turn, round
after round, and its CPU seconds are taken (children included), so that a busy machine disturbs
all alike; the medians and their ratios are printed. A start should cost at most 1.2 times what
it cannot do without. All modules are compiled in the round before the first, as an installer does.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 1.2
NEEDS = "import argparse, csv, json, numpy, scipy.special"
PROGRAMS = {
    "empty Python": ["-c", "pass"],
    "argparse, its help": ["-c", "import argparse; argparse.ArgumentParser().print_help()"],
    "numpy": ["-c", "import numpy"],
    "numpy, scipy.special": ["-c", NEEDS],
    "import errlab": ["-c", "import errlab"],
    "errlab --help": ["-m", "errlab", "--help"],
    "errlab report, one": ["-m", "errlab", "report", "one.csv"],
    "errlab report, two": ["-m", "errlab", "report", "two.csv"],
}
BESIDE = {  # what each cannot do without
    "import errlab": "empty Python",
    "errlab --help": "argparse, its help",
    "errlab report, one": "numpy, scipy.special",
    "errlab report, two": "numpy, scipy.special",
}


def seconds(arguments, folder):
    """CPU seconds of one start."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).resolve().parent.parent),
        "PYTHONPYCACHEPREFIX": str(Path(folder, "compiled")),
        "PYTHONDONTWRITEBYTECODE": "",
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL,
        env=environment,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main(rounds=15):
    times = {name: [] for name in PROGRAMS}
    with tempfile.TemporaryDirectory() as folder:
        cases = [f"{i % 2},{i % 3 % 2},{i % 5 % 2}" for i in range(200)]
        Path(folder, "one.csv").write_text(
            "\n".join(["y_true,y_pred", *(c.rpartition(",")[0] for c in cases)]) + "\n"
        )
        Path(folder, "two.csv").write_text("\n".join(["y_true,pred_a,pred_b", *cases]) + "\n")
        for turn in range(rounds + 1):
            for name, arguments in PROGRAMS.items():
                spent = seconds(arguments, folder)
                if turn:  # the first round only warms the disk and compiles
                    times[name].append(spent)
    median = {name: statistics.median(spent) for name, spent in times.items()}
    for name, spent in median.items():
        other = BESIDE.get(name)
        ratio = f"   {spent / median[other]:5.2f} times {other}" if other else ""
        print(f"{name:24}{spent * 1000:8.0f} ms{ratio}")
    return {name: median[name] / median[other] for name, other in BESIDE.items()}


if __name__ == "__main__":
    ratios = main(*(int(word) for word in sys.argv[1:]))
    slow = [name for name, ratio in ratios.items() if ratio > LIMIT]
    print("more than the limit:" if slow else "all within the limit:", LIMIT, *slow)
