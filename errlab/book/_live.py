"""An explorer with a kernel: ipywidgets, and the frames that were drawn already."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import itertools
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from errlab.book.figures._record import Drawing, checksum
from errlab.book.figures._show import figure_html, picture, words_html

_PAUSE = 0.05  # seconds without a move, after which the kernel may draw ahead
_ONE_AT_A_TIME = threading.RLock()  # Jupyter may serve widgets from several threads


@dataclass(frozen=True)
class Frame:
    """One frame of an explorer: what it shows in a sentence, and its drawing."""

    alt: str
    drawing: Drawing

    def __str__(self) -> str:
        """Return the sentence with the checksum of the record."""
        return f"{self.alt} [{checksum(self.drawing.record)}]"


class Live:
    """Controls with a figure under them: a frame is drawn when it is asked for, and kept.

    When the reader has moved a control and the kernel is idle, the frames around the one that is
    shown are drawn ahead, the nearest first.

    Parameters
    ----------
    controls : sequence of widgets
        Sliders and buttons, each with an ``index``.
    draw : callable
        ``draw(positions)`` draws the frame at these positions of the controls.
    caption : str
        The caption under the figure.
    """

    moved = 0.0  # when a reader has last moved a control, of whatever explorer

    def __init__(
        self,
        controls: Sequence[Any],
        draw: Callable[[tuple[int, ...]], Frame],
        caption: str,
    ) -> None:
        import ipywidgets

        self.controls = controls
        self.caption = caption
        self.kept: dict[tuple[int, ...], Frame] = {}
        self._draw = draw
        self._waiting = False
        self.picture = ipywidgets.HTML()
        self.words = ipywidgets.HTML()
        data = ipywidgets.Accordion([self.words], titles=["Data of this figure"])
        self.box = ipywidgets.VBox([*controls, self.picture, data])
        self.box.add_class("errlab-kernel")
        for control in controls:
            control.observe(self._moved, names="index")
        self._show()

    def frame(self, at: tuple[int, ...]) -> Frame:
        """Return the frame at these positions, drawn at most once."""
        with _ONE_AT_A_TIME, _collector_paused():
            if at not in self.kept:
                self.kept[at] = self._draw(at)
            return self.kept[at]

    def _at(self) -> tuple[int, ...]:
        return tuple(control.index for control in self.controls)

    def _show(self) -> None:
        frame = self.frame(self._at())
        self.picture.value = figure_html(picture(frame.drawing.page, frame.alt), self.caption)
        self.words.value = words_html(frame.drawing.data)

    def _moved(self, change: Any) -> None:
        self._show()
        Live.moved = time.monotonic()
        if not self._waiting:
            self._later()

    def _later(self) -> None:
        """Look in a while whether one more frame may be drawn."""
        with contextlib.suppress(RuntimeError):  # no event loop, as in a script
            asyncio.get_running_loop().call_later(_PAUSE, self._ahead)
            self._waiting = True

    def _ahead(self) -> None:
        """Draw the nearest frame that is not drawn yet, unless a finger moves; then ask again."""
        self._waiting = False
        if time.monotonic() - Live.moved < _PAUSE:
            self._later()
            return
        here = self._at()
        everywhere = itertools.product(*(range(len(c.options)) for c in self.controls))
        missing = [at for at in everywhere if at not in self.kept]
        if missing:
            self.frame(min(missing, key=lambda at: math.dist(at, here)))
            self._later()


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """Look for no garbage while a reader waits: in a kernel full of libraries it takes 0.3 s.

    What a figure leaves behind is young when the collector is back, and found without the rest.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def control_widget(label: str, values: Sequence[Any], start: Any, *, numeric: bool) -> Any:
    """Return a slider for numbers, buttons for words."""
    import ipywidgets

    options: dict[str, Any] = {
        "options": [(str(value), value) for value in values],
        "index": list(values).index(start),
        "description": label,
        "style": {"description_width": "initial"},
    }
    if not numeric:
        return ipywidgets.ToggleButtons(**options)
    width = {"width": "min(100%, 40rem)"}  # the words beside a slider count
    return ipywidgets.SelectionSlider(**options, continuous_update=True, layout=width)
