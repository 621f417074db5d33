r"""The supremum by enumeration of flats: exact, batched over all draws.

For one draw with counts m let :math:`H = Z^T \mathrm{diag}(m) Z`, :math:`b = Z^T (m y)` and
:math:`T(\beta) = \beta^T H \beta - 2 b^T \beta`, the summed loss up to a constant. With
:math:`\kappa = \alpha / n`,

.. math:: n Q = \max_C |D(C)| \, g(\min_{\bar C} T), \quad
          g(t) = \min(1, 1 + \kappa (T(\hat\beta) - t)),

over all cells C. D is the sum of :math:`(m_i - 1)` over the cases that the cell gets wrong.

**Flats are enough.** Let T take its minimum over the closed cell at :math:`\beta^*`, let F be the
face of the cell with :math:`\beta^*` in its relative interior, and L its span. T is convex, so
:math:`\beta^*` is a minimum over all of L. If it is not the only one, H has a null direction in
L, and T is constant along it. F is a cone without a line, so one walks along that direction to
a smaller face, with T as before. Hence the minimum lies at the *unique* minimiser of T over some
flat L. Conversely, for each flat the minimiser is in the closure of each cell around it, whose
minimum is no larger. So nQ is the maximum, over all flats with a unique minimiser, of g there
times the largest :math:`|D|` of the cells around it. Nothing has to be inverted but H on the
flat: draws of deficient rank need no special case.

**Pruning.** A flat inside L has a minimum no smaller than that of L. So with top an upper bound
of :math:`|D|`, all flats inside L may go as soon as ``top * g(T_L)`` is no more than the best
value found. A hyperplane of which this is true does not meet the ball of coefficients that can
do better: there its cases keep the side that the draw's own solution gives them, and top falls.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from errlab._core.checks import FloatArray
from errlab.training_set.cud._geometry import Design, Flats, Mask, children, free_gain, signs, whole

MARGIN = 1e-12  # values within it count as equal, in units of nQ
BLOCK = 1 << 17  # numbers in one block of work


class Draws(NamedTuple):
    """The draws in the coordinates of the design.

    Attributes
    ----------
    H, b : ndarray, shapes (B, r, r) and (B, r)
        Quadratic and linear part of the loss.
    fitted : ndarray, shape (B,)
        T at the coefficients fitted to the data.
    weights, constant : ndarray, shapes (B, m) and (B,)
        ``D = constant + sum_k s_k weights_k`` for sides s.
    kappa : float
        Weight of the summed loss in g.
    """

    H: FloatArray
    b: FloatArray
    fitted: FloatArray
    weights: FloatArray
    constant: FloatArray
    kappa: float

    def g(self, loss: FloatArray) -> FloatArray:
        """Value of g at loss T, draws on the last axis; -1 stands for all that is below 0."""
        return np.clip(1 + self.kappa * (self.fitted - loss), -1.0, 1.0)


class State(NamedTuple):
    """The best values, in units of nQ, and whether they are the suprema."""

    best: FloatArray
    finished: bool


def make_draws(design: Design, y: FloatArray, counts: FloatArray, kappa: float) -> Draws:
    """Put counts of shape (B, n) into the coordinates of the design."""
    rows = design.rows
    rank = rows.shape[1]
    products = (rows[:, :, None] * rows[:, None, :]).reshape(len(rows), rank * rank)
    H = (counts @ products).reshape(len(counts), rank, rank)
    b = counts @ (rows * y[:, None])
    beta = y @ rows
    fitted = np.einsum("bij,i,j->b", H, beta, beta) - 2 * (b @ beta)
    excess = counts - 1.0
    return Draws(H, b, fitted, excess @ design.errors, excess @ design.constant, kappa)


def sweep(design: Design, draws: Draws, limit: float | None = None) -> State:
    """Search all flats, level by level; give up early where there are more than `limit` lines.

    By default no limit up to rank 4, then twice the cube of the number of hyperplanes within
    reach: about where branch and bound begins to be faster (measured, n = 30 and 50).
    """
    normals = design.normals
    size = np.abs(draws.weights)
    top = np.abs(draws.constant) + size.sum(axis=1)
    best = np.zeros(len(top))
    rank = design.rows.shape[1]
    m = len(normals)
    if rank == 0:
        return State(np.abs(draws.constant), True)
    active = np.ones(m, dtype=bool)
    flats = whole(normals)
    for level in range(rank - 1):
        loss, best = _evaluate(normals, flats, draws, top, best)
        if level == 1:
            top = _lower_top(normals, flats, loss, draws, best)
        useful = (draws.g(loss) * top > best + MARGIN).any(axis=1)
        flats = flats.take(useful)
        if level == 1:
            active[:] = False
            active[flats.planes[:, 0]] = True
            most = (np.inf if rank < 5 else 2.0 * active.sum() ** 3) if limit is None else limit
            if special.comb(active.sum(), rank - 1) > most:
                return State(best, False)
        if level < rank - 2:
            flats = _join(list(children(flats, active, 4096)), flats)
    block = max(1, BLOCK // max(len(best), m))
    for lines in [flats] if rank == 1 else children(flats, active, block):
        best = _lines(normals, lines, draws, top, best)
    return State(best, True)


def _join(parts: list[Flats], parents: Flats) -> Flats:
    if parts:
        return Flats(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
    none = parents.take(np.zeros(len(parents.planes), dtype=bool))
    planes = np.zeros((0, none.planes.shape[1] + 1), dtype=np.int64)
    return Flats(planes, none.basis[:, :, 1:], none.scores[:, :, 1:], none.tight)


def _minimise(flats: Flats, draws: Draws) -> tuple[FloatArray, list[FloatArray]]:
    """Minimise T over each flat for each draw: loss (F, B) and coordinates, d arrays (F, B).

    Gauss elimination of the d by d system, all systems at once. Where it is singular the
    minimiser is not unique and the first coordinate is infinite; the loss is right.
    """
    d = flats.basis.shape[2]
    rank = flats.basis.shape[1]
    H = draws.H.reshape(-1, rank * rank).T
    columns = [flats.basis[:, :, i] for i in range(d)]

    def entry(i: int, j: int) -> FloatArray:
        outer = columns[i][:, :, None] * columns[j][:, None, :]
        return np.asarray(outer.reshape(-1, rank * rank) @ H)

    A = {(i, j): entry(i, j) for i in range(d) for j in range(i, d)}
    c = [column @ draws.b.T for column in columns]
    scale = [1e-13 * A[i, i] for i in range(d)]
    loss = np.zeros_like(c[0])
    singular = np.zeros(loss.shape, dtype=bool)
    for i in range(d):
        bad = A[i, i] <= scale[i] + 1e-300
        singular |= bad
        inverse = np.where(bad, 0.0, 1 / np.where(bad, 1.0, A[i, i]))
        loss -= c[i] ** 2 * inverse
        for j in range(i + 1, d):
            factor = A[i, j] * inverse
            c[j] = c[j] - factor * c[i]
            for k in range(j, d):
                A[j, k] = A[j, k] - factor * A[i, k]
        A[i, i] = inverse
    for i in reversed(range(d)):
        for j in range(i + 1, d):
            c[i] = c[i] - A[i, j] * c[j]
        c[i] = c[i] * A[i, i]
    c[0] = np.where(singular, np.inf, c[0])
    return loss, c


def _evaluate(
    normals: FloatArray, flats: Flats, draws: Draws, top: FloatArray, best: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Lower bound of T on each flat (F, B), and the best values with these flats.

    A hyperplane that holds the minimiser without holding the flat counts for nothing here: the
    cells around are a symmetric set, so one is at least as good, and the smaller flat through
    the minimiser finds the best of them.
    """
    loss, point = _minimise(flats, draws)
    g = draws.g(loss)
    f, b = np.nonzero((g * top > best + MARGIN) & np.isfinite(point[0]))
    gain = free_gain(normals, flats, draws.weights.T)
    best = best.copy()
    step = max(1, BLOCK // flats.scores.shape[1])
    for start in range(0, len(f), step):
        ff = f[start : start + step]
        bb = b[start : start + step]
        at = np.stack([c[ff, bb] for c in point], axis=1)
        scores = (flats.scores[ff] @ at[:, :, None])[:, :, 0]
        tiny = 1e-10 * np.linalg.norm(at, axis=1, keepdims=True)
        side = np.where(np.abs(scores) <= tiny, 0.0, np.sign(scores))
        total = draws.constant[bb] + np.einsum("km,km->k", side, draws.weights[bb])
        np.maximum.at(best, bb, g[ff, bb] * (np.abs(total) + gain[ff, bb]))
    return loss, best


def _lower_top(
    normals: FloatArray, flats: Flats, loss: FloatArray, draws: Draws, best: FloatArray
) -> FloatArray:
    """Upper bound of |D| once the cases outside the ball keep their sides; to a fixed point."""
    side = np.sign(_own(normals, draws) @ normals.T)
    size = np.abs(draws.weights)
    signed = side * draws.weights
    g = np.full(size.shape, 1.0)
    g[:, flats.planes[:, 0]] = draws.g(loss).T
    top = np.abs(draws.constant) + size.sum(axis=1)
    for _ in range(8):
        inside: Mask = g * top[:, None] > best[:, None] + MARGIN
        fixed = draws.constant + np.where(inside, 0.0, signed).sum(axis=1)
        lower = np.where(inside, size, 0.0).sum(axis=1) + np.abs(fixed)
        if (lower >= top).all():
            break
        top = np.minimum(top, lower)
    return np.asarray(top)


def _own(normals: FloatArray, draws: Draws) -> FloatArray:
    """Return a minimiser of T for each draw, shape (B, r)."""
    own = np.asarray(np.concatenate(_minimise(whole(normals), draws)[1]).T)
    for i in np.flatnonzero(~np.isfinite(own[:, 0])):
        own[i] = np.linalg.lstsq(draws.H[i], draws.b[i], rcond=1e-11)[0]
    return own


def _lines(
    normals: FloatArray, lines: Flats, draws: Draws, top: FloatArray, best: FloatArray
) -> FloatArray:
    """Best values with these lines and with the apex, seen from all cells along them."""
    if not len(lines.planes):
        return best
    v = lines.basis[:, :, 0]
    rank = v.shape[1]
    upper = np.triu_indices(rank)
    twice = np.where(upper[0] == upper[1], 1.0, 2.0)
    quadratic = (v[:, upper[0]] * v[:, upper[1]] * twice) @ draws.H[:, upper[0], upper[1]].T
    linear = v @ draws.b.T
    flat = quadratic <= 1e-13 * np.einsum("bii->b", draws.H)
    if flat.any():  # no loss along the line: as good as the apex
        linear[flat] = 0.0
        quadratic[flat] = 1.0
    gained = linear**2
    gained /= quadratic  # -T
    needed = (best / np.maximum(top, MARGIN) - 1) / draws.kappa - draws.fitted
    useful = (gained > needed).any(axis=1)
    if not useful.any():
        return best
    if not useful.all():
        lines = lines.take(useful)
        gained = gained[useful]
        linear = linear[useful]
    weights = draws.weights.T.astype(np.float32)  # half-integers: exact
    along = signs(lines).astype(np.float32) @ weights
    gain = free_gain(normals, lines, weights)
    total = np.abs(along) + gain
    apex = draws.g(np.zeros(len(best)))
    if (apex * top > best + MARGIN).any():
        anywhere = total.max(axis=0) + np.abs(draws.constant)
        best = np.maximum(best, apex * anywhere)
    if draws.constant.any():
        total = np.abs(draws.constant + np.sign(linear) * along) + gain
    gained += draws.fitted
    gained *= draws.kappa
    gained += 1.0
    np.minimum(gained, 1.0, out=gained)  # g
    gained *= total
    return np.asarray(np.maximum(best, gained.max(axis=0)))
