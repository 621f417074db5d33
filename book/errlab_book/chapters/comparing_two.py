"""Is A really better than B? Its pictures, guesses and numbers."""

from collections.abc import Callable
from functools import cache
from math import comb
from typing import Any

import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_score, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from errlab import compare
from errlab.style import styled
from errlab_book import explore, guesses, labs, outward, show, studies, tables
from errlab_book.chapters import WORDS
from errlab_book.plots.compare import (
    plot_discordant,
    plot_pair_sample_size,
    plot_posterior,
    plot_power,
    plot_rejections,
)
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, SOFT, headline, paper, write

GUESSES = guesses.load(__file__)

OLD, NEW, EMAILS = 60, 51, 300  # errors of the old and the new filter on the same emails
SHARED = 35  # errors that both make, in the lab
GAP, DISAGREE = 0.03, 0.1  # true difference and disagreement of the planned test
SIZES: dict[str, Any] = {"n_train": 332, "n_test": 37}  # ten folds of Ida's 369 training tumours
LARGE = 4  # boundary, in points, between small and large differences of the study
COINS = range(1, 61)  # disagreements in a picture
LEVEL, TOP = 5, 15  # per cent: the level of a test, and the picture's upper edge
PROBLEMS = {"gaussian": "two simulated clouds"}  # names in the study, and in the chapter
LEARNERS = {
    "centroid": "nearest class mean",
    "least squares": "least squares",
    "stump": "a single question",
}
FIRST = ("two simulated clouds, 300", "nearest class mean")  # initial values of the explorer
TESTS = {  # names in the study, and in the chapter
    "McNemar exact": "McNemar, exact",
    "McNemar mid-p": "McNemar, mid-p",
    "resampled t": "resampled t",
    "corrected resampled t": "corrected t",
    "10-fold t": "10-fold t",
    "5x2 cv F": "5x2 cv F",
}


# Pictures, in the order of the chapter


def same_scores() -> Any:
    """Draw the emails that exactly one filter gets wrong, if most errors are shared or few."""
    shares = (51, 10)

    @styled
    def draw() -> Axes:
        ax = paper(350, 220)
        settings = ("they fail together", "they fail apart")
        for left, shared, setting in zip((0, 18), shares, settings, strict=True):
            fixed, broken = np.arange(OLD - shared), np.arange(NEW - shared)
            # columns of five dots, beginning at the middle line
            ax.plot(left + fixed // 5, 1 + fixed % 5, "o", color=INK, alpha=BODY, ms=6, mew=0)
            ax.plot(left + broken // 5, -1 - broken % 5, "s", color=ACCENT, ms=6, mew=0)
            beside = left + 0.5 + max(fixed // 5)
            write(ax, f"{OLD} → {NEW} errors", (left - 0.7, 7.4), (0, 0), weight="bold")
            write(ax, f"{len(fixed)} fixed", (beside, 3))
            write(ax, f"{len(broken)} broken", (beside, -3))
            write(ax, setting, (left - 0.7, -7.4), (0, 0), alpha=SOFT)
            ax.plot([left - 0.7, left + 10], [0, 0], color=INK, lw=1)
        ax.set(xlim=(-0.8, 34), ylim=(-8, 8), xticks=[], yticks=[])
        ax.spines["bottom"].set_visible(False)
        headline(
            ax, f"The same scores, though one new filter broke {NEW - shares[1]} emails",
            "Each mark: an email that only the old filter (dot) or only the new one (square) "
            "gets wrong",
        )  # fmt: skip
        return ax

    return show(
        draw(),
        f"Left, the filters share {shares[0]} errors; right, only {shares[1]}. The scores are "
        "the same.",
        alt=f"On the left {OLD - 51} dots above a line and nothing below, emails that the new "
        f"filter fixed; on the right {OLD - 10} dots above and {NEW - 10} squares below, emails "
        "that it broke.",
    )


def discordant(pvalue: Callable[..., float] | None = None, old: int = OLD, new: int = NEW) -> Any:
    """Guess, then explore how the discordant emails of two equal filters fall.

    `old` and `new` are the errors of both.
    """
    fewer = min(old, new)
    steps = [0, 10, 20, 30, 35, 40, 43, 45, 47, 48, 49, 50, 51]
    if (old, new) != (OLD, NEW):
        steps = sorted({round(fewer * part / 12) for part in range(13)})
    if old == new:  # if two filters share all errors they never disagree
        steps = [shared for shared in steps if shared < fewer]

    def draw(pvalue: Callable[..., float], shared: int) -> Any:
        ax = plot_discordant(old - shared, new - shared, pvalue=pvalue)
        ax.set(xlim=(-36, 36), xlabel="errors of A (old) minus errors of B (new)")
        return ax

    def alt(pvalue: Callable[..., float], shared: int) -> str:
        coins = old + new - 2 * shared
        p = pvalue(old - shared, new - shared)
        gap = abs(old - new)
        return f"{coins} discordant emails; a difference of {gap} or more has probability {p:.4f}"

    display(GUESSES["discordant"])
    return explore(
        draw,
        by=pvalue or coin_pvalue,
        shared=steps,
        start={"shared": 10 if 10 in steps else steps[0]},
        labels={"shared": "emails that both get wrong"},
        caption="Each disagreement is a fair coin. Hatched: as uneven as yours, or more so. The "
        "percentage in the title is what mcnemar returns.",
        alt=alt,
    )


def type_i_error(pvalue: Callable[..., float], other: Callable[..., float]) -> Any:
    """Guess, then explore how often the notebook's tests find a difference between equals."""

    @styled
    def draw(pvalue: Callable[..., float], ties: float) -> Any:
        mine = 100 * np.array([fooled(pvalue, m, ties=ties) for m in COINS])
        normal = 100 * np.array([fooled(other, m) for m in COINS])
        ax = paper(350, 270)
        ax.axhline(LEVEL, color=INK, lw=1, alpha=BODY, ls="--")
        ax.plot(COINS, normal, "o", color=INK, alpha=FAINT, ms=4, mew=0)
        within = mine <= LEVEL
        ax.plot(np.array(COINS)[within], mine[within], "o", color=INK, ms=5, mew=0)
        ax.plot(
            np.array(COINS)[~within], mine[~within].clip(max=TOP), "s", color=ACCENT, ms=6, mew=0
        )
        write(ax, "level 5%", (COINS[-1], LEVEL), (0, 8), ha="right", alpha=SOFT)
        ax.set(xlim=(0, COINS[-1] + 1), ylim=(0, TOP + 0.4), yticks=[0, 5, 10, 15])
        ax.yaxis.set_major_formatter("{x:g}%")
        ax.set_xlabel("disagreements m", loc="left")
        often = sum(mine > LEVEL)
        finding = "keeps to its level" if not often else f"breaks it at {often} of {len(COINS)}"
        headline(
            ax, f"With ties = {ties:g} your test {finding}",
            "How often equal models are called different; pale: z",
        )  # fmt: skip
        return ax

    def alt(pvalue: Callable[..., float], ties: float) -> str:
        rates = [fooled(pvalue, m, ties=ties) for m in (4, 10, 50)]
        return "with 4, 10 and 50 disagreements {:.1%}, {:.1%} and {:.1%}".format(*rates)

    display(GUESSES["type_i_error"])
    return explore(
        draw,
        by=pvalue,
        ties=[1.0, 0.5, 0.0],
        labels={"ties": "ties count"},
        caption="Each mark: all outcomes of m fair coins, added up. Squares: more often than "
        f"allowed; above {TOP}% they stand at the rim. The dark marks are those of mcnemar.",
        alt=alt,
    )


def pair(*, both: int = SHARED, only_a: int = OLD - SHARED, only_b: int = NEW - SHARED) -> Any:
    """Guess, then try your own counts of the 300 emails."""
    display(GUESSES["pair"])
    neither = EMAILS - both - only_a - only_b
    return labs.Pair(both=both, only_a=only_a, only_b=only_b, neither=neither)


def power(power: Callable[..., float]) -> Any:
    """Guess, then explore how often a difference is found, on one test set by the notebook."""

    def draw(power: Callable[..., float], n: int, disagree: int) -> Any:
        gaps = np.linspace(0, min(disagree / 100, 0.15), 16)
        return plot_power(n, disagree / 100, ["mid-p"], error=0.15, differences=gaps, power=power)

    def alt(power: Callable[..., float], n: int, disagree: int) -> str:
        p = power(n, disagree / 200 + GAP / 2, disagree / 200 - GAP / 2)
        return f"mid-p finds a true difference of 3 points with probability {p:.2f}"

    display(GUESSES["power"])
    return explore(
        draw,
        by=power,
        n=[50, 100, 200, 500, 1000],
        disagree=[5, 10, 20, 30],
        start={"n": 500, "disagree": 10},
        labels={"n": "test examples", "disagree": "disagreement, in %"},
        caption="Level 5%. One test set: mid-p. Two: as many examples each, and a true error of "
        "B of 15%. At a difference of 0 the lines show the type I error.",
        alt=alt,
    )


def examples_needed() -> Any:
    """Draw how many test examples a difference needs."""
    gaps = [0.015, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.15, 0.2]
    return show(
        plot_pair_sample_size([0.05, 0.1, 0.2], gaps),
        f"Squares: the {planned()} examples planned above, and what half that difference takes. "
        "Level 5%, mid-p; two classifiers can't differ by more than they disagree.",
        alt="Three falling lines on logarithmic axes, one above the other: the more A and B "
        "disagree, the more examples a given difference needs. On the middle one, squares mark "
        "three points and one and a half.",
    )


def tests() -> Any:
    """Guess, then explore the results of each test of two learning procedures in a study."""

    def draw(problem: str, learner: str) -> Any:
        three = study()[problem, learner]
        rates = {name: [row[test] for row in three] for test, name in TESTS.items()}
        _, less, more = (row["gain"] for row in three)
        labels = ["equal", f"{less:.1f} points\nbetter", f"{more:.1f}"]
        return plot_rejections(rates, labels)

    def alt(problem: str, learner: str) -> str:
        equal, _, better = study()[problem, learner]
        return "; ".join(
            f"{t}: equal {equal[t]:.3f}, better by {better['gain']:.1f} points {better[t]:.3f}"
            for t in ("McNemar exact", "corrected resampled t", "5x2 cv F")
        )

    display(GUESSES["tests"])
    return explore(
        draw,
        problem=list(dict.fromkeys(problem for problem, _ in study())),
        learner=list(LEARNERS.values()),
        start=dict(zip(("problem", "learner"), FIRST, strict=True)),
        labels={"problem": "problem and number of examples"},
        caption="Below: by how much A's procedure is truly better. 2,000 simulated comparisons of "
        "each kind, of nearest class means, least squares, or trees that ask a single question.",
        alt=alt,
    )


def all_settings() -> Any:
    """Return each test's frequency of false and of true findings over all settings."""
    large, small = differences()
    return tables.table(
        [
            {
                "test": name,
                "equals, worst": max(three[0][test] for three in study().values()),
                f"over {LARGE} points": np.mean([row[test] for row in large]),
                "1 point or less": np.mean([row[test] for row in small]),
            }
            for test, name in TESTS.items()
        ],
        caption=f"How often each test finds a difference: at worst among equals in {len(study())} "
        f"settings; on average over {len(large)} large and {len(small)} small true differences",
        formats=dict.fromkeys(("equals, worst", f"over {LARGE} points", "1 point or less"), ".0%"),
    )


def rope(posterior: Callable[..., Any]) -> Any:
    """Guess, then explore how probable the notebook calls each answer, by what is equivalent."""

    def draw(posterior: Callable[..., Any], points: float) -> Any:
        answers = posterior(by_fold(), points / 100)
        ax = plot_posterior(by_fold(), **SIZES, rope=points / 100, posterior=answers)
        ax.set(xlim=(-10, 15))
        return ax

    def alt(posterior: Callable[..., Any], points: float) -> str:
        answers = posterior(by_fold(), points / 100)
        return "A better {:.3f}, equivalent {:.3f}, B better {:.3f}".format(*answers)

    display(GUESSES["rope"])
    return explore(
        draw,
        by=posterior,
        points=[0, 0.5, 1, 2, 3, 4, 5, 6, 8],
        start={"points": 1},
        labels={"points": "differences that do not matter, up to ± points"},
        caption="A: nearest neighbours. B: logistic regression. From ten folds of Ida's training "
        "tumours.",
        alt=alt,
    )


# Data


@cache
def planned() -> int:
    """Return the examples that find a gap of three points if models disagree on a tenth."""
    alone = (DISAGREE + GAP) / 2, (DISAGREE - GAP) / 2
    return compare.sample_size(lambda n: compare.mcnemar_power(n, *alone, method="mid-p"))


@cache
def halves() -> Any:
    """Split the tumours: 369 to train, 200 to test."""
    X, y = load_breast_cancer(return_X_y=True)
    return train_test_split(X, y, test_size=200, random_state=3)


def procedures() -> tuple[Any, Any]:
    """Return Ida's two learning procedures, A and B, untrained."""
    return KNeighborsClassifier(), make_pipeline(StandardScaler(), LogisticRegression())


@cache
def tumours() -> Any:
    """Train Ida's two models; return 200 true labels, and what A and B predict for them."""
    X_train, X_test, y_train, y_test = halves()
    a, b = (model.fit(X_train, y_train).predict(X_test) for model in procedures())
    return y_test, a, b


def fooled(test: Callable[..., float], coins: int, **options: float) -> float:
    """Return how often a test of this many fair coins calls two equal models different."""
    chance = [comb(coins, k) / 2**coins for k in range(coins + 1)]
    rejects = [test(k, coins - k, **options) <= LEVEL / 100 for k in range(coins + 1)]
    return float(np.dot(chance, rejects))


def coin_pvalue(only_a: int, only_b: int, ties: float = 1.0) -> float:
    """Return McNemar's exact or mid-p p-value, in the chapter's form."""
    m = only_a + only_b
    chance = [comb(m, k) / 2**m for k in range(m + 1)]
    as_rare = ties * sum(c for c in chance if c == chance[only_a])
    return float(sum(c for c in chance if c < chance[only_a]) + as_rare)


@cache
def by_fold() -> Any:
    """Return the error of A minus the error of B on ten folds of the training tumours."""
    X, _, y, _ = halves()
    folds = KFold(10, shuffle=True, random_state=0)
    a, b = (cross_val_score(model, X, y, cv=folds) for model in procedures())
    return b - a  # the scores count right answers, so the sign flips


@cache
def by_half() -> Any:
    """Return the error of A minus the error of B on each half of five halvings: 5 x 2."""
    X, _, y, _ = halves()
    rows = []
    for seed in range(5):
        folds = KFold(2, shuffle=True, random_state=seed)
        a, b = (cross_val_score(model, X, y, cv=folds) for model in procedures())
        rows.append(b - a)
    return np.array(rows)


@cache
def study() -> dict[tuple[str, str], list[dict[str, float]]]:
    """Return each test's results for each problem and learner: equals, then rising differences."""
    cells: dict[tuple[str, str], list[dict[str, float]]] = {}
    for cell in studies.load("comparison_tests")["settings"]:
        s = cell["setting"]
        gain = -100 * cell["summary"]["difference"] if s["gap"] else 0.0
        row = cell["summary"] | {"gain": gain}
        problem = f"{PROBLEMS.get(s['problem'], s['problem'])}, {s['n']}"
        cells.setdefault((problem, LEARNERS[s["learner"]]), []).append(row)
    return {key: sorted(three, key=lambda row: row["gain"]) for key, three in cells.items()}


def differences() -> tuple[list[dict[str, float]], list[dict[str, float]]]:
    """Return the findings for pairs that differ by more than `LARGE` points, and by less."""
    unequal = [row for three in study().values() for row in three if row["gain"]]
    large = [row for row in unequal if row["gain"] > LARGE]
    return large, [row for row in unequal if row not in large]


# Phrases with computed numbers: a test looks for each in the prose, and lists all other numbers


def in_points(interval: Any) -> str:
    """Give an interval of error rates in points, rounded outward."""
    low, high = interval
    return outward(100 * low, 100 * high, ".1f")


@cache
def numbers() -> list[str]:
    """Return the chapter's phrases whose numbers are computed, rounded as in the text."""
    return [
        *_numbers_of_filters(),
        *_numbers_of_tumours(),
        *_numbers_of_p_values(),
        *_numbers_of_intervals(),
        *_numbers_of_sizes(),
        *_numbers_of_the_study(),
        *_numbers_of_learners(),
    ]


def _numbers_of_filters() -> list[str]:
    """Return the phrases about errors that two spam filters share."""
    p = [compare.mcnemar(OLD - shared, NEW - shared).pvalue for shared in range(NEW + 1)]
    limit = next(shared for shared in range(NEW + 1) if p[shared] <= 0.05)
    gap = WORDS[OLD - NEW]
    return [
        f"“Better: {NEW} errors, down from {OLD}.”",
        f"the same {EMAILS} emails",
        f"fixed {gap} and broke none",
        f"{gap} is ordinary luck",
        f"from **{limit} shared errors** on is {gap} too much for luck",
        f"The counts stay at {OLD} and {NEW}",
        f"With {OLD + NEW - 2 * 15} coins still in the air, a difference of {gap}",
        f"Even {OLD + NEW - 2 * 30} coins differ by {gap} or more",
        f"{gap.capitalize()} is a lot only when",
    ]


def _numbers_of_tumours() -> list[str]:
    """Return the phrases about Ida's two classifiers on the same tumours."""
    y, a, b = tumours()
    table = compare.mcnemar_table(y, a, b)
    only_a, only_b = table[0, 1], table[1, 0]
    chance = compare.mcnemar(only_a, only_b).pvalue
    exact = compare.paired_difference(table, method="exact")
    return [
        f"which of {len(y)} new tumours are malignant",
        f"the five nearest neighbours and gets {(a != y).sum()} wrong",
        f"weighs all measurements and gets only {(b != y).sum()} wrong",
        f"Only A is wrong on {only_a} tumours, only B on {only_b}",
        f"so unevenly in {chance:.1%} of tosses",
        f"On the same {len(y)} tumours only nearest neighbours (A) were wrong on {only_a}, only "
        f"logistic regression (B) on {only_b}, so B is better (exact McNemar test, p = "
        f"{chance:.3f})",
        f"{100 * exact.estimate:.1f} points higher (95% interval {in_points(exact.interval)} "
        "points",
    ]


def _numbers_of_p_values() -> list[str]:
    """Return the phrases about how often a test finds a difference between equal classifiers."""
    worst = {ties: max(fooled(coin_pvalue, m, ties=ties) for m in COINS) for ties in (1.0, 0.5)}
    assert worst[1.0] <= 0.05
    return [
        f"just {WORDS[4]} examples, all {WORDS[4]} fall on one side "
        f"{compare.mcnemar_size(4, method='z'):.1%} of the time",
        f"On {WORDS[10]} disagreements it does so {fooled(coin_pvalue, 10):.1%} of the time",
        f"{worst[0.5]:.1%} at worst",
    ]


def _numbers_of_intervals() -> list[str]:
    """Return the phrases about the difference between the filters, on one test set and on two."""
    gap = WORDS[OLD - NEW]
    only_old, only_new = OLD - SHARED, NEW - SHARED
    table = [[SHARED, only_old], [only_new, EMAILS - SHARED - only_old - only_new]]
    paired = 100 * np.array(compare.paired_difference(table, method="exact").interval)
    # the margin, in points, by which the new filter may be worse
    best_case = outward(-paired[0], spec=".1f")
    apart = compare.two_proportions(OLD, EMAILS, NEW, EMAILS, method="normal").interval
    apart_ends = in_points(apart)
    return [
        f"between {best_case} points better and {outward(paired[1], spec='.1f')} points worse",
        f"because {gap} errors are a smaller fraction",
        f"With {SHARED} shared errors the new filter is at most {best_case} points worse",
        f"Had your two filters shared {SHARED} errors",
        f"starts with {SHARED} shared errors",
        f"{apart_ends.split(' to ')[0].removeprefix('-')} points worse",
    ]


def _numbers_of_sizes() -> list[str]:
    """Return the phrases about models that disagree on a tenth and differ by three points."""
    p01, p10 = (DISAGREE + GAP) / 2, (DISAGREE - GAP) / 2
    power_at_200 = compare.mcnemar_power(200, p01, p10, method="mid-p")
    return [
        f"you find three points only {power_at_200:.0%} of the time",
        f"where A alone is wrong on {p01:.1%} of the examples and B alone on {p10:.1%}",
    ]


def _numbers_of_the_study() -> list[str]:
    """Return the phrases about the study of tests for two learners."""
    equal, *_ = study()[FIRST]
    large, small = differences()
    tiny = max(row["gain"] for row in small)
    honest = {
        test: np.mean([row[test] for row in large])
        for test in TESTS
        if max(three[0][test] for three in study().values()) < 0.1
    }
    unseen = all(np.mean([row[test] for row in small]) < 0.05 for test in honest)
    winner = TESTS[max(honest, key=lambda test: honest[test])]
    return [
        f"resampled t starts at {equal['resampled t']:.0%}",
        f"all {'twelve' if len(study()) == 12 else len(study())} settings",
        f"the {winner} finds most",
        f"Where it is {tiny:.0f} point or less, {'none' if unseen else 'some'} of them finds it",
    ]


def _numbers_of_learners() -> list[str]:
    """Return the phrases about Ida's two procedures on her training tumours."""
    X, _, labels, _ = halves()
    repeats = 15
    split = compare.resampled(*procedures(), X, labels, repeats=repeats, test_size=0.1, rng=0)
    likely: Any = compare.bayesian_correlated_t(by_fold(), **SIZES, rope=0.01).posterior
    return [
        f"On {repeats} random splits of Ida's {len(X)} training tumours",
        f"the error of A's procedure {in_points(split.interval)} points above that of B's",
        f"the difference that the folds show, **{100 * np.mean(by_fold()):.1f} points**",
        f"B's procedure is better with probability {likely.b_better:.0%}",
        f"Ten folds of the same {len(X)} tumours",
    ]


# Edits that the reader is asked to make, in the form of the chapter on the bootstrap
def _halved(book: Any) -> str:
    p = [book["mcnemar"](OLD - shared, NEW - shared) for shared in range(NEW + 1)]
    first = next(shared for shared in range(NEW + 1) if p[shared] <= 0.05)
    worst = max(fooled(book["mcnemar"], m) for m in COINS)
    return (
        f"From {first} shared errors on, instead of 47, but it calls equal filters different up to "
        f"{worst:.1%}"
    )


def _copied(book: Any) -> str:
    d, n = book["d"], len(book["d"])
    assert n == 100
    t = float(book["stats"].t.isf(0.025, n - 1))
    widths = [200 * t * (f * d.var(ddof=1)) ** 0.5 for f in (1 / n, 1 / n + 37 / 332)]
    before, corrected = widths_of_ten()
    return (
        f"The first shrinks from {before:.1f} points to {widths[0]:.1f}, the second from "
        f"{corrected:.1f} to {widths[1]:.1f}"
    )


def widths_of_ten() -> Any:
    """Return the widths of both intervals from ten folds, in points."""
    plain: Any = compare.kfold_paired_t(by_fold()).interval
    corrected: Any = compare.corrected_resampled_t(by_fold(), **SIZES).interval
    return 100 * np.diff([plain, corrected])[:, 0]


BREAKS = {
    "From 44 shared errors on, instead of 47, but it calls equal filters different up to 9.9%": (
        "return rarer + ties * as_rare", "return (rarer + ties * as_rare) / 2", _halved,
    ),
    "The first shrinks from 5.6 points to 1.5, the second from 8.2 to 5.2": (
        "d = chapter.by_fold()", "d = np.tile(chapter.by_fold(), 10)", _copied,
    ),
}  # fmt: skip


GIVEN = [
    "45 minutes",
    "bounds for 0/1 losses",
    "makes 7 errors in 200. What about these 7 is luck",
    "Which 200 examples you happened to test, since another 200 would",
    *("usually 5%", "At a level of 5%", "significant at 5%", "than its 5%", "level of 5% where"),
    "shrinks towards 0",
    *("is 1.96 for a confidence of 95%", "For a power of 80%", "brings it to 0"),
    *("margin=0.02", "the power for three points"),
    # from the questions and choices of guesses
    *("about 15", "about 30", "more than 45"),
    *("disagree on ten examples", "at most 3% of the time", "about 5%", "more than 10%"),
    *(
        "test in five lines",
        "as_rare) / 2`",
        "(`ties=0.5`)",
        "*ties* at 0.5",
    ),
    *("read 300 emails of its own", "On ten folds of Ida's", "np.tile(chapter.by_fold(), 10)"),
    "add 1,000 emails",
    *("worse by 3 points. With 200 examples", "on 10%", "on 20%"),
    *("a level of 5%", "3 points", "so near to 0", "Compare the three parts"),
    *(
        "with 200 examples and 10% disagreement",
        "answer? 1 point 3 points more than 5 points",
    ),
    # exercises
    *("**10.1**", "**10.2**", "**10.3**", "**10.4**", '"10.4"'),
    "wrong on 3 examples, B alone on 12",
    "of these 12",
    "disagree on 5% of the examples, and A to be 3 points worse",
    "a power of 80%: about",
    '`"100"`, `"400"` or `"2,000"`',
    "fail on 30 emails, only A on 12, only B, which is cheaper, on 15, and neither on 343",
    '`"1 point"`, `"2 points"` or `"4 points"`',
    "2 points worse than B, and the two to disagree on 6%",
    "a power of 80% at level 5%",
    *("Three lines to remember", "1. On the same", "2. For two", "3. *No difference"),
    *("in five versions", "Algorithm 1.1"),
    *("Four tests", "*10-fold t*", "data five times"),
]
