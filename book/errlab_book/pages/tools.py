"""Who keeps 95%? The page's pictures and numbers."""

from functools import cache
from typing import Any

import numpy as np
from scipy.stats import binom

import errlab
from errlab_book import guesses, say, show, studies, tables
from errlab_book.chapters import WORDS
from errlab_book.plots.tools import plot_tools
from errlab_book.studies import tools

GUESSES = guesses.load(__file__)

cell, kept, points = tools.cell, tools.kept, tools.points


def defaults() -> Any:
    """Draw the coverage of every tool's defaults."""
    return show(
        plot_tools(study()),
        "Filled: a default, one mark for each kind of test set; a square is below 90%, and the "
        "words name the lowest. Hollow: the best that the tool offers by name. At least 2,000 test "
        "sets a mark. scikit-learn and lm_eval print no interval: theirs is made by hand. The best "
        "of ten, where every default falls, is left out.",
        alt="A row of marks for each tool. A few tools have all marks right of 90%; the others "
        "have squares far to the left, and most of those have hollow marks right of 90%.",
    )


def accuracy() -> Any:
    """Show all intervals for one accuracy."""
    return tools.table_of("accuracy")


def area() -> Any:
    """Show all intervals for an area under the ROC curve."""
    return tools.table_of("area")


def f1() -> Any:
    """Show all intervals for F1."""
    return tools.table_of("f1")


def pair() -> Any:
    """Show all intervals for a difference."""
    return tools.table_of("pair")


def groups() -> Any:
    """Show all intervals for grouped examples."""
    return tools.table_of("groups")


def winner() -> Any:
    """Show all intervals for the best of ten."""
    return tools.table_of("winner")


def versions() -> Any:
    """Show which versions were measured."""
    tool_versions = sorted(
        {(c["tool"], c["version"]) for c in study()["calls"].values()}, key=_lower
    )
    rows = study()["settings"]
    errlab_version = study()["versions"]["errlab"]
    return tables.table(
        tool_versions,
        columns=["tool", "version"],
        caption=f"Measured on {study()['date']}, seed {study()['seed']}: "
        f"{sum(sum(row['sets']) for row in rows):,} intervals; "
        f"{sum(len(row['sets']) == 2 for row in rows)} of {len(rows)} cells with both seeds"
        + f"; errlab {errlab_version} is what became {errlab.__version__}"
        * (errlab_version != errlab.__version__),
    )


def calls() -> Any:
    """Print every call as it was run."""
    return say(tools.calls())


def _lower(pair: tuple[str, str]) -> str:
    return pair[0].lower()


@cache
def study() -> Any:
    """Return the stored study."""
    return studies.load("tools")


def covered(role: str) -> dict[tuple[str, str], float]:
    """Return each tool's best coverage on each test set, by its default or by a named method."""
    coverages: dict[tuple[str, str], float] = {}
    for row in study()["settings"]:
        call, situation = study()["calls"][row["call"]], row["situation"]
        if call["role"] == role and call["kind"] != "winner":
            key = call["tool"], situation
            coverages[key] = max(coverages.get(key, 0), cell(row["call"], situation).coverage)
    return coverages


@cache
def numbers() -> list[str]:
    """Return the phrases whose numbers are computed."""
    return [*_opening_numbers(), *_weakness_numbers(), *_table_numbers()]


def _opening_numbers() -> list[str]:
    """Return the phrases about defaults and named methods of all tools."""
    accuracy_calls = {key: c for key, c in study()["calls"].items() if c["kind"] == "accuracy"}
    normal = {
        c["tool"]
        for key, c in accuracy_calls.items()
        if c["role"] == "default" and cell(key, "A100").coverage < 0.9
    }
    wilson = {
        c["tool"] for c in accuracy_calls.values() if "ilson" in c["words"] and c["role"] == "named"
    }
    # tools whose named method keeps 90% on a kind of test set on which their default doesn't
    kept_by = {role: covered(role) for role in ("default", "named")}
    better = {
        tool
        for (tool, kind), share in kept_by["default"].items()
        if share < 0.9 <= kept_by["named"].get((tool, kind), 0)
    }
    # the normal interval at a true accuracy of 97%, a sum of binomial probabilities
    right = np.arange(101) / 100
    reach = 1.96 * np.sqrt(right * (1 - right) / 100)
    exactly = binom.pmf(np.arange(101), 100, 0.97)[np.abs(right - 0.97) <= reach].sum()
    return [
        f"{WORDS[len(better)].capitalize()} of these have a better method",
        f"in {cell('errorbars_default', 'A100').coverage:.0%} of test sets",
        f"contains the truth in {cell('statsmodels_wilson', 'W').coverage:.0%}, because",
        f"contains the truth in {exactly:.1%} of test sets; we counted "
        f"{kept('errorbars_default', 'A100')}, and {len(normal)} defaults are of that form",
        f"{len(normal & wilson)} of these {len(normal)} tools",
        f"contains it in {kept('errorbars_wilson', 'A100')}",
    ]


def _weakness_numbers() -> list[str]:
    """Return the phrases about questions on which errlab is wide, or no better."""
    return [
        f"Wilson's is {points('statsmodels_wilson', 'A100')} points wide where ours is "
        f"{points('errlab_default', 'A100')}, and it contained the truth in "
        f"{kept('statsmodels_wilson', 'A100')}",
        f"{points('evalstats_pair', 'P')} points where ours has {points('errlab_pair', 'P')}, with "
        f"{kept('evalstats_pair', 'P')} covered",
        f"it has {points('evalstats_pair', 'P enemy')} and ours has "
        f"{points('errlab_pair', 'P enemy')}",
        f"even shorter, {points('evalci_pair', 'P')} and {points('evalci_pair', 'P enemy')}",
        f"of 0.94 on ten positive examples ours is {points('errlab_area', 'U10')} points wide, "
        f"DeLong's {points('evalsuite_area', 'U10')}",
        f"with twelve groups {points('errlab_groups', 'G')} points, where a cluster-robust t "
        f"interval has {points('inspect_groups', 'G')}",
        f"has {points('errlab_groups_t', 'G')} points, and covered {kept('errlab_groups_t', 'G')}",
        f"t interval covered {kept('inspect_groups', 'G board')}",
        f"to {kept('errlab_default', 'W')}",
    ]


def _table_numbers() -> list[str]:
    """Return the phrases beside the tables."""
    # A better by 3.1 points: the same percentile bootstrap, a sum of binomial probabilities
    wins = np.arange(101)
    low, high = (np.nan_to_num(binom.ppf(q, 100, wins / 100)) / 100 for q in (0.025, 0.975))
    covers = binom.pmf(wins, 100, 0.031)[(low <= 0.031) & (high >= 0.031)].sum()
    return [
        f"Wilson's covers {kept('statsmodels_wilson', 'A enemy')}",
        "Tools without an interval for one accuracy, or with none that we could "
        "measure (see below): "
        f"{tools.not_offered('accuracy')}",
        f"Tools without an interval for an area of scores, unless you write the function yourself: "
        f"{tools.not_offered('area')}",
        "Tools without an interval for F1, or with none that we could measure (see "
        f"below): {tools.not_offered('f1')}",
        f"contain the truth in {covers:.1%}",
        "Tools without an interval for a difference, or with none that we could "
        "measure (see below): "
        f"{tools.not_offered('pair')}",
        f"a cluster-robust t interval covers {kept('inspect_groups', 'G enemy')}, whichever",
        f"is {points('errlab_groups', 'G enemy')} points wide instead of "
        f"{points('inspect_groups', 'G enemy')}, and covered {kept('errlab_groups', 'G enemy')}",
        f"Tools without an interval for one accuracy in groups: {tools.not_offered('groups')}",
    ]


GIVEN = [
    "97 of 100 are right",
    "printed as 95%, contain",
    *("in 95% of test sets", "in 90% of test sets", "level 0.995"),
    *("best of ten candidates", "keeps 95% for the winner", "For the best of ten"),
    "Who keeps 95%",
    "97 of 100 tasks right, and your tool prints a 95% interval",
    "for the same 100 tasks",
    "We tested fourteen tools",
    "one time in twenty",
    "8 minutes",
    "an accuracy of 97% on 100 examples",
    "At 97% of 100",
    "For 100 independent examples",
    "near 95%",
    "at most 1.1 points",
    "10,000 real results of the best of thirty networks",
    "is never below 95%",
    "found in 80% of its examples, and 5% of",
    "better by 3.1 points instead of 3,",
    "one group in twenty is half wrong",
    "0.995 instead of 0.95, so that all ten",
    "Below 30 examples",
    "at 97% of 100 there are three",
    "keeps 95% in every column",
    "Near 100%",
    "can exclude 0",
    "printed as a 95% interval",
    "all scores are 0 or 1",
    "coverage is never far below 95%",
    "about 18 seconds a call",
    "of F1 3 seconds and of accuracy 1 second",
    "2,000 test sets take ten hours with the first",
    "has 100,000 resamples",
    "above 100%",
    "`right` holds 1 where",
]
