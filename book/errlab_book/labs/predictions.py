"""A table of predictions, pasted or dropped: the report in words, without a kernel."""

import io
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
import traitlets
from matplotlib.axes import Axes
from numpy.typing import NDArray

from errlab import report
from errlab.cli import columns, roles
from errlab.cli import text as cli_text
from errlab.results import PairReport, Report
from errlab.rounding import count
from errlab.statements.report.words import BASELINE
from errlab_book.labs._lab import Lab, Number, Refused, Text, as_table
from errlab_book.labs.claim import Claim, failure
from errlab_book.labs.pair import Pair

# maximum number of characters in a table
MOST = 20_000_000

# The page's messages for tables that it refuses. `errlab.cli.text`, `errlab.cli.columns` and
# `errlab.report` define which tables these are, and in which line; tests compare the two on
# thousands of tables.
FAULTS = {
    "empty": "the table is empty; paste one, with the columns y_true and y_pred",
    "long": "the table has more than {most} letters; on a computer type: "
    "python -m errlab report FILE.csv",
    "magic": "this file is not text in UTF-8; save the table as CSV in UTF-8",
    "nul": "line {line}: a NUL character; it is UTF-16 or no text at all: save it as CSV in UTF-8",
    "bytes": "line {line}: not in UTF-8; save the table as CSV in UTF-8",
    "open": 'line {line}: a quote is opened and not closed; close each " and double those inside',
    "quotes": 'line {line}: quotes that do not fit; close each " and double those inside',
    "field": 'line {line}: a field of more than {most} letters; close each " and double those '
    "inside",
    "column": "there is no column {name}; the header has {found}; rename one of them, in line "
    "{line}",
    "commas": "there is no column {name}; the header is {found}: separate its columns by commas",
    "several": "there are {number} columns of predictions ({found}); this lab takes one or two. "
    "Leave out the others, or compare all of them with: python -m errlab compare FILE.csv",
    "twice": "line {line}: there are {times} columns {name}; leave one, or rename the others",
    "many": "line {line}: {fields}, but the header has {width}; put fields that hold a comma in "
    "quotes",
    "few": "line {line}: {fields}, but the header has {width}; add what is missing",
    "value": "line {line}: {name} has no value; add it, or leave the example out and say so",
    "header": "there are no examples below the header; add a line for each",
    "break": "the label {label} holds a line break; is a quote missing?",
    "nan": "labels are numbers, but one is {label}; leave out such examples",
    "writings": "line {line}: y_true is {true} and {name} is {pred}, one value in two spellings; "
    "spell each label in one way",
    "scores": "{name} must hold labels such as {true}, but has {pred}; cut probabilities first, as "
    "in p > 0.5",
    "measured": "{name} must hold labels such as {true}, but has {pred}; numbers count as labels, "
    "right if equal: of measured numbers take errlab.metric(y_true, y_pred, metric='mae')",
    "strange": "y_true and {name} share no label ({true}; {pred}); give both the same names",
}

GROUPED = (
    "The column {name} repeats: {groups} in {cases} rows. If rows of one {name} are alike, this "
    "interval is too narrow. Take: python -m errlab report FILE.csv --group {name}"
)

_CASES = [
    *["cat,cat,cat"] * 41,
    *["dog,dog,dog"] * 63,
    *["cat,dog,cat"] * 8,
    *["dog,cat,dog"] * 3,
    *["cat,cat,dog"] * 2,
    *["dog,cat,cat"] * 3,
]
# multiples of 37, which is coprime to 120, so each example occurs once and they are well mixed
_MIXED = [_CASES[37 * i % len(_CASES)] for i in range(len(_CASES))]
EXAMPLE = "\n".join(["y_true,model_a,model_b", *_MIXED])


@lru_cache(maxsize=4)
def _columns_of(text: str) -> tuple[tuple[str, ...], tuple[NDArray[Any], ...]]:
    """Return the names and the columns of a table; the true labels first."""
    if len(text) > MOST:
        raise ValueError(f"text must have at most {MOST} letters, got {len(text)}")
    table = cli_text.delimited(io.BytesIO(text.encode()), "text")
    truth = roles.true_labels(table.names)
    names = [truth, *roles.predictions(table.names, truth)]
    table.read([table.need(name, "--pred") for name in names])
    table.check()
    return tuple(names), tuple(columns.labels(table, [(n, table.column(n)) for n in names]))


def _said(text: str, confidence: float) -> Report | PairReport:
    """Return the report of a table."""
    names, columns = _columns_of(text)
    delta = failure(confidence)
    truth, first, *second = columns
    # the true labels and one column of predictions, or two to be compared
    if not second:
        return report(truth, first, delta=delta)
    return report(truth, first, second[0], delta=delta, names=(names[1], names[2]))


class Predictions(Lab):
    r"""A table of predictions in; the report on one classifier, or on two, out.

    Parameters
    ----------
    *columns : data frame, mapping of columns, or two or three arrays
        The table, or the truth and one or two columns of predictions; instead of `text`.
    **values
        Start values of the attributes below.

    Attributes
    ----------
    text : str
        A table with a header, its columns separated by commas, tabs or semicolons: the column
        ``y_true``, and ``y_pred`` or two columns of predictions,
        as ``python -m errlab report`` takes it.
    confidence : float
        In percent, from 50 to 99.9999.

    Examples
    --------
    >>> lab = Predictions(text="y_true,y_pred\n" + "0,0\n" * 193 + "0,1\n" * 7)
    >>> round(lab.report.upper, 4)
    0.0647
    >>> Predictions([0, 1, 1], [0, 1, 0])
    Predictions(3 examples, 2 labels: y_true, y_pred; confidence=95.0)
      ...
    """

    name = "predictions"
    title = "What can you claim from these predictions?"
    # read the table from a file, because it may have a million lines
    python = "python -m errlab report FILE.csv --confidence {level}"
    # the page's address never contains the table
    address: ClassVar[dict[str, str]] = {"confidence": "confidence"}

    text = Text(EXAMPLE)
    confidence = Number(95.0, 50.0, 99.9999)

    def __init__(self, *columns: Any, **values: Any) -> None:
        if columns:
            values["text"] = as_table(
                columns, ("y_true", "y_pred"), ("y_true", "model_a", "model_b")
            )
        super().__init__(**values)

    @traitlets.validate("text")
    def _table(self, proposal: Any) -> str:
        """Refuse a text that can't be reported on, and return it otherwise."""
        text = str(proposal["value"])
        try:
            _said(text, self.confidence)
        except (TypeError, ValueError) as error:
            raise Refused(str(error)) from None
        return text

    @property
    def report(self) -> Report | PairReport:
        """The result of `errlab.report` for these columns."""
        return _said(self.text, self.confidence)

    def words(self) -> dict[str, Any]:
        """Return sentences and conditions of both reports, and messages for bad tables."""
        return {
            "claim": Claim().words(),
            "pair": Pair().words(),
            "baseline": BASELINE,
            "faults": FAULTS,
            # a column with such a name and repeated values shows which rows belong together
            "groups": sorted(roles.GROUPS.pattern.split("|")),
            "grouped": GROUPED,
        }

    def sentences(self) -> list[str]:
        """Return the claim."""
        return self.report.sentences()

    def plot(self) -> Axes:
        """Return the picture of the report."""
        return self.report.plot()

    def __repr__(self) -> str:
        """Return the text record, which only counts the table's rows."""
        names, columns = _columns_of(self.text)
        labels = count(len(np.unique(columns[0])), "label")
        head = f"{count(len(columns[0]), 'example')}, {labels}: {', '.join(names)}"
        lines = [f"Predictions({head}; confidence={self.confidence!r})"]
        return "\n".join([*lines, *(f"  {s}" for s in self.sentences())])
