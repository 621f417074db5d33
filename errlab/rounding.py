"""Formatting numbers in sentences, rounded as in reports.

>>> import math
>>> from errlab.rounding import count, percent
>>> percent(0.06473, math.ceil), percent(0.0226, math.floor), count(1, "error")
('6.5%', '2.2%', '1 error')
"""

from errlab._core.rounding import count, percent

__all__ = ["count", "percent"]


def __dir__() -> list[str]:
    return __all__
