"""Plots of choosing between models on a validation set, and of how much to hold out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from errlab import generalization
from errlab._core import checks
from errlab._core.checks import Seed
from errlab.book.plots._style import VERMILION, curve, look, new_axes, new_panels, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_fraction", "plot_winner"]


@styled
def plot_winner(
    risks: ArrayLike,
    n: int,
    *,
    seen: ArrayLike | None = None,
    rng: Seed = None,
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
        Source of randomness.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    Examples
    --------
    >>> plot_winner([0.3, 0.3, 0.3], 100, rng=0).get_title()
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
    ax.plot(
        [true[best]] * 2,
        [errors[best], true[best]],
        color=VERMILION,
        lw=2.5,
        zorder=3,
        label="its gap",
    )
    ax.plot(
        true[best], errors[best], ls="", marker="s", ms=8, color=VERMILION, zorder=4, label="winner"
    )
    ax.set(
        xlabel="true error",
        ylabel="error on the validation set",
        title=f"the winner shows {errors[best]:.1%}, its true error is {true[best]:.1%}",
    )
    ax.legend(loc="upper left", ncols=2)
    return ax


@styled
def plot_fraction(N: Sequence[int], p: int) -> list[Axes]:
    """Draw, against the share held out, how well the error is known and how good the model is.

    Parameters
    ----------
    N : sequence of int
        Numbers of cases to split, at least p + 5.
    p : int
        Number of weights of a linear model, at least 1.

    Returns
    -------
    list of Axes
        The uncertainty of the holdout estimate, with its optimum marked, and the excess error
        of the model, both in units of the noise variance.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    References
    ----------
    Larsen & Hansen, Eqs. 5 and 6.

    Examples
    --------
    >>> upper, lower = plot_fraction([100], 5)
    >>> lower.get_xlabel()
    'share held out'
    """
    upper, lower = new_panels(2, figsize=(4.8, 5.6), nrows=2, ncols=1, sharex=True)
    for i, cases in enumerate(checks.count(N, "N", ndim=1)):
        total = int(cases)
        name = f"N = {cases:,}"
        train = np.unique(np.linspace(p + 4, 0.98 * total, 80).astype(int))
        share = 1 - train / total
        spread = np.sqrt(generalization.split_mse(total, p, train))
        curve(upper, share, spread, label=name, look=look(i))
        best = generalization.optimal_fraction(total, p, method="exact")
        low = np.sqrt(generalization.split_mse(total, p, round((1 - best) * total)))
        upper.plot(best, low, ls="", marker="*", ms=13, color=look(i)["color"], label="_best")
        curve(lower, share, p / (train - p - 1), label=name, look=look(i))
    upper.set(
        yscale="log", ylabel="uncertainty of the estimate", title="measuring: the star is best"
    )
    lower.set(
        yscale="log", ylabel="excess error of the model", title="learning: less held out is best"
    )
    lower.set(xlabel="share held out", xlim=(0, 1))
    upper.set_ylim(top=2.5)
    for ax, ticks in ((upper, [0.02, 0.1, 0.5, 2]), (lower, [0.001, 0.01, 0.1, 1, 10])):
        ax.set_yticks(ticks, [f"{t:g}" for t in ticks])
        ax.set_yticks([], minor=True)
    lower.legend(loc="upper left", ncols=2, fontsize=8.5)
    lower.set_ylim(top=30)
    return [upper, lower]
