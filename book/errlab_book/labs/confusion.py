"""The four counts of a detector, and every rate computed from them."""

from typing import Any, ClassVar

import traitlets
from matplotlib.axes import Axes

from errlab import metrics
from errlab.metrics import RATES
from errlab.rounding import percent
from errlab_book.labs._lab import Lab, Number, Whole, not_all_zero
from errlab_book.labs.claim import failure
from errlab_book.plots.curves import plot_rates

CELLS = ("tp", "fp", "fn", "tn")
MOST = 1_000_000


def cells(total: str) -> list[str]:
    """Return the counts that a total of `errlab.metrics.Confusion` adds up."""
    # does one example in this cell, and none elsewhere, change the total?
    nothing = dict.fromkeys(CELLS, 0)
    return [c for c in CELLS if getattr(metrics.Confusion(**{**nothing, c: 1}), total)]


class Confusion(Lab):
    """True and false positives and negatives in; every rate with its interval out.

    Attributes
    ----------
    tp, fp, fn, tn : int
        The four counts, each at most a million, together at least 1.
    confidence : float
        Of each interval, in percent.

    Examples
    --------
    >>> lab = Confusion(tp=8, fp=2, fn=4, tn=86)
    >>> lab.table.rate("precision").value
    0.8
    """

    name = "confusion"
    title = "Four counts, every rate"
    python = (
        "errlab.metrics.rate_intervals(errlab.metrics.Confusion({tp}, {fp}, {fn}, {tn}), "
        "delta={delta})"
    )
    address: ClassVar[dict[str, str]] = {name: name for name in (*CELLS, "confidence")}

    tp = Whole(40, 0, MOST)
    fp = Whole(15, 0, MOST)
    fn = Whole(10, 0, MOST)
    tn = Whole(135, 0, MOST)
    confidence = Number(95.0, 50.0, 99.9999)

    @traitlets.validate(*CELLS)
    def _some(self, proposal: Any) -> int:
        return not_all_zero(self, CELLS, proposal)

    @property
    def table(self) -> metrics.Confusion:
        """The counts, as `errlab.metrics` takes them."""
        return metrics.Confusion(self.tp, self.fp, self.fn, self.tn)

    def words(self) -> dict[str, Any]:
        """Return the definition of each rate, in terms of the four counts."""
        rates = [
            {
                "key": key,
                "names": entry.names,
                "meaning": entry.meaning,
                "hits": cells(entry.hits),
                "among": cells(entry.among),
            }
            for key, entry in RATES.items()
        ]
        return {"rates": rates, "f1": "F1", "f1Meaning": "2 TP / (2 TP + FP + FN)"}

    def sentences(self) -> list[str]:
        """Return each rate with its interval."""
        rows = metrics.rate_intervals(self.table, delta=failure(self.confidence))
        sure = f"{self.confidence:.6g}% interval"
        return [
            f"{RATES[row.key].names[0]} ({row.key}): {row.hits}/{row.among} = "
            f"{percent(row.value)}, {sure} {row.low:.4f} to {row.high:.4f}."
            for row in rows
        ]

    def plot(self) -> Axes:
        """Return every rate with its interval."""
        return plot_rates(self.table, delta=failure(self.confidence))
