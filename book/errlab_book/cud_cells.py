"""Compute every cell of a problem with two coefficients, to draw what the CUD supremum searches."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from errlab import checks
from errlab.checks import FloatArray, public


class Cells(NamedTuple):
    """The cells of one bootstrap draw, in order of their angles, and the best value in each.

    Attributes
    ----------
    angles : ndarray, shape (m, 2)
        First and last angle of each cell, in radians.
    deviation : ndarray, shape (m,)
        Training error on the draw less that on all examples, the same all over a cell.
    nearest : ndarray, shape (m, 2)
        Coefficients of the least loss in the cell or on its edge.
    gain : ndarray, shape (m,)
        g at `nearest`; not above 0 where the cell is out of reach.
    fit, centre : ndarray, shape (2,)
        Least squares on all examples, and on the draw.
    loss : ndarray, shape (2, 2)
        The draw's loss is ``(b - centre) @ loss @ (b - centre)`` and a constant.
    alpha : float
        Scale of the loss gap inside g.
    """

    angles: FloatArray
    deviation: FloatArray
    nearest: FloatArray
    gain: FloatArray
    fit: FloatArray
    centre: FloatArray
    loss: FloatArray
    alpha: float

    @property
    def value(self) -> FloatArray:
        """The value of each cell: its deviation times g, at least 0."""
        return np.asarray(np.abs(self.deviation) * np.maximum(self.gain, 0))


@public
def cud_cells(
    Z: ArrayLike, y: ArrayLike, counts: ArrayLike, *, alpha: float | None = None
) -> Cells:
    r"""Return all cells of a problem with two coefficients, for one bootstrap draw.

    The lines :math:`z_i^T \beta = 0` cut the plane into open cones. The largest :math:`|D| g` of a
    cone equals the supremum of `cud_supremum`, which is computed differently.

    Parameters
    ----------
    Z : array_like, shape (n, 2)
        Design matrix, of rank 2, without rows of zeros.
    y : array_like, shape (n,)
        Labels in {-1, +1}.
    counts : array_like, shape (n,)
        How often the draw holds each example; they sum to n, and its examples have rank 2.
    alpha : float, optional
        Scale of the loss gap, above 0; n by default.

    Returns
    -------
    Cells

    Raises
    ------
    ValueError, TypeError
        If the shapes do not fit, or an argument leaves its range.

    References
    ----------
    Laber and Murphy (2008), Section 4.

    Examples
    --------
    >>> Z, y = [[1, -1], [1, 0], [1, 2]], [-1, 1, 1]
    >>> cells = cud_cells(Z, y, [2, 1, 0])
    >>> len(cells.angles), round(float(cells.value.max()), 4)
    (6, 0.1293)
    """
    design = checks.matrix(Z, "Z")
    labels = checks.signs(y)
    n = checks.same_length(Z=design, y=labels)
    m: FloatArray = np.asarray(checks.count(counts, "counts", 0, ndim=1), dtype=np.float64)
    checks.require(m.shape == (n,) and m.sum() == n, "counts", f"be {n} counts with sum n = {n}", m)
    checks.require(design.shape[1] == 2, "Z", "have shape (n, 2)", design)
    loss = design.T @ (m[:, None] * design) / n
    if np.linalg.matrix_rank(design[m > 0]) < 2 or not np.any(design, axis=1).all():
        raise ValueError("Z must have no row of zeros, and rank 2 on the examples that are drawn")
    alpha = float(n if alpha is None else checks.within(alpha, "alpha", 1e-150, ndim=0))
    fit = np.asarray(np.linalg.lstsq(design, labels, rcond=None)[0], dtype=float)
    centre = np.asarray(np.linalg.solve(loss, design.T @ (m * labels) / n), dtype=np.float64)
    # One ray inside each cone gives the sides of all examples.
    angles = _borders(design)
    middle = angles.mean(axis=1)
    inside = np.column_stack([np.cos(middle), np.sin(middle)])
    wrong = np.where(inside @ design.T > 0, 1.0, -1.0) != labels
    # D is constant on a cone, so only the smallest loss in it matters.
    nearest = _nearest(angles, inside, centre, loss, design)
    gap = _above(fit[None], centre, loss)[0] - _above(nearest, centre, loss)
    gain = np.minimum(1.0, 1.0 + alpha * gap)
    return Cells(angles, wrong @ (m - 1) / n, nearest, gain, fit, centre, loss, alpha)


def _borders(Z: FloatArray) -> FloatArray:
    """Return first and last angle of each cone."""
    turned = np.arctan2(Z[:, 0], -Z[:, 1])  # orthogonal to the row
    angles = np.sort(np.concatenate([turned, turned + np.pi]) % (2 * np.pi))
    # merge angles that are equal up to rounding, also across 0 and 2 pi
    apart = np.diff(angles, append=angles[0] + 2 * np.pi) > 1e-12
    first = angles[apart]
    return np.column_stack([first, np.append(first[1:], first[0] + 2 * np.pi)])


def _above(points: FloatArray, centre: FloatArray, loss: FloatArray) -> FloatArray:
    """Return the loss minus the loss of the draw's own fit."""
    step = points - centre
    return np.asarray(np.einsum("ij,jk,ik->i", step, loss, step))


def _nearest(
    angles: FloatArray, inside: FloatArray, centre: FloatArray, loss: FloatArray, Z: FloatArray
) -> FloatArray:
    """Return each closed cone's point of smallest loss: the centre, or a point on an edge."""
    edges = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    # On the ray through e the smallest loss is at e (e'Lc) / (e'Le), or at 0 if that point is on
    # the opposite ray.
    pull = edges @ (loss @ centre)
    reach = np.maximum(pull, 0) / np.einsum("mei,ij,mej->me", edges, loss, edges)
    feet = reach[..., None] * edges
    losses = np.stack([_above(feet[:, e], centre, loss) for e in (0, 1)], axis=1)
    best = feet[np.arange(len(feet)), losses.argmin(axis=1)]
    # The cone that contains the centre has no additional loss.
    same = ((inside @ Z.T > 0) == (Z @ centre > 0)).all(axis=1)
    return np.where(same[:, None], centre, best)
