"""Mean losses in a known range: bets, which are proven."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from errlab._core import checks
from errlab._core.checks import FloatArray, Labels
from errlab._core.interval import Interval
from errlab._numerics.groups import grouped
from errlab.compare.mean_claims import (
    DifferenceClaim,
    Draws,
    MeanClaim,
    difference_claim,
    mean_claim,
)
from errlab.statements.metric._asked import Asked, models_of, value_of
from errlab.statements.metric._claim import Columns, MetricClaim, of_means
from errlab.statements.metric._weighted import case_losses, largest_share

ROOT = "root_mean_squared_error"
_ROUNDING = 1e-12


class _Losses(NamedTuple):
    """What each case lost, and how the metric is made of the means."""

    values: tuple[float, ...]  # the metric of each model
    losses: FloatArray  # models x cases
    root: bool  # whether it is the root of the mean
    sign: float  # -1 for a score that is minus a mean loss


def mean_loss(
    meant: Asked, truth: Labels, columns: Columns, span: Interval, delta: float, seed: Draws
) -> MetricClaim | None:
    """Mean of losses of which each lies in `span`, or the difference of two: by bets, proven.

    Return None where the metric is no such mean.
    """
    measured = _losses_of(meant, truth, columns)
    if measured is None:
        return None
    values, losses, root, sign = measured
    low, high = span
    if root:
        low, high = 0.0, max(abs(low), abs(high)) ** 2
        if len(losses) > 1:
            raise ValueError("range gives no interval for two root mean squared errors; take mse")
    inside = losses.min() >= low - _ROUNDING and losses.max() <= high + _ROUNDING
    ends_of_losses = f"losses from {losses.min():.4g} to {losses.max():.4g}"
    checks.require(inside, "range", "hold the loss of each case", ends_of_losses)
    n = len(truth)
    units = None if columns.groups is None else grouped(columns.groups, n)
    in_unit = np.clip((losses - low) / (high - low), 0, 1)
    claim: MeanClaim | DifferenceClaim
    if len(losses) == 1:
        claim = mean_claim(in_unit[0], delta, rate=False, units=units, seed=seed)
        ends = np.array([claim.low, claim.high]) * (high - low) + low
    else:
        claim = difference_claim(in_unit[0] - in_unit[1], delta, units=units, seed=seed)
        ends = np.array([claim.low, claim.high]) * (high - low)
    if root:
        ends = np.sqrt(ends)
    first, last = sorted((sign * ends).tolist())
    result = of_means(values, claim, n, units)
    return result._replace(ends=Interval(first, last), largest=largest_share(losses))


def _losses_of(meant: Asked, truth: Labels, columns: Columns) -> _Losses | None:
    """Return the loss of each case; None where the metric is not their mean, or its root."""
    models = models_of(columns.scores, len(truth))
    by_model = [case_losses(meant.name, truth, model) for model in models]
    if any(losses is None for losses in by_model):
        return None
    losses = np.array(by_model, dtype=float)
    values = [value_of(meant, truth, model) for model in models]
    means = losses.mean(axis=1)
    root = meant.name == ROOT
    if root:
        means = np.sqrt(means)
    for sign in (1.0, -1.0):
        if np.allclose(values, sign * means, rtol=1e-9, atol=1e-12):
            return _Losses(tuple(values), losses, root, sign)
    return None
