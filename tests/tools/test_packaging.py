"""The wheel, built from the sdist, is complete and needs nothing else to install."""

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
BOOK_INFO = f"errlab_book-{errlab.__version__}.dist-info"
DATA = {".css", ".js", ".json", ".mplstyle", ".npz", ".py", ".toml", ".typed"}

pytestmark = pytest.mark.slow


def names(wheel):
    with zipfile.ZipFile(wheel) as opened:
        return {name for name in opened.namelist() if not name.endswith("/")}


@pytest.fixture(scope="module")
def wheel(built):
    with zipfile.ZipFile(next(built.glob("errlab-*.whl"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def book(built):
    return next(built.glob("errlab_book-*.whl"))


@pytest.fixture(scope="module")
def metadata(wheel):
    return email.message_from_bytes(wheel.read(f"{INFO}/METADATA"))


def files(folder, package):
    """Every file that a package's code may need, by its path in the wheel."""
    paths = (folder / package).rglob("*")
    return {p.relative_to(folder).as_posix() for p in paths if p.suffix in DATA and p.is_file()}


def test_each_wheel_holds_its_package_and_nothing_else(wheel, book, sources):
    for path, folder, package, info in (
        (wheel.filename, sources, "errlab", INFO),
        (book, sources / "book", "errlab_book", BOOK_INFO),
    ):
        inside = {name for name in names(path) if not name.startswith(f"{info}/")}
        # the table of boards is beside them
        assert {name for name in inside if not name.endswith(".md")} == files(folder, package)
        assert f"{info}/licenses/LICENSE" in names(path)
    boards = {name for name in names(wheel.filename) if "datasets/data/" in name}
    assert boards == {f"errlab/datasets/data/{name}" for name in ("README.md", "cifar10.npz")}


def test_the_tree_the_build_and_the_sdist_give_the_same_wheel(built, sources, tmp_path):
    """`pip wheel` builds from the tree; `build` built the others from the sdist."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    command += ["--no-build-isolation", "--no-index", "--wheel-dir", tmp_path]
    subprocess.run([*command, sources, sources / "book"], check=True, capture_output=True)
    wheels = sorted(path.name for path in built.glob("*.whl"))
    assert wheels == sorted(path.name for path in tmp_path.iterdir())
    assert len(wheels) == 2
    for name in wheels:
        assert names(built / name) == names(tmp_path / name)


def test_the_book_has_the_version_of_errlab_and_asks_for_it(book):
    with zipfile.ZipFile(book) as opened:
        metadata = email.message_from_bytes(opened.read(f"{BOOK_INFO}/METADATA"))
    assert metadata["Version"] == errlab.__version__
    assert f"errlab[ml,plot]=={errlab.__version__}" in metadata.get_all("Requires-Dist")
    assert (ROOT / "book" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_it_requires_numpy_and_scipy_only(metadata):
    needed = {r.split(">")[0] for r in metadata.get_all("Requires-Dist") if "extra ==" not in r}
    assert needed == {"numpy", "scipy"}
    assert set(metadata.get_all("Provides-Extra")) == {"ml", "plot", "inspect"}
    assert metadata["Version"] == errlab.__version__


def test_the_description_stands_alone(metadata):
    """A package index can't show pictures, links or addresses of the checkout."""
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
        name = extras.CALLED.get(package, package).lower()
        # joblib comes with scikit-learn
        assert any(line.startswith(name) for line in brings[extra]) or name == "joblib"


def test_version_and_date_are_the_same_wherever_they_stand():
    """The package defines its version; metadata read it, citation and changelog agree."""
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
    listed = set(re.findall(r"^## (\d+\.\d+\.\d+)", changes, re.MULTILINE))
    records = [ROOT / "errlab/guarantees.json", *(ROOT / "book/errlab_book/studies").glob("*.json")]
    versions = [json.loads(path.read_text("utf-8")).get("versions", {}) for path in records]
    run_with = {stored["errlab"] for stored in versions if "errlab" in stored}
    assert run_with
    assert run_with <= listed


def test_a_release_writes_version_and_date_everywhere(tmp_path):
    for name in (*release.PLACES, "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    release.write("9.8.7", "2031-02-03", tmp_path)
    assert set(release.stated(tmp_path)) == {"9.8.7", "2031-02-03"}
    changes = (tmp_path / "CHANGELOG.md").read_text("utf-8")
    assert "\n## 9.8.7, 2031-02-03\n" in changes
    assert "Unreleased" not in changes
    assert len(release.stated()) == sum(map(len, release.PLACES.values()))


def test_both_packages_are_small(wheel, book):
    """This matters for a course that installs them in a hundred places."""
    assert Path(wheel.filename).stat().st_size < 480_000
    assert book.stat().st_size < 700_000


def test_the_sdist_holds_no_test_that_could_not_run(built):
    with tarfile.open(next(built.glob("errlab-*.tar.gz"))) as opened:
        inside = {name.partition("/")[2] for name in opened.getnames()}
    assert {"CITATION.cff", "CHANGELOG.md", "LICENSE", "errlab/py.typed"} <= inside
    assert not [name for name in inside if "tests" in name.split("/")]


@pytest.fixture(scope="module")
def clean(built, environment):
    """The Python of a new environment in which pip has installed errlab and its requirements.

    There is no index: numpy and scipy are linked from here, and anything else would be missing.
    """
    python = environment(lambda name: name.startswith(("numpy", "scipy")))
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    wheel = str(next(built.glob("errlab-*.whl")))
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
        text = run(clean, ["-m", "errlab", "report", "both.csv", *options], tmp_path, check=True)
        assert "100" in text.stdout
        assert text.stderr == ""
    code = "import errlab; print(errlab.__file__, errlab.bounds.interval('CP', 7 / 200, 200))"
    text = run(clean, ["-c", code], tmp_path, check=True)
    assert "site-packages" in text.stdout


@pytest.mark.parametrize(
    ("code", "extra"),
    [
        ("errlab.report([0, 1], [0, 1]).plot()", "plot"),
        ("errlab.metrics.roc([0, 1], [0.1, 0.2])", "ml"),
    ],
)
def test_what_is_missing_is_named_with_its_extra(clean, tmp_path, code, extra):
    text = run(clean, ["-c", f"import errlab\n{code}"], tmp_path)
    assert text.returncode == 1
    last = text.stderr.splitlines()[-1]
    assert last.startswith("ImportError: this needs ")
    assert last.endswith(f"pip install 'errlab[{extra}]'")


def here(lines):
    """Return the requirements for this Python."""
    wanted = map(Requirement, lines)
    return [one for one in wanted if one.marker is None or one.marker.evaluate()]


def asked(name):
    """Return a file's requirements for this Python; its first lines are our own packages."""
    lines = [line.split(" #")[0] for line in (ROOT / name).read_text("utf-8").splitlines()]
    return here(line for line in lines if line and line[0] not in "#-")


def test_what_is_pinned_is_what_the_requirements_install():
    """Including indirect requirements; other installed packages don't count."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    queue = [*asked("requirements.txt"), *here(project["dependency-groups"]["test"])]
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
