"""The common parts of claims about one classifier and about two: evidence, cautions, groups."""

from __future__ import annotations

from dataclasses import asdict
from functools import cached_property
from typing import ClassVar, NamedTuple

from errlab._core.evidence import GUARANTEE, Evidence, evidence, method_key
from errlab._core.interval import Guarantee
from errlab._core.statement import Statement
from errlab._numerics.groups import FEW, caution, described
from errlab.statements import mean_claims as means
from errlab.statements.report import words
from errlab.statements.scale import Scale


class Sample(NamedTuple):
    """The test examples of a report, with their groups and the scale of their scores."""

    n: int
    scale: Scale
    groups: int | None
    effective_groups: float | None
    largest_group: float | None
    max_group_size: int | None


class ReportClaim(Statement):
    """The base class of claims about one classifier and about two."""

    estimate: float
    low: float
    high: float
    delta: float
    guarantee: Guarantee
    method: str
    design_effect: float | None

    # the kind of claim whose coverage was simulated: "bound" or "interval"
    simulated: ClassVar[str]
    noun: ClassVar[str]  # what is estimated
    of_effect: ClassVar[str] = ""  # what the design effect is about
    over_groups: ClassVar[str]  # the sentence about the mean over groups

    def gaps(self, *numbers: float) -> dict[str, str]:
        """Return the texts that fill the sentences: an estimate and its ends, rounded outward."""
        raise NotImplementedError

    def _sample(self) -> Sample:
        """Return the examples and groups on which the claim is based."""
        raise NotImplementedError

    def _groups_with_event(self) -> int | None:
        """Return the number of groups with an error, or with a difference."""
        raise NotImplementedError

    def _group_numbers(self) -> tuple[float, ...]:
        """Return the mean over groups with its bound and ends; empty without such a claim."""
        raise NotImplementedError

    def _evidence_of_bounds(self) -> list[Evidence]:
        """Return the evidence of the bounds in the report, if they are asymptotic."""
        return []

    @cached_property
    def evidence(self) -> Evidence:
        """The proof of the claim, or the coverage of such claims in simulations."""
        sample = self._sample()
        size, unit = float(sample.n), "examples"
        signs: dict[str, float | None] = {"groups with an error": self._groups_with_event()}
        if sample.groups and sample.effective_groups:
            size, unit = sample.effective_groups, "effective groups"
            signs["groups over effective groups"] = sample.groups / size
        return evidence(
            self.guarantee,
            self.method,
            size,
            unit,
            kind=self.simulated,
            delta=self.delta,
            door="report",
            seen=signs,
        )

    def warnings(self) -> list[str]:
        """Return the cautions: low coverage, few groups, two means that differ."""
        return self._cautions[:1] + self._of_means[0]

    @cached_property
    def _cautions(self) -> list[str]:
        """The cautions to print before the claim, and those to print after it."""
        claims = [self.evidence, *self._evidence_of_bounds()]
        weaknesses = [proven.weakness for proven in claims if proven.weakness]
        groups = self._sample().effective_groups
        if groups and "asymptotic" in [proven.guarantee for proven in claims]:
            return weaknesses[:1] + caution(groups)
        return weaknesses[:1]

    def _source(self, method: str) -> str:
        """Return the method with its guarantee, for the brackets of the second line."""
        if self.guarantee == "exact":
            return method
        sample = self._sample()
        if sample.groups and self.guarantee == "finite sample":
            method = f"{method}; no group above {sample.max_group_size} examples"
        return f"{method}; {self.evidence.short}"

    def _promises(self) -> list[str]:
        """Return what is proven, for which claims, or the measured coverage."""
        if self.guarantee == "exact":
            return []
        promise, sample = self.evidence.words, self._sample()
        if self.guarantee == "finite sample":
            units = "examples"
            if sample.groups:
                units = f"groups of at most {sample.max_group_size} examples"
            promise = f"{promise}; proven for every number of {units}"
        if method_key(self.method) in means.BET_KEYS:
            promise += ", and wider for it than method='t'"
        return [GUARANTEE.format(promise=promise)]

    def _of_groups(self, event: str) -> list[str]:
        """Return the sentence about the groups: their number, sizes and information.

        `event` says how many of them have an error, or a difference.
        """
        sample, effect = self._sample(), self.design_effect
        if sample.groups is None or not sample.effective_groups or not sample.largest_group:
            return []
        parts = [described(sample.groups, sample.effective_groups, sample.largest_group)]
        if effect is None:
            event = words.EQUAL
        if event:
            parts.append(event.format(number=self._groups_with_event()))
        # with few groups the estimate is too inaccurate to be printed
        if effect is not None and sample.effective_groups >= FEW:
            size = f"{sample.n / max(effect, 1.0):.0f}"
            rounded = f"{effect:.{int(effect < 10)}f}"
            parts.append(words.EFFECT.format(of=self.of_effect, effect=rounded, size=size))
        return [f"The examples come in {'; '.join(parts)}."]

    @property
    def _of_means(self) -> tuple[list[str], list[str]]:
        """The caution that two means differ, with the guarantee of the mean over groups."""
        numbers = self._group_numbers()
        if not numbers:
            return [], []
        group_mean, *_, low, high = numbers
        gaps = self.gaps(*numbers)
        sentence = self.over_groups.format(**gaps)
        room = self._sample().scale.room
        near = low - room <= self.estimate <= high + room
        if near and self.low - room <= group_mean <= self.high + room:
            return [], [sentence]
        return [words.APART.format(**gaps, kind=self.noun)], [sentence, words.NOT_THE_OTHER]

    def _numbers(self) -> dict[str, object]:
        return super()._numbers() | {"evidence": asdict(self.evidence)}
