"""The wheel and the sdist, and fresh environments to try them in."""

import os
import subprocess
import sys
import sysconfig
import venv
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


@pytest.fixture(scope="session")
def environment(tmp_path_factory):
    """Make a fresh environment; return its Python. What `lends` names is lent from here."""

    def make(lends):
        if os.name == "nt":
            pytest.skip("lends by symbolic links")
        folder = tmp_path_factory.mktemp("fresh") / "env"
        venv.create(folder)
        (site,) = folder.glob("lib/python*/site-packages")
        for part in Path(sysconfig.get_path("purelib")).iterdir():
            if lends(part.name):
                (site / part.name).symlink_to(part, target_is_directory=part.is_dir())
        return folder / "bin" / "python"

    return make
