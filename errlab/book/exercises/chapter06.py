"""Answers to the exercises of chapter 6, which bound."""

from __future__ import annotations

from typing import Any

from errlab import bounds, holdout
from errlab.book.exercises._exercise import exercise


@exercise(
    "6.1",
    asks="choice",
    choices=("CP", "HOE", "JEF", "T_HOE", "WIL"),
    hints=(
        "A guarantee: no approximation. Errors are counted: the binomial law is known.",
        "Which bound inverts the binomial law itself?",
    ),
    mistakes=[
        (lambda: "HOE", "it holds, but knows only that losses lie in [0, 1]."),
        (lambda: "T_HOE", "it holds, but forgets that losses are 0 or 1."),
        (lambda: "WIL", "it is an approximation: there are true errors where it fails too often."),
        (lambda: "JEF", "it is close on average, but without a guarantee."),
    ],
)
def for_counts_with_a_guarantee() -> Any:
    """Which bound is tightest for 0/1 losses when a guarantee is needed?"""
    return bounds.rank(0.1, 100, loss="binary")[0].key


@exercise(
    "6.2",
    asks="count",
    hints=(
        "The bound comes down to the test error as the cases grow. When does it pass 8%?",
        "Search the smallest n at mean 0.05; holdout.sample_size_for does that.",
    ),
    mistakes=[
        (
            lambda: holdout.sample_size_for("HOE", target=0.08, mean=0.05),
            "this is Hoeffding's number.",
        ),
        (
            lambda: holdout.sample_size_for("CP", target=0.08, mean=0.05, delta=0.025),
            "this is for one end of a two-sided interval.",
        ),
        (
            lambda: holdout.sample_size_for("WIL", target=0.08, mean=0.05),
            "this is Wilson's number.",
        ),
    ],
)
def cases_for_five_percent() -> Any:
    """How many cases bring Clopper-Pearson to 8 % if the test error is 5 %?"""
    return holdout.sample_size_for("CP", target=0.08, mean=0.05)


@exercise(
    "6.3",
    asks="number",
    tolerance=5e-3,
    hints=(
        "Both bounds stand on 10%. Compare what they add to it.",
        "Subtract 0.1 from both bounds; then divide.",
    ),
    mistakes=[
        (
            lambda: bounds.upper("T_HOE", 0.1, 500) / bounds.upper("CP", 0.1, 500),
            "you have divided the bounds. Take the test error off first.",
        ),
        (
            lambda: (bounds.upper("CP", 0.1, 500) - 0.1) / (bounds.upper("T_HOE", 0.1, 500) - 0.1),
            "this is the other way round.",
        ),
        (
            lambda: (bounds.upper("HOE", 0.1, 500) - 0.1) / (bounds.upper("CP", 0.1, 500) - 0.1),
            "this is plain Hoeffding, not the tight one.",
        ),
    ],
)
def what_forgetting_the_counts_costs() -> Any:
    """How many times as wide as CP is T_HOE, for a test error of 10 % in 500 cases?"""
    wide, narrow = (bounds.upper(key, 0.1, 500) - 0.1 for key in ("T_HOE", "CP"))
    return wide / narrow


@exercise(
    "6.4",
    tolerance=1e-9,
    hints=(
        "The lowest fails as soon as one of the three does.",
        "At worst no two of them fail together: then their failures add up.",
    ),
    mistakes=[
        (lambda: 0.95, "you have chosen after seeing them. Each has its own chance to fail."),
        (lambda: 0.95**3, "this would need the three to be independent. They see the same losses."),
    ],
)
def lowest_of_three() -> Any:
    """What is still guaranteed for the lowest of three bounds, each at 95 %?"""
    return 1 - 3 * 0.05


@exercise(
    "6.5",
    asks="choice",
    choices=("BER", "CP", "HOE", "MAU", "T_HOE"),
    hints=(
        "Losses are soft, and you get mean and variance. Who can use both, and holds always?",
        (
            "Compute every rigorous bound at the pilot's mean and variance for 400 cases; "
            "bounds.rank sorts them."
        ),
    ),
    mistakes=[
        (lambda: "CP", "it is for counts of errors. These losses are soft."),
        (lambda: "HOE", "it cannot use the small variance."),
        (lambda: "T_HOE", "it cannot use the small variance."),
        (lambda: "BER", "it takes the largest variance that the mean allows, not the one seen."),
    ],
)
def planned_from_a_pilot() -> Any:
    """Which bound to plan for 400 cases, if a pilot shows mean 0.15 and variance 0.004?"""
    return bounds.rank(0.15, 400, var=0.004)[0].key
