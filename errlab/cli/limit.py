"""The gate of one system: whether its error is below a limit, and what would change the answer."""

from decimal import ROUND_CEILING, ROUND_FLOOR
from typing import NamedTuple

from errlab._core.rounding import percent, significant
from errlab.cli.gate import Gate
from errlab.statements.plan import plan
from errlab.statements.report import Report
from errlab.statements.scale import Scale


class Limit(NamedTuple):
    """The largest error, or the smallest score, for a green gate."""

    value: float
    option: str


def gate(result: Report, limit: Limit) -> Gate:
    """Judge one system by its one-sided bound."""
    scale = result.scale
    better = scale.higher_is_better
    sign = -1.0 if better else 1.0  # flip scores, so that lower is better
    _check(limit, scale)
    threshold = percent(limit.value) if scale.rate else f"{limit.value:g}"
    what = "error" if limit.option == "--max-error" else scale.what
    side = "at least" if better else "at most"
    if sign * result.bound <= sign * limit.value:
        return Gate(0, f"Green (exit 0): the true {what} is shown to be {side} {threshold}.", {})
    worst = result.high if better else result.low
    code = 1 if sign * worst > sign * limit.value else 3
    other = "below" if better else "above"
    verdict = f"is shown to be {other}" if code == 1 else f"is not shown to be {side}"
    sizes: dict[str, int | None] = {}
    below_limit = sign * result.estimate < sign * limit.value
    if below_limit and scale.rate and not result.groups:
        # plan for this limit, as if the observed rate were the true one
        error = 1 - result.estimate if better else result.estimate
        largest = 1 - limit.value if better else limit.value
        try:
            sizes["the rate is as seen"] = plan(
                error=error, max_error=largest, delta=result.delta
            ).n
        except ValueError:
            sizes["the rate is as seen"] = None
    digits = significant(result.bound, 3, ROUND_FLOOR if better else ROUND_CEILING)
    remedy = f"Only a better system, or {limit.option} {digits} set beforehand, is green."
    if below_limit:
        size = sizes.get("the rate is as seen")
        unit = "groups" if result.groups else "examples"
        number = f"about {float(f'{size:.2g}'):,.0f} {unit}" if size else f"more {unit}"
        remedy = f"Green takes {number} if the rate is as seen."
    reason = f"Red (exit {code}): the true {what} {verdict} {threshold}. {remedy}"
    return Gate(code, reason, sizes, None)


def _check(limit: Limit, scale: Scale) -> None:
    """Refuse a limit on the other side of the scale, or beyond its ends."""
    wanted = "--min-score" if scale.higher_is_better else "--max-error"
    if limit.option != wanted:
        good = "high" if scale.higher_is_better else "low"
        mirrored = f" {1 - limit.value:g}" if scale.rate and 0 <= limit.value <= 1 else ""
        raise ValueError(
            f"{limit.option} is not for the {scale.what}, for which {good} is good; take "
            f"{wanted}{mirrored}"
        )
    if not scale.low <= limit.value <= scale.high:
        meant = limit.value / 100
        hint = f"; did you mean {meant:g}?" if scale.rate and 0 < meant <= 1 else ""
        raise ValueError(
            f"{limit.option} must lie in {scale.low:g} to {scale.high:g}, got {limit.value:g}{hint}"
        )
