"""Plots of the bounds for losses in [0, 1], and of which bound is the tightest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats
from scipy.special import rel_entr

from errlab import bounds
from errlab._core import checks
from errlab.book.plots._style import (
    BLUE,
    OCHRE,
    VERMILION,
    bound_look,
    curve,
    look,
    new_axes,
    new_panels,
    styled,
)
from errlab.book.plots.bounds import UPPER_LABEL
from errlab.book.plots.coverage import ERROR_LABEL, _frame
from errlab.bounds import BOUNDS
from errlab.bounds.betting import log_capital
from errlab.coverage._normal import OUTSIDE, drawn_means

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SURVEY = ("CHE", "GUT", "BER", "MAU", "CRF", "T_HOE", "HOE")


@styled
def plot_normal_coverage(
    keys: Sequence[str] = SURVEY,
    *,
    n: ArrayLike,
    error: ArrayLike,
    outside: str = "clip",
    delta: float = 0.05,
    repeats: int = 1000,
    floor: float = 0.9,
    rng: int = 0,
    ax: Axes | None = None,
) -> Axes:
    """Draw the coverage that the survey simulates, with normal draws in place of losses.

    All bounds see the same draws. One of `n` and `error` is a list, and is the horizontal axis.

    Parameters
    ----------
    keys : sequence of str
        The bounds.
    n : int or array_like of int
        Size of the test set.
    error : float or array_like
        True error, in [0, 1].
    outside : {"clip", "drop"}
        What becomes of a test set whose mean leaves [0, 1].
    delta : float
        Probability that the bound may fail, in (0, 1).
    repeats : int
        Test sets at each point; the survey takes 1000.
    floor : float
        Lower end of the view; curves may leave it.
    rng : int
        Seed.

    Raises
    ------
    ValueError, TypeError
        If not exactly one of `n` and `error` is a list, or an argument is out of range.

    References
    ----------
    Anguita et al., survey, Figures 13 to 16.

    Examples
    --------
    >>> ax = plot_normal_coverage(["T_HOE"], n=10, error=[0.1, 0.3], repeats=50)
    >>> len(ax.lines[0].get_xdata())
    2
    """
    sizes = checks.count(n)
    errors = checks.mean(error, "error")
    level = checks.one_delta(delta)
    if (sizes.ndim == 1) == (errors.ndim == 1):
        raise ValueError(
            f"one of n and error must be a list, got shapes {sizes.shape} and {errors.shape}"
        )
    across, label = (sizes, "test cases n") if sizes.ndim else (errors, ERROR_LABEL)
    checks.choice(outside, "outside", OUTSIDE)
    truth, cases = (np.atleast_1d(each) for each in np.broadcast_arrays(errors, sizes))
    draws = [
        drawn_means(float(e), int(s), outside, repeats, np.random.default_rng(rng + i))[0]
        for i, (e, s) in enumerate(zip(truth, cases, strict=True))
    ]
    kept = [len(means) for means in draws]
    means = np.concatenate(draws)
    ax = new_axes(ax)
    for key in keys:
        upper = bounds.upper(key, means, np.repeat(cases, kept), delta=level)
        holds = np.split(upper >= np.repeat(truth, kept), np.cumsum(kept)[:-1])
        covers = [float(part.mean()) for part in holds]
        curve(ax, across, covers, label=key, look=bound_look(key), lw=1.3)
    fixed = f"n = {int(sizes)}" if errors.ndim else f"{ERROR_LABEL} = {float(errors) * 100:g}%"
    ax.set(xlabel=label, title=f"{fixed}, normal draws")
    _frame(ax, level, floor, len(keys))
    return ax


@styled
def plot_normal_losses(error: float, *, ax: Axes | None = None) -> Axes:
    """Draw the normal law that the survey takes its losses from, and what leaves [0, 1].

    Parameters
    ----------
    error : float
        Its mean L, in (0, 1); its variance is L (1 - L).

    Raises
    ------
    ValueError, TypeError
        If `error` is out of range.

    References
    ----------
    Anguita et al., survey, Section 4.2.

    Examples
    --------
    >>> plot_normal_losses(0.01).get_title()
    'L = 1%: 46% of the draws are no losses'
    """
    mean = float(
        checks.within(
            checks.scalar_only(error, "error"), "error", 0, 1, open_low=True, open_high=True
        )
    )
    sigma = np.sqrt(mean * (1 - mean))
    law = stats.norm(mean, sigma)
    x = np.unique(np.r_[np.linspace(mean - 3.2 * sigma, mean + 3.2 * sigma, 81), 0, 1])
    ax = new_axes(ax, figsize=(4.8, 2.9))
    density = law.pdf(x)
    ax.plot(x, density, color="0.2", label="density of the draws")
    ax.fill_between(
        x, 0, density, where=(x >= 0) & (x <= 1), color=BLUE, alpha=0.35, label="in [0, 1]"
    )
    for side, label in ((x <= 0, "outside"), (x >= 1, "_outside")):
        ax.fill_between(
            x, 0, density, where=side, color=VERMILION, hatch="//", edgecolor="white", label=label
        )
    share = law.cdf(0) + law.sf(1)
    ax.set(
        xlabel="value drawn as a loss",
        ylabel="density",
        ylim=(0, 1.45 * density.max()),
        title=f"L = {mean * 100:g}%: {share:.0%} of the draws are no losses",
    )
    ax.legend(loc="upper center", ncols=3, columnspacing=1.2)
    return ax


@styled
def plot_spread(samples: Mapping[str, ArrayLike], *, ax: Axes | None = None) -> Axes:
    """Draw each loss of several samples as a dot, a row for each sample, with mean and spread.

    Parameters
    ----------
    samples : mapping of str to array_like
        The losses of each sample, in [0, 1]; the names stand over the rows.

    Raises
    ------
    ValueError, TypeError
        If a sample is empty or a loss leaves [0, 1].

    Examples
    --------
    >>> ax = plot_spread({"0 or 1": [0, 0, 0, 1], "all alike": [0.25] * 4})
    >>> [text.get_text() for text in ax.texts]
    ['0 or 1: s = 0.433', 'all alike: s = 0.000']
    """
    ax = new_axes(ax, figsize=(4.8, 1 + 0.75 * len(samples)))
    for row, (name, sample) in enumerate(samples.items()):
        losses = checks.losses(sample)
        up = (
            0.3 * (0.6180339887 * np.arange(len(losses)) % 1) - 0.15
        )  # spread evenly, not at random
        signs = look(row) | {"linestyle": ""}
        ax.plot(losses, row + up, ms=3.5, alpha=0.6, label=name, **signs)
        ax.plot([losses.mean()] * 2, [row - 0.28, row + 0.28], color="0.2", lw=2.2, label="_mean")
        ax.text(0.98, row - 0.3, f"{name}: s = {losses.std():.3f}", ha="right", va="bottom")
    ax.set(xlabel="loss of one case", xlim=(-0.04, 1.04), ylim=(len(samples) - 0.6, -0.75))
    ax.set_yticks([])
    ax.grid(False, axis="y")
    return ax


@styled
def plot_chord(samples: Mapping[str, ArrayLike], *, h: float = 4.0, ax: Axes | None = None) -> Axes:
    r"""Draw :math:`e^{-h \ell}`, its chord from 0 to 1, and where samples have their mean.

    A law of 0 and 1 has its mean on the chord, every other one below.

    Parameters
    ----------
    samples : mapping of str to array_like
        The losses of each sample, in [0, 1].
    h : float
        How steep the curve is, above 0.

    Raises
    ------
    ValueError, TypeError
        If a sample is empty, a loss leaves [0, 1], or `h` is out of range.

    References
    ----------
    Hoeffding, JASA 58 (1963), Theorem 1.

    Examples
    --------
    >>> ax = plot_chord({"0 or 1": [0, 0, 0, 1]})
    >>> round(float(ax.lines[2].get_ydata()[0]), 4) == round(0.75 + 0.25 * 2.718281828**-4, 4)
    True
    """
    steep = float(checks.within(checks.scalar_only(h, "h"), "h", 0, np.inf, open_low=True))
    x = np.linspace(0, 1, 81)
    ax = new_axes(ax)
    ax.plot([0, 1], [1, np.exp(-steep)], color="0.45", ls="--", label="chord: losses of 0 and 1")
    ax.plot(x, np.exp(-steep * x), color="0.2", label=rf"$e^{{-h \ell}}$, h = {steep:g}")
    for row, (name, sample) in enumerate(samples.items()):
        losses = checks.losses(sample)
        at = (losses.mean(), np.exp(-steep * losses).mean())
        ax.plot(*at, ls="", ms=9, label=name, **{k: look(row)[k] for k in ("color", "marker")})
    ax.set(xlabel="loss", ylabel="its worth, and the mean worth", ylim=(0, 1.05))
    ax.legend(loc="upper right")
    return ax


@styled
def plot_price_of_variance(
    *, mean: float, n: int, delta: float = 0.05, ax: Axes | None = None
) -> Axes:
    """Draw what Maurer-Pontil adds to the mean, in its two parts, and the tight Hoeffding bound.

    Parameters
    ----------
    mean : float
        Mean loss on the test set, in (0, 1).
    n : int
        Size of the test set, at least 2.
    delta : float
        Probability that the bound may fail, in (0, 1).

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range.

    References
    ----------
    Anguita et al., survey, Eqs. 41 and 44.

    Examples
    --------
    >>> plot_price_of_variance(mean=0.25, n=200).get_xlabel()
    'standard deviation s of the losses'
    """
    s = np.linspace(0, np.sqrt(mean * (1 - mean)), 81)
    whole = np.asarray(bounds.maurer_pontil(mean, n, delta=delta, var=s**2))
    ax = new_axes(ax)
    ax.fill_between(
        s, mean, whole[0], color=OCHRE, alpha=0.3, hatch="//", label="price, always due"
    )
    ax.fill_between(s, whole[0], whole, color=BLUE, alpha=0.3, label="part that grows with s")
    name = "Maurer-Pontil: mean and variance"
    curve(ax, s, whole, label=name, look=bound_look("MAU"))
    flat = np.full(s.shape, bounds.tight_hoeffding(mean, n, delta=delta))
    curve(ax, s, flat, label="tight Hoeffding: the mean alone", look=bound_look("T_HOE"))
    ax.axhline(mean, color="0.5", lw=1, label="mean loss")
    ax.set(xlabel="standard deviation s of the losses", ylabel=UPPER_LABEL)
    ax.set_title(f"mean loss {mean * 100:g}%, n = {n}")
    ax.set_ylim(mean - 0.1 * (whole[-1] - mean), whole[-1] + 0.75 * (whole[-1] - mean))
    ax.legend(loc="upper left")
    return ax


@styled
def plot_capital(
    losses: ArrayLike, errors: ArrayLike, *, delta: float = 0.05, ax: Axes | None = None
) -> Axes:
    """Draw the capital of the gambler of the betting bound, against each candidate error.

    Parameters
    ----------
    losses : array_like, shape (n,)
        Losses in [0, 1], in the order in which they are bet on.
    errors : array_like, shape (k,)
        Candidates for the true error, in [0, 1).
    delta : float
        Probability that the bound may fail, in (0, 1); 1/delta is what rules a candidate out.

    Raises
    ------
    ValueError, TypeError
        If there are no losses, a loss leaves [0, 1], or an argument is out of range.

    References
    ----------
    Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86 (2024), 1-27.

    Examples
    --------
    >>> ax = plot_capital([0.2, 0.3] * 50, [0.25, 0.4])
    >>> [float(line.get_ydata()[-1]) > 20 for line in ax.lines[1:]]
    [False, True]
    """
    values, level = checks.losses(losses), checks.one_delta(delta)
    ax = new_axes(ax)
    ax.axhline(1 / level, color="0.2", lw=1, ls=":", label=f"1/delta = {1 / level:g}: ruled out")
    cases = np.arange(len(values) + 1)
    for number, error in enumerate(checks.mean(errors, "errors")):
        capital = np.exp(np.append(0, log_capital(values, float(error), level)))
        curve(ax, cases, capital, label=f"candidate {error * 100:g}%", look=look(number))
    ax.set(xlabel="cases bet on", ylabel="capital", yscale="log", ylim=(2e-3, 1e4))
    ax.legend(loc="lower right", ncols=2)
    return ax


@styled
def plot_known(losses: ArrayLike, *, delta: float = 0.05) -> list[Axes]:
    """Draw what three bounds say of the same losses: by the mean, the variance, every loss.

    Beside each stands how many cases tight Hoeffding would need to say the same after this mean.

    Parameters
    ----------
    losses : array_like, shape (n,)
        Losses in [0, 1], their mean below 1.
    delta : float
        Probability that a bound may fail, in (0, 1).

    Returns
    -------
    list of Axes
        The losses, and the bounds.

    Raises
    ------
    ValueError, TypeError
        If there are no losses, a loss leaves [0, 1], or `delta` is out of range.

    Examples
    --------
    >>> top, bottom = plot_known([0.05, 0.15] * 100)
    >>> [text.get_text() for text in bottom.texts]
    ['16.0%', '15.3%, as from 249 cases', '11.9%, as from 1,733 cases']
    """
    values, level = checks.losses(losses), checks.one_delta(delta)
    mean = float(values.mean())
    ratios = {"height_ratios": [1, 4]}
    top, ax = new_panels(2, figsize=(4.8, 3.9), nrows=2, ncols=1, gridspec_kw=ratios)
    top.plot(values, np.zeros(len(values)), "|", color="0.2", ms=14, alpha=0.6, label="losses")
    top.set(xlim=(-0.03, 1.03), xlabel="losses", ylim=(-1, 1))
    top.set_title(f"n = {len(values)}, mean loss {mean:.1%}, s = {values.std():.3f}")
    top.set_yticks([])
    rows = {"T_HOE": "the mean", "MAU": "and the variance", "BET": "every loss"}
    end = 0.5
    for row, key in enumerate(rows):
        value = float(bounds.upper(key, losses=values, delta=level))
        signs = bound_look(key) | {"linestyle": "-"}
        ax.plot([mean, value], [row, row], label=key, markevery=[1], lw=2.5, **signs)
        apart = rel_entr(mean, value) + rel_entr(1 - mean, 1 - value)  # Eq. 44
        said = f"{value:.1%}"
        if key != "T_HOE" and value < 1:
            said += f", as from {round(-np.log(level) / apart):,} cases"
        ax.annotate(said, (value, row), xytext=(7, 0), textcoords="offset points", va="center")
        end = 0.5 if max(value, end) <= 0.5 else 1.0
    ax.axvline(mean, color="0.5", lw=1, label="mean loss")
    names = [f"{name}:\n{BOUNDS[key].name}" for key, name in rows.items()]
    ax.set_yticks(range(3), names)
    ax.set(ylim=(2.5, -0.5), xlim=(0, 1.9 * end), xlabel=UPPER_LABEL)
    ax.set_xticks(np.linspace(0, end, 6))
    ax.grid(False, axis="y")
    return [top, ax]
