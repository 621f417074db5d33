"""The page of errata: one test of a claim computes the numbers of each row, and states them."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CELLS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in (ROOT / "book" / "errata.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| Where", "| ---"))
]


def numbers_of_tests():
    """Numbers in the source of each test of a claim, with those of its parameters."""
    for path in (ROOT / "tests" / "claims").glob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                parts = [
                    ast.get_source_segment(text, part) for part in (*node.decorator_list, node)
                ]
                found = re.findall(r"(?<![\w.])(?:\d[\d_]*)?\.?\d+", "\n".join(parts))
                yield {abs(float(number)) for number in found}


TESTS = list(numbers_of_tests())


def holds(known, text, percent):
    """Whether a number of the page is among those of a test; a percentage may be a share there."""
    scales = (1, 100) if percent else (1,)
    return any(abs(scale * k - float(text)) < 1e-9 for k in known for scale in scales)


@pytest.mark.parametrize("row", CELLS, ids=lambda row: row[0])
def test_the_numbers_of_a_row_stand_in_one_test(row):
    *_, kind, number = row
    assert len(row) == 5
    assert kind in "ABCR"
    said = re.findall(r"(?<![\d,.])(\d+\.\d+)(\\?%)?", number)
    assert number, "or a dash, where reading alone shows the slip"
    assert any(all(holds(known, *one) for one in said) for known in TESTS)
