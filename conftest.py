"""Every test, a doctest included, draws without a screen, shows records, and leaves none open."""

import os
import sys
from pathlib import Path

import pytest

os.environ.setdefault("MPLBACKEND", "agg")
os.environ.setdefault("ERRLAB_OUTPUT", "record")
# Two workers on two cores: a second thread of one would wait, busily, for the other's core.
os.environ.setdefault("OMP_NUM_THREADS", "1")

LISTED = Path(__file__).with_name("_toc.yml").read_text("utf-8").split()


def pytest_ignore_collect(collection_path, config):
    """Leave out notebooks that are no decks and that _toc.yml does not list: they are drafts."""
    if collection_path.suffix == ".ipynb" and collection_path.parent.name != "decks":
        name = collection_path.relative_to(config.rootpath).with_suffix("").as_posix()
        return True if name not in LISTED else None
    return None


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown():
    """Close what a test has drawn."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
