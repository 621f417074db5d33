"""The wheel, built from the sdist, is complete and needs nothing else to install."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import PathDistribution, distribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tables import ROOT

import errlab
import release
from errlab._core import extras

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CHANGES = (ROOT / "CHANGELOG.md").read_text("utf-8")
VERSIONS = re.findall(r"^## (\d+\.\d+\.\d+)(?:, (\d{4}-\d\d-\d\d)$)?", CHANGES, re.M)
DATA = {".css", ".js", ".json", ".mplstyle", ".npz", ".py", ".toml", ".typed"}
# this matters for a course that installs them in a hundred places
BYTES = {"errlab": 480_000, "errlab_book": 700_000}

pytestmark = pytest.mark.slow


def names(wheel):
    with zipfile.ZipFile(wheel) as opened:
        return {name for name in opened.namelist() if not name.endswith("/")}


def about(wheel):
    """Return the metadata in a wheel."""
    name, version, *_ = wheel.name.split("-")
    return PathDistribution(zipfile.Path(wheel, f"{name}-{version}.dist-info/"))


def test_the_sdist_holds_no_test_that_could_not_run(sdists):
    with tarfile.open(next(sdists.glob("errlab-*.tar.gz"))) as opened:
        inside = {name.partition("/")[2] for name in opened.getnames()}
    assert {"CITATION.cff", "CHANGELOG.md", "LICENSE", "errlab/py.typed"} <= inside
    assert not [name for name in inside if "tests" in name.split("/")]


@pytest.fixture(scope="module")
def wheels(built):
    return {path.name.partition("-")[0]: path for path in built.glob("*.whl")}


def test_it_requires_numpy_and_scipy_only_and_the_book_asks_for_its_version(wheels):
    errlabs = about(wheels["errlab"])
    needed = {line.split(">")[0] for line in errlabs.requires if "extra ==" not in line}
    assert needed == {"numpy", "scipy"}
    assert set(errlabs.metadata.get_all("Provides-Extra")) == {"ml", "plot", "inspect"}
    assert f"errlab[ml,plot]=={errlab.__version__}" in about(wheels["errlab_book"]).requires
    brings = PROJECT["project"]["optional-dependencies"]
    for package, extra in extras.EXTRA.items():
        name = extras.CALLED.get(package, package).lower()
        # joblib comes with scikit-learn
        assert any(line.startswith(name) for line in brings[extra]) or name == "joblib"


def test_each_wheel_holds_its_package_and_nothing_else(wheels, build, sources, tmp_path):
    """Built from the sdist as `build` does, and from the tree as `pip wheel` does."""
    build("wheel", tmp_path, sources, sources / "book")
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in wheels.values()}
    for folder, package in ((sources, "errlab"), (sources / "book", "errlab_book")):
        wheel, info = wheels[package], f"{package}-{errlab.__version__}.dist-info/"
        files = [path for path in (folder / package).rglob("*") if path.suffix in DATA]
        # the table of boards is beside them
        inside = {n for n in names(wheel) if not n.startswith(info) and not n.endswith(".md")}
        assert inside == {file.relative_to(folder).as_posix() for file in files}
        assert names(wheel) == names(tmp_path / wheel.name)
        assert f"{info}licenses/LICENSE" in names(wheel)
        assert about(wheel).version == errlab.__version__
        assert wheel.stat().st_size < BYTES[package]
    boards = {Path(name).name for name in names(wheels["errlab"]) if "datasets/data/" in name}
    assert boards == {"README.md", "cifar10.npz"}
    assert (ROOT / "book" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_description_stands_alone_and_says_what_is_printed(wheels):
    """A package index can't show pictures, links or addresses of the checkout."""
    metadata = about(wheels["errlab"]).metadata
    text = metadata.get_payload()
    assert text.startswith("# errlab")
    assert "![" not in text
    assert [link for link in re.findall(r"\]\(([^)]*)\)", text) if "://" not in link] == []
    urls = metadata.get_all("Project-URL") or []
    assert "github.com/errlab" not in text + " ".join(urls), "anybody could register it"
    printed = repr(errlab.report(errors=7, n=200)).splitlines()[:3]
    assert "\n".join(printed) in text


def test_version_and_date_are_the_same_wherever_they_stand():
    """The package defines its version; metadata read it, citation and changelog agree."""
    assert "version" not in PROJECT["project"]
    assert set(release.stated()) == {*VERSIONS[0]}
    assert len(release.stated()) == sum(map(len, release.PLACES.values()))
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert str(citation["version"]) == errlab.__version__ == VERSIONS[0][0]


def test_a_study_was_run_with_a_version_that_the_changelog_knows():
    records = [ROOT / "errlab/guarantees.json", *(ROOT / "book/errlab_book/studies").glob("*.json")]
    versions = [json.loads(path.read_text("utf-8")).get("versions", {}) for path in records]
    run_with = {stored["errlab"] for stored in versions if "errlab" in stored}
    assert run_with
    assert run_with <= {version for version, _ in VERSIONS}


def test_a_release_writes_version_and_date_everywhere(tmp_path):
    for name in (*release.PLACES, "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    release.write("9.8.7", "2031-02-03", tmp_path)
    assert set(release.stated(tmp_path)) == {"9.8.7", "2031-02-03"}
    changes = (tmp_path / "CHANGELOG.md").read_text("utf-8")
    assert "\n## 9.8.7, 2031-02-03\n" in changes
    assert "Unreleased" not in changes


REPORTS = ("", "--pred pred_a", "--json")
# in one process, because most of a run's time is the import of scipy
LACKING = f"""
import errlab
from errlab.__main__ import main
for options in {REPORTS}:
    main(["report", "both.csv", *options.split()])
    print("--")
print(errlab.__file__, errlab.bounds.interval("CP", 7 / 200, 200))
for call in (errlab.report([0, 1], [0, 1]).plot, lambda: errlab.metrics.roc([0, 1], [0.1, 0.2])):
    try:
        call()
    except ImportError as error:
        print(error)
"""
NIGHTLY = pytest.param("pip", marks=pytest.mark.nightly)


@pytest.mark.parametrize("installer", ["unpacked", NIGHTLY])
def test_a_report_needs_nothing_but_numpy_and_scipy(installer, wheels, environment, tmp_path):
    """In a new environment with errlab, unpacked or installed by pip; else it names the extra.

    There is no index: numpy and scipy are linked from here, and anything else would be missing.
    """
    python = environment(lambda name: name.startswith(("numpy", "scipy")))
    if installer == "pip":
        install = [sys.executable, "-m", "pip", "--python", python, "install", "--no-index"]
        alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        subprocess.run([*install, wheels["errlab"]], check=True, capture_output=True, env=alone)
    else:
        (site,) = python.parents[1].glob("lib/python*/site-packages")
        zipfile.ZipFile(wheels["errlab"]).extractall(site)
    rows = [f"{i % 2},{i % 3 % 2},{i % 5 % 2}" for i in range(100)]
    (tmp_path / "both.csv").write_text("\n".join(["y_true,pred_a,pred_b", *rows]) + "\n")
    bare = {"PATH": "", "HOME": str(tmp_path), "SYSTEMROOT": os.environ.get("SYSTEMROOT", "")}
    run = subprocess.run(
        [python, "-c", LACKING], capture_output=True, text=True, cwd=tmp_path, env=bare, check=True
    )
    assert run.stderr == ""
    *reports, last = run.stdout.split("--\n")
    assert ["100" in text for text in reports] == [True] * len(REPORTS)
    place, *lacking = last.splitlines()
    assert "site-packages" in place
    for words, extra in zip(lacking, ("plot", "ml"), strict=True):
        assert words.startswith("this needs ")
        assert words.endswith(f"pip install 'errlab[{extra}]'")


def wanted(lines, extra=""):
    """Return the requirements for this Python."""
    every = map(Requirement, lines)
    return [one for one in every if one.marker is None or one.marker.evaluate({"extra": extra})]


def listed(name):
    """Return a file's requirements for this Python; its first lines are our own packages."""
    lines = [line.split(" #")[0] for line in (ROOT / name).read_text("utf-8").splitlines()]
    return wanted(line for line in lines if line and line[0] not in "#-")


def test_what_is_pinned_is_what_the_requirements_install():
    """Including indirect requirements; other installed packages don't count."""
    queue = [*listed("requirements.txt"), *wanted(PROJECT["dependency-groups"]["test"])]
    needed = set()
    for one in queue:
        for extra in ("", *one.extras):
            if (key := (canonicalize_name(one.name), extra)) not in needed:
                needed.add(key)
                queue += wanted(distribution(one.name).requires or [], extra)
    pins = {canonicalize_name(pin.name): str(pin.specifier) for pin in listed("constraints.txt")}
    assert set(pins) == {name for name, _ in needed}
    assert pins == {name: f"=={distribution(name).version}" for name in pins}
