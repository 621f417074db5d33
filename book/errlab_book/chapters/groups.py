"""Examples that come in groups. Its pictures, guesses and numbers."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from scipy import ndimage, stats
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC

import errlab
from errlab.style import styled
from errlab_book import explore, guesses, outward, show, studies
from errlab_book.plots.elsewhere import plot_machine_labels
from errlab_book.plots.groups import ERROR, grouped_losses, grouped_tests, plot_grouped_coverage
from errlab_book.plots.paper import ACCENT, BODY, INK, headline, paper, spread, write

GUESSES = guesses.load(__file__)

PICTURES, ANGLES = 120, 8
PROMPTS, WRONG = 40, 0.2  # prompts, and the error rate of the answers to them
SPLITS, SEEDS, TESTED = 20, 5, 200  # test sets, models for each, digits in each


# Pictures, in the order of the chapter


def half_of_the_errors() -> Any:
    """Show the number of wrong angles of each digit, and the digits that make half the errors."""
    test = turned_digits()
    wrong = (test.predicted != test.truth).reshape(PICTURES, ANGLES).sum(axis=1)
    wrong = -np.sort(-wrong)
    # the smallest number of digits that have half of the errors
    half = 1 + int(np.argmax(wrong.cumsum() >= wrong.sum() / 2))
    none = int((wrong == 0).sum())

    @styled
    def draw() -> Axes:
        ax = paper(350, 200)
        at = np.arange(PICTURES)
        ax.bar(at, ANGLES, 0.8, color=INK, alpha=0.12, lw=0)
        ax.bar(at[half:], wrong[half:], 0.8, color=INK, alpha=BODY, lw=0)
        ax.bar(at[:half], wrong[:half], 0.8, color=ACCENT, lw=0)
        ax.plot([0, half - 1], [-0.7, -0.7], "-s", color=ACCENT, lw=2, ms=5, clip_on=False)
        write(ax, f"{half} digits: half of the errors", (0, -0.7), (0, -13), weight="bold")
        write(ax, f"{none} digits: none", (PICTURES, -0.7), (0, -13), ha="right")
        ax.set(xticks=[], yticks=[0, ANGLES], xlim=(-1, PICTURES), ylim=(-1, ANGLES))
        ax.spines["bottom"].set_visible(False)
        headline(
            ax,
            f"{half} of {PICTURES} digits make half of the errors",
            f"A bar for each digit: at how many of its {ANGLES} angles it is wrong",
        )
        return ax

    return show(
        draw(),
        f"In all {int(wrong.sum())} of {wrong.size * ANGLES} pictures are wrong. Pale: right.",
        alt=f"{PICTURES} bars, sorted, falling from {wrong[0]} to 0. The first {half} are orange; "
        f"the last {none} have no height.",
    )


Ends = Callable[[Any, Any], Any]  # a function of losses and groups


def sums_of_groups(losses: Any, group: Any) -> Any:
    """Return errlab's cluster-robust t interval."""
    interval = errlab.metrics.grouped_t(losses, groups=group)
    return interval.low, interval.high


def fifty(
    by_hand: Ends = sums_of_groups,
    *,
    size: int = 5,
    correlation: float = 0.3,
    interval: str = "row by row",
) -> Any:
    """Guess, then explore how many of fifty intervals miss, using the groups or not."""

    def ends(by_hand: Ends, size: int, correlation: float, interval: str) -> Any:
        if interval == "yours":
            tests, group = grouped_losses(size, correlation)
            return 100 * np.array([by_hand(test, group) for test in tests]).T
        place = 2 if interval == "by group" else 1
        return 100 * np.array([test[place] for test in grouped_tests(size, correlation)]).T

    def missed(by_hand: Ends, **chosen: Any) -> int:
        low, high = ends(by_hand, **chosen)
        return int(((low > 100 * ERROR) | (high < 100 * ERROR)).sum())

    @styled
    def draw(by_hand: Ends, size: int, correlation: float, interval: str) -> Axes:
        low, high = ends(by_hand, size, correlation, interval)
        misses = (low > 100 * ERROR) | (high < 100 * ERROR)
        at = np.arange(len(low))
        ax = paper(350, 250)
        ax.axhline(100 * ERROR, color=INK, lw=1)
        ax.vlines(at[~misses], low[~misses], high[~misses], color=INK, alpha=BODY, lw=3)
        if misses.any():
            ax.vlines(at[misses], low[misses], high[misses], color=ACCENT, lw=3)
            near = np.where(low[misses] > 100 * ERROR, low[misses], high[misses])
            ax.plot(at[misses], near, "s", color=ACCENT, ms=5)
        write(ax, f"true\n{100 * ERROR:g}%", (len(low), 100 * ERROR))
        ax.set(xlim=(-1, len(low)), ylim=(0, 52), xticks=[], yticks=[0, 25, 50])
        ax.yaxis.set_major_formatter("{x:g}%")
        ax.spines["bottom"].set_visible(False)
        rows = f"{size} row{'s' * (size != 1)}"
        counted = {"row by row": "every row"}.get(interval, "the groups")
        headline(
            ax,
            f"{int(misses.sum())} of {len(low)} intervals miss the true error",
            f"95% intervals that count {counted}; each test has 40 groups of {rows}",
        )
        return ax

    display(GUESSES["fifty"])
    return explore(
        draw,
        by=by_hand,
        size=sorted({1, 2, 5, 10, size}),
        correlation=sorted({0.0, 0.1, 0.3, 1.0, correlation}),
        interval=["row by row", "by group", "yours"],
        start={"size": size, "correlation": correlation, "interval": interval},
        labels={"size": "rows in each group", "correlation": "correlation", "interval": "interval"},
        caption="Fifty simulated test sets. Orange, with a square: the interval misses.",
        alt=lambda by_hand, **chosen: (
            f"{missed(by_hand, **chosen)} of the fifty intervals miss the true error of 15%"
        ),
    )


def claims() -> Any:
    """Show three intervals for the rotated digits: one ignores the groups, two use them."""
    test, reports = turned_digits(), digit_reports()
    names = {
        "rows": f"{len(test.truth)} rows, as if independent",
        "t": f"{PICTURES} digits, approximate (Korn-Graubard)",
        "proven": f"{PICTURES} digits, proven",
    }
    wider = (reports["proven"].high - reports["proven"].low) / (
        reports["rows"].high - reports["rows"].low
    )

    @styled
    def draw() -> Axes:
        ax = paper(350, 225)
        for row, (key, name) in enumerate(names.items()):
            low, high = 100 * reports[key].low, 100 * reports[key].high
            bad = key == "rows"
            ax.hlines(row, low, high, color=ACCENT if bad else INK, alpha=1 if bad else BODY, lw=9)
            if bad:
                ax.plot([low, high], [row, row], "s", color=ACCENT, ms=11)
            write(ax, name, (10, row), (0, 15), weight="bold" if bad else "normal")
            write(ax, outward(low / 100, high / 100), (high, row), (10, 0))
            # a notch at the observed rate
            ax.plot(100 * reports[key].estimate, row, "|", color="#ffffff", ms=9, mew=2)
        ax.set(xlim=(10, 32), ylim=(2.5, -0.75), yticks=[], xticks=[10, 15, 20, 25])
        ax.xaxis.set_major_formatter("{x:g}%")
        headline(
            ax,
            f"With digits as groups, the proven interval is {wider:.1f} times as wide",
            "95% intervals of the error",
        )
        return ax

    return show(
        draw(),
        "Orange: the interval that counts every row. Notch: the error rate on the test.",
        alt="Three bars. The short orange one lies inside both others.",
    )


def answers() -> Any:
    """Guess, then explore the value of more answers to the same prompts."""

    def half(answers: Any, alike: float) -> Any:
        """Return half a 95% interval in points, by the normal approximation."""
        effect = 1 + (np.asarray(answers) - 1) * alike
        return 196 * np.sqrt(WRONG * (1 - WRONG) * effect / (PROMPTS * np.asarray(answers)))

    @styled
    def draw(alike: float) -> Axes:
        repeats = np.arange(1, 21)
        ax = paper(350, 260)
        total = PROMPTS * repeats
        ax.plot(total, half(repeats, alike), color=ACCENT, lw=2.5)
        ax.plot(total[[0, 9]], half(repeats, alike)[[0, 9]], "s", color=ACCENT, ms=7)
        ax.plot(total, half(repeats, 0), color=INK, lw=2, alpha=BODY)
        ax.plot(total[9], half(10, 0), "o", color=INK, alpha=BODY, ms=6)
        # one label for two rows; keep the labels apart even if the lines meet
        ends = spread([half(repeats, alike)[-1] + 1e-6, half(repeats, 0)[-1]], 2.3)
        for end, name, weight in (
            (ends[0], f"the same\n{PROMPTS} prompts", "bold"),
            (ends[1], "as many\nnew prompts", "normal"),
        ):
            write(ax, name, (800, end), weight=weight)
        ax.set(xlim=(0, 800), ylim=(0, 14), xticks=[40, 400, 800], yticks=[0, 5, 10])
        ax.set_xlabel("answers")
        headline(
            ax,
            f"{10 * PROMPTS} answers: ±{half(10, alike):.1f} points from {PROMPTS} prompts, "
            f"±{half(10, 0):.1f} from {10 * PROMPTS}",
            "Half a 95% interval, in percentage points",
        )
        return ax

    display(GUESSES["answers"])
    return explore(
        draw,
        alike=[0.0, 0.1, 0.2, 0.5, 0.8, 1.0],
        start={"alike": 0.2},
        labels={"alike": "correlation of two answers to one prompt"},
        caption="Computed for an error rate of 20%. Squares: one answer to each prompt, and ten.",
        alt=lambda alike: (
            f"400 answers to 40 prompts give plus or minus {half(10, alike):.1f} points, "
            f"to 400 prompts {half(10, 0):.1f}"
        ),
    )


def spread_of_seeds() -> Any:
    """Guess how many intervals computed from the spread of five seeds miss."""
    return GUESSES["seeds"]


def seeds() -> Any:
    """Show the intervals from five training seeds, beside the error on other digits."""
    gap, halves = 100 * forests()
    misses = np.abs(gap) > halves

    @styled
    def draw() -> Axes:
        ax = paper(350, 230)
        at = np.arange(SPLITS)
        ax.axhline(0, color=INK, lw=1)
        low, high = gap - halves, gap + halves
        ax.vlines(at[~misses], low[~misses], high[~misses], color=INK, alpha=BODY, lw=5)
        ax.vlines(at[misses], low[misses], high[misses], color=ACCENT, lw=5)
        near = np.where(gap[misses] > 0, low[misses], high[misses])
        ax.plot(at[misses], near, "s", color=ACCENT, ms=6)
        write(ax, "error on\nother digits", (SPLITS - 0.4, 0))
        ax.set(xlim=(-0.7, SPLITS - 0.4), xticks=[], yticks=[-5, 0, 5])
        ax.set_yticklabels(["−5", "0", "+5"])
        ax.spines["bottom"].set_visible(False)
        headline(
            ax,
            f"{int(misses.sum())} of {SPLITS} intervals from {SEEDS} seeds miss",
            "Each in points from the error of the same models on other digits",
        )
        return ax

    return show(
        draw(),
        f"Each bar: {SEEDS} random forests of 20 trees, the same {TESTED} test digits. Orange, "
        "with a square: misses. The error on other digits has a standard error below a point.",
        alt=f"{SPLITS} short bars around zero; {int(misses.sum())}, in orange, do not touch it.",
    )


def contains() -> Any:
    """Guess, then explore how often four intervals contain the true error."""
    study = studies.load("groups")

    def draw(groups: int, sizes: str) -> Axes:
        return plot_grouped_coverage(study, groups, kind=sizes)

    def alt(groups: int, sizes: str) -> str:
        row = contained(groups, sizes)
        names = ("row by row", "Korn and Graubard", "cluster-robust t", "proven")
        keys = ("naive", "korn", "robust", "proven")
        fractions = (f"{name} {row[key]:.0%}" for name, key in zip(names, keys, strict=True))
        return "at a design effect of 8: " + "; ".join(fractions)

    display(GUESSES["contains"])
    return explore(
        draw,
        groups=[20, 60, 200],
        sizes=["mixed", "ten"],
        start={"groups": 200},
        labels={"groups": "groups", "sizes": "rows in each: 1 to 20, or ten"},
        caption="500 simulated test sets for each point; 95% is the aim. Orange, with a square: "
        "below 90%.",
        alt=alt,
    )


def judge() -> Any:
    """Guess, then explore what human labels and a judge's labels show together."""
    study = studies.load("elsewhere")

    def draw(n: int, wrong: int) -> Axes:
        return plot_machine_labels(study, n, wrong / 100)

    def alt(n: int, wrong: int) -> str:
        row = judged(n, wrong / 100)
        return "; ".join(
            f"{words}: width {100 * row[key + ' width']:.1f} points, right {row[key]:.0%}"
            for key, words in (
                ("naive", "judge as if true"),
                ("classical", "human labels alone"),
                ("tuned", "both, tuned"),
                ("plain", "both, full trust"),
                ("proven", "both, proven"),
            )
        )

    display(GUESSES["judge"])
    return explore(
        draw,
        n=[100, 400],
        wrong=[2, 10, 30],
        start={"n": 100},
        labels={"n": "human labels", "wrong": "judge's wrong labels, in %"},
        caption="1,000 simulated test sets, 2,000 more labels from the judge. Orange: right in "
        "less than 90%.",
        alt=alt,
    )


# Data


class Turned(NamedTuple):
    """Predictions for 120 test digits at eight angles each, and the training digits."""

    X_train: Any
    y_train: Any
    X: Any
    truth: Any
    predicted: Any
    digit: Any


@cache
def turned_digits() -> Turned:
    """Train on upright digits, and predict 120 others at eight angles each."""
    digits = load_digits()
    train, test, y_train, y_test = train_test_split(
        digits.images, digits.target, test_size=PICTURES, random_state=0
    )
    angles = np.linspace(-20, 20, ANGLES)
    X = [ndimage.rotate(p, a, reshape=False, order=1).ravel() for p in test for a in angles]
    X_train, truth = train.reshape(-1, 64), np.repeat(y_test, ANGLES)
    predicted = SVC(gamma=0.001).fit(X_train, y_train).predict(X)
    return Turned(X_train, y_train, X, truth, predicted, np.repeat(np.arange(PICTURES), ANGLES))


@cache
def digit_reports() -> dict[str, Any]:
    """Report the rotated digits row by row, by digit with a proof, and by digit without."""
    test = turned_digits()
    grouped: dict[str, Any] = {"groups": test.digit}
    return {
        "rows": errlab.report(test.truth, test.predicted),
        "t": errlab.report(test.truth, test.predicted, method="t", **grouped),
        "proven": errlab.report(test.truth, test.predicted, **grouped),
    }


@cache
def forests() -> Any:
    """Return the gap of each of twenty splits, and half the width of its t interval."""
    return np.array([forests_of(split) for split in range(SPLITS)]).T


def forests_of(split: int) -> tuple[float, float]:
    """Train five forests on a split, and test them on the same digits.

    Return their mean error minus that on other digits, and half the width of the t interval from
    the five errors.
    """
    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(split).permutation(len(y))
    train, test, others = np.split(order, [500, 500 + TESTED])
    models = [
        RandomForestClassifier(20, random_state=seed).fit(X[train], y[train])
        for seed in range(SEEDS)
    ]
    losses = np.array([model.predict(X[test]) != y[test] for model in models])  # seeds x digits
    error = losses.mean(axis=1)
    other = np.mean([model.predict(X[others]) != y[others] for model in models])
    half = stats.t.ppf(0.975, SEEDS - 1) * error.std(ddof=1) / SEEDS**0.5
    return float(error.mean() - other), float(half)


def marked() -> Any:
    """Simulate 2,100 answers of a chatbot: whether each is wrong, and the judge's verdict."""
    rng = np.random.default_rng(8)
    wrong = rng.random(2100) < 0.2
    return wrong, np.where(rng.random(2100) < 0.1, ~wrong, wrong)


def contained(groups: int, kind: str, effect: int = 8) -> Any:
    """Return the stored study's results for this number of groups and design effect."""
    at = {"groups": groups, "kind": kind, "effect": effect}
    rows = studies.load("groups")["settings"]
    return next(r["summary"] for r in rows if at.items() <= r["setting"].items())


def judged(n: int, share: float) -> Any:
    """Return the stored study's results for a judge and a number of human labels."""
    at = {"kind": "machine", "n": n, "share": share}
    rows = studies.load("elsewhere")["settings"]
    return next(r["summary"] for r in rows if r["setting"] == at)


# Phrases with computed numbers: a test looks for each in the prose, and lists all other numbers


@cache
def numbers() -> list[str]:
    """Return the chapter's phrases whose numbers are computed, rounded as in the text."""
    test, reports = turned_digits(), digit_reports()
    rows, short, proven = reports["rows"], reports["t"], reports["proven"]
    n, wrong = len(test.truth), int((test.truth != test.predicted).sum())
    rate, deff = wrong / n, proven.design_effect
    ratio = (proven.high - proven.low) / (rows.high - rows.low)

    def missed(size: int, correlation: float) -> int:
        intervals = [test[1] for test in grouped_tests(size, correlation)]
        return sum(not low <= ERROR <= high for low, high in intervals)

    gap, halves = forests()
    twenty, two_hundred = contained(20, "mixed"), contained(200, "mixed")
    bad = contained(20, "few bad", 0)
    tuned = [judged(count, share)["tuned"] for count in (100, 400) for share in (0.02, 0.1, 0.3)]
    return [
        f"each of {PICTURES} test digits to eight angles",
        f"gets {wrong} of the {n} pictures wrong",
        f'"{rate:.1%} (95% interval {outward(rows.low, rows.high)})"',
        f"By counting to {n}",
        f"as much as {n / deff:.0f} independent ones",
        f"an approximate interval {(short.high - short.low) / (rows.high - rows.low):.1f} times as "
        f"wide, a proven one {ratio:.1f} times",
        f"Row by row, {missed(10, 1.0)} of 50 miss",
        f"nearly doubles the variance: {missed(10, 0.1)} miss",
        f"leave the interval at **{np.sqrt((1 + 9 * 0.8) / 10):.0%}** of its width",
        f"misses the truth in **{int((np.abs(gap) > halves).sum())} of {SPLITS}** test sets",
        f"true error in only {twenty['robust']:.0%} of the tests",
        f"classifiers different in {two_hundred['mcnemar']:.0%} of the tests",
        f"contains the truth in {bad['robust']:.0%} of the tests",
        f"Korn and Graubard's contains it in {np.floor(100 * bad['korn']):.0f}%",
        f"true error in only {judged(100, 0.02)['naive']:.0%} of the tests",
        f"contained the true error in at least {min(tuned):.1%}",
        f"On {PICTURES} test digits at eight angles each, the error rate was {rate:.1%} "
        f"(95% interval {outward(proven.low, proven.high)}, proven, with digits as groups, "
        f"design effect {deff:.1f})",
    ]


# Edits that the reader is asked to make; a test runs the notebook with each of them
BREAKS = {
    "It gives 15.0% to 20.0%, about": (
        "cluster_t(wrong, test.digit)", "cluster_t(wrong, np.arange(960))",
        lambda book: "It gives {}, about".format(
            outward(*book["cluster_t"]((book["test"].predicted != book["test"].truth) * 1.0,
                                       np.arange(960)))
        ),
    ),
    "100 labels, 19.0%: without": (
        "more, trust=1.0", "more, trust=0.0",
        lambda book: f"100 labels, {book['corrected'](*book['marks']):.1%}: without",
    ),
}  # fmt: skip


GIVEN = [
    *(
        "here the 960 pictures",
        "`cluster_t(wrong, np.arange(960))`",
        "as if 960 digits",
        "`trust=0.0`",
    ),
    *(
        "45 minutes",
        "0/1 losses",
        "Three lines",
        "Three of Ida's patients",
        "have three scans each",
    ),
    *("patient all three scans", "makes nine rows but only three answers"),
    *(
        "1. The units",
        "2. Say",
        "3. Cheap labels",
        "(0 if they",
        "1 if they are",
        "eight views",
    ),
    *("test set of 40 groups", "true error is 15%", "correlation of 0.1", "with ten rows in each"),
    *("twenty times as rich", "one test of twenty", "needs forty times"),
    *("ask the same prompt ten times", "Ten answers that correlate by 0.8", "40 prompts stay 40"),
    *(
        "five seeds",
        "five models",
        "spread of the five",
        "on 20 test sets",
        "sixth",
        "1,000 rows",
        "200 digits",
    ),
    *("groups of 1 to 20 examples", "With 20 groups and a design effect of 8", "instead of 5%"),
    *("If 3% of the groups", "and 1% of all other rows", "then with 20 groups of ten"),
    *("marked 100 answers", "and 2,000 more", "wrong on 2% of the answers"),
    *("a digit for eight examples", "Explore: fifty tests", "you get ten answers"),
    # guesses
    *("holds ten copies", "all 400 rows", "of the 50 intervals", "two or three", "about ten"),
    *(
        "Ten copies make the interval three",
        "is three times too narrow",
        "40 prompts, answered once",
    ),
    *(
        "for ten answers",
        "correlate by 0.8",
        "nine tenths",
        "for ten times as many",
        "Forty prompts",
    ),
    *("stay forty", "from 200 groups down to 20", "than in 5% of the tests", "from 20 numbers"),
    *("than 20 single examples", "100 human labels", "three in ten wrong"),
    *("Five seeds, one test set of 200 digits", "the five errors", "many of 20 test sets", "1 4 9"),
    "easy for all five",
    # exercises and notes
    *(f"**6.{number}**" for number in range(1, 6)),
    *(
        "100 patients have four scans",
        "correlate by 0.5",
        "are the 400 worth",
        "25 conversations of",
    ),
    *("eight answers each, and", "at 95%, counts"),
    *("train five seeds, and all five models predict the same 200", "digits: 1,000 rows"),
    *(
        "marks 50 answers, 10 of them",
        "14 of these 50 wrong, and 25% of 1,000",
        '`exercises.hint("6.5")`',
        "two-sided 95% interval for its error rate is proven",
    ),
]
