"""The workflows are well formed, and call existing commands."""

import re
import tomllib
from pathlib import Path

import yaml

import newest

ROOT = Path(__file__).parents[2]
FILES = (ROOT / ".github" / "workflows").glob("*.yml")
WORKFLOWS = {path.name: yaml.safe_load(path.read_text("utf-8")) for path in FILES}
STEPS = [
    (name, step)
    for name, workflow in WORKFLOWS.items()
    for job in workflow["jobs"].values()
    for step in job["steps"]
]


def test_each_target_and_file_of_a_step_exists():
    checked = set()
    for name, step in STEPS:
        for line in step.get("run", "").splitlines():
            if match := re.match(r"make (?:-C (\w+) )?(.+)", line):
                text = (ROOT / (match[1] or ".") / "Makefile").read_text("utf-8")
                declared = re.search(r"^\.PHONY: (.+)", text, re.MULTILINE)
                assert set(match[2].split()) <= set(declared[1].split()), line
                checked.add(name)
            elif match := re.match(r"python ([\w/]+\.py)", line):
                assert (ROOT / match[1]).exists(), line
                checked.add(name)
    assert checked == {*WORKFLOWS}


def test_what_others_wrote_is_pinned_and_no_job_may_do_more_than_it_must():
    for workflow in WORKFLOWS.values():
        assert workflow["permissions"] == {"contents": "read"}
        for name, job in workflow["jobs"].items():
            assert "timeout-minutes" in job or "permissions" in job, name
    versions = [step["uses"].partition("@")[2] for _, step in STEPS if "uses" in step]
    assert [v for v in versions if not re.fullmatch("[0-9a-f]{40}", v)] == []


def test_every_python_that_the_package_takes_is_tested():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    legs = WORKFLOWS["book.yml"]["jobs"]["test"]["strategy"]["matrix"]["include"]
    assert set(versions) == {leg["python"] for leg in legs}
    assert min(versions, key=lambda v: int(v[2:])) in project["requires-python"]
    ci = set(re.split(r"[\s;]+", (ROOT / ".ci" / "run").read_text("utf-8")))
    assert {f"python{version}" for version in versions} <= ci


def test_newest_asks_for_the_same_packages_without_their_pins():
    wanted = newest.unpinned()
    assert {"numpy", "jupyter-book<2", "ipykernel<7", "mypy", "myst-nb"} <= set(wanted)
    assert "2" in {version.split(".")[0] for version in newest.pins()["numpy"]}
