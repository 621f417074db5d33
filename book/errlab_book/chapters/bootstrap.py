"""What resampling adds to the counts, and what it can't: what the chapter draws and states."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import errlab
from errlab import bootstrap, bounds, crossval
from errlab.style import styled
from errlab_book import explore, guesses, labs, outward, show
from errlab_book.chapters import WORDS
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, SOFT, headline, paper, write

GUESSES = guesses.load(__file__)

ERRORS, TESTED = 3, 200  # errors of B among Ida's test tumours
SIZES, COUNTS = (20, 50, 100, 200), (0, 1, 2, 3, 5, 7)
LEVELS = (0.025, 0.975)


# Pictures, in the order of the chapter


def two_ends() -> Any:
    """Show the bootstrap interval of Ida's three errors beside the exact one."""
    ends = {
        "exact": 100 * np.array(bounds.interval("CP", ERRORS / TESTED, TESTED)),
        "bootstrap": 100 * np.array(bootstrap.percentile_interval(losses(ERRORS, TESTED))),
    }

    @styled
    def draw() -> Axes:
        ax = paper(350, 190)
        for row, (name, (low, high)) in enumerate(ends.items()):
            mine = name == "bootstrap"
            ax.hlines(
                row, low, high, color=ACCENT if mine else INK, lw=9, alpha=1 if mine else BODY
            )
            if mine:
                ax.plot(low, row, "s", color=ACCENT, ms=12, clip_on=False)
            note = f"{name}: {outward(*ends[name] / 100)}"
            write(ax, note, (0, row), (0, 18), weight="bold" if mine else "normal")
        ax.set(xlim=(-0.15, 5), ylim=(1.5, -0.8), yticks=[], xlabel="true error rate")
        ax.set_xticks(range(6), [f"{x}%" for x in range(6)])
        headline(
            ax,
            f"After {WORDS[ERRORS]} errors, the bootstrap still allows a true error of 0%",
            f"95% intervals, {ERRORS} errors in {TESTED} tumours",
        )
        return ax

    return show(
        draw(),
        "Bootstrap: the percentile interval. Exact: Clopper-Pearson.",
        alt="; ".join(f"{name} {outward(*both / 100)}" for name, both in ends.items()),
    )


def bag(*, balls: int = 20, errors: int = 5) -> Any:
    """Guess, then draw samples from a bag by hand."""
    display(GUESSES["bag"])
    # the explorer starts with a sample whose error rate differs from the bag's
    return labs.Bag(errors=errors, cases=balls, balls=balls, seed=6)


def rates(losses: Any, draws: int = 10_000, seed: int = 0) -> list[Any]:
    """Return the error rates of bootstrap samples, simulated as in the chapter."""
    rng = np.random.default_rng(seed)
    return [rng.choice(losses, len(losses)).mean() for _ in range(draws)]


def intervals_above(ax: Axes, intervals: dict[str, Any], top: float) -> None:
    """Draw the bootstrap's and other intervals, in %, above bars of height `top`."""
    for height, (name, ends) in enumerate(intervals.items()):
        y, mine = (1.12 + 0.32 * height) * top, name == "bootstrap"
        ax.plot(ends, [y, y], color=ACCENT if mine else INK, lw=5, solid_capstyle="butt")
        if mine:
            ax.plot(ends, [y, y], "s", color=ACCENT, ms=8)
        note = f"{name}: {outward(*ends / 100)}"
        write(ax, note, (ends[0], y), (0, 13), weight="bold" if mine else "normal")


def resamples(resample: Callable[..., Any] = rates, *, n: int = 50, errors: int = 3) -> Any:
    """Guess, then explore the error rates of bootstrap samples, simulated as in the notebook."""
    sizes, counts = sorted({*SIZES, n}), sorted({*COUNTS, errors})

    @styled
    def draw(resample: Callable[..., Any], n: int, errors: int) -> Axes:
        rates = 100 * np.asarray(resample(losses(errors, n)), dtype=float)
        low, high = np.quantile(rates, LEVELS)
        exact = 100 * np.array(bounds.interval("CP", errors / n, n))
        values, often = np.unique(rates.round(6), return_counts=True)
        chance = often / len(rates)
        ax = paper(350, 260)
        inside = (values >= low - 1e-4) & (values <= high + 1e-4)
        wide = 80 / n
        ax.bar(values[inside], chance[inside], wide, color=INK, alpha=BODY, lw=0)
        if not inside.all():
            ax.bar(values[~inside], chance[~inside], wide, color=INK, alpha=FAINT, lw=0)
        top = float(chance.max())
        intervals_above(ax, {"bootstrap": np.array([low, high]), "exact": exact}, top)
        last = values[chance > 0.002 * top].max()  # lower bars would be invisible
        # room for the labels, even without errors
        right = max(1.06 * exact[1], 265 / n, last + 60 / n)
        ax.set(xlim=(-wide / 2 - 0.01 * right, right), ylim=(0, 1.7 * top), yticks=[])
        ax.locator_params(axis="x", nbins=6, steps=[1, 2, 5, 10])
        ax.xaxis.set_major_formatter("{x:g}%")
        ax.set_xlabel("error rate")
        headline(
            ax,
            f"The exact interval reaches {outward(exact[1] / 100)}, the bootstrap "
            f"{outward(high / 100)}",
            f"{errors} error{'s' * (errors != 1)} in {n} examples; bars: {len(rates):,} samples",
        )
        return ax

    def alt(resample: Callable[..., Any], n: int, errors: int) -> str:
        ends = np.quantile(resample(losses(errors, n)), LEVELS)
        exact = bounds.interval("CP", errors / n, n)
        return f"percentile interval {outward(*ends)}, exact {outward(*exact)}"

    display(GUESSES["resamples"])
    return explore(
        draw,
        by=resample,
        n=sizes,
        errors=counts,
        start={"n": n, "errors": errors},
        labels={"n": "test examples"},
        caption="The samples are those of resample: what you change there changes here. "
        "Dark bars: the middle 95%. Above the bars: both 95% intervals.",
        alt=alt,
    )


def two_per_cent() -> Any:
    """Guess how often the bootstrap interval contains a true error of 2%."""
    return GUESSES["rare_errors"]


def resampled(errors: int, n: int) -> Any:
    """Return the ends of errlab's percentile interval for a number of errors."""
    return bootstrap.percentile_interval(losses(errors, n))


def exact(errors: int, n: int) -> Any:
    """Return the ends of the exact interval for a number of errors."""
    return bounds.interval("CP", errors / n, n)


def rare_errors(ends: Callable[..., Any] = resampled, *, n: int = 100) -> Any:
    """Explore how often an interval contains the true error, beside the exact one."""
    true = np.linspace(0.001, 0.15, 150)
    sizes = sorted({*SIZES, n})

    @styled
    def draw(ends: Callable[..., Any], n: int) -> Axes:
        ax = paper(350, 270)
        ours, proven = (100 * np.array(covered(n, true, by)) for by in (ends, exact))
        ax.axhline(95, color=INK, lw=1)
        ax.plot(100 * true, proven, color=INK, alpha=BODY, lw=1.4)
        ax.plot(100 * true, ours, color=ACCENT, lw=1.8)
        # a second mark, which shows the finding
        at = 100 * float(covered(n, np.array([0.02]), ends)[0])
        ax.plot(2, at, "s", color=ACCENT, ms=9)
        write(ax, "true error 2%", (2, at), (9, -22), weight="bold")
        write(ax, "exact (Clopper-Pearson)", (15, 100), (0, 9), ha="right", alpha=SOFT)
        write(ax, "bootstrap", (15, 83), (0, 0), ha="right", weight="bold")
        ax.set(xlim=(0, 15), ylim=(0, 114), yticks=[0, 50, 95], xticks=[0, 5, 10, 15])
        ax.yaxis.set_major_formatter("{x:g}%")
        ax.xaxis.set_major_formatter("{x:g}%")
        ax.set_xlabel("true error", loc="left")
        headline(
            ax,
            "Where errors are rare, the bootstrap interval is too often wrong",
            f"How often the 95% interval contains the true error, {n} examples",
        )
        return ax

    return explore(
        draw,
        by=ends,
        n=sizes,
        start={"n": n},
        labels={"n": "test examples"},
        caption="Exact coverage, a finite sum; nothing is simulated.",
        alt=lambda ends, n: (
            f"with {n} examples the bootstrap's line lies far below 95% at small errors"
        ),
    )


def f_scores(gaps: Any) -> Any:
    """Show the F-scores of two models on resampled tumours, as in the notebook."""
    gaps = np.asarray(gaps)
    low, high = np.quantile(gaps, LEVELS)

    @styled
    def draw() -> Axes:
        ax = paper(350, 250)
        bars, edges = np.histogram(gaps, bins=np.arange(-0.03, 0.2, 0.01))
        ax.bar(edges[:-1], bars, 0.009, align="edge", color=INK, alpha=BODY, lw=0)
        top = bars.max()
        ax.plot([low, high], [1.12 * top] * 2, color=ACCENT, lw=5)
        ax.plot([low, high], [1.12 * top] * 2, "s", color=ACCENT, ms=8)
        middle = (low + high) / 2
        write(ax, f"{low:.2f} to {high:.2f}", (middle, 1.12 * top), (0, 12), ha="center",
              weight="bold")  # fmt: skip
        ax.axvline(0, color=INK, lw=1)
        write(ax, "A better", (0, 0.75 * top), (-6, 0), ha="right", alpha=SOFT)
        write(ax, "B better", (0, 0.75 * top), (6, 0), alpha=SOFT)
        ax.set(ylim=(0, 1.35 * top), yticks=[], xlim=(-0.06, 0.17))
        ax.set_xlabel("F-score of B minus F-score of A", loc="left")
        headline(
            ax,
            f"B's F-score is higher in {np.sum(gaps > 0):,} of {len(gaps):,} samples",
            f"Bootstrap samples of {TESTED} test tumours",
        )
        return ax

    return show(
        draw(),
        "The differences in gaps. Above the bars: the middle 95% of them.",
        alt=f"A hump of differences around {middle_of(gaps):.2f}, the interval {low:.2f} to "
        f"{high:.2f} right of zero.",
    )


def estimates() -> Any:
    """Guess, then explore five estimates of the error on pure noise."""
    findings = {
        2: "The training error says {0:.0f}%, the examples left out {1:.0f}%",
        3: ".632 finds skill where there is none",
        4: ".632+ gives {3:.0f}% where .632 gives {2:.0f}%",
        5: "Ten folds are right on average, .632+ jumps less",
    }

    @styled
    def draw(methods: int) -> Axes:
        some = list(on_noise().items())[:methods]
        means = [values.mean() for _, values in some]
        ax = paper(350, 120 + 56 * methods)
        for row, (name, values) in enumerate(some):
            mine = row == min(2, methods - 1) if methods < 4 else row == 3
            ax.vlines(50, row - 0.2, row + 0.3, color=INK, lw=1, alpha=BODY)  # the true error
            # spread vertically, but not at random
            height = row + 0.15 * np.sin(2.4 * np.arange(len(values)))
            ax.plot(values, height, "s" if mine else "o", color=ACCENT if mine else INK,
                    alpha=1 if mine else BODY, ms=5, mew=0, clip_on=False)  # fmt: skip
            ax.plot(values.mean(), row, "|", color=INK, ms=22, mew=3, clip_on=False)
            note = f"{name}: {values.mean():.0f}%" + (" on average" if row else "")
            write(ax, note, (0, row), (2, 21), weight="bold" if mine else "normal")
        ax.set(xlim=(-2, 80), ylim=(methods - 0.5, -0.75), yticks=[])
        ax.set_xticks([0, 25, 50, 75], ["0%", "25%", "truth 50%", "75%"])
        ax.set_xlabel("estimated error", loc="left")
        note = findings[methods].format(*means)
        headline(
            ax, note, "A mark for each of thirty data sets of coin labels; upright: their mean"
        )
        return ax

    display(GUESSES["estimates"])
    return explore(
        draw,
        methods=list(findings),
        labels={"methods": "estimates shown"},
        caption="One nearest neighbour, 40 examples, 50 bootstrap samples of each data set.",
        alt=lambda methods: ", ".join(
            f"{name} from {values.min():.0f}% to {values.max():.0f}%"
            for name, values in list(on_noise().items())[:methods]
        ),
    )


# Data


def losses(errors: int, n: int) -> Any:
    """Return n losses, of which `errors` are 1."""
    return 1.0 * (np.arange(n) < errors)


def middle_of(values: Any) -> float:
    """Return the median."""
    return float(np.median(values))


def covered(n: int, true: Any, ends: Callable[..., Any] = resampled) -> Any:
    """Return the exact coverage of an interval at true errors: `ends` takes errors and n."""
    counts = np.arange(n + 1)
    low, high = np.array([ends(k, n) for k in counts.tolist()]).T[:, :, None]
    # counts x true errors; an interval that ends at the true error contains it
    contains = (low <= true + 1e-12) & (true - 1e-12 <= high)
    return (stats.binom.pmf(counts[:, None], n, true) * contains).sum(axis=0)


@cache
def test_tumours() -> Any:
    """Return the labels of Ida's 200 test tumours, and the predictions of A and B."""
    X, y = load_breast_cancer(return_X_y=True)
    train, test, y_train, y_test = train_test_split(X, 1 - y, test_size=TESTED, random_state=3)
    a = KNeighborsClassifier().fit(train, y_train)
    b = make_pipeline(StandardScaler(), LogisticRegression()).fit(train, y_train)
    return y_test, a.predict(test), b.predict(test)


@cache
def forty() -> Any:
    """Return forty of Ida's training tumours, standardised, and their labels."""
    X, y = load_breast_cancer(return_X_y=True)
    train, _, sick, _ = train_test_split(X, 1 - y, test_size=TESTED, random_state=3)
    return StandardScaler().fit_transform(train[:40]), sick[:40]


@cache
def f_difference() -> Any:
    """Return A's F-score minus B's, with its interval."""
    return errlab.metric(*test_tumours(), metric="f1")


def ratio_of_errors(y: Any, both: Any) -> float:
    """Return A's errors divided by B's; `both` has a column for each."""
    return float(np.mean(both[:, 0] != y) / np.mean(both[:, 1] != y))


@cache
def on_noise() -> dict[str, Any]:
    """Return five estimates of one neighbour's error, in %, for thirty data sets of pure noise."""
    rows = [estimates_on_noise(seed) for seed in range(30)]
    names = ("training error", "leave-one-out bootstrap", ".632", ".632+", "ten folds")
    return dict(zip(names, 100 * np.array(rows).T, strict=True))


def estimates_on_noise(seed: int) -> tuple[float, ...]:
    """Return the five estimates for one data set."""
    model = KNeighborsClassifier(1, algorithm="kd_tree")
    rng = np.random.default_rng([8, seed])
    X, y = rng.normal(size=(40, 5)), rng.integers(2, size=40)
    loo = bootstrap.loo_bootstrap(model, X, y, resamples=50, rng=rng)
    cv = crossval.cross_val_losses(model, X, y, cv=10, rng=rng).mean
    return loo.resubstitution, loo.error, loo.point632, loo.point632plus, cv


# Phrases with computed numbers: a test looks for each in the prose, and lists all other numbers


@cache
def numbers() -> list[str]:
    """Return the chapter's phrases whose numbers are computed, rounded as in the text."""
    sick, a, b = test_tumours()
    assert (b != sick).sum() == ERRORS
    drawn = outward(*bootstrap.percentile_interval(losses(ERRORS, TESTED)))
    exact = outward(*bounds.interval("CP", ERRORS / TESTED, TESTED))
    for n in SIZES:
        for k in COUNTS:
            resampled = bootstrap.percentile_interval(losses(k, n))
            assert resampled.high < bounds.interval("CP", k / n, n).high
    rare = float(covered(100, np.array([0.02]))[0])
    # the guess's numbers for 95% and for 50%
    assert np.abs(covered(100, np.linspace(0.08, 0.12, 401)).mean() - 0.95) < 0.02
    assert f"{covered(100, np.array([0.007]))[0]:.0%}" == "50%"
    # the coverage jumps, so average over many true errors
    common = covered(100, np.linspace(0.05, 0.15, 2001))
    noise = on_noise()
    plain, plus, folds = noise[".632"], noise[".632+"], noise["ten folds"]
    assert plus.std() < folds.std()
    difference = f_difference()
    ratio = errlab.metric(sick, np.column_stack([a, b]), metric=ratio_of_errors)
    return [
        f"got {WORDS[ERRORS]} of {TESTED} test tumours wrong",
        f"from {drawn}",
        f"runs from {exact}",
        f"two counts, {ERRORS} and {TESTED}",
        f"{labs.Bag(errors=2, cases=20).empty:.0%} of the samples are perfect",
        f"contains it {rare:.0%} of the time",
        f"between {common.min():.0%} and {common.max():.0%}",
        f"{rare:.0%} of the time",
        "at a true error of 0.7%",
        f"The estimate is {plain.mean():.0f}% on average",
        f"about {plain.mean():.0f}%",
        f"On such noise .632+ gives {plus.mean():.0f}% on average",
        f"{f1_score(sick, a):.2f} for A, Ida's nearest neighbours",
        f"{f1_score(sick, b):.2f} for B, her logistic",
        f"from {WORDS[ERRORS]} errors tells you nothing that the {WORDS[ERRORS]} did not",
        f"a ratio with {WORDS[ERRORS]} errors below",
        f"B is better by {-difference.estimate:.2f}, with a 95% interval from "
        f"{-difference.high:.2f} to {-difference.low:.2f}",
        f"A is wrong {(a != sick).sum()} times and B {WORDS[ERRORS]} times",
        f"{ratio.estimate:.1f} times as often, with an interval from {ratio.low:.1f} to "
        f"{ratio.high:.0f}",
        f"gives {drawn}; we report the exact 95% interval, {exact}, because {WORDS[ERRORS]} errors "
        "are too few",
        f"the F-score of B is higher than A's by {-difference.estimate:.2f} (95% interval "
        f"{-difference.high:.2f} to {-difference.low:.2f}",
    ]


# Edits that the reader is asked to make: the old code, the new code, and the text about the result.
# A test runs the notebook with each of them.
def _632(book: Any) -> str:
    plain = 0.368 * book["err"] + 0.632 * book["err1"]
    plus = book["point632plus"](book["err"], book["err1"], book["gamma"])
    # at an overfitting rate of 1, .632+ is at least the no-information rate
    assert plus > book["gamma"] - 1e-12
    return f".632 says {plain:.0%}, .632+ says {plus:.0%}"


BREAKS = {
    "0.16 instead of 0.11": (
        "integers(200, size=200)", "integers(200, size=100)",
        lambda book: f"{np.ptp(np.quantile(book['gaps'], [0.025, 0.975])):.2f} instead of 0.11",
    ),
    "At 6.0% instead of 0%; the exact one ends at 7.2%": (
        "rng.choice(losses, ", "rng.choice([*losses, 1], ",
        lambda book: f"At {np.quantile(book['resample'](50 * [0]), 0.975):.1%} instead of 0%; "
        f"the exact one ends at {outward(bounds.interval('CP', 0.0, 50).high)}",
    ),
    ".632 says 32%, .632+ says 50%": (
        "X, y = chapter.forty()",
        "X, y = chapter.forty()\ny = np.random.default_rng(1).integers(2, size=40)",
        _632,
    ),
}  # fmt: skip


GIVEN = [
    *("`size=100`", "only 100 tumours had been tested"),
    "45 minutes",
    "Before: [bounds for 0/1 losses]",
    "10,000 times",
    "ten folds",
    "Ten thousand samples",
    "2.5% at each end",
    "from 5% to 15%",
    "five of the twenty red",
    *("[*losses, 1]", "after no error in 50?"),
    *("default_rng(1).integers(2, size=40)", "`overfitted` is 1 and"),
    *("forty of Ida's", "`X, y = chapter.forty()`"),
    *("0/1 loss", "Three lines", "1. For 0/1", "2. What is not", "3. For a classifier's"),
    *("63.2%", "For 0/1 losses", "trains nine of them", "Why are ten folds not ten independent"),
    # from the questions and choices of guesses
    *("A bag of 20 balls", "sample of 20 contain", "one time in eight", "one time in three"),
    *("Twenty draws", "misses with 90%", "each miss with 90%"),
    *("no error on 50 examples", "interval is 0% 2% 7%"),
    *("true error of 2%", "on 100 examples", "“95%” bootstrap", "contain the 2%"),
    *("95% of the time", "50% of the time", "Near 10%, about"),
    *("worse than 50%", ".632", "about 0%", "about 50%", "0.632 times a half"),
    # exercises
    *(f"**8.{i}**" for i in range(1, 6)),
    *(
        "it lies above 0",
        "difference of two F-scores somebody",
        "the 95% percentile interval",
        "still begins at 0",
        "errors in 100 does",
    ),
    *("is 5% and the leave-one-out bootstrap error 30%", "to mean 0 and standard deviation 1"),
    *(
        "200 resamples and `rng=0`",
        "lower end of the 95% interval for B's",
        "Illustration 4",
        '("8.4")',
    ),
]
