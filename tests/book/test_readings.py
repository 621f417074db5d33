"""Any number that an instrument of the book displays is accepted when typed as shown."""

import re

import nbformat
import numpy as np
import pytest
from our_chapters import CHAPTERS

from errlab_book import labs
from errlab_book.chapters import (
    bounded_bounds,
    coverage,
    error_distribution,
    report,
    small_samples,
)
from errlab_book.exercises import check


def read(lab, pattern):
    """Return what a lab says."""
    return re.search(pattern, " ".join(lab.sentences()))[1]


def drawn(explorer, pattern, **values):
    """Return what is written in a frame of an explorer."""
    axes, _ = explorer.shown(**values)
    texts = [axes.get_title("left"), *(text.get_text() for text in axes.texts)]
    return re.search(pattern, " ".join(" ".join(texts).split()))[1]


def described(explorer, pattern):
    """Yield each value of an explorer's control, and a number in its frame's sentence."""
    ((name, control),) = explorer.controls.items()
    for value in control.values:
        sentence = explorer.alt(*explorer.by, **{name: value})
        yield value, float(re.search(pattern, sentence)[1])


def squares(X, y, rows):
    """Return the squared errors of a line fitted to the other rows."""
    fit = np.linalg.lstsq(X[~rows], y[~rows], rcond=None)[0]
    return (y[rows] - X[rows] @ fit) ** 2


def positives():
    def lowest(n):
        lab = labs.Confusion(tp=round(0.9 * n), fn=n - round(0.9 * n), fp=0, tn=1)
        return float(read(lab, r"\(TPR\).*?interval ([\d.]+) to"))

    return next(n for n in range(10, 2000, 10) if lowest(n) >= 0.85)


def failing_count():
    """Draw single test sets, and return the count of errors from which on the interval misses."""
    sets = [labs.Misses(cases=10, error=1, method="NOR", drawn=1, seed=seed) for seed in range(300)]
    assert len({int(lab.counts[0]) for lab in sets}) > 2
    (count,) = {int(lab.counts[0]) for lab in sets if lab.misses}
    return count


def planned(confidence):
    lab = labs.Claim(expected=5.0, target=8.0, confidence=confidence)
    return int(read(lab, r"it takes ([\d,]+) test examples").replace(",", ""))


def nearer_to_the_truth():
    """Compare marks and right ends of the eight students' lines with those of the first row."""

    def leave_out(X, y, splits):
        return [np.mean(squares(X, y, np.asarray(test))) for test in splits]

    axes, _ = error_distribution.eight_sets(leave_out).shown(left_out=25)
    marks = [line.get_xdata()[0] for line in axes.lines]
    ends = [rows.get_segments()[0][1, 0] for rows in axes.collections[::2]]
    assert len(marks) == len(ends) == 9
    off = [np.abs(np.array(row[1:]) / row[0] - 1).mean() for row in (marks, ends)]
    return "the median alone" if off[0] < off[1] else "the one in twenty alone"


def below_seventy():
    def miss(X, y, test_rows):
        return np.sqrt(np.mean(squares(X, y, ~np.isin(np.arange(len(y)), test_rows))))

    rare = described(error_distribution.training_sets(miss), r"one in twenty above ([\d.]+)")
    return next(patients for patients, error in rare if error < 70)


def smallest_margin():
    lab = labs.Pair(both=30, only_a=12, only_b=15, neither=343)
    worse = -float(read(lab, r"95% interval (-[\d.]+) to"))
    margin = next(points for points in (1, 2, 4) if points >= worse)
    return f"{margin} point{'s' * (margin > 1)}"


def between_levels():
    errors = described(small_samples.seven(), r"true error is ([\d.]+)")
    low, high = sorted({round(error, 2) for _, error in errors})
    mean = low * 2 / 3 + high / 3
    return [f"{mean:.3f}", f"{mean - low:.3f}"]


def without_twenty():
    truth, _, logistic = report.predictions()
    return read(labs.Predictions(truth[20:], logistic[20:]), r"true error is at most ([\d.]+%)")


def width():
    lab = labs.Claim(errors=12, cases=150, confidence=90.0)
    ends = [float(read(lab, pattern)) for pattern in (r"interval ([\d.]+)", r"% to ([\d.]+)%")]
    return f"{ends[1] - ends[0]:.1f}%"


READINGS = {
    "3.1": lambda: read(labs.Claim(errors=0, cases=100), r"at most ([\d.]+%)"),
    "3.4": width,
    "4.1": failing_count,
    "4.2": lambda: drawn(coverage.saw(), r"worst at ([\d.]+%)", n=50, bound="yours"),
    "5.3": lambda: drawn(
        bounded_bounds.known(), r"200 losses are worth ([\d,]+)", n=200, variance=25
    ),
    "5.5": lambda: planned(97.5) - planned(95.0),
    "8.2": lambda: max(k for k in range(101) if not labs.Bag(cases=100, errors=k).percentile.low),
    "9.1": nearer_to_the_truth,
    "9.2": below_seventy,
    "10.1": lambda: read(labs.Pair(both=0, only_a=4, only_b=11, neither=85), r"p = ([\d.]+)"),
    "10.2": smallest_margin,
    "14.2": positives,
    "14.5": lambda: read(labs.Confusion(tp=10, fn=10), r"\(TPR\).*?to ([\d.]+)\."),
    "15.1": between_levels,
    "16.1": without_twenty,
}


@pytest.mark.slow
@pytest.mark.parametrize("key", READINGS)
def test_a_reading_is_right(key):
    value = READINGS[key]()
    verdict = check(key, value)
    assert verdict.right, f"{value}: {verdict.message}"


def test_what_no_instrument_shows_is_not():
    typed = [("3.4", "8.3%"), ("3.4", "7.7%"), ("10.1", "0.13")]
    assert [answer for answer in typed if check(*answer).right] == []


def test_each_exercise_that_names_an_instrument_has_a_reading():
    named = set()
    for path in CHAPTERS:
        cells = nbformat.read(path, as_version=4).cells
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        questions = re.findall(r"^\*\*(\d+\.\d+)\*\* (.*?)\n\n", f"{text}\n\n", re.M | re.S)
        named |= {key for key, asked in questions if re.search(r"\b(lab|explorer|slider)\b", asked)}
    assert len(named) >= 13
    assert named <= set(READINGS)
