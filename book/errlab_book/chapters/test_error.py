"""Test error and true error: the chapter's pictures, guesses and numbers."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from IPython.display import display
from scipy.spatial import KDTree
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from errlab import datasets, losses
from errlab.style import Look, styled
from errlab_book import explore, guesses, show
from errlab_book.figures import figure_of
from errlab_book.plots.paper import ACCENT, BODY, INK, SOFT, headline, paper, spread, write
from errlab_book.plots.training import plot_gaps, plot_line_classifier

GUESSES = guesses.load(__file__)
Vote = Callable[[Any, Any, Any, int], Any]  # a function of places, labels, new places and k

COUNTS = [1, 3, 9, 25]  # numbers of neighbours that vote on noisy data
SIZES = [50, 100, 400]  # training examples of each of the 100 classifiers


# Pictures, in the order of the chapter


def two_readers() -> Any:
    """Show two digit classifiers on their training images, and on new ones."""
    readers, trained, new = digit_readers()
    ends = [100 * error for _, error in readers.values()]

    @styled
    def draw() -> Any:
        ax = paper(350, 230)
        for (name, (start, end)), place in zip(readers.items(), spread(ends, 9), strict=True):
            bad = end > 0.5
            look: Look = {"color": ACCENT, "lw": 3, "marker": "s", "ms": 9}
            if not bad:
                look = {"color": INK, "alpha": BODY, "lw": 3, "marker": "o", "ms": 9}
            ax.plot([0, 1], [100 * start, 100 * end], clip_on=False, **look)
            words = f"{end:.1%} wrong,\n{name}"
            write(ax, words, (1, place), (10, 0), weight="bold" if bad else "normal")
        write(ax, "both 0%", (0, 0), (-16, 18), ha="center", alpha=SOFT)
        ax.set(xlim=(-0.15, 1), ylim=(-4, 100), yticks=[])
        ax.set_xticks([0, 1], [f"{trained:,}\ntraining images", f"{new}\nnew images"])
        ax.spines["bottom"].set_visible(False)
        headline(
            ax,
            f"Perfect in training, wrong on {round(max(ends) / 10)} of 10 new images",
            "Error of two digit readers",
        )
        return ax

    return show(
        draw(),
        "One nearest neighbour, trained twice: with the true labels, and after somebody had "
        "shuffled them.",
        alt="Two lines begin at the same point, no error in training. "
        f"One ends at {min(ends):.1f}%, the other at {max(ends):.1f}%.",
    )


def lookup_table() -> Any:
    """Guess the true error of a lookup table."""
    return GUESSES["lookup_table"]


def nearest(x: Any, y: Any, new: Any, k: int) -> Any:
    """Return the vote of the k nearest, in scikit-learn's form."""
    return KNeighborsClassifier(k).fit(x[:, None], y).predict(np.asarray(new)[:, None])


def on_a_line(vote: Vote = nearest, *, k: int = 1, noise: int = 10) -> Any:
    """Guess, then explore the vote of the nearest of fifty noisy examples."""

    def draw(vote: Vote, k: int, noise: int) -> Any:
        label, predict = neighbours(k, noise, vote)
        key = "Line: what the model says; marks: examples"
        ax = plot_line_classifier(positions()[0], label, predict, lambda x: plus(x, noise), key=key)
        figure_of(ax).set_figheight(235 / 72)
        return ax

    def alt(vote: Vote, k: int, noise: int) -> str:
        return "training error {:.1%}, true error {:.1%}".format(*two_errors(k, noise, vote))

    display(GUESSES["on_a_line"])
    return explore(
        draw,
        by=vote,
        k=sorted({1, 3, 5, 9, 15, 25, k}),
        noise=sorted({0, 5, 10, 20, 30, 50, noise}),
        start={"k": k, "noise": noise},
        labels={"k": "neighbours k", "noise": "flipped labels, %"},
        caption="Fifty training examples on a line, and the vote of the nearest. Orange squares: "
        "examples that the vote gets wrong.",
        alt=alt,
    )


def both_gaps() -> Any:
    """Guess, then explore the gaps of 100 classifiers on training and on fresh examples."""

    def draw(n: int, k: int) -> Any:
        names = ("on training examples", "on fresh examples")
        columns = 100 * gaps()[n][:, :, COUNTS.index(k)].T
        ax = plot_gaps(dict(zip(names, columns, strict=True)))
        # one axis for all sizes, to show how the gap shrinks
        points = [100 * of_size[:, :, COUNTS.index(k)] for of_size in gaps().values()]
        ax.set_xticks(range(-20, 41, 10))
        ax.set_xlim(np.min(points) - 2, np.max(points) + 2)
        return ax

    def alt(n: int, k: int) -> str:
        training, fresh = 100 * gaps()[n][:, :, COUNTS.index(k)].mean(axis=0)
        return f"mean gap on training examples {training:+.0f} points, on fresh ones {fresh:+.0f}"

    display(GUESSES["both_gaps"])
    return explore(
        draw,
        n=SIZES,
        k=COUNTS,
        start={"n": 100, "k": 3},
        labels={"n": "training examples", "k": "neighbours k"},
        caption="Gaps of 100 classifiers, each with training and fresh examples of its own; one "
        "label in five is flipped.",
        alt=alt,
    )


def tumour_losses() -> Any:
    """Guess the other loss of the same classifier."""
    return GUESSES["tumour_losses"]


# Data


@cache
def digit_readers() -> tuple[dict[str, tuple[float, float]], int, int]:
    """Return training error, error on new images and numbers of images of two classifiers."""
    images, digits = load_digits(return_X_y=True)
    shuffled = np.random.default_rng(0).permutation(digits)
    errors = {}
    for name, label in (("true labels", digits), ("shuffled labels", shuffled)):
        X_train, X_test, y_train, y_test = train_test_split(images, label, random_state=0)
        reader = KNeighborsClassifier(1).fit(X_train, y_train)
        errors[name] = (
            losses.hard_loss(y_train, reader.predict(X_train)).mean(),
            losses.hard_loss(y_test, reader.predict(X_test)).mean(),
        )
    return errors, len(X_train), len(X_test)


@cache
def positions() -> Any:
    """Return fifty places on the line, and fifty numbers that decide their labels."""
    rng = np.random.default_rng(4)
    return rng.random(50), rng.random(50)


def plus(x: Any, noise: float) -> Any:
    """Return the probability of the label +1 at x, if this per cent of labels is flipped."""
    return np.where(x > 0.5, 1 - noise / 100, noise / 100)


def line(noise: float) -> tuple[Any, Any]:
    """Return fifty places on the line and their labels, with this per cent flipped."""
    position, luck = positions()
    return position, np.where(luck < plus(position, noise), 1, -1)


def emails(n: int, seed: int = 0) -> tuple[Any, Any]:
    """Return emails, each represented by a number, and their labels: three in ten are spam."""
    email = np.random.default_rng(seed).random(n)
    return email, (email < 0.3).astype(int)


def neighbours(k: int, noise: float, vote: Vote = nearest) -> tuple[Any, Any]:
    """Return the labels on the line, and a function that predicts by the k nearest."""
    position, label = line(noise)
    return label, lambda x: vote(position, label, np.asarray(x), k)


def two_errors(k: int, noise: float, vote: Vote = nearest) -> tuple[float, float]:
    """Return the training error and the true error, which is an average over the line."""
    label, predict = neighbours(k, noise, vote)
    grid = np.linspace(0, 1, 2001)
    wrong = np.where(predict(grid) > 0, 1 - plus(grid, noise), plus(grid, noise))
    return losses.hard_loss(label, predict(positions()[0])).mean(), wrong.mean()


@cache
def gaps() -> dict[int, Any]:
    """Return the gaps by training size; shape 100 classifiers x training, fresh x votes."""
    population = datasets.donut(1000, label_noise=0.0, rng=1)
    of_size = {n: np.empty((100, 2, len(COUNTS))) for n in SIZES}
    for n in SIZES:
        for seed in range(100):
            train, test = (datasets.donut(n, label_noise=0.2, rng=2 * seed + i) for i in (10, 11))
            # one label in five is flipped, whatever the model predicts
            missed = (votes(train, population.X) != population.y[:, None]).mean(axis=0)
            for i, sample in enumerate((train, test)):
                error = (votes(train, sample.X) != sample.y[:, None]).mean(axis=0)
                of_size[n][seed, i] = 0.2 + 0.6 * missed - error
    return of_size


def votes(train: Any, X: Any) -> Any:
    """Label by the vote of the nearest 1, 3, 9 and 25 examples; shape len(X) x 4."""
    _, nearest = KDTree(train.X).query(X, max(COUNTS))
    labels = train.y[nearest]
    return np.sign(labels.cumsum(axis=1)[:, np.array(COUNTS) - 1])


@cache
def tumour_scores() -> tuple[Any, Any]:
    """Return the labels, -1 and +1, of 200 test tumours, and the scores of Ida's classifier."""
    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, 2 * y - 1, test_size=200, random_state=3)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    return y_test, model.decision_function(X_test)


@cache
def boosted() -> dict[int, tuple[float, float]]:
    """Return error rate and cross entropy on fresh examples after 100 and 1,000 trees."""
    train, fresh = (datasets.donut(n, label_noise=0.1, rng=s) for n, s in ((300, 1), (5000, 2)))
    grown = GradientBoostingClassifier(n_estimators=1000, max_depth=2, random_state=0)
    stages = list(grown.fit(train.X, train.y).staged_predict_proba(fresh.X))
    right = {trees: np.where(fresh.y > 0, *stages[trees - 1].T[::-1]) for trees in (100, 1000)}
    return {trees: (np.mean(p < 0.5), -np.log(p).mean()) for trees, p in right.items()}


# Phrases with computed numbers: a test looks for each in the prose, and lists all other numbers


@cache
def numbers() -> list[str]:
    """Return the chapter's phrases whose numbers are computed, rounded as in the text."""
    readers, trained, new = digit_readers()
    (zero, read), (nothing, guessed) = readers.values()
    assert zero == nothing == 0

    rng = np.random.default_rng(0)
    piles = rng.choice([0, 0, 0, 1], p=[0.50, 0.30, 0.15, 0.05], size=(5, 40)).mean(axis=1)

    table = dict(zip(*emails(100, 0), strict=True))
    missed = np.mean(
        [table.get(x, 0) != label for x, label in zip(*emails(10_000, 1), strict=True)]
    )

    noisy, coin = (two_errors(1, noise)[1] for noise in (20, 50))
    voted_training, voted = two_errors(15, 20)
    assert coin == 0.5
    assert voted_training > 0
    assert voted < noisy
    at_50, at_400 = (100 * gaps()[n][:, 0, 0].mean() for n in (50, 400))
    some, more_of_them = (gaps()[n][:, 0, COUNTS.index(9)].mean() for n in (100, 400))
    assert 2 < some / more_of_them < 3

    label, score = tumour_scores()
    hard, soft = losses.from_scores(label, score), losses.logistic_loss(label, score)
    (early, entropy), (late, more) = boosted().values()
    assert 1.8 < more / entropy < 2
    return [
        f"gets one of its {trained:,} training images wrong",
        f"On {new} images that neither had seen, the first gets {read:.1%} wrong and the second "
        f"{guessed:.1%}",
        f"Five piles of 40 emails gave this filter errors from {piles.min():.1%} to "
        f"{piles.max():.1%}",
        f"on 10,000 new ones it gets {missed:.0%} wrong",
        f"With 20% noise one neighbour gets {noisy:.0%} wrong",
        f"shrinks only from {at_50:.0f} points at 50 to {at_400:.0f} at 400",
        "with nine neighbours the gap more than halves from 100 examples to 400",
        f"gets {hard.sum():.0f} of {len(label)} tumours wrong, {hard.mean():.1%}",
        f"sure of the {len(label) - hard.sum():.0f} that it gets right",
        f"It is {soft.mean():.1%}. Both are test errors",
        f"{hard.mean():.1%}, the same",
        f"went only from {early:.0%} to {late:.0%}",
    ]


# Edits that the reader is asked to make; a test runs the notebook with each of them
def _spam(book: Any) -> str:
    assert np.mean(book["look_up"](zip(*emails(100, 0), strict=True), emails(100, 0)[0])) < 0.5
    wrong = book["answers"] != book["spam_too"]
    return f"{np.mean(wrong):.0%} of the new emails are wrong"


BREAKS = {
    "70% of the new emails are wrong": ("table.get(email, 0)", "table.get(email, 1)", _spam),
    "0.2 instead of 0.0": (
        "[:, :k]", "[:, 1 : k + 1]",
        lambda book: f"{two_errors(1, 10, book['vote'])[0]} instead of {two_errors(1, 10)[0]}",
    ),
}  # fmt: skip


GIVEN = [
    *("Say 1 to", "`table.get(email, 1)`", "is still 0%", "`[:, 1 : k + 1]`"),
    *("35 minutes", "Now set the noise back to 20%"),
    "for nine neighbours, where it falls to",
    "Guessing one digit of ten would be wrong 90% of the time",
    *("four kinds of email", "one in twenty is of the fourth", "25% 5% nobody", "one kind of four"),
    "here 1, and the true",
    "otherwise say 0",
    "0/1 loss",
    "fifty training examples on a line",
    "are -1, right of it most are +1",
    "20% of the labels are flipped",
    "and with 50% it is a coin",
    "let fifteen neighbours vote",
    "No model can beat 20%, because one label in five is wrong",
    "trained 100 classifiers",
    "every mistake cost 1",
    "## Three lines to remember",
    # from the questions and choices of guesses
    "Three emails in ten are spam, with label 1",
    *("lookup table? 0% 30% 50%", "new email, says 0", "it says 0 to"),
    *("flipped, what is the true error? 0%", "about 20%", "well above 20%"),
    "eight times as many training examples: 400 instead of 50",
    *("less than 1%", "more than 3%"),
    # exercises
    *("**1.1**", "**1.2**", "**1.3**", "**1.4**", '"1.4"'),
    "three kinds of patient",
    *("| 0.6 | 0.35 |", "| 0.3 | 0.45 |", "| 0.1 | 0.2 |"),
    *("cut to [0, 1]", "of these four?", "| +1 | -1 | -1 | +1 |", "| 0.4 | 0.2 | -1.5 | 0 |"),
    "20% of all labels are flipped",
    *("test_size=200, random_state=3", "(random_state=0)"),
    # notation and sources
    *("from 0 to 1", "Eqs. 6 and 1", "Eqs. 2, 4 and 5"),
]
