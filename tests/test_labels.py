"""Labels mean the same thing from the public call to the loss, whatever the classes are called."""

import dataclasses
import functools
import re
from collections.abc import Callable
from typing import Any

import fuzz
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.model_selection import KFold

import errlab
from errlab import bootstrap, compare, crossval

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

FEW = np.random.default_rng(0).permutation(150)[:36]
IRIS, KINDS = load_iris(return_X_y=True)
X, CODES = IRIS[FEW, :2], KINDS[FEW]
SORTED = np.argsort(CODES)
# as Any, because the tests call these functions wrongly on purpose
CROSS: Callable[..., Any] = crossval.cross_val_losses


class Column(fuzz.Nearest):
    """It answers with a column."""

    def predict(self, X):
        return super().predict(X)[:, None]


# Other calls of the same functions.
WAYS = {
    "leave-one-out": lambda y: CROSS(fuzz.Nearest(), X, y, cv=len(X)).losses,
    "sorted folds": lambda y: (
        CROSS(fuzz.Nearest(), X[SORTED], np.asarray(y)[SORTED], cv=KFold(9)).losses
    ),
    "a column": lambda y: CROSS(Column(), X, y, rng=0).losses,
    "ridge": lambda y: bootstrap.loo_bootstrap(RidgeClassifier(), X, y, resamples=9, rng=0),
}
FUNCTIONS = fuzz.functions()
# Functions that treat labels as numbers, or take the classes from other arguments.
NUMBERS = re.compile("residuals|errors_linear|losses\\.(from|li|lo)|cud_|error_at_shares")
# Fields of results that contain no labels.
READ: dict[str, Callable[[Any, Any], Any]] = {
    "per_class": lambda result, values: [row[1:] for row in (*result.classes, result.macro)],
}


FORMS = {name: fuzz.form(name, function) for name, function in FUNCTIONS.items()}
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
    return list(fuzz.numbers_in(READ[name](result, values) if name in READ else result))


def misnamed(ways, ask):
    """Which names give another answer than words, for which nothing can be taken for scores."""
    in_words, result = ask(ways["words"]), {}
    for names, naming in ways.items():
        try:
            if not np.array_equal(ask(naming), in_words, equal_nan=True):
                result[names] = "another answer"
        except Exception as error:
            result[names] = repr(error)
    return result


@pytest.mark.parametrize(("classes", "ways"), [(2, TWO), (4, MANY)])
@pytest.mark.parametrize("name", LABELLED)
def test_the_names_of_the_classes_do_not_matter(name, classes, ways):
    for variant, form in fuzz.forms(name, FUNCTIONS[name]):
        if variant in ("", "instead"):
            assert misnamed(ways, functools.partial(answer, name, form, classes)) == {}


@pytest.mark.parametrize("way", WAYS)
def test_the_names_of_the_classes_do_not_matter_to_other_ways(way):
    def ask(names):
        return list(fuzz.numbers_in(WAYS[way](names(CODES))))

    assert misnamed(MANY, ask) == {}


# Check the output of predict at the same place in all functions.


@dataclasses.dataclass
class Says:
    """A model that always predicts the same label."""

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
    "probabilities": (lambda n: np.full(n, 0.3), "labels that occur in y, got 0.3"),
    "another label": (lambda n: np.full(n, 7), "labels that occur in y, got 7"),
    "a table": (lambda n: np.zeros((n, 3)), "must have 1 dimension"),
    "a ragged list": (lambda n: [[0], [0, 1]] * n, "regular array"),
    "hidden": (lambda n: np.ma.masked_all(n), "not hold masked values"),
}


def refused(words, call):
    with pytest.raises((ValueError, TypeError), match=words) as caught:
        call()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_is_predicted_is_checked(name):
    values = {p: value for p, (value, _) in FORMS[name].items()}
    for parameter in values.keys() & {"estimator", "estimator_a", "candidates"}:

        def call(model, parameter=parameter):
            options = {"a": model} if parameter == "candidates" else model
            FUNCTIONS[name](**values | {parameter: options})

        for says, words in ANSWERS.values():
            assert "Says.predict" in refused(words, functools.partial(call, Says(says)))
        line = functools.partial(call, LinearRegression())
        refused(r"LinearRegression\.predict must return labels", line)


# If a function doesn't fit the data, its message is one line and names the right function.
BINARY = [0, 1, 1, 0, 1]
LETTERS = pd.Series(list("aabb"))


SPOILT = "\x1b[31mred\0\u202e"


@pytest.mark.parametrize(
    "call",
    [
        lambda a: errlab.report(BINARY, BINARY, BINARY, names=(a, "b")),
        lambda a: errlab.report(scores=[0.5, 1], scores_b=[0.1, 0.2], names=("b", a)),
        lambda a: errlab.metric([0, 1], [0, 1], [0, 1], metric="accuracy", names=(a, "b")),
        lambda a: errlab.models(BINARY, {a: BINARY, "b": BINARY}, baseline=a),
        lambda a: compare.wilcoxon([0.1, 0.2, 0.3], names=(a, "b")),
    ],
)
def test_names_are_printed_without_what_a_terminal_obeys(call):
    result = call(SPOILT)
    assert not set(SPOILT[:1] + SPOILT[-2:]) & set(str(result))
    if not hasattr(result, "statistic"):
        assert r"\x1b[31mred\x00\u202e" in str(result)


def test_a_level_of_a_short_float_is_the_one_that_was_written():
    assert "With 90% confidence" in str(errlab.report(BINARY, BINARY, delta=np.float32(0.1)))


def test_columns_with_the_same_index_or_none_are_taken():
    assert errlab.report(LETTERS, LETTERS[::-1].loc[LETTERS.index]).errors == 0
    assert errlab.report(LETTERS, LETTERS[::-1].to_numpy()).errors == 4
    assert errlab.report(LETTERS[::-1], LETTERS[::-1]).errors == 0


def test_one_class_may_be_the_truth():
    assert errlab.report([1, 1, 1], [0, 0, 0]).errors == 3  # 1 for solved, 0 for not solved
    assert errlab.report(np.ones(4), [0.0, 1.0, 1.0, 0.0]).errors == 2
    assert errlab.report([True] * 3, [False] * 3).errors == 3
    assert errlab.report(["pass"] * 3, ["pass", "no", "no"]).errors == 2
    pair = errlab.report([1] * 20, [0] * 8 + [1] * 12, [1] * 20)
    assert (pair.n01, pair.n10) == (8, 0)


# Labels that can never match: each pair once gave an error rate without a warning.
SIGNS = np.array([-1, 1, 1, -1, 1] * 8)
YES = np.where(SIGNS > 0, "yes", "no")
ONE_NO = np.where(SIGNS > 0, "yes", "No")
THREE = np.array(["ant", "cat", "dog", "cat"] * 10)


@pytest.mark.parametrize(
    ("true", "pred", "named"),
    [
        (YES, ONE_NO, r"'No' \(16 of 40; y_true has 'no'\); each"),
        (YES, np.char.replace(YES, "no", " no "), r"' no ?' \(16 of 40; y_true has 'no'\)"),
        (YES, np.append(YES[:-1], "?"), r"'\?' \(1 of 40\)"),
        (THREE, np.append(THREE[:-1], "#N/A"), r"'#N/A' \(1 of 40\)"),
        (THREE, np.append(THREE[:-3], ["-", "-", ""]), r"'-' \(2 of 40\), '' \(1 of 40\)"),
        (["spam"] * 9, ["spam"] * 8 + ["none"], r"'none' \(1 of 9\)"),
        (SIGNS, np.append(SIGNS[:-1], 0), r"0 \(1 of 40\)"),  # a third label where only two exist
        (
            SIGNS // 2 + 2,
            SIGNS // 2 + 1,
            r"0 \(16 of 40\)",
        ),  # one column counts from 1, the other from 0
        (THREE, np.append(THREE[:-5], ["owl"] * 5), r"'owl' \(5 of 40\)"),
        (np.repeat([0, 1], 20), np.repeat(np.arange(20), 2), r"2 \(2 of 40\).*, 13 more;"),
    ],
)
def test_predicted_labels_that_are_never_true_are_told(true, pred, named):
    with pytest.warns(UserWarning, match=f"y_pred holds labels that y_true never does: .*{named}"):
        report = errlab.report(true, pred)
    assert report.errors == np.sum(np.asarray(true) != np.asarray(pred))


@pytest.mark.parametrize(
    ("true", "pred"),
    [
        (THREE, np.append(THREE[:-4], ["owl"] * 4)),  # a rare class that this test set lacks
        (np.arange(30) % 3, np.append(np.arange(29) % 3, 3)),
        (["spam"] * 9, ["spam"] * 2 + ["ham"] * 7),  # only one class, so that the rate is a recall
        ([1] * 9, [0] * 9),
        ([-1] * 9, [1] * 9),
        ([0, 1, 1], [1.0, 0.0, 1.0]),
        (np.array(["+", "-", "?"] * 5), np.array(["-", "-", "?"] * 5)),
        (SIGNS, np.ones(40)),
    ],
)
def test_labels_that_a_test_set_may_lack_are_no_matter(true, pred):
    """There is no warning, which pytest would turn into an error."""
    report = errlab.report(true, pred)
    assert report.errors == np.sum(np.asarray(true) != np.asarray(pred))


def test_each_model_is_told_by_its_name():
    with pytest.warns(UserWarning, match=r"predictions\['c'\] holds labels .*: 'No'"):
        errlab.models(YES, {"a": YES, "b": YES, "c": ONE_NO})
    with pytest.warns(UserWarning, match=r"pred_b holds labels .*: 'No'"):
        errlab.report(YES, YES, ONE_NO)
