"""Both packages, as they are published."""

import os
import subprocess

import pytest
from setuptools.archive_util import unpack_archive

# the hooks that `build` and pip call, of the backend that each package names
HOOKS = """
import importlib, os, sys, tomllib
kind, target, *packages = sys.argv[1:]
for package in packages:
    os.chdir(package)
    with open("pyproject.toml", "rb") as file:
        system = tomllib.load(file)["build-system"]
    assert {line.partition(">")[0] for line in system["requires"]} == {"setuptools"}
    getattr(importlib.import_module(system["build-backend"]), f"build_{kind}")(target)
"""
BACKEND = ("setuptools", "_distutils_hack")


@pytest.fixture(scope="session")
def sources(tmp_path_factory):
    """A copy of the sources of both packages, because a build writes into the folder."""
    import student

    folder = tmp_path_factory.mktemp("sources")
    student.sources(folder)
    return folder


@pytest.fixture(scope="session")
def build(environment):
    """Build each package as "sdist" or "wheel" in an environment with nothing but setuptools."""
    python = environment(lambda name: name.startswith(BACKEND))
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def build(kind, target, *packages):
        command = [python, "-c", HOOKS, kind, target, *packages]
        run = subprocess.run(command, capture_output=True, text=True, env=alone)
        assert run.returncode == 0, run.stderr

    return build


@pytest.fixture(scope="session")
def sdists(tmp_path_factory, sources, build):
    """The folder with the sdist of each package."""
    folder = tmp_path_factory.mktemp("dist")
    build("sdist", folder, sources, sources / "book")
    return folder


@pytest.fixture(scope="session")
def built(tmp_path_factory, sdists, build):
    """The folder with the sdist of each package and the wheel built from it."""
    unpacked = tmp_path_factory.mktemp("unpacked")
    for path in sdists.glob("*.tar.gz"):
        unpack_archive(path, unpacked)  # tarfile's own method differs between Pythons
    build("wheel", sdists, *unpacked.iterdir())
    return sdists
