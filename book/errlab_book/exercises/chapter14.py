"""Answers to the exercises of chapter 14, confusion matrices and curves."""

from typing import Any

import errlab
from errlab import bounds, metrics
from errlab_book.exercises._exercise import exercise, tumours

_TABLE = metrics.Confusion(tp=45, fp=15, fn=5, tn=935)


def _malignant() -> Any:
    """Probability of being malignant, for the chapter's 200 test tumours."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X_train, X_test, y_train, _ = tumours()
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    # class 0 of the data set is malignant
    return model.predict_proba(X_test)[:, 0]


@exercise(
    "14.1",
    "Of the payments that were flagged, how many are frauds?",
    "True positives over all that were flagged.",
    tolerance=5e-4,
    mistakes={
        "this is the recall: of the frauds, how many were found.": lambda: (
            _TABLE.rate("recall").value
        ),
        "this is the accuracy.": (45 + 935) / 1000,
        "divide by the payments that were flagged.": 45 / 1000,
    },
)
def precision_by_hand() -> object:
    """What is the precision of the table?"""
    # of the 60 flagged examples, 45 are frauds
    return _TABLE.rate("precision").value


@exercise(
    "14.2",
    "Sensitivity divides by the positives, so leave FP and TN alone. How many does it take?",
    "Of n positives nine tenths are TP and one tenth FN; read the lower end of the interval.",
    asks="count",
    mistakes={
        "this is for the one-sided bound. The interval has 2.5% at each end.": lambda: next(
            n for n in range(10, 1000, 10) if bounds.lower("CP", 0.9, n) >= 0.85
        ),
        "this is for the normal interval, which promises too much here.": lambda: next(
            n for n in range(10, 1000, 10) if bounds.interval("NOR", 0.9, n).low >= 0.85
        ),
        "with 50 the interval begins below 80%. It takes more.": 50,
    },
)
def ill_for_a_recall() -> object:
    """How many positives (in tens) raise the low end of recall to 85 %, if 90 % are found?"""
    return next(
        n
        for n in range(10, 1000, 10)
        # nine tenths of the positives are found, whatever the number of negatives
        if metrics.rate_interval(
            metrics.Confusion(tp=9 * n // 10, fp=15, fn=n // 10, tn=935), "recall"
        ).low
        >= 0.85
    )


@exercise(
    "14.3",
    "Think of 100,000 people. How many alarms come from the ill, how many from the healthy?",
    "95 alarms from 100 ill; 2% of 99,900 healthy. Which fraction of all alarms are the first?",
    tolerance=5e-4,
    mistakes={
        "that is how often an ill person gets an alarm; the question is flipped.": 0.95,
        "the healthy are so many that 2% of them outnumber the ill.": 0.98,
        "this is the probability of illness with alarm. Divide by that of an alarm.": 0.95 * 0.001,
    },
)
def rare_disease() -> object:
    """How likely is a positive to be ill, at TPR 0.95, FPR 0.02 and prevalence 0.1 %?"""
    # Bayes' rule, with the prevalence as the probability of illness
    return metrics.precision_at(0.95, 0.02, 0.001)


@exercise(
    "14.4",
    "Both areas come from the same tumours: which interval knows that?",
    "Look where the interval of the difference lies. Does any of the numbers speak of a threshold?",
    asks="choice",
    choices=("a", "b", "c"),
    mistakes={
        "two intervals that overlap refute nothing. Both areas rise and fall with the same "
        "tumours, so look at the interval of the difference.": "b",
        "an area takes all thresholds together. At a single one the order may be another.": "c",
    },
)
def naive_bayes_and_neighbours() -> object:
    """What can you report of two areas whose intervals overlap, and of their difference?"""
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    X_train, X_test, y_train, y_test = tumours()
    bayes, five = (
        # class 0 of the data set is malignant
        model.fit(X_train, y_train).predict_proba(X_test)[:, 0]
        for model in (GaussianNB(), KNeighborsClassifier())
    )
    ahead = errlab.metric(1 - y_test, bayes, five, metric="roc_auc")
    return "a" if ahead.low > 0 else "b"


@exercise(
    "14.5",
    "Ten of twenty, as any fraction: an exact two-sided interval around it.",
    "Type TP = 10 and FN = 10 into the lab, and read the upper end of the sensitivity.",
    tolerance=5e-4,
    mistakes={
        "this is the lower end.": lambda: bounds.interval("CP", 0.5, 20).low,
        "this is the fraction itself.": 0.5,
        "this is the one-sided bound; the interval has 2.5% at each end.": lambda: (
            bounds.clopper_pearson(0.5, 20)
        ),
    },
)
def bin_of_twenty() -> object:
    """Where does the exact interval of a bin with 10 malignant tumours in 20 end?"""
    # the interval extends above 70%, so the data don't contradict the model
    return bounds.interval("CP", 0.5, 20).high


@exercise(
    "14.6",
    "Announce the surest first. Each adds its own probability of being a false one.",
    "Sort by p, and go on as long as the mean of 1 - p is at most 1%.",
    asks="count",
    code=True,
    mistakes={
        "each of these is sure to 99%. The mean over all that are announced may reach "
        "1%.": lambda: int((_malignant() >= 0.99).sum()),
    },
)
def announced_at_one_percent() -> object:
    """How many malignant tumours can be announced at a false discovery rate of 1 %?"""
    return metrics.fdr_threshold(_malignant(), 0.01).number
