"""What one test set allows when several claims share it."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from errlab._core import checks
from errlab._style import curve, look, new_axes, styled
from errlab.bounds import clopper_pearson


@styled
def plot_shared_claims(errors: int, n: int, claims: int, *, ax: Axes | None = None) -> Axes:
    """Draw the upper bound of the best classifier against how many were tried on the test set.

    With m claims on one test set each gets ``delta / m``; then all of them hold together.

    Parameters
    ----------
    errors, n : int
        Errors of the best one, and test cases.
    claims : int
        Number of claims to mark, at least 1.

    Raises
    ------
    ValueError, TypeError
        If there are more errors than cases or an argument is out of range.

    References
    ----------
    Hardt, holdout chapter (the union bound).

    Examples
    --------
    >>> ax = plot_shared_claims(3, 200, 10)
    >>> ax.get_title()
    'best of 10: at most 5.4%'
    """
    made, size = checks.one_result(errors, n)
    tried = checks.one_count(claims, "claims")
    # evenly on the logarithmic axis, and whole
    m = np.unique(np.geomspace(1, 1000, 60).round().astype(int))
    ax = new_axes(ax)
    upper = clopper_pearson(made / size, size, delta=0.05 / m)
    curve(ax, m, upper, label="95% bound for the best one", look=look(0))
    ax.axhline(made / size, color="0.5", lw=1, label="its error on the test")
    here = clopper_pearson(made / size, size, delta=0.05 / tried)
    ax.plot([tried], [here], label="here", **look(1) | {"linestyle": "none", "markersize": 8})
    ax.set(
        xscale="log",
        xlabel="classifiers tried on this test set",
        ylabel="true error",
        ylim=(0, 1.5 * float(upper.max())),
        title=f"best of {tried}: at most {np.ceil(1000 * here) / 10:g}%",
    )
    ax.xaxis.set_major_formatter("{x:g}")
    ax.yaxis.set_major_formatter("{x:.0%}")
    ax.xaxis.set_minor_formatter("")
    ax.legend(loc="upper left")
    return ax
