r"""The supremum by a sweep over all flats, batched over all draws: for ranks up to 3.

With :math:`T` the summed loss of a draw up to a constant and :math:`\kappa = \alpha / n`,

.. math:: n Q = \max_C |D(C)| \, g(\min_{\bar C} T), \quad
          g(t) = \min(1, 1 + \kappa (T(\hat\beta) - t)),

over all cells C. D is the sum of :math:`(m_i - 1)` over the cases that the cell gets wrong.

**Flats are enough.** The point of a closed cell with the least loss lies inside one of its faces,
and is the minimiser of T over the span of that face, a flat. Conversely the minimiser over a flat
is in the closure of each cell around it. So nQ is the maximum, over all flats with a unique
minimiser, of g there times the largest :math:`|D|` of the cells around it. Nothing has to be
inverted but the loss on the flat: draws of deficient rank need no special case.

**Pruning.** A flat inside L has a minimum no smaller than that of L. So with top an upper bound
of :math:`|D|`, all flats inside L may go as soon as ``top * g(T_L)`` is no more than the best
value found.
"""

from __future__ import annotations

import numpy as np

from errlab._core.checks import FloatArray
from errlab.training_set.cud._geometry import (
    MARGIN,
    Design,
    Draws,
    Flats,
    children,
    free_gain,
    signs,
    whole,
)

BLOCK = 1 << 17  # numbers in one block of work
FLAT = 1e-13  # a direction with less than this share of the loss has none


def sweep(design: Design, draws: Draws) -> FloatArray:
    """Suprema of all draws in units of nQ, shape (B,)."""
    m, rank = design.normals.shape
    best = np.zeros(len(draws.b))
    if rank == 0:
        return np.abs(draws.constant)
    flats = whole(design.normals)
    active = np.ones(m, dtype=bool)
    for level in range(rank - 1):
        loss, best = _evaluate(design.normals, flats, draws, best)
        # What is of use to no draw goes, and with it all inside it.
        flats = flats.take((draws.g(loss) * draws.top > best + MARGIN).any(axis=1))
        if level == 1:
            active[:] = False
            active[flats.planes[:, 0]] = True
        if level < rank - 2:  # all flats of the next level in one block: few, up to rank 3
            flats = next(children(flats, active, m**rank), flats.take(slice(0, 0)))
        if not len(flats.planes):
            return best
    block = max(1, BLOCK // max(len(best), m))
    for lines in [flats] if rank == 1 else children(flats, active, block):
        best = _lines(design.normals, lines, draws, best)
    return best


def _minimise(flats: Flats, draws: Draws) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Minimise T over each flat for each draw.

    Returns the loss (F, B), the coordinates in the flat (F, B, d), and whether the minimiser is
    unique (F, B).
    """
    # T on the flat: y'Ay - 2 c'y
    A = np.einsum("fri,brs,fsj->fbij", flats.basis, draws.H, flats.basis, optimize=True)
    c = np.einsum("fri,br->fbi", flats.basis, draws.b)
    values, vectors = np.linalg.eigh(A)
    used = values > FLAT * np.einsum("bii->b", draws.H)[None, :, None]
    pull = np.einsum("fbji,fbj->fbi", vectors, c)
    step = np.where(used, pull, 0) / np.where(used, values, 1)
    return -(pull * step).sum(axis=2), (vectors @ step[..., None])[..., 0], used.all(axis=2)


def _evaluate(
    normals: FloatArray, flats: Flats, draws: Draws, best: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Minimum of T on each flat (F, B), and the best values with these flats.

    A hyperplane that holds the minimiser without holding the flat counts for nothing here: the
    cells around are a symmetric set, so one is at least as good, and the smaller flat through
    the minimiser finds the best of them.
    """
    loss, point, unique = _minimise(flats, draws)
    g = draws.g(loss)
    gain = free_gain(normals, flats, draws.weights.T)
    f, b = np.nonzero((g * draws.top > best + MARGIN) & unique)
    best = best.copy()
    step = max(1, BLOCK // len(normals))
    for start in range(0, len(f), step):  # pairs of a flat and a draw
        ff = f[start : start + step]
        bb = b[start : start + step]
        at = point[ff, bb]
        scores = (flats.scores[ff] @ at[:, :, None])[:, :, 0]
        tiny = 1e-10 * np.linalg.norm(at, axis=1, keepdims=True)
        side = np.where(np.abs(scores) <= tiny, 0.0, np.sign(scores))
        total = draws.constant[bb] + np.einsum("km,km->k", side, draws.weights[bb])
        np.maximum.at(best, bb, g[ff, bb] * (np.abs(total) + gain[ff, bb]))
    return loss, best


def _lines(normals: FloatArray, lines: Flats, draws: Draws, best: FloatArray) -> FloatArray:
    """Best values with these lines and with the apex, seen from all cells along them."""
    v = lines.basis[:, :, 0]
    rank = v.shape[1]
    # On the line through v the minimum of T is -(b'v)^2 / v'Hv, matrix products for all draws.
    outer = (v[:, :, None] * v[:, None, :]).reshape(-1, rank * rank)
    quadratic = outer @ draws.H.reshape(-1, rank * rank).T
    linear = v @ draws.b.T
    flat = quadratic <= FLAT * np.einsum("bii->b", draws.H)
    linear[flat] = 0.0  # no loss along the line: as good as the apex
    g = draws.g(-(linear**2) / np.where(flat, 1.0, quadratic))
    useful = (g * draws.top > best + MARGIN).any(axis=1)
    if not useful.any():
        return best
    lines, g, linear = lines.take(useful), g[useful], linear[useful]
    # Each half of the line sees the other hyperplanes from one side; those that hold the line
    # are on their best sides. The apex sees all cells. It is of use only if all lines are.
    weights = draws.weights.T.astype(np.float32)  # half-integers: exact
    along = signs(lines) @ weights
    gain = free_gain(normals, lines, weights)
    best = np.maximum(best, (g * (np.abs(draws.constant + np.sign(linear) * along) + gain)).max(0))
    anywhere = (np.abs(along) + gain).max(axis=0) + np.abs(draws.constant)
    return np.maximum(best, draws.g(np.zeros(len(best))) * anywhere)
