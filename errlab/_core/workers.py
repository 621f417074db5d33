"""Run many fits, in parallel if requested, with a progress bar if they take long."""

import contextlib
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from errlab._core import checks, extras

T = TypeVar("T")
Jobs = Sequence[tuple[object, ...]]  # the arguments of each call

PATIENCE = 2.0  # seconds before the first progress message
PAUSE = 0.2  # seconds between two messages
MOST = 1024  # largest number of workers
SHARES = 8  # batches per worker; data shared by the jobs of a batch is sent once


def each(task: Callable[..., T], jobs: Jobs, *, n_jobs: int | None) -> list[T]:
    """Return ``[task(*job) for job in jobs]``, whatever the number of workers.

    `n_jobs` is joblib's: None is 1, or what ``joblib.parallel_config`` says, -1 all processors.
    In a terminal, a progress bar appears on the standard error after two seconds.
    """
    check(n_jobs)
    # a generator, so that each job runs when its result is requested, and progress can be shown
    results: Iterator[T] = (task(*job) for job in jobs)
    # if joblib isn't loaded, nobody used parallel_config; one worker doesn't need joblib
    if n_jobs not in (None, 1) or "joblib" in sys.modules:
        joblib = extras.load("joblib")
        workers = min(joblib.effective_n_jobs(n_jobs), len(jobs))
        if workers > 1:
            results = _in_parallel(task, jobs, workers)
    if sys.stderr.isatty():
        results = _metered(results, len(jobs))
    with _one_thread():
        return list(results)


def _in_parallel(task: Callable[..., T], jobs: Jobs, workers: int) -> Iterator[T]:
    joblib = extras.load("joblib")
    # jobs are sent in batches, because data shared by a batch is pickled once
    size = len(jobs) // (SHARES * workers) + 1
    pool = joblib.Parallel(n_jobs=workers, batch_size=size, return_as="generator")
    with warnings.catch_warnings():
        # A worker that was idle for five minutes stops, and joblib replaces it with this warning.
        # If warnings are errors, it would end joblib's own thread, and no result would come.
        warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)
        yield from pool(joblib.delayed(task)(*job) for job in jobs)


def _one_thread() -> contextlib.AbstractContextManager[object]:
    """Limit linear algebra to one thread, because threads mostly wait for each other in small fits.

    scikit-learn installs threadpoolctl; without it, the number of threads isn't changed.
    """
    try:
        pools = extras.load("threadpoolctl")
    except ImportError:
        return contextlib.nullcontext()
    limits: contextlib.AbstractContextManager[object] = pools.threadpool_limits(1, user_api="blas")
    return limits


def check(n_jobs: object) -> None:
    """Check the arguments for parallel work, even if there turns out to be no work."""
    if n_jobs is not None:
        if isinstance(n_jobs, bool) or not isinstance(n_jobs, int):
            raise TypeError(f"n_jobs must be a whole number or None, got {checks.show(n_jobs)}")
        rule = f"be in 1 .. {MOST}, or -1 for all processors"
        checks.require(1 <= abs(n_jobs) <= MOST, "n_jobs", rule, n_jobs)


def _metered(results: Iterator[T], total: int) -> Iterator[T]:
    """Yield the results; after `PATIENCE` seconds, print how many are done."""
    due = time.monotonic() + PATIENCE
    end = ""  # the line end after the last message
    for number, result in enumerate(results, start=1):
        yield result
        if time.monotonic() >= due or (end and number == total):
            bar = "#" * (30 * number // total)
            end = "\n" if number == total else "\r"
            print(f"[{bar:<30}] {number} of {total}", end=end, file=sys.stderr, flush=True)
            due = time.monotonic() + PAUSE
