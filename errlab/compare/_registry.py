"""The registry `COMPARISONS`, and the decorator of comparisons.

A comparison is written as ``f(data, *, delta=0.05, names=("A", "B"), ...) -> ComparisonResult``.
The decorator checks `delta`, `names` and `method` before it calls the formula, and adds the
registered method, name and guarantee to the result.
"""

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, Names
from errlab._core.interval import Guarantee, Interval
from errlab._core.public import public
from errlab._core.registry import Registry, docstring, sections
from errlab.compare._result import A_AND_B, UNKNOWN, ComparisonResult, Posterior

# the columns that a file must have for a comparison
__all__ = [
    "A_AND_B",
    "COMPARISONS",
    "ArrayLike",
    "Comparison",
    "ComparisonResult",
    "FloatArray",
    "Guarantee",
    "Interval",
    "Names",
    "Posterior",
    "comparison",
]

P = ParamSpec("P")
R = TypeVar("R", bound=ComparisonResult)
ByMethod = Mapping[str, Guarantee]
_COMMON = {
    "delta": "delta : float\n    Level of the test and of the interval, in (0, 1).",
    "names": "names : tuple of str\n    What to call A and B in the reading.",
}


@dataclass(frozen=True)
class Comparison:
    """One registered comparison.

    Attributes
    ----------
    key, name : str
        Short name (of the function, and of the method if it has several) and full name.
    place : int
        Its place among the comparisons, which determines its look in figures.
    takes : str
        The kind of input, which the law tests use, too: "counts" of discordant examples, a 2x2
        "table", a "small table" of at most 10,000 examples, "two test sets", "paired losses",
        "grouped losses", "fold differences", "5x2 differences", a "loss matrix", "differences over
        data sets", or "errors over data sets".
    sample : str
        The sample: the "same examples" for A and B, "two test sets", or "many data sets".
    equations : str
        The equations in the source.
    guarantee, interval_guarantee : str
        What is proven about the level of the test, and about the coverage of its interval, for
        every input; a result may have a stronger guarantee.
    extra : mapping
        An example value for each other argument without a default.
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
    function: Callable[..., ComparisonResult] = field(repr=False)


COMPARISONS: Registry[Comparison] = Registry("comparison")


def comparison(
    *,
    key: str = "",
    name: str,
    place: int,
    takes: str,
    equations: str,
    guarantee: Guarantee | ByMethod,
    interval_guarantee: Mapping[str, Guarantee] = {},
    sample: str = "same examples",
    extra: Mapping[str, object] = {},
    elsewhere: Mapping[str, Comparison] = {},
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register a comparison and make its public function (see `Comparison`).

    A formula with a keyword `method` needs a `guarantee` for each method, and is registered as
    ``key-method`` for each, in consecutive places. `interval_guarantee` is needed if it differs
    from `guarantee`. `elsewhere` has the entries of methods that are passed on to another
    comparison. The default key is the name of the function.
    """
    # one entry for each method; a formula without methods has one entry with an empty name
    levels: ByMethod = guarantee if isinstance(guarantee, Mapping) else {"": guarantee}
    # an interval has the guarantee of its test unless `interval_guarantee` differs
    coverages = {**levels, **interval_guarantee}
    entries: dict[str, Comparison] = {}

    def decorate(formula: Callable[P, R]) -> Callable[P, R]:
        defaults = formula.__kwdefaults__ or {}

        @public
        @wraps(formula)
        def compare(*args: P.args, **kwargs: P.kwargs) -> R:
            options = {**defaults, **kwargs}
            options["delta"] = checks.one_delta(options["delta"])
            method = checks.choice(options.get("method", ""), "method", entries)
            result = formula(*args, **options)
            names = result.names
            # a formula for more than two classifiers checks their names itself
            if defaults.get("names"):
                names = checks.two_names(options["names"])
            return _completed(result, entries[method], options["delta"], names)

        function: Callable[..., R] = compare
        for number, method in enumerate(levels):
            entry = Comparison(
                key="-".join(filter(None, (key or formula.__name__, method))),
                name=", ".join(filter(None, (name, method))),
                place=place + number,
                takes=takes,
                sample=sample,
                equations=equations,
                guarantee=levels[method],
                interval_guarantee=coverages[method],
                extra=extra,
                function=partial(function, method=method) if method else compare,
            )
            entries[method] = COMPARISONS.add(entry.key, entry)
        entries.update(elsewhere)
        compare.__doc__ = _document(formula, entries)
        return compare

    return decorate


def _completed(result: R, entry: Comparison, delta: float, names: tuple[str, ...]) -> R:
    """Return the result with its method, names, delta and guarantee filled in."""
    fields: dict[str, Any] = {
        name: checks.plain(getattr(result, name)) for name in ("statistic", "pvalue", "estimate")
    }
    if result.limits is not None:
        fields["interval_guarantee"] = entry.interval_guarantee
    if result.guarantee == UNKNOWN:  # the formula may have set the guarantee for this input
        fields["guarantee"] = entry.guarantee
    return replace(
        result,
        method=entry.key,
        name=entry.name,
        takes=entry.takes,
        delta=delta,
        names=names,
        quantity=result.quantity.format(a=names[0], b=names[1]),
        **fields,
    )


def _document(formula: Callable[..., object], entries: Mapping[str, Comparison]) -> str:
    """Add the guarantee and the common arguments to the docstring of a formula."""
    parts = sections(formula)
    for name, section in _COMMON.items():
        if name in (formula.__kwdefaults__ or {}) and f"{name} : " not in parts["Parameters"]:
            parts["Parameters"] += f"\n{section}"
    guarantees = []
    for method, entry in entries.items():
        words: str = entry.guarantee
        if entry.interval_guarantee != entry.guarantee:
            words = f"{entry.guarantee}; of its interval: {entry.interval_guarantee}"
        guarantees.append(": ".join(filter(None, (method, words))))
    parts["Notes"] = textwrap.fill(f"Guarantee of the level. {'. '.join(guarantees)}.", 95)
    return docstring(parts)
