"""The picture of a report: the error rate, the bound and the interval on one line."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from errlab._core import rounding as words
from errlab.style import BLUE, GREEN, OCHRE, VERMILION, new_axes, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from errlab.statements.report._reports import PairReport, Report
    from errlab.statements.watch import Watch

# An interval; and that of the mean over groups, which has a colour of its own.
_SOLID: dict[str, Any] = {"color": BLUE, "lw": 3, "ms": 12}
_DASHED: dict[str, Any] = {"lw": 2, "ms": 10}


@styled
def plot_report(report: Report, *, ax: Axes | None = None) -> Axes:
    """Draw what a test allows to claim.

    Parameters
    ----------
    report : Report
        What `errlab.report` returned.

    Examples
    --------
    >>> import errlab
    >>> ax = plot_report(errlab.report([0] * 200, [0] * 193 + [1] * 7))
    >>> ax.get_title("left")
    'True error at most 6.5%'
    >>> plot_report(errlab.report(scores=[1, 2, 5, 4] * 9, range=(1, 5))).get_title("left")
    'True mean at least 2.5'
    """
    ax = new_axes(ax, figsize=(4.86, 2.9))
    scale, gaps = report.scale, report.gaps()
    sure, finding = gaps["sure"], f"at {gaps['most']} {gaps['upper']}"
    reach = [report.low, report.high, report.bound]
    ax.plot(reach[:2], [1, 1], "|-", **_SOLID, label=f"two-sided {sure} interval")
    if report.group_claim is None:
        alike = f"bound, {sure} sure"
        # the bound leaves open what lies between it and the good end of the scale
        marker, sign = (">", -1) if scale.higher_is_better else ("<", 1)
        ax.plot(
            [scale.good, report.bound], [0, 0], f"--{marker}", color=VERMILION, lw=2,
            markevery=[1], label=f"{finding}, {sure} sure",
        )  # fmt: skip
        # around the interval, or, where that is near the good end, from there on
        gone = [abs(end - scale.good) for end in reach]
        long = report.high - report.low
        near, far = min(gone) - 2 * long, min(scale.span, max(gone) + long / 2)
        if near <= 0:
            far = min(scale.span, 1.25 * max(gone))
            near = -0.01 * far
        limits = sorted(scale.good + sign * end for end in (near, far))
    else:
        alike = "each group alike, dashed"
        ends = report.group_claim[1:]
        label = f"{sure} interval, each group alike"
        ax.plot(ends, [0, 0], "|--", **_DASHED, color=VERMILION, label=label)
        reach += ends
        pad, room = 0.15 * (max(reach) - min(reach)), 0.01 * scale.span
        limits = [
            max(min(reach) - pad, scale.low - room),
            min(max(reach) + pad, scale.high + room),
        ]
    label = f"{scale.name} on the test, {gaps['rate']}"
    ax.plot([report.estimate], [1], "o", color="0.2", label=label)
    key = words.count(report.n, "case" if scale.rate else "score") + report.among(" in ")
    if scale.rate and report.groups is None:
        key = f"{report.counted} in {words.count(report.n, 'test case')}"
    ax.set(xlim=limits, ylim=(-0.5, 2.1), yticks=[], xlabel=f"true {scale.what}")
    ax.locator_params(axis="x", nbins=5)
    if scale.rate:
        ax.xaxis.set_major_formatter("{x:.0%}")
    ax.spines["left"].set_visible(False)
    _say(ax, f"{sure} interval\ndot: {label}", 1)
    _say(ax, alike, 0)
    _head(ax, f"True {scale.what} {finding}", key)
    return ax


@styled
def plot_pair(report: PairReport, *, ax: Axes | None = None) -> Axes:
    """Draw what a test of two allows to claim: the difference and its interval.

    Parameters
    ----------
    report : PairReport
        What `errlab.report` returned for two columns of predictions or of scores.

    Examples
    --------
    >>> import errlab
    >>> y = [0, 1] * 50
    >>> a, b = [1, 1] * 6 + y[12:], y[:98] + [1, 1]
    >>> plot_pair(errlab.report(y, a, b)).get_title("left")
    'This test does not tell which is better'
    >>> a, b = [1, 2, 5, 4] * 9, [2, 2, 5, 5] * 9
    >>> plot_pair(errlab.report(scores=a, scores_b=b, range=(1, 5))).get_title("left")
    'This test does not tell which is better'
    """
    ax = new_axes(ax, figsize=(4.86, 3.1))
    sure = f"{words.sure(report.delta)} interval"
    scale, margin = report.a.scale, report.margin
    unit = scale.unit
    reach = [unit * report.low, unit * report.high]
    ax.plot(reach, [0, 0], "|-", **_SOLID, label=sure)
    if report.group_claim is not None:
        alike = [unit * end for end in report.group_claim]
        label = f"{sure}, each group alike"
        ax.plot(alike, [-0.4, -0.4], "|--", **_DASHED, color=OCHRE, label=label)
        reach += alike
    difference = report.gaps()["difference"]
    ax.plot([unit * report.difference], [0], "o", color="0.2", label=f"on this test, {difference}")
    ax.axvline(0, color=VERMILION, linestyle="--", lw=1.5, label="no difference")
    unknown = "which is better"
    if margin is not None:
        unknown = "whether the margin (dotted) is kept"
        edge = unit * (margin if scale.higher_is_better else -margin)
        ax.axvline(edge, color=GREEN, linestyle=":", lw=2, label="worse by the margin")
        reach.append(edge)
    widest = 1.2 * (max(map(abs, reach)) or 1.0)
    a, b = report.names
    ax.set(xlim=(-widest, widest), yticks=[], ylim=(-0.8, 1.5))
    ax.spines["left"].set_visible(False)
    left, right = (b, a) if scale.higher_is_better else (a, b)
    for name, at, side in ((left, 0, "left"), (right, 1, "right")):
        better = textwrap.fill(f"{name} better", 18)
        ax.annotate(better, (at, 0.98), xycoords="axes fraction", ha=side, va="top")
    _say(ax, f"{sure}; dot: {difference}", 0)
    finding = {
        "better": f"{b} is better than {a}",
        "worse": f"{a} is better than {b}",
        "not worse": f"{b} is not worse than {a} by more than the margin (dotted)",
        "cannot tell": f"This test does not tell {unknown}",
    }[report.verdict]
    _head(ax, finding, f"{scale.what} of {a} minus that of {b}" + ", points" * scale.rate)
    return ax


def _head(ax: Axes, finding: str, key: str) -> None:
    """Write the finding as the title, broken to fit a phone, and below it what is drawn."""
    below = textwrap.wrap(key, 50)
    ax.set_title(textwrap.fill(finding, 39), pad=10 + 15 * len(below))
    ax.annotate(
        "\n".join(below), (0, 1), (0, 7), xycoords="axes fraction",
        textcoords="offset points", va="bottom", alpha=0.72,
    )  # fmt: skip


def _say(ax: Axes, words: str, at: float) -> None:
    """Write what is drawn at a height above it, from the left."""
    ax.annotate(words, (0, at + 0.22), xycoords=("axes fraction", "data"), va="bottom")


@styled
def plot_watch(watch: Watch, *, ax: Axes | None = None) -> Axes:
    """Draw a watched test: the mean and the interval after each case.

    Parameters
    ----------
    watch : Watch
        What `errlab.watch` returned, after an update.

    Examples
    --------
    >>> import errlab
    >>> test = errlab.watch()
    >>> test.update([0, 1, 0, 0] * 50)
    >>> plot_watch(test).get_title("left")
    'True error 15.5% to 36.4%'
    """
    if not watch.n:
        raise ValueError("watch must have seen a case before it is drawn, got none")
    ax = new_axes(ax, figsize=(4.86, 3.6))
    unit, what = 1, "Error"
    if watch.paired:
        unit, what = 100, "Error of {} minus that of {}, points".format(*watch.names)
    # at most 400 looks are drawn
    every = np.unique(np.linspace(0, watch.n - 1, 400).round().astype(int))
    low, high = (unit * end[every] for end in watch.path)
    means, cases = unit * watch.means[every], every + 1
    sure = f"{words.sure(watch.delta)} sure at every look"
    ax.fill_between(cases, low, high, step="post", color=BLUE, alpha=0.25, lw=0, label=sure)
    ax.plot(cases, np.transpose([low, high]), color=BLUE, drawstyle="steps-post", lw=1.2)
    ax.plot(cases, means, color="0.2", lw=1.2, label="mean so far")
    ax.set(xlabel="cases so far", xlim=(0, watch.n))
    ends = {"mean so far": means[-1]}
    if watch.paired:
        ax.axhline(0.0, color=VERMILION, linestyle="--", lw=1.5, label="no difference")
        ends["no difference"] = 0.0
    # the first intervals reach everywhere: cut to what is seen after the first quarter of the looks
    late = len(every) // 4
    seen = [*low[late:], *high[late:], *ends.values()]
    pad = 0.1 * (max(seen) - min(seen))
    ax.set_ylim(min(seen) - pad, max(seen) + pad)
    if not watch.paired:
        ax.yaxis.set_major_formatter("{x:.0%}")
    _say_apart(ax, ends)
    _head(ax, _found(watch), f"{what}, after {words.count(watch.n, 'case')}; coloured: {sure}")
    return ax


def _say_apart(ax: Axes, ends: dict[str, float]) -> None:
    """Write names at the right edge, each at its height, but not one upon the other."""
    bottom, top = ax.get_ylim()
    last = -np.inf
    for name, at in sorted(ends.items(), key=lambda entry: entry[1]):
        last = max(at, last + 0.14 * (top - bottom))  # of two lines of text
        ax.annotate(
            textwrap.fill(name, 13), (1, last), (6, 0), xycoords=("axes fraction", "data"),
            textcoords="offset points", va="center", annotation_clip=False,
        )  # fmt: skip


def _found(watch: Watch) -> str:
    """Say what the watched test shows by now, short enough for a title."""
    if watch.interval is None:
        return f"No single true {'difference' if watch.paired else 'error'} fits this stream"
    if watch.drift:
        return "The mean lies outside of the interval: the stream drifts"
    if watch.paired:
        return watch.better().rstrip(".")
    _, ends = watch.rounded()
    return f"True error {ends}"
