"""Tables as text for other programs: Markdown, LaTeX, HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence

Columns = Mapping[str, Sequence[object]]  # column names, and the cells below each

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
}


def latex_text(text: str) -> str:
    r"""Escape text for LaTeX.

    >>> print(latex_text("a_b & 5%"))
    a\_b \& 5\%
    """
    return "".join(_LATEX.get(letter, letter) for letter in " ".join(text.split()))


def markdown_text(text: str) -> str:
    r"""Escape text for Markdown, including the cells of a table.

    >>> print(markdown_text("a|b *c* $d$ &lt;"))
    a\|b \*c\* \$d\$ \&lt;
    """
    return re.sub(r"([\\`*_\[\]<>|#~$]|&(?=[#\w]+;))", r"\\\1", " ".join(text.split()))


def markdown(columns: Columns) -> str:
    """Write a table in Markdown, with numbers aligned to the right.

    >>> print(markdown({"model": ["svm", "rf"], "errors": [10, 15]}))
    | model | errors |
    | :--- | ---: |
    | svm | 10 |
    | rf | 15 |
    """
    head, *body = _rows(columns, markdown_text)
    lines = [head, _sides(columns, ":---", "---:"), *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def latex(columns: Columns) -> str:
    r"""Write a LaTeX tabular with the rules of the package booktabs.

    >>> print(latex({"model": ["svm"], "errors": [10]}))
    \begin{tabular}{lr}
    \toprule
    model & errors \\
    \midrule
    svm & 10 \\
    \bottomrule
    \end{tabular}
    """
    sides = "".join(_sides(columns, "l", "r"))
    head, *body = (" & ".join(line) + r" \\" for line in _rows(columns, latex_text))
    middle = [r"\toprule", head, r"\midrule", *body, r"\bottomrule"]
    return "\n".join([rf"\begin{{tabular}}{{{sides}}}", *middle, r"\end{tabular}"])


def text(columns: Columns) -> str:
    """Write a table as plain text, with numbers aligned to the right.

    >>> print(text({"model": ["svm", "rf"], "errors": [10, 15]}))
    model  errors
    svm        10
    rf         15
    """
    padded = []
    sides = _sides(columns, "<", ">")
    for column, side in zip(zip(*_rows(columns, str), strict=True), sides, strict=True):
        width = max(map(len, column))
        padded.append([f"{cell:{side}{width}}" for cell in column])
    return "\n".join("  ".join(row).rstrip() for row in zip(*padded, strict=True))


def html_table(columns: Columns) -> str:
    """Write a table in HTML."""
    head, *body = _rows(columns, html.escape)
    heads = f"<th>{'</th><th>'.join(head)}</th>"
    rows = "".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in body)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _rows(columns: Columns, written: Callable[[str], str]) -> list[list[str]]:
    """Return the rows of a table as strings, the header first."""
    rows = zip(*((name, *cells) for name, cells in columns.items()), strict=True)
    return [[written(str(cell)) for cell in row] for row in rows]


def _sides(columns: Columns, left: str, right: str) -> list[str]:
    """Return a mark for each column: the first for text (left), the second for numbers (right)."""
    sides = []
    for cells in columns.values():
        # a column is text unless one of its cells begins like a number
        numbers = any(re.match(r"[-+]?\d", str(cell)) for cell in cells)
        sides.append(right if numbers else left)
    return sides
