"""Testing without a separate test set: the chapter's pictures, guesses and numbers."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from errlab import bounds, crossval
from errlab.results import measured
from errlab.style import Look, new_panels, styled
from errlab_book import explore, guesses, outward, show, studies, tables
from errlab_book.chapters import WORDS
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, SOFT, headline, paper, write

GUESSES = guesses.load(__file__)

HELD = 200  # tumours that Ida has locked away
FOLDS = (2, 5, 10, 20, 40)
SHUFFLES = (1, 2, 3, 4, 5)
NEIGHBOURS = (1, 3, 5, 9, 15, 25, 35)
TRAINED = (40, 80, 160, 320)  # tumours used to choose the number of neighbours
INTERVALS = {"usual": "normal", "corrected t": "corrected_t", "nested": "nested"}

# Stored, because these trainings of two models take too long for a live run: estimate, low and high
# in %, from `crossval.estimate(..., repeats=10, rng=0)`. `numbers` checks them.
STORED = {
    ("logistic regression", "this model"): (2.7, 0.9, 4.6),
    ("logistic regression", "this procedure"): (3.0, 0.9, 5.4),
    ("nearest neighbours", "this model"): (8.4, 3.3, 13.5),
    ("nearest neighbours", "this procedure"): (8.4, 5.1, 11.7),
}
NAMES = {"this model": "nested cross-validation", "this procedure": "corrected resampled t"}
VOTE = "the learner is a majority vote on coin flips"
NEEDS = {
    "install the model": "this model",
    "train anew": "this procedure",
    "compare learners": "this procedure",
    "prove it": "the model, on a test set",
}

TESTS: Look = {"color": ACCENT, "hatch": "///", "edgecolor": "#ffffff", "lw": 0}
TRAINS: Look = {"color": INK, "alpha": FAINT, "edgecolor": "#ffffff", "lw": 0}


# Pictures, in the order of the chapter


def who_sees_what() -> Any:
    """Show the training and test data of each model of cross-validation, and of the final one."""
    X, y = tumours()
    tested = crossval.cross_val_losses(logistic(), X, y, cv=10, rng=0)
    k = len(tested.fold_means)
    wrong = [int(tested.losses[tested.fold == i].sum()) for i in range(k)]

    @styled
    def draw() -> Axes:
        ax = paper(350, 262)
        for row in range(k + 1):
            top = row + 0.6 * (row == k)  # the final model is drawn at a distance
            for fold in range(k):
                ax.barh(top, 0.92, 0.72, fold, align="edge", **(TESTS if row == fold else TRAINS))
            note = f"model {row + 1}: {wrong[row]} wrong" if row < k else "yours: not tested"
            write(ax, note, (k, top + 0.36), weight="bold" if row == k else "normal")
        write(ax, "tests", (0.02, 0), (0, 3), va="bottom", weight="bold")
        write(ax, "trains", (2, 0), (0, 3), va="bottom", alpha=SOFT)
        ax.set(xlim=(0, k), ylim=(k + 1.4, -1), xticks=[], yticks=[])
        ax.spines["bottom"].set_visible(False)
        headline(
            ax,
            f"Cross-validation tests {WORDS[k]} models. Yours is not among them.",
            f"{len(y)} tumours in {WORDS[k]} folds: {tested.mean:.1%} wrong",
        )
        return ax

    return show(
        draw(),
        "A row for each model, a column for each fold. Orange and hatched: the fold that tests it.",
        alt=f"{k} rows of {k} bars, in each another one hatched, with the errors made on it, "
        f"{', '.join(map(str, wrong))}. Below them a row without a hatched bar: yours, not tested.",
    )


def least_squares(X: Any, y: Any) -> Any:
    """Return the classifier of least squares, for labels -1 and 1."""
    weights = np.linalg.lstsq(X, y, rcond=None)[0]
    return lambda new: np.where(new @ weights > 0, 1, -1)


def by_errlab(fit: Any, X: Any, y: Any, fold: Any) -> Any:
    """Return which examples are misclassified by the least-squares fit to the other folds."""
    return (y - crossval.cv_residuals_linear(X, y, fold) > 0) != (y > 0)


def plot_models(plane: Axes, fold: Any, wrong: Any) -> None:
    """Draw the line of each fold's model, and the forty tumours, misclassified ones in orange."""
    points, label = forty()
    design, edge = forty_tumours()[0], np.array([-3.0, 3.0])
    for f in np.unique(fold):
        b0, b1, b2 = np.linalg.lstsq(design[fold != f], label[fold != f], rcond=None)[0]
        plane.plot(edge, -(b0 + b1 * edge) / b2, color=INK, alpha=BODY, lw=1)
    for side, mark in ((-1, "^"), (1, "o")):
        plane.plot(*points[(label == side) & ~wrong].T, mark, color=INK, alpha=BODY, ms=5)
        plane.plot(*points[(label == side) & wrong].T, mark, color=ACCENT, ms=9)


def fold_models(validate: Callable[..., Any] = by_errlab, *, folds: int = 2) -> Any:
    """Guess, then explore how the fold models and their error change with the shuffle."""
    design, label = forty_tumours()

    def missed(validate: Callable[..., Any], folds: int, shuffle: int) -> Any:
        return np.asarray(validate(least_squares, design, label, shuffled(folds, shuffle)), bool)

    @styled
    def draw(validate: Callable[..., Any], folds: int, shuffle: int) -> list[Axes]:
        fold = shuffled(folds, shuffle)
        wrong = missed(validate, folds, shuffle)
        strip, plane = new_panels(
            2, figsize=(350 / 72, 370 / 72), gridspec_kw={"height_ratios": [1, 2]}
        )
        counts = [int(missed(validate, folds, other).sum()) for other in SHUFFLES]
        for place, count in enumerate(counts):  # equal counts are stacked
            mine = SHUFFLES[place] == shuffle
            look: Look = {"color": ACCENT} if mine else {"color": INK, "alpha": BODY}
            strip.plot(count, counts[:place].count(count), "s" if mine else "o", ms=9, **look)
        strip.set(xlim=(-0.5, 6.5), ylim=(-0.8, 4.8), yticks=[], xticks=range(7))
        low, high = min(counts), max(counts)
        span = f"five shuffles give {low} to {high}" if low < high else f"any shuffle gives {low}"
        headline(
            strip,
            f"With {folds} folds, {span} wrong of 40",
            f"Tumours wrong in each of five shuffles. Square: shuffle {shuffle}, drawn below",
        )
        plot_models(plane, fold, wrong)
        plane.set(xlim=(-2.2, 2.6), ylim=(-2.6, 2.6), xticks=[], yticks=[])
        plane.set_xlabel("→ radius of the largest cells", loc="left")
        write(plane, "↑ texture", (0, 1), (4, -8), of_axes=True, alpha=SOFT)
        # a place that no model's line crosses
        write(plane, "▲ malignant", (1, 1), (0, -8), of_axes=True, ha="right", alpha=SOFT)
        write(plane, "● benign", (0, 0), (4, 10), of_axes=True, alpha=SOFT)
        headline(plane, "", "A line for each fold's model; orange: wrong")
        return [strip, plane]

    display(GUESSES["fold_models"])
    return explore(
        draw,
        by=validate,
        start={"folds": folds},
        folds=sorted({*FOLDS, folds}),
        shuffle=list(SHUFFLES),
        labels={"folds": "number of folds"},
        caption="Forty of Ida's tumours, two of their measurements, least squares. "
        "A model is wrong on a tumour that its training left out.",
        alt=lambda validate, folds, shuffle: (
            f"{folds} folds, {missed(validate, folds, shuffle).sum()} of 40 wrong when left out"
        ),
    )


def folds_by_kind(sick: NDArray[np.bool_]) -> dict[str, NDArray[np.int64]]:
    """Return for each kind of split which six of 24 images are tested, two of each patient."""
    rng = np.random.default_rng(5)
    return {
        "random": rng.permutation(24)[:6],
        "stratified": np.concatenate(
            [rng.permutation(np.flatnonzero(sick))[:2], rng.permutation(np.flatnonzero(~sick))[:4]]
        ),
        "group": np.flatnonzero(np.isin(np.arange(24) // 2, rng.permutation(12)[:3])),
        "time": np.arange(18, 24),
    }


def kinds_of_split() -> Any:
    """Show four ways to choose the test fold."""
    sick = np.isin(np.arange(24) // 2, (1, 4, 6, 11))  # two images of each of twelve patients
    fold = folds_by_kind(sick)
    both = {kind: int((np.bincount(rows // 2) == 1).sum()) for kind, rows in fold.items()}
    assert (both["group"], both["time"]) == (0, 0)
    rows = {
        "random": f"at random: {WORDS[both['random']]} patients on both sides",
        "stratified": f"stratified: {WORDS[both['stratified']]}, malignant (▲) in proportion",
        "group": "by group: none",
        "time": "by time: none, and the last three test",
    }

    @styled
    def draw() -> Axes:
        ax = paper(350, 300)
        for row, (kind, note) in enumerate(rows.items()):
            for i in range(24):
                left = i + 0.5 * (i // 2)  # the images of a patient are adjacent
                tests = i in fold[kind]
                look: Look = TESTS | {"color": INK, "alpha": BODY} if tests else TRAINS
                ax.bar(left, 0.4, 0.9, row, align="edge", **look)
                if sick[i]:
                    ax.plot(left + 0.45, row + 0.2, "^", color=INK, ms=5)
                # the second image of a patient, if the test fold has only one of the two
                if i % 2 and tests != (i - 1 in fold[kind]):
                    ax.plot([left - 1, left + 0.9], [row + 0.5] * 2, color=ACCENT, lw=3)
                    ax.plot(left - 0.05, row + 0.5, "s", color=ACCENT, ms=6)
            write(ax, note, (0, row), (0, 8), weight="bold" if both[kind] else "normal")
        ax.set(xlim=(0, 30), ylim=(3.6, -0.35), xticks=[], yticks=[])
        ax.spines["bottom"].set_visible(False)
        headline(
            ax,
            f"At random, {WORDS[both['random']]} patients train and test at once",
            "Two images each of twelve patients. Hatched: tests; orange: a patient on both sides",
        )
        return ax

    return show(
        draw(),
        "Four ways to choose one fold of four. Time runs from left to right.",
        alt="Four rows of twelve pairs. At random, hatched images are strewn and split "
        f"{both['random']} pairs, each marked in orange; stratified, two malignant and four benign "
        f"ones, which split {both['stratified']}; by group, three whole pairs; by time, the last "
        "three pairs.",
    )


def columns() -> Any:
    """Guess the error on random numbers if columns are selected before the split."""
    return GUESSES["leaks"]


def leaks() -> Any:
    """Show how far each leak moves the cross-validated error."""

    @styled
    def draw() -> Axes:
        ax = paper(350, 300)
        for row, name in enumerate(reversed(LEAKS)):  # the largest leak at the top
            leaky, honest = leaky_errors()[name]
            ax.barh(row - 0.05, leaky, 0.2, **TESTS)
            ax.barh(row + 0.2, honest, 0.2, color=INK, alpha=BODY, lw=0)
            write(ax, name, (0, row - 0.05), (0, 21))
            write(ax, f"{leaky:.1f}%", (leaky, row - 0.05), weight="bold")
            write(ax, f"{honest:.1f}%", (honest, row + 0.2))
        ax.set(xlim=(0, 57), ylim=(2.45, -0.55), yticks=[], xlabel="cross-validated error")
        ax.set_xticks([0, 25, 50], ["0%", "25%", "50%"])
        leaky, honest = leaky_errors()[LEAKS[-1]]
        headline(
            ax,
            f"Choosing columns first turns {honest:.1f}% wrong into {leaky:.1f}%",
            "Hatched: with the leak; grey: without it",
        )
        return ax

    return show(
        draw(),
        "Five neighbours and one neighbour on 369 tumours; a logistic regression on 50 tumours, "
        "mean of ten shuffles.",
        alt="; ".join(
            f"{name}: {leaky:.1f}% with the leak, {honest:.1f}% without"
            for name, (leaky, honest) in leaky_errors().items()
        ),
    )


def intervals_by_target(model: str) -> dict[str, tuple[float, float, float]]:
    """Return estimate and 95% interval of a model's error for each target, in %."""
    X_test, y_test = locked_away()
    wrong = int(np.sum(fitted(model).predict(X_test) != y_test))
    low, high = bounds.interval("CP", wrong / HELD, HELD)
    return {
        "this model": STORED[model, "this model"],
        "this procedure": STORED[model, "this procedure"],
        "the model, on a test set": (100 * wrong / HELD, 100 * low, 100 * high),
    }


def targets() -> Any:
    """Guess, then choose a target and one of Ida's models, and read the interval."""
    names = NAMES | {"the model, on a test set": f"Clopper-Pearson, {HELD} more tumours"}

    def said(model: str, target: str) -> str:
        low, high = intervals_by_target(model)[target][1:]
        return outward(low / 100, high / 100)

    @styled
    def draw(need: str, model: str) -> Axes:
        ax = paper(350, 275)
        intervals = intervals_by_target(model)
        widest = max(high for _, _, high in intervals.values())
        for row, (target, (middle, low, high)) in enumerate(intervals.items()):
            mine = target == NEEDS[need]
            if mine:
                ax.barh(row, high - low, 0.16, low, **TESTS)
                ax.plot(middle, row, "s", color=INK, ms=8)
            else:
                ax.hlines(row, low, high, color=INK, lw=4, alpha=FAINT)
            look: Look = {"weight": "bold"} if mine else {"alpha": SOFT}
            write(ax, f"{target}: {said(model, target)}", (0, row), (0, 29), **look)
            write(ax, names[target], (0, row), (0, 15), alpha=SOFT)
        ax.set(xlim=(0, widest + 0.5), ylim=(2.4, -0.75), yticks=[], xlabel="error rate")
        ax.xaxis.set_major_formatter("{x:g}%")
        target = NEEDS[need]
        headline(
            ax,
            f"To {need}, quote {said(model, target)}",
            f"95% intervals for the {model}; grey: for another need",
        )
        return ax

    display(GUESSES["targets"])
    return explore(
        draw,
        need=list(NEEDS),
        model=["logistic regression", "nearest neighbours"],
        start={"need": "prove it", "model": "logistic regression"},
        labels={"need": "need", "model": "model"},
        caption="Black square: the estimate. Cross-validation: 369 tumours, ten folds, ten "
        "shuffles; five nearest neighbours.",
        alt=lambda need, model: f"{NEEDS[need]}: {said(model, NEEDS[need])}, {names[NEEDS[need]]}",
    )


def coins() -> Any:
    """Guess the result of leave-one-out for a majority vote on balanced coins."""
    return GUESSES["coins"]


def more_folds() -> Any:
    """Show bias and spread of the cross-validated error against the number of folds."""
    ks, (squares, votes) = list(SPREAD_FOLDS), folds_of_two_learners()
    truth = {"least squares": least_squares_error(40, 10), "majority vote": 0.5}
    tables_ = {"least squares": squares, "majority vote": votes}

    @styled
    def draw() -> Axes:
        ax = paper(350, 290)
        for name, mark in (("least squares", "o"), ("majority vote", "s")):
            spread = 100 * tables_[name].std(axis=0) / truth[name]
            mine = mark == "s"
            ax.plot(ks, spread, marker=mark, color=ACCENT if mine else INK)
            shift = (2, -14) if mine else (8, 8)  # below the line of its error, or beside it
            weight = "bold" if mine else "normal"
            write(ax, name, (ks[0], spread[0]), shift, weight=weight)
        ax.set(xscale="log", xlabel="number of folds", ylim=(0, 66))
        ax.yaxis.set_major_formatter("{x:g}%")
        ax.set_xticks(ks, [str(k) for k in ks])
        ax.minorticks_off()
        headline(
            ax,
            "More folds steady least squares and shake the majority vote",
            "Standard deviation, in % of the true error",
        )
        return ax

    return show(
        draw(),
        f"{len(squares):,} data sets of 40 examples for each learner; least squares has ten "
        "features of pure noise, the vote sees coin tosses. 40 folds are leave-one-out.",
        alt="The standard deviation of least squares falls with the number of folds, that of the "
        "majority vote rises, and at 20 folds they cross.",
    )


def settles() -> Any:
    """Guess whether an unstable learner's usual interval improves with more data."""
    return GUESSES["coverage"]


def coverage() -> Any:
    """Show how often three intervals contain the error of the final model."""
    rows = study()
    sizes = sorted({row["setting"]["n"] for row in rows})

    @styled
    def draw() -> Axes:
        ax = paper(350, 300)
        ax.axhspan(93, 97, color=INK, alpha=0.1, lw=0)
        far = {}
        for block, (name, key) in enumerate(INTERVALS.items()):
            at = block * (len(sizes) + 0.7) + np.arange(len(sizes))  # small panels on one axis
            far[name] = 0
            for problem in dict.fromkeys(row["setting"]["problem"] for row in rows):
                covers = np.array(
                    [
                        100 * row["summary"][f"{key}_refit"]
                        for row in rows
                        if row["setting"]["problem"] == problem
                    ]
                )
                off = np.abs(covers - 95) > 2
                ax.plot(at, covers, color=INK, lw=1, alpha=FAINT)
                ax.plot(at[~off], covers[~off], "o", color=INK, alpha=BODY, ms=5, mew=0)
                ax.plot(at[off], covers[off], "s", color=ACCENT, ms=7)
                far[name] += int(off.sum())
            write(ax, name, (at.mean(), 99), (0, 0), ha="center", weight="bold")
        ax.axhline(95, color=INK, lw=1)
        write(ax, "one nearest\nneighbour", (1.3, 88), (0, -22), alpha=SOFT)
        places = np.add.outer((len(sizes) + 0.7) * np.arange(3), np.arange(3)).ravel()
        ax.set_xticks(places, [str(n) for n in sizes] * 3)
        ax.set(ylim=(84, 100), yticks=[85, 90, 95], xlim=(-0.6, places[-1] + 0.6))
        ax.set_xlabel("examples", loc="left")
        ax.yaxis.set_major_formatter("{x:g}%")
        near = [name for name in far if not far[name]]
        assert near == ["nested"], far
        headline(
            ax,
            f"Here the {near[0]} interval alone stays within two points of 95%",
            "How often the interval contains the final model's error",
        )
        return ax

    return show(
        draw(),
        f"Four simulated problems, {rows[0]['repeats']:,} data sets a mark; squares are more than "
        "two points off.",
        alt="Three panels. "
        + "; ".join(f"{name}: lowest coverage {lowest(key)}%" for name, key in INTERVALS.items()),
    )


def votes() -> Any:
    """Show how often two intervals contain the error of a majority vote on coin tosses."""
    rows = votes_measured()
    names = list(NAMES.values())

    def share(row: Any) -> str:
        return f"{np.floor(100 * row['coverage']):.0f}%"  # rounded down, as for claims

    @styled
    def draw() -> Axes:
        ax = paper(350, 220)
        for at, row in enumerate(rows):
            mine = row["method"] == names[0]
            ax.barh(at, 100 * row["coverage"], 0.3, **(TESTS if mine else TRAINS))
            note = f"{row['method']}, {row['size']} coins: {share(row)}"
            write(ax, note, (0, at), (0, 15), weight="bold" if mine else "normal")
        ax.axvline(95, color=INK, lw=1)
        ax.set(xlim=(0, 100), ylim=(len(rows) - 0.6, -0.8), yticks=[])
        ax.set_xticks([0, 50, 95], ["0%", "50%", "95%"])
        low = min(share(row) for row in rows if row["method"] == names[0])
        headline(
            ax,
            f"For a majority vote, nested contains the error {low} of the time",
            "How often 95% intervals contain the error, 50%",
        )
        return ax

    return show(
        draw(),
        f"{rows[0]['runs'] + rows[0]['refused']} simulated data sets for each bar; labels are coin "
        "tosses, and the error is the final model's.",
        alt="; ".join(f"{r['method']}, {r['size']} coins: {share(r)}" for r in rows),
    )


def votes_measured() -> list[Any]:
    """Return the measured coverage of both intervals on the majority vote, nested first."""
    rows = [r for r in measured() if r.get("where") == VOTE and "nested" in r["method"]]
    names = list(NAMES.values())
    return sorted(rows, key=lambda row: (names.index(row["method"]), row["size"]))


def lowest_coverage() -> Any:
    """List the lowest coverage of each interval."""
    names = ("usual (normal)", *reversed(NAMES.values()))
    return tables.table(
        [
            {"interval": name}
            | {f"n = {n}": lowest(key, n=n, linear=True) for n in (50, 100, 500)}
            | {"1-NN, any n": lowest(key, linear=False)}
            for name, key in zip(names, INTERVALS.values(), strict=True)
        ],
        caption="Lowest coverage of the final model's error, in per cent: three linear problems, "
        "and one nearest neighbour (1-NN)",
        formats={f"n = {n}": ".1f" for n in (50, 100, 500)} | {"1-NN, any n": ".1f"},
    )


def noise() -> Any:
    """Guess what the lowest of five errors on coin tosses is."""
    return GUESSES["noise"]


def price_of_rule(best: int, rule: int, truth: Any) -> str:
    """Return how much the rule's choice costs, in true error, compared with the lowest point."""
    # computed from the rounded errors, as the chapter prints them
    cost = round(100 * truth[rule], 1) - round(100 * truth[best], 1)
    if best == rule:
        return "and the lowest point agree"
    if abs(cost) < 0.05:
        return "neither gains nor costs"
    return f"{'costs' if cost > 0 else 'gains'} {abs(cost):.1f} points"


def simplest(
    rule: Callable[..., Any] = crossval.one_standard_error, *, trained: int = 80, sample: int = 6
) -> Any:
    """Guess, then explore what the lowest point and the one-standard-error rule choose."""

    @styled
    def draw(choose: Callable[..., Any], trained: int, sample: int) -> list[Axes]:
        ks, means, errors, truth = neighbours(trained, sample)
        best, rule = choices(trained, sample, choose)
        upper, lower = new_panels(
            2, figsize=(350 / 72, 370 / 72), gridspec_kw={"height_ratios": [2, 1.2]}
        )
        at = np.arange(len(ks))
        upper.axhspan(0, 100 * (means[best] + errors[best]), color=INK, alpha=0.08, lw=0)
        upper.plot(at, 100 * means, color=INK, alpha=BODY, marker="o", ms=4, lw=1)
        upper.plot(at[best], 100 * means[best], "o", color=INK, ms=12, clip_on=False)
        upper.plot(at[rule], 100 * means[rule], "s", color=ACCENT, ms=8, clip_on=False)
        upper.set_xticks(at, [str(k) for k in ks])
        top = min(20, 110 * means.max())  # very large errors are outside the view
        upper.set(ylim=(-0.04 * top, top), xlim=(-0.5, len(at) - 0.5))
        upper.set_yticks([tick for tick in (0, 5, 10, 15, 20) if tick <= top])
        upper.set_xlabel("number of neighbours (simpler to the right)", loc="left")
        upper.yaxis.set_major_formatter("{x:g}%")
        both = {"lowest": best, "rule": rule}
        for row, (name, place) in enumerate(both.items()):
            look: Look = TESTS if name == "rule" else {"color": INK, "alpha": BODY, "lw": 0}
            error = 100 * truth[place]
            lower.barh(row, error, 0.3, **look)
            note = f"{name}, {ks[place]} neighbour{'s' * (ks[place] > 1)}: {error:.1f}%"
            write(lower, note, (0, row), (0, 16), weight="bold" if name == "rule" else "normal")
        lower.set(xlim=(0, 13), ylim=(1.4, -0.9), xticks=[], yticks=[])
        lower.spines["bottom"].set_visible(False)
        headline(
            upper,
            "In this one draw the rule\n" + price_of_rule(best, rule, truth),
            f"Cross-validated on {trained} tumours; disc: lowest, "
            "square: the one-standard-error rule",
        )
        headline(lower, "", "True error, on the tumours left over")
        return [upper, lower]

    display(GUESSES["simplest"])
    return explore(
        draw,
        by=rule,
        trained=sorted({*TRAINED, trained}),
        sample=sorted({1, 2, 3, 4, 5, 6, sample}),
        start={"trained": trained, "sample": sample},
        labels={"trained": "tumours", "sample": "draw"},
        caption="Grey: within one standard error of the lowest, where the rule takes the simplest.",
        alt=lambda rule, trained, sample: "lowest at {} neighbours, the rule chooses {}".format(
            *(neighbours(trained, sample)[0][i] for i in choices(trained, sample, rule))
        ),
    )


# Data


@cache
def halves() -> Any:
    """Return training data, locked-away data, and the labels of both."""
    X, y = load_breast_cancer(return_X_y=True)
    return train_test_split(X, y, test_size=HELD, random_state=3)


def tumours() -> tuple[Any, Any]:
    """Return the measurements and labels of Ida's 369 tumours."""
    X, _, y, _ = halves()
    return X, y


def locked_away() -> tuple[Any, Any]:
    """Return those of the 200 that she has locked away."""
    _, X, _, y = halves()
    return X, y


def logistic() -> Any:
    """Return the logistic regression."""
    return make_pipeline(StandardScaler(), LogisticRegression())


def near(k: int = 5) -> Any:
    """Return a nearest-neighbours model; a tree of points is fastest at this size."""
    return KNeighborsClassifier(k, algorithm="kd_tree")


@cache
def fitted(model: str) -> Any:
    """Return one of Ida's two models, trained on all 369 tumours."""
    X, y = tumours()
    return (near() if model == "nearest neighbours" else logistic()).fit(X, y)


@cache
def forty() -> Any:
    """Return two measurements of forty tumours, standardised, and labels -1 and 1."""
    X, y = tumours()
    rows = np.random.default_rng(2).permutation(len(y))[:40]
    points = X[rows][:, [20, 21]]  # largest radius and texture
    return (points - points.mean(axis=0)) / points.std(axis=0), 2.0 * y[rows] - 1


def shuffled(folds: int, shuffle: int) -> Any:
    """Return the fold of each of the forty tumours."""
    return np.random.default_rng(shuffle).permutation(np.arange(40) % folds)


def forty_tumours() -> tuple[Any, Any]:
    """Return ones and two measurements of forty tumours, and labels -1 (malignant) and 1."""
    points, label = forty()
    return np.column_stack([np.ones(40), points]), label


def wrong_of(folds: int, shuffle: int) -> Any:
    """Return which of the forty are misclassified when their fold is left out."""
    return by_errlab(least_squares, *forty_tumours(), shuffled(folds, shuffle))


def random_columns(seed: int = 0, n: int = 50) -> tuple[Any, Any]:
    """Return 1,000 random columns for some tumours, and their labels (benign or not)."""
    _, y = tumours()
    rng = np.random.default_rng(seed)
    label = y[rng.permutation(len(y))[:n]]
    return rng.normal(size=(n, 1000)), label


LEAKS = (
    "scaled before splitting",
    "a copy of each tumour in another fold",
    "best 20 of 1,000 random columns, chosen first",
)


@cache
def leaky_errors() -> dict[str, tuple[float, float]]:
    """Return the error in % with each leak, and without it."""
    X, y = tumours()

    def error(model: Any, *data: Any, rng: int = 0, **how: Any) -> float:
        return 100 * crossval.cross_val_losses(model, *data, cv=10, rng=rng, **how).mean

    scaled = StandardScaler().fit_transform(X)
    before = error(near(), scaled, y), error(make_pipeline(StandardScaler(), near()), X, y)
    # each tumour measured twice, the second time slightly differently
    again = scaled + 0.05 * np.random.default_rng(0).normal(size=scaled.shape)
    twice = np.vstack([scaled, again]), np.tile(y, 2)
    copies = error(near(1), *twice), error(near(1), *twice, groups=np.tile(np.arange(len(y)), 2))
    return dict(zip(LEAKS, (before, copies, columns_chosen(50)), strict=True))


@cache
def columns_chosen(n: int) -> tuple[float, float]:
    """Return the mean error in % if columns are selected before the folds, and inside them."""
    first, fair = 100 * np.mean([columns_of_seed(seed, n) for seed in range(10)], axis=0)
    return float(first), float(fair)


def columns_of_seed(seed: int, n: int) -> tuple[float, ...]:
    """Return both errors for one set of random columns."""
    columns, labels = random_columns(seed, n)
    best = SelectKBest(f_classif, k=20)
    inside = make_pipeline(best, LogisticRegression())
    return tuple(
        crossval.cross_val_losses(model, data, labels, cv=10, rng=seed).mean
        for model, data in (
            (LogisticRegression(), best.fit_transform(columns, labels)), (inside, columns)
        )
    )  # fmt: skip


def least_squares_error(m: float, p: int) -> float:
    """Return the expected error of least squares after m examples, in units of the noise."""
    return 1 + p / (m - p - 1)


SPREAD_FOLDS = (2, 4, 5, 8, 10, 20, 40)


@cache
def folds_of_two_learners() -> Any:
    """Return the cross-validated errors, data sets x numbers of folds, of each learner."""
    repeats, n, p = 400, 40, 10
    rng = np.random.default_rng(7)
    squares, votes = (np.empty((repeats, len(SPREAD_FOLDS))) for _ in range(2))
    coins = np.empty((repeats, n))
    for r in range(repeats):
        Z, noise = rng.normal(size=(n, p)), rng.normal(size=n)
        coins[r] = rng.choice([-1.0, 1.0], size=n)
        for c, k in enumerate(SPREAD_FOLDS):
            squares[r, c] = (crossval.cv_residuals_linear(Z, noise, np.arange(n) % k) ** 2).mean()
    for c, k in enumerate(SPREAD_FOLDS):
        votes[:, c] = missed_by_vote(coins, k).mean(axis=1)
    return squares, votes


def missed_by_vote(coins: Any, folds: int) -> Any:
    """Return which coins, +1 or -1, the majority of the other folds gets wrong."""
    fold = np.arange(coins.shape[1]) % folds
    # the sum of the coins outside the fold
    rest = coins.sum(axis=1, keepdims=True) - coins @ (fold[:, None] == np.arange(folds))
    return (rest[:, fold] > 0) != (coins > 0)


@cache
def study() -> Any:
    """Return the settings of the stored study of coverage."""
    return studies.load("cv_coverage")["settings"]


def lowest(
    key: str, target: str = "refit", n: int | None = None, linear: bool | None = None
) -> float:
    """Return the lowest coverage in %, rounded down as for a claim."""
    coverages = [
        row["summary"][f"{key}_{target}"]
        for row in study()
        if n in (None, row["setting"]["n"])
        and linear in (None, "1-NN" not in row["setting"]["problem"])
    ]
    return float(np.floor(1000 * min(coverages)) / 10)


def tuned_on_noise(seed: int) -> tuple[float, float]:
    """Return the lowest of five errors on coin labels, and the error with nested selection."""
    X, y = tumours()
    # scaling uses no labels, so it can't leak these coin flips
    X = StandardScaler().fit_transform(X)
    rules = {str(k): near(k) for k in (1, 3, 5, 9, 15)}
    rng = np.random.default_rng(seed)
    rows = rng.permutation(len(y))[:60]
    labels = rng.integers(2, size=60)  # coin flips, so no model can beat 50%
    tried = [
        crossval.cross_val_losses(rule, X[rows], labels, cv=5, rng=seed).mean
        for rule in rules.values()
    ]
    inside = crossval.nested(rules, X[rows], labels, cv=5, inner_cv=3, rng=seed)
    return min(tried), inside.losses.mean


@cache
def distances() -> Any:
    """Return the labels of all 569 tumours, +1 and -1, and their squared distances."""
    X, y = load_breast_cancer(return_X_y=True)
    scaled = StandardScaler().fit_transform(X)
    squares = (scaled**2).sum(axis=1)
    return 2.0 * y - 1, squares[:, None] + squares - 2 * scaled @ scaled.T


@cache
def neighbours(trained: int, draw: int) -> Any:
    """Cross-validate numbers of neighbours: return them, mean, standard error, true error."""
    label, distance = distances()
    rng = np.random.default_rng([trained, draw])
    rows = rng.permutation(len(label))
    mine, others = rows[:trained], rows[trained:]
    fold = rng.permutation(np.arange(trained) % 10)
    ks = [k for k in NEIGHBOURS if k < 0.9 * trained]

    def wrong(train: Any, test: Any) -> Any:
        nearest = np.argsort(distance[np.ix_(test, train)], axis=1, kind="stable")
        votes = np.cumsum(label[train][nearest], axis=1)[:, np.array(ks) - 1]
        return ((votes > 0) != (label[test] > 0)[:, None]).T  # rules x tumours

    losses = np.empty((len(ks), trained))
    for f in range(10):
        losses[:, fold == f] = wrong(mine[fold != f], mine[fold == f])
    spread = losses.std(axis=1, ddof=1) / np.sqrt(trained)
    return ks, losses.mean(axis=1), spread, wrong(mine, others).mean(axis=1)


def curve(trained: int = 80, draw: int = 6) -> tuple[Any, Any, Any]:
    """Return numbers of neighbours, their cross-validated errors, and the standard errors."""
    ks, means, errors, _ = neighbours(trained, draw)
    return np.array(ks), means, errors


def choices(
    trained: int, draw: int, rule: Callable[..., Any] = crossval.one_standard_error
) -> tuple[int, int]:
    """Return the place of the lowest error, and that of the rule's choice."""
    ks, means, errors = curve(trained, draw)
    # more neighbours are simpler
    return int(means.argmin()), int(rule(means, errors, -ks))


# Phrases with computed numbers: a test looks for each in the prose, and lists all other numbers


@cache
def numbers() -> list[str]:
    """Return the chapter's phrases whose numbers are computed, rounded as in the text."""
    return [*about_her_model(), *about_folds(), *about_intervals(), *about_choices()]


def stored_checked(model: str, target: str) -> Any:
    """Check a stored interval; return the result that it comes from."""
    X, y = tumours()
    result = crossval.estimate(
        near() if model == "nearest neighbours" else logistic(), X, y, cv=10,
        target=target.removeprefix("this "), repeats=10, rng=0,
    )  # fmt: skip
    text = f"{result.estimate:.1%}, {outward(result.low, result.high)}"
    stored = STORED[model, target]
    assert text == "{:.1f}%, {:.1f}% to {:.1f}%".format(*stored), (model, target, text)
    assert result.method == NAMES[target]
    return result


def ten_shuffles() -> float:
    """Return the regression's mean error over ten shuffles; check what takes long to check."""
    stored_checked("logistic regression", "this procedure")
    stored_checked("nearest neighbours", "this model")
    return float(stored_checked("logistic regression", "this model").values.mean())


def about_her_model() -> list[str]:
    """Return phrases about Ida's logistic regression and its folds."""
    X, y = tumours()
    once = crossval.cross_val_losses(logistic(), X, y, cv=10, rng=0)
    stored_checked("nearest neighbours", "this procedure")
    b = STORED["logistic regression", "this model"]
    retrained = STORED["logistic regression", "this procedure"]
    random = [np.mean(y[once.fold == f] == 0) for f in range(10)]
    even = [
        np.mean(y[test] == 0)
        for _, test in StratifiedKFold(10, shuffle=True, random_state=0).split(X, y)
    ]
    smallest = min(np.bincount(once.fold))  # tumours in a fold
    proven = once.mean + np.sqrt(np.log(20) / (2 * smallest))
    return [
        f"as if the {smallest} tumours of the smallest fold",
        f"at most {outward(proven)}",
        f"On the other {len(y)}, ten-fold cross-validation puts her logistic regression at "
        f"{once.mean:.1%}",
        f"{b[0]}%, with a 95% interval from {b[1]}% to {b[2]}%",
        f"Ten give {ten_shuffles():.1%} on average",
        f"Why not {once.mean:.1%}?",
        f"brings it to {b[0]}%",
        f"locked {HELD} of her tumours away",
        f"from {min(random):.0%} to {max(random):.0%} of a fold of Ida's are malignant",
        f"stratified, from {min(even):.0%} to {max(even):.0%}",
        f"trained on all {len(y)} tumours with nothing tuned",
        f"at {b[0]}% (95% interval {b[1]}% to {b[2]}%, nested",
        f"should expect {retrained[0]}% ({retrained[1]}% to {retrained[2]}%",
    ]


def about_folds() -> list[str]:
    """Return phrases about shuffles, the number of folds, and their mean."""
    two = [wrong_of(2, shuffle).sum() for shuffle in range(200)]
    twenty = [wrong_of(20, shuffle).sum() for shuffle in range(200)]
    # frame of the picture: 40 examples
    overstated = [
        least_squares_error(40 - 40 // k, 10) / least_squares_error(40, 10) - 1 for k in (2, 5)
    ]
    balanced = np.tile([-1.0, 1.0], 20)
    assert missed_by_vote(balanced[None], 40).all()
    tosses = np.random.default_rng(8).choice([-1.0, 1.0], size=(2000, 40))
    by_fold = missed_by_vote(tosses, 10).reshape(2000, 4, 10).mean(axis=1)  # data sets x folds
    ratio = by_fold.mean(axis=1).std() / (by_fold.std() / np.sqrt(10))
    labels = np.random.default_rng(1).integers(0, 2, size=(20_000, 20))
    gains = {k: parity_gain(labels, k) for k in (10, 20)}
    assert round(gains[20], 6) == 1
    return [
        f"from {min(two)} to {max(two)} of the 40 wrong",
        f"twenty folds from {WORDS[min(twenty)]} to {WORDS[max(twenty)]}",
        f"two folds overstate the error by {overstated[0]:.0%}, five by {overstated[1]:.0%}",
        f"spreads {ratio:.1f} times as widely",
        f"mean of 10 folds is {gains[10]:.0f} times smaller than that of one",
    ]


def about_intervals() -> list[str]:
    """Return phrases about the coverage and the width of the intervals."""
    usual = lowest("normal", n=50, linear=True)
    assert usual < 86  # so it misses more than 14% instead of 5%
    width = np.mean(
        [
            row["summary"]["nested_width"] / row["summary"]["normal_width"]
            for row in study()
            if row["setting"]["n"] == 100
        ]
    )
    vote = [row["coverage"] for row in votes_measured() if "nested" in row["method"]]
    return [
        f"for a majority vote {np.floor(100 * min(vote)):.0f}%",
        f"{np.sqrt((1 / 10 + 1 / 9) * 10):.2f} times as wide",
        f"at least {lowest('corrected_t', 'expected'):.1f}% of the time",
        f"{width:.2f} times the width",
        f"almost {WORDS[round((100 - usual) / 5)]} times as often",
        f"in the four problems that we simulated its coverage was at least {lowest('nested'):.1f}%",
    ]


def about_choices() -> list[str]:
    """Return phrases about leaks, tuning and the one-standard-error rule."""
    _, copies, columns = leaky_errors().values()
    low, honest = np.mean([tuned_on_noise(seed) for seed in range(16)], axis=0)
    # choices of the guesses: "45%" and "below 10%"
    assert (round(low, 2), round(columns[0])) == (0.45, 8)
    chosen = np.mean(
        [[neighbours(80, d)[3][i] for i in choices(80, d)] for d in range(1, 101)], axis=0
    )
    return [
        f"from {copies[1]:.1f}% to {copies[0]:.1f}%",
        f"reads {columns[0]:.0f}% where no model can know anything",
        f"the lowest of the five reads {low:.0%}",
        f"with the choice inside it reads {honest:.0%}",
        f"Over a hundred draws of 80 tumours the lowest point gets {chosen[0]:.1%} of the others "
        f"wrong and the rule {chosen[1]:.1%}",
        f"{chosen[0]:.1%} against {chosen[1]:.1%} on average",
        f"{chosen[1]:.1%} against {chosen[0]:.1%} on average",
    ]


def parity_gain(labels: Any, folds: int) -> float:
    """For a parity, return the variance of one fold's error divided by that of the mean of all."""
    fold = np.arange(labels.shape[1]) % folds
    answers = np.stack([labels[:, fold != f].sum(axis=1) % 2 for f in range(folds)], axis=1)
    missed = answers[:, fold] != labels  # data sets x examples
    return float(missed[:, fold == 0].mean(axis=1).var() / missed.mean(axis=1).var())


# Edits that the reader is asked to make; a test runs the notebook with each of them
def _no_test(book: Any) -> str:
    missed = {
        int(book["cross_validate"](book["least_squares"], *forty_tumours(), shuffled(k, s)).sum())
        for k in FOLDS
        for s in SHUFFLES
    }
    (count,) = missed
    return f"All of them give {count} of 40 wrong"


BREAKS = {
    "All of them give 2 of 40 wrong": (
        "fit(X[fold != k], y[fold != k])", "fit(X, y)", _no_test,
    ),
    "6% instead of 32%": (
        "best = best_columns(X, y)", "best = best_columns(numbers, sick)",
        lambda book: f"{np.mean(book['inside']):.0%} instead of {book['clean'].mean:.0%}",
    ),
}  # fmt: skip


GIVEN = [
    *(
        "What ten folds prove",
        "of the ten models that you",
        "in these four problems",
        "in 2024 that",
    ),
    *("It takes more than ten lines", "forty tumours, told apart", "Of the three, nested"),
    *(
        "Fifty tumours, 1,000 columns",
        "but the 20 you keep",
        "best 20 columns",
    ),
    *("45 minutes", "best of twenty models", "smallest of twenty"),
    "Over 200 shuffles",
    *("into ten groups", "Train on nine", "nine tenths", "eight ninths", "other nine"),
    *(
        "mean error of ten models",
        "The ten models that",
        "ten random splits into ten",
        "Each of the five reads",
    ),
    *(
        "cure fits all three",
        "Three intervals are in use",
        "data sets from four problems",
        "Three lines",
    ),
    "With 40 examples and ten features",
    "Five to ten folds are a sensible habit, mostly because they are cheap",
    *("Ten folds are not ten test sets", "the nine others", "mean of ten folds"),
    *("“95%”", "for ten folds makes", "within two points of 95%"),
    *(
        "With 50 examples the",
        "Leave-one-out (40 folds)",
        "one of 20 heads",
        "19 heads face 20 tails",
    ),
    # from the questions and choices of guesses
    *("from 2 folds", "from 20 folds", "sees 95% of the tumours"),
    *("below 10%", "about 25%", "about 50%"),
    "Forty coin tosses, 20 heads and 20 tails",
    *("0% 50% 100%", "Count the 39", "20 tails outvote 19 heads"),
    *("answers 1 if", "otherwise 0, and twenty labels", "With 20 folds"),
    *("From 50 to 500 examples", "climbs to 95%", "stays below 90%", "falls to 50%"),
    *("labels of 60 tumours", "cross-validate five", "report 45% 50% 55%", "luckiest of five"),
    "hundred draws of 80 tumours",
    # exercises
    *("five-fold cross-validation", "cross-validates fifty", "lowest error, 18%"),
    *("with five folds", "into ten folds, stratified"),
    *("| 1 | 0.310 | 0.021 |", "| 2 | 0.260 | 0.020 |", "| 3 | 0.235 | 0.019 |"),
    *("| 4 | 0.228 | 0.019 |", "| 6 | 0.224 | 0.018 |", "| 8 | 0.240 | 0.019 |"),
    *(f"**7.{i}**" for i in range(1, 9)),
    *(
        "mean 0 and standard deviation 1",
        "with ten folds, `repeats=10` and `rng=0`",
        "the 95% interval?",
    ),
    *("1. Cross-validation", "2. Folds overlap", "3. What belongs"),
    *("Eq. 49", "Illustration 1", "Eq. 51", "(10, shuffle=True)"),
    *("TimeSeriesSplit(5)", 'hint("7.7")'),
]
