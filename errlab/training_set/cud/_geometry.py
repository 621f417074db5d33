"""The arrangement of hyperplanes behind the CUD bound, and the loss of each bootstrap draw.

Case i is classified by the sign of ``z_i'beta``. The hyperplanes ``z_i'beta = 0`` cut the
coefficients into open cones, the cells; on a cell every classification is constant. They do not
depend on the bootstrap draw: only the loss and the weights of the cases do.
``book/cud_proof.md`` has the proofs.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from errlab._core.checks import FloatArray
from errlab._numerics import least_squares

Mask = NDArray[np.bool_]
Index = NDArray[np.int64]

# Below this a unit normal counts as orthogonal to a unit vector, or two as parallel. The
# rounding noise is near 1e-15, and a normal that is taken for orthogonal without being so
# moves the loss by as little.
TIGHT = 1e-10
RIDGE = 1e-11  # loss along a direction that a draw does not see, as a share of all data's


class Draws(NamedTuple):
    """Hyperplanes, and the loss and the weights of each draw, in orthonormal coordinates.

    Attributes
    ----------
    normals : ndarray, shape (m, r)
        Unit normals of the distinct hyperplanes; r is the rank of the design matrix.
    frame : ndarray, shape (B, r, r + 1)
        Rows that span the space, orthonormal in the metric of the draw, and beside each the
        coordinate of the draw's own fit.
    fitted : ndarray, shape (B,)
        T, the summed loss up to a constant, at the coefficients fitted to the data.
    weights, constant : ndarray, shapes (B, m) and (B,)
        ``D = constant + sum_k s_k weights_k`` for sides s.
    kappa : float
        Weight of the summed loss in g.
    """

    normals: FloatArray
    frame: FloatArray
    fitted: FloatArray
    weights: FloatArray
    constant: FloatArray
    kappa: float

    def g(self, loss: FloatArray, draw: Index | slice = slice(None)) -> FloatArray:
        """Value of g at loss T, one for each draw; -1 stands for all that is below 0."""
        return np.clip(1 + self.kappa * (self.fitted[draw] - loss), -1.0, 1.0)


def arrange(Z: FloatArray, y: FloatArray, counts: FloatArray, kappa: float) -> Draws:
    """Orthonormalise the columns, merge parallel rows, and weigh them by counts (B, n).

    A zero row is always on the boundary and gets the label -1; not all rows are zero.
    """
    # Cells do not depend on the coordinates; orthonormal ones lose no digits.
    rows = least_squares.orthonormal(Z)
    length = np.linalg.norm(rows, axis=1)
    inside = np.flatnonzero(length > 1e-12)
    unit = rows[inside] / length[inside, None]
    # Cases on one hyperplane are one: else flats would be counted twice, and a cell of no
    # width between two copies would be a cell.
    same = np.linalg.norm(unit[:, None] - unit, axis=2) <= TIGHT
    opposite = np.linalg.norm(unit[:, None] + unit, axis=2) <= TIGHT
    leader = (same | opposite).argmax(axis=1)
    chosen, plane = np.unique(leader, return_inverse=True)
    side = np.where(opposite[np.arange(len(unit)), leader], -1.0, 1.0)
    # With s the side of its hyperplane, a case has the error (1 - s side_i y_i) / 2.
    errors = np.zeros((len(y), len(chosen)))
    errors[inside, plane] = -side * y[inside] / 2
    constant = np.where(length > 1e-12, 0.5, y == 1)

    # T(u) = u'Hu - 2 b'u. A draw that does not see all directions gets a trace of the data, which
    # has H = I: else the flats had no basis that is orthonormal in its metric.
    H = rows.T @ (counts[:, :, None] * rows)
    ridge = RIDGE * (np.linalg.eigvalsh(H)[:, 0] < RIDGE)
    H += ridge[:, None, None] * np.eye(rows.shape[1])
    basis = np.linalg.inv(np.linalg.cholesky(H))  # H = LL', N' = L^-1
    point = basis @ (counts @ (rows * y[:, None]))[:, :, None]
    scores = rows @ (y @ rows)  # of the fit to all cases: the rows are orthonormal
    fitted = counts @ (scores * (scores - 2 * y))
    # D compares the draw with the data, where each case counts once.
    excess = counts - 1.0
    frame = np.concatenate([basis, point], axis=2)
    return Draws(unit[chosen], frame, fitted, excess @ errors, excess @ constant, kappa)


def without(axes: FloatArray, array: FloatArray) -> FloatArray:
    """Leave out one direction of each flat: axes of shape (F, d), array of shape (F, d, ...).

    A Householder reflection sends each axis to the first one, which is then dropped. It is
    orthogonal, so that no digits are lost.
    """
    w = axes / np.linalg.norm(axes, axis=1, keepdims=True)
    w[:, 0] += np.where(w[:, 0] < 0, -1.0, 1.0)  # away from zero: no cancellation
    w /= np.linalg.norm(w, axis=1, keepdims=True)
    turn = np.einsum("fd,fdx->fx", w, array)
    return np.asarray(array[:, 1:] - 2 * w[:, 1:, None] * turn[:, None])


class Flats(NamedTuple):
    """Intersections of k hyperplanes, all of dimension d = r - k.

    Attributes
    ----------
    planes : ndarray, shape (F, k)
        The hyperplanes, in increasing order.
    scores : ndarray, shape (F, d, m)
        All normals in an orthonormal basis of each flat.
    tight : ndarray, shape (F, m)
        Which hyperplanes contain the flat; more than k where the arrangement is degenerate.
    """

    planes: Index
    scores: FloatArray
    tight: Mask


def _lines(flats: Flats) -> Iterator[Flats]:
    """Yield all lines inside flats in which hyperplanes meet, each of them once, in blocks."""
    if flats.scores.shape[1] == 1:
        yield flats
        return
    # A flat is made from its lexicographically first hyperplanes: j is added if it comes after
    # the flat's own, and if no hyperplane before j comes in with it.
    every = np.arange(flats.tight.shape[1])
    last = flats.planes.max(axis=1, initial=-1)
    parent, added = np.nonzero(~flats.tight & (every > last[:, None]))
    for start in range(0, len(parent), 4096):
        f = parent[start : start + 4096]
        j = added[start : start + 4096]
        scores = without(flats.scores[f, :, j], flats.scores[f])
        tight = np.einsum("fdm,fdm->fm", scores, scores) <= TIGHT**2
        tight[np.arange(len(j)), j] = True
        new = ~(tight & ~flats.tight[f] & (every < j[:, None])).any(axis=1)
        planes = np.column_stack([flats.planes[f], j])
        yield from _lines(Flats(planes[new], scores[new], tight[new]))


def largest_sum(normals: FloatArray, weights: FloatArray) -> FloatArray:
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
    whole = Flats(np.zeros((1, 0), dtype=np.int64), normals.T[None], np.zeros((1, len(size)), bool))
    best = np.zeros(weights.shape[1])
    # Every cell has an edge, a ray on a line where r - 1 hyperplanes meet: it is among the cells
    # around that line. Those that do not contain the line have one side each all along the ray.
    for lines in _lines(whole):
        sides = np.sign(np.where(lines.tight, 0.0, lines.scores[:, 0]))
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
