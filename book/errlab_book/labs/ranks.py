"""Which ranks of a public leaderboard are reliable, and how many items it takes to know."""

import base64
import io
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from errlab import models
from errlab.checks import FloatArray, IntArray
from errlab.cli.text import delimited
from errlab.datasets import load_board
from errlab.results import Models
from errlab.rounding import percent
from errlab.statements.loss_table import of_long
from errlab_book.figures import mode
from errlab_book.labs._lab import WORD, Lab, Option, Text, Whole, as_table, uniform
from errlab_book.plots.ranks import plot_ranks

SPLIT = np.datetime64("2023-09-01")  # LiveCodeBench's problems before that day, and from then on
OWN = "own"


class Choice(NamedTuple):
    """A board in the lab: its name, the names of its sets, and the name of its items."""

    label: str
    item: str
    group: str
    solved: bool  # whether the fraction of right answers is shown instead of errors
    sets: Mapping[str, str]


BOARDS = {
    "cifar10": Choice(
        "CIFAR-10: 30 networks",
        "image",
        "",
        False,
        {
            "test": "old images",
            "new_v4": "new images, v4",
            "new_v6": "new images, v6",
        },
    ),
    "imagenet": Choice(
        "ImageNet: 65 networks",
        "image",
        "",
        False,
        {
            "validation": "old images",
            "matched": "new: matched",
            "threshold07": "new: threshold 0.7",
            "top_images": "new: top images",
        },
    ),
    "livecodebench": Choice(
        "LiveCodeBench: 38 models",
        "program",
        "problem",
        True,
        {
            "execution": "predict outputs",
            "execution_cot": "predict outputs, thinking",
            "early": "write code, before Sept 2023",
            "late": "write code, since Sept 2023",
        },
    ),
}
SETS = [name for board in BOARDS.values() for name in board.sets]


class View(NamedTuple):
    """The losses of each model on a set, and the group of each item if there are groups.

    `rate` is True if each loss of the whole set is 0 or 1.
    """

    losses: dict[str, FloatArray]
    groups: IntArray | None
    rate: bool

    @property
    def units(self) -> int:
        """The number of units that can be drawn: items, or groups of items."""
        n = len(next(iter(self.losses.values())))
        return n if self.groups is None else int(self.groups.max()) + 1


@lru_cache(maxsize=8)
def view(board: str, name: str) -> View:
    """Return a set of a board as the lab shows it."""
    loaded = load_board(board)
    if name in ("early", "late"):
        since = loaded.published["generation"] >= SPLIT
        chosen_items = since if name == "late" else ~since
        return _viewed(
            {m: row[chosen_items] for m, row in loaded.table("generation").items()}, None
        )
    return _viewed(loaded.table(name), loaded.groups.get(name))


def _viewed(losses: dict[str, FloatArray], groups: object) -> View:
    """Number the groups in order of appearance."""
    rate = all(bool(np.isin(row, (0, 1)).all()) for row in losses.values())
    if groups is None:
        return View(losses, None, rate)
    names = np.asarray(groups).tolist()
    number = {group: i for i, group in enumerate(dict.fromkeys(names))}
    return View(losses, np.array([number[group] for group in names]), rate)


@lru_cache(maxsize=2)
def own_view(text: str) -> View:
    """Read a pasted board with columns model, item, score in [0, 1] (1 is right), perhaps group."""
    table = delimited(io.BytesIO(text.encode()), "text")
    roles = {"model": "model", "case": "item", "score": "score"}
    if "group" in table.names:
        roles["group"] = "group"
    table.read([table.need(name, "text") for name in roles.values()])
    columns: dict[str, Any] = {name: table.column(name) for name in roles.values()}
    columns["score"] = [float(score) for score in columns["score"]]
    board = of_long(columns, roles, None, True)
    return _viewed(dict(zip(board.names, board.losses, strict=True)), board.groups)


def _example() -> str:
    """Return a small board: three models, sixteen problems with five questions each."""
    level = uniform(3, 3 * 80).reshape(3, 80)
    hard = np.repeat(uniform(4, 16), 5) / 3
    rows = [
        f"{model},q{item + 1},{int(level[i, item] > hard[item] + 0.25 * i)},p{item // 5 + 1}"
        for i, model in enumerate(("large", "medium", "small"))
        for item in range(80)
    ]
    return "\n".join(["model,item,score,group", *rows])


EXAMPLE = _example()


@lru_cache(maxsize=8)
def coded(board: str) -> dict[str, Any]:
    """Return a board in the form that the page reads: item after item, in base64."""
    chosen = BOARDS[board]
    sets = {}
    for name, label in chosen.sets.items():
        losses, groups, rate = view(board, name)
        table = np.array([*losses.values()]).T  # items x models
        fields: dict[str, Any] = {"label": label, "models": [*losses], "n": len(table)}
        if rate:
            codes = np.packbits(table.astype(bool), axis=1)
        else:
            levels, places = np.unique(table, return_inverse=True)
            codes = places.reshape(table.shape).astype(np.uint8)
            fields["levels"] = levels.tolist()
        fields["codes"] = base64.b64encode(codes.tobytes()).decode()
        if groups is not None:
            fields["groups"] = groups.tolist()
        sets[name] = fields
    state = chosen._asdict() | {"sets": sets}
    return {**state, "source": load_board(board).source, "licence": load_board(board).licence}


def installed() -> list[str]:
    """Return the boards whose files are installed."""
    boards = []
    for name in BOARDS:
        try:
            load_board(name)
        except FileNotFoundError:
            continue
        boards.append(name)
    return boards


class Ranks(Lab):
    """A public board, item by item: how many items would show which of its models differ.

    Parameters
    ----------
    *columns : data frame, mapping of columns, or three or four arrays
        Your own board: model, item, score and perhaps group; instead of `text`.
    **values
        Start values of the attributes below.

    Attributes
    ----------
    board : str
        "cifar10", "imagenet", "livecodebench", or "own" for the one in `text`.
    test_set, beside : str
        The set that is shown, and the set that is compared with it, or "none".
    items : int
        Number of items (or groups of items) that are drawn; all of them if there are fewer.
    seed : int
        The seed of the draw.
    units, method : str
        "groups" or "items"; "proven" or "t": how models are compared if items come in groups.
    first, second : str
        The two models that are compared with each other; empty for the best two.
    text : str
        Your own board: a table with the columns model, item, score and perhaps group; empty for an
        example.

    Examples
    --------
    >>> lab = Ranks(items=200)
    >>> found = lab.found
    >>> len(found.pairs), len(found.different), found.models[0].last
    (435, 62, 20)
    """

    name = "ranks"
    title = "Which ranks are real?"
    python = (
        "labs.Ranks(board={board}, test_set={test_set}, items={items}, seed={seed}, "
        "units={units}, method={method}, text={text}).found"
    )
    address: ClassVar[dict[str, str]] = {
        "board": "board",
        "set": "test_set",
        "beside": "beside",
        "items": "items",
    }

    def __init__(self, *columns: Any, **values: Any) -> None:
        if columns:
            names = ("model", "item", "score")
            values |= {"board": OWN, "text": as_table(columns, names, (*names, "group"))}
        super().__init__(**values)

    board = Option("cifar10", [*BOARDS, OWN])
    test_set = Option("test", SETS)
    beside = Option("none", ["none", *SETS])
    items = Whole(50_000, 5, 100_000)
    seed = Whole(1, 0, WORD)
    units = Option("groups", ("groups", "items"))
    method = Option("proven", ("proven", "t"))
    first = Text("")
    second = Text("")
    text = Text("")

    @property
    def sets(self) -> list[str]:
        """The current set and, if there is one, the set beside it."""
        if self.board == OWN:
            return [OWN]
        names = [*BOARDS[self.board].sets]
        current = self.test_set if self.test_set in names else names[0]
        return [
            current,
            *([self.beside] if self.beside in names and self.beside != current else []),
        ]

    def _view_of(self, name: str) -> View:
        return own_view(self.text or EXAMPLE) if name == OWN else view(self.board, name)

    @property
    def names(self) -> list[str]:
        """The models that have results on each of these sets."""
        first, *others = (self._view_of(name).losses for name in self.sets)
        return [name for name in first if all(name in other for other in others)]

    @property
    def drawn(self) -> IntArray:
        """The drawn items in order; if items have groups, all items of some groups."""
        current = self._view_of(self.sets[0])
        level = uniform(self.seed, current.units)
        units = np.sort(np.argsort(level, kind="stable")[: self.items])
        if len(units) == current.units:
            units = np.arange(current.units)
        of_items = units if current.groups is None else np.isin(current.groups, units).nonzero()[0]
        return np.asarray(of_items, dtype=np.int64)

    @property
    def found(self) -> Models:
        """The result of `errlab.models` for the drawn items."""
        picked = {"first", "second"}  # of the models that were compared
        return _compared(tuple(item for item in self.values().items() if item[0] not in picked))

    def _compare(self) -> Models:
        current = self._view_of(self.sets[0])
        scores = {name: current.losses[name][self.drawn] for name in self.names}
        groups = None
        if current.groups is not None and self.units == "groups":
            groups = current.groups[self.drawn]
        alone = groups is None or len(np.unique(groups)) == len(groups)
        return models(
            scores=scores,
            range=None if current.rate else (0, 1),
            higher_is_better=False,
            groups=groups,
            # graded scores without groups are compared by the usual method
            method="t" if alone and not current.rate else self.method,
        )

    @property
    def other_errors(self) -> dict[str, float]:
        """The mean loss of each model on the set beside."""
        other = self._view_of(self.sets[1]).losses
        return {name: float(other[name].mean()) for name in self.names}

    @property
    def other_ranks(self) -> dict[str, int]:
        """The rank of each model on the set beside; equal models get the better rank."""
        errors = self.other_errors
        levels = np.array([*errors.values()])
        return {name: 1 + int((levels < error - 1e-12).sum()) for name, error in errors.items()}

    def sentences(self) -> list[str]:
        """Return how many pairs and ranks are shown, and how they compare with the set beside."""
        comparison = self.found
        best = comparison.models[0]
        verb = "solves" if self._solved else "gets"
        rate = percent(1 - best.estimate if self._solved else best.estimate)
        wrong = "" if self._solved else " wrong"
        last = f" may have any rank from 1 to {best.last}" if best.last > 1 else " is first"
        lines = [
            f"On {self._items(len(self.drawn))} {len(comparison.different)} of "
            f"{len(comparison.pairs)} pairs "
            f"of models are shown to differ.",
            f"{best.name} {verb} {rate}{wrong}, and{last}.",
        ]
        if len(self.sets) > 1:
            lines += self._beside()
        return lines

    @property
    def _solved(self) -> bool:
        return self.board == OWN or BOARDS[self.board].solved

    def _items(self, n: int) -> str:
        """Return how many items there are, and in how many groups."""
        chosen = BOARDS.get(self.board)
        noun = chosen.item if chosen else "item"
        groups = self._view_of(self.sets[0]).groups
        if groups is None and chosen and chosen.group:  # each problem is an item
            noun = chosen.group
        items = f"{n:,} {noun}{'s' if n != 1 else ''}"
        if groups is None:
            return items
        number = len(np.unique(groups[self.drawn]))
        group = (chosen.group if chosen else "") or "group"
        return f"{items} of {number} {group}{'s' if number != 1 else ''}"

    def _beside(self) -> list[str]:
        """Return the comparison of ranks and errors with the set beside."""
        comparison, errors, place = self.found, self.other_errors, self.other_ranks
        n_inside = sum(m.first <= place[m.name] <= m.last for m in comparison.models)
        ratio = [errors[m.name] / m.estimate for m in comparison.models if m.estimate > 0]
        sentence = (
            f"Beside: {n_inside} of {len(comparison.models)} ranks lie in their "
            "intervals; errors are "
            f"{min(ratio):.2f} to {max(ratio):.2f} times as large"
        )
        if not self._counted:
            return [f"{sentence}."]
        out = sum(not m.low <= errors[m.name] <= m.high for m in comparison.models)
        return [f"{sentence}, and {out} lie outside their own 95% intervals."]

    @property
    def _counted(self) -> bool:
        """Whether each error rate has a Clopper-Pearson interval."""
        current = self._view_of(self.sets[0])
        return current.rate and (current.groups is None or self.units == "items")

    def words(self) -> dict[str, Any]:
        """Return the boards: with a kernel all installed ones, on a page the current one."""
        boards = installed()
        inline = boards if mode() == "live" else [name for name in boards if name == self.board]
        return {
            "boards": {name: coded(name) for name in inline},
            "elsewhere": {name: script(name) for name in boards if name not in inline},
            "labels": {name: BOARDS[name].label for name in boards} | {OWN: "a board of your own"},
            "example": EXAMPLE,
        }

    def plot(self) -> Axes:
        """Return a plot of each rank's interval, and of the rank on the set beside if any."""
        place = self.other_ranks if len(self.sets) > 1 else {}
        return plot_ranks(self.found, place)


@lru_cache(maxsize=32)
def _compared(state: tuple[tuple[str, Any], ...]) -> Models:
    """Compare the models of a lab in this state, once for its sentences and its picture."""
    return Ranks(**dict(state))._compare()


def script(board: str) -> str:
    """Return the site's address of the script that contains a board."""
    return f"_static/boards/{board}.js"


def write_scripts(folder: Path) -> None:
    """Write the boards below a site's folder, for pages to load when the reader asks for them."""
    for board in installed():
        target = folder / script(board)
        target.parent.mkdir(parents=True, exist_ok=True)
        encoded = json.dumps(coded(board), ensure_ascii=False)
        target.write_text(f'(window.errlabBoards ??= {{}})["{board}"] = {encoded};\n', "utf-8")
