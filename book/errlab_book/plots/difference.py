"""Draw the comparison of two classifiers as one bar, which contains zero or doesn't."""

from matplotlib.axes import Axes

from errlab.results import PairReport
from errlab.style import styled
from errlab_book.plots.paper import ACCENT, INK, headline, paper, write
from errlab_book.tables import outward


@styled
def draw_difference(pair: PairReport) -> Axes:
    """Draw the interval of a difference, and the line at which both are equally good.

    Examples
    --------
    >>> import errlab
    >>> y = [0, 1] * 50
    >>> draw_difference(errlab.report(y, [1, 1] * 6 + y[12:], y[:98] + [1, 1])).get_xlabel()
    ''
    """
    low, high, counted = (100 * end for end in (pair.low, pair.high, pair.difference))
    ax = paper(350, 190)
    reach = 1.3 * max(abs(low), abs(high))
    ax.axvline(0, ymax=0.72, color=INK, lw=1.2)
    ax.plot([low, high], [0, 0], color=ACCENT, lw=9, solid_capstyle="butt")
    ax.plot([low, high], [0, 0], "s", color=ACCENT, ms=11)
    ax.plot(counted, 0, "|", color=INK, ms=18, mew=2.5)
    write(ax, "counted", (counted, 0), (0, -19), ha="center")
    for end, words in zip((low, high), outward(low, high, "+.1f").split(" to "), strict=True):
        # beside the line at 0, not on it
        beside = "center" if abs(end) > reach / 6 else "left" if end > 0 else "right"
        write(ax, words.replace("-", "−"), (end, 0), (0, 17), ha=beside)
    for side, name in zip((-0.5, 0.5), pair.names, strict=True):
        write(ax, f"{name}\nbetter", (side * reach, 1), (0, 0), ha="center")
    ax.set(xlim=(-reach, reach), ylim=(-0.7, 1.4), yticks=[])
    a, b = pair.names
    better = a if pair.high < 0 else b
    finding = "The interval reaches zero: no difference shown"
    if pair.low > 0 or pair.high < 0:
        finding = f"Zero lies outside: {better} is better"
    headline(ax, finding, f"Error of {a} minus that of {b}: 95% interval, points", left=12)
    return ax
