"""Exercises of chapter 11: many models and data sets."""

import numpy as np

import errlab
from errlab import compare
from errlab.results import RatedPair
from errlab_book.exercises._exercise import exercise, tumours

_FOUR = [0.01, 0.02, 0.022, 0.3]


@exercise(
    "11.1",
    "Multiply the smallest p-value by 4, the next by 3, and so on.",
    "0.01 x 4 passes, 0.02 x 3 does not. After the first that fails, all larger ones fail.",
    asks="count",
    mistakes={
        "these are the p-values before the correction.": lambda: sum(p <= 0.05 for p in _FOUR),
        "0.022 times 2 is below 0.05, but a smaller p-value has failed before it.": 2,
        "0.01 times 4 is 0.04.": 0,
    },
)
def shown_by_holm() -> object:
    """How many of four differences does Holm's correction show at 5%?"""
    # Holm's corrected p-values never decrease in the order of the p-values
    return int((compare.holm(np.array(_FOUR)) <= 0.05).sum())


@exercise(
    "11.2",
    "How many models are shown to be better than C? How many are shown to be worse?",
    "Best: 1 plus the number shown to be better. Worst: 6 minus the number shown to be worse.",
    asks="count",
    parts=("best rank", "worst rank"),
    mistakes={
        "that is the end of the whole range. Some models are told from C.": [1, 6],
        "two models are shown to be better, and one is shown to be worse.": [2, 4],
    },
)
def ranks_left() -> object:
    """Which ranks are possible for C, if two of five others are shown better and one worse?"""
    # the models above C are shown to be better, those below to be worse; the others are undecided
    better, worse, models = 2, 1, 6
    return [1 + better, models - worse]


RANKS, SIGNED, POOLED = "Friedman and Nemenyi", "Wilcoxon", "McNemar"


@exercise(
    "11.3",
    "What was asked before the runs: something of all five procedures, or of two?",
    "What varies from draw to draw here, the examples or the data sets?",
    asks="choice",
    choices=(RANKS, SIGNED, POOLED),
    mistakes={
        "it asks about all ten pairs, and each procedure that you add lowers its power.": RANKS,
        "pooled examples tell of these 20 data sets; the largest of them would decide.": POOLED,
    },
)
def test_for_many_data_sets() -> object:
    """Which test compares two procedures, named beforehand, on 20 data sets?"""
    # the ranks of one procedure are better by half of a rank, on 15 of 20 data sets
    errors = np.tile([0.1, 0.2, 0.3, 0.4, 0.5], (20, 1))
    errors[:5, :2] = errors[:5, 1::-1]
    all_five = compare.friedman(errors)
    assert all_five.critical_difference is not None
    seen_in_ranks = all_five.ranks[1] - all_five.ranks[0] >= all_five.critical_difference
    alone = compare.wilcoxon(errors[:, 0] - errors[:, 1]).pvalue <= 0.05
    return SIGNED if alone and not seen_in_ranks else RANKS


@exercise(
    "11.4",
    "How many pairs are compared when all have the same rival?",
    "Give `baseline=` the name of the nearest neighbours, and look at the pair of LDA.",
    tolerance=5e-4,
    code=True,
    mistakes={
        "that is the p-value before the correction for four pairs.": lambda: (
            _against_all("LDA").pvalue
        ),
        "that is the p-value corrected for all ten pairs; here there are four.": lambda: (
            _against_all("LDA", baseline=None).adjusted
        ),
    },
)
def lda_against_the_baseline() -> object:
    """What is the p-value of LDA against nearest neighbours, corrected for four pairs?"""
    return _against_all("LDA").adjusted


def _against_all(name: str, baseline: str | None = "nearest neighbours") -> RatedPair:
    """Return the comparison of a classifier with nearest neighbours, among the chapter's five."""
    from sklearn import discriminant_analysis, linear_model, naive_bayes, neighbors, tree
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X_train, X_test, y_train, y_test = tumours()
    five = {
        "nearest neighbours": neighbors.KNeighborsClassifier(),
        "logistic regression": make_pipeline(StandardScaler(), linear_model.LogisticRegression()),
        "LDA": discriminant_analysis.LinearDiscriminantAnalysis(),
        "naive Bayes": naive_bayes.GaussianNB(),
        "tree": tree.DecisionTreeClassifier(random_state=0),
    }
    # all five are tested on the same 200 tumours, so the comparisons are paired
    predicted = {key: model.fit(X_train, y_train).predict(X_test) for key, model in five.items()}
    comparison = errlab.models(y_test, predicted, baseline=baseline)
    return next(
        pair for pair in comparison.pairs if {pair.a, pair.b} == {name, "nearest neighbours"}
    )
