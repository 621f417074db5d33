"""Choosing the best of k models on a validation set, and what that does to its error."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike
from scipy import special

from errlab._core import checks
from errlab._core.checks import FloatArray, IntArray
from errlab._core.public import public

__all__ = [
    "Selection",
    "Split",
    "selection_bias",
    "simulated_selection_bias",
    "three_way_split",
]


class Selection(NamedTuple):
    """What to expect of the model with the smallest validation error.

    Attributes
    ----------
    validation : float
        Expected validation error of the winner.
    risk : float
        Expected true error of the winner.
    optimism : float
        ``risk - validation``: by how much the validation error flatters.
    regret : float
        ``risk`` minus the smallest true error among the models.
    standard_error : float
        Of the optimism, by simulation; 0 where the values are exact.
    """

    validation: float
    risk: float
    optimism: float
    regret: float
    standard_error: float


class Split(NamedTuple):
    """Positions of the training, validation and test cases."""

    train: IntArray
    validation: IntArray
    test: IntArray


@public
def selection_bias(error: ArrayLike, n: int) -> Selection:
    r"""Exact optimism of the best of k independent models on n validation cases.

    Model j makes :math:`K_j \sim \mathrm{Bin}(n, R_j)` errors, the models err independently, and
    the smallest :math:`K_j` wins, ties broken at random. Then

    .. math:: P(\min_j K_j \ge m) = \prod_j P(K_j \ge m)

    gives the validation error, and the winner's true error is, with :math:`a_j = P(K_j = m)` and
    :math:`b_j = P(K_j > m)`,

    .. math:: \sum_m \int_0^1 \sum_j R_j a_j \prod_{i \ne j} (b_i + a_i x) \, dx,

    as :math:`\int x^T dx = 1/(1+T)` shares a win with T others. The integrand is a polynomial in
    x, so that Gauss-Legendre quadrature is exact.

    Parameters
    ----------
    error : array_like, shape (k,)
        True errors of the models, in [0, 1].
    n : int
        Number of validation cases, at least 1.

    Returns
    -------
    Selection
        ``(validation, risk, optimism, regret, standard_error)``, the last one 0.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    Examples
    --------
    >>> best = selection_bias([0.5] * 100, 1000)
    >>> round(best.validation, 4), round(best.optimism, 4)
    (0.4604, 0.0396)
    """
    errors = checks.within(error, "error", 0, 1, ndim=1)
    size = checks.one_count(n)
    values, copies = np.unique(errors, return_counts=True)
    # Numbers of errors x distinct true errors; copies share one column.
    m = np.arange(size + 1)[:, None]
    at = scipy.stats.binom.pmf(m, size, values)
    above = scipy.stats.binom.sf(m, size, values)
    with np.errstate(divide="ignore"):
        survival = np.exp((copies * np.log(above)).sum(axis=1))  # P(min > m)
    # Distribution of the smallest number of errors among all models.
    mass = -np.diff(survival, prepend=1.0)
    validation = float(survival[:-1].sum() / size)
    likely = mass > 1e-18
    risk = _winner_risk(values, copies, at[likely], above[likely])
    return Selection(validation, risk, risk - validation, max(risk - float(values[0]), 0.0), 0.0)


def _winner_risk(values: FloatArray, copies: IntArray, at: FloatArray, above: FloatArray) -> float:
    """Return the expected true error of the one chosen, by Gauss-Legendre quadrature."""
    # With ties broken by uniform marks x, the chance that a model wins at m errors is an
    # integral over x of a polynomial of degree k - 1: these nodes give it exactly.
    nodes, weights = special.roots_legendre(copies.sum() // 2 + 1)
    total = 0.0
    for x, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
        mixed = above + at * x  # positive: x > 0, and P(min >= m) > 0 here
        product = np.exp((copies * np.log(mixed)).sum(axis=1))
        total += weight * float(product @ (at / mixed) @ (copies * values))
    return float(total)


@public
def simulated_selection_bias(
    error: ArrayLike,
    n: int,
    *,
    correlation: float = 0.0,
    repeats: int = 1000,
    rng: np.random.Generator | int | None = None,
) -> Selection:
    r"""Simulate `selection_bias` for models that err on the same cases.

    Model j errs on case i where :math:`\sqrt\rho\, u_i + \sqrt{1-\rho}\, e_{ij}` lies below the
    normal quantile of :math:`R_j`: a shared difficulty :math:`u_i` and the model's own luck.

    Parameters
    ----------
    error : array_like, shape (k,)
        True errors of the models, in [0, 1].
    n : int
        Number of validation cases, at least 1.
    correlation : float
        Correlation :math:`\rho` of the normal variables behind the errors, in [0, 1].
    repeats : int
        Number of simulated validation sets, at least 2.
    rng : Generator, int or None
        Random generator or seed.

    Returns
    -------
    Selection
        ``(validation, risk, optimism, regret, standard_error)``.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    Examples
    --------
    >>> alike = simulated_selection_bias([0.3] * 20, 100, correlation=0.9, rng=0)
    >>> round(alike.optimism, 2)
    0.05
    >>> round(selection_bias([0.3] * 20, 100).optimism, 2)
    0.08
    """
    errors = checks.within(error, "error", 0, 1, ndim=1)
    size = checks.one_count(n)
    rho = float(checks.within(correlation, "correlation", 0, 1, ndim=0))
    count = checks.one_count(repeats, "repeats", 2)
    generator = checks.generator(rng)
    cut = special.ndtri(errors)
    validation = np.empty(count)
    risk = np.empty(count)
    for r in range(count):
        # Cases x models: errors where a normal score with that correlation is below its cut.
        shared = generator.standard_normal((size, 1))
        own = generator.standard_normal((size, len(errors)))
        made = (np.sqrt(rho) * shared + np.sqrt(1 - rho) * own < cut).sum(axis=0)
        winner = generator.choice(np.flatnonzero(made == made.min()))
        validation[r] = made[winner] / size
        risk[r] = errors[winner]
    gap = risk - validation
    return Selection(
        float(validation.mean()),
        float(risk.mean()),
        float(gap.mean()),
        float(risk.mean() - errors.min()),
        float(gap.std(ddof=1) / np.sqrt(count)),
    )


@public
def three_way_split(
    n: int,
    *,
    validation_size: float = 0.2,
    test_size: float = 0.2,
    rng: np.random.Generator | int | None = None,
) -> Split:
    """Split n cases at random into training, validation and test set.

    Parameters
    ----------
    n : int
        Number of cases, at least 3.
    validation_size, test_size : float
        Shares of the cases to set aside for choosing and for the final test, in (0, 1), together
        below 1. Each part gets at least one case.
    rng : Generator, int or None
        Random generator or seed.

    Returns
    -------
    Split
        ``(train, validation, test)``: three disjoint sorted arrays of positions, all cases in
        one of them.

    Raises
    ------
    ValueError, TypeError
        If a share leaves its range or a part would be empty.

    Examples
    --------
    >>> [len(part) for part in three_way_split(100, rng=0)]
    [60, 20, 20]
    """
    size = checks.one_count(n, "n", 3)
    shares = [
        checks.one_delta(validation_size, "validation_size"),
        checks.one_delta(test_size, "test_size"),
    ]
    held = [max(round(share * size), 1) for share in shares]
    if sum(shares) >= 1 or sum(held) >= size:
        raise ValueError(
            "validation_size and test_size must leave cases for training, "
            f"got {validation_size} and {test_size}"
        )
    order = checks.generator(rng).permutation(size)
    parts = np.split(order, [size - sum(held), size - held[1]])
    return Split(*(np.sort(part) for part in parts))
