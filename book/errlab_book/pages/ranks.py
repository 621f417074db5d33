"""Which ranks are real? The page's pictures, guesses and numbers."""

from functools import cache
from typing import Any

import numpy as np

import errlab
from errlab import bounds
from errlab.datasets import load_board
from errlab.style import styled
from errlab_book import guesses, labs, outward, show, studies, tables
from errlab_book.chapters import WORDS
from errlab_book.plots import paper
from errlab_book.plots.cases import draw_slopes

GUESSES = guesses.load(__file__)

SINCE = "2023-09-01"  # the date that separates older from later problems
FALLEN = "DSCoder-33b-Ins"
DRAWS = (200, 1_000, 5_000)  # numbers of images drawn from the 10,000
BOARDS = {"test": "CIFAR-10", "validation": "ImageNet", "generation": "code"}
BOARDS |= {"execution": "outputs"}


# Pictures, in the order of the page


def board() -> Any:
    """Start the lab with thirty networks on the images of CIFAR-10."""
    return labs.Ranks()


def told_apart() -> Any:
    """Guess how many pairs fewer images can tell apart."""
    return GUESSES["told_apart"]


def table_of_draws() -> Any:
    """Show how many pairs are told apart, by the number of images."""
    pairs = len(cifar().pairs)
    rows = [(f"{n:,}", f"{told(n):.0f} of {pairs}") for n in DRAWS]
    return tables.table(
        [*rows, ("10,000", f"{len(cifar().different)} of {pairs}")],
        columns=["images", "pairs that are told apart"],
        caption="Only more images tell more networks apart. Median of ten random draws.",
    )


def new_images() -> Any:
    """Guess what new images change."""
    return GUESSES["new_images"]


def moved() -> Any:
    """Draw the possible ranks after the old board, and the rank on new images."""
    comparison, rank = cifar(), on_new_images()[1]
    first, last = np.array([[m.first, m.last] for m in comparison.models]).T
    place = np.array([rank[m.name] for m in comparison.models])
    rows = np.arange(1, len(place) + 1)
    inside = (first <= place) & (place <= last)

    @styled
    def draw() -> Any:
        ax = paper.paper(350, 380)
        # a rank that is certain is a bar of length 0, which must still be visible
        ax.hlines(rows, first - 0.3, last + 0.3, color=paper.INK, lw=5, alpha=0.2)
        ax.plot(place[inside], rows[inside], "o", color=paper.INK, ms=4)
        ax.plot(place[~inside], rows[~inside], "s", color=paper.ACCENT, ms=8)
        for row in rows[~inside]:
            words = f"rank {place[row - 1]}\ninstead of {first[row - 1]} to {last[row - 1]}"
            right = place[row - 1] < 20
            look: dict[str, Any] = {"ha": "left" if right else "right", "weight": "bold"}
            paper.write(ax, words, (place[row - 1], row), (10 if right else -10, 4), **look)
        ax.set(xlim=(0, 31), ylim=(30.8, 0.2), yticks=[])
        ax.set_xticks([1, 10, 20, 30], ["1st", "10th", "20th", "rank 30"])
        paper.write(ax, "the old leader,\nand the new one", (last[0] + 0.5, 1.6), (8, -2))
        paper.headline(
            ax,
            f"{inside.sum()} of {len(rows)} networks keep a rank that the old board leaves them",
            "bars: ranks left by the old board, first to last; marks: rank on new images",
        )
        return ax.figure

    return show(
        draw(),
        f"Rows: networks, in the order of the old board. {next(iter(new().values())).size:,} new "
        "images; the ranks left are shown at 95%, all together.",
        alt="Bars from the upper left to the lower right. "
        f"{inside.sum()} of {len(rows)} marks lie on their bars.",
    )


def programs() -> Any:
    """Start the lab with language models on programs of LiveCodeBench."""
    return labs.Ranks(board="livecodebench", test_set="execution")


def before_after() -> Any:
    """Draw the fractions of older and of later problems that each model solves."""
    rates = solved()
    names = [m for m, (a, b) in rates.items() if a - b > 0.02]
    best_gpt4 = max((m for m in rates if m.startswith("GPT-4")), key=lambda m: rates[m][0])

    @styled
    def draw() -> Any:
        ax = paper.paper(350, 300)
        ends = {model: (100 * before, 100 * after) for model, (before, after) in rates.items()}
        draw_slopes(ax, ends, FALLEN, [*names, best_gpt4])
        first, last = ends[FALLEN]
        paper.write(ax, f"{FALLEN},\nfrom {first:.0f} to {last:.0f}%", (1, last), (9, -1),
                    weight="bold")  # fmt: skip
        paper.write(ax, best_gpt4, (1, 100 * rates[best_gpt4][1]), (9, 0), alpha=paper.SOFT)
        family = [100 * rates[m][1] for m in names if m != FALLEN]
        paper.write(ax, "two smaller ones\nof its family", (1, np.mean(family)), (9, -9),
                    alpha=paper.SOFT)  # fmt: skip
        ax.set(xlim=(-0.1, 1.85), ylim=(0, None))
        ax.set_xticks([0, 1], ["older", "later problems"])
        ax.set_yticks([0, 20, 40], ["0", "20", "40%"])
        paper.headline(
            ax, f"One model falls by {first - last:.0f} points, and it was the first",
            f"problems that {len(rates)} models solve, before and after September 2023",
        )  # fmt: skip
        return ax.figure

    old, late = (int(part.sum()) for part in halves())
    return show(
        draw(),
        f"{old} older problems and {late} later ones, ten programs from each model for each.",
        alt=f"{len(rates)} lines from left to right. Most rise a little; that of {FALLEN} falls "
        "from the top to fourth place.",
    )


def kept() -> Any:
    """Show how often errlab's claims from a part of a board are true for the whole."""
    rows = [
        (f"{s['n']:,} of {BOARDS[s['test_set']]}", *(f"{value:.1%}" for value in row.values()))
        for s, row in study()
    ]
    return tables.table(
        rows,
        columns=[
            "drawn",
            "one rate",
            "a pair",
            "all verdicts",
            "all ranks",
            "± 1.96 s.e.",
        ],
        caption="Only the last column falls short. Coverage, where 95% is the aim.",
    )


# Data


@cache
def old() -> Any:
    """Return each network's errors on the old images."""
    return load_board("cifar10").table("test")


@cache
def new() -> Any:
    """Return each network's errors on the new images."""
    return load_board("cifar10").table("new_v4")


@cache
def cifar() -> Any:
    """Compare the thirty networks on the old images."""
    return errlab.models(scores=old(), higher_is_better=False)


@cache
def told(n: int) -> float:
    """Return the median number of pairs that n images tell apart, over ten draws."""
    draws = [np.random.default_rng(seed).choice(10_000, n, replace=False) for seed in range(10)]
    comparisons = [
        errlab.models(scores={m: row[i] for m, row in old().items()}, higher_is_better=False)
        for i in draws
    ]
    return float(np.median([len(f.different) for f in comparisons]))


@cache
def on_new_images() -> tuple[dict[str, float], dict[str, int]]:
    """Return the error and the rank of each network on the new images."""
    error = {m: row.mean() for m, row in new().items()}
    return error, {m: 1 + sum(o < rate for o in error.values()) for m, rate in error.items()}


def on_programs(*, by_problem: bool = True, **how: Any) -> Any:
    """Compare on programs, by problem or as single items."""
    live = load_board("livecodebench")
    groups = live.groups["execution"] if by_problem else None
    losses = live.table("execution")
    return errlab.models(scores=losses, range=(0, 1), higher_is_better=False, groups=groups, **how)


@cache
def proven_by_problem() -> tuple[int, int, float]:
    """Return how many pairs differ, proven by problem, and the best model's last rank and error."""
    comparison = on_programs()
    leader = comparison.models[0]
    return len(comparison.different), leader.last, leader.estimate


@cache
def halves() -> tuple[Any, Any]:
    """Return which problems are older, and which are later."""
    late = load_board("livecodebench").published["generation"] >= np.datetime64(SINCE)
    return ~late, late


@cache
def solved() -> dict[str, tuple[float, float]]:
    """Return the fractions of older and of later problems that each model solves."""
    a, b = halves()
    table = load_board("livecodebench").table("generation")
    return {m: (1 - row[a].mean(), 1 - row[b].mean()) for m, row in table.items()}


@cache
def study() -> list[tuple[Any, dict[str, float]]]:
    """Return the settings of the stored study, and the lowest coverage of each kind of claim."""
    every = studies.load("boards")["settings"]
    single, many = ([e for e in every if bool(e["setting"]["every"]) == b] for b in (0, 1))
    words = ("interval", "difference", "all verdicts", "all ranks", "normal")
    return [
        (
            one["setting"],
            {
                word: min(
                    value
                    for key, value in (one["summary"] | both["summary"]).items()
                    if key.endswith(word)
                )
                for word in words
            },
        )
        for one, both in zip(single, many, strict=True)
    ]


# Numbers


@cache
def numbers() -> list[str]:
    """Return the phrases whose numbers are computed."""
    comparison, (error, rank) = cifar(), on_new_images()
    best, count = comparison.models[0], len(comparison.models)
    firsts = sum(m.first == 1 for m in comparison.models)
    ratio = [error[m.name] / m.estimate for m in comparison.models]
    missed = sum(not m.low <= error[m.name] <= m.high for m in comparison.models)
    stay = sum(m.first <= rank[m.name] <= m.last for m in comparison.models)

    alone = on_programs(by_problem=False, method="t")
    groups_t = on_programs(method="t")
    different, last, error_of_leader = proven_by_problem()

    a, b = solved()[FALLEN]
    row = load_board("livecodebench").table("generation")[FALLEN]
    ends = [bounds.interval("BET", losses=1 - row[part]) for part in halves()]
    says = [outward(100 * e.low, 100 * e.high, ".0f") for e in ends]

    every = studies.load("boards")["settings"]
    single, many = ([e for e in every if bool(e["setting"]["every"]) == b] for b in (0, 1))
    sets, together = (min(e["repeats"] * e["setting"]["draws"] for e in s) for s in (single, many))
    open_ranks = np.array([m.last - m.first + 1 for m in comparison.models])
    wide = open_ranks[open_ranks > 1]
    return [
        f"Only {WORDS[(open_ranks == 1).sum()]} of the thirty has a certain rank. "
        "For each of the others, "
        f"between {wide.min()} and {wide.max()} ranks are possible; the median is "
        f"{np.median(wide):.0f}",
        f"{len(comparison.different)} of {len(comparison.pairs)} pairs of networks "
        "are shown to differ",
        f"may have any rank from 1 to {best.last}, and any of the first {firsts} may be",
        f"of the {len(comparison.pairs)} pairs",
        f"collected {next(iter(new().values())).size:,} new images",
        f"grows, {min(ratio):.1f} to {max(ratio):.1f} times",
        f"was {outward(100 * best.low, 100 * best.high, '.1f')}%, and its new error is "
        f"{error[best.name]:.1%}: {missed} of {count} intervals miss",
        f"But {stay} of {count} new ranks",
        f"as independent tells {len(alone.different)} of {len(alone.pairs)} pairs apart",
        f"by problem tells {len(groups_t.different)} apart",
        f"for any number of them, {different}.",
        f"rank 1 to {alone.models[0].last} by the first test, and 1 to {last} by the last",
        f"of its {1 - error_of_leader:.1%}",
        f"{a:.0%} of the older problems and {b:.0%} of the later ones (95% intervals {says[0]}% "
        f"and {says[1]}%)",
        f"{sets:,} draws in each row, or {together} if",
        f"standard error of {100 * np.sqrt(0.05 * 0.95 / sets):.1f} points",
        f"falls to {min(lowest['normal'] for _, lowest in study()):.0%}",
    ]


GIVEN = [
    "Thirty networks were tested on the same 10,000 images",
    "10 minutes",
    "all claims together at 95%",
    "some of the 10,000 images",
    "With 200 of the images",
    "37 of its 38 language models say what 479 programs return",
    "The programs belong to 92 problems",
    "model of 33 billion weights",
    "Of the fifteen others, two fall by five points",
    "Every interval above claims 95%",
    "is below 95% by more",
    "plus or minus 1.96 standard errors",
    "CC BY-SA 4.0",
]
