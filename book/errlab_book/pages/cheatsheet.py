"""Cheat sheet: what its lists show, and what it states."""

from functools import cache
from typing import Any

from IPython.display import display

from errlab.bounds import BOUNDS, clopper_pearson
from errlab.compare import COMPARISONS
from errlab.holdout import sample_size
from errlab.training_set import INTERVALS
from errlab_book import outward, tables

ERRORS, CASES = 7, 200  # the example of all bounds
LOSSES = {"binary": "0/1 losses", "bounded": "losses in [0, 1]"}
LEVELS = {
    "exact": "proven",
    "finite sample": "proven",
    "asymptotic": "approximate",
    "none proven": "not proven",
}


def bounds() -> Any:
    """Show each bound after 7 errors in 200."""

    def example(entry: Any) -> float:
        if entry.needs == "losses":
            return float(entry.function([1.0] * ERRORS + [0.0] * (CASES - ERRORS)))
        return float(entry.function(ERRORS / CASES, CASES))

    return tables.table(
        [
            {
                "bound": f"{entry.name} ({key})",
                f"{ERRORS} in {CASES}": outward(example(entry), spec=".2%"),
                "proven for": LOSSES[entry.loss] if entry.rigorous else "nothing, approximate",
            }
            for key, entry in BOUNDS.items()
        ],
        caption="Bounds, by name and key",
    )


def comparisons() -> Any:
    """Show each comparison, by what it compares on."""

    def listed(sample: str, caption: str) -> Any:
        return tables.table(
            [
                {"key": key, "its level": LEVELS[entry.guarantee]}
                for key, entry in COMPARISONS.items()
                if entry.sample == sample
            ],
            caption=caption,
        )

    display(listed("same examples", "On the same examples"))
    display(listed("two test sets", "On two test sets"))
    return listed("many data sets", "On many data sets")


def intervals() -> Any:
    """Show each interval from one training set."""
    return tables.table(
        [{"key": key, "interval": entry.name} for key, entry in INTERVALS.items()],
        caption="Intervals from one training set",
    )


@cache
def numbers() -> list[str]:
    """Return the phrases whose numbers are computed."""
    zero = ", ".join(f"{outward(clopper_pearson(0, n))} after {n:,}" for n in (10, 50, 100, 1000))
    return [
        f"after {ERRORS} errors in {CASES}",
        f"at most {zero} examples",
        f"takes {sample_size(0.01):,} examples",
        f"{sample_size(0.01, models=100):,} if you choose among 100 models",
    ]


GIVEN = [
    "scores between 0 and 1",
    "margin=0.01",
    "two_proportions(7, 200, 12, 300)",
    "error=0.05, half_width=0.02",
    "one-sided 95% upper bound",
]
