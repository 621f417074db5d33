"""Plots of rates, ROC and precision-recall curves, and discoveries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import scipy
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from errlab import checks, metrics
from errlab.metrics import RATES, Confusion
from errlab.style import BLUE, VERMILION, Look, curve, look, new_axes, new_panels, styled
from errlab_book.plots.paper import (
    ACCENT,
    BODY,
    INK,
    SOFT,
    balanced,
    headline,
    paper,
    write,
)


@styled
def plot_rates(
    table: Confusion, *, key: str = "CP", delta: float = 0.05, ax: Axes | None = None
) -> Axes:
    """Draw the interval of each rate of a confusion matrix.

    Parameters
    ----------
    table : Confusion
        The counts.
    key : str
        The bound, a key of `errlab.bounds.BOUNDS`.
    delta : float
        Probability that each interval may fail, in (0, 1).

    Raises
    ------
    ValueError, TypeError
        If `table` isn't a Confusion, the key is unknown or `delta` out of range.

    Examples
    --------
    >>> ax = plot_rates(Confusion(tp=8, fp=2, fn=4, tn=86))
    >>> print(ax.get_title("left"))
    The sensitivity is known least:
    it stands on 12 examples
    """
    intervals = {row.key: row for row in metrics.rate_intervals(table, key=key, delta=delta)}
    # a rate and its complement have equally wide intervals; the prevalence isn't a rate of the
    # classifier
    rows = [intervals[one] for one in ("TPR", "TNR", "PPV", "NPV", "ACC") if one in intervals]
    ax = ax or paper(350, 95 + 40 * len(rows))
    wide = [100 * (row.high - row.low) for row in rows]
    for place, (row, points) in enumerate(zip(rows, wide, strict=True)):
        is_widest = points == max(wide)
        ink: Look = (
            {"color": ACCENT, "hatch": "///"} if is_widest else {"color": INK, "alpha": BODY}
        )
        ax.barh(place, points, 0.4, edgecolor="#ffffff", lw=0, **ink)
        weight = "bold" if is_widest else "normal"
        name = f"{RATES[row.key].names[0]}: {row.hits} of {row.among}, {row.value:.1%}"
        write(ax, name, (0, place), (0, 14), weight=weight)
    widest = rows[int(np.argmax(wide))]
    ax.set(xlim=(0, 1.05 * max(wide)), ylim=(len(rows) - 0.5, -0.8), yticks=[])
    ax.set_xlabel("width of the interval, points")
    title = f"The {RATES[widest.key].names[0]} is known least: it stands on {widest.among} examples"
    headline(ax, title, "Width of each rate's interval")
    return ax


@styled
def plot_threshold(
    y_true: ArrayLike, scores: ArrayLike, threshold: float, *, positive: object = None
) -> list[Axes]:
    """Draw the scores of both classes cut at one threshold, and its point on the ROC curve.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True labels.
    scores : array_like, shape (n,)
        Larger means more likely positive; any scale.
    threshold : float
        Scores above it are called positive.
    positive : label, optional
        The positive label, as in `errlab.metrics.confusion`.

    Returns
    -------
    list of Axes
        The scores, and the ROC curve.

    Raises
    ------
    ValueError, TypeError
        If a class is missing, the lengths differ, or a score is not a finite number.

    Examples
    --------
    >>> above, below = plot_threshold([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], 0.5)
    >>> above.get_title("left")
    '1 of 2 positives found, 1 false alarm'
    """
    table = metrics.confusion_at(y_true, scores, threshold, positive=positive)
    fpr, tpr, cuts = metrics.roc(y_true, scores, positive=positive)
    # at each score
    steps = np.diff([tpr * table.positives, fpr * table.negatives], axis=1)
    # the first threshold is infinite: nothing is predicted positive there
    bins = np.linspace(cuts[-1], cuts[1], 25)
    above, below = new_panels(2, figsize=(4.8, 6.2))
    for at_score, name, colour, hatch, side in (
        (steps[0], "positives", BLUE, "", "right"),
        (steps[1], "negatives", VERMILION, "//", "left"),
    ):
        heights, _ = np.histogram(cuts[1:], bins, weights=at_score)
        above.stairs(
            heights, bins, fill=True, alpha=0.55, color=colour, hatch=hatch, label=name,
            edgecolor="white",
        )  # fmt: skip
        # above the bars of its class, on the outer side
        at = (float(side == "right"), 1)
        write(above, name, at, (0, -2), of_axes=True, ha=side, va="top")
    above.axvline(threshold, color="black", lw=1.5, ls="--", label="threshold")
    above.set(xlabel="score", ylabel="examples", ylim=(0, 1.2 * above.get_ylim()[1]))
    above.set_title(
        f"{table.tp} of {table.positives} positives found, "
        f"{table.fp} false alarm{'s' * (table.fp != 1)}"
    )
    x = table.fp / table.negatives
    y = table.tp / table.positives
    below.plot(fpr, tpr, color=BLUE, label="ROC curve")
    below.plot([0, 1], [0, 1], color="0.5", lw=1, ls=":", label="chance")
    below.plot(x, y, ls="", marker="o", ms=9, color=VERMILION, label="this threshold",
               clip_on=False)  # fmt: skip
    below.set(xlabel="false positive rate", ylabel="true positive rate", ylim=(-0.02, 1.02))
    write(below, "chance", (0.5, 0.5), (6, -9), va="top")
    write(below, "this threshold", (x, y), (-12, -6) if x > 0.6 else (12, -6),
          ha="right" if x > 0.6 else "left", va="top")  # fmt: skip
    return [above, below]


@styled
def plot_roc(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    positive: object = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw ROC curves on the same examples, their areas and their equal error rates.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True labels, of both classes.
    scores : mapping of str to array_like, shape (n,)
        The scores of each system, by its name.
    positive : label, optional
        The positive label, as in `errlab.metrics.confusion`.

    Raises
    ------
    ValueError, TypeError
        If a class is missing, the lengths differ, or a score is not a finite number.

    References
    ----------
    Lecture notes, Figure 5.15 (a).

    Examples
    --------
    >>> ax = plot_roc([0, 0, 1, 1], {"A": [0.1, 0.4, 0.35, 0.8]})
    >>> ax.lines[0].get_label()
    'A: area 0.750, EER 0.500'
    """
    ax = new_axes(ax, figsize=(4.8, 4.2))
    for i, (name, values) in enumerate(scores.items()):
        fpr, tpr, _ = metrics.roc(y_true, values, positive=positive)
        rate = metrics.equal_error_rate(fpr, tpr)
        area = metrics.area(y_true, values, positive=positive)
        label = f"{name}: area {area:.3f}, EER {rate:.3f}"
        curve(ax, fpr, tpr, label=label, look=look(i) | {"marker": ""})
        # where the false positive rate equals the false negative rate
        ax.plot(rate, 1 - rate, **look(i) | {"linestyle": "", "markersize": 9})
    ax.plot([0, 1], [1, 0], color="0.5", lw=1, label="FPR = FNR")
    ax.plot([0, 1], [0, 1], color="0.5", lw=1, ls=":", label="chance")
    ax.set(xlabel="false positive rate", ylabel="true positive rate")
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    # below the axes, where it covers no line
    ax.legend(ncols=2, loc="upper center", bbox_to_anchor=(0.45, -0.15))
    return ax


@styled
def plot_precision_recall(
    y_true: ArrayLike,
    scores: Mapping[str, ArrayLike],
    *,
    positive: object = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw precision-recall curves on the same examples.

    Parameters
    ----------
    y_true, scores, positive : array_like, mapping and label
        As in `plot_roc`, with the same errors.

    References
    ----------
    Lecture notes, Figure 5.15 (b).

    Examples
    --------
    >>> ax = plot_precision_recall([0, 0, 1, 1], {"A": [0.1, 0.4, 0.35, 0.8]})
    >>> [line.get_label() for line in ax.lines]
    ['A', 'call everything positive']
    """
    from sklearn.metrics import precision_recall_curve

    ax = new_axes(ax, figsize=(4.8, 3.8))
    for i, (name, values) in enumerate(scores.items()):
        cases = checks.numbers(values, "scores", ndim=1)
        # raise the error of `roc` if there is no such curve
        metrics.roc(y_true, cases, positive=positive)
        truth = np.asarray(y_true) == (1 if positive is None else positive)
        precision, recall, _ = precision_recall_curve(truth, cases)
        ax.plot(recall, precision, label=name, **look(i) | {"marker": ""})
    # at the lowest threshold every example is predicted positive
    ax.axhline(precision[0], color="0.5", lw=1, ls=":", label="call everything positive")
    ax.set(xlabel="recall", ylabel="precision", xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    ax.legend(loc="lower left")
    return ax


@styled
def plot_prevalence(
    prevalence: float,
    *,
    shift: float = 2.0,
    precision: Callable[..., Any] = metrics.precision_at,
) -> list[Axes]:
    """Draw the ROC and the precision-recall curve of one detector in one population.

    Scores of negatives are standard normal, those of positives normal around `shift`.

    Parameters
    ----------
    prevalence : float
        Fraction of positives in the population, in (0, 1).
    shift : float
        Distance between the classes, in standard deviations, above 0.
    precision : callable
        ``precision(tpr, fpr, prevalence)``, such as a reader's own.

    Returns
    -------
    list of Axes
        The ROC curve, and the precision-recall curve.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range.

    Examples
    --------
    >>> roc, pr = plot_prevalence(0.01)
    >>> print(roc.get_title("left"))
    With 1% positives 5.1%
    of the alarms are right
    """
    share = checks.one_delta(prevalence, "prevalence")
    distance = float(checks.within(shift, "shift", 0, open_low=True, ndim=0))
    # from a threshold far above both classes to one far below, so that the curve is complete
    cuts = np.sort(np.append(np.linspace(distance + 4, -4, 121), distance - 1))[::-1]
    fpr = scipy.stats.norm.sf(cuts)
    tpr = scipy.stats.norm.sf(cuts - distance)
    right = np.asarray(precision(tpr, fpr, share))
    # one standard deviation below the positives
    at = int(np.argmin(np.abs(cuts - (distance - 1))))
    panels = new_panels(2, ncols=2, figsize=(350 / 72, 250 / 72))
    roc = (fpr, tpr, "false positive rate", "found (recall)")
    axes = (roc, (tpr, right, "recall", "precision"))
    for ax, (x, y, across, up) in zip(panels, axes, strict=True):
        ax.plot(100 * x, 100 * y, color=INK, lw=2)
        ax.plot(100 * x[at], 100 * y[at], "s", color=ACCENT, ms=9)
        ax.set(xlim=(-3, 103), ylim=(-3, 103), xticks=[0, 50, 100], yticks=[0, 50, 100])
        ax.set_xlabel(across)
        write(ax, up, (0, 1), (0, 10), of_axes=True, alpha=SOFT)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter("{x:g}%")
    percentage = f"{100 * right[at]:.{int(not 0.095 <= right[at] < 0.995)}f}%"
    # below the curve, or above it where the curve is near 0
    place = (-9, -8) if right[at] > 0.2 else (8, 15)
    write(panels[0], f"{tpr[at]:.0%}", (100 * fpr[at], 100 * tpr[at]), (9, -9), weight="bold")
    write(panels[1], percentage, (100 * tpr[at], 100 * right[at]), place, ha="right", weight="bold")
    title = f"With {100 * share:g}% positives {percentage} of the alarms are right"
    panels[0].set_title("\n".join(balanced(title, 40)), pad=24)
    return panels


@styled
def plot_discoveries(p: ArrayLike, *, number: int, ax: Axes | None = None) -> Axes:
    """Draw the false discovery rate against the number of discoveries, and the end of a list.

    Parameters
    ----------
    p : array_like, shape (n,)
        Posterior probability that example i is a true phenomenon.
    number : int
        Length of the list, such as `errlab.metrics.fdr_threshold` allows.

    Raises
    ------
    ValueError, TypeError
        If a probability leaves [0, 1], or the list is longer than `p`.

    Examples
    --------
    >>> print(plot_discoveries([0.99, 0.95, 0.9, 0.5], number=3).get_title("left"))
    3 genes: the last is 10%
    doubtful, the list 5%
    """
    beliefs = np.sort(checks.within(p, "p", 0, 1, ndim=1))[::-1]
    listed = checks.one_count(number, "number", 0)
    checks.require(listed <= len(beliefs), "number", "be at most the length of p", listed)
    place = np.arange(1, len(beliefs) + 1)
    ax = ax or paper(350, 280)
    # extend the axis a little beyond the list, so that both lines visibly continue
    n_drawn = min(round(1.6 * listed) + 3, len(beliefs))
    rate = 100 * np.cumsum(1 - beliefs) / place
    # at most 200 points, to keep the SVG small
    every = np.unique(np.geomspace(1, n_drawn, 200).astype(int)) - 1
    doubts = 100 * (1 - beliefs[every])
    ax.plot(place[every], doubts, "--", color=INK, alpha=BODY, lw=1.6)
    ax.plot(place[every], rate[every], color=INK, lw=2.2)
    ax.set(xlabel="genes on the list", xlim=(0, n_drawn), ylim=(0, 1.05 * doubts[-1]))
    ax.yaxis.set_major_formatter("{x:g}%")
    finding = "No gene is sure enough for the list"
    if listed:
        last, whole = 100 * (1 - beliefs[listed - 1]), rate[listed - 1]
        ax.plot([listed] * 2, [whole, last], color=ACCENT, lw=2)
        ax.plot([listed] * 2, [whole, last], "s", color=ACCENT, ms=9)
        ax.set_ylim(0, 1.6 * last)
        write(ax, f"last gene: {last:.0f}%", (listed, last), (-9, 9), ha="right",
              weight="bold")  # fmt: skip
        write(ax, f"whole list: {whole:.0f}%", (listed, whole), (7, -9), weight="bold")
        finding = f"{listed} genes: the last is {last:.0f}% doubtful, the list {whole:.0f}%"
    headline(ax, finding, "Probability of being false; solid: mean over the list so far")
    return ax
