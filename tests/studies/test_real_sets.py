"""The real sets of the small-sample study: local files, and data from OpenML."""

from types import SimpleNamespace

import numpy as np
import pytest

from errlab import datasets
from studies import _real_sets as real_sets

HEADER = "a,b,c,d,e,f,label"
# a file like that of the data set liver
LINES = [f"{i},{i % 7},0.5,1e-3,-2,{i * i},{(-1) ** i}" for i in range(345)]


def test_sources_are_the_sets_that_the_library_names():
    assert tuple(real_sets.SOURCES) == datasets.UCI


def test_load_reads_a_local_file(tmp_path, monkeypatch):
    (tmp_path / "liver.csv").write_text("\n".join([HEADER, *LINES]))
    monkeypatch.setenv("ERRLAB_DATA", str(tmp_path))
    X, y = real_sets.load("liver")
    assert X[3].tolist() == [3, 3, 0.5, 1e-3, -2, 9]
    assert (y == np.resize([1, -1], 345)).all()


def test_load_refuses_a_file_with_other_cases(tmp_path, monkeypatch):
    (tmp_path / "liver.csv").write_text("\n".join([HEADER, *LINES[1:]]))
    monkeypatch.setenv("ERRLAB_DATA", str(tmp_path))
    with pytest.raises(ValueError, match="liver must have 345 examples of 6 features"):
        real_sets.load("liver")


def test_load_says_how_to_get_a_set_that_openml_lacks(tmp_path, monkeypatch):
    monkeypatch.setenv("ERRLAB_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"mammogram.csv must stand .* 5 numeric features"):
        real_sets.load("mammogram")


def openml(monkeypatch, rows, features, target, categories=None):
    data = np.arange(rows * features, dtype=float).reshape(rows, features)
    answer = SimpleNamespace(
        data=data, target=np.resize(target, rows), categories=categories or {}
    )  # fmt: skip
    monkeypatch.delenv("ERRLAB_DATA", raising=False)
    monkeypatch.setattr(real_sets, "fetch_openml", lambda **_: answer)
    return answer


@pytest.mark.parametrize(
    ("name", "target", "positives"),
    [
        ("ionosphere", ["g", "b", "b"], 117),
        ("liver", ["1", "2"], 172),
        ("liver", [1.0, 2.0], 172),
        ("spam", ["0", "1"], 2300),
    ],
)
def test_load_maps_the_labels_of_openml(monkeypatch, name, target, positives):
    source = real_sets.SOURCES[name]
    openml(monkeypatch, source.rows, source.features, target)
    X, y = real_sets.load(name)
    assert X.shape == (source.rows, source.features)
    assert np.sum(y == 1) == positives


def test_load_gives_abalone_two_columns_for_sex(monkeypatch):
    answer = openml(monkeypatch, 4177, 8, ["9", "10", "11"], {"Sex": ["M", "F", "I"]})
    answer.data[:, 0] = np.resize([0, 1, 2], 4177)
    X, y = real_sets.load("abalone")
    assert X[:3, :2].tolist() == [[1, 0], [0, 1], [0, 0]]
    assert y[:3].tolist() == [-1, 1, 1]
