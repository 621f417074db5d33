"""How often is a bound right? Its pictures, guesses and numbers."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from scipy import stats

from errlab import bounds, coverage
from errlab.bounds import BOUNDS
from errlab.checks import FloatArray
from errlab.datasets import load_board
from errlab.style import styled
from errlab_book import explore, guesses, labs, outward, show, tables
from errlab_book.chapters import WORDS
from errlab_book.plots.coverage import plot_covering_counts, plot_worst_coverage
from errlab_book.plots.paper import ACCENT, BODY, INK, headline, paper, write

GUESSES = guesses.load(__file__)

HOSPITALS, PATIENTS, ERROR = 20, 200, 0.03  # test sets, the size of each, and the true error
IDA = 3  # Ida's observed errors
TINY = 10  # patients, few enough to list every count


# Pictures, in the order of the chapter


def one_in_twenty() -> Any:
    """Show the intervals of twenty hospitals; one misses the true error."""
    # the first seed for which exactly one interval misses, and visibly
    made = np.random.default_rng(5).binomial(PATIENTS, ERROR, HOSPITALS)
    low, high = 100 * np.array(bounds.interval("CP", made / PATIENTS, PATIENTS))
    true, at = 100 * ERROR, np.arange(HOSPITALS)
    missed = (low > true) | (high < true)
    count = int(missed.sum())

    @styled
    def draw() -> Axes:
        ax = paper(350, 200)
        ax.axhline(true, color=INK, lw=1)
        ax.vlines(at[~missed], low[~missed], high[~missed], color=INK, alpha=BODY, lw=5)
        ax.vlines(at[missed], low[missed], high[missed], color=ACCENT, lw=7)
        for i in at[missed]:
            write(ax, "misses", (i, high[i]), (0, 9), ha="center", weight="bold")
        write(ax, f"true error\n{true:g}%", (HOSPITALS - 0.4, true))
        ax.set(xlim=(-0.7, HOSPITALS - 0.4), xticks=[], yticks=[0, 5, 10], ylim=(0, 15))
        ax.yaxis.set_major_formatter("{x:g}%")
        ax.spines["bottom"].set_visible(False)
        headline(
            ax,
            f"{count} of {HOSPITALS} intervals miss{'es' * (count == 1)} the truth",
            f"Each bar: the 95% interval of {PATIENTS} new patients",
        )
        return ax

    return show(
        draw(),
        f"Simulated, Clopper-Pearson's intervals. Another {HOSPITALS} hospitals may see none "
        "that misses, or three.",
        alt=f"{HOSPITALS} upright bars around a line at {true:g}%. One bar, in another colour, "
        "lies wholly above the line.",
    )


def misses(*, cases: int = TINY, error: float = 30) -> Any:
    """Guess, then draw test sets and see which intervals miss."""
    display(GUESSES["misses"])
    return labs.Misses(cases=cases, error=error, drawn=100, seed=1272)


def counts_by_hand() -> Any:
    """List each count of errors, its probability, and two bounds for it."""

    def told(bound: float) -> str:
        return f"{bound:.1%}" + " (too low)" * (bound < 0.3)

    return tables.table(
        [
            {
                "errors": count,
                "probability": stats.binom.pmf(count, TINY, 0.3),
                "normal": told(bounds.normal(count / TINY, TINY)),
                "exact": told(bounds.clopper_pearson(count / TINY, TINY)),
            }
            for count in range(5)
        ],
        caption="Upper bounds for 10 patients and a true error of 30%: five of eleven counts",
        formats={"probability": ".1%"},
    )


def counts_that_fail() -> Any:
    """Guess, then explore after which counts a bound is too low."""

    def draw(error: int, bound: str) -> Axes:
        return plot_covering_counts(bound, n=TINY, error=error / 100)

    display(GUESSES["counts_that_fail"])
    return explore(
        draw,
        error=[1, 5, 10, 15, 20, 25, 26, 30, 35, 40, 45, 50],
        bound=["NOR", "WIL", "CP"],
        start={"error": 5, "bound": "NOR"},
        labels={"error": "true error L, in %", "bound": "bound"},
        caption="NOR is the normal approximation, WIL Wilson's bound, CP Clopper and Pearson's.",
        alt=lambda error, bound: (
            f"the bound is right with probability {coverage.exact(bound, error / 100, TINY):.3f}"
        ),
    )


Bound = Callable[[int, int], float]  # takes errors and n, like the chapter's function


def by_errlab(key: str) -> Bound:
    """Return a bound of errlab as a function of errors and n."""
    return lambda errors, n: bounds.upper(key, errors=errors, n=n)


def covered(ends: FloatArray, error: FloatArray) -> FloatArray:
    """Return the coverage at true errors of the bound with these `ends` for each count."""
    counts = np.arange(len(ends))[:, None]
    # counts x true errors
    chances = stats.binom.pmf(counts, len(ends) - 1, error)
    return np.asarray((chances * (ends[:, None] >= error)).sum(axis=0))


def errors_around(ends: FloatArray) -> FloatArray:
    """Return true errors up to one half, with one on either side of each end of a bound.

    The coverage jumps where the true error passes an end; with both sides, the jump is vertical.
    """
    errors = np.unique(np.concatenate([np.linspace(0, 0.5, 101), ends, ends + 1e-12]))
    return errors[(errors >= 0) & (errors <= 0.5)]


def mark_worst(ax: Axes, error: float, coverage: float) -> None:
    """Mark the lowest coverage; if it is outside the view, point down and state it in the title."""
    mark, place = ("s", coverage) if coverage > 80.5 else ("v", 80.5)
    ax.plot(error, place, mark, color=ACCENT, ms=8, clip_on=False)
    side, sign = ("left", -1) if error < 25 else ("right", 1)
    if mark == "s":
        note = f"worst at {error:.2f}%"
        write(ax, note, (error, place), (5 * sign, -14), ha=side, weight="bold")


def saw(bound: Bound | None = None, *, n: int = 20) -> Any:
    """Guess, then explore the coverage of five bounds against the true error, one the reader's."""
    readers = bound or by_errlab("WIL")
    names = {key: BOUNDS[key].name for key in ("NOR", "CP", "AC", "JEF")}

    def teeth(readers: Bound, n: int, bound: str) -> tuple[FloatArray, FloatArray, float, float]:
        ask = by_errlab(bound) if bound in names else readers
        ends = np.array([ask(k, n) for k in range(n + 1)])
        errors = errors_around(ends)
        shares = covered(ends, errors)
        worst = shares.round(9).argmin()  # if several are lowest, the first
        return errors, 100 * shares, 100 * float(shares[worst]), 100 * float(errors[worst].round(9))

    @styled
    def draw(readers: Bound, n: int, bound: str) -> Axes:
        errors, covers, bottom, where = teeth(readers, n, bound)
        ax = paper(350, 270)
        ax.plot(100 * errors, covers, color=INK, lw=1)
        ax.axhline(95, color=INK, lw=1, alpha=BODY)
        write(ax, "95%", (50, 95))
        name = names.get(bound, written(readers))
        if fails := bottom < 95 - 1e-6:
            below = covers < 95
            ax.fill_between(100 * errors, covers, 95, where=below, color=ACCENT, alpha=0.45, lw=0)
            mark_worst(ax, where, bottom)
        ax.set(xlim=(0, 50), ylim=(80, 100.4), yticks=[80, 85, 90, 100], xlabel="true error")
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter("{x:g}%")
        finding = (
            f"falls to {bottom if bottom > 0.05 else 0:.3g}%" if fails else "never falls below 95%"
        )
        headline(ax, f"{name} {finding}", f"How often the bound of {n} examples is right")
        return ax

    display(GUESSES["saw"])
    return explore(
        draw,
        by=readers,
        n=sorted({5, 10, 20, 50, 100, n}),
        bound=["yours", *names],
        start={"n": n, "bound": "yours"},
        labels={"n": "test examples n", "bound": "bound"},
        caption="Exact coverage, shaded where it is below 95%. Yours is the bound that you built, "
        "AC Agresti and Coull's, JEF Jeffreys'. A triangle: below the picture.",
        alt=lambda readers, n, bound: (
            "lowest coverage {:.3f} next to a true error of {:.3f}".format(
                *(end / 100 for end in teeth(readers, n, bound)[2:])
            )
        ),
    )


def written(bound: Bound) -> str:
    """Return the name of a reader's bound: of `wilson_bound`, Wilson."""
    name = getattr(bound, "__name__", "").removesuffix("_bound").replace("_", " ")
    return "Your bound" if name in ("", "<lambda>") else name.capitalize()


def worst_coverage() -> Any:
    """Show the lowest coverage of four bounds as test sets grow."""
    return show(
        plot_worst_coverage(["WIL", "CP", "AC", "JEF"], floor=0.8),
        "Each point: the lowest coverage over all true errors up to one half. The normal "
        "approximation lies at zero.",
        alt="Clopper-Pearson is flat at 95%. Agresti-Coull lies near 94%, Wilson near 93%, "
        "Jeffreys near 85%, and none of them rises to 95% as n grows.",
    )


def price() -> Any:
    """List the average distance of three bounds from the test error."""
    names = {"normal": "NOR", "Wilson": "WIL", "Clopper-Pearson": "CP"}
    return tables.table(
        [
            {"test examples": n}
            | {name: coverage.expected_width(key, 0.1, n) for name, key in names.items()}
            for n in (10, 50, 200, 1000)
        ],
        caption="Mean distance of the bound above the test error, at a true error of 10%",
        formats=dict.fromkeys(names, ".1%"),
    )


# Data


@cache
def images() -> FloatArray:
    """Return, for 10,000 images, the errors of the second-best network of a public board."""
    wrong: FloatArray = sorted(load_board("cifar10").losses["test"], key=np.mean)[1]
    return wrong


# Phrases with computed numbers: a test looks for each in the prose, and lists all other numbers


@cache
def numbers() -> list[str]:
    """Return the chapter's phrases whose numbers are computed, rounded as in the text."""
    formula, exact = (coverage.exact(key, ERROR, PATIENTS) for key in ("NOR", "CP"))
    observed = IDA / PATIENTS
    rate = {error: labs.Misses(cases=TINY, error=error).rate for error in (30, 2)}
    normal, clopper = (coverage.exact(key, 0.3, TINY) for key in ("NOR", "CP"))
    before, after = np.asarray(coverage.exact("CP", [0.25, 0.26], TINY))
    small, large = 20, 100
    lowest = {n: coverage.worst("WIL", n, within=(0, 0.5)).coverage for n in (small, large)}
    ends = coverage.worst("WIL", 2000).coverage
    late = coverage.worst("WIL", 2000, within=(0, 0.5)).coverage
    gap, later = (
        coverage.expected_width("CP", 0.1, n) - coverage.expected_width("WIL", 0.1, n)
        for n in (TINY, 50)
    )
    assert 100 * gap % 1 > 0.5
    assert 100 * later < 1
    wrong = images()
    board = [coverage.exact(key, wrong.mean(), PATIENTS) for key in ("NOR", "CP")]
    return [
        f"each on {PATIENTS} patients of its own. It gets {ERROR:.0%} of all patients wrong",
        f"should fail in 5% of the hospitals, is too low in {1 - formula:.0%}",
        f"saw {WORDS[IDA]} errors in her {PATIENTS} patients",
        f"exact bound is {outward(bounds.upper('CP', errors=IDA, n=PATIENTS))}",
        f"formula gives {outward(bounds.normal(observed, PATIENTS))}",
        f"formula is right in **{formula:.0%}** of these hospitals, Clopper and Pearson's bound "
        f"in {exact:.0%}",
        f"At 30% (picture) it settles at {rate[30]:.0%}",
        f"At a true error of 2% it settles at **{rate[2]:.0%}**, because",
        f"most test sets of {WORDS[TINY]} show no error at all. Then",
        f"With {small} examples and a true error of at most one half, the coverage of Wilson's "
        f"bound falls to {lowest[small]:.1%}",
        f"With {large} examples it is about {lowest[large]:.0%}",
        f"to about {lowest[large]:.0%}",
        f"right with probability **{normal:.1%}**",
        f"right with {clopper:.1%}",
        f"zero errors in {WORDS[TINY]} is {bounds.clopper_pearson(0, TINY):.1%}",
        f"drops from {before:.0%} to **{after:.1%}**",
        f"past the end of the slider, it is **{late:.1%}** for true errors up to one half",
        f"Wilson's bound falls to {ends:.0%}.)",
        f"costs almost {WORDS[int(np.ceil(100 * gap))]} points more than Wilson's",
        f"less than one point almost {WORDS[int(np.ceil(100 * gap))]} points",
        f"gets {int(wrong.sum())} of {len(wrong):,} images wrong",
        f"sum over counts gives {board[0]:.1%} and {board[1]:.1%}",
        f"approximation would give {outward(bounds.normal(observed, PATIENTS))}, but at the error "
        f"rate that we observed its coverage is {coverage.exact('NOR', observed, PATIENTS):.0%}",
    ]


# Edits that the reader is asked to make; a test runs the notebook with each of them
def _asks_more(book: Any) -> str:
    sizes = (5, 10, 20, 50, 100)
    ends = {n: np.array([book["wilson_bound"](k, n) for k in range(n + 1)]) for n in sizes}
    lowest = {n: covered(e, (e + 1e-12)[e < 0.5]).min() for n, e in ends.items()}
    assert min(lowest.values()) >= 0.95
    size = min(lowest, key=lowest.__getitem__)
    return f"with {size} examples the lowest coverage is now {lowest[size]:.1%}"


BREAKS = {
    "with 5 examples the lowest coverage is now 95.3%": (
        "a = errors / n, stats.norm.isf(0.05)", "a = errors / n, stats.norm.isf(0.02)", _asks_more,
    ),
    "97.1% instead of 79.5%": (
        "jump + 1e-12", "jump",
        lambda book: f"{book['worst'](book['wilson_bound'], 10):.1%} instead of "
        f"{coverage.worst('WIL', 10).coverage:.1%}",
    ),
}  # fmt: skip


GIVEN = [
    *("`0.02` for `0.05`", "all five sizes stay above 95%", "where 0.05 was enough", "`+ 1e-12`"),
    *("promises 95% and keeps", "calling"),
    *("**Twenty hospitals", "95% confidence interval", "right in at least 95% of test sets"),
    *("40 minutes", '"with 95% confidence"', "at least 95 test sets in 100"),
    *("on 200 patients of its own. A bound", "gets 3% of all tumours wrong", "at least 3%"),
    "both say 95%",
    *("sets of ten patients from a world where the true error is 30%", "never move it to 5%"),
    *(
        "three times as often as agreed",
        "Set the true error to 2%",
        "With ten patients the possible",
    ),
    *("equal 95% at every", "where nine of ten test sets"),
    *(
        "Even with 2,000, past",
        "Near a true error of 100%",
        "One in twenty is what 95% allows",
        "`1 - delta`",
        "With ten examples",
        "while with 200",
    ),
    *("of thirty networks", "drew 2,000 test sets of 200 images", "A bound of 100%"),
    *(
        "at least 95% for every true error",
        "calling it 95%",
        "Three lines",
        "at least 95% everywhere",
    ),
    # guesses
    *(
        "misses it? about 5%",
        "about 16%",
        "about 80%",
        "is so at 30%. At 2% most test sets of ten",
        "more and more test sets of ten",
        "Ten patients. The true error grows from 25% to 26%",
    ),
    *(
        "falls by five points",
        "fail at 25% and at 26%",
        "How low does it fall with 100",
        "to about 94.5%",
        "it stays above 95%",
    ),
    *("At a true error of 10%, how far does the exact bound of ten examples", "about fifteen"),
    *("so with 50 examples. With ten, one", "Yes. With ten", "Ten examples are few"),
    # exercises and notes
    *(f"**4.{number}**" for number in range(1, 7)),
    *("at least 95% of test sets, Wilson's", "bound of 50 examples, at the true error of 10%"),
    *("true error of 1%, with 10 examples", "with 50 examples, if you"),
    *("bound for 10 examples", "true error of 20%", "true error of 5% and 50 examples"),
    *("first fall below 80%", "of the 2,000 test sets", '`exercises.hint("4.5")`'),
    *("0/1 losses", "between 0 and 1", "equation 8", "figures 5 to 8"),
    *("1. Coverage", "2. For counts", "3. Clopper"),
]
