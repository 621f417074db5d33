"""The record of a figure, the output in each mode, explorers, tables and quizzes."""

import re
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

from errlab.style import PALETTE, look
from errlab_book import figures, quiz, tables, widgets
from errlab_book.figures import drawn
from errlab_book.figures._drawn import _OFF_THE_EDGE, _two_decimals, svg
from errlab_book.plots._shared import bound_look

mpl.use("agg")
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def curve():
    _, ax = plt.subplots()
    ax.plot(np.arange(1, 50), 1 / np.arange(1, 50), label="CP")
    ax.set(xlabel="n", ylabel="bound", title="A curve")
    ax.legend()
    return ax


@pytest.mark.slow
def test_record_ignores_the_last_bits_and_sees_a_small_value_on_a_logarithmic_axis():
    def noted(value, scale):
        ax = curve()
        ax.plot([1, 2, 3], [1, value, 0.5])
        ax.set_yscale(scale)
        return figures.record(ax)

    assert noted(1e-9, "log") == noted(1e-9 * (1 + 1e-12), "log") != noted(1.01e-9, "log")
    assert noted(0.0, "linear") == noted(-5.6e-17, "linear") == noted(3e-15, "linear")


def test_a_group_of_bars_without_bars_has_a_record():
    ax = Figure(figsize=(3, 3)).subplots()
    ax.bar([], [], color="k")
    assert "bars (): 0 points" in figures.record(ax)


def test_drawn_names_identifiers_by_their_order():
    twice = '<svg><path id="{0}"/><use xlink:href="#{0}"/><path id="{1}"/></svg>'
    assert drawn(twice.format("mff", "m12")) == drawn(twice.format("pab", "pcd"))
    other = '<svg><path id="{0}"/><use xlink:href="#{1}"/><path id="{1}"/></svg>'
    assert drawn(twice.format("mff", "m12")) != drawn(other.format("mff", "m12"))


def test_no_value_of_six_decimals_stands_on_an_edge_of_rounding():
    # a record that depends on the last bit would differ between machines
    millionths = np.arange(0, 1_000_000, dtype=np.int64)
    places = (millionths * 100 % 1_000_000) / 1e6 + _OFF_THE_EDGE
    assert np.abs(places - np.round(places)).min() > 1e-6
    for value in [*np.arange(-80, 80) / 8, *np.arange(-500, 500) / 200]:
        rounded = [
            _two_decimals(re.match(".*", f"{value + noise:.6f}")) for noise in (-1e-6, 0, 1e-6)
        ]
        assert len(set(rounded)) == 1
        assert abs(float(rounded[0]) - value) < 0.006


def test_html_escapes_and_describes():
    page = figures.show(curve(), "a < b", alt='a "curve" & more').html()
    assert "a &lt; b" in page
    assert 'aria-label="a &quot;curve&quot; &amp; more"' in page
    assert "\nCP,1,1\n" in page
    assert "\nCP,49,0.020408</pre>" in page


def test_a_page_keeps_no_link_of_an_artist():
    ax = curve()
    ax.lines[0].set_url("javascript:alert(1)")
    ax.lines[0].set_gid('g" onclick="alert(1)')
    ax.get_legend().get_texts()[0].set_url("javascript:alert(1)")
    picture = svg(ax.figure)
    assert "alert" not in picture
    assert not re.search("</?a[ >]", picture)
    assert picture == svg(curve().figure)


def draw(n, kind="a"):
    _, ax = plt.subplots()
    ax.plot([0, n], [0, 1], label=kind)
    return ax


@pytest.mark.slow
def test_an_explorer_has_a_checksum_for_each_frame_and_keeps_what_they_show_to_itself():
    explorer = widgets.explore(
        draw, n=[1, 2], kind=list("abcdefghijk"), alt=lambda n, kind: f"it is {n}!"
    )
    lines = repr(explorer).splitlines()
    assert lines[:2] == ["Explorer of draw: 22 frames", "  n: 1, 2"]
    assert [line.partition(": ")[0] for line in lines[3:]] == [
        "  from n 1, kind a",
        "  from n 1, kind k",
        "  from n 2, kind a",
        "  from n 2, kind k",
    ]
    sums = [one for line in lines[3:] for one in line.partition(": ")[2].split()]
    assert len(set(sums)) == 22
    for place, at in ((0, (1, "a")), (13, (2, "c")), (21, (2, "k"))):
        record = explorer.frame(*at).record
        assert sums[place] == figures.checksum(record)[:6]
    record = explorer.frame(2, "c").record
    assert record.startswith("n 2, kind c: it is 2!\nFigure, ")
    assert "it is" not in repr(explorer)


def recorded(explorer, monkeypatch):
    """Return the stored frames of an explorer, and its text."""
    outputs = []
    monkeypatch.setenv("ERRLAB_OUTPUT", "record")
    monkeypatch.setattr("IPython.display.display", lambda *one, **more: outputs.append((one, more)))
    explorer._ipython_display_()
    ((data,), more) = outputs[0]
    assert data["text/plain"] == repr(explorer)
    return more["metadata"]["errlab"]


@pytest.mark.slow
def test_a_failing_cell_says_which_frame_is_not_as_it_is_stored_and_what_in_it(
    pytestconfig, monkeypatch
):
    changed_frames = pytestconfig.pluginmanager.get_plugin(str(ROOT / "conftest.py")).changed_frames

    def draw(n, delta):
        ax = Figure(figsize=(3, 2)).subplots()
        ax.plot([0, n], [0, delta], label=f"{label} {n}")
        return ax

    label = "bound"
    explorer = widgets.explore(draw, n=[10, 50], delta=[0.05, 0.1], alt=lambda n, delta: f"{n}!")
    before = recorded(explorer, monkeypatch)
    assert changed_frames([], [before]) == changed_frames([before], [before]) == []
    label = "limit"
    lines = changed_frames([before], [recorded(explorer, monkeypatch)])
    at = lines.index("FRAME n 10, delta 0.1: 10!")
    assert re.match(r'  was line "bound 10" .*: 2 points', lines[at + 1])
    assert re.match(r'   is line "limit 10" .*: 2 points', lines[at + 2])
    assert sum(line.startswith("FRAME ") for line in lines) == 3


def live(**values):
    """Return an explorer with a kernel, and a list of the objects that it draws."""
    drawn = []

    def noted(**chosen):
        drawn.append(tuple(chosen.values()))
        return draw(**chosen)

    explorer = widgets.explore(noted, caption="c", labels={"n": "how many"}, **values)
    return explorer.widget(), drawn


def test_explorer_is_a_widget_with_a_kernel():
    box, _ = live(n=[1, 2, 3, 4], kind=["a", "b"])
    kinds = [type(child).__name__ for child in box.children]
    assert kinds == ["SelectionSlider", "ToggleButtons", "HTML", "Accordion", "HTML"]
    slider, _, picture, data, style = box.children
    assert slider.continuous_update, "it follows the finger"
    assert slider.layout.width == "min(100%, 40rem)", "the words beside it leave it room"
    assert style.value.startswith("<style>")
    assert 'aria-label="how many 1, kind a"' in picture.value
    assert "<figcaption>c</figcaption>" in picture.value
    assert data.titles == ("Data of this figure",)
    assert "series,x,y\na," in data.children[0].value


def test_a_live_explorer_draws_a_frame_once():
    box, drawn = live(n=[1, 2, 3])
    slider, picture, *_ = box.children
    assert drawn == [(1,)]
    first = picture.value
    slider.value = 3
    assert picture.value != first
    slider.value = 1
    assert picture.value == first
    slider.value = 3
    assert drawn == [(1,), (3,)]


@pytest.mark.slow
def test_a_name_of_a_control_stays_a_name():
    name = 'a" onmouseover="alert(1)'

    def widest(**values):
        return draw(len(str(values)))

    assert '" onmouseover' not in widgets.explore(widest, **{name: [1, 2]}).html()
    assert '" onmouseover' not in widgets.explore(widest, **{name: ["x", "yy"]}).html()


def test_looks_differ_in_more_than_colour():
    signs = [(look(i)["linestyle"], look(i)["marker"]) for i in range(20)]
    assert len(set(signs)) == 20
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


def test_an_audit_counts_distinct_claims_and_links_its_lessons_in_the_book(monkeypatch):
    audit = tables.Audit()
    row = ("", "a | b", "found", np.bool_(True), "03_binary_bounds#your-own-test")
    monkeypatch.setenv("ERRLAB_OUTPUT", "book")
    output = audit([row, row])._repr_mimebundle_()["text/markdown"]
    link = "[](../../notebooks/03_binary_bounds.ipynb#your-own-test)"
    assert rf"|  | a \| b | found | holds | {link} |" in output
    audit([("", "other", "found", "only there", "03_binary_bounds")])
    assert audit.total() == "Of 2 claims 1 holds, 0 fail, and 1 hold in part."


GOOD = '[[question]]\ntext="Q"\n[[question.choice]]\ntext="yes"\nright=true\nwhy="so"\n'


def test_a_quiz_with_another_key_has_another_record(tmp_path):
    path = tmp_path / "q.toml"
    texts = []
    for first, second in (("right=true\n", ""), ("", "right=true\n")):
        path.write_text(
            GOOD.replace("right=true\n", first)
            + f'[[question.choice]]\ntext="no"\n{second}why="not so"\n'
        )
        texts.append(repr(quiz.load(path)).splitlines())
    assert texts[0][:-1] == texts[1][:-1], "the words do not tell"
    assert texts[0][-1] != texts[1][-1]


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
