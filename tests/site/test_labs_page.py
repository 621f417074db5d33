"""Labs in a real browser, on a page opened from a file: right numbers, keyboard, words, looks."""

import numpy as np
import pytest
from browser import VIEWS, set_view, violations
from labs_in_browser import LEVEL, OUTPUTS, SAID_MS, TYPE, lab, off
from playwright.sync_api import expect
from scipy.stats import norm

from errlab import bounds, holdout, metrics
from errlab import compare as compare_methods
from errlab._core import rounding
from errlab.book import labs
from errlab.book.labs.claim import KEYS
from errlab.book.leaderboards import BOARDS

pytestmark = pytest.mark.site
NAMES = list(labs.LABS)


def root(tab, name):
    return tab.locator(f'[data-lab="{name}"]')


def outputs(tab, name):
    return root(tab, name).evaluate(OUTPUTS)


def type_into(tab, name, **values):
    root(tab, name).evaluate(TYPE, {key: str(value) for key, value in values.items()})


def counts(size, seed=0):
    """Random counts of errors and cases, and confidences, borders included."""
    rng = np.random.default_rng(seed)
    n = (10 ** rng.uniform(0, 7, size)).astype(int)
    share = np.choose(
        rng.integers(0, 4, size),
        [rng.uniform(0, 1, size), 10 ** rng.uniform(-4, 0, size), np.zeros(size), np.ones(size)],
    )
    k = np.clip((share * n).astype(int) + rng.choice([0, 0, 1, -1], size), 0, n)
    level = np.where(
        rng.random(size) < 0.5,
        rng.choice([50, 80, 90, 95, 99, 99.9, 99.9999], size),
        rng.uniform(50, 99.9999, size).round(4),
    )
    return [(int(a), int(b), float(c)) for a, b, c in zip(k, n, level, strict=True)]


def test_every_method_agrees_with_errlab(visit):
    cases = counts(1500)
    tab = visit(lab("claim"))
    keys = tab.evaluate("errlabModules['numerics.js'].KEYS")
    assert set(keys) <= set(bounds.BOUNDS)
    got = np.array(
        tab.evaluate(
            """cases => { const {ends, KEYS} = errlabModules['numerics.js'];
            return cases.map(([k, n, c]) => KEYS.map(key => ends(key, k, n, (100 - c) / 100)));
            }""",
            cases,
        )
    )
    k, n, confidence = (np.array(v) for v in zip(*cases, strict=True))
    delta = (100 - confidence) / 100
    for j, key in enumerate(keys):
        want = [bounds.lower(key, k / n, n, delta=delta), bounds.upper(key, k / n, n, delta=delta)]
        assert off(got[:, j], np.transpose(want)).max() <= LEVEL, key


# An event in one field has the lab read them all. Each field has its turn.
SET = """((root, values, turn) => {
  const field = name => root.querySelector(`input[type="text"][name="${name}"]`);
  for (const [name, value] of Object.entries(values)) field(name).value = value;
  const names = Object.keys(values);
  field(names[turn % names.length]).dispatchEvent(new Event('input', {bubbles: true}));
})"""
CLAIMS = """(root, cases) => cases.map(([errors, cases, confidence], i) => {
  SET(root, {errors, cases, confidence}, i);
  const out = name => Number(root.querySelector(`[data-out="${name}"]`).dataset.value);
  const table = [...root.querySelectorAll('tbody tr')].map(
    row => [row.dataset.key, Number(row.querySelector('[data-value]').dataset.value)]);
  return [out('upper'), out('low'), out('high'),
          root.querySelector('.lab-sentence').textContent, table];
})""".replace("SET", SET)


def test_the_claim_is_that_of_errlab_number_and_word(visit):
    cases = counts(1000, seed=1)
    tab = visit(lab("claim"))
    said = root(tab, "claim").evaluate(CLAIMS, cases)
    reports = [labs.Claim(errors=k, cases=n, confidence=c).report for k, n, c in cases]
    got = [row[:3] for row in said]
    assert off(got, [(r.upper, r.low, r.high) for r in reports]).max() <= LEVEL
    k, n, confidence = (np.array(v) for v in zip(*cases, strict=True))
    wanted = {key: bounds.upper(key, k / n, n, delta=(100 - confidence) / 100) for key in KEYS}
    for i, (row, report) in enumerate(zip(said, reports, strict=True)):
        assert row[3] == " ".join(report.sentences())
        assert dict(row[4]) == pytest.approx({key: wanted[key][i] for key, _ in row[4]}, rel=LEVEL)


def test_how_many_cases_is_what_errlab_says(visit):
    rng = np.random.default_rng(2)
    asked = []
    while len(asked) < 300:
        expected = float(
            rng.choice([0, round(rng.uniform(0, 20), 2), round(rng.uniform(0, 90), 1)])
        )
        target = round(expected + 10 ** rng.uniform(-0.7, 1), 3)
        if target <= 99:
            asked.append((expected, target, float(rng.choice([90, 95, 99]))))
    tab = visit(lab("claim"))
    got = tab.evaluate(
        """asked => asked.map(([e, t, c]) =>
        errlabModules['numerics.js'].sampleSize(t / 100, e / 100, (100 - c) / 100))""",
        asked,
    )
    want = [
        holdout.sample_size_for("CP", target=t / 100, mean=e / 100, delta=(100 - c) / 100)
        for e, t, c in asked
    ]
    assert got == want
    tab.locator(".lab-plan summary").click()
    tab.locator('[name="expected"]').fill("2")
    tab.locator('[name="target"]').fill("4")
    assert outputs(tab, "claim")["needed"] == labs.Claim(expected=2, target=4).needed


RATES_OF = """(root, tables) => tables.map((values, i) => {
  SET(root, values, i);
  return Object.fromEntries([...root.querySelectorAll('[data-out]')].map(e => [e.dataset.out,
    e.dataset.value && [e.dataset.value, e.dataset.low, e.dataset.high].map(Number)]));
})""".replace("SET", SET)


def test_every_rate_is_that_of_errlab(visit):
    rng = np.random.default_rng(4)
    asked = []
    while len(asked) < 1000:
        cells = (10 ** rng.uniform(0, 6, 4)).astype(int) * (rng.random(4) < 0.8)
        cells = np.where(rng.random(4) < 0.2, rng.integers(0, 4, 4), cells)
        level = float(rng.choice([50, 95, 99, 99.9999, round(rng.uniform(50, 99), 3)]))
        if cells.sum():
            table = dict(zip(("tp", "fp", "fn", "tn"), cells.tolist(), strict=True))
            asked.append({**table, "confidence": level})
    tab = visit(lab("confusion"))
    said = root(tab, "confusion").evaluate(RATES_OF, asked)
    assert set(said[0]) == {*metrics.RATES, "F1"}
    for values, rates in zip(asked, said, strict=True):
        made = labs.Confusion(**values)
        delta = (100 - made.confidence) / 100
        rows = metrics.rate_intervals(made.table, delta=delta)
        want = {row.key: [row.value, row.low, row.high] for row in rows}
        if made.tp + made.fp + made.fn:
            f1 = metrics.f1_interval(made.tp, made.fp, made.fn, delta=delta)
            want["F1"] = [made.table.f1, *f1]
        assert {key for key, found in rates.items() if found} == set(want)
        for key, row in want.items():
            assert off(rates[key], row).max() <= LEVEL, (values, key)


def test_the_threshold_moves_the_counts_and_the_counts_the_threshold(visit):
    tab = visit(lab("confusion"))
    box = root(tab, "confusion")

    def cells():
        return {
            n: int(box.locator(f'[name="{n}"]').input_value()) for n in ("tp", "fp", "fn", "tn")
        }

    before = cells()
    box.locator('[name="threshold"]').focus()
    for _ in range(30):
        tab.keyboard.press("ArrowRight")
    after = cells()
    assert after["tp"] < before["tp"]
    assert after["fp"] < before["fp"]
    assert after["tp"] + after["fn"] == before["tp"] + before["fn"]
    assert after["fp"] + after["tn"] == before["fp"] + before["tn"]
    assert outputs(tab, "confusion")["TPR"] == pytest.approx(after["tp"] / 50)
    box.locator('[name="apart"]').focus()
    for _ in range(100):
        tab.keyboard.press("ArrowRight")
    assert cells()["tp"] > after["tp"]
    assert cells()["fp"] == after["fp"]
    place = box.locator(".lab-threshold").get_attribute("d")
    box.locator('[name="fp"]').fill("100")
    box.locator('[name="tn"]').fill("50")
    assert box.locator(".lab-threshold").get_attribute("d") != place
    expect(box.locator(".lab-said")).to_contain_text("100 of 150 negatives", timeout=SAID_MS)


def test_a_detector_is_found_from_its_counts(visit):
    """Counts made from a threshold give that threshold back, but for rounding to whole cases."""
    rng = np.random.default_rng(5)
    asked = [(float(t), float(d)) for t, d in zip(*rng.uniform(0, 3, (2, 200)), strict=True)]
    tab = visit(lab("confusion"))
    got = tab.evaluate(
        """asked => { const { cut, scores } = errlabModules['confusion.js'];
        return asked.map(([threshold, apart]) => { const counts =
          cut({threshold, apart}, {tp: 500000, fn: 500000, fp: 500000, tn: 500000});
          const back = scores(counts); return [back.threshold, back.apart, counts]; }); }""",
        asked,
    )
    for (threshold, apart), (t, d, counts) in zip(asked, got, strict=True):
        assert (t, d) == pytest.approx((threshold, apart), abs=1e-3)
        assert counts["fp"] == pytest.approx(1e6 * norm.sf(threshold), abs=0.51)
        assert counts["tp"] == pytest.approx(1e6 * norm.sf(threshold - apart), abs=0.51)


def tables(size, seed):
    """Random counts of who is wrong, and confidences; few, many, none, all discordant; ties."""
    rng = np.random.default_rng(seed)
    for _ in range(size):
        n = int(10 ** rng.uniform(0, 5))
        m = min(n, int(rng.choice([0, 1, n, rng.integers(0, n + 1), 10 ** rng.uniform(0, 2.5)])))
        x = int(rng.choice([0, m, m // 2, rng.integers(0, m + 1), rng.binomial(m, 0.5)]))
        both = int(rng.integers(0, n - m + 1))
        level = rng.choice([50, 90, 95, 99, 99.9999, 96.875, round(rng.uniform(50, 99.99), 4)])
        names = {"both": both, "only_a": x, "only_b": m - x, "neither": n - m - both}
        yield {**names, "confidence": float(level)}


PAIRS = """(root, asked) => asked.map((values, i) => {
  SET(root, values, i);
  const out = name => Number(root.querySelector(`[data-out="${name}"]`).dataset.value);
  return [out('pvalue'), out('low'), out('high'), root.querySelector('.lab-sentence').textContent,
    [...root.querySelectorAll('.lab-conditions li')].map(e => e.textContent)];
})""".replace("SET", SET)


def test_the_pair_is_that_of_errlab_number_and_word(visit):
    asked = list(tables(1000, seed=8))
    tab = visit(lab("pair"))
    said = root(tab, "pair").evaluate(PAIRS, asked)
    for values, (pvalue, low, high, text, listed) in zip(asked, said, strict=True):
        want = labs.Pair(**values).report
        got = np.array([pvalue, low, high])
        assert off(got, [want.pvalue, want.low, want.high]).max() <= LEVEL, values
        assert (pvalue <= want.delta) == (low > 0 or high < 0), "verdict and interval agree"
        assert text == " ".join(want.sentences()), values
        assert listed == want.conditions()


def test_numbers_are_written_as_python_writes_them(visit):
    rng = np.random.default_rng(9)
    numbers = [*(10 ** rng.uniform(-30, 6, 2000)), *rng.integers(1, 2**12, 2000) / 2**11, 0.125]
    levels = [*rng.uniform(1e-6, 0.5, 500), *10 ** rng.uniform(-8, -0.4, 500), 0.05, 0.1, 0.5]
    signed = [v * s for v, s in zip(numbers, rng.choice([-1, 1], len(numbers)), strict=True)]
    tab = visit(lab("claim"))
    got = tab.evaluate(
        """([numbers, signed, levels]) => { const w = errlabModules['words.js'];
        return [numbers.map(v => [1, 2, 3, 9].map(d => w.general(v, d))),
          signed.map(v => ['near', 'up', 'down'].map(way => w.points(v / 100, 1, way))),
          levels.map(w.sure), levels.map((d, i) => w.chance(numbers[i], d))]; }""",
        [[float(v) for v in values] for values in (numbers, signed, levels)],
    )
    assert got[0] == [[f"{v:.{d}g}" for d in (1, 2, 3, 9)] for v in numbers]
    ways = ("near", "up", "down")
    assert got[1] == [[rounding.points(v / 100, 1, way) for way in ways] for v in signed]
    assert got[2] == [rounding.sure(d) for d in levels]
    assert got[3] == [rounding.chance(numbers[i], d) for i, d in enumerate(levels)]


def test_where_p_is_the_level_itself_the_interval_excludes_0(visit):
    """Up to 25 disagreements p is a number of halves, and so may be the level."""
    tab = visit(lab("pair"))
    got = tab.evaluate(
        """() => { const { mcnemar, melded } = errlabModules['melded.js']; const found = [];
        for (let x = 0; x <= 12; x++) for (let y = 0; y <= 12; y++) {
          const p = mcnemar(x, y);
          if (p < 1) found.push([x, y, p, ...melded(x, y, x + y + 5, p)]);
        } return found; }"""
    )
    assert len(got) > 100
    for x, y, p, low, high in got:
        assert p == pytest.approx(compare_methods.mcnemar(x, y).pvalue, rel=1e-12)
        assert low > 0 or high < 0, (x, y)


MISSES = """([method, cases, error, confidence, seed, drawn]) => {
  const { counts, intervals, missRate } = errlabModules['misses.js'];
  const values = { method, cases, error, confidence, seed, drawn };
  const interval = intervals(values), p = error / 100;
  const missing = counts(values, drawn).map(interval).filter(([low, high]) => p < low || p > high);
  return [missing.length, missRate(values)];
}"""


def test_misses_are_those_that_errlab_counts(visit):
    rng = np.random.default_rng(3)
    asked = [
        (
            str(rng.choice(KEYS)),
            int(rng.choice([1, 2, 10_000, *(10 ** rng.uniform(0, 4, 9)).astype(int)])),
            float(rng.choice([0.1, 99.9, *rng.uniform(0.1, 99.9, 4).round(1)])),
            float(rng.choice([50, 90, 95, 99.9999, rng.uniform(50, 99.9999)])),
            int(rng.integers(0, 2**32)),
            int(rng.choice([0, 1, 100, 1000])),
        )
        for _ in range(1000)
    ]
    tab = visit(lab("misses"))
    got = tab.evaluate(f"asked => asked.map({MISSES})", asked)
    names = ("method", "cases", "error", "confidence", "seed", "drawn")
    for values, (misses, rate) in zip(asked, got, strict=True):
        made = labs.Misses(**dict(zip(names, values, strict=True)))
        assert misses == made.misses, made
        # errlab gives the coverage, which is rounded to 1e-16
        assert rate == pytest.approx(made.rate, rel=LEVEL, abs=1e-15), made


def test_the_bag_is_the_bootstrap_of_errlab(visit):
    """Every bag: the percentile interval, Clopper-Pearson's, and the samples without red."""
    asked = [(n, k) for n in [*range(2, 40), 100, 137, 200] for k in range(n + 1)]
    assert len(asked) > 1000
    tab = visit(lab("bag"))
    got = tab.evaluate(
        """asked => asked.map(([cases, errors]) =>
        errlabModules['bag.js'].percentileInterval({ cases, errors }))""",
        asked,
    )
    for (n, k), ends in zip(asked, got, strict=True):
        assert off(ends, labs.Bag(cases=n, errors=k).percentile).max() <= LEVEL, (n, k)
    fields = root(tab, "bag")
    for n, k in [(2, 0), (2, 2), (20, 2), (50, 1), (200, 7), (200, 200), (199, 0)]:
        fields.evaluate(TYPE, {"errors": "0", "cases": str(n)})
        fields.evaluate(TYPE, {"errors": str(k)})
        made, said = labs.Bag(cases=n, errors=k), outputs(tab, "bag")
        want = dict(zip(("low", "high"), made.percentile, strict=True)) | {"empty": made.empty}
        want |= dict(zip(("cp_low", "cp_high"), bounds.interval("CP", k / n, n), strict=True))
        assert said == pytest.approx(want, rel=LEVEL, abs=1e-300)


def test_the_samples_of_the_bag_are_those_that_python_draws(visit):
    rng = np.random.default_rng(6)
    tab = visit(lab("bag"))
    asked = []
    for _ in range(200):
        n = int(rng.integers(2, 201))
        names = {"cases": n, "errors": int(rng.integers(0, n + 1))}
        names |= {"seed": int(rng.integers(0, 2**32)), "balls": int(rng.integers(0, 12 * n))}
        asked.append(names)
    got = tab.evaluate("asked => asked.map(errlabModules['bag.js'].sampleCounts)", asked)
    for values, counted in zip(asked, got, strict=True):
        assert counted == labs.Bag(**values).samples.tolist()


def test_the_bag_is_drawn_from_by_keyboard(visit):
    tab = visit(lab("bag"), reduced_motion="reduce")
    box = root(tab, "bag")

    def press(name):
        box.get_by_role("button", name=name).focus()
        tab.keyboard.press("Enter")

    press("Draw a ball")
    expect(box.locator(".lab-state")).to_contain_text("Ball 1 of 20")
    expect(box.locator(".lab-said")).to_contain_text("Ball 1 of 20", timeout=SAID_MS)
    press("Fill the sample")
    first = labs.Bag(balls=20).samples
    expect(box.locator(".lab-state")).to_contain_text(f"Sample 1: {first[0]} error")
    press("100 samples")
    found = labs.Bag(balls=20 * 101).samples
    none = int((found == 0).sum())
    expect(box.locator(".lab-state")).to_contain_text(f"{none} of 101 samples hold no red ball")
    tab.locator('[name="errors"]').fill("0")
    expect(box.locator(".lab-state")).to_have_text("No ball in this bag is red.")
    press("100 samples")
    expect(box.locator(".lab-state")).to_contain_text("100 of 100 samples hold no red ball")
    assert [outputs(tab, "bag")[name] for name in ("low", "high")] == [0, 0]


def test_scans_and_their_intervals_are_those_of_python(visit):
    rng = np.random.default_rng(12)
    asked = [
        {
            "groups": int(rng.integers(10, 201)),
            "size": int(rng.integers(1, 21)),
            "alike": float(rng.choice([0, 100, rng.uniform(0, 100)])),
            "seed": int(rng.integers(0, 2**32)),
        }
        for _ in range(300)
    ]
    tab = visit(lab("groups"))
    got = tab.evaluate(
        """asked => asked.map(values => {
        const { losses, intervals } = errlabModules['groups.js'];
        const wrong = losses(values, 0.15), found = intervals(wrong);
        return [wrong.map(scans => scans.map(Number)),
                [...found.rows, ...found.patients, found.effective]]; })""",
        asked,
    )
    for values, (wrong, ends) in zip(asked, got, strict=True):
        made = labs.Groups(**values)
        assert wrong == made.losses.tolist()
        found = made.by_group
        want = [*made.rows, found.low, found.high, found.effective_size]
        assert off(ends, want).max() <= LEVEL, made
    for errors in (0, 1):  # nobody can see how alike they are
        wrong = [[errors] * 3] * 20
        ends = tab.evaluate("wrong => errlabModules['groups.js'].intervals(wrong).patients", wrong)
        whole = metrics.korn_graubard(np.ravel(wrong), groups=np.repeat(np.arange(20), 3))
        assert off(ends, (whole.low, whole.high)).max() <= LEVEL
    root(tab, "groups").locator("button").click()
    expect(root(tab, "groups").locator(".lab-big")).to_have_text(
        f"{labs.Groups(seed=2).by_group.effective_size:.0f}"
    )


def test_the_winner_is_that_of_python(visit):
    """A thousand settings: one model, one set, both kinds of candidates."""
    rng = np.random.default_rng(11)
    asked = [
        {
            "models": int(rng.choice([1, 2, 20, rng.integers(1, 101)])),
            "cases": int(rng.choice([10, 50, 200, rng.integers(10, 5001)])),
            "candidates": str(rng.choice(["equally good", "different"])),
            "seed": int(rng.integers(0, 2**32)),
            "sets": int(rng.choice([1, 2, rng.integers(1, 8)])),
        }
        for _ in range(1000)
    ]
    shown = [labs.Winner(**values) for values in asked[:20]]
    tab = visit(*shown)
    got = tab.evaluate(
        """asked => asked.map(values => { const { drawer, risks } = errlabModules['winner.js'];
        const draw = drawer(values);
        return [risks(values), Array.from({ length: values.sets }, draw)]; })""",
        asked,
    )
    for values, (risks, counted) in zip(asked, got, strict=True):
        made = labs.Winner(**values)
        assert off(risks, made.risks).max() <= LEVEL
        assert counted == made.counts.tolist()
    for made, box in zip(shown, root(tab, "winner").all(), strict=True):
        want = {"shown": made.shown[-1], "truth": made.truth[-1], "sets": made.sets}
        want |= {"mean_shown": made.shown.mean(), "mean_truth": made.truth.mean()}
        assert box.evaluate(OUTPUTS) == pytest.approx(want, rel=LEVEL)


def test_both_boards_are_those_of_errlab(visit):
    """A thousand competitions: random, flipped from the best, repeated submissions."""
    rng = np.random.default_rng(7)
    asked = []
    for _ in range(1000):
        n, k = int(rng.choice([5, 6, 20, rng.integers(5, 101)])), int(rng.integers(1, 30))
        guesses = [rng.integers(0, 2, n)]
        for _ in range(k):
            last = guesses[rng.integers(len(guesses))].copy()
            last[rng.integers(0, n, rng.choice([0, 1, 2, 3, n]))] ^= 1
            guesses.append(last)
        words = ",".join("".join(map(str, guess)) for guess in guesses)
        asked.append(
            {
                "cases": n,
                "board": str(rng.choice(["plain board", "Ladder"])),
                "seed": int(rng.integers(0, 2**32)),
                "submitted": words,
            }
        )
    tab = visit(lab("climb"))
    got = tab.evaluate(
        """asked => asked.map(a => { const own = { ...a, submitted: a.submitted.split(',') };
        const { labels, boardOf, vote } = errlabModules['climb.js'];
        const board = boardOf(own);
        return [labels(own), board.released, board.leaders, vote(own.submitted, board.released)];
        })""",
        asked,
    )
    for values, (labels_, released, leaders, voted) in zip(asked, got, strict=True):
        made = labs.Climb(**values)
        assert labels_ == "".join(map(str, made.labels))
        board = BOARDS[made.board](made.losses)
        assert off(released, board.released).max() <= LEVEL
        assert leaders == board.leader.tolist()
        bits = np.array([[int(b) for b in w] for w in str(values["submitted"]).split(",")])
        turned = bits ^ (board.released > 0.5)[:, None]
        assert voted == "".join("1" if share > 0.5 else "0" for share in turned.mean(axis=0))


def test_votes_climb_the_plain_board(visit):
    tab = visit(lab("climb", cases=50), reduced_motion="reduce")
    box = root(tab, "climb")
    for _ in range(9):
        box.get_by_role("button", name="10 random guesses").click()
    before = outputs(tab, "climb")["best"]
    box.get_by_role("button", name="Vote").click()
    expect(box.locator(".lab-state")).to_contain_text("Submission 91: ")
    assert outputs(tab, "climb")["best"] < before


def test_arrow_keys_go_from_case_to_case(visit):
    tab = visit(lab("climb"))
    root(tab, "climb").locator('[data-place="0"]').focus()
    places = []
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "End", "Home"):
        tab.keyboard.press(key)
        places.append(tab.evaluate("document.activeElement.dataset.place"))
    assert places == ["1", "11", "10", "19", "0"]
    assert root(tab, "climb").locator('.lab-cells [tabindex="0"]').count() == 1


@pytest.mark.parametrize(
    ("name", "button", "words"),
    [
        ("misses", "Draw 100", f"100 test sets, {labs.Misses(drawn=100).misses} intervals"),
        ("winner", "New validation set", "Validation set 2. The winner"),
    ],
)
def test_what_a_button_draws_is_said(name, button, words, visit):
    tab = visit(lab(name), reduced_motion="reduce")
    root(tab, name).get_by_role("button", name=button, exact=True).focus()
    tab.keyboard.press("Enter")
    expect(root(tab, name).locator(".lab-said")).to_contain_text(words, timeout=SAID_MS)


def test_numbers_may_be_typed_as_people_type_them(visit):
    tab = visit(lab("claim"))
    seen = []
    for cases, confidence in (
        ("1000", "95"),
        ("1,000", "95.0"),
        ("1 000", "95 %"),
        ("1e3", "95,0"),
    ):
        tab.locator('[name="cases"]').fill(cases)
        tab.locator('[name="confidence"]').fill(confidence)
        seen.append(outputs(tab, "claim")["upper"])
        tab.locator('[name="cases"]').fill("200")
    assert seen == [seen[0]] * 4
    assert seen[0] == pytest.approx(bounds.clopper_pearson(7 / 1000, 1000), rel=1e-9)


@pytest.mark.parametrize(
    ("field", "typed", "words"),
    [
        ("errors", "201", "the number of errors must be a whole number from 0 to 200"),
        ("errors", "7.5", "the number of errors must be a whole number"),
        ("errors", "", "the number of errors must be a whole number"),
        ("errors", "seven", "the number of errors must be a whole number"),
        ("cases", "0", "the number of test cases must be a whole number from 1 to 10,000,000"),
        ("confidence", "100", "the confidence must be a number from 50 to 99.9999"),
        ("confidence", "95 95", "the confidence must be a number"),
    ],
)
def test_what_cannot_be_is_said_and_goes_nowhere(visit, field, typed, words):
    tab = visit(lab("claim"))
    tab.locator(f'[name="{field}"]').fill(typed)
    box = root(tab, "claim")
    expect(box.locator(".lab-wrong").first).to_contain_text(words)
    expect(box.locator(".lab-said").first).to_contain_text(words, timeout=SAID_MS)
    assert box.locator(f'[name="{field}"]').get_attribute("aria-invalid") == "true"
    assert outputs(tab, "claim")["upper"] is None, "no number stands beside wrong counts"
    assert "#" not in tab.url
    tab.locator(f'[name="{field}"]').fill(
        {"errors": "7", "cases": "200", "confidence": "95"}[field]
    )
    assert box.locator(f'[name="{field}"]').get_attribute("aria-invalid") is None
    assert outputs(tab, "claim")["upper"] == pytest.approx(0.0647, abs=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_no_result_stands_beside_a_number_that_cannot_be(name, visit):
    tab = visit(lab(name))
    field = root(tab, name).locator('input[type="text"]').first
    before = field.input_value()
    result = root(tab, name).locator(".lab-result").first
    expect(result).to_be_visible()
    field.fill("many")
    expect(root(tab, name).locator(".lab-wrong").first).to_contain_text("must be a")
    expect(result).to_be_hidden()
    field.fill(before)
    expect(result).to_be_visible()


def test_the_numbers_live_in_the_address(visit):
    tab = visit(lab("claim"), anchor="#n=500&k=4")
    assert outputs(tab, "claim")["upper"] == pytest.approx(
        bounds.clopper_pearson(4 / 500, 500), rel=LEVEL
    )
    tab.locator('[name="errors"]').fill("5")
    tab.wait_for_url("**#n=500&k=5&confidence=95")
    tab.evaluate("location.hash = '#k=9&n=90&confidence=99'")
    assert outputs(tab, "claim")["upper"] == pytest.approx(
        bounds.clopper_pearson(0.1, 90, delta=0.01), rel=LEVEL
    )


def test_what_was_typed_in_one_lab_is_offered_in_the_next(visit):
    tab = visit(lab("claim"), lab("bag"))
    assert tab.locator(".lab-mine").count() == 0
    claim = tab.locator('[data-lab="claim"]')
    for name, value in (("cases", "150"), ("errors", "12")):
        claim.locator(f'[name="{name}"]').fill(value)
    tab.reload()
    bag = tab.locator('[data-lab="bag"]')
    expect(bag.locator(".lab-mine")).to_contain_text("12 errors, 150 examples")
    bag.get_by_role("button", name="Use them").click()
    assert bag.locator('[name="errors"]').input_value() == "12"
    assert bag.locator('[name="cases"]').input_value() == "150"
    assert bag.locator(".lab-mine").count() == 0
    bag.locator('[name="errors"]').fill("10")
    tab.reload()
    expect(claim.locator(".lab-mine")).to_contain_text("10 errors")
    claim.get_by_role("button", name="Erase them").click()
    assert tab.evaluate("localStorage.getItem('errlab-numbers')") is None


@pytest.mark.parametrize("anchor", ["#k=many", "#k=", "#n=0&k=0", "#a-heading", "#k=7%", "#k=201"])
def test_an_address_that_says_nothing_useful_does_no_harm(visit, anchor):
    tab = visit(lab("claim"), anchor=anchor)
    tab.locator('[name="errors"]').fill("7")
    tab.locator('[name="cases"]').fill("200")
    assert outputs(tab, "claim")["upper"] == pytest.approx(0.0647, abs=1e-4)


@pytest.mark.parametrize("anchor", ["method=zzz", "method=__proto__", "drawn=1e9", "seed=.5"])
def test_an_address_with_a_value_that_the_lab_refuses_leaves_it_as_it_was(visit, anchor):
    tab = visit(lab("misses"), anchor=f"#{anchor}&n=60")
    assert tab.locator("select").input_value() == "NOR"
    assert tab.locator('[name="cases"]').input_value() == "60"
    tab.get_by_role("button", name="Draw 1", exact=True).click()
    expect(root(tab, "misses").locator(".lab-count")).to_contain_text("of 1 interval")


def test_arrow_keys_count(visit):
    tab = visit(lab("claim"))
    tab.locator('[name="errors"]').focus()
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("ArrowUp")
    tab.keyboard.press("ArrowDown")
    assert tab.locator('[name="errors"]').input_value() == "8"
    tab.keyboard.press("Shift+ArrowUp")
    assert tab.locator('[name="errors"]').input_value() == "18"
    assert outputs(tab, "claim")["upper"] == pytest.approx(
        bounds.clopper_pearson(18 / 200, 200), rel=LEVEL
    )


def test_the_sentence_is_copied(visit):
    tab = visit(lab("claim"), permissions=["clipboard-read", "clipboard-write"])
    tab.locator('[name="errors"]').fill("2")
    tab.locator(".lab-copy").focus()
    tab.keyboard.press("Enter")
    expect(tab.locator(".lab-copy")).to_have_text("Copied")
    want = " ".join(labs.Claim(errors=2).report.sentences())
    assert tab.evaluate("navigator.clipboard.readText()") == want


def test_without_scripts_a_sentence_and_a_picture_stand(visit):
    tab = visit(*map(lab, NAMES), java_script_enabled=False)
    for name in NAMES:
        box = root(tab, name)
        assert box.locator("svg").first.bounding_box()["height"] > 60, name
        assert lab(name).sentences()[0] in box.inner_text()


def test_on_paper_no_button_is_left(visit):
    tab = visit(*map(lab, NAMES))
    tab.emulate_media(media="print")
    for name in NAMES:
        assert root(tab, name).locator("button:visible").count() == 0, name
        assert len(root(tab, name).inner_text()) > 60, name


@pytest.fixture
def everything(visit):
    """All labs on one page, with all that is folded open."""
    tab = visit(*map(lab, NAMES), reduced_motion="reduce")
    tab.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    return tab


def test_axe_finds_no_violation(everything):
    found = []
    for width, scheme in VIEWS:
        set_view(everything, width, scheme)
        found += [f"{width} {scheme}: {what}" for what in violations(everything)]
    assert found == []


SMALL = """() => [...document.querySelectorAll('.errlab-lab svg text')]
  .map(e => [e.textContent, e.getBoundingClientRect().height])
  .filter(([, height]) => height && height < 11)"""


@pytest.mark.parametrize("width", [390, 320])
def test_labs_fit_a_phone(width, everything):
    everything.set_viewport_size({"width": width, "height": 800})
    assert everything.evaluate("document.documentElement.scrollWidth") <= width
    assert everything.evaluate(SMALL) == [], "letters of pictures are at least 11 px high"


@pytest.mark.parametrize("name", NAMES)
def test_everything_is_reached_by_keyboard_and_shows_it(name, visit):
    tab = visit(lab(name))
    wanted = root(tab, name).evaluate(
        """root => { const all = [...root.querySelectorAll(
          'input, button:not(:disabled), select, textarea, summary, [tabindex="0"]')]
          .filter(e => e.checkVisibility() && e.tabIndex >= 0 && (e.type !== 'radio' || e.checked));
        all.forEach((e, i) => { e.dataset.stop = i; }); return all.length; }"""
    )
    tab.locator("h1").evaluate("e => { e.tabIndex = -1; e.focus(); }")
    reached = []
    for _ in range(wanted):
        tab.keyboard.press("Tab")
        stop = tab.evaluate("document.activeElement.dataset.stop")
        outline = tab.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", stop
        reached.append(int(stop))
    assert reached == list(range(wanted))
