"""The arrangement of hyperplanes for the CUD bound, and the loss of each bootstrap draw.

Example i is classified by the sign of ``z_i'beta``. The hyperplanes ``z_i'beta = 0`` cut the
coefficients into open cones, the cells, in each of which every classification is constant. Cells
don't depend on the bootstrap draw; only the loss and the weights of the examples do.
``book/cud_proof.md`` has the proofs.
"""

import itertools

import numpy as np
from numpy.typing import NDArray

from errlab._core.checks import FloatArray
from errlab._numerics import least_squares

Mask = NDArray[np.bool_]
Index = NDArray[np.int64]

# Unit vectors whose product is below this are orthogonal. Rounding errors are near 1e-15, and
# treating a product this small as 0 changes the loss by no more than this.
TIGHT = 1e-10
# weight of the full data's loss, added for directions that a draw doesn't determine
RIDGE = 1e-11


class Draws:
    """Hyperplanes, and the loss and weights of each draw, in orthonormal coordinates.

    Attributes
    ----------
    normals : ndarray, shape (m, r)
        Unit normals of the distinct hyperplanes; r is the rank of the design matrix.
    frame : ndarray, shape (B, r, r + 1)
        Rows that span the space, orthonormal in the metric of the draw; the last column is the
        coordinate of the draw's own fit.
    fitted : ndarray, shape (B,)
        T, the sum of the losses up to a constant, at the coefficients fitted to the data.
    weights, constant : ndarray, shapes (B, m) and (B,)
        ``D = constant + sum_k s_k weights_k`` for sides s.
    kappa : float
        Weight of T in g.
    """

    def __init__(self, Z: FloatArray, y: FloatArray, counts: FloatArray, kappa: float) -> None:
        """Make the columns orthonormal, merge parallel rows, and weight them by counts (B, n).

        A zero row is always on the boundary and gets the label -1; not all rows are zero.
        """
        # Cells don't depend on the coordinates; orthonormal coordinates are the most accurate.
        rows = least_squares.orthonormal(Z)
        length = np.linalg.norm(rows, axis=1)
        inside = np.flatnonzero(length > 1e-12)
        unit = rows[inside] / length[inside, None]
        # Merge examples on the same hyperplane: otherwise flats would be counted twice, and the
        # empty set between two copies would count as a cell.
        ways = np.stack([unit, -unit], axis=1)  # both directions of each normal
        apart = np.linalg.norm(unit[:, None, None] - ways, axis=-1).min(axis=-1)
        leader = (apart <= TIGHT).argmax(axis=1)
        chosen, plane = np.unique(leader, return_inverse=True)
        side = np.sign((unit * unit[leader]).sum(axis=1))
        # On side s of its hyperplane, an example has the error (1 - s side_i y_i) / 2.
        errors = np.zeros((len(y), len(chosen)))
        errors[inside, plane] = -side * y[inside] / 2
        constant = np.where(length > 1e-12, 0.5, y == 1)

        # T(u) = u'Hu - 2 b'u. If a draw doesn't determine all directions, add a little of the full
        # data, for which H = I; otherwise H would be singular.
        H = rows.T @ (counts[:, :, None] * rows)
        ridge = RIDGE * (np.linalg.eigvalsh(H)[:, 0] < RIDGE)
        H += ridge[:, None, None] * np.eye(rows.shape[1])
        basis = np.linalg.inv(np.linalg.cholesky(H))  # H = LL', N' = L^-1
        point = basis @ (counts @ (rows * y[:, None]))[:, :, None]
        # scores of the fit to all examples, because the rows are orthonormal
        scores = rows @ (y @ rows)
        self.normals = unit[chosen]
        self.frame = np.concatenate([basis, point], axis=2)
        self.fitted = counts @ (scores * (scores - 2 * y))
        # D compares the draw with the data, in which each example counts once.
        self.weights = (counts - 1.0) @ errors
        self.constant = (counts - 1.0) @ constant
        self.kappa = kappa

    def g(self, loss: FloatArray, draw: Index | slice = slice(None)) -> FloatArray:
        """Return g at loss T for each draw; -1 replaces all negative values."""
        return np.clip(1 + self.kappa * (self.fitted[draw] - loss), -1.0, 1.0)


def without(axes: FloatArray, array: FloatArray) -> FloatArray:
    """Leave out one direction of each flat: axes of shape (F, d), array of shape (F, d, ...).

    A Householder reflection maps each axis to the first coordinate, which is then dropped. It is
    orthogonal, so no digits are lost.
    """
    w = axes / np.linalg.norm(axes, axis=1, keepdims=True)
    w[:, 0] += np.where(w[:, 0] < 0, -1.0, 1.0)  # move away from zero, to avoid cancellation
    w /= np.linalg.norm(w, axis=1, keepdims=True)
    turn = np.einsum("fd,fdx->fx", w, array)
    return np.asarray(array[:, 1:] - 2 * w[:, 1:, None] * turn[:, None])


def largest_sum(normals: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the largest ``sum_k s_k weights_k`` over the sides s of all cells.

    Parameters
    ----------
    normals : ndarray, shape (m, r)
    weights : ndarray, shape (m, B)

    Returns
    -------
    ndarray, shape (B,)
    """
    left, values, _ = np.linalg.svd(normals, full_matrices=False)
    normals = left[:, values > 1e-9]  # drop the directions that all hyperplanes share
    normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    enough = normals.shape[1] - 1
    size = np.abs(weights)
    best = np.zeros(weights.shape[1])
    settled = set()
    # Every cell has an edge: a ray on a line where r - 1 hyperplanes meet. So each cell is among
    # those around such a line. The hyperplanes that don't contain the line have one side all along
    # the ray.
    corners = itertools.combinations(range(len(normals)), enough)
    while block := list(itertools.islice(corners, 4096)):
        meeting = normals[np.array(block, dtype=np.int64)].swapaxes(1, 2)
        q, r = np.linalg.qr(meeting, mode="complete")  # the last column is the line
        free = np.abs(np.diagonal(r, axis1=1, axis2=2)).min(axis=1, initial=1) > TIGHT
        scores = q[free, :, -1] @ normals.T
        tight = np.abs(scores) <= TIGHT
        sides = np.sign(np.where(tight, 0.0, scores))
        around = np.abs(sides @ weights)  # lines x draws; the opposite ray has the opposite sides
        # In general position, r - 1 hyperplanes contain the line and take their best sides
        # independently.
        crowded = tight.sum(axis=1) > enough
        around[~crowded] += tight[~crowded] @ size
        # If more contain the line, their sides are those of a smaller arrangement.
        for f in np.flatnonzero(crowded):
            if tight[f].tobytes() not in settled:
                settled.add(tight[f].tobytes())
                around[f] += largest_sum(normals[tight[f]], weights[tight[f]])
        best = np.maximum(best, around.max(axis=0, initial=0))
    return best
