"""What a file shows that would make a claim wrong: refused, or told as a warning."""

from __future__ import annotations

import warnings
from argparse import Namespace
from collections.abc import Sequence

from errlab._core import checks
from errlab.cli.columns import Column
from errlab.cli.roles import of_systems
from errlab.cli.table import Table, groups_by_name


def refuse_pool(options: Namespace, table: Table) -> None:
    """Refuse one report of several systems, each with the same cases."""
    for name in of_systems(table):
        systems = list(dict.fromkeys(map(str, table.columns[name])))
        if len(systems) > 1 and options.group != name:
            raise ValueError(
                f"{table.source}: a report is of one system, but {name} has {len(systems)}; for "
                f"one say --where {name}={systems[0]}, for all errlab compare --model {name}; if "
                "it names no systems, rename the column"
            )


def warn_of_missing(table: Table, columns: Sequence[Column]) -> None:
    """Warn of labels, or groups, that may stand for a missing value."""
    places: dict[str, str] = {}
    for name, column in columns:
        for value in set(column):
            if isinstance(value, str) and value.lower() in checks.MISSING_WORDS:
                places[value] = name
    if places:
        listed = ", ".join(f"{value} (in {name})" for value, name in places.items())
        _warn(
            f"{table.source}: taken for a value like others: {listed}; leave such cases out if "
            "their value is missing"
        )


def warn_of_repeated_cases(table: Table) -> None:
    """Warn of identifiers that the user has named and that come several times."""
    key = table.roles.keys[0]
    different = len(set(table.columns[key]))
    if different < len(table.cases):
        _warn(
            f"{table.source}: {len(table.cases)} cases have {different} different {key}; if it "
            f"names what they belong to, say --group {key}"
        )


def warn_of_groups(options: Namespace, table: Table) -> None:
    """Warn of a column whose name and values look like groups that no option names."""
    roles = table.roles
    if roles.group is not None:
        return
    columns = table.columns
    cases = len(table.cases)
    if roles.model is not None:
        cases = len(set(columns[roles.keys[0]]))
    for name in columns:
        if name in (options.true, *roles.columns) or not groups_by_name(name):
            continue
        # JSON may hold a list, such as the turns of a prompt
        groups = len(set(map(str, columns[name])))
        if 1 < groups < cases:
            _warn(
                f"{table.source}: the column {name} looks like {groups} groups; if so, say --group "
                f"{name}"
            )


def _warn(message: str) -> None:
    warnings.warn(message, stacklevel=2)
