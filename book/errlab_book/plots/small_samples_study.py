"""Plots of the small-sample study: beside the paper's numbers, against kurtosis, and its sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from errlab import checks, datasets
from errlab.checks import FloatArray
from errlab.results import Simulated
from errlab.style import PALETTE, curve, look, new_panels, styled
from errlab.training_set import LeastSquares
from errlab_book.plots.small_samples import interval_look

Rows = Sequence[Mapping[str, Any]]
Cells = dict[str, tuple[float, float]]

NAMES = {
    "spam": "Spam",
    "donut": "Donut",
    "ionosphere": "Ionosphere",
    "heart": "Heart",
    "diabetes": "Diabetes",
    "outlier": "Outlier",
    "three_points": "3 Points",
    "abalone": "Abalone",
    "liver": "Liver",
    "magic": "Magic",
    "chi2_small": "Chi2 small",
    "mammogram": "Mammogram",
}


def pick(settings: Rows, n: int) -> dict[str, Mapping[str, float]]:
    """Return the summary of each data set at one size, in the order of the paper's tables.

    Parameters
    ----------
    settings : sequence of mapping
        Rows of the stored study: ``setting`` (with ``data`` and ``n``) and ``summary``.
    n : int
        Examples in a training set.

    Returns
    -------
    dict
        Data set to its summary.

    Raises
    ------
    ValueError
        If there is no row of that size.

    Examples
    --------
    >>> pick([{"setting": {"data": "heart", "n": 30}, "summary": {"CUD": 0.97}}], 30)
    {'heart': {'CUD': 0.97}}
    """
    summaries = {
        row["setting"]["data"]: row["summary"] for row in settings if row["setting"]["n"] == n
    }
    checks.require(summaries, "n", "be a size in the study", n)
    return {name: summaries[name] for name in NAMES if name in summaries}


def measured_cells(settings: Rows, key: str, n: int) -> Cells:
    """Return coverage and width of one method, by data set, from a stored study.

    Parameters
    ----------
    settings : sequence of mapping
        Rows of the study.
    key : str
        Name of the method in the study, such as ``"K"`` or ``"K broken"``.
    n : int
        Examples in a training set.

    Returns
    -------
    dict
        Data set to ``(coverage, width)``.

    Raises
    ------
    ValueError
        If there is no row of that size.

    Examples
    --------
    >>> row = {"K": 0.93, "K width": 0.3}
    >>> measured_cells([{"setting": {"data": "heart", "n": 30}, "summary": row}], "K", 30)
    {'heart': (0.93, 0.3)}
    """
    return {name: (row[key], row[f"{key} width"]) for name, row in pick(settings, n).items()}


def printed_cells(printed: Mapping[str, Any], key: str, n: int) -> Cells:
    """Return coverage and width of one method, by data set, as the paper prints them.

    Parameters
    ----------
    printed : mapping
        The paper's tables: ``columns``, and ``tables`` such as ``"coverage 30"``.
    key : str
        A method of `INTERVALS`.
    n : int
        Examples in a training set.

    Returns
    -------
    dict
        Data set to ``(coverage, width)``.

    Raises
    ------
    ValueError
        If the method or the size is not there.

    Examples
    --------
    >>> tables = {"coverage 30": {"heart": [0.718]}, "diameter 30": {"heart": [0.319]}}
    >>> printed_cells({"columns": ["K"], "tables": tables}, "K", 30)
    {'heart': (0.718, 0.319)}
    """
    checks.choice(key, "key", printed["columns"])
    checks.choice(f"coverage {n}", "table", list(printed["tables"]))
    column = printed["columns"].index(key)
    coverage, width = (printed["tables"][f"{what} {n}"] for what in ("coverage", "diameter"))
    return {name: (coverage[name][column], width[name][column]) for name in coverage}


@styled
def plot_kurtosis(settings: Rows) -> list[Axes]:
    """Draw coverage against the absolute kurtosis of the training error, a panel for each size.

    Parameters
    ----------
    settings : sequence of mapping
        Rows of the stored study.

    Returns
    -------
    list of Axes

    Raises
    ------
    ValueError
        If there is no row.

    References
    ----------
    Laber and Murphy (2008), Figure 1.

    Examples
    --------
    >>> row = {"CUD": 0.97, "K": 0.9, "M": 0.9, "Y": 1.0, "kurtosis": -0.4}
    >>> study = [{"setting": {"data": "heart", "n": 30}, "summary": row}]
    >>> plot_kurtosis(study)[0].get_title("left")
    'n = 30'
    """
    sizes = sorted({row["setting"]["n"] for row in settings})
    k = len(sizes)
    # heights of the legend and of a panel
    panels = new_panels(k, figsize=(4.8, 0.6 + 2.5 * k), sharex=True, sharey=True)
    for ax, n in zip(panels, sizes, strict=True):
        rows = pick(settings, n).values()
        bent = np.abs([row["kurtosis"] for row in rows])
        ax.axhline(0.95, color="0.5", lw=1)
        for key in ("CUD", "K", "M", "Y"):
            # hollow, because many marks overlap
            hollow = {"linestyle": "", "markerfacecolor": "none"}
            coverages = [row[key] for row in rows]
            ax.plot(bent, coverages, label=key, **interval_look(key) | hollow)
        ax.set(ylabel="measured coverage", title=f"n = {n}")
        # many sets have a kurtosis near 0, and a few near 10, so linear up to 0.1, then logarithmic
        ax.set_xscale("symlog", linthresh=0.1)
        ax.set(xticks=[0, 0.1, 1, 10], xticklabels=["0", "0.1", "1", "10"])
        ax.set_xlim(0, max(10, 1.2 * bent.max()))
    # the axis is shared, so set it after everything is drawn
    panels[0].set_ylim(None, 1.01)
    panels[-1].set(xlabel="absolute excess kurtosis (from 0.1 on: log)")
    handles, labels = panels[0].get_legend_handles_labels()
    panels[0].figure.legend(handles, labels, loc="outside upper center", ncols=4)
    return panels


@styled
def plot_cud_time(times: Rows) -> list[Axes]:
    """Draw the time of a CUD interval against the number of examples, a curve for each rank.

    Parameters
    ----------
    times : sequence of mapping
        Rows with ``n``, ``p``, ``signal`` and ``seconds``.

    Returns
    -------
    list of Axes
        Data with signal, and without.

    Raises
    ------
    ValueError
        If there is no row.

    Examples
    --------
    >>> rows = [{"n": n, "p": 3, "signal": True, "seconds": n / 1000} for n in (20, 50)]
    >>> plot_cud_time(rows)[0].get_yscale()
    'log'
    """
    checks.require(times, "times", "hold at least one row", times)
    kinds = [kind for kind in (True, False) if any(row["signal"] is kind for row in times)]
    k = len(kinds)
    # heights of the legend and of a panel
    panels = new_panels(k, figsize=(4.8, 0.5 + 2.7 * k), sharex=True, sharey=True)
    ranks = sorted({row["p"] for row in times})
    sizes = sorted({row["n"] for row in times})
    for ax, kind in zip(panels, kinds, strict=True):
        for index, p in enumerate(ranks):
            rows = [row for row in times if row["signal"] is kind and row["p"] == p]
            if rows:
                n, seconds = ([row[what] for row in rows] for what in ("n", "seconds"))
                curve(ax, n, seconds, label=f"p = {p}", look=look(index))
        ax.set(xscale="log", yscale="log", ylabel="seconds of CPU time",
               title="data with signal" if kind else "data without signal")  # fmt: skip
        ax.set_xticks(sizes, [str(n) for n in sizes])
        ax.set_yticks([0.001, 0.01, 0.1, 1, 10], ["0.001", "0.01", "0.1", "1", "10"])
        ax.minorticks_off()
    panels[-1].set_xlabel("training examples n")
    panels[0].figure.legend(
        *panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=6,
        handlelength=1.8, columnspacing=0.9, fontsize=8.5,
    )  # fmt: skip
    return panels


def _squares(X: FloatArray) -> FloatArray:
    return np.column_stack([np.ones(len(X)), np.square(X)])


@styled
def plot_simulated(*, n: int = 200, limit: int = 200_000, rng: int = 0) -> list[Axes]:
    """Draw the four simulated sets, and the limit of the least-squares boundary.

    Parameters
    ----------
    n : int
        Points drawn of each.
    limit : int
        Examples from which the limit is computed.
    rng : int
        Seed.

    Returns
    -------
    list of Axes
        Donut, Outlier, Chi2 small, 3 Points (moved a little up or down to be seen).

    Raises
    ------
    ValueError, TypeError
        If a number leaves its range.

    References
    ----------
    Laber and Murphy (2008), Table 1.

    Examples
    --------
    >>> [ax.get_title("left") for ax in plot_simulated(n=10, limit=1000)]
    ['Donut', 'Outlier', 'Chi2 small', '3 Points']
    """
    size = checks.one_count(n)
    many = checks.one_count(limit)
    draws: tuple[Callable[..., Simulated], ...] = (
        datasets.donut, datasets.outlier, datasets.chi2_small, datasets.three_points,
    )  # fmt: skip
    panels = new_panels(4, figsize=(4.8, 5.0), ncols=2)
    for ax, draw in zip(panels, draws, strict=True):
        X, y, _ = draw(size, rng=rng)
        flat = X.shape[1] == 1
        # with one feature, the height shows the label, spread so that points don't overlap
        up = y + np.random.default_rng(rng).uniform(-0.5, 0.5, size) if flat else X[:, 1]
        for index, label in enumerate((-1, 1)):
            ax.plot(
                X[y == label, 0], up[y == label], "os"[index], color=PALETTE[index], ms=3.2,
                alpha=0.75, label=f"label {label:+d}",
            )  # fmt: skip
        ax.set(title=NAMES[draw.__name__], xlabel="first feature")
        ax.set_ylabel("label, spread" if flat else "second feature")
        # the fit to many draws of chi2_small is near f = 0, which has no boundary
        if draw is not datasets.chi2_small:
            model = LeastSquares(_squares if draw is datasets.donut else None)
            big = draw(many, rng=rng + 1)
            _boundary(ax, model.fit(big.X, big.y), flat)
    handles, labels = panels[0].get_legend_handles_labels()
    panels[0].figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=8.5)
    return panels


def _boundary(ax: Axes, model: LeastSquares, flat: bool) -> None:
    """Draw the curve where the score is 0."""
    style: dict[str, Any] = {"color": "black", "lw": 1.6, "ls": "--", "label": "limit of the fit"}
    # a boundary may leave the picture; keep the view on the points
    xlim = ax.get_xlim()
    ylim = ax.get_ylim()
    a, b, *c = model.coef_
    if flat:
        ax.axvline(-a / b, **style)
    elif model.basis is not None:
        turn = np.linspace(0, 2 * np.pi, 61)
        # the score is a + b x1² + c x2², and 0 on an ellipse
        radius = np.sqrt(-a / (b * np.cos(turn) ** 2 + c[0] * np.sin(turn) ** 2))
        ax.plot(radius * np.cos(turn), radius * np.sin(turn), **style)
    else:
        x2 = np.asarray(ylim)
        ax.plot(-(a + c[0] * x2) / b, x2, **style)
    ax.set(xlim=xlim, ylim=ylim)
