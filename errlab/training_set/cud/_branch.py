r"""The supremum by branch and bound, draw by draw: for ranks beyond the reach of the sweep.

In coordinates where H is the identity the loss is a squared distance, and one draw and one sign
of D ask for

.. math:: \max_u \; \Big( top - \sum_{k \text{ lost at } u} w_k \Big) \, g(|u - u_b|^2):

hyperplane k is *won* where :math:`a_k^T u > 0`, else *lost* with its weight. A node has forced
hyperplanes F, which must be won, and abandoned ones, whose weight is gone already (they may
still be won: it is a relaxation). A root without either covers everything; a node is split by
forcing or abandoning one more, so its children cover it.

**Bound.** All u of a node lie in the cone :math:`\{a_k^T u \ge 0, k \in F\}`, whose nearest point
is :math:`u_F`. No value in the node exceeds :math:`(top - lost)\, g(|u_F - u_b|^2)`, since g
falls with the distance. If every undecided hyperplane is won at :math:`u_F`, the bound is
attained and the node is done.

**Conflicts.** To beat the best value found, u must come nearer than R with
:math:`(top - lost)\, g(R^2) = best`. Suppose the cone of F and a set S of undecided hyperplanes
has its nearest point at R or beyond. The multipliers of that point prove it with their support
alone, so one hyperplane of the support in S must be lost. The same holds if the multipliers of
Gordan's theorem prove that no u wins all of them strictly. Take the smallest weight of the
support off all of its weights, drop those that reach zero, and try the rest: the sum of what
was taken is a lower bound of what the node must still lose, because the weights of a lost set
pay for each conflict that it meets. While the loss grows R shrinks, so early conflicts stay.

**Strict feasibility.** u = 0 satisfies every system of closed half-spaces. A cell counts only if
its open cone is not empty: by Gordan's theorem, if no non-negative combination of the normals
that are tight at the point is zero.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
import scipy

from errlab._core.checks import FloatArray
from errlab.training_set.cud._geometry import Design, Mask
from errlab.training_set.cud._sweep import MARGIN, Draws

Order = Literal["weight", "distance", "first"]

ON = 1e-9  # a unit normal and a point of unit length: below it the point is on the boundary


class Node(NamedTuple):
    """Forced and undecided hyperplanes, and the weight of those abandoned."""

    forced: Mask
    open: Mask
    lost: float


class Problem(NamedTuple):
    """One draw and one sign of D, in coordinates where the loss is a squared distance."""

    normals: FloatArray  # (m, r), unit, turned so that a'u > 0 is won
    centre: FloatArray
    weights: FloatArray
    top: float
    radius: float  # squared distance of the fitted coefficients
    kappa: float

    def g(self, square: float) -> float:
        return float(min(1.0, 1 + self.kappa * (self.radius - square)))

    def reach(self, value: float) -> float:
        """Squared distance beyond which g is at most `value`."""
        return self.radius + (1 - value) / self.kappa


def branch(
    design: Design,
    draws: Draws,
    best: FloatArray,
    *,
    order: Order = "distance",
    max_nodes: int | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Raise `best` to the suprema of all draws; return lower and upper bounds of nQ.

    They agree (to rounding) unless `max_nodes` for one draw and one sign cut the search.
    """
    low = best.copy()
    high = best.copy()
    for i in range(len(best)):
        for sign in (1.0, -1.0):
            problem = _problem(design, draws, i, sign)
            low[i], open_bound = _search(problem, low[i], order, max_nodes)
            high[i] = max(high[i], low[i], open_bound)
    return low, high


def _problem(design: Design, draws: Draws, i: int, sign: float) -> Problem:
    """Return the problem of one draw and sign, in coordinates where the loss is round."""
    values, vectors = np.linalg.eigh(draws.H[i])
    # A direction without any loss gets 1e-12 of the largest: it moves nQ by about 1e-10.
    root = np.sqrt(np.maximum(values, 1e-12 * max(values[-1], 1e-30)))
    whitened = design.normals @ (vectors / root)
    whitened /= np.linalg.norm(whitened, axis=1, keepdims=True)
    centre = (draws.b[i] @ vectors) / root
    weights = sign * draws.weights[i]
    used = weights != 0
    turned = whitened[used] * np.sign(weights[used])[:, None]
    top = sign * draws.constant[i] + np.abs(weights).sum()
    radius = float(draws.fitted[i] + centre @ centre)
    return Problem(turned, centre, 2 * np.abs(weights[used]), float(top), radius, draws.kappa)


def _search(
    problem: Problem, best: float, order: Order, max_nodes: int | None
) -> tuple[float, float]:
    """Return the best value, and the largest bound among the nodes left open."""
    m = len(problem.weights)
    stack = [Node(np.zeros(m, dtype=bool), np.ones(m, dtype=bool), 0.0)]
    count = 0
    while stack:
        if max_nodes is not None and count >= max_nodes:
            cut = [
                (problem.top - node.lost) * problem.g(_project(problem, node.forced)[1])
                for node in stack
            ]
            return best, max(cut)
        best, split = _visit(problem, stack.pop(), best, order)
        stack.extend(split)
        count += 1
    return best, best


def _visit(problem: Problem, node: Node, best: float, order: Order) -> tuple[float, list[Node]]:
    """Bound a node; return the best value and the children that are left, the better one last."""
    point, square, _ = _project(problem, node.forced)
    gain = problem.top - node.lost
    if gain * problem.g(square) <= best + MARGIN or not _open(problem, node.forced, point):
        return best, []
    won = _won(problem, point)
    best = max(best, _value(problem, won | node.forced) * problem.g(square))
    violated = node.open & ~won
    if not violated.any():
        return best, []
    best, packed, conflict = _pack(problem, node, best, square)
    if packed is None:
        return best, []
    candidates = violated & conflict if (violated & conflict).any() else violated
    k = _choose(problem, candidates, point, order)
    rest = node.open.copy()
    rest[k] = False
    forced = node.forced.copy()
    forced[k] = True
    return best, [
        Node(node.forced, rest, node.lost + problem.weights[k]),
        Node(forced, rest, node.lost),
    ]


def _choose(problem: Problem, candidates: Mask, point: FloatArray, order: Order) -> int:
    """Return the next hyperplane to decide on, of the candidates."""
    which = np.flatnonzero(candidates)
    if order == "weight":
        return int(which[np.lexsort((problem.normals[which] @ point, -problem.weights[which]))[0]])
    if order == "distance":
        return int(which[np.argmin(problem.normals[which] @ point)])
    return int(which[0])


def _pack(
    problem: Problem, node: Node, best: float, square: float
) -> tuple[float, float | None, Mask]:
    """Pack conflicts; return best value, what must still be lost (None: prune), first conflict."""
    residual = np.where(node.open, problem.weights, 0.0)
    packed = 0.0
    first = np.zeros(len(residual), dtype=bool)
    while True:
        wanted = residual > 1e-9
        gain = problem.top - node.lost - packed
        if gain <= 0 or gain * problem.g(square) <= best + MARGIN:
            return best, None, first
        reach = problem.reach(best / gain)
        point, distance, support = _project(problem, node.forced | wanted)
        if distance < reach:
            support = _gordan(problem, node.forced | wanted, point)
            if not support.any():
                won = _won(problem, point) | node.forced | wanted
                return max(best, _value(problem, won) * problem.g(distance)), packed, first
        conflict = support & wanted
        if not conflict.any():
            return best, None, first
        if not first.any():
            first = conflict
        smallest = residual[conflict].min()
        residual[conflict] -= smallest
        packed += smallest


def _project(problem: Problem, chosen: Mask) -> tuple[FloatArray, float, Mask]:
    """Nearest point of the cone, its squared distance, and the support of its multipliers."""
    which = np.flatnonzero(chosen)
    support = np.zeros(len(chosen), dtype=bool)
    if not len(which):
        return problem.centre, 0.0, support
    dual, _ = scipy.optimize.nnls(problem.normals[which].T, -problem.centre)
    shift = dual @ problem.normals[which]
    support[which[dual > 0]] = True
    point = problem.centre + shift
    # |shift|^2 = |centre|^2 - |point|^2 and the point may be 0 but for rounding
    point[np.abs(point) <= 1e-12 * np.abs(problem.centre).max()] = 0.0
    return point, float(shift @ shift), support


def _scores(problem: Problem, point: FloatArray) -> FloatArray:
    size = np.linalg.norm(point)
    small = size <= 1e-11 * np.linalg.norm(problem.centre)
    return np.zeros(len(problem.normals)) if small else problem.normals @ (point / size)


def _won(problem: Problem, point: FloatArray) -> Mask:
    return np.asarray(_scores(problem, point) > ON)


def _gordan(problem: Problem, chosen: Mask, point: FloatArray) -> Mask:
    """Hyperplanes, tight at the point, that cannot all be won strictly; none if they can."""
    found = np.zeros(len(chosen), dtype=bool)
    which = np.flatnonzero(chosen & (np.abs(_scores(problem, point)) <= ON))
    if len(which) < 2:
        return found
    normals = problem.normals[which]
    system = np.vstack([normals.T, np.ones(len(which))])
    target = np.append(np.zeros(normals.shape[1]), 1.0)
    dual, residual = scipy.optimize.nnls(system, target)
    if residual <= 1e-8:
        found[which[dual > 0]] = True
    return found


def _open(problem: Problem, chosen: Mask, point: FloatArray) -> bool:
    return not _gordan(problem, chosen, point).any()


def _value(problem: Problem, won: Mask) -> float:
    return float(problem.top - problem.weights[~won].sum())
