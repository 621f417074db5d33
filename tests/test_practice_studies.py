"""The studies of many models, class shares and machine labels: what is stored is so."""

import sys
from pathlib import Path

import pytest

from errlab.book import studies as stored

sys.path.insert(0, str(Path(__file__).parent.parent))
from studies import elsewhere, many_models


def rows(name, **setting):
    found = [
        entry["summary"]
        for entry in stored.load(name)["settings"]
        if all(entry["setting"][key] == value for key, value in setting.items())
    ]
    assert found
    return found


def test_all_that_is_said_of_many_models_holds_together():
    for row in rows("many_models"):
        assert row["together"] >= 0.95 - 3 * max(row["together_se"], 0.01)
        assert row["bonferroni"] >= 0.95 - 3 * max(row["bonferroni_se"], 0.01)
        assert row["verdicts"] >= 0.95 - 3 * max(row["verdicts_se"], 0.01)
        assert row["ranks"] >= 0.95
    for row in rows("many_models", k=10):
        assert row["naive"] < 0.6  # what one would say without correction


def test_intervals_at_given_shares_hold_and_the_samples_own_does_not():
    for row in rows("elsewhere", kind="shares"):
        assert row["exact"] >= 0.95 - 3 * max(row["exact_se"], 0.005)
        assert row["mover"] >= 0.89
        assert row["mover width"] < row["exact width"]
    for row in rows("elsewhere", kind="shares", share=0.01):
        assert row["naive"] < 0.05


def test_prediction_powered_intervals_are_near_their_level_and_the_machines_are_not():
    for row in rows("elsewhere", kind="machine"):
        assert row["tuned"] >= 0.90
        assert row["plain"] >= 0.90
        assert row["proven"] >= 0.95 - 3 * max(row["proven_se"], 0.005)
        assert row["tuned width"] <= row["plain width"] * 1.001
        assert row["tuned width"] < row["classical width"]
    for row in rows("elsewhere", kind="machine", share=0.1):
        assert row["naive"] < 0.05


@pytest.mark.parametrize("study", [elsewhere, many_models])
def test_a_small_study_runs_and_shows(study, tmp_path, capsys):
    summary = study.study(repeats=3, small=True, workers=1, folder=tmp_path, progress=None)
    assert all(entry["repeats"] == 3 for entry in summary["settings"])
    study.show(summary)
    assert len(capsys.readouterr().out.splitlines()) >= len(summary["settings"])
