"""What the methods of `errlab.metric` are given, and what they return."""

from typing import NamedTuple

from numpy.typing import ArrayLike

from errlab._core.checks import FloatArray, FloatOrArray, Labels
from errlab._core.interval import Guarantee, Interval
from errlab._core.statement import Method, method_key
from errlab._numerics.groups import Groups
from errlab.statements.mean_claims import (
    DifferenceClaim,
    Draws,
    MeanClaim,
    count_differences,
    difference_claim,
    mean_claim,
)


class Columns(NamedTuple):
    """The labels, what one model said or two did, and the groups of the cases."""

    y_true: Labels
    scores: dict[str, ArrayLike]  # of each model, by the name of the argument
    positive: object
    units: Groups | None


class MetricClaim(NamedTuple):
    """The metric of one model or of two, with an interval for it or for their difference.

    Attributes
    ----------
    values : tuple of float
        The metric of each model.
    ends : Interval
        For the first, or for the first minus the second.
    method : str
        Where the interval comes from.
    among : int
        The cases that it rests on.
    size, unit : float and str
        What the coverage depends on.
    rarer : bool
        Whether `among` counts the cases of the rarer class.
    pvalue : float or None
        Of two models: of the same test.
    guarantee, interval_guarantee : str
        What is proven of the test, and of the interval.
    largest : float or None
        Share of the mean loss that the largest one holds.
    heavy : bool
        Whether a few losses are so much larger than the others that an interval of their mean needs
        more cases.
    """

    values: tuple[float, ...]
    ends: Interval[FloatOrArray]
    method: str
    among: int
    size: float
    unit: str
    rarer: bool = False
    pvalue: float | None = None
    guarantee: Guarantee = "asymptotic"
    interval_guarantee: Guarantee = "asymptotic"
    largest: float | None = None
    heavy: bool = False


def of_means(
    losses: FloatArray, delta: float, *, rate: bool, units: Groups | None, seed: Draws = None
) -> MetricClaim:
    """Return what may be claimed of the mean over cases, or of the difference of two.

    Parameters
    ----------
    losses : ndarray, shape (1, n) or (2, n)
        Of each model, in [0, 1].
    rate : bool
        Whether all of them are 0 or 1.
    """
    n = losses.shape[1]
    covers: Guarantee | None = None
    claim: MeanClaim | DifferenceClaim
    if len(losses) == 1:
        claim = mean_claim(losses[0], delta, rate=rate, units=units, seed=seed)
    elif rate and units is None:
        gain = losses[0] - losses[1]
        counts = [(int((gain > 0).sum()), int((gain < 0).sum()))]
        (claim,), covers = count_differences(counts, n, delta), "none proven"
    else:
        claim = difference_claim(losses[0] - losses[1], delta, units=units, seed=seed)
    size, unit = size_of(n, units)
    return MetricClaim(
        values=tuple(losses.mean(axis=1).tolist()),
        ends=Interval(claim.low, claim.high),
        method=_capped(claim.method, units),
        among=n,
        size=size,
        unit=unit,
        pvalue=getattr(claim, "pvalue", None),
        guarantee=claim.guarantee,
        interval_guarantee=covers or claim.guarantee,
    )


def _capped(method: str, units: Groups | None) -> str:
    """Name the method; what is proven of groups holds up to the size that none may pass."""
    if units is None:
        return method
    key = method_key(method)
    return Method(f"{method} of at most {units.most:.0f} cases", key=key)


def size_of(n: int, units: Groups | None) -> tuple[float, str]:
    """Return what the coverage of a mean over cases depends on."""
    return (float(n), "cases") if units is None else (units.effective, "effective groups")
