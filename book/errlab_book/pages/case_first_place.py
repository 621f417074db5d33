"""372 against 371: the page's pictures, guess and numbers."""

from functools import cache
from statistics import NormalDist
from typing import Any

from IPython.display import display

from errlab import compare
from errlab_book import guesses, labs, outward, tables

GUESSES = guesses.load(__file__)

TASKS, MODELS = 500, 31
FIRST = ("Claude 4.5 Opus (medium)", 372)
# the next three: tasks solved, tasks that only the first fails, tasks that only this one fails
COUNTS = {
    "Gemini 3 Pro Preview": (371, 28, 29),
    "Claude 4.5 Sonnet": (353, 23, 42),
    "Claude 4 Opus": (338, 20, 54),
}
# release of the agent that ran each
RELEASES = {FIRST[0]: "1.16.0"} | dict(zip(COUNTS, ("1.15.0", "1.13.3", "1.0.0"), strict=True))
SECOND = "Gemini 3 Pro Preview"
SOLVED, ONLY_FIRST, ONLY_SECOND = COUNTS[SECOND]


def pair() -> Any:
    """Guess, then start from two models that share as many failures as possible."""
    display(GUESSES["apart"])
    gap = FIRST[1] - SOLVED
    return labs.Pair(both=TASKS - FIRST[1], only_a=0, only_b=gap, neither=SOLVED)


def counts() -> Any:
    """Compare each of the next three with the first."""
    return tables.table(
        [
            {
                "model": name,
                "agent": RELEASES[name],
                "solved": right,
                "only the first fails": first,
                "only this one fails": this,
                "p": compare.mcnemar(first, this).pvalue,
            }
            for name, (right, first, this) in COUNTS.items()
        ],
        caption=f"Against the first, {FIRST[0]}, agent {RELEASES[FIRST[0]]}, which solves "
        f"{FIRST[1]}: exact McNemar tests.",
        formats={"p": ".4f"},
    )


@cache
def numbers() -> list[str]:
    """Return the phrases whose numbers are computed."""
    both, apart = TASKS - FIRST[1] - ONLY_FIRST, ONLY_FIRST + ONLY_SECOND
    table = [[both, ONLY_FIRST], [ONLY_SECOND, SOLVED - ONLY_FIRST]]
    interval: Any = compare.paired_difference(table, method="exact").interval
    low, high = interval
    p = compare.mcnemar(ONLY_FIRST, ONLY_SECOND).pvalue
    z, gap = NormalDist().inv_cdf, (FIRST[1] - SOLVED) / TASKS
    # normal approximation of McNemar's test, power 80%
    needed = apart / TASKS * ((z(0.975) + z(0.8)) / gap) ** 2
    enough = 5_000 * round(needed / 5_000)
    return [
        f"{FIRST[1]} against {SOLVED}",
        f"{TASKS} programming tasks, {MODELS} language models",
        f"solves {FIRST[1]} of them, the second {SOLVED}",
        f"only the first fails on {ONLY_FIRST} tasks, only the second on {ONLY_SECOND}",
        f"Type {ONLY_FIRST} and {ONLY_SECOND}, with",
        f"{both} where both fail and {SOLVED - ONLY_FIRST} where neither does",
        f"one task in {TASKS}, you would need about {enough:,.0f} tasks for a power of 80%",
        f"{FIRST[1] - COUNTS['Claude 4.5 Sonnet'][0]} tasks behind",
        f"the {MODELS} runs",
        f"the first two {RELEASES[FIRST[0]]} and {RELEASES[SECOND]}, the fourth "
        f"{RELEASES['Claude 4 Opus']}",
        f"{FIRST[0]} solves {FIRST[1]} of {TASKS} tasks and {SECOND} {SOLVED}",
        f"On {apart} tasks exactly one of them fails",
        f"(exact McNemar test, p = {p:.0f}; 95% interval of the difference "
        f"{outward(100 * low, 100 * high, '+.1f')} points)",
        f"{apart}",
        f"{ONLY_FIRST} against {ONLY_SECOND}, so",
        f"Are {TASKS} tasks",
        f"25 of the {MODELS} models",
    ]


GIVEN = [
    *("1", "15"),  # from the choices of the guess
]
