"""The arrangement of hyperplanes behind the CUD bound, and the loss of each bootstrap draw.

Case i is classified by the sign of ``z_i'beta``. The hyperplanes ``z_i'beta = 0`` cut the
coefficients into open cones, the cells; on a cell every classification is constant. They do not
depend on the bootstrap draw: only the loss and the weights of the cases do. So their
intersections (flats) are made once for all draws. ``book/cud_proof.md`` has the proofs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from errlab._core.checks import FloatArray

Mask = NDArray[np.bool_]
Index = NDArray[np.int64]
Which = Index | Mask | slice  # some of many
Floats = NDArray[Any]  # float64, or float32 where half-integers are added

# Below this a unit normal counts as orthogonal to a unit vector, or two as parallel. The
# rounding noise is near 1e-15, and a normal that is taken for orthogonal without being so
# moves the loss by as little.
TIGHT = 1e-10
MARGIN = 1e-12  # values within it count as equal, in units of nQ


class Design(NamedTuple):
    """A design matrix in orthonormal coordinates, its hyperplanes merged.

    Attributes
    ----------
    rows : ndarray, shape (n, r)
        The cases in coordinates with ``rows.T @ rows = I``; r is the rank.
    normals : ndarray, shape (m, r)
        Unit normals of the distinct hyperplanes.
    errors : ndarray, shape (n, m)
        Half of what case i adds to its hyperplane: ``-sign * y / 2``, zero elsewhere.
    constant : ndarray, shape (n,)
        What case i adds whatever the side: 1/2, and its error where its row is zero.
    """

    rows: FloatArray
    normals: FloatArray
    errors: FloatArray
    constant: FloatArray


def reduce_design(Z: FloatArray, y: FloatArray) -> Design:
    """Orthonormalise the columns and merge parallel rows.

    With ``s`` the side of hyperplane k, ``e_i = (1 - s sign_i y_i) / 2`` for its cases, so that
    ``sum_i c_i e_i = sum_k s_k (c @ errors)_k + c @ constant``. A zero row is always on the
    boundary and gets the label -1.
    """
    left, values, _ = np.linalg.svd(Z, full_matrices=False)
    rank = int((values > values.max(initial=0) * 1e-11).sum())
    rows = left[:, :rank]
    length = np.linalg.norm(rows, axis=1)
    inside = length > 1e-12
    unit = rows / np.where(inside, length, np.inf)[:, None]
    # Cases on one hyperplane are one: else flats would be counted twice, and a cell of no
    # width between two copies would be a cell.
    errors = np.zeros((len(y), len(y)))
    leaders: list[int] = []
    for i in np.flatnonzero(inside):
        plus = np.linalg.norm(unit[leaders] - unit[i], axis=1)
        minus = np.linalg.norm(unit[leaders] + unit[i], axis=1)
        near = np.flatnonzero(np.minimum(plus, minus) <= TIGHT)
        if not len(near):
            leaders.append(int(i))
        k = near[0] if len(near) else len(leaders) - 1
        side = -1.0 if len(near) and minus[k] <= TIGHT else 1.0
        errors[i, k] = -side * y[i] / 2
    return Design(
        rows, unit[leaders], errors[:, : len(leaders)], np.where(inside, 0.5, y == 1)
    )


class Draws(NamedTuple):
    """The loss and the weights of each draw, in the coordinates of the design.

    Attributes
    ----------
    H, b : ndarray, shapes (B, r, r) and (B, r)
        The summed loss is ``T(u) = u'Hu - 2 b'u`` and a constant.
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

    @property
    def top(self) -> FloatArray:
        """Upper bound of |D|: every side as one wants it."""
        return np.asarray(np.abs(self.constant) + np.abs(self.weights).sum(axis=1))

    def g(self, loss: FloatArray, draw: Which = slice(None)) -> FloatArray:
        """Value of g at loss T, draws on the last axis; -1 stands for all that is below 0."""
        return np.clip(1 + self.kappa * (self.fitted[draw] - loss), -1.0, 1.0)

    def take(self, which: Which) -> Draws:
        """Return some of them."""
        return Draws(*(array[which] for array in self[:5]), self.kappa)


def make_draws(design: Design, y: FloatArray, counts: FloatArray, kappa: float) -> Draws:
    """Put counts of shape (B, n) into the coordinates of the design."""
    rows = design.rows
    rank = rows.shape[1]
    # H = sum_i m_i z_i z_i' is linear in the counts: one product for all draws
    products = (rows[:, :, None] * rows[:, None, :]).reshape(len(rows), rank * rank)
    H = (counts @ products).reshape(len(counts), rank, rank)
    b = counts @ (rows * y[:, None])
    beta = y @ rows
    fitted = np.einsum("bij,i,j->b", H, beta, beta) - 2 * (b @ beta)
    excess = counts - 1.0
    return Draws(H, b, fitted, excess @ design.errors, excess @ design.constant, kappa)


class Flats(NamedTuple):
    """Intersections of k hyperplanes, all of dimension d = r - k.

    Attributes
    ----------
    planes : ndarray, shape (F, k)
        The hyperplanes, in increasing order.
    basis : ndarray, shape (F, r, d)
        An orthonormal basis of each flat.
    scores : ndarray, shape (F, m, d)
        ``normals @ basis``: the normals, restricted to the flat.
    tight : ndarray, shape (F, m)
        Which hyperplanes hold the flat; more than k where the arrangement is degenerate.
    """

    planes: Index
    basis: FloatArray
    scores: FloatArray
    tight: Mask

    def take(self, which: Which) -> Flats:
        """Return some of them."""
        return Flats._make(array[which] for array in self)


def whole(normals: FloatArray) -> Flats:
    """Return the flat of no hyperplane: the whole space."""
    m, rank = normals.shape
    none = np.zeros((1, 0), dtype=np.int64)
    return Flats(none, np.eye(rank)[None], normals[None], np.zeros((1, m), dtype=bool))


def children(flats: Flats, active: Mask, block: int) -> Iterator[Flats]:
    """Yield the flats of one hyperplane more, each of them once, in blocks of about `block`.

    A flat is made from its lexicographically first basis only: hyperplane j is added to a flat
    if it comes after the flat's own and if no hyperplane before j comes in with it. Hyperplanes
    outside `active` are not added.
    """
    m = flats.tight.shape[1]
    last = flats.planes[:, -1] if flats.planes.shape[1] else np.full(len(flats.planes), -1)
    wanted = ~flats.tight & active & (np.arange(m) > last[:, None])
    parent, added = np.nonzero(wanted)
    for start in range(0, len(parent), block):
        f = parent[start : start + block]
        j = added[start : start + block]
        made = _cut(flats, f, j)
        newly = made.tight & ~flats.tight[f]
        first = ~(newly & (np.arange(m) < j[:, None])).any(axis=1)
        yield made if first.all() else made.take(first)


def householder(vectors: FloatArray) -> FloatArray:
    """Unit vectors w of the reflections that send each vector to the first axis; shape (F, d).

    Leaving out the first axis after ``x - 2 w (w'x)`` gives coordinates of what is orthogonal
    to the vector. All of it is orthogonal, so that no digits are lost.
    """
    w = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    w[:, 0] += np.where(w[:, 0] < 0, -1.0, 1.0)  # away from zero: no cancellation
    return np.asarray(w / np.linalg.norm(w, axis=1, keepdims=True))


def _cut(flats: Flats, f: Index, j: Index) -> Flats:
    """Intersect flat f with hyperplane j: its normal is taken out of the basis."""
    w = householder(flats.scores[f, j])

    def reflect(array: FloatArray) -> FloatArray:
        along = np.einsum("fid,fd->fi", array, 2 * w)
        return np.asarray(array[:, :, 1:] - along[:, :, None] * w[:, None, 1:])

    scores = reflect(flats.scores[f])
    tight = np.einsum("fmd,fmd->fm", scores, scores) <= TIGHT**2
    tight[np.arange(len(j)), j] = True
    return Flats(np.column_stack([flats.planes[f], j]), reflect(flats.basis[f]), scores, tight)


def free_gain(normals: FloatArray, flats: Flats, weights: Floats) -> Floats:
    """Largest ``sum_k s_k weights_k`` over the hyperplanes that hold a flat, cells being real.

    In general position all sides go together, and the sum is that of ``|weights|``. Where more
    hyperplanes meet than need to, the cells around the flat are those of a smaller arrangement.

    Parameters
    ----------
    normals : ndarray, shape (m, r)
    flats : Flats
    weights : ndarray, shape (m, B)

    Returns
    -------
    ndarray, shape (F, B)
    """
    size = np.abs(weights)
    gain = np.zeros((len(flats.planes), weights.shape[1]), dtype=weights.dtype)
    for column in flats.planes.T:
        gain += size[column]
    for f in np.flatnonzero(flats.tight.sum(axis=1) > flats.planes.shape[1]):
        tight = flats.tight[f]
        gain[f] = peak(normals[tight], weights[tight])
    return gain


def peak(normals: FloatArray, weights: Floats) -> Floats:
    """Largest ``sum_k s_k weights_k`` over all cells of an arrangement, for each column.

    Every cell of an arrangement of full rank has an edge, a ray on a line where r - 1
    hyperplanes meet: it is among the cells around that line.
    """
    rank = int(np.linalg.matrix_rank(normals, tol=1e-9))
    if rank == len(normals):  # independent normals: every combination of sides is a cell
        return np.asarray(np.abs(weights).sum(axis=0))
    normals = np.linalg.svd(normals)[0][:, :rank]  # without the directions that all share
    normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    best = np.zeros(weights.shape[1], dtype=weights.dtype)
    for lines in _lines(whole(normals)):
        around = np.abs(signs(lines) @ weights)
        around += free_gain(normals, lines, weights)
        best = np.maximum(best, around.max(axis=0))
    return best


def _lines(flats: Flats) -> Iterator[Flats]:
    """Yield all lines inside flats in which hyperplanes meet."""
    if flats.basis.shape[2] == 1:
        yield flats
        return
    for below in children(flats, np.ones(flats.tight.shape[1], dtype=bool), 4096):
        yield from _lines(below)


def signs(lines: Flats) -> Floats:
    """Sides of all hyperplanes along the direction of a line, 0 for those that hold it."""
    return np.sign(np.where(lines.tight, 0.0, lines.scores[:, :, 0]), dtype=np.float32)
