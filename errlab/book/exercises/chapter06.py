"""Answers to the exercises of chapter 6, which bound."""

from __future__ import annotations

from typing import Any

from errlab import bounds, holdout
from errlab.book.exercises._exercise import exercise


@exercise("6.1", hint="Its short name, as in Table 1. Which bound inverts the binomial law?")
def for_counts_with_a_guarantee() -> Any:
    """Which bound is tightest for 0/1 losses when a guarantee is needed?"""
    return bounds.rank(0.1, 100, loss="binary")[0].key


@exercise("6.2", hint="holdout.sample_size_for(key, target=..., mean=...)", tolerance=0)
def cases_for_five_percent() -> Any:
    """How many cases bring Clopper-Pearson to 8 % if the test error is 5 %?"""
    return holdout.sample_size_for("CP", target=0.08, mean=0.05)


@exercise("6.3", hint="Divide (bound - mean) of T_HOE by that of CP.", tolerance=5e-3)
def what_forgetting_the_counts_costs() -> Any:
    """How many times as wide as CP is T_HOE, for a test error of 10 % in 500 cases?"""
    wide, narrow = (bounds.upper(key, 0.1, 500) - 0.1 for key in ("T_HOE", "CP"))
    return wide / narrow


@exercise(
    "6.4", hint="Three bounds may fail in turn: at worst the failures add up.", tolerance=1e-9
)
def lowest_of_three() -> Any:
    """What is still guaranteed for the lowest of three bounds, each at 95 %?"""
    return 1 - 3 * 0.05


@exercise("6.5", hint="bounds.rank(mean, n, var=...) with what the pilot showed.")
def planned_from_a_pilot() -> Any:
    """Which bound to plan for 400 cases, if a pilot shows mean 0.15 and variance 0.004?"""
    return bounds.rank(0.15, 400, var=0.004)[0].key
