"""The distribution of the error: the chapter's pictures, guesses and numbers."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from numpy.typing import NDArray
from sklearn.datasets import load_diabetes

from errlab import generalization
from errlab.style import styled
from errlab_book import explore, guesses, show, studies
from errlab_book.chapters import WORDS
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, SOFT, headline, paper, write

GUESSES = guesses.load(__file__)

PATIENTS = 30  # patients of each student
SIZES = (20, PATIENTS, 50, 100, 200)
MODELS = 2000  # number of models that are trained for each size
SETS = range(1, 9)  # seeds of eight students, of whom the first is Ida
IDA, COLLEAGUE = 1, 4
REPORTS = 3  # seed of the student in an exercise
TRUTH = "truth"  # name of the first row in a picture of all students
LEFT_OUT = 0.25  # fraction of patients that Ida leaves out in each split
N_TRAIN, N_TEST = 22, 8  # sizes of the two parts of thirty patients
SPLITS = (50, 200, 800)
EDGES = np.arange(48.0, 161, 4)  # edges of the bars, in points


# Pictures, in the order of the chapter


def models() -> Any:
    """Draw a hundred students' models as dots, with models worse than "no model" apart."""

    @styled
    def draw() -> Axes:
        ax = paper(350, 200)
        errors = errors_of(PATIENTS)[:100]
        # columns of dots begin at "no model", so that each is on its own side
        column = np.floor((errors - no_model()) / 1.6)
        level = np.array([np.sum(column[:i] == at) for i, at in enumerate(column)])
        x = no_model() + 1.6 * (column + 0.5)
        worse = errors > no_model()
        ax.plot(x[~worse], level[~worse], "o", color=INK, alpha=BODY, ms=5, mew=0)
        ax.plot(x[worse], level[worse], "s", color=ACCENT, ms=5, mew=0)
        ax.axvline(no_model(), color=INK, lw=1)
        words = f"no model, the same\nfor everybody: {no_model():.0f}"
        write(ax, words, (no_model(), 0.8 * level.max()))
        for who, error in (("Ida", true_error(IDA)), ("colleague", true_error(COLLEAGUE))):
            ax.plot(error, -2, "^", color=INK, ms=7, clip_on=False)
            write(ax, who, (error, -2), (-7, 0), ha="right")
        ax.set(yticks=[], ylim=(-3.2, level.max() + 1), xlim=(50, None))
        ax.set_xlabel("miss on new patients, in points")
        key = f"Each mark: the same regression, fitted to {PATIENTS} patients"
        headline(ax, f"{worse.sum()} of 100 models are worse than no model", key)
        return ax

    errors = errors_of(PATIENTS)[:100]
    worse = int(np.sum(errors > no_model()))
    return show(
        draw(),
        "Squares: models that predict worse than the same score, the mean, for everybody.",
        alt=f"A hundred marks lie between {errors.min():.0f} and {errors.max():.0f} points, "
        f"most of them near the left end; {worse}, squares, lie "
        "right of the line for no model. Ida's triangle stands just left of it, her colleague's "
        "near the left end.",
    )


def draw_histogram(ax: Axes, errors: NDArray[np.float64]) -> None:
    """Draw a histogram of true errors, hatched where they are worse than no model."""
    height = np.histogram(errors, EDGES)[0]
    height = height / height.max()
    ax.stairs(height, EDGES, fill=True, color=INK, alpha=FAINT, lw=0)
    if errors.max() > no_model():  # the errors that the title counts
        cut = np.append(no_model(), EDGES[no_model() < EDGES])
        ax.stairs(height[1 - len(cut) :], cut, fill=True, color=ACCENT, hatch="////", lw=0)


def training_sets(miss: Callable[..., float]) -> Any:
    """Guess, then explore how the notebook's true error depends on the training set."""

    @styled
    def draw(miss: Callable[..., float], patients: int) -> Axes:
        ax = paper(350, 260)
        errors = errors_of(patients, miss)
        draw_histogram(ax, errors)
        rare = np.quantile(errors, 0.95)
        ax.plot([rare] * 2, [0, 0.3], color=INK, lw=1.5)
        # down to the axis if models are worse than this; otherwise shorter, to leave room for names
        foot = 0 if np.mean(errors > no_model()) > 0.05 else 0.75
        ax.plot([no_model()] * 2, [foot, 1.3], color=INK, lw=1, ls="--")
        write(ax, f"no model: {no_model():.0f}", (no_model(), 1.28))
        ax.plot(errors.mean(), -0.06, "^", color=INK, ms=7)
        write(ax, f"average {errors.mean():.0f}", (errors.mean(), -0.07), (8, -1))
        words = f"1 in 20\nabove {rare:.1f}"
        if rare > 120:
            write(ax, words, (rare, 0.3), (24, 20), weight="bold", ha="right")
        else:
            write(ax, words, (rare, 0.3), (6, 4), weight="bold")
        ax.set(xlim=(34, 160), ylim=(-0.14, 1.35), yticks=[])
        ax.set_xlabel("miss on new patients, in points")
        headline(
            ax, f"With {patients} patients, {finding(errors)}",
            f"True errors of {MODELS:,} models, each with its own training set",
        )  # fmt: skip
        return ax

    def finding(errors: NDArray[np.float64]) -> str:
        worse = np.mean(errors > no_model())
        if worse:
            return f"{worse:.0%} of the models are worse than none"
        return "every model is better than none"

    def alt(miss: Callable[..., float], patients: int) -> str:
        errors = errors_of(patients, miss)
        return (
            f"{finding(errors)}; average {errors.mean():.1f} points, median "
            f"{np.median(errors):.1f}, one in twenty above {np.quantile(errors, 0.95):.1f}"
        )

    display(GUESSES["twenty"])
    return explore(
        draw,
        by=miss,
        patients=SIZES,
        start={"patients": PATIENTS},
        labels={"patients": "patients in a training set"},
        caption=f"Hatched: worse than the same "
        f"prediction for everybody, of {MODELS:,}; beyond 160 points a few more are out of sight.",
        alt=alt,
    )


def draw_quantiles(ax: Axes, y: float, errors: NDArray[np.float64], *, extreme: bool) -> None:
    """Draw the median of errors, their middle half and nine tenths of them, up to 200."""
    ends = np.quantile(errors, [0.05, 0.25, 0.5, 0.75, 0.95])
    ax.hlines(y, ends[0], min(ends[4], 200), color=INK, lw=1, alpha=BODY)
    ax.hlines(y, ends[1], ends[3], color=INK, lw=6, alpha=BODY)
    mark: Any = {"color": INK, "marker": "o"}
    if extreme:
        mark = {"color": ACCENT, "marker": "s", "ms": 9}
    ax.plot(ends[2], y, mec="#ffffff", mew=0.8, **mark)


def interquartile_range(errors: NDArray[np.float64]) -> float:
    """Return the distance between the quartiles of errors."""
    return float(np.subtract(*np.quantile(errors, [0.75, 0.25])))


def medians_and_widths(errors_by_student: dict[int, NDArray[np.float64]]) -> str:
    """Describe the medians of the leave-out errors, and the widths of their middle halves."""
    widths = [interquartile_range(errors_by_student[seed]) for seed in SETS]
    return (
        f"the medians of the leave-out errors run from {span(errors_by_student)} points; "
        f"their middle half is {min(widths):.0f} to {max(widths):.0f} points wide, that of the "
        f"true errors {interquartile_range(errors_of(PATIENTS)):.0f}"
    )


def eight_sets(leave_out: Callable[..., Any]) -> Any:
    """Guess, then explore the results of eight students who each split thirty patients."""

    @cache
    def seen(leave_out: Callable[..., Any], percent: int) -> dict[int, NDArray[np.float64]]:
        X, y = diabetes()
        by_split = splits(percent / 100)
        return {s: np.sqrt(leave_out(X[own(s)], y[own(s)], by_split)) for s in SETS}

    @styled
    def draw(leave_out: Callable[..., Any], left_out: int) -> Axes:
        ax = paper(350, 300)
        truth = errors_of(PATIENTS)
        low, high = np.quantile(truth, [0.25, 0.75])
        ax.axvspan(low, high, color=INK, alpha=0.12, lw=0)
        write(ax, "half of the true errors", (high, 0.7), (8, 0), alpha=SOFT)
        # ordered by their medians, to show how these vary
        errors_by_student = seen(leave_out, left_out)
        order = sorted(SETS, key=lambda seed: float(np.median(errors_by_student[seed])))
        rows = {TRUTH: truth} | {named(seed): errors_by_student[seed] for seed in order}
        # the true error is drawn at a distance
        places = [0.0, *(row + 0.4 for row in range(1, len(rows)))]
        for y, errors in zip(places, rows.values(), strict=True):
            draw_quantiles(ax, y, errors, extreme=y in (places[1], places[-1]))
        ax.set(xlim=(0, 200), ylim=(places[-1] + 0.6, -0.6), xticks=[0, 50, 100, 150, 200])
        ax.set_yticks(places, list(rows))
        ax.set_xlabel("miss, in points")
        headline(
            ax,
            f"{WORDS[len(SETS)].capitalize()} students see medians from "
            f"{span(errors_by_student)} points",
            f"Errors on {round(PATIENTS * left_out / 100 + 0.49)} of {PATIENTS} patients left out: "
            "middle (mark), middle half (thick), nine tenths (thin)",
            left=90,
        )
        return ax

    display(GUESSES["leave_out_more"])
    return explore(
        draw,
        by=leave_out,
        left_out=[10, 25, 40],
        start={"left_out": 25},
        labels={"left_out": "left out, in %"},
        caption="Squares: the lowest and the highest median. True errors of "
        f"{MODELS:,} models; 500 splits of each student's patients. Thin lines are cut at 200.",
        alt=lambda leave_out, left_out: medians_and_widths(seen(leave_out, left_out)),
    )


def more_splits(standard_error: Callable[..., float]) -> Any:
    """Guess, then explore two standard errors of more and more splits of Ida's patients."""

    def both(standard_error: Callable[..., float], splits: int) -> dict[str, float]:
        d = np.subtract(*price(splits))
        return {
            "usual": float(standard_error(d)),
            "corrected": float(standard_error(d, overlap=N_TEST / N_TRAIN)),
        }

    @styled
    def draw(standard_error: Callable[..., float], splits: int) -> Axes:
        ax = paper(350, 190)
        standard_errors, first = both(standard_error, splits), both(standard_error, SPLITS[0])
        for y, (name, error) in enumerate(standard_errors.items()):
            look: dict[str, Any] = {"color": INK, "alpha": BODY}
            if name == "usual":
                look = {"color": ACCENT, "hatch": "////"}
            ax.barh(y, error, 0.4, ec="#ffffff", lw=0, **look)
            words = f"{name}: {error:.2f}"
            if splits > SPLITS[0]:  # mark the first value, to compare with it
                ax.plot([first[name]] * 2, [y - 0.26, y + 0.26], color=INK, lw=1.5)
                words += f" (line: {first[name]:.2f} with {SPLITS[0]})"
            write(ax, words, (0, y), (0, 22), weight="bold" if name == "usual" else "normal")
        ax.set(xlim=(0, 8), ylim=(1.35, -0.7), yticks=[], xticks=range(0, 9, 2))
        ax.set_xlabel("standard error, in points")
        usual, corrected = standard_errors.values()
        headline(
            ax,
            f"{splits} splits: the corrected standard error is {corrected / usual:.0f} times the "
            "usual",
            "Usual and corrected standard error of one mean difference",
        )
        return ax

    def alt(standard_error: Callable[..., float], splits: int) -> str:
        return ", ".join(f"{k} {v:.2f}" for k, v in both(standard_error, splits).items())

    display(GUESSES["more_splits"])
    return explore(
        draw,
        by=standard_error,
        splits=list(SPLITS),
        start={"splits": SPLITS[0]},
        labels={"splits": "splits"},
        caption="Ida's thirty patients, with and without two of ten measurements.",
        alt=alt,
    )


# Data


@cache
def diabetes() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return an intercept and ten measurements of 442 patients, and their disease scores."""
    X, y = load_diabetes(return_X_y=True)
    return np.column_stack([np.ones(len(y)), X]), y


@cache
def no_model() -> float:
    """Return the error of predicting the mean for everybody."""
    return float(diabetes()[1].std())


def own(seed: int) -> NDArray[np.int64]:
    """Return the indices of a student's patients."""
    return np.random.default_rng(seed).permutation(len(diabetes()[1]))[:PATIENTS]


def named(seed: int) -> str:
    """Return a student's name in a picture."""
    return {IDA: "Ida", COLLEAGUE: "colleague"}.get(seed, f"student {seed}")


def idas_patients() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return measurements (with an intercept) and scores of Ida's thirty patients."""
    X, y = diabetes()
    return X[own(IDA)], y[own(IDA)]


def fitted(rows: NDArray[np.int64]) -> float:
    """Fit the regression to some patients; return the typical error on all others, in points."""
    X, y = diabetes()
    others = np.ones(len(y), dtype=bool)
    others[rows] = False
    fit = np.linalg.lstsq(X[rows], y[rows], rcond=None)[0]
    return float(np.sqrt(np.mean((y[others] - X[others] @ fit) ** 2)))


@cache
def true_error(seed: int) -> float:
    """Return the error of a student's model."""
    return fitted(own(seed))


@cache
def errors_of(n: int, miss: Callable[..., float] | None = None) -> NDArray[np.float64]:
    """Return the errors of many models, each fitted to n patients of its own."""
    rng, (X, y) = np.random.default_rng(0), diabetes()
    owners = [rng.permutation(len(y))[:n] for _ in range(MODELS)]
    return np.array([miss(X, y, patients) if miss else fitted(patients) for patients in owners])


def splits(left_out: float) -> NDArray[np.bool_]:
    """Return 500 splits of thirty patients: True for those left out."""
    return generalization.leave_out_splits(PATIENTS, left_out, 500, rng=0)


@cache
def leave_out(percent: int, seed: int) -> NDArray[np.float64]:
    """Return a student's errors on many splits of the same thirty patients, in points."""
    X, y = diabetes()
    squared = generalization.leave_out_errors_linear(
        X[own(seed)], y[own(seed)], test_size=percent / 100, rng=0
    )
    return np.asarray(np.sqrt(squared))


def medians(percent: int) -> dict[int, float]:
    """Return the median of each student's errors, in points."""
    return {seed: float(np.median(leave_out(percent, seed))) for seed in SETS}


def span(errors_by_student: dict[int, NDArray[np.float64]]) -> str:
    """Return the range of the students' medians, as text."""
    middles = [float(np.median(errors)) for errors in errors_by_student.values()]
    return f"{min(middles):.0f} to {max(middles):.0f}"


@cache
def price(splits: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the errors of Ida's splits with all measurements, and without two of them."""
    X, y = idas_patients()
    fewer = np.delete(X, [3, 9], axis=1)  # without body mass index and the serum value s5
    whole, reduced = (
        np.sqrt(generalization.leave_out_errors_linear(Z, y, resamples=splits, rng=9))
        for Z in (X, fewer)
    )
    return whole, reduced


def usual_error(splits: int) -> float:
    """Return the usual standard error of the mean difference."""
    return float(generalization.leave_out_t_test(*price(splits)).standard_error)


# Phrases with computed numbers: a test looks for each in the prose, and lists all other numbers


@cache
def numbers() -> list[str]:
    """Return the chapter's phrases whose numbers are computed, rounded as in the text."""
    errors, small = errors_of(PATIENTS), errors_of(SIZES[0])
    two_thirds = "two students in three"
    assert 0.63 < np.mean(small > no_model()) < 0.7
    more = all(medians(40)[seed] > medians(25)[seed] for seed in SETS)
    third = leave_out(25, REPORTS)
    X, y = idas_patients()
    squared = generalization.leave_out_errors_linear(X, y, test_size=LEFT_OUT, rng=0)
    median_miss = np.sqrt(generalization.location(squared).median)
    two = studies.load("larsen_hansen")["two_models"]
    worse = [row for row in two if row["true_difference"] > 0]
    none = "none" if max(row["rejected_corrected"] for row in worse) == 0 else "some"
    assert max(row["rejected_corrected"] for row in two) == 0  # the chapter says "nor where it was"
    # sixteen times the splits, about a quarter of the standard error
    ratio = usual_error(SPLITS[0]) / usual_error(SPLITS[2])
    quarter = "a quarter" if 3.5 < ratio < 4.5 else "more"
    nobody = "nobody" if (errors_of(100) < no_model()).all() else "somebody"
    return [
        f"by {true_error(IDA):.0f} points, her colleague's by {true_error(COLLEAGUE):.0f}",
        f"misses by {np.quantile(errors, 0.95):.0f} points or more",
        f"for everybody misses by {no_model():.0f}",
        f"With thirty patients each, {np.mean(errors > no_model()):.0%} of the students",
        f"{np.mean(small < small.mean()):.0%} of the models are better than the average one",
        f"With thirty patients it is {np.mean(errors > no_model()):.0%} (the first picture shows a "
        f"hundred of these {MODELS:,} models)",
        f"with a hundred {nobody}",
        f"larger errors, {'all eight' if more else 'some'}",
        f"trained on {PATIENTS - 12} patients is worse than one trained on {N_TRAIN}",
        f"{two_thirds.capitalize()}: drag the slider to {SIZES[0]}",
        f"their medians run from {span({s: leave_out(25, s) for s in SETS})} points",
        f"Student {REPORTS} sees a median of {np.median(third):.0f} points; one error in twenty is "
        f"above {np.quantile(third, 0.95):.0f} points",
        f"the usual standard error to about {quarter}",
        f"better in up to {max(row['rejected'] for row in worse):.0%} of the data sets, the "
        f"corrected one in {none}",
        f"the regression misses by {median_miss:.0f} points in the median of "
        f"{len(squared)} random splits "
        f"({N_TRAIN} patients to train, {N_TEST} to test)",
        f"Ida's model misses by {true_error(IDA):.0f} points",
        f"Of the {len(diabetes()[1])} patients",
        f"{MODELS:,} doctoral students",
        f"not {MODELS:,}",
    ]


def _trained_on(book: Any) -> str:
    return f"By {book['miss'](*diabetes(), own(IDA)):.1f} points instead of {true_error(IDA):.0f}"


def _tiled(book: Any) -> str:
    whole = generalization.leave_out_t_test(*price(200))
    both = generalization.leave_out_t_test(*price(200), n_train=N_TRAIN, n_test=N_TEST)
    usual, corrected = (book["standard_error"](book["d"], o) for o in (0, N_TEST / N_TRAIN))
    return (
        f"The usual one falls from {whole.standard_error:.2f} to {usual:.2f}, the corrected one "
        f"from {both.standard_error:.2f} to {corrected:.2f}"
    )


# Edits that the reader is asked to make, in the form of the chapter on the bootstrap
BREAKS = {
    "By 32.9 points instead of 74": (
        "others = np.setdiff1d(np.arange(len(y)), own)", "others = own", _trained_on,
    ),
    "The usual one falls from 0.71 to 0.18, the corrected one from 6.08 to 6.03": (
        "d = with_both - without", "d = np.tile(with_both - without, 16)", _tiled,
    ),
}  # fmt: skip


GIVEN = [
    *("the quartiles of 500 splits", "Copy each split sixteen", "with_both - without, 16"),
    "Eleven coefficients fit",
    *("marked “1 in 20”", "(With 15 examples to learn from"),
    *("each student have only twenty patients", "with twenty patients"),
    *("one in three", "two in three", "the one in twenty alone"),
    *("Ten patients fewer", "has eleven coefficients", "Eleven coefficients fitted to twenty"),
    # all students have the same number, which the exercises state in several ways
    *("thirty patients", "thirty diabetes patients", "30 patients"),
    *("30 minutes", "ten measurements", "eight of the students"),
    *("One training set in twenty", "one model in twenty"),
    # from the questions and choices of guesses and exercises
    *("12 of the 30 patients instead of 8", "only 18 patients"),
    *("from 50 splits to 800, sixteen", "falls to a sixteenth", "Sixteen times"),
    *("**9.1**", "**9.2**", "**9.3**", "**9.4**", '"9.4"'),
    *("70 points", "Ten splits, each with 20 patients to train and 10 to test"),
    *("all 442 patients", "200 splits and `rng=0`"),
    *("Three lines to remember", "1. The", "2. “How", "3. Splits", "Eqs. 7 and 8"),
]
