"""The workflows are well formed, and call existing commands."""

import re
from pathlib import Path

import pytest
import yaml

import newest

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def steps(path):
    for job in yaml.safe_load(path.read_text("utf-8"))["jobs"].values():
        yield from job["steps"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_each_target_and_file_of_a_step_exists(path):
    labels = []
    for step in steps(path):
        for line in step.get("run", "").splitlines():
            if match := re.match(r"make (?:-C (\w+) )?(.+)", line):
                folder = match[1] or "."
                text = (ROOT / folder / "Makefile").read_text("utf-8")
                declared = re.search(r"^\.PHONY: (.+)", text, re.MULTILINE)
                labels.append(line)
                assert set(match[2].split()) <= set(declared[1].split()), line
            elif match := re.match(r"python ([\w/]+\.py)", line):
                labels.append(line)
                assert (ROOT / match[1]).exists(), line
    assert labels


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_others_wrote_is_pinned_and_no_job_may_do_more_than_it_must(path):
    workflow = yaml.safe_load(path.read_text("utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        assert "timeout-minutes" in job or "permissions" in job, name
    for step in steps(path):
        version = step.get("uses", "@" + "0" * 40).partition("@")[2]
        assert re.fullmatch("[0-9a-f]{40}", version)


def test_every_python_that_the_package_takes_is_tested():
    with (ROOT / "pyproject.toml").open("rb") as stream:
        text = stream.read().decode()
    message = re.findall(r"Programming Language :: Python :: (3\.\d+)", text)
    book = yaml.safe_load((ROOT / ".github" / "workflows" / "book.yml").read_text("utf-8"))
    tested = {leg["python"] for leg in book["jobs"]["test"]["strategy"]["matrix"]["include"]}
    assert set(message) == tested
    assert min(message, key=lambda v: int(v[2:])) in re.search(r'requires-python = "(.*)"', text)[1]
    ci = (ROOT / ".ci" / "run").read_text("utf-8")
    assert {f"python{version}" for version in message} <= set(ci.split()) | {
        word.rstrip(";") for word in ci.split()
    }


def test_newest_asks_for_the_same_packages_without_their_pins():
    wanted = newest.unpinned()
    assert {"numpy", "jupyter-book<2", "ipykernel<7.3", "mypy", "myst-nb"} <= set(wanted)
    assert "2" in {version.split(".")[0] for version in newest.pins()["numpy"]}
