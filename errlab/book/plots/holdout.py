"""Plots of what a fresh test set guarantees: for one model, for several claims, for a choice."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike
from scipy import stats

from errlab import holdout
from errlab._core import checks
from errlab._core.checks import Seed
from errlab._style import BLUE, VERMILION, Look, curve, look, new_axes, styled
from errlab.bounds import clopper_pearson, interval


@styled
def plot_gap_distribution(risk: float, n: int, *, ax: Axes | None = None) -> Axes:
    r"""Draw where the test error falls around the risk, with two bands for it.

    Parameters
    ----------
    risk : float
        The true error, in [0, 1].
    n : int
        Number of test cases, at least 1.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    Examples
    --------
    >>> plot_gap_distribution(0.5, 100).get_title("left")
    'within 1/√n: 96.5%, within Hoeffding: 99.3%'
    """
    true = checks.one_mean(risk, "risk")
    size = checks.one_count(n)
    # the rule of thumb, beside the bound that is proven
    narrow = min(1 / np.sqrt(size), 1.0)
    wide = holdout.gap_bound(size)
    spread = 4.5 * np.sqrt(size * true * (1 - true)) + 1
    counts = np.arange(max(0, int(size * true - spread)), min(size, int(size * true + spread)) + 1)
    # about sixty sticks: of a large test set every so-manyth count
    counts = counts[:: max(1, len(counts) // 60)]
    chance = stats.binom.pmf(counts, size, true)
    ax = new_axes(ax)
    ax.vlines(counts / size, 0, chance / chance.max(), color=BLUE, lw=1.5, label="test error")
    shares = []
    for i, (half, name) in enumerate(((narrow, "R ± 1/√n"), (wide, "R ± Hoeffding"))):
        style = look(i + 1) | {"marker": "|", "linestyle": "-", "ms": 12}
        ax.plot([true - half, true + half], [1.1 + 0.12 * i] * 2, lw=2, label=name, **style)
        shares.append(holdout.gap_coverage(true, size, half))
    ax.set(
        xlabel="error on the test set",
        ylabel="probability, highest = 1",
        ylim=(0, 1.75),
        yticks=[0, 0.5, 1],
        title=f"within 1/√n: {shares[0]:.1%}, within Hoeffding: {shares[1]:.1%}",
    )
    ax.legend(loc="upper center", ncols=3, fontsize=8.5, handlelength=1.5, columnspacing=1.0)
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
        Number of cases in each test set, at least 1.
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
    >>> plot_many_intervals("NOR", 0.2, 500, rng=0).get_title("left")
    '6 of 100 intervals miss'
    """
    true = checks.one_mean(risk, "risk")
    size = checks.one_count(n)
    # a hundred, so that what misses is read as a percentage
    errors = checks.generator(rng).binomial(size, true, 100)
    low, high = interval(key, errors / size, size, delta=delta)
    # an end that is the true error itself holds it
    missed = (low > true) | (high < true)
    at = np.arange(100)
    ax = new_axes(ax)
    ax.vlines(at[~missed], low[~missed], high[~missed], color=BLUE, lw=1, label="holds")
    ax.vlines(at[missed], low[missed], high[missed], color=VERMILION, lw=2.5, label="misses")
    ax.plot(at[missed], errors[missed] / size, ls="", marker="s", color=VERMILION, label="_missed")
    ax.axhline(true, color="0.5", lw=1.5, ls="--", label="true error")
    ax.set(
        xlabel="test set",
        ylabel="interval for the true error",
        title=f"{missed.sum()} of 100 intervals miss",
    )
    ax.margins(y=0.2)
    ax.legend(ncols=3, loc="upper center")
    return ax


@styled
def plot_shared_claims(errors: int, n: int, claims: int, *, ax: Axes | None = None) -> Axes:
    """Draw the upper bound of the best classifier against how many were tried on the test set.

    With m claims on one test set each gets ``0.05 / m``; then all of them hold together.

    Parameters
    ----------
    errors, n : int
        Errors of the best one, and test cases.
    claims : int
        Number of claims to mark, at least 1.

    Raises
    ------
    ValueError, TypeError
        If there are more errors than cases or an argument is out of range.

    References
    ----------
    Hardt, holdout chapter (the union bound).

    Examples
    --------
    >>> ax = plot_shared_claims(3, 200, 10)
    >>> ax.get_title("left")
    'best of 10: at most 5.4%'
    """
    made, size = checks.one_result(errors, n)
    tried = checks.one_count(claims, "claims")
    # evenly on the logarithmic axis, and whole
    m = np.unique(np.geomspace(1, 1000, 60).round().astype(int))
    ax = new_axes(ax)
    upper = clopper_pearson(made / size, size, delta=0.05 / m)
    curve(ax, m, upper, label="95% bound for the best one", look=look(0))
    ax.axhline(made / size, color="0.5", lw=1, label="its error on the test")
    here = clopper_pearson(made / size, size, delta=0.05 / tried)
    ax.plot([tried], [here], label="here", **look(1) | {"linestyle": "none", "markersize": 8})
    ax.set(
        xscale="log",
        xlabel="classifiers tried on this test set",
        ylabel="true error",
        ylim=(0, 1.5 * float(upper.max())),
        title=f"best of {tried}: at most {np.ceil(1000 * here) / 10:g}%",
    )
    ax.xaxis.set_major_formatter("{x:g}")
    ax.yaxis.set_major_formatter("{x:.0%}")
    ax.xaxis.set_minor_formatter("")
    ax.legend(loc="upper left")
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
        Number of validation cases, at least 1.
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
    >>> plot_winner([0.3, 0.3, 0.3], 100, rng=0).get_title("left")
    'the winner shows 22.0%, its true error is 30.0%'
    """
    true = checks.within(risks, "risks", 0, 1, ndim=1)
    size = checks.one_count(n)
    if seen is None:
        seen = checks.generator(rng).binomial(size, true) / size
    errors = checks.within(seen, "seen", 0, 1, ndim=1)
    checks.same_length(risks=true, seen=errors)
    best = int(np.argmin(errors))
    ends = np.array([0.0, 1.0])
    ax = new_axes(ax)
    ax.plot(ends, ends, color="0.5", lw=1, label="no gap")
    ax.plot(true, errors, **look(0) | {"linestyle": ""}, ms=4, label="models")
    # what the winner shows, and down to the diagonal what it is better than it is: over the others
    top: Look = {"color": VERMILION, "zorder": 3}
    ax.plot([true[best]] * 2, [errors[best], true[best]], lw=2.5, label="its gap", **top)
    top["zorder"] = 4
    ax.plot(true[best], errors[best], ls="", marker="s", ms=8, label="winner", **top)
    ax.set(
        xlabel="true error",
        ylabel="error on the validation set",
        title=f"the winner shows {errors[best]:.1%}, its true error is {true[best]:.1%}",
    )
    ax.legend(loc="upper left", ncols=2)
    return ax
