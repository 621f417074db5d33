"""The arguments and results of the methods of `errlab.metric`."""

from collections.abc import Sequence
from typing import NamedTuple

from numpy.typing import ArrayLike

from errlab._core.checks import FloatArray, FloatOrArray, Labels
from errlab._core.evidence import Method, method_key
from errlab._core.interval import Interval
from errlab._numerics.groups import Groups
from errlab.statements.mean_claims import (
    Claim,
    Draws,
    count_differences,
    difference_claim,
    mean_claim,
    of_difference,
)


class Columns(NamedTuple):
    """The true labels, the predictions of one or two models, and the groups."""

    y_true: Labels
    scores: dict[str, ArrayLike]  # of each model, by the name of the argument
    positive: object
    units: Groups | None


class MetricClaim(NamedTuple):
    """The metric of one model or two, and the claim about it or about their difference.

    Attributes
    ----------
    values : tuple of float
        The metric of each model.
    claim : Claim
        The claim about the first metric, or about the first minus the second.
    among : int
        Number of examples behind the claim.
    size, unit : float and str
        The size on which the coverage depends, and its unit.
    rarer : bool
        Whether `among` counts the examples of the rarer class.
    largest : float or None
        The largest loss as a fraction of the sum of losses.
    heavy : bool
        Whether a few losses are so much larger than the others that an interval of their mean needs
        more examples.
    """

    values: tuple[float, ...]
    claim: Claim
    among: int
    size: float
    unit: str
    rarer: bool = False
    largest: float | None = None
    heavy: bool = False


def asymptotic(
    values: Sequence[float],
    ends: Interval[FloatOrArray],
    method: str,
    pvalue: float | None,
    delta: float,
) -> Claim:
    """Return an asymptotic claim about a metric, or about its difference between two models."""
    value, *others = values
    estimate = value - sum(others)
    if pvalue is None:
        low, high = map(float, ends)
        return Claim(estimate, low, high, method, "asymptotic", "asymptotic")
    return of_difference(estimate, ends, pvalue, delta, method, ("asymptotic", "asymptotic"))


def of_means(
    losses: FloatArray, delta: float, *, rate: bool, units: Groups | None, seed: Draws = None
) -> MetricClaim:
    """Return the claim about a mean over examples, or about the difference of two.

    Parameters
    ----------
    losses : ndarray, shape (1, n) or (2, n)
        Losses of each model, in [0, 1].
    rate : bool
        Whether all of them are 0 or 1.
    """
    n = losses.shape[1]
    if len(losses) == 1:
        claim = mean_claim(losses[0], delta, rate=rate, units=units, seed=seed)
    elif rate and units is None:
        gain = losses[0] - losses[1]
        counts = [(int((gain > 0).sum()), int((gain < 0).sum()))]
        (claim,) = count_differences(counts, n, delta)
    else:
        claim = difference_claim(losses[0] - losses[1], delta, units=units, seed=seed)
    size, unit = size_of(n, units)
    return MetricClaim(
        values=tuple(losses.mean(axis=1).tolist()),
        claim=claim._replace(method=_named(claim.method, rate, units)),
        among=n,
        size=size,
        unit=unit,
    )


def _named(method: str, rate: bool, units: Groups | None) -> str:
    """Return the name of an interval's method; for groups, with the largest group size."""
    key = method_key(method)
    if units is not None:
        return Method(f"{method} of at most {units.max_size:.0f} examples", key=key)
    # the sentences about a mean mention a one-sided bound, which a metric lacks
    return Method(key) if rate else method


def size_of(n: int, units: Groups | None) -> tuple[float, str]:
    """Return the size on which the coverage of a mean over examples depends, and its unit."""
    return (float(n), "examples") if units is None else (units.effective, "effective groups")
