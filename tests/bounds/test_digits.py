"""The ends of the binary and the bounded bounds, to the last digit, against 40-digit arithmetic.

Each lower end is computed directly, so that one of 1e-9 has all of its digits. An end that is a
difference of two numbers can't be more precise than they are, so it may have the error of the mean.
"""

from itertools import product
from math import comb

import mpmath as mp
import numpy as np
import pytest
from marks import slow

from errlab import bounds
from errlab._numerics.roots import beta_quantile

DIGITS = 60  # so that their differences have 40 correct digits
SIZES = (1, 2, 10, 200, 10**4, 10**7)
DELTAS = (1e-7, 1e-3, 0.025, 0.5)
NONE = 1e-45  # 0, computed with 60 digits


def counts(n):
    return sorted({k for k in (0, 1, 2, 5, n // 10, n // 2, n - 2, n - 1, n) if 0 <= k <= n})


def quantile(delta):
    return mp.sqrt(2) * mp.erfinv(1 - 2 * delta)


def root(centre, a, c):
    """Return the largest root of (L - centre)^2 = c + a L (1 - L)."""
    half = centre + a / 2
    return (half + mp.sqrt(half**2 - (1 + a) * (centre**2 - c))) / (1 + a)


def agresti_coull(p, n, d):
    z = quantile(d)
    size = n + z**2
    centre = (n * p + z**2 / 2) / size
    return centre + z * mp.sqrt(centre * (1 - centre) / size)


def guttman(p, n, d):
    if n == 1:
        return mp.mpf(1)
    return root(p, mp.sqrt(mp.mpf(2) / (n * (n - 1) * d)), p * (1 - p) / (n - 1))


def bernstein(p, n, d):
    t = -mp.log(d) / n
    return root(p + t / 3, 2 * t, 0) if p + t / 3 < 1 else mp.mpf(1)


def maurer_pontil(p, n, d):
    if n == 1:
        return mp.mpf(1)
    level = mp.log(2 / d)
    return p + mp.sqrt(2 * p * (1 - p) * level / (n - 1)) + 7 * level / (3 * (n - 1))


def tight_hoeffding(p, n, d):
    """Solve for x = log((1 - p) / (1 - L)) from above."""
    t = -mp.log(d) / n
    if p == 1 or p == 0:
        return 1 - mp.exp(-t) if p == 0 else mp.mpf(1)

    def excess(x):
        return (1 - p) * x - p * mp.log1p((1 - p) * -mp.expm1(-x) / p) - t

    x = mp.findroot(excess, (t - p * mp.log(p)) / (1 - p), verify=False, maxsteps=400)
    return 1 - (1 - p) * mp.exp(-x)


# upper ends at 40 digits; the lower one is 1 - upper(1 - mean)
DIRECT = {
    "WIL": lambda p, n, d: root(p, quantile(d) ** 2 / n, 0),
    "CHE": lambda p, n, d: root(p, 1 / (n * d), 0),
    "T_HOE": tight_hoeffding,
}
DIFFERENCES = {
    "NOR": lambda p, n, d: p + quantile(d) * mp.sqrt(p * (1 - p) / n),
    "AC": agresti_coull,
    "GUT": guttman,
    "BER": bernstein,
    "MAU": maurer_pontil,
    "CRF": lambda p, n, d: p + mp.sqrt(-2 * p * mp.log(d) / n) - 2 * mp.log(d) / n,
    "HOE": lambda p, n, d: p + mp.sqrt(-mp.log(d) / (2 * n)),
}


@pytest.mark.parametrize("key", slow([*DIRECT, *DIFFERENCES], "AC", "NOR", "T_HOE", "WIL"))
def test_both_ends_of_closed_forms(key):
    formula = (DIRECT | DIFFERENCES)[key]
    with mp.workdps(DIGITS):
        for n, delta in product(SIZES, DELTAS):
            low = bounds.lower(key, errors=counts(n), n=n, delta=delta)
            high = bounds.upper(key, errors=counts(n), n=n, delta=delta)
            for i, errors in enumerate(counts(n)):
                p, d = mp.mpf(errors) / n, mp.mpf(delta)
                right_high = min(formula(p, n, d), 1)
                right_low = max(1 - formula(1 - p, n, d), 0)
                where = (key, n, errors, delta)
                assert abs(high[i] - right_high) <= 2e-14 * right_high + NONE, where
                lost = 1 if key in DIRECT or right_low == 0 else max(1, p / right_low)
                assert abs(low[i] - right_low) <= 2e-14 * lost * right_low + NONE, where


# --- the beta quantile --------------------------------------------------------------------------


def tail_error(a, b, delta, result):
    """Return relative errors of x and of 1 - x, by a Newton step for logit(x) at many digits."""
    a, b, delta = mp.mpf(a), mp.mpf(b), mp.mpf(delta)
    small = result.value <= 0.5
    x = mp.mpf(result.value) if small else 1 - mp.mpf(result.complement)
    y = 1 - x
    log_density = a * mp.log(x) + b * mp.log(y) - mp.loggamma(a) - mp.loggamma(b)
    log_density += mp.loggamma(a + b)
    start, z = (a, x) if small else (b, y)
    term = total = mp.mpf(1)
    j = 0
    while term > total * mp.mpf(10) ** -(mp.mp.dps - 8):
        term *= (a + b + j) * z / (start + 1 + j)
        total += term
        j += 1
    part = total / start * mp.exp(log_density)  # the probability of the end that is nearer
    tail = part if small else 1 - part
    off = mp.log(tail / delta) * tail / mp.exp(log_density)
    return abs(off * y), abs(off * x)


@pytest.mark.parametrize("delta", slow([1e-30, 1e-7, 1e-3, 0.025, 0.2, 0.5, 0.7, 0.999], 1e-30))
def test_beta_quantile_to_11_digits_and_of_millions_to_8(delta):
    cases = [
        (k + half, n - k + 1 - half)
        for half in (0, 0.5)  # Clopper and Pearson's quantiles, and Jeffreys'
        for n in (1, 2, 3, 5, 10, 30, 100, 300, 1000, 10**5, 10**7)
        for k in {0, 1, 2, 3, 5, 10, n // 2, n - 10, n - 5, n - 2, n - 1, n}
        if 0.5 <= k + half <= n + half and (n <= 1000 or min(k, n - k) < 100)
    ]
    a, b = np.array(cases).T
    result = beta_quantile(a, b, np.array(delta))
    with mp.workdps(70 if delta < 1e-20 else 32):
        for case, x, y in zip(cases, *result, strict=True):
            errors = tail_error(*case, delta, type(result)(x, y))
            assert max(errors) < (3e-12 if sum(case) < 1e6 else 1e-8), case


def test_beta_quantile_of_huge_counts():
    for n in (1e9, 3e9, 1e12):
        a, delta = np.array([0.3 * n, 0.5 * n]), np.array(0.025)
        x = beta_quantile(a, n - a, delta).value
        z = float(quantile(0.025))
        spread = np.sqrt(a * (n - a) / n) / n
        np.testing.assert_allclose(x, a / n - z * spread, rtol=30 / n)


# --- Bentkus ------------------------------------------------------------------------------------


def bentkus_ratio(error, x, n):
    """Return the smallest E (h - B)_+ / (h - x) over integers h above x."""
    law = [mp.binomial(n, j) * error**j * (1 - error) ** (n - j) for j in range(n + 1)]
    best, hinge, below = mp.inf, mp.mpf(0), mp.mpf(0)
    for h in range(n + 1):
        if h > x:
            best = min(best, hinge / (h - x))
        below += law[h]
        hinge += below
    return best


@pytest.mark.slow
@pytest.mark.parametrize("delta", [1e-7, 0.025, 0.5])
def test_both_ends_of_bentkus(delta):
    with mp.workdps(DIGITS):
        for n, side in product((1, 2, 10, 60), ("upper", "lower")):
            for x in counts(n)[:-1]:
                k = x if side == "upper" else n - x
                end = mp.mpf(getattr(bounds, side)("BEN", errors=k, n=n, delta=delta))

                def excess(at, x=x, n=n, side=side):
                    error = at if side == "upper" else 1 - at
                    return mp.log(bentkus_ratio(error, x, n) / mp.mpf(delta))

                slope = mp.diff(excess, end, h=end * mp.mpf(10) ** -15)
                assert abs(excess(end) / slope) < 2e-13 * end, (side, n, k)
            reached = getattr(bounds, side)("BEN", errors=n * (side == "upper"), n=n, delta=delta)
            assert reached == (side == "upper")


# --- betting ------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", ["upper", "lower"])
def test_both_ends_of_betting_meet_the_capital(side):
    # a loop that computes the capital at the end itself
    for n, scale in ((30, 1), (200, 1), (4000, 1), (4000, 0.01)):
        losses = np.random.default_rng(5).beta(1, 3, n) * scale
        end = getattr(bounds, side)("BET", losses=losses, order="given", delta=0.05)
        gain, rest = (1 - losses, 1 - end) if side == "upper" else (losses, end)
        wealth, best, mean_sum, square_sum, var = 0.0, 0.0, 0.5, 0.25, 0.25
        for i, g in enumerate(gain):
            stake = min(np.sqrt(2 * np.log(20) / (n * var)), 0.75 / rest)
            wealth += np.log1p(stake * (g - rest))
            best = max(best, wealth)
            mean_sum += g
            square_sum += (g - mean_sum / (i + 2)) ** 2
            var = square_sum / (i + 2)
        assert best == pytest.approx(np.log(20), rel=1e-9), (n, scale)


@pytest.mark.parametrize("delta", [1e-300, 1e-260, 1e-120])
def test_the_smallest_levels_have_the_tail_that_they_promise(delta):
    """SciPy's quantile at 1e-300 had a tail of 1e-286."""
    with mp.workdps(60):
        for errors, n in ((37, 333), (300, 333), (0, 333), (37, 1000), (3, 20)):
            low = mp.mpf(bounds.lower("CP", errors=n - errors, n=n, delta=delta))
            tail = sum(comb(n, j) * (1 - low) ** j * low ** (n - j) for j in range(errors + 1))
            assert float(tail / delta) == pytest.approx(1, rel=1e-9), (errors, n)
