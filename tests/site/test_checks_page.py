"""Exercises, quizzes, guesses and progress in a real browser, on a page opened from a file."""

import functools
import re

import numpy as np
import pytest
from browser import CHAPTERS, ROOT, VIEWS, reload, set_view, violations
from playwright.sync_api import expect

from errlab_book import exercises, guess, quiz

KEYS = list(exercises.EXERCISES)
# Answers of all kinds; the page must say about each what Python says.
TYPED = ["0", "1", "0,5", "7/200", "12%", "250 %", "-0.1", "2e-2", "1,000", "x", "1/0", "%"]
TYPED += ["1-0.05^0.01", "-2**2", "2^3^2/(1+1)", "(1", "2(3)", "1/(2-2)", "(0-8)^.5", "1,000/2,0"]
TYPED += [
    "~0.03",
    "= 0.03",
    "about 3 percent",
    "3 per cent",
    "299 examples",
    "~299 examples.",
    "n=8",
]
TYPED += ["3 thousand examples", "0.03 ca.", "\u22483\xa0%"]
TYPED += ["sqrt(6)", "2*NP.sqrt(3/2)", "\u221a6", "\u221a(2\u00d73)", "sqrt 6", "sqrt(-1)"]
TYPED += [
    "2sqrt(6)",
    "sqrt(**2)",
    "((0-8)^.5)^0",
    "1/1e999",
    "sqrt(0,04)%",
    "sqrt()",
    "exp(1)",
    "12\u00f74",
]

pytestmark = pytest.mark.site


@functools.cache
def field(key):
    return exercises.EXERCISES[key].html()


def fields(keys=KEYS):
    return [field(key) for key in keys]


# Type each answer and press the button; return the texts of the live region.
ANSWER = """tries => tries.map(([id, values]) => {
  const form = document.getElementById(id);
  if (form.querySelector('[type=radio]')) {
    const found = [...form.querySelectorAll('[type=radio]')].find(e => e.value === values[0]);
    found.checked = true;
  } else form.querySelectorAll('[type=text]').forEach((e, i) => { e.value = values[i]; });
  const box = form.querySelector('[aria-live]');
  box.textContent = '';
  form.querySelector('button').click();
  return box.textContent;
})"""


def all_said(tab, tries):
    """Return what the page says to each of these answers, ``(key, values)``."""
    return tab.evaluate(
        ANSWER, [[f"check-{k.replace('.', '-')}", [str(v) for v in values]] for k, values in tries]
    )


def said(tab, key, values):
    return all_said(tab, [(key, values)])[0]


def attempts(key, rng):
    """Answers to type: right ones, known mistakes, percentages, near misses, and all kinds."""
    entry = exercises.EXERCISES[key]
    if entry.asks == "choice":
        return [[choice] for choice in entry.choices]
    right = np.atleast_1d(entry.answer()).astype(float)
    numbers = [right, 100 * right, 1 - right, right + 1, -right]
    numbers += [np.broadcast_to(np.asarray(v), len(right)) for v in entry.wrong.values()]
    numbers += [right + entry.tolerance * away for away in (*rng.uniform(-2, 2, 6), 40)]
    typed = [[repr(float(v)) for v in values] for values in numbers]
    percent = [f"{100 * v!r}%" for v in right.tolist()]
    return [*typed, percent, *([text] * len(right) for text in TYPED)]


def test_the_page_says_what_python_says(visit):
    rng = np.random.default_rng(3)
    tries = [(key, values) for key in KEYS for values in attempts(key, rng)]
    for (key, values), got in zip(tries, all_said(visit(*fields()), tries), strict=True):
        entry = exercises.EXERCISES[key]
        python = exercises.check(key, values if entry.parts else values[0])
        assert got.startswith("\u2713" if python.right else "\u2717"), (key, values)
        message = python.message.lower().removeprefix("not yet. ")
        if not message.endswith(entry.hints[0].lower()):  # the hint is beside the field
            assert got[2:].lower() == message, (key, values)


def test_by_keyboard_and_aloud(visit):
    tab = visit(*fields(["3.1", "3.3"]))
    field = tab.get_by_label("Your answer to 3.1")
    field.focus()
    tab.keyboard.press("Enter")
    expect(tab.locator("#check-3-1 [aria-live]")).to_have_text("No answer yet.")
    tab.keyboard.type("3.62 %")
    tab.keyboard.press("Enter")
    expect(tab.locator("#check-3-1 [aria-live]")).to_contain_text("two-sided")
    assert field.get_attribute("aria-invalid") == "true"
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.textContent") == "Check answer 3.1"
    for name in ("Hint", "Second hint"):
        tab.keyboard.press("Tab")
        assert tab.evaluate("document.activeElement.textContent") == name
        tab.keyboard.press("Enter")
    assert tab.locator("#check-3-1 details p").all_inner_texts() == list(
        exercises.EXERCISES["3.1"].hints
    )
    tab.keyboard.press("Tab")
    tab.keyboard.press("Space")
    tab.keyboard.press("ArrowDown")
    assert tab.locator("#check-3-3 [aria-live]").inner_text() == "", "moving answers nothing"


def test_without_scripts_there_are_hints_and_no_field(visit):
    tab = visit(*fields(["3.1"]), java_script_enabled=False)
    assert not tab.locator("input").is_visible()
    tab.locator("summary").first.click()
    assert tab.locator("#check-3-1 details p").first.is_visible()


def test_it_works_where_nothing_may_be_kept(visit):
    tab = visit(*fields(["3.1"]))
    tab.evaluate("Object.defineProperty(window, 'localStorage', {get() { throw new Error(); }})")
    assert said(tab, "3.1", ["2.95%"]) == "\u2713 Right."


def test_axe_and_width(visit):
    rest = [COIN, SHARE, load("review3")]
    tab = visit(*fields(["3.1", "3.3", "1.2", "13.4", "1.4"]), *rest)
    said(tab, "3.1", ["0.4"])
    said(tab, "1.2", ["50%", "35%"])
    for folded in tab.locator("summary").all():
        folded.click()
    for width, scheme in VIEWS:
        set_view(tab, width, scheme)
        assert violations(tab) == []
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def load(name):
    return quiz.load(ROOT / "book" / "quizzes" / f"{name}.toml")


COIN = guess("Heads?", answer="yes", choices={"yes": "So it was.", "no": "It was heads."})
SHARE = guess("Which share?", answer="46%", value=0.46, within=0.02)


def explained(*guesses):
    cell = "".join(g.html() for g in guesses)
    return (
        f'<div class="cell">{cell}<div class="errlab-explorer">Explorer</div></div>'
        '<div class="cell" id="why"><p>The explanation.</p></div>'
    )


def test_the_explanation_opens_after_the_guess(visit):
    tab = visit(explained(COIN))
    why, box = tab.locator("#why"), tab.locator(".errlab-guess [aria-live]")
    assert not why.is_visible()
    tab.get_by_role("button", name="Guess").click()
    assert box.inner_text() == "No answer yet."
    assert not why.is_visible()
    tab.get_by_label("no").focus()
    tab.keyboard.press("Space")
    tab.keyboard.press("Enter")
    assert why.is_visible()
    assert box.inner_text() == "\u2717 You guessed: no. It was heads."
    reload(tab)
    assert why.is_visible(), "what was guessed stays"


@pytest.mark.parametrize(
    ("more", "folds"),
    [
        ('<details class="errlab-data"><summary>Data</summary></details>', True),
        ("<details><summary>Evidence and conditions</summary></details>", True),
        ("<form><p>What asks stands by itself.</p></form>", False),
    ],
)
def test_a_figure_or_report_is_folded_with_its_explanation_and_what_asks_is_not(more, folds, visit):
    tab = visit(explained(COIN).replace("explanation.</p>", f"explanation.</p>{more}"))
    assert tab.locator("#why").is_visible() != folds


def test_a_formula_and_the_rest_of_its_sentence_are_folded_with_what_leads_to_them(visit):
    rest = '<div class="math">x</div><p id="rest">where x is known.</p><p id="next">Then on.</p>'
    tab = visit(explained(COIN) + rest)
    for name in ("#why", "div.math", "#rest"):
        assert not tab.locator(name).is_visible()
    assert tab.locator("#next").is_visible()


def test_a_guess_folds_as_many_blocks_as_it_says(visit):
    told = guess("Tails?", answer="no", choices={"yes": "It was heads.", "no": "Yes."}, folds=3)
    picture = '<div class="cell" id="drawn"><details><summary>move</summary></details></div>'
    tab = visit(explained(told) + f'<p id="more">More.</p>{picture}<p id="next">Next.</p>')
    assert tab.locator("#next").is_visible()
    for name in ("why", "more", "drawn"):
        assert not tab.locator(f"#{name}").is_visible()
    tab.get_by_role("button", name="Show anyway").click()
    assert tab.locator("#drawn").is_visible()


def test_a_guess_of_a_case_folds_all_that_follows_over_headings(visit):
    told = guess("Tails?", answer="no", choices={"yes": "It was heads.", "no": "Yes."}, folds=99)
    rest = '<section id="said"><h2>What could have been said</h2><p>Heads.</p></section>'
    tab = visit(explained(told) + rest)
    assert not tab.locator("#why").is_visible()
    assert not tab.locator("#said").is_visible()
    tab.get_by_role("button", name="Show anyway").click()
    assert tab.locator("#said").is_visible()


# The number of blocks that are folded after a guess, and the number that it announces.
FOLDED = """() => [...document.querySelectorAll('div.cell:has(form.errlab-guess)')].map(cell => {
  const guesses = [...cell.querySelectorAll('form.errlab-guess')];
  let n = 0, next = cell.nextElementSibling;
  for (; next?.classList.contains('errlab-folded'); next = next.nextElementSibling) n++;
  const asks = !n && !!next?.querySelector('form');
  return [guesses[0].textContent.slice(0, 60), n, Math.max(...guesses.map(g => g.dataset.folds)),
          asks];
})"""


@pytest.mark.parametrize("page", CHAPTERS)
def test_each_guess_of_a_chapter_folds_its_blocks(page, visit, site):
    tab = visit(site / page)
    found = tab.evaluate(FOLDED)
    assert found
    wrong = [f for f in found if f[1] < int(f[2]) and not f[3]]
    assert wrong == []


def test_numbers_are_compared_and_words_unveiled_as_python_says(visit):
    rng = np.random.default_rng(0)
    asked = ((0.462, 0.02), (27.0, 3.0), (-1.5, 0.25))
    told = [guess("How much?", answer=f"≈ {v:g}", value=v, within=w) for v, w in asked]
    tab = visit(*told)
    for place, (value, within) in enumerate(asked):
        field = tab.get_by_label("Your guess").nth(place)
        box = tab.locator(".errlab-guess [aria-live]").nth(place)
        for typed in [value, value + 0.9 * within, value - 1.6 * within, *rng.normal(value, 1, 3)]:
            field.fill(f"{typed:.6f}")
            field.press("Enter")
            near = abs(typed - value) <= within
            expect(box).to_have_text(
                f"{'✓' if near else '✗'} You guessed {typed:.6f}; it is ≈ {value:g}."
            )


def test_on_paper_and_without_scripts_the_explanation_is_open(visit):
    tab = visit(explained(COIN))
    tab.emulate_media(media="print")
    assert tab.locator("#why").is_visible()
    tab = visit(explained(COIN), java_script_enabled=False)
    assert tab.locator("#why").is_visible()
    assert not tab.get_by_role("button", name="Guess").is_visible()


PROGRESS = """<nav class="bd-links"><a class="reference" href="01_answers.html">One</a>
<a class="reference" href="02_other.html">Two</a></nav>
<section class="errlab-progress" id="errlab-progress" aria-label="Your answers so far" hidden>
<p>Kept here.</p><ul></ul><p><button type="button">Erase my answers</button>
<span aria-live="polite"></span></p></section>"""


def test_progress_is_kept_shown_and_erased(visit):
    script = (ROOT / "book" / "_static" / "progress.js").read_text(encoding="utf-8")
    tab = visit(PROGRESS, *fields(["3.1", "16.4"]), COIN, f"<script>{script}</script>")
    box = tab.locator("#errlab-progress")
    assert not box.is_visible()
    said(tab, "3.1", ["3.62%"])
    assert "0/3" in tab.locator("nav a").first.inner_text()
    said(tab, "3.1", ["2.95%"])
    said(tab, "16.4", ["150"])
    reload(tab)
    assert "1/3" in tab.locator("nav a").first.inner_text()
    assert "/" not in tab.locator("nav a").nth(1).inner_text()
    assert box.locator("li").inner_text() == "One: 1 of 3 done, 1 tried"
    assert tab.locator("#check-3-1").get_attribute("data-done") == "right"
    said(tab, "3.1", ["0.5"])
    assert "1/3" in tab.locator("nav a").first.inner_text(), "right once is right"
    tab.get_by_role("button", name="Erase my answers").click()
    assert box.locator("[aria-live]").inner_text().startswith("Erased.")
    assert tab.evaluate("localStorage.length") == 0
    assert tab.locator("[data-done]").count() == 0
    assert tab.locator("nav a").first.inner_text() == "One"


def test_counts_alone_can_be_erased_as_well(visit):
    script = (ROOT / "book" / "_static" / "progress.js").read_text(encoding="utf-8")
    tab = visit(PROGRESS, f"<script>{script}</script>")
    tab.evaluate("localStorage.setItem('errlab-numbers', '{\"errors\": 12}')")
    reload(tab)
    box = tab.locator("#errlab-progress")
    assert "Counts that you typed" in box.locator("li").inner_text()
    box.get_by_role("button").click()
    assert tab.evaluate("localStorage.length") == 0
    assert box.locator("li").count() == 0


JUNK = ["null", "[]", "7", '"a"', "{", '{"01_answers": null}', '{"01_answers": {"of": 3}}']
JUNK += ['{"01_answers": {"answers": "x", "of": 3}}', '{"01_answers": {"answers": {"3.1": 7}}}']


@pytest.mark.parametrize("junk", JUNK)
def test_whatever_is_stored_no_page_breaks(junk, visit):
    script = (ROOT / "book" / "_static" / "progress.js").read_text(encoding="utf-8")
    tab = visit(PROGRESS, *fields(["3.1"]), COIN, f"<script>{script}</script>")
    tab.evaluate(
        """junk => ["errlab", "errlab-numbers"].forEach(key => localStorage.setItem(key, junk))""",
        junk,
    )
    reload(tab)
    assert not tab.locator("#errlab-progress li").count()
    said(tab, "3.1", ["2.95%"])
    assert tab.locator("#errlab-progress li").inner_text() == "One: 1 of 2 done"


def test_the_built_chapters_hold_the_fields(site):
    """Every exercise of the chapters in the book."""
    texts = {page[10:12]: (site / page).read_text("utf-8") for page in CHAPTERS}
    there = set(re.findall(r'<form class="errlab-check"[^>]*data-answer="([\d.]+)"', str(texts)))
    assert there == {key for key in KEYS if f"{key.split('.')[0]:0>2}" in texts}
