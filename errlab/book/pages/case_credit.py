"""The leader of the public board: what the case shows, asks and states."""

from functools import cache
from statistics import NormalDist
from typing import Any

from IPython.display import display

from errlab.book import guesses, labs, tables

GUESSES = guesses.load(__file__)

# area under the ROC curve, as shown during the competition and at its end; rank there
COUNTS = {
    1: (0.863904, 0.868942, 9),
    2: (0.863706, 0.869558, 1),
    3: (0.863642, 0.867332, 117),
    4: (0.863571, 0.869135, 5),
    5: (0.863499, 0.868660, 31),
    6: (0.863356, 0.869295, 2),
    7: (0.863324, 0.868984, 8),
    8: (0.863293, 0.868799, 23),
    9: (0.863182, 0.868113, 64),
    10: (0.863046, 0.868672, 29),
}
BORROWERS, PUBLIC, DEFAULTS = 101_503, 0.3, 0.06684


def winner() -> Any:
    """Guess, then see ten models that are equally good."""
    display(GUESSES["stayed"])
    return labs.Winner(models=10, cases=5000)


def counts() -> Any:
    """Show the areas and places of the first ten."""
    return tables.table(
        [
            {"public place": place, "public area": a, "final area": b, "final place": final}
            for place, (a, b, final) in COUNTS.items()
        ],
        caption="Ten leaders, less than a tenth of a point apart, and where they ended.",
        formats=dict.fromkeys(["public area", "final area"], ".6f"),
    )


def standard_error(area: float, n: float) -> float:
    """Return Newcombe's standard error of an area from n borrowers, of whom DEFAULTS default."""
    sick = n * DEFAULTS
    spread = (n / 2 - 1) * ((1 - area) / (2 - area) + area / (1 + area))
    return float((area * (1 - area) / (sick * (n - sick)) * (1 + spread)) ** 0.5)


@cache
def numbers() -> list[str]:
    """Write the phrases whose numbers are computed."""
    areas = [public for public, _, _ in COUNTS.values()]
    margin = NormalDist().inv_cdf(0.975) * standard_error(areas[0], PUBLIC * BORROWERS)
    stayed = sum(final <= 10 for _, _, final in COUNTS.values())
    return [
        f"{BORROWERS:,} borrowers are the test, and a random {PUBLIC:.0%} of them",
        f"is {areas[0]:.4f}",
        f"only {['no', 'one', 'two', 'three', 'four', 'five'][stayed]} stayed",
        f"fell to place {COUNTS[3][2]}",
        f"in {100 * areas[0]:.0f} of 100 pairs",
        f"±{100 * margin:.1f} points",
        f"{DEFAULTS:.1%} of the borrowers",
        f"lay {100 * (areas[0] - areas[9]):.2f} points apart",
        f"is {areas[0]:.3f}, give or take {margin:.3f} (95%, approximate)",
        f"place {COUNTS[3][2]}.",
        f"training data, {DEFAULTS:.3%}",
    ]


GIVEN = [
    "the first ten on the public board",
    "the first ten at the end",
    "Of the ten",
    "when ten models",
    "all ten scored",
    *("five", "nine"),  # what the guess offers
    "With 30,000 borrowers",
    "a 30% sample",
    "method 5",
]
