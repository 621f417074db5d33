"""The coverage of a bound for losses in [0, 1] from any source, by simulation."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from errlab import bounds
from errlab._core import checks
from errlab._core.checks import Seed
from errlab._core.public import public
from errlab.bounds._ask import ask
from errlab.coverage._exact import Side, two_ends, width


class Simulation(NamedTuple):
    """The simulated coverage, its 95 % Clopper-Pearson interval, and the mean width."""

    coverage: float
    low: float
    high: float
    width: float


@public
def simulate(
    key: str,
    sample: Callable[[np.random.Generator, tuple[int, int]], ArrayLike],
    error: float,
    n: int,
    *,
    delta: float = 0.05,
    side: Side = "upper",
    repeats: int = 1000,
    rng: Seed = 0,
) -> Simulation:
    """Simulate how often bound `key` holds for losses in [0, 1] from any source.

    The losses are independent, so that one order is as good as another: a bound that reads them
    one by one takes them as they are drawn.

    Parameters
    ----------
    key : str
        Short name of the bound, a key of `errlab.bounds.BOUNDS`.
    sample : callable
        ``sample(rng, shape)`` draws an array of that shape of independent losses in [0, 1].
    error : float
        The mean of that source, in [0, 1].
    n : int
        Number of test cases, at least 1.
    delta : float
        Probability that the bound may fail, in (0, 1).
    side : {"upper", "lower", "two-sided"}
        Which bound must hold.
    repeats : int
        Number of simulated test sets, at least 1.
    rng : seed, Generator or None
        Source of randomness; the same in each call by default.

    Returns
    -------
    Simulation
        ``(coverage, low, high, width)``: the share of test sets whose bound holds, its 95 %
        Clopper-Pearson interval, and the mean width as in `expected_width`.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range, or `sample` returns another shape or leaves [0, 1].

    Examples
    --------
    >>> result = simulate("T_HOE", lambda rng, shape: rng.beta(1, 3, shape), 0.25, 50, rng=1)
    >>> result.coverage
    1.0
    """
    size = checks.one_count(n)
    total = checks.one_count(repeats, "repeats")
    error = checks.one_mean(error, "error")
    level = checks.one_delta(delta)
    generator = checks.generator(rng)
    checks.function(sample, "sample")
    held = 0
    total_width = 0.0
    most = max(1, 10**6 // size)  # test sets at a time: a few megabytes
    for start in range(0, total, most):
        rows = min(most, total - start)
        losses = checks.losses(sample(generator, (rows, size)), "the sample", ndim=2)
        if losses.shape != (rows, size):
            raise ValueError(f"sample must return shape {(rows, size)}, got {losses.shape}")
        low, high = two_ends(ask(key, losses=losses, delta=level, order="given"), side)
        held += int(((low <= error) & (error <= high)).sum())
        total_width += float(width(low, high, losses.mean(axis=1), side).sum())
    # The number of test sets that are covered is binomial.
    limits = bounds.interval("CP", errors=held, n=total)
    return Simulation(held / total, limits.low, limits.high, total_width / total)
