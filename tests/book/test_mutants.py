"""A changed figure has another record: twenty changes that people typically make."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.collections import PathCollection

from errlab_book.figures import record
from errlab_book.plots import bounds as plots

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def lines():
    """Draw curves with markers and a legend."""
    return plots.plot_upper_against_n(["NOR", "WIL", "CP"], mean=0.25)


def bars():
    """Draw bars in two colours."""
    return plots.plot_tail(7, 200, 0.06)


def intervals():
    """Draw intervals, each with its name above it and its end beside it."""
    return plots.plot_intervals(7, 200)


def redrawn(place, change):
    """Return the line at this place with its data changed."""

    def mutate(ax):
        x, y = (np.array(values, dtype=float) for values in ax.lines[place].get_data())
        ax.lines[place].set_data(*change(x, y))

    return mutate


def middle(y, value):
    """Return the data with another value in the middle."""
    return np.where(np.arange(len(y)) == len(y) // 2, value, y)


def labels_swapped(ax):
    handles, words = ax.get_legend_handles_labels()
    ax.legend(handles, words[::-1])


def curves_swapped(ax):
    one, two = ax.lines[:2]
    (x, y), (a, b) = one.get_data(), two.get_data()
    one.set_data(a, b)
    two.set_data(x, y)


def limit_moved(ax):
    low, high = ax.get_ylim()
    ax.set_ylim(low, low + 1.005 * (high - low))


def bar_grown(ax):
    bar = ax.containers[0][3]
    bar.set_height(1.02 * bar.get_height())


def names_swapped(ax):
    one, two = ax.texts[1], ax.texts[3]
    one_words, two_words = one.get_text(), two.get_text()
    one.set_text(two_words)
    two.set_text(one_words)


def point_added(ax):
    assert not any(isinstance(one, PathCollection) for one in ax.collections)
    ax.scatter([np.mean(ax.get_xlim())], [np.mean(ax.get_ylim())], s=1)


CHANGES = [
    (lines, redrawn(0, lambda x, y: (x, 1.001 * y))),
    (lines, redrawn(0, lambda x, y: (x, middle(y, 1.01 * y)))),
    (lines, redrawn(1, lambda x, y: (x[:-1], y[:-1]))),
    (lines, redrawn(0, lambda x, y: (x, middle(y, np.nan)))),
    (lines, labels_swapped),
    (lines, curves_swapped),
    (lines, limit_moved),
    (lines, lambda ax: ax.lines[0].remove()),
    (lines, lambda ax: ax.lines[1].set_linestyle(":")),
    (lines, lambda ax: ax.lines[0].set_color("#0072b3")),
    (lines, lambda ax: ax.lines[0].set_linewidth(ax.lines[0].get_linewidth() + 0.1)),
    (lines, lambda ax: ax.lines[0].set_marker("x")),
    (lines, lambda ax: ax.get_legend().remove()),
    (lines, lambda ax: ax.set_xlabel("test example n")),
    (lines, lambda ax: ax.set_yscale("log")),
    (lines, lambda ax: ax.grid(visible=True)),
    (lines, lambda ax: ax.figure.set_size_inches(4.8, 3.4)),
    (bars, bar_grown),
    (bars, lambda ax: ax.containers[0][0].set_facecolor("#0072b2")),
    (bars, lambda ax: ax.set_title(ax.get_title(loc="left").replace("error", "eror"), loc="left")),
    (intervals, names_swapped),
    (intervals, lambda ax: ax.texts[0].set_text(ax.texts[0].get_text().replace("1", "2", 1))),
    (intervals, lambda ax: ax.texts[0].set_position((0.07, 15))),
    (intervals, lambda ax: ax.invert_xaxis()),
    (intervals, point_added),
]


@pytest.mark.parametrize(("draw", "change"), CHANGES)
def test_a_changed_figure_has_another_record(draw, change):
    ax = draw()
    change(ax)
    assert record(ax) != record(draw())
