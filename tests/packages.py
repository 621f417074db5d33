"""Both packages, as they are published."""

import subprocess
import sys

import pytest

import student


@pytest.fixture(scope="session")
def sources(tmp_path_factory):
    """A copy of the sources of both packages, because a build writes into the folder."""
    folder = tmp_path_factory.mktemp("sources")
    student.sources(folder)
    return folder


@pytest.fixture(scope="session")
def built(tmp_path_factory, sources):
    """The folder with the sdist of each package and the wheel built from it."""
    folder = tmp_path_factory.mktemp("dist")
    for package in (sources, sources / "book"):
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, package]
        run = subprocess.run(command, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
    return folder
