"""Tables for notebooks: plain text in a test, accessible HTML in the book."""

import html
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from errlab import checks
from errlab_book.figures import mode
from errlab_book.figures._show import style_html


@dataclass(frozen=True)
class Table:
    """Columns, rows of text and a caption. The first column names the row.

    On a phone the name is printed above the row's numbers if the table is `named`, and the first
    two columns are if it is `paired`.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    paired: bool = False
    named: bool = False

    def __repr__(self) -> str:
        """Align the columns as text."""
        cells = [self.columns, *self.rows]
        widths = [max(len(row[i]) for row in cells) for i in range(len(self.columns))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in cells
        ]
        lines.insert(1, "  ".join("-" * width for width in widths))
        return "\n".join(([self.caption] if self.caption else []) + lines)

    def _repr_html_(self) -> str:
        caption = f"<caption>{html.escape(self.caption)}</caption>" if self.caption else ""
        head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in self.columns)
        body = "".join(f"<tr>{self._row(row)}</tr>" for row in self.rows)
        # a unique name, so that a screen reader's list of regions can tell tables apart
        name = html.escape(self.caption or ", ".join(self.columns))
        look = "errlab-table" + " errlab-paired" * self.paired + " errlab-named" * self.named
        # the wrapper scrolls on a narrow screen, so it must be reachable by keyboard
        style = style_html() if mode() == "live" else ""
        return (
            f'{style}<div class="{look}" tabindex="0" role="region" '
            f'aria-label="{name}"><table class="table">{caption}'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )

    @staticmethod
    def _row(row: tuple[str, ...]) -> str:
        # a header, which screen readers say before each cell of its row
        first = f'<th scope="row">{html.escape(row[0])}</th>'
        return first + "".join(f"<td>{html.escape(cell)}</td>" for cell in row[1:])


class Claim(NamedTuple):
    """A source's claim and its number there, our result, our verdict, and the lesson."""

    number: str
    says: str
    found: str
    verdict: str
    lesson: str


@dataclass(frozen=True)
class Claims:
    """Judged claims as a table: text in a test, and in the book Markdown with links."""

    rows: tuple[Claim, ...]

    def __repr__(self) -> str:
        """Align the columns as text."""
        return repr(Table(COLUMNS, self.rows))

    def _repr_markdown_(self) -> str:
        book = mode() == "book"
        rows = []
        for *words, lesson in self.rows:
            page, _, heading = lesson.partition("#")
            place = f"{LESSONS}{page}.ipynb{'#' if heading else ''}{heading}"
            # for a link without words Sphinx inserts the title, and warns if the target is missing
            rows.append((*map(_escaped, words), f"[{'' if book else lesson}]({place})"))
        lines = [COLUMNS, ["---"] * len(COLUMNS), *rows]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return f":::{{table}}\n:class: errlab-audit\n\n{table}\n:::" if book else table

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        text = {"text/plain": repr(self)}
        return text if mode() == "record" else text | {"text/markdown": self._repr_markdown_()}


class Audit:
    """Judge the claims of a source, section by section, and count the verdicts.

    Examples
    --------
    >>> audit = Audit()
    >>> row = ("Fig. 3", "NOR is lowest", "up to 0.47", False, "03_binary_bounds#your-own-test")
    >>> audit([row])
    No.     It says        We find     Verdict  Lesson
    ------  -------------  ----------  -------  ------------------------------
    Fig. 3  NOR is lowest  up to 0.47  fails    03_binary_bounds#your-own-test
    >>> audit.total()
    'Of 1 claim 0 hold, 1 fails, and 0 hold in part.'
    """

    def __init__(self) -> None:
        # by claim, so that running a cell again doesn't count a claim twice
        self._verdicts: dict[str, str] = {}

    def __call__(self, entries: Iterable[Sequence[Any]]) -> Claims:
        """Judge the claims of one section.

        Parameters
        ----------
        entries : iterable of (number, says, found, holds, lesson)
            `number` is what the source calls the item, or empty; `holds` True, False, or words
            such as "only for small n"; `lesson` a chapter with # and a heading of it.

        Returns
        -------
        Claims

        Raises
        ------
        ValueError
            If an entry has not these five parts.
        TypeError
            If a verdict is neither True nor False nor words: no number is taken for one.
        """
        rows = []
        for i, entry in enumerate(entries):
            if isinstance(entry, str) or not isinstance(entry, Sequence) or len(entry) != 5:
                parts = "(number, says, found, holds, lesson)"
                raise ValueError(f"entries[{i}] must be {parts}, got {entry!r}")
            number, says, found, holds, lesson = entry
            # refuse 1 and 0, because the caller may have passed a p-value or a count by mistake
            if not isinstance(holds, (bool, np.bool_, str)):
                raise TypeError(f"holds must be True, False or words, got {holds!r} for {says!r}")
            verdict = holds if isinstance(holds, str) else _VERDICT[bool(holds)]
            rows.append(Claim(number, says, found, verdict, lesson))
            self._verdicts[says] = verdict
        return Claims(tuple(rows))

    def total(self) -> str:
        """Return how many of the distinct claims are true, and how many aren't."""
        verdicts = list(self._verdicts.values())
        holds, fails = verdicts.count("holds"), verdicts.count("fails")
        return (
            f"Of {len(verdicts)} claim{'s' * (len(verdicts) != 1)} {holds} "
            f"hold{'s' * (holds == 1)}, "
            f"{fails} fail{'s' * (fails == 1)}, and {len(verdicts) - holds - fails} hold in part."
        )


_VERDICT = {True: "holds", False: "fails"}
COLUMNS = ("No.", "It says", "We find", "Verdict", "Lesson")
# relative to book/audits
LESSONS = "../../notebooks/"


def _escaped(words: str) -> str:
    """Return a text with its Markdown characters escaped."""
    return re.sub(r"([\\`*_$|<>\[\]~])", r"\\\1", words)


def _text(value: Any) -> str:
    # before numbers, because in Python a bool is an int
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def table(
    rows: Iterable[Any],
    *,
    columns: Sequence[str] | None = None,
    caption: str = "",
    formats: Mapping[str, str] | None = None,
) -> Table:
    """Make a table from dictionaries, NamedTuples or sequences.

    Parameters
    ----------
    rows : iterable
        Dictionaries or NamedTuples (their fields name the columns), or sequences with `columns`.
    columns : sequence of str, optional
        Names of the columns; needed where the rows are plain sequences.
    caption : str
        Title of the table.
    formats : dict, optional
        A format for each column that is not to be shown to four significant digits, such as
        ``{"error": ".1%"}``.

    Returns
    -------
    Table

    Raises
    ------
    ValueError
        If there are no rows, a row has the wrong length or other names, or the columns have no
        names.
    TypeError
        If a row is neither a mapping nor a sequence.

    Examples
    --------
    >>> table([{"bound": "CP", "upper": 0.0647}, {"bound": "HOE", "upper": 0.1216}])
    bound  upper
    -----  ------
    CP     0.0647
    HOE    0.1216
    """
    listed = list(rows)
    checks.require(listed, "rows", "hold at least one row", listed)
    named = isinstance(listed[0], Mapping)
    kinds = Mapping if named else (Sequence, np.ndarray)
    for number, row in enumerate(listed):
        if isinstance(row, str) or not isinstance(row, kinds):
            kind = "mapping as the first one is" if named else "sequence"
            raise TypeError(f"rows[{number}] must be a {kind}, got {row!r}")
    if named:
        names = list(listed[0])
        for number, row in enumerate(listed):
            same = set(row) == set(names)
            checks.require(same, f"rows[{number}]", f"have the names {names}", list(row))
        values = [[row[name] for name in names] for row in listed]
    else:
        # the fields of a NamedTuple name the columns
        names = list(getattr(listed[0], "_fields", columns or ()))
        values = [list(row) for row in listed]
    header = list(columns) if columns is not None else names
    formats = formats or {}
    checks.require(set(formats) <= set(names), "formats", f"name columns of {names}", list(formats))
    if not names or any(len(row) != len(header) for row in values):
        raise ValueError(f"every row must have the {len(header)} columns {header}")
    styles = [formats.get(name) for name in names]
    cells = tuple(
        tuple(format(v, s) if s else _text(v) for v, s in zip(row, styles, strict=True))
        for row in values
    )
    return Table(tuple(header), cells, caption)


def outward(low: float, high: float | None = None, spec: str = ".1%") -> str:
    """Format an interval or an upper bound for a sentence, rounded outward so that it stays valid.

    Parameters
    ----------
    low, high : float
        The ends; where `high` is missing, `low` is an upper bound.
    spec : str
        A format with a number of digits after the point, such as ``".3f"`` or ``"+.1f"``.

    Returns
    -------
    str

    Examples
    --------
    >>> outward(-0.0151, 0.0752)
    '-1.6% to 7.6%'
    >>> outward(0.0647, spec=".2f")
    '0.07'
    """
    if high is None:
        return _rounded(low, spec, math.ceil)
    return f"{_rounded(low, spec, math.floor)} to {_rounded(high, spec, math.ceil)}"


def _rounded(value: float, spec: str, rounding: Callable[[float], int]) -> str:
    scale = 10.0 ** (int(spec[spec.index(".") + 1 : -1]) + 2 * spec.endswith("%"))
    # to twelve digits, so that a bound computed as 0.30000000000000004 stays 0.3
    return format(rounding(float(f"{value * scale:.12g}")) / scale, spec)
