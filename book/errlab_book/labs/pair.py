"""Two classifiers on the same examples, from the counts of examples that each gets wrong."""

from typing import Any, ClassVar

import numpy as np
import traitlets
from matplotlib.axes import Axes

from errlab import report
from errlab.results import PairReport
from errlab.statements.mean_claims import MCNEMAR
from errlab.statements.report import words
from errlab.statements.report._one import Basis
from errlab.statements.report._two import pair
from errlab_book.labs._lab import Lab, Number, Whole, not_all_zero
from errlab_book.labs.claim import failure

DIFFERENCE = words.DIFFERENCE.replace("{what}", "Error rate").replace(
    "{unit}", " percentage points"
)
ANSWER = words.ANSWER.replace("{how}", words.TEST.replace("{method}", MCNEMAR))
COUNTS = ("both", "only_a", "only_b", "neither")
MOST = 1_000_000


class Pair(Lab):
    """Counts of examples that each model gets wrong in; verdict, p-value and interval out.

    Attributes
    ----------
    both, only_a, only_b, neither : int
        Examples that both get wrong, that A or B alone gets wrong, and that neither does; each at
        most a million, together at least 1.
    confidence : float
        In percent, from 50 to 99.9999.

    Examples
    --------
    >>> lab = Pair(both=4, only_a=12, only_b=3, neither=181)
    >>> lab.report.reading, round(lab.report.pvalue, 4)
    ('B is better than A at level 0.05.', 0.0352)
    """

    name = "pair"
    title = "Is one of the two better?"
    python = (
        "errlab.report(np.repeat(0, {both} + {only_a} + {only_b} + {neither}), "
        "np.repeat([1, 1, 0, 0], [{both}, {only_a}, {only_b}, {neither}]), "
        "np.repeat([1, 0, 1, 0], [{both}, {only_a}, {only_b}, {neither}]), delta={delta})"
    )
    address: ClassVar[dict[str, str]] = {name: name for name in (*COUNTS, "confidence")}

    both = Whole(8, 0, MOST)
    only_a = Whole(9, 0, MOST)
    only_b = Whole(4, 0, MOST)
    neither = Whole(179, 0, MOST)
    confidence = Number(95.0, 50.0, 99.9999)

    @traitlets.validate(*COUNTS)
    def _some(self, proposal: Any) -> int:
        return not_all_zero(self, COUNTS, proposal)

    @property
    def report(self) -> PairReport:
        """The result of `errlab.report` for two such columns of predictions."""
        n = sum(getattr(self, name) for name in COUNTS)
        delta = failure(self.confidence)
        a, b = (
            report(errors=self.both + alone, n=n, delta=delta)
            for alone in (self.only_a, self.only_b)
        )
        alike = self.both + self.neither
        gain = np.repeat([1.0, -1.0, 0.0], [self.only_a, self.only_b, alike])
        return pair(gain, Basis(delta), a, b)

    def words(self) -> dict[str, Any]:
        """Return the sentences and the conditions of the report."""
        return {
            "report": {
                "difference": DIFFERENCE,
                "answer": ANSWER,
                "answers": words.ANSWERS,
                "one": words.ONE.replace("{what}", "error").replace("{most}", "most"),
                "disagree": words.DISAGREE,
                "interval": words.OF_MCNEMAR,
            },
            "conditions": {
                "fixed": words.CASES,
                "claims": words.CLAIMS,
                "together": words.TOGETHER,
                "pair": words.CHOSEN,
            },
        }

    def sentences(self) -> list[str]:
        """Return the claim."""
        return self.report.sentences()

    def plot(self) -> Axes:
        """Return the picture of the report."""
        return self.report.plot()
