"""Choosing a bound: those that are valid for your losses, and the tightest of them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab._core import checks, rounding
from errlab._core.public import public
from errlab._core.spoken import Spoken
from errlab.bounds._bound import BOUNDS, ask, upper

_SAME = 1e-9  # bounds this close are equal except for rounding, and the first one counts


class _Ranked(NamedTuple):
    key: str
    name: str
    upper: float
    rigorous: bool


@public
def applicable(loss: str = "bounded", *, rigorous: bool = True, losses: bool = False) -> list[str]:
    """Return the keys of the bounds that are valid for such losses.

    Parameters
    ----------
    loss : {"binary", "bounded"}
        Losses in {0, 1}, for which every bound is valid, or in [0, 1].
    rigorous : bool
        Whether to consider only bounds with a proven guarantee.
    losses : bool
        Whether all losses are known, in the order in which they were drawn.

    Returns
    -------
    list of str
        Keys of `BOUNDS`, in its order.

    Raises
    ------
    ValueError, TypeError
        If `loss` is unknown, or another argument isn't a boolean.

    Examples
    --------
    >>> applicable("binary", rigorous=False)[:4]
    ['NOR', 'WIL', 'CP', 'CHE']
    """
    checks.choice(loss, "loss", ("binary", "bounded"))
    checks.flag(rigorous, "rigorous")
    checks.flag(losses, "losses")
    return [
        key
        for key, bound in BOUNDS.items()
        if (loss == "binary" or bound.loss == "bounded")
        and (bound.rigorous or not rigorous)
        and (losses or bound.needs != "losses")
    ]


@public
def rank(
    mean: float | None = None,
    n: int | None = None,
    *,
    loss: str = "bounded",
    rigorous: bool = True,
    delta: float = 0.05,
    var: float | None = None,
    losses: ArrayLike | None = None,
) -> list[Ranked]:
    r"""Rank the bounds that are valid, tightest first.

    Give the numbers that you *expect*, or those of an earlier sample, and choose the bound before
    the test. The lowest of several bounds on the test itself is not valid at the same
    :math:`\delta`, because one bound may fail where another is right.

    Parameters
    ----------
    mean, n, var : optional
        Mean loss, number of examples and 1/n variance; by default the largest possible variance.
        For 0/1 losses let ``n * mean`` be a whole number: between counts Clopper-Pearson is only
        interpolated, so another bound may be lower.
    loss : {"binary", "bounded"}
        Losses in {0, 1}, or in [0, 1].
    rigorous : bool
        Whether to consider only bounds with a proven guarantee.
    delta : float
        Probability that the bound may fail, in (0, 1).
    losses : array_like, shape (n,), optional
        All losses, in place of `mean`, `n` and `var`; bounds that need them are then included.

    Returns
    -------
    list of Ranked
        ``(key, name, upper, rigorous)``, sorted by `upper`; equal bounds in the order of `BOUNDS`.

    Raises
    ------
    ValueError, TypeError
        If `loss` is unknown or an argument is out of range.

    Examples
    --------
    >>> [entry.key for entry in rank(0.1, 200, loss="binary")][:3]
    ['CP', 'BLA', 'BEN']
    >>> rank(0.1, 200, var=0.001)[0].name
    'Maurer-Pontil'
    """
    ranked = []
    # If `loss` is "binary" but losses are graded, the first bound for binary losses raises the
    # error.
    for key in applicable(loss, rigorous=rigorous, losses=losses is not None):
        bound = BOUNDS[key]
        values = ask(key, mean, n, delta=delta, var=var, losses=losses).upper()
        one = np.ndim(values) == 0
        checks.require(one, "mean, n, var, delta and losses", "be of one test set", values)
        ranked.append(Ranked(key, bound.name, float(values), bound.rigorous))
    return sorted(ranked, key=lambda entry: round(entry.upper / _SAME))


@public
def tightest(
    keys: list[str],
    mean: ArrayLike,
    n: ArrayLike,
    *,
    delta: float = 0.05,
    var: ArrayLike | None = None,
) -> NDArray[np.str_]:
    """Return, elementwise, the key of the lowest bound; if several are equal, the first.

    Parameters
    ----------
    keys : list of str
        At least one bound; none that needs the losses.
    mean, n, var : array_like
        Mean loss, size and 1/n variance, as in `upper`.
    delta : float
        Probability that the bound may fail, in (0, 1).

    Returns
    -------
    ndarray of str
        A key for each element.

    Raises
    ------
    ValueError, TypeError
        If there is no key, a key is unknown, or an argument is out of range.

    Examples
    --------
    >>> tightest(["GUT", "T_HOE"], [0.1, 0.8], 10)
    array(['T_HOE', 'GUT'], dtype='<U5')
    """
    if not isinstance(keys, (list, tuple)):
        raise TypeError(f"keys must be a list of bounds, got {checks.show(keys)}")
    checks.require(keys, "keys", "name at least one bound", keys)
    # bounds x elements
    values = np.stack([upper(key, mean, n, delta=delta, var=var) for key in keys])
    first = np.argmax(values <= values.min(axis=0) + _SAME, axis=0)
    return np.asarray(np.array(keys)[first])


class Ranked(_Ranked, Spoken):
    """One bound of a ranking."""

    def claim(self) -> str:
        """Return the result in a sentence."""
        proven = "proven" if self.rigorous else "asymptotic"
        bound = rounding.percent(self.upper, math.ceil)
        return f"{self.name} ({self.key}): at most {bound} ({proven})."
