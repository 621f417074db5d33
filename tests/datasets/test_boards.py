"""Public boards: their contents give the published accuracies, and can't be changed."""

import dataclasses
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from errlab.datasets import _boards as boards
from errlab.datasets import load_board

PUBLISHED = tomllib.loads((Path(__file__).parents[1] / "data" / "boards.toml").read_text("utf-8"))


def accuracies(board, *names):
    """Return the accuracies of each model on these sets, in per cent."""
    means = 100 * (1 - np.array([board.losses[name].mean(axis=1) for name in names]))
    return dict(zip(board.models, means.T, strict=True))


def test_cifar10_is_what_the_paper_says():
    board = load_board("cifar10")
    accuracy = accuracies(board, "test", "new_v4")
    assert set(PUBLISHED["cifar10"]) == set(accuracy)
    for model, published in PUBLISHED["cifar10"].items():
        assert accuracy[model] == pytest.approx(published, abs=0.0501), model
    for model, (without, *points) in PUBLISHED["cutout"].items():
        gains = accuracy[model] - accuracy[without]
        for gain, text in zip(gains, points, strict=True):
            digits = len(text.partition(".")[2])
            assert gain == pytest.approx(float(text), abs=0.1**digits), model


def test_imagenet_is_what_the_weights_and_the_paper_say():
    board = load_board("imagenet")
    accuracy = accuracies(board, "validation", "matched")
    for model, published in PUBLISHED["torchvision"].items():
        # one image is 0.002; alexnet has two more errors than torchvision says
        assert accuracy[model][0] == pytest.approx(published, abs=0.0041), model
    for model, published in PUBLISHED["matched"].items():
        assert accuracy[model] == pytest.approx(published, abs=0.0501), model
    for name, published in PUBLISHED["changes"].items():
        change = np.diff([*accuracies(board, "validation", name).values()]).mean()
        assert change == pytest.approx(published, abs=0.1), name


def test_scores_of_livecodebench_are_those_of_its_files():
    board = load_board("livecodebench")
    for name, sums in PUBLISHED["livecodebench"].items():
        scores = {model: 100 * (1 - board.table(name)[model]).sum() for model in sums}
        assert scores == pytest.approx(sums, abs=1e-6), name


@pytest.mark.parametrize("name", ["cifar10", "imagenet", "livecodebench"])
def test_a_board_is_whole_and_stays_as_it_is(name):
    board = load_board(name)
    assert len(board.models) == len(set(board.models))
    for name_of_set, losses in board.losses.items():
        assert len(losses) == len(board.models)
        assert [np.nanmin(losses), np.nanmax(losses)] == [0, 1]
        ran = ~np.isnan(losses).all(axis=1)
        assert not np.isnan(losses[ran]).any(), "run on all items, or on none"
        assert list(board.table(name_of_set)) == np.array(board.models)[ran].tolist()
        for part in (board.groups, board.classes, board.published):
            assert len(part.get(name_of_set, losses[0])) == losses.shape[1]
        with pytest.raises(ValueError, match="read-only"):
            losses[0, 0] = 1
    assert tuple(board.losses) == board.sets
    with pytest.raises(dataclasses.FrozenInstanceError):
        board.name = "other"
    with pytest.raises(TypeError):
        board.losses["own"] = losses
    assert board.licence in repr(board)


def test_what_is_not_there_is_said(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match=re.escape(f"must hold imagenet.npz, but {tmp_path}")):
        load_board("imagenet", folder=tmp_path)
    monkeypatch.setattr(boards, "_BOOK", tmp_path)  # as if the package were installed
    with pytest.raises(FileNotFoundError, match="from book/data/boards of the book's"):
        load_board("imagenet")
