"""Plots of a fresh test set's guarantees: for one model, for several claims, for a selection."""

from __future__ import annotations

import numpy as np
import scipy
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from errlab import checks, holdout
from errlab.bounds import clopper_pearson, interval
from errlab.checks import Seed
from errlab.style import Look, styled
from errlab_book.plots.paper import ACCENT, BODY, INK, SOFT, headline, name_line, paper, write


@styled
def plot_gap_distribution(risk: float, n: int, *, ax: Axes | None = None) -> Axes:
    r"""Draw the distribution of the test error around the true error, with two bands.

    Parameters
    ----------
    risk : float
        The true error, in [0, 1].
    n : int
        Number of test examples, at least 1.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    Examples
    --------
    >>> " ".join(plot_gap_distribution(0.5, 100).get_title(loc="left").split())
    '±1/√n contains the test error 96.5% of the time'
    """
    true = checks.one_mean(risk, "risk")
    size = checks.one_count(n)
    # the rule of thumb, beside the bound that is proven
    bands = {"1/√n": min(size**-0.5, 1.0), "Hoeffding": holdout.gap_bound(size)}
    narrow, wide = bands.values()
    spread = 4.5 * np.sqrt(size * true * (1 - true)) + 1
    counts = np.arange(max(0, int(size * true - spread)), min(size, int(size * true + spread)) + 1)
    # about sixty sticks, because a large test set has too many counts
    counts = counts[:: max(1, len(counts) // 60)]
    at, chance = counts / size, scipy.stats.binom.pmf(counts, size, true)
    height = chance / chance.max()
    ax = ax or paper(350, 270)
    # a gap of exactly 1/√n counts as inside, despite rounding of the quotient
    outside = np.abs(counts - size * true) > size * narrow + 1e-9
    ax.vlines(at[~outside], 0, height[~outside], color=INK, alpha=BODY, lw=2, label="inside")
    if outside.any():
        ax.vlines(at[outside], 0, height[outside], color=ACCENT, lw=2, label="outside")
        ax.plot(at[outside], height[outside], "s", color=ACCENT, ms=4)
    top = 2.1
    for place, (name, half) in zip((1.25, 1.75), bands.items(), strict=True):
        ends = np.clip([true - half, true + half], 0, 1)
        ax.plot(ends, [place, place], "|-", color=INK, lw=2, ms=10, mew=2, label=name)
        # a band may be cut, because a rate lies in [0, 1]; so label both ends
        low, high = (f"{100 * end:.3g}%" for end in ends)
        words = f"{name}, ±{100 * half:.2g} points: {low} to {high}"
        write(ax, words, (0, (place + 0.19) / top), (0, 0), of_axes=True)
    # the true error: a line that doesn't cross the bands' names, and a notch in each band
    ax.plot([true, true], [0, 1.1], color=INK, lw=1, label="true error")
    ax.plot([true, true], [1.25, 1.75], "|", color=INK, ms=10, mew=2, label="notch")
    write(ax, f"true {100 * true:g}%", (true, 1.08), (6, -6), weight="bold")
    edge = 1.1 * wide
    left = max(-0.02 * edge, true - edge)  # room for a whole stick at 0
    ax.set(xlim=(left, min(1, true + edge)), ylim=(0, top), yticks=[])
    ax.set_xlabel(f"error on {size:,} test examples")
    ax.xaxis.set_major_formatter(lambda x, _: f"{100 * x:.3g}%")
    share = holdout.gap_coverage(true, size, narrow)
    often = "almost always" if share > 0.9995 else f"{share:.1%} of the time"
    key = f"Sticks: where it falls at a true error of {100 * true:g}%"
    headline(ax, f"±1/√n contains the test error {often}", key)
    return ax


@styled
def plot_many_intervals(
    key: str, risk: float, n: int, *, delta: float = 0.05, rng: Seed = 0, ax: Axes | None = None
) -> Axes:
    """Draw the intervals of many test sets, and mark those that miss the true error.

    Parameters
    ----------
    key : str
        Short name of a bound.
    risk : float
        The true error, in [0, 1].
    n : int
        Number of examples in each test set, at least 1.
    delta : float
        Probability that an interval may miss, in (0, 1).
    rng : seed, Generator or None
        Source of randomness; the same in each call by default.

    Raises
    ------
    ValueError, TypeError
        If the key is unknown or an argument leaves its range.

    Examples
    --------
    >>> plot_many_intervals("NOR", 0.2, 500, rng=0).get_title(loc="left")
    '6 of 100 intervals miss the truth'
    """
    true = checks.one_mean(risk, "risk")
    size = checks.one_count(n)
    # a hundred test sets, so that the number of misses is a percentage
    errors = checks.generator(rng).binomial(size, true, 100)
    low, high = interval(key, errors / size, size, delta=delta)
    # an interval that ends at the true error contains it
    missed = (low > true) | (high < true)
    at = np.arange(100)
    ax = ax or paper(350, 270)
    ax.vlines(
        at[~missed], low[~missed], high[~missed], color=INK, alpha=BODY, lw=1.5, label="contains"
    )
    ax.vlines(at[missed], low[missed], high[missed], color=ACCENT, lw=2.5, label="misses")
    ax.plot(at[missed], errors[missed] / size, "s", color=ACCENT, ms=5)
    ax.axhline(true, color=INK, lw=1, label="true error")
    write(ax, f"true\nerror\n{100 * true:g}%", (100, true))
    ax.set(xlim=(-1, 100), xticks=[], xlabel="a hundred test sets")
    ax.set_ylim(low.min() - 0.02 * np.ptp([low.min(), high.max()]), high.max())
    ax.yaxis.set_major_formatter(lambda y, _: f"{100 * y:.3g}%")
    ax.spines["bottom"].set_visible(False)
    count = int(missed.sum())
    headline(
        ax,
        f"{count} of 100 intervals miss{'es' * (count == 1)} the truth",
        f"{100 * (1 - delta):g}% intervals, {size:,} examples each; square: a miss",
    )
    return ax


@styled
def plot_shared_claims(errors: int, n: int, claims: int, *, ax: Axes | None = None) -> Axes:
    """Draw the upper bound of the best classifier against the number of classifiers tried.

    Each of m claims on one test set gets ``0.05 / m``, so that all are true together.

    Parameters
    ----------
    errors, n : int
        Errors of the best one, and test examples.
    claims : int
        Number of claims to mark, at least 1.

    Raises
    ------
    ValueError, TypeError
        If there are more errors than examples or an argument is out of range.

    References
    ----------
    Hardt, holdout chapter (the union bound).

    Examples
    --------
    >>> ax = plot_shared_claims(3, 200, 10)
    >>> " ".join(ax.get_title(loc="left").split())
    'Try 10, and the bound rises from 3.9% to 5.4%'
    """
    made, size = checks.one_result(errors, n)
    tried = checks.one_count(claims, "claims")
    # integers, evenly spaced on the logarithmic axis
    m = np.unique(np.geomspace(1, 1000, 60).round().astype(int))
    ax = ax or paper(350, 260)
    upper = 100 * clopper_pearson(made / size, size, delta=0.05 / m)
    name_line(ax, ax.plot(m, upper, color=INK, lw=2, label="bound")[0], "bound")
    one, corrected = (100 * clopper_pearson(made / size, size, delta=0.05 / k) for k in (1, tried))
    # the price of trying many: how much higher the bound is than for a single classifier
    ax.plot([1, tried], [one, one], color=INK, alpha=BODY, lw=1, ls=":")
    ax.plot([tried, tried], [one, corrected], color=ACCENT, lw=3)
    ax.plot(tried, corrected, "s", color=ACCENT, ms=9, label="here")
    rate = 100 * made / size
    ax.axhline(rate, color=INK, alpha=BODY, lw=1, ls="--")
    write(ax, f"counted: {rate:.1f}%", (1000, rate), (0, -10), ha="right", alpha=SOFT)
    ax.set(xscale="log", xlim=(0.9, 1000), ylim=(0, 1.17 * upper.max()))
    ax.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1,000"])
    ax.minorticks_off()
    ax.set_xlabel("classifiers tried on this test set")
    ax.yaxis.set_major_formatter("{x:g}%")
    low, high = (f"{np.ceil(10 * end) / 10:.1f}%" for end in (one, corrected))
    finding = f"Try {tried:,}, and the bound rises from {low} to {high}"
    if tried == 1:
        finding = f"Try one only, and the bound is {low}"
    headline(ax, finding, f"95% bound of the best, after {made} errors in {size}")
    return ax


@styled
def plot_winner(
    risks: ArrayLike,
    n: int,
    *,
    seen: ArrayLike | None = None,
    rng: Seed = 0,
    ax: Axes | None = None,
) -> Axes:
    """Draw the validation error of each model against its true error, and mark the winner.

    Parameters
    ----------
    risks : array_like, shape (k,)
        True errors of the models, in [0, 1]; the models err independently.
    n : int
        Number of validation examples, at least 1.
    seen : array_like, shape (k,), optional
        Their errors on the validation set; drawn where they are not given.
    rng : seed, Generator or None
        Source of randomness; the same in each call by default.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    Examples
    --------
    >>> ax = plot_winner([0.3, 0.3, 0.3], 100, rng=0)
    >>> " ".join(ax.get_title(loc="left").split())
    'The winner shows 22.0%, its true error is 30.0%'
    """
    true = checks.within(risks, "risks", 0, 1, ndim=1)
    size = checks.one_count(n)
    if seen is None:
        seen = checks.generator(rng).binomial(size, true) / size
    errors = checks.within(seen, "seen", 0, 1, ndim=1)
    checks.same_length(risks=true, seen=errors)
    best = int(np.argmin(errors))
    # both axes end at the same values, around the data
    seen_or_true = np.concatenate([true, errors])
    low, high = max(-0.02, seen_or_true.min() - 0.03), min(1, seen_or_true.max() + 0.03)
    ax = ax or paper(350, 300)
    diagonal = ax.plot([low, high], [low, high], color=INK, lw=1, alpha=BODY, label="no gap")[0]
    name_line(ax, diagonal, "no gap", alpha=SOFT)
    ax.plot(true, errors, "o", color=INK, alpha=BODY, ms=5, mew=0, label="models")
    # the winner's validation error, drawn over the others, and its optimism: a line up to the
    # diagonal
    ax.plot(
        [true[best]] * 2, [errors[best], true[best]], color=ACCENT, lw=3, zorder=3, label="its gap"
    )
    ax.plot(true[best], errors[best], "s", color=ACCENT, ms=9, zorder=4, label="winner")
    # to the right and below the diagonal; at the right edge, below the square
    edge = true[best] > low + 0.8 * (high - low)
    side: Look = {"ha": "right" if edge else "left", "weight": "bold"}
    write(ax, "winner", (true[best], errors[best]), (6, -18) if edge else (10, 0), **side)
    ax.set(xlim=(low, high), ylim=(low, high), xlabel="true error")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(lambda value, _: f"{100 * value:.3g}%")
    ax.locator_params(nbins=5)
    headline(
        ax,
        f"The winner shows {errors[best]:.1%}, its true error is {true[best]:.1%}",
        f"Height: the error that a model shows on {size:,} validation examples",
    )
    return ax
