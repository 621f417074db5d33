"""The page of errata: for each row, a test of a claim measures its numbers (`errata_page`)."""

import re
from pathlib import Path

from errata_page import NUMBERS, ROWS

TESTS = Path(__file__).parents[1]
CLAIMS = [*(TESTS / "claims").glob("test_*.py"), TESTS / "data" / "claims.txt"]


def test_each_row_has_a_name_of_its_own_a_kind_and_what_shows_it():
    assert all(len(row) == 5 for row in ROWS)
    assert {kind for *_, kind, _ in ROWS} == set("ABCR")
    assert all(number for *_, number in ROWS), "or a dash, where reading alone shows the slip"
    assert len(NUMBERS) == len(ROWS)


def test_the_numbers_of_each_row_are_compared_with_what_one_test_measures():
    tests = "".join(path.read_text("utf-8") for path in CLAIMS)
    compared = re.findall(r'\berrata\(\s*r?"([^"]+)"', tests)
    assert sorted(compared) == sorted(where for where, numbers in NUMBERS.items() if numbers)
