"""Answers to the exercises of chapter 9, the distribution of the error."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from errlab import generalization
from errlab_book.exercises._exercise import exercise

MIDDLE = "the median alone"
TAIL = "the one in twenty alone"
BOTH = "both"


@exercise(
    "9.1",
    "Each of these errors was measured on only 8 patients. Which of the two numbers notices?",
    "Compare the right end of each thin line in the second explorer with that of the truth.",
    asks="choice",
    choices=(MIDDLE, TAIL, BOTH),
    mistakes={
        "the noise of a test on 8 patients stretches the tail, so it says little of models.": TAIL,
        "the middle is a rough guide, but the tail is that of a test on 8 patients, too.": BOTH,
    },
)
def what_can_be_reported() -> object:
    """Which of two numbers can a student report after 500 splits of thirty patients?"""
    design, y = _diabetes()
    truth, estimates = _true_errors(design, y, 30), []
    for student in range(1, 9):
        mine = np.random.default_rng(student).permutation(len(y))[:30]
        squared = generalization.leave_out_errors_linear(
            design[mine], y[mine], test_size=0.25, rng=0
        )
        estimates.append(np.quantile(np.sqrt(squared), [0.5, 0.95]))
    # relative error of the estimate, averaged over eight students
    off = np.abs(np.array(estimates) / np.quantile(truth, [0.5, 0.95]) - 1).mean(axis=0)
    return MIDDLE if off[0] < off[1] else TAIL


@exercise(
    "9.2",
    "In the second picture the mark “1 in 20” moves to the left as patients come in.",
    "It stands at 69.6 with one of the five numbers.",
    asks="count",
    mistakes={
        "one model in twenty misses by more than 87 points there.": 30,
        "that is enough, but a smaller number of the slider is, too.": 100,
    },
)
def patients_for_seventy_points() -> object:
    """With how many patients does fewer than one model in twenty miss by over 70 points?"""
    design, y = _diabetes()
    # the sizes of the slider
    sizes = (20, 30, 50, 100, 200)
    return next(n for n in sizes if np.quantile(_true_errors(design, y, n), 0.95) < 70)


@exercise(
    "9.3",
    "The variance of the mean gets 1/J + 10/20 in place of 1/J. What is J here?",
    "The root of (1/10 + 10/20) / (1/10), which you can type as sqrt(...).",
    asks="number",
    # right to two decimals
    tolerance=0.02,
    mistakes={
        "that is the ratio of the variances. Take the root.": 6.0,
        "more splits do not help here. Put the fraction 10/20 in.": lambda: np.sqrt(10),
    },
)
def correction_of_ten_splits() -> object:
    """How much larger is the corrected standard error (10 splits, 20 to train, 10 to test)?"""
    return np.sqrt((1 / 10 + 10 / 20) / (1 / 10))


@exercise(
    "9.4",
    "Many splits give many errors. Their middle is asked, not their average.",
    "A column of ones beside the features, 200 splits, a quarter out; the median of the errors.",
    asks="count",
    code=True,
)
def diabetes_median() -> object:
    """What is the median leave-out error on the diabetes data, 200 splits, a quarter out?"""
    design, y = _diabetes()
    errors = generalization.leave_out_errors_linear(design, y, test_size=0.25, resamples=200, rng=0)
    # in squared points, where a decimal would mean nothing
    return round(float(generalization.location(errors).median))


def _diabetes() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    from sklearn.datasets import load_diabetes

    X, y = load_diabetes(return_X_y=True)
    return np.column_stack([np.ones(len(y)), X]), y


def _true_errors(design: NDArray[np.float64], y: NDArray[np.float64], n: int) -> Any:
    """Return the true errors, in points, of 2,000 models fitted to n patients each."""
    rng = np.random.default_rng(0)
    errors = []
    for _ in range(2000):
        mine, others = np.split(rng.permutation(len(y)), [n])
        fit = np.linalg.lstsq(design[mine], y[mine], rcond=None)[0]
        # the true error of this model is its mean square on all other patients
        errors.append(np.mean((y[others] - design[others] @ fit) ** 2))
    return np.sqrt(errors)
