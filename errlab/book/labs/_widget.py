"""The Jupyter widget of a lab, by anywidget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import traitlets

from errlab.book.labs import _modules

if TYPE_CHECKING:
    from errlab.book.labs._lab import Lab

MISSING = (
    "To use this lab in a notebook install anywidget: pip install 'errlab[book]'. The built book "
    "does without."
)


def view(lab: Lab) -> Any:
    """Return a widget whose traits are those of the lab, and follow it in both directions."""
    try:
        import anywidget
    except ImportError as error:
        raise ImportError(MISSING) from error
    traits = {name: traitlets.Any(value).tag(sync=True) for name, value in lab.values().items()}
    members = {
        "_esm": _modules.esm(f"{lab.name}.js"),
        "_css": _modules.text("labs.css"),
        "words": traitlets.Dict(lab.words()).tag(sync=True),
        **traits,
    }
    shown = type(f"{type(lab).__name__}View", (anywidget.AnyWidget,), members)()

    def to_lab(change: Any) -> None:
        # a message may bring several values, which the lab judges together
        try:
            with lab.hold_trait_notifications():
                for name in traits:
                    setattr(lab, name, getattr(shown, name))
        except traitlets.TraitError:
            to_page(None)
            raise

    def to_page(change: Any) -> None:
        with shown.hold_sync():
            for name in traits:
                setattr(shown, name, getattr(lab, name))

    shown.observe(to_lab, names=list(traits))
    lab.observe(to_page, names=list(traits))
    return shown
