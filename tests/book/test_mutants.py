"""A figure that looks otherwise must have another record.

The figures are those that the book shows: its build keeps them (`tools/keep.py`), so that no
notebook is executed for this. Each must have the record that its notebook has stored. Then it is
changed, in every way that `mutants.py` finds by walking over its artists, and each mutant must
have another record, unless it changes no pixel.

``make test`` tries a sample. ``make mutants`` tries every kind of mutant on every figure, and every
kind on every explorer: three of its frames take the kinds in turn.
"""

import collections
import gc
import json
import os
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from matplotlib.text import Text

from errlab.book.figures import checksum
from errlab.book.widgets import checksum_of_frames
from mutants import FURTHER, UNSEEN, VALUES, Mutant, Subject, properties, remembering

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import keep  # noqa: E402

import notebooks  # noqa: E402

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
ALL = os.environ.get("ERRLAB_MUTANTS") == "all"
SAMPLE = 60  # mutants for each chapter
THREE = 3  # frames of an explorer

pytestmark = pytest.mark.slow


def stored(path):
    """The records of figures that a notebook holds, and the frames of its explorers."""
    cells = nbformat.read(path, as_version=4).cells
    outputs = [o for cell in cells for o in cell.get("outputs", []) if "data" in o]
    texts = [output["data"].get("text/plain", "") for output in outputs]
    figures = [text for text in texts if "What to see: " in text and "\ndrawn: " in text]
    frames = json.loads((ROOT / "tests" / "records" / f"{path.stem}.json").read_text("utf-8"))
    return texts, figures, frames


def agrees(one, subject, figures, frames):
    """Whether a figure that was kept has the record that is stored."""
    if one.explorer is None:
        return any(text.endswith(f"\n{subject.record}") for text in figures)
    return frames[one.explorer][one.frame].endswith(f"[{checksum(subject.record)}]")


def kept(path, folder):
    """The figures of a chapter, as the book has shown them, or else shown once more."""
    _, figures, frames = stored(path)
    wanted = len(figures) + sum(len(keep.chosen(len(one), THREE)) for one in frames)

    def subjects(found):
        return [(one, Subject(one.figure)) for one in found]

    built = ROOT / "_build" / "executed" / f"{path.stem}.figures"
    found = subjects(keep.read(built)) if built.exists() else []
    if len(found) != wanted or not all(
        agrees(one, subject, figures, frames) for one, subject in found
    ):
        fresh = folder / "figures"
        notebooks.run(path, "record", keep=fresh, frames=THREE)
        found = subjects(keep.read(fresh))
        assert len(found) == wanted, f"{path.name} shows other figures than it has stored"
        wrong = [one[:2] for one, subject in found if not agrees(one, subject, figures, frames)]
        assert wrong == [], f"{path.name}: other records than it has stored"
    return found


@pytest.fixture(scope="module")
def idle():
    """The kinds of mutants that have changed nothing so far."""
    return set()


@pytest.fixture
def swift(monkeypatch):
    """Look for garbage now and then only, and measure equal texts once."""
    layout = remembering(Text._get_layout)  # type: ignore[attr-defined]
    monkeypatch.setattr(Text, "_get_layout", layout)
    gc.disable()
    gc.freeze()  # what is there now is not looked through
    yield
    gc.collect()
    gc.unfreeze()
    gc.enable()


def by_kind(subject):
    kinds = collections.defaultdict(list)
    for mutant in subject.mutants:
        kinds[mutant.kind].append(mutant)
    return kinds


def some(subjects, rng):
    """A sample of kinds, each on one of the figures that has it."""
    kinds = [by_kind(subject) for subject in subjects]
    names = sorted(set().union(*kinds))
    for name in rng.permutation(names)[:SAMPLE]:
        having = [i for i, one in enumerate(kinds) if name in one]
        at = having[rng.integers(len(having))]
        choices = kinds[at][name]
        yield subjects[at], choices[rng.integers(len(choices))]


def every(found, rng):
    """Every kind on every figure and explorer; data on up to three artists, the rest on one."""
    data = {what for _, what, _ in FURTHER}
    shown = collections.defaultdict(list)  # the frames of an explorer; a figure is its only frame
    for number, (one, subject) in enumerate(found):
        shown[number if one.explorer is None else f"explorer {one.explorer}"].append(subject)
    for subjects in shown.values():
        kinds = [by_kind(subject) for subject in subjects]
        for turn, name in enumerate(sorted(set().union(*kinds))):
            having = [i for i, one in enumerate(kinds) if name in one]
            at = having[turn % len(having)]
            choices = kinds[at][name]
            number = 3 if name.split(": ")[1] in data else 1
            for i in rng.permutation(len(choices))[:number]:
                yield subjects[at], choices[i]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_whatever_can_be_seen_of_a_figure_is_in_its_record(path, tmp_path, swift, idle, capfd):
    found = kept(path, tmp_path)
    rng = np.random.default_rng(int(path.stem[:2]))
    subjects = [subject for _, subject in found]
    assert set().union(*(subject.unknown for subject in subjects)) == set()
    todo = collections.defaultdict(list)
    for subject, mutant in every(found, rng) if ALL else some(subjects, rng):
        todo[subjects.index(subject)].append(mutant)
    kinds, fates = set(), collections.Counter()
    alive, broken = [], []
    results = ((at, one) for at, own in todo.items() for one in subjects[at].fates(own, idle))
    for number, (at, (mutant, fate)) in enumerate(results):
        fates[fate] += 1
        if fate:
            kinds.add(mutant.kind)
        if fate in ("alive", "broken"):
            (alive if fate == "alive" else broken).append((at, mutant.kind, mutant.number))
        if number % 50 == 49:
            plt.close("all")
            gc.collect()
    with capfd.disabled():
        tried = fates["killed"] + fates["equivalent"] + fates["alive"]
        print(
            f"\n{path.stem}: {len(found)} figures and frames, {len(kinds)} kinds, {tried} mutants "
            f"tried, {fates['killed']} killed, {fates['equivalent']} change nothing to be seen"
        )
    assert alive == []
    assert broken == []
    assert fates["killed"] > 0.3 * tried, "most mutants should change something"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_the_frames_in_the_records_are_those_of_the_notebook(path):
    texts, _, frames = stored(path)
    explorers = [text for text in texts if text.startswith("Explorer of ")]
    assert len(explorers) == len(frames)
    for text, lines in zip(explorers, frames, strict=True):
        assert f": {len(lines)} frames\n" in text
        assert text.endswith(f"\ndrawn: {checksum_of_frames(lines)}")


def test_every_property_has_a_value_or_a_reason():
    assert not set(VALUES) & set(UNSEEN)
    assert all(UNSEEN.values())
    from matplotlib.lines import Line2D

    assert set(properties(Line2D)) <= set(VALUES) | set(UNSEEN)


def test_a_record_that_sees_less_lets_mutants_live(monkeypatch):
    """The test of the test: without the checksum, a curve that nobody sees would pass."""
    import pickle

    from matplotlib.figure import Figure

    import mutants

    figure = Figure(figsize=(3, 2))
    figure.subplots().plot([1, 2, 4], [3, 1, 2])
    packed = pickle.dumps(figure)
    subject = Subject(packed)
    faint = next(m for m in subject.mutants if m.kind == "Line2D (curve): linewidth")
    assert subject.fate(faint) == "killed"
    monkeypatch.setattr(mutants, "drawn", lambda svg: "the same")
    assert Subject(packed).fate(faint) == "alive"
    nothing = Mutant("nothing", 0, lambda figure, artist: None)
    assert subject.fate(nothing) == "equivalent"
