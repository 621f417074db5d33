"""What is printed about a method was measured, and agrees with the study."""

import ast
import copy
import json
import math
import pickle
import re

import numpy as np
import pytest
from marks import nightly
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from tables import ROOT, entries, sections
from words import whole

import errlab
from errlab import crossval, metrics
from errlab._core import evidence as core_evidence
from errlab._core.evidence import Evidence, Method, evidence, measured, method_key
from errlab.statements.mean_claims import BETS, BETS_GROUPS, BETTING, BETTING_GROUPS, KORN
from studies import guarantees

TABLES = dict(sections("evidence.txt"))
RERUN = "measure it: add a setting to studies/guarantees.py and run it"
RNG = np.random.default_rng(27)
REPOSITORIES = np.array(guarantees.SHAPES["12 unequal"])
REPO = np.repeat(np.arange(12), REPOSITORIES)
RIGHT, ALSO = (1 - guarantees.losses_in_groups(RNG, REPOSITORIES, 0.4, 0.1) for _ in range(2))
Y, NOISE, OTHER = guarantees.classes(RNG, 200, 0.3)
A, B = NOISE + 1.5 * Y, OTHER + Y
MARKS = RNG.integers(1, 6, 200)
MARKED = {"scores": MARKS, "range": (1, 5), "method": "t"}
PATIENT, THREE = np.arange(200) // 10, np.arange(200) % 3
X, LABELS = guarantees.normal_classes(RNG, 60, 3, 1.0)
LEAST = guarantees.LeastSquares()
ZERO = np.zeros(500, dtype=int)
WEIGHT = guarantees.kish("12 unequal")
# Functions whose text begins with a weakness, if the study found any.
SAYS_WEAKNESS_FIRST = (
    "report", "models", "metric", "crossval.estimate", "weighted_error",
    "prediction_powered", "error_at_shares",
)  # fmt: skip


def metric(a, b=None, **options):
    return errlab.metric(Y, a, b, resamples=100, rng=0, **options)


def outcome_of(result, size, unit):
    """What the study found of a result; a report doesn't hold it, so it is looked up again."""
    if hasattr(result, "evidence"):
        return result.evidence
    kind = "bound" if type(result).__name__ == "Report" else "interval"
    proven = getattr(result, "interval_guarantee", result.guarantee)
    events = getattr(result, "groups_that_differ", getattr(result, "groups_with_errors", None))
    observed = {} if events is None else {"groups with an error": events}
    return evidence(proven, result.method, size, unit, kind=kind, seen=observed)


@pytest.mark.slow
def test_a_result_prints_what_the_study_found_and_its_weakness_first():
    for title, lines in TABLES.items():
        printed = title not in ("lookups", "settings")
        for call, names, (line,) in entries(lines if printed else [], globals()):
            result, (size, unit) = eval(call, names), line.split(" ", 1)
            size = eval(size, names)
            outcome = outcome_of(result, size, unit)
            assert outcome.unit == unit, call
            assert size is None or outcome.size == pytest.approx(size), call
            assert title != "estimates" or outcome.metric == "Error rate"
            printed = " ".join(repr(result).split())
            text = " ".join(f"{printed} {result.details}".split())
            assert (outcome.brief if outcome.weakness else outcome.words) in text, call
            # a report must state a weakness of its interval, or of the bound printed with it
            assert text.startswith(outcome.weakness), call
            assert outcome.weakness in printed, call
            if outcome.guarantee in ("asymptotic", "none proven"):
                assert outcome.coverage is not None, f"{call}, by {unit}: {RERUN}"


def test_what_was_measured_of_another_metric_is_never_told(monkeypatch):
    """Removing all other metrics' rows changes no sentence; removing its own rows does."""
    others = {"average_precision": "average_precision_score", "mcc": "matthews_corrcoef"}
    for name in (*others, "roc_auc", "balanced_accuracy"):
        predicted = A if name in ("average_precision", "roc_auc") else A > 1
        before = metric(predicted, metric=name).evidence
        without = tuple(r for r in measured() if r.get("metric") == others.get(name, name))
        with monkeypatch.context() as patch:
            patch.setattr(core_evidence, "measured", lambda rows=without: rows)
            assert metric(predicted, metric=name).evidence == before
            patch.setattr(core_evidence, "measured", tuple)
            assert metric(predicted, metric=name).evidence.coverage is None
    scored = crossval.estimate(LinearDiscriminantAnalysis(), X, LABELS, scoring="f1", rng=0)
    assert "nothing proven: how often it holds in such a case was never tried" in repr(scored)


ROW = {"door": "metric", "metric": "x", "method": "m", "kind": "interval", "unit": "examples"}
TAILS = {"where": "tails are heavy", "seen": {"share": [0.1, 0.4]}}


def test_the_lowest_coverage_of_those_like_it_is_told(monkeypatch):
    def lookup(rows, size=100, share=0.2, **options):
        simulated = tuple({**ROW, "runs": 400, "size": 100, **row} for row in rows)
        monkeypatch.setattr(core_evidence, "measured", lambda: simulated)
        options |= {"metric": "x", "door": "metric", "seen": {"share": share}}
        return evidence("asymptotic", "m", size, **options)

    for call, names, (value,) in entries(TABLES["lookups"], {"lookup": lookup, "TAILS": TAILS}):
        assert eval(call, names) == eval(value, names), call


def test_a_method_is_its_words_and_keeps_its_key():
    named = Method("bootstrap of 400 samples", key="bootstrap")
    assert named == "bootstrap of 400 samples"
    assert method_key(pickle.loads(pickle.dumps(named))) == "bootstrap"
    assert method_key(copy.deepcopy(named)) == "bootstrap"
    assert json.dumps(named) == '"bootstrap of 400 samples"'
    assert Evidence("exact").words == "exact"


def test_models_say_what_was_measured_of_all_pairs():
    three = {name: 1 - column.astype(int) for name, column in (("a", RIGHT), ("b", ALSO))}
    for groups in (REPO, None):  # every claim is proven, or its coverage is an exact sum
        assert "covered" not in whole(errlab.models(ZERO, three, groups=groups))
    text = " ".join(whole(errlab.models(ZERO, three, groups=REPO, method="t")).split())
    pairs = "cluster-robust t test of all pairs"
    for method, kind in ((KORN, "interval"), (pairs, "all intervals")):
        outcome = evidence("asymptotic", method, WEIGHT, "effective groups", kind=kind)
        assert f"{outcome.words})" in text
        assert outcome.coverage is not None, f"{method}: {RERUN}"


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
    assert {row["method"] for row in measured()} >= PROVEN
    for row in measured():
        level = 0.8 if row["kind"] == "power" else 0.95
        if row["kind"] == "power" or row["method"] in PROVEN:
            # the best of many settings: four standard errors
            assert row["coverage"] >= level - 4 * math.sqrt(level * (1 - level) / row["runs"]), row


def test_no_default_covers_less_than_90_percent_and_does_not_say_so():
    """Hard populations included: below 90% the function finds that row, and begins with it."""
    for row in measured():
        default = row["like"].get("method") in (None, "proven", "exact")
        # few test sets may be off by three standard errors
        room = 0 if row["runs"] >= 300 else 3 * math.sqrt(0.9 * 0.1 / row["runs"])
        enough = row["coverage"] >= 0.9 - room or row["runs"] < 100
        if enough or row["kind"] == "power" or not default:
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
@pytest.mark.parametrize("number", nightly([3, 5], 5))
def test_the_table_is_what_a_rerun_finds(number):
    for line in TABLES["settings"][:number]:
        like = {"method": "", "two": False, **ast.literal_eval(line)}
        every = [({"method": "", "two": False, **s}, s) for s in guarantees.settings()]
        (setting,) = [{**s, "runs": 150} for full, s in every if like.items() <= full.items()]
        again = guarantees.rows_of(setting, guarantees.task(np.random.default_rng(5), **setting))
        for row in again:
            keys = ("family", "method", "kind", "like", "where")
            (old,) = [r for r in measured() if all(r.get(k) == row.get(k) for k in keys)]
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
        like, name = guarantees.like_of(setting), guarantees.metric_of(setting)
        # if a few weights are heavy, test sets without a heavy example miss; these are tested below
        heavy = setting.get("enemy") == "heavy" and not setting["method"]
        if (setting["family"], where, name, like) in weak and not heavy:
            yield setting


def listen(monkeypatch, module, name, note):
    """Let `note` hear the arguments and the result of each call of a function."""
    function = getattr(module, name)

    def call(*columns, **options):
        result = function(*columns, **options)
        note(columns, result)
        return result

    monkeypatch.setattr(module, name, call)


# How a report states a coverage below 90%: first, with the guarantee, or in the details
TOLD = re.compile(
    r"^Caution: 95%|^Elsewhere, where|(?:it|together) held in at least [0-8]?\d% of", re.MULTILINE
)


@pytest.mark.slow
@pytest.mark.parametrize("every", nightly([False, True], True))
def test_most_test_sets_of_a_weak_setting_are_told_so(every, monkeypatch):
    """First if the test set shows it, otherwise as a coverage below 90% further down."""
    texts = []
    for door in SAYS_WEAKNESS_FIRST:
        *room, name = door.split(".")
        at_the_door = errlab if hasattr(errlab, name) else metrics
        module = getattr(errlab, room[0]) if room else at_the_door
        listen(monkeypatch, module, name, lambda _, result: texts.append(whole(result)))
    weak = list(weak_settings())
    if not every:  # by day, one of each function without training
        weak = list({s["family"]: s for s in weak if s["family"][:8] != "crossval"}.values())
    for setting in weak:
        texts.clear()
        slow = setting["family"] == "metric, regression, hard"
        runs = (3, 9) if every else (1, 5)
        guarantees.task(np.random.default_rng(9), **{**setting, "runs": runs[not slow]})
        assert sum(map(bool, map(TOLD.search, texts))) > len(texts) / 2 > 0, setting


@pytest.mark.slow
def test_a_test_set_without_a_heavy_case_is_told_of_them(monkeypatch):
    """Heavy examples decide this population's error, and half of the samples of 40 have none."""
    texts = []
    listen(monkeypatch, metrics, "weighted_error", lambda _, result: texts.append(whole(result)))
    for n in (40, 60, 150):
        without, rng = 0, np.random.default_rng(9)
        for _ in range(100):
            (claim,) = guarantees.weights(rng, n, 0.0, "", "heavy")
            if claim.size == pytest.approx(n):
                without += 1
                assert claim.high < claim.truth
                assert "weigh fifty times as much as others" in texts[-1]
                assert re.search(r"^Elsewhere, .* covered only [0-8]\d%;", texts[-1], re.MULTILINE)
        assert without > 0, n


HUGE = [("sure", "log_loss", n) for n in (30, 100, 400)]
HUGE += [("giants", f"mean_{how}_error", n) for how in ("absolute", "squared") for n in (30, 400)]


@pytest.mark.slow
@pytest.mark.parametrize("number", nightly([1, len(HUGE)], len(HUGE)))
def test_a_huge_loss_in_the_test_set_is_told_first_and_a_missing_one_in_the_details(
    number, monkeypatch
):
    """63% of these test sets contain a huge loss; how many they contain is counted by hand."""
    results = []
    listen(monkeypatch, errlab, "metric", lambda *call: results.append(call))
    for enemy, name, n in HUGE[:number]:
        results.clear()
        draw = guarantees.regression_enemy if enemy == "giants" else guarantees.sure_and_wrong
        kind = {"enemy": enemy} if enemy == "giants" else {}
        rng = np.random.default_rng(n)
        for _ in range(20):
            list(draw(rng, metric=name, n=n, **kind))
        numbers = set()
        for (truth, predicted, *_), result in results:
            wide = np.abs(truth - predicted) > (10 if enemy == "giants" else 0.99)
            numbers.add(int(wide.sum()))
            first = repr(result).startswith("Caution: 95%")
            # one or two in n look like outliers; with more, the sample shows the heavy tail
            assert first or wide.sum() not in (1, 2)
            if not wide.any():
                assert not first
                assert guarantees.WHERE[enemy] in result.details
        assert {0, 1} <= numbers


def test_groups_of_one_size_are_not_told_of_larger_ones():
    """The effect of larger groups is mentioned if groups differ in size, as in those test sets."""
    for number in (2, 5, 10, 30):
        rows, y = np.arange(6 * number), np.zeros(6 * number, dtype=int)
        for other in (None, y):
            result = errlab.report(y, 1 * (rows < 2), other, groups=rows // 6, method="t")
            assert "larger groups" not in whole(result), number


QUICK = ("report", "report, two", "metric, area", "models")


@pytest.mark.parametrize(
    "families", [QUICK, pytest.param((*guarantees.FAMILIES,), marks=pytest.mark.nightly)]
)
def test_a_small_study_runs_and_shows(families, tmp_path, capsys, monkeypatch):
    chosen = [one for one in guarantees.settings() if one["family"] in families]
    monkeypatch.setattr(guarantees, "settings", lambda: chosen)
    result = guarantees.study(repeats=1, small=True, workers=1, folder=tmp_path, progress=None)
    assert {row["family"] for row in result["rows"]} <= set(guarantees.FAMILIES)
    guarantees.show(result)
    assert len(capsys.readouterr().out.splitlines()) == len(result["rows"])
