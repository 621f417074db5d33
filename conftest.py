"""Every test, a doctest included, draws without a screen, shows records, and leaves none open."""

import os
import sys

import pytest

os.environ.setdefault("MPLBACKEND", "agg")
os.environ.setdefault("ERRLAB_OUTPUT", "record")
# Two workers on two cores: a second thread of one would wait, busily, for the other's core.
os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown():
    """Close the figures of a test, a doctest included."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
