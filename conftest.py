"""Every test draws without a screen, shows figures as records, and leaves none open."""

import os
import sys

import pytest

os.environ.setdefault("MPLBACKEND", "agg")
os.environ.setdefault("ERRLAB_OUTPUT", "record")


@pytest.fixture(autouse=True)
def close_figures():
    """Close the figures of a test, a doctest included, where it drew any."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
