"""The study of evaluation tools: its truths, its counting, and coverage that is known exactly."""

import inspect
import itertools
import json
import tomllib
from pathlib import Path

import nbformat
import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import f1_score, roc_auc_score
from statsmodels.stats.proportion import proportion_confint
from tables import DATA

from errlab.datasets import load_board
from errlab_book import studies as stored
from errlab_book.studies import tools as shown
from studies import tools

BOOK = Path(__file__).parents[2] / "book"
TABLE = stored.load("tools")
FORMULAS = tomllib.loads((DATA / "tools.toml").read_text("utf-8"))
ROWS = {(row["call"], row["situation"]): row for row in TABLE["settings"]}

# --- independent computations, for the sum and the sum of squares of n values


def wald(total, squares, n, spread=0, q=1.959964):
    mean = total / n
    half = q * np.sqrt((squares / n - mean**2) / (n - spread))
    return mean - half, mean + half


def unbiased(total, squares, n):
    return wald(total, squares, n, 1)


def student(total, squares, n):
    return wald(total, squares, n, 1, stats.t.ppf(0.975, n - 1))


def wilson(k, _, n):
    return proportion_confint(k, n, method="wilson")


def exact(k, _, n):
    low, high = proportion_confint(k, n, method="beta")
    return np.where(k == 0, 0.0, low), np.where(k == n, 1.0, high)


def bonett_price(total, squares, n):
    # Bonett and Price, Statistics in Medicine 31 (2012): Wald after adding one discordant example
    # of each kind
    return wald(total, squares + 2, n + 2)


METHODS = {method.__name__: method for method in (wald, unbiased, student, wilson, exact)}
METHODS["bonett_price"] = bonett_price
BEST = 1 - load_board("cifar10").losses["test"].mean(axis=1).min()
CASES = {"A50": (50, 0.9), "A100": (100, 0.97), "A enemy": (100, 0.99), "A board": (100, BEST)}


def enumerated():
    """Yield each kind and situation with its true value, all tables and their probabilities."""
    for situation, (n, truth) in CASES.items():
        k = np.arange(n + 1)
        yield "accuracy", situation, truth, (k, k, n), stats.binom.pmf(k, n, truth)
    # all counts of examples that only A or only B has right
    a, b = np.transpose([table for table in np.ndindex(101, 101) if sum(table) <= 100])
    for situation, disagree, gap in (("P", 0.15, 0.05), ("P enemy", 0.03, 0.03)):
        share = [(disagree + gap) / 2, (disagree - gap) / 2, 1 - disagree]
        weights = stats.multinomial.pmf(np.transpose([a, b, 100 - a - b]), 100, share)
        yield "pair", situation, gap, (a - b, a + b, 100), weights


def test_coverage_is_the_sum_of_the_probabilities_of_all_tables():
    for kind, situation, truth, counts, weights in enumerated():
        for method, calls in FORMULAS[kind].items():
            low, high = METHODS[method](*counts)
            expected = weights[(low <= truth + 1e-12) & (truth <= high + 1e-12)].sum()
            width = weights @ (np.minimum(high, 1) - np.maximum(low, 0))
            rows = [ROWS.get((call, situation)) for call in calls]
            assert all(rows) or kind == "pair"  # not all calls for pairs are measured yet
            for row in filter(None, rows):
                for share, error in zip(row["coverage"], row["se"], strict=True):
                    assert share == pytest.approx(expected, abs=3 * error + 1e-4), row
                # the 2,000 widths are within 6% of their mean, up to the tail
                if kind == "accuracy":
                    assert row["width"] == pytest.approx([width] * len(row["width"]), rel=0.04), row


# --- what is stored


def test_every_cell_has_two_thousand_sets_and_an_error_that_fits():
    assert len(ROWS) == len(TABLE["settings"])
    for row in TABLE["settings"]:
        assert set(row["sets"]) == {2000}
        answers = np.array(row["sets"]) - row["refused"]
        share = np.array(row["coverage"])
        assert row["se"] == pytest.approx(np.sqrt(share * (1 - share) / answers), abs=1e-4)
        assert share + row["below"] + row["above"] == pytest.approx(1, abs=2e-4)
        # two seeds agree, if there are two
        assert (abs(np.diff(share)) < 4 * max(np.hypot.reduce(row["se"]), 1e-3)).all()
    text = (BOOK / "errlab_book" / "studies" / "tools.json").read_text("utf-8")
    assert len(text) < 100_000
    assert json.loads(text) == TABLE
    assert sum(line.startswith('{"call"') for line in text.splitlines()) == len(ROWS)


def test_what_is_not_measured_yet_takes_long():
    for key, situation in tools.SITUATIONS.items():
        for one in tools.answered_by(situation):
            if (one.key, key) not in ROWS and one.tool != "errlab":
                assert one.pace in ("medium", "slow") or one.key == "evalstats_pair", one.key


def test_the_calls_on_the_page_are_those_that_were_run():
    for key, call in TABLE["calls"].items():
        one = tools.CALLS[key]
        wanted = {"source": one.source, "tool": one.tool, "words": one.words}
        if one.tool != "errlab":  # errlab's version is that of its state when measured
            wanted["version"] = tools.version_of(one.tool)
        assert wanted.items() <= call.items()
    assert tools.pins().items() <= TABLE["versions"].items()
    for key, situation in TABLE["situations"].items():
        assert situation["words"] == tools.SITUATIONS[key].words


def test_each_tool_has_one_default_for_a_kind():
    defaults = [(c.tool, c.kind) for c in tools.CALLS.values() if c.role == "default"]
    assert len(set(defaults)) == len(defaults)
    named = {(c.tool, c.kind) for c in tools.CALLS.values() if c.role == "named"}
    assert {pair for pair in named if pair[1] != "winner"} <= set(defaults)


def test_the_page_names_each_tool():
    cells = nbformat.read(BOOK / "tools.ipynb", as_version=4).cells
    prose = " ".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert [c["tool"] for c in TABLE["calls"].values() if c["tool"] not in prose] == []


# --- how results are counted


def test_test_sets_are_children_of_one_seed_and_the_same_for_all_calls():
    word = tools.seeds_of("A50", 0, 3)[0].entropy[-1]
    parent = np.random.SeedSequence([tools.SEED, 0, word])
    child = parent.spawn(4)[3].spawn(2)[0]
    assert (child.generate_state(4) == tools.seeds_of("A50", 0, 3)[0].generate_state(4)).all()
    sets = itertools.product(("A50", "P"), (0, 1), range(3))
    parts = itertools.chain.from_iterable(tools.seeds_of(*one) for one in sets)
    assert len({tuple(part.generate_state(2)) for part in parts}) == 24


def measured(function, situation, random=False):
    chosen = tools.SITUATIONS[situation]
    return tools.measure(
        np.random.default_rng(0), function=function, draw=chosen.draw, kind=chosen.kind,
        random=random, situation=situation, seed=0, first=0, version="",
    )  # fmt: skip


def of_accuracy(right):
    return right.mean() - 0.03, right.mean() + 0.03


def test_counts_are_those_of_a_plain_loop():
    result = measured(of_accuracy, "A100")
    covered, width = 0, 0.0
    for number in range(tools.BLOCK):
        rng = np.random.default_rng(tools.seeds_of("A100", 0, number)[0])
        truth, observed = tools.SITUATIONS["A100"].draw(rng)
        low, high = of_accuracy(observed["right"])
        covered += low - 1e-12 <= truth <= high + 1e-12
        width += min(high, 1) - low
    assert result["held"] == covered
    assert result["width"] == pytest.approx(width)
    assert result["given"] == result["held"] + result["below"] + result["above"] == tools.BLOCK


def test_intervals_that_depend_on_counts_may_be_kept():
    pair = (lambda a, b: of_accuracy(a - b)), "P enemy"
    for call, situation in ((of_accuracy, "A50"), pair):
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
        ValueError, match=r"\A.*no-such-tool 1\.0 \(here none\).*by: make study STUDY=tools\Z"
    ):
        tools.study()


# --- the true values

TELLS = {
    "area": lambda s: roc_auc_score(s["y"], s["score"]),
    "pair": lambda s: s["a"].mean() - s["b"].mean(),
    "accuracy": lambda s: s["right"].mean(),
    "groups": lambda s: s["right"].sum(),  # of sets that differ in size
}


def check_truth(situation, sets):
    """The truth of a situation is the mean of many sets."""
    drawn = [situation.draw(np.random.default_rng([1, j])) for j in range(sets)]
    truth, observed = drawn[0][0], [s for _, s in drawn]
    if situation.kind == "f1":
        # a mean of ratios isn't the ratio of the means, so compute it from all sets together
        y, pred = (np.concatenate([s[name] for s in observed]) for name in ("y", "pred"))
        assert truth == pytest.approx(f1_score(y, pred), abs=0.01)
        return
    sizes = np.array([len(s["right"]) if situation.kind == "groups" else 1 for s in observed])
    values = np.array([TELLS[situation.kind](s) for s in observed])
    gaps = (values - truth * sizes) / sizes.mean()
    assert abs(gaps.mean()) < 4 * gaps.std() / np.sqrt(len(gaps)), situation.words


@pytest.mark.slow
@pytest.mark.parametrize("sets", [150, pytest.param(1500, marks=pytest.mark.nightly)])
def test_the_truth_of_a_situation_is_the_mean_of_many_sets(sets):
    for situation in tools.SITUATIONS.values():
        if situation.kind != "winner":
            # F1 is compared without a standard error
            check_truth(situation, 1500 if situation.kind == "f1" else sets)


def test_labels_and_marks_tell_the_same_and_all_that_calls_ask_for_is_there():
    for key, situation in tools.SITUATIONS.items():
        truth, observed = situation.draw(np.random.default_rng(11))
        marked = {"accuracy": ["right"], "winner": ["right"], "pair": ["a", "b"]}
        for name in marked.get(situation.kind, []):
            pred = observed["pred" if name == "right" else f"pred_{name}"]
            assert ((observed["y"] == pred) == (observed[name] == 1)).all(), key
        calls = tools.answered_by(situation)
        assert "errlab" in {call.tool for call in calls}
        for call in calls:
            assert {*inspect.signature(call.function).parameters} <= {*observed, "seed"}
            if call.tool == "errlab":
                low, high = tools.ends_of(call.function, observed)
                assert low < high
                assert low - 0.2 < truth < high + 0.2


def test_the_best_of_ten_is_the_one_that_looks_best():
    right = np.array([[1, 0, 0, 0], [1, 1, 0, 1], [1, 0, 1, 0]])
    truth, observed = tools.winner(np.random.default_rng(0), right, np.array([0.1, 0.2, 0.3]))
    assert truth == 0.2
    assert observed["right"].tolist() == [1, 1, 0, 1]


def test_tables_show_defaults_before_what_is_offered_by_name():
    for kind in shown.KINDS:
        first = {tool: method for tool, method, *_ in reversed(shown.table_of(kind).rows)}
        assert not any(method.startswith("by name") for method in first.values())
    with pytest.raises(ValueError, match="kind must be one of"):
        shown.table_of("recall")
    with pytest.raises(ValueError, match="be measured"):
        shown.cell("scipy_default", "no such")
