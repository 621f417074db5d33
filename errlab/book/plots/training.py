"""Plots of training error against true error, and of the loss functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from errlab import losses
from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab.book.plots._style import VERMILION, curve, look, new_axes, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_errors", "plot_gaps", "plot_line_classifier", "plot_losses"]

_CELLS = 2000  # cells of the unit interval over which a risk is averaged


def _change_points(x: FloatArray, values: FloatArray) -> FloatArray:
    """Return the positions that a step curve needs: its ends and both sides of each jump."""
    jump = np.flatnonzero(np.diff(values))
    return np.unique(np.concatenate([[0], jump, jump + 1, [len(x) - 1]]))


@styled
def plot_line_classifier(
    x: ArrayLike,
    y: ArrayLike,
    predict: Callable[[FloatArray], ArrayLike],
    chance: Callable[[FloatArray], ArrayLike],
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw a classifier of points on a line, with its training error and its true error.

    The points are uniform on [0, 1], so that the true error is an average over the line.

    Parameters
    ----------
    x, y : array_like, shape (n,)
        Training points in [0, 1], and their labels in {-1, +1}.
    predict : callable
        Points of shape (m,) to labels in {-1, +1}.
    chance : callable
        Points of shape (m,) to the probability of the label +1.

    Raises
    ------
    ValueError, TypeError
        If a point leaves [0, 1], a label is not -1 or +1, or the lengths differ.

    Examples
    --------
    >>> ax = plot_line_classifier(
    ...     [0.2, 0.4], [-1, 1], lambda x: np.where(x > 0.3, 1.0, -1.0), lambda x: 0 * x + 0.5
    ... )
    >>> ax.get_title()
    'training error 0.0%, true error 50.0%'
    """
    points = checks.within(x, "x", 0, 1, ndim=1)
    labels = checks.signs(y, "y")
    checks.same_length(x=points, y=labels)
    train = losses.empirical_error(losses.hard_loss(labels, predict(points)))
    grid = (np.arange(_CELLS) + 0.5) / _CELLS
    said = checks.signs(predict(grid), "predict(x)")
    plus = checks.mean(chance(grid), "chance(x)")
    risk = losses.risk(np.where(said > 0, 1 - plus, plus), np.full(_CELLS, 1 / _CELLS))
    ax = new_axes(ax)
    rough = np.union1d(np.arange(0, _CELLS, _CELLS // 50), _change_points(grid, plus.round(2)))
    ax.plot(grid[rough], 2 * plus[rough] - 1, color="0.5", ls="--", label="mean label")
    at = _change_points(grid, said)
    ax.plot(grid[at], said[at], **look(0) | {"marker": ""}, label="prediction")
    for sign, mark in ((1.0, "+"), (-1.0, "x")):
        here = points[labels == sign]
        ax.plot(here, np.full(len(here), 1.18 * sign), ls="", marker=mark, color=VERMILION, ms=6)
    ax.lines[-1].set_label("training case")
    ax.set(
        xlabel="x",
        ylabel="label",
        xlim=(0, 1),
        ylim=(-1.4, 1.9),
        yticks=[-1, 0, 1],
        title=f"training error {train:.1%}, true error {risk:.1%}",
    )
    ax.legend(ncols=3, loc="upper center", fontsize=8.5, handlelength=1.8, columnspacing=1.2)
    return ax


@styled
def plot_losses(alpha: float = 1.0, *, ax: Axes | None = None) -> Axes:
    """Draw the hard, the logistic and the linear soft loss against the margin.

    Parameters
    ----------
    alpha : float
        Steepness of the logistic loss, above 0.

    Raises
    ------
    ValueError, TypeError
        If `alpha` is not above 0.

    References
    ----------
    Anguita et al., survey, Eqs. 2, 4 and 5.

    Examples
    --------
    >>> [line.get_label() for line in plot_losses(2).lines]
    ['hard', 'logistic, α = 2', 'linear soft']
    """
    margin = np.sort(np.append(np.linspace(-3, 3, 121), 1e-9))  # a step right after 0
    one = np.ones(len(margin))
    ax = new_axes(ax)
    hard = losses.from_scores(one, margin)
    at = _change_points(margin, hard)
    ax.plot(margin[at], hard[at], **look(0) | {"marker": ""}, label="hard")
    soft = losses.logistic_loss(one, margin, steepness=alpha)
    curve(ax, margin, soft, label=f"logistic, α = {alpha:g}", look=look(1))
    curve(ax, margin, losses.linear_soft_loss(one, margin), label="linear soft", look=look(2))
    ax.set(xlabel="margin: true label times score", ylabel="loss", xlim=(-3, 3), ylim=(-0.05, 1.1))
    ax.legend(loc="center right", bbox_to_anchor=(1.0, 0.7))
    return ax


@styled
def plot_errors(
    x: ArrayLike, errors: Mapping[str, ArrayLike], *, xlabel: str, ax: Axes | None = None
) -> Axes:
    """Draw several errors, such as training and test error, against one setting of the model.

    Parameters
    ----------
    x : array_like, shape (m,)
        Values of the setting.
    errors : mapping
        A name for each curve, and its errors, of shape (m,), in [0, 1].
    xlabel : str
        What the setting is.

    Raises
    ------
    ValueError, TypeError
        If an error leaves [0, 1] or the lengths differ.

    Examples
    --------
    >>> ax = plot_errors([1, 2], {"training": [0.1, 0.0], "test": [0.2, 0.3]}, xlabel="depth")
    >>> ax.get_ylabel()
    'error'
    """
    setting = checks.numbers(x, "x", ndim=1)
    ax = new_axes(ax)
    for i, (name, values) in enumerate(errors.items()):
        heights = checks.within(values, name, 0, 1, ndim=1)
        checks.same_length(**{"x": setting, name: heights})
        curve(ax, setting, heights, label=name, look=look(i))
    ax.set(xlabel=xlabel, ylabel="error", ylim=(0, None))
    ax.legend()
    return ax


@styled
def plot_gaps(gaps: Mapping[str, ArrayLike], *, bins: int = 24, ax: Axes | None = None) -> Axes:
    """Draw how often each generalization gap came out, as one stepped curve for each name.

    Parameters
    ----------
    gaps : mapping
        A name, and the gaps of many samples, in [-1, 1].
    bins : int
        Number of equal classes between the smallest and the largest gap, at least 1.

    Raises
    ------
    ValueError, TypeError
        If a gap leaves [-1, 1] or there are none.

    Examples
    --------
    >>> ax = plot_gaps({"training": [0.1, 0.2, 0.2], "test": [-0.1, 0.0, 0.1]})
    >>> [line.get_label() for line in ax.lines]
    ['no gap', 'training', 'test']
    """
    samples = {name: checks.within(v, name, -1, 1, ndim=1) for name, v in gaps.items()}
    if not samples:
        raise ValueError("gaps must hold at least one sample, got none")
    every = np.concatenate(list(samples.values()))
    edges = np.linspace(every.min(), every.max(), checks.one_count(bins, "bins") + 1)
    middle = (edges[1:] + edges[:-1]) / 2
    ax = new_axes(ax)
    ax.axvline(0, color="0.5", lw=1, label="no gap")
    for i, (name, values) in enumerate(samples.items()):
        share = np.histogram(values, edges)[0] / len(values)
        style = look(i) | {"marker": ""}
        ax.plot(middle, share, drawstyle="steps-mid", label=name, **style)
    ax.set(xlabel="gap: true error minus error on the sample", ylabel="share of the samples")
    ax.set_ylim(0, 1.45 * ax.get_ylim()[1])  # room for the legend
    ax.locator_params(axis="y", nbins=5, steps=[1, 2, 5, 10])
    ax.legend(loc="upper right")
    return ax
