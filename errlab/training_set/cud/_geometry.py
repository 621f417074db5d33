"""The arrangement of hyperplanes behind the CUD bound, and the loss of each bootstrap draw.

Case i is classified by the sign of ``z_i'beta``. The hyperplanes ``z_i'beta = 0`` cut the
coefficients into open cones, the cells; on a cell every classification is constant. They do not
depend on the bootstrap draw: only the loss and the weights of the cases do.
``book/cud_proof.md`` has the proofs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from errlab._core.checks import FloatArray

Mask = NDArray[np.bool_]
Index = NDArray[np.int64]
Which = Index | Mask | np.bool_ | slice  # some of many
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
    # Cells do not depend on the coordinates; orthonormal ones lose no digits.
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
    return Design(rows, unit[leaders], errors[:, : len(leaders)], np.where(inside, 0.5, y == 1))


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
        return Draws._make([*(array[which] for array in self[:5]), self.kappa])


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
    # D compares the draw with the data, where each case counts once.
    excess = counts - 1.0
    return Draws(H, b, fitted, excess @ design.errors, excess @ design.constant, kappa)


class Flats(NamedTuple):
    """Intersections of k hyperplanes, all of dimension d = r - k.

    Attributes
    ----------
    planes : ndarray, shape (F, k)
        The hyperplanes, in increasing order.
    scores : ndarray, shape (F, m, d)
        All normals in an orthonormal basis of each flat.
    tight : ndarray, shape (F, m)
        Which hyperplanes contain the flat; more than k where the arrangement is degenerate.
    """

    planes: Index
    scores: FloatArray
    tight: Mask

    def take(self, which: Which) -> Flats:
        """Return some of them."""
        return Flats._make(array[which] for array in self)


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
    scores = flats.scores[f]  # flats x hyperplanes x d
    along = np.einsum("fmd,fd->fm", scores, 2 * w)
    scores = scores[:, :, 1:] - along[:, :, None] * w[:, None, 1:]
    tight = np.einsum("fmd,fmd->fm", scores, scores) <= TIGHT**2
    tight[np.arange(len(j)), j] = True
    return Flats(np.column_stack([flats.planes[f], j]), scores, tight)


def _lines(flats: Flats) -> Iterator[Flats]:
    """Yield all lines inside flats in which hyperplanes meet, each of them once, in blocks."""
    if flats.scores.shape[2] == 1:
        yield flats
        return
    # A flat is made from its lexicographically first hyperplanes: j is added if it comes after
    # the flat's own, and if no hyperplane before j comes in with it.
    every = np.arange(flats.tight.shape[1])
    last = flats.planes.max(axis=1, initial=-1)
    parent, added = np.nonzero(~flats.tight & (every > last[:, None]))
    for start in range(0, len(parent), 4096):
        f, j = parent[start : start + 4096], added[start : start + 4096]
        made = _cut(flats, f, j)
        earlier = made.tight & ~flats.tight[f] & (every < j[:, None])
        yield from _lines(made.take(~earlier.any(axis=1)))


def largest_sum(normals: FloatArray, weights: Floats) -> Floats:
    """Largest ``sum_k s_k weights_k`` over the sides s of all cells of an arrangement.

    Parameters
    ----------
    normals : ndarray, shape (m, r)
    weights : ndarray, shape (m, B)

    Returns
    -------
    ndarray, shape (B,)
    """
    rank = int(np.linalg.matrix_rank(normals, tol=1e-9))
    size = np.abs(weights)
    if rank == len(normals):  # independent normals: every combination of sides is a cell
        return np.asarray(size.sum(axis=0))
    normals = np.linalg.svd(normals)[0][:, :rank]  # without the directions that all share
    normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    whole = Flats(np.zeros((1, 0), dtype=np.int64), normals[None], np.zeros((1, len(size)), bool))
    best = np.zeros(weights.shape[1], dtype=weights.dtype)
    # Every cell has an edge, a ray on a line where r - 1 hyperplanes meet: it is among the cells
    # around that line. Those that do not contain the line have one side each all along the ray.
    for lines in _lines(whole):
        sides = np.sign(np.where(lines.tight, 0.0, lines.scores[:, :, 0]), dtype=np.float32)
        around = np.abs(sides @ weights)  # lines x draws; the opposite ray has the other sign
        # In general position the r - 1 others take their best sides, each on its own.
        for plane in lines.planes.T:
            around += size[plane]
        # Where more contain the line, their sides are those of a smaller arrangement.
        for f in np.flatnonzero(lines.tight.sum(axis=1) > rank - 1):
            tight = lines.tight[f]
            around[f] += largest_sum(normals[tight], weights[tight]) - size[lines.planes[f]].sum(0)
        best = np.maximum(best, around.max(axis=0, initial=0))
    return best
