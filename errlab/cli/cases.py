"""The cases of a file that count: those that are asked for, each with a value of every system."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

import numpy as np

from errlab.cli import files
from errlab.cli.roles import settled
from errlab.cli.table import Table


def read(options: Namespace, path: str) -> Table:
    """Read what the options name of a file."""
    with files.opened(path) as opened:
        table = settled(options, opened)
    table = table.with_planned()
    if table.roles.where:
        table = table.selected()
    if table.log.scores and "filter" in table.columns:
        filters = list(dict.fromkeys(map(str, table.columns["filter"])))
        if len(filters) > 1:
            number = f"the answers of {len(filters)} filters ({', '.join(filters)})"
            raise ValueError(f"{path} has {number}; keep one, as in --where filter={filters[0]}")
    return complete(options, table).checked()


def complete(options: Namespace, table: Table) -> Table:
    """Deal with cases that have no value, and with a run that broke off, as --missing says."""
    absent = table.unanswered()
    stopped = table.log.stopped
    if not absent.any() and not stopped:
        return table
    scored = table.roles.scored
    kind = "score" if scored else "prediction"
    state = f"{np.sum(~absent)} of {absent.size} {table.unit}s have a {kind}"
    if stopped:
        state = f"{stopped}; {state}"
    worst = (options.range or (0, 1))[options.lower_is_better]
    if options.missing is None:
        remedy = "--missing drop leaves the others out"
        if scored:
            remedy += f", --missing wrong counts them as {worst:g}"
        if stopped:
            doubt = "those that end first are seldom like the rest"
            raise ValueError(f"{table.source}: {state}, and {doubt}; {remedy}")
        row = np.flatnonzero(absent)[0]
        lacking = next(name for name in table.roles.values if table.columns[name][row] is None)
        raise ValueError(f"{table.at(row)}: {lacking} has no value; {state}; {remedy}")
    if options.missing == "drop":
        if absent.all():
            raise ValueError(f"{table.source}: no case has a {kind}")
        return replace(table.take(~absent), note=f"{state}; the others are left out.")
    if not scored:
        raise ValueError("--missing wrong is for scores; for labels take --missing drop")
    if stopped and not table.log.planned:
        raise ValueError(f"{table.source}: {state}, and which others were to be run is not known")
    columns = dict(table.columns)
    for name in table.roles.values:
        column = table.columns[name].copy()
        column[[value is None for value in column]] = worst
        columns[name] = column
    return replace(table, columns=columns, note=f"{state}; the others count as {worst:g}.")
