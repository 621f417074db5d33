"""The examples of the documents, as a reader would run them, with what they print."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

import errlab
from errlab.__main__ import main

ROOT = Path(__file__).parents[1]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("book/*.md")]
PROMPTS = [path for path in DOCUMENTS if "\n>>> " in path.read_text("utf-8")]


@pytest.mark.parametrize("path", PROMPTS, ids=lambda path: path.name)
def test_what_a_prompt_prints_is_what_stands_below_it(path):
    """The first screen of README had the wrong winner in a comment: now it is printed."""
    text = re.sub("^```.*$", "", path.read_text("utf-8"), flags=re.MULTILINE)
    example = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    assert example.examples
    assert doctest.DocTestRunner(verbose=False).run(example).failed == 0


def test_every_call_of_readme_is_a_public_name():
    """It called `errlab.statements.per_class`."""
    text = (ROOT / "README.md").read_text("utf-8")
    calls = set(re.findall(r"errlab((?:\.\w+)+)\(", text))
    assert len(calls) >= 8
    for call in calls:
        found = errlab
        for name in call.strip(".").split("."):
            assert name in found.__all__, call
            found = getattr(found, name)
        assert callable(found)


def test_the_line_of_the_shell_in_readme_prints_what_stands_there(capsys):
    text = (ROOT / "README.md").read_text("utf-8")
    command = re.search(r"`errlab (report --errors \d+ --n \d+)` says the same", text)
    assert main(shlex.split(command[1])) == 0
    assert capsys.readouterr().out.rstrip() in text
