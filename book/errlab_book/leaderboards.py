"""Leaderboards that can be climbed without learning anything, and their winners' true errors.

`climb` lets random submissions vote. `climb_by_flips` flips a few predictions and watches whether
the board changes, which works on the Ladder too. `mix` mixes two honest models until the board
rewards the mixture. `public_private` holds a competition, and `reuse_holdout` chooses variables on
a holdout set. The Ladder itself is `errlab.holdout.ladder`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike

from errlab import checks
from errlab.checks import FloatArray, FloatOrArray, IntArray, Seed, public
from errlab.holdout import RunningLadder, ladder, thresholdout
from errlab.results import Board

Leaderboard = Callable[[FloatArray], Board]


class Climb(NamedTuple):
    """How far a climber without any knowledge gets after each number of submissions.

    Attributes
    ----------
    submissions : ndarray of int, shape (c,)
        Numbers of submissions.
    gap : ndarray, shape (c,)
        1/2, the true error of any guess, minus the climber's error on the test set.
    shown : ndarray, shape (c,)
        1/2 minus the score that the board shows once the climber's final submission is included.
    standard_error : ndarray, shape (c,)
        Standard error of `gap` over the repetitions; 0 for a single one.
    """

    submissions: IntArray
    gap: FloatArray
    shown: FloatArray
    standard_error: FloatArray


class Mixture(NamedTuple):
    """Error of the final mixture of `mix` after each number of submissions.

    Attributes
    ----------
    submissions : ndarray of int, shape (c,)
        Numbers of submissions.
    public, private : ndarray, shape (c,)
        The final mixture's error on the public and on the private examples.
    shown : ndarray, shape (c,)
        The score that the board releases once the final mixture is submitted too.
    """

    submissions: IntArray
    public: FloatArray
    private: FloatArray
    shown: FloatArray


class PublicPrivate(NamedTuple):
    """The winner of the public leaderboard, for each random split of the test examples.

    Attributes
    ----------
    winner : ndarray of int, shape (r,)
        The submission that leads at the end.
    public, private : ndarray, shape (r,)
        The winner's error as released, and on the private examples.
    place : ndarray of int, shape (r,)
        The winner's place on the private examples: 1 if no submission has a smaller error there.
    optimism : float
        Mean of ``private - public``.
    """

    winner: IntArray
    public: FloatArray
    private: FloatArray
    place: IntArray
    optimism: float


@public
def latest_score(losses: ArrayLike) -> Board:
    """Release every submission's mean loss, as a plain leaderboard does; the smallest so far leads.

    Parameters
    ----------
    losses : array_like, shape (k, n)
        Losses in [0, 1] of each submission on each test example, in the order of submission.

    Returns
    -------
    Board
        ``(released, leader)``, each of shape (k,).

    Raises
    ------
    ValueError, TypeError
        If `losses` is not a matrix of losses.

    Examples
    --------
    >>> latest_score([[1, 0, 1], [0, 0, 1], [1, 1, 1]]).leader
    array([0, 1, 1])
    """
    scores = checks.losses(losses, ndim=2).mean(axis=1)
    better = np.append(True, scores[1:] < np.minimum.accumulate(scores)[:-1])
    return Board(scores, np.maximum.accumulate(np.where(better, np.arange(len(scores)), 0)))


BOARDS: dict[str, Leaderboard] = {"plain board": latest_score, "Ladder": ladder}


@public
def climb(
    n: int,
    submissions: ArrayLike,
    *,
    board: Leaderboard = latest_score,
    repeats: int = 1,
    rng: Seed = 0,
    vote: Callable[..., Any] | None = None,
) -> Climb:
    r"""Climb a leaderboard with random submissions and a majority vote.

    Each submission guesses every binary label by a coin. If the board shows an error above 1/2, the
    guesses are flipped. The majority of k such submissions is right on the test set slightly more
    often than not, by about :math:`\sqrt{k/n}/\pi` (see `climb_gap`), although it contains no
    knowledge.

    Parameters
    ----------
    n : int
        Number of test examples, at least 2.
    submissions : array_like of int, shape (c,)
        Increasing numbers of submissions at which the attack is evaluated, at least 1.
    board : callable
        The leaderboard: a function from losses of shape (k, n) to a `Board`. A released score must
        not depend on later submissions.
    repeats : int
        Number of attacks to average, at least 1.
    rng : seed, Generator or None
        Draws the attacks; the same in each call by default.
    vote : callable, optional
        ``vote(losses)``, from losses of shape (k, n) to the loss of the vote on each example,
        such as a reader's own.

    Returns
    -------
    Climb
        ``(submissions, gap, shown, standard_error)``.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range, or `submissions` does not rise.

    References
    ----------
    Blum and Hardt, The Ladder, ICML 2015, the boosting attack; here every submission is used.

    Examples
    --------
    >>> attack = climb(1000, [1, 100, 900], repeats=5, rng=0)
    >>> attack.gap.round(2)
    array([0.01, 0.09, 0.27])
    """
    size = checks.one_count(n, "n", 2)
    steps = _rising(submissions)
    count = checks.one_count(repeats, "repeats")
    generator = checks.generator(rng)
    checks.function(board, "board")
    if vote is not None:
        checks.function(vote, "vote")
    # the score on a plain board doesn't depend on earlier submissions
    plain = board is latest_score
    errors = np.empty((count, 2, len(steps)))  # error of the majority vote, and the score released
    for r in range(count):
        # The true labels don't matter: a coin's loss is a coin flip, whatever the label.
        losses = generator.integers(0, 2, (steps[-1], size), dtype=np.int8)
        released = losses.mean(axis=1) if plain else board(losses.astype(float)).released
        turned = np.where(released[:, None] > 0.5, 1 - losses, losses)
        # add the submissions since the previous step
        wrong = np.add.reduceat(turned, [0, *steps[:-1]], axis=0, dtype=np.int64).cumsum(axis=0)
        for i, k in enumerate(steps):
            majority = (1 + np.sign(2 * wrong[i] - k)) / 2  # a tie is half an error
            if vote is not None:
                majority = np.asarray(vote(losses[:k].astype(float)), dtype=float)
            vote_error = majority.mean()
            if not plain:
                vote_error = board(np.vstack([losses[:k], majority])).released[-1]
            errors[r, :, i] = majority.mean(), vote_error
    return _climbed(steps, errors)


@public
def climb_gap(n: ArrayLike, submissions: ArrayLike) -> FloatOrArray:
    r"""Exact expected gap of `climb` on a plain leaderboard.

    A submission, flipped if necessary, is right on an example with probability :math:`q = 1/2 +
    E|S_n|/(2n)`, :math:`S_n` the sum of n signs. Submissions are independent, so the majority is
    right with a binomial probability. For many examples and submissions

    .. math:: \Phi\!\left(\sqrt{\frac{2k}{\pi n}}\right) - \frac12
              \approx \frac1\pi \sqrt{\frac kn}.

    Parameters
    ----------
    n : int or array_like
        Number of test examples, at least 1.
    submissions : int or array_like
        Number k of submissions, at least 1.

    Returns
    -------
    float or ndarray
        The expected gap between the true error, 1/2, and the test error.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range or the shapes do not broadcast.

    Examples
    --------
    >>> round(climb_gap(1000, 100), 4)
    0.0993
    >>> round(float(np.sqrt(100 / 1000) / np.pi), 4)
    0.1007
    """
    size, k = checks.same_shape(
        n=checks.count(n), submissions=checks.count(submissions, "submissions")
    )
    # E|S_n| = 2 h P(S = h), where S is the number of heads among n coins and h = ceil(n/2)
    half = (size + 1) // 2
    right = 0.5 + half * scipy.stats.binom.pmf(half, size, 0.5) / size
    law = scipy.stats.binom(k, right)
    # P(at least half) and P(more than half): their mean counts a tie as half
    return checks.plain((law.sf((k - 1) // 2) + law.sf(k // 2)) / 2 - 0.5)


@public
def climb_by_flips(
    n: int,
    submissions: ArrayLike,
    *,
    block: int = 2,
    step: float | None = None,
    noise: float = 0.0,
    repeats: int = 1,
    rng: Seed = 0,
) -> Climb:
    r"""Climb the Ladder by flipping a few predictions and watching whether the score changes.

    The first submission guesses every binary label by a coin. Each further one flips the best
    submission's predictions on the next `block` examples, in a random order that is drawn anew when
    all examples have been flipped. If the board releases a new score the flip is kept; otherwise it
    is undone. No other information is used.

    The parameter-free Ladder always counts two corrected examples as an improvement, because
    :math:`(2 - 0)^2 > 2 + 0`. One pair in four is wrong on both examples, and each submission tries
    one pair: until all have been tried, k submissions gain :math:`(k - 1)/(2n)` on average, as much
    as on a board that shows every score. A fixed step requires larger blocks.

    Parameters
    ----------
    n : int
        Number of test examples, at least 2.
    submissions : array_like of int, shape (c,)
        Numbers of submissions after which to look, rising, at least 1.
    block : int
        How many predictions a submission turns round, in 1..n.
    step, noise : float, optional
        Of the Ladder, see `errlab.holdout.ladder`.
    repeats : int
        Number of attacks to average, at least 1.
    rng : seed, Generator or None
        Random generator or seed; the same in each call by default.

    Returns
    -------
    Climb
        ``(submissions, gap, shown, standard_error)``.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range, or `submissions` does not rise.

    Examples
    --------
    >>> climb_by_flips(300, [1, 75, 150, 300], repeats=30, rng=0).gap.round(2)
    array([0.01, 0.12, 0.25, 0.31])
    """
    size = checks.one_count(n, "n", 2)
    steps = _rising(submissions)
    block_size = checks.one_count(block, "block")
    checks.require(block_size <= size, "block", f"be at most n = {size}", block_size)
    count = checks.one_count(repeats, "repeats")
    generator = checks.generator(rng)
    turns = size // block_size
    errors = np.empty((count, 2, steps[-1]))  # error of the best so far, and the score released
    for r in range(count):
        board = RunningLadder(step, noise, generator)
        best = generator.integers(0, 2, size).astype(float)  # losses of the best
        board.submit(best)
        errors[r, :, 0] = best.mean(), board.shown
        for t in range(1, steps[-1]):
            turn = (t - 1) % turns
            if turn == 0:  # flip every example once before any is flipped again
                order = generator.permutation(size)[: turns * block_size].reshape(turns, block_size)
            tried = best.copy()
            tried[order[turn]] = 1 - tried[order[turn]]
            if board.submit(tried):
                best = tried
            errors[r, :, t] = best.mean(), board.shown
    return _climbed(steps, errors[:, :, steps - 1])


def _rising(submissions: ArrayLike) -> IntArray:
    steps = checks.count(submissions, "submissions", ndim=1)
    checks.require((np.diff(steps) > 0).all(), "submissions", "rise", steps.tolist())
    return steps


def _climbed(steps: IntArray, errors: FloatArray) -> Climb:
    gap, released_gap = 0.5 - np.swapaxes(errors, 0, 1)
    # 0 for a single run, because nothing is known about its variation
    spread = gap.std(axis=0, ddof=1) if len(gap) > 1 else np.zeros(len(steps))
    return Climb(steps, gap.mean(axis=0), released_gap.mean(axis=0), spread / np.sqrt(len(gap)))


def _public_cases(public_size: float, n: int) -> int:
    """Return the number of public examples; at least one must be left for the private board."""
    size = round(checks.one_delta(public_size, "public_size") * n)
    checks.require(0 < size < n, "public_size", f"part {n} examples in two", public_size)
    return size


@public
def mix(
    y: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    submissions: ArrayLike,
    *,
    board: Leaderboard = latest_score,
    public_size: float = 0.3,
    repeats: int = 1,
    rng: Seed = 0,
) -> Mixture:
    """Mix two models at random, example by example, and follow the mixtures that score well.

    Each submission takes every prediction from one of the two models, by a coin. A submission whose
    released score beats the median votes for its coins, a worse one against them; for each example
    the final mixture uses the model with more votes. The models never see a label, so nothing is
    learnt: the private error stays between theirs.

    Parameters
    ----------
    y : array_like, shape (n,)
        True labels of the test examples.
    first, second : array_like, shape (n,)
        Labels that the two models predict.
    submissions : array_like of int, shape (c,)
        Numbers of submissions after which to look, rising, at least 1.
    board : callable
        The public leaderboard: losses of shape (k, m) to a `Board`. What it has released so far
        may not depend on later submissions.
    public_size : float
        Share of the examples that the public leaderboard uses, in (0, 1).
    repeats : int
        Number of random splits and attacks to average, at least 1.
    rng : seed, Generator or None
        Random generator or seed; the same in each call by default.

    Returns
    -------
    Mixture
        ``(submissions, public, private, shown)``.

    Raises
    ------
    ValueError, TypeError
        If the lengths or kinds of label differ, `submissions` does not rise, one part of the split
        would be empty, or another argument leaves its range.

    References
    ----------
    Blum and Hardt, The Ladder, ICML 2015: the boosting attack, here between two real models.

    Examples
    --------
    >>> labels = np.random.default_rng(0).integers(0, 2, (3, 1000))
    >>> climbed = mix(*labels, [800], rng=0)
    >>> climbed.public.round(2), climbed.private.round(2)
    (array([0.23]), array([0.51]))
    """
    truth, *choices = checks.same_labels(y=y, first=first, second=second)
    wrong = np.array([choice != truth for choice in choices])
    n = len(truth)
    steps = _rising(submissions)
    size = _public_cases(public_size, n)
    count = checks.one_count(repeats, "repeats")
    generator = checks.generator(rng)
    checks.function(board, "board")
    # public score, private score and score shown, summed over the repeats
    results = np.zeros((3, len(steps)))
    for _ in range(count):
        one, two = wrong[:, generator.permutation(n)]
        coins = generator.random((steps[-1], n)) < 0.5
        losses = np.where(coins, one, two)[:, :size].astype(float)
        released = board(losses).released
        for i, k in enumerate(steps):
            # A submission votes for its coin flips if it is better than the median, otherwise
            # against them.
            taste = np.sign(np.median(released[:k]) - released[:k])
            final = np.where(taste @ (2.0 * coins[:k] - 1) >= 0, one, two).astype(float)
            board_error = board(np.vstack([losses[:k], final[:size]])).released[-1]
            results[:, i] += final[:size].mean(), final[size:].mean(), board_error
    return Mixture(steps, *(results / count))


@public
def public_private(
    losses: ArrayLike,
    *,
    board: Leaderboard = latest_score,
    public_size: float = 0.3,
    repeats: int = 1,
    rng: Seed = 0,
) -> PublicPrivate:
    """Run a competition: submissions climb the public part, the private part shows the true error.

    Parameters
    ----------
    losses : array_like, shape (k, n)
        Losses in [0, 1] of each submission on each test example, in the order of submission.
    board : callable
        The public leaderboard: losses of shape (k, m) to a `Board`.
    public_size : float
        Share of the examples that the public leaderboard uses, in (0, 1).
    repeats : int
        Number of random splits, at least 1.
    rng : seed, Generator or None
        Random generator or seed; the same in each call by default.

    Returns
    -------
    PublicPrivate
        The winner of each split, its released and its private error, its place on the private
        examples, and the mean optimism.

    Raises
    ------
    ValueError, TypeError
        If `losses` is not a matrix of losses, or one part of the split would be empty.

    Examples
    --------
    >>> guesses = np.random.default_rng(0).integers(0, 2, (200, 500))  # all err half the time
    >>> round(public_private(guesses, repeats=20, rng=1).optimism, 3)
    0.118
    """
    array = checks.losses(losses, ndim=2)
    n = array.shape[1]
    size = _public_cases(public_size, n)
    count = checks.one_count(repeats, "repeats")
    generator = checks.generator(rng)
    checks.function(board, "board")
    runs = []
    for _ in range(count):
        order = generator.permutation(n)
        released, leader = board(array[:, order[:size]])
        last = leader[-1]
        hidden = array[:, order[size:]].mean(axis=1)
        runs.append((last, released[last], hidden[last], 1 + np.sum(hidden < hidden[last])))
    winner, public_error, private, place = map(np.array, zip(*runs, strict=True))
    return PublicPrivate(
        winner, public_error, private, place, float((private - public_error).mean())
    )


@public
def noisy_risk(error: ArrayLike, label_noise: ArrayLike, *, classes: int = 2) -> FloatOrArray:
    r"""Return the error after a fraction of the test labels is replaced by random ones.

    .. math:: R' = (1 - \nu) R + \nu (C - 1)/C

    It increases with R, so the expected ranking of models stays the same; the gaps between them
    shrink by the factor :math:`1 - \nu`.

    Parameters
    ----------
    error : float or array_like
        The true error with clean labels, in [0, 1].
    label_noise : float or array_like
        Share :math:`\nu` of the labels that are replaced, in [0, 1].
    classes : int
        Number C of equally likely random labels, at least 2.

    Returns
    -------
    float or ndarray
        The error with noisy labels.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    Examples
    --------
    >>> noisy_risk([0.1, 0.2], 0.5)
    array([0.3 , 0.35])
    """
    clean, share = checks.same_shape(
        error=checks.mean(error, "error"), label_noise=checks.mean(label_noise, "label_noise")
    )
    c = checks.one_count(classes, "classes", 2)
    return checks.plain((1 - share) * clean + share * (c - 1) / c)


class Reuse(NamedTuple):
    """Accuracy of the classifiers of `reuse_holdout`, for each number of selected variables."""

    kept: IntArray
    train: FloatArray
    holdout: FloatArray
    reported: FloatArray
    fresh: FloatArray


@public
def reuse_holdout(
    n: int,
    variables: int,
    kept: ArrayLike,
    *,
    threshold: float | None = None,
    noise: float = 0.01,
    rng: Seed = 0,
    guard: Callable[..., Any] | None = None,
) -> Reuse:
    r"""Select variables on training and holdout set although none of them is informative.

    Labels are coins, variables independent standard normals. The analyst keeps the variables
    whose correlation with the label has the same sign on both sets and exceeds
    :math:`1/\sqrt n` on both, takes the strongest k on the training set, and classifies by the
    sign of their signed sum. Accuracy on fresh data is 1/2.

    The product of label and variable is standard normal and its mean over the examples is the
    correlation, which is independent of the deviations from that mean. So the correlations are
    drawn first, and examples only for the selected variables.

    Parameters
    ----------
    n : int
        Number of examples in each of the training, holdout and fresh sets, at least 2.
    variables : int
        Number of variables, at least 1.
    kept : array_like of int, shape (c,)
        Numbers k of variables to keep, at least 1.
    threshold : float, optional
        Ask the holdout set through `thresholdout` with this threshold; without it the analyst
        sees the holdout values themselves.
    noise : float
        Noise rate of `thresholdout`, at least 0.
    rng : seed, Generator or None
        Random generator or seed; the same in each call by default.
    guard : callable, optional
        ``guard(train, holdout, rng=rng)`` in place of `thresholdout`, such as a reader's own.

    Returns
    -------
    Reuse
        ``(kept, train, holdout, reported, fresh)``: accuracies on each set for each k;
        `reported` is what the holdout set is said to show.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    References
    ----------
    Dwork et al., NIPS 2015, the experiment without signal.

    Examples
    --------
    >>> plain = reuse_holdout(1000, 1000, [100], rng=0)
    >>> plain.reported.round(2), plain.fresh.round(2)
    (array([0.65]), array([0.51]))
    """
    size = checks.one_count(n, "n", 2)
    d = checks.one_count(variables, "variables")
    numbers = checks.count(kept, "kept", ndim=1)
    generator = checks.generator(rng)
    train, holdout = generator.standard_normal((2, d)) / np.sqrt(size)
    checks.within(noise, "noise", 0, ndim=0)
    if guard is not None:
        checks.function(guard, "guard")

    def answers(train: FloatArray, holdout: FloatArray) -> FloatArray:
        if guard is not None:
            return np.asarray(guard(train, holdout, rng=generator))
        if threshold is None:
            return holdout
        return thresholdout(train, holdout, threshold=threshold, noise=noise, rng=generator).values

    answered = answers(train, holdout)
    weaker = np.minimum(np.abs(train), np.abs(answered))
    strong = np.flatnonzero((train * answered > 0) & (weaker >= size**-0.5))
    best = strong[np.argsort(-np.abs(train[strong]))][: numbers.max()]
    y = generator.choice([-1.0, 1.0], (3, size))  # training, holdout, fresh
    # label times selected variable, data sets x examples x variables. The means on the first two
    # sets are fixed, because they were drawn above; variables not selected are never drawn.
    yx = generator.standard_normal((3, size, len(best)))
    yx[:2] += np.stack([train, holdout])[:, None, best] - yx[:2].mean(axis=1, keepdims=True)
    accuracy = np.empty((3, len(numbers)))
    for i, k in enumerate(numbers):
        score = y * (yx[:, :, :k] @ np.sign(train[best[:k]]))
        accuracy[:, i] = ((score > 0) == (y > 0)).mean(axis=1)
    trained, reused, fresh = accuracy
    return Reuse(numbers, trained, reused, answers(trained, reused), fresh)
