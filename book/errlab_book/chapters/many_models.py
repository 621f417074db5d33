"""Many models and data sets: the chapter's pictures, guesses and numbers."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from IPython.display import display
from matplotlib.axes import Axes
from scipy import special
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import errlab
from errlab import compare
from errlab.datasets import load_board
from errlab.style import styled
from errlab_book import explore, guesses, outward, show, studies, tables
from errlab_book.chapters import WORDS
from errlab_book.plots.data_sets import plot_average_ranks, plot_rank_intervals
from errlab_book.plots.paper import ACCENT, BODY, INK, SOFT, headline, paper, write
from errlab_book.widgets import redrawn

GUESSES = guesses.load(__file__)

TUMOURS = 200
EQUALS = (3, 6, 10)  # models in the simulated tests
SIZES = [200, 500, 1000, 2000, 5000, 10_000]  # images of the board
# areas under the ROC curve of four tree learners on 14 data sets (Demšar, 2006, table 6)
TREES = ("plain", "leaf size tuned", "pruning tuned", "both tuned")
AREAS = [
    [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.975, 0.975], [0.957, 0.978, 0.946, 0.970],
]  # fmt: skip


# Pictures, in the order of the chapter


def ten_pairs() -> Any:
    """Draw the p-values of Ida's ten pairs, each for itself and corrected for all."""

    @styled
    def draw() -> Axes:
        ax = paper(350, 260)
        pairs = sorted(five().pairs, key=lambda pair: pair.pvalue)
        rows = np.arange(len(pairs))
        alone = np.array([pair.pvalue for pair in pairs])
        together = np.array([pair.adjusted for pair in pairs])
        ax.axvspan(0.01, 0.05, color=INK, alpha=0.1, lw=0)
        ax.hlines(rows, alone, together, color=INK, lw=1, alpha=BODY)
        significant = alone <= 0.05
        ax.plot(alone[significant], rows[significant], "s", color=ACCENT, ms=8)
        ax.plot(alone[~significant], rows[~significant], "o", color=INK, alpha=BODY, ms=6, mew=0)
        ax.plot(together, rows, ">", color=INK, ms=6, clip_on=False)
        grown = f"{alone[0]:.3f} → {together[0]:.2f}"
        write(ax, grown, (alone[0], 0), (-4, 8), weight="bold", va="bottom")
        write(ax, "below 5%", (0.0105, len(rows) - 1), (0, 0), alpha=SOFT)
        ax.set(xscale="log", xlim=(0.01, 1), ylim=(len(rows) - 0.4, -2.2), yticks=[])
        ax.set_xticks([0.01, 0.05, 0.2, 1], ["0.01", "0.05", "0.2", "1"])
        ax.set_xticks([], minor=True)
        ax.set_xlabel("p-value")
        count = WORDS[int(significant.sum())].capitalize()
        still = int((together <= 0.05).sum()) or "none"
        headline(
            ax, f"{count} of ten pairs are significant alone, {still} when all ten count",
            "A pair's p-value as if it were the only one (dot), and as one of ten (triangle)",
        )  # fmt: skip
        return ax

    pairs = five().pairs
    alone = sum(pair.pvalue <= 0.05 for pair in pairs)
    return show(
        draw(),
        "All pairs of Ida's five models on the same tumours, sorted; the bold numbers belong to "
        "the two models she began with. How a p-value counts as one of ten is explained below.",
        alt=f"Ten rows of p-values. {alone} lie below 5%, Ida's pair lowest at "
        f"{min(pair.pvalue for pair in pairs):.3f}; corrected for all ten, none is below "
        f"{min(pair.adjusted for pair in pairs):.2f}.",
    )


def equals(correct: Callable[..., Any]) -> Any:
    """Guess, then explore how often any pair of equal models is called different, by correction."""

    @styled
    def draw(correct: Callable[..., Any], models: int) -> Axes:
        ax = paper(350, 220)
        naive, holm = fooled(correct, models)
        ax.barh(0, naive, 0.4, color=ACCENT, hatch="////", edgecolor="#ffffff", lw=0)
        ax.barh(1, holm, 0.4, color=INK, alpha=BODY, lw=0)
        # a line across both bars, with which they are compared
        ax.vlines(0.05, -1.1, 1.3, color=INK, lw=1.2)
        write(ax, f"{naive:.0%}", (naive, 0), weight="bold")
        write(ax, f"{holm:.0%}", (max(holm, 0.05), 1))
        write(ax, "5% is allowed", (0.05, -0.95), (5, 0), alpha=SOFT)
        write(ax, "each pair tested at 5%", (0.05, 0), (7, 25), weight="bold")
        write(ax, "each pair tested at a stricter level (Holm)", (0.05, 1), (7, 25))
        ax.set(xlim=(0, 0.6), ylim=(1.35, -1.15), xticks=[], yticks=[])
        ax.spines["bottom"].set_visible(False)
        headline(
            ax, f"Of {models} equal models two seem to differ {naive:.0%} of the time",
            f"How often some pair of the {models * (models - 1) // 2} is called different",
        )  # fmt: skip
        return ax

    def alt(correct: Callable[..., Any], models: int) -> str:
        naive, holm = fooled(correct, models)
        return f"at 5% each {naive:.1%}, by Holm {holm:.1%} of the tests call some pair different"

    display(GUESSES["equals"])
    return explore(
        draw,
        by=correct,
        models=list(EQUALS),
        start={"models": EQUALS[1]},
        labels={"models": "equal models"},
        caption="1,000 simulated tests of equally good models on 1,000 examples.",
        alt=alt,
    )


def five_ranks() -> tables.Table:
    """Tabulate errors and ranks of Ida's five models."""
    return tables.table(
        [(m.name, f"{m.errors}", f"{m.first} to {m.last}") for m in five().models],
        columns=["Model", f"Errors (of {TUMOURS})", "Rank"],
    )


def board_ranks(rank_range: Callable[..., Any]) -> Any:
    """Guess, then explore the possible ranks of ten networks of a public board."""

    def ranked(rank_range: Callable[..., Any], n: int) -> Any:
        comparison = board(n)
        models = []
        for model in comparison.models:
            first, last = rank_range(model.name, comparison.pairs, len(comparison.models))
            models.append(model._replace(first=int(first), last=int(last)))
        return replace(comparison, models=tuple(models))

    def draw(rank_range: Callable[..., Any], n: int) -> Axes:
        return plot_rank_intervals(ranked(rank_range, n))

    def alt(rank_range: Callable[..., Any], n: int) -> str:
        models = ranked(rank_range, n).models
        return "; ".join(f"{m.name}: {m.first} to {m.last}" for m in models)

    display(GUESSES["board_ranks"])
    return explore(
        draw,
        by=rank_range,
        n=SIZES,
        start={"n": SIZES[0]},
        labels={"n": "test images"},
        caption="A to J: the order of the ten networks on all 10,000 images. The bars are right "
        "all at once with a confidence of 95%.",
        alt=alt,
    )


def against_baseline() -> tables.Table:
    """Tabulate the differences of Ida's other models from logistic regression."""
    rows = [
        (p.a, outward(100 * p.low, 100 * p.high, "+.1f"), f"{p.adjusted:.3f}")
        for p in against().pairs
    ]
    return tables.table(
        rows,
        columns=["Model", "Difference, in points", "p (Holm)"],
        caption="Success rate minus that of logistic regression: intervals that contain all four "
        "differences with a confidence of 95%",
    )


def baseline() -> Any:
    """Guess how a baseline changes the p-value of Ida's pair."""
    return GUESSES["baseline"]


def agreeing(critical_difference: Callable[..., float]) -> Any:
    """Guess, then explore the average ranks of procedures that all data sets rank alike."""

    def draw(critical_difference: Callable[..., float], procedures: int, sets: int) -> Axes:
        distance = critical_difference(procedures, sets)
        return plot_average_ranks(replace(agreed(procedures, sets), critical_difference=distance))

    def alt(critical_difference: Callable[..., float], procedures: int, sets: int) -> str:
        distance = critical_difference(procedures, sets)
        verdict = "differ" if distance <= 1 else "are not told apart"
        return f"critical difference {distance:.2f}; neighbours are 1 apart and {verdict}"

    display(GUESSES["agreeing"])
    return explore(
        draw,
        by=critical_difference,
        procedures=[3, 5, 10],
        sets=[5, 10, 20, 50, 100, 200],
        start={"procedures": 5, "sets": 10},
        labels={"sets": "data sets"},
        caption="All data sets put the procedures in the same order. Squares: not told from the "
        "best. Each procedure that you add makes the lines of all others longer.",
        alt=alt,
    )


@redrawn
def trees(average_ranks: Callable[..., Any], critical_difference: Callable[..., float]) -> Any:
    """Draw the average ranks of four versions of a tree learner, as the notebook computes them."""
    distance = critical_difference(*np.shape(AREAS)[::-1])
    comparison = replace(
        four(), ranks=average_ranks(1 - np.array(AREAS)), critical_difference=distance
    )
    ranks = np.sort(comparison.ranks)
    over = distance - (ranks[-1] - ranks[0])

    @styled
    def draw() -> Axes:
        ax = plot_average_ranks(comparison)
        # too small to be seen
        end = (ranks[-1] + distance / 2, len(ranks) - 1)
        words = "reaches in" if over >= 0 else "ends before it"
        write(ax, f"{words} by {abs(over):.2f}", end, (0, 13), ha="right", weight="bold")
        return ax

    return show(
        draw(),
        "Four versions of the tree learner C4.5. Tuned are the smallest leaf, how much is pruned, "
        "both, or neither. Squares: not told from the best.",
        alt="All four lines meet the grey strip of the best, which has both parameters tuned, "
        f"the last one only by {over:.2f}.",
    )


# Data


@cache
def predictions() -> tuple[Any, dict[str, Any]]:
    """Train Ida's five models; return 200 true labels, and what each model predicts."""
    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=TUMOURS, random_state=3)
    models = {
        "nearest neighbours": KNeighborsClassifier(),
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "LDA": LinearDiscriminantAnalysis(),
        "naive Bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    return y_test, {name: m.fit(X_train, y_train).predict(X_test) for name, m in models.items()}


@cache
def five() -> Any:
    """Compare Ida's five models in all pairs."""
    return errlab.models(*predictions())


def long_table() -> pd.DataFrame:
    """Return a row for each model and tumour, as evaluation tools write them."""
    y, predicted = predictions()
    rows = [
        (name, number, int(ok))
        for name, labels in predicted.items()
        for number, ok in enumerate(labels == y)
    ]
    return pd.DataFrame(rows, columns=["model", "tumour", "right"])


@cache
def against() -> Any:
    """Compare Ida's other models with logistic regression, by their right answers."""
    return errlab.models(
        long_table(), model="model", case="tumour", score="right", baseline="logistic regression"
    )


def simulated() -> list[Any]:
    """Return the settings of the stored study."""
    settings: list[Any] = studies.load("many_models")["settings"]
    return settings


@cache
def pvalues_of_equals(models: int) -> Any:
    """Return the p-values of all pairs of equal models, simulated tests x pairs."""
    # the same tests as in studies/many_models.py, from the same seeds
    setting = {"kind": "equal", "k": models, "n": 1000}
    digest = hashlib.sha256(json.dumps(setting, sort_keys=True).encode()).hexdigest()
    words = [int(digest[i : i + 8], 16) for i in (0, 8)]
    first, second = np.triu_indices(models, 1)
    tests = []
    for repetition in range(1000):
        seed = np.random.SeedSequence([1979, *words], spawn_key=(repetition,))
        rng = np.random.default_rng(seed)
        # each example has its own difficulty
        hard = rng.choice([0.25, 1.0, 2.5], 1000, p=[0.4, 0.4, 0.2])
        wrong = (rng.random((models, 1000)) < 0.12 * hard).astype(int)
        # examples that the row's model gets wrong and the column's model right
        alone = wrong @ (1 - wrong).T
        a, b = alone[first, second], alone[second, first]
        tests.append(np.minimum(1, 2 * special.bdtr(np.minimum(a, b), a + b, 0.5)))
    return np.array(tests)


def fooled(correct: Callable[..., Any], models: int) -> tuple[float, float]:
    """Return how often any pair of equals is called different: at 5% each, and corrected."""
    alone = pvalues_of_equals(models)
    corrected = np.array([correct(p) for p in alone])
    return float((alone.min(1) <= 0.05).mean()), float((corrected.min(1) <= 0.05).mean())


@cache
def board(n: int) -> Any:
    """Compare ten networks on the first n images: every third of a public board."""
    losses = load_board("cifar10").losses["test"]
    rows = losses[losses.mean(axis=1).argsort()[::3]]
    ten = {f"network {letter}": row for letter, row in zip("ABCDEFGHIJ", rows, strict=True)}
    return errlab.models(
        scores={name: row[:n] for name, row in ten.items()}, higher_is_better=False
    )


@cache
def agreed(procedures: int, sets: int) -> Any:
    """Compare procedures that all data sets rank in the same order."""
    ends = {1: "st", 2: "nd", 3: "rd"}
    names = [f"always {place}{ends.get(place, 'th')}" for place in range(1, procedures + 1)]
    return compare.friedman(np.tile(np.arange(procedures) / 10, (sets, 1)), names=names)


@cache
def four() -> Any:
    """Compare the four tree learners."""
    return compare.friedman(1 - np.array(AREAS), names=TREES)


# Phrases with computed numbers: a test looks for each in the prose, and lists all other numbers


@cache
def numbers() -> list[str]:
    """Return the chapter's phrases whose numbers are computed, rounded as in the text."""
    y, predicted = predictions()
    smallest = min(five().pairs, key=lambda pair: pair.adjusted)
    wrong = np.column_stack([labels != y for labels in predicted.values()])
    cochran = compare.cochran_q(wrong).pvalue
    best = five().models[0]
    settled = sum(m.first == m.last for m in board(10_000).models)
    covered = min(row["summary"]["ranks"] for row in simulated())
    near = min(against().pairs, key=lambda pair: pair.adjusted).adjusted
    loss = 1 - np.array(AREAS)
    signed = compare.wilcoxon(loss[:, 0] - loss[:, 3]).pvalue
    bayes = compare.bayesian_signed_rank(loss[:, 0] - loss[:, 3], rope=0.01, rng=0).posterior
    assert bayes is not None
    thousand = board(1000).models[0]
    # how many data sets ten procedures need for a critical difference of one rank
    n_data_sets = int(np.ceil(100 * float(agreed(10, 100).critical_difference) ** 2))
    return [
        f"On Ida's {len(y)} tumours logistic regression beat nearest neighbours, "
        f"p = {smallest.pvalue:.3f}",
        f"pair has grown from {smallest.pvalue:.3f} to **{smallest.adjusted:.2f}**, although it "
        f"is the smallest of the {WORDS[len(five().pairs)]}",
        f"so its {smallest.pvalue:.3f} answers her question, and {smallest.adjusted:.2f} answers "
        "the reviewer's",
        f"(p = {cochran:.3f}). So something differs, but {len(y)} tumours",
        f"With {SIZES[0]} images the leader of the {WORDS[len(board(200).models)]} may hold any "
        f"rank from 1 to {board(200).models[0].last}",
        f"It is {thousand.first} to {thousand.last} for the leader, which on those images is "
        f"{thousand.name[-1]}",
        f"only **{WORDS[settled]} of the {WORDS[len(board(200).models)]}** ranks are settled",
        f"In our simulations they did so at least {covered:.1%}",
        f"It falls to {near:.3f}",
        f"It takes {n_data_sets} data sets",
        f"must still be {agreed(10, 100).critical_difference:.2f} average ranks apart",
        f"against logistic regression is {smallest.adjusted:.2f}",
        f"compared {WORDS[len(AREAS[0])]} versions of a tree learner on {len(AREAS)} data sets",
        f"The four differ (exactly: p = {four().pvalue:.3f})",
        f"better than the plain one (p = {signed:.3f})",
        f"better with probability {bayes.b_better:.0%}",
        f"nearest neighbours (exact McNemar test, > p = {smallest.pvalue:.3f})",
        f"Among all {WORDS[len(five().pairs)]} pairs no difference is shown",
        f"smallest p after Holm's correction {smallest.adjusted:.2f}",
        f"Logistic regression made the fewest errors, {best.errors}, but its rank may be anything "
        f"from {best.first} to {best.last} (95% for all ranks together).",
        f"Ten equally good models, 1,000 test examples, all {10 * 9 // 2} pairs tested at 5%",
        f"With ten there are {WORDS[(10 * 9) // (6 * 5)]} times as many pairs",
    ]


# Edits that the reader is asked to make, in the form of the chapter on the bootstrap
BREAKS = {
    "6.0% of the time, which is more than the 5% allowed. There are 45 pairs": (
        "times = np.arange(len(p), 0, -1)", "times = np.arange(len(p), 0, -1) / 2",
        lambda book: (
            f"{fooled(book['holm'], 10)[1]:.1%} of the time, which is more than the 5% allowed. "
            f"There are {pvalues_of_equals(10).shape[1]} pairs"
        ),
    ),
    "0.022. This is the sign test": (
        "ranks = stats.rankdata(np.abs(d))", "ranks = np.ones(len(d))",
        lambda book: f"{book['signed_ranks'](book['d']):.3f}. This is the sign test",
    ),
}  # fmt: skip


GIVEN = [
    *("40 minutes", "Three lines to remember 1.", "2. Report", "3. Over"),
    "Reviewer 2 asks for three more models",
    "Ten pairs are ten chances",
    *("now none of the ten pairs", "Among all ten pairs, Holm's p"),
    *("about 0.13 still", "about 0.05", "about 0.013", "Four comparisons share what ten had"),
    *("only the four comparisons with the baseline share the 5%", "still meets four others"),
    *(
        "a level of 5%",
        "is at most 5%.",
        "happens at most 5% of the time",
    ),
    *("With ten models", "one question of all five", "lowest of five", "Ida's five"),
    *("corrects Ida's ten pairs", "np.arange(len(p), 0, -1) / 2", "are ten equal models now"),
    *(
        "asks about ten pairs has ten chances",
        "which* of the ten pairs differ",
        "added three models",
    ),
    *("Here are ten networks", "on all 10,000 images, J worst", "on a hundred, ten procedures"),
    *("neighbours are 1 apart", "When ten equally good models", "ten pairs and report"),
    *("rank is 1 plus", "with 10,000 images", "With probability 95% or more", "gets rank 1."),
    *(
        "one to five stars",
        "`range=(1, 5)`",
        "five answers to one prompt",
    ),
    "an error rate of 2% here and of 30% there",
    # from the questions and choices of guesses
    *(
        "5% of the time",
        "one time in three more than",
        "With six models it is about that. With ten",
    ),
    *("Forty-five chances", "with 1,000? only 1 1 to 3 1 to 6", "Five times the images"),
    *("Ten procedures", "about ten about fifty", "more than four apart"),
    # exercises
    *("**11.1**", "**11.2**", "**11.3**", "**11.4**", '"11.4"'),
    *("ran on 20 data sets, and so did three others", "on all five"),
    "Four pairs have p-values 0.01, 0.02, 0.022 and 0.3",
    *("Of six models, two", "the other four of Ida's models"),
]
