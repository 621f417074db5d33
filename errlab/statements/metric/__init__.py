"""Any metric of one or two models with an interval: exact if there is one, or a bootstrap."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR
from functools import partial

from numpy.typing import ArrayLike

from errlab._core import checks, workers
from errlab._core import rounding as words
from errlab._core.checks import Names, Seed
from errlab._core.conditions import CASES, GROUPS_DRAWN
from errlab._core.evidence import PROVEN, Evidence, evidence, method_key
from errlab._core.interval import Guarantee, Interval
from errlab._core.public import public
from errlab._core.statement import Statement
from errlab._numerics.groups import Groups, grouped
from errlab.metrics import RATES
from errlab.metrics._confusion import Confusion
from errlab.statements import present
from errlab.statements.count_table import labels_of
from errlab.statements.mean_claims import (
    BETS,
    BETS_GROUPS,
    BETTING,
    BETTING_GROUPS,
    MCNEMAR,
    ORDER,
    largest_condition,
    one_case_condition,
)
from errlab.statements.metric import _areas, _bootstrap, _mean_loss, _rates
from errlab.statements.metric._asked import AREA, BALANCED, F1, TOP_K, Asked, Function, asked
from errlab.statements.metric._claim import Columns, MetricClaim
from errlab.statements.report.words import OF_MCNEMAR
from errlab.statements.scale import ends_of

# Populations with a few huge losses, which a sample may miss, by their names in the table.
_HEAVY = (
    "one example in n is wrong and sure of it",
    "errors have heavy tails (Student's t with 3 degrees of freedom)",
    "errors are log-normal",
    "one error in n is sixty times as large as the others",
    "squared errors have no variance (Student's t with 2.2 degrees of freedom)",
)
_OVER_CLASSES = {F1: "f1_macro", "PPV": "precision_macro", "TPR": "recall_macro"}


@dataclass(frozen=True, repr=False)
class Metric(Statement):
    """A metric with its interval, or the difference of two models in it, printed as two lines.

    Attributes
    ----------
    metric : str
        Name of the metric.
    estimate : float
        Its value; for two models the value of A minus that of B.
    low, high : float
        Interval for the estimate.
    pvalue : float or None
        For two models: two-sided p-value of the same test. The interval excludes 0 if, and only if,
        it is at most `delta`.
    value_a : float
        The metric of the first model.
    value_b : float or None
        The metric of the second model, if there is one.
    delta : float
        Probability that the interval may fail; level of the test.
    n : int
        Examples.
    among : int
        Number of examples behind the interval: those in the denominator of a rate, or those of the
        rarer class.
    basis : str
        The same in words.
    groups : int or None
        Number of groups, if groups were given.
    effective_groups : float or None
        Number of groups of the same size with the same precision: for a rate, of the groups with an
        example in its denominator; for an area, of the groups with an example of the rarer class.
    largest : float or None
        For a mean loss: the largest loss as a fraction of the sum of losses.
    method : str
        The method of the interval and the p-value.
    guarantee : str
        What is proven about the interval, or for two models about the level of the test.
    interval_guarantee : str
        What is proven about the interval.
    evidence : Evidence
        What is proven about the interval (for two models, about the test), or else the lowest
        coverage in simulations.
    names : tuple of str
        Names of the two models.
    max_group_size : int or None
        Largest possible size of a group, on which the proof depends.
    """

    metric: str
    estimate: float
    low: float
    high: float
    pvalue: float | None
    value_a: float
    value_b: float | None
    delta: float
    n: int
    among: int
    basis: str
    groups: int | None
    effective_groups: float | None
    largest: float | None
    method: str
    guarantee: Guarantee
    interval_guarantee: Guarantee
    evidence: Evidence
    names: Names = ("A", "B")
    max_group_size: int | None = None

    def warnings(self) -> list[str]:
        """Return the caution, if the coverage was below the confidence in simulations."""
        return [self.evidence.weakness] if self.evidence.weakness else []

    def sentences(self) -> list[str]:
        """Return the value with its interval, its basis, and the evidence."""
        places = words.places(self.low, self.high)
        # round outward, so that the printed interval contains the computed one
        low = words.fixed(self.low, places, ROUND_FLOOR)
        high = words.fixed(self.high, places, ROUND_CEILING)
        ends = f"{words.format_confidence(self.delta)} interval {low} to {high}"
        value = words.fixed(self.estimate, places)
        proven = self.evidence
        if self.pvalue is None or self.value_b is None:
            lines = [
                f"{self.metric}: {value} on {self.basis}, {ends}.",
                f"Method: {self.method} ({proven.short}).",
            ]
        else:
            a, b = self.names
            of_a, of_b = (words.fixed(value, places) for value in (self.value_a, self.value_b))
            differ = "differ" if self.pvalue <= self.delta else "are not shown to differ"
            pvalue = words.format_pvalue(self.pvalue, self.delta)
            lines = [
                f"{self.metric} on {self.basis}: {a} minus {b} is {value}, {ends}.",
                f"{a} {of_a}, {b} {of_b}: they {differ} at level {self.delta:g} ({self.method}, "
                f"{pvalue}; {proven.short}).",
            ]
        # the evidence comes after the two printed lines
        lines += proven.beyond(proven.short)
        if method_key(self.method) == MCNEMAR.key:
            lines.append(OF_MCNEMAR)
        if self.largest is not None and self.interval_guarantee not in PROVEN:
            share = words.percent(self.largest)
            lines.append(f"The largest loss of an example holds {share} of the mean.")
        lines += proven.elsewhere
        return [*self.warnings(), *lines]

    def conditions(self) -> list[str]:
        """Return the conditions under which the claim holds."""
        independent, untouched = CASES
        conditions = [GROUPS_DRAWN if self.groups else independent, untouched]
        key = method_key(self.method)
        if key in (BETTING_GROUPS.key, BETS_GROUPS.key):
            max_size, groups = self.max_group_size or 0, self.groups or 1
            conditions.insert(1, largest_condition(max_size, max_size, groups, self.delta))
        elif self.groups is None and self.max_group_size == 1:
            conditions.insert(1, one_case_condition(self.n, self.delta))
        if key in (BETTING.key, BETS.key):
            conditions.append(ORDER)
        if self.largest is not None and self.interval_guarantee in PROVEN:
            conditions.append("no loss of that population leaves its range")
        return conditions


@public
def metric(
    y_true: ArrayLike | None = None,
    score_a: ArrayLike | None = None,
    score_b: ArrayLike | None = None,
    *,
    metric: str | Function,
    table: ArrayLike | Confusion | None = None,
    groups: ArrayLike | None = None,
    positive: object = None,
    range: ArrayLike | None = None,
    resamples: int = 2000,
    delta: float = 0.05,
    names: Names = ("A", "B"),
    n_jobs: int | None = None,
    rng: Seed = 0,
) -> Metric:
    r"""Estimate a metric of one model, or its difference between two models, with an interval.

    If there is a formula, it is used:

    - a rate (accuracy, precision, recall, and all others of ``errlab.metrics.RATES``):
      Clopper-Pearson, exact; with groups a betting interval, proven for groups up to a largest
      size;
    - two accuracies, error rates, or rates of the examples of one true class: the exact McNemar
      test and the interval of Fay and Lumbard; with groups betting on the differences;
    - ``"roc_auc"``: the score interval of ``errlab.metrics.area_interval``, or what Clopper-Pearson
      leaves open where none of the rarer class is misranked, if that reaches further; of two,
      square-and-add
      of both, :math:`\hat A - \hat B - \sqrt{x^2 + y^2 - 2 \rho x y}` with the distance x from the
      first area to its lower end, y from the second to its upper one, and their correlation
      :math:`\rho` by DeLong, with groups by Obuchowski. It takes quantiles of Student's t: r
      examples of the rarer class give r - 1 degrees of freedom, unequal groups fewer. The p-value
      is the level at which an end is 0. DeLong's own test covers 86 to 90% where areas are near 1.
      All are asymptotic;
    - ``"f1"`` of one model: exact, from the counts;
    - ``"balanced_accuracy"`` of one model: square-and-add of the exact intervals of the classes;
      of two, of the intervals of Fay and Lumbard for the examples of each class. A bootstrap covers
      only 84% if a class is rare;
    - ``"brier"``, and with `range` the mean losses ``"mae"``, ``"mse"``, ``"rmse"`` and
      ``"log_loss"``: betting intervals, which are proven for losses in a known range. Without a
      range nothing can be proven, because rare large losses may be missing in the sample.

    Any other metric is bootstrapped, which is approximate. Examples, or whole groups, are resampled
    for both models at once. Resamples that lack one of two classes, or on which the metric is
    undefined, are drawn again. One model gets bias-corrected and accelerated ends (BCa). The
    difference of two models gets those of the percentile method, because correcting a difference
    without a bias lowers the coverage: to 85 to 89% instead of 95%, for average precision. Both are
    widened for few examples: with r examples of the rarer class, the normal quantile is replaced by
    that of Student's t with r - 1 degrees of freedom times :math:`\sqrt{r / (r - 1)}` (Hesterberg
    2015).

    If the guarantee is asymptotic, the result prints the lowest coverage in simulations of this
    metric and size, and the population that had it. For your own functions nothing was measured.

    An uninformative bootstrap is refused. So is a biased metric, which is larger, or smaller, on
    half of the examples than on all of them, for most ways to halve them: calibration errors and
    maxima over thresholds are larger on a sample than in the population. This is tested on
    simulated labels, too, not only on yours; too small a bias goes unnoticed.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True labels.
    score_a : array_like, shape (n,) or (n, c)
        The predictions that the metric compares with the labels: predicted labels, scores or
        probabilities.
    score_b : array_like of the same shape, optional
        The predictions of a second model. The estimate is then the metric of A minus that of B.
    metric : str or callable
        One of the names above; the name of a function of ``sklearn.metrics``, with or without its
        ``_score`` or ``_loss`` (such as ``"average_precision"``), or of one of its scorers (such as
        ``"f1_macro"``); a short name (``mcc``, ``kappa``, ``mae``, ``brier``, ``pr_auc``); a
        scorer; or any function ``metric(y_true, score)`` that returns a number.
    table : array_like, shape (k, k), DataFrame or Confusion, optional
        In place of labels: a confusion matrix of counts, with a row for each true class and a
        column for each predicted one, as scikit-learn's ``confusion_matrix``.
    groups : array_like, shape (n,), optional
        The group of each example, such as its patient.
    positive : label, optional
        The positive label, unless the labels are 0 and 1, or -1 and +1.
    range : tuple of float, optional
        The smallest and the largest loss of an example, such as ``(0, 30)`` for ``"mae"``;
        for ``"rmse"`` the absolute error.
    resamples : int
        Number of bootstrap samples, at least 100 and at least ``2 / delta``; not used if there is a
        formula. No p-value is below ``2 / resamples``.
    delta : float
        Probability that the interval may fail, in (0, 1), and level of the test.
    names : tuple of str
        Names of the two models in the printed result.
    n_jobs : int, optional
        Number of workers for the bootstrap, as in joblib; -1 for all processors.
    rng : seed, Generator or None
        Draws the bootstrap samples; the same in each call by default.

    Returns
    -------
    Metric
        It has ``.estimate``, ``.low``, ``.high``, ``.guarantee``, and for two models ``.pvalue``.

    Raises
    ------
    ValueError
        If the lengths differ, a label is missing, the metric is unknown or undefined for the
        examples, or there is no interval: two models rank all examples alike, a class has one
        example, the metric is biased, or the bootstrap fails. It fails if more than a quarter of
        the resamples have exactly the value of the data, or if the metric is undefined on 20
        resamples in a row.
    TypeError
        If strings are compared with numbers, or the metric is neither a name nor a function.

    References
    ----------
    Clopper and Pearson (1934); Fay and Lumbard, Statistics in Medicine 40 (2021); DeLong, DeLong
    and Clarke-Pearson, Biometrics 44 (1988); Newcombe, Statistics in Medicine 25 (2006); Zou and
    Donner, the same 27 (2008), 1693-1702;
    Obuchowski, Biometrics 53 (1997); Efron and Tibshirani, An Introduction to the Bootstrap (1993),
    Eqs. 14.9 to 14.15; Hesterberg, The American Statistician 69 (2015), 371-386.

    Examples
    --------
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1] * 10
    >>> a = [0.1, 0.3, 0.6, 0.2, 0.5, 0.7, 0.9, 0.4] * 10
    >>> b = [0.1, 0.6, 0.6, 0.2, 0.5, 0.4, 0.9, 0.4] * 10
    >>> print(metric(y_true, a, metric="roc_auc"))
    area under the ROC curve: 0.875 on 80 examples, 40 of the rarer class, 95% interval 0.771 to
    0.933. Method: score interval (asymptotic; simulated: at least ...).
    >>> found = metric(y_true, a, b, metric="roc_auc")
    >>> round(found.estimate, 4), round(found.low, 4), found.pvalue < 0.05
    (0.25, 0.1431, True)
    >>> print(metric(table=[[50, 3, 2], [4, 40, 6], [1, 5, 39]], metric="f1_macro"))
    f1 macro: 0.858 on 150 examples, 95% interval 0.792 to 0.908.
    Method: BCa bootstrap of 2000 samples of examples (asymptotic; simulated: at least ...).
    >>> y_pred = [score > 0.45 for score in a]
    >>> metric(y_true, [int(p) for p in y_pred], metric="recall").guarantee
    'exact'
    """
    meant = asked(metric)
    if table is not None:
        others = {"y_true": y_true, "score_a": score_a, "score_b": score_b, "groups": groups}
        sided = positive is None and (meant.key == F1 or meant.key in RATES.keys() - {"ACC", "ERR"})
        y_true, score_a = labels_of(table, given=others, sided=sided)
    if y_true is None or score_a is None:
        raise TypeError("metric() needs y_true and score_a, or a table of counts")
    level = checks.one_level(delta)
    each = partial(workers.each, n_jobs=n_jobs)
    workers.check(n_jobs)
    pair = checks.two_names(names)
    size = checks.one_count(resamples, "resamples", 100)
    generator = checks.generator(rng)
    truth = checks.labels(y_true, "y_true")
    span = Interval(0.0, 1.0) if meant.name == "brier_score_loss" else None
    if range is not None:
        span = ends_of(range)
    units = None if groups is None else grouped(groups, len(truth))
    # groups of size one are the same as no groups
    if units is not None and units.number == len(truth):
        units = None
    columns = Columns(truth, {"score_a": score_a} | present(score_b=score_b), positive, units)
    classes = int(_bootstrap.coded(truth).max()) + 1
    if positive is None and classes > 2 and meant.key in _OVER_CLASSES:
        raise ValueError(
            f"positive must name the positive label for {meant.label}, got none and {classes} "
            f"classes; for the mean over them take metric={_OVER_CLASSES[meant.key]!r}"
        )
    claim = _by_formula(meant, columns, level)
    if positive is not None and meant.key in ("", BALANCED, TOP_K):
        columns = _bootstrap.one_class(meant, columns, positive)
    if claim is None and span is not None:
        # bets read the losses in the same order as in a report
        seed = checks.one_seed(0 if rng is None else rng)
        claim = _mean_loss.mean_loss(meant, columns, span, level, seed)
    if range is not None and (claim is None or claim.largest is None):
        raise ValueError(
            f"range is for mean losses (mae, mse, rmse, log_loss), not for {meant.label}; for "
            "losses of your own take errlab.report(scores=..., range=...)"
        )
    if claim is None:
        if meant.key not in ("", BALANCED, TOP_K):
            # F1 and rates among predicted classes have different denominators for the two models
            function = partial(_bootstrap.of_table, meant.key, positive)
            meant = meant._replace(function=function, source=_bootstrap.of_table, name="")
        claim = _bootstrap.bootstrap(meant, columns, size, level, generator, each)
    result = _result(meant, claim, len(truth), units, level, pair)
    if groups is not None and units is None:
        return replace(result, max_group_size=1)
    return result


def _by_formula(meant: Asked, columns: Columns, delta: float) -> MetricClaim | None:
    """Return the claim by the metric's own formula, or None if it has none."""
    key, single = meant.key, len(columns.scores) == 1
    if key == AREA:
        return _areas.areas(columns, delta)
    if key == TOP_K and all(checks.raw(c, name).ndim == 2 for name, c in columns.scores.items()):
        return _rates.top_k(meant, columns, delta)
    if key in _rates.OF_TRUTH or (key in RATES and single):
        return _rates.rates(key, columns, delta)
    if key == F1 and single and columns.units is None:
        return _rates.f1(columns, delta)
    if key == BALANCED and columns.units is None:
        return _rates.balanced_accuracy(columns, delta)
    return None


def _result(
    meant: Asked, measured: MetricClaim, n: int, units: Groups | None, delta: float, names: Names
) -> Metric:
    """Return the claim about a metric with its evidence."""
    claim = measured.claim
    value_a, *others = measured.values
    paired = bool(others)
    return Metric(
        metric=meant.label,
        estimate=value_a - sum(others),
        low=claim.low,
        high=claim.high,
        pvalue=claim.pvalue if paired else None,
        value_a=value_a,
        value_b=others[0] if paired else None,
        delta=delta,
        n=n,
        among=measured.among,
        basis=_basis(measured, n, units),
        groups=units and units.number,
        effective_groups=units and measured.size,
        largest=measured.largest,
        method=claim.method,
        guarantee=claim.guarantee,
        interval_guarantee=claim.interval_guarantee,
        # for two models, the guarantee of the test, on which the verdict is based
        evidence=evidence(
            claim.guarantee if paired else claim.interval_guarantee,
            claim.method,
            measured.size,
            measured.unit,
            delta=delta,
            door="metric",
            metric=_measured_as(meant),
            seen={"share of the largest loss": measured.largest},
            signs=dict.fromkeys(_HEAVY, measured.heavy),
        ),
        names=names,
        max_group_size=None if units is None else int(units.max_size),
    )


def _basis(measured: MetricClaim, n: int, units: Groups | None) -> str:
    """Return the numbers of examples and groups behind a metric, in words."""
    among, some = measured.among, measured.among < n
    basis = f"{among} of {n} examples" if some and not measured.rarer else f"{n} examples"
    if units is not None:
        basis += f" in {units.number} groups"
    if measured.rarer:
        basis += f", {among} of the rarer class"
    if units is not None and measured.rarer and measured.unit == "effective groups":
        basis += f" (all groups weigh as much as {measured.size:.1f} of one size)"
    elif units is not None and some:
        basis += f" (those {among} weigh as much as {measured.size:.1f} groups of one size)"
    return basis


def _measured_as(meant: Asked) -> str:
    """Return the name under which a metric's measured coverage is stored.

    Rates of the same kind of examples are one: the specificity is the recall of the other class.
    """
    if meant.key == AREA:
        return "roc_auc"
    if meant.key in RATES:
        kinds = {"positives": "recall", "negatives": "recall", "n": "accuracy"}
        return kinds.get(RATES[meant.key].among, "precision")
    return meant.key or meant.name or f"function {meant.label}"
