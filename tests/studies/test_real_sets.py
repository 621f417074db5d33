"""The real sets of the small-sample study: local files, and data from OpenML."""

from types import SimpleNamespace

import numpy as np
import pytest

from errlab import datasets
from studies import _real_sets as real_sets

# a file like that of the data set liver
LINES = ["a,b,c,d,e,f,label"]
LINES += [f"{i},{i % 7},0.5,1e-3,-2,{i * i},{(-1) ** i}" for i in range(345)]


def test_sources_are_the_sets_that_the_library_names():
    assert tuple(real_sets.SOURCES) == datasets.UCI


def test_load_reads_a_local_file_or_says_what_is_wrong_with_it(tmp_path, monkeypatch):
    monkeypatch.setenv("ERRLAB_DATA", str(tmp_path))
    (tmp_path / "liver.csv").write_text("\n".join(LINES))
    X, y = real_sets.load("liver")
    assert X[3].tolist() == [3, 3, 0.5, 1e-3, -2, 9]
    assert (y == np.resize([1, -1], 345)).all()
    (tmp_path / "liver.csv").write_text("\n".join(LINES[:-1]))
    with pytest.raises(ValueError, match="liver must have 345 examples of 6 features"):
        real_sets.load("liver")
    # OpenML lacks this one
    with pytest.raises(FileNotFoundError, match=r"mammogram.csv must stand .* 5 numeric features"):
        real_sets.load("mammogram")


# labels of OpenML, and how many of them count as positive
LABELS = [("ionosphere", ["g", "b", "b"], 117), ("liver", ["1", "2"], 172)]
LABELS += [("liver", [1.0, 2.0], 172), ("spam", ["0", "1"], 2300)]
LABELS += [("abalone", ["9", "10", "11"], 2784)]


def test_load_maps_what_openml_has(monkeypatch):
    monkeypatch.delenv("ERRLAB_DATA", raising=False)
    for name, target, positives in LABELS:
        source = real_sets.SOURCES[name]
        data = np.zeros((source.rows, source.features - (name == "abalone")))
        data[:, 0] = np.resize([0, 1, 2], source.rows)
        answer = SimpleNamespace(data=data, categories={"Sex": ["M", "F", "I"]})
        answer.target = np.resize(target, source.rows)
        monkeypatch.setattr(real_sets, "fetch_openml", lambda answer=answer, **_: answer)
        X, y = real_sets.load(name)
        assert X.shape == (source.rows, source.features)
        assert np.sum(y == 1) == positives, name
    # abalone comes last, and has two columns for sex
    assert X[:3, :2].tolist() == [[1, 0], [0, 1], [0, 0]]
    assert y[:3].tolist() == [-1, 1, 1]
