"""What is printed of a method was measured, and is what the study finds."""

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import errlab
from errlab import compare, crossval, metrics
from errlab._core.statement import earned, measured, method_key
from studies import guarantees

ROOT = Path(__file__).parents[2]
RERUN = "measure it: add a setting to studies/guarantees.py and run it"
RNG = np.random.default_rng(27)
REPOSITORIES = np.array(guarantees.SHAPES["12 unequal"])
REPO = np.repeat(np.arange(12), REPOSITORIES)
RIGHT, ALSO = (1 - guarantees.losses_in_groups(RNG, REPOSITORIES, 0.4, 0.1) for _ in range(2))
Y, NOISE, OTHER = guarantees.classes(RNG, 200, 0.3)
A, B = NOISE + 1.5 * Y, OTHER + Y
PATIENT = np.arange(200) // 10
THREE = np.arange(200) % 3
MARKS = RNG.integers(1, 6, 200)
MARKED: dict[str, Any] = {"scores": MARKS, "range": (1, 5), "method": "t"}
X, LABELS = guarantees.normal_classes(RNG, 60, 3, 1.0)
ESTIMATED = crossval.estimate(guarantees.LeastSquares(), X, LABELS, rng=0)
BY_GROUP = crossval.estimate(
    guarantees.LeastSquares(), X, LABELS, groups=np.arange(60) // 3, cv=5, rng=0
)
NESTED = crossval.estimate(guarantees.LeastSquares(), X, LABELS, target="model", repeats=5, rng=0)
ZERO = np.zeros(500, dtype=int)
FEW = "effective groups"
RARER = "cases of the rarer class"
WEIGHT = guarantees.kish("12 unequal")


def metric(a, b=None, **options):
    return errlab.metric(Y, a, b, resamples=100, rng=0, **options)


# Results of every door that can have a method which is not proven, and what its words rest on.
PRINTED = [
    (errlab.report(scores=RIGHT, groups=REPO), WEIGHT, FEW),
    (errlab.report(scores=RIGHT, scores_b=ALSO, groups=REPO), WEIGHT, FEW),
    (errlab.report(ZERO, (1 - RIGHT).astype(int), groups=REPO), WEIGHT, FEW),
    (errlab.report(**MARKED, groups=PATIENT), 20, FEW),
    (errlab.report(**MARKED, scores_b=MARKS[::-1], groups=PATIENT), 20, FEW),
    (errlab.report(**MARKED), 200, "cases"),
    (errlab.report(**MARKED, scores_b=MARKS[::-1]), 200, "cases"),
    (metric(A, metric="roc_auc"), Y.sum(), RARER),
    (metric(A, B, metric="roc_auc"), Y.sum(), RARER),
    (metric(A, metric="roc_auc", groups=PATIENT), 20, FEW),
    (metric(A, B, metric="roc_auc", groups=PATIENT), 20, FEW),
    (metric(A, metric="average_precision"), Y.sum(), RARER),
    (metric(A, B, metric="average_precision"), Y.sum(), RARER),
    (metric(A > 1, metric="balanced_accuracy"), Y.sum(), RARER),
    (errlab.metric(THREE, THREE[::-1], metric="balanced_accuracy"), 200, "cases"),
    (metric(A > 1, metric="mcc", groups=PATIENT), 20, FEW),
    (metric(A > 1, B > 1, metric="mcc", groups=PATIENT), 20, FEW),
    (metric(A > 1, B > 1, metric="accuracy"), 200, "cases"),
    (metric(A > 1, metric="accuracy", groups=PATIENT), 20, FEW),
    (metric(A > 1, B > 1, metric="accuracy", groups=PATIENT), 20, FEW),
    (errlab.metric(A, B, metric="mae", resamples=100, rng=0), 200, "cases"),
    (ESTIMATED, 60, "cases"),
    (BY_GROUP, 60, "cases"),
    (NESTED, 60, "cases"),
    (metrics.error_at_shares(Y, A > 1, {True: 0.1, False: 0.9}, method="mover"), 200, "cases"),
    (metrics.weighted_error(Y, RNG.random(200) + 0.1), 200, "cases"),
    (metrics.weighted_error(Y, RNG.random(200) + 0.1, method="linear"), 200, "cases"),
    (metrics.prediction_powered(Y[:100], (A > 1)[:100], (A > 1)[100:]), 100, "cases"),
]


def in_table(method, unit, kind):
    kinds = ("bound", "interval") if kind == "bound" else (kind,)
    return [
        row
        for row in measured()
        if row["method"] == method_key(method) and row["unit"] == unit and row["kind"] in kinds
    ]


@pytest.mark.parametrize(
    ("result", "size", "unit"), PRINTED, ids=lambda v: getattr(v, "method", None)
)
def test_a_sentence_takes_its_words_from_the_table(result, size, unit):
    kind = "bound" if type(result).__name__ == "Report" else "interval"
    proven = getattr(result, "interval_guarantee", result.guarantee)
    said = earned(proven, result.method, size, unit, kind=kind)
    assert said in " ".join(repr(result).split())
    if proven in ("asymptotic", "none proven"):
        assert "covered" in said, f"{result.method}, by {unit}: {RERUN}"


@pytest.mark.parametrize("groups", [REPO, None])
def test_models_say_what_was_measured_of_all_pairs(groups):
    three = {name: 1 - column.astype(int) for name, column in (("a", RIGHT), ("b", ALSO))}
    found = compare.models(ZERO, three, groups=groups)
    said = " ".join(repr(found).split())
    if groups is None:
        assert "covered" not in said
        return
    for method, kind in (
        ("Korn and Graubard", "interval"),
        ("cluster-robust t of all pairs", "all intervals"),
    ):
        assert f"{earned('asymptotic', method, WEIGHT, FEW, kind=kind)})" in said
        assert in_table(method, FEW, kind), f"{method}: {RERUN}"


def test_no_door_prints_a_guarantee_past_the_table():
    """A result that puts a guarantee into its words asks `earned`; those of compare say it bare."""
    for path in (ROOT / "errlab").rglob("*.py"):
        text = path.read_text("utf-8")
        printed = re.search(r"; \{(self\.)?(interval_)?guarantee\}", text)
        if printed and "earned(" not in text:
            assert path.parent.name == "compare", f"{path} prints a guarantee that was not measured"


def test_earned_takes_the_sizes_near_and_rounds_down():
    rows = [row for row in in_table("score interval", RARER, "interval") if row["runs"] >= 100]
    near = [row for row in rows if 20 / 2.5 <= row["size"] <= 20 * 2.5]
    shares = [row["coverage"] for row in near]
    low, high = (min(math.floor(100 * end), 99) for end in (min(shares), max(shares)))
    sizes = [f"{end:,.0f}" for end in (min(r["size"] for r in near), max(r["size"] for r in near))]
    said = earned("asymptotic", "score interval", 20, RARER)
    covered = f"{low} to {high}" if low < high else f"{low}"
    assert said == (
        f"asymptotic; covered {covered}% in simulations with {' to '.join(sizes)} {RARER}"
    )


def test_earned_at_the_ends():
    most = max(row["size"] for row in in_table("score interval", RARER, "interval"))
    assert f"{most:,.0f} {RARER}" in earned("asymptotic", "score interval", 100 * most, RARER)
    assert earned("asymptotic", "score interval", 0.1, RARER).endswith("not measured at this size")
    assert earned("exact", "score interval", 20, RARER) == "exact"
    at_95 = earned("asymptotic", "score interval", 20, RARER, delta=0.1)
    assert at_95.startswith("asymptotic; at 95% covered")


def test_no_proven_method_misses_what_it_promises():
    proven = ("Clopper-Pearson", "betting bound", "betting on the differences",
              "confidence sequence", "Clopper-Pearson intervals of the strata")  # fmt: skip
    rows = [row for row in measured() if row["method"] in proven]
    assert {row["method"] for row in rows} == set(proven)
    for row in rows:
        # the best of many settings: four standard errors
        assert row["coverage"] >= 0.95 - 4 * math.sqrt(0.95 * 0.05 / row["runs"]), row
    for row in measured():
        if row["kind"] == "power":
            assert row["coverage"] >= 0.8 - 4 * math.sqrt(0.8 * 0.2 / row["runs"]), row


def is_default(row):
    """Whether a door takes the method without being asked for it, and claims coverage."""
    return row["kind"] != "power" and row["like"].get("method") in (None, "proven", "exact")


def test_no_default_covers_less_than_90_percent():
    for row in filter(is_default, measured()):
        # rows of few test sets may be off by three standard errors
        room = 0 if row["runs"] >= 300 else 3 * math.sqrt(0.9 * 0.1 / row["runs"])
        assert row["coverage"] >= 0.9 - room, row


@pytest.mark.slow
@pytest.mark.parametrize(
    ("door", "like"),
    [
        ("report, groups", {"shape": "12 unequal", "error": 0.2, "rho": 0.1}),
        ("metric, area", {"n": 200, "share": 0.1, "area": 0.94}),
        ("weighted_error", {"n": 100, "error": 0.1}),
    ],
)
def test_the_table_is_what_a_rerun_finds(door, like):
    settings = [s for s in guarantees.settings() if s["door"] == door]
    (setting,) = [s for s in settings if like.items() <= s.items() and not s.get("two")
                  and not s.get("method")]  # fmt: skip
    setting = {**setting, "runs": 150}
    again = guarantees.rows_of(setting, guarantees.task(np.random.default_rng(5), **setting))
    for row in again:
        (old,) = [
            r for r in measured() if all(r[k] == row[k] for k in ("door", "method", "kind", "like"))
        ]
        share = old["coverage"]
        spread = math.sqrt(max(share * (1 - share), 0.01) * (1 / old["runs"] + 1 / row["runs"]))
        assert abs(row["coverage"] - share) < 4 * spread, (row, old)


def test_a_small_study_runs_and_shows(tmp_path, capsys):
    found = guarantees.study(repeats=1, small=True, workers=1, folder=tmp_path, progress=None)
    assert {row["door"] for row in found["rows"]} == set(guarantees.DOORS)
    guarantees.show(found)
    assert len(capsys.readouterr().out.splitlines()) == len(found["rows"])
