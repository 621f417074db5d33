"""The cells of two coefficients give the same suprema by an independent method."""

import numpy as np
import pytest

from errlab.training_set import cud_supremum
from errlab_book.cud_cells import cud_cells


@pytest.mark.slow
def test_the_best_cell_is_the_supremum():
    for case in range(300):
        rng = np.random.default_rng(case)
        n = int(rng.integers(4, 15))
        x = rng.integers(-3, 4, n) if case % 2 else rng.normal(size=n)
        Z, y = np.column_stack([np.ones(n), x]), rng.choice([-1.0, 1.0], n)
        m = rng.multinomial(n, np.ones(n) / n)
        if len(set(x[m > 0])) > 1:
            alpha = float(n) ** (0.5, 1, 2)[case % 3]
            cells = cud_cells(Z, y, m, alpha=alpha)
            right = cud_supremum(Z, y, [m], alpha=alpha)[0]
            assert cells.value.max() == pytest.approx(right, abs=1e-9), case
            assert len(cells.angles) == 2 * len(set(x))
            assert np.ptp(cells.angles, axis=1).sum() == pytest.approx(2 * np.pi)


def test_what_it_says_of_a_cell_is_true_there():
    rng = np.random.default_rng(1)
    Z, y = rng.normal(size=(12, 2)), rng.choice([-1.0, 1.0], 12)
    m = rng.multinomial(12, np.ones(12) / 12)
    cells = cud_cells(Z, y, m)

    def loss(beta):
        return np.mean(m * (y - Z @ beta) ** 2)

    tried = cells.centre + rng.normal(size=(4000, 2))
    turn = np.arctan2(tried[:, 1], tried[:, 0])
    for (low, high), deviation, gain in zip(cells.angles, cells.deviation, cells.gain, strict=True):
        for beta in tried[(turn - low) % (2 * np.pi) < high - low]:
            wrong = np.where(Z @ beta > 0, 1, -1) != y
            assert np.mean((m - 1) * wrong) == pytest.approx(deviation)
            assert min(1, 1 + 12 * (loss(cells.fit) - loss(beta))) <= gain + 1e-12
    steps = 1e-3 * rng.normal(size=(50, 2))
    assert min(loss(cells.centre + step) for step in steps) >= loss(cells.centre)
    step = tried[0] - cells.centre
    assert loss(tried[0]) - loss(cells.centre) == pytest.approx(step @ cells.loss @ step)
