"""Wheel and sdist build clean, hold what they must, and install alone."""

import email
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return folder


def test_the_wheel_holds_the_package_and_nothing_else(built):
    names = zipfile.ZipFile(next(built.glob("*.whl"))).namelist()
    modules = {p.relative_to(ROOT).as_posix() for p in (ROOT / "errlab").rglob("*.py")}
    assert modules <= set(names)
    assert {"errlab/py.typed", "errlab/errlab.mplstyle", "errlab/book/explorer.js"} <= set(names)
    assert {name.split("/")[0] for name in names} == {"errlab", "errlab-0.1.0.dist-info"}


def test_it_requires_the_run_time_dependencies_only(built):
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        metadata = email.message_from_bytes(wheel.read("errlab-0.1.0.dist-info/METADATA"))
    needed = {r.split(">")[0] for r in metadata.get_all("Requires-Dist") if "extra ==" not in r}
    assert needed == {"numpy", "scipy", "matplotlib", "ipywidgets", "scikit-learn"}


def test_the_sdist_builds_from_itself(built):
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        names = {name.split("/", 1)[1] for name in sdist.getnames() if "/" in name}
    assert {"pyproject.toml", "README.md", "LICENSE", "errlab/book/explorer.js"} <= names


def test_it_installs_and_runs_alone(built, tmp_path):
    target = tmp_path / "site"
    wheel = str(next(built.glob("*.whl")))
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target),
         wheel], check=True, capture_output=True,
    )  # fmt: skip
    code = (
        "import errlab, sys; print(errlab.__file__);"
        "errlab.report([0] * 200, [0] * 193 + [1] * 7).plot()"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path,
        env={"PYTHONPATH": str(target), "PATH": "", "MPLBACKEND": "agg", "HOME": str(tmp_path)},
    )  # fmt: skip
    assert run.stdout.startswith(str(target))


def test_help_reads_well():
    run = subprocess.run(
        [sys.executable, "-m", "errlab", "--help"], capture_output=True, text=True, check=True
    )
    assert "report" in run.stdout
    assert "What may you claim" in run.stdout
    assert max(map(len, run.stdout.splitlines())) <= 100
