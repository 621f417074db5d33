"""What a door prints is true on populations that are in no table, or a caution stands first."""

import math

import numpy as np
import pytest

from errlab.results import measured
from errlab_book import studies
from errlab_book.pages.guarantees import falls_short
from studies import populations

FOUND = {entry["setting"]["population"]: entry for entry in studies.load("populations")["settings"]}
DOORS = {
    "report", "models", "crossval.estimate", "metric", "error_at_shares", "weighted_error",
    "prediction_powered", "per_class", "tasks", "watch",
}  # fmt: skip


def test_forty_populations_were_tried_at_every_door():
    assert len(FOUND) >= 40
    assert {entry["door"] for entry in FOUND.values()} == DOORS
    assert set(FOUND) == set(populations.POPULATIONS)
    assert all(entry["summary"]["runs"] >= 300 for entry in FOUND.values())


@pytest.mark.parametrize("name", FOUND)
def test_no_coverage_is_below_what_is_named_without_a_caution_first(name):
    summary = FOUND[name]["summary"]
    if falls_short(summary):
        assert summary["proven"] == 0
        assert summary["cautions"] >= 0.5


def test_few_fall_short_and_the_law_sees_them():
    """Copies are told by a caution; what was found before this study would not have passed."""
    short = [name for name, entry in FOUND.items() if falls_short(entry["summary"])]
    assert "nearest neighbour, each example twice" in short
    assert len(short) <= 4
    assert falls_short({"covered": 0.88, "printed": 0.98, "untried": 0, "runs": 300})
    assert falls_short({"covered": 0.9, "printed": 0.0, "untried": 1, "runs": 400})
    assert not falls_short({"covered": 0.92, "printed": 0.95, "untried": 0, "runs": 200})


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["37 examples, 3% wrong", "weights .5, 1 and 5, 40 examples", "area of three grades",
     "mean over six tasks", "one weight in a hundred is 50", "mean recall of four classes"],
)  # fmt: skip
def test_a_rerun_finds_what_is_stored(name):
    again = populations.task(np.random.default_rng(11), name, 150)
    stored = FOUND[name]["summary"]
    for key in ("covered", "cautions"):
        share = stored[key]
        spread = math.sqrt(max(share * (1 - share), 0.01) * (1 / 150 + 1 / stored["runs"]))
        assert abs(again[key] / again["runs"] - share) < 4 * spread, key
    assert again["printed"] / again["runs"] == pytest.approx(stored["printed"], abs=0.05)


def test_the_table_knows_none_of_these_populations():
    """They are drawn by functions of their own; of the table's none is called."""
    used = set(populations.task.__globals__)
    assert "guarantees" not in used
    assert len(measured()) > 800


def test_a_small_study_runs_and_shows(tmp_path, capsys):
    found = populations.study(repeats=1, small=True, workers=1, folder=tmp_path, progress=None)
    populations.show(found)
    assert {entry["door"] for entry in found["settings"]} == DOORS
    table, lowest = capsys.readouterr().out.split("\n\n")
    assert len(table.splitlines()) == len(DOORS) + 1
    assert len(lowest.splitlines()) == len(DOORS) + 1
