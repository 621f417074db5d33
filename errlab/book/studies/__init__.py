"""What the long studies have found: tables of numbers that chapters draw.

``studies/`` in the checkout holds the programs that wrote them; they come with the package, so that
a notebook finds them wherever it runs.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

__all__ = ["load"]


def load(name: str) -> dict[str, Any]:
    """Return the results of one study.

    Parameters
    ----------
    name : str
        Such as ``"cv_coverage"``; the name of its file.

    Returns
    -------
    dict
        ``settings``, a list with a ``summary`` each, and the seed and versions behind them; see the
        docstring of the study.

    Raises
    ------
    ValueError
        If there is no such study.

    Examples
    --------
    >>> sorted(load("cv_coverage"))[:2]
    ['seed', 'settings']
    """
    folder = files(__package__)
    known = sorted(p.name.removesuffix(".json") for p in folder.iterdir() if p.name[-5:] == ".json")
    if name not in known:
        raise ValueError(f"name must be one of {', '.join(known)}, got {name!r}")
    return dict(json.loads(folder.joinpath(f"{name}.json").read_text("utf-8")))
