"""Metrics that are mean losses over examples; betting intervals prove them if a range is known."""

from collections.abc import Callable

import numpy as np

from errlab._core import checks
from errlab._core.checks import FloatArray, Labels
from errlab._core.interval import Interval
from errlab._numerics.tails import heavy
from errlab.statements.mean_claims import Draws
from errlab.statements.metric._asked import Asked, models_of, value_of
from errlab.statements.metric._claim import Columns, MetricClaim, of_means

ABSOLUTE = "mean_absolute_error"
ROOT = "root_mean_squared_error"
_ROUNDING = 1e-12


def _squares(y: FloatArray, x: FloatArray) -> FloatArray:
    return (y - x) ** 2


def _logs(y: FloatArray, p: FloatArray) -> FloatArray:
    eps = np.finfo(float).eps
    return np.asarray(-np.log(np.clip(np.where(y == 1, p, 1 - p), eps, 1 - eps)))


# The loss of each example, for functions of scikit-learn that depend on its mean.
OF_CASES: dict[str, Callable[[FloatArray, FloatArray], FloatArray]] = {
    ABSOLUTE: lambda y, x: np.abs(y - x),
    "mean_squared_error": _squares,
    ROOT: _squares,
    "r2_score": _squares,
    "brier_score_loss": lambda y, p: _squares(y == 1, p),
    "log_loss": _logs,
}


def case_losses(name: str, truth: Labels, score: Labels) -> FloatArray | None:
    """Return the losses if a metric is a function of their mean (squares for R2), or None."""
    numbers = score.ndim == 1 and not {truth.dtype.kind, score.dtype.kind} - set("biuf")
    if name not in OF_CASES or not numbers:
        return None
    return OF_CASES[name](truth.astype(float), score.astype(float))


def largest_share(losses: FloatArray) -> float | None:
    """Return the largest loss as a fraction of the sum, the larger of both models."""
    sums = losses.sum(axis=-1)
    return float((losses.max(axis=-1) / sums).max()) if (sums > 0).all() else None


def mean_loss(
    meant: Asked, columns: Columns, span: Interval, delta: float, seed: Draws
) -> MetricClaim | None:
    """Return the proven betting claim about a mean of losses in `span`, or a difference of two.

    Return None if the metric isn't such a mean.
    """
    truth, models = columns.y_true, models_of(columns)
    by_model = [case_losses(meant.name, truth, model) for model in models]
    if any(losses is None for losses in by_model):
        return None
    losses = np.array(by_model, dtype=float)  # models x examples
    values = np.array([value_of(meant, truth, model) for model in models])
    root = meant.name == ROOT
    power = 0.5 if root else 1.0
    # scorers return the mean loss or its negative
    means = losses.mean(axis=1) ** power
    sign = next((s for s in (1, -1) if np.allclose(values, s * means, 1e-9, 1e-12)), 0)
    if not sign:
        return None
    low, high = span
    if root:
        low, high = 0.0, max(abs(low), abs(high)) ** 2
        if len(losses) > 1:
            raise ValueError("range gives no interval for two root mean squared errors; take mse")
    inside = losses.min() >= low - _ROUNDING and losses.max() <= high + _ROUNDING
    ends_of_losses = f"losses from {losses.min():.4g} to {losses.max():.4g}"
    checks.require(inside, "range", "hold the loss of each example", ends_of_losses)
    in_unit = np.clip((losses - low) / (high - low), 0, 1)
    result = of_means(in_unit, delta, rate=False, units=columns.units, seed=seed)
    ends = np.array([result.claim.low, result.claim.high]) * (high - low)
    if len(losses) == 1:
        ends = (ends + low) ** power
    low, high = sorted((sign * ends).tolist())
    return result._replace(
        values=tuple(values.tolist()),
        claim=result.claim._replace(low=low, high=high),
        largest=largest_share(losses),
        heavy=heavy(losses, absolute=meant.name == ABSOLUTE),
    )
