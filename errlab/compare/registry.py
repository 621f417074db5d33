"""The registry `COMPARISONS`, and the decorator that makes a comparison of a formula.

A comparison is written as ``f(data, *, delta=0.05, names=("A", "B"), ...) -> Finding``. The
decorator checks `delta`, `names` and `method` before the formula sees them, and turns the
finding into a `ComparisonResult` under the key that is registered.
"""

import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec

from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, FloatOrArray, Names
from errlab._core.interval import Guarantee, Interval
from errlab._core.public import public
from errlab._core.registry import Registry, docstring, sections
from errlab.compare.result import ComparisonResult, Outcome, Posterior

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    R = TypeVar("R", bound=Outcome, default=Outcome)
else:
    from typing import TypeVar

    R = TypeVar("R")

# what a file with a comparison needs of it
__all__ = [
    "A_AND_B",
    "COMPARISONS",
    "ArrayLike",
    "Comparison",
    "ComparisonResult",
    "Finding",
    "FloatArray",
    "Guarantee",
    "Interval",
    "Names",
    "Posterior",
    "comparison",
]

P = ParamSpec("P")
ByMethod = Mapping[str, Guarantee]
A_AND_B: Names = ("A", "B")
_COMMON = {
    "delta": "delta : float\n    Level of the test and of the interval, in (0, 1).",
    "names": "names : tuple of str\n    What to call A and B in the reading.",
}


class Finding(NamedTuple):
    """What a formula hands to the decorator.

    Attributes
    ----------
    statistic, pvalue, estimate : float, ndarray or None
        As in `ComparisonResult`.
    limits : callable or None
        ``limits(*data, delta) -> Interval``, a function of a module, so that results pickle.
    data : tuple
        Its first arguments.
    posterior : Posterior or None
        For a Bayesian method.
    quantity : str
        What the estimate is; ``{a}`` and ``{b}`` stand for the names.
    fields : mapping
        Fields of the result that depend on the data, such as a guarantee that is better than the
        one that is registered, for every input.
    """

    statistic: FloatOrArray
    pvalue: FloatOrArray | None
    estimate: FloatOrArray | None
    limits: Callable[..., Interval[FloatArray]] | None = None
    data: tuple[object, ...] = ()
    posterior: Posterior | None = None
    quantity: str = "error of {a} minus error of {b}"
    fields: Mapping[str, object] = {}


@dataclass(frozen=True)
class Comparison:
    """One registered comparison.

    Attributes
    ----------
    key, name : str
        Short name (function, and method where it has several) and full name.
    place : int
        Where it stands among the comparisons, and which look it has in figures.
    takes : str
        What the function is given, and the law tests feed it with: "counts" of discordant cases,
        a 2x2 "table", a "small table" of at most 10,000 cases, "two test sets", "paired losses",
        "grouped losses", "fold differences", "5x2 differences", a "loss matrix", "differences
        over data sets", or "errors over data sets".
    sample : str
        What was drawn: the "same cases" for A and B, "two test sets", or "many data sets".
    equations : str
        Where the formula stands in the source.
    guarantee, interval_guarantee : str
        What is known of the level of the test, and of the coverage of its interval, for every
        input; a result may know more of its own.
    extra : mapping
        An example value for each further argument that has no default.
    function : callable
        The public function, with its method filled in.
    """

    key: str
    name: str
    place: int
    takes: str
    sample: str
    equations: str
    guarantee: Guarantee
    interval_guarantee: Guarantee
    extra: Mapping[str, object]
    function: Callable[..., Outcome] = field(repr=False)


COMPARISONS: Registry[Comparison] = Registry("comparison")


def comparison(
    *,
    key: str,
    name: str,
    place: int,
    takes: str,
    equations: str,
    guarantee: Guarantee | ByMethod,
    interval_guarantee: ByMethod | None = None,
    sample: str = "same cases",
    extra: Mapping[str, object] | None = None,
    elsewhere: Mapping[str, str] | None = None,
    result: type[R] = ComparisonResult,  # type: ignore[assignment]
) -> Callable[[Callable[P, Finding]], Callable[P, R]]:
    """Register a comparison and make its public function (see `Comparison`).

    A formula with a keyword `method` gives a `guarantee` for each method, and is registered as
    ``key-method`` for each, at one place after the other. `interval_guarantee` is needed where
    it differs from `guarantee`. `elsewhere` names methods that it passes on to a comparison with
    an entry of its own, by the key of that entry. `result` is the class that is returned.
    """
    # one entry for each method; a single method has the empty name
    levels: ByMethod = guarantee if isinstance(guarantee, Mapping) else {"": guarantee}
    # an interval is that of its test, and has its guarantee, unless another one is given
    coverages = {**levels, **(interval_guarantee or {})}
    entries: dict[str, Comparison] = {}

    def decorate(formula: Callable[P, Finding]) -> Callable[P, R]:
        parameters = inspect.signature(formula).parameters
        defaults = {name: parameter.default for name, parameter in parameters.items()}

        @wraps(formula)
        def compare(*args: P.args, **kwargs: P.kwargs) -> R:
            options: dict[str, Any] = {"delta": defaults["delta"], **kwargs}
            options["delta"] = checks.one_delta(options["delta"])
            names = A_AND_B
            if defaults.get("names") == A_AND_B:
                names = checks.two_names(options.get("names", A_AND_B))
            method = ""
            if "method" in defaults:
                method = options.get("method", defaults["method"])
                method = options["method"] = checks.choice(method, "method", entries)
            finding = formula(*args, **options)
            return result(**_fields(entries[method], finding, options["delta"], names))

        signature = inspect.signature(formula).replace(return_annotation=result.__name__)
        compare.__signature__ = signature  # type: ignore[attr-defined]
        checked = public(compare)
        each: Callable[..., R] = checked
        for number, method in enumerate(levels):
            entry = Comparison(
                key="-".join(filter(None, (key, method))),
                name=", ".join(filter(None, (name, method))),
                place=place + number,
                takes=takes,
                sample=sample,
                equations=equations,
                guarantee=levels[method],
                interval_guarantee=coverages[method],
                extra=dict(extra or {}),
                function=partial(each, method=method) if method else checked,
            )
            entries[method] = COMPARISONS.add(entry.key, entry)
        entries.update((method, COMPARISONS[other]) for method, other in (elsewhere or {}).items())
        checked.__doc__ = _document(formula, entries)
        return checked

    return decorate


def _fields(entry: Comparison, finding: Finding, delta: float, names: Names) -> dict[str, Any]:
    """Return the fields of the result, by their names."""
    fields: dict[str, Any] = {
        name: checks.plain(getattr(finding, name)) for name in ("statistic", "pvalue", "estimate")
    }
    if finding.limits is not None:
        fields["limits"] = partial(finding.limits, *finding.data, delta=delta)
        fields["interval_guarantee"] = entry.interval_guarantee
    if finding.posterior is not None:
        fields["posterior"] = Posterior(*map(checks.plain, finding.posterior))
    return {
        "method": entry.key,
        "name": entry.name,
        "delta": delta,
        "guarantee": entry.guarantee,
        "names": names,
        "quantity": finding.quantity.format(a=names[0], b=names[1]),
        **fields,
        **finding.fields,
    }


def _document(formula: Callable[..., Finding], entries: Mapping[str, Comparison]) -> str:
    """Add the guarantee to the docstring of a formula, and the arguments that all of them have."""
    parts = sections(formula)
    parameters = inspect.signature(formula).parameters
    for name, section in _COMMON.items():
        if name in parameters and f"{name} : " not in parts["Parameters"]:
            parts["Parameters"] += f"\n{section}"
    guarantees = []
    for method, entry in entries.items():
        words: str = entry.guarantee
        if entry.interval_guarantee != entry.guarantee:
            words = f"{entry.guarantee}; of its interval: {entry.interval_guarantee}"
        guarantees.append(": ".join(filter(None, (method, words))))
    parts["Notes"] = textwrap.fill(f"Guarantee of the level. {'. '.join(guarantees)}.", 95)
    return docstring(parts)
