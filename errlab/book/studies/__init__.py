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


def guarantees(family: str | None = None, *, below: float = 1.0) -> Table:
    """Show what was measured of the methods that a door chooses, at 95%.

    Parameters
    ----------
    family : str, optional
        One kind of test sets, such as ``"report, groups"``; without it all of them.
        ``studies/guarantees.py`` says what each setting is like.
    below : float
        Leave out settings whose coverage is above that.

    Returns
    -------
    Table
        A row for each claim of a method: its lowest coverage, where that was found, and the test
        sets of all settings.

    Raises
    ------
    ValueError
        If nothing was measured of that family, or nothing is so low.

    Examples
    --------
    >>> guarantees("plan").columns[:3]
    ('Claim', 'Lowest', 'Where')
    """
    families = list(dict.fromkeys(row["family"] for row in measured()))
    if family is not None:
        families = [checks.choice(family, "family", families)]
    alike: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in measured():
        # the aim of power is 80%
        if row["family"] in families and (row["kind"] != "power" or below == 1):
            # settings of one method, metric and claim are one row of the table
            key = (row["method"], row.get("metric", ""), row["kind"])
            alike.setdefault(key, []).append(row)
    rows = []
    for (method, metric, kind), found in sorted(alike.items()):
        lowest = min(found, key=lambda row: float(row["coverage"]))
        if lowest["coverage"] > below:
            continue
        where = f"{lowest['size']:,.6g} {lowest['unit']}"
        where += f"; {lowest['where']}" if "where" in lowest else ""
        of = f"{method}, {kind}" + (f", {metric}" if metric else "")
        rows.append(
            {
                "Claim": of.replace("_", " "),
                "Lowest": f"{lowest['coverage']:.1%}",
                "Where": where,
                "Test sets": f"{sum(row['runs'] for row in found):,}",
            }
        )
    return table(rows)
