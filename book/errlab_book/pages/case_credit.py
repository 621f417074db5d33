"""The leader of the public board: the page's pictures, guess and numbers."""

from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np
from IPython.display import display

from errlab.style import styled
from errlab_book import guesses, labs, show, tables
from errlab_book.chapters import WORDS
from errlab_book.plots.cases import draw_slopes
from errlab_book.plots.leaderboard import ordinal
from errlab_book.plots.paper import FAINT, INK, headline, paper, spread, write

GUESSES = guesses.load(__file__)

# area under the ROC curve, during the competition and at its end; rank at its end
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


def places() -> Any:
    """Draw where the first ten of the public board ended."""
    ends = {ordinal(place): (place, final) for place, (_, _, final) in COUNTS.items()}
    stayed = [name for name, (_, final) in ends.items() if final <= 10]
    last = ordinal(ends["1st"][1])

    @styled
    def draw() -> Any:
        ax = paper(350, 300)
        draw_slopes(ax, ends, "1st", stayed)
        ax.set(yscale="log", ylim=(150, 0.9), xlim=(-0.12, 1.4))
        ax.plot([-0.12, 1], [10.5, 10.5], color=INK, alpha=FAINT, lw=1, ls="--")
        finals = sorted(final for _, final in ends.values())
        # spread along the logarithmic axis where numbers would overlap
        heights = 10 ** spread(np.log10(finals), 0.155)
        for final, height in zip(finals, heights, strict=True):
            words = f"the leader: {last}" if final == ends["1st"][1] else ordinal(final)
            bold = "bold" if final == ends["1st"][1] else "normal"
            write(ax, words, (1, height), (9, 0), weight=bold)
        ax.set_xticks([0, 1], ["public board", "final"])
        ax.set_yticks([1, 10, 100], ["1st", "10th", "100th"])
        ax.minorticks_off()
        headline(
            ax,
            f"{WORDS[len(stayed)].capitalize()} of the first ten stay, and the leader ends {last}",
            "places of the first ten of the public board",
            left=50,
        )
        return ax

    return show(
        draw(),
        "On a logarithmic scale. Dashed: behind the tenth place.",
        alt=f"Ten lines from left to right, from places 1 to 10. {len(stayed)} end above the tenth "
        f"place, the others as low as the {ordinal(max(final for _, final in ends.values()))}.",
    )


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
    """Return the phrases whose numbers are computed."""
    areas = [public for public, _, _ in COUNTS.values()]
    margin = NormalDist().inv_cdf(0.975) * standard_error(areas[0], PUBLIC * BORROWERS)
    stayed = sum(final <= 10 for _, _, final in COUNTS.values())
    return [
        f"{BORROWERS:,} borrowers are the test, and a random {PUBLIC:.0%} of them",
        f"is {areas[0]:.4f}",
        f"only {['no', 'one', 'two', 'three', 'four', 'five'][stayed]} stayed",
        f"{WORDS[len(COUNTS) - stayed].capitalize()} of the ten dropped out",
        f"fell to place {COUNTS[3][2]}",
        f"in {100 * areas[0]:.0f} of 100 pairs",
        f"±{100 * margin:.1f} points",
        f"{DEFAULTS:.1%} of the borrowers",
        f"were {100 * (areas[0] - areas[9]):.2f} points apart",
        f"is {areas[0]:.3f}, give or take {margin:.3f} (95%, approximate)",
        f"place {COUNTS[3][2]}.",
        f"training data, {DEFAULTS:.3%}",
    ]


GIVEN = [
    *("five", "nine"),  # from the choices of the guess
    "With 30,000 borrowers",
    "a 30% sample",
    "method 5",
]
