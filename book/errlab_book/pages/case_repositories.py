"""500 tasks from twelve projects: the page's pictures, guess and numbers."""

from functools import cache
from typing import Any

import numpy as np
from IPython.display import display

import errlab
from errlab.style import styled
from errlab_book import guesses, labs, outward, show, tables
from errlab_book.plots import paper
from errlab_book.plots.cases import draw_rows

GUESSES = guesses.load(__file__)

# project: tasks, and how many of them the model fails
COUNTS = {
    "django": (231, 49),
    "sympy": (75, 21),
    "sphinx": (44, 12),
    "matplotlib": (34, 9),
    "scikit-learn": (32, 4),
    "astropy": (22, 11),
    "xarray": (22, 4),
    "pytest": (19, 4),
    "pylint": (10, 9),
    "requests": (8, 4),
    "seaborn": (2, 1),
    "flask": (1, 0),
}
TASKS, FAILED = (np.array(column) for column in zip(*COUNTS.values(), strict=True))
N, ERRORS = int(TASKS.sum()), int(FAILED.sum())


def claim() -> Any:
    """Guess, then see the lab, which treats the tasks as independent."""
    display(GUESSES["worth"])
    return labs.Claim(errors=ERRORS, cases=N)


def intervals() -> Any:
    """Draw four intervals for the same count of failures."""
    g = grouped()
    rows = [
        ("500 independent tasks", errlab.report(errors=ERRORS, n=N), ERRORS / N),
        ("twelve projects, approximate", grouped("t"), ERRORS / N),
        ("twelve projects, proven", g, ERRORS / N),
    ]
    ends = {name: (100 * r.low, 100 * r.high, 100 * at) for name, r, at in rows}
    claim = g.group_claim
    ends["the average project, proven"] = (100 * claim[1], 100 * claim[2], 100 * g.group_mean)
    labels = {name: f"{name}: {outward(*row[:2], '.0f')}%" for name, row in ends.items()}

    @styled
    def draw() -> Any:
        ax = paper.paper(350, 230)
        accent = labels["twelve projects, proven"]
        draw_rows(ax, {labels[name]: row for name, row in ends.items()}, accent, (0, 100))
        ax.set_xticks([0, 25, 50, 75, 100], ["0", "25", "50", "75", "100%"])
        paper.headline(
            ax,
            "For tasks of other projects almost nothing is proven",
            "tasks that the model fails, 95% intervals",
        )
        return ax.figure

    return show(
        draw(),
        f"Four readings of {ERRORS} failures in {N} tasks. Marks: what was observed.",
        alt="Four intervals, one below the other: "
        + "; ".join(words.replace(":", "") for words in labels.values())
        + ".",
    )


def counts() -> Any:
    """Show the tasks and failures of each project."""
    return tables.table(
        [
            {"project": name, "tasks": t, "failed": f, "fails": f / t}
            for name, (t, f) in COUNTS.items()
        ],
        caption="Some projects are much harder than others.",
        formats={"fails": ".0%"},
    )


@cache
def grouped(method: str = "default") -> Any:
    """Return errlab's report on the tasks, by project."""
    project = np.repeat(list(COUNTS), TASKS)
    wrong = np.concatenate([np.arange(t) < f for t, f in COUNTS.values()])
    chosen: dict[str, Any] = {} if method == "default" else {"method": method}
    return errlab.report(np.zeros(N), wrong, groups=project, **chosen)


@cache
def effects() -> dict[str, float]:
    """Return the design effect by four estimators of the variance of the rate."""
    part = TASKS / N
    squares = (FAILED - ERRORS / N * TASKS) ** 2
    # sums of the projects' squares; errlab uses CR2
    sums = {
        "sandwich": squares.sum(),
        "with G / (G - 1)": squares.sum() * len(TASKS) / (len(TASKS) - 1),
        "CR2": (squares / (1 - part)).sum(),
        "CR3": (squares / (1 - part) ** 2).sum(),
    }
    independent = ERRORS * (N - ERRORS) / (N - 1)  # the same sum for independent tasks
    return {name: value / independent for name, value in sums.items()}


@cache
def numbers() -> list[str]:
    """Return the phrases whose numbers are computed."""
    rows, g, t = errlab.report(errors=ERRORS, n=N), grouped(), grouped("t")
    assert np.isclose(effects()["CR2"], g.design_effect)
    smallest, largest = min(effects().values()), max(effects().values())
    project = list(COUNTS).index
    hard, easy = project("pylint"), project("scikit-learn")
    worth = N / g.design_effect
    return [
        f"{N} tasks from twelve projects",
        f"fails on {ERRORS} of {N} programming tasks, {ERRORS / N:.1%}",
        f"{TASKS[0]} are from a single one",
        f"its interval is {outward(rows.low, rows.high)}",
        f"{FAILED[hard]} of {TASKS[hard]} tasks of pylint",
        f"{FAILED[easy]} of {TASKS[easy]} of scikit-learn",
        f"design effect is {g.design_effect:.1f}, so the {N} count as {worth:.0f}",
        f"from {smallest:.1f} to {largest:.1f}",
        f"the {N} worth {N / largest:.0f} to {N / smallest:.0f} tasks",
        f"Type {ERRORS / g.design_effect:.0f} errors in {worth:.0f} into the lab",
        f"weigh as much as {g.effective_groups:.1f} of equal size",
        f"by project, {outward(t.low, t.high)}",
        f"in at least {t.evidence.percent} (",
        f"about its tasks: {outward(g.low, g.high)}",
        f"fails on {outward(g.group_claim[1], g.group_claim[2], '.0%')}",
        f"{ERRORS} of {N} tasks of twelve projects, {ERRORS / N:.1%}",
        f"95% interval for tasks of other projects is {outward(g.low, g.high)}",
        f"they weigh as much as {g.effective_groups:.1f} of equal size, and the proven",
        f"the twelve failure rates is {g.group_mean:.1%} (95% interval "
        f"{outward(*g.group_claim[1:])})",
        f"are the {N} worth",
    ]


GIVEN = [
    "twelve software projects",
    "rests on twelve projects",
    "about these twelve projects",
    "the thirteenth",
    "372 against 371",
    "10 December 2025",
    "Claude 4.5 Opus",
    "(20251101)",
    *("500", "12"),  # from the choices of the guess
]
