"""What a comparison is and returns, the registry `COMPARISONS`, and the decorator that makes one.

A comparison is written as ``f(data, *, delta=0.05, names=("A", "B"), ...) -> Finding``. The
decorator checks `delta`, `names` and `method` before the formula sees them, and turns the
finding into a `ComparisonResult` under the key that is registered.

One sign convention holds everywhere: a difference is the error of A minus the error of B, so a
positive one speaks for B.
"""

import html
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import InitVar, asdict, dataclass
from functools import cached_property, partial, wraps
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar, cast

import numpy as np

from errlab._core import checks
from errlab._core import rounding as words
from errlab._core.checks import FloatArray, FloatOrArray
from errlab._core.checks import Names as Names
from errlab._core.docstrings import docstring, sections
from errlab._core.interval import Guarantee as Guarantee
from errlab._core.interval import Interval
from errlab._core.public import public as door
from errlab._core.registry import Registry
from errlab._core.statement import Result

P = ParamSpec("P")
Number = TypeVar("Number", covariant=True, bound=FloatOrArray)
Limits = Callable[[], Interval[FloatOrArray]]
ByMethod = Mapping[str, Guarantee]
# None for a few methods only, so that no caller of the others has to ask (as for re.Match.group)
MaybeNone = Any
A_AND_B: Names = ("A", "B")
_NEXT_TO_0 = float(np.finfo(float).tiny)


class Posterior(NamedTuple):
    """Posterior probabilities of the three answers; they sum to 1."""

    a_better: FloatOrArray
    equivalent: FloatOrArray
    b_better: FloatOrArray


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonResult(Result, Generic[Number]):
    """The outcome of a comparison of A and B. It prints as one sentence and shows as HTML.

    Attributes
    ----------
    method : str
        Key of the method in `COMPARISONS`.
    name : str
        Full name of the method.
    statistic : float or ndarray
        Its test statistic.
    pvalue : float, ndarray or None
        Two-sided p-value; None for a Bayesian method.
    estimate : float, ndarray or None
        Estimated difference: A minus B, so that a positive one speaks for B. None where more
        than two classifiers are compared.
    delta : float
        Level of the test; the interval is meant to hold with probability ``1 - delta``.
    names : tuple of str
        What A and B are called.
    quantity : str
        What `estimate` and `interval` are about.
    guarantee : {"exact", "finite sample", "asymptotic", "none proven"}
        What is known of the level of the test: it is kept for every sample size under the
        test's own model; kept, but by an inequality; kept in the limit; or nothing is proven.
    interval_guarantee : {"exact", "finite sample", "asymptotic", "none proven"} or None
        The same of the coverage of the interval.
    posterior : Posterior or None
        Probabilities of the three answers, for a Bayesian method.
    interval : Interval or None
        ``(low, high)`` around `estimate`, computed when first asked for. It excludes 0 if and
        only if ``pvalue <= delta``; where p equals delta, the end is the positive (or negative)
        number next to 0 that can be told from it. None where there is no single difference, or
        no difference that the test does not reject; among several comparisons such an interval
        is ``nan`` to ``nan``.
    reading : str
        One sentence that says what was found.
    """

    method: str
    name: str
    statistic: Number
    pvalue: Number | MaybeNone
    estimate: Number | MaybeNone
    delta: float
    guarantee: Guarantee
    interval_guarantee: Guarantee | None = None
    names: Names = ("A", "B")
    quantity: str = "error of A minus error of B"
    posterior: Posterior | None = None
    limits: InitVar[Limits | None] = None

    # the ends are a search for some methods: who asks for the p-value alone does not wait for it
    def __post_init__(self, limits: Limits | None) -> None:
        object.__setattr__(self, "_limits", limits)

    @cached_property
    def interval(self) -> Interval[Number] | None:
        """Interval for the difference; None where there is none."""
        limits: Limits | None = self.__dict__["_limits"]
        if limits is None:
            return None
        found = limits()
        # a posterior has no test that its interval could contradict
        if self.pvalue is not None:
            found = settle(found, self.pvalue, self.estimate, self.delta)
            if np.ndim(found.low) == 0 and np.isnan(found.low):
                return None
        return cast("Interval[Number]", Interval(*map(checks.plain, found)))

    @property
    def reading(self) -> str:
        """One sentence for a person; for many tables at once, how many show a difference."""
        return "".join(self._sentence())

    def __repr__(self) -> str:
        """Return the reading."""
        return self.reading

    def _numbers(self) -> dict[str, object]:
        low, high = self.interval or (None, None)
        return asdict(self) | {"low": low, "high": high}

    def _repr_html_(self) -> str:
        verdict, rest = map(html.escape, self._sentence())
        return f'<p class="errlab-report"><strong>{verdict}</strong>{rest}</p>'

    def _sentence(self) -> tuple[str, str]:
        """Return the verdict, and the rest of the sentence with the numbers."""
        own = self.interval_guarantee
        also = f", of its interval: {own}" if own not in (None, self.guarantee) else ""
        proven = f"guarantee: {self.guarantee}{also}"
        if self.posterior is not None:
            verdict, rest = _of_posterior(self.posterior, self.names)
            return verdict, f"{rest} ({self.name}; {proven})."
        # p equal to delta rejects, here as in the interval
        rejects = np.less_equal(self.pvalue, self.delta)
        level = f" at level {self.delta:g}"
        if rejects.ndim:
            verdict = f"{np.count_nonzero(rejects)} of {rejects.size} comparisons show a difference"
            return verdict, f"{level} ({self.name}; {proven})."
        source = f"({self.name}, {words.chance(float(self.pvalue), self.delta)}; {proven})."
        if self.estimate is None:
            verdict = "differ" if rejects else "are not shown to differ"
            return f"The classifiers' errors {verdict}", f"{level} {source}"
        found = f"{self.quantity} {self.estimate:.3g}"
        if self.interval is None:
            return (
                "The differences are not all zero",
                f"{level}, but no one difference fits them: {found} on average, no interval "
                f"{source}",
            )
        ends = words.ends(float(self.interval.low), float(self.interval.high))
        verdict = "Neither is shown to be better"
        if rejects:
            verdict = f"{self.names[self.estimate > 0]} is better"
        return verdict, f"{level}: {found}, {words.sure(self.delta)} interval {ends} {source}"


def settle(
    found: Interval[FloatOrArray], pvalue: FloatOrArray, estimate: FloatOrArray, delta: float
) -> Interval[FloatArray]:
    """Let the p-value decide on which side of 0 the ends are that are 0 but for rounding.

    Test and interval are computed in two ways, and where p is `delta` to the last digits their
    rounding errors may differ. Where the test rejects 0 and the estimate has no sign, no
    difference is left: the interval is ``nan`` to ``nan``.
    """
    centre = np.asarray(estimate)
    rejects = np.asarray(pvalue) <= delta
    # not rejected: 0 belongs to the interval
    low = np.where(rejects, found.low, np.minimum(found.low, 0.0))
    high = np.where(rejects, found.high, np.maximum(found.high, 0.0))
    # rejected: the end on the side of 0 is pushed off it, to the next number if need be
    low = np.where(rejects & (centre > 0), np.maximum(low, _NEXT_TO_0), low)
    high = np.where(rejects & (centre < 0), np.minimum(high, -_NEXT_TO_0), high)
    # rejected without a sign: no one difference is left
    none = rejects & (centre == 0)
    return Interval(np.where(none, np.nan, low), np.where(none, np.nan, high))


def _of_posterior(posterior: Posterior, names: Names) -> tuple[str, str]:
    """Return the most probable answer, or the probabilities of the three of them."""
    a, b = names
    if np.ndim(posterior.a_better):
        most = np.argmax(np.stack(posterior), axis=0)
        answers = (f"{a} better", "equivalent", f"{b} better")
        counts = ", ".join(f"{np.count_nonzero(most == i)} for {w}" for i, w in enumerate(answers))
        return f"Of {most.size} comparisons, the most probable answer is", f": {counts}"
    better, same, worse = (f"{share:.3g}" for share in posterior)
    return (
        f"{a} is better with probability {better}, {b} with {worse}",
        f", and with {same} they are equivalent in practice",
    )


Outcome = ComparisonResult[FloatOrArray]  # of one comparison, or of several at once


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
        What the function is given, and the law tests feed it with: "counts" of discordant cases,
        a 2x2 "table", a "small table" of at most 10,000 cases, "two test sets", "paired losses",
        "grouped losses", "fold differences", "5x2 differences", or a "loss matrix".
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
    takes: str
    paired: bool
    equations: str
    guarantee: Guarantee
    interval_guarantee: Guarantee
    extra: Mapping[str, object]
    function: Callable[..., Outcome]


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
    takes: str,
    equations: str,
    guarantee: Guarantee | ByMethod,
    interval_guarantee: ByMethod | None = None,
    paired: bool = True,
    extra: Mapping[str, object] | None = None,
    elsewhere: Mapping[str, str] | None = None,
) -> Callable[[Callable[P, Finding]], Callable[P, Outcome]]:
    """Register a comparison and make its public function (see `Comparison`).

    A formula with a keyword `method` gives a `guarantee` for each method, and is registered as
    ``key-method`` for each, at one place after the other. `interval_guarantee` is needed where
    it differs from `guarantee`. `elsewhere` names methods that it passes on to a comparison with
    an entry of its own, by the key of that entry.
    """
    # one entry for each method; a single method has the empty name
    of_test = guarantee if isinstance(guarantee, Mapping) else {"": guarantee}
    # an interval is that of its test, and has its guarantee, unless another one is given
    of_interval = {**of_test, **(interval_guarantee or {})}
    others = elsewhere or {}

    def decorate(formula: Callable[P, Finding]) -> Callable[P, Outcome]:
        parameters = inspect.signature(formula).parameters

        @wraps(formula)
        def public(*args: P.args, **kwargs: P.kwargs) -> Outcome:
            options: dict[str, Any] = {"delta": parameters["delta"].default, **kwargs}
            delta = options["delta"] = checks.one_delta(options["delta"])
            names = checks.two_names(options.get("names", A_AND_B))
            method = ""
            if "method" in parameters:
                asked = options.get("method", parameters["method"].default)
                method = options["method"] = checks.choice(asked, "method", [*of_test, *others])
            entry = COMPARISONS[others[method]] if method in others else entries[method]
            return _result(entry, formula(*args, **options), delta, names)

        shown = inspect.signature(formula).replace(return_annotation="ComparisonResult")
        public.__signature__ = shown  # type: ignore[attr-defined]
        checked: Callable[..., Outcome] = door(public)
        proven = {method: COMPARISONS[key].guarantee for method, key in others.items()}
        checked.__doc__ = _document(formula, {**of_test, **proven}, {**of_interval, **proven})
        entries = {
            method: Comparison(
                key=f"{key}-{method}" if method else key,
                name=f"{name}, {method}" if method else name,
                place=place + number,
                takes=takes,
                paired=paired,
                equations=equations,
                guarantee=of_test[method],
                interval_guarantee=of_interval[method],
                extra=dict(extra or {}),
                function=partial(checked, method=method) if method else checked,
            )
            for number, method in enumerate(of_test)
        }
        for entry in entries.values():
            COMPARISONS.add(entry.key, entry)
        return checked

    return decorate


def _result(entry: Comparison, finding: Finding, delta: float, names: Names) -> Outcome:
    """Turn the finding of a formula into what the public function returns."""
    limits = finding.limits
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


def _document(formula: Callable[..., Finding], of_test: ByMethod, of_interval: ByMethod) -> str:
    """Add delta, names and the guarantee to the docstring of a formula."""
    parts = sections(formula)
    common = _OF_TWO if "names" in inspect.signature(formula).parameters else _OF_MANY
    parts["Parameters"] += f"\n{common}"
    lines = [
        f"{f'{method}: ' if method else ''}{of_test[method]}"
        + (f"; of its interval: {of_interval[method]}" if of_interval[method] != level else "")
        for method, level in of_test.items()
    ]
    guarantees = f"Guarantee of the level. {'. '.join(lines)}."
    parts["Notes"] = "\n".join(textwrap.wrap(guarantees, 95))
    return docstring(parts)
