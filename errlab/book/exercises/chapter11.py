"""Exercises of chapter 11: is A really better than B?"""

from __future__ import annotations

from scipy import stats

from errlab import compare
from errlab.book.exercises._exercise import exercise
from errlab.compare.many_models import RatedPair

_TEN = [0.02, 0.05, -0.01, 0.04, 0.03, 0.00, 0.06, 0.02, -0.02, 0.01]


@exercise(
    "11.1",
    tolerance=5e-4,
    hints=(
        "With the label turned, who is wrong on that case, and who is right?",
        "The case moves from one count to the other. Then coins: as uneven, or more, both sides.",
    ),
    mistakes=[
        (
            lambda: compare.mcnemar(3, 12).pvalue,
            "this is p before the correction.",
        ),
        (
            lambda: compare.mcnemar(3, 11).pvalue,
            "B is right on that case now, and so A is wrong: it does not vanish, it changes sides.",
        ),
        (
            lambda: compare.mcnemar(4, 11).pvalue / 2,
            "this is for one side. Before the test you did not know which is better.",
        ),
        (
            lambda: stats.binom.pmf(4, 15, 0.5),
            "this is the chance of exactly this split. Those that are rarer count as well.",
        ),
    ],
)
def one_label_corrected() -> object:
    """What is p if one of the 12 cases that B alone got wrong had the wrong label?"""
    return compare.mcnemar(3 + 1, 12 - 1).pvalue


@exercise(
    "11.2",
    asks="count",
    hints=(
        "The best that can happen: all disagreements fall on one side.",
        "Twice one half to the power m must be at most 0.05.",
    ),
    mistakes=[
        (lambda: 5, "with five, the smallest two-sided p-value is 6.25%: one-sided it would do.")
    ],
)
def fewest_disagreements() -> object:
    """How many cases must A and B disagree on, at least, for the exact test to find anything?"""
    return next(m for m in range(1, 100) if compare.mcnemar(m, 0).pvalue <= 0.05)


@exercise(
    "11.3",
    asks="number",
    tolerance=5e-4,
    code=True,
    hints=(
        "Ten differences have nine degrees of freedom, and the interval two sides.",
        (
            "The t quantile at 2.5% with nine degrees of freedom, times the standard deviation "
            "over the root of ten."
        ),
    ),
    mistakes=[
        (
            lambda: stats.norm.isf(0.025) * stats.sem(_TEN),
            "this has the normal quantile. With ten folds take Student's t.",
        ),
        (lambda: stats.t.isf(0.05, 9) * stats.sem(_TEN), "this is one-sided: 5% on the one side."),
        (
            lambda: 2 * stats.t.isf(0.025, 9) * stats.sem(_TEN),
            "this is the whole width. The reach above the mean is asked.",
        ),
    ],
)
def half_width_of_ten_folds() -> object:
    """How far does the 95 % interval of these ten differences reach above their mean?"""
    result = compare.kfold_paired_t(_TEN)
    low, high = result.interval or (0.0, 0.0)
    return (high - low) / 2


@exercise(
    "11.4",
    asks="count",
    code=True,
    hints=(
        "From the sum and the difference of the two shares of disagreement follow the shares.",
        (
            "A alone is wrong on 4%, B alone on 2%. Grow n until the exact test's power is 80%, "
            "and stays there."
        ),
    ),
    mistakes=[
        (
            lambda: compare.sample_size(lambda n: compare.mcnemar_power(n, 0.06, 0.04)),
            "these shares differ by 2 points, but add up to 10%.",
        )
    ],
)
def cases_for_two_points() -> object:
    """How many cases show a difference of 2 points, at 6 % disagreement, with power 80 %?"""
    return compare.sample_size(lambda n: compare.mcnemar_power(n, 0.04, 0.02))


@exercise(
    "11.5",
    tolerance=5e-4,
    code=True,
    hints=(
        "Two classifiers, one test set: what are the two counts that matter?",
        (
            "Count where only the first is wrong, and where only the second; then the exact test "
            "of the two."
        ),
    ),
)
def neighbours_against_logistic() -> object:
    """What is the exact p-value of nearest neighbours against logistic regression?"""
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=200, random_state=3)
    a = KNeighborsClassifier().fit(X_train, y_train)
    b = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    table = compare.mcnemar_table(y_test, a.predict(X_test), b.predict(X_test))
    return compare.mcnemar(table[0, 1], table[1, 0]).pvalue


@exercise(
    "11.6",
    tolerance=5e-4,
    code=True,
    hints=(
        "How many pairs are compared when all have the same rival?",
        "Give `baseline=` the name of the logistic regression, and look at the pair of the tree.",
    ),
    mistakes=[
        (
            lambda: _against_all("tree").pvalue,
            "that is the p-value before the correction for four pairs.",
        ),
        (
            lambda: _against_all("tree", baseline=None).adjusted,
            "that is the p-value corrected for all ten pairs; here there are four.",
        ),
    ],
)
def tree_against_the_baseline() -> object:
    """What is the tree's p-value against logistic regression, corrected for four pairs?"""
    return _against_all("tree").adjusted


def _against_all(name: str, baseline: str | None = "logistic") -> RatedPair:
    """The pair of one classifier and the logistic regression, among the five of the chapter."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=200, random_state=3)
    five = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "LDA": LinearDiscriminantAnalysis(),
        "Bayes": GaussianNB(),
        "neighbours": KNeighborsClassifier(),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    predicted = {key: model.fit(X_train, y_train).predict(X_test) for key, model in five.items()}
    found = compare.models(y_test, predicted, baseline=baseline)
    return next(pair for pair in found.pairs if {pair.a, pair.b} == {name, "logistic"})


@exercise(
    "11.7",
    asks="count",
    hints=(
        "If both were equal, each sign would be a coin. How likely is it that all fall one way?",
        "Two-sided, the p-value of n wins out of n is 2 / 2 ** n.",
    ),
    mistakes=[
        (lambda: 5, "five wins of five have p = 2/32, above 0.05: the test is two-sided."),
        (lambda: 4, "2/16 is far above 0.05."),
    ],
)
def wins_on_all_data_sets() -> object:
    """How many wins out of as many data sets does Wilcoxon's exact test need at 0.05?"""
    return next(n for n in range(2, 20) if 2 * 0.5**n <= 0.05)
