"""Plot of choosing between models on a validation set."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import Seed
from errlab._style import VERMILION, Look, look, new_axes, styled


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
    # what the winner shows, and down to the diagonal what it is better than it is: over the others
    top: Look = {"color": VERMILION, "zorder": 3}
    ax.plot([true[best]] * 2, [errors[best], true[best]], lw=2.5, label="its gap", **top)
    top["zorder"] = 4
    ax.plot(true[best], errors[best], ls="", marker="s", ms=8, label="winner", **top)
    ax.set(
        xlabel="true error",
        ylabel="error on the validation set",
        title=f"the winner shows {errors[best]:.1%}, its true error is {true[best]:.1%}",
    )
    ax.legend(loc="upper left", ncols=2)
    return ax
