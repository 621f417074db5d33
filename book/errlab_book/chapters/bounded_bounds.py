"""Bounds for losses between 0 and 1, and which to take. Its pictures, guesses and numbers."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from errlab import bounds, coverage, holdout
from errlab.bounds import BOUNDS, log_capital
from errlab.checks import FloatArray
from errlab.style import styled
from errlab_book import explore, guesses, outward, show, tables
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, SOFT, headline, paper, spread, write

GUESSES = guesses.load(__file__)

ENOUGH = 20  # capital above which a true error is ruled out at 95%
SOFT_LOSSES = "between 0 and 1"
LOSSES = {  # kinds of losses, and what is known of them
    "0 or 1": ("0 or 1", "the mean"),
    "0 to 1, the mean known": (SOFT_LOSSES, "the mean"),
    "0 to 1, the variance, too": (SOFT_LOSSES, "the variance, too"),
    "0 to 1, each known": (SOFT_LOSSES, "every loss"),
}


# Pictures, in the order of the chapter


def halved() -> Any:
    """Show three bounds that Ida could print for the mean of her losses."""
    soft = losses()
    mean, n = 100 * soft.mean(), len(soft)
    rows = {
        "HOE": "Hoeffding, as in textbooks",
        "BEN": "Bentkus, a sharper proof",
        "BET": "Betting, sees every loss",
    }
    upper = {key: 100 * float(bounds.upper(key, losses=soft)) for key in rows}
    rounded = {key: outward(end / 100) for key, end in upper.items()}

    @styled
    def draw() -> Axes:
        ax = paper(350, 215)
        for row, (key, name) in enumerate(rows.items()):
            upper_bar(ax, name, row, mean, upper[key], f"at most {rounded[key]}", best=key == "BET")
        ax.axvline(mean, color=INK, lw=1)
        ax.set(xlim=(0, 17), ylim=(2.6, -0.8), yticks=[])
        ax.set_xticks([0, mean, 10], ["0%", f"mean {mean:.1f}%", "10%"])
        headline(
            ax,
            f"The same losses prove {rounded['BET']}, where the textbook proves {rounded['HOE']}",
            "95% upper bound of the true mean loss",
        )
        return ax

    return show(
        draw(),
        f"The loss is the probability of the wrong answer, on {n} of Ida's patients.",
        alt="Three bars that begin at the mean. Those of Bentkus and of betting are about a third "
        "as long as that of Hoeffding, betting's the shortest.",
    )


def upper_bar(
    ax: Axes, name: str, row: int, mean: float, upper: float, note: str, *, best: bool
) -> None:
    """Draw a bar from the mean to an upper bound, its name above it and its end beside it."""
    ax.hlines(row, mean, upper, lw=9, color=ACCENT if best else INK, alpha=1 if best else BODY)
    if best:
        ax.plot(upper, row, "s", color=ACCENT, ms=11)
    weight = "bold" if best else "normal"
    write(ax, name, (mean, row), (5, 16), weight=weight)
    write(ax, note, (upper, row), (10, 0), weight=weight)


def spreads() -> Any:
    """Guess, then explore three kinds of losses with the same mean."""

    @styled
    def draw(kinds: int) -> Axes:
        some = list(samples().items())[:kinds]
        ax = paper(350, 250)
        for row, (kind, values) in enumerate(some):
            last, mean, s = row == kinds - 1, values.mean(), values.std()
            # multiples of the golden ratio spread the dots evenly over the strip
            up = row + 0.1 - 0.3 * (0.6180339887 * np.arange(len(values)) % 1)
            ax.plot(values, up, "o", color=INK, alpha=BODY, ms=4, mew=0)
            bar: dict[str, Any] = {"color": ACCENT} if last else {"color": INK}
            ax.plot(
                [mean - s, mean + s], [row + 0.28] * 2, "-s" if last else "-", lw=4, ms=8, **bar
            )
            write(ax, f"± {s:.2f}", (mean + s, row + 0.28), (10, 0), weight="bold")
            # to the left of the dots at 1, if there are any
            left = -24 if values.max() == 1 else -4
            weight = "bold" if last else "normal"
            write(ax, kind, (1.04, row - 0.1), (left, 0), ha="right", weight=weight)
        ax.set(
            xlim=(-0.22, 1.06), ylim=(kinds - 0.5, -0.5), yticks=[], xlabel="loss of one example"
        )
        ax.set_xticks([0, 0.25, 0.5, 1], ["0", "mean", "0.5", "1"])
        wider = some[-1][1].std() / some[0][1].std()
        times = {2: "twice", 6: "six times"}[round(wider)]
        headline(
            ax,
            f"The same mean, {times} the spread",
            "Dots: sixty losses; bars: one standard deviation to either side",
        )
        return ax

    display(GUESSES["spreads"])
    return explore(
        draw,
        kinds=[2, 3],
        labels={"kinds": "kinds of losses"},
        caption="The mean of each kind is 0.25.",
        alt=lambda kinds: ", ".join(
            f"{kind}: standard deviation {values.std():.3f}"
            for kind, values in list(samples().items())[:kinds]
        ),
    )


Capital = Callable[[FloatArray, float, float], FloatArray]


def fixed_stake(losses: FloatArray, doubted: float, stake: float) -> FloatArray:
    """Return the capital after each loss; a loss of 1 leaves 1 - stake of it."""
    return (1 + stake * (doubted - losses) / (1 - doubted)).cumprod()


def outcome(path: FloatArray, low: float, doubted: int) -> tuple[int, str]:
    """Return the decisive place on the path of a capital, and what happens there."""
    if (path >= ENOUGH).any():
        mark = int(np.argmax(path >= ENOUGH))
        return mark, f"You rule out {doubted}% after {mark} examples"
    if path[-1] == 0:
        mark = int(np.argmin(path))
        return mark, f"You lose everything after {mark} examples"
    end = f"less than {low:g}" if path[-1] < low else f"{path[-1]:.2g}"
    return len(path) - 1, f"You never reach {ENOUGH}, and end with {end}"


def name_lines(ax: Axes, last: int, capitals: list[float], decades: float, doubted: int) -> None:
    """Write the names of both capitals and of the limit at the right end of the picture, apart."""
    ends = np.log10([*capitals, ENOUGH])
    you, learner, line = 10 ** spread(ends, 30 * decades / 180)
    write(ax, "you", (last, you), weight="bold")
    write(ax, "a gambler\nwho learns", (last, learner))
    write(ax, f"from here\n{doubted}% is out", (last, line), alpha=SOFT)


def bet(capital: Capital = fixed_stake, *, stake: int = 100, doubted: int = 30) -> Any:
    """Guess, then stake a part of your capital on each loss being below a doubted true error."""

    def path(capital: Capital, kind: str, stake: int, doubted: int) -> FloatArray:
        return np.append(1, capital(ordered()[kind], doubted / 100, stake / 100))

    @styled
    def draw(capital: Capital, kind: str, stake: int, doubted: int) -> Axes:
        # capital outside of this range is drawn at its end
        low, high = {"0 or 1": (1e-3, 100.0), "calm": (0.1, 1e5)}[kind]
        yours = path(capital, kind, stake, doubted)
        ours = np.exp(np.append(0, log_capital(ordered()[kind], doubted / 100, delta=1 / ENOUGH)))
        capital_drawn, learned = yours.clip(low, high), ours.clip(low, high)
        at = np.arange(len(yours))
        ax = paper(350, 290)
        ax.axhline(ENOUGH, color=INK, lw=1)
        ax.plot(at, learned, color=INK, alpha=BODY, lw=1.8)
        ax.plot(at, capital_drawn, color=ACCENT, lw=2.5)
        decades = np.log10(high / low)
        name_lines(ax, at[-1], [capital_drawn[-1], learned[-1]], decades, doubted)
        mark, finding = outcome(yours, low, doubted)
        ax.plot(mark, capital_drawn[mark], "s", color=ACCENT, ms=9, clip_on=False)
        ax.set(yscale="log", ylim=(0.7 * low, 1.4 * high), xlim=(0, at[-1]))
        ax.set(xlabel="examples bet on", xticks=[0, 50, 100, 150, 200])
        ends_of_axis = {"0 or 1": ["≤0.001", "100"], "calm": ["0.1", "100,000"]}[kind]
        ax.set_yticks([low, 1, ENOUGH, high], [ends_of_axis[0], "1", f"{ENOUGH}", ends_of_axis[1]])
        ax.minorticks_off()
        some = {"0 or 1": "Losses of 0 or 1", "calm": "Calm losses"}[kind]
        headline(ax, finding, f"{some}. Each time you stake {stake}% of your capital")
        return ax

    def alt(capital: Capital, **chosen: Any) -> str:
        yours = path(capital, **chosen)
        return f"your capital ends at {yours[-1]:.3g}, and is at most {yours.max():.3g}"

    display(GUESSES["bet"])
    return explore(
        draw,
        by=capital,
        kind=["0 or 1", "calm"],
        stake=sorted({10, 25, 50, 100, stake}),
        doubted=sorted({25, 30, 35, doubted}),
        start={"kind": "0 or 1", "stake": stake, "doubted": doubted},
        labels={
            "kind": "losses",
            "stake": "your stake, in %",
            "doubted": "true error you bet against, in %",
        },
        caption="The mean of the 200 losses is 25%. Capitals beyond the axis stand at its ends. "
        "Grey: the gambler of the betting bound.",
        alt=alt,
    )


def from_losses(losses: FloatArray) -> float:
    """Return errlab's bound by Maurer and Pontil."""
    return float(bounds.upper("MAU", losses=losses))


def from_mean(mean: float, n: int) -> float:
    """Return errlab's bound by Bentkus."""
    return float(bounds.bentkus(mean, n))


def strip(ax: Axes, values: FloatArray, edge: int, *, binary: bool) -> None:
    """Draw the losses above the bounds, up to the edge of the axis in %."""
    if binary:  # 0/1 losses form two piles, one of them beyond the axis
        ones = round(values.sum())
        ax.bar(0, 1, 0.03 * edge, -1.8, align="edge", color=INK, alpha=BODY, lw=0)
        write(ax, f"{len(values) - ones} losses are 0", (0.03 * edge, -1.3), alpha=SOFT)
        write(ax, f"{ones} are 1 →", (edge, -1.3), (0, 0), ha="right", alpha=SOFT)
    else:
        ax.plot(100 * values, np.full(len(values), -1.3), "|", color=INK, alpha=BODY, ms=12)
        beyond = int((100 * values > edge).sum())
        words = f"the {len(values)} losses" + f", {beyond} of them above {edge}%" * (beyond > 0)
        write(ax, words, (edge, -1.3), (0, 15), ha="right", alpha=SOFT)


def verdict(values: FloatArray, *, betting: bool, binary: bool) -> tuple[str, str]:
    """Return title and subtitle for bounds on the same losses, whether betting is lowest or not."""
    if betting:
        worth = examples_worth("BET", values)
        return (
            f"To betting, {len(values)} losses are worth {worth:,}",
            f"95% upper bounds. From {worth:,} losses on, Bentkus's would be as low",
        )
    return (
        "Here neither of the others\nbeats Bentkus's bound",
        f"95% upper bounds for the same {len(values)} losses" + " of 0 and 1" * binary,
    )


def known(
    maurer_pontil: Callable[..., float] = from_losses, bentkus: Callable[..., float] = from_mean
) -> Any:
    """Guess, then explore three bounds for the same losses; two of them are the reader's."""
    rows = {
        "MAU": "Maurer-Pontil, pays to see the variance",
        "BEN": "Bentkus, sees the mean",
        "BET": "Betting, sees every loss",
    }

    @styled
    def draw(
        maurer_pontil: Callable[..., float], bentkus: Callable[..., float], n: int, variance: int
    ) -> Axes:
        values = of_variance(n, variance)
        mean = 100 * values.mean()
        edge = {20: 100, 50: 60, 200: 30}[n]  # the scale doesn't change with the variance
        ax = paper(350, 265)
        strip(ax, values, edge, binary=variance == 100)
        ends = {
            "MAU": 100 * min(maurer_pontil(values), 1.0),
            "BEN": 100 * min(bentkus(values.mean(), n), 1.0),
            "BET": 100 * float(bounds.upper("BET", losses=values)),
        }
        best = min(ends, key=lambda key: ends[key])
        for row, (key, name) in enumerate(rows.items()):
            upper_bar(ax, name, row, mean, ends[key], f"{ends[key]:.1f}%", best=key == best)
        ax.vlines(mean, -0.5, 2.6, color=INK, lw=1)
        ax.set(xlim=(0, edge), ylim=(2.6, -2.1), yticks=[])
        ax.set_xticks([0, mean, edge / 2, edge], ["0%", "mean", f"{edge / 2:g}%", f"{edge}%"])
        headline(ax, *verdict(values, betting=best == "BET", binary=variance == 100))
        return ax

    def alt(*_: Any, n: int, variance: int) -> str:
        values = of_variance(n, variance)
        upper = bounds.upper("BET", losses=values)
        return f"betting {upper:.3f}, worth {examples_worth('BET', values)} examples"

    display(GUESSES["known"])
    return explore(
        draw,
        by=(maurer_pontil, bentkus),
        n=[20, 50, 200],
        variance=[100, 50, 25, 10, 5, 1],
        start={"n": 200, "variance": 100},
        labels={"n": "test examples n", "variance": "variance, % of largest"},
        caption="The mean loss is 10%, and the variance at first the largest possible.",
        alt=alt,
    )


def printed() -> Any:
    """List five bounds for Ida's losses."""
    soft = losses()
    part = soft.var() / (soft.mean() * (1 - soft.mean()))
    knows = dict.fromkeys(("HOE", "T_HOE", "BEN"), "the mean")
    knows |= {"MAU": "mean and variance", "BET": "every loss"}
    return tables.table(
        [
            {
                "it sees": what,
                "bound": BOUNDS[key].name,
                "upper": outward(bounds.upper(key, losses=soft)),
            }
            for key, what in knows.items()
        ],
        caption=f"Probability of the wrong answer for {len(soft)} patients: mean "
        f"{soft.mean():.1%}, variance {part:.0%} of the largest",
    )


def chooser() -> Any:
    """Guess, then answer three questions, and see which bound is the tightest."""

    @styled
    def draw(losses: str, guarantee: str, n: int, mean: int) -> Axes:
        ranking, rate = choose(*LOSSES[losses], guarantee, n, mean)
        some, start = ranking[:4], 100 * rate
        ax = paper(350, 250)
        for row, entry in enumerate(some):
            name = entry.name + ("" if entry.rigorous else " (approximate)")
            end = 100 * entry.upper
            upper_bar(ax, name, row, start, end, outward(entry.upper), best=row == 0)
        # one scale for all frames
        counted = losses == "0 or 1"
        edge = 100 * (
            bounds.rank(mean / 100, n)[3].upper if counted else bounds.hoeffding(mean / 100, n)
        )
        ax.axvline(start, color=INK, lw=1)
        reach = edge - start
        ax.set(xlabel="upper bound of the true mean loss", ylim=(3.6, -0.8), yticks=[])
        ax.set_xlim(start - 0.25 * reach, edge + 0.3 * reach)
        # ticks at round numbers, but not where the word "mean" is
        ticks = MaxNLocator(4, steps=[1, 2, 5]).tick_values(start, edge + 0.3 * reach)
        ticks = [x for x in ticks if start + 0.25 * reach < x < edge + 0.25 * reach]
        ax.set_xticks([start, *ticks], [f"mean {mean}%", *(f"{x:g}%" for x in ticks)])
        allowed = "proven bounds" if guarantee == "yes" else "bounds"
        finding = f"Take {some[0].name}: at most {outward(some[0].upper)}"
        headline(ax, finding, f"The tightest {allowed} at 95%, for {n:,} losses")
        return ax

    def alt(losses: str, guarantee: str, n: int, mean: int) -> str:
        ranking = choose(*LOSSES[losses], guarantee, n, mean)[0]
        return ", ".join(f"{e.key} {e.upper:.3f}" for e in ranking[:3])

    display(GUESSES["chooser"])
    return explore(
        draw,
        losses=list(LOSSES),
        guarantee=["yes", "no"],
        n=[20, 100, 2000],
        mean=[5, 25],
        start={"losses": "0 to 1, the mean known", "n": 100, "mean": 5},
        labels={
            "losses": "losses",
            "guarantee": "need a guarantee",
            "n": "test examples n",
            "mean": "mean loss, in %",
        },
        caption="Losses between 0 and 1 vary a tenth as much as they could, and are put into the "
        "bounds of this chapter; those of 0 and 1 are ranked by their count.",
        alt=alt,
    )


def lowest() -> Any:
    """Guess, then report the lowest of more and more valid bounds."""

    @styled
    def draw(tries: int) -> Axes:
        values = 100 * tried()[:tries].min(axis=0)
        right = values >= 25
        # an edge at the true error, so that each bar is on one side of it
        edges = 25 + np.arange(-12, 26)
        ax = paper(350, 250)
        wrong: dict[str, Any] = {"color": ACCENT, "hatch": "///", "edgecolor": "#ffffff"}
        ax.hist(values[right], bins=edges.tolist(), color=INK, alpha=BODY)
        if (~right).any():
            ax.hist(values[~right], bins=edges.tolist(), lw=0, **wrong)
            count = int((~right).sum())
            write(ax, f"{count} too low", (24.6, 40), (0, 0), ha="right", weight="bold")
        ax.axvline(25, color=INK, lw=1)
        write(ax, "true error", (25, 47.5), (5, 0), alpha=SOFT)
        ax.axhline(0, color=INK, lw=1, alpha=FAINT)
        ax.set(xlabel="lowest 95% bound", xlim=(13, 50), ylim=(0, 50), yticks=[0, 25, 50])
        ax.xaxis.set_major_formatter("{x:g}%")
        of = f"The lowest of {tries} valid bounds" if tries > 1 else "One valid bound"
        headline(
            ax, f"{of} is right in {right.mean():.0%} of test sets", "Number of test sets, of 300"
        )
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
    """Return 200 losses of two kinds with a mean of 25%, in the order of the bets."""
    even, rng = (np.arange(200) + 0.5) / 200, np.random.default_rng(2)
    return {
        "0 or 1": rng.permutation((even > 0.75).astype(float)),
        "calm": rng.permutation(stats.beta(10, 30).ppf(even)),
    }


@cache
def of_variance(n: int, variance: int) -> FloatArray:
    """Return n losses in per cent with mean 10% and this fraction of the largest variance."""
    even, both = (np.arange(n) + 0.5) / n, 100 / variance - 1
    binary: FloatArray = (even > 0.9).astype(float)
    return stats.beta(0.1 * both, 0.9 * both).ppf(even) if both else binary


def examples_worth(key: str, values: FloatArray) -> int:
    """Return the number of examples from which Bentkus's bound is as low as another for these."""
    mean, upper = values.mean(), float(bounds.upper(key, losses=values))
    too_few, enough = 0, 1
    while bounds.upper("BEN", mean, enough) > upper:
        too_few, enough = enough, 2 * enough
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        lower = bounds.upper("BEN", mean, middle) <= upper
        too_few, enough = (too_few, middle) if lower else (middle, enough)
    return enough


@cache  # cached, because it takes a moment
def good_approximations(n: int) -> list[str]:
    """Return the bounds for 0/1 losses that cover at least 90% at every true error."""
    keys = bounds.applicable("binary", rigorous=False)
    return [key for key in keys if coverage.worst(key, n, within=(0, 0.5)).coverage >= 0.9]


@cache
def choose(kind: str, know: str, guarantee: str, n: int, mean: int) -> Any:
    """Return the ranking of the bounds that are valid for such losses, and their mean."""
    rate, proven = mean / 100, guarantee == "yes"
    if kind == "0 or 1":  # for 0/1 losses only the mean matters
        ranking = bounds.rank(rate, n, loss="binary", rigorous=proven)
        allowed = good_approximations(n)
        return [entry for entry in ranking if proven or entry.key in allowed], rate
    if know == "every loss":
        quantiles = stats.beta.ppf((np.arange(n) + 0.5) / n, 9 * rate, 9 * (1 - rate))
        drawn = np.random.default_rng(0).permutation(quantiles)
        ranking, rate = bounds.rank(losses=drawn, rigorous=proven), drawn.mean()
    else:
        var: dict[str, Any] = {"var": rate * (1 - rate) / 10} if know == "the variance, too" else {}
        ranking = bounds.rank(rate, n, **var, rigorous=proven)
    # only the older bounds that the chapter explains
    informed = {"HOE", "T_HOE", "BEN", "BET"} | ({"MAU"} if know != "the mean" else set())
    usable = [entry for entry in ranking if entry.key in informed]
    assert usable[0] == ranking[0]
    return usable, rate


@cache
def test_sets() -> FloatArray:
    """Return 300 test sets of 100 losses of 0 and 1, with a true error of 25%."""
    return (np.random.default_rng(0).random((300, 100)) < 0.25).astype(float)


@cache
def tried() -> FloatArray:
    """Return the betting bounds for forty orders, fixed beforehand, of each test set."""
    rng = np.random.default_rng(0)
    rng.random((300, 100))  # skip the random numbers from which the test sets were drawn
    orders = (rng.permuted(test_sets(), axis=1) for _ in range(40))
    return np.stack([bounds.betting(order, order="given") for order in orders])


# Phrases with computed numbers: a test looks for each in the prose, and lists all other numbers


@cache
def numbers() -> list[str]:
    """Return the chapter's phrases whose numbers are computed, rounded as in the text."""
    soft, kinds = losses(), samples()
    best = outward(bounds.upper("BET", losses=soft))
    first = int(np.argmax(((1 + (0.3 - ordered()["calm"]) / 0.7).cumprod()) >= ENOUGH)) + 1
    blind, varied, seeing = (
        choose(SOFT_LOSSES, know, "yes", 100, 5)[0][0].upper
        for know in ("the mean", "the variance, too", "every loss")
    )
    counted = choose("0 or 1", "the mean", "yes", 100, 5)[0][0].upper
    # numbers of the other two choices in the guess
    if varied != blind or not 0.005 < blind - counted < 0.01:
        raise ValueError("the variance alone helps, or 0 or 1 by another amount")
    need = {key: holdout.sample_size_for(key, target=0.05, mean=0.03) for key in ("CP", "HOE")}
    counts = np.arange(51)
    # the chapter says that Clopper-Pearson is the lowest of the bounds that use only the count
    lowest_counts = bounds.upper("CP", counts / 50, 50) - 1e-12
    for key in bounds.applicable("binary"):
        if not (bounds.upper(key, counts / 50, 50) >= lowest_counts).all():
            raise ValueError(f"{key} is below Clopper-Pearson")
    return [
        f"On her {len(soft)} test patients it put {soft.mean():.1%} on the wrong answer",
        f"allows a true mean of {outward(bounds.upper('HOE', losses=soft))}",
        f"gets down to {outward(bounds.upper('BEN', losses=soft))}",
        f"comes down to {best}",
        f"spread {kinds['0 or 1'].std() / kinds['a hump'].std():.0f} times as widely as the hump",
        f"reach {ENOUGH} after **{first}** examples",
        f"200 examples are worth **{examples_worth('BET', of_variance(200, 5)):,}**",
        f"On {len(soft)} test patients the classifier gave the wrong answer a probability of "
        f"{soft.mean():.1%} on average, and with 95% confidence the true mean is at most {best}",
        f"instead of only their mean is **{100 * (blind - seeing):.1f} points** lower",
        f"needs **{need['HOE'] / need['CP']:.0f} times** as many",
    ]


# Edits that the reader is asked to make; a test runs the notebook with each of them
def _no_price(book: Any) -> str:
    upper = outward(book["maurer_pontil"](losses()))
    for made in range(200):  # the first count of errors whose bound is at least 1%
        if book["maurer_pontil"](1.0 * (np.arange(200) < made)) >= 0.01:
            break
    assert f"{stats.binom.sf(made - 1, 200, 0.01):.0%}" == "87%"
    return f"It gives {upper}, less than betting"


BREAKS = {
    "It falls to 3.6%, her mean itself": (
        "soft = chapter.losses()", "soft = np.sort(chapter.losses())",
        lambda book: f"It falls to {outward(book['betting_bound'](book['soft']))}, her mean itself",
    ),
    "It gives 5.8%, less than betting": ("spread + 7 * t / (3 * (n - 1))", "spread", _no_price),
}  # fmt: skip


GIVEN = [
    *(
        "`+ 7 * t / (3 * (n - 1))`",
        "for losses of 0 and 1 and a true error of 1%",
        "right in 87% of",
    ),
    "the tests of 200",
    *("45 minutes", "between 0 and 1", "losses of 0 and 1", "0 or 1", "Three lines"),
    *("1. All or nothing", "2. With the mean", "3. Keep every loss"),
    *("prediction of 51% for", "one of 99% a", "Bet against thirty per cent", "as high as 30%"),
    *("capital of 1", "*below* 30%", "loss of 1 takes", "reaches 20 is at most one in twenty"),
    *(
        "Reviewer 2",
        "At 5% of the largest",
        "rescaled to [0, 1]",
    ),
    *("with 95% confidence the true", "could not claim 95%"),
    *(
        *("200 losses have a mean of 10%", "Answer three questions"),
        "ten errors in 200",
        "For 100 soft losses with a mean of 5%",
    ),
    *("expect 3% errors", '"at most 5%"', "right in at least 95% of test sets"),
    *(
        "all three see",
        "fewer than 90% of test sets",
        "200 losses have 5% of the largest",
        "about 160",
    ),
    *("try forty orders", "A loss in [0, 1]", "For 0/1 losses", "= 5%", "The lab on 0/1 losses"),
    # guesses
    *("mean of 0.25", "from 0 to 0.5", "further than 0.25", "hump around 0.25", "around 25%"),
    *(
        "against 30%",
        "gets you to 20",
        "200 examples are not",
        "near 1, so",
        "200 examples are not",
    ),
    *("about 500", "about 1,100", "100 losses have a mean of 5%"),
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
