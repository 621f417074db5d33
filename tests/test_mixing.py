"""Climbing with two honest models: `holdout.mix`."""

import numpy as np
import pytest

from errlab import holdout

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 400)
FIRST, SECOND = (np.where(RNG.random(400) < 0.3, RNG.integers(0, 3, 400), Y) for _ in range(2))


def test_two_equal_models_have_nothing_to_climb_with():
    climbed = holdout.mix(Y, FIRST, FIRST, [1, 50, 200], public=0.5, rng=1)
    assert np.ptp(climbed.public) == np.ptp(climbed.private) == 0
    both = (climbed.public + climbed.private) / 2
    assert both == pytest.approx((FIRST != Y).mean())


@pytest.mark.parametrize("board", [holdout.latest_score, holdout.ladder])
def test_mix_is_the_loop_written_out(board):
    rng = np.random.default_rng(7)
    climbed = holdout.mix(Y, FIRST, SECOND, [20, 60], board=board, public=0.25, rng=7)
    order = rng.permutation(400)
    y, first, second = Y[order], FIRST[order], SECOND[order]
    coins = rng.random((60, 400)) < 0.5
    losses = [np.where(c, first, second)[:100] != y[:100] for c in coins]
    released = board(np.array(losses, dtype=float)).released
    for i, k in enumerate((20, 60)):
        votes = np.zeros(400)
        for coin, score in zip(coins[:k], released[:k], strict=True):
            liked = np.sign(np.median(released[:k]) - score)
            votes += np.where(coin, liked, -liked)
        final = np.where(votes >= 0, first, second) != y
        assert climbed.public[i] == pytest.approx(final[:100].mean())
        assert climbed.private[i] == pytest.approx(final[100:].mean())


def test_guessers_climb_as_the_exact_formula_says():
    # two models that always disagree on two classes: each mixture is a coin, as in `climb`
    y = np.random.default_rng(2).integers(0, 2, 2000)
    attack = holdout.mix(y, 0 * y, 0 * y + 1, [400], public=0.5, repetitions=20, rng=3)
    assert 0.5 - attack.public[0] == pytest.approx(holdout.climb_gap(1000, 400), abs=0.01)
    assert attack.private[0] == pytest.approx(0.5, abs=0.01)


def test_the_ladder_stops_the_mixing():
    plain, held = (
        holdout.mix(Y, FIRST, SECOND, [400], board=board, public=0.5, repetitions=10, rng=4)
        for board in (holdout.latest_score, holdout.ladder)
    )
    assert plain.private[0] - plain.public[0] > 0.06
    assert abs(held.private[0] - held.public[0]) < 0.03
    assert plain.private[0] == pytest.approx(held.private[0], abs=0.02)  # nothing real is gained


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: holdout.mix(Y, FIRST, SECOND[1:], [5]), ValueError, "same length"),
        (lambda: holdout.mix(Y, FIRST, SECOND, [5, 5]), ValueError, "submissions must rise"),
        (lambda: holdout.mix(Y, FIRST, SECOND, [5], public=1), ValueError, "public must lie in"),
        (
            lambda: holdout.mix([0, 1], [0, 1], [1, 0], [5], public=0.1),
            ValueError,
            "public must leave cases",
        ),
        (lambda: holdout.mix([0], ["a"], ["b"], [5]), TypeError, "labels of one kind"),
        (lambda: holdout.mix(Y, FIRST, SECOND, [5], repetitions=0), ValueError, "repetitions"),
    ],
)
def test_bad_input_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
