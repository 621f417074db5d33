"""The law of every door: verdict, interval, estimate, p-value and sentence agree.

Inputs are small and awkward: 1 to 30 cases, all errors, none, ties, graded, groups of all shapes,
several levels. To add a door, write what it promises of one input under ``@door``.
"""

import contextlib
import io
import json
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
import pytest

import errlab
from errlab import compare, metrics
from errlab.__main__ import main
from errlab.compare import groups as compare_groups

LEVELS = (0.01, 0.05, 0.2, 0.6)
ROUNDED = 1e-9  # relative to the range: printed numbers come without the last digits


class Cases(NamedTuple):
    """One input: two columns of scores in [0, 1], 0 and 1 or graded, groups or None."""

    a: Any
    b: Any
    groups: Any
    delta: float


@dataclass
class Promise:
    """An interval beside its estimate, and what is said of it."""

    text: str
    estimate: float
    low: float
    high: float
    least: float = -1.0
    most: float = 1.0
    printed: tuple[str, ...] | None = None  # its ends in the text, as numbers times `unit`
    unit: float = 1.0
    pvalue: float | None = None
    differs: bool | None = None
    delta: float = 0.05


def drawn(seed):
    """Draw an input: a column in five is one of another's copies, or all alike."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 31))
    steps = rng.choice([1, 2, 10])  # scores of 0 and 1; of 0, 1/2 and 1; of tenths
    a, b = (rng.binomial(steps, rng.choice([0, 0.05, 0.5, 0.95, 1]), n) / steps for _ in range(2))
    if rng.random() < 0.2:
        b = a.copy()
    shapes = [
        None, np.arange(n), np.arange(n) // 2, np.arange(n) % 2, np.minimum(np.arange(n), 3),
        np.sort(rng.integers(0, 5, n)), np.maximum(np.arange(n) - n // 2, 0),
    ]  # fmt: skip
    groups = shapes[rng.integers(len(shapes))]
    if groups is not None and rng.random() < 0.3:  # copies in each group
        _, first, of = np.unique(groups, return_index=True, return_inverse=True)
        a, b = a[first][of], b[first][of]
    return Cases(a, b, groups, float(rng.choice(LEVELS)))


DOORS = {}


def door(function):
    DOORS[function.__name__] = function
    return function


def of_report(told):
    """Every interval of a report, from its JSON."""
    text, delta = told["claim"], told["delta"]
    scale = told.get("scale") or told["a"]["scale"]
    unit = 0.01 if scale["rate"] else 1.0
    better = scale["higher_is_better"]
    if "pvalue" not in told:
        least, most = scale["low"], scale["high"]
        mean, bound = told["estimate"], told["bound"]
        said = re.search(r"two-sided [\d.]+% interval is (\S+) to (\S+)\.(?: |$)", text).groups()
        yield Promise(text, mean, told["low"], told["high"], least, most, said, unit)
        end = re.search(r"is at (?:most|least) (\S+) \(", text).group(1)
        ends = (bound, most) if better else (least, bound)
        said = (end, f"{most / unit}") if better else (f"{least / unit}", end)
        middle = mean if delta <= 0.5 else bound  # less than half sure, a bound may leave it out
        yield Promise(text, middle, ends[0], ends[1], least, most, said, unit)
        if told.get("proven"):
            _, low, high = told["proven"]
            said = re.search(r"two-sided interval is (\S+) to (\S+) \(betting", text).groups()
            yield Promise(text, told["group_mean"], low, high, least, most, said, unit)
        return
    span = scale["high"]
    differs = told["verdict"] in ("better", "worse")
    assert differs == bool(re.search(r" is (better|worse) than .* at level", text))
    sign = -1 if better else 1
    assert (told["verdict"] == "better") == (differs and sign * told["difference"] > 0)
    said = re.search(r"% interval (above 0|below 0|\S+) to (above 0|below 0|\S+) \(", text).groups()
    yield Promise(
        text, told["difference"], told["low"], told["high"], -span, span, said, unit,
        told["pvalue"], differs, delta,
    )  # fmt: skip
    if told.get("proven"):
        pattern = r"(?:groups|width): (\S+) to (\S+)(?: percentage points)? \(betting"
        said = re.search(pattern, text).groups()
        low, high = told["proven"]
        yield Promise(text, told["group_difference"], low, high, -span, span, said, unit)


@door
def report_labels(cases):
    wrong = (cases.a > 0.5).astype(int)
    told = errlab.report(np.zeros(len(wrong)), wrong, groups=cases.groups, delta=cases.delta)
    return of_report(json.loads(told.to_json()))


@door
def report_labels_of_two(cases):
    wrong = ((cases.a > 0.5).astype(int), (cases.b > 0.5).astype(int))
    told = errlab.report(
        np.zeros(len(wrong[0])), *wrong, groups=cases.groups, delta=cases.delta, margin=0.1
    )
    return of_report(json.loads(told.to_json()))


@door
def report_scores(cases):
    told = errlab.report(scores=cases.a, groups=cases.groups, delta=cases.delta)
    return of_report(json.loads(told.to_json()))


@door
def report_marks_of_two(cases):
    marks = {"scores": 10 * cases.a, "scores_b": 10 * cases.b, "range": (0, 10)}
    told = errlab.report(**marks, groups=cases.groups, delta=cases.delta, margin=0.5)
    return of_report(json.loads(told.to_json()))


@door
def report_losses_of_two_by_t(cases):
    told = errlab.report(
        scores=cases.a, scores_b=cases.b, higher_is_better=False, method="t",
        groups=cases.groups, delta=cases.delta,
    )  # fmt: skip
    return of_report(json.loads(told.to_json()))


def of_models(found, delta, span=1.0):
    """What many models are told of: each one's interval, and each pair's."""
    text, rate = repr(found), found.scale.rate
    unit = 0.01 if rate else 1.0
    low = found.scale.low
    for m in found.models:
        said = re.search(rf"^{m.name}: [^(]*? \((\S+) to (\S+)\), rank", text, re.M).groups()
        yield Promise(text, m.estimate, m.low, m.high, low, low + span, said, unit)
    for p in found.pairs:
        apart = r": .*?, (above 0|\S+) to (below 0|\S+), adjusted"
        said = re.search(rf"^{p.a} minus {p.b}{apart}", text, re.M).groups()
        differs = (p.a, p.b) in [(q.a, q.b) for q in found.different]
        yield Promise(
            text, p.difference, p.low, p.high, -span, span, said, unit, p.adjusted, differs, delta
        )


def three(cases):
    return {"a": cases.a, "b": cases.b, "c": (cases.a + cases.b) / 2}


@door
def compare_models(cases):
    wrong = {name: column > 0.5 for name, column in three(cases).items()}
    found = compare.models(
        np.zeros(len(cases.a), bool), wrong, groups=cases.groups, delta=cases.delta
    )
    return of_models(found, cases.delta)


@door
def compare_models_by_scores(cases):
    """0/1 where all of them are, or else graded, and bet upon."""
    found = compare.models(scores=three(cases), groups=cases.groups, delta=cases.delta)
    return of_models(found, cases.delta)


@door
def compare_models_by_losses_and_t(cases):
    marks = {name: 1 + 4 * column for name, column in three(cases).items()}
    found = compare.models(
        scores=marks, range=(1, 5), higher_is_better=False, method="t", groups=cases.groups,
        delta=cases.delta, adjust="bonferroni",
    )  # fmt: skip
    return of_models(found, cases.delta, 4.0)


def long_table(cases):
    n = len(cases.a)
    table = {"model": np.repeat(list("abc"), n), "item": np.tile(np.arange(n), 3)}
    table["score"] = np.concatenate([*three(cases).values()])
    if cases.groups is not None:
        table["group"] = np.tile(cases.groups, 3)
    return table


@door
def compare_models_long(cases):
    table = long_table(cases)
    group = "group" if "group" in table else None
    columns = {"model": "model", "case": "item", "score": "score", "group": group}
    return of_models(compare.models(table, **columns, delta=cases.delta), cases.delta)


@door
def per_class(cases):
    truth = np.arange(len(cases.a)) % 3
    wrong = np.where(cases.a > 0.5, (truth + 1) % 3, truth)
    found = metrics.per_class(truth, wrong, delta=cases.delta)
    text = repr(found)
    lines = [re.split("  +", line.strip()) for line in text.splitlines()]
    for row in (*found.classes, found.macro):
        cells = next(cells for cells in lines if cells[0] == str(row.label))[2::2]
        for cell, *ends in zip(cells, row[3::4], row[4::4], row[5::4], strict=True):
            if ends[1] is not None:
                said = re.search(r"\((\S+) to (\S+)\)", cell).groups()
                yield Promise(text, ends[0], ends[1], ends[2], 0, 1, said, 0.01)


def of_comparison(cases, function, **options):
    """What a comparison of two promises."""
    groups = np.arange(len(cases.a)) if cases.groups is None else cases.groups
    losses = (cases.a > 0.5).astype(float), (cases.b > 0.5).astype(float)
    found = function(*losses, groups=groups, delta=cases.delta, **options)
    text, ends, differs = found.reading, found.interval, " is better" in found.reading
    said = re.search(r"interval (above 0|\S+) to (below 0|\S+) \(", text).groups()
    yield Promise(
        text, found.estimate, ends[0], ends[1], -1, 1, said, 1.0,
        found.pvalue, differs, cases.delta,
    )  # fmt: skip


@door
def grouped_difference(cases):
    return of_comparison(cases, compare_groups.grouped_difference)


@door
def grouped_mcnemar(cases):
    return of_comparison(cases, compare.grouped_mcnemar)


@door
def grouped_mcnemar_of_cases(cases):
    return of_comparison(cases, compare.grouped_mcnemar, method="obuchowski")


def of_metric(name, cases, columns):
    """What `errlab.metric` promises of labels."""
    truth = (np.arange(len(cases.a)) % 3 == 0).astype(int)
    said = [np.where(x > 0.5, 1 - truth, truth) for x in columns]
    found = errlab.metric(truth, *said, metric=name, groups=cases.groups, delta=cases.delta, rng=0)
    text = repr(found)
    pattern = r"% interval (above 0|\S+) to (below 0|\S+?),? (?:\(|p [=<])"
    printed = re.search(pattern, text).groups()
    p = found.pvalue
    yield Promise(
        text, found.estimate, found.low, found.high, -1 if len(columns) > 1 else 0, 1, printed, 1.0,
        p, None if p is None else p <= cases.delta, cases.delta,
    )  # fmt: skip


@door
def metric_accuracy(cases):
    return of_metric("accuracy", cases, [cases.a])


@door
def metric_f1(cases):
    return of_metric("f1", cases._replace(groups=None), [cases.a])


@door
def metric_accuracy_of_two(cases):
    return of_metric("accuracy", cases, [cases.a, cases.b])


def of_areas(cases, *columns):
    """What is promised of areas under the curve, of one score or of two."""
    truth = (np.arange(len(cases.a)) % 3 == 0).astype(int)
    found = errlab.metric(
        truth, *columns, metric="roc_auc", groups=cases.groups, delta=cases.delta, rng=0
    )
    printed = re.search(r"% interval (above 0|\S+) to (below 0|\S+?),? (?:\(|p [=<])", repr(found))
    p = found.pvalue
    yield Promise(
        repr(found), found.estimate, found.low, found.high, -1 if len(columns) > 1 else 0, 1,
        printed.groups(), 1.0, p, None if p is None else p <= cases.delta, cases.delta,
    )  # fmt: skip


@door
def metric_area(cases):
    return of_areas(cases._replace(groups=None), cases.a)


@door
def metric_area_of_two(cases):
    spread = 0.03 * (7 * np.arange(len(cases.b)) % 31)  # with few ties, which are mostly refused
    return of_areas(cases._replace(groups=None), cases.a, cases.b + spread)


@door
def watch(cases):
    """It ends where all looks before agree, so the mean of now may lie outside: then it says so."""
    test = errlab.watch(delta=cases.delta)
    for loss in cases.a > 0.5:
        test.update(loss)
    if test.interval is None:
        return
    said = re.search(r"one is (\S+)% to (\S+)%", repr(test)).groups()
    yield Promise(repr(test), np.mean(test.interval), *test.interval, 0, 1, said, 0.01)


def of_share(found):
    """What an estimate for other cases promises."""
    said = re.search(r"interval (\S+) to (\S+) \(", repr(found)).groups()
    yield Promise(repr(found), found.estimate, found.low, found.high, 0, 1, said)


@door
def weighted_error(cases):
    weights = 1 + np.arange(len(cases.a)) % 5
    return of_share(errlab.metrics.weighted_error(cases.a > 0.5, weights, delta=cases.delta))


@door
def prediction_powered(cases):
    found = errlab.metrics.prediction_powered(
        (cases.a > 0.5).astype(int), (cases.b > 0.5).astype(int), np.tile(cases.b > 0.5, 4) * 1,
        delta=cases.delta,
    )  # fmt: skip
    return of_share(found)


@door
def plot_of_a_report(cases):
    """The picture says the ends that the report says."""
    wrong = (cases.a > 0.5).astype(int)
    found = errlab.report(np.zeros(len(wrong)), wrong, delta=cases.delta)
    axes = found.plot()
    drawn = {round(float(x), 9) for line in axes.lines for x in np.ravel(line.get_xdata())}
    drawn |= {
        round(float(x), 9) for part in axes.collections for path in part.get_paths()
        for x in path.vertices[:, 0]
    }  # fmt: skip
    seen = {round(end * 100, 7) for end in (found.low, found.high)}
    plt.close(axes.figure)
    assert {round(x, 7) for x in drawn} | {round(100 * x, 7) for x in drawn} >= seen
    return []


@door
def friedman(cases):
    errors = np.array([cases.a, cases.b, (cases.a + cases.b) / 3]).T
    text = repr(compare.friedman(errors, delta=cases.delta))
    differs = text.startswith("The classifiers differ")
    said = re.search(r"p ([=<]) ([\d.e-]*\d)", text)
    assert differs == (float(said.group(2)) <= cases.delta)
    return []


@door
def command_line_report(cases):
    return of_report(told_by("report", cases, "a"))


@door
def command_line_compare(cases):
    return of_report(told_by("compare", cases, "a", "b"))


@door
def command_line_compare_long(cases):
    """A long table gives what the function gives: the law is then that of the door above."""
    table = long_table(cases)
    options = ["--model", "model", "--case", "item"]
    told = told_by("compare", cases, "score", table=table, options=options)
    group = "group" if "group" in table else None
    columns = {"model": "model", "case": "item", "score": "score", "group": group}
    assert told["claim"] == compare.models(table, **columns, delta=cases.delta).to_dict()["claim"]
    return []


def told_by(command, cases, *scores, table=None, options=()):
    """What a command prints as JSON of a file, with the columns a, b and group or of a table."""
    groups = np.arange(len(cases.a)) if cases.groups is None else cases.groups
    table = table or {"a": cases.a, "b": cases.b, "group": [f"g{g}" for g in groups]}
    rows = [",".join(map(str, row)) + "\n" for row in zip(*table.values(), strict=True)]
    options = [*options, "--delta", str(cases.delta), "--format", "json"]
    options += [] if cases.groups is None else ["--group", "group"]
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
        path = Path(folder) / "cases.csv"
        path.write_text(",".join(table) + "\n" + "".join(rows))
        columns = [part for name in scores for part in ("--score", name)]
        with contextlib.redirect_stderr(io.StringIO()) as refused:
            code = main([command, str(path), *columns, *options])
    if code:
        raise ValueError(refused.getvalue())
    return json.loads(out.getvalue())


def number(text, unit):
    """A printed end; "above 0" is any number that is."""
    return {"above": 1e-300, "below": -1e-300}.get(text.split()[0]) or unit * float(text.strip("%"))


def broken(p):
    """Every promise that is not kept, in words."""
    room = ROUNDED * (p.most - p.least)
    laws = {
        "the ends are in the range": p.least - room <= p.low <= p.high <= p.most + room,
        "the interval has a width": p.low < p.high,
        "the interval holds the estimate": p.low - room <= p.estimate <= p.high + room,
    }
    if p.printed is not None:
        low, high = (number(end, p.unit) for end in p.printed)
        laws["no end is rounded inward"] = low <= p.low + room and high >= p.high - room
        laws["what is printed is in the range"] = p.least - room <= low < high <= p.most + room
    if p.differs is not None:
        shown = p.low > 0 or p.high < 0
        laws["verdict and interval agree"] = p.differs == shown
        laws["the sign is that of the estimate"] = not shown or p.estimate * (p.low + p.high) > 0
        if p.printed is not None:
            laws["verdict and printed interval agree"] = p.differs == (low > 0 or high < 0)
    if p.pvalue is not None:
        laws["verdict and p agree"] = p.differs == (p.pvalue <= p.delta)
        said = re.search(r"p [=<] ([\d.e-]+\d)", p.text)
        if said and p.text.count("p = ") + p.text.count("p < ") == 1:
            laws["verdict and printed p agree"] = p.differs == (float(said.group(1)) <= p.delta)
    return [law for law, kept in laws.items() if not kept]


def check(name, seeds):
    answered = 0
    for seed in seeds:
        try:
            promises = list(DOORS[name](drawn(seed)))
        except ValueError as error:  # a refusal in words is an answer, but not to most inputs
            refused = str(error)
            if not re.search("group|at least 2|must (differ|rank|not all)", refused):
                raise
            continue
        answered += 1
        for promise in promises:
            assert broken(promise) == [], (seed, drawn(seed), promise)
    assert answered > 0.6 * len(seeds)


@pytest.mark.parametrize("name", DOORS)
def test_what_a_door_says_agrees(name):
    check(name, range(5))


@pytest.mark.slow
@pytest.mark.parametrize("name", DOORS)
def test_what_a_door_says_agrees_on_many_inputs(name):
    check(name, range(5, 150))


def test_the_law_sees_what_was_printed():
    """What stood in the reviews, and would have passed no longer."""
    wide = Promise("", 0.59, 0.24, 0.349)  # proven, of another mean than the one printed
    none = Promise("p < 0.0001", -0.5, -0.5, -0.5, pvalue=0.0, differs=True)
    beyond = Promise("", 0.0, -3.253, 2.853)
    inward = Promise("", 0.5, 0.3999, 0.6, printed=("0.40", "0.6"))
    small = Promise("p = 0.05", 0.1, 0.01, 0.2, pvalue=0.051, differs=True)
    for promise, law in (
        (wide, "holds the estimate"), (none, "has a width"), (beyond, "in the range"),
        (inward, "rounded inward"), (small, "verdict and p agree"),
    ):  # fmt: skip
        assert any(law in said for said in broken(promise)), law
