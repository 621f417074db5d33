"""The Bayesian signed-rank test of two classifiers on many data sets."""

from __future__ import annotations

import numpy as np

from errlab._core import checks
from errlab._core.checks import Seed
from errlab._numerics.roots import without_noise
from errlab.compare._registry import (
    A_AND_B,
    ArrayLike,
    ComparisonResult,
    Names,
    Posterior,
    comparison,
)
from errlab.compare._wilcoxon import MEDIAN


@comparison(
    name="Bayesian signed rank",
    place=26,
    takes="differences over data sets",
    sample="many data sets",
    equations="Benavoli et al. 2014; 2017, Section 4",
    guarantee="none proven",
)
def bayesian_signed_rank(
    differences: ArrayLike,
    *,
    rope: float = 0.01,
    prior: float = 0.5,
    draws: int = 50_000,
    delta: float = 0.05,
    names: Names = A_AND_B,
    rng: Seed = 0,
) -> ComparisonResult:
    r"""Bayesian signed-rank test: the probability of each answer over many data sets.

    The distribution of differences has a Dirichlet process prior of strength `prior` at 0. With
    weights :math:`w \sim \mathrm{Dir}(s, 1, \ldots, 1)` of :math:`d_0 = 0` and the differences,

    .. math:: \theta_B = \sum_{ij} w_i w_j \, \mathbf 1\{d_i + d_j > 2r\}

    and likewise :math:`\theta_A` for sums below -2r; the complement of both is the region of
    practical equivalence. The probability of an answer is the probability that its :math:`\theta`
    is the largest.

    Parameters
    ----------
    differences : array_like, shape (N,)
        Error of A minus error of B on each of N data sets.
    rope : float
        Differences up to this count as equal, at least 0. Rounding errors don't matter: 0.13 and
        0.12 differ by exactly 0.01.
    prior : float
        Strength s of the prior, in (0, 1].
    draws : int
        Number of draws from the posterior, whose probabilities have a standard error of at most
        1/(2 sqrt(draws)). All draws, of N numbers each, are in memory at once.
    delta : float
        Stored in the result; the posterior needs no level.
    names : tuple of str
        Names of A and B in the printed result.
    rng : seed, Generator or None
        Draws from the posterior; the same in each call by default.

    Returns
    -------
    ComparisonResult
        It has a ``.posterior``; `pvalue` is None.

    Raises
    ------
    ValueError, TypeError
        If a number leaves its range.

    References
    ----------
    Benavoli, Mangili, Corani, Zaffalon and Ruggeri, ICML 2014, 1026-1034; Benavoli, Corani, Demšar
    and Zaffalon, Journal of Machine Learning Research 18 (2017), Section 4.

    Examples
    --------
    >>> result = bayesian_signed_rank([0.05, 0.03, 0.04, -0.005, 0.06, 0.02], rng=0)
    >>> result.posterior.b_better > 0.9
    True
    """
    d = checks.within(differences, "differences", -checks.LARGE, checks.LARGE, ndim=1)
    edge = float(checks.within(rope, "rope", 0, checks.LARGE, ndim=0))
    strength = float(checks.within(prior, "prior", 0, 1, open_low=True, ndim=0))
    n_draws = checks.one_count(draws, "draws")
    generator = checks.generator(rng)
    # in whole numbers, so that sums and comparisons are exact
    units = without_noise(np.concatenate([[edge, 0.0], d]), max(edge, np.abs(d).max()))
    limit = 2 * units[0]
    z = units[1:]
    sums = z[:, None] + z  # the sums of all pairs i, j, to be compared with twice the ROPE
    shape = np.append(max(strength, 1e-6), np.ones(len(d)))
    # draws x data sets
    w = generator.dirichlet(shape, size=n_draws)
    theta_a = ((w @ (sums < -limit)) * w).sum(axis=1)
    theta_b = ((w @ (sums > limit)) * w).sum(axis=1)
    # draws x answers; the three fractions of a draw sum to 1
    theta = np.column_stack([theta_a, 1 - theta_a - theta_b, theta_b])
    largest = theta >= theta.max(axis=1, keepdims=True) - 1e-12
    # equal fractions share the win
    wins = (largest / largest.sum(axis=1, keepdims=True)).mean(axis=0)
    median = np.median(d)
    posterior = Posterior(*wins.tolist())
    return ComparisonResult(median, None, median, posterior=posterior, quantity=MEDIAN)
