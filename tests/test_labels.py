"""Labels mean the same thing from the public call to the loss, whatever the classes are called."""

import functools
import re
from types import SimpleNamespace

import fuzz
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.model_selection import KFold

from errlab import bootstrap, crossval

WORDS = np.array(["ant", "cat", "dog", "owl"])
# Names of classes: functions from codes 0, 1, 2, 3 to a column of labels.
MANY = {
    "words": lambda c: WORDS[c],
    "a list of words": lambda c: WORDS[c].tolist(),
    "digits as words": lambda c: c.astype(str),
    "a list of whole numbers": lambda c: c.tolist(),
    "small whole numbers": lambda c: c.astype(np.uint8),
    "large whole numbers": lambda c: c + 2**53,
    "signs and zero": lambda c: c - 1,
    "signs and zero, as floats": lambda c: c - 1.0,
    "one and minus one": lambda c: np.array([-1, 1, 2, 3])[c],
    "fractions": lambda c: np.array([0.25, 1.0, 2.0, 7.5])[c],
    "objects that are words": lambda c: WORDS.astype(object)[c],
    "objects that are floats": lambda c: c.astype(float).astype(object),
    "bytes": lambda c: WORDS.astype(bytes)[c],
    "pandas strings": lambda c: pd.Series(WORDS[c], dtype="string"),
    "pandas categories": lambda c: pd.Series(WORDS[c], dtype="category"),
    "pandas whole numbers": lambda c: pd.Series(c, dtype="Int64"),
}
TWO = {
    "words": MANY["words"],
    "0 and 1": lambda c: c,
    "-1 and +1, as floats": lambda c: 2.0 * c - 1,
    "False and True": lambda c: c.astype(bool),
    "objects False and True": lambda c: c.astype(bool).astype(object),
    "pandas booleans": lambda c: pd.Series(c.astype(bool), dtype="boolean"),
    "-1 and +1, as objects": lambda c: (2.0 * c - 1).astype(object),
}
IRIS, KINDS = load_iris(return_X_y=True)
FEW = np.random.default_rng(0).permutation(150)[:36]
X, CODES = IRIS[FEW, :2], KINDS[FEW]
SORTED = np.argsort(CODES)


class Column(fuzz.Nearest):
    """It answers with a column."""

    def predict(self, X):
        return super().predict(X)[:, None]


def other_ways(y):
    """The losses of cross-validation and the bootstrap in other calls."""
    ordered = np.asarray(y)[SORTED]
    yield crossval.cross_val_losses(fuzz.Nearest(), X, y, cv=len(X)).losses
    yield crossval.cross_val_losses(fuzz.Nearest(), X[SORTED], ordered, cv=KFold(9)).losses
    yield crossval.cross_val_losses(Column(), X, y, rng=0).losses
    yield bootstrap.loo_bootstrap(RidgeClassifier(), X, y, resamples=9, rng=0)


FUNCTIONS = fuzz.functions()
FORMS = {name: fuzz.form(name, function) for name, function in FUNCTIONS.items()}
# Functions that treat labels as numbers, or take the classes from other arguments.
NUMBERS = re.compile("residuals|errors_linear|losses\\.(from|li|lo)|cud_|error_at_shares")
LABELLED = [
    name
    for name, form in FORMS.items()
    if any(kind.text.startswith("labels") for _, kind in form.values()) and not NUMBERS.search(name)
]


def renamed(column, classes, naming):
    """A column with other class names, if it has as many classes; two may become three."""
    codes = np.unique(column, return_inverse=True)[1]
    if classes > 2 and codes.max() == 1:
        codes = (codes + (np.arange(len(codes)) % 4 == 3)) % 3
    return naming(codes) if codes.max() < classes else column


def answer(name, form, classes, naming):
    """The numbers that a function gives if its classes are called so."""
    values = {p: value for p, (value, _) in form.items()}
    for p, (value, kind) in form.items():
        if kind.text.startswith("labels") and value is not None:
            values[p] = renamed(value, classes, naming)
        elif p == "predictions":
            values[p] = {model: renamed(column, classes, naming) for model, column in value.items()}
        elif p == "positive":
            values[p] = np.asarray(naming(np.arange(2))).tolist()[1]
    result = FUNCTIONS[name](**values)
    if name == "per_class":  # without the labels
        result = [row[1:] for row in (*result.classes, result.macro)]
    return list(fuzz.numbers_in(result))


def check(ways, ask):
    """The answer is that for words, for which nothing can be taken for scores."""
    in_words = ask(ways["words"])
    for names, naming in ways.items():
        assert np.array_equal(ask(naming), in_words, equal_nan=True), names


@pytest.mark.parametrize("name", LABELLED)
def test_the_names_of_the_classes_do_not_matter(name):
    for variant, form in fuzz.forms(name, FUNCTIONS[name]):
        if variant in ("", "instead"):
            check(TWO, functools.partial(answer, name, form, 2))
            check(MANY, functools.partial(answer, name, form, 4))


def test_the_names_of_the_classes_do_not_matter_to_other_ways():
    check(MANY, lambda naming: list(fuzz.numbers_in([*other_ways(naming(CODES))])))


# What predict may not return for n examples, and words of the message; checked in all functions.
ANSWERS = {
    "None": (lambda n: None, "one value for each"),
    "a scalar": (lambda n: 1, "one value for each"),
    "a word": (lambda n: "yes", "one value for each"),
    "too few": (lambda n: np.zeros(n - 1, dtype=int) if n > 1 else np.zeros(2), "one value for"),
    "a list of None": (lambda n: [None] * n, "finite values or labels, got None"),
    "not a number": (lambda n: np.full(n, np.nan), "finite values or labels, got nan"),
    "objects with nan": (lambda n: np.array([np.nan] * n, dtype=object), "finite values or labels"),
    "words": (lambda n: np.array(["0"] * n), "labels of one kind"),
    "probabilities": (lambda n: np.full(n, 0.3), "labels that occur in y, got 0.3"),
    "another label": (lambda n: np.full(n, 7), "labels that occur in y, got 7"),
    "a table": (lambda n: np.zeros((n, 3)), "must have 1 dimension"),
    "a ragged list": (lambda n: [[0], [0, 1]] * n, "regular array"),
    "hidden": (lambda n: np.ma.masked_all(n), "not hold masked values"),
}


class Says(SimpleNamespace):
    """A model that always gives the same answer."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return self.answer(len(X))


MODELS = [(Says(answer=says), f"Says.predict.*{words}") for says, words in ANSWERS.values()]
MODELS += [(LinearRegression(), r"LinearRegression\.predict must return labels")]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_predicted_is_checked(name):
    values = {p: value for p, (value, _) in FORMS[name].items()}
    for p in values.keys() & {"estimator", "estimator_a", "candidates"}:
        for model, words in MODELS:
            odd = {"a": model} if p == "candidates" else model
            with pytest.raises((ValueError, TypeError), match=words) as caught:
                FUNCTIONS[name](**values | {p: odd})
            assert "\n" not in str(caught.value)
