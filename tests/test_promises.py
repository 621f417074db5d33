"""The law of every public function: verdict, interval, estimate, p-value and sentence agree.

Inputs are small and awkward: 1 to 30 examples, all errors, none, ties, graded, groups of all
shapes, several levels. To add a door, write its call in data/doors.txt; what the result promises is
read by the function of its type in `PROMISES`.
"""

import contextlib
import io
import json
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from tables import sections
from words import whole

import errlab
from errlab.__main__ import main

LEVELS = (0.01, 0.05, 0.2, 0.5)
ROUNDED = 1e-9  # relative to the range, because printed numbers are rounded


@dataclass
class Promise:
    """An interval with its estimate, and what the text says about it."""

    text: str
    estimate: float
    low: float
    high: float
    smallest: float = -1.0  # the smallest possible value
    largest: float = 1.0
    printed: tuple[str, ...] | None = None  # the ends as the text states them, numbers times `unit`
    unit: float = 1.0
    pvalue: float | None = None
    differs: bool | None = None
    delta: float = 0.05
    # whether the text says that Holm's steps show a difference although the interval doesn't
    by_steps: bool = False


def drawn(seed):
    """Draw an input: one column in five is a copy of another, or constant."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 31))
    steps = rng.choice([1, 2, 10])  # scores of 0 and 1; of 0, 1/2 and 1; or of tenths
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
    units = np.arange(n) if groups is None else groups
    delta = float(rng.choice(LEVELS))
    truth = (np.arange(n) % 3 == 0).astype(int)
    wrong = [(column > 0.5).astype(int) for column in (a, b)]  # losses of 0 and 1
    return SimpleNamespace(
        a=a, b=b, delta=delta, rows=np.arange(n), units=units, truth=truth, wrong=wrong,
        calls=[np.where(losses, 1 - truth, truth) for losses in wrong],
        how={"groups": groups, "delta": delta}, three={"a": a, "b": b, "c": (a + b) / 2},
        table=pd.DataFrame({"a": a, "b": b, "group": [f"g{g}" for g in units]}),
        group=[] if groups is None else ["--group", "group"],
    )  # fmt: skip


def search(pattern, text):
    return re.search(pattern, text, re.M).groups()


def of_report(result, cases):
    """Every interval of a report, from its JSON, which the command line prints, too."""
    answer = result if isinstance(result, dict) else json.loads(result.to_json())
    of_pair = of_two if "pvalue" in answer else of_one
    return of_pair(answer, f"{answer['claim']} {answer['details']}")


def of_one(answer, text):
    scale, bound = answer["scale"], answer["bound"]
    unit, better = 0.01 if scale["rate"] else 1.0, scale["higher_is_better"]
    lowest, highest = scale["low"], scale["high"]
    limits = lowest, highest
    ends = search(r"two-sided [\d.]+% interval (\S+) to (\S+)\.(?: |$)", text)
    yield Promise(text, answer["estimate"], answer["low"], answer["high"], *limits, ends, unit)
    (end,) = search(r"is at (?:most|least) (\S+) \(", text)
    ends = (end, f"{highest / unit}") if better else (f"{lowest / unit}", end)
    low, high = (bound, highest) if better else (lowest, bound)
    # at less than 50% confidence, a bound may exclude the estimate
    middle = answer["estimate"] if answer["delta"] <= 0.5 else bound
    yield Promise(text, middle, low, high, *limits, ends, unit)
    if answer.get("group_claim"):
        _, low, high = answer["group_claim"]
        ends = search(r"two-sided interval is (\S+) to (\S+) \(the same", text)
        yield Promise(text, answer["group_mean"], low, high, *limits, ends, unit)


def of_two(answer, text):
    scale, difference = answer["a"]["scale"], answer["difference"]
    limits, unit = (-scale["high"], scale["high"]), 0.01 if scale["rate"] else 1.0
    differs = answer["verdict"] in ("better", "worse")
    assert differs == bool(re.search(r" is (better|worse) than .* at level", text))
    sign = -1 if scale["higher_is_better"] else 1
    assert (answer["verdict"] == "better") == (differs and sign * difference > 0)
    ends = search(r"% interval (above 0|below 0|\S+) to (above 0|below 0|\S+?)\.(?: |$)", text)
    claim = difference, answer["low"], answer["high"], *limits, ends, unit
    yield Promise(text, *claim, answer["pvalue"], differs, answer["delta"])
    if answer.get("group_claim"):
        ends = search(r"interval (\S+) to (\S+)(?: percentage points)? \(the same", text)
        low, high = answer["group_claim"]
        yield Promise(text, answer["group_difference"], low, high, *limits, ends, unit)


def of_models(result, cases):
    """The intervals of many models: one for each model, and one for each pair."""
    text, scale = whole(result), result.scale
    unit, span = 0.01 if scale.rate else 1.0, scale.high - scale.low
    for m in result.models:
        printed = search(rf"^{m.name}: [^(]*? \((\S+) to (\S+)\), rank", text)
        yield Promise(text, m.estimate, m.low, m.high, scale.low, scale.high, printed, unit)
    for p in result.pairs:
        apart = r": .*?, (above 0|\S+) to (below 0|\S+), adjusted p [^(\n]*?(\(.*\))?\.$"
        *printed, steps = search(rf"^{p.a} minus {p.b}{apart}", text)
        differs = (p.a, p.b) in [(q.a, q.b) for q in result.different]
        ends = (p.low, p.high, -span, span, printed, unit)
        by_steps = bool(steps and "Holm's" in steps)
        if by_steps:  # Bonferroni's interval excludes 0 if p is at most its level
            assert p.pvalue > result.pair_delta
        yield Promise(text, p.difference, *ends, p.adjusted, differs, cases.delta, by_steps)


def of_classes(result, cases):
    text = repr(result)
    lines = [re.split("  +", line.strip()) for line in text.splitlines()]
    for row in (*result.classes, result.macro):
        cells = next(cells for cells in lines if cells[0] == str(row.label))[2::2]
        for cell, *ends in zip(cells, row[3::4], row[4::4], row[5::4], strict=True):
            if ends[1] is not None:
                printed = search(r"\((\S+) to (\S+)\)", cell)
                yield Promise(text, ends[0], ends[1], ends[2], 0, 1, printed, 0.01)


def of_estimate(result, cases):
    """The interval of one number; with a p-value, it is a difference."""
    text, p = repr(result), getattr(result, "pvalue", None)
    low, high = result.interval if hasattr(result, "interval") else (result.low, result.high)
    printed = search(
        r"interval (above 0|\S+) to (below 0|\S+?)(?:\.\n|, from |,? (?:\(|p [=<]))", text
    )
    differs = None if p is None else p <= cases.delta
    if type(result).__name__ == "ComparisonResult":
        differs = " is better" in result.reading
    floor = 0 if p is None else -1
    yield Promise(text, result.estimate, low, high, floor, 1, printed, 1.0, p, differs, cases.delta)


def of_watch(result, cases):
    """It agrees with all earlier looks, so it may exclude the current mean; then it says so."""
    if result.interval is not None:
        printed = search(r"one is (\S+)% to (\S+)%", repr(result))
        low, high = result.interval
        yield Promise(repr(result), (low + high) / 2, low, high, 0, 1, printed, 0.01)


def of_data_sets(result, cases):
    text = result.reading
    (printed,) = search(r"p [=<] ([\d.e-]*\d)", text)
    assert text.startswith("The classifiers differ") == (float(printed) <= cases.delta)
    return []


def of_picture(axes, cases):
    """The picture shows the same ends as the report."""
    report = errlab.report(0 * cases.wrong[0], cases.wrong[0], delta=cases.delta)
    paths = [path for part in axes.collections for path in part.get_paths()]
    drawn = np.concatenate(
        [*(line.get_xdata() for line in axes.lines), *(path.vertices[:, 0] for path in paths)]
    )
    plt.close(axes.figure)
    for end in (report.low, report.high):
        assert np.isclose(drawn, 100 * end).any() or np.isclose(drawn, end).any()
    return []


PROMISES = {
    **dict.fromkeys(("Report", "PairReport", "dict"), of_report),
    **dict.fromkeys(("ComparisonResult", "Metric", "PopulationMean"), of_estimate),
    "Models": of_models, "PerClass": of_classes, "Watch": of_watch, "DataSets": of_data_sets,
    "Axes": of_picture,
}  # fmt: skip


def watched(cases):
    test = errlab.watch(delta=cases.delta)
    for loss in cases.wrong[0]:
        test.update(loss)
    return test


def printed(command, cases, table, *options):
    """The JSON that a command prints for a table in a file."""
    options = [*options, "--delta", str(cases.delta), "--format", "json"]
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
        table.to_csv(Path(folder) / "cases.csv", index=False)
        with contextlib.redirect_stderr(io.StringIO()) as refused:
            code = main([command, f"{folder}/cases.csv", *options])
    if code:
        raise ValueError(refused.getvalue())
    return json.loads(out.getvalue())


def long_table(cases):
    """A long table gives the same as the function, so the function's law applies."""
    table = pd.concat(
        pd.DataFrame({"model": name, "item": cases.rows, "score": column, "group": cases.units})
        for name, column in cases.three.items()
    )
    columns = {"model": "model", "case": "item", "score": "score"}
    if cases.group:
        columns["group"] = "group"
    result = errlab.models(table, **columns, delta=cases.delta)
    options = [part for name, column in columns.items() for part in (f"--{name}", column)]
    assert printed("compare", cases, table, *options)["claim"] == result.to_dict()["claim"]
    return result


DOORS = {title: "\n".join(lines) for title, lines in sections("doors.txt")}


def number(text, unit):
    """A printed end; "above 0" stands for any positive number."""
    return {"above": 1e-300, "below": -1e-300}.get(text.split()[0]) or unit * float(text.strip("%"))


def broken(p):
    """Every broken promise, as a sentence."""
    room = ROUNDED * (p.largest - p.smallest)
    laws = {
        "the ends are in the range": p.smallest - room <= p.low <= p.high <= p.largest + room,
        "the interval has a width": p.low < p.high,
        "the interval holds the estimate": p.low - room <= p.estimate <= p.high + room,
    }
    if p.printed is not None:
        low, high = (number(end, p.unit) for end in p.printed)
        laws["no end is rounded inward"] = low <= p.low + room and high >= p.high - room
        inside = p.smallest - room <= low < high <= p.largest + room
        laws["what is printed is in the range"] = inside
    if p.differs is not None:
        excludes_0 = p.low > 0 or p.high < 0
        # a difference is shown by the interval, or by Holm's steps, as the text says
        laws["verdict and interval agree"] = p.differs == (excludes_0 or p.by_steps)
        laws["Holm's steps are named only where they are needed"] = not (excludes_0 and p.by_steps)
        same_sign = p.estimate * (p.low + p.high) > 0
        laws["the sign is that of the estimate"] = same_sign or not excludes_0
        if p.printed is not None:
            apart = low > 0 or high < 0
            laws["verdict and printed interval agree"] = p.differs == (apart or p.by_steps)
    if p.pvalue is not None:
        laws["verdict and p agree"] = p.differs == (p.pvalue <= p.delta)
        match = re.search(r"p [=<] ([\d.e-]+\d)(?! at the margin)(?![\d.e-])", p.text)
        if match and p.text.count("p = ") + p.text.count("p < ") == 1:
            laws["verdict and printed p agree"] = p.differs == (float(match.group(1)) <= p.delta)
    return [law for law, holds in laws.items() if not holds]


# doors whose answers take long: fewer of them by day
LONG = ("area of two", "watch", "errlab compare", "errlab compare, long table")


def cases():
    """Yield each door and its inputs; most only by night."""
    assert set(LONG) <= set(DOORS)
    for name in DOORS:
        day = 25 if name in LONG else 50
        yield name, range(5)
        yield pytest.param(name, range(5, day), marks=pytest.mark.slow)
        yield pytest.param(name, range(day, 150), marks=pytest.mark.nightly)


@pytest.mark.parametrize(("name", "seeds"), [*cases()], ids=str)
def test_what_a_door_says_agrees(name, seeds):
    answered = 0
    for seed in seeds:
        try:
            result = eval(DOORS[name], globals() | {"c": drawn(seed)})
            promises = list(PROMISES[type(result).__name__](result, drawn(seed)))
        except ValueError as error:  # an input may be refused, but most mustn't
            if not re.search("group|at least 2|must (differ|not all|allow)", str(error)):
                raise
            continue
        answered += 1
        for promise in promises:
            assert broken(promise) == [], (seed, drawn(seed), promise)
    assert answered > 0.6 * len(seeds)


def test_the_law_sees_what_was_printed():
    """Faults that reviews reported, which this test must detect."""
    for promise, law in (
        # the interval was for another mean than the one printed
        (Promise("", 0.59, 0.24, 0.349), "holds the estimate"),
        (Promise("p < 0.0001", -0.5, -0.5, -0.5, pvalue=0.0, differs=True), "has a width"),
        (Promise("", 0.0, -3.253, 2.853), "in the range"),
        (Promise("", 0.5, 0.3999, 0.6, printed=("0.40", "0.6")), "rounded inward"),
        (Promise("p = 0.05", 0.1, 0.01, 0.2, pvalue=0.051, differs=True), "verdict and p agree"),
        (Promise("", 0.1, -0.1, 0.3, pvalue=0.04, differs=True), "verdict and interval agree"),
        (Promise("", 0.1, 0.01, 0.3, pvalue=0.04, differs=True, by_steps=True), "only where"),
    ):  # fmt: skip
        assert any(law in text for text in broken(promise)), law
