"""The studies of many models, class shares and machine labels: what is stored is so."""

import sys
from pathlib import Path

import numpy as np
import pytest
import sklearn.metrics

from errlab.book import studies as stored

sys.path.insert(0, str(Path(__file__).parents[2]))
from studies import broken_pairs, elsewhere, groups, many_models, small_samples, watching
from studies import metrics as measured

STUDIES = {
    "broken_pairs": 26, "comparison_tests": 36, "cv_coverage": 12, "elsewhere": 12, "groups": 42,
    "many_models": 12, "metrics": 6, "small_samples": 24, "watching": 7,
}  # fmt: skip
# What theory promises of a share: at least 95% covered, or at most 5% missed or rejected.
COVERED = {
    "elsewhere": ("exact", "proven"),
    "groups": ("proven",),
    "many_models": ("together", "bonferroni", "verdicts"),
}
MISSED = {"watching": ("sequence",)}


@pytest.mark.parametrize("name", STUDIES)
def test_a_stored_study_has_its_rows_and_keeps_what_is_promised(name):
    entries = stored.load(name)["settings"]
    assert len({str(entry["setting"]) for entry in entries}) == len(entries) == STUDIES[name]
    for entry in entries:
        row = entry["summary"]
        assert np.isfinite(list(row.values())).all()
        for key in {*row} & {*COVERED.get(name, ())}:
            assert row[key] >= 0.95 - 3 * max(row[f"{key}_se"], 0.01)
        for key in MISSED.get(name, ()):
            assert row[key] <= 0.05


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
@pytest.mark.parametrize(
    "study", [broken_pairs, elsewhere, groups, many_models, measured, small_samples, watching]
)
def test_a_small_study_runs_and_shows(study, tmp_path, capsys):
    summary = study.study(repeats=3, small=True, workers=1, folder=tmp_path, progress=None)
    assert all(entry["repeats"] == 3 for entry in summary["settings"])
    study.show(summary)
    assert len(capsys.readouterr().out.splitlines()) >= len(summary["settings"])
