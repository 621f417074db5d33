"""The page of real leaderboards and two cases: every fact recomputed with scipy."""

import re
from pathlib import Path

import nbformat
import numpy as np
import pytest
from scipy.stats import beta, binom, binomtest

from errlab.datasets import load_board
from errlab_book import studies
from errlab_book.pages.ranks import BOARDS

ROOT = Path(__file__).parents[1]


def said(name):
    """Return the Markdown of a page and what its executed cells print."""
    cells = nbformat.read(ROOT / "book" / f"{name}.ipynb", as_version=4).cells
    parts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    output = [o.get("data", {}) for cell in cells for o in cell.get("outputs", [])]
    parts += ["".join(d.get("text/markdown", d.get("text/plain", ""))) for d in output]
    return re.sub(r"\s+", " ", " ".join([*parts, ""]))


def adjusted(losses):
    """Return the pairs of the rows of losses, and Holm's p-values of the exact McNemar test."""
    pairs = [(i, j) for i in range(len(losses)) for j in range(i)]
    pvalues = []
    for i, j in pairs:
        apart = losses[i] != losses[j]
        pvalues.append(binomtest(int(losses[i][apart].sum()), int(apart.sum())).pvalue)
    order = np.argsort(pvalues)
    steps = np.sort(pvalues) * np.arange(len(pairs), 0, -1)
    result = np.empty(len(pairs))
    result[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return pairs, result


@pytest.fixture(scope="module")
def cifar():
    """Return the old errors, the new ones, and the first and last rank of each network."""
    board = load_board("cifar10")
    old, new = (board.losses[name].astype(int) for name in ("test", "new_v4"))
    pairs, pvalues = adjusted(old)
    better = np.zeros((30, 30), dtype=bool)
    for (i, j), p in zip(pairs, pvalues, strict=True):
        if p <= 0.05:
            first, second = (i, j) if old[i].sum() < old[j].sum() else (j, i)
            better[first, second] = True
    for i in range(30):  # a model that beats i beats all those that i beats
        better |= np.outer(better[:, i], better[i])
    return old, new, 1 + better.sum(axis=0), 30 - better.sum(axis=1), (pvalues <= 0.05).sum()


def test_ranks_of_cifar10(cifar):
    old, new, first, last, different = cifar
    text = said("ranks")
    best = old.sum(axis=1).argmin()
    assert f"{different} of 435 pairs of networks are shown to differ" in text
    assert f"rank from {first[best]} to {last[best]}" in text
    assert f"any of the first {(first == 1).sum()} may be" in text
    assert (different, last[best], (first == 1).sum()) == (356, 7, 7)
    error = new.mean(axis=1)
    rank = 1 + (error[:, None] > error).sum(axis=1)
    rest = ((first <= rank) & (rank <= last)).sum()
    ratio = error / old.mean(axis=1)
    assert f"But {rest} of 30 new ranks" in text
    assert f"{ratio.min():.1f} to {ratio.max():.1f} times" in text
    assert (rest, round(ratio.min(), 1), round(ratio.max(), 1)) == (29, 1.7, 3.1)
    errors = old.sum(axis=1)
    low, high = (
        beta.ppf(0.025, errors, 10_001 - errors),
        beta.ppf(0.975, errors + 1, 10_000 - errors),
    )
    assert f"{((error < low) | (error > high)).sum()} of 30 intervals miss" in text


def test_dates_of_livecodebench():
    live = load_board("livecodebench")
    late = live.published["generation"] >= np.datetime64("2023-09-01")
    text, case = said("ranks"), said("cases/dates")
    table = live.table("generation")
    fell = {m: 100 * ((1 - row[~late]).mean() - (1 - row[late]).mean()) for m, row in table.items()}
    row = 1 - table["DSCoder-33b-Ins"]
    assert f"{row[~late].mean():.0%} of the older problems and {row[late].mean():.0%}" in text
    assert ((~late).sum(), late.sum()) == (161, 187)
    # of the fifteen other models, only those of one family get worse; "five points, as luck could"
    large = {m for m, points in fell.items() if points > 2}
    assert large == {"DSCoder-33b-Ins", "DSCoder-6.7b-Ins", "MagiCoderS-DS-6.7B"}
    assert all(points < 0.2 for m, points in fell.items() if m not in large)
    for m in large - {"DSCoder-33b-Ins"}:
        parts = [1 - table[m][part] for part in (~late, late)]
        error = np.sqrt(sum(part.var(ddof=1) / len(part) for part in parts))
        assert fell[m] / 100 < 1.645 * error
        assert 4.5 < fell[m] < 5.6
    for before, after in re.findall(r"(\d+\.\d) +(\d+\.\d) +[+-]\d", case):
        assert any(
            (f"{100 - 100 * r[~late].mean():.1f}", f"{100 - 100 * r[late].mean():.1f}")
            == (before, after)
            for r in table.values()
        )


def test_the_first_on_new_images(cifar):
    old, new, _, last, _ = cifar
    models = load_board("cifar10").models
    text = said("cases/new_images")
    message = re.findall(r" (\w+) (\d{3}) (\d{3})(?= )", text)  # the rows of its table
    assert len(message) == 5
    for name, *errors in message:
        i = models.index(name)
        assert [old[i].sum(), new[i].sum()] == [int(count) for count in errors], name
    best, other = old.sum(axis=1).argmin(), models.index("shake_drop")
    assert new.sum(axis=1).argmin() == best
    assert np.sort(new.sum(axis=1))[1] == new[other].sum()
    alone = int((new[best] > new[other]).sum()), int((new[other] > new[best]).sum())
    assert f"alone is wrong on {alone[0]}, the other alone on {alone[1]}" in text
    assert f"p = {binomtest(alone[0], sum(alone)).pvalue:.2f}" in text
    assert f"rank from 1 to {last[best]}" in text


def test_promises_kept_on_the_boards():
    """The page's table shows the stored study."""
    text = said("ranks")
    entries = studies.load("boards")["settings"]
    for one, both in zip(entries[::2], entries[1::2], strict=True):
        same = [[e["setting"][key] for key in ("board", "test_set", "n")] for e in (one, both)]
        assert same[0] == same[1]
        row = one["summary"] | both["summary"]
        claims = ("interval", "difference", "all verdicts", "all ranks", "normal")
        cells = [min(row[key] for key in row if key.endswith(claim)) for claim in claims]
        message = " ".join(f"{cell:.1%}" for cell in cells)
        drawn = f"{one['setting']['n']:,} of {BOARDS[one['setting']['test_set']]}"
        assert f" {drawn} {message} " in text


def clopper_pearson(n):
    """Return the ends of the interval and of the bound after each count of errors."""
    k = np.arange(n + 1)
    with np.errstate(
        invalid="ignore"
    ):  # without errors there is no lower end; with errors only, no upper end
        low = np.nan_to_num(beta.ppf(0.025, k, n - k + 1), nan=0.0)
        high, bound = (np.nan_to_num(beta.ppf(p, k + 1, n - k), nan=1.0) for p in (0.975, 0.95))
    return {"interval": (low, high), "bound": (np.zeros(n + 1), bound)}


def test_the_coverage_of_counts_in_the_study_is_what_their_sum_gives():
    entries = [e for e in studies.load("boards")["settings"] if not e["setting"]["every"]]
    for entry in entries[:6]:  # the two boards of images
        setting, draws = entry["setting"], entry["repeats"] * entry["setting"]["draws"]
        losses = load_board(setting["board"]).losses[setting["test_set"]]
        error = np.sort(losses.mean(axis=1))
        chance = binom.pmf(np.arange(setting["n"] + 1), setting["n"], error[:, None])
        last = len(error) - 1
        for place, j in {"first": 0, "middle": last // 2, "last": last}.items():
            for claim, (low, high) in clopper_pearson(setting["n"]).items():
                exact = chance[j][(low <= error[j]) & (error[j] <= high)].sum()
                assert exact >= 0.95
                luck = np.sqrt(exact * (1 - exact) / draws)
                assert entry["summary"][f"{place} {claim}"] == pytest.approx(exact, abs=3.5 * luck)
