"""Labels mean one thing, from the door to the loss: whatever the classes are called."""

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier

import errlab
from errlab import bootstrap, compare, crossval, generalization, holdout, intervals, losses, metrics

# How three classes may be called; a function from codes 0, 1, 2 to a column of labels.
NAMES = {
    "words": lambda c: np.array(["cat", "dog", "owl"])[c],
    "a list of words": lambda c: np.array(["cat", "dog", "owl"])[c].tolist(),
    "digits as words": lambda c: c.astype(str),
    "whole numbers": lambda c: c,
    "a list of whole numbers": lambda c: c.tolist(),
    "small whole numbers": lambda c: c.astype(np.uint8),
    "large whole numbers": lambda c: c + 2**53,
    "floats": lambda c: c.astype(float),
    "signs and zero": lambda c: c - 1,
    "signs and zero, as floats": lambda c: c - 1.0,
    "one and minus one": lambda c: np.array([-1, 1, 2])[c],
    "fractions": lambda c: np.array([0.25, 1.0, 2.0])[c],
    "objects that are words": lambda c: np.array(["cat", "dog", "owl"], dtype=object)[c],
    "objects that are numbers": lambda c: c.astype(object),
    "objects that are floats": lambda c: c.astype(float).astype(object),
    "bytes": lambda c: np.array([b"cat", b"dog", b"owl"])[c],
    "pandas words": lambda c: pd.Series(np.array(["cat", "dog", "owl"])[c]),
    "pandas strings": lambda c: pd.Series(np.array(["cat", "dog", "owl"])[c], dtype="string"),
    "pandas categories": lambda c: pd.Series(np.array(["cat", "dog", "owl"])[c], dtype="category"),
    "pandas whole numbers": lambda c: pd.Series(c, dtype="Int64"),
}
TWO = {
    "0 and 1": lambda c: c,
    "-1 and +1": lambda c: 2 * c - 1,
    "-1 and +1, as floats": lambda c: 2.0 * c - 1,
    "False and True": lambda c: c.astype(bool),
    "objects False and True": lambda c: c.astype(bool).astype(object),
    "pandas booleans": lambda c: pd.Series(c.astype(bool), dtype="boolean"),
    "-1 and +1, as objects": lambda c: (2.0 * c - 1).astype(object),
}

FEW = np.random.default_rng(0).permutation(150)[:36]
X, CODES = (part[FEW] for part in load_iris(return_X_y=True))
X = X[:, :2]
KNN = KNeighborsClassifier(1)
# By these names a type checker does not know what they take: they are called wrongly on purpose.
CROSS: Callable[..., Any] = crossval.cross_val_losses
POINT632: Callable[..., Any] = bootstrap.point632


class Nearest:
    """The nearest neighbour, or the nearest of the class means."""

    def __init__(self, means=False):
        self.means = means

    def fit(self, X, y):
        self.X, self.y = X, np.asarray(y)
        if self.means:
            self.y = np.unique(y)
            self.X = np.array([X[y == name].mean(axis=0) for name in self.y])

    def predict(self, X):
        distance = ((X[:, None] - self.X) ** 2).sum(axis=2)
        return self.y[distance.argmin(axis=1)]


ONE, MEANS = Nearest(), Nearest(means=True)


class Column(Nearest):
    """The same, answering with a column, as some libraries do."""

    def predict(self, X):
        return super().predict(X)[:, None]


SORTED = np.argsort(CODES)
FOUR = np.arange(len(X)) % 4

TRAINED = {
    "leave-one-out": lambda y: crossval.cross_val_losses(ONE, X, y, cv=len(X)).losses,
    "ten folds": lambda y: crossval.cross_val_losses(ONE, X, y, rng=0).losses,
    "sorted folds": lambda y: (
        crossval.cross_val_losses(ONE, X[SORTED], pick(y, SORTED), cv=KFold(9)).losses
    ),
    "a column": lambda y: crossval.cross_val_losses(Column(), X, y, rng=0).losses,
    "nested": lambda y: crossval.nested({"1": ONE, "m": MEANS}, X, y, cv=4, inner_cv=9, rng=0)[1:],
    "three_way": lambda y: crossval.three_way({"1": ONE, "m": MEANS}, X, y, rng=0),
    "pair_losses": lambda y: crossval.pair_losses(ONE, X, y, FOUR),
    "nested_cv_interval": lambda y: crossval.nested_cv_interval(ONE, X, y, repeats=2, rng=0),
    "loo_losses_linear": lambda y: crossval.loo_losses_linear(X, y),
    "loo_losses_kernel": lambda y: crossval.loo_losses_kernel(X @ X.T, y, ridge=1.0),
    "loo_bootstrap": lambda y: vars(bootstrap.loo_bootstrap(ONE, X, y, resamples=9, rng=0)),
    "loo_bootstrap, ridge": lambda y: vars(
        bootstrap.loo_bootstrap(RidgeClassifier(), X, y, resamples=9, rng=0)
    ),
    "loo_bootstrap_linear": lambda y: vars(
        bootstrap.loo_bootstrap_linear(X, y, resamples=9, rng=0)
    ),
    "point632": lambda y: bootstrap.point632(ONE, X, y, resamples=9, rng=0),
    "point632plus": lambda y: bootstrap.point632plus(ONE, X, y, resamples=9, rng=0),
    "jackknife_error": lambda y: bootstrap.jackknife_error(MEANS, X, y),
    "leave_out_errors": lambda y: generalization.leave_out_errors(
        ONE, X, y, resamples=9, loss=losses.hard_loss, rng=0
    ),
    "compare.holdout": lambda y: compared(compare.holdout, y),
    "compare.kfold": lambda y: compared(compare.kfold, y),
    "compare.resampled": lambda y: compared(compare.resampled, y),
    "compare.five_by_two": lambda y: compared(compare.five_by_two, y),
    "interval Y": lambda y: intervals.yang(ONE, X, y, resamples=5, rng=0),
    "interval K": lambda y: intervals.kohavi(ONE, X, y, resamples=5, rng=0),
}


def compared(function, y):
    result = function(ONE, MEANS, X, y, rng=0)
    return result.statistic, result.pvalue, result.estimate


def pick(y, rows):
    return np.asarray(y)[rows]


A = np.where(np.arange(36) % 5 == 0, (CODES + 1) % 3, CODES)
B = np.where(np.arange(36) % 7 == 0, (CODES + 2) % 3, CODES)


def nameless(report):
    """Every number of a report; it also says what the commonest class is called."""
    said = dataclasses.asdict(report)
    for part in (said, said.get("a", {}), said.get("b", {})):
        part.pop("common", None)
    return said


GIVEN = {
    "hard_loss": lambda y, a, b: losses.hard_loss(y, a),
    "report": lambda y, a, b: nameless(errlab.report(y, a)),
    "report of two": lambda y, a, b: nameless(errlab.report(y, a, b)),
    "mcnemar_table": lambda y, a, b: compare.mcnemar_table(y, a, b),
    "confusion_matrix": lambda y, a, b: metrics.confusion_matrix(y, a).counts,
    "confusion": lambda y, a, b: metrics.confusion(y, a, positive=pick(y, [0]).tolist()[0]),
    "f_score": lambda y, a, b: metrics.f_score(y, a, positive=pick(y, [0]).tolist()[0]),
    "macro_f1": lambda y, a, b: metrics.macro_f1(y, a),
    "micro_f1": lambda y, a, b: metrics.micro_f1(y, a),
    "area": lambda y, a, b: metrics.area(y, X[:, 0], positive=pick(y, [0]).tolist()[0]),
    "bootstrap_f1": lambda y, a, b: metrics.bootstrap_f1(
        y, a, positive=pick(y, [0]).tolist()[0], rng=0
    ),
    "bootstrap_macro_f1": lambda y, a, b: metrics.bootstrap_macro_f1(y, a, rng=0),
    "no_information_rate": lambda y, a, b: bootstrap.no_information_rate(y, a),
    "mix": lambda y, a, b: holdout.mix(y, a, b, [5], rng=0),
    "noisy_labels": lambda y, a, b: holdout.noisy_labels(y, 0.5, rng=0) == np.asarray(y),
    "fold": lambda y, a, b: crossval.clt_interval(np.arange(36) % 2, y),
    "strata": lambda y, a, b: bootstrap.stratified_interval(np.arange(36) % 2, y),
}


def same(mine, other):
    if isinstance(mine, dict):
        return all(same(mine[key], other[key]) for key in mine)
    if isinstance(mine, tuple):
        return len(mine) == len(other) and all(map(same, mine, other))
    return bool(np.all(mine == other))


def called(function, columns, names):
    columns = tuple(names(column) for column in columns)
    return TRAINED[function](columns[0]) if function in TRAINED else GIVEN[function](*columns)


@functools.cache
def in_words(function, classes):
    """What a function says of words, which nothing can take for scores."""
    columns = [np.minimum(column, classes - 1) for column in (CODES, A, B)]
    return called(function, columns, NAMES["words"])


def mattered(function, columns, ways, classes):
    """Those ways to name the classes after which a function says something else, or raises."""
    found = {}
    for names, way in ways.items():
        try:
            if not same(called(function, columns, way), in_words(function, classes)):
                found[names] = "another answer"
        except Exception as error:
            found[names] = repr(error)
    return found


@pytest.mark.parametrize("function", [*TRAINED, *GIVEN])
def test_the_names_of_the_classes_do_not_matter(function):
    assert mattered(function, (CODES, A, B), NAMES, 3) == {}


@pytest.mark.parametrize("function", [*TRAINED, *GIVEN])
def test_the_names_of_two_classes_do_not_matter(function):
    columns = [np.minimum(column, 1) for column in (CODES, A, B)]
    assert mattered(function, columns, TWO, 2) == {}


@pytest.mark.parametrize("names", sorted(NAMES.keys() - {"fractions"}))  # no labels to sklearn
def test_the_names_of_the_classes_do_not_matter_to_scikit_learn(names):
    found = crossval.cross_val_losses(KNN, X, NAMES[names](CODES), rng=0).losses
    assert same(found, in_words("ten folds", 3))


# The cases of the review, each of which was wrong or an error.

IRIS, KINDS = load_iris(return_X_y=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "y", [KINDS, KINDS.astype(float), KINDS.astype(str), np.array([1, -1, 0])[KINDS]], ids=str
)
def test_leave_one_out_on_iris_makes_six_errors(y):
    assert crossval.cross_val_losses(KNN, IRIS, y, cv=150, rng=0).losses.sum() == 6


@pytest.mark.parametrize("kind", [int, float, str])
def test_sorted_folds_of_iris_make_as_many_errors_whatever_the_labels_are(kind):
    found = crossval.cross_val_losses(KNN, IRIS, KINDS.astype(kind), cv=KFold(10))
    by_hand = [
        (KNeighborsClassifier(1).fit(IRIS[train], KINDS[train]).predict(IRIS[test]) != KINDS[test])
        for train, test in KFold(10).split(IRIS)
    ]
    assert found.losses.sum() == np.concatenate(by_hand).sum() == 6


@pytest.mark.slow
def test_thirty_irises_in_ten_folds_for_a_hundred_seeds():
    for seed in range(100):
        rows = np.random.default_rng(seed).permutation(150)[:30]
        few, y = IRIS[rows, :2], KINDS[rows]
        found = [
            crossval.cross_val_losses(KNN, few, y.astype(kind), rng=seed).losses.sum()
            for kind in (int, float, str)
        ]
        assert len(set(found)) == 1, seed


@pytest.mark.parametrize("seed", range(5))
def test_forty_wines(seed):
    W, y = load_wine(return_X_y=True)
    rows = np.random.default_rng(seed).permutation(len(y))[:40]
    W, y = W[rows], y[rows]
    for call in (
        lambda y: crossval.nested_cv_interval(ONE, W, y, repeats=1, rng=seed),
        lambda y: compare.kfold(ONE, MEANS, W, y, rng=seed).pvalue,
        lambda y: compare.resampled(ONE, MEANS, W, y, rng=seed).pvalue,
    ):
        assert call(y) == call(y.astype(str)) == call(y.astype(float))


# What predict returns is checked in one place, for everybody.


class Says:
    """A model that says the same whatever it is asked."""

    def __init__(self, answer):
        self.answer = answer

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
TAKES_A_MODEL = {
    "cross_val_losses": lambda m, y: crossval.cross_val_losses(m, X, y),
    "nested": lambda m, y: crossval.nested({"m": m}, X, y, cv=3, inner_cv=3),
    "three_way": lambda m, y: crossval.three_way({"m": m}, X, y),
    "pair_losses": lambda m, y: crossval.pair_losses(m, X, y, np.arange(len(X)) % 4),
    "nested_cv_interval": lambda m, y: crossval.nested_cv_interval(m, X, y, cv=3, repeats=1),
    "loo_bootstrap": lambda m, y: bootstrap.loo_bootstrap(m, X, y, resamples=5),
    "point632": lambda m, y: bootstrap.point632(m, X, y, resamples=5),
    "jackknife_error": lambda m, y: bootstrap.jackknife_error(m, X, y),
    "leave_out_errors": lambda m, y: generalization.leave_out_errors(
        m, X, y, resamples=5, loss=losses.hard_loss
    ),
    "holdout": lambda m, y: compare.holdout(ONE, m, X, y),
    "kfold": lambda m, y: compare.kfold(ONE, m, X, y),
    "resampled": lambda m, y: compare.resampled(m, ONE, X, y),
    "five_by_two": lambda m, y: compare.five_by_two(m, ONE, X, y),
    "kohavi": lambda m, y: intervals.kohavi(m, X, y, resamples=5),
    "yang": lambda m, y: intervals.yang(m, X, y, resamples=5),
}


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("function", TAKES_A_MODEL)
def test_what_is_predicted_is_checked(function, answer):
    says, words = ANSWERS[answer]
    with pytest.raises((ValueError, TypeError), match=words) as caught:
        TAKES_A_MODEL[function](Says(says), CODES)
    assert "\n" not in str(caught.value)
    assert "Says.predict" in str(caught.value)


@pytest.mark.parametrize("function", TAKES_A_MODEL)
def test_a_regression_is_no_classifier(function):
    with pytest.raises(ValueError, match=r"LinearRegression\.predict must return labels"):
        TAKES_A_MODEL[function](LinearRegression(), CODES)


def test_a_loss_of_your_own_gets_what_is_predicted():
    def squared(true, pred):
        return (true - pred) ** 2

    found = crossval.cross_val_losses(LinearRegression(), X, CODES, loss=squared, rng=0)
    assert 0 < found.mean < 1
    with pytest.raises(ValueError, match="one number a case"):
        compare.kfold(KNN, KNN, X, CODES, loss=lambda y, p: [0.1])
    with pytest.raises(TypeError, match="loss must be a function, got 'zero-one'"):
        crossval.cross_val_losses(KNN, X, CODES, loss="zero-one")


def test_a_negative_penalty_is_refused_on_the_fast_path_too():
    with pytest.raises(ValueError, match="alpha"):
        bootstrap.loo_bootstrap(RidgeClassifier(alpha=-1), X, CODES)


def test_the_words_of_another_library_come_in_one_line():
    holes = X.copy()
    holes[0, 0] = np.nan
    with pytest.raises(ValueError, match="KNeighborsClassifier cannot be trained") as caught:
        crossval.cross_val_losses(KNN, holes, CODES)
    assert "\n" not in str(caught.value)


# Doors that do not fit say so, in one line that names the right one.

BINARY = [0, 1, 1, 0, 1]
LETTERS = pd.Series(list("aabb"))


def refused(error, words, call):
    with pytest.raises(error, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        # One class in y_true: 805 judge scores were 805 errors, and "yes" was no "pass".
        (
            lambda: errlab.report(np.ones(5), [0.3, 0.9, 1, 0.5, 0.1]),
            ValueError,
            r"report\(scores=",
        ),
        (lambda: errlab.report(["pass"] * 2, ["yes", "no"]), ValueError, "must share labels"),
        (lambda: errlab.report([5, 5], [4, 3]), ValueError, "must share labels"),
        # Saturated probabilities share 0.0 and 1.0 with the labels.
        (lambda: errlab.report(BINARY, [0.0, 1.0, 0.8, 0.0, 1.0]), ValueError, "must hold labels"),
        (lambda: errlab.report(BINARY, BINARY, [0.0, 1, 0.8, 0, 1]), ValueError, "pred_b must"),
        (lambda: compare.mcnemar_table(BINARY, BINARY, [0.2] * 5), ValueError, "must hold labels"),
        (lambda: metrics.confusion(BINARY, [0.2] * 5), ValueError, "must hold labels"),
        (lambda: metrics.confusion_matrix(BINARY, [0.2] * 5), ValueError, "must hold labels"),
        # Kinds of label are not mixed, positive= or not.
        (lambda: metrics.confusion(list("0110"), [0, 1, 1, 0], positive=1), TypeError, "one kind"),
        (lambda: metrics.confusion([0, 1], [0, 1], positive="1"), TypeError, "positive must be"),
        (lambda: metrics.f_score([0, 1], ["0", "1"], positive="1"), TypeError, "one kind"),
        (lambda: metrics.bootstrap_f1([0, 1], ["0", "1"], positive="1"), TypeError, "one kind"),
        (lambda: metrics.confusion([0, 1], [0, 1], positive=[1]), TypeError, "positive must be"),
        (lambda: metrics.confusion([0, 1], [0, 1], positive={}), TypeError, "positive must be"),
        (lambda: bootstrap.no_information_rate([0, 1], ["0", "1"]), TypeError, "one kind"),
        (lambda: metrics.macro_f1([0, 1], ["0", "1"]), TypeError, "one kind"),
        # Masks were ignored.
        (lambda: losses.empirical_error(np.ma.array([0, 1], mask=[0, 1])), ValueError, "masked"),
        (lambda: losses.empirical_error([0.0, np.ma.masked]), ValueError, "masked"),
        (lambda: errlab.bounds.clopper_pearson(np.ma.masked, 200), ValueError, "masked"),
        (lambda: errlab.report(np.ma.array([0, 1], mask=[1, 0]), [0, 1]), ValueError, "masked"),
        (lambda: crossval.cross_val_losses(KNN, np.ma.masked_less(X, 5), CODES), ValueError, "X "),
        # Missing values of pandas.
        (
            lambda: errlab.report(pd.Series(["a", None], dtype="string"), ["a", "b"]),
            ValueError,
            "no missing label, got <NA>",
        ),
        (
            lambda: errlab.report(pd.Series([True, None], dtype="boolean"), [True, False]),
            ValueError,
            "no missing label",
        ),
        (
            lambda: losses.empirical_error(pd.Series([1, None], dtype="boolean")),
            ValueError,
            "no missing value, got <NA>",
        ),
        (
            lambda: crossval.clt_interval([0, 1, 0], pd.Series(["a", "b", None], dtype="string")),
            ValueError,
            "fold must have no missing label",
        ),
        # Indices are not aligned in silence: 4 errors of 4.
        (
            lambda: errlab.report(LETTERS, LETTERS[::-1]),
            ValueError,
            r"y_pred\.loc\[y_true\.index\]",
        ),
        (lambda: losses.hard_loss(LETTERS, LETTERS[::-1]), ValueError, "same index"),
        (
            lambda: crossval.cross_val_losses(
                KNN, pd.DataFrame(X), pd.Series(CODES, index=range(1, 37))
            ),
            ValueError,
            "X and y must have the same index",
        ),
        # Counts that a float cannot hold.
        (lambda: metrics.Confusion(2**63, 1, 1, 1), ValueError, r"tp must be below 2\*\*53"),
        (lambda: crossval.kfold_confidence("CP", 2**63), ValueError, r"cv must be below 2\*\*53"),
        (lambda: compare.mcnemar(2**63, 1), ValueError, r"n01 must be below 2\*\*53"),
        (lambda: errlab.bounds.hoeffding(0.1, 2**63), ValueError, r"n must be below 2\*\*53"),
        (lambda: metrics.class_f1([[2.0**53, 0], [0, 1]]), ValueError, r"below 2\*\*53"),
        (lambda: metrics.class_f1([[10**400, 0], [0, 1]]), ValueError, "counts must be"),
        # Ragged lists, in our words.
        (lambda: losses.hard_loss([[0], [1, 2]], [0, 1]), TypeError, "y_true must hold single"),
        (lambda: metrics.class_f1([[1, 2], [3]]), ValueError, "counts must be a regular array"),
        (lambda: crossval.kfold_confidence("CP", [[1], [2, 3]]), ValueError, "cv must be a single"),
        (lambda: crossval.cross_val_losses(KNN, [[1], [1, 2]], [0, 1]), ValueError, "X must be a"),
        # What other libraries call it.
        (lambda: CROSS(KNN, X, CODES, random_state=0), TypeError, "takes rng="),
        (lambda: CROSS(KNN, X, CODES, n_splits=5), TypeError, "takes cv="),
        (lambda: errlab.report(BINARY, BINARY, alpha=0.1), TypeError, "takes delta= in place of"),
        (lambda: errlab.report(BINARY, BINARY, confidence=0.9), TypeError, "1 - confidence"),
        (
            lambda: errlab.report(BINARY, BINARY, n_jobs=2),
            TypeError,
            "no argument n_jobs; it takes",
        ),
        (lambda: POINT632(KNN, X, CODES, random_state=0), TypeError, "takes rng="),
        # What was obscure.
        (
            lambda: intervals.LeastSquares().fit(X, CODES > 0).predict(X[:, :1]),
            ValueError,
            "X must give 3 columns, as in fit, basis included, got 2",
        ),
        (lambda: losses.risk([0, 1], 0.5), ValueError, "probabilities must have 1 dimension"),
        (
            lambda: bootstrap.percentile_interval(BINARY, delta=5e-324),
            ValueError,
            "at least 1e-300",
        ),
        (
            lambda: crossval.kfold_bound(BINARY, BINARY, "CP", split="no"),
            TypeError,
            "split must be",
        ),
        (lambda: crossval.kfold_confidence(["CP"], 5), TypeError, "named by a string"),
        (lambda: crossval.cross_val_losses(KNN, X * 1e200, CODES, cv=2.5), TypeError, "cv must be"),
        (
            lambda: crossval.loo_losses_linear(X * 1e200, CODES),
            ValueError,
            r"X must be at .* 1e\+150",
        ),
        (lambda: bootstrap.stratified_interval(BINARY, [0, "a"] * 2 + [0]), TypeError, "one kind"),
        # Names of a pair.
        (lambda: errlab.report(BINARY, BINARY, BINARY, names=("A",)), TypeError, "two strings"),
        (lambda: errlab.report(BINARY, BINARY, BINARY, names=None), TypeError, "two strings"),
        (lambda: errlab.report(BINARY, BINARY, BINARY, names="AB"), TypeError, "two strings"),
        (lambda: errlab.report(BINARY, BINARY, BINARY, names="AA"), TypeError, "two strings"),
        (lambda: errlab.report(BINARY, BINARY, BINARY, names=["A", "A"]), ValueError, "differ"),
    ],
)
def test_a_door_that_does_not_fit_says_so(call, error, words):
    refused(error, words, call)


def test_columns_with_the_same_index_or_none_are_taken():
    assert errlab.report(LETTERS, LETTERS[::-1].loc[LETTERS.index]).errors == 0
    assert errlab.report(LETTERS, LETTERS[::-1].to_numpy()).errors == 4
    assert errlab.report(LETTERS[::-1], LETTERS[::-1]).errors == 0
    first = pd.Series([1.0, 2.0])
    second = first.set_axis([5, 6])
    assert generalization.probability_greater(second, first, paired=False) == 0.5
    with pytest.raises(ValueError, match="same index"):
        generalization.probability_greater(second, first)


def test_one_class_may_be_the_truth():
    assert errlab.report([1, 1, 1], [0, 0, 0]).errors == 3  # solved or not
    assert errlab.report(np.ones(4), [0.0, 1.0, 1.0, 0.0]).errors == 2
    assert errlab.report([True] * 3, [False] * 3).errors == 3
    assert errlab.report(["pass"] * 3, ["pass", "no", "no"]).errors == 2
    pair = errlab.report([1] * 20, [0] * 8 + [1] * 12, [1] * 20)
    assert (pair.n01, pair.n10) == (8, 0)


def test_an_array_without_a_masked_value_is_taken():
    assert losses.empirical_error(np.ma.array([0, 1, 0, 0], mask=False)) == 0.25


def test_a_huge_beta_is_recall():
    assert metrics.f_score([1, 1, 0], [1, 0, 1], beta=1e308) == 0.5


def test_bca_has_ends_for_every_delta():
    low, high = bootstrap.bca_interval([1] * 7 + [0] * 193, delta=1e-16)  # was (0, nan)
    assert 0 <= low < 7 / 200 < high <= 1
    low, high = bootstrap.bca_interval([0.9] * 7 + [0.1] * 193, delta=1e-16, rng=0)
    assert 0 <= low <= high <= 1


def test_a_share_too_small_for_a_case_is_one_case():
    found = crossval.three_way({"1": ONE}, X, CODES, test_size=1e-300, rng=0)
    assert len(found.test_losses) == 1
    assert generalization.leave_out_splits(20, 1e-300, 5, rng=0).sum() == 5


def test_macro_f1_of_one_class_is_quiet():
    assert metrics.macro_f1([0, 0], [0, 0]) == 1
