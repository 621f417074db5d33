"""A table of recall, precision and F1 for each class, and their macro averages."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks, rounding, tables
from errlab._core.conditions import CASES
from errlab._core.evidence import Method, evidence
from errlab._core.public import public
from errlab._core.statement import Statement
from errlab.bounds import interval
from errlab.metrics._confusion import Confusion
from errlab.metrics._rates import mean_rate
from errlab.statements.count_table import labels_of

SQUARE_AND_ADD = Method(
    "square-and-add of Clopper-Pearson intervals",
    key="square-and-add of Clopper-Pearson intervals",
)
MaybeRate = float | None  # None if no example is in the denominator
Estimate = tuple[MaybeRate, MaybeRate, MaybeRate]
RARER, RAREST = "examples of the rarer class", "examples of the rarest class"


class ClassRow(NamedTuple):
    """One class, or the macro average: its rates with their counts and intervals.

    Recall is `hits` divided by `support`, precision `hits` divided by `called`; F1 depends on the
    `either` examples that belong to the class or were predicted to. Undefined rates are None.
    """

    label: object
    hits: int
    support: int
    recall: MaybeRate
    recall_low: MaybeRate
    recall_high: MaybeRate
    called: int
    precision: MaybeRate
    precision_low: MaybeRate
    precision_high: MaybeRate
    either: int
    f1: MaybeRate
    f1_low: MaybeRate
    f1_high: MaybeRate


@dataclass(frozen=True, repr=False)
class PerClass(Statement):
    """The rates of each class, printed as a table.

    Attributes
    ----------
    classes : tuple of ClassRow
        The classes, in the order of their labels.
    macro : ClassRow
        The means over the classes for which a rate is defined; F1 has no interval.
    n : int
        Test examples.
    delta : float
        Probability that an interval may fail; each interval is a separate claim.
    guarantee : str
        What is proven about the intervals of the classes.
    """

    classes: tuple[ClassRow, ...]
    macro: ClassRow
    n: int
    delta: float
    guarantee: str = "exact"

    def _rows(self) -> dict[str, tuple[ClassRow, ...]]:
        """Return the rows of the classes."""
        return {"classes": self.classes}

    def sentences(self) -> list[str]:
        """Return the sentences around the table; `to_markdown` returns the table itself."""
        sure = rounding.format_confidence(self.delta)
        sentences = [
            f"{len(self.classes)} classes in {rounding.count(self.n, 'test example')}; each "
            f"interval of a class holds by itself with {sure} confidence (Clopper-Pearson; "
            f"{self.guarantee})."
        ]
        for count, lack in (
            ("support", "Without an example, and so without recall"),
            ("called", "Never called, and so without precision"),
        ):
            labels = [str(row.label) for row in self.classes if not getattr(row, count)]
            if labels:
                sentences.append(f"{lack}: {', '.join(labels)}.")
        supports = [row.support for row in self.classes if row.support]
        proven = evidence(
            "asymptotic", SQUARE_AND_ADD, min(supports), RARER if len(supports) == 2 else RAREST,
            delta=self.delta, door="metric", metric="balanced_accuracy",
        )  # fmt: skip
        sentences.append(
            "The macro averages are means over the classes that have the rate; the interval of "
            f"recall is {SQUARE_AND_ADD} ({proven.words}), that of precision the same, given how "
            "often each class was called (asymptotic). For macro F1 ask errlab.metric with "
            'metric="f1_macro".'
        )
        return sentences

    def conditions(self) -> list[str]:
        """Return the conditions under which the intervals hold."""
        return [
            *CASES,
            "no class was picked for its rate: each interval is one claim, by itself",
        ]

    def _printed(self) -> str:
        """Return the table with the sentences around it."""
        first, rest = super()._printed().split("\n", 1)
        return "\n".join([first, tables.text(self._cells("")), rest])

    def _repr_html_(self) -> str:
        # the table comes after the first sentence, which is bold
        table = "</strong></p>" + tables.html_table(self._cells(""))
        return super()._repr_html_().replace("</strong></p>", table, 1)

    def _numbers(self) -> dict[str, object]:
        return super()._numbers() | {"macro": self.macro._asdict()}

    def _columns(self, table: str) -> tables.Columns:
        """Return the columns with all digits, the macro average last."""
        rows = (*self.classes, self.macro)
        return {name: [getattr(row, name) for row in rows] for name in ClassRow._fields}

    def _cells(self, table: str) -> tables.Columns:
        """Return the columns as formatted text, each rate after its number of examples."""
        rows = (*self.classes, self.macro)
        ends = f"({rounding.format_confidence(self.delta)} interval)"
        return {
            "class": [str(row.label) for row in rows],
            "cases": [row.support for row in rows],
            f"recall {ends}": [_cell(*row[3:6]) for row in rows],
            "called": [row.called for row in rows],
            f"precision {ends}": [_cell(*row[7:10]) for row in rows],
            "either": [row.either for row in rows],
            f"F1 {ends}": [_cell(*row[11:14]) for row in rows],
        }


def _cell(value: MaybeRate, low: MaybeRate, high: MaybeRate) -> str:
    """Format a rate in percent with its interval, rounded outward."""
    if value is None:
        return "none"
    if low is None or high is None:
        return rounding.percent(value)
    ends = f"{rounding.percent(low, math.floor)} to {rounding.percent(high, math.ceil)}"
    return f"{rounding.percent(value)} ({ends})"


@public
def per_class(
    y_true: ArrayLike | None = None,
    y_pred: ArrayLike | None = None,
    *,
    table: ArrayLike | Confusion | None = None,
    labels: ArrayLike | None = None,
    delta: float = 0.05,
) -> PerClass:
    """Return recall, precision and F1 of each class with exact intervals, and their macro averages.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        True and predicted labels, of any number of classes.
    table : array_like, shape (k, k), DataFrame or Confusion, optional
        In place of labels: a confusion matrix of counts, with a row for each true class and a
        column for each predicted one, as scikit-learn's ``confusion_matrix``.
    labels : array_like, optional
        The classes in the desired order; they may include classes that don't occur. By default, all
        true and predicted classes.
    delta : float
        Probability that an interval may fail, in (0, 1).

    Returns
    -------
    PerClass
        A table when printed; ``.classes``, ``.macro``, ``.to_dict()``, ``.to_frame()``,
        ``.to_markdown()``, ``.to_latex()``. A class without examples has no recall, and one that
        was never predicted no precision: these are None, and the classes are named below the table.

    Raises
    ------
    ValueError
        If the lengths differ, a label is missing, the two columns have no label in common, or
        `labels` lacks a class that occurs.
    TypeError
        If strings are compared with numbers.

    References
    ----------
    Clopper and Pearson (1934); see `f1_interval` for F1. Newcombe (1998), Zou and Donner (2008)
    for the mean of several rates, by square-and-add.

    Examples
    --------
    >>> found = per_class(["a"] * 30 + ["b"] * 20, ["a"] * 27 + ["b"] * 21 + ["c"] * 2)
    >>> print(found.to_frame()[["label", "recall", "precision"]].to_string(index=False))
            label  recall  precision
                a     0.9   1.000000
                b     0.9   0.857143
                c     NaN   0.000000
    macro average     0.9   0.619048
    """
    level = checks.one_delta(delta)
    if table is not None:
        y_true, y_pred = labels_of(table, given={"y_true": y_true, "y_pred": y_pred})
    if y_true is None or y_pred is None:
        raise TypeError("per_class() needs y_true and y_pred, or a table of counts")
    true, pred = checks.same_labels(y_true=y_true, y_pred=y_pred)
    checks.share_labels(true, pred, "y_pred")
    # a class may be missing in one of the counts
    hits, support, called = (Counter(x.tolist()) for x in (true[true == pred], true, pred))
    occur = np.unique(np.concatenate([true, pred])).tolist()
    names = occur if labels is None else checks.labels(labels, "labels").tolist()
    for label in occur:
        if label not in names:
            raise ValueError(f"labels must hold every class that occurs, but {label!r} is missing")
    checks.require(len(set(names)) == len(names), "labels", "differ", names)
    rows = [_row(name, hits[name], support[name], called[name], level) for name in names]
    # classes without the rate are left out of its mean instead of counting as 0
    recall, recall_ends = mean_rate([(r.hits, r.support) for r in rows if r.support], level)
    precision, precision_ends = mean_rate([(r.hits, r.called) for r in rows if r.called], level)
    f1 = float(np.mean([r.f1 for r in rows if r.f1 is not None]))
    n = len(true)
    macro = ClassRow(
        "macro average", hits.total(), n, recall, *recall_ends, n, precision, *precision_ends,
        n, f1, None, None,
    )  # fmt: skip
    return PerClass(tuple(rows), macro, n, level)


def _row(label: object, hits: int, support: int, called: int, delta: float) -> ClassRow:
    """Return the row of a class, which may have no examples."""
    either = support + called - hits
    # F1 grows with the fraction of hits among these examples; see `f1_interval`
    f1 = [None if j is None else 2 * j / (1 + j) for j in _rate(hits, either, delta)]
    recall, precision = _rate(hits, support, delta), _rate(hits, called, delta)
    return ClassRow(label, hits, support, *recall, called, *precision, either, *f1)


def _rate(hits: int, among: int, delta: float) -> Estimate:
    """Return a rate with its interval, or None for each if it has no examples."""
    if not among:
        return None, None, None
    return hits / among, *interval("CP", errors=hits, n=among, delta=delta)
