"""Sorted and drifting streams: what the bets have ruled out is not printed, and can be found."""

import numpy as np
import pytest

import errlab
from errlab.bounds import confidence_sequence
from studies import streams


@pytest.mark.slow
def test_no_interval_of_sorted_and_drifting_streams_is_ruled_out(capsys):
    counts = streams.study(24)
    streams.show(counts)
    every = sum(counts.values(), streams.Counter())
    assert every["streams"] == 24
    assert every["empty"] > 5
    assert every["points"] == every["ruled out"] == every["winners"] == 0
    assert len(capsys.readouterr().out.splitlines()) == len(streams.KINDS) + 2
    # of these an interval between two candidates is ruled out, unless the grid is refined
    for number in (50, 59, 70, 71):
        counts = streams.stream(streams.SEED, number)
        assert counts["streams"] == 1
        assert counts["ruled out"] == counts["points"] == 0, number


def test_the_bets_of_the_study_rule_out_what_lies_outside_of_an_interval():
    """The ends are rejected candidates of a grid, so each end is out; the mean is not."""
    rng = np.random.default_rng(4)
    labels = (rng.random(300) < 0.3).astype(float)
    for losses in (labels, rng.beta(1, 2, 300), rng.integers(0, 3, 300) / 2):
        low, high = (float(end[-1]) for end in confidence_sequence(losses))
        cell = (high - low) / 50
        for outside in (low - 1e-9, high + 1e-9, 0.0, 1.0):
            assert streams.rich(losses, outside, 0.05)
        for inside in (low + cell, losses.mean(), high - cell):
            assert not streams.rich(losses, inside, 0.05)


@pytest.mark.slow
def test_a_sequence_that_printed_its_last_candidate_would_be_seen(monkeypatch):
    """Once [1] * 30 + [0] * 300 gave 84.0% to 84.1%, which a constant stake rules out."""
    kind = type(errlab.watch())
    whole = vars(kind)["path"].fget

    def closed(test):
        low, high = whole(test)
        return [np.where(low > high, 0.8405, end) for end in (low, high)]

    monkeypatch.setattr(kind, "path", property(closed))
    counts = sum(streams.study(16).values(), streams.Counter())
    assert counts["points"] > 0
    assert counts["ruled out"] > 0
