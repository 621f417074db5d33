"""Every bound against other libraries, its definition and closed forms; the ranking of bounds."""

import inspect
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from marks import nightly, slow
from scipy import stats
from statsmodels.stats.proportion import proportion_confint
from test_cautions import watched

from errlab import bounds, coverage
from errlab.bounds import BOUNDS, applicable, rank, tightest
from errlab.bounds._sequence import Sequence

# what statsmodels 0.15.0 calls them
NAMES = ("NOR normal", "WIL wilson", "CP beta", "AC agresti_coull", "JEF jeffreys")
FROM_MEAN = [key for key, entry in BOUNDS.items() if entry.needs != "losses"]


@pytest.mark.parametrize("name", NAMES)
def test_binary_bounds_agree_with_statsmodels(name):
    key, method = name.split()
    for n, delta in product((1, 2, 10, 57, 200, 1000), (1e-6, 0.01, 0.05, 0.2, 0.45, 0.9)):
        k = np.arange(n + 1)
        expected = proportion_confint(k, n, alpha=2 * delta, method=method)  # two-sided
        ends = [side(key, k / n, n, delta=delta) for side in (bounds.lower, bounds.upper)]
        np.testing.assert_allclose(ends, expected, atol=1e-10, err_msg=f"{n = }, {delta = }")


@pytest.mark.parametrize("key", slow(FROM_MEAN, "BLA"))
def test_errors_stand_for_their_mean_and_each_end_of_an_interval_has_its_part_of_delta(key):
    errors, n = np.array([[0], [3], [10]]), np.array([10, 200])
    share = 1 if BOUNDS[key].two_sided else 2
    for delta in (0.05, [0.05], [[0.01], [0.1], [0.3]]):
        ends = bounds.interval(key, errors=errors, n=n, delta=delta)
        np.testing.assert_array_equal(ends, bounds.interval(key, errors / n, n, delta=delta))
        for end, side in zip(ends, (bounds.lower, bounds.upper), strict=True):
            part = np.divide(delta, share)
            from_errors = side(key, errors=errors, n=n, delta=part)
            np.testing.assert_array_equal(from_errors, side(key, errors / n, n, delta=part))
            np.testing.assert_allclose(end, from_errors, rtol=1e-13)
            assert type(side(key, errors=7, n=200)) is float
            assert side(key, errors=7.0, n=200) == side(key, 7 / 200, 200)


@pytest.mark.parametrize("key", [key for key in BOUNDS if BOUNDS[key].loss == "binary"])
def test_a_bound_for_losses_of_0_and_1_refuses_graded_ones(key):
    message = f"bound '{key}' is for losses of 0 and 1, got 0.25; .* BET, or T_HOE"
    for function in (bounds.upper, bounds.lower, bounds.interval):
        with pytest.raises(ValueError, match=message):
            function(key, losses=[0, 1, 0.25, 1])
        assert np.all(np.isfinite(function(key, losses=[False, True, True])))


# --- Blaker's interval --------------------------------------------------------------------------


def acceptability(x, n, rates):
    """Return Blaker's acceptability: the smaller tail, and no likelier outcomes opposite."""
    k, rates = np.arange(n + 1), rates[:, None]
    tails = np.minimum(stats.binom.cdf(k, n, rates), stats.binom.sf(k - 1, n, rates))
    no_likelier = tails <= tails[:, [x]] * (1 + 1e-9)
    return (stats.binom.pmf(k, n, rates) * no_likelier).sum(axis=1)


def test_blakers_interval_is_the_hull_of_what_the_definition_accepts():
    rates = np.linspace(0, 1, 4001)
    for x, n, delta in ((0, 9, 0.05), (4, 11, 0.05), (7, 30, 0.2), (2, 40, 0.01)):
        ends = bounds.interval("BLA", errors=x, n=n, delta=delta)
        accepted = rates[acceptability(x, n, rates) > delta]
        assert tuple(ends) == pytest.approx((accepted.min(), accepted.max()), abs=1 / 4000)


@pytest.mark.slow
def test_blakers_interval_covers_and_is_shorter_than_clopper_pearsons():
    for n in (50, 200):
        low, high = bounds.interval("BLA", errors=np.arange(n + 1), n=n)
        first, last = bounds.interval("CP", errors=np.arange(n + 1), n=n)
        assert (first <= low + 1e-12).all()
        assert (high <= last + 1e-12).all()
        assert 0.02 < 1 - (high - low).mean() / (last - first).mean() < 0.08
        assert coverage.worst("BLA", n, side="two-sided").coverage >= 0.95


# --- the ranking --------------------------------------------------------------------------------


def test_only_bounds_that_hold_and_can_be_computed_compete():
    for loss, rigorous, losses in product(("binary", "bounded"), (True, False), (True, False)):
        keys = applicable(loss, rigorous=rigorous, losses=losses)
        assert set(keys) == {
            key
            for key, b in BOUNDS.items()
            if not (loss == "bounded" and b.loss == "binary")
            and not (rigorous and not b.rigorous)
            and not (b.needs == "losses" and not losses)
        }


def test_ranked_by_value():
    for (mean, n), var in product(((0, 10), (0.1, 200), (0.9, 10), (1, 3)), (None, 0.01)):
        var = None if var is None else min(var, mean * (1 - mean))
        ranking = rank(mean, n, var=var, loss="binary", rigorous=False)
        values = [entry.upper for entry in ranking]
        assert values == pytest.approx(sorted(values), abs=2e-9)
        for entry in ranking:
            assert entry.upper == bounds.upper(entry.key, mean, n, var=var)
            assert entry.rigorous == BOUNDS[entry.key].rigorous


def test_tightest_equals_the_first_of_the_ranking():
    means, sizes = np.linspace(0, 1, 9), np.array([[2], [10], [200]])
    keys = tightest(applicable("bounded"), means, sizes)
    assert keys.shape == (3, 9)
    for (i, j), key in np.ndenumerate(keys):
        first = rank(means[j], int(sizes[i, 0]))[0].upper
        assert bounds.upper(key, means[j], sizes[i, 0]) == pytest.approx(first, abs=2e-9)


# --- Laws that hold for every registered bound, or for those that declare a property.
#
# A new bound in the registry is tested here without any edit. The law about coverage is in
# test_coverage.py.


SIZES = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000, 10**4)
DELTAS = (1e-12, 1e-6, 1e-3, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.999)
SECTIONS = ("Parameters", "Returns", "Raises", "References", "Examples")
ROUNDING = 1e-12


SEARCHED = ("BEN", "BLA")  # bounds that are found by a slow search, so large n are tested by night


FROM_LOSSES = [key for key in BOUNDS if key not in FROM_MEAN]


def sized(names):
    """Give each bound, or pair of bounds, all sizes, or those of the day and of the night."""
    cases = []
    for name in names:
        if {*SEARCHED} & {*name.split()}:
            cases.append(pytest.param(name, SIZES[:8], marks=pytest.mark.slow))
            cases.append(pytest.param(name, SIZES[8:], marks=pytest.mark.nightly))
        else:
            cases.append((name, SIZES))
    return cases


def counts(n):
    """Return all counts of errors as means, or 1001 means if there are more."""
    return np.arange(n + 1) / n if n <= 1000 else np.linspace(0, 1, 1001)


@cache
def table(key, n):
    """Return the bound for each delta (rows) and count (columns)."""
    return bounds.upper(key, counts(n), n, delta=np.array(DELTAS)[:, np.newaxis])


# --- every bound that needs no more than mean, n and var ----------------------------------------


@pytest.mark.parametrize(("key", "sizes"), sized(FROM_MEAN))
def test_lies_in_the_unit_interval_grows_with_the_errors_and_falls_with_delta(key, sizes):
    binary = BOUNDS[key].loss == "binary"
    for n in sizes:
        upper, mean = table(key, n), counts(n)
        assert ((upper >= 0) & (upper <= 1)).all()
        for law, step in (
            ("falls from this delta and mean on", np.diff(upper, axis=1)),
            ("rises from this delta and mean on", -np.diff(upper, axis=0)),
        ):
            wrong = [(DELTAS[i], mean[j]) for i, j in np.argwhere(step < -ROUNDING)]
            assert not wrong, f"{law} at {n = }: {wrong[0]}"
        # from delta = 1/2 on, a binary bound may be below the mean; a posterior's quantile isn't
        # guaranteed, and lies between the mean and 1/2
        rows = np.array(DELTAS) <= 0.5 if binary else slice(None)
        columns = (mean <= 0.5) | BOUNDS[key].rigorous
        above = upper >= mean - (ROUNDING if binary else 0)
        assert above[rows][:, columns].all(), f"below the mean at {n = }"


MANY = np.r_[20:200, 200:2001:50]
RISING = [
    # not Blaker's, which may rise a little with more examples
    *((key, MANY) for key in FROM_MEAN if key not in SEARCHED),
    ("BEN", np.arange(20, 80)),
    pytest.param("BEN", MANY, marks=pytest.mark.nightly),
]


@pytest.mark.parametrize(("key", "sizes"), RISING)
def test_falls_as_n_grows_at_a_fixed_mean(key, sizes):
    mean = np.array([0, 0.01, 0.1, 0.25, 0.5, 0.8])[:, np.newaxis]
    for delta in (1e-6, 0.01, 0.05, 0.2):
        upper = bounds.upper(key, mean, sizes, delta=delta)
        assert (np.diff(upper, axis=1) <= ROUNDING).all(), f"rises at delta = {delta}"


@pytest.mark.parametrize("key", [key for key in BOUNDS if BOUNDS[key].needs == "var"])
def test_a_smaller_variance_gives_a_smaller_bound(key):
    share = np.linspace(0, 1, 21)[:, np.newaxis]
    for n in (2, 10, 200):
        mean = counts(n)
        upper = bounds.upper(key, mean, n, var=share * mean * (1 - mean))
        assert (np.diff(upper, axis=0) >= -ROUNDING).all()
        np.testing.assert_allclose(upper[-1], bounds.upper(key, mean, n), atol=ROUNDING)


@pytest.mark.parametrize("key", slow(FROM_MEAN, *SEARCHED))
def test_broadcasting_equals_a_loop_and_scalars_stay_scalars(key):
    rng = np.random.default_rng(0)
    mean, n = rng.random((4, 1)), rng.integers(1, 400, 5)
    delta = rng.uniform(0.01, 0.5, (3, 1, 1))
    together = bounds.upper(key, mean, n, delta=delta)
    assert together.shape == (3, 4, 5)
    assert together.dtype == np.float64
    for i, j, k in np.ndindex(3, 4, 5):
        alone = BOUNDS[key].function(float(mean[j, 0]), int(n[k]), delta=float(delta[i, 0, 0]))
        assert together[i, j, k] == pytest.approx(alone, rel=1e-12)
    assert type(alone) is float
    assert all(type(end) is float for end in bounds.interval(key, 0.3, 50))


@pytest.mark.parametrize("key", slow(FROM_MEAN, *SEARCHED))
def test_lower_is_the_reflection_and_losses_stand_for_mean_n_and_var(key):
    mean = np.arange(61) / 60
    lower = bounds.lower(key, mean, 60)
    np.testing.assert_allclose(lower, 1 - bounds.upper(key, mean[::-1], 60), atol=1e-11)
    low, high = bounds.interval(key, mean, 60)
    assert (low <= high).all()
    losses = np.random.default_rng(1).random((3, 40))
    losses = losses < 0.3 if BOUNDS[key].loss == "binary" else losses
    from_mean = bounds.upper(key, losses.mean(axis=1), 40, var=losses.var(axis=1))
    np.testing.assert_allclose(bounds.upper(key, losses=losses), from_mean)
    variance_matters = bounds.upper(key, 0.3, 50, var=0.01) != bounds.upper(key, 0.3, 50)
    assert variance_matters == (BOUNDS[key].needs == "var")


@pytest.mark.parametrize("key", FROM_LOSSES)
def test_laws_of_bounds_that_need_the_losses(key):
    alone = BOUNDS[key].function
    for n in (1, 2, 5, 20, 200):
        none, one, every = map(alone, (np.zeros(n), np.eye(1, n)[0], np.ones(n)))
        assert {type(none), type(one), type(every)} == {float}
        assert bounds.upper("CP", 0, n) - ROUNDING <= none <= one <= every == 1
        assert none < 1 or n < 5
    rng = np.random.default_rng(2)
    rows = [np.zeros(50), np.ones(50), rng.random(50) < 0.1, rng.random(50), rng.beta(0.1, 9, 50)]
    losses = np.array([*rows, rng.beta(1, 4, 50)], dtype=float)
    expected = np.reshape([alone(row) for row in losses], (2, 3))
    losses = losses.reshape(2, 3, 50)
    np.testing.assert_allclose(bounds.upper(key, losses=losses), expected, rtol=1e-12)
    low, high = bounds.interval(key, losses=losses)
    assert ((low <= losses.mean(axis=-1)) & (losses.mean(axis=-1) <= high)).all()


# --- what is registered -------------------------------------------------------------------------


@pytest.mark.parametrize("key", BOUNDS)
def test_is_documented(key):
    """Every registered bound has a numpydoc docstring with an example that runs."""
    entry = BOUNDS[key]
    doc = inspect.getdoc(entry.function)
    summary, blank, *_ = doc.splitlines()
    assert summary.endswith("."), "one-line summary"
    assert blank == "", "one-line summary"
    for section in SECTIONS:
        assert f"\n{section}\n{'-' * len(section)}\n" in doc, section
    for name in inspect.signature(entry.function).parameters:
        assert name in doc.partition("Parameters\n")[2].partition("Returns\n")[0], name
    assert f">>> round({entry.function.__name__}(" in doc
    assert getattr(bounds, entry.function.__name__) is entry.function
    assert entry.name
    assert entry.equations
    assert entry.loss in ("binary", "bounded")


# --- orderings ----------------------------------------------------------------------------------


# the tighter bound, and the looser one
ORDERED = (
    "CP T_HOE", "CP BEN", "BEN T_HOE", "T_HOE HOE", "T_HOE CRF", "T_HOE BER", "T_HOE MAU",
    "JEF CP", "WIL CHE",
)  # fmt: skip


@pytest.mark.parametrize(("pair", "sizes"), sized(ORDERED))
def test_orderings(pair, sizes):
    tighter, looser = pair.split()
    rounding = 1e-9 if "CP" in pair else ROUNDING  # scipy's beta quantile at 1e-12
    for n in sizes:
        assert (table(tighter, n) <= table(looser, n) + rounding).all(), f"at n = {n}"


def test_bentkus_solves_its_equation():
    # the definition, by brute force over a fine grid of hinges that contains all integers
    mean = np.linspace(0, 0.99, 12)
    for n, delta in product((1, 2, 7, 40), (1e-6, 0.05, 0.7)):
        for m, upper in zip(mean, bounds.upper("BEN", mean, n, delta=delta), strict=True):
            law = stats.binom.pmf(np.arange(n + 1), n, upper)
            h = np.arange(0, n + 2.001, 0.125)
            h = h[h > n * m + 1e-9]
            hinges = np.maximum(h[:, np.newaxis] - np.arange(n + 1), 0) @ law / (h - n * m)
            assert hinges.min() == pytest.approx(delta, rel=1e-7), (n, delta, m)


def test_looks_differ_among_bounds_that_meet():
    """A figure shows the bounds of one kind of loss, or the survey's three beside the others."""
    for kind in ("binary", "bounded"):
        looks = [entry.look for entry in BOUNDS.values() if entry.loss == kind]
        assert len(set(looks)) == len(looks), kind


# --- The ends of the binary and the bounded bounds, to the last digit, against mpmath and a loop.


FILE = Path(__file__).parents[1] / "data" / "digits.txt"
TABLE = dict([*pd.read_csv(FILE, sep=" ", comment="#").groupby("key")])


@pytest.mark.parametrize("key", TABLE)
def test_both_ends_to_the_last_digit(key):
    rows = TABLE[key]
    data = {name: rows[name].to_numpy() for name in ("errors", "n", "delta")}
    for side in ("lower", "upper"):
        off = (getattr(bounds, side)(key, **data) - rows[side]).abs()
        wrong = off > rows[f"near_{side}"] * rows[side] + 1e-45
        assert not wrong.any(), rows[wrong]


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


# --- Looks after every example: their exact cost, and the sequence that remains valid.


def capital(losses, m, delta, sign):
    """Return the largest log capital so far, by the formula, one example after the other."""
    if sign < 0:
        losses, m = 1 - losses, 1 - m
    fixed = 0.9 * 1.5 ** -np.arange(24.0)
    second = np.sqrt(fixed) / np.sqrt(fixed).sum() / 2
    var, total, squares, first, best, path = 0.25, 0.5, 0.25, 0.5, 0.0, []
    for i, x in enumerate(losses, 1):
        stake = np.sqrt(2 * np.log(2 / delta) / (var * i * np.log(1 + i)))
        first *= 1 + min(stake, 0.75 / m) * (x - m)
        second = second * (1 - fixed + fixed * np.floor(2 * x) / 2 / m)
        if 2 * x % 1:  # move all capital from the second purse to the first
            first, second = first + second.sum(), 0 * second
        best = max(best, np.log(first + second.sum()))
        path.append(best)
        total += x
        squares += (x - total / (i + 1)) ** 2
        var = squares / (i + 1)
    return np.array(path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["0/1", "pair", "graded", "graded late"])
def test_every_end_is_that_of_the_formula_rounded_outward(kind):
    rng = np.random.default_rng(4)
    losses = (rng.random(300) < 0.2).astype(float)
    if kind == "pair":
        losses = (1 + losses - (rng.random(300) < 0.1)) / 2
    elif kind != "0/1":
        start = 0 if kind == "graded" else 50
        losses[start:] = rng.beta(1, 4, 300 - start)
    for delta in (0.05, 0.3):
        path = np.transpose(bounds.confidence_sequence(losses, delta=delta))
        target = np.log(2 / delta)
        for t in (1, 7, 8, 40, 100, 300):
            low, high = path[t - 1]
            step = 0.02 * (high - low) + 2 / 256 * (t < 16)
            for end, sign in ((low, 1), (high, -1)):
                if 0 < end < 1:  # the end itself is ruled out; a mean a little inside of it isn't
                    assert capital(losses[:t], end, delta, sign)[-1] >= target - 1e-9
                assert capital(losses[:t], end + sign * step, delta, sign)[-1] < target


def test_one_at_a_time_is_all_at_once():
    losses = np.random.default_rng(1).random(700)
    whole = bounds.confidence_sequence(losses)
    parts, one = Sequence(0.05), Sequence(0.05)
    cuts = np.split(losses, [1, 3, 130, 131, 500])
    joined = np.concatenate([parts.extend(part).low for part in cuts])
    np.testing.assert_array_equal(joined, whole.low)
    for i, loss in enumerate(losses):
        one.extend(np.array([loss]))
        assert (one.low, one.high) == (whole.low[i], whole.high[i])


# possible losses, and their probabilities
POPULATIONS = [
    ((0, 1), [(1 - p, p) for p in (0.02, 0.1, 0.3, 0.5, 0.85)]),
    ((0, 0.5, 1), [(0.2, 0.6, 0.2), (0.1, 0.5, 0.4)]),  # as in comparisons of pairs
    ((0, 0.75, 1), [(0.6, 0.3, 0.1)]),  # losses that empty the second purse
]


LENGTHS = [(0.4, 10), (0.4, 11), (0.1, 11)]


@pytest.mark.slow
@pytest.mark.parametrize(("delta", "length"), nightly(LENGTHS, *LENGTHS[1:]))
def test_all_sequences_miss_no_more_than_delta(delta, length):
    """Exact probability that any interval misses, summed over all sequences of these losses."""
    for values, chances in POPULATIONS:
        truth, missed = np.array(chances) @ values, 0.0
        for which in product(range(len(values)), repeat=length - 2 * len(values)):
            low, high = bounds.confidence_sequence(np.array(values)[[*which]], delta=delta)
            out = (low.max() > truth) | (high.min() < truth)
            missed += out * np.array(chances)[:, which].prod(axis=1)
        # it does fail sometimes, so the test could detect too many failures
        assert 0 < max(missed) <= delta, values


@pytest.mark.slow
def test_for_errors_it_is_about_as_short_as_a_mixture_of_likelihood_ratios():
    """Beta mixtures with every look: .167, .0603, .0298; betting alone: .231, .0744, .0293."""
    for error, n, widest in ((0.5, 300, 0.18), (0.1, 1000, 0.062), (0.02, 1000, 0.029)):
        rng, wrong = np.random.default_rng(1), np.arange(n) < round(n * error)
        ends = [bounds.confidence_sequence(rng.permutation(wrong)) for _ in range(5)]
        assert np.mean([high[-1] - low[-1] for low, high in ends]) < widest


@pytest.mark.slow
@pytest.mark.parametrize("key", ["CP", "WIL", "NOR"])
def test_peeking_by_all_sequences(key):
    n, error, delta = 9, 0.3, 0.2
    losses, sizes = np.array([*product((0, 1), repeat=n)]), np.arange(1, n + 1)
    chance = np.where(losses, error, 1 - error).prod(axis=1)
    of = {"errors": losses.cumsum(axis=1), "n": sizes, "delta": delta}
    for side, (low, high) in {
        "upper": (0, bounds.upper(key, **of)),
        "lower": (bounds.lower(key, **of), 1),
        "two-sided": bounds.interval(key, **of),
    }.items():
        missed = np.maximum.accumulate((low > error) | (high < error), axis=1)
        result = coverage.peeking(key, error, n, delta=delta, side=side)
        assert result == pytest.approx(chance @ missed), side


# The public function errlab.watch


def test_one_and_two_are_not_mixed_and_a_bad_update_changes_nothing():
    test = watched(0, 1)
    with pytest.raises(ValueError, match=r"losses of two classifier\(s\), got one"):
        test.update(1)
    with pytest.raises(ValueError, match="b must lie"):
        test.update(0, 2)
    assert test.n == 1


def worst_capital(losses, error):
    """Return the larger log capital of the constant stakes alone, summed by hand."""
    stakes = 0.9 * 1.5 ** -np.arange(24.0)
    purses = np.sqrt(stakes) / np.sqrt(stakes).sum() / 2
    both = []
    for x, m in ((losses, error), (1 - losses, 1 - error)):
        growth = np.log1p(stakes[:, None] * (x / max(m, 1e-300) - 1)).cumsum(axis=1)
        both.append(np.logaddexp.reduce(np.log(purses)[:, None] + growth).max())
    return max(both)


def stream(rng, k):
    """Draw a drifting stream of errors, or a sorted one."""
    n, first, last = int(rng.integers(20, 500)), rng.uniform(0.02, 0.4), rng.uniform(0.2, 0.9)
    if k % 2:
        return (rng.random(n) < np.linspace(first, last, n)).astype(float)
    return np.sort(rng.random(n) < first)[:: rng.choice([-1, 1])].astype(float)


@pytest.mark.slow
@pytest.mark.parametrize("number", [30, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_no_error_that_the_capital_rules_out_is_printed_of_a_stream_that_drifts(number):
    rng, empty = np.random.default_rng(52), 0
    for k in range(number):
        losses = stream(rng, k)
        test = watched(losses)
        low, high = test.path
        assert not (low == high).any()
        assert (np.diff(low) >= 0).all()
        assert (np.diff(high) <= 0).all()
        if test.interval is None:
            empty += 1
            assert "no single true error fits this stream" in repr(test)
            assert (low[-1], high[-1], test.drift) == (1, 0, True)
            continue
        # bets may rule out most of an interval that is as narrow as the grid
        narrow = np.ptp(test.interval) < 1e-3
        tried = np.linspace(*test.interval, 9) if narrow else [sum(test.interval) / 2]
        assert min(worst_capital(losses, error) for error in tried) < np.log(2 / 0.05)
        outside = not test.interval.low <= test.mean <= test.interval.high
        assert test.drift == outside == ("Caution: the mean lies outside" in repr(test))
    assert 0 < empty < number


def test_two_ends_that_meet_are_still_an_interval():
    test = watched(0)
    test._path = [np.array([[0.25], [0.25]])]
    assert test.interval == (0.25, 0.25)
