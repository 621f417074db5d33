"""The same network on three new test sets: the page's pictures, guess and numbers."""

from functools import cache
from typing import Any

from IPython.display import display

import errlab
from errlab import compare
from errlab.style import styled
from errlab_book import guesses, labs, outward, show, tables
from errlab_book.plots import paper
from errlab_book.plots.cases import draw_rows

GUESSES = guesses.load(__file__)

# network: errors in the 50,000 validation images, and in each of three new sets of 10,000
COUNTS = {
    "ResNet-152": (10_844, 3_298, 2_465, 1_972),
    "ResNet-50": (11_935, 3_667, 2_730, 2_191),
    "VGG-16": (14_204, 4_116, 3_205, 2_612),
    "ResNet-18": (15_121, 4_282, 3_340, 2_695),
}
OLD, NEW = 50_000, 10_000
SETS = ("matched", "seven in ten", "most picked")


def claim() -> Any:
    """Guess, then see the claim that the old images alone support."""
    display(GUESSES["new_sets"])
    return labs.Claim(errors=COUNTS["ResNet-50"][0], cases=OLD)


def shifts() -> Any:
    """Draw the interval of the old images beside those of the three new sets."""
    old, *new = COUNTS["ResNet-50"]
    counted = [(old, OLD), *((errors, NEW) for errors in new)]
    reports = [errlab.report(errors=errors, n=n) for errors, n in counted]
    names = ["old images", "new, picked as often as the old", "new, by seven in ten workers"]
    names.append("new, the most picked")
    rates = [100 * errors / n for errors, n in counted]
    rows = {
        f"{name}: {rate:.1f}%": (100 * r.low, 100 * r.high, rate)
        for name, rate, r in zip(names, rates, reports, strict=True)
    }
    lowest, highest = min(rates[1:]), max(rates[1:])

    @styled
    def draw() -> Any:
        ax = paper.paper(350, 230)
        draw_rows(ax, rows, [*rows][1], (20, 38))
        # the interval of the old images, with a line down to the new ones
        ax.axvspan(*next(iter(rows.values()))[:2], color=paper.INK, alpha=0.15, lw=0)
        ax.set_xticks([20, 25, 30, 35], ["20", "25", "30", "35%"])
        paper.headline(
            ax,
            f"{rates[0]:.0f}% wrong on old images, {lowest:.0f} to {highest:.0f}% on new ones",
            "ResNet-50, 95% intervals",
        )
        return ax

    return show(
        draw(),
        f"{OLD:,} old images and {NEW:,} of each new set. Grey band: the interval of the old.",
        alt=f"Four short intervals far apart: {', '.join(rows).replace(':', '')}. None of the new "
        "ones meets that of the old.",
    )


def counts() -> Any:
    """Show the errors of each network on each set."""
    return tables.table(
        [
            {"network": name, f"old, of {OLD:,}": a, **dict(zip(SETS, new, strict=True))}
            for name, (a, *new) in COUNTS.items()
        ],
        caption=f"No network overtakes another. Errors, old and three new sets of {NEW:,} images.",
    )


@cache
def numbers() -> list[str]:
    """Return the phrases whose numbers are computed."""
    old, *new = COUNTS["ResNet-50"]
    report = errlab.report(errors=old, n=OLD)
    ends: Any = [compare.two_proportions(count, NEW, old, OLD).interval for count in new]
    shifts = [outward(100 * low, 100 * high, "+.1f") for low, high in ends]
    return [
        f"gets {old:,} of ImageNet's {OLD:,} validation images wrong, {old / OLD:.1%}",
        f"three new sets of {NEW:,} images",
        f"gets {new[0]:,} wrong, {new[0] / NEW:.1%}",
        f"gets {new[1]:,} wrong, {new[1] / NEW:.1%}",
        f"{new[2]:,} wrong, or {new[2] / NEW:.1%}: *fewer*",
        f"{shifts[0]}, {shifts[1]} and {shifts[2]} points (95% intervals",
        f"{old / OLD:.2%} of ImageNet's {OLD:,} validation images wrong (95% interval "
        f"{outward(report.low, report.high, '.2%')})",
        f"about {old / OLD:.0%} on each",
        f"about {new[0] / NEW:.0%} on each",
        f"{new[2] / NEW:.0%}, {new[1] / NEW:.0%} and {new[0] / NEW:.0%}",
    ]


GIVEN = [
    "3.6 of 11.7 points",
    "of the 11.7 points that networks lose on average 3.6 remain",
    *("imagenetv2-b-33", "imagenetv2-a-44", "imagenetv2-c-12"),
]
