"""What k errors in n examples allow you to claim."""

from typing import Any, ClassVar

import traitlets
from matplotlib.axes import Axes

from errlab import holdout, report
from errlab.bounds import BOUNDS
from errlab.results import Report
from errlab.statements.mean_claims import EXACT
from errlab.statements.report import words
from errlab_book.labs._lab import Lab, Number, Refused, Whole, together, within_cases

# methods that `numerics.js` computes
KEYS = ("CP", "NOR", "WIL", "AC", "JEF", "T_HOE", "HOE")
MOST = 10_000_000
# The report's sentences on labels; the page fills in the reader's own counts.
VALUE = words.VALUE["error"].replace("{ends}", words.ENDS)
BOUND = words.BOUND.replace("{what}", "error").replace("{most}", "most").replace("{how}", EXACT)
SENTENCES = (VALUE, BOUND)
CONDITIONS = (*words.CASES, words.ALONE)


def methods() -> list[dict[str, Any]]:
    """Return the page's text about each bound that it computes."""
    return [{"key": k, "name": BOUNDS[k].name, "rigorous": BOUNDS[k].rigorous} for k in KEYS]


def failure(confidence: float) -> float:
    """Return the probability that a claim may fail, from the confidence in percent."""
    return (100 - confidence) / 100


class Claim(Lab):
    """Errors, examples and confidence in; the sentence to print, its bounds and a picture out.

    Attributes
    ----------
    errors, cases : int
        Number of errors, from 0 to the number of examples, and number of test examples, at most ten
        million.
    confidence : float
        In percent, from 50 to 99.9999.
    expected, target : float
        For "how many examples do I need?": the error that is expected, and the claim, in percent.

    Examples
    --------
    >>> lab = Claim(errors=7, cases=200)
    >>> round(lab.report.upper, 4), lab.needed
    (0.0647, 601)
    """

    name = "claim"
    title = "What can you claim?"
    python = "errlab.report(errors={errors}, n={cases}, delta={delta})"
    address: ClassVar[dict[str, str]] = {"n": "cases", "k": "errors", "confidence": "confidence"}

    errors = Whole(7, 0, MOST)
    cases = Whole(200, 1, MOST)
    confidence = Number(95.0, 50.0, 99.9999)
    expected = Number(3.5, 0.0, 99.0)
    target = Number(5.0, 0.01, 100.0)

    @traitlets.validate("errors", "cases")
    def _fits(self, proposal: Any) -> int:
        return within_cases(self, proposal)

    @traitlets.validate("expected", "target")
    def _apart(self, proposal: Any) -> float:
        """Refuse a target that is close to the expected error, and return the proposed value."""
        pair = together(self, ("expected", "target"), proposal)
        # a lower target would need more examples than the page can display
        if pair["target"] - pair["expected"] < 0.01:
            raise Refused(
                f"target must be at least 0.01 above expected = {pair['expected']:g}, "
                f"got {pair['target']:g}"
            )
        return float(proposal["value"])

    @property
    def report(self) -> Report:
        """The result of `errlab.report` for these counts."""
        return report(errors=self.errors, n=self.cases, delta=failure(self.confidence))

    @property
    def needed(self) -> int:
        """The examples that the target requires, if the expected error is observed."""
        delta = failure(self.confidence)
        mean = self.expected / 100
        target = self.target / 100
        return holdout.sample_size_for("CP", target=target, mean=mean, delta=delta)

    def words(self) -> dict[str, Any]:
        """Return the methods and the sentences of the report."""
        return {"methods": methods(), "report": SENTENCES, "conditions": CONDITIONS}

    def sentences(self) -> list[str]:
        """Return the claim, and the number of examples for the target."""
        plan = (
            f"At {self.expected:g}% errors it takes {self.needed:,} test examples to print "
            f"at most {self.target:g}%."
        )
        return [*self.report.sentences(), plan]

    def plot(self) -> Axes:
        """Return the picture of the report."""
        return self.report.plot()
