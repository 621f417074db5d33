"""Answers to the exercises of chapter 9, the distribution of the error."""

import numpy as np

from errlab import datasets, generalization
from errlab.book.exercises._exercise import exercise


@exercise(
    "9.1",
    "Move the largest value further out. Which of the two notices?",
    "Half of the values lie below the median however far the others reach.",
    asks="choice",
    choices=("average", "median"),
    mistakes={"the long tail pulls the other one.": "median"},
)
def larger_measure() -> object:
    """Which is larger for a long tail to the right: the average or the median?"""
    # squares have a long tail to the right
    sample = datasets.ar1_regression(400, p=2, rng=0).y ** 2
    where = generalization.location(sample)
    return "average" if where.mean > where.median else "median"


@exercise(
    "9.2",
    "The dash-dotted line of the first explorer moves to the left as patients come in.",
    "It stands at 69.6 with one of the five numbers.",
    asks="count",
    mistakes={
        "one model in twenty misses by more than 87 points there.": 30,
        "that is enough, but a smaller number of the slider is, too.": 100,
    },
)
def patients_for_seventy_points() -> object:
    """With how many patients does fewer than one model in twenty miss by over 70 points?"""
    from sklearn.datasets import load_diabetes

    X, y = load_diabetes(return_X_y=True)
    design = np.column_stack([np.ones(len(y)), X])

    def quantile(n: int) -> float:
        rng = np.random.default_rng(0)
        errors = []
        for _ in range(2000):
            order = rng.permutation(len(y))
            mine = order[:n]
            others = order[n:]
            fit = np.linalg.lstsq(design[mine], y[mine], rcond=None)[0]
            # the true error of this model is its mean square on all other patients
            errors.append(np.mean((y[others] - design[others] @ fit) ** 2))
        return float(np.sqrt(np.quantile(errors, 0.95)))

    # the sizes of the slider, in points of the disease score: the root of the squares
    return next(n for n in (20, 30, 50, 100, 200) if quantile(n) < 70)


@exercise(
    "9.3",
    "The variance of the mean gets 1/J + 10/20 in place of 1/J. What is J here?",
    "The root of (1/10 + 10/20) / (1/10).",
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
    from sklearn.datasets import load_diabetes

    X, y = load_diabetes(return_X_y=True)
    design = np.column_stack([np.ones(len(y)), X])
    errors = generalization.leave_out_errors_linear(design, y, test_size=0.25, resamples=200, rng=0)
    # in squared points, where a decimal would say nothing
    return round(float(generalization.location(errors).median))
