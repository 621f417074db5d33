"""What may be said of predictions: a report, any metric, a plan, a test that is watched."""

from typing import Any


def present(**arguments: Any) -> dict[str, Any]:
    """Return the arguments that are given, by their names."""
    return {name: value for name, value in arguments.items() if value is not None}
