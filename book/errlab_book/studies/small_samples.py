"""The study of intervals from small samples: what it has measured, and where."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from errlab.training_set import INTERVALS
from errlab_book import studies
from errlab_book.plots.small_samples_study import pick


@cache
def methods() -> dict[str, Any]:
    """Return the methods that the study has measured; a new one isn't among them yet.

    >>> [*methods()][:2]
    ['BS1', 'BS2']
    """
    measured = studies.load("small_samples")["settings"][0]["summary"]
    return {key: method for key, method in INTERVALS.items() if key in measured}


@cache
def rows() -> list[Mapping[str, float]]:
    """Return the summary of each data set, with 30 and with 50 examples.

    >>> len(rows())
    24
    """
    settings = studies.load("small_samples")["settings"]
    return [row for n in (30, 50) for row in pick(settings, n).values()]
