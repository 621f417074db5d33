"""The interval that held in 19%: what the case shows, asks and states."""

from functools import cache
from typing import Any

from IPython.display import display

from errlab import bounds
from errlab.book import guesses, labs, outward

GUESSES = guesses.load(__file__)

RUNS = 1_000
COUNTS = {"printed": 186, "ours": 911}  # training sets whose interval contained the true error


def claim() -> Any:
    """Guess, then see how far luck reaches in so many repetitions."""
    display(GUESSES["luck"])
    return labs.Claim(errors=RUNS - COUNTS["printed"], cases=RUNS)


@cache
def numbers() -> list[str]:
    """Write the phrases whose numbers are computed."""
    printed, ours = (bounds.interval("CP", errors=count, n=RUNS) for count in COUNTS.values())
    says = outward(printed.low, printed.high)
    return [
        f"held in {COUNTS['printed'] / RUNS:.0%}",
        f"in {COUNTS['printed']} of {RUNS:,} repetitions",
        f"and counted {COUNTS['ours']}",
        f"{says} as printed, and {outward(ours.low, ours.high)} for ours",
        f"{100 * (ours.low - printed.high):.0f} points between them",
        f"{COUNTS['ours'] / RUNS:.0%} is less than",
        f"In {RUNS:,} simulated training sets the interval contained the true error in "
        f"{COUNTS['printed'] / RUNS:.1%} (95% interval {says})",
        f"in {COUNTS['ours'] / RUNS:.0%} of training sets",
        f"show {COUNTS['printed']} in {RUNS:,}?",
        f".{COUNTS['printed']} over {RUNS:,} repetitions",
    ]


GIVEN = [
    'The "95%" interval',
    "fifty training examples",
    "promises 95%",
    "the promised 95%",
    "thirty examples",
    "Table 4: Heart, n = 50",
    "down to three points",
]
