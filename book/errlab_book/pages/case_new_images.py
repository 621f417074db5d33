"""First on the old images, and on the new ones? The page's pictures, guess and numbers."""

from functools import cache
from typing import Any

from IPython.display import display

from errlab import bounds, compare
from errlab.style import styled
from errlab_book import guesses, labs, outward, show, tables
from errlab_book.chapters import WORDS
from errlab_book.pages.ranks import cifar, on_new_images
from errlab_book.plots.cases import draw_slopes
from errlab_book.plots.leaderboard import ordinal
from errlab_book.plots.paper import SOFT, headline, paper, write

GUESSES = guesses.load(__file__)

# network: errors in the 10,000 old images, errors in the 2,021 new ones
COUNTS = {
    "shake_shake_26_2x64d_SSI_cutout16": (289, 142),
    "shake_shake_26_2x96d_SSI": (293, 163),
    "shake_shake_26_2x64d_SSI": (301, 173),
    "wrn_28_10_cutout16": (304, 162),
    "shake_drop": (313, 156),
}
# counts of new images: only the first wrong, only shake_drop wrong
APART = (57, 71)
OLD, NEW = 10_000, 2_021


def ranks() -> Any:
    """Guess, then see which ranks are possible after the old images."""
    display(GUESSES["best"])
    return labs.Ranks()


def errors() -> Any:
    """Draw the errors of the first five on old and new images."""
    rates = {name: (100 * a / OLD, 100 * b / NEW) for name, (a, b) in COUNTS.items()}
    first, *others = rates
    best, second, *_ = sorted(rates, key=lambda name: rates[name][1])
    assert best == first
    assert all(b > 2 * a for a, b in rates.values())

    @styled
    def draw() -> Any:
        ax = paper(350, 260)
        draw_slopes(ax, rates, first, others)
        words = f"the first: {rates[first][1]:.1f}%"
        write(ax, words, (1, rates[first][1]), (10, -3), weight="bold")
        words = f"the {ordinal([*rates].index(second) + 1)}: {rates[second][1]:.1f}%"
        write(ax, words, (1, rates[second][1]), (10, 0), alpha=SOFT)
        ax.set(xlim=(-0.12, 1.55), ylim=(0, None))
        ax.set_xticks([0, 1], ["old images", "new images"])
        ax.set_yticks([0, 3, 6, 9], ["0", "3", "6", "9%"])
        headline(
            ax,
            "All five errors are more than twice as large, and the first stays first",
            "errors of the first five on old and new images",
        )
        return ax

    return show(
        draw(),
        f"{OLD:,} old and {NEW:,} new images; places are those of the old board.",
        alt="Five lines rise steeply, side by side. The lowest at the left is the lowest at the "
        "right.",
    )


def counts() -> Any:
    """Show the errors of the first five on old and new images."""
    return tables.table(
        [{"network": name, "old": a, "new": b} for name, (a, b) in COUNTS.items()],
        caption="Each of these five more than doubles. Errors of the old first five, in "
        f"{OLD:,} old and {NEW:,} new images.",
    )


@cache
def numbers() -> list[str]:
    """Return the phrases whose numbers are computed."""
    models, (_, rank) = cifar().models, on_new_images()
    last = models[0].last
    stay = sum(m.first <= rank[m.name] <= m.last for m in models)
    errors, again = COUNTS["shake_shake_26_2x64d_SSI_cutout16"]
    ends = bounds.interval("CP", errors=errors, n=OLD)
    says = outward(100 * ends.low, 100 * ends.high, ".1f")
    p = compare.mcnemar(*APART).pvalue
    return [
        f"CIFAR-10's {OLD:,} test images",
        f"gets {errors} of them wrong, {errors / OLD:.1%}. The fifth gets "
        f"{COUNTS['shake_drop'][0]}",
        f"{NEW:,} images are collected",
        f"wrong on {again} of the {NEW:,} new images, {again / NEW:.1%}",
        f"interval had been {says}%",
        f"{COUNTS['shake_drop'][1]} errors",
        f"and {stay} of {len(models)} are on their bars",
        f"alone is wrong on {APART[0]}, the other alone on {APART[1]} (exact McNemar test, p = "
        f"{p:.2f})",
        f"any rank from 1 to {last}",
        f"{errors} errors on the {OLD:,} test images, {errors / OLD:.1%} (95% interval {says}%",
        f"among the best {WORDS[last]}",
    ]


GIVEN = [
    "thirty",
    "together at 95%",
]
