"""Thirty examples and no test set: the chapter's pictures, guesses and numbers."""

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from IPython.display import display
from sklearn.datasets import load_breast_cancer
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from errlab import bootstrap, datasets
from errlab.bounds import clopper_pearson
from errlab.style import Look, new_panels, styled
from errlab.training_set import LeastSquares, cud_bound, cud_supremum
from errlab_book import explore, guesses, outward, show, tables
from errlab_book.chapters import WORDS
from errlab_book.cud_cells import cud_cells
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, SOFT, headline, paper, write
from errlab_book.plots.small_samples import _ring, plot_sets, plot_steps
from errlab_book.studies import small_samples as study

GUESSES = guesses.load(__file__)

SEED = 4  # seed that chooses Ida's thirty women
RESAMPLES = 200  # for the explorer's intervals
SIZES = (10, 20, 30, 50)  # patients in the plane
MOST = 8  # as many cells as have room for their numbers


# Pictures, in the order of the chapter


def thirty() -> Any:
    """Show Ida's thirty patients, the three that the rule misclassifies, and the next one."""
    X, y = women()[:2]
    wrong = LeastSquares().fit(X, y).predict(X) != y
    high = cud_bound(X, y, rng=0).interval.high
    # rounded outward as in the text, in per cent
    worst = math.ceil(len(y) * float(outward(high, spec=".0%").rstrip("%")) / 100)

    @styled
    def draw() -> Any:
        ax = paper(350, 220)
        place = np.arange(len(y))
        right: Look = {"marker": "o", "color": INK, "alpha": BODY, "ms": 9, "mew": 0}
        missed: Look = {"marker": "s", "color": ACCENT, "ms": 11}
        for mine, look in ((np.sort(wrong) == 0, right), (np.sort(wrong) == 1, missed)):
            ax.plot(place[mine] % 15, place[mine] // 15, ls="", **look)
        write(ax, "her thirty:", (-0.4, -1.1), (0, 0), alpha=SOFT)
        write(ax, f"{wrong.sum()} wrong", (14.3, 1), (0, -20), ha="right", weight="bold")
        # her bound as a count: so many of the next thirty, on average
        write(ax, "the next thirty, on average:", (-0.4, 3.2), (0, 0), alpha=SOFT)
        misclassified = np.arange(len(y)) >= len(y) - worst
        for mine, form in ((~misclassified, "o"), (misclassified, "s")):
            ax.plot(place[mine] % 15, 4.2 + place[mine] // 15, form, ms=9, mfc="none", mec=INK,
                    mew=1.2, alpha=BODY if form == "o" else 1)  # fmt: skip
        write(ax, f"up to {worst} wrong", (14.3, 5.2), (0, -20), ha="right", weight="bold")
        ax.set(xlim=(-0.5, 14.5), ylim=(6.6, -1.7), xticks=[], yticks=[])
        ax.spines["bottom"].set_visible(False)
        headline(ax, f"{wrong.sum()} of {len(y)} wrong, and nobody is left to test")
        return ax

    return show(
        draw(),
        "Above: the patients from whom the rule was made. Below: how many of as many new ones "
        "the 95% interval (CUD) allows.",
        alt=f"Thirty marks, {wrong.sum()} of them filled squares. Below, thirty outlines for the "
        f"next patients, of which {worst} are squares.",
    )


def steps() -> Any:
    """Show the error and the squared loss of a line that moves."""
    one = line()
    return show(
        plot_steps(one.X[:12], one.y[:12]),
        "Twelve patients with one feature; the slope stays. Thin line: the fit of least squares.",
        alt="Above, the training error is a staircase that jumps each time the line passes a "
        "patient; one jump near the fit is marked. Below, the squared loss is a smooth parabola "
        "with its least value at the fitted intercept.",
    )


def seven(*makers: Callable[..., Any]) -> Any:
    """Guess, then move through ten training sets, each with seven intervals.

    `makers` are the notebook's: K, M and L from an estimate and the number of patients, and Y.
    """

    def intervals(training_set: int, *makers: Callable[..., Any]) -> tuple[Any, float]:
        made, error = tried()[training_set]
        X, y, _ = datasets.three_points(30, rng=training_set)
        if not makers:
            return made, error
        estimate = point632(X, y, RESAMPLES)
        ours = {k: maker(estimate, len(y)) for k, maker in zip("KML", makers, strict=False)}
        ours["Y"] = makers[3](X, y, RESAMPLES)
        return {key: ours.get(key, ends) for key, ends in made.items()}, error

    def draw(*makers: Callable[..., Any], training_set: int) -> Any:
        ax = plot_sets(*intervals(training_set, *makers))
        for words in ax.texts:  # no bold names, because bold would stand out in none of seven rows
            words.set_fontweight("normal")
        # one axis for all ten sets, up to the largest end
        widest = max(high for made, _ in tried().values() for _, high in made.values())
        ax.set_xlim(0, 102 * widest)
        return ax

    def alt(*makers: Callable[..., Any], training_set: int) -> str:
        made, error = intervals(training_set, *makers)
        out = [
            study.methods()[key].name
            for key, (low, high) in made.items()
            if not low <= error <= high
        ]
        verdict = f"missed by {', '.join(out)}" if out else "all seven contain it"
        return f"the true error is {error:.3f}; {verdict}"

    display(GUESSES["seven"])
    return explore(
        draw,
        by=makers,
        training_set=list(tried()),
        start={"training_set": 5},  # the explorer starts with a set on which all intervals miss
        labels={"training_set": "training set"},
        caption="Seven 95% intervals from the same 30 patients, who sit on three spots. Square: it "
        "misses, and this end is the nearer one. The axis ends with the widest of all ten sets.",
        alt=alt,
    )


def kept() -> Any:
    """Show the coverage and the width of each interval in all settings."""
    rows = settings()
    ranked = sorted(study.methods(), key=lambda key: floor(key), reverse=True)
    return tables.table(
        [
            {
                "interval": study.methods()[key].name,
                "lowest coverage": floor(key),
                "mean coverage": np.mean([row[key] for row in rows]),
                "mean width": width(key),
            }
            for key in ranked
        ],
        caption=f"Only CUD is never far below 95%, and it is the widest. {len(rows)} settings, "
        "1,000 training sets in each",
        formats=dict.fromkeys(["lowest coverage", "mean coverage", "mean width"], ".0%"),
    )


def rehearsals(gaps: Callable[..., Any], count: int = 10) -> Any:
    """Guess, then see gap and weight of every line in some of the notebook's resamples."""
    x, y = one_score()
    draws = rehearsed()

    @styled
    def draw(gaps: Callable[..., Any], rehearsal: int, sharpness: float) -> Any:
        gap, weight = gaps(x, y, draws[rehearsal - 1], sharpness)
        # the first of equal maxima
        best = int(np.argmax(gap * weight - 1e-9 * (np.arange(len(gap)) > 0)))
        ax = paper(350, 260)
        ax.plot(weight, 100 * gap, "o", color=INK, alpha=BODY, ms=6, mew=0, clip_on=False)
        # the curve on which the product is constant
        along = np.linspace(max(0.02, gap[best] * weight[best] / 0.32), 1, 100)
        ax.plot(along, 100 * gap[best] * weight[best] / along, color=INK, alpha=FAINT, lw=1)
        ax.plot(weight[0], 100 * gap[0], "o", color="none", mec=INK, mew=1.6, ms=13, clip_on=False)
        ax.plot(weight[best], 100 * gap[best], "s", color=ACCENT, ms=10, clip_on=False)
        write(ax, "ring: the draw's own line", (0, 1), (4, -8), of_axes=True, alpha=SOFT)
        ax.set(xlim=(-0.02, 1.05), ylim=(0, 32), xticks=[0, 0.5, 1], yticks=[0, 10, 20, 30])
        ax.yaxis.set_major_formatter("{x:g}%")
        ax.set_xlabel("weight g: how well the line fits", loc="left")
        mine = "the draw's own line" if best == 0 else "another line"
        product = f"{100 * gap[best]:.1f} points × {weight[best]:.2f}"
        headline(
            ax, f"{product}: {mine} decides",
            f"Upwards: gap between the errors on the draw and on all; {len(gap)} lines",
        )  # fmt: skip
        return ax

    def alt(gaps: Callable[..., Any], rehearsal: int, sharpness: float) -> str:
        gap, weight = gaps(x, y, draws[rehearsal - 1], sharpness)
        return f"the largest of {len(gap)} products of gap and weight is {max(gap * weight):.3f}"

    display(GUESSES["rehearsals"])
    return explore(
        draw,
        by=gaps,
        rehearsal=list(range(1, count + 1)),
        sharpness=[0.3, 1, 10, 100],
        start={"rehearsal": 1, "sharpness": 1},
        labels={"sharpness": "sharpness of the weight"},
        caption="A mark for each line that gaps looks at. Square: the largest product of gap and "
        "weight; on the thin curve all products are as large.",
        alt=alt,
    )


EACH_POINT = "Each point is a line; in the ellipse: those\nthat fit nearly as well. Up: the slope"


def cells(n: int | Sequence[int] = SIZES) -> Any:
    """Guess, then see the fit of a draw as a point, and the cells in its neighbourhood."""
    sizes = [n] if isinstance(n, int) else list(n)

    @styled
    def draw(n: int, multiple: float) -> Any:
        arrangement = cud_cells(*plane(n), alpha=multiple * n)
        reached = np.flatnonzero(arrangement.gain > 0)
        above, ax = new_panels(2, figsize=(350 / 72, 500 / 72), height_ratios=[1, 2])
        ring = _ring(arrangement, 0.0)
        (rim,) = ax.fill(*ring.T, facecolor="none", edgecolor=INK, lw=1.8)
        # in polar coordinates around 0, where all rays start
        turn, reach = np.arctan2(ring[:, 1], ring[:, 0]), np.hypot(*ring.T)
        draw_slices(ax, arrangement, rim, turn, reach)
        for angle in arrangement.angles[:, 0]:
            ax.plot(
                [0, 0.95 * np.cos(angle)], [0, 0.95 * np.sin(angle)], color=INK, alpha=FAINT, lw=0.8
            )
        direction = name_a_ray(ax, arrangement, turn, reach)
        # CUD's neighbourhood is centred at the fit to the draw
        ax.plot(*arrangement.centre, "s", color=INK, ms=8, mec="#ffffff")
        ax.set(xlim=(-0.35, 0.75), ylim=(0, 1.08), yticks=[0, 0.5], xticks=[0, 0.5])
        ax.set_xlabel("intercept of the line")
        write(ax, EACH_POINT, (0, 1), (0, 7), of_axes=True, va="bottom", alpha=SOFT)
        draw_two_lines(above, n, arrangement.centre, direction)
        title = f"{n} patients, {len(arrangement.gain)} cells: {len(reached)} are near the fit"
        headline(
            above, title, "Two lines that fit nearly as well; between them one patient tips over"
        )
        return ax

    def alt(n: int, multiple: float) -> str:
        arrangement = cud_cells(*plane(n), alpha=multiple * n)
        return (
            f"{(arrangement.gain > 0).sum()} of {len(arrangement.gain)} cells are in "
            "reach, the largest gap is "
            f"{arrangement.value.max():.3f}"
        )

    display(GUESSES["cells"])
    return explore(
        draw,
        n=sizes,
        multiple=[0.3, 1, 10, 100],
        start={"n": 20 if 20 in sizes else sizes[0], "multiple": 1},
        labels={"n": "patients n", "multiple": "sharpness of the weight"},
        caption="Above: each mark a patient, placed by the feature; solid: the fit of one draw. "
        "Below: each point a line, the small square the fit; each ray: a patient tips over; each "
        "slice of the ellipse: a cell within reach.",
        alt=alt,
    )


def draw_slices(ax: Any, arrangement: Any, rim: Any, turn: Any, reach: Any) -> None:
    """Draw the cells within reach as slices of the ellipse, with numbers if there are few.

    `turn` and `reach` are the angles and distances of the points of its `rim`.
    """
    reached = np.flatnonzero(arrangement.gain > 0)
    for i, k in enumerate(reached):
        start, end = arrangement.angles[k]
        around = np.linspace(start, end, 20)
        edge = 3 * np.stack([np.cos(around), np.sin(around)])
        corners = np.column_stack([np.zeros(2), edge])
        # white edges separate the slices
        (cell,) = ax.fill(*corners, facecolor=ACCENT, edgecolor="#ffffff", lw=1.5)
        cell.set_clip_path(rim)
        # inside the ellipse, with a number at its outer rim
        middle = np.clip(arrangement.angles[k], turn.min(), turn.max()).mean()
        out = reach[np.abs(turn - middle) < 0.05].max(initial=0.0)
        if len(reached) <= MOST and out > 0:
            tip = out * np.array([np.cos(middle), np.sin(middle)])
            shift = 9 * np.cos(middle), 9 * np.sin(middle)
            write(ax, f"{len(reached) - i}", tuple(tip), shift, ha="center")


def name_a_ray(ax: Any, arrangement: Any, turn: Any, reach: Any) -> Any:
    """Label the ray nearest to the fit, starting at the ellipse; return its direction."""
    fit = np.arctan2(arrangement.centre[1], arrangement.centre[0])
    named = arrangement.angles[np.abs(arrangement.angles[:, 0] - fit).argmin(), 0]
    direction = np.array([np.cos(named), np.sin(named)])
    rim_at = reach[np.abs(turn - named) < 0.05].max(initial=0.5)
    ax.plot(*np.outer(direction, [rim_at, 1]), color=INK, lw=1.6)
    at = (float(np.clip(direction[0], -0.05, 0.45)), direction[1])
    write(ax, "here one patient tips over", at, (0, 9), ha="center")
    return direction


def draw_two_lines(ax: Any, n: int, centre: Any, ray: Any) -> None:
    """Draw the patients, the fit, and a line behind the ray at which one of them tips over."""
    design, label, _ = plane(n)
    x, along = design[:, 1], centre @ ray * ray
    other = along + 0.8 * (along - centre)
    flipped = np.abs(design @ ray).argmin()
    for kind, face in ((1, INK), (-1, "none")):
        mine = label == kind
        ax.plot(x[mine], label[mine], "o", color=INK, mfc=face, alpha=BODY, ms=6)
    ax.plot(x[flipped], label[flipped], "s", color=ACCENT, ms=10)
    ends = np.array([x.min(), x.max()])
    ax.plot(ends, centre[0] + centre[1] * ends, color=INK, lw=1.8)
    ax.plot(ends, other[0] + other[1] * ends, color=ACCENT, lw=1.8, ls=(0, (4, 2)))
    ax.axhline(0, color=INK, alpha=FAINT, lw=1)
    ax.set(ylim=(-1.6, 1.6), yticks=[-1, 1], yticklabels=["benign", "malignant"], xticks=[])


def drawer() -> Any:
    """Guess, then see the seven intervals from Ida's thirty, and the error on the other women."""
    X, y, _, y_rest = women()
    rule = LeastSquares().fit(X, y)
    sets = {key: m.function(rule, X, y, rng=0) for key, m in study.methods().items()}
    truth = held_out()
    ends = {key: interval.high for key, interval in sets.items()}
    display(GUESSES["drawer"])
    return show(
        plot_sets(sets, truth),
        f"95% intervals from {len(y)} women; the line is the error on {len(y_rest)} others.",
        alt=f"Seven bars; CUD ends at {ends['CUD']:.2f}, half splits at {ends['Y']:.2f}, the "
        f"lowest at {min(ends.values()):.2f}. A vertical line at {truth:.3f}.",
    )


# Data


@cache
def women(seed: int = SEED) -> tuple[Any, Any, Any, Any]:
    """Return scores and labels of thirty women, Ida's by default, and of all others; +1: malignant.

    Scaler and components are fitted to the thirty alone, because the others are the test set.
    """
    data = load_breast_cancer()
    label = np.where(data.target == 0, 1.0, -1.0)
    chosen = np.random.default_rng(seed).permutation(len(label))
    hers, rest = chosen[:30], chosen[30:]
    scores = make_pipeline(StandardScaler(), PCA(3)).fit(data.data[hers])
    X, X_rest = (scores.transform(data.data[some]) for some in (hers, rest))
    return X, label[hers], X_rest, label[rest]


def held_out() -> float:
    """Return the error of Ida's rule on the women in the drawer."""
    X, y, X_rest, y_rest = women()
    return float(np.mean(LeastSquares().fit(X, y).predict(X_rest) != y_rest))


def one_score() -> tuple[Any, Any]:
    """Return the first score of Ida's thirty women, and their labels."""
    X, y = women()[:2]
    return X[:, 0], y


@cache
def rehearsed() -> Any:
    """Return the indices of 500 resamples, draws x women: those of `cud_bound`."""
    return np.random.default_rng(0).integers(30, size=(500, 30))


@cache
def line() -> Any:
    """Return fifty simulated patients with one feature."""
    return datasets.gaussian_mixture(50, p=1, rng=3)


def plane(n: int) -> tuple[Any, Any, Any]:
    """Return the design of the first n patients, their labels, and the counts of one draw."""
    # a training set and draws with few, large cells, so that a reader can count them
    sample = datasets.gaussian_mixture(max(SIZES), p=1, rng=23)
    counts = np.random.default_rng(5000 + n).multinomial(n, np.ones(n) / n)
    return LeastSquares().design(sample.X)[:n], sample.y[:n], counts


@cache
def tried() -> dict[int, tuple[Any, float]]:
    """Return the seven intervals and the line's true error for ten training sets."""
    far, results = datasets.three_points(100_000, rng=1), {}
    for number in range(1, 11):
        X, y, _ = datasets.three_points(30, rng=number)
        rule = LeastSquares().fit(X, y)
        made = {
            k: m.function(rule, X, y, resamples=RESAMPLES, rng=0)
            for k, m in study.methods().items()
        }
        results[number] = made, float(np.mean(rule.predict(far.X) != far.y))
    return results


def point632(X: Any, y: Any, resamples: int = 500) -> float:
    """Return the .632 estimate of the rule's error, of as many bootstrap samples."""
    rule = LeastSquares()
    return float(bootstrap.point632(rule, X, y, resamples=resamples, rng=0))


settings = study.rows


def floor(key: str) -> float:
    """Return the lowest coverage of an interval."""
    return float(min(row[key] for row in settings()))


def width(key: str) -> float:
    """Return the mean width of an interval."""
    return float(np.mean([row[f"{key} width"] for row in settings()]))


# Phrases with computed numbers: a test looks for each in the prose, and lists all other numbers


@cache
def numbers() -> list[str]:
    """Return the chapter's phrases whose numbers are computed, rounded as in the text."""
    X, y, _, rest = women()
    bound = cud_bound(X, y, rng=0)
    wrong = round(len(y) * bound.training_error)
    high = outward(bound.interval.high, spec=".0%")
    errors = sorted(error for _, error in tried().values())
    misses = sum(
        not low <= error <= high for made, error in tried().values() for low, high in [made["BS1"]]
    )
    made, error = tried()[5]  # the training set that the explorer shows first
    hard = sum(not low <= error <= high for low, high in made.values())
    inside = {n: int((cud_cells(*plane(n), alpha=n).gain > 0).sum()) for n in SIZES}
    bound_of_ten = outward(clopper_pearson(0.1, 10), spec=".0%")
    rows = settings()
    often = {key: sum(row[key] >= 0.9 for row in rows) for key in study.methods()}
    assert max(often["BS1"], often["BS2"]) < len(rows) / 2
    assert min((len(rows) - count, key) for key, count in often.items())[1] == "CUD"
    assert sorted(often.values())[-2] < often["CUD"] == len(rows)
    return [
        f"gets {WORDS[wrong]} of the thirty wrong",
        f"At most {high}, with 95% confidence",
        f"the other {len(rest)} women wait in a drawer",
        f"errors on the other {len(rest)} women",
        f"The quantile bootstrap misses on {WORDS[misses]} of the ten",
        f"on it all {WORDS[hard]} miss",
        f"about {errors[0]:.0%} and {errors[-1]:.0%}",
        f"That makes {len(rows)} settings",
        f"whereas CUD stayed at {floor('CUD'):.0%} or above",
        f"The normal approximation falls to {floor('K'):.0%} and the quantile bootstrap to "
        f"{floor('BS1'):.0%}",
        f"covers at least {floor('CUD'):.0%} in every setting",
        f"{100 * width('CUD'):.0f} points on average, against {100 * width('K'):.0f} for "
        "the normal approximation",
        f"more than {5 * math.floor(20 * (errors[-1] - errors[0]))} points",
        f"is either {errors[0]:.0%} or {errors[-1]:.0%}",
        f"in each of the {len(rows)} settings. Which",
        f"{WORDS[inside[10]]} cells with 10 patients, but {inside[50]} with 50",
        f"fitted to {len(y)} patients, got {wrong} of them wrong",
        f"its error rate on such patients is at most {high} (CUD",
        f"was at least {floor('CUD'):.0%})",
        f"The truth is {held_out():.1%}",
        f"in {WORDS[sum(others())]} of the ten rehearsals another one decides",
        f"gets {WORDS[round(30 * one_bound().training_error)]} of the thirty wrong, plus or minus "
        f"{100 * one_bound().quantile:.0f} points",
        f'allow only "at most {bound_of_ten}"',
    ]


@cache
def one_bound() -> Any:
    """Return errlab's bound for the rule on one score."""
    return cud_bound(women()[0][:, :1], women()[1], rng=0)


def others() -> list[bool]:
    """Return in which of ten resamples another line than the draw's own has the largest product."""
    x, y = one_score()
    rule, outcomes = LeastSquares(), []
    for drawn in rehearsed()[:10]:
        wrong = rule.fit(x[drawn, None], y[drawn]).predict(x[:, None]) != y
        # this line has weight 1, because no line fits the draw better
        deviation = abs(wrong[drawn].mean() - wrong.mean())
        counts = np.bincount(drawn, minlength=len(y))[None]
        largest = float(cud_supremum(rule.design(x[:, None]), y, counts)[0])
        outcomes.append(largest > deviation + 1e-9)
    return outcomes


# Edits that the reader is asked to make, in the form of the chapter on the bootstrap
BREAKS = {
    "0 of 24 and 23 of 24": (
        "row[key] >= 0.90", "row[key] >= 0.95",
        lambda book: f"{book['kept']['K']} of 24 and {book['kept']['CUD']} of 24",
    ),
    "Still 20.0 points": (
        "sharpness=1.0", "sharpness=100.0", lambda book: f"Still {100 * book['half']:.1f} points",
    ),
    "13.3 points instead of 20.0": (
        "for turn in x:", "for turn in []:",
        lambda book: f"{100 * book['half']:.1f} points instead of {100 * one_bound().quantile:.1f}",
    ),
}  # fmt: skip


GIVEN = [
    *("right in 90% of the training sets", "`>= 0.95`", "what its 95% says"),
    *(
        "40 minutes",
        "Three lines to remember",
        "thirty patients",
        "thirty women",
    ),
    *(
        "Thirty examples and no test",
        "in three scores",
        "With thirty",
        "Seven intervals, one",
        "A 95% interval",
    ),
    *("training sets, 95% give", "Here are all seven, on ten training", "on only three spots"),
    *("But ten training sets", "all seven intervals contained", "With 95% confidence its"),
    *("Seven ways to make", "each of twelve data sets, eight of them real, with 30 and with 50"),
    *(
        "all seven intervals",
        "takes the thirty",
        "draws thirty of",
        "Take twelve",
    ),
    *(
        "The 95% quantile of these products, over 500 rehearsals",
        "how many of ten rehearsals",
        "in all ten",
        "(CUD, 500 bootstrap draws",
        "on twelve data sets",
    ),
    *(
        "each of the seven intervals",
        "the weight is 1 for",
        "straight line to 0",
        "so its weight is 1",
    ),
    *("gaussian_mixture(40, rng=5)", "rng=0)", "permutation(569)", "resamples=100"),
    *(".632", "ten patients set aside", "one error among them"),
    # from the questions and choices of guesses
    *(
        "on twelve patients",
        "by a twelfth",
        "the ten training sets",
        "You go from 10 patients to 50",
    ),
    *("to about 90% to about 80% to about 50%", "three times as often", "Count at 10 and at 50"),
    # exercises
    *(f"**15.{number}**" for number in range(1, 5)),
    'hint("15.3")',
    *("coverage of at least 85%", "With patients on three spots", "seven intervals gives it"),
    *("Draw 40 patients", "Give sixty other", "thirty women each"),
    *(
        "the 2.5% and the 97.5% quantile",
        "`sharpness=100.0`",
        "for seeds 0 to 59 the first 30",
        "fitted to these thirty",
        "Section 3;",
    ),
]
