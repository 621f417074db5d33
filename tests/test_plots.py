"""What holds for every plot of the book."""

import inspect
import re
import sys

import pytest

from errlab._report import _plot
from errlab.book import plots

PLOTS = {name: getattr(plots, name) for name in plots.__all__}
PLOTS |= {name: draw for name, draw in vars(_plot).items() if name.startswith("plot_")}
MODULES = sorted({draw.__module__ for draw in PLOTS.values()})
ON_AXES = [name for name, draw in PLOTS.items() if "ax" in inspect.signature(draw).parameters]


@pytest.mark.parametrize("name", ON_AXES)
def test_what_plots_have_in_common_is_described_once_and_in_its_place(name):
    doc = inspect.getdoc(PLOTS[name])
    assert doc.count("\nax : Axes, optional\n    Where to draw;") == 1
    assert doc.count("\nReturns\n-------\nAxes\n") == 1
    heads = [head for head in re.findall(r"^(\w+)\n-{3,}$", doc, re.MULTILINE) if head != "Notes"]
    assert heads == sorted(
        heads, key=["Parameters", "Returns", "Raises", "References", "Examples"].index
    )


@pytest.mark.parametrize("module", MODULES)
def test_a_plot_takes_its_colours_by_name_and_leaves_the_common_sections_to_styled(module):
    source = inspect.getsource(sys.modules[module])
    assert not re.search(r"#[0-9a-fA-F]{6}", source)
    assert "Where to draw; new axes" not in source
