r"""The largest deviation around each plane of an arrangement, and around all of them.

In a flat of dimension two the other hyperplanes are lines through zero. Turn once around zero:
each line that is passed turns one sign, so the deviations of the sectors are a running sum. The
order of the lines is the same for all draws, and the sums are whole numbers, which a processor
adds dozens at a time.

Where zero is within reach of a draw, the largest deviation of all cells is what counts. Every cell
has an edge, on a line in which r - 1 independent hyperplanes meet, and the line lies in the
planes of any r - 2 of these. So not all planes are needed. Put the hyperplanes into two halves: of
the r - 1 one can be left out such that an even number from the first half stays, unless they are
an even number and all in the first half. The planes with an even number, and those of hyperplanes
of the first half alone, hold all lines.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import special

from errlab._core.checks import FloatArray
from errlab.training_set.cud._geometry import Design, Flats, Index, Mask, children, peak, whole

Whole = NDArray[np.integer]  # of the smallest kind that holds them

ON = 1e-10  # angles this close count as equal
CACHE = 1 << 17  # whole numbers in one block of work
SHORT = 1e-6  # a shorter shadow on a plane has no reliable angle


def planes(normals: FloatArray, block: int = 4096) -> Iterator[Flats]:
    """Yield all flats of dimension two, in blocks."""
    everywhere = np.ones(len(normals), dtype=bool)

    def descend(flats: Flats) -> Iterator[Flats]:
        if flats.basis.shape[2] == 2:
            yield flats
            return
        for below in children(flats, everywhere, block):
            yield from descend(below)

    yield from descend(whole(normals))


def number(m: int, rank: int) -> int:
    """How many planes m hyperplanes in general position have."""
    return int(special.comb(m, rank - 2, exact=True))


def place(chosen: Index) -> Index:
    """Number of a set of hyperplanes, shape (N, k), among all sets of that size."""
    inside = np.sort(chosen, axis=1)
    return np.asarray(
        sum(special.comb(inside[:, i], i + 1).astype(np.int64) for i in range(inside.shape[1]))
    )


def half(flats: Flats) -> Mask:
    """Which planes are enough for all lines, in general position."""
    first = (flats.planes < flats.tight.shape[1] // 2).sum(axis=1)
    return np.asarray((first % 2 == 0) | (first == flats.planes.shape[1]))


def turns(flats: Flats, m: int) -> tuple[NDArray[np.intp], Mask]:
    """Order in which a half-turn passes the hyperplanes, and which planes are simple.

    An entry k stands for hyperplane k with its side before it is passed, positive for k and
    negative for m + k; 2 m stands for none. A plane is simple if it lies in no more hyperplanes
    than needed, and no two others meet it in the same line.
    """
    x = flats.scores[:, :, 0]
    y = flats.scores[:, :, 1]
    free = m - flats.planes.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = y / x  # grows as the lines are passed; a line along the start comes first
    slope[x == 0] = -np.inf
    slope[flats.tight] = np.inf
    order = slope.argsort(axis=1)[:, :free]
    passed = np.take_along_axis(slope, order, axis=1)
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.diff(passed, axis=1) > ON * (1 + passed[:, :-1] ** 2)
    ends = np.arctan(passed[:, [0, -1]])
    round_ = np.pi + ends[:, 0] - ends[:, 1] > ON
    short = (np.where(flats.tight, 1.0, x * x + y * y) < SHORT**2).any(axis=1)
    enough = flats.tight.sum(axis=1) == flats.planes.shape[1]
    simple = enough & ~short & round_ & (apart | np.isinf(passed[:, :-1])).all(axis=1)
    simple &= (x == 0).sum(axis=1) <= (flats.tight & (x == 0)).sum(axis=1) + 1
    side = np.where(x != 0, np.sign(x), -np.sign(y))
    code = np.where(flats.tight, 2 * m, np.where(side > 0, np.arange(m), m + np.arange(m)))
    return np.take_along_axis(code, order, axis=1), simple


def table(weights: FloatArray) -> Whole:
    """Twice the weights of each draw as whole numbers, as `turns` numbers them, shape (2m+1, B)."""
    whole_ = np.rint(2 * weights.T)
    kind = np.int16 if np.abs(whole_).sum(axis=0).max(initial=0) < 16_000 else np.int64
    return np.vstack([whole_, -whole_, np.zeros((1, len(weights)))]).astype(kind)


def around(flats: Flats, order: Whole, twice: Whole) -> Whole:
    """Twice the largest ``|sum_k s_k weights_k|`` around each plane, all of them simple."""
    m = len(twice) // 2
    most = np.empty((len(order), twice.shape[1]), dtype=twice.dtype)
    size = max(1, CACHE // twice.shape[1])
    both = twice + twice
    for start in range(0, len(order), size):
        columns = np.ascontiguousarray(order[start : start + size].T)
        total = twice[columns[0]]
        step = np.empty_like(total)
        for column in columns[1:]:
            total += np.take(twice, column, axis=0, out=step)
        largest_ = np.abs(total)
        for column in columns:
            total -= np.take(both, column, axis=0, out=step)
            np.maximum(largest_, np.abs(total, out=step), out=largest_)
        most[start : start + size] = largest_
    held = np.abs(twice[:m])
    for column in flats.planes.T:
        most += held[column]
    return most


class Around:
    """Deviations around single planes, for one draw at a time.

    The lines of all planes are put in order as soon as `patience` planes have been asked for.
    Until then, and of a plane that is not simple, nothing is known, and the answer is infinite.

    Parameters
    ----------
    design : Design
    weights : ndarray, shape (B, m)
        Of each draw.
    patience : float
    """

    def __init__(self, design: Design, weights: FloatArray, patience: float) -> None:
        self.normals = design.normals
        self.twice = np.ascontiguousarray(table(weights).T)
        self.patience = patience
        self.row = np.zeros(0, dtype=np.int32)  # of `order`, by the place of a plane; or -1
        self.order: Whole = np.zeros((0, 0), dtype=np.int32)  # see `turns`

    def _prepare(self) -> None:
        """Put the lines of all simple planes in order, once."""
        m, rank = self.normals.shape
        self.row = np.full(number(m, rank), -1, dtype=np.int32)
        orders = []
        count = 0
        for flats in planes(self.normals):
            order, simple = turns(flats, m)
            orders.append(order[simple].astype(np.min_scalar_type(-2 * m)))
            self.row[place(flats.planes[simple])] = np.arange(count, count + simple.sum())
            count += simple.sum()
        self.order = np.concatenate(orders)

    def largest(self, chosen: Index, draw: Index) -> FloatArray:
        """Largest ``|sum_k s_k weights_k|`` around each plane, shape (N,)."""
        self.patience -= len(chosen)
        if self.patience < 0 and not len(self.row):
            self._prepare()
        known, _, sectors, held = self._sectors(chosen, draw)
        most = np.full(len(chosen), np.inf)
        most[known] = (np.abs(sectors).max(axis=1) + held) / 2
        return most

    def lines(self, chosen: Index, draw: Index) -> FloatArray:
        """Largest ``|sum_k s_k weights_k|`` around the lines of each plane, shape (N, m).

        Line k is the one in which hyperplane k meets the plane.
        """
        known, order, sectors, held = self._sectors(chosen, draw)
        m = self.twice.shape[1] // 2
        after = np.abs(sectors)  # the sector behind each line; the one before it:
        before = np.concatenate([after[:, -1:], after[:, :-1]], axis=1)
        found = np.full((len(chosen), m), np.inf)
        best = (np.maximum(before, after) + held[:, None]) / 2
        found[known[:, None], order % m] = best
        return found

    def _sectors(self, chosen: Index, draw: Index) -> tuple[Index, Whole, Whole, Whole]:
        """Which planes are simple; their lines, twice the sum behind each, and what holds them."""
        row = self.row[place(chosen)] if len(self.row) else np.full(len(chosen), -1)
        known = np.flatnonzero(row >= 0)
        if not len(known):
            return known, np.zeros((0, 1), int), np.zeros((0, 1), int), np.zeros(0, int)
        width = self.twice.shape[1]
        order = self.order[row[known]]
        start = (draw[known] * width)[:, None]
        x = np.take(self.twice.ravel(), start + order)
        passed = np.cumsum(x, axis=1, dtype=np.int32)
        sectors = passed[:, -1:] - 2 * passed  # all on their first side, less twice those passed
        held = np.abs(self.twice[draw[known][:, None], chosen[known]]).sum(axis=1)
        return known, order, sectors, held


def largest(design: Design, weights: FloatArray) -> FloatArray:
    """Largest ``sum_k s_k weights_k`` over all cells, for each draw; rank 3 at least."""
    m = len(design.normals)
    twice = table(weights)
    most = np.zeros(len(weights))
    for flats in planes(design.normals):
        general = (flats.tight.sum(axis=1) == flats.planes.shape[1]).all()
        flats = flats.take(half(flats))
        order, simple = turns(flats, m)
        if not (general and simple.all()):
            return np.asarray(peak(design.normals, weights.T), dtype=np.float64)  # line by line
        most = np.maximum(most, around(flats, order, twice).max(axis=0, initial=0) / 2)
    return most
