"""The wheel and the sdist."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(root)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return folder
