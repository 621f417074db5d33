"""Pictures of what a function computes, for who has written one and has drawn nothing."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from errlab.style import styled
from errlab_book.plots.paper import ACCENT, BODY, INK, headline, paper, write


def is_drawn(shown: Any) -> bool:
    """Whether a function has returned a figure, axes or a list of them."""
    while isinstance(shown, (list, tuple, np.ndarray)) and len(shown):
        shown = shown[0]
    return isinstance(shown, (Artist, Figure))


@styled
def plot_result(
    function: Callable[..., Any],
    chosen: Mapping[str, Any],
    result: Any,
    first: Mapping[str, Sequence[Any]],
    label: str = "",
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the result of ``function(**chosen)``, with the call itself as the title.

    Parameters
    ----------
    function : callable
        What was called.
    chosen : mapping
        Its arguments.
    result : float, pair or sequence of float
        What it returned: a number is drawn on the curve over all values of the first argument, a
        pair as an interval, more numbers as a histogram.
    first : mapping
        The first argument and its values.
    label : str
        Words for it.

    Raises
    ------
    TypeError
        If the result holds no numbers.

    Examples
    --------
    >>> plot_result(lambda n: 3 / n, {"n": 100}, 0.03, {"n": [50, 100]}).get_title("left")
    '<lambda>(n=100) = 0.03'
    """
    try:
        numbers = np.ravel(np.asarray(result, dtype=float))
    except (TypeError, ValueError):
        raise TypeError(
            f"{function.__name__} must return a number, a pair, a list of numbers, a Figure or "
            f"Axes, got {result!r:.60}"
        ) from None
    ax = ax or paper(350, 230)
    call = f"{function.__name__}({', '.join(f'{k}={v}' for k, v in chosen.items())})"
    (name, values), *_ = first.items()
    if numbers.size == 1:
        curve = [float(np.ravel(function(**{**chosen, name: v}))[0]) for v in values]
        ax.plot(values, curve, "o-", color=INK, alpha=BODY, ms=4, lw=1.4)
        ax.plot(chosen[name], numbers[0], "s", color=ACCENT, ms=9)
        ax.set_xlabel(label or name, loc="left")
        finding = f"{call} = {numbers[0]:.4g}"
    elif numbers.size == 2:
        low, high = numbers
        ax.plot([low, high], [0, 0], color=ACCENT, lw=6, solid_capstyle="butt")
        write(ax, f"{low:.4g}", (low, 0), (0, 14), ha="center")
        write(ax, f"{high:.4g}", (high, 0), (0, 14), ha="center", weight="bold")
        ax.set(yticks=[], ylim=(-1, 1), xlim=(min(0, 1.1 * low), 1.15 * high or 1))
        finding = f"{call}: {low:.4g} to {high:.4g}"
    else:
        ax.hist(numbers, bins=min(40, len(np.unique(numbers))), color=INK, alpha=BODY)
        ax.set(yticks=[])
        finding = f"{call}: {numbers.size:,} numbers, mean {numbers.mean():.4g}"
    headline(ax, finding)
    return ax
