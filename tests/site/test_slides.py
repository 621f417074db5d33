"""Slides: each fits a projector, has a heading, and a guess keeps its answer until a key."""

import re
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from headless import CHROMIUM  # noqa: E402

import slides  # noqa: E402
from errlab.book import guess  # noqa: E402

CHAPTERS = sorted((ROOT / "notebooks").glob("*.ipynb"))
EXECUTED = [p for p in (ROOT / "_build/executed" / c.name for c in CHAPTERS) if p.exists()]
MEASURE = """() => {
  document.documentElement.classList.add("laying");
  const all = [...document.querySelectorAll(".slides > section")].map(s => ({
    height: s.scrollHeight, width: s.scrollWidth, heading: s.querySelector("h1, h2")?.innerText,
    blocks: s.querySelectorAll(".block").length, text: s.innerText.slice(0, 60),
    zoom: Math.min(1, ...[...s.querySelectorAll(".block, .errlab-picture")]
      .map(b => Number(b.style.zoom) || 1)),
  }));
  document.documentElement.classList.remove("laying");
  return all;
}"""


def notebook(*cells):
    return nbformat.v4.new_notebook(cells=list(cells))


def code(source, tags=(), **data):
    output = nbformat.v4.new_output("execute_result", data=data)
    return nbformat.v4.new_code_cell(source, metadata={"tags": list(tags)}, outputs=[output])


LONG = "One **two** three. " + "Here are many words that say little. " * 9 + "But **this** counts."


def test_a_long_paragraph_goes_to_the_notes():
    (topic,) = slides.topics(notebook(nbformat.v4.new_markdown_cell(f"# A title\n\n{LONG}")))
    assert "many words" not in "".join(topic.blocks)
    assert "counts" in topic.blocks[0]
    assert "many words" in topic.notes[0]


def test_a_plain_result_stands_with_its_code_or_not_at_all():
    title = nbformat.v4.new_markdown_cell("# A title\n\nText.")
    shown = code("1 + 1", **{"text/plain": "2"})
    hidden = code("2 + 2", ["hide-input"], **{"text/plain": "4"})
    (topic,) = slides.topics(notebook(title, shown, hidden))
    assert topic.blocks[1:] == ['<pre>1 + 1</pre><pre class="result">2</pre>']


def test_a_guess_is_a_poll_with_the_answer_behind_a_key():
    asked = guess("Heads or *tails*?", answer="heads", choices={"heads": "It was.", "tails": "No."})
    made = slides.poll(asked.html())
    before, after = made.split('<p class="fragment answer">')
    assert "<li>heads</li><li>tails</li>" in before
    assert "<strong>heads.</strong> It was." in after
    number = guess("How many?", answer="46%", value=0.46, within=0.01)
    assert slides.poll(number.html()).endswith("<strong>46%</strong></p>")


def test_the_notes_of_the_speaker_hold_the_plan_and_the_traps():
    title = nbformat.v4.new_markdown_cell("# A title\n\nText.")
    made = slides.slides(notebook(title), "03_binary_bounds")
    assert re.search(r'class="notes"><ol><li>\d+ min: ', made[0])
    assert "To discuss" in made[-1]
    assert "What students get wrong" in made[-1]


@pytest.fixture(scope="module")
def tab(browser):
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    yield page
    page.close()


def opened(tab, target):
    faults = []
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.goto(target.as_uri())
    tab.wait_for_function("window.errlabSlides && Reveal.isReady()")
    assert faults == []


@pytest.mark.site
@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None or not EXECUTED, reason="needs the book and a Chromium")
@pytest.mark.parametrize("path", EXECUTED, ids=lambda p: p.stem)
def test_every_slide_fits_a_projector(tab, tmp_path, path):
    target = tmp_path / "slides" / f"{path.stem}.html"
    assert slides.write(path, target) >= 5
    opened(tab, target)
    made = tab.evaluate(MEASURE)
    assert len(made) >= 10
    assert [s for s in made if s["height"] > 721 or s["width"] > 1281] == []
    assert [s for s in made if not s["heading"] or not s["blocks"]] == []
    assert [s for s in made if s["zoom"] < 0.45] == [], "too small to be read"


@pytest.mark.site
@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="needs a Chromium")
def test_keys_move_and_an_answer_waits(tab, tmp_path):
    asked = guess("Heads or tails?", answer="heads", choices={"heads": "It was.", "tails": "No."})
    table = "| a | b |\n| --- | --- |\n" + "\n".join(f"| {i} | x |" for i in range(60))
    source = tmp_path / "03_binary_bounds.ipynb"
    cells = [
        nbformat.v4.new_markdown_cell("# One\n\nText."),
        nbformat.v4.new_markdown_cell("## Two"),
        code("x", ["hide-input"], **{"text/html": asked.html()}),
        nbformat.v4.new_markdown_cell(f"## Three\n\n{table}"),
    ]
    nbformat.write(notebook(*cells), source)
    target = tmp_path / "slides.html"
    slides.write(source, target)
    opened(tab, target)
    told = tab.locator(".answer")
    tab.keyboard.press("ArrowRight")
    assert not told.is_visible()
    tab.keyboard.press("ArrowRight")
    told.wait_for(state="visible")
    assert tab.evaluate("Reveal.getIndices().h") == 1
    made = tab.evaluate(MEASURE)
    three = [s for s in made if s["heading"] == "Three"]
    assert len(three) >= 2, "the table goes on"
    rows = tab.evaluate("document.querySelectorAll('.slides tbody tr').length")
    assert rows == 60
    heads = tab.evaluate("document.querySelectorAll('.slides thead tr').length")
    assert heads == len(three)
    assert tab.locator(".slide-number").inner_text().replace(" ", "").startswith("2/")
