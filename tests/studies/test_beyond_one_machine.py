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


@pytest.fixture(scope="module")
def cluster():
    """Two workers in separate processes, which can import this file."""
    distributed = pytest.importorskip("distributed")
    paths = os.pathsep.join([str(Path(__file__).parent), str(ROOT)])
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = paths
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with (
        distributed.LocalCluster(**options, dashboard_address=None) as local,
        distributed.Client(local) as client,
    ):
        yield client
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


def means(summary):
    return [entry["summary"]["mean"] for entry in summary["settings"]]


def test_a_study_on_a_cluster_is_the_study_on_one_machine(cluster, tmp_path):
    options = {"repeats": 10, "seed": 1, "progress": None}
    alone = _run.run("slow", slowly, SETTINGS, workers=1, folder=tmp_path / "a", **options)
    with joblib.parallel_config(backend="dask"):
        there = _run.run("slow", slowly, SETTINGS, workers=None, folder=tmp_path / "b", **options)
    assert means(there) == means(alone)
    rows = (tmp_path / "b" / "slow.jsonl").read_text().splitlines()[1:]
    processes = {json.loads(row)[2]["process"] for row in rows}
    assert len(processes) == 2
    assert os.getpid() not in processes


def test_cross_validation_on_a_cluster_is_that_on_one_machine(cluster):
    X, y = make_classification(n_samples=200, random_state=0)
    model = LogisticRegression()
    options = {"cv": 5, "repeats": 2, "rng": 0}
    alone = errlab.crossval.estimate(model, X, y, n_jobs=1, **options)
    with joblib.parallel_config(backend="dask"):
        there = errlab.crossval.estimate(model, X, y, n_jobs=-1, **options)
    assert there.estimate == pytest.approx(alone.estimate, rel=1e-12)
    assert (there.low, there.high) == pytest.approx((alone.low, alone.high), rel=1e-12)


PROGRAM = """
import sys
import test_beyond_one_machine as here
from studies import _run
_run.run("slow", here.slowly, here.SETTINGS, repeats=40, seed=1, workers=2, folder=sys.argv[1],
         progress=None)
"""


def test_a_study_that_is_killed_goes_on_where_it_stood(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parent), str(ROOT)]))
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "killed")]
    path = tmp_path / "killed" / "slow.jsonl"

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
    whole = json.loads((tmp_path / "killed" / "slow.json").read_text())
    at_once = _run.run(
        "slow", slowly, SETTINGS, repeats=40, seed=1, workers=1, folder=tmp_path, progress=None
    )
    assert np.allclose(means(whole), means(at_once), rtol=1e-12)
