"""The study of evaluation tools: its truths, its counting, and coverage that is known exactly."""

import inspect
import json
from pathlib import Path

import nbformat
import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import f1_score

from errlab.datasets import load_board
from errlab_book import studies as stored
from errlab_book.studies import tools as shown
from studies import tools

ROOT = Path(__file__).parents[2]
TABLE = stored.load("tools")


def rows(call, situation=None):
    results = [row for row in TABLE["settings"] if row["call"] == call]
    return [row for row in results if situation in (None, row["situation"])]


# --- independent computations


def normal(k, n, spread=0, q=1.959964):
    p = k / n
    half = q * np.sqrt(p * (1 - p) / (n - spread))
    return p - half, p + half


def wilson(k, n):
    # the rates p with (k/n - p)^2 <= z^2 p (1 - p) / n, found by the roots of that quadratic
    z2 = stats.norm.ppf(0.975) ** 2
    ends = [np.roots([1 + z2 / n, -2 * x / n - z2 / n, (x / n) ** 2]).real for x in k]
    return np.min(ends, axis=1), np.max(ends, axis=1)


def exact(k, n):
    # the rates at which a tail of the binomial distribution is 2.5%
    low = halved(lambda p: stats.binom.sf(k - 1, n, p) > 0.025, k)
    high = halved(lambda p: stats.binom.cdf(k, n, p) < 0.025, k)
    return np.where(k == 0, 0.0, low), np.where(k == n, 1.0, high)


def halved(beyond, k):
    """Return, for each count, the rate from which on `beyond` is true, by bisection."""
    low, high = np.zeros(len(k)), np.ones(len(k))
    for _ in range(60):
        middle = (low + high) / 2
        far = beyond(middle)
        low, high = np.where(far, low, middle), np.where(far, middle, high)
    return (low + high) / 2


METHODS = {
    "sklearn_normal": normal, "statsmodels_default": normal, "pycm_default": normal,
    "errorbars_default": lambda k, n: normal(k, n, 1),
    "lm_eval_default": lambda k, n: normal(k, n, 1),
    "inspect_ci": lambda k, n: normal(k, n, 1, stats.t.ppf(0.975, n - 1)),
    "evalconfidence_default": lambda k, n: normal(k, n, 1, stats.t.ppf(0.975, n - 1)),
    "statsmodels_wilson": wilson, "evalsuite_default": wilson, "evalstats_default": wilson,
    "evalci_default": wilson, "confidenceinterval_default": wilson, "inspect_wilson": wilson,
    "scipy_default": exact, "errlab_default": exact, "statsmodels_beta": exact,
}  # fmt: skip
CASES = {"A50": (50, 0.9), "A100": (100, 0.97), "A enemy": (100, 0.99), "A board": (100, 0.0)}


@pytest.mark.parametrize("situation", CASES)
@pytest.mark.parametrize("call", METHODS)
def test_coverage_of_an_accuracy_is_the_sum_of_binomial_probabilities(call, situation):
    n, truth = CASES[situation]
    if situation == "A board":
        truth = 1 - load_board("cifar10").losses["test"].mean(axis=1).min()
    k = np.arange(n + 1)
    low, high = METHODS[call](k, n)
    weights = stats.binom.pmf(k, n, truth)
    coverage = weights[(low <= truth + 1e-12) & (truth <= high + 1e-12)].sum()
    width = weights @ (np.minimum(high, 1) - np.maximum(low, 0))
    (row,) = rows(call, situation)
    for share, error in zip(row["coverage"], row["se"], strict=True):
        assert share == pytest.approx(coverage, abs=3 * error + 1e-4)
    # the 2,000 widths are within 6% of their mean, up to the tail
    assert row["width"] == pytest.approx([width] * len(row["width"]), rel=0.04)


def pairs(situation):
    """Return all counts of examples that only A or only B has right, and their probabilities."""
    n, disagree, gap = {"P": (100, 0.15, 0.05), "P enemy": (100, 0.03, 0.03)}[situation]
    a, b = (x.ravel() for x in np.meshgrid(np.arange(n + 1), np.arange(n + 1)))
    a, b = a[a + b <= n], b[a + b <= n]
    share = [(disagree + gap) / 2, (disagree - gap) / 2, 1 - disagree]
    return n, gap, a, b, stats.multinomial.pmf(np.transpose([a, b, n - a - b]), n, share)


def paired_t(a, b, n):
    d = (a - b) / n
    half = stats.t.ppf(0.975, n - 1) * np.sqrt(((a + b) / n - d**2) / (n - 1))
    return d - half, d + half


def wald(a, b, n):
    d = (a - b) / n
    half = stats.norm.ppf(0.975) * np.sqrt(((a + b) / n - d**2) / n)
    return d - half, d + half


def bonett_price(a, b, n):
    # Bonett and Price, Statistics in Medicine 31 (2012): Wald after adding one discordant example
    # of each kind
    p, q = (a + 1) / (n + 2), (b + 1) / (n + 2)
    half = stats.norm.ppf(0.975) * np.sqrt((p + q - (p - q) ** 2) / (n + 2))
    return p - q - half, p - q + half


@pytest.mark.parametrize("situation", ["P", "P enemy"])
@pytest.mark.parametrize(
    ("call", "method"),
    [("scipy_pair", paired_t), ("statsmodels_pair", paired_t), ("errorbars_pair", paired_t),
     ("evalsig_pair_t", paired_t), ("evalsig_pair", wald), ("evalconfidence_pair", wald),
     ("evalstats_pair", bonett_price)],
)  # fmt: skip
def test_coverage_of_a_difference_is_the_sum_over_all_tables(call, method, situation):
    n, gap, a, b, weights = pairs(situation)
    low, high = method(a, b, n)
    inside = (low <= gap + 1e-12) & (gap <= high + 1e-12)
    for row in rows(call, situation):  # no rows until the study has measured the call
        for share, error in zip(row["coverage"], row["se"], strict=True):
            assert share == pytest.approx(weights[inside].sum(), abs=3 * error + 1e-4)


# ---------------------------------------------------------------------------------- what is stored


def test_every_cell_has_two_thousand_sets_and_an_error_that_fits():
    assert len({(row["call"], row["situation"]) for row in TABLE["settings"]}) == len(
        TABLE["settings"]
    )
    for row in TABLE["settings"]:
        assert all(sets == 2000 for sets in row["sets"])
        answers = np.array(row["sets"]) - row["refused"]
        share = np.array(row["coverage"])
        assert row["se"] == pytest.approx(np.sqrt(share * (1 - share) / answers), abs=1e-4)
        assert share + row["below"] + row["above"] == pytest.approx(1, abs=2e-4)
    assert (ROOT / "book" / "errlab_book" / "studies" / "tools.json").stat().st_size < 100_000


def test_what_is_not_measured_yet_takes_long():
    measured = {(row["call"], row["situation"]) for row in TABLE["settings"]}
    lacking = {
        one.pace if one.key != "evalstats_pair" else "medium"
        for key, situation in tools.SITUATIONS.items()
        for one in tools.answered_by(situation)
        if (one.key, key) not in measured and one.tool != "errlab"
    }
    assert lacking <= {"medium", "slow"}


def test_two_seeds_agree():
    both = [row for row in TABLE["settings"] if len(row["coverage"]) == 2]
    gaps = [np.diff(row["coverage"])[0] / max(np.hypot(*row["se"]), 1e-3) for row in both]
    assert max(map(abs, gaps), default=0) < 4


def test_the_calls_on_the_page_are_those_that_were_run():
    for key, call in TABLE["calls"].items():
        assert call["source"] == tools.CALLS[key].source
        assert (call["tool"], call["words"]) == (tools.CALLS[key].tool, tools.CALLS[key].words)
        if call["tool"] != "errlab":  # errlab's version is that of its state when measured
            assert call["version"] == tools.version_of(call["tool"])
    assert tools.pins().items() <= TABLE["versions"].items()
    for key, situation in TABLE["situations"].items():
        assert situation["words"] == tools.SITUATIONS[key].words


def test_each_tool_has_one_default_for_a_kind():
    defaults = [(c.tool, c.kind) for c in tools.CALLS.values() if c.role == "default"]
    assert len(set(defaults)) == len(defaults)
    named = {(c.tool, c.kind) for c in tools.CALLS.values() if c.role == "named"}
    assert {pair for pair in named if pair[1] != "winner"} <= set(defaults)


def test_the_page_quotes_what_is_stored():
    cells = nbformat.read(ROOT / "book" / "tools.ipynb", as_version=4).cells
    outputs = [o.get("data", {}) for cell in cells for o in cell.get("outputs", [])]
    text = " ".join("".join(data.get("text/plain", "")) for data in outputs)
    (row,) = rows("errorbars_default", "A100")
    assert f"{100 * row['coverage'][0]:.1f}" in text
    for call in TABLE["calls"].values():
        assert call["source"].splitlines()[-1] in text
    prose = " ".join(cell.source for cell in cells if cell.cell_type == "markdown")
    for tool in {call["tool"] for call in TABLE["calls"].values()}:
        assert tool in prose


# --- how results are counted


def test_test_sets_are_children_of_one_seed_and_the_same_for_all_calls():
    word = tools.seeds_of("A50", 0, 3)[0].entropy[-1]
    parent = np.random.SeedSequence([tools.SEED, 0, word])
    child = parent.spawn(4)[3].spawn(2)[0]
    assert (child.generate_state(4) == tools.seeds_of("A50", 0, 3)[0].generate_state(4)).all()
    states = {
        tuple(tools.seeds_of(key, seed, number)[part].generate_state(2))
        for key in ("A50", "P")
        for seed in (0, 1)
        for number in range(3)
        for part in (0, 1)
    }
    assert len(states) == 24


def half(right):
    return right.mean() - 0.05, right.mean() + 0.05


def measured(function, situation, random=False):
    chosen = tools.SITUATIONS[situation]
    return tools.measure(
        np.random.default_rng(0), function=function, draw=chosen.draw, kind=chosen.kind,
        random=random, situation=situation, seed=0, first=0, version="",
    )  # fmt: skip


def test_counts_are_those_of_a_plain_loop():
    result = measured(half, "A100")
    covered, width = 0, 0.0
    for number in range(tools.BLOCK):
        rng = np.random.default_rng(tools.seeds_of("A100", 0, number)[0])
        truth, observed = tools.SITUATIONS["A100"].draw(rng)
        mean = observed["right"].mean()
        covered += mean - 0.05 - 1e-12 <= truth <= mean + 0.05 + 1e-12
        width += min(mean + 0.05, 1) - (mean - 0.05)
    assert result["held"] == covered
    assert result["width"] == pytest.approx(width)
    assert result["given"] == result["held"] + result["below"] + result["above"] == tools.BLOCK


@pytest.mark.parametrize("situation", ["A50", "P enemy"])
def test_intervals_that_depend_on_counts_may_be_kept(situation):
    def of_accuracy(right):
        return right.mean() - 0.03, right.mean() + 0.03

    def of_pair(a, b):
        return of_accuracy(a - b)

    call = of_accuracy if situation == "A50" else of_pair
    by_count, anew = measured(call, situation), measured(call, situation, random=True)
    assert by_count.pop("calls") < anew.pop("calls")
    assert min(by_count.pop("spent"), anew.pop("spent")) >= 0
    assert by_count == pytest.approx(anew)


def test_what_is_refused_or_no_number_is_counted_apart():
    def refuses(right):
        if right.all():
            raise ValueError
        return (np.nan, 1.0) if right.sum() == len(right) - 1 else (0.0, 1.0)

    result = measured(refuses, "A enemy")
    assert 0 < result["refused"] == tools.BLOCK - result["given"]
    assert result["held"] == result["given"]


def test_another_environment_is_refused_in_one_line(monkeypatch):
    monkeypatch.setattr(tools, "pins", lambda: {"numpy": "0.1", "no-such-tool": "1.0"})
    with pytest.raises(
        ValueError, match=r"no-such-tool 1\.0 \(here none\).*by: make study STUDY=tools"
    ) as error:
        tools.study()
    assert "\n" not in str(error.value)


# --- the true values


def area_of(positive, scores):
    """Return the area under the ROC curve as Mann and Whitney's statistic."""
    m = positive.sum()
    rank_sum = stats.rankdata(scores)[positive].sum()
    return (rank_sum - m * (m + 1) / 2) / (m * (len(scores) - m))


@pytest.mark.slow
@pytest.mark.parametrize(
    "situation", [k for k, s in tools.SITUATIONS.items() if s.kind != "winner"]
)
def test_the_truth_of_a_situation_is_the_mean_of_many_sets(situation):
    chosen = tools.SITUATIONS[situation]
    drawn = [chosen.draw(np.random.default_rng([1, j])) for j in range(1500)]
    observed = [s for _, s in drawn]
    truth = drawn[0][0]
    if (
        chosen.kind == "f1"
    ):  # a mean of ratios isn't the ratio of the means, so compute it from all sets together
        y, pred = (np.concatenate([s[name] for s in observed]) for name in ("y", "pred"))
        assert truth == pytest.approx(f1_score(y, pred), abs=0.01)
        return
    if chosen.kind == "groups":  # also because sizes differ
        values = np.array([s["right"].sum() for s in observed])
        sizes = np.array([len(s["right"]) for s in observed])
        gaps = (values - truth * sizes) / sizes.mean()
    elif chosen.kind == "area":
        gaps = np.array([area_of(s["y"] == 1, s["score"]) for s in observed]) - truth
    elif chosen.kind == "pair":
        gaps = np.array([s["a"].mean() - s["b"].mean() for s in observed]) - truth
    else:
        gaps = np.array([s["right"].mean() for s in observed]) - truth
    assert abs(gaps.mean()) < 4 * gaps.std() / np.sqrt(len(gaps))


def test_labels_and_marks_tell_the_same():
    for key, situation in tools.SITUATIONS.items():
        _, observed = situation.draw(np.random.default_rng(3))
        if situation.kind in ("accuracy", "winner"):
            assert ((observed["y"] == observed["pred"]) == (observed["right"] == 1)).all(), key
        if situation.kind == "pair":
            assert ((observed["y"] == observed["pred_a"]) == (observed["a"] == 1)).all()
            assert ((observed["y"] == observed["pred_b"]) == (observed["b"] == 1)).all()


def test_the_best_of_ten_is_the_one_that_looks_best():
    right = np.array([[1, 0, 0, 0], [1, 1, 0, 1], [1, 0, 1, 0]])
    truth, observed = tools.winner(np.random.default_rng(0), right, np.array([0.1, 0.2, 0.3]))
    assert truth == 0.2
    assert observed["right"].tolist() == [1, 1, 0, 1]


def test_each_call_asks_for_what_its_situations_give():
    for situation in tools.SITUATIONS.values():
        _, observed = situation.draw(np.random.default_rng(0))
        for call in tools.answered_by(situation):
            assert {*inspect.signature(call.function).parameters} <= {*observed, "seed"}


def test_errlab_answers_each_kind_here():
    for situation in tools.SITUATIONS.values():
        truth, observed = situation.draw(np.random.default_rng(11))
        calls = [c for c in tools.answered_by(situation) if c.tool == "errlab"]
        assert calls
        for call in calls:
            low, high = tools.ends_of(call.function, observed)
            assert low < high
            assert low - 0.2 < truth < high + 0.2


def test_tables_show_defaults_before_what_is_offered_by_name():
    for kind in shown.KINDS:
        result = shown.table_of(kind)
        for tool in {row[0] for row in result.rows}:
            methods = [row[1] for row in result.rows if row[0] == tool]
            assert not methods[0].startswith("by name")
    with pytest.raises(ValueError, match="kind must be one of"):
        shown.table_of("recall")
    with pytest.raises(ValueError, match="be measured"):
        shown.cell("scipy_default", "no such")


def test_the_stored_table_is_json_with_a_row_a_line():
    text = (ROOT / "book" / "errlab_book" / "studies" / "tools.json").read_text("utf-8")
    assert json.loads(text) == TABLE
    assert sum(line.startswith('{"call"') for line in text.splitlines()) == len(TABLE["settings"])
