"""The CUD suprema: laws, and a brute force that shares no code with the solver."""

import itertools
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from marks import nightly
from scipy import optimize

from errlab.training_set import cud_supremum
from errlab.training_set._cud import _geometry, _grow

# --- brute force: every sign pattern, one convex problem each -------------------------------


def normal_to(rows):
    """The generalised cross product of p - 1 rational rows; zero if they are dependent."""
    if not len(rows):
        return np.array([Fraction(1)])
    # the minors, each along its first row
    parts = [np.delete(rows, j, axis=1) for j in range(len(rows) + 1)]
    return np.array([(-1) ** j * (m[0] @ normal_to(m[1:])) for j, m in enumerate(parts)])


def edge_scores(Z):
    """Scores of all examples along every line where p - 1 hyperplanes meet, rounded once."""
    n, p = Z.shape
    rows = np.vectorize(Fraction, otypes=[object])(Z)  # these don't round
    results = []
    for chosen in itertools.combinations(range(n), p - 1):
        scores = rows @ normal_to(rows[list(chosen)])
        if scores.any():  # Z has full column rank, so only a normal of zero gives all zeros
            scores = (scores / max(abs(scores))).astype(float)
            results += [scores, -scores]
    return np.array(results)


def fitted_scores(Z, y):
    """Scores of the least-squares fit, by the normal equations at 60 digits."""
    with mp.workdps(60):
        rows = mp.matrix(Z.tolist())
        return np.array(rows * mp.lu_solve(rows, mp.matrix(y.tolist())), dtype=float).ravel()


def cone_fit(A, target):
    """Squared distance of the target from the cone that the columns of A span."""
    length = np.linalg.norm(A, axis=0)
    A = A[:, length > 0] / length[length > 0]  # scaling the columns leaves the cone unchanged
    if not A.size:
        return np.sum(target**2)
    weights, _ = optimize.nnls(A, target, maxiter=10_000)
    gradient = A.T @ (A @ weights - target)
    if gradient.min() < -1e-10 or np.abs(gradient * weights).max() > 1e-10:
        weights = optimize.lsq_linear(A, target, (0, np.inf), method="bvls", tol=1e-15).x
        gradient = A.T @ (A @ weights - target)
        assert gradient.min() > -1e-9
        assert np.abs(gradient * weights).max() < 1e-9
    return np.sum((A @ weights - target) ** 2)


def brute(Z, y, counts, alpha):
    """Suprema over all 2^n sign patterns whose open cone is not empty; Z of full column rank."""
    n = len(y)
    edges, zero = edge_scores(Z), ~Z.any(axis=1)
    cells = []
    for pattern in itertools.product([-1, 1], repeat=n):
        contains = (edges * pattern >= 0).all(axis=1)
        inside = edges[contains].sum(axis=0) * pattern > 0
        if contains.any() and (inside | zero).all() and (np.array(pattern)[zero] == -1).all():
            cells.append((np.array(pattern), edges[contains]))
    fitted = fitted_scores(Z, y)
    suprema = []
    for m in counts:
        reference = np.sum(m * (fitted - y) ** 2)
        best = 0.0
        for pattern, edge in cells:
            deviation = abs(np.sum((m - 1) * (pattern != y)))
            if deviation > best:
                root = np.sqrt(m)
                loss = cone_fit(root[:, None] * edge.T, root * y)
                g = min(1.0, 1 + alpha / n * (reference - loss))
                best = max(best, deviation * g)
        suprema.append(best / n)
    return np.array(suprema)


def instance(kind, rng):
    """A small data set of full column rank with draws: continuous or integer-valued."""
    while True:
        n, p = int(rng.integers(2, 10)), int(rng.integers(1, 5))
        if kind == "continuous":
            Z = rng.normal(size=(n, p))
        else:
            Z = rng.integers(-2, 3, size=(n, p)).astype(float)
        if kind != "no intercept":
            Z[:, 0] = 1
        if kind == "repeated":
            Z[n // 2 :] = Z[: n - n // 2] * rng.choice([1.0, 2.0], size=(n - n // 2, 1))
        if kind == "zero rows":
            Z[: n // 3] = 0
        if np.linalg.matrix_rank(Z) == p and (kind == "zero rows" or Z.any(axis=1).all()):
            break
    y = rng.choice([-1.0, 1.0], n)
    if rng.random() < 0.3:
        y = np.where(Z @ rng.normal(size=p) + rng.normal(size=n) > 0, 1.0, -1.0)
    return Z, y, rng.multinomial(n, np.ones(n) / n, size=3)


KINDS = ["continuous", "integers", "no intercept", "repeated", "zero rows"]


@pytest.mark.slow
@pytest.mark.parametrize("number", [8, pytest.param(40, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("kind", KINDS)
def test_equals_brute_force(kind, number):
    for k, power in enumerate((0.3, 1, 2)):
        rng = np.random.default_rng(100 * KINDS.index(kind) + k)
        for _ in range(number):  # data sets with 3 draws each
            Z, y, counts = instance(kind, rng)
            alpha = 0.3 * len(y) if power < 1 else float(len(y) ** power)
            result = cud_supremum(Z, y, counts, alpha=alpha)
            assert result == pytest.approx(brute(Z, y, counts, alpha), abs=1e-9), alpha


# --- larger problems ----------------------------------------------------------------------


def problem(n, p, signal, draws, seed=0):
    rng = np.random.default_rng(seed)
    Z = np.column_stack([np.ones(n), rng.normal(size=(n, p - 1))])
    y = np.where(signal * Z[:, -1] + rng.normal(size=n) > 0, 1.0, -1.0)
    return Z, y, rng.multinomial(n, np.ones(n) / n, size=draws)


def lattice(kind, rng, n):
    """Designs in which more hyperplanes than necessary meet."""
    X = rng.normal(size=(n, 4))
    if kind == "binary":
        X[:, :2] = rng.integers(0, 2, size=(n, 2))
    elif kind == "whole":
        X = rng.integers(-2, 3, size=(n, 4)).astype(float)
    elif kind == "nearly repeated":
        X[n // 2 :] = X[: n - n // 2] + 1e-7 * rng.normal(size=(n - n // 2, 4))
    elif kind == "far from zero":
        X = 100 + 1e-3 * X
    return np.column_stack([np.ones(n), X])


DESIGNS = [("binary", 10), ("whole", 10), ("far from zero", 10), ("nearly repeated", 12)]
LARGER = [("binary", 12), ("whole", 12), ("far from zero", 12)]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "n"), nightly(DESIGNS + LARGER, *LARGER))
def test_equals_brute_force_at_rank_5_where_hyperplanes_meet(kind, n):
    rng = np.random.default_rng(3)
    Z, y = lattice(kind, rng, n), rng.choice([-1.0, 1.0], n)
    counts = rng.multinomial(n, np.ones(n) / n, size=20)
    assert cud_supremum(Z, y, counts) == pytest.approx(brute(Z, y, counts, n), abs=1e-11)


@pytest.mark.nightly
def test_where_nearly_repeated_examples_alone_determine_a_direction_suprema_may_be_wrong():
    """Differences of 1e-7 and of 1e-4 of the features' spread."""
    for seed, far in ((3, 3), (4, 11)):
        rng = np.random.default_rng(seed)
        Z, y = lattice("nearly repeated", rng, 10), rng.choice([-1.0, 1.0], 10)
        counts = rng.multinomial(10, np.ones(10) / 10, size=20)
        off = abs(cud_supremum(Z, y, counts) - brute(Z, y, counts, 10))
        assert (sum(off > 1e-11), off.max() < 0.11) == (far, True)
        Z[5:] = Z[:5] + 1e3 * (Z[5:] - Z[:5])
        assert cud_supremum(Z, y, counts) == pytest.approx(brute(Z, y, counts, 10), abs=1e-7)


def test_conflicts_and_lines_find_the_same_largest_deviation():
    for (m, r), whole in itertools.product(((7, 3), (9, 4), (9, 6), (10, 7)), (False, True)):
        rng = np.random.default_rng(m + r)
        rows = rng.integers(-1, 2, size=(m, r)).astype(float) if whole else rng.normal(size=(m, r))
        ones = np.ones(m + 1)
        normals = _geometry.Draws(np.vstack([rows, np.eye(r)[:1]]), ones, ones[None], 1.0).normals
        weights = rng.integers(-6, 7, size=(5, len(normals))) / 2
        highest = _geometry.largest_sum(normals, weights.T)
        for w, right in zip(weights, highest, strict=True):
            assert _grow._conflicts(normals, w, np.inf) == pytest.approx((right, right), abs=1e-9)
            low, high = _grow._conflicts(normals, w, 1)
            assert low - 1e-9 <= right <= high + 1e-9


def test_coordinates_lengths_of_rows_and_dependent_columns_do_not_matter():
    Z, y, counts = problem(20, 3, 1.0, 20)
    order = np.random.default_rng(0).permutation(20)
    far = 1e8 + Z[:, 1]  # rounded to 1e-8, because adding 3 far costs digits of 3 x
    for design, labels, draws, near in (
        (Z @ np.array([[1, 2, 0], [0, 50, 1], [0.3, 0, -1e-3]]), y, counts, 1e-9),
        (Z[order], y[order], counts[:, order], 1e-12),
        (Z, -y, counts, 1e-12),  # beta -> -beta
        (np.column_stack([Z, Z[:, 1] - 2 * Z[:, 2], np.zeros(20)]), y, counts, 1e-9),
        (np.column_stack([Z[:, 0], far, Z[:, 2], 3 * far + 0.1, 7 * y**2]), y, counts, 1e-7),
    ):
        result = cud_supremum(design, labels, draws)
        assert result == pytest.approx(cud_supremum(Z, y, counts), abs=near)
