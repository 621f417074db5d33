"""The sources' claims in data/claims.txt: true ones as stated, false ones where they fail.

The errata page prints the numbers. Claims that need a simulation are in the other files.
"""
# ruff: noqa: F401 (the table uses these names)

import itertools
import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from errata_page import errata
from scipy import sparse, stats
from scipy.optimize import brentq, linprog
from scipy.stats import binom, norm
from sklearn.metrics import confusion_matrix
from test_values import NAMES, faults, marked

from errlab import bounds
from errlab._numerics.roots import Probability, largest_root
from errlab.training_set import LeastSquares
from errlab_book.cud_cells import cud_cells
from errlab_book.optimal_split import split_mse

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))  # studies are scripts, not an installed package
from studies import _run, larsen_hansen  # noqa: E402

SIZES = np.arange(10, 201)[:, np.newaxis]
MEANS = np.linspace(0, 0.5, 501)
WHOLE = np.linspace(0, 1, 10_001)
SECOND = ("CHE", "GUT", "BER", "MAU", "CRF", "T_HOE", "HOE")  # the survey's Section 3
LEVEL = np.log(20)
STORED = json.loads((_run.RESULTS / "larsen_hansen.json").read_text("utf-8"))
PRINTED = json.loads(
    (ROOT / "book/errlab_book/studies/laber_murphy_tables.json").read_text("utf-8")
)
SETS = list(PRINTED["tables"]["coverage 30"])


def printed_table(name):
    """Return the columns of Table 2, 3, 4 or 5 of the small-sample paper."""
    values = np.array([PRINTED["tables"][name][data] for data in SETS])
    assert values.shape == (12, 7)
    return dict(zip(PRINTED["columns"], values.T, strict=True))


COVERS, WIDTHS = (
    {n: printed_table(f"{what} {n}") for n in (30, 50)} for what in ("coverage", "diameter")
)


def grid(key, means=MEANS, sizes=SIZES):
    upper = bounds.upper(key, means, sizes)
    return np.broadcast_to(upper, np.broadcast_shapes(means.shape, np.shape(sizes)))


def shares(*keys):
    """Return where each bound is the lowest, in percent of all means and sizes."""
    best = np.stack([grid(key) for key in keys]).argmin(axis=0)
    return [round(100 * (best == i).mean(), 1) for i in range(len(keys))]


def infimum(upper, n, within=0.5):
    """Return the lowest coverage of a bound that grows with the count, next to its values."""
    k = np.arange(len(upper))[upper <= within]
    return binom.sf(k, n, upper[k]).min()


def true_sigma_coverage(error, printed):
    """Return the coverage of Eq. 39 with the true variance at n = 50."""
    n, sigma = 50, np.sqrt(error * (1 - error))
    width = sigma * np.sqrt(2 * LEVEL / n) + LEVEL / (3 * n)
    if printed:
        width = sigma * np.sqrt(2 * LEVEL / n + LEVEL / (3 * n))
    k = np.arange(n + 1)
    return binom.pmf(k[k / n + width >= error], n, error).sum()


def normal_coverage(n, delta):
    """Return the exact coverage of T_HOE if the mean is normal, clipped to [0, 1]."""
    errors, mean = np.linspace(0.01, 0.5, 50), np.linspace(0, 1, 2001)
    upper = bounds.upper("T_HOE", mean, n, delta=delta)
    lowest = np.interp(errors, upper, mean)
    tail = norm.sf(lowest, errors, np.sqrt(errors * (1 - errors) / n))
    return np.where(upper[0] >= errors, 1.0, tail)


def two_folds(m, error, delta):
    """Return the coverage of the average of two independent Clopper-Pearson bounds."""
    k = np.arange(m + 1)
    law, upper = binom.pmf(k, m, error), bounds.upper("CP", k / m, m, delta=delta)
    return law @ ((upper[:, np.newaxis] + upper) / 2 >= error) @ law


def worst_coupling(key, m, error):
    """Return the largest failure probability of the average of two bounds, over all couplings."""
    k = np.arange(m + 1)
    law, upper = binom.pmf(k, m, error), bounds.upper(key, k / m, m)
    fails = (upper[:, np.newaxis] + upper) / 2 < error
    one, eye = np.ones((1, m + 1)), sparse.eye(m + 1)
    margins = sparse.vstack([sparse.kron(eye, one), sparse.kron(one, eye)]).tocsr()
    solution = linprog(-fails.ravel().astype(float), A_eq=margins, b_eq=np.r_[law, law])
    return -solution.fun


@pytest.mark.parametrize("lines", marked("claims.txt"))
def test_claims(lines):
    wrong = list(faults(lines, NAMES | globals()))
    assert not wrong, "\n".join(wrong)
