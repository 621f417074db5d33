"""Studies of resampling: same answers for any number of workers, and on a cluster."""

import json
import os
import subprocess
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest
from scipy import stats

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


def test_the_study_of_broken_pairs_runs_as_a_script(tmp_path):
    script = Path(broken_pairs.__file__)
    words = ["--small", "--repeats", "2", "--workers", "2", "--folder", str(tmp_path)]
    ran = subprocess.run([sys.executable, script, *words], check=True, capture_output=True)
    assert ran.stdout.count(b"\n") == 5
    stored = json.loads((tmp_path / "broken_pairs_quick.json").read_text())
    assert [entry["repeats"] for entry in stored["settings"]] == [2] * 4


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


STORED = {
    name: json.loads((_run.RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    for name in ("broken_pairs", "laber_murphy_tables", "small_samples")
}
NAMES = list(STORED["laber_murphy_tables"]["tables"]["coverage 30"])
REAL = ["spam", "ionosphere", "heart", "diabetes", "abalone", "liver", "mammogram", "magic"]


def stored(study, key, n, names=REAL):
    rows = {tuple(r["setting"].values())[:2]: r["summary"] for r in STORED[study]["settings"]}
    return np.array([rows[name, n][key] for name in names])


def paper(what, key, n, names=REAL):
    column = STORED["laber_murphy_tables"]["columns"].index(key)
    table = STORED["laber_murphy_tables"]["tables"][f"{what} {n}"]
    return np.array([table[name][column] for name in names])


def rms(a, b):
    return float(np.sqrt(np.mean((a - b) ** 2)))


def fit(measured, printed, names=REAL):
    """Root mean square difference from the paper, and correlation with it."""
    return rms(measured, printed), float(np.corrcoef(measured, printed)[0, 1])


def test_all_rows_of_broken_pairs_are_stored():
    settings = STORED["broken_pairs"]["settings"]
    assert len(settings) == 2 * (len(NAMES) + 1)  # Abalone with two pairs of classes
    assert min(row["repeats"] for row in settings) >= 1000


def test_broken_pairs_reproduce_the_failures_of_k_on_the_real_sets():
    coverage = paper("coverage", "K", 50)
    error, together = fit(stored("broken_pairs", "K broken", 50), coverage)
    assert error < 0.15
    assert together > 0.9
    error, together = fit(stored("broken_pairs", "K right", 50), coverage)
    assert error > 0.4
    assert together < 0.5
    bias = {
        kind: stored("broken_pairs", f"centre {kind}", 50) - stored("broken_pairs", "truth", 50)
        for kind in broken_pairs.KINDS
    }
    easy = [REAL.index(name) for name in ("spam", "ionosphere", "heart", "mammogram")]
    assert bias["broken"][easy].min() > 0.12
    assert np.abs(bias["right"][easy]).max() < 0.02


@pytest.mark.parametrize("n", [30, 50])
def test_broken_pairs_reproduce_widths_and_bs1(n):
    """K's printed widths are Wilson's with n cases; BS1 has one level of bootstrap."""
    wide = paper("diameter", "K", n)
    assert rms(stored("broken_pairs", "K Wilson broken width", n), wide) < 0.01
    assert rms(stored("broken_pairs", "K Wilson right width", n), wide) > 0.03
    assert rms(stored("broken_pairs", "K broken width", n), wide) > 0.012  # Wald's
    for what, end, limit in (("coverage", "", 0.6), ("diameter", " width", 0.45)):
        printed = paper(what, "BS1", n)
        broken, right = (stored("broken_pairs", f"BS1 {k}{end}", n) for k in ("broken", "right"))
        assert rms(broken, printed) < limit * rms(right, printed)
        assert np.corrcoef(broken, printed)[0, 1] > 0.6
    # the double bootstrap of the package is no nearer
    assert rms(stored("small_samples", "BS1 width", n), paper("diameter", "BS1", n)) > 0.15


def test_where_broken_pairs_do_not_fit():
    off = np.abs(stored("broken_pairs", "K broken", 50) - paper("coverage", "K", 50))
    assert off[REAL.index("abalone")] > 0.15
    assert off[REAL.index("ionosphere")] > 0.15
    simulated = [name for name in NAMES if name not in REAL]
    off = np.abs(
        stored("broken_pairs", "K broken", 30, simulated) - paper("coverage", "K", 30, simulated)
    )
    assert off.max() > 0.2  # our sets are not theirs
    # M and L of both sizes, whichever size they belong to
    for key in "ML":
        error, together = fit(
            stored("broken_pairs", f"{key} broken", 30), paper("coverage", key, 30)
        )
        assert together > 0.8
        assert error > 0.1


def test_abalone_fits_with_male_and_female_as_its_classes():
    for n in (30, 50):
        ours = {
            key: stored("broken_pairs", key, n, ["abalone_sex"])[0]
            for key in ("K broken", "K Wilson broken width", "Y width")
        }
        assert ours["K broken"] == pytest.approx(
            paper("coverage", "K", n, ["abalone"])[0], abs=0.03
        )
        wide = paper("diameter", "K", n, ["abalone"])[0]
        assert ours["K Wilson broken width"] == pytest.approx(wide, abs=0.001)
        wide = paper("diameter", "Y", n, ["abalone"])[0]  # no bootstrap in it
        assert ours["Y width"] == pytest.approx(wide, abs=0.01)


def test_y_of_the_paper_stands_around_its_own_estimate():
    for n in (30, 50):
        printed = paper("coverage", "Y", n, NAMES)
        own = fit(stored("small_samples", "Y", n, NAMES), printed)
        other = fit(stored("small_samples", "Y .632", n, NAMES), printed)
        assert own[1] > 0.9
        assert own[1] > other[1] + 0.1
        assert own[0] < other[0]
    # around K's centre, Mammogram, n = 50: within .1275 in .146 and within .160 in .991
    half, covered = (
        [paper(what, key, 50, ["mammogram"])[0] / (2 if what == "diameter" else 1) for key in "KY"]
        for what in ("diameter", "coverage")
    )
    spread = (half[1] - half[0]) / (stats.norm.isf(1 - covered[1]) + stats.norm.isf(covered[0]))
    assert spread < 0.01  # of a normal centre, all on one side
    assert stored("broken_pairs", "centre right sd", 50, ["mammogram"])[0] > 0.04


def test_diameters_of_cud_are_nearer_before_clipping():
    for n in (30, 50):
        printed = paper("diameter", "CUD", n, NAMES)
        clipped = stored("small_samples", "CUD width", n, NAMES)
        whole = 2 * stored("small_samples", "CUD half", n, NAMES)
        assert (whole >= clipped - 1e-4).all()
        assert rms(whole, printed) < rms(clipped, printed)
    assert np.mean(whole / printed) < 0.95
    assert np.mean(
        2 * stored("small_samples", "CUD half", 30, NAMES) / paper("diameter", "CUD", 30, NAMES)
    ) == pytest.approx(1, abs=0.03)
