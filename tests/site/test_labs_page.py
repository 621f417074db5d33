"""Labs in a real browser, on a page opened from a file: numbers, keyboard, words, appearance."""

import itertools
import json

import numpy as np
import pytest
from browser import VIEWS, probe, set_view, violations
from labs_in_browser import (
    alike,
    drawn,
    every,
    lab,
    near,
    root,
    settings,
    typed,
)
from marks import nightly
from playwright.sync_api import expect
from scipy.stats import norm

from errlab import bounds, compare, metrics
from errlab._core import rounding
from errlab.statements.scale import RATES
from errlab_book import labs
from errlab_book.figures._record import Drawing
from errlab_book.leaderboards import BOARDS

pytestmark = pytest.mark.site
NAMES = list(labs.LABS)


# ------------------------------------------------------------------------------------- the numbers


@pytest.mark.parametrize("size", nightly([120, 800], 800))
def test_claims_and_all_methods_are_those_of_errlab_number_and_word(size, visit):
    made = settings("claim", size, errors=10**6, cases=10**6)
    tab = visit(drawn("claim"))
    k, n, sure = np.transpose([[one.errors, one.cases, one.confidence] for one in made])
    upper = {}
    for key, ends in tab.evaluate(probe("methods"), [one.values() for one in made]):
        low, upper[key] = (
            end(key, k / n, n, delta=(100 - sure) / 100) for end in (bounds.lower, bounds.upper)
        )
        assert np.array(ends) == near(np.transpose([low, upper[key]])), key
    for i, page in enumerate(typed(tab, made)):
        report = made[i].report
        numbers = {"upper": report.upper, "low": report.low, "high": report.high}
        assert page["out"] == near(numbers | {"needed": made[i].needed}), made[i]
        assert page["sentence"] == " ".join(report.sentences())
        assert dict(page["rows"]) == near({key: upper[key][i] for key, _ in page["rows"]})


@pytest.mark.parametrize("size", nightly([100, 500], 500))
def test_every_rate_is_that_of_errlab(size, visit):
    made = settings("confusion", size, seed=4)
    for one, page in zip(made, typed(visit(drawn("confusion")), made), strict=True):
        delta = (100 - one.confidence) / 100
        rows = metrics.rate_intervals(one.table, delta=delta)
        rates = {row.key: [row.value, row.low, row.high] for row in rows}
        if one.tp + one.fp + one.fn:
            f1 = metrics.f1_interval(one.tp, one.fp, one.fn, delta=delta)
            rates["F1"] = [one.table.f1, *f1]
        assert set(page["out"]) == {*metrics.RATES, "F1"}
        ends = {key: [page["out"][key], *ends] for key, *ends in page["ends"]}
        assert {key for key, value in page["out"].items() if value is not None} == set(rates)
        for key, row in rates.items():
            assert ends[key] == near(row), (one, key)


def test_a_detector_is_found_from_its_counts(visit):
    """Counts computed from a threshold give that threshold, up to rounding to whole examples."""
    inputs = np.random.default_rng(5).uniform(0, 3, (200, 2))
    results = visit(drawn("confusion")).evaluate(probe("detectors"), inputs.tolist())
    back, counts = np.hsplit(np.array(results), 2)
    assert back == pytest.approx(inputs, abs=1e-3)
    threshold, apart = inputs.T
    tails = np.transpose([norm.sf(threshold), norm.sf(threshold - apart)])
    assert counts == pytest.approx(1e6 * tails, abs=0.51)


@pytest.mark.parametrize("size", nightly([120, 1000], 1000))
def test_pairs_are_those_of_errlab_number_and_word(size, visit):
    made = settings("pair", size, seed=8, both=10**5, only_a=300, only_b=300, neither=10**5)
    for x, y in itertools.product(range(11), repeat=2):
        # p is a multiple of a power of 1/2, so p can equal the level exactly
        sure = 100 * (1 - compare.mcnemar(x, y).pvalue)
        if 50 <= sure <= 99.9999:
            made.append(labs.Pair(both=3, only_a=x, only_b=y, neither=2, confidence=sure))
    for one, page in zip(made, typed(visit(drawn("pair")), made), strict=True):
        report, out = one.report, page["out"]
        assert out["pvalue"] == near(report.pvalue), one
        # p and the ends agree: an end is next to 0 exactly where p equals the level
        assert [out["low"], out["high"]] == near([report.low, report.high], tiny=1e-15), one
        assert (out["pvalue"] <= report.delta) == (out["low"] > 0 or out["high"] < 0), one
        assert page["sentence"] == " ".join(report.sentences()), one
        assert page["conditions"] == report.conditions()


def test_numbers_are_written_as_python_writes_them(visit):
    rng = np.random.default_rng(9)
    numbers = [*(10 ** rng.uniform(-30, 6, 2000)), *rng.integers(1, 2**12, 2000) / 2**11, 0.125]
    levels = [*rng.uniform(1e-6, 0.5, 500), *10 ** rng.uniform(-8, -0.4, 500), 0.05, 0.1, 0.5]
    signed = [v * s for v, s in zip(numbers, rng.choice([-1, 1], len(numbers)), strict=True)]
    inputs = [[float(v) for v in values] for values in (numbers, signed, levels)]
    ways = ("near", "up", "down")
    assert visit(drawn("claim")).evaluate(probe("written"), inputs) == [
        [[f"{v:.{d}g}" for d in (1, 2, 3, 9)] for v in numbers],
        [[RATES.show_difference(v / 100, 1, direction) for direction in ways] for v in signed],
        [rounding.format_confidence(d) for d in levels],
        [rounding.format_pvalue(numbers[i], d) for i, d in enumerate(levels)],
    ]


def competitions(size):
    """Random competitions: submissions are flipped copies of others, or repeated."""
    rng = np.random.default_rng(7)
    for _ in range(size):
        n = int(rng.choice([5, 6, 20, rng.integers(5, 101)]))
        guesses = [rng.integers(0, 2, n)]
        for _ in range(rng.integers(1, 30)):
            last = guesses[rng.integers(len(guesses))].copy()
            last[rng.integers(0, n, rng.choice([0, 1, 2, 3, n]))] ^= 1
            guesses.append(last)
        words = ",".join("".join(map(str, guess)) for guess in guesses)
        board, seed = str(rng.choice([*BOARDS])), int(rng.integers(0, 2**32))
        yield labs.Climb(cases=n, board=board, seed=seed, submitted=words)


def bags(size):
    """Random bags, and those of every size."""
    for n in [*range(2, 40), 137, 200]:
        yield from (labs.Bag(cases=n, errors=k) for k in range(n + 1))
    yield from settings("bag", size, balls=2400)


def of_climb(made):
    """The labels, the board's scores and leaders, and the vote."""
    board = BOARDS[made.board](made.losses)
    guesses = np.array([list(map(int, guess)) for guess in made.submitted.split(",")])
    turned = guesses ^ (board.released > 0.5)[:, None]
    vote = (turned.mean(axis=0) > 0.5).astype(int)
    return [made.labels, board.released, board.leader, vote]


def of_groups(made):
    results = made.by_group
    return [made.rows, results.low, results.high, results.effective_size, made.losses]


# what is drawn, and what errlab makes of it
COMPUTED = {
    # errlab gives the coverage instead of the rate, which is rounded to 1e-16
    "misses": (lambda size: settings("misses", size, seed=3), lambda m: [m.rate, m.misses], 1e-15),
    "bag": (bags, lambda m: [m.percentile, m.samples], 0),
    "groups": (lambda size: settings("groups", size, seed=12), of_groups, 0),
    "winner": (
        lambda size: settings("winner", size, seed=11, sets=7), lambda m: [m.risks, m.counts], 0,
    ),
    "climb": (competitions, of_climb, 0),
}  # fmt: skip


@pytest.mark.parametrize("size", nightly([150, 1000], 1000))
@pytest.mark.parametrize("name", COMPUTED)
def test_what_a_lab_draws_and_computes_is_that_of_errlab(name, size, visit):
    draw, of_errlab, tiny = COMPUTED[name]
    made = list(draw(size))
    values = [one.values() for one in made]
    pages = json.loads(visit(drawn(name)).evaluate(probe("computed"), [name, values]))
    for one, page in zip(made, pages, strict=True):
        assert alike(page, of_errlab(one), tiny), (one, page)


def test_a_lab_shows_what_it_computes(visit):
    bags = settings("bag", 50, balls=2400)
    winners = settings("winner", 10, seed=11, sets=7)
    nothing = Drawing("", "")  # instead of the picture for readers without scripts
    tab = visit(drawn("bag"), drawn("groups"), *(one.html(nothing) for one in winners))
    for one, page in zip(bags, typed(tab, bags), strict=True):
        numbers = [*one.percentile, *bounds.interval("CP", one.errors / one.cases, one.cases)]
        names = ("low", "high", "cp_low", "cp_high", "empty")
        assert [page["out"][name] for name in names] == near([*numbers, one.empty], 1e-300), one
    for one, box in zip(winners, root(tab, "winner").all(), strict=True):
        numbers = {"shown": one.shown[-1], "truth": one.truth[-1], "sets": one.sets}
        numbers |= {"mean_shown": one.shown.mean(), "mean_truth": one.truth.mean()}
        assert box.evaluate(probe("outputs")) == near(numbers)
    for errors in (0, 1):  # equal losses don't show how similar the examples of a group are
        wrong = [[errors] * 3] * 20
        whole = metrics.korn_graubard(np.ravel(wrong), groups=np.repeat(np.arange(20), 3))
        assert tab.evaluate(probe("grouped"), wrong) == near([whole.low, whole.high])


# --- what readers do


def test_no_count_is_read_from_a_percentage(visit):
    """Every field of every lab that asks for a whole number."""
    tab = visit(every())
    for name, kind in labs.LABS.items():
        box = root(tab, name)
        for trait, whole in kind.class_traits().items():
            field = box.locator(f'input[type="text"][name="{trait}"]')
            limits = getattr(whole, "limits", {})
            if "whole" not in limits or not field.count():
                continue
            before = field.input_value()
            field.evaluate(probe("set"), f"{limits['low'] + 5}%")
            expect(box.locator(".lab-wrong").first).to_contain_text("not a percentage")
            assert str(box.evaluate(f"lab => lab.errlabModel.get('{trait}')")) == before
            field.evaluate(probe("set"), before)


def test_the_line_of_python_follows_what_is_typed(visit):
    tab = visit(every())
    for name, kind in labs.LABS.items():
        line = root(tab, name).locator(".lab-python code")
        expect(line).to_have_text(lab(name).code())
        if "confidence" in kind.address:
            root(tab, name).locator('[name="confidence"]').first.fill("90")
            expect(line).to_have_text(lab(name, confidence=90.0).code())


# ------------------------------------------------------------------------------------- how it looks


def test_without_scripts_a_sentence_and_a_picture_stand(visit):
    tab = visit(every(), java_script_enabled=False)
    for name in NAMES:
        box = root(tab, name)
        assert box.locator("svg").first.bounding_box()["height"] > 60, name
        assert lab(name).sentences()[0] in box.inner_text()


@pytest.mark.parametrize("views", [VIEWS[:2], pytest.param(VIEWS, marks=pytest.mark.nightly)])
def test_all_that_is_folded_fits_has_names_and_axe_finds_no_violation(views, visit):
    tab = visit(every(ranks={"beside": "new_v4"}), reduced_motion="reduce")
    tab.evaluate(probe("unfold"))
    # as a screen reader announces it; the text of an <output> isn't a name
    nodes = tab.context.new_cdp_session(tab).send("Accessibility.getFullAXTree")["nodes"]
    roles = {"slider", "textbox", "button", "combobox", "radio", "checkbox", "spinbutton"}
    controls = [node for node in nodes if node.get("role", {}).get("value") in roles]
    assert len(controls) > 40
    names = [node.get("name", {}).get("value", "") for node in controls]
    assert [name for name in names if not any(letter.isalpha() for letter in name)] == []
    for width, scheme in [*views, (320, "light")]:
        set_view(tab, width, scheme)
        assert violations(tab) == [], (width, scheme)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        assert tab.evaluate(probe("small")) == [], "letters of pictures are at least 11 px high"
    tab.emulate_media(media="print")
    for name in NAMES:
        assert root(tab, name).locator("button:visible").count() == 0, name
        assert len(root(tab, name).inner_text()) > 60, name


def test_everything_is_reached_by_keyboard_and_shows_it(visit):
    tab = visit(every())
    stops = tab.locator("main").evaluate(probe("stops"))
    assert stops > 60
    tab.evaluate(probe("top"))
    for stop in range(stops):
        tab.keyboard.press("Tab")
        place, outlined, element = tab.evaluate(probe("focused"))
        assert (place, outlined) == (str(stop), True), element
