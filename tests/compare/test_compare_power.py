"""Size and power of the comparisons, and the sample sizes that follow from them."""

import itertools

import numpy as np
import pytest
from scipy import stats

from errlab import compare
from errlab.compare import mcnemar, mcnemar_power


def test_power_is_a_sum_over_all_tables():
    n, p01, p10 = 25, 0.3, 0.1
    a, b = np.transpose([(a, b) for a in range(n + 1) for b in range(n + 1 - a)])
    weight = stats.multinomial.pmf(np.stack([a, b, n - a - b], -1), n, [p01, p10, 1 - p01 - p10])
    for method in ("exact", "mid-p", "z"):
        expected = weight @ (mcnemar(a, b, method=method).pvalue <= 0.05)
        power = mcnemar_power(n, [[0], [p01]], [0, p10], method=method)
        assert power[1, 1] == pytest.approx(expected, abs=1e-12), method
        assert power[0, 0] == 0 == mcnemar_power(n, 0, 0, method=method)
        assert power[1, 1] == mcnemar_power(n, p01, p10, method=method)
    a, b = np.arange(21)[:, None], np.arange(31)[None, :]
    weight = stats.binom.pmf(a, 20, 0.2) * stats.binom.pmf(b, 30, 0.5)
    for method in ("newcombe", "normal", "pooled"):
        rejected = compare.two_proportions(a, 20, b, 30, method=method).pvalue <= 0.05
        power = compare.two_proportions_power(0.2, 20, 0.5, 30, method=method)
        assert power == pytest.approx((weight * rejected).sum(), abs=1e-12), method


def test_newcombe_p_of_five_cases_is_no_exact_one():
    """The docstring of `paired_difference` warns of this."""
    n = 5
    cells = [cell for cell in itertools.product(range(n + 1), repeat=4) if sum(cell) == n]
    tables = np.reshape(cells, (-1, 2, 2))
    rejected = compare.paired_difference(tables, method="newcombe").pvalue <= 0.05
    # equal error rates: each model is alone wrong equally often
    errors = [
        stats.multinomial.pmf(cells, n, [both, alone, alone, max(1 - both - 2 * alone, 0)])
        @ rejected
        for alone in np.linspace(0.01, 0.5, 50)
        for both in np.linspace(0, 1 - 2 * alone, 21)
    ]
    assert max(errors) == pytest.approx(0.13, abs=0.005)
    words = " ".join(str(compare.paired_difference.__doc__).split())
    assert "with 5 examples and level 0.05, Newcombe's type I error reaches 0.13" in words
