"""A changed figure has another record: the changes in `tests/data/figure_changes.txt`."""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

from errlab_book.figures import record
from errlab_book.plots import bounds as plots

TABLE = Path(__file__).parents[1] / "data" / "figure_changes.txt"
SECTIONS = re.split(r"^\[(.+)\]$", TABLE.read_text("utf-8"), flags=re.MULTILINE)[1:]


def changed(draw, change):
    """Return the words of a changed figure's record, and its checksum of the drawing."""
    ax = eval(draw, {"plots": plots})
    exec(change, {"np": np, "ax": ax, "lines": ax.lines, "texts": ax.texts})
    words, _, drawing = record(ax).rpartition("\n")
    plt.close(ax.figure)
    return words, drawing


@pytest.mark.slow
@pytest.mark.parametrize("draw", SECTIONS[::2])
def test_a_changed_figure_has_another_record(draw):
    before = changed(draw, "")
    changes = SECTIONS[SECTIONS.index(draw) + 1].splitlines()
    for change in [line for line in changes if line and line[0] != "#"]:
        words, drawing = changed(draw, change.removeprefix("+ "))
        assert drawing != before[1], change
        assert (words != before[0]) == change.startswith("+ "), change
