"""Plots of bounds for losses in [0, 1], and of the tightest bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike
from scipy.special import rel_entr

from errlab import bounds, checks
from errlab.bounds import BOUNDS, log_capital
from errlab.style import curve, look, new_axes, new_panels, styled
from errlab_book.normal_losses import drawn_means
from errlab_book.plots._shared import bound_look, say_beside
from errlab_book.plots.bounds import UPPER_LABEL
from errlab_book.plots.coverage import ERROR_LABEL, _frame
from errlab_book.tables import outward


@styled
def plot_normal_coverage(
    keys: Sequence[str],
    *,
    n: ArrayLike,
    error: ArrayLike,
    repeats: int = 1000,
    floor: float = 0.9,
    ax: Axes | None = None,
) -> Axes:
    """Draw the coverage that the survey simulates, with normal draws instead of losses.

    All bounds see the same draws. Either `n` or `error` is a list, which becomes the horizontal
    axis.

    Parameters
    ----------
    keys : sequence of str
        The bounds.
    n : int or array_like of int
        Size of the test set.
    error : float or array_like
        True error, in [0, 1].
    repeats : int
        Test sets at each point; the survey takes 1000.
    floor : float
        Lower end of the view; curves may leave it.

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
    if (sizes.ndim == 1) == (errors.ndim == 1):
        raise ValueError(
            f"one of n and error must be a list, got shapes {sizes.shape} and {errors.shape}"
        )
    across, label = (sizes, "test examples n") if sizes.ndim else (errors, ERROR_LABEL)
    truth, cases = (np.atleast_1d(array) for array in np.broadcast_arrays(errors, sizes))
    draws = [
        # as in the survey, the mean is clipped to [0, 1]; each point has its own seed
        drawn_means(float(e), int(s), "clip", repeats, np.random.default_rng(i))[0]
        for i, (e, s) in enumerate(zip(truth, cases, strict=True))
    ]
    # positions on the axis x test sets
    means = np.array(draws)
    ax = new_axes(ax)
    for key in keys:
        # one call for all positions, because some bounds solve an equation for each test set
        upper = bounds.upper(key, means, np.broadcast_to(cases[:, None], means.shape))
        covers = (upper >= truth[:, None]).mean(axis=1)
        curve(ax, across, covers, label=key, look=bound_look(key), lw=1.3)
    fixed = f"n = {int(sizes)}" if errors.ndim else f"{ERROR_LABEL} = {float(errors) * 100:g}%"
    ax.set(xlabel=label, title=f"{fixed}, normal draws")
    _frame(ax, floor, len(keys))
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
        # multiples of the golden ratio spread the dots evenly over 0.3 of a row
        up = 0.3 * (0.6180339887 * np.arange(len(losses)) % 1) - 0.15
        signs = look(row) | {"linestyle": ""}
        ax.plot(losses, row + up, ms=3.5, alpha=0.6, label=name, **signs)
        ax.plot([losses.mean()] * 2, [row - 0.28, row + 0.28], color="0.2", lw=2.2, label="_mean")
        ax.text(0.98, row - 0.3, f"{name}: s = {losses.std():.3f}", ha="right", va="bottom")
    ax.set(xlabel="loss of one example", xlim=(-0.04, 1.04), ylim=(len(samples) - 0.6, -0.75))
    ax.set_yticks([])
    ax.grid(False, axis="y")
    return ax


@styled
def plot_capital(
    losses: ArrayLike, error: float, *, stake: float, delta: float = 0.05, ax: Axes | None = None
) -> Axes:
    """Draw the capital of two gamblers who doubt the same true error: you, and the betting bound's.

    You stake the same fraction of your capital on every loss; the bound's gambler looks at the
    losses so far.

    Parameters
    ----------
    losses : array_like, shape (n,)
        Losses in [0, 1], in the order in which they are bet on.
    error : float
        The true error that is doubted, in [0, 1).
    stake : float
        Your stake, in [0, 1]: the fraction of the capital that a loss of 1 takes.
    delta : float
        Probability that the bound may fail, in (0, 1); 1/delta is what rules an error out.

    Raises
    ------
    ValueError, TypeError
        If there are no losses, a loss leaves [0, 1], or an argument is out of range.

    References
    ----------
    Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86 (2024), 1-27.

    Examples
    --------
    >>> ax = plot_capital([0.2, 0.3] * 50, 0.4, stake=1.0)
    >>> [bool(line.get_ydata()[-1] > 20) for line in ax.lines[1:]]
    [True, True]
    """
    values, level = checks.losses(losses), checks.one_delta(delta)
    doubted, part = checks.one_mean(error, "error"), checks.one_mean(stake, "stake")
    bets = np.arange(len(values) + 1)
    # a loss of 1 leaves 1 - stake
    factors = 1 + part * (doubted - values) / (1 - doubted)
    yours = np.append(1, factors.cumprod())
    ours = np.exp(np.append(0, log_capital(values, doubted, delta=level)))
    # capital above 20 rules the true error out at 95%, so the axis needs no more
    low, high = 1e-3, 1e5
    ax = new_axes(ax)
    ax.axhline(1 / level, color="0.2", lw=1, ls=":", label=f"ruled out at {1 / level:g}")
    for number, (name, capital) in enumerate({"you": yours, "the bound": ours}.items()):
        # a bankrupt gambler stays visible at the lower edge
        curve(ax, bets, capital.clip(low, high), label=name, look=look(number))
    ax.set(xlabel="examples bet on", ylabel="capital", yscale="log", ylim=(0.6 * low, 40 * high))
    ax.set_yticks([1e-3, 1, 20, 1e3, 1e5], ["0.001", "1", "20", "1,000", "100,000"])
    ax.minorticks_off()
    ax.set_title(f"you stake {part:.0%} against a true error of {doubted:.0%}")
    ax.legend(loc="upper center", ncols=3, columnspacing=1.2)
    return ax


@styled
def plot_known(losses: ArrayLike) -> list[Axes]:
    """Draw three bounds for the same losses, which use the mean, the variance, or every loss.

    Beside each bound stands the number of examples with which tight Hoeffding would equal it.

    Parameters
    ----------
    losses : array_like, shape (n,)
        Losses in [0, 1], their mean below 1.

    Returns
    -------
    list of Axes
        The losses, and the bounds.

    Raises
    ------
    ValueError, TypeError
        If there are no losses, or a loss leaves [0, 1].

    Examples
    --------
    >>> top, bottom = plot_known([0.05, 0.15] * 100)
    >>> [text.get_text() for text in bottom.texts]
    ['16.0%', '15.3%, as from 249', '11.9%, as from 1,733']
    """
    values = checks.losses(losses)
    mean = float(values.mean())
    # a strip for the losses, and the bounds below it
    ratios = {"height_ratios": [1, 4]}
    top, ax = new_panels(2, figsize=(4.8, 3.9), gridspec_kw=ratios)
    top.plot(values, np.zeros(len(values)), "|", color="0.2", ms=14, alpha=0.6, label="losses")
    top.set(xlim=(-0.03, 1.03), xlabel="losses", ylim=(-1, 1))
    top.set_title(f"n = {len(values)}, mean loss {mean:.1%}, s = {values.std():.3f}")
    top.set_yticks([])
    rows = {"T_HOE": "the mean", "MAU": "and the variance", "BET": "every loss"}
    end = 0.5
    for row, key in enumerate(rows):
        value = float(bounds.upper(key, losses=values))
        signs = bound_look(key) | {"linestyle": "-"}
        ax.plot([mean, value], [row, row], label=key, markevery=[1], lw=2.5, **signs)
        # Eq. 44
        apart = rel_entr(mean, value) + rel_entr(1 - mean, 1 - value)
        text = outward(value)
        if key != "T_HOE" and value < 1:
            text += f", as from {round(np.log(20) / apart):,}"
        say_beside(ax, text, (value, row), xytext=(7, 0), fontsize=None)
        # if possible, one scale for all frames, so that bounds visibly move
        end = 0.5 if max(value, end) <= 0.5 else 1.0
    ax.axvline(mean, color="0.5", lw=1, label="mean loss")
    names = [f"{name}:\n{BOUNDS[key].name}" for key, name in rows.items()]
    ax.set_yticks(range(3), names)
    ax.set(ylim=(2.5, -0.5), xlim=(0, 1.9 * end), xlabel=UPPER_LABEL)
    ax.set_xticks(np.linspace(0, end, 6))
    ax.grid(False, axis="y")
    return [top, ax]
