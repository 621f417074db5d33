"""Confusion matrices and curves: the chapter's pictures, guesses and numbers."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from scipy.stats import norm
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import errlab
from errlab import bounds, metrics
from errlab.style import Look, styled
from errlab_book import explore, guesses, labs, outward, show, tables
from errlab_book.plots.curves import plot_discoveries, plot_prevalence
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, SOFT, headline, paper, write
from errlab_book.widgets import redrawn

GUESSES = guesses.load(__file__)

FEW = 10  # tumours in a bin, below which an interval says next to nothing

HALF, LOW = 0.5, 0.07  # Ida's threshold, and one that finds every malignant tumour
RATES = {
    "TPR": "sensitivity, or recall (TPR)",
    "TNR": "specificity (TNR)",
    "PPV": "precision (PPV)",
    "NPV": "negative predictive value (NPV)",
    "ACC": "accuracy (ACC)",
    "PRE": "prevalence (PRE)",
}


# Pictures, in the order of the chapter


def three_wrong() -> Any:
    """Show the test tumours of both kinds, and the three that the classifier gets wrong."""
    table = matrix(HALF)

    @styled
    def draw() -> Any:
        ax = paper(350, 205)
        columns = 12
        for left, kind, count, wrong, name in (
            (0, "malignant", table.positives, table.fn, "missed"),
            (columns + 2, "benign", table.negatives, table.fp, "false alarm"),
        ):
            y, x = np.divmod(np.arange(count), columns)
            fine = np.arange(count) < count - wrong
            ax.plot(left + x[fine], y[fine], "o", color=INK, alpha=BODY, ms=6, mew=0)
            ax.plot(left + x[~fine], y[~fine], "s", color=ACCENT, ms=9)
            write(ax, f"{count} {kind}", (left - 0.5, -1.3), (0, 0))
            write(ax, f"{wrong} {name}", (left + x.max(), y[-1]), (0, -20), ha="right",
                  weight="bold")  # fmt: skip
        ax.set(xlim=(-0.6, 2 * columns + 1.6), ylim=(12.5, -1.6), xticks=[], yticks=[])
        ax.spines["bottom"].set_visible(False)
        alarms = f"{table.fp} false alarm{'s' * (table.fp != 1)}"
        finding = f"{table.fn + table.fp} of {table.n} wrong: {table.fn} cancers missed, {alarms}"
        headline(ax, finding)
        return ax

    return show(
        draw(),
        "Each mark: a tumour that the classifier never saw in training. Squares: its mistakes.",
        alt=f"Two blocks of dots. Of {table.positives} malignant tumours {table.fn} are marked as "
        f"missed; of {table.negatives} benign ones {table.fp} as a false alarm.",
    )


def four_counts() -> Any:
    """Show the confusion matrix as a table with its totals."""
    table = matrix(HALF)
    return tables.table(
        [
            ("malignant", f"TP = {table.tp}", f"FP = {table.fp}", table.called_positive),
            ("benign", f"FN = {table.fn}", f"TN = {table.tn}", table.called_negative),
            ("sum", table.positives, table.negatives, table.n),
        ],
        columns=("called", "malignant", "benign", "sum"),
        caption="What was called (rows), and what it was (columns)",
    )


def rates() -> Any:
    """Show six rates, each with the interval for its own denominator."""
    rows = [row for row in metrics.rate_intervals(matrix(HALF)) if row.key in RATES]
    return tables.table(
        [
            (RATES[row.key], f"{row.hits}/{row.among}", outward(row.low, row.high))
            for row in sorted(rows, key=lambda row: list(RATES).index(row.key))
        ],
        columns=("rate", "count", "95% interval"),
        caption="A rate is as sharp as its own denominator: six rates with exact intervals",
    )


def name_halves(ax: Axes, threshold: float, *, malignant: int, benign: int) -> None:
    """Label the axis of log odds in probabilities, and both halves of the tumours."""
    ax.set(yticks=[], ylim=(-16, 9.5), xlabel="model's probability of malignant")
    write(ax, f"{malignant} malignant ↑", (1, 1), (0, -6), of_axes=True, ha="right")
    write(ax, f"{benign} benign ↓", (1, 0), (0, 10), of_axes=True, ha="right")
    write(ax, "alarm →", (threshold, -15), (6, 0), alpha=SOFT)
    marks = np.array([1e-4, 0.5, 0.9999])
    ax.set_xticks(np.log(marks / (1 - marks)), [f"{100 * m:g}%" for m in marks])


def threshold(four_counts: Callable[..., Any]) -> Any:
    """Guess, then move the threshold over the tumours; the notebook counts."""
    ill, p, _ = tumours()
    odds = np.log(p / (1 - p))
    wide = np.ptp(odds) / 58  # width of a dot

    @styled
    def draw(four_counts: Callable[..., Any], percent: int) -> Any:
        cut = percent / 100
        where = np.log(cut / (1 - cut))
        tp, fp, fn, tn = map(int, four_counts(ill, p, cut))
        # columns begin at the threshold, so that each dot is on its own side
        column = np.floor((odds - where) / wide)
        ax = paper(350, 320)
        ax.axvline(where, color=INK, lw=1.5)
        for kind, side, name in ((1, 1, "missed"), (0, -1, "false alarm")):
            mine = np.flatnonzero(ill == kind)
            level = np.array([np.sum(column[mine[:i]] == column[j]) for i, j in enumerate(mine)])
            x, y = where + (column[mine] + 0.5) * wide, side * (level + 0.8)
            wrong = (p[mine] > cut) != kind
            ax.plot(x[~wrong], y[~wrong], "o", color=INK, alpha=BODY, ms=5, mew=0)
            ax.plot(x[wrong], y[wrong], "s", color=ACCENT, ms=6.5, mec="#ffffff", mew=0.8)
            count = fn if kind else fp
            words = f"{count or 'no'} {name}{'s' * (kind == 0 and count != 1)}"
            # above the mistakes or beyond them, where there are no dots
            edge, height = (where, 7.2) if kind else (max(x[wrong], default=where), -7)
            write(ax, words if count or not kind else "none missed", (edge, height),
                  (-7 * side, 0), ha="right" if kind else "left", weight="bold")  # fmt: skip
        ax.set_xlim(odds.min() - 1, odds.max() + 1)
        name_halves(ax, where, malignant=tp + fn, benign=fp + tn)
        missed = f"{fn} of {tp + fn} malignant tumours are missed"
        headline(ax, f"Alarm above {percent}%: {missed}", "Each mark: a tumour; squares: mistakes")
        return ax

    def alt(four_counts: Callable[..., Any], percent: int) -> str:
        tp, fp, fn, tn = four_counts(ill, p, percent / 100)
        return (
            f"{tp} of {tp + fn} malignant tumours are found and {fp} of "
            f"{fp + tn} benign ones raise an alarm"
        )

    display(GUESSES["threshold"])
    return explore(
        draw,
        by=four_counts,
        percent=[1, 2, 5, 7, 10, 20, 50, 80, 90, 99],
        start={"percent": 50},
        labels={"percent": "malignant above a probability of, in %"},
        caption="Malignant tumours are stacked upwards, benign ones downwards; the axis is "
        "stretched near 0 and 100%, where most of them lie.",
        alt=alt,
    )


@redrawn
def roc_point(roc: Callable[..., Any]) -> Any:
    """Show a corner of the notebook's ROC curve, with some thresholds."""
    ill, p, _ = tumours()
    fpr, tpr = roc(ill, p)
    half = matrix(HALF)
    low = matrix(LOW)

    @styled
    def draw() -> Any:
        ax = paper(350, 250)
        ax.plot(100 * fpr, 100 * tpr, color=INK, lw=2)
        for percent, shift in ((99, (10, 14)), (50, (10, -28)), (7, (-8, -30))):
            at = matrix(percent / 100)
            x, y = 100 * at.fp / at.negatives, 100 * at.tp / at.positives
            hers = percent == 100 * HALF
            mark, colour = ("s", ACCENT) if hers else ("o", INK)
            ax.plot(x, y, mark, color=colour, ms=10 if hers else 6, clip_on=False)
            words = f"alarm above {percent}%:\n{at.fn or 'none'} missed,\n"
            words += f"{at.fp or 'no'} false alarm{'s' * (at.fp > 1)}"
            write(ax, words, (x, y), shift, weight="bold" if hers else "normal")
        ax.set(xlim=(-0.3, 14), ylim=(74, 100.6), xticks=[0, 5, 10], yticks=[80, 90, 100])
        ax.set_xlabel("false positive rate")
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter("{x:g}%")
        headline(
            ax, f"The last {half.fn} tumours cost {low.fp - half.fp} more false alarms",
            "ROC curve near its corner: true against false positive rate",
        )  # fmt: skip
        return ax

    return show(
        draw(),
        "Square: Ida's threshold of one half. The axes are cut to the upper left corner.",
        alt=f"A curve rises steeply to a square at {half.tp} of {half.positives} and {half.fp} "
        f"false alarm, then runs right in steps; all are found at {low.fp} false alarms.",
    )


def drag() -> Any:
    """Guess, then drag a threshold between two hills of scores."""
    table = matrix(HALF)
    display(GUESSES["drag"])
    return labs.Confusion(tp=table.tp, fp=table.fp, fn=table.fn, tn=table.tn)


@redrawn
def two_detectors(roc: Callable[..., Any], in_order: Callable[..., Any]) -> Any:
    """Show the ROC curves of both classifiers on the same tumours, computed as in the notebook."""
    ill, p, q = tumours()
    scores_by_model = {"logistic regression": p, "nearest neighbours": q}
    areas = {name: float(in_order(ill, scores).mean()) for name, scores in scores_by_model.items()}

    @styled
    def draw() -> Any:
        ax = paper(350, 290)
        for name, scores in scores_by_model.items():
            fpr, tpr = roc(ill, scores)
            mine = scores is p
            width, dash, bold = (2.4, "-", "bold") if mine else (1.6, "--", "normal")
            ax.plot(100 * fpr, 100 * tpr, color=INK, lw=width, ls=dash, clip_on=False)
            place = (101, 106) if mine else (101, 84)
            write(ax, f"{name}: area {areas[name]:.3f}", place, (0, 0), ha="right", weight=bold)
        grid = np.linspace(0, 1, 401)
        upper, lower = (100 * np.interp(grid, *roc(ill, scores)) for scores in (p, q))
        ax.fill_between(100 * grid, lower, upper, facecolor=ACCENT, hatch="///",
                        edgecolor="#ffffff", lw=0)  # fmt: skip
        ax.set(xlim=(0, 101), ylim=(0, 110), xticks=[0, 50, 100], yticks=[0, 50, 100])
        ax.set_xlabel("false positive rate")
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter("{x:g}%")
        one, other = areas.values()
        finding = "Both have the same area under their curves"
        if one != other:
            winner = "Logistic regression has" if one > other else "Nearest neighbours have"
            finding = f"{winner} more area under {'its' if one > other else 'their'} curve"
        headline(
            ax, finding,
            "ROC curves: true against false positive rate. Hatched: the difference",
        )  # fmt: skip
        return ax

    return show(
        draw(),
        "Area under the curve of each model, on the same 200 test tumours.",
        alt="Two rising curves. That of the logistic regression climbs almost straight to the "
        "top left corner; that of the neighbours rounds it, further from it. The strip between "
        "them is hatched.",
    )


def population(precision_at: Callable[..., Any]) -> Any:
    """Guess, then explore one detector in other populations, using the notebook's formula."""

    def draw(precision_at: Callable[..., Any], percent: float, shift: float) -> Any:
        return plot_prevalence(percent / 100, shift=shift, precision=precision_at)

    def alt(precision_at: Callable[..., Any], percent: float, shift: float) -> str:
        right = precision_at(norm.cdf(1), norm.sf(shift - 1), percent / 100)
        return f"with {percent}% positives, distance {shift}, precision is {right:.1%}"

    display(GUESSES["population"])
    return explore(
        draw,
        by=precision_at,
        percent=[50, 20, 10, 5, 1, 0.1],
        shift=[1, 1.5, 2, 3, 4],
        start={"percent": 10, "shift": 2},
        labels={"percent": "positives, in %", "shift": "distance of the classes"},
        caption="Square: the threshold that finds 84% of the positives. The distance is counted in "
        "standard deviations of the scores.",
        alt=alt,
    )


def draw_bin(ax: Axes, row: Sequence[float], *, wrong: bool) -> None:
    """Draw a bin: the interval of its true fraction, the fraction itself, and the count above."""
    predicted, hits, count, low, high = row
    plain: Look = {"color": INK, "alpha": BODY, "lw": 4}
    look: Look = {"color": ACCENT, "lw": 6} if wrong else plain
    if count >= FEW:
        ax.plot([100 * predicted] * 2, [100 * low, 100 * high],
                solid_capstyle="butt", clip_on=False, **look)  # fmt: skip
    mark: Look = {"marker": "o", "ms": 6, "color": INK}
    if wrong:
        mark = {"marker": "s", "ms": 9, "color": ACCENT, "mec": "#ffffff"}
    if count < FEW:
        mark = {"marker": "o", "ms": 6, "color": INK, "mfc": "none"}
    ax.plot(100 * predicted, 100 * hits / count, ls="", clip_on=False, **mark)
    write(ax, f"{count}", (100 * predicted, 108), (0, 0), ha="center")


def draw_ticks(ax: Axes, probabilities: Any, ill: Any) -> None:
    """Draw a tick for each tumour at its probability: malignant ones above, benign ones below."""
    for kind, height in ((1, 103), (0, -4)):
        stated = probabilities[ill == kind]
        between = (stated > 0.1) & (stated < 0.9)
        for some, alpha, mew in ((~between, BODY, 1.0), (between, 1.0, 2.0)):
            x = np.unique(np.round(100 * stated[some], 1))  # one tick where many coincide
            ax.plot(x, np.full(len(x), height), "|", color=INK, alpha=alpha, mew=mew, ms=7)


def calibration(bins: Callable[..., Any]) -> Any:
    """Guess, then compare what each model says with what came true, in the notebook's bins."""
    ill, p, q = tumours()
    probabilities = {"logistic regression": p, "nearest neighbours": q}

    @styled
    def draw(bins: Callable[..., Any], model: str) -> Any:
        rows = with_intervals(bins(ill, probabilities[model]))
        ax = paper(350, 335)
        ax.plot([0, 100], [0, 100], color=INK, alpha=FAINT, lw=1)
        off = [row for row in rows if not row[3] <= row[0] <= row[4]]
        middle = [] if off else rows[1:-1]
        for row in rows:
            draw_bin(ax, row, wrong=row in off)
        draw_ticks(ax, probabilities[model], ill)
        write(ax, "tumours:", (-3, 118), (0, 0), alpha=SOFT)
        n_middle = sum(row[2] for row in middle)
        if middle:
            # one bracket over both counts, so that readers needn't add them up
            ends = [100 * middle[0][0] - 2, 100 * middle[-1][0] + 2]
            ax.plot(np.repeat(ends, 2), [110.5, 112.5, 112.5, 110.5], color=ACCENT, lw=2)
            write(ax, f"only {n_middle} in all", (np.mean(ends), 117.5), (0, 0), ha="center",
                  weight="bold")  # fmt: skip
        ticks = [0, 25, 50, 75, 100]
        ax.set(xlim=(-4, 104), ylim=(-6, 121), xticks=ticks, yticks=ticks)
        ax.set_xlabel("probability that the model says")
        for axis in (ax.xaxis, ax.yaxis):
            axis.set_major_formatter("{x:g}%")
        title = f"Only {n_middle} of {len(ill)} tumours lie between 10% and 90%"
        if off:
            title = (
                f"Nearest neighbours said {off[0][0]:.0%}: {off[0][1]} of {off[0][2]} are malignant"
            )
        headline(ax, title, "Upwards: malignant, with 95% intervals; thin line: as the model says")
        return ax

    def alt(bins: Callable[..., Any], model: str) -> str:
        rows = bins(ill, probabilities[model])
        parts = (f"at {predicted:.0%} {hits} of {n}" for predicted, hits, n in rows)
        return "malignant are " + ", ".join(parts)

    display(GUESSES["calibration"])
    return explore(
        draw,
        by=bins,
        model=list(probabilities),
        labels={"model": "model"},
        caption="Dots: what came true in the tumours of a tenth; hollow: of fewer than ten. Bars: "
        "exact intervals; a square where it leaves out what the model says. Ticks: each tumour.",
        alt=alt,
    )


def discoveries(discoveries: Callable[..., Any]) -> Any:
    """Guess, then explore the length of the notebook's list at each false discovery rate."""
    belief = genes()

    def draw(discoveries: Callable[..., Any], percent: int) -> Any:
        return plot_discoveries(belief, number=int(discoveries(belief, percent / 100)))

    def alt(discoveries: Callable[..., Any], percent: int) -> str:
        number = discoveries(belief, percent / 100)
        doubt = np.sort(1 - belief)[:number].max(initial=0)
        return f"{percent}% accepted: {number} genes, the last doubtful by {doubt:.0%}"

    display(GUESSES["discoveries"])
    return explore(
        draw,
        by=discoveries,
        percent=[1, 2, 5, 10, 20],
        start={"percent": 1},
        labels={"percent": "false ones accepted, in %"},
        caption="Genes in the order of their probability; dashed: each gene. The lower square is "
        "the mean of all on the list.",
        alt=alt,
    )


# Data


@cache
def tumours() -> tuple[Any, Any, Any]:
    """Train Ida's two models; return the labels of 200 tumours, and both models' probabilities."""
    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=200, random_state=3)
    logistic = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    neighbours = KNeighborsClassifier().fit(X_train, y_train)
    p, q = (model.predict_proba(X_test)[:, 0] for model in (logistic, neighbours))
    return y_test == 0, p, q


@cache
def third() -> Any:
    """Return the probabilities of naive Bayes, which an exercise compares with the neighbours."""
    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, _ = train_test_split(X, y, test_size=200, random_state=3)
    return GaussianNB().fit(X_train, y_train).predict_proba(X_test)[:, 0]


def matrix(cut: float) -> metrics.Confusion:
    """Return the confusion matrix of the logistic regression at one threshold."""
    ill, p, _ = tumours()
    return metrics.confusion_at(ill, p, cut)


def accuracy() -> Any:
    """Return Ida's accuracy with its interval."""
    return metrics.rate_interval(matrix(HALF), "accuracy")


def with_intervals(rows: Any) -> list[tuple[float, int, int, float, float]]:
    """Add to mean probability, malignant ones and tumours of each bin the exact interval."""
    ends = [bounds.interval("CP", errors=int(hits), n=int(count)) for _, hits, count in rows]
    return [
        (float(predicted), int(hits), int(count), float(low), float(high))
        for (predicted, hits, count), (low, high) in zip(rows, ends, strict=True)
    ]


def bins(ill: Any, p: Any) -> list[tuple[float, int, int, float, float]]:
    """Return of each tenth in use: mean probability, malignant, tumours, and the exact interval."""
    place = np.minimum((10 * p).astype(int), 9)
    parts = [place == k for k in np.unique(place)]
    return with_intervals([(p[mine].mean(), ill[mine].sum(), mine.sum()) for mine in parts])


def gap(ill: Any, p: Any) -> float:
    """Return the expected calibration error: the mean gap of the bins, weighted by their counts."""
    rows = bins(ill, p)
    return sum(abs(hits - count * predicted) for predicted, hits, count, *_ in rows) / len(ill)


def perfect(runs: int = 500) -> float:
    """Return the mean gap for labels drawn from Ida's probabilities, which are thus calibrated."""
    _, p, _ = tumours()
    rng = np.random.default_rng(0)
    return float(np.mean([gap((rng.random(len(p)) < p).astype(int), p) for _ in range(runs)]))


@cache
def genes() -> Any:
    """Simulate 2,000 genes, a tenth of them active; return the probability that each one is."""
    rng = np.random.default_rng(8)
    active = rng.random(2000) < 0.1
    signal = rng.normal(size=2000) + 3 * active
    odds = 0.1 / 0.9 * norm.pdf(signal - 3) / norm.pdf(signal)
    return odds / (1 + odds)


# Phrases with computed numbers: a test looks for each in the prose, and lists all other numbers


@cache
def numbers() -> list[str]:
    """Return the chapter's phrases whose numbers are computed, rounded as in the text."""
    ill, p, q = tumours()
    table, low = matrix(HALF), matrix(LOW)
    recall = metrics.rate_interval(table, "sensitivity")
    wide = (recall.high - recall.low) / (accuracy().high - accuracy().low)
    better = errlab.metric(ill, p, q, metric="roc_auc")
    area, bayes, five = (errlab.metric(ill, s, metric="roc_auc") for s in (p, third(), q))
    ahead = errlab.metric(ill, third(), q, metric="roc_auc")
    rare = metrics.precision_at(norm.cdf(1), norm.sf(3), 0.001)
    hers, other = bins(ill, p), bins(ill, q)
    hers_eer, other_eer = (
        metrics.equal_error_rate(*metrics.roc(ill, scores)[:2]) for scores in (p, q)
    )
    middle = table.n - hers[0][2] - hers[-1][2]
    last = np.sort(1 - genes())[metrics.fdr_threshold(genes(), 0.05).number - 1]
    return [
        f"got {table.tp + table.tn} of {table.n} tumours right",
        f"missed {table.fn} of the {table.positives} malignant tumours",
        f"from {outward(recall.low, recall.high)}",
        f"a fraction is {recall.hits} of {recall.among}",
        f"sensitivity is {wide:.1f} times as wide",
        f"At {LOW:.0%} every malignant tumour is found, at the cost of {low.fp} false alarms",
        f"higher by {better.estimate:.3f}",
        f"{outward(better.low, better.high, '.3f')}, leaves out zero",
        f"a precision of only {rare:.0%}",
        f"{hers_eer:.1%} for her model and {other_eer:.1%} for the neighbours",
        f"said of {other[0][2]} tumours",
        f"and {other[0][1]} of them were",
        f"would show a gap of {100 * perfect():.1f} points on {table.n} tumours",
        f"the {table.negatives} benign ones then",
        f"The neighbours give {other[0][2]} tumours",
        f"stands on {table.n} tumours",
        f"The {table.positives * table.negatives:,} pairs come from {table.n} tumours",
        f"left of her precision of > {table.rate('PPV').value:.1%}",
        f"On {table.n} test tumours, {table.positives} of them malignant, the classifier found "
        f"{recall.hits} of these: a sensitivity of {recall.value:.1%} (exact 95% interval "
        f"{outward(recall.low, recall.high)}), with {table.fp} false alarm",
        f"is {area.estimate:.3f} (95% interval {outward(area.low, area.high, '.3f')}, approx",
        f"of its {table.n} probabilities, {middle} lie between 10% and 90%",
        f"At 5% the last gene on the list is {last:.0%} doubtful",
        f"has the interval {outward(bayes.low, bayes.high, '.3f')}, that of the neighbours "
        f"{outward(five.low, five.high, '.3f')}",
        f"(difference {ahead.estimate:.3f}, 95% interval {outward(ahead.low, ahead.high, '.3f')})",
    ]


# Edits that the reader is asked to make, in the form of the chapter on the bootstrap
BREAKS = {
    "It falls from 0.0181 to 0.0018, as if ten times as much": (
        "return np.sqrt(sum(variances))", "return pairs.std() / np.sqrt(pairs.size)",
        lambda book: _of_pairs(book["standard_error"](*neighbours())),
    ),
    "55.9%, because 99 healthy people": (
        "tpr, fpr, prevalence = 69 / 71, 1 / 129, 71 / 200",
        "tpr, fpr, prevalence = 69 / 71, 1 / 129, 0.01",
        lambda book: (
            f"{book['precision_at'](book['tpr'], book['fpr'], book['prevalence']):.1%}, because "
            f"{99 if book['prevalence'] == 0.01 else 'more'} healthy people"
        ),
    ),
    "83 genes instead of 128. You would throw away 45": (
        "return sum(mean_doubt <= rate)", "return sum(doubt <= rate)",
        lambda book: _shorter(book["discoveries"](genes(), 0.05)),
    ),
}  # fmt: skip


def neighbours() -> tuple[Any, Any]:
    """Return the true labels, and the probabilities of the nearest neighbours."""
    ill, _, q = tumours()
    return ill, q


def _of_pairs(independent: float) -> str:
    exact = float(np.sqrt(metrics.delong(*neighbours()).covariance))
    assert round(exact / independent) == 10
    return f"It falls from {exact:.4f} to {independent:.4f}, as if ten times as much"


def _shorter(stricter: int) -> str:
    whole = metrics.fdr_threshold(genes(), 0.05).number
    return f"{stricter} genes instead of {whole}. You would throw away {whole - stricter}"


GIVEN = [
    *("45 minutes", "Three lines to remember", "The four counts of a confusion"),
    *("## Four counts", "the four counts", "asks about the other three", "Before: [Bounds for 0/1"),
    *("at least 95% of all tests", "benign tumours by ten"),
    *("lie four standard deviations apart", "beat five nearest neighbours", "of 2,000 genes"),
    *("believe its 70%", 'reads "70%"', "70% should be malignant", "What its 70% is worth"),
    *(
        "were malignant. The whole",
        "five neighbours that agree",
        "The neighbours' 0%",
        "so this 0%",
    ),
    "missed 1,709 of 2,552 cases",
    *("`prevalence = 0.01`", "more than 5% doubtful"),
    # from the questions and choices of guesses
    *("ten times as wide", "two or three", "1% are", "that 5% of the genes", "above 5%"),
    *("5% about 20% about 50%", "probability of 0%", "none a few about 20", "Five neighbours that"),
    # exercises
    *(f"**14.{number}**" for number in range(1, 7)),
    'hint("14.6")',
    *("Of 1,000 payments 50 are frauds", "flags 60 payments, 45 of them"),
    *("finds 90% of", "95% interval begins at 85%", "finds 95% of the ill and alarms 2% of"),
    *("rate of 1%?", "third model on the 200 tumours"),
    *("holds 20 tumours of which the model says 70%, and 10 are", "Is its 70%", "exact 95%"),
    "TP = 10 and FN = 10",
    *("Ida has thirty patients", "Tables 5.2 to 5.4 and Figure 5.15"),
]
