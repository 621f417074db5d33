"""Labs in a real browser, on a page opened from a file: numbers, keyboard, words, appearance."""

import itertools

import numpy as np
import pytest
from browser import VIEWS, reload, set_view, violations
from labs_in_browser import LEVEL, OUTPUTS, SAID_MS, lab, off, settings
from playwright.sync_api import expect
from scipy.stats import norm

from errlab import bounds, compare, metrics
from errlab._core import rounding
from errlab.statements.scale import RATES
from errlab_book import labs
from errlab_book.leaderboards import BOARDS

pytestmark = pytest.mark.site
NAMES = list(labs.LABS)


def root(tab, name):
    return tab.locator(f'[data-lab="{name}"]')


def outputs(tab, name):
    return root(tab, name).evaluate(OUTPUTS)


# An event in one field makes the lab read all of them, so each field is tested in turn.
EACH = """(root, asked) => {
  const field = name => root.querySelector(`input[type="text"][name="${name}"]`);
  const out = name => Number(root.querySelector(`[data-out="${name}"]`).dataset.value);
  const texts = css => [...root.querySelectorAll(css)].map(e => e.textContent);
  return asked.map((values, turn) => {
    const names = Object.keys(values);
    for (const name of names) field(name).value = values[name];
    field(names[turn % names.length]).dispatchEvent(new Event('input', {bubbles: true}));
    return READ;
  });
}"""


def typed(tab, name, asked, read):
    """Type each of these values into the fields of a lab; return what `read` reads afterwards."""
    return root(tab, name).evaluate(EACH.replace("READ", read), asked)


def some(drawn, *names):
    """Return these values of the drawn settings."""
    return [{name: values[name] for name in names} for values, _ in drawn]


# ------------------------------------------------------------------------------------- the numbers


def test_claims_and_all_methods_are_those_of_errlab_number_and_word(visit):
    drawn = settings("claim", 800, errors=10**6, cases=10**6)
    asked = some(drawn, "errors", "cases", "confidence")
    tab = visit(lab("claim"))
    ends = tab.evaluate(
        """asked => { const { ends, KEYS } = errlabModules['numerics.js'];
        return KEYS.map(key => [key, asked.map(a =>
          ends(key, a.errors, a.cases, (100 - a.confidence) / 100))]); }""",
        asked,
    )
    k, n, confidence = np.transpose([list(values.values()) for values in asked])
    bound = {}
    for key, got in ends:
        low, bound[key] = (
            end(key, k / n, n, delta=(100 - confidence) / 100)
            for end in (bounds.lower, bounds.upper)
        )
        assert off(got, np.transpose([low, bound[key]])).max() <= LEVEL, key
    read = """[out('upper'), out('low'), out('high'), texts('.lab-sentence')[0],
      [...root.querySelectorAll('tbody tr')].map(row =>
        [row.dataset.key, Number(row.querySelector('[data-value]').dataset.value)])]"""
    shown = typed(tab, "claim", asked, read)
    for i, (*got, text, table) in enumerate(shown):
        report = drawn[i][1].report
        assert off(got, (report.upper, report.low, report.high)).max() <= LEVEL
        assert text == " ".join(report.sentences())
        assert (
            off([value for _, value in table], [bound[key][i] for key, _ in table]).max() <= LEVEL
        )


def test_how_many_cases_is_what_errlab_says(visit):
    drawn = settings("claim", 300, seed=2, cases=200)
    tab = visit(lab("claim"))
    got = tab.evaluate(
        """asked => asked.map(a => errlabModules['numerics.js'].sampleSize(
        a.target / 100, a.expected / 100, (100 - a.confidence) / 100))""",
        [values for values, _ in drawn],
    )
    assert got == [made.needed for _, made in drawn]
    tab.locator(".lab-plan summary").click()
    tab.locator('[name="expected"]').fill("2")
    tab.locator('[name="target"]').fill("4")
    assert outputs(tab, "claim")["needed"] == labs.Claim(expected=2, target=4).needed


def test_every_rate_is_that_of_errlab(visit):
    drawn = settings("confusion", 500, seed=4)
    tab = visit(lab("confusion"))
    read = """Object.fromEntries([...root.querySelectorAll('[data-out]')].map(e => [
      e.dataset.out, e.dataset.value && [e.dataset.value, e.dataset.low, e.dataset.high].map(Number)
    ]))"""
    shown = typed(tab, "confusion", [values for values, _ in drawn], read)
    assert set(shown[0]) == {*metrics.RATES, "F1"}
    for (values, made), rates in zip(drawn, shown, strict=True):
        delta = (100 - made.confidence) / 100
        rows = metrics.rate_intervals(made.table, delta=delta)
        want = {row.key: [row.value, row.low, row.high] for row in rows}
        if made.tp + made.fp + made.fn:
            f1 = metrics.f1_interval(made.tp, made.fp, made.fn, delta=delta)
            want["F1"] = [made.table.f1, *f1]
        assert {key for key, found in rates.items() if found} == set(want)
        for key, row in want.items():
            assert off(rates[key], row).max() <= LEVEL, (values, key)


def test_a_detector_is_found_from_its_counts(visit):
    """Counts computed from a threshold give that threshold, up to rounding to whole examples."""
    asked = np.random.default_rng(5).uniform(0, 3, (200, 2)).tolist()
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


def test_pairs_are_those_of_errlab_number_and_word(visit):
    drawn = settings("pair", 1000, seed=8, both=10**5, only_a=300, only_b=300, neither=10**5)
    for x, y in itertools.product(range(11), repeat=2):
        # p is a multiple of a power of 1/2, so p can equal the level exactly
        confidence = 100 * (1 - compare.mcnemar(x, y).pvalue)
        if 50 <= confidence <= 99.9999:
            values = {"both": 3, "only_a": x, "only_b": y, "neither": 2, "confidence": confidence}
            drawn.append((values, labs.Pair(**values)))
    read = """[out('pvalue'), out('low'), out('high'), texts('.lab-sentence')[0],
      texts('.lab-conditions li')]"""
    shown = typed(visit(lab("pair")), "pair", [values for values, _ in drawn], read)
    for (values, made), (pvalue, low, high, text, listed) in zip(drawn, shown, strict=True):
        want = made.report
        assert off(pvalue, want.pvalue) <= LEVEL, values
        # p and the ends agree: an end is next to 0 exactly where p equals the level
        assert (low, high) == pytest.approx((want.low, want.high), rel=LEVEL, abs=1e-15), values
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
    assert got[1] == [[RATES.show_difference(v / 100, 1, way) for way in ways] for v in signed]
    assert got[2] == [rounding.format_confidence(d) for d in levels]
    assert got[3] == [rounding.format_pvalue(numbers[i], d) for i, d in enumerate(levels)]


MISSES = """asked => asked.map(values => {
  const { counts, intervals, missRate } = errlabModules['misses.js'];
  const interval = intervals(values), p = values.error / 100;
  const missing = counts(values, values.drawn).map(interval)
    .filter(([low, high]) => p < low || p > high);
  return [missing.length, missRate(values)];
})"""


def test_misses_are_those_that_errlab_counts(visit):
    drawn = settings("misses", 1000, seed=3)
    got = visit(lab("misses")).evaluate(MISSES, [values for values, _ in drawn])
    for (_, made), (misses, rate) in zip(drawn, got, strict=True):
        assert misses == made.misses, made
        # errlab gives the coverage instead, which is rounded to 1e-16
        assert rate == pytest.approx(made.rate, rel=LEVEL, abs=1e-15), made


def test_the_bag_is_the_bootstrap_of_errlab(visit):
    """Bags of every size: both intervals, the samples without red balls, and the drawn samples."""
    tab = visit(lab("bag"))
    asked = [{"cases": n, "errors": k} for n in [*range(2, 40), 137, 200] for k in range(n + 1)]
    got = tab.evaluate("asked => asked.map(errlabModules['bag.js'].percentileInterval)", asked)
    for values, ends in zip(asked, got, strict=True):
        assert off(ends, labs.Bag(**values).percentile).max() <= LEVEL, values
    drawn = settings("bag", 200, balls=2400)
    names = ("low", "high", "cp_low", "cp_high", "empty")
    shown = typed(tab, "bag", some(drawn, "cases", "errors"), f"{[*names]}.map(out)")
    samples = "asked => asked.map(errlabModules['bag.js'].sampleCounts)"
    counted = tab.evaluate(samples, [values for values, _ in drawn])
    for (values, made), ends, counts in zip(drawn, shown, counted, strict=True):
        exact = bounds.interval("CP", made.errors / made.cases, made.cases)
        assert ends == pytest.approx([*made.percentile, *exact, made.empty], rel=LEVEL, abs=1e-300)
        assert counts == made.samples.tolist(), values


def test_scans_and_their_intervals_are_those_of_python(visit):
    drawn = settings("groups", 300, seed=12)
    tab = visit(lab("groups"))
    got = tab.evaluate(
        """asked => asked.map(values => {
        const { losses, intervals } = errlabModules['groups.js'];
        const wrong = losses(values, 0.15), found = intervals(wrong);
        return [wrong.map(scans => scans.map(Number)),
                [...found.rows, ...found.patients, found.effective]]; })""",
        [values for values, _ in drawn],
    )
    for (_, made), (wrong, ends) in zip(drawn, got, strict=True):
        assert wrong == made.losses.tolist()
        found = made.by_group
        want = [*made.rows, found.low, found.high, found.effective_size]
        assert off(ends, want).max() <= LEVEL, made
    for errors in (0, 1):  # equal losses don't show how similar the examples of a group are
        wrong = [[errors] * 3] * 20
        ends = tab.evaluate("wrong => errlabModules['groups.js'].intervals(wrong).patients", wrong)
        whole = metrics.korn_graubard(np.ravel(wrong), groups=np.repeat(np.arange(20), 3))
        assert off(ends, (whole.low, whole.high)).max() <= LEVEL


def test_the_winner_is_that_of_python(visit):
    drawn = settings("winner", 1000, seed=11, sets=7)
    shown = [made for _, made in drawn[:20]]
    tab = visit(*shown)
    got = tab.evaluate(
        """asked => asked.map(values => { const { drawer, risks } = errlabModules['winner.js'];
        const draw = drawer(values);
        return [risks(values), Array.from({ length: values.sets }, draw)]; })""",
        [values for values, _ in drawn],
    )
    for (_, made), (risks, counted) in zip(drawn, got, strict=True):
        assert off(risks, made.risks).max() <= LEVEL
        assert counted == made.counts.tolist()
    for made, box in zip(shown, root(tab, "winner").all(), strict=True):
        want = {"shown": made.shown[-1], "truth": made.truth[-1], "sets": made.sets}
        want |= {"mean_shown": made.shown.mean(), "mean_truth": made.truth.mean()}
        assert box.evaluate(OUTPUTS) == pytest.approx(want, rel=LEVEL)


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
        yield labs.Climb(cases=n, board=board, seed=seed, submitted=words), np.array(guesses)


def test_both_boards_are_those_of_errlab(visit):
    made = list(competitions(1000))
    tab = visit(lab("climb"))
    got = tab.evaluate(
        """asked => asked.map(a => { const own = { ...a, submitted: a.submitted.split(',') };
        const { labels, boardOf, vote } = errlabModules['climb.js'];
        const board = boardOf(own);
        return [labels(own), board.released, board.leaders, vote(own.submitted, board.released)];
        })""",
        [climb.values() for climb, _ in made],
    )
    for (climb, guesses), (labels_, released, leaders, voted) in zip(made, got, strict=True):
        assert labels_ == "".join(map(str, climb.labels))
        board = BOARDS[climb.board](climb.losses)
        assert off(released, board.released).max() <= LEVEL
        assert leaders == board.leader.tolist()
        turned = guesses ^ (board.released > 0.5)[:, None]
        assert voted == "".join("1" if share > 0.5 else "0" for share in turned.mean(axis=0))


# --- what readers do


def test_the_threshold_moves_the_counts_and_the_counts_the_threshold(visit):
    tab = visit(lab("confusion"))
    box = root(tab, "confusion")

    def cells():
        return [int(box.locator(f'[name="{n}"]').input_value()) for n in ("tp", "fp", "fn", "tn")]

    def push(name, times):
        box.locator(f'[name="{name}"]').focus()
        for _ in range(times):
            tab.keyboard.press("ArrowRight")
        return cells()

    tp, fp, fn, tn = cells()
    hits, alarms, missed, silent = push("threshold", 30)
    assert hits < tp
    assert alarms < fp
    assert (hits + missed, alarms + silent) == (tp + fn, fp + tn)
    assert outputs(tab, "confusion")["TPR"] == pytest.approx(hits / 50)
    more, same, *_ = push("apart", 100)
    assert more > hits
    assert same == alarms
    place = box.locator(".lab-threshold").get_attribute("d")
    box.locator('[name="fp"]').fill("100")
    box.locator('[name="tn"]').fill("50")
    assert box.locator(".lab-threshold").get_attribute("d") != place
    expect(box.locator(".lab-said")).to_contain_text("100 of 150 negatives", timeout=SAID_MS)


def test_each_press_of_an_arrow_moves_the_threshold_over_an_example(visit):
    tab = visit(lab("confusion"))
    slider = root(tab, "confusion").locator('[name="threshold"]')
    counts = []
    for key in ["ArrowRight"] * 8 + ["ArrowLeft"] * 8 + ["End", "ArrowRight"]:
        slider.press(key)
        fields = (root(tab, "confusion").locator(f'[name="{name}"]') for name in ("tp", "fp"))
        counts.append([int(field.input_value()) for field in fields])
    moved = np.abs(np.diff(counts[:16], axis=0)).sum(axis=1)
    assert (moved > 0).all()
    assert counts[-1] == counts[-2] == [0, 0]


def test_back_to_the_best_always_says_what_it_did(visit):
    tab = visit(lab("climb"))
    box = root(tab, "climb")
    box.get_by_role("button", name="Submit").click()
    box.get_by_role("button", name="Back to the best").click()
    expect(box.locator(".lab-state")).to_contain_text("already")
    box.locator('[data-place="0"]').click()
    assert box.locator(".lab-turned").count() == 1
    box.get_by_role("button", name="Back to the best").click()
    expect(box.locator(".lab-state")).to_contain_text("undone")
    assert box.locator(".lab-turned").count() == 0


def test_the_bag_is_drawn_from_by_keyboard(visit):
    tab = visit(lab("bag"), reduced_motion="reduce")
    state = root(tab, "bag").locator(".lab-state")

    def press(name, said):
        root(tab, "bag").get_by_role("button", name=name).press("Enter")
        expect(state).to_contain_text(said)

    press("Draw a ball", "Ball 1 of 20")
    expect(root(tab, "bag").locator(".lab-said")).to_contain_text("Ball 1 of 20", timeout=SAID_MS)
    samples = labs.Bag(balls=20 * 101).samples
    press("Fill the sample", f"Sample 1: {samples[0]} error")
    press("100 samples", f"{(samples == 0).sum()} of 101 samples hold no red ball")
    tab.locator('[name="errors"]').fill("0")
    expect(state).to_have_text("No ball in this bag is red.")
    press("100 samples", "100 of 100 samples hold no red ball")


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
        ("groups", "", f"{labs.Groups(seed=2).by_group.effective_size:.0f}"),
    ],
)
def test_what_a_button_draws_is_said(name, button, words, visit):
    tab = visit(lab(name), reduced_motion="reduce")
    root(tab, name).get_by_role("button", name=button, exact=bool(button)).press("Enter")
    expect(root(tab, name).locator(".lab-said")).to_contain_text(words, timeout=SAID_MS)


@pytest.mark.parametrize(
    "typed",
    [
        *(("1,000", "95.0"), ("1 000", "95 %"), ("1e3", "95,0"), ("1.000", "95")),
        *(("1000 examples", "95 percent"), ("1,000 Test Examples", "95 per cent")),
    ],
)
def test_numbers_may_be_typed_as_people_type_them(typed, visit):
    tab = visit(lab("claim"))
    for name, text in zip(("cases", "confidence"), typed, strict=True):
        tab.locator(f'[name="{name}"]').fill(text)
    want = bounds.clopper_pearson(7 / 1000, 1000)
    assert outputs(tab, "claim")["upper"] == pytest.approx(want, rel=LEVEL)


WHOLE = "the number of errors must be a whole number"


@pytest.mark.parametrize(
    ("field", "text", "words"),
    [
        ("errors", "201", f"{WHOLE} from 0 to 200"),
        *(("errors", text, WHOLE) for text in ("7.5", "", "seven", "7 thousand examples", "cases")),
        *(("errors", text, "to 200, not a percentage") for text in ("5%", "3.5 %", "0%")),
        ("cases", "10%", "to 10,000,000, not a percentage"),
        ("errors", "1.000", f"{WHOLE} from 0 to 200"),  # "1.000" is read as a thousand
        ("confidence", "0.95", "the confidence must be a number from 50 to 99.9999"),
        ("cases", "0", "the number of test examples must be a whole number from 1 to 10,000,000"),
        ("confidence", "100", "the confidence must be a number from 50 to 99.9999"),
        ("confidence", "95 95", "the confidence must be a number"),
        # in the first field of each lab; ranks has a slider and lists, and no number to type
        *((name, "many", "must be a") for name in NAMES if name != "ranks"),
    ],
)
def test_what_cannot_be_is_said_and_no_result_stands_beside_it(field, text, words, visit):
    name = field if field in NAMES else "claim"
    tab = visit(lab(name))
    box = root(tab, name)
    first = box.locator('input[type="text"]').first
    wrong = first if field in NAMES else box.locator(f'[name="{field}"]')
    result, before = box.locator(".lab-result").first, wrong.input_value()
    expect(result).to_be_visible()
    wrong.fill(text)
    expect(box.locator(".lab-wrong").first).to_contain_text(words)
    expect(box.locator(".lab-said").first).to_contain_text(words, timeout=SAID_MS)
    expect(result).to_be_hidden()
    assert wrong.get_attribute("aria-invalid") == "true"
    assert f"={text}" not in tab.url
    wrong.fill(before)
    expect(result).to_be_visible()
    assert wrong.get_attribute("aria-invalid") is None


@pytest.mark.parametrize(
    ("name", "typed", "offer", "values"),
    [
        ("claim", {"expected": "0.03"}, "Read as 0.03%. Did you mean 3%?", {"expected": "3"}),
        ("claim", {"expected": "0,03", "target": ".05"}, "3% and 5%?", {"target": "5"}),
        ("claim", {"confidence": "0.95"}, "Read as 0.95%. Did you mean 95%?", {"confidence": "95"}),
        ("groups", {"alike": "0.3"}, "Did you mean 30%?", {"alike": "30", "seed": "1"}),
        ("misses", {"error": "0.2"}, "Did you mean 20%?", {"error": "20"}),
        ("claim", {"expected": "0.03%"}, "", {}),  # the unit is typed, too
        ("claim", {"expected": "0.5"}, "", {}),  # 50% is above the claim
        ("claim", {"errors": "0.5"}, "", {}),
    ],
)
def test_a_fraction_where_percent_is_asked_is_asked_back(name, typed, offer, values, visit):
    tab = visit(lab(name))
    box = root(tab, name)
    tab.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    for field, text in typed.items():
        box.locator(f'[name="{field}"]').fill(text)
    fields = box.locator("section, :scope:not(:has(section))").filter(
        has=tab.locator(f'[name="{field}"]')
    )
    line = fields.locator(".lab-meant")
    if not offer:
        expect(line).to_be_hidden()
        return
    expect(line).to_contain_text(offer)
    expect(fields.locator(".lab-said")).to_contain_text(offer, timeout=SAID_MS)
    line.get_by_role("button").press("Enter")
    for field, value in values.items():
        if field in typed:
            expect(box.locator(f'[name="{field}"]')).to_have_value(value)
        assert str(box.evaluate(f"lab => lab.errlabModel.get('{field}')")) == value
    expect(line).to_be_hidden()
    expect(fields.locator(".lab-wrong")).to_be_empty()


def upper_is(tab, errors, cases, delta=0.05):
    want = bounds.clopper_pearson(errors / cases, cases, delta=delta)
    assert outputs(tab, "claim")["upper"] == pytest.approx(want, rel=LEVEL)


def test_the_numbers_live_in_the_address(visit):
    tab = visit(lab("claim"), anchor="#n=500&k=4")
    upper_is(tab, 4, 500)
    tab.locator('[name="errors"]').fill("5")
    tab.wait_for_url("**#n=500&k=5&confidence=95")
    tab.evaluate("location.hash = '#k=9&n=90&confidence=99'")
    upper_is(tab, 9, 90, delta=0.01)


@pytest.mark.parametrize("anchor", ["#k=many", "#k=", "#n=0&k=0", "#a-heading", "#k=7%", "#k=201"])
def test_an_address_that_says_nothing_useful_does_no_harm(visit, anchor):
    tab = visit(lab("claim"), anchor=anchor)
    tab.locator('[name="errors"]').fill("7")
    tab.locator('[name="cases"]').fill("200")
    upper_is(tab, 7, 200)


@pytest.mark.parametrize("anchor", ["method=zzz", "method=__proto__", "drawn=1e9", "seed=.5"])
def test_an_address_with_a_value_that_the_lab_refuses_leaves_it_as_it_was(visit, anchor):
    tab = visit(lab("misses"), anchor=f"#{anchor}&n=60")
    assert tab.locator("select").input_value() == "NOR"
    assert tab.locator('[name="cases"]').input_value() == "60"
    tab.get_by_role("button", name="Draw 1", exact=True).click()
    expect(root(tab, "misses").locator(".lab-count")).to_contain_text("of 1 interval")


def test_what_was_typed_in_one_lab_is_offered_in_the_next(visit):
    tab = visit(lab("claim"), lab("bag"))
    claim, bag = root(tab, "claim"), root(tab, "bag")
    assert tab.locator(".lab-mine").count() == 0
    for name, value in (("cases", "150"), ("errors", "12")):
        claim.locator(f'[name="{name}"]').fill(value)
    reload(tab)
    expect(bag.locator(".lab-mine")).to_contain_text("12 errors, 150 examples")
    bag.get_by_role("button", name="Use them").click()
    expect(bag.locator('[name="errors"]')).to_have_value("12")
    expect(bag.locator('[name="cases"]')).to_have_value("150")
    assert bag.locator(".lab-mine").count() == 0
    bag.locator('[name="errors"]').fill("10")
    reload(tab)
    expect(claim.locator(".lab-mine")).to_contain_text("10 errors")
    claim.get_by_role("button", name="Erase them").click()
    assert tab.evaluate("localStorage.getItem('errlab-numbers')") is None


def test_no_count_is_read_from_a_percentage(visit):
    """Every field of every lab that asks for a whole number."""
    tab = visit(*map(lab, NAMES))
    for name in NAMES:
        box = root(tab, name)
        for field in box.locator('input[type="text"]').all():
            asked = field.get_attribute("name")
            limits = getattr(labs.LABS[name].class_traits().get(asked), "limits", {})
            if "whole" not in limits:
                continue
            before = field.input_value()
            field.evaluate(  # set by script, because the field may be folded
                """(field, text) => { field.value = text;
                field.dispatchEvent(new Event("input", { bubbles: true })); }""",
                f"{limits['low'] + 5}%",
            )
            expect(box.locator(".lab-wrong").first).to_contain_text("not a percentage")
            assert str(box.evaluate(f"lab => lab.errlabModel.get('{asked}')")) == before
            field.evaluate(
                """(field, text) => { field.value = text;
                field.dispatchEvent(new Event("input", { bubbles: true })); }""",
                before,
            )


def test_one_lab_erases_the_offer_of_all(visit):
    tab = visit(lab("claim"), lab("bag"))
    tab.evaluate("localStorage.setItem('errlab-numbers', '{\"errors\": 12, \"cases\": 150}')")
    reload(tab)
    assert tab.locator(".lab-mine").count() == 2
    root(tab, "claim").get_by_role("button", name="Erase them").click()
    assert tab.locator(".lab-mine").count() == 0


JUNK = ["null", "[]", "[1, 2]", "7", '"cases"', "{", "true", '{"cases": null, "errors": "<b>"}']


@pytest.mark.parametrize("junk", JUNK)
def test_whatever_is_stored_no_lab_breaks(junk, visit):
    tab = visit(*map(lab, NAMES))
    tab.evaluate("junk => localStorage.setItem('errlab-numbers', junk)", junk)
    reload(tab)
    assert tab.locator("[data-lab][data-ready]").count() == len(NAMES)
    assert tab.locator(".lab-mine").count() == 0
    tab.locator('[data-lab="claim"] [name="errors"]').fill("5")
    kept = tab.evaluate("JSON.parse(localStorage.getItem('errlab-numbers'))")
    assert kept == {"errors": 5, "cases": 200}


def test_every_control_has_a_name(visit):
    """As a screen reader announces it; the text of an <output> isn't a name."""
    tab = visit(*map(lab, NAMES))
    tab.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    nodes = tab.context.new_cdp_session(tab).send("Accessibility.getFullAXTree")["nodes"]
    roles = {"slider", "textbox", "button", "combobox", "radio", "checkbox", "spinbutton"}
    controls = [node for node in nodes if node.get("role", {}).get("value") in roles]
    assert len(controls) > 40
    names = [node.get("name", {}).get("value", "") for node in controls]
    assert [name for name in names if not any(letter.isalpha() for letter in name)] == []


def test_arrow_keys_count(visit):
    tab = visit(lab("claim"))
    field = tab.locator('[name="errors"]')
    for key in ("ArrowUp", "ArrowUp", "ArrowDown", "Shift+ArrowUp"):
        field.press(key)
    expect(field).to_have_value("18")
    upper_is(tab, 18, 200)


def test_the_sentence_is_copied(visit):
    tab = visit(lab("claim"), permissions=["clipboard-read", "clipboard-write"])
    tab.locator('[name="errors"]').fill("2")
    tab.locator(".lab-copy").press("Enter")
    expect(tab.locator(".lab-copy")).to_have_text("Copied")
    want = " ".join(labs.Claim(errors=2).report.sentences())
    assert tab.evaluate("navigator.clipboard.readText()") == want


# ------------------------------------------------------------------------------------- how it looks


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


SMALL = """() => [...document.querySelectorAll('.errlab-lab svg text')]
  .map(e => [e.textContent, e.getBoundingClientRect().height])
  .filter(([, height]) => height && height < 11)"""


def test_all_that_is_folded_fits_and_axe_finds_no_violation(visit):
    tab = visit(*map(lab, NAMES), reduced_motion="reduce")
    tab.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    for width, scheme in [*VIEWS, (320, "light")]:
        set_view(tab, width, scheme)
        assert violations(tab) == [], (width, scheme)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        assert tab.evaluate(SMALL) == [], "letters of pictures are at least 11 px high"


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
    for stop in range(wanted):
        tab.keyboard.press("Tab")
        assert tab.evaluate("document.activeElement.dataset.stop") == str(stop)
        assert tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none", stop


@pytest.mark.parametrize("lab", labs.LABS.values())
def test_the_line_of_python_follows_what_is_typed(visit, lab):
    tab = visit(lab())
    line = tab.locator(".lab-python code")
    expect(line).to_have_text(lab().code())
    if "confidence" in lab.address:
        tab.locator('[name="confidence"]').first.fill("90")
        expect(line).to_have_text(lab(confidence=90.0).code())
