"""Compare a claim's numbers on the errata page with those that its test measured."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[1] / "book" / "errata.md"
NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?")
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| Where", "| ---"))
]
NUMBERS = {
    row[0].replace("†", "").strip(): [
        n.rstrip(",").replace(",", "") for n in NUMBER.findall(row[-1])
    ]
    for row in ROWS
}


def errata(where, *numbers):
    """Compare each number of a row, in order and including integers, with the test's values."""
    digits = [len(text.partition(".")[2]) for text in NUMBERS[where]]
    assert NUMBERS[where] == [f"{n:.{d}f}" for n, d in zip(numbers, digits, strict=True)]
    return "as printed"
