"""What the small-sample paper (Laber & Murphy, UAI 2008) prints, checked."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from errlab import bounds, datasets, training_set
from errlab.training_set import LeastSquares, cud_supremum

PRINTED = json.loads(
    (Path(__file__).parents[2] / "errlab/book/studies/laber_murphy_tables.json").read_text("utf-8")
)
COLUMNS = PRINTED["columns"]
SETS = list(PRINTED["tables"]["coverage 30"])
# Tables 2 and 4 (coverage) and 3 and 5 (diameter)
COVERAGE, DIAMETER = (
    {n: list(PRINTED["tables"][f"{what} {n}"].values()) for n in (30, 50)}
    for what in ("coverage", "diameter")
)


def table(source, n):
    values = np.array(source[n])
    assert values.shape == (12, 7)
    return dict(zip(COLUMNS, values.T, strict=True))


def test_parts_of_the_diabetes_row_repeat_too():
    row = SETS.index("diabetes")
    for column in ("BS1", "BS2", "K"):
        assert COVERAGE[30][row][COLUMNS.index(column)] == COVERAGE[50][row][COLUMNS.index(column)]
    assert DIAMETER[30][row][0] == DIAMETER[50][row][0]


def test_printed_l_is_too_wide_for_50_cases():
    low, high = bounds.interval("CP", 0.5, 50)  # the widest of all at n = 50
    assert high - low == pytest.approx(0.289, abs=5e-4)
    assert table(DIAMETER, 50)["L"].min() > 0.289
    low, high = bounds.interval("CP", 0.5, 30)
    assert high - low == pytest.approx(0.374, abs=5e-4)
    assert table(DIAMETER, 30)["L"].max() <= 0.374
    low, high = bounds.interval("CP", 0.5, 11)  # n - n*, as the text says
    assert high - low > 0.55


def test_m_follows_k_of_fifty_cases_and_is_as_wide_as_thirty():
    """Which of the two columns M is the copy is open: the two signs point to different sizes."""
    rows = np.array(SETS) != "chi2_small"  # some entry of that row is misprinted
    left = {}
    for n in (30, 50):
        m, k = table(DIAMETER, 50)["M"][rows], table(DIAMETER, n)["K"][rows]
        left[n] = np.sqrt(np.mean((m - np.polyval(np.polyfit(k, m, 1), k)) ** 2))
    assert left[50] < 0.0006  # half a unit of the last digit is 0.0005
    assert left[30] > 0.003
    ends = stats.beta.interval(0.95, 1 + 50 * 0.5, 1 + 50 * 0.5)
    assert table(DIAMETER, 50)["M"].min() > ends[1] - ends[0]  # too wide for 50 cases


@pytest.mark.parametrize("n", [30, 50])
def test_printed_widths_of_k_fit_an_effective_size_of_n(n):
    widest = 2 * stats.norm.ppf(0.975) * 0.5 / np.sqrt(n)
    widths = table(DIAMETER, n)["K"]
    assert widths.max() < widest
    assert widths.max() > 0.92 * widest  # with .632 n the widest would be 1.26 times that


def test_cud_has_the_coverage_everywhere_and_is_narrowest_on_two_sets():
    for n in (30, 50):
        assert (table(COVERAGE, n)["CUD"] >= 0.95).all()
    others = [k for k in COLUMNS if (table(COVERAGE, 30)[k] >= 0.95).all()]
    assert others == ["CUD"]
    covered, width = np.array(COVERAGE[30]) >= 0.95, np.array(DIAMETER[30])
    best = np.where(covered, width, np.inf).argmin(axis=1)
    narrowest = [name for name, k in zip(SETS, best, strict=True) if k == 0]
    assert narrowest == ["donut", "ionosphere"]


def test_counting_the_right_cases_turns_the_posterior_over():
    # 30 cases, 6 errors, uniform prior: z_i as printed counts the 24 right ones
    assert stats.beta(1 + 24, 1 + 6).mean() == pytest.approx(0.781, abs=5e-4)
    assert stats.beta(1 + 6, 1 + 24).mean() == pytest.approx(0.219, abs=5e-4)
    X, y, _ = datasets.gaussian_mixture(30, separation=4.0, rng=0)
    assert training_set.martin(LeastSquares(), X, y, rng=0).high < 0.5


def test_alpha_to_infinity_is_not_the_bootstrap_of_the_training_error():
    """It remains a supremum over all coefficients whose loss is no larger than the fit's."""
    n = 30
    X, y, _ = datasets.gaussian_mixture(n, separation=1.0, rng=0)
    Z = LeastSquares().design(X)
    counts = np.random.default_rng(0).multinomial(n, np.ones(n) / n, size=200)
    limit = cud_supremum(Z, y, counts, alpha=1e9)
    wrong = LeastSquares().fit(X, y).predict(X) != y
    plain = np.abs((counts - 1) @ wrong) / n
    assert (limit >= plain - 1e-9).all()
    assert np.mean(limit > plain + 1e-9) > 0.5


def test_alpha_to_zero_is_the_uniform_deviation():
    n = 20
    X, y, _ = datasets.gaussian_mixture(n, p=1, rng=0)
    counts = np.random.default_rng(0).multinomial(n, np.ones(n) / n, size=50)
    order = np.argsort(X[:, 0])
    sums = np.cumsum(((counts - 1) * y)[:, order], axis=1)  # labels -1 left of the threshold
    sums = np.hstack([np.zeros((50, 1)), sums])
    total = ((counts - 1) * (y == 1)).sum(axis=1)[:, None]
    # errors at a threshold: positives left of it, negatives right of it; and the reverse
    deviation = np.abs(sums + ((counts - 1) * (y == -1)).sum(axis=1)[:, None])
    reverse = np.abs(total - sums)
    expected = np.maximum(deviation, reverse).max(axis=1) / n
    found = cud_supremum(LeastSquares().design(X), y, counts, alpha=1e-9)
    assert found == pytest.approx(expected, abs=1e-6)
