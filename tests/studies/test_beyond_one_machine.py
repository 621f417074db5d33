"""Cross-validation and a study on a cluster of two processes, and a study that is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import joblib
import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

import errlab
from studies import _run

ROOT = Path(__file__).parents[2]
SETTINGS = [{"n": 3, "shift": 0.0}, {"n": 5, "shift": 1.0}]

pytestmark = [pytest.mark.nightly, pytest.mark.filterwarnings("default")]


def slowly(rng, n, shift):
    """Wait for a tenth of a second, and return the process."""
    time.sleep(0.1)
    return {"mean": float(rng.normal(shift, size=n).mean()), "process": os.getpid()}


@pytest.fixture(scope="module", autouse=True)
def _importable():
    """Other processes import this file as a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parent), str(ROOT)]))
        yield


@pytest.fixture(scope="module")
def cluster():
    """Two workers in separate processes."""
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(processes=True, **options) as local, distributed.Client(local):
        yield


def study(folder, **options):
    """Run the study; return the mean of each setting."""
    options = {"seed": 1, "workers": 1, "progress": None, **options}
    summary = _run.run("slow", slowly, SETTINGS, folder=folder, **options)
    return [entry["summary"]["mean"] for entry in summary["settings"]]


@pytest.mark.usefixtures("cluster")
def test_a_study_on_a_cluster_is_the_study_on_one_machine(tmp_path):
    alone = study(tmp_path / "a", repeats=10)
    with joblib.parallel_config(backend="dask"):
        assert study(tmp_path / "b", repeats=10, workers=None) == alone
    rows = (tmp_path / "b" / "slow.jsonl").read_text().splitlines()[1:]
    processes = {json.loads(row)[2]["process"] for row in rows}
    assert len(processes) == 2
    assert os.getpid() not in processes


@pytest.mark.usefixtures("cluster")
def test_cross_validation_on_a_cluster_is_that_on_one_machine():
    X, y = make_classification(n_samples=200, random_state=0)
    model = LogisticRegression()
    options = {"cv": 5, "repeats": 2, "rng": 0}
    alone = errlab.crossval.estimate(model, X, y, n_jobs=1, **options)
    with joblib.parallel_config(backend="dask"):
        there = errlab.crossval.estimate(model, X, y, n_jobs=-1, **options)
    assert there.estimate == pytest.approx(alone.estimate, rel=1e-12)
    assert (there.low, there.high) == pytest.approx((alone.low, alone.high), rel=1e-12)


PROGRAM = "import sys, test_beyond_one_machine as t; t.study(sys.argv[1], repeats=40, workers=2)"


def test_a_study_that_is_killed_goes_on_where_it_stood(tmp_path):
    folder = tmp_path / "killed"
    command = [sys.executable, "-c", PROGRAM, str(folder)]
    path = folder / "slow.jsonl"

    def rows():
        return path.read_bytes().count(b"\n") if path.exists() else 0

    first = subprocess.Popen(command, start_new_session=True)
    started = time.monotonic()
    while rows() < 12:
        assert time.monotonic() - started < 300
        assert first.poll() is None, "it ended before it could be killed"
        time.sleep(0.02)
    os.killpg(first.pid, signal.SIGKILL)  # the whole process group, so its workers end, too
    first.wait()
    stood = path.read_bytes().rpartition(b"\n")[0]
    assert 12 <= rows() < 81
    subprocess.run(command, check=True)
    assert path.read_bytes().startswith(stood), "nothing was computed again"
    assert rows() == 81
    # the summary of all rows, which needs no further run
    assert np.allclose(study(folder, repeats=40), study(tmp_path, repeats=40), rtol=1e-12)
