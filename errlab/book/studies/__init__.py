"""What the long studies have found: tables of numbers that chapters draw.

``studies/`` in the checkout holds the programs that wrote them; they come with the package, so that
a notebook finds them wherever it runs.
"""

import json
from importlib.resources import files
from typing import Any

from errlab._core import checks
from errlab._core.statement import measured
from errlab.book.tables import Table, table

__all__ = ["guarantees", "load"]


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


def guarantees(door: str | None = None, *, below: float = 1.0) -> Table:
    """Show what was measured of the methods that a door chooses, at 95%.

    Parameters
    ----------
    door : str, optional
        Such as ``"report, groups"``; without it all of them. ``studies/guarantees.py`` says what
        each setting is like.
    below : float
        Leave out methods and sizes of which no setting has a coverage of at most that.

    Returns
    -------
    Table
        A row for each method, claim and size: the lowest and the highest coverage of the settings
        of that size, how many they are, and the test sets of all of them.

    Raises
    ------
    ValueError
        If nothing was measured of that door, or nothing is so low.

    Examples
    --------
    >>> guarantees("plan").columns[:3]
    ('Method', 'Claim', 'Size')
    """
    doors = list(dict.fromkeys(row["door"] for row in measured()))
    if door is not None:
        doors = [checks.choice(door, "door", doors)]
    alike: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in measured():
        # its aim is 80%
        if row["door"] in doors and (row["kind"] != "power" or below == 1):
            # settings of one method, claim and size are one row of the table
            key = tuple(row[name] for name in ("door", "method", "kind", "unit", "size"))
            alike.setdefault(key, []).append(row)
    rows = []
    for (at, method, kind, unit, size), found in sorted(alike.items()):
        shares = [row["coverage"] for row in found]
        if min(shares) > below:
            continue
        rows.append(
            {
                **({"Door": at} if door is None else {}),
                "Method": method,
                "Claim": kind,
                "Size": f"{size:,.6g} {unit}",
                "Lowest": f"{min(shares):.1%}",
                "Highest": f"{max(shares):.1%}",
                "Settings": len(found),
                "Test sets": f"{sum(row['runs'] for row in found):,}",
            }
        )
    return table(rows)
