"""The lab of leaderboards: page and `errlab.models` agree on every pair and every rank."""

import json

import numpy as np
import pytest
from browser import probe
from labs_in_browser import CASES, drawn
from marks import nightly

from errlab_book import labs
from errlab_book.labs import ranks

pytestmark = pytest.mark.site

LEVEL = 1e-12  # for counts; ends found by a search are compared with the tolerance SOUGHT
SOUGHT = 1e-9


def shown(tab, made, every=1):
    """Return what the page shows of a board for these states of the lab."""
    states = [one.values() for one in made]
    board, text = made[0].board, made[0].text
    request = {"board": board, "states": states, "every": every, "text": text}
    return json.loads(tab.evaluate(probe("boards"), request))


def agree(made, got):
    """Compare what the page says about one state with errlab."""
    ranking = made.found
    rows = {m.name: m for m in ranking.models}
    assert len(got["rows"]) == len(rows)
    for name, estimate, first, last in got["rows"]:
        assert estimate == pytest.approx(rows[name].estimate, rel=LEVEL, abs=1e-15)
        assert (first, last) == (rows[name].first, rows[name].last), (made, name)
    pairs = {(p.a, p.b): p for p in ranking.pairs}
    numbers, want = [], []
    for a, b, *values in got["pairs"]:
        pair = pairs.get((a, b)) or pairs[b, a]  # models with the same errors may be in any order
        turn = 1 if (a, b) in pairs else -1
        numbers.append(values)
        want.append([turn * pair.difference, pair.pvalue, pair.adjusted])
    np.testing.assert_allclose(numbers, want, rtol=LEVEL, atol=1e-15)
    for a, b, _, *ends in got["picked"]:
        pair = pairs.get((a, b)) or pairs[b, a]
        interval = (pair.low, pair.high) if (a, b) in pairs else (-pair.high, -pair.low)
        np.testing.assert_allclose(ends, interval, rtol=SOUGHT, atol=1e-12)
    assert got["said"] == made.sentences()


def states(board, size, seed=0, **fixed):
    """Draw states of a board: a test set, a second one, a number of items, a seed."""
    rng = np.random.default_rng(seed)
    names = [*ranks.BOARDS[board].sets]
    for _ in range(size):
        values = {
            "test_set": str(rng.choice(names)),
            "beside": str(rng.choice(["none", *names])),
            "items": int(np.clip(10 ** rng.uniform(0.7, 4.7), 5, 50_000)),
            "seed": int(rng.integers(2**32)),
        }
        yield labs.Ranks(board=board, **(values | fixed))


# the largest board at night only
DAY = [(*row, 0) for row in CASES["compared"] if row[0] != "imagenet"]
NIGHT = [(*row, 1) for row in CASES["compared"]]


@pytest.mark.parametrize(
    ("board", "first", "fixed", "sizes", "every", "night"), nightly(DAY + NIGHT, *NIGHT)
)
def test_a_board_is_compared_as_errlab_compares_it(
    board, first, fixed, sizes, every, night, visit, tmp_path
):
    made = [labs.Ranks(board=board, **first), *states(board, sizes[night], **fixed)]
    tab = visit(drawn("ranks"))
    if board != "cifar10":
        ranks.write_scripts(tmp_path)
        tab.add_script_tag(path=tmp_path / ranks.script(board))
    for one, got in zip(made, shown(tab, made, every), strict=True):
        agree(one, got)


def table(rng, graded, grouped):
    """Write a board of random size."""
    models, items = int(rng.integers(2, 7)), int(rng.integers(5, 60))
    skill = rng.uniform(0.2, 0.9, models)
    score = rng.random((models, items)) < skill[:, None]
    values = np.where(score, rng.integers(5, 11, score.shape) / 10, 0) if graded else score * 1
    group = rng.integers(0, max(2, items // 4), items)
    group[:2] = 0, 1
    head = "model,item,score" + ",group" * grouped
    rows = [
        f"m{i},{j},{values[i, j]:g}" + f",g{group[j]}" * grouped
        for i in range(models)
        for j in range(items)
    ]
    return "\n".join([head, *rng.permutation(rows).tolist()])


@pytest.mark.parametrize("size", nightly([3, 15], 15))
def test_a_board_of_ones_own_is_compared_as_errlab_compares_it(visit, size):
    tab = visit(drawn("ranks"))
    for kind in range(4):
        graded, grouped = divmod(kind, 2)
        rng = np.random.default_rng(7 + kind)
        for method in ("proven", "t"):
            for _ in range(size):
                made = labs.Ranks(board="own", text=table(rng, graded, grouped), method=method)
                agree(made, shown(tab, [made])[0])


def test_what_is_no_board_is_refused_in_python_too():
    """What readers see of it is in readers.txt."""
    for text, words in CASES["boards"]:
        if "5 items" not in words:
            with pytest.raises(ValueError, match=r"score|column|empty|models"):
                labs.Ranks(board="own", text=text).sentences()
