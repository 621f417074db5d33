"""Sixteen models, and problems with dates: what the case shows, asks and states."""

from functools import cache
from typing import Any

import numpy as np
from IPython.display import display

from errlab import bounds
from errlab.book import guesses, labs, outward, tables
from errlab.datasets import load_board

GUESSES = guesses.load(__file__)

# model: per cent solved of problems before September 2023, and since
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
    """Guess, then see which ranks the older problems leave."""
    display(GUESSES["later"])
    return labs.Ranks(board="livecodebench", test_set="early")


def counts() -> Any:
    """Show what eight models solve of older and of later problems."""
    old, new, change = "before September 2023, %", "since then, %", "change, points"
    return tables.table(
        [{"model": name, old: a, new: b, change: b - a} for name, (a, b) in COUNTS.items()],
        caption="Per cent solved; eight of the sixteen models. DS and DSCoder: one family.",
        formats={old: ".1f", new: ".1f", change: "+.1f"},
    )


@cache
def numbers() -> list[str]:
    """Write the phrases whose numbers are computed."""
    live = load_board("livecodebench")
    late = live.published["generation"] >= np.datetime64("2023-09-01")
    solved = 1 - live.table("generation")[LEADER]
    before, after = (bounds.interval("BET", losses=solved[part]) for part in (~late, late))
    earlier, later = (outward(100 * i.low, 100 * i.high, ".0f") for i in (before, after))
    old, new = COUNTS[LEADER]
    assert (old, new) == tuple(round(100 * solved[part].mean(), 1) for part in (~late, late))
    return [
        f"{PROBLEMS[0]} programming problems",
        f"solves {old}% and leads",
        f"on {PROBLEMS[1]} later ones",
        f"It solves {new}% of the later problems",
        f"are {earlier}% and {later}%",
        f"solves {new}% of {PROBLEMS[1]} problems published since September 2023 (95% interval "
        f"{later}%)",
    ]


GIVEN = [
    "sixteen language models, ten programs",
    "33 billion weights",
    "GPT-4",
    "before September 2023",
    "by five points each",
    "DSCoder-33b-Ins",
    "Sixteen models, and problems",
    "All sixteen models",
    "CC BY-SA 4.0",
    "pass@1",
]
