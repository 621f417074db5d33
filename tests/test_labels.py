"""Labels mean one thing, from the door to the loss: whatever the classes are called."""

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier

import errlab
from errlab import bootstrap, compare, crossval, generalization, losses, metrics, training_set
from errlab.book import leaderboards
from errlab.bootstrap.point632 import no_information_rate

WORDS = np.array(["cat", "dog", "owl"])
# How classes may be called; a function from codes 0, 1, 2 to a column of labels.
THREE = {
    "words": lambda c: WORDS[c],
    "a list of words": lambda c: WORDS[c].tolist(),
    "digits as words": lambda c: c.astype(str),
    "a list of whole numbers": lambda c: c.tolist(),
    "small whole numbers": lambda c: c.astype(np.uint8),
    "large whole numbers": lambda c: c + 2**53,
    "signs and zero": lambda c: c - 1,
    "signs and zero, as floats": lambda c: c - 1.0,
    "one and minus one": lambda c: np.array([-1, 1, 2])[c],
    "fractions": lambda c: np.array([0.25, 1.0, 2.0])[c],
    "objects that are words": lambda c: WORDS.astype(object)[c],
    "objects that are floats": lambda c: c.astype(float).astype(object),
    "bytes": lambda c: WORDS.astype(bytes)[c],
    "pandas strings": lambda c: pd.Series(WORDS[c], dtype="string"),
    "pandas categories": lambda c: pd.Series(WORDS[c], dtype="category"),
    "pandas whole numbers": lambda c: pd.Series(c, dtype="Int64"),
}
TWO = {
    "0 and 1": lambda c: c,
    "-1 and +1, as floats": lambda c: 2.0 * c - 1,
    "False and True": lambda c: c.astype(bool),
    "objects False and True": lambda c: c.astype(bool).astype(object),
    "pandas booleans": lambda c: pd.Series(c.astype(bool), dtype="boolean"),
    "-1 and +1, as objects": lambda c: (2.0 * c - 1).astype(object),
}

FEW = np.random.default_rng(0).permutation(150)[:36]
IRIS, KINDS = load_iris(return_X_y=True)
X, CODES = IRIS[FEW, :2], KINDS[FEW]
KNN = KNeighborsClassifier(1)
# By these names a type checker does not know what they take: they are called wrongly on purpose.
CROSS: Callable[..., Any] = crossval.cross_val_losses


class Nearest:
    """The nearest neighbour, or the nearest of the class means; it may answer with a column."""

    def __init__(self, means=False, column=False):
        self.means = means
        self.column = column

    def fit(self, X, y):
        self.X, self.y = X, np.asarray(y)
        if self.means:
            self.y = np.unique(y)
            self.X = np.array([X[y == name].mean(axis=0) for name in self.y])

    def predict(self, X):
        distance = ((X[:, None] - self.X) ** 2).sum(axis=2)
        found = self.y[distance.argmin(axis=1)]
        return found[:, None] if self.column else found


ONE, MEANS = Nearest(), Nearest(means=True)
SORTED = np.argsort(CODES)


def pick(y, rows):
    return np.asarray(y)[rows]


def compared(function, model, y):
    result = function(model, MEANS, X, y, rng=0)
    return result.statistic, result.pvalue, result.estimate


# What is trained with a model and labels, ...
OF_MODELS = {
    "cross_val_losses": lambda m, y: crossval.cross_val_losses(m, X, y, rng=0).losses,
    "nested": lambda m, y: crossval.nested({"1": m, "m": MEANS}, X, y, cv=4, inner_cv=9, rng=0)[1:],
    "nested_cv_interval": lambda m, y: crossval.nested_cv_interval(m, X, y, repeats=2, rng=0),
    "loo_bootstrap": lambda m, y: vars(bootstrap.loo_bootstrap(m, X, y, resamples=9, rng=0)),
    "resampled": lambda m, y: compared(compare.resampled, m, y),
    "yang": lambda m, y: training_set.yang(m, X, y, resamples=5, rng=0),
    "kohavi": lambda m, y: training_set.kohavi(m, X, y, resamples=5, rng=0),
}
# ... with labels alone, ...
OF_LABELS = {
    "leave-one-out": lambda y: crossval.cross_val_losses(ONE, X, y, cv=len(X)).losses,
    "sorted folds": lambda y: (
        crossval.cross_val_losses(ONE, X[SORTED], pick(y, SORTED), cv=KFold(9)).losses
    ),
    "a column": lambda y: crossval.cross_val_losses(Nearest(column=True), X, y, rng=0).losses,
    "loo_losses_linear": lambda y: crossval.loo_losses_linear(X, y),
    "ridge": lambda y: vars(bootstrap.loo_bootstrap(RidgeClassifier(), X, y, resamples=9, rng=0)),
    "loo_bootstrap_linear": lambda y: vars(
        bootstrap.loo_bootstrap_linear(X, y, resamples=9, rng=0)
    ),
}


def nameless(report):
    """Every number of a report; it also says what the commonest class is called."""
    said = dataclasses.asdict(report)
    for part in (said, said.get("a", {}), said.get("b", {})):
        part.pop("common", None)
    return said


def first(y):
    return pick(y, [0]).tolist()[0]


# ... and what is given labels and two columns of predictions.
OF_PREDICTIONS = {
    "hard_loss": lambda y, a, b: losses.hard_loss(y, a),
    "report": lambda y, a, b: nameless(errlab.report(y, a)),
    "report of two": lambda y, a, b: nameless(errlab.report(y, a, b)),
    "mcnemar_table": lambda y, a, b: compare.mcnemar_table(y, a, b),
    "confusion_matrix": lambda y, a, b: metrics.confusion_matrix(y, a).counts,
    "confusion": lambda y, a, b: metrics.confusion(y, a, positive=first(y)),
    "f_score": lambda y, a, b: metrics.f_score(y, a, positive=first(y)),
    "area": lambda y, a, b: metrics.area(y, X[:, 0], positive=first(y)),
    "no_information_rate": lambda y, a, b: no_information_rate(y, a),
    "mix": lambda y, a, b: leaderboards.mix(y, a, b, [5], rng=0),
    "fold": lambda y, a, b: crossval.clt_interval(np.arange(36) % 2, y),
}
A = np.where(np.arange(36) % 5 == 0, (CODES + 1) % 3, CODES)
B = np.where(np.arange(36) % 7 == 0, (CODES + 2) % 3, CODES)


def same(mine, other):
    if isinstance(mine, dict):
        return all(same(mine[key], other[key]) for key in mine)
    if isinstance(mine, tuple):
        return len(mine) == len(other) and all(map(same, mine, other))
    return bool(np.all(mine == other))


def answer(function, classes, names):
    columns = [names(np.minimum(column, classes - 1)) for column in (CODES, A, B)]
    if function in OF_MODELS:
        return OF_MODELS[function](ONE, columns[0])
    if function in OF_LABELS:
        return OF_LABELS[function](columns[0])
    return OF_PREDICTIONS[function](*columns)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("function", [*OF_MODELS, *OF_LABELS, *OF_PREDICTIONS])
def test_the_names_of_the_classes_do_not_matter(function, classes):
    """Nothing can take words for scores: what is said of them is said of other names, too."""
    in_words = answer(function, classes, THREE["words"])
    found = {}
    for names, way in (THREE if classes == 3 else TWO).items():
        try:
            if not same(answer(function, classes, way), in_words):
                found[names] = "another answer"
        except Exception as error:
            found[names] = repr(error)
    assert found == {}


# What predict returns is checked in one place, for everybody.


@dataclasses.dataclass
class Says:
    """A model that says the same whatever it is asked."""

    answer: Callable[[int], object]

    def fit(self, X, y):
        return self

    def predict(self, X):
        return self.answer(len(X))


ANSWERS = {
    "None": (lambda n: None, "one value for each"),
    "a scalar": (lambda n: 1, "one value for each"),
    "a word": (lambda n: "yes", "one value for each"),
    "too few": (lambda n: np.zeros(n - 1, dtype=int) if n > 1 else np.zeros(2), "one value for"),
    "a list of None": (lambda n: [None] * n, "finite values or labels, got None"),
    "not a number": (lambda n: np.full(n, np.nan), "finite values or labels, got nan"),
    "objects with nan": (lambda n: np.array([np.nan] * n, dtype=object), "finite values or labels"),
    "words": (lambda n: np.array(["0"] * n), "labels of one kind"),
    "probabilities": (lambda n: np.full(n, 0.3), "labels that y holds, got 0.3"),
    "another label": (lambda n: np.full(n, 7), "labels that y holds, got 7"),
    "a table": (lambda n: np.zeros((n, 3)), "must have 1 dimension"),
    "a ragged list": (lambda n: [[0], [0, 1]] * n, "regular array"),
    "hidden": (lambda n: np.ma.masked_all(n), "no masked value"),
}


def refused(words, call):
    with pytest.raises((ValueError, TypeError), match=words) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("function", OF_MODELS)
def test_what_is_predicted_is_checked(function):
    for says, words in ANSWERS.values():
        said = refused(words, functools.partial(OF_MODELS[function], Says(says), CODES))
        assert "Says.predict" in said
    words = r"LinearRegression\.predict must return labels"
    refused(words, functools.partial(OF_MODELS[function], LinearRegression(), CODES))


# Doors that do not fit say so, in one line that names the right one.

HOLES = np.where(np.arange(X.size).reshape(X.shape) == 0, np.nan, X)
BINARY = [0, 1, 1, 0, 1]
LETTERS = pd.Series(list("aabb"))


def report_of_two(names):
    return errlab.report(BINARY, BINARY, BINARY, names=names)


@pytest.mark.parametrize(
    ("words", "call"),
    [
        # One class in y_true: 805 judge scores were 805 errors, and "yes" was no "pass".
        (r"report\(scores=", lambda: errlab.report(np.ones(5), [0.3, 0.9, 1, 0.5, 0.1])),
        ("must share labels", lambda: errlab.report(["pass"] * 2, ["yes", "no"])),
        # Saturated probabilities share 0.0 and 1.0 with the labels.
        ("must hold labels", lambda: errlab.report(BINARY, [0.0, 1.0, 0.8, 0.0, 1.0])),
        ("must hold labels", lambda: compare.mcnemar_table(BINARY, BINARY, [0.2] * 5)),
        # Kinds of label are not mixed, positive= or not.
        ("one kind", lambda: metrics.confusion(list("0110"), [0, 1, 1, 0], positive=1)),
        ("positive must be", lambda: metrics.confusion([0, 1], [0, 1], positive="1")),
        # Indices are not aligned in silence: 4 errors of 4.
        (r"y_pred\.loc\[y_true\.index\]", lambda: errlab.report(LETTERS, LETTERS[::-1])),
        ("same index", lambda: losses.hard_loss(LETTERS, LETTERS[::-1])),
        (
            "X and y must have the same index",
            lambda: CROSS(KNN, pd.DataFrame(X), pd.Series(CODES, index=range(1, 37))),
        ),
        # What was obscure.
        (
            "X must give 3 columns, as in fit, basis included, got 2",
            lambda: training_set.LeastSquares().fit(X, CODES > 0).predict(X[:, :1]),
        ),
        (r"X must be at .* 1e\+150", lambda: crossval.loo_losses_linear(X * 1e200, CODES)),
        ("alpha", lambda: bootstrap.loo_bootstrap(RidgeClassifier(alpha=-1), X, CODES)),
        ("KNeighborsClassifier cannot be trained", lambda: CROSS(KNN, HOLES, CODES)),
        (
            "one number a case",
            lambda: compare.resampled(KNN, KNN, X, CODES, loss=lambda y, p: [0.1]),
        ),
        ("differ", lambda: report_of_two(["\x1b", "\\x1b"])),  # the same on a terminal
        (
            "names that differ",
            lambda: compare.models(BINARY, {"\x1b": BINARY, "\\x1b": BINARY}),
        ),
    ],
)
def test_a_door_that_does_not_fit_says_so(words, call):
    refused(words, call)


SPOILT = "\x1b[31mred\0\u202e"


@pytest.mark.parametrize(
    "call",
    [
        lambda a: errlab.report(BINARY, BINARY, BINARY, names=(a, "b")),
        lambda a: errlab.report(scores=[0.5, 1], scores_b=[0.1, 0.2], names=("b", a)),
        lambda a: errlab.metric([0, 1], [0, 1], [0, 1], metric="accuracy", names=(a, "b")),
        lambda a: compare.models(BINARY, {a: BINARY, "b": BINARY}, baseline=a),
        lambda a: compare.wilcoxon([0.1, 0.2, 0.3], names=(a, "b")),
    ],
)
def test_names_are_printed_without_what_a_terminal_obeys(call):
    found = call(SPOILT)
    assert not set(SPOILT[:1] + SPOILT[-2:]) & set(str(found))
    if not hasattr(found, "statistic"):
        assert r"\x1b[31mred\x00\u202e" in str(found)


def test_a_level_of_a_short_float_is_the_one_that_was_written():
    assert "With 90% confidence" in str(errlab.report(BINARY, BINARY, delta=np.float32(0.1)))


def test_columns_with_the_same_index_or_none_are_taken():
    assert errlab.report(LETTERS, LETTERS[::-1].loc[LETTERS.index]).errors == 0
    assert errlab.report(LETTERS, LETTERS[::-1].to_numpy()).errors == 4
    assert errlab.report(LETTERS[::-1], LETTERS[::-1]).errors == 0
    first = pd.Series([1.0, 2.0])
    second = first.set_axis([5, 6])
    with pytest.raises(ValueError, match="same index"):
        generalization.probability_greater(second, first)


def test_one_class_may_be_the_truth():
    assert errlab.report([1, 1, 1], [0, 0, 0]).errors == 3  # solved or not
    assert errlab.report(np.ones(4), [0.0, 1.0, 1.0, 0.0]).errors == 2
    assert errlab.report([True] * 3, [False] * 3).errors == 3
    assert errlab.report(["pass"] * 3, ["pass", "no", "no"]).errors == 2
    pair = errlab.report([1] * 20, [0] * 8 + [1] * 12, [1] * 20)
    assert (pair.n01, pair.n10) == (8, 0)
