"""The holdout method: the chapter's pictures, guesses and numbers."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from scipy import stats
from sklearn.datasets import load_digits
from sklearn.svm import SVC

from errlab import bounds, coverage, holdout
from errlab.datasets import load_board
from errlab.style import Look, styled
from errlab_book import explore, guesses, labs, outward, show, tables
from errlab_book.chapters import WORDS
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, headline, paper, write

GUESSES = guesses.load(__file__)

# numbers of images: all, those for choosing, those for the final test
LABELLED, CHOOSE, LOCKED = 10_000, 200, 2_000
MODELS, TRUE = 20, 0.3  # equally good models that compete, and the true error of each
# errors of ResNet-50 in ImageNet's validation images, and in three new sets by the same recipe
RESNET = ((11_935, 50_000), (2_191, 10_000), (2_730, 10_000), (3_667, 10_000))


# Pictures, in the order of the chapter


def chosen() -> Any:
    """Show winners' errors where they were chosen, and elsewhere."""
    validation, true = (100 * errors for errors in winners())

    @styled
    def draw() -> Any:
        ax = paper(350, 250)
        ax.plot([0, 1], [validation[1:31], true[1:31]], color=INK, alpha=FAINT, lw=1)
        ax.plot([0, 1], [validation[0], true[0]], "s-", color=ACCENT, lw=3, ms=9, clip_on=False)
        write(ax, f"{validation[0]:.1f}%", (0, validation[0]), (-9, 0), ha="right", weight="bold")
        write(ax, f"{true[0]:.1f}%", (1, true[0]), (9, 0), weight="bold")
        ax.set(xlim=(-0.2, 1.2), ylim=(0, 4.6), yticks=[])
        ax.set_xticks([0, 1], [f"the {CHOOSE} images\nthat chose it", f"{LOCKED:,} other\nimages"])
        ax.spines["bottom"].set_visible(False)
        headline(
            ax,
            f"Your winner: {validation[0]:.1f}% where it was chosen, {true[0]:.1f}% elsewhere",
            "Error of the best of 30 networks; thin: other splits",
        )
        return ax

    return show(
        draw(),
        f"Thirty networks on CIFAR-10. Over {len(validation) - 1:,} random splits the winner "
        f"shows {validation[1:].mean():.1f}% and gets {true[1:].mean():.1f}% of others wrong, on "
        "average.",
        alt=f"A bold line climbs from {validation[0]:.1f}% to {true[0]:.1f}%, and most of thirty "
        "thin lines climb as well.",
    )


def band(ax: Axes, place: float, name: str, true: float, reach: float) -> None:
    """Draw a band around the true error above the sticks, the rule of thumb in the accent."""
    first = name == "1/√n"
    look: Look = {"color": INK, "alpha": BODY, "marker": "|", "ms": 10, "lw": 2, "mew": 2}
    if first:
        look = {"color": ACCENT, "marker": "s", "ms": 6, "lw": 3}
    ax.plot([max(true - reach, 0), min(true + reach, 1)], [place, place], **look)
    words, weight = f"{name}: ±{100 * reach:.2g} points", "bold" if first else "normal"
    write(ax, words, (0, (place + 0.18) / 2.1), (0, 0), of_axes=True, weight=weight)


def bands(bound: Callable[[int], Any] = holdout.gap_bound, *, n: int = 25, risk: int = 10) -> Any:
    """Explore the distribution of the test error, and two bands for it."""

    @styled
    def draw(bound: Callable[[int], Any], n: int, risk: int) -> Any:
        true = risk / 100
        counts = np.arange(n + 1)
        chance = stats.binom.pmf(counts, n, true)
        # draw at most about 60 sticks, so that each is visible
        comes = counts[chance > 0.002 * chance.max()]
        comes = comes[:: max(1, len(comes) // 60)]
        ax = paper(350, 250)
        heights, width = chance[comes] / chance.max(), 2 if n < 400 else 1
        ax.vlines(comes / n, 0, heights, color=INK, alpha=BODY, lw=width)
        ax.axvline(true, ymax=1.12 / 2.1, color=INK, lw=1)
        write(ax, f"true {risk}%", (true, 1.06), (6, 0), weight="bold")
        half, proven = 1 / float(np.sqrt(n)), float(bound(n))
        for place, name, reach in ((1.28, "1/√n", half), (1.76, "Hoeffding", proven)):
            band(ax, place, name, true, reach)
        # one axis for all sizes, so that the bands visibly shrink
        ax.set(xlim=(max(-0.008, true - 0.3), true + 0.3), ylim=(0, 2.1), yticks=[])
        ax.set_xlabel(f"error on {n:,} test examples")
        ax.xaxis.set_major_formatter(lambda x, _: f"{100 * x:.3g}%")
        share = holdout.gap_coverage(true, n, half)
        many = "almost all" if share > 0.9995 else f"{share:.1%} of"
        reach_words = f"{100 * half:.2g} point" + "s" * (n < 10_000)
        headline(
            ax,
            f"Within {reach_words} of the truth: {many} test sets",
            f"Sticks: test errors at a true error of {risk}%",
        )
        return ax

    def alt(bound: Callable[[int], Any], n: int, risk: int) -> str:
        halves = (n**-0.5, float(bound(n)))
        return "within 1/√n: {:.1%}, within Hoeffding: {:.1%}".format(
            *(holdout.gap_coverage(risk / 100, n, half) for half in halves)
        )

    return explore(
        draw,
        by=bound,
        n=sorted({25, 100, 400, 1600, 10_000, n}),
        risk=sorted({2, 10, 30, 50, risk}),
        start={"n": n, "risk": risk},
        labels={"n": "test examples", "risk": "true error, %"},
        caption="Two bands around the true error: the rule of thumb and the proven one. Sticks "
        "from the binomial distribution; no error rate is below 0, so there the bands end.",
        alt=alt,
    )


def sizes() -> Any:
    """Tabulate the test examples that a precision requires."""
    any_model, good = "any model (Hoeffding)", "5% errors, upper bound (exact)"
    rows = [
        {
            "within": f"{gap:.0%}",
            any_model: holdout.sample_size(gap),
            good: holdout.sample_size_for("CP", epsilon=gap, mean=0.05),
        }
        for gap in (0.1, 0.05, 0.02, 0.01)
    ]
    caption = "Test examples for a precision, at 95%"
    return tables.table(rows, caption=caption, formats={any_model: ",", good: ","})


def misses(*, cases: int = 50, error: float = 30) -> Any:
    """Guess, then count how many of a hundred intervals miss."""
    display(GUESSES["misses"])
    # start where the formula works, because the guess asks about rarer errors
    return labs.Misses(cases=cases, error=error, drawn=100, seed=5)


def winner(*, models: int = MODELS, cases: int = 200) -> Any:
    """Guess, then let models compete."""
    display(GUESSES["winner"])
    return labs.Winner(models=models, cases=cases)


def leakage() -> Any:
    """Guess the test error if a fifth of the test set was in the training set."""
    return GUESSES["leakage"]


def copies() -> Any:
    """Guess the effect of copies on an interval."""
    return GUESSES["copies"]


def scanner() -> Any:
    """Guess the effect of a shift by one pixel on a digit classifier."""
    return GUESSES["scanner"]


# Data


@cache
def winners() -> tuple[Any, Any]:
    """Return winners' errors on 200 images, and on 2,000 others; the first winner is yours."""
    wrong = load_board("cifar10").losses["test"]  # 30 networks x 10,000 images
    sizes = {"validation_size": CHOOSE / LABELLED, "test_size": LOCKED / LABELLED}
    lowest, true = np.empty((2, 1001))
    for seed in range(len(lowest)):
        part = holdout.three_way_split(LABELLED, **sizes, rng=seed)
        validation = wrong[:, part.validation].mean(axis=1)
        lowest[seed] = validation.min()
        true[seed] = wrong[validation.argmin(), part.test].mean()
    return lowest, true


@cache
def digits_test(shift: int = 0) -> tuple[Any, Any]:
    """Train a digit classifier; return the labels of 797 others, and its predictions.

    Its test images are shifted to the right by this many pixels; below 0, to the left.
    """
    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    train, test = order[:1000], order[1000:]
    reader = SVC(gamma=0.001).fit(X[train], y[train])
    padded = np.pad(X.reshape(-1, 8, 8), ((0, 0), (0, 0), (8, 8)))
    moved = padded[:, :, 8 - shift : 16 - shift]
    return y[test], reader.predict(moved[test].reshape(-1, 64))


# Phrases with computed numbers: a test looks for each in the prose, and lists all other numbers


@cache
def numbers() -> list[str]:
    """Return the chapter's phrases whose numbers are computed, rounded as in the text."""
    validation, true = (100 * errors for errors in winners())
    final = bounds.interval("CP", true[0] / 100, LOCKED)
    assert 2.5 < true[0] / validation[0] < 3  # nearly three times as many mistakes
    wrong = load_board("cifar10").losses["test"]
    part = holdout.three_way_split(
        LABELLED, validation_size=CHOOSE / LABELLED, test_size=LOCKED / LABELLED, rng=0
    )
    easy = wrong[:, part.validation].mean(axis=1) < wrong[:, part.test].mean(axis=1)
    assert easy.mean() > 0.7  # most networks find the images that chose easy

    equal = holdout.selection_bias([TRUE] * MODELS, 200)
    different = holdout.selection_bias(0.2 + 0.2 * (np.arange(MODELS) + 0.5) / MODELS, 200)
    leaked = 0.3 * (1 - 1 / 5)  # one email in five was trained on, and its label is known
    tenfold = holdout.interval_coverage("NOR", 0.2, 500, error=0.2, copies=10)
    worth = holdout.effective_size([1] * 400 + [6] * 100)
    unshifted, shifted = (np.mean(np.not_equal(*digits_test(shift))) for shift in (0, 1))
    assert unshifted < 0.02
    elsewhere = {n: holdout.interval_coverage("CP", 0.1, n, error=0.15) for n in (100, 1000)}
    assert elsewhere[1000] < 0.01
    old, *new = (wrong / n for wrong, n in RESNET)
    return [
        f"gets only {validation[0]:.1f}% of them wrong",
        f"On {LOCKED:,} locked-away images it got {true[0]:.1f}% wrong",
        *about_precision(),
        f"On average the winner shows {equal.validation:.1%}, so it flatters itself by "
        f"{100 * equal.optimism:.0f} points",
        f"about {equal.validation:.0%}",
        f"only {100 * different.regret:.1f} points above the best",
        f"on average? 6% {leaked:.0%} 30%",
        f"{tenfold:.0%} of the time",
        f"contains the true error only {tenfold:.0%} of the time",
        f"It shows {leaked:.0%}, and",
        f"gets {shifted:.0%} of the new images wrong",
        f"are worth {worth:.0f}",
        f"10% {shifted:.0%}",
        f"the other error {elsewhere[100]:.0%} of the time",
        f"gets {old:.1%} of ImageNet's validation images wrong, and between {min(new):.1%} and "
        f"{max(new):.1%} of [{WORDS[len(new)]} new sets",
        f"got {true[0]:.1f}% of {LOCKED:,} other images wrong (exact 95% interval "
        f"{outward(*final)})",
    ]


def about_precision() -> list[str]:
    """Return phrases about bands, sizes and error bars."""
    # "within about 1/√n in 95%" is checked at all true errors; the prose gives the number for one
    # half
    assert np.min(holdout.gap_coverage(np.linspace(0, 0.5, 501), 100, 0.1)) > 0.95
    thumb = holdout.gap_coverage(0.5, 100, 0.1)
    missed = {key: labs.Misses(method=key, cases=50, error=6).rate for key in ("NOR", "WIL", "CP")}

    counts = np.arange(51)
    low, high = bounds.interval("NOR", counts / 50, 50)
    chance = stats.binom.pmf(counts, 50, 0.06)
    # nearly all intervals that miss are too low
    assert chance[low > 0.06].sum() < 0.02 * chance[high < 0.06].sum()
    # the lowest coverage with at least fifty errors and fifty right answers, at many sizes
    worst = max(
        1 - float(np.min(coverage.exact("NOR", np.linspace(50 / n, 0.5, 501), n, side="two-sided")))
        for n in (*range(100, 200, 3), 300, 1000, 5000)
    )
    at_100, at_400 = (holdout.gap_coverage(0.02, n, n**-0.5) for n in (100, 400))
    assert min(at_100, at_400) > 0.999  # at a true error of 2% the band is far too wide
    assert 2.5 < holdout.sample_size(0.05, models=1000) / holdout.sample_size(0.05) < 3
    return [
        f"one half ({thumb:.1%} of the test sets of 100 examples)",
        f"At 6%, {missed['NOR']:.0%} of them miss instead of 5%",
        f"at most {outward(worst, spec='.0%')} of the normal",
        f"miss at 6% only {missed['WIL']:.0%} and {missed['CP']:.1%} of the time",
        "at 95%, a thousand models need less than three times the examples",
    ]


# Edits that the reader is asked to make; a test runs the notebook with each of them
def _many(book: Any) -> str:
    winner, before = (100 * book["winner"](TRUE, models, 200) for models in (200, MODELS))
    return f"It shows {winner:.1f}%, so by {30 - winner:.1f} points instead of {30 - before:.1f}"


BREAKS = {
    "It shows 21.4%, so by 8.6 points instead of 5.9": (
        "winner(0.3, 20, 200)", "winner(0.3, 200, 200)", _many,
    ),
    "376.9, more than the 250 of": (
        "[6] * 100", "[3] * 100",
        lambda book: f"{book['effective_size'](book['copies']):.1f}, more than the 250 of",
    ),
}  # fmt: skip


GIVEN = [
    *("Let ten times as many", "`winner(0.3, 200, 200)`", "all 300 rows"),
    *("these 1,000 rows", "the 500 examples that remain are worth 500", "some of them six times"),
    *("arrives six times also counts six times", "occur three times and not six, `[3] * 100`"),
    *("the rows are 700", "of a thousand rows", "the 500 examples themselves"),
    "40 minutes",
    "You try thirty networks on the same 200 test images",
    "three times as many mistakes",
    *("The 200 images had chosen", "most networks find these 200 images"),
    "ResNet-50",
    "losses lie between 0 and 1",
    "To be within five points, and within one, with 95% probability",
    "Sixteen times the examples",
    "At 2%, both bands",
    *("at least fifty errors", "as fifty right answers"),
    "Watch twenty equally good models",
    "So take three parts",
    *("## Three mistakes that no size can fix", "spot three mistakes"),
    *(
        "email in five also stands on the list",
        "true error is 30%",
        "four in five",
        "a fifth of 30%",
    ),
    "one patient, ten sentences",
    "Five pictures of one patient",
    "narrower by the root of ten",
    *(
        "error is 10% here and 15% at another place",
        "With 100 test examples",
        "with 1,000 from here",
    ),
    *("interval of 100 examples still reached to 15%", "its middle stays at 10%"),
    *("## Three lines to remember", "in 95% of test sets", "bounds for 0/1 losses"),
    "chosen among thirty",
    # from the questions and choices of guesses
    *("From 100 to 1,600 test examples", "16 times", "4 times", "2 times", "Four times the"),
    "If the true error is 6% and not 30%, and a hundred people each test on 50 examples",
    *("their “95%” intervals", "about 1", "about 5", "about 20", "what 95% claims", "one in five"),
    "So much for 95%",
    *("Twenty models, all truly at 30%", "on 200 examples", "about 30%", "about 36%"),
    "smallest of twenty numbers",
    "each of your 500 test examples is in the file ten times",
    *("believes in 5,000", "does the “95%” interval", "95% of the time", "80% of the time"),
    *("less than a third", "error is now 2%", "One pixel in eight"),
    # exercises
    *("**2.1**", "**2.2**", "**2.3**", "**2.4**", "**2.5**", "**2.6**", '"2.6"'),
    *("Ten models, all truly at 30%, compete on 50", "a third of 3,000 emails", "from all 3,000"),
    *("on 2,500 fresh examples", "all fifty gaps below 0.02 with 99%"),
    *("Fifty models share", "100 examples occur once and 100 occur twice"),
    "exact 95% upper bound",
    # sources
    *("Propositions 1 and 2", "whose five intervals", "Eqs. 47 and 48", "five things to choose"),
]
