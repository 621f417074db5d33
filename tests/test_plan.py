"""The power of a margin: against enumeration and the interval; plans are in data/values.txt."""

import numpy as np
import pytest
import scipy

from errlab.compare._fay_lumbard import margin_pvalue, melded
from errlab.compare._power import margin_power


@pytest.mark.slow
def test_the_power_of_a_margin_is_the_sum_over_all_tables():
    for n, p01, p10, margin in (
        (25, 0.1, 0.1, 0.2), (40, 0.15, 0.05, 0.05), (25, 0.0, 0.05, 0.3), (20, 0.5, 0.4, 0.4),
    ):  # fmt: skip
        x, y = np.indices((n + 1, n + 1)).reshape(2, -1)
        x, y = x[x + y <= n], y[x + y <= n]
        mass = scipy.stats.multinomial.pmf(np.c_[x, y, n - x - y], n, [p01, p10, 1 - p01 - p10])
        low = melded(x.astype(float), y.astype(float), np.full(len(x), float(n)), delta=0.05).low
        result = margin_power(n, p01, p10, margin=margin)
        assert result == pytest.approx(mass[low >= -margin].sum(), abs=1e-9)


@pytest.mark.slow
def test_a_margin_is_claimed_as_the_interval_says():
    for n in (5, 40, 300):
        for m in (0, 1, n // 3, n):
            x, size = np.arange(m + 1.0), np.full(m + 1, float(n))
            low = melded(x, m - x, size, delta=0.05).low
            for d in (0.01, 0.1, 0.7):
                assert ((margin_pvalue(x, m - x, size, d) <= 0.05) == (low >= -d)).all()
