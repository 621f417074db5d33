"""errlab by task: the reader's data, under the names that the tasks use."""

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

digits, label = load_digits(return_X_y=True)
train, test, y_train, y_test = train_test_split(digits, label, test_size=400, random_state=0)
classifiers = (
    KNeighborsClassifier(),
    GaussianNB(),
    DecisionTreeClassifier(max_depth=9, random_state=0),
)
knn, bayes, tree = (c.fit(train, y_train).predict(test) for c in classifiers)
resolved = (tree == y_test).astype(int)
X, y = load_breast_cancer(return_X_y=True)
y = 1 - y  # 1 is malignant
rng = np.random.default_rng(0)
marks = rng.choice([1, 2, 3, 4, 5], 805, p=[0.05, 0.1, 0.2, 0.35, 0.3])
prompt = np.repeat(np.arange(60), 10)
solved = rng.random(600) < np.repeat(rng.beta(1, 1, 60), 10)
labels, judged = resolved[:100], resolved[:100] ^ (rng.random(100) < 0.1)
judged_more = (rng.random(3000) < judged.mean()).astype(int)
hard = rng.random(500)
answers = {f"model {i}": (hard + rng.random(500) < 0.9 + 0.1 * i).astype(int) for i in range(5)}
table = {
    "model": np.repeat(list(answers), 500),
    "task": np.tile(np.arange(500), 5),
    "solved": np.concatenate(list(answers.values())),
}
wins = rng.choice([0, 0.5, 1], 300, p=[0.35, 0.2, 0.45])
score_a, score_b = X[:, 0], X[:, 1]
model = make_pipeline(StandardScaler(), LogisticRegression())


def numbers() -> list[str]:
    """Nothing in the prose of this page is computed."""
    return []


GIVEN = [
    "errlab report --errors 7 --n 200",
    "1 for a win, 0 for a loss, 0.5 for a tie",
    "contains 0.5 shows no winner",
    "--min-score 0.8",
    "One system, one column of 0 and 1",
    "one 0 or 1 for each task",
    "Five classifiers, or fifty",
    "predictions that are 1 where `score_a` is above 15",
    "`marks` from 1 to 5, where 5 is best",
    "`labels` and `judged` of 100 examples, and `judged_more` of 3,000 others",
    "(`y` is 1)",
    "--margin 0.01",
    *("is 0 if the", "1 if it is", "3 if the", "2 if a file"),
]
