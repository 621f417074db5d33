"""Explorers: a draw function with controls, alive with a kernel and without one."""

from __future__ import annotations

import base64
import gzip
import html
import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from errlab.book._live import Frame, Live, control_widget
from errlab.book.figures._record import checksum, drawing, figure_of
from errlab.book.figures._show import data_html, figure_html, mode, picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LIMIT = 400  # frames; more would make the page slow


@dataclass(frozen=True)
class Explorer:
    """A draw function, the values of its parameters, and where to start. See `explore`."""

    draw: Callable[..., Any]
    controls: Mapping[str, Sequence[Any]]
    start: Mapping[str, Any]
    labels: Mapping[str, str] = field(default_factory=dict)
    caption: str = ""
    alt: Callable[..., str] | None = None

    def describe(self, **values: Any) -> str:
        """Say what a frame shows: the values of the controls, then `alt` of them."""
        text = ", ".join(f"{self.label(name)} {value}" for name, value in values.items())
        return f"{text}: {self.alt(**values)}" if self.alt else text

    def label(self, name: str) -> str:
        """Return the words beside a control."""
        return self.labels.get(name, name.replace("_", " "))

    def frames(self) -> Iterator[tuple[dict[str, Any], Figure]]:
        """Draw every frame in turn: the last control moves fastest."""
        import matplotlib.pyplot as plt

        for values in itertools.product(*self.controls.values()):
            chosen = dict(zip(self.controls, values, strict=True))
            figure = figure_of(self.draw(**chosen))
            yield chosen, figure
            plt.close(figure)

    def drawings(self) -> list[Frame]:
        """Draw every frame once: for the record, and for the page."""
        return [Frame(self.describe(**v), drawing(figure)) for v, figure in self.frames()]

    def _frame(self, at: tuple[int, ...]) -> Frame:
        """Draw the frame at these positions of the controls."""
        import matplotlib.pyplot as plt

        values = {name: self.controls[name][i] for name, i in zip(self.controls, at, strict=True)}
        figure = figure_of(self.draw(**values))
        try:
            return Frame(self.describe(**values), drawing(figure))
        finally:
            plt.close(figure)

    def __repr__(self) -> str:
        """Count the frames and give one checksum of all of them; they are the reader's to find."""
        return self._text(self.drawings())

    def _text(self, frames: list[Frame]) -> str:
        """Return the explorer as text: its controls, and a checksum of its frames."""
        lines = [f"Explorer of {self.draw.__name__}: {len(frames)} frames"]
        if self.caption:
            lines.append(f"Caption: {self.caption}")
        for name, values in self.controls.items():
            lines.append(f"  {self.label(name)}: {', '.join(str(value) for value in values)}")
        lines.append(f"drawn: {checksum_of_frames(str(frame) for frame in frames)}")
        return "\n".join(lines)

    def html(self) -> str:
        """Return a page fragment that needs neither a kernel nor another file."""
        return self._html(self.drawings())

    def _html(self, drawn: list[Frame]) -> str:
        """Return the page fragment of frames that are drawn."""
        pictures = [frame.drawing.page for frame in drawn]
        words = [frame.alt for frame in drawn]
        records = [frame.drawing.data for frame in drawn]
        frames = json.dumps({"svg": pictures, "alt": words, "record": records})
        packed = base64.b64encode(gzip.compress(frames.encode(), 9, mtime=0)).decode()
        name = f"x{checksum(self.draw.__name__ + frames)}"
        at = 0
        for control, values in self.controls.items():
            at = at * len(values) + list(values).index(self.start[control])
        controls = "".join(
            _control_html(f"{name}-{number}", self.label(c), list(values), self.start[c])
            for number, (c, values) in enumerate(self.controls.items())
        )
        return (
            f'<div class="errlab-explorer" id="{name}" role="group" '
            f'aria-label="{html.escape(self.caption or self.draw.__name__)}">'
            f'<div class="errlab-controls">{controls}</div>'
            + figure_html(picture(pictures[at], words[at]), self.caption, data_html(records[at]))
            + '<p class="errlab-said" aria-live="polite"></p>'
            f'<script type="application/gzip">{packed}</script>'
            f"<script>{files('errlab.book').joinpath('explorer.js').read_text('utf-8')}</script></div>"
        )

    def widget(self) -> Any:
        """Return ipywidgets controls with the figure under them; a frame is drawn on demand."""
        controls = [
            control_widget(
                self.label(name), list(values), self.start[name], numeric=_numeric(values)
            )
            for name, values in self.controls.items()
        ]
        return Live(controls, self._frame, self.caption).box

    def _ipython_display_(self) -> None:
        from IPython.display import display

        if mode() == "live":
            display(self.widget())
            return
        frames = self.drawings()
        output = {"text/plain": self._text(frames)}
        if mode() == "book":
            output["text/html"] = self._html(frames)
            display(output, raw=True)
        else:  # the list is stored where only tests look
            lines = [str(frame) for frame in frames]
            display(output, raw=True, metadata={"errlab": {"frames": lines}})


def checksum_of_frames(lines: Iterable[str]) -> str:
    """Return the checksum that the record of an explorer holds, from the list of its frames."""
    return checksum("\n".join(lines))


def explore(
    draw: Callable[..., Any],
    *,
    start: Mapping[str, Any] | None = None,
    labels: Mapping[str, str] | None = None,
    caption: str = "",
    alt: Callable[..., str] | None = None,
    **controls: Sequence[Any],
) -> Explorer:
    """Explore a figure by moving the parameters of its draw function.

    With a kernel it shows ipywidgets; in the book native HTML controls over frames drawn
    beforehand; under test the number of its frames and a checksum of them (see
    `errlab.book.figures.mode`).

    Parameters
    ----------
    draw : callable
        ``draw(**values)`` returns a Figure or Axes.
    start : dict, optional
        The value at which each control starts; the first one where it is not given.
    labels : dict, optional
        The words beside each control; the parameter's name where they are not given.
    caption : str
        The caption under the figure.
    alt : callable, optional
        ``alt(**values)`` says in words what that frame shows.
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
    drawn: ...
    """
    if not callable(draw):
        raise TypeError(f"draw must be a function, got {draw!r}")
    if not controls:
        raise ValueError("explore needs the values of at least one parameter, got none")
    frames = 1
    for name, values in controls.items():
        if isinstance(values, str) or not isinstance(values, (Sequence, range)):
            raise TypeError(f"{name} must be a list of values, got {values!r}")
        if not len(values):
            raise ValueError(f"{name} must have at least one value, got {values!r}")
        frames *= len(values)
    if frames > _LIMIT:
        raise ValueError(f"an explorer must have at most {_LIMIT} frames, got {frames}")
    first = {name: values[0] for name, values in controls.items()} | dict(start or {})
    for name, value in first.items():
        if name not in controls or value not in controls[name]:
            raise ValueError(f"start must name values of the controls, got {name}={value!r}")
    for name in labels or {}:
        if name not in controls:
            raise ValueError(f"labels must name controls, got {name!r}")
    return Explorer(draw, controls, first, labels or {}, caption, alt)


def _numeric(values: Sequence[Any]) -> bool:
    return all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)


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
