"""Test images that were also in the training set: the page's pictures, guess and numbers."""

from functools import cache
from typing import Any

from IPython.display import display

import errlab
from errlab.style import styled
from errlab_book import guesses, labs, outward, show, tables
from errlab_book.chapters import WORDS
from errlab_book.plots import paper
from errlab_book.plots.cases import draw_rows

GUESSES = guesses.load(__file__)

N = 10_000  # test images of CIFAR-100
COPIES = 891  # images with a near copy in the training set
LISTED = 959  # images with a near copy in the training or test set
# network: errors as published, errors after the copies were replaced
COUNTS = {
    "PyramidNet-272-200": (1_705, 1_938),
    "ResNeXt-29": (1_838, 2_084),
    "DenseNet-BC": (1_862, 2_102),
    "WRN-28-10": (1_895, 2_148),
    "ResNet-110": (2_605, 2_925),
    "Plain-11": (2_782, 3_134),
}
BEFORE, AFTER = COUNTS["WRN-28-10"]


def claim() -> Any:
    """Guess, then see the claim that the published count alone supports."""
    display(GUESSES["replaced"])
    return labs.Claim(errors=BEFORE, cases=N)


def without() -> Any:
    """Draw the error without copies next to the interval from the test set with copies."""
    report = errlab.report(errors=BEFORE, n=N)
    low, high, now = 100 * report.low, 100 * report.high, 100 * AFTER / N
    rows = {
        f"with {COPIES} copies: {outward(low, high, '.1f')}%": (low, high, 100 * BEFORE / N),
        f"copies replaced: {now:.1f}%": (now, now, now),
    }

    @styled
    def draw() -> Any:
        ax = paper.paper(350, 160)
        draw_rows(ax, rows, [*rows][1], (16.4, 22.2))
        ax.lines[-1].set(color=paper.ACCENT, ms=9)  # a single number, so it has no interval
        ax.axvline(high, color=paper.INK, alpha=paper.FAINT, lw=1, ls="--")
        ax.set_xticks([18, 20, 22], ["18", "20", "22%"])
        paper.headline(
            ax,
            f"On new images {now - 100 * BEFORE / N:.1f} points more, beyond the interval",
            "error of WRN-28-10",
        )
        return ax

    return show(
        draw(),
        f"Bar: the 95% interval of the published error on {N:,} images, {BEFORE / N:.2%}. Square: "
        "the error once the copies are replaced.",
        alt=f"A bar, {outward(low, high, '.1f')}%, and a square to the right of its end, at "
        f"{now:.1f}%.",
    )


def counts() -> Any:
    """Show the errors of each network, before and after."""
    return tables.table(
        [{"network": k, "as published": a, "copies replaced": b} for k, (a, b) in COUNTS.items()],
        caption=f"Every network loses two to four points. Errors in {N:,} images.",
    )


@cache
def numbers() -> list[str]:
    """Return the phrases whose numbers are computed."""
    report = errlab.report(errors=BEFORE, n=N)
    more = AFTER - BEFORE
    # the images that remain may include all of the errors
    stayed = BEFORE / (N - LISTED)
    return [
        f"{COPIES} test images that were also",
        f"gets {BEFORE:,} of CIFAR-100's {N:,} test images wrong",
        f"{COPIES} of them have a near copy",
        f"It is {AFTER / N:.2%}, or {AFTER:,} errors",
        f"ends at {outward(report.high)}",
        f"the {more} additional errors",
        f"replaced, {LISTED} at most",
        f"at least {more / LISTED:.0%} of the new ones",
        f"more than {outward(stayed)}",
        f"of the {100 * more / N:.1f} points is due to the copies",
        f"the error at most {WORDS[round(100 * (stayed - BEFORE / N))]} points too small",
        f"gets {BEFORE:,} of the {N:,} test images of CIFAR-100 wrong, {BEFORE / N:.2%} (95% "
        f"interval {outward(report.low, report.high)})",
        f"{COPIES} of these images",
        f"replaced it is {AFTER / N:.2%}",
        f"error was {BEFORE / N:.2%}",
        f"at most {outward(report.high)}",
        f"about {AFTER / N:.1%}",
        f"about {(BEFORE + LISTED) / N:.0%}",
    ]


GIVEN = [
    "WRN-28-10",
    "891 rows",
    "name 959 test images",
]
