"""Statements from predictions: reports, metrics, plans, and tests watched as they run."""

from numpy.typing import ArrayLike


def present(**arguments: ArrayLike | None) -> dict[str, ArrayLike]:
    """Return the arguments that aren't None, by their names."""
    return {name: value for name, value in arguments.items() if value is not None}
