"""What to write in the paper: the chapter's pictures, guesses and numbers."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import errlab
from errlab import bootstrap, bounds, metrics
from errlab.results import PairReport
from errlab.style import Look, styled
from errlab_book import explore, guesses, labs, outward, show, tables
from errlab_book.chapters import confusion_roc, cross_validation
from errlab_book.plots.difference import draw_difference
from errlab_book.plots.paper import (
    ACCENT,
    BODY,
    INK,
    SOFT,
    headline,
    paper,
    write,
)
from errlab_book.widgets import redrawn

GUESSES = guesses.load(__file__)

NAMES = ("k-NN", "logistic")  # short, so that they fit into a lab on a phone
MARGIN = 0.02  # the margin by which the cheaper digit classifier may be worse
MOST = 0.06  # the claim about the best of many


# Pictures, in the order of the chapter


def two_claims() -> Any:
    """Show the counts of both classifiers, and the claims that they support."""
    pair = errlab.report(*predictions(), names=NAMES)

    @styled
    def draw() -> Any:
        ax = paper(350, 190)
        for row, (name, one) in enumerate(zip(pair.names, (pair.a, pair.b), strict=True)):
            upper = 100 * one.upper
            hers = name == "logistic"
            look = {"color": ACCENT} if hers else {"color": INK, "alpha": BODY}
            ax.plot([0, upper], [row, row], lw=9, solid_capstyle="butt", **look)
            ax.plot(100 * one.rate, row, "|", color=INK, ms=17, mew=2.5)
            if hers:
                ax.plot(upper, row, "s", color=ACCENT, ms=11)
            bold = "bold" if hers else "normal"
            write(
                ax, f"{name}: {one.errors} errors, {one.rate:.1%}", (0, row), (0, 17), weight=bold
            )
            write(ax, f"at most {outward(one.upper)}", (upper, row), (10, 0), weight=bold)
        ax.set(xlim=(0, 14.5), ylim=(1.5, -0.8), yticks=[], xticks=[0, 5, 10])
        ax.xaxis.set_major_formatter("{x:g}%")
        headline(
            ax, f"{pair.b.errors} errors in {pair.b.n}: the truth may be {outward(pair.b.upper)}",
            "Line: error rate counted; bar: what it may be",
        )  # fmt: skip
        return ax

    return show(
        draw(),
        f"Ida's two classifiers on {pair.b.n} tumours; k-NN: nearest neighbours. Square: the bound "
        "that she prints, 95% confidence.",
        alt="Two bars from 0. Nearest neighbours (k-NN): "
        f"{pair.a.errors} errors, up to {outward(pair.a.upper)}. "
        f"Logistic: {pair.b.errors} errors, up to {outward(pair.b.upper)}, marked.",
    )


def paste() -> Any:
    """Guess, then paste a file of predictions."""
    rows = [("y_true", *NAMES), *zip(*predictions(), strict=True)]
    display(GUESSES["paste"])
    return Pasted(text="\n".join(map(",".join, rows)))


class Pasted(labs.Predictions):
    """The lab of a table; where scripts can't run, the comparison on one line."""

    def plot(self) -> Axes:
        """Return the picture of the difference, with zero beside it."""
        pair = self.report
        # a table pasted into the notebook may have a single classifier
        return draw_difference(pair) if isinstance(pair, PairReport) else super().plot()


def tries(of_tries: Callable[..., float]) -> Any:
    """Guess, then explore the notebook's bound of the best classifier by the number of tries."""

    @styled
    def draw(of_tries: Callable[..., float], tried: int) -> Any:
        def bound(tried: int) -> float:
            return 100 * of_tries(3, 200, tried)

        m = np.unique(np.geomspace(1, 1000, 60).round().astype(int))
        ax = paper(350, 260)
        # end at the data: where the bound exceeds the claim is the question of the guess
        m = np.append(m[m < tried], tried)
        ax.plot(m, [bound(k) for k in m], color=INK, lw=2)
        one, corrected = float(bound(1)), float(bound(tried))
        # the price of trying many: how much higher the bound is than for a single classifier
        ax.plot([1, tried], [one, one], color=INK, alpha=BODY, lw=1, ls=":")
        ax.plot([tried, tried], [one, corrected], color=ACCENT, lw=3)
        ax.plot(tried, corrected, "s", color=ACCENT, ms=9, clip_on=False)
        # on the side of the bound where the claim's line isn't
        write(
            ax,
            "bound",
            (tried, corrected),
            (9, 10 if corrected > 100 * MOST else -12),
            weight="bold",
        )
        ax.plot([1, 1000], [100 * MOST] * 2, color=INK, alpha=BODY, lw=1)
        write(ax, f"your claim: {MOST:.0%}", (1, 100 * MOST), (4, 9), alpha=SOFT)
        ax.plot([1, 1000], [1.5] * 2, color=INK, alpha=BODY, lw=1, ls="--")
        write(ax, "counted: 1.5%", (1000, 1.5), (0, -10), ha="right", alpha=SOFT)
        # above 1,000 only the last square is labelled
        ax.set(xscale="log", xlim=(0.9, 7000), ylim=(0, 9.5), yticks=[0, 2, 4, 6, 8])
        ax.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1,000"])
        ax.minorticks_off()
        ax.spines["bottom"].set_bounds(0.9, 1000)
        ax.set_xlabel("classifiers tried on this test set")
        ax.yaxis.set_major_formatter("{x:g}%")
        percentages = (outward(one / 100), outward(corrected / 100))
        finding = f"Try {tried:,}, and the bound rises from {{}} to {{}}".format(*percentages)
        if tried == 1:
            finding = f"Try one only, and the bound is {percentages[0]}"
        headline(ax, finding, "95% bound of the best, after 3 errors in 200")
        return ax

    display(GUESSES["tries"])
    return explore(
        draw,
        by=of_tries,
        tried=[1, 2, 3, 5, 10, 20, 27, 28, 50, 100, 200, 300, 500, 1000],
        start={"tried": 10},
        labels={"tried": "classifiers tried"},
        caption="Each classifier tried gets its part of the 5%. Dotted: the bound of a single one.",
        alt=lambda of_tries, tried: f"at most {100 * of_tries(3, 200, tried):.2f}%",
    )


@redrawn
def elsewhere(error_elsewhere: Callable[..., float]) -> Any:
    """Show the notebook's error rate here, and where other fractions are malignant."""
    truth, _, predicted = predictions()
    wrong = (predicted != truth).astype(int)
    malignant = truth == "malignant"
    places = {
        "one malignant in fifty": 0.02,
        "one in ten": 0.1,
        f"here, {malignant.sum()} in {len(truth)}": float(np.mean(malignant)),
        "nine in ten": 0.9,
    }
    proven = {name: metrics.error_at_shares(wrong, truth, mix(s)) for name, s in places.items()}
    clinic = proven["one in ten"]

    @styled
    def draw() -> Any:
        ax = paper(350, 270)
        for row, (name, share) in enumerate(places.items()):
            low, high = proven[name].low, proven[name].high
            rate = 100 * error_elsewhere(wrong, malignant, share)
            chosen = name == "one in ten"
            look: Look = {"color": ACCENT} if chosen else {"color": INK, "alpha": BODY}
            ax.plot([100 * low, 100 * high], [row, row], lw=9, solid_capstyle="butt", **look)
            ax.plot(rate, row, "s" if chosen else "o", color=ACCENT if chosen else INK,
                    mec="#ffffff", ms=11 if chosen else 9, clip_on=False)  # fmt: skip
            bold = "bold" if chosen else "normal"
            write(ax, f"{name}: {rate:.1f}%", (0, row), (0, 16), weight=bold)
            write(ax, outward(low, high), (100 * high, row), (8, 0), weight=bold)
        ax.set(xlim=(0, 15), ylim=(3.4, -0.7), yticks=[], xticks=[0, 5, 10])
        ax.xaxis.set_major_formatter("{x:g}%")
        headline(
            ax,
            f"One malignant in ten: up to {outward(clinic.high)} wrong",
            "Error rate here and elsewhere; bar: 95% interval",
        )
        return ax

    return show(
        draw(),
        "If each class is as hard there as here. Marks: what error_elsewhere returns. Bars: proven "
        "95% intervals.",
        alt="Four bars from near 0: "
        + "; ".join(f"{name}, up to {outward(one.high)}" for name, one in proven.items())
        + ". A mark near the left end of each is the rate.",
    )


def margin(verdict: Callable[..., str]) -> Any:
    """Explore what the notebook's rule says of an interval, by the margin."""
    half = errlab.report(*digits(), names=("all", "every second"), margin=MARGIN)
    low, high = 100 * half.low, 100 * half.high

    @styled
    def draw(verdict: Callable[..., str], points: float) -> Any:
        ax = paper(350, 235)
        zones = ((-10.5, -points, "too much\nworse"), (-points, 0, "bearable"), (0, 2.5, "better"))
        for left, right, name in zones:
            write(ax, name, ((left + right) / 2, 1), (0, 0), ha="center")
        ax.axvline(-points, ymax=0.98, color=INK, lw=1.2, ls="--")
        ax.axvline(0, ymax=0.98, color=INK, lw=1.2)
        ax.plot([low, high], [0, 0], color=ACCENT, lw=9, solid_capstyle="butt")
        ax.plot([low, high], [0, 0], "s", color=ACCENT, ms=11)
        ax.plot(100 * half.difference, 0, "|", color=INK, ms=18, mew=2.5)
        write(ax, "counted", (100 * half.difference, 0), (0, -19), ha="center")
        ends = outward(low, high, "+.1f").replace("-", "−").split(" to ")
        for end, words in zip((low, high), ends, strict=True):
            write(ax, words, (end, 0), (0, 17), ha="center")
        ax.set(xlim=(-10.5, 2.5), ylim=(-0.9, 1.4), yticks=[], xticks=[-8, -6, -4, -2, 0, 2])
        ax.set_xlabel("error of all minus error of every second, points")
        headline(
            ax, f"A margin of {points:g} points: {verdict(low / 100, high / 100, points / 100)}",
            "Every second pixel, compared with all: 95% interval",
        )  # fmt: skip
        return ax

    def alt(verdict: Callable[..., str], points: float) -> str:
        answer = verdict(low / 100, high / 100, points / 100)
        return f"a bar from {low:.1f} to {high:.1f}, the margin at {-points:g}: {answer}"

    return explore(
        draw,
        by=verdict,
        points=[2, 4, 6, 7, 8],
        start={"points": 100 * MARGIN},
        labels={"points": "margin, points"},
        caption="Dashed: the margin. Left of 0: all pixels better. Right: half of them. The title "
        "is what verdict returns.",
        alt=alt,
    )


def checklist() -> Any:
    """Show Ida's checklist, with the answers that a program can give."""
    truth, _, predicted = predictions()
    X_train, X_test = split()[:2]
    training_rows = {row.tobytes() for row in X_train}
    copies = sum(row.tobytes() in training_rows for row in X_test)
    inside = len(X_test) - len(np.unique(X_test, axis=0))
    always = errlab.report(
        truth, np.full(len(truth), "benign"), predicted, names=("always", "logistic")
    )
    planned = next(n for n in range(3, 2000) if bounds.clopper_pearson(3 / n, n) <= 0.05)
    better = bool(always.pvalue < 0.05 and always.difference > 0)
    rows = [
        ("Is every patient there, once?", f"{len(truth)} rows, no value missing", True),
        ("Do the columns use the same labels?", "malignant, benign", set(predicted) <= set(truth)),
        ("Is a test row in the training data?", f"{copies} copies", copies == 0),
        ("Is a row in the test set twice?", f"{inside} times", inside == 0),
        (
            "Does it beat giving everyone the same answer?",
            f"always benign: {always.a.rate:.1%} errors",
            better,
        ),
        (
            "Are there enough patients for the claim?",
            f'"at most 5%" with 3 errors needs {planned}',
            len(truth) >= planned,
        ),
        (
            "Was anything scaled, selected or tuned on test rows?",
            "the scaler saw training rows only",
        ),
        ("Are the rows independent?", "one for each tumour; is a patient in twice?"),
        ("Do they come from where it will be used?", "one hospital, decades ago"),
        ("How many classifiers were tried?", "two named beforehand, three asked for after"),
        ("Which claims were fixed before the test?", "one bound, one comparison"),
    ]
    return tables.table(
        [
            dict(zip(("question", "answer", "fine"), (*row, "you must know")[:3], strict=True))
            for row in rows
        ],
        caption="Ida's checklist",
    )


# Data


@cache
def split() -> Any:
    """Split the tumours as in all chapters: 369 to train, 200 to test."""
    X, y = load_breast_cancer(return_X_y=True)
    return train_test_split(X, y, test_size=200, random_state=3)


def learners() -> dict[str, Any]:
    """Return Ida's two models, and the three that Reviewer 2 requested."""
    return {
        "nearest neighbours": KNeighborsClassifier(),
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "LDA": LinearDiscriminantAnalysis(),
        "naive Bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
    }


@cache
def predictions() -> tuple[Any, Any, Any]:
    """Return the columns of Ida's file as words: true labels, and each classifier's predictions."""
    X_train, X_test, y_train, y_test = split()
    words = np.array(["malignant", "benign"])
    a, b = (model.fit(X_train, y_train).predict(X_test) for model in [*learners().values()][:2])
    return words[y_test], words[a], words[b]


@cache
def digits() -> tuple[Any, Any, Any]:
    """Return 200 digits, and the predictions from all pixels and from every second one."""
    X, y = load_digits(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=200, random_state=0)
    every, second = (
        KNeighborsClassifier().fit(X_train[:, ::step], y_train).predict(X_test[:, ::step])
        for step in (1, 2)
    )
    return y_test, every, second


def mix(share: float) -> dict[str, float]:
    """Return the fractions of both classes for this fraction of malignant tumours."""
    return {"malignant": share, "benign": 1 - share}


# Phrases with computed numbers: a test looks for each in the prose, and lists all other numbers


@cache
def numbers() -> list[str]:
    """Return the chapter's phrases whose numbers are computed, rounded as in the text."""
    return [*_numbers_of_claims(), *_numbers_of_report()]


def _comparison() -> tuple[Any, str, str]:
    """Return the comparison of two classifiers, their difference in points, and its test."""
    pair = errlab.report(*predictions(), names=NAMES)
    points = outward(100 * pair.low, 100 * pair.high, ".1f")
    test = f"(95% interval {points}, exact McNemar test, p = {pair.pvalue:.3f})"
    return pair, f"{100 * pair.difference:.1f}", test


@cache
def five() -> Any:
    """Compare all five classifiers."""
    X_train, X_test, y_train, y_test = split()
    fitted = {name: m.fit(X_train, y_train).predict(X_test) for name, m in learners().items()}
    return errlab.models(y_test, fitted)


def _numbers_of_claims() -> list[str]:
    """Return the phrases about single claims, in the order of the text."""
    truth, _, b = predictions()
    X_train, X_test, _, _ = split()
    pair, gap, test = _comparison()
    wrong = (b != truth).astype(int)
    clinic = metrics.error_at_shares(wrong, truth, mix(0.1))
    half = errlab.report(*digits(), names=("all", "every second"), margin=MARGIN)
    largest = max(
        m for m in range(1, 99) if bounds.clopper_pearson(0.015, 200, delta=0.05 / m) <= MOST
    )
    table = confusion_roc.matrix(confusion_roc.HALF)
    return [
        f"classifier made {pair.b.errors} errors on {pair.b.n} tumours",
        f'wants "{1 - pair.b.rate:.1%} accurate"',
        f"accuracy of {1 - pair.b.rate:.1%} and significantly outperforms the baseline "
        f"({1 - pair.a.rate:.1%})",
        f'"At most {outward(pair.b.upper)}", printed beside the counts',
        f"95% at least {1 - 3 * 0.05:.0%} {0.95**3:.0%}, the product Each",
        f"set aside {pair.b.n} of {len(X_train) + len(X_test)} tumours at random",
        f"made {pair.b.errors} errors; its true error rate is at most {outward(pair.b.upper)} "
        "(95% confidence",
        f"Nearest neighbours made {pair.a.errors}, a difference of {gap} points " + test,
        f"Up to **{largest}** classifiers",
        f"missed {table.fn} of {table.fn + table.tp} malignant tumours and raised {table.fp} "
        f"false alarm in {table.fp + table.tn}",
        f"rate of {clinic.estimate:.1%} (95% interval {outward(clinic.low, clinic.high)})",
        outward(100 * half.low, 100 * half.high, "+.1f").replace("-", "−")
        + " points, lies in all three",
        f"10 × {pair.pvalue:.3f} = {min(one.adjusted for one in five().pairs):.2f}",
        f"planned two has p = {pair.pvalue:.3f}",
        f"there are {half.a.errors} errors on {len(digits()[0])} digits, with every second one "
        f"{half.b.errors}. The exact test finds no difference (p = {half.pvalue:.2f}). If you can "
        f"bear {100 * MARGIN:g} points",
    ]


def _numbers_of_report() -> list[str]:
    """Return the phrases of the report at the end of the chapter."""
    truth, _, b = predictions()
    pair, gap, test = _comparison()
    wrong = (b != truth).astype(int)
    # of the same tumours
    cv = {
        model: "{}% ({}% to {}%".format(*cross_validation.STORED[model, "this model"])
        for model in ("nearest neighbours", "logistic regression")
    }
    rank = next(one for one in five().models if one.name == "logistic regression")
    ill, p, _ = confusion_roc.tumours()
    table = confusion_roc.matrix(confusion_roc.HALF)
    recall = metrics.rate_interval(table, "recall")
    area = errlab.metric(ill, p, metric="roc_auc")
    hers = confusion_roc.bins(ill, p)
    soft = np.abs(ill - p)  # estimated probability of the other class
    return [
        f"Cross-validation of the {len(split()[0])} training tumours put the error rate of nearest "
        f"neighbours at {cv['nearest neighbours']}) and that of "
        f"logistic regression at {cv['logistic regression']}; 95%",
        f"gives {outward(*bootstrap.percentile_interval(wrong, rng=0))}; the exact interval from "
        f"the same counts is {outward(*bounds.interval('CP', errors=pair.b.errors, n=pair.b.n))}",
        f"alone was wrong on {pair.n01} tumours, logistic regression alone on {pair.n10}",
        f"is {gap} points {test}",
        f"correction {min(one.adjusted for one in five().pairs):.2f}), and its rank may be "
        f"anything from {rank.first} to {rank.last} (95% for all ranks together",
        f"found {recall.hits} of {recall.among} (95% interval of the sensitivity "
        f"{outward(recall.low, recall.high)}) and raised {table.fp} false alarm; its area under "
        f"the curve is {area.estimate:.3f} (95% interval {outward(area.low, area.high, '.3f')}",
        f"probabilities {pair.b.n - hers[0][2] - hers[-1][2]} lie between 10% and 90%",
        f"answer a probability of {soft.mean():.1%} on average (at most "
        f"{outward(bounds.upper('BET', losses=soft))}, betting bound)",
    ]


def _allowed(book: Any) -> str:
    def most(bound: Callable[..., float]) -> int:
        return max(m for m in range(1, 100) if bound(3, 200, m) <= MOST)

    return f"{most(book['of_tries'])} instead of {most(_shared)}"


def _shared(errors: int, n: int, tries: int) -> float:
    return float(bounds.upper("CP", errors=errors, n=n, delta=0.05 / tries))


def _weighed(book: Any) -> str:
    rate = book["error_elsewhere"](book["wrong"], book["malignant"], 0.1)
    return f"{100 * rate:.1f} per cent. Rare mistakes"


# Edits that the reader is asked to make, in the form of the chapter on the bootstrap
BREAKS = {
    "0 of the twenty": (
        "1.0 * X_test[:20]", "1.001 * X_test[:20]",
        lambda book: f"{book['copies'](book['X_test'], book['leaky'])} of the twenty",
    ),
    "5 instead of 27": ("tries, delta=0.05):", "tries, delta=0.01):", _allowed),
    "3.5 per cent. Rare mistakes": (
        "there = share * wrong[malignant].mean()", "there = 10 * share * wrong[malignant].mean()",
        _weighed,
    ),
}  # fmt: skip


GIVEN = [
    *("into which twenty of her test tumours", "measured the twenty", "`1.001 * X_test[:20]`"),
    *("`delta=0.01`", "allow the claim of 6% now", "ten false alarms: let", "`10 * share"),
    "is at least 95% whatever the truth is",
    *("40 minutes", "Three lines to remember", "survives all three", "[bounds for 0/1 losses]"),
    *("Reviewer 2", "because 3 errors in 1,003 are no feat if only 3 tumours", "one in ten"),
    *(
        "pixel instead of all 64",
        "first six lines",
        "six lines",
        "other five",
        "on these 200 tumours",
    ),
    *("since three errors are too few", "[Three more models.]", "Among all five"),
    *("by itself, at 95%", "[thirty examples]"),
    # from the questions and choices of guesses
    *("makes three claims at 95% confidence", "do all three hold", "there are three that"),
    *("Failures of 5% each add up to 15%", "all three rest on"),
    *(
        "adds three more models",
        "How many of the ten pairs of these five",
        "Ten pairs share the 5%",
    ),
    *("the smallest of ten p-values by ten", "none one four", "Among ten pairs a p-value of 0.013"),
    *("shown to differ at level 0.05", "Only two pairs have a p-value below 0.05"),
    *("best of several classifiers made 3 errors on 200", "at most 6%", "less than 4%"),
    *("about 3 about 30 about 300", "Three cost about one", "300 are too many", "passes 6%"),
    # exercises
    *(f"**16.{number}**" for number in range(1, 6)),
    *("the first twenty", "Suppose that 3 errors in 200 were the best of 20"),
    *(
        "error is 1.5%, significantly below the 2.0%",
        "is 1.5% with 95% confidence (200 patients, 3",
    ),
    *("best of 20 classifiers, all named", "made 3 errors on 200", "all 20, its true"),
    "most 5.9% with 95%",
    *('claim "at most 2%"', "has 100 ill patients, 12", "100 healthy ones, 3", "one in fifty"),
]
