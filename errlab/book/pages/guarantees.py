"""What was measured of each method: what the page shows and states."""

import statistics
from functools import cache
from typing import Any

from errlab._core.statement import Evidence, evidence, measured
from errlab.book import explore, show, studies
from errlab.book.plots.guarantees import plot_guarantees, plot_window

METHODS = {"one model": "Korn and Graubard", "two models": "cluster-robust t test"}
GROUPS = (2, 3, 4, 5, 8, 12, 20, 30, 50, 80, 100, 200)


def window() -> Any:
    """Move the number of groups, and see which simulations a report would look at."""
    return explore(
        lambda asked, groups: plot_window(told(asked, groups)),
        asked=list(METHODS),
        groups=list(GROUPS),
        start={"asked": "two models", "groups": 12},
        labels={"asked": "asked about", "groups": "groups, all of one size"},
        caption="Each mark: one kind of test set. Grey: 0.4 to 2.5 times so many groups "
        "(triangle). A report also leaves out kinds that look unlike your test set.",
        alt=lambda asked, groups: f"a report on {asked} says: {told(asked, groups).words}",
    )


def by_groups() -> Any:
    """Draw the coverage of each method by the number of groups."""
    return show(
        plot_guarantees("effective groups"),
        "Two-sided intervals. Squares: below 90%. Hundreds or thousands of test sets a mark, "
        "against what so many groups weigh.",
        alt="A row for each method. Two rows have squares below the line at 95%; the last two, "
        "which are proven, lie above it.",
    )


def by_cases() -> Any:
    """Draw the coverage of each method by the number of cases of the rarer class."""
    return show(
        plot_guarantees("cases of the rarer class"),
        "Squares: below 90%. Hundreds or thousands of test sets a mark.",
        alt="A row for each method. Most marks lie near the line at 95%.",
    )


def below() -> Any:
    """Show all that falls below 90%."""
    return studies.guarantees(below=0.9)


def door(name: str) -> Any:
    """Show what was measured of one function."""
    return studies.guarantees(name)


def told(asked: str, groups: int) -> Evidence:
    """Return what a report would say of an interval from so many groups."""
    return evidence("asymptotic", METHODS[asked], groups, "effective groups", door="report")


@cache
def numbers() -> list[str]:
    """Write the phrases that are computed."""
    claim, share, where, *_ = studies.guarantees(below=0.9).rows[0]
    runs = [row["runs"] for row in measured()]
    assert not any(told("one model", n).weakness for n in GROUPS)
    weak = max(n for n in GROUPS if told("two models", n).weakness)
    return [
        f"needs {next(n for n in GROUPS if n > weak)} groups",
        f"**{share}** ({claim}; {where})",
        f"{sum(runs):,} claims about test sets",
        f"most of {statistics.mode(runs)} test sets",
    ]


GIVEN = [
    "on twelve groups of one size",
    "no number of groups falls below 90%",
    "two or three groups",
    "from 500 tasks of 12 repositories",
    "it keeps its 95%",
    "Are 12 enough",
    "where 95% was the aim",
    "between 0.4 and 2.5 times",
    "than 0.4 to 2.5 times",
    "by two to three points",
    "Three limits",
    "below 90%",
    "all of it is for 95%",
    "belongs to 95%",
    "reach 95%",
    "less than 90%",
    "200 cases with a tenth positive and an area of 0.94",
    "a correlation of 0.1 to 0.3",
    "one group in twenty",
    "CIFAR-10",
    "with ten divisions",
    "The aim is 80%",
]
