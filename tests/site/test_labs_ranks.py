"""The lab of leaderboards: page and `errlab.models` agree on every pair and every rank."""

import numpy as np
import pytest
from browser import VIEWS, set_view, violations
from labs_in_browser import OUTPUTS, lab
from marks import nightly
from playwright.sync_api import expect

from errlab_book import labs
from errlab_book.labs import ranks

pytestmark = pytest.mark.site

LEVEL = 1e-12  # for counts; ends found by a search are compared with the tolerance SOUGHT
SOUGHT = 1e-9

SHOWN = """asked => {
  const board = errlabModules['board.js'], lab = errlabModules['ranks.js'];
  const words = document.querySelector('.errlab-lab').errlabModel.get('words');
  const raw = (window.errlabBoards ?? {})[asked.board] ?? words.boards[asked.board];
  const sets = Object.entries(raw?.sets ?? {})
    .map(([name, set]) => [name, {...board.opened(set), label: set.label}]);
  const opened = asked.board === 'own'
    ? {item: 'item', group: asked.text.includes('group') ? 'group' : '', solved: true,
       sets: {own: lab.ownSet(asked.text)}}
    : {...raw, sets: Object.fromEntries(sets)};
  return asked.states.map(state => {
    const view = lab.shown(opened, state);
    const names = view.models;
    const picked = view.found.pairs.filter((_, i) => i % asked.every === 0).map(p => {
      const {low, high} = board.pairOf(view.found, names, names[p.a], names[p.b]);
      return [names[p.a], names[p.b], p.difference, low, high];
    });
    return {
      rows: view.found.rows.map(r => [r.name, r.estimate, r.first, r.last]),
      pairs: view.found.pairs.map(p =>
        [names[p.a], names[p.b], p.difference, p.pvalue, p.adjusted]),
      picked, said: lab.sentences(opened, view),
    };
  });
}"""


NEVER_ANSWERED = """name => {
  const append = document.head.append.bind(document.head);
  document.head.append = node => { if (!node.src.includes(name)) append(node); };
}"""


def shown(tab, board, asked, every=1, text=""):
    """Return what the page shows of a board for these states of the lab."""
    tab.evaluate(
        "() => { window.WORDS = document.querySelector('.errlab-lab').errlabModel.get('words'); }"
    )
    states = [made.values() for made in asked]
    return tab.evaluate(SHOWN, {"board": board, "states": states, "every": every, "text": text})


def agree(made, got):
    """Compare what the page says about one state with errlab."""
    found = made.found
    rows = {m.name: m for m in found.models}
    assert len(got["rows"]) == len(rows)
    for name, estimate, first, last in got["rows"]:
        assert estimate == pytest.approx(rows[name].estimate, rel=LEVEL, abs=1e-15)
        assert (first, last) == (rows[name].first, rows[name].last), (made, name)
    pairs = {(p.a, p.b): p for p in found.pairs}
    numbers, want = [], []
    for a, b, *values in got["pairs"]:
        pair = pairs.get((a, b)) or pairs[b, a]  # models with the same errors may be in any order
        turn = 1 if (a, b) in pairs else -1
        numbers.append(values)
        want.append([turn * pair.difference, pair.pvalue, pair.adjusted])
    np.testing.assert_allclose(numbers, want, rtol=LEVEL, atol=1e-15)
    for a, b, _, *ends in got["picked"]:
        pair = pairs.get((a, b)) or pairs[b, a]
        told = (pair.low, pair.high) if (a, b) in pairs else (-pair.high, -pair.low)
        np.testing.assert_allclose(ends, told, rtol=SOUGHT, atol=1e-12)
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


@pytest.mark.parametrize("size", nightly([6, 25], 25))
def test_cifar10_is_compared_as_errlab_compares_it(size, visit):
    made = [labs.Ranks(beside="new_v4"), *states("cifar10", size)]
    for one, got in zip(made, shown(visit(lab("ranks")), "cifar10", made, every=29), strict=True):
        agree(one, got)


@pytest.mark.parametrize("size", nightly([2, 8], 8))
@pytest.mark.parametrize(
    ("units", "method"), [("groups", "proven"), ("groups", "t"), ("items", "t")]
)
def test_language_models_are_compared_as_errlab_compares_them(visit, tmp_path, units, method, size):
    ranks.write_scripts(tmp_path)
    tab = visit(lab("ranks"))
    tab.add_script_tag(path=tmp_path / ranks.script("livecodebench"))
    made = list(states("livecodebench", size, seed=2, units=units, method=method))
    made += [labs.Ranks(board="livecodebench", test_set="execution", units=units, method=method)]
    for one, got in zip(made, shown(tab, "livecodebench", made, every=23), strict=True):
        agree(one, got)


@pytest.mark.slow
@pytest.mark.parametrize("size", nightly([1, 4], 4))
def test_imagenet_is_compared_as_errlab_compares_it(size, visit, tmp_path):
    ranks.write_scripts(tmp_path)
    tab = visit(lab("ranks"))
    tab.add_script_tag(path=tmp_path / ranks.script("imagenet"))
    made = [labs.Ranks(board="imagenet", beside="matched"), *states("imagenet", size, seed=3)]
    for one, got in zip(made, shown(tab, "imagenet", made, every=501), strict=True):
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


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("graded", [False, True])
def test_a_board_of_ones_own_is_compared_as_errlab_compares_it(visit, graded, grouped):
    rng = np.random.default_rng(7 + 2 * graded + grouped)
    tab = visit(lab("ranks"))
    for method in ("proven", "t"):
        for _ in range(15):
            text = table(rng, graded, grouped)
            made = labs.Ranks(board="own", text=text, method=method)
            agree(made, shown(tab, "own", [made], text=text)[0])


def test_what_is_no_board_is_refused_in_words(visit):
    tab = visit(lab("ranks"))
    root = tab.locator('[data-lab="ranks"]')
    root.get_by_label("Board").select_option("own")
    area = root.locator("textarea")
    for text, said in [
        ("model,item\na,1", "there is no column score"),
        ("model,item,score\na,1,2", "line 2: the score must be a number from 0 to 1"),
        ("model,item,score\na,1,1\na,1,1", "line 3: a has a second score for item 1"),
        ("model,item,score\na,1,1\nb,1,0", "at least 2 models and 5 items"),
        (
            "model,item,score\n" + "\n".join(f"a,{i},1\nb,{i + 1},0" for i in range(6)),
            "no score for",
        ),
        (" ", "there is no column model"),
    ]:
        area.fill(text)
        expect(root.locator(".lab-wrong")).to_contain_text(said)
        if "5 items" not in said:
            with pytest.raises(ValueError, match=r"score|column|empty|models"):
                labs.Ranks(board="own", text=text).sentences()
    area.fill(ranks.EXAMPLE)
    expect(root.locator(".lab-wrong")).to_have_text("")


def test_another_board_is_loaded_when_it_is_asked_for_and_by_keyboard(visit, tmp_path):
    ranks.write_scripts(tmp_path)
    tab = visit(lab("ranks"))
    root = tab.locator('[data-lab="ranks"]')
    assert tab.evaluate("window.errlabBoards") is None
    root.get_by_label("Board").focus()
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowDown")
    expect(root.locator(".lab-answer").first).to_have_text("150 of 666 pairs are shown to differ")
    tab.get_by_label("Compared by").select_option("items t")
    expect(root.locator(".lab-answer").first).to_have_text("418 of 666 pairs are shown to differ")


def test_a_board_on_its_way_does_not_hold_back_the_next_one(visit, tmp_path):
    ranks.write_scripts(tmp_path)
    tab = visit(lab("ranks"))
    tab.evaluate(NEVER_ANSWERED, "imagenet")
    root = tab.locator('[data-lab="ranks"]')
    root.get_by_label("Board").select_option("imagenet")
    expect(root.locator(".lab-wrong")).to_have_text("Not yet: the board is being loaded.")
    root.get_by_label("Board").select_option("livecodebench")
    expect(root.locator(".lab-answer").first).to_have_text("150 of 666 pairs are shown to differ")


def test_fewer_items_tell_fewer_models_apart_and_the_slider_says_how_many(visit):
    tab = visit(lab("ranks"))
    root = tab.locator('[data-lab="ranks"]')
    slider = root.locator('input[name="size"]')
    slider.focus()
    tab.keyboard.press("Home")
    expect(root.locator("output")).to_have_text("5 of 10,000 images")
    expect(root.locator(".lab-answer").first).to_have_text("0 of 435 pairs are shown to differ")
    tab.keyboard.press("End")
    expect(root.locator(".lab-answer").first).to_have_text("356 of 435 pairs are shown to differ")
    assert slider.get_attribute("aria-valuetext") == "10,000 of 10,000 images"


def test_two_that_are_picked_are_compared_as_errlab_compares_them(visit):
    tab = visit(lab("ranks"))
    root = tab.locator('[data-lab="ranks"]')
    root.locator('[name="first"]').select_option("nas")
    root.locator('[name="second"]').select_option("darc")
    expect(root.locator(".lab-verdict")).to_have_text("darc is better than nas.")
    found = lab("ranks").found
    pair = next(p for p in found.pairs if {p.a, p.b} == {"darc", "nas"})
    assert (pair.a, pair.b) == ("darc", "nas")
    values = root.evaluate(OUTPUTS)
    want = {"pvalue": pair.pvalue, "adjusted": pair.adjusted, "low": -pair.high, "high": -pair.low}
    assert {name: values[name] for name in want} == pytest.approx(want, rel=SOUGHT)
    # the second row becomes that of another network
    root.locator('[data-model="vgg16_keras"]').click()
    expect(root.locator(".lab-verdict")).to_have_text("nas is better than vgg16_keras.")


@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_the_lab_fits_and_axe_finds_nothing(visit, width, scheme):
    tab = visit(lab("ranks", beside="new_v4"))
    set_view(tab, width, scheme)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(tab, ".errlab-lab") == []
