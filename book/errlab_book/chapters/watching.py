"""Looking while it runs: the chapter's pictures, guesses and numbers."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from numpy.typing import NDArray
from scipy import special, stats

import errlab
from errlab import compare, coverage
from errlab.style import styled
from errlab_book import explore, guesses, outward, show, studies, tables
from errlab_book.chapters import ORDINALS, WORDS
from errlab_book.plots.paper import ACCENT, INK, SOFT, headline, paper, write
from errlab_book.plots.watching import (
    for_one_look,
    losses_of_run,
    plot_peeking,
    plot_two_sequences,
    two_sequences,
)
from errlab_book.widgets import redrawn

GUESSES = guesses.load(__file__)

EMAILS, LOOK = 2000, 400  # the planned number of emails, and the team's looks
ERROR = 0.1  # true error of both models in the first night
BETTER = (0.20, 0.10)  # the models of the second night
FEWER = 500  # number of examples at which the explorer starts
RUNS = range(8)
LOSSES = (0, 1, 0, 0, 0, 0, 1, 0, 0, 0)  # losses in the gambler's ten emails
STAKE, CANDIDATE = -1.2, 0.6


# Pictures, in the order of the chapter


def overnight() -> Any:
    """Draw McNemar's p-value after each email of the night, and mark the team's looks."""

    @styled
    def draw() -> Axes:
        ax = paper(350, 200)
        p = p_values()
        emails = np.arange(1, EMAILS + 1)
        ax.axhspan(0.004, 0.05, color=INK, alpha=0.1, lw=0)
        ax.plot(emails[20:], p[20:], color=INK, lw=1.2)
        ax.plot(LOOK, p[LOOK - 1], "s", color=ACCENT, ms=8)
        write(ax, f"the team looks:\np = {p[LOOK - 1]:.3f}", (LOOK, p[LOOK - 1]), (10, -5))
        write(ax, f"p = {p[-1]:.2f}", (EMAILS, p[-1]), (6, 0))
        write(ax, "significant", (EMAILS, 0.035), (-4, 0), ha="right", alpha=SOFT)
        ax.set(yscale="log", ylim=(0.004, 1), xlim=(0, EMAILS), xlabel="emails so far")
        ax.set_yticks([0.01, 0.05, 0.2, 1], ["0.01", "0.05", "0.2", "1"])
        ax.set_yticks([], minor=True)
        ax.set_xticks([0, LOOK, 1000, EMAILS], ["0", f"{LOOK}", "1,000", f"{EMAILS:,}"])
        headline(
            ax, "Significant at night, not in the morning", "McNemar's p-value after each email"
        )
        return ax

    p = p_values()
    return show(
        draw(),
        f"A simulated night: the two models are equally good. For {np.sum(p <= 0.05)} of the "
        f"{EMAILS:,} emails p lies at or below 0.05 (grey).",
        alt=f"The p-value wanders, dips into the grey band between {np.argmax(p <= 0.05) + 1} and "
        f"{np.flatnonzero(p <= 0.05)[-1] + 1} emails, where a square marks {p[LOOK - 1]:.3f}, and "
        f"ends at {p[-1]:.2f}.",
    )


def looking(peeking: Callable[..., Any]) -> Any:
    """Guess, then explore how often any of many looks misses, summed as in the notebook."""

    def delta(confidence: int) -> float:
        return round(1 - confidence / 100, 4)

    def draw(peeking: Callable[..., Any], error: float, cases: int, confidence: int) -> Axes:
        ends = ends_around(error, delta(confidence))
        return plot_peeking(
            error,
            cases,
            delta=delta(confidence),
            missed_by=lambda step: peeking(ends, error, cases, every=step),
        )

    def alt(peeking: Callable[..., Any], error: float, cases: int, confidence: int) -> str:
        missed = peeking(ends_around(error, delta(confidence)), error, cases)[-1]
        return f"a look after every example comes to {missed:.0%}"

    display(GUESSES["seldom"])
    return explore(
        draw,
        by=peeking,
        error=[0.02, 0.1, 0.3],
        cases=[200, 500, EMAILS],
        confidence=[90, 95, 99],
        start={"error": ERROR, "cases": FEWER, "confidence": 95},
        labels={"error": "true error", "cases": "examples", "confidence": "confidence, in %"},
        caption="A look after every example, every 10 and every 100 (dashed). Exact probabilities.",
        alt=alt,
    )


@redrawn
def capital(capital: Callable[..., Any]) -> Any:
    """Draw the notebook's capital after each email."""

    @styled
    def draw() -> Axes:
        ax = paper(350, 240)
        rich = np.append(1, capital(np.array(LOSSES), CANDIDATE, STAKE))
        at = np.arange(len(rich))
        ax.axhline(20, color=INK, lw=1)
        write(ax, "20 times the start: enough", (0, 20), (0, 9))
        ax.plot(at, rich, color=INK, lw=1.8)
        wrong = np.flatnonzero(LOSSES) + 1
        ax.plot(at, rich, "o", color=INK, ms=5)
        for i in wrong:
            write(ax, "error", (i, rich[i]), (0, -13), ha="center")
        ax.plot(at[-1], rich[-1], "s", color=ACCENT, ms=9, clip_on=False)
        write(ax, f"{rich[-1]:.1f}", (at[-1], rich[-1]), (8, 3), weight="bold")
        ax.set(yscale="log", ylim=(0.5, 35), xlim=(0, 10), xlabel="emails so far")
        ax.set_yticks([1, 2, 5, 10, 20], ["1", "2", "5", "10", "20"])
        ax.set_yticks([], minor=True)
        finding = f"Never rich, so an error of {CANDIDATE:.0%} isn't ruled out"
        if (rich >= 20).any():
            when = int(np.argmax(rich >= 20))
            finding = f"Rich after {when} emails, so an error of {CANDIDATE:.0%} is ruled out"
        headline(
            ax, finding,
            f"Capital of a gambler who bets against an error of {CANDIDATE:.0%}",
        )  # fmt: skip
        return ax

    return show(
        draw(),
        f"{len(LOSSES)} emails, {sum(LOSSES)} of them wrong. Logarithmic axis: equal factors are "
        "equal steps.",
        alt="A line climbs from 1 in equal steps for each right answer, falls at two errors, and "
        "passes 20 at the tenth email.",
    )


def one_run(interval: Callable[..., Any]) -> Any:
    """Guess, then explore eight runs with the notebook's interval and with the sequence."""

    def draw(interval: Callable[..., Any], number: int) -> Axes:
        return plot_two_sequences(ERROR, EMAILS, seed=number, interval=interval)

    def alt(interval: Callable[..., Any], number: int) -> str:
        return two_sequences(ERROR, EMAILS, seed=number, interval=interval)[2]

    display(GUESSES["runs"])
    return explore(
        draw,
        by=interval,
        number=list(RUNS),
        start={"number": 2},
        labels={"number": "run"},
        caption="Squares: looks at which the usual interval misses. The first 50 examples, where "
        "both are wide, are left out.",
        alt=alt,
    )


def equal_nights() -> Any:
    """Guess how often McNemar's test, after every email, finds a winner among equals."""
    return GUESSES["equal_nights"]


def nights() -> tables.Table:
    """Tabulate how often some look misses, by the usual method and by the sequence."""
    rows = []
    for row in equal_settings():
        a, b = row["setting"]["a"], row["setting"]["b"]
        what = f"one model, error {a:.0%}" if b < 0 else f"two models, error {a:.0%} each"
        sequence = row["summary"]["sequence"]
        rows.append((what, f"{usual_misses(a, pair=b >= 0):.0%}", outward(sequence)))
    return tables.table(
        rows,
        columns=["What is watched", "For one look (exact)", "Sequence (simulated)"],
        caption="Nights in which some look misses",
    )


def watched_for() -> Any:
    """Guess how long a test with valid looks runs."""
    return GUESSES["watched_for"]


def watched() -> Any:
    """Draw the second night: a test of two models that stops once it has decided."""

    @styled
    def draw() -> Axes:
        ax = paper(350, 270)
        test = second_night()
        low, high = (100 * np.asarray(end) for end in test.path)
        n, (old, new) = test.n, test.names
        emails = np.arange(1, n + 1)
        ax.fill_between(emails, low, high, color=INK, alpha=0.14, lw=0)
        ax.plot(emails, 100 * np.asarray(test.means), color=INK, lw=2)
        write(ax, "difference\nso far", (n, 100 * test.means[-1]), (9, 2))
        ax.axhline(0, color=INK, lw=1)
        # here the interval excludes 0
        ax.plot([n, n], [low[-1], high[-1]], color=ACCENT, lw=3)
        ax.plot(n, low[-1], "s", color=ACCENT, ms=8, clip_on=False)
        write(ax, f"email {n}:\nabove zero", (n, 0), (9, -6), weight="bold")
        write(ax, "95% sequence", (0.42 * n, 18), (0, 0), alpha=SOFT)
        write(ax, f"↑ {new} model better", (0.42 * n, 0), (0, 9), alpha=SOFT)
        write(ax, f"↓ {old} model better", (0.42 * n, -20), (0, 0), alpha=SOFT)
        ax.set(xlim=(0, n), ylim=(-25, 25), xlabel="emails so far")
        ax.set_yticks([-20, -10, 0, 10, 20], ["−20", "−10", "0", "+10", "+20"])
        ax.set_xticks([0, 50, 100, 150, 200, n])
        headline(
            ax, f"After {n} emails the {new if low[-1] > 0 else old} model has won",
            f"Error of {old} minus error of {new}, in points",
        )  # fmt: skip
        return ax

    test = second_night()
    return show(
        draw(),
        f"The interval's lower end clears zero by {100 * test.interval.low:.2f} points (square). "
        "Early intervals reach beyond the picture.",
        alt="The grey band around the mean difference narrows as the emails come, and the test "
        "ends where its lower edge crosses zero.",
    )


# Data


@cache
def tails(error: float) -> list[tuple[Any, Any]]:
    """Return, after each example, the probabilities of at most and at least this many errors."""
    return [
        (special.bdtr(np.arange(t + 1), t, error), special.bdtrc(np.arange(t + 1) - 1, t, error))
        for t in range(1, EMAILS + 1)
    ]


def ends_around(error: float, delta: float) -> Callable[..., Any]:
    """Return an interval that misses the true error exactly when Clopper and Pearson's does.

    Computing Clopper and Pearson's ends would take two million quantiles. Their interval misses the
    error if a tail is below delta / 2; in that case this one is [1, 1] or [0, 0], which also
    misses.
    """

    def interval(k: Any, t: int) -> tuple[Any, Any]:
        at_most, many = tails(error)[t - 1]
        return np.where(many[k] < delta / 2, 1.0, 0.0), np.where(at_most[k] < delta / 2, 0.0, 1.0)

    return interval


def equal_settings() -> list[dict[str, Any]]:
    """Return the simulations with one model, or with two equally good ones."""
    # the study didn't simulate the usual method for two different models
    return [
        s
        for s in studies.load("watching")["settings"]
        if s["setting"]["b"] in (-1, s["setting"]["a"])
    ]


def usual_misses(error: float, *, pair: bool) -> float:
    """Return the probability that any look of a night misses with the method for one look.

    For two equal models these are the nights in which McNemar's exact test finds a winner.
    """
    if not pair:
        return float(coverage.peeking("CP", error, EMAILS)[-1])
    # Only disagreements count, and each is a fair coin. The test finds a winner if the interval
    # excludes one half; the number of disagreements by the morning is binomial.
    some = np.arange(1, EMAILS + 1)
    often = stats.binom.pmf(some, EMAILS, 2 * error * (1 - error))
    return float(often @ coverage.peeking("CP", 0.5, EMAILS))


@cache
def first_night() -> NDArray[np.bool_]:
    """Return the losses of the old and the new model, which are equally good: 2 rows."""
    rng = np.random.default_rng(16)
    return np.array([rng.random(EMAILS) < ERROR, rng.random(EMAILS) < ERROR])


@cache
def p_values() -> NDArray[np.float64]:
    """Return McNemar's p-value after each email of the first night."""
    old, new = first_night()
    p: NDArray[np.float64] = np.asarray(
        compare.mcnemar((new & ~old).cumsum(), (old & ~new).cumsum()).pvalue
    )
    return p


def run(seed: int) -> tuple[float, bool]:
    """Return how much wider the sequence of a run ends up, and whether the usual method misses."""
    fixed, sequence, *_ = two_sequences(ERROR, EMAILS, seed=seed)
    wider = (sequence.high[-1] - sequence.low[-1]) / (fixed.high[-1] - fixed.low[-1])
    return float(wider), bool(((fixed.low > ERROR) | (fixed.high < ERROR)).any())


@cache
def second_night() -> Any:
    """Watch two models, one of which is better, until the difference is shown."""
    rng = np.random.default_rng(4)
    test = errlab.watch(names=("old", "new"))
    while not test.decided:
        test.update(*(rng.random() < error for error in BETTER))
    return test


# Phrases with computed numbers: a test looks for each in the prose, and lists all other numbers


@cache
def numbers() -> list[str]:
    """Return the chapter's phrases whose numbers are computed, rounded as in the text."""
    p = p_values()
    seldom = coverage.peeking("CP", 0.1, EMAILS, start=100, step=100)[-1]
    every = coverage.peeking("CP", 0.1, EMAILS)[-1]
    win, lose = (1 + STAKE * (loss - CANDIDATE) for loss in (0, 1))
    wider, missed = zip(*(run(seed) for seed in RUNS), strict=True)
    rows = studies.load("watching")["settings"]
    worst = outward(max(row["summary"]["sequence"] for row in rows))
    chances = [
        usual_misses(row["setting"]["a"], pair=row["setting"]["b"] >= 0) for row in equal_settings()
    ]
    old, new = BETTER
    alone = old * (1 - new), new * (1 - old)
    planned = compare.sample_size(lambda n: compare.mcnemar_power(n, *alone))
    watching = next(row for row in rows if (row["setting"]["a"], row["setting"]["b"]) == BETTER)
    pair = usual_misses(ERROR, pair=True)
    return [
        f"planned for {EMAILS:,} emails. At {LOOK} somebody looks",
        f"the look at {LOOK} emails",
        f"what does p = {p[LOOK - 1]:.3f} say",
        f"so unevenly in {p[LOOK - 1]:.1%} of all tests",
        f"bets against {CANDIDATE:.0%}:",
        f"{WORDS[len(RUNS)].capitalize()} runs prove little",
        f"finds the new one better, p = {p[LOOK - 1]:.3f},",
        f"it would have ended at p = {p[-1]:.2f}",
        f"Up to {EMAILS:,} emails it is {seldom:.0%} for {EMAILS // 100} looks and {every:.0%} for "
        f"{EMAILS:,}",
        f"up to {EMAILS:,}: {EMAILS // 100} looks instead of {EMAILS:,}",
        f"all {EMAILS:,} looks cost",
        f"multiplies the capital by {win:.2f} and each error by {lose:.2f}",
        f"the {ORDINALS[len(LOSSES)]} example makes",
        f"In {WORDS[sum(missed)]} of the {WORDS[len(RUNS)]} runs",
        f"sequences end up {min(wider):.1f} to {max(wider):.1f} times as wide",
        f"any look misses in a night of {EMAILS:,}",
        f"we simulated {rows[0]['repeats']} nights of each kind",
        f"misses in {'more' if min(chances) > 1 / 4 else 'less'} than a quarter of them",
        f"at most {worst} of the simulated nights",
        f"an error of {old:.0%}, the new one of {new:.0%}",
        f"difference needs {planned} emails for a power of 80%",
        f"{watching['summary']['cases']:.0f} emails on average over {watching['repeats']} "
        f"simulated nights, and {second_night().n} in this one",
        f"error of {ERROR:.0%} McNemar's test finds a winner in {100 * pair:.0f} of a hundred "
        "nights",
        _report_at_the_look(),
    ]


def _report_at_the_look() -> str:
    """Return the sentence that the team could have printed at the first look."""
    test = errlab.watch(names=("old", "new"))
    test.update(*first_night()[:, :LOOK])
    assert test.interval is not None
    assert test.mean is not None
    ends = outward(100 * test.interval.low, 100 * test.interval.high, "+.1f")
    return (
        f"> After {LOOK} emails the error of old minus that of new is "
        f"{100 * test.mean:+.1f} points (95% confidence sequence {ends})."
    )


def _rich(book: Any) -> str:
    return f"{np.mean(book['rich']):.1%} of them"


def _strict(book: Any) -> str:
    runs = [for_one_look(losses_of_run(ERROR, EMAILS, s), book["usual_interval"]) for s in RUNS]
    missed = sum(bool(((e.low > ERROR) | (e.high < ERROR)).any()) for e in runs)
    return f"In {WORDS[missed] if missed else 'none'} of them. But eight runs prove"


# Edits that the reader is asked to make, in the form of the chapter on the bootstrap
BREAKS = {
    "36.9% of them": ("(2000, 500)) < 0.6", "(2000, 500)) < 0.5", _rich),
    "In none of them. But eight runs prove": ("delta=0.05):", "delta=0.01):", _strict),
}


GIVEN = [
    *("Let 60% be the true error, and look at 2,000 nights of 500 emails", "`< 0.5`"),
    *("for 10 and 100 looks at a true error of 10%", "the true error 50%", "bets with 25 stakes"),
    *("Look at an interval of 99%: `delta=0.01`", "of the eight runs does it still"),
    *("30 minutes", "bounds for 0/1 losses"),
    *("Three lines to remember 1.", "2. A fair", "3. `errlab"),
    *("with a capital of 1 and", "can't go below 0"),
    "So a gambler who becomes 20 times as rich has shown, at 5%",
    "99% confidence only delays it, because every line keeps rising towards 100%",
    "share the capital of 1,",
    "still has to reach 20",
    "than the 5% that are allowed",
    "divided among 24 stakes that never change",
    "risks 90% of its part",
    # from the questions and choices of guesses
    "The true error is 10%, and you look at a 95% interval",
    "5% still about 20% about 40% Twenty looks are twenty chances",
    "Eight runs with a true error of 10%. In how many does the 95% interval",
    "at some look? 1 3 6 Such",
    *("with errors of 10% each, and McNemar's test after each of 2,000 emails", "of a hundred"),
    *("about 5 about 15 about 33", "One look would come to 5"),
    *("about 130", "about 250", "about 500"),
    # exercises
    *(f"12.{number}" for number in range(1, 6)),
    "claim, at 5%, that the true error is below 60%",
    "has turned 1 into 20?",
    "An interval of 95% by Clopper and Pearson is looked at after 100, 200, ..., 1,000 examples",
    "one of the ten looks miss, if the true error is 5%",
    'level of 5%: `"a"`, stop at the first McNemar test below 5%;',
    "excludes 0, or when you are tired?",
    "four looks, no more",
    "intervals of 95% for one look",
    "one of the four misses",
    "so that all four contain the true error with probability 95% or more",
    "sequence below 10% for the first time",
]
