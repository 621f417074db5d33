"""A bug that passes every check: the detective story's pictures, guesses and numbers."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from IPython.display import display
from matplotlib.ticker import MaxNLocator
from scipy import stats

from errlab import datasets
from errlab.style import Look, new_panels, styled
from errlab.training_set import LeastSquares
from errlab_book import explore, guesses, show, studies, tables
from errlab_book.chapters import WORDS
from errlab_book.plots.paper import ACCENT, FAINT, INK, SOFT, balanced, headline, write
from errlab_book.plots.paper import paper as canvas
from errlab_book.plots.small_samples_pairs import pairing, plot_pairing
from errlab_book.plots.small_samples_study import (
    NAMES,
    measured_cells,
    pick,
    printed_cells,
)

GUESSES = guesses.load(__file__)

REAL = list(datasets.UCI)
DISTANCES = (0, 1, 2, 3)  # distances between the two classes
RIVALS = ("K", "BS1", "BS2", "M", "L")
Samples = list[tuple[Any, Any, float]]
Bootstrap = Callable[..., Samples]
Cells = dict[str, tuple[float, float]]


# Pictures and tables, in the order of the page


def crime() -> Any:
    """Guess where the printed K fails, then show it next to ours."""
    paper, ours = k_beside().values()
    failed = [name for name in REAL if paper[name][0] < 0.8 * ours[name][0]]
    finding = f"On {WORDS[len(failed)]} of eight real data sets K fails in the paper, not here"
    # real sets first; within each kind, the sets with the largest difference first
    names = sorted(ours, key=lambda name: (name not in REAL, paper[name][0] - ours[name][0]))
    place = {name: k + 1.6 * (name not in REAL) for k, name in enumerate(names)}

    @styled
    def draw() -> Any:
        ax = canvas(350, 375)
        for name, y in place.items():
            ends = [100 * paper[name][0], 100 * ours[name][0]]
            bad = paper[name][0] < 0.8 * ours[name][0]
            ax.plot(ends, [y, y], color=INK, alpha=FAINT, lw=1.5)
            look: Look = {"color": ACCENT, "ms": 9} if bad else {"color": INK, "ms": 6}
            ax.plot(ends[0], y, "s", **look)
            ax.plot(ends[1], y, "o", color=INK, mfc="none", ms=7, mew=1.5)
        y = place[names[0]]
        write(ax, "paper", (100 * paper[names[0]][0], y), (0, 15), ha="center", weight="bold")
        write(ax, "here", (100 * ours[names[0]][0], y), (0, 15), ha="center")
        write(ax, "simulated data", (0, place[names[len(REAL)]] - 0.95), (0, 0), alpha=SOFT)
        # start at the first row, because higher up the line would cross the word
        ax.plot([95, 95], [y - 0.35, place[names[-1]] + 0.6], color=INK, alpha=FAINT, lw=1)
        ax.set(xlim=(0, 101), ylim=(place[names[-1]] + 0.6, -1.5))
        ax.set_yticks(list(place.values()), [NAMES[name] for name in place])
        ax.set_xticks([0, 50, 95], ["0", "50", "95%"])
        headline(ax, finding, "how often the 95% interval K is right", left=95)
        return ax

    widths = max(abs(paper[name][1] - ours[name][1]) for name in ours)
    words = ", ".join(NAMES[name] for name in far_off())
    display(GUESSES["crime"])
    return show(
        draw(),
        "Coverage of K, n = 50, a thousand training sets of each data set. Its mean width differs "
        f"by at most {np.ceil(100 * widths):.0f} points between the two.",
        alt="Twelve rows. Here the coverage is near the line at 95%, but for 3 Points. In the "
        f"paper it is far below on {words} and on two simulated sets.",
    )


def checks(bootstrap: Bootstrap) -> Any:
    """Show which checks a bootstrap passes if labels move with their examples, or stay."""
    first, again = drawn(bootstrap), drawn(bootstrap)
    rows: dict[str, Callable[[Any, Any], bool]] = {
        "every sample has n examples": lambda s, _: all(len(d) == 30 for d, _, _ in s),
        "no line is tested on an example that it saw": lambda s, _: (
            not any(set(drawn) & set(out) for drawn, out, _ in s)
        ),
        "37% of the examples are left out, on average": lambda s, _: (
            abs(np.mean([len(out) for _, out, _ in s]) / 30 - np.exp(-1)) < 0.02
        ),
        "every error lies between 0 and 1": lambda s, _: all(0 <= e <= 1 for _, _, e in s),
        "the errors differ from sample to sample": lambda s, _: len({e for _, _, e in s}) > 5,
        "the same seed gives the same errors": lambda s, t: (
            [e for *_, e in s] == [e for *_, e in t]
        ),
    }
    return tables.table(
        [
            {"check": name}
            | {scheme: bool(check(first[scheme], again[scheme])) for scheme in first}
            for name, check in rows.items()
        ],
        caption="Six checks, and none sees the bug",
    )


def witness() -> Any:
    """Guess, then move two classes apart and see which pairs miss the truth."""

    @styled
    def draw(separation: int) -> Any:
        rows = simulated()[separation]
        panels = plot_pairing(rows)
        right, broken = (rows.held(kind, 30) for kind in ("right", "broken"))
        panels[0].set_title(f"Right pairs contain the truth in {right:.0%}")
        panels[1].set_title(f"Broken pairs in {broken:.0%}")
        for panel in panels:
            patch: Any = panel.patches[0]
            edge = patch.get_x()
            write(panel, "truth\ninside", (edge, 0.36), (4, 0), alpha=SOFT)
            write(panel, "truth\nmissed", (0.34, 0.36), (0, 0), ha="right", alpha=SOFT)
        return panels

    def alt(separation: int) -> str:
        rows = simulated()[separation]
        right, broken = (rows.held(kind, 30) for kind in ("right", "broken"))
        return (
            f"mean true error {rows.truth.mean():.2f}; coverage {right:.0%} with right pairs, "
            f"{broken:.0%} with broken ones"
        )

    display(GUESSES["witness"])
    return explore(
        draw,
        separation=list(DISTANCES),
        start={"separation": 2},
        labels={"separation": "distance of the classes"},
        caption="200 training sets; in the grey band the interval contains the truth.",
        alt=alt,
    )


def distances() -> Any:
    """Show the coverage at each distance."""
    return tables.table(
        [
            {
                "distance": separation,
                "true error": rows.truth.mean(),
                "right pairs": rows.held("right", 30),
                "broken pairs": rows.held("broken", 30),
            }
            for separation, rows in simulated().items()
        ],
        caption="Coverage of K, n = 30",
        formats=dict.fromkeys(["true error", "right pairs", "broken pairs"], ".0%"),
    )


def line_up() -> Any:
    """Guess, then compare each printed rival with both kinds of pairs."""

    @styled
    def draw(method: str, n: int) -> Any:
        printed, *rest = (column(cells, 0) for cells in marks(method, n).values())
        off = differences(method, n)
        near = min(off, key=lambda word: off[word])
        finding = f"Rival {method}: the paper's coverage is more like “{near}”"
        if method == "CUD":  # clipping changes only ends outside of [0, 1], where no true error is
            finding = "CUD covers as much here, clipped or not, and less than in the paper"
        measured = dict(zip(off, rest, strict=True))
        return agreement(printed, measured, finding, "contains the truth, in the paper")

    def alt(method: str, n: int) -> str:
        summary = ", ".join(f"{word} {off:.2f}" for word, off in differences(method, n).items())
        return f"coverage on the real sets differs from the paper by, root mean square: {summary}"

    display(GUESSES["line_up"])
    return explore(
        draw,
        method=["K", "BS1", "M", "L", "CUD"],
        n=[30, 50],
        start={"n": 50},
        labels={"n": "training examples n"},
        caption="Coverage, measured upwards. On the line both agree; each mark is one of the eight "
        "real data sets.",
        alt=alt,
    )


def fitted() -> Any:
    """Show how close right and broken pairs are to the printed coverages."""
    return tables.table(
        list(fits().values()),
        caption="Broken pairs bring most coverages nearer to the printed ones. Eight real sets; "
        "error: root mean square difference; r: correlation",
        formats=dict.fromkeys(["right: error", "right: r", "broken: error", "broken: r"], ".2f"),
    )


def unmatched() -> Any:
    """Show the two data sets on which K doesn't match."""
    _, printed, pairs = stored()
    cells50 = {
        "paper": [printed_cells(printed, key, 50) for key in ("K", "Y")],
        "broken pairs": [measured_cells(pairs["settings"], key, 50) for key in ("K broken", "Y")],
    }
    sexes = next(
        row["summary"]
        for row in pairs["settings"]
        if row["setting"] == row["setting"] | {"data": "abalone_sex", "n": 50}
    )
    rows = [
        {"data": name.capitalize(), "whose": whose}
        | {"coverage of K": k[name][0], "width of Y": y[name][1]}
        for name in ("ionosphere", "abalone")
        for whose, (k, y) in cells50.items()
    ]
    rows += [
        {
            "data": "Abalone, male against female",
            "whose": "broken pairs",
            "coverage of K": sexes["K broken"],
            "width of Y": sexes["Y width"],
        }
    ]
    return tables.table(
        rows,
        caption="Where K does not match, n = 50; no bootstrap plays a part in the width of Y",
        formats={"coverage of K": ".2f", "width of Y": ".3f"},
    )


def fingerprint() -> Any:
    """Guess, then show the centres that the printed widths imply."""
    true, implied, pulled = centres()
    panels = styled(agreement)(
        implied,
        {"true error": true, "broken pairs": pulled},
        "The paper's centres are where broken pairs put them",
        "centre in the paper",
    )
    display(GUESSES["fingerprint"])
    return show(
        panels,
        "Centres of the rival K, n = 30, beside the true errors and the centres with broken pairs. "
        "Each mark: a real data set; on the line both agree.",
        alt="Two panels with eight marks each. The true errors are far from the line on both "
        "sides; the centres with broken pairs lie close to it.",
    )


def verdict() -> Any:
    """Show all differences, each with a reading that comes close to the printed numbers."""
    return tables.table(
        [*_pairs_readings(), *_copies_readings()],
        columns=["what the paper has", "what would give it", "how near it comes"],
        caption="Where the two studies differ: readings that come near the printed numbers",
    )


def _pairs_readings() -> list[tuple[str, str, str]]:
    """Return the differences of K, BS1 and Y, which broken pairs would explain."""
    v = readings()
    one_level, two_levels, wilson, wald = (v[k] for k in ("one", "two", "Wilson", "Wald"))
    y_fit = v["Y"]
    k50 = fits()["K, 50"]
    return [
        (
            "K, M, L and BS1 fail on easy sets",
            "broken pairs",
            f"K, n = 50: correlation {k50['broken: r']:.2f}",
        ),
        (
            "BS1 is wide",
            "quantiles of each sample's own estimate, one level of bootstrap, broken pairs",
            f"widths off by {one_level[0]:.2f} and {one_level[1]:.2f} (n = 30, 50); two "
            f"levels, as in errlab, by {two_levels[0]:.2f} and {two_levels[1]:.2f}",
        ),
        (
            "K's widths",
            "Wilson's formula with n examples, broken pairs",
            f"off by {wilson[0]:.3f} and {wilson[1]:.3f}; Wald's by "
            f"{wald[0]:.3f} and {wald[1]:.3f}. K's coverage fits Wald's better: open",
        ),
        (
            "Y covers, though K does not",
            "Y stands around its own estimate",
            f"correlation {y_fit['Y']:.2f}, around .632 {y_fit['Y .632']:.2f}",
        ),
    ]


def _copies_readings() -> list[tuple[str, str, str]]:
    """Return the differences that copied numbers and other definitions would explain."""
    v = readings()
    ratio = v["ratio"]
    return [
        (
            "M and L are the same at n = 30 and n = 50",
            f"a copy: {v['same']} of 24 pairs of cells agree",
            "which way is open: the widths are those of 30 examples, but M follows K of n = 50 "
            f"to {residual('M', 50, 'K', 50):.4f}, K of n = 30 to {residual('M', 30, 'K', 30):.4f}",
        ),
        (
            "the row of Diabetes",
            "a copy, too",
            f"coverage of BS1, BS2 and K, and the width of CUD: {v['diabetes']} of 4 agree at "
            "both sizes",
        ),
        (
            "CUD is wider than here",
            "its intervals are not clipped to [0, 1]",
            f"ours are {ratio[30][0]:.2f} of theirs, before clipping {ratio[30][1]:.2f} (n = 30); "
            f"{ratio[50][0]:.2f} and {ratio[50][1]:.2f} (n = 50)",
        ),
        (
            "the simulated sets",
            "their definitions are lost",
            "ours have the properties of Table 1, no more",
        ),
    ]


# Data


@cache
def stored() -> tuple[Any, Any, Any]:
    """Return our study, the paper's tables, and our study with broken pairs."""
    small, printed, pairs = ("small_samples", "laber_murphy_tables", "broken_pairs")
    return studies.load(small), studies.load(printed), studies.load(pairs)


def k_beside() -> dict[str, Cells]:
    """Return coverage and width of K with fifty examples, as printed and as measured."""
    study, printed, _ = stored()
    ours = measured_cells(study["settings"], "K", 50)
    return {"paper": printed_cells(printed, "K", 50), "here": ours}


def far_off() -> list[str]:
    """Return the real data sets on which the printed coverage of K is much lower than ours."""
    paper, ours = k_beside().values()
    return [name for name in REAL if ours[name][0] - paper[name][0] > 0.3]


def by_us(X: Any, y: Any, labels_move: bool, seed: int = 0, draws: int = 200) -> Samples:
    """Return for each sample the drawn examples, those left out, and the error on the latter."""
    rng, samples = np.random.default_rng(seed), []
    for _ in range(draws):
        drawn = rng.integers(len(y), size=len(y))
        out = np.setdiff1d(np.arange(len(y)), drawn)
        line = LeastSquares().fit(X[drawn], y[drawn] if labels_move else y)
        samples.append((drawn, out, float(np.mean(line.predict(X[out]) != y[out]))))
    return samples


def training_set() -> tuple[Any, Any]:
    """Return the thirty simulated examples of the six checks."""
    X, y, _ = datasets.gaussian_mixture(30, rng=8)
    return X, y


def drawn(bootstrap: Bootstrap = by_us) -> dict[str, Samples]:
    """Draw the samples of one training set, with right and with broken pairs."""
    X, y = training_set()
    ways = {"labels move": True, "labels stay": False}
    return {name: bootstrap(X, y, move) for name, move in ways.items()}


@cache
def simulated() -> dict[int, Any]:
    """Return estimates with right and broken pairs, for classes at several distances."""
    return {separation: pairing(separation, rng=1) for separation in DISTANCES}


def marks(method: str, n: int) -> dict[str, Cells]:
    """Return coverage and width in the paper, and as measured."""
    study, printed, pairs = stored()
    cells_by_source: dict[str, Cells] = {"paper": printed_cells(printed, method, n)}
    if method == "CUD":
        rows = pick(study["settings"], n).items()
        whole = {name: (row["CUD"], 2 * row["CUD half"]) for name, row in rows}
        measured = measured_cells(study["settings"], "CUD", n)
        return cells_by_source | {"here": measured, "here, not clipped": whole}
    return cells_by_source | {
        f"{kind} pairs": measured_cells(pairs["settings"], f"{method} {kind}", n)
        for kind in ("right", "broken")
    }


def apart(ours: Any, theirs: Any, names: Sequence[str]) -> tuple[float, float]:
    """Return root mean square difference and correlation, over some data sets."""
    a, b = (np.array([cells[name] for name in names]) for cells in (ours, theirs))
    return float(np.sqrt(np.mean((a - b) ** 2))), float(np.corrcoef(a, b)[0, 1])


def column(cells: Cells, which: int) -> dict[str, float]:
    """Return only the coverages (0) or the widths (1)."""
    return {name: cell[which] for name, cell in cells.items()}


def differences(method: str, n: int) -> dict[str, float]:
    """Return how far the coverages of both kinds of pairs are from the paper's."""
    (_, paper), *rest = marks(method, n).items()
    return {word: apart(column(c, 0), column(paper, 0), REAL)[0] for word, c in rest}


def agreement(
    printed: dict[str, float], measured: dict[str, dict[str, float]], finding: str, across: str
) -> Any:
    """Draw measured against printed values, one panel each; on the line both agree."""
    panels = new_panels(2, ncols=2, figsize=(350 / 72, 284 / 72))
    every = [cells[name] for cells in (printed, *measured.values()) for name in REAL]
    low, high = min(every), max(every)
    margin = 0.08 * (high - low)
    view = (100 * (low - margin), 100 * (high + margin))
    off = [apart(cells, printed, REAL)[0] for cells in measured.values()]
    for ax, (name, cells), far in zip(panels, measured.items(), off, strict=True):
        best = far == min(off) < max(off)
        ax.plot(view, view, color=INK, alpha=FAINT, lw=1)
        look: Look = {"marker": "s", "color": ACCENT} if best else {"marker": "o", "color": INK}
        ax.plot([100 * printed[one] for one in REAL], [100 * cells[one] for one in REAL], ls="",
                ms=7, mec="#ffffff", **look)  # fmt: skip
        write(ax, f"↑ {name}", (0, 1), (0, 9), of_axes=True, weight="bold" if best else "normal")
        ax.set(xlim=view, ylim=view)
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_locator(MaxNLocator(3, integer=True))
            axis.set_major_formatter("{x:g}%")
    panels[0].set_xlabel(across, x=1.1)
    panels[0].set_title("\n".join(balanced(finding, 40)), pad=43)
    key = "each mark: a data set; on the line both agree"
    write(panels[0], key, (0, 1), (0, 28), of_axes=True, alpha=SOFT, in_layout=False)
    return panels


def alike(at: Callable[[str, int], Cells]) -> int:
    """Count the coverages that agree to three digits for 30 and 50 examples."""
    return sum(
        round(at(key, 30)[name][0], 3) == round(at(key, 50)[name][0], 3)
        for key in ("M", "L")
        for name in REAL
    )


@cache
def fits() -> dict[str, dict[str, Any]]:
    """Return for each rival and size how close both kinds of pairs are to the paper."""
    rows = {}
    for method in RIVALS:
        for n in (30, 50):
            cells_by_source = marks(method, n)
            row: dict[str, Any] = {"rival": f"{method}, {n}"}
            for kind in ("right", "broken"):
                error, together = apart(
                    column(cells_by_source[f"{kind} pairs"], 0),
                    column(cells_by_source["paper"], 0),
                    REAL,
                )
                row |= {f"{kind}: error": error, f"{kind}: r": together}
            rows[row["rival"]] = row
    return rows


def centre_behind(width: float, n: int) -> float:
    """Invert the width of Wilson's interval, for a centre below one half."""
    z = stats.norm.isf(0.025)
    variance = n * ((width / (2 * z) * (1 + z**2 / n)) ** 2 - z**2 / (4 * n**2))
    return float(0.5 - np.sqrt(0.25 - variance))


@cache
def centres() -> tuple[dict[str, float], ...]:
    """Return true errors, centres implied by the paper's widths, and centres of broken pairs."""
    _, printed, pairs = stored()
    broken30 = pick(pairs["settings"], 30)
    k_width = column(printed_cells(printed, "K", 30), 1)
    return (
        {name: row["truth"] for name, row in broken30.items()},
        {name: centre_behind(width, 30) for name, width in k_width.items()},
        {name: row["centre broken"] for name, row in broken30.items()},
    )


def residual(key: str, n: int, other: str, at: int) -> float:
    """Return the root mean square residual of one column of widths, fitted linearly to another."""
    a, b = (
        np.array([w for name, w in column(printed_cells(stored()[1], k, m), 1).items()
                  if name != "chi2_small"])
        for k, m in ((key, n), (other, at))
    )  # fmt: skip
    return float(np.sqrt(np.mean((a - np.polyval(np.polyfit(b, a, 1), b)) ** 2)))


@cache
def readings() -> dict[str, Any]:
    """Return the content of the table with the verdict."""
    study, printed, pairs = stored()

    def off(rows: Any, key: str, other: str) -> list[float]:
        """Give how far measured widths are from printed ones, for both sizes."""
        return [
            apart(
                column(measured_cells(rows, key, n), 1),
                column(printed_cells(printed, other, n), 1),
                REAL,
            )[0]
            for n in (30, 50)
        ]

    every = {n: pick(study["settings"], n) for n in (30, 50)}
    return {
        "Wilson": off(pairs["settings"], "K Wilson broken", "K"),
        "Wald": off(pairs["settings"], "K broken", "K"),
        "one": off(pairs["settings"], "BS1 broken", "BS1"),
        "two": off(study["settings"], "BS1", "BS1"),
        "Y": {
            key: apart(
                column(measured_cells(study["settings"], key, 50), 0),
                column(printed_cells(printed, "Y", 50), 0),
                list(every[50]),
            )[1]
            for key in ("Y", "Y .632")
        },
        "ratio": {
            n: np.mean(
                [
                    np.array([row["CUD width"], 2 * row["CUD half"]])
                    / printed_cells(printed, "CUD", n)[name][1]
                    for name, row in rows.items()
                ],
                axis=0,
            )
            for n, rows in every.items()
        },
        "same": sum(
            printed_cells(printed, key, 30)[name] == printed_cells(printed, key, 50)[name]
            for name in every[30]
            for key in ("M", "L")
        ),
        "diabetes": sum(
            printed_cells(printed, key, 30)["diabetes"][i]
            == printed_cells(printed, key, 50)["diabetes"][i]
            for key, i in (("BS1", 0), ("BS2", 0), ("K", 0), ("CUD", 1))
        ),
    }


# Numbers


@cache
def numbers() -> list[str]:
    """Return the phrases whose numbers are computed."""
    study, printed, pairs = stored()
    k, at50 = k_beside(), pick(study["settings"], 50)
    easy = np.mean([at50[name]["truth"] for name in far_off()])
    hard = np.mean([at50[name]["truth"] for name in REAL if name not in far_off()])
    *rest, last = (NAMES[name] for name in far_off())
    minority, many = sorted(np.unique(training_set()[1], return_counts=True)[1])
    mean = {scheme: np.mean([error for *_, error in s]) for scheme, s in drawn().items()}
    at = simulated()
    in_print = alike(lambda key, n: printed_cells(printed, key, n))
    right_pairs = alike(lambda key, n: measured_cells(pairs["settings"], f"{key} right", n))
    k50, bs50 = fits()["K, 50"], fits()["BS1, 50"]
    bs2 = max(abs(fits()[f"BS2, {n}"]["broken: r"]) for n in (30, 50))
    true, implied, pulled = centres()
    near = [np.mean([abs(implied[n] - cells[n]) for n in REAL]) for cells in (true, pulled)]
    return [
        f"in {k['paper']['heart'][0]:.0%} of the training sets, ours in "
        f"{k['here']['heart'][0]:.0%}.",
        f"({', '.join(rest)} and {last})",
        f"gets {easy:.0%} of the examples wrong",
        f"on which it gets {hard:.0%} wrong",
        f"On {minority + many} simulated examples, {minority} of one class and {many} of the other",
        f"is {mean['labels move']:.0%} with right pairs and {mean['labels stay']:.0%} with broken",
        f"at distance 3 the coverage falls to {at[3].held('broken', 30):.0%}",
        f"At distance 0 it stays at {at[0].held('broken', 30):.0%}",
        f"on the real sets {in_print} of the {2 * len(REAL)} printed coverages of M and L",
        f"of those that we measured, {right_pairs}.",
        f"rises from {k50['right: r']:.2f} to {k50['broken: r']:.2f} once",
        f"falls from {bs50['right: error']:.2f} to {bs50['broken: error']:.2f}",
        f"correlations of {bs2:.2f} at most",
        f"is {near[0]:.2f} from the true error on average, and {near[1]:.2f} from",
    ]


GIVEN = [
    'at "95%"',
    "thirty examples and no test set",
    "20 minutes",
    "training sets of fifty examples",
    "Try distance 0",
    "differ between 30 and 50 examples",
]
