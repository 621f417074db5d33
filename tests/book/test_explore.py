"""`explore` takes what `ipywidgets.interact` takes, and draws what a function draws or returns.

The values of each control, and pictures of results, are in `tests/data/values.txt`.
"""

import ipywidgets
import matplotlib.pyplot as plt
import pytest
from ipywidgets.widgets.interaction import interactive
from matplotlib.figure import Figure

from errlab_book import explore
from errlab_book.controls import control


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
