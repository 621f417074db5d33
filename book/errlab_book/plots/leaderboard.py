"""Plots of leaderboards: climbing them, protecting them, and the private examples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator, PercentFormatter
from numpy.typing import ArrayLike

from errlab import checks, holdout
from errlab.checks import Seed
from errlab.style import Look, new_panels, styled
from errlab_book import leaderboards
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, headline, paper, spread, write


@styled
def plot_climb(
    n: int,
    submissions: ArrayLike,
    *,
    repetitions: int = 5,
    rng: Seed = 0,
    vote: Callable[..., Any] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the error that a board shows for a majority of random submissions.

    Parameters
    ----------
    n : int
        Number of test examples, at least 2.
    submissions : array_like of int
        Numbers of submissions, rising.
    repetitions : int
        Number of attacks to average, at least 1.
    rng : seed, Generator or None
        Source of randomness; the same in each call by default.
    vote : callable, optional
        ``vote(losses)``, the loss of the majority on each example; by default that of
        `errlab_book.leaderboards.climb`.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range.

    Examples
    --------
    >>> print(plot_climb(100, [1, 10], rng=0).get_title("left"))
    After 10 submissions
    the board shows 42%
    """
    size = checks.one_count(n, "n", 2)
    attack = leaderboards.climb(size, submissions, repeats=repetitions, rng=rng, vote=vote)
    ax = ax or paper(350, 260)
    k, public_error = attack.submissions, 0.5 - attack.gap
    ax.plot(k, 0.5 - leaderboards.climb_gap(size, k), color=INK, lw=6, alpha=FAINT / 2)
    ax.plot(k, public_error, "s-", color=ACCENT, lw=2.4, ms=6, clip_on=False)
    # the chance line ends where the board's line does, so that its name is at its end
    ax.plot(k[[0, -1]], [0.5, 0.5], color=INK, lw=1)
    names = {"true error": 0.5, "on the board": public_error[-1]}
    ax.set(xscale="log", xlabel="submissions", ylim=(0, 0.56), yticks=np.arange(6) / 10)
    name_ends(ax, k[-1], names)
    in_percent(ax, "y")
    ax.set_xticks(*counted(k))
    ax.xaxis.set_minor_locator(NullLocator())
    # end at the data, so that the line doesn't cross a name at 0%
    ax.spines["bottom"].set_bounds(k[0], k[-1])
    headline(
        ax,
        f"After {k[-1]:,} submissions the board shows {public_error[-1]:.0%}",
        f"Error of a vote of random guesses on {size:,} test examples",
    )
    return ax


@styled
def plot_submissions(
    losses: ArrayLike, board: leaderboards.Leaderboard, *, ax: Axes | None = None
) -> Axes:
    """Draw the score of each of a few submissions on a board, and those that the climber follows.

    Parameters
    ----------
    losses : array_like, shape (k, n)
        Losses in [0, 1] of each submission on each example, in order.
    board : callable
        The leaderboard: losses to a `errlab.holdout.Board`.

    Raises
    ------
    ValueError, TypeError
        If `losses` is not a matrix of losses.

    Examples
    --------
    >>> print(plot_submissions([[1, 1], [0, 1]], leaderboards.latest_score).get_title("left"))
    2 submissions bring the error
    from 100% to 50%
    """
    tried = checks.losses(losses, ndim=2)
    released, leader = board(tried)
    at = 1 + np.arange(len(tried))
    is_leader = leader == np.arange(len(tried))
    best = tried.mean(axis=1)[leader]
    ax = ax or paper(350, 230)
    ax.axhline(0.5, color=INK, lw=1)
    ax.step(at, best, where="post", color=ACCENT, lw=2)
    ax.plot(at[is_leader], released[is_leader], "s", color=ACCENT, ms=8)
    ax.plot(at[~is_leader], released[~is_leader], "o", color=INK, alpha=BODY, ms=7, mew=0)
    last = len(tried) + 0.5
    ax.set(xlim=(0.5, last), xlabel="submissions", ylim=(0, max(0.75, 1.1 * released.max())))
    ax.set(yticks=[0, 0.25, 0.5, 0.75])
    name_ends(ax, last, {"true error": 0.5, "kept": best[-1]}, rows=7)
    in_percent(ax, "y")
    if len(tried) <= 20:
        ax.set_xticks(at)
    begun, ended = released[0], best[-1]
    headline(
        ax,
        f"{len(tried)} submissions bring the error from {begun:.0%} to {ended:.0%}"
        if ended < begun
        else f"After {len(tried)} submissions the error is still {ended:.0%}",
        f"Error on the board, {tried.shape[1]} examples; square: kept",
    )
    return ax


@styled
def plot_flips(
    n: int,
    submissions: ArrayLike,
    *,
    block: int = 2,
    step: float | None = None,
    noise: float = 0.0,
    repetitions: int = 5,
    rng: Seed = 0,
    flipping: Callable[..., Any] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw how far the Ladder is climbed by a few flips at a time.

    Parameters
    ----------
    n : int
        Number of test examples, at least 2.
    submissions : array_like of int
        Numbers of submissions, rising.
    block : int
        How many predictions a submission flips.
    step, noise : float, optional
        Of the Ladder, see `errlab.holdout.ladder`.
    repetitions : int
        Number of attacks to average, at least 1.
    rng : seed, Generator or None
        Source of randomness; the same in each call by default.
    flipping : callable, optional
        A reader's own attack, ``flipping(board, n, each, submissions, rng)``: the error of the best
        submission after each. `board` takes losses and says whether it moved.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range.

    Examples
    --------
    >>> print(plot_flips(100, [1, 10], rng=0).get_title("left"))
    2 flips at a time: error 49%
    on the board, 50% in truth
    """
    ladder: dict[str, Any] = {"step": step, "noise": noise}
    if flipping is None:
        attack = leaderboards.climb_by_flips(
            n, submissions, block=block, **ladder, repeats=repetitions, rng=rng
        )
        k, public_error = attack.submissions, 0.5 - attack.gap
    else:
        k, generator = checks.count(submissions, "submissions", ndim=1), checks.generator(rng)
        boards = [holdout.RunningLadder(**ladder, rng=generator) for _ in range(repetitions)]
        runs = [flipping(board.submit, n, block, k[-1], generator) for board in boards]
        public_error = np.mean(runs, axis=0)[k - 1]
    ax = ax or paper(350, 280)
    ax.plot(k, public_error, "s-", color=ACCENT, lw=2.4, ms=6, clip_on=False)
    ax.plot(k[[0, -1]], [0.5, 0.5], color=INK, lw=1)
    ax.set(xlabel="submissions", ylim=(0, 0.6), yticks=np.arange(6) / 10)
    name_ends(ax, k[-1], {"true error": 0.5, "on the board": public_error[-1]})
    in_percent(ax, "y")
    variant = "without a step" if step is None else f"with a step of {step:g}"
    shaken = f", noise {noise:g}" if noise else ""
    climbed = 0.5 - public_error[-1] >= 0.01
    headline(
        ax,
        f"{block} flips at a time: error {public_error[-1]:.0%} on the board, 50% in truth"
        if climbed
        else f"{block} flips at a time get nowhere",
        f"Ladder {variant}{shaken}, {n} examples",
    )
    return ax


@styled
def plot_price(
    n: int,
    models: ArrayLike,
    *,
    bound: Callable[..., Any] = holdout.gap_bound,
    ax: Axes | None = None,
) -> Axes:
    """Draw the largest gap among k fixed models, by the union bound, and that of a climber.

    Parameters
    ----------
    n : int
        Number of test examples, at least 1.
    models : array_like of int
        Numbers k of models or submissions.
    bound : callable
        ``bound(n, models=k)``, such as a reader's own.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range.

    Examples
    --------
    >>> plot_price(1000, [1, 10, 100]).get_xscale()
    'log'
    """
    k = checks.count(models, "models", ndim=1)
    size = checks.one_count(n)
    fixed = np.asarray(bound(size, models=k))
    ax = ax or paper(350, 260)
    climbed = np.asarray(leaderboards.climb_gap(size, k))
    ax.plot(k, 100 * fixed, color=INK, lw=1.8)
    ax.plot(k, 100 * climbed, color=ACCENT, lw=2.4, ls=(0, (6, 1.5)))
    largest = int(k.max())
    write(ax, "fixed models:\nat most", (largest, 100 * fixed[-1]), (7, 0))
    write(ax, "climber:\non average", (largest, 100 * climbed[-1]), (7, -4), weight="bold")
    every = np.arange(1, largest + 1)
    over = np.asarray(leaderboards.climb_gap(size, every)) > np.asarray(bound(size, models=every))
    finding = "A climber gains no more than fixed models can so far"
    if over.any():
        first = int(every[over][0])
        at = 100 * float(np.asarray(leaderboards.climb_gap(size, first)))
        ax.plot(first, at, "s", color=ACCENT, ms=8)
        write(ax, f"{first} submissions", (first, at), (-8, 10), ha="right", weight="bold")
        finding = f"After {first} submissions, a climber gains more than {first} fixed models can"
    ax.set(
        xscale="log",
        xlabel="models or submissions",
        ylim=(0, 110 * climbed[-1]),
        xlim=(1, largest),
    )
    ax.set_xticks(*counted(k))
    ax.xaxis.set_minor_locator(NullLocator())
    headline(ax, finding, f"By how many points an error looks too low, {size:,} test examples")
    return ax


@styled
def plot_reuse(
    n: int,
    variables: int,
    kept: ArrayLike,
    *,
    repetitions: int = 10,
    rng: Seed = 0,
    thresholdout: Callable[..., Any] | None = None,
) -> list[Axes]:
    """Draw the scores from a reused holdout set when no variable is informative.

    Parameters
    ----------
    n, variables : int
        Examples in each set, and variables; see `errlab_book.leaderboards.reuse_holdout`.
    kept : array_like of int
        Numbers of variables to keep.
    repetitions : int
        Number of experiments to average, at least 1.
    rng : seed, Generator or None
        Source of randomness; the same in each call by default.
    thresholdout : callable, optional
        A reader's own ``thresholdout(train, holdout, rng=rng)``, in place of errlab's.

    Returns
    -------
    list of Axes
        With plain reuse, and through Thresholdout.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range.

    Examples
    --------
    >>> above, below = plot_reuse(100, 50, [5, 10], repetitions=1, rng=0)
    >>> above.get_title("left").split(":")[0]
    'Plain reuse'
    """
    count = checks.one_count(repetitions, "repetitions")
    generator = checks.generator(rng)
    panels = new_panels(2, figsize=(350 / 72, 440 / 72), sharex=True, sharey=True)
    # the threshold is the default of `errlab.holdout.thresholdout`
    guards: list[dict[str, Any]] = [{}, {"threshold": 0.04, "guard": thresholdout}]
    for ax, guard, title in zip(panels, guards, ("Plain reuse", "Thresholdout"), strict=True):
        runs = [
            leaderboards.reuse_holdout(n, variables, kept, **guard, rng=generator)
            for _ in range(count)
        ]
        means = {
            name: np.mean([getattr(run, key) for run in runs], axis=0)
            for name, key in {"training": "train", "holdout": "reported", "fresh": "fresh"}.items()
        }
        at = runs[0].kept
        ax.plot(at, means["training"], color=INK, alpha=BODY, lw=1.6, ls=(0, (5, 2)))
        ax.plot(at, means["fresh"], "o-", color=INK, lw=1.6, ms=4)
        ax.plot(at, means["holdout"], "s-", color=ACCENT, lw=2.4, ms=6)
        ax.set(ylim=(0.45, 0.78), yticks=[0.5, 0.6, 0.7])
        # the ends are close together, so the names are as close as the font allows
        name_ends(ax, at[-1], {name: mean[-1] for name, mean in means.items()}, rows=9)
        in_percent(ax, "y")
        off = 100 * (means["holdout"][-1] - means["fresh"][-1])
        key = "" if guard else "Accuracy, where nothing can be learned"
        headline(
            ax, f"{title}: holdout {abs(off):.0f} points too {'high' if off >= 0 else 'low'}", key
        )
    panels[0].tick_params(bottom=False)  # the numbers are in the text below
    panels[1].set_xlabel("variables kept")
    return panels


@styled
def plot_competition(public: ArrayLike, private: ArrayLike, *, ax: Axes | None = None) -> Axes:
    r"""Draw every submission's error on the private examples against that on the public ones.

    Parameters
    ----------
    public, private : array_like, shapes (k, m) and (k, n)
        Losses in [0, 1] of each submission on the public and on the private examples.

    Raises
    ------
    ValueError, TypeError
        If the numbers of submissions differ or a loss leaves [0, 1].

    Examples
    --------
    >>> guesses = np.random.default_rng(0).integers(0, 2, (50, 100))
    >>> print(plot_competition(guesses[:, :30], guesses[:, 30:]).get_title("left"))
    The public winner is
    number 49 in private
    """
    public_losses = checks.losses(public, "public", ndim=2)
    private_losses = checks.losses(private, ndim=2)
    checks.same_length(public=public_losses, private=private_losses)
    public_errors = public_losses.mean(axis=1)
    hidden = private_losses.mean(axis=1)
    # if scores are equal, the first submission leads
    winner = int(public_errors.argmin())
    ends = np.array(
        [min(public_errors.min(), hidden.min()), max(public_errors.max(), hidden.max())]
    )
    ax = ax or paper(350, 300)
    ax.plot(ends, ends, color=INK, lw=1)
    ax.plot(public_errors, hidden, "o", color=INK, alpha=BODY, ms=5, mew=0)
    ax.plot(public_errors[winner], hidden[winner], "s", color=ACCENT, ms=9)
    # in the lower right, where a fair split puts few models
    note = (
        f"square: the public winner,\n{public_errors[winner]:.1%} public, "
        f"{hidden[winner]:.1%} private"
    )
    write(ax, note, (1, 0.1), (-4, 0), of_axes=True, ha="right", weight="bold")
    ax.set(xlabel="error on the public examples", ylim=(None, None))
    in_percent(ax, "both")
    place = 1 + int((hidden < hidden[winner]).sum())
    headline(
        ax,
        f"The public winner is number {place} in private",
        f"Error on {private_losses.shape[1]:,} private examples, {len(public_errors)} models",
    )
    return ax


@styled
def plot_noisy_ranking(
    risks: ArrayLike,
    noise: float,
    *,
    n: int,
    rng: Seed = 0,
    expected: Callable[..., Any] = leaderboards.noisy_risk,
    ax: Axes | None = None,
) -> Axes:
    """Draw test errors on partly random labels against the true errors with clean ones.

    Parameters
    ----------
    risks : array_like, shape (k,)
        True errors with clean labels of two classes, in [0, 1].
    noise : float
        Fraction of the labels that are replaced by random ones, in [0, 1].
    n : int
        Number of test examples, at least 1.
    rng : seed, Generator or None
        Source of randomness; the same in each call by default.
    expected : callable
        ``expected(risks, noise)``, such as a reader's own.

    Returns
    -------
    Axes
        The title tells the place that the best model takes.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range.

    Examples
    --------
    >>> print(plot_noisy_ranking([0.1, 0.2, 0.3], 0.5, n=10_000, rng=0).get_title("left"))
    50% random labels: the best
    model of 3 comes 1st
    """
    true = np.sort(checks.mean(risks, "risks"))
    size = checks.one_count(n)
    noisy: Any = expected(true, noise)
    observed = checks.generator(rng).binomial(size, noisy) / size
    if len(true) < 2:
        raise ValueError(f"risks must hold at least 2 models, got {len(true)}")
    better = observed < observed[0]
    place_of_best = 1 + int(better.sum())
    ax = ax or paper(350, 330)
    for i in range(len(true))[::-1]:  # the best is drawn last
        line: Look = {"color": INK, "alpha": BODY if better[i] else FAINT, "lw": 1}
        mark: Look = {"marker": "o", "color": INK, "ms": 6 if better[i] else 5}
        if i == 0:
            line, mark = {"color": ACCENT, "lw": 2.5}, {"marker": "s", "color": ACCENT, "ms": 9}
        elif not better[i]:
            mark |= {"mfc": "#ffffff", "alpha": BODY}
        ax.plot([0, 1], [true[i], observed[i]], **line)
        ax.plot(1, observed[i], ls="", clip_on=False, **mark)
    # the mean of each model over all test sets: their order is kept
    ax.plot(np.full(len(true), 1.12), noisy, "_", color=INK, ms=8, clip_on=False)
    write(ax, "true", (0, true.max()), (0, 12), ha="center")
    write(ax, "seen", (1, observed.max()), (0, 12), ha="center")
    write(ax, "expected", (1.12, noisy.min()), (4, -12))
    write(ax, "best", (0, true[0]), (-8, 0), ha="right", weight="bold")
    ax.set(xlim=(-0.16, 1.32), ylim=(0, 0.66), xticks=[])
    in_percent(ax, "y")
    ax.set_yticks([0, 0.2, 0.4, 0.6])
    headline(
        ax,
        f"{noise:.0%} random labels: the best model of {len(true)} comes {ordinal(place_of_best)}",
        f"Error of each model: true, and seen on {size:,} examples",
    )
    return ax


def name_ends(ax: Axes, x: float, ends: Mapping[str, float], *, rows: int = 10) -> None:
    """Write names beside the ends of lines, moved apart: `rows` names fill the height."""
    low, high = ax.get_ylim()
    places = spread(list(ends.values()), (high - low) / rows)
    for name, place in zip(ends, places, strict=True):
        bold = name in ("on the board", "kept", "holdout")
        write(ax, name, (x, place), (8, 0), weight="bold" if bold else "normal")


def ordinal(place: int) -> str:
    """Return a place as an ordinal: 1st, 2nd, 3rd, 11th."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{'th' if 10 < place % 100 < 14 else ending}"


def in_percent(ax: Axes, which: str) -> None:
    """Write rates as percentages."""
    for name in ("x", "y") if which == "both" else (which,):
        getattr(ax, f"{name}axis").set_major_formatter(PercentFormatter(1, decimals=0))


def counted(counts: ArrayLike) -> tuple[list[int], list[str]]:
    """Return ticks for counts on a logarithmic axis: the powers of ten, and the last one."""
    largest = int(np.max(counts))
    ticks = [10**i for i in range(7) if 10**i < 0.45 * largest] + [largest]
    return ticks, [f"{tick:,}" for tick in ticks]
