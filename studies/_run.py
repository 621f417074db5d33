"""Run a long study in parallel; it can be resumed, and its results don't depend on the workers.

A study is a task, its settings and a number of repetitions::

    def task(rng, n, p):  # at module level, so that other processes can import it
        return {"covered": bool(...), "width": ...}

    summary = run("coverage", task, [{"n": 30, "p": 2}, {"n": 50, "p": 2}], repeats=1000, seed=0)

The seed of each repetition depends only on the study's seed, the setting and the repetition's
number. Results are appended to ``<name>.jsonl`` as they arrive, so that a stopped study can go on,
and more repetitions or settings add to the stored ones. The summary is written to ``<name>.json``.
joblib starts the processes; one more line uses a cluster::

    with joblib.parallel_config(backend="dask"):
        run(...)
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import importlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

import joblib
import numpy as np

from errlab import checks
from errlab._core.workers import results_of
from studies import _rows
from studies._rows import versions

RESULTS = Path(__file__).parent.parent / "book" / "errlab_book" / "studies"

Setting = Mapping[str, Any]
Result = dict[str, Any]
Job = tuple[str, int, Setting]  # digest of the setting, number of the repetition, setting


def run(
    name: str,
    task: Callable[..., Mapping[str, Any]],
    settings: Iterable[Setting],
    *,
    repeats: int,
    seed: int,
    workers: int | None = -1,
    folder: Path | str = RESULTS,
    seconds: float | None = None,
    summarize: Callable[[list[Result]], Mapping[str, Any]] | None = None,
    progress: TextIO | None = sys.stderr,
) -> dict[str, Any]:
    """Run `task` for each setting and repetition that is not stored yet; summarise and store.

    Parameters
    ----------
    name : str
        Name of the study: ``<name>.jsonl`` holds the repetitions, ``<name>.json`` the summary.
    task : callable
        ``task(rng, **setting)`` returns a flat mapping of numbers and booleans (no NaN).
        It is defined at the top level of a module.
    settings : iterable of mappings
        Keyword arguments of the task: names to JSON values.
    repeats : int
        Number of repetitions of each setting, at least 1.
    seed : int
        Seed of the study. What another seed, another state of the task's module or other
        versions have stored is not mixed with this.
    workers : int, optional
        Number of processes; -1 takes all cores, None what ``joblib.parallel_config`` says.
    folder : path
        Where the two files go.
    seconds : float, optional
        Stop when that much time has passed; the summary says how many repetitions it holds.
    summarize : callable, optional
        Turns the results of one setting into a flat mapping. By default: mean and Monte Carlo
        standard error of each number.
    progress : stream, optional
        Where the progress line goes; None for nowhere.

    Returns
    -------
    dict
        What ``<name>.json`` holds: study, seed, versions, and for each setting the setting, the
        number of repetitions and the summary.

    Raises
    ------
    ValueError
        If the stored repetitions belong to another seed, another task or other versions, a
        stored line cannot be read, two settings are equal, or `repeats` is below 1.
    """
    wanted = list(settings)
    jobs = {_digest(setting): setting for setting in wanted}
    if len(jobs) < len(wanted):
        raise ValueError("settings must differ, but two of them are equal")
    repeats = checks.one_count(repeats, "repeats")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    lines = folder / f"{name}.jsonl"
    stored = _rows.load(lines, _rows.head(seed, task))
    todo = [
        (key, repetition, setting)
        for repetition in range(repeats)
        for key, setting in jobs.items()
        if (key, repetition) not in stored
    ]
    started = time.monotonic()
    with lines.open("ab") as out:
        for done, (key, repetition, result) in enumerate(_compute(task, todo, seed, workers), 1):
            stored[key, repetition] = result
            _rows.append(out, [key, repetition, result])
            spent = time.monotonic() - started
            _tell(progress, name, done, len(todo), spent)
            if seconds is not None and spent > seconds:
                break
    summary = {
        "study": name,
        "seed": seed,
        "versions": versions(),
        "settings": [
            _summary(setting, _of(stored, key, repeats), summarize or moments)
            for key, setting in jobs.items()
        ],
    }
    text = json.dumps(summary, indent=1, allow_nan=False)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    return summary


def moments(results: Sequence[Result]) -> Result:
    """Return the mean of each number, and its Monte Carlo standard error under ``<key>_se``."""
    table: Result = {}
    for key in results[0]:
        values = np.array([result[key] for result in results], dtype=float)
        table[key] = float(values.mean())
        if len(values) > 1:
            table[f"{key}_se"] = float(values.std(ddof=1) / np.sqrt(len(values)))
    return table


def seed_of(seed: int, setting: Setting, repetition: int) -> np.random.SeedSequence:
    """Return the seed of one repetition: the child number `repetition` of the setting's seed."""
    words = [int(_digest(setting)[i : i + 8], 16) for i in (0, 8)]
    # equals spawn(repetition + 1)[-1] without spawning the others
    return np.random.SeedSequence([seed, *words], spawn_key=(repetition,))


def _digest(setting: Setting) -> str:
    text = json.dumps(dict(setting), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _one(
    task: Callable[..., Mapping[str, Any]], job: Job, seed: int, runner: int
) -> tuple[str, int, Result]:
    """Run one repetition; `runner` is the id of the process that started the study."""
    if os.getppid() == runner:
        _end_with_parent()
    key, repetition, setting = job
    result = task(np.random.default_rng(seed_of(seed, setting, repetition)), **setting)
    clean = {name: np.asarray(value).item() for name, value in result.items()}
    return key, repetition, clean


def _compute(
    task: Callable[..., Mapping[str, Any]], jobs: list[Job], seed: int, workers: int | None
) -> Iterator[tuple[str, int, Result]]:
    pool = joblib.Parallel(n_jobs=workers, return_as="generator_unordered")
    calls = (joblib.delayed(_one)(task, job, seed, os.getpid()) for job in jobs)
    return results_of(pool, calls)


@functools.cache
def _end_with_parent() -> None:
    """End this worker when its parent process has ended, even if it was killed."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _of(stored: Mapping[tuple[str, int], Result], key: str, repeats: int) -> list[Result]:
    return [stored[key, r] for r in range(repeats) if (key, r) in stored]


def _summary(
    setting: Setting,
    results: list[Result],
    summarize: Callable[[list[Result]], Mapping[str, Any]],
) -> dict[str, Any]:
    table = dict(summarize(results)) if results else {}
    return {"setting": dict(setting), "repeats": len(results), "summary": table}


def _tell(stream: TextIO | None, name: str, done: int, total: int, spent: float) -> None:
    """Write the progress line."""
    if stream is None:
        return
    left = spent / done * (total - done)
    stream.write(f"\r{name}: {done} of {total}, {spent:.0f} s, {left:.0f} s left   ")
    if done == total:
        stream.write("\n")
    stream.flush()


def to_four_digits(results: Sequence[Result]) -> dict[str, float]:
    """Return the mean of each number and its Monte Carlo error, to four digits."""
    return {key: float(f"{value:.4g}") for key, value in moments(results).items()}


def command(name: str) -> None:
    """Run a study of this folder from the command line, and show its results.

    The study is imported by name and not run as ``__main__``, because other processes must be able
    to import its task.
    """
    module = importlib.import_module(f"studies.{name}")
    parser = argparse.ArgumentParser(description=str(module.__doc__).splitlines()[0])
    parser.add_argument("--repeats", type=int, default=module.study.__kwdefaults__["repeats"])
    parser.add_argument("--workers", type=int, default=-1)
    parser.add_argument("--seconds", type=float, default=None, help="stop after that time")
    parser.add_argument("--small", action="store_true", help="a quick look at few settings")
    parser.add_argument("--folder", type=Path, default=RESULTS, help="where results go")
    module.show(module.study(**vars(parser.parse_args())))
