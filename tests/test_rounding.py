"""Numbers as they stand in sentences: by decimal arithmetic, done by hand."""

import pytest

from errlab._core import rounding


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.9996, "0.9996"),  # three decimals would make 1 of it
        (-0.9996, "-0.9996"),
        (0.0004, "0.0004"),
        (1.9996, "2"),
        (0.9994, "0.999"),
        (1.0, "1"),
        (-1.0, "-1"),
        (0.0, "0"),
    ],
)
def test_what_is_not_a_whole_is_not_printed_as_one(value, shown):
    assert rounding.fixed(value, 3) == shown


def test_an_end_next_to_0_is_not_printed_as_0():
    assert rounding.ends(9.9e-301, 0.5) == "above 0 to 0.5"
    assert rounding.ends(1.2e-300, 0.5) == "1.2e-300 to 0.5"
    assert rounding.ends(-0.5, -9.9e-301) == "-0.5 to below 0"
    assert rounding.ends(-0.5, -1.2e-300) == "-0.5 to -1.2e-300"
