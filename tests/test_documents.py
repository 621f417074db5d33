"""The examples of the documents, as a reader would run them, with what they print."""

import doctest
import re
from pathlib import Path

import pytest

import errlab

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
    assert calls
    for call in calls:
        result = errlab
        for name in call.strip(".").split("."):
            assert name in result.__all__, call
            result = getattr(result, name)
        assert callable(result)
