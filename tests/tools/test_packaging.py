"""The wheel, built from the sdist, holds what it must and installs alone."""

import email
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import errlab
import release
from errlab._core import extras

ROOT = Path(__file__).parents[2]

INFO = f"errlab-{errlab.__version__}.dist-info"

# what this book's pages show stays in the repository; what such pages are made with is in the wheel
CONTENTS = re.compile(
    r"book/errlab_book/(chapters|pages|quizzes)/|book/errlab_book/studies/.*json|book/errlab_book/exercises/chapter"
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(built):
    with zipfile.ZipFile(next(built.glob("*.whl"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def metadata(wheel):
    return email.message_from_bytes(wheel.read(f"{INFO}/METADATA"))


def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    names = wheel.namelist()
    modules = {p.relative_to(ROOT).as_posix() for p in (ROOT / "errlab").rglob("*.py")}
    assert {name for name in modules if not CONTENTS.match(name)} <= set(names)
    assert not [name for name in names if CONTENTS.match(name)]
    assert {"errlab/py.typed", "errlab/errlab.mplstyle", "book/errlab_book/explorer.js"} <= set(
        names
    )
    assert {name.split("/")[0] for name in names} == {"errlab", INFO}


def test_it_requires_numpy_and_scipy_only(metadata):
    needed = {r.split(">")[0] for r in metadata.get_all("Requires-Dist") if "extra ==" not in r}
    assert needed == {"numpy", "scipy"}
    assert set(metadata.get_all("Provides-Extra")) == {"ml", "plot", "inspect", "book"}
    assert metadata["Version"] == errlab.__version__


def test_the_description_stands_alone(metadata):
    """On the page of a package index no picture, link or address of the checkout works."""
    text = metadata.get_payload()
    assert text.startswith("# errlab")
    assert "![" not in text
    assert [link for link in re.findall(r"\]\(([^)]*)\)", text) if "://" not in link] == []
    urls = metadata.get_all("Project-URL") or []
    assert "github.com/errlab" not in text + " ".join(urls), "anybody could register it"


def test_the_description_says_what_is_printed():
    text = (ROOT / "errlab" / "README.md").read_text("utf-8")
    printed = repr(errlab.report([0] * 200, [0] * 193 + [1] * 7)).splitlines()[:3]
    assert "\n".join(printed) in text


def test_every_extra_that_a_message_names_brings_the_package():
    with (ROOT / "pyproject.toml").open("rb") as stream:
        brings = tomllib.load(stream)["project"]["optional-dependencies"]
    for package, extra in extras.EXTRA.items():
        listed = [*brings[extra], *(brings["ml"] + brings["plot"] if extra == "book" else [])]
        name = extras.CALLED.get(package, package).lower()
        # IPython is what ipywidgets stands on
        assert any(line.startswith(name) for line in listed) or name in ("ipython", "joblib")


def test_version_and_date_are_the_same_wherever_they_stand():
    """The package's own version; metadata take it from there, citations and changelog agree."""
    with (ROOT / "pyproject.toml").open("rb") as stream:
        assert "version" not in tomllib.load(stream)["project"]
    heading = r"^## (\d+\.\d+\.\d+), (\d{4}-\d\d-\d\d)$"
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    version, date = re.findall(heading, changes, re.MULTILINE)[0]
    assert set(release.stated()) == {version, date}
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert str(citation["version"]) == errlab.__version__ == version


def test_a_study_was_run_with_a_version_that_the_changelog_knows():
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    known = set(re.findall(r"^## (\d+\.\d+\.\d+)", changes, re.MULTILINE))
    records = [ROOT / "errlab/guarantees.json", *(ROOT / "book/errlab_book/studies").glob("*.json")]
    versions = [json.loads(path.read_text("utf-8")).get("versions", {}) for path in records]
    run_with = {stored["errlab"] for stored in versions if "errlab" in stored}
    assert run_with
    assert run_with <= known


def test_a_release_writes_version_and_date_everywhere(tmp_path):
    for name in (*release.PLACES, "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    release.write("9.8.7", "2031-02-03", tmp_path)
    assert set(release.stated(tmp_path)) == {"9.8.7", "2031-02-03"}
    assert "\n## 9.8.7, 2031-02-03\n" in (tmp_path / "CHANGELOG.md").read_text("utf-8")
    assert len(release.stated()) == sum(map(len, release.PLACES.values()))


def test_the_package_is_small_and_the_library_without_the_book_is_smaller(wheel):
    """The whole, for a course that installs it in a hundred places, and what a library needs."""
    sizes = {info.filename: info.compress_size for info in wheel.infolist()}
    book = sum(size for name, size in sizes.items() if name.startswith("book/errlab_book/"))
    assert Path(wheel.filename).stat().st_size < 700_000
    assert sum(sizes.values()) - book < 480_000


def test_the_sdist_holds_no_test_that_could_not_run(built):
    with tarfile.open(next(built.glob("*.tar.gz"))) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert {"CITATION.cff", "CHANGELOG.md", "LICENSE", "errlab/py.typed"} <= names
    assert not [name for name in names if "tests" in name.split("/")]


@pytest.fixture(scope="module")
def clean(built, environment):
    """The Python of a fresh environment into which pip has put errlab and what it asks for.

    There is no index: numpy and scipy are lent from here, and anything else would be missing.
    """
    python = environment(lambda name: name.startswith(("numpy", "scipy")))
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    wheel = str(next(built.glob("*.whl")))
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([*command, "--no-index", wheel], check=True, capture_output=True, env=alone)
    return python


def run(python, code, folder, **options):
    bare = {"PATH": "", "HOME": str(folder), "SYSTEMROOT": os.environ.get("SYSTEMROOT", "")}
    return subprocess.run(
        [str(python), *code], capture_output=True, text=True, cwd=folder, env=bare, **options
    )


def test_a_report_needs_nothing_but_numpy_and_scipy(clean, tmp_path):
    rows = [f"{i % 2},{i % 3 % 2},{i % 5 % 2}" for i in range(100)]
    (tmp_path / "both.csv").write_text("\n".join(["y_true,pred_a,pred_b", *rows]) + "\n")
    for options in ([], ["--pred", "pred_a"], ["--json"]):
        said = run(clean, ["-m", "errlab", "report", "both.csv", *options], tmp_path, check=True)
        assert "100" in said.stdout
        assert said.stderr == ""
    code = "import errlab; print(errlab.__file__, errlab.bounds.interval('CP', 7 / 200, 200))"
    said = run(clean, ["-c", code], tmp_path, check=True)
    assert "site-packages" in said.stdout


@pytest.mark.parametrize(
    ("code", "extra"),
    [
        ("errlab.report([0, 1], [0, 1]).plot()", "plot"),
        ("errlab.metrics.roc([0, 1], [0.1, 0.2])", "ml"),
        ("import errlab_book", "plot"),
        ("from errlab_book import explore", "plot"),
    ],
)
def test_what_is_missing_is_named_with_its_extra(clean, tmp_path, code, extra):
    said = run(clean, ["-c", f"import errlab\n{code}"], tmp_path)
    assert said.returncode == 1
    last = said.stderr.splitlines()[-1]
    assert last.startswith("ImportError: this needs ")
    assert last.endswith(f"pip install 'errlab[{extra}]'")


def asked(name):
    """What a file of requirements asks for on this Python."""
    lines = [line.split(" #")[0] for line in (ROOT / name).read_text("utf-8").splitlines()]
    found = [Requirement(line) for line in lines if line and line[0] not in "#-"]
    return [one for one in found if one.marker is None or one.marker.evaluate()]


def test_what_is_pinned_is_what_the_requirements_install():
    """Also what they need in turn; what somebody has installed besides does not count."""
    queue = [*asked("requirements.txt"), *asked("requirements-test.txt")]
    needed = set()
    while queue:
        one = queue.pop()
        for extra in ("", *one.extras):
            if (key := (canonicalize_name(one.name), extra)) not in needed:
                needed.add(key)
                further = map(Requirement, distribution(one.name).requires or [])
                queue += [
                    r for r in further if r.marker is None or r.marker.evaluate({"extra": extra})
                ]
    pins = {canonicalize_name(pin.name): str(pin.specifier) for pin in asked("constraints.txt")}
    assert set(pins) == {name for name, _ in needed}
    assert pins == {name: f"=={distribution(name).version}" for name in pins}
