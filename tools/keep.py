"""Keep the figures that a notebook shows, for the tests that change them.

`tools/notebooks.py` runs this file in the kernel before the first cell, with `TARGET`, the file to
write to, and `FRAMES`, how many frames of an explorer to keep (0: all). `read` takes them out.
"""

from __future__ import annotations

import contextlib
import functools
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple


class Kept(NamedTuple):
    """A figure: of which cell's explorer (or none) it is, which frame, and the pickled figure."""

    explorer: int | None
    frame: int
    figure: bytes


def read(path: Path) -> Iterator[Kept]:
    """Yield the figures in a file, in the order in which they were shown."""
    with path.open("rb") as stream:
        while True:
            try:
                yield Kept(*pickle.load(stream))
            except EOFError:
                return


def chosen(number: int, frames: int) -> set[int]:
    """Return the first frame, the last one and those evenly between, `frames` in all."""
    if not frames or number <= frames:
        return set(range(number))
    return {round(i * (number - 1) / (frames - 1)) for i in range(frames)}


def packed(figure: Any) -> bytes:
    """Pickle a figure; cloudpickle is slower, and packs functions of a notebook's own as well."""
    with contextlib.suppress(pickle.PicklingError, AttributeError):
        quickly = pickle.dumps(figure)
        if b"__main__" not in quickly:  # where only this notebook would find a function
            return quickly
    import cloudpickle

    slowly: bytes = cloudpickle.dumps(figure)
    return slowly


def start(target: Path, frames: int) -> None:
    """Keep every figure that this kernel shows from now on, and some frames of its explorers."""
    from errlab.book.figures._show import Shown
    from errlab.book.widgets import Explorer

    stream = target.open("wb")
    explorers: list[Any] = []

    def keep(explorer: int | None, frame: int, figure: Any) -> None:
        pickle.dump((explorer, frame, packed(figure)), stream)
        stream.flush()

    show = Shown._ipython_display_
    draw = Explorer.frames

    @functools.wraps(show)
    def shown(self: Shown) -> None:
        show(self)
        keep(None, 0, self.figure)

    @functools.wraps(draw)
    def drawn(self: Explorer) -> Iterator[Any]:
        if not any(self is one for one in explorers):
            explorers.append(self)
        own = next(i for i, one in enumerate(explorers) if one is self)
        number = 1
        for values in self.controls.values():
            number *= len(values)
        wanted = chosen(number, frames)
        for i, (values, figure) in enumerate(draw(self)):
            yield values, figure
            if i in wanted:
                keep(own, i, figure)

    Shown._ipython_display_ = shown
    Explorer.frames = drawn


if "TARGET" in globals():
    start(Path(globals()["TARGET"]), globals()["FRAMES"])
