"""Bounds for losses between 0 and 1, and which to take. What the chapter draws, asks and states."""

from functools import cache
from typing import Any

import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from errlab import bounds, coverage, holdout
from errlab._core.checks import FloatArray
from errlab._style import styled
from errlab.book import explore, guesses, outward, show, tables
from errlab.book.plots.paper import ACCENT, BODY, FAINT, INK, SOFT, headline, paper, spread, write
from errlab.bounds import BOUNDS
from errlab.bounds.betting import log_capital

GUESSES = guesses.load(__file__)

ENOUGH = 20  # the capital that rules a true error out, at 95%
SOFT_LOSSES = "between 0 and 1"


# Pictures, in the order of the chapter


def halved() -> Any:
    """Show the two bounds that Ida could print for the mean of her losses."""
    soft = losses()
    mean, n = 100 * soft.mean(), len(soft)
    rows = {
        "HOE": "Hoeffding, sees the mean",
        "T_HOE": "Tight Hoeffding, sees the mean",
        "BET": "Betting, sees every loss",
    }
    upper = {key: 100 * float(bounds.upper(key, losses=soft)) for key in rows}

    @styled
    def draw() -> Axes:
        ax = paper(350, 215)
        for row, (key, name) in enumerate(rows.items()):
            best = key == "BET"
            bar = {"color": ACCENT} if best else {"color": INK, "alpha": BODY}
            ax.hlines(row, mean, upper[key], lw=9, **bar)
            if best:
                ax.plot(upper[key], row, "s", color=ACCENT, ms=11)
            weight = "bold" if best else "normal"
            write(ax, name, (mean, row), (5, 16), weight=weight)
            end = f"up to {outward(upper[key], spec='.1f')}%"
            write(ax, end, (upper[key], row), (10, 0), weight=weight)
        ax.axvline(mean, color=INK, lw=1)
        ax.set(xlim=(0, 16), ylim=(2.6, -0.8), yticks=[])
        ax.set_xticks([0, mean, 10], ["0%", f"mean {mean:.1f}%", "10%"])
        headline(
            ax, "A better proof, then a look at every loss", "95% upper bound of the true mean loss"
        )
        return ax

    return show(
        draw(),
        f"The probability that a classifier gave to the wrong answer, on {n} of Ida's patients.",
        alt="Three bars that begin at the mean. That of betting is the shortest, about a third as "
        "long as that of Hoeffding; tight Hoeffding's is a little longer.",
    )


def spreads() -> Any:
    """Guess, then explore three kinds of losses with the same mean."""

    @styled
    def draw(kind: str) -> Axes:
        values = samples()[kind]
        mean, s = values.mean(), values.std()
        # multiples of the golden ratio: spread evenly over the strip, and not at random
        up = 0.6180339887 * np.arange(len(values)) % 1
        ax = paper(350, 190)
        ax.plot(values, up, "o", color=INK, alpha=BODY, ms=5, mew=0)
        ax.plot([mean - s, mean + s], [-0.35] * 2, "-s", color=ACCENT, lw=4, ms=8)
        ax.plot(mean, -0.35, "|", color=INK, ms=16, mew=2)
        write(ax, f"± {s:.2f}", (mean + s, -0.35), (10, 0), weight="bold")
        ax.set(xlim=(-0.22, 1.04), ylim=(-0.7, 1.1), yticks=[], xlabel="loss of one example")
        ax.set_xticks([0, 0.25, 0.5, 1], ["0", "0.25", "0.5", "1"])
        said = {"0 or 1": "Losses of 0 and 1", "a hump": "A hump", "spread evenly": "Spread evenly"}
        headline(
            ax,
            f"{said[kind]}: {s:.2f} from the mean, typically",
            "Dots: sixty losses. Bar: their mean, plus and minus one standard deviation",
        )
        return ax

    display(GUESSES["spreads"])
    return explore(
        draw,
        kind=list(samples()),
        labels={"kind": "losses"},
        caption="The mean stays at 0.25.",
        alt=lambda kind: f"standard deviation {samples()[kind].std():.3f}",
    )


def bet() -> Any:
    """Guess, then stake a part of your capital on each loss being below a doubted true error."""

    def capital(kind: str, stake: int, doubted: int) -> FloatArray:
        # a loss of 1 leaves 1 - stake
        gains = stake / 100 * (doubted / 100 - ordered()[kind]) / (1 - doubted / 100)
        return np.append(1, (1 + gains).cumprod())

    @styled
    def draw(kind: str, stake: int, doubted: int) -> Axes:
        yours = capital(kind, stake, doubted)
        ours = np.exp(np.append(0, log_capital(ordered()[kind], doubted / 100, 1 / ENOUGH)))
        low, high = 1e-3, 1e5  # nothing that matters happens outside
        at = np.arange(len(yours))
        ax = paper(350, 290)
        ax.axhline(ENOUGH, color=INK, lw=1)
        write(ax, "ruled out", (0, ENOUGH), (4, 8), alpha=SOFT)
        ends = np.log10([yours[-1].clip(low, high), ours[-1].clip(low, high)])
        you, bound = 10 ** spread(ends, 0.75)
        ax.plot(at, ours.clip(low, high), color=INK, alpha=BODY, lw=1.8)
        write(ax, "betting\nbound", (at[-1], bound))
        ax.plot(at, yours.clip(low, high), color=ACCENT, lw=2.5)
        write(ax, "you", (at[-1], you), weight="bold")
        reached = yours >= ENOUGH
        if reached.any():
            first = int(np.argmax(reached))
            ax.plot(first, yours[first], "s", color=ACCENT, ms=9)
            said = f"You rule out {doubted}% after {first} examples"
        else:
            ax.plot(at[-1], yours[-1].clip(low, high), "s", color=ACCENT, ms=9, clip_on=False)
            less = "less than 0.001" if yours[-1] < low else f"{yours[-1]:.2g}"
            said = f"You never reach {ENOUGH}, and end with {less}"
        ax.set(yscale="log", ylim=(0.6 * low, 2 * high), xlim=(0, at[-1]))
        ax.set(xlabel="examples bet on", xticks=[0, 50, 100, 150, 200])
        ax.set_yticks([low, 1, ENOUGH, high], ["0.001", "1", f"{ENOUGH}", "100,000"])
        ax.minorticks_off()
        headline(ax, said, f"Capital; you stake {stake}% of yours each time")
        return ax

    def alt(**chosen: Any) -> str:
        path = capital(**chosen)
        return f"your capital ends at {path[-1]:.3g}, and is at most {path.max():.3g}"

    display(GUESSES["bet"])
    return explore(
        draw,
        kind=["0 or 1", "calm"],
        stake=[10, 25, 50, 100],
        doubted=[25, 30, 35],
        start={"kind": "0 or 1", "stake": 100, "doubted": 30},
        labels={
            "kind": "losses",
            "stake": "your stake, in %",
            "doubted": "true error you bet against, in %",
        },
        caption="The mean of the 200 losses is 25%. Capitals below 0.001 are drawn at 0.001.",
        alt=alt,
    )


def known() -> Any:
    """Guess, then explore what three bounds give for the same losses."""
    rows = {"T_HOE": "sees the mean", "MAU": "and the variance", "BET": "sees every loss"}

    @styled
    def draw(n: int, variance: int) -> Axes:
        values = of_variance(n, variance)
        mean = 100 * values.mean()
        edge = {20: 100, 50: 60, 200: 30}[n]  # one scale while the variance moves
        ax = paper(350, 270)
        ax.plot(100 * values, np.full(n, -1.1), "|", color=INK, alpha=BODY, ms=12)
        write(ax, "the losses", (edge, -1.1), (0, 14), ha="right", alpha=SOFT)
        for row, (key, sees) in enumerate(rows.items()):
            upper = 100 * float(bounds.upper(key, losses=values))
            best = key == "BET"
            bar = {"color": ACCENT} if best else {"color": INK, "alpha": BODY}
            ax.hlines(row, mean, min(upper, edge), lw=9, **bar)
            if best:
                ax.plot(upper, row, "s", color=ACCENT, ms=11)
            weight = "bold" if best else "normal"
            worth = f", worth {examples_worth(key, values):,}" if upper < 99 else ""
            name = f"{BOUNDS[key].name}, {sees}{worth}"
            write(ax, name, (mean, row), (0, 15), weight=weight)
            write(ax, f"{upper:.1f}%", (min(upper, edge), row), (9, 0), weight=weight)
        ax.axvline(mean, color=INK, lw=1)
        ax.set(xlim=(0, edge), ylim=(2.6, -1.9), yticks=[], xlabel="upper bound")
        ax.xaxis.set_major_formatter("{x:g}%")
        headline(
            ax,
            f"Betting gets {examples_worth('BET', values):,} examples out of {n}",
            "Worth: how many the mean alone would need",
        )
        return ax

    def alt(n: int, variance: int) -> str:
        values = of_variance(n, variance)
        upper = bounds.upper("BET", losses=values)
        return f"betting {upper:.3f}, worth {examples_worth('BET', values)} examples"

    display(GUESSES["known"])
    return explore(
        draw,
        n=[20, 50, 200],
        variance=[100, 50, 25, 10, 5, 1],
        start={"n": 200, "variance": 25},
        labels={"n": "test examples n", "variance": "variance, % of largest"},
        caption="The mean loss is 10%. A bar begins at the mean and ends at the bound.",
        alt=alt,
    )


def printed() -> Any:
    """List what four bounds give for Ida's losses."""
    soft = losses()
    part = soft.var() / (soft.mean() * (1 - soft.mean()))
    knows = {"HOE": "the mean", "T_HOE": "the mean", "MAU": "and the variance", "BET": "every loss"}
    return tables.table(
        [
            {
                "it knows": what,
                "bound": BOUNDS[key].name,
                "upper": outward(bounds.upper(key, losses=soft)),
            }
            for key, what in knows.items()
        ],
        caption=f"Probability of the wrong answer for {len(soft)} tumours: mean {soft.mean():.1%}, "
        f"variance {part:.0%} of the largest",
    )


def chooser() -> Any:
    """Guess, then answer three questions and see which bound is the tightest."""

    @styled
    def draw(kind: str, know: str, guarantee: str, n: int, mean: int) -> Axes:
        ranking, rate = choose(kind, know, guarantee, n, mean)
        some, start = ranking[:5], 100 * rate
        # one scale for all that can be known
        edge = 100 * bounds.rank(mean / 100, n)[4].upper - start
        ax = paper(350, 280)
        for row, entry in enumerate(some):
            best = row == 0
            bar = {"color": ACCENT} if best else {"color": INK, "alpha": BODY}
            price = 100 * entry.upper - start
            ax.hlines(row, 0, min(price, edge), lw=8, **bar)
            if best:
                ax.plot(price, row, "s", color=ACCENT, ms=10, clip_on=False)
            weight = "bold" if best else "normal"
            star = "" if entry.rigorous else " *"
            write(ax, entry.name + star, (0, row), (0, 14), weight=weight)
            write(ax, outward(entry.upper), (min(price, edge), row), (9, 0), weight=weight)
        ax.set(xlim=(0, 1.02 * edge), ylim=(4.5, -0.9), yticks=[])
        ax.set_xlabel("percentage points above the mean loss")
        price = outward(100 * some[0].upper - start, spec=".1f")
        allowed = "proven bounds" if guarantee == "yes" else "bounds, proven or not"
        headline(
            ax, f"{some[0].name}: {price} points above {start:.0f}%", f"The tightest {allowed}"
        )
        return ax

    display(GUESSES["chooser"])
    return explore(
        draw,
        kind=["0 or 1", SOFT_LOSSES],
        know=["the mean", "the variance, too", "every loss"],
        guarantee=["yes", "no"],
        n=[20, 100, 2000],
        mean=[5, 25],
        start={"kind": SOFT_LOSSES, "know": "the mean", "n": 100, "mean": 5},
        labels={
            "kind": "losses",
            "know": "you know",
            "guarantee": "need a guarantee",
            "n": "test examples n",
            "mean": "mean loss, in %",
        },
        caption="A star marks an approximation. Soft losses vary a tenth as much as they could; "
        "losses of 0 and 1 are ranked by their count.",
        alt=lambda **case: ", ".join(f"{e.key} {e.upper:.3f}" for e in choose(**case)[0][:3]),
    )


def lowest() -> Any:
    """Guess, then report the lowest of more and more valid bounds."""

    @styled
    def draw(tries: int) -> Axes:
        values = 100 * tried()[:tries].min(axis=0)
        right = values >= 25
        edges = 25 + np.arange(-12, 26)  # the true error is an edge: no bar is on both sides
        ax = paper(350, 250)
        wrong: dict[str, Any] = {"color": ACCENT, "hatch": "///", "edgecolor": "#ffffff"}
        ax.hist(values[right], bins=edges.tolist(), color=INK, alpha=BODY)
        if (~right).any():
            ax.hist(values[~right], bins=edges.tolist(), lw=0, **wrong)
            count = int((~right).sum())
            write(ax, f"{count} too low", (24.6, 60), (0, 0), ha="right", weight="bold")
        ax.axvline(25, color=INK, lw=1)
        write(ax, "true error", (25, 70), (5, 0), alpha=SOFT)
        ax.axhline(0, color=INK, lw=1, alpha=FAINT)
        ax.set(xlabel="lowest bound", xlim=(13, 50), ylim=(0, 74), yticks=[0, 25, 50])
        ax.xaxis.set_major_formatter("{x:g}%")
        of = f"The lowest of {tries}" if tries > 1 else "One bound"
        headline(ax, f"{of} is right in {right.mean():.0%} of test sets", "Number of test sets")
        return ax

    display(GUESSES["lowest"])
    return explore(
        draw,
        tries=[1, 2, 5, 10, 20, 40],
        start={"tries": 5},
        labels={"tries": "orders tried"},
        caption="300 test sets of 100 losses of 0 and 1. Hatched: below the true error.",
        alt=lambda tries: (
            f"the lowest bound is right in {(tried()[:tries].min(axis=0) >= 0.25).mean():.0%} of "
            "the test sets"
        ),
    )


# Data


@cache
def losses() -> FloatArray:
    """Train Ida's classifier; return the probability of the wrong answer for 200 test patients."""
    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=200, random_state=3)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    wrong: FloatArray = np.abs(y_test - model.predict_proba(X_test)[:, 1])
    return wrong


@cache
def samples() -> dict[str, FloatArray]:
    """Return sixty losses of three kinds, with a mean of 0.25."""
    even = (np.arange(60) + 0.5) / 60
    return {
        "a hump": stats.beta(10, 30).ppf(even),
        "spread evenly": even / 2,
        "0 or 1": (even > 0.75).astype(float),
    }


@cache
def ordered() -> dict[str, FloatArray]:
    """Return 200 losses of two kinds with a mean of 25%, in the order in which they are bet on."""
    even, rng = (np.arange(200) + 0.5) / 200, np.random.default_rng(2)
    return {
        "0 or 1": rng.permutation((even > 0.75).astype(float)),
        "calm": rng.permutation(stats.beta(10, 30).ppf(even)),
    }


@cache
def of_variance(n: int, variance: int) -> FloatArray:
    """Return n losses with mean 10% and this part of the largest variance, in per cent."""
    even, both = (np.arange(n) + 0.5) / n, 100 / variance - 1
    found: FloatArray = (even > 0.9).astype(float)
    return stats.beta(0.1 * both, 0.9 * both).ppf(even) if both else found


def examples_worth(key: str, values: FloatArray) -> int:
    """Return from how many examples on tight Hoeffding gives what a bound gives for these."""
    mean, upper = values.mean(), float(bounds.upper(key, losses=values))
    apart = mean * np.log(mean / upper) + (1 - mean) * np.log((1 - mean) / (1 - upper))
    return round(float(np.log(20) / apart))


@cache  # it takes a moment; what was asked once is remembered
def good_approximations(n: int) -> list[str]:
    """Return the bounds for 0/1 losses that are right with 90% or more, wherever the error is."""
    keys = bounds.applicable("binary", rigorous=False)
    return [key for key in keys if coverage.worst(key, n, within=(0, 0.5)).coverage >= 0.9]


@cache
def choose(kind: str, know: str, guarantee: str, n: int, mean: int) -> Any:
    """Return the ranking of the bounds that hold for such losses, and their mean."""
    rate, proven = mean / 100, guarantee == "yes"
    if kind == "0 or 1":  # for 0/1 losses the mean is all there is
        ranking = bounds.rank(rate, n, loss="binary", rigorous=proven)
        allowed = good_approximations(n)
        return [entry for entry in ranking if proven or entry.key in allowed], rate
    if know == "every loss":
        quantiles = stats.beta.ppf((np.arange(n) + 0.5) / n, 9 * rate, 9 * (1 - rate))
        drawn = np.random.default_rng(0).permutation(quantiles)
        return bounds.rank(losses=drawn, rigorous=proven), drawn.mean()
    var: dict[str, Any] = {"var": rate * (1 - rate) / 10} if know == "the variance, too" else {}
    return bounds.rank(rate, n, **var, rigorous=proven), rate


@cache
def test_sets() -> FloatArray:
    """Return 300 test sets of 100 losses of 0 and 1, with a true error of 25%."""
    return (np.random.default_rng(0).random((300, 100)) < 0.25).astype(float)


@cache
def tried() -> FloatArray:
    """Return the betting bounds of forty orders, fixed beforehand, for each test set."""
    rng = np.random.default_rng(0)
    rng.random((300, 100))  # the draws of the test sets
    orders = (rng.permuted(test_sets(), axis=1) for _ in range(40))
    return np.stack([bounds.betting(order, order="given") for order in orders])


# Numbers: a test looks for these phrases in the prose, and for numbers outside of them


@cache
def numbers() -> list[str]:
    """Write the phrases of the chapter whose numbers are computed, rounded as they stand there."""
    soft, kinds = losses(), samples()
    best = outward(bounds.upper("BET", losses=soft))
    first = int(np.argmax(((1 + (0.3 - ordered()["calm"]) / 0.7).cumprod()) >= ENOUGH)) + 1
    blind, seeing = (
        choose(SOFT_LOSSES, know, "yes", 2000, 25)[0][0].upper
        for know in ("the mean", "every loss")
    )
    need = {key: holdout.sample_size_for(key, target=0.05, mean=0.03) for key in ("CP", "HOE")}
    tests, counts = test_sets(), np.arange(51)
    # the claim that the choice is free among bounds that see the count alone
    lowest_counts = bounds.upper("CP", counts / 50, 50) - 1e-12
    for key in bounds.applicable("binary"):
        if not (bounds.upper(key, counts / 50, 50) >= lowest_counts).all():
            raise ValueError(f"{key} is below Clopper-Pearson")
    below = tried()[0] < bounds.clopper_pearson(tests.mean(axis=1), 100)
    return [
        f"On her {len(soft)} test patients it put {soft.mean():.1%} on the wrong answer",
        f"allows a true mean of {outward(bounds.upper('HOE', losses=soft))}",
        f"comes down to {best}",
        f"here {kinds['0 or 1'].std() / kinds['a hump'].std():.0f} times as widely as the hump",
        f"reach {ENOUGH} after **{first}** examples",
        f"your 200 examples are worth **{examples_worth('BET', of_variance(200, 5)):,}**",
        f"On {len(soft)} test patients the classifier gave the wrong answer a probability of "
        f"{soft.mean():.1%} on average, and with 95% confidence the true mean is at most {best}",
        f"instead of only their mean is **{100 * (blind - seeing):.1f} points** lower",
        f"needs **{need['HOE'] / need['CP']:.0f} times** as many",
        f"**{int(below.sum())} of these {len(tests)} test sets**",
    ]


GIVEN = [
    *("45 minutes", "between 0 and 1", "losses of 0 and 1", "0 or 1", "Three lines"),
    *("1. All or nothing", "2. With the mean", "3. Keep every loss"),
    *("prediction of 51% for", "one of 99% a", "Bet against thirty per cent", "as high as 30%"),
    *("capital of 1", "*below* 30%", "loss of 1 takes", "reaches 20 is at most one in twenty"),
    *(
        "all three bounds see",
        "Reviewer 2",
        "At 5% of the largest",
        "At 100% there is",
        "rescaled to [0, 1]",
    ),
    *("with 95% confidence the true", "could not claim 95%", "could not have claimed 95%"),
    *("Answer three questions", "For ten errors in 200", "For 2,000 soft"),
    *("at least 90% at every", "expect 3% errors", '"at most 5%"', "right in 95% of test sets"),
    *("tries forty of them", "same 0s and 1s", "A loss in [0, 1]", "For 0/1 losses", "= 5%"),
    # guesses
    *("mean of 0.25", "from 0 to 0.5", "further than 0.25", "hump around 0.25", "around 25%"),
    *("against 30%", "gets you to 20", "200 examples are not", "near 1, so", "200 losses have 5%"),
    *("these 200?", "about 250", "about 600", "about 1,500", "2,000 losses have a mean of 25%"),
    *("each is 0 or 1", "error is 25%", "of 300 test sets is the lowest of forty", "about 60%"),
    *("about 95%", "of the forty", "about 80%", "ten tries", "Forty valid"),
    # exercises and notes
    *(f"**5.{number}**" for number in range(1, 9)),
    *("Your 500 losses cannot be more than 0.2", "losses in [0, 1] with a mean of 0.2"),
    *(
        "error of 5% and plan for an exact bound of 8%",
        "lowest of three bounds, each proven at 95%",
    ),
    *(
        "(100, random_state=0)",
        "first 1,000 digits",
        "next 300 is",
        "up to 1,000",
        "0.15 and 0.004",
    ),
    *('`exercises.hint("5.7")`', "chord from 0 to 1", "in [0, 1] |", "(1/n)", "Eqs. 28 to 31"),
    *("footnote 2", "Eqs. 43 to 48", "Eq. 41"),
]
