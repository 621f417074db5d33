"""Plots of cross-validation: folds and their fits, bias and spread, bounds, trust."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from errlab import bounds, crossval
from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._numerics import least_squares
from errlab.book.plots._style import BLUE, VERMILION, look, new_axes, new_panels, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "plot_bias_and_spread",
    "plot_folds",
    "plot_kfold_bound",
    "plot_measured_coverage",
    "plot_one_standard_error",
]

_VIEW = 3.6  # half the side of the plane that plot_folds shows


def _line(beta: FloatArray) -> tuple[list[float], list[float]]:
    """Ends of the line b0 + b1 x + b2 y = 0, beyond the view."""
    b0, b1, b2 = beta
    ends = np.array([-9.0, 9.0])
    if abs(b1) > abs(b2):
        return (-(b0 + b2 * ends) / b1).tolist(), ends.tolist()
    return ends.tolist(), (-(b0 + b1 * ends) / b2).tolist()


@styled
def plot_folds(X: ArrayLike, y: ArrayLike, fold: ArrayLike) -> list[Axes]:
    """Draw the least-squares line of each fold, and under it the error of each fold.

    Parameters
    ----------
    X : array_like, shape (n, 2)
        The cases.
    y : array_like, shape (n,)
        Labels of two classes.
    fold : array_like of int, shape (n,)
        Fold of each case, 0 .. k-1.

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
    >>> upper.get_title()
    '2 folds: 0 of 6 cases wrong'
    """
    points = checks.matrix(X)
    codes = checks.count(fold, "fold", 0, ndim=1)
    classes = np.unique(checks.labels(y), return_inverse=True)[1]
    n = checks.same_length(X=points, y=classes, fold=codes)
    k = int(codes.max()) + 1
    design = np.column_stack([np.ones(n), points])
    targets = np.asarray(2.0 * classes - 1, dtype=np.float64)
    wrong = (targets - crossval.cv_residuals_linear(design, targets, codes) > 0) != (targets > 0)
    kept = np.vstack([np.ones(n), codes != np.arange(k)[:, None]]).astype(np.float64)
    whole, *parts = least_squares.coefficients(design, targets[:, None], kept, np.zeros(3))[:, :, 0]
    upper, lower = new_panels(
        2, figsize=(4.8, 5.8), nrows=2, ncols=1, gridspec_kw={"height_ratios": [2.6, 1]}
    )
    for number, beta in enumerate(parts):
        upper.plot(*_line(beta), color=BLUE, lw=1, alpha=0.7, zorder=1,
                   label="_" if number else "without a fold")  # fmt: skip
    upper.plot(*_line(whole), color="black", lw=2, ls="--", label="all cases", zorder=2)
    for label, marker in ((0, "o"), (1, "^")):
        upper.plot(*points[classes == label].T, color="0.45", ls="", marker=marker, ms=5,
                   label=f"_class {label}")  # fmt: skip
    upper.plot(*points[wrong].T, ls="", marker="o", ms=11, mfc="none", mew=1.6, color=VERMILION,
               label="wrong when left out")  # fmt: skip
    upper.set(xlim=(-_VIEW, _VIEW), ylim=(-_VIEW, _VIEW), xlabel="feature 1")
    upper.set(ylabel="feature 2", title=f"{k} folds: {wrong.sum()} of {n} cases wrong")
    upper.figure.legend(loc="outside upper center", ncols=3, columnspacing=1, handlelength=1.6)
    means = crossval.CVLosses(wrong * 1.0, codes, np.arange(n)).fold_means
    lower.bar(np.arange(1, k + 1), means, color=BLUE, label="_error of a fold")
    lower.axhline(wrong.mean(), color=VERMILION, ls="--", label="_their mean")
    lower.set(xlim=(0.3, k + 0.7), ylim=(0, 1.05), xlabel="fold", ylabel="error")
    lower.set_xticks([1, k] if k > 10 else range(1, k + 1))
    return [upper, lower]


@styled
def plot_bias_and_spread(
    folds: Sequence[int], estimates: Mapping[str, ArrayLike], truths: Mapping[str, float]
) -> list[Axes]:
    """Draw mean and spread of the cross-validated error against the number of folds.

    Parameters
    ----------
    folds : sequence of int, length m
        Numbers of folds.
    estimates : mapping
        Name of a learner to its estimates, shape (repeats, m).
    truths : mapping
        Name of a learner to the expected error of a model trained on all cases, above 0.

    Returns
    -------
    list of Axes
        The bias and the standard deviation, in per cent of the truth.

    Raises
    ------
    ValueError, TypeError
        If a shape does not fit or a number leaves its range.

    Examples
    --------
    >>> upper, lower = plot_bias_and_spread([2, 5], {"a": [[1.2, 1.0], [1.4, 1.1]]}, {"a": 1.0})
    >>> upper.lines[1].get_ydata().round(6).tolist()
    [30.0, 5.0]
    """
    upper, lower = new_panels(2, figsize=(4.8, 5.4), nrows=2, ncols=1, sharex=True)
    upper.axhline(0, color="0.5", lw=1, label="no bias")
    for i, (name, values) in enumerate(estimates.items()):
        truth = checks.within(truths[name], "truths", 0, open_low=True, ndim=0)
        table = 100 * (checks.numbers(values, "estimates", ndim=2) / truth - 1)
        upper.plot(folds, table.mean(axis=0), label=name, **look(i))
        lower.plot(folds, table.std(axis=0), label=name, **look(i))
    upper.set(ylabel="bias, % of the true error", title="on average")
    lower.set(ylabel="standard deviation, %", title="from data set to data set", ylim=(0, None))
    lower.set(xscale="log", xlabel="number of folds k")
    lower.set_xticks(folds, [str(k) for k in folds])
    lower.minorticks_off()
    upper.legend()
    return [upper, lower]


@styled
def plot_one_standard_error(
    means: ArrayLike,
    standard_errors: ArrayLike,
    complexity: ArrayLike,
    *,
    truth: ArrayLike | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw cross-validated errors against complexity, the best and the one-standard-error choice.

    Parameters
    ----------
    means, standard_errors, complexity : array_like, shape (m,)
        As in `crossval.one_standard_error`.
    truth : array_like, shape (m,), optional
        True errors of the models.

    Raises
    ------
    ValueError, TypeError
        As `crossval.one_standard_error`.

    Examples
    --------
    >>> ax = plot_one_standard_error([0.3, 0.22, 0.2, 0.21], [0.03] * 4, [1, 2, 3, 4])
    >>> ax.get_title()
    'lowest at 3, one standard error picks 2'
    """
    chosen = crossval.one_standard_error(means, standard_errors, complexity)
    error, spread, order = (np.asarray(a, float) for a in (means, standard_errors, complexity))
    best = int(error.argmin())
    ax = new_axes(ax)
    ax.errorbar(order, error, spread, label="cross-validation", capsize=3, **look(0))
    if truth is not None:
        true = checks.numbers(truth, "truth", ndim=1)
        checks.same_length(means=error, truth=true)
        ax.plot(order, true, label="true error", **look(2))
    ax.axhline(error[best] + spread[best], color="0.5", ls=":", label="lowest plus one s.e.")
    ax.plot(order[chosen], error[chosen], ls="", marker="o", ms=13, mfc="none", mew=2,
            color=VERMILION, label="chosen")  # fmt: skip
    title = f"lowest at {order[best]:g}, one standard error picks {order[chosen]:g}"
    ax.set(xlabel="complexity", ylabel="error", title=title)
    ax.set_ylim(0, None)
    ax.legend(ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.16))
    return ax


@styled
def plot_kfold_bound(
    errors: int, n: int, folds: Sequence[int], *, delta: float = 0.05, ax: Axes | None = None
) -> Axes:
    """Draw the k-fold bound against k, where the errors are spread evenly over the folds.

    Parameters
    ----------
    errors, n : int
        Errors made in cross-validation, and cases.
    folds : sequence of int
        Numbers of folds, from 2 to n.
    delta : float
        Probability of failure, in (0, 1).

    Raises
    ------
    ValueError, TypeError
        As `crossval.kfold_bound`.

    References
    ----------
    Anguita et al., survey, Eq. 51.

    Examples
    --------
    >>> ax = plot_kfold_bound(10, 100, [2, 5, 10])
    >>> ax.lines[0].get_label()
    'Hoeffding, delta'
    """
    losses = np.zeros(checks.one_count(n))
    losses[np.linspace(0, n, errors, endpoint=False).astype(int)] = 1
    ax = new_axes(ax)
    kinds = (("Hoeffding, delta", "HOE", False), ("Clopper-Pearson, delta / k", "CP", True),
             ("Clopper-Pearson, delta", "CP", False))  # fmt: skip
    for i, (name, key, split) in enumerate(kinds):
        values = [
            crossval.kfold_bound(losses, np.arange(n) * k // n, key, delta=delta, split=split)
            for k in folds
        ]
        ax.plot(folds, values, label=name, **look(i))
    single = bounds.upper("CP", errors / n, n, delta=delta)
    ax.axhline(single, color="0.5", ls="--", label="a test set of n cases")
    ax.set(xscale="log", ylim=(0, 1), xlabel="number of folds k", ylabel="upper bound")
    ax.set_xticks(folds, [str(k) for k in folds])
    ax.minorticks_off()
    ax.legend(loc="upper left", fontsize=8.5)
    return ax


@styled
def plot_measured_coverage(
    settings: Sequence[Mapping[str, Any]],
    names: Mapping[str, str],
    *,
    target: str = "refit",
    nominal: float = 0.95,
) -> list[Axes]:
    """Draw the measured coverage of many methods: a panel for each n, a mark for each problem.

    Parameters
    ----------
    settings : sequence of mapping
        Rows of a stored study: ``setting`` (with ``problem`` and ``n``) and ``summary``.
    names : mapping
        Key of a method in the summary to the words to show.
    target : str
        Which truth: the summary's key is ``"<method>_<target>"``.
    nominal : float
        The level that is aimed at.

    Returns
    -------
    list of Axes

    Raises
    ------
    ValueError
        If there is no setting.

    Examples
    --------
    >>> row = {"setting": {"problem": "a", "n": 50}, "summary": {"cp_refit": 0.93}}
    >>> plot_measured_coverage([row], {"cp": "Clopper-Pearson"})[0].get_title()
    'n = 50'
    """
    if not settings:
        raise ValueError("settings must hold at least one row, got none")
    sizes = sorted({row["setting"]["n"] for row in settings})
    problems = list(dict.fromkeys(row["setting"]["problem"] for row in settings))
    height = 0.9 + len(sizes) * (0.55 + 0.24 * len(names))
    panels = new_panels(len(sizes), figsize=(4.8, height), nrows=len(sizes), ncols=1, sharex=True)
    for ax, n in zip(panels, sizes, strict=True):
        ax.axvline(nominal, color="0.5", lw=1, label=f"{nominal:.0%}")
        for row in settings:
            if row["setting"]["n"] != n:
                continue
            name = row["setting"]["problem"]
            held = [row["summary"][f"{key}_{target}"] for key in names]
            ax.plot(held, np.arange(len(names)), label=name,
                    **look(problems.index(name)) | {"linestyle": ""})  # fmt: skip
        ax.set_yticks(range(len(names)), list(names.values()), fontsize=8.5)
        ax.set(ylim=(len(names) - 0.4, -0.6), title=f"n = {n}")
    panels[-1].set_xlabel("measured coverage")
    handles, labels = panels[0].get_legend_handles_labels()
    panels[0].figure.legend(
        handles, labels, loc="outside upper center", ncols=3, fontsize=8.5, columnspacing=1
    )
    return panels
