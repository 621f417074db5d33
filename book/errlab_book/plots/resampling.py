"""Plots of cross-validation: folds and their fits, bias and spread, choices, coverage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from errlab import checks, crossval
from errlab.checks import FloatArray
from errlab.style import BLUE, VERMILION, look, new_axes, new_panels, styled

# half the side of the square that plot_folds shows
_VIEW = 3.6


def _line(beta: FloatArray) -> tuple[list[float], list[float]]:
    """Return ends of the line b0 + b1 x + b2 y = 0, outside the view."""
    b0, b1, b2 = beta
    ends = np.array([-9.0, 9.0])
    # divide by the larger coefficient, so that vertical and horizontal lines work, too
    if abs(b1) > abs(b2):
        return (-(b0 + b2 * ends) / b1).tolist(), ends.tolist()
    return ends.tolist(), (-(b0 + b1 * ends) / b2).tolist()


@styled
def plot_rotation(folds: int = 10, *, ax: Axes | None = None) -> Axes:
    """Draw which folds train each model of cross-validation, and which one tests it.

    Parameters
    ----------
    folds : int
        Number of folds, at least 2.

    Raises
    ------
    ValueError, TypeError
        If `folds` is not a whole number of at least 2.

    Examples
    --------
    >>> ax = plot_rotation(4)
    >>> ax.lines[1].get_xdata().tolist()
    [1, 2, 3, 4]
    """
    k = checks.one_count(folds, "folds", 2)
    ax = new_axes(ax)
    model, fold = np.divmod(np.arange(k * k), k) + np.ones((2, 1), dtype=int)
    for name, mask, color in (("trains", model != fold, "none"), ("tests", model == fold, BLUE)):
        # a square is about as large as its cell, whatever the number of folds
        ax.plot(fold[mask], model[mask], ls="", marker="s", ms=100 / k, mec="0.6", mfc=color,
                label=name)  # fmt: skip
    ax.set(xlabel="tenth of the patients" if k == 10 else "fold", ylabel="model", aspect="equal")
    ax.set(xticks=range(1, k + 1), yticks=range(1, k + 1))
    ax.invert_yaxis()
    ax.set_anchor("W")
    ax.legend(loc="center left", bbox_to_anchor=(1.05, 0.5), markerscale=0.8)
    return ax


@styled
def plot_folds(X: ArrayLike, y: ArrayLike, fold: ArrayLike) -> list[Axes]:
    """Draw the least-squares line of each fold, and under it the error of each fold.

    Parameters
    ----------
    X : array_like, shape (n, 2)
        The examples.
    y : array_like, shape (n,)
        Labels of two classes.
    fold : array_like of int, shape (n,)
        Fold of each example, 0 .. k-1.

    Returns
    -------
    list of Axes
        The plane with one line for each fold, and the fold errors.

    Raises
    ------
    ValueError, TypeError
        If shapes do not fit or a value is not usable.

    Examples
    --------
    >>> X = [[-1.0, 0.0], [-2.0, 1.0], [-1.5, -1.0], [1.0, 1.0], [2.0, 0.5], [1.5, -1.0]]
    >>> upper, lower = plot_folds(X, [0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 0, 1])
    >>> upper.get_title("left")
    'Left out, 0 of 6 are wrong: 2 folds'
    """
    points = checks.matrix(X)
    codes = checks.count(fold, "fold", 0, ndim=1)
    classes = np.unique(checks.labels(y), return_inverse=True)[1]
    n = checks.same_length(X=points, y=classes, fold=codes)
    k = int(codes.max()) + 1
    design = np.column_stack([np.ones(n), points])
    targets = np.asarray(2.0 * classes - 1, dtype=np.float64)
    wrong = (targets - crossval.cv_residuals_linear(design, targets, codes) > 0) != (targets > 0)
    # first the training rows of the fit to all data, then those of each fit without a fold
    train_masks = np.vstack([np.full(n, True), codes != np.arange(k)[:, None]])
    whole, *parts = (np.linalg.lstsq(design[w], targets[w], rcond=None)[0] for w in train_masks)
    upper, lower = new_panels(2, figsize=(4.8, 5.8), gridspec_kw={"height_ratios": [2.6, 1]})
    for number, beta in enumerate(parts):
        upper.plot(*_line(beta), color=BLUE, lw=1, alpha=0.7, zorder=1,
                   label="_" if number else "without a fold")  # fmt: skip
    upper.plot(*_line(whole), color="black", lw=2, ls="--", label="all examples", zorder=2)
    for label, marker in ((0, "o"), (1, "^")):
        upper.plot(*points[classes == label].T, color="0.45", ls="", marker=marker, ms=5,
                   label=f"_class {label}")  # fmt: skip
    upper.plot(*points[wrong].T, ls="", marker="o", ms=11, mfc="none", mew=1.6, color=VERMILION,
               label="wrong when left out")  # fmt: skip
    upper.set(xlim=(-_VIEW, _VIEW), ylim=(-_VIEW, _VIEW), xlabel="feature 1")
    upper.set(ylabel="feature 2", title=f"Left out, {wrong.sum()} of {n} are wrong: {k} folds")
    upper.figure.legend(loc="outside lower center", ncols=3, columnspacing=1, handlelength=1.6)
    means = crossval.CVLosses(wrong * 1.0, codes, np.arange(n)).fold_means
    lower.bar(np.arange(1, k + 1), means, color=BLUE, label="_error of a fold")
    lower.axhline(wrong.mean(), color=VERMILION, ls="--", label="_their mean")
    lower.set(xlim=(0.3, k + 0.7), ylim=(0, 1.05), xlabel="fold", ylabel="error rate")
    # more than ten tick labels would overlap
    lower.set_xticks([1, k] if k > 10 else range(1, k + 1))
    return [upper, lower]


@styled
def plot_measured_coverage(
    settings: Sequence[Mapping[str, Any]], method: str, *, ax: Axes | None = None
) -> Axes:
    """Draw the measured coverage of one interval against the number of examples.

    Parameters
    ----------
    settings : sequence of mapping
        Rows of a stored study: ``setting`` (with ``problem`` and ``n``) and ``summary``.
    method : str
        The interval; with ``_refit`` after it, the summary's key.

    Raises
    ------
    ValueError
        If there is no setting.

    Examples
    --------
    >>> row = {"setting": {"problem": "a", "n": 50}, "summary": {"cp_refit": 0.93}}
    >>> plot_measured_coverage([row], "cp").lines[1].get_ydata().tolist()
    [93.0]
    """
    checks.require(settings, "settings", "hold at least one row", settings)
    ax = new_axes(ax)
    ax.axhline(95, color="0.5", lw=1, label="claimed: 95%")
    problems = list(dict.fromkeys(row["setting"]["problem"] for row in settings))
    for number, problem in enumerate(problems):
        rows = [row for row in settings if row["setting"]["problem"] == problem]
        # the true error of the model trained on all examples, because that model will be used
        covered = [100 * row["summary"][f"{method}_refit"] for row in rows]
        ax.plot([row["setting"]["n"] for row in rows], covered, label=problem, **look(number))
    sizes = sorted({row["setting"]["n"] for row in settings})
    ax.set(xscale="log", xlabel="examples", ylabel="contains the true error, %", ylim=(82, 100))
    ax.set_xticks(sizes, [str(n) for n in sizes])
    ax.minorticks_off()
    ax.legend(ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.22))
    return ax
