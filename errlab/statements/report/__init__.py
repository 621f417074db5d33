"""`errlab.report`: from predictions to a statement that the data support."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TypedDict, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, Labels, Seed
from errlab._core.public import public
from errlab._numerics.groups import Groups, codes, grouped
from errlab.statements import present
from errlab.statements.report._one import Basis, Report, counted, single
from errlab.statements.report._two import PairReport, pair
from errlab.statements.scale import RATES, Scale, checked

__all__ = ["PairReport", "Report", "report"]

_T_IS_FOR = 'method "t" is for graded scores and for examples in groups: leave it out'


class Options(TypedDict, total=False):
    """Options of reports on labels or scores, for one classifier or two."""

    range: ArrayLike | None
    higher_is_better: bool
    groups: ArrayLike | None
    max_group_size: int | None
    ids: ArrayLike | None
    delta: float
    names: tuple[str, str]
    margin: float | None
    method: str
    rng: Seed


@overload
def report(
    y_true: ArrayLike | None = None,
    y_pred: ArrayLike | None = None,
    *,
    errors: int | None = None,
    n: int | None = None,
    scores: ArrayLike | None = None,
    **options: Unpack[Options],
) -> Report: ...
@overload
def report(
    y_true: ArrayLike, y_pred: ArrayLike, pred_b: ArrayLike, **options: Unpack[Options]
) -> PairReport: ...
@overload
def report(*, scores: ArrayLike, scores_b: ArrayLike, **options: Unpack[Options]) -> PairReport: ...
@public
def report(
    y_true: ArrayLike | None = None,
    y_pred: ArrayLike | None = None,
    pred_b: ArrayLike | None = None,
    *,
    errors: int | None = None,
    n: int | None = None,
    scores: ArrayLike | None = None,
    scores_b: ArrayLike | None = None,
    range: ArrayLike | None = None,
    higher_is_better: bool = True,
    groups: ArrayLike | None = None,
    max_group_size: int | None = None,
    ids: ArrayLike | None = None,
    delta: float = 0.05,
    names: tuple[str, str] = ("A", "B"),
    margin: float | None = None,
    method: str = "proven",
    rng: Seed = 0,
) -> Report | PairReport:
    """Report what a test supports about one classifier, or about two on the same examples.

    Give true and predicted labels, or the score of each example: 0 and 1 for wrong and right, or
    numbers in a range. For one classifier on independent examples the number of errors is enough.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        True and predicted labels of the test examples, of any type. They are compared as labels.
    pred_b : array_like, shape (n,), optional
        The predictions of a second classifier for the same examples; `y_pred` are those of the
        first.
    errors, n : int, optional
        In place of labels: the number of errors, and of independent examples.
    scores : array_like, shape (n,), optional
        In place of labels: the score of each example. The report is about the mean score. If all
        scores are 0 or 1 and no `range` is given, the mean is a success rate with an exact
        interval, and two classifiers are compared by the exact McNemar test (the unconditional test
        is more powerful, but its limits are not nested: a larger delta can give a wider interval).
        For other scores the report uses the tightest bound that is proven for every number of
        examples: betting, with the examples read in a random order.
    scores_b : array_like, shape (n,), optional
        The scores of a second classifier on the same examples.
    range : tuple of float, optional
        The smallest and the largest possible score (not the observed ones), such as ``(1, 5)``; by
        default ``(0, 1)``.
    higher_is_better : bool
        Whether 1, or the largest score, is good; False if scores are losses.
    groups : array_like, shape (n,), optional
        The group of each example, if there are several of one patient, several answers to one
        prompt, and so on. The groups are then the independent units, and the claim about the mean
        over examples is proven, by betting, for every number of groups (`metrics.grouped_betting`).
        If groups differ in size, the mean over groups is reported, too.
    max_group_size : int, optional
        The largest possible size of a group in the population; by default that of the largest group
        here.
    ids : array_like, shape (n,), optional
        The name of each example; a warning says if names repeat and no groups are given.
    delta : float
        Probability that a claim may fail, in (0, 1); each claim is separate.
    names : tuple of str
        Names of the two classifiers in the report.
    margin : float, optional
        By how much the second classifier may be worse: a difference of error rates in (0, 1), such
        as 0.01 for one percentage point, or a difference of graded scores on their own scale. The
        report then says whether the second is better, worse, or not worse by more than the margin,
        or that the test can't tell.
    method : {"proven", "t"}
        For graded scores, and for examples in groups. "proven": betting. "t": Student's t, which
        gives narrower intervals but is proven only for many examples or groups; with groups it is
        cluster-robust, and for a rate with groups the interval is Korn and Graubard's.
    rng : seed, Generator or None
        Draws the order in which betting reads the scores; fixed by default.

    Returns
    -------
    Report or PairReport
        It prints as two lines and shows as HTML in a notebook; ``.details`` has the evidence and
        the conditions, ``.plot()`` draws a picture, and ``.guarantee`` says what is proven. For two
        classifiers it is a `PairReport`, whose difference is always A minus B: of error rates for
        labels, of mean scores for scores.

    Raises
    ------
    ValueError
        If the lengths differ, there is no example, a label is missing, `y_pred` contains scores or
        probabilities, the two columns have no label in common (0 and 1, or -1 and +1, are codes of
        the same classes), a score is missing or outside of the range, there is only one group,
        there are more errors than examples, or more than one of labels, scores and counts is given.
    TypeError
        If strings are compared with numbers, or a score isn't a number.

    References
    ----------
    Anguita et al., survey, Eqs. 23 to 26. Fay and Lumbard, Statistics in Medicine 40 (2021), for
    two classifiers; Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86 (2024),
    for scores; Korn and Graubard, Survey Methodology 24 (1998), and Bell and McCaffrey, the same 28
    (2002), for groups.

    Examples
    --------
    >>> found = report(errors=7, n=200)
    >>> print(found)
    7 errors in 200 test examples: an error rate of 3.5%, two-sided 95% interval 1.4% to 7.1%.
    With 95% confidence the true error is at most 6.5% (exact one-sided Clopper-Pearson bound).
    >>> print(found.details)
    This holds if
      - the examples are independent draws from the population that the claim is about
      - none of them was used to train, tune or choose the classifier
      - the test set was used for this report alone; the bound and the interval are two claims, each
        by itself
    >>> report([0] * 200, [0] * 193 + [1] * 7) == found
    True

    >>> found = report(scores=[4, 5, 3, 4, 5, 4, 2, 5] * 25, range=(1, 5))
    >>> print(found)
    200 scores in [1, 5]: a mean of 4.00, two-sided 95% interval 3.79 to 4.18.
    With 95% confidence the true mean is at least 3.81 (betting bound, the examples read in a random
    order; finite sample).
    >>> found.conditions()[2]
    'the order in which the scores are read was fixed beforehand, not chosen among several'
    """
    # all arguments are checked here and below, so the functions called later don't check again
    level = checks.one_level(delta)
    method = checks.choice(method, "method", ("proven", "t"))
    pair_names = checks.two_names(names)
    seed = checks.one_seed(rng)
    better = checks.flag(higher_is_better, "higher_is_better")
    labels = present(y_true=y_true, y_pred=y_pred, pred_b=pred_b)
    graded = present(scores=scores, scores_b=scores_b)
    if errors is not None or n is not None:
        of_groups = {"groups": groups, "max_group_size": max_group_size, "ids": ids}
        rest = present(**of_groups, range=range, margin=margin)
        _refuse("errors and n", labels | graded | rest)
        if errors is None or n is None:
            lack = "errors" if errors is None else "n"
            raise ValueError(f"report needs both errors and n, but {lack} is missing")
        if method == "t":
            raise ValueError(_T_IS_FOR)
        return counted(*checks.one_result(errors, n), level)
    if scores is None:
        losses, truth = _of_labels(labels, scores_b, range)
        scale = RATES
    else:
        _refuse("scores", labels)
        truth = None
        losses, scale = _of_scores(graded, range, better)
    size = len(losses[0])
    units = _units(groups, max_group_size, ids, size)
    if units is not None:
        truth = None  # for groups, nothing is said about constant predictions
    elif method == "t" and scores is None:
        raise ValueError(_T_IS_FOR)
    elif method == "t" and size == 1:
        raise ValueError('method "t" needs at least 2 scores, got 1')
    basis = Basis(level, scale, units, seed, method)
    if margin is not None:
        if len(losses) == 1:
            second = "pred_b" if scores is None else "scores_b"
            raise ValueError(f"margin is for two classifiers: give {second}, too")
        inside = {"open_low": True, "open_high": True}
        margin = float(checks.within(margin, "margin", 0, scale.span, **inside, ndim=0))
    reports = [single(column, basis, truth) for column in losses]
    # groups of one example are dropped, but the condition on their size stays
    if groups is not None and units is None:
        reports = [replace(one, max_group_size=1) for one in reports]
    a, *others = reports
    if not others:
        return a
    return pair(losses[0] - losses[1], basis, a, others[0], pair_names, margin)


def _refuse(what: str, others: dict[str, ArrayLike]) -> None:
    """Refuse arguments that can't be combined with counts, or with scores."""
    if others:
        raise ValueError(f"give {what} by themselves, not with {' and '.join(others)}")


def _of_labels(
    columns: dict[str, ArrayLike], scores_b: ArrayLike | None, within: ArrayLike | None
) -> tuple[list[FloatArray], Labels]:
    """Return losses of 0 and 1 for each column of predictions, and the true labels."""
    if not columns.keys() >= {"y_true", "y_pred"}:
        raise ValueError("report needs y_true and y_pred, or scores, or errors and n")
    if scores_b is not None or within is not None:
        raise ValueError("scores_b and range are for scores: give scores, too")
    y_true = columns.pop("y_true")
    # a single whole number is usually a count of errors, not a label
    rule = "hold the label of each example (counts go as report(errors=7, n=200))"
    checks.require(not isinstance(y_true, int | np.integer), "y_true", rule, y_true)
    truth = checks.labels(y_true, "y_true")
    losses = [checks.zero_one_losses(truth, p, name) for name, p in columns.items()]
    return [column.astype(float) for column in losses], truth


def _of_scores(
    columns: dict[str, ArrayLike], within: ArrayLike | None, higher_is_better: bool
) -> tuple[list[FloatArray], Scale]:
    """Return losses in [0, 1] for each column of scores, and the scale of the scores."""
    values, scales = {}, []
    for name, column in columns.items():
        values[name], scale = checked(column, name, within, higher_is_better)
        scales.append(scale)
    checks.same_length(**values)
    # if one column is graded, all are
    scale = min(scales, key=lambda scale: scale.rate)
    return [scale.losses(column) for column in values.values()], scale


def _units(
    groups: ArrayLike | None, max_group_size: int | None, ids: ArrayLike | None, n: int
) -> Groups | None:
    """Return the groups if one has several examples; warn of identifiers that repeat."""
    if ids is not None:
        code = codes(ids, "ids")
        checks.require(len(code) == n, "ids", f"have one entry for each of {n} examples", len(code))
        different = code.max() + 1
        if groups is None and different < n:
            warnings.warn(
                f"ids must differ where the examples are independent, but {n} examples have "
                f"{different} "
                "of them: if they name what the examples belong to, give them as groups=",
                UserWarning,
                stacklevel=4,
            )
    if groups is None:
        alone = max_group_size is None
        checks.require(alone, "max_group_size", "come with groups", max_group_size)
        return None
    units = grouped(groups, n, least=min(2, n), max_group_size=max_group_size)
    # groups of one example count as no groups, unless larger ones are possible
    return None if units.max_size == 1 else units
