"""The interval that held in 19%: the page's pictures, guess and numbers."""

from functools import cache
from typing import Any

from errlab import bounds
from errlab.style import Look, styled
from errlab_book import guesses, outward, show
from errlab_book.plots.paper import ACCENT, BODY, INK, SOFT, headline, paper, write

GUESSES = guesses.load(__file__)

RUNS = 1_000
# number of training sets whose interval contains the true error
COUNTS = {"printed": 186, "ours": 911}


def claim() -> Any:
    """Show how much luck alone can do in this many repetitions."""
    rows = {whose: bounds.interval("CP", errors=k, n=RUNS) for whose, k in COUNTS.items()}

    @styled
    def draw() -> Any:
        ax = paper(350, 200)
        for y, (whose, ends) in enumerate(rows.items()):
            printed = whose == "printed"
            look: Look = {"color": ACCENT} if printed else {"color": INK, "alpha": BODY}
            ax.plot([100 * ends.low, 100 * ends.high], [y, y], lw=8, solid_capstyle="butt", **look)
            mark: Look = {"marker": "s" if printed else "o", "color": INK, "ms": 5}
            ax.plot(COUNTS[whose] / RUNS * 100, y, **mark)
            words = f"{'the paper' if printed else 'we'} counted {COUNTS[whose]} of {RUNS:,}"
            # each label is above its bar, where there is room
            at, side = (0, "left") if printed else (93, "right")
            write(ax, words, (at, y), (0, 17), ha=side, weight="bold" if printed else "normal")
        ax.axvline(95, color=INK, lw=1, ls="--")
        write(ax, "promised: 95%", (95, 1.5), (-5, 0), ha="right", alpha=SOFT)
        ax.set(xlim=(0, 101), ylim=(1.75, -0.8), yticks=[])
        ax.set_xticks([0, 25, 50, 75, 100], ["0", "25", "50", "75", "100%"])
        headline(ax, "{} in print, {} here, of {:,} each".format(*COUNTS.values(), RUNS),
                 "how often the interval is right, with 95% intervals")  # fmt: skip
        return ax

    return show(
        draw(),
        f"Bars: what the true coverage may be after {RUNS:,} repetitions (Clopper-Pearson). "
        "Heart, 50 training examples.",
        alt="Two short bars far apart: the paper's near 19%, ours near 91%, just left of the "
        "promised 95%.",
    )


@cache
def numbers() -> list[str]:
    """Return the phrases whose numbers are computed."""
    printed, ours = (bounds.interval("CP", errors=count, n=RUNS) for count in COUNTS.values())
    says = outward(printed.low, printed.high)
    return [
        f"held in {COUNTS['printed'] / RUNS:.0%}",
        f"in {COUNTS['printed']} of {RUNS:,} repetitions",
        f"and counted {COUNTS['ours']}",
        f"{says} as printed, and {outward(ours.low, ours.high)} for ours",
        f"{100 * (ours.low - printed.high):.0f} points between them",
        f"{COUNTS['ours'] / RUNS:.0%} is less than",
        f"In {RUNS:,} training sets drawn from Heart the interval contained the true error in "
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
]
