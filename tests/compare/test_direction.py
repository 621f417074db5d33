"""Which count belongs to which model: by keyword, by labelled rows, or in the first words."""

import numpy as np
import pandas as pd
import pytest

from errlab import compare

A_WRONG, B_WRONG = 12, 3
LABELLED = pd.DataFrame(
    [[50, B_WRONG], [A_WRONG, 35]], ["A right", "A wrong"], ["B right", "B wrong"]
)


def winner(result):
    first, second = str(result).splitlines()
    assert first.startswith(f"Only A is wrong on {A_WRONG} examples, only B on {B_WRONG}: ")
    return second.split()[0]


def test_the_winner_is_the_one_that_is_wrong_less_often():
    assert winner(compare.mcnemar(only_a_wrong=A_WRONG, only_b_wrong=B_WRONG)) == "B"
    assert winner(compare.mcnemar(A_WRONG, B_WRONG)) == "B"


@pytest.mark.parametrize("flip", [1, -1])
@pytest.mark.parametrize("turn", [1, -1])
def test_a_labelled_table_is_read_in_any_order(flip, turn):
    table = LABELLED.iloc[::flip, ::turn]
    assert winner(compare.mcnemar(table)) == "B"
    assert winner(compare.paired_difference(table)) == "B"
    assert compare.paired_difference(table).estimate == pytest.approx(9 / 100)


def test_tables_of_other_libraries_are_refused_and_the_counts_are_named():
    """Their documentation defines the first row as (both right, only model 2 wrong)."""
    table = np.array([[50, B_WRONG], [A_WRONG, 35]])
    for other in (table, table.tolist(), pd.DataFrame(table)):
        with pytest.raises(ValueError, match=r"only_a_wrong=table\[1\]\[0\], only_b_wrong=table"):
            compare.mcnemar(other)
    labels = compare.mcnemar(only_a_wrong=table[1][0], only_b_wrong=table[0][1])
    assert winner(labels) == "B"
    statsmodels = pytest.importorskip("statsmodels.stats.contingency_tables")
    assert labels.pvalue == pytest.approx(statsmodels.mcnemar(table, exact=True).pvalue)


def test_two_test_sets_say_whose_errors_are_whose():
    first = str(compare.two_proportions(10, 100, 20, 200)).splitlines()[0]
    assert first.startswith("The error of A (10 in 100) minus error of B (20 in 200) is 0")


def test_confidence_is_one_minus_delta_and_not_given_twice():
    assert compare.mcnemar(12, 3, confidence=0.9).delta == 0.1
