"""Conditions that several reports share."""

CASES = (
    "the cases are independent draws from the population that the claim is about",
    "none of them was used to train, tune or choose the classifier",
)
CONDITIONS = (
    *CASES,
    "the test set was used for this report alone; the bound and the interval are two claims, each "
    "by itself",
)
