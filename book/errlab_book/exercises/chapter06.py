"""Exercises of chapter 6: examples that come in groups."""

from functools import cache
from typing import Any

import numpy as np

from errlab import bounds, metrics
from errlab_book.exercises._exercise import exercise


@exercise(
    "6.1",
    "First the design effect of groups of four, then what is left of the scans.",
    "The design effect is 1 + (m - 1) rho; divide the scans by it.",
    asks="count",
    mistakes={
        "that would be so if the scans of a patient were copies.": 100,
        "that would be so if the scans of a patient had nothing in common.": 400,
        "the correlation is not the fraction that is lost. Find the design effect first.": 400
        * 0.5,
    },
)
def scans_of_patients() -> object:
    """How many independent examples are 100 patients with four scans each worth, at rho = 0.5?"""
    # each of four scans is correlated with three others
    return int(400 / (1 + 3 * 0.5))


@exercise(
    "6.2",
    "Without an error no design effect can be seen. What is the worst that it can be?",
    "Clopper-Pearson's one-sided bound after no error solves (1 - L)^25 = 0.05.",
    tolerance=5e-4,
    mistakes={
        "this takes each answer for an independent example.": lambda: bounds.upper(
            "CP", errors=0, n=200
        ),
        "this is the upper end of the two-sided interval.": lambda: (
            bounds.interval("CP", errors=0, n=25).high
        ),
    },
)
def conversations_without_error() -> object:
    """Which bound follows from 25 conversations of eight answers each, none of them wrong?"""
    # without errors the variance is 0, so let each conversation count as one example
    conversation = np.repeat(np.arange(25), 8)
    return metrics.grouped_betting([0] * 200, groups=conversation).upper


@exercise(
    "6.3",
    "What was drawn, and would be drawn anew for another test: models, rows or digits?",
    "The five rows of a digit resemble each other, since a hard digit is hard for every seed.",
    asks="count",
    mistakes={
        "that takes each model for a group, and says how much a sixth seed would differ.": 5,
        "that takes the five rows of a digit for five digits.": 1000,
    },
)
def groups_of_seeds() -> object:
    """How many groups has a report on five seeds, if all were tested on the same 200 digits?"""
    digit = np.tile(np.arange(200), 5)
    return len(np.unique(digit))


@exercise(
    "6.4",
    "By how much is the judge off on the answers that both have marked?",
    "Its mean over the others, plus the mean difference on the 50.",
    tolerance=5e-4,
    mistakes={
        "these are the human labels alone. The judge has seen 1,000 more.": 0.2,
        "that believes the judge, who calls too many of the 50 wrong.": 0.25,
        "flipped: the judge is too strict, so its rate must fall.": 0.25 + 4 / 50,
    },
)
def marks_and_machine() -> object:
    """Which error rate do 50 human verdicts and the judge's 1,000 give together?"""
    # 50 answers have both verdicts: ten are wrong by hand, fourteen by the judge
    return 0.25 + (10 - 14) / 50


@cache
def _nearest() -> Any:
    """Return the losses of nearest neighbours on 120 turned digits, digits x angles."""
    from scipy import ndimage
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split
    from sklearn.neighbors import KNeighborsClassifier

    digits = load_digits()
    train, test, y_train, y_test = train_test_split(
        digits.images, digits.target, test_size=120, random_state=0
    )
    angles = np.linspace(-20, 20, 8)
    # every picture at eight angles: 960 rows, but only 120 different digits
    turned = [ndimage.rotate(p, a, reshape=False, order=1) for p in test for a in angles]
    model = KNeighborsClassifier().fit(train.reshape(-1, 64), y_train)
    wrong = model.predict(np.reshape(turned, (-1, 64))) != np.repeat(y_test, 8)
    return wrong.reshape(120, 8)


DIGITS, ANGLES = (index.ravel() for index in np.indices((120, 8)))


def _ends(groups: Any, method: Any = metrics.grouped_betting, high: str = "high") -> list[float]:
    """Return an interval of the error for rows in these groups; the one by betting is proven."""
    interval = method(_nearest().ravel(), groups=groups)
    return [interval.low, getattr(interval, high)]


@exercise(
    "6.5",
    "A loss is where prediction and truth differ. What was drawn: pictures, digits or angles?",
    "errlab.report with groups= has .low and .high, proven as long as no method= is given.",
    # interpolation differs in the last bits between machines, which may change the nearest
    # neighbour
    tolerance=2e-3,
    parts=("lower end", "upper end"),
    code=True,
    mistakes={
        "this takes each picture for an independent example, but eight show the same digit.": (
            lambda: bounds.interval("CP", errors=int(_nearest().sum()), n=_nearest().size)
        ),
        "this takes the angles for groups. You chose them; the digits were drawn.": (
            lambda: _ends(ANGLES)
        ),
        "this is the short interval, for which nothing is proven.": (
            lambda: _ends(DIGITS, metrics.korn_graubard)
        ),
        "this counts the digits with any error, whether one picture is wrong or all eight.": (
            lambda: bounds.interval("CP", errors=int(_nearest().any(axis=1).sum()), n=120)
        ),
        "the upper end is the one-sided bound. An interval shares the 5% between two ends.": (
            lambda: _ends(DIGITS, high="upper")
        ),
    },
)
def neighbours_of_turned_digits() -> object:
    """Which proven interval of nearest neighbours on the turned digits respects the unit?"""
    return _ends(DIGITS)
