"""Set up every test and doctest: draw without a screen, record outputs, and close all figures."""

import difflib
import functools
import json
import os
import sys
from pathlib import Path

import pytest

os.environ.setdefault("MPLBACKEND", "agg")
os.environ.setdefault("ERRLAB_OUTPUT", "record")
os.environ["MATPLOTLIBRC"] = os.devnull  # ignore the user's own Matplotlib style
# One thread per worker, because each core has a worker already.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Kernels of nbval call each `interact` function once, and its figure becomes the cell's output.
os.environ["PYTHONSTARTUP"] = str(Path(__file__).parent / "tools" / "still.py")

pytest_plugins = ["budget"]
# jsonschema would build this grammar in every process that reads notebooks, which takes longer than
# all our imports. It checks internationalized addresses, which notebooks don't contain.
sys.modules.setdefault("rfc3987_syntax", None)
ROOT = Path(__file__).parent
LISTED = (ROOT / "_toc.yml").read_text("utf-8").split()
PATIENCE = 600  # seconds; nbval's own 60 for a kernel and 5 for an output are few on a busy machine
SPELT_OUT = 3  # number of differing frames that are listed


def pytest_configure(config):
    """Let nbval ignore memory addresses and names of temporary files, and try a kernel twice."""
    if getattr(config.option, "nbval_sanitize_with", "") is None:
        config.option.nbval_sanitize_with = str(ROOT / "tests" / "sanitize.cfg")
    if getattr(config.option, "nbval", False):
        from nbval import kernel

        config.option.nbval_kernel_startup_timeout = PATIENCE
        kernel.start_new_kernel = tried_twice(kernel.start_new_kernel)
        if os.environ["ERRLAB_OUTPUT"] == "book":
            from executed import Executed

            config.pluginmanager.register(Executed())


def tried_twice(start):
    """Start another kernel if the first does not answer: its ports can be taken by a program."""

    @functools.wraps(start)
    def started(*args, **kwargs):
        try:
            return start(*args, **kwargs)
        except RuntimeError:
            return start(*args, **kwargs)

    return started


def pytest_ignore_collect(collection_path, config):
    """Skip notebooks that aren't decks and that _toc.yml doesn't list: they are drafts."""
    if collection_path.suffix == ".ipynb" and collection_path.parent.name != "decks":
        name = collection_path.relative_to(config.rootpath).with_suffix("").as_posix()
        return True if name not in LISTED else None
    return None


def pytest_itemcollected(item):
    """Let a cell of nbval wait longer for its outputs."""
    if hasattr(item, "output_timeout"):
        item.output_timeout = PATIENCE


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """List the frames that changed when an explorer's cell fails: nbval only sees checksums."""
    report = yield
    outputs = getattr(item, "test_outputs", None)
    if report.failed and outputs:
        stored = ROOT / "tests" / "records" / f"{item.path.stem}.json"
        entries = [out.get("metadata", {}).get("errlab") for out in outputs]
        before = json.loads(stored.read_text("utf-8")) if stored.exists() else []
        if lines := changed_frames(before, [entry for entry in entries if entry]):
            report.sections.append(("Frames that are not as they are stored", "\n".join(lines)))
    return report


def changed_frames(before, now):
    """Return the differences in the first frames that changed, for each explorer."""
    stored = {tuple(entry["explorer"]): entry["frames"] for entry in before}
    lines = []
    for entry in now:
        frames = stored.get(tuple(entry["explorer"]), entry["frames"])
        pairs = zip(frames, entry["frames"], strict=True)
        for old, new in [pair for pair in pairs if pair[0] != pair[1]][:SPELT_OUT]:
            lines.append(f"FRAME {new[0]}")
            # keep only removed and added lines; drop equal lines and difflib's hints
            for line in difflib.ndiff(old, new):
                if line[0] in "-+":
                    lines.append(f"  {'was' if line[0] == '-' else ' is'} {line[2:].strip()}")
    return lines


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown():
    """Close the figures that a test has drawn."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
