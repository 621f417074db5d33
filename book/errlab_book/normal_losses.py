"""The survey's own simulation of losses in [0, 1], which draws normal values instead."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from errlab import bounds, checks
from errlab.checks import FloatArray, Seed, public

OUTSIDE = ("clip", "drop")


class NormalErrors(NamedTuple):
    """Coverage of one bound, and the fraction of draws that can't be losses in [0, 1]."""

    coverage: float
    losses_outside: float
    means_outside: float


@public
def simulate_normal(
    key: str,
    error: float,
    n: int,
    *,
    delta: float = 0.05,
    outside: str = "clip",
    repeats: int = 1000,
    rng: Seed = 0,
) -> NormalErrors:
    r"""Simulate the coverage as the survey does: with normal "losses".

    Each test set holds `n` draws from the normal distribution with mean :math:`L` and variance
    :math:`L(1-L)`. Many of them lie outside [0, 1], and so may their mean, for which no bound is
    defined. The survey doesn't say what it did then. Here the mean is clipped to [0, 1], or the
    test set is dropped. The sample variance is the largest possible one, as in the survey.

    No theorem guarantees coverage for such draws; for real losses in [0, 1] use
    `errlab.coverage.exact`.

    Parameters
    ----------
    key : str
        Short name of the bound, a key of `errlab.bounds.BOUNDS`; not one that needs the losses.
    error : float
        True error, in [0, 1].
    n : int
        Number of test examples, at least 1.
    delta : float
        Probability that the bound may fail, in (0, 1).
    outside : {"clip", "drop"}
        What becomes of a test set whose mean leaves [0, 1].
    repeats : int
        Number of simulated test sets, at least 1.
    rng : seed, Generator or None
        Source of randomness; the same in each call by default.

    Returns
    -------
    NormalErrors
        ``(coverage, losses_outside, means_outside)``: the share of test sets whose bound holds,
        of losses outside [0, 1], and of test sets with a mean outside [0, 1].

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range, the bound needs the losses, or no test set is left.

    References
    ----------
    Anguita et al., survey, Section 4.2 and Figs. 13 to 16.

    Examples
    --------
    >>> result = simulate_normal("T_HOE", 0.01, 10, rng=0)
    >>> result.coverage, round(result.means_outside, 2)
    (1.0, 0.36)
    """
    size = checks.one_count(n)
    total = checks.one_count(repeats, "repeats")
    mean = checks.one_mean(error, "error")
    level = checks.one_delta(delta)
    generator = checks.generator(rng)
    checks.choice(outside, "outside", OUTSIDE)
    if bounds.BOUNDS[key].needs == "losses":
        raise ValueError(f"bound {key!r} needs losses in [0, 1], normal draws are not")
    inside_means, losses_outside, means_outside = drawn_means(mean, size, outside, total, generator)
    holds = np.asarray(bounds.upper(key, inside_means, size, delta=level)) >= mean
    return NormalErrors(float(holds.mean()), losses_outside, means_outside)


def drawn_means(
    error: float, n: int, outside: str, repeats: int, rng: np.random.Generator
) -> tuple[FloatArray, float, float]:
    """Return the means that are kept, and the fractions of losses and of means outside [0, 1]."""
    losses = rng.standard_normal((repeats, n))
    losses *= np.sqrt(error * (1 - error))
    losses += error
    means: FloatArray = losses.mean(axis=1)
    strange = (means < 0) | (means > 1)
    inside_means = means[~strange] if outside == "drop" else means.clip(0, 1)
    if inside_means.size == 0:
        raise ValueError(f"repeats must leave a test set with a mean in [0, 1], got {repeats}")
    out = np.count_nonzero(losses < 0) + np.count_nonzero(losses > 1)
    return inside_means, out / losses.size, float(strange.mean())
