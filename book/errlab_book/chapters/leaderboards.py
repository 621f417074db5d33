"""Leaderboards: the chapter's pictures, guesses and numbers."""

from collections.abc import Callable
from functools import cache
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from numpy.typing import NDArray

from errlab import bounds, holdout
from errlab.datasets import load_board
from errlab.style import styled
from errlab_book import explore, guesses, labs, outward, show
from errlab_book.chapters import ORDINALS
from errlab_book.leaderboards import (
    climb,
    climb_by_flips,
    climb_gap,
    noisy_risk,
    public_private,
)
from errlab_book.plots.leaderboard import (
    plot_climb,
    plot_flips,
    plot_noisy_ranking,
    plot_price,
    plot_reuse,
)
from errlab_book.plots.paper import ACCENT, BODY, INK, headline, paper, write
from errlab_book.widgets import redrawn

GUESSES = guesses.load(__file__)

PUBLIC = 1000  # images of CIFAR-10's test set; the others are private
ANSWERS = 20  # hidden labels of the lab
SEED = 4  # with this seed the first guess starts near one half
STEPS = [1, 3, 10, 30, 100, 300, 1000]
COUNTS = np.arange(1, 602, 50)
FLIPPED = 300  # examples of the board that is climbed by flips
BLOCKS = (2, 8, 32, 128)
RULES: dict[str, dict[str, float]] = {
    "no step": {},
    "step 0.02": {"step": 0.02},
    "step 0.05": {"step": 0.05},
    "step 0.02, noise 0.01": {"step": 0.02, "noise": 0.01},
}
RISKS = np.linspace(0.05, 0.40, 20)  # true errors of twenty models


# Pictures, in the order of the chapter


def first_eight() -> Any:
    """Draw where a public board's eight leaders end on the private images."""

    @styled
    def draw() -> Axes:
        ax = paper(350, 230)
        public, private = scores()
        order = np.argsort(public, kind="stable")[:8]
        places = 1 + np.argsort(np.argsort(private, kind="stable"))
        for rank, model in enumerate(order, start=1):
            leader = rank == 1
            look: Any = {"color": INK, "alpha": BODY, "lw": 1.6, "marker": "o", "ms": 5}
            if leader:
                look = {"color": ACCENT, "lw": 3, "marker": "s", "ms": 9}
            ax.plot([0, 1], [rank, places[model]], clip_on=False, **look)
            # ranks and errors in columns, so that bold ones stay aligned
            style: Any = {"weight": "bold" if leader else "normal", "ha": "right"}
            write(ax, f"{rank}", (0, rank), (-10, 0), **style)
            write(ax, f"{public[model]:.1%}", (0, rank), (-28, 0), **style)
            write(ax, f"{places[model]}", (1, places[model]), (18, 0), **style)
            write(ax, f"{private[model]:.1%}", (1, places[model]), (62, 0), **style)
        last = max(places[order].max(), 8)
        ax.set(xlim=(0, 1), ylim=(last + 0.6, 0.4), yticks=[])
        ax.set_xticks([0, 1], [f"{PUBLIC:,} public\nimages", f"{9000:,} private\nimages"])
        ax.spines["bottom"].set_visible(False)
        end = ORDINALS[places[order[0]]]
        headline(
            ax,
            f"First in public, {end} in private",
            "Error and place among 30: the public top eight",
        )
        return ax

    public, _ = scores()
    return show(
        draw(),
        f"{len(public)} networks on CIFAR-10 (Recht and others); the first {PUBLIC:,} test images "
        "count as public. Sixth in private is the tenth in public, who is not drawn.",
        alt="Eight lines from public to private places cross each other. The leader's falls from "
        "1 to 4, the third's rises to 1.",
    )


def climbed_by_hand() -> Any:
    """Guess, then climb a board of twenty examples, on which four flips were tried."""
    display(GUESSES["by_hand"])
    lab = labs.Climb(cases=ANSWERS, seed=SEED)
    lab.submitted = lab.begun(flips=4)
    return lab


def voting(vote: Callable[..., Any]) -> Any:
    """Guess, then explore how the notebook's vote climbs, averaged over twenty attackers."""

    def draw(vote: Callable[..., Any], n: int) -> Axes:
        return plot_climb(n, STEPS, repetitions=20, rng=3, vote=vote)

    def alt(vote: Callable[..., Any], n: int) -> str:
        public_error = 0.5 - climb_gap(n, 1000)
        return f"after 1,000 submissions on {n} examples the error falls to {public_error:.0%}"

    display(GUESSES["voting"])
    return explore(
        draw,
        by=vote,
        n=[100, 300, 1000, 3000],
        start={"n": 1000},
        labels={"n": "test examples"},
        caption="Squares: mean of twenty attackers. Grey: the exact mean.",
        alt=alt,
    )


@redrawn
def fixed_or_climbing(gap_bound: Callable[..., Any]) -> Any:
    """Draw the price of k fixed models by the notebook's bound, and the gain of k submissions."""
    models = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000]
    return show(
        plot_price(1000, models, bound=gap_bound),
        "Fixed models: the most by which any of them looks too good, with probability 95%. The "
        "climber knows nothing at all.",
        alt="Against k on a logarithmic scale the bound for k fixed models rises gently from 4 to "
        "8 points. The climber's gap starts lower, crosses it near 40 and shoots up to 37 points "
        "at 2,000.",
    )


def flipping(flipping: Callable[..., Any]) -> Any:
    """Guess, then explore the notebook's climber on kinds of Ladder, averaged over ten attacks."""

    def draw(flipping: Callable[..., Any], ladder: str, block: int) -> Axes:
        rule: Any = RULES[ladder]
        return plot_flips(
            FLIPPED, COUNTS, block=block, **rule, repetitions=10, rng=1, flipping=flipping
        )

    def alt(flipping: Callable[..., Any], ladder: str, block: int) -> str:
        ax = draw(flipping, ladder, block)
        plt.close(ax.get_figure(root=True))
        return (
            f"after 600 submissions, {block} flips each, the error on the {FLIPPED} examples is "
            f"{np.ravel(ax.lines[0].get_ydata())[-1]:.0%}"
        )

    display(GUESSES["flipping"])
    return explore(
        draw,
        by=flipping,
        ladder=list(RULES),
        block=list(BLOCKS),
        start={"ladder": "no step"},
        labels={"ladder": "Ladder", "block": "flips at a time"},
        caption="Flips that move the board are kept. Mean of ten attacks; the truth is 50%.",
        alt=alt,
    )


def reused(thresholdout: Callable[..., Any] | None = None) -> Any:
    """Draw what a holdout set says that chooses variables, plainly and through Thresholdout."""
    sizes = [10, 25, 50, 100, 150, 200]
    return plot_reuse(2000, 2000, sizes, repetitions=5, rng=0, thresholdout=thresholdout)


@redrawn
def reuse(thresholdout: Callable[..., Any]) -> Any:
    """See what a holdout set says that chooses variables, plainly and through the notebook's."""
    return show(
        reused(thresholdout),
        "2,000 examples in each set, 2,000 variables of pure chance; mean of five experiments. "
        "The holdout accuracy is as reported.",
        alt="Above, with plain reuse, training and holdout accuracy rise together to 64% while "
        "fresh data give 50%. Below, through Thresholdout, the training accuracy rises to 72%, but "
        "the holdout accuracy stays between 52% and 56%, and fresh data give 50%.",
    )


def competition(fall: Callable[..., Any]) -> Any:
    """Guess, then see how much too good public winners look, over the notebook's splits."""
    display(GUESSES["winner"])
    return public_winners(fall)


@redrawn
def public_winners(fall: Callable[..., Any]) -> Any:
    """Draw how much better each split's public winner is in public than in private."""
    falls = 100 * fall(losses())
    worse = int((falls > 0).sum())

    @styled
    def draw() -> Axes:
        ax = paper(350, 240)
        edges = np.arange(-1, 2, 0.25).tolist()
        ax.hist(falls[falls <= 0], edges, color=INK, alpha=BODY, lw=0, rwidth=0.9)
        look: Any = {"color": ACCENT, "ec": "white", "hatch": "///", "lw": 0, "rwidth": 0.9}
        ax.hist(falls[falls > 0], edges, **look)
        ax.axvline(0, color=INK, lw=1)
        top = ax.get_ylim()[1]
        write(ax, "better in private", (0, 1.08 * top), (-8, 0), ha="right")
        write(ax, "worse in private", (0, 1.08 * top), (8, 0), weight="bold")
        ax.set(ylim=(0, 1.15 * top), yticks=[], xlim=(-1.05, 2), xticks=[-1, 0, 1, 2])
        ax.set_xticklabels(["−1", "same error", "+1", "+2 points"])
        headline(
            ax,
            f"{worse} of {len(falls)} public winners do worse in private",
            "Private minus public error of the public winner",
        )
        return ax

    return show(
        draw(),
        f"{len(falls)} random splits into public and private images, {len(losses())} networks.",
        alt="A hump of bars, most of them, hatched, right of a line at zero; its middle is at "
        "half a point.",
    )


def ranking(noisy: Callable[..., Any]) -> Any:
    """Guess, then explore twenty models on labels that the notebook makes noisy."""

    def draw(noisy: Callable[..., Any], noise: int, n: int) -> Axes:
        return plot_noisy_ranking(RISKS, noise / 100, n=n, rng=15, expected=noisy)

    def alt(noisy: Callable[..., Any], noise: int, n: int) -> str:
        ends = np.ravel(noisy(RISKS[[0, -1]], noise / 100))
        return "expected errors from {:.1%} to {:.1%}".format(*ends)

    display(GUESSES["noise"])
    return explore(
        draw,
        by=noisy,
        noise=[0, 20, 40, 60, 80, 95],
        n=[200, 2000, 20_000],
        start={"noise": 80, "n": 200},
        labels={"noise": "random labels, in %", "n": "test examples"},
        caption="Each line: a model, from its error on clean labels to the one that is seen. "
        "Square: the truly best; filled: models that look better.",
        alt=alt,
    )


# Data


@cache
def losses() -> NDArray[np.float64]:
    """Return the losses of thirty networks on CIFAR-10's 10,000 test images."""
    board_losses: NDArray[np.float64] = load_board("cifar10").losses["test"]
    return board_losses


@cache
def shuffled() -> Any:
    """Hold the competition on 200 random splits of the images."""
    return public_private(losses(), public_size=0.1, repeats=200, rng=2)


def scores() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the error of each network on the public and on the private images."""
    return losses()[:, :PUBLIC].mean(axis=1), losses()[:, PUBLIC:].mean(axis=1)


@cache
def left(ladder: str, block: int) -> float:
    """Return the board's error after 600 submissions with this many flips."""
    rule: Any = RULES[ladder]
    gap = climb_by_flips(FLIPPED, [601], block=block, **rule, repeats=10, rng=1).gap[0]
    return float(0.5 - gap)


# Phrases with computed numbers: a test looks for each in the prose, and lists all other numbers


@cache
def numbers() -> list[str]:
    """Return the chapter's phrases whose numbers are computed, rounded as in the text."""
    public, private = scores()
    leader = int(public.argmin())
    place = 1 + int(np.sum(private < private[leader]))
    hidden = losses().shape[1] - PUBLIC
    fresh = bounds.interval("CP", private[leader], hidden)
    ends = outward(fresh.low, fresh.high)
    k = np.arange(1, 2001)
    crossing = k[climb_gap(1000, k) > holdout.gap_bound(1000, models=k)][0]
    wide = min(BLOCKS, key=lambda block: left("step 0.02", block))
    n = 10_000
    proven = holdout.ladder_bound(n, 1000, step=0.06)
    plain = shuffled()
    ladder = public_private(losses(), board=holdout.ladder, public_size=0.1, repeats=200, rng=2)
    squeezed = np.ravel(noisy_risk(RISKS[[0, -1]], 0.8))
    exact = 100 * climb_gap(1000, 1000)
    assert len(public) == 30  # the chapter says "thirty"
    return [
        f"Below, thirty real networks play a board of {PUBLIC:,} public and {hidden:,} hidden "
        "images",
        f"The public leader, with {public[leader]:.1%} errors, came "
        f"{ORDINALS[place]} on the hidden ones",
        f"after {ANSWERS + 1} submissions it shows an error of 0%",
        f"bring it to **{exact:.0f} points**",
        f"After **{crossing}** submissions",
        f"you flip {wide} at a time, which is slower than two flips",
        f"Those get down to {left('no step', 2):.0%}, these still to {left('step 0.02', wide):.0%}",
        f"For 1,000 submissions, {n:,} examples and a step of 0.06 that is "
        f"{100 * proven:.1f} points",
        "A has a true error of {:.1%}, B of {:.1%}. Against these labels they show {:.1%} and "
        "{:.1%}".format(*copied()),
        f"the private one in only {np.mean(plain.place == 1):.0%} of the splits",
        f"({100 * ladder.optimism:.1f} points)",
        f"look {100 * (squeezed[1] - squeezed[0]):.0f} points apart instead of "
        f"{100 * (RISKS[-1] - RISKS[0]):.0f}",
        f"here {1 / 0.2**2:.0f} times",
        "With 80% random labels the best",
        f"Against a step of {RULES['step 0.02']['step']:g} you flip",
        "Here are twenty models for two classes",
        "Below are twenty hidden labels",
        f"but on {load_board('cifar10').losses['new_v4'].shape[1]:,} new images",
        f"> Our model led the public board with an error rate of {public[leader]:.1%}",
        f"> On {hidden:,} images opened once, its error rate is **{private[leader]:.1%}** "
        f"(95% interval {ends}, Clopper-Pearson).",
    ]


def copied() -> list[float]:
    """Return true errors of A and B, and their errors on labels whose mistakes B has learned."""
    # 6% of the labels are wrong. A is wrong on 5% of the examples, independently of that. B is
    # wrong on all examples with a wrong label, and on 3.8% of the others.
    label, a, b = 0.06, 0.05, 0.038
    true_b = label + (1 - label) * b
    return [a, true_b, a * (1 - label) + (1 - a) * label, (1 - label) * b]


# What the reader is asked to change: see the chapter on the bootstrap
def _without_noise(book: Any) -> str:
    titles = [reused(guard)[1].get_title("left") for guard in (book["thresholdout"], None)]
    now, before = (int(title.split()[2]) for title in titles)
    return f"By {now} points instead of {before}"


BREAKS = {
    "By 9 points instead of 3": ("noise=0.01", "noise=0.0", _without_noise),
    "48.0%, where flipping brought it to 22.0%": (
        "chance=0.5", "chance=1.0",
        lambda book: (
            f"{book['vote'](book['coins']).mean():.1%}, where flipping brought it to "
            f"{0.5 - climb(100, [100], repeats=1, rng=0).gap[0]:.1%}"
        ),
    ),
    "By 0.22 points instead of 0.49": (
        "public=1000", "public=5000",
        lambda book: (
            f"By {100 * book['falls'](losses()).mean():.2f} points instead of "
            f"{100 * shuffled().optimism:.2f}"
        ),
    ),
}  # fmt: skip


GIVEN = [
    *(
        "`noise=0.0`",
        "`chance=1.0`",
        "after 100 submissions on 100 examples?",
        "for 1, 100 and 10,000 of them",
    ),
    *("the thirty networks are handed in", "annotators erred on 6% of"),
    *("40 minutes", "bounds for 0/1 losses", "after 300 submissions. What will be left"),
    *("best of twenty equal models", "lowest of twenty numbers", "Climb it anyway: 1.", "2. Flip"),
    *("3. If the error fell", "accuracy above 50% is an illusion"),
    # computed by the page on ranks
    *("These thirty were chosen", "images [29 of them] came at a rank"),
    *("Three lines to remember 1.", "2. The Ladder,", "3. The order"),
    # from the questions and choices of guesses
    *("sure to read 0% on the plain board? 21 about 400", "Twenty flips", "to fill in 20 labels"),
    "A board of 300 examples falls to some error after 100 submissions",
    *("a board of 3,000 examples", "about 300 1,000 10,000 That"),
    "With a step of 0.02 a submission must correct more than six of 300 examples",
    *("8 32 128 Nearly all eight", "best of the 30", "one time in eight With thirty rivals"),
    "80% of the labels are random",
    # exercises
    *("**13.1**", "**13.2**", "**13.3**", "**13.4**", "**13.5**", "**13.6**", '"13.6"'),
    "1,000 test examples, and with 95% probability no error rate may be off by more than 6 points",
    *("3 examples wrong", "40% of the test labels", "an error rate of 26%"),
    "the same 10,000 examples of two classes, of whose labels 40% are random",
    "A has an error of 26%",
    *("B of 28%", "excludes 0. What"),
    *("a step of 0.1 receives five submissions", "| 0.5 | 0.45 | 0.3 | 0.25 | 0.1 |"),
    *(
        "1 to 60 neighbours meet 300 tumours",
        "test_size=300, random_state=0",
        "200 splits with `rng=0`",
    ),
]
