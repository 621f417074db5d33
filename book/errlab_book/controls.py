"""Controls for parameters: the values that `ipywidgets.interact` accepts, live or on a page."""

import html
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import ipywidgets
import numpy as np

from errlab import checks

# with fewer values, buttons replace the slider
_SLIDER = 4
# stops of a slider whose start alone is given: a third of them at or below the start
_STOPS = 61
_TAKES = (
    "be (low, high), (low, high, step), a list, array or range of values, a dictionary of words "
    "and values, a number, a text, True, False or a widget of ipywidgets"
)


@dataclass(frozen=True)
class Control:
    """The values of a parameter, the label of each, the start, and the reader's widget if any."""

    values: tuple[Any, ...]
    words: tuple[str, ...]
    start: int = 0
    widget: Any = None

    @property
    def slides(self) -> bool:
        """Whether it is a slider: it has numbers, and too many of them for buttons."""
        return len(self.values) >= _SLIDER and all(map(_is_number, self.values))

    def word(self, value: Any) -> str:
        """Return the label of a value; without labels this is the value itself."""
        return self.words[self.values.index(value)] if value in self.values else str(value)

    def starting_at(self, value: Any) -> "Control":
        """Return the control with another start, which must be one of its values."""
        return replace(self, start=self.values.index(value))


def control(name: str, given: Any) -> Control:
    """Return the control of a parameter, from any argument that `ipywidgets.interact` accepts.

    Raises
    ------
    TypeError
        If it isn't a control of a parameter.
    ValueError
        If it has no value.
    """
    if isinstance(given, ipywidgets.fixed):
        return _plain([given.value])
    if isinstance(given, ipywidgets.ValueWidget):
        return replace(_of_widget(given), widget=given)
    if isinstance(given, (bool, np.bool_)):
        return _plain([bool(given), not given])
    if isinstance(given, str):
        # a page without a kernel can't redraw for typed text
        return replace(_plain([given]), widget=ipywidgets.Text(given))
    if _is_number(given):
        return _around(given)
    if isinstance(given, tuple) and len(given) in (2, 3) and all(map(_is_number, given)):
        return _stepped(name, *given)
    if isinstance(given, Mapping):
        pairs = [(str(word), value) for word, value in given.items()]
    elif not isinstance(given, Iterable) or isinstance(given, (bytes, set, frozenset)):
        raise TypeError(f"{name} must {_TAKES}, got {given!r}")
    else:
        pairs = given.tolist() if isinstance(given, np.ndarray) else list(given)
        if not all(isinstance(p, tuple) and len(p) == 2 and isinstance(p[0], str) for p in pairs):
            return _plain(pairs)
    words, values = zip(*_at_least_one(name, pairs, given), strict=True)
    return Control(values, words)


def _at_least_one(name: str, values: list[Any], options: Any) -> list[Any]:
    checks.require(len(values), name, "have at least one value", options)
    return values


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def _plain(values: Iterable[Any]) -> Control:
    """Return a control whose labels are its values."""
    plain = tuple(v.item() if isinstance(v, np.generic) else v for v in values)
    return Control(plain, tuple(map(str, plain)))


def _stepped(name: str, low: Any, high: Any, step: Any = None) -> Control:
    """Return the values from `low` to `high`, starting in the middle as `interact` does."""
    whole = all(isinstance(end, (int, np.integer)) for end in (low, high))
    step = (1 if whole else 0.1) if step is None else step
    checks.require(high > low, name, "end above its start (low, high)", (low, high))
    checks.require(step > 0, name, "have a step above 0", step)
    # add a millionth, because ten times 0.1 is slightly less than 1
    number = int((high - low) / step + 1e-6) + 1
    values = [round(low + i * step, 10) for i in range(number)]
    return replace(_plain(values), start=(number - 1) // 2)


def _around(start: Any) -> Control:
    """Return a slider from 0 to three times its start; around 0 it goes to 1."""
    whole = isinstance(start, (int, np.integer))
    if start == 0:
        return _plain([0, 1] if whole else np.arange(11) / 10)
    stops = np.linspace(0, 3 * float(start), _STOPS)
    values = sorted({int(stop) for stop in stops.round()} if whole else stops.round(10).tolist())
    return _plain(values).starting_at(start if whole else round(float(start), 10))


def _of_widget(options: Any) -> Control:
    """Return the values that a widget of ipywidgets can take, and its value as the start."""
    if hasattr(options, "options") and options.options:
        pairs = options._options_full
        words, values = (tuple(column) for column in zip(*pairs, strict=True))
        return Control(values, words, options.index or 0)
    if isinstance(options.value, bool):
        return _plain([options.value, not options.value])
    step = getattr(options, "step", None)
    if not step or not _is_number(options.value) or not hasattr(options, "max"):
        return _plain([options.value])
    made = _stepped(type(options).__name__, options.min, options.max, step)
    # add the start as a stop, if it is between two
    return _plain(sorted({*made.values, options.value})).starting_at(options.value)


def live(label: str, control: Control) -> Any:
    """Return the widget of a control: the reader's own, a slider for numbers, or buttons."""
    if control.widget is not None:
        if not control.widget.description:
            control.widget.description = label
        return control.widget
    options: dict[str, Any] = {
        "options": list(zip(control.words, control.values, strict=True)),
        "index": control.start,
        "description": label,
        "style": {"description_width": "initial"},
    }
    if not control.slides:
        return ipywidgets.ToggleButtons(**options)
    # the label beside a slider needs room, too
    width = {"width": "min(100%, 40rem)"}
    return ipywidgets.SelectionSlider(**options, continuous_update=True, layout=width)


def on_page(name: str, label: str, control: Control) -> str:
    """Return the HTML of a control: a slider for numbers, and a choice of buttons for all else."""
    data = f"data-values='{html.escape(json.dumps(control.words))}' data-start=\"{control.start}\""
    words = html.escape(label)
    if control.slides:
        at = html.escape(control.words[control.start])
        return (
            f'<div class="errlab-control"><label for="{name}">{words}</label>'
            f'<input type="range" id="{name}" min="0" max="{len(control.values) - 1}" step="1" '
            f'value="{control.start}" autocomplete="off" aria-valuetext="{at}" {data}>'
            f'<output for="{name}">{at}</output></div>'
        )
    buttons = "".join(
        f'<label><input type="radio" name="{name}" autocomplete="off"'
        f"{' checked' if number == control.start else ''}> {html.escape(word)}</label>"
        for number, word in enumerate(control.words)
    )
    return (
        f'<fieldset class="errlab-control" id="{name}" {data}>'
        f"<legend>{words}</legend>{buttons}</fieldset>"
    )
