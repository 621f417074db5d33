"""A lab: the reader's numbers, computed on the page and shared with a kernel if there is one."""

import csv
import html
import io
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import matplotlib.pyplot as plt
import numpy as np
import scipy
import traitlets

from errlab import checks
from errlab.checks import FloatArray, IntArray
from errlab_book.figures import mode
from errlab_book.figures._record import Drawing, drawing
from errlab_book.figures._show import picture, store
from errlab_book.labs import _modules

# the largest seed
WORD = 2**32 - 1
MISSING = "To use this lab in a notebook: pip install anywidget. The built book does without."


def uniform(seed: int, size: int) -> FloatArray:
    """Return the numbers in [0, 1) that the page draws from the same seed (mulberry32)."""
    # keep the lowest 32 bits, so that numbers overflow as on the page
    step = np.uint32(0x6D2B79F5)
    state = np.uint32(seed) + step * np.arange(1, size + 1, dtype=np.uint32)
    x = (state ^ state >> 15) * (state | 1)
    x = (x + (x ^ x >> 7) * (x | 61)) ^ x
    numbers: FloatArray = (x ^ x >> 14) / 2.0**32
    return numbers


def binomial(levels: FloatArray, n: int, p: Any) -> IntArray:
    """Return the binomial counts for uniform numbers, as the page computes them."""
    # scipy's quantile of 0 is -1
    return np.asarray(np.maximum(scipy.stats.binom.ppf(levels, n, p), 0), dtype=np.int64)


class Refused(traitlets.TraitError, ValueError):
    """A value that a lab refuses."""


class Trait(traitlets.TraitType[Any, Any]):
    """A trait with a validator `judge`; `limits` tells the page which values are valid."""

    limits: dict[str, Any]

    def judge(self, value: Any, name: str) -> Any:
        """Return the validated value, or raise an error that explains the problem."""
        raise NotImplementedError

    def validate(self, obj: Any, value: Any) -> Any:
        """Return the value, or refuse it with the message of errlab's own checks."""
        try:
            return self.judge(value, str(self.name))
        except (TypeError, ValueError) as error:
            raise Refused(str(error)) from None


class Number(Trait):
    """A trait that holds a number from `low` to `high`."""

    def __init__(self, start: float, low: float, high: float) -> None:
        super().__init__(start)
        self.limits = {"low": low, "high": high}

    def judge(self, value: Any, name: str) -> float:
        """Return the value as a float."""
        return float(checks.within(value, name, self.limits["low"], self.limits["high"], ndim=0))


class Whole(Number):
    """A trait that holds a whole number from `low` to `high`."""

    def __init__(self, start: int, low: int, high: int) -> None:
        super().__init__(start, low, high)
        self.limits["whole"] = True

    def judge(self, value: Any, name: str) -> int:
        """Return the value as an int."""
        return int(super().judge(checks.one_count(value, name, self.limits["low"]), name))


class Option(Trait):
    """A trait that holds one of several words."""

    def __init__(self, start: str, options: Sequence[str]) -> None:
        super().__init__(start)
        self.limits = {"options": list(options)}

    def judge(self, value: Any, name: str) -> str:
        """Return the word."""
        return checks.choice(value, name, self.limits["options"])


class Text(Trait):
    """A trait that holds any text."""

    def judge(self, value: Any, name: str) -> str:
        """Return the text."""
        if not isinstance(value, str):
            raise TypeError(f"{name} must be text, got {value!r}")
        return value


def as_table(columns: Sequence[Any], *headers: Sequence[str]) -> str:
    """Return columns as the text of a table: a data frame's or a mapping's columns, or arrays.

    Arrays get the default header with that number of columns.
    """
    if len(columns) == 1 and hasattr(columns[0], "keys"):
        names = [str(name) for name in columns[0]]
        columns = [columns[0][name] for name in columns[0]]
    else:
        fitting = [header for header in headers if len(header) == len(columns)]
        if not fitting:
            accepted = " or ".join(f"({', '.join(header)})" for header in headers)
            raise TypeError(f"a table takes a data frame, or arrays {accepted}, got {len(columns)}")
        names = list(fitting[0])
    cells = [_cells(column) for column in columns]
    lengths = {len(column) for column in cells}
    checks.require(len(lengths) == 1, "columns", "have one length", sorted(lengths))
    writer = csv.writer(text := io.StringIO(), lineterminator="\n")
    writer.writerows([names, *zip(*cells, strict=True)])
    return text.getvalue()


def _cells(column: Any) -> list[Any]:
    """Return a column as text; whole-number labels have no decimal point."""
    values = np.ravel(np.asarray(column))
    if values.dtype == bool or (values.dtype.kind == "f" and (values == values.round()).all()):
        values = values.astype(np.int64)
    cells: list[Any] = values.tolist()
    return cells


def together(lab: Any, names: Sequence[str], proposal: Any) -> dict[str, Any]:
    """Return some of a lab's values, including the proposed one."""
    return {name: getattr(lab, name) for name in names} | {
        proposal["trait"].name: proposal["value"]
    }


def within_cases(lab: Any, proposal: Any) -> int:
    """Accept a proposed number of errors or examples if the errors don't exceed the examples."""
    pair = together(lab, ("errors", "cases"), proposal)
    if pair["errors"] > pair["cases"]:
        raise Refused(f"errors must be at most cases = {pair['cases']}, got {pair['errors']}")
    return int(proposal["value"])


def not_all_zero(lab: Any, names: Sequence[str], proposal: Any) -> int:
    """Accept a proposed count if not all counts would be 0."""
    if not any(together(lab, names, proposal).values()):
        raise Refused(f"{' + '.join(names)} must be at least 1, got 0")
    return int(proposal["value"])


def _written(value: Any) -> str:
    """Return a value as it is written in the line of Python."""
    return json.dumps(value) if isinstance(value, str) else f"{value:.12g}"


class Lab(traitlets.HasTraits):
    """Base class of all labs: traits, a text record, a page fragment, and a widget with a kernel.

    A lab displays itself as the last line of a cell: with a kernel as a Jupyter widget whose traits
    follow the reader's input, in the book as HTML with the same ES module, and under test as its
    text record (see `errlab_book.figures.mode`).

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

    name: ClassVar[str]  # name of the ES module, also in ``data-lab``
    title: ClassVar[str]
    address: ClassVar[Mapping[str, str]] = {}  # names of the traits in the page's address
    # errlab's expression for the lab's numbers, with names of traits in braces
    python: ClassVar[str]

    def __init__(self, **values: Any) -> None:
        unknown = [name for name in values if name not in self.trait_names()]
        if unknown:
            listed = ", ".join(self.trait_names())
            raise TypeError(f"{type(self).__name__} takes {listed}, got {unknown[0]!r}")
        # created when first shown, because tests and the site don't need the widget
        self._view: Any = None
        super().__init__()
        # values that are only valid together are validated together
        with self.hold_trait_notifications():
            for name, value in values.items():
                setattr(self, name, value)

    def values(self) -> dict[str, Any]:
        """Return the lab's traits by name."""
        return {name: getattr(self, name) for name in self.class_trait_names()}

    def words(self) -> dict[str, Any]:
        """Return texts for the page: names, sentences and settings of the methods."""
        return {}

    def _all_words(self) -> dict[str, Any]:
        return {**self.words(), "python": self.python}

    def where(self) -> str:
        """Return the place where the line of `code` can be run."""
        return "In a terminal:" if self.python.startswith("python ") else "In Python:"

    def code(self) -> str:
        """Return the line of Python that gives the lab's numbers; the page shows the same line."""
        values = dict(self.values())
        if "confidence" in values:
            values["level"] = values["confidence"] / 100
            values["delta"] = (100 - values["confidence"]) / 100
        return re.sub(r"\{(\w+)\}", lambda name: _written(values[name[1]]), self.python)

    def sentences(self) -> list[str]:
        """Return the lab's results, one sentence each."""
        raise NotImplementedError

    def plot(self) -> Any:
        """Return the Axes of a picture that replaces the lab where scripts can't run."""
        raise NotImplementedError

    def __repr__(self) -> str:
        """Return the text record: the lab's name, its traits and its sentences."""
        values = ", ".join(f"{name}={value!r}" for name, value in self.values().items())
        return "\n".join(
            [f"{type(self).__name__}({values})", *(f"  {s}" for s in self.sentences())]
        )

    def html(self, still: Drawing | None = None) -> str:
        """Return a page fragment that needs neither a kernel nor another file.

        Where scripts can't run, it shows the sentences and the picture, which may be passed already
        drawn.
        """
        still = still or self._still()
        traits: dict[str, Any] = self.traits()
        settings = json.dumps(
            {
                "module": f"{self.name}.js",
                "state": {**self.values(), "words": self._all_words()},
                "address": self.address,
                # the page validates traits from its address, because an address may contain
                # anything
                "limits": {name: traits[name].limits for name in self.address.values()},
            }
        ).replace("<", "\\u003c")
        sentences = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in self.sentences())
        sentences += (
            f'<p class="lab-python">{self.where()} <code>{html.escape(self.code())}</code></p>'
        )
        return (
            f'<style data-errlab-labs="">{_modules.text("labs.css")}</style>'
            f"{_modules.scripts(f'{self.name}.js', 'shim.js')}"
            f'<div class="errlab-lab" data-lab="{self.name}"><div class="lab-still">'
            f'<p class="lab-title">{html.escape(self.title)}</p>{sentences}'
            f"{picture(still.svg, ' '.join(self.sentences()))}</div>"
            f'<script type="application/json" class="lab-settings">{settings}</script></div>'
            '<script>errlabModules["shim.js"].start(document.currentScript.previousElementSibling)'
            "</script>"
        )

    def _still(self) -> Drawing:
        """Draw the picture that replaces the lab where scripts can't run."""
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
            self._view = self._new_view()
        return self._view

    def _new_view(self) -> Any:
        """Return a widget whose traits are linked to the lab's in both directions."""
        try:
            import anywidget
        except ImportError as error:
            raise ImportError(MISSING) from error

        traits = {
            name: traitlets.Any(value).tag(sync=True) for name, value in self.values().items()
        }
        members = {
            "_esm": _modules.esm(f"{self.name}.js"),
            "_css": _modules.text("labs.css"),
            "words": traitlets.Dict(self._all_words()).tag(sync=True),
            **traits,
        }
        view = type(f"{type(self).__name__}View", (anywidget.AnyWidget,), members)()

        def to_lab(change: Any) -> None:
            # a message may contain several values, which must be validated together
            try:
                with self.hold_trait_notifications():
                    for name in traits:
                        setattr(self, name, getattr(view, name))
            except traitlets.TraitError:
                to_page(None)
                raise

        def to_page(change: Any) -> None:
            # send all values in one message, so that the page never sees a partial change
            with view.hold_sync():
                for name in traits:
                    setattr(view, name, getattr(self, name))

        view.observe(to_lab, names=list(traits))
        self.observe(to_page, names=list(traits))
        return view

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        # with a kernel, show the widget, or say what to install for it
        if mode() == "live":
            try:
                data, metadata = self.widget()._repr_mimebundle_(**kwargs)
            except ImportError as error:
                return {"text/plain": f"{self!r}\n{error}"}
            return {**data, "text/plain": repr(self)}, metadata
        still = self._still()
        bundle = {"text/plain": f"{self!r}\n{still.record}"}
        return bundle if mode() == "record" else {**bundle, "text/html": self.html(still)}

    def _ipython_display_(self) -> None:
        if mode() != "record":
            raise NotImplementedError  # this makes IPython use the MIME bundle
        text = " ".join(self.sentences())
        store(f"{self!r}\n{self._still().record}", self.plot(), text, text)
