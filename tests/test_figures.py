"""The record of a figure, what is shown where, explorers, tables, quizzes and exercises."""

import base64
import gzip
import html
import json
import re

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

from errlab._style import DASHES, MARKERS, PALETTE, look
from errlab.book import figures, quiz, tables, widgets
from errlab.book.figures._svg import svg
from errlab.book.plots._style import bound_look

mpl.use("agg")


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def curve(scale=1.0, label="CP"):
    _, ax = plt.subplots()
    ax.plot(np.arange(1, 50), scale / np.arange(1, 50), label=label)
    ax.set(xlabel="n", ylabel="bound", title="A curve")
    ax.legend()
    return ax


def test_record_is_the_same_for_the_same_figure():
    assert figures.record(curve()) == figures.record(curve())


def test_record_ignores_the_last_bits():
    assert figures.record(curve(1 + 1e-13)) == figures.record(curve())


@pytest.mark.parametrize("scale", [1.001, 0.999, 1.01])
def test_record_sees_one_part_in_a_thousand(scale):
    assert figures.record(curve(scale)) != figures.record(curve())


def test_record_sees_one_moved_point():
    ax = curve()
    before = figures.record(ax)
    x, y = ax.lines[0].get_data()
    y = y.copy()
    y[20] += 0.002  # of a curve that goes to 1
    ax.lines[0].set_data(x, y)
    assert figures.record(ax) != before


def test_record_sees_gaps():
    ax = curve()
    before = figures.record(ax)
    y = ax.lines[0].get_ydata().astype(float)
    y[5] = np.nan
    ax.lines[0].set_ydata(y)
    assert figures.record(ax) != before


@pytest.mark.parametrize(
    "draw",
    [
        lambda ax, s: ax.bar([1, 2], [s, 2]),
        lambda ax, s: ax.scatter([1, 2], [s, 2]),
        lambda ax, s: ax.fill_between([1, 2], [0, 0], [s, 2]),
        lambda ax, s: ax.errorbar([1, 2], [1, 2], yerr=[s, 0.1]),
        lambda ax, s: ax.imshow([[s, 2.0]]),
        lambda ax, s: ax.text(s, 0, "here"),
        lambda ax, s: ax.annotate("here", (s, 0)),
        lambda ax, s: ax.axvline(s),
        lambda ax, s: ax.stairs([s, 2]),
        lambda ax, s: ax.set_xlim(0, s),
    ],
)
def test_record_covers_every_kind_of_artist(draw):
    texts = []
    for scale in (1.0, 1.001):
        _, ax = plt.subplots()
        draw(ax, scale)
        texts.append(figures.record(ax))
    assert texts[0] != texts[1]


def test_record_needs_a_figure():
    with pytest.raises(TypeError, match="Figure or Axes"):
        figures.record("a figure")


@pytest.mark.parametrize("alt", ["", "   ", None])
def test_show_demands_a_description(alt):
    with pytest.raises(ValueError, match="alt"):
        figures.show(curve(), "caption", alt=alt)


def test_mode_is_checked(monkeypatch):
    monkeypatch.setenv("ERRLAB_OUTPUT", "loud")
    with pytest.raises(ValueError, match="ERRLAB_OUTPUT must be one of live, book, record"):
        figures.mode()


def test_html_escapes_and_describes():
    page = figures.show(curve(), "a < b", alt='a "curve" & more').html()
    assert "a &lt; b" in page
    assert 'aria-label="a &quot;curve&quot; &amp; more"' in page
    assert html.escape(figures.record(curve())) in page


def test_numbers_in_the_words_of_a_picture_keep_their_decimals():
    _, ax = plt.subplots()
    ax.plot([0.12345, 1])
    ax.set_title("from 0.201 to 0.3005")
    picture = svg(ax.figure)
    assert "from 0.201 to 0.3005" in picture
    assert not re.search(r'd="[^"]*\d\.\d{3}', picture)


def test_svg_is_small_deterministic_and_has_real_text():
    first, second = svg(curve().figure), svg(curve().figure)
    assert first == second
    assert ">bound</text>" in first
    assert "<metadata" not in first
    assert "#000000" not in first
    assert len(first) < 20_000
    used = set(re.findall(r'#([\w-]+)[")]', first))
    assert set(re.findall(r' id="([^"]+)"', first)) <= used


def draw(n, kind="a"):
    _, ax = plt.subplots()
    ax.plot([0, n], [0, 1], label=kind)
    return ax


def test_explorer_lists_each_frame_with_its_checksum():
    lines = repr(widgets.explore(draw, n=[1, 2], kind=["a", "b"])).splitlines()
    assert len(lines) == 5
    assert len({line[-9:] for line in lines[1:]}) == 4


def test_explorer_html_holds_every_frame():
    page = widgets.explore(draw, n=[1, 2, 3], kind=["a", "b"], start={"n": 2}).html()
    packed = re.search(r'type="application/gzip">([^<]+)<', page).group(1)
    frames = json.loads(gzip.decompress(base64.b64decode(packed)))
    assert len(frames["svg"]) == len(set(frames["record"])) == 6
    assert frames["alt"][2] == "n 2, kind a"
    assert frames["svg"][2] in page, "the page starts at the frame asked for"
    assert page.count('type="range"') == 1
    assert page.count('type="radio"') == 2
    assert len(re.findall(r"<label", page)) == 3


def test_explorer_is_a_widget_with_a_kernel():
    box = widgets.explore(draw, n=[1, 2], kind=["a", "b"], caption="c").widget()
    kinds = [type(child).__name__ for child in box.children]
    assert kinds == ["SelectionSlider", "ToggleButtons", "Output", "HTML"]


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({}, ValueError, "at least one parameter"),
        ({"n": []}, ValueError, "n must have at least one value"),
        ({"n": "abc"}, TypeError, "n must be a list"),
        ({"n": 3}, TypeError, "n must be a list"),
        ({"n": list(range(500))}, ValueError, "at most 400 frames"),
        ({"n": [1], "start": {"n": 2}}, ValueError, "start"),
        ({"n": [1], "start": {"m": 1}}, ValueError, "start"),
        ({"n": [1], "labels": {"m": "x"}}, ValueError, "labels"),
    ],
)
def test_explorer_bad_input(arguments, error, words):
    with pytest.raises(error, match=words):
        widgets.explore(draw, **arguments)


def test_explorer_needs_a_function():
    with pytest.raises(TypeError, match="draw must be a function"):
        widgets.explore("draw", n=[1])


def test_looks_differ_in_more_than_colour():
    signs = [(look(i)["linestyle"], look(i)["marker"]) for i in range(20)]
    assert len(set(signs)) == 20
    assert len(PALETTE) == len(MARKERS) == 10
    assert len(DASHES) == 7
    assert bound_look("NOR") != bound_look("WIL")


def luminance(colour):
    channels = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return float(np.dot([0.2126, 0.7152, 0.0722], channels))


@pytest.mark.parametrize("colour", PALETTE)
def test_palette_stands_out_on_white(colour):
    ratio = 1.05 / (luminance(mpl.colors.to_rgb(colour)) + 0.05)
    assert ratio >= 3  # WCAG 2.2, 1.4.11: graphical objects


def test_table_as_text_and_html():
    table = tables.table([{"a": "x<y", "b": 0.123456}], caption="Numbers", formats={"b": ".1%"})
    assert repr(table).splitlines() == ["Numbers", "a    b", "---  -----", "x<y  12.3%"]
    page = table._repr_html_()
    assert '<th scope="row">x&lt;y</th>' in page
    assert "<caption>Numbers</caption>" in page


@pytest.mark.parametrize("rows", [[], [(1, 2), (1,)]])
def test_table_bad_input(rows):
    with pytest.raises(ValueError, match="row"):
        tables.table(rows, columns=("a", "b"))


GOOD = '[[question]]\ntext="Q"\n[[question.choice]]\ntext="yes"\nright=true\nwhy="so"\n'


def test_quiz_shows_and_lists(tmp_path):
    path = tmp_path / "q.toml"
    path.write_text(GOOD + '[[question.choice]]\ntext="no"\nwhy="not so"\n')
    loaded = quiz.load(path)
    assert repr(loaded).splitlines() == ["Quiz q", "1. Q", "   (x) yes", "   ( ) no"]
    assert loaded.html().count("radio") == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "at least one"),
        (GOOD.replace("right=true\n", ""), "one right choice, got 0"),
        (GOOD + '[[question.choice]]\ntext="no"\nwhy="w"\nright=true\n', "got 2"),
        (GOOD.replace('why="so"\n', ""), "lacks a part"),
    ],
)
def test_quiz_bad_input(tmp_path, text, words):
    path = tmp_path / "q.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=words):
        quiz.load(path)
