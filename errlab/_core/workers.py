"""Many fits: on several processors where that is asked for, with a meter once it takes long."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from errlab._core import checks, extras

T = TypeVar("T")
Jobs = Sequence[tuple[object, ...]]  # the arguments of each

PATIENCE = 2.0  # seconds without a word
PAUSE = 0.2  # seconds between two words
MOST = 1024  # workers
SHARES = 8  # of the jobs for each worker; what the jobs of a share have in common travels once


def each(
    task: Callable[..., T], jobs: Jobs, *, n_jobs: int | None, progress: bool | None
) -> list[T]:
    """Return ``[task(*job) for job in jobs]``, whatever the number of workers.

    `n_jobs` is joblib's: None is 1, or what ``joblib.parallel_config`` says, -1 all processors.
    `progress` shows a meter on the standard error after two seconds; None does so on a terminal.
    """
    check(n_jobs, progress)
    # lazy: each job runs when the meter, or the list, asks for its result
    results: Iterator[T] = (task(*job) for job in jobs)
    # without joblib nobody can have said parallel_config, and one worker needs no joblib
    if n_jobs not in (None, 1) or "joblib" in sys.modules:
        joblib = extras.load("joblib")
        workers = min(joblib.effective_n_jobs(n_jobs), len(jobs))
        if workers > 1:
            # batches: what the jobs of one have in common is pickled once
            size = len(jobs) // (SHARES * workers) + 1
            pool = joblib.Parallel(n_jobs=workers, batch_size=size, return_as="generator")
            results = pool(joblib.delayed(task)(*job) for job in jobs)
    if progress or (progress is None and sys.stderr.isatty()):
        results = _metered(results, len(jobs))
    with _one_thread():
        return list(results)


def _one_thread() -> contextlib.AbstractContextManager[object]:
    """Keep linear algebra on one thread: threads of small fits mostly wait for each other.

    Whoever has scikit-learn has threadpoolctl; without it the threads are as they are.
    """
    try:
        pools = extras.load("threadpoolctl")
    except ImportError:
        return contextlib.nullcontext()
    limits: contextlib.AbstractContextManager[object] = pools.threadpool_limits(1, user_api="blas")
    return limits


def check(n_jobs: object, progress: object) -> None:
    """Check what says how the work is done, also where there turns out to be none."""
    if n_jobs is not None:
        if isinstance(n_jobs, bool) or not isinstance(n_jobs, int):
            raise TypeError(f"n_jobs must be a whole number or None, got {checks.show(n_jobs)}")
        rule = f"be in 1 .. {MOST}, or -1 for all processors"
        checks.require(1 <= abs(n_jobs) <= MOST, "n_jobs", rule, n_jobs)
    if progress is not None:
        checks.flag(progress, "progress")


def _metered(results: Iterator[T], total: int) -> Iterator[T]:
    """Pass the results on; past the patience, say how many there are."""
    due = time.monotonic() + PATIENCE
    end = ""  # of the last word
    for number, result in enumerate(results, start=1):
        yield result
        if time.monotonic() >= due or (end and number == total):
            bar = "#" * (30 * number // total)
            end = "\n" if number == total else "\r"
            print(f"[{bar:<30}] {number} of {total}", end=end, file=sys.stderr, flush=True)
            due = time.monotonic() + PAUSE
