"""What an instrument of the book displays, typed as it stands there, is taken as right."""

import re

import pytest

from errlab_book import labs
from errlab_book.exercises import check


def shown(lab, pattern):
    """Return what a lab displays, as text."""
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


READINGS = {
    "3.1": lambda: shown(labs.Claim(errors=0, cases=100), r"at most ([\d.]+%)"),
    "3.4": width,
    "8.2": last_from_zero,
    "10.1": lambda: shown(labs.Pair(both=0, only_a=4, only_b=11, neither=85), r"p = ([\d.]+)"),
    "14.2": positives,
    "14.5": lambda: shown(labs.Confusion(tp=10, fn=10), r"\(TPR\).*?to ([\d.]+)\."),
}


@pytest.mark.slow
@pytest.mark.parametrize("key", READINGS)
def test_a_reading_is_right(key):
    verdict = check(key, READINGS[key]())
    assert verdict.right, f"{READINGS[key]()}: {verdict.message}"


@pytest.mark.parametrize(("key", "typed"), [("3.4", "8.3%"), ("3.4", "7.7%"), ("10.1", "0.13")])
def test_what_no_instrument_shows_is_not(key, typed):
    assert not check(key, typed).right
