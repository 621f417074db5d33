"""What a comparison is, the registry `COMPARISONS`, and the one decorator that makes one.

A comparison is written as ``f(data, *, delta=0.05, names=("A", "B"), ...) -> Finding``. The
decorator checks `delta`, `names` and `method` before the formula sees them, and turns the
finding into a `ComparisonResult` under the key that is registered.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, Literal, NamedTuple, ParamSpec

from errlab._core import checks
from errlab._core.checks import FloatArray, FloatOrArray
from errlab._core.interval import Interval
from errlab._core.public import public as door
from errlab._core.registry import Registry
from errlab.compare._result import ComparisonResult, Guarantee, Names, Posterior

P = ParamSpec("P")
Takes = Literal[
    "counts",
    "table",
    "two test sets",
    "paired losses",
    "grouped losses",
    "fold differences",
    "5x2 differences",
    "loss matrix",
]
A_AND_B: Names = ("A", "B")


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
    """

    statistic: FloatOrArray
    pvalue: FloatOrArray | None
    estimate: FloatOrArray | None
    limits: Callable[..., Interval[FloatArray]] | None = None
    data: tuple[object, ...] = ()
    posterior: Posterior | None = None
    quantity: str = "error of {a} minus error of {b}"


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
        What the function is given: discordant counts, a 2x2 table, two test sets, paired losses,
        of cases in groups or not, differences of folds, 5x2 differences, or a matrix of losses.
    paired : bool
        Whether A and B were tested on the same cases.
    equations : str
        Where the formula stands in the source.
    guarantee, interval_guarantee : str
        What is known of the level of the test, and of the coverage of its interval.
    extra : mapping
        An example value for each further argument that has no default.
    function : callable
        The public function, with its method filled in.
    """

    key: str
    name: str
    place: int
    takes: Takes
    paired: bool
    equations: str
    guarantee: Guarantee
    interval_guarantee: Guarantee
    extra: Mapping[str, object]
    function: Callable[..., ComparisonResult]


COMPARISONS: Registry[Comparison] = Registry("comparison")


_OF_TWO = """delta : float
    Level of the test and of the interval, in (0, 1).
names : tuple of str
    What to call A and B in the reading."""
_OF_MANY = """delta : float
    Level of the test, in (0, 1)."""


def comparison(
    *,
    key: str,
    name: str,
    place: int,
    takes: Takes,
    equations: str,
    guarantee: Guarantee | Mapping[str, Guarantee],
    interval_guarantee: Guarantee | Mapping[str, Guarantee] | None = None,
    paired: bool = True,
    extra: Mapping[str, object] | None = None,
) -> Callable[[Callable[P, Finding]], Callable[P, ComparisonResult]]:
    """Register a comparison and make its public function (see `Comparison`).

    A formula with a keyword `method` gives a `guarantee` for each method, and is registered as
    ``key-method`` for each, at one place after the other. `interval_guarantee` is needed where
    it differs from `guarantee`.
    """
    # one entry for each method; a single method has the empty name
    of_test = guarantee if isinstance(guarantee, Mapping) else {"": guarantee}
    of_interval = dict(of_test)
    if isinstance(interval_guarantee, str):
        of_interval = dict.fromkeys(of_test, interval_guarantee)
    elif interval_guarantee is not None:
        of_interval.update(interval_guarantee)

    def decorate(formula: Callable[P, Finding]) -> Callable[P, ComparisonResult]:
        parameters = inspect.signature(formula).parameters
        _declared(formula, parameters, of_test, dict(extra or {}))

        @wraps(formula)
        def public(*args: P.args, **kwargs: P.kwargs) -> ComparisonResult:
            options: dict[str, Any] = dict(kwargs)
            delta = checks.one_delta(options.get("delta", parameters["delta"].default))
            names = checks.two_names(options.get("names", A_AND_B))
            method = ""
            if "method" in parameters:
                asked = options.get("method", parameters["method"].default)
                method = options["method"] = checks.choice(asked, "method", of_test)
            options["delta"] = delta
            finding = formula(*args, **options)
            return _result(COMPARISONS[_key(key, method)], finding, delta, names)

        checked = door(public)
        checked.__doc__ = _document(formula, parameters, of_test, of_interval)
        for number, method in enumerate(of_test):
            entry = Comparison(
                key=_key(key, method),
                name=f"{name}, {method}" if method else name,
                place=place + number,
                takes=takes,
                paired=paired,
                equations=equations,
                guarantee=of_test[method],
                interval_guarantee=of_interval[method],
                extra=dict(extra or {}),
                function=_with(checked, method),
            )
            COMPARISONS.add(entry.key, entry)
        return checked

    return decorate


def _key(key: str, method: str) -> str:
    """Return the key of one of several methods, or of the only one."""
    return f"{key}-{method}" if method else key


def _with(public: Callable[..., ComparisonResult], method: str) -> Callable[..., ComparisonResult]:
    """Fill the method in, where there are several."""
    return partial(public, method=method) if method else public


def _result(entry: Comparison, finding: Finding, delta: float, names: Names) -> ComparisonResult:
    """Turn the finding of a formula into what the public function returns."""
    limits = finding.limits
    if limits is not None and "<locals>" in getattr(limits, "__qualname__", "<locals>"):
        raise TypeError(f"the limits of {entry.key} must be a function of a module, to be pickled")
    return ComparisonResult(
        method=entry.key,
        name=entry.name,
        statistic=checks.plain(finding.statistic),
        pvalue=None if finding.pvalue is None else checks.plain(finding.pvalue),
        estimate=None if finding.estimate is None else checks.plain(finding.estimate),
        delta=delta,
        guarantee=entry.guarantee,
        interval_guarantee=None if limits is None else entry.interval_guarantee,
        names=names,
        quantity=finding.quantity.format(a=names[0], b=names[1]),
        posterior=finding.posterior and Posterior(*map(checks.plain, finding.posterior)),
        limits=None if limits is None else partial(limits, *finding.data, delta=delta),
    )


def _declared(
    formula: Callable[..., Finding],
    parameters: Mapping[str, inspect.Parameter],
    methods: Mapping[str, Guarantee],
    extra: Mapping[str, object],
) -> None:
    """Check that a formula takes what its registration says."""
    # said when the module is imported, so that no comparison can be registered wrongly
    options = {n: p for n, p in parameters.items() if p.kind is p.KEYWORD_ONLY}
    needed = {n for n, p in options.items() if p.default is p.empty}
    where = f"the comparison {formula.__name__}"
    if "delta" not in options:
        raise TypeError(f"{where} must take delta as a keyword")
    if ("method" in options) != (set(methods) != {""}):
        raise TypeError(f"{where} must take method if, and only if, it has several guarantees")
    if needed != set(extra):
        raise TypeError(f"{where} must give an example in extra of {sorted(needed)}, and no other")


def _document(
    formula: Callable[..., Finding],
    parameters: Mapping[str, inspect.Parameter],
    of_test: Mapping[str, Guarantee],
    of_interval: Mapping[str, Guarantee],
) -> str:
    """Add delta, names and the guarantee to the docstring of a formula."""
    doc = inspect.getdoc(formula) or ""
    common = _OF_TWO if "names" in parameters else _OF_MANY
    doc = doc.replace("\n\nReturns\n", f"\n{common}\n\nReturns\n", 1)
    lines = [
        f"{f'{method}: ' if method else ''}{of_test[method]}"
        + (f"; of its interval: {of_interval[method]}" if of_interval[method] != level else "")
        for method, level in of_test.items()
    ]
    notes = "\n".join(textwrap.wrap(f"Guarantee of the level. {'. '.join(lines)}.", 95))
    doc = doc.replace("\n\nReferences\n", f"\n\nNotes\n-----\n{notes}\n\nReferences\n", 1)
    return textwrap.indent(doc, "    ").strip() + "\n"
