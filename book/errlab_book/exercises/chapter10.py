"""Exercises of chapter 10: is A really better than B?"""

import scipy

from errlab import compare
from errlab_book.exercises._exercise import exercise


@exercise(
    "10.1",
    "With the label corrected, who is wrong on that example, and who is right?",
    "The example moves from one count to the other. Then coins, both sides.",
    # three decimals, as p-values are printed
    tolerance=5e-4,
    mistakes={
        "this is p before the correction.": lambda: compare.mcnemar(3, 12).pvalue,
        "B is right on that example now, and A is wrong: it does not vanish, it changes "
        "sides.": lambda: compare.mcnemar(3, 11).pvalue,
        "this is for one side. Before the test you did not know which is better.": lambda: (
            compare.mcnemar(4, 11).pvalue / 2
        ),
        "this is the probability of exactly this split. Rarer ones count as well.": lambda: (
            scipy.stats.binom.pmf(4, 15, 0.5)
        ),
    },
    # the lab prints a p-value of this size with two digits
    reading=lambda: round(compare.mcnemar(4, 11).pvalue, 2),
)
def one_label_corrected() -> object:
    """What is p if one of the 12 examples that B alone got wrong had the wrong label?"""
    # with the right label B is right on this example, and A, which agreed with the wrong one, is
    # wrong
    return compare.mcnemar(3 + 1, 12 - 1).pvalue


@exercise(
    "10.2",
    "Type 30, 12, 15 and 343 into the lab. Which end of its interval speaks against B?",
    "B is worse by at most 3.7 points. Which margins are wider than that?",
    asks="choice",
    choices=("1 point", "2 points", "4 points"),
    mistakes={
        "that is near the difference seen; the true one may be larger.": "1 point",
        "that is near the end where A is worse. Look at the other one.": "2 points",
    },
)
def smallest_margin() -> object:
    """At which margin can the cheaper B replace A?"""
    # the interval is that of A minus B: its lower end is the worst for B
    low, _ = compare.paired_difference([[30, 12], [15, 343]], method="exact").interval or (0.0, 0.0)
    return next(f"{m} point{'s' * (m > 1)}" for m in (1, 2, 4) if -100 * low < m)


@exercise(
    "10.3",
    "The last picture of test sets has a line for models that disagree on 5%.",
    "Follow that line to 3 points, and read the axis on the left.",
    asks="choice",
    choices=("100", "400", "2,000"),
    mistakes={
        "so few find 3 points less than half of the time.": "100",
        "that is what half the difference takes.": "2,000",
    },
)
def examples_for_three_points() -> object:
    """About how many examples show 3 points, at 5% disagreement, with power 80%?"""
    needed = compare.sample_size(lambda n: compare.mcnemar_power(n, 0.04, 0.01, method="mid-p"))
    return min(("100", "400", "2,000"), key=lambda n: abs(int(n.replace(",", "")) - needed))


@exercise(
    "10.4",
    "The two fractions add up to 6% and differ by 2 points. What are they?",
    (
        "A alone is wrong on 4%, B alone on 2%. Grow n until the exact test's power is 80%, and "
        "stays there."
    ),
    asks="count",
    code=True,
    mistakes={
        "these fractions differ by 2 points, but add up to 10%.": lambda: compare.sample_size(
            lambda n: compare.mcnemar_power(n, 0.06, 0.04)
        ),
    },
)
def cases_for_two_points() -> object:
    """How many examples show a difference of 2 points, at 6% disagreement, with power 80%?"""
    return compare.sample_size(lambda n: compare.mcnemar_power(n, 0.04, 0.02))
