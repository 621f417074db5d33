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
from typing import Any

import nbformat
import pytest

from errlab_cache import keep

OUTPUTS = {"stream", "display_data", "execute_result", "error"}  # messages that are outputs


class Executed:
    """Compare the stored formats of each output, and keep the notebooks that pass."""

    def __init__(self) -> None:
        # for each notebook: its messages, and the number of its cells that have passed
        self.heard: dict[Any, list[dict[str, Any]]] = {}
        self.passed: dict[Any, int] = defaultdict(int)

    def pytest_itemcollected(self, item: Any) -> None:
        """Let a cell compare only the formats that are stored."""
        item.compare_outputs = comparing_stored(item.compare_outputs)

    def pytest_runtest_setup(self, item: Any) -> None:
        """Listen to the kernel of a notebook, from its first cell on."""
        notebook = item.parent
        if notebook not in self.heard:
            self.heard[notebook] = []
            notebook.get_kernel_message = listening(
                notebook.get_kernel_message, self.heard[notebook]
            )

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Generator[None, Any, Any]:
        """Keep a notebook as soon as all of its cells have passed."""
        report = yield
        if call.when == "call" and report.passed:
            notebook = item.parent
            self.passed[notebook] += 1
            cells = [cell for cell in notebook.nb.cells if cell.cell_type == "code"]
            if self.passed[notebook] == len(cells):
                ran = by_cell(self.heard.pop(notebook))
                if ran is not None and [code for code, _ in ran] == [c.source for c in cells]:
                    keep(notebook.path, [outputs for _, outputs in ran])
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


def listening(get_message: Callable[..., Any], heard: list[dict[str, Any]]) -> Callable[..., Any]:
    """Return a function that also writes down each message it gets."""

    @functools.wraps(get_message)
    def getting(*args: Any, **kwargs: Any) -> Any:
        message = get_message(*args, **kwargs)
        heard.append(message)
        return message

    return getting


def by_cell(messages: list[dict[str, Any]]) -> list[tuple[str, list[Any]]] | None:
    """Return the code and the outputs of each cell, or None if a message says more than outputs.

    A notebook that changes an earlier output, or opens a widget, is left to the build itself.
    """
    cells: dict[str, tuple[str, list[Any]]] = {}
    for message in messages:
        kind, parent = message["msg_type"], message["parent_header"].get("msg_id")
        if kind == "execute_input":
            cells[parent] = (message["content"]["code"], [])
        elif kind in OUTPUTS and parent in cells:
            cells[parent][1].append(nbformat.v4.output_from_msg(message))
        elif kind != "status":
            return None
    return list(cells.values())
