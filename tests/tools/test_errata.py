"""The page of errata: every row names its test here, and every number of it stands in that test."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
READING = None  # a slip that reading alone shows; its row has no number
# rows in the order of the page: the tests that compute the numbers, by the start of their names
CHECKED: dict[str, Any] = {
    "The survey": [
        ("Section 1.1", "1_1_the_empirical_error_usually"),
        ("Eq. 8", "1_1_eq_8"),
        ("Eqs. 9, 11, 12", "1_2_eqs_9"),
        ("Eq. 22 †", "2_2_eq_22"),
        ("Eq. 23", READING),
        ("Eqs. 32 to 35", "3_1_two_sided"),
        ("After Eqs. 36, 39; 3.4", READING),
        ("Section 3.2", "3_2_guttman"),
        ("Eq. 39 †", "3_3_eq_39"),
        ("Eq. 40", "3_3_eq_40"),
        ("Eq. 41", "3_4_eq_41"),
        ("Table 1 †", READING),
        ("Section 4.2, simulation", "4_2_normal_errors_are_bounded"),
        ("Section 4.2, theory", "4_2_normal_errors_are_covered"),
        ("Section 4.2, Fig. 15", READING),
        ("Sections 4.2, 5", "4_2_against_5"),
        ("Section 5, WIL", "4_1_and_5_wilson"),
        ("Section 5, age", "5_methods"),
        ("Eq. 51", "a_eq_51_the_average"),
        ("Eq. 51, CP", "a_eq_51_fails"),
    ],
    "Larsen and Hansen": [
        ("Optimal split †", "printed_beta"),
        ("Eq. 5", "the_optimal_split_is_for_measuring"),
        ("Footnote 14 †", "footnote_14"),
        ("Table 1", "table_one_at_full_size"),
        ("Table 1, repeats", READING),
        ("Test over splits", "the_differences_of_the_splits"),
        ("Trimmed average", "the_printed_trimmed_average"),
    ],
    "Laber and Murphy": [
        ("Section 2, test error †", READING),
        ("Section 2, known distribution", READING),
        ("Section 2, Bayes †", "counting_the_right_cases"),
        ("Sections 3, 5", "alpha_n_fits_the_mean"),
        ("Section 4, $\\mathcal{Q}^{(b)}$ †", READING),
        ("Section 4, cells", "closed_cells"),
        ("Section 4, size", "every_case_may_matter"),
        ("Section 5", "there_are_twelve"),
        ("Section 6", "alpha_to_infinity"),
        ("Tables 2 to 5, M and L", "columns_m_and_l_of_the_appendix"),
        ("Tables 2 to 5, Diabetes", "parts_of_the_diabetes_row"),
    ],
    "The lecture notes": [
        ("Binary matrix", "first_binary_matrix"),
        ("Binary matrix, corner", READING),
        ("ROC curve", "thresholds_zero_and_one"),
        ("F1", "f1_of_recalling"),
        ("Interval", "beyond_the_hundred"),
        ("Quantiles", "zeta_of_68"),
        ("Cross-validation", "cross_validation_is_biased"),
        ("Leave-one-out", "leave_one_out_is_not_always"),
        ("Bootstrap, weights †", "the_weights_of_632"),
        ("Bootstrap, second part", "the_second_part_of_632"),
        ("Bootstrap and jackknife", READING),
        ("Three samples", READING),
        ("Algorithm 1.1", READING),
        ("$\\zeta(x, K)$", "k_folds_have_k_minus_1_degrees"),
        ("Folds of thirty", "thirty_cases_a_fold"),
        ("McNemar", "z_is_the_uncorrected_one"),
        ("Theorem 6.5.1", "theorem_6_5_1"),
    ],
    "Hardt, the holdout method": [
        ("Sample size", "ten_thousand_cases"),
        ("Proposition", "every_delta_above_zero"),
        ("k folds", "ten_folds_gain"),
        ("Leave-one-out", "the_jackknife_aims"),
        ("Label noise", "random_labels"),
    ],
}


def rows():
    """Cells of each row of the page, by section."""
    found, section = {}, ""
    for line in (ROOT / "book" / "errata.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line[3:]
        elif line.startswith("| ") and not line.startswith(("| Where", "| ---")):
            found.setdefault(section, []).append([c.strip() for c in line.strip("|").split(" | ")])
    return found


def sources():
    """Source of every test of a claim, with what stands above it."""
    found = {}
    for path in sorted((ROOT / "tests" / "claims").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef):
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                found[node.name] = "\n".join(lines[first - 1 : node.end_lineno])
    return found


ROWS, SOURCES = rows(), sources()
CASES = [(s, where, test) for s, entries in CHECKED.items() for where, test in entries]


def test_no_row_is_unchecked():
    assert {s: [row[0] for row in r] for s, r in ROWS.items()} == {
        s: [where for where, _ in entries] for s, entries in CHECKED.items()
    }
    assert all(len(row) == 5 and row[3] in "ABCR" for r in ROWS.values() for row in r)


@pytest.mark.parametrize(("section", "where", "test"), CASES)
def test_the_numbers_of_a_row_stand_in_its_test(section, where, test):
    number = next(row[4] for row in ROWS[section] if row[0] == where)
    if test is READING:
        assert number == "–"
        return
    names = [name for name in SOURCES if name.startswith(f"test_{test}")]
    assert len(names) == 1
    known = [abs(float(x)) for x in re.findall(r"(?<![\w.])(?:\d[\d_]*)?\.?\d+", SOURCES[names[0]])]
    for text, percent in re.findall(r"(?<![\d,.])(\d+\.\d+)(\\?%)?", number):
        value = float(text)
        same = any(
            abs(k - value) < 1e-9 or (percent and abs(100 * k - value) < 1e-9) for k in known
        )
        assert same, f"{text} is not in {names[0]}"
