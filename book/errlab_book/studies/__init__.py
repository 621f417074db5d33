"""Results of the long studies: tables of numbers that chapters draw.

The programs are in ``studies/`` of the checkout. The installed package contains their results, so
that a notebook finds them wherever it runs.
"""

import json
from importlib.resources import files
from typing import Any

from errlab import checks
from errlab.results import measured
from errlab_book.tables import Table, table

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
    FileNotFoundError
        If errlab was installed without the book's contents.

    Examples
    --------
    >>> sorted(load("cv_coverage"))[:2]
    ['seed', 'settings']
    """
    folder = files(__package__)
    names = sorted(p.name.removesuffix(".json") for p in folder.iterdir() if p.name[-5:] == ".json")
    if not names:
        raise FileNotFoundError("the results of studies come with errlab's repository")
    if name not in names:
        raise ValueError(f"name must be one of {', '.join(names)}, got {name!r}")
    return dict(json.loads(folder.joinpath(f"{name}.json").read_text("utf-8")))


def guarantees(door: str | None = None, *, below: float = 1.0) -> Table:
    """Show the measured coverage of a function's default methods, at 95%, the lowest first.

    Parameters
    ----------
    door : str, optional
        A function of errlab, such as ``"report"``; without it all of them.
        ``studies/guarantees.py`` says what its test sets are like.
    below : float
        Show only claims whose coverage is below that in some setting.

    Returns
    -------
    Table
        A row for each claim of a method: its lowest coverage, where that was found, from how many
        test sets, and how many settings were tried.

    Raises
    ------
    ValueError
        If nothing was measured of that door, or nothing is so low.

    Examples
    --------
    >>> guarantees("plan").columns[:3]
    ('Claim', 'Lowest', 'Where')
    """
    doors = list(dict.fromkeys(row["door"] for row in measured()))
    if door is not None:
        doors = [checks.choice(door, "door", doors)]
    alike: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in measured():
        # the desired power is 80%
        if row["door"] in doors and (row["kind"] != "power" or below == 1):
            # one row for all settings of a method, a metric and a claim
            key = (row["method"], row.get("metric", ""), row["kind"])
            alike.setdefault(key, []).append(row)
    rows = []
    for (method, metric, kind), matching in alike.items():
        lowest = min(matching, key=lambda row: float(row["coverage"]))
        if below < 1 and lowest["coverage"] >= below:
            continue
        # an exact method has no size in its row
        size = lowest["size"] or lowest["like"]["n"]
        where = f"{size:,.6g} {lowest['unit']}"
        where += f"; {lowest['where']}" if "where" in lowest else ""
        of = f"{method}, {kind}" + (f", {metric}" if metric else "")
        of += ", two models" if metric and any(row["like"].get("two") for row in matching) else ""
        rows.append(
            {
                "Claim": of.replace("_", " "),
                "Lowest": f"{lowest['coverage']:.1%}",
                "Where": where,
                "Test sets there": f"{lowest['runs']:,}",
                "Settings": f"{len(matching):,}",
            }
        )
    caption = f"errlab.{door}: the lowest coverage first" if door else "The lowest coverage first"
    return table(
        sorted(rows, key=lambda row: float(row["Lowest"].removesuffix("%"))), caption=caption
    )
