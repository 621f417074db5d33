"""Which search finds the suprema of which draws. All of them are exact.

Up to rank 3 the sweep is quickest. From rank 4 on flats are grown. Where u = 0 is within reach of
a draw, its value is that of the best cell of all, which the planes of the arrangement tell. Branch
and bound takes what is too much for them: draws with too many flats within reach, or with zero
within reach and too many planes. Draws of deficient rank are left to the sweep.
"""

from __future__ import annotations

import numpy as np

from errlab._core.checks import FloatArray
from errlab.training_set.cud._branch import branch
from errlab.training_set.cud._geometry import Design, Mask, Which
from errlab.training_set.cud._grow import grow
from errlab.training_set.cud._planes import Around, largest, number
from errlab.training_set.cud._sweep import Draws, sweep

# Measured: from here on branch and bound is likely to be quicker.
NODES = 50_000  # for one draw, from rank 6 on
PATIENCE = 2.0  # planes asked for before all of them are put in order, as a share of all
ORDERS = 10**8  # numbers that the order of the lines may take
ALL_PLANES = 20_000  # to weigh all planes, a draw with zero within reach


def solve(
    design: Design, draws: Draws, max_nodes: int | None = None
) -> tuple[FloatArray, FloatArray]:
    """Lower and upper bounds of the suprema, in units of nQ; equal unless `max_nodes` cut."""
    if design.rows.shape[1] < 4:
        best = sweep(design, draws).best
        return best, best
    low = np.zeros(len(draws.b))
    high = low.copy()
    sound = _sound(draws)
    for which, search in ((sound, _regular), (~sound, _deficient)):
        if which.any():
            low[which], high[which] = search(design, some(draws, which), max_nodes)
    return low, high


def some(draws: Draws, which: Which) -> Draws:
    """Return some of the draws."""
    return Draws(
        draws.H[which],
        draws.b[which],
        draws.fitted[which],
        draws.weights[which],
        draws.constant[which],
        draws.kappa,
    )


def _sound(draws: Draws) -> Mask:
    """Draws whose quadratic form is clearly positive definite."""
    values = np.linalg.eigvalsh(draws.H)
    return np.asarray(values[:, 0] > 1e-6 * values[:, -1])


def _deficient(
    design: Design, draws: Draws, max_nodes: int | None
) -> tuple[FloatArray, FloatArray]:
    state = sweep(design, draws)
    if state.finished:
        return state.best, state.best
    return branch(design, draws, state.best, max_nodes=max_nodes)


def _regular(design: Design, draws: Draws, max_nodes: int | None) -> tuple[FloatArray, FloatArray]:
    """Return the best found and, where the search stopped early, a bound of it, for each draw."""
    count = len(draws.b)
    m, rank = design.normals.shape
    most = np.abs(draws.constant) + np.abs(draws.weights).sum(axis=1)
    best = np.zeros(count)
    at_zero = draws.g(best)
    zero = at_zero > 0
    left = np.zeros(count, dtype=bool)
    if zero.any() and max_nodes is None and number(m, rank) <= ALL_PLANES * zero.sum():
        most[zero] = np.abs(draws.constant[zero]) + largest(design, draws.weights[zero])
        best[zero] = at_zero[zero] * most[zero]
    else:
        left = zero.copy()
    todo = ~left & (at_zero < 1)
    patience = PATIENCE * number(m, rank) if m * number(m, rank) <= ORDERS else np.inf
    around = Around(design, draws.weights[todo], patience)
    limit = NODES if rank > 5 else np.inf
    limit = limit if max_nodes is None else min(limit, max_nodes)
    best[todo], left[todo] = grow(
        design, some(draws, todo), best[todo], most[todo], limit=limit, around=around
    )
    high = best.copy()
    if left.any():
        best[left], high[left] = branch(design, some(draws, left), best[left], max_nodes=max_nodes)
    return best, high
