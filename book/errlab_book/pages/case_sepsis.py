"""An alarm that runs in hundreds of hospitals: the page's pictures, guess and numbers."""

from functools import cache
from typing import Any

from IPython.display import display

from errlab import metrics
from errlab_book import guesses, labs, outward

GUESSES = guesses.load(__file__)

COUNTS = {"stays": 38_455, "patients": 27_697, "sepsis": 2_552, "missed": 1_709, "alarms": 6_971}


def table(caught: int) -> metrics.Confusion:
    """Return the four counts of an alarm that rings as often as this one and finds this many."""
    n, sepsis, alarms = (COUNTS[key] for key in ("stays", "sepsis", "alarms"))
    missed = sepsis - caught
    return metrics.Confusion(tp=caught, fp=alarms - caught, fn=missed, tn=n - alarms - missed)


FOUND = table(COUNTS["sepsis"] - COUNTS["missed"])
# the lab starts with an alarm that rings as often, but at random, so it doesn't give the answer
# away
BLIND = table(round(COUNTS["sepsis"] * COUNTS["alarms"] / COUNTS["stays"]))


def alarm() -> Any:
    """Guess, then start from an alarm that rings as often, but at random."""
    display(GUESSES["caught"])
    return labs.Confusion(tp=BLIND.tp, fp=BLIND.fp, fn=BLIND.fn, tn=BLIND.tn)


@cache
def numbers() -> list[str]:
    """Return the phrases whose numbers are computed."""
    stays, patients, sepsis, missed, alarms = (f"{count:,}" for count in COUNTS.values())
    recall, precision = (metrics.rate_interval(FOUND, key) for key in ("TPR", "PPV"))
    right = 1 - metrics.rate_interval(FOUND, "ERR").value
    silent = 1 - COUNTS["sepsis"] / COUNTS["stays"]
    blind = metrics.rate_interval(BLIND, "TPR").value
    return [
        f"of {stays} hospital stays, {sepsis} were with sepsis, and the alarm rang in {alarms}.",
        f"How many of the {sepsis} did it catch?",
        f"It caught {FOUND.tp} and missed {missed}",
        f"found {recall.value:.1%} of the stays with sepsis",
        f"{precision.value:.1%} of its alarms were right",
        f"would catch {BLIND.tp}, which is {blind:.0%}",
        f"Type {FOUND.tp} and {FOUND.fp} where it rang, {FOUND.fn} and {FOUND.tn} where it didn't",
        f"right in {right:.1%} of the stays",
        f"is right in {silent:.1%}",
        f"In {stays} stays at our hospital",
        f"sensitivity was {recall.value:.1%} (95% interval {outward(recall.low, recall.high)})",
        f"precision {precision.value:.1%} ({outward(precision.low, precision.high)})",
        f"of {patients} patients and",
        f"{patients} patients with {stays} hospitalizations, sepsis in {sepsis}, {missed} not",
        f"or higher in {alarms}, area",
        f"{alarms} alarms, {sepsis} stays with sepsis",
    ]


GIVEN = [
    "0.63 in print",
    "63 of 100 pairs",
    "a score of 6 or",
    "area 0.63",
    "the 67% that",
    "the 18% with",
]
