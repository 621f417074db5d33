"""Public leaderboards with the errors of each model on each item of a public test."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._core.public import public
from errlab._core.spoken import Spoken

_PACKAGE = Path(__file__).parent / "data"
_IN_BOOK = Path("book", "data", "boards")  # in the book's repository, outside of the package
_BOOK = Path(__file__).parents[2] / _IN_BOOK
_ABOUT = {  # source and licence of each board
    "cifar10": (
        "Recht, Roelofs, Schmidt and Shankar, Do CIFAR-10 classifiers generalize to CIFAR-10? "
        "(2018), arXiv 1806.00451; predictions from github.com/modestyachts/CIFAR-10.1, commit "
        "d9982ab",
        "MIT",
    ),
    "imagenet": (
        "Recht, Roelofs, Schmidt and Shankar, Do ImageNet classifiers generalize to ImageNet? "
        "(ICML 2019); predictions from github.com/modestyachts/ImageNetV2, commit 0b0c3fe",
        "MIT",
    ),
    "livecodebench": (
        "Jain and others, LiveCodeBench (ICLR 2025); scores from "
        "github.com/LiveCodeBench/livecodebench.github.io, commit f186ab5",
        "CC BY-SA 4.0",
    ),
}
Arrays = Mapping[str, NDArray[Any]]  # arrays by name of the test set


@dataclass(frozen=True, repr=False)
class Leaderboard(Spoken):
    """A public leaderboard: the loss of each model on each item of its test sets.

    Attributes
    ----------
    name : str
        The name of the board.
    models : tuple of str
        The models, in the order of the rows of all losses.
    sets : tuple of str
        The test sets; the first is the original one.
    losses : mapping of str to ndarray, shape (models, items)
        The losses in [0, 1] for each set: 1 is an error; if each item was answered several times,
        the loss is 1 minus the fraction of correct answers. The row of a model that was not run on
        a set is nan, and `table` leaves it out.
    groups : mapping of str to ndarray, shape (items,)
        The group of each item, such as its problem, for sets with groups.
    classes : mapping of str to ndarray, shape (items,)
        The true class of each item, for sets with classes.
    published : mapping of str to ndarray, shape (items,)
        The day on which each item was published, for sets for which it is known.
    source, licence : str
        The source of the results, and their licence.
    """

    name: str
    models: tuple[str, ...]
    sets: tuple[str, ...]
    losses: Mapping[str, FloatArray]
    groups: Arrays
    classes: Arrays
    published: Arrays
    source: str
    licence: str

    def claim(self) -> str:
        """Return the numbers of models and items."""
        sizes = ", ".join(f"{name} ({self.losses[name].shape[1]})" for name in self.sets)
        return f"Leaderboard {self.name}, {len(self.models)} models; items: {sizes}; {self.licence}"

    __repr__ = claim

    def table(self, name: str) -> dict[str, FloatArray]:
        """Return the losses of each model that was run on a set, by the name of the model.

        `errlab.models` takes it as ``scores=`` with ``higher_is_better=False``.

        Parameters
        ----------
        name : str
            One of `sets`.

        Returns
        -------
        dict of str to ndarray, shape (items,)
            Losses in [0, 1].

        Raises
        ------
        ValueError
            If the board has no such set.

        Examples
        --------
        >>> import errlab
        >>> new = load_board("cifar10").table("new_v4")
        >>> best = errlab.models(scores=new, higher_is_better=False).models[0]
        >>> best.name, f"{best.estimate:.1%}", best.last
        ('shake_shake_26_2x64d_SSI_cutout16', '7.0%', 5)
        """
        rows = self.losses[checks.choice(name, "name", self.sets)]
        pairs = zip(self.models, rows, strict=True)
        return {model: row for model, row in pairs if not np.isnan(row).any()}


@public
def load_board(name: str, *, folder: str | os.PathLike[str] | None = None) -> Leaderboard:
    """Load a public leaderboard: the errors of each model on the old test set and on new ones.

    The three boards are ``"cifar10"``, 30 networks on 10,000 old images and on two new test sets of
    about 2,000; ``"imagenet"``, 65 networks on 50,000 old images and on three new test sets of
    10,000; ``"livecodebench"``, 38 language models that predict what 479 programs of 92 problems
    return, without and with a chain of thought, or that write programs for 348 dated problems.

    Parameters
    ----------
    name : {"cifar10", "imagenet", "livecodebench"}
        The board. CIFAR-10's comes with errlab. The other two are in the book's repository, and are
        found if errlab runs from there.
    folder : path, optional
        The folder with the board's file; by default errlab also looks in the current folder.

    Returns
    -------
    Leaderboard
        ``.models``, ``.sets``, ``.losses``, ``.groups``, ``.published``, ``.source``,
        ``.licence``, and ``.table(set)`` for `errlab.models`.

    Raises
    ------
    ValueError
        If there is no such board, or the folder doesn't contain it.
    TypeError
        If `folder` isn't a path.
    FileNotFoundError
        If the file of the board was not installed.

    Notes
    -----
    The losses on CIFAR-10 and ImageNet have the MIT licence, those of LiveCodeBench CC
    BY-SA 4.0: name the source, and share derived work under the same terms.

    References
    ----------
    Recht, Roelofs, Schmidt and Shankar (2018), arXiv 1806.00451, and ICML 2019; Jain and others
    (ICLR 2025).

    Examples
    --------
    >>> board = load_board("cifar10")
    >>> board
    Leaderboard cifar10, 30 models; items: test (10000), new_v4 (2021), new_v6 (2000); MIT
    >>> best = board.losses["test"].mean(axis=1).argmin()
    >>> board.models[best]
    'shake_shake_26_2x64d_SSI_cutout16'
    >>> [f"{board.losses[name][best].mean():.1%}" for name in board.sets]
    ['2.9%', '7.0%', '6.9%']
    """
    checks.choice(name, "name", _ABOUT)
    file = f"{name}.npz"
    if folder is None:
        paths = [_PACKAGE / file, _BOOK / file, Path(file)]
        missing: Exception = FileNotFoundError(
            f"{file} does not come with errlab: put it here, from {_IN_BOOK.as_posix()} of the "
            f'book\'s repository, or say load_board("{name}", folder=...)'
        )
    elif isinstance(folder, (str, os.PathLike)):
        paths = [Path(folder, file)]
        missing = ValueError(f"folder must hold {file}, but {folder} does not")
    else:
        raise TypeError(f"folder must be a path, got {checks.show(folder)}")
    path = next(filter(Path.is_file, paths), None)
    if path is None:
        raise missing
    with np.load(path) as archive:
        stored = dict(archive)
    sets = tuple(stored["sets"].tolist())

    for key, values in stored.items():
        if values.dtype == np.uint8:  # losses of 0 and 1 are stored as bits, eight to a byte
            items = len(stored[key.replace("losses", "classes")])
            stored[key] = np.unpackbits(values, axis=1, count=items).astype(float)
        elif key.endswith("published"):
            stored[key] = values.astype("datetime64[D]")
        stored[key].setflags(write=False)

    def part(key: str) -> Arrays:
        arrays = {name: stored[f"{name}.{key}"] for name in sets if f"{name}.{key}" in stored}
        return MappingProxyType(arrays)

    source, licence = _ABOUT[name]
    return Leaderboard(
        name=name,
        models=tuple(stored["models"].tolist()),
        sets=sets,
        losses=part("losses"),
        groups=part("groups"),
        classes=part("classes"),
        published=part("published"),
        source=source,
        licence=licence,
    )
