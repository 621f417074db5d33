"""Answers to the exercises of chapter 1, test error and true error."""

from errlab import losses
from errlab_book.exercises._exercise import exercise, tumours


@exercise(
    "1.1",
    "The model is the same. What the average weighs the losses with is not.",
    "Losses 0, 1, 1: weigh them once with 0.6, 0.3, 0.1 and once with 0.35, 0.45, 0.2.",
    mistakes={
        "the model stays, its true error does not: that depends on which patients come.": 0.0,
        "this is the true error at the new place. By how much does it rise?": 0.65,
        "this is the true error at the old place. By how much does it rise?": 0.4,
        "the last kind becomes more frequent as well.": 0.45 - 0.3,
        "this is what becomes of the patients that it gets right.": 0.35 - 0.6,
    },
)
def the_same_model_elsewhere() -> object:
    """By how much does the true error rise if the three kinds have other probabilities?"""
    # probabilities of the three kinds of patients; the model gets the first kind right
    old = [0.6, 0.3, 0.1]
    new = [0.35, 0.45, 0.2]
    return losses.risk([0, 1, 1], new) - losses.risk([0, 1, 1], old)


@exercise(
    "1.2",
    "The 0/1 loss asks only which side of zero the score is on. A score of 0 counts as label -1.",
    "The linear soft loss is (1 - label * score) / 2, clipped to [0, 1].",
    parts=("mean 0/1 loss", "mean soft loss"),
    mistakes={
        # a score of 0 read as label 1, and the soft loss of the score -1.5 not clipped at 0
        "watch the two odd examples: a score of 0 is label -1, and losses stay in [0, 1].": [
            1 / 4,
            (0.3 + 0.6 - 0.25 + 0.5) / 4,
        ],
    },
)
def two_losses() -> object:
    """What are the mean hard and the mean linear soft loss of four examples?"""
    labels = [1, -1, -1, 1]
    scores = [0.4, 0.2, -1.5, 0.0]
    hard = losses.from_scores(labels, scores)
    soft = losses.linear_soft_loss(labels, scores)
    return [hard.mean(), soft.mean()]


@exercise(
    "1.3",
    "The two labels differ if exactly one of them is flipped.",
    "Flipped and true, or true and flipped: add the two probabilities.",
    mistakes={
        "the neighbour's label may be flipped too.": 0.2,
        "this is one of the two ways. The other one is as probable.": 0.2 * 0.8,
        "if both labels are flipped, they agree.": 1 - 0.8 * 0.8,
        "this is how often both labels are flipped: then they agree.": 0.2 * 0.2,
    },
)
def neighbour_disagrees() -> object:
    """How often do two labels at one place differ, each flipped with probability 0.2?"""
    # neither flipped, the first, the second, both: labels differ if exactly one is flipped
    return losses.risk([0, 1, 1, 0], [0.8 * 0.8, 0.8 * 0.2, 0.2 * 0.8, 0.2 * 0.2])


@exercise(
    "1.4",
    "A full tree knows its training examples by heart. What is left of the difference?",
    "Take the mean hard loss on X_test and on X_train, and subtract.",
    code=True,
    # one of 200 test tumours is half a point, so any other count gives another answer
    tolerance=5e-4,
    mistakes={"that is its error on the training examples alone.": 0.0},
)
def tree_gap() -> object:
    """By how much does the test error of a full tree exceed its training error?"""
    from sklearn.tree import DecisionTreeClassifier

    X_train, X_test, y_train, y_test = tumours()
    tree = DecisionTreeClassifier(random_state=0).fit(X_train, y_train)
    return (tree.predict(X_test) != y_test).mean() - (tree.predict(X_train) != y_train).mean()
