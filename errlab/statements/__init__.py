"""What may be said of predictions: a report, any metric, a plan, a test that is watched."""

from numpy.typing import ArrayLike


def present(**arguments: ArrayLike | None) -> dict[str, ArrayLike]:
    """Return the arguments that are given, by their names."""
    return {name: value for name, value in arguments.items() if value is not None}
