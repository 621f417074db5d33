"""No code parses sentences: if every method is reworded at once, nothing but words changes."""

import importlib
import json
import sys

import examples
import pytest


def loaded():
    """Return the modules of errlab and the examples."""
    modules = sys.modules.items()
    return {name: one for name, one in modules if name.partition(".")[0] in ("errlab", "examples")}


@pytest.fixture
def reworded():
    """The examples of errlab imported anew with other words, because an import makes methods."""
    before = loaded()
    for name in before:
        del sys.modules[name]
    method = importlib.import_module("errlab._core.evidence").Method
    make = method.__new__
    method.__new__ = lambda cls, words, key="": make(cls, f"method no. {len(words)}", key or words)
    yield importlib.import_module("examples")
    for name in loaded():
        del sys.modules[name]
    sys.modules.update(before)


@pytest.mark.slow
def test_rewording_every_method_changes_words_and_nothing_else(reworded):
    assert reworded.errlab is not examples.errlab
    pairs = zip(examples.numbers(), reworded.numbers(), strict=True)
    for (method, *before), (other, *after) in pairs:
        assert other.startswith("method no. "), f"{method!r} is no Method: its words are its key"
        assert json.dumps(after) == json.dumps(before), method
