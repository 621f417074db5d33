"""How often a bound holds, exactly for 0/1 losses, and what looking again and again costs."""

from errlab.coverage._exact import exact, expected_width, peeking, worst

__all__ = ["exact", "expected_width", "peeking", "worst"]


def __dir__() -> list[str]:
    return __all__
