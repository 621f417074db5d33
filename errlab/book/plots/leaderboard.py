"""Plots of leaderboards: climbing them, guarding them, and what the private examples say."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from errlab import holdout
from errlab._core import checks
from errlab._core.checks import Seed
from errlab._style import BLUE, VERMILION, curve, look, new_axes, new_panels, styled
from errlab.book import leaderboards


@styled
def plot_climb(
    n: int,
    submissions: ArrayLike,
    *,
    board: str = "plain board",
    repetitions: int = 5,
    rng: Seed = 0,
    ax: Axes | None = None,
) -> Axes:
    """Draw how far a majority of random submissions climbs, and what the board shows for it.

    Parameters
    ----------
    n : int
        Number of test examples, at least 2.
    submissions : array_like of int
        Numbers of submissions, rising.
    board : {"plain board", "Ladder"}
        The leaderboard.
    repetitions : int
        Number of attacks to average, at least 1.
    rng : seed, Generator or None
        Source of randomness; the same in each call by default.

    Raises
    ------
    ValueError, TypeError
        If the board is unknown or an argument is out of range.

    Examples
    --------
    >>> plot_climb(100, [1, 10], rng=0).get_title("left")
    '100 test examples, plain board'
    """
    size = checks.one_count(n, "n", 2)
    shown_by = leaderboards.BOARDS[checks.choice(board, "board", leaderboards.BOARDS)]
    attack = leaderboards.climb(size, submissions, board=shown_by, repeats=repetitions, rng=rng)
    ax = new_axes(ax)
    k = attack.submissions
    ax.plot(k, 0.5 - leaderboards.climb_gap(size, k), color="0.5", lw=3, label="exact formula")
    # which shows the error itself
    if board != "plain board":
        ax.plot(k, 0.5 - attack.shown, label="score released", ms=9, **look(1))
    ax.plot(k, 0.5 - attack.gap, label="error on these examples", **look(0))
    ax.axhline(0.5, color="black", lw=1, ls=":", label="true error")
    ax.set(xlabel="submissions k", ylabel="error", xscale="log", ylim=(0, 0.56))
    ax.set_title(f"{size:,} test examples, {board}")
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.legend(loc="lower left")
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
    ax: Axes | None = None,
) -> Axes:
    r"""Draw how far a few flips at a time climb the Ladder.

    The grey line is a plain board, where one flip at a time finds out each label:
    :math:`\tfrac12 (1 - (k-1)/n)`.

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

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range.

    Examples
    --------
    >>> plot_flips(100, [1, 10], rng=0).get_title("left")
    'Ladder without a step, 2 flips at a time'
    """
    attack = leaderboards.climb_by_flips(
        n, submissions, block=block, step=step, noise=noise, repeats=repetitions, rng=rng
    )
    ax = new_axes(ax)
    k = attack.submissions
    plain = 0.5 * (1 - np.minimum(k - 1, n) / n)
    ax.plot(k, plain, color="0.5", lw=3, label="plain board, 1 flip each")
    ax.plot(k, 0.5 - attack.shown, label="score released", ms=9, **look(1))
    ax.plot(k, 0.5 - attack.gap, label="error on these examples", **look(0))
    ax.axhline(0.5, color="black", lw=1, ls=":", label="true error")
    ax.set(xlabel="submissions k", ylabel="error", ylim=(0, 0.7), yticks=np.arange(6) / 10)
    rule = "without a step" if step is None else f"with step {step:g}"
    shaken = f", noise {noise:g}" if noise else ""
    ax.set_title(f"Ladder {rule}{shaken}, {block} flips at a time")
    ax.legend(loc="upper center", ncols=2, columnspacing=1.2)
    return ax


@styled
def plot_price(n: int, models: ArrayLike, *, delta: float = 0.05, ax: Axes | None = None) -> Axes:
    """Draw the largest gap among k fixed models, by the union bound, and that of a climber.

    Parameters
    ----------
    n : int
        Number of test examples, at least 1.
    models : array_like of int
        Numbers k of models or submissions.
    delta : float
        Probability that the union bound may fail, in (0, 1).

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
    fixed = np.asarray(holdout.gap_bound(size, delta=delta, models=k))
    ax = new_axes(ax)
    curve(ax, k, fixed, label="fixed models: bound for all", look=look(2))
    climbed = np.asarray(leaderboards.climb_gap(size, k))
    curve(ax, k, climbed, label="climbing: expected gap", look=look(1))
    ax.set(xlabel="models or submissions k", ylabel="test error below true error by")
    ax.set(xscale="log", ylim=(0, 0.55), title=f"{size:,} test examples")
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.legend(loc="upper left")
    return ax


@styled
def plot_reuse(
    n: int, variables: int, kept: ArrayLike, *, repetitions: int = 10, rng: Seed = 0
) -> list[Axes]:
    """Draw what reusing a holdout set shows where there is nothing to find.

    Parameters
    ----------
    n, variables : int
        Examples in each set, and variables; see `errlab.holdout.reuse_holdout`.
    kept : array_like of int
        Numbers of variables to keep.
    repetitions : int
        Number of experiments to average, at least 1.
    rng : seed, Generator or None
        Source of randomness; the same in each call by default.

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
    >>> above.get_title("left")
    'plain reuse'
    """
    count = checks.one_count(repetitions, "repetitions")
    generator = checks.generator(rng)
    panels = new_panels(2, figsize=(4.8, 5.6), sharex=True, sharey=True)
    # the second threshold is the default of `errlab.holdout.thresholdout`
    for ax, guard, title in zip(panels, (None, 0.04), ("plain reuse", "Thresholdout"), strict=True):
        runs = [
            holdout.reuse_holdout(n, variables, kept, threshold=guard, rng=generator)
            for _ in range(count)
        ]
        for i, name in enumerate(("train", "reported", "fresh")):
            mean = np.mean([getattr(run, name) for run in runs], axis=0)
            label = {"train": "training set", "reported": "holdout, as reported"}.get(name)
            ax.plot(runs[0].kept, mean, label=label or "fresh data", **look((1, 0, 2)[i]))
        ax.set(ylabel="accuracy", title=title, ylim=(0.45, 0.8))
    panels[0].legend(loc="upper left", ncols=2)
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
    >>> plot_competition(guesses[:, :30], guesses[:, 30:]).get_title("left")
    '30 public, 70 private examples\nwinner: shown 0.367, private 0.671'
    """
    seen = checks.losses(public, "public", ndim=2)
    kept = checks.losses(private, ndim=2)
    checks.same_length(public=seen, private=kept)
    shown = seen.mean(axis=1)
    hidden = kept.mean(axis=1)
    # of equal ones the first to be submitted leads
    winner = int(shown.argmin())
    ends = np.array([min(shown.min(), hidden.min()), max(shown.max(), hidden.max())])
    ax = new_axes(ax)
    ax.plot(ends, ends, color="0.5", lw=1, label="equal")
    ax.scatter(shown, hidden, s=9, color=BLUE, alpha=0.6, label="submissions")
    ax.scatter(shown[winner], hidden[winner], s=130, color=VERMILION, marker="*", label="winner")
    ax.set(xlabel="error on the public examples", ylabel="error on the private ones")
    ax.set_title(
        f"{seen.shape[1]} public, {kept.shape[1]} private examples\n"
        f"winner: shown {shown[winner]:.3f}, private {hidden[winner]:.3f}"
    )
    ax.legend(loc="lower right")
    return ax


@styled
def plot_noisy_ranking(
    risks: ArrayLike, noise: float, *, n: int, rng: Seed = 0, ax: Axes | None = None
) -> Axes:
    r"""Draw test errors on partly random labels against the true errors with clean ones.

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

    Returns
    -------
    Axes
        The title tells the fraction of pairs of models in the right order.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range.

    Examples
    --------
    >>> plot_noisy_ranking([0.1, 0.2, 0.3], 0.5, n=10_000, rng=0).get_title("left")
    '50% random labels, n = 10,000\n100% of pairs in the right order'
    """
    true = np.sort(checks.mean(risks, "risks"))
    size = checks.one_count(n)
    noisy: Any = leaderboards.noisy_risk(true, noise)
    seen = checks.generator(rng).binomial(size, noisy) / size
    if len(true) < 2:
        raise ValueError(f"risks must hold at least 2 models, got {len(true)}")
    below, above = np.triu_indices(len(true), 1)
    # a tie is half right
    right = (1 + np.sign(seen[above] - seen[below]).mean()) / 2
    ax = new_axes(ax)
    ax.plot(true, true, color="0.5", lw=1, label="clean labels")
    ax.plot(true, noisy, color=VERMILION, ls="--", label="expected with noise")
    ax.scatter(true, seen, s=22, color=BLUE, label="seen on the test")
    ax.set(xlabel="true error, clean labels", ylabel="test error, noisy labels")
    ax.set(xlim=(0, None), ylim=(0, 0.62))
    ax.set_title(
        f"{noise:.0%} random labels, n = {size:,}\n{right:.0%} of pairs in the right order"
    )
    ax.legend(loc="lower right")
    return ax
