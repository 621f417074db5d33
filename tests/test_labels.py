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
from tables import entries, sections

from errlab import bootstrap, crossval

NAMES = {"np": np, "pd": pd, "WORDS": np.array(["ant", "cat", "dog", "owl"])}


def read(lines):
    """The functions from codes to labels, by what they are called."""
    pairs = (line.split(": ", 1) for line in lines)
    return {name: eval(f"lambda c: {labels}", NAMES) for name, labels in pairs}


TABLE = dict(sections("labels.txt"))
MANY, TWO = read(TABLE["four classes"]), read(TABLE["two classes"])
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


@pytest.mark.slow
@pytest.mark.parametrize("name", LABELLED)
def test_the_names_of_the_classes_do_not_matter(name):
    for variant, form in fuzz.forms(name, FUNCTIONS[name]):
        if variant in ("", "instead"):
            check(TWO, functools.partial(answer, name, form, 2))
            check(MANY, functools.partial(answer, name, form, 4))


def test_the_names_of_the_classes_do_not_matter_to_other_ways():
    check(MANY, lambda naming: list(fuzz.numbers_in([*other_ways(naming(CODES))])))


class Says(SimpleNamespace):
    """A model that always gives the same answer."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return self.answer(len(X))


MODELS = [
    (Says(answer=eval(f"lambda n: {answer}", NAMES)), f"Says.predict.*{words}")
    for answer, _, (words,) in entries(TABLE["no predictions"], {})
]
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
