"""Size and power of the comparisons, and the sample sizes that follow from them."""

import warnings

import mpmath as mp
import numpy as np
import pytest
from scipy import integrate, special, stats
from statsmodels.stats.power import TTestPower

from errlab import compare
from errlab.compare import (
    corrected_resampled_t,
    five_by_two_cv_f,
    five_by_two_cv_t,
    five_by_two_power,
    mcnemar,
    mcnemar_power,
    paired_t_power,
)
from errlab.compare.power_t import t_power

SPLIT = {"n_train": 90, "n_test": 10}


def test_paired_t_power_agrees_with_statsmodels():
    # statsmodels 0.15
    expected = TTestPower().power(0.02 / 0.03, 10, 0.05)
    assert paired_t_power(0.02, 0.03, 10) == pytest.approx(expected, rel=1e-9)
    assert paired_t_power(-0.02, 0.03, 10) == pytest.approx(expected, rel=1e-9)
    assert paired_t_power(0, 0.03, 10) == pytest.approx(0.05, rel=1e-12)
    assert paired_t_power(50, 0.03, 10) == pytest.approx(1, abs=1e-12)


def noncentral_t_tails(df, shift, bound):
    """P(|T| >= bound), integrated over the denominator with 20 digits."""
    with mp.workdps(20):
        df, shift, bound = mp.mpf(df), mp.mpf(shift), mp.mpf(bound)
        log_k = mp.log(2) + df / 2 * mp.log(df / 2) - mp.loggamma(df / 2)

        def density(s):
            if s == 0:
                return mp.mpf(0)
            tails = mp.ncdf(shift - bound * s) + mp.ncdf(-shift - bound * s)
            return mp.exp(log_k + (df - 1) * mp.log(s) - df * s**2 / 2) * tails

        sd = 1 / mp.sqrt(2 * df)
        points = [1 + k * sd for k in (-8, -4, -2, -1, 0, 1, 2, 4, 8, 14)]
        points += [(shift + k) / bound for k in (-8, -4, -2, 0, 2, 4, 8)]
        return float(mp.quad(density, sorted({mp.mpf(0), *(p for p in points if p > 0)})))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("df", "shift", "delta"),
    # noncentralities from 8 to 40, where scipy's nct is nan for half of all values
    [
        (1, 8, 0.05),
        (1, 40, 0.001),
        (2, 20, 0.05),
        (9, 13.3, 1e-6),
        (9, 31.6, 1e-8),
        (29, 8.5, 0.6),
        (99, 12, 1e-12),
        (1, 0.3, 0.95),
    ],
)
def test_noncentral_t_to_ten_digits(df, shift, delta):
    bound = -special.stdtrit(df, delta / 2)
    expected = noncentral_t_tails(df, shift, bound)
    assert t_power(df, shift, bound) == pytest.approx(expected, abs=1e-11)


def test_the_power_of_the_review():
    # faults.md, H2: nan at 8 to 40; 0.4698 with one degree of freedom
    assert t_power(1, 8, stats.t.isf(0.025, 1)) == pytest.approx(0.4698, abs=5e-5)
    assert paired_t_power(1, 0.1, 10) == pytest.approx(1, abs=1e-12)
    assert paired_t_power(0.02, 0.003, 10) == pytest.approx(1, abs=1e-12)
    assert compare.sample_size(lambda n: paired_t_power(0.02, 0.003, n)) == 3


@pytest.mark.slow
def test_power_is_a_number_that_rises_everywhere():
    shifts = np.linspace(0, 60, 121)
    for df in (1, 2, 4, 9, 30, 1000):
        for delta in (1e-200, 1e-9, 0.05, 0.5, 1 - 1e-16):
            bound = stats.t.isf(max(delta / 2, 1e-200), df)
            power = np.array([t_power(df, shift, bound) for shift in shifts[:: 1 + df // 5]])
            assert ((power >= 0) & (power <= 1)).all()
            assert (np.diff(power) >= -1e-14).all()
    for df in (1, 3, 50):
        for delta in (1e-12, 0.01, 0.05, 0.7):
            assert t_power(df, 0, stats.t.isf(delta / 2, df)) == pytest.approx(delta, rel=1e-9)


@pytest.mark.parametrize("test", ["t", "F", "paired"])
@pytest.mark.parametrize("delta", [1e-200, 1e-12, 0.05, 1 - 1e-16])
def test_extreme_arguments_give_a_power(test, delta):
    for difference, sd in ((0, 5e-324), (5e-324, 1), (1, 1e-300), (1e300, 1e-300), (0.02, 0.03)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            if test == "paired":
                power = paired_t_power(difference, sd, 5, delta=delta)
            else:
                power = five_by_two_power(difference, sd, method=test, delta=delta)
        assert 0 <= power <= 1


def test_corrected_power_by_simulation_of_its_model():
    rng = np.random.default_rng(3)
    rho = 0.1
    common = rng.normal(size=(40_000, 1)) * np.sqrt(rho)
    d = 0.8 + common + rng.normal(size=(40_000, 10)) * np.sqrt(1 - rho)
    found = (corrected_resampled_t(d, **SPLIT).pvalue <= 0.05).mean()
    power = paired_t_power(0.8, 1, 10, **SPLIT)
    assert found == pytest.approx(power, abs=0.01)  # Monte Carlo error 0.0025
    d -= 0.8
    assert (corrected_resampled_t(d, **SPLIT).pvalue <= 0.05).mean() == pytest.approx(
        0.05, abs=0.005
    )


@pytest.mark.slow
@pytest.mark.parametrize(("test", "function"), [("F", five_by_two_cv_f), ("t", five_by_two_cv_t)])
def test_five_by_two_power_by_simulation_of_its_model(test, function):
    noise = np.random.default_rng(4).normal(size=(100_000, 5, 2))
    for shift in (0, 1.2, 3):  # Monte Carlo error at most 0.0016
        found = (function(noise + shift).pvalue <= 0.05).mean()
        power = five_by_two_power(shift, 1, method=test)
        assert power == pytest.approx(found, abs=0.005)
    assert five_by_two_power(0, 1, method=test) < 0.05
    assert five_by_two_power(1e4, 1, method=test) == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize(("effect", "delta"), [(1, 0.05), (2.5, 0.01), (0.4, 0.3)])
def test_five_by_two_t_power_by_integration_over_the_plane(effect, delta):
    # p_1 = (u + v) / sqrt 2 and s_1 = |v|; s_2^2 + ... + s_5^2 = w is chi-squared with 4 df
    bound = stats.t.isf(delta / 2, 5)

    def rejected(w, v):
        edge = np.sqrt(0.4) * bound * np.sqrt(v**2 + w)
        centre = np.sqrt(2) * effect
        tails = special.ndtr(centre + v - edge) + special.ndtr(-centre - v - edge)
        return stats.norm.pdf(v) * w * np.exp(-w / 2) / 4 * tails

    expected = integrate.dblquad(rejected, -9, 9, 0, 70, epsabs=1e-8)[0]
    power = five_by_two_power(effect, 1, method="t", delta=delta)
    assert power == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("effect", "delta"), [(0.5, 0.05), (2, 1e-4), (1, 0.4), (400, 1e-12)])
def test_five_by_two_f_power_by_integration(effect, delta):
    # f = (1 + U / V) / 2 with U noncentral and V central chi-squared, 5 df each
    small = special.betaincinv(2.5, 5, delta)  # scipy's f.isf is off by 1e-5 at delta = 1e-12
    bound = (1 - small) / small - 1

    def rejected(v):
        return stats.chi2.pdf(v, 5) * stats.ncx2.sf(bound * v, 5, 10 * effect**2)

    edge = 10 * effect**2 / bound  # where U is about bound V
    expected = sum(
        integrate.quad(rejected, a, b, epsabs=1e-12, limit=200)[0]
        for a, b in ((0, edge / 2), (edge / 2, 2 * edge), (2 * edge, max(80, 4 * edge)))
    )
    power = five_by_two_power(effect, 1, delta=delta)
    assert power == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(
    "power",
    [
        lambda n: mcnemar_power(n, 0.06, 0.02),
        lambda n: paired_t_power(0.02, 0.05, n),
        lambda n: compare.two_proportions_power(0.1, n, 0.3, n),
    ],
)
def test_sample_size_reaches_the_power_and_one_less_does_not(power):
    n = compare.sample_size(power, power=0.8)
    assert power(n) >= 0.8 > power(n - 1)
    assert compare.sample_size(power, power=0.8, start=n + 50) == n + 50


@pytest.mark.parametrize(
    ("power", "error", "message"),
    [
        (lambda n: np.nan, ValueError, r"power_at\(2\) must be finite, got nan"),
        (lambda n: 1.5, ValueError, r"power_at\(2\) must lie in \[0, 1\], got 1.5"),
        (lambda n: [0.5], ValueError, r"power_at\(2\) must be a single number"),
        (lambda n: None, TypeError, r"power_at\(2\) must hold real numbers"),
        (0.8, TypeError, "power_at must be a function of the sample size, got 0.8"),
    ],
)
def test_sample_size_takes_no_other_power_than_a_probability(power, error, message):
    with pytest.raises(error, match=message):
        compare.sample_size(power)


@pytest.mark.parametrize("method", ["exact", "mid-p", "z"])
def test_mcnemar_power_by_the_trinomial(method):
    n, p01, p10 = 25, 0.3, 0.1
    a, b = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    inside = a + b <= n
    a, b = a[inside], b[inside]
    weight = stats.multinomial.pmf(np.stack([a, b, n - a - b], -1), n, [p01, p10, 1 - p01 - p10])
    expected = weight @ (mcnemar(a, b, method=method).pvalue <= 0.05)
    assert mcnemar_power(n, p01, p10, method=method) == pytest.approx(expected, abs=1e-12)
    assert mcnemar_power(n, 0, 0, method=method) == 0
    many = mcnemar_power(n, [[0], [p01]], [0, p10], method=method)
    assert many[0, 0] == 0
    assert many[1, 1] == mcnemar_power(n, p01, p10, method=method)


@pytest.mark.parametrize("method", ["newcombe", "normal", "pooled"])
def test_two_proportions_power_by_enumeration(method):
    a, b = np.arange(21)[:, None], np.arange(31)[None, :]
    rejected = compare.two_proportions(a, 20, b, 30, method=method).pvalue <= 0.05
    weight = stats.binom.pmf(a, 20, 0.2) * stats.binom.pmf(b, 30, 0.5)
    power = compare.two_proportions_power(0.2, 20, 0.5, 30, method=method)
    assert power == pytest.approx((weight * rejected).sum(), abs=1e-12)


def test_newcombe_p_of_five_cases_is_no_exact_one():
    """What the docstring of `paired_difference` warns of."""
    n = 5
    cells = [
        (a, b, c, n - a - b - c)
        for a in range(n + 1)
        for b in range(n + 1 - a)
        for c in range(n + 1 - a - b)
    ]
    tables = np.reshape(cells, (-1, 2, 2))
    rejected = compare.paired_difference(tables, method="newcombe").pvalue <= 0.05
    exact = compare.paired_difference(tables, method="exact").pvalue <= 0.05
    worst = worst_exact = 0.0
    for alone in np.linspace(0.01, 0.5, 50):  # equal error rates: both alone wrong as often
        for both in np.linspace(0, 1 - 2 * alone, 21):
            chances = [both, alone, alone, max(1 - both - 2 * alone, 0)]
            weight = stats.multinomial.pmf(cells, n, chances)
            worst = max(worst, weight @ rejected)
            worst_exact = max(worst_exact, weight @ exact)
    assert worst == pytest.approx(0.13, abs=0.005)
    assert worst_exact <= 0.05
    assert "type I error at level\n        0.05 reaches 0.13" in compare.paired_difference.__doc__
