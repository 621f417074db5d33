r"""The exact supremum for any rank, found by growing flats from misclassified examples.

With :math:`T` the sum of a draw's losses, up to a constant, and :math:`\kappa = \alpha / n`,

.. math:: n Q = \max_C |D(C)| \, g(\min_{\bar C} T), \quad
          g(t) = \min(1, 1 + \kappa (T(\hat\beta) - t)),

over all cells C, where D is the sum of :math:`(m_i - 1)` over the examples that the cell gets
wrong.

**Flats are enough.** The point of a closed cell with the least loss lies inside one of its faces,
and is the minimiser of T over the span of that face, a *flat*: an intersection of hyperplanes.
Conversely the minimiser over a flat is in the closure of each cell around it. For each draw and
sign of D, the search visits only flats that can contain a better solution; the nodes of all draws
are processed together. It computes

.. math:: \max_u \; \Big( top - \sum_{k \text{ lost at } u} w_k \Big) \, g(T(u)):

where hyperplane k is *won* on the side that its weight prefers, and otherwise *lost* with its
weight.

**Nodes.** A node is a flat L, given by independent hyperplanes, with the minimiser u of T over it.
Its value counts the hyperplanes that are won at u, with those that contain L on their best sides.
The solution is the minimiser over some flat L* inside L. Each child adds a hyperplane that is lost
at u and contains L*. There is one (see ``book/cud_proof.md``), so the children of a node differ in
which is the first in some order: the L* of a child must not be contained in the earlier ones, which
become *closed*. Hyperplanes whose flat is farthest away come first, because they have the fewest
descendants.

**Bound.** Let T_k be the minimum of T over the flat of L and k. A lost hyperplane with T_k out of
reach stays lost, so `top` falls, then the reach falls, and so on. A node is finished when nothing
in it could exceed the best value so far.

**Coordinates.** A flat has a basis N that is orthonormal in the draw's metric, ``N'HN = I``. Then
``u = N y`` with ``y = N'b``, ``T = -|y|^2`` and ``T_k = T + (s / |c|)^2`` with ``c = N'a_k`` and
``s = c'y``. A Householder reflection takes c out of N and y.

**The apex.** u = 0 is in the closure of every cell. If it is within reach, its value is that of the
best of all cells, a problem without distances. If there are few lines, all of them are evaluated at
once for all draws (see `largest_sum`); otherwise each draw gets its own search.
"""

import math
from typing import NamedTuple

import numpy as np

from errlab._core.checks import FloatArray
from errlab.training_set._cud._geometry import Draws, Index, Mask, largest_sum, without

BLOCK = 1 << 16  # numbers in one block of work
LINES = 50_000  # measured: this many lines take as long as a search of `_conflicts` for one draw
MARGIN = 1e-12  # values within this count as equal, in units of nQ


class Nodes(NamedTuple):
    """Flats of one dimension d, each for one draw and one sign of D.

    Attributes
    ----------
    draw : ndarray of int, shape (N,)
    sign : ndarray, shape (N,)
    frame : ndarray, shape (N, d, r + 1)
        Rows that span the flat, orthonormal in the metric of the draw; the last column is the
        coordinate of the minimiser.
    closed : ndarray of bool, shape (N, m)
        Hyperplanes that must not contain the solution's flat.
    """

    draw: Index
    sign: FloatArray
    frame: FloatArray
    closed: Mask


def suprema(
    Z: FloatArray, y: FloatArray, counts: FloatArray, alpha: float, limit: float = np.inf
) -> tuple[FloatArray, FloatArray]:
    """Return lower and upper bounds of Q, equal unless the `limit` of nodes stopped the search."""
    n = len(y)
    if not Z.any():  # the only cell is the whole space, where all labels are -1
        only = np.abs((counts - 1) @ (y == 1)) / n
        return only, only
    search = _Search(Z, y, counts, alpha / n, limit)
    draw = np.repeat(np.arange(len(counts)), 2)
    sign = np.tile([1.0, -1.0], len(counts))
    search.explore(Nodes(draw, sign, search.frame[draw], search.weights[draw] == 0))
    return search.best / n, np.maximum(search.high, search.best) / n


class _Search(Draws):
    """The best values of all draws, and the arrays that nodes look up by their draw.

    Attributes
    ----------
    best, high : ndarray, shape (B,)
        The best value so far, and the largest bound of the nodes that were not searched.
    used : ndarray, shape (B,)
        Number of nodes so far, at most `limit`.
    cap : ndarray, shape (B,)
        Upper bound of |D|.
    near : ndarray, shape (B,)
        A hyperplane whose normal has a shorter projection onto a flat contains the flat, except for
        rounding.
    """

    def __init__(
        self, Z: FloatArray, y: FloatArray, counts: FloatArray, kappa: float, limit: float
    ) -> None:
        super().__init__(Z, y, counts, kappa)
        self.limit = limit
        self.side = np.sign(self.weights)
        self.cost = 2 * np.abs(self.weights)
        self.near = 1e-10 + 1e-13 * np.linalg.norm(self.frame[:, :, :-1], axis=(1, 2))
        self.used = np.zeros(len(self.weights))
        # Start with the apex: its value is the first `best`, and its |D| is an upper limit for all
        # flats.
        g = self.g(self.used)
        self.best = np.zeros(len(g))
        self.cap = np.abs(self.constant) + self.cost.sum(axis=1) / 2
        apex = g > 0
        if apex.any():
            weights = self.weights[apex]
            m, rank = self.normals.shape
            # The mirror image of a cell is a cell, too, and has the sum of opposite sign: one sign
            # is enough.
            if math.comb(m, rank - 1) <= LINES * len(weights):
                low = high = largest_sum(self.normals, weights.T)
            else:  # with too many lines to enumerate, search for each draw
                low, high = np.transpose([_conflicts(self.normals, w, limit) for w in weights])
            base = np.abs(self.constant[apex])
            self.cap[apex] = base + high
            self.best[apex] = g[apex] * (base + low)
        self.high = g * self.cap

    def explore(self, nodes: Nodes) -> None:
        """Raise `best` by the values of these nodes and of all flats inside them."""
        draw, sign, frame, closed = nodes
        np.add.at(self.used, draw, 1.0)
        basis = frame[:, :, :-1]
        point = frame[:, :, -1]
        d, r = basis.shape[1:]
        # All normals in the coordinates of each flat, shape (N, d, m).
        shadow = np.tensordot(basis, self.normals, axes=(2, 1))
        # Changing the sign of D changes all wanted sides, as does mirroring the point.
        score = np.einsum("nd,ndm->nm", sign[:, None] * point, shadow)
        square = np.einsum("ndm,ndm->nm", shadow, shadow)
        loss = -np.einsum("nd,nd->n", point, point)
        near = self.near[draw][:, None]
        holds = square <= near**2
        lost = (score * self.side[draw] <= near * np.sqrt(-loss)[:, None]) & ~holds
        # each wrong side is subtracted from `top`, the largest possible value
        cost = self.cost[draw] * lost
        top = sign * self.constant[draw] + self.cost[draw].sum(axis=1) / 2
        crowded = holds.sum(axis=1) > r - d
        weighty = holds[crowded] & (self.side[draw[crowded]] != 0)
        top[crowded] -= self._excess(weighty, draw[crowded])
        # A flat on a closed hyperplane belongs to another branch, so its children are not visited
        # here.
        closed[crowded] |= (weighty & closed[crowded]).any(axis=1, keepdims=True)
        value = (top - cost.sum(axis=1)) * self.g(loss, draw)
        np.maximum.at(self.best, draw, value)
        if d > 1:  # the only child of a line is the apex
            onto = np.full_like(cost, np.inf)  # T_k of the hyperplanes on the wrong side
            np.divide(score**2, square, out=onto, where=cost > 0)
            self._branch(nodes, shadow, loss[:, None] + onto, cost, top)

    def _branch(
        self, nodes: Nodes, shadow: FloatArray, onto: FloatArray, cost: FloatArray, top: FloatArray
    ) -> None:
        """Explore the flats with one more hyperplane, starting with the farthest."""
        draw, sign, frame, closed = nodes
        # A hyperplane out of reach stays on the wrong side, which lowers `top` and shrinks the
        # reach.
        far = 0.0
        for _ in range(3):  # three rounds, because later ones gain little
            largest = np.minimum(top - far, self.cap[draw])
            share = self.best[draw] / np.maximum(largest, MARGIN)
            # the distance at which g falls to `share`
            reach = (self.fitted[draw] + (1 - share) / self.kappa)[:, None]
            far = (cost * (onto > reach)).sum(axis=1)
        open_ = (onto < reach) & ~closed
        # Pairs of a flat and a hyperplane to add, in blocks: depth-first search saves memory and
        # raises `best` early.
        parent, added = np.nonzero(open_)
        size = max(1, BLOCK // len(self.normals))
        for stop in range(len(parent), 0, -size):
            f = parent[max(0, stop - size) : stop]
            j = added[max(0, stop - size) : stop]
            bound = largest[f] * self.g(onto[f, j], draw[f])
            good = bound > self.best[draw[f]] + MARGIN  # `best` may have risen by now
            cut = good & (self.used[draw[f]] > self.limit)
            np.maximum.at(self.high, draw[f[cut]], bound[cut])
            f = f[good & ~cut]
            j = j[good & ~cut]
            if len(f):
                # Farther hyperplanes come first and are closed afterwards; ties are ordered by
                # number.
                rows = onto[f]
                chosen = onto[f, j][:, None]
                tie = (rows == chosen) & (np.arange(rows.shape[1]) < j[:, None])
                first = open_[f] & ((rows > chosen) | tie)
                inside = without(shadow[f, :, j], frame[f])
                self.explore(Nodes(draw[f], sign[f], inside, closed[f] | first))

    def _excess(self, holds: Mask, draw: Index) -> FloatArray:
        """Return the weight lost because more hyperplanes meet in a flat than define it.

        Their cells are those of a smaller arrangement; flats of the same hyperplanes are
        settled together.
        """
        weights = self.weights[draw] * holds
        excess: FloatArray = np.abs(weights).sum(axis=1)
        for tight in np.unique(holds, axis=0):
            same = (holds == tight).all(axis=1)
            excess[same] -= largest_sum(self.normals[tight], weights[same][:, tight].T)
        return excess


def _conflicts(normals: FloatArray, weights: FloatArray, limit: float) -> tuple[float, float]:
    """Return a lower and an upper bound of the largest ``sum_k s_k weights_k`` over all cells.

    Branch and bound: some hyperplanes of a node are forced to be won, some are lost, and the others
    are open. A *conflict* is a set that no u wins completely, so at least one of them is lost. Its
    smallest weight is subtracted from all its members and added to a lower bound of the loss. Each
    weight is used up only once, so the bound is valid.
    """
    # Hyperplanes of weight 0 don't change the sum.
    used = weights != 0
    # Flip normals so that a'u > 0 is the wanted side; a wrong side changes the sum from +|w| to
    # -|w|.
    turned = normals[used] * np.sign(weights[used])[:, None]
    cost = 2 * np.abs(weights[used])
    top = float(cost.sum() / 2)
    best = 0.0
    count = 0
    stack = [(np.zeros(len(cost), dtype=bool), np.zeros(len(cost), dtype=bool))]
    while stack and count < limit:
        count += 1
        forced, lost = stack.pop()
        residual = np.where(forced | lost, 0.0, cost)
        booked = cost[lost].sum()
        first = None
        while top - booked > best + MARGIN:
            chosen = forced | (residual > 0)
            point, conflict = _gordan(turned, chosen)
            if not conflict.any():
                won = chosen | (turned @ point > 1e-9 * np.linalg.norm(point))
                best = max(best, top - cost[~won].sum())
                break
            conflict &= ~forced
            if first is None:
                first = conflict
            # If the forced hyperplanes can't all be on their wanted sides, the node is discarded.
            smallest = residual[conflict].min(initial=np.inf)
            residual[conflict] -= smallest
            booked += smallest
        # Branch on the heaviest hyperplane of the first conflict, unless the node is pruned,
        # impossible, or has no conflict: then one cell has all wanted sides.
        if top - booked > best + MARGIN and first is not None:
            k = np.flatnonzero(first)[cost[first].argmax()]
            one = np.arange(len(cost)) == k
            stack += [(forced, lost | one), (forced | one, lost)]
    # If the search stopped at its limit, the nodes left on the stack bound the cells not searched.
    return best, max([best, *(top - cost[lost].sum() for _, lost in stack)])


def _gordan(normals: FloatArray, chosen: Mask) -> tuple[FloatArray, Mask]:
    """Return a point on the wanted sides of the chosen hyperplanes, or those that conflict.

    Gordan's theorem: either some u has ``a_k'u > 0`` for all k, or some nonnegative multipliers
    with sum 1 have ``sum_k x_k a_k = 0``. Least squares for the multipliers decides: its residual
    is minus such a u, or zero.
    """
    from scipy.optimize import nnls  # slow to import, and rarely needed

    # Columns a_k with a last entry of 1: approximate (0, 1) with nonnegative multipliers.
    # Hyperplanes that aren't chosen have columns of zeros, and so no multiplier.
    system = np.vstack([normals.T, np.ones(len(normals))]) * chosen
    x, size = nnls(system, np.append(np.zeros(normals.shape[1]), 1.0))
    return (system @ x)[:-1], (x > 0) & (size <= 1e-8)
