"""Explorers: a draw function with controls, alive with a kernel and without one."""

import base64
import functools
import gzip
import html
import itertools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from types import FunctionType
from typing import Any

import ipywidgets
import matplotlib.pyplot as plt
from IPython import display, get_ipython

from errlab._core import checks
from errlab_book.figures import checksum, figure_of, mode
from errlab_book.figures._record import Drawing, drawing
from errlab_book.figures._show import (
    data_html,
    drawn_by,
    figure_html,
    picture,
    source_html,
    store,
    words_html,
)
from errlab_book.results import is_drawn, plot_result

# frames; more would make the page slow
_LIMIT = 400
# checksums of frames
_A_LINE = 10
# what is called after each cell, by the name of the explorer that follows the reader's functions
_FOLLOWING: dict[str, Callable[[Any], None]] = {}


@dataclass(frozen=True)
class Frame:
    """One frame of an explorer: where its controls stand, what it shows, and its drawing."""

    at: str
    alt: str
    drawing: Drawing

    @property
    def record(self) -> str:
        """What it shows in a sentence, and the record of its drawing."""
        return f"{self.alt}\n{self.drawing.record}"


@dataclass(frozen=True)
class Explorer:
    """A draw function, the values of its parameters, and where to start. See `explore`."""

    draw: Callable[..., Any]
    controls: Mapping[str, Sequence[Any]]
    start: Mapping[str, Any]
    labels: Mapping[str, str]
    caption: str
    alt: Callable[..., str] | None
    source: str = ""
    by: Callable[..., Any] | None = None

    @property
    def name(self) -> str:
        """The name of its draw function, or of the function of a chapter that this stands in."""
        return self.draw.__qualname__.split(".")[0]

    def drawn(self, **chosen: Any) -> Any:
        """Draw at these values; what a function returns that draws nothing is drawn for it."""
        shown = self.draw(**chosen) if self.by is None else self.draw(self.by, **chosen)
        if is_drawn(shown):
            return shown
        first = next(iter(self.controls))
        return plot_result(
            self.draw, chosen, shown, {first: self.controls[first]}, self.label(first)
        )

    def said(self, **chosen: Any) -> str:
        """Say what these values show."""
        if not self.alt:
            return ""
        return self.alt(**chosen) if self.by is None else self.alt(self.by, **chosen)

    @property
    def function(self) -> Callable[..., Any]:
        """What a reader may have written: the function that is drawn, or that draws."""
        return self.by or self.draw

    def label(self, name: str) -> str:
        """Return the words beside a control."""
        return self.labels.get(name, name.replace("_", " "))

    def frame(self, *values: Any) -> Frame:
        """Draw the frame at these values of the controls."""
        chosen = dict(zip(self.controls, values, strict=True))
        at = ", ".join(f"{self.label(name)} {value}" for name, value in chosen.items())
        alt = f"{at}: {self.said(**chosen)}" if self.alt else at
        figure = figure_of(self.drawn(**chosen))
        try:
            return Frame(at, alt, drawing(figure))
        finally:
            plt.close(figure)

    def frames(self) -> list[Frame]:
        """Draw every frame: the last control moves fastest."""
        return list(itertools.starmap(self.frame, itertools.product(*self.controls.values())))

    def __repr__(self) -> str:
        """List the controls, and a checksum of each frame; the frames are the reader's to find."""
        return self._text(self.frames())

    def _head(self) -> str:
        """Say what the explorer is, without drawing it."""
        number = math.prod(map(len, self.controls.values()))
        lines = [f"Explorer of {self.name}: {number} frames"]
        if self.caption:
            lines.append(f"Caption: {self.caption}")
        for name, values in self.controls.items():
            lines.append(f"  {self.label(name)}: {', '.join(str(value) for value in values)}")
        return "\n".join(lines)

    def _text(self, frames: list[Frame]) -> str:
        """Return the explorer as text: its head, and a line of checksums for ten frames.

        A line begins with the place of its first frame. Where the last control starts again, so
        does a line.
        """
        lines = [self._head()]
        # a new line when the last control, which moves fastest, starts again
        turn = len(list(self.controls.values())[-1])
        for first in range(0, len(frames), turn):
            row = frames[first : first + turn]
            for start in range(0, turn, _A_LINE):
                some = row[start : start + _A_LINE]
                sums = " ".join(checksum(frame.record)[:6] for frame in some)
                lines.append(f"  from {some[0].at}: {sums}")
        return "\n".join(lines)

    def html(self, drawn: list[Frame] | None = None) -> str:
        """Return a page fragment that needs neither a kernel nor another file."""
        drawn = drawn or self.frames()
        pictures = [frame.drawing.svg for frame in drawn]
        words = [frame.alt for frame in drawn]
        records = [frame.drawing.data for frame in drawn]
        frames = json.dumps({"svg": pictures, "alt": words, "record": records})
        # frames of one explorer are much alike, so packing saves most of their size
        packed = base64.b64encode(gzip.compress(frames.encode(), 9, mtime=0)).decode()
        # unique on a page, and the same in each build
        name = f"x{checksum(self.name + frames)}"
        at = 0
        for control, values in self.controls.items():
            # the place of the start among the frames, in the order in which they were drawn
            at = at * len(values) + list(values).index(self.start[control])
        controls = "".join(
            _control_html(f"{name}-{number}", self.label(c), list(values), self.start[c])
            for number, (c, values) in enumerate(self.controls.items())
        )
        return (
            f'<div class="errlab-explorer" id="{name}" role="group" '
            f'aria-label="{html.escape(self.caption or self.name)}">'
            f'<div class="errlab-controls">{controls}</div>'
            + figure_html(picture(pictures[at], words[at]), self.caption, data_html(records[at]))
            + source_html(self.source)
            + '<p class="errlab-said" aria-live="polite"></p>'
            f'<script type="application/gzip">{packed}</script>'
            f"<script>{files('errlab_book').joinpath('explorer.js').read_text('utf-8')}</script></div>"
        )

    def widget(self) -> Any:
        """Return ipywidgets controls with the figure under them; a frame is drawn on demand."""
        controls = [
            _control_widget(self.label(name), list(values), self.start[name])
            for name, values in self.controls.items()
        ]
        shown, words = ipywidgets.HTML(), ipywidgets.HTML()
        now = self

        # each frame is drawn once
        @functools.cache
        def frame(*at: int) -> Frame:
            return now.frame(*(v[i] for v, i in zip(self.controls.values(), at, strict=True)))

        def show(change: Any = None) -> None:
            # by index, since a value such as a list could be no key of a cache
            try:
                made = frame(*(control.index for control in controls))
            except Exception as error:
                if not _readers(self.function):
                    raise
                # the reader is at work on it: the picture says what is wrong, and waits
                shown.value = words_html(f"{type(error).__name__}: {error}")
                return
            shown.value = figure_html(picture(made.drawing.svg, made.alt), self.caption)
            words.value = words_html(made.drawing.data)

        def anew(function: Callable[..., Any]) -> None:
            nonlocal now
            now = replace(self, by=function) if self.by else replace(self, draw=function)
            frame.cache_clear()
            show()

        for control in controls:
            control.observe(show, names="index")
        show()
        _follow(self, anew)
        data = ipywidgets.Accordion([words], titles=["Data of this figure"])
        box = ipywidgets.VBox([*controls, shown, data])
        box.add_class("errlab-kernel")
        return box

    def _ipython_display_(self) -> None:
        if mode() == "live":
            display.display(self.widget())
            return
        frames = self.frames()
        words = self._text(frames)
        if mode() == "book":
            display.display({"text/plain": words, "text/html": self.html(frames)}, raw=True)
            return
        # checksums alone are stored beside the cell; who runs it takes the records from here
        records = [frame.record.splitlines() for frame in frames]
        entry = {"explorer": self._head().splitlines(), "frames": records}
        alt = self.said(**self.start) or self.caption
        caption = (f"*{self.caption}*" if self.caption else "") + self._moves()
        store(words, self.drawn(**self.start), caption.strip(), alt, errlab=entry)

    def _moves(self) -> str:
        """Say, for who reads the stored notebook, what a control would change."""
        moved, chosen = [], []
        for control, values in self.controls.items():
            name, first, last = f"*{self.label(control)}*", values[0], values[-1]
            if isinstance(first, str):
                chosen.append(name)
            else:
                moved.append(f"{name} from {first:g} to {last:g}")
        hands = [
            f"{verb} {' and '.join(names)}"
            for verb, names in (("move", moved), ("choose", chosen))
            if names
        ]
        return f" On the site, and live, you {', and '.join(hands)}."


def explore(
    draw: Callable[..., Any],
    *,
    start: Mapping[str, Any] | None = None,
    labels: Mapping[str, str] | None = None,
    caption: str = "",
    alt: Callable[..., str] | None = None,
    by: Callable[..., Any] | None = None,
    **controls: Sequence[Any],
) -> Explorer:
    """Explore a function by moving its parameters: one that draws, or one that computes.

    A number is drawn against the first control, a pair as an interval, more numbers as a histogram.
    A function that was defined in the notebook is followed: when its cell runs again, the picture
    changes.

    With a kernel it shows ipywidgets; in the book native HTML controls over frames drawn
    beforehand; under test a checksum of each frame (see `errlab_book.figures.mode`).

    Parameters
    ----------
    draw : callable
        ``draw(**values)`` returns a Figure or Axes, a number, a pair or a list of numbers.
    start : dict, optional
        The value at which each control starts; the first one where it is not given.
    labels : dict, optional
        The words beside each control; the parameter's name where they are not given.
    caption : str
        The caption under the figure.
    alt : callable, optional
        ``alt(**values)`` says in words what that frame shows.
    by : callable, optional
        A function that the figure is computed by, as a reader has written it: it comes first in
        ``draw(by, **values)`` and ``alt(by, **values)``.
    **controls : sequence
        The values of each parameter, at least one: sliders for numbers, buttons for words.

    Returns
    -------
    Explorer
        Displays itself as the last line of a cell.

    Raises
    ------
    ValueError
        If there is no control, a control has no value, the start is not among the values, or
        there are more than 400 frames.
    TypeError
        If `draw` cannot be called or the values of a control are no sequence.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> def draw(n):
    ...     ax = Figure().subplots()
    ...     ax.plot([0, n])
    ...     return ax
    >>> explorer = explore(draw, n=[10, 20])
    >>> print(explorer)
    Explorer of draw: 2 frames
      n: 10, 20
      from n 10: ...
    """
    if not callable(draw):
        raise TypeError(f"draw must be a function, got {draw!r}")
    if not controls:
        raise ValueError("explore needs the values of at least one parameter, got none")
    for name, values in controls.items():
        if isinstance(values, str) or not isinstance(values, (Sequence, range)):
            raise TypeError(f"{name} must be a list of values, got {values!r}")
        checks.require(len(values), name, "have at least one value", values)
    frames = math.prod(map(len, controls.values()))
    checks.require(frames <= _LIMIT, "an explorer", f"have at most {_LIMIT} frames", frames)
    # without a word on it each control starts at its first value
    first = {name: values[0] for name, values in controls.items()} | dict(start or {})
    for name, value in first.items():
        known = name in controls and value in controls[name]
        checks.require(known, "start", "name values of the controls", {name: value})
    for name in labels or {}:
        checks.require(name in controls, "labels", "name controls", name)
    if by is not None and not callable(by):
        raise TypeError(f"by must be a function, got {by!r}")
    return Explorer(draw, controls, first, labels or {}, caption, alt, drawn_by(), by)


def _readers(function: Callable[..., Any]) -> bool:
    """Whether a function was written in the notebook."""
    return getattr(function, "__module__", "") == "__main__"


def _follow(explorer: Explorer, anew: Callable[[Callable[..., Any]], None]) -> None:
    """Draw anew whenever a cell has defined one of the notebook's functions again."""
    shell = get_ipython()
    if shell is None or not _readers(explorer.function):
        return

    def written() -> dict[str, int]:
        # a helper that the function calls may be what was changed
        space = shell.user_ns.items()
        return {k: id(f) for k, f in space if isinstance(f, FunctionType) and _readers(f)}

    known = written()

    def after(result: Any) -> None:
        nonlocal known
        if (now := written()) != known:
            known = now
            anew(shell.user_ns.get(explorer.function.__name__, explorer.function))

    # a cell that runs again shows another explorer of this name, and the one before is gone
    if old := _FOLLOWING.pop(explorer.name, None):
        shell.events.unregister("post_run_cell", old)
    _FOLLOWING[explorer.name] = after
    shell.events.register("post_run_cell", after)


def _numeric(values: Sequence[Any]) -> bool:
    return all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)


def _control_widget(label: str, values: list[Any], start: Any) -> Any:
    """Return a slider for numbers, buttons for words."""
    options: dict[str, Any] = {
        "options": [(str(value), value) for value in values],
        "index": values.index(start),
        "description": label,
        "style": {"description_width": "initial"},
    }
    if not _numeric(values):
        return ipywidgets.ToggleButtons(**options)
    # the words beside a slider count
    width = {"width": "min(100%, 40rem)"}
    return ipywidgets.SelectionSlider(**options, continuous_update=True, layout=width)


def _control_html(name: str, label: str, values: Sequence[Any], start: Any) -> str:
    """Return a slider for numbers, and a choice of buttons for all else."""
    data = f"data-values='{html.escape(json.dumps([str(v) for v in values]))}'"
    words = html.escape(label)
    if _numeric(values):
        at = list(values).index(start)
        return (
            f'<div class="errlab-control"><label for="{name}">{words}</label>'
            f'<input type="range" id="{name}" min="0" max="{len(values) - 1}" step="1" '
            f'value="{at}" autocomplete="off" aria-valuetext="{html.escape(str(start))}" {data}>'
            f'<output for="{name}">{html.escape(str(start))}</output></div>'
        )
    buttons = "".join(
        f'<label><input type="radio" name="{name}" autocomplete="off"'
        f"{' checked' if v == start else ''}> {html.escape(str(v))}</label>"
        for v in values
    )
    return (
        f'<fieldset class="errlab-control" id="{name}" {data}>'
        f"<legend>{words}</legend>{buttons}</fieldset>"
    )
