"""The confusion matrix and its rates (lecture notes, Tables 5.2 to 5.4)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab._core import checks, rounding
from errlab._core.public import public
from errlab._core.registry import Registry
from errlab._core.spoken import Spoken

BoolArray = NDArray[np.bool_]


class RateDefinition(NamedTuple):
    """A rate of Table 5.3 or 5.4: the fraction of the examples in `among` that are in `hits`.

    Attributes
    ----------
    key : str
        Short name, as in ``RATES["TPR"]``.
    names : list of str
        Other names of the rate.
    meaning : str
        The probability that the rate estimates.
    hits, among : str
        Attributes of `Confusion`: the numerator and the denominator.
    """

    key: str
    names: list[str]
    meaning: str
    hits: str
    among: str


_ROWS = tomllib.loads(files(__package__).joinpath("rates.toml").read_text("utf-8"))
RATES: Registry[RateDefinition] = Registry("rate")
RATES.update({key: RateDefinition(key, **row) for key, row in _ROWS.items()})


class _Rate(NamedTuple):
    key: str
    hits: int
    among: int
    value: float


@dataclass(frozen=True)
class Confusion(Spoken):
    """The four counts of a binary confusion matrix (Table 5.2).

    The lecture's first, unnumbered binary matrix has false positives where Definition 1.3 (row =
    true class) has false negatives, and true positives twice. Table 5.2 is right, and used here.

    Parameters
    ----------
    tp, fp, fn, tn : int
        True positives, false positives, false negatives and true negatives, together at least 1.

    Raises
    ------
    ValueError, TypeError
        If a count is not a whole number of at least 0, or there is no example at all.

    Examples
    --------
    >>> table = Confusion(tp=8, fp=2, fn=4, tn=86)
    >>> table.rate("precision").value
    0.8
    >>> round(table.f1, 4)
    0.7273
    """

    tp: int
    fp: int
    fn: int
    tn: int

    def claim(self) -> str:
        """Return the result in a sentence."""
        return (
            f"{self.n} examples: of {self.positives} positive ones {self.tp} are called so, of "
            f"{self.negatives} negative ones {self.fp}."
        )

    def __post_init__(self) -> None:
        for name in ("tp", "fp", "fn", "tn"):
            object.__setattr__(self, name, checks.one_count(getattr(self, name), name, 0))
        checks.one_count(self.n, "tp + fp + fn + tn")

    @property
    def n(self) -> int:
        """Number of examples."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def positives(self) -> int:
        """Number of true positives and false negatives, :math:`N_+`."""
        return self.tp + self.fn

    @property
    def negatives(self) -> int:
        """Number of false positives and true negatives, :math:`N_-`."""
        return self.fp + self.tn

    @property
    def called_positive(self) -> int:
        r"""Number of examples predicted positive, :math:`\hat N_+`."""
        return self.tp + self.fp

    @property
    def called_negative(self) -> int:
        r"""Number of examples predicted negative, :math:`\hat N_-`."""
        return self.fn + self.tn

    @property
    def errors(self) -> int:
        """Number of misclassified examples."""
        return self.fp + self.fn

    @property
    def right(self) -> int:
        """Number of correctly classified examples."""
        return self.tp + self.tn

    @property
    def f1(self) -> float:
        """F1, the harmonic mean of precision and recall: ``2 tp / (2 tp + fp + fn)``."""
        total = 2 * self.tp + self.fp + self.fn
        checks.require(total, "f1", "have at least one positive example, true or called", total)
        return 2 * self.tp / total

    def rate(self, name: str) -> Rate:
        """Return one rate by its key or by any of its names (see `RATES`).

        Raises
        ------
        ValueError
            If the name is unknown, or the rate has no examples in its denominator.
        """
        entry = RATES[name]
        hits = getattr(self, entry.hits)
        among = getattr(self, entry.among)
        checks.require(among, entry.key, f"have {entry.among} of at least 1", among)
        return Rate(entry.key, hits, among, hits / among)

    def rates(self) -> tuple[Rate, ...]:
        """Return every rate that is defined for these counts, in the order of the tables."""
        return tuple(self.rate(key) for key, entry in RATES.items() if getattr(self, entry.among))


def positives(positive: object, **labels: ArrayLike) -> tuple[BoolArray, ...]:
    """Return for each named vector of labels which examples are positive.

    Without `positive`, labels must be 0/1, -1/+1 or booleans, and 1 is positive. With it, all other
    labels are negative.
    """
    arrays = checks.same_labels(**labels)
    values = {value for array in arrays for value in array.tolist()}
    if positive is None:
        standard = values <= {0, 1} or values <= {-1, 1}
        rule = "name the positive label where the labels are not 0/1 or -1/+1"
        checks.require(standard, "positive", rule, sorted(values, key=str))
        positive = 1
    else:
        label = arrays[0][0]
        if checks.kind_of(positive) != checks.kind_of(label):
            got = f"{checks.show(label)}, got {checks.show(positive)}"
            raise TypeError(f"positive must be one of the labels, such as {got}")
        checks.require(positive in values, "positive", "be one of the labels", positive)
    # compare one by one, because a label may be an object with several values
    return tuple(
        np.array([value == positive for value in array.tolist()], dtype=bool) for array in arrays
    )


@public
def confusion(y_true: ArrayLike, y_pred: ArrayLike, *, positive: object = None) -> Confusion:
    """Count true and false positives and negatives (Table 5.2).

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        True and predicted labels.
    positive : label, optional
        The positive label; all others are negative. Not needed for labels 0/1 and -1/+1.

    Returns
    -------
    Confusion
        The four counts, with every rate of Tables 5.3 and 5.4.

    Raises
    ------
    ValueError, TypeError
        If the lengths differ, it is not clear which label is positive, or strings are mixed with
        numbers.

    Examples
    --------
    >>> confusion([1, 1, 0, 0, 0], [1, 0, 1, 0, 0])
    Confusion(tp=1, fp=1, fn=1, tn=2)
    """
    true, pred = positives(positive, y_true=y_true, y_pred=y_pred)
    tn, fp, fn, tp = np.bincount(2 * true + pred, minlength=4).tolist()
    return Confusion(tp, fp, fn, tn)


@public
def confusion_at(
    y_true: ArrayLike, scores: ArrayLike, threshold: float, *, positive: object = None
) -> Confusion:
    r"""Count for the rule :math:`\mathbf 1\{f(x) > \tau\}`: positive above the threshold.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True labels.
    scores : array_like, shape (n,)
        Larger means more likely positive; any scale.
    threshold : float
        The threshold :math:`\tau`.
    positive : label, optional
        The positive label, as in `confusion`.

    Returns
    -------
    Confusion
        The four counts.

    Raises
    ------
    ValueError, TypeError
        If the lengths differ, or a score or the threshold is not a finite number.

    Examples
    --------
    >>> confusion_at([1, 1, 0], [0.9, 0.2, 0.5], 0.4)
    Confusion(tp=1, fp=1, fn=1, tn=0)
    """
    (true,) = positives(positive, y_true=y_true)
    values = checks.numbers(scores, "scores", ndim=1)
    checks.same_length(y_true=true, scores=values)
    return confusion(true, values > checks.numbers(threshold, "threshold", ndim=0), positive=None)


class Rate(_Rate, Spoken):
    """A rate with its two counts, from which an interval can be computed."""

    def claim(self) -> str:
        """Return the result in a sentence."""
        return f"{self.key}: {self.hits} of {self.among}, {rounding.percent(self.value)}."
