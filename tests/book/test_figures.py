"""The record of a figure, the output in each mode, explorers, tables and quizzes."""

import re

import ipywidgets
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from ipywidgets.widgets.interaction import interactive
from matplotlib.figure import Figure
from tables import ROOT, sections

from errlab.style import PALETTE, look
from errlab_book import explore, figures, quiz, tables, widgets
from errlab_book.controls import control
from errlab_book.figures import record
from errlab_book.figures._drawn import _OFF_THE_EDGE, _two_decimals, svg
from errlab_book.plots import bounds as plots
from errlab_book.plots._shared import bound_look

mpl.use("agg")


def curve(*values, label="CP", scale="linear"):
    ax = Figure(figsize=(3, 2)).subplots()
    ax.plot(np.arange(1, 50), 1 / np.arange(1, 50), label=label)
    ax.plot(values)
    ax.set(xlabel="n", ylabel="bound", title="A curve", yscale=scale)
    ax.legend()
    return ax


@pytest.mark.slow
def test_record_ignores_the_last_bits_and_sees_a_small_value_on_a_logarithmic_axis():
    small, nearly, larger = (
        figures.record(curve(1, value, scale="log"))
        for value in (1e-9, 1e-9 * (1 + 1e-12), 1.01e-9)
    )
    assert small == nearly != larger
    assert "y 1 to 1e-09 in 1e-09..1" in small
    assert "(log) 0 to" not in small
    assert len({figures.record(curve(1, value)) for value in (0.0, -5.6e-17, 3e-15)}) == 1


def test_a_group_of_bars_without_bars_has_a_record():
    ax = Figure(figsize=(3, 3)).subplots()
    ax.bar([], [], color="k")
    assert "bars (): 0 points" in figures.record(ax)


def test_no_value_of_six_decimals_stands_on_an_edge_of_rounding():
    # a record that depends on the last bit would differ between machines
    millionths = np.arange(0, 1_000_000, dtype=np.int64)
    places = (millionths * 100 % 1_000_000) / 1e6 + _OFF_THE_EDGE
    assert np.abs(places - np.round(places)).min() > 1e-6
    for value in [*np.arange(-80, 80) / 8, *np.arange(-500, 500) / 200]:
        texts = (f"{value + noise:.6f}" for noise in (-1e-6, 0, 1e-6))
        (rounded,) = {_two_decimals(re.match(".*", text)) for text in texts}
        assert abs(float(rounded) - value) < 0.006


def test_html_escapes_and_describes():
    page = figures.show(curve(), "a < b", alt='a "curve" & more').html()
    assert "a &lt; b" in page
    assert 'aria-label="a &quot;curve&quot; &amp; more"' in page
    assert "\nCP,1,1\n" in page
    assert "\nCP,49,0.020408</pre>" in page


def test_a_page_keeps_no_link_of_an_artist():
    ax = curve()
    for artist in (ax.lines[0], ax.get_legend().get_texts()[0]):
        artist.set_url("javascript:alert(1)")
    ax.lines[0].set_gid('g" onclick="alert(1)')
    picture = svg(ax.figure)
    assert not re.search("alert|</?a[ >]", picture)
    assert picture == svg(curve().figure)


def draw(n, kind="a"):
    ax = Figure(figsize=(3, 2)).subplots()
    ax.plot([0, n], [0, 1], label=kind)
    return ax


def words_only(n, kind):
    """Draw a figure without axes, which takes little time."""
    figure = Figure(figsize=(1, 1))
    figure.text(0, 0, f"{n} {kind}")
    return figure


@pytest.mark.slow
def test_an_explorer_has_a_checksum_for_each_frame_and_keeps_what_they_show_to_itself():
    explorer = widgets.explore(
        words_only, n=[1, 2], kind=list("abcdefghijk"), alt=lambda n, kind: f"it is {n}!"
    )
    words = repr(explorer)
    lines = dict(re.findall(r"^  from n (\d, kind .): (.+)", words, re.MULTILINE))
    assert words.startswith("Explorer of words_only: 22 frames\n  n: 1, 2\n  kind: a, ")
    assert list(lines) == ["1, kind a", "1, kind k", "2, kind a", "2, kind k"]
    sums = " ".join(lines.values()).split()
    assert len(set(sums)) == 22
    for place, at in ((0, (1, "a")), (21, (2, "k")), (13, (2, "c"))):
        record = explorer.frame(*at).record
        assert sums[place] == figures.checksum(record)[:6]
    assert record.startswith("n 2, kind c: it is 2!\nFigure, ")
    assert "it is" not in words


@pytest.mark.slow
def test_a_failing_cell_says_which_frame_is_not_as_it_is_stored_and_what_in_it(
    pytestconfig, monkeypatch
):
    stored = []
    changed_frames = pytestconfig.pluginmanager.get_plugin(str(ROOT / "conftest.py")).changed_frames
    monkeypatch.setenv("ERRLAB_OUTPUT", "record")
    monkeypatch.setattr(widgets, "store", lambda words, *_, errlab: stored.append((words, errlab)))
    for kind in ("bound", "limit"):
        explorer = widgets.explore(
            lambda n, delta, kind=kind: draw(n, f"{kind} {delta}"),
            n=[10, 50],
            delta=[0.05, 0.1],
            alt=lambda n, delta: f"{n}!",
        )
        explorer._ipython_display_()
    (_, before), (words, after) = stored
    assert words == repr(explorer)
    assert changed_frames([], [before]) == changed_frames([before], [before]) == []
    lines = changed_frames([before], [after])
    at = lines.index("FRAME n 10, delta 0.1: 10!")
    assert re.match(r'  was line "bound 0.1" .*: 2 points', lines[at + 1])
    assert re.match(r'   is line "limit 0.1" .*: 2 points', lines[at + 2])
    assert sum(line.startswith("FRAME ") for line in lines) == 3


def test_explorer_is_a_widget_with_a_kernel_that_draws_a_frame_once():
    calls = []

    def noted(n, kind):
        calls.append(n)
        return draw(n, kind)

    explorer = widgets.explore(
        noted, n=[1, 2, 3, 4], kind=["a", "b"], caption="c", labels={"n": "how many"}
    )
    slider, buttons, picture, data, style = explorer.widget().children
    kinds = [type(child).__name__ for child in (slider, buttons, picture, data, style)]
    assert kinds == ["SelectionSlider", "ToggleButtons", "HTML", "Accordion", "HTML"]
    assert slider.continuous_update, "it follows the finger"
    assert slider.layout.width == "min(100%, 40rem)", "the words beside it leave it room"
    assert style.value.startswith("<style>")
    assert 'aria-label="how many 1, kind a"' in picture.value
    assert "<figcaption>c</figcaption>" in picture.value
    assert data.titles == ("Data of this figure",)
    assert "series,x,y\na," in data.children[0].value
    pictures = [picture.value]
    for n in (3, 1, 3):
        slider.value = n
        pictures.append(picture.value)
    assert pictures[0] == pictures[2] != pictures[1] == pictures[3]
    assert calls == [1, 3]


@pytest.mark.slow
def test_a_name_of_a_control_stays_a_name():
    name = 'a" onmouseover="alert(1)'
    for values in ([1, 2], ["x", "yy"]):
        page = widgets.explore(lambda **values: draw(len(str(values))), **{name: values}).html()
        assert '" onmouseover' not in page


def test_looks_differ_in_more_than_colour():
    signs = [(look(i)["linestyle"], look(i)["marker"]) for i in range(20)]
    assert len(set(signs)) == 20
    assert bound_look("NOR") != bound_look("WIL")


def test_palette_stands_out_on_white():
    for colour in map(mpl.colors.to_rgb, PALETTE):
        channels = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
        luminance = np.dot([0.2126, 0.7152, 0.0722], channels)
        assert 1.05 / (luminance + 0.05) >= 3, colour  # WCAG 2.2, 1.4.11: graphical objects


def test_an_audit_counts_distinct_claims_and_links_its_lessons_in_the_book(monkeypatch):
    audit = tables.Audit()
    row = ("", "a | b", "found", np.bool_(True), "03_binary_bounds#your-own-test")
    monkeypatch.setenv("ERRLAB_OUTPUT", "book")
    output = audit([row, row])._repr_mimebundle_()["text/markdown"]
    link = "[](../../notebooks/03_binary_bounds.ipynb#your-own-test)"
    assert rf"|  | a \| b | found | holds | {link} |" in output
    audit([("", "other", "found", "only there", "03_binary_bounds")])
    assert audit.total() == "Of 2 claims 1 holds, 0 fail, and 1 hold in part."


def test_a_quiz_with_another_key_has_another_record():
    choices = [quiz.Choice("yes", "so"), quiz.Choice("no", "not so")]
    records = []
    for right in choices:
        marked = tuple(quiz.Choice(c.text, c.why, c is right) for c in choices)
        records.append(repr(quiz.Quiz("q", (quiz.Question("Q", marked),))).split("key: "))
    (words, key), (same, other) = records
    assert words == same == "Quiz q: 1 question\n1. Q\n   ( ) yes\n   ( ) no\n"
    assert key != other


# --- A changed figure has another record: the changes in `tests/data/figure_changes.txt`.


def changed(draw, change):
    """Return the words of a changed figure's record, and its checksum of the drawing."""
    ax = eval(draw, {"plots": plots})
    exec(change, {"np": np, "ax": ax, "lines": ax.lines, "texts": ax.texts})
    words, _, drawing = record(ax).rpartition("\n")
    plt.close(ax.figure)
    return words, drawing


@pytest.mark.slow
@pytest.mark.parametrize(("draw", "changes"), sections("figure_changes.txt"))
def test_a_changed_figure_has_another_record(draw, changes):
    before = changed(draw, "")
    for change in changes:
        words, drawing = changed(draw, change.removeprefix("+ "))
        assert drawing != before[1], change
        assert (words != before[0]) == change.startswith("+ "), change


# --- `explore` takes what `ipywidgets.interact` takes, and draws what a function draws or returns.
#
# The values of each control, and pictures of results, are in `tests/data/values.txt`.


def test_a_slider_has_the_ends_of_that_of_interact():
    for options in ((1, 5), (1, 100, 33), (0.0, 0.3), (0, 1, 0.25)):
        (widget,) = interactive(lambda n: n, n=options).children[:1]
        values = control("n", options).values
        assert (widget.min, widget.max) == (values[0], values[-1]), options


def test_more_frames_than_a_page_bears_are_for_a_kernel_only(monkeypatch):
    monkeypatch.setenv("ERRLAB_OUTPUT", "live")
    assert explore(lambda n: n, n=(1, 1000)).start() == {"n": 500}


def draws_on_axes(n):
    ax = Figure().subplots()
    ax.plot([0, n])
    return ax


def draws_by_pyplot(n):
    plt.plot([0, n], label="mine")
    plt.show()


def draws_a_figure_of_its_own(n):
    _, ax = plt.subplots()
    ax.plot([0, n], label="mine")


def draws_and_returns(n):
    return plt.hist([0, n], label="mine")


DRAWING = [draws_by_pyplot, draws_a_figure_of_its_own, draws_and_returns, draws_on_axes]


@pytest.mark.parametrize("function", DRAWING)
def test_what_a_function_draws_is_shown_and_nothing_else(function):
    left_over = plt.figure()
    left_over.subplots().plot([7, 8, 9], label="left over")
    first, second = explore(function, n=[1, 2]).frames()
    assert first.record != second.record
    assert first.drawing.record.count("\n  ") in (1, 2, 3)
    assert "left over" not in first.record
    assert plt.get_fignums() == [left_over.number], "what it drew is closed"


@pytest.mark.slow
def test_a_kernel_shows_the_widget_that_fits_and_hears_it(monkeypatch):
    monkeypatch.setenv("ERRLAB_OUTPUT", "live")
    calls = []

    def draw(**values):
        calls.append(values)
        return Figure()

    part = ipywidgets.FloatSlider(0.5, min=0, max=1)
    controls = {"n": (1, 9), "k": [1, 2, 3], "word": ["a", "b"], "yes": True, "text": "abc"}
    widgets = explore(draw, **controls, part=part).widget().children
    for name, kind, other in (
        ("n", "SelectionSlider", 9),
        ("k", "ToggleButtons", 2),
        ("word", "ToggleButtons", "b"),
        ("yes", "ToggleButtons", False),
        ("text", "Text", "abd"),
        ("part", "FloatSlider", 0.7),
    ):
        widget = next(widget for widget in widgets if widget.description == name)
        assert type(widget).__name__ == kind
        widget.value = other
        assert calls[-1][name] == other


def test_a_mistake_stands_in_the_picture_and_goes():
    def share(n):
        if n == 3:
            raise ValueError("n must not be <3>")
        return 1 / n

    buttons, picture, *_ = explore(share, n=[1, 2, 3]).widget().children
    good = picture.value
    buttons.value = 3
    assert "ValueError: n must not be &lt;3&gt;" in picture.value
    assert 'role="alert"' in picture.value
    buttons.value = 1
    assert picture.value == good


@pytest.mark.slow
def test_few_numbers_are_a_choice_on_the_page():
    page = "".join(explore(lambda n: 3 / n, n=values).html() for values in ([1, 2, 3], (1, 4)))
    assert page.count('type="radio"') == 3
    assert page.count('type="range"') == 1
    assert '&lt;lambda&gt;(n=1) = 3"' in page
