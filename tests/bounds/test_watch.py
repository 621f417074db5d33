"""Looks after every example: their exact cost, and the sequence that remains valid."""

import itertools

import numpy as np
import pytest

import errlab
from errlab import bounds, coverage
from errlab.bounds._sequence import Sequence
from errlab_book.figures import record


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


@pytest.mark.parametrize("kind", ["0/1", "pair", "graded", "graded late"])
@pytest.mark.parametrize("delta", [0.05, 0.3])
def test_every_end_is_that_of_the_formula_rounded_outward(kind, delta):
    rng = np.random.default_rng(4)
    losses = (rng.random(300) < 0.2).astype(float)
    if kind == "pair":
        losses = (1 + losses - (rng.random(300) < 0.1)) / 2
    elif kind != "0/1":
        start = 0 if kind == "graded" else 50
        losses[start:] = rng.beta(1, 4, 300 - start)
    low, high = bounds.confidence_sequence(losses, delta=delta)
    target = np.log(2 / delta)
    for t in (1, 7, 8, 40, 100, 300):
        observed = losses[:t]
        width = high[t - 1] - low[t - 1]
        if low[t - 1] > 0:  # the end itself is ruled out; a slightly larger mean isn't
            assert capital(observed, low[t - 1], delta, 1)[-1] >= target - 1e-9
        if high[t - 1] < 1:
            assert capital(observed, high[t - 1], delta, -1)[-1] >= target - 1e-9
        step = 0.02 * width + 2 / 256 * (t < 16)
        assert capital(observed, low[t - 1] + step, delta, 1)[-1] < target
        assert capital(observed, high[t - 1] - step, delta, -1)[-1] < target


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


def test_intervals_are_nested_and_close_in():
    low, high = bounds.confidence_sequence(np.random.default_rng(2).random(3000) < 0.1)
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) <= 0).all()
    assert low[-1] < 0.1 < high[-1]
    assert high[-1] - low[-1] < 0.06
    mirrored = bounds.confidence_sequence(1 - (np.random.default_rng(2).random(3000) < 0.1))
    assert mirrored.low[-1] == pytest.approx(1 - high[-1])


@pytest.mark.slow
@pytest.mark.parametrize("delta", [0.1, 0.4])
@pytest.mark.parametrize(
    ("values", "chances"),
    [
        ((0, 1), [(1 - p, p) for p in (0.02, 0.1, 0.3, 0.5, 0.85)]),
        # half losses, as in comparisons of pairs
        ((0, 0.5, 1), [(0.2, 0.6, 0.2), (0.1, 0.5, 0.4)]),
        ((0, 0.75, 1), [(0.6, 0.3, 0.1)]),  # losses that empty the second purse
    ],
)
def test_all_sequences_miss_no_more_than_delta(values, chances, delta):
    """Exact probability that any interval misses, summed over all sequences of these losses."""
    truth = np.array(chances) @ values
    missed = np.zeros(len(truth))
    for which in itertools.product(range(len(values)), repeat=11 - 2 * len(values)):
        low, high = bounds.confidence_sequence(np.array(values)[list(which)], delta=delta)
        out = (low.max() > truth) | (high.min() < truth)
        missed += out * np.prod([[chance[i] for i in which] for chance in chances], axis=1)
    assert max(missed) <= delta
    # the bound does fail sometimes, so the test could detect too many failures
    assert max(missed) > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("error", "n", "widest"), [(0.5, 300, 0.18), (0.1, 1000, 0.062), (0.02, 1000, 0.029)]
)
def test_for_errors_it_is_about_as_short_as_a_mixture_of_likelihood_ratios(error, n, widest):
    """Beta mixtures with every look: .167, .0603, .0298; betting alone: .231, .0744, .0293."""
    rng = np.random.default_rng(1)
    runs = [rng.permutation(np.arange(n) < round(n * error)).astype(float) for _ in range(5)]
    ends = [bounds.confidence_sequence(losses) for losses in runs]
    assert np.mean([high[-1] - low[-1] for low, high in ends]) < widest


@pytest.mark.slow
@pytest.mark.parametrize("key", ["CP", "WIL", "NOR"])
@pytest.mark.parametrize("side", ["upper", "lower", "two-sided"])
def test_peeking_by_all_sequences(key, side):
    n, error, delta = 9, 0.3, 0.2
    expected = np.zeros(n)
    for losses in itertools.product((0, 1), repeat=n):
        k, size = np.cumsum(losses), np.arange(1, n + 1)
        low, high = np.zeros(n), np.ones(n)
        if side == "two-sided":
            low, high = bounds.interval(key, errors=k, n=size, delta=delta)
        elif side == "upper":
            high = bounds.upper(key, errors=k, n=size, delta=delta)
        else:
            low = bounds.lower(key, errors=k, n=size, delta=delta)
        missed = np.maximum.accumulate((low > error) | (high < error))
        expected += missed * error ** sum(losses) * (1 - error) ** (n - sum(losses))
    assert coverage.peeking(key, error, n, delta=delta, side=side) == pytest.approx(expected)


@pytest.mark.parametrize("n", [1, 20, 150])
@pytest.mark.parametrize("error", [0.0, 0.05, 0.5, 1.0])
def test_one_look_is_the_exact_coverage(n, error):
    once = coverage.peeking("CP", error, n, start=n)
    assert once[-1] == pytest.approx(
        1 - coverage.exact("CP", error, n, side="two-sided"), abs=1e-12
    )
    assert (once[:-1] == 0).all()


def test_more_looks_cost_more():
    every, tenth = (coverage.peeking("CP", 0.1, 400, step=s) for s in (1, 10))
    assert (np.diff(every) >= 0).all()
    assert every[-1] > tenth[-1] > coverage.peeking("CP", 0.1, 400, start=400)[-1]
    assert (coverage.peeking("CP", 0.1, 5, start=9) == 0).all()
    assert (coverage.peeking("CP", 0.1, 5, start=10**12) == 0).all()
    far = coverage.peeking("CP", 0.9, 5, start=3, step=10**12)  # a single look
    assert far == pytest.approx(coverage.peeking("CP", 0.9, 5, start=3, step=5))


# The public function errlab.watch


def test_one_classifier():
    losses = (np.random.default_rng(3).random(500) < 0.08).astype(float)
    test = errlab.watch()
    assert (test.n, test.mean, test.decided, repr(test)) == (0, None, False, "No example so far.")
    test.update(losses[0])
    test.update(losses[1:])
    low, high = bounds.confidence_sequence(losses)
    assert test.interval == (low[-1], high[-1])
    assert test.mean == pytest.approx(losses.mean())
    assert not test.decided
    assert test.guarantee == "finite sample"
    np.testing.assert_array_equal(test.path.low, low)
    assert test.means == pytest.approx(losses.cumsum() / np.arange(1, 501))
    assert "After 500 examples the error is" in repr(test)
    assert "at every look, wherever you stop" in test._repr_html_()
    assert not errlab.watch().decided
    text = record(test.plot())
    assert "95% sure at every look" in text


def test_two_classifiers():
    rng = np.random.default_rng(0)
    a, b = (rng.random(600) < 0.3).astype(float), (rng.random(600) < 0.15).astype(float)
    test = errlab.watch(names=("old", "new"))
    test.update(a, b)
    low, high = bounds.confidence_sequence((1 + a - b) / 2)
    assert tuple(test.interval) == pytest.approx((2 * low[-1] - 1, 2 * high[-1] - 1))
    assert test.decided
    np.testing.assert_allclose(test.path, [2 * low - 1, 2 * high - 1])
    np.testing.assert_allclose(test.means, (a - b).cumsum() / np.arange(1, 601), atol=1e-12)
    value, verdict = str(test).split("\n")
    assert value.startswith("After 600 examples")
    assert verdict.startswith("new is better than old. This holds at every look")
    swapped = errlab.watch(names=("old", "new"))
    swapped.update(b, a)
    assert "\nold is better than new." in str(swapped)
    assert tuple(swapped.interval) == pytest.approx((-test.interval.high, -test.interval.low))
    equal = errlab.watch()
    equal.update(a, a)
    assert not equal.decided
    assert "Neither is shown to be better so far." in repr(equal)
    assert "no difference" in record(test.plot())


def test_a_drift_that_no_error_fits_is_said():
    test = errlab.watch()
    test.update([0.0] * 300)
    test.update([1.0] * 3000)
    assert test.interval is None
    assert not test.decided
    assert "no single true error fits this stream" in repr(test)
    assert "one run in 20" in repr(test)
    assert test.n == 3300
    assert record(test.plot())


def test_one_and_two_are_not_mixed_and_a_bad_update_changes_nothing():
    test = errlab.watch()
    test.update(0, 1)
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


def streams(rng, number):
    """Draw sorted and drifting streams of errors."""
    for k in range(number):
        n, first, last = int(rng.integers(20, 500)), rng.uniform(0.02, 0.4), rng.uniform(0.2, 0.9)
        if k % 2:
            yield (rng.random(n) < np.linspace(first, last, n)).astype(float)
        else:
            yield np.sort(rng.random(n) < first)[:: rng.choice([-1, 1])].astype(float)


@pytest.mark.parametrize("number", [30, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_no_error_that_the_capital_rules_out_is_printed_of_a_stream_that_drifts(number):
    empty = 0
    for losses in streams(np.random.default_rng(52), number):
        test = errlab.watch()
        test.update(losses)
        low, high = test.path
        assert not (low == high).any()
        assert (np.diff(low) >= 0).all()
        assert (np.diff(high) <= 0).all()
        if test.interval is None:
            empty += 1
            assert "no single true error fits this stream" in repr(test)
            assert (low[-1], high[-1]) == (1, 0)
            assert test.drift
        else:
            middle = sum(test.interval) / 2
            # bets may rule out most of an interval that is as narrow as the grid
            narrow = np.ptp(test.interval) < 1e-3
            tried = np.linspace(*test.interval, 9) if narrow else [middle]
            assert min(worst_capital(losses, error) for error in tried) < np.log(2 / 0.05)
            outside = not test.interval.low <= test.mean <= test.interval.high
            assert test.drift == outside == ("Caution: the mean lies outside" in repr(test))
    assert 0 < empty < number


def test_two_with_equal_errors_in_blocks_have_no_winner():
    a, b = [1] * 24 + [0] * 176, [0] * 176 + [1] * 24
    for first, second in ((a, b), (b, a)):
        test = errlab.watch()
        test.update(first, second)
        assert (test.interval, test.decided, test.drift) == (None, False, True)
        assert "no single true difference fits this stream" in repr(test)
        assert "is better than" not in repr(test)
        assert test.to_dict()["low"] is None
        assert test.to_dict()["drift"]
        title = test.plot().get_title("left").replace("\n", " ")
        assert title == "No single true difference fits this stream"
    assert len(errlab.watch().conditions()) == 3


def test_two_ends_that_meet_are_still_an_interval():
    test = errlab.watch()
    test.update(0)
    test._path = [np.array([[0.25], [0.25]])]
    assert test.interval == (0.25, 0.25)
