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
            # jobs are sent in batches, because data shared by a batch is pickled once
            size = len(jobs) // (SHARES * workers) + 1
            pool = joblib.Parallel(n_jobs=workers, batch_size=size, return_as="generator")
            results = results_of(pool, (joblib.delayed(task)(*job) for job in jobs))
    if sys.stderr.isatty():
        results = _metered(results, len(jobs))
    with _one_thread():
        return list(results)


def results_of(pool: Callable[..., Iterator[T]], calls: Iterator[object]) -> Iterator[T]:
    """Yield the results of delayed calls in a ``joblib.Parallel`` that returns a generator.

    A worker stops after five idle minutes. If it gets a call in that moment, joblib replaces it and
    warns. The warning is left out, because it says nothing about the calls, and where warnings are
    errors it ends joblib's own thread, so that no result arrives.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)
        yield from pool(calls)


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
