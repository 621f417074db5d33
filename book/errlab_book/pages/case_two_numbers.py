"""One score, two honest numbers: the page's pictures, guess and numbers."""

from functools import cache
from typing import Any

from errlab import compare, metrics
from errlab.style import styled
from errlab_book import guesses, labs, outward, show, tables
from errlab_book.plots.cases import draw_rows
from errlab_book.plots.paper import SOFT, headline, paper, write

GUESSES = guesses.load(__file__)

# Defendants rated medium or high risk: charged again, not charged again; then those rated low:
# charged again, not charged again.
COUNTS = {"black": (1_369, 805, 532, 990), "white": (505, 349, 461, 1_139)}
TABLE = {who: metrics.Confusion(*counts) for who, counts in COUNTS.items()}


def false_alarms() -> Any:
    """Guess the false alarm rates."""
    return GUESSES["false_alarms"]


def both() -> Any:
    """Draw the two rates of both groups."""
    rates = {
        key: [100 * metrics.rate_interval(TABLE[who], key).value for who in ("white", "black")]
        for key in ("PPV", "FPR")
    }
    (right_w, right_b), (false_w, false_b) = rates.values()
    rows = {
        "Of those called, charged again": (right_w, right_b, right_w, right_b),
        "Of those not charged, called": (false_w, false_b, false_w, false_b),
    }

    @styled
    def draw() -> Any:
        ax = paper(350, 165)
        draw_rows(ax, rows, [*rows][1], (0, 80))
        for y, (w, b) in enumerate(rates.values()):
            write(ax, f"white {w:.1f}%", (w, y), (-9, -1), ha="right", alpha=SOFT)
            write(ax, f"black {b:.1f}%", (b, y), (9, -1), alpha=SOFT)
        ax.set_xticks([0, 20, 40, 60, 80], ["0", "20", "40", "60", "80%"])
        headline(
            ax,
            f"False alarms {false_b - false_w:.0f} points apart, precision {right_b - right_w:.0f}",
            "the same score, two rates of both groups",
        )
        return ax

    return show(
        draw(),
        "Upper row: precision. Lower row: false alarm rate. Called: medium or high risk.",
        alt=f"Two rows. In the upper one the marks stand close, white at {right_w:.1f}% and black "
        f"at {right_b:.1f}%. In the lower one they are far apart, at {false_w:.1f} and "
        f"{false_b:.1f}%.",
    )


def white() -> Any:
    """Start the lab with the white defendants."""
    t = TABLE["white"]
    return labs.Confusion(tp=t.tp, fp=t.fp, fn=t.fn, tn=t.tn)


def counts() -> Any:
    """Show the eight counts."""
    return tables.table(
        [
            {
                "defendants": who,
                "called, charged again": t.tp,
                "called, not charged": t.fp,
                "not called, charged again": t.fn,
                "not called, not charged": t.tn,
            }
            for who, t in TABLE.items()
        ],
        caption="Two years after the score: called is medium or high risk.",
    )


@cache
def numbers() -> list[str]:
    """Return the phrases whose numbers are computed."""
    precision, alarms, again = (
        {who: metrics.rate_interval(t, key) for who, t in TABLE.items()}
        for key in ("PPV", "FPR", "PRE")
    )

    def points(rates: Any) -> str:
        """Give the interval of black minus white in points, two independent groups."""
        ends = [part for who in ("black", "white") for part in (rates[who].hits, rates[who].among)]
        test: Any = compare.two_proportions(*ends)
        low, high = test.interval
        return outward(100 * low, 100 * high, "+.1f")

    odds = {who: rate.value / (1 - rate.value) for who, rate in again.items()}
    ratio = odds["black"] / odds["white"]
    b, w = "black", "white"
    # the white defendants with the black defendants' base rate, and the change that keeps precision
    white = TABLE[w]
    detected, missed = round(ratio * white.tp), round(ratio * white.fn)
    alarmed = round(detected * (1 / precision[w].value - 1))
    quiet = white.fp + white.tn - alarmed
    rounded = {
        who: [f"{r.value:.1%} ({outward(r.low, r.high)})" for r in (precision[who], alarms[who])]
        for who in TABLE
    }
    return [
        f"{TABLE[b].n:,} black and {TABLE[w].n:,} white defendants",
        f"{precision[b].value:.1%} of the black and {precision[w].value:.1%} of the white were",
        f"It was {alarms[b].value:.1%}, against {alarms[w].value:.1%}",
        f"differ by {points(alarms)} points",
        f"precision differs by {points(precision)} (95% intervals)",
        f"{again[b].value:.0%} of the black defendants were charged again and "
        f"{again[w].value:.0%} of the white",
        f"from {alarms[w].value:.1%} to {alarms[w].value * ratio:.0%}",
        f"Type {detected} and {missed} for those who were charged again, {ratio:.2f} times as many",
        f"back to {precision[w].value:.1%}, raise FP to {alarmed} and lower TN by as much, "
        f"to {quiet}",
        f"alarm rate of {alarmed / (alarmed + quiet):.0%}",
        f"{rounded[b][0]} of the black and {rounded[w][0]} of the white were charged again within",
        f"charged again {rounded[b][1]} and {rounded[w][1]} had been called so",
        f"base rates are {again[b].value:.1%} and {again[w].value:.1%}",
        f"{alarms[w].value:.1%} had been called medium or high risk",
        f"about {5 * round(20 * alarms[b].value)}%",
    ]


GIVEN = [
    "(95% intervals, exact)",
    "over 40% too many",
    "The 40% and",
    *("about 15%", "about 25%"),  # from the choices of the guess
]
