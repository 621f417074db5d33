"""The studies of many models, class shares and machine labels: the stored results are right."""

import numpy as np
import pytest
import sklearn.metrics

from errlab_book import studies as stored
from studies import (
    boards,
    broken_pairs,
    elsewhere,
    groups,
    guarantees,
    many_models,
    many_tasks,
    small_samples,
    watching,
)

STUDIES = {
    "boards": 24, "broken_pairs": 26, "comparison_tests": 36, "cv_coverage": 12, "elsewhere": 12,
    "groups": 45, "many_models": 18, "many_tasks": 18, "small_samples": 24, "watching": 7,
}  # fmt: skip
# What theory guarantees: coverage of at least 95%, or at most 5% of misses or rejections.
COVERED = {
    "boards": (
        *(
            f"{place} {claim}"
            for place in ("first", "middle", "last")
            for claim in ("interval", "bound")
        ),
        *(
            f"{rival} {claim}"
            for rival in ("second", "middle")
            for claim in ("difference", "verdict")
        ),
        "all differences",
        "all verdicts",
        "all ranks",
    ),
    "elsewhere": ("exact", "proven"),
    "groups": ("proven",),
    "many_models": ("together", "one pair", "verdicts"),
    "many_tasks": ("macro", "pooled"),
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
    rng, apart = np.random.default_rng(0), 1.2
    y = (rng.random(400_000) < 0.3).astype(int)
    score = rng.normal(size=len(y)) + apart * y
    labels, p = (score > guarantees.CUT).astype(int), guarantees.probability(score, 0.3, apart)
    observed = dict.fromkeys(("average_precision",), score) | dict.fromkeys(
        ("brier_score", "log_loss"), p
    )
    measures = {
        "average_precision": sklearn.metrics.average_precision_score,
        "matthews_corrcoef": sklearn.metrics.matthews_corrcoef,
        "balanced_accuracy": sklearn.metrics.balanced_accuracy_score,
        "cohen_kappa": sklearn.metrics.cohen_kappa_score,
        "f1": sklearn.metrics.f1_score,
        "brier_score": sklearn.metrics.brier_score_loss,
        "log_loss": sklearn.metrics.log_loss,
        "recall": sklearn.metrics.recall_score,
        "accuracy": sklearn.metrics.accuracy_score,
    }
    result = {name: measure(y, observed.get(name, labels)) for name, measure in measures.items()}
    true = {name: guarantees.truth_of(name, 0.3, apart) for name in measures}
    assert true == pytest.approx(result, abs=0.005)


@pytest.mark.slow
@pytest.mark.parametrize(
    "study",
    [boards, broken_pairs, elsewhere, groups, many_models, many_tasks, small_samples, watching],
)
def test_a_small_study_runs_and_shows(study, tmp_path, capsys):
    summary = study.study(repeats=3, small=True, workers=1, folder=tmp_path, progress=None)
    assert all(entry["repeats"] == 3 for entry in summary["settings"])
    study.show(summary)
    assert len(capsys.readouterr().out.splitlines()) >= len(summary["settings"])
