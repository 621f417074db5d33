"""Sixteen models, and problems with dates: the page's pictures, guess and numbers."""

from functools import cache
from typing import Any

import numpy as np
from IPython.display import display

from errlab import bounds
from errlab.datasets import load_board
from errlab.style import styled
from errlab_book import guesses, labs, outward, show, tables
from errlab_book.chapters import ORDINALS
from errlab_book.plots.cases import draw_slopes
from errlab_book.plots.paper import ACCENT, SOFT, headline, paper, write

GUESSES = guesses.load(__file__)

# model: percentage solved of the problems before September 2023, and of later ones
COUNTS = {
    "DSCoder-33b-Ins": (42.0, 25.4),
    "GPT-4-Turbo-1106": (41.5, 41.7),
    "GPT-4-0613": (35.4, 37.8),
    "MagiCoderS-DS-6.7B": (26.3, 20.8),
    "DSCoder-6.7b-Ins": (25.3, 20.4),
    "Claude-2": (22.2, 26.1),
    "GPT-3.5-Turbo-0301": (20.9, 24.3),
    "DSCoder-1.3b-Ins": (11.2, 11.1),
}
PROBLEMS = (161, 187)
LEADER = "DSCoder-33b-Ins"


def ranks() -> Any:
    """Guess, then see which ranks are possible after the older problems."""
    display(GUESSES["later"])
    return labs.Ranks(board="livecodebench", test_set="early")


def fall() -> Any:
    """Draw the fractions of older and later problems that eight models solve, and two intervals."""
    ends = [(100 * i.low, 100 * i.high) for i in leader()]
    old, new = COUNTS[LEADER]
    best = max(COUNTS, key=lambda name: COUNTS[name][1])
    falls = [name for name, (a, b) in COUNTS.items() if b < a - 2]

    @styled
    def draw() -> Any:
        ax = paper(350, 280)
        draw_slopes(ax, COUNTS, LEADER, [*falls, best])
        for x, interval in enumerate(ends):
            ax.plot([x, x], interval, color=ACCENT, lw=8, alpha=0.3, solid_capstyle="butt")
        write(ax, f"{LEADER},\n{old:.0f}, then {new:.0f}%", (1, new), (10, 0), weight="bold")
        other = [COUNTS[name][1] for name in falls if name != LEADER]
        write(ax, "its family", (1, np.mean(other)), (10, -6), alpha=SOFT)
        write(ax, best, (1, COUNTS[best][1]), (10, 0), alpha=SOFT)
        ax.set(xlim=(-0.15, 1.9), ylim=(0, None))
        ax.set_xticks([0, 1], ["older", "later problems"])
        ax.set_yticks([0, 20, 40], ["0", "20", "40%"])
        headline(
            ax,
            f"The leader falls by {old - new:.0f} points, beyond its interval",
            "problems that eight models solve; bars: the leader's 95% intervals",
        )
        return ax

    return show(
        draw(),
        f"{PROBLEMS[0]} problems from before September 2023, {PROBLEMS[1]} later ones.",
        alt=f"Eight lines. Most rise a little or stay; that of {LEADER} falls from the top to the "
        "middle, and the two bars at its ends don't meet.",
    )


def counts() -> Any:
    """Show the fractions of older and of later problems that eight models solve."""
    old, new, change = "before September 2023, %", "since then, %", "change, points"
    return tables.table(
        [{"model": name, old: a, new: b, change: b - a} for name, (a, b) in COUNTS.items()],
        caption="Per cent solved; eight of the sixteen models. DS and DSCoder: one family.",
        formats={old: ".1f", new: ".1f", change: "+.1f"},
    )


@cache
def leader() -> tuple[Any, Any]:
    """Return intervals of the fractions of older and of later problems that the leader solves."""
    live = load_board("livecodebench")
    late = live.published["generation"] >= np.datetime64("2023-09-01")
    solved = 1 - live.table("generation")[LEADER]
    halves = solved[~late], solved[late]
    assert COUNTS[LEADER] == tuple(round(100 * part.mean(), 1) for part in halves)
    before, after = (bounds.interval("BET", losses=part) for part in halves)
    return before, after


@cache
def numbers() -> list[str]:
    """Return the phrases whose numbers are computed."""
    earlier, later = (outward(100 * i.low, 100 * i.high, ".0f") for i in leader())
    old, new = COUNTS[LEADER]
    board = labs.Ranks(board="livecodebench", test_set="early", beside="late")
    models, place = board.found.models, board.other_ranks
    stay = sum(m.first <= place[m.name] <= m.last for m in models)
    first = models[0]
    return [
        f"{PROBLEMS[0]} programming problems",
        f"solves {old}% and leads",
        f"on {PROBLEMS[1]} later problems",
        f"It solves {new}% of the later problems",
        f"are {earlier}% and {later}%",
        f"comes {ORDINALS[place[first.name]]}, outside its "
        f"bar of {first.first} to {first.last}, whereas {stay} of {len(models)} ranks",
        f"solves {new}% of {PROBLEMS[1]} problems published since September 2023 (95% interval "
        f"{later}%)",
    ]


GIVEN = [
    "sixteen language models, ten programs",
    "33 billion weights",
    "Sixteen models, and problems",
    "All sixteen models",
    "CC BY-SA 4.0",
    "pass@1",
]
