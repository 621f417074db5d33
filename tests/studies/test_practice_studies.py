"""The studies of many models, class shares and machine labels: what is stored is so."""

import sys
from pathlib import Path

import numpy as np
import pytest
import sklearn.metrics

from errlab.book import studies as stored

sys.path.insert(0, str(Path(__file__).parents[2]))
from studies import elsewhere, many_models
from studies import metrics as measured


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


def test_intervals_of_metrics_come_near_their_level_with_cases():
    for n, least in ((200, 0.85), (1000, 0.90)):
        for row in rows("metrics", n=n):
            for name in measured.truth(0.3):
                assert row[name] >= least - 3 * max(row[f"{name}_se"], 0.01)
    for row in rows("metrics", n=1000):
        assert row["average precision refused"] == row["matthews refused"] == 0


@pytest.mark.slow
def test_the_true_values_of_metrics_are_those_of_many_cases():
    rng = np.random.default_rng(0)
    y = (rng.random(400_000) < 0.3).astype(int)
    score = rng.normal(size=len(y)) + measured.APART * y
    found = {
        "average precision": sklearn.metrics.average_precision_score(y, score),
        "matthews": sklearn.metrics.matthews_corrcoef(y, score > measured.CUT),
        "area": sklearn.metrics.roc_auc_score(y, score),
    }
    assert measured.truth(0.3) == pytest.approx(found, abs=0.005)


@pytest.mark.slow
@pytest.mark.parametrize("study", [elsewhere, many_models, measured])
def test_a_small_study_runs_and_shows(study, tmp_path, capsys):
    summary = study.study(repeats=3, small=True, workers=1, folder=tmp_path, progress=None)
    assert all(entry["repeats"] == 3 for entry in summary["settings"])
    study.show(summary)
    assert len(capsys.readouterr().out.splitlines()) >= len(summary["settings"])
