r"""The supremum by growing flats towards what is lost: exact, for ranks from 4 on.

The sweep walks through all flats and weighs each of them for all draws. This search walks, for
each draw and sign of D, through those flats only that can hold a better solution; the nodes of
all draws are worked on together. It asks for

.. math:: \max_u \; \Big( top - \sum_{k \text{ lost at } u} w_k \Big) \, g(T(u)):

hyperplane k is *won* on the side that its weight prefers, else *lost* with its weight.

**Nodes.** A node is a flat L, given by independent hyperplanes, with the minimiser u of T over it.
Its value counts what is won at u, with those hyperplanes that hold L on their best sides. The
solution sought is the minimiser over some flat L* inside L; its children add one hyperplane that
is lost at u and holds L*. There is one (see `book/cud_proof.md`), so a node branches on which
is the first in some order: the children's L* must not lie in the earlier ones, which become
*closed*. We put those first whose flat is farthest away: they have the smallest families.

**Bound.** With T_k the minimum of T over the flat of L and k, a lost hyperplane with T_k beyond
reach stays lost, so top falls, so the reach falls, and so on. The node is done when nothing is
left that could beat the best value found.

**Coordinates.** A flat has a basis N that is orthonormal in the draw's metric, ``N'HN = I``. Then
``u = N y`` with ``y = N'b``, ``T = -|y|^2`` and ``T_k = T + (s / |c|)^2`` with ``c = N'a_k`` and
``s = c'y``. A Householder reflection takes c out of N and y. All of it is orthogonal, so that
digits are lost only where H itself is nearly singular.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from errlab._core.checks import FloatArray
from errlab.training_set.cud._geometry import Design, Index, Mask, Which, peak
from errlab.training_set.cud._planes import Around
from errlab.training_set.cud._sweep import MARGIN, Draws

BLOCK = 1 << 17  # numbers in one block of work
ON = 1e-10  # a hyperplane this close to a point, or to a flat, holds it


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
    chosen : ndarray of int, shape (N, r - d)
        The hyperplanes that give the flat.
    closed : ndarray of bool, shape (N, m)
        Hyperplanes that must not hold the flat that is sought.
    """

    draw: Index
    sign: FloatArray
    basis: FloatArray
    point: FloatArray
    chosen: Index
    closed: Mask

    def take(self, which: Which) -> Nodes:
        """Return some of them."""
        return Nodes._make(array[which] for array in self)


class Family(NamedTuple):
    """Nodes with their children to be: pairs of a node and a hyperplane that is added to it."""

    nodes: Nodes
    shadow: FloatArray  # (N, d, m): the normals in the basis of each flat
    onto: FloatArray  # (N, m): minimum of T with the hyperplane added
    open_: Mask  # (N, m): the pairs, as a table
    parent: Index
    added: Index
    most: FloatArray  # upper bound of what a child wins

    def part(self, which: slice) -> Family:
        """Return some of the pairs."""
        pairs = (self.parent[which], self.added[which], self.most[which])
        return Family(*self[:4], *pairs)


class Tables(NamedTuple):
    """What the nodes look up by their draw."""

    normals: FloatArray  # (m, r)
    weights: FloatArray  # (B, m)
    cost: FloatArray  # (B, m): lost with a hyperplane
    total: FloatArray  # (B,): all that the hyperplanes can win
    constant: FloatArray
    fitted: FloatArray
    longest: FloatArray  # (B,): of the normals in the metric of the draw
    cap: FloatArray  # upper bound of |D|
    kappa: float


def grow(
    design: Design,
    draws: Draws,
    best: FloatArray,
    cap: FloatArray,
    *,
    limit: float = np.inf,
    around: Around | None = None,
) -> tuple[FloatArray, Mask]:
    """Raise `best` to the suprema; also say which draws were given up at `limit` nodes.

    H must be positive definite for each draw. What u = 0 offers is not looked for: a draw for
    which ``cap * g(0)`` exceeds the result may have more.
    """
    tables, nodes = _roots(design, draws, cap)
    best, used = best.copy(), np.zeros(len(best))
    size = max(1, BLOCK // len(design.normals))
    stack: list[Family] = []
    while len(nodes.draw) or stack:
        nodes = nodes.take(used[nodes.draw] <= limit)
        np.add.at(used, nodes.draw, 1.0)
        family = _visit(nodes, tables, best, around)
        if family is not None:
            stack.append(family)
        nodes = nodes.take(slice(0, 0))
        while stack and not len(nodes.draw):
            family = stack.pop()
            if len(family.added) > size:
                stack.append(family.part(slice(0, -size)))
                family = family.part(slice(-size, None))
            nodes = _children(family, tables, best, around)
    return best, used > limit


def _roots(design: Design, draws: Draws, cap: FloatArray) -> tuple[Tables, Nodes]:
    """The whole space, for each draw and both signs."""
    count = len(draws.b)
    inverse = np.linalg.inv(np.linalg.cholesky(draws.H))  # H = LL', N' = L^-1
    whitened = np.einsum("bij,mj->bmi", inverse, design.normals)
    longest = np.linalg.norm(whitened, axis=2).max(axis=1)
    point = np.einsum("bij,bj->bi", inverse, draws.b)
    size = np.abs(draws.weights)
    tables = Tables(
        design.normals, draws.weights, 2 * size, size.sum(axis=1), draws.constant, draws.fitted,
        longest, cap, draws.kappa,
    )  # fmt: skip
    twice = np.repeat(np.arange(count), 2)
    sign = np.tile([1.0, -1.0], count)
    closed = np.repeat(draws.weights == 0, 2, axis=0)
    chosen = np.zeros((len(twice), 0), dtype=np.int64)
    return tables, Nodes(twice, sign, inverse[twice], point[twice], chosen, closed)


def _visit(nodes: Nodes, tables: Tables, best: FloatArray, around: Around | None) -> Family | None:
    """Raise `best` by the nodes' own values, and return their children to be."""
    count, d, r = nodes.basis.shape
    b = nodes.draw
    m = len(tables.normals)
    shadow = (nodes.basis.reshape(-1, r) @ tables.normals.T).reshape(count, d, m)
    score = np.einsum("nd,ndm->nm", nodes.point, shadow)
    square = np.einsum("ndm,ndm->nm", shadow, shadow)
    loss = -np.einsum("nd,nd->n", nodes.point, nodes.point)
    near = ON * tables.longest[b]
    wanted = nodes.sign[:, None] * tables.weights[b]
    holds = square <= (near * near)[:, None]
    lost = (score * np.sign(wanted) <= (near * np.sqrt(-loss))[:, None]) & ~holds
    cost = tables.cost[b] * lost
    top = nodes.sign * tables.constant[b] + tables.total[b]
    alive = np.ones(count, dtype=bool)
    crowded = np.flatnonzero(holds.sum(axis=1) > r - d)
    if len(crowded):
        excess, alive[crowded] = _crowd(
            nodes.take(crowded), tables, holds[crowded], wanted[crowded]
        )
        top[crowded] -= excess
    g = _g(loss, b, tables)
    np.maximum.at(best, b, (top - cost.sum(axis=1)) * g)
    if d == 1:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        onto = np.where(cost > 0, loss[:, None] + score * score / square, np.inf)
    cap = tables.cap[b]
    most = np.minimum(top, cap)
    for _ in range(2):
        reach = _reach(best[b] / np.maximum(most, MARGIN), b, tables)
        most = np.minimum(top - (cost * (onto > reach[:, None])).sum(axis=1), cap)
    alive &= most * g > best[b] + MARGIN
    reach = _reach(best[b] / np.maximum(most, MARGIN), b, tables)
    open_ = (onto < reach[:, None]) & ~nodes.closed & alive[:, None]
    parent, added = np.nonzero(open_)
    if not len(parent):
        return None
    most = most[parent]
    if around is not None and d == 2:
        lines = nodes.sign[:, None] * tables.constant[b][:, None] + around.lines(nodes.chosen, b)
        most = np.minimum(most, lines[parent, added])
    return Family(nodes, shadow, onto, open_, parent, added, most)


def _children(family: Family, tables: Tables, best: FloatArray, around: Around | None) -> Nodes:
    """Make the children that may still be good enough.

    A Householder reflection takes the shadow of the added hyperplane out of the basis.
    """
    nodes = family.nodes
    parent = family.parent
    added = family.added
    b = nodes.draw[parent]
    needed = (best[b] + MARGIN) / np.maximum(_g(family.onto[parent, added], b, tables), MARGIN)
    good = family.most > needed
    parent = parent[good]
    added = added[good]
    b = b[good]
    needed = needed[good]
    chosen = np.column_stack([nodes.chosen[parent], added])
    if around is not None and nodes.basis.shape[1] == 3:
        most = nodes.sign[parent] * tables.constant[b] + around.largest(chosen, b)
        good = most > needed
        parent = parent[good]
        added = added[good]
        chosen = chosen[good]
    c = family.shadow[parent, :, added]
    c /= np.linalg.norm(c, axis=1, keepdims=True)
    sign = np.where(c[:, :1] < 0, -1.0, 1.0)
    c[:, :1] += sign  # away from zero: no cancellation
    c /= np.linalg.norm(c, axis=1, keepdims=True)
    basis = nodes.basis[parent]
    point = nodes.point[parent]
    turn = np.einsum("nd,ndr->nr", c, basis)
    basis = basis[:, 1:] - 2 * c[:, 1:, None] * turn[:, None, :]
    point = point[:, 1:] - 2 * c[:, 1:] * np.einsum("nd,nd->n", c, point)[:, None]
    closed = np.zeros((len(parent), 0), dtype=bool)
    if basis.shape[1] > 1:  # lines have no children
        rows = family.onto[parent]
        own = family.onto[parent, added][:, None]
        tied = (rows == own) & (np.arange(rows.shape[1]) < added[:, None])
        closed = nodes.closed[parent] | (family.open_[parent] & ((rows > own) | tied))
    return Nodes(nodes.draw[parent], nodes.sign[parent], basis, point, chosen, closed)


def _g(loss: FloatArray, b: Index, tables: Tables) -> FloatArray:
    return np.clip(1 + tables.kappa * (tables.fitted[b] - loss), -1.0, 1.0)


def _reach(value: FloatArray, b: Index, tables: Tables) -> FloatArray:
    """Loss beyond which g is at most `value`."""
    return np.asarray(tables.fitted[b] + (1 - value) / tables.kappa)


def _crowd(
    nodes: Nodes, tables: Tables, holds: Mask, wanted: FloatArray
) -> tuple[FloatArray, Mask]:
    """What cannot be won together where more hyperplanes hold a flat than it needs.

    Their cells are those of a smaller arrangement; nodes with the same hyperplanes are settled
    together. Also say which nodes no closed hyperplane holds: the others need not be looked at.
    """
    held = holds & (wanted != 0)
    excess = np.zeros(len(held))
    patterns, which = np.unique(held, axis=0, return_inverse=True)
    for k, tight in enumerate(patterns):
        these = np.flatnonzero(which.ravel() == k)
        own = wanted[these][:, tight]
        excess[these] = np.abs(own).sum(axis=1) - peak(tables.normals[tight], own.T)
    if not nodes.closed.shape[1]:
        return excess, np.ones(len(held), dtype=bool)
    return excess, ~(held & nodes.closed).any(axis=1)
