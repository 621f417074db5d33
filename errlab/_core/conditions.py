"""The conditions under which claims hold, in words that all results share."""

# conditions of claims about examples, and about examples in groups
CASES = (
    "the examples are independent draws from the population that the claim is about",
    "none of them was used to train, tune or choose the classifier",
)
GROUPS_DRAWN = (
    "the groups are independent draws from the population that the claim is about; examples of one "
    "group may resemble each other"
)
ORDER = "the order in which the scores are read was fixed beforehand, not chosen among several"
LARGEST_GROUP = (
    "no group of that population has more examples than the largest that was given, "
    "or else met here"
)
# Conditions of comparisons of counts of examples, groups, folds, or data sets.
_TWO_SETS = ("the two test sets were drawn independently of each other", *CASES)
_GROUPS = (GROUPS_DRAWN, CASES[1])
_FOLDS = (
    "the folds' differences are normal, and as dependent as the test takes them to be; of one data "
    "set nobody can check it",
)
_DATA_SETS = (
    "the data sets are independent draws from those that the claim is about",
    "none of them was used to design or choose a classifier",
)
OF_COMPARISONS = {
    "counts": CASES,
    "table": CASES,
    "small table": CASES,
    "paired losses": CASES,
    "loss matrix": CASES,
    "two test sets": _TWO_SETS,
    "grouped losses": _GROUPS,
    "fold differences": _FOLDS,
    "5x2 differences": _FOLDS,
    "differences over data sets": _DATA_SETS,
    "errors over data sets": _DATA_SETS,
}
