"""A lab: numbers that the reader types, computed on the page and, with a kernel, shared with it."""

import html
import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import traitlets

from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab.book.figures import mode
from errlab.book.figures._record import Drawing, drawing
from errlab.book.figures._show import picture
from errlab.book.labs import _modules, _widget

WORD = 2**32 - 1  # the largest seed


def uniform(seed: int, size: int) -> FloatArray:
    """Return the numbers in [0, 1) that the page draws from the same seed (mulberry32)."""
    step = np.uint32(0x6D2B79F5)
    state = np.uint32(seed) + step * np.arange(1, size + 1, dtype=np.uint32)
    x = (state ^ state >> 15) * (state | 1)
    x = (x + (x ^ x >> 7) * (x | 61)) ^ x
    numbers: FloatArray = (x ^ x >> 14) / 2.0**32
    return numbers


class Refused(traitlets.TraitError, ValueError):
    """A value that a lab does not take."""


class Whole(traitlets.TraitType[int, int]):
    """A trait that holds a whole number from `low` to `high`."""

    def __init__(self, start: int, low: int, high: int) -> None:
        super().__init__(start)
        self.limits = {"low": low, "high": high, "whole": True}

    def validate(self, obj: Any, value: Any) -> int:
        """Return the value as an int, or refuse it."""
        try:
            low, high = self.limits["low"], self.limits["high"]
            number = checks.one_count(value, str(self.name), low)
            return int(checks.within(number, str(self.name), low, high))
        except (TypeError, ValueError) as error:
            raise Refused(str(error)) from None


class Number(traitlets.TraitType[float, float]):
    """A trait that holds a number from `low` to `high`."""

    def __init__(self, start: float, low: float, high: float) -> None:
        super().__init__(start)
        self.limits = {"low": low, "high": high}

    def validate(self, obj: Any, value: Any) -> float:
        """Return the value as a float, or refuse it."""
        try:
            low, high = self.limits["low"], self.limits["high"]
            return float(checks.within(value, str(self.name), low, high, ndim=0))
        except (TypeError, ValueError) as error:
            raise Refused(str(error)) from None


class Option(traitlets.TraitType[str, str]):
    """A trait that holds one of several words."""

    def __init__(self, start: str, options: Sequence[str]) -> None:
        super().__init__(start)
        self.limits = {"options": list(options)}

    def validate(self, obj: Any, value: Any) -> str:
        """Return the word, or refuse it."""
        try:
            return checks.choice(value, str(self.name), self.limits["options"])
        except (TypeError, ValueError) as error:
            raise Refused(str(error)) from None


class Text(traitlets.TraitType[str, str]):
    """A trait that holds any text."""

    def validate(self, obj: Any, value: Any) -> str:
        """Return the text, or refuse what is none."""
        if not isinstance(value, str):
            raise Refused(f"{self.name} must be text, got {value!r}")
        return value


def whole_together(lab: Any, names: Sequence[str], proposal: Any) -> dict[str, int]:
    """Return some of a lab's whole numbers as they will be, with the proposed one among them."""
    return {
        **{name: getattr(lab, name) for name in names},
        proposal["trait"].name: proposal["value"],
    }


def within_cases(lab: Any, proposal: Any) -> int:
    """Take a proposed number of errors or of cases, if the errors are among the cases."""
    pair = whole_together(lab, ("errors", "cases"), proposal)
    if pair["errors"] > pair["cases"]:
        raise Refused(f"errors must be at most cases = {pair['cases']}, got {pair['errors']}")
    return int(proposal["value"])


def not_all_zero(lab: Any, names: Sequence[str], proposal: Any) -> int:
    """Take a proposed count, if one count at least is left."""
    if not any(whole_together(lab, names, proposal).values()):
        raise Refused(f"{' + '.join(names)} must be at least 1, got 0")
    return int(proposal["value"])


class Lab(traitlets.HasTraits):
    """What all labs are: traits, a text record, a page fragment, and a widget with a kernel.

    A lab displays itself as the last line of a cell: with a kernel as a Jupyter widget whose
    traits follow what the reader types, in the book as HTML with the same ES module in it, and
    under test as its text record (see `errlab.book.figures.mode`).

    Parameters
    ----------
    **values
        Start values of the traits.

    Raises
    ------
    TypeError
        If a name is not one of the lab's traits.
    ValueError
        If a value is out of its range.
    """

    name: ClassVar[str]  # of the ES module, and in ``data-lab``
    title: ClassVar[str]
    address: ClassVar[Mapping[str, str]] = {}  # what the address of the page calls the traits

    def __init__(self, **values: Any) -> None:
        unknown = [name for name in values if name not in self.trait_names()]
        if unknown:
            listed = ", ".join(self.trait_names())
            raise TypeError(f"{type(self).__name__} takes {listed}, got {unknown[0]!r}")
        self._view: Any = None
        super().__init__()
        with self.hold_trait_notifications():  # values that only fit together are judged together
            for name, value in values.items():
                setattr(self, name, value)

    def values(self) -> dict[str, Any]:
        """Return what the lab holds: its traits by name."""
        return {name: getattr(self, name) for name in self.class_trait_names()}

    def words(self) -> dict[str, Any]:
        """Return what Python tells the page: names, sentences and settings of the methods."""
        return {}

    def sentences(self) -> list[str]:
        """Return what the lab says, sentence by sentence."""
        raise NotImplementedError

    def plot(self) -> Any:
        """Return the Axes of a picture that stands in for the lab where no script runs."""
        raise NotImplementedError

    def __repr__(self) -> str:
        """Return the text record: the lab's name, its traits and what it says."""
        values = ", ".join(f"{name}={value!r}" for name, value in self.values().items())
        return "\n".join(
            [f"{type(self).__name__}({values})", *(f"  {s}" for s in self.sentences())]
        )

    def html(self) -> str:
        """Return a page fragment that needs neither a kernel nor another file."""
        return self._html(self._still())

    def _html(self, still: Drawing) -> str:
        """Return the page fragment; the picture and sentences stand where no script runs."""
        traits: dict[str, Any] = self.traits()
        settings = json.dumps(
            {
                "module": f"{self.name}.js",
                "state": {**self.values(), "words": self.words()},
                "address": self.address,
                # an address may hold anything: the page takes what these traits take
                "limits": {name: traits[name].limits for name in self.address.values()},
            }
        ).replace("<", "\\u003c")
        said = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in self.sentences())
        return (
            f'<style data-errlab-labs="">{_modules.text("labs.css")}</style>'
            f"{_modules.scripts(f'{self.name}.js', 'shim.js')}"
            f'<div class="errlab-lab" data-lab="{self.name}"><div class="lab-still">'
            f'<p class="lab-title">{html.escape(self.title)}</p>{said}'
            f"{picture(still.svg, ' '.join(self.sentences()))}</div>"
            f'<script type="application/json" class="lab-settings">{settings}</script></div>'
            '<script>errlabModules["shim.js"].start(document.currentScript.previousElementSibling)'
            "</script>"
        )

    def _still(self) -> Drawing:
        """Draw the picture that stands in for the lab where no script runs."""
        import matplotlib.pyplot as plt

        figure = self.plot().figure
        try:
            return drawing(figure)
        finally:
            plt.close(figure)

    def widget(self) -> Any:
        """Return the Jupyter widget of this lab: one model, however often it is shown.

        Raises
        ------
        ImportError
            If anywidget is not installed.
        """
        if self._view is None:
            self._view = _widget.view(self)
        return self._view

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        if mode() == "live":
            try:
                data, metadata = self.widget()._repr_mimebundle_(**kwargs)
            except ImportError as error:
                return {"text/plain": f"{self!r}\n{error}"}
            return {**data, "text/plain": repr(self)}, metadata
        still = self._still()
        plain = {"text/plain": f"{self!r}\n{still.record}"}
        return {**plain, "text/html": self._html(still)} if mode() == "book" else plain
