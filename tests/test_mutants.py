"""A figure that is wrong by one part in a thousand must make the check of its notebook fail.

Every notebook is run in this process; every figure and every frame of every explorer is compared
with what the notebook has stored, then mutated in all the ways below, and each mutant must give
another record.
"""

import itertools
from pathlib import Path

import nbformat
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from matplotlib.patches import Polygon, StepPatch

from errlab.book.figures import checksum, record
from errlab.book.figures._record import describe
from errlab.book.figures._show import Shown
from errlab.book.widgets import Explorer

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


def scaled(values):
    """One part in a thousand more; where nothing is left to scale, one thousandth added."""
    values = np.asarray(values, dtype=float)
    return values * 1.001 if np.any(values[np.isfinite(values)]) else values + 0.001


def scale_line(line):
    y = line.get_ydata(orig=False)
    line.set_ydata(scaled(y))
    return lambda: line.set_ydata(y)


def bend_line(line):
    """Move only the point that is farthest from zero."""
    y = np.asarray(line.get_ydata(orig=False), dtype=float)
    bent = y.copy()
    at = np.nanargmax(np.abs(y))
    bent[at] = scaled(y[at])
    line.set_ydata(bent)
    return lambda: line.set_ydata(y)


def shift_line(line):
    x = line.get_xdata(orig=False)
    line.set_xdata(scaled(x))
    return lambda: line.set_xdata(x)


def recolour(line):
    colour = line.get_color()
    line.set_color("#123456")
    return lambda: line.set_color(colour)


def drop(artist):
    """Hide an artist from its axes' lists, and put it back where it was."""
    axes, children = artist.axes, list(artist.axes._children)
    axes._children.remove(artist)

    def undo():
        axes._children[:] = children

    return undo


def scale_collection(collection):
    offsets = collection.get_offsets()
    if len(offsets) and np.any(offsets):
        collection.set_offsets(np.column_stack([offsets[:, 0], scaled(offsets[:, 1])]))
        return lambda: collection.set_offsets(offsets)
    paths = collection.get_paths()
    before = [path.vertices.copy() for path in paths]
    for path in paths:
        path.vertices = np.column_stack([path.vertices[:, 0], scaled(path.vertices[:, 1])])

    def undo():
        for path, vertices in zip(paths, before, strict=True):
            path.vertices = vertices

    return undo


def scale_bar(bar):
    height = bar.get_height()
    bar.set_height(float(scaled(height)))
    return lambda: bar.set_height(height)


def scale_patch(patch):
    if isinstance(patch, StepPatch):
        values = patch.get_data().values
        patch.set_data(scaled(values))
        return lambda: patch.set_data(values)
    if isinstance(patch, Polygon):
        corners = patch.get_xy().copy()
        patch.set_xy(scaled(corners))
        return lambda: patch.set_xy(corners)
    height = patch.get_height()  # a rectangle or an ellipse
    patch.set_height(float(scaled(height)))
    return lambda: patch.set_height(height)


def scale_image(image):
    values = image.get_array()
    image.set_data(scaled(values))
    return lambda: image.set_data(values)


def swap_labels(pair):
    first, second = pair
    labels = first.get_label(), second.get_label()
    first.set_label(labels[1])
    second.set_label(labels[0])

    def undo():
        first.set_label(labels[0])
        second.set_label(labels[1])

    return undo


def change_text(text):
    before = text.get_text()
    text.set_text(before + "x")
    return lambda: text.set_text(before)


def mutations(figure):
    """Every way to make this figure wrong, as (function, artist)."""
    for ax in figure.axes:
        for line in ax.lines:
            if len(line.get_xdata()):
                yield from ((f, line) for f in (scale_line, bend_line, shift_line))
            yield recolour, line
            yield drop, line
        for collection in ax.collections:
            yield scale_collection, collection
            yield drop, collection
        for container in ax.containers:
            patches = [p for p in getattr(container, "patches", []) if p.get_height()]
            if patches:
                yield scale_bar, max(patches, key=lambda p: abs(p.get_height()))
        barred = {p for c in ax.containers for p in getattr(c, "patches", [])}
        for patch in [p for p in ax.patches if p not in barred]:
            yield scale_patch, patch
            yield drop, patch
        for image in ax.images:
            yield scale_image, image
        for text in ax.texts:
            if text.get_text():
                yield change_text, text
        for label in (ax.title, ax.xaxis.label, ax.yaxis.label):
            if label.get_text():
                yield change_text, label
        named = [a for a in [*ax.lines, *ax.collections, *ax.containers] if _named(a)]
        for first, second in itertools.pairwise(named):
            if first.get_label() != second.get_label():
                yield swap_labels, (first, second)


def _named(artist):
    label = str(artist.get_label())
    return bool(label) and not label.startswith("_")


def survivors(figure):
    """Mutate the figure in every way; return the mutants that its record does not show."""
    right = describe(figure)
    alive, tried = [], 0
    for mutate, artist in mutations(figure):
        undo = mutate(artist)
        tried += 1
        if describe(figure) == right:
            alive.append(f"{mutate.__name__} of {artist}")
        undo()
    assert describe(figure) == right, "a mutation was not undone"
    return alive, tried


def stored(cell):
    for output in cell.outputs:
        data = output.get("data", {})
        if "text/plain" in data:
            yield data["text/plain"]


def check_explorer(explorer, texts):
    """Each frame's checksum stands in the stored text; each mutant has another one."""
    lines = next(text for text in texts if text.startswith("Explorer of")).splitlines()
    frames = [line for line in lines if line.startswith("  ")]
    alive, tried, drawn = [], 0, 0
    for (values, figure), line in zip(explorer.frames(), frames, strict=True):
        whole = record(figure)
        assert line == f"  {explorer.describe(**values)} [{checksum(whole)}]"
        dead, count = survivors(figure)
        alive += [f"{values}: {mutant}" for mutant in dead]
        tried += count
        drawn += 1
    return alive, tried, drawn


@pytest.fixture
def shell(monkeypatch):
    monkeypatch.setenv("ERRLAB_OUTPUT", "record")
    shell = InteractiveShell.instance()
    shell.reset(new_session=False)
    yield shell
    InteractiveShell.clear_instance()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_every_wrong_curve_in_every_figure_and_frame_is_noticed(path, shell, monkeypatch, capfd):
    monkeypatch.chdir(path.parent)
    notebook = nbformat.read(path, as_version=4)
    alive, tried, figures, frames = [], 0, 0, 0
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        result = shell.run_cell(cell.source, silent=False)
        result.raise_error()
        shown, texts = result.result, list(stored(cell))
        if isinstance(shown, Explorer):
            dead, count, drawn = check_explorer(shown, texts)
            frames += drawn
        elif isinstance(shown, Shown):
            assert repr(shown) in texts, f"{path.name} shows another figure than it has stored"
            dead, count = survivors(shown.figure)
            figures += 1
        else:
            continue
        alive += dead
        tried += count
    with capfd.disabled():
        print(
            f"\n{path.stem}: {figures} figures and {frames} frames, "
            f"{tried} mutants tried, {tried - len(alive)} killed"
        )
    assert tried > 0, f"{path.name} has no figure"
    assert alive == []
