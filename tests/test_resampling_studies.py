"""The coverage study: same answers for any number of workers, and on a cluster."""

import json
import os
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))  # studies are scripts, not installed
from errlab import crossval
from studies import _run, cv_coverage


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    """Small sizes, and a path on which other processes find the study."""
    monkeypatch.setattr(cv_coverage, "SIZES", (50,))
    root = str(Path(__file__).parent.parent)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([root, os.environ.get("PYTHONPATH", "")]))


def small(folder, **options):
    return cv_coverage.main(3, folder=folder, progress=None, **options)


def test_one_and_two_workers_and_a_resumed_run_agree(tmp_path):
    one = small(tmp_path / "one", workers=1)
    cv_coverage.main(1, folder=tmp_path / "two", progress=None, workers=1)
    assert small(tmp_path / "two", workers=2) == one
    row = one["settings"][0]["summary"]
    for name in cv_coverage.METHODS:
        assert 0 <= row[f"{name}_expected"] <= 1
        assert row[f"{name}_width"] > 0


@pytest.mark.filterwarnings("ignore")  # the cluster's own warnings
def test_a_dask_cluster_gives_the_same(tmp_path):
    distributed = pytest.importorskip("distributed")
    one = small(tmp_path / "one", workers=1)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        assert small(tmp_path / "dask", workers=None) == one


class Least:
    """Least squares on labels -1 and +1."""

    def fit(self, X, y):
        self.beta = np.linalg.lstsq(X, y, rcond=None)[0]

    def predict(self, X):
        return np.where(X @ self.beta > 0, 1.0, -1.0)


def test_batched_pairs_equal_refits():
    rng = np.random.default_rng(1)
    Z, y = cv_coverage.draw(rng, "few features", 50)
    folds = np.array([rng.permutation(np.arange(50) % 10) for _ in range(2)])
    tables, own, loo, refit = cv_coverage.linear("few features", Z, y, folds)
    for table, fold in zip(tables, folds, strict=True):
        np.testing.assert_array_equal(table, crossval.pair_losses(Least(), Z, y, fold))
    np.testing.assert_array_equal(loo, crossval.loo_losses_linear(Z, y))
    assert 0.1 < refit < own.max() + 0.1


def test_true_error_is_the_error_on_many_cases():
    rng = np.random.default_rng(2)
    for problem in ("few features", "rare class"):
        Z, y = cv_coverage.draw(rng, problem, 100)
        model = Least()
        model.fit(Z, y)
        fresh, labels = cv_coverage.draw(rng, problem, 100_000)
        true = cv_coverage.true_errors(problem, model.beta[None])[0]
        assert true == pytest.approx(np.mean(model.predict(fresh) != labels), abs=0.004)


def test_stored_coverage_says_which_intervals_can_be_trusted():
    stored = json.loads((_run.RESULTS / "cv_coverage.json").read_text(encoding="utf-8"))
    rows = {tuple(row["setting"].values()): row["summary"] for row in stored["settings"]}
    assert set(rows) == {(p, n) for p in cv_coverage.PROBLEMS for n in (50, 100, 500)}
    assert min(row["repeats"] for row in stored["settings"]) >= 1000
    worst = {
        name: min(row[f"{name}_expected"] for row in rows.values()) for name in cv_coverage.METHODS
    }
    assert worst["nested"] > 0.92  # the best of those that are not bounds
    assert worst["nested"] == max(worst[name] for name in list(cv_coverage.METHODS)[:9])
    assert (
        worst["normal"] < 0.9
    )  # on noise it does not mend with n: the folds' errors move together
    assert rows["noise, 1-NN", 500]["normal_expected"] < 0.9
    for name in ("kfold_cp", "kfold_cp_split", "kfold_hoe"):  # safe, and far too wide
        assert all(row[f"{name}_folds"] > 0.999 for row in rows.values())
        assert all(
            row[f"{name}_width"] > row["folds"] * 1.5 for row in rows.values() if row["folds"] < 0.3
        )
