"""The study runner: the same results for any number of workers, and after a kill."""

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from studies import _rows, _run, small_samples

SETTINGS = [{"n": 3, "shift": 0.0}, {"n": 5, "shift": 1.0}]


def draw(rng, n, shift):
    sample = rng.normal(shift, size=n)
    return {"mean": sample.mean(), "positive": bool(sample[0] > 0)}


def not_a_number(rng):
    return {"value": np.nan}


def trial(folder, task=draw, settings=SETTINGS, repeats=6, **options):
    """Run a study; return its summary, and its stored rows in order."""
    options = {"workers": 1, "progress": None} | options
    summary = _run.run("trial", task, settings, repeats=repeats, seed=1, folder=folder, **options)
    assert json.loads((folder / "trial.json").read_text()) == summary
    first, *rest = map(json.loads, (folder / "trial.jsonl").read_text().splitlines())
    return summary, [first, *sorted(rest, key=lambda row: row[:2])]


@pytest.mark.slow
def test_one_and_two_workers_agree(tmp_path, monkeypatch):
    # other processes import this file as a module
    place = Path(__file__).parent
    monkeypatch.setenv("PYTHONPATH", f"{place}{os.pathsep}{place.parents[1]}")
    one = trial(tmp_path / "one")
    assert one == trial(tmp_path / "two", workers=2)
    assert one[0]["settings"][0]["repeats"] == 6
    assert set(one[0]["versions"]) == {"python", "numpy", "scipy", "sklearn", "errlab"}


def test_more_repetitions_keep_the_old_ones(tmp_path):
    trial(tmp_path / "a", repeats=2)
    assert trial(tmp_path / "a") == trial(tmp_path / "b")


def test_a_stopped_study_resumes_after_a_cut_line(tmp_path):
    whole = trial(tmp_path)
    path = tmp_path / "trial.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    # cut within a line, as if the process had been killed while writing
    path.write_text("".join(lines[:5]) + lines[5][:-9])
    assert trial(tmp_path) == whole


def test_another_task_is_not_mixed_in_and_a_nan_is_refused(tmp_path):
    """The settings are equal, but results of 1.0 and 100.0 must not be averaged to 50.5."""
    trial(tmp_path)
    with pytest.raises(ValueError, match=r"trial\.jsonl must hold rows of task \w+, got rows of"):
        trial(tmp_path, not_a_number)
    with pytest.raises(ValueError, match="JSON compliant"):
        trial(tmp_path / "nan", not_a_number, [{}])


LENGTH = 3


def inner(x):
    """Twice."""
    return 2 * x


def outer(rng, n):
    return {"value": inner(n) * LENGTH, "inside": n in {"a", "b"}}


def test_the_fingerprint_of_a_task_is_that_of_what_it_does(monkeypatch):
    before = _rows.fingerprint(outer)
    assert before == _rows.fingerprint(outer)
    monkeypatch.setattr(sys.modules[__name__], "LENGTH", 4)
    assert _rows.fingerprint(outer) != before
    monkeypatch.undo()
    other_words = ("Two times.", *inner.__code__.co_consts[1:])
    monkeypatch.setattr(inner, "__code__", inner.__code__.replace(co_consts=other_words))
    assert _rows.fingerprint(outer) == before
    monkeypatch.setattr(inner, "__code__", (lambda x: 3 * x).__code__)
    assert _rows.fingerprint(outer) != before


BAD_LINES = ["not json", '["a", 1]', '{"a": 1}', '["a", "1", {}]', "[1, 1, {}]", "\0\0", "5"]


def test_a_bad_line_names_its_file_and_its_number(tmp_path):
    trial(tmp_path)
    path = tmp_path / "trial.jsonl"
    lines = path.read_text().splitlines()
    for line in BAD_LINES:
        fifth, first = [*lines[:4], line, *lines[4:]], [line, *lines[1:]]
        for bad, words in ((fifth, ", line 5 must be"), (first, "(, line 1)? must")):
            path.write_text("\n".join(bad) + "\n")
            with pytest.raises(ValueError, match=rf"trial\.jsonl{words}"):
                trial(tmp_path)


def test_time_limit_stops_and_says_how_many(tmp_path):
    summary, _ = trial(tmp_path, seconds=0.0)
    assert [entry["repeats"] for entry in summary["settings"]] == [1, 0]
    assert trial(tmp_path) == trial(tmp_path / "whole")


# --- small_samples


def test_small_samples_takes_the_effective_sizes_of_the_text():
    """K, L: n*, the different examples in a bootstrap sample; M: n - n* (footnotes 1 and 3)."""
    stored = json.loads((_run.RESULTS / "small_samples.json").read_text("utf-8"))
    for entry in stored["settings"]:
        n, widths = entry["setting"]["n"], entry["summary"]
        different = {30: 19, 50: 32}[n]
        for key, size in (("K", different), ("L", different), ("M", n - different)):
            ratio = widths[f"{key}* width"] / widths[f"{key} width"]
            # widths scale with the root of the size, but less near 0, and less for M because of its
            # prior
            assert ratio == pytest.approx(np.sqrt(n / size), rel=0.08)


def test_small_samples_tests_on_the_other_cases(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    table = np.column_stack([rng.normal(size=(270, 13)), np.resize([-1, 1], 270)])
    np.savetxt(tmp_path / "heart.csv", table, "%.6g", ",", header="the columns", comments="")
    monkeypatch.setenv("ERRLAB_DATA", str(tmp_path))
    small_samples.population.cache_clear()
    X, y, X_test, y_test = small_samples.draw(rng, "heart", 30)
    small_samples.population.cache_clear()
    assert X.shape == (30, small_samples.COMPONENTS)
    assert X_test.shape == (240, small_samples.COMPONENTS)
    assert not {tuple(row) for row in X} & {tuple(row) for row in X_test}
    assert len(y) + len(y_test) == 270
