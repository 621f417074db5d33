"""The sentences of reports, with gaps; the book's pages fill them with the reader's counts."""

from errlab._core.conditions import CASES as CASES
from errlab._core.conditions import GROUPS_DRAWN as GROUPS_DRAWN

# The two lines about one classifier: the estimate, and the bound.
VALUE = {
    "error": "{errors} in {cases}: an error rate of {rate}, {ends}.",
    "success rate": "{errors} in {cases}: a success rate of {rate}, {ends}.",
    "mean": "{cases} in [{least:g}, {largest:g}]: a mean of {rate}, {ends}.",
}
ENDS = "two-sided {sure} interval {low} to {high}"
BOUND = "With {sure} confidence the true {what} is at {most} {upper} ({how})."
# The two lines about two classifiers: the difference, and the verdict with its test.
DIFFERENCE = (
    "{what} of {a} minus that of {b} in {cases}: {difference}{unit}, {sure} interval {low} to "
    "{high}."
)
ANSWER = "{answer} ({how})."
ANSWERS = {
    "better": "{b} is better than {a} at level {level}",
    "worse": "{a} is better than {b} at level {level}",
    "cannot tell": "This test does not show that either is better",
}
ANSWERS_WITH_MARGIN = {
    "better": ANSWERS["better"],
    "worse": "{b} is worse than {a} at level {level}, by {excess} the margin of {margin}",
    "not worse": "{b} is not worse than {a} by more than the margin of {margin} at level {level}",
    "cannot tell": (
        "This test cannot tell whether {b} is worse than {a} by more than the margin of {margin}"
    ),
}
TEST = "{method}, {chance}"
AT_MARGIN = "{method}, {chance} at the margin"
# McNemar's test shows a difference, but doesn't compare it with the margin.
BESIDE = "; the margin: interval of Fay and Lumbard, nothing proven"

# Cautions.
APART = "Caution: this is the {kind} over cases; where each group counts alike, it is {rate}."

# The evidence.
EQUAL = "they are all equal, so that no design effect can be seen"
ERRORS = "{number} of them hold an error"
ONE_ERROR = "{number} of them holds an error"
DIFFER = "the two differ in {number} of them"
EFFECT = (
    "the design effect{of} is {effect}, so that they tell about as much as {size} independent cases"
)
AT_END = "The mean is an end of it: the bets, in the order that was drawn, rule out even more."
ALIKE = (
    "The mean over groups, where each group counts alike, is {rate}: with {sure} confidence the "
    "true one is at {most} {upper}, and the two-sided interval is {low} to {high} (the same bets "
    "on the group means; finite sample)."
)
ALIKE_OF_TWO = (
    "Of the mean over groups, where each group counts alike, it is {difference}{unit}, {sure} "
    "interval {low} to {high}{unit} (the same bets on the group means; finite sample)."
)
NOT_THE_OTHER = "What is claimed of the mean over cases does not hold for that over groups."
BASELINE = "Always answering {common} would be wrong on {rate} of these cases."
ONE = (
    "{name}: {errors} in {cases} ({rate}); with {sure} confidence its true {what} is at {most} "
    "{upper}."
)
ONE_MEAN = "{name}: a mean of {rate}; with {sure} confidence its true {what} is at {most} {upper}."
DISAGREE = "They disagree in being right on {cases}: only {a} is wrong on {n01}, only {b} on {n10}."
OF_MCNEMAR = (
    "The interval is Fay and Lumbard's, which excludes 0 where the exact McNemar test rejects; its "
    "coverage is computed, not proven."
)

# Conditions of reports only.
ALONE = (
    "the test set was used for this report alone; the bound and the interval are two claims, each "
    "by itself"
)
CLAIMS = (
    "the test set was used for this report alone; the two bounds and the comparison are three "
    "claims, each by itself{together}"
)
TOGETHER = " (together they hold with at least {sure} confidence)"
CHOSEN = "the pair was chosen before the test, not as the best of many"
MARGIN = "the margin was chosen before the test"
