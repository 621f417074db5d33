"""The studies of many models, class shares and machine labels: the stored results are right."""

import importlib
import tomllib

import numpy as np
import pytest
import sklearn.metrics
from tables import DATA

from errlab_book import studies as stored
from studies import guarantees

# For each study its number of settings, and what theory guarantees.
STUDIES = tomllib.loads((DATA / "studies.toml").read_text("utf-8"))


def test_a_stored_study_has_its_rows_and_keeps_what_is_promised():
    for name, promised in STUDIES.items():
        entries = stored.load(name)["settings"]
        settings = {str(entry["setting"]) for entry in entries}
        assert len(settings) == len(entries) == promised["settings"], name
        for entry in entries:
            row = entry["summary"]
            assert np.isfinite(list(row.values())).all()
            for key in {*row} & {*promised.get("covered", ())}:
                assert row[key] >= 0.95 - 3 * max(row[f"{key}_se"], 0.01), (name, key)
            for key in promised.get("missed", ()):
                assert row[key] <= 0.05, (name, key)


@pytest.mark.slow
def test_the_true_values_of_metrics_are_those_of_many_cases():
    rng, apart = np.random.default_rng(0), 1.2
    y = (rng.random(400_000) < 0.3).astype(int)
    score = rng.normal(size=len(y)) + apart * y
    labels, p = (score > guarantees.CUT).astype(int), guarantees.probability(score, 0.3, apart)
    columns = {"average_precision_score": score, "brier_score_loss": p, "log_loss": p}
    names = ["matthews_corrcoef", "balanced_accuracy_score", "cohen_kappa_score", "f1_score"]
    for name in (*columns, *names, "recall_score", "accuracy_score"):
        result = getattr(sklearn.metrics, name)(y, columns.get(name, labels))
        key = name.removesuffix("_score").replace("brier_score_loss", "brier_score")
        assert guarantees.truth_of(key, 0.3, apart) == pytest.approx(result, abs=0.005), name


QUICK = ["boards", "broken_pairs", "elsewhere", "many_tasks", "small_samples"]


@pytest.mark.slow
@pytest.mark.parametrize("names", [QUICK, ["groups", "many_models"], ["watching"]])
def test_a_small_study_runs_and_shows(names, tmp_path, capsys):
    for name in names:
        study = importlib.import_module(f"studies.{name}")
        summary = study.study(repeats=3, small=True, workers=1, folder=tmp_path, progress=None)
        assert all(entry["repeats"] == 3 for entry in summary["settings"])
        study.show(summary)
        assert len(capsys.readouterr().out.splitlines()) >= len(summary["settings"]), name
