"""Give the build what nbval has executed, so that `make test` executes each notebook once.

This plugin of pytest is active where nbval runs notebooks in book mode (`ERRLAB_OUTPUT=book`). A
cell then displays everything that the page needs, and nbval compares the formats that are stored.
A notebook of which every cell has passed is kept with its outputs; see `errlab_cache.keep`.
"""

from __future__ import annotations

import copy
import functools
from collections import defaultdict
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from errlab_cache import keep

WIDGET = "application/vnd.jupyter.widget-view+json"
# nbval prints this about a message that changes an earlier output
CHANGED = "unhandled iopub msg"


class Executed:
    """Compare the stored formats of each output, and keep the notebooks that pass."""

    def __init__(self) -> None:
        # by notebook, of the cells that have passed
        self.outputs: dict[Path, list[Any]] = defaultdict(list)

    def pytest_itemcollected(self, item: Any) -> None:
        """Let a cell compare only the formats that are stored."""
        item.compare_outputs = comparing_stored(item.compare_outputs)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Generator[None, Any, Any]:
        """Keep a notebook as soon as all of its cells have passed.

        One that changes an earlier output, or shows a widget, is left to the build.
        """
        report = yield
        if call.when == "call" and report.passed:
            cells = [cell for cell in item.parent.nb.cells if cell.cell_type == "code"]
            outputs = self.outputs[item.path]
            if CHANGED not in report.capstdout and WIDGET not in formats(item.test_outputs):
                outputs.append(item.test_outputs)
            if len(outputs) == len(cells):
                keep(item.path, outputs)
        return report


def comparing_stored(compare: Callable[..., bool]) -> Callable[..., bool]:
    """Return nbval's comparison, restricted to text and to the formats that both sides have.

    A page has pictures as SVG, with their captions; a stored notebook has captions below pictures.
    """

    @functools.wraps(compare)
    def compared(ran: list[Any], stored: list[Any]) -> bool:
        stored = [out for out in stored if not out.get("metadata", {}).get("caption")]
        common = formats(ran) & formats(stored) | {"text/plain"}
        return compare(*(only(common, outputs) for outputs in (ran, stored)))

    return compared


def formats(outputs: list[Any]) -> set[str]:
    """Return the formats of some outputs."""
    return {kind for output in outputs for kind in output.get("data", {})}


def only(kinds: set[str], outputs: list[Any]) -> list[Any]:
    """Return the outputs with no other formats than these."""
    chosen = copy.deepcopy(outputs)
    for output in chosen:
        if "data" in output:
            output.data = {kind: output.data[kind] for kind in output.data if kind in kinds}
    return chosen
