"""The cases of a file that count: those that are asked for, each with a value of every system."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

from errlab.cli import files
from errlab.cli.roles import settled
from errlab.cli.table import Table


def read(options: Namespace, path: str) -> Table:
    """Read what the options name of a file."""
    table = settled(options, files.opened(path))
    if table.log.planned:
        table = table.with_planned()
    if table.roles.where:
        table = table.selected()
    if table.log.scores and "filter" in table.names:
        filters = list(dict.fromkeys(str(row["filter"]) for _, row in table.cases))
        if len(filters) > 1:
            number = f"the answers of {len(filters)} filters ({', '.join(filters)})"
            raise ValueError(f"{path} has {number}; keep one, as in --where filter={filters[0]}")
    return complete(options, table).checked()


def complete(options: Namespace, table: Table) -> Table:
    """Deal with cases that have no value, and with a run that broke off, as --missing says."""
    absent = table.unanswered()
    stopped = table.log.stopped
    if not any(absent) and not stopped:
        return table
    scored = table.roles.scored
    kind = "score" if scored else "prediction"
    state = f"{absent.count(False)} of {len(absent)} {table.unit}s have a {kind}"
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
        number = absent.index(True)
        _, row = table.cases[number]
        lacking = next(name for name in table.roles.values if row[name] is None)
        raise ValueError(f"{table.at(number)}: {lacking} has no value; {state}; {remedy}")
    if options.missing == "drop":
        cases = [case for case, gone in zip(table.cases, absent, strict=True) if not gone]
        if not cases:
            raise ValueError(f"{table.source}: no case has a {kind}")
        return replace(table, cases=cases, note=f"{state}; the others are left out.")
    if not scored:
        raise ValueError("--missing wrong is for scores; for labels take --missing drop")
    if stopped and not table.log.planned:
        raise ValueError(f"{table.source}: {state}, and which others were to be run is not known")
    counted = []
    for line, row in table.cases:
        failed = {name: worst for name in table.roles.values if row[name] is None}
        counted.append((line, row | failed))
    return replace(table, cases=counted, note=f"{state}; the others count as {worst:g}.")
