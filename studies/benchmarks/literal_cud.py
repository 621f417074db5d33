"""Laber and Murphy's branch and bound as published: the reference of `bench_compare.py`.

This follows Section 4 literally. Examples that a draw contains exactly once don't matter. The
others are labelled in arbitrary order; level j of the tree fixes the side of example j. The upper
bound of a node is the largest deviation that the remaining examples allow, times g at the smallest
loss in the node, which is a convex problem under linear constraints. The lower bound is the
objective at that minimiser. A node is dropped if its upper bound doesn't exceed the best lower
bound.

One change makes the answers right: a node is also dropped if no coefficients fulfil its constraints
strictly. As published, beta = 0 fulfils every closed system, so that cells that don't exist count
wherever g(0) > 0 (``open_cells=False`` does that).

`solver` selects how the convex problem is solved: "general" is SciPy's SLSQP, the usual choice for
"a convex optimization problem"; "nnls" is the fastest method that we know, the projection on a cone
by non-negative least squares.
"""

from __future__ import annotations

import numpy as np
from scipy import optimize


class Draw:
    """One bootstrap draw: the objective, its bounds, and the convex problem of a node."""

    def __init__(self, Z, y, counts, alpha, solver):
        self.Z = Z
        self.y = y
        self.m = counts.astype(float)
        self.n = len(y)
        self.solver = solver
        self.kappa = alpha / self.n
        fit = np.linalg.lstsq(Z, y, rcond=None)[0]
        self.reference = self.loss(fit)
        root = np.sqrt(self.m)[:, None]
        self.own = np.linalg.lstsq(root * Z, root[:, 0] * y, rcond=None)[0]
        self.floor = self.loss(self.own)
        self.H = (Z * self.m[:, None]).T @ Z
        self.L = np.linalg.cholesky(self.H)

    def loss(self, beta):
        return float(np.sum(self.m * (self.Z @ beta - self.y) ** 2))

    def gradient(self, beta):
        return 2 * (self.Z * self.m[:, None]).T @ (self.Z @ beta - self.y)

    def g(self, loss):
        return min(1.0, 1 + self.kappa * (self.reference - loss))

    def deviation(self, sides):
        return float(np.sum((self.m - 1) * (sides != self.y)))

    def minimise(self, constraints):
        """Coefficients of smallest loss with ``constraints @ beta >= 0``, and that loss."""
        if not len(constraints):
            return self.own, self.floor
        if self.solver == "nnls":
            white = np.linalg.solve(self.L, constraints.T)
            centre = self.L.T @ self.own
            dual, _ = optimize.nnls(white, -centre)
            beta = np.linalg.solve(self.L.T, centre + white @ dual)
            return beta, self.floor + float(np.sum((white @ dual) ** 2))
        optimum = optimize.minimize(
            self.loss,
            self.own,
            jac=self.gradient,
            method="SLSQP",
            constraints={
                "type": "ineq",
                "fun": lambda beta: constraints @ beta,
                "jac": lambda beta: constraints,
            },
            options={"ftol": 1e-12, "maxiter": 300},
        )
        return optimum.x, float(optimum.fun)


def strictly_feasible(constraints):
    """Whether some beta has ``constraints @ beta > 0``, by a theorem of the alternative."""
    if len(constraints) < 2:
        return True
    unit = constraints / np.linalg.norm(constraints, axis=1, keepdims=True)
    system = np.vstack([unit.T, np.ones(len(unit))])
    target = np.append(np.zeros(unit.shape[1]), 1.0)
    return optimize.nnls(system, target)[1] > 1e-8


def supremum(Z, y, counts, *, alpha=None, solver="general", open_cells=True):
    """Supremum for one draw; the design matrix of the draw must have full column rank."""
    draw = Draw(Z, y, counts, len(y) if alpha is None else alpha, solver)
    excess = draw.m - 1
    cases = np.flatnonzero(excess != 0)
    best = 0.0
    nodes = 0

    def visit(level, sides):
        nonlocal best, nodes
        nodes += 1
        done = cases[:level]
        constraints = sides[:, None] * Z[done]
        if open_cells and not strictly_feasible(constraints):
            return
        fixed = np.sum(excess[done] * (sides != y[done]))
        rest = excess[cases[level:]]
        max_deviation = max(fixed + rest[rest > 0].sum(), -(fixed + rest[rest < 0].sum()))
        if max_deviation <= best:  # g is at most 1, so this node can't improve on the best
            return
        beta, loss = draw.minimise(constraints)
        g = draw.g(loss)
        if max_deviation * g <= best + 1e-12:
            return
        if level == len(cases):
            best = max_deviation * g
            return
        scores = Z @ beta
        clear = (np.abs(scores) > 1e-7).all()
        # a feasible point gives a lower bound, unless it is on a boundary and so in no cell
        if clear:
            best = max(best, abs(draw.deviation(np.sign(scores))) * g)
        following = np.sign(scores[cases[level]]) or 1.0
        for side in (following, -following):
            visit(level + 1, np.append(sides, side))

    visit(0, np.zeros(0))
    return best / len(y), nodes


def suprema(Z, y, counts, **options):
    """Suprema of all draws, and the number of nodes visited."""
    suprema_and_nodes = [supremum(Z, y, m, **options) for m in counts]
    return np.array([value for value, _ in suprema_and_nodes]), sum(
        nodes for _, nodes in suprema_and_nodes
    )
