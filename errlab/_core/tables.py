"""Tables as text for other programs: Markdown, LaTeX, a data frame of pandas."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from errlab._core import extras

if TYPE_CHECKING:
    from pandas import DataFrame

T = TypeVar("T")
Columns = Mapping[str, Sequence[object]]  # the header, and what stands below it

_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
}


def latex_text(text: str) -> str:
    r"""Write text so that LaTeX prints it as it is.

    >>> print(latex_text("a_b & 5%"))
    a\_b \& 5\%
    """
    return "".join(_LATEX.get(letter, letter) for letter in " ".join(text.split()))


def markdown_text(text: str) -> str:
    r"""Write text so that Markdown prints it as it is, in a cell of a table too.

    >>> print(markdown_text("a|b *c* $d$ &lt;"))
    a\|b \*c\* \$d\$ \&lt;
    """
    return re.sub(r"([\\`*_\[\]<>|#~$]|&(?=[#\w]+;))", r"\\\1", " ".join(text.split()))


def markdown(columns: Columns) -> str:
    """Write a table in Markdown; what is no text stands to the right.

    >>> print(markdown({"model": ["svm", "rf"], "errors": [10, 15]}))
    | model | errors |
    | :--- | ---: |
    | svm | 10 |
    | rf | 15 |
    """
    # numbers to the right, so that their digits stand below each other
    sides = _sides(columns, ":---", "---:")
    lines = [[markdown_text(name) for name in columns], sides]
    lines += [[markdown_text(str(cell)) for cell in row] for row in _rows(columns)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def latex(columns: Columns) -> str:
    r"""Write a tabular with the rules of the package booktabs.

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
    lines = [[latex_text(name) for name in columns]]
    lines += [[latex_text(str(cell)) for cell in row] for row in _rows(columns)]
    head, *body = (" & ".join(line) + r" \\" for line in lines)
    middle = [r"\toprule", head, r"\midrule", *body, r"\bottomrule"]
    return "\n".join([rf"\begin{{tabular}}{{{sides}}}", *middle, r"\end{tabular}"])


def frame(columns: Columns) -> DataFrame:
    """Make a data frame of the columns; it needs pandas."""
    return extras.load("pandas").DataFrame({name: list(cells) for name, cells in columns.items()})


def text(columns: Columns) -> str:
    """Write a table to be read as it is; what is no text stands to the right.

    >>> print(text({"model": ["svm", "rf"], "errors": [10, 15]}))
    model  errors
    svm        10
    rf         15
    """
    padded = []
    justify = _sides(columns, str.ljust, str.rjust)
    for (name, cells), pad in zip(columns.items(), justify, strict=True):
        column = [str(cell) for cell in (name, *cells)]
        width = max(map(len, column))
        padded.append([pad(cell, width) for cell in column])
    return "\n".join("  ".join(row).rstrip() for row in zip(*padded, strict=True))


def html_table(columns: Columns) -> str:
    """Write a table in HTML."""
    heads = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
    rows = ["".join(f"<td>{html.escape(str(c))}</td>" for c in row) for row in _rows(columns)]
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _rows(columns: Columns) -> list[tuple[object, ...]]:
    """Turn columns into rows."""
    return list(zip(*columns.values(), strict=True))


def _sides(columns: Columns, left: T, right: T) -> list[T]:
    """Return for each column what puts it to the left, or a column of numbers to the right."""
    return [left if _is_text(cells) else right for cells in columns.values()]


def _is_text(cells: Sequence[object]) -> bool:
    """Whether a column is of words: it is where no cell begins as a number."""
    return not any(re.match(r"[-+]?\d", str(cell)) for cell in cells)
