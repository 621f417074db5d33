"""Looks after every example: their exact cost, and the sequence that remains valid."""

import itertools

import numpy as np
import pytest
from marks import nightly
from test_cautions import watched

from errlab import bounds, coverage
from errlab.bounds._sequence import Sequence


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
        for which in itertools.product(range(len(values)), repeat=length - 2 * len(values)):
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
    losses, sizes = np.array([*itertools.product((0, 1), repeat=n)]), np.arange(1, n + 1)
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
