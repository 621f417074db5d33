"""Explorers: a draw function with controls, interactive with a kernel and without one."""

import base64
import contextlib
import functools
import gzip
import html
import itertools
import json
import linecache
import math
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

import ipywidgets
import matplotlib.pyplot as plt
from IPython import display
from matplotlib.figure import Figure

from errlab import checks
from errlab_book import controls as moves
from errlab_book.controls import Control
from errlab_book.figures import checksum, figure_of, mode
from errlab_book.figures._record import Drawing, drawing
from errlab_book.figures._show import (
    Shown,
    data_html,
    drawn_by,
    figure_html,
    live_html,
    picture,
    png,
    publish,
    source_html,
    store,
    style_html,
    words_html,
)
from errlab_book.following import Function, follow, is_readers
from errlab_book.results import Result, call, drawn

__all__ = ["Explorer", "explore", "redrawn"]

# maximum number of frames drawn beforehand; more would make a page slow
_LIMIT = 400
# checksums of frames
_A_LINE = 10


@dataclass(frozen=True)
class Frame:
    """One frame of an explorer: its controls' values, its sentence, and its drawing.

    `png` is the drawing as a file, if requested.
    """

    at: str
    alt: str
    drawing: Drawing
    png: bytes = b""

    @property
    def record(self) -> str:
        """Its sentence, and the record of its drawing."""
        return f"{self.alt}\n{self.drawing.record}"


@dataclass(frozen=True)
class Explorer:
    """A function, the controls of its parameters, and its texts. See `explore`."""

    draw: Function
    controls: Mapping[str, Control]
    labels: Mapping[str, str]
    caption: str
    alt: Callable[..., str] | None
    source: str = ""
    by: tuple[Function, ...] = ()

    @property
    def name(self) -> str:
        """The name of its draw function, or of the chapter's function that shows it."""
        return call(self.draw).split(".")[0]

    @property
    def functions(self) -> tuple[Function, ...]:
        """The functions that a reader may edit: those that compute, or the one that draws."""
        return self.by or (self.draw,)

    def using(self, functions: tuple[Function, ...]) -> "Explorer":
        """Return the explorer with other `functions`."""
        return replace(self, by=functions) if self.by else replace(self, draw=functions[0])

    def label(self, name: str) -> str:
        """Return the label of a control."""
        return self.labels.get(name, name.replace("_", " "))

    def start(self) -> dict[str, Any]:
        """Return the value at which each control starts."""
        return {name: moved.values[moved.start] for name, moved in self.controls.items()}

    def shown(self, **chosen: Any) -> tuple[Any, str]:
        """Draw at these values; return the figure or axes, and their sentence."""
        function = functools.partial(self.draw, *self.by) if self.by else self.draw
        first = next(iter(self.controls))
        result = Result(function, chosen, first, self.controls[first].values, self.label(first))
        axes = drawn(result)
        if self.alt:
            return axes, self.alt(*self.by, **chosen)
        # a reader's picture states its finding in the title
        return axes, titles(figure_of(axes)) if axes is result.axes else ""

    def frame(self, *values: Any, picture: bool = False) -> Frame:
        """Draw the frame at these values of the controls, on request with its picture as a file."""
        chosen = dict(zip(self.controls, values, strict=True))
        words = [
            f"{self.label(name)} {moved.word(chosen[name])}"
            for name, moved in self.controls.items()
        ]
        at = ", ".join(words)
        axes, sentence = self.shown(**chosen)
        figure = figure_of(axes)
        try:
            image = drawing(figure)
            file = png(figure, belongs_to=checksum(image.record)) if picture else b""
            return Frame(at, f"{at}: {sentence}" if sentence else at, image, file)
        finally:
            plt.close(figure)

    def frames(self) -> list[Frame]:
        """Draw every frame: the last control moves fastest."""
        _check_number(self.controls)
        values = (moved.values for moved in self.controls.values())
        return list(itertools.starmap(self.frame, itertools.product(*values)))

    def __repr__(self) -> str:
        """List the controls and a checksum of each frame, so that the frames aren't revealed."""
        return self._text(self.frames())

    def _head(self) -> str:
        """Describe the explorer without drawing it."""
        number = _number_of_frames(self.controls)
        lines = [f"Explorer of {self.name}: {number} frames"]
        if self.caption:
            lines.append(f"Caption: {self.caption}")
        for name, moved in self.controls.items():
            lines.append(f"  {self.label(name)}: {', '.join(moved.words)}")
        return "\n".join(lines)

    def _text(self, frames: list[Frame]) -> str:
        """Return the explorer as text: its head, and a line of checksums for ten frames.

        A line begins with the place of its first frame. A new line also begins when the last
        control restarts.
        """
        lines = [self._head()]
        # a new line whenever the last control, which changes fastest, starts again
        turn = len(list(self.controls.values())[-1].values)
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
        tables = [frame.drawing.table for frame in drawn]
        frames = json.dumps({"svg": pictures, "alt": words, "table": tables})
        # frames of one explorer are much alike, so packing saves most of their size
        packed = base64.b64encode(gzip.compress(frames.encode(), 9, mtime=0)).decode()
        # unique on a page, and the same in each build
        name = f"x{checksum(self.name + frames)}"
        at = 0
        for moved in self.controls.values():
            # index of the first frame to show, in the order in which frames were drawn
            at = at * len(moved.values) + moved.start
        controls = "".join(
            moves.on_page(f"{name}-{number}", self.label(control), moved)
            for number, (control, moved) in enumerate(self.controls.items())
        )
        return (
            f'<div class="errlab-explorer" id="{name}" data-name="{html.escape(self.name)}" '
            f'role="group" aria-label="{html.escape(self.caption or self.name)}">'
            f'<div class="errlab-controls">{controls}</div>'
            + figure_html(picture(pictures[at], words[at]), self.caption, data_html(tables[at]))
            + source_html(self.source)
            + '<p class="errlab-said" aria-live="polite"></p>'
            f'<script type="application/gzip">{packed}</script>'
            f"{explorer_script()}</div>"
        )

    def widget(self) -> Any:
        """Return ipywidgets controls with the figure under them; a frame is drawn on demand."""
        return Live(self).box

    def _ipython_display_(self) -> None:
        if mode() == "live":
            Live(self).display()
            return
        frames = self.frames()
        words = self._text(frames)
        # only checksums are stored beside the cell; `tools/notebooks.py` takes the records from
        # here, and a failing run of nbval the frames that have changed
        records = [frame.record.splitlines() for frame in frames]
        entry = {"explorer": self._head().splitlines(), "frames": records}
        if mode() == "book":
            output = {"text/plain": words, "text/html": self.html(frames)}
            display.display(output, raw=True, metadata={"errlab": entry})
            return
        axes, sentence = self.shown(**self.start())
        caption = (f"*{self.caption}*" if self.caption else "") + self._moves()
        store(words, axes, caption.strip(), sentence or self.caption, errlab=entry)

    def _moves(self) -> str:
        """Describe, for readers of the stored notebook, the effect of each control."""
        moved, chosen = [], []
        for name, control in self.controls.items():
            words = f"*{self.label(name)}*"
            if control.slides:
                moved.append(f"{words} from {control.values[0]:g} to {control.values[-1]:g}")
            else:
                chosen.append(words)
        hands = [
            f"{verb} {' and '.join(names)}"
            for verb, names in (("move", moved), ("choose", chosen))
            if names
        ]
        return f" On the site, and live, you {', and '.join(hands)}."


class Live:
    """An explorer with a kernel: its widgets, and the frames that have been drawn so far."""

    def __init__(self, explorer: Explorer) -> None:
        self.explorer = explorer
        self.controls = {
            name: moves.live(explorer.label(name), moved)
            for name, moved in explorer.controls.items()
            if len(moved.values) > 1 or moved.widget is not None
        }
        self.picture, self.words = ipywidgets.HTML(), ipywidgets.HTML()
        self.first: Frame | None = None
        self._frames: dict[str, Frame] = {}
        for control in self.controls.values():
            control.observe(self.show, names="value")
        self.first = self.show(first=True)
        follow(explorer.functions, self.follow)
        data = ipywidgets.Accordion([self.words], titles=["Data of this figure"])
        style = ipywidgets.HTML(style_html(), layout={"display": "none"})
        self.box = ipywidgets.VBox([*self.controls.values(), self.picture, data, style])
        self.box.add_class("errlab-kernel")

    def show(self, change: Any = None, first: bool = False) -> Frame | None:
        """Show the frame at the controls' values, or the error in the function."""
        chosen = self.explorer.start()
        chosen |= {name: control.value for name, control in self.controls.items()}
        key = repr(chosen)
        try:
            if key not in self._frames:  # each frame is drawn only once
                with closing_half_drawn():
                    self._frames[key] = self.explorer.frame(*chosen.values(), picture=first)
        except Exception as error:
            if first and not any(map(is_readers, self.explorer.functions)):
                raise  # an error in the book's own code stops the cell as usual
            # the reader is editing this function, so show the error in place of the picture
            self.picture.value = _mistake(error)
            return None
        frame = self._frames[key]
        self.picture.value = figure_html(
            picture(frame.drawing.svg, frame.alt), self.explorer.caption
        )
        self.words.value = f'<div class="errlab-data">{words_html(frame.drawing.table)}</div>'
        return frame

    def follow(self, functions: tuple[Function, ...]) -> None:
        """Redraw with functions that the reader has edited."""
        self.explorer = self.explorer.using(functions)
        self._frames.clear()
        self.show()

    def display(self) -> None:
        """Display the widgets, and next to them a picture for readers without a kernel."""
        # a widget of HTML runs no script
        display.display({"text/html": live_html(), "text/plain": ""}, raw=True)
        bundle = self.box._repr_mimebundle_()
        metadata = {}
        bundle["text/plain"] = self.explorer._head()
        if self.first:
            bundle["image/png"] = base64.b64encode(self.first.png).decode()
            metadata["image/png"] = {"alt": self.first.alt}
        display.display(bundle, metadata=metadata, raw=True)


def redrawn(picture: Callable[..., Shown]) -> Callable[..., Shown | None]:
    """Decorate a picture without sliders, so that it follows the functions that it takes."""

    @functools.wraps(picture)
    def displayed(*functions: Function) -> Shown | None:
        if mode() != "live":
            return picture(*functions)
        place = display.DisplayHandle().display_id

        def draw(now: tuple[Function, ...], update: bool = True) -> None:
            try:
                with closing_half_drawn():
                    shown = picture(*now)
            except Exception as error:
                if not any(map(is_readers, now)):
                    raise  # an error in the book's own code stops the cell as usual
                output = {"text/plain": str(error), "text/html": _mistake(error)}
                display.display(output, raw=True, display_id=place, update=update)
                return
            # the chapter's description would be false for an edited function
            shown = replace(shown, alt=titles(shown.figure) or shown.alt)
            publish(shown, display_id=place, update=update)
            plt.close(shown.figure)

        draw(functions, update=False)
        follow(functions, draw)
        return None

    return displayed


@contextlib.contextmanager
def closing_half_drawn() -> Iterator[None]:
    """Close the figures of a drawing that fails; Jupyter would show them below a later cell."""
    before = set(plt.get_fignums())
    try:
        yield
    except Exception:
        for number in set(plt.get_fignums()) - before:
            plt.close(number)
        raise


def titles(figure: Figure) -> str:
    """Return the titles of a figure's panels in one line."""
    words = (" ".join(ax.get_title("left").split()) for ax in figure.axes)
    return "; ".join(filter(None, words))


@functools.cache
def explorer_script() -> str:
    """Return the script that starts the explorers of a page."""
    script = files("errlab_book").joinpath("explorer.js").read_text("utf-8")
    return f'<script data-errlab-explorer="">{script}</script>'


def _mistake(error: Exception) -> str:
    """Return an error in the reader's function as HTML, to be shown in place of a picture."""
    return f'<p class="errlab-mistake" role="alert">{_sentence(error)}</p>'


def _sentence(error: Exception) -> str:
    """Return an error in the reader's function as HTML, with the line in which it occurred."""
    words = html.escape(f"{type(error).__name__}: {error}".rstrip(": "))
    for place, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        if place.f_globals.get("__name__") == "__main__":
            source = linecache.getline(place.f_code.co_filename, line).strip()
            where = f" ({place.f_code.co_name}, line {line})" if source else ""
            return f"{words}{html.escape(where)}<br><code>{html.escape(source)}</code>"
    return words


def _number_of_frames(controls: Mapping[str, Control]) -> int:
    return math.prod(len(moved.values) for moved in controls.values())


def _check_number(controls: Mapping[str, Control]) -> None:
    rule = f"have at most {_LIMIT} frames where there is no kernel; give fewer values"
    number = _number_of_frames(controls)
    checks.require(number <= _LIMIT, "an explorer", rule, number)


def explore(
    draw: Function,
    *,
    start: Any = None,
    labels: Mapping[str, str] | None = None,
    caption: str = "",
    alt: Callable[..., str] | None = None,
    by: Function | tuple[Function, ...] = (),
    **controls: Any,
) -> Explorer:
    """Explore a function of its parameters: one that draws, or one that computes.

    As with `ipywidgets.interact`, each keyword is a parameter with one of these values:

    ====================================  ==================================================
    ``(1, 100)``, ``(0, 1, 0.05)``        a slider from low to high, by a step of 1 or 0.1,
                                          or by that step; it starts in the middle
    a list, array, range or pandas.Index  these values: a slider for four numbers or more,
                                          otherwise buttons; it starts at the first
    ``{"few": 5, "many": 500}``           buttons with these words; so do pairs in a list
    ``200``                               a slider from 0 to 600 that starts at 200
    ``True``                              yes or no
    ``"some text"``                       a field, with a kernel; elsewhere this text
    ``ipywidgets.IntSlider(...)``         any widget of ipywidgets, as it is
    ====================================  ==================================================

    What the function draws is shown, whether it returns it or calls ``plt.plot`` and returns
    nothing. What it returns otherwise is drawn for it: a number against the first parameter, a
    pair as an interval, more numbers as a histogram. An error message replaces the picture.
    A function of the notebook is followed: when its cell, or that of a helper, runs again, the
    picture changes.

    With a kernel an explorer shows ipywidgets; in the book native HTML controls over frames that
    were drawn beforehand; under test a checksum of each frame (see `errlab_book.figures.mode`).

    Parameters
    ----------
    draw : callable
        ``draw(**values)`` draws, or returns a number, a pair, an array, a Figure or Axes.
    start : dict or value, optional
        The value at which a control starts, by its name; one value where there is one control.
    labels : dict, optional
        The words beside each control; the parameter's name where they are not given.
    caption : str
        The caption under the figure.
    alt : callable, optional
        ``alt(**values)`` says in words what that frame shows.
    by : callable or tuple of callable, optional
        Functions that the figure is computed by, as a reader has written them: they come first
        in ``draw(*by, **values)`` and ``alt(*by, **values)``, and are followed.
    **controls
        What each parameter takes, at least one; see above.

    Returns
    -------
    Explorer
        Displays itself as the last line of a cell.

    Raises
    ------
    ValueError
        If there is no control, a control has no value, the start is not among the values, or,
        without a kernel, there are more than 400 frames.
    TypeError
        If `draw` cannot be called, or a keyword holds nothing that moves a parameter.

    Examples
    --------
    >>> def upper(errors, n):
    ...     return (errors + 3) / n
    >>> explorer = explore(upper, errors=range(2), n=[100, 200], start={"n": 200})
    >>> print(explorer)
    Explorer of upper: 4 frames
      errors: 0, 1
      n: 100, 200
      from errors 0, n 100: ...
      from errors 1, n 100: ...
    >>> explorer.frame(1, 200).alt
    'errors 1, n 200: upper(errors=1, n=200) = 0.02'
    """
    if not callable(draw):
        raise TypeError(f"draw must be a function, got {draw!r}")
    by = by if isinstance(by, tuple) else (by,)
    for function in by:
        if not callable(function):
            raise TypeError(
                f"by must be a function, or a tuple of functions, got {function!r}; give "
                "numbers by name"
            )
    if not controls:
        raise ValueError("explore needs the values of at least one parameter, got none")
    moved = {name: moves.control(name, options) for name, options in controls.items()}
    if start is not None and not isinstance(start, Mapping):
        if len(moved) != 1:
            names = ", ".join(f'"{name}": ...' for name in moved)
            raise TypeError(f"start must be a dictionary such as {{{names}}}, got {start!r}")
        start = {next(iter(moved)): start}
    for name, value in (start or {}).items():
        is_value = name in moved and value in moved[name].values
        checks.require(is_value, "start", "name values of the controls", {name: value})
        moved[name] = moved[name].starting_at(value)
    for name in labels or {}:
        checks.require(name in controls, "labels", "name controls", name)
    if mode() != "live":
        _check_number(moved)
    return Explorer(draw, moved, labels or {}, caption, alt, drawn_by(), by)
