"""Plots of looks during a test: their cost, and intervals that are valid at every look."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from errlab import bounds, checks, coverage
from errlab.checks import FloatArray
from errlab.results import Interval
from errlab.style import styled
from errlab_book.plots.paper import ACCENT, BODY, INK, SOFT, headline, paper, spread, write

EVERY = {"every example": 1, "every 10 examples": 10, "every 100 examples": 100}


@functools.lru_cache(maxsize=64)
def missed_so_far(error: float, n: int, *, delta: float = 0.05, step: int = 1) -> FloatArray:
    """Return the probability that a look so far has missed, by `errlab.coverage.peeking`; cached.

    Examples
    --------
    >>> round(float(missed_so_far(0.1, 200)[-1]), 3)
    0.212
    """
    missed = coverage.peeking("CP", error, n, delta=delta, start=step, step=step)
    # read-only, because all callers share this array
    missed.flags.writeable = False
    return missed


@styled
def plot_peeking(
    error: float,
    n: int,
    *,
    delta: float = 0.05,
    missed_by: Callable[[int], FloatArray] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the exact probability that a look so far has missed, for looks of different frequency.

    Parameters
    ----------
    error : float
        True error, in [0, 1].
    n : int
        Examples at the end, at least 100.
    delta : float
        Probability that one look may fail, in (0, 1).
    missed_by : callable, optional
        ``missed_by(step)``: the probability that a look so far has missed, after each example,
        with a look after every `step`; by default that of `errlab.coverage.peeking`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> print(plot_peeking(0.1, 200).get_title(loc="left"))
    Looked at every time, a 95%
    interval misses in 21% of runs
    """
    cases = checks.one_count(n, "n", 100)
    ax = ax or paper(350, 270)
    # the highest line is the finding
    looks_of: dict[str, dict[str, Any]] = {
        "every example": {"color": ACCENT, "lw": 2.6, "ls": "-"},
        "every 10": {"color": INK, "lw": 1.8, "ls": "-", "alpha": SOFT},
        "every 100": {"color": INK, "lw": 1.8, "ls": (0, (5, 2)), "alpha": SOFT},
    }
    ends = []
    for style, step in zip(looks_of.values(), EVERY.values(), strict=True):
        missed = 100 * (
            missed_so_far(error, cases, delta=delta, step=step)
            if missed_by is None
            else missed_by(step)
        )
        # at most 150 looks, because more wouldn't be visible and would make the page large
        looks = np.linspace(1, cases // step, min(cases // step, 150)).astype(int) * step
        # start at the first example, although before the first look no look can miss
        at = np.append(1, looks)
        ax.plot(at, missed[at - 1], drawstyle="steps-post", **style)
        ends.append(float(missed[-1]))
    ax.plot(cases, ends[0], "s", color=ACCENT, ms=7, clip_on=False)
    ax.axhline(100 * delta, color=INK, lw=1, alpha=BODY)
    top = 1.25 * max(ends[0], 100 * delta)
    names = [f"{name}: {end:.{delta < 0.05:d}f}%" for name, end in zip(looks_of, ends, strict=True)]
    names.append(f"allowed: {100 * delta:g}%")
    places = spread([*ends, 100 * delta], top / 11)
    for number, (name, place) in enumerate(zip(names, places, strict=True)):
        write(ax, name, (cases, place), (9, 0), weight="normal" if number else "bold")
    ax.set(xlabel="examples so far", xlim=(0, n), ylim=(0, top))
    ax.set_xticks([0, n // 2, n], ["0", f"{n // 2:,}", f"{n:,}"])
    ax.yaxis.set_major_formatter("{x:g}%")
    headline(
        ax,
        f"Looked at every time, a {1 - delta:.0%} interval misses in {ends[0]:.0f}% of runs",
        f"Runs in which a look so far has missed a true error of {error:.0%}",
    )
    return ax


def losses_of_run(error: float, n: int, seed: int) -> FloatArray:
    """Return the losses of one run."""
    return (np.random.default_rng(seed).random(n) < error).astype(float)


def for_one_look(
    losses: FloatArray, interval: Callable[..., Any] | None = None
) -> Interval[FloatArray]:
    """Return the interval for a fixed number of examples, after each example."""
    cases = np.arange(1, len(losses) + 1)
    if interval is None:
        return bounds.interval("CP", errors=losses.cumsum(), n=cases)
    return Interval(*interval(losses.cumsum(), cases))


@functools.lru_cache(maxsize=64)
def two_sequences(
    error: float, n: int, *, seed: int = 0, interval: Callable[..., Any] | None = None
) -> tuple[Interval[FloatArray], Interval[FloatArray], str]:
    """Return both intervals after each example of one run, and a summary of their misses.

    Examples
    --------
    >>> two_sequences(0.1, 200)[2]
    'In this run both intervals always contain the true error'
    """
    losses = losses_of_run(error, n, seed)
    fixed = for_one_look(losses, interval)
    always = bounds.confidence_sequence(losses)
    missed = [int(((e.low > error) | (e.high < error)).sum()) for e in (fixed, always)]
    if not any(missed):
        return fixed, always, "In this run both intervals always contain the true error"
    usual, ours = (f"{looks:,} looks" if looks else "none" for looks in missed)
    return fixed, always, f"The usual interval misses at {usual}, the sequence at {ours}"


@styled
def plot_two_sequences(
    error: float,
    n: int,
    *,
    seed: int = 0,
    interval: Callable[..., Any] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw one run: the interval for a fixed number of examples, and the confidence sequence.

    Parameters
    ----------
    error : float
        True error, in [0, 1].
    n : int
        Examples, at least 1.
    seed : int
        Which run.
    interval : callable, optional
        ``interval(errors, n)`` for one look; by default Clopper and Pearson's.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> plot_two_sequences(0.1, 200).get_xlabel()
    'examples so far'
    """
    truth = float(checks.mean(error, "error", ndim=0))
    cases = np.arange(1, checks.one_count(n) + 1)
    fixed, always, words = two_sequences(truth, len(cases), seed=seed, interval=interval)
    ax = ax or paper(350, 290)
    # points evenly spaced on the logarithmic axis
    every = np.unique(np.geomspace(1, n, 300).round().astype(int)) - 1
    low, high = 100 * always.low, 100 * always.high
    ax.fill_between(cases[every], low[every], high[every], color=INK, alpha=0.14, lw=0)
    for end in (fixed.low, fixed.high):
        ax.plot(cases[every], 100 * end[every], "--", color=INK, lw=1.4)
    ax.axhline(100 * truth, color=INK, lw=1)
    # squares where the usual interval no longer contains the true error
    missed = (fixed.low > truth) | (fixed.high < truth)
    marks = every[missed[every]]
    ax.plot(cases[marks], np.full(len(marks), 100 * truth), "s", color=ACCENT, ms=6, mew=0)
    # the first few intervals are too wide to be useful, and would fill most of the height
    top = min(100.0, 250 * truth)
    ax.set(xlabel="examples so far", xscale="log", xlim=(min(50, n / 2), n), ylim=(0, top))
    ticks = [tick for tick in (10, 50, 100, 200, 500, 1000, 2000) if min(50, n / 2) <= tick <= n]
    ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    ax.xaxis.set_minor_locator(NullLocator())
    ax.yaxis.set_major_formatter("{x:g}%")
    write(ax, f"true error\n{truth:.0%}", (n, 100 * truth), (8, 0))
    if len(marks):
        # above all lines, where nothing else is drawn, with a guide down to the squares
        at = min(np.sqrt(cases[marks[0]] * cases[marks[-1]]), n / 1.3)
        ax.plot([at, at], [104 * truth, 0.8 * top], color=INK, lw=1, alpha=BODY)
        write(ax, "missed", (at, 0.8 * top), (0, 8), ha="center", weight="bold")
    headline(ax, words, "Dashed: interval for one look. Grey: confidence sequence.")
    return ax
