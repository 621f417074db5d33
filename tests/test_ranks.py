"""The page of real leaderboards and two cases: every fact recomputed with scipy."""

from pathlib import Path

import nbformat
import numpy as np
import pytest
from scipy.stats import beta, binom, binomtest
from statsmodels.stats.multitest import multipletests

from errlab.datasets import load_board
from errlab_book import studies

ROOT = Path(__file__).parents[1]


def text_of(name):
    """Return the Markdown of a page; nbval compares what its cells print."""
    cells = nbformat.read(ROOT / "book" / f"{name}.ipynb", as_version=4).cells
    return " ".join(" ".join(c.source for c in cells if c.cell_type == "markdown").split())


@pytest.fixture(scope="module")
def cifar():
    """Return the old errors, the new ones, the first and last ranks, and the pairs that differ."""
    board = load_board("cifar10")
    old, new = (board.losses[name].astype(int) for name in ("test", "new_v4"))
    first, second = np.triu_indices(30, 1)
    alone, other = ((old[a] > old[b]).sum(axis=1) for a, b in ((first, second), (second, first)))
    pvalues = [binomtest(a, a + b).pvalue for a, b in zip(alone, other, strict=True)]
    differs = multipletests(pvalues, 0.05, method="holm")[0]
    better = np.zeros((30, 30), dtype=bool)
    better[first, second] = differs & (alone < other)
    better[second, first] = differs & (alone > other)
    for i in range(30):  # a model that beats i beats all those that i beats
        better |= np.outer(better[:, i], better[i])
    return old, new, 1 + better.sum(axis=0), 30 - better.sum(axis=1), differs.sum()


@pytest.mark.slow
def test_ranks_of_cifar10(cifar):
    old, new, first, last, different = cifar
    errors, error = old.sum(axis=1), new.mean(axis=1)
    rank = 1 + (error[:, None] > error).sum(axis=1)
    ratio = 10_000 * error / errors
    low = beta.ppf(0.025, errors, 10_001 - errors)
    high = beta.ppf(0.975, errors + 1, 10_000 - errors)
    for phrase in (
        f"{different} of 435 pairs of networks are shown to differ",
        f"rank from {first[errors.argmin()]} to {last[errors.argmin()]}",
        f"any of the first {(first == 1).sum()} may be",
        f"But {((first <= rank) & (rank <= last)).sum()} of 30 new ranks",
        f"{ratio.min():.1f} to {ratio.max():.1f} times",
        f"{((error < low) | (error > high)).sum()} of 30 intervals miss",
    ):
        assert phrase in text_of("ranks")


def test_dates_of_livecodebench():
    live = load_board("livecodebench")
    late = live.published["generation"] >= np.datetime64("2023-09-01")
    assert ((~late).sum(), late.sum()) == (161, 187)
    solved = {
        m: [1 - row[part] for part in (~late, late)] for m, row in live.table("generation").items()
    }
    rates = {m: [100 * part.mean() for part in parts] for m, parts in solved.items()}
    before, after = rates["DSCoder-33b-Ins"]
    assert f"{before:.0f}% of the older problems and {after:.0f}%" in text_of("ranks")
    # of the fifteen other models, only those of one family get worse; "five points, as luck could"
    fell = {m: before - after for m, (before, after) in rates.items() if before - after >= 0.2}
    assert fell.keys() == {"DSCoder-33b-Ins", "DSCoder-6.7b-Ins", "MagiCoderS-DS-6.7B"}
    for m in fell.keys() - {"DSCoder-33b-Ins"}:
        error = np.sqrt(sum(part.var(ddof=1) / len(part) for part in solved[m]))
        assert 4.5 < fell[m] < min(5.6, 164.5 * error)


def test_the_first_on_new_images(cifar):
    old, new, _, last, _ = cifar
    models, text = load_board("cifar10").models, text_of("cases/new_images")
    best, other = old.sum(axis=1).argmin(), models.index("shake_drop")
    assert np.sort(new.sum(axis=1))[:2].tolist() == [new[best].sum(), new[other].sum()]
    alone = int((new[best] > new[other]).sum()), int((new[other] > new[best]).sum())
    assert f"alone is wrong on {alone[0]}, the other alone on {alone[1]}" in text
    assert f"p = {binomtest(alone[0], sum(alone)).pvalue:.2f}" in text
    assert f"rank from 1 to {last[best]}" in text


def test_the_coverage_of_counts_in_the_study_is_what_their_sum_gives():
    entries = [e for e in studies.load("boards")["settings"] if not e["setting"]["every"]]
    for entry in entries[:6]:  # the two boards of images
        setting, draws = entry["setting"], entry["repeats"] * entry["setting"]["draws"]
        losses, n = load_board(setting["board"]).losses[setting["test_set"]], setting["n"]
        k, one = np.arange(n + 1), np.array([[0], [1], [1]])
        # ends are nan where there is none: without errors, or with errors only
        low, high, bound = beta.ppf([[0.025], [0.975], [0.95]], k + one, n - k + 1 - one)
        rates = np.sort(losses.mean(axis=1))
        for place, rate in zip(
            ("first", "middle", "last"), rates[[0, (len(rates) - 1) // 2, -1]], strict=True
        ):
            inside = {"interval": ~((low > rate) | (high < rate)), "bound": ~(bound < rate)}
            for claim, holds in inside.items():
                exact = binom.pmf(k, n, rate)[holds].sum()
                assert exact >= 0.95
                luck = np.sqrt(exact * (1 - exact) / draws)
                assert entry["summary"][f"{place} {claim}"] == pytest.approx(exact, abs=3.5 * luck)
