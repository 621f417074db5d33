"""No code parses sentences: if every method is reworded at once, nothing but words changes."""

import json
import subprocess
import sys
from pathlib import Path

import examples
import pytest

# In another process, because the methods are made when errlab is imported.
REWORDED = """
import json
import sys
from errlab._core.evidence import Method

before = Method.__new__
Method.__new__ = lambda cls, words, key="": before(cls, f"method no. {len(words)}", key or words)
sys.path.insert(0, "tests/report")
import examples

print(json.dumps(examples.numbers()))
"""


@pytest.mark.slow
def test_rewording_every_method_changes_words_and_nothing_else():
    command = [sys.executable, "-c", REWORDED]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    for (method, *before), (other, *after) in zip(
        examples.numbers(), json.loads(done.stdout), strict=True
    ):
        assert other.startswith("method no. "), f"{method!r} is no Method: its words are its key"
        assert after == json.loads(json.dumps(before)), method
