"""The exact coverage of bounds for 0/1 losses, and the cost of looking at a test repeatedly."""

from errlab.coverage._exact import exact, expected_width, peeking, worst

__all__ = ["exact", "expected_width", "peeking", "worst"]


def __dir__() -> list[str]:
    return __all__
