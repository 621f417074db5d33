"""Plots of looking while a test runs: what it costs, and what is valid at every look."""

from __future__ import annotations

import functools

import numpy as np
from matplotlib.axes import Axes

from errlab import bounds, coverage
from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._core.interval import Interval
from errlab._style import BLUE, VERMILION, curve, look, new_axes, styled

EVERY = {"every example": 1, "every 10 examples": 10, "every 100 examples": 100}


@functools.lru_cache(maxsize=64)
def missed_so_far(error: float, n: int, *, delta: float = 0.05, step: int = 1) -> FloatArray:
    """Probability that a look so far has missed, by `errlab.coverage.peeking`; cached.

    Examples
    --------
    >>> round(float(missed_so_far(0.1, 200)[-1]), 3)
    0.212
    """
    missed = coverage.peeking("CP", error, n, delta=delta, start=step, step=step)
    # everybody who asks gets this one array
    missed.flags.writeable = False
    return missed


@styled
def plot_peeking(error: float, n: int, *, delta: float = 0.05, ax: Axes | None = None) -> Axes:
    """Draw the exact probability that a look so far has missed, for looks of different frequency.

    Parameters
    ----------
    error : float
        True error, in [0, 1].
    n : int
        Examples at the end, at least 100.
    delta : float
        Probability that one look may fail, in (0, 1).

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> [line.get_label() for line in plot_peeking(0.1, 200).lines][0]
    'a look after every example'
    """
    cases = checks.one_count(n, "n", 100)
    ax = new_axes(ax, figsize=(4.8, 3.2))
    for number, (name, step) in enumerate(EVERY.items()):
        missed = missed_so_far(error, cases, delta=delta, step=step)
        # at most 150 of the looks: more would not be seen, and make the page heavy
        looks = np.linspace(1, cases // step, min(cases // step, 150)).astype(int) * step
        # from the first example on, though no look has missed before the first look
        at = np.append(1, looks)
        style = look(number) | {"lw": 1.8, "drawstyle": "steps-post"}
        curve(ax, at, missed[at - 1], label=f"a look after {name}", look=style)
    ax.axhline(delta, color="0.3", lw=1, linestyle=":", label=f"promised for one look, {delta:g}")
    ax.set(
        xlabel="examples so far",
        ylabel="probability of a miss so far",
        xlim=(0, n),
        ylim=(0, 0.8 if delta > 0.05 else 0.6),
    )
    ax.legend(loc="upper left")
    return ax


@functools.lru_cache(maxsize=64)
def two_sequences(
    error: float, n: int, *, seed: int = 0
) -> tuple[Interval[FloatArray], Interval[FloatArray], str]:
    """One run: both intervals after each example, and at how many looks each misses, in words.

    Examples
    --------
    >>> two_sequences(0.1, 200)[2]
    'fixed n misses at 0 looks, the sequence at 0'
    """
    losses = (np.random.default_rng(seed).random(n) < error).astype(float)
    cases = np.arange(1, n + 1)
    fixed = bounds.interval("CP", errors=losses.cumsum(), n=cases)
    always = bounds.confidence_sequence(losses)
    missed = [int(((e.low > error) | (e.high < error)).sum()) for e in (fixed, always)]
    return fixed, always, f"fixed n misses at {missed[0]} looks, the sequence at {missed[1]}"


@styled
def plot_two_sequences(error: float, n: int, *, seed: int = 0, ax: Axes | None = None) -> Axes:
    """Draw one run: the interval for a fixed number of cases, and the confidence sequence.

    Parameters
    ----------
    error : float
        True error, in [0, 1].
    n : int
        Examples, at least 1.
    seed : int
        Which run.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> plot_two_sequences(0.1, 200).get_title()
    'fixed n misses at 0 looks, the sequence at 0'
    """
    truth = float(checks.mean(error, "error", ndim=0))
    cases = np.arange(1, checks.one_count(n) + 1)
    fixed, always, words = two_sequences(truth, len(cases), seed=seed)
    ax = new_axes(ax, figsize=(4.8, 3.2))
    # evenly on the logarithmic axis
    every = np.unique(np.geomspace(1, n, 300).round().astype(int)) - 1
    for ends, colour, style, name in (
        (always, BLUE, "-", "confidence sequence"),
        (fixed, VERMILION, "--", "Clopper-Pearson"),
    ):
        ax.plot(cases[every], ends.low[every], style, color=colour, lw=1.6, label=name)
        ax.plot(cases[every], ends.high[every], style, color=colour, lw=1.6)
    ax.axhline(truth, color="0.3", lw=1, linestyle=":", label="true error")
    ax.set(
        xlabel="examples so far",
        ylabel="error",
        xscale="log",
        xlim=(1, n),
        ylim=(0, min(1.0, 6 * truth)),
        title=words,
    )
    ax.legend(loc="upper right")
    return ax
