"""The story on the front page: each step's picture and numbers, with and without scripts."""

import json
import re

import numpy as np
import pytest
from browser import ROOT, probe
from labs_in_browser import lab
from marks import nightly
from PIL import Image
from tables import sections

import errlab_site
import errlab_story

PAGE = "book/intro.html"
SOURCE = (ROOT / "book" / "intro.md").read_text(encoding="utf-8")
SCENE = re.compile(
    r"^::::\{scene\} (\w+)\n:state: (.*?)\n(?::still: (\d))?(.*?)^::::$", re.MULTILINE | re.DOTALL
)
STEP = re.compile(r":::\{scene-step\} ([^\n]*)\n(.*?)\n:::\n", re.DOTALL)
COUNTS = r"\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|hundred|thousand)\b"
MOST_WORDS = 1200
# everything above it fits on the first screen: tests/book/test_front_page.py
START = "What happened to the winner?"
NOW = "step => step.classList.contains('errlab-now')"

pytestmark = pytest.mark.site


def scenes():
    """Each scene of the source: its lab, which step is a picture if no script runs, its steps.

    A step is the state of the lab, and words.
    """
    for name, base, still, body in SCENE.findall(SOURCE):
        steps = [({**json.loads(base), **json.loads(s)}, words) for s, words in STEP.findall(body)]
        for state, _ in steps:
            state.pop("play", None)
        yield name, lab(name, **steps[int(still or 0)][0]), steps


SCENES = list(scenes())


def test_no_number_of_the_story_is_typed():
    """All digits come from a scene's lab; counts aren't written in words."""
    names = [name for name, _, _ in SCENES]
    assert names == ["winner", "climb", "claim", "misses", "pair", "groups", "ranks"]
    text = SOURCE.partition("\n# ")[2]
    # tests/book/test_front_page.py compares a command with what it prints
    text = re.sub(r"^```.*?^```|^> .*?$", "", text, flags=re.MULTILINE | re.DOTALL)
    plain = re.sub(
        r"^:st(?:ate|ill):.*$|^:::\{scene-step\}.*$|\]\([^)]*\)|\{[^}]*\}",
        "",
        text,
        flags=re.MULTILINE,
    )
    assert re.findall(r"\d", plain) == []
    counts = [word for word in re.findall(COUNTS, plain.lower()) if word != "two"]
    assert counts == ["ten", "three"]  # "ten minutes" and "three doors"


def test_what_the_words_say_of_each_state_is_so():
    states = [(*title.split(": "), lines) for title, lines in sections("story.txt")]
    made = {name: [lab(name, **state) for state, _ in steps] for name, _, steps in SCENES}
    assert [*made] == [name for name, *_ in states]
    for name, words, lines in states:
        names = {"np": np, **dict(zip(words.split(", "), made[name], strict=True))}
        for line in lines:
            assert eval(line, names), line


def test_scrolling_or_the_keyboard_alone_set_what_the_words_say(visit, site):
    tab = visit(site / PAGE)
    steps = tab.locator(".errlab-step").all()
    assert len(steps) == sum(len(steps) for *_, steps in SCENES)
    for step in [*steps, steps[0]]:  # and back to the first step
        step.evaluate(probe("read"))
        tab.wait_for_function(probe("state"), arg=step.element_handle())
    for step in steps:
        step.get_by_role("button").focus()
        assert tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
        tab.keyboard.press("Enter")
        tab.wait_for_function(probe("state"), arg=step.element_handle())


SIZES = [(390, 844), (1280, 900), (412, 915), (360, 640), (768, 1024)]


@pytest.mark.parametrize(("width", "height"), nightly(SIZES, *SIZES[2:]), ids=str)
def test_the_picture_is_in_sight_while_its_words_are_read(width, height, visit, site):
    tab = visit(site / PAGE)
    tab.set_viewport_size({"width": width, "height": height})
    for step in tab.locator(".errlab-step").all():
        step.evaluate(probe("centre"))
        tab.wait_for_function(NOW, arg=step.element_handle())
        in_sight, room, letters = step.evaluate(probe("sight"))
        assert in_sight > 0.7, step.inner_text()
        if width < 768:
            assert room < 0.46
            assert letters > 12, "of 11 pixels, with what stands above and below the line"


def in_order(tab):
    """Whether the page tells the whole story in the order of its source."""
    text = tab.locator("article").inner_text().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    place = -1
    for _, words in [step for *_, steps in SCENES for step in steps]:
        place = text.index(re.split(r"[{*]", words)[0].split("\n")[0], place + 1)
    return "Our model is 96.5% accurate." in text


def test_without_scripts_it_is_the_same_story_in_order_and_short(visit, site):
    tab = visit(site / PAGE, java_script_enabled=False)
    assert in_order(tab)
    for name, still, _ in SCENES:  # shown in place of the lab
        assert still.sentences()[0] in tab.locator(f'[data-lab="{name}"]').inner_text()
    assert tab.locator(".errlab-step button").count() == 0
    tab.evaluate(
        "document.querySelectorAll('[data-lab], .headerlink').forEach(e => { e.remove(); })"
    )
    _, start, story = tab.locator("article").inner_text().partition(START)
    assert start
    assert len(story.split()) <= MOST_WORDS


def test_without_motion_it_is_the_same_story_in_order(visit, site):
    """That it stands still and prints whole is in readers.txt."""
    assert in_order(visit(site / PAGE, reduced_motion="reduce"))


def test_the_stills_show_what_is_told():
    """Compare the numbers in their titles, which are next to the text if no script runs."""
    made = {name: still for name, still, _ in SCENES}
    drawn = {name: draw(made[name]) for name, draw in errlab_story.DRAWN.items()}
    titles = {name: " ".join(ax.get_title(loc="left").split()) for name, ax in drawn.items()}
    assert f"{made['winner'].shown[-1]:.1%}" in titles["winner"]
    assert titles["misses"] == f"{made['misses'].misses} of {made['misses'].drawn} intervals miss"
    assert titles["climb"].startswith(f"After {len(made['climb'].released)} submissions")
    assert titles["groups"].endswith(f"{made['groups'].by_group.effective_size:.0f}")


def test_a_link_to_the_book_has_a_picture(tmp_path):
    errlab_site.draw_card(tmp_path / "story.png")
    with Image.open(tmp_path / "story.png") as card:
        assert card.width >= 1200
        assert card.width / card.height == pytest.approx(1200 / 630, rel=0.15)
