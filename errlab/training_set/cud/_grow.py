r"""The supremum by growing flats towards what is lost: exact, for any rank.

With :math:`T` the summed loss of a draw up to a constant and :math:`\kappa = \alpha / n`,

.. math:: n Q = \max_C |D(C)| \, g(\min_{\bar C} T), \quad
          g(t) = \min(1, 1 + \kappa (T(\hat\beta) - t)),

over all cells C. D is the sum of :math:`(m_i - 1)` over the cases that the cell gets wrong.

**Flats are enough.** The point of a closed cell with the least loss lies inside one of its faces,
and is the minimiser of T over the span of that face, a *flat*: an intersection of hyperplanes.
Conversely the minimiser over a flat is in the closure of each cell around it. The search walks,
for each draw and sign of D, through those flats only that can contain a better solution; the
nodes of all draws are worked on together. It asks for

.. math:: \max_u \; \Big( top - \sum_{k \text{ lost at } u} w_k \Big) \, g(T(u)):

hyperplane k is *won* on the side that its weight prefers, else *lost* with its weight.

**Nodes.** A node is a flat L, given by independent hyperplanes, with the minimiser u of T over it.
Its value counts what is won at u, with those hyperplanes that hold L on their best sides. The
solution sought is the minimiser over some flat L* inside L; its children add one hyperplane that
is lost at u and holds L*. There is one (see ``book/cud_proof.md``), so a node branches on which
is the first in some order: the children's L* must not lie in the earlier ones, which become
*closed*. We put those first whose flat is farthest away: they have the smallest families.

**Bound.** With T_k the minimum of T over the flat of L and k, a lost hyperplane with T_k beyond
reach stays lost, so top falls, so the reach falls, and so on. The node is done when nothing is
left that could beat the best value found.

**Coordinates.** A flat has a basis N that is orthonormal in the draw's metric, ``N'HN = I``. Then
``u = N y`` with ``y = N'b``, ``T = -|y|^2`` and ``T_k = T + (s / |c|)^2`` with ``c = N'a_k`` and
``s = c'y``. A Householder reflection takes c out of N and y.

**The apex.** u = 0 lies in the closure of every cell. Where it is within reach, its value is that
of the best cell of all, a problem without distances: see `_largest`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from errlab._core.checks import FloatArray
from errlab.training_set.cud._geometry import (
    MARGIN,
    Design,
    Draws,
    Index,
    Mask,
    Which,
    householder,
    largest_sum,
)

BLOCK = 1 << 16  # numbers in one block of work
LINES = 50_000  # measured: as many lines take as long as the search of `_conflicts` for a draw
RIDGE = 1e-11  # loss along a direction that a draw does not see, as a share of all data's


class Nodes(NamedTuple):
    """Flats of one dimension d, each for one draw and one sign of D.

    Attributes
    ----------
    draw : ndarray of int, shape (N,)
    sign : ndarray, shape (N,)
    basis : ndarray, shape (N, d, r)
        Rows that span the flat, orthonormal in the metric of the draw.
    point : ndarray, shape (N, d)
        The minimiser in that basis.
    closed : ndarray of bool, shape (N, m)
        Hyperplanes that must not hold the flat that is sought.
    """

    draw: Index
    sign: FloatArray
    basis: FloatArray
    point: FloatArray
    closed: Mask

    def take(self, which: Which) -> Nodes:
        """Return some of them."""
        return Nodes._make(array[which] for array in self)


def grow(
    design: Design, draws: Draws, max_nodes: int | None = None
) -> tuple[FloatArray, FloatArray]:
    """Lower and upper bounds of nQ for all draws, equal unless `max_nodes` for a draw cut."""
    if not design.normals.size:  # all rows are zero: no cell but the whole space
        return np.abs(draws.constant), np.abs(draws.constant)
    # A draw that does not see all directions gets a trace of the data, which has H = I: else the
    # flats had no basis that is orthonormal in its metric.
    ridge = RIDGE * (np.linalg.eigvalsh(draws.H)[:, 0] < RIDGE)
    draws = draws._replace(H=draws.H + ridge[:, None, None] * np.eye(draws.b.shape[1]))
    # The apex first: its value is a start for the search, and its |D| caps that of all flats.
    at_zero = draws.g(np.zeros(len(draws.b)))
    best = np.zeros(len(draws.b))
    cap = draws.top
    apex = at_zero > 0
    if apex.any():
        low, cap[apex] = _largest(design, draws.take(apex), max_nodes)
        best[apex] = at_zero[apex] * low
    search = _Search(design, draws, best, cap, np.inf if max_nodes is None else max_nodes)
    # Where g is 1 at the apex, no flat has more.
    search.explore(search.roots(np.flatnonzero((at_zero < 1) | (at_zero * cap > best + MARGIN))))
    return search.best, np.maximum(search.high, search.best)


class _Search:
    """Best values of all draws, and what the nodes look up by their draw.

    Attributes
    ----------
    best, high : ndarray, shape (B,)
        The best value found, and the largest bound among the nodes given up.
    used : ndarray, shape (B,)
        Nodes so far, at most `limit`.
    cap : ndarray, shape (B,)
        Upper bound of |D|.
    near : ndarray, shape (B,)
        A normal whose shadow on a flat is shorter holds the flat: rounding alone.
    """

    def __init__(
        self, design: Design, draws: Draws, best: FloatArray, cap: FloatArray, limit: float
    ) -> None:
        self.normals = design.normals
        self.draws = draws
        self.side, self.cost = np.sign(draws.weights), 2 * np.abs(draws.weights)
        self.best, self.cap, self.limit = best, cap, limit
        self.high = np.maximum(best, cap * draws.g(np.zeros(len(best))))
        self.used = np.zeros(len(best))
        self.inverse = np.linalg.inv(np.linalg.cholesky(draws.H))  # H = LL', N' = L^-1
        self.near = 1e-10 + 1e-13 * np.linalg.norm(self.inverse, axis=(1, 2))

    def roots(self, which: Index) -> Nodes:
        """The whole space, for each draw and both signs."""
        draw = np.repeat(which, 2)
        point = np.einsum("bij,bj->bi", self.inverse, self.draws.b)
        sign = np.tile([1.0, -1.0], len(which))
        return Nodes(draw, sign, self.inverse[draw], point[draw], self.draws.weights[draw] == 0)

    def reach(self, value: FloatArray, draw: Index) -> FloatArray:
        """Loss beyond which g is at most `value`."""
        return np.asarray(self.draws.fitted[draw] + (1 - value) / self.draws.kappa)

    def explore(self, nodes: Nodes) -> None:
        """Raise `best` by the nodes' own values and by all flats inside them."""
        draws = self.draws
        nodes = nodes.take(self.used[nodes.draw] <= self.limit)
        b = nodes.draw
        count, d, r = nodes.basis.shape
        if not count:
            return
        np.add.at(self.used, b, 1.0)

        # Which hyperplanes hold the flat, and which are lost at its minimiser. The sign of D
        # turns all wanted sides; so does turning the point.
        shadow = (nodes.basis.reshape(-1, r) @ self.normals.T).reshape(count, d, -1)
        score = np.einsum("nd,ndm->nm", nodes.sign[:, None] * nodes.point, shadow)
        square = np.einsum("ndm,ndm->nm", shadow, shadow)
        loss = -np.einsum("nd,nd->n", nodes.point, nodes.point)
        near = self.near[b]
        holds = square <= (near * near)[:, None]
        lost = (score * self.side[b] <= (near * np.sqrt(-loss))[:, None]) & ~holds
        cost = self.cost[b] * lost
        top = nodes.sign * draws.constant[b] + self.cost[b].sum(axis=1) / 2
        crowded = np.flatnonzero(holds.sum(axis=1) > r - d)
        if len(crowded):
            held = holds[crowded] & (self.side[b[crowded]] != 0)
            top[crowded] -= self._excess(held, b[crowded])
        g = draws.g(loss, b)
        np.maximum.at(self.best, b, (top - cost.sum(axis=1)) * g)
        if d == 1:  # lines have no children but the apex
            return

        # Lost hyperplanes whose flat is out of reach stay lost: top falls, the reach shrinks.
        # Twice is enough, more gains little.
        with np.errstate(divide="ignore", invalid="ignore"):
            onto = np.where(cost > 0, loss[:, None] + score * score / square, np.inf)
        most = np.minimum(top, self.cap[b])
        for _ in range(2):
            reach = self.reach(self.best[b] / np.maximum(most, MARGIN), b)
            most = np.minimum(top - (cost * (onto > reach[:, None])).sum(axis=1), self.cap[b])
        reach = self.reach(self.best[b] / np.maximum(most, MARGIN), b)
        alive = most * g > self.best[b] + MARGIN
        if len(crowded):  # a flat that a closed hyperplane holds belongs to another branch
            alive[crowded] &= ~(held & nodes.closed[crowded]).any(axis=1)
        open_ = (onto < reach[:, None]) & ~nodes.closed & alive[:, None]
        # Pairs of a flat and a hyperplane to add, in blocks: the search goes deep first, so
        # that memory stays small and `best` grows early.
        parent, added = np.nonzero(open_)
        size = max(1, BLOCK // len(self.normals))
        for stop in range(len(parent), 0, -size):
            f, j = parent[max(0, stop - size) : stop], added[max(0, stop - size) : stop]
            # By now `best` may be higher than what this child can have.
            bound = most[f] * draws.g(onto[f, j], b[f])
            good = bound > self.best[b[f]] + MARGIN
            f, j = f[good], j[good]
            cut = self.used[b[f]] > self.limit
            np.maximum.at(self.high, b[f][cut], bound[good][cut])
            self.explore(_children(nodes, f, j, shadow[f, :, j], onto, open_))

    def _excess(self, held: Mask, draw: Index) -> FloatArray:
        """Weight that cannot be won together where more hyperplanes hold a flat than it needs.

        Their cells are those of a smaller arrangement; flats of the same hyperplanes are
        settled together.
        """
        excess = np.zeros(len(held))
        patterns, which = np.unique(held, axis=0, return_inverse=True)
        for k, tight in enumerate(patterns):
            these = np.flatnonzero(which.ravel() == k)
            own = self.draws.weights[draw[these]][:, tight]
            excess[these] = np.abs(own).sum(axis=1) - largest_sum(self.normals[tight], own.T)
        return excess


def _children(
    nodes: Nodes, parent: Index, added: Index, shadow: FloatArray, onto: FloatArray, open_: Mask
) -> Nodes:
    """Add a hyperplane to each parent: its shadow is taken out of the basis."""
    w = householder(shadow)
    basis, point = nodes.basis[parent], nodes.point[parent]
    # The reflection sends the shadow to the first axis, which is then left out.
    turn = np.einsum("nd,ndr->nr", w, basis)
    basis = basis[:, 1:] - 2 * w[:, 1:, None] * turn[:, None, :]
    point = point[:, 1:] - 2 * w[:, 1:] * np.einsum("nd,nd->n", w, point)[:, None]
    if basis.shape[1] == 1:  # nobody asks what is closed to a line
        none = np.zeros((len(parent), 0), dtype=bool)
        return Nodes(nodes.draw[parent], nodes.sign[parent], basis, point, none)
    # Those farther away come first and are closed; ties go by number.
    rows, own = onto[parent], onto[parent, added][:, None]
    tied = (rows == own) & (np.arange(rows.shape[1]) < added[:, None])
    closed = nodes.closed[parent] | (open_[parent] & ((rows > own) | tied))
    return Nodes(nodes.draw[parent], nodes.sign[parent], basis, point, closed)


def _largest(design: Design, draws: Draws, max_nodes: int | None) -> tuple[FloatArray, FloatArray]:
    """Lower and upper bounds of the largest |D| over all cells.

    Few lines are all weighed at once for all draws. Where there are too many, each draw gets a
    search of its own. With a cell its mirror image is one too, so one sign is enough.
    """
    m, rank = design.normals.shape
    if special.comb(m, rank - 1) <= LINES * len(draws.b):
        most = largest_sum(design.normals, draws.weights.T.astype(np.float32)).astype(float)
        return np.abs(draws.constant) + most, np.abs(draws.constant) + most
    found = np.array([_conflicts(design.normals, w, max_nodes) for w in draws.weights]).T
    return np.abs(draws.constant) + found[0], np.abs(draws.constant) + found[1]


def _conflicts(
    normals: FloatArray, weights: FloatArray, max_nodes: int | None
) -> tuple[float, float]:
    """Lower and upper bound of the largest ``sum_k s_k weights_k`` over all cells.

    Branch and bound: a node has forced hyperplanes, which must be won, and open ones; the others
    are lost. A *conflict* is a set that no u wins at once. One of it is lost, so its smallest
    weight can be taken off all its members and booked as lost: a weight pays for each conflict
    that it meets, hence the sum of what was booked bounds the loss from below.
    """
    # A hyperplane without weight is won on either side: it asks for nothing.
    used = weights != 0
    # Turned so that a'u > 0 is won; a lost one moves the sum from +|w| to -|w|.
    turned = normals[used] * np.sign(weights[used])[:, None]
    cost = 2 * np.abs(weights[used])
    top = float(cost.sum() / 2)
    best, count = 0.0, 0
    stack = [(np.zeros(len(cost), dtype=bool), np.ones(len(cost), dtype=bool), 0.0)]
    while stack:
        if max_nodes is not None and count >= max_nodes:
            return best, max(best, *(top - lost for _, _, lost in stack))
        count += 1
        forced, open_, lost = stack.pop()
        residual, booked = np.where(open_, cost, 0.0), lost
        first = None
        while top - booked > best + MARGIN:
            chosen = forced | (residual > 0)
            point, conflict = _gordan(turned, chosen)
            if not conflict.any():
                won = chosen | (turned @ point > 1e-9 * np.linalg.norm(point))
                best = max(best, top - cost[~won].sum())
                break
            conflict &= open_
            if not conflict.any():  # the forced hyperplanes cannot be won at once
                booked = top
                break
            first = conflict if first is None else first
            smallest = residual[conflict].min()
            residual[conflict] -= smallest
            booked += smallest
        # Split on the heaviest of the first conflict, unless the node is pruned, impossible, or
        # has no conflict and so a cell that wins all.
        if top - booked > best + MARGIN and first is not None:
            k = np.flatnonzero(first)[cost[first].argmax()]
            one = np.arange(len(cost)) == k
            stack += [(forced, open_ & ~one, lost + cost[k]), (forced | one, open_ & ~one, lost)]
    return best, best


def _gordan(normals: FloatArray, chosen: Mask) -> tuple[FloatArray, Mask]:
    """Return a point that wins all chosen hyperplanes, or a conflict among them.

    Gordan's theorem: either some u has ``a_k'u > 0`` for all k, or some multipliers, not
    negative and with sum 1, have ``sum_k x_k a_k = 0``. Least squares for the latter tells
    both: its residual is minus such a u, or zero.
    """
    conflict = np.zeros(len(chosen), dtype=bool)
    if not chosen.any():  # nnls without columns corrupts memory (scipy 1.17)
        return np.zeros(normals.shape[1]), conflict
    from scipy.optimize import nnls  # takes long to import, and few draws come here

    # Columns a_k with a last entry of 1: aim at (0, 1) with multipliers that are not negative.
    system = np.vstack([normals[chosen].T, np.ones(chosen.sum())])
    target = np.append(np.zeros(normals.shape[1]), 1.0)
    x, size = nnls(system, target)
    point = (system @ x)[:-1]
    if size <= 1e-8:
        conflict[np.flatnonzero(chosen)[x > 0]] = True
        point[:] = 0.0
    return point, conflict
