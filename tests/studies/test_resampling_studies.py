"""Studies of resampling: same answers for any number of workers, and on a cluster."""

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))  # studies are scripts, not installed
from errlab import bounds, crossval, datasets, training_set
from errlab.bootstrap import combine632
from errlab.crossval.nested_intervals import loss_tables
from errlab.losses import hard_loss
from studies import _run, broken_pairs, cv_coverage

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    """Small sizes, and a path on which other processes find the study."""
    monkeypatch.setattr(cv_coverage, "SIZES", (50,))
    root = str(Path(__file__).parents[2])
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
        literal = loss_tables(Least(), Z, y, fold[None], hard_loss, None, None)
        np.testing.assert_array_equal(table, literal[0])
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


# --- broken pairs -------------------------------------------------------------------------------


def broken(folder, repeats=3, **options):
    return broken_pairs.study(
        repeats=repeats, small=True, folder=folder, progress=None, **({"workers": 1} | options)
    )


def test_broken_pairs_agree_for_one_and_two_workers_and_when_resumed(tmp_path):
    one = broken(tmp_path / "one")
    broken(tmp_path / "two", repeats=1)
    assert broken(tmp_path / "two", workers=2) == one
    table = one["settings"][0]["summary"]
    for kind in broken_pairs.KINDS:
        for key in ("K", "K Wilson", "K*", "M", "M*", "L", "L*", "BS1", "BS2", "Y"):
            assert 0 <= table[f"{key} {kind}"] <= 1
            assert table[f"{key} {kind} width"] > 0
        assert table[f"BS1 {kind} width"] == table[f"BS2 {kind} width"]
    assert len({json.dumps(row["summary"]) for row in one["settings"]}) == 4


def training_cases(n=20):
    X, y, _ = datasets.gaussian_mixture(n, rng=3)
    drawn = np.random.default_rng(4).integers(n, size=(25, n))
    return X, y, training_set.LeastSquares().design(X), drawn


@pytest.mark.parametrize("kind", broken_pairs.KINDS)
def test_draws_and_estimates_equal_plain_loops(kind):
    X, y, Z, drawn = training_cases()
    wrong, own = broken_pairs.draws(Z, y, drawn, kind)
    left_out, each = [[] for _ in y], []
    for b, rows in enumerate(drawn):
        labels = y[rows] if kind == "right" else y  # the whole difference
        model = training_set.LeastSquares().fit(X[rows], labels)
        assert (wrong[b] == (model.predict(X) != y)).all()
        error = np.mean(model.predict(X[rows]) != labels)
        assert own[b] == pytest.approx(error)
        out = sorted(set(range(len(y))) - set(rows.tolist()))
        for i in out:
            left_out[i].append(wrong[b, i])
        each.append(combine632(error, np.mean(wrong[b, out])))
    estimate, found = broken_pairs.estimates(0.1, wrong, own, drawn)
    expected = np.mean([np.mean(losses) for losses in left_out if losses])
    assert estimate == pytest.approx(combine632(0.1, expected))
    assert found == pytest.approx(each)


def test_the_intervals_of_the_study_are_those_of_the_package():
    ends = broken_pairs.around(0.21, 30)
    assert ends["K"] == pytest.approx(bounds.interval("NOR", 0.21, 30), rel=1e-9)
    assert ends["K*"] == pytest.approx(bounds.interval("NOR", 0.21, 19), rel=1e-9)  # .638 of 30
    assert ends["L*"] == pytest.approx(bounds.interval("CP", 0.21, 19), rel=1e-9)
    X, y, Z, _ = training_cases()
    high = training_set.yang(training_set.LeastSquares(), X, y, resamples=4000, rng=0).high
    error = broken_pairs.half_split_error(Z, y, 4000, np.random.default_rng(1))
    assert broken_pairs.normal(error, error, 10)[1] == pytest.approx(high, abs=0.01)
