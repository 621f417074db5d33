"""`explore` takes what `ipywidgets.interact` takes, and draws what a function draws or returns."""

import inspect

import ipywidgets
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from ipywidgets.widgets.interaction import interactive
from matplotlib.figure import Figure

from errlab import bounds
from errlab_book import explore
from errlab_book.controls import control


@pytest.mark.parametrize(
    ("options", "values", "start"),
    [
        ((1, 5), [1, 2, 3, 4, 5], 3),
        ((1, 100, 33), [1, 34, 67, 100], 34),
        ((0.0, 0.3), [0, 0.1, 0.2, 0.3], 0.1),
        ((0, 1, 0.25), [0, 0.25, 0.5, 0.75, 1], 0.5),
        ([1, 2], [1, 2], 1),
        (range(3), [0, 1, 2], 0),
        (np.arange(1, 5), [1, 2, 3, 4], 1),
        (np.linspace(0, 1, 3), [0, 0.5, 1], 0),
        (pd.Index([5, 7]), [5, 7], 5),
        ({"few": 5, "many": 50}, [5, 50], 5),
        ([("few", 5), ("many", 50)], [5, 50], 5),
        ((n for n in (3, 4)), [3, 4], 3),
        (True, [True, False], True),
        (False, [False, True], False),
        (2, list(range(7)), 2),
        (0, [0, 1], 0),
        ("abc", ["abc"], "abc"),
        (ipywidgets.IntSlider(3, 1, 9, 2), [1, 3, 5, 7, 9], 3),
        (ipywidgets.Dropdown(options=["a", "b"], value="b"), ["a", "b"], "b"),
        (ipywidgets.Checkbox(True), [True, False], True),
        (ipywidgets.fixed(7), [7], 7),
    ],
)
def test_a_control_takes_what_interact_takes(options, values, start):
    made = control("n", options)
    assert (
        list(made.values) == pytest.approx(values) if made.slides else list(made.values) == values
    )
    assert made.values[made.start] == pytest.approx(start)
    # interact chooses a widget with the same values, if it has one with both ends
    if isinstance(options, tuple):
        (widget,) = interactive(lambda n: n, n=options).children[:1]
        assert (widget.min, widget.max) == (made.values[0], made.values[-1])


@pytest.mark.parametrize("n", [10, 0.3, 200, 7])
def test_a_number_starts_a_slider_on_itself(n):
    made = control("n", n)
    assert made.values[made.start] == n
    assert made.values[-1] == pytest.approx(3 * n)


def test_start_is_a_value_or_a_dictionary():
    assert explore(lambda n: n, n=[1, 2], start=2).start() == {"n": 2}
    assert explore(lambda n, k: n, n=[1, 2], k=[3, 4], start={"k": 4}).start() == {"n": 1, "k": 4}


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


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda n: 3 / n, " = 0.03"),
        (lambda n: np.float32(n), " = 100"),
        (lambda n: (0.1, n / 1000), ": 0.1 to 0.1"),
        (lambda n: bounds.interval("CP", errors=7, n=n), ": 0.02861 to 0.1389"),
        (lambda n: list(range(n)), ": 100 numbers, mean 49.5"),
        (lambda n: pd.DataFrame({"a": range(n)}), ": 100 numbers, mean 49.5"),
        (lambda n: [1, np.nan, 2, 3], ": 3 numbers, mean 2"),
        (lambda n: n > 5, " = 1"),
    ],
)
def test_what_a_function_returns_is_drawn_for_it(function, words):
    explorer = explore(function, n=[100, 200])
    assert explorer.frame(100).alt.endswith(f"(n=100){words}")
    assert f"(n=100){words}" in explorer.html().replace("&lt;", "<")


def test_a_curve_has_a_gap_where_the_function_fails_elsewhere():
    frame = explore(lambda n: 1 / n, n=[0, 1, 2, 4]).frame(2)
    assert frame.alt.endswith("= 0.5")


def test_words_move_a_number_too():
    assert explore(lambda word: len(word), word=["a", "bbb"]).frame("bbb").alt.endswith("= 3")


def test_two_functions_of_the_reader_come_first():
    explorer = explore(lambda f, g, n: f(n) + g(n), by=(abs, float), n=[1, -2])
    assert [frame.alt.rpartition(" ")[2] for frame in explorer.frames()] == ["2", "0"]


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ((1, 9), "SelectionSlider"),
        ([1, 2, 3], "ToggleButtons"),
        (["a", "b"], "ToggleButtons"),
        (True, "ToggleButtons"),
        ("abc", "Text"),
        (ipywidgets.FloatSlider(0.5, min=0, max=1), "FloatSlider"),
    ],
)
def test_a_kernel_shows_the_widget_that_fits_and_hears_it(options, kind):
    calls = []

    def draw(n):
        calls.append(n)
        return 1.0

    box = explore(draw, n=options).widget()
    widget = box.children[0]
    assert type(widget).__name__ == kind
    other = {"Text": "abd", "FloatSlider": 0.7}.get(kind)
    widget.value = other or next(v for _, v in widget.options if v != widget.value)
    assert widget.value in calls


def test_a_mistake_stands_in_the_picture_and_goes(monkeypatch):
    def share(n):
        if n == 3:
            raise ValueError("n must not be <3>")
        return 1 / n

    box = explore(share, n=[1, 2, 3]).widget()
    buttons, picture, *_ = box.children
    good = picture.value
    buttons.value = 3
    assert "ValueError: n must not be &lt;3&gt;" in picture.value
    assert 'role="alert"' in picture.value
    buttons.value = 1
    assert picture.value == good


def test_few_numbers_are_a_choice_on_the_page():
    page = explore(lambda n, k: n + k, n=[1, 2, 3], k=[1, 2, 3, 4]).html()
    assert page.count('type="radio"') == 3
    assert page.count('type="range"') == 1


def test_the_signature_says_what_a_keyword_takes():
    assert inspect.signature(explore).parameters["controls"].kind is inspect.Parameter.VAR_KEYWORD
    assert "ipywidgets.interact" in explore.__doc__
