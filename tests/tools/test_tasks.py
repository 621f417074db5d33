"""The jobs of practice: each in three lines at most, on data that a package ships or that is made.

Each test makes its data first; what a user types stands between the two comments.
"""

import sys
from pathlib import Path

import numpy as np
import pytest
import scipy
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import errlab
from errlab import bounds, metrics

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import tasks


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    train, test, y_train, y_test = train_test_split(X, y, test_size=400, random_state=0)
    models = KNeighborsClassifier(), GaussianNB()
    return y_test, *(model.fit(train, y_train).predict(test) for model in models)


def test_one_column_of_zero_and_one(digits):
    y, pred, _ = digits
    resolved = (pred == y).astype(int)
    # what a harness writes: one 0 or 1 a task
    result = errlab.report(scores=resolved)
    # the same claim as from labels, seen from the other side
    labels = errlab.report(np.ones(400, int), resolved)
    assert result.mean == (pred == y).mean()
    assert (result.low, result.high) == pytest.approx((1 - labels.high, 1 - labels.low))


def test_two_columns_of_zero_and_one(digits):
    y, a, b = digits
    # two systems on the same tasks
    result = errlab.report(scores=a == y, scores_b=b == y, names=("old", "new"))
    # the exact McNemar test of the labels
    assert result.pvalue == errlab.report(y, a, b).pvalue
    assert result.guarantee == "exact"


def test_marks_of_a_judge():
    rng = np.random.default_rng(0)
    marks = rng.choice([1, 2, 3, 4, 5], 805, p=[0.05, 0.1, 0.2, 0.35, 0.3])
    # marks from 1 to 5, more is better
    result = errlab.report(scores=marks, range=(1, 5))
    # proven, and never [100% errors]
    assert result.guarantee == "finite sample"
    assert result.low < marks.mean() < result.high
    assert result.high - result.low < 0.35


def test_several_answers_to_one_prompt():
    """As HumanEval: tasks with ten runs each. Case by case the interval holds in half of them."""
    rng = np.random.default_rng(0)
    rate = rng.choice([0.0, 0.05, 0.3, 1.0], 164, p=[0.5, 0.25, 0.15, 0.1])  # of each task
    held = {"naive": 0, "groups": 0}
    for _ in range(60):
        tasks = np.repeat(rng.choice(164, 60), 10)
        prompt = np.repeat(np.arange(60), 10)
        solved = rng.random(600) >= rate[tasks]
        # the groups are the prompts
        result = errlab.report(scores=solved, groups=prompt)
        # against the truth
        naive = errlab.report(scores=solved)
        held["groups"] += result.low <= 1 - rate.mean() <= result.high
        held["naive"] += naive.low <= 1 - rate.mean() <= naive.high
    assert held["naive"] < 42
    assert held["groups"] > 51


def test_the_area_where_patients_have_several_lesions():
    X, y = load_breast_cancer(return_X_y=True)
    patient = np.arange(len(y)) // 3
    # a score, and whose lesion it is
    low, high = metrics.area_interval(1 - y, X[:, 0], groups=patient)
    # around the area
    assert low < metrics.area(1 - y, X[:, 0]) < high


def test_a_look_before_it_is_done():
    rng = np.random.default_rng(1)
    stream = [(rng.random() < 0.2, rng.random() < 0.2) for _ in range(1500)]
    # watch, and stop when it has decided
    test = errlab.watch()
    for a, b in stream:
        test.update(a, b)
    # equal classifiers: nothing is decided
    assert not test.decided
    assert test.n == 1500


def test_the_review_s_wrong_answers_are_right_now():
    rng = np.random.default_rng(2)
    harder = np.sort(rng.random(500) < np.linspace(0, 0.4, 500))  # a benchmark sorted by difficulty
    low, high = bounds.interval("BET", losses=harder)
    assert low < harder.mean() < high
    with pytest.raises(ValueError, match=r"graded scores report\(scores="):
        errlab.report(np.ones(805, int), rng.random(805))
    with pytest.raises(ValueError, match="share labels"):
        errlab.report(["pass"] * 4, ["yes", "yes", "no", "no"])


@pytest.fixture(scope="module")
def given():
    return tasks.names()


@pytest.mark.parametrize("task", tasks.TASKS, ids=lambda task: task.title)
def test_a_job_of_the_page_is_three_lines_and_says_something(task, given):
    assert len(task.lines.splitlines()) <= 3
    printed = tasks.run(task, given)
    assert len(printed) > 20
    assert " object at 0x" not in printed


def test_many_classifiers_are_each_told_from_the_others_or_not(digits):
    y, near, logistic = digits
    # every pair, adjusted
    found = errlab.compare.models(y, {"near": near, "logistic": logistic, "same": near})
    # the copy is not told from its original
    assert ("near", "same") in [tuple(sorted(names)) for names in found.together]


def test_two_areas_in_one_call():
    X, y = load_breast_cancer(return_X_y=True)
    # two markers on the same patients
    found = errlab.metric(1 - y, X[:, 0], X[:, 1], metric="roc_auc")
    # the variance of the difference, from the covariance
    _, c = metrics.delong(1 - y, X[:, :2].T)
    z = found.value / np.sqrt(c[0, 0] + c[1, 1] - 2 * c[0, 1])
    assert found.pvalue == pytest.approx(2 * scipy.stats.norm.sf(abs(z)))


def test_the_sizes_of_the_review():
    # how many tasks
    found = errlab.plan(error=0.258, half_width=0.02)
    # as computed there
    assert found.n == 1956
