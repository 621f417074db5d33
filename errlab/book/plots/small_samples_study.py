"""Plots of the small-sample study: beside the paper's numbers, against kurtosis, and its sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from errlab import _checks, datasets
from errlab._checks import FloatArray
from errlab.book.plots._style import PALETTE, curve, look, new_axes, new_panels, styled
from errlab.book.plots.small_samples import interval_look
from errlab.intervals import INTERVALS, LeastSquares

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Rows = Sequence[Mapping[str, Any]]

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
        Cases in a training set.

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
    found = {row["setting"]["data"]: row["summary"] for row in settings if row["setting"]["n"] == n}
    if not found:
        raise ValueError(f"n must be a size in the study, got {n!r}")
    return {name: found[name] for name in NAMES if name in found}


@styled
def plot_beside(
    settings: Rows, printed: Mapping[str, Any], key: str, *, n: int, level: float = 0.95
) -> list[Axes]:
    """Draw coverage and width of one method beside what the paper prints.

    Parameters
    ----------
    settings : sequence of mapping
        Rows of the stored study.
    printed : mapping
        The paper's tables: ``columns``, and ``tables`` such as ``"coverage 30"``.
    key : str
        A method of `INTERVALS`.
    n : int
        Cases in a training set.
    level : float
        The coverage that is aimed at.

    Returns
    -------
    list of Axes
        Coverage, with two standard errors to each side, and width.

    Raises
    ------
    ValueError
        If the key or the size is not there.

    References
    ----------
    Laber and Murphy (2008), Tables 2 to 5.

    Examples
    --------
    >>> row = {"CUD": 0.97, "CUD_se": 0.01, "CUD width": 0.4}
    >>> study = [{"setting": {"data": "heart", "n": 30}, "summary": row}]
    >>> tables = {"coverage 30": {"heart": [0.99]}, "diameter 30": {"heart": [0.5]}}
    >>> axes = plot_beside(study, {"columns": ["CUD"], "tables": tables}, "CUD", n=30)
    >>> axes[0].get_title()
    'CUD bound (CUD), n = 30'
    """
    name, rows = INTERVALS[key].name, pick(settings, n)
    column, places = printed["columns"].index(key), np.arange(len(rows))
    ours = [np.array([row[k] for row in rows.values()]) for k in (key, f"{key} width")]
    error = 2 * np.array([row[f"{key}_se"] for row in rows.values()])
    panels = new_panels(2, figsize=(4.8, 6.4), nrows=2, ncols=1)
    for ax, what, values in zip(panels, ("coverage", "diameter"), ours, strict=True):
        theirs = [printed["tables"][f"{what} {n}"][data][column] for data in rows]
        ax.plot(theirs, places, label="paper", **look(1) | {"linestyle": ""})
        ax.plot(values, places, label="here", **look(0) | {"linestyle": ""})
        ax.set_yticks(places, [NAMES[data] for data in rows], fontsize=8.5)
        ax.set(ylim=(len(rows) - 0.4, -0.6), xlim=(0, 1.02 if what == "coverage" else 0.8))
    panels[0].hlines(places, ours[0] - error, np.minimum(ours[0] + error, 1), color=PALETTE[0])
    panels[0].axvline(level, color="0.5", lw=1)
    panels[0].set(xlabel="measured coverage", title=f"{name} ({key}), n = {n}")
    panels[1].set_xlabel("mean width")
    panels[0].figure.legend(*panels[1].get_legend_handles_labels(), loc="outside upper right",
                            ncols=2)  # fmt: skip
    return panels


@styled
def plot_kurtosis(
    settings: Rows, keys: Sequence[str] = ("CUD", "K", "M", "Y"), *, level: float = 0.95
) -> list[Axes]:
    """Draw coverage against the absolute kurtosis of the training error, a panel for each size.

    Parameters
    ----------
    settings : sequence of mapping
        Rows of the stored study.
    keys : sequence of str
        Methods of `INTERVALS`.
    level : float
        The coverage that is aimed at.

    Returns
    -------
    list of Axes

    Raises
    ------
    ValueError
        If a method is unknown or there is no row.

    References
    ----------
    Laber and Murphy (2008), Figure 1.

    Examples
    --------
    >>> row = {"CUD": 0.97, "kurtosis": -0.4}
    >>> study = [{"setting": {"data": "heart", "n": 30}, "summary": row}]
    >>> plot_kurtosis(study, ["CUD"])[0].get_title()
    'n = 30'
    """
    sizes = sorted({row["setting"]["n"] for row in settings})
    panels = new_panels(
        len(sizes),
        figsize=(4.8, 0.6 + 2.5 * len(sizes)),
        nrows=len(sizes),
        ncols=1,
        sharex=True,
        sharey=True,
    )
    for ax, n in zip(panels, sizes, strict=True):
        rows = pick(settings, n).values()
        bent = np.abs([row["kurtosis"] for row in rows])
        ax.axhline(level, color="0.5", lw=1)
        for key in keys:
            held = [row[INTERVALS[key].key] for row in rows]
            hollow = {"linestyle": "", "markerfacecolor": "none"}  # many lie close together
            ax.plot(bent, held, label=key, **interval_look(key) | hollow)
        ax.set(ylabel="measured coverage", title=f"n = {n}")
        ax.set_xscale("symlog", linthresh=0.1)
        ax.set(xticks=[0, 0.1, 1, 10], xticklabels=["0", "0.1", "1", "10"])
        ax.set_xlim(0, max(10, 1.2 * bent.max()))
    panels[0].set_ylim(None, 1.01)  # shared, so only after all is drawn
    panels[-1].set(xlabel="absolute excess kurtosis (from 0.1 on: log)")
    handles, labels = panels[0].get_legend_handles_labels()
    panels[0].figure.legend(handles, labels, loc="outside upper center", ncols=len(keys))
    return panels


@styled
def plot_cud_time(times: Rows) -> list[Axes]:
    """Draw the time of a CUD interval against the number of cases, a curve for each rank.

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
    if not times:
        raise ValueError("times must hold at least one row, got none")
    kinds = [kind for kind in (True, False) if any(row["signal"] is kind for row in times)]
    panels = new_panels(
        len(kinds), figsize=(4.8, 0.5 + 2.7 * len(kinds)), nrows=len(kinds), ncols=1,
        sharex=True, sharey=True,
    )  # fmt: skip
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
    panels[-1].set_xlabel("training cases n")
    panels[0].figure.legend(
        *panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=6,
        handlelength=1.8, columnspacing=0.9, fontsize=8.5,
    )  # fmt: skip
    return panels


def _squares(X: FloatArray) -> FloatArray:
    return np.column_stack([np.ones(len(X)), np.square(X)])


@styled
def plot_simulated(*, n: int = 200, limit: int = 200_000, rng: int = 0) -> list[Axes]:
    """Draw the four simulated sets, and the boundary that least squares tends to.

    Parameters
    ----------
    n : int
        Points drawn of each.
    limit : int
        Cases from which the limit is computed.
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
    >>> [ax.get_title() for ax in plot_simulated(n=10, limit=1000)]
    ['Donut', 'Outlier', 'Chi2 small', '3 Points']
    """
    size, many = _checks.one_count(n), _checks.one_count(limit)
    draws: tuple[Callable[..., datasets.Simulated], ...] = (
        datasets.donut, datasets.outlier, datasets.chi2_small, datasets.three_points,
    )  # fmt: skip
    panels = new_panels(4, figsize=(4.8, 5.0), nrows=2, ncols=2)
    for ax, draw in zip(panels, draws, strict=True):
        X, y, _ = draw(size, rng=rng)
        flat = X.shape[1] == 1
        up = y + np.random.default_rng(rng).uniform(-0.5, 0.5, size) if flat else X[:, 1]
        for index, label in enumerate((-1, 1)):
            ax.plot(
                X[y == label, 0], up[y == label], "os"[index], color=PALETTE[index], ms=3.2,
                alpha=0.75, label=f"label {label:+d}",
            )  # fmt: skip
        ax.set(title=NAMES[draw.__name__], xlabel="first feature")
        ax.set_ylabel("label, spread" if flat else "second feature")
        if draw is not datasets.chi2_small:  # its limit is f = 0, which has no boundary
            model = LeastSquares(_squares if draw is datasets.donut else None)
            big = draw(many, rng=rng + 1)
            _boundary(ax, model.fit(big.X, big.y), flat)
    handles, labels = panels[0].get_legend_handles_labels()
    panels[0].figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=8.5)
    return panels


def _boundary(ax: Axes, model: LeastSquares, flat: bool) -> None:
    """Draw where the score is 0."""
    style: dict[str, Any] = {"color": "black", "lw": 1.6, "ls": "--", "label": "limit of the fit"}
    xlim, ylim = ax.get_xlim(), ax.get_ylim()
    a, b, *c = model.coef_
    if flat:
        ax.axvline(-a / b, **style)
    elif model.basis is not None:
        turn = np.linspace(0, 2 * np.pi, 61)
        radius = np.sqrt(-a / (b * np.cos(turn) ** 2 + c[0] * np.sin(turn) ** 2))
        ax.plot(radius * np.cos(turn), radius * np.sin(turn), **style)
    else:
        x2 = np.asarray(ylim)
        ax.plot(-(a + c[0] * x2) / b, x2, **style)
    ax.set(xlim=xlim, ylim=ylim)


@styled
def plot_implied(
    ours: Mapping[str, float], theirs: Mapping[str, float], *, ax: Axes | None = None
) -> Axes:
    """Draw the error of each classifier here and the one that the paper's widths imply.

    Parameters
    ----------
    ours, theirs : mapping
        Data set to an error in [0, 1].
    ax : Axes, optional
        Where to draw; new axes where it is not given.

    Returns
    -------
    Axes

    Raises
    ------
    KeyError
        If a data set is unknown.

    Examples
    --------
    >>> plot_implied({"heart": 0.2}, {"heart": 0.27}).get_xlabel()
    'error of the classifier'
    """
    ax = new_axes(ax, figsize=(4.8, 3.9))
    places = np.arange(len(ours))
    ax.plot(
        [theirs[k] for k in ours], places, label="paper, implied", **look(1) | {"linestyle": ""}
    )
    ax.plot(list(ours.values()), places, label="here", **look(0) | {"linestyle": ""})
    ax.set_yticks(places, [NAMES[k] for k in ours], fontsize=8.5)
    ax.set(ylim=(len(ours) - 0.4, -0.6), xlim=(0, 0.55), xlabel="error of the classifier")
    ax.legend(loc="upper left", bbox_to_anchor=(0, 1.13), ncols=2)
    return ax
