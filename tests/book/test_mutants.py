"""A changed figure has another record: the changes in `tests/data/figure_changes.txt`."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from tables import sections

from errlab_book.figures import record
from errlab_book.plots import bounds as plots


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
