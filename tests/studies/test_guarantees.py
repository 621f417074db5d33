"""What is printed about a method was measured, and agrees with the study."""

import copy
import json
import math
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from words import whole

import errlab
from errlab import crossval, metrics
from errlab._core import evidence as core_evidence
from errlab._core.evidence import Evidence, Method, evidence, measured, method_key
from errlab.metrics._shares import PopulationMean
from errlab.statements.mean_claims import BETS, BETS_GROUPS, BETTING, BETTING_GROUPS, KORN
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
RARER = "examples of the rarer class"
RAREST = "examples of the rarest class"
OF_RARER = "effective groups of the rarer class"
WEIGHT = guarantees.kish("12 unequal")
# Functions whose text begins with a weakness, if the study found any.
SAYS_WEAKNESS_FIRST = (
    "report", "models", "metric", "crossval.estimate", "weighted_error",
    "prediction_powered", "error_at_shares",
)  # fmt: skip


def metric(a, b=None, **options):
    return errlab.metric(Y, a, b, resamples=100, rng=0, **options)


# Results of functions that state their measured coverage, and the rows behind it.
REPORTS = [
    (errlab.report(scores=RIGHT, groups=REPO), WEIGHT, FEW),
    (errlab.report(scores=RIGHT, groups=REPO, method="t"), WEIGHT, FEW),
    (errlab.report(scores=RIGHT, scores_b=ALSO, groups=REPO, method="t"), WEIGHT, FEW),
    (errlab.report(ZERO, (1 - RIGHT).astype(int), groups=REPO, method="t"), WEIGHT, FEW),
    (errlab.report(**MARKED, groups=PATIENT), 20, FEW),
    (errlab.report(**MARKED, scores_b=MARKS[::-1], groups=PATIENT), 20, FEW),
    (errlab.report(**MARKED), 200, "examples"),
    (errlab.report(**MARKED, scores_b=MARKS[::-1]), 200, "examples"),
    (metrics.error_at_shares(Y, A > 1, {True: 0.1, False: 0.9}, method="mover"), 200, "examples"),
    (
        metrics.error_at_shares(Y, np.arange(200) % 4, dict.fromkeys(range(4), 0.25)),
        200,
        "examples",
    ),
    (metrics.weighted_error(Y, RNG.random(200) + 0.1), 200, "examples"),
    (metrics.weighted_error(Y, RNG.random(200) + 0.1, method="linear"), 200, "examples"),
    (metrics.prediction_powered(Y[:100], (A > 1)[:100], (A > 1)[100:]), 100, "examples"),
]
METRICS = [
    (metric(A, metric="roc_auc"), Y.sum(), RARER),
    (metric(A, B, metric="roc_auc"), Y.sum(), RARER),
    (metric(A, metric="roc_auc", groups=PATIENT), None, OF_RARER),
    (metric(A, B, metric="roc_auc", groups=PATIENT), None, OF_RARER),
    (metric(A, metric="average_precision"), Y.sum(), RARER),
    (metric(A, B, metric="average_precision"), Y.sum(), RARER),
    (metric(A > 1, metric="balanced_accuracy"), Y.sum(), RARER),
    (metric(A > 1, B > 1, metric="balanced_accuracy"), Y.sum(), RARER),
    (
        errlab.metric(THREE, THREE[::-1], metric="balanced_accuracy"),
        66,
        "examples of the rarest class",
    ),
    (metric(A > 1, metric="mcc", groups=PATIENT), 20, FEW),
    (metric(A > 1, B > 1, metric="mcc", groups=PATIENT), 20, FEW),
    (metric(A > 1, B > 1, metric="accuracy"), 200, "examples"),
    (metric(A > 1, metric="accuracy", groups=PATIENT), 20, FEW),
    (metric(A > 1, B > 1, metric="accuracy", groups=PATIENT), 20, FEW),
    (metric(A > 1, metric="recall", groups=PATIENT), None, FEW),
    (errlab.metric(A, B, metric="mae", resamples=100, rng=0), 200, "examples"),
    (errlab.metric(A, B, metric="mse", resamples=100, rng=0), 200, "examples"),
    (metric(scipy.special.expit(A), metric="log_loss"), 200, "examples"),
]
ESTIMATES = [(estimate, 60, "examples") for estimate in (ESTIMATED, BY_GROUP, NESTED)]


def in_table(method, unit, kind):
    kinds = ("bound", "interval") if kind == "bound" else (kind,)
    return [
        row
        for row in measured()
        if row["method"] == method_key(method) and row["unit"] == unit and row["kind"] in kinds
    ]


def check_words(result, outcome):
    """A result prints what the study found, weaknesses first, and the study did find something."""
    printed = repr(result)
    text = " ".join(f"{printed} {result.details}".split())
    assert (outcome.brief if outcome.weakness else outcome.words) in text
    # a report must state a weakness of its interval, or of the bound printed with it
    assert text.startswith(outcome.weakness)
    assert outcome.weakness in " ".join(printed.split())
    if outcome.guarantee in ("asymptotic", "none proven"):
        assert outcome.coverage is not None, f"{result.method}, by {outcome.unit}: {RERUN}"


@pytest.mark.parametrize(
    ("result", "size", "unit"), REPORTS, ids=lambda v: getattr(v, "method", None)
)
def test_a_sentence_takes_its_words_from_the_table(result, size, unit):
    if isinstance(result, PopulationMean):  # by its effective sample size
        check_words(result, result.evidence)
        return
    kind = "bound" if type(result).__name__ == "Report" else "interval"
    proven = getattr(result, "interval_guarantee", result.guarantee)
    events = getattr(result, "groups_that_differ", getattr(result, "groups_with_errors", None))
    observed = {} if events is None else {"groups with an error": events}
    check_words(result, evidence(proven, result.method, size, unit, kind=kind, seen=observed))


@pytest.mark.parametrize(
    ("result", "size", "unit"), METRICS, ids=lambda v: getattr(v, "method", None)
)
def test_a_metric_says_what_was_measured_of_it(result, size, unit):
    outcome = result.evidence
    assert outcome.unit == unit
    assert size is None or outcome.size == pytest.approx(size)
    check_words(result, outcome)


@pytest.mark.parametrize(("result", "size", "unit"), ESTIMATES)
def test_an_estimate_says_what_was_measured_of_error_rates(result, size, unit):
    outcome = result.evidence
    assert (outcome.size, outcome.unit, outcome.metric) == (size, unit, "Error rate")
    check_words(result, outcome)


def test_what_was_measured_of_another_metric_is_never_told():
    """Removing all other metrics' rows changes no sentence; removing its own rows does."""
    for name in ("average_precision", "mcc", "roc_auc", "balanced_accuracy"):
        predicted = A if name in ("average_precision", "roc_auc") else A > 1
        before = metric(predicted, metric=name).evidence
        scorers = {"mcc": "matthews_corrcoef", "average_precision": "average_precision_score"}
        without = [row for row in measured() if row.get("metric") == scorers.get(name, name)]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(core_evidence, "measured", lambda rows=without: tuple(rows))
            assert metric(predicted, metric=name).evidence == before
            patch.setattr(core_evidence, "measured", tuple)
            assert metric(predicted, metric=name).evidence.coverage is None
    scored = crossval.estimate(LinearDiscriminantAnalysis(), X, LABELS, scoring="f1", rng=0)
    assert "nothing proven: how often it holds in such a case was never tried" in repr(scored)


ROW = {"door": "metric", "metric": "x", "method": "m", "kind": "interval", "unit": "examples"}


def test_the_lowest_coverage_of_those_like_it_is_told(monkeypatch):
    rows = (
        {**ROW, "size": 100, "runs": 400, "coverage": 0.94},
        {**ROW, "size": 100, "runs": 400, "coverage": 0.71, "where": "tails are heavy",
         "seen": {"share": [0.1, 0.4]}},
        {**ROW, "size": 100, "runs": 99, "coverage": 0.1},
        {**ROW, "size": 1000, "runs": 400, "coverage": 0.93},
    )  # fmt: skip
    monkeypatch.setattr(core_evidence, "measured", lambda: rows)

    def found(size=100, share=0.2):
        return evidence("asymptotic", "m", size, metric="x", door="metric", seen={"share": share})

    assert found().words == (
        "asymptotic: it held in at least 71% of simulated samples with 100 examples, least where "
        "tails are heavy"
    )
    assert found().weakness == (
        "Caution: 95% claims of this kind covered only 71% where tails are heavy."
    )
    plain = found(share=0.05)
    assert (
        plain.words == "asymptotic: it held in at least 94% of simulated samples with 100 examples"
    )
    assert plain.weakness == ""
    assert found(size=400).brief.endswith("93% of simulated samples with 1,000 examples")
    # between the sizes, the lower coverage of the two neighbours counts
    assert found(size=251).coverage == 0.71
    assert found(size=10).coverage is None
    assert found(size=1e6).coverage == 0.93
    for coverage, words in ((1.0, "at least 99% of"), (0.9, "at least 90% of")):
        rows = ({**ROW, "size": 100, "runs": 400, "coverage": coverage, "where": "tails are heavy",
                 "seen": {"share": [0.1, 0.4]}},)  # fmt: skip
        assert words in found().words
        assert found().weakness == ""  # exactly 90% isn't a weakness
    rows = ({**ROW, "size": 1000, "runs": 400, "coverage": 0.93},)
    with_bound = evidence("asymptotic", "m", 1000, kind="bound", metric="x", delta=0.1)
    assert with_bound.words.startswith("asymptotic: at 95% bound and interval held in at least 93%")


def test_a_method_is_its_words_and_keeps_its_key():
    named = Method("bootstrap of 400 samples", key="bootstrap")
    assert named == "bootstrap of 400 samples"
    assert method_key(pickle.loads(pickle.dumps(named))) == "bootstrap"
    assert method_key(copy.deepcopy(named)) == "bootstrap"
    assert json.dumps(named) == '"bootstrap of 400 samples"'
    assert Evidence("exact").words == "exact"


@pytest.mark.parametrize("groups", [REPO, None])
def test_models_say_what_was_measured_of_all_pairs(groups):
    three = {name: 1 - column.astype(int) for name, column in (("a", RIGHT), ("b", ALSO))}
    text = " ".join(whole(errlab.models(ZERO, three, groups=groups)).split())
    assert "covered" not in text  # every claim is proven, or its coverage is an exact sum
    if groups is None:
        return
    text = " ".join(whole(errlab.models(ZERO, three, groups=groups, method="t")).split())
    for method, kind in (
        (KORN, "interval"),
        ("cluster-robust t test of all pairs", "all intervals"),
    ):
        assert f"{evidence('asymptotic', method, WEIGHT, FEW, kind=kind).words})" in text
        assert in_table(method, FEW, kind), f"{method}: {RERUN}"


def test_no_door_prints_a_guarantee_past_the_table():
    """Guarantees that require evidence; three methods that aren't defaults state none."""
    bare = set()
    for path in (*(ROOT / "errlab").rglob("*.py"), *(ROOT / "book").rglob("*.py")):
        text = path.read_text("utf-8")
        if re.search(r"\{(\w+\.)?(interval_)?guarantee\}", text) and "evidence(" not in text:
            bare.add(path.relative_to(ROOT).as_posix())
    methods = ("compare/_registry.py", "compare/_result.py", "metrics/_groups.py")
    assert bare == {f"errlab/{name}" for name in methods}


PROVEN = {
    "Clopper-Pearson", "confidence sequence", "Clopper-Pearson intervals of the strata",
    *map(method_key, (BETTING, BETTING_GROUPS, BETS, BETS_GROUPS)),
}  # fmt: skip


def test_no_proven_method_misses_what_it_promises():
    rows = [row for row in measured() if row["method"] in PROVEN]
    assert {row["method"] for row in rows} == PROVEN
    for row in rows:
        # the best of many settings: four standard errors
        assert row["coverage"] >= 0.95 - 4 * math.sqrt(0.95 * 0.05 / row["runs"]), row
    for row in measured():
        if row["kind"] == "power":
            assert row["coverage"] >= 0.8 - 4 * math.sqrt(0.8 * 0.2 / row["runs"]), row


def is_default(row):
    """Whether a function uses the method by default, and claims coverage."""
    return row["kind"] != "power" and row["like"].get("method") in (None, "proven", "exact")


def test_no_default_covers_less_than_90_percent_and_does_not_say_so():
    """Hard populations included: below 90% the function finds that row, and begins with it."""
    for row in filter(is_default, measured()):
        # few test sets may be off by three standard errors
        room = 0 if row["runs"] >= 300 else 3 * math.sqrt(0.9 * 0.1 / row["runs"])
        if row["coverage"] >= 0.9 - room or row["runs"] < 100:
            continue
        observed = {name: sum(ends) / 2 for name, ends in row.get("seen", {}).items()}
        result = evidence(
            "asymptotic", row["method"], row["size"], row["unit"], kind=row["kind"],
            door=row["door"], metric=row.get("metric"), seen=observed,
            signs={row.get("where", ""): True},
        )  # fmt: skip
        assert result.coverage <= row["coverage"], row
        # first if the test set shows the sign; otherwise in the second line
        assert result.percent in (result.weakness or result.short), row
        assert row["door"] in SAYS_WEAKNESS_FIRST, row


@pytest.mark.slow
@pytest.mark.parametrize(
    ("door", "like"),
    [
        ("report, groups", {"shape": "12 unequal", "rho": 0.1, "method": "t"}),
        ("metric, area", {"n": 200, "share": 0.1, "area": 0.94}),
        ("weighted_error", {"n": 100, "error": 0.1}),
        ("report, groups, hard", {"enemy": "sizes", "g": 10, "method": "t"}),
        ("error_at_shares, tasks", {"tasks": 10, "per": 20, "enemy": "uneven"}),
    ],
)
def test_the_table_is_what_a_rerun_finds(door, like):
    settings = [s for s in guarantees.settings() if s["family"] == door]
    (setting,) = [s for s in settings if like.items() <= s.items() and not s.get("two")
                  and s.get("method", "") == like.get("method", "")]  # fmt: skip
    setting = {**setting, "runs": 150}
    again = guarantees.rows_of(setting, guarantees.task(np.random.default_rng(5), **setting))
    for row in again:
        (old,) = [
            r
            for r in measured()
            if all(r.get(k) == row.get(k) for k in ("family", "method", "kind", "like", "where"))
        ]
        share = old["coverage"]
        spread = math.sqrt(max(share * (1 - share), 0.01) * (1 / old["runs"] + 1 / row["runs"]))
        assert abs(row["coverage"] - share) < 4 * spread, (row, old)
        assert row["size"] == pytest.approx(old["size"], rel=0.1), (row, old)


def weak_settings():
    """Return the settings in which a function covers less than 90%."""
    weak = [
        (row["family"], row.get("where"), row.get("metric", ""), row["like"])
        for row in measured()
        if row["coverage"] < 0.9 and row["door"] in SAYS_WEAKNESS_FIRST
    ]
    for setting in guarantees.settings():
        where = guarantees.WHERE.get(setting.get("enemy"))
        like, metric = guarantees.like_of(setting), guarantees.metric_of(setting)
        # if a few weights are heavy, test sets without a heavy example miss; these are tested below
        heavy = setting.get("enemy") == "heavy" and not setting["method"]
        if (setting["family"], where, metric, like) in weak and not heavy:
            yield setting


# How a report states a coverage below 90%: first, with the guarantee, or in the details
TOLD = re.compile(
    r"^Caution: 95%|^Elsewhere, where|(?:it|together) held in at least [0-8]?\d% of", re.MULTILINE
)


@pytest.mark.slow
@pytest.mark.parametrize("setting", list(weak_settings()), ids=str)
def test_most_test_sets_of_a_weak_setting_are_told_so(setting, monkeypatch):
    """First if the test set shows it, otherwise as a coverage below 90% further down."""
    texts = []

    def noted(function):
        def call(*columns, **options):
            result = function(*columns, **options)
            texts.append(whole(result))
            return result

        return call

    for door in SAYS_WEAKNESS_FIRST:
        *room, name = door.split(".")
        at_the_door = errlab if hasattr(errlab, name) else metrics
        module = getattr(errlab, room[0]) if room else at_the_door
        monkeypatch.setattr(module, name, noted(getattr(module, name)))
    runs = 3 if setting["family"] == "metric, regression, hard" else 9  # its training takes seconds
    guarantees.task(np.random.default_rng(9), **{**setting, "runs": runs})
    assert sum(map(bool, map(TOLD.search, texts))) > len(texts) / 2 > 0


@pytest.mark.slow
@pytest.mark.parametrize("n", [40, 60, 150])
def test_a_test_set_without_a_heavy_case_is_told_of_them(n, monkeypatch):
    """Heavy examples decide this population's error, and half of the samples of 40 have none."""
    texts, without = [], 0
    weighted_error = metrics.weighted_error

    def noted(*columns):
        result = weighted_error(*columns)
        texts.append(whole(result))
        return result

    monkeypatch.setattr(metrics, "weighted_error", noted)
    rng = np.random.default_rng(9)
    for _ in range(100):
        (claim,) = guarantees.weights(rng, n, 0.0, "", "heavy")
        if claim.size == pytest.approx(n):
            without += 1
            assert claim.high < claim.truth
            assert "weigh fifty times as much as others" in texts[-1]
            assert re.search(r"^Elsewhere, .* covered only [0-8]\d%;", texts[-1], re.MULTILINE)
    assert without > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("enemy", "metric", "n"),
    [
        *(
            ("giants", m, n)
            for m in ("mean_absolute_error", "mean_squared_error")
            for n in (30, 400)
        ),
        *(("sure", "log_loss", n) for n in (30, 100, 400)),
    ],
)
def test_a_huge_loss_in_the_test_set_is_told_first_and_a_missing_one_in_the_details(
    enemy, metric, n, monkeypatch
):
    """63% of these test sets contain a huge loss; how many they contain is counted by hand."""
    huge, first, details = [], [], []

    def ask(truth, predicted, **options):
        result = real(truth, predicted, **options)
        if enemy == "giants":
            wide = np.abs(truth - predicted) > 10
        else:
            wide = np.where(truth == 1, predicted, 1 - predicted) < 0.01
        huge.append(int(wide.sum()))
        first.append(repr(result).startswith("Caution: 95%"))
        details.append(guarantees.WHERE[enemy] in result.details)
        return result

    real = errlab.metric
    monkeypatch.setattr(errlab, "metric", lambda y, pred, _=None, **rest: ask(y, pred, **rest))
    draw = guarantees.regression_enemy if enemy == "giants" else guarantees.sure_and_wrong
    kind = {"enemy": enemy} if enemy == "giants" else {}
    rng = np.random.default_rng(n)
    for _ in range(20):
        list(draw(rng, metric=metric, n=n, **kind))
    assert {0, 1} <= set(huge)
    for number, said_first, said_later in zip(huge, first, details, strict=True):
        # one or two in n look like outliers; with more, the sample shows the heavy tail
        if number in (1, 2):
            assert said_first
        if number == 0:
            assert not said_first
            assert said_later


@pytest.mark.parametrize("number", [2, 5, 10, 30])
def test_groups_of_one_size_are_not_told_of_larger_ones(number):
    """The effect of larger groups is mentioned if groups differ in size, as in those test sets."""
    groups = np.repeat(np.arange(number), 6)
    y, wrong = np.zeros(len(groups), dtype=int), (np.arange(len(groups)) < 2).astype(int)
    for columns in ([wrong], [wrong, y]):
        assert "larger groups" not in whole(errlab.report(y, *columns, groups=groups, method="t"))


QUICK = ("report", "report, two", "metric, area", "models")


@pytest.mark.parametrize(
    "families", [QUICK, pytest.param(tuple(guarantees.FAMILIES), marks=pytest.mark.nightly)]
)
def test_a_small_study_runs_and_shows(families, tmp_path, capsys, monkeypatch):
    every = guarantees.settings()
    monkeypatch.setattr(
        guarantees, "settings", lambda: [one for one in every if one["family"] in families]
    )
    result = guarantees.study(repeats=1, small=True, workers=1, folder=tmp_path, progress=None)
    assert {row["family"] for row in result["rows"]} <= set(guarantees.FAMILIES)
    guarantees.show(result)
    assert len(capsys.readouterr().out.splitlines()) == len(result["rows"])
