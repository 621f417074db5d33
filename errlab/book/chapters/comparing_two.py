"""Is A really better than B? What the chapter draws, asks and states."""

from functools import cache
from itertools import pairwise
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from errlab import compare
from errlab._style import BLUE, VERMILION, styled
from errlab.book import explore, guesses, labs, outward, show
from errlab.book.chapters import WORDS
from errlab.book.plots.compare import METHODS, plot_discordant, plot_mcnemar_size

GUESSES = guesses.load(__file__)

OLD, NEW, EMAILS = 60, 51, 300  # errors of the old and the new filter on the same emails
SHARED = 35  # errors that both make, in the lab

KINDS = (
    ("both are wrong", "X", "0.4"),
    ("only the old", "^", BLUE),
    ("only the new", "o", VERMILION),
    ("neither", ".", "0.8"),
)


# Pictures, in the order of the chapter


def same_scores() -> Any:
    """Show the emails behind the same two scores, when nearly all errors are shared or few are."""
    shares = (51, 10)

    @styled
    def draw() -> Figure:
        figure, panels = plt.subplots(1, len(shares), figsize=(4.8, 2.2))
        x, y = np.divmod(np.arange(EMAILS), 15)  # columns of 15 emails
        for ax, shared in zip(panels, shares, strict=True):
            ends = np.cumsum([0, shared, OLD - shared, NEW - shared, EMAILS - OLD - NEW + shared])
            for (who, mark, colour), (i, j) in zip(KINDS, pairwise(ends), strict=True):
                ax.plot(x[i:j], y[i:j], mark, color=colour, label=who)
            ax.set(aspect="equal", ylim=(15, -1), title=f"{shared} errors are shared")
            ax.axis("off")
        names = ax.get_legend_handles_labels()
        figure.legend(*names, loc="outside lower center", ncols=4, handlelength=1)
        return figure

    few, many = (OLD + NEW - 2 * shared for shared in shares)
    return show(
        draw(),
        f"Both panels show {OLD} errors against {NEW}. Only the coloured emails can tell which "
        f"filter is better: {few} on the left, {many} on the right.",
        alt=f"Two grids of {EMAILS} marks. On the left {OLD - 51} triangles, emails that only the "
        f"old filter gets wrong, and no circle; on the right {OLD - 10} triangles and {NEW - 10} "
        "circles.",
    )


def discordant() -> Any:
    """Guess, then explore how the discordant emails of two equal filters fall."""

    def draw(shared: int) -> Any:
        old, new = OLD - shared, NEW - shared
        ax = plot_discordant(old, new)
        ax.set(xlim=(-46, 46), ylim=(0, 0.34), xlabel="errors of the old minus errors of the new")
        p = compare.mcnemar(old, new).pvalue
        ax.set_title(f"only the old wrong on {old}, only the new on {new}:\np = {p:.4f}")
        return ax

    def alt(shared: int) -> str:
        p = compare.mcnemar(OLD - shared, NEW - shared).pvalue
        coins = OLD + NEW - 2 * shared
        return f"{coins} discordant emails; a difference of 9 or more has probability {p:.4f}"

    display(GUESSES["discordant"])
    return explore(
        draw,
        shared=[0, 10, 20, 30, 35, 40, 43, 45, 47, 48, 49, 50, 51],
        start={"shared": 10},
        labels={"shared": "emails that both get wrong"},
        caption="The fewer coins, the rarer a difference of nine or more (hatched).",
        alt=alt,
    )


def type_i_error() -> Any:
    """Guess, then explore how often four tests call two equal classifiers different."""

    def draw(n: int) -> Any:
        ax = plot_mcnemar_size(n, disagree=np.geomspace(0.01, 1, 45))
        ax.set(ylim=(0, 0.115), xlim=(0.009, 1.1))
        return ax

    def alt(n: int) -> str:
        rates = [float(compare.mcnemar_power(n, 0.1, 0.1, method=m)) for m in METHODS]
        return (
            "when they disagree on 20% of the examples, exact {:.3f}, mid-p {:.3f}, z {:.3f}, "
            "corrected chi-squared {:.3f}"
        ).format(*rates)

    display(GUESSES["type_i_error"])
    return explore(
        draw,
        n=[10, 20, 30, 50, 100, 200, 500],
        start={"n": 500},
        labels={"n": "test examples"},
        caption="Only the exact test and chi2-corrected, which copies it, stay below the level.",
        alt=alt,
    )


def pair() -> Any:
    """Guess, then try your own four counts."""
    display(GUESSES["pair"])
    only_a, only_b = OLD - SHARED, NEW - SHARED
    neither = EMAILS - SHARED - only_a - only_b
    return labs.Pair(both=SHARED, only_a=only_a, only_b=only_b, neither=neither)


# Data


@cache
def tumours() -> Any:
    """Train Ida's two models; return 200 true labels, and what A and B predict for them."""
    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=200, random_state=3)
    a = KNeighborsClassifier().fit(X_train, y_train)
    b = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    return y_test, a.predict(X_test), b.predict(X_test)


# Numbers: a test looks for these phrases in the prose, and for numbers outside of them


@cache
def numbers() -> list[str]:
    """Write the phrases of the chapter whose numbers are computed, rounded as they stand there."""
    p = [compare.mcnemar(OLD - shared, NEW - shared).pvalue for shared in range(NEW + 1)]
    limit = next(shared for shared in range(NEW + 1) if p[shared] <= 0.05)
    gap = WORDS[OLD - NEW]

    y, a, b = tumours()
    ida = compare.mcnemar_table(y, a, b)
    only_a, only_b = ida[0, 1], ida[1, 0]
    chance = compare.mcnemar(only_a, only_b).pvalue
    low, high = 100 * np.array(compare.paired_difference(ida, method="exact").interval)

    only_old, only_new = OLD - SHARED, NEW - SHARED
    table = [[SHARED, only_old], [only_new, EMAILS - SHARED - only_old - only_new]]
    paired = 100 * np.array(compare.paired_difference(table, method="exact").interval)
    apart = 100 * np.array(compare.two_proportions(OLD, EMAILS, NEW, EMAILS).interval)
    most = outward(-paired[0], spec=".1f")  # points that the new filter may be worse
    return [
        f"gets {OLD} of {EMAILS} test emails wrong, the new one {NEW} of the same {EMAILS}",
        f"fixed {gap} emails and broke none",
        f"{gap} is ordinary luck",
        f"as uneven as {OLD} against {NEW}",
        f"line stays at {gap}",
        f"from **{limit} shared errors** on is {gap} too much for luck",
        f"The counts stay at {OLD} and {NEW}",
        f"With {OLD + NEW - 2 * 15} coins still in the air, a difference of {gap}",
        f"Even {OLD + NEW - 2 * 30} coins differ by {gap} or more",
        f"{gap.capitalize()} is a lot only when",
        f"Of {len(y)} tumours that neither",
        f"five nearest neighbours, gets {(a != y).sum()} wrong",
        f"logistic regression, only {(b != y).sum()}.",
        f"Only A is wrong on {only_a} tumours, only B on {only_b}",
        f"so unevenly in {chance:.1%} of tosses",
        f"just {WORDS[4]} examples, all {WORDS[4]} fall on one side "
        f"{compare.mcnemar_size(4, method='z'):.1%} of the time",
        f"higher by {outward(low, high, '.1f')} points",
        f"between {most} points better and {outward(paired[1], spec='.1f')} points worse",
        f"interval {np.ptp(apart) / np.ptp(paired) - 1:.0%} wider",
        f"because {gap} errors are a smaller fraction",
        f"With {SHARED} shared errors the new filter is at most {most} points worse",
        f"Had the two filters shared {SHARED} errors",
        f"starts with {SHARED} shared errors",
    ]


GIVEN = [
    "45 minutes",
    "bounds for 0/1 losses",
    "makes 7 errors in 200. What about these 7 is luck",
    "Which 200 examples you happened to test, since another 200 would",
    "At a level of 5%",
    "significant at 5%",
    "more often than its 5%",
    "shrinks towards 0",
    "margin=0.02",
    # what guesses ask and offer
    *("about 15", "about 30", "more than 45"),
    *("Ten test examples instead of 500", "about 5%", "more than 10%"),
    "add 1,000 emails",
]
