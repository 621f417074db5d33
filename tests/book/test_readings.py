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


def shown(lab, pattern):
    """Return the text that a lab displays."""
    return re.search(pattern, " ".join(lab.sentences()))[1]


def width():
    text = " ".join(labs.Claim(errors=12, cases=150, confidence=90.0).sentences())
    low, high = re.search(r"interval ([\d.]+)% to ([\d.]+)%", text).groups()
    return f"{float(high) - float(low):.1f}%"


def last_from_zero():
    return max(k for k in range(101) if labs.Bag(cases=100, errors=k).percentile.low == 0)


def positives():
    for n in range(10, 2000, 10):
        lab = labs.Confusion(tp=round(0.9 * n), fn=n - round(0.9 * n), fp=0, tn=1)
        if float(shown(lab, r"\(TPR\).*?interval ([\d.]+) to")) >= 0.85:
            return n
    raise AssertionError("no number of positives is enough")


def title(axes):
    return " ".join(axes.get_title("left").split())


def failing_count():
    """Draw single test sets, and return the count of errors from which on the interval misses."""
    sets = [labs.Misses(cases=10, error=1, method="NOR", drawn=1, seed=seed) for seed in range(300)]
    assert len({int(lab.counts[0]) for lab in sets}) > 2
    (count,) = {int(lab.counts[0]) for lab in sets if lab.misses}
    return count


def worst_of_wilson():
    axes, _ = coverage.saw().shown(n=50, bound="yours")
    texts = " ".join(text.get_text() for text in axes.texts)
    return re.search(r"worst at ([\d.]+%)", texts)[1]


def worth():
    axes, _ = bounded_bounds.known().shown(n=200, variance=25)
    return re.search(r"200 losses are worth ([\d,]+)", title(axes))[1]


def planned(confidence):
    lab = labs.Claim(expected=5.0, target=8.0, confidence=confidence)
    return int(shown(lab, r"it takes ([\d,]+) test examples").replace(",", ""))


def nearer_to_the_truth():
    """Compare marks and right ends of the eight students' lines with those of the first row."""

    def leave_out(X, y, splits):
        fits = [np.linalg.lstsq(X[~test], y[~test], rcond=None)[0] for test in splits]
        return [np.mean((y[t] - X[t] @ fit) ** 2) for t, fit in zip(splits, fits, strict=True)]

    axes, _ = error_distribution.eight_sets(leave_out).shown(left_out=25)
    marks = [line.get_xdata()[0] for line in axes.lines]
    ends = [rows.get_segments()[0][1, 0] for rows in axes.collections[::2]]
    assert len(marks) == len(ends) == 9
    off = [np.abs(np.array(row[1:]) / row[0] - 1).mean() for row in (marks, ends)]
    return "the median alone" if off[0] < off[1] else "the one in twenty alone"


def below_seventy():
    def miss(X, y, test_rows):
        others = np.setdiff1d(np.arange(len(y)), test_rows)
        fit = np.linalg.lstsq(X[test_rows], y[test_rows], rcond=None)[0]
        return np.sqrt(np.mean((y[others] - X[others] @ fit) ** 2))

    explorer = error_distribution.training_sets(miss)
    for patients in explorer.controls["patients"].values:
        _, words = explorer.shown(patients=patients)
        if float(re.search(r"one in twenty above ([\d.]+)", words)[1]) < 70:
            return patients
    raise AssertionError("no number of patients is enough")


def smallest_margin():
    lab = labs.Pair(both=30, only_a=12, only_b=15, neither=343)
    worse = -float(shown(lab, r"95% interval (-[\d.]+) to"))
    margin = next(points for points in (1, 2, 4) if points >= worse)
    return f"{margin} point{'s' * (margin > 1)}"


def between_levels():
    explorer = small_samples.seven()
    words = [explorer.shown(training_set=k)[1] for k in explorer.controls["training_set"].values]
    errors = {re.search(r"true error is ([\d.]+)", w)[1] for w in words}
    low, high = (round(float(error), 2) for error in sorted(errors))
    mean = low * 2 / 3 + high / 3
    return [f"{mean:.3f}", f"{mean - low:.3f}"]


def without_twenty():
    truth, _, logistic = report.predictions()
    lab = labs.Predictions(truth[20:], logistic[20:])
    return shown(lab, r"true error is at most ([\d.]+%)")


READINGS = {
    "3.1": lambda: shown(labs.Claim(errors=0, cases=100), r"at most ([\d.]+%)"),
    "3.4": width,
    "4.1": failing_count,
    "4.2": worst_of_wilson,
    "5.3": worth,
    "5.5": lambda: planned(97.5) - planned(95.0),
    "8.2": last_from_zero,
    "9.1": nearer_to_the_truth,
    "9.2": below_seventy,
    "10.1": lambda: shown(labs.Pair(both=0, only_a=4, only_b=11, neither=85), r"p = ([\d.]+)"),
    "10.2": smallest_margin,
    "14.2": positives,
    "14.5": lambda: shown(labs.Confusion(tp=10, fn=10), r"\(TPR\).*?to ([\d.]+)\."),
    "15.1": between_levels,
    "16.1": without_twenty,
}


@pytest.mark.slow
@pytest.mark.parametrize("key", READINGS)
def test_a_reading_is_right(key):
    verdict = check(key, READINGS[key]())
    assert verdict.right, f"{READINGS[key]()}: {verdict.message}"


@pytest.mark.parametrize(("key", "typed"), [("3.4", "8.3%"), ("3.4", "7.7%"), ("10.1", "0.13")])
def test_what_no_instrument_shows_is_not(key, typed):
    assert not check(key, typed).right


def test_each_exercise_that_names_an_instrument_has_a_reading():
    named = set()
    for path in CHAPTERS:
        cells = nbformat.read(path, as_version=4).cells
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        questions = re.findall(r"^\*\*(\d+\.\d+)\*\* (.*?)\n\n", f"{text}\n\n", re.M | re.S)
        named |= {key for key, asked in questions if re.search(r"\b(lab|explorer|slider)\b", asked)}
    assert len(named) >= 13
    assert named <= set(READINGS)
