"""Grouped examples: against matrix algebra and statsmodels, by hand, and in edge cases."""

import datetime
import itertools

import numpy as np
import pytest
from areas import written_out
from scipy import linalg, stats
from statsmodels.regression.linear_model import OLS

from errlab import compare, metrics
from errlab._numerics.groups import grouped
from errlab.compare._groups import grouped_difference
from errlab.metrics._area_interval import df_of_classes

RNG = np.random.default_rng(17)
SIZES = RNG.integers(1, 9, 40)
GROUPS = np.repeat(np.arange(40), SIZES)
LEVELS = RNG.beta(1, 3, 40)[GROUPS]
LOSSES = (RNG.random(len(GROUPS)) < LEVELS).astype(float)
OTHERS = (RNG.random(len(GROUPS)) < 0.8 * LEVELS).astype(float)


def robust(values, groups):
    """Mean, CR2 standard error and Satterthwaite's degrees of freedom by their general definition.

    Pustejovsky and Tipton (2018), Eqs. 6, 8 and 11, for least squares on a constant: with the hat
    matrix H, A_g = (I - H_gg)^(-1/2), and V = sum (x' A_g e_g)^2 / n^2 for residuals e = (I - H) y.
    """
    n = len(values)
    x = np.ones((n, 1))
    residual = np.eye(n) - x @ x.T / n
    rows = []
    for g in np.unique(groups):
        inside = np.flatnonzero(groups == g)
        adjust = linalg.fractional_matrix_power(residual[np.ix_(inside, inside)], -0.5)
        rows.append(x[inside, 0] @ np.real(adjust) @ residual[inside] / n)
    form = np.array(rows)
    gram = form @ form.T  # the variance for independent examples with variance 1
    return values.mean(), np.linalg.norm(form @ values), np.trace(gram) ** 2 / (gram**2).sum()


def test_grouped_t_is_cr2_with_satterthwaites_df():
    for values in (LOSSES, RNG.normal(3, 2, len(GROUPS)) + 5 * LEVELS):
        mean, error, df = robust(values, GROUPS)
        result = metrics.grouped_t(values, groups=GROUPS, delta=0.1)
        assert (result.estimate, result.standard_error) == pytest.approx((mean, error), rel=1e-10)
        assert result.df == pytest.approx(df, rel=1e-10)
        assert df < 39
        ends = mean + error * stats.t.ppf([0.05, 0.95, 0.9], df)
        assert (result.low, result.high, result.upper) == pytest.approx(ends, rel=1e-10)
        assert (result.groups, result.n, result.guarantee) == (40, len(GROUPS), "asymptotic")
        assert result.effective_groups == pytest.approx(len(GROUPS) ** 2 / (SIZES**2).sum())
    mean, error, df = robust(LOSSES - OTHERS, GROUPS)
    pair = grouped_difference(LOSSES, OTHERS, groups=GROUPS, delta=0.1)
    assert (pair.estimate, pair.statistic) == pytest.approx((mean, mean / error))
    assert pair.pvalue == pytest.approx(2 * stats.t.sf(abs(mean / error), df))
    assert tuple(pair.interval) == pytest.approx(mean + error * stats.t.ppf([0.05, 0.95], df))
    # a tail of 1e-300 has a t quantile
    result = metrics.grouped_t(LOSSES, groups=GROUPS, delta=1e-300)
    assert -np.inf < result.low < 0 < 1 < result.high < np.inf


def test_for_groups_of_one_size_it_is_the_cluster_robust_t_of_statsmodels():
    values, groups = RNG.random(60), np.repeat(np.arange(12), 5)
    fit = OLS(values, np.ones(60)).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    result = metrics.grouped_t(values, groups=groups, delta=0.1)
    assert result.standard_error == pytest.approx(fit.bse[0], rel=1e-10)
    assert (result.low, result.high) == pytest.approx(tuple(fit.conf_int(0.1)[0]), rel=1e-8)
    assert (result.df, result.effective_groups) == pytest.approx((11, 12))


def test_the_ends_of_groups_that_agree_fail_no_more_often_than_they_may():
    """Exact: a group is c with probability q, otherwise worse; all are c with probability q^G."""
    for many, c, tail in itertools.product((2, 5, 20), (0.0, 0.3, 0.9), (0.025, 0.2)):
        units = grouped(np.repeat(np.arange(many), 2), 2 * many)
        high = units.ends(units.spread(np.full(2 * many, c)), tail, 0.0, 1.0).high
        for q in np.linspace(0.01, 0.99, 99):
            truth = q * c + (1 - q)  # the largest mean that has this q
            assert truth <= high + 1e-12 or q**many <= tail + 1e-12


def test_the_order_of_the_cases_and_the_names_of_the_groups_do_not_matter():
    turn = np.random.default_rng(0).permutation(len(GROUPS))
    names = np.array([f"patient {g}" for g in GROUPS])
    dates = [datetime.date(2000, 1, 1) + datetime.timedelta(int(g)) for g in GROUPS[turn]]
    for call in (metrics.grouped_t, metrics.korn_graubard):
        one = call(LOSSES, groups=GROUPS)
        for groups in (names[turn], dates):
            assert vars(one) == pytest.approx(vars(call(LOSSES[turn], groups=groups)))


def test_korn_graubard_by_its_formula():
    n, (mean, error, _) = len(LOSSES), robust(LOSSES, GROUPS)
    df = n**2 / (SIZES**2).sum() - 1
    effect = error**2 / (mean * (1 - mean) / (n - 1))
    size = n / effect * (stats.t.ppf(0.975, n - 1) / stats.t.ppf(0.975, df)) ** 2
    result = metrics.korn_graubard(LOSSES, groups=GROUPS)
    assert effect > 1.2
    assert result.design_effect == pytest.approx(effect)
    assert (result.effective_size, result.df) == pytest.approx((size, df))
    k, one = size * mean, np.array([0, 1, 1])
    ends = stats.beta.ppf([0.025, 0.975, 0.95], k + one, size - k + 1 - one)
    assert (result.low, result.high, result.upper) == pytest.approx(tuple(ends))


def test_the_bound_without_an_error_holds_whatever_the_groups_are():
    """The worst distribution of errors: whole groups are wrong, so only G counts."""
    many = 10
    upper = metrics.korn_graubard([0] * 30, groups=np.repeat(np.arange(many), 3)).upper
    for law in itertools.product(np.linspace(0, 1, 6), repeat=3):  # weights of 1, 2, 3 errors
        if not 0 < sum(law) <= 1:
            continue
        error = (law[0] + 2 * law[1] + 3 * law[2]) / 3
        none = (1 - sum(law)) ** many
        if error > upper + 1e-12:
            assert none <= 0.05 + 1e-12


def test_areas_of_groups_are_obuchowskis():
    rng = np.random.default_rng(0)
    y = (rng.random(len(GROUPS)) < 0.4).astype(int)
    scores = np.round(rng.normal(size=(2, len(GROUPS))) + y + 2 * LEVELS, 1)  # with ties
    result = metrics.delong(y, scores, groups=GROUPS)
    areas, covariance = written_out(y, *scores, groups=GROUPS)
    assert result.area == pytest.approx(areas)
    assert result.covariance == pytest.approx(covariance)
    one = metrics.delong(y, scores[0], groups=GROUPS)
    assert one.covariance == pytest.approx(covariance[0, 0])
    # Satterthwaite's degrees of freedom of the class that occurs in fewer groups
    df = min(robust(np.arange((y == k).sum()), GROUPS[y == k])[2] for k in (0, 1))
    assert df_of_classes(y == 1, grouped(GROUPS, len(y))) == pytest.approx(df)


def test_few_unequal_groups_leave_differences_of_one_sign():
    """By brute force, the d with (G - 1) / G (S - n d)^2 <= c sum (S_g - n_g d)^2."""
    sizes, grid = np.array([10, 1, 1, 1]), np.linspace(-1, 1, 20_001)
    groups = np.repeat(np.arange(4), sizes)
    for delta, sign in itertools.product((0.01, 0.1, 0.2, 0.4), (1, -1)):
        a, b = (np.append(True, groups[1:] != groups[:-1]), np.zeros(13))[::sign]
        result = compare.grouped_mcnemar(a, b, groups=groups, method="obuchowski", delta=delta)
        sums = sign - sizes * grid[:, None]
        limit = stats.chi2.isf(delta, 1) * (sums**2).sum(axis=1) + 1e-12
        inside = 0.75 * sums.sum(axis=1) ** 2 <= limit
        rejects = result.pvalue <= delta
        # of two intervals that which contains the estimate
        inside &= (sign * grid >= 0) | (not rejects)
        ends = grid[inside].min(), grid[inside].max()
        assert tuple(result.interval) == pytest.approx(ends, abs=2e-4)
        assert rejects == (result.interval.low > 0 or result.interval.high < 0) == (delta >= 0.1)
